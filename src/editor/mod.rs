//! The window: Bevy and egui around the editing core.
//!
//! `app` is the application; `viewport` handles input over the scene and draws overlays; `projection` mirrors
//! the scene as entities; `render` renders it to files; `state` is what they share. `ui` and `panels` use
//! egui only, `sound` neither but for waiting; everything else uses Bevy. Imports go downwards in that order.

pub mod app;
mod frame;
pub mod headless;
pub mod panels;
mod picture;
pub mod projection;
pub mod render;
mod sound;
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
