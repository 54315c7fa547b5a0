//! File names that are numbered by frame: `frames/%04d.obj`.

use std::path::{Path, PathBuf};

/// A path whose file name contains one `%d`, optionally with a number of digits.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberedPath {
    folder: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl NumberedPath {
    /// Returns `%04d` with an extension, in a folder.
    pub fn in_folder(folder: &Path, extension: &str) -> Self {
        Self { folder: folder.to_owned(), before: String::new(), digits: 4, after: format!(".{extension}") }
    }

    /// Parses a path with a `%d`.
    ///
    /// # Errors
    /// If the file name contains no `%d`, or more than one. The message includes the path.
    pub fn from_path(path: &Path) -> Result<Self, String> {
        let error = || {
            format!(
                "cannot number {}: its file name must hold %d once, or %04d for four digits",
                path.display()
            )
        };
        let name = path.file_name().and_then(|name| name.to_str()).ok_or_else(error)?;
        let (before, rest) = name.split_once('%').ok_or_else(error)?;
        let (digits, after) = rest.split_once('d').ok_or_else(error)?;
        let plain = digits.is_empty() || digits.len() <= 3 && digits.starts_with('0');
        let digits = if digits.is_empty() { Ok(1) } else { digits.parse() };
        match digits {
            Ok(digits @ 1..=20) if plain && !after.contains('%') => Ok(Self {
                folder: path.parent().unwrap_or(Path::new("")).to_owned(),
                before: before.to_owned(),
                digits,
                after: after.to_owned(),
            }),
            _ => Err(error()),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, frame: u32) -> PathBuf {
        let Self { before, after, digits, .. } = self;
        self.folder.join(format!("{before}{frame:0digits$}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hold_the_frame() {
        let name = |pattern: &str, frame| NumberedPath::from_path(Path::new(pattern)).unwrap().path(frame);
        assert_eq!(name("a/%04d.obj", 7), Path::new("a/0007.obj"));
        assert_eq!(name("a/%04d.obj", 12345), Path::new("a/12345.obj"));
        assert_eq!(name("walk-%d.png", 7), Path::new("walk-7.png"));
        assert_eq!(name("%02d", 0), Path::new("00"));
        let frames = NumberedPath::in_folder(Path::new("a/b"), "png");
        assert_eq!(frames.path(12), Path::new("a/b/0012.png"));
        assert_eq!(frames.folder(), Path::new("a/b"));
    }

    #[test]
    fn other_names_are_refused() {
        for bad in [
            "a.obj", "%s.obj", "%4d.obj", "%0d.obj", "%d%d.obj", "%0999d", "%d/a.obj", "%-1d", "..", "",
            "100%",
        ] {
            assert!(NumberedPath::from_path(Path::new(bad)).is_err(), "{bad}");
        }
    }
}
