//! Which way of skinning a surface takes: matrices, dual quaternions, or a mixture of both results.

use super::blocks::{self, How};
use super::corners::Out;
use super::dual::{self, DualQuaternions};
use super::linear::{self, Linear};
use super::mixed::Mixed;
use super::rows::Rows;
use super::skinning_matrix;
use crate::math::simd::Path;
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, DAffine3, Vec3};
use serde::{Deserialize, Serialize};

/// How a surface follows its bones, as the part of dual quaternions: 0 is linear blend skinning, 1 dual
/// quaternion skinning, and between them positions are interpolated, normals too and then normalised.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f32", into = "f32")]
pub struct Method(f32);

/// A part of dual quaternions that is not a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the part of dual quaternions is a number from 0 to 1, not {0}")]
pub struct InvalidBlend(f32);

impl Method {
    pub const LINEAR: Self = Self(0.0);
    pub const DUAL_QUATERNION: Self = Self(1.0);

    /// From 0 to 1.
    pub fn dual_part(self) -> f32 {
        self.0
    }

    /// `Linear blend`, `Dual quaternions`, or how much of both.
    pub fn description(self) -> String {
        match self {
            Self::LINEAR => "Linear blend".into(),
            Self::DUAL_QUATERNION => "Dual quaternions".into(),
            Self(part) => format!("{} % dual quaternions", (1000.0 * part).round() / 10.0),
        }
    }
}

impl TryFrom<f32> for Method {
    type Error = InvalidBlend;

    fn try_from(dual_part: f32) -> Result<Self, InvalidBlend> {
        if !(0.0..=1.0).contains(&dual_part) {
            return Err(InvalidBlend(dual_part));
        }
        // Zero without a sign.
        Ok(Self(dual_part + 0.0))
    }
}

impl From<Method> for f32 {
    fn from(method: Method) -> Self {
        method.0
    }
}

/// The bones' motions from the bind pose to the current one, in what forms the method needs. Kept from frame
/// to frame, it asks for no memory.
#[derive(Default)]
pub struct Motions {
    method: Method,
    /// P_b * inverse(B_b) per bone.
    pub matrices: Vec<Affine3A>,
    table: linear::Table,
    /// Empty for the linear method.
    duals: Vec<dual::BoneMotion>,
    dual_table: dual::Table,
}

impl Motions {
    /// `bind` and `current`: `skeleton_from_bone` per bone.
    pub fn new(method: Method, bind: &[DAffine3], current: &[DAffine3]) -> Self {
        let mut motions = Self::default();
        motions.set(method, bind, current);
        motions
    }

    /// As [`Motions::new`], in place.
    pub fn set(&mut self, method: Method, bind: &[DAffine3], current: &[DAffine3]) {
        self.method = method;
        self.matrices.clear();
        self.matrices
            .extend(bind.iter().zip(current).map(skinning_matrix));
        if method != Method::DUAL_QUATERNION {
            self.table.fill(&self.matrices);
        }
        let dual = method != Method::LINEAR;
        dual::fill(&mut self.duals, if dual { bind } else { &[] }, current);
        if dual {
            self.dual_table.fill(&self.duals);
        }
    }

    /// Skins into caller-owned buffers: see [`linear::skin`] and [`dual::skin`].
    pub fn skin(
        &self,
        weights: &VertexWeights,
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_normals: &mut Vec<Vec3>,
    ) {
        self.skin_on(
            Path::best(),
            (weights, None),
            positions,
            render,
            out_positions,
            out_normals,
        );
    }

    /// As [`Motions::skin`], by instructions of choice. With `rows` made of the weights of all vertices: the same result,
    /// sooner. Rows of another number of vertices, or with bones that are not there, do not count.
    pub fn skin_on(
        &self,
        path: Path,
        (weights, rows): (&VertexWeights, Option<&Rows>),
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_normals: &mut Vec<Vec3>,
    ) {
        let out = Out::normals(positions, render, out_positions, out_normals);
        let how = How { path, stale: None };
        self.skin_by(how, (weights, rows), positions, render, out_positions, out);
    }

    /// Skins straight into what the graphics card takes, R, and the positions of the V vertices, for picking.
    /// The buffers are made as long as that.
    pub fn skin_vertices(
        &self,
        weights: &VertexWeights,
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_vertices: &mut Vec<RenderVertex>,
    ) {
        self.skin_blocks(
            (None, None),
            weights,
            positions,
            render,
            out_positions,
            out_vertices,
        );
    }

    /// As [`Motions::skin_vertices`], of the blocks that are marked in `stale` alone, if it is there: a mark per
    /// [`BLOCK`](super::stale::BLOCK) vertices. The others keep what the buffers hold. `rows` as in
    /// [`Motions::skin_on`].
    ///
    /// Panics where there are fewer marks than blocks.
    pub fn skin_blocks(
        &self,
        (stale, rows): (Option<&[bool]>, Option<&Rows>),
        weights: &VertexWeights,
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_vertices: &mut Vec<RenderVertex>,
    ) {
        out_positions.resize(positions.len(), Vec3::ZERO);
        out_vertices.resize(render.vertex.len(), RenderVertex::default());
        let path = Path::best();
        let out = Out::Vertices(out_vertices);
        self.skin_by(
            How { path, stale },
            (weights, rows),
            positions,
            render,
            out_positions,
            out,
        );
    }

    fn skin_by(
        &self,
        how: How<'_>,
        (weights, rows): (&VertexWeights, Option<&Rows>),
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut [Vec3],
        out: Out<'_>,
    ) {
        let rows = rows.filter(|rows| rows.is_of(positions.len(), self.matrices.len()));
        let linear = Linear {
            table: &self.table,
            weights,
            rows,
        };
        let dual = DualQuaternions {
            table: &self.dual_table,
            weights,
            rows,
        };
        match self.method {
            Method::LINEAR => blocks::skin(how, &linear, positions, render, out_positions, out),
            Method::DUAL_QUATERNION => blocks::skin(how, &dual, positions, render, out_positions, out),
            Method(part) => {
                let mixed = Mixed { linear, dual, part };
                blocks::skin(how, &mixed, positions, render, out_positions, out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_from_0_to_1_are_methods() {
        for wrong in [-0.001, 1.001, f32::NAN, f32::INFINITY] {
            assert!(Method::try_from(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Method::default(), Method::LINEAR);
        assert!(Method::try_from(-0.0).unwrap().dual_part().is_sign_positive());
        let half: Method = serde_json::from_str("0.5").unwrap();
        assert_eq!(
            (half.dual_part(), serde_json::to_string(&half).unwrap()),
            (0.5, "0.5".into())
        );
        assert!(serde_json::from_str::<Method>("2").is_err());
    }
}
