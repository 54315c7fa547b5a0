//! `ossature motion`: adds generated motions to a character as takes.

use super::input::{AnyScene, MeshChoice};
use super::output::Output;
use super::{CliError, args};
use crate::edit::generate::{Added, Wanted, commands, figure};
use crate::motion::{KNOBS, Knob, Knobs, MOTIONS, MotionRow, STYLES, Style};
use crate::rig::skeleton::Skeleton;
use serde::Serialize;

const EXAMPLES: &str = "\
Feet that stand do not move over the ground, on bodies of any proportions, and joints stay within their limits.
Each motion becomes a take, after those that are there; its speed and the times at which feet stand are kept
with it, in glTF as extras of the animation. A gait that is wanted faster than the legs can go is as fast as they can.

Motions of two legs: idle, walk, run, jump, jump-start, jump-air, jump-land, turn, wave, sneak, crouch-walk.
Of four: idle, walk, trot.

Styles: active, old, tired, feminine, giant, proud, sad, swagger.
Numbers for --set: speed, lean, bob, sway, pelvis-yaw, list, arm-range, arm-offset, elbow, knee-bend, step-width
and arm-space: degrees and body heights.

Examples:
  ossature motion human.js3d --add walk -o walking.js3d
  ossature motion human.js3d --add idle,walk,run -o moving.js3d --json
  ossature motion human.js3d --add walk --style swagger --set arm-range=80 -o stroll.js3d
  ossature motion human.js3d --add run --speed 12 --travel -o away.js3d
  ossature motion walker.glb --add idle,run -o moving.glb";

/// Add generated motions to a character, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: AnyScene,
    #[command(flatten)]
    mesh: MeshChoice,
    /// The motions, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = motion, required = true)]
    add: Vec<&'static MotionRow>,
    /// The speed of gaits, in scene units per second, or less if the legs cannot go so fast [default: as suits the body]
    #[arg(long, value_name = "SPEED", value_parser = speed)]
    speed: Option<f64>,
    /// How to walk
    #[arg(long, value_name = "STYLE", value_parser = style)]
    style: Option<&'static Style>,
    /// Change a number of the motion; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(Knob, f64)>,
    /// Move over the ground instead of on the spot
    #[arg(long)]
    travel: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn motion(name: &str) -> Result<&'static MotionRow, String> {
    named(MOTIONS, name, "motion", |row| row.name)
}

fn style(name: &str) -> Result<&'static Style, String> {
    named(STYLES, name, "style", |style| style.name)
}

fn named<T>(
    rows: &'static [T],
    name: &str,
    kind: &str,
    row_name: fn(&T) -> &str,
) -> Result<&'static T, String> {
    rows.iter().find(|row| row_name(row) == name).ok_or_else(|| {
        let names: Vec<&str> = rows.iter().map(row_name).collect();
        format!("there is no {kind} “{name}”; there are {}", names.join(", "))
    })
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed > 0.0);
    speed.ok_or_else(|| format!("“{text}” is not a speed above 0"))
}

fn setting(text: &str) -> Result<(Knob, f64), String> {
    let (name, value) =
        text.split_once('=').ok_or_else(|| format!("“{text}” is not of the form NAME=VALUE"))?;
    let row = named(&KNOBS, name, "number", |row| row.name)?;
    let [low, high] = row.range;
    let value: f64 = value.parse().map_err(|_| format!("“{value}” is not a number"))?;
    if (low..=high).contains(&value) {
        Ok((row.knob, value))
    } else {
        Err(format!("{name} is between {low} and {high}"))
    }
}

/// A take in JSON output.
#[derive(Serialize)]
pub struct Listed {
    name: String,
    frames: u32,
    speed: f64,
    loops: bool,
    contacts: Vec<Contact>,
    /// By how much a leg was too short, in scene units.
    overreach: f64,
    /// Whether it is slower than was wanted, since the legs can go no faster.
    slowed: bool,
}

/// When a foot stands, in frames of the take.
#[derive(Serialize)]
struct Contact {
    foot: String,
    down: u32,
    up: u32,
}

/// Returns what JSON says of the takes that were added to a skeleton.
pub fn listed(added: Vec<Added>, skeleton: &Skeleton) -> Vec<Listed> {
    let listed = |Added { name, frames, clip }: Added| Listed {
        name,
        frames,
        speed: clip.speed,
        loops: clip.loops,
        contacts: clip
            .contacts
            .iter()
            .map(|contact| Contact {
                foot: skeleton.bone_name(contact.foot),
                down: contact.down,
                up: contact.up,
            })
            .collect(),
        overreach: clip.overreach,
        slowed: clip.is_slowed,
    };
    added.into_iter().map(listed).collect()
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, saving) = args.scene.load(output)?;
    let mesh = args.mesh.name(&scene)?;
    let unfit = |error| CliError::Other(format!("{mesh}: {error}"));
    let mut knobs = Knobs::default();
    args.set.iter().for_each(|(knob, value)| knobs.set(*knob, *value));
    if let Some(speed) = args.speed {
        knobs.set(Knob::Speed, speed / figure(&scene.skinned_meshes[&*mesh]).map_err(unfit)?.stature);
    }
    let knobs = knobs.or_else(&args.style.map(Style::knobs).unwrap_or_default());
    let wanted: Vec<Wanted> =
        args.add.iter().map(|motion| Wanted { motion, knobs, travels: args.travel }).collect();
    let (commands, added) = commands(&scene, &mesh, &wanted).map_err(unfit)?;
    args::apply(&mut scene, &commands)?;
    saving.write(scene.clone(), &args.scene.file, output)?;
    let skeleton = &scene.skinned_meshes[&*mesh].skeleton;
    let listed = listed(added, skeleton);
    if args.json {
        return output.json(&listed);
    }
    for take in listed {
        let Listed { name, frames, speed, overreach, slowed, .. } = take;
        let frames = super::output::count(frames as usize, "frame", "frames");
        let travels = if speed > 0.0 { format!(", {speed:.3} units per second") } else { String::new() };
        output.line(format_args!("{name}: {frames}{travels}"))?;
        if slowed {
            output.note(format_args!("{name}: these legs go no faster"));
        }
        // What the digits do not show, nobody sees.
        let missing = format!("{overreach:.3}");
        if missing != "0.000" {
            output.note(format_args!("{name}: a leg is {missing} too short for where its foot should be"));
        }
    }
    Ok(())
}
