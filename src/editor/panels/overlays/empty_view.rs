//! The message in the middle of an empty view: what to do, and the buttons that do it.

use crate::edit::action::{Action, EXAMPLES, Menu};
use crate::edit::request::Request;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::{Tab, View};
use crate::editor::panels::menu::menu_lines;
use crate::editor::ui::action::{action_button, name, with_tooltip};
use crate::editor::ui::theme;
use egui::containers::menu::MenuButton;
use egui::{Align2, Area, Button, Context, Id, Order, Rect, RichText, Ui, WidgetInfo, WidgetType, vec2};

const WIDTH: f32 = 336.0;
const COLUMNS: usize = 3;

/// The reason why the view is empty, and what to do about it; `None` if it is not empty.
fn reason(view: &View) -> Option<(&'static str, &'static str)> {
    let scene = view.session.animated();
    let rig = view.settings.tab == Tab::Rig;
    if scene.instances.all().is_empty() && scene.meshes.is_empty() && scene.skinned_meshes.is_empty() {
        return Some(("This scene is empty", "Begin with an example, a file or a new mesh."));
    }
    if !rig || ActiveRig::from_view(view).is_some() {
        return None;
    }
    Some(match (scene.skinned_meshes.is_empty(), scene.meshes.is_empty()) {
        (false, _) => {
            ("No skinned mesh is selected", "Select one in the list at the left to work on its skeleton.")
        }
        (true, false) => (
            "No skinned mesh to rig yet",
            "Select a mesh under Resources and give it a skeleton, or import one.",
        ),
        (true, true) => ("Nothing to rig yet", "Import a mesh, or make one."),
    })
}

/// Draws the message in the middle of `viewport`. Examples are labelled "Example <name>", the other buttons
/// with the texts of their actions.
pub fn empty_view_ui(ctx: &Context, view: &View, viewport: Rect, out: &mut Vec<Request>) {
    let Some((title, advice)) = reason(view) else {
        return;
    };
    if viewport.width() < WIDTH || viewport.height() < 200.0 {
        return;
    }
    let area = Area::new(Id::new("empty view"))
        .order(Order::Middle)
        .fade_in(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(viewport.center());
    // Without buttons, it lets the pointer through to the view.
    let area = area.interactable(view.session.animated().skinned_meshes.is_empty());
    area.show(ctx, |ui| {
        ui.set_width(WIDTH);
        ui.vertical_centered(|ui| {
            ui.label(RichText::new(title).size(theme::HEADING + 4.0).color(theme::TEXT_STRONG));
            ui.label(RichText::new(advice).color(theme::TEXT));
        });
        let scene = view.session.animated();
        if !scene.skinned_meshes.is_empty() {
            return;
        }
        if scene.meshes.is_empty() && scene.instances.all().is_empty() {
            caption_ui(ui, "Examples");
            let examples = Action::all().filter(|action| action.submenu == Some(EXAMPLES));
            let examples: Vec<Action> = examples.collect();
            for row in examples.chunks(COLUMNS) {
                ui.horizontal(|ui| {
                    for action in row {
                        example_ui(ui, view, *action, out);
                    }
                });
            }
            caption_ui(ui, "Your own");
        } else {
            ui.add_space(theme::GAP * 2.0);
        }
        let width = column_width(ui, 2);
        ui.horizontal(|ui| {
            let first = if scene.meshes.is_empty() { Action::OPEN } else { Action::MAKE_SKINNED };
            action_button(ui, view, first, width, out);
            let button = Button::new("Add a mesh ⏷").min_size(vec2(width, theme::ROW));
            let (response, _) =
                MenuButton::from_button(button).ui(ui, |ui| menu_lines(ui, view, Menu::ADD, &[], out));
            response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Add a mesh"));
        });
        ui.horizontal(|ui| {
            for action in [Action::IMPORT_GLTF, Action::IMPORT] {
                action_button(ui, view, action, width, out);
            }
        });
    });
}

/// The width of one of `count` buttons in a row.
fn column_width(ui: &Ui, count: usize) -> f32 {
    let gaps = (count - 1) as f32 * ui.spacing().item_spacing.x;
    (WIDTH - gaps) / count as f32
}

fn caption_ui(ui: &mut Ui, text: &str) {
    ui.add_space(theme::GAP * 2.0);
    ui.label(RichText::new(text).color(theme::TEXT_QUIET).small());
}

fn example_ui(ui: &mut Ui, view: &View, action: Action, out: &mut Vec<Request>) {
    let text = action.text;
    let button = Button::new(text).min_size(vec2(column_width(ui, COLUMNS), theme::ROW));
    let response = ui.add(button);
    let disabled_reason = action.enabled(view).err();
    let label = format!("Example {text}");
    name(&response, WidgetType::Button, &label, None, disabled_reason.as_deref());
    if response.clicked() {
        out.push(Request::Act(action));
    }
    with_tooltip(response, action, disabled_reason.as_deref());
}
