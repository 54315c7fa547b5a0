//! The plane between both sides of a character, for what is mirrored without being moved: it need not stand at the origin,
//! nor look along z.

use super::sides::{Sides, other_sides};
use super::symmetry::AXIS;
use crate::rig::skeleton::Skeleton;
use glam::{DVec3, Quat, Vec3};

/// Two places that differ by no more than this part of the largest coordinate are one.
const EXACT: f64 = 1e-3;
/// A middle that is this much off 0 is one though the pairs do not agree, as part of the largest side of the box around
/// all bones.
const FAR: f64 = 0.03;
/// A plane that is turned by less is not turned: the cosine of half a degree.
const NOT_TURNED: f64 = 0.999_962;

/// A plane that things are mirrored about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MirrorPlane {
    /// Unit length, towards positive x.
    normal: Vec3,
    /// Along the normal.
    offset: f32,
}

impl MirrorPlane {
    /// The plane x = 0.
    pub const X: Self = Self {
        normal: Vec3::X,
        offset: 0.0,
    };

    /// How far a point is on the side of positive x.
    pub fn across(&self, point: Vec3) -> f32 {
        self.normal.dot(point) - self.offset
    }

    pub fn reflected(&self, point: Vec3) -> Vec3 {
        point - self.normal * (2.0 * self.across(point))
    }
}

/// Both sides of a skeleton.
pub struct BothSides {
    /// Between them: x = 0, or where most bones whose names speak of two sides have theirs.
    pub plane: MirrorPlane,
    /// As [`other_sides`], about that plane.
    pub others: Vec<Option<usize>>,
}

impl BothSides {
    pub fn new(skeleton: &Skeleton) -> Self {
        let plane = plane(skeleton);
        let others = match plane == MirrorPlane::X {
            true => other_sides(skeleton, AXIS),
            false => {
                // As if it stood in the middle and looked along z.
                let turn = Quat::from_rotation_arc(plane.normal, Vec3::X);
                let mut centered = skeleton.clone();
                centered.base = turn * (skeleton.base - plane.normal * plane.offset);
                for bone in &mut centered.bones {
                    bone.extent = turn * bone.extent;
                }
                other_sides(&centered, AXIS)
            }
        };
        Self { plane, others }
    }

    /// Whether at least half of the bones, without links, have another side or lie in the plane.
    pub fn are_alike(&self, skeleton: &Skeleton) -> bool {
        let (mut matched, mut all) = (0, 0);
        for bone in skeleton.shown_bones() {
            all += 1;
            matched += usize::from(self.others.get(bone).is_some_and(Option::is_some));
        }
        2 * matched >= all
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
    use glam::Vec3;

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
        // Names say nothing: about 0.
        let mut nameless = body(0.5, 0.0);
        nameless.bones.iter_mut().for_each(|bone| bone.name = None);
        let sides = BothSides::new(&nameless);
        assert!(sides.plane == MirrorPlane::X && !sides.are_alike(&nameless));
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
