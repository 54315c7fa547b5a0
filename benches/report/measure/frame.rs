//! The processor's part of a frame, stage by stage: a handle is dragged by the pointer in a circle (the first that is
//! enabled, else a new one at the end of the longest chain of bones), then all bones play, then weights are painted. With the window built in,
//! whole frames of it too. On one thread.

use super::count::Lap;
use super::drag::{STAGES, Window};
use super::ghosts::Skins;
use super::table::short;
use super::time::{median, p95, quiet};
use super::{Failure, character, threads, window};
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
    /// Why whole frames of the window were not measured.
    window: Option<String>,
}

/// A character, moved in one way.
#[derive(Serialize)]
pub struct Run {
    what: String,
    vertices: usize,
    render_vertices: usize,
    bones: usize,
    frames: usize,
    /// Steps of the solver, median; `None` for whole frames of the window.
    ik_steps: Option<f64>,
    stages: Vec<Stage>,
    /// All stages together.
    frame: Stage,
    /// What all stages together may take in a quiet moment, where something is asked for.
    aim_us: Option<f64>,
    /// As many as this part of the work would allow.
    frames_per_second: f64,
}

#[derive(Serialize)]
pub struct Stage {
    name: &'static str,
    /// The median of the fastest quarter: without what else the machine did.
    quiet_us: f64,
    median_us: f64,
    p95_us: f64,
    /// How often memory is asked for in a frame, median.
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

/// `file`: a scene, whose first skinned mesh is dragged; else the human of this repository, and the same human of
/// 126,978 vertices, its bones keyed.
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
    let (mut runs, mut missing) = (Vec::new(), None);
    for (name, scene, aim_us) in scenes {
        let (mesh, _) = first(&scene)?;
        for (way, aim_us) in [
            (Way::Dragged, aim_us),
            (Way::Played, None),
            (Way::Mirrored, aim_us),
            // For the slowest of twenty.
            (Way::Painted(Brushed::Replaced), aim_us.map(|_| 8000.0)),
            (Way::Painted(Brushed::Mirrored), aim_us.map(|_| 8000.0)),
            (Way::Painted(Brushed::Smoothed), aim_us.map(|_| 8000.0)),
            (Way::Painted(Brushed::Sprayed), aim_us.map(|_| 8000.0)),
        ] {
            let mut window = Window::open(scene.clone(), &mesh);
            let window = window.as_mut().ok_or_else(|| format!("“{mesh}” has no bones"))?;
            let mut run = None;
            threads(1, || run = Some(sampled(&name, window, way, frames)));
            runs.extend(run.map(|run| Run { aim_us, ..run }));
        }
        let mut skins = Skins::new(scene.clone(), &mesh);
        let mut ghosts = Vec::new();
        threads(1, || {
            let played = skins.played(frames);
            ghosts.push(("played: what six onion skins add", played));
            ghosts.push(("the pose changed: one onion skin", skins.evaluated(frames)));
        });
        for (what, laps) in ghosts.into_iter().filter(|(_, laps)| !laps.is_empty()) {
            runs.push(without_stages(format!("{name}, {what}"), laps, runs.last()));
        }
        match window::dragged(scene, &mesh, frames) {
            Ok(laps) => {
                let what = format!("{name}, a handle dragged: all that the window does but draw");
                runs.push(without_stages(what, laps, runs.last()));
            }
            Err(why) => missing = Some(why),
        }
    }
    if missing.is_none() {
        let what = "Bevy and egui with nothing to show".to_owned();
        runs.push(without_stages(what, window::empty(frames), None));
    }
    Ok(Frames {
        version: env!("CARGO_PKG_VERSION"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        instructions: Instructions::best().name(),
        runs,
        window: missing,
    })
}

impl Frames {
    /// As a Markdown table.
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
        if let Some(why) = &self.window {
            text += &format!("Whole frames of the window: {why}.\n");
        }
        text
    }
}

/// The first skinned mesh and its name.
fn first(scene: &Scene) -> Result<(String, Arc<ossature::scene::skinned::SkinnedMesh>), Failure> {
    let found = scene.skinned_meshes.iter().next();
    let (name, mesh) = found.ok_or("there is no skinned mesh")?;
    Ok((name.clone(), mesh.clone()))
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Dragged,
    /// Dragged with symmetry on.
    Mirrored,
    Played,
    /// Weights, with a brush of a tenth of the character.
    Painted(Brushed),
}

/// What the brush does.
#[derive(Clone, Copy, PartialEq)]
enum Brushed {
    Replaced,
    /// With symmetry on.
    Mirrored,
    Smoothed,
    /// With Accumulate on.
    Sprayed,
}

impl Brushed {
    fn brush(self) -> Brush {
        Brush {
            mode: if self == Self::Smoothed {
                Mode::Smooth
            } else {
                Mode::Replace
            },
            accumulate: self == Self::Sprayed,
            strength: if self == Self::Sprayed { 0.2 } else { 1.0 },
            ..Brush::default()
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Replaced => "weights painted",
            Self::Mirrored => "weights painted, symmetry on",
            Self::Smoothed => "weights smoothed",
            Self::Sprayed => "weights painted, accumulating",
        }
    }
}

/// Buffers grow and threads start in the first frames.
pub const WARM: usize = 10;

fn sampled(name: &str, window: &mut Window, way: Way, frames: usize) -> Run {
    let mut laps: [Vec<Lap>; STAGES.len()] = Default::default();
    let mut steps = Vec::new();
    if matches!(way, Way::Mirrored | Way::Painted(Brushed::Mirrored)) {
        window.mirror();
    }
    match way {
        Way::Played => {}
        Way::Painted(brushed) => window.take_brush(brushed.brush()),
        Way::Dragged | Way::Mirrored => window.press(),
    }
    for step in 0..WARM + frames {
        let frame = match way {
            Way::Dragged | Way::Mirrored => window.drag(step + 1),
            Way::Played => window.play(step),
            Way::Painted(_) => window.paint(step),
        };
        if step < WARM {
            continue;
        }
        for (all, one) in laps.iter_mut().zip(frame) {
            all.push(one);
        }
        let outcomes = window
            .shown
            .skinned
            .values()
            .filter_map(|posed| posed.ik.as_ref());
        steps.push(outcomes.map(|outcome| outcome.steps).sum::<usize>() as f64);
    }
    assert_eq!(window.is_dragging(), way != Way::Played);
    let sum = |i: usize| Lap {
        seconds: laps.iter().map(|stage| stage[i].seconds).sum(),
        allocations: laps.iter().map(|stage| stage[i].allocations).sum(),
    };
    let frame = Stage::new("all", &(0..frames).map(sum).collect::<Vec<_>>());
    let posed = || window.shown.skinned.values();
    Run {
        what: match way {
            Way::Dragged => format!("{name}, a handle dragged"),
            Way::Mirrored => format!("{name}, a handle dragged, symmetry on"),
            Way::Played => format!("{name}, played"),
            Way::Painted(brushed) => format!("{name}, {}", brushed.text()),
        },
        vertices: posed().map(|posed| posed.positions.len()).sum(),
        render_vertices: posed().map(|posed| posed.render_vertices.len()).sum(),
        bones: posed().map(|posed| posed.skeleton.bones.len()).sum(),
        frames,
        ik_steps: Some(median(steps)),
        frames_per_second: 1e6 / frame.median_us,
        stages: STAGES
            .into_iter()
            .zip(&laps)
            .map(|(name, of)| Stage::new(name, of))
            .collect(),
        frame,
        aim_us: None,
    }
}

/// Of the same character as `like`.
fn without_stages(what: String, laps: Vec<Lap>, like: Option<&Run>) -> Run {
    let frame = Stage::new("all", &laps);
    Run {
        what,
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
