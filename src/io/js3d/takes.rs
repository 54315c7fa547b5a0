//! Takes: members of our own in `animator`, which Scotty3D ignores. A file without takes has none of them.

use super::clip::frame;
use super::json::Node;
use super::reader::{Members, Reader};
use crate::anim::channel::Animation;
use crate::anim::clip::Clip;
use crate::anim::take::{Take, Takes};
use crate::io::report::Severity;

pub const TAKES: &str = "takes";
/// The name of the take whose range is the play range.
pub const CHOSEN: &str = "chosen_take";
pub const NAME: &str = "name";
pub const FIRST: &str = "first";
pub const LAST: &str = "last";

/// Takes the list; none is chosen yet. What is no take is told and dropped.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>) -> Takes {
    let mut takes = Takes::default();
    let Some(node) = m.take(TAKES) else { return takes };
    r.at(TAKES, |r| {
        let items = r.array(node);
        let spare = items.len().saturating_sub(Takes::MOST);
        for (at, node) in items.into_items().take(Takes::MOST).enumerate() {
            r.at_index(at, |r| read_take(r, node, &mut takes));
        }
        if spare > 0 {
            let text = format!("there are more than {} takes; {spare} are dropped", Takes::MOST);
            r.lose(Severity::Warning, "bad-take", text);
        }
    });
    takes
}

fn read_take(r: &mut Reader<'_>, node: Node<'_>, takes: &mut Takes) {
    let Node::Object(items) = node else {
        let text = format!("expected a take, found {}; it is dropped", node.kind());
        return r.lose(Severity::Warning, "bad-take", text);
    };
    let mut m = r.members(items);
    let mut frame_of = |name| m.take(name).and_then(|node| frame(&node));
    let range = [frame_of(FIRST), frame_of(LAST)];
    let ([Some(first), Some(last)], Some(Node::Text(wanted))) = (range, m.take(NAME)) else {
        let text = "a take needs a name and two frames, “first” and “last”; it is dropped";
        return r.lose(Severity::Warning, "bad-take", text);
    };
    if first > last || last >= Clip::MAX_LENGTH {
        let text = "the frames of a take must be in order and below 1000000; it is dropped";
        return r.lose(Severity::Warning, "bad-take", text);
    }
    let name = takes.free_name(&wanted, None);
    if name != wanted {
        let text = format!("the take needs a name that no other has; it is now called {name}");
        r.at(NAME, |r| r.warn("bad-take", text));
    }
    takes.list.push(Take {
        extra: r.rest(m),
        ..Take::new(name, [first, last])
    });
}

/// Takes the choice, once takes and clip are read.
pub fn read_chosen(r: &mut Reader<'_>, m: &mut Members<'_>, animation: &mut Animation) {
    let Some(node) = m.take(CHOSEN) else { return };
    let takes = &animation.takes;
    let found = match &node {
        Node::Text(name) => takes.position(name),
        _ => None,
    };
    let is_played = |at: &usize| animation.clip.range == Some(takes.list[*at].range);
    animation.takes.chosen = found.filter(is_played);
    if animation.takes.chosen.is_none() {
        let text = "expected the name of a take whose frames are the play range; none is chosen";
        r.at(CHOSEN, |r| r.warn("bad-take", text));
    }
}
