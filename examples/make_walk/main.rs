//! Makes `media/js3d/A4-human-walk.js3d`: the human of this repository, walking on the spot, in keys.
//!
//! `cargo run --release --no-default-features --example make_walk [FILE]`
//!
//! How it works: a gait gives the places of pelvis, feet, chest and arms at a phase of the cycle (`gait`);
//! the legs are solved in closed form, every other bone is turned to its direction (`body`); each pose is
//! written as keys, every second frame. The file contains nothing but keys: no handle is needed to play it.
//! Frame 24 is frame 0 again, and the take “Walk”, which is played, leaves it out.
//!
//! Not included: other gaits, other bodies, travel (the ground moves backwards under the feet).

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod body;
mod gait;

use body::Body;
use ossature::anim::channel::{ChannelRef, SkeletonChannel, Value};
use ossature::edit::command::Command;
use ossature::edit::command::keys::{KeyCommand, KeyframeValues, Purpose};
use ossature::edit::command::takes::TakeCommand;
use ossature::io::{durable, js3d};
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const HUMAN: &str = "media/js3d/A4-human.js3d";
const MESH: &str = "Human_skinned_mesh";
/// The number of frames in a cycle: two steps in a second.
const FRAMES: u32 = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from("media/js3d/A4-human-walk.js3d"), PathBuf::from);
    let bytes = make(Path::new(HUMAN))?;
    durable::save(&file, &bytes)?;
    println!("wrote {} ({} bytes)", file.display(), bytes.len());
    Ok(())
}

fn make(human: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut scene, report) = js3d::read_file(human)?;
    if !report.is_empty() {
        return Err(format!("{}: not as it was made", human.display()).into());
    }
    let mut knots: Vec<KeyframeValues> = Vec::new();
    for frame in keyed_frames() {
        // The last pose is the first again, to the bit.
        let phase = f64::from(frame % FRAMES) / f64::from(FRAMES);
        for (channel, value) in on_the_ground(&scene, phase)?.values() {
            let channel = ChannelRef::new(MESH, channel);
            match knots.iter_mut().find(|of| of.channel == channel) {
                Some(of) => of.knots.push((frame as f32, value)),
                None => knots.push(KeyframeValues {
                    modes: Vec::new(),
                    channel,
                    knots: vec![(frame as f32, value)],
                }),
            }
        }
    }
    let commands =
        [KeyCommand::Put { purpose: Purpose::Bake, knots }, KeyCommand::SetLength { frames: FRAMES + 1 }];
    for command in commands {
        Command::Keys(command).apply(&mut scene)?;
    }
    let (name, range) = ("Walk".to_owned(), [0, FRAMES - 1]);
    Command::Takes(TakeCommand::Add { name, range }).apply(&mut scene)?;
    Ok(js3d::write(&scene)?)
}

/// The keyed frames: every second one, and those next to the steps, so that curves run over the seam as they
/// do in the middle.
fn keyed_frames() -> impl Iterator<Item = u32> {
    let half = FRAMES / 2;
    (0..=FRAMES).filter(move |frame| frame % 2 == 0 || [1, half - 1].contains(&(frame % half)))
}

/// The pose at a phase, with the feet lifted until their skin is at the height that the gait gives.
fn on_the_ground(scene: &Scene, phase: f64) -> Result<Body, Box<dyn Error>> {
    let mut lifts = [0.0; 2];
    let mut body = Body::new(&scene.skinned_meshes[MESH].skeleton)?;
    for _ in 0..4 {
        gait::pose(&mut body, phase, lifts)?;
        let lowest = lowest_points(scene, &body)?;
        for (side, shift) in [0.0, 0.5].into_iter().enumerate() {
            let (planted, height) = gait::ground((phase + shift).fract());
            let missing = height - lowest[side];
            lifts[side] += if planted { missing } else { missing.max(0.0) };
        }
    }
    Ok(body)
}

/// The lowest points of the skin of the left and right foot.
fn lowest_points(scene: &Scene, body: &Body) -> Result<[f64; 2], Box<dyn Error>> {
    let mut posed = scene.clone();
    let mut skinned = (*scene.skinned_meshes[MESH]).clone();
    skinned.skeleton = Arc::new(body.skeleton().clone());
    let weights = skinned.weights.clone();
    posed.skinned_meshes.insert(MESH.into(), Arc::new(skinned));
    let evaluated = Evaluator::default().evaluate(&posed, &Settings::default());
    let positions = &evaluated.skinned[MESH].positions;
    let mut lowest = [f64::MAX; 2];
    for (side, suffix) in [".L", ".R"].into_iter().enumerate() {
        let feet = ["foot", "toes"].map(|bone| body.bone(&format!("{bone}{suffix}")));
        let feet = feet.into_iter().collect::<Result<Vec<_>, _>>()?;
        for (vertex, position) in positions.iter().enumerate() {
            if weights.influences(vertex).any(|(bone, _)| feet.contains(&usize::from(bone))) {
                lowest[side] = lowest[side].min(f64::from(position.y));
            }
        }
    }
    Ok(lowest)
}

/// The values of a pose by channel.
type Values = Vec<(SkeletonChannel, Value)>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_repository_is_the_one_that_is_made() {
        let made = js3d::read(&make(Path::new(HUMAN)).unwrap()).unwrap().0;
        let kept = js3d::read_file(Path::new("media/js3d/A4-human-walk.js3d")).unwrap().0;
        assert_eq!(made.animation.clip, kept.animation.clip);
        assert_eq!(made.animation.takes, kept.animation.takes);
        let keys = |scene: &Scene| -> usize {
            ossature::edit::time::keying::all_keys(scene).iter().map(|of| of.frames.len()).sum()
        };
        assert_eq!(keys(&made), keys(&kept));
        for of in ossature::edit::time::keying::all_keys(&made) {
            let (a, b) = (made.animation.get(&of.channel).unwrap(), kept.animation.get(&of.channel).unwrap());
            for frame in of.frames {
                // Sines differ in their last digit between platforms.
                match (a.key(frame), b.key(frame)) {
                    (Some(Value::Vec3(a)), Some(Value::Vec3(b))) => {
                        assert!(a.distance(b) < 1e-3, "{:?}", of.channel)
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}
