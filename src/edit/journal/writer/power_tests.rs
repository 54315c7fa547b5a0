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
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// Tries behind each thing that is done to the disk.
const TRIES: usize = 16;

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
fn live(root: &Path) -> Life {
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
    for number in 0..106 {
        life.radius(number as f32 + 0.8125);
        if number == 20 {
            let surface = Surface::Built(Arc::new(uv_sphere(1.0, 32, 24).unwrap()));
            life.apply(Command::AddMesh {
                name: "Ball".into(),
                surface,
                skinned: false,
            });
        }
        if [3, 22, 40, 53, 97].contains(&number) {
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

/// What disks hold.
#[derive(Default)]
struct Found {
    disks: usize,
    /// Less than what was settled.
    lost: usize,
    /// Recovered as a scene that never was, and where.
    wrong: Vec<String>,
}

impl Found {
    fn with(mut self, mut other: Self) -> Self {
        self.disks += other.disks;
        self.lost += other.lost;
        self.wrong.append(&mut other.wrong);
        self
    }
}

/// Tries power cuts behind everything.
fn cut_power(life: &Life) -> Found {
    let moments = life.recording.moments();
    let tries = moments.par_iter().enumerate().map(|(behind, moment)| {
        let settled = life.settled.iter().filter(|(count, _)| *count <= behind);
        let settled = settled.map(|(_, records)| *records).max();
        let mut found = Found::default();
        for seed in 0..TRIES {
            let disk = in_memory();
            let mut random = Random::new((behind * TRIES + seed) as u64);
            moment.cut_power(&mut random, disk.path());
            found.disks += 1;
            match recovered(&life.states, disk.path()) {
                Ok(records) => found.lost += usize::from(records < settled),
                Err(wrong) => found.wrong.push(format!("behind {behind}, try {seed}: {wrong}")),
            }
        }
        found
    });
    tries.reduce(Found::default, Found::with)
}

/// A folder for one of thousands of disks.
fn in_memory() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// How many records of steps are recovered from a disk, if any.
fn recovered(states: &[Vec<u8>], disk: &Path) -> Result<Option<usize>, String> {
    let found = Store::new(disk.join("state")).dead(false);
    let Some(Ok(recovered)) = found.first().map(|found| recover(&found.path)) else {
        return Ok(None);
    };
    let (scene, count) = (js3d::write(recovered.session.scene()).unwrap(), recovered.count);
    match states.get(count) == Some(&scene) {
        true => Ok(Some(count)),
        false => Err(format!(
            "{count} as {:?}",
            states.iter().position(|state| *state == scene)
        )),
    }
}

#[test]
fn a_power_cut_leaves_what_was_settled_and_no_wrong_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut life = live(folder.path());
    life.recording.assert_complete();
    let found = cut_power(&life);
    assert_eq!(
        (found.lost, found.wrong),
        (0, Vec::new()),
        "{} disks",
        found.disks
    );
    assert!(found.disks > 2000, "{}", found.disks);
    // Without waiting for the disk the same would not do.
    life.recording.forget_syncs();
    let found = cut_power(&life);
    assert!(found.lost > found.disks / 2, "{} of {}", found.lost, found.disks);
}
