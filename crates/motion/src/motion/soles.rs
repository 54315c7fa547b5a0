//! How feet with a skin stand and roll.

use crate::motion::figure::Figure;
use crate::motion::knobs::Knobs;
use crate::motion::{Clip, Motion, SkinPoint, generate};
use crate::rig::kinematics::{bind_pose, current_pose, parent_of};
use crate::rig::skeleton::Skeleton;
use crate::testing::{giraffe, giraffe_bending, high_heels, human, short_heels, soles, uneven_giraffe};
use glam::DVec3;

/// Frames so near to each other that a foot rolls over one point between two.
const RATE: f64 = 96.0;

/// The places of the skin of a foot at a frame of a clip that travels.
fn places(skeleton: &Skeleton, skin: &[SkinPoint], clip: &Clip, foot: usize, frame: usize) -> Vec<DVec3> {
    let mut posed = skeleton.clone();
    let pose = &clip.poses[frame];
    posed.base_offset = pose.base_offset.as_vec3();
    posed.bones.iter_mut().enumerate().for_each(|(bone, this)| this.pose_deg = pose.angles(bone));
    let moves: Vec<_> = current_pose(&posed)
        .into_iter()
        .zip(bind_pose(skeleton))
        .map(|(current, bind)| current * bind.inverse())
        .collect();
    let of_foot = |point: &&SkinPoint| {
        let bone = point.bones[0];
        bone == foot || parent_of(skeleton, bone) == Some(foot)
    };
    let place = |point: &SkinPoint| {
        point.blend(point.bones.map(|bone| moves[bone].transform_point3(point.place.as_dvec3())))
    };
    skin.iter().filter(of_foot).map(place).collect()
}

/// Hooves, which have no toes, and heels all the time; feet with toes once the ball has left the floor.
#[test]
fn soles_roll_without_sliding() {
    for (skeleton, motions) in [
        (human(), [Motion::Walk, Motion::CrouchWalk]),
        (giraffe(), [Motion::Walk, Motion::Trot]),
        (uneven_giraffe(), [Motion::Walk, Motion::Trot]),
    ] {
        let skin = soles(&skeleton);
        let figure = Figure::new(&skeleton, &skin).unwrap();
        for motion in motions {
            let clip = generate(&figure, motion, &Knobs::default(), RATE, true).unwrap();
            let last = clip.poses.len() - 1;
            let mut rolled = 0;
            for contact in clip.contacts.iter().filter(|contact| contact.up as usize <= last) {
                let leg = figure.legs.iter().position(|leg| leg.end() == contact.foot).unwrap();
                for frame in contact.down as usize..contact.up as usize {
                    if figure.legs[leg].foot.len() > 1 && clip.balls[leg][frame] {
                        continue;
                    }
                    let [now, next] =
                        [frame, frame + 1].map(|at| places(&skeleton, &skin, &clip, contact.foot, at));
                    let pairs = now.into_iter().zip(next);
                    let (a, b) = pairs.min_by(|x, y| (x.0.y + x.1.y).total_cmp(&(y.0.y + y.1.y))).unwrap();
                    let slide = (b - a).with_y(0.0).length() / figure.height;
                    assert!(slide < 1e-4, "{motion:?} at {frame}: {slide} H");
                    rolled += 1;
                }
            }
            assert!(rolled > 10, "{motion:?}: {rolled}");
        }
    }
}

/// However far the heel is behind the ankle.
#[test]
fn no_foot_that_stands_hovers() {
    for (skeleton, skin) in [
        (human(), soles(&human())),
        (human(), short_heels(&human())),
        (human(), high_heels(&human())),
        (giraffe(), soles(&giraffe())),
        (uneven_giraffe(), soles(&uneven_giraffe())),
    ] {
        let figure = Figure::new(&skeleton, &skin).unwrap();
        for motion in [Motion::Walk, Motion::Run, Motion::Trot, Motion::CrouchWalk] {
            let Ok(clip) = generate(&figure, motion, &Knobs::default(), RATE, true) else { continue };
            let last = clip.poses.len() - 1;
            for contact in clip.contacts.iter().filter(|contact| contact.up as usize <= last) {
                for frame in contact.down as usize..=contact.up as usize {
                    let places = places(&skeleton, &skin, &clip, contact.foot, frame);
                    let lowest = places.iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
                    let off = (lowest - figure.floor) / figure.height;
                    assert!(off < 2e-4, "{motion:?} at {frame}: {off} H");
                }
            }
        }
    }
}

/// Nor does one that swings scrape the floor, where a leg cannot fold as far as its gait wants.
#[test]
fn feet_clear_the_floor_in_the_middle_of_their_swing() {
    for (skeleton, motions) in [
        (human(), [Motion::Walk, Motion::Run]),
        (giraffe(), [Motion::Walk, Motion::Trot]),
        (giraffe_bending(&["shank", "shin"], 17.0), [Motion::Walk; 2]),
    ] {
        let skin = soles(&skeleton);
        let figure = Figure::new(&skeleton, &skin).unwrap();
        for motion in motions {
            let clip = generate(&figure, motion, &Knobs::default(), RATE, false).unwrap();
            let count = clip.poses.len() - 1;
            for contact in &clip.contacts {
                let swing = count - (contact.up - contact.down) as usize;
                let frame = (contact.up as usize + swing / 2) % count;
                let places = places(&skeleton, &skin, &clip, contact.foot, frame);
                let lowest = places.iter().map(|place| place.y).fold(f64::INFINITY, f64::min);
                let height = (lowest - figure.floor) / figure.stature;
                assert!(height > 0.008, "{motion:?}: {height} at {frame}");
            }
        }
    }
}
