//! Makes `media/js3d/quadruped.js3d`: a giraffe that walks on the spot, swinging neck and tail.
//!
//! `cargo run --release --no-default-features --example make_quadruped [FILE]`
//!
//! How it works: the animal is first a solid (`animal`, at the joints of `landmarks`), from which a surface
//! net takes the quads (`net`); smoothing along the surface evens them out (`fit`, the human's). Thirty bones
//! go through the same joints and swing (`bones`); weights are heat diffusion. The result is checked and
//! written only if nothing is wrong with it. The same program on the same machine makes the same bytes.
//!
//! Not included: edge loops at the joints, handles, spots.

#![allow(clippy::print_stdout)]

mod animal;
mod bones;
mod landmarks;
mod net;

#[path = "../make_human/crossing.rs"]
mod crossing;
#[path = "../make_human/document.rs"]
mod document;
#[path = "../make_human/fit.rs"]
mod fit;
#[allow(dead_code, reason = "the human builds a cage with it")]
#[path = "../make_human/quads.rs"]
mod quads;
#[allow(dead_code, reason = "the human has other parts")]
#[path = "../make_human/shape.rs"]
mod shape;

use animal::Giraffe;
use glam::{Vec3, vec3};
use ossature::io::{durable, js3d};
use ossature::rig::kinematics::{bind_pose, tips};
use ossature::rig::weights::method::Method;
use quads::QuadMesh;
use shape::Solid;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// The cell size of the grid that the quads come from.
const CELL: f32 = 0.08;
const NAME: &str = "Giraffe";

fn main() -> Result<(), Box<dyn Error>> {
    let file =
        std::env::args_os().nth(1).map_or_else(|| PathBuf::from("media/js3d/quadruped.js3d"), PathBuf::from);
    let (bytes, figures) = make()?;
    println!("{figures}");
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    durable::save(&file, &bytes)?;
    println!("wrote {} ({} bytes)", file.display(), bytes.len());
    Ok(())
}

fn surface() -> QuadMesh {
    let mut mesh = net::net(&Giraffe, vec3(0.0, -0.2, -1.3), vec3(0.7, 5.2, 2.2), CELL);
    fit::fit(&mut mesh, &Giraffe, 12, 0.4);
    mesh
}

/// The bytes of the file and a line that describes the animal.
///
/// # Errors
/// Describes what is wrong with the animal; nothing is returned then.
fn make() -> Result<(Vec<u8>, String), Box<dyn Error>> {
    let mesh = surface();
    let (vertices, edges, quads) = (mesh.positions.len(), mesh.edges(), mesh.quads.len());
    let crossings = crossing::crossings(&mesh).len();
    if let Some(([a, _], faces)) = edges.iter().find(|(_, faces)| faces.len() != 2) {
        let text = format!("{} faces share an edge near {:.2}", faces.len(), mesh.positions[*a]);
        return Err(text.into());
    }
    let surface = document::surface(&mesh)?;
    let skeleton = bones::skeleton();
    let heat = Method::heat(Some(4));
    let weights = heat.calculate(&skeleton, &surface, &|_| true)?;
    let outside: Vec<String> =
        (0..skeleton.bones.len()).filter(|&b| leaves(&skeleton, b)).map(|b| skeleton.bone_name(b)).collect();
    let figures = format!(
        "{vertices} vertices, {quads} quads, volume {:.3}, {crossings} crossings, {} bones, at most {} each",
        mesh.volume(),
        skeleton.bones.len(),
        weights.weights.max_influences()
    );
    let closed = edges.iter().all(|(_, faces)| faces.len() == 2) && vertices + quads == edges.len() + 2;
    let mut wrong = Vec::new();
    let mut demand = |good: bool, text: String| {
        if !good {
            wrong.push(text);
        }
    };
    demand(closed, "the surface is not closed and of one piece without handles".into());
    demand(crossings == 0, "the surface crosses itself".into());
    demand(weights.findings.is_empty(), weights.findings.join(" "));
    demand(outside.is_empty(), format!("bones leave the body: {}", outside.join(", ")));
    if !wrong.is_empty() {
        return Err(format!("{figures}\nnot written: {}", wrong.join("; ")).into());
    }
    let tan = Vec3::new(0.78, 0.56, 0.28);
    let motion = bones::motion(&skeleton, &format!("{NAME}_skinned_mesh"));
    let mut scene = document::scene(NAME, tan, surface, skeleton, weights.weights);
    scene.animation = Arc::new(motion);
    Ok((js3d::write(&scene)?, figures))
}

/// Whether a bone leaves the body. Its ends may be near the skin: toes and muzzle.
fn leaves(skeleton: &ossature::rig::skeleton::Skeleton, bone: usize) -> bool {
    let bind = bind_pose(skeleton);
    let (start, tip) = (bind[bone].translation, tips(skeleton, &bind)[bone]);
    (0..=20).any(|i| Giraffe.distance(start.lerp(tip, f64::from(i) * 0.05).as_vec3()) > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_animal_passes_its_checks_and_reads_back() {
        let (bytes, _) = make().unwrap();
        let (scene, report) = js3d::read(&bytes).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        let animal = &scene.skinned_meshes["Giraffe_skinned_mesh"];
        assert_eq!(animal.skeleton.bones.len(), 31);
        assert!((2500..4500).contains(&animal.surface.vertex_count()));
        assert_eq!(animal.weights.unweighted_count(), 0);
        assert_eq!(make().unwrap().0, bytes, "the same bytes each time");
    }
}
