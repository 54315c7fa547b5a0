//! Names: what a scene holds, by kind. All names share one space, because animation knows resources by
//! name alone.

use super::instance::InstanceKind;
use super::{Scene, Table};

/// Which map of the scene a name is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl Scene {
    /// Every name, map by map. A name that is in several maps comes several times.
    pub fn names(&self) -> Vec<(Kind, &str)> {
        fn add<'s, T>(names: &mut Vec<(Kind, &'s str)>, kind: Kind, table: &'s Table<T>) {
            names.extend(table.keys().map(|name| (kind, name.as_str())));
        }
        let mut names = Vec::new();
        let all = &mut names;
        add(all, Kind::Transform, &self.transforms);
        add(all, Kind::Camera, &self.cameras);
        add(all, Kind::Mesh, &self.meshes);
        add(all, Kind::SkinnedMesh, &self.skinned_meshes);
        add(all, Kind::Shape, &self.shapes);
        add(all, Kind::Particles, &self.particles);
        add(all, Kind::Texture, &self.textures);
        add(all, Kind::Material, &self.materials);
        add(all, Kind::DeltaLight, &self.delta_lights);
        add(all, Kind::EnvLight, &self.env_lights);
        let placed = self.instances.all();
        names.extend(placed.iter().map(|i| (Kind::Instance(i.kind), i.name)));
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::instance::{GeometryInstance, InstanceRef};
    use crate::scene::resource::Shape;
    use std::sync::Arc;

    fn scene() -> Scene {
        let mut scene = Scene::default();
        let shape = Shape {
            radius: 1.0,
            extra: Default::default(),
        };
        scene.shapes.insert("Ball".into(), Arc::new(shape));
        let placed = GeometryInstance {
            transform: Some("Root".into()),
            of: Some("Ball".into()),
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
    fn visibility_is_set_where_there_is_one() {
        let mut scene = scene();
        let at = |kind, name: &str| InstanceRef {
            kind,
            name: name.into(),
        };
        let ball = at(InstanceKind::Shape, "Ball");
        assert!(scene.instances.set_visible(&ball, false));
        let found = scene.instances.get(&ball).unwrap();
        assert_eq!(
            (found.of, found.transform, found.visible),
            (Some("Ball"), Some("Root"), Some(false))
        );
        assert!(
            !scene
                .instances
                .set_visible(&at(InstanceKind::Camera, "Eye"), false)
        );
        assert!(
            !scene
                .instances
                .set_visible(&at(InstanceKind::Mesh, "Ball"), false)
        );
    }

    #[test]
    fn setting_what_is_set_shares() {
        let mut scene = scene();
        let before = scene.instances.shapes["Ball"].clone();
        let ball = InstanceRef {
            kind: InstanceKind::Shape,
            name: "Ball".into(),
        };
        assert!(scene.instances.set_visible(&ball, true));
        assert!(Arc::ptr_eq(&before, &scene.instances.shapes["Ball"]));
    }
}
