//! The move gizmo and its drags, against points that are fixed to the moved object.

use super::gizmo::{Axis, GizmoPart, GizmoShape, Modifiers, SIZE_PX, format_number};
use super::numeric::NumericInput;
use super::translate::{CENTER, Constraint, TranslateDrag, arrow, gizmo_shape, plane};
use crate::edit::testing::{PLAIN, input};
use crate::math::camera::ViewCamera;
use crate::math::camera::Viewport;
use crate::testing::Random;
use crate::testing::random_viewport;
use glam::{Vec2, Vec3};

fn shape(origin: Vec3, view: &Viewport) -> GizmoShape {
    gizmo_shape(&Vec3::AXES, origin, view, None)
}

fn begin(origin: Vec3, constraint: Constraint, view: &Viewport, press: Vec2) -> Option<TranslateDrag> {
    TranslateDrag::new(Vec3::AXES, origin, constraint, view, press)
}

fn drag(drag: &mut TranslateDrag, view: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec3 {
    drag.drag(&input(view, &[pixel.into()], modifiers))
}

/// A gizmo origin well inside the view.
fn origin_in(view: &Viewport, random: &mut Random) -> Vec3 {
    let pixel = view.size * Vec2::new(random.range(0.3, 0.7), random.range(0.3, 0.7));
    view.ray(pixel).point_at(view.camera.distance * random.range(0.6, 1.5))
}

#[test]
fn the_grabbed_point_stays_under_the_pointer() {
    let mut random = Random::new(31);
    let mut checked = 0;
    for _ in 0..300 {
        let view = random_viewport(&mut random);
        let origin = origin_in(&view, &mut random);
        let all = shape(origin, &view);
        let parts: Vec<GizmoPart> = all.lines.iter().map(|line| line.part).collect();
        for part in parts {
            let unit = view.world_per_pixel(origin) * SIZE_PX;
            let constraint = Constraint::from_part(part).expect("a part of the gizmo");
            let (grab, movement) = match constraint {
                Constraint::Axis(a) => (a.unit() * unit * 0.7, a.unit() * random.range(-0.5, 0.5)),
                Constraint::Plane(a) => {
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
            let mut moving = begin(origin, constraint, &view, press).expect("on the part");
            // Through any point in between: only the last one matters.
            drag(&mut moving, &view, press + Vec2::new(3.0, -40.0), PLAIN);
            let total = drag(&mut moving, &view, to, PLAIN);
            assert!(total.distance(movement) < 0.02 * unit, "{part:?} {total} {movement}");
            let shown = pixel_of(origin + grab + total).unwrap();
            assert!(shown.distance(to) < 1.0, "{part:?} {shown} {to}");
            assert!(drag(&mut moving, &view, press, PLAIN).length() < 1e-3 * unit);
            checked += 1;
        }
    }
    assert!(checked > 1000, "{checked}");
}

#[test]
fn axes_and_planes_move_nothing_else() {
    let view = Viewport { camera: ViewCamera::default(), size: Vec2::new(800.0, 600.0), covered_top: 0.0 };
    let press = Vec2::new(420.0, 280.0);
    for axis in Axis::ALL {
        let to = Vec2::new(500.0, 200.0);
        let mut along = begin(Vec3::ZERO, Constraint::Axis(axis), &view, press).unwrap();
        let total = drag(&mut along, &view, to, PLAIN);
        for other in axis.others() {
            assert_eq!(total[other.index()], 0.0);
        }
        assert_ne!(total[axis.index()], 0.0);
        let mut across = begin(Vec3::ZERO, Constraint::Plane(axis), &view, press).unwrap();
        assert!(drag(&mut across, &view, to, PLAIN)[axis.index()].abs() < 1e-5);
    }
}

#[test]
fn each_part_is_hit_where_it_is_drawn() {
    let view = Viewport { camera: ViewCamera::default(), size: Vec2::new(800.0, 600.0), covered_top: 0.0 };
    let all = shape(Vec3::ZERO, &view);
    let hit = |p: Vec3| all.hit(&view, view.project(p).unwrap().pixel);
    let unit = view.world_per_pixel(Vec3::ZERO) * SIZE_PX;
    assert_eq!(hit(Vec3::ZERO), Some(CENTER));
    for axis in Axis::ALL {
        assert_eq!(hit(axis.unit() * unit * 0.9), Some(arrow(axis)));
        // Within the distance of the arrow too, but on the disc.
        assert_eq!(hit(axis.unit() * unit * 0.1), Some(CENTER));
        let [u, v] = axis.others().map(Axis::unit);
        assert_eq!(hit((u + v) * unit * 0.4), Some(plane(axis)), "{axis:?}");
    }
    assert_eq!(hit(Vec3::splat(-unit)), None);
    let near = view.project(Vec3::Y * unit).unwrap().pixel.distance(Vec2::new(400.0, 300.0));
    assert!((70.0..100.0).contains(&near), "{near} pixels long");
    // From the front, nothing can be moved along the line of sight.
    let mut front = view;
    (front.camera.yaw, front.camera.pitch) = (0.0, 0.0);
    let parts = shape(Vec3::ZERO, &front).lines;
    assert!(!parts.iter().any(|line| line.part == arrow(Axis::Z)));
    assert!(parts.iter().any(|line| line.part == plane(Axis::Z)));
    assert!(!parts.iter().any(|line| line.part == plane(Axis::X)));
}

#[test]
fn snaps_to_steps_and_slows_down() {
    let view = Viewport {
        camera: ViewCamera { yaw: 0.0, pitch: 0.0, distance: 4.0, ..Default::default() },
        size: Vec2::new(800.0, 700.0),
        covered_top: 0.0,
    };
    let press = Vec2::new(440.0, 350.0);
    let part = Constraint::Axis(Axis::X);
    let mut moving = begin(Vec3::ZERO, part, &view, press).unwrap();
    let to = press + Vec2::new(87.0, 5.0);
    let free = drag(&mut moving, &view, to, PLAIN).x;
    let snapped = drag(&mut moving, &view, to, Modifiers { snap: true, fine: false }).x;
    assert!((snapped - (free * 10.0).round() / 10.0).abs() < 1e-6, "{free} {snapped}");
    assert_eq!(moving.readout(&NumericInput::NONE), format!("Δ {}, 0, 0", format_number(snapped, 1)));
    let mut slow = begin(Vec3::ZERO, part, &view, press).unwrap();
    let total = drag(&mut slow, &view, to, Modifiers { snap: false, fine: true }).x;
    assert!((total - free * 0.1).abs() < 1e-5);
}

#[test]
fn pointers_beyond_the_horizon_keep_the_last_position() {
    let view = Viewport {
        camera: ViewCamera { yaw: 0.0, pitch: 0.3, ..Default::default() },
        size: Vec2::new(800.0, 600.0),
        covered_top: 0.0,
    };
    let part = Constraint::Plane(Axis::Y);
    let mut moving = begin(Vec3::ZERO, part, &view, Vec2::new(400.0, 300.0)).unwrap();
    let last = drag(&mut moving, &view, Vec2::new(420.0, 250.0), PLAIN);
    for y in [-500.0, -5000.0, f32::MAX] {
        assert_eq!(drag(&mut moving, &view, Vec2::new(400.0, -y.abs()), PLAIN), last);
    }
}

#[test]
fn degenerate_views_give_nothing_that_is_not_finite() {
    for size in [Vec2::ZERO, Vec2::new(800.0, 600.0)] {
        for distance in [0.0, 1e-20, 1.0, 1e20] {
            let view =
                Viewport { camera: ViewCamera { distance, ..Default::default() }, size, covered_top: 0.0 };
            for origin in [Vec3::ZERO, Vec3::splat(1e30), Vec3::splat(-1e-30)] {
                let all = shape(origin, &view);
                let _ = all.hit(&view, Vec2::ZERO);
                assert!(all.lines.iter().flat_map(|l| &l.points).all(|p| !p.is_nan()));
                for part in [Constraint::View, Constraint::Axis(Axis::X), Constraint::Plane(Axis::Y)] {
                    if let Some(mut moving) = begin(origin, part, &view, Vec2::ZERO) {
                        let snap = Modifiers { snap: true, fine: true };
                        assert!(drag(&mut moving, &view, Vec2::splat(1e30), snap).is_finite());
                    }
                }
            }
        }
    }
}
