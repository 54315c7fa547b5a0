//! The menu of eases: how the selected keys go to the next ones, each as its curve.

use super::submenu::submenu;
use crate::anim::ease::{Curve, Ease, Side};
use crate::anim::mode::Mode;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Grid, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo, WidgetType, pos2, vec2};

/// The size of a curve, in points.
const SIZE: [f32; 2] = [40.0, 28.0];
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

/// Draws the entry of the menu, and the curves. Returns the one that was clicked.
pub fn menu(ui: &mut Ui, is_enabled: bool) -> Option<Mode> {
    let reason = "No key is selected. A right click between two keys selects the first of them.";
    submenu(ui, "Ease", (!is_enabled).then_some(reason), curves).flatten()
}

fn curves(ui: &mut Ui) -> Option<Mode> {
    let mut chosen = None;
    Grid::new("eases").spacing(vec2(4.0, 2.0)).show(ui, |ui| {
        ui.label("");
        for title in ["In", "Out", "Both"] {
            ui.vertical_centered(|ui| ui.weak(title));
        }
        ui.end_row();
        for curve in Curve::ALL {
            ui.label(curve_text(curve));
            for side in Side::ALL {
                let ease = Ease { curve, side };
                if curve_button(ui, ease).clicked() {
                    chosen = Some(Mode::Ease(ease));
                    ui.close();
                }
            }
            ui.end_row();
        }
    });
    chosen
}

fn curve_button(ui: &mut Ui, ease: Ease) -> Response {
    let (rect, response) = ui.allocate_exact_size(SIZE.into(), Sense::CLICK);
    let text = Mode::Ease(ease).text();
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, format!("Keys > {text}")));
    let is_hot = response.hovered() || response.has_focus();
    let painter = ui.painter();
    painter.rect_filled(
        rect,
        3.0,
        if is_hot { theme::ACCENT.gamma_multiply(0.25) } else { theme::sheet::SPAN.gamma_multiply(0.6) },
    );
    let color = if is_hot { theme::TEXT_STRONG } else { theme::sheet::KEY };
    painter.add(Shape::line(line(ease, rect.shrink2(vec2(6.0, 7.0))), Stroke::new(1.5, color)));
    response.tip(&text)
}

/// The curve of an ease from the lower left to the upper right corner; Back and Elastic go beyond.
fn line(ease: Ease, rect: Rect) -> Vec<egui::Pos2> {
    let point = |step: u16| {
        let u = f32::from(step) / f32::from(STEPS);
        pos2(rect.left() + u * rect.width(), rect.bottom() - ease.at(u) * rect.height())
    };
    (0..=STEPS).map(point).collect()
}
