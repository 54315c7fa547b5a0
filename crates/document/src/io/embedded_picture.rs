//! Pictures embedded in the text of a texture as data URIs, `data:image/png;name=skin;base64,…`: pictures
//! from files of other formats, until the imported scene is saved.

use super::picture_error::{JPEG, PNG, PictureError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A picture with the name of its future file.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedPicture {
    pub name: String,
    /// The file extension, without the dot.
    pub extension: &'static str,
    pub bytes: Vec<u8>,
}

const SCHEME: &str = "data:";
const NAME_KEY: &str = "name=";
const BASE64: &str = "base64,";
/// Media types and their file extensions. Only the first two can be shown.
const TYPES: [(&str, &str); 6] = [
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
    ("image/ktx2", "ktx2"),
    ("application/octet-stream", "bin"),
];
/// The maximum length of a name in characters; longer names are truncated.
const MAX_NAME_LENGTH: usize = 60;

/// Whether the text of a texture is a picture rather than a path.
pub fn is_embedded(image: &str) -> bool {
    image.starts_with(SCHEME)
}

/// Encodes a picture as text. Characters of `name` that file names must not contain are replaced;
/// `media_type` applies to bytes that are neither PNG nor JPEG.
pub fn embed(name: &str, media_type: Option<&str>, bytes: &[u8]) -> String {
    let stated = TYPES.iter().find(|(stated, _)| Some(*stated) == media_type);
    let (media_type, _) = match bytes {
        _ if bytes.starts_with(PNG) => TYPES[0],
        _ if bytes.starts_with(JPEG) => TYPES[1],
        _ => *stated.unwrap_or(&TYPES[TYPES.len() - 1]),
    };
    let plain = |letter: char| if letter.is_alphanumeric() || "-_ ".contains(letter) { letter } else { '_' };
    let name: String = name.trim().chars().take(MAX_NAME_LENGTH).map(plain).collect();
    let mut text = format!("{SCHEME}{media_type};{NAME_KEY}{name};{BASE64}");
    STANDARD.encode_string(bytes, &mut text);
    text
}

/// Decodes the picture in the text of a texture; `None` if the text is not an embedded picture.
///
/// # Errors
/// If the picture is damaged.
pub fn decode_embedded(image: &str) -> Option<Result<EmbeddedPicture, PictureError>> {
    let (head, code) = parts(image)?;
    let damaged =
        |reason: &dyn std::fmt::Display| Err(PictureError::Damaged(format!("{}: {reason}", label(image))));
    let Some(code) = code else {
        return Some(damaged(&"its text is not base64"));
    };
    let media_type = head.split(';').next().unwrap_or_default();
    let found = TYPES.iter().find(|(known_type, _)| *known_type == media_type);
    let (_, extension) = found.unwrap_or(&TYPES[TYPES.len() - 1]);
    Some(match STANDARD.decode(code) {
        Err(error) => damaged(&error),
        Ok(bytes) => Ok(EmbeddedPicture { name: name(head).to_owned(), extension, bytes }),
    })
}

/// The name of a texture's picture for messages: the path, or the name of an embedded picture.
pub fn label(image: &str) -> &str {
    match parts(image) {
        Some((head, _)) => name(head),
        None => image,
    }
}

/// Splits off the text before the picture, and returns both; the second is `None` if it is not base64.
fn parts(image: &str) -> Option<(&str, Option<&str>)> {
    let rest = image.strip_prefix(SCHEME)?;
    // Text from other programs may be long and contain no comma.
    let end = rest.bytes().take(1000).position(|byte| byte == b',');
    let (head, code) = match end {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => return Some(("", None)),
    };
    Some((head, head.ends_with(&BASE64[..BASE64.len() - 1]).then_some(code)))
}

fn name(head: &str) -> &str {
    let name = head.split(';').find_map(|part| part.strip_prefix(NAME_KEY));
    name.filter(|name| !name.is_empty()).unwrap_or("image")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back() {
        let text = embed("a/b;c skin ", Some("image/webp"), b"RIFF");
        let found = decode_embedded(&text).unwrap().unwrap();
        assert_eq!((&*found.name, found.extension, &*found.bytes), ("a_b_c skin", "webp", &b"RIFF"[..]));
        assert_eq!(label(&text), "a_b_c skin");
        // The bytes decide, not the media type.
        let png = decode_embedded(&embed("", Some("image/jpeg"), PNG)).unwrap().unwrap();
        assert_eq!((&*png.name, png.extension), ("image", "png"));
        assert_eq!(decode_embedded(&embed("a", None, b"?")).unwrap().unwrap().extension, "bin");
    }

    #[test]
    fn paths_are_none_and_damaged_texts_are_errors() {
        for path in ["skin.png", "hdr64:AAAA", ""] {
            assert_eq!(decode_embedded(path), None);
            assert_eq!(label(path), path);
        }
        for damaged in ["data:", "data:image/png,abc", "data:image/png;base64,*", "data:é;base64"] {
            assert!(matches!(decode_embedded(damaged), Some(Err(_))), "{damaged}");
        }
    }
}
