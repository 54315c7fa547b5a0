//! New messages, in a column at the lower right of the viewport. They cover no controls, and let the pointer
//! through except at their buttons.

use super::{Level, Message, Messages, clip};
use crate::edit::request::Request;
use crate::editor::ui::theme::Quiet;
use crate::editor::ui::{icons, theme};
use egui::{
    Align2, Area, Button, Context, Frame, Id, Label, LayerId, Margin, Order, Rect, Response, RichText, Sense,
    Ui, Vec2, WidgetInfo, WidgetType, vec2,
};
use std::time::Duration;

/// The number of toasts shown at once; only the newest are.
pub(super) const TOASTS: usize = 4;
const WIDTH: f32 = 320.0;
/// The width below which no toasts are shown.
const MIN_WIDTH: f32 = 140.0;
/// The distance to the edges of the viewport.
const EDGE: f32 = 12.0;
/// The height assumed for a toast before it is drawn.
const DEFAULT_HEIGHT: f32 = 40.0;
/// The most characters of a message that a toast shows.
const SHOWN_CHARS: usize = 300;
const CLOSE_SIZE: Vec2 = vec2(20.0, 20.0);

/// A message that is shown over the viewport.
pub(super) struct Toast {
    serial: u64,
    /// The time of the context at which it disappears; set when it is first drawn.
    until: Option<f64>,
    height: f32,
}

impl Toast {
    pub(super) fn new(serial: u64) -> Self {
        Self { serial, until: None, height: DEFAULT_HEIGHT }
    }
}

/// Returns the height of a column of toasts with its distance to the edge; 0 without toasts.
pub(super) fn height(toasts: &[Toast]) -> f32 {
    let each = toasts.iter().map(|toast| toast.height + theme::GAP);
    if toasts.is_empty() { 0.0 } else { EDGE + each.sum::<f32>() }
}

/// The characters that are read in a second: as many as subtitles for adults have (Netflix Timed Text Style Guide).
const READING_SPEED: f64 = 17.0;

/// The number of seconds that a new message is shown: until it is noticed, and read; or, if something can be done about it,
/// decided on. Errors stay until they are closed.
fn duration_s(message: &Message) -> f64 {
    let reading = message.summary.chars().take(SHOWN_CHARS).count() as f64 / READING_SPEED;
    match (message.level, &message.offer) {
        (Level::Error, _) => f64::INFINITY,
        (Level::Info, None) => 3.0 + reading,
        (Level::Info | Level::Warning, _) => 7.0 + reading,
    }
}

/// The buttons of a toast.
#[derive(Clone, Copy, PartialEq)]
enum ToastButton {
    Offer,
    Details,
    Close,
}

/// The area of a toast, and the areas reserved for its buttons.
struct ToastLayout {
    rect: Rect,
    buttons: Vec<(ToastButton, Rect)>,
}

pub(super) fn toasts_ui(
    ctx: &Context,
    messages: &mut Messages,
    viewport: Rect,
    occupied: &[Rect],
    out: &mut Vec<Request>,
) {
    let now = ctx.input(|i| i.time);
    let width = WIDTH.min(viewport.width() - 2.0 * EDGE);
    let mut bottom = viewport.bottom() - EDGE;
    let mut closed = Vec::new();
    for toast in messages.toasts.iter_mut().rev() {
        let Some(message) = messages.list.iter_mut().find(|m| m.serial == toast.serial) else {
            closed.push(toast.serial);
            continue;
        };
        if toast.until.is_some_and(|until| now >= until) {
            closed.push(toast.serial);
            continue;
        }
        let size = vec2(width, toast.height);
        let Some(spot) = spot(viewport, bottom, size, occupied).filter(|_| width >= MIN_WIDTH) else {
            continue;
        };
        // The time of a toast that something covers begins when it is seen.
        let until = *toast.until.get_or_insert_with(|| now + duration_s(message));
        if until.is_finite() {
            ctx.request_repaint_after(Duration::from_secs_f64((until - now).clamp(0.0, 60.0)));
        }
        let layout = toast_ui(ctx, message, spot);
        toast.height = layout.rect.height();
        bottom = spot.bottom() - toast.height - theme::GAP;
        for (button, rect) in layout.buttons {
            if !button_ui(ctx, message, button, rect).clicked() {
                continue;
            }
            match button {
                ToastButton::Offer => out.extend(message.offer.take().map(|offer| offer.request)),
                ToastButton::Details => messages.open = true,
                ToastButton::Close => {}
            }
            if button != ToastButton::Details {
                closed.push(toast.serial);
            }
        }
        let hovered = ctx.pointer_latest_pos().is_some_and(|pointer| layout.rect.contains(pointer));
        if hovered && until.is_finite() {
            toast.until = Some(until.max(now + 2.0));
        }
    }
    messages.toasts.retain(|t| !closed.contains(&t.serial));
}

/// Returns the lowest area for a toast of `size` at the right of the viewport that does not extend below
/// `bottom` or intersect an occupied area. `None` if there is no room.
fn spot(viewport: Rect, bottom: f32, size: Vec2, occupied: &[Rect]) -> Option<Rect> {
    let right = viewport.right() - EDGE;
    let rect_above = |bottom: f32| {
        Rect::from_min_max(egui::pos2(right - size.x, bottom - size.y), egui::pos2(right, bottom))
    };
    let mut spot = rect_above(bottom);
    while let Some(obstacle) = occupied.iter().find(|rect| rect.expand(theme::GAP * 0.5).intersects(spot)) {
        spot = rect_above(obstacle.top() - theme::GAP);
    }
    (spot.top() >= viewport.top() + EDGE).then_some(spot)
}

/// Draws a toast and reserves room for its buttons.
fn toast_ui(ctx: &Context, message: &Message, spot: Rect) -> ToastLayout {
    let (icon, color) = message.level.icon_and_color();
    let mut buttons = Vec::new();
    let area = Area::new(Id::new(("toast", message.serial)))
        .order(Order::Middle)
        .interactable(false)
        .fade_in(false)
        .pivot(Align2::RIGHT_BOTTOM)
        .fixed_pos(spot.right_bottom());
    let shown = area.show(ctx, |ui| {
        let frame = Frame::popup(ui.style()).inner_margin(Margin::symmetric(10, 8));
        frame.show(ui, |ui| {
            let width = spot.width() - 22.0;
            ui.set_width(width);
            ui.horizontal_top(|ui| {
                ui.label(RichText::new(icon).color(color).size(theme::HEADING));
                let room = ui.available_width() - CLOSE_SIZE.x - ui.spacing().item_spacing.x;
                ui.vertical(|ui| {
                    ui.set_width(room.max(40.0));
                    ui.add(Label::new(clip(&message.summary, SHOWN_CHARS)).wrap());
                    if message.offer.is_none() && message.details.is_empty() {
                        return;
                    }
                    ui.horizontal(|ui| {
                        if let Some(offer) = &message.offer {
                            let text = egui::WidgetText::from(offer.text.as_str());
                            let font = egui::TextStyle::Button;
                            let text = text.into_galley(ui, Some(egui::TextWrapMode::Extend), room, font);
                            let size = text.size() + 2.0 * ui.spacing().button_padding;
                            buttons.push((ToastButton::Offer, reserve(ui, size)));
                        }
                        if !message.details.is_empty() {
                            buttons.push((ToastButton::Details, reserve(ui, vec2(56.0, theme::ROW))));
                        }
                    });
                });
                buttons.push((ToastButton::Close, reserve(ui, CLOSE_SIZE)));
            });
        });
    });
    ToastLayout { rect: shown.response.rect, buttons }
}

fn reserve(ui: &mut Ui, size: Vec2) -> Rect {
    ui.allocate_exact_size(vec2(size.x, size.y.max(CLOSE_SIZE.y)), Sense::empty()).0
}

/// Draws a button of a toast, in its own layer since the toast itself lets the pointer through.
fn button_ui(ctx: &Context, message: &Message, button: ToastButton, rect: Rect) -> Response {
    let about = clip(&message.summary, 60);
    let offer = message.offer.as_ref().map_or("", |offer| &offer.text);
    let (text, label, id) = match button {
        ToastButton::Offer => (offer, offer.to_owned(), "offer"),
        ToastButton::Details => ("Details", format!("Details of {about}"), "details"),
        ToastButton::Close => (icons::CLOSE, format!("Close {about}"), "close"),
    };
    let widget = match button {
        ToastButton::Offer => Button::new(text),
        _ => Button::new(RichText::new(text).color(theme::TEXT_QUIET)).quiet(false),
    };
    // Above the toast, but under dialogs.
    let order = if ctx.memory(|memory| memory.top_modal_layer().is_some()) {
        Order::Middle
    } else {
        Order::Foreground
    };
    let area = Area::new(Id::new(("toast button", message.serial, id)))
        .order(order)
        .fade_in(false)
        .sense(Sense::hover())
        .constrain(false)
        .fixed_pos(rect.min);
    let shown = area.show(ctx, |ui| {
        ui.spacing_mut().button_padding = match button {
            ToastButton::Close => vec2(2.0, 2.0),
            _ => ui.spacing().button_padding,
        };
        ui.add_sized(rect.size(), widget)
    });
    let response = shown.inner;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    response
}

/// The rectangles of the areas with these ids that are visible.
pub fn visible_areas(ctx: &Context, ids: &[&str]) -> Vec<Rect> {
    ctx.memory(|memory| {
        let areas = ids.iter().filter_map(|id| {
            let id = Id::new(*id);
            let order = [Order::Middle, Order::Foreground].into_iter();
            let is_shown =
                order.map(|order| LayerId::new(order, id)).any(|layer| memory.areas().is_visible(&layer));
            memory.area_rect(id).filter(|_| is_shown)
        });
        areas.collect()
    })
}
