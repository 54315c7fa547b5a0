//! Saving so that the old file or the new file is there, whole, at every instant, also when the power
//! fails. What a replaced file has beside its content is kept as far as the system lets us
//! (`durable/attributes.rs`); what killed saves left behind is removed (`durable/leftovers.rs`).

mod attributes;
mod leftovers;

use super::disk;
use attributes::Attributes;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Bytes given to the system at a time.
const CHUNK: usize = 1 << 20;

/// Links followed from the given path, as many as Linux follows.
const MAX_LINKS: usize = 40;

/// Writes `bytes` to a temporary file in the folder of `path`, syncs it, renames it over `path`, and
/// syncs the folder. A link stays a link: the file that it leads to is replaced. On error the file at
/// `path` is as it was, unless [`SaveError::replaced`] says otherwise.
pub fn save(path: &Path, bytes: &[u8]) -> Result<SaveReport, SaveError> {
    save_in_steps(path, bytes, &mut |_| Ok(()))
}

/// A save that succeeded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SaveReport {
    /// What the replaced file had beside its content, and the new one has not.
    pub lost: Vec<String>,
}

impl SaveReport {
    /// What could not be kept, in a sentence; `None` where everything was.
    pub fn note(&self) -> Option<String> {
        match &self.lost[..] {
            [] => None,
            lost => Some(format!("saved, but not kept: {}", lost.join("; "))),
        }
    }
}

/// Why a save failed. The old file is untouched, and nothing else is left behind.
#[derive(Debug, thiserror::Error)]
#[error("could not save ({what}): {source}; {}. {}: {path}", self.state(), self.hint())]
pub struct SaveError {
    pub what: &'static str,
    pub source: io::Error,
    pub path: String,
    /// The new file is in place, but a power failure now might bring back the old one.
    pub replaced: bool,
}

impl SaveError {
    fn state(&self) -> &'static str {
        match self.replaced {
            false => "the file that was there is unchanged",
            true => "the new file is there, but may be lost if the power fails now",
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

/// What is about to be done; tests make each step fail in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Look,
    Create,
    Permissions,
    Write,
    Sync,
    Rename,
    SyncFolder,
}

impl Step {
    fn what(self) -> &'static str {
        match self {
            Step::Look => "looking at the place",
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
    let mut step = Step::Look;
    let mut enter = |next: Step| {
        step = next;
        before(next)
    };
    replace(path, bytes, &mut enter).map_err(|source| failed(path, step, source))
}

/// The temporary file is removed when this returns early.
fn replace(
    path: &Path,
    bytes: &[u8],
    enter: &mut dyn FnMut(Step) -> io::Result<()>,
) -> io::Result<SaveReport> {
    enter(Step::Look)?;
    let place = Place::from_path(path)?;
    enter(Step::Create)?;
    let temporary = place.temporary()?;
    enter(Step::Permissions)?;
    let saved = place.permit(&temporary)?;
    for chunk in bytes.chunks(CHUNK) {
        enter(Step::Write)?;
        disk::append(temporary.as_file(), temporary.path(), chunk)?;
    }
    place.keep(temporary, enter)?;
    Ok(saved)
}

/// Where a file will be.
struct Place {
    /// All links followed.
    target: PathBuf,
    /// The attributes of the file that is there.
    old: Option<Attributes>,
}

impl Place {
    fn from_path(path: &Path) -> io::Result<Self> {
        let target = follow_links(path)?;
        let old = replaceable(&target)?;
        let place = Self { target, old };
        match place.folder() {
            folder if folder.is_dir() => Ok(place),
            folder => {
                let what = format!("there is no folder {}", folder.display());
                Err(io::Error::new(io::ErrorKind::NotFound, what))
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

    fn permit(&self, temporary: &NamedTempFile) -> io::Result<SaveReport> {
        let lost = self.old.as_ref().map(|old| old.give(temporary.as_file()));
        let lost = lost.transpose()?.unwrap_or_default();
        Ok(SaveReport { lost })
    }

    fn keep(
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

/// A file that is written piece by piece, under another name in its folder. [`AtomicFile::keep`] puts it in its
/// place; a draft that is dropped leaves nothing behind.
pub struct AtomicFile {
    place: Place,
    temporary: NamedTempFile,
    path: PathBuf,
    saved: SaveReport,
}

impl AtomicFile {
    /// # Errors
    /// If there can be no file at `path`.
    pub fn new(path: &Path) -> Result<Self, SaveError> {
        let mut step = Step::Look;
        let mut begin = || {
            let place = Place::from_path(path)?;
            step = Step::Create;
            let temporary = place.temporary()?;
            step = Step::Permissions;
            let saved = place.permit(&temporary)?;
            Ok((place, temporary, saved))
        };
        let (place, temporary, saved) = begin().map_err(|source| failed(path, step, source))?;
        let path = path.to_owned();
        Ok(Self {
            place,
            temporary,
            path,
            saved,
        })
    }

    /// Where it is being written.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// To write with.
    ///
    /// # Errors
    /// If the system has no more handles of files.
    pub fn writer(&self) -> Result<fs::File, SaveError> {
        let file = self.temporary.as_file();
        file.try_clone().map_err(|source| self.not_written(source))
    }

    /// What is said where a write to it failed.
    pub fn not_written(&self, source: io::Error) -> SaveError {
        failed(&self.path, Step::Write, source)
    }

    /// Ends it: replaces the file that was there.
    ///
    /// # Errors
    /// See [`save`].
    pub fn keep(self) -> Result<SaveReport, SaveError> {
        let mut step = Step::Sync;
        let mut enter = |next: Step| {
            step = next;
            Ok(())
        };
        let kept = self.place.keep(self.temporary, &mut enter);
        kept.map_err(|source| failed(&self.path, step, source))?;
        Ok(self.saved)
    }
}

fn failed(path: &Path, step: Step, source: io::Error) -> SaveError {
    SaveError {
        what: step.what(),
        source,
        path: path.display().to_string(),
        replaced: step == Step::SyncFolder,
    }
}

/// The path that `path` leads to, which need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let to = fs::read_link(&path)?;
                path = path.parent().unwrap_or(Path::new("")).join(to);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("the links lead in a circle"))
}

/// What the file that will be replaced has, if there is one; an error if it must not be.
fn replaceable(target: &Path) -> io::Result<Option<Attributes>> {
    let metadata = match fs::metadata(target) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if metadata.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "there is a folder of this name",
        ));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("there is a pipe or a device of this name"));
    }
    // The rename would succeed, but whoever protected the file did not mean that.
    if metadata.permissions().readonly() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "the file is read-only",
        ));
    }
    let file = fs::File::open(target).ok();
    Ok(Some(Attributes::new(metadata, file.as_ref())))
}

#[cfg(test)]
#[path = "durable_tests.rs"]
mod tests;

#[cfg(test)]
mod power_tests;
