//! `ossature info`: shows the contents of a scene file or an OBJ mesh.

use super::input::InspectedFile;
use super::output::{Output, count, number, summary};
use super::surfaces::{self, Described};
use super::{CliError, args, muting, takes, weights};
use crate::io::picture_files::find;
use crate::rig::joints::OutsideJoints;
use crate::rig::property::{BONE, HANDLE, Property, SHAPE, SKELETON};
use crate::rig::shapes::ShapeKey;
use crate::rig::skeleton::{Shape, Skeleton};
use crate::scene::Scene;
use crate::scene::names::{self, ObjectRef};
use crate::scene::property::{self, PropertyValue};
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

const EXAMPLES: &str = "\
Examples:
  ossature info scene.js3d
  ossature info --json scene.js3d
  ossature info body.obj";

/// Show what a scene file or an OBJ mesh contains
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: InspectedFile,
}

#[derive(Serialize)]
struct Info {
    file: String,
    /// The number of findings; `ossature check` shows them.
    findings: usize,
    /// The names of each kind that has any, in the order of the format.
    resources: Vec<Kind>,
    instances: Vec<Kind>,
    /// Members of resources and instances except surfaces and skeletons, by their names in the file.
    properties: Vec<Properties>,
    /// The surfaces of skinned meshes and meshes.
    surfaces: Vec<Described>,
    skinned_meshes: Vec<Skinned>,
    animation: Clip,
    /// Resources and instances with their channels.
    channels: Vec<(String, Vec<String>)>,
    /// Muted channels and components, as `--unmute` accepts them.
    muted: Vec<String>,
}

#[derive(Serialize)]
struct Clip {
    frames_per_second: f32,
    frames: u32,
    /// The first and last frame.
    play_range: [u32; 2],
    /// The total number of keys of all channels.
    keys: usize,
    takes: Vec<takes::Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sound: Option<SoundInfo>,
}

/// The sound that the animation plays to.
#[derive(Serialize)]
struct SoundInfo {
    path: String,
    /// Whether there is such a file.
    found: bool,
    /// The frame at which it starts.
    start: f32,
    volume: f32,
    muted: bool,
}

#[derive(Serialize)]
struct Kind {
    kind: &'static str,
    names: Vec<String>,
}

#[derive(Serialize)]
struct Properties {
    kind: &'static str,
    instance: bool,
    name: String,
    values: BTreeMap<&'static str, Plain>,
}

#[derive(Serialize)]
struct Skinned {
    name: String,
    vertices: usize,
    faces: usize,
    /// Vertices that no bone moves.
    unweighted: usize,
    weights: weights::Weighted,
    /// Bones with a joint outside the surface; empty if the surface is open.
    outside: Vec<usize>,
    /// The properties of the skeleton itself.
    skeleton: Values,
    bones: Vec<BoneInfo>,
    handles: Vec<HandleInfo>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shapes: Vec<ShapeInfo>,
}

/// Properties by the names of their members.
type Values = BTreeMap<&'static str, Plain>;

fn values<T>(rows: &[Property<T>], part: &T) -> Values {
    let is_given = |value: &PropertyValue| *value != PropertyValue::Reference(None);
    let given = rows.iter().filter_map(|row| Some((row.info.id, row.get(part).filter(is_given)?)));
    given.map(|(id, value)| (id, Plain(value))).collect()
}

#[derive(Serialize)]
struct BoneInfo {
    index: usize,
    name: String,
    parent: Option<u32>,
    length: f64,
    radius: f32,
    /// Whether the bone is a link, which only connects a bone with its parent's tail; the window hides it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    link: bool,
    properties: Values,
}

#[derive(Serialize)]
struct HandleInfo {
    index: usize,
    name: String,
    bone: u32,
    enabled: bool,
    properties: Values,
}

/// A shape of the surface.
#[derive(Serialize)]
struct ShapeInfo {
    index: usize,
    name: String,
    /// The number of vertices that it moves.
    vertices: usize,
    properties: Values,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let read = surfaces::read(&args.input.file);
    let (scene, report) = read.map_err(|error| args::unreadable(&args.input.file, error))?;
    let (clip, channels) = (scene.animation.clip, scene.animation.channels.iter());
    let splines = channels.clone().flat_map(|(_, splines)| splines.values());
    let info = Info {
        file: args.input.file.display().to_string(),
        findings: report.findings.len(),
        resources: kinds(&scene, false),
        instances: kinds(&scene, true),
        properties: properties(&scene),
        surfaces: surfaces::describe(&scene, &report),
        skinned_meshes: scene.skinned_meshes.iter().map(|(name, s)| skinned(name, s)).collect(),
        animation: Clip {
            frames_per_second: clip.rate,
            frames: clip.length,
            play_range: clip.play_range(),
            keys: splines.map(|spline| spline.key_count()).sum(),
            takes: takes::listed(&scene.animation),
            sound: scene.animation.sound.as_ref().map(|sound| SoundInfo {
                path: sound.path.clone(),
                found: find(&sound.path, args.input.file.parent()).is_some(),
                start: sound.start,
                volume: sound.volume,
                muted: sound.muted,
            }),
        },
        channels: channels.map(|(name, splines)| (name.clone(), splines.keys().cloned().collect())).collect(),
        muted: muting::muted(&scene),
    };
    if args.input.json {
        return output.json(&info);
    }
    print(&info, &scene, output)?;
    if !report.is_empty() {
        let found = summary(&report);
        output.line(format_args!("findings: {found}; `ossature check` shows them"))?;
    }
    Ok(())
}

/// Returns the kinds of resources or instances that the scene has.
fn kinds(scene: &Scene, instances: bool) -> Vec<Kind> {
    let all = names::Kind::ALL.into_iter();
    let all = all.filter(|kind| matches!(kind, names::Kind::Instance(_)) == instances);
    let owned = all.map(|kind| Kind {
        kind: kind.map(),
        names: scene.names_of(kind).into_iter().map(str::to_owned).collect(),
    });
    owned.filter(|kind| !kind.names.is_empty()).collect()
}

/// Returns the properties of all resources and instances that have any.
fn properties(scene: &Scene) -> Vec<Properties> {
    let objects = scene.names().into_iter();
    let all = objects.map(|(kind, name)| {
        let rows = property::rows(scene, &ObjectRef::new(kind, name)).into_iter();
        Properties {
            kind: kind.map(),
            instance: matches!(kind, names::Kind::Instance(_)),
            name: name.to_owned(),
            values: rows.map(|row| (row.info.id, Plain(row.value))).collect(),
        }
    });
    all.filter(|properties| !properties.values.is_empty()).collect()
}

/// A property's value, serialised as in scene files.
struct Plain(PropertyValue);

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            PropertyValue::Bool(v) => v.serialize(to),
            PropertyValue::Float(v) => v.serialize(to),
            PropertyValue::Unsigned(v) => v.serialize(to),
            PropertyValue::Vec3(v) | PropertyValue::Color(v) => v.to_array().serialize(to),
            PropertyValue::Rotation(v) => v.to_array().serialize(to),
            PropertyValue::Choice(v) => v.serialize(to),
            PropertyValue::Reference(v) => v.serialize(to),
            PropertyValue::Limits(v) => v.serialize(to),
            PropertyValue::OptionalUnsigned(v) => v.serialize(to),
            PropertyValue::OptionalVec3(v) => v.serialize(to),
            PropertyValue::Orientation(v) => v.serialize(to),
            PropertyValue::Pole(v) => v.serialize(to),
            PropertyValue::LookAt(v) => v.serialize(to),
        }
    }
}

fn skinned(name: &str, skinned: &SkinnedMesh) -> Skinned {
    let outside = OutsideJoints::default().get(&skinned.skeleton, &skinned.surface);
    Skinned {
        name: name.to_owned(),
        vertices: skinned.surface.vertex_count(),
        faces: skinned.surface.face_count(),
        unweighted: skinned.weights.unweighted_count(),
        weights: weights::weighted(name, skinned),
        outside: outside.iter().map(|joint| joint.bone).collect(),
        skeleton: values(SKELETON, &skinned.skeleton),
        bones: bones(&skinned.skeleton),
        handles: handles(&skinned.skeleton),
        shapes: shapes(skinned),
    }
}

fn shapes(skinned: &SkinnedMesh) -> Vec<ShapeInfo> {
    let shapes = skinned.skeleton.shapes.iter().zip(&*skinned.shapes).enumerate();
    let info = |(index, (shape, key)): (usize, (&Shape, &ShapeKey))| ShapeInfo {
        index,
        name: skinned.skeleton.shape_name(index),
        vertices: key.positions.len(),
        properties: values(SHAPE, shape),
    };
    shapes.map(info).collect()
}

fn bones(skeleton: &Skeleton) -> Vec<BoneInfo> {
    let bones = skeleton.bones.iter().enumerate().map(|(index, bone)| BoneInfo {
        index,
        name: skeleton.bone_name(index),
        parent: bone.parent,
        length: length(bone.extent),
        radius: bone.radius,
        link: bone.link,
        properties: values(BONE, bone),
    });
    bones.collect()
}

/// Returns the length of an extent with the digits of an `f32`, unless it is too large for one.
fn length(extent: Vec3) -> f64 {
    let exact = extent.as_dvec3().length();
    let short = (exact as f32).to_string().parse::<f64>();
    short.ok().filter(|short| short.is_finite()).unwrap_or(exact)
}

fn handles(skeleton: &Skeleton) -> Vec<HandleInfo> {
    let handles =
        skeleton.handles.iter().zip(skeleton.handle_names()).enumerate().map(|(index, (handle, name))| {
            HandleInfo {
                index,
                name,
                bone: handle.bone,
                enabled: handle.enabled,
                properties: values(HANDLE, handle),
            }
        });
    handles.collect()
}

fn print(info: &Info, scene: &Scene, output: &mut Output) -> Result<(), CliError> {
    output.line(&info.file)?;
    for (heading, kinds) in [("resources", &info.resources), ("instances", &info.instances)] {
        output.line(format_args!("{heading}:"))?;
        for kind in kinds {
            let label = kind.kind.replace('_', " ");
            output.line(format_args!("  {label}: {}", kind.names.join(", ")))?;
        }
    }
    for surface in &info.surfaces {
        surface.print(output)?;
    }
    for mesh in &info.skinned_meshes {
        output.line(format_args!(
            "{}: {} ({} without weights), {}, {}, {}",
            mesh.name,
            count(mesh.vertices, "vertex", "vertices"),
            mesh.unweighted,
            count(mesh.faces, "face", "faces"),
            count(mesh.bones.iter().filter(|bone| !bone.link).count(), "bone", "bones"),
            count(mesh.handles.len(), "handle", "handles"),
        ))?;
        if let Some(skinned) = scene.skinned_meshes.get(&mesh.name) {
            weights::print(&mesh.weights, &skinned.skeleton, output)?;
        }
        if !mesh.outside.is_empty() {
            let names = mesh.outside.iter().map(|bone| mesh.bones[*bone].name.as_str());
            let names = names.collect::<Vec<_>>().join(", ");
            let joints = count(mesh.outside.len(), "joint", "joints");
            output.line(format_args!("  {joints} outside the body: {names}"))?;
        }
        for bone in &mesh.bones {
            let parent = bone.parent.map_or("root".into(), |p| format!("parent {p}"));
            let (length, radius) = (number(bone.length), number(bone.radius));
            let description = if bone.link {
                format!("link, {parent}, length {length}")
            } else {
                format!("{parent}, length {length}, radius {radius}")
            };
            output.line(format_args!("  {} {} ({description})", bone.index, bone.name))?;
        }
        for handle in &mesh.handles {
            let state = if handle.enabled { "enabled" } else { "not enabled" };
            output.line(format_args!("  handle {} {} ({state})", handle.index, handle.name))?;
        }
    }
    let clip = &info.animation;
    output.line(format_args!(
        "animation: {}, {} fps, {}",
        count(clip.frames as usize, "frame", "frames"),
        number(clip.frames_per_second),
        count(clip.keys, "key", "keys"),
    ))?;
    let [first, last] = clip.play_range;
    if (first, last + 1) != (0, clip.frames) {
        output.line(format_args!("  plays from {first} to {last}"))?;
    }
    takes::print(&clip.takes, clip.frames_per_second, "  take ", output)?;
    if let Some(sound) = &clip.sound {
        let missing = if sound.found { "" } else { ", missing" };
        let muted = if sound.muted { ", muted" } else { "" };
        let (path, start, volume) = (&sound.path, number(sound.start), 100.0 * sound.volume);
        output
            .line(format_args!("  sound {path}: from frame {start}, volume {volume:.0} %{muted}{missing}"))?;
    }
    for (name, channels) in &info.channels {
        output.line(format_args!("channels of {name}: {}", channels.join(", ")))?;
    }
    if !info.muted.is_empty() {
        output.line(format_args!("muted: {}", info.muted.join(", ")))?;
    }
    Ok(())
}
