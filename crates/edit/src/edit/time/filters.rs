//! Filters of curves, as commands on keys.

use crate::anim::channel::{Channel, ChannelRef, Value};
use crate::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use crate::scene::Scene;

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
