//! The samples at which a file has keys, so that these can be kept.

use super::motion::Motion;
use super::rig::SkinnedRig;
use crate::io::gltf::schema::Path;
use crate::io::motion::keys::{FileKeys, Samples};
use std::collections::BTreeSet;

/// Finds the keys of nodes in animations whose frames were sampled.
pub struct KeyFinder<'a> {
    /// Those that become takes, in order, each with the number of frames after its first.
    pub motions: Vec<(&'a Motion, u64)>,
    pub samples: &'a Samples,
    pub rate: f32,
}

impl KeyFinder<'_> {
    /// Returns the keys of a node.
    pub fn keys(&self, node: usize) -> FileKeys {
        let find = |path| self.keys_of([(node, path)]);
        FileKeys {
            rotations: find(Path::Rotation),
            translations: find(Path::Translation),
            scales: find(Path::Scale),
        }
    }

    /// Returns the keys of the bones of a rig, and last those of the base offset: those that move its roots.
    pub fn keys_of_rig(&self, rig: &SkinnedRig) -> Vec<FileKeys> {
        let mut keys = vec![FileKeys::default(); rig.skeleton.bones.len() + 1];
        let joints = || rig.rig.joints.iter().zip(&rig.bone_of);
        for (joint, bone) in joints() {
            if let Some(bone) = bone {
                keys[*bone] = self.keys(joint.node);
            }
        }
        let roots = joints().filter(|(joint, _)| joint.parent.is_none());
        let translations = self.keys_of(roots.map(|(joint, _)| (joint.node, Path::Translation)));
        keys[rig.skeleton.bones.len()] = FileKeys { translations, ..FileKeys::default() };
        keys
    }

    /// Returns the samples of the keys of properties of nodes.
    fn keys_of(&self, properties: impl IntoIterator<Item = (usize, Path)>) -> Option<Vec<usize>> {
        let mut keys: BTreeSet<usize> = self.samples.ends.iter().copied().collect();
        let mut is_keyed = false;
        for (node, path) in properties {
            let mut first = 0;
            for (motion, frames) in &self.motions {
                for frame in motion.key_frames(node, path, self.rate)? {
                    keys.insert(first + frame.min(*frames) as usize);
                    is_keyed = true;
                }
                first += *frames as usize + 1;
            }
        }
        is_keyed.then(|| keys.into_iter().collect())
    }
}
