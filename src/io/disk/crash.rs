//! Disks that lose power. What is done under a folder is recorded; [`Moment::cut_power`] says what a disk might hold
//! if the power failed behind any of it. Only what was waited for is sure; of the rest anything may be there:
//!
//! - of names that were made, moved or removed in a folder since it was synced: any, in their order;
//! - of bytes written to a file since it was synced: any sectors, others as they were, as zeros or as garbage, and any
//!   length between. Bytes that were synced stay, also in a sector that is written again.

use crate::math::testing::Random;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SECTOR: usize = 512;

/// Something that was done to a disk.
#[derive(Clone, Copy)]
pub enum Change<'a> {
    Create(&'a Path),
    CreateFolder(&'a Path),
    Append(&'a Path, &'a [u8]),
    Cut(&'a Path, u64),
    Sync(&'a Path),
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
    SyncFolder(&'a Path),
}

/// The same, kept. Paths are relative to the folder that is watched.
#[derive(Clone, Debug)]
enum Kept {
    Create(PathBuf),
    CreateFolder(PathBuf),
    Append(PathBuf, Vec<u8>),
    Cut(PathBuf, usize),
    Sync(PathBuf),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
    SyncFolder(PathBuf),
}

static WATCHED: Mutex<BTreeMap<PathBuf, Vec<Kept>>> = Mutex::new(BTreeMap::new());

fn watched() -> MutexGuard<'static, BTreeMap<PathBuf, Vec<Kept>>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Held while something is done under a folder that is watched, and noted: threads that write the same file would else be
/// noted in another order than they wrote in.
pub fn in_order(path: &Path) -> Option<MutexGuard<'static, ()>> {
    static ORDER: Mutex<()> = Mutex::new(());
    let is_watched = watched().keys().any(|root| path.starts_with(root));
    is_watched.then(|| ORDER.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Something was done.
pub fn note(change: Change) {
    use Change::{Append, Create, CreateFolder, Cut, Remove, Rename, Sync, SyncFolder};
    let (Create(path) | CreateFolder(path) | Append(path, _) | Cut(path, _)) = change else {
        let (Sync(path) | Rename(path, _) | Remove(path) | SyncFolder(path)) = change else {
            return;
        };
        return keep(change, path);
    };
    keep(change, path);
}

fn keep(change: Change, path: &Path) {
    for (root, changes) in watched().iter_mut() {
        let Ok(path) = path.strip_prefix(root).map(Path::to_owned) else {
            continue;
        };
        changes.push(match change {
            Change::Create(_) => Kept::Create(path),
            Change::CreateFolder(_) => Kept::CreateFolder(path),
            Change::Append(_, bytes) => Kept::Append(path, bytes.to_vec()),
            Change::Cut(_, length) => Kept::Cut(path, length as usize),
            Change::Sync(_) => Kept::Sync(path),
            Change::Rename(_, to) => Kept::Rename(path, to.strip_prefix(root).unwrap().to_owned()),
            Change::Remove(_) => Kept::Remove(path),
            Change::SyncFolder(_) => Kept::SyncFolder(path),
        });
    }
}

/// What is done under a folder from now on.
pub struct Recording {
    root: PathBuf,
    before: Disk,
}

impl Recording {
    /// What is in the folder is on the disk.
    pub fn new(root: &Path) -> Self {
        watched().insert(root.to_owned(), Vec::new());
        Self {
            root: root.to_owned(),
            before: Disk::read(root),
        }
    }

    /// How many things were done.
    pub fn count(&self) -> usize {
        watched()[&self.root].len()
    }

    /// As if nobody had waited for the disk.
    pub fn forget_syncs(&mut self) {
        let mut watched = watched();
        let changes = watched.get_mut(&self.root).unwrap();
        let synced = changes
            .iter_mut()
            .filter(|change| matches!(change, Kept::Sync(_) | Kept::SyncFolder(_)));
        synced.for_each(|change| *change = Kept::SyncFolder("nowhere".into()));
    }

    /// The disk before any of them and behind each, as it is while there is power.
    pub fn moments(&self) -> Vec<Moment> {
        let mut disk = self.before.clone();
        let mut moments = vec![Moment(disk.clone())];
        for change in watched()[&self.root].iter().cloned() {
            disk.change(change);
            moments.push(Moment(disk.clone()));
        }
        moments
    }

    /// That what was recorded is all that was done.
    pub fn assert_complete(&self) {
        let last = self.moments().pop().map(|Moment(disk)| disk).unwrap_or_default();
        let (found, recorded) = (Disk::read(&self.root), last.without_loss());
        let names = |disk: &Disk| disk.names.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&found), names(&recorded), "done beside `io::disk`");
        for (path, node) in &found.names {
            let content = |disk: &Disk, node: usize| disk.nodes[node].as_ref().map(|file| file.disk.clone());
            let same = content(&found, *node) == content(&recorded, recorded.names[path]);
            assert!(same, "{path:?}");
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        watched().remove(&self.root);
    }
}

/// A disk behind one of the things that were done to it.
pub struct Moment(Disk);

impl Moment {
    /// Makes `folder` what the disk may hold if the power failed then.
    pub fn cut_power(&self, random: &mut Random, folder: &Path) {
        self.0.clone().lose_power(random).write(folder);
    }
}

#[derive(Clone, Default)]
struct Disk {
    /// Files, and folders as `None`.
    nodes: Vec<Option<FileState>>,
    /// As programs see them.
    now: BTreeMap<PathBuf, usize>,
    /// As the disk has them.
    names: BTreeMap<PathBuf, usize>,
    /// Done to names since their folder was synced.
    pending: Vec<Renaming>,
}

#[derive(Clone, Default)]
struct FileState {
    disk: Vec<u8>,
    length: usize,
    pending: Vec<Writing>,
}

#[derive(Clone)]
enum Writing {
    At(usize, Vec<u8>),
    Cut(usize),
}

#[derive(Clone)]
struct Renaming {
    gone: Option<PathBuf>,
    there: Option<(PathBuf, usize)>,
}

impl Renaming {
    fn folder(&self) -> &Path {
        let path = self.gone.as_ref().or(self.there.as_ref().map(|(path, _)| path));
        path.and_then(|path| path.parent()).unwrap()
    }

    fn apply(&self, names: &mut BTreeMap<PathBuf, usize>) {
        if let Some(gone) = &self.gone {
            names.remove(gone);
        }
        if let Some((path, node)) = &self.there {
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
                let node = match root.join(&path).is_dir() {
                    true => {
                        folders.push(path.clone());
                        None
                    }
                    false => {
                        let bytes = fs::read(root.join(&path)).unwrap();
                        let length = bytes.len();
                        Some(FileState {
                            disk: bytes,
                            length,
                            pending: Vec::new(),
                        })
                    }
                };
                disk.names.insert(path, disk.nodes.len());
                disk.nodes.push(node);
            }
        }
        disk.now = disk.names.clone();
        disk
    }

    fn file(&mut self, path: &Path) -> &mut FileState {
        let node = self.now[path];
        self.nodes[node].as_mut().unwrap()
    }

    fn rename(&mut self, gone: Option<PathBuf>, there: Option<(PathBuf, usize)>) {
        let renaming = Renaming { gone, there };
        renaming.apply(&mut self.now);
        self.pending.push(renaming);
    }

    fn change(&mut self, change: Kept) {
        match change {
            Kept::Create(path) => {
                self.nodes.push(Some(FileState::default()));
                self.rename(None, Some((path, self.nodes.len() - 1)));
            }
            Kept::CreateFolder(path) => {
                self.nodes.push(None);
                self.rename(None, Some((path, self.nodes.len() - 1)));
            }
            Kept::Append(path, bytes) => {
                let file = self.file(&path);
                let at = file.length;
                file.length += bytes.len();
                file.pending.push(Writing::At(at, bytes));
            }
            Kept::Cut(path, length) => {
                let file = self.file(&path);
                file.length = length;
                file.pending.push(Writing::Cut(length));
            }
            Kept::Sync(path) => self.file(&path).settle(),
            Kept::Rename(from, to) => {
                let node = self.now[&from];
                self.rename(Some(from), Some((to, node)));
            }
            Kept::Remove(path) => self.rename(Some(path), None),
            Kept::SyncFolder(folder) => {
                let (done, pending) = std::mem::take(&mut self.pending)
                    .into_iter()
                    .partition(|renaming| renaming.folder() == folder);
                self.pending = pending;
                done.iter()
                    .for_each(|renaming: &Renaming| renaming.apply(&mut self.names));
            }
        }
    }

    fn without_loss(mut self) -> Self {
        self.names = std::mem::take(&mut self.now);
        self.nodes.iter_mut().flatten().for_each(FileState::settle);
        self
    }

    fn lose_power(mut self, random: &mut Random) -> Self {
        // Now and then all or nothing, as most real disks do.
        let chance = chances(random);
        for renaming in std::mem::take(&mut self.pending) {
            if chance(random) {
                renaming.apply(&mut self.names);
            }
        }
        for file in self.nodes.iter_mut().flatten() {
            file.lose_power(random);
        }
        // What lies in a folder that is not there is not there either.
        let folders: Vec<PathBuf> = self.names.keys().cloned().collect();
        let lost = |path: &Path| {
            let mut above = path
                .ancestors()
                .skip(1)
                .filter(|above| !above.as_os_str().is_empty());
            above.any(|above| !folders.iter().any(|folder| folder == above))
        };
        self.names.retain(|path, _| !lost(path));
        self
    }

    fn write(&self, folder: &Path) {
        // Folders come before what is in them.
        for (path, node) in &self.names {
            let path = folder.join(path);
            match &self.nodes[*node] {
                None => fs::create_dir(path).unwrap(),
                Some(file) => fs::write(path, &file.disk).unwrap(),
            }
        }
    }
}

/// Whether something got to the disk: all, nothing, or some of it.
fn chances(random: &mut Random) -> impl Fn(&mut Random) -> bool + use<> {
    let percent = *random.pick(&[0, 100, 50, 75]);
    move |random| random.chance(percent)
}

impl FileState {
    fn settle(&mut self) {
        for writing in std::mem::take(&mut self.pending) {
            match writing {
                Writing::Cut(length) => self.disk.truncate(length),
                Writing::At(at, bytes) => {
                    assert_eq!(at, self.disk.len());
                    self.disk.extend(bytes);
                }
            }
        }
    }

    fn lose_power(&mut self, random: &mut Random) {
        let chance = chances(random);
        for writing in std::mem::take(&mut self.pending) {
            match writing {
                Writing::Cut(length) if chance(random) => self.disk.truncate(length),
                Writing::Cut(_) => {}
                Writing::At(mut at, bytes) => {
                    let mut rest = &bytes[..];
                    while !rest.is_empty() {
                        let (sector, behind) = rest.split_at(rest.len().min(SECTOR - at % SECTOR));
                        if chance(random) {
                            let end = at + sector.len();
                            self.disk.resize(self.disk.len().max(end), 0);
                            self.disk[at..end].copy_from_slice(sector);
                            // Power went while it was written.
                            if random.chance(6) {
                                self.disk[at..end].fill_with(|| random.below(256) as u8);
                            }
                        }
                        at += sector.len();
                        rest = behind;
                    }
                }
            }
        }
    }
}
