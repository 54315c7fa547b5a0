//! Kinds of files: their extensions, and how their content begins. The kinds of scenes and meshes are defined
//! with their formats.

use std::fmt;

pub struct FileKind {
    /// The extension of its files, without the dot.
    pub extension: &'static str,
    /// A noun phrase for messages: `a js3d scene`.
    pub noun: &'static str,
    /// The plural, for lists of files: `js3d scenes`.
    pub nouns: &'static str,
    /// Whether a file may begin with these bytes. A byte order mark and white space before text are already
    /// removed.
    pub is_start: fn(&[u8]) -> bool,
}

/// Pictures and films, which are only written.
pub static SVG: FileKind = FileKind {
    extension: "svg",
    noun: "an SVG drawing",
    nouns: "SVG drawings",
    is_start: |head| head.starts_with(b"<") && head.windows(4).any(|part| part == b"<svg"),
};
pub static PNG: FileKind = FileKind {
    extension: "png",
    noun: "a PNG picture",
    nouns: "PNG pictures",
    is_start: |head| head.starts_with(b"\x89PNG\r\n\x1a\n"),
};
pub static GIF: FileKind =
    FileKind { extension: "gif", noun: "a GIF", nouns: "GIFs", is_start: |head| head.starts_with(b"GIF8") };
pub static MP4: FileKind = FileKind {
    extension: "mp4",
    noun: "an MP4 film",
    nouns: "MP4 films",
    is_start: |head| head.get(4..8) == Some(b"ftyp"),
};

/// Whether text may be glTF: other JSON has none of these members.
pub fn begins_as_gltf(text: &[u8]) -> bool {
    let has = |member: &[u8]| text.windows(member.len()).any(|part| part == member);
    text.starts_with(b"{") && [&b"\"asset\""[..], b"\"accessors\"", b"\"bufferViews\""].into_iter().any(has)
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
