//! The gizmo of an instance, or of a transform that was chosen itself: arrows, rings or boxes, by the mode
//! of the view. A state machine of its own beside that of the skeleton's tools; the window asks this one
//! first. Nothing here changes the scene.

mod placement;
#[cfg(test)]
mod tests;
mod turn;

use super::gizmo::{GizmoPart, GizmoShape, Modifiers};
use super::scale::{self, ScaleDrag};
use super::translate::{self, TranslateDrag};
use super::typed::DragKey;
use crate::edit::command::Command;
use crate::edit::view::{Axes, GizmoMode, View};
use crate::math::camera::Viewport;
use glam::{Vec2, Vec3};
pub use placement::Placement;
use turn::{Rings, TurnDrag};

/// What the selection offers: where it stands, and how it is to be changed.
#[derive(Clone, Debug)]
pub struct InstanceGizmo {
    placement: Placement,
    mode: GizmoMode,
    axes: Axes,
}

impl InstanceGizmo {
    /// `None` in the Rig tab, while a part of a skeleton is selected, for what is hidden, and under parents
    /// that are flat or not finite.
    pub fn of(view: &View) -> Option<Self> {
        Some(Self {
            placement: Placement::of(view)?,
            mode: view.settings.gizmo,
            axes: view.settings.axes,
        })
    }

    /// Where it stands, world space.
    pub fn origin(&self) -> Vec3 {
        self.placement.origin()
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let placement = &self.placement;
        match self.mode {
            GizmoMode::Move => translate::shape_along(
                &placement.directions(self.axes),
                placement.origin(),
                viewport,
                None,
            ),
            GizmoMode::Turn => Rings::of(placement, self.axes).shape(viewport),
            GizmoMode::Scale => scale::shape(&placement.scalable(), viewport, None),
        }
    }

    fn motion(&self, part: GizmoPart, viewport: &Viewport, pixel: Vec2) -> Option<Motion> {
        let placement = &self.placement;
        Some(match (self.mode, part) {
            (GizmoMode::Move, part) => {
                let axes = placement.directions(self.axes);
                let drag = TranslateDrag::along(axes, placement.origin(), part, viewport, pixel)?;
                Motion::Move {
                    drag,
                    axes,
                    moved_in_world: Vec3::ZERO,
                }
            }
            (GizmoMode::Turn, GizmoPart::Ring(axis)) => {
                let rings = Rings::of(placement, self.axes);
                Motion::Turn(TurnDrag::new(rings, axis, viewport, pixel)?)
            }
            (GizmoMode::Scale, part) => {
                Motion::Scale(ScaleDrag::new(&placement.scalable(), part, viewport, pixel)?)
            }
            (GizmoMode::Turn, _) => return None,
        })
    }
}

/// What the pointer does with the gizmo.
#[derive(Clone, Debug, Default)]
pub enum InstanceTool {
    #[default]
    Idle,
    Hover(GizmoPart, GizmoMode),
    Dragging(Box<Drag>),
}

/// A drag under way.
#[derive(Clone, Debug)]
pub struct Drag {
    placement: Placement,
    part: GizmoPart,
    motion: Motion,
}

#[derive(Clone, Debug)]
enum Motion {
    Move {
        drag: TranslateDrag,
        axes: [Vec3; 3],
        moved_in_world: Vec3,
    },
    Turn(TurnDrag),
    Scale(ScaleDrag),
}

impl InstanceTool {
    /// The pointer moved with no button down. Whether it is over a part of the gizmo.
    pub fn hover(&mut self, gizmo: Option<&InstanceGizmo>, viewport: &Viewport, pixel: Vec2) -> bool {
        if self.is_dragging() {
            return true;
        }
        let hit = gizmo.and_then(|gizmo| Some((gizmo.shape(viewport).hit(viewport, pixel)?, gizmo.mode)));
        *self = hit.map_or(Self::Idle, |(part, mode)| Self::Hover(part, mode));
        hit.is_some()
    }

    /// The pointer left the viewport, or something else is under it. A drag goes on.
    pub fn leave(&mut self) {
        if !self.is_dragging() {
            *self = Self::Idle;
        }
    }

    /// The first button went down. Whether a part of the gizmo is held: [`Self::drag`] follows.
    pub fn press(&mut self, gizmo: Option<&InstanceGizmo>, viewport: &Viewport, pixel: Vec2) -> bool {
        *self = Self::Idle;
        let drag = gizmo.and_then(|gizmo| {
            let part = gizmo.shape(viewport).hit(viewport, pixel)?;
            let motion = gizmo.motion(part, viewport, pixel)?;
            Some(Drag {
                placement: gizmo.placement.clone(),
                part,
                motion,
            })
        });
        if let Some(drag) = drag {
            *self = Self::Dragging(Box::new(drag));
        }
        self.is_dragging()
    }

    /// The pointer moved with the button down: the whole change since the press.
    pub fn drag(&mut self, viewport: &Viewport, pixel: Vec2, modifiers: Modifiers) -> Vec<Command> {
        let Self::Dragging(drag) = self else {
            return Vec::new();
        };
        if !pixel.is_finite() {
            return Vec::new();
        }
        let placement = &drag.placement;
        match &mut drag.motion {
            Motion::Move {
                drag, moved_in_world, ..
            } => {
                *moved_in_world = drag.drag(viewport, pixel, modifiers);
                placement.moved(*moved_in_world)
            }
            Motion::Turn(drag) => {
                let (axis, angle) = drag.drag(viewport, pixel, modifiers);
                placement.turned(axis, angle)
            }
            Motion::Scale(drag) => placement.scaled(drag.drag(viewport, pixel, modifiers)),
        }
    }

    /// A key was pressed in a drag: digits count instead of the pointer, an axis holds a movement to itself.
    /// [`Self::drag`] follows with where the pointer is.
    pub fn key(&mut self, key: DragKey, viewport: &Viewport) {
        let Self::Dragging(drag) = self else { return };
        match &mut drag.motion {
            Motion::Move { drag, .. } => drag.key(key, viewport),
            Motion::Turn(drag) => drag.key(key),
            Motion::Scale(drag) => drag.key(key),
        }
    }

    /// The button came up, or the drag is given up. True if there was a drag.
    pub fn end(&mut self) -> bool {
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
    pub fn hot(&self) -> Option<GizmoPart> {
        match self {
            Self::Idle => None,
            Self::Hover(part, _) => Some(*part),
            Self::Dragging(drag) => Some(drag.part),
        }
    }

    /// The gizmo to draw; during a drag only the part that is held, where it has been moved to.
    pub fn shape(&self, gizmo: Option<&InstanceGizmo>, viewport: &Viewport) -> GizmoShape {
        match self {
            Self::Dragging(drag) => match &drag.motion {
                Motion::Move {
                    axes,
                    drag: move_drag,
                    moved_in_world,
                } => {
                    let origin = drag.placement.origin() + *moved_in_world;
                    translate::shape_along(axes, origin, viewport, Some(move_drag.part()))
                }
                Motion::Turn(drag) => drag.shape(viewport),
                Motion::Scale(scale) => scale::shape(&drag.placement.scalable(), viewport, Some(scale)),
            },
            _ => gizmo.map_or_else(GizmoShape::default, |gizmo| gizmo.shape(viewport)),
        }
    }

    /// How far the drag has gone, such as `Δ 0.1, 0, 0`, `y +30°` or `x × 1.5`.
    pub fn readout(&self) -> Option<String> {
        match self {
            Self::Dragging(drag) => Some(match &drag.motion {
                Motion::Move { drag, .. } => drag.readout(),
                Motion::Turn(drag) => drag.readout(),
                Motion::Scale(drag) => drag.readout(),
            }),
            _ => None,
        }
    }

    /// What the mouse does now, for the status bar; `None` where the pointer is elsewhere.
    pub fn hint(&self) -> Option<String> {
        let (part, mode) = match self {
            Self::Idle => return None,
            Self::Dragging(drag) => {
                let keys = match drag.motion {
                    Motion::Move { .. } => "Type a number · x y z along an axis · ",
                    Motion::Turn(_) | Motion::Scale(_) => "Type a number · ",
                };
                let rest = "Ctrl snaps · Shift fine · Esc or right click cancels";
                return Some(format!("Release to keep · {keys}{rest}"));
            }
            Self::Hover(part, mode) => (part, mode),
        };
        let along = match part {
            GizmoPart::Axis(axis) | GizmoPart::Ring(axis) => axis.name().to_owned(),
            GizmoPart::Plane(axis) => {
                let [a, b] = axis.others().map(|other| other.name());
                format!("{} and {}", a.min(b), a.max(b))
            }
            GizmoPart::Center => match mode {
                GizmoMode::Scale => "all axes".into(),
                _ => "the view".into(),
            },
            // Parts of the gizmo of a bone.
            GizmoPart::Start | GizmoPart::Whole | GizmoPart::Roll | GizmoPart::Radius | GizmoPart::Length => {
                return None;
            }
        };
        Some(match mode {
            GizmoMode::Move if *part == GizmoPart::Center => {
                "Drag to move across the view · Ctrl snaps · Shift fine".into()
            }
            GizmoMode::Move => format!("Drag to move along {along} · Ctrl snaps · Shift fine"),
            GizmoMode::Turn => format!("Drag to rotate about {along} · Ctrl snaps to 15° · Shift fine"),
            GizmoMode::Scale => format!("Drag to scale along {along} · Ctrl snaps to tenths · Shift fine"),
        })
    }
}
