//! Rows of transforms, cameras, shapes and particles. For their members, see docs/js3d.md, sections 5.1, 5.2,
//! 5.5 and 5.6. The current state of a particle simulation has no row: it is a list that only a simulation
//! changes.

use super::{Property, Resource};
use crate::extra::Extra;
use crate::rig::property::member;
use crate::scene::names::Kind;
use crate::scene::resource::{Camera, Film, Mesh, Particles, Shape, Transform};
use crate::scene::skinned::{SkinnedMesh, map_spaces};
use std::sync::Arc;

pub(super) const SHAPE_TYPES: &[&str] = &["Sphere"];

type T = Property<Transform>;
#[rustfmt::skip]
const TRANSFORM: &[T] = &[
    T::reference(["parent", "Parent", "Its parent transform."], member!(parent), Kind::Transform),
    T::vec3(["translation", "Position", "Its position in the space of its parent."], member!(translation)).verbs("Move", "Move").keyable(),
    T::rotation(["rotation", "Rotation", "Its rotation about the x, then y, then z axis of its parent."], member!(rotation)).verbs("Rotate", "Rotate").keyable(),
    T::vec3(["scale", "Scale", "Its scale along its own x, y and z axes."], member!(scale)).verbs("Scale", "Scale").keyable(),
];

type C = Property<Camera>;
#[rustfmt::skip]
const CAMERA: &[C] = &[
    C::float(["vertical_fov", "Field of view", "The angle from the lower to the upper edge of its picture."], member!(vertical_fov)).within(1.0, 179.0).slider(10.0, 120.0).unit("°").keyable(),
    C::float(["aspect_ratio", "Aspect ratio", "The width of its picture, divided by the height."], member!(aspect_ratio)).within(0.01, 100.0).keyable(),
    C::float(["near_plane", "Near plane", "Anything nearer is not in the picture."], member!(near_plane)).within(1e-6, f32::MAX as f64).keyable(),
    C::unsigned(["aperture_shape", "Aperture", "The shape of out-of-focus highlights, where a renderer shows depth of field."], member!(aperture_shape)).names(&[(1, "Rectangle"), (2, "Circle")]),
    C::float(["aperture_size", "Aperture size", "How blurred objects out of focus are; 0: everything is sharp."], member!(aperture_size)).not_negative(),
    C::float(["focal_dist", "Focus distance", "The distance at which objects are in focus."], member!(focal_dist)).not_negative(),
    C::unsigned(["film.width", "Film width", "Width of its rendered picture."], member!(film.width)).within(1.0, 16_384.0).unit(" px"),
    C::unsigned(["film.height", "Film height", "Height of its rendered picture."], member!(film.height)).within(1.0, 16_384.0).unit(" px"),
    C::unsigned(["film.samples", "Samples", "Rays that Scotty3D's path tracer sends through each pixel."], member!(film.samples)).within(1.0, 1_000_000.0),
    C::unsigned(["film.max_ray_depth", "Ray depth", "How often Scotty3D's path tracer lets a ray bounce."], member!(film.max_ray_depth)).within(0.0, 1000.0),
    C::choice(["film.sample_pattern", "Sample pattern", "Where Scotty3D's rasteriser takes samples within a pixel."], member!(film.sample_pattern), Film::SAMPLE_PATTERNS),
];

type S = Property<Shape>;
#[rustfmt::skip]
const SHAPE: &[S] = &[
    S::kind("What shape it is.", |_| SHAPE_TYPES[0], |_, _| {}, SHAPE_TYPES),
    S::float(["radius", "Radius", "From its centre to its surface."], member!(radius)).not_negative().keyable(),
];

type P = Property<Particles>;
#[rustfmt::skip]
const PARTICLES: &[P] = &[
    P::vec3(["gravity", "Gravity", "How particles accelerate, in the axes of the world."], member!(gravity)).keyable(),
    P::float(["radius", "Radius", "Size of a particle."], member!(radius)).not_negative().keyable(),
    P::float(["initial_velocity", "Velocity", "How fast particles are emitted."], member!(initial_velocity)).keyable(),
    P::float(["spread_angle", "Spread", "Full angle of the cone around local y that particles are emitted into."], member!(spread_angle)).within(0.0, 360.0).slider(0.0, 180.0).unit("°").keyable(),
    P::float(["lifetime", "Lifetime", "How long a particle lives."], member!(lifetime)).not_negative().unit(" s").keyable(),
    P::float(["rate", "Emission rate", "Particles emitted per second."], member!(rate)).not_negative().keyable(),
    P::float(["step_size", "Time step", "Duration of a simulation step."], member!(step_size)).within(1e-6, f32::MAX as f64).unit(" s"),
    P::unsigned(["seed", "Seed", "Other seeds give other particles."], member!(seed)),
];

/// Implements [`Resource`] for a type with the same rows for all its instances.
macro_rules! resource {
    ($type:ty, $rows:expr $(, surface: $extra:ident)? $(, spaces: $map_spaces:path)?) => {
        impl Resource for $type {
            fn properties(_kind: Kind) -> &'static [Property<Self>] {
                $rows
            }
            fn extra(&self) -> &Extra {
                &self.extra
            }
            fn extra_mut(&mut self) -> &mut Extra {
                &mut self.extra
            }
            $(
                fn surface_extra(&self) -> Option<&Extra> {
                    Some(&self.$extra)
                }
                fn surface_extra_mut(&mut self) -> Option<&mut Extra> {
                    Some(&mut self.$extra)
                }
            )?
            $(
                fn map_spaces(shared: &mut Arc<Self>, to: &dyn Fn(&str) -> Option<String>) {
                    $map_spaces(shared, to);
                }
            )?
        }
    };
}
pub(super) use resource;

resource!(Transform, TRANSFORM);
resource!(Camera, CAMERA);
resource!(Mesh, &[], surface: extra);
resource!(SkinnedMesh, &[], surface: mesh_extra, spaces: map_spaces);
resource!(Shape, SHAPE);
resource!(Particles, PARTICLES);
