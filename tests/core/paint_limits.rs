//! What strokes keep on both sides: locks, and the bones per vertex of the mesh.

use crate::paint::{MESH, applied, begin, bone, front, human, way, weights};
use crate::running::{Folder, good};
use ossature::edit::command::Command;
use ossature::edit::paint::PaintCache;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::rig::weights::method::Method;
use ossature::rig::weights::paint::Brush;
use ossature::rig::weights::refine::Refinement;
use ossature::scene::Scene;

/// With Symmetry on, a lock holds on both sides of a stroke that paints both.
#[test]
fn a_lock_set_with_symmetry_holds_on_both_sides_of_a_stroke() {
    let mut session = Session::new(human(), None);
    session.set_symmetric(true);
    let arms = ["upper_arm.L", "upper_arm.R"].map(|name| bone(session.scene(), name));
    let cache = PaintCache::new(&session.scene().skinned_meshes[MESH].surface);
    let stroke = |scene: &Scene| {
        let mut painting = begin(scene, &cache, Brush::default(), "clavicle.L", true, Some(front()));
        way().iter().for_each(|at| painting.extend(*at, 1.0));
        painting.finish();
        let painted = applied(scene, &painting);
        arms.map(|arm| {
            let of = |scene: &Scene, vertex| {
                let mut row = weights(scene).influences(vertex);
                row.find(|(bone, _)| usize::from(*bone) == arm).map(|(_, weight)| weight)
            };
            let vertices = 0..weights(scene).vertex_count();
            vertices.filter(|&v| of(scene, v) != of(&painted, v)).count()
        })
    };
    assert!(stroke(session.scene()).iter().all(|changed| *changed > 10));
    let lock = Command::lock_weights(MESH.into(), &[arms[0]], true);
    session.apply(&[lock]).unwrap();
    assert_eq!(stroke(session.scene()), [0, 0]);
}

/// The mesh's weight method says how many bones move a vertex; strokes of a file keep to it on both sides.
#[test]
fn strokes_of_a_file_keep_the_bones_per_vertex_of_the_mesh() {
    let folder = Folder::new();
    let strokes = folder.out("stroke.json");
    let path: Vec<[f32; 2]> = way().iter().map(|at| at.to_array()).collect();
    let view = serde_json::json!({"target": [0.0, 2.7, 0.0], "distance": 9.0, "size": [800, 800]});
    let across = |bone: &str, mode: &str| {
        serde_json::json!({
            "bone": bone, "symmetric": true, "brush": {"mode": mode, "value": 0.2, "radius": 0.08},
            "view": view, "path": path,
        })
    };
    let mut several =
        ["neck", "hip.L", "forearm.L", "hand.L", "head"].map(|bone| across(bone, "add")).to_vec();
    several.extend(["smooth", "heal", "sharpen"].map(|mode| across("chest", mode)));
    several.push(serde_json::json!({"brush": {"mode": "smooth"}, "fill": "all"}));
    std::fs::write(&strokes, serde_json::json!(several).to_string()).unwrap();
    let most_bones = |method: Method| {
        let mut scene = human();
        let mut mesh = (*scene.skinned_meshes[MESH]).clone();
        mesh.weight_method = method;
        scene.skinned_meshes.insert(MESH.into(), mesh.into());
        let limit = Command::RefineWeights {
            mesh: MESH.into(),
            vertices: None,
            refinement: Refinement::Limit { most: 4 },
        };
        limit.apply(&mut scene).unwrap();
        let (input, output) = (folder.write("limited.js3d", &scene), folder.out("out.js3d"));
        good(&["paint", &input, "--stroke", &strokes, "-o", &output]);
        let (painted, _) = js3d::read(&std::fs::read(&output).unwrap()).unwrap();
        let weights = weights(&painted);
        let counts = (0..weights.vertex_count()).map(|vertex| weights.influences(vertex).count());
        counts.max().unwrap()
    };
    assert_eq!(most_bones(Method::FOR_NEW_MESHES), 4);
    assert!(most_bones(Method::CAPSULE) > 4, "capsules have no limit");
}
