//! Takes: our own members of `animator`, which Scotty3D ignores. Absent if there are no takes.

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
pub const NAME: &str = Take::MEMBERS[0];
pub const FIRST: &str = Take::MEMBERS[1];
pub const LAST: &str = Take::MEMBERS[2];
/// Whether the take is a cycle; absent if not.
pub const CYCLE: &str = Take::MEMBERS[3];

/// Takes the list; none is chosen yet. Invalid takes are reported and dropped.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>) -> Takes {
    let mut takes = Takes::default();
    let Some(node) = m.take(TAKES) else { return takes };
    r.within(TAKES, |r| {
        let items = r.array(node);
        let excess = items.len().saturating_sub(Takes::MAX);
        for (index, node) in items.into_items().take(Takes::MAX).enumerate() {
            r.within_index(index, |r| read_take(r, node, &mut takes));
        }
        if excess > 0 {
            let text = format!("there are more than {} takes; {excess} are dropped", Takes::MAX);
            r.report_loss(Severity::Warning, "bad-take", text);
        }
    });
    takes
}

fn read_take(r: &mut Reader<'_>, node: Node<'_>, takes: &mut Takes) {
    let Node::Object(items) = node else {
        let text = format!("expected a take, found {}; it is dropped", node.kind());
        return r.report_loss(Severity::Warning, "bad-take", text);
    };
    let mut m = r.members(items);
    let mut frame_of = |name| m.take(name).and_then(|node| frame(&node));
    let range = [frame_of(FIRST), frame_of(LAST)];
    let ([Some(first), Some(last)], Some(Node::Text(wanted))) = (range, m.take(NAME)) else {
        let text = "a take needs a name and two frames, “first” and “last”; it is dropped";
        return r.report_loss(Severity::Warning, "bad-take", text);
    };
    if first > last || last >= Clip::MAX_LENGTH {
        let text = "the frames of a take must be in order and below 1000000; it is dropped";
        return r.report_loss(Severity::Warning, "bad-take", text);
    }
    let name = takes.free_name(&wanted, None);
    if name != wanted {
        let text = format!("the take needs a name that no other has; it is now called {name}");
        r.within(NAME, |r| r.warn("bad-take", text));
    }
    let cycle = match m.take(CYCLE) {
        Some(Node::Bool(cycle)) => cycle,
        None => false,
        Some(_) => {
            r.within(CYCLE, |r| r.warn("bad-take", "expected true or false; the take is no cycle"));
            false
        }
    };
    takes.list.push(Take { cycle, extra: r.rest(m), ..Take::new(name, [first, last]) });
}

/// Takes the name of the chosen take, once takes and clip are read.
pub fn read_chosen(r: &mut Reader<'_>, m: &mut Members<'_>, animation: &mut Animation) {
    let Some(node) = m.take(CHOSEN) else { return };
    let takes = &animation.takes;
    let found = match &node {
        Node::Text(name) => takes.position(name),
        _ => None,
    };
    let is_played = |index: &usize| animation.clip.range == Some(takes.list[*index].range);
    animation.takes.chosen = found.filter(is_played);
    if animation.takes.chosen.is_none() {
        let text = "expected the name of a take whose frames are the play range; none is chosen";
        r.within(CHOSEN, |r| r.warn("bad-take", text));
    }
}
