//! Evaluation is a function of scene and settings, and reuses what did not change.

use crate::rig_support::*;
use glam::{Affine3A, DMat4, DVec4, Mat4, Quat, Vec3};
use ossature::anim::channel::{Animation, Channel, ChannelRef};
use ossature::anim::channel_set::ChannelSet;
use ossature::anim::spline::Spline;
use ossature::io::js3d;
use ossature::mesh::primitives;
use ossature::rig::ik::{self, Options};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Posed, Settings};
use ossature::scene::resource::Transform;
use ossature::scene::skinned::SkinnedMesh;
use std::path::Path;
use std::sync::Arc;

/// A tube of two bones along y, the first at the origin.
fn tube() -> SkinnedMesh {
    let surface = primitives::tube(0.2, 2.0, 12, 16).unwrap();
    let lowest = surface.positions().iter().map(|p| p.y).fold(f32::MAX, f32::min);
    let mut skeleton = chain(2, Vec3::Y);
    skeleton.base.y = lowest;
    for (index, bone) in skeleton.bones.iter_mut().enumerate() {
        bone.channel_id = index as u32;
    }
    let weights = capsule_weights(&skeleton, surface.positions());
    SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    }
}

fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("still".into(), Arc::new(tube()));
    let mut posed = tube();
    let skeleton = Arc::make_mut(&mut posed.skeleton);
    skeleton.bones[1].pose_deg = Vec3::new(30.0, 0.0, 20.0);
    skeleton.base_offset = Vec3::new(0.0, 0.5, 0.0);
    scene.skinned_meshes.insert("posed".into(), Arc::new(posed));
    let mut pulled = tube();
    let target = Vec3::new(0.4, pulled.skeleton.base.y + 1.2, 0.8);
    Arc::make_mut(&mut pulled.skeleton).handles.push(handle(1, target));
    scene.skinned_meshes.insert("pulled".into(), Arc::new(pulled));
    scene
}

fn animated() -> Scene {
    animate(scene())
}

/// Adds motion: the second bone of `posed` bends over ten frames; all else is shared.
fn animate(scene: Scene) -> Scene {
    let mut animation = Animation::default();
    let pose = Channel::Vec3(Spline::from_knots(vec![(0.0, Vec3::ZERO), (10.0, Vec3::new(80.0, 0.0, 0.0))]));
    let channels = animation.channels.entry("posed".into()).or_default();
    channels.insert("bone.1.pose".into(), Arc::new(pose));
    Scene { animation: Arc::new(animation), ..scene }
}

fn evaluate(scene: &Scene, settings: &Settings) -> Evaluated {
    Evaluator::default().evaluate(scene, settings)
}

fn at(frame: f32) -> Settings {
    Settings { frame: Some(frame), ..Settings::default() }
}

fn assert_same(a: &Evaluated, b: &Evaluated) {
    assert_eq!(a.scene, b.scene);
    assert_eq!(a.world_from_transform, b.world_from_transform);
    assert!(a.skinned.keys().eq(b.skinned.keys()));
    for (a, b) in a.skinned.values().zip(b.skinned.values()) {
        assert_eq!(a.skeleton, b.skeleton);
        assert_eq!((&a.bind, &a.current, &a.skinning), (&b.bind, &b.current, &b.skinning));
        assert_eq!((&a.ik, &a.render), (&b.ik, &b.render));
        assert_eq!((&a.positions, &a.render_vertices), (&b.positions, &b.render_vertices));
    }
}

/// Sum of w * P * inverse(B) * v in f64, with general matrix inversion.
fn skinned_by_definition(mesh: &SkinnedMesh, posed: &Posed, vertex: usize) -> Vec3 {
    let position = mesh.surface.positions()[vertex].as_dvec3().extend(1.0);
    let mut sum = DVec4::ZERO;
    for (bone, weight) in mesh.weights.influences(vertex) {
        let bone = usize::from(bone);
        let matrix = DMat4::from(posed.current[bone]) * DMat4::from(posed.bind[bone]).inverse();
        sum += f64::from(weight) * (matrix * position);
    }
    if sum == DVec4::ZERO { position } else { sum }.truncate().as_vec3()
}

#[test]
fn skinned_positions_follow_the_definition() {
    let scene = scene();
    let evaluated = evaluate(&scene, &Settings::default());
    for (name, mesh) in &scene.skinned_meshes {
        let posed = &evaluated.skinned[name];
        assert_eq!(posed.positions.len(), mesh.surface.vertex_count());
        assert_eq!(posed.render_vertices.len(), posed.render.vertex.len());
        for (vertex, found) in posed.positions.iter().enumerate() {
            let expected = skinned_by_definition(mesh, posed, vertex);
            assert!(found.distance(expected) < 1e-5, "{name} {vertex}: {found} is not {expected}");
        }
    }
    let moved = |name: &str| {
        let bind = scene.skinned_meshes[name].surface.positions();
        let distances = evaluated.skinned[name].positions.iter().zip(bind).map(|(a, b)| a.distance(*b));
        distances.fold(0.0, f32::max)
    };
    assert!(moved("still") < 1e-6);
    assert!(moved("posed") > 0.5 && moved("pulled") > 0.5);
}

#[test]
fn enabled_handles_pull_unless_told_otherwise() {
    let scene = scene();
    let evaluated = evaluate(&scene, &Settings::default());
    let pulled = &evaluated.skinned["pulled"];
    assert!(pulled.ik.as_ref().unwrap().converged);
    assert!(tip_errors(&pulled.skeleton)[0] < 1e-5);
    assert!(evaluated.skinned["posed"].ik.is_none());
    // The solution is not written into the scene.
    assert_eq!(evaluated.scene, scene);
    let off = Settings { ik: None, ..Settings::default() };
    let evaluated = evaluate(&scene, &off);
    assert!(evaluated.skinned["pulled"].ik.is_none());
    assert_eq!(evaluated.skinned["pulled"].skeleton, scene.skinned_meshes["pulled"].skeleton);
}

#[test]
fn the_solver_starts_from_the_driven_pose() {
    let mut scene = animated();
    let mut mesh = (*scene.skinned_meshes["posed"]).clone();
    Arc::make_mut(&mut mesh.skeleton).handles.push(handle(1, Vec3::new(0.3, 1.0, 0.6)));
    scene.skinned_meshes.insert("posed".into(), Arc::new(mesh.clone()));
    let found = &evaluate(&scene, &at(10.0)).skinned["posed"];
    let mut expected = (*mesh.skeleton).clone();
    expected.bones[1].pose_deg = Vec3::new(80.0, 0.0, 0.0);
    let outcome = ik::solve(&mut expected, &Options::default());
    assert_eq!(*found.skeleton, expected);
    assert_eq!(found.ik, Some(outcome));
}

#[test]
fn bind_shows_the_surface_as_stored() {
    let scene = scene();
    let settings = Settings { bind: true, ..Settings::default() };
    let evaluated = evaluate(&scene, &settings);
    for (name, mesh) in &scene.skinned_meshes {
        let posed = &evaluated.skinned[name];
        assert_eq!(posed.positions, mesh.surface.positions());
        assert!(posed.normals().eq(posed.render.normal.iter().copied()));
        for (vertex, drawn) in posed.render.vertex.iter().zip(&posed.render_vertices) {
            assert_eq!(drawn.position, mesh.surface.positions()[*vertex as usize]);
        }
        assert_eq!(posed.current, posed.bind);
        assert!(posed.skinning.iter().all(|m| *m == Affine3A::IDENTITY));
        assert!(posed.ik.is_none());
        assert!(Arc::ptr_eq(&posed.skeleton, &mesh.skeleton));
    }
}

/// A random walk over scenes and settings with one evaluator gives the same results as fresh ones.
#[test]
fn the_result_does_not_depend_on_what_was_evaluated_before() {
    let mut random = Random::new(1);
    let still = scene();
    let scenes = [still.clone(), animate(still), Scene::default()];
    let mut evaluator = Evaluator::default();
    for _ in 0..100 {
        let mut scene = scenes[random.below(9) / 4].clone();
        if random.below(3) == 0
            && let Some(mesh) = scene.skinned_meshes.get_mut("pulled")
        {
            let skeleton = Arc::make_mut(&mut Arc::make_mut(mesh).skeleton);
            skeleton.handles[0].target = random.vec3(1.0);
        }
        let settings = Settings {
            frame: (random.below(2) == 0).then(|| random.below(12) as f32),
            ik: (random.below(2) == 0).then(|| Options { max_steps: random.below(4), ..Options::default() }),
            bind: random.below(4) == 0,
            unkeyed: Arc::new(match random.below(3) {
                0 => [ChannelRef::new("posed", "bone.1.pose")].into_iter().collect(),
                _ => ChannelSet::default(),
            }),
            compare: None,
        };
        assert_same(&evaluator.evaluate(&scene, &settings), &evaluate(&scene, &settings));
    }
}

/// An evaluator reuses the memory of earlier results, but never that of a result, or a part, still in use.
#[test]
fn results_that_are_held_stay_as_they_are() {
    let mut random = Random::new(5);
    let mut scene = animated();
    let animation = Arc::make_mut(&mut scene.animation);
    let channels = animation.channels.entry("pulled".into()).or_default();
    let targets = Channel::Vec3(Spline::from_knots(vec![(0.0, Vec3::X), (10.0, Vec3::Z)]));
    let pose = Channel::Vec3(Spline::from_knots(vec![(0.0, Vec3::X), (10.0, Vec3::ONE * 50.0)]));
    channels.insert("handle.1.target".into(), Arc::new(targets));
    channels.insert("bone.1.pose".into(), Arc::new(pose));
    let held_back = Arc::new([ChannelRef::new("pulled", "bone.1.pose")].into_iter().collect());

    let mut evaluator = Evaluator::default();
    let (mut results, mut poses, mut skeletons) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..200 {
        let settings = Settings {
            unkeyed: match random.below(3) {
                0 => Arc::clone(&held_back),
                _ => Arc::default(),
            },
            ik: (random.below(4) > 0).then(Options::default),
            ..at(random.below(11) as f32)
        };
        let found = evaluator.evaluate(&scene, &settings);
        assert_same(&found, &evaluate(&scene, &settings));
        let (mesh, posed) = (&found.scene.skinned_meshes["pulled"], &found.skinned["pulled"]);
        match random.below(12) {
            0 => poses.push((posed.clone(), posed.positions.clone())),
            1 => skeletons.push((mesh.skeleton.clone(), (*mesh.skeleton).clone())),
            2 => skeletons.push((posed.skeleton.clone(), (*posed.skeleton).clone())),
            // The window also holds on to what it shows until the next result.
            _ => results.push((found, settings)),
        }
        if results.len() > 2 {
            results.remove(random.below(8) / 7);
        }
        for (result, settings) in &results {
            assert_same(result, &evaluate(&scene, settings));
        }
        assert!(poses.iter().all(|(posed, copy)| posed.positions == *copy));
        assert!(skeletons.iter().all(|(skeleton, copy)| **skeleton == *copy));
    }
}

#[test]
fn what_does_not_change_is_shared() {
    let mut scene = animated();
    let mut evaluator = Evaluator::default();
    let first = evaluator.evaluate(&scene, &at(3.0));
    let shared = |a: &Evaluated, b: &Evaluated, name: &str| Arc::ptr_eq(&a.skinned[name], &b.skinned[name]);

    let again = evaluator.evaluate(&scene, &at(3.0));
    for name in ["still", "posed", "pulled"] {
        assert!(shared(&first, &again, name), "{name}");
    }

    let later = evaluator.evaluate(&scene, &at(4.0));
    assert!(shared(&first, &later, "still") && shared(&first, &later, "pulled"));
    assert!(!shared(&first, &later, "posed"));
    assert!(Arc::ptr_eq(&first.skinned["posed"].render, &later.skinned["posed"].render));

    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("still").unwrap());
    mesh.weights = Arc::new(VertexWeights::none(mesh.surface.vertex_count()));
    let changed = evaluator.evaluate(&scene, &at(4.0));
    assert!(!shared(&later, &changed, "still") && shared(&later, &changed, "pulled"));
    assert!(shared(&later, &changed, "posed"));
}

#[test]
fn render_meshes_are_made_once_per_surface() {
    let mut evaluator = Evaluator::default();
    let a = Arc::new(primitives::cuboid(Vec3::ONE).unwrap());
    let b = Arc::new(primitives::cuboid(Vec3::splat(2.0)).unwrap());
    let first = evaluator.render_mesh(&a);
    assert!(Arc::ptr_eq(&first, &evaluator.render_mesh(&a)));
    assert!(!Arc::ptr_eq(&first, &evaluator.render_mesh(&b)));
    // The cached mesh is dropped with its surface.
    let kept = Arc::downgrade(&first);
    drop((a, first));
    evaluator.evaluate(&Scene::default(), &Settings::default());
    assert!(kept.upgrade().is_none());
    // A new surface at a freed address is not mistaken for the old one.
    for _ in 0..20 {
        evaluator.evaluate(&Scene::default(), &Settings::default());
        let mesh = Arc::new(primitives::cuboid(Vec3::ONE).unwrap());
        assert_eq!(evaluator.render_mesh(&mesh).triangle_face.len(), 12);
        let mesh = Arc::new(primitives::tube(1.0, 1.0, 5, 2).unwrap());
        assert_ne!(evaluator.render_mesh(&mesh).triangle_face.len(), 12);
    }
}

#[test]
fn weights_of_another_surface_leave_the_mesh_in_place() {
    let mut mesh = tube();
    Arc::make_mut(&mut mesh.skeleton).bones[0].pose_deg.x = 90.0;
    mesh.weights = Arc::new(VertexWeights::none(3));
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("odd".into(), Arc::new(mesh.clone()));
    let evaluated = evaluate(&scene, &Settings::default());
    assert_eq!(evaluated.skinned["odd"].positions, mesh.surface.positions());
}

#[test]
fn world_matrices_come_along() {
    let mut scene = Scene::default();
    let transform = Transform {
        parent: None,
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
        extra: Default::default(),
    };
    scene.transforms.insert("t".into(), Arc::new(transform));
    let evaluated = evaluate(&scene, &Settings::default());
    assert_eq!(evaluated.world(Some("t")), Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(evaluated.world(Some("nobody")), Mat4::IDENTITY);
    assert_eq!(evaluated.world(None), Mat4::IDENTITY);
}

#[test]
fn our_human_rests_and_reaches() {
    rests_and_reaches(&Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d"));
}

#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn the_human_of_the_course_rests_and_reaches() {
    rests_and_reaches(&crate::support::corpus_root().join("js3d/A4-human.js3d"));
}

/// The pose is the bind pose, so nothing may move; then the limbs reach targets.
fn rests_and_reaches(path: &Path) {
    let (mut scene, _) = js3d::read_file(path).unwrap();
    let (name, mesh) = scene.skinned_meshes.iter().next().map(|(n, m)| (n.clone(), m.clone())).unwrap();
    let bind = mesh.surface.positions();
    let size = bind.iter().map(|p| p.length()).fold(0.0, f32::max);
    let posed = &evaluate(&scene, &Settings::default()).skinned[&name];
    for (found, bind) in posed.positions.iter().zip(bind) {
        assert!(found.distance(*bind) <= 1e-6 * size, "{found} is not {bind}");
    }

    // Tips without children are the ones a user would pull.
    let skeleton = &mesh.skeleton;
    let is_parent = |b: usize| skeleton.bones.iter().any(|bone| bone.parent == Some(b as u32));
    let ends: Vec<usize> = (0..skeleton.bones.len()).filter(|&b| !is_parent(b)).collect();
    let mut random = Random::new(1);
    for _ in 0..20 {
        let mut pulled = (*mesh).clone();
        pulled.skeleton = Arc::new(reachable(skeleton, &ends, 20.0, &mut random));
        scene.skinned_meshes.insert(name.clone(), Arc::new(pulled));
        let posed = &evaluate(&scene, &Settings::default()).skinned[&name];
        let outcome = posed.ik.as_ref().unwrap();
        assert!(outcome.converged, "{outcome:?}");
        assert!(tip_errors(&posed.skeleton).iter().all(|e| *e < 1e-4 * f64::from(size)));
    }
}
