//! What all skinning methods share: a motion for each vertex, applied to its position and to the normals
//! of its render vertices, with the work split among threads.

use crate::mesh::render::RenderMesh;
use glam::Vec3;

/// Vertices that one thread takes at a time.
const CHUNK: usize = 2048;

/// A method: the motion of each vertex.
pub(super) trait Blend: Sync {
    type Motion: Motion;

    /// Of vertex `v`; `None` for one without weights, which stays in place.
    fn at(&self, v: usize) -> Option<Self::Motion>;
}

/// What is done to a vertex.
pub(super) trait Motion {
    fn point(&self, point: Vec3) -> Vec3;

    /// A unit normal stays one; zero stays zero.
    fn normal(&self, normal: Vec3) -> Vec3;
}

/// Skins into caller-owned buffers: `out_positions`, V, and `out_normals`, R (render vertices).
pub(super) fn skin<B: Blend>(
    blend: &B,
    positions: &[Vec3],
    render: &RenderMesh,
    out_positions: &mut Vec<Vec3>,
    out_normals: &mut Vec<Vec3>,
) {
    out_positions.resize(positions.len(), Vec3::ZERO);
    out_normals.resize(render.vertex.len(), Vec3::ZERO);
    let input = Input {
        blend,
        positions,
        render,
    };
    input.skin(0, out_positions, 0, out_normals);
}

struct Input<'a, B> {
    blend: &'a B,
    positions: &'a [Vec3],
    render: &'a RenderMesh,
}

impl<B: Blend> Input<'_, B> {
    /// Skins the vertices from `first` on into `out_positions` and their render vertices, which are
    /// those from `first_render` on, into `out_normals`. Splits the work among threads.
    fn skin(&self, first: usize, out_positions: &mut [Vec3], first_render: usize, out_normals: &mut [Vec3]) {
        if out_positions.len() <= CHUNK {
            return self.skin_here(first, out_positions, first_render, out_normals);
        }
        let half = out_positions.len() / 2;
        let half_render = self.render.vertex[first_render..][..out_normals.len()]
            .partition_point(|&v| (v as usize) < first + half);
        let (positions, more_positions) = out_positions.split_at_mut(half);
        let (normals, more_normals) = out_normals.split_at_mut(half_render);
        rayon::join(
            || self.skin(first, positions, first_render, normals),
            || {
                self.skin(
                    first + half,
                    more_positions,
                    first_render + half_render,
                    more_normals,
                )
            },
        );
    }

    fn skin_here(
        &self,
        first: usize,
        out_positions: &mut [Vec3],
        first_render: usize,
        out_normals: &mut [Vec3],
    ) {
        let origins = &self.render.vertex[first_render..][..out_normals.len()];
        let bind_normals = &self.render.normal[first_render..][..out_normals.len()];
        let mut r = 0;
        for (offset, out) in out_positions.iter_mut().enumerate() {
            let v = first + offset;
            let corners = origins[r..]
                .iter()
                .take_while(|&&origin| origin as usize == v)
                .count();
            let (bind, out_normals) = (&bind_normals[r..][..corners], &mut out_normals[r..][..corners]);
            r += corners;
            match self.blend.at(v) {
                None => {
                    *out = self.positions[v];
                    out_normals.copy_from_slice(bind);
                }
                Some(motion) => {
                    *out = motion.point(self.positions[v]);
                    for (out, &bind) in out_normals.iter_mut().zip(bind) {
                        *out = motion.normal(bind);
                    }
                }
            }
        }
    }
}
