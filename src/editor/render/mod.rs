//! Renders the animation: draws frames of a scene without panels, and writes them as pictures, a GIF or an
//! MP4. The window and `ossature render` share this: a job is a value that is independent of the open
//! document, so that the document can be edited meanwhile.
//!
//! A picture is a function of the job and the frame, not of the frames before it.

mod gif;
mod headless;
mod job;
mod mp4;
mod palette;
mod render_files;
mod renderer;
mod sink;
mod view_source;

pub use headless::headless;
pub use job::{Job, Progress, RenderError, Rendered, existing};
pub use mp4::has_ffmpeg;
pub use render_files::render;
pub use renderer::Renderer;
