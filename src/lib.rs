//! Ossature.
