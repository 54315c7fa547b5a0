//! A kind of file: its endings, and how its content begins. Kinds of scenes and meshes stand with their formats.

use std::fmt;

pub struct FileKind {
    /// The ending of its files, without the dot.
    pub extension: &'static str,
    /// What such a file is, for messages: `a js3d scene`.
    pub noun: &'static str,
    /// What such files are, in lists of files: `js3d scenes`.
    pub nouns: &'static str,
    /// Whether a file may begin so. White space before text, and a mark of its encoding, do not come along.
    pub begins: fn(&[u8]) -> bool,
}

/// Pictures and films, which are written alone.
pub static SVG: FileKind = FileKind {
    extension: "svg",
    noun: "an SVG drawing",
    nouns: "SVG drawings",
    begins: |head| head.starts_with(b"<") && head.windows(4).any(|part| part == b"<svg"),
};
pub static PNG: FileKind = FileKind {
    extension: "png",
    noun: "a PNG picture",
    nouns: "PNG pictures",
    begins: |head| head.starts_with(b"\x89PNG\r\n\x1a\n"),
};
pub static GIF: FileKind = FileKind {
    extension: "gif",
    noun: "a GIF",
    nouns: "GIFs",
    begins: |head| head.starts_with(b"GIF8"),
};
pub static MP4: FileKind = FileKind {
    extension: "mp4",
    noun: "an MP4 film",
    nouns: "MP4 films",
    begins: |head| head.get(4..8) == Some(b"ftyp"),
};

/// Whether a text may be glTF: other JSON has none of its members.
pub fn begins_as_gltf(text: &[u8]) -> bool {
    let has = |member: &[u8]| text.windows(member.len()).any(|part| part == member);
    text.starts_with(b"{")
        && [&b"\"asset\""[..], b"\"accessors\"", b"\"bufferViews\""]
            .into_iter()
            .any(has)
}

impl PartialEq for FileKind {
    fn eq(&self, other: &Self) -> bool {
        self.extension == other.extension
    }
}

impl fmt::Debug for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension)
    }
}
