//! Tests of strokes as a whole, on generated surfaces; for characters see `tests/core/paint`.

mod both_sides;
pub(super) mod reaches;

use super::*;
use crate::math::ray::Ray;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::primitives;
use crate::mesh::soup::Polygons;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::testing::Random;
use glam::{Mat4, Vec2, Vec3};
use path::Target;
use std::sync::Arc;

/// Returns all modes except those that only use the endpoints of their path (`tests/core/paint_spans.rs`).
fn path_modes() -> impl Iterator<Item = Mode> {
    let uses_endpoints = |mode: Mode| Brush { mode, ..Brush::default() }.uses_endpoints();
    Mode::ALL.into_iter().filter(move |mode| !uses_endpoints(*mode))
}

fn plane(divisions: u32) -> HalfedgeMesh {
    let plane = primitives::Primitive::Plane { size: Vec2::splat(2.0), divisions: [divisions; 2] };
    plane.build().unwrap()
}

/// A root (0) with a left (1) and a right (2) child.
fn skeleton() -> Skeleton {
    let bone = |x: f32, parent| Bone { extent: Vec3::new(x, 0.5, 0.0), parent, ..Bone::default() };
    let mut skeleton = Skeleton {
        bones: vec![bone(0.0, None), bone(0.5, Some(0)), bone(-0.5, Some(0))],
        ..Skeleton::default()
    };
    for (id, bone) in skeleton.bones.iter_mut().enumerate() {
        bone.channel_id = id as u32;
    }
    skeleton
}

struct Scene {
    surface: Arc<HalfedgeMesh>,
    canvas: Arc<Canvas>,
    tree: Bvh,
    weights: Arc<VertexWeights>,
    skeleton: Skeleton,
}

impl Scene {
    /// A sphere of radius 1 whose weights blend from the left bone to the right one.
    fn ball() -> Self {
        Self::new(primitives::uv_sphere(1.0, 48, 24).unwrap(), |p| {
            let left = 0.5 * (0.5 + 0.5 * p.x);
            vec![(0, 0.5), (1, left), (2, 0.5 - left)]
        })
    }

    fn new(surface: HalfedgeMesh, mut row: impl FnMut(Vec3) -> Vec<(u16, f32)>) -> Self {
        let mut weights = VertexWeights::none(0);
        surface.positions().iter().for_each(|p| weights.push_row(row(*p)));
        Self {
            canvas: Arc::new(Canvas::new(&surface)),
            tree: Bvh::from_surface(&surface),
            surface: Arc::new(surface),
            weights: Arc::new(weights),
            skeleton: skeleton(),
        }
    }

    fn target(&self) -> Target<'_> {
        Target { world_from_mesh: Mat4::IDENTITY, positions: self.surface.positions(), tree: &self.tree }
    }

    fn stroke(&self, brush: Brush, bone: u16, mirrored: bool) -> Stroke {
        let mirrored = mirrored.then(|| stroke::Mirrored {
            map: Arc::new(MirrorMap::new(&self.canvas, &self.surface, &self.tree, &MirrorPlane::X)),
            bone: [0, 2, 1][usize::from(bone)],
            others: [0, 2, 1].map(Some).to_vec(),
        });
        let rules = Rules::new(&self.skeleton, brush.most);
        Stroke::new(self.canvas.clone(), self.weights.clone(), rules, (brush, bone), mirrored, None)
    }

    /// Paints along a wavy path in front of the surface, with an update after each of `chunks` parts.
    fn painted(&self, mut stroke: Stroke, chunks: usize) -> VertexWeights {
        let mut sampler = path::Sampler::new(0.01);
        let mut contacts = Vec::new();
        let points = 2000;
        for i in 0..points {
            let t = i as f32 / points as f32;
            let position = Vec3::new(1.4 * t - 0.7, 0.4 * (9.0 * t).sin(), 0.0);
            let pressure = 0.5 + 0.5 * (20.0 * t).cos();
            sampler.advance(position, pressure, |position, pressure| {
                let ray = Ray::new(position + Vec3::Z * 3.0, -Vec3::Z);
                self.target().cast(&ray, stroke.brush().reach == Reach::Through, &mut contacts);
                stroke.touch(&contacts, pressure);
            });
            if (i + 1) * chunks / points != i * chunks / points {
                stroke.update();
            }
        }
        stroke.update();
        stroke.finish();
        stroke.painted().applied(&self.weights)
    }
}

fn assert_in_order(weights: &VertexWeights, bones: usize) {
    assert_eq!(weights.validate(weights.vertex_count(), bones), Ok(()));
    for (v, sum) in weights.sums().enumerate() {
        assert!((sum - 1.0).abs() < 1e-6, "vertex {v}: {sum}");
    }
}

#[test]
fn dividing_the_path_into_chunks_changes_nothing_to_the_bit() {
    let scene = Scene::ball();
    for mode in path_modes() {
        for (accumulate, mirrored) in [(false, false), (false, true), (true, true)] {
            let brush = Brush {
                mode,
                value: 0.7,
                strength: 0.8,
                radius: 0.12,
                accumulate,
                pressure_radius: true,
                ..Brush::default()
            };
            let whole = scene.painted(scene.stroke(brush, 1, mirrored), 1);
            assert!(whole != *scene.weights, "{mode:?} changes nothing");
            assert_in_order(&whole, 3);
            for chunks in [7, 60, 1000] {
                let parts = scene.painted(scene.stroke(brush, 1, mirrored), chunks);
                assert!(parts == whole, "{mode:?} in {chunks} chunks, {accumulate} {mirrored}");
            }
        }
    }
}

#[test]
fn a_mirrored_stroke_is_the_same_on_both_sides() {
    let scene = Scene::ball();
    let map = MirrorMap::new(&scene.canvas, &scene.surface, &scene.tree, &MirrorPlane::X);
    assert_eq!(map.counts, [scene.canvas.points.len(), 0, 0]);
    for mode in path_modes() {
        for bone in [0, 1] {
            let brush = Brush { mode, value: 0.9, radius: 0.3, pressure_strength: false, ..Brush::default() };
            let painted = scene.painted(scene.stroke(brush, bone, true), 1);
            for (vertex, &point) in scene.canvas.point_of_vertex.iter().enumerate() {
                let mirror::Image::Point(other) = map.images[point as usize] else {
                    panic!("no mirror image");
                };
                let other = scene.canvas.vertices(other)[0] as usize;
                let weight =
                    |vertex, bone| painted.influences(vertex).find(|(b, _)| *b == bone).map_or(0.0, |e| e.1);
                for (bone_a, bone_b) in [(0, 0), (1, 2), (2, 1)] {
                    let difference = (weight(vertex, bone_a) - weight(other, bone_b)).abs();
                    assert!(difference <= 1e-6, "{mode:?} of {bone} at {vertex}: {difference}");
                }
            }
        }
    }
}

#[test]
fn on_the_middle_line_both_sides_share_the_available_weight() {
    let scene = Scene::ball();
    let middle = |painted: &VertexWeights| {
        let vertex = scene.surface.positions().iter().position(|p| p.x.abs() < 1e-6 && p.z > 0.99);
        painted.influences(vertex.unwrap()).collect::<Vec<_>>()
    };
    for (value, expected) in [(1.0, 0.5), (0.3, 0.3)] {
        let brush = Brush {
            value,
            radius: 0.4,
            falloff: Falloff::Constant,
            pressure_strength: false,
            ..Brush::default()
        };
        let row = middle(&scene.painted(scene.stroke(brush, 1, true), 1));
        let weight = |bone| row.iter().find(|(b, _)| *b == bone).unwrap().1;
        assert!((weight(1) - expected).abs() < 1e-6 && weight(1) == weight(2), "{row:?}");
    }
}

#[test]
fn locked_bones_keep_their_bits_and_rows_their_sum() {
    let mut random = Random::new(3);
    for round in 0..200 {
        let mut scene = Scene::ball();
        let mut weights = VertexWeights::none(0);
        for _ in 0..scene.surface.vertex_count() {
            let parts = [0; 3].map(|_| random.range(0.0, 1.0) * f32::from(random.next() & 3 != 0));
            let sum: f32 = parts.iter().sum::<f32>().max(1e-3);
            let entries = (0..3).filter(|&b| parts[b] > 0.0);
            weights.push_row(entries.map(|b| (b as u16, parts[b] / sum)));
        }
        scene.weights = Arc::new(weights);
        let locked = (random.next() % 3) as usize;
        scene.skeleton.bones[locked].lock_weights = true;
        let mode = Mode::ALL[round % Mode::ALL.len()];
        let brush = Brush {
            mode,
            radius: 0.2,
            value: random.range(0.0, 1.0),
            most: (random.next() % 3) as usize,
            ..Brush::default()
        };
        let (bone, mirrored) = ((random.next() % 3) as u16, round % 2 == 0);
        let painted = scene.painted(scene.stroke(brush, bone, mirrored), 1);
        // Regardless of the limit: the locked bone, the painted ones, and one for the rest.
        let required = 2 + usize::from(mode.paints_one_bone() && mirrored && bone > 0);
        for v in 0..painted.vertex_count() {
            let locked_weight = |weights: &VertexWeights| {
                weights.influences(v).find(|(b, _)| usize::from(*b) == locked).map(|e| e.1)
            };
            assert_eq!(locked_weight(&painted), locked_weight(&scene.weights), "{mode:?}, vertex {v}");
            if painted.row(v) != scene.weights.row(v) {
                let sum: f64 = painted.influences(v).map(|(_, w)| f64::from(w)).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{mode:?}, vertex {v}: {sum}");
                assert!(brush.most == 0 || painted.row(v).0.len() <= brush.most.max(required), "{v}");
            }
        }
    }
}

#[test]
fn what_is_left_over_goes_to_the_nearest_unlocked_ancestor() {
    let mut scene = Scene::new(primitives::uv_sphere(1.0, 24, 12).unwrap(), |_| vec![(1, 1.0)]);
    let brush = Brush { value: 0.0, radius: 0.5, falloff: Falloff::Constant, ..Brush::default() };
    let front = scene.surface.positions().iter().position(|p| p.z > 0.99).unwrap();
    let row = |scene: &Scene| {
        let painted = scene.painted(scene.stroke(Brush { pressure_strength: false, ..brush }, 1, false), 1);
        painted.influences(front).collect::<Vec<_>>()
    };
    assert_eq!(row(&scene), [(0, 1.0)], "the parent");
    scene.skeleton.bones[0].lock_weights = true;
    assert_eq!(row(&scene), [(2, 1.0)], "the nearest unlocked bone");
    scene.skeleton.bones[2].lock_weights = true;
    assert_eq!(row(&scene), [(1, 1.0)], "no other bone is unlocked");
}

#[test]
fn distances_along_the_surface_are_accurate() {
    // On a plane the exact distances are known.
    let scene = Scene::new(plane(40), |_| vec![(0, 1.0)]);
    let center = scene.canvas.points.iter().position(|p| p.length() < 1e-6).unwrap() as u32;
    let mut field = field::Field::new(&scene.canvas, scene.canvas.in_units(2.0));
    field.seed(center, 0, 0);
    field.spread(&scene.canvas, &mut Vec::new());
    let unit = 2.0 / f64::from(1 << 26);
    for (point, position) in scene.canvas.points.iter().enumerate() {
        let (distance, _) = field.at(point as u32).unwrap();
        let (found, exact) = (f64::from(distance) * unit, f64::from(position.length()));
        assert!(found >= exact - 1e-5 && found <= 1.03 * exact + 1e-5, "{position}: {found}");
    }
}

#[test]
fn smoothing_stays_between_the_neighbours() {
    let mut random = Random::new(5);
    let scene = Scene::new(primitives::uv_sphere(1.0, 32, 16).unwrap(), |_| {
        let part = random.range(0.0, 1.0);
        vec![(0, part), (1, 1.0 - part)]
    });
    let brush = Brush { mode: Mode::Smooth, ..Brush::default() };
    let mut stroke = scene.stroke(brush, 0, false);
    stroke.fill(0..scene.surface.vertex_count() as u32);
    let painted = stroke.painted().applied(&scene.weights);
    assert_in_order(&painted, 3);
    let weight = |weights: &VertexWeights, v: u32| {
        weights.influences(v as usize).find(|e| e.0 == 0).map_or(0.0, |e| e.1)
    };
    for point in 0..scene.canvas.points.len() as u32 {
        let vertex = scene.canvas.vertices(point)[0];
        let around = scene.canvas.edges(point).iter().map(|link| scene.canvas.vertices(link.to)[0]);
        let around: Vec<f32> = around.chain([vertex]).map(|v| weight(&scene.weights, v)).collect();
        let (least, most) = around.iter().fold((1f32, 0f32), |(l, m), w| (l.min(*w), m.max(*w)));
        let smoothed = weight(&painted, vertex);
        assert!(smoothed >= least - 2e-4 && smoothed <= most + 2e-4, "{least} {smoothed} {most}");
    }
}

#[test]
fn healing_fills_a_hole_from_its_surroundings() {
    // Linear along x on a flat grid, overwritten in the middle: healing restores the line.
    let surface = plane(20);
    let axis = |p: Vec3| 0.5 + 0.25 * p.x;
    let scene = Scene::new(surface, |p| {
        if p.length() < 0.45 { vec![(2, 1.0)] } else { vec![(0, axis(p)), (1, 1.0 - axis(p))] }
    });
    let brush = Brush { mode: Mode::Heal, ..Brush::default() };
    let mut stroke = scene.stroke(brush, 0, false);
    let inside = scene.surface.positions().iter().enumerate().filter(|(_, p)| p.length() < 0.5);
    stroke.fill(inside.map(|(v, _)| v as u32));
    let healed = stroke.painted().applied(&scene.weights);
    for (v, p) in scene.surface.positions().iter().enumerate() {
        let row: Vec<_> = healed.influences(v).collect();
        assert!(row.len() == 2 && row[0].0 == 0 && (row[0].1 - axis(*p)).abs() < 1e-4, "{p}: {row:?}");
    }
}

#[test]
fn loose_pieces_are_painted_only_with_volume() {
    let ball = |x: f32| {
        let ball = primitives::uv_sphere(0.5, 16, 8).unwrap();
        let mut polygons = Polygons::new(&ball);
        polygons.positions.iter_mut().for_each(|p| p.x += x);
        polygons
    };
    let (mut both, other) = (ball(-0.55), ball(0.55));
    let offset = both.positions.len() as u32;
    both.positions.extend(other.positions);
    both.faces.extend(other.faces.iter().map(|face| face.iter().map(|v| v + offset).collect::<Vec<_>>()));
    let surface = HalfedgeMesh::from_polygons(both.positions, &both.faces, None).unwrap();
    let scene = Scene::new(surface, |_| vec![(0, 1.0)]);
    assert_eq!(scene.canvas.shells, 2);
    for (reach, expected) in [(Reach::Surface, false), (Reach::Volume, true)] {
        let mut stroke = scene.stroke(Brush { reach, radius: 0.3, ..Brush::default() }, 1, false);
        let contact = scene.target().closest(Vec3::new(-0.1, 0.0, 0.0)).unwrap();
        stroke.touch(&[contact], 1.0);
        stroke.update();
        let painted = stroke.painted();
        let right = painted.vertices.iter().any(|&v| scene.surface.positions()[v as usize].x > 0.0);
        assert_eq!(right, expected, "{reach:?}");
    }
}

#[test]
fn an_area_too_large_to_heal_is_unchanged_and_reported() {
    let scene = Scene::new(primitives::uv_sphere(1.0, 240, 120).unwrap(), |_| vec![(0, 1.0)]);
    for (radius, is_too_much) in [(0.2, false), (1.0, true)] {
        let brush = Brush { mode: Mode::Heal, radius, ..Brush::default() };
        let mut stroke = scene.stroke(brush, 0, false);
        let touched = scene.target().first(&Ray::new(Vec3::Z * 3.0, -Vec3::Z));
        stroke.touch(&[touched.unwrap()], 1.0);
        stroke.finish();
        assert_eq!(stroke.overreach().is_some(), is_too_much, "{radius}");
        assert_eq!(stroke.painted().vertices.is_empty(), is_too_much, "{radius}");
    }
}
