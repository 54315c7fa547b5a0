//! Measures the CPU's part of a frame on one thread, stage by stage: the pointer drags a handle in a circle
//! (the first enabled one, else a new one at the end of the longest chain of bones), the animation of all
//! bones plays, and weights are painted. If the window is built in, its whole frames are measured too.

use super::count::{Lap, WARMUP};
use super::drag::{STAGES, Window};
use super::ghosts::Skins;
use super::table::short;
use super::time::{median, p95, quiet};
use super::{Failure, character, window, with_threads};
use ossature::io::js3d;
use ossature::math::simd::Path as Instructions;
use ossature::rig::weights::paint::{Brush, Mode};
use ossature::scene::Scene;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;

#[derive(Serialize)]
pub struct Frames {
    version: &'static str,
    cores: usize,
    instructions: &'static str,
    runs: Vec<Run>,
    /// The reason why whole frames of the window were not measured, if any.
    window: Option<String>,
}

/// A character and an interaction.
#[derive(Serialize)]
pub struct Run {
    what: String,
    vertices: usize,
    render_vertices: usize,
    bones: usize,
    frames: usize,
    /// The median number of solver steps; `None` for whole frames of the window.
    ik_steps: Option<f64>,
    stages: Vec<Stage>,
    /// The sum of all stages.
    frame: Stage,
    /// The target for the quiet time of all stages, if any.
    aim_us: Option<f64>,
    /// The frame rate that this part of the work would allow.
    frames_per_second: f64,
}

#[derive(Serialize)]
pub struct Stage {
    name: &'static str,
    /// The median of the fastest quarter, least affected by other load on the machine.
    quiet_us: f64,
    median_us: f64,
    p95_us: f64,
    /// The median number of allocations per frame.
    allocations: f64,
}

impl Stage {
    fn new(name: &'static str, laps: &[Lap]) -> Self {
        let seconds: Vec<f64> = laps.iter().map(|lap| lap.seconds).collect();
        Self {
            name,
            quiet_us: 1e6 * quiet(seconds.clone()),
            median_us: 1e6 * median(seconds.clone()),
            p95_us: 1e6 * p95(seconds),
            allocations: median(laps.iter().map(|lap| lap.allocations as f64).collect()),
        }
    }
}

/// Measures frames of the first skinned mesh of a scene `file`, or else of the human of this repository at
/// its original size and with 126,978 vertices, both with keyed bones.
pub fn frames(file: Option<&Path>, frames: Option<usize>, quick: bool) -> Result<Frames, Failure> {
    let frames = frames.unwrap_or(if quick { 20 } else { 600 });
    let mut scenes = Vec::new();
    match file {
        Some(path) => {
            let (scene, _) = js3d::read_file(path)?;
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            scenes.push((name.into_owned(), scene, None));
        }
        None => {
            let sizes = [(0, 1000.0), (2, 2500.0)];
            for (divisions, aim_us) in sizes.into_iter().take(if quick { 1 } else { 2 }) {
                let mut scene = character::human(divisions)?;
                let (name, mesh) = first(&scene)?;
                character::sway(&mut scene, &name, &mesh);
                scenes.push(("human".to_owned(), scene, Some(aim_us)));
            }
        }
    }
    let (mut runs, mut no_window) = (Vec::new(), None);
    for (name, scene, aim_us) in scenes {
        let (mesh, _) = first(&scene)?;
        for (interaction, aim_us) in [
            (Interaction::Drag, aim_us),
            (Interaction::Playback, None),
            (Interaction::MirroredDrag, aim_us),
            // Targets for the slowest of twenty frames.
            (Interaction::Paint(Stroke::Replace), aim_us.map(|_| 8000.0)),
            (Interaction::Paint(Stroke::Mirrored), aim_us.map(|_| 8000.0)),
            (Interaction::Paint(Stroke::Smooth), aim_us.map(|_| 8000.0)),
            (Interaction::Paint(Stroke::Accumulate), aim_us.map(|_| 8000.0)),
        ] {
            let mut window = Window::open(scene.clone(), &mesh);
            let window = window.as_mut().ok_or_else(|| format!("“{mesh}” has no bones"))?;
            let mut run = None;
            with_threads(1, || run = Some(measure(&name, window, interaction, frames)));
            runs.extend(run.map(|run| Run { aim_us, ..run }));
        }
        let mut skins = Skins::new(scene.clone(), &mesh);
        let mut ghosts = Vec::new();
        with_threads(1, || {
            let played = skins.played(frames);
            ghosts.push(("played: what six onion skins add", played));
            ghosts.push(("the pose changed: one onion skin", skins.evaluated(frames)));
        });
        for (label, laps) in ghosts.into_iter().filter(|(_, laps)| !laps.is_empty()) {
            runs.push(without_stages(format!("{name}, {label}"), laps, runs.last()));
        }
        match window::dragged(scene, &mesh, frames) {
            Ok(laps) => {
                let label = format!("{name}, a handle dragged: all that the window does but draw");
                runs.push(without_stages(label, laps, runs.last()));
            }
            Err(reason) => no_window = Some(reason),
        }
    }
    if no_window.is_none() {
        let label = "Bevy and egui with nothing to show".to_owned();
        runs.push(without_stages(label, window::empty(frames), None));
    }
    Ok(Frames {
        version: env!("CARGO_PKG_VERSION"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        instructions: Instructions::best().name(),
        runs,
        window: no_window,
    })
}

impl Frames {
    /// Formats the runs as a Markdown table.
    pub fn table(&self) -> String {
        let mut text = format!(
            "| what | vertices | {} | all | aim | allocations |\n|---|---|{}---|---|---|\n",
            STAGES.join(" | "),
            "---|".repeat(STAGES.len())
        );
        for run in &self.runs {
            let time = |stage: &Stage| format!("{} / {}", short(stage.quiet_us), short(stage.median_us));
            let mut cells: Vec<String> = run.stages.iter().map(time).collect();
            cells.resize(STAGES.len(), String::new());
            let aim = run.aim_us.map(|aim| format!("≤ {}", short(aim)));
            text += &format!(
                "| {} | {} | {} | {} / {} | {} | {} |\n",
                run.what,
                run.vertices,
                cells.join(" | "),
                time(&run.frame),
                short(run.frame.p95_us),
                aim.unwrap_or_default(),
                short(run.frame.allocations)
            );
        }
        text += "\nTimes in µs: the median of the fastest quarter of the frames / the median of all; of all \
                 stages also / the slowest of twenty. Allocations of a frame.\n";
        if let Some(reason) = &self.window {
            text += &format!("Whole frames of the window: {reason}.\n");
        }
        text
    }
}

/// Returns the first skinned mesh and its name.
fn first(scene: &Scene) -> Result<(String, Arc<ossature::scene::skinned::SkinnedMesh>), Failure> {
    let found = scene.skinned_meshes.iter().next();
    let (name, mesh) = found.ok_or("there is no skinned mesh")?;
    Ok((name.clone(), mesh.clone()))
}

/// The interaction that is measured.
#[derive(Clone, Copy, PartialEq)]
enum Interaction {
    Drag,
    /// A drag with symmetry on.
    MirroredDrag,
    Playback,
    /// Painting weights with a brush of a tenth of the character.
    Paint(Stroke),
}

/// The kind of brush stroke.
#[derive(Clone, Copy, PartialEq)]
enum Stroke {
    Replace,
    /// Replacing with symmetry on.
    Mirrored,
    Smooth,
    /// Replacing with Accumulate on.
    Accumulate,
}

impl Stroke {
    fn brush(self) -> Brush {
        Brush {
            mode: if self == Self::Smooth { Mode::Smooth } else { Mode::Replace },
            accumulate: self == Self::Accumulate,
            strength: if self == Self::Accumulate { 0.2 } else { 1.0 },
            ..Brush::default()
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Replace => "weights painted",
            Self::Mirrored => "weights painted, symmetry on",
            Self::Smooth => "weights smoothed",
            Self::Accumulate => "weights painted, accumulating",
        }
    }
}

fn measure(name: &str, window: &mut Window, interaction: Interaction, frames: usize) -> Run {
    let mut laps: [Vec<Lap>; STAGES.len()] = Default::default();
    let mut steps = Vec::new();
    if matches!(interaction, Interaction::MirroredDrag | Interaction::Paint(Stroke::Mirrored)) {
        window.mirror();
    }
    match interaction {
        Interaction::Playback => {}
        Interaction::Paint(stroke) => window.select_brush(stroke.brush()),
        Interaction::Drag | Interaction::MirroredDrag => window.press(),
    }
    for step in 0..WARMUP + frames {
        let frame = match interaction {
            Interaction::Drag | Interaction::MirroredDrag => window.drag(step + 1),
            Interaction::Playback => window.play(step),
            Interaction::Paint(_) => window.paint(step),
        };
        if step < WARMUP {
            continue;
        }
        for (all, one) in laps.iter_mut().zip(frame) {
            all.push(one);
        }
        let outcomes = window.shown.skinned.values().filter_map(|posed| posed.ik.as_ref());
        steps.push(outcomes.map(|outcome| outcome.steps).sum::<usize>() as f64);
    }
    assert_eq!(window.is_dragging(), interaction != Interaction::Playback);
    let sum = |i: usize| Lap {
        seconds: laps.iter().map(|stage| stage[i].seconds).sum(),
        allocations: laps.iter().map(|stage| stage[i].allocations).sum(),
    };
    let frame = Stage::new("all", &(0..frames).map(sum).collect::<Vec<_>>());
    let posed = || window.shown.skinned.values();
    Run {
        what: match interaction {
            Interaction::Drag => format!("{name}, a handle dragged"),
            Interaction::MirroredDrag => format!("{name}, a handle dragged, symmetry on"),
            Interaction::Playback => format!("{name}, played"),
            Interaction::Paint(stroke) => format!("{name}, {}", stroke.text()),
        },
        vertices: posed().map(|posed| posed.positions.len()).sum(),
        render_vertices: posed().map(|posed| posed.render_vertices.len()).sum(),
        bones: posed().map(|posed| posed.skeleton.bones.len()).sum(),
        frames,
        ik_steps: Some(median(steps)),
        frames_per_second: 1e6 / frame.median_us,
        stages: STAGES.into_iter().zip(&laps).map(|(name, laps)| Stage::new(name, laps)).collect(),
        frame,
        aim_us: None,
    }
}

/// Creates a run without stages for the same character as `like`.
fn without_stages(label: String, laps: Vec<Lap>, like: Option<&Run>) -> Run {
    let frame = Stage::new("all", &laps);
    Run {
        what: label,
        vertices: like.map_or(0, |run| run.vertices),
        render_vertices: like.map_or(0, |run| run.render_vertices),
        bones: like.map_or(0, |run| run.bones),
        frames: laps.len(),
        ik_steps: None,
        stages: Vec::new(),
        frames_per_second: 1e6 / frame.median_us,
        frame,
        aim_us: None,
    }
}
