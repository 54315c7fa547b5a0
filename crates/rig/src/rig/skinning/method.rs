//! The skinning method of a surface: matrices, dual quaternions, or an interpolation between both results.

use super::blocks::{self, SkinOptions};
use super::corners::Out;
use super::dual::{self, BoneMotion, DualQuaternions};
use super::linear::{self, Linear};
use super::mixed::Mixed;
use super::rows::Rows;
use super::scaled::{self, Scaled};
use super::skinning_matrix;
use crate::math::simd::Path;
use crate::mesh::render::{RenderMesh, RenderVertex};
use crate::rig::weights::VertexWeights;
use glam::{Affine3A, DAffine3, Vec3};
use serde::{Deserialize, Serialize};

/// The skinning method of a surface, as the fraction of dual quaternions: 0 is linear blend skinning, 1 dual
/// quaternion skinning; in between, positions and normals are interpolated, and normals normalised again.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f32", into = "f32")]
pub struct Method(f32);

/// A fraction of dual quaternions that is not a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the part of dual quaternions is a number from 0 to 1, not {0}")]
pub struct InvalidBlend(f32);

impl Method {
    pub const LINEAR: Self = Self(0.0);
    pub const DUAL_QUATERNION: Self = Self(1.0);

    /// The fraction of dual quaternions, from 0 to 1.
    pub fn dual_part(self) -> f32 {
        self.0
    }

    /// Returns `Linear blend`, `Dual quaternions`, or the percentage of the latter.
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
        // Turns -0 into 0.
        Ok(Self(dual_part + 0.0))
    }
}

impl From<Method> for f32 {
    fn from(method: Method) -> Self {
        method.0
    }
}

/// The bones' motions from the bind pose to the current one, in the forms that the method needs. Reuse it
/// between frames to avoid allocations.
#[derive(Default)]
pub struct Motions {
    method: Method,
    /// P_b * inverse(B_b) per bone.
    pub matrices: Vec<Affine3A>,
    table: linear::Table,
    /// Empty for the linear method.
    duals: Vec<dual::BoneMotion>,
    dual_table: dual::Table,
    /// The scales of bones as matrices, for dual quaternions; `None` if no bone is scaled.
    scale_table: Option<linear::Table>,
}

impl Motions {
    /// Calculates the motions. `bind` and `current`: `skeleton_from_bone` per bone.
    pub fn new(method: Method, bind: &[DAffine3], current: &[DAffine3]) -> Self {
        let mut motions = Self::default();
        motions.set(method, bind, current);
        motions
    }

    /// Recalculates the motions in place; see [`Motions::new`].
    pub fn set(&mut self, method: Method, bind: &[DAffine3], current: &[DAffine3]) {
        self.method = method;
        self.matrices.clear();
        self.matrices.extend(bind.iter().zip(current).map(skinning_matrix));
        if method != Method::DUAL_QUATERNION {
            self.table.fill(&self.matrices);
        }
        self.duals.clear();
        self.scale_table = None;
        if method == Method::LINEAR {
            return;
        }
        match scaled::parts(bind, current) {
            None => dual::fill(&mut self.duals, bind, current),
            Some((scales, rigid)) => {
                self.duals.extend(rigid.iter().map(BoneMotion::new));
                self.scale_table.get_or_insert_default().fill(&scales);
            }
        }
        self.dual_table.fill(&self.duals);
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
        self.skin_with_path(Path::best(), (weights, None), positions, render, out_positions, out_normals);
    }

    /// Skins like [`Motions::skin`] with the given SIMD path. `rows` made from the same weights give the same
    /// result faster; rows with another number of vertices or bones out of range are ignored.
    pub fn skin_with_path(
        &self,
        path: Path,
        (weights, rows): (&VertexWeights, Option<&Rows>),
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_normals: &mut Vec<Vec3>,
    ) {
        let out = Out::normals(positions, render, out_positions, out_normals);
        let options = SkinOptions { path, stale: None };
        self.skin_with(options, (weights, rows), positions, render, out_positions, out);
    }

    /// Skins directly into vertices for the GPU, R, and into positions for picking, V. Resizes both buffers.
    pub fn skin_vertices(
        &self,
        weights: &VertexWeights,
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut Vec<Vec3>,
        out_vertices: &mut Vec<RenderVertex>,
    ) {
        self.skin_blocks((None, None), weights, positions, render, out_positions, out_vertices);
    }

    /// Skins like [`Motions::skin_vertices`], but only the blocks of [`BLOCK`](super::stale::BLOCK) vertices
    /// marked in `stale`, if given; other blocks keep the content of the buffers. `rows`: see
    /// [`Motions::skin_with_path`].
    ///
    /// # Panics
    /// Panics if there are fewer marks than blocks.
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
        self.skin_with(SkinOptions { path, stale }, (weights, rows), positions, render, out_positions, out);
    }

    fn skin_with(
        &self,
        options: SkinOptions<'_>,
        (weights, rows): (&VertexWeights, Option<&Rows>),
        positions: &[Vec3],
        render: &RenderMesh,
        out_positions: &mut [Vec3],
        out: Out<'_>,
    ) {
        let rows = rows.filter(|rows| rows.matches(positions.len(), self.matrices.len()));
        let linear = Linear { table: &self.table, weights, rows };
        let dual = DualQuaternions { table: &self.dual_table, weights, rows };
        let scale = self.scale_table.as_ref().map(|table| Linear { table, weights, rows });
        match (self.method, scale) {
            (Method::LINEAR, _) => blocks::skin(options, &linear, positions, render, out_positions, out),
            (Method::DUAL_QUATERNION, None) => {
                blocks::skin(options, &dual, positions, render, out_positions, out)
            }
            (Method::DUAL_QUATERNION, Some(scale)) => {
                let scaled = Scaled { scale, rigid: dual };
                blocks::skin(options, &scaled, positions, render, out_positions, out)
            }
            (Method(part), None) => {
                let mixed = Mixed { linear, dual, part };
                blocks::skin(options, &mixed, positions, render, out_positions, out)
            }
            (Method(part), Some(scale)) => {
                let mixed = Mixed { linear, dual: Scaled { scale, rigid: dual }, part };
                blocks::skin(options, &mixed, positions, render, out_positions, out)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_fractions_from_0_to_1_are_methods() {
        for wrong in [-0.001, 1.001, f32::NAN, f32::INFINITY] {
            assert!(Method::try_from(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Method::default(), Method::LINEAR);
        assert!(Method::try_from(-0.0).unwrap().dual_part().is_sign_positive());
        let half: Method = serde_json::from_str("0.5").unwrap();
        assert_eq!((half.dual_part(), serde_json::to_string(&half).unwrap()), (0.5, "0.5".into()));
        assert!(serde_json::from_str::<Method>("2").is_err());
    }
}
