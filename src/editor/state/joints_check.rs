//! Which joints are outside the body, without waiting for large surfaces.

use crate::editor::threads;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::interior::Interior;
use crate::rig::joints::{Joint, OutsideJoints};
use crate::scene::skinned::SkinnedMesh;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};

/// The number of faces up to which a frame finds the inside of a surface itself: 0.1 s, measured at 1,000,000
/// faces, which take 1.4 s.
const QUICK_FACES: usize = 60_000;

/// The cache of [`OutsideJoints`], and the thread that finds the inside of a large surface.
#[derive(Default)]
pub struct JointsCheck {
    known: OutsideJoints,
    thread: Option<Thread>,
    /// Whether to wait for large surfaces as well.
    pub waits: bool,
}

struct Thread {
    surface: Arc<HalfedgeMesh>,
    result: Mutex<Receiver<Interior>>,
}

impl JointsCheck {
    /// Returns the joints of `mesh` that are outside its surface; `None` if that is still being found.
    pub fn get(&mut self, mesh: &SkinnedMesh) -> Option<Arc<Vec<Joint>>> {
        let (skeleton, surface) = (&mesh.skeleton, &mesh.surface);
        let is_quick = self.waits || surface.face_count() <= QUICK_FACES || skeleton.bones.is_empty();
        if !is_quick && self.known.lacks(surface) {
            let interior = self.finds(surface)?;
            self.known.insert(interior);
        }
        Some(self.known.get(skeleton, surface))
    }

    /// Returns the inside of `surface` once the thread has found it.
    fn finds(&mut self, surface: &Arc<HalfedgeMesh>) -> Option<Interior> {
        let is_for = |thread: &&Thread| Arc::ptr_eq(&thread.surface, surface);
        let Some(thread) = self.thread.as_ref().filter(is_for) else {
            let (sender, result) = channel();
            let for_thread = surface.clone();
            threads::spawn_or_run(move || {
                // The receiver is gone if another surface is wanted meanwhile.
                let _ = sender.send(Interior::new(&for_thread));
            });
            let (surface, result) = (surface.clone(), Mutex::new(result));
            self.thread = Some(Thread { surface, result });
            return None;
        };
        let result = thread.result.lock().ok()?.try_recv();
        if !matches!(result, Err(TryRecvError::Empty)) {
            self.thread = None;
        }
        result.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::primitives::Primitive;
    use crate::rig::edits::add_bone;
    use crate::rig::skeleton::Skeleton;
    use glam::Vec3;
    use std::time::{Duration, Instant};

    #[test]
    fn large_surfaces_are_searched_beside_the_frames() {
        let mut skeleton = Skeleton::default();
        add_bone(&mut skeleton, None, Vec3::new(0.0, 9.0, 0.0), 0.1, 0);
        let side = (QUICK_FACES as f64).sqrt() as u32 + 1;
        let large = Primitive::Torus { radius: 2.0, thickness: 0.5, around: side, across: side };
        let mesh = SkinnedMesh {
            skeleton: skeleton.into(),
            surface: large.build().expect("a torus").into(),
            ..SkinnedMesh::default()
        };
        let mut waiting = JointsCheck { waits: true, ..JointsCheck::default() };
        let expected = waiting.get(&mesh).expect("it waits");
        assert!(!expected.is_empty());
        let mut check = JointsCheck::default();
        assert!(check.get(&mesh).is_none());
        let begun = Instant::now();
        let found = loop {
            if let Some(found) = check.get(&mesh) {
                break found;
            }
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(found, expected);
        assert!(check.get(&mesh).is_some());
    }
}
