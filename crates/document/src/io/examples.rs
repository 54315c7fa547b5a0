//! The example scenes, embedded in the program.

use super::js3d::{self, ReadError};
use super::report::Report;
use crate::scene::Scene;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Example {
    Human,
    Walk,
    Quadruped,
    Cylinder,
    Bar,
}

impl Example {
    pub const ALL: [Example; 5] =
        [Example::Human, Example::Walk, Example::Quadruped, Example::Cylinder, Example::Bar];

    /// The name in menus.
    pub const fn text(self) -> &'static str {
        match self {
            Example::Human => "Human",
            Example::Walk => "Walking human",
            Example::Quadruped => "Quadruped",
            Example::Cylinder => "Cylinder",
            Example::Bar => "Bar",
        }
    }

    /// A description in one sentence.
    pub const fn description(self) -> &'static str {
        match self {
            Example::Human => "A human with a skeleton of 34 bones and weights, not animated.",
            Example::Walk => "The human walking: a loop of 24 frames with keys for every bone.",
            Example::Quadruped => "A four-legged animal with a skeleton and weights.",
            Example::Cylinder => "A tube of two bones that bends and twists, to compare ways of skinning.",
            Example::Bar => "A square bar of two bones that bends and twists, to compare ways of skinning.",
        }
    }

    /// The content of the file in `media/js3d`.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Example::Human => include_bytes!("../../../../media/js3d/A4-human.js3d"),
            Example::Walk => include_bytes!("../../../../media/js3d/A4-human-walk.js3d"),
            Example::Quadruped => include_bytes!("../../../../media/js3d/quadruped.js3d"),
            Example::Cylinder => include_bytes!("../../../../media/js3d/cylinder.js3d"),
            Example::Bar => include_bytes!("../../../../media/js3d/bar.js3d"),
        }
    }

    /// Reads the scene.
    ///
    /// # Errors
    /// None while the embedded files are valid; a test reads them all.
    pub fn read(self) -> Result<(Scene, Report), ReadError> {
        js3d::read(self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::Example;

    #[test]
    fn every_example_opens_without_a_finding() {
        for example in Example::ALL {
            let read = example.read();
            let (scene, report) = read.unwrap_or_else(|error| panic!("{}: {error}", example.text()));
            assert!(report.is_empty(), "{}", example.text());
            assert!(!scene.skinned_meshes.is_empty(), "{}", example.text());
        }
    }
}
