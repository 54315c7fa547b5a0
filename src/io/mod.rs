//! Files: the js3d format, the report of findings, durable saving.

pub mod durable;
pub mod js3d;
pub mod report;
