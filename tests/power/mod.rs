//! A simulated disk that loses power. Operations under a folder are recorded; [`Moment::cut_power`] produces
//! a state in which a disk might be if the power failed after any of them. Only what was synced is certain;
//! of the rest, anything may be there:
//!
//! - of names created, moved or removed in a folder since it was synced: any, in their order;
//! - of bytes written to a file since it was synced: any sectors, others as they were, as zeros or as
//!   garbage, and any length between. Synced bytes remain, even in a sector that is written again.

#![allow(dead_code, reason = "each crate uses its part of this")]

use super::random::Random;
use crate::io::disk::{self, Change};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SECTOR: usize = 512;

/// A recorded [`Change`]. Paths are relative to the watched folder.
#[derive(Clone, Debug)]
enum RecordedChange {
    Create(PathBuf),
    CreateFolder(PathBuf),
    Append(PathBuf, Vec<u8>),
    Truncate(PathBuf, usize),
    Sync(PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    SyncFolder(PathBuf),
}

static WATCHED: Mutex<BTreeMap<PathBuf, Vec<RecordedChange>>> = Mutex::new(BTreeMap::new());

fn watched() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<RecordedChange>>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Carries out an operation and records it; if it is under a watched folder, while no other one is carried out:
/// threads that write the same file would otherwise be recorded in another order than they wrote in.
fn record(change: Change<'_>, operation: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
    static ORDER: Mutex<()> = Mutex::new(());
    let (Change::Create(path)
    | Change::CreateFolder(path)
    | Change::Append(path, _)
    | Change::Truncate(path, _)
    | Change::Sync(path)
    | Change::Rename(path, _)
    | Change::Remove(path)
    | Change::SyncFolder(path)) = change;
    let is_watched = watched().keys().any(|root| path.starts_with(root));
    let _order = is_watched.then(|| ORDER.lock().unwrap_or_else(PoisonError::into_inner));
    operation()?;
    store(change, path);
    Ok(())
}

fn store(change: Change<'_>, path: &Path) {
    for (root, changes) in watched().iter_mut() {
        let Ok(path) = path.strip_prefix(root).map(Path::to_owned) else {
            continue;
        };
        changes.push(match change {
            Change::Create(_) => RecordedChange::Create(path),
            Change::CreateFolder(_) => RecordedChange::CreateFolder(path),
            Change::Append(_, bytes) => RecordedChange::Append(path, bytes.to_vec()),
            Change::Truncate(_, length) => RecordedChange::Truncate(path, length as usize),
            Change::Sync(_) => RecordedChange::Sync(path),
            Change::Rename(_, to) => RecordedChange::Rename(path, to.strip_prefix(root).unwrap().to_owned()),
            Change::Remove(_) => RecordedChange::Remove(path),
            Change::SyncFolder(_) => RecordedChange::SyncFolder(path),
        });
    }
}

/// The operations under a folder from now on.
pub struct Recording {
    root: PathBuf,
    before: Disk,
}

impl Recording {
    /// Begins a recording; the present content of the folder is on the disk.
    pub fn new(root: &Path) -> Self {
        disk::watch(record);
        watched().insert(root.to_owned(), Vec::new());
        Self { root: root.to_owned(), before: Disk::read(root) }
    }

    /// The number of recorded operations.
    pub fn count(&self) -> usize {
        watched()[&self.root].len()
    }

    /// Turns all syncs into operations without effect.
    pub fn forget_syncs(&mut self) {
        let mut watched = watched();
        let changes = watched.get_mut(&self.root).unwrap();
        let synced = changes
            .iter_mut()
            .filter(|change| matches!(change, RecordedChange::Sync(_) | RecordedChange::SyncFolder(_)));
        synced.for_each(|change| *change = RecordedChange::SyncFolder("nowhere".into()));
    }

    /// Returns the disk before the first operation and after each one.
    pub fn moments(&self) -> Vec<Moment> {
        let mut disk = self.before.clone();
        let mut moments = vec![Moment(disk.clone())];
        for change in watched()[&self.root].iter().cloned() {
            disk.change(change);
            moments.push(Moment(disk.clone()));
        }
        moments
    }

    /// Asserts that the recording includes all changes.
    pub fn assert_complete(&self) {
        let last = self.moments().pop().map(|Moment(disk)| disk).unwrap_or_default();
        let (found, recorded) = (Disk::read(&self.root), last.without_loss());
        let names = |disk: &Disk| disk.names.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&recorded), "changed without `io::disk`");
        for (path, node) in &found.names {
            let content = |disk: &Disk, node: usize| disk.nodes[node].as_ref().map(|file| file.disk.clone());
            let equal = content(&found, *node) == content(&recorded, recorded.names[path]);
            assert!(equal, "{path:?} was changed without `io::disk`");
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        watched().remove(&self.root);
    }
}

/// A disk after one of the operations.
pub struct Moment(Disk);

impl Moment {
    /// Fills `folder` with a state of the disk that is possible if the power failed then.
    pub fn cut_power(&self, random: &mut Random, folder: &Path) {
        self.0.clone().lose_power(random).write(folder);
    }
}

#[derive(Clone, Default)]
struct Disk {
    /// Files, and folders as `None`.
    nodes: Vec<Option<FileState>>,
    /// The names as programs see them.
    visible: BTreeMap<PathBuf, usize>,
    /// The names as the disk has them.
    names: BTreeMap<PathBuf, usize>,
    /// Changes of names since their folder was synced.
    pending: Vec<NameChange>,
}

#[derive(Clone, Default)]
struct FileState {
    disk: Vec<u8>,
    length: usize,
    pending: Vec<PendingWrite>,
}

#[derive(Clone)]
enum PendingWrite {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

#[derive(Clone)]
struct NameChange {
    removed: Option<PathBuf>,
    added: Option<(PathBuf, usize)>,
}

impl NameChange {
    fn folder(&self) -> &Path {
        let path = self.removed.as_ref().or(self.added.as_ref().map(|(path, _)| path));
        path.and_then(|path| path.parent()).unwrap()
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, usize>) {
        if let Some(removed) = &self.removed {
            names.remove(removed);
        }
        if let Some((path, node)) = &self.added {
            names.insert(path.clone(), *node);
        }
    }
}

impl Disk {
    fn read(root: &Path) -> Self {
        let mut disk = Disk::default();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(root.join(&folder)).unwrap() {
                let path = folder.join(entry.unwrap().file_name());
                let node = if root.join(&path).is_dir() {
                    folders.push(path.clone());
                    None
                } else {
                    let bytes = fs::read(root.join(&path)).unwrap();
                    let length = bytes.len();
                    Some(FileState { disk: bytes, length, pending: Vec::new() })
                };
                disk.names.insert(path, disk.nodes.len());
                disk.nodes.push(node);
            }
        }
        disk.visible = disk.names.clone();
        disk
    }

    fn file(&mut self, path: &Path) -> &mut FileState {
        let node = self.visible[path];
        self.nodes[node].as_mut().unwrap()
    }

    fn rename(&mut self, removed: Option<PathBuf>, added: Option<(PathBuf, usize)>) {
        let change = NameChange { removed, added };
        change.apply(&mut self.visible);
        self.pending.push(change);
    }

    fn change(&mut self, change: RecordedChange) {
        match change {
            RecordedChange::Create(path) => {
                self.nodes.push(Some(FileState::default()));
                self.rename(None, Some((path, self.nodes.len() - 1)));
            }
            RecordedChange::CreateFolder(path) => {
                self.nodes.push(None);
                self.rename(None, Some((path, self.nodes.len() - 1)));
            }
            RecordedChange::Append(path, bytes) => {
                let file = self.file(&path);
                let position = file.length;
                file.length += bytes.len();
                file.pending.push(PendingWrite::Write(position, bytes));
            }
            RecordedChange::Truncate(path, length) => {
                let file = self.file(&path);
                file.length = length;
                file.pending.push(PendingWrite::Truncate(length));
            }
            RecordedChange::Sync(path) => self.file(&path).flush(),
            RecordedChange::Rename(from, to) => {
                let node = self.visible[&from];
                self.rename(Some(from), Some((to, node)));
            }
            RecordedChange::Remove(path) => self.rename(Some(path), None),
            RecordedChange::SyncFolder(folder) => {
                let (done, pending) = std::mem::take(&mut self.pending)
                    .into_iter()
                    .partition(|change| change.folder() == folder);
                self.pending = pending;
                done.iter().for_each(|change: &NameChange| change.apply(&mut self.names));
            }
        }
    }

    fn without_loss(mut self) -> Self {
        self.names = std::mem::take(&mut self.visible);
        self.nodes.iter_mut().flatten().for_each(FileState::flush);
        self
    }

    fn lose_power(mut self, random: &mut Random) -> Self {
        // Sometimes all or nothing, as on most real disks.
        let chance = chances(random);
        for change in std::mem::take(&mut self.pending) {
            if chance(random) {
                change.apply(&mut self.names);
            }
        }
        for file in self.nodes.iter_mut().flatten() {
            file.lose_power(random);
        }
        // The content of a lost folder is lost too.
        let folders: Vec<PathBuf> = self.names.keys().cloned().collect();
        let lost = |path: &Path| {
            let mut above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
            above.any(|above| !folders.iter().any(|folder| folder == above))
        };
        self.names.retain(|path, _| !lost(path));
        self
    }

    fn write(&self, folder: &Path) {
        // Folders come before their content.
        for (path, node) in &self.names {
            let path = folder.join(path);
            match &self.nodes[*node] {
                None => fs::create_dir(path).unwrap(),
                Some(file) => fs::write(path, &file.disk).unwrap(),
            }
        }
    }
}

/// Returns a function that decides whether a change reached the disk: all, none, or some of them.
fn chances(random: &mut Random) -> impl Fn(&mut Random) -> bool + use<> {
    let percent = *random.pick(&[0, 100, 50, 75]);
    move |random| random.chance(percent)
}

impl FileState {
    fn flush(&mut self) {
        for write in std::mem::take(&mut self.pending) {
            match write {
                PendingWrite::Truncate(length) => self.disk.truncate(length),
                PendingWrite::Write(position, bytes) => {
                    assert_eq!(position, self.disk.len());
                    self.disk.extend(bytes);
                }
            }
        }
    }

    fn lose_power(&mut self, random: &mut Random) {
        let chance = chances(random);
        for write in std::mem::take(&mut self.pending) {
            match write {
                PendingWrite::Truncate(length) if chance(random) => self.disk.truncate(length),
                PendingWrite::Truncate(_) => {}
                PendingWrite::Write(mut position, bytes) => {
                    let mut rest = &bytes[..];
                    while !rest.is_empty() {
                        let (sector, after) = rest.split_at(rest.len().min(SECTOR - position % SECTOR));
                        if chance(random) {
                            let end = position + sector.len();
                            self.disk.resize(self.disk.len().max(end), 0);
                            self.disk[position..end].copy_from_slice(sector);
                            // The power failed during the write.
                            if random.chance(6) {
                                self.disk[position..end].fill_with(|| random.below(256) as u8);
                            }
                        }
                        position += sector.len();
                        rest = after;
                    }
                }
            }
        }
    }
}
