//! The dialog that adds a primitive, with a live preview in the view.

use crate::edit::action::Action;
use crate::edit::command::{Command, Surface};
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::editor::panels::dialogs::import::{kind_ui, tab_action, tab_for};
use crate::editor::panels::status::counted;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, main_dialog_button, modal};
use crate::editor::ui::fields::{Edit, Fields};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{line_edit, scalar_row, vector_row};
use crate::editor::ui::text::capitalize;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::mesh::primitives::{MAX_DIVISIONS, Primitive};
use egui::{Align, Align2, Color32, Context, Id, Layout, Modal, RichText, Ui, vec2};
use glam::Vec3;

/// The state of the dialog: the primitive that is being added.
pub struct PrimitiveState {
    primitive: Primitive,
    /// The typed name of the mesh.
    name: String,
    skinned: bool,
    fields: Fields<Primitive>,
    /// The primitive before the drag under way.
    before_drag: Option<Primitive>,
    /// The tab that was open; `None` until the dialog has been shown.
    tab_before: Option<Tab>,
}

impl PrimitiveState {
    pub fn new(primitive: Primitive) -> Self {
        Self {
            primitive,
            name: primitive.name().to_owned(),
            skinned: true,
            fields: Fields::default(),
            before_drag: None,
            tab_before: None,
        }
    }

    fn commands(&self, primitive: Primitive) -> Vec<Command> {
        vec![Command::AddMesh {
            name: self.name.clone(),
            surface: Surface::Primitive(primitive),
            skinned: self.skinned,
        }]
    }

    /// Previews the primitive, in the tab for such a mesh.
    fn show(&self, view: &View, out: &mut Vec<Request>) {
        if view.settings.tab != tab_for(self.skinned) {
            // Switching tabs would end the preview.
            out.push(Request::Cancel);
            out.push(Request::Act(tab_action(self.skinned)));
        }
        if self.primitive.check().is_ok() {
            out.push(Request::Preview(self.commands(self.primitive)));
        }
    }

    /// Applies an edit of the fields to the dialog's primitive, not to the scene.
    fn apply_edit(&mut self, edit: Edit<Primitive>) {
        match edit {
            Edit::Dragging(primitive) => {
                self.before_drag.get_or_insert(self.primitive);
                self.primitive = primitive;
            }
            Edit::Set(primitive) => self.primitive = primitive,
            Edit::Done => self.before_drag = None,
            Edit::Cancelled => self.primitive = self.before_drag.take().unwrap_or(self.primitive),
        }
    }
}

/// Draws the dialog. Returns whether it is finished.
pub fn primitive_ui(ctx: &Context, view: &View, state: &mut PrimitiveState, out: &mut Vec<Request>) -> bool {
    let mut changed = false;
    if state.tab_before.is_none() {
        state.tab_before = Some(view.settings.tab);
        state.skinned = view.settings.tab == Tab::Rig;
        changed = true;
    }
    let (mut add, mut cancel) = (false, false);
    let before = (state.primitive, state.name.clone());
    // The Enter that ends typing a number has no other effect.
    let enter = !state.fields.typing() && is_confirmed(ctx);
    // At the side, so that the previewed primitive stays visible.
    let id = Id::new("add primitive");
    let area = Modal::default_area(id).anchor(Align2::RIGHT_TOP, vec2(-24.0, 64.0));
    let shown = modal("add primitive").area(area).backdrop_color(Color32::TRANSPARENT).show(ctx, |ui| {
        ui.set_width(300.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        let kind = state.primitive.name().to_lowercase();
        ui.heading(format!("New {kind}"));
        ui.add_space(theme::GAP);
        name_ui(ui, &mut state.name);
        changed |= kind_ui(ui, &mut state.skinned, "primitive");
        ui.add_space(theme::SMALL_GAP);
        for edit in numbers_ui(ui, state) {
            state.apply_edit(edit);
        }
        ui.add_space(theme::SMALL_GAP);
        let problem = state.primitive.check().err();
        match &problem {
            Some(problem) => {
                ui.label(RichText::new(capitalize(&problem.to_string()) + ".").color(theme::ERROR))
            }
            None => ui.weak(counted(state.primitive.face_count() as usize, "face", "faces")),
        };
        ui.add_space(theme::GAP);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = ui.add_enabled(problem.is_none(), main_dialog_button(&format!("Add {kind}")));
            let button = button.tip("Adds it with an instance, in one undo step (Enter).");
            add = button.disabled_tip("These values give no valid surface.").clicked()
                || enter && problem.is_none();
            let tip = "Leaves the scene as it was (Esc).";
            cancel = ui.add(dialog_button("Cancel")).tip(tip).clicked();
        });
    });
    // Esc in a drag or in a field ends only that.
    let busy = state.fields.dragging() || state.fields.typing();
    // A click outside does not close the dialog: orbiting or opening a menu must not discard the primitive.
    let esc = is_dismissed(&shown);
    let close = !add && (cancel || esc && !busy);
    if (changed || before != (state.primitive, state.name.clone())) && !close {
        state.show(view, out);
    }
    if add {
        out.push(Request::Preview(state.commands(state.primitive)));
        out.push(Request::Commit);
        out.push(Request::Act(Action::FRAME_SELECTED));
    } else if close {
        out.push(Request::Cancel);
        if let Some(tab_before) = state.tab_before.filter(|tab| *tab != view.settings.tab) {
            out.push(Request::Act(tab_action(tab_before == Tab::Rig)));
        }
    }
    add || close
}

fn name_ui(ui: &mut Ui, name: &mut String) {
    ui.horizontal(|ui| {
        ui.allocate_ui(vec2(theme::NAME_WIDTH, theme::ROW), |ui| {
            ui.set_min_width(theme::NAME_WIDTH);
            ui.label("Name");
        });
        let width = ui.available_width();
        let edit = ui.add(line_edit(name, width).hint_text("Mesh").char_limit(200));
        ui.ctx().accesskit_node_builder(edit.id, |node| node.set_label("Primitive name"));
    });
}

/// A reference to the value that a row edits.
enum Value<'a> {
    Length(&'a mut f32),
    /// Lengths along the three axes.
    Lengths(&'a mut Vec3),
    /// A count, with its minimum.
    Count(&'a mut u32, u32),
    /// Counts along the three axes, at least 1 each.
    Counts(&'a mut [u32; 3]),
}

/// A label, its tooltip, and the value.
type Row<'a> = (&'static str, &'static str, Value<'a>);

const AROUND: &str = "Quads around the y axis.";
const EDGES: &str = "Lengths of the edges.";
const BENDING: &str = "Quads along the y axis; with more, it bends better.";
const CELLS: &str = "Cells along each edge; with more, it bends better.";
const RING: &str = "From the axis to the middle of the ring.";

/// The rows of a primitive. Their number and order depend only on the shape.
fn rows(primitive: &mut Primitive) -> Vec<Row<'_>> {
    use Value::{Count, Counts, Length, Lengths};
    match primitive {
        Primitive::Box { size } => vec![("Size", EDGES, Lengths(size))],
        Primitive::Sphere { radius, around, along } => vec![
            ("Radius", "From the middle to the surface.", Length(radius)),
            ("Around", AROUND, Count(around, 3)),
            ("Along", "Bands from pole to pole.", Count(along, 2)),
        ],
        Primitive::Cylinder { radius, height, around, along } => vec![
            ("Radius", "From the axis to the side.", Length(radius)),
            ("Height", "Along the y axis.", Length(height)),
            ("Around", AROUND, Count(around, 3)),
            ("Along", BENDING, Count(along, 1)),
        ],
        Primitive::Bar { size, divisions } => {
            vec![("Size", EDGES, Lengths(size)), ("Divisions", CELLS, Counts(divisions))]
        }
        Primitive::Capsule { radius, height, around, along, cap } => vec![
            ("Radius", "Radius of the cylinder and its round ends.", Length(radius)),
            ("Height", "Along the y axis, with the round ends.", Length(height)),
            ("Around", AROUND, Count(around, 3)),
            ("Along", "Quads along the cylinder.", Count(along, 1)),
            ("Ends", "Bands of each round end.", Count(cap, 1)),
        ],
        Primitive::Plane { size, divisions: [columns, rows] } => vec![
            ("Width", "Along x.", Length(&mut size.x)),
            ("Depth", "Along z.", Length(&mut size.y)),
            ("Columns", "Quads along x.", Count(columns, 1)),
            ("Rows", "Quads along z.", Count(rows, 1)),
        ],
        Primitive::Torus { radius, thickness, around, across } => vec![
            ("Radius", RING, Length(radius)),
            ("Thickness", "Radius of the ring itself.", Length(thickness)),
            ("Around", AROUND, Count(around, 3)),
            ("Across", "Quads around the ring itself.", Count(across, 3)),
        ],
    }
}

/// Draws the number fields and returns their edits.
fn numbers_ui(ui: &mut Ui, state: &mut PrimitiveState) -> Vec<Edit<Primitive>> {
    let primitive = state.primitive;
    let fields = &mut state.fields;
    fields.set_subject(("primitive", primitive.name()));
    let mut out = Vec::new();
    for (index, (label, tooltip, value)) in rows(&mut primitive.clone()).into_iter().enumerate() {
        // Returns the primitive with other values in this row.
        let with_values = |set: Vec3| {
            let mut changed = primitive;
            match rows(&mut changed).swap_remove(index).2 {
                Value::Length(length) => *length = set.x,
                Value::Lengths(lengths) => *lengths = set,
                Value::Count(count, _) => *count = set.x.round() as u32,
                Value::Counts(counts) => *counts = set.to_array().map(|n| n.round() as u32),
            }
            changed
        };
        let with_value = |set: f32| with_values(Vec3::splat(set));
        let length = |default| Number { min: 0.001, max: 1e6, default, ..Number::new(label, tooltip) };
        let count = |least, default| Number {
            min: f64::from(least),
            max: f64::from(MAX_DIVISIONS),
            step: 0.1,
            decimals: 0,
            default,
            ..Number::new(label, tooltip)
        };
        match value {
            Value::Length(&mut value) => {
                let number = length(f64::from(value));
                scalar_row(ui, fields, &number, value, None, &mut out, &with_value);
            }
            Value::Lengths(&mut value) => {
                vector_row(ui, fields, label, &length(1.0), value, &mut out, &with_values);
            }
            Value::Count(&mut value, least) => {
                let number = count(least, f64::from(value));
                scalar_row(ui, fields, &number, value as f32, None, &mut out, &with_value);
            }
            Value::Counts(&mut value) => {
                let value = Vec3::from(value.map(|n| n as f32));
                vector_row(ui, fields, label, &count(1, 1.0), value, &mut out, &with_values);
            }
        }
    }
    fields.end_frame(ui.ctx(), &mut out);
    out
}
