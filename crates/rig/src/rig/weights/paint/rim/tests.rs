//! Compares rings with strokes: a ring must enclose the points that a stroke paints.

use super::*;
use crate::mesh::primitives;
use crate::rig::skeleton::{Bone, Skeleton};
use crate::rig::weights::VertexWeights;
use crate::rig::weights::paint::tests::reaches::two_balls;
use crate::rig::weights::paint::{Brush, Falloff, Mode, Rules};
use glam::Vec3;
use std::collections::BTreeSet;

/// Returns a stroke with a single touch.
fn touched(
    surface: &HalfedgeMesh,
    canvas: &Arc<Canvas>,
    contacts: &[Contact],
    (brush, pressure): (Brush, f32),
) -> Stroke {
    let bone = |parent| Bone { extent: Vec3::Y, parent, ..Bone::default() };
    let skeleton = Skeleton { bones: vec![bone(None), bone(Some(0))], ..Skeleton::default() };
    let mut weights = VertexWeights::none(0);
    (0..surface.vertex_count()).for_each(|_| weights.push_row([(0, 1.0)]));
    let rules = Rules::new(&skeleton, 0);
    let mut stroke = Stroke::new(canvas.clone(), weights.into(), rules, (brush, 1), None, None);
    stroke.touch(contacts, pressure);
    stroke.update();
    stroke
}

/// Returns the points that a stroke paints.
fn painted(canvas: &Canvas, stroke: &Stroke) -> BTreeSet<u32> {
    let vertices = stroke.painted().vertices;
    vertices.iter().map(|v| canvas.point_of_vertex[*v as usize]).collect()
}

/// Returns both ends of each piece as sortable numbers.
fn numbers(pieces: &[Piece]) -> Vec<[u32; 12]> {
    let mut all: Vec<[u32; 12]> = pieces
        .iter()
        .map(|[a, b]| {
            let bits = |end: &Contact| end.triangle.into_iter().chain(end.weights.map(f32::to_bits));
            let mut all = bits(a).chain(bits(b));
            [(); 12].map(|()| all.next().unwrap())
        })
        .collect();
    all.sort_unstable();
    all
}

/// Returns the points whose weight in a contact is above 0.
fn support(canvas: &Canvas, contact: &Contact) -> Vec<u32> {
    let corners = contact.triangle.iter().zip(contact.weights);
    let mut points: Vec<u32> = corners
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(vertex, _)| canvas.point_of_vertex[*vertex as usize])
        .collect();
    points.sort_unstable();
    points
}

#[test]
fn a_ring_encloses_what_the_stroke_touches_at_its_distance_in_the_field() {
    let ball = |n| primitives::uv_sphere(1.0, 2 * n, n).unwrap();
    let cases = [
        (ball(40), vec![Vec3::Z], Reach::Surface),
        (ball(7), vec![Vec3::new(0.5, 0.3, 1.0)], Reach::Surface),
        (primitives::tube(0.3, 2.0, 24, 40).unwrap(), vec![Vec3::X], Reach::Surface),
        (ball(30), vec![Vec3::Z, Vec3::NEG_Z], Reach::Through),
        (two_balls(), vec![Vec3::X], Reach::Volume),
    ];
    for (case, (surface, positions, reach)) in cases.into_iter().enumerate() {
        let surface = Arc::new(surface);
        let canvas = Arc::new(Canvas::new(&surface));
        let tree = crate::mesh::bvh::Bvh::from_surface(&surface);
        let contact = |position: &Vec3| {
            let near = tree.closest(surface.positions(), *position).unwrap();
            Contact { triangle: near.triangle, weights: near.weights }
        };
        let contacts: Vec<Contact> = positions.iter().map(contact).collect();
        let mut rim = Rim::new(&surface, &canvas);
        for radius in [0.03, 0.1, 0.24] {
            let brush = Brush { radius, reach, falloff: Falloff::Constant, ..Brush::default() };
            let radius = radius * canvas.size;
            let mut pieces = Vec::new();
            rim.touch(&contacts, reach, radius);
            rim.lines(radius, &mut pieces);
            let touched = painted(&canvas, &touched(&surface, &canvas, &contacts, (brush, 1.0)));
            let context = format!("case {case}, radius {radius}");
            // A field without a limit.
            let mut field = Field::new(&canvas, u32::MAX);
            for contact in &contacts {
                canvas.for_each_seed(contact, reach, radius, |point, distance| {
                    field.seed(point, distance, 0);
                });
            }
            field.spread(&canvas, &mut Vec::new());
            let mut crossed = BTreeSet::new();
            for end in pieces.iter().flatten() {
                let touching = contacts.iter().find(|contact| contact.triangle == end.triangle);
                let points = support(&canvas, end);
                let bind = surface.positions();
                // In a touched triangle, distances are straight.
                let straight = touching.map(|contact| contact.position(bind).distance(end.position(bind)));
                let is_straight = straight.is_some_and(|distance| (distance - radius).abs() < 1e-3 * radius);
                let [a, b]: [u32; 2] = match points[..].try_into() {
                    Ok(ends) => ends,
                    Err(_) => {
                        assert!(is_straight, "{context}: {points:?} is no edge, {straight:?}");
                        continue;
                    }
                };
                let labels = [a, b].map(|point| f64::from(field.at(point).unwrap().0));
                let weight = |point: u32| {
                    let corner =
                        end.triangle.iter().position(|v| canvas.point_of_vertex[*v as usize] == point);
                    f64::from(end.weights[corner.unwrap()])
                };
                let distance = labels[0] * weight(a) + labels[1] * weight(b);
                let expected = f64::from(canvas.in_units(radius));
                // The ring is cut at an edge that the brush crosses without reaching its ends.
                let is_cut =
                    touching.is_some() && (is_straight || labels.iter().all(|label| *label > expected));
                assert!(
                    is_cut || (distance - expected).abs() < 2e-3 * expected,
                    "{context}: {distance} instead of {expected}"
                );
                assert!(is_cut || touched.contains(&a) != touched.contains(&b), "{context}: {a} {b}");
                crossed.insert([a, b]);
            }
            let edges = (0..canvas.points.len() as u32).flat_map(|a| {
                let around = canvas.edges(a).iter().map(move |link| [a, link.to]);
                around.filter(|[a, b]| a < b)
            });
            let leaving = edges.filter(|[a, b]| touched.contains(a) != touched.contains(b));
            let missed: Vec<[u32; 2]> = leaving.filter(|edge| !crossed.contains(edge)).collect();
            assert!(missed.is_empty(), "{context}: the ring misses {missed:?}");
            assert!(!pieces.is_empty() && (case > 0 || radius < 0.1 || touched.len() > 20), "{context}");
        }
    }
}

/// A dab has already searched the surface from the same contacts.
#[test]
fn rings_of_a_dab_match_those_of_a_touch() {
    let surface = Arc::new(primitives::uv_sphere(1.0, 60, 30).unwrap());
    let canvas = Arc::new(Canvas::new(&surface));
    let tree = crate::mesh::bvh::Bvh::from_surface(&surface);
    let contacts = [Vec3::new(0.3, 0.2, 1.0), Vec3::new(0.3, 0.2, -1.0)].map(|position| {
        let near = tree.closest(surface.positions(), position).unwrap();
        Contact { triangle: near.triangle, weights: near.weights }
    });
    let mut rim = Rim::new(&surface, &canvas);
    let (mut touch_rings, mut dab_rings) = (Vec::new(), Vec::new());
    for (accumulate, mode) in [(true, Mode::Replace), (false, Mode::Smooth)] {
        for pressure in [1.0, 0.5] {
            let brush = Brush {
                radius: 0.125,
                reach: Reach::Through,
                pressure_radius: true,
                accumulate,
                mode,
                ..Brush::default()
            };
            let stroke = touched(&surface, &canvas, &contacts, (brush, pressure));
            let radius = pressure * brush.radius * canvas.size;
            rim.touch(&contacts, Reach::Through, radius);
            for distance in [radius, 0.4 * radius] {
                rim.lines(distance, &mut touch_rings);
                rim.lines_of_dab(&stroke, distance, &mut dab_rings);
                let context = format!("{mode:?}, pressure {pressure}, {distance}");
                assert!(dab_rings.len() > 20, "{context}");
                assert!(numbers(&touch_rings) == numbers(&dab_rings), "{context}");
            }
        }
    }
    // A stroke without dabs leaves the pieces unchanged.
    let stroke = touched(&surface, &canvas, &contacts, (Brush::default(), 1.0));
    let before = numbers(&dab_rings);
    rim.lines_of_dab(&stroke, 0.1, &mut dab_rings);
    assert!(numbers(&dab_rings) == before);
}

/// Every end of a piece is also the end of another piece.
#[test]
fn rings_are_closed() {
    for n in [5, 12, 40] {
        let surface = Arc::new(primitives::uv_sphere(1.0, 2 * n, n).unwrap());
        let canvas = Arc::new(Canvas::new(&surface));
        let tree = crate::mesh::bvh::Bvh::from_surface(&surface);
        let near = tree.closest(surface.positions(), Vec3::new(0.3, 0.2, 1.0)).unwrap();
        let contact = Contact { triangle: near.triangle, weights: near.weights };
        let mut rim = Rim::new(&surface, &canvas);
        for radius in [0.1, 0.3, 0.8] {
            rim.touch(&[contact], Reach::Surface, radius);
            let mut pieces = Vec::new();
            for distance in [radius, 0.5 * radius] {
                rim.lines(distance, &mut pieces);
                let ends: Vec<Vec3> =
                    pieces.iter().flatten().map(|end| end.position(surface.positions())).collect();
                let alone = ends
                    .iter()
                    .enumerate()
                    .filter(|(i, end)| {
                        let others = ends.iter().enumerate().filter(|(j, _)| j != i);
                        others.filter(|(_, other)| other.distance(**end) < 1e-3 * radius).count() < 1
                    })
                    .count();
                assert!(!ends.is_empty() && alone == 0, "{n}, {distance}: {alone} of {}", ends.len());
            }
        }
    }
}
