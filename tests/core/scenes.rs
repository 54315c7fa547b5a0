//! Meshes of whole scenes: the render mesh of each, its weights, and its skin at rest.

use crate::support::{corpus, media};

use ossature::io::js3d;
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::bind_pose;
use ossature::rig::skinning::{linear, skinning_matrices};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;

#[test]
fn every_surface_can_be_drawn() {
    for path in media() {
        let (scene, _) = js3d::read_file(&path).unwrap();
        let surfaces = scene.meshes.values().map(|m| &m.surface);
        for mesh in surfaces.chain(scene.skinned_meshes.values().map(|m| &m.surface)) {
            let render = RenderMesh::new(mesh);
            let surface_faces = (0..mesh.face_count() as u32).filter(|&f| !mesh.is_boundary(f));
            let triangles: usize = surface_faces.map(|f| mesh.face_corners(f).count() - 2).sum();
            assert_eq!(render.triangle_face.len(), triangles);
            assert!(render.vertex.len() >= mesh.vertex_count());
            assert!(mesh.vertex_normals().iter().all(|n| (n.length() - 1.0).abs() < 1e-5));
        }
    }
}

/// Scotty3D stored the weights that it calculated in single precision.
#[test]
#[ignore = "reads public files: set OSSATURE_CORPUS to their folder"]
fn weights_calculated_anew_are_those_that_the_file_has() {
    for path in corpus("js3d", "js3d") {
        let (scene, _) = js3d::read_file(&path).unwrap();
        for mesh in scene.skinned_meshes.values() {
            let found = capsule_weights(&mesh.skeleton, mesh.surface.positions());
            let stored = &mesh.weights;
            let mut largest = 0f32;
            for v in 0..mesh.surface.vertex_count() {
                for bone in 0..mesh.skeleton.bones.len() {
                    let of = |w: &VertexWeights| {
                        w.influences(v).filter(|e| usize::from(e.0) == bone).map(|e| e.1).sum::<f32>()
                    };
                    largest = largest.max((of(&found) - of(stored)).abs());
                }
            }
            assert!(largest < 1e-5, "{largest}");
        }
    }
}

#[test]
fn the_bind_pose_leaves_the_skin_in_place() {
    for path in media() {
        let (scene, _) = js3d::read_file(&path).unwrap();
        for mesh in scene.skinned_meshes.values() {
            let bind = bind_pose(&mesh.skeleton);
            let render = RenderMesh::new(&mesh.surface);
            let bones = skinning_matrices(&bind, &bind);
            let (mut positions, mut normals) = (vec![], vec![]);
            let rest = mesh.surface.positions();
            linear::skin(&bones, &mesh.weights, rest, &render, &mut positions, &mut normals);
            let low = rest.iter().copied().reduce(|a, b| a.min(b)).unwrap_or_default();
            let high = rest.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
            let size = (high - low).max_element();
            let moved = rest.iter().zip(&positions).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
            assert!(moved <= 1e-6 * size, "moved by {moved} of {size}");
        }
    }
}
