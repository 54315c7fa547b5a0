//! The cursor of a brush: rings on the skin that outline what a stroke starting there would touch.

use super::gizmo::{Element, GizmoPart, GizmoShape, GizmoStyle, Role};
use crate::edit::paint::{PaintCache, PosedSkin};
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::View;
use crate::math::camera::Viewport;
use crate::rig::weights::paint::rim::Piece;
use crate::rig::weights::paint::{Brush, Contact, Mode, Reach, Rim, Stroke};
use glam::Vec2;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The initial capacity of a ring, in pieces.
const PIECES: usize = 1 << 12;

/// The radius of the inner ring at full strength, as a fraction of the brush radius.
const INNER: f32 = 0.9;

/// The point of the skin under the pointer.
#[derive(Clone)]
pub(super) struct SkinHit {
    pub(super) pixel: Vec2,
    pub(super) contact: Contact,
    pub(super) skin: PosedSkin,
}

/// The rings of a brush, shared between the tool and its strokes: the outer one shows the radius, the inner
/// one the strength.
#[derive(Clone)]
pub(super) struct Ring(Arc<Mutex<Rings>>);

struct Rings {
    rim: Rim,
    contacts: Vec<Contact>,
    pieces: [Vec<Piece>; 2],
    /// The input that the pieces were computed from: the contacts, the reach, and the radii of the rings.
    input: (Vec<Contact>, Reach, [f32; 2]),
    /// Whether the brush also paints surfaces that face away.
    is_all_around: bool,
}

impl Ring {
    pub(super) fn new(cache: &PaintCache) -> Self {
        Self(Arc::new(Mutex::new(Rings {
            rim: Rim::new(&cache.surface, &cache.canvas),
            contacts: Vec::with_capacity(64),
            pieces: [Vec::with_capacity(PIECES), Vec::with_capacity(PIECES)],
            input: (Vec::with_capacity(64), Reach::Surface, [f32::NAN; 2]),
            is_all_around: false,
        })))
    }

    fn rings(&self) -> MutexGuard<'_, Rings> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Computes the reach of the brush at a point. `pressure` is that of the pen, from 0 to 1; `size` is that
    /// of the surface.
    pub(super) fn update(
        &self,
        hit: &SkinHit,
        viewport: &Viewport,
        brush: &Brush,
        (size, pressure): (f32, f32),
    ) {
        let rings = &mut *self.rings();
        let is_through = brush.reach == Reach::Through;
        rings.is_all_around = is_through || brush.mode == Mode::Gradient;
        if is_through {
            let ray = viewport.ray(hit.pixel);
            hit.skin.target().cast(&ray, true, &mut rings.contacts);
        } else {
            rings.contacts.clear();
            rings.contacts.push(hit.contact);
        }
        let radii = distances(brush, size, pressure);
        let (contacts, reach, before) = &mut rings.input;
        if (&*contacts, *reach, *before) == (&rings.contacts, brush.reach, radii) {
            return;
        }
        contacts.clone_from(&rings.contacts);
        (*reach, *before) = (brush.reach, radii);
        rings.rim.touch(&rings.contacts, brush.reach, radii[0]);
        for (pieces, distance) in rings.pieces.iter_mut().zip(radii) {
            pieces.clear();
            if distance > 0.0 {
                rings.rim.lines(distance, pieces);
            }
        }
    }

    /// Same as [`Self::update`], after a stroke has made a dab, which knows its reach.
    pub(super) fn update_from_dab(&self, stroke: &Stroke, (size, pressure): (f32, f32)) {
        let rings = &mut *self.rings();
        let radii = distances(stroke.brush(), size, pressure);
        // NaN never compares equal, so the next update recomputes the pieces.
        rings.input.2 = [f32::NAN; 2];
        for (pieces, distance) in rings.pieces.iter_mut().zip(radii) {
            pieces.clear();
            if distance > 0.0 {
                rings.rim.lines_of_dab(stroke, distance, pieces);
            }
        }
    }

    /// Places the pieces that [`Self::update`] found on the displayed skin, in world space. Surfaces that
    /// face away are included only if the brush paints them.
    pub(super) fn shape(&self, hit: &SkinHit, viewport: &Viewport) -> GizmoShape {
        const PARTS: [(GizmoPart, GizmoStyle); 2] = [
            (GizmoPart::new(0, Role::View, 0.0), GizmoStyle::Mark),
            (GizmoPart::new(1, Role::Snap, 0.0), GizmoStyle::Guide),
        ];
        let rings = self.rings();
        let (positions, world) = (&hit.skin.posed.positions, hit.skin.world_from_mesh);
        let mesh_from_world = world.inverse();
        let (eye, back) = (
            mesh_from_world.transform_point3(viewport.camera.eye()),
            mesh_from_world.transform_vector3(viewport.camera.axes()[2]),
        );
        let is_front_facing = |contact: &Contact| {
            let [a, b, c] = contact.triangle.map(|vertex| positions[vertex as usize]);
            let towards = if viewport.camera.orthographic { back } else { eye - a };
            (b - a).cross(c - a).dot(towards) >= 0.0
        };
        let mut shape = GizmoShape::default();
        for ((part, style), pieces) in PARTS.into_iter().zip(&rings.pieces) {
            let shown = pieces.iter().filter(|piece| rings.is_all_around || is_front_facing(&piece[0]));
            let ends = shown.flatten().map(|end| world.transform_point3(end.position(positions)));
            shape.pieces.push(Element { part, style, points: ends.collect() });
        }
        shape
    }
}

/// The radii of both rings.
fn distances(brush: &Brush, size: f32, pressure: f32) -> [f32; 2] {
    let smaller = if brush.pressure_radius { pressure } else { 1.0 };
    let radius = brush.radius * size * smaller.clamp(0.0, 1.0);
    [radius, radius * brush.strength * INNER]
}

/// Returns the skin as the viewport displays it.
pub(super) fn displayed_skin(view: &View, mesh: &str) -> Option<PosedSkin> {
    let rig = ActiveRig::from_view(view)?;
    if rig.mesh != mesh {
        return None;
    }
    PosedSkin::new(view.evaluated, mesh, rig.world_from_skeleton)
}
