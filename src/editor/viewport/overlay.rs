//! Bones, joints, handles, base point and gizmo, drawn over the scene.
//!
//! Coloured lines at the head of the active bone are its local axes. Green balls are handles, cubes pinned handles, violet balls poles. Yellow diamonds are joints outside the body.

use super::bone_materials::{Highlight, Highlights, Palette, create_palette, recolor_palette};
use super::bones;
use super::handle_lines;
use super::light_camera_icons;
use super::lines::{self, OverlayLines};
use super::state::ViewportState;
use super::tools;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::{BASE_BALL_PX, HANDLE_BALL_PX, POLE_BALL_PX, PickTarget};
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::{Tab, View};
use crate::edit::settings::view_colors::ViewColors;
use crate::edit::tool::gizmo::{END_ON, dashes};
use crate::editor::frame::FrameStep;
use crate::editor::projection::Pick;
use crate::editor::projection::layers::{OVERLAY_LAYER, color};
use crate::editor::projection::studio::StudioMaterial;
use crate::editor::state::{Redraw, ViewParams};
use crate::editor::ui::theme;
use crate::math::camera::Viewport;
use crate::rig::kinematics::{self, parent_of};
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use std::collections::HashMap;

pub fn plugin(app: &mut App) {
    app.add_plugins((lines::plugin, bones::plugin))
        .init_resource::<light_camera_icons::ActiveCamera>()
        .add_systems(Startup, create_palette)
        .add_systems(Update, recolor_palette.in_set(FrameStep::Upload))
        .add_systems(
            Update,
            (update_balls.run_if(balls_changed), draw_lines, light_camera_icons::draw)
                .in_set(FrameStep::Overlay),
        );
}

/// The state of the view that balls depend on: the viewport, which determines their size, and the highlighted
/// target.
type InView = (Viewport, Option<PickTarget>);

fn balls_changed(params: ViewParams, viewport: Res<ViewportState>, mut last: Local<Option<InView>>) -> bool {
    let current = (viewport.view(), viewport.highlighted().cloned());
    last.replace(current) != *last || params.is_changed()
}

/// Draws the shapes of the tools.
pub fn tool_plugin(app: &mut App) {
    app.add_systems(Update, tools::draw_shapes.in_set(FrameStep::Overlay));
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ball {
    /// The index of the handle, and whether it is pinned.
    Handle(usize, bool),
    Pole(usize),
    Base,
}

/// The center, radius and material of each ball, in world space.
type Balls = HashMap<Ball, (Vec3, f32, Handle<StudioMaterial>)>;

fn update_balls(
    mut commands: Commands,
    mut entities: Local<HashMap<Ball, Entity>>,
    palette: Res<Palette>,
    params: ViewParams,
    viewport: Res<ViewportState>,
    mut redraw: ResMut<Redraw>,
) {
    let view = params.view();
    if view.settings.display.show_names {
        // The panels, which draw the names, have not seen the new view yet.
        redraw.request();
    }
    let mut balls = Balls::new();
    if let Some(rig) = ActiveRig::from_view(&view) {
        let highlights = Highlights::new(&view, &rig, &viewport);
        let rig = ShownRig { rig: &rig, viewport: &viewport, palette: &palette, highlights };
        if view.settings.display.show_bones {
            rig.add_base(&mut balls, view.session.selection());
        }
        if view.settings.display.show_handles {
            rig.add_handles(&mut balls);
        }
    }
    show_balls(&mut commands, &mut entities, balls, &palette);
}

/// The active skeleton as it is drawn.
struct ShownRig<'a> {
    rig: &'a ActiveRig<'a>,
    viewport: &'a ViewportState,
    palette: &'a Palette,
    highlights: Highlights<'a>,
}

impl ShownRig<'_> {
    /// Adds targets and poles.
    fn add_handles(&self, balls: &mut Balls) {
        let (rig, viewport, palette) = (self.rig, self.viewport, self.palette);
        for (i, handle) in rig.skeleton.handles.iter().enumerate() {
            let target = rig.handle_target(i).unwrap_or_default();
            let material = match self.highlights.of_part(Part::Handle(i)) {
                Highlight::Plain if !handle.enabled => palette.handle_off.clone(),
                highlight => palette.handle[&highlight].clone(),
            };
            let size = viewport.world_per_pixel(target) * HANDLE_BALL_PX;
            balls.insert(Ball::Handle(i, handle.pinned), (target, size, material));
            if let Some(pole) = rig.pole(i) {
                let size = viewport.world_per_pixel(pole) * POLE_BALL_PX;
                let material = palette.pole[&self.highlights.of_part(Part::Pole(i))].clone();
                balls.insert(Ball::Pole(i), (pole, size, material));
            }
        }
    }

    /// Adds the base if there are bones or it is selected.
    fn add_base(&self, balls: &mut Balls, selection: &Selection) {
        let is_selected = selection.part == Some(Part::Base);
        if !self.rig.skeleton.bones.is_empty() || is_selected {
            let base = self.rig.base();
            let size = self.viewport.world_per_pixel(base) * BASE_BALL_PX;
            let material = self.palette.base[&self.highlights.of_part(Part::Base)].clone();
            balls.insert(Ball::Base, (base, size, material));
        }
    }
}

/// Moves existing balls, spawns new ones and despawns removed ones.
fn show_balls(
    commands: &mut Commands,
    entities: &mut HashMap<Ball, Entity>,
    balls: Balls,
    palette: &Palette,
) {
    entities.retain(|ball, entity| {
        let exists = balls.contains_key(ball);
        if !exists {
            commands.entity(*entity).despawn();
        }
        exists
    });
    for (ball, (center, size, material)) in balls {
        let mesh = match ball {
            Ball::Handle(_, true) => &palette.pin,
            _ => &palette.ball,
        };
        let entity = *entities.entry(ball).or_insert_with(|| {
            let target = match ball {
                Ball::Handle(i, _) => PickTarget::Handle(i),
                Ball::Pole(i) => PickTarget::Pole(i),
                Ball::Base => PickTarget::Base,
            };
            commands.spawn((Mesh3d(mesh.clone()), NoFrustumCulling, Pick(target))).id()
        });
        commands.entity(entity).insert((
            Transform::from_translation(center).with_scale(Vec3::splat(size)),
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material),
            RenderLayers::layer(OVERLAY_LAYER),
        ));
    }
}

/// The length of the local axes of the active bone, as a part of the bone's length.
const AXIS_PART: f32 = 0.3;
/// Their least and greatest lengths, in pixels.
const AXIS_PX: [f32; 2] = [4.0, 32.0];
/// Their length in the Rig tab, in pixels, and the least length of a bone for that.
const LABELLED_AXIS_PX: f32 = 64.0;
const LEAST_LABELLED_PX: f32 = 40.0;

/// The distance from the middle to the corners of the mark of a joint outside the body, in pixels.
const DIAMOND_PX: f32 = 10.0;

/// Marks a joint outside the body by a diamond that faces the viewer.
fn draw_diamond(lines: &mut Gizmos<OverlayLines>, center: Vec3, viewport: &Viewport) {
    let [right, up, _] = viewport.camera.axes();
    let size = DIAMOND_PX * viewport.world_per_pixel(center);
    let corners = [right, up, -right, -up, right].map(|direction| center + direction * size);
    lines.linestrip(corners, color(theme::viewport::WARNING));
}

/// Draws the letter of axis 0, 1 or 2, facing the viewer.
fn draw_letter(lines: &mut Gizmos<OverlayLines>, axis: usize, center: Vec3, viewport: &Viewport, hue: Color) {
    let strokes: &[&[[f32; 2]]] = match axis {
        0 => &[&[[-1.0, 1.0], [1.0, -1.0]], &[[-1.0, -1.0], [1.0, 1.0]]],
        1 => &[&[[-1.0, 1.0], [0.0, -0.3]], &[[1.0, 1.0], [-0.7, -1.8]]],
        _ => &[&[[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]],
    };
    let [right, up, _] = viewport.camera.axes();
    let size = 4.4 * viewport.world_per_pixel(center);
    for stroke in strokes {
        let points = stroke.iter().map(|[x, y]| center + (right * *x + up * *y) * size);
        lines.linestrip(points, hue);
    }
}

fn draw_lines(params: ViewParams, viewport: Res<ViewportState>, mut lines: Gizmos<OverlayLines>) {
    let view = params.view();
    if let Some(shown) = ActiveRig::from_view(&view) {
        draw_skeleton_lines(&view, &shown, &viewport, &mut lines);
        if params.settings.display.show_bones && shown.tab == Tab::Rig {
            for joint in params.shown.outside_joints.iter() {
                let point = shown.world_from_skeleton.transform_point3(joint.position);
                draw_diamond(&mut lines, point, &viewport.view());
            }
        }
    }
}

fn draw_skeleton_lines(
    view: &View,
    shown: &ActiveRig,
    state: &ViewportState,
    lines: &mut Gizmos<OverlayLines>,
) {
    let settings = view.settings;
    let selection = view.session.selection();
    if settings.display.show_bones {
        for i in drawn_links(shown) {
            if let (Some(start), Some(tip)) = (shown.bone_start(i), shown.bone_tip(i)) {
                for [from, to] in dashes(&state.view(), start, tip) {
                    lines.line(from, to, color(theme::viewport::BONE));
                }
            }
        }
    }
    // Those of all selected bones would hide what they belong to.
    if settings.display.show_bones
        && settings.display.show_axes
        && let Some(Part::Bone(bone)) = selection.part
    {
        let labelled = shown.tab == Tab::Rig && !state.tool.is_chosen();
        draw_axes(shown, bone, labelled, (state, &settings.options.view_colors()), lines);
    }
    if settings.display.show_handles {
        handle_lines::draw(shown, selection, state, lines);
    }
}

/// Returns the links that lead to bones that are drawn, in descending order.
fn drawn_links(shown: &ActiveRig) -> impl Iterator<Item = usize> {
    let bones = &shown.skeleton.bones;
    let mut leads: Vec<bool> = (0..bones.len()).map(|bone| shown.is_drawn(bone)).collect();
    let mut links = Vec::new();
    for (index, bone) in bones.iter().enumerate().rev() {
        if !leads[index] {
            continue;
        }
        if bone.link {
            links.push(index);
        }
        if let Some(parent) = parent_of(shown.skeleton, index).filter(|parent| bones[*parent].link) {
            leads[parent] = true;
        }
    }
    links.into_iter()
}

/// Draws the local axes of a bone, long and with letters if they are `labelled`.
fn draw_axes(
    shown: &ActiveRig,
    bone: usize,
    labelled: bool,
    (state, colors): (&ViewportState, &ViewColors),
    lines: &mut Gizmos<OverlayLines>,
) {
    let bones = &shown.skeleton.bones;
    let Some((bone, matrix)) = bones.get(bone).zip(shown.skeleton_from_bone.get(bone)) else {
        return;
    };
    let viewport = state.view();
    let start = shown.world_from_skeleton.transform_point3(matrix.translation.as_vec3());
    let pixel = state.world_per_pixel(start) / shown.scale().max(1e-9);
    // Long ones would hide a bone that is shorter.
    let labelled = labelled && bone.extent.length() >= LEAST_LABELLED_PX * pixel;
    let length = if labelled {
        LABELLED_AXIS_PX * pixel
    } else {
        (AXIS_PART * bone.extent.length()).clamp(AXIS_PX[0] * pixel, AXIS_PX[1] * pixel)
    };
    for (k, axis) in kinematics::rotation_axes(bone).into_iter().enumerate() {
        let end = (matrix.translation + matrix.matrix3 * axis * f64::from(length)).as_vec3();
        let end = shown.world_from_skeleton.transform_point3(end);
        let along = (end - start).normalize_or_zero();
        if labelled && along.dot(viewport.towards_camera(start)).abs() > END_ON {
            continue;
        }
        let hue = color(theme::viewport::mark(theme::AXES[k], colors));
        lines.line(start, end, hue);
        if labelled {
            draw_letter(lines, k, end + (end - start) * 0.16, &viewport, hue);
        }
    }
}
