//! Where up, front and left are for a body: found from its legs in the bind pose, since files differ in their axes.

use crate::rig::body::roles::{is_above_knee, is_of_leg};
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::{Bone, Skeleton};
use glam::DVec3;

/// The height above the lowest tail, as a fraction of the size, below which legs end.
const NEAR_FLOOR: f64 = 0.1;
/// The fraction of its length by which a bone of a leg goes down.
const STEEP: f64 = 0.5;
/// The fraction of its length by which a bone points across the plane of symmetry if it leads aside.
const ASIDE: f64 = 0.25;
/// The least length of legs whose bones have no names that tell, as a fraction of the size.
const LEG: f64 = 0.25;
/// The share of their length by which the bones of the feet must point to one side to tell the front.
const CLEAR: f64 = 0.1;
/// The distance of knees from the lines between the ends of their legs, as a fraction of the length of the legs, that
/// tells the front.
const BENT: f64 = 0.02;
/// The length of legs along an axis other than y, as a multiple of that along y, from which on it is up.
const CLEARLY_UP: f64 = 1.5;

/// The directions of a body in skeleton space: coordinate axes or their opposites, of a right-handed system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyAxes {
    pub left: DVec3,
    pub up: DVec3,
    pub front: DVec3,
}

impl Default for BodyAxes {
    /// Left is +x, up +y, front +z.
    fn default() -> Self {
        Self { left: DVec3::X, up: DVec3::Y, front: DVec3::Z }
    }
}

/// A leg: its ends, its knee (the joint farthest from the line between them), and where its foot points.
struct Leg {
    top: DVec3,
    end: DVec3,
    joints: Vec<DVec3>,
    /// The sum of the extents of the bones that end near the floor, and that of their lengths.
    foot: (DVec3, f64),
}

impl BodyAxes {
    /// Finds the axes of a skeleton. Up is the axis along which legs are the longest: chains of bones in which at least
    /// two go down to the lowest tails. Legs are paired across the left axis, and feet or else knees point to the front.
    /// A body without legs has the default axes.
    pub fn new(skeleton: &Skeleton) -> Self {
        let base = skeleton.base.as_dvec3();
        let mut tips: Vec<DVec3> = Vec::with_capacity(skeleton.bones.len());
        for (index, bone) in skeleton.bones.iter().enumerate() {
            let start = parent_of(skeleton, index).map_or(base, |parent| tips[parent]);
            tips.push(start + bone.extent.as_dvec3());
        }
        let legs = |up: DVec3| legs(skeleton, &tips, up);
        let length = |legs: &[Leg], up: DVec3| match legs.len() {
            0 | 1 => 0.0,
            _ => legs.iter().map(|leg| (leg.top - leg.end).dot(up)).sum(),
        };
        let usual = legs(DVec3::Y);
        let usual_length = CLEARLY_UP * length(&usual, DVec3::Y);
        // Legs are not longer than all that goes down: most axes are ruled out by that.
        let descent = |up: DVec3| skeleton.bones.iter().filter_map(|bone| descent(bone, up)).sum::<f64>();
        let others = [DVec3::Z, DVec3::NEG_Z, DVec3::NEG_Y, DVec3::X, DVec3::NEG_X].into_iter();
        let others = others.filter(|up| descent(*up) > usual_length).map(|up| (up, legs(up)));
        let longest = others.max_by(|a, b| length(&a.1, a.0).total_cmp(&length(&b.1, b.0)));
        let (up, legs) = match longest {
            Some((up, legs)) if length(&legs, up) > usual_length => (up, legs),
            _ => (DVec3::Y, usual),
        };
        let left = left_axis(&legs, base, up).unwrap_or(if up.x == 0.0 { DVec3::X } else { DVec3::Y });
        let front = left.cross(up);
        let front = if points_back(&legs, front) { -front } else { front };
        Self { left: up.cross(front), up, front }
    }

    /// Whether a bone with this extent points out of the plane of symmetry.
    pub fn leads_aside(&self, extent: DVec3) -> bool {
        extent.dot(self.left).abs() > ASIDE * extent.length()
    }
}

/// Returns by how much a bone goes down; `None` if it is not steep.
fn descent(bone: &Bone, up: DVec3) -> Option<f64> {
    let extent = bone.extent.as_dvec3();
    let descent = -extent.dot(up);
    (descent > 0.0 && descent * descent > STEEP * STEEP * extent.length_squared()).then_some(descent)
}

/// Returns the legs of a body that is upright along `up`.
fn legs(skeleton: &Skeleton, tips: &[DVec3], up: DVec3) -> Vec<Leg> {
    let base = skeleton.base.as_dvec3();
    let heights = || tips.iter().map(|tip| tip.dot(up));
    let low = heights().fold(f64::INFINITY, f64::min);
    let corners = tips.iter().fold((base, base), |(low, high), tip| (low.min(*tip), high.max(*tip)));
    let size = (corners.1 - corners.0).max_element();
    let floor = low + NEAR_FLOOR * size;
    let goes_down = |bone: usize| descent(&skeleton.bones[bone], up).is_some();
    let is_low = |bone: usize| tips[bone].dot(up) <= floor && !is_above_knee(&skeleton.bones[bone]);
    // A leg begins at the first of the bones that go down to where it is near the floor.
    let mut tops: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for ankle in 0..tips.len() {
        let parent = parent_of(skeleton, ankle);
        if !is_low(ankle) || !goes_down(ankle) || parent.is_some_and(is_low) {
            continue;
        }
        let path = std::iter::successors(Some(ankle), |&bone| {
            parent_of(skeleton, bone).filter(|&parent| goes_down(parent))
        });
        let path: Vec<usize> = path.collect();
        let top = path[path.len() - 1];
        let start = tips[top] - skeleton.bones[top].extent.as_dvec3();
        let is_long = || (start - tips[ankle]).dot(up) >= LEG * size;
        let is_named = || path.iter().any(|&bone| is_of_leg(&skeleton.bones[bone]));
        if tops.contains(&top) || !is_long() && !is_named() {
            continue;
        }
        tops.push(top);
        let below = (ankle + 1..tips.len()).scan(vec![ankle], |leg, bone| {
            let belongs = parent_of(skeleton, bone).is_some_and(|parent| leg.contains(&parent));
            belongs.then(|| leg.push(bone));
            Some(belongs.then_some(bone))
        });
        let foot = below.flatten().map(|bone| skeleton.bones[bone].extent.as_dvec3());
        let foot = foot.fold((DVec3::ZERO, 0.0), |(sum, length), v| (sum + v, length + v.length()));
        found.push(Leg {
            top: start,
            end: tips[ankle],
            joints: path[1..].iter().map(|&bone| tips[bone]).collect(),
            foot,
        });
    }
    found
}

/// Returns the horizontal axis across which every leg has a partner: x, unless only another one is.
fn left_axis(legs: &[Leg], base: DVec3, up: DVec3) -> Option<DVec3> {
    let size = legs.iter().map(|leg| leg.top.distance(leg.end)).fold(0.0, f64::max);
    let pairs = |axis: &DVec3| {
        let reflected = |point: DVec3| point - 2.0 * (point - base).dot(*axis) * *axis;
        let is_image = |leg: &Leg, other: &Leg| other.end.distance(reflected(leg.end)) < NEAR_FLOOR * size;
        let has_partner =
            |leg: &Leg| legs.iter().any(|other| !std::ptr::eq(leg, other) && is_image(leg, other));
        legs.len() > 1 && legs.iter().all(has_partner)
    };
    [DVec3::X, DVec3::Y, DVec3::Z].into_iter().filter(|axis| axis.dot(up) == 0.0).find(pairs)
}

/// Whether the feet, or else the knees, of a body point opposite to `front`.
fn points_back(legs: &[Leg], front: DVec3) -> bool {
    let feet =
        legs.iter().fold((DVec3::ZERO, 0.0), |(sum, length), leg| (sum + leg.foot.0, length + leg.foot.1));
    let toes = feet.0.dot(front);
    if toes.abs() > CLEAR * feet.1.max(f64::MIN_POSITIVE) {
        return toes < 0.0;
    }
    let bend = |leg: &Leg| {
        let line = leg.end - leg.top;
        let offset = |joint: &DVec3| {
            let along = (*joint - leg.top).dot(line) / line.length_squared();
            (*joint - (leg.top + along * line)).dot(front)
        };
        let offsets = leg.joints.iter().map(offset);
        offsets.fold(0.0, |most: f64, offset| if offset.abs() > most.abs() { offset } else { most })
    };
    let length: f64 = legs.iter().map(|leg| leg.top.distance(leg.end)).sum();
    let knees: f64 = legs.iter().map(bend).sum();
    knees < -BENT * length
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    /// A person in a T-pose: pelvis, chest, arms to the sides, legs with knees, and with feet or none.
    fn person(has_feet: bool) -> Skeleton {
        let bone = |parent, x, y, z| Bone { parent, extent: Vec3::new(x, y, z), ..Bone::default() };
        let mut bones = vec![bone(None, 0.0, 0.5, 0.0), bone(Some(0), 0.0, 0.3, 0.0)];
        for side in [1.0, -1.0] {
            let first = bones.len() as u32;
            bones.push(bone(Some(0), 0.4 * side, 0.0, 0.0));
            bones.push(bone(Some(first), 0.4 * side, 0.0, 0.0));
            bones.push(bone(None, 0.1 * side, 0.0, 0.0));
            bones.push(bone(Some(first + 2), 0.0, -0.45, 0.02));
            bones.push(bone(Some(first + 3), 0.0, -0.4, -0.05));
            bones.extend(has_feet.then(|| bone(Some(first + 4), 0.0, -0.05, 0.15)));
        }
        Skeleton { bones, base: Vec3::new(0.0, 0.9, 0.0), ..Skeleton::default() }
    }

    fn turned(mut skeleton: Skeleton, rotation: Quat) -> Skeleton {
        skeleton.base = rotation * skeleton.base;
        skeleton.bones.iter_mut().for_each(|bone| bone.extent = rotation * bone.extent);
        skeleton
    }

    #[test]
    fn the_axes_turn_with_the_body() {
        assert_eq!(BodyAxes::new(&person(true)), BodyAxes::default());
        let quarter = std::f32::consts::FRAC_PI_2;
        for turn in [
            Quat::from_rotation_x(quarter),
            Quat::from_rotation_x(-quarter),
            Quat::from_rotation_z(quarter),
            Quat::from_rotation_y(quarter),
            Quat::from_rotation_y(2.0 * quarter),
            Quat::from_rotation_x(quarter) * Quat::from_rotation_y(-quarter),
        ] {
            let found = BodyAxes::new(&turned(person(true), turn));
            let usual = BodyAxes::default();
            for (found, usual) in [(found.left, usual.left), (found.up, usual.up), (found.front, usual.front)]
            {
                assert!(found.abs_diff_eq(turn.as_dquat() * usual, 1e-6), "{turn}: {found} {usual}");
            }
        }
    }

    #[test]
    fn knees_tell_the_front_of_a_body_without_feet() {
        let skeleton = turned(person(false), Quat::from_rotation_y(std::f32::consts::PI));
        assert_eq!(BodyAxes::new(&skeleton).front, DVec3::NEG_Z);
    }

    #[test]
    fn a_body_without_legs_has_the_usual_axes() {
        let bone = |parent, extent| Bone { parent, extent, ..Bone::default() };
        let snake = (0..6).map(|index| bone(u32::checked_sub(index, 1), Vec3::Z));
        for bones in [snake.collect(), vec![bone(None, Vec3::NEG_Z)], Vec::new()] {
            let skeleton = Skeleton { bones, ..Skeleton::default() };
            assert_eq!(BodyAxes::new(&skeleton), BodyAxes::default());
        }
    }
}
