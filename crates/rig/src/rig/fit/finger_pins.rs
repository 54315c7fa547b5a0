//! Pinned joints of fingers, which only the surface shows: the template knows a thumb and one finger.

use super::{Fit, FitError, joints};
use crate::rig::kinematics::{bind_tips, parent_of};
use crate::rig::skeleton::Skeleton;

impl Fit {
    /// Whether a joint of this name is pinned.
    pub fn is_pinned(&self, name: &str) -> bool {
        self.options.pins.iter().any(|(pinned, _)| pinned == name)
    }

    /// Checks that a skeleton of this fit has all joints that are pinned.
    ///
    /// # Errors
    /// [`FitError::UnknownJoint`].
    pub fn check_fingers(&self, skeleton: &Skeleton) -> Result<(), FitError> {
        let mut pinned = self.options.pins.iter().map(|(name, _)| name);
        let Some(name) = pinned.find(|name| self.find_pinned(skeleton, name).is_none()) else {
            return Ok(());
        };
        let fingers = (self.placed.tips.len()..skeleton.bones.len()).map(|bone| skeleton.bone_name(bone));
        let available = joints::names(&self.template, &self.chains).into_iter().chain(fingers);
        Err(FitError::UnknownJoint { name: name.clone(), available: available.collect() })
    }

    /// Puts the tails of bones that are pinned, such as those of fingers that the surface showed elsewhere; the next tails stay.
    pub(super) fn put_pinned_tips(&self, skeleton: &mut Skeleton) {
        let mesh_from_upright = self.facing.upright_from_mesh.transpose();
        let tips = bind_tips(skeleton);
        for (name, point) in &self.options.pins {
            let Some(Some(pinned)) = self.find_pinned(skeleton, name) else { continue };
            let shift = mesh_from_upright * *point - tips[pinned].as_vec3();
            skeleton.bones[pinned].extent += shift;
            for bone in 0..skeleton.bones.len() {
                if parent_of(skeleton, bone) == Some(pinned) {
                    skeleton.bones[bone].extent -= shift;
                }
            }
        }
    }

    /// Finds a joint in a skeleton of this fit: the bone that ends there, or `Some(None)` for the start.
    fn find_pinned(&self, skeleton: &Skeleton, name: &str) -> Option<Option<usize>> {
        let names = joints::names(&self.template, &self.chains);
        let bone = || (0..skeleton.bones.len()).find(|&bone| skeleton.bone_name(bone) == name);
        joints::find(&self.template, &names, name).or_else(|| bone().map(Some))
    }
}
