//! The gizmo of a bone in the Rig tab: arrows at its tail, discs at its head and its middle, a ring to roll
//! it, and a knob on its capsule that changes the radius; and the drag of that knob.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, PrecisionDrag, Role};
use super::move_drag::{MoveDrag, Subject};
use super::numeric::NumericInput;
use super::rings::{ROLL, Rings};
use super::rotate::RingDrag;
use super::target::MoveTarget;
use super::translate::{self, Constraint, PARTS, snap_step};
use super::{Change, Click, Context, Drag, DragInput, Grab, Press, Tool, drag_hint};
use crate::edit::command::Command;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{GizmoMode, Tab};
use crate::math::axis::Axis;
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};

/// Moves the head of the bone across the view.
pub const START: GizmoPart = GizmoPart::new(PARTS, Role::Bone, -0.75);
/// Moves both ends of the bone across the view.
pub const WHOLE: GizmoPart = GizmoPart::new(PARTS + 1, Role::Bone, -0.5);
/// Changes the radius of the bone.
pub const RADIUS: GizmoPart = GizmoPart::new(PARTS + 3, Role::Bone, -0.75);

const START_PX: f32 = 7.0;
const WHOLE_PX: f32 = 6.0;
const KNOB_PX: f32 = 5.0;
/// A bone that appears shorter than this, in pixels, offers only its tail and the ring; the other parts would
/// overlap them.
const SHORTEST_PX: f32 = 40.0;
/// The position of the radius knob, as a fraction of the way from head to tail.
const KNOB_AT: f32 = 0.25;

pub struct BoneEnds;

impl BoneEnds {
    /// Returns the bone to edit, in the Rig tab in move mode.
    fn selected<'a>(context: &'a Context) -> Option<(ActiveRig<'a>, usize)> {
        let rig = context.rig().filter(|rig| rig.tab == Tab::Rig)?;
        match context.part() {
            Some(Part::Bone(bone)) if rig.gizmo == GizmoMode::Move => Some((rig, bone)),
            _ => None,
        }
    }
}

impl Tool for BoneEnds {
    fn shape(&self, context: &Context) -> GizmoShape {
        let shape = Self::selected(context).and_then(|(rig, bone)| shape(&rig, bone, context.viewport));
        shape.unwrap_or_default()
    }

    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        let part = press.part?;
        let (rig, bone) = Self::selected(context)?;
        if part == ROLL {
            let roll = Rings::for_roll(&rig, bone)?;
            return Grab::new(RingDrag::new(roll, Axis::Y, context.viewport, press.pixel)?, Click::Through);
        }
        if part == RADIUS {
            let knob = Knob::new(&rig, bone)?;
            return Grab::new(RadiusDrag::new(knob, context.viewport, press.pixel)?, Click::Through);
        }
        let (target, constraint) = match Constraint::from_part(part) {
            Some(constraint) => {
                let tip = MoveTarget::from_part(&rig, Part::Bone(bone))?;
                (tip.with_tips(&rig, &context.bone_group()), constraint)
            }
            None if part == START => (MoveTarget::for_start(&rig, bone)?, Constraint::View),
            None => (MoveTarget::for_whole(&rig, bone)?, Constraint::View),
        };
        let subject = Subject::part(context, target);
        Grab::new(MoveDrag::new(context, subject, constraint, press.pixel)?, Click::Through)
    }

    fn hint(&self, part: Option<GizmoPart>) -> String {
        let Some(part) = part else {
            return String::new();
        };
        let action = match part {
            START => "move the head of the bone · Ctrl snaps",
            WHOLE => "move the bone with both its ends · Ctrl snaps",
            ROLL => "roll the bone about itself · Ctrl snaps to 15°",
            RADIUS => "make the bone thicker or thinner · Ctrl snaps",
            _ => return translate::hint(part),
        };
        format!("Drag to {action} · Shift fine")
    }
}

fn shape(rig: &ActiveRig, bone: usize, viewport: &Viewport) -> Option<GizmoShape> {
    let tip = MoveTarget::from_part(rig, Part::Bone(bone))?;
    let (start, whole) = (MoveTarget::for_start(rig, bone)?, MoveTarget::for_whole(rig, bone)?);
    let (roll, knob) = (Rings::for_roll(rig, bone)?, Knob::new(rig, bone)?);
    let mut shape = translate::gizmo_shape(&tip.axes, tip.origin, viewport, None);
    let ends = [start.origin, tip.origin].map(|end| viewport.project(end));
    if let [Some(from), Some(to)] = ends {
        shape.lines.extend(roll.shape(viewport).lines);
        if from.pixel.distance(to.pixel) >= SHORTEST_PX {
            shape.disc(START, start.origin, START_PX, viewport);
            shape.disc(WHOLE, whole.origin, WHOLE_PX, viewport);
            knob.draw(&mut shape, viewport, knob.radius);
        }
    }
    Some(shape)
}

/// The knob that changes the radius of a bone: a point on the outline of its capsule as the viewer sees it.
#[derive(Clone, Debug, PartialEq)]
struct Knob {
    mesh: String,
    bone: usize,
    /// Skeleton units.
    radius: f32,
    /// A point on the bone's axis, world space.
    center: Vec3,
    /// The direction of the bone, world space, unit length or zero.
    along: Vec3,
    /// World length of a unit of skeleton space.
    scale: f32,
}

impl Knob {
    fn new(rig: &ActiveRig, bone: usize) -> Option<Self> {
        let (start, tip) = (rig.bone_start(bone)?, rig.bone_tip(bone)?);
        let radius = rig.skeleton.bones.get(bone)?.radius;
        let (center, scale) = (start.lerp(tip, KNOB_AT), rig.scale());
        let usable = center.is_finite() && radius.is_finite() && scale > 0.0;
        usable.then(|| Self {
            mesh: rig.mesh.to_owned(),
            bone,
            radius,
            center,
            along: (tip - start).normalize_or_zero(),
            scale,
        })
    }

    /// The unit vector perpendicular to the bone and the line of sight.
    fn side(&self, viewport: &Viewport) -> Vec3 {
        let [right, _, back] = viewport.camera.axes();
        self.along.cross(back).normalize_or(right)
    }

    /// Draws the knob at a radius, with a line to it from the axis.
    fn draw(&self, shape: &mut GizmoShape, viewport: &Viewport, radius: f32) {
        let position = self.center + self.side(viewport) * radius * self.scale;
        if viewport.project(self.center).is_some() {
            shape.line(RADIUS, GizmoStyle::Guide, vec![self.center, position]);
            shape.disc(RADIUS, position, KNOB_PX, viewport);
        }
    }
}

/// A drag of the knob, outwards or inwards.
#[derive(Clone, Debug)]
struct RadiusDrag {
    knob: Knob,
    side: Vec3,
    /// The grabbed position along `side`.
    grabbed: f32,
    raw: f32,
    fine: PrecisionDrag<f32>,
    radius: f32,
}

impl RadiusDrag {
    /// Returns `None` if the side points at the viewer.
    fn new(knob: Knob, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        let side = knob.side(viewport);
        let (_, grabbed) = viewport.ray(pixel).nearest_to_line(knob.center, side)?;
        Some(Self { side, grabbed, raw: 0.0, fine: PrecisionDrag::default(), radius: knob.radius, knob })
    }
}

impl Drag for RadiusDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        let ray = input.viewport.ray(input.pixel());
        if let Some((_, along)) = ray.nearest_to_line(self.knob.center, self.side) {
            self.raw = (along - self.grabbed) / self.knob.scale;
        }
        let radius = self.knob.radius + self.fine.total(self.raw, input.modifiers.fine);
        let step = snap_step(input.viewport.world_per_pixel(self.knob.center)) / self.knob.scale;
        let radius = input.typed_or_snapped(radius, step);
        if radius.is_finite() {
            self.radius = radius.max(0.0);
        }
        Change::Commands(vec![Command::set_bone(
            self.knob.mesh.clone(),
            self.knob.bone,
            "radius",
            self.radius,
        )])
    }

    fn number_count(&self) -> usize {
        1
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        self.knob.draw(&mut shape, viewport, self.radius);
        shape
    }

    /// The radius, such as `Radius 0.25`.
    fn readout(&self, numbers: &NumericInput) -> String {
        format!("Radius {}", numbers.text_or(self.radius, 4))
    }

    fn hint(&self) -> String {
        drag_hint("Ctrl snaps · Shift fine")
    }
}
