//! Drags of the instance gizmo against closed forms, under parents that turn, mirror, stretch and skew.

use super::*;
use crate::edit::selection::Selection;
use crate::edit::session::Session;
use crate::edit::testing::PLAIN;
use crate::edit::tool::gizmo::Axis;
use crate::edit::view::{Tab, ViewSettings};
use crate::math::camera::testing::random_viewport;
use crate::math::testing::Random;
use crate::scene::Scene;
use crate::scene::evaluate::Evaluated;
use crate::scene::instance::{GeometryInstance, InstanceKind, InstanceRef};
use crate::scene::names::{Kind, Thing};
use crate::scene::resource::Transform;
use crate::scene::world::world_of;
use glam::{DAffine3, DMat3, DVec3, Quat};
use std::sync::Arc;

fn instance() -> InstanceRef {
    InstanceRef {
        kind: InstanceKind::Mesh,
        name: "Box".into(),
    }
}

/// `Box` on `Own`, which hangs on `Parent`.
fn scene(parent: Transform, own: Transform) -> Scene {
    let mut scene = Scene::default();
    scene.transforms.insert("Parent".into(), Arc::new(parent));
    let own = Transform {
        parent: Some("Parent".into()),
        ..own
    };
    scene.transforms.insert("Own".into(), Arc::new(own));
    let placed = GeometryInstance {
        transform: Some("Own".into()),
        ..GeometryInstance::default()
    };
    scene.instances.meshes.insert("Box".into(), Arc::new(placed));
    scene
}

fn session(scene: Scene) -> Session {
    let mut session = Session::new(scene, None);
    let selection = Selection::of_instance(session.scene(), &instance());
    session.select(selection);
    session
}

fn gizmo(session: &Session, mode: GizmoMode, axes: Axes) -> Option<InstanceGizmo> {
    let settings = ViewSettings {
        tab: Tab::Animate,
        gizmo: mode,
        axes,
        ..ViewSettings::default()
    };
    let evaluated = &Evaluated::default();
    InstanceGizmo::of(&View {
        session,
        evaluated,
        settings: &settings,
    })
}

fn any_transform(random: &mut Random, stretch: bool) -> Transform {
    let mut size = |low, high| {
        let sign = if random.bits() & 3 == 0 { -1.0 } else { 1.0 };
        sign * random.range(low, high)
    };
    let one = size(0.5, 2.0);
    let scale = if stretch {
        Vec3::new(size(0.4, 2.0), size(0.4, 2.0), size(0.4, 2.0))
    } else {
        Vec3::splat(one)
    };
    Transform {
        translation: random.vec3(1.0),
        rotation: Quat::from_axis_angle(random.unit(), random.range(-3.0, 3.0)),
        scale,
        ..Transform::default()
    }
}

/// A session whose thing is in the middle of the view.
fn in_view(random: &mut Random, stretch: bool) -> (Session, Viewport) {
    let session = session(scene(
        any_transform(random, stretch),
        any_transform(random, stretch),
    ));
    let mut view = random_viewport(random);
    view.camera.target = world(&session).translation.as_vec3();
    (session, view)
}

fn world(session: &Session) -> DAffine3 {
    world_of(session.scene(), Some("Own"))
}

const SPACES: [Axes; 3] = [Axes::World, Axes::Parent, Axes::Local];

/// The unit axes in world space, from the scene itself.
fn directions(session: &Session, axes: Axes) -> [Vec3; 3] {
    let scene = session.scene();
    let parent = world_of(scene, Some("Parent")).matrix3;
    let own = DMat3::from_quat(scene.transforms["Own"].rotation.as_dquat());
    let m = match axes {
        Axes::World => DMat3::IDENTITY,
        Axes::Parent => parent,
        Axes::Local => parent * own,
    };
    [m.x_axis, m.y_axis, m.z_axis].map(|axis| axis.normalize().as_vec3())
}

#[test]
fn what_is_moved_stays_under_the_pointer_and_on_its_axis() {
    let mut random = Random::new(11);
    let mut seen = 0;
    for round in 0..400 {
        let (mut session, view) = in_view(&mut random, round % 2 == 0);
        let axes = SPACES[round % 3];
        let origin = world(&session).translation.as_vec3();
        let unit = view.world_per_pixel(origin) * super::super::gizmo::SIZE_PX;
        let axis = Axis::ALL[random.bits() as usize % 3];
        let along = directions(&session, axes)[axis.index()];
        let pixel = |p: Vec3| view.project(p).map(|shown| shown.pixel);
        let gizmo = gizmo(&session, GizmoMode::Move, axes).unwrap();
        let mut tool = InstanceTool::default();
        let (grab, shift) = (along * unit * 0.7, along * unit * random.range(-1.0, 1.0));
        let (Some(press), Some(to)) = (pixel(origin + grab), pixel(origin + grab + shift)) else {
            continue;
        };
        if !tool.press(Some(&gizmo), &view, press) || tool.hot() != Some(GizmoPart::Axis(axis)) {
            continue;
        }
        tool.drag(&view, press + Vec2::new(40.0, 3.0), PLAIN);
        session.preview(&tool.drag(&view, to, PLAIN)).unwrap();
        let moved = world(&session).translation.as_vec3() - origin;
        assert!(
            moved.distance(shift) < 0.03 * unit,
            "{axes:?} {axis:?} {moved} {shift}"
        );
        assert!(
            moved.cross(along).length() < 1e-3 * unit + 1e-5,
            "{axes:?} {moved} {along}"
        );
        assert!(tool.end() && session.commit());
        assert_eq!(session.undo_label(), Some("Move Own"));
        seen += 1;
    }
    assert!(seen > 150, "{seen}");
}

/// A turn by a snapped angle is the rotation about that axis: exactly where the parent does not skew.
#[test]
fn turns_are_rotations_about_the_axis_of_the_ring() {
    let mut random = Random::new(12);
    let mut seen = [0; 3];
    for round in 0..600 {
        let (mut session, view) = in_view(&mut random, false);
        let axes = SPACES[round % 3];
        let before = world(&session);
        let origin = before.translation.as_vec3();
        let axis = Axis::ALL[random.bits() as usize % 3];
        let about = directions(&session, axes)[axis.index()].as_dvec3();
        let gizmo = gizmo(&session, GizmoMode::Turn, axes).unwrap();
        // From one point of the ring to another, both on the side of the camera.
        let unit = view.world_per_pixel(origin) * super::super::gizmo::SIZE_PX;
        let first = about.any_orthonormal_vector();
        let point = |angle: f64| {
            let at = first * angle.cos() + about.cross(first) * angle.sin();
            let p = origin + at.as_vec3() * unit;
            let seen = (p - origin).dot(view.towards_camera(origin)) > 0.0;
            view.project(p).filter(|_| seen).map(|shown| shown.pixel)
        };
        let start = f64::from(random.range(0.0, 6.2));
        let steps = 1 + random.bits() % 4;
        let angle = 15f64.to_radians() * steps as f64;
        let (Some(press), Some(to)) = (point(start), point(start + angle)) else {
            continue;
        };
        let mut tool = InstanceTool::default();
        let facing = about.as_vec3().dot(view.towards_camera(origin)).abs();
        if facing < 0.3
            || !tool.press(Some(&gizmo), &view, press)
            || tool.hot() != Some(GizmoPart::Ring(axis))
        {
            continue;
        }
        let snap = Modifiers {
            snap: true,
            fine: false,
        };
        session.preview(&tool.drag(&view, to, snap)).unwrap();
        let after = world(&session);
        let turn = DMat3::from_axis_angle(about, angle);
        let expected = turn * before.matrix3;
        assert!(
            after.matrix3.abs_diff_eq(expected, 1e-4),
            "{axes:?}\n{}\n{expected}",
            after.matrix3
        );
        assert!(after.translation.distance(before.translation) < 1e-6);
        assert!(tool.readout().unwrap().contains('°'));
        seen[round % 3] += 1;
    }
    assert!(seen.iter().all(|seen| *seen > 15), "{seen:?}");
}

/// Under skewed parents: about the parent's axes R' = rotation * R, about its own R' = R * rotation.
#[test]
fn turns_under_skewed_parents_are_rotations_of_the_rotation() {
    let mut random = Random::new(13);
    let mut seen = [0; 3];
    for round in 0..600 {
        let (mut session, view) = in_view(&mut random, true);
        let axes = SPACES[round % 3];
        let before = session.scene().transforms["Own"].rotation.as_dquat();
        let gizmo = gizmo(&session, GizmoMode::Turn, axes).unwrap();
        let shape = gizmo.shape(&view);
        let line = &shape.lines[random.bits() as usize % shape.lines.len()];
        let GizmoPart::Ring(axis) = line.part else {
            panic!()
        };
        let on_ring = line.points[line.points.len() / 2];
        let Some(press) = view.project(on_ring).map(|shown| shown.pixel) else {
            continue;
        };
        let mut tool = InstanceTool::default();
        if !tool.press(Some(&gizmo), &view, press) || tool.hot() != Some(GizmoPart::Ring(axis)) {
            continue;
        }
        session
            .preview(&tool.drag(&view, press + random.vec3(60.0).truncate(), PLAIN))
            .unwrap();
        let after = session.scene().transforms["Own"].rotation.as_dquat();
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
                // The axis that the parent, without its skew, takes to the world's.
                let parent = world_of(session.scene(), Some("Parent")).matrix3;
                let q = crate::math::decompose::polar_factor(parent).unwrap();
                q.transpose() * DVec3::AXES[axis.index()]
            }
            _ => DVec3::AXES[axis.index()],
        };
        assert!(
            about.dot(expected).abs() > 1.0 - 1e-4,
            "{axes:?} {about} {expected}"
        );
        // A ring follows the pointer whatever the skew, where it is seen from its side or above.
        seen[round % 3] += 1;
    }
    assert!(seen.iter().all(|seen| *seen > 60), "{seen:?}");
}

#[test]
fn boxes_scale_along_the_things_own_axes() {
    let mut random = Random::new(14);
    let mut seen = 0;
    for round in 0..400 {
        let (mut session, view) = in_view(&mut random, round % 2 == 0);
        let origin = world(&session).translation.as_vec3();
        let before = session.scene().transforms["Own"].scale;
        let unit = view.world_per_pixel(origin) * super::super::gizmo::SIZE_PX;
        let axis = Axis::ALL[random.bits() as usize % 3];
        let along = directions(&session, Axes::Local)[axis.index()];
        let gizmo = gizmo(&session, GizmoMode::Scale, SPACES[round % 3]).unwrap();
        let factor = random.range(0.3, 2.5);
        let pixel = |reach: f32| {
            view.project(origin + along * unit * reach)
                .map(|shown| shown.pixel)
        };
        let (Some(press), Some(to)) = (pixel(0.8), pixel(0.8 * factor)) else {
            continue;
        };
        let mut tool = InstanceTool::default();
        if !tool.press(Some(&gizmo), &view, press) || tool.hot() != Some(GizmoPart::Axis(axis)) {
            continue;
        }
        if along.dot(view.towards_camera(origin)).abs() > 0.9 {
            continue;
        }
        session.preview(&tool.drag(&view, to, PLAIN)).unwrap();
        let mut expected = before;
        expected[axis.index()] *= factor;
        let after = session.scene().transforms["Own"].scale;
        assert!(
            after.distance(expected) < 0.02 * expected.length(),
            "{after} {expected}"
        );
        seen += 1;
    }
    assert!(seen > 120, "{seen}");
    let (mut session, view) = in_view(&mut random, true);
    let before = session.scene().transforms["Own"].scale;
    let gizmo = gizmo(&session, GizmoMode::Scale, Axes::World).unwrap();
    let middle = view.project(world(&session).translation.as_vec3()).unwrap().pixel;
    let mut tool = InstanceTool::default();
    assert!(tool.press(Some(&gizmo), &view, middle));
    assert_eq!(tool.hot(), Some(GizmoPart::Center));
    let twice = middle + Vec2::new(super::super::gizmo::SIZE_PX, 0.0);
    session.preview(&tool.drag(&view, twice, PLAIN)).unwrap();
    assert!(session.scene().transforms["Own"].scale.distance(before * 2.0) < 1e-4);
    assert_eq!(tool.readout().as_deref(), Some("× 2"));
}

#[test]
fn an_instance_without_transform_gets_one_in_the_same_step() {
    let mut bare = scene(Transform::default(), Transform::default());
    bare.transforms.clear();
    bare.instances.meshes.insert("Box".into(), Arc::default());
    let mut session = session(bare.clone());
    let mut view = random_viewport(&mut Random::new(3));
    view.camera = Default::default();
    let gizmo = gizmo(&session, GizmoMode::Move, Axes::World).unwrap();
    let middle = view.project(Vec3::ZERO).unwrap().pixel;
    let mut tool = InstanceTool::default();
    assert!(tool.hover(Some(&gizmo), &view, middle));
    assert!(tool.hint().unwrap().contains("across the view"));
    assert!(tool.press(Some(&gizmo), &view, middle));
    for x in [10.0, 50.0] {
        session
            .preview(&tool.drag(&view, middle + Vec2::new(x, 0.0), PLAIN))
            .unwrap();
    }
    assert!(tool.end() && session.commit());
    assert_eq!(session.history().entries().len(), 1);
    let name = session.scene().instances.meshes["Box"].transform.clone().unwrap();
    assert!(session.scene().transforms[&name].translation.length() > 0.1);
    session.undo();
    assert!(*session.scene() == bare);
}

#[test]
fn there_is_no_gizmo_where_it_could_not_work() {
    let with_scale = |scale: Vec3| {
        let parent = Transform {
            scale,
            ..Transform::default()
        };
        session(scene(parent, Transform::default()))
    };
    for scale in [
        Vec3::new(1.0, 0.0, 1.0),
        Vec3::ZERO,
        Vec3::splat(f32::NAN),
        Vec3::splat(f32::INFINITY),
    ] {
        let session = with_scale(scale);
        for (mode, axes) in [
            (GizmoMode::Move, Axes::World),
            (GizmoMode::Turn, Axes::Parent),
            (GizmoMode::Scale, Axes::Local),
        ] {
            assert!(gizmo(&session, mode, axes).is_none(), "{scale}");
        }
    }
    let mut session = with_scale(Vec3::ONE);
    assert!(gizmo(&session, GizmoMode::Move, Axes::World).is_some());
    let hide = Command::show(&instance(), false);
    session.apply(&[hide]).unwrap();
    assert!(gizmo(&session, GizmoMode::Move, Axes::World).is_none());
    // A transform that was chosen itself has one too; another resource has none.
    let parent = Selection::of_thing(session.scene(), &Thing::new(Kind::Transform, "Parent"));
    session.select(parent);
    assert!(gizmo(&session, GizmoMode::Turn, Axes::World).is_some());
    session.select(Selection::default());
    assert!(gizmo(&session, GizmoMode::Turn, Axes::World).is_none());
}

/// Nothing that a pointer can do makes a number that is not finite.
#[test]
fn wild_pointers_place_nothing_nowhere() {
    let mut random = Random::new(15);
    for round in 0..300 {
        let (mut session, view) = in_view(&mut random, true);
        let mode = [GizmoMode::Move, GizmoMode::Turn, GizmoMode::Scale][round % 3];
        let gizmo = gizmo(&session, mode, SPACES[round / 3 % 3]).unwrap();
        let shape = gizmo.shape(&view);
        let elements: Vec<_> = shape.lines.iter().chain(&shape.faces).collect();
        let point = elements[random.bits() as usize % elements.len()].points[0];
        let Some(press) = view.project(point).map(|shown| shown.pixel) else {
            continue;
        };
        let mut tool = InstanceTool::default();
        tool.press(Some(&gizmo), &view, press);
        for at in [1e5, -1e30, f32::MAX, f32::NAN, f32::INFINITY] {
            let snap = random.bits() & 1 == 0;
            let modifiers = Modifiers { snap, fine: !snap };
            let commands = tool.drag(&view, Vec2::new(at, -at), modifiers);
            if !commands.is_empty() {
                session.preview(&commands).unwrap();
            }
            let own = &session.scene().transforms["Own"];
            assert!(own.translation.is_finite() && own.rotation.is_finite() && own.scale.is_finite());
            let _ = tool.shape(Some(&gizmo), &view);
        }
    }
}
