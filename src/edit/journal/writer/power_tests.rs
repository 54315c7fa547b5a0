//! Power cuts while a journal is written: what was settled is recovered, and of what came behind it a beginning.

use super::Journal;
use crate::edit::command::{Command, Surface};
use crate::edit::journal::recovery::{Recovered, recover};
use crate::edit::journal::store::{Folder, Store};
use crate::edit::session::Session;
use crate::io::disk::crash::Recording;
use crate::io::{disk, js3d};
use crate::math::testing::Random;
use crate::mesh::primitives::uv_sphere;
use std::sync::Arc;

/// Tries behind each thing that is done to the disk.
const TRIES: usize = 6;

/// A session as it goes on.
struct Life {
    recording: Recording,
    session: Session,
    journal: Option<Journal>,
    /// The scene after so many records of steps.
    states: Vec<Vec<u8>>,
    /// Things done to the disk when so many records of steps were settled.
    settled: Vec<(usize, usize)>,
}

impl Life {
    fn note(&mut self) {
        self.states.push(js3d::write(self.session.scene()).unwrap());
    }

    fn apply(&mut self, command: Command) {
        self.session.apply(&[command]).unwrap();
        self.journal.as_mut().unwrap().follow(&mut self.session, false);
        self.note();
        assert_ne!(
            self.states[self.states.len() - 2],
            self.states[self.states.len() - 1],
            "a step"
        );
    }

    fn radius(&mut self, radius: f32) {
        self.apply(Command::SetRadius {
            mesh: "Skinned".into(),
            bone: 0,
            radius,
        });
    }

    fn settle(&mut self) {
        self.journal.as_ref().unwrap().settle();
        self.settled.push((self.recording.count(), self.states.len() - 1));
    }
}

/// Short records, a long one, snapshots; then a half-written record and the program that goes on behind it.
fn live(root: &std::path::Path) -> Life {
    let store = Store::new(root.join("state"));
    let file = std::fs::read("tests/fixtures/js3d/everything.js3d").unwrap();
    let (scene, _) = js3d::read(&file).unwrap();
    // As a program opens what it has saved.
    let (scene, _) = js3d::read(&js3d::write(&scene).unwrap()).unwrap();
    let mut session = Session::new(scene, None);
    let recording = Recording::new(root);
    session.record();
    let journal = Some(Journal::begin(&store, session.scene(), None).unwrap());
    let mut life = Life {
        recording,
        session,
        journal,
        states: Vec::new(),
        settled: Vec::new(),
    };
    life.note();
    for number in 0..410 {
        life.radius(number as f32 + 0.8125);
        if number == 20 {
            let surface = Surface::Built(Arc::new(uv_sphere(1.0, 32, 24).unwrap()));
            life.apply(Command::AddMesh {
                name: "Ball".into(),
                surface,
                skinned: false,
            });
        }
        if [3, 22, 40, 203, 390].contains(&number) {
            life.settle();
        }
    }
    let path = life.journal.take().unwrap().folder().to_owned();
    let journal = std::fs::File::options()
        .append(true)
        .open(path.join("journal"))
        .unwrap();
    disk::append(&journal, &path.join("journal"), &[90, 0, 0, 0, 1, 2]).unwrap();
    let Recovered {
        mut session,
        count,
        end,
        ..
    } = recover(&path).unwrap();
    let folder = Folder::lock(&path).unwrap();
    life.journal = Some(Journal::resume(&store, folder, &mut session, count, end).unwrap());
    life.session = session;
    life.note();
    for number in 0..5 {
        life.radius(number as f32 + 0.125);
    }
    life.settle();
    let names: Vec<_> = std::fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    let are = |what: &str| {
        names
            .iter()
            .filter(|name| name.to_string_lossy().contains(what))
            .count()
    };
    assert_eq!((are("snapshot-"), are(".json")), (2, 1), "{names:?}");
    life
}

/// Disks that hold less than what was settled, of all.
fn losses(life: &Life) -> (usize, usize) {
    let done = life.recording.count();
    let (mut lost, mut all) = (0, 0);
    for behind in 0..=done {
        let settled = life
            .settled
            .iter()
            .filter(|(count, _)| *count <= behind)
            .map(|(_, records)| *records)
            .max();
        for seed in 0..TRIES {
            let disk = tempfile::tempdir().unwrap();
            let mut random = Random::new((behind * TRIES + seed) as u64);
            life.recording.disk_after(behind, &mut random, disk.path());
            all += 1;
            let found = Store::new(disk.path().join("state")).dead(false);
            let recovered = found.first().map(|found| recover(&found.path));
            let records = match recovered {
                Some(Ok(recovered)) => {
                    let scene = js3d::write(recovered.session.scene()).unwrap();
                    let found = life.states.iter().position(|state| *state == scene);
                    let count = recovered.count;
                    assert!(
                        life.states.get(count) == Some(&scene),
                        "behind {behind}, try {seed}: {count} as {found:?}"
                    );
                    Some(recovered.count)
                }
                _ => None,
            };
            lost += usize::from(records < settled);
        }
    }
    (lost, all)
}

#[test]
fn a_power_cut_leaves_what_was_settled_and_no_wrong_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut life = live(folder.path());
    life.recording.assert_complete();
    let (lost, all) = losses(&life);
    assert!(lost == 0 && all > 2000, "{lost} of {all}");
    // Without waiting for the disk the same would not do.
    life.recording.forget_syncs();
    let (lost, all) = losses(&life);
    assert!(lost > all / 2, "{lost} of {all}");
}
