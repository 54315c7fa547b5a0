//! Brushes that depend on the ends of their path: gradients, and pulling the skin.

use crate::paint::{MESH, applied, begin, bone, front, human, weights};
use glam::{Mat4, Vec2, Vec3};
use ossature::edit::command::Command;
use ossature::edit::paint::{Paint, PaintCache, Painting, PosedSkin, PullResult};
use ossature::rig::weights::paint::{Brush, Falloff, Mode};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::sync::Arc;

#[test]
fn a_gradient_goes_from_the_value_to_what_was_there() {
    let (scene, cache) = (human(), PaintCache::new(&human().skinned_meshes[MESH].surface));
    let brush = Brush { mode: Mode::Gradient, value: 1.0, falloff: Falloff::Linear, ..Brush::default() };
    let all: Vec<u32> = (0..weights(&scene).vertex_count() as u32).collect();
    let painted = |middle: Option<Vec3>| {
        // If vertices are selected, it covers all of them.
        let mut painting = begin(&scene, &cache, brush, "chest", false, None).restrict_to(&all);
        let (from, to) = (Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 4.0, 0.0));
        for at in [Some(from), middle, Some(to)].into_iter().flatten() {
            painting.extend_in_space(at, 1.0);
        }
        painting.finish();
        applied(&scene, &painting)
    };
    let after = painted(None);
    let detour = painted(Some(Vec3::new(9.0, -3.0, 1.0)));
    assert_eq!(weights(&after), weights(&detour), "only the ends of the path count");
    let chest = bone(&scene, "chest");
    let of = |scene: &Scene, vertex: usize| {
        let mut row = weights(scene).influences(vertex);
        row.find(|(bone, _)| usize::from(*bone) == chest).map_or(0.0, |(_, w)| w)
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

/// Without a selection, a gradient stays within its radius of the line, including behind its start.
#[test]
fn a_gradient_keeps_to_its_radius() {
    let (scene, cache) = (human(), PaintCache::new(&human().skinned_meshes[MESH].surface));
    let chest = bone(&scene, "chest");
    let radius = 0.06;
    let brush = Brush { mode: Mode::Gradient, radius, ..Brush::default() };
    // Down the front, in front of the skin.
    let (from, to) = (Vec3::new(0.0, 3.2, 0.4), Vec3::new(0.0, 4.0, 0.4));
    let mut painting = begin(&scene, &cache, brush, "chest", false, None);
    painting.extend_in_space(from, 1.0);
    // Vertices touched along the way are unchanged.
    painting.extend_in_space(Vec3::new(0.9, 4.3, 0.2), 1.0);
    painting.update();
    painting.extend_in_space(to, 1.0);
    painting.finish();
    let after = applied(&scene, &painting);
    let of = |scene: &Scene, vertex: usize| {
        let mut row = weights(scene).influences(vertex);
        row.find(|(bone, _)| usize::from(*bone) == chest).map_or(0.0, |(_, w)| w)
    };
    let positions = scene.skinned_meshes[MESH].surface.positions();
    let radius = radius * cache.canvas.size;
    let (mut inside, mut behind, mut beyond) = (0, 0, 0);
    for (vertex, place) in positions.iter().enumerate() {
        let (before, now) = (of(&scene, vertex), of(&after, vertex));
        let on_line = Vec3::new(0.0, place.y.clamp(from.y, to.y), place.z);
        let aside = place.distance(on_line);
        if aside > radius * 1.05 || place.y > to.y + 1e-3 {
            assert_eq!(now, before, "{place} is out of its reach");
            beyond += usize::from(place.y < from.y);
        } else if place.z > 0.1 && aside < 0.5 * radius {
            // Falloff "smooth" from start to end.
            let part = ((to.y - place.y) / (to.y - from.y)).clamp(0.0, 1.0);
            let part = part * part * (3.0 - 2.0 * part);
            let expected = before + part * (1.0 - before);
            assert!((now - expected).abs() < 0.03, "{place}: {now}, not {expected}");
            inside += 1;
            behind += usize::from(place.y < from.y && now > 0.99);
        }
    }
    assert!(inside > 20 && behind > 0 && beyond > 100, "{inside} {behind} {beyond}");
}

/// How the path is cut into frames makes no difference, as with other brushes.
#[test]
fn spans_are_the_same_in_1_7_60_and_1000_chunks() {
    let scene = bent();
    let settings = Settings::default();
    let evaluated = Evaluator::default().evaluate(&scene, &settings);
    let shown = PosedSkin::new(&evaluated, MESH, Mat4::IDENTITY).unwrap();
    let skinned = &scene.skinned_meshes[MESH];
    let cache = PaintCache::new(&skinned.surface);
    let forearm = bone(&scene, "forearm.L");
    let elbow = shown.posed.current[forearm].translation.as_vec3();
    let start = front().project(elbow).unwrap().pixel;
    let way: Vec<Vec2> =
        (0..2000).map(|i| start + Vec2::new(0.03 * i as f32, 12.0 * (i as f32 * 0.01).sin())).collect();
    for mode in [Mode::Gradient, Mode::Pull] {
        let painted = |chunks: usize| {
            let brush = Brush { mode, radius: 0.05, ..Brush::default() };
            let paint = Paint { brush, bone: Some(forearm), symmetric: true };
            let mut painting =
                Painting::begin(MESH, skinned, &cache, shown.clone(), &paint, Some(front())).unwrap();
            for (i, at) in way.iter().enumerate() {
                painting.extend(*at, 1.0);
                if (i + 1) * chunks / way.len() != i * chunks / way.len() {
                    painting.update();
                }
            }
            painting.finish();
            applied(&scene, &painting)
        };
        let whole = painted(1);
        assert!(weights(&whole) != weights(&scene), "{mode:?}");
        for chunks in [7, 60, 1000] {
            assert!(painted(chunks) == whole, "{mode:?} in {chunks} chunks");
        }
    }
}

/// The human with its left elbow bent by 70 degrees.
fn bent() -> Scene {
    let mut scene = human();
    let forearm = bone(&scene, "forearm.L");
    let mut mesh = (*scene.skinned_meshes[MESH]).clone();
    Arc::make_mut(&mut mesh.skeleton).bones[forearm].pose_deg.z = 70.0;
    scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
    scene
}

/// Dragging out the skin of a bent elbow moves it there, and changes nothing else except the other side.
#[test]
fn the_skin_is_pulled_where_it_should_be() {
    let scene = bent();
    let forearm = bone(&scene, "forearm.L");
    let posed = |scene: &Scene| {
        let evaluated = Evaluator::default().evaluate(scene, &Settings::default());
        PosedSkin::new(&evaluated, MESH, Mat4::IDENTITY).unwrap()
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
    // The place of the vertex if both bones had half of it.
    let rest = skinned.surface.positions()[vertex];
    let upper = skinned.skeleton.bones[forearm].parent.unwrap() as usize;
    let half =
        [forearm, upper].iter().map(|&b| shown.posed.skinning[b].transform_point3(rest) * 0.5).sum::<Vec3>();
    let before = shown.posed.positions[vertex];
    let brush = Brush { mode: Mode::Pull, radius: 0.03, ..Brush::default() };
    let paint = Paint { brush, bone: None, symmetric: true };
    let cache = PaintCache::new(&skinned.surface);
    let mut painting = Painting::begin(MESH, skinned, &cache, shown.clone(), &paint, None).unwrap();
    painting.extend_in_space(before, 1.0);
    painting.extend_in_space(half, 1.0);
    painting.finish();
    let PullResult { from, to, reached } = painting.pull_result().unwrap();
    let (there, part) = reached.unwrap();
    assert!(from.distance(before) < 1e-3 && to.distance(half) < 1e-3 && (0.75..=1.0).contains(&part));
    assert!(there.distance(from.lerp(to, part as f32)) < 1e-4);
    let after = applied(&scene, &painting);
    let there = posed(&after).posed.positions[vertex];
    let missed = there.distance(half) / before.distance(half).max(1e-3);
    assert!(missed < 0.25, "{missed} of the way is missing, from {before} to {half}");
    let radius = 0.03 * cache.canvas.size;
    let Some(Command::PaintWeights { painted, .. }) = painting.command() else {
        panic!("weights were painted");
    };
    let rests = skinned.surface.positions();
    // Changes are there, and on the other side, which is not bent.
    let image = rest.with_x(-rest.x);
    let sides = [rest, image].map(|place| {
        let far = painted.vertices.iter().map(|v| rests[*v as usize].distance(place));
        far.filter(|far| *far <= radius * 1.01).count()
    });
    assert!(sides[0] > 10 && sides[0] == sides[1], "{sides:?}");
    assert_eq!(sides[0] + sides[1], painted.vertices.len());
    assert!(weights(&after).sums().all(|sum| (sum - 1.0).abs() < 1e-6));
}

/// Far away, no weights would move the skin to the target; the result reports how far it got.
#[test]
fn what_bones_cannot_reach_is_told() {
    let scene = bent();
    let evaluated = Evaluator::default().evaluate(&scene, &Settings::default());
    let shown = PosedSkin::new(&evaluated, MESH, Mat4::IDENTITY).unwrap();
    let skinned = &scene.skinned_meshes[MESH];
    let elbow = shown.posed.current[bone(&scene, "forearm.L")].translation.as_vec3();
    let cache = PaintCache::new(&skinned.surface);
    let pulled = |from: Vec3, by: Vec3| {
        let brush = Brush { mode: Mode::Pull, ..Brush::default() };
        let (bone, symmetric) = (None, false);
        let paint = Paint { brush, bone, symmetric };
        let mut painting = Painting::begin(MESH, skinned, &cache, shown.clone(), &paint, None).unwrap();
        painting.extend_in_space(from, 1.0);
        painting.extend_in_space(from + by, 1.0);
        painting.finish();
        (painting.pull_result().and_then(|pulled| pulled.reached), painting.no_effect_reason())
    };
    let (reached, objection) = pulled(elbow, Vec3::new(2.0, 2.0, 0.0));
    let (_, part) = reached.expect("bones move it");
    assert!(part < 0.3 && objection.is_none(), "{part}");
    // The head is not bent: all its bones move the skin to the same place.
    let (reached, objection) = pulled(Vec3::new(0.0, 5.0, 0.3), Vec3::X);
    assert!(reached.is_none() && objection.is_some_and(|said| said.contains("no bone moves the skin")));
}
