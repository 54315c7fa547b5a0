//! A picture read back from the graphics card.

/// A picture: 8-bit sRGB RGBA rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<u8>,
}
