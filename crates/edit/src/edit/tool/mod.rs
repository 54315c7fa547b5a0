//! Tools: what the pointer does in the viewport.
//!
//! A [`Tool`] shows the shapes that can be dragged and answers a press with a [`Drag`]. The [`driver`] does
//! the rest for all tools: it finds what is under the pointer, tells a click from a drag, previews the change
//! while the button is down, turns it into one undo step at the release, reverts it on Esc or the right
//! button, and collects typed numbers, axis keys and modifiers. Tools change nothing themselves; they return
//! commands and requests.
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
mod fit;
mod fitted_radius;
pub mod gizmo;
pub mod move_drag;
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
pub mod path;
pub mod placement;
#[cfg(test)]
mod placement_tests;
pub mod pull;
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
use super::command::Command;
use super::request::Request;
use crate::edit::request::Navigation;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::box_select::PixelBox;
use crate::edit::select::pick::{PickTarget, Pickable, pick};
use crate::edit::select::selection::Part;
use crate::edit::settings::view::View;
use crate::edit::time::motion_paths::MotionPaths;
use crate::math::camera::Viewport;
use gizmo::{Axis, GizmoPart, GizmoShape, Modifiers};
use glam::Vec2;
use numeric::{DragKey, NumericInput};

/// A row of [`TOOLS`]: when a tool is available, and how to create it.
#[derive(Clone, Copy)]
pub enum ToolEntry {
    /// A tool that is always available.
    Always(fn() -> Box<dyn Tool>),
    /// A tool that is available while no tool is chosen; the selection decides what it does.
    Selection(fn() -> Box<dyn Tool>),
    /// A tool that replaces those while a skeleton is fitted, so that a press beside a joint neither accepts the skeleton nor
    /// deselects the body.
    Fitting(fn() -> Box<dyn Tool>),
    /// A tool that is available after its action was chosen; `None` where it cannot be used.
    Chosen(Action, fn(&View) -> Option<Box<dyn Tool>>),
}

/// All tools, in order of precedence: the first that accepts a press gets it.
pub const TOOLS: &[ToolEntry] = &[
    ToolEntry::Always(|| Box::new(navigate::Navigate)),
    ToolEntry::Chosen(Action::NEW_BONE, new_bone::begin),
    ToolEntry::Chosen(Action::PAINT_WEIGHTS, paint::begin),
    ToolEntry::Chosen(Action::SELECT_VERTICES, vertices::begin),
    ToolEntry::Chosen(Action::TWEEN, tween::begin_between),
    ToolEntry::Chosen(Action::BLEND_TO_NEIGHBORS, tween::begin_neighbors),
    ToolEntry::Chosen(Action::PUSH_RELAX, tween::begin_push_relax),
    ToolEntry::Chosen(Action::BLEND_TO_REST, tween::begin_rest),
    ToolEntry::Chosen(Action::POSE_BY_DRAGGING, pull::begin),
    ToolEntry::Fitting(|| Box::new(fit::FitJoints)),
    ToolEntry::Selection(|| Box::new(bone::BoneEnds)),
    ToolEntry::Selection(|| Box::<path::DragPaths>::default()),
    ToolEntry::Selection(|| Box::new(rotate::Rotate)),
    ToolEntry::Selection(|| Box::new(scale::Scale)),
    ToolEntry::Selection(|| Box::new(move_tool::Move)),
    ToolEntry::Selection(|| Box::new(pull::PullBones)),
    ToolEntry::Selection(|| Box::new(select::Select)),
];

/// The state that a tool can read.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub view: &'a View<'a>,
    pub viewport: &'a Viewport,
    /// The motion paths that are shown.
    pub paths: &'a MotionPaths,
}

impl Context<'_> {
    pub fn rig(&self) -> Option<ActiveRig<'_>> {
        ActiveRig::from_view(self.view)
    }

    /// The active part of the selection.
    pub fn part(&self) -> Option<Part> {
        self.view.session.selection().part
    }

    /// All selected bones if there are several, otherwise none.
    pub fn bone_group(&self) -> Vec<usize> {
        let bones = self.view.session.selection().bones();
        if bones.len() > 1 { bones } else { Vec::new() }
    }

    /// Returns everything under a pixel of the viewport, best match first.
    pub fn pick(&self, pixel: Vec2) -> Vec<PickTarget> {
        let hits = pick(&Pickable::from_view(self.view), self.viewport, pixel);
        hits.into_iter().map(|hit| hit.target).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Primary,
    Secondary,
    Middle,
}

/// A press of a mouse button.
pub struct Press<'a> {
    pub button: Button,
    /// Whether Alt was down; with Alt, the camera treats the primary button as the middle one.
    pub alt: bool,
    /// Pixels from the top left corner of the viewport.
    pub pixel: Vec2,
    pub modifiers: Modifiers,
    /// The part of the tool's own shape under the pointer.
    pub part: Option<GizmoPart>,
    /// Everything else under the pointer, best match first.
    pub targets: &'a [PickTarget],
}

/// A sample of the pointer's path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Pixels from the top left corner of the viewport.
    pub pixel: Vec2,
    /// From 0 to 1; 1 if the device does not report pressure.
    pub pressure: f32,
}

impl From<Vec2> for Sample {
    fn from(pixel: Vec2) -> Self {
        Self { pixel, pressure: 1.0 }
    }
}

/// The input of a drag since its last update.
pub struct DragInput<'a> {
    pub viewport: &'a Viewport,
    /// The path of the pointer since the last update, in order; never empty.
    pub path: &'a [Sample],
    pub modifiers: Modifiers,
    /// Typed numbers, which take precedence over the pointer.
    pub numbers: &'a NumericInput,
    /// Clock ticks since the last update, counted after the whole path: see [`Drag::continues_at_rest`].
    pub ticks: u32,
}

impl DragInput<'_> {
    /// The current position of the pointer.
    pub fn pixel(&self) -> Vec2 {
        self.path.last().map_or(Vec2::ZERO, |sample| sample.pixel)
    }

    /// Returns the typed number, or else `value`, rounded to steps while snapping.
    pub fn typed_or_snapped(&self, value: f32, step: f32) -> f32 {
        self.numbers.number().unwrap_or_else(|| self.modifiers.snapped(value, step))
    }
}

/// The effect of a drag so far.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The whole change of the document since the press; empty if the preview stays as it is.
    Commands(Vec<Command>),
    /// A camera step.
    Navigation(Navigation),
    /// What the application is asked for instead, each time anew.
    Request(Box<Request>),
}

impl Change {
    pub const NONE: Self = Self::Commands(Vec::new());
}

/// The meaning of a press that does not become a drag.
#[derive(Clone, Debug, PartialEq)]
pub enum Click {
    Nothing,
    /// Selects the target, or the parent level if there is none.
    Select(Option<PickTarget>),
    /// Selects the target; a drag of it selects it too.
    Grab(PickTarget),
    /// Selects what is under the gizmo.
    Through,
    /// Does the same as a drag that ends where it began.
    Release,
}

/// The response to a press that a tool accepts.
pub struct Grab {
    pub drag: Box<dyn Drag>,
    pub click: Click,
}

impl Grab {
    pub fn new(drag: impl Drag + 'static, click: Click) -> Option<Self> {
        let drag = Box::new(drag);
        Some(Self { drag, click })
    }
}

/// The shape of the pointer over the viewport.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cursor {
    #[default]
    Arrow,
    Crosshair,
    /// A hand, over what can be dragged.
    Grab,
}

/// How a chosen tool wants the scene displayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolDisplay {
    pub skin: SkinDisplay,
    /// Whether drags may begin anywhere, so that handles and gizmos cannot be grabbed.
    pub drags_anywhere: bool,
}

/// How the skin of the active character is displayed. While a tool works on the skin, bones have no capsules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinDisplay {
    #[default]
    Unchanged,
    /// Shown in the weights view until the tool ends.
    Weights,
    /// Shown with its vertices as dots.
    Vertices,
}

/// The options of a tool, shown in a panel.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolOptions {
    /// The options of the brush, with a note about the other side if symmetry is on.
    Brush(String),
    /// The options of posing by dragging.
    Pull,
}

/// A tool of the viewport.
pub trait Tool: Send + Sync {
    /// Handles a press. Returns `None` if the press is not for this tool.
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab>;

    /// The shape that can be dragged, and whatever else is drawn while no button is down.
    fn shape(&self, _: &Context) -> GizmoShape {
        GizmoShape::default()
    }

    /// Called on a chosen tool when a drag of it was committed, with its [`Drag::outcome`].
    fn finish_drag(&mut self, _: Option<String>) {}

    /// Called on a chosen tool, or else on those that follow the selection, when the pointer moves with no button down, or
    /// leaves the viewport.
    fn hover(&mut self, _: &Context, _: Option<Vec2>, _: Modifiers) {}

    /// Handles the wheel, turned by a number of notches away from the user.
    fn wheel(&mut self, _: &Context, _notches: f32, _pixel: Vec2) -> Option<Navigation> {
        None
    }

    /// Called on a chosen tool for a key that is pressed while no button is down.
    fn key(&mut self, _: &Context, _: DragKey) -> Vec<Request> {
        Vec::new()
    }

    /// The keys that a chosen tool receives in [`Self::key`], instead of the actions bound to them.
    fn shortcuts(&self) -> &'static [Shortcut] {
        &[]
    }

    /// Undoes an intermediate state of a chosen tool on Esc or a right click. Returns false if they should
    /// end the tool.
    fn escape(&mut self) -> bool {
        false
    }

    /// Whether typing a digit starts a drag of a chosen tool without a button.
    fn takes_numbers(&self) -> bool {
        false
    }

    /// The current effect of the mouse over a part of the tool's shape, for the status bar.
    fn hint(&self, _: Option<GizmoPart>) -> String {
        String::new()
    }

    /// The text beside the pointer over the tool's shape.
    fn label(&self) -> Option<String> {
        None
    }

    /// The effect of the next click of a chosen tool, for the banner over the viewport.
    fn prompt(&self) -> &str {
        ""
    }

    /// How a chosen tool wants the scene displayed.
    fn display(&self) -> ToolDisplay {
        ToolDisplay::default()
    }

    /// The options of a chosen tool.
    fn options(&self, _: &View) -> Option<ToolOptions> {
        None
    }

    /// The pointer over the viewport if the tool is chosen, otherwise over the tool's shape.
    fn cursor(&self) -> Cursor {
        Cursor::Arrow
    }

    /// Whether a chosen tool can stay active.
    fn is_usable(&self, _: &View) -> bool {
        true
    }
}

/// A drag of a tool, from the press to the release.
pub trait Drag: Send + Sync {
    /// Updates the drag after the pointer moved or a key changed the meaning of its movement. Commands always
    /// describe the whole change since the press.
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change;

    /// Called when a drag was cancelled; the previewed change is reverted by itself.
    fn cancelled(&mut self) -> Option<Request> {
        None
    }

    /// Called when the button is released after a drag; the previewed change has been committed already.
    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        Vec::new()
    }

    /// A sentence about the result, queried after the release.
    fn outcome(&self) -> Option<String> {
        None
    }

    /// Whether the drag continues while the pointer rests, and therefore receives ticks of a clock that runs
    /// at 60 Hz.
    fn continues_at_rest(&self) -> bool {
        false
    }

    /// The distance that the pointer must move to start a drag, in pixels; a shorter movement is a click.
    fn threshold(&self) -> f32 {
        select::CLICK_PX
    }

    /// Whether the path includes the press; otherwise it starts at the first movement.
    fn starts_at_press(&self) -> bool {
        false
    }

    /// The number of values that can be typed now.
    fn number_count(&self) -> usize {
        0
    }

    /// Constrains the drag to an axis; the same axis again restores the constraint of the press.
    fn toggle_axis(&mut self, _: Axis, _: &Viewport) {}

    /// The shape to draw during the drag.
    fn shape(&self, _: &Viewport) -> GizmoShape {
        GizmoShape::default()
    }

    /// The rectangle to draw over the viewport, in pixels.
    fn area(&self) -> Option<PixelBox> {
        None
    }

    /// The amount so far, such as `x 57.5° (+12.5°)`.
    fn readout(&self, _: &NumericInput) -> String {
        String::new()
    }

    /// The current effect of the mouse and the keys; if empty, the hint for an idle pointer is shown.
    fn hint(&self) -> String {
        String::new()
    }
}

/// A drag without effect.
struct NoDrag;

impl Drag for NoDrag {
    fn drag(&mut self, _: &Context, _: &DragInput) -> Change {
        Change::NONE
    }
}

/// Returns the [`Drag::hint`] of a drag that is committed at the release. `keys` describes its keys.
fn drag_hint(keys: &str) -> String {
    format!("Release to keep · Type a number · {keys} · Esc or right click cancels")
}
