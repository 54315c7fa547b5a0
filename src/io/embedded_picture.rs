//! Pictures that lie in the text of their texture: those of a file of another format, as long as the scene that they came
//! with was not saved. `data:image/png;name=skin;base64,…`.

use super::picture_error::{JPEG, PNG, PictureError};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A picture with what its file is to be called.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedPicture {
    pub name: String,
    /// Without the dot.
    pub extension: &'static str,
    pub bytes: Vec<u8>,
}

const SCHEME: &str = "data:";
const NAMED: &str = "name=";
const BASE64: &str = "base64,";
/// Media types and the endings of their files. Only the first two can be shown.
const TYPES: [(&str, &str); 6] = [
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
    ("image/ktx2", "ktx2"),
    ("application/octet-stream", "bin"),
];
/// Longer names are cut.
const LONGEST_NAME: usize = 60;

/// Whether a texture's text is a picture, not a path.
pub fn is_embedded(image: &str) -> bool {
    image.starts_with(SCHEME)
}

/// The text of a picture. Of `name` stays what a name of a file may be; `media_type` counts for bytes that are neither
/// PNG nor JPEG.
pub fn embed(name: &str, media_type: Option<&str>, bytes: &[u8]) -> String {
    let stated = TYPES.iter().find(|(stated, _)| Some(*stated) == media_type);
    let (media_type, _) = match bytes {
        _ if bytes.starts_with(PNG) => TYPES[0],
        _ if bytes.starts_with(JPEG) => TYPES[1],
        _ => *stated.unwrap_or(&TYPES[TYPES.len() - 1]),
    };
    let plain = |letter: char| match letter.is_alphanumeric() || "-_ ".contains(letter) {
        true => letter,
        false => '_',
    };
    let name: String = name.trim().chars().take(LONGEST_NAME).map(plain).collect();
    let mut text = format!("{SCHEME}{media_type};{NAMED}{name};{BASE64}");
    STANDARD.encode_string(bytes, &mut text);
    text
}

/// What a texture's text holds; `None` if it is none of a picture.
///
/// # Errors
/// If it is damaged.
pub fn embedded(image: &str) -> Option<Result<EmbeddedPicture, PictureError>> {
    let (head, code) = parts(image)?;
    let damaged =
        |what: &dyn std::fmt::Display| Err(PictureError::Damaged(format!("{}: {what}", label(image))));
    let Some(code) = code else {
        return Some(damaged(&"its text is not base64"));
    };
    let media_type = head.split(';').next().unwrap_or_default();
    let known = TYPES.iter().find(|(of, _)| *of == media_type);
    let (_, extension) = known.unwrap_or(&TYPES[TYPES.len() - 1]);
    Some(match STANDARD.decode(code) {
        Err(error) => damaged(&error),
        Ok(bytes) => Ok(EmbeddedPicture {
            name: name(head).to_owned(),
            extension,
            bytes,
        }),
    })
}

/// What a texture's text is called in messages: the path, or the name of the picture.
pub fn label(image: &str) -> &str {
    match parts(image) {
        Some((head, _)) => name(head),
        None => image,
    }
}

/// What stands before the picture, and the picture itself.
fn parts(image: &str) -> Option<(&str, Option<&str>)> {
    let rest = image.strip_prefix(SCHEME)?;
    // Texts of others may be long, and without a comma.
    let end = rest.bytes().take(1000).position(|byte| byte == b',');
    let (head, code) = match end {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => return Some(("", None)),
    };
    Some((head, head.ends_with(&BASE64[..BASE64.len() - 1]).then_some(code)))
}

fn name(head: &str) -> &str {
    let name = head.split(';').find_map(|part| part.strip_prefix(NAMED));
    name.filter(|name| !name.is_empty()).unwrap_or("image")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back() {
        let text = embed("a/b;c skin ", Some("image/webp"), b"RIFF");
        let found = embedded(&text).unwrap().unwrap();
        assert_eq!(
            (&*found.name, found.extension, &*found.bytes),
            ("a_b_c skin", "webp", &b"RIFF"[..])
        );
        assert_eq!(label(&text), "a_b_c skin");
        // What the bytes say counts.
        let png = embedded(&embed("", Some("image/jpeg"), PNG)).unwrap().unwrap();
        assert_eq!((&*png.name, png.extension), ("image", "png"));
        assert_eq!(
            embedded(&embed("a", None, b"?")).unwrap().unwrap().extension,
            "bin"
        );
    }

    #[test]
    fn paths_are_none_and_damaged_texts_are_errors() {
        for path in ["skin.png", "hdr64:AAAA", ""] {
            assert_eq!(embedded(path), None);
            assert_eq!(label(path), path);
        }
        for damaged in [
            "data:",
            "data:image/png,abc",
            "data:image/png;base64,*",
            "data:é;base64",
        ] {
            assert!(matches!(embedded(damaged), Some(Err(_))), "{damaged}");
        }
    }
}
