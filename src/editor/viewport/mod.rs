//! The viewport: its area, the pointer in it, the cameras, and what is drawn over the scene.
//!
//! It is a widget of the panels, whose response is the only source of input for the tools.

mod bone_materials;
mod bone_sides;
mod bones;
pub mod bounds;
pub mod brush;
pub mod camera;
pub mod camera_view;
pub mod cameras;
mod capsules;
mod divide;
mod grid;
mod handle_lines;
pub mod light_camera_icons;
mod lines;
pub mod motion_paths;
pub mod overlay;
mod panes;
pub mod picking;
mod pointer;
pub mod quality;
pub mod scene_view;
mod state;
pub mod tools;
pub mod vertex_overlay;

pub use state::ViewportState;

use crate::editor::frame::FrameStep;
use crate::editor::state::shown::evaluate;
use crate::editor::state::{Caches, Redraw, Shown};
use bevy::prelude::*;

/// Evaluates the document and makes the cameras follow the view, without pointer or panels.
pub fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .init_resource::<Caches>()
        .init_resource::<Redraw>()
        .add_plugins((cameras::plugin, grid::plugin, overlay::plugin))
        .add_systems(
            Update,
            (evaluate, divide::divide, camera_view::follow).chain().in_set(FrameStep::Evaluate),
        );
}
