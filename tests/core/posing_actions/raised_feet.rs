//! Feet in the air while the body is led.

#![allow(clippy::print_stdout, reason = "figures are told with --nocapture")]

use super::pull::{HUMAN, WALK, pulled};
use super::{Desk, farthest};
use glam::{DVec3, Vec3};
use ossature::edit::pose::pull::Pull;
use ossature::edit::settings::view::Tab;
use ossature::rig::body::feet::feet;
use ossature::rig::kinematics::{bind_pose, tips};

/// A foot in the air does not hold the body.
#[test]
fn the_hips_lead_a_raised_foot_along() {
    let mut desk = Desk::new(Tab::Animate);
    desk.apply(pulled(&desk, "foot.R", false, Vec3::new(0.0, 0.9, 0.6)));
    let before = desk.tips();
    desk.apply(pulled(&desk, "pelvis", false, Vec3::new(0.1, -0.3, 0.0)));
    let after = desk.tips();
    let moved = |name: &str| after[desk.bone(name)].distance(before[desk.bone(name)]) / HUMAN;
    assert!(moved("foot.L") < 0.0015 && moved("foot.R") > 0.02, "{} {}", moved("foot.L"), moved("foot.R"));
}

/// A foot in the air that is carried along stops at the floor, where its sole touches it; the rest is led as ever, and nothing
/// jumps when it comes there.
#[test]
fn a_raised_foot_is_not_carried_through_the_floor() {
    let pulls = [
        ("head", Vec3::new(0.0, -1.6, 0.1)),
        ("pelvis", Vec3::new(0.0, -0.9, 0.0)),
        ("hand.L", Vec3::new(0.0, -2.2, 0.6)),
    ];
    for (bone, moved) in pulls {
        for frame in [4.0, 6.0, 8.0, 18.0] {
            let mut desk = Desk::of(WALK, Tab::Animate);
            desk.session.set_frame(frame);
            desk.evaluate();
            let bind = tips(desk.stored(), &bind_pose(desk.stored()));
            let start = desk.tips();
            let feet: Vec<usize> = feet(desk.stored()).into_iter().flat_map(|foot| foot.bones).collect();
            let mut pull = Pull::new(&desk.view(), desk.bone(bone), true).unwrap();
            let mut most = 0.0f64;
            let (mut last, mut lowest): (Option<Vec<DVec3>>, f64) = (None, f64::INFINITY);
            for step in 0..=160 {
                desk.apply(pull.commands(moved * step as f32 / 160.0));
                let now = desk.tips();
                for &foot in &feet {
                    lowest = lowest.min(now[foot].y - bind[foot].y.min(start[foot].y));
                }
                let jump = last.map_or(0.0, |last| farthest(&last, &now)) / f64::from(moved.length() / 160.0);
                most = most.max(jump);
                last = Some(now);
            }
            println!("{bone} at {frame}: {most:.1} times as far, {lowest:.3} above the floor");
            assert!(most < 20.0, "{bone} at {frame}: a joint moves {most} times as far as the pointer");
            // Toes dip a little where the ankle is at its limit.
            assert!(lowest > -0.015 * HUMAN, "{bone} at {frame}: {lowest}");
            let goal = start[desk.bone(bone)] + moved.as_dvec3();
            let miss = desk.tips()[desk.bone(bone)].distance(goal) / HUMAN;
            assert!(miss < 0.03, "{bone} at {frame}: {miss}");
        }
    }
}
