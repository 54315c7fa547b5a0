//! Takes: their commands, and their members in js3d files.

use crate::editing::takes::{any_take_command, faults, take_examples, takes};
use crate::editing::{faults as scene_faults, scene};
use crate::random::Random;
use ossature::anim::channel::Animation;
use ossature::anim::clip::Clip;
use ossature::anim::take::{Take, Takes};
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::command::takes::TakeCommand;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::append::append;
use serde_json::{Value, json};
use std::sync::Arc;

fn apply(session: &mut Session, command: TakeCommand) {
    session.apply(&[Command::Takes(command)]).unwrap();
}

fn names(scene: &Scene) -> Vec<&str> {
    let takes = &scene.animation.takes;
    takes.list.iter().map(|take| &*take.name).collect()
}

fn chosen(scene: &Scene) -> Option<&str> {
    Some(&scene.animation.takes.chosen()?.name)
}

#[test]
fn every_command_is_one_step_with_its_label() {
    for (command, label) in take_examples() {
        let mut session = Session::new(scene(), None);
        let before = session.scene().clone();
        apply(&mut session, command.clone());
        let after = session.scene().clone();
        assert!(before != after, "{command:?}");
        assert_eq!(session.undo_label(), Some(label));
        assert_eq!(scene_faults(&after), Vec::<String>::new(), "{command:?}");
        session.undo();
        assert!(session.scene().is_shared(&before));
        session.redo();
        assert!(session.scene().is_shared(&after));
        let text = serde_json::to_string(&command).unwrap();
        assert_eq!(serde_json::from_str::<TakeCommand>(&text).unwrap(), command);
    }
}

#[test]
fn a_new_take_is_chosen_and_its_play_range_follows_it() {
    let mut session = Session::new(scene(), None);
    let (name, range) = ("  Walk ".to_owned(), [2, 8]);
    apply(&mut session, TakeCommand::Add { name, range });
    assert_eq!(names(session.scene()), ["Walk", "Run", "Walk 2"]);
    let played = |session: &Session| session.scene().animation.clip.play_range();
    assert_eq!((chosen(session.scene()), played(&session)), (Some("Walk 2"), [2, 8]));
    let (take, range) = ("Walk 2".to_owned(), [3, 20]);
    apply(&mut session, TakeCommand::SetRange { take, range });
    assert_eq!(played(&session), [3, 20]);
    let (take, range) = ("Run".to_owned(), [30, 40]);
    apply(&mut session, TakeCommand::SetRange { take, range });
    assert_eq!((chosen(session.scene()), played(&session)), (Some("Walk 2"), [3, 20]));
    let take = "Walk".to_owned();
    apply(&mut session, TakeCommand::Delete { take });
    assert_eq!(chosen(session.scene()), Some("Walk 2"));
    let take = "Walk 2".to_owned();
    apply(&mut session, TakeCommand::Delete { take });
    assert_eq!((chosen(session.scene()), played(&session)), (None, [3, 20]));
    apply(&mut session, TakeCommand::Choose { take: Some("Run".into()) });
    assert_eq!(played(&session), [30, 40]);
    apply(&mut session, TakeCommand::Choose { take: None });
    assert_eq!((chosen(session.scene()), played(&session)), (None, [0, 95]));
}

#[test]
fn another_play_range_is_no_take() {
    let mut session = Session::new(scene(), None);
    apply(&mut session, TakeCommand::Choose { take: Some("Walk".into()) });
    let set = |range| Command::Keys(KeyCommand::SetRange { range });
    session.apply(&[set(Some([0, 10]))]).unwrap();
    assert_eq!(chosen(session.scene()), Some("Walk"));
    session.apply(&[set(Some([0, 9]))]).unwrap();
    assert_eq!(chosen(session.scene()), None);
    assert_eq!(session.scene().animation.clip.range, Some([0, 9]));
}

#[test]
fn no_take_lies_behind_the_end() {
    let mut scene = scene();
    let (take, range) = ("Run".to_owned(), [20, 60]);
    let longer = Command::Takes(TakeCommand::SetRange { take, range });
    longer.apply(&mut scene).unwrap();
    let length = |frames| Command::Keys(KeyCommand::SetLength { frames });
    assert!(length(60).apply(&mut scene).is_err());
    length(61).apply(&mut scene).unwrap();
    let crop = |frame| Command::Keys(KeyCommand::CropEnd { frame });
    crop(40).apply(&mut scene).unwrap();
    assert_eq!(scene.animation.takes.list[1].range, [20, 40]);
    crop(19).apply(&mut scene).unwrap();
    assert_eq!(names(&scene), ["Walk"]);
    crop(5).apply(&mut scene).unwrap();
    assert_eq!((scene.animation.takes.list[0].range, faults(&scene)), ([0, 5], vec![]));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let before = scene();
    let mut random = Random::new(5);
    for _ in 0..200 {
        let command = any_take_command(&mut random, &before, true);
        let mut after = before.clone();
        // The new name of a rename is fine, only its take is missing; all else is wrong in itself.
        let error = Command::Takes(command.clone()).apply(&mut after);
        assert!(error.is_err() && before.is_shared(&after), "{command:?}");
    }
    for name in ["", "  "] {
        let (take, name) = ("Walk".to_owned(), name.to_owned());
        let rename = Command::Takes(TakeCommand::Rename { take, name });
        assert!(rename.apply(&mut before.clone()).is_err());
    }
    let mut many = before.clone();
    let list = (0..Takes::MAX).map(|at| Take::new(at.to_string(), [0, 1])).collect();
    Arc::make_mut(&mut many.animation).takes = Takes { list, chosen: None };
    let (name, range) = ("One more".to_owned(), [0, 1]);
    let add = Command::Takes(TakeCommand::Add { name, range });
    assert!(add.apply(&mut many).is_err());
}

#[test]
fn takes_of_another_scene_come_along() {
    let mut scene = scene();
    let mut added = crate::editing::scene();
    Arc::make_mut(&mut added.animation).takes.list[0].range = [0, 150];
    append(&mut scene, &added);
    assert_eq!(names(&scene), ["Walk", "Run", "Walk 2", "Run 2"]);
    assert_eq!(scene.animation.clip.length, 151);
    let mut empty = Scene::default();
    let animation = Animation { takes: takes(), ..Animation::default() };
    let only_takes = Scene { animation: Arc::new(animation), ..Scene::default() };
    append(&mut empty, &only_takes);
    assert_eq!(names(&empty), ["Walk", "Run"]);
}

fn read(members: &Value) -> (Animation, Vec<(&'static str, String, bool)>) {
    let mut animator = json!({"FORMAT": "js3d-v1", "splines": {}});
    let members = members.as_object().unwrap().clone();
    animator.as_object_mut().unwrap().extend(members);
    let text = json!({"scene": {}, "animator": animator}).to_string();
    let (scene, report) = js3d::read(text.as_bytes()).unwrap();
    let found = report.findings.iter().filter(|found| found.at.starts_with("/animator"));
    let found = found.map(|found| (found.code, found.at.clone(), found.loss)).collect();
    ((*scene.animation).clone(), found)
}

#[test]
fn takes_come_back_with_members_that_nobody_here_knows() {
    let members = json!({
        "play_range": [20, 44],
        "takes": [
            {"name": "Idle", "first": 0, "last": 12, "loop": true},
            {"name": "Walk", "first": 20, "last": 44},
            {"name": "Walk again", "first": 20, "last": 44},
        ],
        "chosen_take": "Walk again",
    });
    let (animation, found) = read(&members);
    assert_eq!(found, []);
    assert_eq!(animation.takes.chosen, Some(2));
    assert_eq!(animation.takes.list[1], Take::new("Walk", [20, 44]));
    let scene = Scene { animation: Arc::new(animation), ..Scene::default() };
    let written = js3d::write(&scene).unwrap();
    let document: Value = serde_json::from_slice(&written).unwrap();
    for (name, value) in members.as_object().unwrap() {
        assert_eq!(document["animator"][name], *value);
    }
    let again = js3d::read(&written).unwrap().0;
    assert_eq!(again, scene);
    assert_eq!(js3d::write(&again).unwrap(), written);
}

#[test]
fn a_scene_without_takes_has_no_members_for_them() {
    let written = String::from_utf8(js3d::write(&Scene::default()).unwrap()).unwrap();
    assert!(!written.contains("take"), "{written}");
}

#[test]
fn the_clip_holds_all_takes() {
    let take = json!([{"name": "Long", "first": 0, "last": 200}]);
    let (animation, found) = read(&json!({"takes": take}));
    assert_eq!((animation.clip.length, found), (201, vec![]));
    let (animation, found) = read(&json!({"takes": take, "frames": 100}));
    assert_eq!((animation.clip.length, found[0].0), (201, "keys-behind-end"));
}

#[test]
fn broken_takes_are_told() {
    let good = json!({"name": "Good", "first": 0, "last": 5});
    for bad in [
        json!(5),
        json!({}),
        json!({"name": "A", "first": 0}),
        json!({"first": 0, "last": 5}),
        json!({"name": 7, "first": 0, "last": 5}),
        json!({"name": "A", "first": 6, "last": 5}),
        json!({"name": "A", "first": -1, "last": 5}),
        json!({"name": "A", "first": 0, "last": 1.5}),
        json!({"name": "A", "first": 0, "last": Clip::MAX_LENGTH}),
    ] {
        let (animation, found) = read(&json!({"takes": [bad, good]}));
        assert_eq!(found, [("bad-take", "/animator/takes/0".to_owned(), true)], "{bad}");
        assert_eq!(animation.takes.list, [Take::new("Good", [0, 5])]);
    }
    for (name, instead) in [("Good", "Good 2"), ("", "Take"), (" A\n", "A")] {
        let (animation, found) = read(&json!({"takes": [good, {"name": name, "first": 1, "last": 1}]}));
        assert_eq!(found, [("bad-take", "/animator/takes/1/name".to_owned(), false)]);
        assert_eq!(animation.takes.list[1], Take::new(instead, [1, 1]));
    }
    for chosen in [json!("Nobody"), json!(3), json!("Good")] {
        let (animation, found) = read(&json!({"takes": [good], "chosen_take": chosen}));
        assert_eq!(found, [("bad-take", "/animator/chosen_take".to_owned(), false)]);
        assert_eq!(animation.takes.chosen, None);
    }
    assert_eq!(read(&json!({"takes": 7})).1[0].0, "not-an-array");
    let many: Vec<_> = (0..Takes::MAX + 3).map(|_| good.clone()).collect();
    assert_eq!(read(&json!({"takes": many})).0.takes.list.len(), Takes::MAX);
}
