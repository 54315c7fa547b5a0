//! Files: the js3d format, OBJ meshes, the report of findings, durable saving.

pub mod durable;
pub mod file;
pub mod js3d;
pub mod numbered;
pub mod obj;
pub mod report;
