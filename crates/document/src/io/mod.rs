//! File input and output: formats, reports of findings, durable saving, and limits.

pub mod count;
pub mod damaged_pictures;
pub mod disk;
pub mod durable;
pub mod embedded_picture;
pub mod examples;
pub mod export;
pub mod file;
pub mod format;
pub mod formats;
pub mod gltf;
pub mod import;
pub mod js3d;
pub mod kind;
pub mod limits;
pub mod motion;
pub mod numbered_path;
pub mod obj;
pub mod picture;
mod picture_error;
pub mod picture_files;
pub mod picture_paths;
pub mod placing;
mod repairs;
pub mod report;
pub mod stamp;
mod unique_names;
