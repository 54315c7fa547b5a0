//! The walk that ships with the program looks like walking, measured on its skin and bones.

#![allow(clippy::print_stdout, reason = "measured figures help whoever changes the walk")]

use glam::{DAffine3, DVec3, Vec3};
use ossature::io::js3d;
use ossature::rig::kinematics::tips;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Posed, Settings};
use std::path::Path;
use std::sync::Arc;

const FRAMES: usize = 24;
/// The distance that the ground moves backwards per frame.
const GROUND: f32 = 3.5 / FRAMES as f32;
/// The number of frames from heel strike to toe off.
const PLANTED: usize = 14;

struct Walk {
    scene: Scene,
    frames: Vec<Arc<Posed>>,
}

fn walk() -> Walk {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human-walk.js3d");
    let (scene, report) = js3d::read_file(&path).unwrap();
    assert!(report.is_empty(), "{:?}", report.findings);
    let mut evaluator = Evaluator::default();
    let frames = (0..=FRAMES).map(|frame| {
        let settings = Settings { frame: Some(frame as f32), ..Settings::default() };
        evaluator.evaluate(&scene, &settings).skinned["Human_skinned_mesh"].clone()
    });
    let frames = frames.collect();
    Walk { scene, frames }
}

impl Walk {
    fn bone(&self, name: &str) -> usize {
        let mut bones = self.frames[0].skeleton.bones.iter();
        bones.position(|bone| bone.name.as_deref() == Some(name)).unwrap()
    }

    fn matrix(&self, frame: usize, name: &str) -> DAffine3 {
        self.frames[frame % FRAMES].current[self.bone(name)]
    }

    fn tip(&self, frame: usize, name: &str) -> DVec3 {
        let posed = &self.frames[frame % FRAMES];
        tips(&posed.skeleton, &posed.current)[self.bone(name)]
    }

    /// The vertices that foot and toes of a side move most.
    fn foot(&self, side: &str) -> Vec<usize> {
        let skinned = &self.scene.skinned_meshes["Human_skinned_mesh"];
        let bones = [self.bone(&format!("foot{side}")), self.bone(&format!("toes{side}"))];
        let mine = |v: &usize| {
            let of: f32 = skinned
                .weights
                .influences(*v)
                .filter(|(b, _)| bones.contains(&usize::from(*b)))
                .map(|w| w.1)
                .sum();
            of > 0.5
        };
        (0..skinned.surface.vertex_count()).filter(mine).collect()
    }

    fn position(&self, frame: usize, vertex: usize) -> Vec3 {
        self.frames[frame % FRAMES].positions[vertex]
    }

    /// The flexion of a knee in degrees: how far the shin is turned back from the thigh's direction.
    fn knee(&self, frame: usize, side: &str) -> f64 {
        let [hip, knee, ankle] =
            ["hip", "thigh", "shin"].map(|name| self.tip(frame, &format!("{name}{side}")));
        let (thigh, shin) = (knee - hip, ankle - knee);
        // About the axis that points to the left, a turn of the shin backwards is positive.
        let sign = thigh.cross(shin).x.signum();
        sign * thigh.angle_between(shin).to_degrees()
    }
}

/// The first frame of a side's cycle: the right one starts half a cycle later.
fn start_of(side: &str) -> usize {
    if side == ".L" { 0 } else { FRAMES / 2 }
}

#[test]
fn it_loops() {
    let walk = walk();
    assert_eq!(walk.frames[0].positions, walk.frames[FRAMES].positions);
    assert_eq!(walk.scene.animation.clip.range, Some([0, FRAMES as u32 - 1]));
    assert_eq!(walk.scene.animation.clip.length, FRAMES as u32 + 1);
    // Nothing jumps, not even over the seam.
    let step = |frame: usize| {
        let (a, b) = (&walk.frames[frame % FRAMES].positions, &walk.frames[(frame + 1) % FRAMES].positions);
        a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    let steps: Vec<f32> = (0..FRAMES).map(step).collect();
    println!("largest movement per frame {steps:.2?}");
    assert!(steps.iter().all(|step| *step < 0.5), "{steps:?}");
}

#[test]
fn knees_bend_forwards_only() {
    let walk = walk();
    for side in [".L", ".R"] {
        let bends: Vec<f64> = (0..FRAMES).map(|frame| walk.knee(frame, side)).collect();
        println!("knee{side} {bends:.0?}");
        assert!(bends.iter().all(|bend| (1.0..75.0).contains(bend)), "{bends:?}");
        let most = bends.iter().copied().fold(0.0, f64::max);
        assert!(most > 45.0, "the swinging leg is bent");
    }
}

#[test]
fn planted_feet_stay_on_the_ground() {
    let walk = walk();
    for side in [".L", ".R"] {
        let foot = walk.foot(side);
        let lowest = |frame: usize| foot.iter().map(|&v| walk.position(frame, v).y).fold(f32::MAX, f32::min);
        let heights: Vec<f32> = (0..FRAMES).map(|frame| lowest(start_of(side) + frame)).collect();
        println!("lowest of foot{side} {heights:.3?}");
        assert!(heights[..=PLANTED].iter().all(|y| y.abs() < 0.03), "{heights:?}");
        assert!(heights.iter().all(|y| *y > -0.03), "{heights:?}");
        assert!(
            heights[PLANTED + 3..FRAMES - 1].iter().all(|y| *y > 0.03),
            "the swinging foot clears: {heights:?}"
        );
        let mut slides = Vec::new();
        for frame in 0..PLANTED {
            let (now, next) = (start_of(side) + frame, start_of(side) + frame + 1);
            let down = |&&v: &&usize| walk.position(now, v).y < 0.04 && walk.position(next, v).y < 0.04;
            let moved = |&v: &usize| {
                let on_ground = walk.position(next, v) - walk.position(now, v) + Vec3::Z * GROUND;
                on_ground.with_y(0.0).length()
            };
            let down: Vec<f32> = foot.iter().filter(down).map(moved).collect();
            slides.push(down.iter().sum::<f32>() / down.len() as f32);
        }
        println!("slides of foot{side} {slides:.3?}");
        assert!(slides.iter().all(|slide| *slide < 0.2 * GROUND), "{slides:?}");
    }
}

#[test]
fn the_hips_rise_and_fall_with_every_step_and_sway_over_the_standing_foot() {
    let walk = walk();
    let pelvis: Vec<DVec3> = (0..FRAMES).map(|frame| walk.matrix(frame, "pelvis").translation).collect();
    let rising = |frame: usize| pelvis[(frame + 1) % FRAMES].y > pelvis[frame % FRAMES].y;
    let turns = (0..FRAMES).filter(|&frame| rising(frame) != rising(frame + 1)).count();
    assert_eq!(turns, 4, "two rises and two falls");
    let heights = pelvis.iter().map(|p| p.y);
    let range = heights.clone().fold(f64::MIN, f64::max) - heights.fold(f64::MAX, f64::min);
    assert!((0.05..0.2).contains(&range), "{range}");
    // The middle of each stance.
    let (left, right) = (pelvis[PLANTED / 2].x, pelvis[FRAMES / 2 + PLANTED / 2].x);
    assert!(left > 0.05 && right < -0.05, "{left} {right}");
}

#[test]
fn right_is_left_half_a_cycle_later() {
    let walk = walk();
    for name in ["thigh", "shin", "foot", "toes", "upper_arm", "forearm", "hand"] {
        for frame in 0..FRAMES {
            let left = walk.tip(frame, &format!("{name}.L"));
            let right = walk.tip(frame + FRAMES / 2, &format!("{name}.R"));
            let mirrored = right * DVec3::new(-1.0, 1.0, 1.0);
            assert!(left.distance(mirrored) < 0.01, "{name} at {frame}: {left} and {mirrored}");
        }
    }
}

#[test]
fn arms_swing_against_the_legs() {
    let walk = walk();
    for side in [".L", ".R"] {
        let of = |name: &str| -> Vec<f64> {
            let name = format!("{name}{side}");
            (0..FRAMES).map(|frame| walk.tip(frame, &name).z).collect()
        };
        let (ankle, wrist) = (of("shin"), of("forearm"));
        let mean = |values: &[f64]| values.iter().sum::<f64>() / FRAMES as f64;
        let (a, w) = (mean(&ankle), mean(&wrist));
        let product: f64 = ankle.iter().zip(&wrist).map(|(x, y)| (x - a) * (y - w)).sum();
        let size = |values: &[f64], mean: f64| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>().sqrt();
        let correlation = product / (size(&ankle, a) * size(&wrist, w));
        println!("ankle and wrist{side} {correlation:.2}");
        assert!(correlation < -0.8, "{correlation}");
    }
}

#[test]
fn the_human_has_the_names_of_the_walk() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let (standing, _) = js3d::read_file(&path).unwrap();
    let names = |scene: &Scene| -> Vec<Option<Arc<str>>> {
        let skeleton = &scene.skinned_meshes["Human_skinned_mesh"].skeleton;
        skeleton.bones.iter().map(|bone| bone.name.clone()).collect()
    };
    let given = names(&standing);
    assert!(given.iter().all(Option::is_some), "{given:?}");
    assert_eq!(given, names(&walk().scene));
}
