//! What other programs will show otherwise, or not at all.

use super::influences::Written;
use super::joints::Joints;
use super::options::ExportError;
use super::placed::Placed;
use super::skins::Skinned;
use super::takes::Take;
use super::watch::{BATCH, Watch};
use crate::io::count::{counted, grouped};
use crate::io::report::{Report, Severity};
use crate::math::bounds::Bounds;
use crate::mesh::render::RenderMesh;
use crate::rig::kinematics;
use crate::rig::skinning::{Method, Motions};
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::apply_animation::Driver;
use crate::scene::evaluate::solved;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use rayon::prelude::*;

/// More joints than some graphics cards take in a browser.
const MOST_JOINTS: usize = 256;

/// What is true of a scene as a whole.
pub fn scene(scene: &Scene, placed: &Placed, report: &mut Report) {
    let mut lost = |code, number: usize, one: &str, many: &str, why: &str| {
        if number > 0 {
            let what = if number == 1 {
                format!("1 {one}")
            } else {
                format!("{number} {many}")
            };
            report.add(Severity::Warning, code, "", format!("{what} {why}"));
        }
    };
    let instances = &scene.instances;
    lost(
        "hidden",
        placed.hidden,
        "hidden instance",
        "hidden instances",
        "left out; show them to export them",
    );
    lost(
        "particles",
        instances.particles.len(),
        "instance of particles",
        "instances of particles",
        "left out: glTF has none",
    );
    lost(
        "environment-lights",
        instances.env_lights.len(),
        "environment light",
        "environment lights",
        "left out: glTF has point lights, directional lights and spotlights alone",
    );
    lost(
        "not-placed",
        placed.not_placed,
        "resource that no instance shows",
        "resources that no instance shows",
        "left out",
    );
    lost(
        "channels",
        placed.lost_channels,
        "animated value",
        "animated values",
        "left out: glTF animates translation, rotation and scale alone",
    );
    if !placed.lights.is_empty() {
        let text = "light intensities are copied as numbers: js3d has no unit, glTF has candela and lux";
        report.add(Severity::Note, "light-units", "", text);
    }
}

/// What is true of one skinned mesh.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn skin(
    scene: &Scene,
    skinned: &Skinned,
    takes: &[Take],
    watch: &mut Watch,
    report: &mut Report,
) -> Result<(), ExportError> {
    let Skinned {
        name,
        mesh,
        joints,
        written,
        ..
    } = skinned;
    let deviation = Deviation::new(scene, name, mesh, joints, written, takes, watch)?;
    let moved = match deviation.distance > 1e-5 * size(mesh) {
        true => format!(
            "; at frame {} a vertex is {} away from where it is here, of a size of {}",
            deviation.frame,
            short(deviation.distance),
            short(size(mesh))
        ),
        false => String::new(),
    };
    let at = format!("skinned mesh “{name}”");
    let mut add = |severity, code, text| report.add(severity, code, at.clone(), text);
    skinning(mesh, written, &moved, &mut add);
    skeleton(skinned, &mut add);
    Ok(())
}

/// Adds a finding: its severity, code and text.
type Add<'a> = dyn FnMut(Severity, &'static str, String) + 'a;

/// What becomes of weights. `moved`: how far vertices go, said of the first reason for it.
fn skinning(mesh: &SkinnedMesh, written: &Written, mut moved: &str, add: &mut Add) {
    let vertices = grouped(mesh.surface.vertex_count());
    let method = f32::from(mesh.skinning);
    if method > 0.0 {
        let partly = if method < 1.0 { "partly " } else { "" };
        let moved = std::mem::take(&mut moved);
        let text =
            format!("is skinned {partly}with dual quaternions, and other programs blend linearly{moved}");
        add(Severity::Warning, "dual-quaternions", text);
    }
    if written.cut > 0 {
        let text = format!(
            "{} of {vertices} vertices have more than four bones; at most {:.0} % of the weight of one is dropped{}",
            grouped(written.cut),
            (100.0 * written.most_cut).ceil(),
            std::mem::take(&mut moved)
        );
        add(Severity::Warning, "influences", text);
    }
    if written.further > 0 {
        let text = format!(
            "{} of {vertices} vertices have more than four bones: Bevy and most engines ignore the further ones, and \
             such vertices shrink towards the origin there",
            grouped(written.further),
        );
        add(Severity::Warning, "further-influences", text);
    }
    if written.unnormalised > 0 {
        let weights = counted(written.unnormalised, "vertex has", "vertices have");
        let moved = std::mem::take(&mut moved);
        let text = format!("{weights} weights that do not sum to 1; they are normalised{moved}");
        add(Severity::Warning, "normalised", text);
    }
    if written.standing > 0 {
        let vertices = counted(written.standing, "vertex has", "vertices have");
        let text = format!("{vertices} no weights: a joint that never moves holds them in place");
        add(Severity::Note, "neutral-bone", text);
    }
}

/// What becomes of bones and handles.
fn skeleton(skinned: &Skinned, add: &mut Add) {
    let Skinned { mesh, joints, .. } = skinned;
    let joint_count = joints.bones.len();
    if joint_count > MOST_JOINTS {
        let text = format!("has {joint_count} bones; in browsers, some engines take {MOST_JOINTS} at most");
        add(Severity::Warning, "many-joints", text);
    }
    if !joints.has_root() {
        let text = format!("has {} roots: a joint called root carries them", joints.tops());
        add(Severity::Note, "roots", text);
    }
    let mut note = |code, number, one, many, text| {
        if number > 0 {
            add(
                Severity::Note,
                code,
                format!("{} {text}", counted(number, one, many)),
            );
        }
    };
    let links = mesh.skeleton.bones.len() - joint_count;
    let text = "left out: joints of glTF start anywhere";
    note("links", links, "link is", "links are", text);
    let handles = mesh.skeleton.handles.len();
    let text = "left out; the poses hold what handles do";
    note("handles", handles, "IK handle is", "IK handles are", text);
    let foreign = skinned.foreign_frames();
    let text = "the rest axes of the file that the skeleton came from";
    note("rest-frames", foreign, "joint keeps", "joints keep", text);
}

/// The largest distance between what is seen here and what programs show that blend the written weights linearly.
struct Deviation {
    distance: f32,
    frame: u32,
}

impl Deviation {
    fn new(
        scene: &Scene,
        name: &str,
        mesh: &SkinnedMesh,
        joints: &Joints,
        written: &Written,
        takes: &[Take],
        watch: &mut Watch,
    ) -> Result<Self, ExportError> {
        let is_linear = mesh.skinning == Method::LINEAR;
        let vertices: Vec<usize> = match is_linear {
            true => written.different.clone(),
            false => (0..mesh.surface.vertex_count()).collect(),
        };
        let mut deviation = Self {
            distance: 0.0,
            frame: 0,
        };
        if vertices.is_empty() {
            return Ok(deviation);
        }
        let positions: Vec<Vec3> = vertices.iter().map(|&v| mesh.surface.positions()[v]).collect();
        let (mut ours, mut theirs) = (VertexWeights::default(), VertexWeights::default());
        // Of a bone that does not move.
        let still = u16::MAX;
        let bone_of = |joint: u16| {
            joints
                .bones
                .get(usize::from(joint))
                .map_or(still, |&bone| bone as u16)
        };
        for &vertex in &vertices {
            ours.push_row(mesh.weights.influences(vertex));
            theirs.push_row(
                written
                    .rows
                    .influences(vertex)
                    .map(|(joint, weight)| (bone_of(joint), weight)),
            );
        }
        let mut frames: Vec<u32> = takes
            .iter()
            .flat_map(|take| take.range[0]..=take.range[1])
            .collect();
        frames.sort_unstable();
        frames.dedup();
        let at_frame = |driver: &mut Driver, frame: u32| {
            let driven = driver.driven(scene, frame as f32, &Default::default());
            let skeleton = &driven.skinned_meshes.get(name)?.skeleton;
            let (skeleton, _) = solved(skeleton, &Default::default());
            let (bind, current) = (
                kinematics::bind_pose(&skeleton),
                kinematics::current_pose(&skeleton),
            );
            let skinned = |method, weights| {
                let (mut moved, mut normals) = (Vec::new(), Vec::new());
                let motions = Motions::new(method, &bind, &current);
                motions.skin(
                    weights,
                    &positions,
                    &RenderMesh::default(),
                    &mut moved,
                    &mut normals,
                );
                moved
            };
            let (here, there) = (skinned(mesh.skinning, &ours), skinned(Method::LINEAR, &theirs));
            let distances = here.iter().zip(&there).map(|(a, b)| a.distance(*b));
            Some((distances.fold(0.0, f32::max), frame))
        };
        for frames in frames.chunks(BATCH) {
            let found: Vec<Option<(f32, u32)>> = frames
                .par_iter()
                .map_init(Driver::default, |driver, frame| at_frame(driver, *frame))
                .collect();
            for (distance, frame) in found.into_iter().flatten() {
                if distance > deviation.distance {
                    deviation = Self { distance, frame };
                }
            }
            watch.step(frames.len())?;
        }
        Ok(deviation)
    }
}

/// The length of the mesh's longest side in the bind pose.
pub fn size(mesh: &SkinnedMesh) -> f32 {
    let bounds = Bounds::of_points(mesh.surface.positions().iter().copied());
    if bounds.is_empty() {
        1.0
    } else {
        (bounds.max - bounds.min).max_element()
    }
}

/// Two digits.
fn short(number: f32) -> String {
    let digits = 1 - number.abs().max(1e-9).log10().floor() as i32;
    format!("{number:.*}", digits.clamp(0, 9) as usize)
}
