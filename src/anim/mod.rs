//! Animation: splines through knots, and the channels that name what they drive.

pub mod channel;
pub mod spline;
