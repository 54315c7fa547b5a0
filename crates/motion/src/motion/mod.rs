//! Motions that are generated for a skeleton of any proportions: skeletons in, poses at every frame out.
//!
//! Feet come first: contacts never slide, by construction, and legs, trunk and arms follow. See [`generate`].

mod arm;
mod biped;
mod clip;
mod curve;
mod cycle;
mod figure;
mod gait;
mod hinge;
#[cfg(test)]
mod invariants;
mod knobs;
mod leg;
#[cfg(test)]
mod norms;
mod posture;
mod script;
mod standing;

pub use clip::{Clip, Contact};
pub use figure::{Figure, Unfit};
pub use knobs::{KNOBS, Knob, KnobRow, Knobs, STYLES, Style};
pub use posture::Pose;

/// A motion that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Idle,
    Walk,
    Run,
    Wave,
}

/// A row of [`MOTIONS`].
#[derive(Debug)]
pub struct MotionRow {
    pub motion: Motion,
    /// As in commands.
    pub name: &'static str,
    pub label: &'static str,
    /// The numbers of legs for which there is such a motion.
    pub legs: &'static [usize],
}

/// All motions.
pub const MOTIONS: &[MotionRow] = &[
    MotionRow { motion: Motion::Idle, name: "idle", label: "Idle", legs: &[2, 4] },
    MotionRow { motion: Motion::Walk, name: "walk", label: "Walk", legs: &[2, 4] },
    MotionRow { motion: Motion::Run, name: "run", label: "Run", legs: &[2] },
    MotionRow { motion: Motion::Wave, name: "wave", label: "Wave", legs: &[2] },
];

/// Generates a motion for a body at `rate` frames per second, on the spot or travelling to the front.
///
/// # Errors
/// If there is no such motion for its number of legs.
pub fn generate(
    figure: &Figure,
    motion: Motion,
    knobs: &Knobs,
    rate: f64,
    travels: bool,
) -> Result<Clip, Unfit> {
    let script = |script| Ok(script::frames(figure, &script, rate));
    let cycle = |cycle| Ok(cycle::frames(figure, cycle, rate, travels));
    match (motion, figure.is_biped()) {
        (Motion::Idle, true) => script(standing::idle(figure, knobs)),
        (Motion::Walk, true) => cycle(biped::walk(figure, knobs)),
        (Motion::Run, true) => cycle(biped::run(figure, knobs)),
        (Motion::Wave, true) => script(standing::greeting(figure, knobs)),
        _ => Err(Unfit::Motion(figure.legs.len())),
    }
}

#[cfg(test)]
mod dump {
    use super::*;

    #[test]
    #[ignore]
    fn dump() {
        let names = std::env::var("DUMP").unwrap();
        for name in names.split(',') {
            let (body, motion) = name.split_once(':').unwrap();
            let skeleton = match body {
                "human" => crate::testing::human(),
                "chibi" => crate::testing::chibi(),
                _ => crate::testing::giraffe(),
            };
            let figure = Figure::new(&skeleton, Some(0.0)).unwrap();
            let row = MOTIONS.iter().find(|row| row.name == motion).unwrap();
            let clip =
                generate(&figure, row.motion, &Knobs::default(), 24.0, std::env::var("TRAVEL").is_ok())
                    .unwrap();
            println!(
                "{name}: {} frames, speed {}, overreach {}, contacts {:?}",
                clip.poses.len(),
                clip.speed,
                clip.overreach,
                clip.contacts
            );
            let poses: Vec<(Vec<f64>, Vec<[f64; 3]>)> = clip
                .poses
                .iter()
                .map(|pose| {
                    (
                        pose.base_offset.to_array().to_vec(),
                        pose.angles_deg.iter().map(|a| a.to_array()).collect(),
                    )
                })
                .collect();
            std::fs::write(format!("/tmp/md/{body}-{motion}.json"), serde_json::to_string(&poses).unwrap())
                .unwrap();
        }
    }
}
