//! The two groups of lines that are drawn over the scene and within it.

use crate::editor::projection::layers::{OVERLAY_LAYER, SCENE_LAYER, color};
use crate::editor::ui::theme;
use crate::math::camera::Viewport;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;

/// Lines over everything: gizmo, axes, handles.
#[derive(Default, Reflect, GizmoConfigGroup)]
pub struct OverLines;

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
    app.insert_gizmo_config(OverLines, lines(OVERLAY_LAYER, 2.5))
        .insert_gizmo_config(SceneLines, lines(SCENE_LAYER, 1.5));
}

/// Length of a dash and of the gap behind it, in pixels.
const DASH_PX: f32 = 5.0;
/// Of one line, at most.
const MOST_DASHES: f32 = 200.0;

/// A dashed line, for links.
pub fn dashes(viewport: &Viewport, start: Vec3, tip: Vec3, lines: &mut Gizmos<OverLines>) {
    let pixel = viewport.world_per_pixel(start.midpoint(tip));
    let count = (start.distance(tip) / (2.0 * DASH_PX * pixel))
        .clamp(1.0, MOST_DASHES)
        .ceil();
    for dash in 0..count as usize {
        let [from, to] = [0.0, 0.5].map(|part| start.lerp(tip, (dash as f32 + part) / count));
        lines.line(from, to, color(theme::viewport::BONE));
    }
}
