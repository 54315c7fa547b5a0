//! The table of scene and mesh formats. A format is a folder here and a row of [`FORMATS`], which dialogs,
//! the command line, dropped files and the overwrite check read.

use super::file::{self, ReadError};
use super::format::{Contents, Format};
use super::import::{FileImport, ImportOptions, SceneImport};
use super::kind::{self, FileKind};
use super::motion::clips;
use super::{gltf, js3d, obj};
use crate::anim::channel::Animation;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// All formats; the first is the native one.
pub static FORMATS: [&Format; 4] = [&js3d::FORMAT, &obj::FORMAT, &gltf::GLB, &gltf::GLTF];

/// Returns the format of a file by its extension; the native format if the extension is unknown.
pub fn format_of(path: &Path) -> &'static Format {
    let extension = path.extension().unwrap_or_default();
    let mut formats = FORMATS.into_iter();
    let found = formats.find(|format| extension.eq_ignore_ascii_case(format.kind.extension));
    found.unwrap_or(&js3d::FORMAT)
}

/// Reads a file in the format of its extension. Accepts only regular files of at most
/// [`FILE_BYTES`](super::limits::FILE_BYTES). A mesh without a name is named after the file.
///
/// # Errors
/// If the file cannot be read, or is not of that format.
pub fn read_file(path: &Path) -> Result<FileImport, ReadError> {
    read_with_progress(path, &|_| true)
}

/// Reads a file like [`read_file`], with the progress of [`file::read_with_progress`].
///
/// # Errors
/// The errors of [`read_file`], and [`ReadError::Cancelled`].
pub fn read_with_progress(path: &Path, progress: &dyn Fn(f32) -> bool) -> Result<FileImport, ReadError> {
    let format = format_of(path);
    let read = format.read.ok_or_else(|| ReadError::Content {
        problem: format!("{} files are only written here", format.name),
        hint: "Choose another file".into(),
    })?;
    let mut imported = read(&file::read_with_progress(path, format.name, progress)?, path.parent())?;
    if let FileImport::Mesh(mesh) = &mut imported
        && mesh.name.is_empty()
    {
        mesh.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(imported)
}

/// Reads the animations of a file of another program, with the skeletons that they move and nothing else, at the frame rate of
/// `animation` unless that is empty. To be added with [`add_clips`](super::motion::clips::add_clips).
///
/// # Errors
/// If the file cannot be read, or its format has no animations.
pub fn read_clips(
    path: &Path,
    animation: &Animation,
    progress: &dyn Fn(f32) -> bool,
) -> Result<SceneImport, ReadError> {
    let Contents::Scene(read) = format_of(path).contents else {
        return Err(ReadError::Content {
            problem: "files of this kind have no animations for other characters".into(),
            hint: "Choose a glTF file".into(),
        });
    };
    let rate = (*animation != Animation::default()).then_some(animation.clip.rate);
    // Keys are reduced for the surface that they are added to.
    let options = ImportOptions { rate, without_images: true, all_frames: true, take: None };
    let mut read = read(path, &options, progress)?;
    read.scene = clips::motion_only(&read.scene);
    Ok(read)
}

/// Returns all kinds of files that the program writes.
fn kinds() -> impl Iterator<Item = &'static FileKind> {
    let formats = FORMATS.into_iter().map(|format| format.kind);
    formats.chain([&kind::SVG, &kind::PNG, &kind::GIF, &kind::MP4])
}

/// How many bytes of a file are inspected.
const HEAD_BYTES: u64 = 4096;

/// Extensions, and the check before a file is replaced: only with one of the same kind, unless the user
/// insists.
impl FileKind {
    /// Returns the kind that the extension of a path denotes.
    pub fn from_path(path: &Path) -> Option<&'static Self> {
        let extension = path.extension()?;
        kinds().find(|kind| extension.eq_ignore_ascii_case(kind.extension))
    }

    /// Returns `path` with the extension of this kind appended where it has none or an unknown one.
    ///
    /// # Errors
    /// If the extension belongs to another kind.
    pub fn with_extension(&self, path: &Path) -> Result<PathBuf, String> {
        match Self::from_path(path) {
            Some(kind) if kind == self => Ok(path.to_owned()),
            Some(other) => Err(format!(
                "{} has the extension of {}, but {} is written. Use the extension .{}",
                path.display(),
                other.noun,
                self.noun,
                self.extension
            )),
            None => {
                let mut name = path.file_name().unwrap_or_default().to_owned();
                name.push(".");
                name.push(self.extension);
                Ok(path.with_file_name(name))
            }
        }
    }

    /// Returns why a file of this kind should not replace the one at `path`, if so. A file that is missing,
    /// empty or cannot be inspected raises no objection.
    pub fn overwrite_conflict(&self, path: &Path) -> Option<String> {
        if !std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
            return None;
        }
        let mut head = Vec::new();
        File::open(path).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
        if self.matches(&head) {
            return None;
        }
        let mut others = kinds().filter(|kind| *kind != self);
        let found = match others.find(|kind| kind.matches(&head)) {
            Some(other) => format!("it is {}", other.noun),
            None => format!("it is not {}", self.noun),
        };
        Some(format!("{} is there already, and {found}", path.display()))
    }

    fn matches(&self, head: &[u8]) -> bool {
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        (self.is_start)(text.trim_ascii_start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_their_ending() {
        let with_extension =
            |name: &str| js3d::KIND.with_extension(Path::new(name)).map(|path| path.display().to_string());
        assert_eq!(with_extension("a/walk.js3d"), Ok("a/walk.js3d".into()));
        assert_eq!(with_extension("a/walk.JS3D"), Ok("a/walk.JS3D".into()));
        assert_eq!(with_extension("a.b/walk"), Ok("a.b/walk.js3d".into()));
        assert_eq!(with_extension("walk v1.2"), Ok("walk v1.2.js3d".into()));
        for other in ["a.obj", "a.OBJ", "a.png", "a.svg"] {
            assert!(with_extension(other).is_err_and(|error| error.contains(".js3d")), "{other}");
        }
        assert!(obj::KIND.with_extension(Path::new("a.js3d")).is_err());
    }

    #[test]
    fn a_file_is_replaced_by_its_own_kind_alone() {
        let folder = tempfile::tempdir().unwrap();
        let contents: [(&FileKind, &[u8]); 10] = [
            (&gltf::GLB_KIND, b"glTF\x02\0\0\0"),
            (&gltf::GLTF_KIND, b"{\"asset\":{\"version\":\"2.0\"}}"),
            (&js3d::KIND, b"\xef\xbb\xbf \n{\"scene\":{}}"),
            (&obj::KIND, b"# made by hand\r\n\r\nv 0 0 0"),
            (&obj::KIND, b"# a comment alone"),
            (&obj::KIND, b"mtllib human.mtl\n"),
            (&kind::SVG, b"<?xml version='1.0'?>\n<svg>"),
            (&kind::PNG, b"\x89PNG\r\n\x1a\n..."),
            (&kind::GIF, b"GIF89a..."),
            (&kind::MP4, b"\0\0\0\x20ftypisom"),
        ];
        let path = folder.path().join("file");
        for (kind, content) in contents {
            std::fs::write(&path, content).unwrap();
            for new in kinds() {
                assert_eq!(new.overwrite_conflict(&path).is_none(), new == kind, "{new:?} over {kind:?}");
            }
        }
        std::fs::write(&path, "Dear diary").unwrap();
        assert!(kinds().all(|kind| kind.overwrite_conflict(&path).is_some()));
        std::fs::write(&path, "").unwrap();
        assert!(kind::SVG.overwrite_conflict(&path).is_none());
        assert!(kind::SVG.overwrite_conflict(&folder.path().join("none")).is_none());
    }
}
