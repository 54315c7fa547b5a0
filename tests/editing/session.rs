//! Sessions on a single skeleton.

use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

/// Returns a session on a scene that contains only a skinned mesh called `mesh`, which is selected.
pub fn session_on(mesh: &str, skeleton: Skeleton) -> Session {
    let skinned = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert(mesh.into(), Arc::new(skinned));
    let mut session = Session::new(scene, None);
    session.select(Selection::from_mesh(session.scene(), mesh));
    session
}
