//! Scenes for testing the panels: a small one with one of everything, and changes that make it odd.

use glam::{DAffine3, DVec3, Vec2, Vec3};
use ossature::extra::Extra;
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::render::RenderMesh;
use ossature::rig::ik;
use ossature::rig::skeleton::{Bone, Handle, Skeleton};
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::evaluate::Posed;
use ossature::scene::instance::{
    CameraInstance, GeometryInstance, GeometrySettings, InstanceKind, LightInstance, ParticlesInstance,
};
use ossature::scene::resource::{DeltaLight, DeltaLightKind, EnvLight, EnvLightKind, Particles};
use ossature::scene::skinned::SkinnedMesh;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns a bone that points sideways from the top of the spine, somewhat rotated.
pub fn arm() -> Bone {
    Bone {
        extent: Vec3::X,
        radius: 0.4,
        parent: Some(0),
        pose_deg: Vec3::new(30.0, 10.0, -20.0),
        channel_id: 1,
        name: Some("Arm".into()),
        ..Bone::default()
    }
}

pub fn base() -> Vec3 {
    Vec3::ZERO
}

pub fn target() -> Vec3 {
    Vec3::new(1.0, 3.0, 0.0)
}

fn cube() -> HalfedgeMesh {
    let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces: Vec<Vec<u32>> = faces.iter().map(|f| f.to_vec()).collect();
    HalfedgeMesh::from_polygons((0..8).map(corner).collect(), &faces, None).expect("a cube")
}

fn geometry(of: &str) -> Arc<GeometryInstance> {
    Arc::new(GeometryInstance {
        transform: Some("Root".into()),
        resource: Some(of.into()),
        ..Default::default()
    })
}

/// Returns a spine with an arm to either side, a handle on the arm, and an instance of every kind.
pub fn scene() -> Scene {
    let spine = Bone { extent: Vec3::Y, name: Some("Spine".into()), ..Bone::default() };
    let other = Bone { extent: -Vec3::X, parent: Some(0), channel_id: 2, ..Bone::default() };
    let handle = Handle { bone: 1, target: target(), enabled: false, channel_id: 0, ..Handle::default() };
    let skeleton = Skeleton {
        bones: vec![spine, arm(), other],
        handles: vec![handle],
        base: base(),
        ..Skeleton::default()
    };
    let body = SkinnedMesh {
        surface: Arc::new(cube()),
        weights: Arc::new(VertexWeights::none(8)),
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Body".into(), Arc::new(body));
    scene.transforms.insert("Root".into(), Arc::default());
    resources(&mut scene);
    let i = &mut scene.instances;
    i.skinned_meshes.insert("Person".into(), geometry("Body"));
    i.meshes.insert("Box".into(), geometry("Nothing"));
    i.shapes.insert("Ball".into(), geometry("Nothing"));
    let eye = CameraInstance { camera: Some("Lens".into()), ..CameraInstance::default() };
    i.cameras.insert("Eye".into(), Arc::new(eye));
    let sparks = ParticlesInstance {
        transform: None,
        mesh: None,
        material: None,
        particles: Some("Fire".into()),
        visible: true,
        wireframe: false,
        simulate_here: false,
        extra: Extra::default(),
    };
    i.particles.insert("Sparks".into(), Arc::new(sparks));
    let light = |light: &str| LightInstance {
        transform: None,
        light: Some(light.into()),
        visible: true,
        extra: Extra::default(),
    };
    i.delta_lights.insert("Lamp".into(), Arc::new(light("Spot")));
    i.env_lights.insert("Sky".into(), Arc::new(light("Dome")));
    scene
}

fn resources(scene: &mut Scene) {
    scene.cameras.insert("Lens".into(), Arc::default());
    let fire = Particles { rate: 5.0, seed: 1, ..Particles::default() };
    scene.particles.insert("Fire".into(), Arc::new(fire));
    let spot = DeltaLight {
        kind: DeltaLightKind::Spot { inner_angle: 10.0, outer_angle: 20.0 },
        ..DeltaLight::default()
    };
    scene.delta_lights.insert("Spot".into(), Arc::new(spot));
    let dome = EnvLight { kind: EnvLightKind::Sphere, ..EnvLight::default() };
    scene.env_lights.insert("Dome".into(), Arc::new(dome));
}

pub fn all_instances() -> [(InstanceKind, &'static str); 7] {
    [
        (InstanceKind::SkinnedMesh, "Person"),
        (InstanceKind::Mesh, "Box"),
        (InstanceKind::Shape, "Ball"),
        (InstanceKind::Particles, "Sparks"),
        (InstanceKind::Camera, "Eye"),
        (InstanceKind::DeltaLight, "Lamp"),
        (InstanceKind::EnvLight, "Sky"),
    ]
}

fn change_body(scene: &mut Scene, change: impl FnOnce(&mut SkinnedMesh)) {
    let body = scene.skinned_meshes.values_mut().next().expect("a body");
    change(Arc::make_mut(body));
}

/// Gives the first `some` of the eight vertices a weight.
pub fn add_weights(scene: &mut Scene, some: usize) {
    let weights = VertexWeights {
        ends: (1..=8).map(|v: usize| v.min(some) as u32).collect(),
        bones: vec![0; some],
        weights: vec![1.0; some],
    };
    change_body(scene, |body| body.weights = Arc::new(weights));
}

/// Replaces the skeleton by a chain of `count` bones, each with a handle.
pub fn many_bones(scene: &mut Scene, count: u32) {
    let bone = |i: u32| Bone { parent: i.checked_sub(1), channel_id: i, ..Bone::default() };
    let handle =
        |i: u32| Handle { bone: i, target: Vec3::ZERO, enabled: true, channel_id: i, ..Handle::default() };
    let bones = (0..count).map(bone).collect();
    let handles = (0..count).map(handle).collect();
    change_body(scene, |body| {
        body.skeleton = Arc::new(Skeleton { bones, handles, ..Skeleton::default() });
    });
}

fn renamed<T>(table: &mut BTreeMap<String, T>, name: &str) {
    *table = std::mem::take(table).into_values().map(|value| (name.to_owned(), value)).collect();
}

/// Gives every resource, instance and bone the same name.
pub fn rename_everything(scene: &mut Scene, name: &str) {
    renamed(&mut scene.skinned_meshes, name);
    let i = &mut scene.instances;
    renamed(&mut i.skinned_meshes, name);
    renamed(&mut i.meshes, name);
    renamed(&mut i.shapes, name);
    renamed(&mut i.particles, name);
    renamed(&mut i.cameras, name);
    renamed(&mut i.delta_lights, name);
    renamed(&mut i.env_lights, name);
    for instance in i.skinned_meshes.values_mut() {
        let instance = Arc::make_mut(instance);
        instance.resource = Some(name.to_owned());
        instance.settings = GeometrySettings { draw_style: name.to_owned(), ..instance.settings.clone() };
    }
    change_body(scene, |body| {
        for bone in &mut Arc::make_mut(&mut body.skeleton).bones {
            bone.name = Some(name.into());
        }
    });
}

/// Sets numbers that no file should have, and some that are merely extreme.
pub fn odd_numbers(scene: &mut Scene, seed: &str) {
    let odd = [f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE, -1e30, 1e-30];
    let at = |i: usize| odd[(i + seed.len()) % odd.len()];
    change_body(scene, |body| {
        let skeleton = Arc::make_mut(&mut body.skeleton);
        for (i, bone) in skeleton.bones.iter_mut().enumerate() {
            bone.extent = Vec3::new(at(i), at(i + 1), at(i + 2));
            bone.pose_deg = Vec3::new(at(i + 3), at(i + 4), at(i + 5));
            (bone.roll_deg, bone.radius) = (at(i + 1), at(i + 2));
        }
        skeleton.handles[0].target = Vec3::new(at(0), at(1), at(2));
    });
}

/// Returns the body as if IK had rotated its arm to `pose_deg`, its handle enabled, drawn in the bind pose.
pub fn posed(scene: &Scene, pose_deg: Vec3) -> Arc<Posed> {
    let mut skeleton = (*scene.skinned_meshes["Body"].skeleton).clone();
    skeleton.bones[1].pose_deg = pose_deg;
    skeleton.handles[0].enabled = true;
    let at = |y: f64| DAffine3::from_translation(DVec3::new(0.0, y, 0.0));
    let bind = vec![at(0.0), at(1.0), at(1.0)];
    Arc::new(Posed {
        skeleton: Arc::new(skeleton),
        current: bind.clone(),
        bind,
        skinning: Vec::new(),
        ik: Some(ik::Outcome {
            end: ik::End::OutOfReach,
            farthest: Some((0, 2.0)),
            tasks: vec![ik::TaskResult {
                handle: 0,
                task: ik::TaskKind::Position,
                error: 2.0,
                reached: false,
            }],
            ..ik::Outcome::default()
        }),
        render: Arc::new(RenderMesh { uv: vec![Vec2::ZERO; 0], ..RenderMesh::default() }),
        positions: Vec::new(),
        render_vertices: Vec::new(),
        tree: Default::default(),
    })
}
