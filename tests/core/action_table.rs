//! The table of actions is complete, consistent, and true on every scene of `media`.

use crate::animate_actions::MADE_FIRST;
use crate::editing;
use glam::Vec3;
use ossature::edit::action::{Action, AppRequest, Dialog, KeyPress, Menu, Prepared, Shortcut};
use ossature::edit::command::Command;
use ossature::edit::pose::copy;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::options::Keymap;
use ossature::edit::settings::view::{Clipboard, Tab, View, ViewSettings};
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Words that keep their capitals in the middle of a text.
const NAMES: [&str; 9] = ["glTF…", "FK", "OBJ…", "IK", "IK…", "Rig", "Animate", "Ossature", "js3d"];

/// Messages, the palette and tests refer to an action by its name.
#[test]
fn every_action_is_in_one_menu_under_one_name() {
    let ids: BTreeSet<_> = Action::all().map(|action| action.id).collect();
    assert_eq!(ids.len(), Action::all().count());
    assert!(ids.len() > 100, "{} actions", ids.len());
    let menus: BTreeSet<_> = Menu::ALL.iter().map(|menu| menu.text).collect();
    assert_eq!(menus.len(), Menu::ALL.len());
}

#[test]
fn texts_are_in_sentence_case() {
    let mut texts = BTreeSet::new();
    for action in Action::all() {
        let text = action.text;
        assert!(texts.insert(text), "two actions are called {text}");
        let mut words = text.split_whitespace();
        let first = words.next().unwrap();
        assert!(first.chars().next().unwrap().is_uppercase(), "{text}");
        for word in words {
            let lower = word.chars().all(|c| !c.is_uppercase());
            assert!(lower || NAMES.contains(&word), "{text}: {word}");
        }
        assert!(!text.contains("...") && !text.ends_with('.'), "{text}");
    }
}

#[test]
fn tooltips_are_one_sentence() {
    for action in Action::all() {
        let tip = action.tooltip;
        assert!(tip.ends_with('.') && !tip.ends_with(".."), "{tip}");
        assert!(!tip[..tip.len() - 1].contains(". "), "more than one sentence: {tip}");
        assert!(tip.chars().next().unwrap().is_uppercase(), "{tip}");
        assert_ne!(tip.trim_end_matches('.'), action.text, "tooltip repeats the name");
    }
}

/// Returns the key press for a shortcut, as the layout names the key.
fn press(shortcut: &Shortcut) -> KeyPress {
    KeyPress {
        ctrl: shortcut.ctrl,
        shift: shortcut.shift,
        alt: shortcut.alt,
        key: shortcut.key.into(),
        physical_key: None,
    }
}

#[test]
fn no_two_actions_share_a_shortcut() {
    let mut taken: HashMap<Shortcut, Action> = HashMap::new();
    for action in Action::all() {
        for &shortcut in action.shortcuts {
            if let Some(other) = taken.insert(shortcut, action) {
                panic!("{shortcut} is both {other:?} and {action:?}");
            }
            assert_eq!(Keymap::default().action(&press(&shortcut)), Some(action));
        }
    }
    let unknown = Shortcut { ctrl: true, shift: true, alt: true, key: "F12" };
    assert_eq!(Keymap::default().action(&press(&unknown)), None);
}

/// Shift changes the character of a bracket key, and other keyboard layouts have other characters there, so
/// brackets go by physical key. Letters go by the layout.
#[test]
fn brackets_go_by_their_place_and_letters_by_their_sign() {
    let press = |key: &str, physical_key: &str, shift, ctrl| {
        Keymap::default().action(&KeyPress {
            ctrl,
            shift,
            alt: false,
            key: key.into(),
            physical_key: Some(physical_key.into()),
        })
    };
    let bracket = "OpenBracket";
    assert_eq!(press(bracket, bracket, false, false), Some(Action::SELECT_PARENT));
    for sign in [bracket, "OpenCurlyBracket"] {
        assert_eq!(press(sign, bracket, true, false), Some(Action::EXTEND_TO_PARENT));
    }
    assert_eq!(press("CloseCurlyBracket", "CloseBracket", true, false), Some(Action::EXTEND_TO_CHILDREN));
    // A German and a Dvorak keyboard.
    assert_eq!(press("Z", "Y", false, true), Some(Action::UNDO));
    assert_eq!(press("Semicolon", "Z", false, true), None);
    assert_eq!(press("Z", "Slash", false, true), Some(Action::UNDO));
}

#[test]
fn the_keys_that_everybody_knows_are_there() {
    for (action, keys) in [
        (Action::NEW, "Ctrl+N"),
        (Action::OPEN, "Ctrl+O"),
        (Action::SAVE, "Ctrl+S"),
        (Action::SAVE_AS, "Ctrl+Shift+S"),
        (Action::QUIT, "Ctrl+Q"),
        (Action::UNDO, "Ctrl+Z"),
        (Action::REDO, "Ctrl+Shift+Z"),
        (Action::DELETE, "Delete"),
        (Action::DESELECT, "Esc"),
        (Action::TOGGLE_TAB, "Tab"),
        (Action::FRAME_SELECTED, "F"),
        (Action::FRAME_ALL, "A"),
        (Action::VIEW_FRONT, "1"),
        (Action::VIEW_BACK, "Ctrl+1"),
        (Action::TOGGLE_ORTHOGRAPHIC, "5"),
    ] {
        let expected = if cfg!(target_os = "macos") { keys.replace("Ctrl", "Cmd") } else { keys.into() };
        assert_eq!(Keymap::default().text(action), Some(expected), "{action:?}");
    }
    let redo = Shortcut { ctrl: true, shift: false, alt: false, key: "Y" };
    assert_eq!(Keymap::default().action(&press(&redo)), Some(Action::REDO));
}

/// Returns whether a dialog asks for input before anything happens.
fn asks(prepared: &Prepared) -> bool {
    let Prepared::App(request) = prepared else {
        return false;
    };
    match request {
        AppRequest::Open | AppRequest::SaveAs | AppRequest::Recover => true,
        AppRequest::Import | AppRequest::ImportScene | AppRequest::Append | AppRequest::Export => true,
        AppRequest::ImportPoses | AppRequest::ExportPoses => true,
        AppRequest::AddClips | AppRequest::SetSound => true,
        AppRequest::Dialog(dialog) => !matches!(
            dialog,
            Dialog::Messages
                | Dialog::Shortcuts
                | Dialog::About
                | Dialog::Rename
                | Dialog::RenameTake
                | Dialog::FilterBones
        ),
        _ => false,
    }
}

/// Returns an empty scene, a scene with every kind of object, and every scene of `media`.
fn scenes() -> impl Iterator<Item = Scene> {
    let files = std::fs::read_dir("media/js3d").expect("media is part of the repository");
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "js3d"));
    assert!(paths.len() >= 5);
    let read = |path| js3d::read(&std::fs::read(path).unwrap()).unwrap().0;
    [Scene::default(), editing::scene()].into_iter().chain(paths.into_iter().map(read))
}

/// An empty selection, the first instance of each kind, and each part kind of the first skinned mesh.
fn selections(scene: &Scene) -> Vec<Selection> {
    let mut selections = vec![Selection::default()];
    let mut kinds = BTreeSet::new();
    for (kind, name) in scene.names() {
        if kinds.insert(kind) {
            selections
                .push(Selection::from_object(scene, &ossature::scene::names::ObjectRef::new(kind, name)));
        }
    }
    if let Some(name) = scene.skinned_meshes.keys().next() {
        let mesh = Selection::from_mesh(scene, name);
        let parts = [Part::Bone(1), Part::Handle(0), Part::Base];
        selections.extend(parts.map(|part| mesh.with_part(Some(part))));
        selections.push(mesh.with_parts([Part::Bone(0), Part::Bone(1)]));
        selections.push(mesh.with_vertices(vec![0, 1]));
    }
    selections
}

/// A button's `enabled` agrees with what is prepared; what is prepared can be applied and is what the request
/// does. An ellipsis means a dialog, and a reason is a sentence.
#[test]
fn what_is_prepared_is_carried_out_on_every_scene() {
    let mut done = BTreeSet::new();
    for scene in scenes() {
        let settings = Settings { frame: Some(3.0), ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(&scene, &settings);
        let skinned = scene.skinned_meshes.values().next();
        let pose = skinned.map(|mesh| Arc::new(copy(&mesh.skeleton, &[], &[])));
        let row = skinned.map(|mesh| Arc::new(vec![(mesh.skeleton.bone_name(0), 1.0)]));
        for (selection, tab) in selections(&scene)
            .into_iter()
            .flat_map(|selection| [(selection.clone(), Tab::Rig), (selection, Tab::Animate)])
        {
            let mut session = Session::new(scene.clone(), None);
            session.set_frame(3.0);
            session.select(selection);
            let settings = ViewSettings {
                tab,
                clipboard: Clipboard { pose: pose.clone(), weights: row.clone() },
                ..ViewSettings::default()
            };
            for action in Action::all() {
                let view = View { session: &session, evaluated: &evaluated, settings: &settings };
                let prepared = action.prepare(&view);
                assert_eq!(action.enabled(&view).err(), prepared.as_ref().err().cloned(), "{action:?}");
                match prepared {
                    Ok(prepared) => {
                        // These ask only where a limb has keys.
                        let may_ask = [
                            Action::ADD_IK,
                            Action::ADD_LIMB_IK,
                            Action::ADD_BODY_IK,
                            Action::PIN,
                            Action::LOOK_AT,
                        ];
                        let may_ask = may_ask.contains(&action);
                        let asks = asks(&prepared);
                        assert!(action.text.ends_with('…') == asks || may_ask && asks, "{action:?}");
                        check_carried_out(action, &prepared, &view);
                        done.insert(action.id);
                    }
                    Err(why) => assert!(why.ends_with('.') && why.len() > 10, "{action:?}: {why}"),
                }
            }
        }
    }
    // These first need a change, several parts of a kind, a pair, a pinned ghost, other limits, a lock, a
    // second character, a moved or an unused bone, a camera, or an instance with a transform of its own.
    let other_tests = [
        Action::UNDO,
        Action::REDO,
        Action::KEY_UNKEYED,
        Action::DISMISS_UNKEYED,
        Action::SET_PARENT,
        Action::LOOK_THROUGH_CAMERA,
        Action::CAMERA_TO_VIEW,
        Action::UNPAIR_SIDES,
        Action::UNPIN_ONIONS,
        Action::HUMAN_LIMITS,
        Action::ADD_LIMB_IK,
        Action::UNLOCK_ALL_WEIGHTS,
        Action::TRANSFER_WEIGHTS,
        Action::BAKE_MOVES,
        Action::DELETE_UNUSED,
        Action::ATTACH,
    ];
    let other_tests = [&other_tests[..], &MADE_FIRST].concat();
    let mut left = Action::all().filter(|action| !done.contains(action.id));
    assert_eq!(left.find(|action| !other_tests.contains(action)), None, "never possible");
}

fn check_carried_out(action: Action, prepared: &Prepared, view: &View) {
    // Takes seconds on large meshes.
    let calculates = |command: &Command| {
        matches!(
            command,
            Command::CalculateWeights { .. }
                | Command::CalculateBoneWeights { .. }
                | Command::FitRadius { .. }
        )
    };
    if prepared.edits().iter().any(calculates) {
        return;
    }
    let (mut session, mut settings) = (view.session.clone(), view.settings.clone());
    let left = prepared.carry_out(&mut session, &mut settings);
    let left = left.unwrap_or_else(|error| panic!("{action:?}: {error}"));
    let (mut asked, mut asked_settings) = (view.session.clone(), view.settings.clone());
    let all = Request::Act(action).carry_out(&mut asked, &mut asked_settings, view.evaluated);
    assert_eq!(all, Ok(left.is_none()), "{action:?}");
    assert!(*session.scene() == *asked.scene(), "{action:?}");
    assert_eq!(session.selection(), asked.selection(), "{action:?}");
    assert_eq!(session.frame(), asked.frame(), "{action:?}");
    assert_eq!(settings, asked_settings, "{action:?}");
    let steps = session.history().entries().len();
    assert!(steps <= usize::from(!prepared.edits().is_empty()), "{action:?}: {steps} steps");
}

/// An action ignores the preview of a drag.
#[test]
fn a_preview_ends_before_an_action_counts() {
    let scene = editing::scene();
    let (mesh, bone) = ("Body".to_owned(), 2);
    assert_eq!(editing::skeleton(&scene, &mesh).bones[bone].pose_deg, Vec3::ZERO);
    let mut session = Session::new(scene, None);
    session.select(Selection::from_mesh(session.scene(), &mesh).with_part(Some(Part::Bone(bone))));
    let pose_deg = Vec3::X * 30.0;
    session.preview(&[Command::set_bone(mesh, bone, "pose", pose_deg)]).unwrap();
    let mut settings = ViewSettings::default();
    let reset = Request::Act(Action::RESET_BONE_POSE);
    let done = reset.carry_out(&mut session, &mut settings, &Evaluated::default());
    assert_eq!(done, Ok(true));
    assert!(!session.in_transaction());
    assert_eq!(session.undo_list().count(), 0, "the preview of the bone is gone");
}
