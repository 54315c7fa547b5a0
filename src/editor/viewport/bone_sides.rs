//! The sides of bones, which have colours of their own.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::View;
use crate::edit::settings::view_colors::{Rgb, ViewColors};
use crate::rig::body::middle::BothSides;
use crate::rig::body::sides::pairs;
use crate::rig::skeleton::Skeleton;
use std::sync::Arc;

/// The side of a bone that has a partner on the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];
}

/// Returns the colour of bones on a side, or in the middle.
pub fn side_rgb(colors: &ViewColors, side: Option<Side>) -> Rgb {
    match side {
        None => colors.bones,
        Some(Side::Left) => colors.left_bones,
        Some(Side::Right) => colors.right_bones,
    }
}

/// The side of each bone of a skeleton, if it has one.
#[derive(Default)]
pub struct Sides {
    skeleton: Option<Arc<Skeleton>>,
    sides: Vec<Option<Side>>,
}

impl Sides {
    /// Returns them, calculated for a skeleton that is new. During a drag those before it stay.
    pub fn get(&mut self, view: &View, rig: &ActiveRig) -> &[Option<Side>] {
        let mesh = view.session.scene().skinned_meshes.get(rig.mesh);
        let count = rig.skeleton.bones.len();
        if let Some(skeleton) = mesh.map(|mesh| &mesh.skeleton) {
            let is_current = self.skeleton.as_ref().is_some_and(|old| Arc::ptr_eq(old, skeleton));
            let in_drag = view.session.in_transaction() && self.sides.len() == count;
            if !is_current && !in_drag {
                let all: Vec<usize> = (0..skeleton.bones.len()).collect();
                self.sides = vec![None; all.len()];
                for pair in pairs(skeleton, &all, &BothSides::new(skeleton).plane) {
                    for (side, bone) in Side::BOTH.into_iter().zip(pair) {
                        self.sides[bone] = Some(side);
                    }
                }
                self.skeleton = Some(skeleton.clone());
            }
        }
        &self.sides
    }
}
