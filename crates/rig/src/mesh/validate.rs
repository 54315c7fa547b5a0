//! Validation of the arrays of a half-edge mesh, and computation of the derived ones.
//!
//! Nothing is repaired: readers that repair do so first and report it. Time and memory are linear in the size
//! of the arrays; nothing recurses, and no input panics.

use super::halfedge::{HalfedgeMesh, MeshError, RawMesh};

/// Marks half-edges that no cycle has reached. Not a valid index: there are at most `u32::MAX` half-edges.
const NONE: u32 = u32::MAX;

impl HalfedgeMesh {
    /// Checks every validity rule of the format and computes the derived arrays.
    ///
    /// # Errors
    ///
    /// The first rule that is broken, with the first half-edge, vertex, edge or face that breaks it.
    pub fn new(raw: RawMesh) -> Result<Self, MeshError> {
        check(raw).map_err(MeshError::Invalid)
    }
}

fn check(raw: RawMesh) -> Result<HalfedgeMesh, String> {
    check_lengths(&raw)?;
    check_next(&raw.next)?;

    let vertices = Cycles::find(&raw.next, &raw.vertex_halfedge, 1, "vertex")?;
    let faces = Cycles::find(&raw.next, &raw.face_halfedge, 0, "face")?;
    if let Some(v) = vertices.sizes.iter().position(|&n| n < 2) {
        return Err(format!("vertex {v} has only one outgoing half-edge; every vertex needs at least 2"));
    }
    if let Some(f) = faces.sizes.iter().position(|&n| n < 3) {
        let n = faces.sizes[f];
        return Err(format!("face {f} has {n} corners; every face needs at least 3"));
    }

    check_boundaries(&raw.face_boundary, &vertices, &faces)?;
    check_simple_faces(&raw, &vertices.owner)?;
    check_finite(&raw)?;

    Ok(HalfedgeMesh {
        next: raw.next,
        corner_uv: raw.corner_uv,
        corner_normal: raw.corner_normal,
        vertex_halfedge: raw.vertex_halfedge,
        vertex_position: raw.vertex_position,
        edge_sharp: raw.edge_sharp,
        face_halfedge: raw.face_halfedge,
        face_boundary: raw.face_boundary,
        halfedge_vertex: vertices.owner,
        halfedge_face: faces.owner,
    })
}

fn check_lengths(raw: &RawMesh) -> Result<(), String> {
    let h = raw.next.len();
    if !h.is_multiple_of(2) {
        return Err(format!(
            "there are {h} half-edges, so half-edge {} has no twin; their number must be even",
            h - 1
        ));
    }
    if h > NONE as usize {
        return Err(format!("there are {h} half-edges; at most {NONE} are supported"));
    }
    for (name, length, needed, unit) in [
        ("corner uvs", raw.corner_uv.len(), h, "half-edges"),
        ("corner normals", raw.corner_normal.len(), h, "half-edges"),
        ("vertex positions", raw.vertex_position.len(), raw.vertex_halfedge.len(), "vertices"),
        ("edge sharp flags", raw.edge_sharp.len(), h / 2, "edges"),
        ("face boundary flags", raw.face_boundary.len(), raw.face_halfedge.len(), "faces"),
    ] {
        if length != needed {
            return Err(format!("there are {length} {name} for {needed} {unit}; the numbers must match"));
        }
    }
    Ok(())
}

/// Checks that `next` is a permutation. Then so are next(h) and next(twin(h)): every walk returns to its
/// start.
fn check_next(next: &[u32]) -> Result<(), String> {
    let mut previous = vec![NONE; next.len()];
    for (h, &n) in next.iter().enumerate() {
        let Some(slot) = previous.get_mut(n as usize) else {
            return Err(format!(
                "half-edge {h} has next {n}, but there are only {} half-edges; every index must be in range",
                next.len()
            ));
        };
        if *slot != NONE {
            return Err(format!(
                "half-edge {n} is the next of both half-edges {slot} and {h}; each must be the next of \
                 exactly one"
            ));
        }
        *slot = h as u32;
    }
    Ok(())
}

/// The cycles of all vertices or of all faces.
struct Cycles {
    /// The vertex or face of each half-edge.
    owner: Vec<u32>,
    /// The number of half-edges of each vertex or face.
    sizes: Vec<u32>,
}

impl Cycles {
    /// Finds the cycles of `next`, which must be a permutation. With `twin` 0 it walks around faces, with 1
    /// around vertices.
    fn find(next: &[u32], starts: &[u32], twin: u32, kind: &str) -> Result<Self, String> {
        let mut owner = vec![NONE; next.len()];
        let mut sizes = Vec::with_capacity(starts.len().min(next.len()));
        for (i, &start) in starts.iter().enumerate() {
            match owner.get(start as usize) {
                None => {
                    return Err(format!(
                        "{kind} {i} refers to half-edge {start}, but there are only {} half-edges; every index \
                         must be in range",
                        next.len()
                    ));
                }
                Some(&NONE) => {}
                Some(other) => {
                    return Err(format!(
                        "half-edge {start} belongs to both {kind} {other} and {kind} {i}; each half-edge \
                         must belong to exactly one {kind}"
                    ));
                }
            }
            let mut size = 0;
            let mut h = start;
            loop {
                owner[h as usize] = i as u32;
                size += 1;
                h = next[(h ^ twin) as usize];
                if h == start {
                    break;
                }
            }
            sizes.push(size);
        }
        match owner.iter().position(|&o| o == NONE) {
            Some(h) => Err(format!(
                "half-edge {h} belongs to no {kind}; each half-edge must belong to exactly one {kind}"
            )),
            None => Ok(Self { owner, sizes }),
        }
    }
}

fn check_boundaries(boundary: &[bool], vertices: &Cycles, faces: &Cycles) -> Result<(), String> {
    let on_boundary = |h: usize| boundary[faces.owner[h] as usize];
    for edge in 0..faces.owner.len() / 2 {
        if on_boundary(2 * edge) && on_boundary(2 * edge + 1) {
            return Err(format!(
                "edge {edge} has boundary faces on both sides; every edge needs a surface face on at least one"
            ));
        }
    }
    // A vertex that touches only boundary faces is rejected by the check above, since all its edges do too. A
    // face touches a vertex only once (see below), so corners on boundary faces count boundary loops.
    let mut loops = vec![0u32; vertices.sizes.len()];
    for (h, &v) in vertices.owner.iter().enumerate() {
        loops[v as usize] += u32::from(on_boundary(h));
    }
    for (v, &loops) in loops.iter().enumerate() {
        if loops > 1 {
            return Err(format!(
                "vertex {v} touches {loops} boundary loops; a vertex may touch at most one (bow-tie vertices \
                 must be split)"
            ));
        }
    }
    Ok(())
}

/// Checks that no face touches a vertex twice. Then it touches no edge twice either: after one side of the
/// edge, the face is at the vertex where the other side starts. It can continue from there only once, so the
/// other side would have to be its next half-edge, which would leave the vertex with a single outgoing
/// half-edge.
fn check_simple_faces(raw: &RawMesh, halfedge_vertex: &[u32]) -> Result<(), String> {
    let mut last_face = vec![NONE; raw.vertex_halfedge.len()];
    for (f, &start) in raw.face_halfedge.iter().enumerate() {
        let mut h = start as usize;
        loop {
            let v = halfedge_vertex[h];
            if last_face[v as usize] == f as u32 {
                return Err(format!(
                    "face {f} touches vertex {v} twice; a face may touch a vertex or an edge only once"
                ));
            }
            last_face[v as usize] = f as u32;
            h = raw.next[h] as usize;
            if h == start as usize {
                break;
            }
        }
    }
    Ok(())
}

fn check_finite(raw: &RawMesh) -> Result<(), String> {
    let must = "must be finite numbers";
    if let Some(v) = raw.vertex_position.iter().position(|p| !p.is_finite()) {
        let p = raw.vertex_position[v];
        return Err(format!("vertex {v} has position {p}; positions {must}"));
    }
    if let Some(h) = raw.corner_uv.iter().position(|uv| !uv.is_finite()) {
        let uv = raw.corner_uv[h];
        return Err(format!("half-edge {h} has corner uv {uv}; uvs {must}"));
    }
    if let Some(h) = raw.corner_normal.iter().position(|n| !n.is_finite()) {
        let n = raw.corner_normal[h];
        return Err(format!("half-edge {h} has corner normal {n}; normals {must}"));
    }
    Ok(())
}
