//! Compares the rates of all tasks with differences of residuals.

use super::super::Options;
use super::Objective;
use crate::rig::ik::task::Origin;
use crate::rig::skeleton::{Bone, Handle, LookAt, Orientation, Pole, Skeleton};
use crate::testing::Random;
use glam::{DVec3, Quat, Vec3};

/// Angles and offsets are multiples of these, so that differences of stored values are exact.
const GRID_DEG: f32 = 1.0 / 64.0;
const GRID: f32 = 1.0 / 4096.0;

fn on_grid(values: Vec3, grid: f32) -> Vec3 {
    (values / grid).round() * grid
}

/// Returns the bone that ends lowest in the bind pose, the one on the floor.
fn lowest(bones: &[Bone]) -> u32 {
    let mut heights = Vec::<f32>::new();
    for bone in bones {
        let start = bone.parent.map_or(0.0, |parent| heights[parent as usize]);
        heights.push(start + bone.extent.y);
    }
    let lowest = (0..bones.len()).min_by(|a, b| heights[*a].total_cmp(&heights[*b]));
    lowest.unwrap() as u32
}

/// Returns the objective in a pose other than the one without handles, in which balance is violated too, and
/// that pose.
fn placed(skeleton: &Skeleton, random: &mut Random) -> (Objective, Vec<Vec3>) {
    let mut objective = Objective::default();
    objective.set(skeleton, &Options::default());
    let mut stored = objective.rest().to_vec();
    objective.aim_from(&stored);
    let base = stored.len() - 1;
    for (value, stored) in stored.iter_mut().enumerate() {
        *stored += if value == base {
            on_grid(random.vec3(1.0), GRID)
        } else {
            on_grid(random.vec3(60.0), GRID_DEG)
        };
    }
    // Without a prior, it would have no weight.
    objective.tasks_of(Origin::Tilt).for_each(|tilt| tilt.weight = 0.5);
    objective.energy(&stored);
    (objective, stored)
}

/// Returns a tree of up to ten bones with up to three handles that have tasks of all kinds.
fn random_rig(random: &mut Random) -> Skeleton {
    let count = 2 + (random.next() % 9) as usize;
    let bones = (0..count).map(|bone| Bone {
        extent: 0.3 * random.direction() + random.vec3(0.3),
        roll_deg: random.range(-180.0, 180.0),
        pose_deg: on_grid(random.vec3(180.0), GRID_DEG),
        parent: (bone > 0 && !random.next().is_multiple_of(8)).then(|| (random.next() % bone as u64) as u32),
        link: random.next().is_multiple_of(12),
        ..Bone::default()
    });
    let bones: Vec<Bone> = bones.collect();
    let lowest = lowest(&bones);
    let handles = (0..1 + random.next() % 3).map(|_| Handle {
        bone: if random.next().is_multiple_of(2) { lowest } else { (random.next() % count as u64) as u32 },
        pinned: random.next().is_multiple_of(2),
        target: random.vec3(1.5),
        enabled: true,
        chain: (random.next().is_multiple_of(2)).then(|| 1 + (random.next() % 4) as u32),
        weight: random.range(0.2, 1.0),
        orientation: (random.next().is_multiple_of(2)).then(|| Orientation {
            rotation: Quat::from_scaled_axis(random.vec3(3.0)),
            weight: random.range(0.2, 1.0),
        }),
        pole: (random.next().is_multiple_of(2))
            .then(|| Pole { point: random.vec3(2.0), weight: random.range(0.2, 1.0) }),
        look_at: (random.next().is_multiple_of(3))
            .then(|| LookAt { axis: random.direction(), weight: random.range(0.2, 1.0) }),
        ..Handle::default()
    });
    let handles = handles.collect();
    Skeleton {
        bones,
        handles,
        base: random.vec3(1.0),
        base_offset: on_grid(random.vec3(1.0), GRID),
        root_free: random.next().is_multiple_of(2),
        ..Skeleton::default()
    }
}

#[test]
fn rates_of_all_tasks_match_central_differences_on_10000_rigs() {
    let mut random = Random::new(31);
    let (mut compared, mut steep, mut kinds) = ([0usize; 2], 0usize, [0usize; 4]);
    let mut off_balance = 0;
    for case in 0..10_000 {
        let skeleton = random_rig(&mut random);
        let (mut objective, stored) = placed(&skeleton, &mut random);
        let balance = objective.balance_task().and_then(|balance| objective.residuals().nth(balance));
        off_balance += usize::from(balance.is_some_and(|residual| residual != DVec3::ZERO));
        objective.results().for_each(|task| kinds[task.task as usize] += 1);
        let mut rows = vec![vec![[DVec3::ZERO; 3]; objective.len()]; objective.tasks()];
        objective.rows(|task, value, rates| rows[task][value] = rates);
        let turns = objective.joints.iter().map(|joint| joint.turns && !joint.link);
        let varies: Vec<bool> = turns.chain([objective.root_free]).collect();
        let mut residuals = |value: usize, axis: usize, delta: f32| -> Vec<DVec3> {
            let mut moved = stored.clone();
            moved[value][axis] += delta;
            objective.energy(&moved);
            objective.weighted_residuals().collect()
        };
        for value in 0..stored.len() {
            let base = value + 1 == stored.len();
            let grid = if base { GRID } else { GRID_DEG };
            #[expect(clippy::needless_range_loop, reason = "the residuals need the index too")]
            for axis in 0..3 {
                let mut difference = |delta: f32| -> Vec<DVec3> {
                    let (low, high) = (residuals(value, axis, -delta), residuals(value, axis, delta));
                    low.iter().zip(high).map(|(low, high)| (high - *low) / (2.0 * f64::from(delta))).collect()
                };
                let (near, far) = (difference(grid), difference(2.0 * grid));
                for (task, (near, far)) in near.into_iter().zip(far).enumerate() {
                    let unit = objective_unit(&skeleton, base);
                    let found = rows[task][value][axis];
                    // A value that is not a variable has no rates, even if it would have an effect.
                    if !varies[value] {
                        assert_eq!(found, DVec3::ZERO);
                        continue;
                    }
                    // Near singularities: a pole on the line of the limb, half a rotation, a look-at target
                    // at the bone itself.
                    if near.distance(far) * unit > 1e-4 {
                        steep += 1;
                        continue;
                    }
                    let expected = (4.0 * near - far) / 3.0 * unit;
                    let error = found.distance(expected) / found.length().max(1.0);
                    assert!(
                        error < 1e-6,
                        "case {case} task {task} value {value} axis {axis}: {found} {expected}"
                    );
                    compared[usize::from(base)] += 1;
                }
            }
        }
    }
    assert!(compared[0] > 200_000 && compared[1] > 20_000, "{compared:?}");
    assert!(steep * 50 < compared[0], "{steep} of {compared:?}");
    assert!(kinds.iter().all(|count| *count > 2000), "{kinds:?}");
    assert!(off_balance > 500, "{off_balance}");
}

fn objective_unit(skeleton: &Skeleton, base: bool) -> f64 {
    let mut objective = Objective::default();
    objective.set(skeleton, &Options::default());
    objective.unit(if base { objective.len() - 1 } else { 0 })
}

/// They are found without a look at the others.
#[test]
fn tasks_of_a_handle_are_together() {
    let mut random = Random::new(33);
    let mut found = 0;
    for case in 0..500 {
        let skeleton = random_rig(&mut random);
        let (objective, _) = placed(&skeleton, &mut random);
        for handle in 0..skeleton.handles.len() {
            let is_set = |task: usize| {
                let task = &objective.tasks[task];
                task.origin == Origin::Handle && task.handle == handle
            };
            let expected: Vec<usize> = (0..objective.tasks()).filter(|task| is_set(*task)).collect();
            assert_eq!(objective.set_on(handle).collect::<Vec<_>>(), expected, "case {case}");
            found += expected.len();
        }
    }
    assert!(found > 500, "{found}");
}

/// The products with J and its transpose agree with those of its rows.
#[test]
fn products_agree_with_the_rows() {
    let mut random = Random::new(32);
    for case in 0..500 {
        let skeleton = random_rig(&mut random);
        let (mut objective, stored) = placed(&skeleton, &mut random);
        let count = objective.len();
        let rates: Vec<DVec3> = (0..count).map(|_| random.vec3(1.0).as_dvec3()).collect();
        let weights: Vec<f64> = objective.tasks.iter().map(|task| task.weight).collect();
        let residuals: Vec<DVec3> = objective.weighted_residuals().collect();
        let mut by_residuals = vec![DVec3::ZERO; count];
        let mut squares = vec![DVec3::ZERO; count];
        objective.rows(|task, value, row| {
            for axis in 0..3 {
                by_residuals[value][axis] += row[axis].dot(residuals[task]);
                squares[value][axis] += row[axis].length_squared();
            }
        });
        let near = |a: DVec3, b: DVec3| a.distance(b) <= 1e-9 * (1.0 + a.length());
        let mut gradient = vec![DVec3::ZERO; count];
        objective.gradient(&stored, &mut gradient);
        assert!(gradient.iter().zip(&by_residuals).all(|(a, b)| near(*a, *b)), "case {case}");
        let mut found = Vec::new();
        let gains = objective.gains().to_vec();
        let free: Vec<DVec3> = rates.iter().zip(&gains).map(|(rate, gain)| *rate * *gain).collect();
        objective.apply_jacobian(&free, &mut found);
        let mut by_free = vec![DVec3::ZERO; residuals.len()];
        objective.rows(|task, value, row| {
            (0..3).for_each(|axis| by_free[task] += row[axis] * free[value][axis] / weights[task].sqrt());
        });
        assert!(found.iter().zip(&by_free).all(|(a, b)| near(*a, *b)), "case {case}: {found:?} {by_free:?}");
        let mut diagonal = Vec::new();
        objective.squares(&mut diagonal);
        if skeleton.handles.iter().all(|handle| handle.pole.is_none()) {
            assert!(diagonal.iter().zip(&squares).all(|(a, b)| near(*a, *b)), "case {case}");
        }
    }
}
