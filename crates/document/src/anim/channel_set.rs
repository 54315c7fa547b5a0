//! A set of channels.

use super::channel::ChannelRef;
use std::collections::{BTreeMap, BTreeSet};

/// Channels by resource and channel name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelSet(BTreeMap<String, BTreeSet<String>>);

impl ChannelSet {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    pub fn contains(&self, resource: &str, channel: &str) -> bool {
        self.0.get(resource).is_some_and(|channels| channels.contains(channel))
    }

    pub fn insert(&mut self, channel: ChannelRef) {
        self.0.entry(channel.resource).or_default().insert(channel.channel);
    }

    /// Returns the channels, ordered by resource and channel name.
    pub fn iter(&self) -> impl Iterator<Item = ChannelRef> {
        let channels_of_resource = |(resource, channels): (&String, &BTreeSet<String>)| {
            let channels = channels.iter().map(|channel| ChannelRef::new(resource, channel));
            channels.collect::<Vec<_>>()
        };
        self.0.iter().flat_map(channels_of_resource)
    }
}

impl Extend<ChannelRef> for ChannelSet {
    fn extend<I: IntoIterator<Item = ChannelRef>>(&mut self, channels: I) {
        channels.into_iter().for_each(|channel| self.insert(channel));
    }
}

impl FromIterator<ChannelRef> for ChannelSet {
    fn from_iter<I: IntoIterator<Item = ChannelRef>>(channels: I) -> Self {
        let mut set = Self::default();
        set.extend(channels);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_go_in_and_out() {
        let [a, b, c] =
            ["x", "y", "z"].map(|name| ChannelRef::new(if name == "z" { "B" } else { "A" }, name));
        let set: ChannelSet = [c.clone(), b.clone(), a.clone(), b.clone()].into_iter().collect();
        assert_eq!(set.len(), 3);
        assert_eq!(set.iter().collect::<Vec<_>>(), [a.clone(), b.clone(), c.clone()]);
        assert!(set.contains("A", "y") && !set.contains("B", "y"));
        assert!(!set.is_empty() && ChannelSet::default().is_empty());
    }
}
