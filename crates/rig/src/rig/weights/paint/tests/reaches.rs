//! Tests of brushes of every reach: dividing their path into frames changes nothing, to the bit.

use super::*;
use crate::mesh::soup::Polygons;

/// Two disconnected spheres next to each other.
pub(in crate::rig::weights::paint) fn two_balls() -> HalfedgeMesh {
    let ball = primitives::uv_sphere(1.0, 40, 20).unwrap();
    let mut both = Polygons::new(&ball);
    let count = both.positions.len() as u32;
    let faces: Vec<Vec<u32>> =
        both.faces.iter().map(|face| face.iter().map(|v| v + count).collect()).collect();
    both.faces.extend(faces);
    both.positions.extend(ball.positions().iter().map(|p| *p + Vec3::X * 2.1));
    (both.uvs, both.normals) = (Vec::new(), Vec::new());
    both.build().unwrap()
}

/// Returns the contacts of a path over the first sphere, past the second one; on both sides for
/// [`Reach::Through`].
fn path(scene: &Scene, reach: Reach) -> Vec<Vec<Contact>> {
    let tree = Bvh::from_surface(&scene.surface);
    let steps = (0..2000).map(|i| {
        let (part, side) = (i as f32 / 1999.0, 0.4 * (i as f32 * 0.02).sin());
        let position = Vec3::new(part, side, (1.0 - part * part).max(0.0).sqrt());
        let sides: &[f32] = if reach == Reach::Through { &[1.0, -1.0] } else { &[1.0] };
        let contact = |side: &f32| {
            let near = tree.closest(scene.surface.positions(), position * Vec3::new(1.0, 1.0, *side));
            let near = near.unwrap();
            Contact { triangle: near.triangle, weights: near.weights }
        };
        sides.iter().map(contact).collect()
    });
    steps.collect()
}

#[test]
fn every_reach_paints_the_same_in_1_7_60_and_1000_chunks() {
    let scene = Scene::new(two_balls(), |_| vec![(0, 1.0)]);
    for reach in Reach::ALL {
        let path = path(&scene, reach);
        for (mode, accumulate) in [(Mode::Replace, false), (Mode::Replace, true), (Mode::Sharpen, false)] {
            let brush = Brush { mode, accumulate, reach, radius: 0.06, strength: 0.7, ..Brush::default() };
            let painted = |chunks: usize| {
                let mut stroke = scene.stroke(brush, 1, false);
                for (i, contacts) in path.iter().enumerate() {
                    stroke.touch(contacts, 1.0 - i as f32 / 4000.0);
                    if (i + 1) * chunks / path.len() != i * chunks / path.len() {
                        stroke.update();
                    }
                }
                stroke.update();
                stroke.finish();
                stroke.painted()
            };
            let whole = painted(1);
            for chunks in [7, 60, 1000] {
                assert!(painted(chunks) == whole, "{reach:?} {mode:?} in {chunks} chunks");
            }
            // Only the expected parts are reached.
            let positions = scene.surface.positions();
            let mut painted_positions = whole.vertices.iter().map(|vertex| positions[*vertex as usize]);
            let (other, back) =
                (painted_positions.clone().any(|p| p.x > 1.05), painted_positions.any(|p| p.z < -0.5));
            let expected = (reach == Reach::Volume, reach == Reach::Through);
            assert_eq!((other, back), expected, "{reach:?} {mode:?}");
        }
    }
}
