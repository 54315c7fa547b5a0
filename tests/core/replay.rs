//! Steps as data: repeating what a session did gives the same bytes, with `ossature run` too.

use crate::editing::{Random, examples, scene};
use crate::running::{Folder, bad, good, read, run};
use crate::undo_walk::any_command;
use ossature::edit::journal::replay;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::session::step::Step;
use ossature::edit::time::keying_set::KeyingSet;
use ossature::edit::time::timeline::KeySelection;
use ossature::io::js3d;
use ossature::scene::Scene;
use std::collections::BTreeSet;
use std::sync::Arc;

pub fn bytes(scene: &Scene) -> Vec<u8> {
    js3d::write(scene).unwrap()
}

/// The scene as the program opens it.
pub fn opened() -> Scene {
    js3d::read(&bytes(&scene())).unwrap().0
}

/// Performs a random user action, usually a command. `watch` is called during a drag.
pub fn act(random: &mut Random, session: &mut Session, watch: &mut dyn FnMut(&mut Session)) {
    match random.below(12) {
        0..5 => {
            let command = any_command(random, session.animated());
            let _ = session.apply(&[command]);
        }
        5..8 => {
            for _ in 0..1 + random.below(6) {
                let command = any_command(random, session.animated_before());
                let _ = session.preview(&[command]);
                if random.chance(20) {
                    select(random, session);
                }
                if random.chance(30) {
                    watch(session);
                }
            }
            match random.below(4) {
                0 => drop(session.cancel()),
                1 => drop(session.undo()),
                _ => drop(session.commit()),
            }
        }
        8 => (0..1 + random.below(3)).for_each(|_| drop(session.undo())),
        9 => (0..1 + random.below(3)).for_each(|_| drop(session.redo())),
        10 if random.chance(20) => drop(session.dismiss_unkeyed()),
        10 => select(random, session),
        _ => match random.below(5) {
            0 => session.set_auto_key(random.chance(70)),
            1 => session.set_symmetric(random.chance(50)),
            2 => session.set_keying_set(*random.pick(&KeyingSet::ALL)),
            _ => session.set_frame(random.below(30) as f32 * 0.5),
        },
    }
}

fn select(random: &mut Random, session: &mut Session) {
    let mesh = *random.pick(&["Body", "Tail", "Nobody"]);
    let mut part = || match random.below(3) {
        0 => Part::Bone(random.below(6)),
        1 => Part::Handle(random.below(6)),
        _ => Part::Base,
    };
    let parts = [part(), part()];
    session.select(Selection::from_mesh(session.scene(), mesh).with_parts(parts));
    let keys = session.keys().keys();
    session.select_keys(&Arc::new(KeySelection::new(keys.into_iter().take(1))));
}

/// Performs `count` random actions; returns the session and its steps.
pub fn walked(seed: u64, count: usize) -> (Session, Vec<Step>) {
    let mut random = Random::new(seed);
    let mut session = Session::new(opened(), None);
    session.record();
    let mut steps = Vec::new();
    for _ in 0..count {
        act(&mut random, &mut session, &mut |session| {
            steps.extend(session.take_steps(true));
        });
        if random.chance(10) {
            // The next action ends the drag in its own way.
            let _ = session.preview(&[any_command(&mut random, session.animated())]);
        }
        steps.extend(session.take_steps(random.chance(50)));
    }
    session.commit();
    steps.extend(session.take_steps(false));
    (session, steps)
}

fn lines(steps: &[Step]) -> String {
    let line = |step| serde_json::to_string(step).unwrap() + "\n";
    steps.iter().map(line).collect()
}

#[test]
fn what_a_session_did_comes_to_the_same_bytes_again() {
    let mut kinds = BTreeSet::new();
    for seed in 1..=12 {
        let (session, steps) = walked(seed, 300);
        let mut again = Session::new(opened(), None);
        for (at, step) in steps.iter().enumerate() {
            let text = serde_json::to_string(step).unwrap();
            let name = text.split('"').nth(1).unwrap();
            kinds.insert(name.to_owned());
            let back: Step = serde_json::from_str(&text).unwrap();
            let done = back.carry_out(&mut again);
            assert!(done.is_ok(), "seed {seed}, step {at}, {text}: {done:?}");
        }
        assert!(bytes(again.scene()) == bytes(session.scene()), "seed {seed}");
        // This includes what no file stores, such as the bones at the time when weights were calculated.
        assert!(again.scene() == session.scene(), "seed {seed}: values");
        assert_eq!(again.unkeyed(), session.unkeyed());
        let labels = |session: &Session| session.undo_list().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(labels(&again), labels(&session), "seed {seed}");
        let mut session = session;
        while session.undo().is_some() {
            assert!(again.undo().is_some());
            assert!(bytes(again.scene()) == bytes(session.scene()), "seed {seed}: undo");
            assert_eq!(again.selection(), session.selection(), "seed {seed}: undo");
        }
    }
    let seen: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let all = [
        "auto_key",
        "cancel",
        "commit",
        "dismiss_unkeyed",
        "do",
        "frame",
        "keying_set",
        "preview",
        "redo",
        "select",
        "select_keys",
        "symmetric",
        "undo",
    ];
    assert_eq!(seen, all, "the walks do everything");
}

#[test]
fn the_program_carries_a_session_out_to_the_same_bytes() {
    for seed in [101, 102] {
        let (session, steps) = walked(seed, 300);
        let folder = Folder::new();
        let input = folder.write("in.js3d", &scene());
        let named = replay::script(&steps, Session::new(opened(), None)).unwrap();
        let is_named = ["Root", "Mid", "Branch"].map(|name| named.contains(&format!("\"bone\":\"{name}\"")));
        assert!(is_named.contains(&true), "names are given: {named}");
        for (name, script) in [("numbers", lines(&steps)), ("names", named)] {
            let path = folder.path(name);
            std::fs::write(&path, script).unwrap();
            let out = folder.out(&format!("{name}.js3d"));
            let output = run(&["run", path.to_str().unwrap(), &input, "-o", &out]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            assert!(bytes(&read(&out)) == bytes(session.scene()), "seed {seed}, by {name}");
            assert!(std::fs::read(&out).unwrap() == bytes(session.scene()), "seed {seed}, by {name}");
        }
    }
}

/// Every kind of command, with names in place of numbers.
#[test]
fn every_command_can_be_given_by_names() {
    for (command, label) in examples() {
        let step = Step::Do(vec![command]);
        let line = replay::line(&step, &scene()).unwrap();
        let back = replay::parse(&line, &scene()).unwrap();
        assert_eq!(lines(&[back]), lines(&[step]), "{label}: {line}");
    }
    let by_name = |text: &str| lines(&[replay::parse(text, &scene()).unwrap()]);
    assert_eq!(
        by_name(
            r#"{"select":{"mesh":"Body","part":{"bone":"Mid"},"others":["base",{"handle":"IK Branch"}]}}"#
        ),
        "{\"select\":{\"mesh\":\"Body\",\"part\":{\"bone\":1},\"others\":[{\"handle\":1},\"base\"]}}\n"
    );
    assert_eq!(
        by_name(r#"{"do":[{"command":"split_bones","mesh":"Body","bones":["Mid",0],"pieces":2}]}"#),
        "{\"do\":[{\"command\":\"split_bones\",\"mesh\":\"Body\",\"bones\":[1,0],\"pieces\":2}]}\n"
    );
}

/// Windows editors save text like this.
#[test]
fn a_script_may_begin_with_a_byte_order_mark() {
    let folder = Folder::new();
    let (input, out) = (folder.write("in.js3d", &scene()), folder.out("out.js3d"));
    let script = folder.out("script.jsonl");
    std::fs::write(&script, "\u{feff}// A comment.\r\n{\"frame\":3}\r\n").unwrap();
    good(&["run", &script, &input, "-o", &out]);
}

#[test]
fn a_script_that_is_wrong_is_told_by_its_line() {
    let folder = Folder::new();
    let input = folder.write("in.js3d", &scene());
    let out = folder.out("out.js3d");
    let radius = |bone: &str, radius: &str| {
        format!(r#"{{"do":[{{"command":"set_radius","mesh":"Body","bone":{bone},"radius":{radius}}}]}}"#)
    };
    let cases = [
        ("{".to_owned(), "EOF while parsing"),
        ("{\"dance\":1}".into(), "unknown variant `dance`"),
        ("{\"do\":[{\"command\":\"set_radii\"}]}".into(), "unknown variant `set_radii`"),
        ("{\"do\":[{\"command\":\"set_radius\",\"mesh\":\"Body\"}]}".into(), "missing field `bone`"),
        (
            radius("\"Elbow\"", "1"),
            "“Body” has no bone called “Elbow”, as the member bone says; the nearest are “",
        ),
        (radius("\"Mud\"", "1"), "the nearest are “Mid”, "),
        (
            radius("\"Mid\"", "1").replace("Body", "body s"),
            "there is no skinned mesh called “body s”, as the member mesh says; available: “Body”, ",
        ),
        (radius("true", "1"), "expected a whole number"),
        (radius("99", "1"), "“Body” has no bone 99"),
        (radius("1", "-1"), "must be"),
        ("{\"undo\":7}".into(), "there is nothing to undo"),
        ("{\"redo\":1}".into(), "there is nothing to redo"),
        ("{\"frame\":null}".into(), "invalid type"),
    ];
    let path = folder.path("script.jsonl");
    for (line, why) in cases {
        std::fs::write(&path, format!("// wrong\n\n{}\n{line}\n", radius("\"Mid\"", "0.75"))).unwrap();
        let (error, _) = bad(&["run", path.to_str().unwrap(), &input, "-o", &out]);
        assert!(error.contains("script.jsonl, line 4: ") && error.contains(why), "{line}: {error}");
        assert!(!folder.path("out.js3d").exists());
    }
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(bad(&["run", path.to_str().unwrap(), &input, "-o", &out]).0.contains("UTF-8"));
    std::fs::write(&path, radius("\"Mid\"", "0.75")).unwrap();
    good(&["run", path.to_str().unwrap(), &input, "-o", &out]);
    assert_eq!(read(&out).skinned_meshes["Body"].skeleton.bones[1].radius, 0.75);
}
