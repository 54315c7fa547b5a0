//! The poses saved with the character, as small pictures. Hovering over one previews it, a click applies it,
//! a drag to the right blends it in, and Ctrl applies it mirrored. They affect the selected bones, or all
//! bones and the base.

use crate::edit::action::{Action, pose::pose_to_save};
use crate::edit::command::{Command, PoseChange, PoseUse};
use crate::edit::pose::figure::{Limb, limbs};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::overlays::pose_hover::{PoseHover, end_frame, hover_ui};
use crate::editor::ui::action::action_button;
use crate::editor::ui::list::{empty_ui, scroll, shorten};
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::rig::poses::SavedPose;
use crate::scene::skinned::SkinnedMesh;
use egui::{
    Align2, Button, Color32, CursorIcon, FontId, Key, Pos2, Rect, Response, Sense, Shape, Stroke, StrokeKind,
    TextStyle, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};
use std::f32::consts::{FRAC_PI_2, PI};

/// The length of a drag from no effect to the whole pose, in points.
const DRAG_LENGTH: f32 = 150.0;
/// The least width of a picture, in points.
const MIN_TILE_WIDTH: f32 = 64.0;
/// The number of points of a semicircle.
const CAP_POINTS: usize = 7;

/// The state of the list between frames.
#[derive(Default)]
pub struct PosesState {
    drag: Option<Drag>,
    rename: Option<Rename>,
    hover: Option<PoseHover>,
}

/// A pose that is being blended in.
struct Drag {
    pose_use: PoseUse,
    /// The x coordinate of the press, in points.
    start_x: f32,
    /// Whether it was cancelled while the button is still down.
    cancelled: bool,
    /// Whether the list was drawn in this frame.
    drawn: bool,
}

struct Rename {
    pose: String,
    text: String,
    /// Whether the field has not been drawn yet.
    is_new: bool,
}

impl PosesState {
    pub fn dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Cancels a drag if the list is no longer drawn. To be called once per frame, after the list.
    pub fn end_frame(&mut self, out: &mut Vec<Request>) {
        end_frame(&mut self.hover, out);
        match &mut self.drag {
            Some(drag) if drag.drawn => drag.drawn = false,
            Some(drag) => {
                if !drag.cancelled {
                    out.push(Request::Cancel);
                }
                self.drag = None;
            }
            None => {}
        }
    }
}

/// Draws the buttons and the pictures, at most `room` points high, and returns the height that they need.
pub fn poses_ui(ui: &mut Ui, view: &View, state: &mut PosesState, room: f32, out: &mut Vec<Request>) -> f32 {
    let session = view.session;
    let mesh = session.selection().mesh.as_ref();
    let found = mesh.and_then(|mesh| session.animated().skinned_meshes.get_key_value(mesh));
    scroll(ui, "poses", room, |ui| {
        let Some((mesh, skinned)) = found else {
            return empty_ui(ui, "Select a character first.");
        };
        let width = ui.available_width();
        action_button(ui, view, Action::SAVE_POSE, width, out);
        ui.horizontal(|ui| {
            let width = (width - ui.spacing().item_spacing.x) / 2.0;
            action_button(ui, view, Action::IMPORT_POSES, width, out);
            action_button(ui, view, Action::EXPORT_POSES, width, out);
        });
        if skinned.poses.is_empty() {
            ui.weak("Saved poses are kept here. Click one to apply it, drag to blend it in.");
        } else {
            tiles_ui(ui, view, (mesh, skinned), state, out);
        }
        drag_ui(ui, mesh, state, out);
    })
}

fn tiles_ui(
    ui: &mut Ui,
    view: &View,
    (mesh, skinned): (&str, &SkinnedMesh),
    state: &mut PosesState,
    out: &mut Vec<Request>,
) {
    let gap = theme::SMALL_GAP;
    let columns = ((ui.available_width() + gap) / (MIN_TILE_WIDTH + gap)).floor().max(1.0);
    let side = ((ui.available_width() + gap) / columns - gap).floor();
    let bones = view.session.selection().bones();
    for row in skinned.poses.chunks(columns as usize) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = gap;
            for pose in row {
                let (rect, _) = ui.allocate_exact_size(vec2(side, side + theme::ROW), Sense::hover());
                if ui.is_rect_visible(rect) {
                    let tile = Tile { mesh, skinned, pose, bones: &bones };
                    tile.ui(ui, view, rect, state, out);
                }
            }
        });
    }
}

struct Tile<'a> {
    mesh: &'a str,
    skinned: &'a SkinnedMesh,
    pose: &'a SavedPose,
    bones: &'a [usize],
}

impl Tile<'_> {
    fn ui(&self, ui: &mut Ui, view: &View, rect: Rect, state: &mut PosesState, out: &mut Vec<Request>) {
        let name = &self.pose.name;
        let id = ui.id().with(("pose", self.mesh, name));
        let response = ui.interact(rect, id, Sense::click_and_drag());
        let label = format!("Saved pose {name}");
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), &label));
        let ctrl = ui.input(|i| i.modifiers.command);
        let drag = state.drag.as_ref().filter(|drag| drag.pose_use.pose == *name && !drag.cancelled);
        let flipped = ctrl && (response.hovered() || drag.is_some());
        self.paint(ui, rect, &response, flipped, drag.map(|drag| drag.pose_use.amount));
        if state.rename.as_ref().is_some_and(|rename| rename.pose == *name) {
            self.rename_ui(ui, rect, state, out);
        }
        if response.clicked() {
            out.push(self.change(PoseChange::Apply(self.full_use(ctrl))));
        }
        if response.drag_started_by(egui::PointerButton::Primary)
            && let Some(press) = ui.input(|i| i.pointer.press_origin())
        {
            state.drag = Some(Drag {
                pose_use: PoseUse { amount: 0.0, ..self.full_use(ctrl) },
                start_x: press.x,
                cancelled: false,
                drawn: true,
            });
        }
        let pressed = ui.input(|i| i.pointer.any_down());
        if response.hovered() && !pressed && state.drag.is_none() && !response.context_menu_opened() {
            hover_ui(&mut state.hover, ui, view, self.mesh, self.full_use(ctrl), out);
        }
        response.context_menu(|ui| self.menu_ui(ui, view, state, out));
        let target = if self.bones.is_empty() { "the whole character" } else { "the selected bones" };
        response.tip_ui(|ui| {
            ui.strong(shorten(name));
            ui.label(format!(
                "Click to pose {target}, drag to the right to blend. Ctrl applies it mirrored."
            ));
        });
    }

    fn full_use(&self, flipped: bool) -> PoseUse {
        PoseUse { pose: self.pose.name.clone(), bones: self.bones.to_vec(), amount: 1.0, flipped }
    }

    fn change(&self, change: PoseChange) -> Request {
        let mesh = self.mesh.to_owned();
        Request::Apply(vec![Command::Poses { mesh, change }])
    }

    fn menu_ui(&self, ui: &mut Ui, view: &View, state: &mut PosesState, out: &mut Vec<Request>) {
        let pose = self.pose.name.clone();
        if line_ui(ui, "Apply mirrored") {
            out.push(self.change(PoseChange::Apply(self.full_use(true))));
        }
        if line_ui(ui, "Replace with current pose")
            && let Ok(current) = pose_to_save(view, Some(&pose))
        {
            out.push(self.change(PoseChange::Save(current)));
        }
        if line_ui(ui, "Rename") {
            let text = pose.clone();
            let is_new = true;
            state.rename = Some(Rename { pose: pose.clone(), text, is_new });
        }
        if line_ui(ui, "Delete") {
            out.push(self.change(PoseChange::Delete { pose }));
        }
    }

    /// Draws a text field over the name. Enter or a click elsewhere accepts the text, Esc cancels.
    fn rename_ui(&self, ui: &mut Ui, tile: Rect, state: &mut PosesState, out: &mut Vec<Request>) {
        let Some(rename) = &mut state.rename else { return };
        let id = ui.id().with("new name of a pose");
        let rect = Rect::from_min_max(pos2(tile.left(), tile.bottom() - theme::ROW), tile.max);
        if rename.is_new {
            ui.memory_mut(|memory| memory.request_focus(id));
            select_all(ui, id, &rename.text);
        }
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
        let edit = line_edit(&mut rename.text, rect.width() - 12.0).id(id).char_limit(200);
        inside.add(edit);
        let label = format!("New name of {}", rename.pose);
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(label));
        if std::mem::take(&mut rename.is_new) || ui.memory(|memory| memory.has_focus(id)) {
            return;
        }
        let Some(Rename { pose, text, .. }) = state.rename.take() else {
            return;
        };
        let name = text.trim().to_owned();
        if !ui.input(|i| i.key_pressed(Key::Escape)) && !name.is_empty() && name != pose {
            out.push(self.change(PoseChange::Rename { pose, name }));
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response, flipped: bool, amount: Option<f32>) {
        let painter = ui.painter_at(rect);
        let fill = if response.hovered() || amount.is_some() { *theme::CONTROL } else { *theme::FIELD };
        painter.rect_filled(rect, theme::RADIUS, fill);
        let picture = Rect::from_min_size(rect.min, vec2(rect.width(), rect.width())).shrink(3.0);
        for limb in limbs(&self.skinned.skeleton, self.pose, flipped) {
            painter.add(shape(&limb, picture, fill));
        }
        let line = Rect::from_min_max(pos2(rect.left(), rect.bottom() - theme::ROW), rect.max);
        let font = TextStyle::Small.resolve(ui.style());
        let (text, color) = match amount {
            Some(amount) => {
                let filled = Rect::from_min_size(line.min, vec2(line.width() * amount, line.height()));
                painter.rect_filled(filled, theme::RADIUS, theme::ACCENT_FILL);
                (format!("{:.0} %", amount * 100.0), *theme::TEXT_STRONG)
            }
            None => (shorten(&self.pose.name), *theme::TEXT),
        };
        text_ui(&painter, line, &text, font, color);
        if amount.is_some() {
            let stroke = Stroke::new(1.0, theme::ACCENT);
            painter.rect_stroke(rect, theme::RADIUS, stroke, StrokeKind::Inside);
        }
    }
}

/// Draws text centred, or cut off at the right if it is too long.
fn text_ui(painter: &egui::Painter, line: Rect, text: &str, font: FontId, color: Color32) {
    let galley = painter.layout_no_wrap(text.to_owned(), font, color);
    let free = (line.width() - galley.size().x) / 2.0;
    let rect =
        Align2::LEFT_CENTER.anchor_size(pos2(line.left() + free.max(3.0), line.center().y), galley.size());
    painter.galley(rect.min, galley, color);
}

/// The shape of a limb, with round ends: brighter if it is nearer, dimmer if the pose does not rotate it.
fn shape(limb: &Limb, picture: Rect, behind: Color32) -> Shape {
    let to_screen = |point: glam::Vec2| picture.min + vec2(point.x, point.y) * picture.width();
    let [from, to] = limb.ends.map(to_screen);
    let radius = (limb.radius * picture.width()).max(1.0);
    let direction = (to - from).angle();
    let around = |center: Pos2, middle: f32| {
        (0..CAP_POINTS).map(move |k| {
            let angle = middle - FRAC_PI_2 + PI * k as f32 / (CAP_POINTS - 1) as f32;
            center + egui::Vec2::angled(angle) * radius
        })
    };
    let points = around(to, direction).chain(around(from, direction + PI)).collect();
    let light = if limb.is_posed { theme::viewport::SURFACE } else { *theme::EDGE };
    let fill = behind.lerp_to_gamma(light, 0.55 + 0.45 * limb.nearness.clamp(0.0, 1.0));
    let rim = behind.lerp_to_gamma(fill, 0.35);
    Shape::convex_polygon(points, fill, Stroke::new(0.75, rim))
}

fn line_ui(ui: &mut Ui, text: &str) -> bool {
    let button = Button::new(text).wrap_mode(egui::TextWrapMode::Extend);
    let response = ui.add(button.min_size(vec2(180.0, theme::ROW)));
    let label = format!("Poses > {text}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    response.clicked()
}

/// Blends the pose in according to the pointer until the button is released.
fn drag_ui(ui: &Ui, mesh: &str, state: &mut PosesState, out: &mut Vec<Request>) {
    let Some(drag) = &mut state.drag else { return };
    drag.drawn = true;
    let (down, cancel, flipped, pointer) = ui.input(|i| {
        (
            i.pointer.primary_down(),
            i.key_pressed(Key::Escape) || i.pointer.button_pressed(egui::PointerButton::Secondary),
            i.modifiers.command,
            i.pointer.latest_pos(),
        )
    });
    if cancel && !drag.cancelled {
        drag.cancelled = true;
        out.push(Request::Cancel);
    }
    if let Some(pointer) = pointer.filter(|_| !drag.cancelled) {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        let amount = ((pointer.x - drag.start_x) / DRAG_LENGTH).clamp(0.0, 1.0);
        if (amount, flipped) != (drag.pose_use.amount, drag.pose_use.flipped) {
            (drag.pose_use.amount, drag.pose_use.flipped) = (amount, flipped);
            let (mesh, change) = (mesh.to_owned(), PoseChange::Apply(drag.pose_use.clone()));
            out.push(Request::Preview(vec![Command::Poses { mesh, change }]));
        }
    }
    if !down {
        if !drag.cancelled {
            out.push(Request::Commit);
        }
        state.drag = None;
    }
}
