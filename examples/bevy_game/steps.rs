//! Feet that stand do not slide, however fast the character goes.

use crate::character::Character;
use crate::check::{game, vertices_now};
use crate::locomotion::{Locomotion, advance};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use ossature::edit::generate::{Wanted, commands};
use ossature::edit::motions::Knobs;
use ossature::io::export::ExportOptions;
use ossature::io::gltf::write::export;
use ossature::io::js3d;
use ossature::motion::MOTIONS;
use std::path::Path;
use std::time::Duration;

/// The human with an idle, a walk and a run, and its height.
fn human(folder: &Path) -> f32 {
    let media = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d");
    let mut scene = js3d::read_file(&media).unwrap().0;
    let mesh = scene.skinned_meshes.keys().next().unwrap().clone();
    let wanted = MOTIONS.iter().filter(|row| ["Idle", "Walk", "Run"].contains(&row.label));
    let wanted: Vec<Wanted> =
        wanted.map(|motion| Wanted { motion, knobs: Knobs::default(), travels: false }).collect();
    for command in commands(&scene, &mesh, &wanted).unwrap().0 {
        command.apply(&mut scene).unwrap();
    }
    let export = export(&scene, &ExportOptions::default(), &|path| Err(path.to_owned())).unwrap();
    std::fs::write(folder.join("character.glb"), export.glb().unwrap()).unwrap();
    let ys = scene.skinned_meshes[&mesh].surface.positions().iter().map(|point| point.y);
    ys.fold(0.0, f32::max)
}

/// The way that the foot on the ground slides, as a fraction of the way of the character: of all vertices on the ground, that
/// which moves least, summed over two seconds.
fn slide(app: &mut App, speed: f32, height: f32) -> f32 {
    app.world_mut().resource_mut::<Locomotion>().speed = speed;
    (0..4).for_each(|_| app.update());
    let before = place(app);
    let mut slid = 0.0;
    let mut last: Vec<Vec3> = vertices_now(app);
    for _ in 0..120 {
        app.update();
        let now = vertices_now(app);
        let floor = now.iter().map(|vertex| vertex.y).fold(f32::MAX, f32::min);
        // In the air, nothing stands.
        if floor < 0.003 * height {
            let stands = |(a, b): &(&Vec3, &Vec3)| a.y.max(b.y) < floor + 0.01 * height;
            let moves = now.iter().zip(&last).filter(stands).map(|(a, b)| a.xz().distance(b.xz()));
            slid += moves.reduce(f32::min).unwrap_or_default();
        }
        last = now;
    }
    slid / place(app).distance(before)
}

fn place(app: &mut App) -> Vec3 {
    let world = app.world_mut();
    let mut characters = world.query_filtered::<&Transform, With<Character>>();
    characters.single(world).unwrap().translation
}

#[test]
fn feet_do_not_slide_at_any_speed() {
    let folder = tempfile::tempdir().unwrap();
    let height = human(folder.path());
    let mut app = game(folder.path(), "character.glb");
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.add_systems(Update, advance.run_if(resource_exists::<Locomotion>));
    app.world_mut().run_system_cached(crate::locomotion::find).unwrap();
    app.update();
    let gaits = app.world().resource::<Locomotion>();
    let (walk, run) = (gaits.walk.speed, gaits.run.speed);
    let mut worst = 0.0_f32;
    // Takes have 24 poses a second; in the frame in which a foot comes down it is on the ground only at its end, and a run has
    // few frames in which it stands.
    for (speed, most) in [
        (0.5 * walk, 0.03),
        (walk, 0.03),
        (1.2 * walk, 0.03),
        (0.5 * (1.2 * walk + 0.8 * run), 0.1),
        (0.8 * run, 0.1),
        (run, 0.1),
    ] {
        let slides = slide(&mut app, speed, height);
        println!("speed {:.2} of the walk: {:.1} % of the way", speed / walk, 100.0 * slides);
        worst = worst.max(slides / most);
    }
    assert!(worst < 1.0, "{worst} times what is allowed");
}
