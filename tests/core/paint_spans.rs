//! Brushes that go by the ends of their way: gradients, and pulling the skin.

use crate::paint::{MESH, applied, begin, bone, human, weights};
use glam::{Mat4, Vec3};
use ossature::edit::command::Command;
use ossature::edit::paint::{Easel, Paint, Painting, Shown};
use ossature::rig::weights::paint::{Brush, Falloff, Mode};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::sync::Arc;

#[test]
fn a_gradient_goes_from_the_value_to_what_was_there() {
    let (scene, easel) = (human(), Easel::new(&human().skinned_meshes[MESH].surface));
    let brush = Brush {
        mode: Mode::Gradient,
        value: 1.0,
        falloff: Falloff::Linear,
        ..Brush::default()
    };
    let painted = |middle: Option<Vec3>| {
        let mut painting = begin(&scene, &easel, brush, "chest", false, None);
        let (from, to) = (Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 4.0, 0.0));
        for at in [Some(from), middle, Some(to)].into_iter().flatten() {
            painting.go_in_space(at, 1.0);
        }
        painting.finish();
        applied(&scene, &painting)
    };
    let after = painted(None);
    let detour = painted(Some(Vec3::new(9.0, -3.0, 1.0)));
    assert_eq!(
        weights(&after),
        weights(&detour),
        "only the ends of the way count"
    );
    let chest = bone(&scene, "chest");
    let of = |scene: &Scene, vertex: usize| {
        let mut row = weights(scene).influences(vertex);
        row.find(|(bone, _)| usize::from(*bone) == chest)
            .map_or(0.0, |(_, w)| w)
    };
    let surface = &scene.skinned_meshes[MESH].surface;
    let mut between = 0;
    for (vertex, place) in surface.positions().iter().enumerate() {
        let part = (4.0 - place.y).clamp(0.0, 1.0);
        let (before, now) = (of(&scene, vertex), of(&after, vertex));
        let expected = before + part * (1.0 - before);
        assert!((now - expected).abs() < 2e-4, "{place}: {now}, not {expected}");
        between += usize::from((0.1..0.9).contains(&part) && now > before + 0.05);
    }
    assert!(between > 100, "{between}");
    assert!(weights(&after).sums().all(|sum| (sum - 1.0).abs() < 1e-6));
}

/// The arm is bent, and the skin of the elbow dragged out: it goes there, and nothing else moves.
#[test]
fn the_skin_is_pulled_where_it_should_be() {
    let mut scene = human();
    let forearm = bone(&scene, "forearm.L");
    let mut mesh = (*scene.skinned_meshes[MESH]).clone();
    Arc::make_mut(&mut mesh.skeleton).bones[forearm].pose_deg.z = 70.0;
    scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
    let posed = |scene: &Scene| {
        let evaluated = Evaluator::default().evaluate(scene, &Settings::default());
        Shown::new(&evaluated, MESH, Mat4::IDENTITY).unwrap()
    };
    let shown = posed(&scene);
    let skinned = &scene.skinned_meshes[MESH];
    let elbow = shown.posed.current[forearm].translation.as_vec3();
    let vertex = (0..skinned.surface.vertex_count())
        .min_by(|a, b| {
            let far = |v: &usize| shown.posed.positions[*v].distance(elbow);
            far(a).total_cmp(&far(b))
        })
        .unwrap();
    // Where it would be if both bones had half of it.
    let rest = skinned.surface.positions()[vertex];
    let upper = skinned.skeleton.bones[forearm].parent.unwrap() as usize;
    let half = [forearm, upper]
        .iter()
        .map(|&b| shown.posed.skinning[b].transform_point3(rest) * 0.5)
        .sum::<Vec3>();
    let before = shown.posed.positions[vertex];
    let brush = Brush {
        mode: Mode::Pull,
        radius: 0.03,
        ..Brush::default()
    };
    let paint = Paint {
        brush,
        bone: None,
        symmetric: true,
    };
    let easel = Easel::new(&skinned.surface);
    let mut painting = Painting::begin(MESH, skinned, &easel, shown.clone(), &paint, None).unwrap();
    painting.go_in_space(before, 1.0);
    painting.go_in_space(half, 1.0);
    painting.finish();
    let after = applied(&scene, &painting);
    let there = posed(&after).posed.positions[vertex];
    let missed = there.distance(half) / before.distance(half).max(1e-3);
    assert!(
        missed < 0.25,
        "{missed} of the way is missing, from {before} to {half}"
    );
    let radius = 0.03 * easel.canvas.size;
    let Some(Command::PaintWeights { painted, .. }) = painting.command() else {
        panic!("weights were painted");
    };
    let rests = skinned.surface.positions();
    let far = painted.vertices.iter().map(|v| rests[*v as usize].distance(rest));
    assert!(far.fold(0.0, f32::max) <= radius * 1.01);
    assert!(weights(&after).sums().all(|sum| (sum - 1.0).abs() < 1e-6));
}
