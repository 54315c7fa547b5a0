//! Heat diffusion: each bone heats the surface that is closest to it and visible from it, the heat spreads
//! over the surface, and the weights are the equilibrium temperatures. Weights follow the surface, not space:
//! a bone does not influence another limb that happens to be near.
//!
//! I. Baran and J. Popović, "Automatic rigging and animation of 3D characters", ACM Transactions on Graphics
//! 26(3), 2007, section 4; also used by Blender's automatic weights. Per bone b, with the stiffness matrix L
//! of the surface (cotangents), the areas M of its vertices, and H = k/d² for a vertex that sees the k
//! nearest bones at distance d (0 for one that does not): (L + M H) w_b = M H p_b, where p_b is 1/k for
//! these bones and 0 for the others. This takes one factorisation and one solve per bone. The matrix has no
//! positive off-diagonal entry, so weights are between 0 and 1, and they sum to 1 because the p_b do.
//!
//! The heat of a left limb ends where the right side begins, and vice versa ([`sides`]). Then weights below
//! 0.1 fade out, to 0 at 0.025, and each vertex optionally keeps only its largest weights ([`reduce`]).
//!
//! Differences: Baran and Popović do not fade weights and keep all bones of a vertex; Blender fades from
//! 0.05, keeps all bones, and gives no weights where the solution fails. Neither separates the sides, so each
//! thigh pulls at the other, since heat flows through the crotch. With both, points that do not see their nearest bone get
//! no heat; here they get that of one a little farther away, if they see it ([`sources`]).
//!
//! The result depends neither on the size of the mesh nor on bone radii.

mod diffusion;
mod laplacian;
pub(in crate::rig::weights) mod largest;
mod pairs;
mod reduce;
mod sides;
mod sources;

use super::method::{Calculated, Descriptor, Method, MethodError, Param};
use super::progress::Progress;
use super::segments::{Segment, push_normalized};
use super::vertex_weights::VertexWeights;
use crate::math::bounds::Bounds;
use crate::math::ray::Ray;
use crate::mesh::bvh::{Bvh, RayHit};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use diffusion::Diffusion;
use glam::{DVec3, Vec3};
use laplacian::Stiffness;
use rayon::prelude::*;
use sides::Sides;
use sources::Source;

/// A ray that ends this close to a vertex has reached it, as a fraction of the mesh's diagonal.
const REACH_TOLERANCE: f32 = 5e-4;
/// The share of the visibility tests in the progress.
const VISIBILITY_SHARE: f32 = 0.2;

pub(super) static DESCRIPTOR: Descriptor = Descriptor {
    id: "heat",
    label: "Heat diffusion",
    about: "Heat spreads over the surface from the bones it can see. Radii do not matter; close limbs stay apart.",
    params: &[Param {
        id: "largest",
        label: "Bones/vertex",
        about: "The largest weights are kept; 0 keeps all.",
        min: 0.0,
        max: 255.0,
        default: 4.0,
        whole: true,
        unwritten: Some(0.0),
        text: |value| match value as usize {
            0 => "all bones per vertex".into(),
            1 => "1 bone per vertex".into(),
            most => format!("{most} bones per vertex"),
        },
    }],
    depends_on_radius: false,
    has_findings: true,
    // Includes the factorisation and the solves.
    cost: 50,
    needs: |_| Ok(()),
    calculate: |values, skeleton, surface, progress| {
        let largest = Some(values[0] as usize).filter(|&largest| largest > 0);
        heat_weights(skeleton, surface, largest, progress)
    },
};

impl Method {
    /// The method for newly imported or created meshes.
    pub const FOR_NEW_MESHES: Self = Self::heat(Some(4));

    /// Heat diffusion that keeps the `largest` weights of each vertex, at least 1; `None` for all.
    pub const fn heat(largest: Option<u8>) -> Self {
        let largest = match largest {
            Some(largest) => largest,
            None => 0,
        };
        Self::new(&DESCRIPTOR, [largest as f32, 0.0])
    }
}

/// Calculates the weights of all vertices of `surface`, in skeleton space. Each vertex's bones are in
/// ascending order. Vertices at the same position count as one, so that seams do not stop the heat. Pieces of
/// the surface where no vertex sees a bone follow their nearest bones, and a finding reports them. Without
/// bones all rows are empty.
///
/// `largest`: the most bones per vertex; `None` for no limit. The weight of the largest dropped bone is
/// subtracted from all; unlike truncation this is continuous, except where all are equal. What that changes is then smoothed
/// over the surface.
///
/// # Errors
/// [`MethodError::Cancelled`]; [`MethodError::Singular`] if the numerical range is too large (no mesh is
/// known for which this happens).
pub fn heat_weights(
    skeleton: &Skeleton,
    surface: &HalfedgeMesh,
    largest: Option<usize>,
    progress: &Progress<'_>,
) -> Result<Calculated, MethodError> {
    let bones = Segment::all(skeleton);
    if bones.iter().all(|bone| bone.link) || surface.vertex_count() == 0 {
        return Ok(VertexWeights::none(surface.vertex_count()).into());
    }
    let (positions, bones) = unit_size(surface.positions(), bones);
    let tree = Bvh::new(&positions, &surface.triangles());
    let stiffness = Stiffness::new(surface, &positions);
    let visibility = |part: f32| progress(part * VISIBILITY_SHARE);
    let is_reached = |hit: &RayHit, direction: Vec3| (1.0 - hit.t) * direction.length() < REACH_TOLERANCE;
    let visible = |from: Vec3, point: usize| {
        let direction = stiffness.points[point] - from;
        let hit = tree.first_hit(&positions, &Ray::new(from, direction));
        hit.is_none_or(|hit| is_reached(&hit, direction))
    };
    // A sleeve sees the arm through the skin.
    let visible_through_others = |from: Vec3, point: usize| {
        let direction = stiffness.points[point] - from;
        let shell = |vertex: usize| stiffness.shell_of_point[stiffness.point_of_vertex[vertex] as usize];
        let mut is_hidden = false;
        tree.for_each_hit(&positions, &Ray::new(from, direction), |hit| {
            let is_own = shell(hit.triangle[0] as usize) == stiffness.shell_of_point[point];
            is_hidden |= is_own && !is_reached(&hit, direction);
        });
        !is_hidden
    };
    let find = |visible: &(dyn Fn(Vec3, usize) -> bool + Sync)| {
        sources::find(&stiffness.points, &bones, visible, &visibility).ok_or(MethodError::Cancelled)
    };
    let sources = find(&visible)?;
    let sees = seeing_shells(&stiffness, &sources);
    let sources = if stiffness.shells > 1 { find(&visible_through_others)? } else { sources };
    let (sources, findings) = with_blind_shells(&stiffness, sources, &sees, &bones);
    let sides = Sides::new(skeleton, &bones);
    let diffusion = Diffusion { stiffness: &stiffness, sources: &sources, bones: bones.len() };
    let diffuse = |part: f32| progress(VISIBILITY_SHARE + part * (1.0 - VISIBILITY_SHARE));
    let rows = sides.solve(&diffusion, &diffuse)?;
    let mut weights = VertexWeights::none(0);
    let parents: Vec<_> = (0..bones.len()).map(|bone| parent_of(skeleton, bone)).collect();
    let faded: Vec<_> = rows.into_par_iter().map(largest::faded).collect();
    let reduced = match largest {
        Some(most) => reduce::reduced(faded, most, &stiffness, &parents),
        None => faded,
    };
    for &point in &stiffness.point_of_vertex {
        push_normalized(&mut weights, &reduced[point as usize]);
    }
    Ok(Calculated { weights, findings })
}

/// Moves and scales everything so that the mesh's bounding box is centred on the origin with a diagonal of 1.
fn unit_size(positions: &[Vec3], bones: Vec<Segment>) -> (Vec<Vec3>, Vec<Segment>) {
    let bounds = Bounds::from_points(positions.iter().copied());
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let size = low.distance(high);
    let scale = if size > 0.0 { 1.0 / size } else { 1.0 };
    let transformed = |p: DVec3| (p - 0.5 * (low + high)) * scale;
    let segment = |s: Segment| Segment { start: transformed(s.start), tip: transformed(s.tip), link: s.link };
    let positions = positions.iter().map(|p| transformed(p.as_dvec3()).as_vec3()).collect();
    (positions, bones.into_iter().map(segment).collect())
}

/// Returns for each shell whether some of its points see a bone.
fn seeing_shells(stiffness: &Stiffness, sources: &[Source]) -> Vec<bool> {
    let mut sees = vec![false; stiffness.shells];
    for (source, &shell) in sources.iter().zip(&stiffness.shell_of_point) {
        sees[shell as usize] |= !source.bones.is_empty();
    }
    sees
}

/// Gives the points of shells that see no bone their nearest ones, as if nothing were in between.
fn with_blind_shells(
    stiffness: &Stiffness,
    mut sources: Vec<Source>,
    sees: &[bool],
    bones: &[Segment],
) -> (Vec<Source>, Vec<String>) {
    let is_blind = |point: usize| !sees[stiffness.shell_of_point[point] as usize];
    for point in (0..sources.len()).filter(|&point| is_blind(point)) {
        sources[point] = Source::nearest(stiffness.points[point].as_dvec3(), bones);
    }
    let points = stiffness.point_of_vertex.iter();
    let vertices = points.filter(|&&point| is_blind(point as usize)).count();
    let findings = match sees.iter().filter(|sees| !**sees).count() {
        0 => Vec::new(),
        1 => vec![format!(
            "No bone is visible from one separate piece of the surface ({vertices} vertices): it follows its nearest bones."
        )],
        count => vec![format!(
            "No bone is visible from {count} separate pieces of the surface ({vertices} vertices): they follow their nearest bones."
        )],
    };
    (sources, findings)
}
