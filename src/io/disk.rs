//! What changes a disk, as saving and the journal do it: one function for each thing that a power cut can undo. Tests
//! watch them ([`crash`]) and try out what would be left.

#[cfg(test)]
pub mod crash;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file was made. Its name is on the disk when its folder is, see [`sync_folder`].
pub fn created(path: &Path) {
    #[cfg(test)]
    crash::note(crash::Change::Create(path));
    #[cfg(not(test))]
    let _ = path;
}

/// A folder was made.
pub fn created_folder(path: &Path) {
    #[cfg(test)]
    crash::note(crash::Change::CreateFolder(path));
    #[cfg(not(test))]
    let _ = path;
}

/// Writes behind the end of `file`, which lies at `path`.
///
/// # Errors
/// If the system has no room, or cannot write.
pub fn append(mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::in_order(path);
    file.write_all(bytes)?;
    #[cfg(test)]
    crash::note(crash::Change::Append(path, bytes));
    #[cfg(not(test))]
    let _ = path;
    Ok(())
}

/// Leaves the first `length` bytes of `file`, which lies at `path`.
///
/// # Errors
/// If the system refuses.
pub fn cut(file: &File, path: &Path, length: u64) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::in_order(path);
    file.set_len(length)?;
    #[cfg(test)]
    crash::note(crash::Change::Cut(path, length));
    #[cfg(not(test))]
    let _ = path;
    Ok(())
}

/// Waits until the content of `file`, which lies at `path`, is on the disk.
///
/// # Errors
/// If it did not get there.
pub fn sync(file: &File, path: &Path) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::in_order(path);
    file.sync_all()?;
    #[cfg(test)]
    crash::note(crash::Change::Sync(path));
    #[cfg(not(test))]
    let _ = path;
    Ok(())
}

/// Gives a temporary file the name `path`, which another may have until then.
///
/// # Errors
/// If the system refuses; then the temporary file is gone.
pub fn rename(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    #[cfg(test)]
    let (_order, from) = (crash::in_order(path), temporary.path().to_owned());
    temporary.persist(path).map_err(|error| error.error)?;
    #[cfg(test)]
    crash::note(crash::Change::Rename(&from, path));
    Ok(())
}

/// Removes a file.
///
/// # Errors
/// If the system refuses.
pub fn remove(path: &Path) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::in_order(path);
    std::fs::remove_file(path)?;
    #[cfg(test)]
    crash::note(crash::Change::Remove(path));
    Ok(())
}

/// Waits until the names in `folder` are on the disk.
///
/// # Errors
/// If they did not get there. Where folders cannot be waited for (some network file systems, systems other than Unix)
/// a name is as durable as it gets.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(test)]
    let _order = crash::in_order(folder);
    #[cfg(unix)]
    match File::open(folder)?.sync_all() {
        Err(error)
            if !matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            return Err(error);
        }
        _ => {}
    }
    #[cfg(test)]
    crash::note(crash::Change::SyncFolder(folder));
    #[cfg(not(test))]
    let _ = folder;
    Ok(())
}
