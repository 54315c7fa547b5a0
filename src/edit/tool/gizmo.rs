//! The shape of a gizmo: lines and flat faces in world space. What is drawn is what is hit.

pub use crate::math::axis::Axis;
use crate::math::camera::Viewport;
use crate::math::ray::{distance_to_segment_2d, inside_convex_2d};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// Length of an arrow and radius of the largest ring, in pixels, at any zoom.
pub const SIZE_PX: f32 = 90.0;
/// An axis nearer to the line of sight than this (cosine; 15 degrees) is hidden: it would cover what lies there, and
/// jump when it is dragged.
pub const END_ON: f32 = 0.966;
/// A line is hit within this many pixels.
pub(super) const GRAB_PX: f32 = 7.0;

/// What of a gizmo can be taken hold of. Each tool numbers its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GizmoPart {
    pub id: u8,
    pub role: Role,
    /// Where faces lie over each other, the one of the lowest rank is hit. A line ranks by its distance from the
    /// pointer in pixels.
    pub rank: f32,
}

impl GizmoPart {
    pub const fn new(id: u8, role: Role, rank: f32) -> Self {
        Self { id, role, rank }
    }

    /// One of three parts, from `first` on, in the colour of its axis.
    pub fn of_axis(first: u8, axis: Axis, rank: f32) -> Self {
        let role = [Role::X, Role::Y, Role::Z][axis.index()];
        Self::new(first + axis as u8, role, rank)
    }

    /// The axis that it belongs to, if it is one of the three from `first` on.
    pub fn axis(self, first: u8) -> Option<Axis> {
        Axis::ALL.get(usize::from(self.id.checked_sub(first)?)).copied()
    }
}

/// What a colour stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    X,
    Y,
    Z,
    /// The plane of the picture.
    View,
    /// The bone that is selected, or drawn.
    Bone,
    /// A link between bones.
    Link,
    /// What a point snaps to.
    Snap,
    /// A limit that is reached.
    Limit,
}

/// How a line or face is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GizmoStyle {
    Plain,
    /// Weaker: an outline.
    Soft,
    /// The far side of a ring: drawn weak, hit only where nothing else is.
    Faint,
    /// A guide or the swept angle: drawn weak, never hit.
    Guide,
    /// Says something: drawn in full, never hit.
    Mark,
}

/// A line through points, or a convex flat face around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub part: GizmoPart,
    pub style: GizmoStyle,
    /// World space.
    pub points: Vec<Vec3>,
}

/// Lines and faces of a gizmo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GizmoShape {
    pub lines: Vec<Element>,
    pub faces: Vec<Element>,
    /// Points in pairs: straight pieces in no order, never hit.
    pub pieces: Vec<Element>,
}

impl GizmoShape {
    pub fn line(&mut self, part: GizmoPart, style: GizmoStyle, points: Vec<Vec3>) {
        self.lines.push(Element { part, style, points });
    }

    /// The points of the line at `index`, to be written again; lines are added up to it.
    pub fn line_at(&mut self, index: usize, part: GizmoPart, style: GizmoStyle) -> &mut Vec<Vec3> {
        put(&mut self.lines, index, part, style)
    }

    /// As [`Self::line_at`], of pieces.
    pub fn pieces_at(&mut self, index: usize, part: GizmoPart, style: GizmoStyle) -> &mut Vec<Vec3> {
        put(&mut self.pieces, index, part, style)
    }

    /// Nothing, in the memory that it has.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.faces.clear();
        self.pieces.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.faces.is_empty() && self.pieces.is_empty()
    }

    pub fn face(&mut self, part: GizmoPart, style: GizmoStyle, points: Vec<Vec3>) {
        self.faces.push(Element { part, style, points });
    }

    /// A disc that faces the viewer, of constant size on the screen.
    pub fn disc(&mut self, part: GizmoPart, at: Vec3, radius_px: f32, viewport: &Viewport) {
        let [right, up, _] = viewport.camera.axes();
        let radius = radius_px * viewport.world_per_pixel(at);
        let around = circle(at, right * radius, up * radius, 24);
        self.face(part, GizmoStyle::Plain, around[1..].to_vec());
        self.line(part, GizmoStyle::Plain, around);
    }

    /// The part under a pixel of the viewport: the face of the lowest rank, or a line that is nearer; of rings the half
    /// that faces the camera first.
    pub fn hit(&self, viewport: &Viewport, pixel: Vec2) -> Option<GizmoPart> {
        let project = |point: &Vec3| viewport.project(*point).map(|shown| shown.pixel);
        let mut best: Option<(f32, GizmoPart)> = None;
        let mut offer = |element: &Element, score: f32| {
            let score = match element.style {
                GizmoStyle::Plain | GizmoStyle::Soft => score,
                GizmoStyle::Faint => score + GRAB_PX,
                GizmoStyle::Guide | GizmoStyle::Mark => return,
            };
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, element.part));
            }
        };
        for face in &self.faces {
            let outline: Option<Vec<Vec2>> = face.points.iter().map(project).collect();
            if outline.is_some_and(|outline| inside_convex_2d(pixel, &outline)) {
                offer(face, face.part.rank);
            }
        }
        for line in &self.lines {
            let shown: Vec<Option<Vec2>> = line.points.iter().map(project).collect();
            let distance = shown
                .windows(2)
                .filter_map(|pair| Some(distance_to_segment_2d(pixel, pair[0]?, pair[1]?)))
                .fold(f32::INFINITY, f32::min);
            if distance <= GRAB_PX {
                offer(line, distance);
            }
        }
        best.map(|(_, part)| part)
    }
}

fn put(elements: &mut Vec<Element>, index: usize, part: GizmoPart, style: GizmoStyle) -> &mut Vec<Vec3> {
    let new = || Element {
        part,
        style,
        points: Vec::new(),
    };
    let count = elements.len().max(index + 1);
    elements.resize_with(count, new);
    let element = &mut elements[index];
    (element.part, element.style) = (part, style);
    element.points.clear();
    &mut element.points
}

/// A circle, or ellipse, around a point: its first point again at the end.
pub fn circle(center: Vec3, u: Vec3, v: Vec3, segments: usize) -> Vec<Vec3> {
    arc(center, u, v, TAU, segments).collect()
}

/// From `center + u` on towards `center + v`, through an angle in radians.
pub fn arc(center: Vec3, u: Vec3, v: Vec3, angle: f32, segments: usize) -> impl Iterator<Item = Vec3> {
    (0..=segments).map(move |i| {
        let (sin, cos) = (angle * i as f32 / segments as f32).sin_cos();
        center + u * cos + v * sin
    })
}

/// Length of a dash and of the gap behind it, in pixels.
const DASH_PX: f32 = 5.0;
/// At most so many for one line.
const MOST_DASHES: f32 = 200.0;

/// The dashes of a line between two points.
pub fn dashes(viewport: &Viewport, start: Vec3, end: Vec3) -> impl Iterator<Item = [Vec3; 2]> {
    let pixel = viewport.world_per_pixel(start.midpoint(end));
    let count = start.distance(end) / (2.0 * DASH_PX * pixel);
    let count = count.clamp(1.0, MOST_DASHES).ceil();
    (0..count as usize).map(move |dash| [0.0, 0.5].map(|part| start.lerp(end, (dash as f32 + part) / count)))
}

/// How the pointer's movement is taken, from the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Ctrl: in steps.
    pub snap: bool,
    /// Shift: a tenth of the movement (and of the step).
    pub fine: bool,
}

impl Modifiers {
    /// `value`, or while it snaps the nearest multiple of `step`, or of a tenth of it while it is fine.
    pub fn snapped(self, value: f32, step: f32) -> f32 {
        let step = if self.fine { step * 0.1 } else { step };
        if self.snap {
            (value / step).round() * step
        } else {
            value
        }
    }

    /// Whether what is clicked or taken in is selected beside what is selected.
    pub fn adds(self) -> bool {
        self.snap || self.fine
    }
}

/// Slows movement down while a key is held, without a jump when it is pressed or released, and without
/// drift: while the key was never held, the total is the raw total.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PrecisionDrag<T> {
    last: T,
    /// What of the raw total was held back.
    slack: T,
}

impl<T> PrecisionDrag<T>
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<f32, Output = T>,
{
    /// `raw`: total movement since the press.
    pub(super) fn total(&mut self, raw: T, fine: bool) -> T {
        if fine {
            self.slack = self.slack + (raw - self.last) * 0.9;
        }
        self.last = raw;
        raw - self.slack
    }
}

/// A number without trailing zeros, at most `decimals` of them, never "-0".
pub(super) fn short(value: f32, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fine_motion_neither_jumps_nor_drifts() {
        let mut fine = PrecisionDrag::<f32>::default();
        assert_eq!(fine.total(10.0, false), 10.0);
        assert_eq!(fine.total(20.0, true), 11.0);
        assert_eq!(fine.total(20.0, false), 11.0);
        assert_eq!(fine.total(25.0, false), 16.0);
        let mut plain = PrecisionDrag::<f32>::default();
        for raw in [0.1, 7.3, -1e6, 0.3] {
            assert_eq!(plain.total(raw, false), raw);
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(short(12.5, 2), "12.5");
        assert_eq!(short(-0.0001, 2), "0");
        assert_eq!(short(100.0, 1), "100");
        assert_eq!(short(3.0, 0), "3");
    }
}
