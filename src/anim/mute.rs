//! Muted channels: their keys stay, and drive nothing until they are unmuted, as in Blender and Maya.

pub use super::channel::Mute;
use super::channel::{Animation, Channel, ChannelRef, Value};
use glam::{BVec3, Vec3};

impl Mute {
    /// `driven` with the muted components of `stored`. Values of two types: `driven`.
    pub fn blend(self, driven: Value, stored: Value) -> Value {
        let by = BVec3::from_array(self.0);
        match (driven, stored) {
            (Value::Vec3(driven), Value::Vec3(stored)) => Value::Vec3(Vec3::select(by, stored, driven)),
            (Value::Spectrum(driven), Value::Spectrum(stored)) => {
                Value::Spectrum(Vec3::select(by, stored, driven))
            }
            _ if self.is_whole() && driven.type_name() == stored.type_name() => stored,
            _ => driven,
        }
    }
}

impl Channel {
    /// Whether it has three components that can be muted one by one.
    pub fn has_components(&self) -> bool {
        matches!(self, Channel::Vec3(_) | Channel::Spectrum(_))
    }
}

impl Animation {
    pub fn mute(&self, resource: &str, channel: &str) -> Mute {
        let of = self.muted.get(resource).and_then(|of| of.get(channel));
        of.copied().unwrap_or_default()
    }

    pub fn set_mute(&mut self, channel: &ChannelRef, mute: Mute) {
        if !mute.is_none() {
            let of = self.muted.entry(channel.resource.clone()).or_default();
            of.insert(channel.channel.clone(), mute);
        } else if let Some(of) = self.muted.get_mut(&channel.resource) {
            of.remove(&channel.channel);
            if of.is_empty() {
                self.muted.remove(&channel.resource);
            }
        }
    }

    /// Drops what is said of channels that are gone.
    pub fn forget_mutes(&mut self) {
        let channels = &self.channels;
        self.muted.retain(|resource, of| {
            let left = channels.get(resource);
            of.retain(|name, _| left.is_some_and(|left| left.contains_key(name)));
            !of.is_empty()
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
        assert_eq!(
            Mute::NONE.blend(Value::Bool(true), Value::Bool(false)),
            Value::Bool(true)
        );
        assert_eq!(
            Mute::WHOLE.blend(Value::Bool(true), Value::Bool(false)),
            Value::Bool(false)
        );
        // A spline of another type than its target: as if it were not muted.
        assert_eq!(
            Mute::WHOLE.blend(Value::Bool(true), Value::Float(0.0)),
            Value::Bool(true)
        );
    }
}
