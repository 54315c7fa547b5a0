//! An imported character away from x = 0: painted on both sides, and mirrored.

use super::builder::Builder;
use super::characters::of;
use glam::{Mat4, Vec3};
use ossature::edit::command::{Command, WeightSource};
use ossature::edit::paint::{Paint, PaintCache, Painting, PosedSkin};
use ossature::rig::body::middle::BothSides;
use ossature::rig::weights::paint::Brush;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use serde_json::json;

/// The x coordinate of its middle.
const X: f32 = 0.5;

/// Returns a sheet with a spine and an arm on either side, named as in Mixamo; all weights are on the hips.
fn character() -> Builder {
    let mut b = Builder::new();
    let (wide, high) = (41u16, 11u16);
    let places = (0..wide * high).map(|i| (i % wide, i / wide));
    let positions: Vec<f32> =
        places.flat_map(|(i, j)| [X + (f32::from(i) - 20.0) * 0.05, f32::from(j) * 0.1, 0.0]).collect();
    let count = usize::from(wide * high);
    let position = b.floats("VEC3", &positions);
    let joints = b.shorts("VEC4", &vec![0; 4 * count]);
    let weights = b.floats("VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(count));
    let mut corners = Vec::new();
    for (i, j) in (0..wide - 1).flat_map(|i| (0..high - 1).map(move |j| (i, j))) {
        let a = j * wide + i;
        corners.extend([a, a + 1, a + wide + 1, a, a + wide + 1, a + wide]);
    }
    let indices = b.shorts("SCALAR", &corners);
    let bones = [
        ("Hips", [X, 0.1, 0.0], vec![2, 3, 4]),
        ("Spine", [0.0, 0.3, 0.0], vec![]),
        ("LeftArm", [0.2, 0.4, 0.0], vec![5]),
        ("RightArm", [-0.2, 0.4, 0.0], vec![6]),
        ("LeftHand", [0.5, 0.0, 0.0], vec![]),
        ("RightHand", [-0.5, 0.0, 0.0], vec![]),
    ];
    b.push("nodes", json!({ "name": "Body", "mesh": 0, "skin": 0 }));
    for (name, translation, children) in &bones {
        let mut node = json!({ "name": format!("mixamorig:{name}"), "translation": translation });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        b.push("nodes", node);
    }
    b.json["scenes"][0]["nodes"] = json!([0, 1]);
    let starts = [[X, 0.1], [X, 0.4], [X + 0.2, 0.5], [X - 0.2, 0.5], [X + 0.7, 0.5], [X - 0.7, 0.5]];
    let inverse = starts.map(|[x, y]| Mat4::from_translation(Vec3::new(-x, -y, 0.0)).to_cols_array());
    let inverse = b.floats("MAT4", &inverse.concat());
    b.push(
        "meshes",
        json!({ "primitives": [{
            "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights }, "indices": indices
        }] }),
    );
    b.push("skins", json!({ "joints": [1, 2, 3, 4, 5, 6], "inverseBindMatrices": inverse }));
    b
}

/// Returns the largest difference between the sides, and how many vertices mostly follow `bones[0]`.
fn apart(scene: &Scene, mesh: &str, bones: [usize; 2]) -> (f32, usize) {
    let skinned = &scene.skinned_meshes[mesh];
    let positions = skinned.surface.positions();
    let of = |vertex: usize, bone: usize| {
        let mut row = skinned.weights.influences(vertex);
        row.find(|(of, _)| usize::from(*of) == bone).map_or(0.0, |entry| entry.1)
    };
    let (mut worst, mut painted) = (0.0f32, 0);
    for (vertex, place) in positions.iter().enumerate() {
        let image = Vec3::new(2.0 * X - place.x, place.y, place.z);
        let other = (0..positions.len()).find(|other| positions[*other].distance(image) < 1e-4).unwrap();
        worst = worst.max((of(vertex, bones[0]) - of(other, bones[1])).abs());
        painted += usize::from(of(vertex, bones[0]) > 0.5);
    }
    (worst, painted)
}

#[test]
fn both_sides_of_a_character_that_stands_elsewhere_are_painted_and_mirrored() {
    let scene = of(&character()).scene;
    let (name, skinned) = scene.skinned_meshes.iter().next().unwrap();
    let skeleton = &skinned.skeleton;
    let bone = |name: &str| {
        let mut bones = 0..skeleton.bones.len();
        bones.find(|bone| skeleton.bone_name(*bone).ends_with(name)).unwrap()
    };
    let arms = [bone("LeftArm"), bone("RightArm")];
    let sides = BothSides::new(skeleton);
    let image = sides.plane.reflect(Vec3::new(X + 0.3, 0.5, 0.1).as_dvec3());
    assert!(image.distance(Vec3::new(X - 0.3, 0.5, 0.1).as_dvec3()) < 1e-5, "{image}");
    assert_eq!(sides.others[arms[0]], Some(arms[1]));
    assert!(skeleton.shown_bones().all(|bone| sides.others[bone].is_some()));
    let cache = PaintCache::new(&skinned.surface);
    assert_eq!(cache.mirror(sides.plane).counts, [cache.canvas.points.len(), 0, 0]);
    let painted = |symmetric: bool| {
        let settings = Settings { bind: true, ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(&scene, &settings);
        let shown = PosedSkin::new(&evaluated, name, Mat4::IDENTITY).unwrap();
        let paint =
            Paint { brush: Brush { radius: 0.1, ..Brush::default() }, bone: Some(arms[0]), symmetric };
        let mut painting = Painting::begin(name, skinned, &cache, shown, &paint, None).unwrap();
        for x in [0.3, 0.6, 0.9] {
            painting.extend_in_space(Vec3::new(X + x, 0.5, 0.0), 1.0);
        }
        painting.finish();
        let mut after = scene.clone();
        painting.command().unwrap().apply(&mut after).unwrap();
        after
    };
    let both = painted(true);
    let (worst, count) = apart(&both, name, arms);
    assert!(worst <= 1e-6 && count > 10, "{worst} {count}");
    let mut one = painted(false);
    assert!(apart(&one, name, arms).0 > 0.5);
    let mirror = Command::TakeWeights {
        mesh: name.clone(),
        vertices: None,
        from: WeightSource::OtherSide { from_positive: true, most: 0 },
    };
    mirror.apply(&mut one).unwrap();
    let (worst, mirrored) = apart(&one, name, arms);
    assert!(worst <= 1e-6 && mirrored == count, "{worst} {mirrored}");
}
