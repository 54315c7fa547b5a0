//! The sound, as a wave in a strip below the ruler: a drag moves its start. In the column of names are its name, volume and
//! switch. Decodes nothing: the application does, and passes the wave on.

use super::preview::PreviewDrag;
use super::time::Scale;
use crate::anim::sound::Sound;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::command::sounds::SoundCommand;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::action::menu_item;
use crate::editor::ui::fields::{Converters, Fields};
use crate::editor::ui::number::{Number, number_ui};
use crate::editor::ui::press::is_pressed_in;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use crate::io::sound::DecodedSound;
use egui::{
    Align2, Context, CursorIcon, FontId, Id, Mesh, Rect, Sense, Shape, Stroke, Ui, UiBuilder, WidgetInfo,
    WidgetType, pos2, vec2,
};
use std::sync::Arc;

const HEIGHT: f32 = theme::TALL;
/// The width of the field of the volume, in points.
const VOLUME: f32 = 46.0;

/// What there is of a sound to draw.
#[derive(Clone, Debug, Default)]
pub enum Wave {
    /// It is being decoded.
    #[default]
    Loading,
    Ready(Arc<DecodedSound>),
    /// It cannot be heard, for a reason.
    Failed(String),
}

/// The state of the strip between frames.
#[derive(Default)]
pub struct StripState {
    pub wave: Wave,
    drag: Option<PreviewDrag<Grabbed>>,
    fields: Fields,
}

/// Where the strip was grabbed.
struct Grabbed {
    /// The frame under the pointer, and the start of the sound.
    frame: f32,
    start: f32,
}

impl StripState {
    /// Whether the strip handles the keyboard: it is dragged, or a number is dragged or typed.
    pub fn takes_keys(&self) -> bool {
        self.drag.is_some() || self.fields.dragging() || self.fields.typing()
    }

    pub fn dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Commits a drag.
    pub fn leave(&mut self, out: &mut Vec<Request>) {
        PreviewDrag::leave(&mut self.drag, out);
    }

    /// Ends the frame of the fields. To be called once per frame, whether the strip is shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.fields.end_frame(ctx, out);
    }
}

/// The height of the strip, in points; 0 without a sound.
pub fn height(sound: Option<&Sound>) -> f32 {
    if sound.is_some() { HEIGHT } else { 0.0 }
}

/// Draws the strip; the sound is labelled "Wave of NAME".
pub fn strip_ui(
    ui: &Ui,
    view: &View,
    rect: Rect,
    scale: &Scale,
    state: &mut StripState,
    out: &mut Vec<Request>,
) {
    let animation = &view.session.scene().animation;
    let Some(sound) = &animation.sound else {
        return state.leave(out);
    };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::BAR);
    let end = match &state.wave {
        Wave::Ready(wave) => sound.frame_at(wave.seconds(), &animation.clip) as f32,
        _ => (animation.clip.last_frame() as f32).max(sound.start + 1.0),
    };
    let (left, right) = (scale.x(sound.start), scale.x(end));
    let span = Rect::from_x_y_ranges(left..=right.max(left + 3.0), rect.top() + 1.0..=rect.bottom() - 1.0);
    let visible = span.intersect(rect);
    if visible.is_positive() {
        painter.rect_filled(span, theme::RADIUS, theme::CONTROL);
        match &state.wave {
            Wave::Ready(wave) => paint_wave(ui, view, sound, wave, visible, scale),
            Wave::Loading => paint_text(ui, visible, "Reading the sound…"),
            Wave::Failed(why) => paint_text(ui, visible, &format!("{}: {why}", sound.file_name())),
        }
        span_ui(ui, view, sound, visible, scale, state, out);
    } else {
        let (name, start) = (sound.file_name(), sound.start);
        paint_text(ui, rect, &format!("{name} plays from frame {start} to {}", end.floor()));
        span_ui(ui, view, sound, rect, scale, state, out);
    }
    drag(ui, view, scale, state, out);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme::LINE));
}

/// Handles presses, the menu and the tooltip of the sound in `rect`: where it is visible or, if it is not, the whole strip.
fn span_ui(
    ui: &Ui,
    view: &View,
    sound: &Sound,
    rect: Rect,
    scale: &Scale,
    state: &mut StripState,
    out: &mut Vec<Request>,
) {
    let response = ui.interact(rect, Id::new("sound strip"), Sense::CLICK | Sense::DRAG);
    let label = format!("Wave of {}", sound.file_name());
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(sound.start), &label));
    if is_pressed_in(ui, rect, &response)
        && let Some(pointer) = ui.input(|i| i.pointer.press_origin())
    {
        let (frame, start) = (scale.frame(pointer.x), sound.start);
        state.drag = Some(PreviewDrag::new(Grabbed { frame, start }));
    }
    if state.dragging() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
        return;
    }
    response.context_menu(|ui| {
        for action in [Action::SET_SOUND, Action::MUTE_SOUND, Action::REMOVE_SOUND] {
            menu_item(ui, view, "Wave", action, None, out);
        }
    });
    response.on_hover_cursor(CursorIcon::ResizeHorizontal).tip_ui(|ui| {
        ui.strong(sound.file_name());
        ui.label(summary(sound, &state.wave));
        ui.weak("Drag it to another frame; right-click for more.");
    });
}

/// Summarizes a sound: “12.40 s in stereo, from frame 8”.
fn summary(sound: &Sound, wave: &Wave) -> String {
    let start = sound.start;
    match wave {
        Wave::Ready(wave) => {
            let channels = if wave.channels() == 2 { "in stereo" } else { "mono" };
            let flaw = wave.flaw().map_or(String::new(), |flaw| format!(". {flaw}"));
            format!("{:.2} s {channels}, from frame {start}{flaw}", wave.seconds())
        }
        Wave::Loading => format!("From frame {start}; it is being read."),
        Wave::Failed(why) => format!("It is not heard: {why}."),
    }
}

/// Draws the extremes of each column of pixels.
fn paint_wave(ui: &Ui, view: &View, sound: &Sound, wave: &DecodedSound, rect: Rect, scale: &Scale) {
    let clip = &view.session.scene().animation.clip;
    let color = if sound.muted { *theme::sheet::KEY_MUTED } else { *theme::sheet::KEY };
    let step = 1.0 / ui.pixels_per_point();
    let second = |x: f32| sound.second_at(f64::from(scale.frame(x)), clip);
    let (middle, half) = (rect.center().y, 0.5 * rect.height() - 1.0);
    let y = |amplitude: f32| middle - half * (amplitude * sound.volume).clamp(-1.0, 1.0);
    let mut mesh = Mesh::default();
    let columns = (rect.width() / step).ceil() as usize;
    for column in 0..columns {
        let x = rect.left() + column as f32 * step;
        if let Some([least, greatest]) = wave.min_max(second(x)..second(x + step)) {
            let column = Rect::from_x_y_ranges(x..=x + step, y(greatest)..=y(least).max(y(greatest) + step));
            mesh.add_colored_rect(column, color);
        }
    }
    ui.painter_at(rect).add(Shape::mesh(mesh));
}

fn paint_text(ui: &Ui, rect: Rect, text: &str) {
    let painter = ui.painter_at(rect.shrink2(vec2(4.0, 0.0)));
    let position = pos2(rect.left() + 6.0, rect.center().y);
    let font = FontId::proportional(theme::SMALL);
    painter.text(position, Align2::LEFT_CENTER, text, font, *theme::TEXT_QUIET);
}

/// Moves the start of the sound, in whole frames. Esc and the other button restore it.
fn drag(ui: &Ui, view: &View, scale: &Scale, state: &mut StripState, out: &mut Vec<Request>) {
    let Some((drag, pointer)) = PreviewDrag::follow(&mut state.drag, ui, view.session, out) else {
        return;
    };
    let Some(sound) = &view.session.scene().animation.sound else { return };
    let Grabbed { frame, start } = drag.start;
    let moved = (start + scale.frame(pointer.x) - frame).round();
    if moved != sound.start && Sound::is_start(moved) && (drag.previewed || moved != start.round()) {
        drag.preview(Command::Sound(SoundCommand::Move { start: moved }), out);
    }
}

/// Draws the name of the sound, its volume (labelled "Sound volume") and its switch ("Mute sound"), beside the strip.
pub fn name_ui(ui: &mut Ui, view: &View, rect: Rect, state: &mut StripState, out: &mut Vec<Request>) {
    let Some(sound) = &view.session.scene().animation.sound else { return };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::BAR);
    painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme::LINE));
    let mute = Rect::from_center_size(pos2(rect.right() - 14.0, rect.center().y), vec2(20.0, 20.0));
    mute_ui(ui, sound, mute, out);
    let field = Rect::from_center_size(
        pos2(mute.left() - theme::SMALL_GAP - 0.5 * VOLUME, rect.center().y),
        vec2(VOLUME, theme::ROW),
    );
    let number = Number {
        unit: " %",
        decimals: 0,
        step: 1.0,
        min: 100.0 * f64::from(Sound::VOLUMES[0]),
        max: 100.0 * f64::from(Sound::VOLUMES[1]),
        default: 100.0,
        ..Number::new("Sound volume", "How loud the sound is, and in a film that is rendered.")
    };
    let make =
        |percent: f64| vec![Command::Sound(SoundCommand::SetVolume { volume: (percent / 100.0) as f32 })];
    let mut inside = ui.new_child(UiBuilder::new().max_rect(field));
    let percent = 100.0 * f64::from(sound.volume);
    number_ui(&mut inside, &mut state.fields, &number, percent, VOLUME, out, Converters::both(&make));
    let name = Rect::from_min_max(rect.min, pos2(field.left() - theme::SMALL_GAP, rect.bottom()));
    let font = FontId::proportional(theme::SMALL);
    let position = name.left_center() + vec2(10.0, 0.0);
    ui.painter_at(name).text(position, Align2::LEFT_CENTER, sound.file_name(), font, *theme::TEXT);
}

fn mute_ui(ui: &Ui, sound: &Sound, rect: Rect, out: &mut Vec<Request>) {
    let response = ui.interact(rect, Id::new("mute sound"), Sense::CLICK);
    response.widget_info(|| {
        WidgetInfo::selected(WidgetType::Checkbox, ui.is_enabled(), sound.muted, "Mute sound")
    });
    let glyph = if sound.muted { icons::MUTED } else { icons::UNMUTED };
    let color = theme::hover_ink(sound.muted || response.hovered());
    let font = FontId::proportional(theme::BODY + 2.0);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, glyph, font, color);
    if response.tip("Mute the sound").clicked() {
        let muted = !sound.muted;
        out.push(Request::Apply(vec![Command::Sound(SoundCommand::SetMuted { muted })]));
    }
}
