//! Kinds of files that the program writes: their endings, and how their content begins. A file is replaced
//! only by one of its own kind, unless the user says otherwise.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    Js3d,
    Obj,
    Svg,
    Png,
    Gif,
    Mp4,
}

/// So much of a file is looked at.
const HEAD: u64 = 4096;

impl FileKind {
    pub const ALL: [FileKind; 6] = [
        FileKind::Js3d,
        FileKind::Obj,
        FileKind::Svg,
        FileKind::Png,
        FileKind::Gif,
        FileKind::Mp4,
    ];

    /// The ending of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            FileKind::Js3d => "js3d",
            FileKind::Obj => "obj",
            FileKind::Svg => "svg",
            FileKind::Png => "png",
            FileKind::Gif => "gif",
            FileKind::Mp4 => "mp4",
        }
    }

    /// What such a file is, for messages: `a js3d scene`.
    pub fn noun(self) -> &'static str {
        match self {
            FileKind::Js3d => "a js3d scene",
            FileKind::Obj => "an OBJ mesh",
            FileKind::Svg => "an SVG drawing",
            FileKind::Png => "a PNG picture",
            FileKind::Gif => "a GIF",
            FileKind::Mp4 => "an MP4 film",
        }
    }

    /// The kind that the ending of a name stands for.
    pub fn of_name(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let mut all = Self::ALL.into_iter();
        all.find(|kind| extension.eq_ignore_ascii_case(kind.extension()))
    }

    /// The name that a file of this kind gets where `path` was typed: one with another ending, or none, gets
    /// the ending of the kind behind it.
    ///
    /// # Errors
    /// If the ending is that of another kind, which the file would not be.
    pub fn named(self, path: &Path) -> Result<PathBuf, String> {
        match Self::of_name(path) {
            Some(kind) if kind == self => Ok(path.to_owned()),
            Some(other) => Err(format!(
                "{} would not be {}, as its name says: what is written is {}. Let the name end in .{}",
                path.display(),
                other.noun(),
                self.noun(),
                self.extension()
            )),
            None => {
                let mut name = path.file_name().unwrap_or_default().to_owned();
                name.push(".");
                name.push(self.extension());
                Ok(path.with_file_name(name))
            }
        }
    }

    /// Why a file of this kind should not take the place of what is at `path` now, if so. What is not there,
    /// is empty or cannot be looked at is none of its concern.
    pub fn objection(self, path: &Path) -> Option<String> {
        if !std::fs::metadata(path).is_ok_and(|there| there.is_file() && there.len() > 0) {
            return None;
        }
        let mut head = Vec::new();
        File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
        if self.fits(&head) {
            return None;
        }
        let mut others = Self::ALL.into_iter().filter(|kind| *kind != self);
        let is = match others.find(|kind| kind.fits(&head)) {
            Some(other) => format!("it is {}", other.noun()),
            None => format!("it is not {}", self.noun()),
        };
        Some(format!("{} is there already, and {is}", path.display()))
    }

    /// Whether a file of this kind may begin so.
    fn fits(self, head: &[u8]) -> bool {
        let text = head
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(head)
            .trim_ascii_start();
        let tag = |tag: &[u8]| text.windows(tag.len()).any(|part| part == tag);
        match self {
            FileKind::Js3d => text.starts_with(b"{"),
            FileKind::Obj => begins_as_obj(text),
            FileKind::Svg => text.starts_with(b"<") && tag(b"<svg"),
            FileKind::Png => head.starts_with(b"\x89PNG\r\n\x1a\n"),
            FileKind::Gif => head.starts_with(b"GIF8"),
            FileKind::Mp4 => head.get(4..8) == Some(b"ftyp"),
        }
    }
}

/// The first statement behind comments is one of OBJ. A comment alone is enough, where it fills the head.
fn begins_as_obj(text: &[u8]) -> bool {
    let mut lines = text
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty() && !line.starts_with(b"#")) else {
        return text.starts_with(b"#");
    };
    let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let words: [&[u8]; 12] = [
        b"v", b"vt", b"vn", b"vp", b"f", b"l", b"p", b"o", b"g", b"s", b"mtllib", b"usemtl",
    ];
    words.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_get_their_ending() {
        let named = |name: &str| {
            FileKind::Js3d
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
        assert!(FileKind::Obj.named(Path::new("a.js3d")).is_err());
    }

    #[test]
    fn a_file_is_replaced_by_its_own_kind_alone() {
        let folder = tempfile::tempdir().unwrap();
        let contents: [(FileKind, &[u8]); 8] = [
            (FileKind::Js3d, b"\xef\xbb\xbf \n{\"scene\":{}}"),
            (FileKind::Obj, b"# made by hand\r\n\r\nv 0 0 0"),
            (FileKind::Obj, b"# a comment alone"),
            (FileKind::Obj, b"mtllib human.mtl\n"),
            (FileKind::Svg, b"<?xml version='1.0'?>\n<svg>"),
            (FileKind::Png, b"\x89PNG\r\n\x1a\n..."),
            (FileKind::Gif, b"GIF89a..."),
            (FileKind::Mp4, b"\0\0\0\x20ftypisom"),
        ];
        let path = folder.path().join("file");
        for (kind, content) in contents {
            std::fs::write(&path, content).unwrap();
            for new in FileKind::ALL {
                assert_eq!(
                    new.objection(&path).is_none(),
                    new == kind,
                    "{new:?} over {kind:?}"
                );
            }
        }
        std::fs::write(&path, "Dear diary").unwrap();
        assert!(FileKind::ALL.iter().all(|kind| kind.objection(&path).is_some()));
        std::fs::write(&path, "").unwrap();
        assert!(FileKind::Svg.objection(&path).is_none());
        assert!(FileKind::Svg.objection(&folder.path().join("none")).is_none());
    }
}
