//! How a body stands in the scene: on the floor, its head up, facing +z.

use crate::io::placing::FLOOR_TOLERANCE;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::scene::Scene;
use crate::scene::world::world_matrix;
use glam::{Affine3A, DVec3, Mat3, Quat, Vec3};

/// The cosine of the angle to an axis within which a body faces there, and the least turn that counts, in radians.
const FACES: f32 = 0.999;
const TURNED: f32 = 1e-3;

/// Returns what is done to a mesh so that its body stands in the scene: a rotation about its origin, after which its left points
/// along an axis of the mesh and it faces +z of the scene, or of its instance if that is turned; and then, unless a transform
/// places it, a move to the floor. `None` if it stands already. `axes`: its up and front.
pub fn standing_from_mesh(scene: &Scene, mesh: &str, axes: [Vec3; 2]) -> Option<Affine3A> {
    let [up, front] = axes;
    let instances = scene.instances.skinned_meshes.values().chain(scene.instances.meshes.values());
    let instance = instances.into_iter().find(|instance| instance.resource.as_deref() == Some(mesh));
    let world_from_mesh = world_matrix(scene, instance.and_then(|instance| instance.transform.as_deref()));
    let (_, rotation, place) = world_from_mesh.to_scale_rotation_translation();
    let mesh_from_world = Some(rotation.inverse().as_quat()).filter(|rotation| rotation.is_finite());
    let mesh_from_world = mesh_from_world.unwrap_or_default();
    let wanted_up = nearest_axis(mesh_from_world * Vec3::Y);
    let in_world = nearest_axis((mesh_from_world * Vec3::Z).reject_from(wanted_up));
    let usual = nearest_axis(Quat::from_rotation_arc(Vec3::Y, wanted_up) * Vec3::Z);
    let wanted_front = if front.dot(in_world) > FACES { in_world } else { usual };
    let from = |up: Vec3, front: Vec3| Mat3::from_cols(up.cross(front), up, front);
    let turn = from(wanted_up, wanted_front) * from(up, front).transpose();
    let is_turned = !turn.abs_diff_eq(Mat3::IDENTITY, TURNED);
    let turn = if is_turned { turn } else { Mat3::IDENTITY };
    let lowest = lowest(scene.surface(mesh)?, turn.transpose() * wanted_up);
    let lift = if place == DVec3::ZERO { lowest.map_or(0.0, |lowest| -lowest) } else { 0.0 };
    (is_turned || lift != 0.0).then(|| Affine3A::from_mat3_translation(turn, lift * wanted_up))
}

/// The lowest point of a surface; `None` if it is on the floor.
fn lowest(surface: &HalfedgeMesh, up: Vec3) -> Option<f32> {
    let heights = || surface.positions().iter().map(|point| point.dot(up));
    let (low, high) = (heights().fold(f32::INFINITY, f32::min), heights().fold(f32::NEG_INFINITY, f32::max));
    (low.abs() > FLOOR_TOLERANCE * (high - low)).then_some(low).filter(|low| low.is_finite())
}

/// The coordinate axis, or its opposite, that is nearest to a direction.
pub fn nearest_axis(direction: Vec3) -> Vec3 {
    let component = direction.abs().max_position();
    Vec3::AXES[component] * direction[component].signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::command::{Command, Surface};
    use crate::mesh::primitives::Primitive;
    use crate::scene::resource::Transform;
    use glam::Mat3A;
    use std::sync::Arc;

    fn apply(scene: &mut Scene, command: &Command) {
        command.apply(scene).unwrap();
    }

    /// Bodies that lie are turned, and those that a file has placed by a transform only if they lie there.
    #[test]
    fn bodies_are_turned_so_that_they_stand_in_the_scene() {
        let mut scene = Scene::default();
        let surface = Surface::Primitive(Primitive::DEFAULTS[0]);
        let add = Command::AddMesh { name: "Body".into(), surface, skinned: true };
        apply(&mut scene, &add);
        let turned = |scene: &Scene, up: Vec3, front: Vec3| {
            let turn = standing_from_mesh(scene, "Body", [up, front])?;
            (turn.matrix3 != Mat3A::IDENTITY).then_some(())?;
            Some([up, front].map(|axis| turn.transform_vector3(axis)))
        };
        let between = Vec3::new(0.6, 0.0, 0.8);
        assert_eq!(turned(&scene, Vec3::Y, Vec3::Z), None);
        let stands = |found: Option<[Vec3; 2]>, up: Vec3, front: Vec3| {
            found.is_some_and(|[a, b]| a.distance(up) < 1e-6 && b.distance(front) < 1e-6)
        };
        for (up, front) in [(Vec3::Z, Vec3::NEG_Y), (Vec3::Y, between), (Vec3::Y, Vec3::NEG_Z)] {
            assert!(stands(turned(&scene, up, front), Vec3::Y, Vec3::Z), "{up} {front}");
        }
        // A file with z up, as its instance is turned by a quarter.
        let quarter = Transform {
            rotation: Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2),
            ..Transform::default()
        };
        scene.transforms.values_mut().for_each(|transform| *transform = Arc::new(quarter.clone()));
        assert_eq!(turned(&scene, Vec3::Z, Vec3::NEG_Y), None);
        assert!(stands(turned(&scene, Vec3::Z, Vec3::X), Vec3::Z, Vec3::NEG_Y));
        assert!(stands(turned(&scene, Vec3::Z, Vec3::new(0.6, -0.8, 0.0)), Vec3::Z, Vec3::NEG_Y));
        assert!(stands(turned(&scene, Vec3::Y, Vec3::Z), Vec3::Z, Vec3::NEG_Y), "it lies there");
        // Somebody has turned a character to the side.
        let aside = Transform { rotation: Quat::from_rotation_y(1.5), ..Transform::default() };
        scene.transforms.values_mut().for_each(|transform| *transform = Arc::new(aside.clone()));
        assert_eq!(turned(&scene, Vec3::Y, Vec3::Z), None);
    }

    /// A body whose origin is in its hips is put on the floor, along the up of its file; one that a node has placed stays, and one that
    /// nearly stands.
    #[test]
    fn bodies_are_put_on_the_floor() {
        let mut scene = Scene::default();
        let add = |scene: &mut Scene, low: f32| {
            let mut surface = crate::mesh::primitives::cuboid(Vec3::new(1.0, 1.0, 2.0)).unwrap();
            let lowest = surface.positions().iter().map(|point| point.z).fold(f32::INFINITY, f32::min);
            surface.translate(Vec3::new(0.0, 0.0, low - lowest));
            let surface = Surface::Built(Arc::new(surface));
            apply(scene, &Command::AddMesh { name: "Body".into(), surface, skinned: true });
        };
        add(&mut scene, -0.7);
        let standing = |scene: &Scene| standing_from_mesh(scene, "Body", [Vec3::Z, Vec3::NEG_Y]);
        let lowest = standing(&scene).unwrap().transform_point3(Vec3::new(0.3, 0.2, -0.7));
        assert!(lowest.abs_diff_eq(Vec3::new(0.3, 0.0, -0.2), 1e-6), "{lowest}");
        let quarter = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let place = |scene: &mut Scene, translation: Vec3| {
            let transform = Transform { rotation: quarter, translation, ..Transform::default() };
            scene.transforms.values_mut().for_each(|it| *it = Arc::new(transform.clone()));
        };
        place(&mut scene, Vec3::ZERO);
        let standing_there = standing(&scene).unwrap();
        assert!(standing_there.abs_diff_eq(Affine3A::from_translation(0.7 * Vec3::Z), 1e-6));
        place(&mut scene, Vec3::Y);
        assert_eq!(standing(&scene), None);
        let mut scene = Scene::default();
        add(&mut scene, 0.01);
        place(&mut scene, Vec3::ZERO);
        assert_eq!(standing(&scene), None);
    }
}
