//! The session folders in the state directory, and their ownership: a session holds an operating-system lock
//! on its `lock` file, which is released when the program ends, for whatever reason.

use super::owner;
use super::records::{Head, Record, Steps, contents};
use super::snapshots;
use crate::edit::session::step::Step;
use crate::io::count::counted;
use crate::io::disk;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time after which discarded sessions are removed.
pub const RETENTION: Duration = Duration::from_secs(14 * 24 * 3600);

/// The directory that contains all session folders.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// The folder of a session, locked against other programs while this value exists.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// The locked file, which names the owner.
    lock: File,
}

/// A session that no running program has open.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadSession {
    /// The name of its folder.
    pub id: String,
    pub path: PathBuf,
    pub discarded: bool,
    pub head: Head,
    /// The time of the last write to the journal.
    pub last: SystemTime,
    /// The number of steps between the opened or last saved document and its final state.
    pub unsaved: usize,
    /// Whether nothing was done since then, not even something that was undone.
    pub is_saved: bool,
    /// Whether the whole journal could be read, up to the last snapshot. If not, the unreadable part may
    /// contain more steps.
    pub is_complete: bool,
    /// The undo labels of the last steps, latest first; at most three.
    pub labels: Vec<String>,
}

impl Store {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Returns the store of the current user: `$OSSATURE_STATE` if set, otherwise `$XDG_STATE_HOME/ossature`
    /// or its equivalent on this platform. `None` if there is no such folder or `OSSATURE_STATE` is empty.
    pub fn for_current_user() -> Option<Self> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if std::env::var_os("OSSATURE_STATE").is_some() {
            return set("OSSATURE_STATE").map(Self::new);
        }
        let folder = match (cfg!(windows), cfg!(target_os = "macos")) {
            (true, _) => set("LOCALAPPDATA"),
            (_, true) => set("HOME").map(|home| home.join("Library/Application Support")),
            // The XDG Base Directory Specification requires that relative paths are ignored.
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

    /// Creates and locks a folder for a new session.
    ///
    /// # Errors
    /// If the folder cannot be created or locked.
    pub fn create(&self) -> io::Result<Folder> {
        let parent = self.sessions();
        create_private_folders(&parent)?;
        let prefix = format!("{}-", unix_seconds(SystemTime::now()));
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
        disk::append(&lock, &path, owner::current_process().as_bytes())?;
        Ok(Folder { path: folder.keep(), lock })
    }

    /// Lists the sessions whose program ended unexpectedly, or those that were discarded; latest first.
    /// Folders without a readable head or a snapshot contain nothing to recover and are left out.
    pub fn dead(&self, discarded: bool) -> Vec<DeadSession> {
        let parent = if discarded { self.discarded() } else { self.sessions() };
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        let unlocked = entries.map(|entry| entry.path()).filter(|path| Folder::lock(path).is_ok());
        let mut dead: Vec<DeadSession> = unlocked.filter_map(|path| read_session(path, discarded)).collect();
        dead.sort_by_key(|session| std::cmp::Reverse(session.last));
        dead
    }

    /// Finds the dead or discarded session with the given id.
    pub fn find(&self, id: &str) -> Option<DeadSession> {
        let all = [false, true].into_iter().flat_map(|discarded| self.dead(discarded));
        all.into_iter().find(|session| session.id == id)
    }

    /// Discards a session: it is kept for [`RETENTION`], but no longer offered for recovery.
    ///
    /// # Errors
    /// If its folder cannot be moved.
    pub fn discard(&self, folder: &Folder) -> io::Result<()> {
        create_private_folders(&self.discarded())?;
        let name = folder.path.file_name().unwrap_or_default();
        let to = self.discarded().join(name);
        // The modification time of the journal records when the session was discarded.
        if let Ok(journal) = File::options().append(true).open(folder.path.join("journal")) {
            let _ = journal.set_modified(SystemTime::now());
        }
        fs::rename(&folder.path, to)
    }

    /// Moves a discarded session back to the open ones.
    ///
    /// # Errors
    /// If its folder cannot be moved.
    pub fn restore(&self, mut folder: Folder) -> io::Result<Folder> {
        let to = self.sessions().join(folder.path.file_name().unwrap_or_default());
        if to != folder.path {
            create_private_folders(&self.sessions())?;
            fs::rename(&folder.path, &to)?;
            folder.path = to;
        }
        Ok(folder)
    }

    /// Removes sessions that were discarded longer than [`RETENTION`] ago, completely read sessions without
    /// unsaved changes, and folders of dead sessions without a journal.
    pub fn tidy(&self, now: SystemTime) {
        let is_expired =
            |session: &DeadSession| now.duration_since(session.last).is_ok_and(|since| since > RETENTION);
        let discarded = self.dead(true).into_iter().filter(is_expired);
        let saved = self.dead(false).into_iter().filter(DeadSession::is_disposable);
        for session in discarded.chain(saved) {
            if let Ok(folder) = Folder::lock(&session.path) {
                let _ = folder.remove();
            }
        }
        for entry in fs::read_dir(self.sessions()).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_empty = !path.join("journal").exists();
            // A recent folder may still be under construction.
            let modified = entry.metadata().and_then(|data| data.modified()).ok();
            let age = modified.and_then(|modified| now.duration_since(modified).ok());
            if is_empty
                && age.is_some_and(|age| age > Duration::from_secs(3600))
                && let Ok(folder) = Folder::lock(&path)
            {
                let _ = folder.remove();
            }
        }
    }
}

impl DeadSession {
    /// Whether removing the session loses nothing: it was read completely and has no unsaved changes.
    fn is_disposable(&self) -> bool {
        self.is_complete && self.is_saved
    }

    /// Formats the time since the last change, such as "5 minutes ago".
    pub fn age_text(&self, now: SystemTime) -> String {
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
    /// Locks an existing session folder.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] if another program has locked it; another error if it no longer exists.
    pub fn lock(path: &Path) -> io::Result<Self> {
        let name = path.join("lock");
        let mut lock = File::options().read(true).write(true).open(&name)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
            TryLockError::Error(error) => error,
        })?;
        // The folder may have been moved or removed in the meantime.
        fs::metadata(&name)?;
        let mut content = String::new();
        if lock.read_to_string(&mut content).is_ok() && owner::is_other_process(&content) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        // On a full disk, the lock alone has to suffice.
        let _ = lock
            .set_len(0)
            .and_then(|()| lock.rewind())
            .and_then(|()| lock.write_all(owner::current_process().as_bytes()));
        Ok(Self { path: path.to_owned(), lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Deletes the folder permanently.
    ///
    /// # Errors
    /// If it cannot be deleted completely.
    pub fn remove(self) -> io::Result<()> {
        // The journal first: a session without one is not offered for recovery.
        let _ = fs::remove_file(self.path.join("journal"));
        fs::remove_dir_all(&self.path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The folder has no owner now, although this program may keep running.
        let _ = self.lock.set_len(0);
    }
}

/// Creates a folder and its missing parents, accessible to the current user only.
fn create_private_folders(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let missing: Vec<&Path> = path.ancestors().take_while(|path| !path.exists()).collect();
    builder.create(path)?;
    missing.into_iter().rev().for_each(disk::created_folder);
    Ok(())
}

/// Converts a time to whole seconds since 1970.
pub(super) fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The distance of a document from its opened or last saved state.
struct Unsaved {
    is_unchanged: bool,
    /// The number of undo steps back to the saved state; negative for redo steps forward to it.
    depth: isize,
    /// Whether the saved state was undone and replaced by other edits, so that undo no longer leads to it.
    is_unreachable: bool,
    /// Whether a drag is in progress or was interrupted.
    in_drag: bool,
}

impl Default for Unsaved {
    fn default() -> Self {
        Self { is_unchanged: true, depth: 0, is_unreachable: false, in_drag: false }
    }
}

impl Unsaved {
    fn count(&mut self, steps: &[Step]) {
        for step in steps {
            self.is_unchanged &= step.is_setting();
            match step {
                Step::Saved(_) => *self = Self::default(),
                Step::Do(_) | Step::Commit | Step::DismissUnkeyed => {
                    self.is_unreachable |= self.depth < 0;
                    self.depth += 1;
                    self.in_drag = false;
                }
                Step::Undo(count) => self.depth -= *count as isize,
                Step::Redo(count) => self.depth += *count as isize,
                Step::Preview(_) => self.in_drag = true,
                Step::Cancel => self.in_drag = false,
                _ => {}
            }
        }
    }

    fn steps(&self) -> usize {
        let distance = self.depth.unsigned_abs().max(usize::from(self.is_unreachable));
        distance + usize::from(self.in_drag)
    }
}

fn read_session(path: PathBuf, discarded: bool) -> Option<DeadSession> {
    let bytes = fs::read(path.join("journal")).ok()?;
    let last = fs::metadata(path.join("journal")).and_then(|data| data.modified()).ok()?;
    let (mut end, mut is_complete) = (0, true);
    let mut known = Vec::new();
    for (content, content_end) in contents(&bytes) {
        end = content_end;
        match serde_json::from_slice::<Record>(content) {
            Ok(record) => known.push(record),
            Err(_) => is_complete = false,
        }
    }
    let steps = known.iter().filter(|record| matches!(record, Record::Steps(_) | Record::Long(_))).count();
    let snapshots = snapshots::list(&path);
    let is_snapshot_later = snapshots.last().is_some_and(|last| last.after > steps);
    is_complete &= end == bytes.len() && !is_snapshot_later;
    let mut records = known.into_iter();
    let head = match records.next() {
        Some(Record::Head(head)) => head,
        // The last snapshot can be recovered.
        _ if !snapshots.is_empty() => Head::unreadable(),
        _ => return None,
    };
    let (mut unsaved, mut labels) = (Unsaved::default(), Vec::new());
    for record in records {
        let Steps { steps, label } = match record {
            Record::Steps(steps) => steps,
            Record::Long(_) => Steps { steps: vec![Step::Commit], label: None },
            _ => continue,
        };
        unsaved.count(&steps);
        labels.extend(label);
    }
    labels.dedup();
    Some(DeadSession {
        id: path.file_name()?.to_string_lossy().into_owned(),
        discarded,
        head,
        last,
        unsaved: unsaved.steps(),
        is_saved: unsaved.is_unchanged,
        is_complete,
        labels: labels.into_iter().rev().take(3).collect(),
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::Unsaved;
    use crate::edit::session::step::Step;

    #[test]
    fn undone_steps_are_not_counted_but_leave_the_session_changed() {
        let (done, saved) = (|| Step::Do(Vec::new()), || Step::Saved(String::new()));
        let drag = || Step::Preview(Vec::new());
        for (steps, unsaved, is_unchanged) in [
            (vec![], 0, true),
            (vec![Step::Frame(3.0), Step::Symmetric(true)], 0, true),
            (vec![done(), done(), Step::Undo(1), Step::Redo(1)], 2, false),
            (vec![done(), Step::Undo(1)], 0, false),
            (vec![drag(), drag()], 1, false),
            (vec![drag(), drag(), Step::Commit], 1, false),
            (vec![drag(), Step::Cancel], 0, false),
            (vec![done(), saved()], 0, true),
            (vec![done(), saved(), done()], 1, false),
            // Undone past the saved state; in the second case redo no longer leads back to it.
            (vec![done(), saved(), Step::Undo(1)], 1, false),
            (vec![done(), saved(), Step::Undo(1), done()], 1, false),
        ] {
            let mut counted = Unsaved::default();
            counted.count(&steps);
            assert_eq!((counted.steps(), counted.is_unchanged), (unsaved, is_unchanged), "{steps:?}");
        }
    }
}
