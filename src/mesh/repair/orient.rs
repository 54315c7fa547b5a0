//! Which faces must be turned around so that neighbours face the same way. Edges with more or fewer than
//! two faces say nothing.

use super::faces::Faces;

/// Two faces at an edge.
struct Joint {
    faces: [u32; 2],
    /// Whether both run along the edge the same way, so that one is turned.
    same_way: bool,
}

/// Indices of the faces to turn, ascending: of every connected piece those that are fewer. On a one-sided
/// surface, such that the first faces agree.
pub fn turned(faces: &Faces) -> Vec<usize> {
    let joints = joints(faces);
    if joints.iter().all(|joint| !joint.same_way) {
        return Vec::new();
    }
    // Neighbours in compressed rows.
    let mut ends = vec![0u32; faces.len() + 1];
    for face in joints.iter().flat_map(|joint| joint.faces) {
        ends[face as usize + 1] += 1;
    }
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut fill = ends.clone();
    let mut neighbours = vec![(0u32, false); 2 * joints.len()];
    for Joint {
        faces: [a, b],
        same_way,
    } in joints
    {
        for (from, to) in [(a, b), (b, a)] {
            let next = &mut fill[from as usize];
            neighbours[*next as usize] = (to, same_way);
            *next += 1;
        }
    }
    let mut turn: Vec<Option<bool>> = vec![None; faces.len()];
    let mut out = Vec::new();
    let mut piece = Vec::new();
    for start in 0..faces.len() {
        if turn[start].is_some() {
            continue;
        }
        turn[start] = Some(false);
        piece.clear();
        piece.push((start, false));
        let mut at = 0;
        while let Some(&(face, turned)) = piece.get(at) {
            at += 1;
            let [first, end] = [ends[face], ends[face + 1]].map(|end| end as usize);
            for &(other, same_way) in &neighbours[first..end] {
                let other = other as usize;
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

fn joints(faces: &Faces) -> Vec<Joint> {
    let mut sides: Vec<([u32; 2], u32, bool)> = Vec::with_capacity(faces.corner_count());
    for (index, (_, range)) in (0..).zip(faces.iter()) {
        let around = faces.vertex[range].iter();
        let ahead = around.clone().cycle().skip(1);
        sides.extend(
            around
                .zip(ahead)
                .map(|(&a, &b)| ([a.min(b), a.max(b)], index, a < b)),
        );
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
