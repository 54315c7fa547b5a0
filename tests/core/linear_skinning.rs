//! Linear blend skinning against a brute-force reference in f64.

use crate::random::Random;
use crate::rig_support::tube_of_five;
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::mesh::render::RenderMesh;
use ossature::rig::kinematics::{bind_pose, current_pose};
use ossature::rig::skeleton::Skeleton;
use ossature::rig::skinning::{linear, skinning_matrices};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::capsule::capsule_weights;

/// A tube of height 10 with a chain of five bones, weighted by capsules.
fn rigged_tube(around: u32, along: u32) -> (HalfedgeMesh, Skeleton, VertexWeights) {
    let (mesh, skeleton) = tube_of_five(around, along);
    let weights = capsule_weights(&skeleton, mesh.positions());
    (mesh, skeleton, weights)
}

fn skin(bones: &[Affine3A], weights: &VertexWeights, mesh: &HalfedgeMesh) -> (Vec<Vec3>, Vec<Vec3>) {
    let (mut positions, mut normals) = (vec![], vec![]);
    let render = RenderMesh::new(mesh);
    linear::skin(bones, weights, mesh.positions(), &render, &mut positions, &mut normals);
    (positions, normals)
}

fn blended(bones: &[Affine3A], weights: &VertexWeights, v: usize) -> (DMat3, DVec3) {
    let mut sum = (DMat3::ZERO, DVec3::ZERO);
    for (b, w) in weights.influences(v) {
        let m = bones[usize::from(b)];
        sum.0 += Mat3::from(m.matrix3).as_dmat3() * f64::from(w);
        sum.1 += Vec3::from(m.translation).as_dvec3() * f64::from(w);
    }
    sum
}

/// Compares with the definition: positions by M, normals by its inverse transpose.
fn assert_matches(
    bones: &[Affine3A],
    weights: &VertexWeights,
    mesh: &HalfedgeMesh,
    (positions, normals): &(Vec<Vec3>, Vec<Vec3>),
) {
    let render = RenderMesh::new(mesh);
    assert_eq!((positions.len(), normals.len()), (mesh.vertex_count(), render.vertex.len()));
    for (v, (&bind, &found)) in mesh.positions().iter().zip(positions).enumerate() {
        let (m, t) = blended(bones, weights, v);
        let expected = if weights.row(v).0.is_empty() { bind.as_dvec3() } else { m * bind.as_dvec3() + t };
        let scale = bind.length().max(1.0) as f64 * m.x_axis.length().max(m.y_axis.length()).max(1.0);
        assert!((expected - found.as_dvec3()).length() < 1e-6 * scale + 1e-6 * t.length(), "vertex {v}");
    }
    for (r, (&v, &bind)) in render.vertex.iter().zip(&render.normal).enumerate() {
        let (m, _) = blended(bones, weights, v as usize);
        let found = normals[r].as_dvec3();
        let expected = if weights.row(v as usize).0.is_empty() {
            bind.as_dvec3()
        } else {
            (m.inverse().transpose() * bind.as_dvec3()).normalize()
        };
        // The rounding error of M grows with its condition number.
        let size = m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let inverse = m.inverse().to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
        let condition = if weights.row(v as usize).0.is_empty() { 1.0 } else { size * inverse };
        assert!((expected - found).length() < 1e-6 * condition.max(1.0), "render vertex {r}");
    }
}

#[test]
fn skinning_is_that_of_the_definition() {
    let mut random = Random::new(0x0F0F_1234_ABCD_5555);
    let mesh = primitives::cuboid(Vec3::new(1.0, 2.0, 3.0)).unwrap();
    let mut mirrored = 0;
    for _ in 0..2000 {
        let bones: Vec<Affine3A> = (0..6)
            .map(|_| {
                let m = Mat3::from_cols(random.vec3(1.0), random.vec3(1.0), random.vec3(1.0));
                Affine3A::from_mat3_translation(m, random.vec3(1.0))
            })
            .collect();
        let mut weights = VertexWeights::default();
        for v in 0..8 {
            for b in 0..v % 5 {
                weights.bones.push((b * 7 + v) % 6);
                weights.weights.push(random.unit() + 1.0);
            }
            weights.ends.push(weights.bones.len() as u32);
        }
        mirrored += (0..8).filter(|&v| blended(&bones, &weights, v).0.determinant() < 0.0).count();
        assert_matches(&bones, &weights, &mesh, &skin(&bones, &weights, &mesh));
    }
    assert!(mirrored > 1000, "{mirrored}");
}

#[test]
fn a_posed_tube_is_that_of_the_definition_on_any_number_of_threads() {
    let (mesh, mut skeleton, weights) = rigged_tube(60, 150);
    assert!(mesh.vertex_count() > 4 * 2048 && weights.unweighted_count() == 0);
    for (i, bone) in skeleton.bones.iter_mut().enumerate() {
        bone.pose_deg = Vec3::new(20.0, -35.0, 15.0 * i as f32);
    }
    let bones = skinning_matrices(&bind_pose(&skeleton), &current_pose(&skeleton));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| skin(&bones, &weights, &mesh))
    };
    let skinned = on(1);
    assert_eq!(skinned, on(4));
    assert_matches(&bones, &weights, &mesh, &skinned);
}

#[test]
fn identity_pose_changes_nothing() {
    // The same holds for a skeleton and a mesh far from the origin.
    let (mesh, mut skeleton, _) = rigged_tube(12, 40);
    for far in [0.0, 30.0] {
        let mut raw = mesh.raw();
        raw.vertex_position.iter_mut().for_each(|p| p.x += far);
        skeleton.base = Vec3::X * far;
        let moved = HalfedgeMesh::new(raw).unwrap();
        let weights = capsule_weights(&skeleton, moved.positions());
        let bones = skinning_matrices(&bind_pose(&skeleton), &current_pose(&skeleton));
        let (positions, normals) = skin(&bones, &weights, &moved);
        for (bind, found) in moved.positions().iter().zip(&positions) {
            assert!((*bind - *found).length() <= 1e-6 * 10.0);
        }
        for (bind, found) in RenderMesh::new(&moved).normal.iter().zip(&normals) {
            assert!((*bind - *found).length() <= 1e-6);
        }
    }
}

#[test]
fn moving_all_bones_alike_moves_the_surface_rigidly() {
    let (mesh, _, weights) = rigged_tube(12, 40);
    let rotation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -2.0).normalize(), 2.1);
    let rigid = DAffine3::from_rotation_translation(rotation, DVec3::new(3.0, -4.0, 5.0));
    let (positions, normals) = skin(&[rigid.as_affine3a(); 5], &weights, &mesh);
    for (bind, found) in mesh.positions().iter().zip(&positions) {
        let expected = rigid.transform_point3(bind.as_dvec3());
        assert!((expected - found.as_dvec3()).length() <= 1e-5);
    }
    for (bind, found) in RenderMesh::new(&mesh).normal.iter().zip(&normals) {
        assert!((rotation * bind.as_dvec3() - found.as_dvec3()).length() <= 1e-6);
    }
}

/// Weights that give every vertex the given entries.
fn everywhere(mesh: &HalfedgeMesh, entries: &[(u16, f32)]) -> VertexWeights {
    let n = mesh.vertex_count();
    VertexWeights {
        ends: (1..=n).map(|v| (v * entries.len()) as u32).collect(),
        bones: (0..n).flat_map(|_| entries.iter().map(|e| e.0)).collect(),
        weights: (0..n).flat_map(|_| entries.iter().map(|e| e.1)).collect(),
    }
}

#[test]
fn singular_matrices_leave_finite_unit_normals() {
    let mesh = primitives::uv_sphere(1.0, 12, 8).unwrap();
    let bind = RenderMesh::new(&mesh).normal;
    let half_turn = Affine3A::from_quat(Quat::from_rotation_y(std::f32::consts::PI));
    let scale = |x, y, z| Affine3A::from_scale(Vec3::new(x, y, z));
    type Case<'a> = (&'a [Affine3A], &'a [(u16, f32)]);
    let cases: &[Case] = &[
        (&[scale(0.0, 0.0, 0.0)], &[(0, 1.0)]),
        (&[scale(0.0, 1.0, 0.0)], &[(0, 1.0)]),
        (&[scale(1.0, 0.0, 1.0)], &[(0, 1.0)]),
        (&[scale(1e-20, 1e-20, 1e-20)], &[(0, 1.0)]),
        (&[scale(1e30, 1e30, 1e30)], &[(0, 1.0)]),
        // The collapsed middle of a twist by half a turn.
        (&[Affine3A::IDENTITY, half_turn], &[(0, 0.5), (1, 0.5)]),
        (&[Affine3A::IDENTITY], &[(0, 0.0)]),
        (&[Affine3A::IDENTITY, Affine3A::IDENTITY], &[(0, 1.0), (1, -1.0)]),
    ];
    for (bones, entries) in cases {
        let (positions, normals) = skin(bones, &everywhere(&mesh, entries), &mesh);
        assert!(positions.iter().all(|p| p.is_finite()));
        assert!(normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-5), "{bones:?}");
    }
    // No direction is left: normals stay as in the bind pose.
    let (_, normals) = skin(&[scale(0.0, 0.0, 0.0)], &everywhere(&mesh, &[(0, 1.0)]), &mesh);
    assert_eq!(normals, bind);
    // A shadow on the ground: straight up or down, depending on the side of the normal.
    let (_, normals) = skin(&[scale(1.0, 0.0, 1.0)], &everywhere(&mesh, &[(0, 1.0)]), &mesh);
    for (bind, found) in bind.iter().zip(&normals).filter(|(bind, _)| bind.y.abs() > 1e-3) {
        assert!(found.distance(Vec3::Y * bind.y.signum()) < 1e-6);
    }
}

#[test]
fn vertices_without_weights_stay_exactly() {
    let (mesh, _, _) = rigged_tube(12, 40);
    let bones = [Affine3A::from_translation(Vec3::splat(100.0)); 5];
    let (positions, normals) = skin(&bones, &VertexWeights::none(mesh.vertex_count()), &mesh);
    assert_eq!(positions, mesh.positions());
    assert_eq!(normals, RenderMesh::new(&mesh).normal);
}

#[test]
fn weights_out_of_order_do_no_harm() {
    let (mesh, _, weights) = rigged_tube(12, 40);
    let bones = [Affine3A::from_translation(Vec3::Y); 5];
    type Breaks = fn(&mut VertexWeights);
    let breaks: [Breaks; 6] = [
        |w| w.ends.truncate(3),
        |w| w.ends.clear(),
        |w| w.bones.fill(u16::MAX),
        |w| w.weights.truncate(5),
        |w| w.ends.iter_mut().for_each(|end| *end = end.wrapping_mul(77_777_777)),
        |w| w.ends.reverse(),
    ];
    for break_ in breaks {
        let mut broken = weights.clone();
        break_(&mut broken);
        let (positions, _) = skin(&bones, &broken, &mesh);
        assert!(positions.iter().all(|p| p.is_finite()));
    }
    // Missing bones move nothing.
    let (positions, _) = skin(&[], &weights, &mesh);
    for (bind, found) in mesh.positions().iter().zip(&positions) {
        assert!((*bind - *found).length() <= 1e-6 * 10.0);
    }
}

#[test]
fn buffers_are_reused() {
    let (mesh, skeleton, weights) = rigged_tube(60, 60);
    let bones = skinning_matrices(&bind_pose(&skeleton), &current_pose(&skeleton));
    let render = RenderMesh::new(&mesh);
    let (mut positions, mut normals) = (vec![Vec3::ONE; 7], vec![]);
    linear::skin(&bones, &weights, mesh.positions(), &render, &mut positions, &mut normals);
    let first = (positions.clone(), normals.clone());
    let place = (positions.as_ptr(), normals.as_ptr());
    positions.fill(Vec3::NAN);
    linear::skin(&bones, &weights, mesh.positions(), &render, &mut positions, &mut normals);
    assert_eq!((positions.as_ptr(), normals.as_ptr()), place);
    assert_eq!((positions, normals), first);
}
