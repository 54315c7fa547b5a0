//! Motion paths in the viewport: a line per path, a dot per frame, a diamond per key, and where it is now.

use super::state::ViewportState;
use crate::edit::motion_paths::{MotionPaths, Path};
use crate::edit::view::Tab;
use crate::editor::frame::FrameStep;
use crate::editor::projection::layers::{OVERLAY_LAYER, color};
use crate::editor::state::{Document, Redraw, Seen};
use crate::editor::ui::theme;
use crate::math::camera::Viewport;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use std::time::{Duration, Instant};

/// How long a frame of the window may go on working paths out: a drag must not stick.
const SLICE: Duration = Duration::from_millis(6);

/// Diameters in pixels, which are the widths of the lines that they are drawn with.
const DOT_PX: f32 = 3.0;
const KEY_PX: f32 = 6.0;
const NOW_PX: f32 = 9.0;
/// Marks nearer than this many of their diameters to the one before run together, and are left out.
const APART: f32 = 1.25;

/// Where the selection goes, in the Animate tab.
#[derive(Resource, Default, Deref, DerefMut)]
pub struct Paths(pub MotionPaths);

#[derive(Default, Reflect, GizmoConfigGroup)]
struct PathLines;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct FrameDots;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct KeyDots;

#[derive(Default, Reflect, GizmoConfigGroup)]
struct NowDots;

pub fn plugin(app: &mut App) {
    // What is drawn over what.
    let group = |width, depth_bias| GizmoConfig {
        render_layers: RenderLayers::layer(OVERLAY_LAYER),
        line: GizmoLineConfig { width, ..default() },
        depth_bias,
        ..default()
    };
    app.insert_gizmo_config(PathLines, group(1.6, -0.96))
        .insert_gizmo_config(FrameDots, group(DOT_PX, -0.97))
        .insert_gizmo_config(KeyDots, group(KEY_PX, -0.98))
        .insert_gizmo_config(NowDots, group(NOW_PX, -0.99))
        .init_resource::<Paths>()
        .add_systems(Update, (update, draw).chain().in_set(FrameStep::Overlay));
}

fn update(seen: Seen, mut paths: ResMut<Paths>, mut redraw: ResMut<Redraw>) {
    if !(seen.settings.motion_paths && seen.settings.tab == Tab::Animate) {
        paths.clear();
        return;
    }
    let ik = seen.shown.settings(&seen.session, &seen.settings).ik;
    let begun = Instant::now();
    let changed = paths.update(&seen.view(), ik, || begun.elapsed() < SLICE);
    if changed || paths.is_underway() {
        redraw.soon();
    }
}

fn draw(
    session: Res<Document>,
    viewport: Res<ViewportState>,
    paths: Res<Paths>,
    mut lines: Gizmos<PathLines>,
    mut dots: Gizmos<FrameDots>,
    mut keys: Gizmos<KeyDots>,
    mut now: Gizmos<NowDots>,
) {
    let viewport = viewport.view();
    let frame = session.frame();
    let [before, after] = [theme::viewport::PATH_BEFORE, theme::viewport::PATH_AFTER].map(color);
    let hue = |at: f32| if at < frame { before } else { after };
    for path in paths.paths().filter(|path| !path.is_still()) {
        let at = |index: usize| (path.first as usize + index) as f32;
        for (index, pair) in path.points.windows(2).enumerate() {
            if let [Some(a), Some(b)] = *pair {
                lines.line(a, b, hue(at(index)));
            }
        }
        let frames = (0..path.points.len()).map(at);
        for (frame, point) in spread(&path, frames, DOT_PX, &viewport) {
            square(&mut dots, point, DOT_PX, &viewport, hue(frame));
        }
        for (_, point) in spread(&path, path.keys.iter().copied(), KEY_PX, &viewport) {
            diamond(
                &mut keys,
                point,
                KEY_PX,
                &viewport,
                color(theme::viewport::PATH_KEY),
            );
        }
        if let Some(point) = path.at(frame) {
            square(
                &mut now,
                point,
                NOW_PX,
                &viewport,
                color(theme::viewport::SELECTED),
            );
        }
    }
}

/// Which of these frames get a mark of `px`, and where.
fn spread(path: &Path, frames: impl Iterator<Item = f32>, px: f32, viewport: &Viewport) -> Vec<(f32, Vec3)> {
    let mut last: Option<Vec2> = None;
    let mut chosen = Vec::new();
    for frame in frames {
        let point = path.at(frame);
        let Some((point, shown)) = point.and_then(|point| Some((point, viewport.project(point)?))) else {
            continue;
        };
        if last.is_none_or(|last| last.distance(shown.pixel) >= APART * px) {
            last = Some(shown.pixel);
            chosen.push((frame, point));
        }
    }
    chosen
}

/// A line as long as it is wide.
fn square<G: GizmoConfigGroup>(dots: &mut Gizmos<G>, at: Vec3, px: f32, viewport: &Viewport, hue: Color) {
    let [right, _, _] = viewport.camera.axes();
    mark(dots, at, right, px, viewport, hue);
}

fn diamond<G: GizmoConfigGroup>(dots: &mut Gizmos<G>, at: Vec3, px: f32, viewport: &Viewport, hue: Color) {
    let [right, up, _] = viewport.camera.axes();
    mark(dots, at, (right + up).normalize_or(right), px, viewport, hue);
}

fn mark<G: GizmoConfigGroup>(
    dots: &mut Gizmos<G>,
    at: Vec3,
    along: Vec3,
    px: f32,
    viewport: &Viewport,
    hue: Color,
) {
    let half = along * (0.5 * px * viewport.world_per_pixel(at));
    dots.line(at - half, at + half, hue);
}
