//! The files that textures name: where they are, and whether they may be pictures that we can show. Decodes nothing.

use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a picture cannot be shown.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PictureError {
    #[error("there is no file {0}")]
    Missing(String),
    #[error("{0} is neither a PNG nor a JPEG file")]
    Format(String),
    #[error("it is {0} by {1} pixels; at most 64 million are read")]
    TooLarge(u64, u64),
    #[error("{0}")]
    Damaged(String),
}

pub const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
pub const JPEG: &[u8] = b"\xff\xd8\xff";

/// The file that a texture names, if there is one.
pub fn find(image: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let beside = folder.map(|folder| folder.join(image));
    let mut paths = beside.into_iter().chain([PathBuf::from(image)]);
    paths.find(|path| path.is_file())
}

/// Why the file that a texture names cannot be shown, as far as its first bytes say.
pub fn objection(image: &str, folder: Option<&Path>) -> Option<PictureError> {
    if image.starts_with("hdr64:") {
        return None;
    }
    let Some(path) = find(image, folder) else {
        return Some(PictureError::Missing(image.to_owned()));
    };
    let mut head = Vec::new();
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(PNG.len() as u64).read_to_end(&mut head));
    match read {
        Err(error) => Some(PictureError::Damaged(format!("{image}: {error}"))),
        Ok(_) if head.starts_with(PNG) || head.starts_with(JPEG) => None,
        Ok(_) => Some(PictureError::Format(image.to_owned())),
    }
}
