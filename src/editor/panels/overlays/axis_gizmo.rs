//! The axes of the world in the lower left corner of the viewport, and the name of the view next to them. A
//! click on an axis looks along it, another one from the opposite side; dragging orbits.

use crate::edit::action::Action;
use crate::edit::request::{Navigation, Request};
use crate::edit::settings::view::{Shading, Tab, View};
use crate::edit::tool::Button;
use crate::edit::tool::gizmo::Modifiers;
use crate::edit::tool::navigate::drag_step;
use crate::editor::ui::action::with_tooltip;
use crate::editor::ui::drag_keys::notches;
use crate::editor::ui::{list, theme};
use crate::math::camera::{AxisView, ViewCamera};
use egui::{
    Align2, Area, Color32, Context, FontId, Id, Order, PointerButton, Pos2, Rect, Response, Sense, Ui,
    WidgetInfo, WidgetType, vec2,
};

pub(in crate::editor::panels) const AREA: &str = "axis gizmo";
/// The distance of the balls from the middle, and their radius.
const ARM: f32 = 28.0;
const BALL: f32 = 8.0;
const SIZE: f32 = 2.0 * (ARM + BALL) + 4.0;
/// The width and height of the viewport below which it is not shown.
const MIN_SIZE: egui::Vec2 = vec2(300.0, 220.0);
/// The cosine of the largest angle between a view and the axis that it is along.
const ALONG: f32 = 0.999_999;

/// A view, its action, the opposite one, and its name.
type Side = (AxisView, Action, Action, &'static str);

/// The views from x, y, z and from their opposites.
const SIDES: [Side; 6] = [
    (AxisView::Right, Action::VIEW_RIGHT, Action::VIEW_LEFT, "Right"),
    (AxisView::Top, Action::VIEW_TOP, Action::VIEW_BOTTOM, "Top"),
    (AxisView::Front, Action::VIEW_FRONT, Action::VIEW_BACK, "Front"),
    (AxisView::Left, Action::VIEW_LEFT, Action::VIEW_RIGHT, "Left"),
    (AxisView::Bottom, Action::VIEW_BOTTOM, Action::VIEW_TOP, "Bottom"),
    (AxisView::Back, Action::VIEW_BACK, Action::VIEW_FRONT, "Back"),
];

/// Returns the name of a view: the side it is from, the projection, or the camera that it looks through; and how
/// surfaces are shaded unless in their own colours.
pub fn view_name(camera: &ViewCamera, scene_camera: Option<&str>, shading: Shading) -> String {
    let projection = if camera.orthographic { "orthographic" } else { "perspective" };
    let back = camera.axes()[2];
    let side = SIDES.iter().find(|(view, ..)| back.dot(view.direction()) > ALONG);
    let place = match (scene_camera, side) {
        (Some(name), _) => format!("Camera {}", list::shorten(name)),
        (None, Some((.., name))) => format!("{name}, {projection}"),
        (None, None) if camera.orthographic => "Orthographic".into(),
        (None, None) => "Perspective".into(),
    };
    match shading {
        Shading::Studio => place,
        Shading::Clay => format!("{place} · Clay"),
        Shading::Matcap => format!("{place} · Matcap"),
    }
}

/// Draws the gizmo for the view of `camera`, in the lower left corner of `viewport`.
pub fn axis_gizmo_ui(
    ctx: &Context,
    camera: &ViewCamera,
    view: &View,
    viewport: Rect,
    out: &mut Vec<Request>,
) {
    if viewport.width() < MIN_SIZE.x || viewport.height() < MIN_SIZE.y {
        return;
    }
    let area = Area::new(Id::new(AREA))
        .order(Order::Middle)
        .fade_in(false)
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(viewport.left_bottom() + vec2(8.0, -8.0));
    area.show(ctx, |ui| {
        let (rect, disc) = ui.allocate_exact_size(vec2(SIZE, SIZE), Sense::click_and_drag());
        let settings = view.settings;
        // The weights view has colours of its own.
        let shading = if settings.display.weights_view && settings.tab == Tab::Rig {
            Shading::Studio
        } else {
            settings.display.shading
        };
        let name = view_name(camera, settings.display.camera.as_deref(), shading);
        disc.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, format!("View: {name}")));
        if ui.rect_contains_pointer(rect) {
            let light = Color32::from_white_alpha(10);
            ui.painter().circle_filled(rect.center(), 0.5 * SIZE, light);
        }
        navigate(&disc, view, viewport, out);
        // Those at the back first.
        let [right, up, back] = camera.axes();
        let mut sides = [0, 1, 2, 3, 4, 5];
        let depth = |side: &usize| SIDES[*side].0.direction().dot(back);
        sides.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        let background = theme::viewport::rgb(view.settings.options.view_colors().background);
        for side in sides {
            let direction = SIDES[side].0.direction();
            let place = vec2(direction.dot(right), -direction.dot(up)) * ARM;
            let places = (rect.center(), rect.center() + place);
            let ball = ball_ui(ui, places, side, depth(&side), background, out);
            navigate(&ball, view, viewport, out);
        }
        let scrolled = ui.input(|input| input.events.iter().map(notches).sum::<f32>());
        if scrolled != 0.0 && ui.rect_contains_pointer(rect) {
            let (notches, pixel) = (scrolled, local(viewport, viewport.center()));
            out.push(Request::Navigate(Navigation::Zoom { notches, pixel }));
        }
        let text = rect.right_bottom() + vec2(4.0, -6.0);
        let painter = ui.ctx().layer_painter(ui.layer_id());
        let font = FontId::proportional(theme::SMALL);
        // Readable on any surface.
        let inks = (theme::viewport::SIGN, theme::viewport::WIREFRAME);
        let (ink, rim) = if view.settings.options.view_colors().is_light() { (inks.1, inks.0) } else { inks };
        painter.text(text + vec2(1.0, 1.0), Align2::LEFT_BOTTOM, &name, font.clone(), rim);
        painter.text(text, Align2::LEFT_BOTTOM, &name, font, ink);
    });
}

/// A point of the viewport, relative to its corner.
fn local(viewport: Rect, point: Pos2) -> glam::Vec2 {
    glam::vec2(point.x - viewport.left(), point.y - viewport.top())
}

/// The left button orbits; the others do what they do elsewhere in the view.
fn navigate(response: &Response, view: &View, viewport: Rect, out: &mut Vec<Request>) {
    let buttons = [
        (PointerButton::Primary, Button::Primary),
        (PointerButton::Middle, Button::Middle),
        (PointerButton::Secondary, Button::Secondary),
    ];
    let Some((_, button)) = buttons.into_iter().find(|(egui, _)| response.dragged_by(*egui)) else {
        return;
    };
    let moved = response.drag_delta();
    let (modifiers, alt, first) = response.ctx.input(|input| {
        let modifiers = Modifiers { snap: input.modifiers.command, fine: input.modifiers.shift };
        (modifiers, input.modifiers.alt, input.pointer.press_origin())
    });
    if moved != egui::Vec2::ZERO {
        let first = local(viewport, first.unwrap_or(viewport.center()));
        let (preset, moved) = (view.settings.options.mouse, glam::vec2(moved.x, moved.y));
        out.push(Request::Navigate(drag_step(preset, (button, alt), modifiers, first, moved)));
    }
}

/// Draws the ball of a side. `depth`: from -1 at the back to 1 at the front.
fn ball_ui(
    ui: &mut Ui,
    (middle, center): (Pos2, Pos2),
    side: usize,
    depth: f32,
    background: Color32,
    out: &mut Vec<Request>,
) -> Response {
    let (axis, positive) = (side % 3, side < 3);
    let (.., action, opposite, _) = SIDES[side];
    let area = Rect::from_center_size(center, vec2(2.0 * BALL, 2.0 * BALL));
    let response = ui.interact(area, ui.id().with(side), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, action.text));
    let hovered = response.hovered();
    if response.clicked() {
        out.push(Request::Act(if depth > ALONG { opposite } else { action }));
    }
    let response = with_tooltip(response, action, None);
    // What is at the back fades.
    let part = 0.7 + 0.3 * depth;
    let color = background.lerp_to_gamma(theme::AXES[axis], part);
    let painter = ui.painter();
    if positive {
        painter.line_segment([middle, center], (2.0, color));
        painter.circle_filled(center, BALL, color);
        let letter = theme::AXIS_NAMES[axis].to_uppercase();
        let font = FontId::proportional(theme::SMALL);
        painter.text(center, Align2::CENTER_CENTER, letter, font, theme::viewport::WIREFRAME);
    } else {
        let fill = background.lerp_to_gamma(color, 0.35);
        painter.circle(center, BALL - 1.5, fill, (1.5, color));
    }
    if hovered {
        painter.circle_stroke(center, BALL, (1.5, theme::viewport::SIGN));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_have_names() {
        let mut camera = ViewCamera::default();
        assert_eq!(view_name(&camera, None, Shading::Studio), "Perspective");
        assert_eq!(view_name(&camera, Some("Lens"), Shading::Clay), "Camera Lens · Clay");
        camera.set_view(AxisView::Bottom);
        assert_eq!(view_name(&camera, None, Shading::Studio), "Bottom, perspective");
        camera.orthographic = true;
        camera.set_view(AxisView::Left);
        assert_eq!(view_name(&camera, None, Shading::Studio), "Left, orthographic");
        camera.yaw += 0.01;
        assert_eq!(view_name(&camera, None, Shading::Studio), "Orthographic");
    }
}
