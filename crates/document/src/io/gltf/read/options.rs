//! The options and the result of reading a file.

use crate::io::report::Report;
use crate::scene::Scene;

/// The options of reading a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The only animation to import; all if there is none.
    pub take: Option<String>,
    /// Whether images inside the file are left out; otherwise they are embedded in the textures of the scene
    /// until it is saved ([`embedded_picture`](crate::io::embedded_picture)).
    pub without_images: bool,
    /// The frame rate in frames per second; by default the lowest at which all keys are at frames.
    pub rate: Option<f32>,
    /// Whether every frame becomes a key.
    pub all_frames: bool,
}

/// The content of a file.
pub struct GltfImport {
    pub scene: Scene,
    pub report: Report,
    /// The names of all animations in the file, whether they were imported or not. Empty if the original
    /// scene was restored.
    pub animations: Vec<String>,
    /// The number of images inside the file.
    pub embedded: usize,
}
