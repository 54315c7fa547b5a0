//! Selecting with the pointer: a click, a click that adds, a box drawn over what is to be selected.
//!
//! A press that the tool does not hold is a click if the button comes up within [`CLICK_PX`] of it, however
//! long that takes: a busy machine must lose no clicks. Beyond that it is a box.

use super::Gestures;
use super::gesture::Gesture;
use crate::edit::box_select::{self, PixelBox};
use crate::edit::hover::next_under;
use crate::edit::pick::{PickTarget, Pickable, pick};
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::stage::Stage;
use crate::editor::ui::theme;
use crate::math::camera::Viewport;
use bevy::prelude::Vec2;
use bevy_egui::egui;

/// How far the pointer may go, in points, for a press and a release to be a click.
pub(super) const CLICK_PX: f32 = 4.0;

/// The click before, which a repeated click goes on from.
#[derive(Clone, Debug)]
pub struct LastClick {
    /// Points from the top left corner of what the camera sees.
    at: Vec2,
    view: Viewport,
    /// What it selected.
    target: PickTarget,
}

/// A press of the primary button that the tool does not hold.
#[derive(Debug)]
pub struct SelectGesture {
    /// Points from the top left corner of what the camera sees.
    press: Vec2,
    /// What the press was on.
    target: Option<PickTarget>,
    /// The pointer has been too far away for a click.
    far: bool,
}

impl SelectGesture {
    pub fn new(press: Vec2, target: Option<PickTarget>) -> Self {
        Self {
            press,
            target,
            far: false,
        }
    }

    pub fn is_box(&self) -> bool {
        self.far
    }

    /// From the press to the pointer.
    fn area(&self, to: Vec2) -> PixelBox {
        PixelBox::of_corners(self.press, to)
    }

    /// Draws the box in the viewport, which `ui` has left empty: in what the camera sees there.
    pub fn paint(&self, ui: &egui::Ui, viewport: egui::Rect) {
        let Some(to) = ui.input(|i| i.pointer.latest_pos()).filter(|_| self.far) else {
            return;
        };
        let corner = viewport.min + egui::vec2(self.press.x, self.press.y);
        let stroke = egui::Stroke::new(1.0, theme::viewport::HOVER);
        let fill = theme::viewport::HOVER.gamma_multiply(0.08);
        let rect = egui::Rect::from_two_pos(corner, to);
        let painter = ui.painter().with_clip_rect(viewport);
        painter.rect(rect, 0.0, fill, stroke, egui::StrokeKind::Middle);
    }
}

impl Gestures<'_> {
    /// Carries a click or a box on. True while a box is drawn.
    pub(super) fn select_gesture(&mut self, gesture: &Gesture) -> bool {
        let Some(mut select) = self.viewport.tool.select.take() else {
            return false;
        };
        if gesture.esc || gesture.right_pressed || gesture.lost_focus {
            self.redraw.soon();
            return select.far;
        }
        let Some(at) = gesture.released.or(gesture.at) else {
            self.viewport.tool.select = Some(select);
            return false;
        };
        select.far |= at.distance(select.press) >= CLICK_PX;
        let far = select.far;
        if gesture.released.is_none() && gesture.held {
            self.viewport.tool.select = Some(select);
            return far;
        }
        let adds = gesture.shift || gesture.ctrl;
        if far {
            self.select_box(&select.area(at), adds);
        } else {
            self.click(select.press, select.target, adds);
        }
        far
    }

    fn select_box(&mut self, area: &PixelBox, adds: bool) {
        self.redraw.soon();
        let view = self.view();
        let Some(stage) = Stage::of(&view) else { return };
        let found = box_select::in_box(&stage, &self.settings, &self.viewport.view(), area);
        let new = box_select::selected(self.session.selection(), found, adds);
        self.request_selection(new);
    }

    /// Everything under a point of the viewport, best first.
    pub(super) fn under(&self, at: Vec2) -> Vec<PickTarget> {
        let view = self.view();
        let hits = pick(&Pickable::of(&view), &self.viewport.view(), at);
        hits.into_iter().map(|hit| hit.target).collect()
    }

    /// Whether a click there comes after one that selected what is selected now, in the same place.
    pub(super) fn clicks_again(&self, at: Vec2) -> bool {
        let Some(last) = &self.viewport.last_click else {
            return false;
        };
        let selection = self.session.selection();
        let selected = match &last.target {
            PickTarget::Instance(instance) => {
                selection.part.is_none() && selection.instance.as_ref() == Some(instance)
            }
            target => selection.part == target.part(),
        };
        selected && last.view == self.viewport.view() && last.at.distance(at) < CLICK_PX
    }

    /// A click on `target`; repeated, it goes on to what lies behind. With `adds` beside what is selected.
    pub(super) fn click(&mut self, at: Vec2, target: Option<PickTarget>, adds: bool) {
        let target = match (target, &self.viewport.last_click) {
            (Some(_), Some(last)) if !adds && self.clicks_again(at) => {
                next_under(self.under(at), &last.target, self.session.selection())
            }
            (target, _) => target,
        };
        self.select_target(target.as_ref(), adds);
        self.viewport.last_click = target.filter(|_| !adds).map(|target| LastClick {
            at,
            view: self.viewport.view(),
            target,
        });
    }

    /// Selects what was clicked; with `toggles` beside what is selected, or no longer. A click on nothing goes
    /// one level up, or does nothing where it toggles.
    pub(super) fn select_target(&mut self, target: Option<&PickTarget>, toggles: bool) {
        let selection = self.session.selection();
        let new = match target {
            Some(target) if toggles => match target.part() {
                Some(part) => selection.toggled(part),
                None => return,
            },
            None if toggles => return,
            None => selection.outer(self.settings.tab),
            Some(PickTarget::Instance(instance)) => Selection::of_instance(self.session.scene(), instance),
            // The skin of the mesh that is worked on: the mesh, no part of it.
            Some(target) => selection.with_part(target.part()),
        };
        self.request_selection(new);
    }

    fn request_selection(&mut self, new: Selection) {
        if new != *self.session.selection() {
            self.requests.push(Request::Select(new));
        }
    }
}
