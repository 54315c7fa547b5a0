//! Rendering the animation: frames of a scene drawn without panels and written as pictures, a GIF or an
//! MP4. The window and `ossature render` share this: a job is a value that knows nothing of the open
//! document, so that it can be edited meanwhile.
//!
//! A picture is a function of job and frame: not of the frames before it.

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
pub use job::{Done, Job, Progress, RenderError, existing};
pub use mp4::ffmpeg_is_there;
pub use render_files::render;
pub use renderer::Renderer;
