//! `ossature ik`: pulls bone tips to targets.

use super::args::{self, BoneValue};
use super::output::{Output, count, number, numbers};
use super::target::{Force, Target};
use super::{CliError, handles};
use crate::edit::command::Command;
use crate::edit::keying;
use crate::edit::pending::Moment;
use crate::io::kind::FileKind;
use crate::rig::skeleton::Skeleton;
use crate::rig::{ik, kinematics};
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::{Scene, channels, drive};
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Targets are in skeleton space. A target uses the first handle on its bone, or a new one, and enables it.
Handles that are enabled in the file pull too; without --target only they do.
Solvers: damped (least squares; few steps), lbfgs (descent that learns the curvature), searched (gradient
descent, each step as long as it pays) and fixed (gradient descent by --step-size times the gradient).

Examples:
  ossature ik scene.js3d --target 9=1.5,3.4,0.9 --steps 100
  ossature ik scene.js3d --target 5=0,1,0 --target 9=0.2,1,0 --steps 50 -o reached.js3d
  ossature ik scene.js3d --frame 12
  ossature ik scene.js3d --target 9=1.5,3.4,0.9 --solver fixed --step-size 0.01 --steps 500
  ossature ik scene.js3d --steps 10 --json";

/// Pull bone tips to targets; print the pose, the distances left and the energy of every step
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d)
    file: PathBuf,
    /// Skinned mesh; not needed if there is only one
    #[arg(long, value_name = "NAME")]
    mesh: Option<String>,
    /// Target for the tip of a bone (index or name); may be repeated
    #[arg(long, value_name = "BONE=x,y,z", value_parser = args::bone_value)]
    target: Vec<BoneValue>,
    /// Start from the pose, and pull to the targets, that the animation channels give at this frame
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    frame: Option<f32>,
    /// At most this many solver steps
    #[arg(long, value_name = "N", default_value_t = ik::Options::default().max_steps)]
    steps: usize,
    /// How the next pose is found: damped, lbfgs, searched or fixed
    #[arg(long, value_name = "NAME", default_value = ik::Step::default().word(), value_parser = solver)]
    solver: ik::Step,
    /// Multiple of the gradient, for the fixed solver
    #[arg(long, value_name = "X", default_value_t = ik::Step::FIXED)]
    step_size: f64,
    /// Save the scene with its handles and the pose that was found (.js3d); with --frame, what changed is keyed
    /// there
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn solver(word: &str) -> Result<ik::Step, String> {
    let found = ik::Step::KINDS.into_iter().find(|step| step.word() == word);
    found.ok_or_else(|| format!("there is no solver “{word}”; there are damped, lbfgs, searched and fixed"))
}

/// Tips nearer to their targets than this part of the longest chain have reached them.
const REACHED: f64 = 1e-3;

#[derive(Serialize)]
struct IkOut {
    mesh: String,
    /// No step leads nearer.
    converged: bool,
    /// Every tip is at its target.
    reached: bool,
    steps: usize,
    /// Before the first step and after each step.
    energies: Vec<f64>,
    bones: Vec<BoneOut>,
    handles: Vec<handles::HandleOut>,
}

#[derive(Serialize)]
struct BoneOut {
    index: usize,
    name: String,
    pose_deg: [f32; 3],
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let target = args.output.as_deref();
    let target = target
        .map(|path| args.force.target(path, FileKind::Js3d))
        .transpose()?;
    let mut scene = match &target {
        Some(target) => target.load(&args.file, output)?,
        None => args::load(&args.file, output)?,
    };
    let mesh = args::one_mesh(&scene, args.mesh.as_deref())?;
    let stored = scene.clone();
    if let Some(frame) = args.frame {
        scene = drive::driven(&scene, args::finite("--frame", frame)?);
    }
    let seen = scene.clone();
    for target in &args.target {
        pull(&mut scene, &mesh, target)?;
    }
    let step = match args.solver {
        ik::Step::Fixed(_) if !(args.step_size.is_finite() && args.step_size > 0.0) => {
            return Err(CliError::Other("--step-size must be above zero".into()));
        }
        ik::Step::Fixed(_) => ik::Step::Fixed(args.step_size),
        step => step,
    };
    let settings = Settings {
        frame: None,
        ik: Some(ik::Options {
            max_steps: args.steps,
            step,
            ..ik::Options::default()
        }),
        ..Settings::default()
    };
    let evaluated = Evaluator::default().evaluate(&scene, &settings);
    let posed = args::posed(&evaluated, &mesh)?;
    let Some(outcome) = &posed.ik else {
        let text = "no handle is enabled; give a target with --target BONE=x,y,z";
        return Err(CliError::Other(text.into()));
    };
    let skeleton = &*posed.skeleton;
    if let Some(target) = &target {
        let poses_deg = skeleton.bones.iter().map(|b| b.pose_deg).collect();
        let mesh = mesh.clone();
        args::apply(&mut scene, &[Command::SetPoses { mesh, poses_deg }])?;
        save(args.frame, target, [&stored, &seen], scene, output)?;
    }
    let solved = ik_out(
        mesh,
        skeleton,
        outcome,
        &kinematics::tips(skeleton, &posed.current),
    );
    if args.json {
        output.json(&solved)
    } else {
        print(&solved, output)
    }
}

/// Saves what became of `seen`, which is `stored` at `frame`: what was changed is keyed there. Without a frame the
/// values are stored; those with keys, which would not be seen when the file is opened, are told.
fn save(
    frame: Option<f32>,
    target: &Target,
    [stored, seen]: [&Scene; 2],
    scene: Scene,
    output: &mut Output,
) -> Result<(), CliError> {
    let values = |number| count(number, "value has", "values have");
    let Some(frame) = frame else {
        let changed = channels::changed(stored, &scene).into_iter();
        let keyed = changed
            .filter(|(channel, _)| keying::has_keys(&scene, channel))
            .count();
        if keyed > 0 {
            output.note(format_args!(
                "{} keys, which count when the file is played; --frame T keys the pose there",
                values(keyed)
            ));
        }
        return target.save(&scene, output);
    };
    let changed = channels::changed(seen, &scene).len();
    let (scene, _) = Moment::at(frame).after(stored, seen, scene, true);
    output.note(format_args!(
        "{} a key at frame {frame}",
        count(changed, "value got", "values got")
    ));
    target.save(&scene, output)
}

/// Sets and enables the first handle on the bone, or a new one.
fn pull(scene: &mut Scene, mesh: &str, target: &BoneValue) -> Result<(), CliError> {
    let skeleton = &args::skinned(scene, mesh)?.skeleton;
    let bone = args::find_bone(skeleton, &target.bone)?;
    let existing = skeleton.handles.iter().position(|h| h.bone as usize == bone);
    let handle = existing.unwrap_or(skeleton.handles.len());
    let mesh = mesh.to_owned();
    let mut commands = Vec::new();
    if existing.is_none() {
        commands.push(Command::AddHandle {
            mesh: mesh.clone(),
            bone,
        });
    }
    commands.push(Command::SetHandleTarget {
        mesh: mesh.clone(),
        handle,
        target: target.value,
    });
    commands.push(Command::SetHandleEnabled {
        mesh,
        handle,
        enabled: true,
    });
    args::apply(scene, &commands)
}

fn ik_out(mesh: String, skeleton: &Skeleton, outcome: &ik::Outcome, tips: &[glam::DVec3]) -> IkOut {
    let bones = skeleton.bones.iter().enumerate().map(|(index, bone)| BoneOut {
        index,
        name: skeleton.bone_name(index),
        pose_deg: bone.pose_deg.to_array(),
    });
    let handles = handles::all(skeleton, tips);
    IkOut {
        mesh,
        converged: outcome.converged,
        reached: farthest(&handles).is_none_or(|h| h.distance <= REACHED * ik::reach(skeleton)),
        steps: outcome.steps,
        energies: outcome.energies.clone(),
        bones: bones.collect(),
        handles,
    }
}

/// The enabled handle whose tip is farthest from its target.
fn farthest(handles: &[handles::HandleOut]) -> Option<&handles::HandleOut> {
    let enabled = handles.iter().filter(|handle| handle.enabled);
    enabled.max_by(|a, b| a.distance.total_cmp(&b.distance))
}

fn print(solved: &IkOut, output: &mut Output) -> Result<(), CliError> {
    let steps = count(solved.steps, "step", "steps");
    let short = farthest(&solved.handles).filter(|_| !solved.reached);
    let end = match (solved.converged, short) {
        (_, Some(handle)) => {
            let distance = number(handle.distance);
            format!("not reached: the tip of {} ends {distance} away", handle.name)
        }
        (true, None) => "converged".into(),
        (false, None) => "not converged".into(),
    };
    output.line(format_args!("{}: {steps}, {end}", solved.mesh))?;
    for (step, energy) in solved.energies.iter().enumerate() {
        output.line(format_args!("energy {step} {}", number(energy)))?;
    }
    for bone in &solved.bones {
        output.line(format_args!("{} {}", bone.index, bone.name))?;
        output.line(format_args!("  pose     {}", numbers(bone.pose_deg)))?;
    }
    handles::print(&solved.handles, output)
}
