//! The original scene inside a glTF file: a buffer view called `ossature.js3d` that contains the deflated
//! js3d, referenced in the extras of `asset` with a digest of everything else. It is used as long as no other
//! program has rewritten the file; others leave it out when they do.

use super::extras::OURS;
use super::schema::{BufferView, Document, Index};
use crate::io::limits::FILE_BYTES;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::ops::Range;

/// The name of the buffer view.
const NAME: &str = "ossature.js3d";
/// The placeholder for the digest while it is computed.
const BLANK: &str = "0000000000000000";
/// The compression level: higher ones take long and gain little.
const LEVEL: u8 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PackedScene {
    scene: Index,
    /// The length of the js3d in bytes.
    byte_length: usize,
    digest: String,
}

/// Adds a scene, as js3d, to a document and its only buffer. The digest is blank until [`seal`] fills it in.
pub fn add(document: &mut Document, bytes: &mut Vec<u8>, js3d: &[u8]) {
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(js3d, LEVEL);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    document.buffer_views.push(BufferView {
        name: Some(NAME.to_owned()),
        byte_offset: Some(bytes.len()),
        byte_length: packed.len(),
        ..BufferView::default()
    });
    bytes.extend(packed);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let packed = PackedScene {
        scene: document.buffer_views.len() - 1,
        byte_length: js3d.len(),
        digest: BLANK.to_owned(),
    };
    document.asset.extras = Some(json!({ OURS: packed }));
}

/// Returns the JSON of a document, with the digest filled in if it contains a scene.
pub fn seal(json: Vec<u8>, document: &Document, bytes: &[u8]) -> Vec<u8> {
    let Some((_, range)) = find(document, bytes) else {
        return json;
    };
    let digest = digest(&json, bytes, range);
    replace(&json, BLANK, &digest).unwrap_or(json)
}

/// Returns the js3d of the scene in a file, from its JSON and its first buffer; `None` if there is none, or
/// the file was changed after it was written.
pub fn unpack(json: &[u8], document: &Document, bytes: &[u8]) -> Option<Vec<u8>> {
    let (packed, range) = find(document, bytes)?;
    let json = json.trim_ascii_end();
    let blank = replace(json, &packed.digest, BLANK)?;
    if digest(&blank, bytes, range.clone()) != packed.digest || packed.byte_length as u64 > FILE_BYTES {
        return None;
    }
    let js3d =
        miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&bytes[range], packed.byte_length).ok()?;
    (js3d.len() == packed.byte_length).then_some(js3d)
}

/// Returns the description of the packed scene, and its range of bytes.
fn find(document: &Document, bytes: &[u8]) -> Option<(PackedScene, Range<usize>)> {
    let member: &Value = document.asset.extras.as_ref()?.get(OURS)?;
    let packed = PackedScene::deserialize(member).ok()?;
    let view = document.buffer_views.get(packed.scene)?;
    let start = view.byte_offset.unwrap_or(0);
    let range = start..start.checked_add(view.byte_length)?;
    let is_ours =
        view.name.as_deref() == Some(NAME) && view.buffer == 0 && packed.digest.len() == BLANK.len();
    (is_ours && range.end <= bytes.len()).then_some((packed, range))
}

/// Replaces the first string `old` in `json` by `new`, which has the same length.
fn replace(json: &[u8], old: &str, new: &str) -> Option<Vec<u8>> {
    let quoted = format!("\"{old}\"");
    let position = json.windows(quoted.len()).position(|part| part == quoted.as_bytes())?;
    let mut result = json.to_vec();
    result[position + 1..position + 1 + old.len()].copy_from_slice(new.as_bytes());
    Some(result)
}

/// Returns the FNV-1a digest (64 bits) of everything except the packed bytes. It detects edits, but does not
/// protect against forgery.
fn digest(json: &[u8], bytes: &[u8], packed: Range<usize>) -> String {
    let rest = [json, &bytes[..packed.start], &bytes[packed.end..]];
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in rest.into_iter().flatten() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (Document, Vec<u8>, Vec<u8>) {
        let (mut document, mut bytes) = (Document::default(), vec![1, 2, 3, 4, 5]);
        document.asset.version = "2.0".into();
        add(&mut document, &mut bytes, b"{\"scene\":{}}");
        let json = seal(document.to_json().unwrap(), &document, &bytes);
        (serde_json::from_slice(&json).unwrap(), json, bytes)
    }

    #[test]
    fn what_was_packed_comes_back_while_nothing_changes() {
        let (document, mut json, mut bytes) = file();
        json.extend(b"  ");
        assert_eq!(unpack(&json, &document, &bytes).as_deref(), Some(&b"{\"scene\":{}}"[..]));
        bytes[2] = 0;
        assert_eq!(unpack(&json, &document, &bytes), None);
        bytes[2] = 3;
        let version = json.windows(3).position(|part| part == b"2.0").unwrap();
        json[version] = b'3';
        assert_eq!(unpack(&json, &document, &bytes), None);
    }

    #[test]
    fn damaged_bytes_are_no_scene() {
        let (document, json, bytes) = file();
        let (_, range) = find(&document, &bytes).unwrap();
        for index in range {
            let mut damaged = bytes.clone();
            damaged[index] ^= 0x55;
            let found = unpack(&json, &document, &damaged);
            assert!(found.is_none_or(|found| found.len() == 12), "{index}");
        }
        assert_eq!(unpack(&json, &document, &bytes[..4]), None);
        assert_eq!(unpack(&json, &Document::default(), &bytes), None);
    }
}
