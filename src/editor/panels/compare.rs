//! The Compare panel: the skinning and weights of the left and the right side, and their effect on the volume
//! and the longest edge, at the current frame and over the played range.

use crate::edit::action::Action;
use crate::edit::compare::{CompareSettings, Curves, Layout as Sides, Pair, SideChoice};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::choice::{choice_ui, line_ui, option_ui};
use crate::editor::ui::plot::{Curve, Plot, plot_ui};
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, list, theme};
use crate::mesh::measure::Deformation;
use crate::rig::skinning;
use crate::rig::weights::method::Method;
use egui::{
    Align, Align2, Button, DragValue, Frame, Layout, Margin, Rect, RichText, ScrollArea, Sense, Ui,
    WidgetInfo, WidgetType, vec2,
};

/// The name of each side, for labels and within sentences.
pub const SIDES: [(&str, &str); 2] = [("Left", "left"), ("Right", "right")];
const COLUMN: f32 = 46.0;
const MIN_PLOT_HEIGHT: f32 = 96.0;
const MAX_PLOT_HEIGHT: f32 = 240.0;

/// The data that the window computes for the panel.
#[derive(Default)]
pub struct CompareState {
    /// The name of the compared instance; empty if there is none.
    pub name: String,
    pub status: [SideStatus; 2],
    pub numbers: Option<Numbers>,
    pub curves: Curves,
    /// The number of frames of the curves that are up to date.
    pub measured: usize,
    /// The captions of the left and the right side over the viewport; `None` while nothing is compared.
    pub captions: Option<[Caption; 2]>,
}

/// Whether a side can be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SideStatus {
    #[default]
    Ready,
    /// The progress of calculating its weights, from 0 to 1.
    CalculatingWeights(f32),
    /// The reason why its weights cannot be calculated.
    Failed(String),
}

/// The measurements at the current frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numbers {
    pub frame: f32,
    pub sides: Pair,
}

/// The caption of a side in the viewport.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    pub text: String,
    pub status: SideStatus,
}

impl CompareState {
    /// Resets the state, for when nothing is compared.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    pub fn forget_curves(&mut self) {
        (self.curves, self.measured) = (Curves::default(), 0);
    }
}

pub fn compare_ui(ui: &mut Ui, view: &View, state: &CompareState, out: &mut Vec<Request>) {
    let frame = Frame::new().inner_margin(Margin::symmetric(10, 8));
    let height = ui.available_height() - 16.0;
    let scroll = ScrollArea::vertical().id_salt("compare").auto_shrink(false);
    scroll.show(ui, |ui| {
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            let top = ui.cursor().top();
            head_ui(ui, state, out);
            layout_ui(ui, view, out);
            choices_ui(ui, view, state, out);
            ui.add_space(theme::GAP);
            ui.separator();
            numbers_ui(ui, state.numbers.as_ref());
            ui.add_space(theme::GAP);
            plots_ui(ui, view, state, height - (ui.cursor().top() - top), out);
        });
    });
}

fn head_ui(ui: &mut Ui, state: &CompareState, out: &mut Vec<Request>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Compare").size(theme::HEADING).color(theme::TEXT_STRONG));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.add(Button::new(icons::CLOSE).frame(false));
            close.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Close Compare"));
            if close.tip("Show a single character again.").clicked() {
                out.push(Request::Act(Action::TOGGLE_COMPARE));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = match state.name.as_str() {
                    "" => "There is no visible skinned mesh.".to_owned(),
                    name => list::shorten(name),
                };
                ui.add(egui::Label::new(RichText::new(name).color(theme::TEXT_QUIET)).truncate());
            });
        });
    });
}

/// Draws the choice between the side-by-side and the split layout.
fn layout_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let settings = view.settings.compare;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
        let width = (ui.available_width() - theme::SMALL_GAP) / 2.0;
        for (layout, text, tooltip) in [
            (
                Sides::SideBySide,
                "Side by side",
                "The whole character twice, seen from the same place. Both can be clicked and dragged.",
            ),
            (
                Sides::Split,
                "Split",
                "One character, split by a line: one way on the left, the other on the right. The line can be dragged.",
            ),
        ] {
            let selected = settings.layout == layout;
            if option_ui(ui, selected, text, text, tooltip, width) {
                out.push(Request::Compare(CompareSettings { layout, ..settings }));
            }
        }
    });
}

fn quiet_label(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).color(theme::TEXT_QUIET).small());
}

/// Draws the colour and the name of a side, in their own column.
fn side_ui(ui: &mut Ui, side: usize) {
    let (rect, _) = ui.allocate_exact_size(vec2(COLUMN, theme::ROW), Sense::hover());
    let swatch = Rect::from_center_size(rect.left_center() + vec2(5.0, 0.0), vec2(10.0, 10.0));
    ui.painter().rect_filled(swatch, 2.0, theme::COMPARED[side]);
    let text_position = rect.left_center() + vec2(15.0, 0.0);
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().text(text_position, Align2::LEFT_CENTER, SIDES[side].0, font, *theme::TEXT);
}

fn choices_ui(ui: &mut Ui, view: &View, state: &CompareState, out: &mut Vec<Request>) {
    let settings = view.settings.compare;
    let mut next = settings;
    ui.spacing_mut().item_spacing.x = theme::SMALL_GAP;
    let width = (ui.available_width() - COLUMN - 2.0 * theme::SMALL_GAP) / 2.0;
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 14.0;
        ui.add_space(COLUMN + theme::SMALL_GAP);
        for text in ["Skinning", "Weights"] {
            ui.allocate_ui_with_layout(vec2(width, 14.0), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(width);
                quiet_label(ui, text);
            });
        }
    });
    for side in 0..2 {
        let choice = &mut next.sides[side];
        ui.horizontal(|ui| {
            side_ui(ui, side);
            let cell = vec2(width, theme::ROW);
            ui.allocate_ui(cell, |ui| skinning_ui(ui, side, width, choice));
            ui.allocate_ui(cell, |ui| weights_ui(ui, side, width, choice));
        });
        parameters_ui(ui, side, choice);
        match &state.status[side] {
            SideStatus::Ready => {}
            SideStatus::CalculatingWeights(progress) => {
                quiet_label(ui, &format!("Calculating the weights, {:.0} %", 100.0 * progress));
            }
            SideStatus::Failed(reason) => {
                ui.label(RichText::new(reason).color(theme::WARNING).small());
            }
        }
    }
    if next != settings {
        let CompareSettings { sides, .. } = next;
        out.push(Request::Compare(CompareSettings { sides, ..settings }));
    }
}

fn skinning_ui(ui: &mut Ui, side: usize, width: f32, choice: &mut SideChoice) {
    let label = format!("{} skinning", SIDES[side].0);
    let half = skinning::Method::try_from(0.5).unwrap_or_default();
    let text = |skinning: Option<skinning::Method>| match skinning {
        None => "As stored".to_owned(),
        Some(method) if method == half => "Half of each".to_owned(),
        Some(method) => method.description(),
    };
    let all = [None, Some(skinning::Method::LINEAR), Some(skinning::Method::DUAL_QUATERNION), Some(half)];
    let tooltip = "How the skin follows the bones on this side.";
    choice_ui(ui, &label, &label, tooltip, &text(choice.skinning), width, |ui| {
        for skinning in all {
            if line_ui(ui, &label, &text(skinning), skinning == choice.skinning) {
                choice.skinning = skinning;
            }
        }
    });
}

fn weights_ui(ui: &mut Ui, side: usize, width: f32, choice: &mut SideChoice) {
    let label = format!("{} weights", SIDES[side].0);
    let text = |weights: Option<Method>| weights.map_or("As stored", |method| method.label());
    let all = [None].into_iter().chain(Method::all().map(Some));
    let tooltip =
        "Which weights this side uses: those of the document, or others calculated only for this view.";
    choice_ui(ui, &label, &label, tooltip, text(choice.weights), width, |ui| {
        for weights in all {
            if line_ui(ui, &label, text(weights), text(weights) == text(choice.weights)) {
                choice.weights = weights;
            }
        }
    });
}

/// Draws the parameters of the weight method that are not whole numbers.
fn parameters_ui(ui: &mut Ui, side: usize, choice: &mut SideChoice) {
    let Some(method) = choice.weights else {
        return;
    };
    for (param, mut value) in method.params().filter(|(param, _)| !param.whole) {
        let row = vec2(ui.available_width(), theme::ROW);
        ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
            let drag = DragValue::new(&mut value).speed(0.02).range(param.min..=param.max).max_decimals(2);
            let label = format!("{} {}", SIDES[side].0, param.label.to_lowercase());
            setting_ui(ui, &label, param.about, vec2(64.0, theme::ROW), drag);
            quiet_label(ui, param.label);
        });
        choice.weights = choice.weights.map(|method| method.with(param.id, value));
    }
}

fn percent(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

fn ratio(value: f64) -> String {
    format!("{value:.3}")
}

fn numbers_ui(ui: &mut Ui, numbers: Option<&Numbers>) {
    let room = ui.available_width() - 2.0 * theme::SMALL_GAP;
    // The names are the longest.
    let (name_width, width) = (0.4 * room, 0.3 * room);
    let row = |ui: &mut Ui, name: &str, cells: [(String, String); 2], heading: bool| {
        ui.horizontal(|ui| {
            let height = if heading { theme::ROW } else { 18.0 };
            let cell = |ui: &mut Ui, text: &str, label: &str, strong: bool| {
                let width = if strong { width } else { name_width };
                let layout = Layout::left_to_right(Align::Center);
                ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| {
                    ui.set_min_width(width);
                    let ink = if strong { theme::TEXT_STRONG } else { theme::TEXT_QUIET };
                    let response = ui.add(egui::Label::new(RichText::new(text).color(ink)).truncate());
                    response.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, label));
                });
            };
            cell(ui, name, name, false);
            for (side, (text, label)) in cells.iter().enumerate() {
                if heading {
                    ui.allocate_ui(vec2(width, height), |ui| {
                        ui.set_min_width(width);
                        side_ui(ui, side);
                    });
                } else {
                    cell(ui, text, label, true);
                }
            }
        });
    };
    let frame = numbers
        .map_or(String::new(), |numbers| format!("At frame {}", (numbers.frame * 100.0).round() / 100.0));
    row(ui, &frame, Default::default(), true);
    let cells = |name: &str, text: &dyn Fn(&Deformation) -> String| {
        [0, 1].map(|side| {
            let deformation = numbers.and_then(|numbers| numbers.sides[side].as_ref());
            let text = deformation.map_or("–".to_owned(), text);
            let label = format!("{} {name} {text}", SIDES[side].0);
            (text, label)
        })
    };
    let volume = |deformation: &Deformation| deformation.volume.map_or("not closed".to_owned(), percent);
    row(ui, "Volume", cells("volume", &volume), false);
    let stretch = |deformation: &Deformation| ratio(deformation.stretch);
    row(ui, "Largest stretch", cells("stretch", &stretch), false);
}

fn plots_ui(ui: &mut Ui, view: &View, state: &CompareState, room: f32, out: &mut Vec<Request>) {
    let curves = &state.curves;
    if curves.frames.is_empty() {
        quiet_label(ui, "Nothing is animated: there are no frames to plot.");
        return;
    }
    let curves_of = |value: fn(&Deformation) -> Option<f64>| {
        [0, 1].map(|side| Curve {
            name: SIDES[side].1,
            color: *theme::COMPARED[side],
            values: (curves.frames.iter())
                .map(|deformation| value((*deformation.as_ref()?)[side].as_ref()?))
                .collect(),
        })
    };
    let (volume, stretch) =
        (curves_of(|deformation| deformation.volume), curves_of(|deformation| Some(deformation.stretch)));
    let frame = view.session.frame();
    let (total, done) = (curves.frames.len(), state.measured.min(curves.frames.len()));
    // The titles, the progress line and the gaps between them.
    let height = ((room - 84.0) / 2.0).clamp(MIN_PLOT_HEIGHT, MAX_PLOT_HEIGHT);
    let mut clicked_frame = None;
    let closed = volume.iter().any(|curve| curve.values.iter().any(Option::is_some));
    let volume_plot = Plot {
        label: "Volume plot",
        first: curves.first,
        curves: &volume,
        frame,
        reference: 1.0,
        least_span: 0.02,
        scale: 100.0,
        decimals: 1,
        unit: " %",
    };
    let stretch_plot = Plot {
        label: "Stretch plot",
        curves: &stretch,
        least_span: 0.1,
        scale: 1.0,
        decimals: 3,
        unit: "",
        ..volume_plot
    };
    quiet_label(ui, "Volume, against the bind pose");
    if closed || done == 0 {
        clicked_frame = clicked_frame.or(plot_ui(ui, &volume_plot, height));
    } else {
        ui.label("The surface is not closed, so it has no volume.");
    }
    ui.add_space(theme::SMALL_GAP);
    quiet_label(ui, "Largest stretch of an edge, against its length in the bind pose");
    clicked_frame = clicked_frame.or(plot_ui(ui, &stretch_plot, height));
    if done < total {
        quiet_label(ui, &format!("Measuring: {done} of {total} frames"));
    }
    out.extend(clicked_frame.map(|frame| Request::SetFrame(frame as f32)));
}
