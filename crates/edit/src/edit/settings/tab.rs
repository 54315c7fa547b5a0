//! The tabs of the window.

use serde::{Deserialize, Serialize};

/// A tab of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tab {
    /// Bind pose, mesh space, one skinned mesh.
    #[default]
    Rig,
    /// Current pose, world space, the whole scene.
    Animate,
}
