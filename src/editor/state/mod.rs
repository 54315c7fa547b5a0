//! The state of the window as Bevy resources. Each system takes those that it needs.

mod parts;
mod resources;
mod seen;
pub mod shown;
mod textures;
mod weight_colors;

pub use parts::{PartMesh, Parts};
pub use resources::{Document, Panels, Redraw, Requests, Settings};
pub use seen::{Seen, view};
pub use shown::{Caches, Shown};
pub use textures::{Texture, Textures};
