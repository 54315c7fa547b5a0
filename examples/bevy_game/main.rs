//! A small game: a character exported by Ossature on the ground. The keys 1 to 9 play its takes; if it has an idle, a walk and
//! a run, the arrow keys lead it around, and with Shift it runs.
//!
//!     ossature walk media/obj/human.obj -o human.glb --basic-set
//!     cargo run --release --example bevy_game -- human.glb

mod character;
#[cfg(test)]
mod check;
#[cfg(test)]
#[path = "../../tests/four_weights/mod.rs"]
mod four_weights;
mod locomotion;
#[cfg(test)]
mod steps;

use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;
use character::{Character, CharacterPlugin, Takes};
use locomotion::LocomotionPlugin;
use std::path::{Path, PathBuf};

const KEYS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

/// Tiles of the ground in each direction.
const TILES: i32 = 40;

fn main() -> Result<(), String> {
    let file = std::env::args().nth(1).ok_or("give the file to play: bevy_game FILE.glb")?;
    let file = Path::new(&file).canonicalize().map_err(|error| format!("{file}: {error}"))?;
    let folder = file.parent().map(Path::to_owned).unwrap_or_default();
    let name = PathBuf::from(file.file_name().unwrap_or_default());
    let assets = AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() };
    App::new()
        .add_plugins((DefaultPlugins.set(assets), CharacterPlugin { file: name }, LocomotionPlugin))
        .insert_resource(ClearColor(Color::srgb(0.6, 0.7, 0.8)))
        .insert_resource(GlobalAmbientLight { brightness: 800.0, ..default() })
        .add_systems(Startup, stage)
        .add_systems(Update, (frame, follow, play).chain().run_if(resource_exists::<Takes>))
        .run();
    Ok(())
}

#[derive(Component)]
struct Ground;

/// Sets up light, ground and camera.
fn stage(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    commands.spawn((Camera3d::default(), Transform::from_xyz(1.0, 1.0, 3.0).looking_at(Vec3::Y, Vec3::Y)));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: true, ..default() },
        Transform::from_xyz(-3.0, 6.0, 7.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    // A light from the other side, without a shadow: no side of a character is black.
    commands.spawn((
        DirectionalLight { illuminance: 3_000.0, ..default() },
        Transform::from_xyz(6.0, 3.0, -2.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    let tile = meshes.add(Plane3d::default().mesh().size(1.0, 1.0));
    let colors = [0.35, 0.4].map(|light| materials.add(Color::srgb(light, light + 0.1, light)));
    commands.spawn((Ground, Transform::default(), Visibility::default())).with_children(|ground| {
        for (x, z) in (-TILES..TILES).flat_map(|x| (-TILES..TILES).map(move |z| (x, z))) {
            let color = colors[(x + z).rem_euclid(2) as usize].clone();
            let place = Transform::from_xyz(x as f32 + 0.5, 0.0, z as f32 + 0.5);
            ground.spawn((Mesh3d(tile.clone()), MeshMaterial3d(color), place));
        }
    });
}

/// Points the camera at all characters once they are loaded, however large they are; they face +z.
fn frame(
    skins: Query<&SkinnedMesh>,
    places: Query<&GlobalTransform>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Ground>)>,
    mut ground: Single<&mut Transform, With<Ground>>,
    mut framed: Local<bool>,
) {
    let joints = skins.iter().flat_map(|skin| &skin.joints);
    let places = joints.filter_map(|joint| places.get(*joint).ok());
    let (low, high) = places.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), place| {
        (low.min(place.translation()), high.max(place.translation()))
    });
    let (middle, size) = ((low + high) / 2.0, (high - low).length());
    // Joints get their places in the frame after they are spawned.
    if *framed || !size.is_finite() || size == 0.0 {
        return;
    }
    **camera =
        Transform::from_translation(middle + Vec3::new(0.5, 0.25, 1.65) * size).looking_at(middle, Vec3::Y);
    ground.scale = Vec3::splat(size / 2.0);
    *framed = true;
}

/// Keeps the camera as far from the character as it was.
fn follow(
    character: Single<&Transform, With<Character>>,
    mut camera: Single<&mut Transform, (With<Camera3d>, Without<Character>)>,
    mut before: Local<Vec3>,
) {
    camera.translation += character.translation - *before;
    *before = character.translation;
}

fn play(
    keys: Res<ButtonInput<KeyCode>>,
    takes: Res<Takes>,
    mut players: Query<&mut AnimationPlayer>,
    mut windows: Query<&mut Window>,
) {
    for (key, take) in KEYS.into_iter().zip(&takes.takes) {
        if keys.just_pressed(key) {
            for mut player in &mut players {
                player.stop_all().play(take.node);
            }
            for mut window in &mut windows {
                window.title.clone_from(&take.name);
            }
        }
    }
}
