//! A character from a glTF file, with all its takes.

use bevy::gltf::GltfLoaderSettings;
use bevy::prelude::*;
use serde_json::Value;
use std::path::PathBuf;

/// Loads a character, puts it into the world, and plays its first take.
pub struct CharacterPlugin {
    /// The path below the asset folder.
    pub file: PathBuf,
}

#[derive(Resource)]
struct File(Handle<Gltf>);

/// What moves in the world: the scene of the file is its child.
#[derive(Component)]
pub struct Character;

#[derive(Clone)]
pub struct Take {
    pub name: String,
    pub node: AnimationNodeIndex,
    pub seconds: f32,
    /// How far the character goes in a second, in its own units; takes are played on the spot. 0 if the file does not say.
    pub speed: f32,
}

/// The takes of the character, once it is loaded.
#[derive(Resource)]
pub struct Takes {
    graph: Handle<AnimationGraph>,
    /// In the order of the file.
    pub takes: Vec<Take>,
}

impl Plugin for CharacterPlugin {
    fn build(&self, app: &mut App) {
        let file = self.file.clone();
        let load = move |mut commands: Commands, assets: Res<AssetServer>| {
            // The source has the extras of animations, which say how fast they are.
            let with_source = |settings: &mut GltfLoaderSettings| settings.include_source = true;
            commands
                .insert_resource(File(assets.load_builder().with_settings(with_source).load(file.clone())));
        };
        app.add_systems(Startup, load)
            .add_systems(Update, spawn.run_if(not(resource_exists::<Takes>)))
            .add_systems(Update, begin.run_if(resource_exists::<Takes>));
    }
}

fn spawn(
    mut commands: Commands,
    file: Res<File>,
    assets: Res<AssetServer>,
    gltfs: Res<Assets<Gltf>>,
    clips: Res<Assets<AnimationClip>>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
) {
    if !assets.is_loaded_with_dependencies(&file.0) {
        return;
    }
    let Some(gltf) = gltfs.get(&file.0) else {
        return;
    };
    let (graph, nodes) = AnimationGraph::from_clips(gltf.animations.iter().cloned());
    let sources = gltf.source.iter().flat_map(|source| source.animations());
    let takes = sources.zip(&gltf.animations).zip(nodes).map(|((source, clip), node)| {
        let extras =
            source.extras().as_ref().and_then(|extras| serde_json::from_str::<Value>(extras.get()).ok());
        Take {
            name: source.name().unwrap_or_default().to_owned(),
            node,
            seconds: clips.get(clip).map_or(0.0, AnimationClip::duration),
            speed: extras.and_then(|extras| extras["speed"].as_f64()).unwrap_or_default() as f32,
        }
    });
    commands.insert_resource(Takes { graph: graphs.add(graph), takes: takes.collect() });
    if let Some(scene) = &gltf.default_scene {
        commands
            .spawn((Character, Transform::default(), Visibility::default()))
            .with_child(WorldAssetRoot(scene.clone()));
    }
}

/// Starts the players, which come with the scene.
fn begin(
    mut commands: Commands,
    takes: Res<Takes>,
    mut players: Query<(Entity, &mut AnimationPlayer), Added<AnimationPlayer>>,
) {
    for (entity, mut player) in &mut players {
        commands.entity(entity).insert(AnimationGraphHandle(takes.graph.clone()));
        if let Some(take) = takes.takes.first() {
            player.play(take.node).repeat();
        }
    }
}
