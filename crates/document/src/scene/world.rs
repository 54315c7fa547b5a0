//! World matrices of transforms: parent * translate * rotate * scale, down from the roots.

use super::resource::Transform;
use super::{Scene, Table};
use glam::{DAffine3, DQuat, Mat4, Quat};
use std::collections::{BTreeMap, BTreeSet};

/// Returns `world_from_local` per transform, regardless of the order of parents and the depth of the
/// hierarchy. Parents that are missing or close a cycle are ignored.
pub fn world_matrices(scene: &Scene) -> BTreeMap<String, Mat4> {
    let mut done: BTreeMap<&str, DAffine3> = BTreeMap::new();
    for (name, transform) in &scene.transforms {
        // From this transform up to the first that is known or occurs a second time.
        let mut upwards: Vec<(&str, &Transform)> = Vec::new();
        let mut visited: BTreeSet<&str> = BTreeSet::new();
        let mut next = Some((name.as_str(), &**transform));
        while let Some((name, transform)) = next {
            if done.contains_key(name) || !visited.insert(name) {
                break;
            }
            upwards.push((name, transform));
            next = parent(&scene.transforms, transform);
        }
        while let Some((name, transform)) = upwards.pop() {
            let world_from_parent = parent(&scene.transforms, transform)
                .and_then(|(name, _)| done.get(name).copied())
                .unwrap_or(DAffine3::IDENTITY);
            done.insert(name, world_from_parent * parent_from_local(transform));
        }
    }
    done.into_iter().map(|(name, world)| (name.to_owned(), Mat4::from(world.as_affine3a()))).collect()
}

/// Returns `world_from_local` of one transform, in double precision; the identity for `None` and for unknown
/// names. Cycles are cut as in [`world_matrices`] if `name` is in the cycle.
pub fn world_matrix(scene: &Scene, name: Option<&str>) -> DAffine3 {
    let mut world = DAffine3::IDENTITY;
    let mut visited: BTreeSet<&str> = BTreeSet::new();
    let mut next = name.and_then(|name| scene.transforms.get_key_value(name));
    while let Some((name, transform)) = next {
        if !visited.insert(name) {
            break;
        }
        world = parent_from_local(transform) * world;
        next = transform.parent.as_ref().and_then(|parent| scene.transforms.get_key_value(parent));
    }
    world
}

/// Whether `name` is `ancestor` or one of its descendants.
pub fn is_self_or_descendant(scene: &Scene, name: &str, ancestor: &str) -> bool {
    let mut visited: BTreeSet<&str> = BTreeSet::new();
    let mut next = Some(name);
    while let Some(name) = next.filter(|name| visited.insert(name)) {
        if name == ancestor {
            return true;
        }
        next = scene.transforms.get(name).and_then(|t| t.parent.as_deref());
    }
    false
}

fn parent<'s>(table: &'s Table<Transform>, transform: &Transform) -> Option<(&'s str, &'s Transform)> {
    let (name, parent) = table.get_key_value(transform.parent.as_deref()?)?;
    Some((name, parent))
}

/// Returns translate * rotate * scale. The rotation is normalized; a zero rotation counts as the identity.
pub fn parent_from_local(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        unit_rotation(transform.rotation),
        transform.translation.as_dvec3(),
    )
}

/// Normalizes a rotation; a zero or non-finite one gives the identity.
pub fn unit_rotation(rotation: Quat) -> DQuat {
    let rotation = rotation.as_dquat();
    let length = rotation.length();
    if length > 0.0 && length.is_finite() { rotation / length } else { DQuat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use std::sync::Arc;

    fn transform(parent: Option<&str>, translation: Vec3) -> Arc<Transform> {
        Arc::new(Transform {
            parent: parent.map(str::to_owned),
            translation,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            extra: Default::default(),
        })
    }

    fn scene<'n>(transforms: impl IntoIterator<Item = (&'n str, Arc<Transform>)>) -> Scene {
        Scene {
            transforms: transforms.into_iter().map(|(name, t)| (name.to_owned(), t)).collect(),
            ..Scene::default()
        }
    }

    fn near(a: Mat4, b: Mat4) -> bool {
        a.abs_diff_eq(b, 1e-6)
    }

    #[test]
    fn parents_in_any_order_are_multiplied_in() {
        let mut turned = (*transform(Some("z"), Vec3::X)).clone();
        turned.rotation = Quat::from_rotation_z(0.5);
        turned.scale = Vec3::new(1.0, 2.0, 3.0);
        let scene = scene([
            ("a", transform(Some("m"), Vec3::Y)),
            ("m", Arc::new(turned.clone())),
            ("z", transform(None, Vec3::Z)),
        ]);
        let world = world_matrices(&scene);
        let middle = Mat4::from_translation(Vec3::Z)
            * Mat4::from_translation(Vec3::X)
            * Mat4::from_quat(turned.rotation)
            * Mat4::from_scale(turned.scale);
        assert!(near(world["z"], Mat4::from_translation(Vec3::Z)));
        assert!(near(world["m"], middle));
        assert!(near(world["a"], middle * Mat4::from_translation(Vec3::Y)));
    }

    #[test]
    fn single_world_matrices_agree() {
        let mut t = (*transform(Some("a"), Vec3::X)).clone();
        t.scale = Vec3::new(1.0, -2.0, 0.5);
        t.rotation = Quat::from_rotation_x(1.0);
        let scene = scene([
            ("a", Arc::new(Transform { parent: Some("c".into()), ..t.clone() })),
            ("b", Arc::new(t)),
            ("c", transform(Some("lost"), Vec3::Y)),
            ("self", transform(Some("self"), Vec3::Z)),
        ]);
        for (name, world) in world_matrices(&scene) {
            let one = world_matrix(&scene, Some(&name));
            assert!(near(world, Mat4::from(one.as_affine3a())), "{name}");
        }
        assert_eq!(world_matrix(&scene, Some("lost")), DAffine3::IDENTITY);
        assert!(is_self_or_descendant(&scene, "b", "c") && is_self_or_descendant(&scene, "c", "c"));
        assert!(!is_self_or_descendant(&scene, "c", "b") && !is_self_or_descendant(&scene, "self", "b"));
    }

    #[test]
    fn rotations_that_are_not_unit_do_not_scale() {
        let mut t = (*transform(None, Vec3::ZERO)).clone();
        t.rotation = Quat::from_xyzw(0.0, 0.0, 3.0, 3.0);
        let mut zero = t.clone();
        zero.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let world = world_matrices(&scene([("t", Arc::new(t)), ("zero", Arc::new(zero))]));
        assert!(near(world["t"], Mat4::from_rotation_z(std::f32::consts::FRAC_PI_2)));
        assert_eq!(world["zero"], Mat4::IDENTITY);
    }

    #[test]
    fn cycles_and_missing_parents_terminate() {
        let world = world_matrices(&scene([
            ("a", transform(Some("b"), Vec3::X)),
            ("b", transform(Some("a"), Vec3::X)),
            ("self", transform(Some("self"), Vec3::X)),
            ("orphan", transform(Some("nobody"), Vec3::X)),
        ]));
        assert_eq!(world.len(), 4);
        assert_eq!(world["self"], Mat4::from_translation(Vec3::X));
        assert_eq!(world["orphan"], Mat4::from_translation(Vec3::X));
    }

    #[test]
    fn a_hundred_thousand_generations_are_fine() {
        let n = 100_000;
        let name = |i: usize| format!("{:06}", (i * 7919) % n);
        let transforms = (0..n).map(|i| {
            let parent = i.checked_sub(1).map(name);
            (name(i), transform(parent.as_deref(), Vec3::X))
        });
        let scene = Scene { transforms: transforms.collect(), ..Scene::default() };
        let world = world_matrices(&scene);
        assert_eq!(world[&name(n - 1)].w_axis.x, n as f32);
    }
}
