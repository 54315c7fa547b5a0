//! How fields show whether their value is keyed: by the colour behind it, and by a sign for those who cannot tell
//! the colours apart.

use super::theme;
use crate::edit::key_state::KeyState;
use egui::{Checkbox, Color32, Painter, Pos2, Response, Shape, Stroke, Ui, pos2, vec2};

/// The colours of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldLook {
    pub fill: Color32,
    pub edge: Color32,
    pub text: Color32,
    /// The colour of a field whose values differ.
    pub mixed: Color32,
    /// x, y, z.
    pub letters: [Color32; 3],
    pub sign: Color32,
}

/// How a field looks, at rest or under the pointer.
pub fn field_style(state: KeyState, lit: bool) -> FieldLook {
    let keyed = fill(state);
    FieldLook {
        fill: match (keyed, lit) {
            (Some(fill), _) => fill,
            (None, true) => theme::CONTROL,
            (None, false) => theme::FIELD,
        },
        edge: if lit { theme::TEXT_QUIET } else { theme::EDGE },
        text: match keyed {
            Some(_) => theme::TEXT_STRONG,
            None => theme::TEXT,
        },
        mixed: match keyed {
            Some(_) => theme::TEXT,
            None => theme::TEXT_QUIET,
        },
        letters: theme::AXIS_LETTERS,
        sign: theme::TEXT_STRONG,
    }
}

/// Behind the value; nothing for what has no keys.
fn fill(state: KeyState) -> Option<Color32> {
    match state {
        KeyState::Static => None,
        KeyState::Animated => Some(theme::ANIMATED),
        KeyState::Keyed => Some(theme::KEYED),
        KeyState::Held => Some(theme::HELD),
        KeyState::Muted => Some(theme::MUTED),
    }
}

/// Points that a sign takes, with the gap after it.
pub const SIGN: f32 = 10.0;

/// A sign around `center`: a diamond for a key here, its outline for keys elsewhere, struck out where they are
/// muted; a triangle for what is changed and not keyed.
pub fn sign(painter: &Painter, center: Pos2, state: KeyState, color: Color32) {
    let at = |x: f32, y: f32| center + vec2(x, y);
    let diamond = vec![at(0.0, -3.5), at(3.5, 0.0), at(0.0, 3.5), at(-3.5, 0.0)];
    let line = Stroke::new(1.2, color);
    match state {
        KeyState::Static => {}
        KeyState::Keyed => drop(painter.add(Shape::convex_polygon(diamond, color, Stroke::NONE))),
        KeyState::Animated => drop(painter.add(Shape::closed_line(diamond, line))),
        KeyState::Muted => {
            painter.add(Shape::closed_line(diamond, line));
            painter.line_segment([at(-3.5, 3.5), at(3.5, -3.5)], line);
        }
        KeyState::Held => {
            let triangle = vec![at(0.0, -3.5), at(3.8, 3.0), at(-3.8, 3.0)];
            painter.add(Shape::convex_polygon(triangle, color, Stroke::NONE));
        }
    }
}

/// Says it to those who hear the window.
pub fn describe(response: &Response, state: KeyState) {
    if let Some(text) = state.text() {
        response
            .ctx
            .accesskit_node_builder(response.id, |node| node.set_description(text));
    }
}

/// A tick box in the colour of its keys, and their sign.
pub fn tick_ui(ui: &mut Ui, state: KeyState, tick: Checkbox, tooltip: &str) -> Response {
    let response = ui.scope(|ui| {
        if let Some(fill) = fill(state) {
            let widgets = &mut ui.visuals_mut().widgets;
            for look in [&mut widgets.inactive, &mut widgets.hovered, &mut widgets.active] {
                look.bg_fill = fill;
            }
        }
        ui.add(tick)
    });
    let response = response.inner;
    let beside = pos2(response.rect.right() + SIGN, response.rect.center().y);
    sign(ui.painter(), beside, state, field_style(state, false).sign);
    describe(&response, state);
    response.on_hover_ui(|ui| {
        ui.label(tooltip);
        if let Some(text) = state.text() {
            ui.weak(text);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::ui::theme::contrast;

    const STATES: [KeyState; 5] = [
        KeyState::Static,
        KeyState::Animated,
        KeyState::Keyed,
        KeyState::Held,
        KeyState::Muted,
    ];

    #[test]
    fn everything_in_a_field_is_readable_in_every_state() {
        for state in STATES {
            for lit in [false, true] {
                let look = field_style(state, lit);
                for ink in [look.text, look.mixed, look.sign].into_iter().chain(look.letters) {
                    let contrast = contrast(ink, look.fill);
                    assert!(contrast >= 4.5, "{ink:?} in {state:?}, lit: {lit}: {contrast:.2}");
                }
            }
        }
    }

    #[test]
    fn states_differ_by_shape() {
        let shapes = |state| {
            let ctx = egui::Context::default();
            let output = ctx.run_ui(egui::RawInput::default(), |ui| {
                let painter = ui.ctx().debug_painter();
                sign(&painter, pos2(20.0, 20.0), state, Color32::WHITE);
            });
            let shapes = output
                .shapes
                .into_iter()
                .map(|clipped| format!("{:?}", clipped.shape));
            shapes.collect::<String>()
        };
        let all = STATES.map(shapes);
        for (i, shape) in all.iter().enumerate() {
            assert!(!all[..i].contains(shape), "{:?}", STATES[i]);
        }
    }
}
