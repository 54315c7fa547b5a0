//! The disk operations of saving and of the journal: one function per operation that a power failure can
//! undo. Tests watch them ([`watch`]) and try out what would remain.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use tempfile::NamedTempFile;

/// An operation on a disk.
#[derive(Clone, Copy)]
pub enum Change<'a> {
    Create(&'a Path),
    CreateFolder(&'a Path),
    Append(&'a Path, &'a [u8]),
    Truncate(&'a Path, u64),
    Sync(&'a Path),
    /// From the first path to the second.
    Rename(&'a Path, &'a Path),
    Remove(&'a Path),
    SyncFolder(&'a Path),
}

/// Carries out an operation, which is given as a function, and may note it.
pub type Watcher = fn(Change<'_>, &mut dyn FnMut() -> io::Result<()>) -> io::Result<()>;

static WATCHER: OnceLock<Watcher> = OnceLock::new();

/// Lets `watcher` carry out all operations of this process from now on. The first one stays.
pub fn watch(watcher: Watcher) {
    WATCHER.get_or_init(|| watcher);
}

fn carry_out(change: Change<'_>, mut operation: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    match WATCHER.get() {
        Some(watcher) => watcher(change, &mut operation),
        None => operation(),
    }
}

/// Notes that a file was created. Its name is on the disk once its folder is synced, see [`sync_folder`].
pub fn created(path: &Path) {
    let _ = carry_out(Change::Create(path), || Ok(()));
}

/// Notes that a folder was created.
pub fn created_folder(path: &Path) {
    let _ = carry_out(Change::CreateFolder(path), || Ok(()));
}

/// Appends to `file`, which is at `path`.
///
/// # Errors
/// If there is no space left, or the write fails.
pub fn append(mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    carry_out(Change::Append(path, bytes), || file.write_all(bytes))
}

/// Truncates `file`, which is at `path`, to its first `length` bytes.
///
/// # Errors
/// If the system refuses.
pub fn truncate(file: &File, path: &Path, length: u64) -> io::Result<()> {
    carry_out(Change::Truncate(path, length), || file.set_len(length))
}

/// Waits until the content of `file`, which is at `path`, is on the disk.
///
/// # Errors
/// If it cannot be synced.
pub fn sync(file: &File, path: &Path) -> io::Result<()> {
    carry_out(Change::Sync(path), || file.sync_all())
}

/// Renames a temporary file to `path`, replacing any file there.
///
/// # Errors
/// If the system refuses; the temporary file is then removed.
pub fn rename(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    let from = temporary.path().to_owned();
    let mut temporary = Some(temporary);
    carry_out(Change::Rename(&from, path), || match temporary.take() {
        Some(file) => file.persist(path).map(drop).map_err(|error| error.error),
        None => Ok(()),
    })
}

/// Removes a file.
///
/// # Errors
/// If the system refuses.
pub fn remove(path: &Path) -> io::Result<()> {
    carry_out(Change::Remove(path), || std::fs::remove_file(path))
}

/// Waits until the names in `folder` are on the disk.
///
/// # Errors
/// If they cannot be synced. Where folders cannot be synced at all (some network file systems, systems other
/// than Unix), this does nothing.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    carry_out(Change::SyncFolder(folder), || {
        #[cfg(unix)]
        match File::open(folder)?.sync_all() {
            Err(error)
                if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
            {
                return Err(error);
            }
            _ => {}
        }
        Ok(())
    })
}
