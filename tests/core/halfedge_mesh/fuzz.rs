//! Random rewirings and random polygons: either refused, or a mesh that can be walked.

use super::*;

/// Random rewirings: either refused, or sound.
#[test]
fn rewired_meshes_are_refused_or_can_be_walked() {
    let seeds = [cube().raw(), open_box().raw(), triangle()];
    let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..60_000 {
        let mut raw = seeds[random.below(seeds.len())].clone();
        for _ in 0..1 + random.below(4) {
            let (h, v, f) = (raw.next.len(), raw.vertex_halfedge.len(), raw.face_halfedge.len());
            if h == 0 || v == 0 || f == 0 {
                break;
            }
            match random.below(10) {
                0 => raw.next[random.below(h)] = random.below(h + 1) as u32,
                1 | 2 => raw.next.swap(random.below(h), random.below(h)),
                3 => {
                    // Swapping two pairs keeps a permutation and often a surface.
                    let (a, b) = (random.below(h), random.below(h));
                    raw.next.swap(a, b);
                    raw.next.swap(a ^ 1, b ^ 1);
                }
                4 => raw.vertex_halfedge[random.below(v)] = random.below(h) as u32,
                5 => raw.face_halfedge[random.below(f)] = random.below(h) as u32,
                6 => {
                    let at = random.below(f);
                    raw.face_boundary[at] = !raw.face_boundary[at];
                }
                7 => {
                    raw.vertex_halfedge.remove(random.below(v));
                    raw.vertex_position.pop();
                }
                8 => {
                    let at = random.below(f);
                    raw.face_halfedge.remove(at);
                    raw.face_boundary.remove(at);
                }
                _ => {
                    // Another half-edge of the same cycle is still valid.
                    let at = random.below(f);
                    let next = raw.next.get(raw.face_halfedge[at] as usize).copied();
                    raw.face_halfedge[at] = next.unwrap_or(0);
                }
            }
        }
        if round % 2 == 0 {
            repair_cycles(&mut raw);
        }
        match HalfedgeMesh::new(raw.clone()) {
            Ok(mesh) => {
                assert_sound(&mesh);
                assert_eq!(mesh.raw(), raw);
                accepted += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(accepted > 1_000 && refused > 1_000, "{accepted} accepted, {refused} refused");
}

/// Lists each cycle of `next` once, so that rewirings pass the first rules.
fn repair_cycles(raw: &mut RawMesh) {
    let h_count = raw.next.len();
    let mut sorted = raw.next.clone();
    sorted.sort_unstable();
    if !sorted.iter().enumerate().all(|(i, &n)| i == n as usize) {
        return;
    }
    let starts = |twin: usize| {
        let mut seen = vec![false; h_count];
        let mut starts = vec![];
        for h in 0..h_count {
            if !seen[h] {
                starts.push(h as u32);
                let mut at = h;
                while !seen[at] {
                    seen[at] = true;
                    at = raw.next[at ^ twin] as usize;
                }
            }
        }
        starts
    };
    (raw.face_halfedge, raw.vertex_halfedge) = (starts(0), starts(1));
    raw.face_boundary.resize(raw.face_halfedge.len(), false);
    raw.vertex_position.resize(raw.vertex_halfedge.len(), Vec3::ONE);
}

/// A polygon soup of random triangles and quads: refused, or sound.
#[test]
fn random_polygons_are_refused_or_become_a_surface() {
    let mut random = Random::new(0xDEAD_BEEF_1234_5678);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let vertices = 3 + random.below(4);
        let polygons: Vec<Vec<u32>> = (0..1 + random.below(4))
            .map(|_| (0..3 + random.below(2)).map(|_| random.below(vertices) as u32).collect())
            .collect();
        let positions = vec![Vec3::ZERO; vertices];
        if let Ok(mesh) = HalfedgeMesh::from_polygons(positions, &polygons, None) {
            assert_sound(&mesh);
            assert!(mesh.corner_normals().iter().all(|n| n.is_finite()));
            accepted += 1;
        }
    }
    assert!(accepted > 100, "{accepted} accepted");
}
