//! Splines: resources and channels sorted, a knot per line.

use super::super::WriteError;
use super::super::animator::MUTED;
use super::super::clip;
use super::super::document::FORMAT;
use super::object::{Object, Writer};
use crate::anim::channel::{Animation, Channel};
use crate::anim::mute::Mute;
use crate::anim::spline::Spline;
use crate::extra::Extra;
use serde_json::json;
use std::collections::BTreeSet;

pub fn write(w: &mut Writer, animation: &Animation) -> Result<(), WriteError> {
    w.raw("{\"FORMAT\":");
    w.text(FORMAT);
    w.raw(",\n\"splines\":");
    w.within("splines", |w| w.object(|o| resources(o, animation)))?;
    for (name, value) in clip::members(animation) {
        w.raw(",\n");
        w.text(name);
        w.raw(":");
        w.value(&value);
    }
    let ours = |name: &str| name == "FORMAT" || name == "splines" || clip::NAMES.contains(&name);
    for (name, value) in animation.extra.0.iter().filter(|(name, _)| !ours(name)) {
        w.raw(",\n");
        w.text(name);
        w.raw(":");
        w.value(value);
    }
    w.raw("}");
    Ok(())
}

fn resources(o: &mut Object<'_>, animation: &Animation) -> Result<(), WriteError> {
    let resources: BTreeSet<&String> = animation
        .channels
        .keys()
        .chain(animation.spline_extra.keys())
        .collect();
    for resource in resources {
        let channels = animation.channels.get(resource);
        let extras = animation.spline_extra.get(resource);
        // An extra without a channel is a spline that was not understood, or the rest of a deleted one.
        let written = |name: &str| channels.is_some_and(|channels| channels.contains_key(name));
        let whole = extras
            .into_iter()
            .flatten()
            .filter(|(name, extra)| !written(name) && extra.get("type").is_some());
        let names: BTreeSet<&String> = channels
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .chain(whole.map(|(name, _)| name))
            .collect();
        if names.is_empty() && channels.is_none() {
            continue;
        }
        o.entry(resource, |w| {
            w.object(|o| {
                names.into_iter().try_for_each(|name| {
                    let channel = channels.and_then(|channels| channels.get(name));
                    let mute = animation.mute(resource, name);
                    let extra = extras.and_then(|extras| extras.get(name));
                    o.entry(name, |w| {
                        w.object(|o| spline(o, channel.map(|channel| (&**channel, mute)), extra))
                    })
                })
            })
        })?;
    }
    Ok(())
}

fn spline(
    o: &mut Object<'_>,
    channel: Option<(&Channel, Mute)>,
    extra: Option<&Extra>,
) -> Result<(), WriteError> {
    if let Some((channel, mute)) = channel {
        o.text("type", channel.type_name());
        o.member("knots", |w| match channel {
            Channel::Bool(spline) => knots(w, spline, |w, value| {
                w.raw(if *value { "true" } else { "false" });
                Ok(())
            }),
            Channel::Float(spline) => knots(w, spline, |w, value| w.float(*value)),
            Channel::Vec2(spline) => knots(w, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Vec3(spline) => knots(w, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Vec4(spline) => knots(w, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Quat(spline) => knots(w, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Spectrum(spline) => knots(w, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Mat4(spline) => knots(w, spline, |w, value| w.numbers(&value.to_cols_array())),
        })?;
        if mute.is_whole() {
            o.boolean(MUTED, true);
        } else if !mute.is_none() {
            o.member(MUTED, |w| {
                w.value(&json!(mute.0));
                Ok(())
            })?;
        }
    }
    if let Some(extra) = extra {
        o.extra(extra);
    }
    Ok(())
}

fn knots<T>(
    w: &mut Writer,
    spline: &Spline<T>,
    value: impl Fn(&mut Writer, &T) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    w.raw("[");
    w.indented(|w| {
        for (i, (time, knot)) in spline.knots.iter().enumerate() {
            w.raw(if i == 0 { "" } else { "," });
            w.line();
            w.within(&(2 * i).to_string(), |w| w.float(*time))?;
            w.raw(",");
            w.within(&(2 * i + 1).to_string(), |w| value(w, knot))?;
        }
        Ok(())
    })?;
    if !spline.knots.is_empty() {
        w.line();
    }
    w.raw("]");
    Ok(())
}
