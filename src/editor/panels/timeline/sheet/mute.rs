//! The switches at the right end of a row's name that mute its channels, or one component of its channel.

use super::lines::Line;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::timeline::RowOf;
use crate::editor::ui::{icons, theme};
use crate::scene::Scene;
use egui::{Align2, Color32, FontId, Id, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

const ICON: f32 = 20.0;
const LETTER: f32 = 14.0;
/// A name keeps this much beside the letters.
const LEAST_NAME: f32 = 84.0;

/// Which switches are seen.
#[derive(Clone, Copy, Default)]
pub struct Seen {
    whole: bool,
    components: [bool; 3],
}

impl Seen {
    /// All where the pointer is over the row, else those that are on.
    pub fn of(ui: &Ui, line: &Line, rect: Rect) -> Self {
        let row = &line.row;
        if row.keys.is_empty() {
            return Self::default();
        }
        let hovered = ui.rect_contains_pointer(rect);
        let letters = row.muted_components.filter(|_| has_room(line, rect));
        Self {
            whole: hovered || row.muted,
            components: letters.map_or([false; 3], |muted| muted.map(|muted| hovered || muted)),
        }
    }

    /// Points that they need.
    pub fn width(self) -> f32 {
        let first = self.components.iter().position(|seen| *seen);
        match first {
            Some(first) => ICON + (3 - first) as f32 * LETTER,
            None if self.whole => ICON,
            None => 0.0,
        }
    }
}

fn has_room(line: &Line, rect: Rect) -> bool {
    let indent = f32::from(line.row.depth) * theme::INDENT;
    rect.width() - indent - ICON - 3.0 * LETTER >= LEAST_NAME
}

/// The switches of a row whose name is in `rect`.
pub fn mute_ui(ui: &Ui, scene: &Scene, line: &Line, rect: Rect, seen: Seen, out: &mut Vec<Request>) {
    let row = &line.row;
    if row.keys.is_empty() || matches!(row.of, RowOf::Orphan(_)) {
        return;
    }
    let mut toggle = |component| {
        let command = Command::Keys(row.toggled_mute(scene, component));
        out.push(Request::Apply(vec![command]));
    };
    let place = |right: f32, width: f32| {
        Rect::from_min_size(pos2(right - width, rect.top()), vec2(width, rect.height()))
    };
    let end = rect.right() - 2.0;
    let whole = Switch {
        label: format!("Mute {}", line.name),
        glyph: if row.muted { icons::MUTED } else { icons::UNMUTED },
        on: row.muted,
        seen: seen.whole,
        tooltip: match row.muted {
            true => "Muted: its keys drive nothing. Click to let them count.",
            false => "Mute: its keys stay, and drive nothing.",
        },
    };
    if whole.ui(ui, place(end, ICON)) {
        toggle(None);
    }
    let Some(muted) = row.muted_components.filter(|_| has_room(line, rect)) else {
        return;
    };
    for (axis, name) in theme::AXIS_NAMES.into_iter().enumerate() {
        let letter = Switch {
            label: format!("Mute {} {name}", line.name),
            glyph: name,
            on: muted[axis],
            seen: seen.components[axis],
            tooltip: match muted[axis] {
                true => "This component is muted. Click to let its keys count.",
                false => "Mute this component alone.",
            },
        };
        let right = end - ICON - (2 - axis) as f32 * LETTER;
        if letter.ui(ui, place(right, LETTER)) {
            toggle(Some(axis));
        }
    }
}

struct Switch<'a> {
    label: String,
    glyph: &'a str,
    on: bool,
    seen: bool,
    tooltip: &'a str,
}

impl Switch<'_> {
    /// Whether it was clicked.
    fn ui(&self, ui: &Ui, rect: Rect) -> bool {
        let response = ui.interact(rect, Id::new(("sheet switch", &self.label)), Sense::CLICK);
        response.widget_info(|| {
            WidgetInfo::selected(WidgetType::Checkbox, ui.is_enabled(), self.on, &self.label)
        });
        if self.seen && ui.is_rect_visible(rect) {
            let color = match (response.hovered(), self.on) {
                (true, _) => theme::TEXT_STRONG,
                (false, true) => theme::WARNING,
                (false, false) => theme::TEXT_QUIET,
            };
            let painter = ui.painter();
            if response.hovered() {
                painter.rect_filled(rect.shrink2(vec2(0.0, 2.0)), theme::RADIUS, theme::CONTROL_HOVER);
            }
            let font = FontId::proportional(theme::BODY);
            painter.text(rect.center(), Align2::CENTER_CENTER, self.glyph, font, color);
            if self.on && self.glyph.is_ascii() {
                struck(painter, rect, color);
            }
        }
        response.on_hover_text(self.tooltip).clicked()
    }
}

/// A line through a letter.
fn struck(painter: &egui::Painter, rect: Rect, color: Color32) {
    let x = rect.center().x;
    painter.hline(x - 6.0..=x + 6.0, rect.center().y + 1.0, (1.0, color));
}
