//! The dialog after a scene of another format was read: what it holds, what will be different, and how it is read.

use super::bone_dialogs::row;
use super::import::{described, findings_ui};
use super::status::{counted, grouped};
use crate::edit::command::SceneData;
use crate::edit::request::Request;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::dialog::{accented, modal, tall};
use crate::editor::ui::list::short;
use crate::editor::ui::theme;
use crate::io::gltf::read::{Options, Read};
use crate::io::report::Finding;
use crate::mesh::statistics::Statistics;
use crate::scene::Scene;
use egui::{Align, Checkbox, Context, Key, Layout, Spinner, Ui};
use std::path::PathBuf;
use std::sync::Arc;

/// A scene that was read and waits for an answer.
pub struct SceneImport {
    path: PathBuf,
    /// How it was read.
    options: Options,
    /// How it is wanted.
    wanted: Options,
    scene: SceneData,
    /// What it holds, a line each.
    holds: Vec<String>,
    findings: Vec<Finding>,
    /// Of the file, whether they were taken or not.
    animations: Vec<String>,
    /// How many images lie in the file.
    embedded: usize,
}

impl SceneImport {
    pub fn new(path: PathBuf, options: Options, read: Read) -> Self {
        Self {
            path,
            wanted: options.clone(),
            options,
            holds: holds(&read.scene),
            findings: read.report.findings,
            scene: SceneData(Arc::new(read.scene)),
            animations: read.animations,
            embedded: read.embedded,
        }
    }

    /// The name of the file.
    fn file(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// Whether it is being read in another way.
    fn waits(&self) -> bool {
        self.wanted != self.options
    }
}

/// What a scene holds: characters with their bones, other things counted, takes.
fn holds(scene: &Scene) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, mesh) in &scene.skinned_meshes {
        let bones = counted(mesh.skeleton.shown_bones().count(), "bone", "bones");
        let surface = described(&Statistics::new(&mesh.surface));
        lines.push(format!("{name}: {bones}, {surface}"));
    }
    let things = [
        (scene.meshes.len(), "mesh without bones", "meshes without bones"),
        (scene.materials.len(), "material", "materials"),
        (scene.cameras.len(), "camera", "cameras"),
        (scene.delta_lights.len(), "light", "lights"),
    ];
    let things = things.into_iter().filter(|(count, ..)| *count > 0);
    let things: Vec<String> = things
        .map(|(count, one, many)| counted(count, one, many))
        .collect();
    if !things.is_empty() {
        lines.push(things.join(", "));
    }
    let animation = &scene.animation;
    for take in &animation.takes.list {
        let frames = u64::from(take.range[1] - take.range[0]) + 1;
        let seconds = frames as f32 / animation.clip.rate;
        lines.push(format!(
            "Take {}: {} frames, {seconds:.1} s",
            take.name,
            grouped(frames as usize)
        ));
    }
    lines
}

/// The dialog. True once it is done with.
pub fn import_scene_ui(ctx: &Context, state: &mut SceneImport, out: &mut Vec<Request>) -> bool {
    let typing = ctx.memory(|memory| memory.focused().is_some());
    let mut import = !typing && ctx.input(|input| input.key_pressed(Key::Enter));
    let mut cancel = false;
    let before = state.wanted.clone();
    let modal = modal("import scene").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(520.0_f32.min(room.x - 60.0));
        ui.heading(format!("Import {}", short(&state.file())));
        ui.add_space(theme::SMALL_GAP);
        let most = 12;
        for line in state.holds.iter().take(most) {
            ui.add(egui::Label::new(line).truncate());
        }
        if state.holds.len() > most {
            ui.weak(format!("and {} more", state.holds.len() - most));
        }
        ui.add_space(theme::GAP);
        options_ui(ui, state);
        let heading = "What will be different";
        findings_ui(ui, heading, &state.findings, (room.y - 440.0).clamp(60.0, 240.0));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = "Adds everything to the scene, in one undo step.";
            let ready = !state.waits();
            import |= ui
                .add_enabled(ready, accented("Import"))
                .on_hover_text(tip)
                .clicked();
            let tip = "Leaves the scene as it is.";
            cancel = ui.add(tall("Cancel")).on_hover_text(tip).clicked();
            if !ready {
                ui.weak("Reading the file");
                ui.add(Spinner::new().size(12.0));
            }
        });
    });
    if state.wanted != before {
        out.push(Request::ImportAgain {
            path: state.path.clone(),
            options: state.wanted.clone(),
        });
    }
    import &= !state.waits();
    if import {
        out.push(Request::AddImported(state.scene.clone()));
    }
    import || cancel || modal.should_close()
}

fn options_ui(ui: &mut Ui, state: &mut SceneImport) {
    let SceneImport {
        wanted,
        animations,
        embedded,
        ..
    } = state;
    if animations.len() > 1 {
        let all = "All, a take each";
        let chosen = wanted.take.clone().unwrap_or_else(|| all.to_owned());
        let tip = "Which animations of the file become takes.";
        choice_row(ui, "import", "Takes", tip, &chosen, |ui| {
            if line_ui(ui, "Takes", all, wanted.take.is_none()) {
                wanted.take = None;
            }
            for name in animations.iter() {
                if line_ui(ui, "Takes", name, wanted.take.as_ref() == Some(name)) {
                    wanted.take = Some(name.clone());
                }
            }
        });
    }
    if !animations.is_empty() {
        row(ui, "Keys", |ui| {
            ui.radio_value(&mut wanted.all_frames, false, "Few")
                .on_hover_text("As few keys as keep every bone within a quarter of a degree.");
            ui.radio_value(&mut wanted.all_frames, true, "At every frame")
                .on_hover_text("A key at every frame: for captured motion.");
        });
    }
    if *embedded > 0 {
        let images = counted(*embedded, "image", "images");
        let mut takes = !wanted.without_images;
        row(ui, "Textures", |ui| {
            let tip = "They are embedded in the file. The first save of the scene writes them into a folder beside it; without them \
                       surfaces have one colour.";
            ui.add(Checkbox::new(&mut takes, format!("Import {images}")))
                .on_hover_text(tip);
        });
        wanted.without_images = !takes;
    }
}
