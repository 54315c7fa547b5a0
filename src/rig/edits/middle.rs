//! The plane between both sides of a character, for what is mirrored without being moved: it need not stand at the origin,
//! nor look along z.

mod by_place;
mod mirror_plane;

use super::names::flipped;
use super::sides::Sides;
use super::symmetry::AXIS;
use crate::rig::skeleton::Skeleton;
use by_place::{Found, search};
use glam::DVec3;
pub use mirror_plane::MirrorPlane;
use mirror_plane::{EXACT, NOT_TURNED, fits, others_about};

/// A middle that is this much off 0 is one though the pairs do not agree, as part of the largest side of the box around
/// all bones.
const FAR: f64 = 0.03;

/// Both sides of a skeleton.
pub struct BothSides {
    /// Between them: x = 0, or where most bones whose names speak of two sides have theirs; else the plane that most bones
    /// lie on both sides of in the bind pose.
    pub plane: MirrorPlane,
    /// As [`super::sides::other_sides`], about that plane.
    pub others: Vec<Option<usize>>,
    /// Names tell nothing, and places tell several things.
    is_ambiguous: bool,
}

impl BothSides {
    pub fn new(skeleton: &Skeleton) -> Self {
        let plane = plane(skeleton);
        let others = others_about(skeleton, &plane);
        let mut sides = Self {
            plane,
            others,
            is_ambiguous: false,
        };
        if !sides.are_alike(skeleton) {
            match search(skeleton) {
                Found::Nothing => {}
                Found::Plane(plane, others) => (sides.plane, sides.others) = (plane, others),
                Found::Several => sides.is_ambiguous = true,
            }
        }
        sides
    }

    /// Whether at least half of the bones, without links, have another side or lie in the plane.
    pub fn are_alike(&self, skeleton: &Skeleton) -> bool {
        fits(skeleton, &self.others)
    }

    /// Bones, without links, that have no other side and do not lie in the plane.
    pub fn unmatched(&self, skeleton: &Skeleton) -> Vec<usize> {
        let is_alone = |bone: &usize| self.others.get(*bone).copied().flatten().is_none();
        skeleton.shown_bones().filter(is_alone).collect()
    }

    /// Why nothing can be mirrored.
    pub fn fault(&self, skeleton: &Skeleton) -> Option<Fault> {
        match (self.are_alike(skeleton), self.is_ambiguous) {
            (true, _) => None,
            (false, true) => Some(Fault::Ambiguous),
            (false, false) => Some(Fault::Unlike),
        }
    }

    /// How bones are paired: `7 pairs of bones by place, 5 bones in the plane y = 0`.
    pub fn said(&self, skeleton: &Skeleton) -> String {
        let (mut by_name, mut by_place, mut middle, mut alone) = (0, 0, 0, 0);
        for bone in skeleton.shown_bones() {
            let name = |bone: usize| skeleton.bones[bone].name.as_deref();
            match self.others.get(bone).copied().flatten() {
                None => alone += 1,
                Some(other) if other == bone => middle += 1,
                Some(other) if other < bone => {}
                Some(other) => {
                    let image = name(bone).and_then(|name| flipped(name, AXIS));
                    let is_named = image.is_some() && image.as_deref() == name(other);
                    let is_chosen = skeleton.bones[bone].mirror_of == Some(skeleton.bones[other].channel_id);
                    match is_named || is_chosen {
                        true => by_name += 1,
                        false => by_place += 1,
                    }
                }
            }
        }
        let pairs = |count: usize, how: &str| {
            let pairs = if count == 1 { "pair" } else { "pairs" };
            (count > 0).then(|| format!("{count} {pairs} of bones {how}"))
        };
        let bones = |count: usize| if count == 1 { "bone" } else { "bones" };
        let parts = [
            pairs(by_name, "by name"),
            pairs(by_place, "by place"),
            Some(format!("{middle} {} in the plane {}", bones(middle), self.plane)),
            (alone > 0).then(|| format!("{alone} {} without another side", bones(alone))),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Why a skeleton has no two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Most bones have no other side.
    Unlike,
    /// Names tell nothing, and places tell several things.
    Ambiguous,
}

impl Fault {
    /// What the mesh must be.
    pub fn rule(self) -> &'static str {
        match self {
            Self::Unlike => "symmetric: most of its bones have no other side",
            Self::Ambiguous => {
                "one whose bones can be paired in one way: name those of both sides, as Hand.L and Hand.R, or pair them by hand"
            }
        }
    }

    pub fn sentence(self) -> &'static str {
        match self {
            Self::Unlike => {
                "Most bones have no other side: mirroring needs a character that is symmetric from left to right."
            }
            Self::Ambiguous => {
                "Bones can be paired in several ways: name those of both sides, as Hand.L and Hand.R, or pair them by hand (Bone > Pair as mirror images)."
            }
        }
    }
}

fn plane(skeleton: &Skeleton) -> MirrorPlane {
    let sides = Sides::new(skeleton, AXIS);
    let tips = sides.tips();
    let pairs = sides.others.iter().enumerate();
    let pairs = pairs.filter_map(|(bone, other)| Some((bone, (*other)?)));
    let named = pairs.filter(|&(a, b)| a < b && sides.names_side(a) && sides.names_side(b));
    let pairs: Vec<[DVec3; 2]> = named
        .map(|(a, b)| [tips[a], tips[b]])
        .filter(|pair| pair.iter().all(|tip| tip.is_finite()))
        .collect();
    let largest = tips
        .iter()
        .fold(0.0, |most: f64, tip| most.max(tip.abs().max_element()));
    let low = tips.iter().copied().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = tips.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
    let (exact, size) = (EXACT * largest, (high - low).max_element());
    // Across the character, the way that most of the pairs agree on.
    let ways = pairs.iter().filter_map(|[a, b]| {
        let way = (a - b).try_normalize()?;
        Some(if way.x < 0.0 || way.x == 0.0 && way.z < 0.0 {
            -way
        } else {
            way
        })
    });
    let turned = ways.sum::<DVec3>().normalize_or(DVec3::X);
    let turned = if turned.x > NOT_TURNED { DVec3::X } else { turned };
    let found = |normal: DVec3| {
        let mut middles: Vec<f64> = pairs.iter().map(|[a, b]| normal.dot((a + b) / 2.0)).collect();
        middles.sort_unstable_by(f64::total_cmp);
        let offset = *middles.get(middles.len() / 2)?;
        let is_image = |[a, b]: &&[DVec3; 2]| {
            let image = *a - normal * (2.0 * (normal.dot(*a) - offset));
            image.distance(*b) <= 2.0 * exact
        };
        let agree = 2 * pairs.iter().filter(is_image).count() > pairs.len();
        Some((offset, agree))
    };
    let plane = |normal: DVec3, offset: f64| MirrorPlane {
        normal: normal.as_vec3(),
        offset: offset as f32,
    };
    match (found(DVec3::X), found(turned)) {
        (Some((offset, true)), _) if offset.abs() <= exact => MirrorPlane::X,
        (Some((offset, true)), _) => plane(DVec3::X, offset),
        (_, Some((offset, true))) => plane(turned, offset),
        (Some((offset, false)), _) if offset.abs() > FAR * size => plane(DVec3::X, offset),
        _ => MirrorPlane::X,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use glam::{Quat, Vec3};

    /// A spine of two bones and an arm on either side, standing at `x`; the left hand is `longer`.
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
    fn the_middle_is_where_the_character_stands_and_0_where_that_fits() {
        let partners = [
            Some(0),
            Some(1),
            Some(3),
            Some(2),
            Some(5),
            Some(4),
            Some(7),
            Some(6),
        ];
        for (x, longer, expected) in [
            (0.0, 0.0, 0.0),
            (0.5, 0.0, 0.5),
            (-40.0, 0.0, -40.0),
            (0.0, 0.05, 0.0),
        ] {
            let skeleton = body(x, longer);
            let sides = BothSides::new(&skeleton);
            let middle = sides.plane.across(Vec3::ZERO);
            assert!(
                sides.plane.normal == Vec3::X && (middle + expected).abs() < 1e-5,
                "{x}: {middle}"
            );
            assert_eq!(sides.others, partners, "{x}");
            assert!(sides.are_alike(&skeleton));
        }
    }

    /// As from a file without names that tell sides: where it stands and how it is turned, up along y or z.
    #[test]
    fn bones_without_names_are_paired_by_place_about_any_plane() {
        let partners = [0, 1, 3, 2, 5, 4, 7, 6].map(Some);
        let upright = Quat::from_rotation_arc(Vec3::X, Vec3::Y);
        for (x, turn, normal) in [
            (0.5, Quat::IDENTITY, Vec3::X),
            (0.0, upright, Vec3::Y),
            (0.3, upright, Vec3::Y),
            (
                0.5,
                Quat::from_rotation_y(0.6),
                Quat::from_rotation_y(0.6) * Vec3::X,
            ),
        ] {
            let mut nameless = body(x, 0.0);
            nameless.base = turn * nameless.base;
            for bone in &mut nameless.bones {
                (bone.name, bone.extent) = (None, turn * bone.extent);
            }
            let sides = BothSides::new(&nameless);
            assert!(sides.plane.normal.distance(normal) < 1e-5, "{:?}", sides.plane);
            assert!((sides.plane.offset - x).abs() < 1e-5, "{:?}", sides.plane);
            assert_eq!(sides.others, partners, "{x} {normal}");
            assert_eq!(sides.fault(&nameless), None);
            let said = sides.said(&nameless);
            assert!(
                said.starts_with("3 pairs of bones by place, 2 bones in the plane"),
                "{said}"
            );
        }
        let said = BothSides::new(&body(0.0, 0.0)).said(&body(0.0, 0.0));
        assert_eq!(said, "3 pairs of bones by name, 2 bones in the plane x = 0");
    }

    #[test]
    fn what_could_be_paired_in_several_ways_is_not() {
        // Four arms, alike about two planes that are turned.
        let arm = |angle: f32| Bone {
            parent: Some(0),
            extent: Quat::from_rotation_y(angle) * Vec3::X,
            ..Bone::default()
        };
        let root = Bone {
            extent: Vec3::Y,
            ..Bone::default()
        };
        let mut star = Skeleton {
            bones: vec![root],
            ..Skeleton::default()
        };
        star.base = Vec3::X * 3.0;
        let quarter = std::f32::consts::FRAC_PI_2;
        star.bones
            .extend([0.0, 1.0, 2.0, 3.0].map(|turns| arm(0.3 + turns * quarter)));
        let sides = BothSides::new(&star);
        assert_eq!(sides.fault(&star), Some(Fault::Ambiguous), "{:?}", sides.others);
        // A second hand where one is.
        let mut twice = body(0.5, 0.0);
        let hand = Bone {
            name: None,
            ..twice.bones[6].clone()
        };
        twice.bones.push(hand);
        twice.bones.iter_mut().for_each(|bone| bone.name = None);
        let sides = BothSides::new(&twice);
        assert_eq!(sides.fault(&twice), Some(Fault::Ambiguous), "{:?}", sides.others);
        // Nothing of it has another side.
        let mut alone = body(0.5, 0.0);
        alone
            .bones
            .retain(|bone| !bone.name.as_deref().is_some_and(|name| name.ends_with(".R")));
        alone.bones.iter_mut().for_each(|bone| bone.name = None);
        (
            alone.bones[2].parent,
            alone.bones[3].parent,
            alone.bones[4].parent,
        ) = (Some(1), Some(0), Some(2));
        let sides = BothSides::new(&alone);
        assert_eq!(sides.fault(&alone), Some(Fault::Unlike), "{:?}", sides.others);
    }

    #[test]
    fn a_character_that_looks_elsewhere_has_its_plane_turned() {
        let turn = Quat::from_rotation_y(0.6);
        let mut skeleton = body(0.5, 0.0);
        skeleton.base = Vec3::new(0.5, 0.1, -0.2);
        skeleton
            .bones
            .iter_mut()
            .for_each(|bone| bone.extent = turn * bone.extent);
        let sides = BothSides::new(&skeleton);
        assert!(
            sides.plane.normal.distance(turn * Vec3::X) < 1e-5,
            "{:?}",
            sides.plane
        );
        assert!(sides.plane.across(skeleton.base).abs() < 1e-5);
        let arm = turn * Vec3::new(0.5, 0.3, 0.2);
        let image = skeleton.base + turn * Vec3::new(-0.5, 0.3, 0.2);
        assert!(sides.plane.reflected(skeleton.base + arm).distance(image) < 1e-5);
        assert_eq!(sides.others[2..6], [Some(3), Some(2), Some(5), Some(4)]);
        assert!(sides.others.iter().all(Option::is_some));
    }
}
