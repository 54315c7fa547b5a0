//! The state of the window as Bevy resources. Each system takes those that it needs.

mod joints_check;
mod parts;
mod resources;
pub mod shown;
mod textures;
mod view_params;
mod weight_colors;

pub use parts::{PartMesh, Parts};
pub use resources::{Document, Panels, Redraw, Requests, Settings};
pub use shown::{Caches, Shown};
pub use textures::{Texture, Textures};
pub use view_params::{ViewParams, view};
