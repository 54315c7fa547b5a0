//! The two groups of lines, drawn over the scene and within it.

use crate::editor::projection::layers::{OVERLAY_LAYER, SCENE_LAYER};
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;

/// Lines over everything: gizmo, axes, handles.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct OverlayLines;

/// Lines in the scene, hidden by what is in front of them: cameras, lights.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct SceneLines;

pub fn plugin(app: &mut App) {
    let lines = |layer, width| GizmoConfig {
        render_layers: RenderLayers::layer(layer),
        line: GizmoLineConfig { width, ..default() },
        depth_bias: if layer == OVERLAY_LAYER { -1.0 } else { 0.0 },
        ..default()
    };
    app.insert_gizmo_config(OverlayLines, lines(OVERLAY_LAYER, 2.5))
        .insert_gizmo_config(SceneLines, lines(SCENE_LAYER, 1.5));
}
