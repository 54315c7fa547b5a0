//! The rows of the dialog: frames, size, camera, background, overlays, format, output.

use super::state::{RenderState, folder};
use crate::anim::clip::Clip;
use crate::edit::render::{Format, RenderSettings, Viewpoint};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::choice::{choice_ui, line_ui, option_ui};
use crate::editor::ui::row::line_edit;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Button, Checkbox, DragValue, RichText, Ui, WidgetInfo, WidgetType, vec2};

const NAME_WIDTH: f32 = 92.0;

/// Common sizes.
const PRESETS: [(&str, [u32; 2]); 6] = [
    ("HD", [1280, 720]),
    ("Full HD", [1920, 1080]),
    ("4K", [3840, 2160]),
    ("Square", [1080, 1080]),
    ("Portrait", [1080, 1920]),
    ("Small", [480, 480]),
];

pub fn fields_ui(ui: &mut Ui, view: &View, state: &mut RenderState, out: &mut Vec<Request>) {
    frames_ui(ui, view, state);
    row(ui, "Size", |ui| {
        let [shortest, longest] = RenderSettings::SIDES;
        let tip = "Pixels";
        number(ui, &mut state.size[0], [shortest, longest], "Width", tip);
        ui.label("×");
        number(ui, &mut state.size[1], [shortest, longest], "Height", tip);
        presets_ui(ui, view, state);
    });
    row(ui, "Camera", |ui| camera_ui(ui, view, state));
    row(ui, "Background", |ui| {
        let clear = state.format == Format::Png;
        let transparent = state.transparent && clear;
        ui.add_enabled_ui(!transparent, |ui| {
            // The border of the colour button is drawn in this colour.
            ui.visuals_mut().widgets.inactive.bg_fill = *theme::TEXT_QUIET;
            let button = ui.color_edit_button_srgb(&mut state.color);
            ui.ctx().accesskit_node_builder(button.id, |node| node.set_label("Background colour"));
        });
        let tick = ui.add_enabled(clear, Checkbox::new(&mut state.transparent, "Transparent"));
        tick.tip("Leaves the background transparent, to lay the pictures over others")
            .disabled_tip("Only PNG can be transparent");
    });
    row(ui, "Overlays", |ui| {
        let overlays = &mut state.overlays;
        for (value, text, tip) in [
            (&mut overlays.grid, "Grid", "The grid on the ground"),
            (&mut overlays.floor, "Floor", "The floor, with contact shadows"),
            (&mut overlays.bones, "Bones", "The bones of the selected character"),
            (&mut overlays.handles, "Handles", "The IK handles of the selected character"),
            (&mut overlays.objects, "Cameras, lights", "Cameras, lights and emitters as lines"),
        ] {
            let label = format!("Overlay {text}");
            let tick = ui.checkbox(value, text);
            let checked = *value;
            tick.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, checked, &label));
            tick.tip(tip);
        }
    });
    row(ui, "Format", |ui| {
        for (format, text, tip) in [
            (Format::Png, "PNG", "A picture for each frame"),
            (Format::Gif, "GIF", "One file that loops forever, with 256 colours"),
            (Format::Mp4, "MP4", "A video, encoded by the program ffmpeg"),
        ] {
            if option_ui(ui, state.format == format, text, text, tip, 58.0) {
                state.format = format;
                state.rename(view);
            }
        }
    });
    row(ui, "Output", |ui| {
        let browse = Button::new("Browse…").min_size(vec2(72.0, theme::ROW));
        let width = ui.available_width() - 72.0 - ui.spacing().item_spacing.x;
        let edit = ui.add(line_edit(&mut state.output, width));
        ui.ctx().accesskit_node_builder(edit.id, |node| node.set_label("Output name"));
        let tip = match state.format {
            Format::Png => "A folder, or a name with %04d for the frame number",
            Format::Gif | Format::Mp4 => "A name, relative to the folder of the scene",
        };
        edit.tip(tip);
        if ui.add(browse).clicked() {
            out.push(Request::AskRenderOutput {
                format: state.format,
                start: folder(view).join(state.output.trim()),
            });
        }
    });
}

fn frames_ui(ui: &mut Ui, view: &View, state: &mut RenderState) {
    let clip = view.session.scene().animation.clip;
    row(ui, "Frames", |ui| {
        let max_frame = Clip::MAX_LENGTH - 1;
        let [first, last] = &mut state.frames;
        if number(ui, first, [0, max_frame], "Start frame", "The first frame to render") {
            *last = (*last).max(*first);
        }
        ui.label("to");
        if number(ui, last, [0, max_frame], "End frame", "The last frame to render") {
            *first = (*first).min(*last);
        }
        ui.label("step");
        number(ui, &mut state.step, [1, 1000], "Step", "Frame step");
    });
    row(ui, "", |ui| {
        let current = view.session.frame().round() as u32;
        let all = [0, clip.last_frame()];
        let mut ranges = vec![("All", all, "All frames")];
        if clip.play_range() != all {
            ranges.insert(0, ("Play range", clip.play_range(), "The frames that are played"));
        }
        ranges.push(("This frame", [current, current], "The frame that is shown"));
        for (text, range, tip) in ranges {
            let button = Button::new(text).selected(state.frames == range);
            if ui.add(button).tip(tip).clicked() {
                state.frames = range;
            }
        }
        let takes = &view.session.scene().animation.takes.list;
        if takes.is_empty() {
            return;
        }
        let chosen = takes.iter().find(|take| take.range == state.frames);
        let (width, tip) = (ui.available_width(), "The frames of a take");
        let text = chosen.map_or("Take", |take| &take.name);
        choice_ui(ui, "render take", "Take to render", tip, text, width, |ui| {
            for take in takes {
                if line_ui(ui, "Take to render", &take.name, take.range == state.frames) {
                    state.frames = take.range;
                }
            }
        });
    });
}

fn presets_ui(ui: &mut Ui, view: &View, state: &mut RenderState) {
    let mut presets = PRESETS.to_vec();
    if let Viewpoint::Camera(name) = &state.eye {
        presets.insert(0, ("Same as camera", RenderSettings::size_for_camera(view.session.scene(), name)));
    }
    let chosen = presets.iter().find(|(_, size)| *size == state.size);
    let (width, tip) = (ui.available_width(), "Common sizes");
    choice_ui(ui, "render size", "Size choice", tip, chosen.map_or("Other", |(name, _)| name), width, |ui| {
        for (name, size) in &presets {
            let [width, height] = size;
            let text = format!("{name}, {width} × {height}");
            if line_ui(ui, "Size", &text, *size == state.size) {
                state.size = *size;
            }
        }
    });
}

fn camera_ui(ui: &mut Ui, view: &View, state: &mut RenderState) {
    let viewport = "Viewport";
    let whole = "Whole scene";
    let shown = match &state.eye {
        Viewpoint::Camera(name) => name.clone(),
        Viewpoint::Framed(_) => whole.into(),
        Viewpoint::Viewport | Viewpoint::At(_) => viewport.into(),
    };
    let (width, tip) = (ui.available_width(), "The view or camera that is rendered");
    choice_ui(ui, "render camera", "Camera choice", tip, &shown, width, |ui| {
        if line_ui(ui, "Camera", viewport, state.eye == Viewpoint::Viewport) {
            state.eye = Viewpoint::Viewport;
        }
        if line_ui(ui, "Camera", whole, state.eye == Viewpoint::Framed(None)) {
            state.eye = Viewpoint::Framed(None);
        }
        for name in view.session.scene().instances.cameras.keys() {
            let eye = Viewpoint::Camera(name.clone());
            if line_ui(ui, "Camera", name, state.eye == eye) {
                state.eye = eye;
                state.size = RenderSettings::size_for_camera(view.session.scene(), name);
            }
        }
    });
}

fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        ui.allocate_ui(vec2(NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(RichText::new(name).color(theme::TEXT_QUIET));
        });
        add(ui);
    });
}

/// Draws a number field. Returns whether it changed.
fn number(ui: &mut Ui, value: &mut u32, [min, max]: [u32; 2], label: &str, tip: &str) -> bool {
    let field = DragValue::new(value).range(min..=max).speed(0.25);
    setting_ui(ui, label, tip, vec2(58.0, theme::ROW), field).changed()
}
