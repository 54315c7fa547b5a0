//! The skinning method of a skinned mesh: its row in the properties in both tabs.

use super::mesh;
use super::support::*;
use egui::{Key, vec2};
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::rig::skinning::Method;
use std::sync::Arc;

fn set(method: Method) -> Command {
    Command::SetSkinning { mesh: mesh(), method }
}

fn half() -> Method {
    Method::try_from(0.5).unwrap()
}

fn blended(part: f32) -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, None);
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        body.skinning = Method::try_from(part).unwrap();
    });
    desk
}

#[test]
fn it_is_chosen_from_a_list_in_both_tabs() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, None);
        assert_eq!(desk.count("Skinning"), 1);
        assert_eq!(desk.value("Skinning").as_deref(), Some("Linear blend"));
        assert!(!desk.has("DQS blend"));
        for (line, method) in [
            ("Dual quaternions", Method::DUAL_QUATERNION),
            ("Blend of both", half()),
            ("Linear blend", Method::LINEAR),
        ] {
            desk.click("Skinning");
            let asked = desk.click(&format!("Skinning: {line}"));
            assert_eq!(asked, [Request::Apply(vec![set(method)])], "{tab:?} {line}");
            desk.frame();
            assert_eq!(desk.value("Skinning").as_deref(), Some(line));
            assert_eq!(desk.has("DQS blend"), method == half());
            assert_eq!(desk.has("DQS blend slider"), method == half());
        }
    }
}

/// The number is only in the field.
#[test]
fn a_blend_has_one_number() {
    let mut desk = blended(0.575);
    assert_eq!(desk.value("DQS blend").as_deref(), Some("57.5 %"));
    assert!(!desk.has_containing("58 %") && !desk.has_containing("0.57"));
    desk.click("DQS blend");
    desk.type_text("25");
    let asked = desk.key(Key::Enter);
    assert_eq!(asked, [Request::Apply(vec![set(Method::try_from(0.25).unwrap())])]);
    // Even at the ends of the slider it is still a blend, so that the slider stays.
    for by in [-600.0, 600.0] {
        let asked = desk.drag("DQS blend slider", vec2(by, 0.0));
        assert_eq!(asked.last(), Some(&Request::Commit));
        assert!(desk.has("DQS blend slider"), "{by}");
    }
}

/// In sight without scrolling, whatever part of the character is selected.
#[test]
fn it_is_in_sight_in_the_animate_tab() {
    for size in [vec2(1280.0, 800.0), vec2(720.0, 480.0)] {
        for part in [None, Some(Part::Bone(0)), Some(Part::Base)] {
            let mut desk = Desk::sized(size, Tab::Animate, part);
            desk.frame();
            let row = desk.rect("Skinning");
            assert!(row.top() > 0.0 && row.bottom() < size.y, "{size} {part:?}: {row}");
            assert_eq!(desk.outside(), Vec::<String>::new());
        }
    }
}

/// Returns a scene whose keys bend the arm about z and twist it about y.
fn moving() -> Desk {
    use ossature::anim::channel::{Animation, Channel};
    use ossature::anim::spline::Spline;
    let mut desk = Desk::with_part(Tab::Animate, None);
    assert!(!desk.has("Bend") && !desk.has("Twist"), "nothing moves");
    desk.edit_scene(|scene| {
        let knots = vec![(0.0, glam::Vec3::ZERO), (10.0, glam::Vec3::new(0.0, 90.0, 45.0))];
        let mut animation = Animation::default();
        let of = animation.channels.entry("Body".into()).or_default();
        of.insert("bone.1.pose".into(), Arc::new(Channel::Vec3(Spline::from_knots(knots))));
        scene.animation = Arc::new(animation);
    });
    desk.session().set_frame(10.0);
    desk.frame();
    desk
}

#[test]
fn bending_and_twisting_are_two_switches() {
    let mut desk = moving();
    let pose = |desk: &mut Desk| {
        let body = desk.session().animated().skinned_meshes["Body"].clone();
        body.skeleton.bones[1].pose_deg
    };
    let stored = arm().pose_deg;
    assert_eq!((desk.toggled("Bend"), desk.toggled("Twist")), (Some(true), Some(true)));
    desk.click("Twist");
    assert_eq!(pose(&mut desk), glam::Vec3::new(0.0, stored.y, 45.0));
    assert_eq!((desk.toggled("Bend"), desk.toggled("Twist")), (Some(true), Some(false)));
    desk.click("Bend");
    assert_eq!(pose(&mut desk), stored);
    desk.click("Twist");
    assert_eq!(pose(&mut desk), glam::Vec3::new(stored.x, 90.0, stored.z));
    desk.click("Bend");
    assert_eq!(pose(&mut desk), glam::Vec3::new(0.0, 90.0, 45.0));
    assert_eq!(desk.session().history().entries().len(), 4);
}

#[test]
fn the_exponent_of_weights_is_dragged_on_the_moving_surface() {
    use ossature::rig::weights::method::Method as Weights;
    let mut desk = moving();
    desk.edit_scene(|scene| add_weights(scene, 8));
    assert!(!desk.has("Exponent"));
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        body.weight_method = Weights::power(3.0);
    });
    let requests = desk.drag("Exponent slider", vec2(20.0, 0.0));
    let sets_weights = |request: &Request| match request {
        Request::Preview(commands) => {
            matches!(commands[..], [Command::CalculateWeights { .. } | Command::SetWeightMethod { .. }])
        }
        _ => false,
    };
    assert!(requests.iter().any(sets_weights), "{requests:?}");
    assert_eq!(requests.last(), Some(&Request::Commit));
}
