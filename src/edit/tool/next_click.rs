//! What the next click sets while bones are drawn.

use glam::Vec3;

/// What the next click sets.
#[derive(Clone, Debug, PartialEq)]
pub enum NextClick {
    /// Where the skeleton starts: the mesh has no bone yet.
    Base,
    /// A bone that starts at the tip of `parent`, or at the base; with a `link_from` there, if it starts
    /// elsewhere.
    Bone {
        parent: Option<usize>,
        start: Vec3,
        link_from: Option<Vec3>,
    },
}
