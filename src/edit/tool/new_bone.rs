//! The New bone tool: bones drawn into a mesh one after the other. A state machine over pointer positions.
//!
//! The bone that follows the pointer is no part of the scene until it is set, so that nothing which happens
//! meanwhile (undo, delete, save) can meet it. What it starts from is read anew from the selection each
//! time. Changes nothing itself: a click gives the command that sets the bone.

use super::depth::Through;
use super::gizmo::{Modifiers, short};
use super::snap::{Magnets, Snapped};
use crate::edit::command::Command;
use crate::edit::pick::Surface;
use crate::edit::selection::Part;
use crate::edit::stage::Stage;
use crate::edit::view::Tab;
use crate::math::camera::Viewport;
use crate::rig::edits::radius;
use glam::{Vec2, Vec3};

/// A bone that shows shorter than this, in pixels, is not set: a second click in one place means nothing.
const SHORTEST_PX: f32 = 4.0;
/// A bone that starts elsewhere than at its parent's tip is drawn by a drag of so many pixels at least, from so
/// far off that tip.
const DRAWN_PX: f32 = 5.0;
/// Where a radius cannot be fitted around the whole bone, it is this many halves of how thick the mesh is.
const ROOM: f32 = 1.5;
/// Bounds of new radii, as parts of the mesh's diagonal.
const THINNEST: f32 = 0.002;
const THICKEST: f32 = 0.2;

/// What the next click sets.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Where the skeleton starts: the mesh has no bone yet.
    Base,
    /// A bone that starts at the tip of `parent`, or at the base; with a `link_from` there, if it starts
    /// elsewhere.
    Bone {
        parent: Option<usize>,
        start: Vec3,
        link_from: Option<Vec3>,
    },
}

/// Where the button went down, away from where the next bone would start.
#[derive(Clone, Debug, PartialEq)]
struct Press {
    pixel: Vec2,
    point: Vec3,
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
    press: Option<Press>,
    /// What the next click does.
    prompt: String,
}

impl NewBone {
    pub fn new(mesh: String, since: usize) -> Self {
        Self {
            mesh,
            since,
            live: None,
            press: None,
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

    /// The button went down where the tool aims. A drag from here draws a bone of the same parent that starts
    /// here.
    pub fn press(&mut self, viewport: &Viewport, pixel: Vec2) {
        self.press = self.live.as_ref().and_then(|live| {
            let Next::Bone { start, .. } = live.next else {
                return None;
            };
            let shown = viewport.project(start)?.pixel;
            let point = live.point;
            (shown.distance(pixel) > DRAWN_PX).then_some(Press { pixel, point })
        });
    }

    /// The button came up, or no longer counts.
    pub fn release(&mut self) {
        self.press = None;
    }

    /// The pointer is at `pixel`. `selected`: the active part, which the bone starts from. `surface`: the
    /// skin, where it is shown.
    ///
    /// The point is in the middle of the limb under the pointer ([`super::depth`]); on the surface where it
    /// has no back; beside the mesh, in the plane through the start that faces the
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
        let mut next = next(stage, selected);
        if let Next::Bone { start, link_from, .. } = &mut next
            && let Some(press) = self
                .press
                .as_ref()
                .filter(|p| p.pixel.distance(pixel) >= DRAWN_PX)
        {
            (*link_from, *start) = (Some(*start), press.point);
        }
        let start = match next {
            Next::Base => stage.base(),
            Next::Bone { start, .. } => start,
        };
        let ray = viewport.ray(pixel);
        let width = limb_width(stage, &next);
        let through = surface.and_then(|surface| Through::of(surface, &ray, width));
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
        let mut magnets = Magnets::of(stage, &[not_itself]);
        // The joint of another limb, in front or behind, is not meant.
        if let Some(half) = through.and_then(|through| through.half()) {
            magnets.keep_near(point, ray.direction, half);
        }
        let (point, snapped) = magnets.draw(viewport, point, modifiers);
        if !point.is_finite() {
            return None;
        }
        let length = point.distance(start);
        let too_short = next != Next::Base && length < SHORTEST_PX * viewport.world_per_pixel(point);
        Some(Live {
            radius: radius_of(stage, &next, surface, through, viewport, point),
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
            Next::Bone {
                parent,
                start,
                link_from,
            } => {
                let (extent, radius) = (live.point - start, live.radius);
                let add = match link_from {
                    Some(_) => Command::AddLinkedBone {
                        mesh,
                        parent,
                        start,
                        extent,
                        radius,
                    },
                    None => Command::AddBone {
                        mesh,
                        parent,
                        extent,
                        radius,
                    },
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
            link_from: None,
        },
        None if stage.skeleton.bones.is_empty() && selected != Some(Part::Base) => Next::Base,
        None => Next::Bone {
            parent: None,
            start: stage.base(),
            link_from: None,
        },
    }
}

fn prompt(stage: &Stage, next: &Next) -> String {
    match *next {
        Next::Base => "Click where the skeleton starts".into(),
        Next::Bone { parent: None, .. } => {
            "Click the tip of a bone from the base, or drag one that starts elsewhere".into()
        }
        Next::Bone {
            parent: Some(bone), ..
        } => {
            let name = stage.skeleton.bone_name(bone);
            format!("Click the tip of a bone from {name}, or drag one that starts elsewhere")
        }
    }
}

fn diagonal(surface: &Surface) -> f32 {
    surface.tree.bounds().diagonal()
}

/// How thick the limb is at most that a new bone goes on along: twice the radius of the bone before it, which
/// has some room. Unknown where it starts elsewhere.
fn limb_width(stage: &Stage, next: &Next) -> Option<f32> {
    let Next::Bone {
        parent: Some(parent),
        link_from: None,
        ..
    } = *next
    else {
        return None;
    };
    Some(2.0 * stage.skeleton.bones.get(parent)?.radius * stage.scale())
}

/// Of a new bone: fitted to the surface around it; else from how thick the mesh is halfway along it, else at
/// its tip; else its parent's; else a quarter of its length.
fn radius_of(
    stage: &Stage,
    next: &Next,
    surface: Option<&Surface>,
    at_tip: Option<Through>,
    viewport: &Viewport,
    tip: Vec3,
) -> f32 {
    let Next::Bone { parent, start, .. } = *next else {
        return 0.0;
    };
    let fitted = surface.and_then(|surface| radius::around(&surface.tree, surface.positions, start, tip));
    let measured = surface.filter(|_| fitted.is_none()).and_then(|surface| {
        let middle = start.midpoint(tip);
        let halfway = viewport.project(middle).and_then(|shown| {
            let ray = viewport.ray(shown.pixel);
            let depth = (middle - ray.origin).dot(ray.direction);
            let through = Through::of(surface, &ray, None)?;
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
    fitted
        .or(measured)
        .filter(|radius| radius.is_finite())
        .or_else(of_parent)
        .unwrap_or(0.25 * start.distance(tip))
}
