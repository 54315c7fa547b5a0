//! The skeleton of a fit: the template's bones between the joints found, with rolls, radii and limits.

use super::pins::Placed;
use super::template::{Chain, Template};
use super::tuning::TEMPLATE_BENT;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::edits::radius::fit_radii;
use crate::rig::edits::roll::roll_toward;
use crate::rig::kinematics::{parent_of, rotation_axes};
use crate::rig::limits::humanoid;
use crate::rig::skeleton::Skeleton;
use glam::{DQuat, DVec3, Mat3};

/// The sine of the least bend of an elbow and a knee that tells about which axis it bends: an error of 1 % of the height to the
/// side turns the plane of a knee that is bent by 6° by 45° (23 of 64 bodies).
const BENT: [f64; 2] = [0.1, 0.2];
/// The cosine of the greatest angle between that axis and the one of the template.
const SIMILAR: f64 = 0.5;

/// Makes the skeleton in the space of the mesh, with rolls. `turn`: the rotation from there to the axes of the template.
pub fn skeleton(template: &Template, chains: &[Chain], placed: &Placed, turn: Mat3) -> Skeleton {
    let back = turn.transpose();
    let mut skeleton = template.skeleton.clone();
    skeleton.base = back * placed.base;
    for bone in 0..skeleton.bones.len() {
        let parent = parent_of(&skeleton, bone);
        let extent = placed.tips[bone] - parent.map_or(placed.base, |parent| placed.tips[parent]);
        skeleton.bones[bone].extent = back * extent;
    }
    for (bone, hinge) in hinges(template, chains, &skeleton).into_iter().enumerate() {
        let known = &template.skeleton.bones[bone];
        let direction = |extent: glam::Vec3| extent.as_dvec3().normalize_or(DVec3::Y);
        let back = back.as_dmat3();
        let (from, to) = (back * direction(known.extent), direction(skeleton.bones[bone].extent));
        let mut x = DQuat::from_rotation_arc(from, to) * (back * rotation_axes(known)[0]);
        if let Some(hinge) = hinge.filter(|hinge| hinge.dot(x).abs() > SIMILAR) {
            x = hinge * hinge.dot(x).signum();
        }
        if let Some(roll) = roll_toward(skeleton.bones[bone].extent, x) {
            skeleton.bones[bone].roll_deg = roll as f32;
        }
    }
    skeleton
}

/// Sets radii, and limits if they come from the names of the bones.
pub fn complete(skeleton: &mut Skeleton, surface: &HalfedgeMesh, has_named_limits: bool) {
    for (bone, radius) in fit_radii(skeleton, surface).into_iter().enumerate() {
        let length = skeleton.bones[bone].extent.length();
        skeleton.bones[bone].radius = radius.unwrap_or(0.25 * length);
    }
    if has_named_limits {
        let all: Vec<usize> = (0..skeleton.bones.len()).collect();
        humanoid::apply(skeleton, &all);
    }
}

/// The axis about which each bone and its neighbour are bent, for those of joints that are bent in the template too.
fn hinges(template: &Template, chains: &[Chain], skeleton: &Skeleton) -> Vec<Option<DVec3>> {
    let mut hinges = vec![None; skeleton.bones.len()];
    let tips = template.tips();
    for chain in chains.iter().filter(|chain| chain.side != 0) {
        let joints = chain.bones.windows(2).enumerate();
        for (index, pair) in joints {
            let [a, b] = [pair[0], pair[1]];
            let (start, end) = (chain.joints[index], tips[b]);
            let aside = tips[a] - start - (tips[a] - start).project_onto(end - start);
            let axis = skeleton.bones[a].extent.as_dvec3().normalize_or_zero();
            let axis = axis.cross(skeleton.bones[b].extent.as_dvec3().normalize_or_zero());
            let is_hinge = aside.length() > TEMPLATE_BENT * start.distance(end)
                && axis.length() > BENT[usize::from(chain.is_leg)];
            if is_hinge && hinges[a].is_none() {
                hinges[a] = Some(axis.normalize());
                hinges[b] = hinges[a];
            }
        }
    }
    hinges
}
