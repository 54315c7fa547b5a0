//! The driver of all tools: from the pointer's events and keys to requests. Knows no window.
//!
//! One press is held at a time, by the first tool that takes it. What is shown meanwhile is a transaction: the release
//! commits it, Esc, the right button and the loss of the focus take it back; when someone else has ended it, the hold
//! ends too.

mod shown;

use super::gizmo::{GizmoPart, Modifiers};
use super::navigate::Navigation;
use super::numeric::{DragKey, NumericInput};
use super::select::{self, LastClick};
use super::{Button, Change, Click, Context, Drag, DragInput, Hold, Offer, Press, Sample, TOOLS, Tool};
use crate::edit::action::{Action, Shortcut};
use crate::edit::hover::is_own_surface;
use crate::edit::pick::PickTarget;
use crate::edit::request::Request;
use crate::edit::view::View;
use glam::Vec2;

/// What happened in the viewport, or to keys that are the tools' own. Pixels from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    Moved(Sample),
    Pressed {
        button: Button,
        at: Vec2,
        alt: bool,
    },
    Released {
        button: Button,
        at: Vec2,
    },
    /// Notches, away from the user.
    Wheel(f32),
    Key(DragKey),
    Enter,
    Escape,
    FocusLost,
}

/// One frame of the window.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// In order.
    pub events: Vec<Event>,
    /// Where the pointer is, if it is over the viewport and nothing covers it there.
    pub at: Option<Vec2>,
    pub modifiers: Modifiers,
    /// Of a clock, 60 in a second, since the last frame, where [`ToolController::goes_on_at_rest`].
    pub ticks: u32,
}

/// What a frame asks for.
#[derive(Debug, Default, PartialEq)]
pub struct Output {
    pub requests: Vec<Request>,
    pub navigation: Vec<Navigation>,
    /// Something ended that was drawn.
    pub redraw: bool,
}

/// What the pointer is over.
#[derive(Clone, Debug, PartialEq)]
pub enum Hovered {
    /// A part of the shape of a tool, by its place among those by selection.
    Part(usize, GizmoPart),
    Target(PickTarget),
}

/// A press that a tool has taken.
struct Held {
    drag: Box<dyn Drag>,
    click: Click,
    /// That has to come up; none where digits began.
    button: Option<Button>,
    press: Vec2,
    /// The part of the tool's shape that was pressed.
    part: Option<GizmoPart>,
    /// What lay under it.
    beneath: Option<PickTarget>,
    /// Past the threshold, or a key was pressed.
    moved: bool,
    /// There is a transaction.
    previewed: bool,
    /// Keys were pressed since the tool was told of them.
    keys: bool,
    numbers: NumericInput,
    /// Where the pointer went since then.
    path: Vec<Sample>,
    last: Sample,
    modifiers: Modifiers,
}

/// The tools, and what the pointer does with them.
pub struct ToolController {
    always: Vec<Box<dyn Tool>>,
    by_selection: Vec<Box<dyn Tool>>,
    chosen: Option<(Action, Box<dyn Tool>)>,
    held: Option<Held>,
    hovered: Option<Hovered>,
    last_click: Option<LastClick>,
    /// Of the pointer when it was seen last.
    pressure: f32,
}

impl Default for ToolController {
    fn default() -> Self {
        let (mut always, mut by_selection) = (Vec::new(), Vec::new());
        for offer in TOOLS {
            match offer {
                Offer::Always(make) => always.push(make()),
                Offer::Selection(make) => by_selection.push(make()),
                Offer::Chosen(..) => {}
            }
        }
        Self {
            always,
            by_selection,
            chosen: None,
            held: None,
            hovered: None,
            last_click: None,
            pressure: 1.0,
        }
    }
}

impl ToolController {
    /// Takes a frame's events in. `over`: what was picked where the pointer is.
    pub fn frame(&mut self, context: &Context, input: &Input, over: Option<&PickTarget>) -> Output {
        let mut out = Output::default();
        self.frame_into(context, input, over, &mut out);
        out
    }

    /// As [`Self::frame`], in the memory of `out`.
    pub fn frame_into(
        &mut self,
        context: &Context,
        input: &Input,
        over: Option<&PickTarget>,
        out: &mut Output,
    ) {
        out.requests.clear();
        out.navigation.clear();
        out.redraw = false;
        if self
            .chosen
            .as_ref()
            .is_some_and(|(_, tool)| !tool.is_usable(context.view))
        {
            self.chosen = None;
            self.held = None;
        }
        // Undo, delete or another document ended the transaction.
        let lost = |held: &Held| held.previewed && !context.view.session.in_transaction();
        if self.held.as_ref().is_some_and(lost) {
            self.held = None;
            out.redraw = true;
        }
        for event in &input.events {
            self.event(context, input, *event, out);
        }
        self.follow(context, (input.modifiers, input.ticks), out);
        if self.held.is_none() {
            self.hover(context, input, over);
        }
    }

    fn event(&mut self, context: &Context, input: &Input, event: Event, out: &mut Output) {
        match event {
            Event::Moved(sample) => {
                self.pressure = sample.pressure;
                self.moved(sample);
            }
            Event::Pressed { at, .. } if !at.is_finite() => {}
            Event::Pressed { button, at, alt } => match &self.held {
                Some(held) if button == Button::Secondary && held.button != Some(button) => self.cancel(out),
                // What was typed counts, as with Enter.
                Some(held) if button == Button::Primary && held.button.is_none() => {
                    self.release(context, input.modifiers, out);
                }
                Some(_) => {}
                None => self.press(context, (button, at, alt), input.modifiers),
            },
            Event::Released { button, at } => {
                if self.held_button() == Some(button) {
                    let pressure = self.pressure;
                    self.moved(Sample { at, pressure });
                    self.release(context, input.modifiers, out);
                }
            }
            Event::Wheel(notches) if self.held.is_none() => {
                if let Some(at) = input.at {
                    let zoom = self.offered().find_map(|tool| tool.wheel(context, notches, at));
                    out.navigation.extend(zoom);
                }
            }
            Event::Key(key) => self.key(context, key, out),
            Event::Enter if self.held.is_some() => self.release(context, input.modifiers, out),
            Event::Escape | Event::FocusLost if self.held.is_some() => self.cancel(out),
            Event::Enter | Event::Escape => self.end_chosen(out),
            Event::FocusLost | Event::Wheel(_) => {}
        }
    }

    /// The tools that are there: one that is chosen takes the place of those by selection.
    fn offered(&mut self) -> impl Iterator<Item = &mut Box<dyn Tool>> {
        let chosen = self.chosen.as_mut().map(|(_, tool)| tool);
        let others = match chosen {
            Some(_) => &mut [],
            None => self.by_selection.as_mut_slice(),
        };
        self.always.iter_mut().chain(chosen).chain(others)
    }

    fn press(&mut self, context: &Context, (button, at, alt): (Button, Vec2, bool), modifiers: Modifiers) {
        let over = context.pick(at);
        let pressure = self.pressure;
        let first = Sample { at, pressure };
        let held = self.offered().find_map(|tool| {
            let part = tool.shape(context).hit(context.viewport, at);
            let press = Press {
                button,
                alt,
                at,
                modifiers,
                part,
                over: &over,
            };
            let Hold { drag, click } = tool.press(context, &press)?;
            Some(Held {
                numbers: NumericInput::new(drag.numbers()),
                moved: drag.starts_at_press(),
                path: drag.starts_at_press().then_some(first).into_iter().collect(),
                drag,
                click,
                button: Some(button),
                press: at,
                part,
                beneath: None,
                previewed: false,
                keys: false,
                last: first,
                modifiers,
            })
        });
        let beneath = over.into_iter().next();
        self.held = held.map(|held| Held { beneath, ..held });
    }

    fn moved(&mut self, sample: Sample) {
        let Some(held) = &mut self.held else { return };
        if sample.at.is_finite() {
            held.path.push(sample);
            held.last = sample;
            held.moved |= sample.at.distance(held.press) >= held.drag.threshold();
        }
    }

    /// Digits count instead of the pointer, an axis holds a movement to itself.
    fn key(&mut self, context: &Context, key: DragKey, out: &mut Output) {
        if self.takes_numbers() && matches!(key, DragKey::Character(_)) {
            let middle = context.viewport.size / 2.0;
            self.press(context, (Button::Primary, middle, false), Modifiers::default());
            // No button is down that could come up.
            if let Some(held) = &mut self.held {
                held.button = None;
            }
        }
        match (&mut self.held, &mut self.chosen) {
            (Some(held), _) if held.drag.numbers() > 0 => {
                match key {
                    DragKey::Along(axis) => {
                        let before = held.drag.numbers();
                        held.drag.toggle_axis(axis, context.viewport);
                        if held.drag.numbers() != before {
                            held.numbers = held.numbers.carried_to(held.drag.numbers());
                        }
                    }
                    key => held.numbers.press(key),
                }
                (held.moved, held.keys) = (true, true);
            }
            (None, Some((_, tool))) => out.requests.extend(tool.key(context, key)),
            _ => {}
        }
    }

    /// Tells the tool where the pointer has been, if anything is new.
    fn follow(&mut self, context: &Context, (modifiers, ticks): (Modifiers, u32), out: &mut Output) {
        let Some(held) = self.held.as_mut().filter(|held| held.moved) else {
            return;
        };
        if held.path.is_empty() {
            let ticks = ticks > 0 && held.drag.goes_on_at_rest();
            if !ticks && !held.keys && modifiers == held.modifiers {
                return;
            }
            held.path.push(held.last);
        }
        let input = DragInput {
            viewport: context.viewport,
            path: &held.path,
            modifiers,
            numbers: &held.numbers,
            ticks,
        };
        match held.drag.drag(context, &input) {
            Change::Commands(commands) if !commands.is_empty() => {
                if let (Click::Grabs(target), false) = (&held.click, held.previewed) {
                    let selects = select::selected_by(context, Some(target), false);
                    out.requests.extend(selects.map(Request::Select));
                }
                held.previewed = true;
                out.requests.push(Request::Preview(commands));
            }
            Change::Commands(_) => {}
            Change::Shared(commands) => {
                held.previewed = true;
                out.requests.push(Request::PreviewShared(commands));
            }
            Change::Navigation(step) => out.navigation.push(step),
        }
        held.path.clear();
        (held.keys, held.modifiers) = (false, modifiers);
    }

    /// The button came up, or Enter ended the drag.
    fn release(&mut self, context: &Context, modifiers: Modifiers, out: &mut Output) {
        self.follow(context, (modifiers, 0), out);
        let Some(mut held) = self.held.take() else { return };
        out.redraw = true;
        if held.previewed {
            out.requests.push(Request::Commit);
        }
        if held.moved {
            out.requests.extend(held.drag.release(context, modifiers));
            if let Some((_, tool)) = &mut self.chosen {
                tool.conclude(held.drag.outcome());
            }
            return;
        }
        let selection = context.view.session.selection();
        let clicked = match held.click {
            Click::Nothing if held.button == Some(Button::Secondary) => return self.end_chosen(out),
            Click::Nothing => return,
            Click::Selects(target) => target,
            Click::Grabs(target) => Some(target),
            Click::Through => match held.beneath {
                Some(target) if !is_own_surface(selection, &target) => Some(target),
                _ => return,
            },
        };
        let selected = select::click(
            context,
            &mut self.last_click,
            held.press,
            clicked,
            modifiers.adds(),
        );
        out.requests.extend(selected.map(Request::Select));
    }

    fn cancel(&mut self, out: &mut Output) {
        if self.held.take().is_some_and(|held| held.previewed) {
            out.requests.push(Request::Cancel);
        }
        out.redraw = true;
    }

    fn hover(&mut self, context: &Context, input: &Input, over: Option<&PickTarget>) {
        self.hovered = None;
        if let Some((_, tool)) = &mut self.chosen {
            return tool.hover(context, input.at, input.modifiers);
        }
        let Some(at) = input.at else { return };
        let part = self.by_selection.iter().enumerate().find_map(|(index, tool)| {
            let part = tool.shape(context).hit(context.viewport, at)?;
            Some(Hovered::Part(index, part))
        });
        self.hovered = part.or_else(|| over.cloned().map(Hovered::Target));
    }

    /// Chooses the tool of an action, or ends it if it is chosen; whatever is held ends first. True
    /// if that was shown and has to be taken back.
    pub fn choose(&mut self, action: Action, view: &View) -> bool {
        let begin = |offer: &Offer| match offer {
            Offer::Chosen(this, begin) if *this == action => begin(view),
            _ => None,
        };
        let ended = self.chosen.take().is_some_and(|(chosen, _)| chosen == action);
        if !ended {
            let tool = TOOLS.iter().find_map(begin);
            self.chosen = tool.map(|tool| (action, tool));
        }
        self.held.take().is_some_and(|held| held.previewed)
    }

    fn end_chosen(&mut self, out: &mut Output) {
        let goes_on = self.chosen.as_mut().is_some_and(|(_, tool)| tool.escape());
        out.redraw |= goes_on || self.chosen.take().is_some();
    }

    /// The action of the tool that is chosen: while there is one, gizmos and selection wait.
    pub fn chosen(&self) -> Option<Action> {
        self.chosen.as_ref().map(|(action, _)| *action)
    }

    pub fn is_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    /// Whether digits begin the drag of the chosen tool.
    pub fn takes_numbers(&self) -> bool {
        let chosen = self.chosen.as_ref().filter(|_| self.held.is_none());
        chosen.is_some_and(|(_, tool)| tool.takes_numbers())
    }

    /// Whether a key belongs to the chosen tool, and stands for no action.
    pub fn own_keys(&self) -> &'static [Shortcut] {
        let chosen = self.chosen.as_ref().filter(|_| self.held.is_none());
        chosen.map_or(&[], |(_, tool)| tool.own_keys())
    }

    /// Whether keys are the drag's own, and nothing is pointed at.
    pub fn is_dragging(&self) -> bool {
        let holds = |held: &Held| {
            let draws = held.drag.area().is_some() || held.drag.starts_at_press();
            held.drag.numbers() > 0 || held.moved && draws
        };
        self.held.as_ref().is_some_and(holds)
    }

    /// Whether what is held goes on while the pointer rests: see [`Input::ticks`].
    pub fn goes_on_at_rest(&self) -> bool {
        let held = self.held.as_ref().filter(|held| held.moved);
        held.is_some_and(|held| held.drag.goes_on_at_rest())
    }

    /// The button of the press that a tool holds; none of a drag that digits began.
    pub fn held_button(&self) -> Option<Button> {
        self.held.as_ref().and_then(|held| held.button)
    }

    /// What the pointer is over; nothing while something is held.
    pub fn hovered(&self) -> Option<&Hovered> {
        self.hovered.as_ref().filter(|_| self.held.is_none())
    }

    /// Whether a part of a gizmo is under the pointer, or held.
    pub fn is_over_gizmo(&self) -> bool {
        match &self.held {
            Some(held) => held.part.is_some(),
            None => matches!(self.hovered, Some(Hovered::Part(..))),
        }
    }
}
