//! Bones, joints, handles, base point and gizmo, drawn over the scene.
//!
//! Capsules show the radius of bones, small balls their tips, sticks at a bone's start its local axes. Green
//! balls are handles, cubes pinned handles, violet balls poles. Yellow diamonds are joints outside the body.

use super::bone_materials::{Highlight, Palette, create_palette};
use super::handle_lines;
use super::light_camera_icons;
use super::lines::{self, OverlayLines};
use super::state::ViewportState;
use super::tools;
use crate::edit::active_rig::ActiveRig;
use crate::edit::pick::{BASE_BALL_PX, HANDLE_BALL_PX, POLE_BALL_PX, PickTarget};
use crate::edit::selection::{Part, Selection};
use crate::edit::tool::SkinDisplay;
use crate::edit::tool::gizmo::{END_ON, dashes};
use crate::edit::view::{BoneLook, Tab, View};
use crate::editor::frame::FrameStep;
use crate::editor::projection::Pick;
use crate::editor::projection::layers::{OVERLAY_LAYER, SCENE_LAYER, color};
use crate::editor::projection::studio::StudioMaterial;
use crate::editor::state::ViewParams;
use crate::editor::ui::theme;
use crate::editor::viewport::capsules::{Capsule, Capsules};
use crate::math::camera::Viewport;
use crate::rig::ik::chain::remaining_chain;
use crate::rig::kinematics;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use glam::DAffine3;
use std::collections::HashMap;

pub fn plugin(app: &mut App) {
    app.add_plugins(lines::plugin)
        .init_resource::<Parts>()
        .init_resource::<light_camera_icons::ActiveCamera>()
        .add_systems(Startup, create_palette)
        .add_systems(
            Update,
            (
                update_parts.run_if(parts_changed),
                draw_lines,
                light_camera_icons::draw,
            )
                .in_set(FrameStep::Overlay),
        );
}

/// The state of the view that bones and balls depend on: the viewport, which determines their size, and the
/// highlighted target.
type InView = (Viewport, Option<PickTarget>);

fn parts_changed(params: ViewParams, viewport: Res<ViewportState>, mut last: Local<Option<InView>>) -> bool {
    let current = (viewport.view(), viewport.highlighted().cloned());
    let changed = last.as_ref() != Some(&current);
    *last = Some(current);
    changed || params.is_changed()
}

/// Draws the shapes of the tools.
pub fn tool_plugin(app: &mut App) {
    app.add_systems(Update, tools::draw_shapes.in_set(FrameStep::Overlay));
}

/// The bones that are shown as capsules.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ShownCapsules {
    All,
    /// Only the bone under the pointer.
    Hovered,
    /// The bone under the pointer and the selected bones.
    HoveredAndSelected,
    None,
}

impl ShownCapsules {
    fn from_view(view: &View, radius_counts: bool) -> Self {
        let settings = view.settings;
        // Capsules would hide the colours in the weights view, and the shape of compared skins.
        let must_not_hide = settings.weights_view || view.evaluated.compare.is_some();
        match settings.bone_look {
            BoneLook::Capsules if must_not_hide => Self::Hovered,
            BoneLook::Automatic if view.evaluated.compare.is_some() => Self::Hovered,
            BoneLook::Automatic if settings.weights_view => Self::HoveredAndSelected,
            _ if settings.shown_bone_look(radius_counts) == BoneLook::Capsules => Self::All,
            BoneLook::Automatic => Self::HoveredAndSelected,
            _ => Self::None,
        }
    }

    fn contains(self, highlight: Highlight) -> bool {
        match self {
            Self::All => true,
            Self::Hovered => highlight == Highlight::Hovered,
            Self::HoveredAndSelected => matches!(
                highlight,
                Highlight::Hovered | Highlight::Selected | Highlight::AlsoSelected
            ),
            Self::None => false,
        }
    }
}

/// The entities of the skeleton's parts.
#[derive(Resource, Default)]
struct Parts {
    capsules: Capsules,
    balls: HashMap<Ball, Entity>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ball {
    Tip(usize),
    Joint(usize),
    /// The index of the handle, and whether it is pinned.
    Handle(usize, bool),
    Pole(usize),
    Base,
}

/// The center, radius and material of each ball, in world space.
type Balls = HashMap<Ball, (Vec3, f32, Handle<StudioMaterial>)>;

fn update_parts(
    mut commands: Commands,
    mut shown_parts: ResMut<Parts>,
    palette: Res<Palette>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StudioMaterial>>,
    params: ViewParams,
    viewport: Res<ViewportState>,
) {
    let view = params.view();
    let (mut capsules, mut balls) = (Vec::new(), Balls::new());
    if let Some(rig) = ActiveRig::from_view(&view) {
        let rig = ShownRig::new(&view, &rig, &viewport, &palette);
        if view.settings.show_bones {
            capsules = rig.capsules();
            rig.add_bone_balls(&mut balls);
            rig.add_base(&mut balls);
        }
        if view.settings.show_handles {
            rig.add_handles(&mut balls);
        }
    }
    shown_parts
        .capsules
        .show(&mut commands, &mut meshes, &mut materials, &palette, &capsules);
    show_balls(&mut commands, &mut shown_parts.balls, balls, &palette);
}

/// The active skeleton as it is drawn.
struct ShownRig<'a> {
    view: &'a View<'a>,
    rig: &'a ActiveRig<'a>,
    viewport: &'a ViewportState,
    palette: &'a Palette,
    /// The part under the pointer.
    hovered: Option<Part>,
    /// Whether a selected handle rotates each bone.
    chain: Vec<bool>,
}

impl<'a> ShownRig<'a> {
    fn new(
        view: &'a View<'a>,
        rig: &'a ActiveRig<'a>,
        viewport: &'a ViewportState,
        palette: &'a Palette,
    ) -> Self {
        let hovered = viewport.highlighted().and_then(PickTarget::part);
        let chain = selected_chains(rig, view.session.selection());
        Self {
            view,
            rig,
            viewport,
            palette,
            hovered,
            chain,
        }
    }

    fn highlight(&self, part: Part) -> Highlight {
        let selection = self.view.session.selection();
        match part {
            part if selection.part == Some(part) => Highlight::Selected,
            part if selection.is_selected(part) => Highlight::AlsoSelected,
            part if self.hovered == Some(part) => Highlight::Hovered,
            Part::Bone(bone) if self.chain.get(bone) == Some(&true) => Highlight::Chain,
            _ => Highlight::Plain,
        }
    }

    /// Returns the capsule of each bone, `None` for bones that are not shown as one.
    fn capsules(&self) -> Vec<Option<Capsule>> {
        let shown = match self.viewport.tool.display().skin {
            SkinDisplay::Unchanged => ShownCapsules::from_view(self.view, self.rig.radius_counts),
            // Capsules would hide the skin.
            SkinDisplay::Weights | SkinDisplay::Vertices => ShownCapsules::None,
        };
        let layer = if self.view.settings.xray {
            OVERLAY_LAYER
        } else {
            SCENE_LAYER
        };
        let capsule = |(i, skeleton_from_bone): (usize, &DAffine3)| {
            let (bone, highlight) = (&self.rig.skeleton.bones[i], self.highlight(Part::Bone(i)));
            let along = Quat::from_rotation_arc(Vec3::Y, bone.extent.normalize_or(Vec3::Y));
            let local = Mat4::from_rotation_translation(along, bone.extent * 0.5);
            let skeleton_from_bone = Mat4::from(skeleton_from_bone.as_affine3a());
            (!bone.link && shown.contains(highlight)).then(|| Capsule {
                highlight,
                radius: bone.radius.max(1e-4),
                length: bone.extent.length(),
                world_from_capsule: self.rig.world_from_skeleton * skeleton_from_bone * local,
                layer: RenderLayers::layer(layer),
            })
        };
        let bones = self.rig.skeleton_from_bone.iter().enumerate();
        bones.map(capsule).collect()
    }

    /// Adds tips, and joints if bones are shown as spheres.
    fn add_bone_balls(&self, balls: &mut Balls) {
        let (rig, viewport) = (self.rig, self.viewport);
        let bone_look = self.view.settings.shown_bone_look(rig.radius_counts);
        for i in 0..rig.skeleton_from_bone.len() {
            let bone = &rig.skeleton.bones[i];
            if bone.link {
                continue;
            }
            let material = &self.palette.joint[&self.highlight(Part::Bone(i))];
            let tip = rig.bone_tip(i).unwrap_or_default();
            let size = (0.14 * bone.radius).clamp(viewport.world_per_pixel(tip) * 2.5, f32::INFINITY);
            let size = size.min(viewport.world_per_pixel(tip) * 7.0);
            balls.insert(Ball::Tip(i), (tip, size, material.clone()));
            if bone_look == BoneLook::Spheres {
                let joint = rig.bone_start(i).unwrap_or_default();
                let pixel = viewport.world_per_pixel(joint);
                let size = (JOINT_PART * bone.radius * rig.scale()).clamp(4.5 * pixel, 9.0 * pixel);
                balls.insert(Ball::Joint(i), (joint, size, material.clone()));
            }
        }
    }

    /// Adds targets and poles.
    fn add_handles(&self, balls: &mut Balls) {
        let (rig, viewport, palette) = (self.rig, self.viewport, self.palette);
        for (i, handle) in rig.skeleton.handles.iter().enumerate() {
            let target = rig.handle_target(i).unwrap_or_default();
            let material = match self.highlight(Part::Handle(i)) {
                Highlight::Plain if !handle.enabled => palette.handle_off.clone(),
                highlight => palette.handle[&highlight].clone(),
            };
            let size = viewport.world_per_pixel(target) * HANDLE_BALL_PX;
            balls.insert(Ball::Handle(i, handle.pinned), (target, size, material));
            if let Some(pole) = rig.pole(i) {
                let size = viewport.world_per_pixel(pole) * POLE_BALL_PX;
                let material = palette.pole[&self.highlight(Part::Pole(i))].clone();
                balls.insert(Ball::Pole(i), (pole, size, material));
            }
        }
    }

    /// Adds the base if there are bones or it is selected.
    fn add_base(&self, balls: &mut Balls) {
        let is_selected = self.view.session.selection().part == Some(Part::Base);
        if !self.rig.skeleton.bones.is_empty() || is_selected {
            let base = self.rig.base();
            let size = self.viewport.world_per_pixel(base) * BASE_BALL_PX;
            let material = self.palette.base[&self.highlight(Part::Base)].clone();
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
    let mesh = match balls.len() > MANY {
        true => &palette.plain_ball,
        false => &palette.ball,
    };
    for (ball, (center, size, material)) in balls {
        let mesh = match ball {
            Ball::Handle(_, true) => &palette.pin,
            _ => mesh,
        };
        let entity = *entities.entry(ball).or_insert_with(|| {
            let target = match ball {
                Ball::Tip(i) => PickTarget::Tip(i),
                Ball::Joint(i) => PickTarget::Bone(i),
                Ball::Handle(i, _) => PickTarget::Handle(i),
                Ball::Pole(i) => PickTarget::Pole(i),
                Ball::Base => PickTarget::Base,
            };
            commands
                .spawn((Mesh3d(mesh.clone()), NoFrustumCulling, Pick(target)))
                .id()
        });
        commands.entity(entity).insert((
            Transform::from_translation(center).with_scale(Vec3::splat(size)),
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material),
            RenderLayers::layer(OVERLAY_LAYER),
        ));
    }
}

/// More balls than this are drawn plainer.
const MANY: usize = 2000;
/// The radius of the sphere at a joint as part of its bone's radius.
const JOINT_PART: f32 = 0.3;
/// The least and largest length of the axes at joints if bones are shown as frames, in pixels.
const FRAME_PX: [f32; 2] = [14.0, 56.0];
/// The length of these axes as part of the bone's length.
const FRAME_PART: f32 = 0.35;

/// The length of the local axes of the active bone, in pixels.
const LABELLED_AXIS_PX: f32 = 64.0;

/// The distance from the middle to the corners of the mark of a joint outside the body, in pixels.
const DIAMOND_PX: f32 = 10.0;

/// Marks a joint outside the body by a diamond that faces the viewer.
fn draw_diamond(lines: &mut Gizmos<OverlayLines>, center: Vec3, viewport: &Viewport) {
    let [right, up, _] = viewport.camera.axes();
    let size = DIAMOND_PX * viewport.world_per_pixel(center);
    let corners = [right, up, -right, -up, right].map(|direction| center + direction * size);
    lines.linestrip(corners, color(theme::WARNING));
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
        if params.settings.show_bones && shown.tab == Tab::Rig {
            for joint in params.shown.outside_joints.iter() {
                let point = shown.world_from_skeleton.transform_point3(joint.position);
                draw_diamond(&mut lines, point, &viewport.view());
            }
        }
    }
}

/// Returns for each bone whether a selected handle rotates it.
fn selected_chains(shown: &ActiveRig, selection: &Selection) -> Vec<bool> {
    let handles = selection.handles().into_iter();
    let selected = handles.filter_map(|handle| shown.skeleton.handles.get(handle));
    remaining_chain(shown.skeleton, selected)
        .into_iter()
        .map(|left| left > 0)
        .collect()
}

fn draw_skeleton_lines(
    view: &View,
    shown: &ActiveRig,
    state: &ViewportState,
    lines: &mut Gizmos<OverlayLines>,
) {
    let settings = view.settings;
    let selection = view.session.selection();
    let selected = selection.part;
    let chain = selected_chains(shown, selection);
    if settings.show_bones {
        for i in 0..shown.skeleton.bones.len() {
            if let (Some(start), Some(tip)) = (shown.bone_start(i), shown.bone_tip(i)) {
                if shown.skeleton.bones[i].link {
                    for [from, to] in dashes(&state.view(), start, tip) {
                        lines.line(from, to, color(theme::viewport::BONE));
                    }
                    continue;
                }
                let hue = match Part::Bone(i) {
                    part if selected == Some(part) => theme::viewport::SELECTED,
                    part if selection.is_selected(part) => theme::viewport::ALSO_SELECTED,
                    _ if chain.get(i) == Some(&true) => theme::viewport::HANDLE,
                    _ => theme::viewport::BONE,
                };
                // Leaves room for the y axis of the active bone, which is drawn on its line.
                let labelled = settings.show_axes
                    && shown.tab == Tab::Rig
                    && selected == Some(Part::Bone(i))
                    && !state.tool.is_chosen();
                let stick = match labelled {
                    true => LABELLED_AXIS_PX * state.world_per_pixel(start),
                    false => 0.0,
                };
                let along = (tip - start).clamp_length_max(stick);
                lines.line(start + along, tip, color(hue));
            }
        }
    }
    let viewport = state.view();
    let frames = settings.shown_bone_look(shown.radius_counts) == BoneLook::Frames;
    if settings.show_bones && (settings.show_axes || frames) {
        let bones = shown.skeleton.bones.iter().enumerate();
        for (i, bone) in bones.filter(|(_, bone)| !bone.link) {
            let skeleton_from_bone = shown.skeleton_from_bone[i];
            let start = shown.bone_start(i).unwrap_or_default();
            let pixel = state.world_per_pixel(start) / shown.scale().max(1e-9);
            let active = selected == Some(Part::Bone(i)) && !state.tool.is_chosen();
            let labelled = active && shown.tab == Tab::Rig;
            let magnification = if active { 2.6 } else { 1.0 };
            let [least, most] = FRAME_PX.map(|px| px * pixel);
            let length = match labelled {
                true => LABELLED_AXIS_PX * pixel,
                false if frames => (FRAME_PART * bone.extent.length()).clamp(least, most),
                false => (0.5 * bone.radius).clamp(6.0 * pixel, 16.0 * pixel) * magnification,
            };
            for (k, axis) in kinematics::rotation_axes(bone).into_iter().enumerate() {
                let end = (skeleton_from_bone.translation
                    + skeleton_from_bone.matrix3 * axis * f64::from(length))
                .as_vec3();
                let end = shown.world_from_skeleton.transform_point3(end);
                let along = (end - start).normalize_or_zero();
                if labelled && along.dot(viewport.towards_camera(start)).abs() > END_ON {
                    continue;
                }
                let hue = color(theme::AXES[k]);
                lines.line(start, end, hue);
                if labelled {
                    draw_letter(lines, k, end + (end - start) * 0.16, &viewport, hue);
                }
            }
        }
    }
    if settings.show_handles {
        handle_lines::draw(shown, selection, state, lines);
    }
}
