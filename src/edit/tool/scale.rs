//! The scale gizmo: a box at the end of each of the thing's own axes, and one in the middle for all three.

use super::gizmo::{Axis, END_ON, Fine, GizmoPart, GizmoShape, Modifiers, Paint, SIZE_PX, short};
use super::typed::{DragKey, Typed};
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};

/// Half the side of a box, relative to [`SIZE_PX`].
const BOX: f32 = 0.06;

/// What is scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalable {
    /// World space.
    pub origin: Vec3,
    /// Its own axes, unit, world space.
    pub directions: [Vec3; 3],
    /// The axes that it has a size along.
    pub along: &'static [Axis],
    /// At the press.
    pub scale: Vec3,
}

pub fn shape(scalable: &Scalable, viewport: &Viewport, drag: Option<&ScaleDrag>) -> GizmoShape {
    let mut shape = GizmoShape::default();
    let origin = scalable.origin;
    if viewport.project(origin).is_none() {
        return shape;
    }
    let unit = viewport.world_per_pixel(origin) * SIZE_PX;
    let toward = viewport.towards_camera(origin);
    for &axis in scalable.along {
        let direction = scalable.directions[axis.index()];
        let part = GizmoPart::Axis(axis);
        let held = drag.is_some_and(|drag| drag.part == part);
        let reach = match drag {
            Some(drag) if held || drag.part == GizmoPart::Center => drag.factor,
            Some(_) => continue,
            None if direction.dot(toward).abs() > END_ON => continue,
            None => 1.0,
        };
        let end = origin + direction * unit * reach;
        shape.line(part, Paint::Plain, vec![origin, end]);
        cube(&mut shape, part, end, viewport, unit * BOX);
    }
    if drag.is_none_or(|drag| drag.part == GizmoPart::Center) {
        cube(&mut shape, GizmoPart::Center, origin, viewport, unit * BOX * 1.3);
    }
    shape
}

/// A square that faces the camera: a box of few pixels shows no more.
fn cube(shape: &mut GizmoShape, part: GizmoPart, middle: Vec3, viewport: &Viewport, half: f32) {
    let [right, up, _] = viewport.camera.axes();
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| middle + (right * x + up * y) * half);
    shape.face(part, Paint::Plain, corners.to_vec());
}

/// A drag of a box. Totals are from the press.
#[derive(Clone, Debug)]
pub struct ScaleDrag {
    part: GizmoPart,
    start: Vec3,
    origin: Vec3,
    direction: Vec3,
    /// Where the axis was taken hold of, from the origin.
    grabbed: f32,
    press: Vec2,
    /// Last raw factor less one.
    raw: f32,
    fine: Fine<f32>,
    factor: f32,
    /// A factor that counts instead of the pointer.
    typed: Typed,
}

impl ScaleDrag {
    pub fn new(scalable: &Scalable, part: GizmoPart, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        let origin = scalable.origin;
        let direction = match part {
            GizmoPart::Axis(axis) => scalable.directions[axis.index()],
            GizmoPart::Center => Vec3::ZERO,
            _ => return None,
        };
        let mut drag = Self {
            part,
            start: scalable.scale,
            origin,
            direction,
            grabbed: 1.0,
            press: pixel,
            raw: 0.0,
            fine: Fine::default(),
            factor: 1.0,
            typed: Typed::new(1),
        };
        if let GizmoPart::Axis(_) = part {
            // Near the origin every pixel would be a large factor.
            let least = viewport.world_per_pixel(origin) * SIZE_PX * 0.1;
            drag.grabbed = drag.along(viewport, pixel).filter(|at| *at > least)?;
        }
        Some(drag)
    }

    fn along(&self, viewport: &Viewport, pixel: Vec2) -> Option<f32> {
        let (_, along) = viewport.ray(pixel).nearest_to_line(self.origin, self.direction)?;
        along.is_finite().then_some(along)
    }

    /// The scale with the pointer at `pixel`. An axis without size grows from nothing.
    pub fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec3 {
        let raw = match self.part {
            // Twice as large for every arrow's length to the right or up: never flat, never mirrored.
            GizmoPart::Center => {
                let along = (pixel.x - self.press.x) - (pixel.y - self.press.y);
                Some((along / SIZE_PX).clamp(-60.0, 60.0).exp2() - 1.0)
            }
            _ => self
                .along(viewport, pixel)
                .map(|along| along / self.grabbed - 1.0),
        };
        self.raw = raw.filter(|raw| raw.is_finite()).unwrap_or(self.raw);
        let mut factor = 1.0 + self.fine.total(self.raw, modifiers.fine);
        if !self.typed.is_empty() {
            factor = self.typed.value(0);
        } else if modifiers.snap {
            let steps = if modifiers.fine { 100.0 } else { 10.0 };
            factor = (factor * steps).round() / steps;
            if self.part == GizmoPart::Center {
                factor = factor.max(1.0 / steps);
            }
        }
        self.factor = factor;
        let grown = |start: f32| {
            if start == 0.0 {
                factor - 1.0
            } else {
                start * factor
            }
        };
        match self.part {
            GizmoPart::Axis(axis) => {
                let mut scale = self.start;
                scale[axis.index()] = grown(scale[axis.index()]);
                scale
            }
            _ => self.start * factor,
        }
    }

    /// A key was pressed: digits are the factor.
    pub fn key(&mut self, key: DragKey) {
        self.typed.press(key);
    }

    /// Such as `x × 1.5`.
    pub fn readout(&self) -> String {
        let factor = match self.typed.is_empty() {
            true => short(self.factor, 3).replace('-', "−"),
            false => self.typed.shown(0),
        };
        match self.part {
            GizmoPart::Axis(axis) => format!("{} × {factor}", axis.name()),
            _ => format!("× {factor}"),
        }
    }
}
