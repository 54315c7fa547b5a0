//! A glTF file with the bytes that it refers to: the JSON as types, buffers and images from the file itself, from data
//! URIs, and from files below its folder. Nothing else is opened.

use super::super::glb;
use super::super::schema::Document;
use super::{HINT, refuse};
use crate::io::file::{self, ReadError};
use crate::io::limits::{FILE_BYTES, JSON_COST, json_cost};
use crate::io::report::{Report, Severity};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserialize;
use std::borrow::Cow;
use std::cell::Cell;
use std::path::{Component, Path, PathBuf};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The byte order mark of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Extensions without which a file cannot be read that requires them, and what makes a file without them.
const PACKED: [(&str, &str); 4] = [
    (
        "KHR_draco_mesh_compression",
        "`gltf-transform copy in.glb out.glb`",
    ),
    ("EXT_meshopt_compression", "`gltf-transform copy in.glb out.glb`"),
    ("KHR_meshopt_compression", "`gltf-transform copy in.glb out.glb`"),
    (
        "KHR_texture_basisu",
        "`gltf-transform ktxdecompress in.glb out.glb`",
    ),
];
/// Extensions that may be required: read, or without effect on what is read.
const KNOWN: [&str; 8] = [
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "KHR_materials_transmission",
    "KHR_materials_ior",
    "KHR_materials_emissive_strength",
    "KHR_materials_specular",
];

/// A file whose JSON was read. Nothing of it is checked yet: see [`super::check`].
pub struct Source<'a> {
    pub document: Document,
    /// As long as the document says, at least.
    pub buffers: Vec<Cow<'a, [u8]>>,
    pub(super) folder: Option<&'a Path>,
    /// Numbers that may still be read from accessors.
    pub(super) budget: Cell<usize>,
}

/// Numbers that accessors may hold in all: files may name one view a thousand times.
const MOST_NUMBERS: usize = 1 << 27;

impl<'a> Source<'a> {
    /// `folder`: that of the file, for what lies beside it; without it files beside it are refused.
    pub fn open(bytes: &'a [u8], folder: Option<&'a Path>, report: &mut Report) -> Result<Self, ReadError> {
        let (json, bin) = match bytes.starts_with(glb::MAGIC) {
            true => {
                let glb = glb::parse(bytes).map_err(|error| ReadError::Content {
                    what: error.to_string(),
                    hint: HINT.into(),
                })?;
                for text in glb.odd {
                    report.add(Severity::Warning, "odd-container", "", text);
                }
                (glb.json, glb.bin)
            }
            false => (bytes.strip_prefix(BOM).unwrap_or(bytes), None),
        };
        if bytes.starts_with(BOM) {
            let text = "the file begins with a byte order mark, which JSON may not";
            report.add(Severity::Note, "byte-order-mark", "", text);
        }
        let cost = json_cost(json);
        if cost > JSON_COST {
            return Err(ReadError::Content {
                what: format!("the JSON of the file holds too much ({cost} of {JSON_COST} values)"),
                hint: "Export it as .glb, or in parts".into(),
            });
        }
        let asset: Head = serde_json::from_slice(json).map_err(|error| syntax(json, &error))?;
        version(&asset)?;
        let document: Document = serde_json::from_slice(json).map_err(|error| syntax(json, &error))?;
        required(&document)?;
        let mut source = Self {
            document,
            buffers: Vec::new(),
            folder,
            budget: Cell::new(MOST_NUMBERS),
        };
        source.fill(bin, report)?;
        Ok(source)
    }

    fn fill(&mut self, bin: Option<&'a [u8]>, report: &mut Report) -> Result<(), ReadError> {
        let mut total = 0u64;
        for (index, buffer) in self.document.buffers.iter().enumerate() {
            let at = format!("/buffers/{index}");
            let content = match (&buffer.uri, bin) {
                (Some(uri), _) => self.resolve(uri, &at)?,
                (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
                (None, _) => return Err(refuse(at, "the buffer has neither a uri nor bytes in the file")),
            };
            total += content.len() as u64;
            if total > FILE_BYTES {
                return Err(refuse(at, "the buffers hold more than 1 GiB"));
            }
            if content.len() < buffer.byte_length {
                let what = format!(
                    "the buffer has {} bytes, where {} are stated",
                    content.len(),
                    buffer.byte_length
                );
                return Err(refuse(at, what));
            }
            let padding = if buffer.uri.is_none() { 3 } else { 0 };
            if content.len() > buffer.byte_length.saturating_add(padding) {
                let text = format!(
                    "{} bytes behind the buffer are left out",
                    content.len() - buffer.byte_length
                );
                report.add(Severity::Note, "bytes-behind-buffer", at, text);
            }
            self.buffers.push(content);
        }
        Ok(())
    }

    /// The bytes that a URI names.
    pub fn resolve(&self, uri: &str, at: &str) -> Result<Cow<'a, [u8]>, ReadError> {
        if let Some(data) = uri.strip_prefix("data:") {
            let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
            let encoded = encoded.ok_or_else(|| refuse(at, "the data URI is not base64"))?;
            let decoded = BASE64.decode(encoded.trim_end());
            let decoded = decoded.map_err(|error| refuse(at, format!("the data URI is damaged: {error}")))?;
            return Ok(Cow::Owned(decoded));
        }
        let path = self.beside(uri).map_err(|what| refuse(at, what))?;
        Ok(Cow::Owned(file::read(&path, "glTF")?))
    }

    /// The file that a relative URI names.
    ///
    /// # Errors
    /// If it does not lie below the folder of the file.
    pub fn beside(&self, uri: &str) -> Result<PathBuf, String> {
        let Some(folder) = self.folder else {
            return Err(format!(
                "“{}” is next to the file, which has no folder",
                short(uri)
            ));
        };
        let name = relative(uri).ok_or_else(|| {
            format!(
                "“{}” is not a path below the folder of the file, and is not opened",
                short(uri)
            )
        })?;
        let path = folder.join(name);
        // Links may lead elsewhere.
        let real = |path: &Path| path.canonicalize().ok();
        match (
            real(&path),
            real(if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            }),
        ) {
            (Some(path), Some(folder)) if !path.starts_with(&folder) => Err(format!(
                "“{}” leads out of the folder of the file, and is not opened",
                short(uri)
            )),
            _ => Ok(path),
        }
    }

    /// The path of a picture that a relative URI names, from the folder of the file on. It need not be there.
    ///
    /// # Errors
    /// As [`Self::beside`].
    pub fn picture_beside(&self, uri: &str) -> Result<String, String> {
        self.beside(uri)?;
        let path = relative(uri).unwrap_or_default();
        Ok(path.to_string_lossy().into_owned())
    }
}

#[derive(Deserialize)]
struct Head {
    asset: HeadAsset,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeadAsset {
    version: String,
    min_version: Option<String>,
}

fn version(head: &Head) -> Result<(), ReadError> {
    let HeadAsset { version, min_version } = &head.asset;
    let wrong = match min_version {
        Some(least) if least != "2.0" => Some(least),
        _ => (!version.starts_with("2.")).then_some(version),
    };
    wrong.map_or(Ok(()), |version| {
        Err(ReadError::Value {
            what: match version.trim() {
                "" => "the file does not say which version of glTF it is; only glTF 2.0 can be read".into(),
                version => format!("the file is glTF {}; only glTF 2.0 can be read", short(version)),
            },
            at: "/asset".into(),
            hint: "Open it in Blender and export it as glTF 2.0".into(),
        })
    })
}

fn required(document: &Document) -> Result<(), ReadError> {
    for (index, name) in document.extensions_required.iter().enumerate() {
        let at = format!("/extensionsRequired/{index}");
        if let Some((name, tool)) = PACKED.into_iter().find(|(packed, _)| packed == name) {
            return Err(ReadError::Value {
                what: format!("the file is packed with {name}, which cannot be unpacked here"),
                at,
                hint: format!("Unpack it with glTF Transform: {tool}, or export it without compression"),
            });
        }
        if !KNOWN.contains(&name.as_str()) {
            let what = format!(
                "the file requires the extension {}, which is not known here",
                short(name)
            );
            return Err(refuse(at, what));
        }
    }
    Ok(())
}

/// The path that a relative URI means, if it stays below.
fn relative(uri: &str) -> Option<PathBuf> {
    let text = percent_decoded(uri)?;
    if text.is_empty() || text.contains(['\\', ':', '\0']) {
        return None;
    }
    let path = PathBuf::from(text);
    let below = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    below.then_some(path)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte == b'%'
            && let [high, low, behind @ ..] = after
        {
            let digits = std::str::from_utf8(&[*high, *low]).ok().map(str::to_owned);
            if let Some(value) = digits.and_then(|digits| u8::from_str_radix(&digits, 16).ok()) {
                bytes.push(value);
                rest = behind;
                continue;
            }
        }
        bytes.push(*byte);
    }
    String::from_utf8(bytes).ok()
}

/// The beginning of a text of the file, for messages.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn syntax(json: &[u8], error: &serde_json::Error) -> ReadError {
    if json.trim_ascii().is_empty() {
        let (what, hint) = ("the file is empty".into(), HINT.into());
        return ReadError::Content { what, hint };
    }
    let (line, column) = (error.line(), error.column());
    let mut starts = std::iter::once(0).chain(
        json.iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(i, _)| i + 1),
    );
    let offset = starts.nth(line.saturating_sub(1)).unwrap_or(0) + column.saturating_sub(1);
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    ReadError::Syntax {
        what: match what {
            "missing field `asset`" => "the file is not glTF: it says no version (`asset`)".into(),
            what => format!("the file is not glTF 2.0: {}", short(what)),
        },
        offset,
        line,
        column,
        hint: HINT.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stay_below_the_folder() {
        for (uri, path) in [
            ("a.bin", "a.bin"),
            ("sub/a%20b.bin", "sub/a b.bin"),
            ("./100%.bin", "./100%.bin"),
        ] {
            assert_eq!(relative(uri), Some(path.into()), "{uri}");
        }
        for uri in [
            "",
            "/etc/passwd",
            "../a.bin",
            "a/../../b",
            "%2e%2e/a",
            "http://a/b",
            "C:/a",
            "a\\b",
            "a%00",
            "%ff",
        ] {
            assert_eq!(relative(uri), None, "{uri}");
        }
    }
}
