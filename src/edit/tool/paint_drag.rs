//! A stroke of the brush, from the press to the release.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role};
use super::paint_ring::{Over, Ring, shown};
use super::{Change, Context, Drag, DragInput};
use crate::edit::paint::{Painting, Pulled};
use crate::edit::request::Request;
use crate::math::camera::Viewport;
use crate::rig::weights::paint::Mode;
use glam::Vec2;

/// The skin that goes less than this part of the way is held back.
const FAR: f64 = 0.9;

pub(super) struct PaintDrag {
    mesh: String,
    painting: Painting,
    /// The one that is painted on.
    frame: f32,
    ring: Ring,
    /// Of the surface.
    size: f32,
    /// Points that were painted when it was shown last.
    painted: u64,
    over: Option<Over>,
    at: Option<Vec2>,
}

impl PaintDrag {
    pub(super) fn new(
        mesh: String,
        painting: Painting,
        frame: f32,
        (ring, size): (Ring, f32),
        over: Option<Over>,
    ) -> Self {
        Self {
            mesh,
            painting,
            frame,
            ring,
            size,
            painted: 0,
            over,
            at: None,
        }
    }

    /// What a brush that pulls says of how far the skin went.
    fn reached(&self) -> Option<String> {
        let Pulled { from, to, went } = self.painting.pulled()?;
        match went {
            _ if from.distance(to) <= f32::EPSILON => None,
            None => Some("No bone moves the skin there in this pose: bend the joint first".into()),
            Some((_, part)) if part < FAR => Some(format!(
                "The skin went {:.0} % of the way: the bones here reach no further in this pose",
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
            && let Some(shown) = shown(view, &self.mesh)
        {
            self.frame = view.session.frame();
            self.painting.show(shown);
        }
        let rests = input
            .path
            .iter()
            .all(|sample| self.at.is_none_or(|at| at == sample.at));
        for sample in input.path {
            self.painting.go(sample.at, sample.pressure);
        }
        if rests {
            self.painting.rest(input.ticks);
        }
        self.at = Some(input.at());
        self.over = self.painting.contact(input.at()).map(|contact| Over {
            at: input.at(),
            contact,
            shown: self.painting.shown().clone(),
        });
        if let Some(over) = &self.over {
            let pressure = input.path.last().map_or(1.0, |sample| sample.pressure);
            let brush = self.painting.brush();
            let size = (self.size, pressure);
            // A dab has searched the surface already.
            match brush.dabs() && self.painting.changes() != self.painted {
                true => self.ring.follow_dab(self.painting.stroke(), size),
                false => self.ring.follow(over, context.viewport, brush, size),
            }
        }
        self.painting.update();
        if std::mem::replace(&mut self.painted, self.painting.changes()) == self.painted {
            return Change::NONE;
        }
        self.painting.preview().map_or(Change::NONE, Change::Shared)
    }

    /// What is done once, at the end.
    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        if self.painting.mode() != Mode::Heal {
            return Vec::new();
        }
        self.painting.finish();
        self.painting
            .command()
            .map(|command| Request::Apply(vec![command]))
            .into_iter()
            .collect()
    }

    fn outcome(&self) -> Option<String> {
        let objection = self.painting.objection().map(str::to_owned);
        objection.or_else(|| self.reached())
    }

    fn goes_on_at_rest(&self) -> bool {
        self.painting.sprays()
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn starts_at_press(&self) -> bool {
        true
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        let mut shape = GizmoShape::default();
        self.shape_into(viewport, &mut shape);
        shape
    }

    fn shape_into(&self, viewport: &Viewport, shape: &mut GizmoShape) {
        const ASKED: GizmoPart = GizmoPart::new(2, Role::View, 0.0);
        const WENT: GizmoPart = GizmoPart::new(3, Role::Snap, 0.0);
        let Some(over) = &self.over else {
            return shape.clear();
        };
        self.ring.shape_into(over, viewport, shape);
        let mut lines = 0;
        if let Some(Pulled { from, to, went }) = self.painting.pulled() {
            shape.line_at(lines, ASKED, GizmoStyle::Guide).extend([from, to]);
            lines += 1;
            if let Some((there, _)) = went {
                shape.line_at(lines, WENT, GizmoStyle::Mark).extend([from, there]);
                lines += 1;
            }
        }
        shape.lines.truncate(lines);
    }

    fn hint(&self) -> String {
        let rest = "Release to keep · Esc or right click cancels";
        match self.reached() {
            Some(said) => format!("{said} · {rest}"),
            None => rest.into(),
        }
    }
}
