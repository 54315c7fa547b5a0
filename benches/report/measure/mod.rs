//! Measures the speed of the core, as ratios between pieces of work that alternate in one process and as
//! counts, and the cost of a frame. Produces the tables of `docs/performance.md`.

mod character;
mod count;
mod drag;
pub mod drift;
pub mod fit;
pub mod frame;
mod ghosts;
mod gltf;
mod growth;
mod ik;
mod journal;
pub mod legs;
mod load;
mod motion;
mod moved;
mod naive;
pub mod posing;
mod posing_lines;
mod skinning;
mod stale;
mod subject;
pub mod sweep_lines;
pub mod sweeps;
mod table;
mod time;
mod timeline;
mod upload;
#[cfg(feature = "editor")]
mod upload_cost;
mod weights;
mod window;

pub use growth::svg;
use ossature::math::simd::Path;
use serde::Serialize;
pub use table::{Line, table};

pub type Failure = Box<dyn std::error::Error>;

/// The names of the parts of the table.
pub const PARTS: [&str; 11] =
    ["skinning", "ik", "sweeps", "motion", "weights", "fit", "load", "gltf", "journal", "timeline", "upload"];

/// The extent of the measurements.
pub struct Scale {
    /// The number of vertices of the usual subject.
    vertices: usize,
    rounds: usize,
    quick: bool,
}

impl Scale {
    /// Creates a scale. `quick`: small sizes and few rounds, to check that everything works.
    pub fn new(quick: bool) -> Self {
        let (vertices, rounds) = if quick { (2_000, 3) } else { (100_000, 41) };
        Self { vertices, rounds, quick }
    }

    fn size(&self) -> String {
        format!("{} vertices", self.vertices)
    }
}

#[derive(Serialize)]
pub struct Report {
    version: &'static str,
    cores: usize,
    instructions: &'static str,
    vertices: usize,
    rounds: usize,
    pub lines: Vec<Line>,
}

/// Measures everything, or only one of [`PARTS`].
pub fn report(scale: &Scale, only: Option<&str>) -> Report {
    let mut lines = Vec::new();
    for part in PARTS.into_iter().filter(|part| only.is_none_or(|only| only == *part)) {
        lines.extend(match part {
            "skinning" => skinning::lines(scale),
            "ik" => [ik::lines(scale), posing_lines::lines(scale)].concat(),
            "sweeps" => sweeps::lines(scale.quick),
            "motion" => motion::lines(scale),
            "weights" => weights::lines(scale),
            "fit" => fit::lines(scale),
            "load" => load::lines(scale),
            "gltf" => gltf::lines(scale),
            "journal" => journal::lines(scale),
            "timeline" => timeline::lines(scale),
            _ => upload::lines(scale),
        });
    }
    Report {
        version: env!("CARGO_PKG_VERSION"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        instructions: Path::best().name(),
        vertices: scale.vertices,
        rounds: scale.rounds,
        lines,
    }
}

/// Runs `work` with `count` threads, or with the default pool if they cannot be created.
fn with_threads(count: usize, work: impl FnOnce() + Send) {
    match rayon::ThreadPoolBuilder::new().num_threads(count).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
