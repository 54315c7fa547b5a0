//! A character from a glTF file, with all its takes.

use bevy::prelude::*;
use std::path::PathBuf;

/// Loads a character, puts it into the world, and plays its first take.
pub struct CharacterPlugin {
    /// The path below the asset folder.
    pub file: PathBuf,
}

#[derive(Resource)]
struct Character(Handle<Gltf>);

/// The takes of the character, once it is loaded.
#[derive(Resource)]
pub struct Takes {
    graph: Handle<AnimationGraph>,
    /// The takes by name, in the order of the file.
    pub takes: Vec<(String, AnimationNodeIndex)>,
}

impl Plugin for CharacterPlugin {
    fn build(&self, app: &mut App) {
        let file = self.file.clone();
        let load = move |mut commands: Commands, assets: Res<AssetServer>| {
            commands.insert_resource(Character(assets.load(file.clone())));
        };
        app.add_systems(Startup, load)
            .add_systems(Update, spawn.run_if(not(resource_exists::<Takes>)))
            .add_systems(Update, begin.run_if(resource_exists::<Takes>));
    }
}

fn spawn(
    mut commands: Commands,
    character: Res<Character>,
    assets: Res<AssetServer>,
    gltfs: Res<Assets<Gltf>>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
) {
    if !assets.is_loaded_with_dependencies(&character.0) {
        return;
    }
    let Some(gltf) = gltfs.get(&character.0) else {
        return;
    };
    let (graph, nodes) = AnimationGraph::from_clips(gltf.animations.iter().cloned());
    let name = |clip: &Handle<AnimationClip>| {
        let mut named = gltf.named_animations.iter();
        let found = named.find(|(_, of_name)| *of_name == clip);
        found.map(|(name, _)| name.to_string()).unwrap_or_default()
    };
    commands.insert_resource(Takes {
        graph: graphs.add(graph),
        takes: gltf.animations.iter().map(name).zip(nodes).collect(),
    });
    if let Some(scene) = &gltf.default_scene {
        commands.spawn(WorldAssetRoot(scene.clone()));
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
        if let Some((_, node)) = takes.takes.first() {
            player.play(*node).repeat();
        }
    }
}
