//! Editing motion paths: the mark of a key on the path of a tail, handle or base is dragged, and the pose of that frame
//! follows. The current frame stays; its own key is that of the ball which is there.

use super::gizmo::{GizmoPart, GizmoShape, Modifiers, Role};
use super::move_drag::{MoveDrag, PathPoint, Subject};
use super::pull::with_body;
use super::translate::{Constraint, PARTS};
use super::{Button, Click, Context, Cursor, Grab, Press, Tool};
use crate::edit::pose::path_pull::PathPull;
use crate::edit::settings::view::Tab;
use crate::scene::paths::PathSubject;
use glam::{Vec2, Vec3};

/// The distance within which the mark of a key is grabbed, in pixels.
const KEY_PX: f32 = 7.0;

/// In front of the other gizmos: a mark is small.
const KEY: GizmoPart = GizmoPart::new(PARTS, Role::Bone, -2.0);

/// A key of a path.
struct PathKey {
    subject: PathSubject,
    frame: f32,
    /// World space.
    point: Vec3,
}

/// Drags the keys of the motion paths that are shown.
#[derive(Default)]
pub struct DragPaths {
    /// The key under the pointer.
    hovered: Option<PathKey>,
}

/// Returns the key of a path whose mark is nearest to a pixel and can be dragged.
fn key_at(context: &Context, pixel: Vec2) -> Option<PathKey> {
    if context.view.settings.tab != Tab::Animate {
        return None;
    }
    let current = context.view.session.frame();
    let mut nearest: Option<(f32, PathKey)> = None;
    for path in context.paths.paths() {
        if matches!(path.subject, PathSubject::Transform(_)) || path.is_stationary() {
            continue;
        }
        for &frame in path.keys.iter().filter(|frame| **frame != current) {
            let Some(point) = path.position_at(frame) else { continue };
            let Some(shown) = context.viewport.project(point) else { continue };
            let distance = shown.pixel.distance(pixel);
            if distance <= KEY_PX && nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, PathKey { subject: path.subject.clone(), frame, point }));
            }
        }
    }
    nearest.map(|(_, key)| key)
}

impl Tool for DragPaths {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        if press.button != Button::Primary {
            return None;
        }
        let PathKey { subject, frame, point } = key_at(context, press.pixel)?;
        let pull = PathPull::new(context.view, &subject, frame, with_body(context, press))?;
        let subject = Subject::Path(Box::new(PathPoint { pull, origin: point }));
        let drag = MoveDrag::new(context, subject, Constraint::View, press.pixel)?;
        Grab::new(drag.with_shift(press.modifiers.fine), Click::Through)
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let mut shape = GizmoShape::default();
        if let Some(key) = &self.hovered {
            shape.disc(KEY, key.point, KEY_PX, context.viewport);
        }
        shape
    }

    fn hover(&mut self, context: &Context, pointer: Option<Vec2>, _: Modifiers) {
        self.hovered = pointer.and_then(|pixel| key_at(context, pixel));
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        "Drag to move this point of the path by keys at its frame, with Shift the whole body · Ctrl snaps"
            .into()
    }

    fn label(&self) -> Option<String> {
        self.hovered.as_ref().map(|key| format!("Frame {}", key.frame))
    }

    fn cursor(&self) -> Cursor {
        Cursor::Grab
    }
}
