//! How a skin fares while it moves: its deformation at the frame that is shown, and the worst so far.

use crate::mesh::measure::{Deformation, Measure};
use crate::scene::evaluate::Posed;
use crate::scene::skinned::SkinnedMesh;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Where a skin was stretched the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    pub stretch: f64,
    pub vertex: u32,
    pub frame: f32,
}

/// Watches a skin, frame by frame.
#[derive(Default)]
pub struct SkinCheck {
    reference: Option<(SkinnedMesh, Measure)>,
    shown: Option<(f32, Deformation)>,
    worst: Option<Worst>,
    volumes: Option<[f64; 2]>,
}

impl SkinCheck {
    /// Measures a frame, unless it is the one that was measured last. Another surface or other weights begin anew.
    pub fn watch(&mut self, mesh: &SkinnedMesh, posed: &Posed, frame: f32) {
        let is_same = |watched: &SkinnedMesh| {
            Arc::ptr_eq(&watched.surface, &mesh.surface) && Arc::ptr_eq(&watched.weights, &mesh.weights)
        };
        if self.reference.as_ref().is_none_or(|(watched, _)| !is_same(watched)) {
            let measure = Measure::new(&mesh.surface);
            *self = Self { reference: Some((mesh.clone(), measure)), ..Self::default() };
        }
        let Some((_, measure)) = &self.reference else { return };
        if self.shown.is_some_and(|(shown, _)| shown == frame) {
            return;
        }
        let found = measure.deformation(&posed.positions);
        self.shown = Some((frame, found));
        if let Some(vertex) = found.vertex
            && self.worst.is_none_or(|worst| found.stretch > worst.stretch)
        {
            self.worst = Some(Worst { stretch: found.stretch, vertex, frame });
        }
        if let Some(volume) = found.volume {
            let [low, high] = self.volumes.unwrap_or([volume; 2]);
            self.volumes = Some([low.min(volume), high.max(volume)]);
        }
    }

    /// Forgets what was measured, as another motion begins.
    pub fn restart(&mut self) {
        *self = Self { reference: self.reference.take(), ..Self::default() };
    }

    /// The deformation at the frame that was measured last.
    pub fn shown(&self) -> Option<Deformation> {
        self.shown.map(|(_, found)| found)
    }

    pub fn worst(&self) -> Option<Worst> {
        self.worst
    }

    /// The least and the greatest volume so far, as fractions of that in the bind pose; `None` if the surface has holes.
    pub fn volumes(&self) -> Option<RangeInclusive<f64>> {
        self.volumes.map(|[low, high]| low..=high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives;
    use glam::Vec3;

    #[test]
    fn the_worst_stays_until_another_motion_or_other_weights_begin_anew() {
        let cube = primitives::cuboid(Vec3::ONE).unwrap();
        let mut mesh = SkinnedMesh { surface: Arc::new(cube), ..SkinnedMesh::default() };
        let posed = |height: f32| {
            let stretched = |point: &Vec3| *point * Vec3::new(1.0, height, 1.0);
            Posed { positions: mesh.surface.positions().iter().map(stretched).collect(), ..Posed::default() }
        };
        let frames = [posed(1.0), posed(3.0), posed(2.0)];
        let mut check = SkinCheck::default();
        for (posed, frame) in frames.iter().zip([0.0, 1.0, 2.0]) {
            check.watch(&mesh, posed, frame);
        }
        let worst = check.worst().unwrap();
        assert!((worst.stretch - 3.0).abs() < 1e-6 && worst.frame == 1.0, "{worst:?}");
        assert!((check.shown().unwrap().stretch - 2.0).abs() < 1e-6);
        assert_eq!(check.volumes(), Some(1.0..=3.0));
        check.restart();
        assert_eq!(check.worst(), None);
        check.watch(&mesh, &frames[2], 2.0);
        mesh.weights = Arc::default();
        check.watch(&mesh, &frames[0], 2.0);
        assert!((check.worst().unwrap().stretch - 1.0).abs() < 1e-6);
    }
}
