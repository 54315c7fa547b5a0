//! The dialog that adds a primitive: its numbers, shown live in the view before they count.

use super::import::{kind_ui, tab, tab_of};
use super::status::counted;
use crate::edit::action::Action;
use crate::edit::command::{Command, Surface};
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::dialog::{accented, modal, tall};
use crate::editor::ui::fields::{Edit, Fields};
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{line_edit, scalar_row, vector_row};
use crate::editor::ui::text::capital;
use crate::editor::ui::theme;
use crate::mesh::primitives::{MOST_DIVISIONS, Primitive};
use egui::{Align, Align2, Color32, Context, Id, Layout, Modal, RichText, Ui, vec2};
use glam::{Vec2, Vec3};

/// A primitive that is being added.
pub struct PrimitiveState {
    primitive: Primitive,
    /// As typed.
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

    /// Shows the primitive as it would be, in the tab that shows such a mesh.
    fn show(&self, view: &View, out: &mut Vec<Request>) {
        if view.settings.tab != tab(self.skinned) {
            // Another tab ends a preview.
            out.push(Request::Cancel);
            out.push(Request::Act(tab_of(self.skinned)));
        }
        if self.primitive.check().is_ok() {
            out.push(Request::Preview(self.commands(self.primitive)));
        }
    }

    /// What the fields asked for: it changes the numbers here, not yet the scene.
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

/// The dialog. True once it is done with.
pub fn primitive_ui(ctx: &Context, view: &View, state: &mut PrimitiveState, out: &mut Vec<Request>) -> bool {
    let mut changed = false;
    if state.tab_before.is_none() {
        state.tab_before = Some(view.settings.tab);
        state.skinned = view.settings.tab == Tab::Rig;
        changed = true;
    }
    let (mut add, mut cancel) = (false, false);
    let before = (state.primitive, state.name.clone());
    // The Enter that ends typing a number means nothing else.
    let enter = !state.fields.typing() && ctx.input(|input| input.key_pressed(egui::Key::Enter));
    // Beside what it is about, which stays in sight.
    let id = Id::new("add primitive");
    let area = Modal::default_area(id).anchor(Align2::RIGHT_TOP, vec2(-24.0, 64.0));
    let shown = modal("add primitive")
        .area(area)
        .backdrop_color(Color32::TRANSPARENT)
        .show(ctx, |ui| {
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
                    ui.label(RichText::new(capital(&problem.to_string()) + ".").color(theme::ERROR))
                }
                None => ui.weak(counted(state.primitive.face_count() as usize, "face", "faces")),
            };
            ui.add_space(theme::GAP);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let button = ui.add_enabled(problem.is_none(), accented(&format!("Add {kind}")));
                let button = button.on_hover_text("Adds it with an instance, in one undo step (Enter).");
                add = button
                    .on_disabled_hover_text("These values give no valid surface.")
                    .clicked()
                    || enter && problem.is_none();
                let tip = "Leaves the scene as it was (Esc).";
                cancel = ui.add(tall("Cancel")).on_hover_text(tip).clicked();
            });
        });
    // Esc in a drag or in a field ends that alone.
    let busy = state.fields.dragging() || state.fields.typing();
    // A click beside it is no answer: who orbits or reaches for a menu does not mean to lose it.
    let esc = shown.should_close() && !shown.backdrop_response.clicked();
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
            out.push(Request::Act(tab_of(tab_before == Tab::Rig)));
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
        ui.ctx()
            .accesskit_node_builder(edit.id, |node| node.set_label("Primitive name"));
    });
}

/// Rows of numbers of one primitive.
struct Rows<'a> {
    ui: &'a mut Ui,
    fields: &'a mut Fields<Primitive>,
    out: Vec<Edit<Primitive>>,
    default: Primitive,
}

impl Rows<'_> {
    fn length(&mut self, label: &str, tooltip: &str, value: f32, set: &dyn Fn(f32) -> Primitive) {
        let number = Number {
            default: f64::from(value),
            ..length(label, tooltip)
        };
        scalar_row(self.ui, self.fields, &number, value, None, &mut self.out, set);
    }

    fn count(&mut self, label: &str, tooltip: &str, value: u32, least: u32, set: &dyn Fn(u32) -> Primitive) {
        let number = Number {
            min: f64::from(least),
            default: f64::from(value),
            ..count(label, tooltip)
        };
        let meaning = |v: f32| set(v.round() as u32);
        scalar_row(
            self.ui,
            self.fields,
            &number,
            value as f32,
            None,
            &mut self.out,
            &meaning,
        );
    }

    fn lengths(&mut self, label: &str, tooltip: &str, value: Vec3, set: &dyn Fn(Vec3) -> Primitive) {
        let number = Number {
            default: 1.0,
            ..length(label, tooltip)
        };
        vector_row(self.ui, self.fields, label, &number, value, &mut self.out, set);
    }

    fn counts(&mut self, label: &str, tooltip: &str, value: [u32; 3], set: &dyn Fn([u32; 3]) -> Primitive) {
        let number = Number {
            min: 1.0,
            default: 1.0,
            ..count(label, tooltip)
        };
        let meaning = |v: Vec3| set(v.to_array().map(|n| n.round() as u32));
        let value = Vec3::from(value.map(|n| n as f32));
        vector_row(
            self.ui,
            self.fields,
            label,
            &number,
            value,
            &mut self.out,
            &meaning,
        );
    }
}

fn length<'a>(label: &'a str, tooltip: &'a str) -> Number<'a> {
    Number {
        min: 0.001,
        max: 1e6,
        ..Number::new(label, tooltip)
    }
}

fn count<'a>(label: &'a str, tooltip: &'a str) -> Number<'a> {
    Number {
        step: 0.1,
        decimals: 0,
        max: f64::from(MOST_DIVISIONS),
        ..Number::new(label, tooltip)
    }
}

const AROUND: &str = "Quads around the y axis.";

/// What the fields asked for.
fn numbers_ui(ui: &mut Ui, state: &mut PrimitiveState) -> Vec<Edit<Primitive>> {
    let default = state.primitive;
    state.fields.set_subject(("primitive", default.name()));
    let mut rows = Rows {
        ui,
        fields: &mut state.fields,
        out: Vec::new(),
        default,
    };
    rows_of(&mut rows);
    let (ctx, mut out) = (rows.ui.ctx().clone(), rows.out);
    state.fields.end_frame(&ctx, &mut out);
    out
}

fn rows_of(r: &mut Rows) {
    use Primitive as P;
    match r.default {
        P::Box { size } => r.lengths("Size", "Lengths of the edges.", size, &|size| P::Box { size }),
        P::Sphere {
            radius,
            around,
            along,
        } => {
            let of = |radius, around, along| P::Sphere {
                radius,
                around,
                along,
            };
            r.length("Radius", "From the middle to the surface.", radius, &|v| {
                of(v, around, along)
            });
            r.count("Around", AROUND, around, 3, &|v| of(radius, v, along));
            r.count("Along", "Bands from pole to pole.", along, 2, &|v| {
                of(radius, around, v)
            });
        }
        P::Cylinder {
            radius,
            height,
            around,
            along,
        } => {
            let of = |radius, height, around, along| P::Cylinder {
                radius,
                height,
                around,
                along,
            };
            r.length("Radius", "From the axis to the side.", radius, &|v| {
                of(v, height, around, along)
            });
            r.length("Height", "Along the y axis.", height, &|v| {
                of(radius, v, around, along)
            });
            r.count("Around", AROUND, around, 3, &|v| of(radius, height, v, along));
            r.count(
                "Along",
                "Quads along the y axis; with more, it bends better.",
                along,
                1,
                &|v| of(radius, height, around, v),
            );
        }
        P::Bar { size, divisions } => {
            r.lengths("Size", "Lengths of the edges.", size, &|size| P::Bar {
                size,
                divisions,
            });
            let tip = "Cells along each edge; with more, it bends better.";
            r.counts("Divisions", tip, divisions, &|divisions| P::Bar {
                size,
                divisions,
            });
        }
        P::Capsule {
            radius,
            height,
            around,
            along,
            cap,
        } => {
            let of = |radius, height, around, along, cap| P::Capsule {
                radius,
                height,
                around,
                along,
                cap,
            };
            r.length("Radius", "Of the cylinder and of its round ends.", radius, &|v| {
                of(v, height, around, along, cap)
            });
            r.length("Height", "Along the y axis, with the round ends.", height, &|v| {
                of(radius, v, around, along, cap)
            });
            r.count("Around", AROUND, around, 3, &|v| {
                of(radius, height, v, along, cap)
            });
            r.count("Along", "Quads along the cylinder.", along, 1, &|v| {
                of(radius, height, around, v, cap)
            });
            r.count("Ends", "Bands of each round end.", cap, 1, &|v| {
                of(radius, height, around, along, v)
            });
        }
        P::Plane { size, divisions } => {
            let of = |size, divisions| P::Plane { size, divisions };
            let [x, z] = divisions;
            r.length("Width", "Along x.", size.x, &|v| {
                of(Vec2::new(v, size.y), divisions)
            });
            r.length("Depth", "Along z.", size.y, &|v| {
                of(Vec2::new(size.x, v), divisions)
            });
            r.count("Columns", "Quads along x.", x, 1, &|v| of(size, [v, z]));
            r.count("Rows", "Quads along z.", z, 1, &|v| of(size, [x, v]));
        }
        P::Torus {
            radius,
            thickness,
            around,
            across,
        } => {
            let of = |radius, thickness, around, across| P::Torus {
                radius,
                thickness,
                around,
                across,
            };
            r.length(
                "Radius",
                "From the axis to the middle of the ring.",
                radius,
                &|v| of(v, thickness, around, across),
            );
            r.length("Thickness", "Radius of the ring itself.", thickness, &|v| {
                of(radius, v, around, across)
            });
            r.count("Around", AROUND, around, 3, &|v| of(radius, thickness, v, across));
            r.count("Across", "Quads around the ring itself.", across, 3, &|v| {
                of(radius, thickness, around, v)
            });
        }
    }
}
