//! Measures skinning against the textbook's kernels, against mere memory traffic, and in different
//! configurations.

use super::naive::{self, DualQuaternion, Matrix};
use super::subject::Skinned;
use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, with_threads};
use super::{character, moved, stale};
use glam::{DAffine3, DVec3, Vec3};
use ossature::math::dual::DualQuat;
use ossature::math::simd::Path;
use ossature::rig::skinning::{Method, Motions, Rows, skinning_matrices};

const BONES: usize = 64;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let mut lines = Vec::new();
    let usual = Skinned::new(scale.vertices, BONES, 4, 1);
    with_threads(1, || lines.extend(against_textbook(scale, &usual)));
    lines.extend(accuracy(&usual));
    with_threads(1, || lines.push(against_memory(scale)));
    lines.push(two_cores(scale, &usual));
    with_threads(1, || lines.extend(corners(scale, &usual)));
    with_threads(1, || lines.extend(other_subjects(scale, &usual)));
    with_threads(1, || lines.extend(stale::lines(scale)));
    with_threads(1, || lines.extend(moved::lines(scale)));
    lines
}

/// Returns the bones in the textbook's form.
fn textbook_bones(subject: &Skinned) -> (Vec<Matrix>, Vec<DualQuaternion>) {
    let matrices = skinning_matrices(&subject.bind, &subject.current);
    let matrix = |m: &glam::Affine3A| {
        let column = |i: usize| [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation][i];
        std::array::from_fn(|row| std::array::from_fn(|i| column(i)[row]))
    };
    let motions = subject.bind.iter().zip(&subject.current);
    let dual = |(bind, current): (&DAffine3, &DAffine3)| {
        let q = DualQuat::from_affine(&(*current * bind.inverse()));
        [q.real.as_quat().to_array(), q.dual.as_quat().to_array()]
    };
    (matrices.iter().map(matrix).collect(), motions.map(dual).collect())
}

/// Our skinning with a method and SIMD path, and its results.
struct Skinning<'a> {
    subject: &'a Skinned,
    motions: Motions,
    path: Path,
    /// The weights in SIMD layout, as in the evaluator.
    rows: Option<Rows>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl<'a> Skinning<'a> {
    fn new(subject: &'a Skinned, method: Method, path: Path) -> Self {
        Self {
            subject,
            motions: Motions::new(method, &subject.bind, &subject.current),
            path,
            rows: Rows::new(&subject.weights, subject.positions.len()),
            positions: Vec::new(),
            normals: Vec::new(),
        }
    }

    fn skin(&mut self) {
        let Skinned { weights, positions, render, .. } = self.subject;
        let (out, normals) = (&mut self.positions, &mut self.normals);
        let (motions, path) = (&self.motions, self.path);
        let rows = self.rows.as_ref();
        motions.skin_with_path(path, (weights, rows), positions, render, out, normals);
    }
}

fn per_vertex(time: f64, vertices: usize) -> String {
    format!("{} a vertex", seconds(time / vertices as f64))
}

fn against_textbook(scale: &Scale, subject: &Skinned) -> Vec<Line> {
    let vertices = subject.positions.len();
    let packed = subject.packed();
    let (matrices, duals) = textbook_bones(subject);
    let (mut positions, mut normals) = (vec![[0.0; 3]; vertices], vec![[0.0; 3]; vertices]);
    let (mut dual_positions, mut dual_normals) = (positions.clone(), normals.clone());
    let ours = |method| Skinning::new(subject, method, Path::best());
    let (mut linear, mut dual) = (ours(Method::LINEAR), ours(Method::DUAL_QUATERNION));
    let mut half = ours(Method::try_from(0.5).unwrap_or_default());
    let times = in_turns(
        scale.rounds,
        &mut [
            &mut || naive::linear(&matrices, &packed, &mut positions, &mut normals),
            &mut || linear.skin(),
            &mut || naive::dual(&duals, &packed, &mut dual_positions, &mut dual_normals),
            &mut || dual.skin(),
            &mut || half.skin(),
        ],
    );
    let note = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|index| per_vertex(times.get(index), vertices));
        format!("{a} against {b}")
    };
    let size = scale.size();
    let mut lines = vec![
        Line::new(
            format!("LBS, {size}, one core, against a textbook kernel"),
            times.ratio(0, 1),
            "times as fast",
        )
        .at_least(4.0, 5.8)
        .note(format!("{}; {}", Path::best().name(), note(1, 0))),
        Line::new(format!("DQS, {size}, one core, against LBS"), times.ratio(3, 1), "of its time")
            .at_most(1.25, 0.95)
            .note(note(3, 1)),
        Line::new(
            format!("DQS, {size}, one core, against a textbook kernel"),
            times.ratio(2, 3),
            "times as fast",
        )
        .note(note(3, 2)),
        Line::new(format!("half of each, {size}, one core, against LBS"), times.ratio(4, 1), "of its time")
            .note(note(4, 1)),
    ];
    for path in Path::all() {
        let mut linear = Skinning::new(subject, Method::LINEAR, path);
        let mut dual = Skinning::new(subject, Method::DUAL_QUATERNION, path);
        let times = in_turns(
            scale.rounds,
            &mut [
                &mut || naive::linear(&matrices, &packed, &mut positions, &mut normals),
                &mut || linear.skin(),
                &mut || dual.skin(),
            ],
        );
        let label = format!("LBS, {size}, one core, {}, against a textbook kernel", path.name());
        let [a, b] = [1, 2].map(|index| per_vertex(times.get(index), vertices));
        lines.push(Line::new(label, times.ratio(0, 1), "times as fast").note(format!("LBS {a}, DQS {b}")));
    }
    lines
}

fn against_memory(scale: &Scale) -> Line {
    let subject = Skinned::new(10 * scale.vertices, BONES, 4, 1);
    let vertices = subject.positions.len();
    let (input, mut output) = (vec![[1u32; 12]; vertices], vec![[0u32; 6]; vertices]);
    let mut linear = Skinning::new(&subject, Method::LINEAR, Path::best());
    let times = in_turns(
        scale.rounds,
        &mut [&mut || naive::memory_floor(&input, &mut output), &mut || linear.skin()],
    );
    let label =
        format!("LBS, {vertices} vertices, one core, against reading 48 and writing 24 bytes a vertex");
    let [a, b] = [1, 0].map(|index| per_vertex(times.get(index), vertices));
    Line::new(label, times.ratio(1, 0), "times as long").at_most(2.0, 1.4).note(format!("{a} against {b}"))
}

fn two_cores(scale: &Scale, subject: &Skinned) -> Line {
    let ours = || Skinning::new(subject, Method::LINEAR, Path::best());
    let (mut one, mut two) = (ours(), ours());
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
    let label = format!("LBS, {}, two cores against one", scale.size());
    let unit = "times as fast";
    let (Ok(alone), Ok(both)) = (pool(1), pool(2)) else {
        return Line::new(label, f64::NAN, unit).note("no threads to be had");
    };
    let times = in_turns(
        3 * scale.rounds,
        &mut [&mut || alone.install(|| one.skin()), &mut || both.install(|| two.skin())],
    );
    Line::new(label, times.ratio(0, 1), unit).at_least(1.7, 1.9).note(format!(
        "{} against {}",
        seconds(times.get(1)),
        seconds(times.get(0))
    ))
}

/// Measures surfaces with several corners per vertex, up to six as on a flat-shaded mesh.
fn corners(scale: &Scale, subject: &Skinned) -> Vec<Line> {
    let flat = Skinned::new(scale.vertices, BONES, 4, 6);
    let mut smooth = Skinning::new(subject, Method::LINEAR, Path::best());
    let mut flat_shaded = Skinning::new(&flat, Method::LINEAR, Path::best());
    let motions = Motions::new(Method::LINEAR, &subject.bind, &subject.current);
    let mut outs = [0; 2].map(|_| (Vec::new(), Vec::new()));
    let [(positions, records), (flat_positions, flat_records)] = &mut outs;
    let times = in_turns(
        scale.rounds,
        &mut [
            &mut || smooth.skin(),
            &mut || flat_shaded.skin(),
            &mut || {
                motions.skin_vertices(
                    &subject.weights,
                    &subject.positions,
                    &subject.render,
                    positions,
                    records,
                )
            },
            &mut || {
                motions.skin_vertices(
                    &flat.weights,
                    &flat.positions,
                    &flat.render,
                    flat_positions,
                    flat_records,
                )
            },
        ],
    );
    let line = |label: &str, index: usize| {
        Line::new(
            format!("LBS, {}, {label}, against one normal a vertex", scale.size()),
            times.ratio(index, 0),
            "times as long",
        )
        .note(per_vertex(times.get(index), subject.positions.len()))
    };
    vec![
        line("normals of six corners a vertex", 1),
        line("one corner a vertex, interleaved as the graphics card takes it", 2),
        line("six corners a vertex, interleaved as the graphics card takes it", 3),
    ]
}

/// Measures other poses, skeletons and weights than the usual subject's with both methods.
fn other_subjects(scale: &Scale, subject: &Skinned) -> Vec<Line> {
    let mut lines = Vec::new();
    let calm = Skinned::new(scale.vertices, BONES, 4, 1).calm();
    let more_bones = Skinned::new(scale.vertices, 300, 4, 1);
    let two = Skinned::new(scale.vertices, BONES, 2, 1);
    let short = Skinned::new(scale.vertices, BONES, 4, 1).shortened();
    let kinds = [
        ("bones turned by less than a right angle", &calm),
        ("300 bones", &more_bones),
        ("1 to 4 influences a vertex", &short),
        ("two influences a vertex", &two),
    ];
    for (label, other) in kinds {
        lines.extend(compare_methods(&format!("{}, one core, {label}", scale.size()), other, subject, scale));
    }
    // The human with its own weights, and padded or cut to four entries per vertex.
    let human = character::human(if scale.quick { 0 } else { 2 });
    if let Some(mesh) = human.iter().flat_map(|scene| scene.skinned_meshes.values()).next() {
        let human = Skinned::from_mesh(mesh);
        let fours = Skinned::from_mesh(mesh).in_fours();
        let vertices = human.positions.len();
        let count = human.weights.weights.len() as f64 / vertices as f64;
        let label = format!("human, {vertices} vertices, one core, {count:.2} capsule weights a vertex");
        lines.extend(compare_methods(&label, &human, &fours, scale));
        lines.extend(compare_methods(&label, &human, subject, scale));
    }
    lines
}

/// Measures `subject` with LBS and DQS against `other`.
fn compare_methods(label: &str, subject: &Skinned, other: &Skinned, scale: &Scale) -> Vec<Line> {
    let methods = [("LBS", Method::LINEAR), ("DQS", Method::DUAL_QUATERNION)];
    let mut all = Vec::new();
    for subject in [subject, other] {
        all.extend(methods.map(|(_, method)| Skinning::new(subject, method, Path::best())));
    }
    let mut skins: Vec<_> = all.iter_mut().map(|ours| || ours.skin()).collect();
    let mut work: Vec<&mut dyn FnMut()> = Vec::new();
    work.extend(skins.iter_mut().map(|skin| skin as &mut dyn FnMut()));
    let times = in_turns(scale.rounds, &mut work);
    let line = |k: usize| {
        let time = per_vertex(times.get(k), subject.positions.len());
        let other_time = per_vertex(times.get(2 + k), other.positions.len());
        Line::new(
            format!("{}, {label}", methods[k].0),
            times.ratio(k, 2 + k) * other.positions.len() as f64 / subject.positions.len() as f64,
            "of the time a vertex",
        )
        .note(format!("{time}; of {} {other_time}", other.description))
    };
    vec![line(0), line(1)]
}

/// Returns the largest errors of all methods and SIMD paths, against f64.
fn accuracy(subject: &Skinned) -> Vec<Line> {
    let (mut point, mut unit) = (0.0f64, 0.0f64);
    let motions: Vec<DAffine3> =
        subject.bind.iter().zip(&subject.current).map(|(bind, current)| *current * bind.inverse()).collect();
    for path in Path::all() {
        for method in [Method::LINEAR, Method::DUAL_QUATERNION] {
            let mut ours = Skinning::new(subject, method, path);
            ours.skin();
            for v in 0..subject.positions.len().min(50_000) {
                let matrix = match method {
                    Method::LINEAR => blended(&motions, subject.weights.influences(v)),
                    _ => rigid(&motions, subject.weights.influences(v)),
                };
                let moved = matrix.transform_point3(subject.positions[v].as_dvec3());
                point = point.max(moved.distance(ours.positions[v].as_dvec3()));
                let normal = matrix.matrix3.inverse().transpose() * subject.render.normal[v].as_dvec3();
                // A nearly singular matrix magnifies rounding.
                let condition = size(&matrix) * size(&matrix.inverse());
                let error = normal.normalize().distance(ours.normals[v].as_dvec3());
                unit = unit.max(error / condition.max(1.0));
            }
        }
    }
    let extent = subject.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
    vec![
        Line::new(
            "error of positions, LBS and DQS, all paths, against f64",
            point / f64::from(extent),
            "of the size",
        )
        .at_most(1e-6, 4e-7),
        Line::new("error of normals, divided by the matrix' condition", unit, "").at_most(1e-6, 4e-7),
    ]
}

fn size(m: &DAffine3) -> f64 {
    let m = m.matrix3;
    [m.x_axis, m.y_axis, m.z_axis].iter().map(|c| c.length_squared()).sum::<f64>().sqrt()
}

fn blended(motions: &[DAffine3], row: impl Iterator<Item = (u16, f32)>) -> DAffine3 {
    let mut sum = DAffine3::ZERO;
    for (bone, weight) in row {
        let (motion, weight) = (&motions[usize::from(bone)], f64::from(weight));
        sum.matrix3 += motion.matrix3 * weight;
        sum.translation += motion.translation * weight;
    }
    sum
}

fn rigid(motions: &[DAffine3], row: impl Iterator<Item = (u16, f32)>) -> DAffine3 {
    let motion = |bone: u16| DualQuat::from_affine(&motions[usize::from(bone)]);
    let row: Vec<_> = row.collect();
    let heaviest = row.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let pivot = heaviest.map_or(DualQuat::IDENTITY, |(bone, _)| motion(bone));
    let signed = |(bone, weight): (u16, f32)| {
        let q = motion(bone) * f64::from(weight);
        if q.real.dot(pivot.real) < 0.0 { -q } else { q }
    };
    let sum = row.into_iter().map(signed).reduce(|a, b| a + b);
    sum.map_or(DAffine3::from_translation(DVec3::ZERO), |sum| sum.normalize().to_affine())
}
