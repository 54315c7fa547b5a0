//! The faces to flip so that neighbours have a consistent orientation. Edges with more or fewer than two
//! faces are ignored, and so are those where two shells touch.

use super::faces::Faces;

/// Two faces that share an edge.
struct SharedEdge {
    faces: [u32; 2],
    /// Whether both traverse the edge in the same direction, so that one must be flipped.
    same_direction: bool,
}

/// Returns the indices of the faces to flip, ascending: in every connected piece, the minority. On a
/// non-orientable surface, the choice keeps the first faces consistent.
///
/// `agrees`: whether a face is wound as its normals say. Two such faces, each with others that it is consistent with, belong
/// to shells that touch: they are not neighbours if they traverse their edge in the same direction.
pub fn faces_to_flip(faces: &Faces, agrees: impl Fn(u32) -> bool) -> Vec<usize> {
    let mut shared_edges = shared_edges(faces);
    let mut has_shell = vec![false; faces.len()];
    for edge in shared_edges.iter().filter(|edge| !edge.same_direction) {
        edge.faces.into_iter().for_each(|face| has_shell[face as usize] = true);
    }
    let is_shell = |face: u32| has_shell[face as usize] && agrees(face);
    shared_edges.retain(|edge| !(edge.same_direction && edge.faces.into_iter().all(is_shell)));
    if shared_edges.iter().all(|shared_edge| !shared_edge.same_direction) {
        return Vec::new();
    }
    // The neighbours in compressed rows.
    let mut ends = vec![0u32; faces.len() + 1];
    for face in shared_edges.iter().flat_map(|shared_edge| shared_edge.faces) {
        ends[face as usize + 1] += 1;
    }
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut fill = ends.clone();
    let mut neighbours = vec![(0u32, false); 2 * shared_edges.len()];
    for SharedEdge { faces: [a, b], same_direction } in shared_edges {
        for (from, to) in [(a, b), (b, a)] {
            let next = &mut fill[from as usize];
            neighbours[*next as usize] = (to, same_direction);
            *next += 1;
        }
    }
    let mut flipped: Vec<Option<bool>> = vec![None; faces.len()];
    let mut out = Vec::new();
    let mut piece = Vec::new();
    for start in 0..faces.len() {
        if flipped[start].is_some() {
            continue;
        }
        flipped[start] = Some(false);
        piece.clear();
        piece.push((start, false));
        let mut visited = 0;
        while let Some(&(face, is_flipped)) = piece.get(visited) {
            visited += 1;
            let [first, end] = [ends[face], ends[face + 1]].map(|end| end as usize);
            for &(other, same_direction) in &neighbours[first..end] {
                let other = other as usize;
                if flipped[other].is_none() {
                    flipped[other] = Some(is_flipped != same_direction);
                    piece.push((other, is_flipped != same_direction));
                }
            }
        }
        let count = piece.iter().filter(|(_, is_flipped)| *is_flipped).count();
        let fewer = 2 * count <= piece.len();
        out.extend(piece.iter().filter(|(_, is_flipped)| *is_flipped == fewer).map(|(f, _)| *f));
    }
    out.sort_unstable();
    out
}

fn shared_edges(faces: &Faces) -> Vec<SharedEdge> {
    let mut sides: Vec<([u32; 2], u32, bool)> = Vec::with_capacity(faces.corner_count());
    for (index, (_, range)) in (0..).zip(faces.iter()) {
        let around = faces.vertex[range].iter();
        let next = around.clone().cycle().skip(1);
        sides.extend(around.zip(next).map(|(&a, &b)| ([a.min(b), a.max(b)], index, a < b)));
    }
    sides.sort_unstable();
    let pairs = sides.chunk_by(|a, b| a.0 == b.0).filter_map(|group| match group {
        [(_, a, forward), (_, b, other)] => {
            Some(SharedEdge { faces: [*a, *b], same_direction: forward == other })
        }
        _ => None,
    });
    pairs.collect()
}
