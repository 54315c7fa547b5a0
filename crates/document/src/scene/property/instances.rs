//! Rows of instances. For their members, see docs/js3d.md, section 5.7.

use super::resources::resource;
use super::{Property, Resource, Slot};
use crate::extra::Extra;
use crate::rig::property::member;
use crate::scene::instance::{
    CameraInstance, GeometryInstance, InstanceKind, LightInstance, ParticlesInstance,
};
use crate::scene::names::Kind;

const fn transform<T>(slot: Slot<T, Option<String>>) -> Property<T> {
    let description = "The transform that places it. Instances that share one move together.";
    Property::reference(["transform", "Transform", description], slot, Kind::Transform)
}

const fn material<T>(slot: Slot<T, Option<String>>) -> Property<T> {
    let description = "The material of its surface.";
    Property::reference(["material", "Material", description], slot, Kind::Material)
}

const fn visible<T>(slot: Slot<T, bool>) -> Property<T> {
    let description = "Show it. When hidden, it stays in the scene.";
    Property::bool(["visible", "Visible", description], slot).verbs("Show", "Hide").keyable()
}

type C = Property<CameraInstance>;
#[rustfmt::skip]
const CAMERA: &[C] = &[
    transform::<CameraInstance>(member!(transform)),
    C::reference(["camera", "Camera", "The camera placed here."], member!(camera), Kind::Camera),
];

type G = Property<GeometryInstance>;
/// Returns the rows of geometry instances. `id`: the member that names the resource.
const fn geometry(id: &'static str, label: &'static str, description: &'static str, kind: Kind) -> [G; 8] {
    #[rustfmt::skip]
    let rows = [
        transform::<GeometryInstance>(member!(transform)),
        G::reference([id, label, description], member!(resource), kind),
        material(member!(material)),
        visible(member!(settings.visible)),
        G::bool(["collides", "Collides", "Particles bounce off it in Scotty3D's simulation."], member!(settings.collides)).verbs("Turn on collision of", "Turn off collision of").advanced(),
        G::choice(["draw style", "Draw as", "Only its edges, or its surface with the normals of faces, of vertices, or of the file."], member!(settings.draw_style), &["Wireframe", "Flat", "Smooth", "Correct"]).labels(&[("Correct", "As in the file")]).verbs("Change draw style of", "Change draw style of"),
        G::choice(["blend style", "Blend", "How Scotty3D's rasteriser mixes it with what is behind it."], member!(settings.blend_style), &["Blend Replace", "Blend Over", "Blend Add"]).labels(&[("Blend Replace", "Replace"), ("Blend Over", "Over"), ("Blend Add", "Add")]).advanced(),
        G::choice(["depth style", "Depth test", "Which of its pixels Scotty3D's rasteriser draws."], member!(settings.depth_style), &["Depth Always", "Depth Never", "Depth Less"]).labels(&[("Depth Always", "Always"), ("Depth Never", "Never"), ("Depth Less", "Nearer pixels")]).advanced(),
    ];
    rows
}
const MESH: &[G] = &geometry("mesh", "Mesh", "Which mesh it shows.", Kind::Mesh);
const SKINNED_MESH: &[G] = &geometry("mesh", "Mesh", "Which skinned mesh it shows.", Kind::SkinnedMesh);
const SHAPE: &[G] = &geometry("shape", "Shape", "Which shape it shows.", Kind::Shape);

impl Resource for GeometryInstance {
    fn properties(kind: Kind) -> &'static [Property<Self>] {
        match kind {
            Kind::Instance(InstanceKind::SkinnedMesh) => SKINNED_MESH,
            Kind::Instance(InstanceKind::Shape) => SHAPE,
            _ => MESH,
        }
    }
    fn extra(&self) -> &Extra {
        &self.extra
    }
    fn extra_mut(&mut self) -> &mut Extra {
        &mut self.extra
    }
}

type P = Property<ParticlesInstance>;
#[rustfmt::skip]
const PARTICLES: &[P] = &[
    transform::<ParticlesInstance>(member!(transform)),
    P::reference(["mesh", "Mesh", "The mesh that each particle shows."], member!(mesh), Kind::Mesh),
    material(member!(material)),
    P::reference(["particles", "Particles", "Which particles it emits."], member!(particles), Kind::Particles),
    visible(member!(visible)),
    P::bool(["wireframe", "Draw edges", "Scotty3D draws only the edges of its particles."], member!(wireframe)).verbs("Turn on wireframe of", "Turn off wireframe of").keyable(),
    P::bool(["simulate_here", "Simulate here", "Scotty3D emits from this instance."], member!(simulate_here)).verbs("Turn on simulation of", "Turn off simulation of").keyable(),
];

type L = Property<LightInstance>;
const fn light(kind: Kind) -> [L; 3] {
    #[rustfmt::skip]
    let rows = [
        transform::<LightInstance>(member!(transform)),
        L::reference(["light", "Light", "The light placed here."], member!(light), kind),
        visible(member!(visible)),
    ];
    rows
}
const DELTA_LIGHT: &[L] = &light(Kind::DeltaLight);
const ENV_LIGHT: &[L] = &light(Kind::EnvLight);

impl Resource for LightInstance {
    fn properties(kind: Kind) -> &'static [Property<Self>] {
        match kind {
            Kind::Instance(InstanceKind::EnvLight) => ENV_LIGHT,
            _ => DELTA_LIGHT,
        }
    }
    fn extra(&self) -> &Extra {
        &self.extra
    }
    fn extra_mut(&mut self) -> &mut Extra {
        &mut self.extra
    }
}

resource!(CameraInstance, CAMERA);
resource!(ParticlesInstance, PARTICLES);
