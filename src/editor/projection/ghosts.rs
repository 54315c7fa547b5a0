//! Onion skins as entities: the surfaces of ghosts, tinted and seen through, with a rim. They cannot be pointed at, and no
//! rendering to files has them.

use super::layers::{SCENE_LAYER, color};
use super::mesh;
use super::studio::StudioMaterial;
use crate::edit::onion::{Ghost, Onion};
use crate::editor::frame::FrameStep;
use crate::editor::state::{Redraw, Seen};
use crate::editor::ui::theme;
use crate::scene::evaluate::Posed;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a frame of the window may go on evaluating ghosts.
const SLICE: Duration = Duration::from_millis(4);

/// The onion skins of the window.
#[derive(Resource, Default)]
pub struct Ghosts {
    pub onion: Onion,
    shown: Vec<Shown>,
}

struct Shown {
    entity: Entity,
    mesh: Handle<Mesh>,
    material: Handle<StudioMaterial>,
    posed: Arc<Posed>,
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Ghosts>()
        .add_systems(Update, follow.in_set(FrameStep::Upload));
}

fn follow(
    mut commands: Commands,
    seen: Seen,
    mut ghosts: ResMut<Ghosts>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StudioMaterial>>,
    mut redraw: ResMut<Redraw>,
) {
    let is_underway = ghosts.onion.is_underway();
    if !seen.is_changed() && !is_underway {
        return;
    }
    let view = seen.view();
    let ghosts = &mut *ghosts;
    let ik = || seen.shown.settings(&seen.session, &seen.settings).ik;
    let begun = Instant::now();
    let (changed, wanted) = ghosts.onion.shown(&view, ik, || begun.elapsed() < SLICE);
    if changed || ghosts.onion.is_underway() {
        redraw.soon();
    }
    for gone in ghosts.shown.drain(wanted.len().min(ghosts.shown.len())..) {
        commands.entity(gone.entity).despawn();
    }
    let frame = view.session.frame();
    for (place, ghost) in wanted.into_iter().enumerate() {
        let material = material(&ghost, frame, view.settings.onion.opacity);
        match ghosts.shown.get_mut(place) {
            Some(shown) => {
                if !Arc::ptr_eq(&shown.posed, &ghost.posed) {
                    // The handle is ours, so the slot is there.
                    meshes.insert(&shown.mesh, mesh::posed_mesh(&ghost.posed)).ok();
                    shown.posed = ghost.posed.clone();
                }
                if let Some(mut old) = materials.get_mut(&shown.material) {
                    *old = material;
                }
            }
            None => {
                let (mesh, material) = (
                    meshes.add(mesh::posed_mesh(&ghost.posed)),
                    materials.add(material),
                );
                let drawn = (
                    Mesh3d(mesh.clone()),
                    MeshMaterial3d(material.clone()),
                    RenderLayers::layer(SCENE_LAYER),
                    NoFrustumCulling,
                );
                ghosts.shown.push(Shown {
                    entity: commands.spawn(drawn).id(),
                    mesh,
                    material,
                    posed: ghost.posed.clone(),
                });
            }
        }
        let transform = Transform::from_matrix(ghost.world_from_local);
        commands.entity(ghosts.shown[place].entity).insert(transform);
    }
}

fn material(ghost: &Ghost, frame: f32, opacity: f32) -> StudioMaterial {
    let hue = match ghost.frame < frame {
        true => theme::viewport::GHOST_BEFORE,
        false => theme::viewport::GHOST_BEHIND,
    };
    let opacity = (opacity * ghost.strength).clamp(0.0, 1.0);
    StudioMaterial {
        // Never quite opaque: what is opaque is drawn another way.
        color: color(hue).with_alpha(0.35 * opacity),
        outline: 0.65 * opacity,
        shine: 0.0,
        lit: 0.3,
        behind: true,
        ..default()
    }
}
