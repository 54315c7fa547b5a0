//! New messages, in a column at the lower right of the viewport. They lie on nothing that is operated, and the pointer goes
//! through them except for their buttons.

use super::{Level, Message, Messages, clip};
use crate::edit::request::Request;
use crate::editor::ui::{icons, theme};
use egui::{
    Align2, Area, Button, Context, Frame, Id, Label, LayerId, Margin, Order, Rect, Response, RichText, Sense,
    Ui, Vec2, WidgetInfo, WidgetType, vec2,
};
use std::time::Duration;

/// Shown at once, at most; the newest.
pub(super) const TOASTS: usize = 4;
const WIDTH: f32 = 320.0;
/// Less has no room for them.
const LEAST_WIDTH: f32 = 140.0;
const EDGE: f32 = 12.0;
/// Height of one whose height is not known yet.
const USUAL: f32 = 40.0;
const CLOSE: Vec2 = vec2(20.0, 20.0);

/// A message that is shown.
pub(super) struct Toast {
    serial: u64,
    /// Time (of the context) at which it goes; set when it is first seen.
    until: Option<f64>,
    height: f32,
}

impl Toast {
    pub(super) fn new(serial: u64) -> Self {
        Self {
            serial,
            until: None,
            height: USUAL,
        }
    }
}

/// Seconds that a new message shows; errors wait for an answer.
fn seconds(message: &Message) -> f64 {
    match (message.level, &message.offer) {
        (Level::Error, _) => f64::INFINITY,
        (Level::Info, None) => 4.0,
        (Level::Info | Level::Warning, _) => 8.0,
    }
}

/// What can be pressed.
#[derive(Clone, Copy, PartialEq)]
enum Press {
    Offer,
    Details,
    Close,
}

/// Where a toast has left room for what can be pressed.
struct Places {
    rect: Rect,
    buttons: Vec<(Press, Rect)>,
}

pub(super) fn toasts_ui(
    ctx: &Context,
    messages: &mut Messages,
    viewport: Rect,
    covered: &[Rect],
    out: &mut Vec<Request>,
) {
    let now = ctx.input(|i| i.time);
    let width = WIDTH.min(viewport.width() - 2.0 * EDGE);
    let mut bottom = viewport.bottom() - EDGE;
    let mut gone = Vec::new();
    for toast in messages.toasts.iter_mut().rev() {
        let Some(message) = messages.list.iter_mut().find(|m| m.serial == toast.serial) else {
            gone.push(toast.serial);
            continue;
        };
        let until = *toast.until.get_or_insert_with(|| now + seconds(message));
        if now >= until {
            gone.push(toast.serial);
            continue;
        }
        if until.is_finite() {
            ctx.request_repaint_after(Duration::from_secs_f64((until - now).clamp(0.0, 60.0)));
        }
        let size = vec2(width, toast.height);
        let Some(spot) = spot(viewport, bottom, size, covered).filter(|_| width >= LEAST_WIDTH) else {
            continue;
        };
        let places = toast_ui(ctx, message, spot);
        toast.height = places.rect.height();
        bottom = spot.bottom() - toast.height - theme::GAP;
        for (press, rect) in places.buttons {
            if !press_ui(ctx, message, press, rect).clicked() {
                continue;
            }
            match press {
                Press::Offer => out.extend(message.offer.take().map(|offer| offer.request)),
                Press::Details => messages.open = true,
                Press::Close => {}
            }
            if press != Press::Details {
                gone.push(toast.serial);
            }
        }
        let read = ctx
            .pointer_latest_pos()
            .is_some_and(|at| places.rect.contains(at));
        if read && until.is_finite() {
            toast.until = Some(until.max(now + 2.0));
        }
    }
    messages.toasts.retain(|t| !gone.contains(&t.serial));
}

/// The place of a toast of `size` at the right of the viewport, not below `bottom`: as low as can be without lying on what is
/// covered. `None` where there is no room.
fn spot(viewport: Rect, bottom: f32, size: Vec2, covered: &[Rect]) -> Option<Rect> {
    let right = viewport.right() - EDGE;
    let at = |bottom: f32| {
        Rect::from_min_max(
            egui::pos2(right - size.x, bottom - size.y),
            egui::pos2(right, bottom),
        )
    };
    let mut spot = at(bottom);
    while let Some(under) = covered
        .iter()
        .find(|rect| rect.expand(theme::GAP * 0.5).intersects(spot))
    {
        spot = at(under.top() - theme::GAP);
    }
    (spot.top() >= viewport.top() + EDGE).then_some(spot)
}

/// What it says, and room for its buttons.
fn toast_ui(ctx: &Context, message: &Message, spot: Rect) -> Places {
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
                let room = ui.available_width() - CLOSE.x - ui.spacing().item_spacing.x;
                ui.vertical(|ui| {
                    ui.set_width(room.max(40.0));
                    ui.add(Label::new(clip(&message.summary, 300)).wrap());
                    if message.offer.is_none() && message.details.is_empty() {
                        return;
                    }
                    ui.horizontal(|ui| {
                        if let Some(offer) = &message.offer {
                            let text = egui::WidgetText::from(offer.text.as_str());
                            let font = egui::TextStyle::Button;
                            let text = text.into_galley(ui, Some(egui::TextWrapMode::Extend), room, font);
                            let size = text.size() + 2.0 * ui.spacing().button_padding;
                            buttons.push((Press::Offer, keep_free(ui, size)));
                        }
                        if !message.details.is_empty() {
                            buttons.push((Press::Details, keep_free(ui, vec2(56.0, theme::ROW))));
                        }
                    });
                });
                buttons.push((Press::Close, keep_free(ui, CLOSE)));
            });
        });
    });
    Places {
        rect: shown.response.rect,
        buttons,
    }
}

fn keep_free(ui: &mut Ui, size: Vec2) -> Rect {
    ui.allocate_exact_size(vec2(size.x, size.y.max(CLOSE.y)), Sense::empty())
        .0
}

/// A button of a toast: a layer of its own, since the toast leaves the pointer to what is under it.
fn press_ui(ctx: &Context, message: &Message, press: Press, rect: Rect) -> Response {
    let about = clip(&message.summary, 60);
    let offer = message.offer.as_ref().map_or("", |offer| &offer.text);
    let (text, label, id) = match press {
        Press::Offer => (offer, offer.to_owned(), "offer"),
        Press::Details => ("Details", format!("Details of {about}"), "details"),
        Press::Close => (icons::CLOSE, format!("Close {about}"), "close"),
    };
    let button = match press {
        Press::Offer => Button::new(text),
        _ => Button::new(RichText::new(text).color(theme::TEXT_QUIET)).frame_when_inactive(false),
    };
    let area = Area::new(Id::new(("toast button", message.serial, id)))
        .order(Order::Foreground)
        .fade_in(false)
        .sense(Sense::hover())
        .constrain(false)
        .fixed_pos(rect.min);
    let shown = area.show(ctx, |ui| {
        ui.spacing_mut().button_padding = match press {
            Press::Close => vec2(2.0, 2.0),
            _ => ui.spacing().button_padding,
        };
        ui.add_sized(rect.size(), button)
    });
    let response = shown.inner;
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    response
}

/// Where the areas called so stand, of those that are shown.
pub fn shown_areas(ctx: &Context, ids: &[&str]) -> Vec<Rect> {
    ctx.memory(|memory| {
        let areas = ids.iter().filter_map(|id| {
            let id = Id::new(*id);
            let order = [Order::Middle, Order::Foreground].into_iter();
            let is_shown = order
                .map(|order| LayerId::new(order, id))
                .any(|layer| memory.areas().is_visible(&layer));
            memory.area_rect(id).filter(|_| is_shown)
        });
        areas.collect()
    })
}
