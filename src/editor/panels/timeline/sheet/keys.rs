//! The keys of a row, with bars where the value is constant.
//! Draws the visible ones, names them for screen readers, and finds the one under the pointer.

use crate::anim::mode::Mode;
use crate::edit::command::keys::owner;
use crate::edit::settings::view::View;
use crate::edit::time::keying;
use crate::edit::time::timeline::RowSubject;
use crate::editor::panels::timeline::KeysState;
use crate::editor::panels::timeline::key_shape::{HALF, KeyMark, paint_key};
use crate::editor::panels::timeline::lines::{Line, channel_text};
use crate::editor::panels::timeline::time::{Scale, frame_text};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use egui::accesskit::{Role, Toggled};
use egui::{Id, Pos2, Rect, Stroke, Ui, pos2, vec2};
use std::collections::BTreeSet;

/// Half the height of a bar.
const BAR_HALF: f32 = 3.0;
/// The distance within which the pointer hits a key, in points.
pub const REACH: f32 = 7.0;
/// Keys nearer to each other than this are drawn as one, in points.
const MIN_DISTANCE: f32 = 2.5;

/// A key, by its row and frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyHit {
    pub line: usize,
    pub frame: f32,
}

/// Finds the key under `point`, given the visible rows and the areas of their keys.
pub fn key_under(lines: &[Line], places: &[(usize, Rect)], scale: &Scale, point: Pos2) -> Option<KeyHit> {
    let (line, _) = *places.iter().find(|(_, rect)| rect.contains(point))?;
    let frame = lines[line].row.key_at(scale.frame(point.x), scale.frames(REACH))?;
    Some(KeyHit { line, frame })
}

/// Finds the key before `point` if there is another one behind it in the same row.
pub fn interval_under(
    lines: &[Line],
    places: &[(usize, Rect)],
    scale: &Scale,
    point: Pos2,
) -> Option<KeyHit> {
    let (line, _) = *places.iter().find(|(_, rect)| rect.contains(point))?;
    let keys = &lines[line].row.keys;
    let next = keys.partition_point(|key| *key <= scale.frame(point.x));
    let frame = *keys.get(next.checked_sub(1)?).filter(|_| next < keys.len())?;
    Some(KeyHit { line, frame })
}

/// What is under the pointer in the sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    Key(KeyHit),
    /// The line from this key to the next one.
    Interval(KeyHit),
}

impl Hit {
    /// Finds the key of the row in `rect` under `point`, or else the interval whose line is near it.
    pub fn under(lines: &[Line], line: usize, rect: Rect, scale: &Scale, point: Pos2) -> Option<Self> {
        let places = [(line, rect)];
        let is_near_line = (point.y - rect.center().y).abs() <= REACH;
        let interval = || interval_under(lines, &places, scale, point).filter(|_| is_near_line);
        let key = key_under(lines, &places, scale, point).map(Self::Key);
        key.or_else(|| interval().map(Self::Interval))
    }
}

/// Draws the visible keys of a row in `rect`, clipped to `bounds`.
pub fn paint_row(ui: &Ui, line: &Line, rect: Rect, bounds: Rect, scale: &Scale, hovered: Option<Hit>) {
    let painter = ui.painter_at(rect.intersect(bounds));
    let keys = &line.row.keys;
    let [first, last] = [rect.left() - HALF, rect.right() + HALF].map(|x| scale.frame(x));
    if let [start, .., end] = keys[..] {
        let y = rect.center().y.round();
        let span = [start, end].map(|frame| scale.x(frame).clamp(rect.left(), rect.right()));
        let stroke = Stroke::new(2.0, theme::sheet::SPAN);
        painter.hline(span[0]..=span[1], y, stroke);
    }
    let from = keys.partition_point(|key| *key < first);
    let to = keys.partition_point(|key| *key <= last);
    // One bar over all keys between which nothing changes.
    let mut start = None;
    for index in from.saturating_sub(1)..(to + 1).min(keys.len()) {
        let is_flat = index < to && index + 1 < keys.len() && line.row.flat.get(index) == Some(&true);
        if is_flat {
            start = start.or(Some(index));
        } else if let Some(start) = start.take() {
            let span = [start, index].map(|key: usize| scale.x(keys[key]).clamp(rect.left(), rect.right()));
            let y = rect.center().y.round();
            let bar = Rect::from_x_y_ranges(span[0]..=span[1], y - BAR_HALF..=y + BAR_HALF);
            painter.rect_filled(bar, 0.0, theme::sheet::KEY.gamma_multiply(0.45));
        }
    }
    let hovered_key = match hovered {
        Some(Hit::Key(key)) => Some(key.frame),
        Some(Hit::Interval(key)) => {
            let span = [key.frame, next_key(line, key.frame)].map(|frame| scale.x(frame));
            let [from, to] = span.map(|x| x.clamp(rect.left(), rect.right()));
            painter.hline(from..=to, rect.center().y.round(), Stroke::new(2.0, theme::TEXT_STRONG));
            None
        }
        None => None,
    };
    let mut before: Option<(f32, Option<bool>)> = None;
    let shown = keys[from..to].iter().zip(&line.states[from..to]);
    for ((&frame, &state), &mode) in shown.zip(&line.row.modes[from..to]) {
        let x = scale.x(frame);
        let is_hovered = hovered_key == Some(frame);
        if before.is_some_and(|(other_x, other_state)| x - other_x < MIN_DISTANCE && other_state == state)
            && !is_hovered
        {
            continue;
        }
        before = Some((x, state));
        let ink = if line.row.muted { theme::sheet::KEY_MUTED } else { theme::sheet::KEY };
        let mark = KeyMark { mode, state, hovered: is_hovered, ink: *ink, half: HALF };
        paint_key(&painter, pos2(x.round() + 0.5, rect.center().y.round()), &mark);
        name_key(
            ui,
            line,
            frame,
            state,
            mode,
            Rect::from_center_size(pos2(x, rect.center().y), vec2(11.0, 11.0)),
        );
    }
}

/// Names a key for screen readers: "Key Hand.L 12".
fn name_key(ui: &Ui, line: &Line, frame: f32, state: Option<bool>, mode: Option<Mode>, rect: Rect) {
    let id = Id::new(("timeline key", &line.name, frame.to_bits()));
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_role(Role::CheckBox);
        node.set_label(format!("Key {} {frame}", line.name));
        if let Some(mode) = mode {
            node.set_description(mode.text());
        }
        node.set_toggled(match state {
            Some(true) => Toggled::True,
            Some(false) => Toggled::False,
            None => Toggled::Mixed,
        });
        node.set_bounds(egui::accesskit::Rect {
            x0: rect.left().into(),
            y0: rect.top().into(),
            x1: rect.right().into(),
            y1: rect.bottom().into(),
        });
    });
}

/// Returns the frame of the key after one; its own if it is the last one.
fn next_key(line: &Line, frame: f32) -> f32 {
    let next = line.row.keys.partition_point(|key| *key <= frame);
    line.row.keys.get(next).copied().unwrap_or(frame)
}

/// Draws the tooltip of what is between two keys.
pub fn interval_tooltip(ui: &mut Ui, view: &View, state: &KeysState, key: KeyHit) {
    let clip = view.session.scene().animation.clip;
    let Some(line) = state.lines.all().get(key.line) else { return };
    let [from, to] = [key.frame, next_key(line, key.frame)].map(|frame| frame_text(frame, &clip, false));
    ui.horizontal(|ui| {
        ui.strong(shorten(&line.row.label));
        ui.weak(format!("frames {from} to {to}"));
    });
    ui.weak(mode_text(line, key.frame));
    ui.weak("Click to choose how it goes on, such as an ease.");
}

/// Tells how a curve goes on after a key.
fn mode_text(line: &Line, frame: f32) -> String {
    let index = line.row.keys.iter().position(|key| *key == frame);
    match index.and_then(|index| line.row.modes.get(index).copied().flatten()) {
        Some(mode @ Mode::Ease(_)) => format!("To the next key: {}.", mode.text()),
        Some(Mode::Hold) => "Holds up to the next key.".into(),
        Some(Mode::Linear) => "Straight to the next key.".into(),
        Some(Mode::Clamped) => "Smooth to the next key, within both values.".into(),
        Some(_) => "Smooth to the next key, and beyond where it turns.".into(),
        None => "Its channels interpolate to the next key in different ways.".into(),
    }
}

/// Draws the tooltip of a key.
pub fn tooltip(ui: &mut Ui, view: &View, state: &KeysState, key: KeyHit) {
    let scene = view.session.scene();
    let clip = scene.animation.clip;
    let Some(line) = state.lines.all().get(key.line) else {
        return;
    };
    ui.horizontal(|ui| {
        ui.strong(shorten(&line.row.label));
        ui.weak(format!(
            "frame {}, {}",
            frame_text(key.frame, &clip, false),
            frame_text(key.frame, &clip, true)
        ));
    });
    let keys = keying::keys_at(scene, &line.row.channels, key.frame);
    let is_single_object = matches!(
        line.row.subject,
        RowSubject::Part { .. } | RowSubject::Layer { .. } | RowSubject::Orphan(_)
    );
    let names: BTreeSet<String> = keys
        .iter()
        .map(|keys| match is_single_object {
            true => channel_text(&keys.channel.channel),
            false if keys.channel.resource == line.row.label => match owner(&keys.channel, scene) {
                owner if owner == line.row.label => channel_text(&keys.channel.channel),
                owner => owner,
            },
            false => owner(&keys.channel, scene),
        })
        .collect();
    let mut text: Vec<String> = names.iter().take(12).map(|name| shorten(name)).collect();
    if names.len() > 12 {
        text.push(format!("{} more", names.len() - 12));
    }
    ui.label(text.join(", "));
    ui.weak(mode_text(line, key.frame));
    ui.weak("Drag to move, Shift+click to select more, double-click to go there.");
}
