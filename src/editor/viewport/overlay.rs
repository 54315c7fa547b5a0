//! Bones, joints, handles, base point and gizmo, drawn over the scene.
//!
//! Capsules are bones at their radius; small balls are tips; sticks at a bone's start are its local
//! axes; green balls are handles, cubes those that are pinned, violet balls poles. Yellow diamonds are joints outside of the body.

use super::bone_materials::{Look, Palette, palette};
use super::handle_lines;
use super::light_camera_icons;
use super::lines::{self, OverLines};
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
use crate::editor::state::Seen;
use crate::editor::ui::theme;
use crate::editor::viewport::capsules::{Capsule, Capsules};
use crate::math::camera::Viewport;
use crate::rig::ik::chain::turned;
use crate::rig::kinematics;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::prelude::*;
use glam::DAffine3;
use std::collections::HashMap;

pub fn plugin(app: &mut App) {
    app.add_plugins(lines::plugin)
        .init_resource::<Parts>()
        .init_resource::<light_camera_icons::ActiveCamera>()
        .add_systems(Startup, palette)
        .add_systems(
            Update,
            (parts.run_if(parts_changed), lines_over, light_camera_icons::draw).in_set(FrameStep::Overlay),
        );
}

/// What bones and balls depend on beside the scene: their size on the screen, and what the pointer is on.
type InView = (Viewport, Option<PickTarget>);

fn parts_changed(seen: Seen, viewport: Res<ViewportState>, mut last: Local<Option<InView>>) -> bool {
    let now = (viewport.view(), viewport.lit().cloned());
    let moved = last.as_ref() != Some(&now);
    *last = Some(now);
    moved || seen.is_changed()
}

/// What the tools in hand draw.
pub fn tool_plugin(app: &mut App) {
    app.add_systems(Update, tools::lines.in_set(FrameStep::Overlay));
}

/// The bones whose radius is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ShownCapsules {
    All,
    /// The bone under the pointer.
    Hovered,
    /// That one and the selected ones.
    Chosen,
    None,
}

impl ShownCapsules {
    fn from_view(view: &View, radius_counts: bool) -> Self {
        let settings = view.settings;
        // In the weights view capsules would hide the colours, and where skins are compared their form.
        let form = settings.heat || view.evaluated.compare.is_some();
        match settings.bone_look {
            BoneLook::Capsules if form => Self::Hovered,
            BoneLook::Automatic if view.evaluated.compare.is_some() => Self::Hovered,
            BoneLook::Automatic if settings.heat => Self::Chosen,
            _ if settings.shown_bone_look(radius_counts) == BoneLook::Capsules => Self::All,
            BoneLook::Automatic => Self::Chosen,
            _ => Self::None,
        }
    }

    fn contains(self, look: Look) -> bool {
        match self {
            Self::All => true,
            Self::Hovered => look == Look::Hovered,
            Self::Chosen => matches!(look, Look::Hovered | Look::Selected | Look::Also),
            Self::None => false,
        }
    }
}

/// Entities of the skeleton's parts.
#[derive(Resource, Default)]
struct Parts {
    capsules: Capsules,
    balls: HashMap<Ball, Entity>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ball {
    Tip(usize),
    Joint(usize),
    /// And whether it is pinned.
    Handle(usize, bool),
    Pole(usize),
    Base,
}

/// Where a ball is, its radius and what it is drawn with.
type Balls = HashMap<Ball, (Vec3, f32, Handle<StudioMaterial>)>;

fn parts(
    mut commands: Commands,
    mut shown_parts: ResMut<Parts>,
    palette: Res<Palette>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StudioMaterial>>,
    seen: Seen,
    viewport: Res<ViewportState>,
) {
    let view = seen.view();
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

/// The skeleton that is worked on, as it is drawn.
struct ShownRig<'a> {
    view: &'a View<'a>,
    rig: &'a ActiveRig<'a>,
    viewport: &'a ViewportState,
    palette: &'a Palette,
    /// What the pointer is on.
    over: Option<Part>,
    /// For each bone: whether a selected handle turns it.
    chain: Vec<bool>,
}

impl<'a> ShownRig<'a> {
    fn new(
        view: &'a View<'a>,
        rig: &'a ActiveRig<'a>,
        viewport: &'a ViewportState,
        palette: &'a Palette,
    ) -> Self {
        let over = viewport.lit().and_then(PickTarget::part);
        let chain = selected_chains(rig, view.session.selection());
        Self {
            view,
            rig,
            viewport,
            palette,
            over,
            chain,
        }
    }

    fn look(&self, part: Part) -> Look {
        let selection = self.view.session.selection();
        match part {
            part if selection.part == Some(part) => Look::Selected,
            part if selection.is_selected(part) => Look::Also,
            part if self.over == Some(part) => Look::Hovered,
            Part::Bone(bone) if self.chain.get(bone) == Some(&true) => Look::Chain,
            _ => Look::Plain,
        }
    }

    /// Of each bone, or none.
    fn capsules(&self) -> Vec<Option<Capsule>> {
        let shown = match self.viewport.tool.display().skin {
            SkinDisplay::AsSet => ShownCapsules::from_view(self.view, self.rig.radius_counts),
            // They would hide it.
            SkinDisplay::Weights | SkinDisplay::Vertices => ShownCapsules::None,
        };
        let layer = if self.view.settings.xray {
            OVERLAY_LAYER
        } else {
            SCENE_LAYER
        };
        let capsule = |(i, skeleton_from_bone): (usize, &DAffine3)| {
            let (bone, look) = (&self.rig.skeleton.bones[i], self.look(Part::Bone(i)));
            let along = Quat::from_rotation_arc(Vec3::Y, bone.extent.normalize_or(Vec3::Y));
            let local = Mat4::from_rotation_translation(along, bone.extent * 0.5);
            let skeleton_from_bone = Mat4::from(skeleton_from_bone.as_affine3a());
            (!bone.link && shown.contains(look)).then(|| Capsule {
                look,
                radius: bone.radius.max(1e-4),
                length: bone.extent.length(),
                world_from_capsule: self.rig.world_from_skeleton * skeleton_from_bone * local,
                layer: RenderLayers::layer(layer),
            })
        };
        let bones = self.rig.skeleton_from_bone.iter().enumerate();
        bones.map(capsule).collect()
    }

    /// Tips, and joints where bones are shown as spheres.
    fn add_bone_balls(&self, balls: &mut Balls) {
        let (rig, viewport) = (self.rig, self.viewport);
        let bone_look = self.view.settings.shown_bone_look(rig.radius_counts);
        for i in 0..rig.skeleton_from_bone.len() {
            let bone = &rig.skeleton.bones[i];
            if bone.link {
                continue;
            }
            let material = &self.palette.joint[&self.look(Part::Bone(i))];
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

    /// Targets and poles.
    fn add_handles(&self, balls: &mut Balls) {
        let (rig, viewport, palette) = (self.rig, self.viewport, self.palette);
        for (i, handle) in rig.skeleton.handles.iter().enumerate() {
            let at = rig.handle_target(i).unwrap_or_default();
            let material = match self.look(Part::Handle(i)) {
                Look::Plain if !handle.enabled => palette.handle_off.clone(),
                look => palette.handle[&look].clone(),
            };
            let size = viewport.world_per_pixel(at) * HANDLE_BALL_PX;
            balls.insert(Ball::Handle(i, handle.pinned), (at, size, material));
            if let Some(at) = rig.pole(i) {
                let size = viewport.world_per_pixel(at) * POLE_BALL_PX;
                let material = palette.pole[&self.look(Part::Pole(i))].clone();
                balls.insert(Ball::Pole(i), (at, size, material));
            }
        }
    }

    /// Where there are bones, or it is selected.
    fn add_base(&self, balls: &mut Balls) {
        let is_selected = self.view.session.selection().part == Some(Part::Base);
        if !self.rig.skeleton.bones.is_empty() || is_selected {
            let at = self.rig.base();
            let size = self.viewport.world_per_pixel(at) * BASE_BALL_PX;
            let material = self.palette.base[&self.look(Part::Base)].clone();
            balls.insert(Ball::Base, (at, size, material));
        }
    }
}

/// Moves the balls that are there, spawns those that are new and despawns those that are gone.
fn show_balls(
    commands: &mut Commands,
    entities: &mut HashMap<Ball, Entity>,
    balls: Balls,
    palette: &Palette,
) {
    entities.retain(|ball, entity| {
        let kept = balls.contains_key(ball);
        if !kept {
            commands.entity(*entity).despawn();
        }
        kept
    });
    let mesh = match balls.len() > MANY {
        true => &palette.plain_ball,
        false => &palette.ball,
    };
    for (ball, (at, size, material)) in balls {
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
            Transform::from_translation(at).with_scale(Vec3::splat(size)),
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material),
            RenderLayers::layer(OVERLAY_LAYER),
        ));
    }
}

/// More balls than this are plainer ones.
const MANY: usize = 2000;
/// Radius of the sphere at a joint as part of its bone's radius.
const JOINT_PART: f32 = 0.3;
/// Length of the axes at joints where these are what is shown, in pixels at least and at most, and as part of
/// the bone's length.
const FRAME_PX: [f32; 2] = [14.0, 56.0];
const FRAME_PART: f32 = 0.35;

/// Length of the local axes of the bone that is worked on, in pixels.
const LABELLED_AXIS_PX: f32 = 64.0;

/// From the middle to the corners of the mark of a joint outside of the body, in pixels.
const DIAMOND_PX: f32 = 10.0;

/// Marks a joint that lies outside of the body: a diamond, facing the viewer.
fn diamond(lines: &mut Gizmos<OverLines>, at: Vec3, viewport: &Viewport) {
    let [right, up, _] = viewport.camera.axes();
    let size = DIAMOND_PX * viewport.world_per_pixel(at);
    let corners = [right, up, -right, -up, right].map(|way| at + way * size);
    lines.linestrip(corners, color(theme::WARNING));
}

/// The letter x, y or z by number, facing the viewer.
fn letter(lines: &mut Gizmos<OverLines>, axis: usize, at: Vec3, viewport: &Viewport, hue: Color) {
    let strokes: &[&[[f32; 2]]] = match axis {
        0 => &[&[[-1.0, 1.0], [1.0, -1.0]], &[[-1.0, -1.0], [1.0, 1.0]]],
        1 => &[&[[-1.0, 1.0], [0.0, -0.3]], &[[1.0, 1.0], [-0.7, -1.8]]],
        _ => &[&[[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]],
    };
    let [right, up, _] = viewport.camera.axes();
    let size = 4.4 * viewport.world_per_pixel(at);
    for stroke in strokes {
        let points = stroke.iter().map(|[x, y]| at + (right * *x + up * *y) * size);
        lines.linestrip(points, hue);
    }
}

fn lines_over(seen: Seen, viewport: Res<ViewportState>, mut lines: Gizmos<OverLines>) {
    let view = seen.view();
    if let Some(shown) = ActiveRig::from_view(&view) {
        skeleton_lines(&view, &shown, &viewport, &mut lines);
        if seen.settings.show_bones && shown.tab == Tab::Rig {
            for joint in seen.shown.outside_joints.iter() {
                let at = shown.world_from_skeleton.transform_point3(joint.at);
                diamond(&mut lines, at, &viewport.view());
            }
        }
    }
}

/// Whether the selected handles turn it, per bone.
fn selected_chains(shown: &ActiveRig, selection: &Selection) -> Vec<bool> {
    let handles = selection.handles().into_iter();
    let selected = handles.filter_map(|at| shown.skeleton.handles.get(at));
    turned(shown.skeleton, selected)
        .into_iter()
        .map(|left| left > 0)
        .collect()
}

fn skeleton_lines(view: &View, shown: &ActiveRig, state: &ViewportState, lines: &mut Gizmos<OverLines>) {
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
                // The y stick of the active bone lies on it and is to be seen.
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
            let at = shown.skeleton_from_bone[i];
            let start = shown.bone_start(i).unwrap_or_default();
            let pixel = state.world_per_pixel(start) / shown.scale().max(1e-9);
            let active = selected == Some(Part::Bone(i)) && !state.tool.is_chosen();
            let labelled = active && shown.tab == Tab::Rig;
            let large = if active { 2.6 } else { 1.0 };
            let [least, most] = FRAME_PX.map(|px| px * pixel);
            let length = match labelled {
                true => LABELLED_AXIS_PX * pixel,
                false if frames => (FRAME_PART * bone.extent.length()).clamp(least, most),
                false => (0.5 * bone.radius).clamp(6.0 * pixel, 16.0 * pixel) * large,
            };
            for (k, axis) in kinematics::rotation_axes(bone).into_iter().enumerate() {
                let end = (at.translation + at.matrix3 * axis * f64::from(length)).as_vec3();
                let end = shown.world_from_skeleton.transform_point3(end);
                let along = (end - start).normalize_or_zero();
                if labelled && along.dot(viewport.towards_camera(start)).abs() > END_ON {
                    continue;
                }
                let hue = color(theme::AXES[k]);
                lines.line(start, end, hue);
                if labelled {
                    letter(lines, k, end + (end - start) * 0.16, &viewport, hue);
                }
            }
        }
    }
    if settings.show_handles {
        handle_lines::draw(shown, selection, state, lines);
    }
}
