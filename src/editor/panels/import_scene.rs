//! The dialog after a scene of another format was read: what it holds, and what will be different.

use super::dialogs::{accented, modal, tall};
use super::import::{described, findings_ui};
use super::status::{counted, grouped};
use crate::edit::action::Action;
use crate::edit::command::{Command, SceneData};
use crate::edit::request::Request;
use crate::editor::ui::list::short;
use crate::editor::ui::theme;
use crate::io::report::{Finding, Report};
use crate::mesh::statistics::Statistics;
use crate::scene::Scene;
use egui::{Align, Context, Key, Layout};
use std::sync::Arc;

/// A scene that was read and waits for an answer.
pub struct SceneImport {
    /// Of the file.
    file: String,
    scene: Arc<Scene>,
    /// What it holds, a line each.
    holds: Vec<String>,
    findings: Vec<Finding>,
}

impl SceneImport {
    /// `file`: the name of the file.
    pub fn new(scene: Scene, report: Report, file: String) -> Self {
        Self {
            file,
            holds: holds(&scene),
            scene: Arc::new(scene),
            findings: report.findings,
        }
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
pub fn import_scene_ui(ctx: &Context, state: &SceneImport, out: &mut Vec<Request>) -> bool {
    let (mut import, mut cancel) = (ctx.input(|input| input.key_pressed(Key::Enter)), false);
    let modal = modal("import scene").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(520.0_f32.min(room.x - 60.0));
        ui.heading(format!("Import {}", short(&state.file)));
        ui.add_space(theme::SMALL_GAP);
        let most = 12;
        for line in state.holds.iter().take(most) {
            ui.add(egui::Label::new(line).truncate());
        }
        if state.holds.len() > most {
            ui.weak(format!("and {} more", state.holds.len() - most));
        }
        let heading = "What will be different";
        findings_ui(ui, heading, &state.findings, (room.y - 360.0).clamp(60.0, 240.0));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = "Adds all of it to the scene; one undo step.";
            import |= ui.add(accented("Import")).on_hover_text(tip).clicked();
            let tip = "Leaves the scene as it is.";
            cancel = ui.add(tall("Cancel")).on_hover_text(tip).clicked();
        });
    });
    if import {
        let scene = SceneData(Arc::clone(&state.scene));
        out.push(Request::Apply(vec![Command::AppendScene { scene }]));
        out.push(Request::Act(Action::FRAME_SELECTED));
    }
    import || cancel || modal.should_close()
}
