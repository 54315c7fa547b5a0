//! Writes splines, one knot per line.

use super::super::WriteError;
use super::super::curve;
use super::super::spline::MUTED;
use super::object::{Object, Writer};
use crate::anim::bake::fingerprint;
use crate::anim::channel::Channel;
use crate::anim::mode::Slope;
use crate::anim::mute::Mute;
use crate::anim::spline::{Interpolate, Spline};
use crate::extra::Extra;
use serde_json::json;

/// Writes the members of a spline.
pub fn spline(
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
                    Some(Slope::Set(slope)) => value(w, &slope)?,
                    Some(Slope::Of(mode)) => w.text(mode.name()),
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
