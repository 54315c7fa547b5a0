//! The New bone tool: bones drawn into a mesh one after the other.
//!
//! The bone that follows the pointer is no part of the scene until it is set, so that nothing which happens
//! meanwhile (undo, delete, save) can meet it. What it starts from is read again from the selection each
//! time. Changes nothing itself: a click gives the command that sets the bone.

use super::depth::DepthRange;
use super::fitted_radius::{limb_width, radius_of};
use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role, arc, circle, dashes, short};
use super::next_click::NextClick;
use super::numeric::{DragKey, NumericInput};
use super::snap::{SnapHit, SnapTargets};
use super::{Change, Click, Context, Cursor, Drag, DragInput, Hold, Press, Tool};
use crate::edit::action::Action;
use crate::edit::active_rig::ActiveRig;
use crate::edit::command::Command;
use crate::edit::pick::{PickTarget, Pickable, Surface};
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::{Tab, View};
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};
use std::f32::consts::PI;

/// A bone that shows shorter than this, in pixels, is not set: a second click in one place means nothing.
const SHORTEST_PX: f32 = 4.0;
/// A bone that starts elsewhere than at its parent's tip is drawn by a drag of so many pixels at least, from so
/// far off that tip.
const DRAWN_PX: f32 = 5.0;
/// Where the button went down, away from where the next bone would start.
#[derive(Clone, Debug, PartialEq)]
struct Start {
    pixel: Vec2,
    point: Vec3,
}

/// Where the pointer points, in the space of the mesh, which is the world of the Rig tab.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    pub next: NextClick,
    /// The tip, or the base.
    pub point: Vec3,
    pub radius: f32,
    pub snapped: Option<SnapHit>,
    /// Too short to be set.
    pub too_short: bool,
}

/// The tool while it is on.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBone {
    /// The skinned mesh that it was turned on for.
    pub mesh: String,
    /// Steps of the history when it was turned on: those since then can be taken back with Backspace.
    pub since: u64,
    live: Option<Preview>,
    press: Option<Start>,
    /// Along this axis alone, while the button is down.
    axis: Option<Axis>,
    /// The length that was typed.
    length: Option<f32>,
    /// What the next click does.
    prompt: String,
}

impl NewBone {
    pub fn new(mesh: String, since: u64) -> Self {
        Self {
            mesh,
            since,
            live: None,
            press: None,
            axis: None,
            length: None,
            prompt: "Point into the mesh".into(),
        }
    }

    /// Whether it can go on: it ends with its mesh and with the Rig tab.
    pub fn belongs_to(&self, mesh: Option<&str>, tab: Tab) -> bool {
        tab == Tab::Rig && mesh == Some(self.mesh.as_str())
    }

    /// What follows the pointer.
    pub fn live(&self) -> Option<&Preview> {
        self.live.as_ref()
    }

    /// The pointer is nowhere in the viewport.
    pub fn leave(&mut self, stage: &ActiveRig, selected: Option<Part>) {
        self.live = None;
        self.prompt = prompt(stage, &next(stage, selected));
    }

    /// The button went down where the tool aims. A drag from here draws a bone of the same parent that starts
    /// here.
    pub fn start_at(&mut self, viewport: &Viewport, pixel: Vec2) {
        self.press = self.live.as_ref().and_then(|live| {
            let NextClick::Bone { start, .. } = live.next else {
                return None;
            };
            let shown = viewport.project(start)?.pixel;
            let point = live.point;
            (shown.distance(pixel) > DRAWN_PX).then_some(Start { pixel, point })
        });
    }

    /// The pointer is at `pixel`. `selected`: the active part, which the bone starts from. `surface`: the
    /// skin, where it is shown.
    ///
    /// The point is in the middle of the limb under the pointer ([`super::depth`]); on the surface where it
    /// has no back; beside the mesh, in the plane through the start that faces the
    /// viewer.
    pub fn aim(
        &mut self,
        stage: &ActiveRig,
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
        stage: &ActiveRig,
        selected: Option<Part>,
        surface: Option<&Surface>,
        viewport: &Viewport,
        pixel: Vec2,
        modifiers: Modifiers,
    ) -> Option<Preview> {
        if stage.mesh != self.mesh || !pixel.is_finite() {
            return None;
        }
        let mut next = next(stage, selected);
        if let NextClick::Bone { start, link_from, .. } = &mut next
            && let Some(press) = self
                .press
                .as_ref()
                .filter(|p| p.pixel.distance(pixel) >= DRAWN_PX)
        {
            (*link_from, *start) = (Some(*start), press.point);
        }
        let start = match next {
            NextClick::Base => stage.base(),
            NextClick::Bone { start, .. } => start,
        };
        let ray = viewport.ray(pixel);
        let width = limb_width(stage, &next);
        let through = surface.and_then(|surface| DepthRange::from_ray(surface, &ray, width));
        let point = match &through {
            Some(through) => ray.at(through.middle()),
            None => ray.at(ray.plane(start, viewport.camera.axes()[2])?),
        };
        let not_itself = match next {
            NextClick::Base | NextClick::Bone { parent: None, .. } => Part::Base,
            NextClick::Bone {
                parent: Some(bone), ..
            } => Part::Bone(bone),
        };
        let mut targets = SnapTargets::new(stage, &[not_itself]);
        // The joint of another limb, in front or behind, is not meant.
        if let Some(half) = through.and_then(|through| through.half()) {
            targets.keep_near(point, ray.direction, half);
        }
        let (point, snapped) = match next {
            NextClick::Bone { .. } if self.axis.is_some() || self.length.is_some() => {
                (self.constrained(start, point), None)
            }
            _ => targets.snap(viewport, point, modifiers),
        };
        if !point.is_finite() {
            return None;
        }
        let length = point.distance(start);
        let too_short = next != NextClick::Base && length < SHORTEST_PX * viewport.world_per_pixel(point);
        Some(Preview {
            radius: radius_of(stage, &next, surface, through, viewport, point),
            next,
            point,
            snapped,
            too_short,
        })
    }

    /// The tip along the axis that was chosen, at the length that was typed.
    fn constrained(&self, start: Vec3, tip: Vec3) -> Vec3 {
        let free = tip - start;
        let along = self.axis.map_or(free, |axis| axis.unit() * free[axis.index()]);
        match self.length {
            Some(length) => start + along.normalize_or(self.axis.map_or(Vec3::Y, Axis::unit)) * length,
            None => start + along,
        }
    }

    /// Aims at what is shown there. Nowhere: nothing follows the pointer.
    fn follow(&mut self, context: &Context, at: Option<Vec2>, modifiers: Modifiers) {
        let pickable = Pickable::from_view(context.view);
        let Some(stage) = &pickable.stage else { return };
        let skin = pickable.surfaces.iter().find(|s| s.target == PickTarget::Skin);
        match at {
            Some(at) => self.aim(stage, context.part(), skin, context.viewport, at, modifiers),
            None => self.leave(stage, context.part()),
        }
    }

    /// What a click does now: a command, and the part to select where the command adds none.
    pub fn set(&self) -> Option<(Command, Option<Part>)> {
        let live = self.live.as_ref().filter(|live| !live.too_short)?;
        let mesh = self.mesh.clone();
        Some(match live.next {
            NextClick::Base => {
                let base = live.point;
                (Command::SetBase { mesh, base }, Some(Part::Base))
            }
            NextClick::Bone {
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

    /// Length and radius so far, and what the tip snapped to.
    fn readout(&self) -> Option<String> {
        let live = self.live.as_ref()?;
        let snapped = live.snapped.as_ref().map(|to| format!(" · {}", to.text()));
        let snapped = snapped.unwrap_or_default();
        Some(match live.next {
            NextClick::Base => {
                let [x, y, z] = live
                    .point
                    .to_array()
                    .map(|value| short(value, 3).replace('-', "−"));
                format!("{x}, {y}, {z}{snapped}")
            }
            NextClick::Bone { .. } if live.too_short => "Too short".into(),
            NextClick::Bone { start, .. } => {
                let length = short(live.point.distance(start), 3);
                format!("Length {length}, radius {}{snapped}", short(live.radius, 3))
            }
        })
    }
}

/// Begins for the mesh that is selected.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let mesh = view.session.selection().mesh.clone()?;
    Some(Box::new(NewBone::new(mesh, view.session.history().step())))
}

impl Tool for NewBone {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold> {
        let mut tool = self.clone();
        tool.follow(context, Some(press.at), press.modifiers);
        tool.start_at(context.viewport, press.at);
        Hold::new(DrawDrag(tool), Click::Nothing)
    }

    fn hover(&mut self, context: &Context, at: Option<Vec2>, modifiers: Modifiers) {
        self.follow(context, at, modifiers);
    }

    /// Backspace takes back what was set since the tool was turned on.
    fn key(&mut self, context: &Context, key: DragKey) -> Vec<Request> {
        let set = context.view.session.history().step() > self.since;
        match key {
            DragKey::Backspace if set => vec![Request::Act(Action::UNDO)],
            _ => Vec::new(),
        }
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let live = self.live.as_ref();
        live.map_or_else(GizmoShape::default, |live| live.shape(context.viewport))
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        let keys = "Ctrl grid · Shift no snapping · Backspace undoes the last · Esc or right click ends";
        match self.readout() {
            Some(readout) => format!("{readout}   {} · {keys}", self.prompt),
            None => format!("{} · {keys}", self.prompt),
        }
    }

    fn prompt(&self) -> &str {
        &self.prompt
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn is_usable(&self, view: &View) -> bool {
        self.belongs_to(view.session.selection().mesh.as_deref(), view.settings.tab)
    }
}

/// From the press to the release, which sets the bone; a click does too.
struct DrawDrag(NewBone);

impl Drag for DrawDrag {
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change {
        self.0.length = input.numbers.number();
        self.0.follow(context, Some(input.at()), input.modifiers);
        Change::NONE
    }

    fn release(&mut self, context: &Context, _: Modifiers) -> Vec<Request> {
        let Some((command, part)) = self.0.set() else {
            return Vec::new();
        };
        let selection = context.view.session.selection();
        let select = part.map(|part| Request::Select(selection.with_part(Some(part))));
        [Request::Apply(vec![command])]
            .into_iter()
            .chain(select)
            .collect()
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn numbers(&self) -> usize {
        1
    }

    fn toggle_axis(&mut self, axis: Axis, _: &Viewport) {
        self.0.axis = (self.0.axis != Some(axis)).then_some(axis);
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let live = self.0.live.as_ref();
        live.map_or_else(GizmoShape::default, |live| live.shape(viewport))
    }

    fn readout(&self, numbers: &NumericInput) -> String {
        match numbers.is_empty() {
            true => self.0.readout().unwrap_or_default(),
            false => format!("Length {}", numbers.shown(0)),
        }
    }

    fn hint(&self) -> String {
        "Release to set · Type a length · x y z along an axis · Ctrl grid · Shift no snapping · Esc or right click cancels"
            .into()
    }
}

impl Preview {
    /// Its axis, its capsule in outline, its joint, its link, what it snapped to.
    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        const BONE: GizmoPart = GizmoPart::new(0, Role::Bone, 0.0);
        const LINK: GizmoPart = GizmoPart::new(1, Role::Link, 0.0);
        const SNAP: GizmoPart = GizmoPart::new(2, Role::Snap, 0.0);
        let mut shape = GizmoShape::default();
        let [right, up, back] = viewport.camera.axes();
        let pixel = viewport.world_per_pixel(self.point);
        for size in [1.0, 2.5, 4.0].map(|size| size * pixel) {
            let ring = circle(self.point, right * size, up * size, 32);
            shape.line(BONE, GizmoStyle::Plain, ring);
        }
        if let NextClick::Bone { start, link_from, .. } = self.next
            && !self.too_short
        {
            for dash in link_from.iter().flat_map(|from| dashes(viewport, *from, start)) {
                shape.line(LINK, GizmoStyle::Plain, dash.into());
            }
            shape.line(BONE, GizmoStyle::Plain, vec![start, self.point]);
            let along = (self.point - start).normalize_or(Vec3::Y);
            let side = along.cross(back).normalize_or(along.any_orthonormal_vector());
            let (u, v) = (side * self.radius, side.cross(along) * self.radius);
            for (end, cap) in [(start, -along), (self.point, along)] {
                shape.line(BONE, GizmoStyle::Soft, circle(end, u, v, 32));
                let cap = arc(end, u, cap * self.radius, PI, 16).collect();
                shape.line(BONE, GizmoStyle::Soft, cap);
            }
            for side in [u, -u] {
                shape.line(BONE, GizmoStyle::Soft, vec![start + side, self.point + side]);
            }
        }
        let hits = self.snapped.iter();
        for marks in hits.flat_map(|hit| hit.marks(viewport, self.point)) {
            shape.line(SNAP, GizmoStyle::Plain, marks);
        }
        shape
    }
}

/// From the tip of the selected bone, or of the selected handle's bone; else from the base, which in a
/// skeleton without bones is set first unless it is selected.
fn next(stage: &ActiveRig, selected: Option<Part>) -> NextClick {
    let bone = match selected {
        Some(Part::Bone(bone)) => Some(bone),
        Some(Part::Handle(handle)) => stage.skeleton.handles.get(handle).map(|h| h.bone as usize),
        _ => None,
    };
    let tip = bone.and_then(|bone| Some((bone, stage.bone_tip(bone)?)));
    match tip {
        Some((bone, start)) => NextClick::Bone {
            parent: Some(bone),
            start,
            link_from: None,
        },
        None if stage.skeleton.bones.is_empty() && selected != Some(Part::Base) => NextClick::Base,
        None => NextClick::Bone {
            parent: None,
            start: stage.base(),
            link_from: None,
        },
    }
}

fn prompt(stage: &ActiveRig, next: &NextClick) -> String {
    match *next {
        NextClick::Base => "Click where the skeleton starts".into(),
        NextClick::Bone { parent: None, .. } => {
            "Click to place a tail from the base, or drag a bone elsewhere".into()
        }
        NextClick::Bone {
            parent: Some(bone), ..
        } => {
            let name = stage.skeleton.bone_name(bone);
            format!("Click to place a tail from {name}, or drag a bone elsewhere")
        }
    }
}
