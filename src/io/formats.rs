//! The formats of scenes and meshes as one table. A format is a folder of this one and a row of [`FORMATS`]: dialogs,
//! the command line, files dropped on the window and the check of what is replaced read it.

use super::file::{self, ReadError};
use super::format::Format;
use super::import::Imported;
use super::kind::{self, FileKind};
use super::{gltf, js3d, obj};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// All formats; the first is the document's own.
pub static FORMATS: [&Format; 4] = [&js3d::FORMAT, &obj::FORMAT, &gltf::GLB, &gltf::GLTF];

/// The format of a file by its ending; the document's own where that says nothing.
pub fn format_of(path: &Path) -> &'static Format {
    let ending = path.extension().unwrap_or_default();
    let mut formats = FORMATS.into_iter();
    let found = formats.find(|format| ending.eq_ignore_ascii_case(format.kind.extension));
    found.unwrap_or(&js3d::FORMAT)
}

/// Reads a file by the format of its ending. Only regular files of at most [`FILE_BYTES`](super::limits::FILE_BYTES).
/// A mesh without a name is called as the file is.
///
/// # Errors
/// If the file cannot be read, or is not what its ending says.
pub fn read_file(path: &Path) -> Result<Imported, ReadError> {
    read_watched(path, &|_| true)
}

/// As [`read_file`], with [`file::read_watched`]'s progress.
///
/// # Errors
/// As [`read_file`]; [`ReadError::Cancelled`].
pub fn read_watched(path: &Path, progress: &dyn Fn(f32) -> bool) -> Result<Imported, ReadError> {
    let format = format_of(path);
    let read = format.read.ok_or_else(|| ReadError::Content {
        what: format!("{} files are only written here", format.name),
        hint: "Choose another file".into(),
    })?;
    let mut imported = read(&file::read_watched(path, format.name, progress)?, path.parent())?;
    if let Imported::Mesh(mesh) = &mut imported
        && mesh.name.is_empty()
    {
        mesh.name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
    }
    Ok(imported)
}

/// All kinds of files that the program writes.
fn kinds() -> impl Iterator<Item = &'static FileKind> {
    let formats = FORMATS.into_iter().map(|format| format.kind);
    formats.chain([&kind::SVG, &kind::PNG, &kind::GIF, &kind::MP4])
}

/// So much of a file is looked at.
const HEAD: u64 = 4096;

/// A file is replaced only by one of its own kind, unless the user says otherwise.
impl FileKind {
    /// The kind that the ending of a name stands for.
    pub fn of_name(path: &Path) -> Option<&'static Self> {
        let extension = path.extension()?;
        kinds().find(|kind| extension.eq_ignore_ascii_case(kind.extension))
    }

    /// The name that a file of this kind gets where `path` was typed: one with another ending, or none, gets
    /// the ending of the kind behind it.
    ///
    /// # Errors
    /// If the ending is that of another kind, which the file would not be.
    pub fn named(&self, path: &Path) -> Result<PathBuf, String> {
        match Self::of_name(path) {
            Some(kind) if kind == self => Ok(path.to_owned()),
            Some(other) => Err(format!(
                "{} would not be {}, as its name says: what is written is {}. Let the name end in .{}",
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

    /// Why a file of this kind should not take the place of what is at `path` now, if so. What is not there,
    /// is empty or cannot be looked at is none of its concern.
    pub fn objection(&self, path: &Path) -> Option<String> {
        if !std::fs::metadata(path).is_ok_and(|there| there.is_file() && there.len() > 0) {
            return None;
        }
        let mut head = Vec::new();
        File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        if self.fits(&head) {
            return None;
        }
        let mut others = kinds().filter(|kind| *kind != self);
        let is = match others.find(|kind| kind.fits(&head)) {
            Some(other) => format!("it is {}", other.noun),
            None => format!("it is not {}", self.noun),
        };
        Some(format!("{} is there already, and {is}", path.display()))
    }

    fn fits(&self, head: &[u8]) -> bool {
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        (self.begins)(text.trim_ascii_start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_their_ending() {
        let named = |name: &str| {
            js3d::KIND
                .named(Path::new(name))
                .map(|path| path.display().to_string())
        };
        assert_eq!(named("a/walk.js3d"), Ok("a/walk.js3d".into()));
        assert_eq!(named("a/walk.JS3D"), Ok("a/walk.JS3D".into()));
        assert_eq!(named("a.b/walk"), Ok("a.b/walk.js3d".into()));
        assert_eq!(named("walk v1.2"), Ok("walk v1.2.js3d".into()));
        for other in ["a.obj", "a.OBJ", "a.png", "a.svg"] {
            assert!(
                named(other).is_err_and(|error| error.contains(".js3d")),
                "{other}"
            );
        }
        assert!(obj::KIND.named(Path::new("a.js3d")).is_err());
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
                assert_eq!(
                    new.objection(&path).is_none(),
                    new == kind,
                    "{new:?} over {kind:?}"
                );
            }
        }
        std::fs::write(&path, "Dear diary").unwrap();
        assert!(kinds().all(|kind| kind.objection(&path).is_some()));
        std::fs::write(&path, "").unwrap();
        assert!(kind::SVG.objection(&path).is_none());
        assert!(kind::SVG.objection(&folder.path().join("none")).is_none());
    }
}
