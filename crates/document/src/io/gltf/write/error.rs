//! Why an export can fail.

use super::super::glb::GlbError;
use crate::anim::clip::Clip;
use crate::io::limits::{EXPORTED_VALUES, LimitError, TAKE_VALUES};

/// Why a scene cannot be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    #[error(
        "{place} is not a finite number, so the scene cannot be exported; undo the change that made it so"
    )]
    NotFinite { place: String },
    #[error("the export was cancelled; nothing was written")]
    Cancelled,
    #[error("there is no take “{0}”; `ossature takes` lists them")]
    NoTake(String),
    #[error(
        "take “{name}” has {frames} frames, and {} are the most that are exported; shorten it, or the play range",
        Clip::MAX_AT_ONCE
    )]
    TooManyFrames { name: String, frames: u64 },
    #[error(
        "the takes have {values} values of joints and frames, and {EXPORTED_VALUES} are the most that are exported at \
         once; choose fewer takes"
    )]
    TooManyValues { values: u64 },
    #[error(
        "take “{name}” has {values} values of joints and frames, and {TAKE_VALUES} are the most of one; divide it into \
         several"
    )]
    LongTake { name: String, values: u64 },
    #[error(
        "inverse kinematics takes too long for an export: too many handles pull at once. Disable some, bake them first, or \
         choose fewer takes"
    )]
    TooMuchIk,
    #[error("{0}")]
    Scene(String),
    #[error("{0}")]
    Container(#[from] GlbError),
    #[error("{0}")]
    Limit(#[from] LimitError),
    #[error(
        "the file could not be read again: {0}; nothing was written. Make what is that large smaller, or leave it out"
    )]
    TooLarge(String),
    #[error("the scene cannot be written as JSON: {0}; nothing was written, and leaving takes out may help")]
    Json(String),
}

/// Fails with `place` unless `are_finite`.
///
/// # Errors
/// [`ExportError::NotFinite`].
pub fn all_finite(are_finite: bool, place: impl FnOnce() -> String) -> Result<(), ExportError> {
    if are_finite { Ok(()) } else { Err(ExportError::NotFinite { place: place() }) }
}

/// Returns `value`, which must be finite; `place` describes it for the error.
///
/// # Errors
/// [`ExportError::NotFinite`].
pub fn finite(value: impl Into<f64>, place: impl FnOnce() -> String) -> Result<f64, ExportError> {
    let value = value.into();
    all_finite(value.is_finite(), place).map(|()| value)
}
