//! What we wrote of bones and skeletons into the extras of nodes: other programs keep it if they are asked to.

use super::super::schema::Node;
use glam::{DQuat, Vec3};
use serde::Deserialize;
use serde_json::Value;

/// The member of extras that is ours.
pub const OURS: &str = "ossature";

/// Of a bone, on the node of its joint.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Ours {
    pub extent: Vec3,
    #[serde(rename = "roll")]
    pub roll_deg: f32,
    pub radius: Option<f32>,
    pub channel_id: Option<u32>,
    /// The rest frame that it is written with, if that is not along the bone.
    pub rest: Option<DQuat>,
}

impl Ours {
    pub fn of(node: &Node) -> Option<Self> {
        let ours: Self = serde_json::from_value(member(node)?.clone()).ok()?;
        let radius = ours
            .radius
            .is_none_or(|radius| radius >= 0.0 && radius.is_finite());
        (ours.extent.is_finite() && ours.roll_deg.is_finite() && radius).then_some(ours)
    }
}

/// What is ours in the extras of a node.
pub fn member(node: &Node) -> Option<&Value> {
    node.extras.as_ref()?.get(OURS)
}
