//! `ossature paint`: paints weights like the window's brush, along the strokes of a file.

use super::input::ChangedScene;
use super::output::{Output, count};
use super::{CliError, args};
use crate::edit::command::Command;
use crate::edit::paint::{Paint, PaintCache, Painting, PosedSkin, fill};
use crate::io::count::grouped;
use crate::io::file;
use crate::math::camera::{ViewCamera, Viewport};
use crate::rig::weights::paint::{Brush, Mode};
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluator, Settings};
use crate::scene::skinned::SkinnedMesh;
use glam::{Mat4, Vec2, Vec3};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const EXAMPLES: &str = "\
The file holds a stroke as JSON, or several in a list, painted one after the other: docs/weights.md says what a stroke
has. The same stroke in the window paints the same weights.

Examples:
  ossature paint scene.js3d --stroke armpit.json -o painted.js3d
  ossature paint scene.js3d --stroke armpit.json -o painted.js3d --json";

/// Paint bone weights along the strokes of a file, and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ChangedScene,
    /// Strokes (JSON)
    #[arg(long, value_name = "FILE")]
    stroke: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A stroke in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StrokeFile {
    /// The skinned mesh; needed if there are several.
    mesh: Option<String>,
    /// The bone's name or index; needed by brushes that paint one bone.
    #[serde(default)]
    bone: Option<BoneName>,
    /// The frame whose pose is painted; the bind pose if missing.
    frame: Option<f32>,
    #[serde(default)]
    brush: Brush,
    /// Whether the other side is painted too.
    #[serde(default)]
    symmetric: bool,
    /// The camera; if given, `path` is in pixels.
    view: Option<View>,
    /// The points of the path, each optionally followed by the pressure from 0 to 1.
    #[serde(default)]
    path: Vec<Vec<f32>>,
    /// Pauses of the brush: the index of a point of the path, ascending, and the number of clock ticks, 60
    /// per second.
    #[serde(default)]
    rests: Vec<[u32; 2]>,
    /// Restricts painting to these vertices.
    only: Option<Vec<u32>>,
    /// Paints these vertices equally instead: indices, or "all".
    fill: Option<Fill>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum BoneName {
    Index(usize),
    Name(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Fill {
    Vertices(Vec<u32>),
    Word(String),
}

/// A camera like [`ViewCamera`], in degrees, and the size of its image in pixels.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct View {
    target: [f32; 3],
    yaw: f32,
    pitch: f32,
    distance: f32,
    orthographic: bool,
    vertical_fov: f32,
    size: [f32; 2],
}

impl Default for View {
    fn default() -> Self {
        Self {
            target: [0.0; 3],
            yaw: 0.0,
            pitch: 0.0,
            distance: 5.0,
            orthographic: false,
            vertical_fov: 40.0,
            size: [1280.0, 720.0],
        }
    }
}

#[derive(Serialize)]
struct Painted {
    mesh: String,
    /// The number of vertices with new weights.
    vertices: usize,
}

/// The points of a path that are further from the surface than the radius.
#[derive(Default)]
struct FarOff {
    points: usize,
    /// The index of the furthest point and its distance.
    furthest: (usize, f32),
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    let strokes = read(args)?;
    let mut results = Vec::new();
    for (number, stroke) in strokes.iter().enumerate() {
        let wrong = |problem: String| {
            let position = match strokes.len() {
                1 => String::new(),
                _ => format!(", stroke {}", number + 1),
            };
            CliError::Other(format!("{}{position}: {problem}", args.stroke.display()))
        };
        let mesh = args::one_mesh_or(&scene, stroke.mesh.as_deref(), "name one as \"mesh\" in the stroke")?;
        let mut far_off = FarOff::default();
        let command = stroke.painted(&scene, &mesh, &mut far_off).map_err(wrong)?;
        if far_off.points > 0 {
            let all = stroke.path.len();
            output.note(format_args!(
                "stroke {}: {} of {all} points of its path are further off the surface than the radius, point {} by {:.3}: the nearest places are painted. Points are in the space of the posed mesh",
                number + 1,
                far_off.points,
                far_off.furthest.0,
                far_off.furthest.1,
            ));
        }
        let vertices = match &command {
            Some(Command::PaintWeights { painted, .. }) => painted.vertices.len(),
            _ => 0,
        };
        if let Some(command) = command {
            args::apply(&mut scene, &[command])?;
        } else {
            let why = match (stroke.brush.mode, &stroke.only) {
                (Mode::Pull, _) => {
                    "the bones there cannot take the skin anywhere in this pose, or it is not on the surface"
                }
                (_, Some(_)) => "no part of its path meets the vertices that it may paint",
                (_, None) => "no part of its path meets the surface",
            };
            output.note(format_args!("stroke {} paints nothing: {why}", number + 1));
        }
        results.push(Painted { mesh, vertices });
    }
    target.save(&scene, output)?;
    if args.json {
        return output.json(&results);
    }
    for Painted { mesh, vertices } in results {
        output.line(format_args!("{mesh}: {} painted", count(vertices, "vertex", "vertices")))?;
    }
    Ok(())
}

fn read(args: &Args) -> Result<Vec<StrokeFile>, CliError> {
    let bytes = file::read(&args.stroke, "strokes").map_err(|error| CliError::Other(error.to_string()))?;
    let wrong = |problem: &dyn std::fmt::Display| {
        let path = args.stroke.display();
        CliError::Other(format!("{path} holds no strokes: {problem}. docs/weights.md shows what a stroke is"))
    };
    let is_list = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let strokes = if is_list {
        serde_json::from_slice(&bytes)
    } else {
        serde_json::from_slice(&bytes).map(|stroke| vec![stroke])
    };
    let strokes: Vec<StrokeFile> = strokes.map_err(|error| wrong(&error))?;
    if strokes.is_empty() { Err(wrong(&"its list is empty")) } else { Ok(strokes) }
}

impl StrokeFile {
    fn painted(&self, scene: &Scene, mesh: &str, far_off: &mut FarOff) -> Result<Option<Command>, String> {
        if let Some(fault) = self.brush.fault() {
            return Err(fault);
        }
        let skinned = args::skinned(scene, mesh).map_err(|error| error.to_string())?;
        let bone = match &self.bone {
            None => None,
            Some(BoneName::Index(index)) => Some(index.to_string()),
            Some(BoneName::Name(name)) => Some(name.clone()),
        };
        let bone = bone.map(|bone| args::find_bone(&skinned.skeleton, &bone));
        let paint = Paint {
            brush: self.brush,
            bone: bone.transpose().map_err(|error| error.to_string())?,
            symmetric: self.symmetric,
        };
        if paint.bone.is_none() && self.brush.mode.paints_one_bone() {
            return Err("name the \"bone\" whose weights are painted".into());
        }
        if let Some(fill) = &self.fill {
            return self.filled(fill, mesh, scene, &paint);
        }
        let clip = &scene.animation.clip;
        if let Some(frame) = self.frame.filter(|frame| clip.clamp(*frame) != *frame) {
            let last = clip.clamp(f32::MAX);
            return Err(format!("\"frame\" {frame} is outside the animation, which has frames 0 to {last}"));
        }
        let settings = Settings { frame: self.frame, bind: self.frame.is_none(), ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(scene, &settings);
        let shown = PosedSkin::new(&evaluated, mesh, Mat4::IDENTITY).ok_or("the mesh cannot be shown")?;
        let cache = PaintCache::new(&skinned.surface);
        let viewport = self.view.as_ref().map(View::viewport).transpose()?;
        if viewport.is_none() && self.brush.reach == crate::rig::weights::paint::Reach::Through {
            return Err("a brush that reaches through needs a \"view\" to look from".into());
        }
        let mut painting = Painting::begin(mesh, skinned, &cache, shown, &paint, viewport)?;
        if let Some(vertices) = &self.only {
            check_vertices(vertices, skinned)?;
            painting = painting.restrict_to(vertices);
        }
        let numbers = if viewport.is_some() { 2 } else { 3 };
        let mut rests = self.rests()?;
        for (index, point) in self.path.iter().enumerate() {
            let is_point =
                (numbers..=numbers + 1).contains(&point.len()) && point.iter().all(|n| n.is_finite());
            if !is_point {
                let expected = match numbers {
                    2 => "x and y in pixels",
                    _ => "x, y and z in the mesh's space (pixels need a \"view\")",
                };
                return Err(format!(
                    "point {index} of the path must be {expected}, and may have the pressure behind"
                ));
            }
            let pressure = point.get(numbers).copied().unwrap_or(1.0);
            match numbers {
                2 => painting.extend(Vec2::new(point[0], point[1]), pressure),
                _ => {
                    let position = Vec3::new(point[0], point[1], point[2]);
                    let distance = painting.distance(position).unwrap_or(0.0);
                    // The target of a pull may be off the surface.
                    let is_target = self.brush.mode == Mode::Pull && index > 0;
                    if !is_target && distance > self.brush.radius * cache.canvas.size {
                        far_off.points += 1;
                        if distance > far_off.furthest.1 {
                            far_off.furthest = (index, distance);
                        }
                    }
                    painting.extend_in_space(position, pressure);
                }
            }
            while let Some([_, ticks]) = rests.next_if(|[point, _]| *point as usize == index) {
                painting.rest(*ticks);
            }
        }
        painting.finish();
        if let Some(overreach) = painting.overreach() {
            return Err(overreach.into());
        }
        Ok(painting.command())
    }

    /// Returns the pauses of the brush.
    ///
    /// # Errors
    /// Fails if they are out of order or refer to no point.
    fn rests(&self) -> Result<std::iter::Peekable<std::slice::Iter<'_, [u32; 2]>>, String> {
        let has_point = |rest: &[u32; 2]| (rest[0] as usize) < self.path.len();
        if self.rests.iter().all(has_point) && self.rests.is_sorted_by_key(|rest| rest[0]) {
            Ok(self.rests.iter().peekable())
        } else {
            Err("\"rests\" must name points of the path, ascending, each with a number of ticks behind"
                .into())
        }
    }

    fn filled(
        &self,
        filled: &Fill,
        mesh: &str,
        scene: &Scene,
        paint: &Paint,
    ) -> Result<Option<Command>, String> {
        let skinned = args::skinned(scene, mesh).map_err(|error| error.to_string())?;
        match filled {
            Fill::Word(word) if word == "all" => fill(mesh, skinned, paint, None),
            Fill::Word(word) => Err(format!("\"fill\" is a list of vertices or \"all\", not “{word}”")),
            Fill::Vertices(vertices) => {
                check_vertices(vertices, skinned)?;
                fill(mesh, skinned, paint, Some(vertices))
            }
        }
    }
}

/// Checks that all vertices exist.
///
/// # Errors
/// Fails if one is out of range.
fn check_vertices(vertices: &[u32], skinned: &SkinnedMesh) -> Result<(), String> {
    let all = skinned.surface.vertex_count();
    match vertices.iter().find(|&&vertex| vertex as usize >= all) {
        Some(vertex) => Err(format!("there is no vertex {vertex}: the mesh has {}", grouped(all))),
        None => Ok(()),
    }
}

impl View {
    fn viewport(&self) -> Result<Viewport, String> {
        let numbers = [self.yaw, self.pitch, self.distance, self.vertical_fov];
        let all = numbers.iter().chain(&self.target).chain(&self.size);
        if !all.clone().all(|number| number.is_finite())
            || self.distance <= 0.0
            || self.size.iter().any(|s| *s < 1.0)
        {
            return Err(
                "the \"view\" needs finite numbers, a distance above 0, and a size of at least a pixel"
                    .into(),
            );
        }
        Ok(Viewport {
            camera: ViewCamera {
                target: Vec3::from_array(self.target),
                yaw: self.yaw.to_radians(),
                pitch: self.pitch.to_radians(),
                roll: 0.0,
                distance: self.distance,
                orthographic: self.orthographic,
                vertical_fov: self.vertical_fov.to_radians(),
            },
            size: Vec2::from_array(self.size),
            covered_top: 0.0,
        })
    }
}
