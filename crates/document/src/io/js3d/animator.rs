//! Reads the animation: splines of knots, by resource and channel.

use super::ReadError;
use super::curve::{self, Curve};
use super::json::Node;
use super::reader::{Members, Reader};
use super::{clip, sound, takes, values};
use crate::anim::channel::{Animation, Channel, ChannelRef, Value};
use crate::anim::mute::Mute;
use crate::anim::spline::{Interpolate, Spline};
use crate::extra::array::Array;
use crate::io::report::Severity;
use crate::scene::{Scene, channels};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads the animator. `scene` contains the values that channels drive.
pub fn read(r: &mut Reader<'_>, node: Node<'_>, scene: &Scene) -> Result<Animation, ReadError> {
    let Node::Object(items) = node else {
        let problem = format!("expected an animator, found {}", node.kind());
        return Err(
            r.refuse(problem, "Put {\"FORMAT\":\"js3d-v1\",\"splines\":{}} there for a scene at rest.")
        );
    };
    let mut m = r.members(items);
    m.format(r, values::FORMAT);
    let mut animation = Animation::default();
    if let Some(node) = m.expect(r, "splines", "no animation") {
        r.within("splines", |r| {
            for (resource, node) in r.object(node).into_items() {
                r.within(&resource, |r| read_resource(r, &resource, node, scene, &mut animation))?;
            }
            Ok(())
        })?;
    }
    animation.takes = takes::read(r, &mut m);
    animation.clip = clip::read(r, &mut m, &animation);
    takes::read_chosen(r, &mut m, &mut animation);
    animation.sound = sound::read(r, &mut m);
    animation.extra = r.rest(m);
    Ok(animation)
}

fn read_resource(
    r: &mut Reader<'_>,
    resource: &str,
    node: Node<'_>,
    scene: &Scene,
    animation: &mut Animation,
) -> Result<(), ReadError> {
    let targets = channels::values(scene, resource);
    let mut found = BTreeMap::new();
    for (name, node) in r.object(node).into_items() {
        r.within(&name, |r| {
            let Node::Object(items) = node else {
                let text = format!("expected a spline, found {}; it is dropped", node.kind());
                r.report_loss(Severity::Warning, "bad-spline", text);
                return Ok(());
            };
            let mut m = r.members(items);
            if let Some(channel) = read_spline(r, &mut m)? {
                note_target(r, &channel, targets.get(&*name).map(Value::type_name));
                let mute = read_mute(r, &mut m, &channel);
                animation.set_mute(&ChannelRef::new(resource, &name), mute);
                found.insert(name.to_string(), Arc::new(channel));
            }
            let extra = r.rest(m);
            if !extra.0.is_empty() {
                let extras = animation.spline_extra.entry(resource.to_owned()).or_default();
                extras.insert(name.to_string(), extra);
            }
            Ok(())
        })?;
    }
    animation.channels.insert(resource.to_owned(), found);
    Ok(())
}

fn note_target(r: &mut Reader<'_>, channel: &Channel, target: Option<&str>) {
    match target {
        None => r.note("channel-without-target", "there is nothing that this channel drives; it is kept"),
        Some(target) if target != channel.type_name() => {
            let found = channel.type_name();
            let text =
                format!("the channel is of type {found} where {target} is needed, which crashes Scotty3D");
            r.note("channel-type-mismatch", format!("{text}; it has no effect and is kept"));
        }
        Some(_) => {}
    }
}

/// The name of our member that mutes a channel or some of its components.
pub const MUTED: &str = "muted";

fn read_mute(r: &mut Reader<'_>, m: &mut Members<'_>, channel: &Channel) -> Mute {
    let read = |node: Node<'_>| match node {
        Node::Bool(whole) => Some(Mute([whole; 3])),
        Node::Array(items) if channel.has_components() => {
            let components = items.iter().map(|item| match *item {
                Node::Bool(muted) => Some(muted),
                _ => None,
            });
            let components = components.collect::<Option<Vec<_>>>()?;
            components.try_into().ok().map(Mute)
        }
        _ => None,
    };
    let Some(node) = m.take(MUTED) else {
        return Mute::NONE;
    };
    read(node).unwrap_or_else(|| {
        let text = if channel.has_components() {
            "expected true, false or three of them; the channel is not muted"
        } else {
            "expected true or false; the channel is not muted"
        };
        r.within(MUTED, |r| r.warn("bad-mute", text));
        Mute::NONE
    })
}

const TYPES: [&str; 8] = ["bool", "float", "Vec2", "Vec3", "Vec4", "Quat", "Spectrum", "Mat4"];

/// Reads a channel; `None` if it has no effect in Scotty3D. A spline that has a type but is not understood
/// stays in `m`, so that it is written back.
fn read_spline(r: &mut Reader<'_>, m: &mut Members<'_>) -> Result<Option<Channel>, ReadError> {
    let Some(kind) = m.get("type") else {
        let text = "the spline has no type; it is dropped";
        r.report_loss(Severity::Warning, "bad-spline", text);
        m.clear();
        return Ok(None);
    };
    let kind = r.within("type", |r| values::text(r, kind))?.to_owned();
    if !matches!(m.get("knots"), Some(Node::Array(_))) {
        let text = "the spline has no array of knots; it has no effect and is kept";
        r.report(Severity::Error, "unreadable-spline", text);
        return Ok(None);
    }
    if !TYPES.contains(&&*kind) {
        let text =
            format!("unknown type \"{}\"; the spline has no effect and is kept", values::shorten(&kind));
        r.report(Severity::Error, "unreadable-spline", text);
        return Ok(None);
    }
    m.take("type");
    let Some(Node::Array(items)) = m.take("knots") else {
        return Ok(None);
    };
    let c = curve::take(r, m);
    Ok(Some(match &*kind {
        "bool" => Channel::Bool(spline(r, items, c, |r, node| values::boolean(r, node).map(Some))?),
        "float" => Channel::Float(spline(r, items, c, |r, node| values::float(r, node).map(Some))?),
        "Vec2" => Channel::Vec2(spline(r, items, c, values::vec2)?),
        "Vec3" => Channel::Vec3(spline(r, items, c, values::vec3)?),
        "Vec4" => Channel::Vec4(spline(r, items, c, values::vec4)?),
        "Quat" => Channel::Quat(spline(r, items, c, values::quat)?),
        "Spectrum" => Channel::Spectrum(spline(r, items, c, values::vec3)?),
        _ => Channel::Mat4(spline(r, items, c, values::mat4)?),
    }))
}

/// Reads the knots, or the authored keys from which they were made.
fn spline<T: Interpolate>(
    r: &mut Reader<'_>,
    items: Array<Node<'_>>,
    curve: Option<Curve<'_>>,
    value: impl Fn(&mut Reader<'_>, &Node<'_>) -> Result<Option<T>, ReadError>,
) -> Result<Spline<T>, ReadError> {
    let knots = r.within("knots", |r| knots(r, &items, &value))?;
    Ok(match curve {
        Some(curve) => r.within(curve::NAME, |r| curve.read(r, knots, &value)),
        None => knots,
    })
}

/// Reads times and values, alternating. `value` returns `None` for a value that invalidates its knot.
fn knots<T>(
    r: &mut Reader<'_>,
    items: &Array<Node<'_>>,
    value: &impl Fn(&mut Reader<'_>, &Node<'_>) -> Result<Option<T>, ReadError>,
) -> Result<Spline<T>, ReadError> {
    let mut knots: Vec<(f32, T)> = Vec::with_capacity(items.len() / 2);
    let (mut bad_count, mut items) = (0, items.iter());
    for index in 0.. {
        let Some(time) = items.next() else { break };
        let Some(node) = items.next() else {
            let text = "the last time has no value; it is dropped";
            r.report_loss(Severity::Warning, "knot-without-value", text);
            break;
        };
        if time.number().is_none() {
            bad_count += 1;
            continue;
        }
        let time = r.within_index(2 * index, |r| values::float(r, &time))?;
        match r.within_index(2 * index + 1, |r| value(r, &node))? {
            Some(value) => knots.push((time, value)),
            None => bad_count += 1,
        }
    }
    if bad_count > 0 {
        r.report_loss(
            Severity::Warning,
            "bad-knot",
            format!("{bad_count} knots have no number as time or no vector as value; they are dropped"),
        );
    }
    if knots.windows(2).any(|pair| pair[1].0 < pair[0].0) {
        r.warn("unsorted-knots", "the knots are not in the order of time; they are sorted");
        // A stable sort, so that the first of equal times stays the first.
        knots.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal));
    }
    let before = knots.len();
    knots.dedup_by(|later, first| later.0 == first.0);
    if knots.len() < before {
        let text =
            format!("{} knots have the time of an earlier one; they are dropped", before - knots.len());
        r.report_loss(Severity::Warning, "duplicate-knot", text);
    }
    Ok(Spline::from_knots(knots))
}
