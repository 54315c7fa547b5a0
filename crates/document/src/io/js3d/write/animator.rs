//! Writes the animation: resources and channels sorted.

use super::super::WriteError;
use super::super::layers::LAYERS;
use super::super::values::FORMAT;
use super::super::{clip, sound, takes};
use super::layers::{self, Played};
use super::object::{Object, Writer};
use super::spline::spline;
use crate::anim::mute::Mute;
use crate::anim::sound::Sound;
use crate::anim::take::Takes;
use crate::scene::Scene;
use std::collections::BTreeSet;

pub fn write(w: &mut Writer, scene: &Scene) -> Result<(), WriteError> {
    let animation = &scene.animation;
    let played = layers::played(scene);
    w.raw("{\"FORMAT\":");
    w.text(FORMAT);
    w.raw(",\n\"splines\":");
    w.within("splines", |w| w.object(|o| resources(o, scene, &played)))?;
    layers::write(w, scene, &played)?;
    for (name, value) in clip::members(animation) {
        w.member(",\n", name, &value);
    }
    write_takes(w, &animation.takes)?;
    if let Some(sound) = &animation.sound {
        write_sound(w, sound)?;
    }
    let known = ["FORMAT", "splines", takes::TAKES, takes::CHOSEN, sound::SOUND];
    let is_known = |name: &str| {
        let is_layers = name == LAYERS && !animation.layers.is_empty();
        is_layers || known.contains(&name) || clip::NAMES.contains(&name)
    };
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

fn resources(o: &mut Object<'_>, scene: &Scene, played: &Played) -> Result<(), WriteError> {
    let animation = &scene.animation;
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
        let played = played.get(resource);
        let listed = channels.into_iter().flatten().map(|(name, _)| name);
        let listed = listed.filter(|name| !layers::is_in_layer(scene, resource, name));
        let names: BTreeSet<&String> = listed
            .chain(unknown_splines.map(|(name, _)| name))
            .chain(played.into_iter().flatten().map(|(name, _)| name))
            .collect();
        if names.is_empty() && channels.is_none_or(|channels| !channels.is_empty()) {
            continue;
        }
        o.entry(resource, |w| {
            w.object(|o| {
                names.into_iter().try_for_each(|name| {
                    if let Some(played) = played.and_then(|played| played.get(name)) {
                        return o.entry(name, |w| w.object(|o| spline(o, Some((played, Mute::NONE)), None)));
                    }
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
