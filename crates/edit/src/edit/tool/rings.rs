//! Rings for rotating a bone in a pose, a bone in the bind pose, the orientation of a handle, or an instance;
//! and the ring that rolls a bone.
//!
//! Angles are measured in *ring space*, where a ring is a circle: the space of the skeleton, or of the parent
//! of an instance. So a ring follows the pointer even if that space is mirrored or unevenly scaled.

use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, Role, SIZE_PX, arc, size_px};
use super::placement::Placement;
use super::ring_limits::JointLimits;
use super::translate::PARTS;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::Axes;
use crate::math::camera::Viewport;
use crate::rig::kinematics::{pose_axes, rotation_axes, rotation_part};
use crate::rig::skeleton::Orientation;
use glam::{DQuat, DVec3, Mat3, Mat4, Quat, Vec2, Vec3};
use std::f32::consts::{FRAC_PI_2, TAU};

/// The radii of a bone's rings about x, y, z, different so that they do not cover each other; 1 is
/// [`SIZE_PX`].
const RADII: [f32; 3] = [0.8, 0.9, 1.0];
/// A ring less open than this (cosine of the angle between its normal and the line of sight) is dragged along
/// the screen.
pub(super) const EDGE_ON: f32 = 0.2;
/// The radius of a handle's rings, outside of its arrows.
const HANDLE_RADIUS: f32 = 1.25;
/// A handle's ring less open than this is not drawn within the clear radius.
const COVERING: f32 = 0.35;
const CLEAR_RADIUS: f32 = 1.1;
/// Rolls the bone: rotates its x and z axes about it.
pub const ROLL: GizmoPart = GizmoPart::new(PARTS + 2, Role::Bone, 0.0);
/// The radius of the roll ring.
const ROLL_RADIUS: f32 = 0.5;
pub(super) const SNAP_DEG: f32 = 15.0;
pub(super) const SEGMENTS: usize = 96;

/// Rotates about an axis.
pub fn ring(axis: Axis) -> GizmoPart {
    GizmoPart::for_axis(0, axis, 0.0)
}

/// The value that a ring changes.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// An Euler angle of a pose: only this angle changes (gimbal rings), within its limits.
    Pose {
        mesh: String,
        bone: usize,
        pose_deg: Vec3,
        joint: JointLimits,
    },
    /// The orientation that a handle gives its bone.
    Orientation {
        mesh: String,
        handle: usize,
        orientation: Orientation,
        /// To the space in which the orientation is stored, from skeleton space.
        space_from_skeleton: Quat,
    },
    Roll {
        mesh: String,
        bone: usize,
        roll_deg: f32,
    },
    /// Bones in the bind pose, with their descendants.
    Bind {
        mesh: String,
        bones: Vec<usize>,
    },
    /// A placement, rotated about these axes of ring space.
    Placed(Box<Placement>, [DVec3; 3]),
}

/// Three rings around the head of a bone or the origin of an instance, or one around the middle of a bone.
#[derive(Clone, Debug)]
pub struct Rings {
    pub(super) subject: Subject,
    /// World space.
    pub(super) origin: Vec3,
    world_from_ring: Mat3,
    /// Includes the translation by the origin.
    ring_from_world: Mat4,
    /// Unit, ring space.
    pub(super) axes: [Vec3; 3],
    /// World length of a unit of ring space, averaged over directions.
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

    /// Returns rings about the axes of a bone's Euler angles. `None` if there is no such bone, and for
    /// instances that are flat or not finite.
    pub fn for_pose(rig: &ActiveRig, bone: usize) -> Option<Self> {
        let pose_deg = rig.skeleton.bones.get(bone)?.pose_deg;
        if rig.skeleton_from_bone.len() != rig.skeleton.bones.len() {
            return None;
        }
        let mesh = rig.mesh.to_owned();
        let axes = pose_axes(rig.skeleton, rig.skeleton_from_bone, bone);
        let axes = axes.map(|axis| axis.as_vec3());
        let joint = JointLimits::new(rig, bone, axes)?;
        let subject = Subject::Pose { mesh, bone, pose_deg, joint };
        let world_from_skeleton = Mat3::from_mat4(rig.world_from_skeleton);
        Self::new(subject, rig.bone_start(bone)?, world_from_skeleton, axes)
    }

    /// Returns rings around the target of a handle that orients its bone, about the chosen axes.
    pub fn for_orientation(rig: &ActiveRig, handle: usize) -> Option<Self> {
        let orientation = rig.skeleton.handles.get(handle)?.orientation?;
        let mesh = rig.mesh.to_owned();
        let turn = rotation_part(rig.space_from_skeleton(handle).matrix3);
        let space_from_skeleton = DQuat::from_mat3(&turn).normalize().as_quat();
        let subject = Subject::Orientation { mesh, handle, orientation, space_from_skeleton };
        let origin = rig.handle_target(handle)?;
        Self::with_chosen_axes(subject, rig, Part::Handle(handle), origin)
    }

    /// Returns the ring that rolls a bone, around its middle in the bind pose.
    pub fn for_roll(rig: &ActiveRig, bone: usize) -> Option<Self> {
        let data = rig.skeleton.bones.get(bone)?;
        let (mesh, roll_deg) = (rig.mesh.to_owned(), data.roll_deg);
        let middle = rig.bone_start(bone)?.midpoint(rig.bone_tip(bone)?);
        let axes = rotation_axes(data).map(|axis| axis.as_vec3());
        let world_from_skeleton = Mat3::from_mat4(rig.world_from_skeleton);
        let subject = Subject::Roll { mesh, bone, roll_deg };
        Self::new(subject, middle, world_from_skeleton, axes).filter(|_| roll_deg.is_finite())
    }

    /// Returns rings about the chosen axes in the bind pose, for a bone or for all of `group`.
    pub fn for_bind_pose(rig: &ActiveRig, bone: usize, group: Vec<usize>) -> Option<Self> {
        let mesh = rig.mesh.to_owned();
        let bones = if group.is_empty() { vec![bone] } else { group };
        let subject = Subject::Bind { mesh, bones };
        Self::with_chosen_axes(subject, rig, Part::Bone(bone), rig.bone_start(bone)?)
    }

    fn with_chosen_axes(subject: Subject, rig: &ActiveRig, part: Part, origin: Vec3) -> Option<Self> {
        let world_from_skeleton = Mat3::from_mat4(rig.world_from_skeleton);
        let skeleton_from_world = world_from_skeleton.inverse();
        let axes = rig.axes_of(part);
        let axes = axes.map(|axis| (skeleton_from_world * axis).normalize_or_zero());
        Self::new(subject, origin, world_from_skeleton, axes)
    }

    pub fn for_placement(placement: Placement, axes: Axes) -> Option<Self> {
        let (world_from_ring, axes) = placement.ring_frame(axes);
        let origin = placement.origin();
        let unit = axes.map(|axis| axis.as_vec3());
        Self::new(Subject::Placed(Box::new(placement), axes), origin, world_from_ring.as_mat3(), unit)
    }

    pub(super) fn part(&self, axis: Axis) -> GizmoPart {
        match self.subject {
            Subject::Roll { .. } => ROLL,
            _ => ring(axis),
        }
    }

    /// World space.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Returns the lines of the rings; the half that faces away from the camera is faint.
    pub fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let axes: &[Axis] = match self.subject {
            Subject::Roll { .. } => &[Axis::Y],
            _ => &Axis::ALL,
        };
        // A locked angle has no ring.
        let is_free = |axis: &&Axis| match &self.subject {
            Subject::Pose { joint, .. } => !joint.is_locked(**axis),
            _ => true,
        };
        for axis in axes.iter().filter(is_free) {
            self.draw_ring(&mut shape, viewport, *axis);
            self.draw_limits(&mut shape, viewport, *axis, 0.0);
        }
        shape
    }

    pub(super) fn draw_ring(&self, shape: &mut GizmoShape, viewport: &Viewport, axis: Axis) {
        if viewport.project(self.origin).is_none() {
            return;
        }
        let radius = self.radius(viewport, axis);
        let toward = viewport.towards_camera(self.origin);
        let points: Vec<Vec3> = self.arc(axis, radius, 0.0, TAU, SEGMENTS).collect();
        // A ring seen from the front faces the camera all around.
        let slack = 0.05 * radius * self.scale;
        // Almost edge-on, a handle's ring would cover its ball and arrows.
        let is_handle = matches!(self.subject, Subject::Orientation { .. });
        let covers = is_handle && self.openness(viewport, axis) < COVERING;
        let clear = CLEAR_RADIUS / HANDLE_RADIUS * radius * self.scale;
        let style = |p: &Vec3| {
            let away = *p - self.origin;
            let depth = away.dot(toward);
            let hidden = covers && (away - toward * depth).length() < clear;
            (!hidden).then_some(if depth >= -slack { GizmoStyle::Plain } else { GizmoStyle::Faint })
        };
        let mut start = 0;
        for i in 1..points.len() {
            let current = style(&points[i - 1]);
            if i + 1 == points.len() || style(&points[i]) != current {
                if let Some(style) = current {
                    shape.line(self.part(axis), style, points[start..=i].to_vec());
                }
                start = i;
            }
        }
    }

    /// `turned`: the rotation since the press, in degrees.
    pub(super) fn draw_limits(&self, shape: &mut GizmoShape, viewport: &Viewport, axis: Axis, turned: f32) {
        if let Subject::Pose { pose_deg, joint, .. } = &self.subject
            && viewport.project(self.origin).is_some()
        {
            let angle = pose_deg[axis.index()] + turned;
            let frame = (self.origin, self.world_from_ring);
            let (normal, radius) = (self.axes[axis.index()], self.radius(viewport, axis));
            joint.draw(shape, ring(axis), axis, normal, frame, radius, [angle, turned]);
        }
    }

    /// Two unit vectors in the plane of the ring, ring space; angles increase from the first to the second.
    fn basis(&self, axis: Axis) -> [Vec3; 2] {
        let normal = self.axes[axis.index()];
        let first = normal.any_orthonormal_vector();
        [first, normal.cross(first)]
    }

    /// Returns points of a ring in world space: `sweep` radians from `start`, at a radius in units of ring
    /// space.
    pub(super) fn arc(
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
    pub(super) fn radius(&self, viewport: &Viewport, axis: Axis) -> f32 {
        let size = match self.subject {
            Subject::Pose { .. } | Subject::Bind { .. } => RADII[axis.index()],
            Subject::Roll { .. } => ROLL_RADIUS,
            Subject::Orientation { .. } => HANDLE_RADIUS,
            Subject::Placed(..) => 1.0,
        };
        size_px(viewport, self.origin) * size * viewport.world_per_pixel(self.origin) / self.scale
    }

    /// How open the ring appears: the cosine of the angle between its normal and the line of sight, 0 when
    /// seen edge-on.
    pub(super) fn openness(&self, viewport: &Viewport, axis: Axis) -> f32 {
        let [u, v] = self.basis(axis).map(|side| self.world_from_ring * side);
        let normal = u.cross(v).normalize_or_zero();
        normal.dot(viewport.towards_camera(self.origin)).abs()
    }

    /// The screen velocity of the ring's point closest to the camera, in pixels per radian.
    pub(super) fn front_velocity(&self, viewport: &Viewport, axis: Axis) -> Option<Vec2> {
        const STEP: f32 = 0.01;
        let toward = viewport.towards_camera(self.origin);
        let [x, y] = self.basis(axis).map(|side| (self.world_from_ring * side).dot(toward));
        // Measured on a ring so small that perspective is negligible, then scaled up.
        let radius = STEP * self.radius(viewport, axis);
        let pixel = |angle| {
            let point = self.arc(axis, radius, angle, 0.0, 1).next()?;
            Some(viewport.project(point)?.pixel)
        };
        let front = y.atan2(x);
        let velocity = (pixel(front + FRAC_PI_2)? - pixel(front - FRAC_PI_2)?) / (2.0 * STEP);
        (velocity.is_finite() && velocity.length_squared() > 1e-6).then_some(velocity)
    }

    /// Returns the angle of the ring plane under the pointer, in radians; `None` near the centre and beyond
    /// the horizon.
    pub(super) fn angle_under(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> Option<f32> {
        let ray = viewport.ray(pixel).transformed(&self.ring_from_world);
        let offset = ray.point_at(ray.intersect_plane(Vec3::ZERO, self.axes[axis.index()])?);
        let [u, v] = self.basis(axis);
        let (x, y) = (offset.dot(u), offset.dot(v));
        let length = x.hypot(y);
        (length.is_finite() && length > 0.05 * self.radius(viewport, axis)).then(|| y.atan2(x))
    }

    /// Returns the angle of the ring's point closest to the pointer on the screen, preferring the front half.
    pub(super) fn nearest_angle(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> f32 {
        let toward = viewport.towards_camera(self.origin);
        let distance = |p: Vec3| {
            let behind = (p - self.origin).dot(toward) < 0.0;
            let shown = viewport.project(p);
            let pixels = shown.map_or(f32::INFINITY, |shown| shown.pixel.distance(pixel));
            if behind { pixels + SIZE_PX } else { pixels }
        };
        let points = self.arc(axis, self.radius(viewport, axis), 0.0, TAU, SEGMENTS);
        let nearest = points.map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map_or(0.0, |(i, _)| TAU * i as f32 / SEGMENTS as f32)
    }
}
