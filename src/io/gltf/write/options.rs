//! What an export may be asked for, and why it can fail.

use super::super::glb::GlbError;
use crate::anim::clip::Clip;

/// Finds the bytes of a picture by the path that the scene names; what went wrong otherwise.
pub type Images<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// How a scene is exported.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub influences: Influences,
    pub interpolation: Interpolation,
    /// Whether the tips of bones without children get a node of their own, `<bone>_end`.
    pub tip_nodes: bool,
    /// Whether joints stand in the pose that the scene stores instead of the bind pose.
    pub pose_in_nodes: bool,
    /// Whether the scene itself rides along, so that it comes back whole while nobody else writes the file.
    pub scene: bool,
    /// Names of the takes to write; empty for all.
    pub takes: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            influences: Influences::default(),
            interpolation: Interpolation::default(),
            tip_nodes: false,
            pose_in_nodes: false,
            scene: true,
            takes: Vec::new(),
        }
    }
}

/// How many bones move a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Influences {
    /// The four of the largest weights: what every engine can do.
    #[default]
    Four,
    /// As many as there are. Most engines take the first four all the same, and the others are missing there.
    All,
}

/// How values go from key to key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// A key per frame and more where that is not enough, on straight lines.
    #[default]
    Linear,
    /// Few keys with tangents. Blender ignores the tangents.
    Cubic,
}

/// Most values that are worked out at once, two of them per frame and joint: more would take gigabytes.
pub const MOST_VALUES: u64 = 1 << 23;

/// Why a scene cannot be exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    #[error("{at} is not a finite number, so the scene cannot be exported; undo the change that made it so")]
    NotFinite { at: String },
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
        "the takes have {values} values of joints and frames, and {MOST_VALUES} are the most that are exported at once; \
         choose fewer takes"
    )]
    TooManyValues { values: u64 },
    #[error("{0}")]
    Scene(String),
    #[error("{0}")]
    Container(#[from] GlbError),
    #[error("the scene cannot be written as JSON: {0}; nothing was written, and leaving takes out may help")]
    Json(String),
}

/// `value`, which must be a number; `at` says where it stands.
///
/// # Errors
/// [`ExportError::NotFinite`].
pub fn finite(value: impl Into<f64>, at: impl FnOnce() -> String) -> Result<f64, ExportError> {
    let value = value.into();
    match value.is_finite() {
        true => Ok(value),
        false => Err(ExportError::NotFinite { at: at() }),
    }
}
