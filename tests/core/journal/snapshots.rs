//! Snapshots: what they replace, even after damage, and what is not mistaken for one.

use super::damage::rewrite;
use super::*;

/// Performs steps, waits for the disk after every 210, and returns the scene after each.
fn work(journal: &mut Journal, session: &mut Session, steps: usize) -> Vec<Vec<u8>> {
    let change = |number: usize| {
        let (mesh, radius) = ("Body".to_owned(), number as f32 + 0.25);
        session.apply(&[Command::set_bone(mesh, 1, "radius", radius)]).unwrap();
        journal.follow(session, false);
        if number % 210 == 209 {
            journal.flush();
        }
        bytes(session.scene())
    };
    (0..steps).map(change).collect()
}

/// Returns a session of 650 steps, and the scene after each number of them.
fn long(folder: &Temporary) -> (Store, PathBuf, Vec<Vec<u8>>) {
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let mut states = vec![bytes(session.scene())];
    states.extend(work(&mut journal, &mut session, 650));
    journal.flush();
    (store, journal.folder().to_owned(), states)
}

/// Returns the step counts of the existing snapshots, and their files.
fn snapshots(folder: &Path) -> Vec<(usize, PathBuf)> {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    let mut found: Vec<_> = files
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let (after, _) = name.strip_prefix("snapshot-")?.split_once('-')?;
            Some((after.parse().ok()?, path))
        })
        .collect();
    found.sort();
    found
}

/// Returns the step counts of the last two.
fn taken(path: &Path) -> [usize; 2] {
    match snapshots(path)[..] {
        [(first, _), (last, _)] => [first, last],
        ref other => panic!("expected two snapshots: {other:?}"),
    }
}

#[test]
fn snapshots_stand_in_for_what_cannot_be_carried_out() {
    let folder = Temporary::new();
    let (_, path, states) = long(&folder);
    let [first, last] = taken(&path);
    assert!(first >= 400 && last - first >= 200, "one after 200 steps");
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
            _ => {
                rewrite(&path, |record| {
                    if let Record::Head(head) = record {
                        head.format -= 1;
                    }
                });
                std::fs::remove_file(path.join("base.js3d")).unwrap();
            }
        }
        let recovered = recover(&path).unwrap();
        let loss = recovered.loss.unwrap();
        let more = recovered.session.undo_list().count();
        match damage {
            // Steps of another version may have another meaning.
            "format" => {
                let lost = 650 - last;
                let said =
                    format!("a snapshot of step {last}, without undo, and the last {lost} steps are lost");
                assert!(loss.contains(&said), "{loss}");
                assert!(more == 0 && bytes(recovered.session.scene()) == states[last]);
            }
            _ => {
                let left = 650 - last;
                let said = format!(
                    "a snapshot of step {last}, with the {left} steps after it, but without undo before it: "
                );
                assert!(loss.contains(&said), "{loss}");
                assert!(more == left && bytes(recovered.session.scene()) == states[650]);
                assert!(recovered.session.is_modified());
            }
        }
    }
}

#[test]
fn a_journal_that_is_damaged_before_a_snapshot_gives_the_snapshot() {
    let folder = Temporary::new();
    let (store, path, states) = long(&folder);
    let [_, last] = taken(&path);
    let journal = path.join("journal");
    let whole = std::fs::read(&journal).unwrap();
    let ends: Vec<(bool, usize)> = contents(&whole)
        .map(|(content, end)| {
            let record = serde_json::from_slice(content).unwrap();
            (matches!(record, Record::Steps(_)), end)
        })
        .collect();
    let (mut snapshot, mut prefix) = (0, 0);
    for at in (ends[0].1..whole.len()).step_by(whole.len() / 40) {
        let boundary = ends.iter().map(|(_, end)| *end).rfind(|end| *end <= at).unwrap();
        for damage in ["a bit", "cut", "cut between records"] {
            let mut bytes = whole.clone();
            match damage {
                "a bit" => bytes[at] ^= 1 << (at % 8),
                "cut" => bytes.truncate(at),
                _ => bytes.truncate(boundary),
            }
            std::fs::write(&journal, &bytes).unwrap();
            let read = ends.iter().filter(|(steps, end)| *steps && *end <= at).count();
            let recovered = recover(&path).unwrap();
            let left = read.max(last);
            assert_eq!(recovered.count, left, "{damage} at {at}");
            assert!(js3d::write(recovered.session.scene()).unwrap() == states[left]);
            if left > read {
                assert!(recovered.session.is_modified() && recovered.session.undo_label().is_none());
                let said = recovered.loss.as_deref().unwrap();
                let begins = format!(
                    "this is a snapshot of step {last}, without undo, and what was done after it is lost: "
                );
                let why = said.strip_prefix(&begins).unwrap();
                let expected = match damage {
                    "a bit" => format!("the journal is damaged after step {read}"),
                    _ => format!("the journal ends after step {read}"),
                };
                assert!(why.starts_with(&expected), "{said}");
                snapshot += 1;
            } else {
                assert_eq!(recovered.session.undo_list().count(), left);
                prefix += 1;
            }
            store.tidy(SystemTime::now());
            assert!(journal.exists());
        }
    }
    assert!(snapshot > 80 && prefix > 1, "{snapshot}, {prefix}");
}

#[test]
fn a_journal_without_its_beginning_gives_the_last_snapshot() {
    let folder = Temporary::new();
    let (store, path, states) = long(&folder);
    let [_, last] = taken(&path);
    let journal = path.join("journal");
    let mut damaged = std::fs::read(&journal).unwrap();
    damaged[30] ^= 1;
    for bytes in [damaged, Vec::new()] {
        std::fs::write(&journal, &bytes).unwrap();
        store.tidy(SystemTime::now());
        let [found] = &store.dead(false)[..] else { panic!("the session is not listed") };
        assert!(!found.is_complete && found.path == path);
        let recovered = recover(&path).unwrap();
        assert!(js3d::write(recovered.session.scene()).unwrap() == states[last]);
        let loss = recovered.loss.unwrap();
        assert!(loss.contains("the beginning of the journal is damaged"), "{loss}");
    }
}

/// Damage to any byte of a snapshot or of the base never yields a scene that did not exist.
#[test]
fn damaged_scenes_are_not_taken_for_what_they_were() {
    let folder = Temporary::new();
    let (_, path, states) = long(&folder);
    let files = [
        (path.join("base.js3d"), true),
        (snapshots(&path)[1].1.clone(), true),
        (snapshots(&path)[0].1.clone(), false),
    ];
    let mut readable = 0;
    // Each stays damaged while the next one is tested.
    for (file, left) in files {
        let whole = std::fs::read(&file).unwrap();
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 3);
            readable += usize::from(js3d::read(&bytes).is_ok());
            std::fs::write(&file, &bytes).unwrap();
            match (recover(&path), left) {
                (Ok(recovered), true) => {
                    // All steps from the last readable snapshot on.
                    assert!(js3d::write(recovered.session.scene()).unwrap() == states[650], "{at}");
                    let loss = recovered.loss.unwrap();
                    assert!(loss.contains("base.js3d of the journal is damaged"), "{loss}");
                }
                (Err(RecoverError::Base(why)), false) => assert!(why.contains("damaged"), "{why}"),
                (other, _) => panic!("{at}: {:?}", other.map(|recovered| recovered.loss)),
            }
        }
    }
    assert!(readable > 100, "too few of the damaged files are readable: {readable}");
}

#[test]
fn a_session_that_is_recovered_again_and_again_keeps_its_last_two_snapshots() {
    let folder = Temporary::new();
    let (store, path, _) = long(&folder);
    let [_, last] = taken(&path);
    // A later, unreadable snapshot, of a lost part of the journal.
    let stale = path.join("snapshot-700-0123456789abcdef.js3d");
    std::fs::write(&stale, "{").unwrap();
    let mut numbers = vec![last];
    for _ in 0..4 {
        let Recovered { mut session, count, end, loss, .. } = recover(&path).unwrap();
        assert_eq!(loss, None);
        let lock = Folder::lock(&path).unwrap();
        let mut journal = Journal::resume(&store, lock, &mut session, count, end).unwrap();
        work(&mut journal, &mut session, 150);
        journal.flush();
        drop(journal);
        assert!(!stale.exists());
        numbers.extend(taken(&path));
    }
    numbers.dedup();
    assert!(numbers[numbers.len() - 1] > 1200, "{numbers:?}");
}
