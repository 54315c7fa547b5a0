//! The symmetry plane of a character, for operations that mirror without moving: it need not pass through the
//! origin or be perpendicular to x.

mod by_position;

use super::axes::BodyAxes;
use super::mirror_plane::MirrorPlane;
use super::side_names::flipped;
use super::sides::{Sides, other_sides};
use crate::math::axis::Axis;
use crate::rig::skeleton::Skeleton;
use by_position::{EXACT, NOT_ROTATED, SearchResult, fits, search};
use glam::DVec3;

/// The minimum offset, as a fraction of the largest side of the box around all bones, from which a middle is
/// used even if the pairs do not agree on it exactly.
const FAR: f64 = 0.03;

/// The cosine of the angle, 45 degrees, up to which a plane that positions alone tell may turn from that between the legs.
const LIKE_LEGS: f64 = 0.7;

/// The two sides of a skeleton.
pub struct BothSides {
    /// The plane between the sides, its normal to the left: the plane between most of the bones whose names include a
    /// side; x = 0 if bones are symmetric about it in the bind pose, or else the plane about which most of them are,
    /// unless the legs disagree.
    pub plane: MirrorPlane,
    /// The other side of each bone about that plane: see [`super::sides::other_sides`].
    pub others: Vec<Option<usize>>,
    /// Whether names give no pairs, and positions allow several.
    is_ambiguous: bool,
}

impl BothSides {
    pub fn new(skeleton: &Skeleton) -> Self {
        let across_x = Sides::new(skeleton, &MirrorPlane::X);
        let named = named_plane(&across_x);
        let mut sides = match named {
            Some(plane) if plane != MirrorPlane::X => {
                Self { plane, others: other_sides(skeleton, &plane), is_ambiguous: false }
            }
            _ => Self { plane: MirrorPlane::X, others: across_x.others, is_ambiguous: false },
        };
        let is_symmetric = sides.is_symmetric(skeleton);
        if is_symmetric && named.is_some() {
            return sides;
        }
        let left = BodyAxes::new(skeleton).left;
        if !is_symmetric {
            match search(skeleton) {
                // What is half drawn may be symmetric about anything: a hand has two sides, too.
                SearchResult::Plane(plane, others) if plane.normal().dot(left).abs() > LIKE_LEGS => {
                    (sides.plane, sides.others) = (plane, others);
                }
                SearchResult::Ambiguous => sides.is_ambiguous = true,
                _ => {}
            }
        }
        if named.is_none() && sides.plane.normal().dot(left) < -LIKE_LEGS {
            sides.plane = sides.plane.flipped();
        }
        sides
    }

    /// Whether at least half of the bones, without links, have another side or are in the plane.
    pub fn is_symmetric(&self, skeleton: &Skeleton) -> bool {
        fits(skeleton, &self.others)
    }

    /// Returns the bones, without links, that have no other side and are not in the plane.
    pub fn unmatched(&self, skeleton: &Skeleton) -> Vec<usize> {
        let is_alone = |bone: &usize| self.others.get(*bone).copied().flatten().is_none();
        skeleton.shown_bones().filter(is_alone).collect()
    }

    /// Returns the reason why mirroring is impossible, if it is.
    pub fn fault(&self, skeleton: &Skeleton) -> Option<Fault> {
        match (self.is_symmetric(skeleton), self.is_ambiguous) {
            (true, _) => None,
            (false, true) => Some(Fault::Ambiguous),
            (false, false) => Some(Fault::Unlike),
        }
    }

    /// Describes how bones are paired: `7 pairs of bones by position, 5 bones in the plane y = 0`.
    pub fn summary(&self, skeleton: &Skeleton) -> String {
        let (mut by_name, mut by_place, mut middle, mut alone) = (0, 0, 0, 0);
        for bone in skeleton.shown_bones() {
            let name = |bone: usize| skeleton.bones[bone].name.as_deref();
            match self.others.get(bone).copied().flatten() {
                None => alone += 1,
                Some(other) if other == bone => middle += 1,
                Some(other) if other < bone => {}
                Some(other) => {
                    let image = name(bone).and_then(|name| flipped(name, Axis::X));
                    let is_named = image.is_some() && image.as_deref() == name(other);
                    let is_chosen = skeleton.bones[bone].mirror_of == Some(skeleton.bones[other].channel_id);
                    if is_named || is_chosen { by_name += 1 } else { by_place += 1 }
                }
            }
        }
        let pairs = |count: usize, method: &str| {
            let pairs = if count == 1 { "pair" } else { "pairs" };
            (count > 0).then(|| format!("{count} {pairs} of bones {method}"))
        };
        let bones = |count: usize| if count == 1 { "bone" } else { "bones" };
        let parts = [
            pairs(by_name, "by name"),
            pairs(by_place, "by position"),
            Some(format!("{middle} {} in the plane {}", bones(middle), self.plane)),
            (alone > 0).then(|| format!("{alone} unpaired {}", bones(alone))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Returns the plane through the origin across an axis, or without one the plane of symmetry.
pub fn mirror_plane(skeleton: &Skeleton, axis: Option<Axis>) -> MirrorPlane {
    axis.map_or_else(|| BothSides::new(skeleton).plane, MirrorPlane::across)
}

/// The reason why a skeleton has no two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Most bones have no other side.
    Unlike,
    /// Names give no pairs, and positions allow several.
    Ambiguous,
}

impl Fault {
    /// Completes the sentence "The mesh must be ...".
    pub fn rule(self) -> &'static str {
        match self {
            Self::Unlike => "symmetric: most of its bones have no other side",
            Self::Ambiguous => {
                "one whose bones can be paired in one way: name those of both sides, for example Hand.L and Hand.R, or pair them by hand"
            }
        }
    }

    pub fn sentence(self) -> &'static str {
        match self {
            Self::Unlike => {
                "Most bones have no other side: mirroring needs a character that is symmetric from left to right."
            }
            Self::Ambiguous => {
                "Bones can be paired in several ways: name those of both sides, for example Hand.L and Hand.R, or pair them by hand (Bone > Pair as mirror images)."
            }
        }
    }
}

/// Returns the plane between the bones whose names include a side; `None` without such pairs.
fn named_plane(sides: &Sides) -> Option<MirrorPlane> {
    let tips = sides.tips();
    let pairs = sides.others.iter().enumerate();
    let pairs = pairs.filter_map(|(bone, other)| Some((bone, (*other)?)));
    let named = pairs.filter(|&(a, b)| sides.is_left(a) == Some(true) && sides.is_left(b) == Some(false));
    let pairs: Vec<[DVec3; 2]> = named
        .map(|(a, b)| [tips[a], tips[b]])
        .filter(|pair| pair.iter().all(|tip| tip.is_finite()))
        .collect();
    let max_coordinate = tips.iter().fold(0.0, |most: f64, tip| most.max(tip.abs().max_element()));
    let low = tips.iter().copied().reduce(DVec3::min)?;
    let high = tips.iter().copied().reduce(DVec3::max)?;
    let (exact, size) = (EXACT * max_coordinate, (high - low).max_element());
    // The direction to the left on which most of the pairs agree.
    let directions = pairs.iter().filter_map(|[left, right]| (left - right).try_normalize());
    let mean_direction = directions.sum::<DVec3>().try_normalize()?;
    let axes = || DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let nearest_axis = axes().max_by(|a, b| a.dot(mean_direction).total_cmp(&b.dot(mean_direction)))?;
    let is_turned = nearest_axis.dot(mean_direction) < NOT_ROTATED;
    let middle_along = |normal: DVec3| {
        let mut middles: Vec<f64> = pairs.iter().map(|[a, b]| normal.dot((a + b) / 2.0)).collect();
        middles.sort_unstable_by(f64::total_cmp);
        let offset = *middles.get(middles.len() / 2)?;
        let plane = MirrorPlane::between_sides(normal, if offset.abs() <= exact { 0.0 } else { offset });
        let is_image = |[a, b]: &&[DVec3; 2]| plane.reflect(*a).distance(*b) <= 2.0 * exact;
        let most_agree = 2 * pairs.iter().filter(is_image).count() > pairs.len();
        Some((offset, plane, most_agree))
    };
    let (offset, across_axis, agree) = middle_along(nearest_axis)?;
    // One side may just have been changed: then the bones in the middle know better.
    let middle = (0..tips.len()).filter(|&bone| !sides.has_side_in_name(bone)).map(|bone| tips[bone]);
    let middle: Vec<DVec3> = middle.collect();
    let fits_better = |a: &MirrorPlane, b: &MirrorPlane| {
        let nearer = |a: &MirrorPlane, b: &MirrorPlane| {
            let is_nearer =
                |tip: &&DVec3| a.signed_distance(**tip).abs() + exact < b.signed_distance(**tip).abs();
            middle.iter().filter(is_nearer).count()
        };
        nearer(a, b) > nearer(b, a)
    };
    let at_0 = MirrorPlane::between_sides(nearest_axis, 0.0);
    let is_apart = agree || offset.abs() > FAR * size;
    let across = if is_apart && !fits_better(&at_0, &across_axis) { across_axis } else { at_0 };
    let turned = middle_along(mean_direction).filter(|_| !agree && is_turned);
    Some(match turned {
        Some((_, turned, true)) if !fits_better(&across, &turned) => turned,
        _ => across,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::{Quat, Vec3};

    /// A spine of two bones with an arm and a leg on either side, standing at `x`; the left hand is `longer`.
    fn body(x: f32, longer: f32) -> Skeleton {
        let bone = |name: &str, parent, extent: [f32; 3]| Bone {
            name: Some(name.into()),
            parent,
            extent: Vec3::from(extent),
            ..Bone::default()
        };
        Skeleton {
            base: Vec3::new(x, 0.0, 0.0),
            bones: vec![
                bone("hips", None, [0.0, 0.5, 0.0]),
                bone("chest", Some(0), [0.0, 0.5, 0.0]),
                bone("arm.L", Some(1), [0.5, 0.1, 0.0]),
                bone("arm.R", Some(1), [-0.5, 0.1, 0.0]),
                bone("leg.L", Some(0), [0.2, -0.9, 0.0]),
                bone("leg.R", Some(0), [-0.2, -0.9, 0.0]),
                bone("hand.L", Some(2), [0.3 + longer, 0.0, 0.0]),
                bone("hand.R", Some(3), [-0.3, 0.0, 0.0]),
            ],
            ..Skeleton::default()
        }
    }

    #[test]
    fn the_middle_is_at_the_character_and_at_0_if_that_fits() {
        let partners = [Some(0), Some(1), Some(3), Some(2), Some(5), Some(4), Some(7), Some(6)];
        for (x, longer, expected) in [(0.0, 0.0, 0.0), (0.5, 0.0, 0.5), (-40.0, 0.0, -40.0), (0.0, 0.05, 0.0)]
        {
            let skeleton = body(x, longer);
            let sides = BothSides::new(&skeleton);
            let middle = sides.plane.signed_distance(DVec3::ZERO);
            assert!(sides.plane.normal() == DVec3::X && (middle + expected).abs() < 1e-5, "{x}: {middle}");
            assert_eq!(sides.others, partners, "{x}");
            assert!(sides.is_symmetric(&skeleton));
        }
    }

    /// A skeleton as from a file whose names do not include sides, at various positions and rotations, up
    /// along y or z.
    #[test]
    fn bones_without_names_are_paired_by_position_about_any_plane() {
        let partners = [0, 1, 3, 2, 5, 4, 7, 6].map(Some);
        let upright = Quat::from_rotation_arc(Vec3::X, Vec3::Y);
        for (x, rotation, normal) in [
            (0.5, Quat::IDENTITY, Vec3::X),
            (0.0, upright, Vec3::Y),
            (0.3, upright, Vec3::Y),
            (0.5, Quat::from_rotation_y(0.6), Quat::from_rotation_y(0.6) * Vec3::X),
        ] {
            let mut nameless = body(x, 0.0);
            nameless.base = rotation * nameless.base;
            for bone in &mut nameless.bones {
                (bone.name, bone.extent) = (None, rotation * bone.extent);
            }
            let sides = BothSides::new(&nameless);
            assert!(sides.plane.normal().distance(normal.as_dvec3()) < 1e-5, "{:?}", sides.plane);
            assert!(
                (sides.plane.signed_distance(DVec3::ZERO) + f64::from(x)).abs() < 1e-5,
                "{:?}",
                sides.plane
            );
            assert_eq!(sides.others, partners, "{x} {normal}");
            assert_eq!(sides.fault(&nameless), None);
            let summary = sides.summary(&nameless);
            assert!(summary.starts_with("3 pairs of bones by position, 2 bones in the plane"), "{summary}");
        }
        let summary = BothSides::new(&body(0.0, 0.0)).summary(&body(0.0, 0.0));
        assert_eq!(summary, "3 pairs of bones by name, 2 bones in the plane x = 0");
    }

    #[test]
    fn ambiguous_pairs_are_not_made() {
        // Four arms, symmetric about two rotated planes.
        let arm = |angle: f32| Bone {
            parent: Some(0),
            extent: Quat::from_rotation_y(angle) * Vec3::X,
            ..Bone::default()
        };
        let root = Bone { extent: Vec3::Y, ..Bone::default() };
        let mut star = Skeleton { bones: vec![root], ..Skeleton::default() };
        star.base = Vec3::X * 3.0;
        let quarter = std::f32::consts::FRAC_PI_2;
        star.bones.extend([0.0, 1.0, 2.0, 3.0].map(|turns| arm(0.3 + turns * quarter)));
        let sides = BothSides::new(&star);
        assert_eq!(sides.fault(&star), Some(Fault::Ambiguous), "{:?}", sides.others);
        // A second hand at the position of another.
        let mut twice = body(0.5, 0.0);
        let hand = Bone { name: None, ..twice.bones[6].clone() };
        twice.bones.push(hand);
        twice.bones.iter_mut().for_each(|bone| bone.name = None);
        let sides = BothSides::new(&twice);
        assert_eq!(sides.fault(&twice), Some(Fault::Ambiguous), "{:?}", sides.others);
        // No bone has another side.
        let mut alone = body(0.5, 0.0);
        alone.bones.retain(|bone| !bone.name.as_deref().is_some_and(|name| name.ends_with(".R")));
        alone.bones.iter_mut().for_each(|bone| bone.name = None);
        (alone.bones[2].parent, alone.bones[3].parent, alone.bones[4].parent) = (Some(1), Some(0), Some(2));
        let sides = BothSides::new(&alone);
        assert_eq!(sides.fault(&alone), Some(Fault::Unlike), "{:?}", sides.others);
    }

    #[test]
    fn a_rotated_character_has_a_rotated_plane() {
        let rotation = Quat::from_rotation_y(0.6);
        let mut skeleton = body(0.5, 0.0);
        skeleton.base = Vec3::new(0.5, 0.1, -0.2);
        skeleton.bones.iter_mut().for_each(|bone| bone.extent = rotation * bone.extent);
        let sides = BothSides::new(&skeleton);
        assert!(sides.plane.normal().distance((rotation * Vec3::X).as_dvec3()) < 1e-5, "{:?}", sides.plane);
        assert!(sides.plane.signed_distance(skeleton.base.as_dvec3()).abs() < 1e-5);
        let arm = rotation * Vec3::new(0.5, 0.3, 0.2);
        let image = skeleton.base + rotation * Vec3::new(-0.5, 0.3, 0.2);
        assert!(sides.plane.reflect((skeleton.base + arm).as_dvec3()).distance(image.as_dvec3()) < 1e-5);
        assert_eq!(sides.others[2..6], [Some(3), Some(2), Some(5), Some(4)]);
        assert!(sides.others.iter().all(Option::is_some));
    }
}
