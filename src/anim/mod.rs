//! Animation: splines through knots, the channels that name what they drive, the frames they play in and their takes.

pub mod bake;
pub mod channel;
pub mod channel_set;
pub mod clip;
mod keys;
pub mod mode;
pub mod mute;
pub mod played;
pub mod spline;
pub mod take;
