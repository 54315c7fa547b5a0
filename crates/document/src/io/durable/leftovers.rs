//! Creates temporary files, and removes those that killed saves left behind. A writer holds a lock on its
//! file, which the system releases when the process ends, in whatever way: a file that can be locked has no
//! owner.

use crate::io::disk;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

const PREFIX: &str = ".ossature-";
const SUFFIX: &str = ".tmp";

/// The time before a folder is searched again: rendering saves many files in a row.
const PAUSE: Duration = Duration::from_secs(5);

static SEARCHED: Mutex<Option<(PathBuf, Instant)>> = Mutex::new(None);

/// Creates a locked temporary file in `folder`, with the permissions of any new file.
pub fn create(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder)?;
        // Some network file systems have no locks; no leftovers are removed there either.
        let locked = temporary.as_file().lock().is_ok();
        // Another process may have removed it as a leftover before it was locked.
        if !locked || temporary.path().exists() {
            disk::created(temporary.path());
            return Ok(temporary);
        }
    }
}

/// Removes the temporary files of killed saves in `folder`. Errors are ignored.
pub fn remove(folder: &Path) {
    let Ok(mut searched) = SEARCHED.lock() else { return };
    let recent = |(path, time): &(PathBuf, Instant)| path == folder && time.elapsed() < PAUSE;
    if searched.as_ref().is_some_and(recent) {
        return;
    }
    *searched = Some((folder.to_owned(), Instant::now()));
    drop(searched);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = remove_if_unlocked(&entry.path());
        }
    }
}

fn remove_if_unlocked(path: &Path) -> io::Result<()> {
    // Open for writing, which some file systems require for a lock.
    let file = File::options().write(true).open(path)?;
    file.try_lock()?;
    // Removed while it is locked, so that nobody begins to write to it.
    disk::remove(path)
}
