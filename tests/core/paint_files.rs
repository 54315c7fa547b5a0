//! `ossature paint`: strokes from files.

use crate::paint::{MESH, applied, begin, front, human, way, weights};
use crate::running::{Folder, bad, good, json, run};
use ossature::edit::paint::PaintCache;
use ossature::io::js3d;
use ossature::rig::weights::paint::Brush;
use ossature::scene::Scene;

#[test]
fn the_program_paints_what_the_library_paints() {
    let folder = Folder::new();
    let scene = human();
    let (input, output) = (folder.write("human.js3d", &scene), folder.out("out.js3d"));
    let brush = Brush { value: 0.75, radius: 0.08, ..Brush::default() };
    let cache = PaintCache::new(&scene.skinned_meshes[MESH].surface);
    let mut painting = begin(&scene, &cache, brush, "chest", true, Some(front()));
    way().iter().for_each(|at| painting.extend(*at, 1.0));
    painting.finish();
    let expected = applied(&scene, &painting);
    let path: Vec<[f32; 2]> = way().iter().map(|at| at.to_array()).collect();
    let stroke = serde_json::json!({
        "bone": "chest",
        "symmetric": true,
        "brush": {"mode": "replace", "value": 0.75, "radius": 0.08},
        "view": {"target": [0.0, 2.7, 0.0], "yaw": 0, "pitch": 0, "distance": 9.0, "size": [800, 800]},
        "path": path,
    });
    let strokes = folder.out("stroke.json");
    std::fs::write(&strokes, stroke.to_string()).unwrap();
    let said = good(&["paint", &input, "--stroke", &strokes, "-o", &output]);
    assert!(said.starts_with("Human_skinned_mesh: ") && said.contains("vertices painted"), "{said}");
    let (painted, _) = js3d::read(&std::fs::read(&output).unwrap()).unwrap();
    assert!(weights(&painted) == weights(&expected));
    // Several strokes in sequence; the pose of a frame; a path in space; filling.
    let several = serde_json::json!([
        {"bone": 3, "frame": 0, "path": [[0.0, 4.0, 0.5], [0.2, 4.0, 0.5, 0.5]]},
        {"brush": {"mode": "smooth"}, "fill": "all"},
    ]);
    std::fs::write(&strokes, several.to_string()).unwrap();
    let done = json(&["paint", &input, "--stroke", &strokes, "-o", &output]);
    let all = scene.skinned_meshes[MESH].surface.vertex_count();
    assert_eq!(done[1]["vertices"], all);
    assert!(done[0]["vertices"].as_u64().unwrap() > 10, "{done}");
}

#[test]
fn strokes_of_a_file_can_be_kept_to_some_vertices() {
    let folder = Folder::new();
    let scene = human();
    let (input, output) = (folder.write("human.js3d", &scene), folder.out("out.js3d"));
    let strokes = folder.out("stroke.json");
    let paint = |only: Option<&[u32]>| {
        let mut stroke = serde_json::json!({"bone": "spine", "path": [[0.0, 4.0, 0.5], [0.2, 4.0, 0.5]]});
        if let Some(only) = only {
            stroke["only"] = serde_json::json!(only);
        }
        std::fs::write(&strokes, stroke.to_string()).unwrap();
        good(&["paint", &input, "--stroke", &strokes, "-o", &output]);
        js3d::read(&std::fs::read(&output).unwrap()).unwrap().0
    };
    let changed = |painted: &Scene| -> Vec<u32> {
        let (before, after) = (weights(&scene), weights(painted));
        let rows = 0..before.vertex_count();
        rows.filter(|&v| before.row(v) != after.row(v)).map(|v| v as u32).collect()
    };
    let whole = paint(None);
    let touched = changed(&whole);
    let half: Vec<u32> = touched.iter().copied().step_by(2).collect();
    let part = paint(Some(&half));
    assert!(half.len() > 5);
    assert_eq!(changed(&part), half);
    for &vertex in &half {
        assert_eq!(weights(&part).row(vertex as usize), weights(&whole).row(vertex as usize));
    }
}

/// A brush that sprays continues at rest: the same for the same number of ticks, in the library and in a
/// file.
#[test]
fn a_brush_that_sprays_goes_on_at_rest() {
    let folder = Folder::new();
    let scene = human();
    let (input, output) = (folder.write("human.js3d", &scene), folder.out("out.js3d"));
    let brush = Brush { accumulate: true, strength: 0.05, radius: 0.08, ..Brush::default() };
    let cache = PaintCache::new(&scene.skinned_meshes[MESH].surface);
    let path = [[380.0f32, 250.0], [430.0, 260.0], [440.0, 300.0]];
    let rested = |ticks: [u32; 3]| {
        let mut painting = begin(&scene, &cache, brush, "spine", true, Some(front()));
        for (at, ticks) in path.iter().zip(ticks) {
            painting.extend((*at).into(), 1.0);
            painting.rest(ticks);
        }
        painting.finish();
        applied(&scene, &painting)
    };
    let (none, some) = (rested([0; 3]), rested([5, 0, 30]));
    assert!(weights(&none) != weights(&some));
    let strokes = folder.out("stroke.json");
    let stroke = serde_json::json!({
        "bone": "spine",
        "symmetric": true,
        "brush": {"accumulate": true, "strength": 0.05, "radius": 0.08},
        "view": {"target": [0.0, 2.7, 0.0], "yaw": 0, "pitch": 0, "distance": 9.0, "size": [800, 800]},
        "path": path,
        "rests": [[0, 2], [0, 3], [2, 30]],
    });
    std::fs::write(&strokes, stroke.to_string()).unwrap();
    good(&["paint", &input, "--stroke", &strokes, "-o", &output]);
    let (painted, _) = js3d::read(&std::fs::read(&output).unwrap()).unwrap();
    assert!(weights(&painted) == weights(&some));
}

#[test]
fn what_is_wrong_with_a_stroke_is_said() {
    let folder = Folder::new();
    let input = folder.write("human.js3d", &human());
    let (strokes, output) = (folder.out("stroke.json"), folder.out("out.js3d"));
    let way = "\"path\":[[0,4,0.5]]";
    let cases = [
        ("{".to_owned(), "holds no strokes"),
        ("[]".to_owned(), "holds no strokes: its list is empty"),
        (
            format!("{{\"bone\":0,\"frame\":9999,{way}}}"),
            "\"frame\" 9999 is outside the animation, which has frames 0 to 95",
        ),
        (format!("{{\"bone\":0,\"frame\":-1,{way}}}"), "\"frame\" -1"),
        (format!("{{{way}}}"), "name the \"bone\""),
        (format!("{{\"bone\":\"tail\",{way}}}"), "no bone called “tail”"),
        (format!("{{\"bone\":99,{way}}}"), "no bone 99"),
        (format!("{{\"bone\":0,\"brushes\":1,{way}}}"), "unknown field"),
        (format!("{{\"bone\":0,\"brush\":{{\"mode\":\"blur\"}},{way}}}"), "unknown variant"),
        (format!("{{\"bone\":0,\"brush\":{{\"radius\":7}},{way}}}"), "radius must be from 0.001 to 1"),
        (
            format!("{{\"bone\":0,\"brush\":{{\"strength\":2}},{way}}}"),
            "strength must be a number from 0 to 1",
        ),
        (format!("{{\"bone\":0,\"brush\":{{\"reach\":\"through\"}},{way}}}"), "needs a \"view\""),
        ("{\"bone\":0,\"path\":[[1,2]]}".into(), "point 0 of the path must be x, y and z"),
        (
            "{\"bone\":0,\"view\":{},\"path\":[[1,2],[3]]}".into(),
            "point 1 of the path must be x and y in pixels",
        ),
        ("{\"bone\":0,\"view\":{\"distance\":0},\"path\":[[1,2]]}".into(), "distance above 0"),
        ("{\"bone\":0,\"fill\":[99999999]}".into(), "no vertex 99999999"),
        (format!("{{\"bone\":0,\"only\":[0,8000],{way}}}"), "no vertex 8000: the mesh has 7,938"),
        (format!("{{\"bone\":0,\"rests\":[[1,5]],{way}}}"), "\"rests\" must name points"),
        ("{\"bone\":0,\"fill\":\"some\"}".into(), "list of vertices or \"all\""),
        (format!("[{{\"bone\":0,{way}}},{{\"bone\":99,{way}}}]"), "stroke 2"),
    ];
    for (text, expected) in cases {
        std::fs::write(&strokes, &text).unwrap();
        let (said, _) = bad(&["paint", &input, "--stroke", &strokes, "-o", &output]);
        assert!(said.contains(expected), "{text}: {said}");
        assert!(!std::path::Path::new(&output).exists());
    }
}

/// Such points paint the nearest part of the surface, and are reported.
#[test]
fn points_far_off_the_surface_are_named() {
    let folder = Folder::new();
    let (input, output) = (folder.write("human.js3d", &human()), folder.out("out.js3d"));
    let strokes = folder.out("stroke.json");
    let noted = |path: &str| {
        std::fs::write(&strokes, format!("{{\"bone\":3,\"path\":{path}}}")).unwrap();
        let ran = run(&["paint", &input, "--stroke", &strokes, "-o", &output]);
        assert_eq!(ran.status.code(), Some(0));
        String::from_utf8(ran.stderr).unwrap()
    };
    let said = noted("[[0,4,0.5],[0,4,9.5],[0,4,3.5]]");
    assert!(said.contains("stroke 1: 2 of 3 points of its path") && said.contains("point 1 by 9."), "{said}");
    assert_eq!(noted("[[0,4,0.3],[0.1,4,0.3]]"), "");
}
