//! Fits a skeleton into a body and proposes it, walking: the commands, and what the view shows of it. The document changes
//! once the proposal is accepted.

use crate::edit::command::weights::calculation;
use crate::edit::command::{Command, SceneData};
use crate::edit::motions::{self, Choice};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::fit::{Body, Fit, FitError, Options, Template, fit, fit_best};
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::method::Method;
use crate::scene::Scene;
use crate::scene::skinned::SkinnedMesh;
use glam::Vec3;
use std::sync::Arc;

/// Below this confidence, a joint is marked.
pub const UNCERTAIN: f32 = 0.5;
/// The motion that a fitted skeleton shows.
const FIRST_MOTION: &str = "walk";

/// What the view shows of a skeleton that is being fitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitting {
    /// The name of the mesh.
    pub mesh: String,
    /// Per bone: how certain its tail is, from 0 to 1. Empty if no skeleton was found.
    pub confidence: Vec<f32>,
    /// Per bone: the name of the joint at its tail.
    pub joints: Vec<String>,
    /// Per bone: whether its tail was placed by hand.
    pub placed: Vec<bool>,
    /// The name of the template.
    pub template: String,
    /// Up and front of the body, in the space of the mesh.
    pub axes: [Vec3; 2],
    /// What is in doubt or missing, and what to do.
    pub advice: String,
    /// Whether a newer fit is being computed.
    pub busy: bool,
}

/// A change of what is fitted.
#[derive(Clone, Debug, PartialEq)]
pub enum FitRequest {
    /// Fits a skeleton into the selected mesh, or skinned mesh without bones.
    Begin,
    /// Places the tail of a bone, in the bind pose and skeleton space.
    Place { bone: usize, tail: Vec3 },
    /// Takes another template.
    Template(String),
    /// The body faces another side: a quarter turn about its height.
    Turn,
    /// Forgets what was placed by hand.
    Reset,
    /// Rejects the skeleton.
    End,
}

/// What is wished of a fit.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The name of the template; `None` for the one that fits best.
    pub template: Option<String>,
    pub options: Options,
}

impl Wishes {
    /// Changes the wishes for what is shown.
    pub fn change(&mut self, change: &FitRequest, shown: &Fitting) {
        let pins = &mut self.options.pins;
        match change {
            FitRequest::Place { bone, tail } => {
                let Some(name) = shown.joints.get(*bone) else { return };
                pins.retain(|(pinned, _)| pinned != name);
                pins.push((name.clone(), *tail));
            }
            FitRequest::Template(name) => {
                pins.clear();
                self.template = Some(name.clone());
            }
            FitRequest::Turn => {
                let [up, front] = shown.axes;
                (self.options.up, self.options.front) = (Some(up), Some(up.cross(front)));
            }
            FitRequest::Reset => pins.clear(),
            FitRequest::Begin | FitRequest::End => {}
        }
    }

    /// Fits a skeleton into a body.
    ///
    /// # Errors
    /// If no template fits, the reason of the one that fits best.
    pub fn fit(&self, body: &Body) -> Result<Fit, FitError> {
        match self.template.as_deref().and_then(Template::named) {
            Some(template) => fit(body, &template, &self.options),
            None => fit_best(body, &self.options),
        }
    }
}

/// Returns the surface of a mesh or a skinned mesh.
pub fn surface<'s>(scene: &'s Scene, mesh: &str) -> Option<&'s Arc<HalfedgeMesh>> {
    let skinned = scene.skinned_meshes.get(mesh).map(|skinned| &skinned.surface);
    skinned.or_else(|| scene.meshes.get(mesh).map(|mesh| &mesh.surface))
}

/// Returns the commands that give a mesh the skeleton, with weights; and if it can walk, a take that does.
///
/// # Errors
/// A sentence, if the weights cannot be calculated.
pub fn commands(
    scene: &Scene,
    mesh: &str,
    fit: &Fit,
    progress: &(dyn Fn(f32) -> bool + Sync),
) -> Result<Vec<Command>, String> {
    let skeleton = fit.skeleton(surface(scene, mesh).ok_or("The mesh is gone.")?);
    let mut scene = scene.clone();
    let mut holder = Scene::default();
    let rigged = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
    holder.skinned_meshes.insert("Skeleton".into(), Arc::new(rigged));
    let name = mesh.to_owned();
    let holder = SceneData(Arc::new(holder));
    let mut commands = vec![Command::AddSkeleton { mesh: name.clone(), scene: holder }];
    let apply = |scene: &mut Scene, commands: &[Command]| {
        commands
            .iter()
            .try_for_each(|command| command.apply(scene).map(drop))
            .map_err(|error| error.to_string())
    };
    apply(&mut scene, &commands)?;
    let skinned = scene.skinned_meshes.get(mesh).ok_or("The mesh is gone.")?;
    let method = Method::FOR_NEW_MESHES;
    let weights =
        calculation(skinned, &method, None).run(progress).map_err(|error| error.sentence())?.weights;
    let weights = fit.with_rigid_head(&weights);
    let set = Command::SetCalculatedWeights { mesh: name, bones: None, method, weights };
    apply(&mut scene, std::slice::from_ref(&set))?;
    commands.push(set);
    // A body that cannot walk gets its skeleton all the same.
    if let Ok((walk, _)) = motions::add(&scene, mesh, &Choice { motion: FIRST_MOTION, ..Choice::default() }) {
        commands.extend(walk);
    }
    Ok(commands)
}

/// What the view shows of a fit.
pub fn describe(mesh: &str, fit: &Fit, wishes: &Wishes) -> Fitting {
    let mut fitting = Fitting {
        mesh: mesh.to_owned(),
        template: fit.template().name.clone(),
        axes: fit.axes(),
        ..Fitting::default()
    };
    let mut uncertain = Vec::new();
    for joint in fit.joints() {
        let placed = wishes.options.pins.iter().any(|(name, _)| *name == joint.name);
        if joint.confidence < UNCERTAIN && !placed {
            uncertain.push(joint.name.clone());
        }
        if joint.bone.is_some() {
            fitting.confidence.push(joint.confidence);
            fitting.placed.push(placed);
            fitting.joints.push(joint.name);
        }
    }
    fitting.advice = match uncertain.len() {
        0 => "Drag a joint that is wrong; the rest is fitted again.".into(),
        1..=3 => format!("Uncertain: {}. Drag a joint that is wrong.", uncertain.join(", ")),
        count => format!("{count} joints are uncertain. Drag those that are wrong."),
    };
    fitting
}

/// Returns the place in the bind pose of a point that moves with a bone; both in skeleton space.
pub fn in_bind_pose(skeleton: &Skeleton, bone: usize, point: Vec3) -> Option<Vec3> {
    let (bind, current) = (bind_pose(skeleton), current_pose(skeleton));
    let moved = current.get(bone)?.inverse().transform_point3(point.as_dvec3());
    Some(bind.get(bone)?.transform_point3(moved).as_vec3())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;

    /// A quarter turn about z takes the tail of a bone along x to y.
    #[test]
    fn a_point_on_a_posed_bone_is_found_in_the_bind_pose() {
        let bone = Bone { extent: Vec3::X, pose_deg: Vec3::new(0.0, 0.0, 90.0), ..Bone::default() };
        let skeleton = Skeleton { bones: vec![bone], base: Vec3::Y, ..Skeleton::default() };
        let posed = current_pose(&skeleton)[0].transform_point3(glam::DVec3::X).as_vec3();
        let found = in_bind_pose(&skeleton, 0, posed).unwrap();
        assert!(found.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "{posed} {found}");
        assert!(posed.distance(found) > 1.0);
    }
}
