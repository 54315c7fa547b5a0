//! Animation: splines through knots, the channels that name what they drive, and the frames they play in.

pub mod bake;
pub mod channel;
pub mod channel_set;
pub mod clip;
mod keys;
pub mod mode;
pub mod mute;
pub mod spline;
