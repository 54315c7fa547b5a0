//! Names of the objects in a scene, by kind. All names share one namespace, because animation refers to
//! resources by name alone.

use super::Scene;
use super::instance::{InstanceKind, InstanceRef};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The kind of an object, which determines the map of the scene that its name is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Transform,
    Camera,
    Mesh,
    SkinnedMesh,
    Shape,
    Particles,
    Texture,
    Material,
    DeltaLight,
    EnvLight,
    Instance(InstanceKind),
}

impl Kind {
    /// All kinds, in the order of the format: resources, then instances.
    pub const ALL: [Kind; 17] = [
        Kind::Transform,
        Kind::Camera,
        Kind::Mesh,
        Kind::SkinnedMesh,
        Kind::Shape,
        Kind::Particles,
        Kind::Texture,
        Kind::Material,
        Kind::DeltaLight,
        Kind::EnvLight,
        Kind::Instance(InstanceKind::Camera),
        Kind::Instance(InstanceKind::Mesh),
        Kind::Instance(InstanceKind::SkinnedMesh),
        Kind::Instance(InstanceKind::Shape),
        Kind::Instance(InstanceKind::Particles),
        Kind::Instance(InstanceKind::DeltaLight),
        Kind::Instance(InstanceKind::EnvLight),
    ];

    /// Returns the member of the file that holds objects of the kind: in `scene`, or in `scene.instances` for
    /// instances.
    pub fn map(self) -> &'static str {
        match self {
            Kind::Transform => "transforms",
            Kind::Camera => "cameras",
            Kind::Mesh => "meshes",
            Kind::SkinnedMesh => "skinned_meshes",
            Kind::Shape => "shapes",
            Kind::Particles => "particles",
            Kind::Texture => "textures",
            Kind::Material => "materials",
            Kind::DeltaLight => "delta_lights",
            Kind::EnvLight => "env_lights",
            Kind::Instance(kind) => Kind::placed_by(kind).map(),
        }
    }

    /// Returns the name of the kind in lower case, for the middle of a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Kind::Transform => "transform",
            Kind::Camera => "camera",
            Kind::Mesh => "mesh",
            Kind::SkinnedMesh => "skinned mesh",
            Kind::Shape => "shape",
            Kind::Particles => "particles",
            Kind::Texture => "texture",
            Kind::Material => "material",
            Kind::DeltaLight => "light",
            Kind::EnvLight => "environment light",
            Kind::Instance(InstanceKind::Camera) => "camera instance",
            Kind::Instance(InstanceKind::Mesh) => "mesh instance",
            Kind::Instance(InstanceKind::SkinnedMesh) => "skinned mesh instance",
            Kind::Instance(InstanceKind::Shape) => "shape instance",
            Kind::Instance(InstanceKind::Particles) => "particles instance",
            Kind::Instance(InstanceKind::DeltaLight) => "light instance",
            Kind::Instance(InstanceKind::EnvLight) => "environment light instance",
        }
    }

    /// Returns the kind of resource that instances of a kind place.
    pub fn placed_by(instance: InstanceKind) -> Kind {
        match instance {
            InstanceKind::Camera => Kind::Camera,
            InstanceKind::Mesh => Kind::Mesh,
            InstanceKind::SkinnedMesh => Kind::SkinnedMesh,
            InstanceKind::Shape => Kind::Shape,
            InstanceKind::Particles => Kind::Particles,
            InstanceKind::DeltaLight => Kind::DeltaLight,
            InstanceKind::EnvLight => Kind::EnvLight,
        }
    }

    /// Returns the kind of the instances that place this kind; `None` if it cannot be placed.
    pub fn instance(self) -> Option<InstanceKind> {
        Some(match self {
            Kind::Camera => InstanceKind::Camera,
            Kind::Mesh => InstanceKind::Mesh,
            Kind::SkinnedMesh => InstanceKind::SkinnedMesh,
            Kind::Shape => InstanceKind::Shape,
            Kind::Particles => InstanceKind::Particles,
            Kind::DeltaLight => InstanceKind::DeltaLight,
            Kind::EnvLight => InstanceKind::EnvLight,
            Kind::Transform | Kind::Texture | Kind::Material | Kind::Instance(_) => return None,
        })
    }
}

/// A resource or an instance, by kind and name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectRef {
    pub kind: Kind,
    pub name: String,
}

impl ObjectRef {
    pub fn new(kind: Kind, name: impl Into<String>) -> Self {
        Self { kind, name: name.into() }
    }

    /// Returns the reference as an instance, if it is one.
    pub fn instance(&self) -> Option<InstanceRef> {
        match self.kind {
            Kind::Instance(kind) => Some(InstanceRef { kind, name: self.name.clone() }),
            _ => None,
        }
    }
}

impl From<&InstanceRef> for ObjectRef {
    fn from(instance: &InstanceRef) -> Self {
        Self::new(Kind::Instance(instance.kind), instance.name.clone())
    }
}

/// Runs `$body` with `$table` bound to the map of `$scene` (`&` or `&mut`) that holds objects of `$kind`.
#[macro_export]
macro_rules! with_table {
    (@ ($($m:tt)*) $scene:ident, $kind:expr, $table:ident => $body:expr) => {{
        use $crate::scene::instance::InstanceKind as I;
        use $crate::scene::names::Kind as K;
        match $kind {
            K::Transform => { let $table = $($m)* $scene.transforms; $body }
            K::Camera => { let $table = $($m)* $scene.cameras; $body }
            K::Mesh => { let $table = $($m)* $scene.meshes; $body }
            K::SkinnedMesh => { let $table = $($m)* $scene.skinned_meshes; $body }
            K::Shape => { let $table = $($m)* $scene.shapes; $body }
            K::Particles => { let $table = $($m)* $scene.particles; $body }
            K::Texture => { let $table = $($m)* $scene.textures; $body }
            K::Material => { let $table = $($m)* $scene.materials; $body }
            K::DeltaLight => { let $table = $($m)* $scene.delta_lights; $body }
            K::EnvLight => { let $table = $($m)* $scene.env_lights; $body }
            K::Instance(I::Camera) => { let $table = $($m)* $scene.instances.cameras; $body }
            K::Instance(I::Mesh) => { let $table = $($m)* $scene.instances.meshes; $body }
            K::Instance(I::SkinnedMesh) => { let $table = $($m)* $scene.instances.skinned_meshes; $body }
            K::Instance(I::Shape) => { let $table = $($m)* $scene.instances.shapes; $body }
            K::Instance(I::Particles) => { let $table = $($m)* $scene.instances.particles; $body }
            K::Instance(I::DeltaLight) => { let $table = $($m)* $scene.instances.delta_lights; $body }
            K::Instance(I::EnvLight) => { let $table = $($m)* $scene.instances.env_lights; $body }
        }
    }};
    (&mut $scene:ident, $kind:expr, $table:ident => $body:expr) => {
        $crate::scene::names::with_table!(@ (&mut) $scene, $kind, $table => $body)
    };
    (& $scene:ident, $kind:expr, $table:ident => $body:expr) => {
        $crate::scene::names::with_table!(@ (&) $scene, $kind, $table => $body)
    };
}
pub use with_table;

impl Scene {
    pub fn contains(&self, object: &ObjectRef) -> bool {
        with_table!(&self, object.kind, table => table.contains_key(&object.name))
    }

    /// Returns the names of the objects of a kind, in order.
    pub fn names_of(&self, kind: Kind) -> Vec<&str> {
        with_table!(&self, kind, table => table.keys().map(String::as_str).collect())
    }

    /// Returns `wanted` if no object and no channel uses that name, and otherwise the name with the first
    /// free number appended: `Arm 1`, `Arm 2`. A number at the end of `wanted` is replaced.
    pub fn unused_name(&self, wanted: &str) -> String {
        let mut taken: BTreeSet<&str> = self.names().into_iter().map(|(_, name)| name).collect();
        taken.extend(self.animation.channels.keys().map(String::as_str));
        taken.extend(self.animation.spline_extra.keys().map(String::as_str));
        if !taken.contains(wanted) {
            return wanted.to_owned();
        }
        let stem = match wanted.rsplit_once(' ') {
            Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => stem,
            _ => wanted,
        };
        let numbered = (1u64..).map(|number| format!("{stem} {number}"));
        // Endless, and there are fewer names than numbers.
        let free = numbered.into_iter().find(|name| !taken.contains(name.as_str()));
        free.unwrap_or_else(|| wanted.to_owned())
    }

    /// Returns every name, map by map. A name that is in several maps appears several times.
    pub fn names(&self) -> Vec<(Kind, &str)> {
        let mut names = Vec::new();
        for kind in Kind::ALL {
            names.extend(self.names_of(kind).into_iter().map(|name| (kind, name)));
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::instance::GeometryInstance;
    use crate::scene::resource::Shape;
    use std::sync::Arc;

    fn scene() -> Scene {
        let mut scene = Scene::default();
        let shape = Shape { radius: 1.0, extra: Default::default() };
        scene.shapes.insert("Ball".into(), Arc::new(shape));
        let placed = GeometryInstance {
            transform: Some("Root".into()),
            resource: Some("Ball".into()),
            ..Default::default()
        };
        scene.instances.shapes.insert("Ball".into(), Arc::new(placed));
        scene.instances.cameras.insert("Eye".into(), Default::default());
        scene
    }

    #[test]
    fn names_come_with_their_kinds() {
        let expected = [
            (Kind::Shape, "Ball"),
            (Kind::Instance(InstanceKind::Camera), "Eye"),
            (Kind::Instance(InstanceKind::Shape), "Ball"),
        ];
        assert_eq!(scene().names(), expected);
    }

    #[test]
    fn new_names_differ_from_those_of_objects_and_channels() {
        let mut scene = scene();
        assert_eq!(scene.unused_name("Cube"), "Cube");
        assert_eq!(scene.unused_name("Ball"), "Ball 1");
        scene.transforms.insert("Ball 1".into(), Arc::new(Default::default()));
        assert_eq!(scene.unused_name("Ball"), "Ball 2");
        assert_eq!(scene.unused_name("Ball 1"), "Ball 2");
        let animation = Arc::make_mut(&mut scene.animation);
        animation.channels.insert("Ball 2".into(), Default::default());
        assert_eq!(scene.unused_name("Ball 1"), "Ball 3");
        let ball = scene.shapes["Ball"].clone();
        scene.shapes.insert("".into(), ball);
        assert_eq!(scene.unused_name(""), " 1");
    }
}
