//! The picture files of textures: finds them, reads their bytes, and checks their first bytes. Decodes
//! nothing.

use super::embedded_picture::{decode_embedded, label};
pub use super::picture_error::{JPEG, PNG, PictureError};
use super::{durable, file};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Finds the file that a texture names: relative to `folder`, else the path as given.
pub fn find(image: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let relative = folder.map(|folder| folder.join(image));
    let mut paths = relative.into_iter().chain([PathBuf::from(image)]);
    paths.find(|path| path.is_file())
}

/// Returns the bytes of the picture that a texture names or embeds (except js3d pixels).
///
/// # Errors
/// If the picture is missing or cannot be read.
pub fn read_bytes(image: &str, folder: Option<&Path>) -> Result<Vec<u8>, PictureError> {
    if let Some(picture) = decode_embedded(image) {
        return picture.map(|picture| picture.bytes);
    }
    let path = find(image, folder).ok_or_else(|| PictureError::Missing(image.to_owned()))?;
    file::read(&path, "PNG or JPEG").map_err(|error| PictureError::Damaged(error.to_string()))
}

/// Returns why the picture of a texture cannot be shown, as far as its first bytes tell.
pub fn header_error(image: &str, folder: Option<&Path>) -> Option<PictureError> {
    if image.starts_with("hdr64:") {
        return None;
    }
    let head = match decode_embedded(image) {
        Some(picture) => picture.map(|picture| picture.bytes),
        None => read_head(image, folder),
    };
    match head {
        Err(error) => Some(error),
        Ok(head) if head.starts_with(PNG) || head.starts_with(JPEG) => None,
        Ok(_) => Some(PictureError::Format(label(image).to_owned())),
    }
}

fn read_head(image: &str, folder: Option<&Path>) -> Result<Vec<u8>, PictureError> {
    let path = find(image, folder).ok_or_else(|| PictureError::Missing(image.to_owned()))?;
    let mut head = Vec::new();
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(PNG.len() as u64).read_to_end(&mut head));
    match read {
        Err(error) => Err(PictureError::Damaged(format!("{image}: {error}"))),
        Ok(_) => Ok(head),
    }
}

/// Writes files, and creates their folders.
///
/// # Errors
/// If one cannot be written.
pub fn write(images: &[(PathBuf, Vec<u8>)]) -> Result<(), String> {
    for (path, bytes) in images {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
        }
        durable::save(path, bytes).map_err(|error| error.to_string())?;
    }
    Ok(())
}
