//! The strip above the view: the bar of the gizmo, and a bar for what is drawn and the display style of bones.

use crate::edit::action::view::BONES;
use crate::edit::action::{Action, Menu};
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::edit::tool::ToolOptions;
use crate::editor::panels::overlays::gizmo_bar::gizmo_bar_ui;
use crate::editor::panels::overlays::onion::onion_menu_ui;
use crate::editor::panels::overlays::strip::{MARGIN_X, top_strip_ui};
use crate::editor::ui::action::{counted_button, icon_switch, menu_item};
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::io::count::grouped;
use crate::rig::body::middle::BothSides;
use crate::rig::skeleton::Skeleton;
use egui::containers::menu::MenuButton;
use egui::{Button, Context, Id, RichText, Ui, WidgetInfo, WidgetType, vec2};
use std::sync::Arc;

type Bar<'a> = &'a dyn Fn(&mut Ui, &View, &mut Vec<Request>);

/// Shows the bar of the gizmo at the left and that of the view at the right of the strip above the view, below
/// each other where there is no room, or not at all. `tool`: the options of the tool in hand.
pub fn header_ui(ui: &mut Ui, view: &View, tool: Option<&ToolOptions>, out: &mut Vec<Request>) {
    let gizmo_bar = |ui: &mut Ui, view: &View, out: &mut Vec<Request>| gizmo_bar_ui(ui, view, tool, out);
    let bars: [(&str, Bar); 2] = [("gizmo bar", &gizmo_bar), ("view bar", &view_bar_ui)];
    let room = ui.available_width() - 2.0 * f32::from(MARGIN_X);
    // As wide as when they were drawn last, or about as wide as they will be.
    let widths = bars.map(|(name, _)| {
        let known = ui.data(|data| data.get_temp::<f32>(Id::new(name)));
        known.unwrap_or(room.clamp(0.0, 300.0))
    });
    let one_row = widths[0] + 2.0 * theme::GAP + widths[1] <= room;
    let shown = bars.iter().zip(widths).filter(|(_, width)| *width <= room);
    let rows = if one_row { 1 } else { shown.clone().count() };
    if rows == 0 {
        return;
    }
    let mut bar_ui = |ui: &mut Ui, (name, bar): (&str, Bar), width: f32, indent: f32| {
        ui.add_space(indent.max(0.0));
        let drawn = ui.horizontal(|ui| bar(ui, view, out)).response.rect.width();
        if (drawn - width).abs() > 0.5 {
            ui.data_mut(|data| data.insert_temp(Id::new(name), drawn));
            ui.ctx().request_repaint();
        }
    };
    top_strip_ui(ui, "view header", rows, |ui| {
        if one_row {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                bar_ui(ui, bars[0], widths[0], 0.0);
                bar_ui(ui, bars[1], widths[1], room - widths[0] - widths[1]);
            });
        } else {
            for (bar, width) in shown {
                ui.horizontal(|ui| bar_ui(ui, *bar, width, 0.0));
            }
        }
    });
}

/// Shows the bar of the view. Its buttons are labelled with the texts of their actions.
fn view_bar_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    ui.spacing_mut().item_spacing.x = 1.0;
    unmatched_ui(ui, view, out);
    icon_switch(ui, view, Action::TOGGLE_SYMMETRY, icons::SYMMETRY, out);
    ui.add_space(theme::GAP);
    icon_switch(ui, view, Action::TOGGLE_SKIN, icons::SURFACE, out);
    icon_switch(ui, view, Action::TOGGLE_WIREFRAME, icons::WIREFRAME, out);
    ui.add_space(theme::GAP);
    bones_menu_ui(ui, view, out);
    if view.settings.tab == Tab::Animate {
        ui.add_space(theme::GAP);
        icon_switch(ui, view, Action::TOGGLE_MOTION_PATHS, icons::PATHS, out);
        icon_switch(ui, view, Action::TOGGLE_ONION, icons::ONION, out);
        onion_menu_ui(ui, view, out);
    }
}

/// Draws the menu of the display of bones, labelled "Bone display"; its lines are those of View > Bones.
fn bones_menu_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let (ink, fill) = theme::switch(view.settings.display.show_bones);
    let text = format!("{} {BONES} {}", icons::BONE, icons::OPEN);
    let button = Button::new(RichText::new(text).color(ink)).fill(fill).min_size(vec2(0.0, theme::ROW));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        let lines = Menu::VIEW.actions.iter();
        for (i, &action) in lines.filter(|action| action.submenu == Some(BONES)).enumerate() {
            if i > 0 && action.separated {
                ui.separator();
            }
            menu_item(ui, view, BONES, action, None, out);
        }
    });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Bone display"));
    response.tip("How bones are drawn");
}

/// The number of bones that symmetry does not affect, while it is on.
fn unmatched_count(ctx: &Context, view: &View) -> usize {
    let session = view.session;
    let mesh = session.selection().mesh.as_ref().filter(|_| session.symmetric());
    let Some(mesh) = mesh.and_then(|mesh| session.scene().skinned_meshes.get(mesh)) else {
        return 0;
    };
    // Cached per skeleton.
    let id = Id::new("unmatched bones");
    let known: Option<(Arc<Skeleton>, usize)> = ctx.data(|data| data.get_temp(id));
    match known {
        Some((skeleton, count)) if Arc::ptr_eq(&skeleton, &mesh.skeleton) => count,
        _ => {
            let count = BothSides::new(&mesh.skeleton).unmatched(&mesh.skeleton).len();
            ctx.data_mut(|data| data.insert_temp(id, (mesh.skeleton.clone(), count)));
            count
        }
    }
}

/// Draws the number of those bones; a click selects them.
fn unmatched_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let count = unmatched_count(ui.ctx(), view);
    if count > 0 {
        let text = format!("{} unmatched", grouped(count));
        counted_button(ui, view, Action::SELECT_UNMATCHED, &text, out);
    }
}
