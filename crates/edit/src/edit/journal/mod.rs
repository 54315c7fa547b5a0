//! The record of an editing session on disk, so that a killed program loses at most the step in progress.
//! Each session has a folder in the state directory: `lock`, `base.js3d` (the document as opened), `journal`
//! (see [`records`]), files with long records, and snapshots. The documents themselves are never touched.
//!
//! [`writer`] records a session, [`recovery`] replays a journal, [`store`] manages the folders.

pub(super) mod json_error;
mod owner;
pub mod records;
pub mod recovery;
pub mod replay;
pub(super) mod similar_names;
mod snapshots;
pub mod store;
pub mod writer;
