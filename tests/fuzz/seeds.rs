//! Small valid scenes, from which damaged ones are made.

use crate::editing::{bone, column, handle, scene};
use crate::gltf;
use crate::support::EVERYTHING;
use crate::tree::Node;
use glam::Vec3;
use ossature::io::js3d;
use ossature::io::obj::{self, Object};
use ossature::mesh::primitives;
use ossature::mesh::soup::Polygons;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::instance::GeometryInstance;
use ossature::scene::skinned::SkinnedMesh;
use std::sync::Arc;

pub struct Seeds {
    pub scenes: Vec<Node>,
    /// OBJ.
    pub meshes: Vec<String>,
    /// glTF.
    pub gltf: Vec<gltf::Seed>,
}

impl Seeds {
    pub fn new() -> Self {
        let written = |scene: &Scene| Node::read(&js3d::write(scene).expect("a seed can be written"));
        let mut animated = written(&scene());
        if let Some(Node::Object(animator)) = animated.at(&["animator"]) {
            animator.push(("frames".to_owned(), Node::word(12)));
            animator.push(("frames_per_second".to_owned(), Node::word(30)));
            animator.push(("play_range".to_owned(), Node::array([2, 9])));
        }
        let mesh: &[&str] = &["scene", "skinned_meshes", "Arm"];
        let mut ours = written(&arm());
        if let Some(Node::Object(members)) = ours.at(mesh) {
            members.push(("dual_quaternions".to_owned(), Node::word(0.5)));
            members.push(("bones_moved_since_weights".to_owned(), Node::array([1])));
        }
        Self {
            scenes: vec![
                Node::read(EVERYTHING),
                animated,
                ours,
                Node::read(b"{\"scene\":{},\"animator\":{}}"),
            ],
            meshes: vec![cubes()],
            gltf: [scene(), arm()].iter().flat_map(gltf::Seed::all).collect(),
        }
    }
}

/// Returns four bones in a row, the last with an enabled handle, moving a column that is placed in the world.
fn arm() -> Scene {
    let surface = column(3);
    let vertices = surface.vertex_count();
    let mut pull = handle(3, [1.0, 2.0, 0.5], 0);
    pull.enabled = true;
    let chain = (0..4).map(|i: u32| bone(None, i.checked_sub(1), [0.0, 0.75, 0.1], i));
    let arm = SkinnedMesh {
        surface: Arc::new(surface),
        weights: Arc::new(VertexWeights {
            ends: (1..=vertices as u32).collect(),
            bones: (0..vertices as u16).map(|v| v / 4).collect(),
            weights: vec![1.0; vertices],
        }),
        skeleton: Arc::new(Skeleton {
            bones: chain.collect(),
            handles: vec![pull, handle(1, [0.5, 0.5, 0.5], 1)],
            ..Skeleton::default()
        }),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Arm".into(), Arc::new(arm));
    let instance = GeometryInstance { resource: Some("Arm".into()), ..GeometryInstance::default() };
    scene.instances.skinned_meshes.insert("Arm here".into(), Arc::new(instance));
    scene
}

/// Returns two objects with texture coordinates and normals.
fn cubes() -> String {
    let shapes =
        [primitives::cuboid(Vec3::ONE).expect("a box"), primitives::tube(0.5, 1.5, 5, 2).expect("a tube")];
    let polygons = shapes.each_ref().map(Polygons::new);
    let objects = polygons.each_ref().map(|polygons| Object { name: "thing", polygons });
    obj::write("whole", &objects).expect("a seed can be written")
}
