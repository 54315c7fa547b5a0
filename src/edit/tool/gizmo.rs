//! The shape of a gizmo: lines and flat faces in world space. What is drawn is what is hit.

use crate::math::camera::Viewport;
use crate::math::ray::{distance_to_segment_2d, inside_convex_2d};
use glam::{Vec2, Vec3};

/// Length of an arrow and radius of the largest ring, in pixels, at any zoom.
pub const SIZE_PX: f32 = 90.0;
/// An axis nearer to the line of sight than this (cosine; 15 degrees) is hidden: it would cover what lies there, and
/// jump when it is dragged.
pub const END_ON: f32 = 0.966;
/// A line is hit within this many pixels.
const GRAB_PX: f32 = 7.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn unit(self) -> Vec3 {
        Vec3::AXES[self.index()]
    }

    /// The two others, in cyclic order.
    pub fn others(self) -> [Axis; 2] {
        [
            Self::ALL[(self.index() + 1) % 3],
            Self::ALL[(self.index() + 2) % 3],
        ]
    }

    pub fn name(self) -> &'static str {
        ["x", "y", "z"][self.index()]
    }

    fn role(self) -> Role {
        [Role::X, Role::Y, Role::Z][self.index()]
    }
}

/// What of a gizmo can be taken hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GizmoPart {
    /// Moves along an axis.
    Axis(Axis),
    /// Moves in the plane across an axis.
    Plane(Axis),
    /// Moves in the plane of the picture.
    Center,
    /// Turns about an axis.
    Ring(Axis),
    /// Of a bone in the Rig tab: moves its start, across the view.
    Start,
    /// Moves both its ends, across the view.
    Whole,
    /// Turns its own axes about it.
    Roll,
    /// Changes its radius.
    Radius,
    /// Makes it longer or shorter.
    Length,
}

impl GizmoPart {
    pub(super) fn role(self) -> Role {
        match self {
            Self::Axis(axis) | Self::Plane(axis) | Self::Ring(axis) => axis.role(),
            Self::Center => Role::View,
            Self::Start | Self::Whole | Self::Roll | Self::Radius | Self::Length => Role::Bone,
        }
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
    /// The bone that is selected.
    Bone,
}

/// How a line or face is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    Plain,
    /// The far side of a ring: drawn weaker, hit only where nothing else is.
    Faint,
    /// A guide or the swept angle: drawn weak, never hit.
    Guide,
}

/// A line through points, or a convex flat face around them.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub part: GizmoPart,
    pub role: Role,
    pub paint: Paint,
    /// World space.
    pub points: Vec<Vec3>,
}

/// Lines and faces of a gizmo.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GizmoShape {
    pub lines: Vec<Element>,
    pub faces: Vec<Element>,
}

impl GizmoShape {
    pub(super) fn line(&mut self, part: GizmoPart, paint: Paint, points: Vec<Vec3>) {
        let role = part.role();
        self.lines.push(Element {
            part,
            role,
            paint,
            points,
        });
    }

    pub(super) fn face(&mut self, part: GizmoPart, paint: Paint, points: Vec<Vec3>) {
        let role = part.role();
        self.faces.push(Element {
            part,
            role,
            paint,
            points,
        });
    }

    /// The part under a pixel of the viewport. The centre wins over arrows, arrows over planes; among lines
    /// the nearest one, those that face the camera first.
    pub fn hit(&self, viewport: &Viewport, pixel: Vec2) -> Option<GizmoPart> {
        let project = |point: &Vec3| viewport.project(*point).map(|shown| shown.pixel);
        let mut best: Option<(f32, GizmoPart)> = None;
        let mut offer = |element: &Element, score: f32| {
            let score = match element.paint {
                Paint::Plain => score,
                Paint::Faint => score + GRAB_PX,
                Paint::Guide => return,
            };
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, element.part));
            }
        };
        for face in &self.faces {
            let outline: Option<Vec<Vec2>> = face.points.iter().map(project).collect();
            if outline.is_some_and(|outline| inside_convex_2d(pixel, &outline)) {
                let score = match face.part {
                    GizmoPart::Center => -1.0,
                    GizmoPart::Start | GizmoPart::Radius => -0.75,
                    GizmoPart::Whole => -0.5,
                    GizmoPart::Axis(_) | GizmoPart::Ring(_) | GizmoPart::Roll | GizmoPart::Length => 0.0,
                    GizmoPart::Plane(_) => 0.5 * GRAB_PX,
                };
                offer(face, score);
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

/// How the pointer's movement is taken, from the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Ctrl: in steps.
    pub snap: bool,
    /// Shift: a tenth of the movement (and of the step).
    pub fine: bool,
}

/// Slows movement down while a key is held, without a jump when it is pressed or released, and without
/// drift: while the key was never held, the total is the raw total.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Fine<T> {
    last: T,
    /// What of the raw total was held back.
    slack: T,
}

impl<T> Fine<T>
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
        let mut fine = Fine::<f32>::default();
        assert_eq!(fine.total(10.0, false), 10.0);
        assert_eq!(fine.total(20.0, true), 11.0);
        assert_eq!(fine.total(20.0, false), 11.0);
        assert_eq!(fine.total(25.0, false), 16.0);
        let mut plain = Fine::<f32>::default();
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
