//! glTF 2.0: characters for engines and other programs.

pub mod glb;
pub mod read;
pub mod schema;
