//! The window: Bevy and egui around the editing core.
//!
//! `app` is the application, `viewport` what happens and is drawn over the scene, `projection` the scene as entities,
//! `render` its way into files, `state` what they share. `ui` and `panels` know egui alone; all else names Bevy.
//! Imports go downwards in that order.

pub mod app;
mod frame;
pub mod headless;
pub mod panels;
mod picture;
pub mod projection;
pub mod render;
pub mod state;
mod threads;
pub mod ui;
pub mod viewport;

pub use app::offscreen::{FRAME_S as OFFSCREEN_FRAME_S, Offscreen, Widget};
pub use app::screenshot;
pub use app::start::Start;
pub use app::{Target, embedded_human, run};
pub use headless::adapter_available;
pub use picture::Picture;
