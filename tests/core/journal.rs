//! The journal: programs that are killed while they write it, files that are cut and damaged, folders of several programs.

use crate::editing::{Random, column, scene};
use crate::replay::{act, bytes, opened};
use crate::running::Folder as Temporary;
use ossature::edit::command::{Command, Surface};
use ossature::edit::journal::records::{Record, contents, frame};
use ossature::edit::journal::recovery::{RecoverError, Recovered, recover};
use ossature::edit::journal::store::{Folder, KEPT, Store};
use ossature::edit::journal::writer::Journal;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::io::stamp::Stamp;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Things done in a session that is killed.
const ACTIONS: usize = 300;

/// A session that does so many things, `told` after each time that the journal was written.
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
                journal.settle();
            }
        }
        told(session);
    }
}

/// What must be recovered after so many tellings: a drag that was held is a step.
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

/// Started by the tests below, to be killed.
#[test]
#[ignore = "a part of the tests that kill programs"]
fn child() {
    let variable = |name: &str| std::env::var(format!("OSSATURE_CHILD_{name}")).ok();
    let (Some(state), Some(file)) = (variable("STATE"), variable("FILE")) else {
        return;
    };
    let store = Store::new(state);
    let mut out = std::io::stdout();
    let mut tell = move || out.write_all(b"+").and_then(|()| out.flush()).unwrap();
    match variable("SEED") {
        Some(seed) => {
            let (journal, mut session) = begin(&store, Some(Path::new(&file)));
            let mut journal = Some(journal);
            live(
                seed.parse().unwrap(),
                ACTIONS,
                &mut journal,
                &mut session,
                &mut |_| tell(),
            );
            std::mem::forget(journal);
        }
        None => {
            let found = store.dead(false).pop().unwrap();
            let folder = Folder::lock(&found.path).unwrap();
            let Recovered {
                mut session,
                count,
                end,
                ..
            } = recover(&found.path).unwrap();
            let journal = Journal::resume(&store, folder, &mut session, count, end).unwrap();
            journal.settle();
            tell();
            std::mem::forget(journal);
        }
    }
    // The parent sees that everything was done.
    std::thread::sleep(Duration::from_secs(60));
}

fn start(folder: &Temporary, seed: Option<u64>) -> Child {
    let mut program = std::process::Command::new(std::env::current_exe().unwrap());
    program
        .args([
            "--ignored",
            "--exact",
            "journal::child",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("OSSATURE_CHILD_STATE", folder.path("state"))
        .env("OSSATURE_CHILD_FILE", folder.path("in.js3d"))
        .env_remove("OSSATURE_CHILD_SEED")
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(seed) = seed {
        program.env("OSSATURE_CHILD_SEED", seed.to_string());
    }
    program.spawn().unwrap()
}

/// Kills a child, and counts what it told.
fn kill(mut child: Child) -> usize {
    child.kill().unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    said.matches('+').count()
}

/// Waits until a child has told so many times, and how long that took.
fn wait_for(child: &mut Child, count: usize) -> Duration {
    let start = Instant::now();
    let mut told = 0;
    let mut byte = [0];
    let out = child.stdout.as_mut().unwrap();
    while told < count {
        assert_eq!(out.read(&mut byte).unwrap(), 1, "the child ended");
        told += usize::from(byte[0] == b'+');
    }
    start.elapsed()
}

#[test]
fn a_killed_program_loses_at_most_the_step_it_was_at() {
    let kills: usize = std::env::var("OSSATURE_KILLS").map_or(200, |count| count.parse().unwrap());
    let seeds = [11, 12];
    let states = seeds.map(|seed| expected(seed, ACTIONS));
    let mut random = Random::new(5);
    let mut whole = [Duration::ZERO; 2];
    let mut middle = 0;
    for number in 0..kills {
        let which = number % 2;
        let states = &states[which];
        let folder = Temporary::new();
        folder.write("in.js3d", &scene());
        let store = Store::new(folder.path("state"));
        let mut child = start(&folder, Some(seeds[which]));
        if number < 2 {
            // The first of each is left alone, for its time.
            whole[which] = wait_for(&mut child, states.len() - 1);
            assert!(
                store.dead(false).is_empty(),
                "a session that is alive is not offered"
            );
        } else {
            let longest = whole[which].as_micros() as usize;
            std::thread::sleep(Duration::from_micros(random.below(longest) as u64));
        }
        let told = match number < 2 {
            true => {
                kill(child);
                states.len() - 1
            }
            false => kill(child),
        };
        let found = store.dead(false);
        if found.is_empty() {
            assert_eq!(told, 0, "kill {number}");
            continue;
        }
        let recovered = recover(&found[0].path).unwrap();
        let now = bytes(recovered.session.scene());
        // What was half-written is told, and was no step yet.
        let next = match recovered.loss {
            None => (told + 1).min(states.len() - 1),
            Some(_) => told,
        };
        assert!(
            now == states[told] || now == states[next],
            "kill {number} after {told} tellings"
        );
        middle += usize::from(told > 0 && told < states.len() - 1);
        let mut session = recovered.session;
        while session.undo().is_some() {}
        assert!(
            bytes(session.scene()) == states[0],
            "kill {number}: undo goes back beyond it"
        );
    }
    assert!(middle * 2 > kills, "only {middle} of {kills} were killed at work");
}

#[test]
fn a_program_that_is_killed_while_it_recovers_loses_nothing() {
    let folder = Temporary::new();
    folder.write("in.js3d", &scene());
    let states = expected(13, ACTIONS);
    let mut child = start(&folder, Some(13));
    wait_for(&mut child, 200);
    kill(child);
    let store = Store::new(folder.path("state"));
    let first = bytes(recover(&store.dead(false)[0].path).unwrap().session.scene());
    assert!(states.contains(&first));
    let mut random = Random::new(6);
    for _ in 0..6 {
        let child = start(&folder, None);
        std::thread::sleep(Duration::from_micros(random.below(100_000) as u64));
        kill(child);
        let found = store.dead(false);
        assert_eq!(found.len(), 1);
        let recovered = recover(&found[0].path).unwrap();
        assert!(recovered.loss.is_none() && bytes(recovered.session.scene()) == first);
    }
}

/// A session with a few steps, its journal's records of steps, and the scene after each.
fn small(folder: &Temporary) -> (Store, PathBuf, Vec<Vec<u8>>) {
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let mut states = vec![bytes(session.scene())];
    for bone in 0..4 {
        let mesh = || "Body".to_owned();
        let (radius, pose_deg) = (bone as f32 + 0.37, glam::Vec3::splat(bone as f32 * 7.1 + 3.3));
        session
            .apply(&[Command::SetRadius {
                mesh: mesh(),
                bone,
                radius,
            }])
            .unwrap();
        journal.follow(&mut session, false);
        states.push(bytes(session.scene()));
        session
            .preview(&[Command::SetPose {
                mesh: mesh(),
                bone,
                pose_deg,
            }])
            .unwrap();
        session.commit();
        journal.follow(&mut session, false);
        states.push(bytes(session.scene()));
    }
    session.undo();
    journal.follow(&mut session, false);
    states.push(bytes(session.scene()));
    journal.settle();
    (store, journal.folder().to_owned(), states)
}

#[test]
fn a_journal_that_is_cut_or_damaged_anywhere_gives_what_is_before() {
    let folder = Temporary::new();
    let (_, path, states) = small(&folder);
    let journal = path.join("journal");
    let whole = std::fs::read(&journal).unwrap();
    let is_steps = |content: &[u8]| matches!(serde_json::from_slice(content), Ok(Record::Steps(_)));
    let ends: Vec<(bool, usize)> = contents(&whole)
        .map(|(content, end)| (is_steps(content), end))
        .collect();
    let steps_before = |at: usize| ends.iter().filter(|(steps, end)| *steps && *end <= at).count();
    assert_eq!(steps_before(whole.len()), states.len() - 1);
    let mut damaged = 0;
    for at in 0..whole.len() {
        for flip in [None, Some(1 << (at % 8))] {
            let mut bytes = whole.clone();
            match flip {
                None => bytes.truncate(at),
                Some(bit) => bytes[at] ^= bit,
            }
            std::fs::write(&journal, &bytes).unwrap();
            let left = steps_before(at);
            match recover(&path) {
                Ok(recovered) => {
                    assert_eq!(recovered.count, left, "{at}, {flip:?}");
                    let found = js3d::write(recovered.session.scene()).unwrap();
                    assert!(found == states[left], "{at}, {flip:?}");
                    let clean = flip.is_none() && ends.iter().any(|(_, end)| *end == at);
                    assert_eq!(recovered.loss.is_none(), clean, "{at}, {flip:?}");
                    damaged += usize::from(!clean);
                }
                Err(error) => assert!(
                    matches!(error, RecoverError::Head) && at < ends[0].1,
                    "{at}: {error}"
                ),
            }
        }
    }
    assert!(damaged > whole.len());
    assert_eq!(ends[0].1, contents(&whole).next().unwrap().1);
}

/// Writes a journal anew, with its records changed.
fn rewrite(path: &Path, mut change: impl FnMut(&mut Record)) {
    let journal = path.join("journal");
    let bytes = std::fs::read(&journal).unwrap();
    let records = contents(&bytes).map(|(content, _)| {
        let mut record = serde_json::from_slice(content).unwrap();
        change(&mut record);
        frame(&serde_json::to_vec(&record).unwrap())
    });
    std::fs::write(&journal, records.collect::<Vec<_>>().concat()).unwrap();
}

#[test]
fn a_scene_that_comes_out_otherwise_is_not_trusted() {
    let folder = Temporary::new();
    let (store, path, states) = small(&folder);
    rewrite(&path, |record| {
        if let Record::Scene { hash, .. } = record {
            *hash = "0".repeat(16);
        }
    });
    let recovered = recover(&path).unwrap();
    assert!(recovered.loss.unwrap().contains("came out otherwise"));
    assert!(recovered.count == states.len() - 2);
    assert!(bytes(recovered.session.scene()) == states[recovered.count]);
    // Another program wrote it, and no snapshot was taken.
    rewrite(&path, |record| {
        if let Record::Head(head) = record {
            head.format += 1;
        }
    });
    assert!(matches!(recover(&path), Err(RecoverError::Base(_))));
    assert_eq!(store.dead(false).len(), 1);
}

#[test]
fn snapshots_stand_in_for_what_cannot_be_carried_out() {
    let folder = Temporary::new();
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let mut states = vec![bytes(session.scene())];
    for number in 0..650 {
        let (mesh, radius) = ("Body".to_owned(), number as f32 + 0.25);
        session
            .apply(&[Command::SetRadius {
                mesh,
                bone: 1,
                radius,
            }])
            .unwrap();
        journal.follow(&mut session, false);
        states.push(bytes(session.scene()));
        if number % 210 == 209 {
            journal.settle();
        }
    }
    journal.settle();
    let path = journal.folder().to_owned();
    drop(journal);
    let names = std::fs::read_dir(&path)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name());
    let number = |name: String| {
        name.strip_prefix("snapshot-")?
            .strip_suffix(".js3d")?
            .parse::<usize>()
            .ok()
    };
    let taken: Vec<usize> = names
        .filter_map(|name| number(name.into_string().unwrap()))
        .collect();
    assert_eq!(taken.len(), 2, "the last two are kept");
    let last = taken[0].max(taken[1]);
    assert!(last > 420, "{last}");
    let recovered = recover(&path).unwrap();
    assert!(recovered.loss.is_none() && bytes(recovered.session.scene()) == states[650]);
    assert_eq!(recovered.session.undo_list().count(), 650);
    for damage in ["format", "base"] {
        match damage {
            "format" => rewrite(&path, |record| {
                if let Record::Head(head) = record {
                    head.format += 1;
                }
            }),
            _ => std::fs::remove_file(path.join("base.js3d")).unwrap(),
        }
        let recovered = recover(&path).unwrap();
        let said = format!(
            "a snapshot, without undo, and the {} steps after it are lost",
            650 - last
        );
        let loss = recovered.loss.unwrap();
        assert!(loss.contains(&said), "{loss}");
        assert!(bytes(recovered.session.scene()) == states[last]);
    }
}

#[test]
fn long_records_lie_in_files_of_their_own_and_keep_their_place() {
    let folder = Temporary::new();
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let radius = |radius: f32| Command::SetRadius {
        mesh: "Body".into(),
        bone: 1,
        radius,
    };
    let long = Command::AddMesh {
        name: "Tower".into(),
        surface: Surface::Built(Arc::new(column(2000))),
        skinned: false,
    };
    for command in [radius(3.0), long, radius(4.0), radius(5.0)] {
        session.apply(&[command]).unwrap();
        journal.follow(&mut session, false);
    }
    journal.settle();
    assert_eq!(journal.trouble(), None);
    let path = journal.folder().to_owned();
    let recovered = recover(&path).unwrap();
    assert!(recovered.loss.is_none() && bytes(recovered.session.scene()) == bytes(session.scene()));
    let files = std::fs::read_dir(&path)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let long: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|of| of == "json"))
        .collect();
    assert_eq!(long.len(), 1);
    let mut content = std::fs::read(&long[0]).unwrap();
    assert!(content.len() > 64 << 10 && std::fs::metadata(path.join("journal")).unwrap().len() < 64 << 10);
    content[1000] ^= 1;
    std::fs::write(&long[0], content).unwrap();
    let recovered = recover(&path).unwrap();
    assert_eq!(
        recovered.session.scene().skinned_meshes["Body"].skeleton.bones[1].radius,
        3.0
    );
    assert!(
        recovered
            .loss
            .unwrap()
            .starts_with("the last 3 steps are lost: the file")
    );
}

#[test]
fn sessions_are_locked_listed_discarded_and_removed() {
    let folder = Temporary::new();
    let (store, path, states) = small(&folder);
    // `small` has ended, a second session goes on.
    let (mut other, mut session) = begin(&store, None);
    assert_eq!(
        Folder::lock(other.folder()).unwrap_err().kind(),
        std::io::ErrorKind::WouldBlock
    );
    let found = store.dead(false);
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].path, found[0].unsaved), (&path, states.len() - 1));
    assert!(found[0].labels[1].starts_with("Rotate "), "{:?}", found[0].labels);
    session
        .apply(&[Command::AddBone {
            mesh: "Body".into(),
            parent: None,
            extent: glam::Vec3::X,
            radius: 1.0,
        }])
        .unwrap();
    session.saved_as("saved.js3d".into());
    session.undo();
    other.follow(&mut session, false);
    let other_path = other.folder().to_owned();
    drop(other);
    assert_eq!(store.dead(false).len(), 2);
    let recovered = recover(&other_path).unwrap().session;
    assert!(recovered.is_modified() && recovered.path() == Some(Path::new("saved.js3d")));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    store.discard(&Folder::lock(&path).unwrap()).unwrap();
    assert_eq!((store.dead(false).len(), store.dead(true).len()), (1, 1));
    let now = SystemTime::now();
    store.tidy(now + KEPT - Duration::from_secs(60));
    let discarded = store.dead(true);
    assert!(bytes(recover(&discarded[0].path).unwrap().session.scene()) == *states.last().unwrap());
    store.tidy(now + KEPT + Duration::from_secs(60));
    assert_eq!((store.dead(false).len(), store.dead(true).len()), (1, 0));
    let (journal, _) = begin(&store, None);
    journal.remove().unwrap();
    assert_eq!(store.dead(false).len(), 1);
    // A place where nothing can be written.
    std::fs::write(folder.path("file"), "").unwrap();
    let nowhere = Store::new(folder.path("file"));
    assert!(Journal::begin(&nowhere, &opened(), None).is_err());
    assert!(nowhere.dead(false).is_empty());
}

#[test]
fn the_program_lists_recovers_and_tells_sessions() {
    let folder = Temporary::new();
    let (store, path, states) = small(&folder);
    let run = |arguments: &[&str]| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_ossature"));
        let output = program
            .args(arguments)
            .env("OSSATURE_STATE", folder.path("state"))
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let id = path.file_name().unwrap().to_str().unwrap();
    let (status, listed, _) = run(&["recover"]);
    assert!(
        status == Some(0) && listed.contains(id) && listed.contains("9 steps since"),
        "{listed}"
    );
    let json: serde_json::Value = serde_json::from_str(&run(&["recover", "--json"]).1).unwrap();
    assert_eq!(
        (&json[0]["session"], &json[0]["unsaved_steps"]),
        (&id.into(), &9.into())
    );
    let out = folder.out("out.js3d");
    assert_eq!(
        run(&["recover", id, "-o", &out]),
        (Some(0), String::new(), String::new())
    );
    assert!(std::fs::read(&out).unwrap() == *states.last().unwrap());
    let (script, base) = (folder.out("steps.jsonl"), folder.out("base.js3d"));
    assert_eq!(run(&["history", id, "-o", &script, "--base", &base]).0, Some(0));
    assert_eq!(run(&["run", &script, &base, "-o", &out, "--force"]).0, Some(0));
    assert!(std::fs::read(&out).unwrap() == *states.last().unwrap());
    assert!(run(&["history", id]).1.contains(r#""bone":"Mid""#));
    assert!(
        run(&["history", id, "-o", &script])
            .2
            .contains("is there already")
    );
    assert!(
        run(&["recover", "nobody", "-o", &out])
            .2
            .contains("no session is called “nobody”")
    );
    assert_eq!(run(&["recover", id, "--discard"]).0, Some(0));
    assert_eq!(run(&["recover"]).1, "no sessions\n");
    assert!(run(&["recover", "--discarded"]).1.contains(id));
    assert!(
        run(&["recover", id, "--discard"])
            .2
            .contains("was discarded already")
    );
    assert_eq!(store.dead(true).len(), 1);
}
