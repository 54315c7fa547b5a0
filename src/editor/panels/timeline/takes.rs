//! The choice of the take that is played, in the play controls, and the text field for renaming it.

use crate::anim::take::{Take, Takes};
use crate::edit::action::{Action, takes};
use crate::edit::command::Command;
use crate::edit::command::takes::TakeCommand;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::action::menu_item;
use crate::editor::ui::choice::line_ui;
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::containers::menu::MenuButton;
use egui::{Button, Id, Key, RichText, ScrollArea, Ui, WidgetInfo, WidgetType, vec2};

/// The least and the greatest width of the button and the text field, in points.
const WIDTHS: [f32; 2] = [58.0, 130.0];

/// The state of renaming a take. In the default state, the field has not been drawn yet.
#[derive(Default)]
pub struct RenameTake {
    /// The current name of the take, and the typed one.
    names: Option<[String; 2]>,
}

/// Draws the button, labelled "Take"; its lines are labelled "Take: …".
pub fn takes_ui(ui: &mut Ui, view: &View, rename: &mut Option<RenameTake>, out: &mut Vec<Request>) {
    let takes = &view.session.scene().animation.takes;
    if let Some(state) = rename {
        if rename_ui(ui, takes, state, out) {
            *rename = None;
        }
        return;
    }
    let chosen = takes.chosen();
    let limited = view.session.scene().animation.clip.range.is_some();
    let text = match chosen {
        Some(take) => &take.name,
        None if limited => "Some frames",
        None => "All",
    };
    let ink = match chosen {
        Some(_) => theme::TEXT_STRONG,
        None => theme::TEXT,
    };
    let button = Button::new(RichText::new(text).color(ink)).truncate();
    let width = width(ui);
    let button = button.min_size(vec2(width, theme::ROW));
    ui.scope(|ui| {
        ui.set_max_width(width);
        let (response, _) =
            MenuButton::from_button(button).ui(ui, |ui| menu_ui(ui, view, takes, limited, out));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Take"));
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(text));
        response.tip_ui(|ui| {
            ui.strong("Take");
            ui.label("The take that is played, rendered, baked and exported: a named range of frames.");
            if let Some(take) = chosen {
                ui.weak(summary(view, take));
            }
        });
    });
}

fn width(ui: &Ui) -> f32 {
    (ui.available_width() - 2.0 * theme::GAP).clamp(WIDTHS[0], WIDTHS[1])
}

fn menu_ui(ui: &mut Ui, view: &View, takes: &Takes, limited: bool, out: &mut Vec<Request>) {
    ui.set_min_width(150.0);
    if line_ui(ui, "Take", "All frames", !limited) && limited {
        choose(view, None, out);
    }
    ScrollArea::vertical().max_height(300.0).show(ui, |ui| {
        for (index, take) in takes.list.iter().enumerate() {
            let selected = takes.chosen == Some(index);
            if line_ui(ui, "Take", &take.name, selected) && !selected {
                choose(view, Some(take), out);
            }
        }
    });
    ui.separator();
    let before = out.len();
    menu_item(ui, view, "Take", Action::NEW_TAKE, None, out);
    if out.len() > before {
        out.push(Request::Act(Action::RENAME_TAKE));
    }
    menu_item(ui, view, "Take", Action::RENAME_TAKE, None, out);
    menu_item(ui, view, "Take", Action::DELETE_TAKE, None, out);
    menu_item(ui, view, "Take", Action::CYCLE, None, out);
    menu_item(ui, view, "Take", Action::REPEAT_CYCLE, None, out);
}

/// Plays a take, or all frames.
pub fn choose(view: &View, take: Option<&Take>, out: &mut Vec<Request>) {
    let (command, frame) = takes::play(view, take);
    out.push(Request::Apply(vec![command]));
    out.extend(frame.map(Request::SetFrame));
}

/// Summarizes a take: “Frames 0 to 23: 24 frames, 1.00 s”.
pub fn summary(view: &View, take: &Take) -> String {
    let [first, last] = take.range;
    let count = last - first + 1;
    let seconds = view.session.scene().animation.clip.seconds(count as f32);
    format!("Frames {first} to {last}: {count} frames, {seconds:.2} s")
}

/// Draws the text field, labelled "Name of take": Enter or a click elsewhere accepts the name, Esc cancels.
/// Returns whether typing has ended.
fn rename_ui(ui: &mut Ui, takes: &Takes, state: &mut RenameTake, out: &mut Vec<Request>) -> bool {
    let is_new = state.names.is_none();
    if is_new {
        state.names = takes.chosen().map(|take| [take.name.clone(), take.name.clone()]);
    }
    let Some([take, text]) = &mut state.names else {
        return true;
    };
    let id = Id::new("name of take");
    if is_new {
        ui.memory_mut(|memory| memory.request_focus(id));
        select_all(ui, id, text);
    }
    ui.add(line_edit(text, width(ui) - 12.0).id(id).char_limit(200));
    ui.ctx().accesskit_node_builder(id, |node| node.set_label("Name of take"));
    if is_new || ui.memory(|memory| memory.has_focus(id)) {
        return false;
    }
    let accepted = !ui.input(|i| i.key_pressed(Key::Escape)) && takes.position(take).is_some();
    if accepted && !text.trim().is_empty() && text.trim() != take.as_str() {
        let (take, name) = (take.clone(), text.trim().to_owned());
        out.push(Request::Apply(vec![Command::Takes(TakeCommand::Rename { take, name })]));
    }
    true
}
