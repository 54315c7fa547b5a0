//! The samples at which a file has keys, so that these can be kept.

use super::motion::Motion;
use super::rig::SkinnedRig;
use crate::io::gltf::schema::Path;
use crate::io::motion::keys::{FileKeys, Samples};
use std::collections::BTreeSet;

/// Finds the keys of nodes in animations whose frames were sampled.
pub struct KeyFinder<'a> {
    /// Those that become takes, in order, each with its first frame on the timeline.
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

    /// Returns the keys of the weights of morph targets of a node.
    pub fn keys_of_weights(&self, node: usize) -> Option<Vec<usize>> {
        self.keys_of([(node, Path::Weights)])
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

    /// Returns the samples of the keys of properties of nodes, and of the ends of takes.
    fn keys_of(&self, properties: impl IntoIterator<Item = (usize, Path)>) -> Option<Vec<usize>> {
        let Samples { frames, ends, .. } = self.samples;
        let mut keys = BTreeSet::new();
        for (node, path) in properties {
            for (motion, first) in &self.motions {
                for frame in motion.key_frames(node, path, self.rate) {
                    keys.insert(self.samples.near(*first as f64 + frame)?);
                }
            }
        }
        let last = *keys.last()?;
        // Behind the last key nothing moves: a take that ends between two frames needs no other.
        let is_needed = |end: &&usize| **end + 1 < frames.len() || frames[**end] - frames[last] >= 1.0;
        keys.extend(ends.iter().filter(is_needed));
        Some(keys.into_iter().collect())
    }
}
