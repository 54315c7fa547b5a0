//! Messages that offer a next step, used in the whole application; and the marks of joints outside the body.

use crate::support::*;
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::editor::ui::theme;

fn ask(person: &mut Person, request: Request) {
    person.editor().requests.push(request);
    person.app.frames(4);
}

fn last_message(person: &mut Person) -> String {
    person.messages().pop().unwrap_or_default()
}

#[test]
fn smoothing_offers_the_limit_again_and_mirroring_says_which_side_it_copied() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let most = |person: &mut Person| {
        let weights = person.scene().skinned_meshes[MESH].weights.clone();
        weights.rows().map(|(bones, _)| bones.len()).max()
    };
    ask(&mut person, Request::Act(Action::SMOOTH_WEIGHTS));
    assert!(most(&mut person) > Some(4), "{}", last_message(&mut person));
    person.click("Limit to 4");
    person.app.frames(2);
    assert_eq!(most(&mut person), Some(4));
    assert_eq!(person.steps(), ["Smooth weights", "Limit influences to 4"]);
    assert!(!person.sees("Limit to 4"), "it is done");

    // The right arm is edited, then both are mirrored: the right one is copied.
    let selection = person.selection();
    let arms = [LEFT_UPPER_ARM, RIGHT_UPPER_ARM].map(Part::Bone);
    ask(&mut person, Request::Select(selection.with_parts(arms)));
    let extent = person.skeleton().bones[RIGHT_UPPER_ARM].extent + Vec3::Z * 0.2;
    let (mesh, bone) = (MESH.to_owned(), RIGHT_UPPER_ARM);
    ask(&mut person, Request::Apply(vec![Command::MoveTip { mesh, bone, extent }]));
    let before = person.bytes();
    ask(&mut person, Request::Act(Action::MIRROR));
    let said = last_message(&mut person);
    assert!(said.contains("updated from the right") && said.contains("changed last"), "{said}");
    let arms = person.skeleton();
    let [left, right] = [LEFT_UPPER_ARM, RIGHT_UPPER_ARM].map(|bone| arms.bones[bone].extent);
    assert!((left - right * Vec3::new(-1.0, 1.0, 1.0)).length() < 1e-5 && right == extent);
    person.click("Undo");
    person.app.frames(2);
    assert!(person.bytes() == before);

    // With only the older side selected, the mirror copies it, and warns.
    let left = selection.with_parts([Part::Bone(LEFT_UPPER_ARM)]);
    ask(&mut person, Request::Select(left));
    ask(&mut person, Request::Act(Action::MIRROR));
    let said = last_message(&mut person);
    assert!(said.contains("updated from the left") && said.contains("was replaced"), "{said}");
}

#[test]
fn a_joint_outside_the_body_is_marked_and_its_line_selects_it() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let before = person.shown().outside_joints.len();
    let (mesh, bone) = (MESH.to_owned(), LEFT_FOREARM);
    let extent = person.skeleton().bones[bone].extent + Vec3::Y * 0.6;
    ask(&mut person, Request::Apply(vec![Command::MoveTip { mesh, bone, extent }]));
    let outside = person.shown().outside_joints.clone();
    assert_eq!(outside.len(), before + 1);
    let joint = *outside.iter().find(|joint| joint.bone == LEFT_FOREARM).unwrap();
    let shot = person.picture();
    let (x, y) = person.shows(joint.position);
    let near = bevy_egui::egui::Rect::from_center_size(
        bevy_egui::egui::pos2(x, y),
        bevy_egui::egui::Vec2::splat(28.0),
    );
    let yellow = shot.pixels(near).filter(|&(x, y)| {
        let pixel = shot.at(x, y);
        let off = [0, 1, 2].map(|c| pixel[c].abs_diff(theme::viewport::WARNING.to_array()[c]));
        off.into_iter().max() < Some(24)
    });
    assert!(yellow.count() > 20, "a diamond around it");
    let line = match outside.len() {
        1 => "1 joint outside the body".to_owned(),
        count => format!("{count} joints outside the body"),
    };
    person.click(&line);
    person.app.frames(2);
    assert!(person.selection().bones().contains(&LEFT_FOREARM));
    // Nothing is recalculated while nothing changes.
    let found = person.shown().outside_joints.clone();
    person.app.frames(3);
    assert!(std::sync::Arc::ptr_eq(&found, &person.shown().outside_joints));
}
