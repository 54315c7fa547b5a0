//! The list of poses that are saved with the character.

use super::support::*;
use super::{MESH, mesh};
use egui::{Key, Modifiers, vec2};
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::{Command, PoseChange, PoseUse};
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::editor::state::shown::{Caches, Shown, refresh};

const TURNED: Vec3 = Vec3::new(40.0, -10.0, 5.0);

fn names(desk: &mut Desk) -> Vec<String> {
    let poses = desk.session().scene().skinned_meshes[MESH].poses.clone();
    poses.iter().map(|pose| pose.name.clone()).collect()
}

fn pose(desk: &mut Desk) -> Vec3 {
    desk.session().animated().skinned_meshes[MESH].skeleton.bones[1].pose_deg
}

fn turn(desk: &mut Desk, pose_deg: Vec3) {
    let (mesh, bone) = (mesh(), 1);
    desk.session().apply(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    desk.frame();
}

/// Returns a window with a bone selected, and a saved pose of it, `Pose`, that differs from its current one.
fn desk() -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    turn(&mut desk, TURNED);
    // With no poses, the list is folded.
    desk.click("Poses section");
    let import = Request::Act(Action::IMPORT_POSES);
    assert_eq!(desk.click("Import poses…"), [import]);
    assert!(desk.is_disabled("Export poses…"));
    assert_eq!(desk.click("Save pose"), [Request::Act(Action::SAVE_POSE)]);
    assert_eq!(names(&mut desk), ["Pose"]);
    assert_eq!(desk.click("Export poses…"), [Request::Act(Action::EXPORT_POSES)]);
    turn(&mut desk, Vec3::ZERO);
    desk
}

fn taken(amount: f32, flipped: bool) -> Command {
    let (mesh, bones, pose) = (mesh(), vec![1], "Pose".into());
    let how = PoseUse { pose, bones, amount, flipped };
    Command::Poses { mesh, change: PoseChange::Apply(how) }
}

#[test]
fn a_click_takes_a_pose() {
    let mut desk = desk();
    assert_eq!(desk.click("Saved pose Pose"), [Request::Apply(vec![taken(1.0, false)])]);
    assert_eq!(pose(&mut desk), TURNED);
    let mut flipped = desk.click_with(Modifiers::COMMAND, "Saved pose Pose");
    // The pointer is still over it, so the effect of Ctrl is previewed first.
    flipped.retain(|request| !matches!(request, Request::PreviewPose(_)));
    assert_eq!(flipped, [Request::Apply(vec![taken(1.0, true)])]);
    // Only in the Animate tab.
    desk.click("View");
    desk.click("View > Rig");
    assert!(!desk.has("Saved pose Pose") && !desk.has("Save pose"));
}

#[test]
fn a_drag_blends_it_in() {
    let mut desk = desk();
    let steps = desk.session().history().cursor();
    let asked = desk.drag("Saved pose Pose", vec2(75.0, 0.0));
    assert_eq!(asked.last(), Some(&Request::Commit));
    assert!(asked.contains(&Request::Preview(vec![taken(0.5, false)])), "{asked:?}");
    assert_eq!(pose(&mut desk), TURNED * 0.5);
    assert_eq!(desk.session().history().cursor(), steps + 1);
    for how in [GiveUp::Escape, GiveUp::RightClick] {
        desk.drag_and_give_up("Saved pose Pose", vec2(75.0, 0.0), how);
        assert_eq!(pose(&mut desk), TURNED * 0.5, "{how:?}");
        assert_eq!(desk.session().history().cursor(), steps + 1, "{how:?}");
        assert!(!desk.session().in_transaction());
    }
    // A drag far beyond the end takes the whole pose.
    desk.drag("Saved pose Pose", vec2(400.0, 0.0));
    assert_eq!(pose(&mut desk), TURNED);
}

#[test]
fn its_menu_renames_replaces_and_deletes() {
    let mut desk = desk();
    desk.right_click("Saved pose Pose");
    desk.click("Poses > Rename");
    desk.type_text("Wave");
    desk.key(Key::Enter);
    assert_eq!(names(&mut desk), ["Wave"]);
    desk.right_click("Saved pose Wave");
    desk.click("Poses > Rename");
    desk.type_text("Nothing");
    desk.key(Key::Escape);
    assert_eq!(names(&mut desk), ["Wave"]);
    turn(&mut desk, Vec3::Z);
    desk.right_click("Saved pose Wave");
    desk.click("Poses > Replace with current pose");
    turn(&mut desk, Vec3::ZERO);
    desk.click("Saved pose Wave");
    assert_eq!(pose(&mut desk), Vec3::Z);
    desk.right_click("Saved pose Wave");
    desk.click("Poses > Delete");
    assert!(names(&mut desk).is_empty());
    desk.session().undo();
    assert_eq!(names(&mut desk), ["Wave"]);
}

/// Hovering over a picture shows the pose, without any effect on the document.
#[test]
fn a_pose_is_seen_while_the_pointer_rests_on_it() {
    let mut desk = desk();
    let (steps, before) = (desk.session().history().cursor(), desk.session().scene().clone());
    let at = desk.center("Saved pose Pose");
    let mut asked = Vec::new();
    for _ in 0..6 {
        desk.hover(at);
        asked.append(&mut desk.frame());
    }
    let [Request::PreviewPose(Some(preview))] = &asked[..] else {
        panic!("{asked:?}");
    };
    let seen = |desk: &mut Desk| {
        let (mut shown, mut caches) = (Shown::default(), Caches::default());
        let state = desk.state();
        refresh(&mut &mut shown, &mut caches, &state.session, &state.settings);
        shown.evaluated.skinned[MESH].skeleton.bones[1].pose_deg
    };
    assert_eq!(desk.state().settings.pose_preview.as_ref(), Some(preview));
    assert_eq!((seen(&mut desk), pose(&mut desk)), (TURNED, Vec3::ZERO));
    desk.hover(egui::pos2(2.0, 2.0));
    desk.frame();
    assert_eq!(desk.state().settings.pose_preview, None);
    assert_eq!(seen(&mut desk), Vec3::ZERO);
    assert!(desk.session().scene().is_shared(&before));
    assert_eq!(desk.session().history().cursor(), steps);
}
