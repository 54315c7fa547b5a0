//! What is selected. One model for viewport, tree and lists.

use crate::scene::Scene;
use crate::scene::instance::InstanceRef;

/// A part of a skeleton, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    Bone(usize),
    Handle(usize),
    Base,
}

/// The selection: an instance of the scene, the skinned mesh that is worked on, and a part of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// In the outliner and the Animate tab.
    pub instance: Option<InstanceRef>,
    /// The skinned mesh that Rig and Animate work on. Selecting an instance of it selects it too.
    pub mesh: Option<String>,
    /// Of that skinned mesh.
    pub part: Option<Part>,
}

impl Selection {
    /// Without what `scene` does not hold (after undo, delete, open).
    pub fn kept_in(&self, _scene: &Scene) -> Selection {
        todo!()
    }

    /// A skinned mesh by name (in the Rig tab), with the first instance of it if there is one.
    pub fn of_mesh(_scene: &Scene, _mesh: &str) -> Selection {
        todo!()
    }

    /// An instance, and its skinned mesh where it is one of a skinned mesh.
    pub fn of_instance(_scene: &Scene, _instance: &InstanceRef) -> Selection {
        todo!()
    }

    /// The same mesh and instance with `part` selected.
    pub fn with_part(&self, part: Option<Part>) -> Selection {
        Selection { part, ..self.clone() }
    }

    /// One level up: a part to its parent bone is not meant; part -> mesh -> nothing. For Esc and clicks on nothing.
    pub fn outer(&self) -> Selection {
        if self.part.is_some() {
            self.with_part(None)
        } else {
            Selection::default()
        }
    }

    pub fn bone(&self) -> Option<usize> {
        match self.part {
            Some(Part::Bone(bone)) => Some(bone),
            _ => None,
        }
    }
}
