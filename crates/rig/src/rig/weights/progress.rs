//! Progress reports of weight calculations.

/// A callback that receives the progress from 0 to 1 and returns false to cancel.
pub type Progress<'a> = dyn Fn(f32) -> bool + Sync + 'a;
