//! Calculating weights: by which method, the button, and how the weights stand; progress while they are
//! calculated. Weights that the method gave, and nobody changed since, follow its exponent while its slider moves.

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
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::rig::weights::method::{DEFAULT_EXPONENT, EXPONENTS, Method};
use crate::scene::skinned::SkinnedMesh;
use egui::{Button, DragValue, RichText, Ui, vec2};

/// What takes longer than this does not follow a slider: vertices times bones.
pub const LIVE_WORK: usize = 1_000_000;

/// The method of the mesh, with its parameters. It belongs to the document.
fn method_ui(ui: &mut Ui, mesh: &str, skinned: &SkinnedMesh, fields: &mut Fields, out: &mut Vec<Request>) {
    let chosen = skinned.weight_method;
    let choose = |method| {
        let mesh = mesh.to_owned();
        Request::Apply(vec![Command::SetWeightMethod { mesh, method }])
    };
    choice_row(ui, "weigh by", "Method", about(&chosen), chosen.label(), |ui| {
        for method in Method::ALL {
            let here = method.name() == chosen.name();
            if line_ui(ui, "Method", method.label(), here) && !here {
                out.push(choose(method));
            }
        }
    });
    exponent_row(ui, mesh, skinned, fields, out);
    if let Method::Heat { largest } = chosen {
        let changed = largest_ui(ui, largest);
        out.extend(changed.map(|largest| choose(Method::Heat { largest })));
    }
}

/// The exponent of the method, if it has one.
pub(super) fn exponent_row(
    ui: &mut Ui,
    mesh: &str,
    skinned: &SkinnedMesh,
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    match skinned.weight_method {
        Method::Power { exponent } => {
            let method = |exponent| Method::Power { exponent };
            exponent_ui(ui, mesh, skinned, fields, exponent, out, method);
        }
        Method::Tube { exponent } => {
            let method = |exponent| Method::Tube { exponent };
            exponent_ui(ui, mesh, skinned, fields, exponent, out, method);
        }
        Method::Capsule | Method::InverseDistance | Method::Heat { .. } => {}
    }
}

/// Whether the weights follow the method's exponent at once: they are what that method gave, so that nobody's
/// work is lost, and calculating them takes no time.
fn follows(skinned: &SkinnedMesh) -> bool {
    let method = &skinned.weight_method;
    let by_it = skinned
        .bind_snapshot
        .method()
        .is_some_and(|by| by.name() == method.name());
    by_it && skinned.bind_snapshot.is_pure() && calculation(skinned, method, None).work() <= LIVE_WORK
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
    mesh: &str,
    skinned: &SkinnedMesh,
    fields: &mut Fields,
    exponent: f32,
    out: &mut Vec<Request>,
    with: fn(f32) -> Method,
) {
    let (low, high) = (f64::from(*EXPONENTS.start()), f64::from(*EXPONENTS.end()));
    let live = follows(skinned);
    let about = match live {
        true => {
            "Large: each vertex follows its nearest bone. Small: all bones count everywhere. Weights follow."
        }
        false => {
            "Large: each vertex follows its nearest bone. Small: all bones count everywhere. \
             The weights stay as they are until you calculate them."
        }
    };
    let number = Number {
        min: low,
        max: high,
        decimals: 2,
        default: f64::from(DEFAULT_EXPONENT),
        ..Number::new("Exponent", about)
    };
    scalar_row(
        ui,
        fields,
        &number,
        exponent,
        Some([low, high]),
        out,
        &|exponent| {
            let (mesh, method) = (mesh.to_owned(), with(exponent));
            vec![match live {
                true => Command::CalculateWeights { mesh, method },
                false => Command::SetWeightMethod { mesh, method },
            }]
        },
    );
}

/// How many bones a vertex keeps, if that was changed.
fn largest_ui(ui: &mut Ui, largest: Option<u8>) -> Option<Option<u8>> {
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
        let size = vec2(ui.available_width(), theme::ROW);
        let tooltip = "The largest weights are kept; 0 keeps all.";
        setting_ui(ui, "Bones per vertex", tooltip, size, number);
    });
    let most = Some(most).filter(|most| *most > 0);
    (most != largest).then_some(most)
}

/// The button that calculates, and how the weights stand; progress while they are calculated.
#[expect(
    clippy::too_many_arguments,
    reason = "parts of the panel's state, borrowed apart"
)]
pub fn calculate_ui(
    ui: &mut Ui,
    view: &View,
    mesh: &str,
    skinned: &SkinnedMesh,
    facts: &MeshFacts,
    report: &mut ReportCache,
    fields: &mut Fields,
    working: Option<Working>,
    out: &mut Vec<Request>,
) {
    let width = ui.available_width();
    if let Some(working) = working.filter(|w| w.doing == Doing::Weights) {
        return progress_ui(ui, working.done, out);
    }
    method_ui(ui, mesh, skinned, fields, out);
    let moved = match facts.weighted {
        0 => Vec::new(),
        _ => skinned.bind_snapshot.moved(&skinned.skeleton),
    };
    let by = skinned.bind_snapshot.method().filter(|_| facts.weighted > 0);
    let other_method = by.filter(|by| *by != skinned.weight_method);
    // It calls for attention while the skin hangs on nothing, on bones that are elsewhere now, or by
    // another method.
    if facts.weighted == 0 || !moved.is_empty() || other_method.is_some() {
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
        _ if let Some(by) = other_method => (
            format!("Calculated by another method: {}", described(&by)),
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
    let text = RichText::new(text).color(color).small();
    let settled = moved.is_empty() && other_method.is_none();
    let lacking = facts.weighted > 0 && facts.weighted < facts.vertices && settled;
    if lacking {
        let link = egui::Label::new(text.underline())
            .truncate()
            .sense(egui::Sense::click());
        let link = ui.add(link).on_hover_cursor(egui::CursorIcon::PointingHand);
        if link
            .on_hover_text("Select the others and look at them.")
            .clicked()
        {
            let unweighted = report.of(skinned).unweighted.clone();
            let selection = view.session.selection().with_vertices(unweighted);
            out.extend([Request::Select(selection), Request::Act(Action::FrameSelected)]);
        }
        return;
    }
    let response = ui.add(egui::Label::new(text).truncate());
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

/// As the weights were calculated: `Power kernel, exponent 3`.
fn described(method: &Method) -> String {
    let label = method.label();
    match method {
        Method::Power { exponent } | Method::Tube { exponent } => format!("{label}, exponent {exponent}"),
        Method::Heat { largest: Some(most) } => format!("{label}, {most} bones per vertex"),
        _ => label.to_owned(),
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
