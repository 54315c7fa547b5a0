//! Temporary files: their names, and those that a killed save left behind. Whoever writes one holds a lock
//! on it, which the system takes back when the program ends, however it ends: one that can be locked is
//! nobody's.

use crate::io::disk;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

const PREFIX: &str = ".ossature-";
const SUFFIX: &str = ".tmp";

/// A folder is not searched again so soon: rendering saves many files in a row.
const PAUSE: Duration = Duration::from_secs(5);

static SEARCHED: Mutex<Option<(PathBuf, Instant)>> = Mutex::new(None);

/// A new temporary file in `folder`, locked. Its permissions are those of any new file.
pub fn create(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder)?;
        // Some network file systems have no locks: nothing is removed there either.
        let locked = temporary.as_file().lock().is_ok();
        // Somebody may have taken it for a leftover before it was locked.
        if !locked || temporary.path().exists() {
            disk::created(temporary.path());
            return Ok(temporary);
        }
    }
}

/// Removes what killed saves left in `folder`. Whatever cannot be removed stays, without a word.
pub fn remove(folder: &Path) {
    let Ok(mut searched) = SEARCHED.lock() else { return };
    let recent = |(path, at): &(PathBuf, Instant)| path == folder && at.elapsed() < PAUSE;
    if searched.as_ref().is_some_and(recent) {
        return;
    }
    *searched = Some((folder.to_owned(), Instant::now()));
    drop(searched);
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        if ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let _ = remove_if_nobodys(&entry.path());
        }
    }
}

fn remove_if_nobodys(path: &Path) -> io::Result<()> {
    // For writing, which some file systems want of who locks.
    let file = File::options().write(true).open(path)?;
    file.try_lock()?;
    // While it is locked, so that nobody begins to write to it.
    disk::remove(path)
}
