//! The fields of the clip in the play controls: length, play range, frame rate.

use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::fields::{Converters, Fields};
use crate::editor::ui::number::{Number, number_ui};
use crate::editor::ui::theme;
use egui::{RichText, Ui};

fn whole_number<'a>(label: &'a str, tooltip: &'a str, limits: [u32; 2]) -> Number<'a> {
    Number {
        decimals: 0,
        step: 0.2,
        min: f64::from(limits[0]),
        max: f64::from(limits[1]),
        ..Number::new(label, tooltip)
    }
}

fn field(
    ui: &mut Ui,
    fields: &mut Fields,
    number: &Number,
    value: f64,
    width: f32,
    out: &mut Vec<Request>,
    command: &dyn Fn(f64) -> KeyCommand,
) {
    let make = |value: f64| vec![Command::Keys(command(value))];
    number_ui(ui, fields, number, value, width, out, Converters::both(&make));
}

/// Draws the length field, labelled "Length".
pub fn length_ui(ui: &mut Ui, view: &View, fields: &mut Fields, width: f32, out: &mut Vec<Request>) {
    let animation = &view.session.animated_before().animation;
    let shortest = animation.last_used_frame().map_or(1, Clip::length_for);
    let number = Number {
        default: f64::from(Clip::default().length.max(shortest)),
        ..whole_number(
            "Length",
            "Number of frames. It cannot be less than keys and takes need: Trim to current frame cuts them off.",
            [shortest, Clip::MAX_LENGTH],
        )
    };
    let length = f64::from(view.session.animated().animation.clip.length);
    field(ui, fields, &number, length, width, out, &|length| KeyCommand::SetLength {
        frames: length.round() as u32,
    });
}

/// Draws the fields "Range start" and "Range end", in a layout from right to left.
pub fn range_ui(ui: &mut Ui, view: &View, fields: &mut Fields, width: f32, out: &mut Vec<Request>) {
    let clip = view.session.animated().animation.clip;
    let [first, last] = clip.play_range();
    let end = Number {
        default: f64::from(clip.last_frame()),
        ..whole_number("Range end", "The last frame that is played.", [first, clip.last_frame()])
    };
    field(ui, fields, &end, f64::from(last), width, out, &|end| {
        let range = Some([first, end.round() as u32]);
        KeyCommand::SetRange { range }
    });
    ui.label(RichText::new("–").color(theme::TEXT_QUIET));
    let start = whole_number("Range start", "The first frame that is played.", [0, last]);
    field(ui, fields, &start, f64::from(first), width, out, &|start| {
        let range = Some([start.round() as u32, last]);
        KeyCommand::SetRange { range }
    });
}

/// Draws the field of the frame rate, labelled "Rate".
pub fn rate_ui(ui: &mut Ui, view: &View, fields: &mut Fields, out: &mut Vec<Request>) {
    let [slowest, fastest] = Clip::RATES.map(f64::from);
    let number = Number {
        unit: " fps",
        decimals: 2,
        step: 0.2,
        min: slowest,
        max: fastest,
        default: f64::from(Clip::default().rate),
        ..Number::new("Rate", "Frames per second. Other rates play the same frames faster or slower.")
    };
    let rate = f64::from(view.session.animated().animation.clip.rate);
    field(ui, fields, &number, rate, 64.0, out, &|rate| KeyCommand::SetRate {
        frames_per_second: rate as f32,
    });
}
