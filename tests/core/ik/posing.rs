//! Limits, priors and all tasks together: on random rigs, and on the report's human.

use super::random_skeleton;
use crate::measure::drift::drift;
use crate::measure::legs::{crouching, lifting};
use crate::measure::posing::{circling, human, random_poses, whole_bodies};
use crate::rig_support::*;
use glam::{DVec3, Quat, Vec3};
use ossature::rig::body;
use ossature::rig::ik::{self, End, Options, Solver, TaskKind};
use ossature::rig::kinematics::current_pose;
use ossature::rig::limits::Limits;
use ossature::rig::skeleton::{Handle, LookAt, Orientation, Pole, Skeleton};

/// Returns a random rig with limits, stiffness, priors and free roots, whose handles use every task.
fn random_rig(random: &mut Random) -> Skeleton {
    let mut skeleton = random_skeleton(random);
    skeleton.root_free = random.chance(30);
    skeleton.ik_prior = [0.0, Skeleton::WEAK_PRIOR, Skeleton::MAX_PRIOR][random.below(3)];
    for bone in &mut skeleton.bones {
        for range in &mut bone.limits_deg.0 {
            let low = 120.0 * random.unit();
            *range = random.chance(50).then(|| [low, low + 90.0 * random.fraction().max(0.0)]);
        }
        bone.stiffness = random.vec3(1.0).max(Vec3::ZERO);
        bone.preferred_deg = random.chance(30).then(|| random.vec3(60.0));
    }
    for handle in &mut skeleton.handles {
        handle.weight = 0.2 + 0.8 * random.fraction();
        handle.orientation = random.chance(40).then(|| Orientation {
            rotation: Quat::from_scaled_axis(random.vec3(3.0)),
            weight: random.fraction(),
        });
        let (point, weight) = (random.vec3(2.0), random.fraction());
        handle.pole = random.chance(40).then_some(Pole { point, weight });
        let (axis, weight) = (random.vec3(1.0), random.fraction());
        handle.look_at = random.chance(30).then_some(LookAt { axis, weight });
    }
    skeleton
}

fn named(skeleton: &Skeleton, name: &str) -> usize {
    let mut bones = 0..skeleton.bones.len();
    bones.find(|&bone| skeleton.bone_name(bone) == name).unwrap()
}

/// Not even by one bit; the energy never rises, and only poses and a free root change.
#[test]
fn no_pose_is_outside_of_its_limits_and_no_energy_rises() {
    let mut random = Random::new(61);
    let mut at_limits = 0;
    for case in 0..2000 {
        let skeleton = random_rig(&mut random);
        let mut solved = skeleton.clone();
        let outcome = ik::solve(&mut solved, &Options::default());
        assert!(outcome.energies.windows(2).all(|e| e[1] <= e[0]), "case {case}");
        let turned = ik::chain::remaining_chain(
            &skeleton,
            skeleton.handles.iter().filter(|handle| skeleton.pulls(handle)),
        );
        for (bone, this) in solved.bones.iter().enumerate() {
            if turned[bone] > 0 {
                assert!(this.limits_deg.contains(this.pose_deg), "case {case} bone {bone}");
                let [low, high] = this.limits_deg.bounds();
                at_limits += usize::from(this.pose_deg.cmpeq(low).any() || this.pose_deg.cmpeq(high).any());
            } else {
                assert_eq!(this.pose_deg, skeleton.bones[bone].pose_deg, "case {case} bone {bone}");
            }
        }
        assert!(skeleton.root_free || solved.base_offset == skeleton.base_offset, "case {case}");
        for (bone, before) in solved.bones.iter_mut().zip(&skeleton.bones) {
            bone.pose_deg = before.pose_deg;
        }
        solved.base_offset = skeleton.base_offset;
        assert_eq!(solved, skeleton);
    }
    assert!(at_limits > 2000, "{at_limits}");
}

#[test]
fn the_human_is_posed_within_its_limits() {
    for counts in [random_poses(200, Skeleton::WEAK_PRIOR, true), random_poses(200, 0.0, true)] {
        assert!(counts.solved >= 198, "{} of 200", counts.solved);
        assert_eq!((counts.outside_limits, counts.rising), (0, 0));
    }
    let bodies = whole_bodies(100);
    assert_eq!(bodies.solved, 100);
    assert_eq!((bodies.outside_limits, bodies.rising), (0, 0));
}

#[test]
fn a_circling_hand_neither_drifts_nor_jumps() {
    let found = circling(10, Skeleton::WEAK_PRIOR);
    assert_eq!(drift(2), 0.0);
    assert!(found.largest < 35.0 && found.relative_change < 2.0, "{found:?}");
}

/// However deep the crouch, knees stay apart and bend forwards, feet stay in place, and nothing snaps.
#[test]
fn a_crouch_on_pinned_feet_keeps_knees_apart_and_feet_in_place() {
    for turned in [false, true] {
        let legs = crouching(turned);
        assert!(legs.foot_slip < 0.03 && legs.knee_sideways < 0.1, "{turned}: {legs:?}");
        assert!(legs.knee_forward >= -0.01 && legs.rotation_deg < 15.0, "{turned}: {legs:?}");
        // With the heels up, the toes stay flat and do not go through the floor.
        assert!(!turned || legs.toe_sink < 0.02, "{legs:?}");
    }
}

#[test]
fn a_foot_that_is_lifted_bends_its_knee_from_the_beginning() {
    let legs = lifting();
    assert!(legs.rotation_deg < 15.0 && legs.knee_forward >= -0.01, "{legs:?}");
}

/// A pole decides which way an elbow bends, not whether the hand reaches its target.
#[test]
fn a_pole_costs_no_reach() {
    let human = human();
    let bone = |name: &str| {
        let mut bones = 0..human.bones.len();
        bones.find(|&bone| human.bone_name(bone) == name).unwrap()
    };
    let wrist = bone("forearm.L");
    let pole = Pole { point: Vec3::new(1.415, 3.638, -1.938), weight: 1.0 };
    // The mouth, the other shoulder, the other side of the chest.
    for target in [[0.15, 4.85, 0.55], [-0.4, 4.45, 0.35], [-0.5, 4.3, 0.4]] {
        let solved = |pole: Option<Pole>| {
            let mut skeleton = human.clone();
            let mut arm = handle(wrist, Vec3::from(target));
            (arm.pole, arm.chain) = (pole, Some(body::limb::limb(&skeleton, wrist)));
            skeleton.handles = vec![arm];
            let outcome = ik::solve(&mut skeleton, &Options::default());
            assert!(outcome.energies.is_sorted_by(|a, b| a >= b));
            outcome.farthest.unwrap().1
        };
        let [without, with] = [None, Some(pole)].map(solved);
        assert!(with < without + 0.01, "{target:?}: {without} without, {with} with");
    }
}

/// A pin yields neither to targets out of reach nor to absurd ones, and the body stays upright.
#[test]
fn pinned_feet_stay_where_hands_ask_for_too_much() {
    let human = human();
    let bone = |name: &str| named(&human, name);
    let at = tips(&human);
    let pins = ["foot.L", "foot.R"].map(|name| {
        let foot = bone(name);
        let mut pin = Handle {
            pinned: true,
            orientation: Some(Orientation::new(Quat::IDENTITY, 1.0)),
            chain: Some(3),
            ..handle(foot, at[foot].as_vec3())
        };
        pin.pole = ik::pole::limb_pole(&human, &pin);
        pin
    });
    let [left, right] = ["hand.L", "hand.R"].map(bone);
    for (targets, slips) in [
        // To the floor in front; out of reach; far away.
        (vec![(left, Vec3::new(0.8, 0.3, 0.9)), (right, Vec3::new(-0.8, 0.3, 0.9))], 0.01),
        (vec![(left, Vec3::new(5.0, 3.0, 5.0))], 0.06),
        (vec![(left, Vec3::new(12.0, 3.0, 6.0))], 0.06),
        (vec![(left, Vec3::new(200.0, 3.0, 60.0))], 0.06),
        (vec![(left, Vec3::new(0.0, 1e6, 0.0))], 0.06),
        (vec![(left, Vec3::splat(1e12))], 0.06),
        (vec![(left, Vec3::splat(1e30))], 0.06),
    ] {
        let mut skeleton = human.clone();
        skeleton.root_free = true;
        skeleton.handles = pins.to_vec();
        skeleton.handles.extend(targets.iter().map(|&(hand, target)| handle(hand, target)));
        let outcome = ik::solve(&mut skeleton, &Options::default());
        let now = tips(&skeleton);
        for pin in &pins {
            let off = now[pin.bone as usize].distance(pin.target.as_dvec3());
            assert!(off < slips, "{targets:?}: {off}");
        }
        let head = now[bone("head")];
        assert!(head.y > now[bone("pelvis")].y - 1.5 && head.y > 1.0, "{targets:?}: {head}");
        let leans = skeleton.bones[bone("pelvis")].pose_deg.abs().max_element();
        assert!(leans <= 57.0, "{targets:?}: {leans}");
        assert_eq!(outcome.end == End::Reached, targets.len() == 2, "{:?}", outcome.tasks);
    }
}

/// A pose has the same bits whatever the solver did before and however it is reached.
#[test]
fn poses_do_not_depend_on_what_was_solved_before() {
    let mut random = Random::new(62);
    let (mut solver, mut outcome) = (Solver::default(), ik::Outcome::default());
    for case in 0..300 {
        let skeleton = random_rig(&mut random);
        let (mut afresh, mut again) = (skeleton.clone(), skeleton.clone());
        let expected = ik::solve(&mut afresh, &Options::default());
        let moved = solver.solve(&mut again, &Options::default(), &mut outcome);
        assert_eq!((again == skeleton, &outcome), (!moved, &expected), "case {case}");
        assert_eq!(again, afresh, "case {case}");
    }
}

/// A hand's target cannot turn an elbow backwards, and a knee points towards its pole.
#[test]
fn elbows_and_knees_bend_the_right_way() {
    let human = human();
    let bone = |name: &str| named(&human, name);
    let at = tips(&human);
    for side in ["L", "R"] {
        let [hand, elbow] = ["hand", "forearm"].map(|name| bone(&format!("{name}.{side}")));
        let mut arm = human.clone();
        // A target in front of the chest.
        let target = Vec3::new(0.3 * at[hand].x.signum() as f32, 4.0, 0.7);
        arm.handles = vec![Handle { chain: Some(3), ..handle(hand, target) }];
        assert_eq!(ik::solve(&mut arm, &Options::default()).end, End::Reached, "{side}");
        assert!(arm.bones[elbow].pose_deg.x > 40.0 && arm.bones[elbow].pose_deg.z == 0.0);
        let [thigh, shin] = ["thigh", "shin"].map(|name| bone(&format!("{name}.{side}")));
        let lifted = at[shin].as_vec3() + Vec3::new(0.0, 0.9, 0.3);
        for out in [-0.4, 0.0, 0.4] {
            let mut leg = human.clone();
            let knee = Vec3::new(lifted.x + out, lifted.y + 1.0, 3.0);
            leg.handles = vec![Handle {
                chain: Some(2),
                pole: Some(Pole { point: knee, weight: 1.0 }),
                ..handle(shin, lifted)
            }];
            let outcome = ik::solve(&mut leg, &Options::default());
            assert_eq!(outcome.end, End::Reached, "{side} {out}: {:?}", outcome.tasks);
            assert!(leg.bones[shin].pose_deg.x > 40.0);
            let hip = current_pose(&leg)[thigh].translation;
            let [knee_at, ankle] = [thigh, shin].map(|bone| tips(&leg)[bone]);
            let line = (ankle - hip).normalize();
            let across = |point: DVec3| ((point - hip) - line * line.dot(point - hip)).normalize();
            let off = across(knee_at).angle_between(across(knee.as_dvec3())).to_degrees();
            assert!(off < 1.0, "{side} {out}: {off}");
        }
    }
}

/// Weights of the other tasks blend as those of positions do, continuously from zero.
#[test]
fn tasks_are_blended_in_by_their_weights() {
    let start = chain(3, Vec3::new(0.1, 1.0, 0.0));
    let rotation = Quat::from_rotation_x(1.0);
    for weight in [0.0, 0.25, 0.75, 1.0] {
        let mut turned = start.clone();
        // Below its tip, since a straight chain could not turn its end and hold the tip.
        let tip = tips(&start)[2].as_vec3() - 0.8 * Vec3::Y;
        turned.handles.push(Handle { orientation: Some(Orientation { rotation, weight }), ..handle(2, tip) });
        let outcome = ik::solve(&mut turned, &Options::default());
        assert_eq!(outcome.end, End::Reached, "{weight}: {:?}", outcome.tasks);
        let now = Quat::from_mat3(&current_pose(&turned)[2].matrix3.as_mat3());
        assert!(
            weight == 0.0 || (now.angle_between(Quat::IDENTITY) - weight).abs() < 2e-3,
            "{weight}: {now}"
        );
        let mut looking = start.clone();
        looking.handles.push(Handle {
            look_at: Some(LookAt { axis: Vec3::Y, weight }),
            ..handle(2, Vec3::new(0.2, 2.0, 50.0))
        });
        ik::solve(&mut looking, &Options::default());
        let ahead = current_pose(&looking)[2].matrix3 * DVec3::Y;
        let angle = ahead.angle_between(DVec3::Y).to_degrees();
        assert!((angle - 90.0 * f64::from(weight)).abs() < 2.0, "{weight}: {angle}");
    }
}

/// A foot whose leg is pulled beyond the ankle's range stays in place and lifts its heel.
#[test]
fn positions_come_before_orientations() {
    let mut human = human();
    let bone = |name: &str| named(&human, name);
    let feet = ["foot.L", "foot.R"].map(bone);
    let at = tips(&human);
    for foot in feet {
        human.handles.push(Handle {
            orientation: Some(Orientation { rotation: Quat::IDENTITY, weight: 1.0 }),
            chain: Some(3),
            ..handle(foot, at[foot].as_vec3())
        });
    }
    human.base_offset.y = -0.8;
    let outcome = ik::solve(&mut human, &Options::default());
    let worst = |kind: TaskKind| {
        let tasks = outcome.tasks.iter().filter(|task| task.task == kind);
        tasks.map(|task| task.error).fold(0.0, f64::max)
    };
    // The human is 5.6 tall.
    assert!(worst(TaskKind::Position) < 0.04, "{:?}", outcome.tasks);
    assert!((1.0..10.0).contains(&worst(TaskKind::Orientation)), "{:?}", outcome.tasks);
}

/// A stiff angle leaves the turning to others, and does not turn at 1; a root moves only if it is free.
#[test]
fn stiffness_and_free_roots() {
    // Three bones leave a choice.
    let mut arm = chain(3, Vec3::Y);
    arm.handles.push(handle(2, Vec3::new(0.0, 1.0, 1.6)));
    let turned = |stiffness: f32| {
        let mut arm = arm.clone();
        arm.bones[0].stiffness = Vec3::splat(stiffness);
        arm.ik_prior = Skeleton::WEAK_PRIOR;
        assert_eq!(ik::solve(&mut arm, &Options::default()).end, End::Reached);
        arm.bones[0].pose_deg.length()
    };
    let [free, stiff, fixed] = [0.0, 0.9, 1.0].map(turned);
    assert!(free > 4.0 && fixed == 0.0 && stiff < 0.3 * free, "{free} {stiff} {fixed}");
    // A bone turns no further than its stiffness permits, whatever the target.
    let mut stiff = chain(2, Vec3::Y);
    stiff.bones[0].stiffness = Vec3::splat(0.96);
    stiff.handles.push(handle(1, Vec3::new(0.0, -2.0, 0.1)));
    ik::solve(&mut stiff, &Options::default());
    let most = stiff.bones[0].pose_deg.abs().max_element();
    assert!((30.0..=36.001).contains(&most), "{most}");
    let mut far = chain(2, Vec3::Y);
    far.handles.push(handle(1, Vec3::new(5.0, 5.0, 0.0)));
    assert_eq!(ik::solve(&mut far.clone(), &Options::default()).end, End::OutOfReach);
    far.root_free = true;
    assert_eq!(ik::solve(&mut far, &Options::default()).end, End::Reached);
    assert!(tip_errors(&far)[0] < 1e-4 && far.base_offset.length() > 1.0);
}

/// Absurd goals of every task settle, and unmet ones are named.
#[test]
fn absurd_goals_come_to_rest_and_are_named() {
    for prior in [0.0, Skeleton::WEAK_PRIOR] {
        for far in [1e11, 1e30, 1e38] {
            let mut skeleton = human();
            skeleton.ik_prior = prior;
            let hand = (0..skeleton.bones.len()).find(|&b| skeleton.bone_name(b) == "hand.L").unwrap();
            skeleton.handles.push(Handle {
                chain: Some(3),
                orientation: Some(Orientation { rotation: Quat::from_rotation_y(3.0), weight: 1.0 }),
                pole: Some(Pole { point: Vec3::new(0.0, -far, 0.0), weight: 1.0 }),
                ..handle(hand, Vec3::new(far, far, 0.0))
            });
            let outcome = ik::solve(&mut skeleton, &Options { max_steps: 1000, ..Options::default() });
            assert_eq!(outcome.end, End::OutOfReach, "{prior} {far}");
            let missed = outcome.missed().next().unwrap();
            assert_eq!((missed.handle, missed.task), (0, TaskKind::Position));
            assert!(skeleton.bones.iter().all(|bone| bone.pose_deg.is_finite()));
        }
    }
}

/// A stored pose outside the limits is moved inside as soon as a handle turns it.
#[test]
fn poses_outside_of_limits_are_taken_into_them() {
    let mut arm = chain(2, Vec3::Y);
    arm.bones[1].pose_deg.x = 90.0;
    arm.bones[1].limits_deg = Limits::symmetric(Vec3::splat(30.0));
    let mut inside = arm.clone();
    inside.bones[1].pose_deg.x = 30.0;
    let target = tips(&inside)[1].as_vec3();
    arm.handles.push(handle(1, target));
    let outcome = ik::solve(&mut arm, &Options::default());
    assert_eq!((outcome.end, outcome.steps), (End::Reached, 0));
    assert_eq!(arm.bones[1].pose_deg.x, 30.0);
}
