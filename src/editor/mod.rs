//! The window: Bevy and egui around the editing core.
