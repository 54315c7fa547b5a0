//! The journal: killed programs, truncated and damaged files, folders of several programs.

mod damage;
mod kills;
mod snapshots;

use crate::editing::{Random, column, scene};
use crate::replay::{act, bytes, opened};
use crate::running::Folder as Temporary;
use ossature::edit::command::{Command, Surface};
use ossature::edit::journal::records::{Record, contents, frame};
use ossature::edit::journal::recovery::{RecoverError, Recovered, recover};
use ossature::edit::journal::store::{DeadSession, Folder, RETENTION, Store};
use ossature::edit::journal::writer::Journal;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::io::stamp::Stamp;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The number of actions in a session that is killed.
const ACTIONS: usize = 300;

/// Performs random actions, and calls `told` each time the journal was written.
fn live(
    seed: u64,
    actions: usize,
    journal: &mut Option<Journal>,
    session: &mut Session,
    told: &mut dyn FnMut(&Session),
) {
    let mut random = Random::new(seed);
    for at in 0..actions {
        act(&mut random, session, &mut |session| {
            if let Some(journal) = journal {
                journal.follow(session, true);
            }
            told(session);
        });
        if let Some(journal) = journal {
            journal.follow(session, false);
            if at % 50 == 49 {
                journal.flush();
            }
        }
        told(session);
    }
}

/// Waits for `count` sessions: until it executes, a program that another test starts holds copies of open
/// files with their locks.
fn dead(store: &Store, discarded: bool, count: usize) -> Vec<DeadSession> {
    let mut found = store.dead(discarded);
    for _ in 0..100 {
        if found.len() == count {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
        found = store.dead(discarded);
    }
    assert_eq!(found.len(), count);
    found
}

/// Returns the scene that must be recovered after each call of `told`: a drag in progress is a step.
fn expected(seed: u64, actions: usize) -> Vec<Vec<u8>> {
    let mut session = Session::new(opened(), None);
    let mut states = vec![bytes(session.scene())];
    live(seed, actions, &mut None, &mut session, &mut |session| {
        let mut ended = session.clone();
        ended.commit();
        states.push(bytes(ended.scene()));
    });
    states
}

fn begin(store: &Store, file: Option<&Path>) -> (Journal, Session) {
    let mut session = match file {
        Some(path) => Session::new(js3d::read_file(path).unwrap().0, Some(path.to_owned())),
        None => Session::new(opened(), None),
    };
    let stamp = file.map(|path| (path, Stamp::from_bytes(&std::fs::read(path).unwrap())));
    session.record();
    let journal = Journal::begin(store, session.scene(), stamp).unwrap();
    (journal, session)
}

/// Returns a session's store and folder, with a few steps, and the scene after each.
fn small(folder: &Temporary) -> (Store, PathBuf, Vec<Vec<u8>>) {
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let mut states = vec![bytes(session.scene())];
    for bone in 0..4 {
        let mesh = || "Body".to_owned();
        let (radius, pose_deg) = (bone as f32 + 0.37, glam::Vec3::splat(bone as f32 * 7.1 + 3.3));
        session.apply(&[Command::set_bone(mesh(), bone, "radius", radius)]).unwrap();
        journal.follow(&mut session, false);
        states.push(bytes(session.scene()));
        session.preview(&[Command::set_bone(mesh(), bone, "pose", pose_deg)]).unwrap();
        session.commit();
        journal.follow(&mut session, false);
        states.push(bytes(session.scene()));
    }
    session.undo();
    journal.follow(&mut session, false);
    states.push(bytes(session.scene()));
    journal.flush();
    (store, journal.folder().to_owned(), states)
}

#[test]
fn sessions_are_locked_listed_discarded_and_removed() {
    let folder = Temporary::new();
    let (store, path, states) = small(&folder);
    // `small` has ended; a second session continues.
    let (mut other, mut session) = begin(&store, None);
    assert_eq!(Folder::lock(other.folder()).unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    let found = dead(&store, false, 1);
    // The last of eight steps was undone.
    assert_eq!((&found[0].path, found[0].unsaved), (&path, 7));
    assert!(found[0].labels[1].starts_with("Rotate "), "{:?}", found[0].labels);
    session
        .apply(&[Command::AddBone { mesh: "Body".into(), parent: None, extent: glam::Vec3::X, radius: 1.0 }])
        .unwrap();
    session.saved_as("saved.js3d".into());
    session.undo();
    other.follow(&mut session, false);
    let other_path = other.folder().to_owned();
    drop(other);
    dead(&store, false, 2);
    let recovered = recover(&other_path).unwrap().session;
    assert!(recovered.is_modified() && recovered.path() == Some(Path::new("saved.js3d")));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    store.discard(&Folder::lock(&path).unwrap()).unwrap();
    dead(&store, false, 1);
    dead(&store, true, 1);
    let now = SystemTime::now();
    store.tidy(now + RETENTION - Duration::from_secs(60));
    let discarded = dead(&store, true, 1);
    assert!(bytes(recover(&discarded[0].path).unwrap().session.scene()) == *states.last().unwrap());
    store.tidy(now + RETENTION + Duration::from_secs(60));
    dead(&store, false, 1);
    dead(&store, true, 0);
    let (journal, _) = begin(&store, None);
    journal.remove().unwrap();
    dead(&store, false, 1);
    // A path where nothing can be written.
    std::fs::write(folder.path("file"), "").unwrap();
    let nowhere = Store::new(folder.path("file"));
    assert!(Journal::begin(&nowhere, &opened(), None).is_err());
    assert!(nowhere.dead(false).is_empty());
}

/// The path stays correct whatever folder the program starts in next.
#[test]
fn a_recovered_document_knows_where_its_file_is() {
    let folder = Temporary::new();
    let store = Store::new(folder.path("state"));
    let file = Path::new("media/js3d/cylinder.js3d");
    let (journal, _) = begin(&store, Some(file));
    journal.flush();
    let recovered = recover(journal.folder()).unwrap();
    let expected = std::path::absolute(file).unwrap();
    assert_eq!(recovered.session.path(), Some(&*expected));
    assert_eq!(recovered.file().map(|(path, _)| path), Some(expected));
}

#[test]
fn a_journal_whose_folder_is_deleted_says_so() {
    let folder = Temporary::new();
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    journal.flush();
    assert_eq!(journal.error(), None);
    std::fs::remove_dir_all(folder.path("state")).unwrap();
    let (mesh, radius) = ("Body".to_owned(), 2.5);
    let bigger = Command::set_bone(mesh, 1, "radius", radius);
    session.apply(&[bigger]).unwrap();
    journal.follow(&mut session, false);
    journal.flush();
    assert_eq!(journal.error().as_deref(), Some("its folder is gone"));
    // Editing continues.
    assert_eq!(session.undo_list().count(), 1);
}

#[test]
fn the_program_lists_recovers_and_tells_sessions() {
    let folder = Temporary::new();
    let (store, path, states) = small(&folder);
    let run = |arguments: &[&str]| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_ossature"));
        let output = program.args(arguments).env("OSSATURE_STATE", folder.path("state")).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let id = path.file_name().unwrap().to_str().unwrap();
    let (status, listed, _) = run(&["recover"]);
    assert!(status == Some(0) && listed.contains(id) && listed.contains("7 steps since"), "{listed}");
    let json: serde_json::Value = serde_json::from_str(&run(&["recover", "--json"]).1).unwrap();
    assert_eq!((&json[0]["session"], &json[0]["unsaved_steps"]), (&id.into(), &7.into()));
    let out = folder.out("out.js3d");
    assert_eq!(run(&["recover", id, "-o", &out]), (Some(0), String::new(), String::new()));
    assert!(std::fs::read(&out).unwrap() == *states.last().unwrap());
    let (script, base) = (folder.out("steps.jsonl"), folder.out("base.js3d"));
    assert_eq!(run(&["history", id, "-o", &script, "--base", &base]).0, Some(0));
    assert_eq!(run(&["run", &script, &base, "-o", &out, "--force"]).0, Some(0));
    assert!(std::fs::read(&out).unwrap() == *states.last().unwrap());
    assert!(run(&["history", id]).1.contains(r#""bone":"Mid""#));
    assert!(run(&["history", id, "-o", &script]).2.contains("is there already"));
    assert!(run(&["recover", "nobody", "-o", &out]).2.contains("no session is called “nobody”"));
    assert_eq!(run(&["recover", id, "--discard"]).0, Some(0));
    assert_eq!(run(&["recover"]).1, "no sessions\n");
    assert!(run(&["recover", "--discarded"]).1.contains(id));
    assert!(run(&["recover", id, "--discard"]).2.contains("was discarded already"));
    dead(&store, true, 1);
}

#[test]
fn the_program_says_that_the_last_step_was_being_written() {
    let folder = Temporary::new();
    let (_, path, states) = small(&folder);
    let journal = path.join("journal");
    let whole = std::fs::read(&journal).unwrap();
    let ends: Vec<usize> = contents(&whole)
        .filter(|(content, _)| matches!(serde_json::from_slice(content), Ok(Record::Steps(_))))
        .map(|(_, end)| end)
        .collect();
    // The file ends in the middle of the last step.
    std::fs::write(&journal, &whole[..ends[ends.len() - 1] - 5]).unwrap();
    let id = path.file_name().unwrap().to_str().unwrap();
    let out = folder.out("out.js3d");
    for arguments in [&["recover", id, "-o", &out][..], &["history", id]] {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_ossature"));
        let output = program.args(arguments).env("OSSATURE_STATE", folder.path("state")).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let said = String::from_utf8(output.stderr).unwrap();
        let expected =
            "the last step was being written when the program ended; everything before it is there";
        assert!(said.contains(expected) && !said.contains("damaged"), "{said}");
    }
    assert!(std::fs::read(&out).unwrap() == states[states.len() - 2]);
}
