//! Calculating weights: by which method, the button, and how the weights stand; progress while they are
//! calculated. An exponent counts while its slider moves.

use super::MeshFacts;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::command::weights::calculation;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::panels::facts::ReportCache;
use crate::editor::panels::status::{counted, grouped};
use crate::editor::panels::working::{Doing, Working};
use crate::editor::ui::action::{action_button, main_button};
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::scalar_row;
use crate::editor::ui::theme;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::{DEFAULT_EXPONENT, EXPONENTS, Method, Methods};
use crate::scene::skinned::SkinnedMesh;
use egui::{Button, DragValue, RichText, Ui, vec2};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// What the panels know of weights between frames.
#[derive(Default)]
pub struct WeightsState {
    pub report: ReportCache,
    /// The methods before the drag of an exponent that is under way.
    before: Option<Methods>,
    /// The mesh is too large for the weights to follow that drag.
    late: bool,
    memory: Memory,
}

/// States of the weights that are remembered.
const KEPT: usize = 64;

/// By which methods weights were calculated when: undo and redo bring the methods back too.
#[derive(Default)]
struct Memory {
    /// Scenes of the history share their weights, so that each state of them is known by where it lies.
    states: VecDeque<(Weak<VertexWeights>, Methods)>,
    now: Option<Weak<VertexWeights>>,
    /// Other weights have been asked for.
    leaves: bool,
}

impl Memory {
    /// The methods that `weights` had, where these are others than before and were there before.
    fn follow(&mut self, weights: &Arc<VertexWeights>, methods: Methods) -> Option<Methods> {
        let now = Arc::downgrade(weights);
        let same = self.now.as_ref().is_some_and(|old| old.ptr_eq(&now));
        if !same {
            (self.now, self.leaves) = (Some(now.clone()), false);
        }
        match self.states.iter_mut().find(|(of, _)| of.ptr_eq(&now)) {
            Some((_, then)) if !same => return Some(*then).filter(|then| *then != methods),
            Some((_, then)) if !self.leaves => *then = methods,
            Some(_) => {}
            None => {
                self.states.push_back((now, methods));
                if self.states.len() > KEPT {
                    self.states.pop_front();
                }
            }
        }
        None
    }
}

/// What takes longer than this does not follow a slider: vertices times bones.
pub const LIVE_WORK: usize = 1_000_000;

impl WeightsState {
    /// An exponent that a field asks weights for is remembered. Where the mesh is too large, weights are
    /// calculated once the drag has ended.
    pub fn hear(&mut self, view: &View, out: &mut Vec<Request>) {
        let mesh = view.session.selection().mesh.as_deref();
        let mesh = mesh.and_then(|mesh| view.session.scene().skinned_meshes.get(mesh));
        if let Some(mesh) = mesh.filter(|_| !view.session.in_transaction()) {
            let then = self.memory.follow(&mesh.weights, view.settings.weigh_by);
            out.extend(then.map(Request::WeighBy));
        }
        for request in std::mem::take(out) {
            let asked = match &request {
                Request::Preview(commands) | Request::Apply(commands) => asked(view, commands),
                _ => None,
            };
            self.memory.leaves |= asked.is_some();
            match (asked, &request) {
                (Some((method, live)), Request::Preview(_)) => {
                    let methods = view.settings.weigh_by;
                    self.before.get_or_insert(methods);
                    self.late = !live;
                    out.push(Request::WeighBy(methods.with(method)));
                    out.extend(live.then_some(request));
                }
                (Some((method, live)), _) => {
                    out.push(Request::WeighBy(view.settings.weigh_by.with(method)));
                    out.push(match live {
                        true => request,
                        false => Request::Act(Action::CalculateWeights),
                    });
                }
                (None, Request::Commit | Request::Cancel) => {
                    let before = self.before.take();
                    let late = std::mem::take(&mut self.late);
                    let cancelled = request == Request::Cancel;
                    self.memory.leaves &= !cancelled;
                    out.push(request);
                    match before {
                        Some(before) if cancelled => out.push(Request::WeighBy(before)),
                        Some(_) if late => out.push(Request::Act(Action::CalculateWeights)),
                        _ => {}
                    }
                }
                _ => out.push(request),
            }
        }
    }
}

/// The method whose weights are asked for, and whether they are there at once.
fn asked(view: &View, commands: &[Command]) -> Option<(Method, bool)> {
    let [Command::CalculateWeights { mesh, method }] = commands else {
        return None;
    };
    let skinned = view.session.scene().skinned_meshes.get(mesh)?;
    Some((*method, calculation(skinned, method, None).work() <= LIVE_WORK))
}

fn method_ui(ui: &mut Ui, view: &View, fields: &mut Fields, out: &mut Vec<Request>) {
    let methods = view.settings.weigh_by;
    let chosen = methods.chosen();
    choice_row(ui, "weigh by", "Method", about(&chosen), chosen.label(), |ui| {
        for method in methods.all() {
            let here = *method == chosen;
            if line_ui(ui, "Method", method.label(), here) && !here {
                out.push(Request::WeighBy(methods.with(*method)));
            }
        }
    });
    match chosen {
        Method::Power { exponent } => {
            exponent_ui(ui, view, fields, exponent, out, |exponent| Method::Power {
                exponent,
            });
        }
        Method::Tube { exponent } => {
            exponent_ui(ui, view, fields, exponent, out, |exponent| Method::Tube {
                exponent,
            });
        }
        Method::Heat { largest } => largest_ui(ui, methods, largest, out),
        Method::Capsule | Method::InverseDistance => {}
    }
}

fn about(method: &Method) -> &'static str {
    match method {
        Method::Capsule => "Within each bone's radius, fading towards it. Fast, and easy to foresee.",
        Method::InverseDistance => "Within each bone's radius, by one over the distance.",
        Method::Power { .. } => "All bones, by one over the distance to the power of the exponent.",
        Method::Tube { .. } => "For two bones in a row along a tube: by the place along them.",
        Method::Heat { .. } => {
            "Heat spreads over the surface from the bones that it sees. Radii do not matter; close limbs stay apart."
        }
    }
}

fn exponent_ui(
    ui: &mut Ui,
    view: &View,
    fields: &mut Fields,
    exponent: f32,
    out: &mut Vec<Request>,
    with: fn(f32) -> Method,
) {
    let (low, high) = (f64::from(*EXPONENTS.start()), f64::from(*EXPONENTS.end()));
    let number = Number {
        min: low,
        max: high,
        decimals: 2,
        default: f64::from(DEFAULT_EXPONENT),
        ..Number::new(
            "Exponent",
            "Large: each vertex follows its nearest bone. Small: all bones count everywhere. Weights follow.",
        )
    };
    let mesh = view.session.selection().mesh.clone();
    scalar_row(
        ui,
        fields,
        &number,
        exponent,
        Some([low, high]),
        out,
        &|exponent| {
            let method = with(exponent);
            let calculate = |mesh| Command::CalculateWeights { mesh, method };
            mesh.clone().map(calculate).into_iter().collect()
        },
    );
}

fn largest_ui(ui: &mut Ui, methods: Methods, largest: Option<u8>, out: &mut Vec<Request>) {
    let mut most = largest.unwrap_or(0);
    ui.horizontal(|ui| {
        let number = DragValue::new(&mut most).range(0..=64).speed(0.1);
        let number = number.custom_formatter(|n, _| match n as u8 {
            0 => "All bones per vertex".into(),
            1 => "1 bone per vertex".into(),
            n => format!("{n} bones per vertex"),
        });
        // Typed as it is shown, or as a number alone.
        let number = number.custom_parser(|text| {
            let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
            match digits.is_empty() {
                true => text.to_lowercase().starts_with("all").then_some(0.0),
                false => digits.parse().ok(),
            }
        });
        let response = ui.add_sized(vec2(ui.available_width(), theme::ROW), number);
        ui.ctx()
            .accesskit_node_builder(response.id, |node| node.set_label("Bones per vertex"));
        response.on_hover_ui(|ui| {
            ui.strong("Bones per vertex");
            ui.label("The largest weights are kept; 0 keeps all.");
            ui.weak("Drag, or click to type.");
        });
    });
    if Some(most).filter(|most| *most > 0) != largest {
        let largest = Some(most).filter(|most| *most > 0);
        out.push(Request::WeighBy(methods.with(Method::Heat { largest })));
    }
}

/// The button that calculates, and how the weights stand; progress while they are calculated.
pub fn calculate_ui(
    ui: &mut Ui,
    view: &View,
    skinned: &SkinnedMesh,
    facts: &MeshFacts,
    fields: &mut Fields,
    working: Option<Working>,
    out: &mut Vec<Request>,
) {
    let width = ui.available_width();
    if let Some(working) = working.filter(|w| w.doing == Doing::Weights) {
        return progress_ui(ui, working.done, out);
    }
    method_ui(ui, view, fields, out);
    let moved = match facts.weighted {
        0 => Vec::new(),
        _ => skinned.weighed.moved(&skinned.skeleton),
    };
    // It calls for attention while the skin hangs on nothing, or on bones that are elsewhere now.
    if facts.weighted == 0 || !moved.is_empty() {
        main_button(ui, view, Action::CalculateWeights, width, out);
    } else {
        action_button(ui, view, Action::CalculateWeights, width, out);
    }
    let (text, color) = match (facts.weighted, facts.vertices) {
        (_, 0) => ("The mesh has no vertices".to_owned(), theme::TEXT_QUIET),
        (0, _) => ("No vertex has weights yet".to_owned(), theme::WARNING),
        _ if !moved.is_empty() => (
            format!(
                "{} changed since the weights were calculated",
                counted(moved.len(), "bone", "bones")
            ),
            theme::WARNING,
        ),
        (some, all) if some == all => (
            format!("All {} vertices have weights", grouped(all)),
            theme::TEXT_QUIET,
        ),
        (some, all) => (
            format!("{} of {} vertices have weights", grouped(some), grouped(all)),
            theme::WARNING,
        ),
    };
    let label = egui::Label::new(RichText::new(text).color(color).small()).truncate();
    let response = ui.add(label);
    if !moved.is_empty() {
        let names: Vec<_> = moved
            .iter()
            .take(12)
            .map(|&bone| skinned.skeleton.bone_name(bone))
            .collect();
        let more = moved.len() - names.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        response.on_hover_text(format!("{}{more}", names.join(", ")));
    }
}

fn progress_ui(ui: &mut Ui, progress: f32, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 76.0).max(60.0);
        let bar = egui::ProgressBar::new(progress)
            .desired_width(width)
            .desired_height(theme::TALL)
            .corner_radius(theme::RADIUS)
            .fill(theme::ACCENT_FILL)
            .text(format!("Calculating, {} %", (100.0 * progress).floor()));
        ui.add(bar);
        let cancel = Button::new("Cancel").min_size(vec2(ui.available_width(), theme::TALL));
        let response = ui.add(cancel);
        if response
            .on_hover_text("Stop calculating; the weights stay as they are.")
            .clicked()
        {
            out.push(Request::CancelCalculation);
        }
    });
    ui.label(
        RichText::new("You can go on working meanwhile")
            .color(theme::TEXT_QUIET)
            .small(),
    );
}
