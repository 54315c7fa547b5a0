//! The driver of all tools: turns pointer events and keys into requests. Independent of the window.
//!
//! One drag is active at a time, owned by the first tool that accepts its press. Its preview is a
//! transaction: the release commits it; Esc, the right button and loss of focus revert it. If something else
//! ends the transaction, the drag ends too.

mod feedback;
mod gizmo_hit;

use super::gizmo::{GizmoPart, Modifiers};
use super::numeric::{DragKey, NumericInput};
use super::pull::hips_of;
use super::select::{self, LastClick};
use super::{Button, Change, Click, Context, Drag, DragInput, Grab, Press, Sample, TOOLS, Tool, ToolEntry};
use crate::edit::action::{Action, Shortcut};
use crate::edit::request::Navigation;
use crate::edit::request::Request;
use crate::edit::select::hover::is_active_surface;
use crate::edit::select::pick::PickTarget;
use crate::edit::settings::view::{Tab, View};
use glam::Vec2;

/// An event in the viewport, or a key that the tools handle. Positions are in pixels from the top left
/// corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    Moved(Sample),
    Pressed {
        button: Button,
        pixel: Vec2,
        alt: bool,
    },
    Released {
        button: Button,
        pixel: Vec2,
    },
    /// Notches, away from the user.
    Wheel(f32),
    Key(DragKey),
    Enter,
    Escape,
    FocusLost,
}

/// The input of one frame.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The position of the pointer if it is over the viewport and nothing covers it there.
    pub pointer: Option<Vec2>,
    pub modifiers: Modifiers,
    /// Ticks of a 60 Hz clock since the last frame, counted while [`ToolController::continues_at_rest`] is
    /// true.
    pub ticks: u32,
}

/// The requests of a frame.
#[derive(Debug, Default, PartialEq)]
pub struct Output {
    pub requests: Vec<Request>,
    pub navigation: Vec<Navigation>,
    /// Whether something that was drawn has ended.
    pub redraw: bool,
}

/// The target under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum Hovered {
    /// A part of the shape of a tool, with the index of the tool among those that follow the selection.
    Part(usize, GizmoPart),
    Target(PickTarget),
}

/// A drag that a tool has started.
struct ActiveDrag {
    drag: Box<dyn Drag>,
    click: Click,
    /// The button whose release ends the drag; `None` if it was started by typing digits.
    button: Option<Button>,
    press: Vec2,
    /// The part of the tool's shape that was pressed.
    part: Option<GizmoPart>,
    /// The target under that part.
    beneath: Option<PickTarget>,
    /// Whether the pointer passed the threshold, or a key was pressed.
    moved: bool,
    /// Whether a transaction is open.
    previewed: bool,
    /// Whether keys were pressed since the last update of the drag.
    has_new_keys: bool,
    numbers: NumericInput,
    /// The path of the pointer since the last update.
    path: Vec<Sample>,
    last: Sample,
    modifiers: Modifiers,
}

/// The tools, the active drag and the hovered target.
pub struct ToolController {
    permanent_tools: Vec<Box<dyn Tool>>,
    selection_tools: Vec<Box<dyn Tool>>,
    /// Whether they are those of a skeleton that is fitted.
    is_fitting: bool,
    chosen: Option<(Action, Box<dyn Tool>)>,
    active: Option<ActiveDrag>,
    hovered: Option<Hovered>,
    /// The tab when the pointer moved last, for the hint.
    tab: Tab,
    /// Whether the pointer is over a base that stands for hips.
    has_hips: bool,
    last_click: Option<LastClick>,
    /// The last known pen pressure.
    pressure: f32,
}

impl Default for ToolController {
    fn default() -> Self {
        let permanent = TOOLS.iter().filter_map(|entry| match entry {
            ToolEntry::Always(create) => Some(create()),
            _ => None,
        });
        Self {
            permanent_tools: permanent.collect(),
            selection_tools: selection_tools(false),
            is_fitting: false,
            chosen: None,
            active: None,
            hovered: None,
            tab: Tab::default(),
            has_hips: false,
            last_click: None,
            pressure: 1.0,
        }
    }
}

/// Creates the tools that follow the selection, or the one while a skeleton is fitted.
fn selection_tools(is_fitting: bool) -> Vec<Box<dyn Tool>> {
    let tools = TOOLS.iter().filter_map(|entry| match entry {
        ToolEntry::Selection(create) if !is_fitting => Some(create()),
        ToolEntry::Fitting(create) if is_fitting => Some(create()),
        _ => None,
    });
    tools.collect()
}

impl ToolController {
    /// Processes the events of a frame. `picked` is the target under the pointer.
    pub fn frame(&mut self, context: &Context, input: &Input, picked: Option<&PickTarget>) -> Output {
        let mut out = Output::default();
        self.frame_into(context, input, picked, &mut out);
        out
    }

    /// Same as [`Self::frame`], reusing the memory of `out`.
    pub fn frame_into(
        &mut self,
        context: &Context,
        input: &Input,
        picked: Option<&PickTarget>,
        out: &mut Output,
    ) {
        out.requests.clear();
        out.navigation.clear();
        out.redraw = false;
        let is_fitting = context.view.settings.fitting.is_some();
        if is_fitting != self.is_fitting {
            self.selection_tools = selection_tools(is_fitting);
            (self.is_fitting, self.hovered) = (is_fitting, None);
        }
        if self.chosen.as_ref().is_some_and(|(_, tool)| !tool.is_usable(context.view)) {
            self.chosen = None;
            self.active = None;
        }
        // Undo, deletion or another document ended the transaction.
        let is_lost = |active: &ActiveDrag| active.previewed && !context.view.session.in_transaction();
        if self.active.as_ref().is_some_and(is_lost) {
            self.active = None;
            out.redraw = true;
        }
        for event in &input.events {
            self.handle_event(context, input, *event, out);
        }
        self.update_drag(context, (input.modifiers, input.ticks), out);
        if self.active.is_none() {
            self.update_hover(context, input, picked);
        }
    }

    fn handle_event(&mut self, context: &Context, input: &Input, event: Event, out: &mut Output) {
        match event {
            Event::Moved(sample) => {
                self.pressure = sample.pressure;
                self.record_sample(sample);
            }
            Event::Pressed { pixel, .. } if !pixel.is_finite() => {}
            Event::Pressed { button, pixel, alt } => match &self.active {
                Some(active) if button == Button::Secondary && active.button != Some(button) => {
                    self.cancel(out)
                }
                // A click commits the typed numbers, as Enter does.
                Some(active) if button == Button::Primary && active.button.is_none() => {
                    self.release(context, input.modifiers, out);
                }
                Some(_) => {}
                None => self.press(context, (button, pixel, alt), input.modifiers),
            },
            Event::Released { button, pixel } => {
                if self.drag_button() == Some(button) {
                    let pressure = self.pressure;
                    self.record_sample(Sample { pixel, pressure });
                    self.release(context, input.modifiers, out);
                }
            }
            Event::Wheel(notches) if self.active.is_none() => {
                if let Some(pixel) = input.pointer {
                    let zoom = self.available().find_map(|tool| tool.wheel(context, notches, pixel));
                    out.navigation.extend(zoom);
                }
            }
            Event::Key(key) => self.key(context, key, out),
            Event::Enter if self.active.is_some() => self.release(context, input.modifiers, out),
            Event::Escape | Event::FocusLost if self.active.is_some() => self.cancel(out),
            Event::Enter | Event::Escape => self.end_chosen(out),
            Event::FocusLost | Event::Wheel(_) => {}
        }
    }

    /// The available tools; a chosen tool replaces those that follow the selection.
    fn available(&mut self) -> impl Iterator<Item = &mut Box<dyn Tool>> {
        let chosen = self.chosen.as_mut().map(|(_, tool)| tool);
        let others = match chosen {
            Some(_) => &mut [],
            None => self.selection_tools.as_mut_slice(),
        };
        self.permanent_tools.iter_mut().chain(chosen).chain(others)
    }

    fn press(&mut self, context: &Context, (button, pixel, alt): (Button, Vec2, bool), modifiers: Modifiers) {
        let targets = context.pick(pixel);
        let pressure = self.pressure;
        let first = Sample { pixel, pressure };
        let hit = self.gizmo_hit(context, pixel, targets.first());
        let active = self.available().find_map(|tool| {
            let part = hit.part(context, tool.as_ref());
            let press = Press { button, alt, pixel, modifiers, part, targets: &targets };
            let Grab { drag, click } = tool.press(context, &press)?;
            Some(ActiveDrag {
                numbers: NumericInput::new(drag.number_count()),
                moved: drag.starts_at_press(),
                path: drag.starts_at_press().then_some(first).into_iter().collect(),
                drag,
                click,
                button: Some(button),
                press: pixel,
                part,
                beneath: None,
                previewed: false,
                has_new_keys: false,
                last: first,
                modifiers,
            })
        });
        let beneath = targets.into_iter().next();
        self.active = active.map(|active| ActiveDrag { beneath, ..active });
    }

    fn record_sample(&mut self, sample: Sample) {
        let Some(active) = &mut self.active else { return };
        if sample.pixel.is_finite() {
            active.path.push(sample);
            active.last = sample;
            active.moved |= sample.pixel.distance(active.press) >= active.drag.threshold();
        }
    }

    /// Handles a key: digits override the pointer, an axis key constrains the movement.
    fn key(&mut self, context: &Context, key: DragKey, out: &mut Output) {
        if self.takes_numbers() && matches!(key, DragKey::Character(_)) {
            let middle = context.viewport.size / 2.0;
            self.press(context, (Button::Primary, middle, false), Modifiers::default());
            // No button is down that could be released.
            if let Some(active) = &mut self.active {
                active.button = None;
            }
        }
        match (&mut self.active, &mut self.chosen) {
            (Some(active), _) if active.drag.number_count() > 0 => {
                match key {
                    DragKey::Along(axis) => {
                        let before = active.drag.number_count();
                        active.drag.toggle_axis(axis, context.viewport);
                        if active.drag.number_count() != before {
                            active.numbers = active.numbers.with_count(active.drag.number_count());
                        }
                    }
                    key => active.numbers.press(key),
                }
                (active.moved, active.has_new_keys) = (true, true);
            }
            (None, Some((_, tool))) => out.requests.extend(tool.key(context, key)),
            _ => {}
        }
    }

    /// Updates the drag with the path of the pointer, if there is new input.
    fn update_drag(&mut self, context: &Context, (modifiers, ticks): (Modifiers, u32), out: &mut Output) {
        let Some(active) = self.active.as_mut().filter(|active| active.moved) else {
            return;
        };
        if active.path.is_empty() {
            let ticks = ticks > 0 && active.drag.continues_at_rest();
            if !ticks && !active.has_new_keys && modifiers == active.modifiers {
                return;
            }
            active.path.push(active.last);
        }
        let input = DragInput {
            viewport: context.viewport,
            path: &active.path,
            modifiers,
            numbers: &active.numbers,
            ticks,
        };
        match active.drag.drag(context, &input) {
            Change::Commands(commands) if !commands.is_empty() => {
                if let (Click::Grab(target), false) = (&active.click, active.previewed) {
                    let selects = select::selection_after(context, Some(target), false);
                    out.requests.extend(selects.map(Request::Select));
                }
                active.previewed = true;
                out.requests.push(Request::Preview(commands));
            }
            Change::Commands(_) => {}
            Change::Navigation(step) => out.navigation.push(step),
            Change::Request(request) => out.requests.push(*request),
        }
        active.path.clear();
        (active.has_new_keys, active.modifiers) = (false, modifiers);
    }

    /// Ends the drag after the button was released or Enter was pressed.
    fn release(&mut self, context: &Context, modifiers: Modifiers, out: &mut Output) {
        self.update_drag(context, (modifiers, 0), out);
        let Some(mut active) = self.active.take() else {
            return;
        };
        out.redraw = true;
        if active.previewed {
            out.requests.push(Request::Commit);
        }
        if active.moved || active.click == Click::Release {
            out.requests.extend(active.drag.release(context, modifiers));
            if let Some((_, tool)) = &mut self.chosen {
                tool.finish_drag(active.drag.outcome());
            }
            return;
        }
        let selection = context.view.session.selection();
        let clicked = match active.click {
            Click::Nothing if active.button == Some(Button::Secondary) => return self.end_chosen(out),
            Click::Nothing | Click::Release => return,
            Click::Select(target) => target,
            Click::Grab(target) => Some(target),
            Click::Through => match active.beneath {
                Some(target) if !is_active_surface(selection, &target) => Some(target),
                _ => return,
            },
        };
        let selected = select::click(context, &mut self.last_click, active.press, clicked, modifiers.adds());
        out.requests.extend(selected.map(Request::Select));
    }

    fn cancel(&mut self, out: &mut Output) {
        if let Some(mut active) = self.active.take() {
            out.requests.extend(active.previewed.then_some(Request::Cancel));
            out.requests.extend(if active.moved { active.drag.cancelled() } else { None });
        }
        out.redraw = true;
    }

    fn update_hover(&mut self, context: &Context, input: &Input, picked: Option<&PickTarget>) {
        self.hovered = None;
        self.tab = context.view.settings.tab;
        if let Some((_, tool)) = &mut self.chosen {
            return tool.hover(context, input.pointer, input.modifiers);
        }
        for tool in &mut self.selection_tools {
            tool.hover(context, input.pointer, input.modifiers);
        }
        let Some(pixel) = input.pointer else { return };
        let hit = self.gizmo_hit(context, pixel, picked);
        let part = self.selection_tools.iter().enumerate().find_map(|(index, tool)| {
            let part = hit.part(context, tool.as_ref())?;
            Some(Hovered::Part(index, part))
        });
        // Nothing else can be pressed while a skeleton is fitted.
        let picked = picked.filter(|_| !self.is_fitting);
        self.hovered = part.or_else(|| picked.cloned().map(Hovered::Target));
        let is_base = matches!(self.hovered, Some(Hovered::Target(PickTarget::Base)));
        self.has_hips = is_base && hips_of(context).is_some();
    }

    /// Chooses the tool of an action, or ends it if it is chosen already; an active drag ends first. Returns
    /// whether that drag has a preview, which the caller must revert.
    pub fn choose(&mut self, action: Action, view: &View) -> bool {
        let begin = |entry: &ToolEntry| match entry {
            ToolEntry::Chosen(entry_action, begin) if *entry_action == action => begin(view),
            _ => None,
        };
        let ended = self.chosen.take().is_some_and(|(chosen, _)| chosen == action);
        if !ended {
            let tool = TOOLS.iter().find_map(begin);
            self.chosen = tool.map(|tool| (action, tool));
        }
        self.active.take().is_some_and(|active| active.previewed)
    }

    fn end_chosen(&mut self, out: &mut Output) {
        let is_handled = self.chosen.as_mut().is_some_and(|(_, tool)| tool.escape());
        out.redraw |= is_handled || self.chosen.take().is_some();
    }

    /// The action of the chosen tool. While a tool is chosen, gizmos and selection are inactive.
    pub fn chosen(&self) -> Option<Action> {
        self.chosen.as_ref().map(|(action, _)| *action)
    }

    pub fn is_chosen(&self) -> bool {
        self.chosen.is_some()
    }

    /// Whether typing a digit starts a drag of the chosen tool.
    pub fn takes_numbers(&self) -> bool {
        let chosen = self.chosen.as_ref().filter(|_| self.active.is_none());
        chosen.is_some_and(|(_, tool)| tool.takes_numbers())
    }

    /// The keys that the chosen tool receives instead of the actions bound to them.
    pub fn shortcuts(&self) -> &'static [Shortcut] {
        let chosen = self.chosen.as_ref().filter(|_| self.active.is_none());
        chosen.map_or(&[], |(_, tool)| tool.shortcuts())
    }

    /// Whether the active drag receives the keys, and hovering is disabled.
    pub fn is_dragging(&self) -> bool {
        let captures = |active: &ActiveDrag| {
            let draws = active.drag.area().is_some() || active.drag.starts_at_press();
            active.drag.number_count() > 0 || active.moved && draws
        };
        self.active.as_ref().is_some_and(captures)
    }

    /// Whether the active drag continues while the pointer rests: see [`Input::ticks`].
    pub fn continues_at_rest(&self) -> bool {
        let active = self.active.as_ref().filter(|active| active.moved);
        active.is_some_and(|active| active.drag.continues_at_rest())
    }

    /// The button of the active drag; `None` if it was started by typing digits.
    pub fn drag_button(&self) -> Option<Button> {
        self.active.as_ref().and_then(|active| active.button)
    }

    /// The target under the pointer; `None` during a drag.
    pub fn hovered(&self) -> Option<&Hovered> {
        self.hovered.as_ref().filter(|_| self.active.is_none())
    }

    /// Whether a part of a gizmo is hovered or dragged.
    pub fn is_over_gizmo(&self) -> bool {
        match &self.active {
            Some(active) => active.part.is_some(),
            None => matches!(self.hovered, Some(Hovered::Part(..))),
        }
    }
}
