//! Every instruction set of the processor skins as f64 does, to 1e-6 of the size: all methods, all numbers of
//! influences and corners, few bones and many, vertices that do not fill a whole block.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use ossature::math::dual::DualQuat;
use ossature::math::simd::Path;
use ossature::mesh::render::RenderMesh;
use ossature::rig::skinning::{Method, Motions, Rows};
use ossature::rig::weights::VertexWeights;

use crate::rig_support::Random;

struct Subject {
    positions: Vec<Vec3>,
    weights: VertexWeights,
    render: RenderMesh,
    bind: Vec<DAffine3>,
    current: Vec<DAffine3>,
}

fn unit(random: &mut Random) -> Vec3 {
    (random.vec3(1.0) + Vec3::new(0.0, 1e-3, 0.0)).normalize()
}

/// Makes a subject, with `influences` and `corners` by the index of a vertex.
fn subject(
    vertices: usize,
    bones: usize,
    influences: impl Fn(usize) -> usize,
    corners: impl Fn(usize) -> usize,
) -> Subject {
    let mut random = Random::new(9);
    let mut weights = VertexWeights::none(0);
    let mut render = RenderMesh::default();
    for v in 0..vertices {
        let count = influences(v);
        let first = random.below(bones - count.max(1) + 1);
        let row: Vec<f32> = (0..count).map(|_| random.unit().abs() + 0.05).collect();
        let sum: f32 = row.iter().sum();
        weights.push_row(row.iter().enumerate().map(|(k, w)| ((first + k) as u16, w / sum)));
        for _ in 0..corners(v) {
            render.vertex.push(v as u32);
            render.normal.push(unit(&mut random));
        }
    }
    let bind: Vec<_> = (0..bones).map(|_| DAffine3::from_translation(random.vec3(1.0).as_dvec3())).collect();
    let current = bind.iter().map(|bind| {
        let turn =
            DQuat::from_axis_angle(unit(&mut random).as_dvec3().normalize(), 2.5 * f64::from(random.unit()));
        DAffine3::from_rotation_translation(turn, bind.translation + 0.3 * random.vec3(1.0).as_dvec3())
    });
    Subject {
        current: current.collect(),
        positions: (0..vertices).map(|_| random.vec3(1.0)).collect(),
        weights,
        render,
        bind,
    }
}

/// Limits bones to turns of less than a right angle, so that no motion points away from another.
fn calm(mut subject: Subject) -> Subject {
    let mut random = Random::new(3);
    for (bind, current) in subject.bind.iter().zip(&mut subject.current) {
        let axis = unit(&mut random).as_dvec3().normalize();
        let turn = DQuat::from_axis_angle(axis, 1.5 * f64::from(random.unit()));
        *current = DAffine3::from_rotation_translation(turn, bind.translation);
    }
    subject
}

/// Reverses the rows, and makes all weights of a row equal.
fn descending(mut subject: Subject) -> Subject {
    let VertexWeights { ends, bones, weights } = &mut subject.weights;
    let mut start = 0;
    for end in ends.iter().map(|end| *end as usize) {
        bones[start..end].reverse();
        weights[start..end].fill(1.0 / (end - start).max(1) as f32);
        start = end;
    }
    subject
}

/// M_v of both methods, in f64.
fn reference(subject: &Subject, v: usize) -> [DAffine3; 2] {
    let row: Vec<(u16, f32)> = subject.weights.influences(v).collect();
    if row.is_empty() {
        return [DAffine3::IDENTITY; 2];
    }
    let motion = |bone: u16| {
        let bone = usize::from(bone);
        subject.current[bone] * subject.bind[bone].inverse()
    };
    let mut linear = DAffine3::ZERO;
    for &(bone, weight) in &row {
        linear.matrix3 += motion(bone).matrix3 * f64::from(weight);
        linear.translation += motion(bone).translation * f64::from(weight);
    }
    let heaviest = row.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let pivot = DualQuat::from_affine(&motion(heaviest.unwrap().0));
    let signed = |&(bone, weight): &(u16, f32)| {
        let q = DualQuat::from_affine(&motion(bone));
        let q = if q.real.dot(pivot.real) < 0.0 { -q } else { q };
        q * f64::from(weight)
    };
    let sum = row.iter().map(signed).reduce(|a, b| a + b).unwrap();
    [linear, sum.normalize().to_affine()]
}

fn size(m: &DAffine3) -> f64 {
    let m = m.matrix3;
    let columns = [m.x_axis, m.y_axis, m.z_axis];
    columns.iter().map(|c| c.length_squared()).sum::<f64>().sqrt()
}

/// Returns positions and normals.
fn skinned(subject: &Subject, motions: &Motions, path: Path, rows: Option<&Rows>) -> (Vec<Vec3>, Vec<Vec3>) {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    let weights = (&subject.weights, rows);
    let (bind, render) = (&subject.positions, &subject.render);
    motions.skin_with_path(path, weights, bind, render, &mut positions, &mut normals);
    (positions, normals)
}

fn check(subject: &Subject, path: Path, part: f32) {
    let method = Method::try_from(part).unwrap();
    let motions = Motions::new(method, &subject.bind, &subject.current);
    let (positions, normals) = skinned(subject, &motions, path, None);
    let Subject { positions: bind, weights, render, .. } = subject;
    // Weights laid out give the same, bit for bit.
    let rows = Rows::new(weights, bind.len());
    assert_eq!(rows.is_some(), subject.bind.len() < 8192);
    if let Some(rows) = rows {
        let (again, normals_again) = skinned(subject, &motions, path, Some(&rows));
        let (path, bones) = (path.name(), subject.bind.len());
        assert!(again == positions && normals_again == normals, "{path}, part {part}, {bones} bones");
    }
    let part = f64::from(part);
    let scale = 2.0 * 3f64.sqrt();
    let moves: Vec<[DAffine3; 2]> = (0..bind.len()).map(|v| reference(subject, v)).collect();
    // Sums of dual quaternions that nearly cancel magnify rounding; so do nearly singular matrices.
    let mut worst = 0.0f64;
    for (v, found) in positions.iter().enumerate() {
        let [linear, dual] = moves[v].map(|m| m.transform_point3(bind[v].as_dvec3()));
        let error = linear.lerp(dual, part).distance(found.as_dvec3()) / scale;
        assert!(error < 1e-5, "{} vertex {v}: {error:e}", path.name());
        worst = worst.max(error);
    }
    assert!(worst < 1e-6, "{}, part {part}: {worst:e}", path.name());
    for (r, found) in normals.iter().enumerate() {
        let [linear, dual] = moves[render.vertex[r] as usize];
        let normal = render.normal[r].as_dvec3();
        let condition = (size(&linear) * size(&linear.inverse())).max(1.0);
        let turned: DVec3 = (linear.matrix3.inverse().transpose() * normal).normalize();
        let between = turned.lerp(dual.matrix3 * normal, part);
        let error = between.normalize().distance(found.as_dvec3()) * between.length();
        assert!(error < 1e-6 * condition, "{}, part {part}, corner {r}: {error:e}", path.name());
        assert!((found.length() - 1.0).abs() < 1e-6);
    }
}

#[test]
fn every_path_skins_as_f64_does() {
    let subjects = [
        subject(1000, 64, |_| 4, |_| 1),
        subject(1003, 20, |v| v % 7, |v| 1 + v % 3),
        subject(517, 300, |v| [4, 4, 4, 1, 2][v / 100 % 5], |_| 6),
        subject(5, 3, |_| 2, |_| 1),
        subject(9001, 255, |_| 4, |v| usize::from(v % 50 == 0) + 1),
        subject(40, 256, |_| 4, |v| v % 2),
        subject(777, 30, |v| v % 12, |v| v % 3),
        subject(500, 1200, |v| 1 + v % 5, |_| 1),
        subject(100, 9000, |v| v % 6, |_| 1),
        calm(subject(1003, 20, |v| v % 7, |_| 1)),
        descending(subject(1003, 20, |v| v % 7, |_| 1)),
    ];
    for path in Path::all() {
        for subject in &subjects {
            for part in [0.0, 0.3, 1.0] {
                check(subject, path, part);
            }
        }
    }
}

/// Partial skinning relies on this: a vertex whose bones rest comes out the same, bit for bit, however far
/// other bones are turned.
#[test]
fn bones_that_do_not_move_a_vertex_do_not_change_it() {
    for path in Path::all() {
        for mut subject in [subject(1003, 20, |v| v % 7, |_| 1), descending(subject(999, 20, |_| 4, |_| 1))] {
            subject = calm(subject);
            let skin = |subject: &Subject| {
                let motions = Motions::new(Method::DUAL_QUATERNION, &subject.bind, &subject.current);
                skinned(subject, &motions, path, None)
            };
            let before = skin(&subject);
            let turn = DQuat::from_rotation_x(3.0);
            subject.current[7] = DAffine3::from_rotation_translation(turn, DVec3::ZERO);
            let after = skin(&subject);
            let follows = |v: usize| subject.weights.influences(v).any(|(bone, _)| bone == 7);
            for v in (0..subject.positions.len()).filter(|&v| !follows(v)) {
                assert_eq!((before.0[v], before.1[v]), (after.0[v], after.1[v]), "vertex {v}");
            }
            assert!(before.0 != after.0);
        }
    }
}

#[test]
fn render_vertices_hold_the_same() {
    for corners in [1, 6] {
        let subject = subject(1003, 20, |v| v % 5, |_| corners);
        let Subject { positions: bind, weights, render, .. } = &subject;
        let motions = Motions::new(Method::LINEAR, &subject.bind, &subject.current);
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        motions.skin(weights, bind, render, &mut positions, &mut normals);
        let (mut again, mut vertices) = (Vec::new(), Vec::new());
        motions.skin_vertices(weights, bind, render, &mut again, &mut vertices);
        assert_eq!(again, positions);
        assert_eq!(vertices.len(), render.vertex.len());
        for (r, vertex) in vertices.iter().enumerate() {
            let expected = (positions[render.vertex[r] as usize], normals[r]);
            assert_eq!((vertex.position, vertex.normal), expected, "corner {r}");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let subject = subject(30_000, 40, |v| [4, 3][v / 5000 % 2], |v| 1 + v % 2);
    let skin = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let motions = Motions::new(Method::DUAL_QUATERNION, &subject.bind, &subject.current);
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        let Subject { positions: bind, weights, render, .. } = &subject;
        pool.install(|| motions.skin(weights, bind, render, &mut positions, &mut normals));
        (positions, normals)
    };
    assert!(skin(1) == skin(3));
}
