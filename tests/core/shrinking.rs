//! Random cases that shrink: a case is a list of steps, each made from its own numbers, and a failing one is
//! reported as the shortest list of the smallest numbers that still fails. The cases here are about reading
//! and writing; `undo_walk` has others.

use crate::editing::{self, Random};
use crate::support::filed;
use crate::undo_walk::any_command;
use glam::Vec3;
use ossature::io::js3d;
use ossature::io::obj::{self, Object};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::soup::Polygons;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub type Steps = Vec<Vec<u32>>;

/// Tries cases, the same ones each time.
///
/// # Errors
/// The shortest case found for which `holds` panics: no step or number of it can be left out, and no single
/// number can be smaller, unless trying that took too long.
pub fn check(cases: u64, holds: impl Fn(&Steps)) -> Result<(), Steps> {
    let fails = |steps: &Steps| catch_unwind(AssertUnwindSafe(|| holds(steps))).is_err();
    for seed in 0..cases {
        let mut random = Random::new(seed + 1);
        let steps: Steps = (0..1 + random.below(23))
            .map(|_| {
                let numbers = 1 + random.below(23);
                (0..numbers).map(|_| (random.next() >> 32) as u32).collect()
            })
            .collect();
        if fails(&steps) {
            return Err(shortest(steps, fails));
        }
    }
    Ok(())
}

/// Removes steps and reduces numbers while the case still fails.
fn shortest(mut steps: Steps, fails: impl Fn(&Steps) -> bool) -> Steps {
    let mut tries = 4096;
    let mut is_better = |case: &Steps| {
        tries -= 1;
        tries > 0 && fails(case)
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for at in (0..steps.len()).rev() {
            let mut without = steps.clone();
            without.remove(at);
            if !without.is_empty() && is_better(&without) {
                (steps, changed) = (without, true);
            }
        }
        for at in 0..steps.len() {
            while steps[at].len() > 1 {
                let mut shorter = steps.clone();
                shorter[at].pop();
                if !is_better(&shorter) {
                    break;
                }
                (steps, changed) = (shorter, true);
            }
            for place in 0..steps[at].len() {
                // The smallest number that fails, if larger ones do too.
                let (mut least, mut most) = (0, steps[at][place]);
                while least < most {
                    let mut smaller = steps.clone();
                    let middle = least + (most - least) / 2;
                    smaller[at][place] = middle;
                    if is_better(&smaller) {
                        (steps, most, changed) = (smaller, middle, true);
                    } else {
                        least = middle + 1;
                    }
                }
            }
        }
    }
    steps
}

/// The other tests rely on this.
#[test]
fn what_fails_is_told_as_the_shortest_case() {
    let fails = |steps: &Steps| {
        let large = steps.iter().filter(|step| step[0] >= 1000).count();
        assert!(large < 2, "two large numbers");
    };
    assert_eq!(check(200, fails), Err(vec![vec![1000], vec![1000]]));
}

#[test]
fn scenes_come_back_from_js3d_as_they_were() {
    let checked = check(64, |steps| {
        let mut scene = editing::scene();
        for step in steps {
            // Refused commands leave the scene unchanged.
            let _ = any_command(&mut Random::from_numbers(step), &scene).apply(&mut scene);
        }
        let written = js3d::write(&scene).unwrap();
        let (again, report) = js3d::read(&written).unwrap();
        assert_eq!(report.losses().count(), 0, "{report:?}");
        assert!(filed(&again) == filed(&scene));
        assert!(js3d::write(&again).unwrap() == written);
    });
    assert_eq!(checked.err(), None);
}

/// Arbitrary faces between few points: those in use make a sound surface, and need no repair when read again.
#[test]
fn any_polygons_are_repaired_once() {
    let checked = check(400, |steps| {
        let random = &mut Random::from_numbers(&steps[0]);
        let polygons = Polygons {
            positions: (0..7).map(|_| Vec3::from_array([0; 3].map(|_| random.below(3) as f32))).collect(),
            faces: steps[1..]
                .iter()
                .map(|step| step.iter().take(6).map(|number| number % 7).collect())
                .collect(),
            ..Polygons::default()
        };
        let Ok(text) = obj::write("any", &[Object { name: "any", polygons: &polygons }]) else {
            return;
        };
        let Ok(import) = obj::read(text.as_bytes()) else {
            return;
        };
        assert_eq!(HalfedgeMesh::new(import.surface.raw()).as_ref(), Ok(&import.surface));
        let object = Object { name: "again", polygons: &import.polygons };
        let again = obj::read(obj::write("again", &[object]).unwrap().as_bytes()).unwrap();
        let told = ["computed-normals", "inside-out", "no-area"];
        let mut findings = again.report.findings.iter();
        assert!(findings.all(|finding| told.contains(&finding.code)), "{:?}", again.report);
        assert_eq!(again.polygons.faces, import.polygons.faces);
    });
    assert_eq!(checked.err(), None);
}
