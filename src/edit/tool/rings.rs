//! The rotation rings of a bone. In a pose: one for each of its Euler angles, about the axis that this angle turns the
//! bone about (gimbal rings); a drag changes exactly that angle. In the bind pose: about the axes that are chosen; a
//! drag rotates the bone with what hangs on it. And the ring of its roll.
//!
//! All angles are measured in skeleton space, where the ring is a circle, so that the ring follows the
//! pointer under mirrored and unevenly scaled instances too.

use super::gizmo::{Axis, Fine, GizmoPart, GizmoShape, Modifiers, Paint, SIZE_PX, short};
use super::typed::{DragKey, Typed};
use crate::edit::command::Command;
use crate::edit::selection::Part;
use crate::edit::stage::Stage;
use crate::math::camera::Viewport;
use crate::rig::kinematics::{pose_axes, rotation_axes};
use glam::{Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// Of the rings about x, y, z, so that they do not cover each other; 1 is [`SIZE_PX`].
const RADII: [f32; 3] = [0.8, 0.9, 1.0];
/// A ring that shows narrower than this (relative to its width) is dragged along the screen.
const EDGE_ON: f32 = 0.2;
/// Of the ring that rolls a bone.
const ROLL_RADIUS: f32 = 0.5;
const SNAP_DEG: f32 = 15.0;
const SEGMENTS: usize = 96;

/// What a ring changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turns {
    /// The pose: a ring for each angle.
    Pose,
    /// The roll: the ring about y alone.
    Roll,
    /// The bone itself, in the bind pose.
    Bind,
}

/// Three rings around the head of a bone; or one around its middle, for its roll.
#[derive(Clone, Debug, PartialEq)]
pub struct Rings {
    mesh: String,
    bone: usize,
    /// In the bind pose: all bones that are rotated, this one among them; empty for this one alone.
    together: Vec<usize>,
    turns: Turns,
    /// The angles shown; for the roll, it is y; in the bind pose they are how far it was turned.
    pose_deg: Vec3,
    world_from_skeleton: Mat4,
    skeleton_from_world: Mat4,
    /// Skeleton space.
    center: Vec3,
    /// Unit, skeleton space: what the x, y, z angles turn about.
    axes: [Vec3; 3],
    /// World length of a skeleton length.
    scale: f32,
}

/// How a ring shows on the screen, to first order around its centre.
struct Shown {
    /// Pixels per radian where the ring is nearest to the camera, along the screen.
    front_velocity: Vec2,
    /// Width of the ellipse over its length, 0..=1.
    openness: f32,
}

impl Rings {
    /// Rings of a bone in the pose that `stage` shows. `None` for no such bone, and for instances that are
    /// flat or not finite.
    pub fn of(stage: &Stage, bone: usize) -> Option<Self> {
        let world_from_skeleton = stage.world_from_skeleton;
        let skeleton_from_world = world_from_skeleton.inverse();
        let scale = stage.scale();
        if stage.skeleton_from_bone.len() != stage.skeleton.bones.len() {
            return None;
        }
        let pose_deg = stage.skeleton.bones.get(bone)?.pose_deg;
        let center = stage.skeleton_from_bone[bone].translation.as_vec3();
        let axes = pose_axes(stage.skeleton, stage.skeleton_from_bone, bone).map(|axis| axis.as_vec3());
        let usable = scale > 0.0
            && skeleton_from_world.is_finite()
            && center.is_finite()
            && axes.iter().all(|axis| axis.is_finite());
        usable.then(|| Self {
            mesh: stage.mesh.to_owned(),
            bone,
            together: Vec::new(),
            turns: Turns::Pose,
            pose_deg,
            world_from_skeleton,
            skeleton_from_world,
            center,
            axes,
            scale,
        })
    }

    /// The ring that rolls a bone, around its middle in the bind pose.
    pub fn of_roll(stage: &Stage, bone: usize) -> Option<Self> {
        let rings = Self::of(stage, bone)?;
        let this = &stage.skeleton.bones[bone];
        let center = rings.center + this.extent * 0.5;
        let axes = rotation_axes(this).map(|axis| axis.as_vec3());
        let usable = center.is_finite() && this.roll_deg.is_finite();
        usable.then_some(Self {
            turns: Turns::Roll,
            pose_deg: Vec3::Y * this.roll_deg,
            center,
            axes,
            ..rings
        })
    }

    /// Rings that rotate a bone in the bind pose, about the axes that are chosen.
    pub fn of_bind(stage: &Stage, bone: usize) -> Option<Self> {
        let rings = Self::of(stage, bone)?;
        let to_skeleton = |axis: Vec3| rings.skeleton_from_world.transform_vector3(axis);
        let axes = stage.axes_of(Part::Bone(bone));
        Some(Self {
            turns: Turns::Bind,
            pose_deg: Vec3::ZERO,
            axes: axes.map(|axis| to_skeleton(axis).normalize_or_zero()),
            ..rings
        })
    }

    fn part(&self, axis: Axis) -> GizmoPart {
        match self.turns {
            Turns::Pose | Turns::Bind => GizmoPart::Ring(axis),
            Turns::Roll => GizmoPart::Roll,
        }
    }

    /// World space.
    pub fn origin(&self) -> Vec3 {
        self.world_from_skeleton.transform_point3(self.center)
    }

    /// Ring lines; the half that turns away from the camera is faint.
    pub fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let axes: &[Axis] = match self.turns {
            Turns::Pose | Turns::Bind => &Axis::ALL,
            Turns::Roll => &[Axis::Y],
        };
        for axis in axes {
            self.ring(&mut shape, viewport, *axis);
        }
        shape
    }

    fn ring(&self, shape: &mut GizmoShape, viewport: &Viewport, axis: Axis) {
        if viewport.project(self.origin()).is_none() {
            return;
        }
        let radius = self.radius(viewport, axis);
        let toward = viewport.towards_camera(self.origin());
        let points: Vec<Vec3> = (0..=SEGMENTS)
            .map(|i| self.point(axis, radius, TAU * i as f32 / SEGMENTS as f32))
            .collect();
        // A ring seen from the front faces the camera all around.
        let slack = 0.05 * radius * self.scale;
        let faces = |p: &Vec3| (*p - self.origin()).dot(toward) >= -slack;
        let mut start = 0;
        for i in 1..points.len() {
            let last = i + 1 == points.len();
            if last || faces(&points[i]) != faces(&points[i - 1]) {
                let paint = if faces(&points[i - 1]) {
                    Paint::Plain
                } else {
                    Paint::Faint
                };
                shape.line(self.part(axis), paint, points[start..=i].to_vec());
                start = i;
            }
        }
    }

    /// Two unit vectors of the ring's plane, skeleton space: angles grow from the first to the second.
    fn basis(&self, axis: Axis) -> [Vec3; 2] {
        let around = self.axes[axis.index()];
        let first = around.any_orthonormal_vector();
        [first, around.cross(first)]
    }

    /// World space, of a ring with a radius in skeleton units.
    fn point(&self, axis: Axis, radius: f32, angle: f32) -> Vec3 {
        let [u, v] = self.basis(axis);
        let (sin, cos) = angle.sin_cos();
        self.world_from_skeleton
            .transform_point3(self.center + (u * cos + v * sin) * radius)
    }

    /// Skeleton units.
    fn radius(&self, viewport: &Viewport, axis: Axis) -> f32 {
        let size = match self.turns {
            Turns::Pose | Turns::Bind => RADII[axis.index()],
            Turns::Roll => ROLL_RADIUS,
        };
        SIZE_PX * size * viewport.world_per_pixel(self.origin()) / self.scale
    }

    fn shown(&self, viewport: &Viewport, axis: Axis) -> Option<Shown> {
        let center = viewport.project(self.origin())?;
        let radius = self.radius(viewport, axis);
        let toward = viewport.towards_camera(self.origin());
        // Derivatives by central differences: exact in orthographic views, and good enough in perspective.
        let h = 0.01 * radius;
        let derivative = |direction: Vec3| {
            let at = |s: f32| {
                let p = self
                    .world_from_skeleton
                    .transform_point3(self.center + direction * s);
                Some((viewport.project(p)?.pixel, p.dot(toward)))
            };
            let ((p1, d1), (p0, d0)) = (at(h)?, at(-h)?);
            Some(((p1 - p0) * (0.5 * radius / h), d1 - d0))
        };
        let [u, v] = self.basis(axis);
        let ((pixels_u, toward_u), (pixels_v, toward_v)) = (derivative(u)?, derivative(v)?);
        // Singular values of the 2x2 matrix: their product and the sum of their squares are known.
        let product = pixels_u.perp_dot(pixels_v).abs();
        let squares = pixels_u.length_squared() + pixels_v.length_squared();
        let root = (squares * squares - 4.0 * product * product).max(0.0).sqrt();
        let longest = ((squares + root) * 0.5).sqrt();
        let front = Vec2::new(toward_u, toward_v).normalize_or_zero();
        let shown = Shown {
            front_velocity: pixels_v * front.x - pixels_u * front.y,
            openness: if longest > 0.0 {
                product / (longest * longest)
            } else {
                0.0
            },
        };
        (center.pixel.is_finite() && shown.front_velocity.is_finite()).then_some(shown)
    }

    /// Angle of the ring's plane under the pointer, radians; `None` near the centre and past the horizon.
    fn angle_under(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> Option<f32> {
        let ray = viewport.ray(pixel).transformed(&self.skeleton_from_world);
        let t = ray.plane(self.center, self.axes[axis.index()])?;
        let [u, v] = self.basis(axis);
        let offset = ray.at(t) - self.center;
        let (x, y) = (offset.dot(u), offset.dot(v));
        let length = x.hypot(y);
        (length.is_finite() && length > 0.05 * self.radius(viewport, axis)).then(|| y.atan2(x))
    }
}

/// How the pointer turns the ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    /// The point of the ring's plane under the pointer follows it. Last angle under the pointer, radians.
    Plane { last: f32 },
    /// Edge-on: along the screen, pixels per radian.
    Screen { velocity: Vec2 },
}

impl Motion {
    /// Turns `raw_deg`, the angle since the press, on. `under`: the angle under the pointer in the ring's
    /// plane, radians. `moved`: of the pointer since the press, pixels.
    pub(super) fn turn(&mut self, under: Option<f32>, moved: Vec2, raw_deg: &mut f32) {
        match self {
            Motion::Plane { last } => {
                if let Some(angle) = under {
                    // The nearer way around: increments add up past half a turn.
                    let step = (angle - *last + PI).rem_euclid(TAU) - PI;
                    *last = angle;
                    *raw_deg += step.to_degrees();
                }
            }
            Motion::Screen { velocity } => {
                let radians = moved.dot(*velocity) / velocity.length_squared();
                if radians.is_finite() {
                    *raw_deg = radians.to_degrees();
                }
            }
        }
    }
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
    fine: Fine<f32>,
    turned_deg: f32,
    /// Degrees that count instead of the pointer.
    typed: Typed,
}

impl RingDrag {
    /// `None` where the ring cannot be seen.
    pub fn new(rings: &Rings, axis: Axis, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        let shown = rings.shown(viewport, axis)?;
        let under = rings.angle_under(viewport, axis, pixel);
        let motion = match under {
            Some(last) if shown.openness >= EDGE_ON => Motion::Plane { last },
            _ if shown.front_velocity.length_squared() > 1e-6 => Motion::Screen {
                velocity: shown.front_velocity,
            },
            _ => return None,
        };
        let grabbed = match motion {
            Motion::Plane { last } => last,
            Motion::Screen { .. } => rings.nearest_angle(viewport, axis, pixel),
        };
        Some(Self {
            rings: rings.clone(),
            axis,
            motion,
            press: pixel,
            grabbed,
            raw_deg: 0.0,
            fine: Fine::default(),
            turned_deg: 0.0,
            typed: Typed::new(1),
        })
    }

    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// All of these are rotated, in the bind pose.
    pub(super) fn rotate_along(&mut self, bones: &[usize]) {
        self.rings.together = bones.to_vec();
    }

    /// The whole change since the press, with the pointer at `pixel`.
    pub fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec<Command> {
        let motion = &mut self.motion;
        let under = self.rings.angle_under(viewport, self.axis, pixel);
        motion.turn(under, pixel - self.press, &mut self.raw_deg);
        let mut turned = self.fine.total(self.raw_deg, modifiers.fine);
        if !self.typed.is_empty() {
            turned = self.typed.value(0);
        } else if modifiers.snap {
            let step = if modifiers.fine { SNAP_DEG * 0.1 } else { SNAP_DEG };
            turned = (turned / step).round() * step;
        }
        self.turned_deg = turned;
        let (mesh, bone, pose_deg) = (self.rings.mesh.clone(), self.rings.bone, self.pose_deg());
        vec![match self.rings.turns {
            Turns::Bind => Command::RotateBones {
                mesh,
                bones: match self.rings.together.is_empty() {
                    true => vec![bone],
                    false => self.rings.together.clone(),
                },
                rotation: Quat::from_axis_angle(self.rings.axes[self.axis.index()], turned.to_radians()),
            },
            Turns::Pose => Command::SetPose { mesh, bone, pose_deg },
            Turns::Roll => Command::SetRoll {
                mesh,
                bone,
                roll_deg: pose_deg.y,
            },
        }]
    }

    /// A key was pressed: digits count instead of the pointer.
    pub fn key(&mut self, key: DragKey) {
        self.typed.press(key);
    }

    /// Poses count on past 180 degrees; a roll is the same after a whole turn.
    fn pose_deg(&self) -> Vec3 {
        let mut pose_deg = self.rings.pose_deg + self.axis.unit() * self.turned_deg;
        if self.rings.turns == Turns::Roll && self.turned_deg != 0.0 {
            pose_deg.y = (pose_deg.y + 180.0).rem_euclid(360.0) - 180.0;
        }
        pose_deg
    }

    /// The ring that is dragged and the angle it swept.
    pub fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let rings = &self.rings;
        if viewport.project(rings.origin()).is_none() {
            return shape;
        }
        let radius = rings.radius(viewport, self.axis);
        let sweep = self.turned_deg.clamp(-360.0, 360.0).to_radians();
        let slices = (sweep.abs() / (TAU / SEGMENTS as f32)).ceil() as usize;
        let at = |i: usize| {
            rings.point(
                self.axis,
                radius,
                self.grabbed + sweep * i as f32 / slices.max(1) as f32,
            )
        };
        let part = rings.part(self.axis);
        for i in 0..slices {
            shape.face(part, Paint::Guide, vec![rings.origin(), at(i), at(i + 1)]);
        }
        shape.line(part, Paint::Guide, vec![at(0), rings.origin(), at(slices)]);
        rings.ring(&mut shape, viewport, self.axis);
        shape
    }

    /// The angle and how far it was turned, such as `x 57.5° (+12.5°)`.
    pub fn readout(&self) -> String {
        let angle = short(self.pose_deg()[self.axis.index()], 1);
        let turned = match self.typed.is_empty() {
            true => short(self.turned_deg, 1),
            false => self.typed.shown(0),
        };
        let sign = if turned.starts_with(['-', '−']) || turned == "0" {
            ""
        } else {
            "+"
        };
        let name = match self.rings.turns {
            Turns::Bind => return format!("{} {sign}{turned}°", self.axis.name()).replace('-', "−"),
            Turns::Pose => self.axis.name(),
            Turns::Roll => "Roll",
        };
        format!("{name} {angle}° ({sign}{turned}°)").replace('-', "−")
    }
}

impl Rings {
    /// Angle of the ring's point nearest to the pointer on the screen, the front half first.
    fn nearest_angle(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> f32 {
        let radius = self.radius(viewport, axis);
        let toward = viewport.towards_camera(self.origin());
        let angles = (0..SEGMENTS).map(|i| TAU * i as f32 / SEGMENTS as f32);
        let distance = |angle: f32| {
            let p = self.point(axis, radius, angle);
            let behind = (p - self.origin()).dot(toward) < 0.0;
            let pixels = viewport
                .project(p)
                .map_or(f32::INFINITY, |shown| shown.pixel.distance(pixel));
            if behind { pixels + SIZE_PX } else { pixels }
        };
        angles
            .min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
            .unwrap_or(0.0)
    }
}
