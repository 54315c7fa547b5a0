//! Animation: splines through knots, the channels that drive values with them, clips and takes.

pub mod bake;
pub mod blends;
pub mod channel;
pub mod channel_set;
pub mod clip;
pub mod contacts;
mod cycle;
pub mod ease;
pub mod filters;
mod hermite;
mod keys;
pub mod layer;
pub mod layer_blend;
pub mod layered;
pub mod mode;
pub mod mute;
pub mod play_range;
pub mod seam;
mod simplify;
pub mod sound;
pub mod spline;
pub mod take;
pub mod value;
