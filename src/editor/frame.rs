//! The steps of a frame, in order: what came from outside (input), the panels, the viewport's tools, the changes that
//! both asked for, evaluation of the scene, upload to the graphics card, overlay. The panels run before the tools
//! because the viewport is a widget of theirs.

use bevy::prelude::*;

/// The steps of a frame, in order.
#[derive(SystemSet, Clone, Debug, Hash, PartialEq, Eq)]
pub enum FrameStep {
    Input,
    Panels,
    Tools,
    Apply,
    Evaluate,
    Upload,
    Overlay,
}

/// The steps of a frame come one after the other.
pub fn order_steps(app: &mut App) {
    app.configure_sets(
        Update,
        (
            FrameStep::Input,
            FrameStep::Panels,
            FrameStep::Tools,
            FrameStep::Apply,
            FrameStep::Evaluate,
            FrameStep::Upload,
            FrameStep::Overlay,
        )
            .chain(),
    );
}
