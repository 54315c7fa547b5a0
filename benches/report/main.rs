//! Measures the cost of the core against a reference implementation: the tables of `docs/performance.md`.
//!
//! ```text
//! cargo bench --bench report
//! cargo bench --bench report -- --only skinning --json
//! cargo bench --bench report -- --plot growth.svg
//! cargo bench --bench report -- frame scene.js3d --frames 100
//! ```
//!
//! Times depend on the machine and its load; counts and the ratios between methods depend on them much less.

#![allow(clippy::print_stdout, reason = "printing results is its purpose")]
#![cfg_attr(test, allow(unused_imports, reason = "the tests of these modules run in tests/core"))]

#[path = "../../tests/bodies/mod.rs"]
mod bodies;
#[path = "../../tests/counting/mod.rs"]
mod counting;
mod measure;
#[path = "../../tests/random/mod.rs"]
mod random;

use clap::Parser;
use measure::{Failure, Scale};
use ossature::io::kind;
use std::path::PathBuf;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// Measures skinning, inverse kinematics, weights, loading and uploading vertices.
#[derive(Parser)]
#[command(name = "report", args_conflicts_with_subcommands = true)]
struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    /// Measure only this part
    #[arg(long, value_name = "PART", value_parser = measure::PARTS)]
    only: Option<String>,
    /// Plot how cost grows with vertices, bones, influences and handles instead (.svg)
    #[arg(long, value_name = "OUT", conflicts_with_all = ["only", "json"])]
    plot: Option<PathBuf>,
    /// Small sizes and few rounds, to see that it works
    #[arg(long, global = true)]
    quick: bool,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// What `cargo bench` adds
    #[arg(long, hide = true, global = true)]
    bench: bool,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Measure the processor's part of a frame, from the pointer's event to the bytes for the graphics card
    Frame {
        /// Scene (js3d) [default: the human of this repository, as it is and of 126,978 vertices]
        file: Option<PathBuf>,
        /// How many frames to measure of each
        #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        frames: Option<u32>,
    },
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let scale = Scale::new(args.quick);
    if let Some(path) = args.plot {
        let path = kind::SVG.with_extension(&path)?;
        if let Some(objection) = kind::SVG.overwrite_conflict(&path) {
            return Err(format!("{}: {objection}", path.display()).into());
        }
        std::fs::write(path, measure::svg(&scale))?;
    } else if let Some(Command::Frame { file, frames }) = args.command {
        let frames = frames.map(|count| count as usize);
        let measured = measure::frame::frames(file.as_deref(), frames, args.quick)?;
        match args.json {
            true => println!("{}", serde_json::to_string_pretty(&measured)?),
            false => print!("{}", measured.table()),
        }
    } else {
        let report = measure::report(&scale, args.only.as_deref());
        match args.json {
            true => println!("{}", serde_json::to_string_pretty(&report)?),
            false => print!("{}", measure::table(&report.lines)),
        }
    }
    Ok(())
}
