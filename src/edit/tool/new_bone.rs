//! The New bone tool: bones drawn into a mesh one after the other. A state machine over pointer positions.
//!
//! The bone that follows the pointer is no part of the scene until it is set, so that nothing which happens
//! meanwhile (undo, delete, save) can meet it. What it starts from is read anew from the selection each
//! time. Changes nothing itself: a click gives the command that sets the bone.

use super::gizmo::{Modifiers, short};
use super::snap::{Magnets, Snapped};
use crate::edit::command::Command;
use crate::edit::pick::Surface;
use crate::edit::selection::Part;
use crate::edit::stage::Stage;
use crate::edit::view::Tab;
use crate::math::camera::Viewport;
use crate::math::ray::Ray;
use glam::{Vec2, Vec3};

/// A bone that shows shorter than this, in pixels, is not set: a second click in one place means nothing.
const SHORTEST_PX: f32 = 4.0;
/// Capsules are this much thicker than half of the limb: weights fall to zero at the radius, and the skin
/// is to be well within.
const ROOM: f32 = 1.5;
/// Bounds of new radii, as parts of the mesh's diagonal.
const THINNEST: f32 = 0.002;
const THICKEST: f32 = 0.2;
/// What is nearer than this part of the mesh's diagonal is the same surface.
const SAME_SURFACE: f32 = 1e-4;

/// What the next click sets.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Where the skeleton starts: the mesh has no bone yet.
    Base,
    /// A bone that starts at the tip of `parent`, or at the base.
    Bone { parent: Option<usize>, start: Vec3 },
}

/// Where the pointer points, in the space of the mesh, which is the world of the Rig tab.
#[derive(Clone, Debug, PartialEq)]
pub struct Live {
    pub next: Next,
    /// The tip, or the base.
    pub point: Vec3,
    pub radius: f32,
    pub snapped: Option<Snapped>,
    /// Too short to be set.
    pub too_short: bool,
}

/// The tool while it is on.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBone {
    /// The skinned mesh that it was turned on for.
    pub mesh: String,
    /// Steps of the history when it was turned on: those since then can be taken back with Backspace.
    pub since: usize,
    live: Option<Live>,
    /// What the next click does.
    prompt: String,
}

impl NewBone {
    pub fn new(mesh: String, since: usize) -> Self {
        Self {
            mesh,
            since,
            live: None,
            prompt: "Point into the mesh".into(),
        }
    }

    /// Whether it can go on: it ends with its mesh and with the Rig tab.
    pub fn belongs_to(&self, mesh: Option<&str>, tab: Tab) -> bool {
        tab == Tab::Rig && mesh == Some(self.mesh.as_str())
    }

    /// What follows the pointer.
    pub fn live(&self) -> Option<&Live> {
        self.live.as_ref()
    }

    /// The pointer is nowhere in the viewport.
    pub fn leave(&mut self, stage: &Stage, selected: Option<Part>) {
        self.live = None;
        self.prompt = prompt(stage, &next(stage, selected));
    }

    /// The pointer is at `pixel`. `selected`: the active part, which the bone starts from. `surface`: the
    /// skin, where it is shown.
    ///
    /// The point is halfway between the first two surfaces under the pointer, so inside of a limb; on the
    /// surface where there is but one; beside the mesh, in the plane through the start that faces the
    /// viewer.
    pub fn aim(
        &mut self,
        stage: &Stage,
        selected: Option<Part>,
        surface: Option<&Surface>,
        viewport: &Viewport,
        pixel: Vec2,
        modifiers: Modifiers,
    ) {
        self.leave(stage, selected);
        self.live = self.aimed(stage, selected, surface, viewport, pixel, modifiers);
    }

    fn aimed(
        &self,
        stage: &Stage,
        selected: Option<Part>,
        surface: Option<&Surface>,
        viewport: &Viewport,
        pixel: Vec2,
        modifiers: Modifiers,
    ) -> Option<Live> {
        if stage.mesh != self.mesh || !pixel.is_finite() {
            return None;
        }
        let next = next(stage, selected);
        let start = match next {
            Next::Base => stage.base(),
            Next::Bone { start, .. } => start,
        };
        let ray = viewport.ray(pixel);
        let through = surface.and_then(|surface| Through::of(surface, &ray));
        let point = match &through {
            Some(through) => ray.at(through.middle()),
            None => ray.at(ray.plane(start, viewport.camera.axes()[2])?),
        };
        let not_itself = match next {
            Next::Base | Next::Bone { parent: None, .. } => Part::Base,
            Next::Bone {
                parent: Some(bone), ..
            } => Part::Bone(bone),
        };
        let magnets = Magnets::of(stage, &[not_itself]);
        let (point, snapped) = magnets.draw(viewport, point, modifiers);
        if !point.is_finite() {
            return None;
        }
        let length = point.distance(start);
        let too_short = next != Next::Base && length < SHORTEST_PX * viewport.world_per_pixel(point);
        Some(Live {
            radius: radius(stage, &next, surface, through, viewport, point),
            next,
            point,
            snapped,
            too_short,
        })
    }

    /// What a click does now: a command, and the part to select where the command adds none.
    pub fn set(&self) -> Option<(Command, Option<Part>)> {
        let live = self.live.as_ref().filter(|live| !live.too_short)?;
        let mesh = self.mesh.clone();
        Some(match live.next {
            Next::Base => {
                let base = live.point;
                (Command::SetBase { mesh, base }, Some(Part::Base))
            }
            Next::Bone { parent, start } => {
                let (extent, radius) = (live.point - start, live.radius);
                let add = Command::AddBone {
                    mesh,
                    parent,
                    extent,
                    radius,
                };
                (add, None)
            }
        })
    }

    /// What the next click does, for the banner over the viewport.
    pub fn prompt(&self) -> &str {
        &self.prompt
    }

    /// For the status bar.
    pub fn hint(&self) -> String {
        let keys = "Ctrl grid · Shift no snapping · Backspace takes the last back · Esc or right click ends";
        match self.readout() {
            Some(readout) => format!("{readout}   {} · {keys}", self.prompt),
            None => format!("{} · {keys}", self.prompt),
        }
    }

    /// Length and radius so far, and what the tip snapped to.
    fn readout(&self) -> Option<String> {
        let live = self.live.as_ref()?;
        let snapped = live.snapped.as_ref().map(|to| format!(" · {}", to.text()));
        let snapped = snapped.unwrap_or_default();
        Some(match live.next {
            Next::Base => {
                let [x, y, z] = live
                    .point
                    .to_array()
                    .map(|value| short(value, 3).replace('-', "−"));
                format!("{x}, {y}, {z}{snapped}")
            }
            Next::Bone { .. } if live.too_short => "Too short".into(),
            Next::Bone { start, .. } => {
                let length = short(live.point.distance(start), 3);
                format!("Length {length}, radius {}{snapped}", short(live.radius, 3))
            }
        })
    }
}

/// From the tip of the selected bone, or of the selected handle's bone; else from the base, which in a
/// skeleton without bones is set first unless it is selected.
fn next(stage: &Stage, selected: Option<Part>) -> Next {
    let bone = match selected {
        Some(Part::Bone(bone)) => Some(bone),
        Some(Part::Handle(handle)) => stage.skeleton.handles.get(handle).map(|h| h.bone as usize),
        _ => None,
    };
    let tip = bone.and_then(|bone| Some((bone, stage.bone_tip(bone)?)));
    match tip {
        Some((bone, start)) => Next::Bone {
            parent: Some(bone),
            start,
        },
        None if stage.skeleton.bones.is_empty() && selected != Some(Part::Base) => Next::Base,
        None => Next::Bone {
            parent: None,
            start: stage.base(),
        },
    }
}

fn prompt(stage: &Stage, next: &Next) -> String {
    match *next {
        Next::Base => "Click where the skeleton starts".into(),
        Next::Bone { parent: None, .. } => "Click the tip of a bone from the base".into(),
        Next::Bone {
            parent: Some(bone), ..
        } => {
            let name = stage.skeleton.bone_name(bone);
            format!("Click the tip of a bone from {name}")
        }
    }
}

/// The first two surfaces along a ray.
struct Through {
    first: f32,
    second: Option<f32>,
}

impl Through {
    fn of(surface: &Surface, ray: &Ray) -> Option<Self> {
        let first = surface.first(ray)?.t;
        let beyond = Ray {
            start: first + SAME_SURFACE * diagonal(surface) / ray.direction.length(),
            ..*ray
        };
        let second = surface.first(&beyond).map(|hit| hit.t);
        Some(Self { first, second })
    }

    fn middle(&self) -> f32 {
        self.second
            .map_or(self.first, |second| self.first.midpoint(second))
    }

    /// For a ray of unit direction.
    fn half(&self) -> Option<f32> {
        Some(0.5 * (self.second? - self.first))
    }
}

fn diagonal(surface: &Surface) -> f32 {
    surface.tree.bounds().diagonal()
}

/// Of a new bone: from how thick the mesh is halfway along it, else at its tip; else its parent's; else a
/// quarter of its length.
fn radius(
    stage: &Stage,
    next: &Next,
    surface: Option<&Surface>,
    at_tip: Option<Through>,
    viewport: &Viewport,
    tip: Vec3,
) -> f32 {
    let Next::Bone { parent, start } = *next else {
        return 0.0;
    };
    let measured = surface.and_then(|surface| {
        let middle = start.midpoint(tip);
        let halfway = viewport.project(middle).and_then(|shown| {
            let ray = viewport.ray(shown.pixel);
            let depth = (middle - ray.origin).dot(ray.direction);
            let through = Through::of(surface, &ray)?;
            let inside = through.first <= depth && through.second.is_some_and(|second| depth <= second);
            through.half().filter(|_| inside)
        });
        let half = halfway.or(at_tip.and_then(|through| through.half()))?;
        let size = diagonal(surface);
        Some((half * ROOM).clamp(THINNEST * size, THICKEST * size))
    });
    let of_parent = || {
        let bone = stage.skeleton.bones.get(parent?)?;
        (bone.radius > 0.0).then_some(bone.radius)
    };
    measured
        .filter(|radius| radius.is_finite())
        .or_else(of_parent)
        .unwrap_or(0.25 * start.distance(tip))
}
