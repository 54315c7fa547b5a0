//! Makes `media/js3d/A4-human.js3d`, the project's own character: a standing figure with skeleton and bone weights.
//!
//! `cargo run --release --no-default-features --example make_human [FILE]`
//!
//! How: the figure is first a solid, lofted limbs and ellipsoids joined smoothly (`body`, `torso`, `head`, `arm`,
//! `hand`, `leg`, on `shape`). A coarse cage of quads with edge loops around the joints (`cage_trunk`, `cage_arm`,
//! `cage_leg`) is found by rays to the solid's surface, mirrored, smoothed on the surface (`fit`), subdivided once
//! (`quads`) and smoothed again. Bones go through the same joints (`landmarks`, `bones`); surface, weights and file are
//! the library's (`document`). The result is measured (`check`, `crossing`) and written only if nothing is wrong with
//! it. The same program on the same machine makes the same bytes.
//!
//! What it does not do: no handles, no animation, no image texture, no separate toes, eyes or teeth; no choice of
//! body shape other than by the numbers in these files.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod arm;
mod body;
mod bones;
mod cage_arm;
mod cage_leg;
mod cage_trunk;
mod check;
mod crossing;
mod document;
mod fit;
mod hand;
mod head;
mod landmarks;
mod leg;
mod quads;
mod shape;
mod torso;

use ossature::io::{durable, js3d};
use ossature::rig::weights::capsule::capsule_weights;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os()
        .nth(1)
        .map_or_else(|| PathBuf::from("media/js3d/A4-human.js3d"), PathBuf::from);
    let (bytes, figures) = make()?;
    figures.iter().for_each(|line| println!("{line}"));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    durable::save(&file, &bytes)?;
    println!("wrote {} ({} bytes)", file.display(), bytes.len());
    Ok(())
}

/// The file's bytes and the lines that describe the figure.
///
/// # Errors
/// Says everything that is wrong with the figure; nothing is returned then.
fn make() -> Result<(Vec<u8>, Vec<String>), Box<dyn Error>> {
    let body = body::Body::new();
    let mesh = figure(&body);
    let skeleton = bones::skeleton(&body.hand);
    let weights = capsule_weights(&skeleton, &mesh.positions);
    let found = check::check(&mesh, &skeleton, &weights);
    if !found.complaints.is_empty() {
        return Err(format!(
            "{}\nnot written: {}",
            found.figures.join("\n"),
            found.complaints.join("; ")
        )
        .into());
    }
    let scene = document::scene(document::surface(&mesh)?, skeleton, weights);
    Ok((js3d::write(&scene)?, found.figures))
}

/// The surface: cage, fit, one subdivision, fit.
fn figure(body: &body::Body) -> quads::QuadMesh {
    let mut cage = quads::QuadMesh::default();
    let sockets = cage_trunk::build(&mut cage, body);
    cage_arm::build(&mut cage, body, &sockets.arm);
    cage_leg::build(&mut cage, body, &sockets.leg);
    let mut mesh = cage.mirrored().oriented();
    fit::fit(&mut mesh, body, 5, 0.4);
    mesh = mesh.subdivided();
    fit::fit(&mut mesh, body, 10, 0.4);
    mesh
}
