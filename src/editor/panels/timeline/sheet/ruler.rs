//! The ruler: numbered frames, the frame that is shown, the frames that are played. A drag in it scrubs;
//! the ends of the bar at its top are those of the play range. Spans of takes lie below it (`take_spans`).

use super::time::{Scale, frame_text, ticks};
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::command::takes::TakeCommand;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::ui::theme;
use egui::{
    Align2, CornerRadius, CursorIcon, FontId, Id, Key, PointerButton, Rect, Response, Sense, Stroke, Ui,
    WidgetInfo, WidgetType, pos2, vec2,
};

pub const HEIGHT: f32 = 30.0;
/// Height of the play range bar, part of [`HEIGHT`].
const RANGE: f32 = 8.0;
const GRIP: f32 = 5.0;

/// An end of the play range, or of a take, on its way.
pub struct RangeDrag {
    take: Option<String>,
    end: usize,
    range: [u32; 2],
    previewed: bool,
    over: bool,
}

#[derive(Default)]
pub struct RulerState {
    range: Option<RangeDrag>,
    /// Where its menu was opened.
    menu_frame: u32,
    pub scrubbing: bool,
}

impl RulerState {
    pub fn dragging(&self) -> bool {
        self.range.is_some()
    }

    /// The end of a range, of a take or of what is played, where it is taken hold of. Whether the pointer has it.
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
        if grip.drag_started_by(PointerButton::Primary) && self.range.is_none() {
            self.range = Some(RangeDrag {
                take: take.map(str::to_owned),
                end,
                range,
                previewed: false,
                over: false,
            });
        }
        let held = self.range.as_ref();
        let held = held.is_some_and(|drag| drag.end == end && drag.take.as_deref() == take);
        let lit = grip.hovered() || held;
        let grip = grip.on_hover_and_drag_cursor(CursorIcon::ResizeHorizontal);
        if !held {
            grip.on_hover_text(format!("{name}: frame {value}. {tip}"));
        }
        lit
    }

    /// Ends what lost the ruler.
    pub fn leave(&mut self, out: &mut Vec<Request>) {
        self.scrubbing = false;
        if let Some(drag) = self.range.take()
            && drag.previewed
            && !drag.over
        {
            out.push(Request::Commit);
        }
    }
}

/// Frames that are not played are darker, from the ruler down to the last row.
pub fn paint_played(ui: &Ui, rect: Rect, scale: &Scale, clip: &Clip) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::sheet::UNPLAYED);
    let [from, to] = clip.played().map(|frame| scale.x(frame as f32));
    let played = Rect::from_x_y_ranges(from..=to.max(from + 1.0), rect.y_range());
    painter.rect_filled(played, 0.0, theme::sheet::PLAYED);
}

/// Lines at numbered frames.
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
    scrub(ui, &response, view, scale, state, out);
    range_ui(ui, view, rect, scale, state, out);
    if response.secondary_clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        state.menu_frame = clip.clamp(scale.frame(at.x).round()) as u32;
    }
    if state.range.is_none() && !state.scrubbing {
        response.context_menu(|ui| menu(ui, &clip, state.menu_frame, out));
    }
    response.on_hover_cursor(CursorIcon::ResizeHorizontal)
}

/// Whole frames, from the press on.
fn scrub(
    ui: &Ui,
    response: &Response,
    view: &View,
    scale: &Scale,
    state: &mut RulerState,
    out: &mut Vec<Request>,
) {
    let (down, at) = ui.input(|i| (i.pointer.primary_down(), i.pointer.latest_pos()));
    state.scrubbing = down && response.is_pointer_button_down_on() && state.range.is_none();
    // Press and release may come in one frame.
    let clicked = response.clicked() && state.range.is_none();
    if let (true, Some(at)) = (state.scrubbing || clicked, at) {
        let clip = view.session.scene().animation.clip;
        let frame = clip.clamp(scale.frame(at.x).round());
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
        let color = match tick.frame <= last {
            true => theme::TEXT_QUIET,
            false => theme::EDGE,
        };
        let height = if tick.text.is_some() { 7.0 } else { 4.0 };
        let stroke = Stroke::new(1.0, theme::EDGE);
        painter.vline(x, rect.bottom() - height..=rect.bottom(), stroke);
        if let Some(text) = tick.text {
            let at = pos2(x, rect.top() + RANGE + 0.5);
            painter.text(at, Align2::CENTER_TOP, text, font.clone(), color);
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
    let [from, to] = clip.played();
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), RANGE));
    let (left, right) = (scale.x(from as f32), scale.x(to as f32));
    let bar = Rect::from_x_y_ranges(left..=right.max(left), strip.top() + 2.0..=strip.top() + 5.0);
    let painter = ui.painter_at(rect);
    let limited = clip.range.is_some();
    let color = if limited {
        theme::sheet::KEY
    } else {
        theme::CONTROL_PRESSED
    };
    painter.rect_filled(bar, 1.5, color);
    for (end, x) in [left, right].into_iter().enumerate() {
        if !rect.x_range().contains(x) {
            continue;
        }
        let outward = if end == 0 { -GRIP } else { GRIP };
        let hit = Rect::from_two_pos(
            pos2(x - outward * 0.6, strip.top()),
            pos2(x + outward * 1.4, strip.bottom()),
        );
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
    let Some(drag) = &mut state.range else { return };
    let (down, cancels, at) = ui.input(|i| {
        let cancels = i.key_pressed(Key::Escape) || i.pointer.button_pressed(PointerButton::Secondary);
        (i.pointer.primary_down(), cancels, i.pointer.latest_pos())
    });
    drag.over |= drag.previewed && !view.session.in_transaction();
    if cancels && !drag.over {
        drag.over = true;
        if drag.previewed {
            out.push(Request::Cancel);
        }
    }
    if !down {
        state.leave(out);
        return;
    }
    if let (false, Some(at)) = (drag.over, at) {
        let clip = view.session.scene().animation.clip;
        let frame = clip.clamp(scale.frame(at.x).round()) as u32;
        let mut range = drag.range;
        range[drag.end] = match drag.end {
            0 => frame.min(range[1]),
            _ => frame.max(range[0]),
        };
        let (command, now) = match &drag.take {
            None => (set_range(Some(range)), Some(clip.played())),
            Some(take) => {
                let now = view.session.scene().animation.takes.get(take);
                let take = take.clone();
                let command = Command::Takes(TakeCommand::SetRange { take, range });
                (command, now.map(|take| take.range))
            }
        };
        if now.is_some_and(|now| now != range) {
            drag.previewed = true;
            out.push(Request::Preview(vec![command]));
        }
    }
}

fn set_range(range: Option<[u32; 2]>) -> Command {
    Command::Keys(KeyCommand::SetRange { range })
}

fn menu(ui: &mut Ui, clip: &Clip, frame: u32, out: &mut Vec<Request>) {
    let [from, to] = clip.played();
    let starts = (
        format!("Start playing at {frame}"),
        Some([frame, to.max(frame)]),
        true,
    );
    let ends = (
        format!("Stop playing at {frame}"),
        Some([from.min(frame), frame]),
        true,
    );
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
}

/// The line of the frame that is shown, from the ruler down, with its number in a flag.
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
    let galley = painter.layout_no_wrap(text, font, theme::sheet::ON_PLAYHEAD);
    let size = galley.size() + vec2(10.0, 2.0);
    let left = (x - size.x / 2.0).clamp(all.left(), (all.right() - size.x).max(all.left()));
    let flag = Rect::from_min_size(pos2(left, ruler.top() + RANGE - 0.5), size);
    painter.rect_filled(flag, theme::RADIUS, theme::sheet::PLAYHEAD);
    let at = flag.center() - galley.size() / 2.0;
    painter.galley(at, galley, theme::sheet::ON_PLAYHEAD);
}
