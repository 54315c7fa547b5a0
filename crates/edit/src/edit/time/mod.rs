//! Keys, frames and playback: what is keyed, how an edit of a clip works, and what shows its course.

pub mod attach;
pub mod bake;
pub mod bake_moves;
pub mod cycle;
pub mod detected_stances;
pub mod filters;
pub mod guard;
pub mod key_state;
pub mod key_values;
pub mod keying;
pub mod keying_set;
pub mod layer_keys;
pub mod loops;
pub mod mirror_keys;
mod mirror_switches;
pub mod motion_paths;
pub mod onion;
pub mod playback;
pub mod spread;
pub mod stances;
pub mod timeline;
pub mod tween;
