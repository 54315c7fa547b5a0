//! Which faces must be turned around so that neighbours face the same way. Edges with more or fewer than
//! two faces say nothing.

use super::repair::Polygon;

/// Two faces at an edge.
struct Joint {
    faces: [usize; 2],
    /// Whether both run along the edge the same way, so that one is turned.
    same_way: bool,
}

/// Indices of the faces to turn, ascending: of every connected piece those that are fewer. On a one-sided
/// surface, such that the first faces agree.
pub fn turned(polygons: &[Polygon]) -> Vec<usize> {
    let joints = joints(polygons);
    if joints.iter().all(|joint| !joint.same_way) {
        return Vec::new();
    }
    // Neighbours in compressed rows.
    let mut ends = vec![0usize; polygons.len() + 1];
    for face in joints.iter().flat_map(|joint| joint.faces) {
        ends[face + 1] += 1;
    }
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut fill = ends.clone();
    let mut neighbours = vec![(0, false); 2 * joints.len()];
    for Joint {
        faces: [a, b],
        same_way,
    } in joints
    {
        for (from, to) in [(a, b), (b, a)] {
            neighbours[fill[from]] = (to, same_way);
            fill[from] += 1;
        }
    }
    let mut turn: Vec<Option<bool>> = vec![None; polygons.len()];
    let mut out = Vec::new();
    let mut piece = Vec::new();
    for start in 0..polygons.len() {
        if turn[start].is_some() {
            continue;
        }
        turn[start] = Some(false);
        piece.clear();
        piece.push((start, false));
        let mut at = 0;
        while let Some(&(face, turned)) = piece.get(at) {
            at += 1;
            for &(other, same_way) in &neighbours[ends[face]..ends[face + 1]] {
                if turn[other].is_none() {
                    turn[other] = Some(turned != same_way);
                    piece.push((other, turned != same_way));
                }
            }
        }
        let count = piece.iter().filter(|(_, turned)| *turned).count();
        let fewer = 2 * count <= piece.len();
        out.extend(
            piece
                .iter()
                .filter(|(_, turned)| *turned == fewer)
                .map(|(f, _)| *f),
        );
    }
    out.sort_unstable();
    out
}

fn joints(polygons: &[Polygon]) -> Vec<Joint> {
    let mut sides: Vec<([u32; 2], usize, bool)> = Vec::new();
    for (index, polygon) in polygons.iter().enumerate() {
        let around = polygon.corners.iter();
        let ahead = around.clone().cycle().skip(1);
        sides.extend(around.zip(ahead).map(|(a, b)| {
            let (a, b) = (a.vertex, b.vertex);
            ([a.min(b), a.max(b)], index, a < b)
        }));
    }
    sides.sort_unstable();
    let pairs = sides.chunk_by(|a, b| a.0 == b.0).filter_map(|group| match group {
        [(_, a, forward), (_, b, other)] => Some(Joint {
            faces: [*a, *b],
            same_way: forward == other,
        }),
        _ => None,
    });
    pairs.collect()
}
