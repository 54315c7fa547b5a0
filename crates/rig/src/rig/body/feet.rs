//! The bones that a skeleton stands on: those that end near the floor in the bind pose. A pinned one carries
//! the body (see `objective::balance`); [`feet`] determines which bone of a leg is its foot.

use super::axes::BodyAxes;
use super::joint::{STRAIGHT, two_bones};
use super::limb::{IN_PLANE, with_ancestors};
use crate::rig::body::roles::{self, Role, is_above_knee};
use crate::rig::kinematics::{bind_pose, current_pose, parent_of, parent_past_links, rotation_axes, tips};
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Vec3};

/// The height above the lowest tip, as a fraction of the skeleton's height, below which feet end.
const NEAR_FLOOR: f64 = 0.1;
/// How far a foot is above its place in the bind pose, as a fraction of the height, from which on it is in the air.
/// In A4-human-walk.js3d a bone of a standing foot is at most 0.0081 up; the lowest of a swinging one 0.013 to 0.047.
const LIFTED: f64 = 0.01;
/// The same for the lowest foot where none is lower: walks are recorded and drawn with the toes on which a body rolls off
/// a little above the floor, up to 0.023 in CesiumMan.gltf, which has both feet in the air only farther up.
const LIFTED_ALONE: f64 = 0.03;
/// The fraction of its length by which a bone goes down if it is a shin, or the cannon of a horse; the foot
/// comes below it.
const STEEP: f64 = 0.8;

/// A little bend of a knee (degrees).
const KNEE_BEND_DEG: f32 = 20.0;

/// The bones on which a leg stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foot {
    /// The bone to pin.
    pub bone: usize,
    /// All bones of the leg that end near the floor, from the ankle on, including the foot.
    pub bones: Vec<usize>,
}

/// Where the bones of a skeleton end above the ground in the bind pose.
#[derive(Default)]
pub struct Ground {
    pub axes: BodyAxes,
    /// What it was computed for: base, and parents and extents of bones.
    base: Vec3,
    shape: Vec<(Option<u32>, Vec3)>,
    /// The height of each bone's tip.
    pub heights: Vec<f64>,
    /// The greatest height at which a foot ends.
    floor: f64,
}

impl Ground {
    /// Computes it for a skeleton, unless its shape is the same as before, and reuses the memory.
    pub fn set(&mut self, skeleton: &Skeleton) {
        let Self { axes, base, shape, heights, .. } = self;
        let current = skeleton.bones.iter().map(|bone| (bone.parent, bone.extent));
        if *base == skeleton.base && shape.iter().copied().eq(current.clone()) {
            return;
        }
        *base = skeleton.base;
        shape.clear();
        shape.extend(current);
        *axes = BodyAxes::new(skeleton);
        let height = |point: Vec3| point.as_dvec3().dot(axes.up);
        heights.clear();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            let start = match parent_of(skeleton, index) {
                Some(parent) => heights[parent],
                None => height(skeleton.base),
            };
            heights.push(start + height(bone.extent));
        }
        let (low, high) = self.height_range();
        self.floor = low + NEAR_FLOOR * (high - low);
    }

    /// Returns the lowest and the greatest height at which a bone ends.
    fn height_range(&self) -> (f64, f64) {
        self.heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), height| {
            (low.min(*height), high.max(*height))
        })
    }

    /// Whether a bone ends near the floor, as all bones do that a body stands on.
    pub fn carries(&self, bone: usize) -> bool {
        self.heights[bone] <= self.floor
    }
}

/// Returns the feet of all legs: limbs with a knee, off the plane of symmetry, that end near the floor with
/// all their descendants. Where knees are near the floor too, as those of a chibi, names tell them from ankles.
/// A lamp and a fish have none.
pub fn feet(skeleton: &Skeleton) -> Vec<Foot> {
    let mut ground = Ground::default();
    ground.set(skeleton);
    let ends_low = |bone: usize| ground.carries(bone) && !is_above_knee(&skeleton.bones[bone]);
    let mut is_low: Vec<bool> = (0..skeleton.bones.len()).map(ends_low).collect();
    for bone in (0..is_low.len()).rev() {
        if let Some(parent) = parent_of(skeleton, bone) {
            is_low[parent] &= is_low[bone];
        }
    }
    let tips = tips(skeleton, &bind_pose(skeleton));
    let base = skeleton.base.as_dvec3();
    let size = tips.iter().fold(0.0, |size: f64, tip| size.max((*tip - base).abs().max_element()));
    let is_ankle = |&bone: &usize| {
        let is_first = is_low[bone] && parent_of(skeleton, bone).is_some_and(|parent| !is_low[parent]);
        is_first
            && (tips[bone] - base).dot(ground.axes.left).abs() > IN_PLANE * size
            && two_bones(skeleton, bone).is_some()
    };
    let ankles = (0..is_low.len()).filter(is_ankle);
    ankles.filter_map(|ankle| foot(skeleton, ankle, ground.axes.up)).collect()
}

/// Whether a foot hangs from a bone.
pub fn is_leg(skeleton: &Skeleton, bone: usize) -> bool {
    feet(skeleton).iter().any(|foot| with_ancestors(skeleton, foot.bone).any(|above| above == bone))
}

/// Returns the knees of all legs, the lower of whose bones they are, each with a pose (degrees) in which it is bent a
/// little: as in the bind pose, or if legs are straight there, to the front.
pub fn knee_bends(skeleton: &Skeleton) -> Vec<(usize, Vec3)> {
    let front = BodyAxes::new(skeleton).front;
    let bind = bind_pose(skeleton);
    let bend = |foot: Foot| {
        let (lower, _) = two_bones(skeleton, foot.bone)?;
        let upper = parent_past_links(skeleton, lower)?;
        let [hip, knee] = [upper, lower].map(|bone| bind[bone].translation);
        let extent = skeleton.bones[lower].extent.as_dvec3();
        let line = (knee + extent - hip).try_normalize()?;
        let offset = (knee - hip).reject_from_normalized(line);
        let straight = STRAIGHT * (knee.distance(hip) + extent.length());
        let side = if offset.length() < straight { front } else { offset };
        // Rotating about it moves the ankle away from that side.
        let axis = side.cross(line).try_normalize()?;
        let along = rotation_axes(&skeleton.bones[lower]).map(|rotation_axis| rotation_axis.dot(axis));
        let most = (0..3).max_by(|a: &usize, b| along[*a].abs().total_cmp(&along[*b].abs()))?;
        let mut bend_deg = Vec3::ZERO;
        bend_deg[most] = KNEE_BEND_DEG * along[most].signum() as f32;
        Some((lower, bend_deg))
    };
    feet(skeleton).into_iter().filter_map(bend).collect()
}

/// Returns the feet that are on the floor in the current pose: a bone of each ends about as low as in the bind pose. Where
/// none does, the lowest foot is on the floor unless it is clearly above.
pub fn feet_on_floor(skeleton: &Skeleton) -> Vec<Foot> {
    let mut ground = Ground::default();
    ground.set(skeleton);
    let height = |tip: DVec3| tip.dot(ground.axes.up);
    let (low, high) = ground.height_range();
    let now = tips(skeleton, &current_pose(skeleton));
    let lift = |foot: &Foot| {
        let lifts = foot.bones.iter().map(|&bone| height(now[bone]) - ground.heights[bone]);
        lifts.fold(f64::INFINITY, f64::min) / (high - low)
    };
    let mut feet = feet(skeleton);
    let lowest = feet.iter().map(lift).fold(f64::INFINITY, f64::min);
    let most = if lowest < LIFTED { LIFTED } else { LIFTED_ALONE.min(lowest.next_up()) };
    feet.retain(|foot| lift(foot) < most);
    feet
}

/// Returns the bone that leads the body: the lowest one above all feet. Where several roots carry them, it is the lowest one
/// above the feet of that root which has the most, and among equals of that which is nearest to the base, such as the pelvis
/// of an animal whose spine is a root too. If every leg is a root, it is the root of the rest of the body that carries the
/// most; above a single foot, it is its root. `None` without feet, and if there are only legs.
pub fn hips(skeleton: &Skeleton) -> Option<usize> {
    let feet: Vec<usize> = feet(skeleton).iter().map(|foot| foot.bone).collect();
    if let &[foot] = &feet[..] {
        return with_ancestors(skeleton, foot).last();
    }
    let roots = (0..skeleton.bones.len()).filter(|&bone| parent_of(skeleton, bone).is_none());
    let base = skeleton.base.as_dvec3();
    let bind = bind_pose(skeleton);
    let root_of: Vec<Option<usize>> =
        (0..bind.len()).map(|bone| with_ancestors(skeleton, bone).last()).collect();
    let lead = |root: usize| {
        let feet: Vec<usize> = feet.iter().copied().filter(|foot| root_of[*foot] == Some(root)).collect();
        // One leg alone has no bone above it that is known to be none of its own.
        let bone = shared(skeleton, &feet).filter(|_| feet.len() > 1)?;
        Some((bone, feet.len(), bind[bone].translation.distance(base)))
    };
    let leads = roots.clone().filter_map(lead);
    if let Some((bone, ..)) = leads.min_by(|a, b| b.1.cmp(&a.1).then(a.2.total_cmp(&b.2))) {
        return Some(bone);
    }
    let length = |root: usize| -> f64 {
        let carried = skeleton.bones.iter().zip(&root_of).filter(|(_, above)| **above == Some(root));
        carried.map(|(bone, _)| bone.extent.as_dvec3().length()).sum()
    };
    let is_leg = |root: usize| feet.iter().any(|foot| root_of[*foot] == Some(root));
    let rest = roots.filter(|&root| !feet.is_empty() && !skeleton.bones[root].link && !is_leg(root));
    rest.max_by(|a, b| length(*a).total_cmp(&length(*b)))
}

/// Returns the lowest bone above all of these feet, other than a link.
fn shared(skeleton: &Skeleton, feet: &[usize]) -> Option<usize> {
    let (first, others) = feet.split_first()?;
    let is_above = |bone: usize, foot: usize| with_ancestors(skeleton, foot).any(|above| above == bone);
    let mut shared =
        with_ancestors(skeleton, *first).filter(|&bone| others.iter().all(|foot| is_above(bone, *foot)));
    shared.find(|&bone| !skeleton.bones[bone].link)
}

/// Returns the bone to pin when this one is clicked. For the joints of a foot (the ankle, which is the tail of the bone
/// above it, and the toes), that is the foot, which should stay flat.
pub fn pinned_bone(skeleton: &Skeleton, bone: usize) -> usize {
    let is_of_foot =
        |foot: &Foot| foot.bones.contains(&bone) || parent_past_links(skeleton, foot.bone) == Some(bone);
    feet(skeleton).into_iter().find(is_of_foot).map_or(bone, |foot| foot.bone)
}

fn foot(skeleton: &Skeleton, ankle: usize, up: DVec3) -> Option<Foot> {
    let mut bones = vec![ankle];
    for bone in ankle + 1..skeleton.bones.len() {
        if parent_of(skeleton, bone).is_some_and(|parent| bones.contains(&parent)) {
            bones.push(bone);
        }
    }
    let is_named = |bone: &usize| {
        let name = skeleton.bones[*bone].name.as_deref();
        name.and_then(roles::role) == Some(Role::Foot)
    };
    if let Some(bone) = bones.iter().copied().find(is_named) {
        return Some(Foot { bone, bones });
    }
    let length = |bone: usize| skeleton.bones[bone].extent.as_dvec3().length();
    let next_towards_foot = |&bone: &usize| {
        let next = bones.iter().copied().filter(|next| parent_of(skeleton, *next) == Some(bone));
        let next = next.max_by(|a, b| length(*a).total_cmp(&length(*b)))?;
        let this = &skeleton.bones[bone];
        let is_steep = -this.extent.as_dvec3().dot(up) > STEEP * length(bone);
        (this.link || is_steep).then_some(next)
    };
    let bone = std::iter::successors(Some(ankle), next_towards_foot).last()?;
    (!skeleton.bones[bone].link).then_some(Foot { bone, bones })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::Quat;

    fn bone(parent: Option<u32>, x: f32, y: f32, z: f32) -> Bone {
        Bone { parent, extent: Vec3::new(x, y, z), ..Bone::default() }
    }

    fn found(base: f32, bones: Vec<Bone>) -> Vec<usize> {
        let base = Vec3::new(0.0, base, 0.0);
        let skeleton = Skeleton { base, bones, ..Skeleton::default() };
        feet(&skeleton).iter().map(|foot| foot.bone).collect()
    }

    /// Returns a spine with a leg on either side: hip, thigh, shin, and the bones `end` below.
    fn biped(end: &[Vec3]) -> Vec<Bone> {
        let mut bones = vec![bone(None, 0.0, 1.0, 0.0)];
        for side in [1.0, -1.0] {
            let hip = bones.len() as u32;
            bones.push(bone(None, 0.2 * side, 0.0, 0.0));
            bones.push(bone(Some(hip), 0.0, -0.5, 0.05));
            bones.push(bone(Some(hip + 1), 0.0, -0.4, -0.05));
            for (parent, end) in (hip + 2..).zip(end) {
                bones.push(bone(Some(parent), end.x, end.y, end.z));
            }
        }
        bones
    }

    #[test]
    fn a_foot_is_below_the_ankle_or_else_the_shin() {
        let foot = Vec3::new(0.0, -0.1, 0.2);
        let toes = Vec3::new(0.0, 0.0, 0.1);
        assert_eq!(found(1.0, biped(&[foot, toes])), [4, 9]);
        assert_eq!(found(1.0, biped(&[foot])), [4, 8]);
        assert_eq!(found(0.9, biped(&[])), [3, 6]);
        // Standing on its toes: the bone that leads to them is steep.
        let cannon = Vec3::new(0.0, -0.1, 0.01);
        assert_eq!(found(1.0, biped(&[cannon, toes])), [5, 10]);
        // A bone high above the lowest tip is not a foot.
        let mut lame = biped(&[foot, toes]);
        lame[2].extent.y = -0.1;
        assert_eq!(found(1.0, lame), [9]);
    }

    /// Knees as low as ankles of other bodies: names tell them apart, and where the body is turned to.
    #[test]
    fn names_tell_low_knees_from_ankles() {
        let names = ["pelvis", "hip", "thigh", "shin", "foot", "toes"];
        for names in [names, ["Hips", "HipJoint", "UpLeg", "Leg", "Foot", "ToeBase"]] {
            let mut bones = biped(&[Vec3::new(0.0, -0.05, 0.2), Vec3::new(0.0, 0.0, 0.1)]);
            for leg in [2, 7] {
                (bones[leg].extent, bones[leg + 1].extent) = (Vec3::NEG_Y * 0.15, Vec3::NEG_Y * 0.1);
            }
            for (bone, name) in bones.iter_mut().zip([&names[..], &names[1..]].concat()) {
                bone.name = Some(name.into());
            }
            assert_eq!(found(0.3, bones.clone()), [4, 9]);
            let turn = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
            bones.iter_mut().for_each(|bone| bone.extent = turn * bone.extent);
            let skeleton = Skeleton { base: Vec3::Z * 0.3, bones, ..Skeleton::default() };
            assert_eq!(BodyAxes::new(&skeleton).up, DVec3::Z);
            assert_eq!(feet(&skeleton).iter().map(|foot| foot.bone).collect::<Vec<_>>(), [4, 9]);
        }
    }

    /// The bone that leads the body: above all feet, nearest to the base if none is, and no part of a leg.
    #[test]
    fn hips_are_above_the_feet() {
        let led = |bones: Vec<Bone>| hips(&Skeleton { base: Vec3::Y, bones, ..Skeleton::default() });
        let foot = [Vec3::new(0.0, -0.1, 0.2)];
        // Every leg is a root, and so is the spine; alone, they have nothing above them.
        let mut legs = biped(&foot);
        assert_eq!(found(1.0, legs.clone()), [4, 8]);
        assert_eq!(led(legs.clone()), Some(0));
        let only_legs = legs.drain(1..).map(|bone| Bone { parent: bone.parent.map(|at| at - 1), ..bone });
        assert_eq!(led(only_legs.collect()), None);
        // An animal: the chest with the forelegs at the end of the spine, and the pelvis with the hind legs, or all on it.
        let mut animal =
            vec![bone(None, 0.0, 0.1, 0.6), bone(Some(0), 0.0, 0.1, 0.3), bone(None, 0.0, 0.0, -0.4)];
        for (parent, z) in [(1, 0.05), (2, -0.05)] {
            for side in [1.0, -1.0] {
                let hip = animal.len() as u32;
                let height = if parent == 1 { 0.2 } else { 0.0 };
                animal.push(bone(Some(parent), 0.2 * side, -height, 0.0));
                animal.push(bone(Some(hip), 0.0, -0.5, z));
                animal.push(bone(Some(hip + 1), 0.0, -0.4, -z));
                animal.push(bone(Some(hip + 2), 0.0, -0.1, 0.1));
            }
        }
        assert_eq!(led(animal.clone()), Some(2));
        animal[2].parent = Some(0);
        assert_eq!(led(animal), Some(0));
        assert_eq!(led(vec![bone(None, 0.0, 1.0, 0.0)]), None);
        assert_eq!(led(Vec::new()), None);
    }

    #[test]
    fn skeletons_without_legs_have_no_feet() {
        let lamp = vec![
            bone(None, 0.0, 0.1, 0.0),
            bone(Some(0), 0.0, 1.0, 0.3),
            bone(Some(1), 0.0, 1.0, -0.3),
            bone(Some(2), 0.0, -0.1, 0.4),
        ];
        assert_eq!(found(0.0, lamp), [0; 0]);
        let fish = vec![
            bone(None, 0.0, 0.0, 1.0),
            bone(Some(0), 0.0, 0.0, 1.0),
            bone(Some(1), 0.0, 0.3, 0.5),
            bone(Some(1), 0.0, -0.3, 0.5),
            bone(Some(0), 0.2, -0.3, 0.0),
            bone(Some(0), -0.2, -0.3, 0.0),
        ];
        assert_eq!(found(0.0, fish), [0; 0]);
        let snake = (0..6).map(|index| bone(u32::checked_sub(index, 1), 0.0, 0.0, 1.0));
        assert_eq!(found(0.0, snake.collect()), [0; 0]);
        assert_eq!(found(0.0, Vec::new()), [0; 0]);
    }
}
