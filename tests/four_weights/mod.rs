//! The weights in an exported file, for tests that compare what other programs show.

use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use std::sync::Arc;

/// Returns the scene with only the four largest weights of each vertex, normalised.
pub fn with_four_weights(mut scene: Scene) -> Scene {
    let names: Vec<String> = scene.skinned_meshes.keys().cloned().collect();
    for name in names {
        let mesh = Arc::make_mut(scene.skinned_meshes.get_mut(&name).expect("it is there"));
        let mut weights = VertexWeights::default();
        for vertex in 0..mesh.weights.vertex_count() {
            let mut row: Vec<(u16, f32)> = mesh.weights.influences(vertex).collect();
            row.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            row.truncate(4);
            let sum: f32 = row.iter().map(|(_, weight)| weight).sum();
            weights.push_row(row.into_iter().map(|(bone, weight)| (bone, weight / sum)));
        }
        mesh.weights = Arc::new(weights);
    }
    scene
}
