//! Onion skins as entities: the surfaces of ghosts, tinted and translucent, with a rim. They cannot be
//! picked, and are not rendered to files.

use super::layers::SCENE_LAYER;
use super::mesh;
use super::studio::StudioMaterial;
use crate::edit::time::onion::settings::OnionSettings;
use crate::edit::time::onion::{Ghost, Onion};
use crate::editor::frame::FrameStep;
use crate::editor::state::{Redraw, ViewParams};
use crate::scene::evaluate::Posed;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time that a frame of the window may spend on evaluating ghosts.
const TIME_BUDGET: Duration = Duration::from_millis(4);

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
    indices: Option<Arc<Vec<u32>>>,
}

impl Shown {
    fn shows(&self, ghost: &Ghost) -> bool {
        let addresses = [&self.indices, &ghost.indices].map(|indices| indices.as_ref().map(Arc::as_ptr));
        Arc::ptr_eq(&self.posed, &ghost.posed) && addresses[0] == addresses[1]
    }
}

pub fn plugin(app: &mut App) {
    app.init_resource::<Ghosts>().add_systems(Update, follow.in_set(FrameStep::Upload));
}

fn follow(
    mut commands: Commands,
    params: ViewParams,
    mut ghosts: ResMut<Ghosts>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StudioMaterial>>,
    mut redraw: ResMut<Redraw>,
) {
    let is_underway = ghosts.onion.is_underway();
    if !params.is_changed() && !is_underway {
        return;
    }
    let view = params.view();
    let ghosts = &mut *ghosts;
    let ik = || params.shown.settings(&params.session, &params.settings).ik;
    let start = Instant::now();
    let (changed, wanted) = ghosts.onion.refresh(&view, ik, || start.elapsed() < TIME_BUDGET);
    if changed || ghosts.onion.is_underway() {
        redraw.request();
    }
    for removed in ghosts.shown.drain(wanted.len().min(ghosts.shown.len())..) {
        commands.entity(removed.entity).despawn();
    }
    for (index, ghost) in wanted.into_iter().enumerate() {
        let material = material(&ghost, &view.settings.display.onion);
        match ghosts.shown.get_mut(index) {
            Some(shown) => {
                if !shown.shows(&ghost) {
                    // Inserting cannot fail, since the handle keeps its slot alive.
                    meshes.insert(&shown.mesh, ghost_mesh(&ghost)).ok();
                    shown.posed = ghost.posed.clone();
                    shown.indices = ghost.indices.clone();
                }
                if let Some(mut old) = materials.get_mut(&shown.material) {
                    *old = material;
                }
            }
            None => {
                let (mesh, material) = (meshes.add(ghost_mesh(&ghost)), materials.add(material));
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
                    indices: ghost.indices.clone(),
                });
            }
        }
        let transform = Transform::from_matrix(ghost.world_from_local);
        commands.entity(ghosts.shown[index].entity).insert(transform);
    }
}

fn ghost_mesh(ghost: &Ghost) -> Mesh {
    mesh::posed_mesh(&ghost.posed, ghost.indices.as_deref())
}

fn material(ghost: &Ghost, settings: &OnionSettings) -> StudioMaterial {
    let [red, green, blue] = settings.color(ghost.side);
    let opacity = (settings.opacity * ghost.strength).clamp(0.0, 1.0);
    StudioMaterial {
        // Never quite opaque: opaque surfaces are drawn differently.
        color: Color::srgb_u8(red, green, blue).with_alpha(0.35 * opacity),
        outline: 0.65 * opacity,
        shine: 0.0,
        lit: 0.3,
        behind: true,
        ..default()
    }
}
