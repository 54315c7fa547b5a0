//! The pixels of a picture that a file holds itself.

use super::blob;
use glam::Vec3;

/// Linear colours, row by row from the bottom.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// `width` * `height`.
    pub colors: Vec<Vec3>,
}

/// The pixels of a text `hdr64:...`.
///
/// # Errors
/// What is wrong with it.
pub fn pixels(image: &str) -> Result<Pixels, String> {
    let (width, height) = blob::image_size(image)?;
    // Three numbers of a header, then three a pixel.
    let blob = blob::items::<Vec3>(image, "hdr64:")?;
    Ok(Pixels {
        width,
        height,
        colors: blob.items.into_iter().skip(1).collect(),
    })
}
