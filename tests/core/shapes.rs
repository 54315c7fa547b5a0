//! Shapes of a surface (morph targets): blended before skinning, keyed, kept in js3d and exchanged as glTF.

use crate::editing::bone;
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, SkeletonChannel, Value};
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::session::Session;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::read::read;
use ossature::io::gltf::write;
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::mesh::primitives::tube;
use ossature::rig::property::SHAPE_WEIGHT;
use ossature::rig::shapes::ShapeKey;
use ossature::rig::skeleton::{Shape, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::instance::GeometryInstance;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

const MESH: &str = "Face";

/// A tube on a bone that is turned, or on none, with two shapes: one moves every vertex and turns normals, the other one.
fn scene(has_bone: bool) -> Scene {
    let surface = tube(0.5, 2.0, 8, 3).unwrap();
    let count = surface.vertex_count() as u32;
    let moved = |vertex: u32| (vertex, Vec3::new(0.1, 0.02 * vertex as f32, -0.05));
    let corners = (0..surface.halfedge_count() as u32).filter(|h| !surface.is_boundary(surface.face_of(*h)));
    let keys = vec![
        ShapeKey {
            positions: (0..count).map(moved).collect(),
            // Corners at a vertex turn alike, as they share a normal.
            normals: corners.map(|h| (h, Vec3::new(0.0, 0.5, 0.01 * surface.vertex_of(h) as f32))).collect(),
        },
        ShapeKey { positions: vec![(3, Vec3::Y)], normals: Vec::new() },
    ];
    let shape = |name: &str, weight, channel_id| Shape { name: name.into(), weight, channel_id };
    let mut root = bone(Some("Root"), None, [0.0, 2.0, 0.0], 0);
    root.pose_deg = Vec3::new(20.0, 30.0, 40.0);
    let skeleton = Skeleton {
        bones: if has_bone { vec![root] } else { Vec::new() },
        shapes: vec![shape("Smile", 0.25, 4), shape("Wink", 0.0, 9)],
        ..Skeleton::default()
    };
    let mut weights = VertexWeights::none(count as usize);
    if has_bone {
        weights = VertexWeights::default();
        for vertex in 0..count {
            weights.bones.push(0);
            weights.weights.push(1.0);
            weights.ends.push(vertex + 1);
        }
    }
    let mesh = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(weights),
        skeleton: Arc::new(skeleton),
        shapes: Arc::new(keys),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(MESH.to_owned(), Arc::new(mesh));
    let instance = GeometryInstance { resource: Some(MESH.to_owned()), ..GeometryInstance::default() };
    scene.instances.skinned_meshes.insert("Face instance".to_owned(), Arc::new(instance));
    scene
}

fn positions(scene: &Scene, frame: Option<f32>) -> Vec<Vec3> {
    let evaluated = Evaluator::default().evaluate(scene, &Settings { frame, ..Settings::default() });
    evaluated.skinned.values().next().unwrap().positions.clone()
}

fn keyed(scene: Scene) -> Session {
    let mut session = Session::new(scene, None);
    let key = |id: u32, values: [f32; 3]| KeyframeValues {
        modes: Vec::new(),
        channel: ChannelRef::new(MESH, SkeletonChannel::Shape(id, SHAPE_WEIGHT)),
        knots: [0.0, 10.0, 24.0].into_iter().zip(values.map(Value::Float)).collect(),
    };
    let knots = vec![key(4, [0.0, 1.0, 0.5]), key(9, [1.0, -0.5, 0.0])];
    session.apply(&[Command::Keys(KeyCommand::Put { purpose: Purpose::Bake, knots })]).unwrap();
    session
}

#[test]
fn shapes_are_blended_before_the_bones_move_them() {
    let mut session = Session::new(scene(true), None);
    let stored = positions(session.scene(), None);
    let rest = session.scene().skinned_meshes[MESH].surface.positions().to_vec();
    let skinned = |point: Vec3| {
        let evaluated = Evaluator::default().evaluate(session.scene(), &Settings::default());
        evaluated.skinned[MESH].skinning[0].transform_point3(point)
    };
    for (vertex, found) in stored.iter().enumerate() {
        let expected = skinned(rest[vertex] + Vec3::new(0.1, 0.02 * vertex as f32, -0.05) * 0.25);
        assert!(found.abs_diff_eq(expected, 1e-5), "vertex {vertex}: {found} is not {expected}");
    }
    let wink = Command::set_shape(MESH.into(), 1, 2.0);
    session.apply(&[wink]).unwrap();
    assert_eq!(session.undo_label(), Some("Change Wink"));
    let evaluated = Evaluator::default().evaluate(session.scene(), &Settings::default());
    let expected = stored[3] + evaluated.skinned[MESH].skinning[0].transform_vector3(Vec3::Y * 2.0);
    assert!(positions(session.scene(), None)[3].abs_diff_eq(expected, 1e-5));
    session.undo();
    assert_eq!(positions(session.scene(), None), stored);
    assert!(session.apply(&[Command::set_shape(MESH.into(), 2, 1.0)]).is_err());
    // One evaluator, which reuses what did not change, gives the same.
    let session = keyed(scene(true));
    let mut evaluator = Evaluator::default();
    for frame in [0.0, 10.0, 3.5, 24.0, 0.0] {
        let settings = Settings { frame: Some(frame), ..Settings::default() };
        let found = evaluator.evaluate(session.scene(), &settings).skinned[MESH].positions.clone();
        assert_eq!(found, positions(session.scene(), Some(frame)), "frame {frame}");
    }
}

#[test]
fn js3d_keeps_shapes_and_their_keys() {
    let session = keyed(scene(true));
    let written = js3d::write(session.scene()).unwrap();
    let (read, report) = js3d::read(&written).unwrap();
    assert!(report.findings.iter().all(|finding| finding.code == "null-reference"), "{report:?}");
    assert_eq!(read.skinned_meshes[MESH].shapes, session.scene().skinned_meshes[MESH].shapes);
    assert_eq!(read.skinned_meshes[MESH].skeleton, session.scene().skinned_meshes[MESH].skeleton);
    assert_eq!(js3d::write(&read).unwrap(), written);
    assert_eq!(positions(&read, Some(7.0)), positions(session.scene(), Some(7.0)));
    let told = js3d::differences::differences(&read);
    let codes: Vec<_> = told.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["shapes-shown"], "{told:?}");
    // Damaged shapes are reported and kept.
    let text = String::from_utf8(written).unwrap();
    for (from, to) in [
        ("\"vertices\":[3]", "\"vertices\":[333]"),
        ("\"id\":9", "\"id\":4"),
        ("\"offsets\":[0,1,0]", "\"offsets\":[0,1]"),
    ] {
        let broken = text.replace(from, to);
        assert_ne!(broken, text, "{from} in {}", &text[text.find("shapes").unwrap()..][..200]);
        let (read, report) = js3d::read(broken.as_bytes()).unwrap();
        assert!(format!("{report:?}").contains("bad-shapes"), "{to}");
        let value = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
        assert_eq!(value(&js3d::write(&read).unwrap()), value(broken.as_bytes()));
    }
}

#[test]
fn gltf_has_shapes_as_morph_targets() {
    for has_bone in [true, false] {
        let session = keyed(scene(has_bone));
        let export =
            write::export(session.scene(), &ExportOptions::default(), &|_| Err(String::new())).unwrap();
        let imported = read(&export.glb().unwrap(), None, &ImportOptions::default()).unwrap();
        let codes: Vec<&str> = imported.report.findings.iter().map(|finding| finding.code).collect();
        assert!(!codes.contains(&"morph-targets"), "{codes:?}");
        let (name, mesh) = imported.scene.skinned_meshes.iter().next().unwrap();
        let names: Vec<&str> = mesh.skeleton.shapes.iter().map(|shape| &*shape.name).collect();
        assert_eq!((names, mesh.shapes.len()), (vec!["Smile", "Wink"], 2));
        assert_eq!(imported.scene.animation.channels[name].len(), 2);
        let place = |scene: &Scene, frame| {
            let mut places = positions(scene, Some(frame));
            places.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).unwrap());
            places
        };
        for frame in [0.0, 4.0, 10.0, 17.0, 24.0] {
            let (was, is) = (place(session.scene(), frame), place(&imported.scene, frame));
            assert_eq!(was.len(), is.len());
            let farthest = was
                .iter()
                .map(|a| is.iter().map(|b| a.distance(*b)).fold(f32::MAX, f32::min))
                .fold(0.0, f32::max);
            assert!(farthest < 3e-4, "frame {frame}: {farthest}");
        }
        // Normals turn as before, too.
        let keys = &mesh.shapes[0];
        assert!(!keys.normals.is_empty() && mesh.shapes[1].normals.is_empty());
        let stored = &session.scene().skinned_meshes[MESH].shapes[0];
        assert_eq!(keys.normals.len(), stored.normals.len());
    }
}

#[test]
fn shapes_follow_their_surface() {
    let mut session = Session::new(scene(true), None);
    let (rest, object) = (positions(session.scene(), None), ObjectRef::new(Kind::SkinnedMesh, MESH));
    session.apply(&[Command::FlipOrientation { mesh: object.clone() }]).unwrap();
    assert_eq!(positions(session.scene(), None), rest);
    session.apply(&[Command::FlipOrientation { mesh: object }]).unwrap();
    assert_eq!(session.scene().skinned_meshes[MESH].shapes, scene(true).skinned_meshes[MESH].shapes);
}
