//! The panels without a window: every control found by its accessible name, pressed, dragged, typed
//! into, and what it asks for compared with what it should.
#![cfg(feature = "editor")]

mod panels_support;

use egui::{Key, PointerButton, vec2};
use glam::Vec3;
use ossature::edit::action::{Action, Menu};
use ossature::edit::command::Command;
use ossature::edit::request::{Request, SaveChanges};
use ossature::edit::selection::{Part, Selection};
use ossature::edit::view::Tab;
use ossature::editor::panels::file_dialog::FileMode;
use ossature::editor::panels::messages::Level;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use panels_support::*;

const MESH: &str = "Body";

fn mesh() -> String {
    MESH.into()
}

fn pose(bone: usize, pose_deg: Vec3) -> Request {
    Request::Apply(vec![Command::SetPose {
        mesh: mesh(),
        bone,
        pose_deg,
    }])
}

// --- menus and tabs

#[test]
fn every_menu_line_asks_for_its_action_or_says_why_not() {
    for menu in Menu::ALL {
        for action in menu.actions() {
            let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
            let enabled = desk.with_view(|view| action.enabled(view));
            desk.click(menu.text());
            let label = format!("{} > {}", menu.text(), action.info().text);
            match enabled {
                Ok(()) => assert_eq!(desk.click(&label), [Request::Act(action)], "{label}"),
                Err(why) => {
                    assert!(desk.is_disabled(&label), "{label}");
                    assert_eq!(desk.description(&label).as_deref(), Some(why.as_str()), "{label}");
                    assert_eq!(desk.click(&label), [], "{label}");
                }
            }
        }
    }
}

#[test]
fn menu_shows_keys_and_what_undo_undoes() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(0)));
    desk.session()
        .apply(&[Command::SetRadius {
            mesh: mesh(),
            bone: 0,
            radius: 2.0,
        }])
        .unwrap();
    let step = desk.session().undo_label().unwrap().to_owned();
    desk.frame();
    desk.click("Edit");
    assert_eq!(
        desk.click(&format!("Edit > Undo {step}")),
        [Request::Act(Action::Undo)]
    );
}

#[test]
fn tabs_switch_once() {
    let mut desk = Desk::new(Tab::Rig);
    assert_eq!(desk.click("Rig"), []);
    assert_eq!(desk.click("Animate"), [Request::Act(Action::TabAnimate)]);
    assert_eq!(desk.state().settings.tab, Tab::Animate);
    assert_eq!(desk.click("Rig"), [Request::Act(Action::TabRig)]);
}

#[test]
fn help_opens_its_windows() {
    let mut desk = Desk::new(Tab::Rig);
    for (line, inside) in [
        ("Help > Keys and mouse", "Give up a drag"),
        ("Help > Messages", "Copy all"),
        ("Help > About Ossature", "Close"),
    ] {
        desk.click("Help");
        desk.click(line);
        assert!(desk.has(inside), "{line}");
        if inside == "Close" {
            desk.click("Close");
            assert!(!desk.has("Close"));
        }
    }
}

// --- lists

#[test]
fn outliner_selects_and_hides() {
    let mut desk = Desk::new(Tab::Animate);
    for (kind, name) in all_instances() {
        let instance = InstanceRef {
            kind,
            name: name.into(),
        };
        let expected = Selection::of_instance(desk.session().scene(), &instance);
        let label = format!("Instance {name}");
        assert_eq!(desk.click(&label), [Request::Select(expected)], "{label}");
        let hide = format!("Hide {label}");
        if kind == InstanceKind::Camera {
            assert!(!desk.has(&hide));
            continue;
        }
        let set = |visible| {
            [Request::Apply(vec![Command::SetVisible {
                instance: instance.clone(),
                visible,
            }])]
        };
        assert_eq!(desk.click(&hide), set(false));
        assert_eq!(desk.click(&format!("Show {label}")), set(true));
    }
}

#[test]
fn instances_of_two_kinds_with_one_name_are_told_apart() {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        let camera = scene.instances.cameras["Eye"].clone();
        scene.instances.cameras.insert("Lamp".into(), camera);
    });
    assert_eq!(desk.count("Instance Lamp, Camera"), 1);
    assert_eq!(desk.count("Instance Lamp, Light"), 1);
}

#[test]
fn list_of_skinned_meshes_selects() {
    let mut desk = Desk::new(Tab::Rig);
    let expected = Selection::of_mesh(desk.session().scene(), MESH);
    assert_eq!(desk.click("Skinned mesh Body"), [Request::Select(expected)]);
}

#[test]
fn tree_selects_bones_handles_and_base() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    let whole = desk.session().selection().clone();
    for (label, part) in [
        ("Bone Arm", Part::Bone(1)),
        ("Bone bone 2", Part::Bone(2)),
        ("Handle IK Arm", Part::Handle(0)),
        ("Base", Part::Base),
    ] {
        assert_eq!(
            desk.click(label),
            [Request::Select(whole.with_part(Some(part)))],
            "{label}"
        );
    }
}

#[test]
fn tree_folds_and_arrow_keys_walk_it() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Collapse Bone Spine");
    assert!(!desk.has("Bone Arm"));
    desk.click("Expand Bone Spine");
    assert!(desk.has("Bone Arm"));
    desk.click("Base");
    let mut walked = Vec::new();
    for key in [
        Key::ArrowDown,
        Key::ArrowDown,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowLeft,
        Key::ArrowUp,
    ] {
        desk.key(key);
        walked.push(desk.session().selection().part.unwrap());
    }
    let expected = [
        Part::Bone(0),
        Part::Bone(1),
        Part::Handle(0),
        Part::Bone(1),
        Part::Bone(1),
        Part::Bone(0),
    ];
    assert_eq!(walked, expected, "the second Left folds the arm");
    // A press elsewhere takes the arrow keys away from the tree.
    desk.click("Rig");
    desk.key(Key::ArrowDown);
    assert_eq!(desk.session().selection().part, Some(Part::Bone(0)));
}

#[test]
fn a_selection_made_elsewhere_unfolds_the_tree() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.click("Collapse Bone Spine");
    let selection = desk.session().selection().with_part(Some(Part::Handle(0)));
    desk.session().select(selection);
    desk.frame();
    assert!(desk.has("Handle IK Arm"));
}

#[test]
fn sections_open_and_close() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    assert!(desk.has("Bone Spine"));
    desk.click("Bones section");
    assert!(!desk.has("Bone Spine"));
    desk.click("Bones section");
    assert!(desk.has("Bone Spine"));
}

// --- buttons and switches

#[test]
fn buttons_ask_for_their_actions() {
    let rig = [
        Action::AddIk,
        Action::AddBone,
        Action::Delete,
        Action::CalculateWeights,
    ];
    for action in rig {
        let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
        assert_eq!(desk.click(action.info().text), [Request::Act(action)]);
    }
    for action in [
        Action::ResetBonePose,
        Action::ResetPose,
        Action::ToggleSolveIk,
        Action::AddIk,
    ] {
        let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
        assert_eq!(desk.click(action.info().text), [Request::Act(action)]);
    }
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, Some(Part::Handle(0)));
        assert_eq!(desk.click("Delete"), [Request::Act(Action::Delete)]);
    }
}

#[test]
fn disabled_buttons_say_why() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(0)));
    assert_eq!(desk.click("Reset bone pose"), []);
    assert!(desk.is_disabled("Reset bone pose"));
    assert_eq!(
        desk.description("Reset bone pose").as_deref(),
        Some("The bone is not turned.")
    );
}

#[test]
fn weights_line_counts() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    assert!(desk.has("No vertex has weights yet"));
    desk.edit_scene(|scene| weigh(scene, 3));
    assert!(desk.has("3 of 8 vertices have weights"));
    desk.edit_scene(|scene| weigh(scene, 8));
    assert!(desk.has("All 8 vertices have weights"));
}

#[test]
fn enable_sets_the_handle() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, Some(Part::Handle(0)));
        let set = |enabled| {
            [Request::Apply(vec![Command::SetHandleEnabled {
                mesh: mesh(),
                handle: 0,
                enabled,
            }])]
        };
        assert_eq!(desk.click("Enable"), set(true));
        assert_eq!(desk.click("Enable"), set(false));
    }
}

// --- fields

/// Every number field: tab, part, label, what a typed 0.25 asks for.
fn number_fields() -> Vec<(Tab, Part, String, Command)> {
    let mut all = Vec::new();
    let axes = ["x", "y", "z"];
    for axis in 0..3 {
        let with = |mut v: Vec3| {
            v[axis] = 0.25;
            v
        };
        let (arm, base) = (arm(), base());
        let letter = axes[axis];
        let mut add =
            |tab, part, name: &str, command| all.push((tab, part, format!("{name} {letter}"), command));
        let extent = Command::SetExtent {
            mesh: mesh(),
            bone: 1,
            extent: with(arm.extent),
        };
        add(Tab::Rig, Part::Bone(1), "Extent", extent);
        for tab in [Tab::Rig, Tab::Animate] {
            let pose = Command::SetPose {
                mesh: mesh(),
                bone: 1,
                pose_deg: with(arm.pose_deg),
            };
            add(tab, Part::Bone(1), "Pose", pose);
            let target = Command::SetHandleTarget {
                mesh: mesh(),
                handle: 0,
                target: with(target()),
            };
            add(tab, Part::Handle(0), "Target", target);
        }
        add(
            Tab::Rig,
            Part::Base,
            "Base",
            Command::SetBase {
                mesh: mesh(),
                base: with(base),
            },
        );
        let offset = Command::SetBaseOffset {
            mesh: mesh(),
            base_offset: with(Vec3::ZERO),
        };
        add(Tab::Animate, Part::Base, "Offset", offset);
    }
    let roll = Command::SetRoll {
        mesh: mesh(),
        bone: 1,
        roll_deg: 0.25,
    };
    all.push((Tab::Rig, Part::Bone(1), "Roll".into(), roll));
    let radius = Command::SetRadius {
        mesh: mesh(),
        bone: 1,
        radius: 0.25,
    };
    all.push((Tab::Rig, Part::Bone(1), "Radius".into(), radius));
    all
}

#[test]
fn typing_into_every_number_is_one_step() {
    for (tab, part, label, command) in number_fields() {
        let mut desk = Desk::with_part(tab, Some(part));
        assert_eq!(desk.count(&label), 1, "{label}");
        desk.click(&label);
        desk.type_text("0.25");
        assert_eq!(desk.key(Key::Enter), [Request::Apply(vec![command])], "{label}");
        assert!(!desk.state().panels.side.fields.typing());
    }
}

#[test]
fn dragging_every_number_previews_then_commits_once() {
    for (tab, part, label, _) in number_fields() {
        let mut desk = Desk::with_part(tab, Some(part));
        let steps = desk.session().history().entries().len();
        let requests = desk.drag(&label, vec2(30.0, 0.0));
        let (last, previews) = requests.split_last().expect("a drag asks for something");
        assert_eq!(*last, Request::Commit, "{label}");
        assert!(previews.len() >= 2, "{label}");
        assert!(
            previews
                .iter()
                .all(|r| matches!(r, Request::Preview(c) if c.len() == 1)),
            "{label}"
        );
        assert_eq!(desk.session().history().entries().len(), steps + 1, "{label}");
    }
}

#[test]
fn dragging_every_slider_previews_then_commits_once() {
    for (tab, labels) in [
        (Tab::Rig, &["Roll", "Radius", "Pose x", "Pose y", "Pose z"][..]),
        (Tab::Animate, &["Pose x", "Pose y", "Pose z"][..]),
    ] {
        for label in labels {
            let mut desk = Desk::with_part(tab, Some(Part::Bone(0)));
            let requests = desk.drag(&format!("{label} slider"), vec2(-20.0, 0.0));
            assert_eq!(requests.last(), Some(&Request::Commit), "{label}");
            let previews = requests
                .iter()
                .filter(|r| matches!(r, Request::Preview(_)))
                .count();
            assert!(
                previews >= 2 && previews + 1 == requests.len(),
                "{label}: {requests:?}"
            );
        }
    }
}

#[test]
fn escape_and_right_click_give_a_drag_up() {
    for label in ["Pose x", "Pose x slider", "Radius", "Radius slider"] {
        for how in [GiveUp::Escape, GiveUp::RightClick] {
            let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
            let before = desk.session().scene().clone();
            let requests = desk.drag_and_give_up(label, vec2(24.0, 0.0), how);
            let cancels = requests.iter().filter(|r| **r == Request::Cancel).count();
            assert_eq!(cancels, 1, "{label} {how:?}: {requests:?}");
            assert!(!requests.contains(&Request::Commit), "{label} {how:?}");
            assert!(*desk.session().scene() == before);
            let after_cancel = requests.iter().skip_while(|r| **r != Request::Cancel).skip(1);
            assert_eq!(after_cancel.count(), 0, "nothing follows: {requests:?}");
            assert!(!desk.state().panels.side.fields.dragging());
            // No menu springs up from the click that cancelled.
            assert!(!desk.has("Copy"), "{label} {how:?}");
        }
    }
}

#[test]
fn a_press_without_motion_is_no_step() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(0)));
    for label in ["Pose x", "Pose x slider", "Extent y"] {
        assert_eq!(desk.drag(label, vec2(0.0, 0.0)), [], "{label}");
        desk.key(Key::Escape);
    }
}

#[test]
fn shift_makes_a_drag_ten_times_finer() {
    let last = |requests: &[Request]| match requests.iter().rev().find_map(|r| match r {
        Request::Preview(c) => Some(c[0].clone()),
        _ => None,
    }) {
        Some(Command::SetPose { pose_deg, .. }) => pose_deg.x,
        other => panic!("{other:?}"),
    };
    let coarse = last(&Desk::with_part(Tab::Animate, Some(Part::Bone(0))).drag("Pose x", vec2(40.0, 0.0)));
    let fine =
        last(&Desk::with_part(Tab::Animate, Some(Part::Bone(0))).shift_drag("Pose x", vec2(40.0, 0.0)));
    assert!((coarse / fine - 10.0).abs() < 0.6, "{coarse} {fine}");
}

#[test]
fn escape_leaves_the_typed_number_and_belongs_to_the_field() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Extent y");
    desk.type_text("7");
    assert!(desk.takes_keys());
    assert_eq!(desk.key(Key::Escape), []);
    assert!(
        desk.state().esc_was_ours,
        "Esc ended typing, so it must not deselect too"
    );
    assert!(!desk.takes_keys());
}

#[test]
fn tab_goes_to_the_next_field() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Extent x");
    desk.type_text("3");
    let mut expected = arm().extent;
    expected.x = 3.0;
    let set = |extent| {
        [Request::Apply(vec![Command::SetExtent {
            mesh: mesh(),
            bone: 1,
            extent,
        }])]
    };
    assert_eq!(desk.key(Key::Tab), set(expected));
    desk.type_text("2");
    expected.y = 2.0;
    assert_eq!(desk.key(Key::Tab), set(expected));
    assert!(desk.state().panels.side.fields.typing(), "now in Extent z");
    assert_eq!(desk.key(Key::Enter), [], "left as it was: no step");
}

#[test]
fn a_click_elsewhere_takes_the_typed_number_for_what_it_was_typed_for() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Radius");
    desk.type_text("0.75");
    let requests = desk.click("Bone Spine");
    let radius = Request::Apply(vec![Command::SetRadius {
        mesh: mesh(),
        bone: 1,
        radius: 0.75,
    }]);
    assert!(requests.contains(&radius), "{requests:?}");
    assert_eq!(desk.session().selection().part, Some(Part::Bone(0)));
    assert_ne!(
        desk.session().scene().skinned_meshes[MESH].skeleton.bones[0].radius,
        0.75
    );
}

#[test]
fn nonsense_and_the_same_number_are_no_step() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    for text in ["", "abc", "1e99", "inf", "NaN"] {
        desk.click("Radius");
        desk.type_text(text);
        assert_eq!(desk.key(Key::Enter), [], "{text}");
    }
    desk.click("Radius");
    desk.type_text(&arm().radius.to_string());
    assert_eq!(desk.key(Key::Enter), []);
}

#[test]
fn a_radius_is_never_negative_but_angles_go_beyond_the_slider() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    desk.click("Radius");
    desk.type_text("-3");
    let zero = Request::Apply(vec![Command::SetRadius {
        mesh: mesh(),
        bone: 1,
        radius: 0.0,
    }]);
    assert_eq!(desk.key(Key::Enter), [zero]);
    desk.click("Pose y");
    desk.type_text("540°");
    let mut turned = arm().pose_deg;
    turned.y = 540.0;
    assert_eq!(desk.key(Key::Enter), [pose(1, turned)]);
    // The slider goes on from there instead of jumping back to its soft range.
    let requests = desk.drag("Pose y slider", vec2(-9.0, 0.0));
    let Some(Request::Preview(commands)) = requests.first() else {
        panic!("{requests:?}")
    };
    let Command::SetPose { pose_deg, .. } = commands[0] else {
        panic!()
    };
    assert!(pose_deg.y > 400.0, "{pose_deg}");
}

#[test]
fn menus_of_numbers_reset_copy_and_paste() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let turned = arm().pose_deg;
    desk.right_click("Pose x");
    assert!(desk.is_disabled("Paste"));
    desk.click("Copy");
    assert_eq!(desk.copied().as_deref(), Some("30"));
    desk.right_click("Pose x");
    assert_eq!(
        desk.click("Reset to 0°"),
        [pose(1, Vec3::new(0.0, turned.y, turned.z))]
    );
    desk.right_click("Pose z");
    assert_eq!(desk.click("Paste"), [pose(1, Vec3::new(0.0, turned.y, 30.0))]);
}

#[test]
fn double_click_on_the_knob_resets_and_on_the_rail_does_not() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let turned = arm().pose_deg;
    let knob = desk.knob("Pose x slider", f64::from(turned.x));
    assert_eq!(
        desk.double_click_at(knob),
        [pose(1, Vec3::new(0.0, turned.y, turned.z))]
    );
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let rail = desk.knob("Pose x slider", -120.0);
    let requests = desk.double_click_at(rail);
    assert!(
        !requests.iter().any(|r| matches!(r, Request::Apply(_))),
        "{requests:?}"
    );
    assert_eq!(requests.last(), Some(&Request::Commit));
}

#[test]
fn a_drag_whose_field_vanishes_still_ends() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    let at = desk.center("Pose x");
    desk.press(at);
    desk.hover(at + vec2(10.0, 0.0));
    desk.hover(at + vec2(20.0, 0.0));
    assert!(desk.session().in_transaction());
    let selection = desk.session().selection().with_part(None);
    desk.session().select(selection);
    let requests = desk.frame();
    assert_eq!(requests.iter().filter(|r| **r == Request::Commit).count(), 1);
    assert_eq!(requests.last(), Some(&Request::Commit));
    assert!(!desk.session().in_transaction());
}

#[test]
fn a_bone_is_renamed() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(2)));
    desk.click("Name");
    desk.type_text("Hand.L");
    let named = Command::SetBoneName {
        mesh: mesh(),
        bone: 2,
        name: "Hand.L".into(),
    };
    assert_eq!(desk.key(Key::Enter), [Request::Apply(vec![named])]);
    assert!(desk.has("Bone Hand.L"));
}

// --- facts

#[test]
fn ik_is_told_where_it_changes_things() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.pull(Vec3::new(12.3, 0.0, 4.5));
    assert!(desk.has("With IK 12.3, 0, 4.5"));
    assert!(desk.has_containing("short"));
    desk.state_mut().settings.solve_ik = false;
    desk.frame();
    assert!(!desk.has_containing("With IK"));
    assert!(desk.has("IK is off"));
}

#[test]
fn distance_of_tip_and_target_is_shown() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Handle(0)));
    // The arm ends at (1, 1, 0) in the bind pose, its target lies 2 above.
    desk.pull(Vec3::ZERO);
    assert!(desk.has("Tip to target"));
    assert!(desk.has("2"));
}

#[test]
fn every_kind_of_instance_shows_its_facts() {
    for (kind, name) in all_instances() {
        let mut desk = Desk::new(Tab::Animate);
        desk.click(&format!("Instance {name}"));
        assert!(desk.has("Position"), "{name}");
        assert!(desk.has("Transform"), "{name}");
        if kind == InstanceKind::Camera {
            assert!(desk.has("Field of view"));
        }
    }
}

#[test]
fn status_bar_tells_hint_selection_and_counts() {
    let desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    assert!(desk.has(HINT));
    assert!(desk.has("8 vertices, 3 bones"));
    assert!(desk.has_containing("Arm"));
}

// --- dialogs and messages

#[test]
fn save_changes_is_answered_by_buttons_and_keys() {
    for (label, answer) in [
        ("Save", SaveChanges::Save),
        ("Don't save", SaveChanges::Discard),
        ("Cancel", SaveChanges::Cancel),
    ] {
        let mut desk = Desk::asking_to_save();
        assert_eq!(desk.click(label), [Request::SaveChanges(answer)]);
        assert!(!desk.state().panels.modal());
    }
    for (key, answer) in [
        (Key::Escape, SaveChanges::Cancel),
        (Key::Enter, SaveChanges::Save),
    ] {
        let mut desk = Desk::asking_to_save();
        assert_eq!(desk.key(key), [Request::SaveChanges(answer)]);
    }
}

#[test]
fn a_dialog_keeps_everything_else_waiting() {
    let mut desk = Desk::asking_to_save();
    assert_eq!(desk.click("Animate"), [Request::SaveChanges(SaveChanges::Cancel)]);
    assert_eq!(desk.state().settings.tab, Tab::Rig);
}

#[test]
fn file_dialog_opens_by_list_and_by_typing() {
    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("File a.js3d");
    assert_eq!(desk.click("Open"), [Request::OpenPath("/scenes/a.js3d".into())]);
    assert!(desk.state().panels.file_dialog.is_none());

    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("File name");
    desk.type_text("/else/b.js3d");
    assert_eq!(desk.key(Key::Enter), [Request::OpenPath("/else/b.js3d".into())]);

    let mut desk = Desk::with_files(FileMode::Open);
    desk.click("Open");
    assert!(desk.has_containing("Type a name"));
    assert_eq!(desk.click("Cancel"), []);
    assert!(desk.state().panels.file_dialog.is_none());
}

#[test]
fn file_dialog_walks_folders() {
    let mut desk = Desk::with_files(FileMode::Open);
    desk.double_click("Folder more");
    let dialog = desk.state_mut().panels.file_dialog.as_mut().unwrap();
    assert_eq!(dialog.take_wanted(), Some("/scenes/more".into()));
    desk.click("Parent folder");
    let dialog = desk.state_mut().panels.file_dialog.as_mut().unwrap();
    assert_eq!(dialog.take_wanted(), Some("/".into()));
    dialog.listed("/".into(), Err("No permission".into()));
    desk.frame();
    assert!(desk.has("No permission"));
    assert!(!desk.has("File notes.txt"));
    desk.click("All files");
    assert!(desk.has("File notes.txt"));
}

#[test]
fn file_dialog_asks_before_it_replaces() {
    let mut desk = Desk::with_files(FileMode::Save);
    desk.click("File name");
    desk.type_text("a");
    assert_eq!(desk.key(Key::Enter), []);
    desk.click("Back");
    desk.click("Save");
    assert_eq!(
        desk.click("Replace"),
        [Request::SavePath("/scenes/a.js3d".into())]
    );
}

#[test]
fn messages_toast_and_are_kept_for_copying() {
    let mut desk = Desk::new(Tab::Rig);
    desk.state_mut()
        .panels
        .messages
        .push(Level::Error, "Cannot open it", "at byte 7");
    desk.frame();
    assert!(desk.has("Cannot open it"));
    assert!(desk.has("New problems"));
    desk.click("Details of Cannot open it");
    desk.frame();
    assert!(desk.has("at byte 7"));
    desk.click("Copy message 1");
    assert_eq!(desk.copied().as_deref(), Some("Error: Cannot open it\nat byte 7"));
    desk.click("Copy all");
    desk.click("Clear");
    assert!(!desk.has("at byte 7"));

    desk.state_mut().panels.messages.open = false;
    desk.state_mut().panels.messages.push(Level::Info, "Saved", "");
    desk.frame();
    assert!(desk.has("Saved"));
    desk.click("Close Saved");
    desk.frame();
    assert!(!desk.has("Saved"));
}

// --- the viewport

#[test]
fn viewport_is_the_rest_and_feels_the_pointer() {
    let mut desk = Desk::new(Tab::Rig);
    let viewport = desk.rect("Viewport");
    assert!(
        viewport.left() >= 270.0 && viewport.right() >= 1000.0,
        "{viewport}"
    );
    assert!(
        viewport.width() > 500.0 && viewport.height() > 500.0,
        "{viewport}"
    );
    desk.press_button(viewport.center(), PointerButton::Middle);
    desk.hover(viewport.center() + vec2(20.0, 5.0));
    assert!(desk.state().viewport_dragged);
    desk.release_button(viewport.center() + vec2(20.0, 5.0), PointerButton::Middle);
    assert!(!desk.state().viewport_dragged);
}

// --- all sizes, all sorts of scenes, all sorts of events

#[test]
fn every_label_is_unique() {
    let parts = [None, Some(Part::Base), Some(Part::Bone(1)), Some(Part::Handle(0))];
    for tab in [Tab::Rig, Tab::Animate] {
        for part in parts {
            for menu in [None, Some("File"), Some("Edit"), Some("View"), Some("Help")] {
                let mut desk = Desk::with_part(tab, part);
                if let Some(menu) = menu {
                    desk.click(menu);
                }
                assert_eq!(
                    desk.doubled_labels(),
                    Vec::<String>::new(),
                    "{tab:?} {part:?} {menu:?}"
                );
            }
        }
    }
}

#[test]
fn nothing_sticks_out_of_the_window_at_the_smallest_size() {
    for tab in [Tab::Rig, Tab::Animate] {
        for part in [None, Some(Part::Base), Some(Part::Bone(1)), Some(Part::Handle(0))] {
            let desk = Desk::sized(vec2(1024.0, 700.0), tab, part);
            assert_eq!(desk.outside(), Vec::<String>::new(), "{tab:?} {part:?}");
        }
    }
}

#[test]
fn narrow_wide_and_sharp_windows() {
    for size in [
        vec2(120.0, 90.0),
        vec2(320.0, 200.0),
        vec2(640.0, 480.0),
        vec2(4000.0, 300.0),
    ] {
        for scale in [1.0, 2.0] {
            for part in [None, Some(Part::Bone(1))] {
                let mut desk = Desk::sized(size, Tab::Rig, part);
                desk.scale(scale);
                desk.state_mut().panels.act(Action::ShowKeys);
                desk.state_mut().panels.messages.push(
                    Level::Warning,
                    "A warning ".repeat(50),
                    "x\n".repeat(900),
                );
                desk.frame();
                desk.state_mut().panels.act(Action::ShowMessages);
                desk.frame();
            }
        }
    }
}

#[test]
fn a_thousand_bones() {
    let mut desk = Desk::new(Tab::Rig);
    desk.edit_scene(|scene| many_bones(scene, 1000));
    let selection = Selection::of_mesh(desk.session().scene(), MESH).with_part(Some(Part::Bone(999)));
    desk.session().select(selection);
    desk.frame();
    desk.frame();
    assert!(desk.has("Bone bone 999"), "the selected bone is scrolled to");
}

#[test]
fn odd_names_and_odd_numbers() {
    let long = "n".repeat(100_000);
    for name in [
        "",
        " ",
        "a\nb\tc",
        "日本語の骨",
        "🦴🦴",
        "\u{202e}reversed",
        "%s{}",
        long.as_str(),
    ] {
        for part in [None, Some(Part::Bone(1)), Some(Part::Handle(0))] {
            for tab in [Tab::Rig, Tab::Animate] {
                let mut desk = Desk::new(tab);
                desk.edit_scene(|scene| rename_everything(scene, name));
                desk.edit_scene(|scene| odd_numbers(scene, name));
                let selection = Selection::of_mesh(desk.session().scene(), name).with_part(part);
                desk.session().select(selection);
                desk.frame();
                desk.frame();
            }
        }
    }
}

#[test]
fn an_empty_scene() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::new(tab);
        desk.edit_scene(|scene| *scene = Default::default());
        assert!(desk.has("Click a skinned mesh to see its bones."));
        desk.with_view(|view| {
            for action in Action::ALL {
                let _ = action.enabled(view);
            }
        });
    }
}

#[test]
fn thousands_of_random_events() {
    for seed in [1, 2, 3] {
        let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ seed);
        for round in 0..1500 {
            random.event(&mut desk);
            if round % 100 == 99 {
                let size = vec2(200.0 + random.unit() * 1200.0, 150.0 + random.unit() * 800.0);
                desk.resize(size);
            }
        }
        // Whatever was going on ends, and the panels still answer.
        desk.settle();
        assert!(!desk.state().panels.side.fields.dragging());
        assert!(!desk.session().in_transaction());
    }
}
