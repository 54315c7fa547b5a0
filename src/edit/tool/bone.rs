//! The gizmo of a bone in the Rig tab: arrows at its tip, discs at its start and its middle, a ring to roll
//! it and a knob on its capsule for the radius; and the drag of that knob. Knows nothing of drawing.

use super::gizmo::{Fine, GizmoPart, GizmoShape, Modifiers, Paint, short};
use super::rings::Rings;
use super::target::MoveTarget;
use super::translate;
use super::translate::snap_step;
use super::typed::{DragKey, Typed};
use crate::edit::command::Command;
use crate::edit::selection::Part;
use crate::edit::stage::Stage;
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

const START_PX: f32 = 7.0;
const WHOLE_PX: f32 = 6.0;
const KNOB_PX: f32 = 5.0;
/// Of a bone that shows shorter than this, in pixels, only the tip and the ring are offered: the rest would
/// lie on them.
const SHORTEST_PX: f32 = 40.0;
/// How far from start to tip the knob of the radius is.
const KNOB_AT: f32 = 0.25;

/// What can be done to the active bone with the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneGizmo {
    pub tip: MoveTarget,
    pub start: MoveTarget,
    pub whole: MoveTarget,
    pub roll: Rings,
    pub radius: Knob,
}

impl BoneGizmo {
    /// In the Rig tab. `None` for no such bone, and for one that is not finite.
    pub fn of(stage: &Stage, bone: usize) -> Option<Self> {
        Some(Self {
            tip: MoveTarget::of(stage, Part::Bone(bone))?,
            start: MoveTarget::of_start(stage, bone)?,
            whole: MoveTarget::of_whole(stage, bone)?,
            roll: Rings::of_roll(stage, bone)?,
            radius: Knob::of(stage, bone)?,
        })
    }

    pub fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = translate::shape_along(&self.tip.axes, self.tip.origin, viewport, None);
        let ends = [self.start.origin, self.tip.origin].map(|end| viewport.project(end));
        let [Some(start), Some(tip)] = ends else {
            return shape;
        };
        let roll = self.roll.shape(viewport);
        shape.lines.extend(roll.lines);
        if start.pixel.distance(tip.pixel) >= SHORTEST_PX {
            disc(
                &mut shape,
                GizmoPart::Start,
                self.start.origin,
                START_PX,
                viewport,
            );
            disc(
                &mut shape,
                GizmoPart::Whole,
                self.whole.origin,
                WHOLE_PX,
                viewport,
            );
            self.radius.add_to(&mut shape, viewport, self.radius.radius);
        }
        shape
    }
}

/// A disc of constant size that faces the viewer.
pub(super) fn disc(shape: &mut GizmoShape, part: GizmoPart, at: Vec3, size_px: f32, viewport: &Viewport) {
    if viewport.project(at).is_none() {
        return;
    }
    let [right, up, _] = viewport.camera.axes();
    let radius = size_px * viewport.world_per_pixel(at);
    let around = |i: i32| {
        let (sin, cos) = (TAU * i as f32 / 20.0).sin_cos();
        at + (right * cos + up * sin) * radius
    };
    shape.face(part, Paint::Plain, (0..20).map(around).collect());
    shape.line(part, Paint::Plain, (0..=20).map(around).collect());
}

/// What the radius of a bone is dragged by: a point on its capsule, at the side that the viewer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
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
    fn of(stage: &Stage, bone: usize) -> Option<Self> {
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
    fn add_to(&self, shape: &mut GizmoShape, viewport: &Viewport, radius: f32) {
        let at = self.center + self.side(viewport) * radius * self.scale;
        if viewport.project(self.center).is_some() {
            shape.line(GizmoPart::Radius, Paint::Guide, vec![self.center, at]);
            disc(shape, GizmoPart::Radius, at, KNOB_PX, viewport);
        }
    }
}

/// A drag of the knob, out or in.
#[derive(Clone, Debug)]
pub struct RadiusDrag {
    knob: Knob,
    side: Vec3,
    /// Where along the side the pointer took hold.
    grabbed: f32,
    raw: f32,
    fine: Fine<f32>,
    typed: Typed,
    radius: f32,
}

impl RadiusDrag {
    /// `None` where the side points at the viewer.
    pub fn new(knob: &Knob, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        let side = knob.side(viewport);
        let (_, grabbed) = viewport.ray(pixel).nearest_to_line(knob.center, side)?;
        Some(Self {
            knob: knob.clone(),
            side,
            grabbed,
            raw: 0.0,
            fine: Fine::default(),
            typed: Typed::new(1),
            radius: knob.radius,
        })
    }

    /// The whole change since the press, with the pointer at `pixel`.
    pub fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec<Command> {
        if let Some((_, along)) = viewport.ray(pixel).nearest_to_line(self.knob.center, self.side) {
            self.raw = (along - self.grabbed) / self.knob.scale;
        }
        let mut radius = self.knob.radius + self.fine.total(self.raw, modifiers.fine);
        if !self.typed.is_empty() {
            radius = self.typed.value(0);
        } else if modifiers.snap {
            let step = snap_step(viewport.world_per_pixel(self.knob.center)) / self.knob.scale;
            let step = if modifiers.fine { step * 0.1 } else { step };
            radius = (radius / step).round() * step;
        }
        if radius.is_finite() {
            self.radius = radius.max(0.0);
        }
        vec![Command::SetRadius {
            mesh: self.knob.mesh.clone(),
            bone: self.knob.bone,
            radius: self.radius,
        }]
    }

    /// A key was pressed: digits are the radius.
    pub fn key(&mut self, key: DragKey) {
        self.typed.press(key);
    }

    pub fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        self.knob.add_to(&mut shape, viewport, self.radius);
        shape
    }

    /// Such as `Radius 0.25`.
    pub fn readout(&self) -> String {
        match self.typed.is_empty() {
            true => format!("Radius {}", short(self.radius, 4)),
            false => format!("Radius {}", self.typed.shown(0)),
        }
    }
}
