//! What is under the pointer, or in a box: keys and curves.

use super::curves::{Curves, KeyDot};
use super::value::ValueScale;
use crate::edit::command::keys::ChannelKeys;
use crate::edit::time::timeline::KeySelection;
use crate::editor::panels::timeline::time::Scale;
use crate::math::outline::is_inside;
use egui::{Pos2, Rect, pos2};
use glam::Vec2;
use std::ops::RangeInclusive;

/// The distance within which the pointer hits a key, and a curve, in points.
const KEY_REACH: f32 = 7.0;
const CURVE_REACH: f32 = 5.0;

/// Finds the key nearest to `point`; of equally near ones, that of the active part.
pub fn key_under(curves: &Curves, scale: &Scale, values: &ValueScale, point: Pos2) -> Option<KeyDot> {
    let frame = scale.frame(point.x);
    let reach = scale.frames(KEY_REACH);
    let mut best: Option<(f32, KeyDot)> = None;
    for (curve, samples) in curves.free().rev() {
        let first = samples.keys.partition_point(|key| key.0 < frame - reach);
        let near = samples.keys[first..].iter().take_while(|key| key.0 <= frame + reach);
        for (frame, numbers) in near {
            let place = pos2(scale.x(*frame), values.y(curve.normal.shown(numbers[curve.component])));
            let distance = place.distance(point);
            if distance <= KEY_REACH && best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, curve.dot(*frame)));
            }
        }
    }
    best.map(|(_, dot)| dot)
}

/// Finds the selected key nearest to `point`.
pub fn nearest_of(
    curves: &Curves,
    keys: &KeySelection,
    scale: &Scale,
    values: &ValueScale,
    point: Pos2,
) -> Option<KeyDot> {
    let dots = curves.free().flat_map(|(curve, samples)| {
        let selected = samples.keys.iter().filter(|(frame, _)| keys.contains(&curve.channel, *frame));
        selected.map(move |(frame, numbers)| {
            let place = pos2(scale.x(*frame), values.y(curve.normal.shown(numbers[curve.component])));
            (place.distance(point), curve.dot(*frame))
        })
    });
    dots.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, dot)| dot)
}

/// Finds the curve nearest to `point`, as an index; of equally near ones, that of the active part.
pub fn curve_under(curves: &Curves, scale: &Scale, values: &ValueScale, point: Pos2) -> Option<usize> {
    let [left, _] = scale.edges();
    let mut best: Option<(f32, usize)> = None;
    for (index, curve) in curves.all().iter().enumerate().filter(|(_, curve)| !curve.is_locked).rev() {
        let near = curves
            .samples(curve)
            .and_then(|samples| samples.near(curve.component, point.x - left, CURVE_REACH / 2.0));
        let Some([low, high]) = near.map(|range| range.map(|value| values.y(curve.normal.shown(value))))
        else {
            continue;
        };
        // The higher value has the lower y.
        let distance = (point.y - low).max(high - point.y).max(0.0);
        if distance <= CURVE_REACH && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, index));
        }
    }
    best.map(|(_, index)| index)
}

/// Finds the key before `point` on the curve under it, if there is another one behind.
pub fn interval_under(curves: &Curves, scale: &Scale, values: &ValueScale, point: Pos2) -> Option<KeyDot> {
    let curve = &curves.all()[curve_under(curves, scale, values, point)?];
    let keys = &curves.samples(curve)?.keys;
    let next = keys.partition_point(|key| key.0 <= scale.frame(point.x));
    let (frame, _) = keys.get(next.checked_sub(1)?).filter(|_| next < keys.len())?;
    Some(curve.dot(*frame))
}

/// Returns the keys with a dot in a range of frames and of shown values.
pub fn keys_inside(
    curves: &Curves,
    frames: RangeInclusive<f32>,
    shown: RangeInclusive<f32>,
) -> Vec<ChannelKeys> {
    keys_where(curves, frames, |_, value| shown.contains(&value))
}

/// Returns the keys with a dot within an outline on the screen.
pub fn keys_within(
    curves: &Curves,
    scale: &Scale,
    values: &ValueScale,
    outline: &[Pos2],
) -> Vec<ChannelKeys> {
    let bounds = Rect::from_points(outline);
    let path: Vec<Vec2> = outline.iter().map(|point| Vec2::new(point.x, point.y)).collect();
    keys_where(curves, scale.frame(bounds.left())..=scale.frame(bounds.right()), |frame, value| {
        let place = Vec2::new(scale.x(frame), values.y(value));
        bounds.y_range().contains(place.y) && is_inside(&path, place)
    })
}

/// Returns the keys in a range of frames for whose frame and shown value `is_inside` holds.
fn keys_where(
    curves: &Curves,
    frames: RangeInclusive<f32>,
    is_inside: impl Fn(f32, f32) -> bool,
) -> Vec<ChannelKeys> {
    let keys = curves.free().map(|(curve, samples)| {
        let first = samples.keys.partition_point(|key| key.0 < *frames.start());
        let near = samples.keys[first..].iter().take_while(|key| key.0 <= *frames.end());
        let inside =
            near.filter(|(frame, numbers)| is_inside(*frame, curve.normal.shown(numbers[curve.component])));
        ChannelKeys { channel: curve.channel.clone(), frames: inside.map(|(frame, _)| *frame).collect() }
    });
    keys.filter(|keys| !keys.frames.is_empty()).collect()
}
