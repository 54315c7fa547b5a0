//! `ossature ik`: pulls bone tails to targets.

use super::args::{self, BoneValue};
use super::input::MeshChoice;
use super::output::{Output, count, number, numbers};
use super::target::{Force, Target};
use super::tasks::{Tasks, handle_on};
use super::{CliError, handles};
use crate::edit::command::Command;
use crate::edit::command::effects::Effects;
use crate::edit::session::autokey::TimeState;
use crate::edit::time::keying;
use crate::edit::time::keying_set::KeyingSet;
use crate::rig::body::limb::limb;
use crate::rig::ik::{self, End, TaskKind, TaskResult};
use crate::rig::kinematics;
use crate::rig::skeleton::Skeleton;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::{Scene, apply_animation};
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
A target uses the first handle of its bone, or a new one, and enables it. Handles that are enabled in the
file pull too; without a task, only they do. A new handle rotates the limb of its bone, up to the
trunk; --chain takes limb, root (the whole body) or a number of bones for all targets.
Solvers: damped (damped least squares, which takes few steps and supports all goals of handles) and fixed
(gradient descent with a fixed step size, which takes tails to their targets and ignores everything else).

Examples:
  ossature ik scene.js3d --target Hand.L=1.5,3.4,0.9 --steps 100
  ossature ik scene.js3d --target Hand.L=1.5,3.4,0.9 --chain root -o leaning.js3d
  ossature ik scene.js3d --target 5=0,1,0 --target 9=0.2,1,0 --steps 50 -o reached.js3d
  ossature ik scene.js3d --pin foot.L --pin foot.R --target pelvis=0,2.4,0 --chain root --free-root
  ossature ik scene.js3d --pin foot.L --pin foot.R --target hand.R=-0.4,0.5,1 --chain root --free-root
  ossature ik scene.js3d --target hand.L=0.4,4,0.8 --pole hand.L=2,2,-2 --limit forearm.L=0..140,,0..0
  ossature ik scene.js3d --look head=2,5,3
  ossature ik scene.js3d --target hand.L=0.4,4,0.8 --space hand.L=hand.R -o clapping.js3d
  ossature ik scene.js3d --frame 12
  ossature ik scene.js3d --target 9=1.5,3.4,0.9 --solver fixed --step-size 0.01 --steps 500
  ossature ik scene.js3d --steps 10 --json";

/// Pull bone tails to targets; print the pose, the remaining distances and the energy of each step
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d or glTF)
    file: PathBuf,
    #[command(flatten)]
    mesh: MeshChoice,
    /// Target for the tail of a bone (index or name), in skeleton space; may be repeated
    #[arg(long, value_name = "BONE=X,Y,Z", value_parser = args::bone_value)]
    target: Vec<BoneValue>,
    /// How far up the handles of --target, --look and --pin reach: limb, root, or a number of bones
    #[arg(long, value_name = "CHAIN", value_parser = chain)]
    chain: Option<Chain>,
    #[command(flatten)]
    tasks: Tasks,
    /// Take pose and targets from the animation at this frame [default: those stored in the file]
    #[arg(long, value_name = "T")]
    frame: Option<f32>,
    /// Take at most this many solver steps
    #[arg(long, value_name = "N", default_value_t = ik::Options::default().max_steps, value_parser = args::whole)]
    steps: usize,
    /// Solver: damped or fixed
    #[arg(long, value_name = "NAME", default_value = ik::Step::default().word(), value_parser = solver)]
    solver: ik::Step,
    /// Step size of the fixed solver, as a multiple of the gradient
    #[arg(long, value_name = "X", default_value_t = ik::Step::FIXED)]
    step_size: f64,
    /// Scene file to write, with the pose that was found and the handles (.js3d); with --frame, what changed is
    /// keyed there
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn solver(word: &str) -> Result<ik::Step, String> {
    ik::Step::from_word(word)
        .ok_or_else(|| format!("there is no solver “{word}”; there are damped and fixed"))
}

/// The bones that a handle rotates.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Chain {
    Limb,
    Root,
    Bones(u32),
}

fn chain(word: &str) -> Result<Chain, String> {
    match word {
        "limb" => Ok(Chain::Limb),
        "root" => Ok(Chain::Root),
        _ => match word.parse::<u32>() {
            Ok(bones) if bones > 0 => Ok(Chain::Bones(bones)),
            _ => Err(format!("“{word}” is not limb, root or a number of bones, 1 or more")),
        },
    }
}

#[derive(Serialize)]
struct IkOut {
    mesh: String,
    /// `reached`, `out_of_reach` or `unfinished`.
    end: End,
    /// Whether no step gets closer, regardless of whether the targets are reached.
    converged: bool,
    /// Whether all targets are reached, which `end` says too.
    reached: bool,
    steps: usize,
    /// The energy before the first step and after each step.
    energies: Vec<f64>,
    /// The tasks of all handles with their errors.
    tasks: Vec<TaskResult>,
    base_offset: [f32; 3],
    bones: Vec<BoneOut>,
    handles: Vec<handles::HandleOut>,
}

#[derive(Serialize)]
pub struct BoneOut {
    index: usize,
    name: String,
    pose_deg: [f32; 3],
}

impl BoneOut {
    pub fn new(skeleton: &Skeleton, index: usize) -> Self {
        let pose_deg = skeleton.bones[index].pose_deg.to_array();
        Self { index, name: skeleton.bone_name(index), pose_deg }
    }
}

pub fn print_bones(bones: &[BoneOut], output: &mut Output) -> Result<(), CliError> {
    for bone in bones {
        output.line(format_args!("{} {}", bone.index, bone.name))?;
        output.line(format_args!("  pose     {}", numbers(bone.pose_deg)))?;
    }
    Ok(())
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.force.load(&args.file, args.output.as_deref(), output)?;
    let mesh = args.mesh.name(&scene)?;
    let targets = args.tasks.targets(&args.target, &args::skinned(&scene, &mesh)?.skeleton)?;
    if args.chain.is_some() && targets.is_empty() {
        return Err(CliError::Other("--chain needs a --target, --look or --pin".into()));
    }
    add_handles(&mut scene, &mesh, &targets)?;
    args.tasks.set(&mut scene, &mesh)?;
    let stored = scene.clone();
    if let Some(frame) = args.frame {
        scene = apply_animation::animate(&scene, args::finite("--frame", frame)?);
    }
    let shown = scene.clone();
    let mut effects = Effects::default();
    let targets = args.tasks.targets(&args.target, &args::skinned(&scene, &mesh)?.skeleton)?;
    for target in &targets {
        effects.extend(pull(&mut scene, &mesh, target, args.chain)?);
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
        ik: Some(ik::Options { max_steps: args.steps, step, ..ik::Options::default() }),
        ..Settings::default()
    };
    let evaluated = Evaluator::default().evaluate(&scene, &settings);
    let posed = args::posed(&evaluated, &mesh)?;
    let Some(outcome) = &posed.ik else {
        let text = "no handle is enabled; give a target with --target BONE=X,Y,Z";
        return Err(CliError::Other(text.into()));
    };
    let skeleton = &*posed.skeleton;
    if let ik::Step::Fixed(_) = step {
        note_ignored(skeleton, outcome, output);
    }
    let spaces = args.tasks.set_spaces(&stored, &scene, &mesh)?;
    effects.extend(args::apply(&mut scene, &spaces)?);
    if let Some(target) = &target {
        let poses_deg = skeleton.bones.iter().map(|b| b.pose_deg).collect();
        let mesh = mesh.clone();
        let base_offset = skeleton.base_offset;
        let commands = [
            Command::SetPoses { mesh: mesh.clone(), poses_deg },
            Command::set_skeleton(mesh, "base_offset", base_offset),
        ];
        effects.extend(args::apply(&mut scene, &commands)?);
        save(args.frame, target, [&stored, &shown], scene, effects, output)?;
    }
    let solved = ik_out(mesh, skeleton, outcome, &kinematics::tips(skeleton, &posed.current));
    if args.json { output.json(&solved) } else { print(&solved, outcome.missed(), output) }
}

/// Prints a note about the tasks that gradient descent ignores.
fn note_ignored(skeleton: &Skeleton, outcome: &ik::Outcome, output: &mut Output) {
    let describe = |result: &TaskResult| {
        let handle = &skeleton.handles[result.handle];
        let text =
            || format!("the {} of {}", result.task.words().noun, skeleton.bone_name(handle.bone as usize));
        (result.task != TaskKind::Position).then(text)
    };
    let mut ignored: Vec<String> = outcome.tasks.iter().filter_map(describe).collect();
    if skeleton.root_free {
        ignored.push("the free root".into());
    }
    if !ignored.is_empty() {
        let ignored = ignored.join(", ");
        output.note(format_args!("the fixed solver takes tails to targets and leaves out {ignored}"));
    }
}

/// Saves the scene that was changed from `shown`, which is `stored` at `frame`, with keys for the changes
/// there. Without a frame the values are stored as they are; a note reports those with keys, which hide them
/// when the file is opened.
pub fn save(
    frame: Option<f32>,
    target: &Target,
    [stored, shown]: [&Scene; 2],
    scene: Scene,
    mut effects: Effects,
    output: &mut Output,
) -> Result<(), CliError> {
    let values = |number| count(number, "value has", "values have");
    let Some(frame) = frame else {
        let changed = effects.changed_values(stored, &scene);
        let keyed = changed.iter().filter(|channel| keying::has_keys(&scene, channel)).count();
        if keyed > 0 {
            output.note(format_args!(
                "{} keys, which count when the file is played; --frame T keys the pose there",
                values(keyed)
            ));
        }
        return target.save(&scene, output);
    };
    let changed = effects.changed_values(shown, &scene).len();
    let (scene, _) =
        TimeState::new(frame).after(stored, shown, scene, &mut effects, Some(KeyingSet::default()));
    output.note(format_args!("{} a key at frame {frame}", count(changed, "value got", "values got")));
    target.save(&scene, output)
}

/// Adds a handle at the target to bones without one. It is not enabled yet: as for handles of the file,
/// enabling it at a frame sets a key there, and other keyed frames stay unchanged.
fn add_handles(scene: &mut Scene, mesh: &str, targets: &[BoneValue]) -> Result<(), CliError> {
    for target in targets {
        let skeleton = &args::skinned(scene, mesh)?.skeleton;
        let bone = args::find_bone(skeleton, &target.bone)?;
        let handle = handle_on(skeleton, bone);
        if handle < skeleton.handles.len() {
            continue;
        }
        let (mesh, target) = (mesh.to_owned(), target.value);
        let add = Command::AddHandle { mesh: mesh.clone(), bone };
        let set_target = Command::set_handle(mesh, handle, "target", target);
        args::apply(scene, &[add, set_target])?;
    }
    Ok(())
}

/// Sets the target of the first handle on the bone and enables it.
fn pull(
    scene: &mut Scene,
    mesh: &str,
    target: &BoneValue,
    chain: Option<Chain>,
) -> Result<Effects, CliError> {
    let skeleton = &args::skinned(scene, mesh)?.skeleton;
    let bone = args::find_bone(skeleton, &target.bone)?;
    let handle = handle_on(skeleton, bone);
    let mesh = mesh.to_owned();
    let mut commands = Vec::new();
    if let Some(chain) = chain {
        commands.push(Command::set_handle(
            mesh.clone(),
            handle,
            "chain",
            match chain {
                Chain::Limb => Some(limb(skeleton, bone)),
                Chain::Root => None,
                Chain::Bones(bones) => Some(bones),
            },
        ));
    }
    commands.push(Command::set_handle(mesh.clone(), handle, "target", target.value));
    commands.push(Command::set_handle(mesh, handle, "enabled", true));
    args::apply(scene, &commands)
}

fn ik_out(mesh: String, skeleton: &Skeleton, outcome: &ik::Outcome, tips: &[glam::DVec3]) -> IkOut {
    let bones = (0..skeleton.bones.len()).map(|bone| BoneOut::new(skeleton, bone));
    let handles = handles::all(skeleton, tips);
    IkOut {
        mesh,
        end: outcome.end,
        converged: outcome.converged,
        reached: outcome.end == End::Reached,
        steps: outcome.steps,
        energies: outcome.energies.clone(),
        tasks: outcome.tasks.clone(),
        base_offset: skeleton.base_offset.to_array(),
        bones: bones.collect(),
        handles,
    }
}

fn print<'t>(
    solved: &IkOut,
    missed: impl Iterator<Item = &'t TaskResult>,
    output: &mut Output,
) -> Result<(), CliError> {
    let steps = count(solved.steps, "step", "steps");
    let describe = |missed: &TaskResult| {
        let handle = solved.handles.iter().find(|h| h.index == missed.handle);
        let name = handle.map_or("", |handle| &handle.name);
        let error = number(missed.error);
        let (words, tail) = (missed.task.words(), missed.task == TaskKind::Position);
        format!("{}{name} {} {error}{}", if tail { "the tail of " } else { "" }, words.does, words.after)
    };
    let missed: Vec<String> = missed.map(describe).collect();
    let problems = if missed.is_empty() { String::new() } else { format!(": {}", missed.join("; ")) };
    let end = match solved.end {
        End::Reached => "reached".into(),
        End::OutOfReach => format!("out of reach{problems}"),
        End::Unfinished => format!("not finished{problems}"),
    };
    output.line(format_args!("{}: {steps}, {end}", solved.mesh))?;
    if solved.base_offset != [0.0; 3] {
        output.line(format_args!("base offset {}", numbers(solved.base_offset)))?;
    }
    for (step, energy) in solved.energies.iter().enumerate() {
        output.line(format_args!("energy {step} {}", number(energy)))?;
    }
    print_bones(&solved.bones, output)?;
    handles::print(&solved.handles, &solved.tasks, output)
}
