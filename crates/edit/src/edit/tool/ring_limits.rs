//! The limits of a joint, drawn on its rings: an arc from the minimum to the maximum angle, and a mark at the
//! current angle.

use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, Role, arc};
use crate::edit::select::active_rig::ActiveRig;
use crate::rig::kinematics::{rotation_axes, rotation_part};
use crate::rig::limits::Limits;
use glam::{Mat3, Vec3};
use std::f32::consts::TAU;

/// The radius of the arc, and the radial ranges of its end lines and of the mark, relative to the radius of
/// the ring.
const ARC: f32 = 0.92;
const ENDS: [f32; 2] = [0.82, 1.0];
const MARK: [f32; 2] = [0.0, 1.0];
/// An angle this close to its limit, in degrees, counts as at the limit.
const AT_LIMIT: f32 = 0.05;
const SEGMENTS: f32 = 64.0;

/// The limits of a joint, and its current direction.
#[derive(Clone, Debug)]
pub(super) struct JointLimits {
    limits: Limits,
    /// Per axis: a direction that rotates with the bone, perpendicular to the axis, unit, skeleton space.
    marks: [Vec3; 3],
}

impl JointLimits {
    /// `axes`: the axes of the joint's angles, unit, skeleton space.
    pub(super) fn new(rig: &ActiveRig, bone: usize, axes: [Vec3; 3]) -> Option<Self> {
        let joint = rig.skeleton.bones.get(bone)?;
        let matrix = rotation_part(rig.skeleton_from_bone.get(bone)?.matrix3);
        let [x, y, z] = rotation_axes(joint).map(|axis| (matrix * axis).as_vec3());
        // The direction of the bone marks its angle; if it is parallel to the axis, a perpendicular one does.
        let mark = |axis: Vec3, directions: [Vec3; 3]| {
            let across = directions.map(|direction| direction - axis * axis.dot(direction));
            let found = across.into_iter().find(|direction| direction.length() > 0.2);
            found.unwrap_or(axis.any_orthonormal_vector()).normalize()
        };
        Some(Self {
            limits: joint.limits_deg,
            marks: [mark(axes[0], [y, z, x]), mark(axes[1], [z, x, y]), mark(axes[2], [y, x, z])],
        })
    }

    /// Clamps the angle about an axis to its limits.
    pub(super) fn clamp(&self, axis: Axis, angle: f32) -> f32 {
        match self.limits.0[axis.index()] {
            Some([low, high]) => angle.max(low).min(high),
            None => angle,
        }
    }

    /// Whether the angle cannot change.
    pub(super) fn is_locked(&self, axis: Axis) -> bool {
        self.limits.0[axis.index()].is_some_and(|[low, high]| low == high)
    }

    pub(super) fn is_at_limit(&self, axis: Axis, angle: f32) -> bool {
        let ends = self.limits.0[axis.index()];
        ends.is_some_and(|[low, high]| angle <= low + AT_LIMIT || angle >= high - AT_LIMIT)
    }

    /// Draws the arc on the ring about `axes[axis]`, whose direction is `normal`. `angle` is the current one,
    /// `turned` the rotation since the marks were computed; in degrees.
    #[expect(clippy::too_many_arguments, reason = "a ring, and where it is")]
    pub(super) fn draw(
        &self,
        shape: &mut GizmoShape,
        ring: GizmoPart,
        axis: Axis,
        normal: Vec3,
        (origin, world_from_ring): (Vec3, Mat3),
        radius: f32,
        [current, turned]: [f32; 2],
    ) {
        let Some([low, high]) = self.limits.0[axis.index()] else {
            return;
        };
        let part = if self.is_at_limit(axis, current) {
            GizmoPart::new(ring.id, Role::Limit, ring.rank)
        } else {
            ring
        };
        let first = self.marks[axis.index()];
        let second = normal.cross(first);
        // Angles relative to the mark at its computed position.
        let offset = |angle: f32, radius: f32| {
            let (sin, cos) = (angle - current + turned).to_radians().sin_cos();
            world_from_ring * ((first * cos + second * sin) * radius)
        };
        let sweep = (high - low).to_radians().clamp(0.0, TAU);
        let quarter = 90.0;
        let (u, v) = (offset(low, ARC * radius), offset(low + quarter, ARC * radius));
        let slices = (SEGMENTS * sweep / TAU).ceil().max(1.0) as usize;
        let mut line = |points: Vec<Vec3>| shape.line(part, GizmoStyle::Mark, points);
        line(arc(origin, u, v, sweep, slices).collect());
        for (angle, ends) in [(low, ENDS), (high, ENDS), (current, MARK)] {
            line(ends.map(|end| origin + offset(angle, end * radius)).to_vec());
        }
    }
}
