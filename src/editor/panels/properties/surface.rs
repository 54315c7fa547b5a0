//! The surface of a mesh: what it consists of, which side is out, how smooth it looks.

use super::super::import::described;
use super::buttons;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::panels::status::grouped;
use crate::editor::ui::fields::Fields;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, scalar_row};
use crate::editor::ui::theme;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::statistics::Statistics;
use crate::scene::names::Thing;
use egui::Ui;
use std::sync::Arc;

/// What is remembered between frames.
pub struct SurfaceState {
    /// Of the surface that was shown last.
    counted: Option<(Arc<HalfedgeMesh>, Statistics)>,
    /// The angle that Smooth normals takes.
    angle_deg: f32,
}

impl Default for SurfaceState {
    fn default() -> Self {
        Self {
            counted: None,
            angle_deg: 30.0,
        }
    }
}

impl SurfaceState {
    fn statistics(&mut self, surface: &Arc<HalfedgeMesh>) -> Statistics {
        let known = self.counted.as_ref().filter(|(of, _)| Arc::ptr_eq(of, surface));
        if let Some((_, statistics)) = known {
            return *statistics;
        }
        let statistics = Statistics::of(surface);
        self.counted = Some((surface.clone(), statistics));
        statistics
    }
}

/// Statistics, Flip orientation, and Smooth normals: dragging the angle shows it at once.
pub fn surface_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut SurfaceState,
    (mesh, surface): (Thing, &Arc<HalfedgeMesh>),
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    let s = state.statistics(surface);
    ui.add_space(theme::GAP);
    fact_row(ui, "Mesh", theme::FACT_WIDTH, described(&s));
    let kinds = [
        (s.triangles, "triangles"),
        (s.quads, "quads"),
        (s.polygons(), "larger"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<_> = kinds
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    fact_row(ui, "Edges", theme::FACT_WIDTH, grouped(s.edges));
    fact_row(ui, "Faces", theme::FACT_WIDTH, kinds.join(", "));
    let pieces = format!(
        "{} pieces, {} open edge loops",
        grouped(s.shells),
        grouped(s.boundaries)
    );
    fact_row(ui, "Pieces", theme::FACT_WIDTH, pieces);
    ui.add_space(theme::SMALL_GAP);
    let number = Number {
        min: 0.0,
        max: 180.0,
        default: 30.0,
        ..Number::degrees(
            "Smooth angle",
            "Edges that bend by more look sharp. 0: all of them; 180: none.",
        )
    };
    let mut asked = Vec::new();
    let smooth = |angle_deg: f32| {
        vec![Command::SmoothNormals {
            mesh: mesh.clone(),
            angle_deg,
        }]
    };
    scalar_row(
        ui,
        fields,
        &number,
        state.angle_deg,
        Some([0.0, 180.0]),
        &mut asked,
        &smooth,
    );
    for request in &asked {
        if let Request::Preview(commands) | Request::Apply(commands) = request
            && let Some(Command::SmoothNormals { angle_deg, .. }) = commands.first()
        {
            state.angle_deg = *angle_deg;
        }
    }
    out.extend(asked);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        let button = ui.add_sized([width, theme::ROW], egui::Button::new("Smooth normals"));
        let tip = "Compute all normals anew: smooth across edges that bend by at most the smooth angle.";
        if button.on_hover_text(tip).clicked() {
            out.push(Request::Apply(smooth(state.angle_deg)));
        }
        buttons(ui, view, &[Action::FlipOrientation], out);
    });
}
