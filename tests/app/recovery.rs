//! A program that dies, and the next one to start.

use crate::support::*;
use bevy::ecs::message::Messages;
use bevy::prelude::AppExit;
use bevy_egui::egui::Key;
use ossature::edit::journal::store::Store;
use ossature::editor::app::recovery::terminations::{self, Terminations};
use ossature::editor::embedded_human;
use ossature::io::js3d;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

const QUESTION: &str = "Recover unsaved work?";

impl Person {
    /// Waits for a result from the background.
    fn wait_for(&mut self, label: &str) {
        for _ in 0..200 {
            if self.sees_text(label) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
            self.app.frames(1);
        }
        panic!("“{label}” does not come");
    }

    /// Waits until lost work is offered and readable, and recovers it.
    fn recover(&mut self) {
        self.wait_for(QUESTION);
        for _ in 0..200 {
            if !self.sees_text("Reading…") {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
            self.app.frames(1);
        }
        self.key(Key::Enter);
        self.app.frames(2);
        assert!(!self.sees(QUESTION));
    }

    fn looks_for_lost_work(&mut self) {
        self.click("File");
        self.click("File > Recover…");
    }

    fn undo_all(&mut self) {
        while !self.steps().is_empty() {
            self.app.key(Key::Z, CTRL);
        }
    }

    /// Makes two steps with the pointer, a selection between them, and an unfinished drag.
    fn work(&mut self) {
        self.turn_an_arm();
        self.add_ik(LEFT_FOREARM);
        self.click("Enable");
        self.click("Animate");
        let ball = self.ball_of_handle(0);
        self.app.drag_hold(ball, (ball.0 - 10.0, ball.1 - 30.0), 3);
        assert!(self.editor().session.in_transaction());
        // A drag is written every half second.
        std::thread::sleep(Duration::from_millis(600));
        self.app.frames(2);
    }

    /// Returns the document as if the drag had been committed.
    fn bytes_after(&mut self) -> Vec<u8> {
        let mut session = self.editor().session.0.clone();
        session.commit();
        js3d::write(session.scene()).expect("the scene can be written")
    }
}

fn human_in(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("work.js3d");
    let (human, _) = embedded_human().expect("the human");
    std::fs::write(&path, js3d::write(&human).expect("bytes")).expect("written");
    path
}

#[test]
fn a_program_that_dies_loses_nothing_and_undo_goes_back_beyond_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, path) = (folder.path().join("state"), human_in(folder.path()));
    let opened = std::fs::read(&path).expect("read");
    let Some(mut person) = Person::with_journal(&state) else {
        return;
    };
    assert!(!person.sees(QUESTION), "nothing was lost yet");
    person.drop_file(&path);
    person.work();
    let (mut steps, bytes, frame) = (person.steps(), person.bytes_after(), person.editor().session.frame());
    steps.push("Move IK forearm.L".into());
    assert_eq!(Store::new(&state).dead(false), [], "it is alive");
    // The window is not closed properly.
    drop(person);

    let mut person = Person::with_journal(&state).expect("an adapter");
    person.recover();
    assert!(person.bytes() == bytes);
    assert_eq!(person.steps(), steps);
    assert_eq!(person.editor().session.frame(), frame);
    assert_eq!(person.editor().session.path(), Some(path.as_path()));
    assert!(person.editor().session.is_modified());
    assert!(std::fs::read(&path).expect("read") == opened, "the file is as it was");
    // The journal continues, so dying again loses nothing either.
    person.app.key(Key::Z, CTRL);
    let undone = person.bytes();
    drop(person);
    let mut person = Person::with_journal(&state).expect("an adapter");
    person.recover();
    assert!(person.bytes() == undone);
    person.app.key(Key::Z, crate::support::CTRL_SHIFT);
    assert!(person.bytes() == bytes, "undone steps can be redone");
    person.undo_all();
    assert!(person.bytes() == opened && !person.editor().session.is_modified());
    for _ in 0..steps.len() {
        person.app.key(Key::Z, crate::support::CTRL_SHIFT);
    }
    person.app.key(Key::S, CTRL);
    person.app.frames(3);
    assert!(std::fs::read(&path).expect("read") == bytes, "saved without a question");
    drop(person);
    // Afterwards nothing is offered any longer.
    let mut person = Person::with_journal(&state).expect("an adapter");
    std::thread::sleep(Duration::from_millis(300));
    person.app.frames(3);
    assert!(!person.sees(QUESTION));
    assert_eq!(Store::new(&state).dead(false), []);
}

#[test]
fn a_file_that_was_changed_after_the_crash_is_asked_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let (state, path) = (folder.path().join("state"), human_in(folder.path()));
    let other = std::fs::read(&path).expect("read");
    let Some(mut person) = Person::with_journal(&state) else {
        return;
    };
    person.drop_file(&path);
    person.turn_an_arm();
    person.app.key(Key::S, CTRL);
    person.app.frames(3);
    person.drag_widget("Roll slider", 24.0);
    assert!(person.editor().session.is_modified());
    drop(person);
    std::fs::write(&path, &other).expect("written");
    let mut person = Person::with_journal(&state).expect("an adapter");
    person.wait_for("has been changed since");
    person.recover();
    assert!(std::fs::read(&path).expect("read") == other);
    person.asks_before_it_saves("The file has changed", &path);
}

/// Gives signals their default effect, to end the program: a shell starts programs in the background with SIGINT
/// ignored, `nohup` with SIGHUP, and programs inherit this.
#[cfg(unix)]
fn end_by_signals() {
    use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_default;
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        register_conditional_default(signal, Arc::new(true.into())).expect("a handler");
    }
}

/// Runs in a child process, which the test below kills.
#[test]
#[ignore = "a part of the test that kills programs"]
fn child() {
    let variable = |name: &str| std::env::var_os(format!("OSSATURE_CHILD_{name}"));
    let (Some(state), Some(file)) = (variable("STATE"), variable("FILE")) else {
        return;
    };
    let listens = variable("LISTENS").is_some();
    #[cfg(unix)]
    if !listens {
        end_by_signals();
    }
    let Some(mut person) = Person::with_journal(Path::new(&state)) else {
        return;
    };
    person.drop_file(Path::new(&file));
    person.work();
    let told = std::fs::write(Path::new(&file).with_extension("after"), person.bytes_after());
    told.expect("written");
    #[cfg(unix)]
    if listens {
        use bevy::ecs::system::RunSystemOnce;
        let listening = person.app.world().run_system_once(terminations::listen);
        listening.expect("it listens");
    }
    let mut out = std::io::stdout();
    let mut tell = || out.write_all(b"+").and_then(|()| out.flush()).expect("told");
    tell();
    let end = Instant::now() + Duration::from_secs(60);
    let mut asked = false;
    while listens && Instant::now() < end {
        person.app.frames(1);
        std::thread::sleep(Duration::from_millis(5));
        if !asked && person.sees("Save changes?") {
            asked = true;
            tell();
        }
        let exits = person.app.world().get_resource::<Messages<AppExit>>();
        if exits.is_some_and(|exits| !exits.is_empty()) {
            return;
        }
    }
    std::thread::sleep(end.saturating_duration_since(Instant::now()));
}

/// Sends signals to a program in the middle of a drag: one, which ends it, or two to a window that handles
/// them: the first makes it ask, the second asks again or kills it, as systems do with programs that don't
/// exit.
#[cfg(unix)]
#[test]
fn every_signal_leaves_what_can_be_recovered() {
    let cases: [&[&str]; 8] = [
        &["KILL"],
        &["TERM"],
        &["INT"],
        &["HUP"],
        &["TERM", "TERM"],
        &["INT", "INT"],
        &["HUP", "HUP"],
        &["TERM", "KILL"],
    ];
    for signals in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let (state, path) = (folder.path().join("state"), human_in(folder.path()));
        let opened = std::fs::read(&path).expect("read");
        if Turn::take().is_none() {
            return;
        }
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        if signals.len() > 1 {
            command.env("OSSATURE_CHILD_LISTENS", "1");
        }
        let mut child = command
            .args(["--ignored", "--exact", "recovery::child", "--nocapture", "--test-threads=1"])
            .env("OSSATURE_CHILD_STATE", &state)
            .env("OSSATURE_CHILD_FILE", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let out = child.stdout.take().expect("its output");
        let mut out = std::io::BufReader::new(out).bytes().map_while(Result::ok);
        for signal in signals {
            // The program has finished its work, or shows the question.
            assert!(out.any(|byte| byte == b'+'), "{signals:?}");
            let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
            assert!(sent.expect("kill").success());
        }
        let by_itself = signals.len() > 1 && !signals.contains(&"KILL");
        assert_eq!(child.wait().expect("ended").success(), by_itself, "{signals:?}");
        let bytes = std::fs::read(path.with_extension("after")).expect("told");
        assert!(bytes != opened);
        let mut person = Person::with_journal(&state).expect("an adapter");
        person.recover();
        assert!(person.bytes() == bytes, "{signals:?}");
        person.undo_all();
        assert!(person.bytes() == opened, "{signals:?}");
    }
}

#[test]
fn what_is_left_unsaved_on_purpose_is_kept_for_a_while() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    let store = Store::new(&state);
    let Some(mut person) = Person::with_journal(&state) else {
        return;
    };
    person.turn_an_arm();
    let bytes = person.bytes();
    person.app.key(Key::N, CTRL);
    person.click("Don't save");
    // A new document has its own journal, which is empty.
    assert!(person.bytes() != bytes);
    let sessions = || std::fs::read_dir(state.join("sessions")).map_or(0, |found| found.count());
    for _ in 0..100 {
        if store.dead(true).len() == 1 && sessions() == 1 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!((store.dead(true).len(), sessions()), (1, 1));
    person.looks_for_lost_work();
    person.wait_for("closed without saving");
    person.recover();
    assert!(person.bytes() == bytes);
    assert_eq!(person.steps(), ["Change roll of upper_arm.L"]);
    assert_eq!(store.dead(true), [], "it is open again");

    // Two requests in quick succession don't mean that changes may be lost.
    let asked = |person: &mut Person| {
        let terminations = person.app.world().resource::<Terminations>();
        terminations.requests.fetch_add(2, Relaxed);
        person.app.frames(2);
    };
    asked(&mut person);
    drop(person);
    let mut person = Person::with_journal(&state).expect("an adapter");
    person.wait_for(QUESTION);
    person.key(Key::Escape);
    assert!(!person.sees(QUESTION), "later");
    assert_eq!(store.dead(false).len(), 1);
    person.looks_for_lost_work();
    person.wait_for(QUESTION);
    person.click("Discard");
    person.app.frames(3);
    assert_eq!((store.dead(false).len(), store.dead(true).len()), (0, 1));
}

#[test]
fn two_windows_have_journals_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    let store = Store::new(&state);
    let Some(mut first) = Person::with_journal(&state) else {
        return;
    };
    first.turn_an_arm();
    let bytes = first.bytes();
    let mut second = first.beside(&state);
    std::thread::sleep(Duration::from_millis(300));
    second.app.frames(3);
    assert!(!second.sees(QUESTION), "the first is alive");
    drop(first);
    assert_eq!(store.dead(false).len(), 1);
    // Work that another window has recovered meanwhile is not recovered again.
    second.looks_for_lost_work();
    second.wait_for(QUESTION);
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(20));
        second.app.frames(1);
    }
    let path = store.dead(false)[0].path.clone();
    let held = ossature::edit::journal::store::Folder::lock(&path).expect("it is dead");
    second.key(Key::Enter);
    second.app.frames(3);
    assert_eq!(second.messages().last().map(String::as_str), Some("The session was not recovered"));
    assert!(second.bytes() != bytes);
    drop(held);
    second.looks_for_lost_work();
    second.recover();
    assert!(second.bytes() == bytes);
}

#[test]
fn a_place_where_nothing_can_be_written_is_said_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    std::fs::write(&state, "a file").expect("written");
    let Some(mut person) = Person::with_journal(&state) else {
        return;
    };
    person.turn_an_arm();
    let said = |person: &mut Person| {
        let messages = person.messages();
        messages.iter().filter(|text| *text == "The journal cannot be written").count()
    };
    assert_eq!(said(&mut person), 1);
    assert_eq!(person.steps(), ["Change roll of upper_arm.L"], "editing goes on");
}
