//! How far an export is, and whether it goes on. Nearly all of the time goes into poses at frames, which are counted.

use super::options::ExportError;

/// Poses worked out between two looks.
pub const BATCH: usize = 256;

pub struct Watch<'a> {
    /// Is told what part is done, from 0 to 1; false ends it.
    progress: &'a dyn Fn(f32) -> bool,
    of: usize,
    done: usize,
}

impl<'a> Watch<'a> {
    /// `of`: about how many poses there will be.
    pub fn new(progress: &'a dyn Fn(f32) -> bool, of: u64) -> Self {
        let of = usize::try_from(of).unwrap_or(usize::MAX).max(1);
        Self {
            progress,
            of,
            done: 0,
        }
    }

    /// So many more poses are worked out.
    ///
    /// # Errors
    /// [`ExportError::Cancelled`].
    pub fn step(&mut self, poses: usize) -> Result<(), ExportError> {
        self.done += poses;
        // The number was a guess.
        let part = (self.done as f32 / self.of as f32).min(0.99);
        match (self.progress)(part) {
            true => Ok(()),
            false => Err(ExportError::Cancelled),
        }
    }
}
