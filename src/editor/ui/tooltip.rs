//! The tooltips of all controls: when they show, and where. They show after a rest of the pointer, not during or
//! after a drag, and beside the group of controls that the control belongs to, so that they cover none of them.

use egui::{Context, Id, Order, Pos2, Rangef, Rect, RectAlign, Response, Tooltip, Ui, WidgetText};

/// The distance to the group.
const GAP: f32 = 8.0;
/// The distance from the top of a group within which a tooltip is above the group.
const NEAR: f32 = 60.0;
/// The distance that the pointer moves after a drag before a tooltip shows again.
const MOVED: f32 = 12.0;

/// Where the tooltips of a group of controls show.
#[derive(Clone, Copy)]
pub enum Side {
    /// At the left or the right of the group, as far down as the control.
    Beside,
    /// Above the group; beside controls that are further down in it.
    Above,
}

/// Adds tooltips to a control. In menus, dialogs and windows, these are beside the whole menu, dialog or window;
/// in panels, beside the group of [`with_group`]; elsewhere below the control.
pub trait Tip: Sized {
    /// Shows `add` while the control is enabled.
    fn tip_ui(self, add: impl FnOnce(&mut Ui)) -> Self;
    /// Shows `add` while the control is disabled.
    fn disabled_tip_ui(self, add: impl FnOnce(&mut Ui)) -> Self;

    fn tip(self, text: impl Into<WidgetText>) -> Self {
        self.tip_ui(|ui| drop(ui.label(text.into())))
    }

    fn disabled_tip(self, text: impl Into<WidgetText>) -> Self {
        self.disabled_tip_ui(|ui| drop(ui.label(text.into())))
    }
}

impl Tip for Response {
    fn tip_ui(self, add: impl FnOnce(&mut Ui)) -> Self {
        show(&self, Tooltip::for_enabled, add);
        self
    }

    fn disabled_tip_ui(self, add: impl FnOnce(&mut Ui)) -> Self {
        show(&self, Tooltip::for_disabled, add);
        self
    }
}

fn show(response: &Response, tooltip: impl Fn(&Response) -> Tooltip<'static>, add: impl FnOnce(&mut Ui)) {
    let mut tooltip = tooltip(response);
    let is_after_drag = || response.ctx.data(|data| data.get_temp::<Pos2>(drag_id()).is_some());
    if !tooltip.popup.is_open() || is_after_drag() {
        return;
    }
    tooltip.popup = match group(response) {
        Some((group, Side::Beside)) => {
            let anchor = Rect::from_x_y_ranges(group, response.rect.y_range());
            let popup = tooltip.popup.anchor(anchor).align(RectAlign::RIGHT_START);
            popup.align_alternatives(&[
                RectAlign::LEFT_START,
                // At the bottom of the window.
                RectAlign::RIGHT_END,
                RectAlign::LEFT_END,
                RectAlign::BOTTOM_START,
                RectAlign::TOP_START,
            ])
        }
        Some((group, Side::Above)) if response.rect.top() - group.min < NEAR => {
            let anchor = Rect::from_x_y_ranges(response.rect.x_range(), group);
            let popup = tooltip.popup.anchor(anchor).align(RectAlign::TOP_START);
            popup.align_alternatives(&[RectAlign::BOTTOM_START])
        }
        Some((_, Side::Above)) => {
            let popup = tooltip.popup.align(RectAlign::RIGHT_START);
            popup.align_alternatives(&[RectAlign::LEFT_START, RectAlign::RIGHT_END, RectAlign::LEFT_END])
        }
        // Towards the middle of the window, not over what is beside it.
        None if response.rect.center().x > response.ctx.content_rect().center().x => {
            tooltip.popup.align(RectAlign::BOTTOM_END)
        }
        None => tooltip.popup,
    };
    tooltip.popup = tooltip.popup.gap(GAP);
    tooltip.show(add);
}

fn group_id() -> Id {
    Id::new("group of tooltips")
}

/// Shows controls whose tooltips do not cover `group`; a group within another is part of it.
pub fn with_group<R>(ui: &mut Ui, group: Rect, side: Side, add: impl FnOnce(&mut Ui) -> R) -> R {
    if ui.data(|data| data.get_temp::<(Rangef, Side)>(group_id()).is_some()) {
        return add(ui);
    }
    let range = match side {
        Side::Beside => group.x_range(),
        Side::Above => group.y_range(),
    };
    ui.data_mut(|data| data.insert_temp(group_id(), (range, side)));
    let added = add(ui);
    ui.data_mut(|data| data.remove::<(Rangef, Side)>(group_id()));
    added
}

/// The extent of the group of a control, and where its tooltips show.
fn group(response: &Response) -> Option<(Rangef, Side)> {
    let layer = response.layer_id;
    if layer.order == Order::Background {
        return response.ctx.data(|data| data.get_temp(group_id()));
    }
    let area = response.ctx.memory(|memory| memory.area_rect(layer.id))?;
    Some((area.x_range(), Side::Beside))
}

fn drag_id() -> Id {
    Id::new("end of the last drag")
}

/// Notes where a drag ends; called once per frame, before the controls. The tooltip of what is there now would cover
/// what the user looks at.
pub fn begin_frame(ctx: &Context) {
    let (dragging, pointer) =
        ctx.input(|input| (input.pointer.is_decidedly_dragging(), input.pointer.latest_pos()));
    ctx.data_mut(|data| {
        let end = data.get_temp::<Pos2>(drag_id());
        match (dragging, pointer, end) {
            (true, Some(pointer), _) => {
                data.insert_temp(drag_id(), pointer);
            }
            (false, Some(pointer), Some(end)) if pointer.distance(end) > MOVED => {
                data.remove::<Pos2>(drag_id());
            }
            _ => {}
        }
    });
}
