//! What a stroke keeps from one touch to the next, for brushes that go by dabs and for those that go by where their way
//! begins and where it ends.

use crate::rig::weights::paint::brush::{Brush, Mode};
use crate::rig::weights::paint::path::Contact;
use crate::rig::weights::paint::row::Row;
use glam::Vec3;

/// Between two dabs, as part of the radius.
const DAB: f32 = 0.25;

/// Where the last dab was, and memory for the rows of the next.
#[derive(Default)]
pub(super) struct Dabs {
    /// Where the way was last, and how far since the last dab.
    walked: Option<(Vec3, f32)>,
    /// Of the last dab: where it touched the surface, and at what distance in the field it began.
    pub(super) contacts: Vec<Contact>,
    pub(super) offset: u32,
    /// Points that get new rows, and where their entries end.
    pub(super) staged: Vec<(u32, u32)>,
    pub(super) entries: Row,
    pub(super) mean: Row,
}

impl Dabs {
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

    /// The way goes on to `place`, in the bind pose: whether the next dab is there.
    pub(super) fn is_due(&mut self, place: Vec3, radius: f32) -> bool {
        let walked = self.walked.map(|(last, walked)| walked + last.distance(place));
        let is_due = walked.is_none_or(|walked| walked >= DAB * radius);
        self.walked = Some((place, if is_due { 0.0 } else { walked.unwrap_or(0.0) }));
        is_due
    }
}

/// What gradients and pulls have made so far, and memory for the rows of the other side.
#[derive(Default)]
pub(super) struct Spans {
    /// P: of a gradient, how much a point is painted, from 0 to 1; else empty.
    pub(super) graded: Vec<f64>,
    /// Where that may not be 0.
    pub(super) points: Vec<u32>,
    /// Of a brush that pulls: of the point that is pulled most, how strongly, and which part of its way the skin went; no
    /// number where no bone moves it.
    pub(super) reached: Option<(f64, f64)>,
    pub(super) scratch: Row,
    pub(super) other: Row,
    /// Points that get what the other side has, and where their entries end.
    pub(super) staged: Vec<(u32, u32)>,
    pub(super) entries: Row,
}

impl Spans {
    pub(super) fn new(brush: &Brush, points: usize) -> Self {
        let pulled = if brush.mode == Mode::Pull { points } else { 0 };
        let points = if brush.mode == Mode::Gradient { points } else { 0 };
        Self {
            graded: vec![0.0; points],
            points: Vec::with_capacity(points),
            reached: None,
            scratch: Row::with_capacity(64),
            other: Row::with_capacity(64),
            staged: Vec::with_capacity(pulled),
            entries: Row::with_capacity(8 * pulled),
        }
    }

    pub(super) fn graded(&self, point: u32) -> Option<f64> {
        self.graded.get(point as usize).copied()
    }
}
