//! Shows in fields whether their value is keyed: by the background colour, and by a sign for users who cannot
//! distinguish the colours.

use super::theme;
use crate::edit::time::key_state::KeyState;
use crate::editor::ui::tooltip::Tip;
use egui::{Checkbox, Color32, Painter, Pos2, Response, Shape, Stroke, Ui, pos2, vec2};

/// The colours of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldStyle {
    pub fill: Color32,
    pub edge: Color32,
    pub text: Color32,
    /// The colour of a field whose values differ.
    pub mixed: Color32,
    /// The colours of the letters x, y, z.
    pub letters: [Color32; 3],
    pub sign: Color32,
}

/// Returns the style of a field, at rest or under the pointer.
pub fn field_style(state: KeyState, hovered: bool) -> FieldStyle {
    let keyed = fill(state);
    FieldStyle {
        fill: match (keyed, hovered) {
            (Some(fill), _) => fill,
            (None, true) => *theme::CONTROL,
            (None, false) => *theme::FIELD,
        },
        edge: if hovered { *theme::TEXT_QUIET } else { *theme::EDGE },
        text: match keyed {
            Some(_) => *theme::TEXT_STRONG,
            None => *theme::TEXT,
        },
        mixed: match keyed {
            Some(_) => *theme::TEXT,
            None => *theme::TEXT_QUIET,
        },
        letters: theme::AXIS_LETTERS.map(|letter| *letter),
        sign: *theme::TEXT_STRONG,
    }
}

/// Returns the colour behind a value, or `None` for a value without keys.
fn fill(state: KeyState) -> Option<Color32> {
    match state {
        KeyState::Static => None,
        KeyState::Animated => Some(*theme::ANIMATED),
        KeyState::Keyed => Some(*theme::KEYED),
        KeyState::Unkeyed => Some(*theme::HELD),
        KeyState::Muted => Some(*theme::MUTED),
    }
}

/// The width of a sign with the gap after it, in points.
pub const SIGN_WIDTH: f32 = 10.0;

/// Paints a sign around `center`: a diamond for a key at this frame, its outline for keys elsewhere, crossed
/// out if they are muted; a triangle for an unkeyed change.
pub fn paint_sign(painter: &Painter, center: Pos2, state: KeyState, color: Color32) {
    let point = |x: f32, y: f32| center + vec2(x, y);
    let diamond = vec![point(0.0, -3.5), point(3.5, 0.0), point(0.0, 3.5), point(-3.5, 0.0)];
    let line = Stroke::new(1.2, color);
    match state {
        KeyState::Static => {}
        KeyState::Keyed => drop(painter.add(Shape::convex_polygon(diamond, color, Stroke::NONE))),
        KeyState::Animated => drop(painter.add(Shape::closed_line(diamond, line))),
        KeyState::Muted => {
            painter.add(Shape::closed_line(diamond, line));
            painter.line_segment([point(-3.5, 3.5), point(3.5, -3.5)], line);
        }
        KeyState::Unkeyed => {
            let triangle = vec![point(0.0, -3.5), point(3.8, 3.0), point(-3.8, 3.0)];
            painter.add(Shape::convex_polygon(triangle, color, Stroke::NONE));
        }
    }
}

/// Describes the key state to screen readers.
pub fn describe(response: &Response, state: KeyState) {
    if let Some(text) = state.text() {
        response.ctx.accesskit_node_builder(response.id, |node| node.set_description(text));
    }
}

/// A checkbox in the colour of its key state, with its sign.
pub fn tick_ui(ui: &mut Ui, state: KeyState, tick: Checkbox, tooltip: &str) -> Response {
    let response = ui.scope(|ui| {
        if let Some(fill) = fill(state) {
            let widgets = &mut ui.visuals_mut().widgets;
            for visuals in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                visuals.bg_fill = fill;
            }
        }
        ui.add(tick)
    });
    let response = response.inner;
    let beside = pos2(response.rect.right() + SIGN_WIDTH, response.rect.center().y);
    paint_sign(ui.painter(), beside, state, field_style(state, false).sign);
    describe(&response, state);
    response.tip_ui(|ui| {
        ui.label(tooltip);
        if let Some(text) = state.text() {
            ui.weak(text);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::ui::theme::{contrast, in_each_theme};

    const STATES: [KeyState; 5] =
        [KeyState::Static, KeyState::Animated, KeyState::Keyed, KeyState::Unkeyed, KeyState::Muted];

    #[test]
    fn everything_in_a_field_is_readable_in_every_state() {
        in_each_theme(|| {
            for state in STATES {
                for hovered in [false, true] {
                    let style = field_style(state, hovered);
                    for ink in [style.text, style.mixed, style.sign].into_iter().chain(style.letters) {
                        let contrast = contrast(ink, style.fill);
                        assert!(contrast >= 4.5, "{ink:?} in {state:?}, hovered: {hovered}: {contrast:.2}");
                    }
                }
            }
        });
    }

    #[test]
    fn states_differ_by_shape() {
        let shapes = |state| {
            let ctx = egui::Context::default();
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                let painter = ui.ctx().debug_painter();
                paint_sign(&painter, pos2(20.0, 20.0), state, Color32::WHITE);
            });
            let shapes = output.shapes.into_iter().map(|clipped| format!("{:?}", clipped.shape));
            shapes.collect::<String>()
        };
        let all = STATES.map(shapes);
        for (i, shape) in all.iter().enumerate() {
            assert!(!all[..i].contains(shape), "{:?}", STATES[i]);
        }
    }
}
