//! The table of actions is complete and consistent, and what it offers can be done.

use crate::editing::scene;
use glam::Vec3;
use ossature::edit::action::{Action, KeyPress, Menu, Shortcut, renamed};
use ossature::edit::command::Command;
use ossature::edit::pose::{PoseCopy, copy};
use ossature::edit::request::{Request, SaveChanges};
use ossature::edit::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::view::{Tab, View, ViewSettings};
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;
use ossature::scene::names::{Kind, Thing};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Words that keep their capitals in the middle of a text.
const NAMES: [&str; 7] = ["OBJ…", "IK", "IK…", "Rig", "Animate", "Ossature", "js3d"];

#[test]
fn all_names_every_action_once() {
    // The last variant; `as` counts them.
    let count = Action::About as usize + 1;
    let distinct: BTreeSet<_> = Action::ALL.iter().collect();
    assert_eq!((Action::ALL.len(), distinct.len()), (count, count));
    let in_menus: Vec<_> = Menu::ALL.iter().flat_map(|menu| menu.actions()).collect();
    assert_eq!(
        in_menus,
        Action::ALL,
        "menus show every action, in the order of the table"
    );
}

#[test]
fn texts_are_in_sentence_case_and_say_when_a_dialog_follows() {
    let mut texts = BTreeSet::new();
    for &action in Action::ALL {
        let text = action.info().text;
        assert!(texts.insert(text), "two actions are called {text}");
        let mut words = text.split_whitespace();
        let first = words.next().unwrap();
        assert!(first.chars().next().unwrap().is_uppercase(), "{text}");
        for word in words {
            let lower = word.chars().all(|c| !c.is_uppercase());
            assert!(lower || NAMES.contains(&word), "{text}: {word}");
        }
        assert_eq!(text.ends_with('…'), action.opens_dialog(), "{text}");
        assert!(!text.contains("...") && !text.ends_with('.'), "{text}");
    }
}

#[test]
fn tooltips_are_one_sentence() {
    for &action in Action::ALL {
        let tip = action.info().tooltip;
        assert!(tip.ends_with('.') && !tip.ends_with(".."), "{tip}");
        assert!(
            !tip[..tip.len() - 1].contains(". "),
            "more than one sentence: {tip}"
        );
        assert!(tip.chars().next().unwrap().is_uppercase(), "{tip}");
        assert_ne!(
            tip.trim_end_matches('.'),
            action.info().text,
            "the tooltip says no more"
        );
    }
}

#[test]
fn no_two_actions_share_a_shortcut() {
    let mut taken: HashMap<Shortcut, Action> = HashMap::new();
    for &action in Action::ALL {
        for &shortcut in action.info().shortcuts {
            if let Some(other) = taken.insert(shortcut, action) {
                panic!("{shortcut} is both {other:?} and {action:?}");
            }
            assert_eq!(Action::of_shortcut(shortcut), Some(action));
        }
    }
    let unknown = Shortcut {
        ctrl: true,
        shift: true,
        alt: true,
        key: "F12",
    };
    assert_eq!(Action::of_shortcut(unknown), None);
}

/// Shift makes another sign of a bracket, and other keyboards have other signs there; letters are where the keyboard
/// has them.
#[test]
fn brackets_go_by_their_place_and_letters_by_their_sign() {
    let press = |key: &str, physical_key: &str, shift, ctrl| {
        Action::of_key(&KeyPress {
            ctrl,
            shift,
            alt: false,
            key: key.into(),
            physical_key: Some(physical_key.into()),
        })
    };
    let bracket = "OpenBracket";
    assert_eq!(press(bracket, bracket, false, false), Some(Action::SelectParent));
    for sign in [bracket, "OpenCurlyBracket"] {
        assert_eq!(press(sign, bracket, true, false), Some(Action::ExtendToParent));
    }
    assert_eq!(
        press("CloseCurlyBracket", "CloseBracket", true, false),
        Some(Action::ExtendToChildren)
    );
    // A German and a Dvorak keyboard.
    assert_eq!(press("Z", "Y", false, true), Some(Action::Undo));
    assert_eq!(press("Semicolon", "Z", false, true), None);
    assert_eq!(press("Z", "Slash", false, true), Some(Action::Undo));
}

#[test]
fn the_keys_that_everybody_knows_are_there() {
    let shown = |action: Action| action.info().shortcuts.first().map(ToString::to_string);
    for (action, keys) in [
        (Action::New, "Ctrl+N"),
        (Action::Open, "Ctrl+O"),
        (Action::Save, "Ctrl+S"),
        (Action::SaveAs, "Ctrl+Shift+S"),
        (Action::Quit, "Ctrl+Q"),
        (Action::Undo, "Ctrl+Z"),
        (Action::Redo, "Ctrl+Shift+Z"),
        (Action::Delete, "Delete"),
        (Action::Deselect, "Esc"),
        (Action::ToggleTab, "Tab"),
        (Action::FrameSelected, "F"),
        (Action::FrameAll, "A"),
        (Action::ViewFront, "1"),
        (Action::ViewBack, "Ctrl+1"),
        (Action::ToggleOrthographic, "5"),
    ] {
        let expected = if cfg!(target_os = "macos") {
            keys.replace("Ctrl", "Cmd")
        } else {
            keys.into()
        };
        assert_eq!(shown(action), Some(expected), "{action:?}");
    }
    let redo = Shortcut {
        ctrl: true,
        shift: false,
        alt: false,
        key: "Y",
    };
    assert_eq!(Action::of_shortcut(redo), Some(Action::Redo));
}

/// A pose of all bones of Body, each turned.
fn copied() -> Arc<PoseCopy> {
    let mut skeleton = (*scene().skinned_meshes["Body"].skeleton).clone();
    for bone in &mut skeleton.bones {
        bone.pose_deg = Vec3::new(10.0, 20.0, -5.0);
    }
    Arc::new(copy(&skeleton, &[]))
}

fn with_view<T>(session: &Session, tab: Tab, look: impl FnOnce(&View) -> T) -> T {
    let settings = ViewSettings {
        tab,
        copied_pose: Some(copied()),
        ..ViewSettings::default()
    };
    let evaluated = Evaluated::default();
    look(&View {
        session,
        evaluated: &evaluated,
        settings: &settings,
    })
}

const EDITS: &[Action] = &[
    Action::FlipOrientation,
    Action::MakeSkinned,
    Action::AddBone,
    Action::DeleteWithData,
    Action::Duplicate,
    Action::DuplicateLinked,
    Action::AddIk,
    Action::Delete,
    Action::CalculateWeights,
    Action::ResetBonePose,
    Action::ResetPose,
    Action::PastePose,
    Action::PasteMirroredPose,
    Action::CalculateSelectedWeights,
    Action::LimitWeights,
    Action::PruneWeights,
    Action::SmoothWeights,
    Action::NormalizeWeights,
    Action::ClearWeights,
    Action::SetParent,
    Action::ClearParent,
    Action::MergeBones,
    Action::MirrorX,
    Action::MirrorY,
    Action::MirrorZ,
    Action::AlignRoll,
    Action::FitRadius,
    Action::DeleteWithChildren,
];

/// Edits that find nothing to do in the scene of the tests.
const IDLE: [Action; 3] = [
    Action::LimitWeights,
    Action::PruneWeights,
    Action::NormalizeWeights,
];

/// Enabled: its commands can be applied. Not enabled: a reason, and no commands.
#[test]
fn what_is_enabled_can_be_done() {
    let mut posed = scene();
    let pose_deg = Vec3::new(30.0, 0.0, 0.0);
    let pose = Command::SetPose {
        mesh: "Body".into(),
        // Mid has keys, which would turn it back.
        bone: 2,
        pose_deg,
    };
    pose.apply(&mut posed).unwrap();
    let mut done = BTreeSet::new();
    for scene in [Scene::default(), scene(), posed] {
        let mut selections = vec![Selection::default()];
        for mesh in ["Body", "Tail"] {
            let parts = [
                Part::Bone(0),
                Part::Bone(1),
                Part::Bone(2),
                Part::Handle(1),
                Part::Base,
            ];
            let parts = [None].into_iter().chain(parts.map(Some));
            selections.extend(parts.map(|part| Selection::of_mesh(&scene, mesh).with_part(part)));
            let both = [Part::Bone(3), Part::Bone(1)];
            selections.push(Selection::of_mesh(&scene, mesh).with_parts(both));
        }
        for (selection, tab) in selections.iter().flat_map(|s| [(s, Tab::Rig), (s, Tab::Animate)]) {
            let mut session = Session::new(scene.clone(), None);
            session.select(selection.clone());
            // Those on keys and frames: tests/core/animate_actions.rs.
            for &action in Action::ALL.iter().filter(|a| a.menu() != Menu::Animate) {
                let (enabled, commands) =
                    with_view(&session, tab, |v| (action.enabled(v), action.commands(v)));
                let edits = EDITS.contains(&action);
                assert_eq!(
                    !commands.is_empty(),
                    edits && enabled.is_ok(),
                    "{action:?} {selection:?}"
                );
                match enabled {
                    Ok(()) if edits => {
                        let mut session = session.clone();
                        session
                            .apply(&commands)
                            .unwrap_or_else(|e| panic!("{action:?}: {e}"));
                        let steps = session.history().entries().len();
                        // One of the bones stands beside the mesh: its radius cannot be fitted.
                        let outside = action == Action::FitRadius && steps == 0;
                        let idle = IDLE.contains(&action) || outside;
                        assert_eq!(steps, usize::from(!idle), "steps of {action:?}");
                        done.insert(action);
                    }
                    Ok(()) => {}
                    Err(why) => assert!(why.ends_with('.') && why.len() > 10, "{action:?}: {why}"),
                }
            }
        }
    }
    assert_eq!(done.len(), EDITS.len(), "every edit was possible once: {done:?}");
}

#[test]
fn undo_redo_and_deselect_follow_the_session() {
    let enabled =
        |session: &Session, action: Action| with_view(session, Tab::Rig, |v| action.enabled(v).is_ok());
    let mut session = Session::new(scene(), None);
    let states = |s: &Session| [Action::Undo, Action::Redo, Action::Deselect].map(|a| enabled(s, a));
    assert_eq!(states(&session), [false, false, false]);
    session
        .apply(&[Command::AddHandle {
            mesh: "Body".into(),
            bone: 0,
        }])
        .unwrap();
    assert_eq!(states(&session), [true, false, true]);
    session.undo();
    assert_eq!(states(&session), [false, true, false]);
}

#[test]
fn a_new_bone_continues_the_selected_one() {
    let mut session = Session::new(scene(), None);
    let body = Selection::of_mesh(session.scene(), "Body");
    session.select(body.with_part(Some(Part::Bone(1))));
    let commands = with_view(&session, Tab::Rig, |v| Action::AddBone.commands(v));
    let extent = Vec3::new(0.0, 0.75, 0.125);
    let (mesh, parent) = ("Body".to_owned(), Some(1));
    assert_eq!(
        commands,
        [Command::AddBone {
            mesh,
            parent,
            extent,
            radius: 0.9
        }]
    );
    session.select(body);
    let commands = with_view(&session, Tab::Rig, |v| Action::AddBone.commands(v));
    // The column is 4 high.
    let (mesh, extent) = ("Body".to_owned(), Vec3::Y);
    assert_eq!(
        commands,
        [Command::AddBone {
            mesh,
            parent: None,
            extent,
            radius: 0.25
        }]
    );
}

/// Of each group one is on.
const ONE_OF: [Action; 12] = [
    Action::BonesAutomatic,
    Action::BonesAsCapsules,
    Action::BonesAsSpheres,
    Action::BonesAsFrames,
    Action::TabRig,
    Action::TabAnimate,
    Action::GizmoMove,
    Action::GizmoTurn,
    Action::GizmoScale,
    Action::AxesWorld,
    Action::AxesParent,
    Action::AxesLocal,
];

/// Every switch turns what it shows, and back; nothing else calls itself a switch.
#[test]
fn switches_switch() {
    let session = Session::default();
    let evaluated = Evaluated::default();
    let mut switches = 0;
    // Auto-key is the session's, the view through a camera the window's.
    let elsewhere = [Action::ToggleAutoKey, Action::LookThroughCamera];
    for &action in Action::ALL.iter().filter(|a| !elsewhere.contains(a)) {
        let mut settings = ViewSettings::default();
        let checked = |settings: &ViewSettings| {
            let (session, evaluated) = (&session, &evaluated);
            action.checked(&View {
                session,
                evaluated,
                settings,
            })
        };
        let before = checked(&settings);
        let switched = action.switch(&mut settings);
        let cycles = matches!(action, Action::ToggleTab | Action::CycleAxes);
        assert_eq!(switched, before.is_some() || cycles, "{action:?}");
        // One of several that is on stays on.
        let one_of = ONE_OF.contains(&action);
        if !(one_of && before == Some(true)) {
            assert_eq!(switched, settings != ViewSettings::default(), "{action:?}");
        }
        if one_of {
            assert_eq!(checked(&settings), Some(true), "{action:?}");
        } else if before.is_some() {
            assert_eq!(checked(&settings), before.map(|on| !on), "{action:?}");
            action.switch(&mut settings);
            assert_eq!(settings, ViewSettings::default(), "{action:?} twice");
            switches += 1;
        }
    }
    assert_eq!(switches, 16);
}

#[test]
fn requests_are_carried_out_or_left_to_the_application() {
    let mut session = Session::new(scene(), None);
    let mut settings = ViewSettings::default();
    let evaluated = Evaluated::default();
    let body = Selection::of_mesh(session.scene(), "Body");
    let turn = |x: f32| {
        let pose_deg = Vec3::new(x, 0.0, 0.0);
        vec![Command::SetPose {
            mesh: "Body".into(),
            bone: 0,
            pose_deg,
        }]
    };
    let mut ask = |request: Request| request.carry_out(&mut session, &mut settings, &evaluated);
    let done = [
        Request::Select(body.with_part(Some(Part::Bone(0)))),
        Request::Apply(turn(5.0)),
        Request::Preview(turn(9.0)),
        Request::Commit,
        Request::Preview(turn(20.0)),
        Request::Cancel,
        Request::Act(Action::Undo),
        Request::Act(Action::AddIk),
        Request::Act(Action::Deselect),
        Request::Act(Action::TabAnimate),
        // Not enabled: nothing is left to the application either.
        Request::Act(Action::Redo),
        Request::Act(Action::AddBone),
    ];
    for request in done {
        assert_eq!(ask(request.clone()), Ok(true), "{request:?}");
    }
    assert!(ask(Request::Apply(turn(f32::NAN))).is_err());
    let left = [
        Action::New,
        Action::Open,
        Action::Save,
        Action::Quit,
        Action::FrameAll,
        Action::ViewTop,
    ];
    let left = left.map(Request::Act).into_iter().chain([
        Request::OpenPath("a.js3d".into()),
        Request::SavePath("a.js3d".into()),
        Request::SaveChanges(SaveChanges::Discard),
    ]);
    for request in left {
        assert_eq!(ask(request.clone()), Ok(false), "{request:?}");
    }
    assert_eq!(
        session.undo_list().collect::<Vec<_>>(),
        ["Add IK to Root", "Turn Root"]
    );
    assert_eq!(session.selection(), &body);
    assert_eq!(settings.tab, Tab::Animate);
}

#[test]
fn switches_show_their_state() {
    let session = Session::default();
    let checked = |tab, action: Action| with_view(&session, tab, |v| action.checked(v));
    assert_eq!(checked(Tab::Rig, Action::TabRig), Some(true));
    assert_eq!(checked(Tab::Animate, Action::TabRig), Some(false));
    assert_eq!(
        checked(Tab::Rig, Action::ToggleXray),
        Some(ViewSettings::default().xray)
    );
    assert_eq!(checked(Tab::Rig, Action::ToggleTab), None);
    assert_eq!(checked(Tab::Rig, Action::Save), None);
}

/// Who means a bone must not lose the character: keys delete whole things in the Animate tab alone, and
/// only while no part is selected.
#[test]
fn delete_takes_the_instance_only_where_it_is_meant() {
    let mut session = Session::new(scene(), None);
    let body = Selection::of_mesh(session.scene(), "Body");
    let kinds = [
        Action::Delete,
        Action::DeleteWithData,
        Action::Duplicate,
        Action::DuplicateLinked,
    ];
    for part in [Part::Bone(1), Part::Handle(0), Part::Base] {
        session.select(body.with_part(Some(part)));
        for (tab, action) in [Tab::Rig, Tab::Animate]
            .into_iter()
            .flat_map(|tab| kinds.map(|a| (tab, a)))
        {
            for command in with_view(&session, tab, |v| action.commands(v)) {
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
        assert_eq!(
            with_view(&session, Tab::Rig, |v| action.commands(v)),
            [],
            "{action:?}"
        );
        let commands = with_view(&session, Tab::Animate, |v| action.commands(v));
        assert_eq!(commands.len(), 1, "{action:?}");
    }
    assert_eq!(
        with_view(&session, Tab::Animate, |v| Action::Delete.commands(v)[0]
            .label(session.scene())),
        "Delete Body here"
    );
}

#[test]
fn rename_names_what_is_selected() {
    let mut session = Session::new(scene(), None);
    let body = Selection::of_mesh(session.scene(), "Body");
    session.select(body.clone());
    let named = |session: &Session, tab| with_view(session, tab, |v| renamed(v).map(|t| t.name));
    assert_eq!(named(&session, Tab::Rig).as_deref(), Ok("Body"));
    assert_eq!(named(&session, Tab::Animate).as_deref(), Ok("Body here"));
    session.select(body.with_part(Some(Part::Bone(0))));
    assert!(named(&session, Tab::Animate).is_err());
    let place = Selection::of_thing(session.scene(), &Thing::new(Kind::Transform, "Place"));
    session.select(place);
    assert_eq!(named(&session, Tab::Rig).as_deref(), Ok("Place"));
}
