//! An arm: where it is attached, its two long bones, and its hand.

use crate::motion::hinge::Hinge;
use crate::motion::part::Part;
use crate::rig::body::joint::two_bones;
use crate::rig::body::roles::{Role, role};
use crate::rig::kinematics::{parent_of, parent_past_links};
use crate::rig::skeleton::Skeleton;
use glam::{DMat3, DVec3};

/// What a straight finger bends by at rest, as a fraction of its range.
const CURL: f64 = 0.2;

/// An arm in the bind pose, in body axes.
pub struct Arm {
    /// 1 on the left, -1 on the right.
    pub side: f64,
    /// The clavicle, if there is one.
    pub girdle: Option<usize>,
    pub upper: usize,
    pub elbow: Hinge,
    /// The hand and everything beyond, in order.
    pub hand: Vec<usize>,
    /// The bones of the hand that curl, with their angles in degrees about their own axes.
    pub curl_deg: Vec<(usize, DVec3)>,
}

/// What an arm should do, in degrees. Zero is an arm that hangs straight down.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArmGoal {
    /// The upper arm against the vertical: forwards.
    pub forward: f64,
    /// Away from the body.
    pub aside: f64,
    /// About its length: the elbow outwards.
    pub twist: f64,
    pub elbow: f64,
    /// The clavicle: upwards and forwards.
    pub raise: f64,
    pub protract: f64,
    /// The hand against the forearm, about the axis of the elbow.
    pub wrist: f64,
}

/// How far forearms turn outwards for each degree by which arms are held farther aside.
const OUTWARDS: f64 = 0.8;

impl ArmGoal {
    /// Holds the arm farther aside by so many degrees, and its forearm outwards.
    pub fn hold_aside(&mut self, angle: f64) {
        self.aside += angle;
        self.twist += OUTWARDS * angle;
    }
}

impl Arm {
    /// Finds all limbs with elbows that start at a bone of the middle; `is_other` tells the bones that belong to no arm.
    pub fn all(skeleton: &Skeleton, parts: &[Part], is_other: impl Fn(usize) -> bool) -> Vec<Self> {
        let starts = |bone: &usize| !is_other(*bone) && parent_of(skeleton, *bone).is_none_or(&is_other);
        (0..parts.len()).filter(starts).filter_map(|root| Self::new(skeleton, parts, root)).collect()
    }

    /// Finds the arm in the branch that starts with `root`.
    fn new(skeleton: &Skeleton, parts: &[Part], root: usize) -> Option<Self> {
        let mut branch = vec![root];
        for bone in root + 1..parts.len() {
            if parent_of(skeleton, bone).is_some_and(|parent| branch.contains(&parent)) {
                branch.push(bone);
            }
        }
        let has_role = |bone: &usize| {
            let name = skeleton.bones[*bone].name.as_deref();
            name.and_then(role) == Some(Role::Forearm)
        };
        let named = branch.iter().copied().find(has_role);
        let length = |bone: usize| parts[bone].extent.length();
        let long = branch.iter().filter_map(|&bone| two_bones(skeleton, bone)).map(|(lower, _)| lower);
        let pairs = named.into_iter().chain(long.filter(|_| named.is_none()));
        let pairs = pairs.filter_map(|lower| Some((parent_past_links(skeleton, lower)?, lower)));
        let pairs = pairs.filter(|(upper, _)| branch.contains(upper));
        let both = |pair: &(usize, usize)| length(pair.0) + length(pair.1);
        let (upper, lower) = pairs.max_by(|a, b| both(a).total_cmp(&both(b)))?;
        let girdle = parent_past_links(skeleton, upper).filter(|bone| branch.contains(bone));
        let middle = parts[upper].start + 0.5 * parts[upper].extent;
        // Forearms bend to the front.
        let usual = parts[upper].extent.cross(DVec3::Z).try_normalize()?;
        let mut hand = Vec::new();
        for bone in lower + 1..parts.len() {
            if parent_of(skeleton, bone).is_some_and(|parent| parent == lower || hand.contains(&parent)) {
                hand.push(bone);
            }
        }
        let curl_deg = hand.iter().skip(1).filter_map(|&bone| Some((bone, curl(skeleton, bone)?))).collect();
        Some(Self {
            side: if middle.x >= 0.0 { 1.0 } else { -1.0 },
            girdle,
            upper,
            elbow: Hinge::new(skeleton, parts, upper, lower, usual),
            hand,
            curl_deg,
        })
    }

    /// The rotation, in the heading of the body, that takes the upper arm from hanging to a goal.
    pub fn swing(&self, goal: &ArmGoal) -> DMat3 {
        DMat3::from_rotation_x(-goal.forward.to_radians())
            * DMat3::from_rotation_z(self.side * goal.aside.to_radians())
            * DMat3::from_rotation_y(self.side * goal.twist.to_radians())
    }
}

/// Returns the relaxed bend of a bone of the hand, from the limits of its angles: towards the wider side.
fn curl(skeleton: &Skeleton, bone: usize) -> Option<DVec3> {
    let limits = skeleton.bones[bone].limits_deg.0;
    let widest = |axis: &usize| limits[*axis].map_or(0.0, |[low, high]| low.abs().max(high.abs()));
    let axis = [0, 2].into_iter().max_by(|a, b| widest(a).total_cmp(&widest(b)))?;
    let [low, high] = limits[axis]?.map(f64::from);
    let mut angles = DVec3::ZERO;
    angles[axis] = CURL * if high >= -low { high } else { low };
    Some(angles)
}
