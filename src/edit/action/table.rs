//! The table itself: text, tooltip and shortcuts of every action.

use super::{Action, ActionInfo, Shortcut, animate};
use crate::io::examples::Example;

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
        Action::OpenHuman => (Example::Human.text(), Example::Human.about()),
        Action::OpenWalk => (Example::Walk.text(), Example::Walk.about()),
        Action::OpenQuadruped => (Example::Quadruped.text(), Example::Quadruped.about()),
        Action::OpenCylinder => (Example::Cylinder.text(), Example::Cylinder.about()),
        Action::OpenBar => (Example::Bar.text(), Example::Bar.about()),
        Action::Open => ("Open…", "Open a js3d scene file."),
        Action::Save => ("Save", "Save the scene to its file."),
        Action::SaveAs => ("Save as…", "Save the scene to a file of another name."),
        Action::Import => (
            "Import OBJ…",
            "Add a mesh from an OBJ file, as a mesh or as a skinned mesh to be rigged.",
        ),
        Action::Append => ("Append scene…", "Add everything of another js3d scene file."),
        Action::Export => (
            "Export OBJ…",
            "Save the selected mesh as OBJ: in Rig its bind pose, in Animate as it is posed.",
        ),
        Action::RenderAnimation => (
            "Render animation…",
            "Write the frames of the animation as pictures, a GIF or an MP4.",
        ),
        Action::SavePicture => ("Save picture…", "Write the frame that is shown as a picture."),
        Action::Quit => ("Quit", "Close the program."),
        Action::Undo => ("Undo", "Take back the last change."),
        Action::Redo => ("Redo", "Make the change again that was taken back."),
        Action::NewBone => (
            "New bone",
            "Draw bones into the mesh one after the other, from the tip of the selected bone or from the base.",
        ),
        Action::AddBone => (
            "Add bone",
            "Add a bone at the tip of the selected bone, or at the base if no bone is selected.",
        ),
        Action::Delete => (
            "Delete",
            "Delete the selected bones and handles, or in the Animate tab the selected instance.",
        ),
        Action::DeleteWithData => (
            "Delete with data",
            "Delete the selected instance and what it alone uses: its transform, its mesh, its material.",
        ),
        Action::Duplicate => (
            "Duplicate",
            "Copy the selected bones in place, or in the Animate tab the instance with its mesh, skeleton or light.",
        ),
        Action::DuplicateLinked => (
            "Duplicate linked",
            "Make a second instance in the same place that shares its mesh, skeleton or light with the first.",
        ),
        Action::Rename => (
            "Rename",
            "Type another name for the selected bone, instance or resource in its list.",
        ),
        Action::AddIk => (
            "Add IK",
            "Add a handle that pulls the tip of each selected bone; in the Animate tab it holds the tip where it is.",
        ),
        Action::SetParent => (
            "Set parent",
            "Parent the selected bones to the active one, the last selected; all tips stay where they are.",
        ),
        Action::ClearParent => (
            "Clear parent",
            "Make the selected bones start at the base; all tips stay where they are.",
        ),
        Action::SplitBones => (
            "Split…",
            "Cut each selected bone into equal pieces, which share its weights.",
        ),
        Action::MergeBones => (
            "Merge into parent",
            "Join each selected bone with its parent, which reaches to its tip and takes its weights.",
        ),
        Action::MirrorX => (
            "Mirror across x",
            "Make or update the selected bones' mirror images on the other side of x = 0, with .L and .R in their names; of two selected sides, the one changed last is copied.",
        ),
        Action::MirrorY => (
            "Mirror across y",
            "Make or update the selected bones' mirror images on the other side of y = 0; of two selected sides, the one changed last is copied.",
        ),
        Action::MirrorZ => (
            "Mirror across z",
            "Make or update the selected bones' mirror images on the other side of z = 0; of two selected sides, the one changed last is copied.",
        ),
        Action::AlignRoll => (
            "Align roll to bend",
            "Turn the selected bones' own axes so that a chain bends about local x alone.",
        ),
        Action::AlignRollToAxis => (
            "Align roll to axis…",
            "Turn the selected bones' own x or z as near as can be to an axis of the mesh.",
        ),
        Action::FitRadius => (
            "Fit radius",
            "Set the radii of the selected bones, or of all if none is selected, to what the surface around them needs.",
        ),
        Action::ScaleRadius => (
            "Scale radius…",
            "Multiply the radii of the selected bones, or of all if none is selected.",
        ),
        Action::DeleteWithChildren => (
            "Delete with children",
            "Delete the selected bones and all their descendants.",
        ),
        Action::CalculateWeights => (
            "Calculate bone weights",
            "Replace all weights by those that the chosen method makes of bones and surface.",
        ),
        Action::CopyPose => (
            "Copy pose",
            "Remember how the selected bones are turned as seen, or all bones and the base if none is selected.",
        ),
        Action::PastePose => (
            "Paste pose",
            "Turn the bones that were copied, here or in another skeleton with bones of their names.",
        ),
        Action::PasteMirroredPose => (
            "Paste mirrored pose",
            "Turn the bones on the other side of x = 0 into the mirror image of those that were copied.",
        ),
        Action::BakeIk => (
            "Bake IK…",
            "Write the turns that handles pull bones into as keys, frame by frame.",
        ),
        Action::ResetBonePose => (
            "Reset bone pose",
            "Turn the selected bones back to the bind pose.",
        ),
        Action::ResetPose => (
            "Reset pose",
            "Turn all bones back and move the base back to the bind pose.",
        ),
        Action::MakeSkinned => (
            "Make skinned mesh",
            "Give the selected mesh, or the only one of the scene, a skeleton to draw bones into.",
        ),
        Action::FlipOrientation => (
            "Flip orientation",
            "Turn the surface of the selected mesh inside out.",
        ),
        Action::AddBox => ("Box…", "Add a box."),
        Action::AddSphere => ("Sphere…", "Add a sphere of meridians and bands."),
        Action::AddCylinder => ("Cylinder…", "Add a cylinder that stands on the origin."),
        Action::AddBar => (
            "Bar…",
            "Add a box cut into cells, which can bend, standing on the origin.",
        ),
        Action::AddCapsule => (
            "Capsule…",
            "Add a cylinder with round ends, standing on the origin.",
        ),
        Action::AddPlane => ("Plane…", "Add a flat grid on the ground."),
        Action::AddTorus => ("Torus…", "Add a ring around the y axis."),
        Action::AddCamera => ("Camera", "Add a camera that sees what the view shows."),
        Action::AddPointLight => (
            "Point light",
            "Add a light above the scene that shines to all sides.",
        ),
        Action::AddDirectionalLight => (
            "Directional light",
            "Add a light like the sun, which shines in one direction from everywhere.",
        ),
        Action::AddSpotLight => (
            "Spot light",
            "Add a light above the scene that shines at its middle, in a cone.",
        ),
        Action::AddHemisphereLight => (
            "Hemisphere light",
            "Add light that comes from above, like that of the sky, with a texture of its own.",
        ),
        Action::AddSphereLight => (
            "Sphere light",
            "Add light that comes from all around, with a texture of its own.",
        ),
        Action::Deselect => ("Deselect", "Select less: first no part, then nothing."),
        Action::SelectAll => ("Select all bones", "Select every bone of the skinned mesh."),
        Action::InvertSelection => (
            "Invert selection",
            "Select the bones that are not selected, and no others.",
        ),
        Action::SelectParent => ("Select parent", "Go to the parent of the selected bone."),
        Action::SelectChildren => (
            "Select children",
            "Go to the bones that start at the tip of the selected one.",
        ),
        Action::ExtendToParent => (
            "Extend to parent",
            "Select the parents of the selected bones too.",
        ),
        Action::ExtendToChildren => (
            "Extend to children",
            "Select the bones that start at the tips of the selected ones too.",
        ),
        Action::FindBone => (
            "Filter bones",
            "Show only those bones in the tree whose names hold some text.",
        ),
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
        Action::ToggleOrthographicAxisViews => (
            "Orthographic axis views",
            "Show views along an axis without perspective, until the view is orbited.",
        ),
        Action::LookThroughCamera => (
            "Look through camera",
            "See the scene through the selected camera, or through its only one, and go back.",
        ),
        Action::CameraToView => (
            "Camera to view",
            "Put the selected camera, or the only one, where the view is; its lens stays as it is.",
        ),
        Action::ToggleXray => ("X-ray", "Show the bones through the skin."),
        Action::ToggleSkin => ("Show skin", "Show the surface of the meshes."),
        Action::ToggleBones => ("Show bones", "Show the bones of the selected skinned mesh."),
        Action::ToggleAxes => ("Show axes", "Show each bone's own x, y and z axes at its start."),
        Action::ToggleLinks => (
            "Show link bones",
            "Show in the tree what carries the start of bones away from the tip of their parent.",
        ),
        Action::ToggleHandles => ("Show handles", "Show the IK handles."),
        Action::ToggleGrid => ("Show grid", "Show the grid on the ground."),
        Action::ToggleWireframe => ("Wireframe", "Show the edges of the meshes."),
        Action::ToggleSolveIk => (
            "Solve IK",
            "Let enabled handles pull their bones in the Animate tab.",
        ),
        Action::ToggleMotionPaths => (
            "Motion paths",
            "Show where the selected bones, handles, base or instance go in the frames that are played.",
        ),
        Action::BonesAutomatic => (
            "Automatic bone display",
            "Show bones at their radius in Rig where weights depend on it, and as spheres elsewhere.",
        ),
        Action::BonesAsCapsules => (
            "Bones as capsules",
            "Show bones at their radius, which weights may depend on.",
        ),
        Action::BonesAsSpheres => (
            "Bones as spheres",
            "Show a sphere at each joint and a line along each bone.",
        ),
        Action::BonesAsFrames => (
            "Bones as frames",
            "Show the x, y and z axes at each joint and a line along each bone.",
        ),
        Action::ToggleCompare => (
            "Compare",
            "Show the character twice, deformed in two ways: by two methods of skinning, or by two kinds of weights.",
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
        Action::ToggleChildren => (
            "Children move along",
            "Move all descendants along with a bone's tip, dragged or typed; off, the tips of its children stay.",
        ),
        Action::ToggleRainbow => (
            "Rainbow colours",
            "Colour the heat view from blue to red, as other programs do.",
        ),
        Action::GizmoMove => (
            "Move",
            "Move the selected instance, handle or tip of a bone with arrows and planes.",
        ),
        Action::GizmoTurn => (
            "Rotate",
            "Rotate the selected instance, or in Rig the selected bones with their descendants, with rings.",
        ),
        Action::GizmoScale => (
            "Scale",
            "Scale the selected instance along its own axes, or in Rig the lengths of the selected bones.",
        ),
        Action::AxesWorld => ("World axes", "Move and rotate along the axes of the world."),
        Action::AxesParent => ("Parent axes", "Move and rotate along the axes of the parent."),
        Action::AxesLocal => ("Local axes", "Move and rotate along the selection's own axes."),
        Action::CycleAxes => ("Switch axes", "Go from world to parent to local axes and back."),
        Action::ShowMessages => ("Messages", "Show what was found and said so far."),
        Action::ShowKeys => ("Keyboard shortcuts", "Show what every key and mouse button does."),
        Action::About => (
            "About Ossature",
            "Show the version and what the program is made of.",
        ),
        _ => animate::words(action),
    }
}

fn shortcuts(action: Action) -> &'static [Shortcut] {
    match action {
        Action::New => const { &[Shortcut::ctrl("N")] },
        Action::Open => const { &[Shortcut::ctrl("O")] },
        Action::Save => const { &[Shortcut::ctrl("S")] },
        Action::SaveAs => const { &[Shortcut::ctrl_shift("S")] },
        // As in Blender.
        Action::RenderAnimation => const { &[Shortcut::ctrl("F12")] },
        Action::SavePicture => const { &[Shortcut::plain("F12")] },
        Action::Quit => const { &[Shortcut::ctrl("Q")] },
        Action::Undo => const { &[Shortcut::ctrl("Z")] },
        Action::Redo => const { &[Shortcut::ctrl_shift("Z"), Shortcut::ctrl("Y")] },
        // The second one for keyboards without Delete.
        Action::Delete => const { &[Shortcut::plain("Delete"), Shortcut::ctrl("Backspace")] },
        Action::Deselect => const { &[Shortcut::plain("Escape")] },
        Action::NewBone => const { &[Shortcut::plain("N")] },
        Action::DeleteWithData => const { &[Shortcut::shift("Delete")] },
        // As in Blender.
        Action::Duplicate => const { &[Shortcut::shift("D")] },
        Action::DuplicateLinked => const { &[Shortcut::alt("D")] },
        Action::Rename => const { &[Shortcut::plain("F2")] },
        // As in Maya and Unity, with the key beside them for the axes.
        Action::GizmoMove => const { &[Shortcut::plain("W")] },
        Action::GizmoTurn => const { &[Shortcut::plain("E")] },
        Action::GizmoScale => const { &[Shortcut::plain("R")] },
        Action::CycleAxes => const { &[Shortcut::plain("Q")] },
        // As in Blender, but for plain A, which frames all.
        Action::SelectAll => const { &[Shortcut::ctrl("A")] },
        Action::InvertSelection => const { &[Shortcut::ctrl("I")] },
        Action::SelectParent => const { &[Shortcut::plain("OpenBracket")] },
        Action::SelectChildren => const { &[Shortcut::plain("CloseBracket")] },
        Action::ExtendToParent => const { &[Shortcut::shift("OpenBracket")] },
        Action::ExtendToChildren => const { &[Shortcut::shift("CloseBracket")] },
        Action::FindBone => const { &[Shortcut::ctrl("F")] },
        // As in Blender: add, add IK, clear rotation, wireframe, x-ray.
        Action::AddBone => const { &[Shortcut::shift("A")] },
        Action::AddIk => const { &[Shortcut::shift("I")] },
        Action::ResetBonePose => const { &[Shortcut::alt("R")] },
        Action::ResetPose => const { &[Shortcut::alt_shift("R")] },
        Action::CopyPose => const { &[Shortcut::ctrl("C")] },
        Action::PastePose => const { &[Shortcut::ctrl("V")] },
        Action::PasteMirroredPose => const { &[Shortcut::ctrl_shift("V")] },
        Action::ToggleMotionPaths => const { &[Shortcut::shift("P")] },
        Action::SetParent => const { &[Shortcut::ctrl("P")] },
        Action::ClearParent => const { &[Shortcut::alt("P")] },
        Action::MergeBones => const { &[Shortcut::alt("M")] },
        Action::AlignRoll => const { &[Shortcut::shift("N")] },
        Action::ScaleRadius => const { &[Shortcut::alt("S")] },
        Action::MirrorX => const { &[Shortcut::ctrl("M")] },
        Action::SplitBones => const { &[Shortcut::ctrl("K")] },
        Action::FitRadius => const { &[Shortcut::alt("F")] },
        Action::DeleteWithChildren => const { &[Shortcut::ctrl("Delete")] },
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
        // As in Blender.
        Action::LookThroughCamera => const { &[Shortcut::plain("Num0")] },
        Action::CameraToView => const { &[Shortcut::ctrl_alt("Num0")] },
        Action::ToggleOrthographic => const { &[Shortcut::plain("Num5")] },
        Action::ToggleSkin => const { &[Shortcut::shift("S")] },
        Action::ToggleBones => const { &[Shortcut::shift("B")] },
        Action::ToggleAxes => const { &[Shortcut::shift("X")] },
        Action::ToggleHandles => const { &[Shortcut::shift("H")] },
        Action::ToggleGrid => const { &[Shortcut::shift("G")] },
        // Plain I keys, as in Blender.
        Action::ToggleSolveIk => const { &[Shortcut::alt_shift("I")] },
        Action::ToggleCompare => const { &[Shortcut::shift("C")] },
        Action::ToggleHeat => const { &[Shortcut::plain("H")] },
        Action::ShowMessages => const { &[Shortcut::ctrl("L")] },
        Action::ShowKeys => const { &[Shortcut::plain("F1")] },
        Action::OpenHuman
        | Action::OpenWalk
        | Action::OpenQuadruped
        | Action::OpenCylinder
        | Action::OpenBar
        | Action::Import
        | Action::Append
        | Action::Export
        | Action::MakeSkinned
        | Action::FlipOrientation
        | Action::AddBox
        | Action::AddSphere
        | Action::AddCylinder
        | Action::AddBar
        | Action::AddCapsule
        | Action::AddPlane
        | Action::AddTorus
        | Action::AddCamera
        | Action::AddPointLight
        | Action::AddDirectionalLight
        | Action::AddSpotLight
        | Action::AddHemisphereLight
        | Action::AddSphereLight
        | Action::TabRig
        | Action::TabAnimate
        | Action::AxesWorld
        | Action::AxesParent
        | Action::AxesLocal
        | Action::MirrorY
        | Action::MirrorZ
        | Action::AlignRollToAxis
        | Action::BakeIk
        | Action::ToggleOrthographicAxisViews
        | Action::BonesAutomatic
        | Action::BonesAsCapsules
        | Action::BonesAsSpheres
        | Action::BonesAsFrames
        | Action::CalculateSelectedWeights
        | Action::SmoothWeights
        | Action::PruneWeights
        | Action::LimitWeights
        | Action::NormalizeWeights
        | Action::ClearWeights
        | Action::ToggleRainbow
        | Action::ToggleChildren
        | Action::About => &[],
        _ => animate::shortcuts(action),
    }
}
