//! Truncated and damaged journals.

use super::*;

#[test]
fn a_journal_that_is_cut_or_damaged_anywhere_gives_what_is_before() {
    let folder = Temporary::new();
    let (store, path, states) = small(&folder);
    let journal = path.join("journal");
    let whole = std::fs::read(&journal).unwrap();
    let is_steps = |content: &[u8]| matches!(serde_json::from_slice(content), Ok(Record::Steps(_)));
    let ends: Vec<(bool, usize)> = contents(&whole).map(|(content, end)| (is_steps(content), end)).collect();
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
            // An unreadable journal is not deleted, nor is anything after the damage.
            if left > 0 || ends.iter().all(|(_, end)| *end != at) || flip.is_some() {
                store.tidy(SystemTime::now());
                assert!(journal.exists(), "{at}, {flip:?}");
            }
            match recover(&path) {
                Ok(recovered) => {
                    assert_eq!(recovered.count, left, "{at}, {flip:?}");
                    let found = js3d::write(recovered.session.scene()).unwrap();
                    assert!(found == states[left], "{at}, {flip:?}");
                    let clean = flip.is_none() && ends.iter().any(|(_, end)| *end == at);
                    // A truncated record was being written; a flipped bit means damage.
                    assert_eq!(recovered.unfinished, flip.is_none() && !clean, "{at}, {flip:?}");
                    assert_eq!(recovered.loss.is_some(), flip.is_some(), "{at}, {flip:?}");
                    let said = recovered.note().unwrap_or_default();
                    assert_eq!(said.is_empty(), clean);
                    assert_eq!(said.contains("was being written"), recovered.unfinished, "{said}");
                    damaged += usize::from(!clean);
                }
                Err(error) => assert!(matches!(error, RecoverError::Head) && at < ends[0].1, "{at}: {error}"),
            }
        }
    }
    assert!(damaged > whole.len());
    assert_eq!(ends[0].1, contents(&whole).next().unwrap().1);
}

/// Rewrites a journal with its records changed.
pub fn rewrite(path: &Path, mut change: impl FnMut(&mut Record)) {
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
        if let Record::Scene { after: 1.., hash } = record {
            *hash = "0".repeat(16);
        }
    });
    let recovered = recover(&path).unwrap();
    assert!(recovered.loss.unwrap().contains("gave a different scene"));
    assert!(recovered.count == states.len() - 2);
    assert!(bytes(recovered.session.scene()) == states[recovered.count]);
    // Written by another program, with no snapshot.
    rewrite(&path, |record| {
        if let Record::Head(head) = record {
            head.format += 1;
        }
    });
    assert!(matches!(recover(&path), Err(RecoverError::Base(_))));
    dead(&store, false, 1);
}

/// A base that is readable but altered is not mistaken for the session's initial scene.
#[test]
fn a_damaged_base_is_noticed() {
    let folder = Temporary::new();
    let file = folder.write("scene.js3d", &opened());
    let store = Store::new(folder.path("state"));
    for known in [None, Some(Path::new(&file))] {
        let (mut journal, mut session) = begin(&store, known);
        let mesh = "Body".to_owned();
        let command = Command::set_bone(mesh, 1, "radius", 7.5);
        session.apply(&[command]).unwrap();
        journal.follow(&mut session, false);
        journal.flush();
        let path = journal.folder().to_owned();
        drop(journal);
        let base = path.join("base.js3d");
        let text = std::fs::read_to_string(&base).unwrap();
        let other = text.replacen("\"radius\":", "\"radius\":1", 1);
        assert!(other != text && js3d::read(other.as_bytes()).is_ok());
        std::fs::write(&base, other).unwrap();
        match (recover(&path), known) {
            (Err(RecoverError::Base(why)), None) => assert!(why.contains("damaged"), "{why}"),
            // The opened file is unchanged.
            (Ok(recovered), Some(_)) => {
                assert!(
                    recovered.loss.is_none() && bytes(recovered.session.scene()) == bytes(session.scene())
                );
            }
            (other, _) => panic!("{:?}", other.map(|recovered| recovered.loss)),
        }
    }
}

#[test]
fn long_records_lie_in_files_of_their_own_and_keep_their_place() {
    let folder = Temporary::new();
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let radius = |radius: f32| Command::set_bone("Body".into(), 1, "radius", radius);
    let long = Command::AddMesh {
        name: "Tower".into(),
        surface: Surface::Built(Arc::new(column(2000))),
        skinned: false,
    };
    for command in [radius(3.0), long, radius(4.0), radius(5.0)] {
        session.apply(&[command]).unwrap();
        journal.follow(&mut session, false);
    }
    journal.flush();
    assert_eq!(journal.error(), None);
    let path = journal.folder().to_owned();
    let recovered = recover(&path).unwrap();
    assert!(recovered.loss.is_none() && bytes(recovered.session.scene()) == bytes(session.scene()));
    let files = std::fs::read_dir(&path).unwrap().flatten().map(|entry| entry.path());
    let long: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|of| of == "json")).collect();
    assert_eq!(long.len(), 1);
    let mut content = std::fs::read(&long[0]).unwrap();
    assert!(content.len() > 64 << 10 && std::fs::metadata(path.join("journal")).unwrap().len() < 64 << 10);
    content[1000] ^= 1;
    std::fs::write(&long[0], content).unwrap();
    let recovered = recover(&path).unwrap();
    assert_eq!(recovered.session.scene().skinned_meshes["Body"].skeleton.bones[1].radius, 3.0);
    assert!(recovered.loss.unwrap().starts_with("the last 3 steps are lost: the file"));
}

/// Of many recorded hashes, the first that differs is found.
#[test]
fn what_comes_out_otherwise_from_some_step_on_is_kept_up_to_it() {
    let folder = Temporary::new();
    let store = Store::new(folder.path("state"));
    let (mut journal, mut session) = begin(&store, None);
    let mut states = vec![bytes(session.scene())];
    for step in 1..40 {
        let (mesh, radius) = ("Body".to_owned(), step as f32);
        let command = Command::set_bone(mesh, 1, "radius", radius);
        session.apply(&[command]).unwrap();
        journal.follow(&mut session, false);
        journal.flush();
        states.push(bytes(session.scene()));
    }
    let path = journal.folder().to_owned();
    drop(journal);
    let whole = std::fs::read(path.join("journal")).unwrap();
    for first in [1, 2, 17, 39] {
        std::fs::write(path.join("journal"), &whole).unwrap();
        rewrite(&path, |record| match record {
            Record::Scene { after, hash } if *after >= first => *hash = "0".repeat(16),
            _ => {}
        });
        let recovered = recover(&path).unwrap();
        assert_eq!(recovered.count, first - 1);
        assert!(bytes(recovered.session.scene()) == states[first - 1]);
        let loss = recovered.loss.unwrap();
        assert!(loss.contains(&format!("replaying step {first} gave")), "{loss}");
    }
}
