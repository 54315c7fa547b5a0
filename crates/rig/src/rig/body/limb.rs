//! The limbs of a skeleton. A limb ends where its bones leave the trunk. This is determined by shapes, and
//! by no name but that of a hip: see [`limb`].

use super::axes::BodyAxes;
use super::roles::{Role, bone_role};
use crate::rig::kinematics::{bind_pose, parent_of, tips};
use crate::rig::skeleton::Skeleton;
use glam::DVec3;

/// The fraction of a branch's length from which on the length of the rest of the body ends the trunk.
const EVEN_FORK: f64 = 0.9;
/// The distance, as a fraction of the skeleton's size, within which joints count as in the plane of symmetry.
pub const IN_PLANE: f64 = 0.02;

/// Returns the number of bones from `bone` up to its root, including itself.
pub fn depth(skeleton: &Skeleton, bone: usize) -> usize {
    with_ancestors(skeleton, bone).count()
}

/// Iterates over the bone and its ancestors.
pub fn with_ancestors(skeleton: &Skeleton, bone: usize) -> impl Iterator<Item = usize> + '_ {
    let first = Some(bone).filter(|bone| *bone < skeleton.bones.len());
    std::iter::successors(first, |bone| parent_of(skeleton, *bone))
}

/// Returns the number of bones, from `bone` upwards, in its limb: at least one.
///
/// Going up, the trunk begins at a joint that carries more (in length of bones) than the branch with the
/// bone, or from which that branch leads aside, out of the plane of symmetry through the base. If
/// several roots start at the base, it is such a joint too. The first bone after that joint is a clavicle or
/// a hip, and not part of the limb, if it leads aside and is shorter than each of the two bones that follow, or has
/// the name of a hip or a shoulder blade.
/// If there is no such joint, the limb is everything except the root. A root that does not lead aside belongs
/// to no limb.
pub fn limb(skeleton: &Skeleton, bone: usize) -> u32 {
    let path: Vec<usize> = with_ancestors(skeleton, bone).collect();
    if path.is_empty() {
        return 1;
    }
    let tree = Tree::new(skeleton);
    let end = path.iter().position(|&bone| tree.leaves_trunk(skeleton, bone));
    let bones = match end {
        Some(end) if end > 0 && tree.is_girdle(skeleton, &path[..=end]) => end,
        // A root belongs to a limb only if it leads aside from the base.
        Some(end)
            if end > 0 && end + 1 == path.len() && !tree.axes.leads_aside(extent(skeleton, path[end])) =>
        {
            end
        }
        Some(end) => end + 1,
        None => (path.len() - 1).max(1),
    };
    // A link at the end rotates nothing.
    let links = path[1..bones].iter().rev();
    let links = links.take_while(|&&bone| skeleton.bones[bone].link).count();
    (bones - links) as u32
}

/// Returns the clavicle or hip above the limb of a bone, which [`limb`] leaves out.
pub fn girdle(skeleton: &Skeleton, bone: usize) -> Option<usize> {
    let path: Vec<usize> = with_ancestors(skeleton, bone).collect();
    let tree = Tree::new(skeleton);
    let end = path.iter().position(|&bone| tree.leaves_trunk(skeleton, bone))?;
    (end > 0 && tree.is_girdle(skeleton, &path[..=end])).then(|| path[end])
}

/// Measurements of a skeleton in its bind pose.
struct Tree {
    tips: Vec<DVec3>,
    /// The length of each bone and all its descendants.
    length: Vec<f64>,
    /// The total length of all roots and their descendants.
    total_length: f64,
    /// The greatest extent along an axis.
    size: f64,
    axes: BodyAxes,
}

impl Tree {
    fn new(skeleton: &Skeleton) -> Self {
        let tips = tips(skeleton, &bind_pose(skeleton));
        let mut length: Vec<f64> = skeleton.bones.iter().map(length_of).collect();
        let mut total_length = 0.0;
        for bone in (0..length.len()).rev() {
            match parent_of(skeleton, bone) {
                Some(parent) => length[parent] += length[bone],
                None => total_length += length[bone],
            }
        }
        let base = skeleton.base.as_dvec3();
        let (low, high) = tips.iter().fold((base, base), |(low, high), tip| (low.min(*tip), high.max(*tip)));
        let (size, axes) = ((high - low).max_element(), BodyAxes::new(skeleton));
        Self { tips, length, total_length, size, axes }
    }

    /// Whether the bone starts at a joint of the trunk, but is not part of the trunk itself.
    fn leaves_trunk(&self, skeleton: &Skeleton, bone: usize) -> bool {
        let base = skeleton.base.as_dvec3();
        let (start, rest) = match parent_of(skeleton, bone) {
            Some(parent) => {
                let descendants = self.length[parent] - length_of(&skeleton.bones[parent]);
                (self.tips[parent], descendants - self.length[bone])
            }
            None => (base, self.total_length - self.length[bone]),
        };
        let length = self.length[bone];
        // Ignore lengths within the rounding error.
        let forks = rest > 1e-9 * self.total_length;
        let in_plane = (start - base).dot(self.axes.left).abs() <= IN_PLANE * self.size;
        forks && (rest >= EVEN_FORK * length || in_plane && self.axes.leads_aside(extent(skeleton, bone)))
    }

    /// Whether the last bone of an upward path is a clavicle or a hip.
    fn is_girdle(&self, skeleton: &Skeleton, path: &[usize]) -> bool {
        let [.., second, first] = *path else { return false };
        let third = match path {
            [.., third, _, _] => Some(*third),
            // The handle is on the second bone: the limb continues along the longest branch.
            _ => (0..self.length.len())
                .filter(|&bone| parent_of(skeleton, bone) == Some(second))
                .max_by(|&a, &b| self.length[a].total_cmp(&self.length[b])),
        };
        let is_longer = |bone: usize| length_of(&skeleton.bones[bone]) > length_of(&skeleton.bones[first]);
        let is_shorter = || is_longer(second) && third.is_some_and(is_longer);
        // Legs can be shorter than half the pelvis, or than the way from the chest of a stout animal.
        let is_named = || matches!(bone_role(&skeleton.bones[first]), Some(Role::HipBone | Role::Scapula));
        self.axes.leads_aside(extent(skeleton, first)) && (is_shorter() || is_named())
    }
}

fn extent(skeleton: &Skeleton, bone: usize) -> DVec3 {
    skeleton.bones[bone].extent.as_dvec3()
}

fn length_of(bone: &crate::rig::skeleton::Bone) -> f64 {
    bone.extent.as_dvec3().length()
}
