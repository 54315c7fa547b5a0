//! What tests of picking and of tools begin with: a skinned mesh called "m", its stage, a view from the front.

use super::selection::Selection;
use super::session::Session;
use super::stage::Stage;
use super::tool::gizmo::Modifiers;
use super::view::{Axes, GizmoMode, Tab};
use crate::math::camera::{ViewCamera, Viewport};
use crate::rig::skeleton::Skeleton;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::{DAffine3, Mat4, Vec2, Vec3};
use std::sync::Arc;

pub const PLAIN: Modifiers = Modifiers {
    snap: false,
    fine: false,
};
/// Slow drags, and no snapping to what is drawn.
pub const SHIFT: Modifiers = Modifiers {
    snap: false,
    fine: true,
};

/// A session on a scene of one mesh, which is selected. Its bones get their indices as channel ids.
pub fn session_with(mut mesh: SkinnedMesh) -> Session {
    let bones = &mut Arc::make_mut(&mut mesh.skeleton).bones;
    for (bone, channel_id) in bones.iter_mut().zip(0..) {
        bone.channel_id = channel_id;
    }
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("m".into(), Arc::new(mesh));
    let mut session = Session::new(scene, None);
    let selection = Selection::of_mesh(session.scene(), "m");
    session.select(selection);
    session
}

/// That of the mesh.
pub fn skeleton(session: &Session) -> Arc<Skeleton> {
    session.scene().skinned_meshes["m"].skeleton.clone()
}

/// `matrices`: `skeleton_from_bone` per bone, in the pose that the tab shows.
pub fn stage<'a>(
    tab: Tab,
    skeleton: &'a Skeleton,
    matrices: &'a [DAffine3],
    world_from_skeleton: Mat4,
) -> Stage<'a> {
    Stage {
        tab,
        mesh: "m",
        skeleton,
        skeleton_from_bone: matrices,
        world_from_skeleton,
        gizmo: GizmoMode::Move,
        axes: Axes::World,
        radius_counts: tab == Tab::Rig,
    }
}

/// Towards -z, 800 x 600 pixels.
pub fn front(target: Vec3, distance: f32) -> Viewport {
    Viewport {
        camera: ViewCamera {
            target,
            yaw: 0.0,
            pitch: 0.0,
            distance,
            ..ViewCamera::default()
        },
        size: Vec2::new(800.0, 600.0),
    }
}

/// As [`front`], without perspective.
pub fn flat_front(target: Vec3, distance: f32) -> Viewport {
    let mut viewport = front(target, distance);
    viewport.camera.orthographic = true;
    viewport
}
