//! Durable saving: at every instant, even if the power fails, either the old file or the new file is there,
//! complete. Attributes of a replaced file are preserved as far as the system allows
//! (`durable/attributes.rs`); remains of killed saves are removed (`durable/leftovers.rs`).

mod attributes;
mod leftovers;

use super::disk;
use attributes::Attributes;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The number of bytes per write.
const CHUNK_BYTES: usize = 1 << 20;

/// The maximum number of links that are followed, as in Linux.
const MAX_LINKS: usize = 40;

/// Writes `bytes` to a temporary file in the folder of `path`, syncs it, renames it to `path`, and syncs the
/// folder. A link remains a link: its target is replaced. After an error the file at `path` is unchanged,
/// unless [`SaveError::replaced`] is set.
pub fn save(path: &Path, bytes: &[u8]) -> Result<SaveReport, SaveError> {
    save_in_steps(path, bytes, &mut |_| Ok(()))
}

/// The result of a successful save.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaveReport {
    /// The attributes of the replaced file that the new one does not have.
    pub lost: Vec<String>,
}

impl SaveReport {
    /// Returns the lost attributes as a sentence; `None` if there are none.
    pub fn note(&self) -> Option<String> {
        match &self.lost[..] {
            [] => None,
            lost => Some(format!("saved, but not kept: {}", lost.join("; "))),
        }
    }
}

/// Why a save failed. The old file is unchanged unless `replaced` is set, and no temporary file remains.
#[derive(Debug, thiserror::Error)]
#[error("could not save ({action}): {source}; {}. {}: {path}", self.state(), self.hint())]
pub struct SaveError {
    pub action: &'static str,
    pub source: io::Error,
    pub path: String,
    /// Whether the new file is in place, although a power failure now might bring back the old one.
    pub replaced: bool,
}

impl SaveError {
    fn state(&self) -> &'static str {
        if self.replaced {
            "the new file is there, but may be lost if the power fails now"
        } else {
            "the file that was there is unchanged"
        }
    }

    fn hint(&self) -> &'static str {
        use io::ErrorKind::{
            FileTooLarge, NotADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem,
            StorageFull,
        };
        match self.source.kind() {
            _ if self.replaced => "Save again",
            StorageFull | QuotaExceeded => "Make room on the disk, or save to another",
            PermissionDenied | ReadOnlyFilesystem => "Save to a folder that you may write to",
            NotFound | NotADirectory => "Check that its folder is there, or save to another",
            FileTooLarge => "Raise the limit on the size of files, or save to another disk",
            _ => "Check that the disk is there, or save to another",
        }
    }
}

/// The next step of a save; tests make each step fail in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Inspect,
    Create,
    Permissions,
    Write,
    Sync,
    Rename,
    SyncFolder,
}

impl Step {
    fn description(self) -> &'static str {
        match self {
            Step::Inspect => "checking the destination",
            Step::Create => "creating a temporary file in the same folder",
            Step::Permissions => "setting the permissions",
            Step::Write => "writing",
            Step::Sync => "waiting for the disk",
            Step::Rename => "replacing the old file",
            Step::SyncFolder => "waiting for the disk after replacing the old file",
        }
    }
}

fn save_in_steps(
    path: &Path,
    bytes: &[u8],
    before: &mut dyn FnMut(Step) -> io::Result<()>,
) -> Result<SaveReport, SaveError> {
    let mut step = Step::Inspect;
    let mut enter = |next: Step| {
        step = next;
        before(next)
    };
    replace(path, bytes, &mut enter).map_err(|source| failed(path, step, source))
}

/// Replaces the file. The temporary file is removed on an early return.
fn replace(
    path: &Path,
    bytes: &[u8],
    enter: &mut dyn FnMut(Step) -> io::Result<()>,
) -> io::Result<SaveReport> {
    enter(Step::Inspect)?;
    let destination = Destination::from_path(path)?;
    enter(Step::Create)?;
    let temporary = destination.temporary()?;
    enter(Step::Permissions)?;
    let report = destination.copy_attributes(&temporary)?;
    for chunk in bytes.chunks(CHUNK_BYTES) {
        enter(Step::Write)?;
        disk::append(temporary.as_file(), temporary.path(), chunk)?;
    }
    destination.commit(temporary, enter)?;
    Ok(report)
}

/// The place where a file will be saved.
struct Destination {
    /// The path with all links followed.
    target: PathBuf,
    /// The attributes of the existing file.
    old: Option<Attributes>,
}

impl Destination {
    fn from_path(path: &Path) -> io::Result<Self> {
        let target = follow_links(path)?;
        let old = replaceable(&target)?;
        let destination = Self { target, old };
        match destination.folder() {
            folder if folder.is_dir() => Ok(destination),
            folder => {
                let message = format!("there is no folder {}", folder.display());
                Err(io::Error::new(io::ErrorKind::NotFound, message))
            }
        }
    }

    fn folder(&self) -> &Path {
        match self.target.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        leftovers::create(self.folder())
    }

    fn copy_attributes(&self, temporary: &NamedTempFile) -> io::Result<SaveReport> {
        let lost = self.old.as_ref().map(|old| old.apply_to(temporary.as_file()));
        let lost = lost.transpose()?.unwrap_or_default();
        Ok(SaveReport { lost })
    }

    fn commit(
        &self,
        temporary: NamedTempFile,
        enter: &mut dyn FnMut(Step) -> io::Result<()>,
    ) -> io::Result<()> {
        enter(Step::Sync)?;
        disk::sync(temporary.as_file(), temporary.path())?;
        enter(Step::Rename)?;
        disk::rename(temporary, &self.target)?;
        enter(Step::SyncFolder)?;
        disk::sync_folder(self.folder())?;
        leftovers::remove(self.folder());
        Ok(())
    }
}

/// A file that is written piece by piece, under a temporary name in the same folder. [`AtomicFile::commit`]
/// renames it; a file that is dropped before leaves nothing behind.
pub struct AtomicFile {
    destination: Destination,
    temporary: NamedTempFile,
    path: PathBuf,
    report: SaveReport,
}

impl AtomicFile {
    /// Creates the temporary file.
    ///
    /// # Errors
    /// If there can be no file at `path`.
    pub fn new(path: &Path) -> Result<Self, SaveError> {
        let mut step = Step::Inspect;
        let mut begin = || {
            let destination = Destination::from_path(path)?;
            step = Step::Create;
            let temporary = destination.temporary()?;
            step = Step::Permissions;
            let report = destination.copy_attributes(&temporary)?;
            Ok((destination, temporary, report))
        };
        let (destination, temporary, report) = begin().map_err(|source| failed(path, step, source))?;
        let path = path.to_owned();
        Ok(Self { destination, temporary, path, report })
    }

    /// The path of the temporary file.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Returns a handle to write with.
    ///
    /// # Errors
    /// If the system has run out of file handles.
    pub fn writer(&self) -> Result<fs::File, SaveError> {
        let file = self.temporary.as_file();
        file.try_clone().map_err(|source| self.write_error(source))
    }

    /// Returns the error for a failed write.
    pub fn write_error(&self, source: io::Error) -> SaveError {
        failed(&self.path, Step::Write, source)
    }

    /// Replaces the existing file with this one.
    ///
    /// # Errors
    /// See [`save`].
    pub fn commit(self) -> Result<SaveReport, SaveError> {
        let mut step = Step::Sync;
        let mut enter = |next: Step| {
            step = next;
            Ok(())
        };
        let result = self.destination.commit(self.temporary, &mut enter);
        result.map_err(|source| failed(&self.path, step, source))?;
        Ok(self.report)
    }
}

fn failed(path: &Path, step: Step, source: io::Error) -> SaveError {
    SaveError {
        action: step.description(),
        source,
        path: path.display().to_string(),
        replaced: step == Step::SyncFolder,
    }
}

/// Follows links to a path that need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let link_target = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(link_target);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("the symbolic links form a loop"))
}

/// Returns the attributes of the file to replace, if it exists; an error if it must not be replaced.
fn replaceable(target: &Path) -> io::Result<Option<Attributes>> {
    let metadata = match fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if metadata.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder with this name exists"));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("a pipe or device with this name exists"));
    }
    // The rename would succeed, but against the intent of whoever protected the file.
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let file = fs::File::open(target).ok();
    Ok(Some(Attributes::new(metadata, file.as_ref())))
}

#[cfg(test)]
#[path = "durable_tests.rs"]
mod tests;

#[cfg(test)]
mod power_tests;
