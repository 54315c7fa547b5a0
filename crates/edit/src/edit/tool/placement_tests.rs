//! Drags of the instance gizmo against closed forms, under parents that rotate, mirror, stretch and skew.

use super::gizmo::{Axis, GizmoPart, SIZE_PX};
use super::placement::Placement;
use super::rings::ring;
use super::scale::{ALL_AXES, axis_box};
use super::translate::{CENTER, arrow};
use crate::edit::command::Command;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::{Axes, GizmoMode, Tab};
use crate::edit::testing::Pointer;
use crate::edit::tool::gizmo::Modifiers;
use crate::math::camera::Viewport;
use crate::scene::Scene;
use crate::scene::instance::{GeometryInstance, InstanceKind, InstanceRef};
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::resource::Transform;
use crate::scene::world::world_matrix;
use crate::testing::Random;
use crate::testing::random_viewport;
use glam::{DAffine3, DMat3, DVec3, Quat, Vec2, Vec3};
use std::sync::Arc;

fn instance() -> InstanceRef {
    InstanceRef { kind: InstanceKind::Mesh, name: "Box".into() }
}

/// `Box` with the transform `Own`, a child of `Parent`.
fn scene(parent: Transform, local: Transform) -> Scene {
    let mut scene = Scene::default();
    scene.transforms.insert("Parent".into(), Arc::new(parent));
    let local = Transform { parent: Some("Parent".into()), ..local };
    scene.transforms.insert("Own".into(), Arc::new(local));
    let placed = GeometryInstance { transform: Some("Own".into()), ..GeometryInstance::default() };
    scene.instances.meshes.insert("Box".into(), Arc::new(placed));
    scene
}

/// `Box` is selected.
fn pointer(scene: Scene, mode: GizmoMode, axes: Axes, view: Viewport) -> Pointer {
    let mut session = Session::new(scene, None);
    let selection = Selection::from_instance(session.scene(), &instance());
    session.select(selection);
    let mut pointer = Pointer::new(session, Tab::Animate, view);
    (pointer.settings.tools.gizmo, pointer.settings.tools.axes) = (mode, axes);
    pointer
}

fn any_transform(random: &mut Random, stretch: bool) -> Transform {
    let mut size = |low, high| {
        let sign = if random.next() & 3 == 0 { -1.0 } else { 1.0 };
        sign * random.range(low, high)
    };
    let one = size(0.5, 2.0);
    let scale =
        if stretch { Vec3::new(size(0.4, 2.0), size(0.4, 2.0), size(0.4, 2.0)) } else { Vec3::splat(one) };
    Transform {
        translation: random.vec3(1.0),
        rotation: Quat::from_axis_angle(random.direction(), random.range(-3.0, 3.0)),
        scale,
        ..Transform::default()
    }
}

/// The object is in the middle of the view.
fn in_view(random: &mut Random, stretch: bool, mode: GizmoMode, axes: Axes) -> Pointer {
    let scene = scene(any_transform(random, stretch), any_transform(random, stretch));
    let mut view = random_viewport(random);
    view.camera.target = world_matrix(&scene, Some("Own")).translation.as_vec3();
    pointer(scene, mode, axes, view)
}

/// Presses at a pixel if this part of the gizmo is there.
fn take(pointer: &mut Pointer, part: GizmoPart, point: Vec2) -> bool {
    let hit = pointer.hovered_part(point) == Some(part);
    if hit {
        pointer.press(point);
    }
    hit && pointer.tools.is_dragging()
}

fn world(session: &Session) -> DAffine3 {
    world_matrix(session.scene(), Some("Own"))
}

const SPACES: [Axes; 3] = [Axes::World, Axes::Parent, Axes::Local];

/// The unit axes in world space, computed from the scene.
fn directions(session: &Session, axes: Axes) -> [Vec3; 3] {
    let scene = session.scene();
    let parent = world_matrix(scene, Some("Parent")).matrix3;
    let local = DMat3::from_quat(scene.transforms["Own"].rotation.as_dquat());
    let m = match axes {
        Axes::World => DMat3::IDENTITY,
        Axes::Parent => parent,
        Axes::Local => parent * local,
    };
    [m.x_axis, m.y_axis, m.z_axis].map(|axis| axis.normalize().as_vec3())
}

#[test]
fn what_is_moved_stays_under_the_pointer_and_on_its_axis() {
    let mut random = Random::new(11);
    let mut checked = 0;
    for round in 0..400 {
        let axes = SPACES[round % 3];
        let mut p = in_view(&mut random, round % 2 == 0, GizmoMode::Move, axes);
        let origin = world(&p.session).translation.as_vec3();
        let unit = p.viewport.world_per_pixel(origin) * SIZE_PX;
        let axis = Axis::ALL[random.next() as usize % 3];
        let along = directions(&p.session, axes)[axis.index()];
        let pixel = |p: &Pointer, point: Vec3| p.viewport.project(point).map(|shown| shown.pixel);
        let (grab, shift) = (along * unit * 0.7, along * unit * random.range(-1.0, 1.0));
        let (Some(press), Some(to)) = (pixel(&p, origin + grab), pixel(&p, origin + grab + shift)) else {
            continue;
        };
        if press.distance(to) < 5.0 || !take(&mut p, arrow(axis), press) {
            continue;
        }
        p.move_to(press + Vec2::new(40.0, 3.0));
        p.move_to(to);
        let moved = world(&p.session).translation.as_vec3() - origin;
        assert!(moved.distance(shift) < 0.03 * unit, "{axes:?} {axis:?} {moved} {shift}");
        assert!(moved.cross(along).length() < 1e-3 * unit + 1e-5, "{axes:?} {moved} {along}");
        p.release();
        assert_eq!(p.steps(), ["Move Own"]);
        checked += 1;
    }
    assert!(checked > 150, "{checked}");
}

/// A rotation by a snapped angle is a rotation about the axis of the ring, exactly if the parent is not
/// skewed.
#[test]
fn rotations_are_about_the_axis_of_the_ring() {
    let mut random = Random::new(12);
    let mut checked = [0; 3];
    for round in 0..600 {
        let axes = SPACES[round % 3];
        let mut p = in_view(&mut random, false, GizmoMode::Rotate, axes);
        let before = world(&p.session);
        let origin = before.translation.as_vec3();
        let axis = Axis::ALL[random.next() as usize % 3];
        let about = directions(&p.session, axes)[axis.index()].as_dvec3();
        // From one point of the ring to another, both facing the camera.
        let unit = p.viewport.world_per_pixel(origin) * SIZE_PX;
        let first = about.any_orthonormal_vector();
        let point = |angle: f64| {
            let point = first * angle.cos() + about.cross(first) * angle.sin();
            let point = origin + point.as_vec3() * unit;
            let is_front = (point - origin).dot(p.viewport.towards_camera(origin)) > 0.0;
            p.viewport.project(point).filter(|_| is_front).map(|shown| shown.pixel)
        };
        let start = f64::from(random.range(0.0, 6.2));
        let steps = 1 + random.next() % 4;
        let angle = 15f64.to_radians() * steps as f64;
        let (Some(press), Some(to)) = (point(start), point(start + angle)) else {
            continue;
        };
        let facing = about.as_vec3().dot(p.viewport.towards_camera(origin)).abs();
        if facing < 0.3 || !take(&mut p, ring(axis), press) {
            continue;
        }
        p.modifiers.snap = true;
        p.move_to(to);
        let after = world(&p.session);
        let expected = DMat3::from_axis_angle(about, angle) * before.matrix3;
        assert!(after.matrix3.abs_diff_eq(expected, 1e-4), "{axes:?}\n{}\n{expected}", after.matrix3);
        assert!(after.translation.distance(before.translation) < 1e-6);
        assert!(p.tools.hint().contains(&format!("{}°", 15 * steps)));
        checked[round % 3] += 1;
    }
    assert!(checked.iter().all(|count| *count > 15), "{checked:?}");
}

/// Under skewed parents: about the parent's axes R' = rotation * R, about its own R' = R * rotation.
#[test]
fn under_skewed_parents_the_rotation_is_rotated() {
    let mut random = Random::new(13);
    let mut checked = [0; 3];
    for round in 0..600 {
        let axes = SPACES[round % 3];
        let mut p = in_view(&mut random, true, GizmoMode::Rotate, axes);
        let before = p.session.scene().transforms["Own"].rotation.as_dquat();
        let shape = p.shape();
        let line = &shape.lines[random.next() as usize % shape.lines.len()];
        let axis = line.part.axis(0).expect("a ring");
        let on_ring = line.points[line.points.len() / 2];
        let Some(press) = p.viewport.project(on_ring).map(|shown| shown.pixel) else {
            continue;
        };
        if !take(&mut p, ring(axis), press) {
            continue;
        }
        p.move_to(press + random.vec3(60.0).truncate());
        let after = p.session.scene().transforms["Own"].rotation.as_dquat();
        let change = match axes {
            Axes::Local => before.inverse() * after,
            _ => after * before.inverse(),
        };
        let (about, angle) = change.to_axis_angle();
        if angle.sin().abs() < 1e-2 {
            continue;
        }
        let expected = match axes {
            Axes::World => {
                // The axis that the parent, without its skew, maps to the world axis.
                let parent = world_matrix(p.session.scene(), Some("Parent")).matrix3;
                let q = crate::math::decompose::polar_factor(parent).unwrap();
                q.transpose() * DVec3::AXES[axis.index()]
            }
            _ => DVec3::AXES[axis.index()],
        };
        assert!(about.dot(expected).abs() > 1.0 - 1e-4, "{axes:?} {about} {expected}");
        // A ring follows the pointer under any skew, whether seen from the side or from above.
        checked[round % 3] += 1;
    }
    assert!(checked.iter().all(|count| *count > 60), "{checked:?}");
}

#[test]
fn boxes_scale_along_the_objects_own_axes() {
    let mut random = Random::new(14);
    let mut checked = 0;
    for round in 0..400 {
        let mut p = in_view(&mut random, round % 2 == 0, GizmoMode::Scale, SPACES[round % 3]);
        let origin = world(&p.session).translation.as_vec3();
        let before = p.session.scene().transforms["Own"].scale;
        let unit = p.viewport.world_per_pixel(origin) * SIZE_PX;
        let axis = Axis::ALL[random.next() as usize % 3];
        let along = directions(&p.session, Axes::Local)[axis.index()];
        let factor = random.range(0.3, 2.5);
        let pixel = |p: &Pointer, reach: f32| {
            let shown = p.viewport.project(origin + along * unit * reach);
            shown.map(|shown| shown.pixel)
        };
        let (Some(press), Some(to)) = (pixel(&p, 0.8), pixel(&p, 0.8 * factor)) else {
            continue;
        };
        let end_on = along.dot(p.viewport.towards_camera(origin)).abs() > 0.9;
        if end_on || press.distance(to) < 5.0 || !take(&mut p, axis_box(axis), press) {
            continue;
        }
        p.move_to(to);
        let mut expected = before;
        expected[axis.index()] *= factor;
        let after = p.session.scene().transforms["Own"].scale;
        assert!(after.distance(expected) < 0.02 * expected.length(), "{after} {expected}");
        checked += 1;
    }
    assert!(checked > 120, "{checked}");
    let mut p = in_view(&mut random, true, GizmoMode::Scale, Axes::World);
    let before = p.session.scene().transforms["Own"].scale;
    let middle = p.pixel(world(&p.session).translation.as_vec3());
    assert!(take(&mut p, ALL_AXES, middle));
    p.move_to(middle + Vec2::new(SIZE_PX, 0.0));
    let scale = |p: &Pointer| p.session.scene().transforms["Own"].scale;
    assert!(scale(&p).distance(before * 2.0) < 1e-4);
    assert!(p.tools.hint().starts_with("× 2 "));
    // The axis key restores the other axes.
    p.type_keys("z");
    assert!(scale(&p).distance(before * Vec3::new(1.0, 1.0, 2.0)) < 1e-4);
}

#[test]
fn an_instance_without_transform_gets_one_in_the_same_step() {
    let mut bare = scene(Transform::default(), Transform::default());
    bare.transforms.clear();
    bare.instances.meshes.insert("Box".into(), Arc::default());
    let mut view = random_viewport(&mut Random::new(3));
    view.camera = Default::default();
    let mut p = pointer(bare.clone(), GizmoMode::Move, Axes::World, view);
    let middle = p.pixel(Vec3::ZERO);
    assert_eq!(p.hovered_part(middle), Some(CENTER));
    assert!(p.tools.hint().contains("across the view"));
    p.press(middle);
    for x in [10.0, 50.0] {
        p.move_to(middle + Vec2::new(x, 0.0));
    }
    p.release();
    assert_eq!(p.steps().len(), 1);
    let name = p.session.scene().instances.meshes["Box"].transform.clone().unwrap();
    assert!(p.session.scene().transforms[&name].translation.length() > 0.1);
    p.session.undo();
    assert!(*p.session.scene() == bare);
}

#[test]
fn there_is_no_gizmo_where_it_could_not_work() {
    let with_scale = |scale: Vec3| {
        let parent = Transform { scale, ..Transform::default() };
        let view = random_viewport(&mut Random::new(3));
        let scene = scene(parent, Transform::default());
        pointer(scene, GizmoMode::Move, Axes::World, view)
    };
    let offered = |p: &mut Pointer| p.with_tools(|_, context| Placement::from_view(context.view).is_some());
    for scale in [Vec3::new(1.0, 0.0, 1.0), Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::splat(f32::INFINITY)] {
        assert!(!offered(&mut with_scale(scale)), "{scale}");
    }
    let mut p = with_scale(Vec3::ONE);
    assert!(offered(&mut p));
    p.session.apply(&[Command::show(&instance(), false)]).unwrap();
    assert!(!offered(&mut p));
    // A selected transform has a gizmo too; other resources have none.
    let parent = Selection::from_object(p.session.scene(), &ObjectRef::new(Kind::Transform, "Parent"));
    p.session.select(parent);
    assert!(offered(&mut p));
    p.session.select(Selection::default());
    assert!(!offered(&mut p));
}

/// No pointer input produces a number that is not finite.
#[test]
fn no_pointer_input_gives_a_number_that_is_not_finite() {
    let mut random = Random::new(15);
    for round in 0..300 {
        let mode = [GizmoMode::Move, GizmoMode::Rotate, GizmoMode::Scale][round % 3];
        let mut p = in_view(&mut random, true, mode, SPACES[round / 3 % 3]);
        let shape = p.shape();
        let elements: Vec<_> = shape.lines.iter().chain(&shape.faces).collect();
        let point = elements[random.next() as usize % elements.len()].points[0];
        let Some(press) = p.viewport.project(point).map(|shown| shown.pixel) else {
            continue;
        };
        p.press(press);
        for point in [1e5, -1e30, f32::MAX, f32::NAN, f32::INFINITY] {
            let snap = random.next() & 1 == 0;
            p.modifiers = Modifiers { snap, fine: !snap };
            p.move_to(Vec2::new(point, -point));
            let local = &p.session.scene().transforms["Own"];
            assert!(local.translation.is_finite() && local.rotation.is_finite() && local.scale.is_finite());
            p.shape();
        }
    }
}
