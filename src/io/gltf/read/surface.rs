//! Meshes of a file as one surface with weights: triangles, welded where exporters doubled vertices for the sake of
//! normals and texture coordinates, and repaired.

use super::super::schema::{Index, Primitive, TextureTransform};
use super::counts::Counts;
use super::refuse;
use super::source::Source;
pub use super::weld::Rows;
use super::weld::Weld;
use crate::io::file::ReadError;
use crate::io::repairs;
use crate::io::report::{Report, Severity};
use crate::mesh::repair::faces::{Corner, NONE};
use crate::mesh::repair::{self, InputMesh, Repaired};
use glam::{DAffine2, DAffine3, DMat3, DVec2, DVec3, Vec2, Vec3};

/// A mesh that becomes part of a surface.
pub struct Piece<'a> {
    pub mesh: Index,
    /// Into the space of the surface.
    pub matrix: DAffine3,
    pub follows: Follows<'a>,
}

/// What moves the vertices of a piece.
#[derive(Clone, Copy)]
pub enum Follows<'a> {
    Nothing,
    /// A joint of the rig.
    Joint(u16),
    /// For each joint of its skin the joint of the rig; `None` for one that stands for no joint.
    Skin(&'a [Option<u16>]),
}

/// Of V vertices.
pub struct Surface {
    pub repaired: Repaired,
    /// V: joints of the rig with weights.
    pub rows: Rows,
    /// Materials of faces, in order, with how many faces have them.
    pub parts: Vec<(Option<Index>, usize)>,
}

/// One surface of all pieces; `None` where no face is left. `applied`: matrices by which the vertices of skins are
/// blended first.
pub fn surface(
    source: &Source,
    pieces: &[Piece],
    applied: Option<&[DAffine3]>,
    at: &str,
    report: &mut Report,
) -> Result<Option<Surface>, ReadError> {
    let mut build = Build {
        source,
        applied,
        stated: InputMesh::default(),
        rows: Rows::default(),
        counts: Counts::default(),
        materials: Vec::new(),
        places: Vec::new(),
        weld: Weld::default(),
    };
    for piece in pieces {
        build.weld = Weld::default();
        for (index, primitive) in source.document.meshes[piece.mesh].primitives.iter().enumerate() {
            let at = format!("/meshes/{}/primitives/{index}", piece.mesh);
            build.primitive(piece, primitive, at)?;
        }
    }
    build.counts.report(at, report);
    let Build {
        stated,
        rows,
        materials,
        places,
        ..
    } = build;
    let vertices = stated.positions.len();
    if stated.faces.is_empty() {
        return Ok(None);
    }
    let mut findings = Vec::new();
    let repaired = repair::repaired(stated, &mut findings);
    let place = |place: u32| places[place as usize].clone();
    repairs::add(report, &findings, vertices, place, |_| {
        "a vertex that is not there".into()
    });
    let Some(repaired) = repaired else {
        report.add(
            Severity::Warning,
            "no-faces",
            at,
            "none of the faces can be used; the mesh is left out",
        );
        return Ok(None);
    };
    let mut kept = Rows::default();
    repaired
        .origins
        .iter()
        .for_each(|origin| kept.push(rows.row(*origin as usize)));
    let mut parts: Vec<(Option<Index>, usize)> = Vec::new();
    for place in &repaired.places {
        let material = materials[*place as usize];
        match parts.last_mut().filter(|part| part.0 == material) {
            Some(part) => part.1 += 1,
            None => parts.push((material, 1)),
        }
    }
    Ok(Some(Surface {
        repaired,
        rows: kept,
        parts,
    }))
}

struct Build<'a> {
    source: &'a Source<'a>,
    applied: Option<&'a [DAffine3]>,
    stated: InputMesh,
    rows: Rows,
    counts: Counts,
    /// Of each primitive: its material and where it is.
    materials: Vec<Option<Index>>,
    places: Vec<String>,
    weld: Weld,
}

impl Build<'_> {
    fn primitive(&mut self, piece: &Piece, primitive: &Primitive, at: String) -> Result<(), ReadError> {
        if is_packed(primitive) {
            return Err(ReadError::Value {
                what: "the mesh is packed with KHR_draco_mesh_compression, which cannot be unpacked here".into(),
                at,
                hint: "Unpack it with glTF Transform: `gltf-transform copy in.glb out.glb`, or export it without compression".into(),
            });
        }
        let mode = primitive.mode.unwrap_or(4);
        let Some(&position) = primitive.attributes.get("POSITION").filter(|_| mode >= 4) else {
            self.counts.left_out += 1;
            return Ok(());
        };
        let place = self.places.len() as u32;
        let mut positions = self.source.vec3s(position, true)?;
        self.targets(piece.mesh, primitive, &mut positions)?;
        let rows = self.weights(piece, primitive, positions.len(), &at)?;
        let first_normal = self.normals(piece, primitive)?;
        let first_uv = self.uvs(primitive)?;
        let Some(welded) = self.vertices(piece, &positions, &rows, place) else {
            return Err(refuse(at, "a vertex is out of the range of numbers"));
        };
        let indices = match primitive.indices {
            Some(indices) => self.source.integers(indices)?,
            None => (0..welded.len() as u32).collect(),
        };
        let corner = |index: u32| {
            let from = |first: u32| first + index.min(welded.len() as u32);
            Corner {
                // None has the number before the one that stands for no index.
                vertex: welded.get(index as usize).copied().unwrap_or(NONE - 1),
                uv: first_uv.map_or(NONE, from),
                normal: first_normal.map_or(NONE, from),
            }
        };
        let is_mirrored = piece.matrix.matrix3.determinant() < 0.0;
        let mut number = 0;
        let faces = &mut self.stated.faces;
        triangles(mode, &indices, |mut triangle| {
            number += 1;
            if is_mirrored {
                triangle.swap(1, 2);
            }
            triangle.into_iter().for_each(|index| faces.push(corner(index)));
            faces.end(number, place);
        });
        if mode == 4 && indices.len() % 3 != 0 || mode != 4 && indices.len() < 3 {
            self.counts.remainders += 1;
        }
        self.materials.push(primitive.material);
        self.places.push(at);
        Ok(())
    }

    /// Adds the vertices of the primitive `place`, unless they are there already. What they are in the surface; `None`
    /// where one is out of the range of numbers.
    fn vertices(&mut self, piece: &Piece, positions: &[Vec3], rows: &Rows, place: u32) -> Option<Vec<u32>> {
        let mut welded = Vec::with_capacity(positions.len());
        for (vertex, position) in positions.iter().enumerate() {
            let row = rows.row(vertex);
            let position = self.in_surface(piece, *position, row);
            if !position.is_finite() {
                return None;
            }
            let (found, is_new) = self
                .weld
                .vertex(position, row, &self.rows, self.stated.positions.len());
            if is_new {
                self.stated.positions.push(position);
                self.stated.position_places.push(place);
                self.rows.push(row);
            }
            self.counts.welded += usize::from(!is_new);
            welded.push(found);
        }
        self.counts.corners += welded.len();
        Some(welded)
    }

    /// Where a vertex of a piece is in the space of the surface.
    fn in_surface(&self, piece: &Piece, position: Vec3, row: &[(u16, f32)]) -> Vec3 {
        let is_blended = matches!(piece.follows, Follows::Skin(_)) && !row.is_empty();
        let mut from = position.as_dvec3();
        if let Some(applied) = self.applied.filter(|_| is_blended) {
            let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
            let moved = |(joint, weight): &(u16, f32)| {
                f64::from(*weight) / sum * applied[usize::from(*joint)].transform_point3(from)
            };
            from = row.iter().map(moved).fold(DVec3::ZERO, |sum, at| sum + at);
        } else if piece.matrix == DAffine3::IDENTITY {
            // Minus zero is where zero is.
            return position + Vec3::ZERO;
        }
        piece.matrix.transform_point3(from).as_vec3()
    }

    /// Adds the normals, turned as the piece is. Which is the first, if there are any.
    fn normals(&mut self, piece: &Piece, primitive: &Primitive) -> Result<Option<u32>, ReadError> {
        let Some(normals) = primitive.attributes.get("NORMAL") else {
            return Ok(None);
        };
        let first = self.stated.normals.len() as u32;
        let linear = piece.matrix.matrix3;
        let cofactor = DMat3::from_cols(
            linear.y_axis.cross(linear.z_axis),
            linear.z_axis.cross(linear.x_axis),
            linear.x_axis.cross(linear.y_axis),
        );
        let sign = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
        for normal in self.source.vec3s(*normals, false)? {
            let turned = match piece.matrix == DAffine3::IDENTITY {
                true => normal,
                false => (cofactor * normal.as_dvec3() * sign).as_vec3(),
            };
            self.stated.normals.push(turned.normalize_or_zero());
        }
        Ok(Some(first))
    }

    /// The base shape with the weights that the mesh states for its morph targets.
    fn targets(
        &mut self,
        mesh: Index,
        primitive: &Primitive,
        positions: &mut [Vec3],
    ) -> Result<(), ReadError> {
        self.counts.targets += primitive.targets.len();
        let weights = &self.source.document.meshes[mesh].weights;
        for (target, &weight) in primitive.targets.iter().zip(weights) {
            let Some(&moved) = target.get("POSITION").filter(|_| weight != 0.0) else {
                continue;
            };
            let moved = self.source.vec3s(moved, true)?;
            for (position, moved) in positions.iter_mut().zip(moved) {
                *position += moved * weight as f32;
            }
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
        let set = transform
            .and_then(|of| of.tex_coord)
            .or(info.and_then(|of| of.tex_coord))
            .unwrap_or(0);
        primitive.attributes.get(&format!("TEXCOORD_{set}")).copied()
    }

    /// Adds those of the material's colour, as that moves them; v goes up here. Which is the first, if there are any.
    fn uvs(&mut self, primitive: &Primitive) -> Result<Option<u32>, ReadError> {
        let known = |name: &str| {
            ["POSITION", "NORMAL"].contains(&name)
                || name.starts_with("JOINTS_")
                || name.starts_with("WEIGHTS_")
        };
        let others = primitive.attributes.keys().filter(|name| !known(name)).count();
        let Some(set) = self.uv_set(primitive) else {
            self.counts.attributes += others;
            return Ok(None);
        };
        let first = self.stated.uvs.len() as u32;
        self.counts.attributes += others.saturating_sub(1);
        let info = self.base_color(primitive);
        let transform = info.and_then(|info| info.extensions.as_ref()?.texture_transform.clone());
        let matrix = transform.as_ref().map(uv_matrix);
        for uv in self.source.vec2s(set)? {
            let uv = matrix.map_or(uv, |matrix| matrix.transform_point2(uv.as_dvec2()).as_vec2());
            self.stated.uvs.push(Vec2::new(uv.x, 1.0 - uv.y));
        }
        Ok(Some(first))
    }

    fn weights(
        &mut self,
        piece: &Piece,
        primitive: &Primitive,
        count: usize,
        at: &str,
    ) -> Result<Rows, ReadError> {
        let mut rows = Rows::default();
        let joints = match piece.follows {
            Follows::Nothing => {
                (0..count).for_each(|_| rows.push(&[]));
                return Ok(rows);
            }
            Follows::Joint(joint) => {
                (0..count).for_each(|_| rows.push(&[(joint, 1.0)]));
                return Ok(rows);
            }
            Follows::Skin(joints) => joints,
        };
        let mut sets = Vec::new();
        for set in 0.. {
            let named = [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")];
            let [Some(&of), Some(&weights)] =
                [&named[0], &named[1]].map(|name| primitive.attributes.get(name))
            else {
                break;
            };
            sets.push((self.source.integers(of)?, self.source.finite(weights)?));
        }
        let mut row: Vec<(u16, f32)> = Vec::new();
        for vertex in 0..count {
            row.clear();
            let mut still = false;
            for (of, weights) in &sets {
                for entry in 4 * vertex..4 * vertex + 4 {
                    let (joint, weight) = (of[entry] as usize, weights[entry]);
                    let Some(joint) = joints.get(joint) else {
                        let what = format!(
                            "vertex {vertex} names joint {joint}, but its skin has {}",
                            joints.len()
                        );
                        return Err(refuse(at, what));
                    };
                    if weight < 0.0 {
                        return Err(refuse(at, format!("a weight of vertex {vertex} is negative")));
                    }
                    match joint {
                        _ if weight == 0.0 => {}
                        None => still = true,
                        Some(joint) => match row.iter_mut().find(|entry| entry.0 == *joint) {
                            Some(entry) => {
                                entry.1 += weight;
                                self.counts.doubled += 1;
                            }
                            None => row.push((*joint, weight)),
                        },
                    }
                }
            }
            let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
            if !row.is_empty() && !still && (sum - 1.0).abs() > 1e-3 {
                self.counts.least = match self.counts.unnormal {
                    0 => sum,
                    _ => self.counts.least.min(sum),
                };
                self.counts.unnormal += 1;
                row.iter_mut()
                    .for_each(|(_, weight)| *weight = (f64::from(*weight) / sum) as f32);
            }
            rows.push(&row);
        }
        Ok(rows)
    }
}

fn is_packed(primitive: &Primitive) -> bool {
    let extensions = primitive.extensions.as_ref();
    extensions.is_some_and(|of| of.get("KHR_draco_mesh_compression").is_some())
}

/// Triangles by indices of their corners. Those of strips that only lead on are left out.
fn triangles(mode: u32, indices: &[u32], mut add: impl FnMut([u32; 3])) {
    match mode {
        5 => {
            for (i, three) in indices.windows(3).enumerate() {
                let [a, b, c] = [three[0], three[1], three[2]];
                if a != b && b != c && c != a {
                    add(if i % 2 == 0 { [a, b, c] } else { [b, a, c] });
                }
            }
        }
        6 => {
            let Some((&middle, rim)) = indices.split_first() else {
                return;
            };
            rim.windows(2).for_each(|pair| add([pair[0], pair[1], middle]));
        }
        _ => indices
            .chunks_exact(3)
            .for_each(|three| add([three[0], three[1], three[2]])),
    }
}

fn uv_matrix(transform: &TextureTransform) -> DAffine2 {
    // It turns the picture with v pointing down.
    DAffine2::from_scale_angle_translation(
        transform.scale.unwrap_or(DVec2::ONE),
        -transform.rotation.unwrap_or(0.0),
        transform.offset.unwrap_or(DVec2::ZERO),
    )
}
