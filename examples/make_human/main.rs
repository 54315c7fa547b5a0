//! Makes `media/js3d/A4-human.js3d`, the project's own character: a standing figure with skeleton and bone
//! weights; and `media/obj/human.obj`, its bare body, to be rigged.
//!
//! `cargo run --release --no-default-features --example make_human [FILE.js3d [FILE.obj]]`
//!
//! How it works: the figure is first a solid, lofted limbs and ellipsoids joined smoothly (`body`, `torso`,
//! `head`, `arm`, `hand`, `leg`, on `shape`). A coarse cage of quads with edge loops around the joints
//! (`cage_trunk`, `cage_arm`, `cage_leg`) is found by rays to the solid's surface, mirrored, smoothed on the
//! surface (`fit`), subdivided once (`quads`, `subdivide`) and smoothed again. Bones go through the same
//! joints (`landmarks`, `bones`); surface, weights and file are the library's (`document`). The result is
//! measured (`check`, `crossing`) and written only if nothing is wrong with it. The same program on the same
//! machine makes the same bytes.
//!
//! Not included: handles, animation, an image texture, separate toes, eyes or teeth; a choice of body shape
//! other than by the numbers in these files.

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
mod subdivide;
mod torso;

use glam::Vec3;
use ossature::io::obj::{self, Object};
use ossature::io::{durable, js3d};
use ossature::mesh::halfedge::MeshError;
use ossature::mesh::soup::Polygons;
use ossature::rig::weights::capsule::capsule_weights;
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let scene = arguments.next().unwrap_or("media/js3d/A4-human.js3d".into());
    let body = arguments.next().unwrap_or("media/obj/human.obj".into());
    let made = make()?;
    made.figures.iter().for_each(|line| println!("{line}"));
    for (file, bytes) in [(scene, &made.scene), (body, &made.body)] {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        durable::save(&file, bytes)?;
        println!("wrote {} ({} bytes)", file.display(), bytes.len());
    }
    Ok(())
}

/// The bytes of the files and the lines that describe the figure.
struct Made {
    /// The js3d file.
    scene: Vec<u8>,
    /// The OBJ file: the surface alone. Its normals are left out if reading computes the same.
    body: Vec<u8>,
    figures: Vec<String>,
}

/// Makes the figure.
///
/// # Errors
/// Describes everything that is wrong with the figure; nothing is returned then.
fn make() -> Result<Made, Box<dyn Error>> {
    let body = body::Body::new();
    let mesh = figure(&body);
    let skeleton = bones::skeleton(&body.hand);
    let weights = capsule_weights(&skeleton, &mesh.positions);
    let found = check::check(&body, &mesh, &skeleton, &weights);
    if !found.complaints.is_empty() {
        return Err(
            format!("{}\nnot written: {}", found.figures.join("\n"), found.complaints.join("; ")).into()
        );
    }
    let surface = document::surface(&mesh)?;
    let body = Object { name: "Human", polygons: &without_computed_normals(Polygons::new(&surface))? };
    let body = obj::write("the bare body of the human of Ossature", &[body])?;
    let scene = document::scene("Human", Vec3::new(0.80, 0.72, 0.64), surface, skeleton, weights);
    Ok(Made { scene: js3d::write(&scene)?, body: body.into_bytes(), figures: found.figures })
}

/// Removes normals if computing them gives the same, bit for bit.
fn without_computed_normals(polygons: Polygons) -> Result<Polygons, MeshError> {
    let bare = Polygons { normals: Vec::new(), ..polygons.clone() };
    let same = bare.build()? == polygons.build()?;
    Ok(if same { bare } else { polygons })
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

#[cfg(test)]
mod tests {
    use super::*;
    use ossature::rig::kinematics::rotation_axes;

    /// `make` refuses a figure that is not closed, manifold, symmetric, free of crossings and fully weighted.
    #[test]
    fn the_figure_passes_its_checks_and_reads_back() {
        let made = make().unwrap();
        let (scene, report) = js3d::read(&made.scene).unwrap();
        assert!(report.findings.is_empty(), "{:?}", report.findings);
        let human = &scene.skinned_meshes["Human_skinned_mesh"];
        assert_eq!(human.skeleton.bones.len(), 34);
        assert!(human.weights.ends.len() == human.surface.vertex_count() && made.figures.len() > 5);
        let body = obj::read(&made.body).unwrap();
        assert!(body.surface == *human.surface, "the body is that of the scene");
        let again = make().unwrap();
        assert!(again.scene == made.scene && again.body == made.body, "the same bytes each time");
    }

    /// Knees and elbows close about the local x axis: it is at right angles to both bones of the joint.
    #[test]
    fn hinges_are_the_local_x_axes() {
        let skeleton = bones::skeleton(&hand::Hand::new());
        let bone = |name: &str| skeleton.bones.iter().find(|b| b.name.as_deref() == Some(name)).unwrap();
        for [upper, lower] in [["upper_arm", "forearm"], ["thigh", "shin"]] {
            for side in [".L", ".R"] {
                let (a, b) = (bone(&format!("{upper}{side}")), bone(&format!("{lower}{side}")));
                let closing = a.extent.as_dvec3().cross(b.extent.as_dvec3()).normalize();
                for bone in [a, b] {
                    assert!(rotation_axes(bone)[0].dot(closing) > 1.0 - 1e-9, "{:?}", bone.name);
                }
            }
        }
    }
}
