//! The bar at the top: the menus from the table of actions, the tabs, and the name of the document.

use crate::edit::action::{Action, Menu};
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::editor::ui::action::{MENU_WIDTH, menu_item, menu_mark};
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, list, theme};
use egui::containers::menu::{MenuButton, SubMenuButton};
use egui::{Button, MenuBar, RichText, ScrollArea, Ui, WidgetInfo, WidgetType, vec2};
use std::path::PathBuf;

/// A file that was opened or saved before.
#[derive(Clone, Debug, PartialEq)]
pub struct RecentFile {
    pub path: PathBuf,
    pub exists: bool,
}

pub fn menu_ui(ui: &mut Ui, view: &View, recent: &[RecentFile], out: &mut Vec<Request>) {
    // Menus and title are aligned with the tabs.
    ui.spacing_mut().interact_size.y = theme::TALL;
    MenuBar::new().ui(ui, |ui| {
        for &menu in Menu::ALL {
            let title = menu.text;
            MenuButton::from_button(Button::new(format!(" {title} ")))
                .ui(ui, |ui| {
                    // A long menu scrolls in a low window.
                    let room = (ui.ctx().content_rect().height() - 24.0).max(60.0);
                    ui.set_max_height(room);
                    let scroll = ScrollArea::vertical().max_height(room);
                    scroll.show(ui, |ui| menu_lines(ui, view, menu, recent, out));
                })
                .0
                .widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, title));
        }
        let tabs_width = 2.0 * TAB_WIDTH;
        let middle = ui.max_rect().center().x - tabs_width / 2.0;
        ui.add_space((middle - ui.cursor().left()).max(theme::GAP * 2.0));
        tabs_ui(ui, view, out);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| title_ui(ui, view));
    });
}

/// Draws the lines of a menu, with each submenu as a button in place of its first line.
pub(super) fn menu_lines(
    ui: &mut Ui,
    view: &View,
    menu: Menu,
    recent: &[RecentFile],
    out: &mut Vec<Request>,
) {
    let mut shown: Vec<&str> = Vec::new();
    let mut previous_is_submenu = None;
    for &action in menu.actions {
        let submenu = action.submenu;
        if submenu.is_some_and(|submenu| shown.contains(&submenu)) {
            continue;
        }
        // No separators between submenus.
        let together =
            previous_is_submenu.is_none() || previous_is_submenu == Some(true) && submenu.is_some();
        if action.separated && !together {
            ui.separator();
        }
        previous_is_submenu = Some(submenu.is_some());
        match submenu {
            Some(submenu) => {
                shown.push(submenu);
                submenu_ui(ui, view, menu, submenu, out);
            }
            None => line_ui(ui, view, menu, action, out),
        }
        if action == Action::OPEN {
            recent_ui(ui, recent, out);
        }
    }
}

/// Draws the submenu of recent files, each labelled "File > Open recent > <name>". Missing files cannot be
/// chosen.
fn recent_ui(ui: &mut Ui, recent: &[RecentFile], out: &mut Vec<Request>) {
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        submenu_button(ui, Menu::FILE, "Open recent", |ui| {
            for file in recent {
                let name = file.path.file_name().unwrap_or(file.path.as_os_str());
                let text = list::shorten(&name.to_string_lossy());
                let button =
                    Button::new((menu_mark(None), text.as_str())).min_size(vec2(MENU_WIDTH, theme::ROW));
                let response = ui.add_enabled(file.exists, button);
                let label = format!("File > Open recent > {text}");
                response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, file.exists, &label));
                if response.clicked() {
                    out.push(Request::OpenPath(file.path.clone()));
                }
                let tooltip = |ui: &mut Ui| {
                    ui.label(file.path.display().to_string());
                    if !file.exists {
                        ui.label(RichText::new("It is no longer there.").color(theme::WARNING));
                    }
                };
                response.tip_ui(tooltip).disabled_tip_ui(tooltip);
            }
        });
    });
}

/// Draws a submenu, labelled "<menu> > <submenu>"; its lines are labelled like those of the menu itself.
fn submenu_ui(ui: &mut Ui, view: &View, menu: Menu, submenu: &str, out: &mut Vec<Request>) {
    submenu_button(ui, menu, submenu, |ui| {
        let lines = menu.actions.iter().filter(|action| action.submenu == Some(submenu));
        for (i, &action) in lines.enumerate() {
            if i > 0 && action.separated {
                ui.separator();
            }
            line_ui(ui, view, menu, action, out);
        }
    });
}

fn submenu_button(ui: &mut Ui, menu: Menu, submenu: &str, add: impl FnOnce(&mut Ui)) {
    let button = Button::new((menu_mark(None), submenu))
        .right_text(icons::CLOSED)
        .min_size(vec2(MENU_WIDTH, theme::ROW));
    let (response, _) = SubMenuButton::from_button(button).ui(ui, add);
    let label = format!("{} > {submenu}", menu.text);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
}

fn line_ui(ui: &mut Ui, view: &View, menu: Menu, action: Action, out: &mut Vec<Request>) {
    let (undo, redo) = (action == Action::UNDO, action == Action::REDO);
    let fitting = view.settings.fitting.as_deref();
    let changes_fit = fitting.is_some_and(|fitting| undo && fitting.can_undo || redo && fitting.can_redo);
    let step = match (undo, redo) {
        _ if changes_fit => Some("change of the fit"),
        (true, _) => view.session.undo_label(),
        (_, true) => view.session.redo_label(),
        _ => None,
    };
    let text = step.map(|step| format!("{} {}", action.text, list::shorten(step)));
    menu_item(ui, view, menu.text, action, text, out);
}

const TAB_WIDTH: f32 = 92.0;

fn tabs_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    ui.spacing_mut().item_spacing.x = 1.0;
    let tabs = [(Tab::Rig, Action::TAB_RIG, "Rig"), (Tab::Animate, Action::TAB_ANIMATE, "Animate")];
    for (i, (tab, action, text)) in tabs.into_iter().enumerate() {
        let selected = view.settings.tab == tab;
        let (ink, fill) =
            if selected { (theme::ON_ACCENT, theme::ACCENT) } else { (theme::TEXT, theme::CONTROL) };
        let mut corners = egui::CornerRadius::ZERO;
        if i == 0 {
            (corners.nw, corners.sw) = (theme::RADIUS + 2, theme::RADIUS + 2);
        } else {
            (corners.ne, corners.se) = (theme::RADIUS + 2, theme::RADIUS + 2);
        }
        let label = RichText::new(text).color(ink).strong();
        let button = Button::new(label).fill(fill).stroke(egui::Stroke::NONE).corner_radius(corners);
        // `add_sized` centres the text; a button alone would align it left.
        let response =
            ui.add_sized(vec2(TAB_WIDTH, theme::TALL), button.min_size(vec2(TAB_WIDTH, theme::TALL)));
        response.widget_info(|| WidgetInfo::selected(WidgetType::Button, true, selected, text));
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_role(egui::accesskit::Role::Tab));
        let tooltip = action.tooltip;
        if response.tip(tooltip).clicked() && !selected {
            out.push(Request::Act(action));
        }
    }
}

fn title_ui(ui: &mut Ui, view: &View) {
    let name = list::shorten(&view.session.title());
    let path = view.session.path().map(|p| p.display().to_string());
    let modified = view.session.is_modified();
    let text = if modified { format!("{name} •") } else { name };
    let response = ui.add(egui::Label::new(RichText::new(text).color(theme::TEXT_QUIET)).truncate());
    let status = if modified { "Changed since it was saved" } else { "Saved" };
    response.tip_ui(|ui| {
        ui.label(path.as_deref().unwrap_or("Not saved to a file yet"));
        ui.weak(status);
    });
}
