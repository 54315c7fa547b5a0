//! `ossature bench`: how fast the core is, as ratios of work done in turns in one process, and as counts.
//! The table of `docs/performance.md` is what it prints.

mod character;
pub mod frame;
mod growth;
mod ik;
mod load;
mod naive;
mod skinning;
mod stale;
mod subject;
mod table;
mod time;
mod upload;
mod weights;

use super::CliError;
use super::output::Output;
use super::target::Force;
use crate::io::kind::FileKind;
use crate::math::simd::Path;
use serde::Serialize;
use std::path::PathBuf;
use table::Line;

const EXAMPLES: &str = "\
Times depend on the machine and its load; counts and the ratios between methods depend on them much less.

Examples:
  ossature bench
  ossature bench --only skinning
  ossature bench --plot growth.svg
  ossature bench --quick --json";

/// Measure how long skinning, inverse kinematics, weights, loading and uploading vertices take
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Measure only this part
    #[arg(long, value_name = "PART", value_parser = ["skinning", "ik", "weights", "load", "upload"])]
    only: Option<String>,
    /// Small sizes and few rounds, to see that it works
    #[arg(long)]
    quick: bool,
    /// Plot how cost grows with vertices, bones, influences and handles instead (.svg)
    #[arg(long, value_name = "OUT", conflicts_with_all = ["only", "json"])]
    plot: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Measures a part of the table.
type Part = fn(&Scale) -> Vec<Line>;

/// How much is measured.
pub struct Scale {
    /// Of the usual subject.
    vertices: usize,
    rounds: usize,
    quick: bool,
}

impl Scale {
    fn size(&self) -> String {
        format!("{} vertices", self.vertices)
    }
}

#[derive(Serialize)]
struct Bench {
    version: &'static str,
    cores: usize,
    instructions: &'static str,
    vertices: usize,
    rounds: usize,
    lines: Vec<Line>,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let scale = match args.quick {
        true => Scale {
            vertices: 2_000,
            rounds: 3,
            quick: true,
        },
        false => Scale {
            vertices: 100_000,
            rounds: 41,
            quick: false,
        },
    };
    if let Some(path) = &args.plot {
        let target = args.force.target(path, FileKind::Svg)?;
        return target.write(growth::svg(&scale).as_bytes(), output);
    }
    let parts: [(&str, Part); 5] = [
        ("skinning", skinning::lines),
        ("ik", ik::lines),
        ("weights", weights::lines),
        ("load", load::lines),
        ("upload", upload::lines),
    ];
    let chosen = parts
        .into_iter()
        .filter(|(name, _)| args.only.as_deref().is_none_or(|only| only == *name));
    let lines: Vec<Line> = chosen.flat_map(|(_, lines)| lines(&scale)).collect();
    if !args.json {
        return table::print(&lines, output);
    }
    output.json(&Bench {
        version: env!("CARGO_PKG_VERSION"),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        instructions: Path::best().name(),
        vertices: scale.vertices,
        rounds: scale.rounds,
        lines,
    })
}

/// Does `work` with as many threads; with however many there are if these cannot be had.
fn threads(count: usize, work: impl FnOnce() + Send) {
    match rayon::ThreadPoolBuilder::new().num_threads(count).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}
