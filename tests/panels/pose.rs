//! The Pose menu, baking, the bar of drawing switches, and the choice of a weight method.

use super::support::*;
use super::{MESH, mesh};
use egui::{Event, Key, Modifiers, vec2};
use glam::Vec3;
use ossature::anim::clip::Clip;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::{BoneLook, Tab};
use ossature::edit::time::bake::Bake;
use ossature::editor::panels::progress::{JobKind, JobProgress};
use ossature::rig::ik;
use ossature::rig::weights::bind_snapshot::BindSnapshot;
use ossature::rig::weights::method::Method;
use std::sync::Arc;

fn poses(desk: &mut Desk) -> Vec<Vec3> {
    let skeleton = desk.session().animated().skinned_meshes[MESH].skeleton.clone();
    skeleton.bones.iter().map(|bone| bone.pose_deg).collect()
}

/// Chooses a line of a menu.
fn choose(desk: &mut Desk, menu: &str, line: &str) -> Vec<Request> {
    desk.click(menu);
    desk.click(&format!("{menu} > {line}"))
}

#[test]
fn a_pose_is_copied_and_pasted() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    assert!(desk.with_view(|view| Action::PASTE_POSE.enabled(view)).is_err());
    let turn = |pose_deg| Command::set_bone(mesh(), 1, "pose", pose_deg);
    let turned = Vec3::new(40.0, -10.0, 5.0);
    desk.session().apply(&[turn(turned)]).unwrap();
    assert_eq!(choose(&mut desk, "Pose", "Copy pose"), [Request::Act(Action::COPY_POSE)]);
    desk.session().apply(&[turn(Vec3::ZERO)]).unwrap();
    assert_eq!(choose(&mut desk, "Pose", "Paste pose"), [Request::Act(Action::PASTE_POSE)]);
    assert_eq!(poses(&mut desk)[1], turned);
    // The copied pose is the one that IK shows.
    let solved = Vec3::new(0.0, 0.0, 77.0);
    desk.pull(solved);
    choose(&mut desk, "Pose", "Copy pose");
    choose(&mut desk, "Pose", "Paste pose");
    assert_eq!(poses(&mut desk)[1], solved);
    // Rig does not show the pose.
    choose(&mut desk, "View", "Rig");
    desk.click("Pose");
    assert!(desk.is_disabled("Pose > Copy pose") && desk.is_disabled("Pose > Paste pose"));
}

#[test]
fn while_the_sheet_has_the_keyboard_the_keys_of_poses_are_not_theirs() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.click("Viewport");
    assert!(desk.state().panels.accepts(Action::COPY_POSE));
    desk.click("Keys");
    for action in [Action::COPY_POSE, Action::PASTE_POSE, Action::PASTE_MIRRORED_POSE] {
        assert!(!desk.state().panels.accepts(action), "{action:?}");
    }
    assert!(desk.state().panels.accepts(Action::UNDO));
    choose(&mut desk, "View", "Rig");
    desk.frame();
    assert!(desk.state().panels.accepts(Action::COPY_POSE), "there is no timeline");
}

fn baking() -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Handle(0)));
    desk.edit_scene(|scene| {
        let clip = Clip { length: 60, range: Some([4, 30]), ..Clip::default() };
        Arc::make_mut(&mut scene.animation).clip = clip;
    });
    choose(&mut desk, "Pose", "Bake IK…");
    desk.frame();
    desk
}

fn bake(frames: [u32; 2], disable_handles: bool) -> Request {
    Request::Bake(Bake { mesh: mesh(), frames, ik: ik::Options::default(), disable_handles })
}

#[test]
fn baking_asks_for_frames_and_handles() {
    let mut desk = baking();
    assert!(desk.has("Bake IK of Body") && desk.takes_keys());
    assert!(desk.has_containing("27 frames"));
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    assert_eq!(desk.click("Bake"), [bake([4, 30], true)]);
    assert!(!desk.has("Bake IK of Body"));

    // The first frame's field has the focus; Enter accepts everything.
    let mut desk = baking();
    desk.event(Event::Text("10".into()));
    desk.click("End frame field");
    desk.type_text("12");
    assert_eq!(desk.click("Keep handles enabled"), []);
    assert_eq!(desk.click("Bake"), [bake([10, 12], false)]);

    let mut desk = baking();
    desk.event(Event::Text("7".into()));
    assert_eq!(desk.key(Key::Enter), [bake([7, 30], true)]);

    // Frames in the wrong order.
    let mut desk = baking();
    desk.event(Event::Text("40".into()));
    desk.key(Key::Tab);
    assert!(desk.is_disabled("Bake") && desk.has_containing("must not come after"));
    assert_eq!(desk.key(Key::Enter), []);
    assert_eq!(desk.click("Cancel"), []);
    assert!(!desk.has("Bake IK of Body"));
    let mut desk = baking();
    desk.key(Key::Escape);
    desk.frame();
    assert!(!desk.has("Bake IK of Body"));
}

#[test]
fn baking_shows_how_far_it_is_and_leaves_weights_alone() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    let (kind, fraction) = (JobKind::Bake, 0.31);
    desk.state_mut().panels.job = Some(JobProgress { kind, fraction });
    desk.frame();
    assert!(desk.has("Baking IK, 31 %") && desk.has("Calculate bone weights"));
    assert_eq!(desk.click("Cancel baking"), [Request::CancelCalculation]);
}

#[test]
fn the_bar_says_what_is_drawn() {
    let mut desk = Desk::with_part(Tab::Rig, Some(Part::Bone(1)));
    let choose = |desk: &mut Desk, action: Action| {
        desk.click("Bone display");
        desk.frame();
        desk.click(&format!("Bones > {}", action.text))
    };
    let looks = [
        (Action::BONES_AS_STICKS, BoneLook::Sticks),
        (Action::BONES_AS_CAPSULES, BoneLook::Capsules),
        (Action::BONES_AS_OCTAHEDRA, BoneLook::Octahedra),
    ];
    for (action, look) in looks {
        desk.state_mut().settings.display.show_bones = false;
        assert_eq!(choose(&mut desk, action), [Request::Act(action)]);
        assert_eq!(desk.state().settings.display.bone_look, look);
        assert!(desk.state().settings.display.show_bones, "choosing a look shows the bones");
    }
    for action in [Action::TOGGLE_BONES, Action::TOGGLE_NAMES, Action::TOGGLE_AXES, Action::TOGGLE_XRAY] {
        let before = desk.with_view(|view| action.checked(view));
        assert_eq!(choose(&mut desk, action), [Request::Act(action)]);
        assert_eq!(desk.with_view(|view| action.checked(view)), before.map(|on| !on));
    }
    for action in [Action::TOGGLE_SKIN, Action::TOGGLE_WIREFRAME] {
        let before = desk.with_view(|view| action.checked(view));
        assert_eq!(desk.click(action.text), [Request::Act(action)]);
        assert_eq!(desk.with_view(|view| action.checked(view)), before.map(|on| !on));
    }
    assert!(!desk.has("Motion paths"), "nothing moves in Rig");
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    assert_eq!(desk.click("Motion paths"), [Request::Act(Action::TOGGLE_MOTION_PATHS)]);
    assert!(desk.state().settings.display.motion_paths);
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
}

#[test]
fn symmetry_counts_the_bones_that_it_leaves_alone() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, Some(Part::Base));
        let unmatched = Action::SELECT_UNMATCHED;
        assert!(!desk.has(unmatched.text), "symmetry is off");
        assert_eq!(desk.click("Symmetry"), [Request::Act(Action::TOGGLE_SYMMETRY)]);
        assert!(desk.session().symmetric());
        desk.frame();
        assert!(!desk.has(unmatched.text), "both arms are alike");
        desk.session().set_symmetric(false);
        let (bone, extent) = (1, Vec3::X * 2.0);
        let longer = Command::MoveTip { mesh: mesh(), bone, extent };
        desk.session().apply(&[longer]).unwrap();
        desk.session().set_symmetric(true);
        desk.frame();
        assert_eq!(desk.click(unmatched.text), [Request::Act(unmatched)]);
        assert!(desk.session().selection().is_selected(Part::Bone(1)), "the arm");
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    }
}

#[test]
fn onion_skins_are_set_beside_their_switch() {
    let mut desk = Desk::with_part(Tab::Animate, None);
    assert_eq!(desk.click("Onion skins"), [Request::Act(Action::TOGGLE_ONION)]);
    assert!(desk.state().settings.display.onion.on);
    desk.state_mut().settings.display.onion.on = false;
    desk.click("Onion skin settings");
    for label in [
        "Ghosts before",
        "Ghosts after",
        "Frames between ghosts",
        "Opacity of ghosts",
        "Colour of ghosts before",
        "Colour of ghosts after",
        "Colour of ghosts pinned",
        "Selected limb only",
        "Pin onion skin",
        "Unpin onion skins",
    ] {
        assert!(desk.has(label), "{label}");
    }
    let asked = desk.click("Onion skins: By frames");
    assert!(matches!(&asked[..], [Request::Onion(onion)] if onion.on && !onion.by_keys), "{asked:?}");
    assert!(desk.state().settings.display.onion.on);
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    let nothing = "Select a character: its ghosts are shown.";
    assert!(!desk.has(nothing));
    desk.session().select(Selection::default());
    desk.frame();
    assert!(desk.has(nothing));
}

fn weights_desk() -> Desk {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.edit_scene(|scene| add_weights(scene, 8));
    desk
}

fn calculate(method: Method) -> Vec<Command> {
    let mesh = mesh();
    vec![Command::CalculateWeights { mesh, method }]
}

fn set(method: Method) -> Command {
    let mesh = mesh();
    Command::SetWeightMethod { mesh, method }
}

fn chosen_method(desk: &Desk) -> Method {
    desk.state().session.scene().skinned_meshes[MESH].weight_method
}

fn choose_method(desk: &mut Desk, method: Method) {
    desk.edit_scene(|scene| drop(set(method).apply(scene).unwrap()));
    desk.frame();
}

#[test]
fn every_method_can_be_chosen_and_is_what_the_button_does() {
    let mut desk = weights_desk();
    let asked = |desk: &Desk| desk.prepared(Action::CALCULATE_WEIGHTS);
    assert_eq!(asked(&desk), calculate(Method::CAPSULE));
    for method in Method::all().collect::<Vec<_>>().into_iter().rev() {
        desk.click("Method");
        let chosen = desk.click(&format!("Method: {}", method.label()));
        assert_eq!(chosen, [Request::Apply(vec![set(method)])]);
        assert_eq!(chosen_method(&desk), method);
        assert_eq!(desk.value("Method").as_deref(), Some(method.label()));
        let has_exponent = method.params().any(|(param, _)| param.id == "exponent");
        assert_eq!(desk.has("Exponent slider"), has_exponent, "{method:?}");
        if method.id() == "tube" {
            // The skeleton is not a tube.
            continue;
        }
        assert_eq!(asked(&desk), calculate(method));
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
        assert_eq!(desk.outside(), Vec::<String>::new());
        assert_eq!(desk.click("Calculate bone weights"), [Request::Act(Action::CALCULATE_WEIGHTS)]);
    }
}

#[test]
fn tube_weights_say_when_they_do_not_fit() {
    let mut desk = weights_desk();
    let tube = Method::tube(3.0);
    choose_method(&mut desk, tube);
    assert!(desk.has("Exponent slider") && desk.is_disabled("Calculate bone weights"));
    let why = desk.description("Calculate bone weights").unwrap();
    assert!(why.contains("two bones in a row"), "{why}");
}

/// Weights from the method follow its exponent; others are replaced only on request.
#[test]
fn weights_follow_the_exponent_of_the_method_that_gave_them() {
    let mut desk = weights_desk();
    let power = |exponent| Method::power(exponent);
    choose_method(&mut desk, power(3.0));
    let weights = |desk: &Desk| desk.state().session.scene().skinned_meshes[MESH].weights.clone();
    let before = weights(&desk);
    desk.drag("Exponent slider", vec2(30.0, 0.0));
    assert!(chosen_method(&desk) != power(3.0));
    assert!(weights(&desk) == before, "Calculate was not pressed");
    assert_eq!(desk.session().undo_list().collect::<Vec<_>>(), ["Calculate weights by power kernel"]);
    desk.state_mut().act(Action::UNDO);
    desk.state_mut().act(Action::CALCULATE_WEIGHTS);
    desk.frame();
    assert!(desk.session().scene().skinned_meshes[MESH].bind_snapshot.is_pure());

    let start = desk.session().scene().clone();
    let requests = desk.drag("Exponent slider", vec2(30.0, 0.0));
    let exponent = chosen_method(&desk).params().next().unwrap().1;
    assert!(exponent > 3.2, "{exponent}");
    let mut previews = requests.iter().filter(|r| matches!(r, Request::Preview(_)));
    assert!(previews.clone().count() > 2);
    assert_eq!(previews.next_back(), Some(&Request::Preview(calculate(power(exponent)))));
    assert_eq!(requests.last(), Some(&Request::Commit));
    let mut expected = start.clone();
    calculate(power(exponent))[0].apply(&mut expected).unwrap();
    assert_eq!(*desk.session().scene(), expected);
    // Undone and redone, together with the weights.
    desk.state_mut().act(Action::UNDO);
    desk.frame();
    assert_eq!(*desk.session().scene(), start);
    desk.state_mut().act(Action::REDO);
    desk.frame();
    assert_eq!(*desk.session().scene(), expected);
    // Cancelled: exponent and weights as before.
    desk.drag_and_give_up("Exponent slider", vec2(30.0, 0.0), GiveUp::Escape);
    assert_eq!(*desk.session().scene(), expected);
    // Typed; move away first, since the tooltip contains the number too.
    desk.hover(egui::pos2(600.0, 400.0));
    desk.frame();
    desk.click("Exponent");
    desk.type_text("0.5");
    desk.key(Key::Enter);
    desk.frame();
    calculate(power(0.5))[0].apply(&mut expected).unwrap();
    assert_eq!(*desk.session().scene(), expected);

    // After manual refinement, weights stay.
    desk.state_mut().act(Action::SMOOTH_WEIGHTS);
    desk.frame();
    let smooth = weights(&desk);
    desk.drag("Exponent slider", vec2(30.0, 0.0));
    assert!(weights(&desk) == smooth && chosen_method(&desk) != power(0.5));
    assert!(desk.has("Calculated by another method: Power kernel, exponent 0.5"));
}

#[test]
fn on_a_large_mesh_the_weights_wait_for_the_button() {
    let mut desk = weights_desk();
    desk.edit_scene(|scene| many_bones(scene, 1_200));
    let tall = |exponent| Method::power(exponent);
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
        body.surface = Arc::new(ossature::mesh::primitives::tube(1.0, 3.0, 30, 30).unwrap());
        body.weights = Arc::new(ossature::rig::weights::VertexWeights::none(body.surface.vertex_count()));
        body.weight_method = tall(3.0);
        body.bind_snapshot = BindSnapshot::capture(&body.skeleton, body.weight_method);
    });
    desk.frame();
    let requests = desk.drag("Exponent slider", vec2(20.0, 0.0));
    let calculates = |r: &Request| match r {
        Request::Preview(commands) => !matches!(commands[..], [Command::SetWeightMethod { .. }]),
        _ => *r != Request::Commit,
    };
    assert!(!requests.iter().any(calculates), "{requests:?}");
    assert!(chosen_method(&desk) != tall(3.0));
}

#[test]
fn heat_keeps_as_many_bones_as_asked_for() {
    let mut desk = weights_desk();
    let heat = |largest| Method::heat(largest);
    choose_method(&mut desk, heat(Some(4)));
    for (typed, largest) in [("2", Some(2)), ("0", None), ("3 bones", Some(3)), ("all", None)] {
        desk.click("Bones/vertex");
        desk.key_with(Modifiers::COMMAND, Key::A);
        desk.event(Event::Text(typed.into()));
        desk.key(Key::Enter);
        assert_eq!(chosen_method(&desk), heat(largest), "{typed}");
    }
}
