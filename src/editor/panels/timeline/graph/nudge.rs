//! Nudges: Up and Down change the values of the selected keys by steps. Successive ones are one undo step.

use super::value::Heights;
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::key_values;
use crate::edit::time::timeline::KeySelection;
use crate::editor::panels::timeline::KeysState;
use crate::scene::Scene;
use egui::{Event, Key, Ui};
use std::sync::Arc;

/// The steps to which Ctrl snaps values, and by which arrows change them, in degrees.
const DEGREES: [f32; 2] = [5.0, 1.0];
/// The same for other units.
const OTHERS: [f32; 2] = [0.1, 0.1];
/// The pause after which a nudge is an undo step of its own, in seconds.
const PAUSE: f64 = 2.0;

pub const NO_VALUES: &str =
    "The graph of speeds does not change values: drag a key up or down to change its speed";

/// Returns the steps to which Ctrl snaps values of a unit, and by which arrows change them.
pub fn steps(unit: &str) -> [f32; 2] {
    if unit == "°" { DEGREES } else { OTHERS }
}

/// What is nudged.
#[derive(Clone, PartialEq)]
struct Subject {
    keys: Arc<KeySelection>,
    channel: ChannelRef,
    component: usize,
    frame: f32,
}

/// Successive nudges.
pub struct Nudge {
    subject: Subject,
    /// The scene before the first of them.
    before: Scene,
    /// The number of the undo step before.
    step_before: u64,
    /// The number of their undo step; `None` until it is there.
    step: Option<u64>,
    /// The whole change so far.
    offset: f32,
    /// The time of the last one, in seconds.
    time: f64,
}

impl Nudge {
    /// Whether a further nudge is a part of it.
    fn goes_on(&self, subject: &Subject, step: u64, time: f64) -> bool {
        self.subject == *subject && self.step == Some(step) && time - self.time <= PAUSE
    }
}

/// Takes the presses of Up and Down from the input; each counts 1, with Shift a tenth.
fn pressed(ui: &Ui) -> Vec<f32> {
    let mut presses = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Key { key: key @ (Key::ArrowUp | Key::ArrowDown), pressed: true, modifiers, .. }
                if !modifiers.command && !modifiers.alt =>
            {
                let sign = if *key == Key::ArrowUp { 1.0 } else { -1.0 };
                presses.push(if modifiers.shift { sign / 10.0 } else { sign });
                false
            }
            _ => true,
        });
    });
    presses
}

/// Handles Up and Down, which change the values of the selected keys by a step, with Shift by a tenth of it.
pub fn keyboard(ui: &Ui, view: &View, state: &mut KeysState, out: &mut Vec<Request>) {
    let step = view.session.history().step();
    if let Some(nudge) = state.graph.nudge.as_mut().filter(|nudge| nudge.step.is_none()) {
        // It may have changed nothing, so that the step is an earlier one.
        nudge.step = (step != nudge.step_before).then_some(step);
        if nudge.step.is_none() {
            state.graph.nudge = None;
        }
    }
    let busy = state.takes_keys() || state.graph.takes_keys() || egui::Popup::is_any_open(ui.ctx());
    let typing = ui.memory(|memory| memory.focused().is_some());
    if busy || typing || !ui.is_enabled() || !state.focused || state.keys.is_empty() {
        return;
    }
    let presses = pressed(ui);
    if presses.is_empty() {
        return;
    }
    if state.graph.heights == Heights::Speeds {
        state.notices.push(NO_VALUES.into());
        return;
    }
    let dot = state.graph.active_key(&state.keys);
    let curve = dot.as_ref().and_then(|dot| state.graph.curves.find(dot));
    let Some(curve) = curve else {
        state.notices.push("Click a key first: arrows change its component of the selected keys".into());
        return;
    };
    let time = ui.input(|i| i.time);
    let subject = Subject {
        keys: Arc::clone(&state.keys),
        channel: curve.channel.clone(),
        component: curve.component,
        frame: view.session.frame(),
    };
    let keys = key_values::of_property(&state.keys.keys(), &curve.channel);
    let amount = presses.iter().sum::<f32>() * steps(curve.unit)[1];
    let earlier = state.graph.nudge.take().filter(|nudge| nudge.goes_on(&subject, step, time));
    let is_more = earlier.is_some();
    let mut nudge = earlier.unwrap_or_else(|| Nudge {
        subject,
        before: view.session.scene().clone(),
        step_before: step,
        step: None,
        offset: 0.0,
        time,
    });
    (nudge.offset, nudge.step, nudge.time) = (nudge.offset + amount, None, time);
    let command = key_values::offset(&nudge.before, &keys, nudge.subject.component, nudge.offset);
    if let Some(command) = command {
        let commands = vec![Command::Keys(command)];
        out.push(if is_more { Request::ApplyInstead(commands) } else { Request::Apply(commands) });
        state.graph.nudge = Some(nudge);
    }
}
