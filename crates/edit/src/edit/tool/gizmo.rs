//! The shape of a gizmo: lines and flat faces in world space, used both for drawing and for hit tests.

pub use crate::math::axis::Axis;
use crate::math::camera::Viewport;
use crate::math::ray::{distance_to_segment_2d, inside_convex_2d};
use glam::{Vec2, Vec3};
use std::f32::consts::TAU;

/// The length of an arrow and the radius of the largest ring, in pixels, at any zoom, wherever there is room.
pub const SIZE_PX: f32 = 90.0;
/// The same where there is least room.
const LEAST_SIZE_PX: f32 = 45.0;
/// The room left between a gizmo and the ends of the view, in pixels.
const MARGIN_PX: f32 = 4.0;
/// An axis closer to the line of sight than this (cosine of 15 degrees) is hidden: it would cover what is
/// behind it, and jump when it is dragged.
pub const END_ON: f32 = 0.966;
/// The distance within which a line is hit, in pixels.
pub(super) const GRAB_PX: f32 = 7.0;
/// The same where nothing else could be meant: a press beside a ring would otherwise lose the selection that the
/// gizmo belongs to.
pub(super) const NEAR_PX: f32 = 15.0;
/// The same over what is dragged itself: about half the width of a drawn line, and a pixel.
pub(super) const SEEN_PX: f32 = 3.0;

/// Returns the length of an arrow and the radius of the largest ring of a gizmo, in pixels: so short that they do not
/// end under a bar or outside of the view, where they could not be grabbed, but not too short to use.
pub(super) fn size_px(viewport: &Viewport, origin: Vec3) -> f32 {
    let Some(shown) = viewport.project(origin) else {
        return SIZE_PX;
    };
    let room = (shown.pixel - Vec2::Y * viewport.covered_top).min(viewport.size - shown.pixel);
    (room.min_element() - MARGIN_PX).clamp(LEAST_SIZE_PX, SIZE_PX)
}

/// A part of a gizmo that can be dragged. Each tool numbers its own parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GizmoPart {
    pub id: u8,
    pub role: Role,
    /// Where faces overlap, the one of lowest rank is hit. The rank of a line is its distance from the
    /// pointer in pixels.
    pub rank: f32,
}

impl GizmoPart {
    pub const fn new(id: u8, role: Role, rank: f32) -> Self {
        Self { id, role, rank }
    }

    /// Creates one of three consecutive parts, numbered from `first`, in the colour of its axis.
    pub fn for_axis(first: u8, axis: Axis, rank: f32) -> Self {
        let role = [Role::X, Role::Y, Role::Z][axis.index()];
        Self::new(first + axis as u8, role, rank)
    }

    /// The axis of the part, if it is one of the three numbered from `first`.
    pub fn axis(self, first: u8) -> Option<Axis> {
        Axis::ALL.get(usize::from(self.id.checked_sub(first)?)).copied()
    }
}

/// The meaning of a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    X,
    Y,
    Z,
    /// The view plane.
    View,
    /// The bone that is selected or being drawn.
    Bone,
    /// A link between bones.
    Link,
    /// The target of snapping.
    Snap,
    /// A limit that has been reached.
    Limit,
}

/// How a line or face is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GizmoStyle {
    Plain,
    /// An outline, drawn weaker.
    Soft,
    /// The far side of a ring: drawn weak, hit only where nothing else is.
    Faint,
    /// A guide or the swept angle: drawn weak, never hit.
    Guide,
    /// An indicator: drawn at full strength, never hit.
    Mark,
    /// A face through which one sees what it belongs to, which may be a bone of a few pixels: only tinted, and that
    /// only while it is hovered. Hit like others.
    Clear,
}

/// A line through points, or a convex flat face around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub part: GizmoPart,
    pub style: GizmoStyle,
    /// World space.
    pub points: Vec<Vec3>,
}

/// The lines and faces of a gizmo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GizmoShape {
    pub lines: Vec<Element>,
    pub faces: Vec<Element>,
    /// Pairs of points: segments in no particular order, never hit.
    pub pieces: Vec<Element>,
}

impl GizmoShape {
    pub fn line(&mut self, part: GizmoPart, style: GizmoStyle, points: Vec<Vec3>) {
        self.lines.push(Element { part, style, points });
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.faces.is_empty() && self.pieces.is_empty()
    }

    pub fn face(&mut self, part: GizmoPart, style: GizmoStyle, points: Vec<Vec3>) {
        self.faces.push(Element { part, style, points });
    }

    /// Adds a hollow disc that faces the viewer, of constant size on the screen.
    pub fn disc(&mut self, part: GizmoPart, center: Vec3, radius_px: f32, viewport: &Viewport) {
        let [right, up, _] = viewport.camera.axes();
        let radius = radius_px * viewport.world_per_pixel(center);
        let outline = circle(center, right * radius, up * radius, 24);
        self.face(part, GizmoStyle::Clear, outline[1..].to_vec());
        self.line(part, GizmoStyle::Plain, outline);
    }

    /// Returns the part under a pixel of the viewport: the face of lowest rank, or a line that is closer. The
    /// front half of a ring has priority over its back half.
    pub fn hit(&self, viewport: &Viewport, pixel: Vec2) -> Option<GizmoPart> {
        self.hit_within(viewport, pixel, GRAB_PX)
    }

    /// Same as [`Self::hit`], for lines within a distance in pixels.
    pub(super) fn hit_within(&self, viewport: &Viewport, pixel: Vec2, reach_px: f32) -> Option<GizmoPart> {
        let project = |point: &Vec3| viewport.project(*point).map(|shown| shown.pixel);
        let mut best: Option<(f32, GizmoPart)> = None;
        let mut offer = |element: &Element, score: f32| {
            let score = match element.style {
                GizmoStyle::Plain | GizmoStyle::Soft | GizmoStyle::Clear => score,
                GizmoStyle::Faint => score + reach_px,
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
            if distance <= reach_px {
                offer(line, distance);
            }
        }
        best.map(|(_, part)| part)
    }
}

/// Returns the points of a circle or ellipse; the first point is repeated at the end.
pub fn circle(center: Vec3, u: Vec3, v: Vec3, segments: usize) -> Vec<Vec3> {
    arc(center, u, v, TAU, segments).collect()
}

/// Returns points of an arc from `center + u` towards `center + v`, through an angle in radians.
pub fn arc(center: Vec3, u: Vec3, v: Vec3, angle: f32, segments: usize) -> impl Iterator<Item = Vec3> {
    (0..=segments).map(move |i| {
        let (sin, cos) = (angle * i as f32 / segments as f32).sin_cos();
        center + u * cos + v * sin
    })
}

/// The length of a dash, and of the gap after it, in pixels.
const DASH_PX: f32 = 5.0;
/// The maximum number of dashes in a line.
const MOST_DASHES: f32 = 200.0;

/// Returns the dashes of a line between two points.
pub fn dashes(viewport: &Viewport, start: Vec3, end: Vec3) -> impl Iterator<Item = [Vec3; 2]> {
    let pixel = viewport.world_per_pixel(start.midpoint(end));
    let count = start.distance(end) / (2.0 * DASH_PX * pixel);
    let count = count.clamp(1.0, MOST_DASHES).ceil();
    (0..count as usize).map(move |dash| [0.0, 0.5].map(|part| start.lerp(end, (dash as f32 + part) / count)))
}

/// The modifier keys that affect a drag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Ctrl: snap to steps.
    pub snap: bool,
    /// Shift: a tenth of the movement (and of the step).
    pub fine: bool,
}

impl Modifiers {
    /// Returns `value`; while snapping, the nearest multiple of `step`, or of a tenth of it in fine mode.
    pub fn snapped(self, value: f32, step: f32) -> f32 {
        let step = if self.fine { step * 0.1 } else { step };
        if self.snap { (value / step).round() * step } else { value }
    }

    /// Whether clicked or boxed targets are added to the selection.
    pub fn adds(self) -> bool {
        self.snap || self.fine
    }
}

/// Slows movement down while a key is held, without a jump when it is pressed or released, and without drift:
/// if the key was never held, the total is the raw total.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PrecisionDrag<T> {
    last: T,
    /// The part of the raw total that was suppressed.
    slack: T,
}

impl<T> PrecisionDrag<T>
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<f32, Output = T>,
{
    /// Returns the slowed total. `raw` is the total movement since the press.
    pub(super) fn total(&mut self, raw: T, fine: bool) -> T {
        if fine {
            self.slack = self.slack + (raw - self.last) * 0.9;
        }
        self.last = raw;
        raw - self.slack
    }
}

/// Formats a number with at most `decimals` decimals, without trailing zeros and never as "-0".
pub(super) fn format_number(value: f32, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::front;

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
    fn gizmos_stay_within_the_view_and_below_its_bars() {
        let viewport = Viewport { covered_top: 34.0, ..front(Vec3::ZERO, 6.0) };
        let at = |x: f32, y: f32| size_px(&viewport, viewport.ray(Vec2::new(x, y)).point_at(6.0));
        assert_eq!(at(400.0, 300.0), SIZE_PX);
        assert_eq!(at(100.0, 300.0), SIZE_PX);
        for y in [90.0, 100.0, 120.0] {
            let size = at(400.0, y);
            assert!(size < SIZE_PX && y - size >= viewport.covered_top, "{y}: {size}");
        }
        assert!((at(730.0, 300.0) - 66.0).abs() < 0.1 && (at(400.0, 540.0) - 56.0).abs() < 0.1);
        for place in [at(400.0, 10.0), at(-50.0, 900.0)] {
            assert_eq!(place, LEAST_SIZE_PX);
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(format_number(12.5, 2), "12.5");
        assert_eq!(format_number(-0.0001, 2), "0");
        assert_eq!(format_number(100.0, 1), "100");
        assert_eq!(format_number(3.0, 0), "3");
    }
}
