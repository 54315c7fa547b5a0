//! The switches at the right end of a row name that mute its channels, or one component of its channel.

use super::lines::Line;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::scene::Scene;
use egui::{Align2, FontId, Id, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

const ICON: f32 = 18.0;
pub const LETTER: f32 = 13.0;

/// The switches of a row that are visible.
#[derive(Clone, Copy, Default)]
pub struct VisibleSwitches {
    whole: bool,
    components: [bool; 3],
}

impl VisibleSwitches {
    /// Returns all switches if the pointer is over the row, otherwise those that are on; the letters of a row
    /// that is muted as a whole are hidden.
    pub fn new(ui: &Ui, line: &Line, rect: Rect) -> Self {
        let row = &line.row;
        if row.keys.is_empty() {
            return Self::default();
        }
        let hovered = ui.rect_contains_pointer(rect);
        Self {
            whole: hovered || row.muted,
            components: row
                .muted_components
                .map_or([false; 3], |muted| muted.map(|muted| hovered || muted && !row.muted)),
        }
    }

    /// The width that they need, in points.
    pub fn width(self) -> f32 {
        match self.components.iter().position(|visible| *visible) {
            Some(first) => ICON + (3 - first) as f32 * LETTER + theme::SMALL_GAP,
            None if self.whole => ICON,
            None => 0.0,
        }
    }
}

/// Draws the switches of a row whose name is in `rect`.
pub fn mute_ui(
    ui: &Ui,
    scene: &Scene,
    line: &Line,
    rect: Rect,
    visible: VisibleSwitches,
    out: &mut Vec<Request>,
) {
    let row = &line.row;
    if row.keys.is_empty() {
        return;
    }
    let mut toggle = |component| {
        let command = Command::Keys(row.toggled_mute(scene, component));
        out.push(Request::Apply(vec![command]));
    };
    let switch_rect = |right: f32, width: f32| {
        Rect::from_min_size(pos2(right - width, rect.top()), vec2(width, rect.height()))
    };
    let end = rect.right() - 2.0;
    let whole = Switch {
        label: format!("Mute {}", line.name),
        glyph: if row.muted { icons::MUTED } else { icons::UNMUTED },
        axis: None,
        is_on: row.muted,
        is_struck: false,
        visible: visible.whole,
        tooltip: if row.muted {
            "Muted: its keys have no effect. Click to unmute it."
        } else {
            "Mute: its keys stay, but have no effect."
        },
    };
    if whole.ui(ui, switch_rect(end, ICON)) {
        toggle(None);
    }
    let Some(muted) = row.muted_components else {
        return;
    };
    for (axis, name) in theme::AXIS_NAMES.into_iter().enumerate() {
        let letter = Switch {
            label: format!("Mute {} {name}", line.name),
            glyph: name,
            axis: Some(axis),
            is_on: muted[axis],
            is_struck: muted[axis],
            visible: visible.components[axis],
            tooltip: if muted[axis] {
                "This component is muted. Click to unmute it."
            } else {
                "Mute this component alone."
            },
        };
        let right = end - ICON - (2 - axis) as f32 * LETTER;
        if letter.ui(ui, switch_rect(right, LETTER)) {
            toggle(Some(axis));
        }
    }
}

/// A small switch in a row.
pub struct Switch<'a> {
    pub label: String,
    pub glyph: &'a str,
    /// The component that a letter stands for; `None` for the icon.
    pub axis: Option<usize>,
    pub is_on: bool,
    /// Whether a letter is struck through.
    pub is_struck: bool,
    pub visible: bool,
    pub tooltip: &'a str,
}

impl Switch<'_> {
    /// Draws the switch. Returns whether it was clicked.
    pub fn ui(&self, ui: &Ui, rect: Rect) -> bool {
        let response = ui.interact(rect, Id::new(("sheet switch", &self.label)), Sense::CLICK);
        response.widget_info(|| {
            WidgetInfo::selected(WidgetType::Checkbox, ui.is_enabled(), self.is_on, &self.label)
        });
        if self.visible && ui.is_rect_visible(rect) {
            let color = match self.axis {
                _ if response.hovered() => *theme::TEXT_STRONG,
                None if self.is_on => *theme::WARNING,
                Some(axis) if !self.is_struck => *theme::AXIS_LETTERS[axis],
                _ => *theme::TEXT_QUIET,
            };
            let painter = ui.painter();
            if response.hovered() {
                painter.rect_filled(rect.shrink2(vec2(0.0, 2.0)), theme::RADIUS, theme::CONTROL_HOVER);
            }
            let font = FontId::proportional(theme::BODY);
            painter.text(rect.center(), Align2::CENTER_CENTER, self.glyph, font, color);
            if self.is_struck {
                let reach = vec2(4.5, -5.5);
                let ends = [rect.center() - reach, rect.center() + reach];
                painter.line_segment(ends, (1.5, theme::WARNING));
            }
        }
        response.tip(self.tooltip).clicked()
    }
}
