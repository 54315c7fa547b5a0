//! The effect of the next click while bones are drawn.

use glam::Vec3;

/// The effect of the next click.
#[derive(Clone, Debug, PartialEq)]
pub enum NextClick {
    /// Sets the base: the mesh has no bones yet.
    Base,
    /// Adds a bone that starts at the tail of `parent` or at the base. `link_from` is that point if the bone
    /// starts elsewhere.
    Bone { parent: Option<usize>, start: Vec3, link_from: Option<Vec3> },
}
