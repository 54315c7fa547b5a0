//! The lists at the left of the viewport, and the shared state of the lists and the properties at its right.

use super::bones::{BonesState, bones_ui};
use super::layers::{LayersState, layers_ui};
use super::outliner::{OutlinerState, meshes_ui, outliner_ui, resources_ui};
use super::poses::{PosesState, poses_ui};
use super::properties::PropertiesState;
use crate::edit::action::rename_target;
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::list::{is_section_open, open_section, scroll, section_ui};
use crate::editor::ui::share::shares;
use crate::editor::ui::theme;
use crate::scene::names::Kind;
use egui::{Frame, Id, Margin, Ui};

/// The state of the lists and the properties between frames.
#[derive(Default)]
pub struct SideState {
    pub fields: Fields,
    pub bones: BonesState,
    pub outliner: OutlinerState,
    pub poses: PosesState,
    pub layers: LayersState,
    pub properties: PropertiesState,
    /// Whether the selection is to be renamed in the next frame.
    rename_requested: bool,
    /// The character in the list of poses, and whether it has any.
    listed_poses: Option<(String, bool)>,
    /// The active layer, with its character.
    shown_layer: Option<(String, u32)>,
    /// The heights that the lists needed in the last frame, in points.
    needs: [Option<f32>; LISTS],
}

/// The number of lists: scene, skinned meshes, bones, poses, layers, resources.
const LISTS: usize = 6;
/// The index of the list of bones.
const BONES: usize = 2;
/// The index of the list of poses, which only the Animate tab shows.
const POSES: usize = 3;
/// The index of the list of animation layers, which only the Animate tab shows.
const LAYERS: usize = 4;
/// The height that poses get before bones get more than [`MIN_BONES_HEIGHT`], the buttons and a row of pictures; layers get all
/// that they need.
const MIN_POSES_HEIGHT: f32 = 2.0 * theme::ROW + 108.0;
const MIN_BONES_HEIGHT: f32 = 4.0 * theme::ROW;

impl SideState {
    /// Opens a text field over the name of the selection.
    pub fn rename(&mut self) {
        self.rename_requested = true;
    }

    /// Ends the frame of the panels. To be called once per frame, after both.
    pub fn end_frame(&mut self, ui: &Ui, view: &View, out: &mut Vec<Request>) {
        self.outliner.end_frame(view, out);
        self.poses.end_frame(out);
        self.fields.end_frame(ui.ctx(), out);
        self.properties.surface.on_requests(out);
    }
}

/// Draws the lists one below the other; each scrolls if they do not all fit.
pub fn lists_ui(ui: &mut Ui, view: &View, state: &mut SideState, out: &mut Vec<Request>) {
    if std::mem::take(&mut state.rename_requested) {
        match rename_target(view) {
            Ok(object) => state.outliner.rename(object),
            Err(_) => state.bones.rename(),
        }
    }
    // Each tab first opens the lists that it works on; what the user opens or closes is kept per tab.
    let rig = view.settings.tab == Tab::Rig;
    // The list of poses is closed while empty, to leave room for the others.
    let mesh = view.session.selection().mesh.as_ref();
    let has_poses = mesh.is_some_and(|mesh| {
        let found = view.session.animated().skinned_meshes.get(mesh);
        found.is_some_and(|skinned| !skinned.poses.is_empty())
    });
    let before = std::mem::replace(&mut state.listed_poses, mesh.map(|mesh| (mesh.clone(), has_poses)));
    let is_first = has_poses && before.is_some_and(|(name, had_poses)| Some(&name) == mesh && !had_poses);
    let sections = [
        (Id::new(("scene section", rig)), "Scene", !rig),
        (Id::new(("meshes section", rig)), "Skinned meshes", rig),
        (Id::new("bones section"), "Bones", true),
        (Id::new("poses section"), "Poses", has_poses),
        (Id::new("layers section"), "Layers", false),
        (Id::new("resources section"), "Resources", false),
    ];
    let [scene, meshes, bones, poses, layers, resources] = sections.map(|(id, ..)| id);
    if is_first {
        open_section(ui, poses);
    }
    // A layer that is added shows where it can be chosen.
    let animation = &view.session.animated().animation;
    let layer = mesh.and_then(|mesh| Some((mesh.clone(), animation.active_layer(mesh)?.id)));
    if layer.is_some() && layer != state.shown_layer {
        open_section(ui, layers);
    }
    state.shown_layer = layer;
    match state.outliner.renamed_object().map(|object| object.kind) {
        Some(Kind::Instance(_)) => open_section(ui, scene),
        Some(Kind::SkinnedMesh) => open_section(ui, meshes),
        Some(_) => open_section(ui, resources),
        None => {}
    }
    if state.bones.must_be_visible() {
        open_section(ui, bones);
    }
    Frame::new().inner_margin(Margin::symmetric(6, 4)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let shown = |i: usize| !(rig && [POSES, LAYERS].contains(&i));
        let titles = (0..LISTS).filter(|i| shown(*i)).count() as f32
            * (theme::ROW + 2.0 * ui.spacing().item_spacing.y);
        let mut needs = [0.0; LISTS];
        for (i, (id, _, open)) in sections.iter().enumerate() {
            if shown(i) && is_section_open(ui, *id, *open) {
                needs[i] = state.needs[i].unwrap_or(f32::INFINITY);
            }
        }
        let mut rooms = shares(needs, ui.available_height() - titles);
        for (list, least) in [(LAYERS, f32::INFINITY), (POSES, MIN_POSES_HEIGHT)] {
            let lack = (needs[list].min(least) - rooms[list]).min(rooms[BONES] - MIN_BONES_HEIGHT);
            if lack > 0.0 {
                rooms[list] += lack;
                rooms[BONES] -= lack;
            }
        }
        for (i, (id, title, open)) in sections.into_iter().enumerate().filter(|(i, _)| shown(*i)) {
            let SideState { fields, bones, outliner, poses, layers, .. } = state;
            let mut need = None;
            section_ui(ui, id, title, open, |ui| {
                need = Some(match i {
                    0 => scroll(ui, i, rooms[i], |ui| outliner_ui(ui, view, outliner, out)),
                    1 => scroll(ui, i, rooms[i], |ui| meshes_ui(ui, view, outliner, out)),
                    BONES => bones_ui(ui, view, bones, rooms[i], out),
                    POSES => poses_ui(ui, view, poses, rooms[i], out),
                    LAYERS => layers_ui(ui, view, (layers, fields), rooms[i], out),
                    _ => scroll(ui, i, rooms[i], |ui| resources_ui(ui, view, outliner, out)),
                });
            });
            if need.is_some() && need != state.needs[i] {
                state.needs[i] = need;
                ui.ctx().request_repaint();
            }
        }
    });
}
