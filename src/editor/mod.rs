//! The window: Bevy and egui around the editing core.
//!
//! `ui` and `panels` know egui alone; everything that names Bevy lies beside them.

pub mod app;
mod frame;
pub mod panels;
mod projection;
pub mod render;
pub mod ui;
mod viewport;

pub use app::offscreen::{FRAME_S as OFFSCREEN_FRAME_S, Offscreen, Picture, Widget, adapter_available};
pub use app::screenshot;
pub use app::state::Editor;
pub use app::{Target, embedded_human, run};
pub use projection::cost::{UploadCost, Way as UploadWay};
