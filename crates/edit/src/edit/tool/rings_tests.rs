//! Ring drags, checked against the pose itself: a point fixed to the bone must follow the pointer.

use super::Drag;
use super::gizmo::{Axis, Modifiers};
use super::numeric::NumericInput;
use super::rings::{Rings, ring};
use super::rotate::RingDrag;
use crate::edit::command::Command;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::Tab;
use crate::edit::testing::{self, PLAIN, input};
use crate::math::camera::{ViewCamera, Viewport};
use crate::rig::kinematics::current_pose;
use crate::rig::property::PropertyValue;
use crate::rig::skeleton::{Bone, Part, Skeleton};
use crate::testing::Random;
use crate::testing::random_viewport;
use glam::{DAffine3, Mat4, Quat, Vec2, Vec3};

fn random_chain(random: &mut Random) -> Skeleton {
    let bones = (0..3u32)
        .map(|i| Bone {
            extent: random.direction() * random.range(0.3, 1.0),
            roll_deg: random.range(-180.0, 180.0),
            pose_deg: random.vec3(170.0),
            parent: i.checked_sub(1),
            ..Default::default()
        })
        .collect();
    Skeleton { bones, base: random.vec3(0.5), base_offset: random.vec3(0.5), ..Default::default() }
}

fn animated_rig<'a>(skeleton: &'a Skeleton, current: &'a [DAffine3], world: Mat4) -> ActiveRig<'a> {
    testing::active_rig(Tab::Animate, skeleton, current, world)
}

/// A world matrix: rotated, moved, unevenly scaled, sometimes mirrored.
fn random_world(random: &mut Random) -> Mat4 {
    let mut scale = Vec3::new(random.range(0.6, 1.6), random.range(0.6, 1.6), random.range(0.6, 1.6));
    if random.next() & 3 == 0 {
        scale.x = -scale.x;
    }
    let rotation = Quat::from_axis_angle(random.direction(), random.range(-3.0, 3.0));
    Mat4::from_scale_rotation_translation(scale, rotation, random.vec3(1.0))
}

fn turn(drag: &mut RingDrag, view: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec<Command> {
    drag.commands(&input(view, &[pixel.into()], modifiers))
}

fn pose_of(commands: &[Command]) -> Vec3 {
    match commands.first().and_then(Command::part_property) {
        Some(("m", [Part::Bone(2)], "pose", PropertyValue::Vec3(pose_deg))) => *pose_deg,
        other => panic!("{other:?}"),
    }
}

/// Drags a point that is fixed to the bone along the path that the pose itself gives it, and compares the
/// resulting angle with the given one.
#[test]
fn a_point_on_the_bone_stays_under_the_pointer_over_several_turns() {
    let mut random = Random::new(41);
    let (mut tried, mut per_axis) = (0, [0; 3]);
    while per_axis.iter().any(|&n| n < 8) {
        tried += 1;
        assert!(tried < 2000, "{per_axis:?}");
        let skeleton = random_chain(&mut random);
        let current = current_pose(&skeleton);
        let world = random_world(&mut random);
        let rig = animated_rig(&skeleton, &current, world);
        let rings = Rings::for_pose(&rig, 2).expect("a bone with a current pose");
        let axis = Axis::ALL[tried % 3];
        let mut view = random_viewport(&mut random);
        view.camera.target = rings.origin() + random.vec3(0.5);
        view.camera.distance = random.range(3.0, 12.0);
        view.camera.vertical_fov = random.range(0.4, 0.9);
        // A point where the ring is drawn; it moves with the bone from there.
        let line = rings.shape(&view).lines.into_iter().find(|l| l.part == ring(axis));
        let Some(grab) = line.map(|l| l.points[l.points.len() / 2]) else {
            continue;
        };
        let in_skeleton = world.inverse().transform_point3(grab).as_dvec3();
        let in_bone = current[2].inverse().transform_point3(in_skeleton);
        let pixel_at = |turned: f32| {
            let mut turned_skeleton = skeleton.clone();
            turned_skeleton.bones[2].pose_deg[axis.index()] += turned;
            let p = current_pose(&turned_skeleton)[2].transform_point3(in_bone);
            let shown = view.project(world.transform_point3(p.as_vec3()))?;
            Some(shown.pixel)
        };
        let path: Option<Vec<Vec2>> = (0..360).map(|i| pixel_at(i as f32)).collect();
        let Some(path) = path else { continue };
        // Skip rings that are (almost) edge-on: they are dragged along the screen.
        let center = view.project(rings.origin()).unwrap().pixel;
        let near = path.iter().map(|p| p.distance(center)).fold(f32::INFINITY, f32::min);
        let far = path.iter().map(|p| p.distance(center)).fold(0.0, f32::max);
        if near < 0.25 * far {
            continue;
        }
        for direction in [1.0f32, -1.0] {
            let mut drag = RingDrag::new(rings.clone(), axis, &view, path[0]).expect("visible");
            let start = skeleton.bones[2].pose_deg;
            for degrees in (0..=540).step_by(4) {
                let turned = degrees as f32 * direction;
                let pose = pose_of(&turn(&mut drag, &view, pixel_at(turned).unwrap(), PLAIN));
                let mut expected = start;
                expected[axis.index()] += turned;
                assert!(pose.distance(expected) < 0.5, "{axis:?} {turned}: {pose} for {expected}");
            }
        }
        per_axis[axis.index()] += 1;
    }
}

#[test]
fn rings_are_drawn_where_the_bone_turns_and_are_hit_there() {
    let mut random = Random::new(42);
    for _ in 0..50 {
        let skeleton = random_chain(&mut random);
        let current = current_pose(&skeleton);
        let rig = animated_rig(&skeleton, &current, Mat4::IDENTITY);
        let rings = Rings::for_pose(&rig, 2).unwrap();
        let mut view = random_viewport(&mut random);
        view.camera.target = rings.origin();
        let all = rings.shape(&view);
        for line in &all.lines {
            for point in &line.points {
                let shown = view.project(*point).unwrap().pixel;
                assert!(all.hit(&view, shown).is_some());
                assert!(shown.distance(view.size * 0.5) < 110.0);
            }
        }
        assert_eq!(all.hit(&view, view.size * 0.5 + Vec2::new(0.0, 150.0)), None);
    }
}

#[test]
fn edge_on_rings_turn_along_the_screen_with_the_right_sign() {
    // For an upright bone, the skeleton axes are the bone's axes: x -> x, y -> y, z -> z.
    let skeleton =
        Skeleton { bones: vec![Bone { extent: Vec3::Y, ..Default::default() }; 3], ..Default::default() };
    let current = current_pose(&skeleton);
    let rig = animated_rig(&skeleton, &current, Mat4::IDENTITY);
    let rings = Rings::for_pose(&rig, 2).unwrap();
    let view = Viewport {
        camera: ViewCamera { yaw: 0.0, pitch: 0.0, distance: 6.0, ..Default::default() },
        size: Vec2::new(800.0, 600.0),
        covered_top: 0.0,
    };
    let center = view.size * 0.5;
    // Seen from +z, the near side of a rotation about +y moves to the right; about +x it moves down.
    for (axis, radius, motion) in [(Axis::Y, 81.0, Vec2::X), (Axis::X, 72.0, Vec2::Y)] {
        for grab in [center, center + motion * radius * 0.95] {
            let mut drag = RingDrag::new(rings.clone(), axis, &view, grab).unwrap();
            for turned in [30.0f32, 400.0, -700.0] {
                let to = grab + motion * (radius * turned.to_radians());
                let pose = pose_of(&turn(&mut drag, &view, to, PLAIN));
                let expected = axis.unit() * turned;
                assert!(pose.distance(expected) < 0.02 * turned.abs(), "{pose} {expected}");
            }
        }
    }
}

#[test]
fn snaps_slows_and_reads_out() {
    let skeleton = Skeleton {
        bones: vec![Bone { extent: Vec3::Y, pose_deg: Vec3::Z * 10.0, ..Default::default() }; 3],
        ..Default::default()
    };
    let mut skeleton = skeleton;
    (skeleton.bones[0].pose_deg, skeleton.bones[1].pose_deg) = (Vec3::ZERO, Vec3::ZERO);
    let current = current_pose(&skeleton);
    let rings = Rings::for_pose(&animated_rig(&skeleton, &current, Mat4::IDENTITY), 2).unwrap();
    let view = Viewport {
        camera: ViewCamera { yaw: 0.0, pitch: 0.0, ..Default::default() },
        size: Vec2::new(800.0, 600.0),
        covered_top: 0.0,
    };
    let center = view.size * 0.5;
    let pixel_at = |deg: f32| {
        let (sin, cos) = deg.to_radians().sin_cos();
        center + Vec2::new(cos, -sin) * 90.0
    };
    let mut drag = RingDrag::new(rings.clone(), Axis::Z, &view, pixel_at(0.0)).unwrap();
    let snap = Modifiers { snap: true, fine: false };
    assert!(pose_of(&turn(&mut drag, &view, pixel_at(40.0), snap)).distance(Vec3::Z * 55.0) < 1e-3);
    assert_eq!(drag.readout(&NumericInput::NONE), "z 55° (+45°)");
    assert!(pose_of(&turn(&mut drag, &view, pixel_at(-38.0), snap)).distance(Vec3::Z * -35.0) < 1e-3);
    assert_eq!(drag.readout(&NumericInput::NONE), "z −35° (−45°)");
    let mut slow = RingDrag::new(rings.clone(), Axis::Z, &view, pixel_at(0.0)).unwrap();
    let fine = Modifiers { snap: false, fine: true };
    assert!(pose_of(&turn(&mut slow, &view, pixel_at(40.0), fine)).distance(Vec3::Z * 14.0) < 1e-2);
    // At the centre the angle stays the same; nothing jumps.
    let before = pose_of(&turn(&mut slow, &view, pixel_at(40.0), PLAIN));
    assert_eq!(pose_of(&turn(&mut slow, &view, center, PLAIN)), before);
}

#[test]
fn odd_input_gives_no_nan() {
    for extent in [Vec3::ZERO, Vec3::X, Vec3::splat(1e-30), Vec3::splat(1e30)] {
        let bone = Bone { extent, roll_deg: 1e9, ..Default::default() };
        let skeleton = Skeleton { bones: vec![bone; 3], ..Default::default() };
        let current = current_pose(&skeleton);
        for world in [Mat4::IDENTITY, Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)), Mat4::ZERO] {
            let Some(rings) = Rings::for_pose(&animated_rig(&skeleton, &current, world), 2) else {
                assert_ne!(world, Mat4::IDENTITY);
                continue;
            };
            for size in [Vec2::ZERO, Vec2::splat(500.0)] {
                let view = Viewport { camera: ViewCamera::default(), size, covered_top: 0.0 };
                for axis in Axis::ALL {
                    for pixel in [Vec2::ZERO, Vec2::splat(250.0), Vec2::splat(1e30)] {
                        let Some(mut drag) = RingDrag::new(rings.clone(), axis, &view, pixel) else {
                            continue;
                        };
                        let commands = turn(&mut drag, &view, Vec2::splat(-1e30), PLAIN);
                        assert!(pose_of(&commands).is_finite());
                        let shape = drag.shape(&view);
                        assert!(shape.lines.iter().flat_map(|l| &l.points).all(|p| p.is_finite()));
                    }
                }
            }
        }
    }
}
