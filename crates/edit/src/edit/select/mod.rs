//! What is under the pointer, and what is selected.

pub mod active_rig;
pub mod bone_shape;
pub mod box_select;
#[cfg(test)]
pub(super) mod box_select_tests;
pub mod hover;
pub mod pick;
#[cfg(test)]
pub(super) mod pick_tests;
pub mod probe;
pub mod selection;
