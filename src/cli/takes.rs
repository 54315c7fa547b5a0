//! `ossature takes`: shows and changes the takes of a scene.

use super::input::{ListedScene, MeshChoice};
use super::output::{Output, count};
use super::{CliError, args};
use crate::anim::channel::Animation;
use crate::anim::seam::{Jump, Seam};
use crate::edit::command::takes::TakeCommand;
use crate::edit::command::{Command, SceneData};
use crate::io::formats;
use crate::io::motion::clips;
use crate::scene::Scene;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const EXAMPLES: &str = "\
A take is a range of frames with a name: what a game calls an animation. The chosen one is what is played,
rendered and baked where no other frames are asked for. Changes are made in the order of
the options below. The seam of a take is how far poses, values and speeds jump if it loops.

Examples:
  ossature takes scene.js3d
  ossature takes scene.js3d --add Idle=0..40 --add Walk=50..73 -o named.js3d
  ossature takes scene.js3d --rename Walk=Stroll --delete Idle -o fewer.js3d
  ossature takes scene.js3d --clips walk.glb --clips run.glb -o moving.js3d
  ossature takes scene.js3d --add Walk=0..24 --cycle Walk -o walk.js3d
  ossature takes scene.js3d --range Walk=0..23 --choose Walk -o walk.js3d";

/// Show the takes of a scene, or change them and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ListedScene,
    /// Delete a take but keep its keys; this and the next four may be repeated
    #[arg(long, value_name = "NAME", requires = "output")]
    delete: Vec<String>,
    /// Rename a take
    #[arg(long, value_name = "NAME=NEW", value_parser = args::rename, requires = "output")]
    rename: Vec<(String, String)>,
    /// Change the frames of a take
    #[arg(long, value_name = "NAME=FIRST..LAST", value_parser = named_range, requires = "output")]
    range: Vec<(String, [u32; 2])>,
    /// Make a take a cycle: its last frame is the first one again, with the same slopes; positions may go on
    #[arg(long, value_name = "NAME", requires = "output")]
    cycle: Vec<String>,
    /// Add a take, and choose it
    #[arg(long, value_name = "NAME=FIRST..LAST", value_parser = named_range, requires = "output")]
    add: Vec<(String, [u32; 2])>,
    /// Add the animations of a glTF file, for the bones of the same names; before all other changes
    #[arg(long, value_name = "FILE", requires = "output")]
    clips: Vec<PathBuf>,
    #[command(flatten)]
    mesh: MeshChoice,
    /// The take to play
    #[arg(long, value_name = "NAME", requires = "output")]
    choose: Option<String>,
    /// Choose no take: all frames are played
    #[arg(long, requires = "output", conflicts_with = "choose")]
    choose_none: bool,
}

fn named_range(text: &str) -> Result<(String, [u32; 2]), String> {
    let wrong = || format!("“{text}” is not of the form NAME=FIRST..LAST");
    let (name, frames) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok((name.to_owned(), args::frames(frames)?))
}

/// A take in JSON output.
#[derive(Serialize)]
pub struct Listed {
    name: String,
    first: u32,
    last: u32,
    /// Whether the take is played.
    chosen: bool,
    /// Whether it is a cycle.
    cycle: bool,
    /// Where it begins again if it loops; left out if nothing that counts has keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    seam: Option<ListedSeam>,
}

/// The seam of a take in JSON output. What nothing has keys of is left out.
#[derive(Serialize)]
struct ListedSeam {
    #[serde(skip)]
    text: String,
    /// The largest angle of a bone or object between the first and the last pose.
    #[serde(skip_serializing_if = "Option::is_none")]
    degrees: Option<f64>,
    /// The largest difference of its speed there.
    #[serde(skip_serializing_if = "Option::is_none")]
    degrees_per_frame: Option<f64>,
    /// The largest distance of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance_per_frame: Option<f64>,
    /// The largest difference of any other value of an object, as a share of its largest number.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share_per_frame: Option<f64>,
}

impl From<Seam> for ListedSeam {
    fn from(seam: Seam) -> Self {
        let size = |jump: Option<Jump>| jump.map(|jump| jump.size);
        let speed = |jump: Option<Jump>| jump.map(|jump| jump.speed);
        Self {
            text: seam.to_string(),
            degrees: size(seam.turn),
            degrees_per_frame: speed(seam.turn),
            distance: size(seam.position),
            distance_per_frame: speed(seam.position),
            share: size(seam.other),
            share_per_frame: speed(seam.other),
        }
    }
}

/// Returns the takes in order.
pub fn listed(animation: &Animation) -> Vec<Listed> {
    let takes = animation.takes.list.iter().enumerate();
    let listed = takes.map(|(index, take)| Listed {
        name: take.name.clone(),
        first: take.range[0],
        last: take.range[1],
        chosen: animation.takes.chosen == Some(index),
        cycle: take.cycle,
        seam: animation.seam(take.range).map(ListedSeam::from),
    });
    listed.collect()
}

/// Prints a line for each take, starting with `indent`.
pub fn print(takes: &[Listed], rate: f32, indent: &str, output: &mut Output) -> Result<(), CliError> {
    for take in takes {
        let frames = take.last - take.first + 1;
        let chosen = if take.chosen { ", chosen" } else { "" };
        let cycle = if take.cycle { ", cycle" } else { "" };
        let seam = take.seam.as_ref().map(|seam| format!(", {}", seam.text)).unwrap_or_default();
        output.line(format_args!(
            "{indent}{}: frames {} to {} ({}, {:.2} s){cycle}{chosen}{seam}",
            take.name,
            take.first,
            take.last,
            count(frames as usize, "frame", "frames"),
            f64::from(frames) / f64::from(rate),
        ))?;
    }
    Ok(())
}

impl Args {
    fn commands(&self) -> Vec<Command> {
        let deleted = self.delete.iter().cloned();
        let renamed = self.rename.iter().cloned();
        let ranges = self.range.iter().cloned();
        let added = self.add.iter().cloned();
        let mut all: Vec<TakeCommand> = Vec::new();
        all.extend(deleted.map(|take| TakeCommand::Delete { take }));
        all.extend(renamed.map(|(take, name)| TakeCommand::Rename { take, name }));
        all.extend(ranges.map(|(take, range)| TakeCommand::SetRange { take, range }));
        all.extend(added.map(|(name, range)| TakeCommand::Add { name, range }));
        all.extend(self.cycle.iter().cloned().map(|take| TakeCommand::SetCycle { take, cycle: true }));
        if self.choose.is_some() || self.choose_none {
            let take = self.choose.clone();
            all.push(TakeCommand::Choose { take });
        }
        all.into_iter().map(Command::Takes).collect()
    }
}

/// Adds the animations of a file to a character.
fn add_clips(scene: &mut Scene, file: &Path, args: &Args, output: &mut Output) -> Result<(), CliError> {
    let mesh = args.mesh.name(scene)?;
    let read = formats::read_clips(file, &scene.animation, &|_| true)
        .map_err(|error| args::unreadable(file, error))?;
    output.findings(file, &read.report);
    let report = clips::report(scene, &mesh, &read.scene)
        .map_err(|why| CliError::Other(format!("{}: {why}", file.display())))?;
    output.findings(file, &report);
    args::apply(scene, &[Command::AddClips { mesh, scene: SceneData(Arc::new(read.scene)) }])?;
    Ok(())
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    if let Some(target) = &target {
        for file in &args.clips {
            add_clips(&mut scene, file, args, output)?;
        }
        args::apply(&mut scene, &args.commands())?;
        target.save(&scene, output)?;
    }
    let takes = listed(&scene.animation);
    if args.scene.json {
        return output.json(&takes);
    }
    if takes.is_empty() {
        return output.line("no takes");
    }
    print(&takes, scene.animation.clip.rate, "", output)
}
