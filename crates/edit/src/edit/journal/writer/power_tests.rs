//! Power cuts while a journal is written: everything flushed is recovered, and a prefix of what came after
//! it.

use super::Journal;
use crate::edit::command::{Command, Surface};
use crate::edit::journal::recovery::{Recovered, recover};
use crate::edit::journal::store::{Folder, Store};
use crate::edit::session::Session;
use crate::io::{disk, js3d};
use crate::mesh::primitives::uv_sphere;
use crate::testing::Random;
use crate::testing::Recording;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// The number of power cuts to try after each disk operation.
const TRIES: usize = 16;

/// A session with everything that is written to the disk.
struct Life {
    recording: Recording,
    session: Session,
    journal: Option<Journal>,
    /// The serialised scene after each number of step records.
    states: Vec<Vec<u8>>,
    /// For each flush, the number of disk operations and of step records so far.
    flushed: Vec<(usize, usize)>,
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
            "the command changed nothing"
        );
    }

    fn radius(&mut self, radius: f32) {
        self.apply(Command::set_bone("Skinned".into(), 0, "radius", radius));
    }

    fn flush(&mut self) {
        self.journal.as_ref().unwrap().flush();
        self.flushed.push((self.recording.count(), self.states.len() - 1));
    }
}

/// Records a session with short records, a long one and snapshots, then a half-written record, after which a
/// second program continues.
fn record_session(root: &Path) -> Life {
    let store = Store::new(root.join("state"));
    let file = std::fs::read("../../tests/fixtures/js3d/everything.js3d").unwrap();
    let (scene, _) = js3d::read(&file).unwrap();
    // Normalised by saving and opening, as in the editor.
    let (scene, _) = js3d::read(&js3d::write(&scene).unwrap()).unwrap();
    let mut session = Session::new(scene, None);
    let recording = Recording::new(root);
    session.record();
    let journal = Some(Journal::begin(&store, session.scene(), None).unwrap());
    let mut life = Life { recording, session, journal, states: Vec::new(), flushed: Vec::new() };
    life.note();
    for number in 0..106 {
        life.radius(number as f32 + 0.8125);
        if number == 20 {
            let surface = Surface::Built(Arc::new(uv_sphere(1.0, 32, 24).unwrap()));
            life.apply(Command::AddMesh { name: "Ball".into(), surface, skinned: false });
        }
        if [3, 22, 40, 53, 97].contains(&number) {
            life.flush();
        }
    }
    let path = life.journal.take().unwrap().folder().to_owned();
    let journal = std::fs::File::options().append(true).open(path.join("journal")).unwrap();
    disk::append(&journal, &path.join("journal"), &[90, 0, 0, 0, 1, 2]).unwrap();
    let Recovered { mut session, count, end, .. } = recover(&path).unwrap();
    let folder = Folder::lock(&path).unwrap();
    life.journal = Some(Journal::resume(&store, folder, &mut session, count, end).unwrap());
    life.session = session;
    life.note();
    for number in 0..5 {
        life.radius(number as f32 + 0.125);
    }
    life.flush();
    let names: Vec<_> = std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let count_of = |part: &str| names.iter().filter(|name| name.to_string_lossy().contains(part)).count();
    assert_eq!((count_of("snapshot-"), count_of(".json")), (2, 1), "{names:?}");
    life
}

/// The results of recovering from many disks.
#[derive(Default)]
struct Outcome {
    disks: usize,
    /// The number of disks with fewer records than were flushed.
    lost: usize,
    /// Descriptions of disks that were recovered as a scene that never existed.
    wrong: Vec<String>,
}

impl Outcome {
    fn merge(mut self, mut other: Self) -> Self {
        self.disks += other.disks;
        self.lost += other.lost;
        self.wrong.append(&mut other.wrong);
        self
    }
}

/// Cuts the power after every disk operation.
fn cut_power(life: &Life) -> Outcome {
    let moments = life.recording.moments();
    let tries = moments.par_iter().enumerate().map(|(operations, moment)| {
        let flushed = life.flushed.iter().filter(|(count, _)| *count <= operations);
        let flushed = flushed.map(|(_, records)| *records).max();
        let mut outcome = Outcome::default();
        for seed in 0..TRIES {
            let disk = memory_folder();
            let mut random = Random::new((operations * TRIES + seed) as u64);
            moment.cut_power(&mut random, disk.path());
            outcome.disks += 1;
            match recovered_count(&life.states, disk.path()) {
                Ok(records) => outcome.lost += usize::from(records < flushed),
                Err(wrong) => {
                    outcome.wrong.push(format!("after {operations} operations, try {seed}: {wrong}"))
                }
            }
        }
        outcome
    });
    tries.reduce(Outcome::default, Outcome::merge)
}

/// Creates a temporary folder, in memory where possible, for one of thousands of disks.
fn memory_folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Counts the step records that are recovered from a disk; `None` if there is nothing to recover.
fn recovered_count(states: &[Vec<u8>], disk: &Path) -> Result<Option<usize>, String> {
    let found = Store::new(disk.join("state")).dead(false);
    let Some(Ok(recovered)) = found.first().map(|found| recover(&found.path)) else {
        return Ok(None);
    };
    let (scene, count) = (js3d::write(recovered.session.scene()).unwrap(), recovered.count);
    if states.get(count) == Some(&scene) {
        Ok(Some(count))
    } else {
        Err(format!("{count} as {:?}", states.iter().position(|state| *state == scene)))
    }
}

#[test]
fn a_power_cut_preserves_what_was_flushed_and_yields_no_wrong_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut life = record_session(folder.path());
    life.recording.assert_complete();
    let found = cut_power(&life);
    assert_eq!((found.lost, found.wrong), (0, Vec::new()), "{} disks", found.disks);
    assert!(found.disks > 2000, "{}", found.disks);
    // Without syncs, the same test would lose data.
    life.recording.forget_syncs();
    let found = cut_power(&life);
    assert!(found.lost > found.disks / 2, "{} of {}", found.lost, found.disks);
}
