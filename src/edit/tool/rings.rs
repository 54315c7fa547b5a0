//! Rotating: rings for a bone in a pose, for a bone in the bind pose, for an instance; and the ring that rolls a bone.
//!
//! Angles are measured in *ring space*, where a ring is a circle: the space of the skeleton, or of the parent of an
//! instance. So a ring follows the pointer where that is mirrored or unevenly scaled too.

use super::bone::ROLL;
use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, PrecisionDrag, SIZE_PX, arc, short};
use super::numeric::NumericInput;
use super::placement::Placement;
use super::{Change, Click, Context, Drag, DragInput, Hold, Press, Tool, drag_hint};
use crate::edit::command::Command;
use crate::edit::selection::Part;
use crate::edit::stage::Stage;
use crate::edit::view::{Axes, GizmoMode, Tab};
use crate::math::camera::Viewport;
use crate::rig::kinematics::{pose_axes, rotation_axes};
use glam::{DVec3, Mat3, Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// Of the rings of a bone about x, y, z, so that they do not cover each other; 1 is [`SIZE_PX`].
const RADII: [f32; 3] = [0.8, 0.9, 1.0];
/// A ring that is less open than this (the cosine of its normal to the line of sight) is dragged along the screen.
const EDGE_ON: f32 = 0.2;
/// Of the ring that rolls a bone.
const ROLL_RADIUS: f32 = 0.5;
const SNAP_DEG: f32 = 15.0;
const SEGMENTS: usize = 96;

/// Rotates about an axis.
pub fn ring(axis: Axis) -> GizmoPart {
    GizmoPart::of_axis(0, axis, 0.0)
}

pub struct Rotate;

impl Rotate {
    fn rings(context: &Context) -> Option<Rings> {
        let settings = context.view.settings;
        match (context.part(), settings.tab) {
            (Some(Part::Bone(bone)), Tab::Animate) => Rings::of_pose(&context.stage()?, bone),
            _ if settings.gizmo != GizmoMode::Rotate => None,
            (Some(Part::Bone(bone)), Tab::Rig) => {
                Rings::of_bind(&context.stage()?, bone, context.bones_together())
            }
            (Some(_), _) => None,
            (None, _) => Rings::of_placement(Placement::of(context.view)?, settings.axes),
        }
    }
}

impl Tool for Rotate {
    fn shape(&self, context: &Context) -> GizmoShape {
        Self::rings(context).map_or_else(GizmoShape::default, |rings| rings.shape(context.viewport))
    }

    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold> {
        let axis = press.part?.axis(0)?;
        let drag = RingDrag::new(Self::rings(context)?, axis, context.viewport, press.at)?;
        Hold::new(drag, Click::Through)
    }

    fn hint(&self, part: Option<GizmoPart>) -> String {
        let axis = part.and_then(|part| part.axis(0)).map_or("", Axis::name);
        format!("Drag to rotate about {axis} · Ctrl snaps to 15° · Shift fine")
    }
}

/// What a ring changes.
#[derive(Clone, Debug)]
enum Subject {
    /// An Euler angle of a pose: exactly this one (gimbal rings).
    Pose {
        mesh: String,
        bone: usize,
        pose_deg: Vec3,
    },
    Roll {
        mesh: String,
        bone: usize,
        roll_deg: f32,
    },
    /// Bones in the bind pose, with their descendants.
    Bind { mesh: String, bones: Vec<usize> },
    /// About these axes of ring space.
    Placed(Box<Placement>, [DVec3; 3]),
}

/// Three rings around the head of a bone or the origin of an instance; or one around the middle of a bone.
#[derive(Clone, Debug)]
pub struct Rings {
    subject: Subject,
    /// World space.
    origin: Vec3,
    world_from_ring: Mat3,
    /// From the origin.
    ring_from_world: Mat4,
    /// Unit, ring space.
    axes: [Vec3; 3],
    /// World length of a length of ring space, averaged over directions.
    scale: f32,
}

impl Rings {
    fn new(subject: Subject, origin: Vec3, world_from_ring: Mat3, axes: [Vec3; 3]) -> Option<Self> {
        let inverse = Mat4::from_mat3(world_from_ring.inverse());
        let scale = world_from_ring.determinant().abs().cbrt();
        let usable = scale > 0.0
            && inverse.is_finite()
            && origin.is_finite()
            && axes.iter().all(|axis| axis.is_finite());
        usable.then(|| Self {
            subject,
            origin,
            world_from_ring,
            ring_from_world: inverse * Mat4::from_translation(-origin),
            axes,
            scale,
        })
    }

    /// About the axes that the Euler angles of a bone turn it about. `None` for no such bone, and for instances that are
    /// flat or not finite.
    pub fn of_pose(stage: &Stage, bone: usize) -> Option<Self> {
        let pose_deg = stage.skeleton.bones.get(bone)?.pose_deg;
        if stage.skeleton_from_bone.len() != stage.skeleton.bones.len() {
            return None;
        }
        let mesh = stage.mesh.to_owned();
        let axes = pose_axes(stage.skeleton, stage.skeleton_from_bone, bone);
        let subject = Subject::Pose { mesh, bone, pose_deg };
        let world_from_skeleton = Mat3::from_mat4(stage.world_from_skeleton);
        let axes = axes.map(|axis| axis.as_vec3());
        Self::new(subject, stage.bone_start(bone)?, world_from_skeleton, axes)
    }

    /// The ring that rolls a bone, around its middle in the bind pose.
    pub fn of_roll(stage: &Stage, bone: usize) -> Option<Self> {
        let this = stage.skeleton.bones.get(bone)?;
        let (mesh, roll_deg) = (stage.mesh.to_owned(), this.roll_deg);
        let middle = stage.bone_start(bone)?.midpoint(stage.bone_tip(bone)?);
        let axes = rotation_axes(this).map(|axis| axis.as_vec3());
        let world_from_skeleton = Mat3::from_mat4(stage.world_from_skeleton);
        let subject = Subject::Roll { mesh, bone, roll_deg };
        Self::new(subject, middle, world_from_skeleton, axes).filter(|_| roll_deg.is_finite())
    }

    /// About the axes that are chosen, in the bind pose: a bone, or all of `together`.
    pub fn of_bind(stage: &Stage, bone: usize, together: Vec<usize>) -> Option<Self> {
        let world_from_skeleton = Mat3::from_mat4(stage.world_from_skeleton);
        let skeleton_from_world = world_from_skeleton.inverse();
        let axes = stage.axes_of(Part::Bone(bone));
        let axes = axes.map(|axis| (skeleton_from_world * axis).normalize_or_zero());
        let mesh = stage.mesh.to_owned();
        let bones = match together.is_empty() {
            true => vec![bone],
            false => together,
        };
        let subject = Subject::Bind { mesh, bones };
        Self::new(subject, stage.bone_start(bone)?, world_from_skeleton, axes)
    }

    pub fn of_placement(placement: Placement, axes: Axes) -> Option<Self> {
        let (world_from_ring, axes) = placement.ring_frame(axes);
        let origin = placement.origin();
        let unit = axes.map(|axis| axis.as_vec3());
        Self::new(
            Subject::Placed(Box::new(placement), axes),
            origin,
            world_from_ring.as_mat3(),
            unit,
        )
    }

    fn part(&self, axis: Axis) -> GizmoPart {
        match self.subject {
            Subject::Roll { .. } => ROLL,
            _ => ring(axis),
        }
    }

    /// World space.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Ring lines; the half that turns away from the camera is faint.
    pub fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let axes: &[Axis] = match self.subject {
            Subject::Roll { .. } => &[Axis::Y],
            _ => &Axis::ALL,
        };
        for axis in axes {
            self.draw_ring(&mut shape, viewport, *axis);
        }
        shape
    }

    fn draw_ring(&self, shape: &mut GizmoShape, viewport: &Viewport, axis: Axis) {
        if viewport.project(self.origin).is_none() {
            return;
        }
        let radius = self.radius(viewport, axis);
        let toward = viewport.towards_camera(self.origin);
        let points: Vec<Vec3> = self.arc(axis, radius, 0.0, TAU, SEGMENTS).collect();
        // A ring seen from the front faces the camera all around.
        let slack = 0.05 * radius * self.scale;
        let faces = |p: &Vec3| (*p - self.origin).dot(toward) >= -slack;
        let mut start = 0;
        for i in 1..points.len() {
            let front = faces(&points[i - 1]);
            if i + 1 == points.len() || faces(&points[i]) != front {
                let style = if front {
                    GizmoStyle::Plain
                } else {
                    GizmoStyle::Faint
                };
                shape.line(self.part(axis), style, points[start..=i].to_vec());
                start = i;
            }
        }
    }

    /// Two unit vectors of the ring's plane, ring space: angles grow from the first to the second.
    fn basis(&self, axis: Axis) -> [Vec3; 2] {
        let around = self.axes[axis.index()];
        let first = around.any_orthonormal_vector();
        [first, around.cross(first)]
    }

    /// Points of a ring in world space: `sweep` radians from `start` on, with a radius in units of ring space.
    fn arc(
        &self,
        axis: Axis,
        radius: f32,
        start: f32,
        sweep: f32,
        segments: usize,
    ) -> impl Iterator<Item = Vec3> + use<> {
        let [u, v] = self.basis(axis);
        let (sin, cos) = start.sin_cos();
        let [first, second] = [u * cos + v * sin, v * cos - u * sin];
        let to_world = |side: Vec3| self.world_from_ring * (side * radius);
        arc(self.origin, to_world(first), to_world(second), sweep, segments)
    }

    /// Units of ring space.
    fn radius(&self, viewport: &Viewport, axis: Axis) -> f32 {
        let size = match self.subject {
            Subject::Pose { .. } | Subject::Bind { .. } => RADII[axis.index()],
            Subject::Roll { .. } => ROLL_RADIUS,
            Subject::Placed(..) => 1.0,
        };
        SIZE_PX * size * viewport.world_per_pixel(self.origin) / self.scale
    }

    /// How far it is from being seen edge-on: the cosine between its normal and the line of sight.
    fn openness(&self, viewport: &Viewport, axis: Axis) -> f32 {
        let [u, v] = self.basis(axis).map(|side| self.world_from_ring * side);
        let normal = u.cross(v).normalize_or_zero();
        normal.dot(viewport.towards_camera(self.origin)).abs()
    }

    /// Where it is nearest to the camera: how it turns there along the screen, pixels per radian.
    fn front_velocity(&self, viewport: &Viewport, axis: Axis) -> Option<Vec2> {
        const STEP: f32 = 0.01;
        let toward = viewport.towards_camera(self.origin);
        let [x, y] = self
            .basis(axis)
            .map(|side| (self.world_from_ring * side).dot(toward));
        // Of a ring so small that all of it is equally far away, made as large.
        let radius = STEP * self.radius(viewport, axis);
        let pixel = |angle| {
            let point = self.arc(axis, radius, angle, 0.0, 1).next()?;
            Some(viewport.project(point)?.pixel)
        };
        let front = y.atan2(x);
        let velocity = (pixel(front + FRAC_PI_2)? - pixel(front - FRAC_PI_2)?) / (2.0 * STEP);
        (velocity.is_finite() && velocity.length_squared() > 1e-6).then_some(velocity)
    }

    /// Angle of the ring's plane under the pointer, radians; `None` near the centre and past the horizon.
    fn angle_under(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> Option<f32> {
        let ray = viewport.ray(pixel).transformed(&self.ring_from_world);
        let offset = ray.at(ray.plane(Vec3::ZERO, self.axes[axis.index()])?);
        let [u, v] = self.basis(axis);
        let (x, y) = (offset.dot(u), offset.dot(v));
        let length = x.hypot(y);
        (length.is_finite() && length > 0.05 * self.radius(viewport, axis)).then(|| y.atan2(x))
    }

    /// Angle of the ring's point nearest to the pointer on the screen, the front half first.
    fn nearest_angle(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> f32 {
        let toward = viewport.towards_camera(self.origin);
        let distance = |p: Vec3| {
            let behind = (p - self.origin).dot(toward) < 0.0;
            let shown = viewport.project(p);
            let pixels = shown.map_or(f32::INFINITY, |shown| shown.pixel.distance(pixel));
            if behind { pixels + SIZE_PX } else { pixels }
        };
        let points = self.arc(axis, self.radius(viewport, axis), 0.0, TAU, SEGMENTS);
        let nearest = points
            .map(distance)
            .enumerate()
            .min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0.0, |(i, _)| TAU * i as f32 / SEGMENTS as f32)
    }
}

/// How the pointer turns the ring.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Motion {
    /// The point of the ring's plane under the pointer follows it. Last angle under the pointer, radians.
    Plane { last: f32 },
    /// Edge-on: along the screen, pixels per radian.
    Screen { velocity: Vec2 },
}

/// A drag of one ring. The rings stay those of the press; angles count on past 180 degrees.
#[derive(Clone, Debug)]
pub struct RingDrag {
    rings: Rings,
    axis: Axis,
    motion: Motion,
    press: Vec2,
    /// Where on the ring it was taken, radians: where the swept angle is drawn from.
    grabbed: f32,
    /// Turned since the press, before slowing and snapping, degrees.
    raw_deg: f32,
    fine: PrecisionDrag<f32>,
    turned_deg: f32,
}

impl RingDrag {
    /// `None` where the ring cannot be seen.
    pub fn new(rings: Rings, axis: Axis, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        viewport.project(rings.origin)?;
        let open = rings.openness(viewport, axis) >= EDGE_ON;
        let (motion, grabbed) = match rings.angle_under(viewport, axis, pixel).filter(|_| open) {
            Some(last) => (Motion::Plane { last }, last),
            None => {
                let velocity = rings.front_velocity(viewport, axis)?;
                let grabbed = rings.nearest_angle(viewport, axis, pixel);
                (Motion::Screen { velocity }, grabbed)
            }
        };
        Some(Self {
            rings,
            axis,
            motion,
            press: pixel,
            grabbed,
            raw_deg: 0.0,
            fine: PrecisionDrag::default(),
            turned_deg: 0.0,
        })
    }

    /// The whole change since the press.
    pub fn commands(&mut self, input: &DragInput) -> Vec<Command> {
        // All of the way, so that a fast pointer goes around the ring as it did.
        for sample in input.path {
            self.turn(input.viewport, sample.at);
        }
        let turned = self.fine.total(self.raw_deg, input.modifiers.fine);
        self.turned_deg = input.settled(turned, SNAP_DEG);
        vec![match self.rings.subject.clone() {
            Subject::Pose { mesh, bone, pose_deg } => Command::SetPose {
                mesh,
                bone,
                pose_deg: pose_deg + self.axis.unit() * self.turned_deg,
            },
            Subject::Roll { mesh, bone, roll_deg } => Command::SetRoll {
                mesh,
                bone,
                roll_deg: self.rolled(roll_deg),
            },
            Subject::Bind { mesh, bones } => {
                let about = self.rings.axes[self.axis.index()];
                let rotation = Quat::from_axis_angle(about, self.turned_deg.to_radians());
                Command::RotateBones {
                    mesh,
                    bones,
                    rotation,
                }
            }
            Subject::Placed(placement, axes) => {
                let angle = f64::from(self.turned_deg).to_radians();
                return placement.turned(axes[self.axis.index()], angle);
            }
        }]
    }

    fn turn(&mut self, viewport: &Viewport, pixel: Vec2) {
        match &mut self.motion {
            Motion::Plane { last } => {
                if let Some(angle) = self.rings.angle_under(viewport, self.axis, pixel) {
                    // The nearer way around: increments add up past half a turn.
                    let step = (angle - *last + PI).rem_euclid(TAU) - PI;
                    *last = angle;
                    self.raw_deg += step.to_degrees();
                }
            }
            Motion::Screen { velocity } => {
                let radians = (pixel - self.press).dot(*velocity) / velocity.length_squared();
                if radians.is_finite() {
                    self.raw_deg = radians.to_degrees();
                }
            }
        }
    }

    /// A roll is the same after a whole turn.
    fn rolled(&self, roll_deg: f32) -> f32 {
        match self.turned_deg == 0.0 {
            true => roll_deg,
            false => (roll_deg + self.turned_deg + 180.0).rem_euclid(360.0) - 180.0,
        }
    }
}

impl Drag for RingDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        Change::Commands(self.commands(input))
    }

    fn numbers(&self) -> usize {
        1
    }

    /// The ring that is dragged and the angle it swept.
    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let rings = &self.rings;
        if viewport.project(rings.origin).is_none() {
            return shape;
        }
        let sweep = self.turned_deg.clamp(-360.0, 360.0).to_radians();
        let slices = (sweep.abs() / (TAU / SEGMENTS as f32)).ceil() as usize;
        let radius = rings.radius(viewport, self.axis);
        let swept = rings.arc(self.axis, radius, self.grabbed, sweep, slices.max(1));
        let swept: Vec<Vec3> = swept.collect();
        let part = rings.part(self.axis);
        if slices > 0 {
            for edge in swept.windows(2) {
                shape.face(part, GizmoStyle::Guide, vec![rings.origin, edge[0], edge[1]]);
            }
        }
        let sides = vec![swept[0], rings.origin, swept[swept.len() - 1]];
        shape.line(part, GizmoStyle::Guide, sides);
        rings.draw_ring(&mut shape, viewport, self.axis);
        shape
    }

    /// The angle and how far it was turned, such as `x 57.5° (+12.5°)`; or that alone.
    fn readout(&self, numbers: &NumericInput) -> String {
        let turned = numbers.shown_or(self.turned_deg, 1);
        let sign = match turned.starts_with('−') || turned == "0" {
            true => "",
            false => "+",
        };
        let (name, angle) = match &self.rings.subject {
            Subject::Bind { .. } | Subject::Placed(..) => {
                return format!("{} {sign}{turned}°", self.axis.name());
            }
            Subject::Pose { pose_deg, .. } => {
                let angle = pose_deg[self.axis.index()] + self.turned_deg;
                (self.axis.name(), angle)
            }
            Subject::Roll { roll_deg, .. } => ("Roll", self.rolled(*roll_deg)),
        };
        format!("{name} {}° ({sign}{turned}°)", short(angle, 1)).replace('-', "−")
    }

    fn hint(&self) -> String {
        drag_hint("Ctrl snaps to 15° · Shift fine")
    }
}
