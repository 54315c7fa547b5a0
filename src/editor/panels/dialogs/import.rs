//! The dialog after reading an OBJ file: its contents, a picture of it as it will stand, the findings, and
//! the import options.

use crate::edit::action::Action;
use crate::edit::command::{Command, Surface};
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::editor::panels::messages::Level;
use crate::editor::panels::status::{counted, grouped};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::list::shorten;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::small_picture::SmallPicture;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::io::import::MeshImport;
use crate::io::placing::Placing;
use crate::io::report::Finding;
use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::orientation::{Axis, Guess, Orientation, UNITS};
use crate::mesh::statistics::Statistics;
use egui::{
    Align, Button, Context, Frame, Key, Layout, RichText, ScrollArea, TextureHandle, TextureOptions, Ui,
};
use glam::Vec3;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A mesh that was read, while the dialog is open.
pub struct ImportState {
    /// The name of the file.
    file: String,
    /// The typed name of the mesh.
    name: String,
    skinned: bool,
    surface: Arc<HalfedgeMesh>,
    /// The triangles of the surface, by vertex.
    triangles: Vec<[u32; 3]>,
    /// The box around the mesh as it is in the file.
    bounds: Bounds,
    placing: Placing,
    guess: Guess,
    /// The picture, and the placing that it shows.
    picture: Option<(Placing, TextureHandle)>,
    statistics: Statistics,
    findings: Vec<Finding>,
    focused: bool,
}

impl ImportState {
    /// Proposes a skinned mesh with the name found in the file, placed as its shape suggests; `file` is the
    /// name of the file.
    pub fn new(import: MeshImport, file: String) -> Self {
        let (placing, guess) = Placing::guess(&import.polygons);
        Self {
            file,
            name: import.name,
            skinned: true,
            surface: Arc::new(import.surface),
            triangles: import.polygons.triangles(),
            bounds: Bounds::from_points(import.polygons.positions.iter().copied()),
            placing,
            guess,
            picture: None,
            statistics: import.statistics,
            findings: import.report.findings,
            focused: false,
        }
    }

    /// The requests that add the mesh, open the tab for such a mesh, and frame it in the view.
    pub fn requests(&self) -> [Request; 4] {
        let surface = Arc::new(self.placing.place((*self.surface).clone()));
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
    if skinned { Action::TAB_RIG } else { Action::TAB_ANIMATE }
}

/// Describes a surface: `120 vertices, 60 faces, closed`.
pub fn describe(s: &Statistics) -> String {
    let mut text =
        format!("{}, {}", counted(s.vertices, "vertex", "vertices"), counted(s.faces, "face", "faces"));
    if s.shells != 1 {
        text.push_str(&format!(", {}", counted(s.shells, "shell", "shells")));
    }
    match s.boundaries {
        0 => text.push_str(", closed"),
        holes => text.push_str(&format!(", {}", counted(holes, "boundary", "boundaries"))),
    }
    if let Some(what) = s.inside_out() {
        text.push_str(&format!(", {what}"));
    }
    text
}

/// Draws the dialog. Returns whether it is finished.
pub fn import_ui(ctx: &Context, view: &View, state: &mut ImportState, out: &mut Vec<Request>) -> bool {
    let (mut import, mut cancel) = (is_confirmed(ctx), false);
    let modal = modal("import").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width(520.0_f32.min(room.x - 60.0));
        ui.heading(format!("Import {}", shorten(&state.file)));
        ui.add_space(theme::SMALL_GAP);
        ui.weak(describe(&state.statistics));
        ui.add_space(theme::GAP);
        import |= name_ui(ui, state);
        kind_ui(ui, &mut state.skinned, "import");
        ui.horizontal_top(|ui| {
            picture_ui(ui, state);
            ui.vertical(|ui| placing_ui(ui, state));
        });
        findings_ui(ui, "Found in the file", &state.findings, (room.y - 440.0).clamp(60.0, 240.0));
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
    import || cancel || is_dismissed(&modal)
}

/// Draws the name field. Returns whether Enter was pressed in it.
fn name_ui(ui: &mut Ui, state: &mut ImportState) -> bool {
    ui.horizontal(|ui| {
        ui.allocate_ui(egui::vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.label("Name");
        });
        let width = ui.available_width();
        let edit = ui.add(line_edit(&mut state.name, width).hint_text("Mesh").char_limit(200));
        if !std::mem::replace(&mut state.focused, true) {
            edit.request_focus();
        }
        ui.ctx().accesskit_node_builder(edit.id, |node| node.set_label("Mesh name"));
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
            ui.radio_value(skinned, false, "Mesh").tip("A mesh without a skeleton: part of the scenery.");
        });
    });
    before != *skinned
}

/// Draws the picture of the mesh as it will stand on the floor of the scene.
fn picture_ui(ui: &mut Ui, state: &mut ImportState) {
    let shown = state.picture.as_ref().filter(|(placing, _)| *placing == state.placing);
    if shown.is_none() {
        let image = draw(state);
        let options = TextureOptions::LINEAR;
        let texture = ui.ctx().load_texture("import picture", image, options);
        state.picture = Some((state.placing, texture));
    }
    if let Some((_, texture)) = &state.picture {
        ui.add(egui::Image::new(texture).alt_text("Picture of the mesh"));
    }
}

/// Draws the mesh, and the floor below it where it stands on it.
fn draw(state: &ImportState) -> egui::ColorImage {
    const BODY: Vec3 = Vec3::splat(0.5);
    const FLOOR: Vec3 = Vec3::splat(0.06);
    let placed = state.placing.place((*state.surface).clone());
    let positions = placed.positions();
    let bounds = Bounds::from_points(positions.iter().copied());
    let mut picture = SmallPicture::new(&bounds);
    for triangle in &state.triangles {
        picture.draw_triangle(BODY, triangle.map(|vertex| positions[vertex as usize]));
    }
    if state.placing.on_floor {
        let (middle, reach) = (bounds.center(), 0.6 * bounds.diagonal());
        let corner = |x: f32, z: f32| Vec3::new(middle.x + x * reach, bounds.min.y, middle.z + z * reach);
        let [a, b, c, d] = [corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
        picture.draw_triangle(FLOOR, [a, b, c]);
        picture.draw_triangle(FLOOR, [a, c, d]);
    }
    picture.image
}

/// Draws what was guessed, and the choices of unit and directions, which OBJ files do not specify.
fn placing_ui(ui: &mut Ui, state: &mut ImportState) {
    ui.add(egui::Label::new(RichText::new(guess_text(&state.guess)).weak()).wrap());
    let size = state.placing.size(&state.bounds);
    ui.label(size_text(size));
    if state.guess.up_sure
        && let Some(doubt) = doubt_of_unit(size.y, state.placing.scale)
    {
        ui.add(egui::Label::new(RichText::new(doubt).color(*theme::WARNING)).wrap());
    }
    let placing = &mut state.placing;
    let unit = UNITS.iter().find(|(_, metres)| *metres == placing.scale);
    let tip = "The unit of the file; a unit of the scene is a metre.";
    choice_row(ui, "import", "Unit", tip, unit.map_or("Other", |unit| unit.0), |ui| {
        for (name, metres) in UNITS {
            if line_ui(ui, "Unit", name, placing.scale == metres) {
                placing.scale = metres;
            }
        }
    });
    ui.horizontal(|ui| {
        ui.allocate_ui(egui::vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.label("Scale");
        });
        let number =
            egui::DragValue::new(&mut placing.scale).range(Placing::SCALES).speed(0.01).max_decimals(6);
        let tooltip = "Units of the scene per unit of the file: 0.01 for centimetres in a scene of metres.";
        setting_ui(ui, "Import scale", tooltip, egui::vec2(88.0, theme::ROW), number);
    });
    let orientation = &mut placing.orientation;
    let tip = "The axis of the file that points up: y in Maya and most OBJ files, z in Blender and 3ds Max.";
    if let Some(up) = axis_row(ui, "Up", tip, orientation.up, |_| true) {
        *orientation = orientation.with_up(up);
    }
    let tip = "The axis of the file that the body faces; it will face z, as seen in the front view.";
    let up = orientation.up;
    if let Some(front) = axis_row(ui, "Front", tip, orientation.front, |axis| axis.index != up.index) {
        orientation.front = front;
    }
    ui.horizontal(|ui| {
        let turn = ui.add(Button::new("Turn")).tip("Turns the body by a quarter about the vertical axis.");
        if turn.clicked() {
            *orientation = orientation.turned();
        }
        let tip = "Tips the body over by a quarter, from its back onto its feet.";
        if ui.add(Button::new("Tip over")).tip(tip).clicked() {
            *orientation = orientation.with_up(orientation.front);
        }
    });
    ui.checkbox(&mut placing.on_floor, "Stand on the floor").tip("Moves the lowest point to height 0.");
}

/// Describes a size in the scene.
pub fn size_text(size: Vec3) -> String {
    let [width, height, depth] = size.to_array().map(|length| format!("{length:.2}"));
    format!("{width} wide, {height} tall, {depth} deep")
}

/// The heights in metres between which most people are.
const PERSON: RangeInclusive<f32> = 1.4..=2.1;

/// The factor by which a body may differ from a person without a doubt: a child, a giant.
const UNLIKELY: f32 = 1.5;

/// What to consider if a body is not as tall as a person, but would be in another unit.
fn doubt_of_unit(height: f32, scale: f32) -> Option<String> {
    if (PERSON.start() / UNLIKELY..=PERSON.end() * UNLIKELY).contains(&height) {
        return None;
    }
    let heights = UNITS.map(|(unit, metres)| (unit, height / scale * metres));
    let (unit, height) = heights.into_iter().find(|(_, height)| PERSON.contains(height))?;
    Some(format!("If this is a person, its unit may be {unit}: then it is {height:.2} tall."))
}

/// Describes how the mesh is placed at first, and why.
fn guess_text(guess: &Guess) -> String {
    let Orientation { up, front } = guess.orientation;
    match (guess.up_sure, guess.front_sure) {
        (true, true) => format!("Its shape tells: {up} is up, and it faces {front}."),
        (true, false) => {
            format!("Its shape tells that {up} is up, but not which way it faces: turn it if it faces away.")
        }
        _ => "Its shape does not tell which way is up: turn it if it lies.".to_owned(),
    }
}

/// Draws a list of axes. Returns the one that was chosen.
fn axis_row(
    ui: &mut Ui,
    name: &str,
    tip: &str,
    current: Axis,
    allowed: impl Fn(Axis) -> bool,
) -> Option<Axis> {
    let mut chosen = None;
    choice_row(ui, "import", name, tip, &current.to_string(), |ui| {
        for axis in Axis::ALL.into_iter().filter(|axis| allowed(*axis)) {
            if line_ui(ui, name, &axis.to_string(), axis == current) {
                chosen = Some(axis);
            }
        }
    });
    chosen
}

/// Returns where in a file a finding is, in words: `skin 0` for `/skins/0`. What is no path is left as it is.
fn place_text(at: &str) -> String {
    let Some(path) = at.strip_prefix('/') else {
        return at.to_owned();
    };
    let mut text = String::new();
    for part in path.split('/') {
        if part.bytes().all(|b| b.is_ascii_digit()) {
            // `meshes` and `primitives`, each of which an element is named after.
            let one = text.strip_suffix("es").filter(|one| one.ends_with("sh")).or(text.strip_suffix('s'));
            text = format!("{} {part}", one.unwrap_or(&text));
        } else {
            let comma = if text.is_empty() { "" } else { ", " };
            text += &format!("{comma}{part}");
        }
    }
    text
}

/// Draws a list of findings under a heading with their number; nothing if there are none.
pub(in crate::editor::panels) fn findings_ui(ui: &mut Ui, heading: &str, findings: &[Finding], height: f32) {
    if findings.is_empty() {
        return;
    }
    ui.add_space(theme::GAP);
    let count = grouped(findings.len());
    ui.weak(format!("{heading}: {count}"));
    Frame::new().fill(*theme::FIELD).corner_radius(theme::RADIUS).inner_margin(6).show(ui, |ui| {
        ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            for finding in findings {
                let (icon, color) = Level::from(finding.severity).icon_and_color();
                ui.horizontal_top(|ui| {
                    ui.label(RichText::new(icon).color(color));
                    let text = if finding.at.is_empty() {
                        finding.text.clone()
                    } else {
                        format!("{} ({})", finding.text, place_text(&finding.at))
                    };
                    ui.add(egui::Label::new(text).wrap());
                });
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_a_file_are_words() {
        for (path, words) in [
            ("/skins/0", "skin 0"),
            ("/meshes/3/primitives/12", "mesh 3, primitive 12"),
            ("/nodes/7/scale", "node 7, scale"),
            ("line 12", "line 12"),
            ("whole mesh", "whole mesh"),
        ] {
            assert_eq!(place_text(path), words);
        }
    }

    #[test]
    fn a_unit_is_doubted_if_another_one_makes_a_person() {
        assert_eq!(doubt_of_unit(1.8, 1.0), None);
        assert_eq!(doubt_of_unit(1.0, 1.0), None, "a child");
        let doubt = doubt_of_unit(5.61, 1.0).unwrap();
        assert!(doubt.contains("foot") && doubt.contains("1.71 tall"), "{doubt}");
        let doubt = doubt_of_unit(0.0175, 0.0001).unwrap();
        assert!(doubt.contains("cm") && doubt.contains("1.75 tall"), "{doubt}");
        assert_eq!(doubt_of_unit(30.0, 1.0), None, "a house in any unit");
    }
}
