//! The row of a list or tree: icon, name, selection, and optionally a caret and an eye.

use super::text::elide_middle;
use super::{icons, theme};
use crate::edit::settings::view::Tab;
use crate::editor::ui::tooltip::Tip;
use egui::{
    Align2, Color32, FontId, Id, PointerButton, PopupAnchor, Pos2, Rect, Response, ScrollArea, Sense,
    Tooltip, Ui, WidgetInfo, WidgetType, pos2, vec2,
};
use std::collections::HashSet;

const CARET: f32 = 16.0;
const ICON: f32 = 20.0;

/// Shows what a drop of dragged rows would do, next to `area`, the visible part of the list, so that no row
/// to drop on is covered.
pub fn drag_hint(ui: &Ui, id: Id, area: Rect, pointer: Pos2, text: String) {
    let beside = PopupAnchor::Position(pos2(area.right() + 10.0, pointer.y));
    Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), id, beside).show(|ui| ui.label(text));
}

/// The contents and state of a row.
pub struct Row<'a> {
    pub id: Id,
    /// The accessible name, unique in the window, such as "Bone Hand.L".
    pub label: String,
    pub text: &'a str,
    pub icon: &'static str,
    pub tooltip: &'a str,
    pub indent: usize,
    pub selected: bool,
    /// Whether it is marked as the one that panels and gizmos apply to.
    pub active: bool,
    /// Whether it is dimmed, for hidden objects and disabled handles.
    pub quiet: bool,
    /// Whether it is open, for rows with children.
    pub open: Option<bool>,
    /// Whether it is shown, for objects that can be hidden.
    pub shown: Option<bool>,
    /// The space at its right end that the text leaves free, in points.
    pub reserved: f32,
    /// Whether it can be dragged onto other rows by its text.
    pub draggable: bool,
}

impl<'a> Row<'a> {
    /// A plain row, not selected.
    pub fn new(id: Id, label: String, text: &'a str, icon: &'static str) -> Self {
        Self {
            id,
            label,
            text,
            icon,
            tooltip: "",
            indent: 0,
            selected: false,
            active: false,
            quiet: false,
            open: None,
            shown: None,
            reserved: 0.0,
            draggable: false,
        }
    }
}

/// The interactions with a row.
pub struct RowOutput {
    pub rect: Rect,
    pub clicked: bool,
    pub double_clicked: bool,
    pub open_clicked: bool,
    pub eye_clicked: bool,
    /// Whether it is being dragged by its text with the primary button, further than in a click.
    pub dragged: bool,
    /// The response, for further interactions; `None` for a row that is out of view and was not laid out.
    pub response: Option<Response>,
}

/// Returns a name as a list shows it: one line, at most 120 characters.
pub fn shorten(name: &str) -> String {
    let clean = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut text: String = clean.clone().take(120).collect();
    if clean.count() > 120 {
        text.push('…');
    }
    if text.trim().is_empty() { "(no name)".into() } else { text }
}

/// Returns the names that occur more than once.
pub fn repeated_names<'n>(names: impl IntoIterator<Item = &'n str>) -> HashSet<&'n str> {
    let mut known = HashSet::new();
    names.into_iter().filter(|name| !known.insert(*name)).collect()
}

/// Draws a row over the whole width. `lazy`: rows out of view only take space.
pub fn row_ui(ui: &mut Ui, row: &Row, lazy: bool) -> RowOutput {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let mut output = RowOutput {
        rect,
        clicked: false,
        double_clicked: false,
        open_clicked: false,
        eye_clicked: false,
        dragged: false,
        response: None,
    };
    let visible = ui.is_rect_visible(rect);
    if lazy && !visible {
        return output;
    }
    let sense = if row.draggable { Sense::click_and_drag() } else { Sense::CLICK };
    let mut response = ui.interact(rect, row.id, sense);
    output.clicked = response.clicked();
    output.double_clicked = response.double_clicked();
    let info =
        || WidgetInfo::selected(WidgetType::SelectableLabel, ui.is_enabled(), row.selected, &row.label);
    response.widget_info(info);
    if visible {
        paint_background(ui, row, &response);
    }

    let mut left = text_left(rect, row.indent) - CARET - ICON;
    if let Some(open) = row.open {
        let caret = Rect::from_min_size(pos2(left, rect.top()), vec2(CARET, theme::ROW));
        let verb = if open { "Collapse" } else { "Expand" };
        let glyph = if open { icons::OPEN } else { icons::CLOSED };
        output.open_clicked =
            icon_ui(ui, caret, row.id.with("open"), &format!("{verb} {}", row.label), glyph);
    }
    left += CARET;
    let mut right = rect.right() - 4.0 - row.reserved;
    if let Some(shown) = row.shown {
        let eye = Rect::from_min_size(pos2(rect.right() - 24.0, rect.top()), vec2(22.0, theme::ROW));
        let verb = if shown { "Hide" } else { "Show" };
        let glyph = if shown { icons::SHOWN } else { icons::HIDDEN };
        output.eye_clicked = icon_ui(ui, eye, row.id.with("eye"), &format!("{verb} {}", row.label), glyph);
        right = eye.left();
    }
    let mut cut_off = false;
    if visible {
        let area = Rect::from_min_max(pos2(left, rect.top()), pos2(right, rect.bottom()));
        let text;
        (text, cut_off) = paint_text(ui, row, area);
        output.dragged = row.draggable && is_dragged(ui, &response, text);
    }
    // The text is in the row; if it is cut off, the tooltip has it whole.
    if cut_off || !row.tooltip.is_empty() {
        response = response.tip_ui(|ui| {
            if cut_off {
                ui.strong(shorten(row.text));
            }
            if !row.tooltip.is_empty() {
                ui.label(row.tooltip);
            }
        });
    }
    output.response = Some(response);
    output
}

/// Explains why a list is empty, at the position of the names of rows.
pub fn empty_ui(ui: &mut Ui, text: &str) {
    ui.horizontal_top(|ui| {
        ui.add_space(2.0 + CARET);
        ui.vertical(|ui| ui.weak(text));
    });
}

/// The part of the width of a row that the indent never exceeds.
const MAX_INDENT: f32 = 0.6;

/// Returns the left edge of the text of a row. Each level is further to the right, by less the deeper it is: names
/// deep in a narrow tree can still be read.
pub fn text_left(row: Rect, indent: usize) -> f32 {
    let most = MAX_INDENT * row.width();
    let indent = most * (1.0 - (-theme::INDENT * indent as f32 / most.max(1.0)).exp());
    (row.left() + 2.0 + indent + CARET + ICON).round()
}

/// Returns the colours of a row: its background (`None`: the panel's), its text, its icon.
fn colors(selected: bool, hovered: bool, quiet: bool) -> (Option<Color32>, Color32, Color32) {
    match (selected, quiet) {
        (true, _) => (Some(*theme::ACCENT_FILL), *theme::TEXT_STRONG, *theme::ACCENT_LIGHT),
        (false, quiet) => (
            hovered.then_some(*theme::CONTROL),
            if quiet { *theme::TEXT_QUIET } else { *theme::TEXT },
            *theme::TEXT_QUIET,
        ),
    }
}

fn paint_background(ui: &Ui, row: &Row, response: &Response) {
    if let (Some(fill), ..) = colors(row.selected, response.hovered(), row.quiet) {
        ui.painter().rect_filled(response.rect, theme::RADIUS, fill);
    }
    if row.active {
        let mark = Rect::from_min_size(response.rect.min, vec2(2.5, response.rect.height()));
        ui.painter().rect_filled(mark.shrink2(vec2(0.0, 3.0)), 1.0, theme::ACCENT);
    }
}

/// The distance that the pointer moves before a row is dragged, in points.
const DRAG_DISTANCE: f32 = 8.0;

/// Whether a row is being dragged. `text`: the area of the icon and the name.
fn is_dragged(ui: &Ui, response: &Response, text: Rect) -> bool {
    let pointer = ui.input(|i| i.pointer.press_origin().zip(i.pointer.interact_pos()));
    response.dragged_by(PointerButton::Primary)
        && pointer.is_some_and(|(from, to)| text.contains(from) && from.distance(to) >= DRAG_DISTANCE)
}

/// Paints icon and name. Returns their area, and whether the name is elided.
fn paint_text(ui: &Ui, row: &Row, rect: Rect) -> (Rect, bool) {
    let (_, color, icon_color) = colors(row.selected, false, row.quiet);
    let warns = row.icon == icons::WARNING && !row.selected;
    let icon_color = if warns { *theme::WARNING } else { icon_color };
    let painter = ui.painter();
    let font = FontId::proportional(theme::BODY);
    let icon = FontId::proportional(theme::BODY + 1.0);
    painter.text(rect.left_center() + vec2(8.0, 0.0), Align2::CENTER_CENTER, row.icon, icon, icon_color);
    let left = rect.left() + ICON;
    let width = (rect.right() - left).max(1.0);
    let (galley, is_elided) = elide_middle(painter, &shorten(row.text), &font, color, width);
    let right = left + galley.size().x;
    painter.galley(pos2(left, rect.center().y - galley.size().y / 2.0), galley, color);
    (rect.with_max_x(right), is_elided)
}

fn icon_ui(ui: &Ui, rect: Rect, id: Id, label: &str, glyph: &str) -> bool {
    let response = ui.interact(rect, id, Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), label));
    let color = theme::hover_ink(response.hovered());
    let font = FontId::proportional(theme::BODY);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, glyph, font, color);
    response.clicked()
}

/// Decides when a list scrolls to the selection.
#[derive(Default)]
pub struct Reveal {
    tab: Option<Tab>,
    frames: u8,
}

impl Reveal {
    /// Whether to scroll in this frame: after a change of what is shown or of the tab, and again in the next
    /// frame, when the list has the height that it needs.
    pub fn is_due(&mut self, has_changed: bool, tab: Tab) -> bool {
        if has_changed || self.tab != Some(tab) {
            self.frames = 2;
        }
        self.tab = Some(tab);
        let due = self.frames > 0;
        self.frames = self.frames.saturating_sub(1);
        due
    }
}

/// A collapsible section with a title. Its accessible name is "<title> section".
pub fn section_ui(ui: &mut Ui, id: Id, title: &str, open_at_first: bool, add: impl FnOnce(&mut Ui)) {
    named_section_ui(ui, id, [title, &format!("{title} section")], open_at_first, add);
}

/// The section of rarely used rows, folded at first. Its accessible name is "Advanced <subject> section".
pub fn advanced_ui(ui: &mut Ui, subject: &str, add: impl FnOnce(&mut Ui)) {
    let label = format!("Advanced {subject} section");
    named_section_ui(ui, Id::new(&label), ["Advanced", &label], false, add);
}

fn named_section_ui(
    ui: &mut Ui,
    id: Id,
    [title, label]: [&str; 2],
    open_at_first: bool,
    add: impl FnOnce(&mut Ui),
) {
    let mut state =
        egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, open_at_first);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    let response = ui.interact(rect, id.with("header"), Sense::CLICK);
    if response.clicked() {
        state.toggle(ui);
    }
    let open = state.is_open();
    response.widget_info(|| WidgetInfo::selected(WidgetType::CollapsingHeader, ui.is_enabled(), open, label));
    if ui.is_rect_visible(rect) {
        let color = theme::hover_ink(response.hovered());
        let font = FontId::proportional(theme::BODY);
        let glyph = if open { icons::OPEN } else { icons::CLOSED };
        let painter = ui.painter();
        painter.text(rect.left_center() + vec2(8.0, 0.0), Align2::CENTER_CENTER, glyph, font.clone(), color);
        painter.text(rect.left_center() + vec2(20.0, 0.0), Align2::LEFT_CENTER, title, font, color);
    }
    state.show_body_unindented(ui, add);
}

/// Whether the section `id` is open.
pub fn is_section_open(ui: &Ui, id: Id, open_at_first: bool) -> bool {
    use egui::collapsing_header::CollapsingState;
    CollapsingState::load_with_default_open(ui.ctx(), id, open_at_first).is_open()
}

/// Opens the section `id`.
pub fn open_section(ui: &Ui, id: Id) {
    use egui::collapsing_header::CollapsingState;
    let mut state = CollapsingState::load_with_default_open(ui.ctx(), id, true);
    state.set_open(true);
    state.store(ui.ctx());
}

/// A list of at most `max_height`. Returns the height that it needs.
pub fn scroll(
    ui: &mut Ui,
    salt: impl std::hash::Hash + std::fmt::Debug,
    max_height: f32,
    add: impl FnOnce(&mut Ui),
) -> f32 {
    let area = ScrollArea::vertical()
        .id_salt(salt)
        .max_height(max_height)
        .min_scrolled_height(max_height)
        // Animated scrolling overshoots if a list is requested to show a row in several frames.
        .animated(false)
        .auto_shrink([false, true]);
    area.show(ui, add).content_size.y
}

#[cfg(test)]
mod tests {
    use super::{colors, shorten};
    use crate::editor::ui::theme::{self, contrast, in_each_theme};

    #[test]
    fn rows_are_readable_in_every_state() {
        in_each_theme(|| {
            for state in 0..8 {
                let [selected, hovered, quiet] = [1, 2, 4].map(|bit| state & bit != 0);
                let (fill, ink, icon) = colors(selected, hovered, quiet);
                let ground = fill.unwrap_or(*theme::PANEL);
                for color in [ink, icon] {
                    assert!(contrast(color, ground) >= 4.5, "{color:?} on {ground:?}");
                }
            }
        });
    }

    #[test]
    fn odd_names_fit_a_line() {
        assert_eq!(shorten("a\nb"), "a b");
        assert_eq!(shorten(""), "(no name)");
        assert_eq!(shorten(&"ä".repeat(500)).chars().count(), 121);
    }
}
