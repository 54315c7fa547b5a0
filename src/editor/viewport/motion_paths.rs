//! Motion paths in the viewport: a line per path, a dot per frame, a diamond per key, and the current
//! position.

use super::state::ViewportState;
use crate::edit::settings::view::Tab;
use crate::edit::time::motion_paths::{MotionPaths, Path};
use crate::editor::frame::FrameStep;
use crate::editor::projection::layers::{OVERLAY_LAYER, color};
use crate::editor::state::{Document, Redraw, ViewParams};
use crate::editor::ui::theme;
use crate::math::camera::Viewport;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use std::time::{Duration, Instant};

/// The time that a frame of the window may spend on computing paths, so that drags stay smooth.
const TIME_BUDGET: Duration = Duration::from_millis(6);

/// Diameters in pixels, which are the widths of the lines that draw the marks.
const DOT_PX: f32 = 3.0;
const KEY_PX: f32 = 6.0;
const CURRENT_PX: f32 = 9.0;
/// The least distance between marks, in their diameters; marks that are closer would merge, and are left out.
const SPACING: f32 = 1.25;

/// The motion paths of the selection, in the Animate tab.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Paths(pub MotionPaths);

#[derive(Default, Reflect, GizmoConfigGroup)]
struct PathLines;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct FrameDots;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct KeyDots;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct CurrentDots;

pub fn plugin(app: &mut App) {
    // The depth biases determine which marks are drawn over which.
    let group = |width, depth_bias| GizmoConfig {
        render_layers: RenderLayers::layer(OVERLAY_LAYER),
        line: GizmoLineConfig { width, ..default() },
        depth_bias,
        ..default()
    };
    app.insert_gizmo_config(PathLines, group(1.6, -0.96))
        .insert_gizmo_config(FrameDots, group(DOT_PX, -0.97))
        .insert_gizmo_config(KeyDots, group(KEY_PX, -0.98))
        .insert_gizmo_config(CurrentDots, group(CURRENT_PX, -0.99))
        .init_resource::<Paths>()
        .add_systems(Update, (update, draw).chain().in_set(FrameStep::Overlay));
}

fn update(params: ViewParams, mut paths: ResMut<Paths>, mut redraw: ResMut<Redraw>) {
    if !(params.settings.display.motion_paths && params.settings.tab == Tab::Animate) {
        paths.clear();
        return;
    }
    let ik = params.shown.settings(&params.session, &params.settings).ik;
    let start = Instant::now();
    let changed = paths.update(&params.view(), ik, || start.elapsed() < TIME_BUDGET);
    if changed || paths.is_in_progress() {
        redraw.request();
    }
}

fn draw(
    session: Res<Document>,
    viewport: Res<ViewportState>,
    paths: Res<Paths>,
    mut lines: Gizmos<PathLines>,
    mut dots: Gizmos<FrameDots>,
    mut keys: Gizmos<KeyDots>,
    mut current: Gizmos<CurrentDots>,
) {
    let viewport = viewport.view();
    let frame = session.frame();
    let [before, after] = [theme::viewport::PATH_BEFORE, theme::viewport::PATH_AFTER].map(color);
    let hue = |mark: f32| if mark < frame { before } else { after };
    for path in paths.paths().filter(|path| !path.is_stationary()) {
        let frame_of = |index: usize| (path.first as usize + index) as f32;
        for (index, pair) in path.points.windows(2).enumerate() {
            if let [Some(a), Some(b)] = *pair {
                lines.line(a, b, hue(frame_of(index)));
            }
        }
        let frames = (0..path.points.len()).map(frame_of);
        for (frame, point) in spaced_marks(&path, frames, DOT_PX, &viewport) {
            square(&mut dots, point, DOT_PX, &viewport, hue(frame));
        }
        for (_, point) in spaced_marks(&path, path.keys.iter().copied(), KEY_PX, &viewport) {
            diamond(&mut keys, point, KEY_PX, &viewport, color(theme::viewport::PATH_KEY));
        }
        if let Some(point) = path.position_at(frame) {
            square(&mut current, point, CURRENT_PX, &viewport, color(theme::viewport::SELECTED));
        }
    }
}

/// Returns the frames and positions of marks of size `px`, without those too close to the previous one.
fn spaced_marks(
    path: &Path,
    frames: impl Iterator<Item = f32>,
    px: f32,
    viewport: &Viewport,
) -> Vec<(f32, Vec3)> {
    let mut last: Option<Vec2> = None;
    let mut chosen = Vec::new();
    for frame in frames {
        let point = path.position_at(frame);
        let Some((point, projected)) = point.and_then(|point| Some((point, viewport.project(point)?))) else {
            continue;
        };
        if last.is_none_or(|last| last.distance(projected.pixel) >= SPACING * px) {
            last = Some(projected.pixel);
            chosen.push((frame, point));
        }
    }
    chosen
}

/// Draws a line as long as it is wide.
fn square<G: GizmoConfigGroup>(dots: &mut Gizmos<G>, center: Vec3, px: f32, viewport: &Viewport, hue: Color) {
    let [right, _, _] = viewport.camera.axes();
    mark(dots, center, right, px, viewport, hue);
}

fn diamond<G: GizmoConfigGroup>(
    dots: &mut Gizmos<G>,
    center: Vec3,
    px: f32,
    viewport: &Viewport,
    hue: Color,
) {
    let [right, up, _] = viewport.camera.axes();
    mark(dots, center, (right + up).normalize_or(right), px, viewport, hue);
}

fn mark<G: GizmoConfigGroup>(
    dots: &mut Gizmos<G>,
    center: Vec3,
    along: Vec3,
    px: f32,
    viewport: &Viewport,
    hue: Color,
) {
    let half = along * (0.5 * px * viewport.world_per_pixel(center));
    dots.line(center - half, center + half, hue);
}
