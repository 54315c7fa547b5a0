//! How a file is read, and what it comes to.

use crate::io::report::Report;
use crate::scene::Scene;

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The one animation that is taken; all where none is named.
    pub take: Option<String>,
    /// Whether images that lie in the file are left out; else they lie in the textures of the scene until it is saved
    /// ([`embedded_picture`](crate::io::embedded_picture)).
    pub without_images: bool,
    /// Frames per second; without it the least at which all keys fall on frames.
    pub rate: Option<f32>,
    /// Whether every frame becomes a key.
    pub all_frames: bool,
}

/// What a file holds.
pub struct Read {
    pub scene: Scene,
    pub report: Report,
    /// Names of the animations of the file, whether they were taken or not. None of a scene that rides along.
    pub animations: Vec<String>,
    /// How many images lie in the file itself.
    pub embedded: usize,
}
