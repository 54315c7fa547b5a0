//! Properties of the surface of a mesh: statistics, orientation and smoothness.

use super::buttons;
use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::status::counted;
use crate::editor::ui::fields::Fields;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::{fact_row, scalar_row};
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::statistics::Statistics;
use crate::scene::names::{Kind, ObjectRef};
use egui::Ui;
use std::sync::Arc;

/// The state between frames.
pub struct SurfaceState {
    /// The surface that was shown last, and its statistics.
    cache: Option<(Arc<HalfedgeMesh>, Statistics)>,
    /// The angle for Smooth normals, in degrees.
    angle_deg: f32,
}

impl Default for SurfaceState {
    fn default() -> Self {
        Self { cache: None, angle_deg: 30.0 }
    }
}

impl SurfaceState {
    /// Remembers the angle of the last smoothing request.
    pub fn on_requests(&mut self, requests: &[Request]) {
        for request in requests {
            if let Request::Preview(commands) | Request::Apply(commands) = request
                && let Some(Command::SmoothNormals { angle_deg, .. }) = commands.first()
            {
                self.angle_deg = *angle_deg;
            }
        }
    }

    fn statistics(&mut self, surface: &Arc<HalfedgeMesh>) -> Statistics {
        let known = self.cache.as_ref().filter(|(cached, _)| Arc::ptr_eq(cached, surface));
        if let Some((_, statistics)) = known {
            return *statistics;
        }
        let statistics = Statistics::new(surface);
        self.cache = Some((surface.clone(), statistics));
        statistics
    }
}

/// Draws the statistics, Flip orientation and Smooth normals; dragging the angle previews it.
pub fn surface_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut SurfaceState,
    (mesh, surface): (ObjectRef, &Arc<HalfedgeMesh>),
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    let s = state.statistics(surface);
    ui.add_space(theme::GAP);
    let row = |ui: &mut Ui, name, value: String| fact_row(ui, name, value);
    if mesh.kind == Kind::Mesh {
        // The page of a skinned mesh shows these counts above.
        row(ui, "Surface", counted(s.vertices, "vertex", "vertices"));
        let faces = counted(s.faces, "face", "faces");
        row(ui, "", format!("{}, {faces}", counted(s.edges, "edge", "edges")));
    }
    let kinds = [
        (s.triangles, "triangle", "triangles"),
        (s.quads, "quad", "quads"),
        (s.polygons(), "larger", "larger"),
    ];
    let kinds = kinds.iter().filter(|(count, ..)| *count > 0);
    let kinds: Vec<_> = kinds.map(|(count, one, many)| counted(*count, one, many)).collect();
    row(ui, "Faces", kinds.join(", "));
    let shape = match (s.inside_out(), s.boundaries) {
        (Some(what), _) => format!("Closed, {what}"),
        (None, 0) => "Closed".to_owned(),
        (None, some) => counted(some, "boundary", "boundaries"),
    };
    row(ui, "Shape", format!("{shape}, {}", counted(s.shells, "shell", "shells")));
    ui.add_space(theme::SMALL_GAP);
    let number = Number {
        min: 0.0,
        max: 180.0,
        default: 30.0,
        ..Number::degrees(
            "Smooth",
            "The smooth angle: edges that bend by more look sharp. 0: all do; 180: none.",
        )
    };
    let smooth = |angle_deg: f32| vec![Command::SmoothNormals { mesh: mesh.clone(), angle_deg }];
    scalar_row(ui, fields, &number, state.angle_deg, Some([0.0, 180.0]), out, &smooth);
    ui.horizontal(|ui| {
        let width = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        let button = ui.add_sized([width, theme::ROW], egui::Button::new("Smooth normals"));
        let tip = "Recalculate all normals: smooth across edges that bend by at most the smooth angle.";
        if button.tip(tip).clicked() {
            out.push(Request::Apply(smooth(state.angle_deg)));
        }
        buttons(ui, view, &[Action::FLIP_ORIENTATION], out);
    });
    if mesh.kind == Kind::Mesh {
        buttons(ui, view, &[Action::MAKE_SKINNED], out);
    }
}
