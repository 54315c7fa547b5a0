//! The handles of the slopes of selected keys: one on each side with a smooth curve, a third of the way to the next key.

use super::curves::{Curve, Curves, KeyDot};
use super::paint::ink;
use super::samples::Samples;
use super::value::ValueScale;
use crate::anim::channel::{Channel, Value};
use crate::anim::mode::{Slope, Slopes};
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, KeySlopes};
use crate::edit::request::Request;
use crate::edit::session::Session;
use crate::edit::time::timeline::KeySelection;
use crate::editor::panels::timeline::lines::Line;
use crate::editor::panels::timeline::time::{Scale, frame_text};
use crate::editor::ui::theme;
use crate::scene::Scene;
use egui::accesskit::{self, Role};
use egui::{Id, Painter, Pos2, Rect, Stroke, Ui, pos2, vec2};

/// The part of the way to the next key at which a handle is.
const PART: f32 = 1.0 / 3.0;
/// The least part of the way to the next key that a handle is away from its own.
const LEAST_PART: f32 = 0.02;
const RADIUS: f32 = 3.5;
/// The distance within which the pointer hits a handle, in points.
const REACH: f32 = 6.0;
/// Handles are shown as long as there are no more.
const MOST: usize = 200;

/// A handle of a slope.
#[derive(Clone)]
pub struct Handle {
    pub dot: KeyDot,
    /// 0 for the slope before the key, 1 for that behind it.
    pub side: usize,
    /// The frames to the next key on that side, negative before the key.
    span: f32,
    /// The places of the key and of the handle.
    key: Pos2,
    place: Pos2,
}

/// Returns the frames of the keys before and behind the one at an index, on the sides on which it has a slope of its own.
fn neighbors(samples: &Samples, index: usize) -> [Option<f32>; 2] {
    let before =
        index.checked_sub(1).filter(|&before| samples.modes.get(before).is_some_and(|mode| mode.is_cubic()));
    let after = Some(index + 1).filter(|_| samples.modes.get(index).is_some_and(|mode| mode.is_cubic()));
    [before, after].map(|other| Some(samples.keys.get(other?)?.0))
}

/// Returns the slopes of a key, on the sides on which it has one of its own.
pub fn of_key(samples: &Samples, channel: &Channel, dot: &KeyDot) -> [Option<f32>; 2] {
    let index = samples.keys.partition_point(|key| key.0 < dot.frame);
    let slopes = channel.slopes(dot.frame);
    let sides = neighbors(samples, index);
    std::array::from_fn(|side| sides[side].and(slopes?[side].component(dot.component)))
}

/// Returns the command that gives one side of a key a slope; the other keeps that which it has.
pub fn set(channel: &Channel, dot: &KeyDot, side: usize, slope: f32) -> Option<KeyCommand> {
    let (current, chosen) = (channel.slopes(dot.frame)?, channel.key_shape(dot.frame)?.slopes);
    let mut sides = [chosen.arrive, chosen.leave];
    sides[1 - side] = sides[1 - side].or(Some(Slope::Set(current[1 - side])));
    sides[side] = Some(Slope::Set(current[side].with_component(dot.component, slope)?));
    let [arrive, leave] = sides;
    let slopes = Slopes { arrive, leave };
    Some(KeyCommand::SetSlopes {
        keys: vec![KeySlopes { channel: dot.channel.clone(), frame: dot.frame, slopes }],
    })
}

/// Returns the handles of the selected keys; on the curves of the active component, if there is an active key.
pub fn handles(
    curves: &Curves,
    scene: &Scene,
    keys: &KeySelection,
    active: Option<&KeyDot>,
    scale: &Scale,
    values: &ValueScale,
) -> Vec<Handle> {
    let mut handles = Vec::new();
    let is_shown = |curve: &Curve| active.is_none_or(|active| active.component == curve.component);
    for (curve, samples) in
        curves.sampled().filter(|(curve, samples)| is_shown(curve) && samples.can_change())
    {
        let frames = keys.frames_of(&curve.channel);
        let Some(channel) = scene.animation.get(&curve.channel) else { continue };
        for frame in frames {
            add(&mut handles, curve, samples, channel, *frame, scale, values);
            if handles.len() > MOST {
                return Vec::new();
            }
        }
    }
    handles
}

fn add(
    handles: &mut Vec<Handle>,
    curve: &Curve,
    samples: &Samples,
    channel: &Channel,
    frame: f32,
    scale: &Scale,
    values: &ValueScale,
) {
    let index = samples.keys.partition_point(|key| key.0 < frame);
    let (Some(&(time, numbers)), Some(slopes)) = (samples.keys.get(index), channel.slopes(frame)) else {
        return;
    };
    let value = numbers[curve.component];
    for (side, other) in neighbors(samples, index).into_iter().enumerate() {
        let Some(other) = other else { continue };
        let span = other - time;
        let slope = slopes[side].component(curve.component).unwrap_or(0.0);
        let place =
            |ahead: f32| pos2(scale.x(time + ahead), values.y(curve.normal.shown(value + slope * ahead)));
        let dot = curve.dot(time);
        handles.push(Handle { dot, side, span, key: place(0.0), place: place(span * PART) });
    }
}

pub fn handle_under(handles: &[Handle], point: Pos2) -> Option<&Handle> {
    let distance = |handle: &&Handle| handle.place.distance(point);
    let near = handles.iter().filter(|handle| distance(handle) <= REACH);
    near.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Draws the handles, each named such as "thigh.L x, frame 12, slope before".
pub fn paint_handles(
    ui: &Ui,
    painter: &Painter,
    handles: &[Handle],
    curves: &Curves,
    lines: &[Line],
    hovered: Option<Pos2>,
) {
    let hovered = hovered.and_then(|point| handle_under(handles, point)).map(|handle| handle.place);
    for Handle { dot, side, key, place, .. } in handles {
        let Some(curve) = curves.find(dot) else { continue };
        let color = if hovered == Some(*place) { *theme::TEXT_STRONG } else { ink(curve) };
        painter.line_segment([*key, *place], Stroke::new(1.0, color));
        // Hollow, since keys are filled.
        painter.circle(*place, RADIUS, *theme::PANEL, Stroke::new(1.0, color));
        let Some(line) = lines.get(curve.line).filter(|_| painter.clip_rect().contains(*place)) else {
            continue;
        };
        let id = Id::new(("slope", &dot.channel, dot.component, dot.frame.to_bits(), side));
        ui.ctx().accesskit_node_builder(id, |node| {
            let frame = frame_text(dot.frame, &Default::default(), false);
            let text = ["slope before", "slope behind"][*side];
            node.set_role(Role::Button);
            node.set_label(format!("{}, frame {frame}, {text}", curve.name(line)));
            let rect = Rect::from_center_size(*place, vec2(2.0 * RADIUS, 2.0 * RADIUS));
            node.set_bounds(accesskit::Rect {
                x0: rect.left().into(),
                y0: rect.top().into(),
                x1: rect.right().into(),
                y1: rect.bottom().into(),
            });
        });
    }
}

/// A drag of a handle: a transaction that results in one undo step.
pub struct SlopeDrag {
    handle: Handle,
    /// The value of the key.
    value: f32,
    /// The slopes at the start: those that were set, and those of the curve.
    set: Slopes<Value>,
    slopes: [Value; 2],
    /// The slope of the component so far.
    slope: Option<f32>,
    /// In the graph of speeds: how far the speed was from that under the pointer at the start.
    speed_offset: Option<f32>,
    previewed: bool,
    /// Whether it was cancelled or ended elsewhere; further input is ignored until the button is released.
    pub ended: bool,
}

impl SlopeDrag {
    /// Starts a drag; `None` if the key has no slopes.
    pub fn new(handle: &Handle, scene: &Scene) -> Option<Self> {
        let channel = scene.animation.get(&handle.dot.channel)?;
        let frame = handle.dot.frame;
        Some(Self {
            value: channel.key(frame)?.component(handle.dot.component)?,
            set: channel.key_shape(frame)?.slopes,
            slopes: channel.slopes(frame)?,
            handle: handle.clone(),
            slope: None,
            speed_offset: None,
            previewed: false,
            ended: false,
        })
    }

    /// Starts a drag of a speed, from the value under the pointer; `None` if the mode of the key decides on both sides.
    pub fn of_speed(dot: KeyDot, samples: &Samples, start: f32, scene: &Scene) -> Option<Self> {
        let index = samples.keys.iter().position(|key| key.0 == dot.frame)?;
        let side = neighbors(samples, index).iter().position(Option::is_some)?;
        let speed = samples.keys[index].1[dot.component];
        let handle = Handle { dot, side, span: 0.0, key: Pos2::ZERO, place: Pos2::ZERO };
        Some(Self { speed_offset: Some(speed - start), ..Self::new(&handle, scene)? })
    }

    pub fn dot(&self) -> &KeyDot {
        &self.handle.dot
    }

    /// Whether a slope was set that differs from that on the other side, so that both go on moving alone.
    fn is_broken(&self) -> bool {
        let [before, behind] =
            self.slopes.map(|slope| slope.component(self.handle.dot.component).unwrap_or(0.0));
        self.set.is_free() && (before - behind).abs() > 1e-4 * before.abs().max(1.0)
    }

    /// Returns the command that gives the key this slope: on both sides, or `alone` on that of the handle.
    fn command(&self, slope: f32, alone: bool) -> Option<KeyCommand> {
        let Handle { dot, side, .. } = &self.handle;
        let new = |side: usize| self.slopes[side].with_component(dot.component, slope);
        let mut sides = [self.set.arrive, self.set.leave];
        for (index, slope) in sides.iter_mut().enumerate() {
            if index == *side || self.speed_offset.is_some() || !(alone || self.is_broken()) {
                *slope = Some(Slope::Set(new(index)?));
            }
        }
        let [arrive, leave] = sides;
        let (channel, frame) = (dot.channel.clone(), dot.frame);
        Some(KeyCommand::SetSlopes {
            keys: vec![KeySlopes { channel, frame, slopes: Slopes { arrive, leave } }],
        })
    }

    /// Updates the preview for the pointer at a frame and value, or speed.
    pub fn follow(&mut self, session: &Session, frame: f32, value: f32, alone: bool, out: &mut Vec<Request>) {
        // The transaction may have been ended elsewhere.
        self.ended |= self.previewed && !session.in_transaction();
        let least = self.handle.span.abs() * LEAST_PART;
        let ahead = ((frame - self.handle.dot.frame) * self.handle.span.signum()).max(least);
        let slope = match self.speed_offset {
            Some(offset) => value + offset,
            None => (value - self.value) / (ahead * self.handle.span.signum()),
        };
        if self.ended || !slope.is_finite() || self.slope == Some(slope) {
            return;
        }
        self.slope = Some(slope);
        if let Some(command) = self.command(slope, alone) {
            self.previewed = true;
            out.push(Request::Preview(vec![Command::Keys(command)]));
        }
    }

    /// The slope so far, in value per frame.
    pub fn slope(&self) -> Option<f32> {
        self.slope
    }

    pub fn commit(&mut self, out: &mut Vec<Request>) {
        if self.previewed && !self.ended {
            out.push(Request::Commit);
        }
        self.ended = true;
    }

    pub fn cancel(&mut self, out: &mut Vec<Request>) {
        if self.previewed && !self.ended {
            out.push(Request::Cancel);
        }
        self.ended = true;
    }
}
