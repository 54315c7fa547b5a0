//! The animation layers of the selected character: what plays above its own keys. A click chooses the layer that new keys belong
//! to, a double click renames it, a drag moves it above or below others; the settings of the chosen one are below the list.

use crate::anim::channel::{ChannelRef, Value};
use crate::anim::layer::{Layer, LayerKind, LayerStack};
use crate::anim::mode::Mode;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, KeyframeValues, Purpose};
use crate::edit::command::layers::LayerChange;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::key_state;
use crate::editor::ui::action::{action_switch, icon_button};
use crate::editor::ui::choice::option_ui;
use crate::editor::ui::fields::{Converters, Fields};
use crate::editor::ui::list::{Row, empty_ui, row_ui, scroll};
use crate::editor::ui::number::{Number, number_ui, select_all};
use crate::editor::ui::row::line_edit;
use crate::editor::ui::slider::slider_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{
    Align, Button, Id, Key, Layout, Rect, RichText, Stroke, Ui, UiBuilder, WidgetInfo, WidgetType, pos2, vec2,
};

/// The width of a switch in a row, and of a number, in points.
const SWITCH: f32 = 24.0;
const FIELD: f32 = 52.0;
/// The width of the label of the fade, in points.
const FADE_LABEL: f32 = 36.0;

/// The state of the list between frames.
#[derive(Default)]
pub struct LayersState {
    rename: Option<Rename>,
    /// The layer that is being dragged.
    dragged: Option<u32>,
    /// Whether Esc was pressed since.
    gave_up: bool,
}

/// The layer that is being renamed.
struct Rename {
    layer: u32,
    text: String,
    /// Whether the field has not been drawn yet.
    is_new: bool,
}

/// The character whose layers are shown.
struct List<'a> {
    view: &'a View<'a>,
    mesh: &'a str,
    stack: &'a LayerStack,
}

/// Draws the list, at most `room` points high, and returns the height that it needs.
pub fn layers_ui(
    ui: &mut Ui,
    view: &View,
    (state, fields): (&mut LayersState, &mut Fields),
    room: f32,
    out: &mut Vec<Request>,
) -> f32 {
    let session = view.session;
    let mesh = session.selection().mesh.as_ref();
    let mesh = mesh.filter(|mesh| session.animated().skinned_meshes.get(*mesh).is_some());
    scroll(ui, "layers", room, |ui| {
        let Some(mesh) = mesh else {
            return empty_ui(ui, "Select a character first.");
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (action, icon) in [
                (Action::NEW_LAYER, icons::ADD_LAYER),
                (Action::NEW_OVERRIDE_LAYER, icons::ADD_OVERRIDE),
                (Action::MERGE_LAYER, icons::MERGE),
                (Action::DELETE_LAYER, icons::DELETE),
            ] {
                icon_button(ui, view, action, icon, out);
            }
        });
        // A preview of a drag of the weight shows too.
        let Some(stack) = session.animated().animation.layers_of(mesh) else {
            ui.weak(
                "A layer corrects a motion and leaves its keys as they are. Add one, and pose with auto-key.",
            );
            return;
        };
        let list = List { view, mesh, stack };
        let mut rows = Vec::new();
        for layer in stack.list.iter().rev() {
            rows.push((layer.id, list.layer_ui(ui, layer, state, out)));
        }
        list.base_ui(ui, out);
        list.drag_ui(ui, &rows, state, out);
        if let Some(layer) = stack.active() {
            fields.set_subject(("layer", mesh, layer.id));
            list.settings_ui(ui, layer, fields, out);
        }
    })
}

impl List<'_> {
    fn change(&self, change: LayerChange) -> Vec<Command> {
        vec![Command::Layers { mesh: self.mesh.to_owned(), change }]
    }

    /// Draws the row of the character's own keys, labelled "Layer Base animation".
    fn base_ui(&self, ui: &mut Ui, out: &mut Vec<Request>) {
        let selected = self.stack.active.is_none();
        let tooltip = "The keys of the character itself, below all layers. Click to key these.";
        let id = ui.id().with(("base of layers", self.mesh));
        let name = LayerStack::BASE;
        let row = Row::new(id, format!("Layer {name}"), name, icons::SKINNED_MESH);
        let output = row_ui(ui, &Row { selected, active: selected, tooltip, ..row }, false);
        if output.clicked && !selected {
            out.push(Request::Apply(self.change(LayerChange::Choose { layer: None })));
        }
    }

    /// Draws the row of a layer, and returns its area.
    fn layer_ui(&self, ui: &mut Ui, layer: &Layer, state: &mut LayersState, out: &mut Vec<Request>) -> Rect {
        let selected = self.stack.active == Some(layer.id);
        let id = ui.id().with(("layer", self.mesh, layer.id));
        let icon = match layer.kind {
            LayerKind::Additive => icons::ADD_LAYER,
            LayerKind::Override => icons::ADD_OVERRIDE,
        };
        let row = Row {
            selected,
            active: selected,
            quiet: !self.stack.is_effective(layer),
            reserved: 2.0 * SWITCH,
            draggable: true,
            tooltip: "Click to key this layer, double-click to rename it, drag to move it above or below others.",
            ..Row::new(id, format!("Layer {}", layer.name), &layer.name, icon)
        };
        let output = row_ui(ui, &row, false);
        let rect = output.rect;
        if output.dragged && state.dragged.is_none() {
            (state.dragged, state.gave_up) = (Some(layer.id), false);
        }
        if state.rename.as_ref().is_some_and(|rename| rename.layer == layer.id) {
            self.rename_ui(ui, rect, layer, state, out);
        } else if output.double_clicked {
            let (text, is_new) = (layer.name.clone(), true);
            state.rename = Some(Rename { layer: layer.id, text, is_new });
        } else if output.clicked && !selected {
            out.push(Request::Apply(self.change(LayerChange::Choose { layer: Some(layer.id) })));
        }
        let (id, name) = (layer.id, &layer.name);
        let glyph = if layer.muted { icons::MUTED } else { icons::UNMUTED };
        let area = |place: f32| {
            let right = rect.right() - 2.0 - place * SWITCH;
            Rect::from_min_max(pos2(right - SWITCH, rect.top()), pos2(right, rect.bottom()))
        };
        if switch_ui(
            ui,
            area(0.0),
            glyph,
            layer.muted,
            &format!("Mute layer {name}"),
            "Without effect; its keys stay.",
        ) {
            let change = LayerChange::SetMuted { layer: id, muted: !layer.muted };
            out.push(Request::Apply(self.change(change)));
        }
        let tooltip = "Solo: of the layers, only those that are solo have an effect.";
        if switch_ui(ui, area(1.0), icons::SOLO, layer.solo, &format!("Solo layer {name}"), tooltip) {
            let change = LayerChange::SetSolo { layer: id, solo: !layer.solo };
            out.push(Request::Apply(self.change(change)));
        }
        rect
    }

    /// Shows where the dragged layer would go, and moves it there at the release. Esc gives up. `rows`: the layers and their
    /// areas, the highest first.
    fn drag_ui(&self, ui: &Ui, rows: &[(u32, Rect)], state: &mut LayersState, out: &mut Vec<Request>) {
        let Some(dragged) = state.dragged else { return };
        let (pointer, is_down, gives_up) =
            ui.input(|i| (i.pointer.latest_pos(), i.pointer.primary_down(), i.key_pressed(Key::Escape)));
        state.gave_up |= gives_up;
        let others: Vec<Rect> = rows.iter().filter(|(id, _)| *id != dragged).map(|(_, rect)| *rect).collect();
        let y = pointer.map_or(f32::INFINITY, |pointer| pointer.y);
        let above = others.iter().filter(|rect| rect.center().y < y).count();
        let place = others.len() - above;
        let is_move = !state.gave_up && self.stack.position(dragged).is_some_and(|from| from != place);
        if !is_down {
            state.dragged = None;
            if is_move {
                out.push(Request::Apply(self.change(LayerChange::Move { layer: dragged, place })));
            }
        } else if let Some((_, first)) = rows.first().filter(|_| is_move) {
            let line = above.checked_sub(1).map_or(first.top(), |last| others[last].bottom());
            ui.painter().hline(first.x_range(), line, Stroke::new(2.0, *theme::ACCENT));
        }
    }

    /// Draws a text field over the name. Enter or a click elsewhere accepts the text, Esc cancels.
    fn rename_ui(
        &self,
        ui: &mut Ui,
        row: Rect,
        layer: &Layer,
        state: &mut LayersState,
        out: &mut Vec<Request>,
    ) {
        let Some(rename) = &mut state.rename else { return };
        let id = ui.id().with("new name of a layer");
        let rect = Rect::from_min_max(row.min, pos2(row.right() - 2.0 * SWITCH - 4.0, row.bottom()));
        if rename.is_new {
            ui.memory_mut(|memory| memory.request_focus(id));
            select_all(ui, id, &rename.text);
        }
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
        inside.add(line_edit(&mut rename.text, rect.width() - 12.0).id(id).char_limit(200));
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(format!("New name of {}", layer.name)));
        if std::mem::take(&mut rename.is_new) || ui.memory(|memory| memory.has_focus(id)) {
            return;
        }
        let Some(Rename { layer: id, text, .. }) = state.rename.take() else { return };
        let name = text.trim().to_owned();
        if !ui.input(|i| i.key_pressed(Key::Escape)) && !name.is_empty() && name != layer.name {
            out.push(Request::Apply(self.change(LayerChange::Rename { layer: id, name })));
        }
    }

    /// Draws the settings of the active layer.
    fn settings_ui(&self, ui: &mut Ui, layer: &Layer, fields: &mut Fields, out: &mut Vec<Request>) {
        ui.add_space(theme::GAP);
        self.weight_ui(ui, layer, fields, out);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let width = ((ui.available_width() - FADE_LABEL - FIELD - 8.0) / 2.0).max(40.0);
            for (kind, text, tooltip) in [
                (
                    LayerKind::Additive,
                    "Additive",
                    "Rotations turn on from what plays below, and positions are added.",
                ),
                (LayerKind::Override, "Override", "Its values replace what plays below."),
            ] {
                if option_ui(ui, layer.kind == kind, text, &format!("Layer kind {text}"), tooltip, width) {
                    out.push(Request::Apply(self.change(LayerChange::SetKind { layer: layer.id, kind })));
                }
            }
            self.fade_ui(ui, layer, fields, out);
        });
        action_switch(ui, self.view, Action::MASK_LAYER, out);
    }

    /// Draws how long a pose that is keyed in the active layer comes and goes, at the right.
    fn fade_ui(&self, ui: &mut Ui, layer: &Layer, fields: &mut Fields, out: &mut Vec<Request>) {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tooltip = match layer.kind {
                LayerKind::Additive => {
                    "Frames over which a newly keyed pose comes and goes: keys of no change are set so far before and behind it. 0: it stays."
                }
                LayerKind::Override => {
                    "Frames over which the first pose that is keyed comes and goes: keys of the weight are set so far before and behind it. 0: it stays."
                }
            };
            let number = Number {
                decimals: 0,
                step: 0.1,
                min: 0.0,
                max: f64::from(Layer::MAX_FADE),
                default: f64::from(Layer::FADE),
                ..Number::new("Layer fade", tooltip)
            };
            let make = |frames: f64| {
                self.change(LayerChange::SetFade { layer: layer.id, frames: frames.round() as u32 })
            };
            number_ui(ui, fields, &number, f64::from(layer.fade), FIELD, out, Converters::both(&make));
            ui.label("Fade");
        });
    }

    /// Draws the weight of the active layer, with the switch that keys it.
    fn weight_ui(&self, ui: &mut Ui, layer: &Layer, fields: &mut Fields, out: &mut Vec<Request>) {
        let session = self.view.session;
        let (animation, frame) = (&session.animated().animation, session.frame());
        let channel = ChannelRef::new(self.mesh, layer.weight_channel());
        let weight = f64::from(animation.layer_weight(self.mesh, layer, frame));
        let keyed = key_state::state(session, std::slice::from_ref(&channel));
        let has_key = animation.get(&channel).is_some_and(|keys| keys.key(frame).is_some());
        let put = |weight: f64| {
            let modes = vec![Mode::Clamped.into()];
            let knots = vec![(frame, Value::Float(weight as f32))];
            let knots = vec![KeyframeValues { channel: channel.clone(), knots, modes }];
            vec![Command::Keys(KeyCommand::Put { purpose: Purpose::Layer, knots })]
        };
        let has_keys = animation.get(&channel).is_some();
        let set = |weight: f64| match has_keys {
            true => put(weight),
            false => self.change(LayerChange::SetWeight { layer: layer.id, weight: weight as f32 }),
        };
        let number = Number {
            decimals: 2,
            step: 0.01,
            min: 0.0,
            max: 1.0,
            default: 1.0,
            keyed,
            ..Number::new("Layer weight", "The share of its effect. With keys, it is keyed at this frame.")
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let (rect, _) = ui.allocate_exact_size(vec2(SWITCH, theme::ROW), egui::Sense::hover());
            let tooltip = "Key the weight at this frame, or remove its key.";
            if switch_ui(ui, rect, icons::KEY, has_key, "Key layer weight", tooltip) {
                let delete = || {
                    let keys = vec![ChannelKeys { channel: channel.clone(), frames: vec![frame] }];
                    vec![Command::Keys(KeyCommand::Delete { keys })]
                };
                out.push(Request::Apply(if has_key { delete() } else { put(weight) }));
            }
            let width = (ui.available_width() - FIELD - 4.0).max(30.0);
            let both = Converters::both(&set);
            slider_ui(ui, fields, &number, weight, [0.0, 1.0], width, out, both);
            number_ui(ui, fields, &number, weight, FIELD, out, both);
        });
    }
}

/// Draws a small switch. Returns whether it was clicked.
fn switch_ui(ui: &mut Ui, rect: Rect, glyph: &str, is_on: bool, label: &str, tooltip: &str) -> bool {
    let color = if is_on { *theme::ACCENT } else { *theme::TEXT_QUIET };
    let button = Button::new(RichText::new(glyph).color(color)).frame(false);
    let response = ui.push_id(Id::new(label), |ui| ui.put(rect, button)).inner;
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, ui.is_enabled(), is_on, label));
    response.tip(tooltip).clicked()
}
