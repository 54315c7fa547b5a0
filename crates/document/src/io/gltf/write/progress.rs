//! The progress of an export, and its cancellation. Nearly all of the time is spent on poses at frames, which
//! are counted.

use super::error::ExportError;
use crate::io::limits::EXPORTED_IK;
use crate::rig::ik::Outcome;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of poses computed between two reports.
pub const BATCH: usize = 256;

pub struct Progress<'a> {
    /// Receives the fraction done, from 0 to 1, and returns whether to continue.
    callback: &'a dyn Fn(f32) -> bool,
    total: usize,
    done: usize,
    pub ik: IkWork,
}

/// The work of inverse kinematics in an export, which is limited.
pub struct IkWork {
    done: AtomicUsize,
    max: usize,
}

impl IkWork {
    /// Counts the work of a pose.
    pub fn add(&self, outcome: Option<&Outcome>) {
        let work = outcome.map_or(0, |outcome| outcome.work);
        self.done.fetch_add(work, Ordering::Relaxed);
    }

    /// Whether the export will fail, so that further poses need not be computed.
    pub fn is_exceeded(&self) -> bool {
        self.done.load(Ordering::Relaxed) > self.max
    }
}

impl<'a> Progress<'a> {
    /// Starts at 0 of about `total` poses.
    pub fn new(callback: &'a dyn Fn(f32) -> bool, total: u64) -> Self {
        let total = usize::try_from(total).unwrap_or(usize::MAX).max(1);
        Self {
            callback,
            total,
            done: 0,
            ik: IkWork { done: AtomicUsize::new(0), max: EXPORTED_IK.limit(total) },
        }
    }

    /// Reports `poses` more poses.
    ///
    /// # Errors
    /// [`ExportError::Cancelled`], [`ExportError::TooMuchIk`].
    pub fn advance(&mut self, poses: usize) -> Result<(), ExportError> {
        if self.ik.is_exceeded() {
            return Err(ExportError::TooMuchIk);
        }
        self.done += poses;
        // The total was an estimate.
        let fraction = (self.done as f32 / self.total as f32).min(0.99);
        if (self.callback)(fraction) { Ok(()) } else { Err(ExportError::Cancelled) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_inverse_kinematics_ends_the_export() {
        let mut progress = Progress::new(&|_| true, 10);
        let poses = |work| Outcome { work, ..Outcome::default() };
        progress.ik.add(Some(&poses(EXPORTED_IK.limit(10))));
        assert_eq!(progress.advance(1), Ok(()));
        progress.ik.add(None);
        progress.ik.add(Some(&poses(1)));
        assert!(progress.ik.is_exceeded());
        assert_eq!(progress.advance(1), Err(ExportError::TooMuchIk));
    }
}
