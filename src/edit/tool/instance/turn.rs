//! The rotation rings of an instance, about the axes of world, parent or the thing itself.
//!
//! Angles are measured in ring space, where a ring is a circle, so that it follows the pointer under
//! mirrored and unevenly scaled parents too.

use super::placement::Placement;
use crate::edit::tool::gizmo::{Axis, Fine, GizmoPart, GizmoShape, Modifiers, Paint, SIZE_PX, short};
use crate::edit::tool::rings::Motion;
use crate::edit::tool::typed::{DragKey, Typed};
use crate::edit::view::Axes;
use crate::math::camera::Viewport;
use glam::{DVec3, Mat3, Mat4, Vec2, Vec3};
use std::f32::consts::TAU;

const SEGMENTS: usize = 96;
const SNAP_DEG: f32 = 15.0;
/// A ring seen at less than this (sine of the angle) is dragged along the screen.
const EDGE_ON: f32 = 0.2;

#[derive(Clone, Debug)]
pub(super) struct Rings {
    /// World space.
    origin: Vec3,
    world_from_ring: Mat3,
    /// From the origin.
    ring_from_world: Mat4,
    /// Unit, ring space.
    axes: [DVec3; 3],
    /// World length of a length of ring space, averaged over directions.
    scale: f32,
}

impl Rings {
    pub(super) fn of(placement: &Placement, axes: Axes) -> Self {
        let (world_from_ring, axes) = placement.ring_frame(axes);
        let inverse = Mat4::from_mat3(world_from_ring.inverse().as_mat3());
        Self {
            origin: placement.origin(),
            world_from_ring: world_from_ring.as_mat3(),
            ring_from_world: inverse * Mat4::from_translation(-placement.origin()),
            axes,
            scale: world_from_ring.determinant().abs().cbrt() as f32,
        }
    }

    pub(super) fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        if self.scale > 0.0 && viewport.project(self.origin).is_some() {
            for axis in Axis::ALL {
                self.ring(&mut shape, viewport, axis);
            }
        }
        shape
    }

    /// The half that turns away from the camera is faint.
    fn ring(&self, shape: &mut GizmoShape, viewport: &Viewport, axis: Axis) {
        let toward = viewport.towards_camera(self.origin);
        let slack = 0.05 * viewport.world_per_pixel(self.origin) * SIZE_PX;
        let at = |i: usize| self.point(viewport, axis, TAU * i as f32 / SEGMENTS as f32);
        let points: Vec<Vec3> = (0..=SEGMENTS).map(at).collect();
        let faces = |p: &Vec3| (*p - self.origin).dot(toward) >= -slack;
        let mut start = 0;
        for i in 1..points.len() {
            let front = faces(&points[i - 1]);
            if i + 1 == points.len() || faces(&points[i]) != front {
                let paint = if front { Paint::Plain } else { Paint::Faint };
                shape.line(GizmoPart::Ring(axis), paint, points[start..=i].to_vec());
                start = i;
            }
        }
    }

    /// Two unit vectors of the ring's plane, ring space: angles grow from the first to the second.
    fn basis(&self, axis: Axis) -> [Vec3; 2] {
        let around = self.axes[axis.index()].as_vec3();
        let first = around.any_orthonormal_vector();
        [first, around.cross(first)]
    }

    /// World space.
    fn point(&self, viewport: &Viewport, axis: Axis, angle: f32) -> Vec3 {
        let [u, v] = self.basis(axis);
        let (sin, cos) = angle.sin_cos();
        let radius = SIZE_PX * viewport.world_per_pixel(self.origin) / self.scale;
        self.origin + self.world_from_ring * ((u * cos + v * sin) * radius)
    }

    /// Angle of the ring's plane under the pointer; `None` near the middle and past the horizon.
    fn angle_under(&self, viewport: &Viewport, axis: Axis, pixel: Vec2) -> Option<f32> {
        let ray = viewport.ray(pixel).transformed(&self.ring_from_world);
        let point = ray.at(ray.plane(Vec3::ZERO, self.axes[axis.index()].as_vec3())?);
        let [u, v] = self.basis(axis);
        let (x, y) = (point.dot(u), point.dot(v));
        let least = 0.05 * SIZE_PX * viewport.world_per_pixel(self.origin) / self.scale;
        (x.hypot(y).is_finite() && x.hypot(y) > least).then(|| y.atan2(x))
    }

    /// Where the ring is nearest to the camera.
    fn front(&self, viewport: &Viewport, axis: Axis) -> f32 {
        let toward = viewport.towards_camera(self.origin);
        let [u, v] = self
            .basis(axis)
            .map(|side| (self.world_from_ring * side).dot(toward));
        v.atan2(u)
    }
}

/// A drag of one ring; angles count on past half a turn.
#[derive(Clone, Debug)]
pub(super) struct TurnDrag {
    rings: Rings,
    axis: Axis,
    motion: Motion,
    press: Vec2,
    grabbed: f32,
    raw_deg: f32,
    fine: Fine<f32>,
    turned_deg: f32,
    /// Degrees that count instead of the pointer.
    typed: Typed,
}

impl TurnDrag {
    /// `None` where the ring cannot be seen.
    pub(super) fn new(rings: Rings, axis: Axis, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        let [u, v] = rings.basis(axis).map(|side| rings.world_from_ring * side);
        let facing = u
            .cross(v)
            .normalize_or_zero()
            .dot(viewport.towards_camera(rings.origin));
        let under = rings.angle_under(viewport, axis, pixel);
        let (motion, grabbed) = match under {
            Some(last) if facing.abs() >= EDGE_ON => (Motion::Plane { last }, last),
            _ => {
                let front = rings.front(viewport, axis);
                let shown = |angle: f32| Some(viewport.project(rings.point(viewport, axis, angle))?.pixel);
                let step = 0.01;
                let velocity = (shown(front + step)? - shown(front - step)?) / (2.0 * step);
                if !(velocity.length_squared() > 1e-6 && velocity.is_finite()) {
                    return None;
                }
                (Motion::Screen { velocity }, front)
            }
        };
        Some(Self {
            rings,
            axis,
            motion,
            press: pixel,
            grabbed,
            raw_deg: 0.0,
            fine: Fine::default(),
            turned_deg: 0.0,
            typed: Typed::new(1),
        })
    }

    /// Axis in the parent's space and angle in radians since the press.
    pub(super) fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> (DVec3, f64) {
        let motion = &mut self.motion;
        let under = self.rings.angle_under(viewport, self.axis, pixel);
        motion.turn(under, pixel - self.press, &mut self.raw_deg);
        let mut turned = self.fine.total(self.raw_deg, modifiers.fine);
        if !self.typed.is_empty() {
            turned = self.typed.value(0);
        } else if modifiers.snap {
            let step = if modifiers.fine { SNAP_DEG * 0.1 } else { SNAP_DEG };
            turned = (turned / step).round() * step;
        }
        self.turned_deg = turned;
        (self.rings.axes[self.axis.index()], f64::from(turned).to_radians())
    }

    /// The ring that is dragged and the angle it swept.
    pub(super) fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let rings = &self.rings;
        if viewport.project(rings.origin).is_none() {
            return shape;
        }
        let sweep = self.turned_deg.clamp(-360.0, 360.0).to_radians();
        let slices = (sweep.abs() / (TAU / SEGMENTS as f32)).ceil() as usize;
        let share = |i: usize| sweep * i as f32 / slices.max(1) as f32;
        let at = |i: usize| rings.point(viewport, self.axis, self.grabbed + share(i));
        let part = GizmoPart::Ring(self.axis);
        for i in 0..slices {
            shape.face(part, Paint::Guide, vec![rings.origin, at(i), at(i + 1)]);
        }
        shape.line(part, Paint::Guide, vec![at(0), rings.origin, at(slices)]);
        rings.ring(&mut shape, viewport, self.axis);
        shape
    }

    /// A key was pressed: digits are the angle.
    pub(super) fn key(&mut self, key: DragKey) {
        self.typed.press(key);
    }

    /// Such as `y +30°`.
    pub(super) fn readout(&self) -> String {
        let turned = match self.typed.is_empty() {
            true => short(self.turned_deg, 1),
            false => self.typed.shown(0),
        };
        let sign = if turned.starts_with(['-', '−']) || turned == "0" {
            ""
        } else {
            "+"
        };
        format!("{} {sign}{turned}°", self.axis.name()).replace('-', "−")
    }
}
