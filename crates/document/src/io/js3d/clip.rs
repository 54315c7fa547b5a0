//! Frame rate, length and play range: our own members of `animator`, which Scotty3D ignores. Written only
//! where they differ from the defaults of a file without them.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::anim::channel::Animation;
use crate::anim::clip::Clip;
use serde_json::{Value, json};

const RATE: &str = "frames_per_second";
const LENGTH: &str = "frames";
const RANGE: &str = "play_range";

/// The names of the members.
pub const NAMES: [&str; 3] = [RATE, LENGTH, RANGE];

/// Takes the members. Invalid values are reported and replaced; the length grows to include all keys and
/// takes.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>, animation: &Animation) -> Clip {
    let fallback = animation.default_clip();
    let mut clip = fallback;
    let warn = |r: &mut Reader<'_>, name: &str, rule: &str| {
        let text = format!("expected {rule}; the default is used");
        r.within(name, |r| r.warn("bad-clip", text));
    };
    if let Some(node) = m.take(RATE) {
        let [slowest, fastest] = Clip::RATES;
        match node.number().map(|wide| wide as f32) {
            Some(rate) if (slowest..=fastest).contains(&rate) => clip.rate = rate,
            _ => warn(r, RATE, "a number from 1 to 240"),
        }
    }
    if let Some(node) = m.take(LENGTH) {
        match frame(&node) {
            Some(length @ 1..=Clip::MAX_LENGTH) => clip.length = length,
            _ => warn(r, LENGTH, "an integer from 1 to 1000000"),
        }
    }
    let needed = clip.extended_to(animation.last_used_frame()).length;
    if clip.length < needed {
        let text =
            format!("the last key or take is past the end of {} frames; {needed} are used", clip.length);
        r.within(LENGTH, |r| r.warn("keys-behind-end", text));
        clip.length = needed;
    }
    if let Some(node) = m.take(RANGE) {
        match range(&node) {
            Some([first, last]) if first <= last && last < clip.length => clip.range = Some([first, last]),
            _ => warn(r, RANGE, "two frames in order, within the length"),
        }
    }
    clip
}

fn range(node: &Node<'_>) -> Option<[u32; 2]> {
    match node {
        Node::Array(items) => {
            let mut items = items.iter();
            let mut next = || items.next().and_then(|item| frame(&item));
            let range = [next()?, next()?];
            items.next().is_none().then_some(range)
        }
        _ => None,
    }
}

pub fn frame(node: &Node<'_>) -> Option<u32> {
    let wide = node.number()?;
    // The cast saturates, so that the comparison fails.
    let frame = wide as u32;
    (f64::from(frame) == wide).then_some(frame)
}

/// Returns the members to write.
pub fn members(animation: &Animation) -> Vec<(&'static str, Value)> {
    let (clip, default) = (animation.clip, animation.default_clip());
    let mut members = Vec::new();
    if clip.rate != default.rate && clip.rate.is_finite() {
        // The shortest decimal of the f32, not of the widened f64.
        let shortest: f64 = clip.rate.to_string().parse().unwrap_or(f64::from(clip.rate));
        members.push((RATE, json!(shortest)));
    }
    if clip.length != default.length {
        members.push((LENGTH, json!(clip.length)));
    }
    if let Some(range) = clip.range {
        members.push((RANGE, json!(range)));
    }
    members
}
