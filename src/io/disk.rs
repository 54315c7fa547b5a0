//! The disk operations of saving and of the journal: one function per operation that a power failure can
//! undo. Tests record them ([`crash`]) and try out what would remain.

#[cfg(test)]
pub mod crash;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Notes that a file was created. Its name is on the disk once its folder is synced, see [`sync_folder`].
pub fn created(path: &Path) {
    #[cfg(test)]
    crash::record(crash::Change::Create(path));
    #[cfg(not(test))]
    let _ = path;
}

/// Notes that a folder was created.
pub fn created_folder(path: &Path) {
    #[cfg(test)]
    crash::record(crash::Change::CreateFolder(path));
    #[cfg(not(test))]
    let _ = path;
}

/// Appends to `file`, which is at `path`.
///
/// # Errors
/// If there is no space left, or the write fails.
pub fn append(mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::lock_order(path);
    file.write_all(bytes)?;
    #[cfg(test)]
    crash::record(crash::Change::Append(path, bytes));
    #[cfg(not(test))]
    let _ = path;
    Ok(())
}

/// Truncates `file`, which is at `path`, to its first `length` bytes.
///
/// # Errors
/// If the system refuses.
pub fn truncate(file: &File, path: &Path, length: u64) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::lock_order(path);
    file.set_len(length)?;
    #[cfg(test)]
    crash::record(crash::Change::Truncate(path, length));
    #[cfg(not(test))]
    let _ = path;
    Ok(())
}

/// Waits until the content of `file`, which is at `path`, is on the disk.
///
/// # Errors
/// If it cannot be synced.
pub fn sync(file: &File, path: &Path) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::lock_order(path);
    file.sync_all()?;
    #[cfg(test)]
    crash::record(crash::Change::Sync(path));
    #[cfg(not(test))]
    let _ = path;
    Ok(())
}

/// Renames a temporary file to `path`, replacing any file there.
///
/// # Errors
/// If the system refuses; the temporary file is then removed.
pub fn rename(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    #[cfg(test)]
    let (_order, from) = (crash::lock_order(path), temporary.path().to_owned());
    temporary.persist(path).map_err(|error| error.error)?;
    #[cfg(test)]
    crash::record(crash::Change::Rename(&from, path));
    Ok(())
}

/// Removes a file.
///
/// # Errors
/// If the system refuses.
pub fn remove(path: &Path) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::lock_order(path);
    std::fs::remove_file(path)?;
    #[cfg(test)]
    crash::record(crash::Change::Remove(path));
    Ok(())
}

/// Waits until the names in `folder` are on the disk.
///
/// # Errors
/// If they cannot be synced. Where folders cannot be synced at all (some network file systems, systems other
/// than Unix), this does nothing.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::lock_order(folder);
    #[cfg(unix)]
    match File::open(folder)?.sync_all() {
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            return Err(error);
        }
        _ => {}
    }
    #[cfg(test)]
    crash::record(crash::Change::SyncFolder(folder));
    #[cfg(not(test))]
    let _ = folder;
    Ok(())
}
