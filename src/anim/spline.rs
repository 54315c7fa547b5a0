//! Splines over time, in frames.

/// Knots by strictly increasing time (frames).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spline<T> {
    pub knots: Vec<(f32, T)>,
}
