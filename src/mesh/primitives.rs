//! Simple closed surfaces.
