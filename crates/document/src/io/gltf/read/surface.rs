//! Converts meshes of a file to one surface with weights: triangles, welded where exporters duplicated
//! vertices for normals and texture coordinates, and repaired.

use super::super::schema::{Index, Primitive, TextureTransform};
use super::counts::Counts;
use super::refuse;
use super::shapes::{Offsets, ShapeSource, Shapes, fingerprint};
use super::source::Source;
use super::weights;
pub use super::weights::Binding;
pub use super::weld::Rows;
use super::weld::Weld;
use crate::io::file::ReadError;
use crate::io::limits::COORDINATE;
use crate::io::repairs;
use crate::io::report::{Report, Severity};
use crate::mesh::repair::faces::{Corner, NONE};
use crate::mesh::repair::{self, InputMesh, RepairedMesh};
use glam::{DAffine2, DAffine3, DMat3, DVec2, DVec3, Vec2, Vec3};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// A mesh that becomes part of a surface.
pub struct Piece<'a> {
    pub node: Index,
    pub mesh: Index,
    /// The matrix to the space of the surface.
    pub matrix: DAffine3,
    pub binding: Binding<'a>,
    /// The weights of its morph targets that the node states; otherwise those of the mesh count.
    pub weights: Option<&'a [f64]>,
}

/// A surface of V vertices.
pub struct Surface {
    pub repaired: RepairedMesh,
    /// V: joints of the rig and their weights.
    pub rows: Rows,
    /// The materials of faces, in order, with the number of consecutive faces.
    pub parts: Vec<(Option<Index>, usize)>,
    pub shapes: Shapes,
}

/// Builds one surface from all pieces; `None` if no face is left. `blend_matrices` are matrices with which
/// the vertices of skins are blended first.
pub fn surface(
    source: &Source,
    pieces: &[Piece],
    blend_matrices: Option<&[DAffine3]>,
    pointer: &str,
    report: &mut Report,
) -> Result<Option<Surface>, ReadError> {
    let mut builder = SurfaceBuilder {
        source,
        blend_matrices,
        input: InputMesh::default(),
        rows: Rows::default(),
        shapes: Shapes::default(),
        counts: Counts::default(),
        materials: Vec::new(),
        places: Vec::new(),
        weld: Weld::default(),
        vertices: HashMap::new(),
    };
    for piece in pieces {
        builder.weld = Weld::default();
        builder.vertices.clear();
        for (index, primitive) in source.document.meshes[piece.mesh].primitives.iter().enumerate() {
            let pointer = format!("/meshes/{}/primitives/{index}", piece.mesh);
            builder.add_primitive(piece, primitive, pointer)?;
        }
    }
    builder.counts.report(pointer, report);
    let SurfaceBuilder { input, rows, shapes, materials, places, .. } = builder;
    let vertices = input.positions.len();
    if input.faces.is_empty() {
        return Ok(None);
    }
    let mut findings = Vec::new();
    let repaired = repair::repair(input, &mut findings);
    let place = |place: u32| places[place as usize].clone();
    repairs::add(report, &findings, vertices, place, |_| "a vertex that is not there".into());
    let Some(repaired) = repaired else {
        report.add(
            Severity::Warning,
            "no-faces",
            pointer,
            "none of the faces can be used; the mesh is left out",
        );
        return Ok(None);
    };
    let mut surface_rows = Rows::default();
    repaired.origins.iter().for_each(|origin| surface_rows.push(rows.row(*origin as usize)));
    let mut parts: Vec<(Option<Index>, usize)> = Vec::new();
    for place in &repaired.locations {
        let material = materials[*place as usize];
        match parts.last_mut().filter(|part| part.0 == material) {
            Some(part) => part.1 += 1,
            None => parts.push((material, 1)),
        }
    }
    Ok(Some(Surface { repaired, rows: surface_rows, parts, shapes }))
}

/// Differences of an attribute by shape, one per vertex of a primitive.
type Targets = Vec<(usize, Vec<Vec3>)>;

struct SurfaceBuilder<'a> {
    source: &'a Source<'a>,
    blend_matrices: Option<&'a [DAffine3]>,
    input: InputMesh,
    rows: Rows,
    shapes: Shapes,
    counts: Counts,
    /// The material of each primitive, and its JSON pointer.
    materials: Vec<Option<Index>>,
    places: Vec<String>,
    weld: Weld,
    /// The vertices of the primitives of the piece so far: many share theirs.
    vertices: HashMap<VertexSource, Vertices>,
}

/// What the vertices of a primitive come from: its accessors, those of its morph targets, its texture coordinates
/// and the bits of their transform.
type VertexSource = (BTreeMap<String, Index>, Vec<BTreeMap<String, Index>>, Option<Index>, Option<[u64; 6]>);

/// The vertices of a primitive.
#[derive(Clone)]
struct Vertices {
    /// Their indices in the surface.
    welded: Arc<[u32]>,
    first_normal: Option<u32>,
    first_uv: Option<u32>,
}

impl SurfaceBuilder<'_> {
    fn add_primitive(
        &mut self,
        piece: &Piece,
        primitive: &Primitive,
        pointer: String,
    ) -> Result<(), ReadError> {
        if is_packed(primitive) {
            return Err(ReadError::Value {
                problem: "the mesh is packed with KHR_draco_mesh_compression, which cannot be unpacked here".into(),
                pointer,
                hint: "Unpack it with glTF Transform: `gltf-transform copy in.glb out.glb`, or export it without compression".into(),
            });
        }
        let mode = primitive.mode.unwrap_or(4);
        let Some(&position) = primitive.attributes.get("POSITION").filter(|_| mode >= 4) else {
            self.counts.left_out += 1;
            return Ok(());
        };
        let place = self.places.len() as u32;
        let vertex_source = self.vertex_source(primitive);
        let known = self.vertices.get(&vertex_source).cloned();
        let vertices = match known {
            Some(vertices) => vertices,
            None => {
                let new = self.read_vertices(piece, primitive, position, place, &pointer)?;
                self.vertices.insert(vertex_source, new.clone());
                new
            }
        };
        let Vertices { welded, first_normal, first_uv } = vertices;
        let accessor = |index: Index| self.source.document.accessors[index].count;
        let corners = primitive.indices.map_or(welded.len(), accessor);
        // Each index of a strip or a fan is the end of a triangle.
        let corners = if mode == 4 { corners } else { corners.saturating_mul(3) };
        self.source.take_corners(corners, &pointer)?;
        let indices = match primitive.indices {
            Some(indices) => self.source.integers(indices)?,
            None => (0..welded.len() as u32).collect(),
        };
        let corner = |index: u32| {
            let offset = |first: u32| first + index.min(welded.len() as u32);
            Corner {
                // No vertex has the index before the one that represents no index.
                vertex: welded.get(index as usize).copied().unwrap_or(NONE - 1),
                uv: first_uv.map_or(NONE, offset),
                normal: first_normal.map_or(NONE, offset),
            }
        };
        let is_mirrored = piece.matrix.matrix3.determinant() < 0.0;
        let mut face = 0;
        let faces = &mut self.input.faces;
        triangles(mode, &indices, |mut triangle| {
            face += 1;
            if is_mirrored {
                triangle.swap(1, 2);
            }
            triangle.into_iter().for_each(|index| faces.push(corner(index)));
            faces.end(face, place);
        });
        if mode == 4 && indices.len() % 3 != 0 || mode != 4 && indices.len() < 3 {
            self.counts.remainders += 1;
        }
        self.materials.push(primitive.material);
        self.places.push(pointer);
        Ok(())
    }

    fn vertex_source(&self, primitive: &Primitive) -> VertexSource {
        let matrix = self.uv_transform(primitive).map(|matrix| matrix.to_cols_array());
        (
            primitive.attributes.clone(),
            primitive.targets.clone(),
            self.uv_set(primitive),
            matrix.map(|numbers| numbers.map(f64::to_bits)),
        )
    }

    fn read_vertices(
        &mut self,
        piece: &Piece,
        primitive: &Primitive,
        position: Index,
        place: u32,
        pointer: &str,
    ) -> Result<Vertices, ReadError> {
        let count = self.source.document.accessors[position].count;
        self.source.take_corners(count, pointer)?;
        let positions = self.source.vec3s(position, true)?;
        let targets = self.targets(piece, primitive, "POSITION", pointer)?;
        let counts = &mut self.counts;
        let rows = weights::read(self.source, piece.binding, primitive, count, pointer, counts)?;
        let first_normal = self.add_normals(piece, primitive)?;
        let first_uv = self.add_uvs(primitive)?;
        let welded = self.add_vertices(piece, (&positions, &targets), &rows, place);
        let welded = welded.ok_or_else(|| refuse(pointer, "a vertex is out of the range of numbers"))?;
        if let (Some(first), Some(normals)) = (first_normal, primitive.attributes.get("NORMAL")) {
            let targets = self.targets(piece, primitive, "NORMAL", pointer)?;
            self.add_normal_offsets(piece, &welded, (first, *normals), &targets)?;
        }
        Ok(Vertices { welded: welded.into(), first_normal, first_uv })
    }

    /// Adds the vertices of the primitive `place`, unless they exist already. Returns their indices in the
    /// surface; `None` if a position is out of range.
    fn add_vertices(
        &mut self,
        piece: &Piece,
        (positions, targets): (&[Vec3], &Targets),
        rows: &Rows,
        place: u32,
    ) -> Option<Vec<u32>> {
        let mut welded = Vec::with_capacity(positions.len());
        for (vertex, position) in positions.iter().enumerate() {
            let row = rows.row(vertex);
            let unmoved = *position;
            let position = self.to_surface_space(piece, unmoved, row);
            let mut offsets = Offsets::new();
            for (shape, target) in targets.iter().filter(|(_, target)| target[vertex] != Vec3::ZERO) {
                let moved = if piece.matrix == DAffine3::IDENTITY && self.blend_matrices.is_none() {
                    target[vertex]
                } else {
                    self.to_surface_space(piece, unmoved + target[vertex], row) - position
                };
                if !(0.0..=COORDINATE).contains(&moved.abs().max_element()) {
                    return None;
                }
                offsets.push((*shape, moved));
            }
            if !(0.0..=COORDINATE).contains(&position.abs().max_element()) {
                return None;
            }
            let (found, is_new) = self.weld.find_or_add(
                (position, fingerprint(&offsets)),
                row,
                &self.rows,
                self.input.positions.len(),
            );
            if is_new {
                self.input.positions.push(position);
                self.input.position_locations.push(place);
                self.rows.push(row);
                self.shapes.move_vertex(found, offsets);
            }
            self.counts.welded += usize::from(!is_new);
            welded.push(found);
        }
        self.counts.corners += welded.len();
        Some(welded)
    }

    /// Transforms a vertex of a piece to the space of the surface.
    fn to_surface_space(&self, piece: &Piece, position: Vec3, row: &[(u16, f32)]) -> Vec3 {
        let is_blended = matches!(piece.binding, Binding::Skin(_)) && !row.is_empty();
        let mut point = position.as_dvec3();
        if let Some(blend_matrices) = self.blend_matrices.filter(|_| is_blended) {
            let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
            let weighted_point = |(joint, weight): &(u16, f32)| {
                f64::from(*weight) / sum * blend_matrices[usize::from(*joint)].transform_point3(point)
            };
            point = row.iter().map(weighted_point).fold(DVec3::ZERO, |sum, term| sum + term);
        } else if piece.matrix == DAffine3::IDENTITY {
            // Normalises minus zero to zero.
            return position + Vec3::ZERO;
        }
        piece.matrix.transform_point3(point).as_vec3()
    }

    /// Adds the normals, transformed with the piece. Returns the index of the first one, if there are any.
    fn add_normals(&mut self, piece: &Piece, primitive: &Primitive) -> Result<Option<u32>, ReadError> {
        let Some(normals) = primitive.attributes.get("NORMAL") else {
            return Ok(None);
        };
        let first = self.input.normals.len() as u32;
        let matrix = normal_matrix(piece);
        for normal in self.source.vec3s(*normals, false)? {
            let transformed = matrix.map_or(normal, |matrix| (matrix * normal.as_dvec3()).as_vec3());
            self.input.normals.push(transformed.normalize_or_zero());
        }
        Ok(Some(first))
    }

    /// Reads the differences of an attribute by the morph targets of a primitive that have it.
    fn targets(
        &mut self,
        piece: &Piece,
        primitive: &Primitive,
        attribute: &str,
        pointer: &str,
    ) -> Result<Targets, ReadError> {
        let mut targets = Targets::new();
        for (target, attributes) in primitive.targets.iter().enumerate() {
            let source = ShapeSource { node: piece.node, target };
            let mesh = &self.source.document.meshes[piece.mesh];
            let shape = self.shapes.index(mesh, source, piece.weights);
            let Some(&accessor) = attributes.get(attribute) else { continue };
            self.source.take_corners(self.source.document.accessors[accessor].count, pointer)?;
            targets.push((shape, self.source.vec3s(accessor, true)?));
        }
        if attribute == "POSITION" {
            let is_known = |name: &String| ["POSITION", "NORMAL", "TANGENT"].contains(&name.as_str());
            let others = primitive.targets.iter().filter(|target| !target.keys().all(is_known));
            self.counts.targets += others.count();
        }
        Ok(targets)
    }

    /// Adds how morph targets change the normals of the vertices of a primitive, whose normals begin at `first`.
    fn add_normal_offsets(
        &mut self,
        piece: &Piece,
        welded: &[u32],
        (first, accessor): (u32, Index),
        targets: &Targets,
    ) -> Result<(), ReadError> {
        if targets.is_empty() {
            return Ok(());
        }
        let matrix = normal_matrix(piece);
        for (index, (&vertex, normal)) in welded.iter().zip(self.source.vec3s(accessor, false)?).enumerate() {
            let transform =
                |vector: Vec3| matrix.map_or(vector, |matrix| (matrix * vector.as_dvec3()).as_vec3());
            // The stored normal is of unit length.
            let length = transform(normal).length();
            let changed = targets.iter().filter(|(_, target)| target[index] != Vec3::ZERO && length > 0.0);
            let offsets = changed.map(|(shape, target)| (*shape, transform(target[index]) / length));
            let offsets = offsets.filter(|(_, offset)| offset.is_finite()).collect();
            self.shapes.turn_normal(vertex, self.input.normals[first as usize + index], offsets);
        }
        Ok(())
    }

    fn base_color<'s>(&'s self, primitive: &Primitive) -> Option<&'s super::super::schema::TextureInfo> {
        let material = &self.source.document.materials[primitive.material?];
        let metallic_roughness = material.pbr_metallic_roughness.as_ref()?;
        metallic_roughness.base_color_texture.as_ref()
    }

    fn uv_set(&self, primitive: &Primitive) -> Option<Index> {
        let info = self.base_color(primitive);
        let transform = info.and_then(|info| info.extensions.as_ref()?.texture_transform.as_ref());
        let set =
            transform.and_then(|info| info.tex_coord).or(info.and_then(|info| info.tex_coord)).unwrap_or(0);
        primitive.attributes.get(&format!("TEXCOORD_{set}")).copied()
    }

    fn uv_transform(&self, primitive: &Primitive) -> Option<DAffine2> {
        let extensions = self.base_color(primitive)?.extensions.as_ref()?;
        extensions.texture_transform.as_ref().map(uv_matrix)
    }

    /// Adds the texture coordinates of the material's colour, with its texture transform; v points up here.
    /// Returns the index of the first one, if there are any.
    fn add_uvs(&mut self, primitive: &Primitive) -> Result<Option<u32>, ReadError> {
        let is_known = |name: &str| {
            ["POSITION", "NORMAL"].contains(&name)
                || name.starts_with("JOINTS_")
                || name.starts_with("WEIGHTS_")
        };
        let others = primitive.attributes.keys().filter(|name| !is_known(name)).count();
        let Some(set) = self.uv_set(primitive) else {
            self.counts.attributes += others;
            return Ok(None);
        };
        let first = self.input.uvs.len() as u32;
        self.counts.attributes += others.saturating_sub(1);
        let matrix = self.uv_transform(primitive);
        for uv in self.source.vec2s(set)? {
            let uv = matrix.map_or(uv, |matrix| matrix.transform_point2(uv.as_dvec2()).as_vec2());
            self.input.uvs.push(Vec2::new(uv.x, 1.0 - uv.y));
        }
        Ok(Some(first))
    }
}

/// Returns the matrix for the normals of a piece, up to a positive scale; none if they stay.
fn normal_matrix(piece: &Piece) -> Option<DMat3> {
    let linear = piece.matrix.matrix3;
    let cofactor = DMat3::from_cols(
        linear.y_axis.cross(linear.z_axis),
        linear.z_axis.cross(linear.x_axis),
        linear.x_axis.cross(linear.y_axis),
    );
    let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    (piece.matrix != DAffine3::IDENTITY).then(|| cofactor * sign)
}

fn is_packed(primitive: &Primitive) -> bool {
    let extensions = primitive.extensions.as_ref();
    extensions.is_some_and(|extensions| extensions.get("KHR_draco_mesh_compression").is_some())
}

/// Passes the triangles to `add`, as indices of their corners. Degenerate triangles of strips are skipped.
fn triangles(mode: u32, indices: &[u32], mut add: impl FnMut([u32; 3])) {
    match mode {
        5 => {
            for (i, corners) in indices.windows(3).enumerate() {
                let [a, b, c] = [corners[0], corners[1], corners[2]];
                if a != b && b != c && c != a {
                    add(if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
                }
            }
        }
        6 => {
            let Some((&center, rim)) = indices.split_first() else {
                return;
            };
            rim.windows(2).for_each(|pair| add([pair[0], pair[1], center]));
        }
        _ => indices.chunks_exact(3).for_each(|corners| add([corners[0], corners[1], corners[2]])),
    }
}

fn uv_matrix(transform: &TextureTransform) -> DAffine2 {
    // The rotation is defined with v pointing down.
    DAffine2::from_scale_angle_translation(
        transform.scale.unwrap_or(DVec2::ONE),
        -transform.rotation.unwrap_or(0.0),
        transform.offset.unwrap_or(DVec2::ZERO),
    )
}
