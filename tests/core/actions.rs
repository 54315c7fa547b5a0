//! Every action that is offered can be done.

use crate::editing::scene;
use glam::Vec3;
use ossature::edit::action::{Action, Menu, rename_target};
use ossature::edit::command::Command;
use ossature::edit::pose::{PoseCopy, copy};
use ossature::edit::request::{Request, SaveChanges};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Clipboard, Tab, View, ViewSettings};
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;
use ossature::scene::names::{Kind, ObjectRef};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns a copied pose of all bones of Body, each turned.
fn copied() -> Arc<PoseCopy> {
    let mut skeleton = (*scene().skinned_meshes["Body"].skeleton).clone();
    for bone in &mut skeleton.bones {
        bone.pose_deg = Vec3::new(10.0, 20.0, -5.0);
    }
    Arc::new(copy(&skeleton, &[], &[]))
}

fn with_view<T>(session: &Session, tab: Tab, look: impl FnOnce(&View) -> T) -> T {
    let settings = ViewSettings {
        tab,
        clipboard: Clipboard { pose: Some(copied()), weights: None },
        ..ViewSettings::default()
    };
    let evaluated = Evaluated::default();
    look(&View { session, evaluated: &evaluated, settings: &settings })
}

/// Returns the commands of an action; none if it is not enabled.
fn edits(action: Action, view: &View) -> Vec<Command> {
    action.prepare(view).map_or(Vec::new(), |prepared| prepared.edits().to_vec())
}

const EDITS: &[Action] = &[
    Action::FLIP_ORIENTATION,
    Action::MAKE_SKINNED,
    Action::ADD_BONE,
    Action::DELETE_WITH_DATA,
    Action::DUPLICATE,
    Action::DUPLICATE_LINKED,
    Action::ADD_IK,
    Action::DELETE,
    Action::CALCULATE_WEIGHTS,
    Action::RESET_BONE_POSE,
    Action::RESET_POSE,
    Action::PASTE_POSE,
    Action::SAVE_POSE,
    Action::PASTE_MIRRORED_POSE,
    Action::CALCULATE_SELECTED_WEIGHTS,
    Action::FILL_WEIGHTS,
    Action::LOCK_WEIGHTS,
    Action::MIRROR_WEIGHTS_LEFT,
    Action::MIRROR_WEIGHTS_RIGHT,
    Action::LIMIT_WEIGHTS,
    Action::PRUNE_WEIGHTS,
    Action::SMOOTH_WEIGHTS,
    Action::NORMALIZE_WEIGHTS,
    Action::CLEAR_WEIGHTS,
    Action::SET_PARENT,
    Action::CLEAR_PARENT,
    Action::MERGE_BONES,
    Action::MIRROR,
    Action::MIRROR_Y,
    Action::MIRROR_Z,
    Action::SYMMETRIZE_LEFT,
    Action::PAIR_SIDES,
    Action::ALIGN_ROLL,
    Action::FIT_RADIUS,
    Action::DELETE_WITH_CHILDREN,
];

const POSING: [Action; 7] = [
    Action::ADD_LIMB_IK,
    Action::ADD_BODY_IK,
    Action::LOOK_AT,
    Action::PIN,
    Action::SWITCH_FK_IK,
    Action::HUMAN_LIMITS,
    Action::CLEAR_LIMITS,
];

/// Edits that have nothing to do in the scene of the tests.
const IDLE: [Action; 3] = [Action::LIMIT_WEIGHTS, Action::PRUNE_WEIGHTS, Action::NORMALIZE_WEIGHTS];

/// An enabled action has commands that can be applied; a disabled one has a reason and no commands.
#[test]
fn what_is_enabled_can_be_done() {
    let mut posed = scene();
    let pose_deg = Vec3::new(30.0, 0.0, 0.0);
    let pose = Command::set_bone("Body".into(), 2, "pose", pose_deg);
    pose.apply(&mut posed).unwrap();
    let mut done = BTreeSet::new();
    for scene in [Scene::default(), scene(), posed] {
        let mut selections = vec![Selection::default()];
        for mesh in ["Body", "Tail"] {
            let parts = [Part::Bone(0), Part::Bone(1), Part::Bone(2), Part::Handle(1), Part::Base];
            let parts = [None].into_iter().chain(parts.map(Some));
            selections.extend(parts.map(|part| Selection::from_mesh(&scene, mesh).with_part(part)));
            let both = [Part::Bone(3), Part::Bone(1)];
            selections.push(Selection::from_mesh(&scene, mesh).with_parts(both));
        }
        for (selection, tab) in selections.iter().flat_map(|s| [(s, Tab::Rig), (s, Tab::Animate)]) {
            let mut session = Session::new(scene.clone(), None);
            session.select(selection.clone());
            // tests/core/animate_actions covers keys and frames, tests/core/posing_actions.rs limbs.
            let others = |action: &Action| {
                let asks = tab == Tab::Animate && *action == Action::ADD_IK;
                asks || Menu::ANIMATE.actions.contains(action) || POSING.contains(action)
            };
            for action in Action::all().filter(|action| !others(action)) {
                let (enabled, commands) = with_view(&session, tab, |v| (action.enabled(v), edits(action, v)));
                let is_edit = EDITS.contains(&action);
                assert_eq!(!commands.is_empty(), is_edit && enabled.is_ok(), "{action:?} {selection:?}");
                match enabled {
                    Ok(()) if is_edit => {
                        let mut session = session.clone();
                        session.apply(&commands).unwrap_or_else(|e| panic!("{action:?}: {e}"));
                        let steps = session.history().entries().len();
                        // One of the bones is outside the mesh, so its radius cannot be fitted. Both sides
                        // may have the same weights (tests/core/transfer.rs mirrors others).
                        let may_idle =
                            [Action::FIT_RADIUS, Action::MIRROR_WEIGHTS_LEFT, Action::MIRROR_WEIGHTS_RIGHT];
                        let outside = may_idle.contains(&action) && steps == 0;
                        let idle = IDLE.contains(&action) || outside;
                        assert_eq!(steps, usize::from(!idle), "steps of {action:?}");
                        done.insert(action.id);
                    }
                    Ok(()) => {}
                    Err(why) => assert!(why.ends_with('.') && why.len() > 10, "{action:?}: {why}"),
                }
            }
        }
    }
    assert_eq!(done.len(), EDITS.len(), "some edit was never possible: {done:?}");
}

#[test]
fn undo_redo_and_deselect_follow_the_session() {
    let enabled =
        |session: &Session, action: Action| with_view(session, Tab::Rig, |v| action.enabled(v).is_ok());
    let mut session = Session::new(scene(), None);
    let states = |s: &Session| [Action::UNDO, Action::REDO, Action::DESELECT].map(|a| enabled(s, a));
    assert_eq!(states(&session), [false, false, false]);
    session.apply(&[Command::AddHandle { mesh: "Body".into(), bone: 0 }]).unwrap();
    assert_eq!(states(&session), [true, false, true]);
    session.undo();
    assert_eq!(states(&session), [false, true, false]);
}

#[test]
fn a_new_bone_continues_the_selected_one() {
    let mut session = Session::new(scene(), None);
    let body = Selection::from_mesh(session.scene(), "Body");
    session.select(body.with_part(Some(Part::Bone(1))));
    let commands = with_view(&session, Tab::Rig, |v| edits(Action::ADD_BONE, v));
    let extent = Vec3::new(0.0, 0.75, 0.125);
    let (mesh, parent) = ("Body".to_owned(), Some(1));
    assert_eq!(commands, [Command::AddBone { mesh, parent, extent, radius: 0.9 }]);
    session.select(body);
    let commands = with_view(&session, Tab::Rig, |v| edits(Action::ADD_BONE, v));
    // The column is 4 high.
    let (mesh, extent) = ("Body".to_owned(), Vec3::Y);
    assert_eq!(commands, [Command::AddBone { mesh, parent: None, extent, radius: 0.25 }]);
}

/// Switches in groups of which exactly one is on.
const ONE_OF: [Action; 14] = [
    Action::BONES_AS_OCTAHEDRA,
    Action::BONES_AS_CAPSULES,
    Action::BONES_AS_STICKS,
    Action::TAB_RIG,
    Action::TAB_ANIMATE,
    Action::GIZMO_MOVE,
    Action::GIZMO_ROTATE,
    Action::GIZMO_SCALE,
    Action::AXES_WORLD,
    Action::AXES_PARENT,
    Action::AXES_LOCAL,
    Action::SHADING_STUDIO,
    Action::SHADING_CLAY,
    Action::SHADING_MATCAP,
];

/// Every switch turns its setting on and off; no other action changes the settings, except those that cycle.
#[test]
fn switches_switch() {
    let evaluated = Evaluated::default();
    let mut switches = 0;
    // These need keys, a layer, a sound, a comparison, a camera, the Animate tab or a handle, or belong to the session.
    let elsewhere = [
        Action::CYCLE,
        Action::MASK_LAYER,
        Action::MUTE_SOUND,
        Action::TOGGLE_COMPARE,
        Action::LOOK_THROUGH_CAMERA,
        Action::TOGGLE_AUTO_KEY,
        Action::TOGGLE_SYMMETRY,
        Action::PIN_ONION,
        Action::TOGGLE_ONION,
        Action::LOOK_AT,
        Action::KEYING_SELECTION,
        Action::KEYING_CHARACTER,
        Action::KEYING_BODY_PART,
        Action::KEYING_ROTATIONS,
        Action::KEYING_CHANGED,
        Action::LARGER_INTERFACE,
        Action::SMALLER_INTERFACE,
        Action::NORMAL_INTERFACE,
    ];
    for action in Action::all().filter(|action| !elsewhere.contains(action)) {
        let (mut session, mut settings) = (Session::default(), ViewSettings::default());
        let checked = |session: &Session, settings: &ViewSettings| {
            let evaluated = &evaluated;
            action.checked(&View { session, evaluated, settings })
        };
        let act = |session: &mut Session, settings: &mut ViewSettings| {
            let done = Request::Act(action).carry_out(session, settings, &evaluated);
            done.expect("prepared actions can be carried out");
        };
        let before = checked(&session, &settings);
        act(&mut session, &mut settings);
        let cycles = [Action::TOGGLE_TAB, Action::CYCLE_AXES, Action::SWITCH_SHADING].contains(&action);
        // The selected switch of a group stays on.
        let one_of = ONE_OF.contains(&action);
        let stays = one_of && before == Some(true);
        let changes = (before.is_some() || cycles) && !stays;
        assert_eq!(changes, settings != ViewSettings::default(), "{action:?}");
        if one_of {
            assert_eq!(checked(&session, &settings), Some(true), "{action:?}");
        } else if before.is_some() {
            assert_eq!(checked(&session, &settings), before.map(|on| !on), "{action:?}");
            act(&mut session, &mut settings);
            assert_eq!(settings, ViewSettings::default(), "{action:?} twice");
            switches += 1;
        }
    }
    assert_eq!(switches, 19);
}

#[test]
fn onion_skins_need_a_character_whose_ghosts_are_seen() {
    let mut session = Session::new(scene(), None);
    let mut settings = ViewSettings::default();
    let mut act = |session: &mut Session| {
        let done =
            Request::Act(Action::TOGGLE_ONION).carry_out(session, &mut settings, &Evaluated::default());
        done.expect("prepared actions can be carried out");
        settings.display.onion.on
    };
    session.select(Selection::default());
    assert!(!act(&mut session));
    session.select(Selection::from_mesh(session.scene(), "Body"));
    assert!(act(&mut session));
    // They can be hidden without it.
    session.select(Selection::default());
    assert!(!act(&mut session));
}

#[test]
fn requests_are_carried_out_or_left_to_the_application() {
    let mut session = Session::new(scene(), None);
    let mut settings = ViewSettings::default();
    let evaluated = Evaluated::default();
    let body = Selection::from_mesh(session.scene(), "Body");
    let turn = |x: f32| {
        let pose_deg = Vec3::new(x, 0.0, 0.0);
        vec![Command::set_bone("Body".into(), 0, "pose", pose_deg)]
    };
    let mut ask = |request: Request| request.carry_out(&mut session, &mut settings, &evaluated);
    let done = [
        Request::Select(body.with_part(Some(Part::Bone(0)))),
        Request::Apply(turn(5.0)),
        Request::Preview(turn(9.0)),
        Request::Commit,
        Request::Preview(turn(20.0)),
        Request::Cancel,
        Request::Act(Action::UNDO),
        Request::Act(Action::ADD_IK),
        Request::Act(Action::DESELECT),
        Request::Act(Action::TAB_ANIMATE),
        // Disabled actions are not passed on to the application either.
        Request::Act(Action::REDO),
        Request::Act(Action::ADD_BONE),
    ];
    for request in done {
        assert_eq!(ask(request.clone()), Ok(true), "{request:?}");
    }
    assert!(ask(Request::Apply(turn(f32::NAN))).is_err());
    let left = [Action::NEW, Action::OPEN, Action::SAVE, Action::QUIT, Action::FRAME_ALL, Action::VIEW_TOP];
    let left = left.map(Request::Act).into_iter().chain([
        Request::OpenPath("a.js3d".into()),
        Request::SavePath("a.js3d".into()),
        Request::SaveChanges(SaveChanges::Discard),
    ]);
    for request in left {
        assert_eq!(ask(request.clone()), Ok(false), "{request:?}");
    }
    assert_eq!(session.undo_list().collect::<Vec<_>>(), ["Add IK to Root", "Rotate Root"]);
    assert_eq!(session.selection(), &body);
    assert_eq!(settings.tab, Tab::Animate);
}

#[test]
fn switches_show_their_state() {
    let session = Session::default();
    let checked = |tab, action: Action| with_view(&session, tab, |v| action.checked(v));
    assert_eq!(checked(Tab::Rig, Action::TAB_RIG), Some(true));
    assert_eq!(checked(Tab::Animate, Action::TAB_RIG), Some(false));
    assert_eq!(checked(Tab::Rig, Action::TOGGLE_XRAY), Some(ViewSettings::default().display.xray));
    assert_eq!(checked(Tab::Rig, Action::TOGGLE_TAB), None);
    assert_eq!(checked(Tab::Rig, Action::SAVE), None);
}

/// Deleting a bone must not delete the character: keys delete whole objects in the Animate tab alone, and
/// only while no part is selected.
#[test]
fn delete_takes_the_instance_only_where_it_is_meant() {
    let mut session = Session::new(scene(), None);
    let body = Selection::from_mesh(session.scene(), "Body");
    let kinds = [Action::DELETE, Action::DELETE_WITH_DATA, Action::DUPLICATE, Action::DUPLICATE_LINKED];
    for part in [Part::Bone(1), Part::Handle(0), Part::Base] {
        session.select(body.with_part(Some(part)));
        for (tab, action) in [Tab::Rig, Tab::Animate].into_iter().flat_map(|tab| kinds.map(|a| (tab, a))) {
            for command in with_view(&session, tab, |v| edits(action, v)) {
                let of_skeleton = matches!(
                    command,
                    Command::DeleteBone { .. }
                        | Command::DeleteHandle { .. }
                        | Command::DuplicateBones { .. }
                );
                assert!(of_skeleton, "{tab:?} {part:?} {action:?}: {command:?}");
            }
        }
    }
    session.select(body);
    for action in kinds {
        assert_eq!(with_view(&session, Tab::Rig, |v| edits(action, v)), [], "{action:?}");
        let commands = with_view(&session, Tab::Animate, |v| edits(action, v));
        assert_eq!(commands.len(), 1, "{action:?}");
    }
    assert_eq!(
        with_view(&session, Tab::Animate, |v| edits(Action::DELETE, v)[0].label(session.scene())),
        "Delete Body here"
    );
}

#[test]
fn rename_names_what_is_selected() {
    let mut session = Session::new(scene(), None);
    let body = Selection::from_mesh(session.scene(), "Body");
    session.select(body.clone());
    let named = |session: &Session, tab| with_view(session, tab, |v| rename_target(v).map(|t| t.name));
    assert_eq!(named(&session, Tab::Rig).as_deref(), Ok("Body"));
    assert_eq!(named(&session, Tab::Animate).as_deref(), Ok("Body here"));
    session.select(body.with_part(Some(Part::Bone(0))));
    assert!(named(&session, Tab::Animate).is_err());
    let place = Selection::from_object(session.scene(), &ObjectRef::new(Kind::Transform, "Place"));
    session.select(place);
    assert_eq!(named(&session, Tab::Rig).as_deref(), Ok("Place"));
}

#[test]
fn the_interface_is_scaled_by_tenths_as_far_as_it_goes() {
    let (mut session, mut settings) = (Session::default(), ViewSettings::default());
    let mut act = |action, times| {
        for _ in 0..times {
            let done = Request::Act(action).carry_out(&mut session, &mut settings, &Evaluated::default());
            done.expect("prepared actions can be carried out");
        }
        settings.options.scale
    };
    assert_eq!(act(Action::LARGER_INTERFACE, 2), 1.2);
    assert_eq!(act(Action::LARGER_INTERFACE, 40), 3.0);
    assert_eq!(act(Action::SMALLER_INTERFACE, 40), 0.5);
    assert_eq!(act(Action::NORMAL_INTERFACE, 1), 1.0);
    assert_eq!(act(Action::SMALLER_INTERFACE, 1), 0.9);
}
