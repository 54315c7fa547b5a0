//! The state of a stroke between touches, for brushes that paint in dabs and those that depend on the
//! endpoints of their path.

use crate::rig::weights::paint::brush::{Brush, Mode};
use crate::rig::weights::paint::path::Contact;
use crate::rig::weights::paint::row::Row;
use glam::Vec3;

/// The distance between two dabs, as a fraction of the radius.
const DAB_SPACING: f32 = 0.25;

/// The last dab, and memory for the rows of the next.
#[derive(Default)]
pub(super) struct DabState {
    /// The last position of the path, and the distance since the last dab.
    walked: Option<(Vec3, f32)>,
    /// The contacts of the last dab.
    pub(super) contacts: Vec<Contact>,
    /// The distance in the field at the contacts of the last dab.
    pub(super) offset: u32,
    /// Points that get new rows, with the end of their entries.
    pub(super) staged: Vec<(u32, u32)>,
    pub(super) entries: Row,
    pub(super) mean: Row,
}

impl DabState {
    pub(super) fn new(brush: &Brush, points: usize) -> Self {
        let points = if brush.mode == Mode::Smooth { points } else { 0 };
        Self {
            walked: None,
            contacts: Vec::with_capacity(64),
            offset: 0,
            staged: Vec::with_capacity(points),
            entries: Row::with_capacity(8 * points),
            mean: Row::with_capacity(64),
        }
    }

    /// Extends the path to `position` in the bind pose and returns whether the next dab is due there.
    pub(super) fn is_due(&mut self, position: Vec3, radius: f32) -> bool {
        let walked = self.walked.map(|(last, walked)| walked + last.distance(position));
        let is_due = walked.is_none_or(|walked| walked >= DAB_SPACING * radius);
        self.walked = Some((position, if is_due { 0.0 } else { walked.unwrap_or(0.0) }));
        is_due
    }
}

/// The state of gradients and pulls, and memory for the rows of the other side.
#[derive(Default)]
pub(super) struct EndpointState {
    /// P: how strongly a gradient paints a point, from 0 to 1; empty for other brushes.
    pub(super) gradient: Vec<f64>,
    /// The points where `gradient` may be above 0.
    pub(super) points: Vec<u32>,
    /// The coverage of the most strongly pulled point, and the fraction of the offset that it moved; NaN if
    /// no bone moves it.
    pub(super) strongest_pull: Option<(f64, f64)>,
    pub(super) scratch: Row,
    pub(super) current: Row,
    /// Points that get the changes of the other side, with the end of their entries.
    pub(super) staged: Vec<(u32, u32)>,
    pub(super) entries: Row,
}

impl EndpointState {
    pub(super) fn new(brush: &Brush, points: usize) -> Self {
        let pulled = if brush.mode == Mode::Pull { points } else { 0 };
        let points = if brush.mode == Mode::Gradient { points } else { 0 };
        Self {
            gradient: vec![0.0; points],
            points: Vec::with_capacity(points),
            strongest_pull: None,
            scratch: Row::with_capacity(64),
            current: Row::with_capacity(64),
            staged: Vec::with_capacity(pulled),
            entries: Row::with_capacity(8 * pulled),
        }
    }

    /// Returns how strongly a gradient paints a point, or `None` for other brushes.
    pub(super) fn gradient(&self, point: u32) -> Option<f64> {
        self.gradient.get(point as usize).copied()
    }
}
