//! A stroke of the brush, from the press to the release.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role};
use super::paint_ring::{Ring, SkinHit, displayed_skin};
use super::{Change, Context, Drag, DragInput};
use crate::edit::paint::{Painting, PullResult};
use crate::edit::request::Request;
use crate::math::camera::Viewport;
use crate::rig::weights::paint::Mode;
use glam::Vec2;

/// A skin that reaches less than this fraction of the pulled distance is reported.
const FAR_ENOUGH: f64 = 0.9;

pub(super) struct PaintDrag {
    mesh: String,
    painting: Painting,
    /// The frame that is painted on.
    frame: f32,
    ring: Ring,
    /// The size of the surface.
    size: f32,
    /// The revision of the painting at the last preview.
    revision: u64,
    hit: Option<SkinHit>,
    last_pixel: Option<Vec2>,
}

impl PaintDrag {
    pub(super) fn new(
        mesh: String,
        painting: Painting,
        frame: f32,
        (ring, size): (Ring, f32),
        hit: Option<SkinHit>,
    ) -> Self {
        Self { mesh, painting, frame, ring, size, revision: 0, hit, last_pixel: None }
    }

    /// Returns a message if a pull did not move the skin as far as requested.
    fn pull_message(&self) -> Option<String> {
        let PullResult { from, to, reached } = self.painting.pull_result()?;
        match reached {
            _ if from.distance(to) <= f32::EPSILON => None,
            None => Some("No bone moves the skin there in this pose: bend the joint first".into()),
            Some((_, part)) if part < FAR_ENOUGH => Some(format!(
                "The skin moved {:.0} % of the way: the bones here cannot move it further in this pose",
                100.0 * part.max(0.0)
            )),
            Some(_) => None,
        }
    }
}

impl Drag for PaintDrag {
    fn drag(&mut self, context: &Context, input: &DragInput) -> Change {
        let view = context.view;
        if view.session.frame() != self.frame
            && let Some(skin) = displayed_skin(view, &self.mesh)
        {
            self.frame = view.session.frame();
            self.painting.set_skin(skin);
        }
        let is_resting =
            input.path.iter().all(|sample| self.last_pixel.is_none_or(|pixel| pixel == sample.pixel));
        for sample in input.path {
            self.painting.extend(sample.pixel, sample.pressure);
        }
        if is_resting {
            self.painting.rest(input.ticks);
        }
        self.last_pixel = Some(input.pixel());
        self.hit = self.painting.contact(input.pixel()).map(|contact| SkinHit {
            pixel: input.pixel(),
            contact,
            skin: self.painting.skin().clone(),
        });
        if let Some(hit) = &self.hit {
            let pressure = input.path.last().map_or(1.0, |sample| sample.pressure);
            let brush = self.painting.brush();
            let size = (self.size, pressure);
            // A dab has searched the surface already.
            if brush.uses_dabs() && self.painting.revision() != self.revision {
                self.ring.update_from_dab(self.painting.stroke(), size)
            } else {
                self.ring.update(hit, context.viewport, brush, size)
            }
        }
        self.painting.update();
        if std::mem::replace(&mut self.revision, self.painting.revision()) == self.revision {
            return Change::NONE;
        }
        Change::Commands(self.painting.preview().into_iter().collect())
    }

    /// Applies the modes that take effect only at the end of the stroke.
    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        if self.painting.mode() != Mode::Heal {
            return Vec::new();
        }
        self.painting.finish();
        self.painting.command().map(|command| Request::Apply(vec![command])).into_iter().collect()
    }

    fn outcome(&self) -> Option<String> {
        let reason = self.painting.no_effect_reason().map(str::to_owned);
        reason.or_else(|| self.pull_message())
    }

    fn continues_at_rest(&self) -> bool {
        self.painting.sprays()
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn starts_at_press(&self) -> bool {
        true
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        const REQUESTED: GizmoPart = GizmoPart::new(2, Role::View, 0.0);
        const REACHED: GizmoPart = GizmoPart::new(3, Role::Snap, 0.0);
        let Some(hit) = &self.hit else {
            return GizmoShape::default();
        };
        let mut shape = self.ring.shape(hit, viewport);
        if let Some(PullResult { from, to, reached }) = self.painting.pull_result() {
            shape.line(REQUESTED, GizmoStyle::Guide, vec![from, to]);
            if let Some((position, _)) = reached {
                shape.line(REACHED, GizmoStyle::Mark, vec![from, position]);
            }
        }
        shape
    }

    fn hint(&self) -> String {
        let keys = "Release to keep · Esc or right click cancels";
        match self.pull_message() {
            Some(message) => format!("{message} · {keys}"),
            None => keys.into(),
        }
    }
}
