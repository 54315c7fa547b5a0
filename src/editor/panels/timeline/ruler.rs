//! The ruler, with numbered frames, the playhead and the play range. A drag scrubs; the ends of the bar at
//! the top set the play range. The spans of takes are below it (`take_spans`).

use super::preview::PreviewDrag;
use super::time::{Scale, frame_text, ticks};
use crate::anim::channel::Animation;
use crate::anim::clip::Clip;
use crate::anim::seam::Seam;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::command::takes::TakeCommand;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::action::menu_item;
use crate::editor::ui::press::is_pressed_in;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{
    Align2, CornerRadius, CursorIcon, FontId, Id, Rect, Response, Sense, Stroke, Ui, WidgetInfo, WidgetType,
    pos2, vec2,
};
use std::sync::Arc;

pub const HEIGHT: f32 = 30.0;
/// The height of the play range bar, a part of [`HEIGHT`].
const RANGE_HEIGHT: f32 = 8.0;
const GRIP: f32 = 5.0;

/// An end of the play range, or of a take, that is dragged.
struct RangeEnd {
    /// The name of the take; `None` for the play range.
    take: Option<String>,
    /// 0 for the start, 1 for the end.
    end: usize,
    range: [u32; 2],
}

#[derive(Default)]
pub struct RulerState {
    range: Option<PreviewDrag<RangeEnd>>,
    /// The frame at which the menu was opened.
    menu_frame: u32,
    pub scrubbing: bool,
    seam: Option<SeamOf>,
}

/// The seam of a range of frames of an animation.
struct SeamOf {
    animation: Arc<Animation>,
    range: [u32; 2],
    seam: Option<Seam>,
}

impl RulerState {
    /// Returns the seam of the chosen take; it is computed when the animation or the take has changed.
    pub fn seam(&mut self, animation: &Arc<Animation>, range: [u32; 2]) -> Option<Seam> {
        let is_current = |known: &SeamOf| Arc::ptr_eq(&known.animation, animation) && known.range == range;
        if !self.seam.as_ref().is_some_and(is_current) {
            self.seam = Some(SeamOf { animation: Arc::clone(animation), range, seam: animation.seam(range) });
        }
        self.seam.as_ref()?.seam
    }

    pub fn dragging(&self) -> bool {
        self.range.is_some()
    }

    /// Handles the grip at an end of the range of a take, or of the play range. Returns whether to highlight
    /// it.
    pub fn grip_ui(
        &mut self,
        ui: &Ui,
        hit: Rect,
        (take, range, end): (Option<&str>, [u32; 2], usize),
        name: &str,
        tip: &str,
    ) -> bool {
        let grip = ui.interact(hit, Id::new(("end of range", take, end)), Sense::DRAG);
        let value = range[end];
        grip.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(value), name));
        if is_pressed_in(ui, hit, &grip) {
            self.range = Some(PreviewDrag::new(RangeEnd { take: take.map(str::to_owned), end, range }));
        }
        let dragged = self.range.as_ref().map(|drag| &drag.start);
        let is_dragged = dragged.is_some_and(|start| start.end == end && start.take.as_deref() == take);
        let lit = grip.hovered() || is_dragged;
        let grip = grip.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
        if !is_dragged {
            grip.tip(format!("{name}: frame {value}. {tip}"));
        }
        lit
    }

    /// Ends scrubbing and commits a drag.
    pub fn leave(&mut self, out: &mut Vec<Request>) {
        self.scrubbing = false;
        PreviewDrag::leave(&mut self.range, out);
    }
}

/// Darkens the frames outside the play range, from the ruler down to the last row.
pub fn paint_played(ui: &Ui, rect: Rect, scale: &Scale, clip: &Clip) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::sheet::UNPLAYED);
    let [from, to] = clip.play_range().map(|frame| scale.x(frame as f32));
    let played = Rect::from_x_y_ranges(from..=to.max(from + 1.0), rect.y_range());
    painter.rect_filled(played, 0.0, theme::sheet::PLAYED);
}

/// Draws lines at numbered frames.
pub fn paint_grid(ui: &Ui, rect: Rect, scale: &Scale, clip: &Clip, seconds: bool) {
    let painter = ui.painter_at(rect);
    let stroke = Stroke::new(1.0, theme::sheet::GRID);
    for tick in ticks(scale, clip, seconds) {
        if tick.text.is_some() {
            painter.vline(scale.x(tick.frame).round() + 0.5, rect.y_range(), stroke);
        }
    }
}

pub fn ruler_ui(
    ui: &mut Ui,
    view: &View,
    rect: Rect,
    scale: &Scale,
    seconds: bool,
    state: &mut RulerState,
    out: &mut Vec<Request>,
) -> Response {
    let clip = view.session.scene().animation.clip;
    let response = ui.interact(rect, Id::new("timeline ruler"), Sense::CLICK | Sense::DRAG);
    let frame = view.session.frame();
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(frame), "Ruler of frames"));
    paint(ui, rect, scale, &clip, seconds);
    range_ui(ui, view, rect, scale, state, out);
    scrub(ui, &response, view, scale, state, out);
    if response.secondary_clicked()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        state.menu_frame = clip.clamp(scale.frame(pointer.x).round()) as u32;
    }
    if state.range.is_none() && !state.scrubbing {
        response.context_menu(|ui| menu(ui, view, state.menu_frame, out));
    }
    response.on_hover_cursor(CursorIcon::ResizeHorizontal)
}

/// Sets the current frame while scrubbing, in whole frames.
fn scrub(
    ui: &Ui,
    response: &Response,
    view: &View,
    scale: &Scale,
    state: &mut RulerState,
    out: &mut Vec<Request>,
) {
    let (down, pointer) = ui.input(|i| (i.pointer.primary_down(), i.pointer.latest_pos()));
    state.scrubbing = down && response.is_pointer_button_down_on() && state.range.is_none();
    // Press and release may happen within one frame.
    let clicked = response.clicked() && state.range.is_none();
    if let (true, Some(pointer)) = (state.scrubbing || clicked, pointer) {
        let clip = view.session.scene().animation.clip;
        let frame = clip.clamp(scale.frame(pointer.x).round());
        if frame != view.session.frame() {
            out.push(Request::SetFrame(frame));
        }
    }
}

fn paint(ui: &Ui, rect: Rect, scale: &Scale, clip: &Clip, seconds: bool) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::BAR);
    let font = FontId::proportional(theme::SMALL);
    let last = clip.last_frame() as f32;
    for tick in ticks(scale, clip, seconds) {
        let x = scale.x(tick.frame).round() + 0.5;
        let color = if tick.frame <= last { *theme::TEXT_QUIET } else { *theme::EDGE };
        let height = if tick.text.is_some() { 7.0 } else { 4.0 };
        let stroke = Stroke::new(1.0, theme::EDGE);
        painter.vline(x, rect.bottom() - height..=rect.bottom(), stroke);
        if let Some(text) = tick.text {
            let position = pos2(x, rect.top() + RANGE_HEIGHT + 0.5);
            painter.text(position, Align2::CENTER_TOP, text, font.clone(), color);
        }
    }
    painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme::LINE));
}

fn range_ui(
    ui: &mut Ui,
    view: &View,
    rect: Rect,
    scale: &Scale,
    state: &mut RulerState,
    out: &mut Vec<Request>,
) {
    let clip = view.session.scene().animation.clip;
    let [from, to] = clip.play_range();
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), RANGE_HEIGHT));
    let (left, right) = (scale.x(from as f32), scale.x(to as f32));
    let bar = Rect::from_x_y_ranges(left..=right.max(left), strip.top() + 2.0..=strip.top() + 5.0);
    let painter = ui.painter_at(rect);
    let limited = clip.range.is_some();
    let color = if limited { theme::sheet::KEY } else { theme::CONTROL_PRESSED };
    painter.rect_filled(bar, 1.5, color);
    for (end, x) in [left, right].into_iter().enumerate() {
        if !rect.x_range().contains(x) {
            continue;
        }
        let outward = if end == 0 { -GRIP } else { GRIP };
        let hit =
            Rect::from_two_pos(pos2(x - outward * 0.6, strip.top()), pos2(x + outward * 1.4, strip.bottom()));
        let name = ["Start of play range", "End of play range"][end];
        let tip = "Drag it; right-click the ruler to play all frames.";
        let lit = state.grip_ui(ui, hit, (None, [from, to], end), name, tip);
        let color = if lit { theme::TEXT_STRONG } else { color };
        let shape = Rect::from_two_pos(pos2(x, strip.top()), pos2(x + outward, strip.bottom()));
        painter.rect_filled(shape, CornerRadius::same(1), color);
    }
    drag_range(ui, view, scale, state, out);
}

fn drag_range(ui: &Ui, view: &View, scale: &Scale, state: &mut RulerState, out: &mut Vec<Request>) {
    let Some((drag, pointer)) = PreviewDrag::follow(&mut state.range, ui, view.session, out) else {
        return;
    };
    let animation = &view.session.scene().animation;
    let RangeEnd { take, end, range } = &drag.start;
    let mut range = *range;
    let frame = animation.clip.clamp(scale.frame(pointer.x).round()) as u32;
    range[*end] = match end {
        0 => frame.min(range[1]),
        _ => frame.max(range[0]),
    };
    let (command, current) = match take {
        None => (set_range(Some(range)), Some(animation.clip.play_range())),
        Some(take) => {
            let current = animation.takes.get(take);
            let take = take.clone();
            let command = Command::Takes(TakeCommand::SetRange { take, range });
            (command, current.map(|take| take.range))
        }
    };
    if current.is_some_and(|current| current != range) {
        drag.preview(command, out);
    }
}

fn set_range(range: Option<[u32; 2]>) -> Command {
    Command::Keys(KeyCommand::SetRange { range })
}

fn menu(ui: &mut Ui, view: &View, frame: u32, out: &mut Vec<Request>) {
    let clip = view.session.scene().animation.clip;
    let [from, to] = clip.play_range();
    let starts = (format!("Start playing at {frame}"), Some([frame, to.max(frame)]), true);
    let ends = (format!("Stop playing at {frame}"), Some([from.min(frame), frame]), true);
    let all = ("Play all frames".to_owned(), None, clip.range.is_some());
    for (text, range, enabled) in [starts, ends, all] {
        let button = egui::Button::new(&text).min_size(vec2(170.0, theme::ROW));
        let response = ui.add_enabled(enabled, button.wrap_mode(egui::TextWrapMode::Extend));
        let label = format!("Ruler > {text}");
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, &label));
        if response.clicked() {
            out.push(Request::Apply(vec![set_range(range)]));
        }
    }
    ui.separator();
    for action in [Action::INSERT_FRAMES, Action::REMOVE_FRAMES, Action::HOLD] {
        if menu_item(ui, view, "Ruler", action, None, out).clicked() {
            out.push(Request::SetFrame(frame as f32));
        }
    }
}

/// Draws the line of the current frame, from the ruler down, with its number in a flag.
pub fn paint_playhead(ui: &Ui, view: &View, ruler: Rect, all: Rect, scale: &Scale, seconds: bool) {
    let frame = view.session.frame();
    let x = scale.x(frame).round() + 0.5;
    if !all.x_range().contains(x) {
        return;
    }
    let text = frame_text(frame, &view.session.scene().animation.clip, seconds);
    let painter = ui.painter_at(all);
    let stroke = Stroke::new(1.5, theme::sheet::PLAYHEAD);
    painter.vline(x, ruler.bottom() - 8.0..=all.bottom(), stroke);
    let font = FontId::proportional(theme::SMALL);
    let galley = painter.layout_no_wrap(text, font, *theme::sheet::ON_PLAYHEAD);
    let size = galley.size() + vec2(10.0, 2.0);
    let left = (x - size.x / 2.0).clamp(all.left(), (all.right() - size.x).max(all.left()));
    let flag = Rect::from_min_size(pos2(left, ruler.top() + RANGE_HEIGHT - 0.5), size);
    painter.rect_filled(flag, theme::RADIUS, theme::sheet::PLAYHEAD);
    let text_position = flag.center() - galley.size() / 2.0;
    painter.galley(text_position, galley, *theme::sheet::ON_PLAYHEAD);
}
