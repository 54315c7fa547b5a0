//! Decodes inline pixels of a picture.

use super::blob;
use glam::Vec3;

/// Linear colours, row by row from the bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// `width` * `height` colours.
    pub colors: Vec<Vec3>,
}

/// Decodes the pixels of a text `hdr64:...`.
///
/// # Errors
/// The problem with the text.
pub fn pixels(image: &str) -> Result<Pixels, String> {
    let (width, height) = blob::image_size(image)?;
    // Three numbers of a header, then three per pixel.
    let blob = blob::items::<Vec3>(image, "hdr64:")?;
    Ok(Pixels { width, height, colors: blob.items.into_iter().skip(1).collect() })
}
