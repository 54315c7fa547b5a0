//! Rendering from the window. To be written.
use super::Editor;
use bevy::prelude::*;
pub fn poll(_editor: ResMut<Editor>) {}
