//! The menu that blends the selected keys by sliders, as they are dragged.

use super::KeysState;
use super::action::NO_KEYS;
use super::submenu::submenu;
use crate::anim::blends::Blend;
use crate::anim::filters::Filter;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::request::Request;
use crate::editor::ui::tooltip::Tip;
use egui::{Key, Slider, Ui, WidgetInfo, WidgetType};

/// The sliders: their names, the texts at their ends, and what they are for.
const SLIDERS: [(Blend, &str, [&str; 2], &str); 3] = [
    (
        Blend::Neighbors,
        "Blend to neighbours",
        ["before", "behind"],
        "Towards the value of the key before the selected ones, or of that behind them.",
    ),
    (
        Blend::Line,
        "Relax or push",
        ["relax", "push"],
        "Towards the straight line between the keys before and behind, or away from it.",
    ),
    (
        Blend::Mean,
        "Flatten or exaggerate",
        ["flatten", "exaggerate"],
        "Towards the mean of the selected keys, or away from it.",
    ),
];

/// The slider that is dragged, and how far.
#[derive(Default)]
pub struct BlendDrag {
    amount: Option<(Blend, f32)>,
}

/// Draws the entry of the menu, and what it opens.
pub fn menu(ui: &mut Ui, state: &mut KeysState, out: &mut Vec<Request>) {
    let disabled_reason = state.keys.is_empty().then_some(NO_KEYS);
    let dragged =
        submenu(ui, "Blend keys", disabled_reason, |ui| sliders_ui(ui, state, out)).unwrap_or(false);
    if !dragged {
        end(ui, state, out);
    }
}

/// Ends the drag of a slider, if there is one, as one undo step; Esc cancels it.
pub fn end(ui: &Ui, state: &mut KeysState, out: &mut Vec<Request>) {
    if state.blends.amount.take().is_some() {
        let is_cancelled = ui.input(|i| i.key_pressed(Key::Escape));
        out.push(if is_cancelled { Request::Cancel } else { Request::Commit });
    }
}

/// Draws the sliders. Returns whether one is dragged.
fn sliders_ui(ui: &mut Ui, state: &mut KeysState, out: &mut Vec<Request>) -> bool {
    ui.set_min_width(260.0);
    let mut is_dragged = false;
    for (blend, name, ends, tooltip) in SLIDERS {
        ui.label(name);
        ui.horizontal(|ui| {
            ui.weak(ends[0]);
            let mut amount = state
                .blends
                .amount
                .filter(|(dragged, _)| *dragged == blend)
                .map_or(0.0, |(_, amount)| amount);
            let slider = ui.add(Slider::new(&mut amount, -1.0..=1.0).show_value(false));
            slider.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, format!("{name} slider")));
            if slider.changed() {
                state.blends.amount = Some((blend, amount));
                let (keys, filter) = (state.keys.keys(), Filter::Blend(blend, amount));
                out.push(Request::Preview(vec![Command::Keys(KeyCommand::Filter { keys, filter })]));
            }
            is_dragged |= slider.dragged();
            slider.tip(tooltip);
            ui.weak(ends[1]);
        });
    }
    is_dragged
}
