//! How work on weights says how far it is.

/// Is told how far the work is, from 0 to 1; false ends it.
pub type Progress<'a> = dyn Fn(f32) -> bool + Sync + 'a;
