//! What is done in a session, on disk as it is done, so that a program that is killed loses at most the step that it was
//! at. A session has a folder in the state directory: `lock`, `base.js3d` (the document as it was opened), `journal` (see
//! [`records`]), files of long records, and snapshots. Documents themselves are never touched.
//!
//! [`writer`] follows a session, [`recovery`] carries a journal out again, [`store`] knows the folders.

mod owner;
pub mod records;
pub mod recovery;
mod snapshots;
pub mod store;
pub mod writer;
