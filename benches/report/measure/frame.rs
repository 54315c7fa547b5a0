//! The processor's part of a frame, stage by stage, by the functions that the window calls: a handle is dragged in
//! a circle (the first that is enabled, else a new one at the end of the longest chain of bones), at one frame,
//! then while all bones play.

use super::Failure;
use super::character::{self, Drag};
use super::table::short;
use super::time::{median, p95};
use ossature::anim::channel_set::ChannelSet;
use ossature::io::js3d;
use ossature::math::simd::Path as Instructions;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const STAGES: [&str; 5] = ["channels", "IK", "pose", "skin", "upload"];

#[derive(Serialize)]
pub struct Frames {
    version: &'static str,
    cores: usize,
    instructions: &'static str,
    runs: Vec<Run>,
}

/// A character, moved in one way.
#[derive(Serialize)]
pub struct Run {
    what: String,
    vertices: usize,
    render_vertices: usize,
    bones: usize,
    frames: usize,
    /// Steps of the solver, median.
    ik_steps: f64,
    stages: Vec<Stage>,
    /// All stages together.
    frame: Stage,
    /// As many as this part of the work would allow.
    frames_per_second: f64,
}

#[derive(Serialize)]
pub struct Stage {
    name: &'static str,
    median_us: f64,
    p95_us: f64,
}

impl Stage {
    fn new(name: &'static str, seconds: Vec<f64>) -> Self {
        Self {
            name,
            median_us: 1e6 * median(seconds.clone()),
            p95_us: 1e6 * p95(seconds),
        }
    }
}

/// `file`: a scene, all of whose skinned meshes are measured, with a handle on the first; else the human of this
/// repository, and the same human of 126,978 vertices, its bones keyed.
pub fn frames(file: Option<&Path>, frames: Option<usize>, quick: bool) -> Result<Frames, Failure> {
    let frames = frames.unwrap_or(if quick { 20 } else { 600 });
    let mut runs = Vec::new();
    match file {
        Some(path) => {
            let (scene, _) = js3d::read_file(path)?;
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            runs.extend(measured(&name, scene, frames)?);
        }
        None => {
            let divisions = if quick { &[0][..] } else { &[0, 2] };
            for &divisions in divisions {
                let mut scene = character::human(divisions)?;
                let (name, mesh) = first(&scene)?;
                character::sway(&mut scene, &name, &mesh);
                runs.extend(measured("human", scene, frames)?);
            }
        }
    }
    Ok(Frames {
        version: env!("CARGO_PKG_VERSION"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        instructions: Instructions::best().name(),
        runs,
    })
}

impl Frames {
    /// As a Markdown table.
    pub fn table(&self) -> String {
        let mut text = format!(
            "| what | vertices | {} | all | frames a second |\n|---|---|{}---|---|\n",
            STAGES.join(" | "),
            "---|".repeat(STAGES.len())
        );
        for run in &self.runs {
            let stages = run.stages.iter().chain([&run.frame]);
            let cells: Vec<String> = stages
                .map(|stage| format!("{} / {}", short(stage.median_us), short(stage.p95_us)))
                .collect();
            text += &format!(
                "| {} | {} | {} | {} |\n",
                run.what,
                run.vertices,
                cells.join(" | "),
                short(run.frames_per_second)
            );
        }
        text + "\nTimes in µs: median / 95 of a hundred do not take longer.\n"
    }
}

/// The first skinned mesh and its name.
fn first(scene: &Scene) -> Result<(String, Arc<ossature::scene::skinned::SkinnedMesh>), Failure> {
    let found = scene.skinned_meshes.iter().next();
    let (name, mesh) = found.ok_or("there is no skinned mesh")?;
    Ok((name.clone(), mesh.clone()))
}

/// With the handle dragged at one frame, and while all plays.
fn measured(name: &str, mut scene: Scene, frames: usize) -> Result<[Run; 2], Failure> {
    let (mesh, _) = first(&scene)?;
    let drag = Drag::begin(&mut scene, &mesh);
    let drag = drag.ok_or_else(|| format!("“{mesh}” has no bones"))?;
    let dragged = format!("{name}, a handle dragged");
    let played = format!("{name}, played while a handle is dragged");
    Ok([
        sampled(dragged, &scene, &drag, false, frames),
        sampled(played, &scene, &drag, true, frames),
    ])
}

fn sampled(what: String, scene: &Scene, drag: &Drag, plays: bool, frames: usize) -> Run {
    let held: Arc<ChannelSet> = Arc::new([drag.channel(scene)].into_iter().collect());
    let [first, last] = scene.animation.clip.played();
    let length = (last - first + 1) as usize;
    let mut evaluator = Evaluator::default();
    let mut shown = Evaluated::default();
    let mut card = Vec::new();
    let mut seconds: [Vec<f64>; 5] = Default::default();
    let mut steps = Vec::new();
    // Buffers grow and threads start in the first frames.
    let warm = 10;
    for step in 0..warm + frames {
        let scene = drag.at(scene, step);
        let at = if plays { step % length } else { 0 };
        let settings = Settings {
            frame: Some(first as f32 + at as f32),
            held: held.clone(),
            ..Settings::default()
        };
        let mut clock = Clock::start();
        let mut evaluation = evaluator.animate(&scene, &settings);
        clock.lap();
        evaluation.solve_ik();
        clock.lap();
        evaluation.pose();
        clock.lap();
        let evaluated = evaluator.skin(evaluation);
        clock.lap();
        upload(&shown, &evaluated, &mut card);
        clock.lap();
        if step >= warm {
            for (all, one) in seconds.iter_mut().zip(clock.laps) {
                all.push(one);
            }
            let outcomes = evaluated.skinned.values().filter_map(|posed| posed.ik.as_ref());
            steps.push(outcomes.map(|outcome| outcome.steps).sum::<usize>() as f64);
        }
        shown = evaluated;
    }
    let all = (0..frames).map(|i| seconds.iter().map(|stage| stage[i]).sum());
    let frame = Stage::new("all", all.collect());
    let posed = || shown.skinned.values();
    Run {
        what,
        vertices: posed().map(|posed| posed.positions.len()).sum(),
        render_vertices: posed().map(|posed| posed.render_vertices.len()).sum(),
        bones: posed().map(|posed| posed.skeleton.bones.len()).sum(),
        frames,
        ik_steps: median(steps),
        frames_per_second: 1e6 / frame.median_us,
        stages: STAGES
            .into_iter()
            .zip(seconds)
            .map(|(name, of)| Stage::new(name, of))
            .collect(),
        frame,
    }
}

/// What is left to the processor of bringing new vertices to the graphics card: they are copied, as they are,
/// to where the driver takes them from.
fn upload(shown: &Evaluated, evaluated: &Evaluated, card: &mut Vec<u8>) {
    card.clear();
    for (name, posed) in &evaluated.skinned {
        if !shown.skinned.get(name).is_some_and(|old| Arc::ptr_eq(old, posed)) {
            card.extend_from_slice(bytemuck::cast_slice(&posed.render_vertices));
        }
    }
    std::hint::black_box(card);
}

/// Times from lap to lap.
struct Clock {
    last: Instant,
    laps: Vec<f64>,
}

impl Clock {
    fn start() -> Self {
        let laps = Vec::with_capacity(STAGES.len());
        Self {
            last: Instant::now(),
            laps,
        }
    }

    fn lap(&mut self) {
        let now = Instant::now();
        self.laps.push((now - self.last).as_secs_f64());
        self.last = now;
    }
}
