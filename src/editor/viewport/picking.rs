//! What is under the pointer, by Bevy's own `bevy_picking`: a backend that reports the hits of
//! [`crate::edit::pick`] on the posed, skinned scene, and the hovered target read back from its hover map.
//!
//! The pointer is the panels' pointer: it counts only where the viewport widget is on top.

use super::cameras::SceneCamera;
use super::divide::point_at;
use super::state::ViewportState;
use crate::edit::pick::{Pickable, pick};
use crate::edit::view::ViewSettings;
use crate::editor::projection::Pick;
use crate::editor::state::{Seen, Shown};
use bevy::camera::RenderTarget;
use bevy::input::InputSystems;
use bevy::picking::PickingSettings;
use bevy::picking::PickingSystems;
use bevy::picking::backend::{HitData, PointerHits};
use bevy::picking::hover::HoverMap;
use bevy::picking::input::PointerInputSettings;
use bevy::picking::pointer::{Location, PointerAction, PointerId, PointerInput, PointerLocation};
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_egui::{EguiContext, EguiInput, EguiPreUpdateSet, PrimaryEguiContext, egui};

pub fn plugin(app: &mut App) {
    app.insert_resource(PickingSettings {
        is_window_picking_enabled: false,
        ..default()
    })
    // The panels own the pointer; see `follow_pointer`.
    .insert_resource(PointerInputSettings {
        is_mouse_enabled: false,
        is_touch_enabled: false,
    })
    .add_systems(
        PreUpdate,
        (
            follow_pointer
                .after(InputSystems)
                .after(EguiPreUpdateSet::ProcessInput)
                .before(PickingSystems::ProcessInput),
            hits.in_set(PickingSystems::Backend),
            hovered.after(PickingSystems::Hover),
        ),
    );
}

/// Moves the picking pointer to where egui's pointer is.
pub fn follow_pointer(
    mut inputs: Query<(&EguiInput, &mut EguiContext), With<PrimaryEguiContext>>,
    camera: Single<&RenderTarget, With<SceneCamera>>,
    window: Query<Entity, With<PrimaryWindow>>,
    mut viewport: ResMut<ViewportState>,
    mut shown: ResMut<Shown>,
    mut pointer: MessageWriter<PointerInput>,
) {
    let Ok((input, mut context)) = inputs.single_mut() else {
        return;
    };
    // What was begun on one side of the Compare view goes on there.
    let mut down = context.get_mut().input(|input| input.pointer.any_down());
    for event in &input.events {
        match event {
            egui::Event::PointerMoved(at) => {
                viewport.pointer = Some(*at);
                if !down {
                    point_at(*at, &mut viewport, &mut shown);
                }
            }
            egui::Event::PointerButton {
                pos, pressed: true, ..
            } if !down => {
                down = true;
                point_at(*pos, &mut viewport, &mut shown);
            }
            egui::Event::PointerGone => viewport.pointer = None,
            _ => {}
        }
    }
    // Asked again, not taken from the last frame: on a slow machine the pointer may come and press in one.
    let on_viewport = |at: egui::Pos2| {
        let top = context.get_mut().layer_id_at(at);
        viewport.covers(at) && top.is_none_or(|layer| layer.order == egui::Order::Background)
    };
    let hovered = viewport.pointer.is_some_and(on_viewport);
    viewport.hovered = hovered;
    let Some(target) = camera.normalize(window.single().ok()) else {
        return;
    };
    let Some(at) = viewport.pointer else { return };
    let location = Location {
        target,
        position: Vec2::new(at.x, at.y),
    };
    pointer.write(PointerInput::new(
        PointerId::Mouse,
        location,
        PointerAction::Move { delta: Vec2::ZERO },
    ));
}

/// What is under the pointer matters to nobody while a tool holds it, or while frames are played.
fn is_asked(viewport: &ViewportState, settings: &ViewSettings) -> bool {
    viewport.hovered && viewport.tool.held_button().is_none() && !settings.playback.is_playing()
}

/// The backend: hits of the pointer on what the viewport shows, best first.
fn hits(
    pointers: Query<(&PointerId, &PointerLocation)>,
    camera: Single<(Entity, &Camera), With<SceneCamera>>,
    picks: Query<(Entity, &Pick)>,
    seen: Seen,
    viewport: Res<ViewportState>,
    mut output: MessageWriter<PointerHits>,
) {
    let (camera_entity, camera) = *camera;
    for (&id, location) in &pointers {
        let Some(location) = &location.location else {
            continue;
        };
        if id != PointerId::Mouse || !is_asked(&viewport, &seen.settings) {
            continue;
        }
        let pixel = location.position - viewport.origin();
        let found = pick(&Pickable::from_view(&seen.view()), &viewport.view(), pixel);
        // Ranks instead of distances: the order of `pick` is more than depth.
        let hits = found.iter().enumerate().filter_map(|(rank, hit)| {
            let (entity, _) = picks.iter().find(|(_, pick)| pick.0 == hit.target)?;
            Some((entity, HitData::new(camera_entity, rank as f32, None, None)))
        });
        output.write(PointerHits::new(id, hits.collect(), camera.order as f32));
    }
}

/// Reads the hover map back: the best hit is what the pointer is on.
fn hovered(hover: Res<HoverMap>, picks: Query<&Pick>, mut viewport: ResMut<ViewportState>) {
    let best = hover.get(&PointerId::Mouse).and_then(|hits| {
        let on = hits
            .iter()
            .filter_map(|(entity, hit)| Some((picks.get(*entity).ok()?, hit.depth)));
        on.min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(pick, _)| pick.0.clone())
    });
    let held = viewport.tool.held_button().is_some();
    let best = best.filter(|_| viewport.hovered);
    if viewport.over != best && !held {
        viewport.over = best;
    }
}
