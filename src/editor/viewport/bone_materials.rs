//! The materials of bones, joints and handles: one for each state, made once.

use super::bone_sides::{Side, side_rgb};
use super::state::ViewportState;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::View;
use crate::edit::settings::view_colors::ViewColors;
use crate::editor::projection::layers::color;
use crate::editor::projection::studio::StudioMaterial;
use crate::editor::state::Settings;
use crate::editor::ui::theme;
use crate::rig::ik::chain::remaining_chain;
use bevy::prelude::*;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Highlight {
    Plain,
    Hovered,
    /// The active part.
    Selected,
    /// Selected, but not the active part.
    AlsoSelected,
    /// Rotated by a selected handle.
    Chain,
}

/// What the highlights of the parts of a skeleton depend on.
pub struct Highlights<'a> {
    selection: &'a Selection,
    /// The part under the pointer.
    hovered: Option<Part>,
    /// Whether a selected handle rotates each bone.
    chain: Vec<bool>,
}

impl<'a> Highlights<'a> {
    pub fn new(view: &View<'a>, rig: &ActiveRig, viewport: &ViewportState) -> Self {
        let selection = view.session.selection();
        let handles = selection.handles().into_iter();
        let selected = handles.filter_map(|handle| rig.skeleton.handles.get(handle));
        let chain = remaining_chain(rig.skeleton, selected);
        Self {
            selection,
            hovered: viewport.highlighted().and_then(PickTarget::part),
            chain: chain.into_iter().map(|left| left > 0).collect(),
        }
    }

    pub fn of_part(&self, part: Part) -> Highlight {
        match part {
            part if self.selection.part == Some(part) => Highlight::Selected,
            part if self.selection.is_selected(part) => Highlight::AlsoSelected,
            part if self.hovered == Some(part) => Highlight::Hovered,
            Part::Bone(bone) if self.chain.get(bone) == Some(&true) => Highlight::Chain,
            _ => Highlight::Plain,
        }
    }
}

/// Materials and shared shapes.
#[derive(Resource)]
pub struct Palette {
    /// Of capsules: in the middle, on the left and on the right.
    bones: [HashMap<Highlight, Handle<StudioMaterial>>; 3],
    /// Of the capsules of bones whose radius is being edited: only an outline.
    pub edited: Handle<StudioMaterial>,
    pub handle: HashMap<Highlight, Handle<StudioMaterial>>,
    pub handle_off: Handle<StudioMaterial>,
    pub pole: HashMap<Highlight, Handle<StudioMaterial>>,
    pub base: HashMap<Highlight, Handle<StudioMaterial>>,
    pub ball: Handle<Mesh>,
    /// The shape of pinned handles.
    pub pin: Handle<Mesh>,
}

impl Palette {
    /// The material of the capsules of bones on a side, or in the middle.
    pub fn bone(&self, highlight: Highlight, side: Option<Side>) -> &Handle<StudioMaterial> {
        &self.bones[side.map_or(0, |side| 1 + side as usize)][&highlight]
    }
}

/// The sides that bones are coloured by, in the order of [`Palette::bones`].
const BONE_SIDES: [Option<Side>; 3] = [None, Some(Side::Left), Some(Side::Right)];

/// Returns the level of a colour channel under the pointer.
fn lighter(level: u8) -> u8 {
    level + ((255 - level) as f32 * 0.45) as u8
}

/// Gives the materials the colours of the preferences.
pub fn recolor_palette(
    settings: Res<Settings>,
    palette: Res<Palette>,
    mut materials: ResMut<Assets<StudioMaterial>>,
    mut shown: Local<ViewColors>,
) {
    let colors = settings.options.view_colors();
    if std::mem::replace(&mut *shown, colors) == colors {
        return;
    }
    let mut recolor = |material: &Handle<StudioMaterial>, rgb| {
        if let Some(mut material) = materials.get_mut(material) {
            material.color = color(theme::viewport::rgb(rgb)).with_alpha(material.color.alpha());
        }
    };
    let others = [&palette.handle, &palette.pole, &palette.base];
    for group in palette.bones.iter().chain(others) {
        recolor(&group[&Highlight::Selected], colors.selected);
        recolor(&group[&Highlight::AlsoSelected], colors.also_selected);
    }
    for side in BONE_SIDES {
        let plain = side_rgb(&colors, side);
        recolor(palette.bone(Highlight::Plain, side), plain);
        recolor(palette.bone(Highlight::Hovered, side), plain.map(lighter));
    }
    recolor(&palette.edited, colors.selected);
}

pub fn create_palette(
    mut commands: Commands,
    mut materials: ResMut<Assets<StudioMaterial>>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    let mut materials_by_highlight = |plain, alpha: f32| -> HashMap<Highlight, Handle<StudioMaterial>> {
        [
            (Highlight::Plain, color(plain), alpha),
            (
                Highlight::Hovered,
                color(theme::viewport::rgb([plain.r(), plain.g(), plain.b()].map(lighter))),
                (alpha + 0.15).min(1.0),
            ),
            (Highlight::Selected, color(theme::viewport::SELECTED), (alpha + 0.12).min(1.0)),
            (Highlight::AlsoSelected, color(theme::viewport::ALSO_SELECTED), alpha),
            (Highlight::Chain, color(theme::viewport::HANDLE), (alpha + 0.2).min(1.0)),
        ]
        .into_iter()
        .map(|(highlight, base, alpha)| (highlight, materials.add(overlay_material(base, alpha))))
        .collect()
    };
    let bones = BONE_SIDES.map(|side| {
        let plain = theme::viewport::rgb(side_rgb(&ViewColors::DEFAULT, side));
        materials_by_highlight(plain, 0.13)
    });
    let (handle, pole, base) = (
        materials_by_highlight(theme::viewport::HANDLE, 1.0),
        materials_by_highlight(theme::viewport::POLE, 1.0),
        materials_by_highlight(theme::viewport::BASE, 1.0),
    );
    let edited = materials.add(overlay_material(color(theme::viewport::SELECTED), 0.0));
    let handle_off = materials.add(overlay_material(color(theme::viewport::HANDLE_OFF), 1.0));
    let ball = meshes.add(Sphere::new(1.0).mesh().uv(24, 16));
    let pin = meshes.add(Cuboid::from_length(1.7));
    commands.insert_resource(Palette { bones, edited, handle, handle_off, pole, base, ball, pin });
}

fn overlay_material(base: Color, alpha: f32) -> StudioMaterial {
    let translucent = alpha < 1.0;
    StudioMaterial {
        color: base.with_alpha(alpha),
        // A translucent capsule is visible by its outline.
        outline: if translucent { 0.45 } else { 0.0 },
        shine: if translucent { 0.0 } else { 0.15 },
        ..default()
    }
}
