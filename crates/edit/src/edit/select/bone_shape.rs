//! The octahedra that represent bones: drawing and picking agree on their widths.

use crate::edit::select::active_rig::ActiveRig;
use glam::Vec3;

/// The part of the way from head to tail at which a bone is widest.
pub const WIDEST_AT: f32 = 0.1;
/// Half of the greatest width, as a part of the bone's length.
const HALF_WIDTH: f32 = 0.1;
/// The same, as a part of the distance to the nearest other bone: in a hand, gaps between bones stay visible.
const PART_OF_GAP: f32 = 0.25;
/// The least value of the first part, for bones that coincide.
const LEAST_HALF_WIDTH: f32 = 0.02;

/// Returns half of each bone's greatest width, in skeleton space: a tenth of its length, or less if another
/// bone is close to it in the bind pose.
pub fn half_widths(rig: &ActiveRig) -> Vec<f32> {
    let bones = &rig.skeleton.bones;
    let mut middles: Vec<(usize, Vec3)> = rig
        .drawn_bones()
        .filter_map(|bone| {
            let middle = rig.bind.get(bone)?.transform_point3((bones[bone].extent * 0.5).as_dvec3());
            middle.is_finite().then_some((bone, middle.as_vec3()))
        })
        .collect();
    middles.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
    let mut widths: Vec<f32> = bones.iter().map(|bone| HALF_WIDTH * bone.extent.length()).collect();
    for (index, (bone, middle)) in middles.iter().enumerate() {
        // Only gaps below this limit the width.
        let mut gap = widths[*bone] / PART_OF_GAP;
        let (before, after) = (middles[..index].iter().rev(), middles[index + 1..].iter());
        for neighbors in [&mut before.into_iter() as &mut dyn Iterator<Item = _>, &mut after.into_iter()] {
            for (_, other) in neighbors {
                if (other.x - middle.x).abs() >= gap {
                    break;
                }
                gap = gap.min(other.distance(*middle));
            }
        }
        let least = LEAST_HALF_WIDTH * bones[*bone].extent.length();
        widths[*bone] = (PART_OF_GAP * gap).max(least);
    }
    widths
}

/// Returns the part of the greatest width that a bone has at a part of the way from head to tail.
pub fn taper(along: f32) -> f32 {
    (along / WIDEST_AT).min((1.0 - along) / (1.0 - WIDEST_AT)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::settings::view::Tab;
    use crate::edit::testing::active_rig;
    use crate::rig::kinematics::bind_pose;
    use crate::rig::skeleton::{Bone, Skeleton};
    use glam::Mat4;

    fn widths(extents: &[(Option<u32>, Vec3)]) -> Vec<f32> {
        let bone = |&(parent, extent)| Bone { parent, extent, ..Default::default() };
        let skeleton = Skeleton { bones: extents.iter().map(bone).collect(), ..Default::default() };
        let bind = bind_pose(&skeleton);
        half_widths(&active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY))
    }

    #[test]
    fn widths_follow_lengths_where_there_is_room() {
        let chain = widths(&[(None, Vec3::Y), (Some(0), 2.0 * Vec3::Y), (Some(1), Vec3::X)]);
        for (width, expected) in chain.iter().zip([0.1, 0.2, 0.1]) {
            assert!((width - expected).abs() < 1e-6, "{chain:?}");
        }
        assert_eq!(widths(&[(None, Vec3::ZERO)]), [0.0]);
    }

    #[test]
    fn crowded_bones_are_thin() {
        // Five fingers that fan out from one point, and two bones in the same place.
        let fan = (0..5).map(|i| (None, Vec3::new(0.1 * i as f32, 1.0, 0.0)));
        let hand = widths(&fan.collect::<Vec<_>>());
        for width in &hand {
            assert!((0.25 * 0.05 - 1e-3..0.03).contains(width), "{hand:?}");
        }
        let same = widths(&[(None, Vec3::Y), (None, Vec3::Y)]);
        assert_eq!(same, [LEAST_HALF_WIDTH; 2]);
    }

    #[test]
    fn bones_taper_to_both_ends() {
        assert_eq!([0.0, WIDEST_AT, 1.0, 1.5].map(taper), [0.0, 1.0, 0.0, 0.0]);
        assert!((taper(0.55) - 0.5).abs() < 1e-6);
    }
}
