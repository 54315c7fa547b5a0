//! The New bone tool: draws bones into a mesh, one after the other.
//!
//! The bone that follows the pointer is not part of the scene until it is set, so it cannot interfere with
//! undo, deletion or saving in the meantime. Its parent is read from the selection each time. The tool
//! changes nothing itself: a click yields the command that sets the bone.

use super::depth::DepthRange;
use super::fitted_radius::{limb_width, new_bone_radius};
use super::gizmo::{
    Axis, GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role, arc, circle, dashes, format_number,
};
use super::next_click::NextClick;
use super::numeric::{DragKey, NumericInput};
use super::snap::{SnapHit, SnapTargets};
use super::{Change, Click, Context, Cursor, Drag, DragInput, Grab, Press, Tool};
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::{PickTarget, Pickable, Surface};
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Tab, View};
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};
use std::f32::consts::PI;

/// A bone that appears shorter than this, in pixels, is not set, so a second click in the same place has no
/// effect.
const SHORTEST_PX: f32 = 4.0;
/// The minimum length of a drag that draws a bone away from its parent's tail, and the minimum distance of
/// its start from that tail, in pixels.
const DRAWN_PX: f32 = 5.0;
/// The point of a press away from the head of the next bone.
#[derive(Clone, Debug, PartialEq)]
struct DragStart {
    pixel: Vec2,
    point: Vec3,
}

/// The bone or base that follows the pointer, in mesh space, which is world space in the Rig tab.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    pub next: NextClick,
    /// The tail of the bone, or the base.
    pub point: Vec3,
    pub radius: f32,
    pub snapped: Option<SnapHit>,
    /// Whether it is too short to be set.
    pub too_short: bool,
}

/// The state of the tool while it is active.
#[derive(Clone, Debug, PartialEq)]
pub struct NewBone {
    /// The skinned mesh that the tool was started for.
    pub mesh: String,
    /// The history step at which the tool was started; Backspace undoes later steps only.
    pub start_step: u64,
    preview: Option<Preview>,
    press: Option<DragStart>,
    /// The axis that the bone is constrained to while the button is down.
    axis: Option<Axis>,
    /// The typed length.
    length: Option<f32>,
    /// The effect of the next click.
    prompt: String,
}

impl NewBone {
    pub fn new(mesh: String, start_step: u64) -> Self {
        Self {
            mesh,
            start_step,
            preview: None,
            press: None,
            axis: None,
            length: None,
            prompt: "Point at the mesh".into(),
        }
    }

    /// Whether the tool can stay active: it ends when its mesh is deselected or the Rig tab is left.
    pub fn belongs_to(&self, mesh: Option<&str>, tab: Tab) -> bool {
        tab == Tab::Rig && mesh == Some(self.mesh.as_str())
    }

    /// The bone or base that follows the pointer.
    pub fn preview(&self) -> Option<&Preview> {
        self.preview.as_ref()
    }

    /// Handles the pointer leaving the viewport.
    pub fn leave(&mut self, rig: &ActiveRig, selected: Option<Part>) {
        self.preview = None;
        self.prompt = prompt(rig, &next_click(rig, selected));
    }

    /// Handles a press at the aimed point. A drag from there draws a bone with the same parent that starts
    /// there.
    pub fn begin_press(&mut self, viewport: &Viewport, pixel: Vec2) {
        self.press = self.preview.as_ref().and_then(|preview| {
            let NextClick::Bone { start, .. } = preview.next else {
                return None;
            };
            let head = viewport.project(start)?.pixel;
            let point = preview.point;
            (head.distance(pixel) > DRAWN_PX).then_some(DragStart { pixel, point })
        });
    }

    /// Aims at `pixel`. `selected` is the active part, from which the bone starts; `surface` is the skin, if
    /// it is shown.
    ///
    /// The point is in the middle of the first limb under the pointer ([`super::depth`]), or with Shift of the
    /// next one behind it, or on the surface where it has no back. Outside of the mesh it is in the plane through the head that faces the viewer.
    pub fn aim(
        &mut self,
        rig: &ActiveRig,
        selected: Option<Part>,
        surface: Option<&Surface>,
        viewport: &Viewport,
        pixel: Vec2,
        modifiers: Modifiers,
    ) {
        self.leave(rig, selected);
        self.preview = self.preview_at(rig, selected, surface, viewport, pixel, modifiers);
    }

    fn preview_at(
        &self,
        rig: &ActiveRig,
        selected: Option<Part>,
        surface: Option<&Surface>,
        viewport: &Viewport,
        pixel: Vec2,
        modifiers: Modifiers,
    ) -> Option<Preview> {
        if rig.mesh != self.mesh || !pixel.is_finite() {
            return None;
        }
        let mut next = next_click(rig, selected);
        if let NextClick::Bone { start, link_from, .. } = &mut next
            && let Some(press) = self.press.as_ref().filter(|p| p.pixel.distance(pixel) >= DRAWN_PX)
        {
            (*link_from, *start) = (Some(*start), press.point);
        }
        let start = match next {
            NextClick::Base => rig.base(),
            NextClick::Bone { start, .. } => start,
        };
        let ray = viewport.ray(pixel);
        let width = limb_width(rig, &next);
        let limbs = surface.map_or_else(Vec::new, |surface| DepthRange::limbs(surface, &ray, width));
        let behind = limbs.get(1).filter(|_| modifiers.fine);
        let limb = behind.or(limbs.first()).copied();
        let point = match &limb {
            Some(limb) => ray.point_at(limb.middle()),
            None => ray.point_at(ray.intersect_plane(start, viewport.camera.axes()[2])?),
        };
        let origin = match next {
            NextClick::Base | NextClick::Bone { parent: None, .. } => Part::Base,
            NextClick::Bone { parent: Some(bone), .. } => Part::Bone(bone),
        };
        let mut targets = SnapTargets::new(rig, &[origin]);
        // Do not snap to joints of other limbs, in front or behind, nor to a middle where the body is not.
        if let Some(half) = limb.and_then(|limb| limb.half()) {
            targets.retain_near(point, ray.direction, half);
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
            radius: new_bone_radius(rig, &next, surface, limb, viewport, point),
            next,
            point,
            snapped,
            too_short,
        })
    }

    /// The tail on the chosen axis, at the typed length.
    fn constrained(&self, start: Vec3, tip: Vec3) -> Vec3 {
        let free = tip - start;
        let along = self.axis.map_or(free, |axis| axis.unit() * free[axis.index()]);
        match self.length {
            Some(length) => start + along.normalize_or(self.axis.map_or(Vec3::Y, Axis::unit)) * length,
            None => start + along,
        }
    }

    /// Aims at the scene under a pixel; without one, nothing follows the pointer.
    fn follow(&mut self, context: &Context, pixel: Option<Vec2>, modifiers: Modifiers) {
        let pickable = Pickable::from_view(context.view);
        let Some(rig) = &pickable.rig else { return };
        let skin = pickable.surfaces.iter().find(|s| s.target == PickTarget::Skin);
        match pixel {
            Some(pixel) => self.aim(rig, context.part(), skin, context.viewport, pixel, modifiers),
            None => self.leave(rig, context.part()),
        }
    }

    /// The effect of a click: a command, and the part to select if the command does not add one.
    pub fn click_command(&self) -> Option<(Command, Option<Part>)> {
        let preview = self.preview.as_ref().filter(|preview| !preview.too_short)?;
        let mesh = self.mesh.clone();
        Some(match preview.next {
            NextClick::Base => {
                let base = preview.point;
                (Command::set_skeleton(mesh, "base", base), Some(Part::Base))
            }
            NextClick::Bone { parent, start, link_from } => {
                let (extent, radius) = (preview.point - start, preview.radius);
                let add = match link_from {
                    Some(_) => Command::AddLinkedBone { mesh, parent, start, extent, radius },
                    None => Command::AddBone { mesh, parent, extent, radius },
                };
                (add, None)
            }
        })
    }

    /// The length and radius so far, and the snap target of the tail.
    fn readout(&self) -> Option<String> {
        let preview = self.preview.as_ref()?;
        let snapped = preview.snapped.as_ref().map(|to| format!(" · {}", to.text()));
        let snapped = snapped.unwrap_or_default();
        Some(match preview.next {
            NextClick::Base => {
                let [x, y, z] =
                    preview.point.to_array().map(|value| format_number(value, 3).replace('-', "−"));
                format!("{x}, {y}, {z}{snapped}")
            }
            NextClick::Bone { .. } if preview.too_short => "Click where it ends".into(),
            NextClick::Bone { start, .. } => {
                let length = format_number(preview.point.distance(start), 3);
                format!("Length {length}, radius {}{snapped}", format_number(preview.radius, 3))
            }
        })
    }
}

/// Starts the tool for the selected mesh.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let mesh = view.session.selection().mesh.clone()?;
    Some(Box::new(NewBone::new(mesh, view.session.history().step())))
}

impl Tool for NewBone {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        let mut tool = self.clone();
        tool.follow(context, Some(press.pixel), press.modifiers);
        tool.begin_press(context.viewport, press.pixel);
        Grab::new(DrawDrag(tool), Click::Nothing)
    }

    fn hover(&mut self, context: &Context, pixel: Option<Vec2>, modifiers: Modifiers) {
        self.follow(context, pixel, modifiers);
    }

    /// Backspace undoes bones that were set since the tool was started.
    fn key(&mut self, context: &Context, key: DragKey) -> Vec<Request> {
        let set = context.view.session.history().step() > self.start_step;
        match key {
            DragKey::Backspace if set => vec![Request::Act(Action::UNDO)],
            _ => Vec::new(),
        }
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let preview = self.preview.as_ref();
        preview.map_or_else(GizmoShape::default, |preview| preview.shape(context.viewport))
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        let keys = "Ctrl grid · Shift the limb behind, no snapping · Backspace undoes the last · Esc or right click ends";
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

/// A drag whose release sets the bone; a click sets one too.
struct DrawDrag(NewBone);

impl Drag for DrawDrag {
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change {
        self.0.length = input.numbers.number();
        self.0.follow(context, Some(input.pixel()), input.modifiers);
        Change::NONE
    }

    fn release(&mut self, context: &Context, _: Modifiers) -> Vec<Request> {
        let Some((command, part)) = self.0.click_command() else {
            return Vec::new();
        };
        let selection = context.view.session.selection();
        let select = part.map(|part| Request::Select(selection.with_part(Some(part))));
        [Request::Apply(vec![command])].into_iter().chain(select).collect()
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn number_count(&self) -> usize {
        1
    }

    fn toggle_axis(&mut self, axis: Axis, _: &Viewport) {
        self.0.axis = (self.0.axis != Some(axis)).then_some(axis);
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let preview = self.0.preview.as_ref();
        preview.map_or_else(GizmoShape::default, |preview| preview.shape(viewport))
    }

    fn readout(&self, numbers: &NumericInput) -> String {
        if numbers.is_empty() {
            self.0.readout().unwrap_or_default()
        } else {
            format!("Length {}", numbers.text(0))
        }
    }

    fn hint(&self) -> String {
        "Release to set · Type a length · x y z along an axis · Ctrl grid · Shift the limb behind, no snapping · Esc or right click cancels"
            .into()
    }
}

impl Preview {
    /// Returns its axis, the outline of its capsule, its joint, its link and its snap target.
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

/// Returns what the next click sets. A bone starts at the tail of the selected bone or of the selected
/// handle's bone, else at the base. In a skeleton without bones, the base is set first, unless it is
/// selected.
fn next_click(rig: &ActiveRig, selected: Option<Part>) -> NextClick {
    let bone = match selected {
        Some(Part::Bone(bone)) => Some(bone),
        Some(Part::Handle(handle)) => rig.skeleton.handles.get(handle).map(|h| h.bone as usize),
        _ => None,
    };
    let tip = bone.and_then(|bone| Some((bone, rig.bone_tip(bone)?)));
    match tip {
        Some((bone, start)) => NextClick::Bone { parent: Some(bone), start, link_from: None },
        None if rig.skeleton.bones.is_empty() && selected != Some(Part::Base) => NextClick::Base,
        None => NextClick::Bone { parent: None, start: rig.base(), link_from: None },
    }
}

fn prompt(rig: &ActiveRig, next: &NextClick) -> String {
    match *next {
        NextClick::Base => "Click where the skeleton starts".into(),
        NextClick::Bone { parent: None, .. } => {
            "Click to place a tail from the base, or drag a bone elsewhere".into()
        }
        NextClick::Bone { parent: Some(bone), .. } => {
            let name = rig.skeleton.bone_name(bone);
            format!("Click to place a tail from {name}, or drag a bone elsewhere")
        }
    }
}
