//! Bones as octahedra or sticks: one mesh for all bones of the active skeleton. Its vertices are written again
//! when the skeleton, the selection or what is hovered changes, but not when the view moves. Capsules are drawn
//! in addition to sticks. Over the weights view, sticks are thin.

use super::bone_materials::{Highlight, Highlights, Palette};
use super::bone_sides::{Side, Sides, side_rgb};
use super::capsules::{Capsule, CapsuleStyle, Capsules};
use super::state::ViewportState;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::bone_shape::{WIDEST_AT, half_widths};
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{BoneLook, View};
use crate::edit::settings::view_colors::ViewColors;
use crate::edit::tool::SkinDisplay;
use crate::editor::frame::FrameStep;
use crate::editor::projection::layers::{OVERLAY_LAYER, SCENE_LAYER, color};
use crate::editor::projection::material::{drawn_from_both_sides, embed_shader};
use crate::editor::projection::studio::StudioMaterial;
use crate::editor::projection::upload::{BoneVertex, Uploads, Vertices};
use crate::editor::state::ViewParams;
use crate::editor::ui::theme::{self, viewport::rgb};
use crate::rig::kinematics::rotation_axes;
use bevy::asset::RenderAssetUsages;
use bevy::camera::visibility::{NoFrustumCulling, RenderLayers};
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use glam::DAffine3;

#[derive(Asset, TypePath, AsBindGroup, Clone, Debug, Default)]
struct BoneMaterial {}

impl Material for BoneMaterial {
    fn vertex_shader() -> ShaderRef {
        "embedded://shaders/bones.wgsl".into()
    }

    fn fragment_shader() -> ShaderRef {
        "embedded://shaders/bones.wgsl".into()
    }

    drawn_from_both_sides!(
        Mesh::ATTRIBUTE_POSITION,
        Mesh::ATTRIBUTE_NORMAL,
        Mesh::ATTRIBUTE_UV_0,
        Mesh::ATTRIBUTE_UV_1,
        Mesh::ATTRIBUTE_COLOR
    );
}

pub fn plugin(app: &mut App) {
    embed_shader(app, "bones.wgsl", include_bytes!("../../../assets/shaders/bones.wgsl"));
    app.add_plugins(MaterialPlugin::<BoneMaterial>::default())
        .add_systems(Update, update.run_if(changed).in_set(FrameStep::Overlay));
}

/// The state of the view that bones depend on.
type InView = (Option<PickTarget>, SkinDisplay);

fn changed(params: ViewParams, viewport: Res<ViewportState>, mut last: Local<Option<InView>>) -> bool {
    let current = (viewport.highlighted().cloned(), viewport.tool.display().skin);
    last.replace(current) != *last || params.is_changed()
}

fn update(
    mut commands: Commands,
    (mut bones, mut capsules, mut sides): (Local<Bones>, Local<Capsules>, Local<Sides>),
    (mut meshes, mut uploads): (ResMut<Assets<Mesh>>, ResMut<Uploads>),
    mut materials: (ResMut<Assets<BoneMaterial>>, ResMut<Assets<StudioMaterial>>),
    palette: Res<Palette>,
    params: ViewParams,
    viewport: Res<ViewportState>,
) {
    let view = params.view();
    let mut wanted = Vec::new();
    match ActiveRig::from_view(&view).filter(|_| view.settings.display.show_bones) {
        None => bones.hide(&mut commands),
        Some(rig) => {
            let highlights = Highlights::new(&view, &rig, &viewport);
            let style = match viewport.tool.display().skin {
                SkinDisplay::Unchanged => view.settings.display.shown_bone_look(rig.radius_counts),
                // Anything else would hide the skin.
                SkinDisplay::Weights | SkinDisplay::Vertices => BoneLook::Sticks,
            };
            let layer = if view.settings.display.xray { OVERLAY_LAYER } else { SCENE_LAYER };
            let sides = sides.get(&view, &rig);
            wanted = wanted_capsules(&view, &rig, (&highlights, sides), (style, layer));
            bones.show(
                &mut commands,
                (&mut meshes, &mut uploads),
                &mut materials.0,
                (&view, &rig, &highlights, sides),
                (style, layer),
            );
        }
    }
    capsules.show(&mut commands, &mut meshes, &mut materials.1, &palette, &wanted);
}

/// Returns the capsule of each bone, `None` for bones that are not shown as one: where `style` is capsules, and
/// of bones whose radius a drag has changed, but never over weights.
fn wanted_capsules(
    view: &View,
    rig: &ActiveRig,
    (highlights, sides): (&Highlights, &[Option<Side>]),
    (style, layer): (BoneLook, usize),
) -> Vec<Option<Capsule>> {
    let before = view.session.animated_before().skinned_meshes.get(rig.mesh);
    let before = before.map(|mesh| &mesh.skeleton);
    let capsule = |(i, skeleton_from_bone): (usize, &DAffine3)| {
        let bone = &rig.skeleton.bones[i];
        let old = before.and_then(|skeleton| skeleton.bones.get(i));
        let is_edited = old.is_some_and(|old| old.radius != bone.radius);
        let style = match is_edited && !view.settings.display.weights_view {
            true => CapsuleStyle::Outline,
            false if style == BoneLook::Capsules => {
                let side = sides.get(i).copied().flatten();
                CapsuleStyle::Translucent(highlights.of_part(Part::Bone(i)), side)
            }
            false => return None,
        };
        let along = Quat::from_rotation_arc(Vec3::Y, bone.extent.normalize_or(Vec3::Y));
        let local = Mat4::from_rotation_translation(along, bone.extent * 0.5);
        let skeleton_from_bone = Mat4::from(skeleton_from_bone.as_affine3a());
        rig.is_drawn(i).then(|| Capsule {
            style,
            radius: bone.radius.max(1e-4),
            length: bone.extent.length(),
            world_from_capsule: rig.world_from_skeleton * skeleton_from_bone * local,
            layer: RenderLayers::layer(layer),
        })
    };
    rig.skeleton_from_bone.iter().enumerate().map(capsule).collect()
}

/// The kinds of corners, as in the shader.
const END: f32 = 0.0;
const ACROSS_X: f32 = 1.0;
const ACROSS_Z: f32 = 2.0;
const MARKED: f32 = 3.0;
const RIBBON: [f32; 2] = [4.0, 5.0];

/// The bits of the state of a bone, as in the shader.
const STRESSED: u32 = 1;
const LOCKED: u32 = 2;
const SIDES: [u32; 2] = [4, 8];

/// The distance of the marked corner from the axis, as a multiple of that of the others.
const MARK: f32 = 1.5;
/// The factor by which selected octahedra are wider; hovered ones only have light edges, too.
const STRESS: f32 = 1.25;
/// Octahedra of which half the width is less than this many pixels are drawn as sticks.
const STICK_PX: f32 = 1.8;
/// The size of a tail, as a part of the bone's length, and its least and greatest sizes in pixels.
const TAIL: f32 = 0.04;
const TAIL_PX: [f32; 2] = [1.0, 3.5];

const CORNERS: usize = 16;

/// The vertex indices of an octahedron's faces: head, tail, +x, -x, +z, -z.
const FACES: [u32; 24] = [0, 2, 4, 0, 4, 3, 0, 3, 5, 0, 5, 2, 1, 2, 4, 1, 4, 3, 1, 3, 5, 1, 5, 2];

/// The entity of the bones, with the size of its mesh.
#[derive(Default)]
struct Bones {
    shown: Option<(Entity, Handle<Mesh>, usize)>,
    material: Option<Handle<BoneMaterial>>,
}

impl Bones {
    fn hide(&mut self, commands: &mut Commands) {
        if let Some((entity, ..)) = self.shown.take() {
            commands.entity(entity).despawn();
        }
    }

    /// Shows the bones of `rig` that are neither links nor hidden.
    fn show(
        &mut self,
        commands: &mut Commands,
        (meshes, uploads): (&mut Assets<Mesh>, &mut Uploads),
        materials: &mut Assets<BoneMaterial>,
        (view, rig, highlights, sides): (&View, &ActiveRig, &Highlights, &[Option<Side>]),
        (style, layer): (BoneLook, usize),
    ) {
        let over_weights = view.settings.display.weights_view && view.settings.display.show_skin;
        let half_widths = match style {
            BoneLook::Octahedra => half_widths(rig),
            BoneLook::Capsules | BoneLook::Sticks => Vec::new(),
        };
        let mut vertices = Vec::with_capacity(CORNERS * rig.skeleton.bones.len());
        for bone in rig.drawn_bones() {
            let side = sides.get(bone).copied().flatten();
            let half_width = half_widths.get(bone).map(|width| width * rig.scale());
            let highlight = highlights.of_part(Part::Bone(bone));
            push(
                &mut vertices,
                &view.settings.options.view_colors(),
                rig,
                bone,
                half_width,
                (highlight, over_weights),
                side,
            );
        }
        let layer = RenderLayers::layer(layer);
        match &self.shown {
            Some((entity, mesh, count)) if *count == vertices.len() => {
                uploads.queue(mesh, Vertices::Bones(vertices));
                commands.entity(*entity).insert(layer);
            }
            _ => {
                self.hide(commands);
                if vertices.is_empty() {
                    return;
                }
                let material = self.material.get_or_insert_with(|| materials.add(BoneMaterial {}));
                let mesh = meshes.add(mesh(&vertices));
                let parts = (Mesh3d(mesh.clone()), MeshMaterial3d(material.clone()), NoFrustumCulling, layer);
                self.shown = Some((commands.spawn(parts).id(), mesh, vertices.len()));
            }
        }
    }
}

/// Adds the vertices of a bone. `half_width`: that of its octahedron, in the world; `None` for a stick.
fn push(
    vertices: &mut Vec<BoneVertex>,
    colors: &ViewColors,
    rig: &ActiveRig,
    bone: usize,
    half_width: Option<f32>,
    (highlight, over_weights): (Highlight, bool),
    side: Option<Side>,
) {
    let data = &rig.skeleton.bones[bone];
    let ends = rig.bone_start(bone).zip(rig.bone_tip(bone));
    let (head, tail) = ends.filter(|(head, tail)| head.is_finite() && tail.is_finite()).unwrap_or_default();
    let along = tail - head;
    let is_stressed = !matches!(highlight, Highlight::Plain | Highlight::Chain);
    let is_selected = matches!(highlight, Highlight::Selected | Highlight::AlsoSelected);
    let stress = if is_selected { STRESS } else { 1.0 };
    let [red, green, blue, _] = hue(colors, highlight, side).to_linear().to_f32_array();
    let state = u32::from(is_stressed) * STRESSED
        + u32::from(data.lock_weights) * LOCKED
        + side.map_or(0, |side| SIDES[side as usize]);
    let color = [red, green, blue, state as f32];
    let vertex = |position: Vec3, aside: Vec3, size: [f32; 2], kind: f32, along: f32| BoneVertex {
        position: position.to_array(),
        aside: aside.to_array(),
        size,
        corner: [kind, along],
        color,
    };

    let [at_head, at_tail] = stick_widths(half_width.is_some(), highlight, over_weights);
    for (position, width, part) in [(head, at_head, 0.0), (tail, at_tail, 1.0)] {
        vertices.extend(RIBBON.map(|kind| vertex(position, along, [width, 0.0], kind, part)));
    }

    let matrix = rig.skeleton_from_bone[bone].matrix3;
    let [x, y, z] = rotation_axes(data).map(|axis| {
        let in_skeleton = (matrix * axis).as_vec3();
        rig.world_from_skeleton.transform_vector3(in_skeleton).normalize_or_zero()
    });
    let width = stress * half_width.unwrap_or(0.0);
    let (center, size) = (head + along * WIDEST_AT, [STICK_PX, f32::MAX]);
    vertices.extend([
        vertex(head, Vec3::ZERO, size, END, 0.0),
        vertex(tail, Vec3::ZERO, size, END, 1.0),
        vertex(center, x * width, size, ACROSS_X, WIDEST_AT),
        vertex(center, -x * width, size, ACROSS_X, WIDEST_AT),
        vertex(center, z * (width * MARK), size, MARKED, WIDEST_AT),
        vertex(center, -z * width, size, ACROSS_Z, WIDEST_AT),
    ]);

    let radius = TAIL * along.length();
    let size = [TAIL_PX[0], TAIL_PX[1] * stress];
    let corners = [(y, END), (-y, END), (x, ACROSS_X), (-x, ACROSS_X), (z, ACROSS_Z), (-z, ACROSS_Z)];
    vertices.extend(corners.map(|(axis, kind)| vertex(tail, axis * radius, size, kind, 1.0)));
}

/// Returns the widths of a bone's ribbon at head and tail, in pixels: wider at the head, so that sticks have a
/// direction, too. Over the weights view, which many selected bones would cover, all but the active one and the one
/// under the pointer are hair lines.
fn stick_widths(in_octahedron: bool, highlight: Highlight, over_weights: bool) -> [f32; 2] {
    use Highlight::{AlsoSelected, Chain, Hovered, Plain, Selected};
    match (highlight, over_weights) {
        (Selected | Hovered, true) => [2.6, 1.5],
        (AlsoSelected | Plain | Chain, true) => [1.4, 1.0],
        (Plain | Chain, false) if in_octahedron => [2.2, 1.3],
        (Plain | Chain, false) => [3.0, 1.5],
        (Selected | AlsoSelected | Hovered, false) => [4.5, 2.5],
    }
}

fn hue(colors: &ViewColors, highlight: Highlight, side: Option<Side>) -> Color {
    let plain = color(rgb(side_rgb(colors, side)));
    match highlight {
        Highlight::Plain => plain,
        Highlight::Hovered => plain.mix(&Color::WHITE, 0.45),
        Highlight::Selected => color(rgb(colors.selected)),
        Highlight::AlsoSelected => color(rgb(colors.also_selected)),
        Highlight::Chain => color(theme::viewport::HANDLE),
    }
}

/// Returns a mesh in the layout of [`BoneVertex`].
fn mesh(vertices: &[BoneVertex]) -> Mesh {
    let all3 = |get: fn(&BoneVertex) -> [f32; 3]| -> Vec<[f32; 3]> { vertices.iter().map(get).collect() };
    let all2 = |get: fn(&BoneVertex) -> [f32; 2]| -> Vec<[f32; 2]> { vertices.iter().map(get).collect() };
    let colors: Vec<[f32; 4]> = vertices.iter().map(|vertex| vertex.color).collect();
    let indices = (0..vertices.len() as u32).step_by(CORNERS).flat_map(|first| {
        let octahedra = [4, 10].into_iter().flat_map(|from| FACES.map(|corner| from + corner));
        let ribbon = [0, 1, 2, 2, 1, 3].into_iter();
        ribbon.chain(octahedra).map(move |corner| first + corner)
    });
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD)
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, all3(|vertex| vertex.position))
        .with_inserted_attribute(Mesh::ATTRIBUTE_NORMAL, all3(|vertex| vertex.aside))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_0, all2(|vertex| vertex.size))
        .with_inserted_attribute(Mesh::ATTRIBUTE_UV_1, all2(|vertex| vertex.corner))
        .with_inserted_attribute(Mesh::ATTRIBUTE_COLOR, colors)
        .with_inserted_indices(Indices::U32(indices.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All bones of a body may be selected, and its weights are seen nevertheless.
    #[test]
    fn selected_bones_are_thin_over_weights() {
        let highlights = [Highlight::Plain, Highlight::AlsoSelected, Highlight::Selected];
        for highlight in highlights {
            let [over, beside] = [true, false].map(|over| stick_widths(false, highlight, over));
            assert!(over[0] <= 0.9 * beside[0] && over[1] <= beside[1], "{highlight:?}");
            assert!(over[0] > over[1], "sticks point to their tails");
        }
        let [others, active] = [Highlight::AlsoSelected, Highlight::Selected]
            .map(|highlight| stick_widths(false, highlight, true)[0]);
        assert!(others < 1.5 && active > 1.5 * others);
    }
}
