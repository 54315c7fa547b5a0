//! The bounds of parts of the scene, for framing them.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::View;
use crate::editor::projection::draw_list::{Item, ItemId, items};
use crate::editor::state::Caches;
use crate::math::bounds::Bounds;
use crate::scene::instance::InstanceKind;
use glam::Vec3;

/// The least size that is framed of selected vertices, as a fraction of the size of everything: an upper arm, so that it can be
/// seen where they are.
const AROUND_VERTICES: f32 = 0.2;

/// Returns the bounds of everything that the open tab shows, in world space.
pub fn scene_bounds(view: &View, caches: &mut Caches) -> Bounds {
    let mut bounds = surface_bounds(view, caches);
    if let Some(stage) = ActiveRig::from_view(view) {
        for bone in 0..stage.skeleton.bones.len() {
            bounds = bounds.union(stage.bounds_of(Part::Bone(bone)));
        }
    }
    bounds
}

/// Returns the bounds of the surfaces that the open tab shows, in world space.
pub fn surface_bounds(view: &View, caches: &mut Caches) -> Bounds {
    let bounds = |item: Item| item.surface.bounds().transformed(&item.world_from_local);
    items(view, caches)
        .into_iter()
        .filter(|item| item.is_first)
        .map(bounds)
        .fold(Bounds::EMPTY, Bounds::union)
}

/// Returns the bounds of the selection, in world space; empty if nothing is selected.
pub fn selection_bounds(view: &View, caches: &mut Caches) -> Bounds {
    let selection = view.session.selection();
    if !selection.vertices.is_empty()
        && let Some(stage) = ActiveRig::from_view(view)
        && let Some(posed) = view.evaluated.shown_skin(stage.mesh)
    {
        let bounds = stage.bounds_of_vertices(&posed.positions, &selection.vertices);
        // A vertex has no size: the skin around it is shown too.
        let least = AROUND_VERTICES * surface_bounds(view, caches).diagonal();
        let around = Bounds::from_sphere(bounds.center(), 0.5 * least);
        return if bounds.diagonal() < least { bounds.union(around) } else { bounds };
    }
    if selection.part.is_some() {
        let bounds = |stage: ActiveRig| {
            let parts = selection.parts().map(|part| stage.bounds_of(part));
            parts.fold(Bounds::EMPTY, Bounds::union)
        };
        return ActiveRig::from_view(view).map_or(Bounds::EMPTY, bounds);
    }
    let Some(instance) = &selection.instance else {
        return Bounds::EMPTY;
    };
    let mut bounds = Bounds::EMPTY;
    for item in items(view, caches).into_iter().filter(|item| item.is_first) {
        if item.selected || item.id == ItemId::Instance(instance.clone()) {
            bounds = bounds.union(item.surface.bounds().transformed(&item.world_from_local));
        }
    }
    if bounds.is_empty() && instance.kind != InstanceKind::SkinnedMesh {
        let transform = view.evaluated.scene.instances.get(instance).and_then(|placed| placed.transform);
        let origin = view.evaluated.world(transform).transform_point3(Vec3::ZERO);
        bounds = Bounds::from_sphere(origin, 1.0);
    }
    bounds
}
