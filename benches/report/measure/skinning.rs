//! Skinning against the textbook's kernels, against reading and writing alone, and against itself.

use super::naive::{self, DualQuaternion, Matrix};
use super::subject::Skinned;
use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, threads};
use super::{character, stale};
use glam::{DAffine3, DVec3, Vec3};
use ossature::math::dual::DualQuat;
use ossature::math::simd::Path;
use ossature::rig::skinning::{Method, Motions, Rows, skinning_matrices};

const BONES: usize = 64;

pub fn lines(scale: &Scale) -> Vec<Line> {
    let mut lines = Vec::new();
    let hundred = Skinned::new(scale.vertices, BONES, 4, 1);
    threads(1, || lines.extend(against_textbook(scale, &hundred)));
    lines.extend(accuracy(&hundred));
    threads(1, || lines.push(against_memory(scale)));
    lines.push(two_cores(scale, &hundred));
    threads(1, || lines.extend(corners(scale, &hundred)));
    threads(1, || lines.extend(others(scale, &hundred)));
    threads(1, || lines.extend(stale::lines(scale)));
    lines
}

/// The textbook's bones.
fn textbook(subject: &Skinned) -> (Vec<Matrix>, Vec<DualQuaternion>) {
    let matrices = skinning_matrices(&subject.bind, &subject.current);
    let matrix = |m: &glam::Affine3A| {
        let column = |i: usize| {
            [
                m.matrix3.x_axis,
                m.matrix3.y_axis,
                m.matrix3.z_axis,
                m.translation,
            ][i]
        };
        std::array::from_fn(|row| std::array::from_fn(|i| column(i)[row]))
    };
    let motions = subject.bind.iter().zip(&subject.current);
    let dual = |(bind, current): (&DAffine3, &DAffine3)| {
        let q = DualQuat::from_affine(&(*current * bind.inverse()));
        [q.real.as_quat().to_array(), q.dual.as_quat().to_array()]
    };
    (matrices.iter().map(matrix).collect(), motions.map(dual).collect())
}

/// Positions and normals of a method.
struct Ours<'a> {
    subject: &'a Skinned,
    motions: Motions,
    path: Path,
    /// The weights, laid out as the evaluator keeps them.
    rows: Option<Rows>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl<'a> Ours<'a> {
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
        let Skinned {
            weights,
            positions,
            render,
            ..
        } = self.subject;
        let (out, normals) = (&mut self.positions, &mut self.normals);
        let (motions, path) = (&self.motions, self.path);
        let rows = self.rows.as_ref();
        motions.skin_on(path, (weights, rows), positions, render, out, normals);
    }
}

fn per_vertex(time: f64, vertices: usize) -> String {
    format!("{} a vertex", seconds(time / vertices as f64))
}

fn against_textbook(scale: &Scale, subject: &Skinned) -> Vec<Line> {
    let vertices = subject.positions.len();
    let packed = subject.packed();
    let (matrices, duals) = textbook(subject);
    let (mut positions, mut normals) = (vec![[0.0; 3]; vertices], vec![[0.0; 3]; vertices]);
    let (mut more, mut more_normals) = (positions.clone(), normals.clone());
    let ours = |method| Ours::new(subject, method, Path::best());
    let (mut linear, mut dual) = (ours(Method::LINEAR), ours(Method::DUAL_QUATERNION));
    let mut half = ours(Method::try_from(0.5).unwrap_or_default());
    let times = in_turns(
        scale.rounds,
        &mut [
            &mut || naive::linear(&matrices, &packed, &mut positions, &mut normals),
            &mut || linear.skin(),
            &mut || naive::dual(&duals, &packed, &mut more, &mut more_normals),
            &mut || dual.skin(),
            &mut || half.skin(),
        ],
    );
    let note = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|which| per_vertex(times.get(which), vertices));
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
        Line::new(
            format!("DQS, {size}, one core, against LBS"),
            times.ratio(3, 1),
            "of its time",
        )
        .at_most(1.25, 0.95)
        .note(note(3, 1)),
        Line::new(
            format!("DQS, {size}, one core, against a textbook kernel"),
            times.ratio(2, 3),
            "times as fast",
        )
        .note(note(3, 2)),
        Line::new(
            format!("half of each, {size}, one core, against LBS"),
            times.ratio(4, 1),
            "of its time",
        )
        .note(note(4, 1)),
    ];
    for path in Path::all() {
        let mut linear = Ours::new(subject, Method::LINEAR, path);
        let mut dual = Ours::new(subject, Method::DUAL_QUATERNION, path);
        let times = in_turns(
            scale.rounds,
            &mut [
                &mut || naive::linear(&matrices, &packed, &mut positions, &mut normals),
                &mut || linear.skin(),
                &mut || dual.skin(),
            ],
        );
        let what = format!(
            "LBS, {size}, one core, {}, against a textbook kernel",
            path.name()
        );
        let [a, b] = [1, 2].map(|which| per_vertex(times.get(which), vertices));
        lines.push(Line::new(what, times.ratio(0, 1), "times as fast").note(format!("LBS {a}, DQS {b}")));
    }
    lines
}

fn against_memory(scale: &Scale) -> Line {
    let subject = Skinned::new(10 * scale.vertices, BONES, 4, 1);
    let vertices = subject.positions.len();
    let (input, mut output) = (vec![[1u32; 12]; vertices], vec![[0u32; 6]; vertices]);
    let mut linear = Ours::new(&subject, Method::LINEAR, Path::best());
    let times = in_turns(
        scale.rounds,
        &mut [&mut || naive::floor(&input, &mut output), &mut || linear.skin()],
    );
    let what =
        format!("LBS, {vertices} vertices, one core, against reading 48 and writing 24 bytes a vertex");
    let [a, b] = [1, 0].map(|which| per_vertex(times.get(which), vertices));
    Line::new(what, times.ratio(1, 0), "times as long")
        .at_most(2.0, 1.4)
        .note(format!("{a} against {b}"))
}

fn two_cores(scale: &Scale, subject: &Skinned) -> Line {
    let ours = || Ours::new(subject, Method::LINEAR, Path::best());
    let (mut one, mut two) = (ours(), ours());
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
    let what = format!("LBS, {}, two cores against one", scale.size());
    let unit = "times as fast";
    let (Ok(alone), Ok(both)) = (pool(1), pool(2)) else {
        return Line::new(what, f64::NAN, unit).note("no threads to be had");
    };
    let times = in_turns(
        3 * scale.rounds,
        &mut [&mut || alone.install(|| one.skin()), &mut || {
            both.install(|| two.skin())
        }],
    );
    Line::new(what, times.ratio(0, 1), unit)
        .at_least(1.7, 1.9)
        .note(format!(
            "{} against {}",
            seconds(times.get(1)),
            seconds(times.get(0))
        ))
}

/// The real surface: six corners a vertex.
fn corners(scale: &Scale, subject: &Skinned) -> Vec<Line> {
    let flat = Skinned::new(scale.vertices, BONES, 4, 6);
    let mut smooth = Ours::new(subject, Method::LINEAR, Path::best());
    let mut apart = Ours::new(&flat, Method::LINEAR, Path::best());
    let motions = Motions::new(Method::LINEAR, &subject.bind, &subject.current);
    let mut outs = [0; 2].map(|_| (Vec::new(), Vec::new()));
    let [(positions, records), (flat_positions, flat_records)] = &mut outs;
    let times = in_turns(
        scale.rounds,
        &mut [
            &mut || smooth.skin(),
            &mut || apart.skin(),
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
    let line = |what: &str, which: usize| {
        Line::new(
            format!("LBS, {}, {what}, against one normal a vertex", scale.size()),
            times.ratio(which, 0),
            "times as long",
        )
        .note(per_vertex(times.get(which), subject.positions.len()))
    };
    vec![
        line("normals of six corners a vertex", 1),
        line(
            "one corner a vertex, interleaved as the graphics card takes it",
            2,
        ),
        line(
            "six corners a vertex, interleaved as the graphics card takes it",
            3,
        ),
    ]
}

/// Poses, skeletons and rows of weights of other kinds than the usual subject's, by both methods.
fn others(scale: &Scale, subject: &Skinned) -> Vec<Line> {
    let mut lines = Vec::new();
    let calm = Skinned::new(scale.vertices, BONES, 4, 1).calm();
    let many = Skinned::new(scale.vertices, 300, 4, 1);
    let two = Skinned::new(scale.vertices, BONES, 2, 1);
    let short = Skinned::new(scale.vertices, BONES, 4, 1).shortened();
    let kinds = [
        ("bones turned by less than a right angle", &calm),
        ("300 bones", &many),
        ("1 to 4 influences a vertex", &short),
        ("two influences a vertex", &two),
    ];
    for (what, other) in kinds {
        lines.extend(both(
            &format!("{}, one core, {what}", scale.size()),
            other,
            subject,
            scale,
        ));
    }
    // The human as it is weighted, and with four entries for each vertex, some of them of no weight.
    let human = character::human(if scale.quick { 0 } else { 2 });
    if let Some(mesh) = human
        .iter()
        .flat_map(|scene| scene.skinned_meshes.values())
        .next()
    {
        let human = Skinned::from_mesh(mesh);
        let fours = Skinned::from_mesh(mesh).in_fours();
        let vertices = human.positions.len();
        let count = human.weights.weights.len() as f64 / vertices as f64;
        let what = format!("human, {vertices} vertices, one core, {count:.2} capsule weights a vertex");
        lines.extend(both(&what, &human, &fours, scale));
        lines.extend(both(&what, &human, subject, scale));
    }
    lines
}

/// How long `subject` takes by LBS and by DQS, against `other`.
fn both(what: &str, subject: &Skinned, other: &Skinned, scale: &Scale) -> Vec<Line> {
    let methods = [("LBS", Method::LINEAR), ("DQS", Method::DUAL_QUATERNION)];
    let mut all = Vec::new();
    for of in [subject, other] {
        all.extend(methods.map(|(_, method)| Ours::new(of, method, Path::best())));
    }
    let mut skins: Vec<_> = all.iter_mut().map(|ours| || ours.skin()).collect();
    let mut work: Vec<&mut dyn FnMut()> = Vec::new();
    work.extend(skins.iter_mut().map(|skin| skin as &mut dyn FnMut()));
    let times = in_turns(scale.rounds, &mut work);
    let line = |k: usize| {
        let time = per_vertex(times.get(k), subject.positions.len());
        let than = per_vertex(times.get(2 + k), other.positions.len());
        Line::new(
            format!("{}, {what}", methods[k].0),
            times.ratio(k, 2 + k) * other.positions.len() as f64 / subject.positions.len() as f64,
            "of the time a vertex",
        )
        .note(format!("{time}; of {} {than}", other.what))
    };
    vec![line(0), line(1)]
}

/// Largest errors of all methods on all paths, against f64.
fn accuracy(subject: &Skinned) -> Vec<Line> {
    let (mut point, mut unit) = (0.0f64, 0.0f64);
    let motions: Vec<DAffine3> = subject
        .bind
        .iter()
        .zip(&subject.current)
        .map(|(bind, current)| *current * bind.inverse())
        .collect();
    for path in Path::all() {
        for method in [Method::LINEAR, Method::DUAL_QUATERNION] {
            let mut ours = Ours::new(subject, method, path);
            ours.skin();
            for v in 0..subject.positions.len().min(50_000) {
                let matrix = match method {
                    Method::LINEAR => blended(&motions, subject.weights.influences(v)),
                    _ => rigid(&motions, subject.weights.influences(v)),
                };
                let moved = matrix.transform_point3(subject.positions[v].as_dvec3());
                point = point.max(moved.distance(ours.positions[v].as_dvec3()));
                let turned = matrix.matrix3.inverse().transpose() * subject.render.normal[v].as_dvec3();
                // Rounding of the matrix is magnified where it is nearly singular.
                let condition = size(&matrix) * size(&matrix.inverse());
                let error = turned.normalize().distance(ours.normals[v].as_dvec3());
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
    [m.x_axis, m.y_axis, m.z_axis]
        .iter()
        .map(|c| c.length_squared())
        .sum::<f64>()
        .sqrt()
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
    let of = |bone: u16| DualQuat::from_affine(&motions[usize::from(bone)]);
    let row: Vec<_> = row.collect();
    let heaviest = row
        .iter()
        .copied()
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
    let pivot = heaviest.map_or(DualQuat::IDENTITY, |(bone, _)| of(bone));
    let signed = |(bone, weight): (u16, f32)| {
        let q = of(bone) * f64::from(weight);
        if q.real.dot(pivot.real) < 0.0 { -q } else { q }
    };
    let sum = row.into_iter().map(signed).reduce(|a, b| a + b);
    sum.map_or(DAffine3::from_translation(DVec3::ZERO), |sum| {
        sum.normalize().to_affine()
    })
}
