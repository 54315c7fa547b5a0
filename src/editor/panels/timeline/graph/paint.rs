//! Draws the curves with their keys, and the lines and numbers of values; names the keys for screen readers.

use super::curves::{Curve, Curves, KeyDot, SampleCache};
use super::samples::{Drawn, Samples};
use super::value::ValueScale;
use crate::edit::time::timeline::KeySelection;
use crate::editor::panels::timeline::key_shape::{KeyMark, paint_key};
use crate::editor::panels::timeline::lines::Line;
use crate::editor::panels::timeline::time::{Scale, frame_text};
use crate::editor::ui::theme;
use crate::scene::Scene;
use egui::accesskit::{self, Role, Toggled};
use egui::{Align2, Color32, FontId, Id, Painter, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};

/// Half the width of a key.
const HALF: f32 = 4.5;
/// Keys of a curve nearer to each other than this are drawn as one, in points.
const MIN_DISTANCE: f32 = 2.5;
/// The greatest number of keys that are drawn: selected ones first, then those of the active part.
const MOST_DOTS: usize = 1200;

/// Draws lines at round values, and a stronger one at 0.
pub fn paint_grid(painter: &Painter, rect: Rect, values: &ValueScale) {
    for (value, _) in values.ticks() {
        let color = if value == 0.0 { theme::EDGE } else { theme::sheet::GRID };
        painter.hline(rect.x_range(), values.y(value).round() + 0.5, Stroke::new(1.0, color));
    }
}

/// Draws the numbers of round values at the left edge.
pub fn paint_numbers(painter: &Painter, rect: Rect, values: &ValueScale, unit: &str) {
    let font = FontId::proportional(theme::SMALL);
    for (value, text) in values.ticks() {
        let y = values.y(value);
        // Below its line where there is no room above it.
        let align = if y - theme::SMALL < rect.top() { Align2::LEFT_TOP } else { Align2::LEFT_BOTTOM };
        let text = format!("{text}{unit}");
        painter.text(pos2(rect.left() + 4.0, y - 1.0), align, text, font.clone(), *theme::TEXT_QUIET);
    }
}

/// Draws what the numbers are, at the top.
pub fn paint_caption(painter: &Painter, rect: Rect, text: &str) {
    let font = FontId::proportional(theme::SMALL);
    painter.text(rect.right_top() + vec2(-6.0, 4.0), Align2::RIGHT_TOP, text, font, *theme::TEXT_QUIET);
}

/// Returns the colour of a curve: that of its axis, lighter for parts that are not active.
pub fn ink(curve: &Curve) -> Color32 {
    let color = match curve.is_single {
        true => *theme::sheet::KEY,
        false => theme::AXIS_LETTERS.get(curve.component).map_or(*theme::sheet::KEY, |axis| **axis),
    };
    match (curve.is_muted || curve.is_locked, curve.is_active) {
        (true, _) => color.gamma_multiply(0.3),
        (false, false) => color.gamma_multiply(0.5),
        (false, true) => color,
    }
}

/// Draws a line with dashes; if there are many, a fainter one without.
fn paint_dashed(painter: &Painter, line: &[Pos2], stroke: Stroke, are_few: bool) {
    if are_few {
        painter.extend(Shape::dashed_line(line, stroke, 4.0, 4.0));
    } else if line.len() > 1 {
        painter.add(Shape::line(line.to_vec(), Stroke::new(stroke.width, stroke.color.gamma_multiply(0.5))));
    }
}

/// Draws the curves, dashed where they have no keys; the one with the index `hovered` is wider.
pub fn paint_curves(painter: &Painter, curves: &Curves, hovered: Option<usize>) {
    let are_few = curves.are_few();
    for (index, (curve, samples)) in curves.sampled().enumerate() {
        let width = if hovered == Some(index) { 2.5 } else { 1.5 };
        let color = ink(curve);
        for line in samples.repeated_lines(curve.component) {
            paint_dashed(painter, line, Stroke::new(1.0, color.gamma_multiply(0.45)), are_few);
        }
        for line in samples.beyond(curve.component) {
            paint_dashed(painter, line, Stroke::new(1.0, color.gamma_multiply(0.8)), are_few);
        }
        let line = samples.line(curve.component).to_vec();
        painter.add(Shape::line(line, Stroke::new(width, color)));
    }
}

/// Draws the curves that differ from those of `scene` as they are there; their speeds, if `are_speeds`.
pub fn paint_ghosts(
    painter: &Painter,
    curves: &Curves,
    (scene, are_speeds): (&Scene, bool),
    ghosts: &mut SampleCache,
    scale: &Scale,
    values: &ValueScale,
) {
    for (curve, samples) in curves.sampled() {
        let Some(before) =
            scene.animation.get(&curve.channel).filter(|before| !samples.is_from(before, are_speeds))
        else {
            continue;
        };
        let ghost = ghosts.update(&curve.channel, before, are_speeds);
        ghost.sample(curves.columns(curve, scale));
        ghost.update_line(curve.component, Drawn { normal: curve.normal, values: *values, cycle: None });
        let stroke = Stroke::new(1.0, ink(curve).gamma_multiply(0.6));
        paint_dashed(painter, ghost.line(curve.component), stroke, curves.are_few());
    }
}

/// A key to be drawn.
struct Dot<'a> {
    curve: &'a Curve,
    key: usize,
    samples: &'a Samples,
    center: Pos2,
    is_selected: bool,
}

/// Returns the visible keys, in the order in which they are drawn: as many as there is time for. Keys that would be drawn over
/// each other are left out.
fn dots<'a>(
    curves: &'a Curves,
    keys: &KeySelection,
    rect: Rect,
    scale: &Scale,
    values: &ValueScale,
) -> Vec<Dot<'a>> {
    let [first, last] = [rect.left() - HALF, rect.right() + HALF].map(|x| scale.frame(x));
    let visible = rect.expand(HALF);
    let mut dots = Vec::new();
    for selected in [true, false] {
        for (curve, samples) in curves.sampled().rev() {
            let chosen = keys.frames_of(&curve.channel);
            let is_selected = |frame: f32| chosen.binary_search_by(|other| other.total_cmp(&frame)).is_ok();
            let key = |frame: f32| samples.keys.partition_point(|key| key.0 < frame);
            let mut next = match chosen.first() {
                Some(frame) if selected => key(frame.max(first)),
                None if selected => continue,
                _ => key(first),
            };
            let end = match chosen.last() {
                Some(frame) if selected => key(last.min(*frame).next_up()),
                _ => key(last.next_up()),
            };
            // Many keys per point: one for each place is enough, however far apart their values are.
            let is_dense = (end.saturating_sub(next)) as f32 * MIN_DISTANCE > 2.0 * rect.width();
            let mut previous = Pos2::new(f32::NEG_INFINITY, 0.0);
            while next < end && dots.len() < MOST_DOTS {
                let index = next;
                let (frame, numbers) = samples.keys[index];
                next += 1;
                let center = pos2(scale.x(frame), values.y(curve.normal.shown(numbers[curve.component])));
                if is_selected(frame) != selected || previous.distance(center) < MIN_DISTANCE {
                    continue;
                }
                previous = center;
                if is_dense {
                    let far = scale.frame(center.x + 2.0 * HALF);
                    next += samples.keys[next..end].partition_point(|key| key.0 < far);
                }
                if visible.contains(center) {
                    dots.push(Dot { curve, key: index, samples, center, is_selected: selected });
                }
            }
        }
    }
    dots.reverse();
    dots
}

/// The place of the keys, and what is special about some of them.
pub struct KeyMarks<'a> {
    pub rect: Rect,
    pub keys: &'a KeySelection,
    pub hovered: Option<&'a KeyDot>,
    pub active: Option<&'a KeyDot>,
}

/// Draws the keys, each named such as "thigh.L x, frame 12, 34°".
pub fn paint_keys(
    ui: &Ui,
    painter: &Painter,
    curves: &Curves,
    lines: &[Line],
    scale: &Scale,
    values: &ValueScale,
    marks: &KeyMarks,
) {
    for dot in dots(curves, marks.keys, marks.rect, scale, values) {
        let Dot { curve, key, samples, center, is_selected } = dot;
        let (frame, numbers) = samples.keys[key];
        let is_one =
            |other: Option<&KeyDot>| other.is_some_and(|other| other.frame == frame && curve.has(other));
        let mark = KeyMark {
            mode: samples.modes.get(key).copied(),
            state: Some(is_selected),
            hovered: is_one(marks.hovered),
            ink: ink(curve),
            half: HALF,
        };
        if is_one(marks.active) {
            painter.circle_stroke(center, HALF + 3.5, Stroke::new(1.5, theme::ACCENT));
        }
        paint_key(painter, center, &mark);
        let Some(line) = lines.get(curve.line) else { continue };
        let id = Id::new(("key of a curve", &curve.channel, curve.component, frame.to_bits()));
        ui.ctx().accesskit_node_builder(id, |node| {
            let value = curve.text(numbers[curve.component]);
            let frame = frame_text(frame, &Default::default(), false);
            node.set_role(Role::CheckBox);
            node.set_label(format!("{}, frame {frame}, {value}", curve.name(line)));
            if let Some(mode) = mark.mode {
                node.set_description(mode.text());
            }
            node.set_toggled(if is_selected { Toggled::True } else { Toggled::False });
            let rect = Rect::from_center_size(center, vec2(2.0 * HALF, 2.0 * HALF));
            node.set_bounds(accesskit::Rect {
                x0: rect.left().into(),
                y0: rect.top().into(),
                x1: rect.right().into(),
                y1: rect.bottom().into(),
            });
        });
    }
}
