//! What every motion must keep, on bodies of different proportions.

use crate::motion::figure::Figure;
use crate::motion::knobs::Knobs;
use crate::motion::posture::Pose;
use crate::motion::{Clip, MOTIONS, Motion, generate};
use crate::rig::body::sides::other_sides;
use crate::rig::edits::symmetry::mirrored_pose;
use crate::rig::kinematics::{current_pose, tips};
use crate::rig::skeleton::Skeleton;
use crate::testing::{chibi, giraffe, human};
use glam::DVec3;

/// Calls a function for every motion of every body, with the name of both.
fn for_all(mut check: impl FnMut(&str, &Skeleton, &Figure, Motion, Clip)) {
    for (body, skeleton) in [("human", human()), ("chibi", chibi()), ("giraffe", giraffe())] {
        let figure = Figure::new(&skeleton, &[]).unwrap();
        for row in MOTIONS {
            if let Ok(clip) = generate(&figure, row.motion, &Knobs::default(), 24.0, false) {
                check(&format!("{body} {}", row.name), &skeleton, &figure, row.motion, clip);
            }
        }
    }
}

/// The skeleton in a pose, in the precision of files.
fn posed(skeleton: &Skeleton, pose: &Pose) -> Skeleton {
    let mut skeleton = skeleton.clone();
    skeleton.base_offset = pose.base_offset.as_vec3();
    for (bone, this) in skeleton.bones.iter_mut().enumerate() {
        this.pose_deg = pose.angles(bone);
    }
    skeleton
}

#[test]
fn no_leg_is_too_short_and_no_limit_is_exceeded() {
    let mut broken = Vec::new();
    for_all(|name, skeleton, figure, _, clip| {
        if clip.overreach > 0.0 {
            broken.push(format!("{name}: overreach {:.4} H", clip.overreach / figure.height));
        }
        let mut worst: std::collections::BTreeMap<String, f32> = Default::default();
        for pose in &clip.poses {
            for (bone, this) in skeleton.bones.iter().enumerate() {
                let angles = pose.angles(bone);
                let excess = (angles - this.limits_deg.clamp(angles)).abs();
                for axis in 0..3 {
                    if excess[axis] > 1e-3 {
                        let most = worst
                            .entry(format!("{} {}", this.name.as_deref().unwrap(), ["x", "y", "z"][axis]))
                            .or_default();
                        *most = most.max(excess[axis]);
                    }
                }
            }
        }
        broken.extend(worst.into_iter().map(|(bone, by)| format!("{name}: {bone} by {by:.1}°")));
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn feet_on_the_ground_do_not_slide() {
    for_all(|name, skeleton, figure, _, clip| {
        // How far the tail of each bone is from where it would be if the ground carried it.
        let place = |frame: usize, bone: usize| {
            let count = clip.poses.len() - 1;
            let posed = posed(skeleton, &clip.poses[if clip.loops { frame % count } else { frame }]);
            let along = figure.skeleton_from_body * DVec3::Z * clip.speed * frame as f64 / clip.rate;
            tips(&posed, &current_pose(&posed))[bone] + along
        };
        for contact in &clip.contacts {
            // The ball of the foot, from when it is flat: the pivot that the foot leaves last.
            let (bone, pitch) =
                (contact.foot, figure.legs.iter().position(|leg| leg.end() == contact.foot).unwrap());
            let stands: Vec<usize> = (contact.down as usize..=contact.up as usize)
                .filter(|&frame| clip.balls[pitch][frame % (clip.poses.len() - 1).max(1)])
                .collect();
            assert!(stands.len() > 1 || clip.poses.len() < 3, "{name}");
            for &frame in &stands {
                let drift = place(frame, bone).distance(place(stands[0], bone)) / figure.height;
                assert!(drift < 1e-4, "{name}: {drift} H at frame {frame}");
            }
        }
    });
}

#[test]
fn loops_close_to_the_byte_and_travel_changes_the_base_alone() {
    for_all(|name, _, figure, motion, clip| {
        let (first, last) = (&clip.poses[0], &clip.poses[clip.poses.len() - 1]);
        assert!(!clip.loops || first == last, "{name}");
        let travelling = generate(figure, motion, &Knobs::default(), 24.0, true).unwrap();
        for (frame, (a, b)) in clip.poses.iter().zip(&travelling.poses).enumerate() {
            assert_eq!(a.angles_deg, b.angles_deg, "{name}");
            let along = figure.skeleton_from_body * DVec3::Z * clip.speed * frame as f64 / clip.rate;
            assert!(b.base_offset.abs_diff_eq(a.base_offset + along, 1e-9), "{name}");
        }
    });
}

#[test]
fn the_mirror_image_of_a_gait_is_the_gait_half_a_cycle_later() {
    for_all(|name, skeleton, _, motion, clip| {
        if !clip.loops || clip.speed == 0.0 {
            return;
        }
        let _ = motion;
        let others = other_sides(skeleton, crate::rig::body::AXIS);
        let half = (clip.poses.len() - 1) / 2;
        for frame in 0..half {
            let (now, later) = (&clip.poses[frame], &clip.poses[frame + half]);
            let base = now.base_offset * DVec3::new(-1.0, 1.0, 1.0);
            assert!(base.abs_diff_eq(later.base_offset, 1e-6), "{name}: {base} {}", later.base_offset);
            for (bone, other) in others.iter().enumerate() {
                let other = other.unwrap();
                let (from, to) = (&skeleton.bones[bone], &skeleton.bones[other]);
                // To the last digits of f32.
                let image = mirrored_pose(from, to, now.angles(bone));
                let found = later.angles(other);
                assert!(image.abs_diff_eq(found, 1e-4), "{name}: {:?} {image} {found} at {frame}", from.name);
            }
        }
    });
}
