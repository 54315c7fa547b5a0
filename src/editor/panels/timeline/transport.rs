//! The play controls above the sheet: the current frame, playback, keying, and the clip.

use super::clip;
use super::takes::{RenameTake, takes_ui};
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::keying_set::KeyingSet;
use crate::edit::time::playback::{self, Repeat};
use crate::editor::panels::status::counted;
use crate::editor::ui::action::{icon_button, prominent_switch};
use crate::editor::ui::choice::line_ui;
use crate::editor::ui::digits::{display_number, parse};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Button, Context, DragValue, Frame, Label, Layout, Margin, PopupCloseBehavior, RichText, Slider, Ui,
};
use egui::{WidgetInfo, WidgetType, vec2};

#[derive(Default)]
pub struct TransportState {
    fields: Fields,
    /// The last pass in which Esc was pressed: egui's field would otherwise apply the typed frame one pass
    /// later.
    escaped_in: Option<u64>,
    rename_take: Option<RenameTake>,
}

impl TransportState {
    /// Whether the controls handle the keyboard: a number is being dragged or typed.
    pub fn takes_keys(&self) -> bool {
        self.fields.dragging() || self.fields.typing()
    }

    /// Opens a text field over the name of the active take.
    pub fn rename_take(&mut self) {
        self.rename_take = Some(RenameTake::default());
    }

    /// Ends the frame of the fields and applies edits in progress if they are no longer shown. To be called
    /// once per frame, whether the controls are shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.fields.end_frame(ctx, out);
    }
}

/// The width from which texts and the time are shown.
const WIDE: f32 = 940.0;
/// The width from which dropped frames are counted in words beside all texts.
const WIDEST: f32 = 1040.0;
/// The width below which the controls take two rows.
const NARROW: f32 = 790.0;
const FIELD: f32 = 46.0;
const SPEEDS: [(f32, &str); 5] = [(0.25, "1/4"), (0.5, "1/2"), (1.0, "1"), (2.0, "2"), (4.0, "4")];

pub fn transport_ui(ui: &mut Ui, view: &View, state: &mut TransportState, out: &mut Vec<Request>) {
    let frame = Frame::new().fill(*theme::BAR).inner_margin(Margin::symmetric(8, 4));
    frame.show(ui, |ui| {
        let width = ui.available_width();
        let (wide, narrow) = (width >= WIDE, width < NARROW);
        let row = |ui: &mut Ui, content: &mut dyn FnMut(&mut Ui)| {
            ui.horizontal(|ui| {
                ui.set_min_height(theme::ROW);
                ui.spacing_mut().item_spacing.x = 2.0;
                content(ui);
            });
        };
        row(ui, &mut |ui| {
            steps_ui(ui, view, out);
            ui.add_space(theme::GAP);
            frame_ui(ui, view, &mut state.escaped_in, out);
            ui.label(RichText::new(" of ").color(theme::TEXT_QUIET));
            clip::length_ui(ui, view, &mut state.fields, FIELD, out);
            if wide {
                time_ui(ui, view);
            }
            ui.add_space(theme::GAP);
            repeat_ui(ui, view, out);
            speed_ui(ui, view, out);
            if !narrow {
                ui.add_space(theme::GAP);
                keys_ui(ui, view, (wide, width >= WIDEST), out);
                clip_ui(ui, view, state, out);
            }
        });
        if narrow {
            row(ui, &mut |ui| {
                keys_ui(ui, view, (false, true), out);
                clip_ui(ui, view, state, out);
            });
        }
    });
}

/// `has_words`: whether there is room for the words of dropped frames.
fn keys_ui(ui: &mut Ui, view: &View, (wide, has_words): (bool, bool), out: &mut Vec<Request>) {
    prominent_switch(ui, view, Action::TOGGLE_AUTO_KEY, icons::AUTO_KEY, wide, out);
    keying_set_ui(ui, view, wide, out);
    icon_button(ui, view, Action::INSERT_KEYS, icons::KEY, out);
    icon_button(ui, view, Action::DELETE_KEYS, icons::CLEAR, out);
    dropped_ui(ui, view, has_words);
}

const KEYING_SETS: [(KeyingSet, Action); 5] = [
    (KeyingSet::Selection, Action::KEYING_SELECTION),
    (KeyingSet::Character, Action::KEYING_CHARACTER),
    (KeyingSet::BodyPart, Action::KEYING_BODY_PART),
    (KeyingSet::Rotations, Action::KEYING_ROTATIONS),
    (KeyingSet::Changed, Action::KEYING_CHANGED),
];

/// Draws the choice of the keying set, labelled "Keying set"; its lines are labelled "Keying set: …".
fn keying_set_ui(ui: &mut Ui, view: &View, wide: bool, out: &mut Vec<Request>) {
    let chosen = view.session.keying_set();
    let text = RichText::new(if wide { chosen.text() } else { icons::FILTER });
    let text = if chosen == KeyingSet::default() { text } else { text.color(theme::ACCENT) };
    let button = Button::new(text).min_size(vec2(26.0, theme::ROW));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for (set, action) in KEYING_SETS {
            if line_ui(ui, "Keying set", action.text, set == chosen) && set != chosen {
                out.push(Request::Act(action));
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Keying set"));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(chosen.text()));
    response.tip("What auto-key and Insert keyframe write keys for");
}

/// Draws the controls of the clip, at the right end of the row.
fn clip_ui(ui: &mut Ui, view: &View, state: &mut TransportState, out: &mut Vec<Request>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        clip::rate_ui(ui, view, &mut state.fields, out);
        ui.add_space(theme::GAP);
        clip::range_ui(ui, view, &mut state.fields, FIELD, out);
        ui.add_space(theme::GAP);
        takes_ui(ui, view, &mut state.rename_take, out);
    });
}

fn steps_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let play = if view.settings.playback.is_playing() { icons::PAUSE } else { icons::PLAY };
    for (action, icon) in [
        (Action::FIRST_FRAME, icons::FIRST),
        (Action::PREVIOUS_KEY, icons::PREVIOUS_KEY),
        (Action::PLAY, play),
        (Action::NEXT_KEY, icons::NEXT_KEY),
        (Action::LAST_FRAME, icons::LAST),
    ] {
        icon_button(ui, view, action, icon, out);
    }
}

/// Draws the field of the current frame, labelled "Frame".
fn frame_ui(ui: &mut Ui, view: &View, escaped_in: &mut Option<u64>, out: &mut Vec<Request>) {
    let session = view.session;
    let last = f64::from(session.scene().animation.clip.last_frame());
    let before = f64::from(session.frame());
    let mut frame = before;
    let response = ui.scope(|ui| {
        ui.spacing_mut().interact_size = vec2(FIELD, theme::ROW);
        theme::look_like_field(ui.visuals_mut());
        let field = DragValue::new(&mut frame)
            .range(0.0..=last)
            .speed(0.2)
            .update_while_editing(false)
            .custom_formatter(|frame, _| display_number(frame, 2))
            .custom_parser(parse);
        ui.push_id("frame", |ui| ui.add(field)).inner
    });
    let response = response.inner;
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label("Frame"));
    if response.dragged() {
        frame = frame.round();
    }
    let pass = ui.ctx().cumulative_pass_nr();
    if ui.input(|i| i.key_pressed(egui::Key::Escape)) {
        *escaped_in = Some(pass);
    }
    if escaped_in.is_some_and(|escaped| pass <= escaped + 1) {
        frame = before;
    }
    // Typing stops playback, since the number must not change meanwhile.
    let typing = response.gained_focus() && view.settings.playback.is_playing();
    if frame != before || typing {
        out.push(Request::SetFrame(frame as f32));
    }
    response.tip_ui(|ui| {
        ui.strong("Frame");
        ui.label("The current frame.");
        ui.weak("Drag, or click to type.");
    });
}

fn time_ui(ui: &mut Ui, view: &View) {
    let clip = view.session.scene().animation.clip;
    let seconds = clip.seconds(view.session.frame());
    let (rect, response) = ui.allocate_exact_size(vec2(58.0, theme::ROW), egui::Sense::hover());
    let text = format!("{seconds:.2} s");
    let font = egui::FontId::proportional(theme::BODY);
    let position = rect.left_center() + vec2(6.0, 0.0);
    let color = *theme::TEXT_QUIET;
    ui.painter().text(position, egui::Align2::LEFT_CENTER, &text, font, color);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, format!("Time {text}")));
    response.tip("Time of the current frame");
}

fn repeat_icon_and_text(repeat: Repeat) -> (&'static str, &'static str) {
    match repeat {
        Repeat::Once => (icons::ONCE, "Once, then stop"),
        Repeat::Loop => (icons::LOOP, "Loop"),
        Repeat::PingPong => (icons::PING_PONG, "Ping-pong"),
    }
}

/// Draws the choice of repetition, labelled "Repeat"; its lines are labelled "Repeat: …".
fn repeat_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let chosen = view.settings.playback.repeat;
    let (icon, text) = repeat_icon_and_text(chosen);
    let button = Button::new(RichText::new(icon).size(theme::HEADING)).min_size(vec2(26.0, theme::ROW));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        for repeat in [Repeat::Loop, Repeat::PingPong, Repeat::Once] {
            let selected = repeat == chosen;
            if line_ui(ui, "Repeat", repeat_icon_and_text(repeat).1, selected) && !selected {
                out.push(Request::Repeat(repeat));
            }
        }
    });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Repeat"));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(text));
    response.tip(format!("After the last frame: {}", text.to_lowercase()));
}

/// Draws the choice of speed, labelled "Speed"; its lines are labelled "Speed: …".
fn speed_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let chosen = view.settings.playback.speed();
    let named = SPEEDS.iter().find(|(speed, _)| *speed == chosen);
    let text = match named {
        Some((_, text)) => format!("{text}×"),
        None => format!("{}×", display_number(f64::from(chosen), 2)),
    };
    let button = Button::new(&text).min_size(vec2(40.0, theme::ROW));
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::from_button(button).config(config).ui(ui, |ui| {
        for (speed, text) in SPEEDS {
            let selected = speed == chosen;
            if line_ui(ui, "Speed", &format!("{text}×"), selected) {
                out.push(Request::Speed(speed));
                ui.close();
            }
        }
        ui.separator();
        let mut speed = chosen;
        let slider = Slider::new(&mut speed, playback::SPEEDS[0]..=playback::SPEEDS[1]);
        let slider = ui.add(slider.suffix("×").max_decimals(2).step_by(0.05));
        slider.widget_info(|| WidgetInfo::slider(true, f64::from(speed), "Time scale"));
        if speed != chosen {
            out.push(Request::Speed(speed));
        }
    });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Speed"));
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_value(text));
    response.tip("Playback speed");
}

/// Draws the number of frames dropped since playback started, if any; in words if they have room.
fn dropped_ui(ui: &mut Ui, view: &View, has_words: bool) {
    let playback = &view.settings.playback;
    let dropped = playback.dropped();
    if dropped == 0 {
        return;
    }
    ui.add_space(theme::GAP);
    let word = if has_words { " dropped" } else { "" };
    let text = RichText::new(format!("{} {dropped}{word}", icons::WARNING)).color(theme::WARNING);
    let response = ui.add(Label::new(text.small()).truncate());
    let label = format!("{} dropped", counted(dropped.try_into().unwrap_or(usize::MAX), "frame", "frames"));
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &label));
    response.tip(format!("{label} since playback started, because drawing is too slow; the timing is kept."));
}
