//! Writes splines: resources and channels sorted, one knot per line.

use super::super::WriteError;
use super::super::animator::MUTED;
use super::super::values::FORMAT;
use super::super::{clip, curve, sound, takes};
use super::object::{Object, Writer};
use crate::anim::bake::fingerprint;
use crate::anim::channel::{Animation, Channel};
use crate::anim::mute::Mute;
use crate::anim::sound::Sound;
use crate::anim::spline::{Interpolate, Spline};
use crate::anim::take::Takes;
use crate::extra::Extra;
use serde_json::json;
use std::collections::BTreeSet;

pub fn write(w: &mut Writer, animation: &Animation) -> Result<(), WriteError> {
    w.raw("{\"FORMAT\":");
    w.text(FORMAT);
    w.raw(",\n\"splines\":");
    w.within("splines", |w| w.object(|o| resources(o, animation)))?;
    for (name, value) in clip::members(animation) {
        w.member(",\n", name, &value);
    }
    write_takes(w, &animation.takes)?;
    if let Some(sound) = &animation.sound {
        write_sound(w, sound)?;
    }
    let known = ["FORMAT", "splines", takes::TAKES, takes::CHOSEN, sound::SOUND];
    let is_known = |name: &str| known.contains(&name) || clip::NAMES.contains(&name);
    for (name, value) in animation.extra.0.iter().filter(|(name, _)| !is_known(name)) {
        w.member(",\n", name, value);
    }
    w.raw("}");
    Ok(())
}

fn write_takes(w: &mut Writer, takes: &Takes) -> Result<(), WriteError> {
    if takes.list.is_empty() {
        return Ok(());
    }
    w.raw(",\n");
    w.text(takes::TAKES);
    w.raw(":");
    w.objects(&takes.list, |o, take| {
        let [first, last] = take.range;
        o.text(takes::NAME, &take.name);
        o.unsigned(takes::FIRST, first);
        o.unsigned(takes::LAST, last);
        if take.cycle {
            o.boolean(takes::CYCLE, true);
        }
        o.extra(&take.extra);
        Ok(())
    })?;
    if let Some(chosen) = takes.chosen() {
        w.member(",\n", takes::CHOSEN, &chosen.name);
    }
    Ok(())
}

fn write_sound(w: &mut Writer, sound: &Sound) -> Result<(), WriteError> {
    w.raw(",\n");
    w.text(sound::SOUND);
    w.raw(":");
    w.within(sound::SOUND, |w| {
        w.object(|o| {
            o.text(sound::PATH, &sound.path);
            o.float(sound::START, sound.start)?;
            if sound.volume != 1.0 {
                o.float(sound::VOLUME, sound.volume)?;
            }
            if sound.muted {
                o.boolean(sound::MUTED, true);
            }
            o.extra(&sound.extra);
            Ok(())
        })
    })
}

fn resources(o: &mut Object<'_>, animation: &Animation) -> Result<(), WriteError> {
    let resources: BTreeSet<&String> =
        animation.channels.keys().chain(animation.spline_extra.keys()).collect();
    for resource in resources {
        let channels = animation.channels.get(resource);
        let extras = animation.spline_extra.get(resource);
        // An extra without a channel is a spline that was not understood, or the remains of a deleted one.
        let has_channel = |name: &str| channels.is_some_and(|channels| channels.contains_key(name));
        let unknown_splines = extras
            .into_iter()
            .flatten()
            .filter(|(name, extra)| !has_channel(name) && extra.get("type").is_some());
        let names: BTreeSet<&String> = channels
            .into_iter()
            .flatten()
            .map(|(name, _)| name)
            .chain(unknown_splines.map(|(name, _)| name))
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
        match channel {
            Channel::Bool(spline) => curve(o, spline, |w, value| {
                w.raw(if *value { "true" } else { "false" });
                Ok(())
            }),
            Channel::Float(spline) => curve(o, spline, |w, value| w.float(*value)),
            Channel::Vec2(spline) => curve(o, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Vec3(spline) => curve(o, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Vec4(spline) => curve(o, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Quat(spline) => curve(o, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Spectrum(spline) => curve(o, spline, |w, value| w.numbers(&value.to_array())),
            Channel::Mat4(spline) => curve(o, spline, |w, value| w.numbers(&value.to_cols_array())),
        }?;
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

/// Writes the knots, and the authored keys if they contain more.
fn curve<T: Interpolate>(
    o: &mut Object<'_>,
    spline: &Spline<T>,
    value: impl Fn(&mut Writer, &T) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    let baked = spline.baked();
    let no_mode = |_: &mut Writer, _: usize| {};
    o.member("knots", |w| knots(w, &baked, &value, no_mode))?;
    if spline.authored.is_plain() {
        return Ok(());
    }
    o.member(curve::NAME, |w| {
        w.object(|o| {
            o.member(curve::KEYS, |w| {
                knots(w, &spline.knots, &value, |w, key| {
                    w.raw(",");
                    w.text(spline.authored.mode(key).name());
                })
            })?;
            o.text(curve::KNOTS, &curve::text(fingerprint(&baked)));
            if spline.authored.slopes.is_empty() {
                return Ok(());
            }
            o.member(curve::SLOPES, |w| slopes(w, spline, &value))
        })
    })
}

/// Writes the slopes that were set: the index of each key that has one, the slope before it and that behind it.
fn slopes<T: Interpolate>(
    w: &mut Writer,
    spline: &Spline<T>,
    value: impl Fn(&mut Writer, &T) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    w.raw("[");
    let keys = (0..spline.knots.len()).map(|key| (key, spline.authored.slopes(key)));
    w.indented(|w| {
        for (index, (key, slopes)) in keys.filter(|(_, slopes)| slopes.is_free()).enumerate() {
            w.raw(if index == 0 { "" } else { "," });
            w.line();
            w.raw(&key.to_string());
            for slope in [slopes.arrive, slopes.leave] {
                w.raw(",");
                match slope {
                    Some(slope) => value(w, &slope)?,
                    None => w.raw("false"),
                }
            }
        }
        Ok(())
    })?;
    w.line();
    w.raw("]");
    Ok(())
}

fn knots<T>(
    w: &mut Writer,
    knots: &[(f32, T)],
    value: impl Fn(&mut Writer, &T) -> Result<(), WriteError>,
    suffix: impl Fn(&mut Writer, usize),
) -> Result<(), WriteError> {
    w.raw("[");
    w.indented(|w| {
        for (i, (time, knot)) in knots.iter().enumerate() {
            w.raw(if i == 0 { "" } else { "," });
            w.line();
            w.within(&(2 * i).to_string(), |w| w.float(*time))?;
            w.raw(",");
            w.within(&(2 * i + 1).to_string(), |w| value(w, knot))?;
            suffix(w, i);
        }
        Ok(())
    })?;
    if !knots.is_empty() {
        w.line();
    }
    w.raw("]");
    Ok(())
}
