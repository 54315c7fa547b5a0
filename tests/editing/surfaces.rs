//! Commands on whole surfaces and scenes: examples and random ones.

use super::{Random, column};
use glam::Vec3;
use ossature::edit::command::{Command, SceneData, Surface};
use ossature::io::js3d;
use ossature::io::motion::clips::motion_only;
use ossature::mesh::primitives::Primitive;
use ossature::mesh::soup::Polygons;
use ossature::rig::skeleton::Bone;
use ossature::scene::Scene;
use ossature::scene::names::{Kind, ObjectRef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Returns a column of `height` cells as the polygons of a command.
pub fn polygons(height: u32) -> Surface {
    Surface::Polygons(Arc::new(Polygons::new(&column(height))))
}

fn body() -> ObjectRef {
    ObjectRef::new(Kind::SkinnedMesh, "Body")
}

pub fn examples() -> Vec<(Command, &'static str)> {
    vec![
        (
            Command::AddMesh {
                name: "Body".into(),
                surface: Surface::Primitive(Primitive::DEFAULTS[6]),
                skinned: false,
            },
            "Add Body 1",
        ),
        (Command::AppendScene { scene: appended(&super::scene()) }, "Append scene"),
        (Command::AddClips { mesh: "Body".into(), scene: appended(&clips()) }, "Add clips"),
        (Command::ReplaceSurface { mesh: body(), surface: polygons(3) }, "Replace surface of Body"),
        (Command::MakeSkinned { mesh: "Block".into() }, "Make Block a skinned mesh"),
        (Command::AddSkeleton { mesh: "Block".into(), scene: appended(&tail()) }, "Add a skeleton to Block"),
        (
            Command::OrientSurface {
                mesh: ObjectRef::new(Kind::Mesh, "Block"),
                up: Vec3::Z,
                front: Vec3::NEG_Y,
                offset: Vec3::Y,
            },
            "Turn Block",
        ),
        (Command::FlipOrientation { mesh: body() }, "Flip orientation of Body"),
        (Command::SmoothNormals { mesh: body(), angle_deg: 30.0 }, "Smooth normals of Body"),
        (
            Command::SetImages {
                images: BTreeMap::from([("Picture".to_owned(), "maps/skin.png".to_owned())]),
            },
            "Set image paths",
        ),
    ]
}

/// The number of kinds of commands on surfaces.
pub const KINDS: usize = 10;

/// Returns a random command of the kind with a number below [`KINDS`]; it fails if `wrong`.
pub fn any_command(random: &mut Random, scene: &Scene, kind: usize, wrong: bool) -> Command {
    // Scenes must not grow indefinitely.
    let full = scene.names().len() > 40;
    let mut things: Vec<ObjectRef> = Vec::new();
    for kind in [Kind::Mesh, Kind::SkinnedMesh] {
        let names = scene.names_of(kind).into_iter();
        things.extend(names.map(|name| ObjectRef::new(kind, name)));
    }
    let mesh = match things.get(random.below(things.len())) {
        Some(thing) if !wrong => thing.clone(),
        _ => ObjectRef::new([Kind::Mesh, Kind::Material][random.below(2)], "Nobody"),
    };
    let good = match random.below(3) {
        0 => Surface::Primitive(Primitive::Box { size: random.vec3(2.0).abs() + Vec3::splat(0.1) }),
        1 => Surface::Primitive(Primitive::Cylinder {
            radius: 0.5,
            height: 2.0,
            around: 3 + random.below(4) as u32,
            along: 2,
        }),
        _ => polygons(1 + random.below(5) as u32),
    };
    let bad = Surface::Primitive(Primitive::Box { size: Vec3::ZERO });
    match kind {
        0 => Command::AddMesh {
            name: ["Body", "  ", "Kopf \u{1f600}", "a/b~c"][random.below(4)].into(),
            surface: if wrong || full { bad } else { good },
            skinned: random.chance(50),
        },
        1 => {
            let mut added = if wrong || full { Scene::default() } else { super::scene() };
            if random.chance(50) {
                added.instances = Default::default();
            }
            Command::AppendScene { scene: appended(&added) }
        }
        2 => Command::ReplaceSurface { mesh, surface: if wrong && random.chance(50) { bad } else { good } },
        5 => Command::MakeSkinned { mesh: mesh.name },
        6 => {
            let texture = if wrong { "Nobody" } else { "Picture" };
            let path = ["skin.png", "maps/skin.png", ""][random.below(3)];
            Command::SetImages { images: BTreeMap::from([(texture.to_owned(), path.to_owned())]) }
        }
        7 => {
            let clips = if wrong { Scene::default() } else { clips() };
            Command::AddClips { mesh: named(scene).unwrap_or("Body").to_owned(), scene: appended(&clips) }
        }
        8 => {
            let from = if wrong { Scene::default() } else { tail() };
            Command::AddSkeleton { mesh: mesh.name, scene: appended(&from) }
        }
        9 => Command::OrientSurface {
            mesh,
            up: if wrong { Vec3::ONE } else { Vec3::Z },
            front: [Vec3::X, Vec3::NEG_Y][random.below(2)],
            offset: Vec3::new(0.0, random.below(3) as f32, 0.0),
        },
        3 => Command::FlipOrientation { mesh },
        4 => Command::SmoothNormals {
            mesh,
            angle_deg: [0.0, 30.0, 89.0, 180.0][random.below(4)] * if wrong { -1.0 } else { 1.0 },
        },
        _ => unreachable!("kind {kind} is not a command on surfaces"),
    }
}

/// A scene with one skeleton.
fn tail() -> Scene {
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Tail".into(), super::scene().skinned_meshes["Tail"].clone());
    scene
}

/// Returns the scene as read from a file, where appended scenes come from.
/// Returns a skinned mesh with bones that have names of those of the clips.
fn named(scene: &Scene) -> Option<&str> {
    let is_known = |bone: &Bone| bone.name.as_deref().is_some_and(|name| ["Root", "Mid"].contains(&name));
    let found = scene.skinned_meshes.iter().find(|(_, mesh)| mesh.skeleton.bones.iter().any(is_known));
    found.map(|(name, _)| &**name)
}

/// Returns the animation of the scene, as clips.
fn clips() -> Scene {
    motion_only(&super::scene())
}

fn appended(scene: &Scene) -> SceneData {
    let bytes = js3d::write(scene).unwrap();
    SceneData(Arc::new(js3d::read(&bytes).unwrap().0))
}
