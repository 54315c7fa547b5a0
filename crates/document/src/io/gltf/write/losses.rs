//! Reports what other programs will show differently, or not at all.

use super::error::ExportError;
use super::influences::JointWeights;
use super::joints::Joints;
use super::progress::{BATCH, IkWork, Progress};
use super::skins::SkinExport;
use super::takes::Take;
use super::visible::VisibleInstances;
use crate::io::count::{counted, grouped};
use crate::io::report::{Report, Severity};
use crate::math::bounds::Bounds;
use crate::mesh::render::RenderMesh;
use crate::rig::kinematics;
use crate::rig::skinning::{Method, Motions};
use crate::rig::weights::VertexWeights;
use crate::scene::Scene;
use crate::scene::apply_animation::Animator;
use crate::scene::skinned::SkinnedMesh;
use crate::scene::solve::Posing;
use glam::Vec3;
use rayon::prelude::*;

/// The maximum number of joints that some graphics cards support in a browser.
const MAX_JOINTS: usize = 256;

/// Reports losses of the scene as a whole.
pub fn scene(scene: &Scene, visible: &VisibleInstances, report: &mut Report) {
    let mut report_lost = |code, number: usize, singular: &str, plural: &str, reason: &str| {
        if number > 0 {
            let subject = if number == 1 { format!("1 {singular}") } else { format!("{number} {plural}") };
            report.add(Severity::Warning, code, "", format!("{subject} {reason}"));
        }
    };
    let instances = &scene.instances;
    report_lost(
        "hidden",
        visible.hidden,
        "hidden instance",
        "hidden instances",
        "left out; show them to export them",
    );
    report_lost(
        "particles",
        instances.particles.len(),
        "instance of particles",
        "instances of particles",
        "left out: glTF has none",
    );
    report_lost(
        "environment-lights",
        instances.env_lights.len(),
        "environment light",
        "environment lights",
        "left out: glTF has point lights, directional lights and spotlights alone",
    );
    report_lost(
        "not-placed",
        visible.not_placed,
        "resource that no instance shows",
        "resources that no instance shows",
        "left out",
    );
    report_lost(
        "channels",
        visible.lost_channels,
        "animated value",
        "animated values",
        "left out: glTF animates translation, rotation and scale alone",
    );
    if !visible.lights.is_empty() {
        let text = "light intensities are copied as numbers: js3d has no unit, glTF has candela and lux";
        report.add(Severity::Note, "light-units", "", text);
    }
}

/// Reports losses of one skinned mesh.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn skin(
    scene: &Scene,
    skinned: &SkinExport,
    takes: &[Take],
    progress: &mut Progress,
    report: &mut Report,
) -> Result<(), ExportError> {
    let SkinExport { name, mesh, joints, joint_weights, .. } = skinned;
    let deviation = Deviation::new(scene, name, mesh, joints, joint_weights, takes, progress)?;
    let deviation_note = if deviation.distance > 1e-5 * size(mesh) {
        format!(
            "; at frame {} a vertex is {} away from where it is here, of a size of {}",
            deviation.frame,
            two_digits(deviation.distance),
            two_digits(size(mesh))
        )
    } else {
        String::new()
    };
    let place = format!("skinned mesh “{name}”");
    let mut add = |severity, code, text| report.add(severity, code, place.clone(), text);
    skinning(mesh, joint_weights, &deviation_note, &mut add);
    skeleton(skinned, &mut add);
    Ok(())
}

/// Adds a finding: its severity, code and text.
type AddFinding<'a> = dyn FnMut(Severity, &'static str, String) + 'a;

/// Reports changes of weights. `deviation_note` states how far vertices move, and is added to the first
/// reason for it.
fn skinning(
    mesh: &SkinnedMesh,
    joint_weights: &JointWeights,
    mut deviation_note: &str,
    add: &mut AddFinding,
) {
    let vertices = grouped(mesh.surface.vertex_count());
    let method = f32::from(mesh.skinning);
    if method > 0.0 {
        let partly = if method < 1.0 { "partly " } else { "" };
        let deviation_note = std::mem::take(&mut deviation_note);
        let text = format!(
            "is skinned {partly}with dual quaternions, and other programs blend linearly{deviation_note}"
        );
        add(Severity::Warning, "dual-quaternions", text);
    }
    if joint_weights.truncated > 0 {
        let text = format!(
            "{} of {vertices} vertices have more than four bones; at most {:.0} % of the weight of one is dropped{}",
            grouped(joint_weights.truncated),
            (100.0 * joint_weights.max_truncated).ceil(),
            std::mem::take(&mut deviation_note)
        );
        add(Severity::Warning, "influences", text);
    }
    if joint_weights.beyond_four > 0 {
        let text = format!(
            "{} of {vertices} vertices have more than four bones: Bevy and most engines ignore the further ones, and \
             such vertices shrink towards the origin there",
            grouped(joint_weights.beyond_four),
        );
        add(Severity::Warning, "further-influences", text);
    }
    if joint_weights.unnormalised > 0 {
        let weights = counted(joint_weights.unnormalised, "vertex has", "vertices have");
        let deviation_note = std::mem::take(&mut deviation_note);
        let text = format!("{weights} weights that do not sum to 1; they are normalised{deviation_note}");
        add(Severity::Warning, "normalised", text);
    }
    if joint_weights.unweighted > 0 {
        let vertices = counted(joint_weights.unweighted, "vertex has", "vertices have");
        let text = format!("{vertices} no weights: a joint that never moves holds them in place");
        add(Severity::Note, "neutral-bone", text);
    }
}

/// Reports changes of bones and handles.
fn skeleton(skinned: &SkinExport, add: &mut AddFinding) {
    let SkinExport { mesh, joints, .. } = skinned;
    let joint_count = joints.bones.len();
    if joint_count > MAX_JOINTS {
        let text = format!("has {joint_count} bones; in browsers, some engines take {MAX_JOINTS} at most");
        add(Severity::Warning, "many-joints", text);
    }
    if !joints.has_root() {
        let text = format!("it has {} roots: a joint called root carries them", joints.root_count());
        add(Severity::Note, "roots", text);
    }
    let mut note = |code, number, singular, plural, text| {
        if number > 0 {
            add(Severity::Note, code, format!("{} {text}", counted(number, singular, plural)));
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

/// The largest distance between vertices here and in programs that blend the written weights linearly.
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
        joint_weights: &JointWeights,
        takes: &[Take],
        progress: &mut Progress,
    ) -> Result<Self, ExportError> {
        let is_linear = mesh.skinning == Method::LINEAR;
        let vertices: Vec<usize> = if is_linear {
            joint_weights.changed.clone()
        } else {
            (0..mesh.surface.vertex_count()).collect()
        };
        let mut deviation = Self { distance: 0.0, frame: 0 };
        if vertices.is_empty() {
            return Ok(deviation);
        }
        let positions: Vec<Vec3> = vertices.iter().map(|&v| mesh.surface.positions()[v]).collect();
        let (mut ours, mut theirs) = (VertexWeights::default(), VertexWeights::default());
        // The index of a bone that does not move.
        let static_bone = u16::MAX;
        let bone_of =
            |joint: u16| joints.bones.get(usize::from(joint)).map_or(static_bone, |&bone| bone as u16);
        for &vertex in &vertices {
            ours.push_row(mesh.weights.influences(vertex));
            theirs.push_row(
                joint_weights.rows.influences(vertex).map(|(joint, weight)| (bone_of(joint), weight)),
            );
        }
        let mut frames: Vec<u32> = takes.iter().flat_map(|take| take.range[0]..=take.range[1]).collect();
        frames.sort_unstable();
        frames.dedup();
        let at_frame = |animator: &mut Animator, ik: &IkWork, frame: u32| {
            if ik.is_exceeded() {
                return None;
            }
            let driven = animator.animate(scene, frame as f32, &Default::default());
            let (skeleton, outcome) = Posing::with_ik(Some(&Default::default())).solve(&driven, name)?;
            ik.add(outcome.as_ref());
            let (bind, current) = (kinematics::bind_pose(&skeleton), kinematics::current_pose(&skeleton));
            let skinned = |method, weights| {
                let (mut moved, mut normals) = (Vec::new(), Vec::new());
                let motions = Motions::new(method, &bind, &current);
                motions.skin(weights, &positions, &RenderMesh::default(), &mut moved, &mut normals);
                moved
            };
            let (shown, exported) = (skinned(mesh.skinning, &ours), skinned(Method::LINEAR, &theirs));
            let distances = shown.iter().zip(&exported).map(|(a, b)| a.distance(*b));
            Some((distances.fold(0.0, f32::max), frame))
        };
        for frames in frames.chunks(BATCH) {
            let ik = &progress.ik;
            let found: Vec<Option<(f32, u32)>> = frames
                .par_iter()
                .map_init(Animator::default, |animator, frame| at_frame(animator, ik, *frame))
                .collect();
            for (distance, frame) in found.into_iter().flatten() {
                if distance > deviation.distance {
                    deviation = Self { distance, frame };
                }
            }
            progress.advance(frames.len())?;
        }
        Ok(deviation)
    }
}

/// Returns the length of the longest side of the mesh in the bind pose.
pub fn size(mesh: &SkinnedMesh) -> f32 {
    let bounds = Bounds::from_points(mesh.surface.positions().iter().copied());
    if bounds.is_empty() { 1.0 } else { (bounds.max - bounds.min).max_element() }
}

/// Formats a number with two digits.
fn two_digits(number: f32) -> String {
    let digits = 1 - number.abs().max(1e-9).log10().floor() as i32;
    format!("{number:.*}", digits.clamp(0, 9) as usize)
}
