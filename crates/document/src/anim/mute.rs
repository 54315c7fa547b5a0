//! Muted channels: as in Blender and Maya, their keys remain but drive nothing until they are unmuted.

pub use super::channel::Mute;
use super::channel::{Animation, Channel, ChannelRef, Value};
use glam::{BVec3, Vec3};

impl Mute {
    /// Returns `driven` with the muted components of `stored`; `driven` if the types differ.
    pub fn blend(self, driven: Value, stored: Value) -> Value {
        let muted = BVec3::from_array(self.0);
        match (driven, stored) {
            (Value::Vec3(driven), Value::Vec3(stored)) => Value::Vec3(Vec3::select(muted, stored, driven)),
            (Value::Spectrum(driven), Value::Spectrum(stored)) => {
                Value::Spectrum(Vec3::select(muted, stored, driven))
            }
            _ if self.is_whole() && driven.type_name() == stored.type_name() => stored,
            _ => driven,
        }
    }
}

impl Channel {
    /// Whether its three components can be muted separately.
    pub fn has_components(&self) -> bool {
        matches!(self, Channel::Vec3(_) | Channel::Spectrum(_))
    }
}

impl Animation {
    pub fn mute(&self, resource: &str, channel: &str) -> Mute {
        let mutes = self.muted.get(resource);
        mutes.and_then(|mutes| mutes.get(channel)).copied().unwrap_or_default()
    }

    pub fn set_mute(&mut self, channel: &ChannelRef, mute: Mute) {
        if !mute.is_none() {
            let mutes = self.muted.entry(channel.resource.clone()).or_default();
            mutes.insert(channel.channel.clone(), mute);
        } else if let Some(mutes) = self.muted.get_mut(&channel.resource) {
            mutes.remove(&channel.channel);
            if mutes.is_empty() {
                self.muted.remove(&channel.resource);
            }
        }
    }

    /// Removes the entries of channels that no longer exist.
    pub fn prune_mutes(&mut self) {
        let channels = &self.channels;
        self.muted.retain(|resource, mutes| {
            let remaining = channels.get(resource);
            mutes.retain(|name, _| remaining.is_some_and(|remaining| remaining.contains_key(name)));
            !mutes.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn muted_components_are_the_stored_ones() {
        let [driven, stored] = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, -2.0, -3.0)];
        let y = Mute([false, true, false]);
        let blended = y.blend(Value::Vec3(driven), Value::Vec3(stored));
        assert_eq!(blended, Value::Vec3(Vec3::new(1.0, -2.0, 3.0)));
        assert_eq!(Mute::NONE.blend(Value::Bool(true), Value::Bool(false)), Value::Bool(true));
        assert_eq!(Mute::WHOLE.blend(Value::Bool(true), Value::Bool(false)), Value::Bool(false));
        // A spline of another type than its target counts as not muted.
        assert_eq!(Mute::WHOLE.blend(Value::Bool(true), Value::Float(0.0)), Value::Bool(true));
    }
}
