//! What the generator knows of a body: its legs, trunk, neck, arms and tail, in the axes of the body (x to the left from its
//! middle, y up, z to the front), measured once in the bind pose.

use crate::motion::arm::Arm;
use crate::motion::leg::Leg;
use crate::motion::part::{Part, SkinPoint};
use crate::rig::body::axes::BodyAxes;
use crate::rig::body::feet::{Foot, feet};
use crate::rig::body::limb::{limb, with_ancestors};
use crate::rig::body::middle::BothSides;
use crate::rig::body::roles::{Role, role};
use crate::rig::kinematics::{axes_matrix, parent_of};
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DVec3};
use std::f64::consts::PI;

/// The height of a person in metres: speeds and times of a body follow from its size as if it were as high, so that they do
/// not depend on the unit of the scene.
const PERSON: f64 = 1.75;
/// The acceleration of falling, in m/s².
const GRAVITY: f64 = 9.81;
/// The height of a person as a multiple of that of the hip joints.
const HEIGHT_OF_LEGS: f64 = 1.89;

/// The reason why a skeleton cannot be moved by the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The number of legs with knees and with partners on the other side; two or four are needed.
    Legs(usize),
    /// There is no such motion for this number of legs.
    Motion(usize),
    /// Its legs cannot make this motion: an ankle would rise above its hip.
    Lifted,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Legs(count) => {
                write!(out, "the skeleton has {count} legs with knees in pairs; two or four are needed")
            }
            Self::Lifted => write!(
                out,
                "its legs are too short or bend the wrong way for this motion: an ankle would rise above its hip; \
                 the joints of the legs may be in the wrong places"
            ),
            Self::Motion(legs) => write!(out, "there is no such motion for {legs} legs"),
        }
    }
}

impl std::error::Error for Unfit {}

/// A body.
pub struct Figure {
    /// The axes of the body as columns, in skeleton space.
    pub skeleton_from_body: DMat3,
    pub base: DVec3,
    pub parts: Vec<Part>,
    /// In pairs, the left one first; those farther back first.
    pub legs: Vec<Leg>,
    /// In pairs, the left one first.
    pub arms: Vec<Arm>,
    /// The bone that carries the hind legs, or both; `None` if they start at the base.
    pub pelvis: Option<usize>,
    /// The bones from the pelvis to that which carries arms or forelegs, and how far each is between the two.
    pub spine: Vec<(usize, f64)>,
    /// The bones from there to the end of the head, and how far each is between the two.
    pub neck: Vec<(usize, f64)>,
    /// The bones of the tail, from its root.
    pub tail: Vec<usize>,
    /// The height of the floor.
    pub floor: f64,
    /// The height of the body over the floor.
    pub height: f64,
    /// The height of a person with such legs, from that of the hip joints: the unit of what legs do.
    pub stature: f64,
    /// The acceleration of falling for a body of this size, in scene units per s².
    pub gravity: f64,
}

impl Figure {
    /// Measures a skeleton in its bind pose. `surface` holds points of its skin in skeleton space: they tell where the soles are,
    /// and the ground under the lowest, and how thick bones are. Where there are none, soles are at the tails of the feet, and
    /// bones have their own radii.
    ///
    /// # Errors
    /// If the skeleton has no legs that can be moved.
    pub fn new(skeleton: &Skeleton, surface: &[SkinPoint]) -> Result<Self, Unfit> {
        let axes = BodyAxes::new(skeleton);
        let skeleton_from_body = DMat3::from_cols(axes.left, axes.up, axes.front);
        let body_from_skeleton = skeleton_from_body.transpose();
        let base = body_from_skeleton * skeleton.base.as_dvec3();
        let mut parts: Vec<Part> = Vec::new();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            let parent = parent_of(skeleton, index);
            let extent = body_from_skeleton * bone.extent.as_dvec3();
            let radius = f64::from(bone.radius);
            parts.push(Part {
                parent,
                extent,
                axes: body_from_skeleton * axes_matrix(bone),
                start: parent.map_or(base, |parent| parts[parent].tip()),
                radius,
                limits: bone.limits_deg.bounds().map(|bound| bound.as_dvec3().map(f64::to_radians)),
                mass: if bone.link {
                    0.0
                } else {
                    PI * radius * radius * (extent.length() + 4.0 / 3.0 * radius)
                },
            });
        }
        let found = feet(skeleton);
        let others = BothSides::new(skeleton).others;
        // A body may stand anywhere: what is said of its sides holds from its middle.
        let middle = DVec3::X * middle_between_legs(skeleton, &parts, &found, &others).unwrap_or(base.x);
        let base = base - middle;
        parts.iter_mut().for_each(|part| part.start -= middle);
        let skin: Vec<SkinPoint<DVec3>> = surface
            .iter()
            .map(|point| point.at(body_from_skeleton * point.place.as_dvec3() - middle))
            .collect();
        measure_radii(&mut parts, skin.iter().map(|point| (point.bones[0], point.place)));
        // Of a body that was modelled in a stride, feet may be at different heights.
        let under = |foot: &Foot| {
            let soles = skin.iter().filter(|point| foot.bones.contains(&point.bones[0]));
            let tips = foot.bones.iter().map(|&bone| parts[bone].tip().y);
            let tips = tips.fold(f64::INFINITY, f64::min);
            soles.map(|point| point.place.y).reduce(f64::min).unwrap_or(tips)
        };
        let floor = found.iter().map(under).fold(f64::INFINITY, f64::min);
        let leg = |foot| Leg::new(skeleton, &parts, foot, [floor, under(foot)], &skin);
        let legs = found.iter().filter_map(leg);
        let legs = in_pairs(legs.collect(), &others, |leg| (leg.upper(), leg.side, leg.ankle.z));
        if !matches!(legs.len(), 2 | 4) {
            return Err(Unfit::Legs(legs.len()));
        }
        let is_middle = |bone: usize| others.get(bone).copied().flatten() == Some(bone);
        let attachment = |bone: usize| {
            with_ancestors(skeleton, bone).find(|&bone| is_middle(bone) && !skeleton.bones[bone].link)
        };
        let pelvis = attachment(legs[0].upper());
        let is_above = |upper: usize, lower: usize| with_ancestors(skeleton, lower).any(|bone| bone == upper);
        let is_leg =
            |bone: usize| legs.iter().any(|leg| is_above(leg.upper(), bone) || is_above(bone, leg.upper()));
        let arms = Arm::all(skeleton, &parts, |bone| is_middle(bone) || is_leg(bone));
        let arms = in_pairs(arms, &others, |arm| (arm.upper, arm.side, 0.0));
        let top = parts.iter().map(|part| part.tip().y).fold(f64::NEG_INFINITY, f64::max);

        let head_path = head_path(skeleton, &parts, &is_middle);
        let carriers = legs[2..].iter().map(Leg::upper).chain(arms.iter().map(|arm| arm.upper));
        let carriers: Vec<usize> = carriers.filter_map(attachment).collect();
        let past_pelvis =
            head_path.iter().position(|bone| Some(*bone) == pelvis).map_or(0, |index| index + 1);
        let past_chest =
            head_path.iter().rposition(|bone| carriers.contains(bone)).map_or(0, |index| index + 1);
        let past_chest = past_chest.max(past_pelvis);
        let shares = |bones: &[usize]| -> Vec<(usize, f64)> {
            let count = bones.len() as f64;
            bones.iter().zip(1..).map(|(bone, number)| (*bone, f64::from(number) / count)).collect()
        };
        let (spine, neck) = (shares(&head_path[past_pelvis..past_chest]), shares(&head_path[past_chest..]));
        let tail = tail(&parts, pelvis, |bone| is_middle(bone) && !head_path.contains(&bone));
        let hips = legs[..2].iter().map(|leg| 0.5 * (leg.hip.y - floor)).sum::<f64>();
        let stature = HEIGHT_OF_LEGS * hips;
        let gravity = GRAVITY / PERSON * stature;
        let height = top - floor;
        Ok(Self {
            skeleton_from_body,
            base,
            parts,
            legs,
            arms,
            pelvis,
            spine,
            neck,
            tail,
            floor,
            height,
            stature,
            gravity,
        })
    }

    pub fn is_biped(&self) -> bool {
        self.legs.len() == 2
    }

    /// The bone that carries arms or forelegs, if any.
    pub fn chest(&self) -> Option<usize> {
        self.spine.last().map_or(self.pelvis, |(bone, _)| Some(*bone))
    }
}

/// Returns where the middle between the hip joints of legs that have partners is, across the body.
fn middle_between_legs(
    skeleton: &Skeleton,
    parts: &[Part],
    feet: &[Foot],
    others: &[Option<usize>],
) -> Option<f64> {
    let upper =
        |foot: &Foot| with_ancestors(skeleton, foot.bone).take(limb(skeleton, foot.bone) as usize).last();
    let uppers: Vec<usize> = feet.iter().filter_map(upper).collect();
    let has_partner = |upper: &&usize| {
        let other = others.get(**upper).copied().flatten();
        other.is_some_and(|other| other != **upper && uppers.contains(&other))
    };
    let hips: Vec<f64> = uppers.iter().filter(has_partner).map(|&upper| parts[upper].start.x).collect();
    (!hips.is_empty()).then(|| hips.iter().sum::<f64>() / hips.len() as f64)
}

/// The share of the directions around a bone in which its points are within its radius.
const WITHIN: f64 = 0.6;
/// The number of these directions. Each counts alike, however many points there are, so that a thin part beside a bone, such as a
/// ponytail, counts for little.
const SECTORS: usize = 16;

/// Sets the radii of bones that have points to how far most of these are from them.
fn measure_radii(parts: &mut [Part], surface: impl Iterator<Item = (usize, DVec3)>) {
    let mut distances: Vec<Vec<(f64, usize)>> = vec![Vec::new(); parts.len()];
    for (bone, point) in surface.filter(|(bone, _)| *bone < parts.len()) {
        let part = &parts[bone];
        let along =
            (point - part.start).dot(part.extent) / part.extent.length_squared().max(f64::MIN_POSITIVE);
        // Points beyond the ends tell nothing of the thickness.
        if (0.0..=1.0).contains(&along) {
            let aside = point - part.start - along * part.extent;
            let (right, up) = part.extent.normalize_or(DVec3::Y).any_orthonormal_pair();
            let turns = aside.dot(right).atan2(aside.dot(up)) / (2.0 * PI) + 0.5;
            distances[bone].push((aside.length(), (turns * SECTORS as f64) as usize % SECTORS));
        }
    }
    for (part, distances) in parts.iter_mut().zip(&mut distances) {
        let mut counts = [0.0; SECTORS];
        distances.iter().for_each(|(_, sector)| counts[*sector] += 1.0);
        distances.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut missing = WITHIN * counts.iter().filter(|count| **count > 0.0).count() as f64;
        let is_last = |(_, sector): &&(f64, usize)| {
            missing -= 1.0 / counts[*sector];
            missing <= 0.0
        };
        if let Some((distance, _)) = distances.iter().find(is_last) {
            part.radius = *distance;
        }
    }
}

/// Returns the limbs that have a partner, each left one followed by the right one, ascending by the third part of `key`. It
/// also returns the first bone and the side.
fn in_pairs<T>(limbs: Vec<T>, others: &[Option<usize>], key: impl Fn(&T) -> (usize, f64, f64)) -> Vec<T> {
    let mut limbs: Vec<Option<T>> = limbs.into_iter().map(Some).collect();
    let mut pairs = Vec::new();
    for left in 0..limbs.len() {
        let Some((bone, side, place)) = limbs[left].as_ref().map(&key) else { continue };
        let other = others.get(bone).copied().flatten().filter(|_| side > 0.0);
        let is_other = |limb: &Option<T>| limb.as_ref().is_some_and(|limb| Some(key(limb).0) == other);
        if let Some(right) = limbs.iter().position(is_other).filter(|right| *right != left) {
            pairs.extend(limbs[left].take().zip(limbs[right].take()).map(|pair| (place, pair)));
        }
    }
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs.into_iter().flat_map(|(_, (left, right))| [left, right]).collect()
}

/// Returns the bones in the middle from the root to the head: that of this name, or the one whose tip is the farthest up and
/// to the front.
fn head_path(skeleton: &Skeleton, parts: &[Part], is_middle: &impl Fn(usize) -> bool) -> Vec<usize> {
    let middle = || (0..parts.len()).filter(|&bone| is_middle(bone) && !skeleton.bones[bone].link);
    let is_named = |bone: &usize| skeleton.bones[*bone].name.as_deref().and_then(role) == Some(Role::Head);
    let reach = |bone: &usize| parts[*bone].tip().y + parts[*bone].tip().z;
    let head = middle().find(is_named).or_else(|| middle().max_by(|a, b| reach(a).total_cmp(&reach(b))));
    let mut path: Vec<usize> = head.into_iter().flat_map(|bone| with_ancestors(skeleton, bone)).collect();
    path.retain(|&bone| is_middle(bone) && !skeleton.bones[bone].link);
    path.reverse();
    path
}

/// Returns the longest chain of `free` bones that starts at the pelvis, or at the base, and leads back.
fn tail(parts: &[Part], pelvis: Option<usize>, free: impl Fn(usize) -> bool) -> Vec<usize> {
    let starts = |bone: &usize| free(*bone) && Some(*bone) != pelvis && parts[*bone].parent == pelvis;
    let Some(root) = (0..parts.len()).find(|bone| starts(bone) && parts[*bone].extent.z < 0.0) else {
        return Vec::new();
    };
    let next =
        |bone: &usize| (bone + 1..parts.len()).find(|next| free(*next) && parts[*next].parent == Some(*bone));
    std::iter::successors(Some(root), next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::human;
    use glam::Vec3;

    /// Hair behind the back that has more points than the trunk, and follows its bones.
    #[test]
    fn thin_parts_beside_a_bone_do_not_make_it_thicker() {
        let skeleton = human();
        let bone = (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == "spine2").unwrap();
        let tips = ossature_rig::rig::kinematics::bind_tips(&skeleton);
        let start = tips[parent_of(&skeleton, bone).unwrap()].as_vec3();
        let point = |along: f32, offset: Vec3| SkinPoint {
            place: start + along * skeleton.bones[bone].extent + offset,
            bones: [bone; 2],
            second: 0.0,
        };
        let rings = (1..5).flat_map(|ring| (0..24).map(move |step| (0.2 * ring as f32, step as f32 / 24.0)));
        let rings = rings.map(|(along, turn)| (along, (turn * 2.0 * PI as f32).sin_cos()));
        let mut skin: Vec<SkinPoint> = rings
            .map(|(along, (sine, cosine))| point(along, Vec3::new(0.6 * sine, 0.0, 0.4 * cosine)))
            .collect();
        let radius = |skin: &[SkinPoint]| Figure::new(&skeleton, skin).unwrap().parts[bone].radius;
        let without = radius(&skin);
        assert!(without > 0.4 && without < 0.6, "{without}");
        let hair = (0..1000).map(|step| step as f32 / 1000.0);
        skin.extend(
            hair.map(|step| point(0.1 + 0.8 * step, Vec3::new(0.1 * (99.0 * step).sin(), 0.0, -1.5))),
        );
        let with = radius(&skin);
        assert!((with - without).abs() < 0.1 * without, "{with} instead of {without}");
    }
}
