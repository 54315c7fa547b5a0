//! Filters of curves, as commands on keys.

use crate::anim::channel::{Channel, ChannelRef, Value};
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::scene::Scene;

/// The angle about y beyond which x and z turn about almost the same axis, in degrees.
const STEEP: f32 = 85.0;

pub const STEEP_TEXT: &str =
    "y passes 85°, where x and z turn about almost the same axis; set keys closer to each other there";

/// Returns the channels of angles whose y passes 85° at a key: between such keys a bone takes detours. Turns of 180° do not count.
pub fn steep<'a>(scene: &Scene, channels: &'a [ChannelRef]) -> Vec<&'a ChannelRef> {
    let is_steep = |angle: f32| {
        let turned = (angle / 180.0).round() * 180.0;
        (angle - turned).abs() > STEEP
    };
    let passes = |channel: &&ChannelRef| {
        let found = scene.animation.get(channel).filter(|_| channel.is_angles());
        matches!(found.map(|found| &**found), Some(Channel::Vec3(curve)) if curve.knots.iter().any(|knot| is_steep(knot.1.y)))
    };
    channels.iter().filter(passes).collect()
}

/// Returns the command that sets Euler angles to those of the same rotations that turn least from key to key. `None` if they do.
pub fn euler_filter(scene: &Scene, channels: &[ChannelRef]) -> Option<KeyCommand> {
    let filtered = |channel: &ChannelRef| {
        let Channel::Vec3(curve) = &**scene.animation.get(channel).filter(|_| channel.is_angles())? else {
            return None;
        };
        let knots: Vec<(f32, Value)> =
            curve.without_flips().into_iter().map(|(frame, angles)| (frame, Value::Vec3(angles))).collect();
        (!knots.is_empty()).then(|| KeyframeValues { channel: channel.clone(), knots, modes: Vec::new() })
    };
    let knots: Vec<KeyframeValues> = channels.iter().filter_map(filtered).collect();
    (!knots.is_empty()).then_some(KeyCommand::Put { purpose: Purpose::Filter, knots })
}
