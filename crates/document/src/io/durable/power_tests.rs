//! Power failures during a save: whatever the disk had not been told to sync may be lost or garbage.

use super::*;
use crate::testing::Random;
use crate::testing::Recording;
use std::fs::File;
use std::ops::Range;

const OLD: &[u8] = b"the old file, which was there for years";
/// The number of tries after each operation of a save.
const TRIES: usize = 300;

/// The states of the disk that a save may leave.
#[derive(Debug, Default, PartialEq)]
struct Outcomes {
    disks: usize,
    /// Disks with neither the old file nor the new one.
    broken: usize,
    /// Disks without the new file although the save had returned.
    forgotten: usize,
}

fn new() -> Vec<u8> {
    let mut random = Random::new(99);
    (0..3 * 512 + 77).map(|_| random.below(256) as u8).collect()
}

/// Saves once, and inspects the disks that power failures might leave.
fn try_out(save_once: &dyn Fn(&Path, &[u8])) -> Outcomes {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |name: &str| folder.path().join(name);
    fs::write(path_of("scene.js3d"), OLD).unwrap();
    fs::write(path_of("other.js3d"), b"beside it").unwrap();
    let recording = Recording::new(folder.path());
    save_once(&path_of("scene.js3d"), &new());
    recording.assert_complete();
    let all = recording.count();
    let mut found = Outcomes::default();
    for (done, moment) in recording.moments().iter().enumerate() {
        for seed in 0..TRIES {
            let mut random = Random::new((done * TRIES + seed) as u64);
            let disk = tempfile::tempdir().unwrap();
            moment.cut_power(&mut random, disk.path());
            let path = disk.path().join("scene.js3d");
            let left = fs::read(&path).ok();
            found.disks += 1;
            found.forgotten += usize::from(done == all && left.as_ref() != Some(&new()));
            found.broken += usize::from(left.as_deref() != Some(OLD) && left.as_ref() != Some(&new()));
            assert_eq!(fs::read(disk.path().join("other.js3d")).unwrap(), b"beside it");
            // The next save works, and removes the remains of this one.
            if seed % 10 == 0 {
                save(&path, b"saved again").unwrap();
                let entries = fs::read_dir(disk.path()).unwrap();
                assert_eq!(entries.count(), 2, "after {done} operations, try {seed}");
                assert_eq!(fs::read(&path).unwrap(), b"saved again");
            }
        }
    }
    found
}

fn temporary(path: &Path) -> NamedTempFile {
    leftovers::create(path.parent().unwrap()).unwrap()
}

#[test]
fn a_power_cut_leaves_the_old_file_or_the_new_one() {
    let found = try_out(&|path, bytes| drop(save(path, bytes).unwrap()));
    // After each of five operations, and before the first.
    let disks = 6 * TRIES;
    assert_eq!(found, Outcomes { disks, broken: 0, forgotten: 0 });
    // A film is written under another name, then renamed.
    let found = try_out(&|path, bytes| {
        let film = AtomicFile::new(path).unwrap();
        disk::append(&film.writer().unwrap(), film.path(), bytes).unwrap();
        film.commit().unwrap();
    });
    assert_eq!((found.broken, found.forgotten), (0, 0));
}

/// Savers with known faults: a test that misses these would miss real faults too.
#[test]
fn savers_that_are_not_durable_are_found_out() {
    let within = |found: usize, range: Range<usize>| assert!(range.contains(&found), "{found} of {range:?}");
    // Overwrites the old file, as most programs do.
    let naive = try_out(&|path, bytes| {
        let file = File::options().write(true).open(path).unwrap();
        disk::truncate(&file, path, 0).unwrap();
        disk::append(&file, path, bytes).unwrap();
        disk::sync(&file, path).unwrap();
    });
    within(naive.broken, TRIES / 2..naive.disks);
    assert_eq!(naive.forgotten, 0);
    // Renames before the content is on the disk.
    let hasty = try_out(&|path, bytes| {
        let temporary = temporary(path);
        disk::append(temporary.as_file(), temporary.path(), bytes).unwrap();
        disk::rename(temporary, path).unwrap();
        disk::sync_folder(path.parent().unwrap()).unwrap();
    });
    within(hasty.broken, TRIES / 4..hasty.disks);
    // Does not wait for the new name.
    let forgetful = try_out(&|path, bytes| {
        let temporary = temporary(path);
        disk::append(temporary.as_file(), temporary.path(), bytes).unwrap();
        disk::sync(temporary.as_file(), temporary.path()).unwrap();
        disk::rename(temporary, path).unwrap();
    });
    assert_eq!(forgetful.broken, 0);
    within(forgetful.forgotten, TRIES / 8..TRIES);
}
