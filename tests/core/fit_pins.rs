//! What a joint that is pinned does to the others.

use crate::bodies::{Human, Kind};
use glam::Vec3;
use ossature::rig::fit::{Body, Fit, Options, Template, UNSURE, fit};
use ossature::rig::kinematics::bind_tips;
use ossature::rig::skeleton::Skeleton;

fn fitted(surface: &ossature::mesh::halfedge::HalfedgeMesh) -> Fit {
    fit(&Body::from_surface(surface).unwrap(), &Template::named("humanoid").unwrap(), &Options::default())
        .unwrap()
}

/// How far and where to each joint but the pinned one moves if that is dragged; also asserts that none changes sides.
fn shifts(before: &Fit, name: &str, drag: Vec3, size: f32) -> Vec<(String, Vec3)> {
    let joints = before.joints();
    let at = joints.iter().find(|joint| joint.name == name).unwrap().position + drag;
    let after = before.refit(vec![(name.to_owned(), at)]).unwrap().joints();
    let pairs = joints.iter().zip(&after).filter(|(joint, _)| joint.name != name);
    let shifts = pairs.map(|(before, after)| {
        let x = before.position.x;
        let changes_sides = x.abs() > 0.01 * size && x * after.position.x < 0.0;
        assert!(!changes_sides, "{name} by {drag}: {} from {x} to {}", before.name, after.position.x);
        (before.name.clone(), after.position - before.position)
    });
    shifts.collect()
}

/// A knee that is dragged out of its leg, as far as is usual and far more, leaves all others where they are.
#[test]
fn a_dragged_knee_leaves_the_others_where_they_are() {
    let human = Human::new();
    let (before, size) = (fitted(&human.surface), 5.5);
    for (name, side) in [("knee.R", -1.0), ("elbow.L", 1.0)] {
        for part in [0.01, 0.03, 0.05, 0.09, 0.14] {
            for way in [side * Vec3::X, Vec3::Z, Vec3::NEG_Z] {
                for (other, shift) in shifts(&before, name, part * size * way, size) {
                    assert!(shift.length() < 1e-4 * size, "{name} by {part} to {way}: {other} {shift}");
                }
            }
        }
    }
}

/// Others follow less than the joint that is dragged by a little, and only where it leads.
#[test]
fn others_follow_less_and_in_the_same_direction() {
    let human = Human::new();
    let (before, size) = (fitted(&human.surface), 5.5);
    for name in ["knee.L", "ankle.R", "hip.L", "wrist.R", "shoulder.L", "head", "neck", "hips"] {
        for way in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
            let drag = 0.02 * size * way;
            // A thumb swings around the wrist, as the hand turns.
            let shifts = shifts(&before, name, drag, size);
            for (other, shift) in shifts.into_iter().filter(|(other, _)| !other.starts_with("thumb")) {
                assert!(shift.length() < 1.3 * drag.length(), "{name} to {way}: {other} {shift}");
                // Two voxels back at most, where a bone would leave the body.
                assert!(shift.dot(drag) > -0.011 * size * drag.length(), "{name} to {way}: {other} {shift}");
            }
        }
    }
}

/// A wrist that is clicked where no limb is makes nothing else less sure.
#[test]
fn a_click_beside_the_body_does_not_make_other_joints_unsure() {
    let human = Human::new();
    let before = fitted(&human.surface);
    let joints = before.joints();
    let at = joints.iter().find(|joint| joint.name == "wrist.R").unwrap().position + 0.8 * Vec3::Z;
    let after = before.refit(vec![("wrist.R".to_owned(), at)]).unwrap().joints();
    for (before, after) in joints.iter().zip(&after).filter(|(joint, _)| joint.name.ends_with(".L")) {
        let names = (&before.name, before.confidence, after.confidence);
        assert!(before.confidence >= UNSURE && after.confidence >= UNSURE, "{names:?}");
    }
}

/// A hand or foot that is dragged a little beside its limb, on one side or on both, corrects that limb and nothing else.
#[test]
fn hands_and_feet_beside_their_limbs_make_nothing_unsure() {
    let human = Human::new();
    for varied in [0, 1, 2].map(|seed| human.varied(Kind::Common, seed)) {
        let before = fitted(&varied.surface);
        let joints = before.joints();
        let tall = joints.iter().map(|joint| joint.position.y).fold(f32::MIN, f32::max);
        for name in ["toes", "foot", "ankle", "wrist"] {
            for way in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::Z, Vec3::NEG_Z] {
                let pin = |side: &str, way: Vec3| {
                    let name = format!("{name}{side}");
                    let joint = joints.iter().find(|joint| joint.name == name).unwrap();
                    (name, joint.position + 0.04 * tall * way)
                };
                let mirrored = way * Vec3::new(-1.0, 1.0, 1.0);
                for pins in [vec![pin(".L", way)], vec![pin(".L", way), pin(".R", mirrored)]] {
                    let after = before.refit(pins.clone()).unwrap();
                    let text = format!("{name} by {way}, {} pins", pins.len());
                    assert!(after.penalty() < before.penalty() + 0.1, "{text}: {}", after.penalty());
                    for (before, after) in joints.iter().zip(after.joints()) {
                        let unsure = before.confidence >= UNSURE && after.confidence < UNSURE;
                        assert!(!unsure, "{text}: {} {}", after.name, after.confidence);
                    }
                }
            }
        }
    }
}

/// A joint of a finger that is pinned is where it is pinned, and the hand has all its fingers.
#[test]
fn pinned_hands_have_their_fingers() {
    let human = Human::new();
    let before = fitted(&human.surface);
    let skeleton = before.skeleton(&human.surface);
    let tips = bind_tips(&skeleton);
    let joints = before.joints();
    for name in ["hand.L", "palm.L", "fingers.L", "fingers2.L", "thumb.L", "thumb2.L"] {
        let bone = joints.iter().find(|joint| joint.name == name).unwrap().bone.unwrap();
        let at = tips[bone].as_vec3() + Vec3::new(0.02, 0.01, 0.0);
        let after = before.refit(vec![(name.to_owned(), at)]).unwrap().skeleton(&human.surface);
        assert_eq!(after.bones.len(), skeleton.bones.len(), "{name}");
        let found = bind_tips(&after)[bone].as_vec3();
        assert!(found.distance(at) < 1e-4, "{name}: {found} instead of {at}");
    }
}

/// Joints of fingers that the template does not have are pinned by the names that they get; the other tails stay.
#[test]
fn joints_of_all_fingers_can_be_pinned() {
    let human = Human::new();
    let before = fitted(&human.surface);
    let skeleton = before.skeleton(&human.surface);
    let tips = bind_tips(&skeleton);
    let find = |name: &str| (0..tips.len()).find(|&bone| skeleton.bone_name(bone) == name).unwrap();
    for name in ["palm_index.L", "index1.L", "ring2.R", "pinky3.R", "thumb3.L", "middle1.R", "thumb1.L"] {
        let bone = find(name);
        let at = tips[bone].as_vec3() + Vec3::new(0.02, 0.01, 0.0);
        let after = before.refit(vec![(name.to_owned(), at)]).unwrap();
        let after_skeleton = after.skeleton(&human.surface);
        assert_eq!(after.check_fingers(&after_skeleton), Ok(()));
        for (other, (found, tip)) in bind_tips(&after_skeleton).iter().zip(&tips).enumerate() {
            let wanted = if other == bone { at } else { tip.as_vec3() };
            assert!(found.as_vec3().distance(wanted) < 1e-4, "{name}: {}", skeleton.bone_name(other));
        }
    }
    // A body without hands gets none of these fingers.
    let ball = ossature::mesh::primitives::uv_sphere(1.0, 24, 12).unwrap();
    let pinned = before.refit(vec![("index1.L".to_owned(), tips[find("index1.L")].as_vec3())]).unwrap();
    let error = pinned.check_fingers(&pinned.skeleton(&ball)).unwrap_err().to_string();
    assert!(error.contains("index1.L") && error.contains("wrist.L"), "{error}");
    assert!(before.refit(vec![("index4.L".to_owned(), Vec3::ZERO)]).is_err());
    assert!(before.refit(vec![("index1".to_owned(), Vec3::ZERO)]).is_err());
}

/// A wrist that is placed in the palm, on the forearm or beside both costs no finger, and no fingertip moves.
#[test]
fn moved_wrists_leave_the_fingers() {
    let human = Human::new();
    for varied in [0, 1, 2].map(|seed| human.varied(Kind::Common, seed)) {
        let before = fitted(&varied.surface);
        let skeleton = before.skeleton(&varied.surface);
        assert!(skeleton.bones.iter().any(|bone| bone.name.as_deref() == Some("ring3.L")));
        let joints = before.joints();
        let tall = joints.iter().map(|joint| joint.position.y).fold(f32::MIN, f32::max);
        let wrist = joints.iter().find(|joint| joint.name == "wrist.L").unwrap().position;
        let elbow = joints.iter().find(|joint| joint.name == "elbow.L").unwrap().position;
        let along = (wrist - elbow).normalize();
        for way in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::Z, Vec3::NEG_Z, along, -along] {
            let pin = ("wrist.L".to_owned(), wrist + 0.04 * tall * way);
            let after = before.refit(vec![pin]).unwrap().skeleton(&varied.surface);
            let names = |skeleton: &Skeleton| -> Vec<String> {
                (0..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone)).collect()
            };
            assert_eq!(names(&after), names(&skeleton), "{way}");
            let tips = [&skeleton, &after].map(bind_tips);
            for bone in (0..skeleton.bones.len()).filter(|&bone| names(&after)[bone].ends_with("3.L")) {
                let moved = tips[0][bone].distance(tips[1][bone]);
                assert!(moved < 0.01 * f64::from(tall), "{way}: {} by {moved}", names(&after)[bone]);
            }
        }
    }
}
