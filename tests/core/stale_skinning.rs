//! Skinning only what follows a bone that moved gives what skinning everything gives, bit for bit.

use crate::rig_support;

use crate::rig_support::Random;
use glam::{DAffine3, DVec3, Vec3};
use ossature::mesh::render::RenderMesh;
use ossature::rig::skinning::Rows;
use ossature::rig::skinning::stale::{BLOCK, BlockBones, DirtyBlocks};
use ossature::rig::skinning::{Method, Motions};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Posed, Settings};
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

const NAME: &str = "Tube";
const PARTS: [f32; 3] = [0.0, 1.0, 0.3];

/// A tube with more vertices than one thread takes at a time.
fn tube() -> SkinnedMesh {
    rig_support::tube(50, 200, 20, 1.2)
}

/// The results as bits, so that signs of zeros count.
fn bits(posed: &Posed) -> (&[u32], &[u32]) {
    (bytemuck::cast_slice(&posed.positions), bytemuck::cast_slice(&posed.render_vertices))
}

#[test]
fn an_evaluator_that_keeps_results_gives_what_a_new_one_gives() {
    let mut random = Random::new(7);
    let mut mesh = tube();
    let mut evaluator = Evaluator::default();
    let mut held = Vec::new();
    let mut settings = Settings::default();
    for step in 0..150 {
        match random.below(12) {
            0 => mesh.skinning = method(PARTS[random.below(3)]),
            1 => settings.bind = !settings.bind,
            2 => {
                let radius = 1.1 + 0.3 * random.unit().abs();
                let skeleton = Arc::make_mut(&mut mesh.skeleton);
                skeleton.bones.iter_mut().for_each(|bone| bone.radius = radius);
                mesh.weights = capsule_weights(&mesh.skeleton, mesh.surface.positions()).into();
            }
            3 => Arc::make_mut(&mut mesh.skeleton).bones[4].extent = Vec3::Y * (1.0 + random.unit() * 0.1),
            _ => {}
        }
        // Mostly near the end of the chain, where it moves little.
        let bones = &mut Arc::make_mut(&mut mesh.skeleton).bones;
        let most = bones.len();
        for _ in 0..random.below(3) {
            let bone = most - 1 - random.below(most).min(random.below(most));
            bones[bone].pose_deg = random.vec3(1.0) * 120.0;
        }
        let mut scene = Scene::default();
        scene.skinned_meshes.insert(NAME.into(), mesh.clone().into());
        let kept = evaluator.evaluate(&scene, &settings).skinned[NAME].clone();
        let new = Evaluator::default().evaluate(&scene, &settings).skinned[NAME].clone();
        assert!(bits(&kept) == bits(&new), "step {step}");
        // Some callers keep their results.
        if random.below(4) == 0 {
            held = vec![kept];
        }
    }
    drop(held);
}

/// Vertices with random bones, so that blocks have corners of all kinds; the last block is not full.
#[test]
fn blocks_that_are_marked_are_skinned_and_the_others_left() {
    let mut random = Random::new(3);
    let (vertices, bones) = (9_001, 90);
    let positions: Vec<Vec3> = (0..vertices).map(|_| random.vec3(1.0)).collect();
    let mut weights = VertexWeights::none(0);
    for v in 0..vertices {
        // Each part of the surface has its own bones, and some vertices have none.
        let of = v * bones / vertices / 3 * 3;
        let count = random.below(4);
        weights.push_row((0..count).map(|k| ((of + k) as u16, 1.0 / count as f32)));
    }
    let mut render = RenderMesh::default();
    for v in 0..vertices as u32 {
        for _ in 0..1 + random.below(3) {
            render.vertex.push(v);
            render.normal.push(random.vec3(1.0).normalize());
        }
    }
    let motion = |random: &mut Random| {
        let axis = (random.vec3(1.0).as_dvec3() + DVec3::new(0.0, 0.0, 1.5)).normalize();
        DAffine3::from_axis_angle(axis, f64::from(random.unit()) * 3.0)
    };
    let bind = vec![DAffine3::IDENTITY; bones];
    let mut current: Vec<DAffine3> = bind.iter().map(|_| motion(&mut random)).collect();
    let (followed, rows) = (BlockBones::new(&weights, vertices), Rows::new(&weights, vertices));
    assert!(rows.is_some());
    for part in PARTS {
        let mut motions = Motions::new(method(part), &bind, &current);
        let (mut kept, mut kept_vertices) = (Vec::new(), Vec::new());
        motions.skin_vertices(&weights, &positions, &render, &mut kept, &mut kept_vertices);
        let mut stale = DirtyBlocks::default();
        for moved in [vec![], vec![0], vec![40, 41], vec![0, 88, 89], vec![64]] {
            let before = current.clone();
            for &bone in &moved {
                current[bone] = motion(&mut random);
            }
            let marks =
                stale.blocks(&followed, [&bind, &before], [&bind, &current]).expect("not all bones moved");
            let marked = marks.iter().filter(|mark| **mark).count();
            assert_eq!(marks.len(), vertices.div_ceil(BLOCK));
            // Each has a thirtieth of the vertices, plus the blocks at its ends.
            assert!(marked <= moved.len() * 8, "{marked} blocks for {moved:?}");
            assert_eq!(marked == 0, moved.is_empty());
            motions.set(method(part), &bind, &current);
            motions.skin_blocks(
                (Some(marks), rows.as_ref()),
                &weights,
                &positions,
                &render,
                &mut kept,
                &mut kept_vertices,
            );
            let (mut all, mut all_vertices) = (Vec::new(), Vec::new());
            motions.skin_vertices(&weights, &positions, &render, &mut all, &mut all_vertices);
            assert!(kept == all && kept_vertices == all_vertices, "{part} {moved:?}");
        }
        // Different bones, and all of them.
        let before = current.clone();
        assert!(stale.blocks(&followed, [&bind[1..], &before], [&bind, &current]).is_none());
        current.iter_mut().for_each(|m| *m = motion(&mut random));
        assert!(stale.blocks(&followed, [&bind, &before], [&bind, &current]).is_none());
    }
}

fn method(part: f32) -> Method {
    Method::try_from(part).unwrap()
}
