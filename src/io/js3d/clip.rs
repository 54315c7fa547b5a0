//! Frame rate, length and play range: members of our own in `animator`, which Scotty3D ignores. Written only
//! where they differ from what a file without them means.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::anim::channel::Animation;
use crate::anim::clip::Clip;
use serde_json::{Value, json};

const RATE: &str = "frames_per_second";
const LENGTH: &str = "frames";
const RANGE: &str = "play_range";

/// The members of this file.
pub const NAMES: [&str; 3] = [RATE, LENGTH, RANGE];

/// Takes the members. What makes no sense is told and replaced; the length grows to hold all keys and takes.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>, animation: &Animation) -> Clip {
    let fallback = animation.default_clip();
    let mut clip = fallback;
    let bad = |r: &mut Reader<'_>, name: &str, rule: &str| {
        let text = format!("expected {rule}; the default is used");
        r.at(name, |r| r.warn("bad-clip", text));
    };
    if let Some(node) = m.take(RATE) {
        let [slowest, fastest] = Clip::RATES;
        match node.number().map(|wide| wide as f32) {
            Some(rate) if (slowest..=fastest).contains(&rate) => clip.rate = rate,
            _ => bad(r, RATE, "a number from 1 to 240"),
        }
    }
    if let Some(node) = m.take(LENGTH) {
        match frame(&node) {
            Some(length @ 1..=Clip::MAX_LENGTH) => clip.length = length,
            _ => bad(r, LENGTH, "an integer from 1 to 1000000"),
        }
    }
    let needed = clip.holding(animation.last_used()).length;
    if clip.length < needed {
        let text = format!(
            "the last key or take ends behind {} frames; {needed} are used",
            clip.length
        );
        r.at(LENGTH, |r| r.warn("keys-behind-end", text));
        clip.length = needed;
    }
    if let Some(node) = m.take(RANGE) {
        match range(&node) {
            Some([first, last]) if first <= last && last < clip.length => clip.range = Some([first, last]),
            _ => bad(r, RANGE, "two frames in order, within the length"),
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
    // Saturates, and then differs.
    let frame = wide as u32;
    (f64::from(frame) == wide).then_some(frame)
}

/// The members to write.
pub fn members(animation: &Animation) -> Vec<(&'static str, Value)> {
    let (clip, plain) = (animation.clip, animation.default_clip());
    let mut members = Vec::new();
    if clip.rate != plain.rate && clip.rate.is_finite() {
        // The shortest text of the f32, not of the f64 that it widens to.
        let shortest: f64 = clip.rate.to_string().parse().unwrap_or(f64::from(clip.rate));
        members.push((RATE, json!(shortest)));
    }
    if clip.length != plain.length {
        members.push((LENGTH, json!(clip.length)));
    }
    if let Some(range) = clip.range {
        members.push((RANGE, json!(range)));
    }
    members
}
