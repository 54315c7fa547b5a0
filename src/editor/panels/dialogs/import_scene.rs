//! The dialog after reading a scene in another format: its contents, what will look different, and the
//! options.

use crate::edit::command::SceneData;
use crate::edit::request::Request;
use crate::editor::panels::dialogs::bone_dialogs::row;
use crate::editor::panels::dialogs::import::{describe, findings_ui, size_text};
use crate::editor::panels::status::{counted, grouped};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::import::{ImportOptions, SceneImport};
use crate::io::report::Finding;
use crate::mesh::statistics::Statistics;
use crate::scene::Scene;
use crate::scene::join::{Joined, bare_body};
use egui::{Align, Checkbox, ColorImage, Context, Layout, Spinner, TextureHandle, TextureOptions, Ui};
use glam::Vec3;
use std::path::PathBuf;
use std::sync::Arc;

/// A scene that was read, while the dialog is open.
pub struct OfferedScene {
    path: PathBuf,
    /// The options with which it was read.
    options: ImportOptions,
    /// The options chosen in the dialog.
    chosen: ImportOptions,
    scene: SceneData,
    /// A picture of the scene, and its texture once it is shown.
    picture: ColorImage,
    texture: Option<TextureHandle>,
    /// The contents of the scene, a line each.
    contents: Vec<String>,
    findings: Vec<Finding>,
    /// The names of all animations in the file, imported or not.
    animations: Vec<String>,
    /// The number of images embedded in the file.
    embedded: usize,
}

impl OfferedScene {
    /// `picture` shows the scene, whose size is `size`.
    pub fn new(
        path: PathBuf,
        options: ImportOptions,
        import: SceneImport,
        picture: ColorImage,
        size: Vec3,
    ) -> Self {
        let mut contents = describe_contents(&import.scene);
        if size.is_finite() && size.max_element() > 0.0 {
            contents.push(size_text(size));
        }
        Self {
            picture,
            texture: None,
            path,
            chosen: options.clone(),
            options,
            contents,
            findings: import.report.findings,
            scene: SceneData(Arc::new(import.scene)),
            animations: import.animations,
            embedded: import.embedded,
        }
    }

    /// The name of the file.
    fn file(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The request that adds it.
    pub fn requests(&self) -> [Request; 1] {
        [Request::AddImported(self.scene.clone())]
    }

    /// Returns the request that adds a body that waits for a skeleton, and which meshes it is joined of; `None` for other
    /// scenes, in which something moves or nothing is shown.
    pub fn bare_body(&self) -> Option<(Request, Joined)> {
        let (scene, joined) = bare_body(&self.scene.0)?;
        Some((Request::AddImported(SceneData(Arc::new(scene))), joined))
    }

    /// Whether it is being read again with other options.
    fn is_rereading(&self) -> bool {
        self.chosen != self.options
    }
}

/// Describes the contents of a scene: the characters with their bones, the number of other items, the takes.
fn describe_contents(scene: &Scene) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, mesh) in &scene.skinned_meshes {
        let bones = counted(mesh.skeleton.shown_bones().count(), "bone", "bones");
        let surface = describe(&Statistics::new(&mesh.surface));
        lines.push(format!("{name}: {bones}, {surface}"));
    }
    let counts = [
        (scene.meshes.len(), "mesh without bones", "meshes without bones"),
        (scene.materials.len(), "material", "materials"),
        (scene.cameras.len(), "camera", "cameras"),
        (scene.delta_lights.len(), "light", "lights"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, one, many)| counted(count, one, many)).collect();
    if !counts.is_empty() {
        lines.push(counts.join(", "));
    }
    let animation = &scene.animation;
    for take in &animation.takes.list {
        let frames = u64::from(take.range[1] - take.range[0]) + 1;
        let seconds = frames as f32 / animation.clip.rate;
        lines.push(format!("Take {}: {} frames, {seconds:.1} s", take.name, grouped(frames as usize)));
    }
    lines
}

/// Draws the dialog. Returns whether it is finished.
pub fn import_scene_ui(ctx: &Context, state: &mut OfferedScene, out: &mut Vec<Request>) -> bool {
    let mut import = is_confirmed(ctx);
    let mut cancel = false;
    let before = state.chosen.clone();
    let modal = modal("import scene").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(520.0_f32.min(room.x - 60.0));
        ui.heading(format!("Import {}", shorten(&state.file())));
        ui.add_space(theme::SMALL_GAP);
        ui.horizontal_top(|ui| {
            let texture = state.texture.get_or_insert_with(|| {
                let picture = state.picture.clone();
                ui.ctx().load_texture("imported scene", picture, TextureOptions::LINEAR)
            });
            ui.add(egui::Image::new(&*texture).alt_text("Picture of the scene"));
            ui.vertical(|ui| contents_ui(ui, &state.contents));
        });
        ui.add_space(theme::GAP);
        options_ui(ui, state);
        let heading = "What will be different";
        findings_ui(ui, heading, &state.findings, (room.y - 440.0).clamp(60.0, 240.0));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = "Adds everything to the scene, in one undo step.";
            let ready = !state.is_rereading();
            import |= ui.add_enabled(ready, main_dialog_button("Import")).tip(tip).clicked();
            let tip = "Leaves the scene as it is.";
            cancel = ui.add(dialog_button("Cancel")).tip(tip).clicked();
            if !ready {
                ui.weak("Reading the file");
                ui.add(Spinner::new().size(12.0));
            }
        });
    });
    if state.chosen != before {
        out.push(Request::ImportAgain { path: state.path.clone(), options: state.chosen.clone() });
    }
    import &= !state.is_rereading();
    if import {
        out.extend(state.requests());
    }
    import || cancel || is_dismissed(&modal)
}

/// Draws as many lines as fit beside the picture, the last one, the size, in any case.
fn contents_ui(ui: &mut Ui, contents: &[String]) {
    const MAX_LINES: usize = 5;
    let (shown, rest) = match contents.split_last() {
        Some((size, others)) if others.len() > MAX_LINES => {
            let (shown, rest) = others.split_at(MAX_LINES);
            let rest = counted(rest.len(), "more line", "more lines");
            (shown.iter().chain([size]).collect::<Vec<_>>(), Some(format!("and {rest}")))
        }
        _ => (contents.iter().collect(), None),
    };
    for line in shown {
        ui.add(egui::Label::new(line).truncate()).tip(line);
    }
    if let Some(rest) = rest {
        let all = contents.join("\n");
        ui.weak(rest).tip(all);
    }
}

fn options_ui(ui: &mut Ui, state: &mut OfferedScene) {
    let OfferedScene { chosen, animations, embedded, .. } = state;
    if animations.len() > 1 {
        let all = "All, a take each";
        let current = chosen.take.clone().unwrap_or_else(|| all.to_owned());
        let tip = "Which animations of the file become takes.";
        choice_row(ui, "import", "Takes", tip, &current, |ui| {
            if line_ui(ui, "Takes", all, chosen.take.is_none()) {
                chosen.take = None;
            }
            for name in animations.iter() {
                if line_ui(ui, "Takes", name, chosen.take.as_ref() == Some(name)) {
                    chosen.take = Some(name.clone());
                }
            }
        });
    }
    if !animations.is_empty() {
        row(ui, "Keys", |ui| {
            ui.radio_value(&mut chosen.all_frames, false, "Few").tip(
                "The fewest keys that keep the surface within a ten-thousandth of its size at every frame.",
            );
            ui.radio_value(&mut chosen.all_frames, true, "At every frame")
                .tip("A key at every frame. Useful for motion capture.");
        });
    }
    if *embedded > 0 {
        let images = counted(*embedded, "image", "images");
        let mut import_images = !chosen.without_images;
        row(ui, "Textures", |ui| {
            let tip = "They are embedded in the file. The first save of the scene writes them into a folder beside it; without them \
                       surfaces have one colour.";
            ui.add(Checkbox::new(&mut import_images, format!("Import {images}"))).tip(tip);
        });
        chosen.without_images = !import_images;
    }
}
