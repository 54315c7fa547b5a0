//! Picking by Bevy's own `bevy_picking`: a backend that reports the hits of [`crate::edit::select::pick`] on the
//! posed, skinned scene, and the hovered target, read back from its hover map.
//!
//! The pointer is the panels' pointer: it counts only where the viewport widget is on top.

use super::cameras::SceneCamera;
use super::divide::set_pointed_side;
use super::state::ViewportState;
use crate::edit::select::pick::{Pickable, pick};
use crate::edit::settings::view::ViewSettings;
use crate::editor::projection::Pick;
use crate::editor::state::{Shown, ViewParams};
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
    app.insert_resource(PickingSettings { is_window_picking_enabled: false, ..default() })
        // The panels own the pointer; see `follow_pointer`.
        .insert_resource(PointerInputSettings { is_mouse_enabled: false, is_touch_enabled: false })
        .add_systems(
            PreUpdate,
            (
                follow_pointer
                    .after(InputSystems)
                    .after(EguiPreUpdateSet::ProcessInput)
                    .before(PickingSystems::ProcessInput),
                report_hits.in_set(PickingSystems::Backend),
                update_hovered.after(PickingSystems::Hover),
            ),
        );
}

/// Moves the picking pointer to egui's pointer.
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
    // A drag that began on one side of the Compare view continues there.
    let mut down = context.get_mut().input(|input| input.pointer.any_down());
    for event in &input.events {
        match event {
            egui::Event::PointerMoved(position) => {
                viewport.pointer = Some(*position);
                if !down {
                    set_pointed_side(*position, &mut viewport, &mut shown);
                }
            }
            egui::Event::PointerButton { pos, pressed: true, .. } if !down => {
                down = true;
                set_pointed_side(*pos, &mut viewport, &mut shown);
            }
            egui::Event::PointerGone => viewport.pointer = None,
            _ => {}
        }
    }
    // Computed again instead of taken from the last frame: on a slow machine the pointer may arrive and press
    // in the same frame.
    let on_viewport = |point: egui::Pos2| {
        let top = context.get_mut().layer_id_at(point);
        viewport.covers(point) && top.is_none_or(|layer| layer.order == egui::Order::Background)
    };
    let hovered = viewport.pointer.is_some_and(on_viewport);
    viewport.hovered = hovered;
    let Some(target) = camera.normalize(window.single().ok()) else {
        return;
    };
    let Some(pointer_position) = viewport.pointer else {
        return;
    };
    let location = Location { target, position: Vec2::new(pointer_position.x, pointer_position.y) };
    pointer.write(PointerInput::new(PointerId::Mouse, location, PointerAction::Move { delta: Vec2::ZERO }));
}

/// Whether hits are needed: not during a drag of a tool, nor during playback.
fn needs_hits(viewport: &ViewportState, settings: &ViewSettings) -> bool {
    viewport.hovered && viewport.tool.drag_button().is_none() && !settings.playback.is_playing()
}

/// The picking backend: reports the hits of the pointer on what the viewport shows, best first.
fn report_hits(
    pointers: Query<(&PointerId, &PointerLocation)>,
    camera: Single<(Entity, &Camera), With<SceneCamera>>,
    picks: Query<(Entity, &Pick)>,
    params: ViewParams,
    viewport: Res<ViewportState>,
    mut output: MessageWriter<PointerHits>,
) {
    let (camera_entity, camera) = *camera;
    for (&id, location) in &pointers {
        let Some(location) = &location.location else {
            continue;
        };
        if id != PointerId::Mouse || !needs_hits(&viewport, &params.settings) {
            continue;
        }
        let pixel = location.position - viewport.origin();
        let found = pick(&Pickable::from_view(&params.view()), &viewport.view(), pixel);
        // Ranks instead of distances: the order of `pick` is more than depth.
        let hits = found.iter().enumerate().filter_map(|(rank, hit)| {
            let (entity, _) = picks.iter().find(|(_, pick)| pick.0 == hit.target)?;
            Some((entity, HitData::new(camera_entity, rank as f32, None, None)))
        });
        output.write(PointerHits::new(id, hits.collect(), camera.order as f32));
    }
}

/// Reads the best hit back from the hover map.
fn update_hovered(hover: Res<HoverMap>, picks: Query<&Pick>, mut viewport: ResMut<ViewportState>) {
    let best = hover.get(&PointerId::Mouse).and_then(|hits| {
        let picked = hits.iter().filter_map(|(entity, hit)| Some((picks.get(*entity).ok()?, hit.depth)));
        picked.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(pick, _)| pick.0.clone())
    });
    let dragging = viewport.tool.drag_button().is_some();
    let best = best.filter(|_| viewport.hovered);
    if viewport.hovered_target != best && !dragging {
        viewport.hovered_target = best;
    }
}
