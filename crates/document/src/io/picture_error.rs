//! Why a picture cannot be shown, and the signatures of supported files.

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
