//! Tools: what the pointer does in the viewport. One trait, one table, one driver.
//!
//! A [`Tool`] shows what can be taken hold of and answers a press with a [`Drag`]; the [`driver`] does the rest for all
//! of them: it finds what is under the pointer, tells a click from a drag, shows the change while the button is down and
//! makes one undo step of it at the release, takes it back with Esc or the right button, and collects typed numbers, axis
//! keys and modifiers. Tools change nothing themselves; they return commands and requests.
//!
//! A new tool is a file in this folder and a row of [`TOOLS`].

#[cfg(test)]
mod bind_tests;
pub mod bone;
#[cfg(test)]
mod bone_tests;
mod depth;
pub mod driver;
#[cfg(test)]
mod driver_tests;
mod fitted_radius;
pub mod gizmo;
pub mod move_tool;
pub mod navigate;
pub mod new_bone;
#[cfg(test)]
mod new_bone_tests;
pub mod next_click;
pub mod numeric;
pub mod paint;
mod paint_drag;
mod paint_ring;
#[cfg(test)]
mod paint_tests;
pub mod placement;
#[cfg(test)]
mod placement_tests;
mod ring_limits;
pub mod rings;
#[cfg(test)]
mod rings_tests;
pub mod rotate;
pub mod scale;
pub mod select;
pub mod snap;
pub mod target;
pub mod translate;
#[cfg(test)]
mod translate_tests;
pub mod tween;
pub mod vertices;
#[cfg(test)]
mod vertices_tests;

use super::action::{Action, Shortcut};
use super::active_rig::ActiveRig;
use super::box_select::PixelBox;
use super::command::Command;
use super::pick::{PickTarget, Pickable, pick};
use super::request::Request;
use super::selection::Part;
use super::view::View;
use crate::math::camera::Viewport;
use gizmo::{Axis, GizmoPart, GizmoShape, Modifiers};
use glam::Vec2;
use navigate::Navigation;
use numeric::{DragKey, NumericInput};
use std::sync::Arc;

/// When a tool is there.
#[derive(Clone, Copy)]
pub enum Offer {
    /// Whatever else is in use.
    Always(fn() -> Box<dyn Tool>),
    /// By what is selected, while no tool is chosen.
    Selection(fn() -> Box<dyn Tool>),
    /// From this action to the next; `None` where it cannot be used.
    Chosen(Action, fn(&View) -> Option<Box<dyn Tool>>),
}

/// All tools. The first that takes a press has it.
pub const TOOLS: &[Offer] = &[
    Offer::Always(|| Box::new(navigate::Navigate)),
    Offer::Chosen(Action::NEW_BONE, new_bone::begin),
    Offer::Chosen(Action::PAINT_WEIGHTS, paint::begin),
    Offer::Chosen(Action::SELECT_VERTICES, vertices::begin),
    Offer::Chosen(Action::TWEEN, tween::between),
    Offer::Chosen(Action::BLEND_TO_NEIGHBORS, tween::neighbors),
    Offer::Chosen(Action::PUSH_RELAX, tween::push_relax),
    Offer::Chosen(Action::BLEND_TO_REST, tween::rest),
    Offer::Selection(|| Box::new(bone::BoneEnds)),
    Offer::Selection(|| Box::new(rotate::Rotate)),
    Offer::Selection(|| Box::new(scale::Scale)),
    Offer::Selection(|| Box::new(move_tool::Move)),
    Offer::Selection(|| Box::new(select::Select)),
];

/// What a tool may look at.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub view: &'a View<'a>,
    pub viewport: &'a Viewport,
}

impl Context<'_> {
    pub fn stage(&self) -> Option<ActiveRig<'_>> {
        ActiveRig::from_view(self.view)
    }

    /// The active part.
    pub fn part(&self) -> Option<Part> {
        self.view.session.selection().part
    }

    /// All selected bones, if there are several.
    pub fn bones_together(&self) -> Vec<usize> {
        let bones = self.view.session.selection().bones();
        if bones.len() > 1 { bones } else { Vec::new() }
    }

    /// Everything at a pixel of the viewport, best first.
    pub fn pick(&self, at: Vec2) -> Vec<PickTarget> {
        let hits = pick(&Pickable::from_view(self.view), self.viewport, at);
        hits.into_iter().map(|hit| hit.target).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Primary,
    Secondary,
    Middle,
}

/// A button went down.
pub struct Press<'a> {
    pub button: Button,
    /// With Alt, which the camera takes for the middle button.
    pub alt: bool,
    /// Pixels from the top left corner of the viewport.
    pub at: Vec2,
    pub modifiers: Modifiers,
    /// The part of the tool's own shape that is there.
    pub part: Option<GizmoPart>,
    /// Everything else that is there, best first.
    pub over: &'a [PickTarget],
}

/// A place on the pointer's way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Pixels from the top left corner of the viewport.
    pub at: Vec2,
    /// From 0 to 1; 1 where the device does not tell.
    pub pressure: f32,
}

impl From<Vec2> for Sample {
    fn from(at: Vec2) -> Self {
        Self { at, pressure: 1.0 }
    }
}

/// What a drag goes by.
pub struct DragInput<'a> {
    pub viewport: &'a Viewport,
    /// Where the pointer has been since the last time, in order; never empty.
    pub path: &'a [Sample],
    pub modifiers: Modifiers,
    /// Numbers that were typed: they count instead of the pointer.
    pub numbers: &'a NumericInput,
    /// Of the clock since the last time, after all of the path: see [`Drag::goes_on_at_rest`].
    pub ticks: u32,
}

impl DragInput<'_> {
    /// Where the pointer is.
    pub fn at(&self) -> Vec2 {
        self.path.last().map_or(Vec2::ZERO, |sample| sample.at)
    }

    /// The number that was typed; or else `value`, in steps while it snaps.
    pub fn settled(&self, value: f32, step: f32) -> f32 {
        self.numbers
            .number()
            .unwrap_or_else(|| self.modifiers.snapped(value, step))
    }
}

/// What a drag has done so far.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The whole change of the document since the press; none: as it was shown last.
    Commands(Vec<Command>),
    /// The same, in memory that the drag writes again when nobody holds it any more.
    Shared(Arc<Vec<Command>>),
    /// A step of the camera.
    Navigation(Navigation),
}

impl Change {
    pub const NONE: Self = Self::Commands(Vec::new());
}

/// What a press that was no drag means.
#[derive(Clone, Debug, PartialEq)]
pub enum Click {
    Nothing,
    /// Selects this; nothing: what is one level up.
    Selects(Option<PickTarget>),
    /// Selects this, as the drag of it does.
    Grabs(PickTarget),
    /// Selects what lies under the gizmo.
    Through,
}

/// A press that was taken.
pub struct Hold {
    pub drag: Box<dyn Drag>,
    pub click: Click,
}

impl Hold {
    pub fn new(drag: impl Drag + 'static, click: Click) -> Option<Self> {
        let drag = Box::new(drag);
        Some(Self { drag, click })
    }
}

/// What the pointer looks like over the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    #[default]
    Arrow,
    Crosshair,
}

/// How a chosen tool wants the scene shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolDisplay {
    pub skin: SkinDisplay,
    /// Its drags begin anywhere: handles and gizmos are nothing to take hold of.
    pub drags_anywhere: bool,
}

/// How the skin of the character that is worked on is shown. On a skin that a tool is about, bones have no capsules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinDisplay {
    #[default]
    AsSet,
    /// In the weights view, and afterwards as it was.
    Weights,
    /// With its vertices as dots.
    Vertices,
}

/// The options of a tool, which a panel shows.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolOptions {
    /// Those of the brush, with a note on the other side where that is painted too.
    Brush(String),
}

/// Something that the pointer can do in the viewport.
pub trait Tool: Send + Sync {
    /// A button went down. `None`: it is none of this tool's.
    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold>;

    /// What can be taken hold of, and what is shown while no button is down.
    fn shape(&self, _: &Context) -> GizmoShape {
        GizmoShape::default()
    }

    /// For a chosen tool: a drag of it was kept, with this [`Drag::outcome`].
    fn conclude(&mut self, _: Option<String>) {}

    /// For a chosen tool: the pointer is there with no button down, or nowhere.
    fn hover(&mut self, _: &Context, _: Option<Vec2>, _: Modifiers) {}

    /// The wheel was turned by so many notches, away from the user.
    fn wheel(&mut self, _: &Context, _notches: f32, _at: Vec2) -> Option<Navigation> {
        None
    }

    /// For a chosen tool: a key while no button is down.
    fn key(&mut self, _: &Context, _: DragKey) -> Vec<Request> {
        Vec::new()
    }

    /// Of a chosen tool: keys that come to [`Self::key`] instead of meaning actions.
    fn own_keys(&self) -> &'static [Shortcut] {
        &[]
    }

    /// Of a chosen tool: Esc or a right click takes back something of its own. False: they end the tool.
    fn escape(&mut self) -> bool {
        false
    }

    /// Of a chosen tool: whether a digit begins its drag, without a button.
    fn takes_numbers(&self) -> bool {
        false
    }

    /// What the mouse does now, for the status bar; over a part of its shape.
    fn hint(&self, _: Option<GizmoPart>) -> String {
        String::new()
    }

    /// For a chosen tool: what the next click does, for the banner over the viewport.
    fn prompt(&self) -> &str {
        ""
    }

    /// For a chosen tool: how the scene is shown.
    fn display(&self) -> ToolDisplay {
        ToolDisplay::default()
    }

    /// Of a chosen tool.
    fn options(&self, _: &View) -> Option<ToolOptions> {
        None
    }

    fn cursor(&self) -> Cursor {
        Cursor::Arrow
    }

    /// For a chosen tool: whether it can go on.
    fn is_usable(&self, _: &View) -> bool {
        true
    }
}

/// What a tool does from the press to the release.
pub trait Drag: Send + Sync {
    /// The pointer moved, or a key changed what that means. Of commands, always the whole change since the press.
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change;

    /// The button came up after a drag; what was shown is kept already.
    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        Vec::new()
    }

    /// After the release: what is to be said of it, as a sentence.
    fn outcome(&self) -> Option<String> {
        None
    }

    /// Whether it goes on while the pointer rests: then it is told of the ticks of a clock, 60 in a second.
    fn goes_on_at_rest(&self) -> bool {
        false
    }

    /// How far the pointer must go for a drag, in pixels; less is a click.
    fn threshold(&self) -> f32 {
        select::CLICK_PX
    }

    /// Whether the press is part of its way; else that begins with the first movement.
    fn starts_at_press(&self) -> bool {
        false
    }

    /// How many numbers can be typed now.
    fn numbers(&self) -> usize {
        0
    }

    /// Goes on along an axis alone; along the same again: as it was taken.
    fn toggle_axis(&mut self, _: Axis, _: &Viewport) {}

    /// What to draw meanwhile.
    fn shape(&self, _: &Viewport) -> GizmoShape {
        GizmoShape::default()
    }

    /// As [`Self::shape`], in the memory of `shape`.
    fn shape_into(&self, viewport: &Viewport, shape: &mut GizmoShape) {
        *shape = self.shape(viewport);
    }

    /// The rectangle to draw over the viewport, in its pixels.
    fn area(&self) -> Option<PixelBox> {
        None
    }

    /// How far it has gone, such as `x 57.5° (+12.5°)`.
    fn readout(&self, _: &NumericInput) -> String {
        String::new()
    }

    /// What the mouse and the keys do now; empty: as if nothing were held.
    fn hint(&self) -> String {
        String::new()
    }
}

/// A drag that does nothing.
struct NoDrag;

impl Drag for NoDrag {
    fn drag(&mut self, _: &Context, _: &DragInput) -> Change {
        Change::NONE
    }
}

/// [`Drag::hint`] of what is kept at the release. `keys`: what keys mean to it.
fn drag_hint(keys: &str) -> String {
    format!("Release to keep · Type a number · {keys} · Esc or right click cancels")
}
