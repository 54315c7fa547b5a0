//! The limits of a joint on its rings: an arc from the least angle to the greatest, and a mark where the bone is now.

use super::gizmo::{Axis, GizmoPart, GizmoShape, GizmoStyle, Role, arc};
use crate::edit::active_rig::ActiveRig;
use crate::rig::kinematics::rotation_axes;
use crate::rig::limits::Limits;
use glam::{Mat3, Vec3};
use std::f32::consts::TAU;

/// Where the arc lies, and where its ends and the mark begin and end, in radii of the ring.
const ARC: f32 = 0.92;
const ENDS: [f32; 2] = [0.82, 1.0];
const MARK: [f32; 2] = [0.0, 1.0];
/// An angle this near to its limit, in degrees, counts as at it.
const AT_LIMIT: f32 = 0.05;
const SEGMENTS: f32 = 64.0;

/// What a joint may do, and which way it points now.
#[derive(Clone, Debug)]
pub(super) struct JointLimits {
    limits: Limits,
    /// Per axis: a direction that turns with the bone, across the axis, unit, skeleton space.
    marks: [Vec3; 3],
}

impl JointLimits {
    /// `axes`: about which the angles turn, unit, skeleton space.
    pub(super) fn new(stage: &ActiveRig, bone: usize, axes: [Vec3; 3]) -> Option<Self> {
        let this = stage.skeleton.bones.get(bone)?;
        let matrix = stage.skeleton_from_bone.get(bone)?.matrix3;
        let [x, y, z] = rotation_axes(this).map(|axis| (matrix * axis).as_vec3());
        // The bone itself says where it is turned to; where it lies along the axis, what is across it.
        let mark = |axis: Vec3, ways: [Vec3; 3]| {
            let across = ways.map(|way| way - axis * axis.dot(way));
            let found = across.into_iter().find(|way| way.length() > 0.2);
            found.unwrap_or(axis.any_orthonormal_vector()).normalize()
        };
        Some(Self {
            limits: this.limits_deg,
            marks: [
                mark(axes[0], [y, z, x]),
                mark(axes[1], [z, x, y]),
                mark(axes[2], [y, x, z]),
            ],
        })
    }

    /// `angle` about an axis, kept within its limits.
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

    pub(super) fn is_at_end(&self, axis: Axis, angle: f32) -> bool {
        let ends = self.limits.0[axis.index()];
        ends.is_some_and(|[low, high]| angle <= low + AT_LIMIT || angle >= high - AT_LIMIT)
    }

    /// The arc of the ring about `axes[axis]` with this radius. `now`: the present angle, and how far the bone was turned since it
    /// was marked; degrees.
    #[expect(clippy::too_many_arguments, reason = "a ring, and where it is")]
    pub(super) fn draw(
        &self,
        shape: &mut GizmoShape,
        ring: GizmoPart,
        axis: Axis,
        around: Vec3,
        (origin, world_from_ring): (Vec3, Mat3),
        radius: f32,
        [now, turned]: [f32; 2],
    ) {
        let Some([low, high]) = self.limits.0[axis.index()] else {
            return;
        };
        let part = match self.is_at_end(axis, now) {
            true => GizmoPart::new(ring.id, Role::Limit, ring.rank),
            false => ring,
        };
        let first = self.marks[axis.index()];
        let second = around.cross(first);
        // Angles from the mark, as it was.
        let at = |angle: f32, radius: f32| {
            let (sin, cos) = (angle - now + turned).to_radians().sin_cos();
            world_from_ring * ((first * cos + second * sin) * radius)
        };
        let sweep = (high - low).to_radians().clamp(0.0, TAU);
        let quarter = 90.0;
        let (u, v) = (at(low, ARC * radius), at(low + quarter, ARC * radius));
        let slices = (SEGMENTS * sweep / TAU).ceil().max(1.0) as usize;
        let mut line = |points: Vec<Vec3>| shape.line(part, GizmoStyle::Mark, points);
        line(arc(origin, u, v, sweep, slices).collect());
        for (angle, ends) in [(low, ENDS), (high, ENDS), (now, MARK)] {
            line(ends.map(|end| origin + at(angle, end * radius)).to_vec());
        }
    }
}
