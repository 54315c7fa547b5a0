//! The files that textures name: where they are, whether they may be pictures that we can show, and those that another
//! format brings along. Decodes nothing.

use super::durable;
use crate::scene::Scene;
use crate::scene::resource::TextureKind;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// The first of these files that is there already, with another content.
pub fn in_the_way(images: &[(PathBuf, Vec<u8>)]) -> Option<&Path> {
    let mut others = images
        .iter()
        .filter(|(path, bytes)| std::fs::read(path).is_ok_and(|there| there != *bytes));
    others.next().map(|(path, _)| path.as_path())
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

/// The files that textures of a scene name and that are found from the folder `from`, but not from `to`.
pub fn left_behind(scene: &Scene, from: Option<&Path>, to: Option<&Path>) -> Vec<String> {
    let mut left = Vec::new();
    for texture in scene.textures.values() {
        if let TextureKind::Image { image, .. } = &texture.kind
            && !image.starts_with("hdr64:")
            && find(image, from).is_some()
            && find(image, to).is_none()
        {
            left.push(image.to_string());
        }
    }
    left
}

/// Names files below `folder`, that of the scene, by their paths from there.
pub fn shorten(scene: &mut Scene, folder: &Path) {
    let here = folder.as_os_str().is_empty().then_some(Path::new("."));
    let Ok(folder) = std::path::absolute(here.unwrap_or(folder)) else {
        return;
    };
    for texture in scene.textures.values_mut() {
        let TextureKind::Image { image, .. } = &texture.kind else {
            continue;
        };
        let Ok(below) = Path::new(&**image).strip_prefix(&folder) else {
            continue;
        };
        let below = Arc::from(&*below.to_string_lossy());
        if let TextureKind::Image { image, .. } = &mut Arc::make_mut(texture).kind {
            *image = below;
        }
    }
}
