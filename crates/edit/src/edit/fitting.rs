//! A skeleton that is being fitted into a body: what the view shows of it while it is proposed. The document changes once
//! the proposal is accepted.

use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::Skeleton;
use glam::Vec3;

/// A fitted skeleton that is proposed, or one that could not be fitted yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitting {
    /// The name of the mesh.
    pub mesh: String,
    /// Per bone: how certain its tail is, from 0 to 1. Empty if no skeleton was found.
    pub confidence: Vec<f32>,
    /// Per bone: whether its tail was placed by hand.
    pub placed: Vec<bool>,
    pub template: String,
    /// The names of the templates to choose from.
    pub templates: Vec<String>,
    /// What is missing or in doubt, and what to do; empty if nothing is.
    pub advice: String,
    /// Whether a newer fit is being computed.
    pub busy: bool,
}

/// A change of what is fitted.
#[derive(Clone, Debug, PartialEq)]
pub enum FitRequest {
    /// Fits a skeleton into the selected mesh, or skinned mesh without bones.
    Begin,
    /// Places the tail of a bone, in the bind pose and skeleton space.
    Place { bone: usize, tail: Vec3 },
    /// Takes another template.
    Template(String),
    /// The body faces another side: a quarter turn about its height.
    Turn,
    /// Forgets what was placed by hand.
    Reset,
    /// Rejects the skeleton.
    End,
}

/// Below this confidence, a joint is marked.
pub const UNCERTAIN: f32 = 0.5;

/// Returns the place in the bind pose of a point that moves with a bone; both in skeleton space.
pub fn in_bind_pose(skeleton: &Skeleton, bone: usize, point: Vec3) -> Option<Vec3> {
    let (bind, current) = (bind_pose(skeleton), current_pose(skeleton));
    let moved = current.get(bone)?.inverse().transform_point3(point.as_dvec3());
    Some(bind.get(bone)?.transform_point3(moved).as_vec3())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    /// A quarter turn about z takes the tail of a bone along x to y.
    #[test]
    fn a_point_on_a_posed_bone_is_found_in_the_bind_pose() {
        let bone = Bone { extent: Vec3::X, pose_deg: Vec3::new(0.0, 0.0, 90.0), ..Bone::default() };
        let skeleton = Skeleton { bones: vec![bone], base: Vec3::Y, ..Skeleton::default() };
        let posed = current_pose(&skeleton)[0].transform_point3(glam::DVec3::X).as_vec3();
        let found = in_bind_pose(&skeleton, 0, posed).unwrap();
        assert!(found.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "{posed} {found}");
        assert!(posed.distance(found) > 1.0);
    }
}
