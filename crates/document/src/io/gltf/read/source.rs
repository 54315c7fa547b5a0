//! A glTF file with the data that it refers to: the JSON as types, buffers and images from the file itself,
//! from data URIs, and from files below its folder. No other files are opened.

use super::super::glb;
use super::super::schema::Document;
use super::{HINT, extensions, refuse, shorten};
use crate::io::count::grouped;
use crate::io::file::{self, ReadError};
use crate::io::limits::{FILE_BYTES, GLTF_CORNERS, GLTF_NUMBERS, JSON_COST, json_cost};
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

/// The UTF-8 byte order mark.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// A file whose JSON was parsed. Nothing is checked yet, see [`super::check`].
pub struct Source<'a> {
    pub document: Document,
    pub json: &'a [u8],
    /// The buffers, at least as long as stated in the document.
    pub buffers: Vec<Cow<'a, [u8]>>,
    pub(super) folder: Option<&'a Path>,
    /// The size of JSON and buffers in bytes.
    pub(super) size: usize,
    /// How many numbers may still be read from accessors.
    pub(super) numbers_left: Cell<usize>,
    /// How many vertices and corners the surfaces may still have.
    corners_left: Cell<usize>,
}

impl<'a> Source<'a> {
    /// Parses a file and loads its buffers. `folder` is the folder of the file; without it, references to
    /// other files are refused.
    pub fn open(bytes: &'a [u8], folder: Option<&'a Path>, report: &mut Report) -> Result<Self, ReadError> {
        let (json, bin) = if bytes.starts_with(glb::MAGIC) {
            let glb = glb::parse(bytes)
                .map_err(|error| ReadError::Content { problem: error.to_string(), hint: HINT.into() })?;
            for text in glb.irregularities {
                report.add(Severity::Warning, "odd-container", "", text);
            }
            (glb.json, glb.bin)
        } else {
            (bytes.strip_prefix(BOM).unwrap_or(bytes), None)
        };
        if bytes.starts_with(BOM) {
            let text = "the file begins with a byte order mark, which JSON may not";
            report.add(Severity::Note, "byte-order-mark", "", text);
        }
        let cost = json_cost(json);
        if cost > JSON_COST {
            return Err(ReadError::Content {
                problem: format!("the JSON of the file holds too much ({cost} of {JSON_COST} values)"),
                hint: "Export it as .glb, or in parts".into(),
            });
        }
        let header: Header = serde_json::from_slice(json).map_err(|error| syntax_error(json, &error))?;
        check_version(&header)?;
        let document: Document = serde_json::from_slice(json).map_err(|error| syntax_error(json, &error))?;
        extensions::check_required(&document.extensions_required)?;
        let mut source = Self {
            document,
            json,
            buffers: Vec::new(),
            folder,
            size: json.len(),
            numbers_left: Cell::new(0),
            corners_left: Cell::new(0),
        };
        source.load_buffers(bin, report)?;
        source.size += source.buffers.iter().map(|buffer| buffer.len()).sum::<usize>();
        source.numbers_left.set(GLTF_NUMBERS.limit(source.size));
        source.corners_left.set(GLTF_CORNERS.limit(source.size));
        Ok(source)
    }

    /// Takes vertices and corners of faces from those that the surfaces may have.
    ///
    /// # Errors
    /// If there are too many.
    pub fn take_corners(&self, corners: usize, pointer: &str) -> Result<(), ReadError> {
        match self.corners_left.get().checked_sub(corners) {
            Some(left) => {
                self.corners_left.set(left);
                Ok(())
            }
            None => Err(ReadError::Value {
                problem: format!(
                    "the surfaces, with a copy of a mesh for each node that carries it on a skeleton, have more than {} \
                     vertices and corners, the most for a file of {} bytes",
                    grouped(GLTF_CORNERS.limit(self.size)),
                    grouped(self.size)
                ),
                pointer: pointer.into(),
                hint: "Export it in parts, or with fewer copies".into(),
            }),
        }
    }

    fn load_buffers(&mut self, bin: Option<&'a [u8]>, report: &mut Report) -> Result<(), ReadError> {
        let mut total = 0u64;
        for (index, buffer) in self.document.buffers.iter().enumerate() {
            let pointer = format!("/buffers/{index}");
            let content = match (&buffer.uri, bin) {
                (Some(uri), _) => self.resolve(uri, &pointer)?,
                (None, Some(bin)) if index == 0 => Cow::Borrowed(bin),
                (None, _) => {
                    return Err(refuse(pointer, "the buffer has neither a uri nor bytes in the file"));
                }
            };
            total += content.len() as u64;
            if total > FILE_BYTES {
                return Err(refuse(pointer, "the buffers hold more than 1 GiB"));
            }
            if content.len() < buffer.byte_length {
                let problem = format!(
                    "the buffer has {} bytes, where {} are stated",
                    content.len(),
                    buffer.byte_length
                );
                return Err(refuse(pointer, problem));
            }
            let padding = if buffer.uri.is_none() { 3 } else { 0 };
            if content.len() > buffer.byte_length.saturating_add(padding) {
                let text =
                    format!("{} bytes behind the buffer are left out", content.len() - buffer.byte_length);
                report.add(Severity::Note, "bytes-behind-buffer", pointer, text);
            }
            self.buffers.push(content);
        }
        Ok(())
    }

    /// Returns the bytes at a URI.
    pub fn resolve(&self, uri: &str, pointer: &str) -> Result<Cow<'a, [u8]>, ReadError> {
        if let Some(data) = uri.strip_prefix("data:") {
            let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
            let encoded = encoded.ok_or_else(|| refuse(pointer, "the data URI is not base64"))?;
            let decoded = BASE64.decode(encoded.trim_end());
            let decoded =
                decoded.map_err(|error| refuse(pointer, format!("the data URI is damaged: {error}")))?;
            return Ok(Cow::Owned(decoded));
        }
        let path = self.resolve_path(uri).map_err(|problem| refuse(pointer, problem))?;
        Ok(Cow::Owned(file::read(&path, "glTF")?))
    }

    /// Returns the path of a file from a relative URI.
    ///
    /// # Errors
    /// If the file is not below the folder of the glTF file.
    pub fn resolve_path(&self, uri: &str) -> Result<PathBuf, String> {
        let Some(folder) = self.folder else {
            return Err(format!("“{}” is next to the file, which has no folder", shorten(uri)));
        };
        let name = relative(uri).ok_or_else(|| {
            format!("“{}” is not a path below the folder of the file, and is not opened", shorten(uri))
        })?;
        let path = folder.join(name);
        // Links may point outside the folder.
        let canonical = |path: &Path| path.canonicalize().ok();
        match (
            canonical(&path),
            canonical(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }),
        ) {
            (Some(path), Some(folder)) if !path.starts_with(&folder) => {
                Err(format!("“{}” leads out of the folder of the file, and is not opened", shorten(uri)))
            }
            _ => Ok(path),
        }
    }

    /// Returns the path of a picture from a relative URI, relative to the folder of the glTF file. It need
    /// not exist.
    ///
    /// # Errors
    /// The errors of [`Self::resolve_path`].
    pub fn picture_path(&self, uri: &str) -> Result<String, String> {
        self.resolve_path(uri)?;
        let path = relative(uri).unwrap_or_default();
        Ok(path.to_string_lossy().into_owned())
    }
}

#[derive(Deserialize)]
struct Header {
    asset: HeaderAsset,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeaderAsset {
    version: String,
    min_version: Option<String>,
}

fn check_version(header: &Header) -> Result<(), ReadError> {
    let HeaderAsset { version, min_version } = &header.asset;
    let unsupported = match min_version {
        Some(required) if required != "2.0" => Some(required),
        _ => (!version.starts_with("2.")).then_some(version),
    };
    unsupported.map_or(Ok(()), |version| {
        Err(ReadError::Value {
            problem: match version.trim() {
                "" => "the file does not say which version of glTF it is; only glTF 2.0 can be read".into(),
                version => format!("the file is glTF {}; only glTF 2.0 can be read", shorten(version)),
            },
            pointer: "/asset".into(),
            hint: "Open it in Blender and export it as glTF 2.0".into(),
        })
    })
}

/// Returns the path of a relative URI, if it is below the folder.
fn relative(uri: &str) -> Option<PathBuf> {
    let text = percent_decoded(uri)?;
    if text.is_empty() || text.contains(['\\', ':', '\0']) {
        return None;
    }
    let path = PathBuf::from(text);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    is_below.then_some(path)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, following @ ..] = rest {
        rest = following;
        if *byte == b'%'
            && let [high, low, remainder @ ..] = following
        {
            let digits = std::str::from_utf8(&[*high, *low]).ok().map(str::to_owned);
            if let Some(value) = digits.and_then(|digits| u8::from_str_radix(&digits, 16).ok()) {
                bytes.push(value);
                rest = remainder;
                continue;
            }
        }
        bytes.push(*byte);
    }
    String::from_utf8(bytes).ok()
}

fn syntax_error(json: &[u8], error: &serde_json::Error) -> ReadError {
    if json.trim_ascii().is_empty() {
        let (problem, hint) = ("the file is empty".into(), HINT.into());
        return ReadError::Content { problem, hint };
    }
    let (line, column) = (error.line(), error.column());
    let mut starts =
        std::iter::once(0).chain(json.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1));
    let offset = starts.nth(line.saturating_sub(1)).unwrap_or(0) + column.saturating_sub(1);
    let text = error.to_string();
    let problem = text.split(" at line ").next().unwrap_or_default();
    ReadError::Syntax {
        problem: match problem {
            "missing field `asset`" => "the file is not glTF: it states no version (`asset`)".into(),
            problem => format!("the file is not glTF 2.0: {}", shorten(problem)),
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
        for (uri, path) in
            [("a.bin", "a.bin"), ("sub/a%20b.bin", "sub/a b.bin"), ("./100%.bin", "./100%.bin")]
        {
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
