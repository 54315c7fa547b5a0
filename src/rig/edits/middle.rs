//! Where the middle of a character is, for what is mirrored without being moved: it need not stand at the origin.

use super::sides::{Sides, other_sides};
use super::symmetry::AXIS;
use crate::rig::skeleton::Skeleton;

/// Middles of pairs that differ by no more than this part of the largest coordinate are one.
const EXACT: f64 = 1e-3;
/// A middle that is this much off 0 is one though the pairs do not agree, as part of the largest side of the box around
/// all bones.
const FAR: f64 = 0.03;

/// Both sides of a skeleton.
pub struct BothSides {
    /// Between them lies the plane x = `middle`: 0, or halfway between most bones whose names speak of two sides.
    pub middle: f32,
    /// As [`other_sides`], about that plane.
    pub others: Vec<Option<usize>>,
}

impl BothSides {
    pub fn new(skeleton: &Skeleton) -> Self {
        let middle = middle(skeleton);
        let mut centered = skeleton.clone();
        centered.base[AXIS as usize] -= middle;
        Self {
            middle,
            others: other_sides(&centered, AXIS),
        }
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

fn middle(skeleton: &Skeleton) -> f32 {
    let sides = Sides::new(skeleton, AXIS);
    let tips = sides.tips();
    let across = |bone: usize| tips[bone][AXIS as usize];
    let pairs = sides.others.iter().enumerate();
    let pairs = pairs.filter_map(|(bone, other)| Some((bone, (*other)?)));
    let named = pairs.filter(|&(a, b)| a < b && sides.names_side(a) && sides.names_side(b));
    let mut middles: Vec<f64> = named.map(|(a, b)| (across(a) + across(b)) / 2.0).collect();
    middles.retain(|middle| middle.is_finite());
    middles.sort_unstable_by(f64::total_cmp);
    let Some(&middle) = middles.get(middles.len() / 2) else {
        return 0.0;
    };
    let largest = tips
        .iter()
        .fold(0.0, |most: f64, tip| most.max(tip.abs().max_element()));
    let low = tips.iter().copied().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = tips.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
    let exact = EXACT * largest;
    let agree = middles
        .iter()
        .filter(|other| (*other - middle).abs() <= exact)
        .count();
    let is_one = 2 * agree > middles.len() || middle.abs() > FAR * (high - low).max_element();
    match is_one && middle.abs() > exact {
        true => middle as f32,
        false => 0.0,
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
            assert!((sides.middle - expected).abs() < 1e-5, "{x}: {}", sides.middle);
            assert_eq!(sides.others, partners, "{x}");
            assert!(sides.are_alike(&skeleton));
        }
        // Names say nothing: about 0.
        let mut nameless = body(0.5, 0.0);
        nameless.bones.iter_mut().for_each(|bone| bone.name = None);
        let sides = BothSides::new(&nameless);
        assert!(sides.middle == 0.0 && !sides.are_alike(&nameless));
    }
}
