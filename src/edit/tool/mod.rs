//! Tools: what pointer gestures in the viewport mean. A state machine: press, drags, release or cancel.
//!
//! A drag turns pointer positions into commands that say the whole change since the press, for
//! `Session::preview`; release commits them, cancel takes them back. Nothing here changes the scene, and
//! gestures of the camera are not tools.

#[cfg(test)]
mod bind_tests;
pub mod bone;
#[cfg(test)]
mod bone_tests;
mod depth;
pub mod gizmo;
pub mod instance;
pub mod new_bone;
#[cfg(test)]
mod new_bone_tests;
pub mod rings;
#[cfg(test)]
mod rings_tests;
pub mod scale;
pub mod snap;
pub mod target;
#[cfg(test)]
mod tests;
pub mod translate;
pub mod typed;

use super::command::Command;
use super::pick::PickTarget;
use super::selection::Part;
use super::stage::Stage;
use super::view::{GizmoMode, Tab};
use crate::math::camera::Viewport;
use bone::{BoneGizmo, RadiusDrag};
use gizmo::{Axis, GizmoPart, GizmoShape, Modifiers, Paint};
use glam::{Vec2, Vec3};
use rings::{RingDrag, Rings};
use scale::{Scalable, ScaleDrag};
use snap::{Magnets, Snapped};
use target::MoveTarget;
use translate::TranslateDrag;
use typed::DragKey;

/// A drag of something that a click selects begins after this many pixels.
const CLICK_PX: f32 = 4.0;

/// The tool that the selection offers.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    Move(MoveTarget),
    Turn(Rings),
    Bone(Box<BoneGizmo>),
    Scale(ScaleTarget),
}

impl Tool {
    /// Rig tab: a bone is moved by its ends, rolled and made thicker, or rotated or scaled with what hangs on it, by
    /// the mode of the gizmo; a handle's target and the base are moved. Animate tab: a bone is rotated, the others
    /// are moved.
    pub fn of(stage: &Stage, part: Part) -> Option<Self> {
        match (part, stage.tab) {
            (Part::Bone(bone), Tab::Animate) => Rings::of(stage, bone).map(Self::Turn),
            (Part::Bone(bone), Tab::Rig) => match stage.gizmo {
                GizmoMode::Move => {
                    let gizmo = BoneGizmo::of(stage, bone)?;
                    Some(Self::Bone(Box::new(gizmo)))
                }
                GizmoMode::Turn => Rings::of_bind(stage, bone).map(Self::Turn),
                GizmoMode::Scale => ScaleTarget::of(stage, bone).map(Self::Scale),
            },
            _ => MoveTarget::of(stage, part).map(Self::Move),
        }
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        match self {
            Self::Move(target) => translate::shape_along(&target.axes, target.origin, viewport, None),
            Self::Turn(rings) => rings.shape(viewport),
            Self::Bone(gizmo) => gizmo.shape(viewport),
            Self::Scale(target) => target.shape(viewport, None),
        }
    }
}

/// A bone that is scaled along itself in the bind pose.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleTarget {
    mesh: String,
    bones: Vec<usize>,
    scalable: Scalable,
}

impl ScaleTarget {
    fn of(stage: &Stage, bone: usize) -> Option<Self> {
        let (origin, tip) = (stage.bone_start(bone)?, stage.bone_tip(bone)?);
        let along = (tip - origin).try_normalize()?;
        let scalable = Scalable {
            origin,
            directions: [Vec3::ZERO, along, Vec3::ZERO],
            along: &[Axis::Y],
            scale: Vec3::ONE,
        };
        origin.is_finite().then(|| Self {
            mesh: stage.mesh.to_owned(),
            bones: vec![bone],
            scalable,
        })
    }

    /// All of it is one part: the box at the end, dragged along the bone, and the one at the head, dragged across the
    /// screen.
    fn shape(&self, viewport: &Viewport, drag: Option<&ScaleDrag>) -> GizmoShape {
        let mut shape = scale::shape(&self.scalable, viewport, drag);
        for element in shape.lines.iter_mut().chain(&mut shape.faces) {
            element.part = GizmoPart::Length;
            element.role = GizmoPart::Length.role();
        }
        shape
    }

    fn drag(&self, viewport: &Viewport, pixel: Vec2) -> Option<ScaleDrag> {
        let part = scale::shape(&self.scalable, viewport, None).hit(viewport, pixel)?;
        ScaleDrag::new(&self.scalable, part, viewport, pixel)
    }

    /// Nothing where the bones would have no length.
    fn commands(&self, scale: Vec3) -> Vec<Command> {
        let factor = scale.y;
        if !(factor.is_finite() && factor > 0.0) {
            return Vec::new();
        }
        let (mesh, bones) = (self.mesh.clone(), self.bones.clone());
        vec![Command::ScaleBones { mesh, bones, factor }]
    }
}

/// What the pointer is over, or has hold of.
#[derive(Clone, Debug, PartialEq)]
pub enum Hot {
    Gizmo(GizmoPart),
    Target(PickTarget),
}

/// What a press did.
#[derive(Clone, Debug, PartialEq)]
pub enum Press {
    /// A part of the gizmo is held: [`ToolState::drag`] follows.
    Gizmo(GizmoPart),
    /// A handle, a tip or the base is held: select it now; [`ToolState::drag`] follows.
    Grabbed(PickTarget),
    /// Nothing is held. If the button comes up at about the same place, this is what was clicked.
    Over(Option<PickTarget>),
}

/// A drag under way.
#[derive(Clone, Debug)]
pub struct Drag {
    motion: Motion,
    held: Hot,
    press: Vec2,
    /// Past the distance of a click, or a key was pressed.
    moved: bool,
    /// What a click selects: what lies under the part of the gizmo, or what is held itself.
    beneath: Option<PickTarget>,
}

#[derive(Clone, Debug)]
enum Motion {
    Move {
        target: MoveTarget,
        drag: TranslateDrag,
        moved_in_world: Vec3,
        /// What it is drawn to while it moves freely.
        magnets: Option<Magnets>,
        snapped: Option<Snapped>,
    },
    Turn(RingDrag),
    Radius(RadiusDrag),
    Scale {
        target: ScaleTarget,
        drag: ScaleDrag,
    },
}

/// What the pointer does in the viewport.
#[derive(Clone, Debug, Default)]
pub enum ToolState {
    #[default]
    Idle,
    Hover(Hot),
    Dragging(Box<Drag>),
}

impl ToolState {
    /// The pointer moved with no button down. `over`: what was picked at `pixel`. True if what it is over
    /// has changed.
    pub fn hover(
        &mut self,
        stage: Option<&Stage>,
        over: Option<&PickTarget>,
        selected: Option<Part>,
        viewport: &Viewport,
        pixel: Vec2,
    ) -> bool {
        if let Self::Dragging(_) = self {
            return false;
        }
        let hot = under(stage, over, selected, viewport, pixel);
        let changed = self.hot() != hot.as_ref();
        *self = hot.map_or(Self::Idle, Self::Hover);
        changed
    }

    /// The pointer left the viewport. A drag goes on.
    pub fn leave(&mut self) {
        if let Self::Hover(_) = self {
            *self = Self::Idle;
        }
    }

    /// The first button went down. The part of the gizmo under the pointer wins over everything else.
    pub fn press(
        &mut self,
        stage: Option<&Stage>,
        over: Option<&PickTarget>,
        selected: Option<Part>,
        viewport: &Viewport,
        pixel: Vec2,
    ) -> Press {
        let hot = under(stage, over, selected, viewport, pixel);
        let motion = stage.and_then(|stage| match &hot {
            Some(Hot::Gizmo(part)) => {
                let tool = selected.and_then(|selected| Tool::of(stage, selected))?;
                Motion::of_gizmo(stage, tool, *part, viewport, pixel)
            }
            Some(Hot::Target(target @ (PickTarget::Handle(_) | PickTarget::Tip(_) | PickTarget::Base))) => {
                let target = MoveTarget::of(stage, target.part()?)?;
                Motion::of_gizmo(stage, Tool::Move(target), GizmoPart::Center, viewport, pixel)
            }
            _ => None,
        });
        *self = Self::Idle;
        match (hot, motion) {
            (Some(held), Some(motion)) => {
                let press = match &held {
                    Hot::Gizmo(part) => Press::Gizmo(*part),
                    Hot::Target(target) => Press::Grabbed(target.clone()),
                };
                *self = Self::Dragging(Box::new(Drag {
                    motion,
                    held,
                    press: pixel,
                    moved: false,
                    beneath: over.cloned(),
                }));
                press
            }
            (Some(Hot::Target(target)), None) => Press::Over(Some(target)),
            (Some(Hot::Gizmo(_)), None) | (None, _) => Press::Over(None),
        }
    }

    /// The pointer moved with the button down: the whole change since the press. Empty where there is no
    /// drag, or it is not more than a click yet.
    pub fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec<Command> {
        let Self::Dragging(drag) = self else {
            return Vec::new();
        };
        drag.moved |= pixel.distance(drag.press) >= CLICK_PX;
        if !drag.moved || !pixel.is_finite() {
            return Vec::new();
        }
        match &mut drag.motion {
            Motion::Move {
                target,
                drag,
                moved_in_world,
                magnets,
                snapped,
            } => {
                *moved_in_world = drag.drag(viewport, pixel, modifiers);
                *snapped = None;
                let free = drag.part() == GizmoPart::Center && !drag.is_typed() && !modifiers.snap;
                if let Some(magnets) = magnets.as_ref().filter(|_| free) {
                    let (drawn, to) = magnets.draw(viewport, target.origin + *moved_in_world, modifiers);
                    if to.is_some() {
                        *moved_in_world = drawn - target.origin;
                        drag.set_total(*moved_in_world);
                    }
                    *snapped = to;
                }
                target.commands(*moved_in_world)
            }
            Motion::Turn(drag) => drag.drag(viewport, pixel, modifiers),
            Motion::Radius(drag) => drag.drag(viewport, pixel, modifiers),
            Motion::Scale { target, drag } => target.commands(drag.drag(viewport, pixel, modifiers)),
        }
    }

    /// A key was pressed during a drag: digits count instead of the pointer, an axis holds the movement to
    /// itself. [`ToolState::drag`] follows with where the pointer is.
    pub fn key(&mut self, key: DragKey, viewport: &Viewport) {
        let Self::Dragging(drag) = self else { return };
        drag.moved = true;
        match &mut drag.motion {
            Motion::Move { drag, .. } => drag.key(key, viewport),
            Motion::Turn(drag) => drag.key(key),
            Motion::Radius(drag) => drag.key(key),
            Motion::Scale { drag, .. } => drag.key(key),
        }
    }

    /// What is done to the bone that is held is done to `bones` too: their tips move along, or they are rotated or
    /// scaled as it is.
    pub fn move_along(&mut self, stage: &Stage, bones: &[usize]) {
        let Self::Dragging(drag) = self else { return };
        if bones.len() < 2 {
            return;
        }
        match &mut drag.motion {
            Motion::Move { target, magnets, .. } => {
                *target = target.clone().with_tips(stage, bones);
                if target.moving(stage).is_none() {
                    *magnets = None;
                }
            }
            Motion::Turn(drag) => drag.rotate_along(bones),
            Motion::Scale { target, .. } => target.bones = bones.to_vec(),
            Motion::Radius(_) => {}
        }
    }

    /// Where the press was, and what a click there means, if what is now released was no drag.
    pub fn clicked(&self) -> Option<(Vec2, &PickTarget)> {
        match self {
            Self::Dragging(drag) if !drag.moved => Some((drag.press, drag.beneath.as_ref()?)),
            _ => None,
        }
    }

    /// Whether a part of the gizmo is held.
    pub fn holds_gizmo(&self) -> bool {
        matches!(self, Self::Dragging(drag) if matches!(drag.held, Hot::Gizmo(_)))
    }

    /// The button came up. True if there was a drag: commit.
    pub fn release(&mut self) -> bool {
        self.end()
    }

    /// Esc or the second button. True if there was a drag: take it back.
    pub fn cancel(&mut self) -> bool {
        self.end()
    }

    fn end(&mut self) -> bool {
        let dragging = self.is_dragging();
        if dragging {
            *self = Self::Idle;
        }
        dragging
    }

    pub fn is_dragging(&self) -> bool {
        matches!(self, Self::Dragging(_))
    }

    /// What to highlight.
    pub fn hot(&self) -> Option<&Hot> {
        match self {
            Self::Idle => None,
            Self::Hover(hot) => Some(hot),
            Self::Dragging(drag) => Some(&drag.held),
        }
    }

    /// The gizmo to draw. During a drag only the part that is held, where it has been moved to.
    pub fn shape(&self, stage: Option<&Stage>, selected: Option<Part>, viewport: &Viewport) -> GizmoShape {
        match self {
            Self::Dragging(drag) => match &drag.motion {
                Motion::Turn(drag) => drag.shape(viewport),
                Motion::Radius(drag) => drag.shape(viewport),
                Motion::Scale { target, drag } => target.shape(viewport, Some(drag)),
                Motion::Move {
                    target,
                    drag,
                    moved_in_world,
                    snapped,
                    ..
                } => {
                    let at = target.origin + *moved_in_world;
                    let mut shape = translate::shape_along(&target.axes, at, viewport, Some(drag.part()));
                    for marks in snapped.iter().flat_map(|to| to.marks(viewport, at)) {
                        shape.line(GizmoPart::Whole, Paint::Plain, marks);
                    }
                    shape
                }
            },
            _ => tool(stage, selected).map_or_else(GizmoShape::default, |tool| tool.shape(viewport)),
        }
    }

    /// How far the drag has gone, such as `x 57.5° (+12.5°)` or `Δ 0.1, 0, 0`.
    pub fn readout(&self) -> Option<String> {
        match self {
            Self::Dragging(drag) if drag.moved => Some(match &drag.motion {
                Motion::Move { drag, snapped, .. } => match snapped {
                    Some(to) => format!("{} · {}", drag.readout(), to.text()),
                    None => drag.readout(),
                },
                Motion::Turn(drag) => drag.readout(),
                Motion::Radius(drag) => drag.readout(),
                Motion::Scale { drag, .. } => drag.readout(),
            }),
            _ => None,
        }
    }

    /// What the mouse does now, for the status bar.
    pub fn hint(&self) -> String {
        let keys = |snap: &str| format!("Ctrl snaps{snap} · Shift fine");
        match self {
            Self::Idle => {
                "Click to select · Middle or Alt+drag to orbit · Right drag to pan · Wheel to zoom".into()
            }
            Self::Dragging(drag) => {
                let (snap, axes) = match drag.motion {
                    Motion::Move { .. } => ("", " · x y z along an axis"),
                    Motion::Turn(_) => (" to 15°", ""),
                    Motion::Scale { .. } => (" to tenths", ""),
                    Motion::Radius(_) => ("", ""),
                };
                let keys = keys(snap);
                format!("Release to keep · Type a number{axes} · {keys} · Esc or right click cancels")
            }
            Self::Hover(Hot::Gizmo(part)) => match part {
                GizmoPart::Axis(axis) => format!("Drag to move along {} · {}", axis.name(), keys("")),
                GizmoPart::Plane(axis) => {
                    let [a, b] = axis.others().map(gizmo::Axis::name);
                    let (a, b) = (a.min(b), a.max(b));
                    format!("Drag to move along {a} and {b} · {}", keys(""))
                }
                GizmoPart::Center => format!("Drag to move across the view · {}", keys("")),
                GizmoPart::Ring(axis) => {
                    format!("Drag to rotate about {} · {}", axis.name(), keys(" to 15°"))
                }
                GizmoPart::Start => format!("Drag to move where the bone starts · {}", keys("")),
                GizmoPart::Whole => format!("Drag to move the bone with both its ends · {}", keys("")),
                GizmoPart::Roll => format!("Drag to roll the bone about itself · {}", keys(" to 15°")),
                GizmoPart::Length => {
                    format!("Drag to make the bone longer or shorter · {}", keys(" to tenths"))
                }
                GizmoPart::Radius => format!("Drag to make the bone thicker or thinner · {}", keys("")),
            },
            Self::Hover(Hot::Target(target)) => match target {
                PickTarget::Handle(_) => "Drag to move the target · Click to select the handle",
                PickTarget::Tip(_) => "Drag to move the tip · Click to select the bone",
                PickTarget::Base => "Drag to move the whole skeleton · Click to select the base",
                PickTarget::Bone(_) => "Click to select the bone",
                PickTarget::Skin => "Click to select the mesh · Middle or Alt+drag to orbit",
                PickTarget::Instance(_) => "Click to select",
            }
            .into(),
        }
    }
}

impl Motion {
    fn of_gizmo(
        stage: &Stage,
        tool: Tool,
        part: GizmoPart,
        viewport: &Viewport,
        pixel: Vec2,
    ) -> Option<Self> {
        match (tool, part) {
            (Tool::Turn(rings), GizmoPart::Ring(axis)) => {
                let drag = RingDrag::new(&rings, axis, viewport, pixel)?;
                Some(Self::Turn(drag))
            }
            (Tool::Turn(_), _) => None,
            (Tool::Move(target), part) => {
                let drag = TranslateDrag::along(target.axes, target.origin, part, viewport, pixel)?;
                let magnets = target.moving(stage).map(|moving| Magnets::of(stage, &moving));
                Some(Self::Move {
                    target,
                    drag,
                    moved_in_world: Vec3::ZERO,
                    magnets,
                    snapped: None,
                })
            }
            (Tool::Scale(target), _) => {
                let drag = target.drag(viewport, pixel)?;
                Some(Self::Scale { target, drag })
            }
            (Tool::Bone(gizmo), GizmoPart::Roll) => {
                let drag = RingDrag::new(&gizmo.roll, Axis::Y, viewport, pixel)?;
                Some(Self::Turn(drag))
            }
            (Tool::Bone(gizmo), GizmoPart::Radius) => {
                let drag = RadiusDrag::new(&gizmo.radius, viewport, pixel)?;
                Some(Self::Radius(drag))
            }
            (Tool::Bone(gizmo), part) => {
                let (target, part) = match part {
                    GizmoPart::Start => (gizmo.start, GizmoPart::Center),
                    GizmoPart::Whole => (gizmo.whole, GizmoPart::Center),
                    part => (gizmo.tip, part),
                };
                Self::of_gizmo(stage, Tool::Move(target), part, viewport, pixel)
            }
        }
    }
}

fn tool(stage: Option<&Stage>, selected: Option<Part>) -> Option<Tool> {
    Tool::of(stage?, selected?)
}

/// The gizmo is drawn over everything, and wins over everything.
fn under(
    stage: Option<&Stage>,
    over: Option<&PickTarget>,
    selected: Option<Part>,
    viewport: &Viewport,
    pixel: Vec2,
) -> Option<Hot> {
    match tool(stage, selected).and_then(|tool| tool.shape(viewport).hit(viewport, pixel)) {
        Some(part) => Some(Hot::Gizmo(part)),
        None => over.cloned().map(Hot::Target),
    }
}
