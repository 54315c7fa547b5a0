//! The folders of sessions in the state directory, and whose they are: a session holds a lock of the system on its file
//! `lock`, which ends with the program however that ends.

use super::owner;
use super::records::{Head, Record, Steps, contents};
use super::snapshots;
use crate::edit::step::Step;
use crate::io::count::counted;
use crate::io::disk;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Sessions that were discarded are kept that long.
pub const KEPT: Duration = Duration::from_secs(14 * 24 * 3600);

/// Where sessions lie.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// A session's folder, which nobody else has as long as this lives.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Locked, with who has it.
    lock: File,
}

/// A session that no program is at.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The name of its folder.
    pub id: String,
    pub path: PathBuf,
    pub discarded: bool,
    pub head: Head,
    /// When the journal was written last.
    pub last: SystemTime,
    /// Steps that lie between the document as it was opened or saved and what it is.
    pub unsaved: usize,
    /// Nothing was done since, not even undone again.
    pub is_saved: bool,
    /// Whether all of it could be read, up to the last snapshot; behind what could not there may be more steps.
    pub whole: bool,
    /// What Undo said after the last ones, the latest first; at most three.
    pub labels: Vec<String>,
}

impl Store {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// In the state directory of this user: `OSSATURE_STATE` if it is set, else `$XDG_STATE_HOME/ossature` or what the
    /// system has for that. `None` where there is no such place, or that variable is empty.
    pub fn of_user() -> Option<Self> {
        let set = |name: &str| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        if std::env::var_os("OSSATURE_STATE").is_some() {
            return set("OSSATURE_STATE").map(Self::new);
        }
        let folder = match (cfg!(windows), cfg!(target_os = "macos")) {
            (true, _) => set("LOCALAPPDATA"),
            (_, true) => set("HOME").map(|home| home.join("Library/Application Support")),
            // A relative one is to be ignored, as the XDG Base Directory Specification says.
            _ => set("XDG_STATE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| set("HOME").map(|home| home.join(".local/state"))),
        };
        folder.map(|folder| Self::new(folder.join("ossature")))
    }

    fn sessions(&self) -> PathBuf {
        self.root.join("sessions")
    }

    fn discarded(&self) -> PathBuf {
        self.root.join("discarded")
    }

    /// A new folder, for a session that begins now.
    ///
    /// # Errors
    /// If it cannot be made or locked.
    pub fn create(&self) -> io::Result<Folder> {
        let parent = self.sessions();
        make(&parent)?;
        let prefix = format!("{}-", seconds_of(SystemTime::now()));
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).rand_bytes(8);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir_in(&parent)?;
        disk::created_folder(folder.path());
        let path = folder.path().join("lock");
        let lock = File::create(&path)?;
        disk::created(&path);
        lock.try_lock().map_err(io::Error::from)?;
        disk::append(&lock, &path, owner::this().as_bytes())?;
        Ok(Folder {
            path: folder.keep(),
            lock,
        })
    }

    /// Sessions that ended without their program's will, the latest first; or those that were discarded. Folders
    /// without a head hold nothing that could be recovered.
    pub fn dead(&self, discarded: bool) -> Vec<Found> {
        let parent = match discarded {
            true => self.discarded(),
            false => self.sessions(),
        };
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        let free = entries
            .map(|entry| entry.path())
            .filter(|path| Folder::lock(path).is_ok());
        let mut found: Vec<Found> = free.filter_map(|path| read_found(path, discarded)).collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.last));
        found
    }

    /// The session of that name, dead or discarded.
    pub fn find(&self, id: &str) -> Option<Found> {
        let all = [false, true]
            .into_iter()
            .flat_map(|discarded| self.dead(discarded));
        all.into_iter().find(|found| found.id == id)
    }

    /// Puts a session aside: it is kept for [`KEPT`] and no longer offered.
    ///
    /// # Errors
    /// If its folder cannot be moved.
    pub fn discard(&self, folder: &Folder) -> io::Result<()> {
        make(&self.discarded())?;
        let name = folder.path.file_name().unwrap_or_default();
        let to = self.discarded().join(name);
        // The time of the journal says when it was discarded.
        if let Ok(journal) = File::options().append(true).open(folder.path.join("journal")) {
            let _ = journal.set_modified(SystemTime::now());
        }
        fs::rename(&folder.path, to)
    }

    /// Takes a session that was put aside back among those that are open.
    ///
    /// # Errors
    /// If its folder cannot be moved.
    pub fn take_back(&self, mut folder: Folder) -> io::Result<Folder> {
        let to = self.sessions().join(folder.path.file_name().unwrap_or_default());
        if to != folder.path {
            make(&self.sessions())?;
            fs::rename(&folder.path, &to)?;
            folder.path = to;
        }
        Ok(folder)
    }

    /// Removes what was discarded longer than [`KEPT`] ago, sessions of which all was read and saved, and
    /// folders of dead sessions without any content.
    pub fn tidy(&self, now: SystemTime) {
        let old = |found: &Found| now.duration_since(found.last).is_ok_and(|since| since > KEPT);
        let discarded = self.dead(true).into_iter().filter(old);
        let saved = self.dead(false).into_iter().filter(Found::is_saved);
        for found in discarded.chain(saved) {
            if let Ok(folder) = Folder::lock(&found.path) {
                let _ = folder.remove();
            }
        }
        for entry in fs::read_dir(self.sessions()).into_iter().flatten().flatten() {
            let path = entry.path();
            let empty = !path.join("journal").exists();
            // It may be one that is being made.
            let age = entry.metadata().and_then(|data| data.modified()).ok();
            let old = age.and_then(|age| now.duration_since(age).ok());
            if empty
                && old.is_some_and(|old| old > Duration::from_secs(3600))
                && let Ok(folder) = Folder::lock(&path)
            {
                let _ = folder.remove();
            }
        }
    }
}

impl Found {
    /// Nothing is lost without it: all of it was read, and saved.
    fn is_saved(&self) -> bool {
        self.whole && self.is_saved
    }

    /// When something was done in it last, as people say it: "5 minutes ago".
    pub fn ago(&self, now: SystemTime) -> String {
        let seconds = now.duration_since(self.last).unwrap_or_default().as_secs();
        let ago = |number: u64, one, many| format!("{} ago", counted(number as usize, one, many));
        match seconds {
            0..60 => "less than a minute ago".into(),
            60..3600 => ago(seconds / 60, "minute", "minutes"),
            3600..86_400 => ago(seconds / 3600, "hour", "hours"),
            _ => ago(seconds / 86_400, "day", "days"),
        }
    }
}

impl Folder {
    /// Takes a folder that is there.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another has it; or if it is gone.
    pub fn lock(path: &Path) -> io::Result<Self> {
        let name = path.join("lock");
        let mut lock = File::options().read(true).write(true).open(&name)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
            TryLockError::Error(error) => error,
        })?;
        // Somebody may have moved or removed it meanwhile.
        fs::metadata(&name)?;
        let mut content = String::new();
        if lock.read_to_string(&mut content).is_ok() && owner::is_another(&content) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        // Where the disk is full, the lock alone counts.
        let _ = lock
            .set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| lock.write_all(owner::this().as_bytes()));
        Ok(Self {
            path: path.to_owned(),
            lock,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes it for good.
    ///
    /// # Errors
    /// If it cannot be removed, or not as a whole.
    pub fn remove(self) -> io::Result<()> {
        // First the journal: without it nothing is offered.
        let _ = fs::remove_file(self.path.join("journal"));
        fs::remove_dir_all(&self.path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nobody has it any more, although this program may go on.
        let _ = self.lock.set_len(0);
    }
}

/// Makes folders that only this user may look into.
fn make(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let missing: Vec<&Path> = path.ancestors().take_while(|path| !path.exists()).collect();
    builder.create(path)?;
    missing.into_iter().rev().for_each(disk::created_folder);
    Ok(())
}

pub(super) fn seconds_of(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// How far a document is from what was opened or saved.
struct Unsaved {
    nothing: bool,
    /// Undo goes back so many steps to it, or redo forward to it.
    depth: isize,
    /// It was undone, and something else was done: no undo leads there.
    is_elsewhere: bool,
    /// A drag is held, or was.
    held: bool,
}

impl Default for Unsaved {
    fn default() -> Self {
        Self {
            nothing: true,
            depth: 0,
            is_elsewhere: false,
            held: false,
        }
    }
}

impl Unsaved {
    fn count(&mut self, steps: &[Step]) {
        for step in steps {
            self.nothing &= step.is_setting();
            match step {
                Step::Saved(_) => *self = Self::default(),
                Step::Do(_) | Step::Commit | Step::DismissUnkeyed => {
                    self.is_elsewhere |= self.depth < 0;
                    self.depth += 1;
                    self.held = false;
                }
                Step::Undo(count) => self.depth -= *count as isize,
                Step::Redo(count) => self.depth += *count as isize,
                Step::Preview(_) => self.held = true,
                Step::Cancel => self.held = false,
                _ => {}
            }
        }
    }

    fn steps(&self) -> usize {
        let away = self.depth.unsigned_abs().max(usize::from(self.is_elsewhere));
        away + usize::from(self.held)
    }
}

fn read_found(path: PathBuf, discarded: bool) -> Option<Found> {
    let bytes = fs::read(path.join("journal")).ok()?;
    let last = fs::metadata(path.join("journal"))
        .and_then(|data| data.modified())
        .ok()?;
    let (mut end, mut whole) = (0, true);
    let mut known = Vec::new();
    for (content, behind) in contents(&bytes) {
        end = behind;
        match serde_json::from_slice::<Record>(content) {
            Ok(record) => known.push(record),
            Err(_) => whole = false,
        }
    }
    let steps = known
        .iter()
        .filter(|record| matches!(record, Record::Steps(_) | Record::Long(_)))
        .count();
    let snapshots = snapshots::list(&path);
    let later = snapshots.last().is_some_and(|last| last.after > steps);
    whole &= end == bytes.len() && !later;
    let mut records = known.into_iter();
    let head = match records.next() {
        Some(Record::Head(head)) => head,
        // The last snapshot can be recovered.
        _ if !snapshots.is_empty() => Head::lost(),
        _ => return None,
    };
    let (mut unsaved, mut labels) = (Unsaved::default(), Vec::new());
    for record in records {
        let Steps { steps, label } = match record {
            Record::Steps(steps) => steps,
            Record::Long(_) => Steps {
                steps: vec![Step::Commit],
                label: None,
            },
            _ => continue,
        };
        unsaved.count(&steps);
        labels.extend(label);
    }
    labels.dedup();
    Some(Found {
        id: path.file_name()?.to_string_lossy().into_owned(),
        discarded,
        head,
        last,
        unsaved: unsaved.steps(),
        is_saved: unsaved.nothing,
        whole,
        labels: labels.into_iter().rev().take(3).collect(),
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::Unsaved;
    use crate::edit::step::Step;

    #[test]
    fn what_is_undone_is_not_counted_and_yet_something() {
        let (done, saved) = (|| Step::Do(Vec::new()), || Step::Saved(String::new()));
        let drag = || Step::Preview(Vec::new());
        for (steps, unsaved, nothing) in [
            (vec![], 0, true),
            (vec![Step::Frame(3.0), Step::Symmetric(true)], 0, true),
            (vec![done(), done(), Step::Undo(1), Step::Redo(1)], 2, false),
            (vec![done(), Step::Undo(1)], 0, false),
            (vec![drag(), drag()], 1, false),
            (vec![drag(), drag(), Step::Commit], 1, false),
            (vec![drag(), Step::Cancel], 0, false),
            (vec![done(), saved()], 0, true),
            (vec![done(), saved(), done()], 1, false),
            // Undone below what was saved; there is no way back to it from the second.
            (vec![done(), saved(), Step::Undo(1)], 1, false),
            (vec![done(), saved(), Step::Undo(1), done()], 1, false),
        ] {
            let mut counted = Unsaved::default();
            counted.count(&steps);
            assert_eq!(
                (counted.steps(), counted.nothing),
                (unsaved, nothing),
                "{steps:?}"
            );
        }
    }
}
