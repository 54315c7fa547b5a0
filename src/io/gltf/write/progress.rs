//! The progress of an export, and its cancellation. Nearly all of the time is spent on poses at frames, which
//! are counted.

use super::options::ExportError;

/// The number of poses computed between two reports.
pub const BATCH: usize = 256;

pub struct Progress<'a> {
    /// Receives the fraction done, from 0 to 1, and returns whether to continue.
    callback: &'a dyn Fn(f32) -> bool,
    total: usize,
    done: usize,
}

impl<'a> Progress<'a> {
    /// Starts at 0 of about `total` poses.
    pub fn new(callback: &'a dyn Fn(f32) -> bool, total: u64) -> Self {
        let total = usize::try_from(total).unwrap_or(usize::MAX).max(1);
        Self {
            callback,
            total,
            done: 0,
        }
    }

    /// Reports `poses` more poses.
    ///
    /// # Errors
    /// [`ExportError::Cancelled`].
    pub fn advance(&mut self, poses: usize) -> Result<(), ExportError> {
        self.done += poses;
        // The total was an estimate.
        let fraction = (self.done as f32 / self.total as f32).min(0.99);
        match (self.callback)(fraction) {
            true => Ok(()),
            false => Err(ExportError::Cancelled),
        }
    }
}
