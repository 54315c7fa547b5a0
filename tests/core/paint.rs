//! Painting weights on the human, through the library calls that the tool makes.

use crate::support::media;
use glam::{Mat4, Vec2, Vec3};
use ossature::edit::command::Command;
use ossature::edit::paint::{Paint, PaintCache, Painting, PosedSkin};
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::math::camera::{ViewCamera, Viewport};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::rig::body::mirror_plane::MirrorPlane;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::paint::mirror::Image;
use ossature::rig::weights::paint::{Brush, Mode, Reach};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::collections::BTreeSet;
use std::sync::Arc;

pub const MESH: &str = "Human_skinned_mesh";

pub fn human() -> Scene {
    let path = media().into_iter().find(|path| path.ends_with("A4-human.js3d")).unwrap();
    js3d::read(&std::fs::read(path).unwrap()).unwrap().0
}

/// The human with exactly symmetric weights: everything follows the pelvis.
fn on_pelvis() -> Scene {
    let mut scene = human();
    let mut mesh = (*scene.skinned_meshes[MESH]).clone();
    let mut weights = VertexWeights::none(0);
    (0..mesh.surface.vertex_count()).for_each(|_| weights.push_row([(0, 1.0)]));
    mesh.weights = Arc::new(weights);
    scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
    scene
}

pub fn bone(scene: &Scene, name: &str) -> usize {
    let skeleton = &scene.skinned_meshes[MESH].skeleton;
    (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name).unwrap()
}

/// The view from the front, 800 x 800 pixels.
pub fn front() -> Viewport {
    Viewport {
        camera: ViewCamera {
            target: Vec3::new(0.0, 2.7, 0.0),
            yaw: 0.0,
            pitch: 0.0,
            distance: 9.0,
            ..ViewCamera::default()
        },
        size: Vec2::splat(800.0),
        covered_top: 0.0,
    }
}

pub fn begin(
    scene: &Scene,
    cache: &PaintCache,
    brush: Brush,
    name: &str,
    symmetric: bool,
    view: Option<Viewport>,
) -> Painting {
    let settings = Settings { bind: true, ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let shown = PosedSkin::new(&evaluated, MESH, Mat4::IDENTITY).unwrap();
    let paint = Paint { brush, bone: Some(bone(scene, name)), symmetric };
    Painting::begin(MESH, &scene.skinned_meshes[MESH], cache, shown, &paint, view).unwrap()
}

pub fn applied(scene: &Scene, painting: &Painting) -> Scene {
    let mut after = scene.clone();
    painting.command().expect("something was painted").apply(&mut after).unwrap();
    after
}

pub fn weights(scene: &Scene) -> &VertexWeights {
    &scene.skinned_meshes[MESH].weights
}

/// A path over the chest, across the middle, to the left shoulder.
pub fn way() -> Vec<Vec2> {
    let project = |p| front().project(p).unwrap().pixel;
    let (from, to) = (project(Vec3::new(-0.4, 3.9, 0.3)), project(Vec3::new(0.9, 4.3, 0.2)));
    let at = |i: usize| {
        let part = i as f32 / 2999.0;
        from.lerp(to, part) + Vec2::Y * 20.0 * (part * 30.0).sin()
    };
    (0..3000).map(at).collect()
}

#[test]
fn weights_are_the_same_in_1_7_60_and_1000_chunks() {
    let scene = human();
    let cache = PaintCache::new(&scene.skinned_meshes[MESH].surface);
    // Modes that depend on the ends of the path are in `paint_spans`.
    for (mode, reach) in [
        (Mode::Replace, Reach::Surface),
        (Mode::Smooth, Reach::Surface),
        (Mode::Sharpen, Reach::Surface),
        (Mode::Replace, Reach::Through),
        (Mode::Smooth, Reach::Through),
        (Mode::Smooth, Reach::Volume),
    ] {
        let painted = |chunks: usize| {
            let brush = Brush { mode, reach, value: 0.8, radius: 0.06, ..Brush::default() };
            let mut painting = begin(&scene, &cache, brush, "upper_arm.L", true, Some(front()));
            let way = way();
            for (i, at) in way.iter().enumerate() {
                painting.extend(*at, 1.0 - i as f32 / 6000.0);
                if (i + 1) * chunks / way.len() != i * chunks / way.len() {
                    painting.update();
                }
            }
            painting.finish();
            applied(&scene, &painting)
        };
        let whole = painted(1);
        assert!(weights(&whole) != weights(&scene), "{mode:?}");
        let sums_off = weights(&whole)
            .sums()
            .zip(weights(&scene).sums())
            .filter(|(now, before)| (now - 1.0).abs() > 1e-6 && now != before);
        assert_eq!(sums_off.count(), 0, "{mode:?}");
        for chunks in [7, 60, 1000] {
            assert!(painted(chunks) == whole, "{mode:?} in {chunks} chunks");
        }
    }
}

#[test]
fn strokes_with_symmetry_leave_both_sides_alike_and_the_middle_too() {
    let mut scene = on_pelvis();
    let cache = PaintCache::new(&scene.skinned_meshes[MESH].surface);
    let map = cache.mirror(MirrorPlane::X);
    let points = cache.canvas.points.len();
    assert_eq!(map.counts, [points, 0, 0], "the human is symmetric");
    let strokes = [
        (Mode::Replace, 1.0, "clavicle.L"),
        (Mode::Add, 0.4, "chest"),
        (Mode::Replace, 0.6, "upper_arm.L"),
        (Mode::Smooth, 1.0, "chest"),
        (Mode::Scale, 0.5, "clavicle.R"),
        (Mode::Sharpen, 1.0, "chest"),
        (Mode::Subtract, 0.2, "clavicle.L"),
        (Mode::Heal, 1.0, "chest"),
    ];
    let skeleton = scene.skinned_meshes[MESH].skeleton.clone();
    let other = |bone: u16| {
        let name = skeleton.bone_name(bone.into());
        let other = match name.rsplit_once('.') {
            Some((stem, "L")) => format!("{stem}.R"),
            Some((stem, "R")) => format!("{stem}.L"),
            _ => name,
        };
        (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == other).unwrap() as u16
    };
    for (mode, value, name) in strokes {
        let brush = Brush {
            mode,
            value,
            // Healing must not reach beyond everything that was painted.
            radius: if mode == Mode::Heal { 0.02 } else { 0.05 },
            ..Brush::default()
        };
        let mut painting = begin(&scene, &cache, brush, name, true, Some(front()));
        way().iter().for_each(|at| painting.extend(*at, 1.0));
        painting.finish();
        scene = applied(&scene, &painting);
        let mut touched = 0;
        for (vertex, &point) in cache.canvas.point_of_vertex.iter().enumerate() {
            let Image::Point(there) = map.images[point as usize] else { panic!() };
            let there = cache.canvas.vertices(there)[0] as usize;
            let of = |vertex: usize, bone: u16| {
                let mut row = weights(&scene).influences(vertex);
                row.find(|(b, _)| *b == bone).map_or(0.0, |(_, weight)| weight)
            };
            for bone in 0..skeleton.bones.len() as u16 {
                let difference = (of(vertex, bone) - of(there, other(bone))).abs();
                assert!(difference <= 1e-6, "{mode:?} of {name}, vertex {vertex}: {difference}");
            }
            touched += usize::from(of(vertex, 0) < 1.0);
        }
        assert!(touched > 100, "{mode:?}");
    }
}

/// Along edges from a vertex: never shorter than along the surface.
fn along_edges(surface: &HalfedgeMesh, from: usize) -> Vec<f32> {
    let mut distance = vec![f32::INFINITY; surface.vertex_count()];
    distance[from] = 0.0;
    let mut open = BTreeSet::from([(0, from)]);
    while let Some((_, vertex)) = open.pop_first() {
        for h in surface.outgoing(vertex as u32) {
            let to = surface.vertex_of(HalfedgeMesh::twin(h)) as usize;
            let way = distance[vertex] + surface.positions()[vertex].distance(surface.positions()[to]);
            if way < distance[to] {
                distance[to] = way;
                open.insert((way.to_bits(), to));
            }
        }
    }
    distance
}

#[test]
fn a_finger_is_painted_and_its_neighbours_are_not() {
    let scene = on_pelvis();
    let surface = &scene.skinned_meshes[MESH].surface;
    let cache = PaintCache::new(surface);
    // The tip of a finger of the left hand.
    let positions = surface.positions();
    let tip = (0..positions.len()).max_by(|&a, &b| positions[a].x.total_cmp(&positions[b].x)).unwrap();
    let brush = Brush { radius: 0.04, ..Brush::default() };
    let mut painting = begin(&scene, &cache, brush, "fingers2.L", false, None);
    painting.extend_in_space(positions[tip], 1.0);
    painting.finish();
    let Some(Command::PaintWeights { painted, .. }) = painting.command() else { panic!() };
    let radius = 0.04 * cache.canvas.size;
    let edges = along_edges(surface, tip);
    let painted: BTreeSet<u32> = painted.vertices.iter().copied().collect();
    let (mut inside, mut spared) = (0, 0);
    for (vertex, way) in edges.iter().enumerate() {
        let is_painted = painted.contains(&(vertex as u32));
        // The distance along the surface is at most that along edges, and at most 1.42 times shorter.
        if *way < radius * 0.95 {
            assert!(is_painted, "{vertex}");
            inside += 1;
        } else if *way > radius * 1.45 {
            assert!(!is_painted, "{vertex} is {way} away, with a radius of {radius}");
            spared += usize::from(positions[vertex].distance(positions[tip]) < radius);
        }
    }
    assert!(inside > 10 && spared > 10, "{inside} {spared}: other fingers are near");
}

#[test]
fn locks_are_kept_in_files_and_hold() {
    let mut scene = human();
    let chest = bone(&scene, "chest");
    let lock = |locked| Command::lock_weights(MESH.into(), &[chest], locked);
    let before = js3d::write(&scene).unwrap();
    lock(true).apply(&mut scene).unwrap();
    let text = String::from_utf8(js3d::write(&scene).unwrap()).unwrap();
    let (read, report) = js3d::read(text.as_bytes()).unwrap();
    assert!(read.skinned_meshes[MESH].skeleton.bones[chest].lock_weights && report.findings.is_empty());
    assert_eq!(js3d::write(&read).unwrap(), text.as_bytes());
    let spoiled = text.replace("\"lock_weights\":true", "\"lock_weights\":\"yes\"");
    let (read, report) = js3d::read(spoiled.as_bytes()).unwrap();
    assert!(!read.skinned_meshes[MESH].skeleton.bones[chest].lock_weights);
    assert!(format!("{:?}", report.findings).contains("lock_weights"));
    // Painting other bones leaves its weights unchanged, bit for bit.
    let cache = PaintCache::new(&scene.skinned_meshes[MESH].surface);
    let mut painting = begin(&scene, &cache, Brush::default(), "upper_arm.L", true, Some(front()));
    way().iter().for_each(|at| painting.extend(*at, 1.0));
    painting.finish();
    let painted = applied(&scene, &painting);
    let of = |scene: &Scene, v: usize| weights(scene).influences(v).find(|(b, _)| usize::from(*b) == chest);
    let mut held = 0;
    for vertex in 0..weights(&scene).vertex_count() {
        assert_eq!(of(&painted, vertex), of(&scene, vertex), "vertex {vertex}");
        let changed = weights(&painted).row(vertex) != weights(&scene).row(vertex);
        held += usize::from(changed && of(&scene, vertex).is_some());
    }
    assert!(held > 10, "{held}");
    lock(false).apply(&mut scene).unwrap();
    assert_eq!(js3d::write(&scene).unwrap(), before);
}

/// A hundred strokes: undo stays within its memory limit, and restores its states to the byte.
#[test]
fn undo_of_strokes_is_bounded_and_exact() {
    const BYTES: usize = 4 << 20;
    let mut session = Session::new(human(), None);
    session.set_undo_bytes(BYTES);
    let vertices = weights(session.scene()).vertex_count() as u32;
    let mut states = vec![js3d::write(session.scene()).unwrap()];
    for round in 0..100u32 {
        let mut rows = VertexWeights::none(0);
        let touched: Vec<u32> = (round..vertices).step_by(97).collect();
        touched.iter().for_each(|_| rows.push_row([(round as u16 % 34, 1.0)]));
        let painted = ossature::rig::weights::paint::PaintedRows { vertices: touched, rows };
        let command = Command::PaintWeights { mesh: MESH.into(), painted };
        session.apply(&[command]).unwrap();
        if round > 90 {
            states.push(js3d::write(session.scene()).unwrap());
        }
    }
    assert!(session.history().bytes() <= BYTES, "{}", session.history().bytes());
    let kept = session.undo_list().count();
    assert!((10..100).contains(&kept), "{kept}");
    for state in states.iter().skip(1).rev() {
        assert!(js3d::write(session.scene()).unwrap() == *state);
        session.undo();
    }
}

/// Undo stores only the blocks of rows that a stroke changed, and restores them to the byte.
#[test]
fn undo_of_small_strokes_holds_what_they_changed() {
    let mut session = Session::new(human(), None);
    let vertices = weights(session.scene()).vertex_count() as u32;
    let whole = {
        let weights = weights(session.scene());
        6 * weights.bones.len() + 4 * weights.ends.len()
    };
    let mut states = vec![js3d::write(session.scene()).unwrap()];
    let mut alive = Vec::new();
    for round in 0..60u32 {
        // Within one or two blocks of 512 vertices.
        let first = round * 113 % (vertices - 40);
        let mut rows = VertexWeights::none(0);
        (0..40).for_each(|_| rows.push_row([(round as u16 % 34, 1.0)]));
        let painted =
            ossature::rig::weights::paint::PaintedRows { vertices: (first..first + 40).collect(), rows };
        let mesh = MESH.to_owned();
        session.apply(&[Command::PaintWeights { mesh, painted }]).unwrap();
        // Steps of other kinds in between store no weights either.
        let (mesh, name) = (MESH.to_owned(), format!("hips {round}"));
        session.apply(&[Command::SetBoneName { mesh, bone: 0, name }]).unwrap();
        alive.push(Arc::downgrade(&session.scene().skinned_meshes[MESH].weights));
        states.push(js3d::write(session.scene()).unwrap());
    }
    let held = session.history().bytes();
    assert!(whole > 100_000 && held > 60 * 1000, "{held} of {whole} bytes each");
    assert!(held < 60 * whole / 5, "{held} of {whole} bytes each");
    // Only the last weights still exist as arrays.
    let arrays = alive.iter().filter(|weights| weights.strong_count() > 0).count();
    assert_eq!(arrays, 1, "those of the document");
    let last = states.last().unwrap().clone();
    for state in states.iter().rev().skip(1) {
        session.undo();
        session.undo();
        assert!(js3d::write(session.scene()).unwrap() == *state);
    }
    while session.redo().is_some() {}
    assert!(js3d::write(session.scene()).unwrap() == last);
}

/// A drag's preview equals the result of its command, with keys and several meshes
/// or without.
#[test]
fn previews_of_strokes_are_what_their_commands_do() {
    let walk = media().into_iter().find(|path| path.ends_with("A4-human-walk.js3d")).unwrap();
    let walk = js3d::read(&std::fs::read(walk).unwrap()).unwrap().0;
    let mut twice = human();
    let body = twice.skinned_meshes[MESH].clone();
    twice.skinned_meshes.insert("Shirt".into(), body);
    for scene in [human(), walk, twice] {
        let mut dragged = Session::new(scene.clone(), None);
        dragged.record();
        dragged.set_frame(7.0);
        let mut applied = dragged.clone();
        let vertices = weights(&scene).vertex_count() as u32;
        let stroke = |length: u32| {
            let vertices: Vec<u32> = (100..100 + length).map(|v| v * 7 % vertices).collect();
            let mut vertices = vertices;
            vertices.sort_unstable();
            vertices.dedup();
            let mut rows = VertexWeights::none(0);
            vertices.iter().for_each(|v| rows.push_row([(1, 0.25), (2 + (*v % 9) as u16, 0.75)]));
            Command::PaintWeights {
                mesh: MESH.into(),
                painted: ossature::rig::weights::paint::PaintedRows { vertices, rows },
            }
        };
        for length in 1..30 {
            dragged.preview(&[stroke(20 * length)]).unwrap();
            // A viewer holds clones like these.
            let shown = [dragged.scene().clone(), dragged.animated().clone()];
            if length == 15 {
                dragged.set_frame(9.0);
                applied.set_frame(9.0);
            }
            assert!(weights(&shown[0]) == weights(&shown[1]));
        }
        let wrong = vec![Command::PaintWeights {
            mesh: MESH.into(),
            painted: ossature::rig::weights::paint::PaintedRows {
                vertices: vec![vertices],
                rows: VertexWeights::none(1),
            },
        }];
        assert!(dragged.preview(&wrong).is_err());
        dragged.commit();
        let before = applied.scene().clone();
        applied.apply(&[stroke(580)]).unwrap();
        assert!(dragged.scene() == applied.scene() && dragged.animated() == applied.animated());
        assert_eq!(dragged.undo_list().collect::<Vec<_>>(), ["Paint weights"]);
        assert!(dragged.take_steps(false).len() >= 2, "it is recorded");
        dragged.undo();
        assert!(*dragged.scene() == before);
    }
}
