//! Eases: how the selected keys go to the next ones, each as its curve, in the menu of keys and where a line between two keys
//! was clicked, or from the strip above the curves.

use super::action::{EASE, NO_KEYS, SheetAction, SheetRow};
use super::submenu::submenu;
use crate::anim::ease::{Curve, Ease, Side};
use crate::anim::mode::Mode;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{
    Align2, Area, Color32, FontId, Frame, Grid, Id, InputState, Key, Label, Modifiers, Order, Pos2, Rect,
    Response, RichText, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// The size of a curve, in points.
const SIZE: [f32; 2] = [40.0, 28.0];
/// The widths of the button that shows the curves, and of the part of it that says so, in points.
pub const BUTTON: f32 = 44.0;
const CARET: f32 = 14.0;
/// The points of a curve.
const STEPS: u16 = 40;

fn curve_text(curve: Curve) -> &'static str {
    match curve {
        Curve::Sine => "Sine",
        Curve::Quad => "Quad",
        Curve::Cubic => "Cubic",
        Curve::Quart => "Quart",
        Curve::Quint => "Quint",
        Curve::Expo => "Expo",
        Curve::Circ => "Circular",
        Curve::Back => "Back",
        Curve::Bounce => "Bounce",
        Curve::Elastic => "Elastic",
    }
}

/// Draws the entry of the menu, and the curves, that of `current` marked. Returns the action of the one that was clicked.
pub fn menu(ui: &mut Ui, is_enabled: bool, current: Option<Mode>) -> Option<SheetAction> {
    submenu(ui, EASE, (!is_enabled).then_some(NO_KEYS), |ui| curves(ui, current)).flatten()
}

/// The curves, shown where what is between two keys was clicked.
#[derive(Default)]
pub struct EaseChooser {
    /// The place that was clicked, while they are shown.
    at: Option<Pos2>,
}

impl EaseChooser {
    /// Shows the curves above a place, from the next frame on.
    pub fn open(&mut self, ui: &Ui, at: Pos2) {
        self.at = Some(at);
        ui.ctx().request_repaint();
    }

    pub fn close(&mut self) {
        self.at = None;
    }

    pub fn is_open(&self) -> bool {
        self.at.is_some()
    }

    /// Draws the curves, that of `current` marked, until one is clicked, whose action is returned, or Esc or a button is pressed
    /// elsewhere. They leave all other keys to the sheet, since a click between keys may also have been meant to select.
    pub fn ui(&mut self, ui: &Ui, current: Option<Mode>) -> Option<SheetAction> {
        let at = self.at?;
        let area = Area::new(Id::new("ease chooser")).order(Order::Foreground).fade_in(false);
        let area = area.pivot(Align2::CENTER_BOTTOM).fixed_pos(at - vec2(0.0, theme::ROW));
        let shown =
            area.show(ui.ctx(), |ui| Frame::popup(ui.style()).show(ui, |ui| curves(ui, current)).inner);
        let rect = shown.response.rect;
        let is_elsewhere =
            |i: &InputState| i.pointer.latest_pos().is_none_or(|pointer| !rect.contains(pointer));
        let is_left = ui.input_mut(|i| {
            i.consume_key(Modifiers::NONE, Key::Escape) || i.pointer.any_pressed() && is_elsewhere(i)
        });
        if is_left || shown.inner.is_some() {
            self.close();
        }
        shown.inner
    }
}

/// Draws a button with the curve of a mode, or of none if the selected keys differ. Returns whether it was clicked.
pub fn chooser_button(ui: &Ui, rect: Rect, mode: Option<Mode>) -> bool {
    let response = ui.interact(rect, Id::new("ease of keys"), Sense::CLICK);
    let text = mode.map_or_else(|| "different".to_owned(), Mode::text);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Ease of selected keys"));
    let painter = ui.painter();
    let fill = if response.hovered() { *theme::CONTROL_HOVER } else { Color32::TRANSPARENT };
    painter.rect_filled(rect, theme::RADIUS, fill);
    let color = theme::hover_ink(response.hovered());
    let [curve, caret] = [rect.with_max_x(rect.right() - CARET), rect.with_min_x(rect.right() - CARET)];
    if let Some(mode) = mode {
        painter.add(Shape::line(line(mode, curve.shrink2(vec2(6.0, 6.0))), Stroke::new(1.5, color)));
    }
    painter.text(
        caret.center(),
        Align2::CENTER_CENTER,
        icons::OPEN,
        FontId::proportional(theme::SMALL),
        color,
    );
    response.tip(format!("How the selected keys go to the next ones: {text}")).clicked()
}

/// Draws the curves of actions: three without an ease, then all eases. That of `current` is marked.
fn curves(ui: &mut Ui, current: Option<Mode>) -> Option<SheetAction> {
    let mut chosen = None;
    let mut row = |ui: &mut Ui, text: &str, modes: [Mode; 3]| {
        ui.label(text);
        for mode in modes {
            let action = SheetAction::Make(mode);
            if curve_button(ui, mode, current == Some(mode), action.row()).clicked() {
                chosen = Some(action);
                ui.close();
            }
        }
        ui.end_row();
    };
    let titles = |ui: &mut Ui, titles: [&str; 3]| {
        ui.label("");
        for title in titles {
            ui.vertical_centered(|ui| ui.add(Label::new(RichText::new(title).weak()).extend()));
        }
        ui.end_row();
    };
    Grid::new("eases").spacing(vec2(4.0, 2.0)).show(ui, |ui| {
        titles(ui, ["Clamped", "Linear", "Hold"]);
        row(ui, "No ease", [Mode::Clamped, Mode::Linear, Mode::Hold]);
        titles(ui, ["In", "Out", "Both"]);
        for curve in Curve::ALL {
            row(ui, curve_text(curve), Side::ALL.map(|side| Mode::Ease(Ease { curve, side })));
        }
    });
    chosen
}

fn curve_button(ui: &mut Ui, mode: Mode, is_current: bool, action: &SheetRow) -> Response {
    let (rect, response) = ui.allocate_exact_size(SIZE.into(), Sense::CLICK);
    let label = format!("Keys > {}", action.text);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, is_current, &label));
    let is_hot = response.hovered() || response.has_focus();
    let painter = ui.painter();
    painter.rect_filled(
        rect,
        3.0,
        if is_hot { theme::ACCENT.gamma_multiply(0.25) } else { theme::sheet::SPAN.gamma_multiply(0.6) },
    );
    if is_current {
        painter.rect_stroke(rect, 3.0, Stroke::new(1.0, *theme::ACCENT), StrokeKind::Inside);
    }
    let color = if is_hot { theme::TEXT_STRONG } else { theme::sheet::KEY };
    painter.add(Shape::line(line(mode, rect.shrink2(vec2(6.0, 7.0))), Stroke::new(1.5, color)));
    response.tip(action.text)
}

/// The curve of a mode from the lower left to the upper right corner; Back and Elastic go beyond.
fn line(mode: Mode, rect: Rect) -> Vec<Pos2> {
    let height = |u: f32| match mode {
        Mode::Ease(ease) => ease.at(u),
        Mode::Hold => u.floor(),
        Mode::Linear => u,
        Mode::Auto | Mode::Smooth | Mode::Clamped => u * u * (3.0 - 2.0 * u),
    };
    let point = |step: u16| {
        let u = f32::from(step) / f32::from(STEPS);
        pos2(rect.left() + u * rect.width(), rect.bottom() - height(u) * rect.height())
    };
    (0..=STEPS).map(point).collect()
}
