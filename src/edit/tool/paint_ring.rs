//! The cursor of a brush: rings on the skin, around what a stroke that begins there touches.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Role};
use crate::edit::active_rig::ActiveRig;
use crate::edit::paint::{Easel, Shown};
use crate::edit::view::View;
use crate::math::camera::Viewport;
use crate::rig::weights::paint::rim::Piece;
use crate::rig::weights::paint::{Brush, Contact, Mode, Reach, Rim, Stroke};
use glam::{Vec2, Vec3};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// There is room for so many pieces of a ring from the start.
const PIECES: usize = 1 << 12;

/// Of the radius where the brush is whole, the radius of the inner ring.
const INNER: f32 = 0.9;

/// Where the pointer is on the skin.
#[derive(Clone)]
pub(super) struct Over {
    pub(super) at: Vec2,
    pub(super) contact: Contact,
    pub(super) shown: Shown,
}

/// The rings of a brush, which strokes hand on to each other: its radius, and inside of it its strength.
#[derive(Clone)]
pub(super) struct Ring(Arc<Mutex<Rings>>);

struct Rings {
    rim: Rim,
    contacts: Vec<Contact>,
    pieces: [Vec<Piece>; 2],
    /// What they were made of: where the brush is, with what reach, radius and strength.
    made_of: (Vec<Contact>, Reach, [f32; 2]),
    /// The brush also paints what faces away.
    is_all_around: bool,
}

impl Ring {
    pub(super) fn new(easel: &Easel) -> Self {
        Self(Arc::new(Mutex::new(Rings {
            rim: Rim::new(&easel.surface, &easel.canvas),
            contacts: Vec::with_capacity(64),
            pieces: [Vec::with_capacity(PIECES), Vec::with_capacity(PIECES)],
            made_of: (Vec::with_capacity(64), Reach::Surface, [f32::NAN; 2]),
            is_all_around: false,
        })))
    }

    fn rings(&self) -> MutexGuard<'_, Rings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds out where the brush would reach from there. `pressure`: of the pen, from 0 to 1. `size`: of the surface.
    pub(super) fn follow(
        &self,
        over: &Over,
        viewport: &Viewport,
        brush: &Brush,
        (size, pressure): (f32, f32),
    ) {
        let rings = &mut *self.rings();
        let is_through = brush.reach == Reach::Through;
        rings.is_all_around = is_through || brush.mode == Mode::Gradient;
        match is_through {
            true => {
                let ray = viewport.ray(over.at);
                over.shown.target().cast(&ray, true, &mut rings.contacts);
            }
            false => {
                rings.contacts.clear();
                rings.contacts.push(over.contact);
            }
        }
        let numbers = distances(brush, size, pressure);
        let (contacts, reach, before) = &mut rings.made_of;
        if (&*contacts, *reach, *before) == (&rings.contacts, brush.reach, numbers) {
            return;
        }
        contacts.clone_from(&rings.contacts);
        (*reach, *before) = (brush.reach, numbers);
        rings.rim.touch(&rings.contacts, brush.reach, numbers[0]);
        for (pieces, distance) in rings.pieces.iter_mut().zip(numbers) {
            pieces.clear();
            if distance > 0.0 {
                rings.rim.lines(distance, pieces);
            }
        }
    }

    /// As [`Self::follow`], where a stroke has just made a dab, which knows how far it reaches.
    pub(super) fn follow_dab(&self, stroke: &Stroke, (size, pressure): (f32, f32)) {
        let rings = &mut *self.rings();
        let numbers = distances(stroke.brush(), size, pressure);
        // Nothing that could come again.
        rings.made_of.2 = [f32::NAN; 2];
        for (pieces, distance) in rings.pieces.iter_mut().zip(numbers) {
            pieces.clear();
            if distance > 0.0 {
                rings.rim.lines_of_dab(stroke, distance, pieces);
            }
        }
    }

    /// What [`Self::follow`] found last, on the skin as it is shown, in the world; with what faces away only if that is
    /// painted too.
    pub(super) fn shape_into(&self, over: &Over, viewport: &Viewport, shape: &mut GizmoShape) {
        const PARTS: [(GizmoPart, GizmoStyle); 2] = [
            (GizmoPart::new(0, Role::View, 0.0), GizmoStyle::Mark),
            (GizmoPart::new(1, Role::Snap, 0.0), GizmoStyle::Guide),
        ];
        let rings = self.rings();
        let (positions, world) = (&over.shown.posed.positions, over.shown.world_from_mesh);
        let mesh_from_world = world.inverse();
        let (eye, back) = (
            mesh_from_world.transform_point3(viewport.camera.eye()),
            mesh_from_world.transform_vector3(viewport.camera.axes()[2]),
        );
        let faces = |contact: &Contact| {
            let [a, b, c] = contact.triangle.map(|vertex| positions[vertex as usize]);
            let towards = if viewport.camera.orthographic {
                back
            } else {
                eye - a
            };
            (b - a).cross(c - a).dot(towards) >= 0.0
        };
        shape.faces.clear();
        for (index, ((part, style), pieces)) in PARTS.into_iter().zip(&rings.pieces).enumerate() {
            let points = shape.pieces_at(index, part, style);
            points.reserve(2 * PIECES);
            for piece in pieces {
                if rings.is_all_around || faces(&piece[0]) {
                    let place = |end: &Contact| -> Vec3 { world.transform_point3(end.place(positions)) };
                    points.extend(piece.iter().map(place));
                }
            }
        }
    }
}

/// How far both rings are from where the brush is.
fn distances(brush: &Brush, size: f32, pressure: f32) -> [f32; 2] {
    let smaller = if brush.pressure_radius { pressure } else { 1.0 };
    let radius = brush.radius * size * smaller.clamp(0.0, 1.0);
    [radius, radius * brush.strength * INNER]
}

/// The character as the viewport shows it.
pub(super) fn shown(view: &View, mesh: &str) -> Option<Shown> {
    let stage = ActiveRig::from_view(view)?;
    if stage.mesh != mesh {
        return None;
    }
    Shown::new(view.evaluated, mesh, stage.world_from_skeleton)
}
