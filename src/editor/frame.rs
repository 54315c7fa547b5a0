//! The steps of a frame, in order: external input, the panels, the viewport's tools, the changes that both
//! requested, evaluation of the scene, upload to the graphics card, overlay. The panels run before the tools
//! because the viewport is one of their widgets.

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

/// Chains the steps of a frame.
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
