//! The move gizmo: three arrows, three plane squares and a disc for the plane of the picture; and the drag
//! that they start. World axes. Knows nothing of what is moved.

use super::gizmo::{Axis, END_ON, Fine, GizmoPart, GizmoShape, Modifiers, Paint, SIZE_PX, short};
use super::typed::{DragKey, Typed};
use crate::math::camera::Viewport;
use glam::{Mat3, Vec2, Vec3};
use std::f32::consts::TAU;

/// Radius of the disc in the middle, pixels.
const CENTER_PX: f32 = 10.0;
/// A square seen at less than this (sine of the angle) is not offered.
const EDGE_ON: f32 = 0.15;
/// A snapped step is at least this many pixels.
const SNAP_PX: f32 = 8.0;
/// Points farther away than this many camera distances do not follow the pointer to the horizon.
const HORIZON: f32 = 200.0;

/// The gizmo around `origin`. While a part is dragged (`active`), only that part and its guides.
pub fn shape(origin: Vec3, viewport: &Viewport, active: Option<GizmoPart>) -> GizmoShape {
    shape_along(&Vec3::AXES, origin, viewport, active)
}

/// [`shape`] along unit axes that need not be square to each other.
pub fn shape_along(
    axes: &[Vec3; 3],
    origin: Vec3,
    viewport: &Viewport,
    active: Option<GizmoPart>,
) -> GizmoShape {
    let mut shape = GizmoShape::default();
    if viewport.project(origin).is_none() {
        return shape;
    }
    let unit = viewport.world_per_pixel(origin) * SIZE_PX;
    let toward = viewport.towards_camera(origin);
    let shown = |part| active.is_none_or(|active| active == part);
    for axis in Axis::ALL {
        let end_on = axes[axis.index()].dot(toward).abs();
        if shown(GizmoPart::Axis(axis)) && (end_on < END_ON || active.is_some()) {
            arrow(&mut shape, origin, axis, axes, unit);
        }
        let facing = normal(axes, axis).dot(toward).abs();
        if shown(GizmoPart::Plane(axis)) && (facing > EDGE_ON || active.is_some()) {
            let [u, v] = axis.others().map(|other| axes[other.index()] * unit);
            let (near, far) = (0.26, 0.46);
            let corners = [(near, near), (far, near), (far, far), (near, far)];
            let points: Vec<Vec3> = corners.map(|(a, b)| origin + u * a + v * b).into();
            let outline = points.iter().chain(points.first()).copied().collect();
            shape.face(GizmoPart::Plane(axis), Paint::Plain, points);
            shape.line(GizmoPart::Plane(axis), Paint::Plain, outline);
        }
    }
    if shown(GizmoPart::Center) {
        let [right, up, _] = viewport.camera.axes();
        let radius = unit * CENTER_PX / SIZE_PX;
        let around = |i: i32| {
            let (sin, cos) = (TAU * i as f32 / 24.0).sin_cos();
            origin + (right * cos + up * sin) * radius
        };
        shape.face(GizmoPart::Center, Paint::Plain, (0..24).map(around).collect());
        shape.line(GizmoPart::Center, Paint::Plain, (0..=24).map(around).collect());
    }
    let guides: &[Axis] = match active {
        Some(GizmoPart::Axis(axis)) => &[axis],
        Some(GizmoPart::Plane(axis)) => &axis.others(),
        _ => &[],
    };
    for axis in guides {
        let reach = axes[axis.index()] * (viewport.camera.distance.abs() * 10.0 + unit);
        let part = GizmoPart::Axis(*axis);
        shape.line(part, Paint::Guide, vec![origin - reach, origin, origin + reach]);
    }
    shape
}

/// Of the plane across an axis; zero where the two others are one.
fn normal(axes: &[Vec3; 3], axis: Axis) -> Vec3 {
    let [u, v] = axis.others().map(|other| axes[other.index()]);
    u.cross(v).normalize_or_zero()
}

/// A shaft with a cone of four-sided faces that looks round at gizmo size.
fn arrow(shape: &mut GizmoShape, origin: Vec3, axis: Axis, axes: &[Vec3; 3], unit: f32) {
    let part = GizmoPart::Axis(axis);
    let along = axes[axis.index()] * unit;
    let [u, v] =
        <[Vec3; 2]>::from(along.normalize_or_zero().any_orthonormal_pair()).map(|side| side * unit * 0.055);
    let (neck, tip) = (origin + along * 0.8, origin + along);
    shape.line(part, Paint::Plain, vec![origin + along * 0.16, tip]);
    let rim = |i: i32| {
        let (sin, cos) = (TAU * i as f32 / 12.0).sin_cos();
        neck + u * cos + v * sin
    };
    for i in 0..12 {
        shape.face(part, Paint::Plain, vec![rim(i), rim(i + 1), tip]);
    }
}

/// A drag from a part of the move gizmo. Totals are from the press; nothing accumulates.
#[derive(Clone, Debug)]
pub struct TranslateDrag {
    part: GizmoPart,
    axes: [Vec3; 3],
    origin: Vec3,
    /// Towards the camera at the press: normal of the view plane.
    view_normal: Vec3,
    /// The part and the pixel that were pressed.
    held: GizmoPart,
    press: Vec2,
    /// Numbers for the directions of the part; they count instead of the pointer.
    typed: Typed,
    /// What the pointer took hold of, on the line or plane of the part.
    grabbed: Vec3,
    /// Last raw total: kept where the pointer points at no place of the line or plane.
    raw: Vec3,
    fine: Fine<Vec3>,
    total: Vec3,
}

impl TranslateDrag {
    /// `None` for a ring, and where the pointer does not point at the part's line or plane.
    pub fn new(origin: Vec3, part: GizmoPart, viewport: &Viewport, pixel: Vec2) -> Option<Self> {
        Self::along(Vec3::AXES, origin, part, viewport, pixel)
    }

    /// [`Self::new`] along unit axes that need not be square to each other.
    pub fn along(
        axes: [Vec3; 3],
        origin: Vec3,
        part: GizmoPart,
        viewport: &Viewport,
        pixel: Vec2,
    ) -> Option<Self> {
        let mut drag = Self {
            part,
            axes,
            origin,
            view_normal: viewport.camera.axes()[2],
            held: part,
            press: pixel,
            typed: Typed::new(directions(part).len()),
            grabbed: Vec3::ZERO,
            raw: Vec3::ZERO,
            fine: Fine::default(),
            total: Vec3::ZERO,
        };
        drag.grabbed = drag.under(viewport, pixel)?;
        Some(drag)
    }

    pub fn part(&self) -> GizmoPart {
        self.part
    }

    /// World-space movement since the press, with the pointer at `pixel`. Finite.
    pub fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec3 {
        if let Some(point) = self.under(viewport, pixel) {
            self.raw = point - self.grabbed;
        }
        let mut total = self.fine.total(self.raw, modifiers.fine);
        if !self.typed.is_empty() {
            let along = directions(self.part).into_iter().enumerate();
            total = along
                .map(|(i, axis)| self.axes[axis.index()] * self.typed.value(i))
                .sum();
        } else if modifiers.snap {
            let step = snap_step(viewport.world_per_pixel(self.origin));
            let step = if modifiers.fine { step * 0.1 } else { step };
            let world_from_axes = Mat3::from_cols(self.axes[0], self.axes[1], self.axes[2]);
            total = world_from_axes * ((world_from_axes.inverse() * total / step).round() * step);
        }
        if total.is_finite() {
            self.total = total;
        }
        self.total
    }

    /// Takes a key in: digits count instead of the pointer, an axis holds the movement to itself.
    pub fn key(&mut self, key: DragKey, viewport: &Viewport) {
        let DragKey::Along(axis) = key else {
            return self.typed.press(key);
        };
        let along = GizmoPart::Axis(axis);
        let part = if self.part == along { self.held } else { along };
        let before = std::mem::replace(&mut self.part, part);
        match self.under(viewport, self.press) {
            Some(grabbed) => {
                self.grabbed = grabbed;
                self.raw = Vec3::ZERO;
                self.fine = Fine::default();
                self.typed = self.typed.carried_to(directions(part).len());
            }
            // An axis that points at the viewer.
            None => self.part = before,
        }
    }

    /// Whether numbers are typed.
    pub fn is_typed(&self) -> bool {
        !self.typed.is_empty()
    }

    /// The movement is another one: it was drawn to something near.
    pub(super) fn set_total(&mut self, total: Vec3) {
        self.total = total;
    }

    /// The movement so far, such as `Δ 0.1, 0, 0`, or what is typed of it: `x 0.5  y 2|`.
    pub fn readout(&self) -> String {
        if self.is_typed() {
            let along = directions(self.part).into_iter().enumerate();
            let numbers: Vec<String> = along
                .map(|(i, axis)| format!("{} {}", axis.name(), self.typed.shown(i)))
                .collect();
            return numbers.join("  ");
        }
        let [x, y, z] = self.total.to_array().map(|value| short(value, 3));
        format!("Δ {x}, {y}, {z}")
    }

    /// The point of the part's line or plane under the pointer, in front of the camera, within the horizon.
    fn under(&self, viewport: &Viewport, pixel: Vec2) -> Option<Vec3> {
        let ray = viewport.ray(pixel);
        let (t, point) = match self.part {
            GizmoPart::Axis(axis) => {
                let along = self.axes[axis.index()];
                let (t, s) = ray.nearest_to_line(self.origin, along)?;
                (t, self.origin + along * s)
            }
            GizmoPart::Plane(axis) => {
                let t = ray.plane(self.origin, normal(&self.axes, axis))?;
                (t, ray.at(t))
            }
            GizmoPart::Center => {
                let t = ray.plane(self.origin, self.view_normal)?;
                (t, ray.at(t))
            }
            GizmoPart::Ring(_)
            | GizmoPart::Start
            | GizmoPart::Whole
            | GizmoPart::Roll
            | GizmoPart::Length
            | GizmoPart::Radius => return None,
        };
        let away = viewport
            .camera
            .distance
            .max(self.origin.distance(viewport.camera.eye()));
        (t <= away * HORIZON && point.is_finite()).then_some(point)
    }
}

/// What a part moves along, in the order in which numbers are typed.
fn directions(part: GizmoPart) -> Vec<Axis> {
    match part {
        GizmoPart::Axis(axis) => vec![axis],
        GizmoPart::Plane(across) => Axis::ALL.into_iter().filter(|axis| *axis != across).collect(),
        _ => Axis::ALL.to_vec(),
    }
}

/// A power of ten that is at least [`SNAP_PX`] on the screen: 0.1 for a human that fills the view.
pub(super) fn snap_step(world_per_pixel: f32) -> f32 {
    10f32.powi((world_per_pixel * SNAP_PX).max(1e-30).log10().ceil() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::testing::PLAIN;
    use crate::math::camera::ViewCamera;
    use crate::math::camera::testing::random_viewport;
    use crate::math::testing::Random;

    /// A gizmo origin well inside the view.
    fn origin_in(view: &Viewport, random: &mut Random) -> Vec3 {
        let pixel = view.size * Vec2::new(random.range(0.3, 0.7), random.range(0.3, 0.7));
        view.ray(pixel).at(view.camera.distance * random.range(0.6, 1.5))
    }

    #[test]
    fn the_grabbed_point_stays_under_the_pointer() {
        let mut random = Random::new(31);
        let mut seen = 0;
        for _ in 0..300 {
            let view = random_viewport(&mut random);
            let origin = origin_in(&view, &mut random);
            let all = shape(origin, &view, None);
            let parts: Vec<GizmoPart> = all.lines.iter().map(|line| line.part).collect();
            for part in parts {
                let unit = view.world_per_pixel(origin) * SIZE_PX;
                let (grab, movement) = match part {
                    GizmoPart::Axis(a) => (a.unit() * unit * 0.7, a.unit() * random.range(-0.5, 0.5)),
                    GizmoPart::Plane(a) => {
                        let [u, v] = a.others().map(Axis::unit);
                        let shift = u * random.range(-0.5, 0.5) + v * random.range(-0.5, 0.5);
                        ((u + v) * unit * 0.3, shift)
                    }
                    _ => {
                        let [right, up, _] = view.camera.axes();
                        (right * unit * 0.05, right * random.range(-1.0, 1.0) + up * 0.5)
                    }
                };
                let movement = movement * unit;
                let pixel_of = |p: Vec3| view.project(p).map(|shown| shown.pixel);
                let (Some(press), Some(to)) = (pixel_of(origin + grab), pixel_of(origin + grab + movement))
                else {
                    continue;
                };
                let mut drag = TranslateDrag::new(origin, part, &view, press).expect("on the part");
                // Through any place in between: only the last matters.
                drag.drag(&view, press + Vec2::new(3.0, -40.0), PLAIN);
                let total = drag.drag(&view, to, PLAIN);
                assert!(
                    total.distance(movement) < 0.02 * unit,
                    "{part:?} {total} {movement}"
                );
                let shown = pixel_of(origin + grab + total).unwrap();
                assert!(shown.distance(to) < 1.0, "{part:?} {shown} {to}");
                assert!(drag.drag(&view, press, PLAIN).length() < 1e-3 * unit);
                seen += 1;
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    #[test]
    fn axes_and_planes_move_nothing_else() {
        let view = Viewport {
            camera: ViewCamera::default(),
            size: Vec2::new(800.0, 600.0),
        };
        let press = Vec2::new(420.0, 280.0);
        for axis in Axis::ALL {
            let to = Vec2::new(500.0, 200.0);
            let mut along = TranslateDrag::new(Vec3::ZERO, GizmoPart::Axis(axis), &view, press).unwrap();
            let total = along.drag(&view, to, PLAIN);
            for other in axis.others() {
                assert_eq!(total[other.index()], 0.0);
            }
            assert_ne!(total[axis.index()], 0.0);
            let mut across = TranslateDrag::new(Vec3::ZERO, GizmoPart::Plane(axis), &view, press).unwrap();
            assert!(across.drag(&view, to, PLAIN)[axis.index()].abs() < 1e-5);
        }
        assert!(TranslateDrag::new(Vec3::ZERO, GizmoPart::Ring(Axis::X), &view, press).is_none());
    }

    #[test]
    fn each_part_is_hit_where_it_is_drawn() {
        let view = Viewport {
            camera: ViewCamera::default(),
            size: Vec2::new(800.0, 600.0),
        };
        let all = shape(Vec3::ZERO, &view, None);
        let hit = |p: Vec3| all.hit(&view, view.project(p).unwrap().pixel);
        let unit = view.world_per_pixel(Vec3::ZERO) * SIZE_PX;
        assert_eq!(hit(Vec3::ZERO), Some(GizmoPart::Center));
        for axis in Axis::ALL {
            assert_eq!(hit(axis.unit() * unit * 0.9), Some(GizmoPart::Axis(axis)));
            // Within reach of the arrow too, but on the disc.
            assert_eq!(hit(axis.unit() * unit * 0.1), Some(GizmoPart::Center));
            let [u, v] = axis.others().map(Axis::unit);
            assert_eq!(
                hit((u + v) * unit * 0.4),
                Some(GizmoPart::Plane(axis)),
                "{axis:?}"
            );
        }
        assert_eq!(hit(Vec3::splat(-unit)), None);
        let near = view
            .project(Vec3::Y * unit)
            .unwrap()
            .pixel
            .distance(Vec2::new(400.0, 300.0));
        assert!((70.0..100.0).contains(&near), "{near} pixels long");
        // From the front nothing can be moved along the line of sight.
        let mut front = view;
        (front.camera.yaw, front.camera.pitch) = (0.0, 0.0);
        let parts = shape(Vec3::ZERO, &front, None).lines;
        assert!(!parts.iter().any(|line| line.part == GizmoPart::Axis(Axis::Z)));
        assert!(parts.iter().any(|line| line.part == GizmoPart::Plane(Axis::Z)));
        assert!(!parts.iter().any(|line| line.part == GizmoPart::Plane(Axis::X)));
    }

    #[test]
    fn snaps_to_steps_and_slows_down() {
        let view = Viewport {
            camera: ViewCamera {
                yaw: 0.0,
                pitch: 0.0,
                distance: 4.0,
                ..Default::default()
            },
            size: Vec2::new(800.0, 700.0),
        };
        let press = Vec2::new(440.0, 350.0);
        let part = GizmoPart::Axis(Axis::X);
        let mut drag = TranslateDrag::new(Vec3::ZERO, part, &view, press).unwrap();
        let to = press + Vec2::new(87.0, 5.0);
        let free = drag.drag(&view, to, PLAIN).x;
        let snapped = drag
            .drag(
                &view,
                to,
                Modifiers {
                    snap: true,
                    fine: false,
                },
            )
            .x;
        assert!(
            (snapped - (free * 10.0).round() / 10.0).abs() < 1e-6,
            "{free} {snapped}"
        );
        assert_eq!(drag.readout(), format!("Δ {}, 0, 0", short(snapped, 1)));
        let mut slow = TranslateDrag::new(Vec3::ZERO, part, &view, press).unwrap();
        let total = slow
            .drag(
                &view,
                to,
                Modifiers {
                    snap: false,
                    fine: true,
                },
            )
            .x;
        assert!((total - free * 0.1).abs() < 1e-5);
    }

    #[test]
    fn pointers_beyond_the_horizon_hold_the_last_place() {
        let view = Viewport {
            camera: ViewCamera {
                yaw: 0.0,
                pitch: 0.3,
                ..Default::default()
            },
            size: Vec2::new(800.0, 600.0),
        };
        let part = GizmoPart::Plane(Axis::Y);
        let mut drag = TranslateDrag::new(Vec3::ZERO, part, &view, Vec2::new(400.0, 300.0)).unwrap();
        let held = drag.drag(&view, Vec2::new(420.0, 250.0), PLAIN);
        for y in [-500.0, -5000.0, f32::MAX] {
            assert_eq!(drag.drag(&view, Vec2::new(400.0, -y.abs()), PLAIN), held);
        }
    }

    #[test]
    fn degenerate_views_give_nothing_that_is_not_finite() {
        for size in [Vec2::ZERO, Vec2::new(800.0, 600.0)] {
            for distance in [0.0, 1e-20, 1.0, 1e20] {
                let view = Viewport {
                    camera: ViewCamera {
                        distance,
                        ..Default::default()
                    },
                    size,
                };
                for at in [Vec3::ZERO, Vec3::splat(1e30), Vec3::splat(-1e-30)] {
                    let all = shape(at, &view, None);
                    let _ = all.hit(&view, Vec2::ZERO);
                    assert!(all.lines.iter().flat_map(|l| &l.points).all(|p| !p.is_nan()));
                    for part in [
                        GizmoPart::Center,
                        GizmoPart::Axis(Axis::X),
                        GizmoPart::Plane(Axis::Y),
                    ] {
                        if let Some(mut drag) = TranslateDrag::new(at, part, &view, Vec2::ZERO) {
                            let snap = Modifiers {
                                snap: true,
                                fine: true,
                            };
                            assert!(drag.drag(&view, Vec2::splat(1e30), snap).is_finite());
                        }
                    }
                }
            }
        }
    }
}
