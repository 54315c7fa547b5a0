//! Measures glTF export, and import of the exported files: the human, and a large character with a long take.

use super::table::Line;
use super::time::in_turns;
use super::{Scale, subject};
use glam::Vec3;
use ossature::anim::channel::{Channel, SkeletonChannel};
use ossature::anim::spline::Spline;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::{self, write::export};
use ossature::io::import::ImportOptions;
use ossature::io::js3d;
use ossature::rig::property::POSE;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::instance::GeometryInstance;
use std::path::Path;
use std::sync::Arc;

/// Returns a tube with `bones` bones, at least 20, each with a key at every tenth frame.
fn long_take(vertices: u32, bones: usize, frames: u32) -> Option<Scene> {
    let mut mesh = subject::tube(vertices)?;
    let skeleton = Arc::make_mut(&mut mesh.skeleton);
    let mut parents = skeleton.bones.clone();
    for bone in parents.len()..bones {
        let mut added = parents[bone % 20].clone();
        added.parent = Some(bone as u32 - 1);
        parents.push(added);
    }
    for (id, bone) in parents.iter_mut().enumerate() {
        bone.channel_id = id as u32;
    }
    skeleton.bones = parents;
    let mut weights = VertexWeights::default();
    for vertex in 0..mesh.surface.vertex_count() {
        weights.push_row((0..4).map(|i| (((vertex + 7 * i) % bones) as u16, 0.25)));
    }
    mesh.weights = weights.into();
    let mut scene = Scene::default();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.clip = animation.clip.with_length(frames);
    let channels = animation.channels.entry("Tube".into()).or_default();
    for bone in 0..bones as u32 {
        let knot = |frame: u32| (frame as f32, Vec3::splat(3.0 * ((frame * 7 + bone) % 11) as f32));
        let knots = (0..frames).step_by(10).map(knot).collect();
        let channel = SkeletonChannel::Bone(bone, POSE).to_string();
        channels.insert(channel, Arc::new(Channel::Vec3(Spline::from_knots(knots))));
    }
    scene.skinned_meshes.insert("Tube".into(), mesh.into());
    let instance = GeometryInstance { resource: Some("Tube".into()), ..GeometryInstance::default() };
    scene.instances.skinned_meshes.insert("Tube instance".into(), instance.into());
    Some(scene)
}

/// Returns the seconds that an export takes and the size of its result in bytes.
fn measure_export(scene: &Scene, options: &ExportOptions, rounds: usize) -> (f64, usize) {
    let mut bytes = 0;
    let export_glb = || export(scene, options, &|path| Err(path.to_owned())).and_then(|export| export.glb());
    let times = in_turns(rounds, &mut [&mut || bytes = export_glb().map_or(0, |glb| glb.len())]);
    (times.get(0), bytes)
}

/// Returns the seconds that an import takes, of the embedded scene if there is one; `None` if the file cannot
/// be read.
fn measure_import(glb: &[u8], rounds: usize) -> Option<f64> {
    let options = ImportOptions::default();
    gltf::read::read(glb, None, &options).ok()?;
    let mut work = || drop(gltf::read::read(glb, None, &options));
    Some(in_turns(rounds, &mut [&mut work]).get(0))
}

pub fn lines(scale: &Scale) -> Vec<Line> {
    let human = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human-walk.js3d");
    let rounds = scale.rounds.min(11);
    let mut lines = Vec::new();
    let mut add = |label: &str, scene: &Scene, options: &ExportOptions, unit, per_second: f64, most: f64| {
        let (seconds, bytes) = measure_export(scene, options, rounds);
        let line =
            Line::new(format!("glTF, exporting {label}"), seconds * per_second, unit).at_most(most, most);
        lines.push(line.note(format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20))));
        let glb = export(scene, options, &|path| Err(path.to_owned())).and_then(|export| export.glb());
        if let Some(seconds) = glb.ok().and_then(|glb| measure_import(&glb, rounds)) {
            let line = Line::new(format!("glTF, importing {label}"), seconds * per_second, unit);
            let most = if unit == "ms" { 100.0 } else { 2.0 };
            lines.push(line.at_most(most, most));
        }
    };
    let alone = ExportOptions { scene: false, ..ExportOptions::default() };
    if let Ok((scene, _)) = js3d::read_file(&human) {
        add("the walking human", &scene, &alone, "ms", 1e3, 50.0);
        add("the walking human with its scene", &scene, &ExportOptions::default(), "ms", 1e3, 100.0);
    }
    let (vertices, frames) = if scale.quick { (2_000, 50) } else { (100_000, 1_000) };
    if let Some(scene) = long_take(vertices, 100, frames) {
        let label = format!("{vertices} vertices, 100 bones, {frames} frames");
        add(&label, &scene, &alone, "s", 1.0, 2.0);
    }
    lines
}
