//! The small bar in the upper right corner of the viewport: what is drawn, and the display style of bones.

use super::gizmo_bar::{bar_ui, is_shown};
use super::onion::onion_menu_ui;
use crate::edit::action::view::BONES;
use crate::edit::action::{Action, Menu, select};
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::action::{counted_button, icon_switch, menu_item};
use crate::editor::ui::{icons, theme};
use crate::io::count::grouped;
use crate::rig::skeleton::Skeleton;
use egui::containers::menu::MenuButton;
use egui::{Align2, Button, Context, Id, Rect, RichText, Ui, WidgetInfo, WidgetType, vec2};
use std::sync::Arc;

const HEIGHT: f32 = theme::ROW + 8.0;
/// The width of the viewport below which the bar is not shown.
const MIN_WIDTH: f32 = 260.0;

/// The y coordinate below the bars, where other overlays at the top of the viewport begin.
pub fn bottom(ctx: &Context, view: &View, viewport: Rect) -> f32 {
    let bar = match viewport.width() < MIN_WIDTH {
        true => 0.0,
        false => HEIGHT + theme::GAP,
    };
    viewport.top() + 12.0 + bar + extra_offset(ctx, view, viewport)
}

/// The extra offset of the bar from the top, if it has no room next to the gizmo bar.
fn extra_offset(ctx: &Context, view: &View, viewport: Rect) -> f32 {
    let switches = match view.settings.tab {
        Tab::Rig => 590.0,
        Tab::Animate => 670.0,
    };
    let unmatched = if unmatched_count(ctx, view) > 0 { 90.0 } else { 0.0 };
    match is_shown(view) && viewport.width() < switches + unmatched {
        true => HEIGHT + theme::GAP,
        false => 0.0,
    }
}

/// Draws the bar. Its buttons are labelled with the texts of their actions.
pub fn view_bar_ui(ctx: &Context, view: &View, viewport: Rect, out: &mut Vec<Request>) {
    if viewport.width() < MIN_WIDTH {
        return;
    }
    let corner = viewport.right_top() + egui::vec2(-10.0, 10.0 + extra_offset(ctx, view, viewport));
    bar_ui(ctx, "view bar", Align2::RIGHT_TOP, corner, |ui| {
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
    });
}

/// Draws the menu of the display of bones, labelled "Bone display"; its lines are those of View > Bones.
fn bones_menu_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let (ink, fill) = theme::switch(view.settings.show_bones);
    let text = format!("{} {BONES} {}", icons::BONE, icons::OPEN);
    let button = Button::new(RichText::new(text).color(ink))
        .fill(fill)
        .min_size(vec2(0.0, theme::ROW));
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
    response.on_hover_text("How bones are drawn");
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
    let weights_view = view.settings.weights_view;
    let known: Option<(Arc<Skeleton>, bool, usize)> = ctx.data(|data| data.get_temp(id));
    match known {
        Some((skeleton, by_weights, count))
            if Arc::ptr_eq(&skeleton, &mesh.skeleton) && by_weights == weights_view =>
        {
            count
        }
        _ => {
            let count = select::unmatched(view, &mesh.skeleton).len();
            ctx.data_mut(|data| data.insert_temp(id, (mesh.skeleton.clone(), weights_view, count)));
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
