//! Motion paths in the viewport: a line per path, a dot per frame, a diamond per key, and where it is now.

use super::stage::{OVERLAY_LAYER, color};
use super::ui::theme;
use super::{Editor, FrameStep};
use crate::edit::motion_paths::Path;
use crate::edit::view::{Tab, View};
use crate::math::camera::Viewport;
use bevy::camera::visibility::RenderLayers;
use bevy::prelude::*;
use std::time::{Duration, Instant};

/// How long a frame of the window may go on working paths out: a drag must not stick.
const SLICE: Duration = Duration::from_millis(6);

/// Diameters in pixels, which are the widths of the lines that they are drawn with.
const DOT_PX: f32 = 4.0;
const KEY_PX: f32 = 8.0;
const NOW_PX: f32 = 11.0;
/// Dots nearer than this to each other are a line, and left out.
const APART_PX: f32 = 5.0;

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
        .add_systems(Update, (update, draw).chain().in_set(FrameStep::Overlay));
}

fn update(mut editor: ResMut<Editor>) {
    let editor = editor.as_mut();
    if !(editor.settings.motion_paths && editor.settings.tab == Tab::Animate) {
        editor.paths.clear();
        return;
    }
    let ik = editor.evaluation().ik;
    let view = View {
        session: &editor.session,
        evaluated: &editor.evaluated,
        settings: &editor.settings,
    };
    let begun = Instant::now();
    let changed = editor.paths.update(&view, ik, || begun.elapsed() < SLICE);
    if changed || editor.paths.is_underway() {
        editor.draw_soon();
    }
}

fn draw(
    editor: Res<Editor>,
    mut lines: Gizmos<PathLines>,
    mut dots: Gizmos<FrameDots>,
    mut keys: Gizmos<KeyDots>,
    mut now: Gizmos<NowDots>,
) {
    let viewport = editor.viewport.view();
    let frame = editor.session.frame();
    let [before, after] = [theme::viewport::PATH_BEFORE, theme::viewport::PATH_AFTER].map(color);
    let hue = |at: f32| if at < frame { before } else { after };
    for path in editor.paths.paths().filter(|path| !path.is_still()) {
        let at = |index: usize| (path.first as usize + index) as f32;
        for (index, pair) in path.points.windows(2).enumerate() {
            if let [Some(a), Some(b)] = *pair {
                lines.line(a, b, hue(at(index)));
            }
        }
        for index in spread(&path, &viewport) {
            if let Some(point) = path.points[index] {
                square(&mut dots, point, DOT_PX, &viewport, hue(at(index)));
            }
        }
        for &key in path.keys {
            if let Some(point) = path.at(key) {
                diamond(
                    &mut keys,
                    point,
                    KEY_PX,
                    &viewport,
                    color(theme::viewport::PATH_KEY),
                );
            }
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

/// Which frames get a dot: all, but for those that would run together.
fn spread(path: &Path, viewport: &Viewport) -> Vec<usize> {
    let mut last: Option<Vec2> = None;
    let mut chosen = Vec::new();
    for (index, point) in path.points.iter().enumerate() {
        let Some(shown) = point.and_then(|point| viewport.project(point)) else {
            continue;
        };
        if last.is_none_or(|last| last.distance(shown.pixel) >= APART_PX) {
            last = Some(shown.pixel);
            chosen.push(index);
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
