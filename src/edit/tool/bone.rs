//! The gizmo of a bone in the Rig tab: arrows at its tip, discs at its start and its middle, a ring to roll it and a knob
//! on its capsule for the radius; and the drag of that knob.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, PrecisionDrag, Role};
use super::move_tool::{MoveDrag, Subject};
use super::numeric::NumericInput;
use super::rings::{ROLL, Rings};
use super::rotate::RingDrag;
use super::target::MoveTarget;
use super::translate::{self, Constraint, PARTS, snap_step};
use super::{Change, Click, Context, Drag, DragInput, Hold, Press, Tool, drag_hint};
use crate::edit::active_rig::ActiveRig;
use crate::edit::command::Command;
use crate::edit::selection::Part;
use crate::edit::view::{GizmoMode, Tab};
use crate::math::axis::Axis;
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};

/// Moves the start of the bone, across the view.
pub const START: GizmoPart = GizmoPart::new(PARTS, Role::Bone, -0.75);
/// Moves both its ends, across the view.
pub const WHOLE: GizmoPart = GizmoPart::new(PARTS + 1, Role::Bone, -0.5);
/// Changes its radius.
pub const RADIUS: GizmoPart = GizmoPart::new(PARTS + 3, Role::Bone, -0.75);

const START_PX: f32 = 7.0;
const WHOLE_PX: f32 = 6.0;
const KNOB_PX: f32 = 5.0;
/// A bone that shows shorter than this, in pixels, offers only its tail and the ring: the rest would lie on them.
const SHORTEST_PX: f32 = 40.0;
/// How far from start to tip the knob of the radius is.
const KNOB_AT: f32 = 0.25;

pub struct BoneEnds;

impl BoneEnds {
    /// The bone, in the Rig tab while bones are moved.
    fn stage<'a>(context: &'a Context) -> Option<(ActiveRig<'a>, usize)> {
        let stage = context.stage().filter(|stage| stage.tab == Tab::Rig)?;
        match context.part() {
            Some(Part::Bone(bone)) if stage.gizmo == GizmoMode::Move => Some((stage, bone)),
            _ => None,
        }
    }
}

impl Tool for BoneEnds {
    fn shape(&self, context: &Context) -> GizmoShape {
        let shape = Self::stage(context).and_then(|(stage, bone)| shape(&stage, bone, context.viewport));
        shape.unwrap_or_default()
    }

    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold> {
        let part = press.part?;
        let (stage, bone) = Self::stage(context)?;
        if part == ROLL {
            let roll = Rings::of_roll(&stage, bone)?;
            return Hold::new(
                RingDrag::new(roll, Axis::Y, context.viewport, press.at)?,
                Click::Through,
            );
        }
        if part == RADIUS {
            let knob = Knob::new(&stage, bone)?;
            return Hold::new(RadiusDrag::new(knob, context.viewport, press.at)?, Click::Through);
        }
        let (target, constraint) = match Constraint::of_part(part) {
            Some(constraint) => {
                let tip = MoveTarget::from_part(&stage, Part::Bone(bone))?;
                (tip.with_tips(&stage, &context.bones_together()), constraint)
            }
            None if part == START => (MoveTarget::of_start(&stage, bone)?, Constraint::View),
            None => (MoveTarget::of_whole(&stage, bone)?, Constraint::View),
        };
        let subject = Subject::part(context, target);
        Hold::new(
            MoveDrag::new(context, subject, constraint, press.at)?,
            Click::Through,
        )
    }

    fn hint(&self, part: Option<GizmoPart>) -> String {
        let Some(part) = part else {
            return String::new();
        };
        let what = match part {
            START => "move the head of the bone · Ctrl snaps",
            WHOLE => "move the bone with both its ends · Ctrl snaps",
            ROLL => "roll the bone about itself · Ctrl snaps to 15°",
            RADIUS => "make the bone thicker or thinner · Ctrl snaps",
            _ => return translate::hint(part),
        };
        format!("Drag to {what} · Shift fine")
    }
}

fn shape(stage: &ActiveRig, bone: usize, viewport: &Viewport) -> Option<GizmoShape> {
    let tip = MoveTarget::from_part(stage, Part::Bone(bone))?;
    let (start, whole) = (
        MoveTarget::of_start(stage, bone)?,
        MoveTarget::of_whole(stage, bone)?,
    );
    let (roll, knob) = (Rings::of_roll(stage, bone)?, Knob::new(stage, bone)?);
    let mut shape = translate::shape_along(&tip.axes, tip.origin, viewport, None);
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

/// What the radius of a bone is dragged by: a point on its capsule, at the side that the viewer sees.
#[derive(Clone, Debug, PartialEq)]
struct Knob {
    mesh: String,
    bone: usize,
    /// Skeleton units.
    radius: f32,
    /// On the bone's axis, world space.
    center: Vec3,
    /// Along the bone, world space, unit length or zero.
    along: Vec3,
    /// World length of a skeleton length.
    scale: f32,
}

impl Knob {
    fn new(stage: &ActiveRig, bone: usize) -> Option<Self> {
        let (start, tip) = (stage.bone_start(bone)?, stage.bone_tip(bone)?);
        let radius = stage.skeleton.bones.get(bone)?.radius;
        let (center, scale) = (start.lerp(tip, KNOB_AT), stage.scale());
        let usable = center.is_finite() && radius.is_finite() && scale > 0.0;
        usable.then(|| Self {
            mesh: stage.mesh.to_owned(),
            bone,
            radius,
            center,
            along: (tip - start).normalize_or_zero(),
            scale,
        })
    }

    /// Unit, across the bone and the line of sight.
    fn side(&self, viewport: &Viewport) -> Vec3 {
        let [right, _, back] = viewport.camera.axes();
        self.along.cross(back).normalize_or(right)
    }

    /// The knob, with the line to it from the axis, for a radius.
    fn draw(&self, shape: &mut GizmoShape, viewport: &Viewport, radius: f32) {
        let at = self.center + self.side(viewport) * radius * self.scale;
        if viewport.project(self.center).is_some() {
            shape.line(RADIUS, GizmoStyle::Guide, vec![self.center, at]);
            shape.disc(RADIUS, at, KNOB_PX, viewport);
        }
    }
}

/// A drag of the knob, out or in.
#[derive(Clone, Debug)]
struct RadiusDrag {
    knob: Knob,
    side: Vec3,
    /// Where along the side the pointer took hold.
    grabbed: f32,
    raw: f32,
    fine: PrecisionDrag<f32>,
    radius: f32,
}

impl RadiusDrag {
    /// `None` where the side points at the viewer.
    fn new(knob: Knob, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        let side = knob.side(viewport);
        let (_, grabbed) = viewport.ray(pixel).nearest_to_line(knob.center, side)?;
        Some(Self {
            side,
            grabbed,
            raw: 0.0,
            fine: PrecisionDrag::default(),
            radius: knob.radius,
            knob,
        })
    }
}

impl Drag for RadiusDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        let ray = input.viewport.ray(input.at());
        if let Some((_, along)) = ray.nearest_to_line(self.knob.center, self.side) {
            self.raw = (along - self.grabbed) / self.knob.scale;
        }
        let radius = self.knob.radius + self.fine.total(self.raw, input.modifiers.fine);
        let step = snap_step(input.viewport.world_per_pixel(self.knob.center)) / self.knob.scale;
        let radius = input.settled(radius, step);
        if radius.is_finite() {
            self.radius = radius.max(0.0);
        }
        Change::Commands(vec![Command::SetRadius {
            mesh: self.knob.mesh.clone(),
            bone: self.knob.bone,
            radius: self.radius,
        }])
    }

    fn numbers(&self) -> usize {
        1
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        self.knob.draw(&mut shape, viewport, self.radius);
        shape
    }

    /// Such as `Radius 0.25`.
    fn readout(&self, numbers: &NumericInput) -> String {
        format!("Radius {}", numbers.shown_or(self.radius, 4))
    }

    fn hint(&self) -> String {
        drag_hint("Ctrl snaps · Shift fine")
    }
}
