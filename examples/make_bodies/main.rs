//! Makes bodies without skeletons, for trying out what is fitted into them: a chibi, a tall thin one, one in armour of several
//! shells, and the animal of `media/js3d/quadruped.js3d`.
//!
//! `cargo run --release --no-default-features --example make_bodies FOLDER`

#![allow(clippy::print_stdout, reason = "it says what it made")]

#[path = "../../tests/bodies/mod.rs"]
mod bodies;
#[path = "../../tests/random/mod.rs"]
mod random;

use bodies::{Human, Kind};
use glam::{Quat, Vec3};
use ossature::io::js3d;
use ossature::io::obj::{Object, write};
use ossature::mesh::halfedge::HalfedgeMesh;
use ossature::mesh::primitives;
use ossature::mesh::soup::Polygons;
use ossature::rig::kinematics::parent_of;
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say in which folder: make_bodies FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let human = Human::new();
    let animal = js3d::read_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/quadruped.js3d"))?.0;
    let animal = animal.skinned_meshes.values().next().ok_or("the animal has no skin")?;
    let all = [
        ("chibi", human.varied(Kind::Chibi, 5).surface),
        ("tall", human.tall().surface),
        ("armoured", armoured(&human)?),
        ("giraffe", HalfedgeMesh::clone(&animal.surface)),
    ];
    for (name, surface) in all {
        let path = folder.join(name).with_extension("obj");
        let polygons = Polygons::new(&surface);
        let object = Object { name, polygons: &polygons };
        std::fs::write(&path, write("A body without a skeleton", &[object])?)?;
        println!("{}: {} vertices", path.display(), surface.positions().len());
    }
    Ok(())
}

/// The human in armour: closed shells around limbs and trunk, and a helmet.
fn armoured(human: &Human) -> Result<HalfedgeMesh, Box<dyn Error>> {
    let skeleton = &human.skeleton;
    let mut pieces = vec![HalfedgeMesh::clone(&human.surface)];
    for bone in 0..skeleton.bones.len() {
        let name = skeleton.bone_name(bone);
        let (thickness, length) = match name.trim_end_matches(".L").trim_end_matches(".R") {
            "upper_arm" | "forearm" => (0.2, 0.55),
            "thigh" => (0.27, 0.5),
            "shin" => (0.22, 0.6),
            "head" => (0.5, 0.55),
            "chest" => (0.62, 0.6),
            _ => continue,
        };
        let start = parent_of(skeleton, bone).map_or(skeleton.base, |parent| human.tips[parent]);
        let along = human.tips[bone] - start;
        let from = start + 0.5 * (1.0 - length) * along;
        let tube = primitives::tube(thickness, length * along.length(), 24, 4)?;
        let turn = Quat::from_rotation_arc(Vec3::Y, along.normalize());
        let positions = tube.positions().iter().map(|point| from + turn * *point).collect();
        pieces.push(bodies::with_positions(&tube, positions));
    }
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for piece in pieces {
        let first = positions.len() as u32;
        positions.extend_from_slice(piece.positions());
        faces.extend(piece.triangles().iter().map(|corners| corners.map(|corner| first + corner).to_vec()));
    }
    Ok(HalfedgeMesh::from_polygons(positions, &faces, None)?)
}
