//! Skeletons: bones, kinematics, inverse kinematics, weights and skinning.

pub mod body;
pub mod edits;
pub mod fit;
pub mod handle_pose;
pub mod handle_space;
pub mod ik;
pub mod joints;
pub mod kinematics;
pub mod limits;
pub mod poses;
pub mod property;
pub mod rest;
pub mod shapes;
pub mod skeleton;
pub mod skinning;
pub mod turn_and_scale;
pub mod weights;
