//! The View menu: tabs, viewpoints, and display settings.

use super::selected::{in_animate, require};
use super::{AppRequest, Prepared, Reason, Shortcut, ViewMove, add, row, rows};
use crate::edit::compare;
use crate::edit::settings::view::{Axes, BoneLook, GizmoMode, Shading, Tab, View, ViewSettings};
use crate::math::camera::AxisView;
use crate::rig::skeleton::Bone;
use crate::scene::instance::InstanceKind;

/// Creates a row that toggles a flag of the view settings.
macro_rules! flag {
    ($text:literal, $tooltip:literal, $($flag:ident).+) => {
        $crate::edit::action::row($text, $tooltip, |_| {
            Ok($crate::edit::action::Prepared::Run(|_, settings| {
                settings.$($flag).+ = !settings.$($flag).+;
            }))
        })
        .checked(|view| view.settings.$($flag).+)
    };
}
pub(super) use flag;

/// Creates a row that chooses the gizmo mode.
macro_rules! gizmo {
    ($text:literal, $tooltip:literal, $mode:expr, $key:literal) => {
        row($text, $tooltip, |view| {
            can_choose_gizmo(view, $mode)?;
            Ok(Prepared::Run(|session, settings| {
                let poses = settings.tab == Tab::Animate && session.selection().bone().is_some();
                let tools = &mut settings.tools;
                *(if poses { &mut tools.pose_gizmo } else { &mut tools.gizmo }) = $mode;
            }))
        })
        .checked(|view| chosen_gizmo(view) == $mode)
        .keys(&[Shortcut::plain($key)])
        .in_submenu(GIZMO)
    };
}

/// Creates a row that chooses how bones are drawn, and shows them if they are hidden.
macro_rules! bones_as {
    ($text:literal, $tooltip:literal, $style:expr, $key:literal, $check:expr) => {
        row($text, $tooltip, |view| {
            $check(view)?;
            Ok(Prepared::Run(|_, settings| {
                settings.display.bone_look = $style;
                settings.display.show_bones = true;
            }))
        })
        .checked(|view| view.settings.display.bone_look == $style)
        .keys(&[Shortcut::alt($key)])
        .in_submenu(BONES)
    };
}

/// Creates a row that chooses the shading of surfaces.
macro_rules! shading {
    ($text:literal, $tooltip:literal, $shading:expr) => {
        row($text, $tooltip, |_| Ok(Prepared::Run(|_, settings| settings.display.shading = $shading)))
            .checked(|view| view.settings.display.shading == $shading)
            .in_submenu(SHADING)
    };
}

/// Creates a row that aligns the view with an axis.
macro_rules! axis_view {
    ($text:literal, $tooltip:literal, $axis:expr, $key:expr) => {
        row($text, $tooltip, |_| Ok(Prepared::App(AppRequest::MoveView(ViewMove::Axis($axis)))))
            .keys(&[$key])
            .in_submenu(VIEWPOINT)
    };
}

/// Creates a row that chooses the axes of the gizmo.
macro_rules! axes {
    ($text:literal, $tooltip:literal, $axes:expr) => {
        row($text, $tooltip, |view| {
            can_choose_axes(view)?;
            Ok(Prepared::Run(|_, settings| settings.tools.axes = $axes))
        })
        .checked(|view| view.settings.tools.axes == $axes)
        .in_submenu(GIZMO)
    };
}

const VIEWPOINT: &str = "Viewpoint";
const SHOW: &str = "Show";
/// Also the menu in the bar over the view.
pub const BONES: &str = "Bones";
const SHADING: &str = "Shading";
const GIZMO: &str = "Gizmo";
const INTERFACE: &str = "Interface size";

/// Changes the size of the interface by a step.
fn scale(view: &View, steps: f32) -> Result<Prepared, Reason> {
    let options = &view.settings.options;
    require(options.scaled(steps) != options.scale, "The interface is at its size limit.")?;
    Ok(Prepared::Run(match steps > 0.0 {
        true => |_, settings| settings.options.scale = settings.options.scaled(1.0),
        false => |_, settings| settings.options.scale = settings.options.scaled(-1.0),
    }))
}

rows!(
    TAB_RIG = row("Rig", "Edit the skeleton in its bind pose.", |_| {
        Ok(Prepared::Run(|_, settings| open(settings, Tab::Rig)))
    })
    .checked(|view| view.settings.tab == Tab::Rig),
    TAB_ANIMATE = row("Animate", "Pose the skeleton and see the skin follow.", |_| {
        Ok(Prepared::Run(|_, settings| open(settings, Tab::Animate)))
    })
    .checked(|view| view.settings.tab == Tab::Animate),
    TOGGLE_TAB = row("Switch tab", "Go from Rig to Animate and back.", |_| {
        Ok(Prepared::Run(|_, settings| match settings.tab {
            Tab::Rig => open(settings, Tab::Animate),
            Tab::Animate => open(settings, Tab::Rig),
        }))
    })
    .keys(&[Shortcut::plain("Tab")]),
    FRAME_SELECTED = row(
        "Frame selected",
        "Move the view so that the selection fills it; everything if nothing is selected.",
        |_| Ok(Prepared::App(AppRequest::MoveView(ViewMove::FrameSelected))),
    )
    .keys(&[Shortcut::plain("F")])
    .separated(),
    FRAME_ALL = row("Frame all", "Move the view so that everything fits.", |_| {
        Ok(Prepared::App(AppRequest::MoveView(ViewMove::FrameAll)))
    })
    .keys(&[Shortcut::plain("A"), Shortcut::plain("Home")]),
    VIEW_FRONT =
        axis_view!("Front view", "Look from the front (+z).", AxisView::Front, Shortcut::plain("Num1"))
            .separated(),
    VIEW_BACK = axis_view!("Back view", "Look from behind (−z).", AxisView::Back, Shortcut::ctrl("Num1")),
    VIEW_RIGHT =
        axis_view!("Right view", "Look from the right (+x).", AxisView::Right, Shortcut::plain("Num3")),
    VIEW_LEFT = axis_view!("Left view", "Look from the left (−x).", AxisView::Left, Shortcut::ctrl("Num3")),
    VIEW_TOP = axis_view!("Top view", "Look down from above.", AxisView::Top, Shortcut::plain("Num7")),
    VIEW_BOTTOM = axis_view!("Bottom view", "Look up from below.", AxisView::Bottom, Shortcut::ctrl("Num7")),
    // Keys as in Blender, like those of the next two rows.
    LOOK_THROUGH_CAMERA = row(
        "Look through camera",
        "Look through the selected camera, or the first in the scene; press again to return.",
        look_through_camera,
    )
    .keys(&[Shortcut::plain("Num0")])
    .checked(|view| view.settings.display.camera.is_some())
    .in_submenu(VIEWPOINT)
    .separated(),
    CAMERA_TO_VIEW = row(
        "Camera to view",
        "Move the selected camera, or the only one, to the view; its lens stays as it is.",
        add::camera_to_view,
    )
    .keys(&[Shortcut::ctrl_alt("Num0")])
    .in_submenu(VIEWPOINT),
    TOGGLE_ORTHOGRAPHIC =
        flag!("Orthographic", "Show parallel lines as parallel, without perspective.", display.orthographic)
            .keys(&[Shortcut::plain("Num5")])
            .in_submenu(VIEWPOINT),
    TOGGLE_ORTHOGRAPHIC_AXIS_VIEWS = flag!(
        "Orthographic axis views",
        "Turn perspective off in views along an axis, until the view is orbited.",
        display.orthographic_axis_views
    )
    .in_submenu(VIEWPOINT),
    TOGGLE_SKIN = flag!("Show skin", "Show the surface of the meshes.", display.show_skin)
        .keys(&[Shortcut::shift("S")])
        .in_submenu(SHOW)
        .separated(),
    TOGGLE_WIREFRAME = flag!("Wireframe", "Show the edges of the meshes.", display.wireframe)
        .keys(&[Shortcut::shift("Z")])
        .in_submenu(SHOW),
    TOGGLE_BONES = flag!("Show bones", "Show the bones of the selected skinned mesh.", display.show_bones)
        .keys(&[Shortcut::shift("B")])
        .in_submenu(BONES),
    BONES_AS_OCTAHEDRA = bones_as!(
        "Bones as octahedra",
        "Show direction, length and roll, with a mark on the side of the z axis; small bones are sticks.",
        BoneLook::Octahedra,
        "Num1",
        always
    )
    .separated(),
    BONES_AS_CAPSULES = bones_as!(
        "Bones as capsules",
        "Show bones at their radius, which weights by capsule radius depend on.",
        BoneLook::Capsules,
        "Num2",
        radii_matter
    ),
    BONES_AS_STICKS = bones_as!(
        "Bones as sticks",
        "Show bones as lines, which hide least of the skin.",
        BoneLook::Sticks,
        "Num3",
        always
    ),
    TOGGLE_NAMES = flag!("Bone names", "Show the name of each bone beside it.", display.show_names)
        .keys(&[Shortcut::alt("N")])
        .in_submenu(BONES)
        .separated(),
    TOGGLE_AXES =
        flag!("Bone axes", "Show the active bone's own x, y and z axes at its head.", display.show_axes)
            .keys(&[Shortcut::shift("X")])
            .in_submenu(BONES),
    TOGGLE_XRAY = flag!("Bones in front", "Show the bones through the skin.", display.xray)
        .keywords("x-ray")
        .keys(&[Shortcut::alt("Z")])
        .in_submenu(BONES),
    TOGGLE_LINKS = flag!(
        "Show link bones",
        "Show in the tree the hidden bones that carry a head away from its parent's tail.",
        display.show_links
    )
    .in_submenu(SHOW),
    TOGGLE_HIDDEN = flag!(
        "Hidden bones",
        "Show the bones that are hidden, such as the controls and pole targets of an imported rig.",
        display.show_hidden
    )
    .in_submenu(SHOW),
    SHADING_STUDIO =
        shading!("Studio shading", "Show surfaces in their own colours and textures.", Shading::Studio)
            .separated(),
    SHADING_CLAY = shading!(
        "Clay shading",
        "Show all surfaces in matt clay, which shows their form without colours and textures.",
        Shading::Clay
    ),
    SHADING_MATCAP = shading!(
        "Matcap shading",
        "Show all surfaces polished, with reflections that reveal dents and creases.",
        Shading::Matcap
    ),
    SWITCH_SHADING = row("Switch shading", "Cycle through studio, clay and matcap shading.", |_| {
        Ok(Prepared::Run(|_, settings| {
            settings.display.shading = match settings.display.shading {
                Shading::Studio => Shading::Clay,
                Shading::Clay => Shading::Matcap,
                Shading::Matcap => Shading::Studio,
            };
        }))
    })
    .keys(&[Shortcut::plain("Z")])
    .in_submenu(SHADING),
    TOGGLE_HANDLES = flag!("Show handles", "Show the IK handles.", display.show_handles)
        .keys(&[Shortcut::shift("H")])
        .in_submenu(SHOW),
    TOGGLE_GRID = flag!("Show grid", "Show the grid on the ground.", display.show_grid)
        .keys(&[Shortcut::shift("G")])
        .in_submenu(SHOW),
    TOGGLE_FLOOR = flag!(
        "Show floor",
        "Show the floor, and where the characters stand on it by their shadows.",
        display.show_floor
    )
    .in_submenu(SHOW),
    TOGGLE_MOTION_PATHS = flag!(
        "Motion paths",
        "Show the paths of the selected bones, handles, base or instance over the play range.",
        display.motion_paths
    )
    .keys(&[Shortcut::shift("P")])
    .in_submenu(SHOW)
    .separated(),
    TOGGLE_ONION = row(
        "Onion skins",
        "Show the selected character at keys, or at frames, before and after this one.",
        |view| {
            let is_seen = view.settings.display.onion.on || view.session.selection().mesh.is_some();
            require(is_seen, "Select a character: its ghosts are shown.")?;
            Ok(Prepared::Run(|_, settings| settings.display.onion.on = !settings.display.onion.on))
        }
    )
    .checked(|view| view.settings.display.onion.on)
    .keywords("ghosts, onion skinning")
    .keys(&[Shortcut::shift("O")])
    .in_submenu(SHOW),
    PIN_ONION = row(
        "Pin onion skin",
        "Pin a ghost of this frame, so that it shows at every frame, or unpin it.",
        |view| {
            in_animate(view, "Onion skins are shown in the Animate tab.")?;
            Ok(Prepared::Run(|session, settings| {
                settings.display.onion.toggle_pin(session.frame());
                settings.display.onion.on |= !settings.display.onion.pinned.is_empty();
            }))
        },
    )
    .checked(|view| view.settings.display.onion.is_pinned(view.session.frame()))
    .in_submenu(SHOW),
    UNPIN_ONIONS = row("Unpin onion skins", "Unpin all ghosts.", |view| {
        require(!view.settings.display.onion.pinned.is_empty(), "No ghost is pinned.")?;
        Ok(Prepared::Run(|_, settings| settings.display.onion.pinned.clear()))
    },)
    .in_submenu(SHOW),
    // Plain I inserts keyframes, as in Blender.
    TOGGLE_SOLVE_IK = flag!("Solve IK", "Let enabled handles pull their bones in the Animate tab.", solve_ik)
        .keys(&[Shortcut::alt_shift("I")])
        .separated(),
    TOGGLE_COMPARE = row(
        "Compare",
        "Show the character twice, deformed in two ways: with two skinning methods or two sets of weights.",
        compare,
    )
    .keys(&[Shortcut::shift("C")])
    .checked(|view| view.settings.compare.on),
    // Keys as in Maya and Unity, with the adjacent Q for the axes.
    GIZMO_MOVE = gizmo!(
        "Move",
        "Move the selected instance, handle or bone tail with arrows and planes.",
        GizmoMode::Move,
        "W"
    )
    .keys(&[Shortcut::plain("W"), Shortcut::plain("G")])
    .separated(),
    GIZMO_ROTATE = gizmo!(
        "Rotate",
        "Rotate the selected instance, or in Rig the selected bones with their descendants, with rings.",
        GizmoMode::Rotate,
        "E"
    ),
    GIZMO_SCALE = gizmo!(
        "Scale",
        "Scale the selected instance along its own axes, or in Rig the lengths of the selected bones.",
        GizmoMode::Scale,
        "R"
    )
    .keys(&[Shortcut::plain("R"), Shortcut::plain("S")]),
    AXES_WORLD = axes!("World axes", "Move and rotate along the axes of the world.", Axes::World).separated(),
    AXES_PARENT = axes!("Parent axes", "Move and rotate along the axes of the parent.", Axes::Parent),
    AXES_LOCAL = axes!("Local axes", "Move and rotate along the selection's own axes.", Axes::Local),
    CYCLE_AXES = row("Switch axes", "Cycle through world, parent and local axes.", cycle_axes)
        .keys(&[Shortcut::plain("Q")])
        .in_submenu(GIZMO),
    // Keys as in browsers; on many keyboards Plus requires Shift.
    LARGER_INTERFACE =
        row("Larger interface", "Make text, buttons and panels larger.", |view| scale(view, 1.0))
            .keys(&[Shortcut::ctrl("Plus"), Shortcut::ctrl("Equals"), Shortcut::ctrl_shift("Plus")])
            .in_submenu(INTERFACE)
            .separated(),
    SMALLER_INTERFACE =
        row("Smaller interface", "Make text, buttons and panels smaller.", |view| scale(view, -1.0))
            .keys(&[Shortcut::ctrl("Minus")])
            .in_submenu(INTERFACE),
    NORMAL_INTERFACE =
        row("Normal interface size", "Show text, buttons and panels at the size the desktop sets.", |_| {
            Ok(Prepared::Run(|_, settings| settings.options.scale = 1.0))
        })
        .keys(&[Shortcut::ctrl("Num0")])
        .in_submenu(INTERFACE),
);

/// Opens a tab. The Rig tab has no playback.
fn open(settings: &mut ViewSettings, tab: Tab) {
    settings.tab = tab;
    if tab == Tab::Rig {
        settings.playback.pause();
    }
}

/// Whether weights depend on the radii of bones, which capsules show.
fn radii_matter(view: &View) -> Result<(), Reason> {
    let mesh = view.session.selection().mesh.as_ref();
    let skinned = mesh.and_then(|mesh| view.session.scene().skinned_meshes.get(mesh));
    let method = skinned.map(|skinned| skinned.weight_method.descriptor());
    match method.filter(|method| !method.depends_on_radius) {
        Some(method) => Err(format!("{} does not use the radii of bones.", method.label).into()),
        None => Ok(()),
    }
}

fn always(_: &View) -> Result<(), Reason> {
    Ok(())
}

/// Looks through the selected camera, or the first one in the scene; leaves the camera view if it is active.
fn look_through_camera(view: &View) -> Result<Prepared, Reason> {
    let camera = match view.settings.display.camera {
        Some(_) => None,
        None => Some(camera_to_look_through(view)?),
    };
    Ok(Prepared::App(AppRequest::MoveView(ViewMove::Camera(camera))))
}

fn camera_to_look_through(view: &View) -> Result<String, Reason> {
    in_animate(view, "Cameras are shown in the Animate tab.")?;
    let scene = view.session.animated();
    let with_camera = |name: &String| {
        let camera = scene.instances.cameras.get(name)?.camera.as_ref()?;
        scene.cameras.contains_key(camera).then(|| name.clone())
    };
    let selected = view.session.selection().instance.as_ref();
    let selected = selected.filter(|instance| instance.kind == InstanceKind::Camera);
    selected
        .and_then(|instance| with_camera(&instance.name))
        .or_else(|| scene.instances.cameras.keys().find_map(with_camera))
        .ok_or("The scene has no camera: Add > Camera adds one.".into())
}

/// Toggles the comparison of deformations; turning it off is always possible.
fn compare(view: &View) -> Result<Prepared, Reason> {
    if !view.settings.compare.on {
        in_animate(view, "Deformations are compared in the Animate tab.")?;
        let compared = compare::compared_instance(view.session, None);
        require(compared.is_some(), "There is no visible skinned mesh.")?;
    }
    Ok(Prepared::Run(|_, settings| {
        settings.compare.on = !settings.compare.on;
    }))
}

/// Returns the active bone in the Animate tab, if it is the subject of the gizmo.
fn posed_bone<'a>(view: &View<'a>) -> Option<&'a Bone> {
    let selection = view.session.selection();
    let bone = selection.bone().filter(|_| view.settings.tab == Tab::Animate)?;
    view.session.animated().skinned_meshes.get(selection.mesh.as_ref()?)?.skeleton.bones.get(bone)
}

fn can_choose_gizmo(view: &View, mode: GizmoMode) -> Result<(), Reason> {
    let is_locked = posed_bone(view).is_some_and(|bone| bone.lock_transform);
    require(
        mode == GizmoMode::Rotate || !is_locked,
        "The bone is locked: it turns, but does not move or scale.",
    )
}

fn chosen_gizmo(view: &View) -> GizmoMode {
    match posed_bone(view) {
        Some(bone) if bone.lock_transform => GizmoMode::Rotate,
        Some(_) => view.settings.tools.pose_gizmo,
        None => view.settings.tools.gizmo,
    }
}

fn can_choose_axes(view: &View) -> Result<(), Reason> {
    let scales = chosen_gizmo(view) == GizmoMode::Scale;
    require(!scales, "Scaling always uses local axes.")
}

fn cycle_axes(view: &View) -> Result<Prepared, Reason> {
    can_choose_axes(view)?;
    Ok(Prepared::Run(|_, settings| {
        settings.tools.axes = match settings.tools.axes {
            Axes::World => Axes::Parent,
            Axes::Parent => Axes::Local,
            Axes::Local => Axes::World,
        };
    }))
}
