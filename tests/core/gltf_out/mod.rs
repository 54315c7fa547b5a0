//! Exported glTF files, played by another reader, look as they do here.

mod files;
mod oracles;
pub mod player;
mod poses;
mod told;

use crate::editing::Random;
use crate::four_weights::with_four_weights;
use crate::rig_support;
use crate::running::{Folder, bad, run};
use crate::shrinking;
use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use ossature::anim::channel::Channel;
use ossature::anim::spline::Spline;
use ossature::anim::take::Takes;
use ossature::extra::Value;
use ossature::io::export::{ExportOptions, Influences, Interpolation};
use ossature::io::gltf::write::{ExportError, export};
use ossature::io::js3d;
use ossature::io::limits::{GLTF_CORNERS, LimitError};
use ossature::io::report::{Report, Severity};
use ossature::mesh::primitives;
use ossature::rig::kinematics;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::skinning::Method;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use ossature::scene::instance::GeometryInstance;
use ossature::scene::resource::Transform;
use ossature::scene::skinned::SkinnedMesh;
use ossature::scene::world;
use player::Player;
use std::sync::Arc;

fn media(name: &str) -> Scene {
    let path = format!("{}/media/js3d/{name}.js3d", env!("CARGO_MANIFEST_DIR"));
    js3d::read_file(path.as_ref()).unwrap().0
}

/// Returns the walk without its take, so the play range is exported as one.
fn walk() -> Scene {
    let mut scene = media("A4-human-walk");
    Arc::make_mut(&mut scene.animation).takes = Takes::default();
    scene
}

fn exported(scene: &Scene, options: &ExportOptions) -> (Vec<u8>, Report) {
    let export =
        export(scene, options, &|path| Err(format!("there is no {path}"))).expect("the export succeeds");
    (export.glb().unwrap(), export.report)
}

fn played(scene: &Scene) -> Player {
    Player::new(&exported(scene, &ExportOptions::default()).0)
}

/// Returns the render vertices of an instance of a skinned mesh in the world.
fn ours(scene: &Scene, instance: &str, frame: f32) -> Vec<DVec3> {
    let settings = Settings { frame: Some(frame), ..Settings::default() };
    let evaluated = Evaluator::default().evaluate(scene, &settings);
    let instance = &scene.instances.skinned_meshes[instance];
    let space = world::world_matrix(&evaluated.scene, instance.transform.as_deref());
    let posed = &evaluated.skinned[instance.resource.as_deref().unwrap()];
    let vertices = posed.render_vertices.iter();
    vertices.map(|vertex| space.transform_point3(vertex.position.as_dvec3())).collect()
}

fn largest_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

/// Returns a scene with the mesh, an instance and its transform: Tube, Tube instance and Place.
fn scene_of(mesh: SkinnedMesh) -> Scene {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Tube".into(), mesh.into());
    scene.transforms.insert("Place".into(), Arc::new(Transform::default()));
    add_instance(&mut scene, "Tube instance", "Place");
    scene
}

fn add_instance(scene: &mut Scene, name: &str, transform: &str) {
    let instance = GeometryInstance {
        transform: Some(transform.into()),
        resource: Some("Tube".into()),
        ..GeometryInstance::default()
    };
    scene.instances.skinned_meshes.insert(name.into(), Arc::new(instance));
}

fn tube() -> SkinnedMesh {
    let (surface, mut skeleton) = rig_support::tube_of_five(8, 10);
    for (at, bone) in skeleton.bones.iter_mut().enumerate() {
        bone.channel_id = at as u32;
        bone.name = Some(format!("Bone {at}").into());
    }
    let mut weights = VertexWeights::default();
    for position in surface.positions() {
        let along = (position.y / 2.0).clamp(0.0, 4.0);
        let (first, part) = (along.floor() as u16, along.fract());
        let row = [(first, 1.0 - part), ((first + 1).min(4), part)];
        weights.push_row(row.into_iter().filter(|(_, weight)| *weight > 0.0));
    }
    SkinnedMesh {
        surface: surface.into(),
        weights: weights.into(),
        skeleton: skeleton.into(),
        ..SkinnedMesh::default()
    }
}

fn skeleton(scene: &mut Scene) -> &mut Skeleton {
    Arc::make_mut(&mut Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap()).skeleton)
}

fn key(scene: &mut Scene, resource: &str, channel: impl ToString, knots: Channel) {
    let animation = Arc::make_mut(&mut scene.animation);
    let channels = animation.channels.entry(resource.into()).or_default();
    channels.insert(channel.to_string(), Arc::new(knots));
    animation.clip = animation.clip.extended_to(animation.last_key());
}

fn vec3s(knots: &[(f32, [f32; 3])]) -> Channel {
    Channel::Vec3(Spline::from_knots(knots.iter().map(|(t, v)| (*t, Vec3::from(*v))).collect()))
}

fn find<'r>(report: &'r Report, code: &str) -> Option<&'r str> {
    let found = report.findings.iter().find(|finding| finding.code == code);
    found.map(|finding| finding.text.as_str())
}

/// Removes the weights of every seventh vertex of the tube.
fn standing(mut scene: Scene) -> Scene {
    let mesh = Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap());
    let mut weights = VertexWeights::default();
    for vertex in 0..mesh.weights.vertex_count() {
        let stands = vertex % 7 == 0;
        weights.push_row(mesh.weights.influences(vertex).filter(|_| !stands));
    }
    mesh.weights = weights.into();
    scene
}
