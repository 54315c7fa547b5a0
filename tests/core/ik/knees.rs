//! Feet that a handle moves with a fixed orientation: a raised knee, a step, a crouch by the hips.

use super::balance::{assert_no_snap, named, pose, standing};
use crate::rig_support::*;
use glam::{Quat, Vec3};
use ossature::rig::body;
use ossature::rig::ik::{self, End, Options, TaskKind};
use ossature::rig::kinematics::current_pose;
use ossature::rig::limits::Limits;
use ossature::rig::skeleton::{Handle, Orientation, Skeleton};

const FRAMES: usize = 60;

/// Returns a handle that keeps the bone's bind-pose orientation.
fn kept(skeleton: &Skeleton, bone: &str, target: Vec3) -> Handle {
    Handle {
        orientation: Some(Orientation::new(Quat::IDENTITY, 1.0)),
        ..handle(named(skeleton, bone), target)
    }
}

/// Solves and returns the largest position error, in skeleton units.
fn solved(skeleton: &mut Skeleton) -> f64 {
    let outcome = ik::solve(skeleton, &Options::default());
    let places = outcome.tasks.iter().filter(|task| task.task == TaskKind::Position);
    places.map(|task| task.error).fold(0.0, f64::max)
}

/// Raises a foot by the leg alone, without or with a pole, or on the other foot, without or with fixed hips.
fn raising(way: usize, part: f32) -> Skeleton {
    let mut skeleton = standing();
    let start = tips(&skeleton)[named(&skeleton, "foot.L")].as_vec3();
    let target = start.lerp(Vec3::new(0.425, 1.6, 0.7), part);
    let mut foot = kept(&skeleton, "foot.L", target);
    match way {
        0 | 1 => {
            skeleton.handles.clear();
            skeleton.root_free = false;
            foot.chain = Some(body::limb::limb(&skeleton, named(&skeleton, "foot.L")));
            foot.pole = ik::pole::limb_pole(&skeleton, &foot).filter(|_| way == 1);
        }
        _ => {
            skeleton.handles.remove(0);
            if way == 3 {
                let hips = kept(&skeleton, "pelvis", Vec3::new(0.0, 3.0, 0.1));
                skeleton.handles.push(hips);
            }
        }
    }
    skeleton.handles.push(foot);
    skeleton
}

/// A straight leg bends by the root of its shortening, so the first frame is the largest. Where the ankle
/// cannot keep the foot flat, the toes drop, but the leg does not turn aside nor the other leg bend.
#[test]
fn a_knee_is_raised_straight_on_a_leg_that_stands() {
    for way in 0..4 {
        let mut before: Option<Skeleton> = None;
        for frame in 0..=FRAMES {
            let mut skeleton = raising(way, frame as f32 / FRAMES as f32);
            let off = solved(&mut skeleton);
            let at = format!("way {way} frame {frame}");
            assert!(off < 5e-3, "{at}: {off}");
            let [thigh, stands] = ["thigh.L", "shin.R"].map(|name| pose(&skeleton, name));
            assert!(thigh.y.abs() < 10.0 && thigh.z.abs() < 10.0, "{at}: {thigh}");
            assert!(stands.x < 15.0, "{at}: {stands}");
            assert_no_snap(&skeleton, before.as_ref(), if frame == 1 { 16.0 } else { 8.0 }, &at);
            before = Some(skeleton);
        }
        let knee = pose(&before.unwrap(), "shin.L").x;
        assert!(knee > 110.0, "way {way}: {knee}");
    }
}

/// The pole stays where it is and ends up below the leg: it yields, and the knee bends forwards.
#[test]
fn a_foot_is_raised_above_its_pole() {
    for pinned in [false, true] {
        let mut before: Option<Skeleton> = None;
        for frame in 0..=FRAMES {
            let part = frame as f32 / FRAMES as f32;
            let mut skeleton = raising(usize::from(!pinned), 0.0);
            if pinned {
                let hips = Vec3::new(0.0, 3.04, -0.03);
                skeleton = standing();
                skeleton.handles.push(kept(&skeleton, "pelvis", hips));
            }
            let foot = &mut skeleton.handles[0];
            foot.target = foot.target.lerp(Vec3::new(0.425, 2.21, 2.41), part);
            let off = solved(&mut skeleton);
            let at = format!("pinned {pinned} frame {frame}");
            assert!(off < 0.02, "{at}: {off}");
            assert!(pose(&skeleton, "shin.L").x > -1.0, "{at}");
            let most = if frame == 1 { 20.0 } else { 10.0 };
            assert_no_snap(&skeleton, before.as_ref(), most, &at);
            before = Some(skeleton);
        }
        assert!(pose(&before.unwrap(), "shin.L").x > 50.0, "{pinned}");
    }
}

/// A foot on a plain handle that hangs straight down bends its knee gradually from the first frame, which is the largest.
#[test]
fn a_plain_handle_lifts_a_foot_smoothly() {
    for target in [[0.425, 1.6, 0.7], [0.425, 0.9, -0.7], [0.425, 0.075, -0.9]] {
        let mut before: Option<Skeleton> = None;
        for frame in 0..=FRAMES {
            let mut skeleton = raising(2, 0.0);
            let foot = skeleton.handles.last_mut().unwrap();
            foot.orientation = None;
            foot.target = foot.target.lerp(Vec3::from(target), frame as f32 / FRAMES as f32);
            let off = solved(&mut skeleton);
            let at = format!("to {target:?} frame {frame}");
            assert!(off < 5e-3, "{at}: {off}");
            assert_no_snap(&skeleton, before.as_ref(), if frame == 1 { 16.0 } else { 8.0 }, &at);
            before = Some(skeleton);
        }
    }
}

/// The leg turns out with its foot.
#[test]
fn a_knee_points_where_the_toes_do() {
    for asked in [-40.0f32, -20.0, 20.0, 40.0] {
        let mut skeleton = raising(0, 0.2);
        let foot = &mut skeleton.handles[0];
        foot.orientation = Some(Orientation::new(Quat::from_rotation_y(asked.to_radians()), 1.0));
        let outcome = ik::solve(&mut skeleton, &Options::default());
        assert!(outcome.missed().next().is_none(), "{asked}: {:?}", outcome.tasks);
        let turned = -pose(&skeleton, "thigh.L").y;
        assert!((turned - asked).abs() < 12.0, "{asked}: {turned}");
    }
}

/// Heels lift at the limits of the ankles rather than keep the hips from their target.
#[test]
fn hips_that_keep_their_orientation_get_where_they_are_led() {
    let mut before: Option<Skeleton> = None;
    for frame in 0..=FRAMES {
        let down = 1.5 * frame as f32 / FRAMES as f32;
        let mut skeleton = standing();
        let start = tips(&skeleton)[named(&skeleton, "pelvis")].as_vec3();
        let hips = kept(&skeleton, "pelvis", start + Vec3::new(0.0, -down, -0.2 * down));
        skeleton.handles.push(hips);
        let off = solved(&mut skeleton);
        assert!(off < 0.02, "{down} down: {off}");
        let tilt = pose(&skeleton, "pelvis").abs().max_element();
        assert!(tilt < 1.0, "{down} down: {tilt}");
        assert_no_snap(&skeleton, before.as_ref(), 15.0, &format!("{down} down"));
        before = Some(skeleton);
    }
}

/// Ankles at their limits and hips with a fixed orientation conflict, and settle where they agree.
#[test]
fn a_body_on_raised_feet_comes_to_rest() {
    for frame in 0..=FRAMES {
        let mut skeleton = standing();
        let hips = kept(&skeleton, "pelvis", Vec3::new(0.0, 3.04, -0.03));
        skeleton.handles.push(hips);
        for foot in &mut skeleton.handles[..2] {
            foot.target.y += 1.2 * frame as f32 / FRAMES as f32;
        }
        let outcome = ik::solve(&mut skeleton, &Options::default());
        assert_ne!(outcome.end, End::Unfinished, "frame {frame}: {:?}", outcome.tasks);
    }
}

/// Knees go to the front although nothing says so, whichever way the body faces: when the hips of a body without limits and
/// preferred poses are led down, and when its foot is raised.
#[test]
fn knees_of_a_body_without_limits_bend_to_the_front() {
    for turn in [Quat::IDENTITY, Quat::from_rotation_y(1.5707964), Quat::from_rotation_x(1.5707964)] {
        for (led, other, moved) in [
            ("pelvis", None, Vec3::new(0.0, -0.9, 0.0)),
            ("pelvis", None, Vec3::new(0.2, -1.6, 0.1)),
            ("foot.L", Some("foot.L"), Vec3::new(0.0, 1.4, 0.3)),
        ] {
            let mut skeleton = standing();
            for bone in &mut skeleton.bones {
                (bone.limits_deg, bone.preferred_deg) = (Limits::default(), None);
                (bone.extent, bone.roll_deg) = (turn * bone.extent, 0.0);
            }
            skeleton.base = turn * skeleton.base;
            let tails = tips(&skeleton);
            for handle in &mut skeleton.handles {
                handle.target = tails[handle.bone as usize].as_vec3();
                handle.orientation = handle.orientation.map(|_| Orientation::new(Quat::IDENTITY, 1.0));
                handle.pole = None;
            }
            let other = other.map(|name| named(&skeleton, name) as u32);
            skeleton.handles.retain(|handle| Some(handle.bone) != other);
            let bone = named(&skeleton, led);
            skeleton.handles.push(handle(bone, tails[bone].as_vec3() + turn * moved));
            let before = current_pose(&skeleton);
            ik::solve(&mut skeleton, &Options::default());
            let after = current_pose(&skeleton);
            for knee in ["shin.L", "shin.R"].into_iter().filter(|knee| led == "pelvis" || knee.ends_with('L'))
            {
                let knee = named(&skeleton, knee);
                let gone = turn.inverse() * (after[knee].translation - before[knee].translation).as_vec3();
                assert!(gone.z > 0.3 && gone.x.abs() < 0.6 * gone.z, "{turn} {led} {moved}: {gone}");
            }
        }
    }
}
