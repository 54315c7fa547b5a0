//! The pictures that textures name: where they are, their bytes, whether they may be pictures that we can show. Decodes
//! nothing.

use super::embedded_picture::{embedded, label};
pub use super::picture_error::{JPEG, PNG, PictureError};
use super::{durable, file};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file that a texture names, if there is one: from `folder` on, or else as it stands.
pub fn find(image: &str, folder: Option<&Path>) -> Option<PathBuf> {
    let beside = folder.map(|folder| folder.join(image));
    let mut paths = beside.into_iter().chain([PathBuf::from(image)]);
    paths.find(|path| path.is_file())
}

/// The bytes of the picture that a texture names or holds (except for pixels of js3d).
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn bytes(image: &str, folder: Option<&Path>) -> Result<Vec<u8>, PictureError> {
    if let Some(embedded) = embedded(image) {
        return embedded.map(|picture| picture.bytes);
    }
    let path = find(image, folder).ok_or_else(|| PictureError::Missing(image.to_owned()))?;
    file::read(&path, "PNG or JPEG").map_err(|error| PictureError::Damaged(error.to_string()))
}

/// Why the picture that a texture names cannot be shown, as far as its first bytes say.
pub fn objection(image: &str, folder: Option<&Path>) -> Option<PictureError> {
    if image.starts_with("hdr64:") {
        return None;
    }
    let head = match embedded(image) {
        Some(embedded) => embedded.map(|picture| picture.bytes),
        None => head(image, folder),
    };
    match head {
        Err(error) => Some(error),
        Ok(head) if head.starts_with(PNG) || head.starts_with(JPEG) => None,
        Ok(_) => Some(PictureError::Format(label(image).to_owned())),
    }
}

fn head(image: &str, folder: Option<&Path>) -> Result<Vec<u8>, PictureError> {
    let path = find(image, folder).ok_or_else(|| PictureError::Missing(image.to_owned()))?;
    let mut head = Vec::new();
    let opened = std::fs::File::open(path);
    let read = opened.and_then(|file| file.take(PNG.len() as u64).read_to_end(&mut head));
    match read {
        Err(error) => Err(PictureError::Damaged(format!("{image}: {error}"))),
        Ok(_) => Ok(head),
    }
}

/// Writes files, with the folders that they need.
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
