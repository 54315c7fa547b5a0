//! The table itself: text, tooltip and shortcuts of every action.

use super::{Action, ActionInfo, Shortcut};

/// The row of `action`.
pub fn row(action: Action) -> ActionInfo {
    let (text, tooltip) = words(action);
    ActionInfo {
        text,
        tooltip,
        shortcuts: shortcuts(action),
    }
}

fn words(action: Action) -> (&'static str, &'static str) {
    match action {
        Action::New => ("New", "Start an empty scene."),
        Action::OpenHuman => ("Open the human", "Open the human that comes with the program."),
        Action::Open => ("Open…", "Open a js3d scene file."),
        Action::Save => ("Save", "Save the scene to its file."),
        Action::SaveAs => ("Save as…", "Save the scene to a file of another name."),
        Action::Quit => ("Quit", "Close the program."),
        Action::Undo => ("Undo", "Take back the last change."),
        Action::Redo => ("Redo", "Make the change again that was taken back."),
        Action::AddBone => (
            "Add bone",
            "Add a bone at the tip of the selected bone, or at the base if no bone is selected.",
        ),
        Action::AddIk => ("Add IK", "Add a handle that pulls the tip of the selected bone."),
        Action::Delete => ("Delete", "Delete the selected bone or handle."),
        Action::CalculateWeights => (
            "Calculate bone weights",
            "Replace all weights by each bone's nearness to each vertex, within the bone's radius.",
        ),
        Action::ResetBonePose => ("Reset bone pose", "Turn the selected bone back to the bind pose."),
        Action::ResetPose => (
            "Reset pose",
            "Turn all bones back and move the base back to the bind pose.",
        ),
        Action::Deselect => ("Deselect", "Select less: first no part, then nothing."),
        Action::TabRig => ("Rig", "Edit the skeleton in its bind pose."),
        Action::TabAnimate => ("Animate", "Pose the skeleton and see the skin follow."),
        Action::ToggleTab => ("Switch tab", "Go from Rig to Animate and back."),
        Action::FrameSelected => (
            "Frame selected",
            "Move the view so that the selection fills it; everything if nothing is selected.",
        ),
        Action::FrameAll => ("Frame all", "Move the view so that everything fits."),
        Action::ViewFront => ("Front view", "Look from the front, where z points."),
        Action::ViewBack => ("Back view", "Look from behind, against the front view."),
        Action::ViewRight => ("Right view", "Look from the side where x points."),
        Action::ViewLeft => ("Left view", "Look from the side opposite to x."),
        Action::ViewTop => ("Top view", "Look down from above."),
        Action::ViewBottom => ("Bottom view", "Look up from below."),
        Action::ToggleOrthographic => (
            "Orthographic",
            "Show parallel lines as parallel, without perspective.",
        ),
        Action::ToggleXray => ("X-ray", "Show the bones through the skin."),
        Action::ToggleSkin => ("Show skin", "Show the surface of the meshes."),
        Action::ToggleBones => ("Show bones", "Show the bones of the selected skinned mesh."),
        Action::ToggleAxes => ("Show axes", "Show each bone's own x, y and z axes at its start."),
        Action::ToggleHandles => ("Show handles", "Show the IK handles."),
        Action::ToggleGrid => ("Show grid", "Show the grid on the ground."),
        Action::ToggleWireframe => ("Wireframe", "Show the edges of the meshes."),
        Action::ToggleSolveIk => (
            "Solve IK",
            "Let enabled handles pull their bones in the Animate tab.",
        ),
        Action::CalculateSelectedWeights => (
            "Calculate selected bones",
            "Calculate the share of the selected bones anew; the others keep their proportions.",
        ),
        Action::SmoothWeights => (
            "Smooth weights",
            "Blend each vertex's weights with those of its neighbours; vertices without weights get theirs.",
        ),
        Action::PruneWeights => (
            "Prune weights",
            "Drop small weights and scale the rest so that they add up to 1.",
        ),
        Action::LimitWeights => (
            "Limit influences",
            "Keep the largest weights of each vertex and scale them so that they add up to 1.",
        ),
        Action::NormalizeWeights => (
            "Normalise weights",
            "Scale the weights of each vertex so that they add up to 1.",
        ),
        Action::ClearWeights => (
            "Clear weights",
            "Remove all weights; vertices without weights stay where they are.",
        ),
        Action::ToggleHeat => (
            "Heat view",
            "Colour the skin by the weight of the selected bone, or by the strongest bone if none is selected.",
        ),
        Action::ToggleRainbow => (
            "Rainbow colours",
            "Colour the heat view from blue to red, as other programs do.",
        ),
        Action::ShowMessages => ("Messages", "Show what was found and said so far."),
        Action::ShowKeys => ("Keys and mouse", "Show what every key and mouse button does."),
        Action::About => (
            "About Ossature",
            "Show the version and what the program is made of.",
        ),
    }
}

fn shortcuts(action: Action) -> &'static [Shortcut] {
    match action {
        Action::New => const { &[Shortcut::ctrl("N")] },
        Action::Open => const { &[Shortcut::ctrl("O")] },
        Action::Save => const { &[Shortcut::ctrl("S")] },
        Action::SaveAs => const { &[Shortcut::ctrl_shift("S")] },
        Action::Quit => const { &[Shortcut::ctrl("Q")] },
        Action::Undo => const { &[Shortcut::ctrl("Z")] },
        Action::Redo => const { &[Shortcut::ctrl_shift("Z"), Shortcut::ctrl("Y")] },
        // The second one for keyboards without Delete.
        Action::Delete => const { &[Shortcut::plain("Delete"), Shortcut::ctrl("Backspace")] },
        Action::Deselect => const { &[Shortcut::plain("Escape")] },
        // As in Blender: add, add IK, clear rotation, wireframe, x-ray.
        Action::AddBone => const { &[Shortcut::shift("A")] },
        Action::AddIk => const { &[Shortcut::shift("I")] },
        Action::ResetBonePose => const { &[Shortcut::alt("R")] },
        Action::ResetPose => const { &[Shortcut::alt_shift("R")] },
        Action::ToggleWireframe => const { &[Shortcut::shift("Z")] },
        Action::ToggleXray => const { &[Shortcut::alt("Z")] },
        Action::CalculateWeights => const { &[Shortcut::shift("W")] },
        Action::ToggleTab => const { &[Shortcut::plain("Tab")] },
        Action::FrameSelected => const { &[Shortcut::plain("F")] },
        Action::FrameAll => const { &[Shortcut::plain("A"), Shortcut::plain("Home")] },
        Action::ViewFront => const { &[Shortcut::plain("Num1")] },
        Action::ViewBack => const { &[Shortcut::ctrl("Num1")] },
        Action::ViewRight => const { &[Shortcut::plain("Num3")] },
        Action::ViewLeft => const { &[Shortcut::ctrl("Num3")] },
        Action::ViewTop => const { &[Shortcut::plain("Num7")] },
        Action::ViewBottom => const { &[Shortcut::ctrl("Num7")] },
        Action::ToggleOrthographic => const { &[Shortcut::plain("Num5")] },
        Action::ToggleSkin => const { &[Shortcut::shift("S")] },
        Action::ToggleBones => const { &[Shortcut::shift("B")] },
        Action::ToggleAxes => const { &[Shortcut::shift("X")] },
        Action::ToggleHandles => const { &[Shortcut::shift("H")] },
        Action::ToggleGrid => const { &[Shortcut::shift("G")] },
        Action::ToggleSolveIk => const { &[Shortcut::plain("I")] },
        Action::ToggleHeat => const { &[Shortcut::plain("W")] },
        Action::ShowMessages => const { &[Shortcut::ctrl("L")] },
        Action::ShowKeys => const { &[Shortcut::plain("F1")] },
        Action::OpenHuman | Action::TabRig | Action::TabAnimate | Action::About => &[],
        Action::CalculateSelectedWeights
        | Action::SmoothWeights
        | Action::PruneWeights
        | Action::LimitWeights
        | Action::NormalizeWeights
        | Action::ClearWeights
        | Action::ToggleRainbow => &[],
    }
}
