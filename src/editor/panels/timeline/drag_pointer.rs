//! Where the pointer is during a drag of keys, and to what keys snap there.

/// The pointer during a drag.
pub struct DragPointer<'a> {
    pub frame: f32,
    pub value: f32,
    /// The number of frames over which a scale that starts near its pivot doubles.
    pub reach: f32,
    /// Whether snapping to whole frames is off.
    pub fine: bool,
    /// Whether values snap to multiples of their step.
    pub coarse: bool,
    /// The whole frames to which keys snap from a distance in frames.
    pub marks: &'a [f32],
    pub near: f32,
}

impl DragPointer<'_> {
    /// Returns the frame to which a key snaps that moves from `start` to `frame`: the nearest mark, except where it was, which it
    /// must be able to leave, or else the nearest whole frame.
    pub fn snapped(&self, start: f32, frame: f32) -> f32 {
        let distance = |mark: &f32| (mark - frame).abs();
        let marks = self.marks.iter().copied().filter(|mark| *mark != start);
        let nearest = marks.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.filter(|mark| distance(mark) <= self.near).unwrap_or(frame.round())
    }
}
