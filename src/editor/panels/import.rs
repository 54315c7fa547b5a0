//! The dialog after reading an OBJ file: its contents, the findings, and the import options.

use super::messages::Level;
use super::status::{counted, grouped};
use crate::edit::action::Action;
use crate::edit::command::{Command, Surface};
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::dialog::{dialog_button, is_confirmed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::import::MeshImport;
use crate::io::placing::{Placing, UpAxis};
use crate::io::report::Finding;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::statistics::Statistics;
use egui::{Align, Context, Frame, Key, Layout, RichText, ScrollArea, Ui};
use std::sync::Arc;

/// A mesh that was read, while the dialog is open.
pub struct ImportState {
    /// The name of the file.
    file: String,
    /// The typed name of the mesh.
    name: String,
    skinned: bool,
    surface: Arc<HalfedgeMesh>,
    placing: Placing,
    statistics: Statistics,
    findings: Vec<Finding>,
    focused: bool,
}

impl ImportState {
    /// Proposes a skinned mesh with the name found in the file; `file` is the name of the file.
    pub fn new(import: MeshImport, file: String) -> Self {
        Self {
            file,
            name: import.name,
            skinned: true,
            surface: Arc::new(import.surface),
            placing: Placing::default(),
            statistics: import.statistics,
            findings: import.report.findings,
            focused: false,
        }
    }

    /// The requests that add the mesh, open the tab for such a mesh, and frame it in the view.
    fn requests(&self) -> [Request; 4] {
        let surface = match self.placing == Placing::default() {
            true => Arc::clone(&self.surface),
            false => Arc::new(self.placing.place((*self.surface).clone())),
        };
        let command = Command::AddMesh {
            name: self.name.clone(),
            surface: Surface::Built(surface),
            skinned: self.skinned,
        };
        [
            Request::LeaveSample,
            Request::Apply(vec![command]),
            Request::Act(tab_action(self.skinned)),
            Request::Act(Action::FRAME_SELECTED),
        ]
    }
}

/// The tab that shows skinned or plain meshes.
pub fn tab_for(skinned: bool) -> Tab {
    if skinned { Tab::Rig } else { Tab::Animate }
}

/// The action that opens that tab.
pub fn tab_action(skinned: bool) -> Action {
    if skinned {
        Action::TAB_RIG
    } else {
        Action::TAB_ANIMATE
    }
}

/// Describes a surface: `120 vertices, 60 faces, closed`.
pub fn describe(s: &Statistics) -> String {
    let mut text = format!(
        "{}, {}",
        counted(s.vertices, "vertex", "vertices"),
        counted(s.faces, "face", "faces")
    );
    if s.shells != 1 {
        text.push_str(&format!(", {}", counted(s.shells, "shell", "shells")));
    }
    match s.boundaries {
        0 if s.is_inside_out() => text.push_str(", closed, inside out"),
        0 => text.push_str(", closed"),
        holes => text.push_str(&format!(", {}", counted(holes, "boundary", "boundaries"))),
    }
    text
}

/// Draws the dialog. Returns whether it is finished.
pub fn import_ui(ctx: &Context, view: &View, state: &mut ImportState, out: &mut Vec<Request>) -> bool {
    let (mut import, mut cancel) = (is_confirmed(ctx), false);
    let modal = modal("import").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(460.0_f32.min(room.x - 60.0));
        ui.heading(format!("Import {}", shorten(&state.file)));
        ui.add_space(theme::SMALL_GAP);
        ui.weak(describe(&state.statistics));
        ui.add_space(theme::GAP);
        import |= name_ui(ui, state);
        kind_ui(ui, &mut state.skinned, "import");
        placing_ui(ui, &mut state.placing);
        findings_ui(
            ui,
            "Found in the file",
            &state.findings,
            (room.y - 320.0).clamp(60.0, 240.0),
        );
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let tip = "Adds the mesh with an instance, in one undo step.";
            import |= ui.add(main_dialog_button("Import")).tip(tip).clicked();
            let tip = "Leaves the scene as it is.";
            cancel = ui.add(dialog_button("Cancel")).tip(tip).clicked();
        });
    });
    if import {
        let mut requests = state.requests().to_vec();
        if view.settings.tab == tab_for(state.skinned) {
            requests.remove(2);
        }
        out.extend(requests);
    }
    import || cancel || modal.should_close()
}

/// Draws the name field. Returns whether Enter was pressed in it.
fn name_ui(ui: &mut Ui, state: &mut ImportState) -> bool {
    ui.horizontal(|ui| {
        ui.allocate_ui(egui::vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.label("Name");
        });
        let width = ui.available_width();
        let edit = ui.add(
            line_edit(&mut state.name, width)
                .hint_text("Mesh")
                .char_limit(200),
        );
        if !std::mem::replace(&mut state.focused, true) {
            edit.request_focus();
        }
        ui.ctx()
            .accesskit_node_builder(edit.id, |node| node.set_label("Mesh name"));
        edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter))
    })
    .inner
}

/// Draws the choice between a skinned and a plain mesh. Returns whether it changed.
pub fn kind_ui(ui: &mut Ui, skinned: &mut bool, id: &str) -> bool {
    let before = *skinned;
    ui.horizontal(|ui| {
        ui.push_id(id, |ui| {
            ui.allocate_ui(egui::vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
                ui.set_min_width(theme::NAME_WIDTH);
                ui.label("Type");
            });
            ui.radio_value(skinned, true, "Skinned mesh")
                .tip("A mesh with a skeleton, empty at first: to be rigged and posed.");
            ui.radio_value(skinned, false, "Mesh")
                .tip("A mesh without a skeleton: part of the scenery.");
        });
    });
    before != *skinned
}

/// Draws the choices of scale and up axis, which OBJ files do not specify.
fn placing_ui(ui: &mut Ui, placing: &mut Placing) {
    let name = |ui: &mut Ui, text: &str| {
        ui.allocate_ui(egui::vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.label(text);
        });
    };
    ui.horizontal(|ui| {
        name(ui, "Scale");
        let number = egui::DragValue::new(&mut placing.scale)
            .range(Placing::SCALES)
            .speed(0.01)
            .max_decimals(6);
        let tooltip = "Units of the scene per unit of the file: 0.01 for centimetres in a scene of metres.";
        setting_ui(ui, "Import scale", tooltip, egui::vec2(88.0, theme::ROW), number);
    });
    ui.horizontal(|ui| {
        name(ui, "Up");
        ui.radio_value(&mut placing.up, UpAxis::Y, "y up")
            .tip("The file's y axis points up, as in Maya and most OBJ files.");
        ui.radio_value(&mut placing.up, UpAxis::Z, "z up")
            .tip("The file's z axis points up, as in Blender and 3ds Max.");
    });
}

/// Draws a list of findings under a heading with their number; nothing if there are none.
pub(super) fn findings_ui(ui: &mut Ui, heading: &str, findings: &[Finding], height: f32) {
    if findings.is_empty() {
        return;
    }
    ui.add_space(theme::GAP);
    let count = grouped(findings.len());
    ui.weak(format!("{heading}: {count}"));
    Frame::new()
        .fill(theme::FIELD)
        .corner_radius(theme::RADIUS)
        .inner_margin(6)
        .show(ui, |ui| {
            ScrollArea::vertical()
                .max_height(height)
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    for finding in findings {
                        let (icon, color) = Level::from(finding.severity).icon_and_color();
                        ui.horizontal_top(|ui| {
                            ui.label(RichText::new(icon).color(color));
                            let text = match finding.at.is_empty() {
                                true => finding.text.clone(),
                                false => format!("{} ({})", finding.text, finding.at),
                            };
                            ui.add(egui::Label::new(text).wrap());
                        });
                    }
                });
        });
}
