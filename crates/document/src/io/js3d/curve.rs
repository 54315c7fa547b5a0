//! Authored keys with their modes: our own member next to `knots`, which are made from them. If another
//! program has changed the knots since, the knots take precedence.

use super::ReadError;
use super::json::Node;
use super::reader::{Members, Reader};
use crate::anim::bake::fingerprint;
use crate::anim::mode::{AuthoredCurve, Mode, SideMode, Slope, Slopes};
use crate::anim::spline::{Interpolate, Spline};
use crate::extra::array::Array;
use std::sync::Arc;

pub const NAME: &str = "curve";
/// The time, value and mode of each key, in a flat list.
pub const KEYS: &str = "keys";
/// The fingerprint of the knots that were made from the keys.
pub const KNOTS: &str = "knots";
/// For each key with a slope that was set: its index, and the slopes before and behind it, each false if the mode decides.
pub const SLOPES: &str = "slopes";

/// Formats a fingerprint as in files.
pub fn text(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// The content of the member, not yet validated.
pub struct Curve<'a> {
    keys: Array<Node<'a>>,
    slopes: Array<Node<'a>>,
    fingerprint: String,
}

/// Takes the member. A value of another shape is not ours and stays.
pub fn take<'a>(r: &mut Reader<'_>, m: &mut Members<'a>) -> Option<Curve<'a>> {
    let Some(Node::Object(members)) = m.get_deduplicated(r, NAME) else {
        return None;
    };
    let is_ours = |(name, node): &(std::borrow::Cow<'_, str>, Node<'_>)| match &**name {
        KEYS | SLOPES => matches!(node, Node::Array(_)),
        KNOTS => matches!(node, Node::Text(_)),
        _ => false,
    };
    let has = |wanted: &str| members.iter().any(|(name, _)| name == wanted);
    if !has(KEYS) || !has(KNOTS) || !members.iter().all(is_ours) {
        return None;
    }
    let Some(Node::Object(members)) = m.take(NAME) else {
        return None;
    };
    let (mut keys, mut slopes, mut fingerprint) = (Array::default(), Array::default(), String::new());
    for (name, node) in members {
        match node {
            Node::Array(items) if name == SLOPES => slopes = items,
            Node::Array(items) => keys = items,
            Node::Text(text) => fingerprint = text.into_owned(),
            _ => {}
        }
    }
    Some(Curve { keys, slopes, fingerprint })
}

impl<'a> Curve<'a> {
    /// Returns the authored keys; `knots`, with a finding, if these were not made from the keys or the keys
    /// are invalid.
    pub fn read<T: Interpolate>(
        self,
        r: &mut Reader<'_>,
        knots: Spline<T>,
        value: &impl Fn(&mut Reader<'_>, &Node<'a>) -> Result<Option<T>, ReadError>,
    ) -> Spline<T> {
        if self.fingerprint != text(fingerprint(&knots.knots)) {
            let text =
                "another program has changed the knots; they count, and the modes of the keys are gone";
            r.warn("outdated-curve", text);
            return knots;
        }
        let count = self.keys.len();
        let mut keys = Vec::with_capacity(count / 3);
        let mut modes = Vec::with_capacity(count / 3);
        let mut items = self.keys.iter();
        while let (Some(time), Some(node), Some(word)) = (items.next(), items.next(), items.next()) {
            let Node::Text(word) = &*word else { break };
            let Some(time) = time.number().map(|wide| wide as f32).filter(|time| time.is_finite()) else {
                break;
            };
            let Some(mode) = Mode::named(word) else {
                break;
            };
            let Ok(Some(value)) = value(r, &node) else { break };
            keys.push((time, value));
            modes.push(mode);
        }
        let is_ascending = keys.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let is_complete = keys.len() * 3 == count && keys.is_empty() == knots.knots.is_empty();
        let mut curve = Spline::from_knots(keys);
        if modes.iter().any(|mode| *mode != Mode::Auto) {
            curve.authored = AuthoredCurve { modes, ..AuthoredCurve::default() };
        }
        let has_slopes = read_slopes(&self.slopes, &mut curve, &mut |node| value(r, node).ok().flatten());
        if !is_complete || !is_ascending || !has_slopes || curve.authored.is_plain() {
            let text = "expected times in order, values and modes, and slopes of keys; the knots count, and the modes are gone";
            r.warn("bad-curve", text);
            return knots;
        }
        if *curve.baked() != knots.knots {
            let straight = with_straight_ends(&curve);
            if let Some(straight) =
                straight.filter(|straight| distance(straight, &knots) < distance(&curve, &knots))
            {
                curve = straight;
            }
            curve.authored.baked = Some(Arc::new(knots.knots));
        }
        curve
    }
}

/// Returns the curve as files meant it while clamped curves left the first key and reached the last one along the straight line
/// to the next: with these slopes. `None` if it does not begin or end with clamped keys whose slopes are those of the mode.
fn with_straight_ends<T: Interpolate>(curve: &Spline<T>) -> Option<Spline<T>> {
    let last = curve.knots.len().checked_sub(1).filter(|last| *last > 0)?;
    let mut straight = curve.clone();
    for (knot, segment) in [(0, 0), (last, last - 1)] {
        let mut slopes = curve.authored.slopes(knot);
        let side = if knot == 0 { &mut slopes.leave } else { &mut slopes.arrive };
        if curve.authored.mode(segment) == Mode::Clamped && side.is_none() {
            let line = Spline::from_knots(curve.knots[segment..segment + 2].to_vec());
            let [_, slope] = T::slopes(&line, line.knots[0].0)?;
            *side = Some(Slope::Set(slope));
            straight.set_slopes(knot, slopes);
        }
    }
    (straight != *curve).then_some(straight)
}

/// Returns the largest difference of two curves at the whole frames between the first two keys and the last two of one of them.
fn distance<T: Interpolate>(curve: &Spline<T>, knots: &Spline<T>) -> f32 {
    /// The frames that are compared at each end.
    const MOST: usize = 1000;
    let ends =
        [curve.knots.first().zip(curve.knots.get(1)), curve.knots.iter().nth_back(1).zip(curve.knots.last())];
    let frames = ends.into_iter().flatten().flat_map(|(start, end)| {
        (0..MOST)
            .map(move |frame| start.0.floor() + 1.0 + frame as f32)
            .take_while(move |frame| *frame < end.0)
    });
    let difference = |frame: f32| {
        let [a, b] = [curve.at(frame)?.components(), knots.at(frame)?.components()];
        let pairs = a.as_ref().iter().zip(b.as_ref());
        Some(pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max))
    };
    frames.filter_map(difference).fold(0.0, f32::max)
}

/// Sets the slopes in a list; returns false if it is not valid.
fn read_slopes<'a, T: Interpolate>(
    list: &Array<Node<'a>>,
    curve: &mut Spline<T>,
    value: &mut impl FnMut(&Node<'a>) -> Option<T>,
) -> bool {
    let mut items = list.iter();
    let mut slope = |node: &Node<'a>| match node {
        Node::Bool(false) => Some(None),
        Node::Text(name) => SideMode::named(name).map(|mode| Some(Slope::Of(mode))),
        node => value(node).map(|slope| Some(Slope::Set(slope))),
    };
    while let (Some(key), Some(arrive), Some(leave)) = (items.next(), items.next(), items.next()) {
        let key =
            key.number().filter(|key| *key >= 0.0 && *key < curve.knots.len() as f64 && key.fract() == 0.0);
        let (Some(key), Some(arrive), Some(leave)) = (key, slope(&arrive), slope(&leave)) else {
            return false;
        };
        curve.set_slopes(key as usize, Slopes { arrive, leave });
    }
    list.len().is_multiple_of(3)
}
