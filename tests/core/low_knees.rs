//! A chibi whose knees are pinned little higher than the ankles of other bodies walks, from the bare body on, in one command.

use crate::bodies::{Human, Kind};
use crate::running::*;
use glam::DVec3;
use ossature::io::js3d;
use ossature::io::obj::{Object, write};
use ossature::mesh::soup::Polygons;
use ossature::rig::kinematics::{bind_tips, tips};
use ossature::scene::evaluate::{Evaluator, Settings};
use std::path::Path;

/// The seed of `Human::varied`; `examples/make_bodies` makes the same body.
const SEED: u64 = 5;

#[test]
fn a_chibi_with_low_knees_walks() {
    let folder = Folder::new();
    let body = Human::new().varied(Kind::Chibi, SEED);
    let polygons = Polygons::new(&body.surface);
    let text = write("A body", &[Object { name: "chibi", polygons: &polygons }]).unwrap();
    let obj = folder.out("chibi.obj");
    std::fs::write(&obj, text).unwrap();
    let out = folder.out("walk.js3d");
    let [left, right] = ["knee.L=0.29,2.2,0.08", "knee.R=-0.27,2.2,0.02"];
    good(&["walk", &obj, "-o", &out, "--travel", "--at", left, "--at", right]);
    let (scene, _) = js3d::read_file(Path::new(&out)).unwrap();
    let (mesh, rigged) = scene.skinned_meshes.iter().next().unwrap();
    let skeleton = &rigged.skeleton;
    let bone = |name: &str| {
        let mut bones = skeleton.bones.iter();
        bones.position(|bone| bone.name.as_deref() == Some(name)).unwrap()
    };
    let bind = bind_tips(skeleton);
    let heights = || bind.iter().map(|tip| tip.y);
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    let height = high - low;
    let knees = ["thigh.L", "thigh.R"].map(|thigh| (bind[bone(thigh)].y - low) / height);
    assert!(knees[0].min(knees[1]) < 0.12, "{knees:?}");

    let take = &scene.animation.takes.list[0];
    let (first, last) = (take.range[0], take.range[1]);
    let mut evaluator = Evaluator::default();
    let frames: Vec<Vec<DVec3>> = (first..=last)
        .map(|frame| {
            let settings = Settings { frame: Some(frame as f32), ..Settings::default() };
            let posed = evaluator.evaluate(&scene, &settings).skinned[mesh].clone();
            tips(&posed.skeleton, &posed.current)
        })
        .collect();
    for side in ["L", "R"] {
        let [hip, knee, ankle, ball] =
            ["hip", "thigh", "shin", "foot"].map(|name| bone(&format!("{name}.{side}")));
        let bends: Vec<f64> = frames
            .iter()
            .map(|tips| {
                let (thigh, shin) = (tips[knee] - tips[hip], tips[ankle] - tips[knee]);
                thigh.cross(shin).x.signum() * thigh.angle_between(shin).to_degrees()
            })
            .collect();
        let most = bends.iter().copied().fold(0.0, f64::max);
        assert!(bends.iter().all(|bend| (-1e-3..150.0).contains(bend)) && most > 30.0, "{side}: {bends:.0?}");
        // From step to step the ball moves on, and stands still in between.
        let moves: Vec<f64> =
            frames.windows(2).map(|pair| pair[0][ball].distance(pair[1][ball]) / height).collect();
        let standing = moves.iter().filter(|moved| **moved < 1e-4).count();
        assert!(3 * standing > moves.len(), "{side}: {moves:.5?}");
        let step = frames[frames.len() - 1][ball].z - frames[0][ball].z;
        assert!(step > 0.1 * height, "{side}: {step}");
    }
}
