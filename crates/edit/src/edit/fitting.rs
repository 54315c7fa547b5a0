//! Fits a skeleton into a body and proposes it, walking: the commands, and what the view shows of it. The document changes
//! once the proposal is accepted.

use crate::edit::command::weights::calculation;
use crate::edit::command::{Command, SceneData};
use crate::edit::motions::{self, Choice};
use crate::edit::standing::{nearest_axis, standing_from_mesh};
use crate::math::axis::Axis;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::body::side_names::flipped;
use crate::rig::fit::{Body, Fit, FitError, Options, Template, UNSURE, fit, fit_best, guesses};
use crate::rig::kinematics::{bind_pose, current_pose};
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::method::Method;
use crate::scene::Scene;
use crate::scene::names::{Kind, ObjectRef};
use crate::scene::skinned::SkinnedMesh;
use glam::{Affine3A, Mat3, Vec3};
use std::sync::Arc;

/// How far the joints of both sides may differ in height and depth to be moved alike, as a fraction of the height.
const ALIKE: f32 = 0.05;
/// The motion that a fitted skeleton shows.
const FIRST_MOTION: &str = "walk";

/// Nearly rigid: bones three times as far away as the nearest one get nothing.
const ROUGH: Method = Method::power(8.0);

/// What the view shows of a skeleton that is being fitted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fitting {
    /// The name of the mesh.
    pub mesh: String,
    /// Per bone, or where no skeleton was found per joint that has to be placed: how certain its tail is, from 0 to 1.
    pub confidence: Vec<f32>,
    /// Per bone: the name of the joint at its tail.
    pub joints: Vec<String>,
    /// Per bone: whether its tail was placed by hand.
    pub placed: Vec<bool>,
    /// Per bone: its tail in the bind pose, in the space of the mesh.
    pub tails: Vec<Vec3>,
    /// The number of bones that were fitted.
    pub bones: usize,
    /// The name of the template.
    pub template: String,
    /// Up and front of the body, in the space of the mesh.
    pub axes: [Vec3; 2],
    /// What made it stand. All other positions and directions are those before.
    pub standing: Affine3A,
    /// What is in doubt or missing, and what to do.
    pub advice: String,
    /// Whether a newer fit is being computed.
    pub busy: bool,
    /// Whether that one is accepted as soon as it is ready.
    pub accepts: bool,
    /// Whether the last wish can be taken back, and one that was taken back restored.
    pub can_undo: bool,
    pub can_redo: bool,
}

/// A change of what is fitted.
#[derive(Clone, Debug, PartialEq)]
pub enum FitRequest {
    /// Fits a skeleton into the selected mesh, or skinned mesh without bones.
    Begin,
    /// Places the tail of a bone, in the bind pose and skeleton space, of the body as it stands.
    Place { bone: usize, tail: Vec3 },
    /// The same while the joint is dragged: with the last weights, until it is placed.
    Drag { bone: usize, tail: Vec3 },
    /// The joint was not placed after all.
    Undrag,
    /// Takes another template.
    Template(String),
    /// The body faces another side: a quarter turn about its height.
    Turn,
    /// Another side is up: a quarter turn forwards.
    Tip,
    /// Forgets what was placed by hand.
    Reset,
    /// Takes back the last of the changes above.
    Undo,
    /// Restores what was taken back last.
    Redo,
    /// Accepts the skeleton that is being fitted as soon as it is ready.
    Accept,
    /// Rejects the skeleton.
    End,
}

/// What is wished of a fit.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The name of the template; `None` for the one that fits best.
    pub template: Option<String>,
    pub options: Options,
    /// The names of the joints that were placed as the mirror image of another.
    followers: Vec<String>,
}

impl Fitting {
    /// Returns the name of the joint on the other side, and where it is if this one is moved to a point; `None` if there is
    /// none, or if the body does not hold both sides alike.
    fn twin(&self, bone: usize, to: Vec3) -> Option<(String, Vec3)> {
        let name = flipped(self.joints.get(bone)?, Axis::X)?;
        let twin = self.joints.iter().position(|joint| *joint == name)?;
        let (this, other) = (*self.tails.get(bone)?, *self.tails.get(twin)?);
        let left = self.axes[0].cross(self.axes[1]);
        let heights = self.tails.iter().map(|tail| tail.dot(self.axes[0]));
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)));
        let is_alike = (other - this).reject_from(left).length() < ALIKE * (high - low);
        is_alike.then(|| (name, other + (to - this).reflect(left)))
    }
}

/// The names of the coordinate axes that are up and front, as in `-z`; of a direction between two, as in `x 30° to z`.
pub fn axis_names(axes: [Vec3; 2]) -> [String; 2] {
    let name = |axis: Vec3| {
        let component = axis.abs().max_position();
        let sign = if axis[component] < 0.0 { "-" } else { "" };
        format!("{sign}{}", ["x", "y", "z"][component])
    };
    axes.map(|axis| {
        let nearest = nearest_axis(axis);
        match axis.angle_between(nearest).to_degrees().round() {
            0.0 => name(axis),
            off => format!("{} {off}° to {}", name(axis), name(axis.reject_from(nearest))),
        }
    })
}

impl Wishes {
    /// Changes the wishes for what is shown.
    pub fn change(&mut self, change: &FitRequest, shown: &Fitting) {
        let pins = &mut self.options.pins;
        match change {
            FitRequest::Place { bone, tail } | FitRequest::Drag { bone, tail } => {
                let Some(name) = shown.joints.get(*bone) else { return };
                let is_pinned = |pins: &[(String, Vec3)], name: &str| pins.iter().any(|pin| pin.0 == name);
                let tail = shown.standing.inverse().transform_point3(*tail);
                // The other side follows, until it is placed itself.
                let twin = shown.twin(*bone, tail);
                let twin = twin.filter(|twin| !is_pinned(pins, &twin.0) || self.followers.contains(&twin.0));
                self.followers.retain(|follower| follower != name);
                for (name, tail) in [Some((name.clone(), tail)), twin.clone()].into_iter().flatten() {
                    pins.retain(|(pinned, _)| *pinned != name);
                    pins.push((name, tail));
                }
                self.followers.extend(twin.map(|twin| twin.0));
            }
            FitRequest::Template(name) => {
                pins.clear();
                self.followers.clear();
                self.template = Some(name.clone());
            }
            FitRequest::Turn | FitRequest::Tip => {
                // From what was asked for last, even if no skeleton was found for it.
                let [up, front] = shown.axes;
                let (up, front) = (self.options.up.unwrap_or(up), self.options.front.unwrap_or(front));
                let turned = if *change == FitRequest::Turn { (up, up.cross(front)) } else { (front, -up) };
                (self.options.up, self.options.front) = (Some(turned.0), Some(turned.1));
            }
            FitRequest::Reset => {
                pins.clear();
                self.followers.clear();
            }
            FitRequest::Begin
            | FitRequest::Undrag
            | FitRequest::Undo
            | FitRequest::Redo
            | FitRequest::Accept
            | FitRequest::End => {}
        }
    }

    /// Fits a skeleton into a body: a template that comes with the program, or the skeleton of another mesh of the scene.
    ///
    /// # Errors
    /// If no template fits, the reason of the one that fits best.
    pub fn fit(&self, body: &Body, scene: &Scene) -> Result<Fit, FitError> {
        let of_scene = |name: &str| {
            let mesh = scene.skinned_meshes.get(name)?;
            Some(Template::from_skeleton(name, &mesh.skeleton))
        };
        match self.template.as_deref().and_then(|name| Template::named(name).or_else(|| of_scene(name))) {
            Some(template) => fit(body, &template, &self.options),
            None => fit_best(body, &self.options),
        }
    }
}

/// The names of what can be fitted into a mesh: the templates that come with the program, and the other skeletons of the scene.
pub fn templates<'s>(scene: &'s Scene, mesh: &str) -> impl Iterator<Item = &'s str> {
    let others = scene.skinned_meshes.iter().filter(move |(name, skinned)| {
        name.as_str() != mesh && !skinned.skeleton.bones.is_empty() && Template::named(name).is_none()
    });
    let included = Template::names().map(|name| -> &'s str { name });
    included.chain(others.map(|(name, _)| name.as_str()))
}

/// Commands, and what was found on the way, as sentences.
pub struct Rigging {
    pub commands: Vec<Command>,
    pub findings: Vec<String>,
}

/// The weights of an earlier fit.
pub struct FittedWeights {
    bones: Vec<Option<Arc<str>>>,
    weights: VertexWeights,
}

impl FittedWeights {
    /// Takes them from the commands that propose a skeleton; `None` if these give it none.
    pub fn proposed(commands: &[Command]) -> Option<Self> {
        let bones = commands.iter().find_map(|command| match command {
            Command::AddSkeleton { scene, .. } => scene.0.skinned_meshes.values().next(),
            _ => None,
        });
        let weights = commands.iter().find_map(|command| match command {
            Command::SetCalculatedWeights { weights, .. } => Some(weights.clone()),
            _ => None,
        });
        Some(Self { bones: names(&bones?.skeleton), weights: weights? })
    }
}

fn names(skeleton: &Skeleton) -> Vec<Option<Arc<str>>> {
    skeleton.bones.iter().map(|bone| bone.name.clone()).collect()
}

/// The weights that a fitted skeleton gets.
#[derive(Clone, Copy)]
pub enum Weighing<'a> {
    /// As any new skin.
    Calculated,
    /// By the distance to bones, in a fraction of the time: for the first look.
    Rough,
    /// Those of an earlier fit, if it has the same bones, or else calculated ones.
    Last(&'a FittedWeights),
}

/// Returns the commands that give a mesh the skeleton, with weights; and if it can walk, a take that does.
///
/// # Errors
/// A sentence, if the weights cannot be calculated.
pub fn commands(
    scene: &Scene,
    mesh: &str,
    fit: &Fit,
    weighing: Weighing,
    progress: &(dyn Fn(f32) -> bool + Sync),
) -> Result<Vec<Command>, String> {
    let Rigging { mut commands, .. } = rigging_with(scene, mesh, fit, weighing, progress)?;
    let mut scene = scene.clone();
    apply(&mut scene, &commands)?;
    // A body that cannot walk gets its skeleton all the same.
    if let Ok((walk, _)) = motions::add(&scene, mesh, &Choice { motion: FIRST_MOTION, ..Choice::default() }) {
        commands.extend(walk);
    }
    Ok(commands)
}

fn apply(scene: &mut Scene, commands: &[Command]) -> Result<(), String> {
    commands.iter().try_for_each(|command| command.apply(scene).map(drop)).map_err(|error| error.to_string())
}

/// Returns the commands that make a body stand in the scene (see [`standing_from_mesh`]), and give it the skeleton, with weights.
///
/// # Errors
/// A sentence, if the weights cannot be calculated.
pub fn rigging(
    scene: &Scene,
    mesh: &str,
    fit: &Fit,
    progress: &(dyn Fn(f32) -> bool + Sync),
) -> Result<Rigging, String> {
    rigging_with(scene, mesh, fit, Weighing::Calculated, progress)
}

fn rigging_with(
    scene: &Scene,
    mesh: &str,
    fit: &Fit,
    weighing: Weighing,
    progress: &(dyn Fn(f32) -> bool + Sync),
) -> Result<Rigging, String> {
    let mut scene = scene.clone();
    let mut commands = Vec::new();
    let mut body = HalfedgeMesh::clone(scene.surface(mesh).ok_or("The mesh is gone.")?);
    let (mut fit, mut offset) = (fit.clone(), Vec3::ZERO);
    if let Some(standing) = standing_from_mesh(&scene, mesh, fit.axes()) {
        let turn = Mat3::from(standing.matrix3);
        offset = standing.translation.into();
        let kind = if scene.skinned_meshes.contains_key(mesh) { Kind::SkinnedMesh } else { Kind::Mesh };
        let [up, front] = [Vec3::Y, Vec3::Z].map(|axis| turn.transpose() * axis);
        commands.push(Command::OrientSurface { mesh: ObjectRef::new(kind, mesh), up, front, offset });
        apply(&mut scene, &commands)?;
        body.scale_and_rotate(1.0, turn);
        fit = fit.turned(turn);
    }
    let mut skeleton = fit.skeleton(&body);
    fit.check_fingers(&skeleton).map_err(|error| error.to_string())?;
    skeleton.base += offset;
    let bones = names(&skeleton);
    let mut holder = Scene::default();
    let rigged = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
    holder.skinned_meshes.insert("Skeleton".into(), Arc::new(rigged));
    let name = mesh.to_owned();
    let holder = SceneData(Arc::new(holder));
    let add = Command::AddSkeleton { mesh: name.clone(), scene: holder };
    apply(&mut scene, std::slice::from_ref(&add))?;
    commands.push(add);
    let skinned = scene.skinned_meshes.get(mesh).ok_or("The mesh is gone.")?;
    let method = if matches!(weighing, Weighing::Rough) { ROUGH } else { Method::FOR_NEW_MESHES };
    let (weights, findings) = match weighing {
        Weighing::Last(last) if last.bones == bones => (last.weights.clone(), Vec::new()),
        _ => {
            let calculated = calculation(skinned, &method, None).run(progress);
            let calculated = calculated.map_err(|error| error.sentence())?;
            let weights = fit.with_rigid_parts(&calculated.weights, &skinned.skeleton, &skinned.surface);
            (weights, calculated.findings)
        }
    };
    commands.push(Command::SetCalculatedWeights { mesh: name, bones: None, method, weights });
    Ok(Rigging { commands, findings })
}

/// What the view shows of a fit that is in the scene. `before`: the scene without it.
pub fn describe(before: &Scene, scene: &Scene, mesh: &str, fit: &Fit, wishes: &Wishes) -> Fitting {
    let mut fitting = Fitting {
        mesh: mesh.to_owned(),
        bones: scene.skinned_meshes.get(mesh).map_or(0, |skinned| skinned.skeleton.bones.len()),
        template: fit.template().name.clone(),
        axes: fit.axes(),
        standing: standing_from_mesh(before, mesh, fit.axes()).unwrap_or_default(),
        ..Fitting::default()
    };
    let mut uncertain = Vec::new();
    for joint in fit.joints() {
        let placed = wishes.options.pins.iter().any(|(name, _)| *name == joint.name);
        if joint.confidence < UNSURE && !placed {
            uncertain.push(joint.name.clone());
        }
        if joint.bone.is_some() {
            fitting.tails.push(joint.position);
            fitting.confidence.push(joint.confidence);
            fitting.placed.push(placed);
            fitting.joints.push(joint.name);
        }
    }
    fitting.advice = match uncertain.len() {
        0 => "Drag a joint that is wrong.".into(),
        1..=3 => format!("Uncertain: {}. Drag a joint that is wrong.", uncertain.join(", ")),
        count => format!("{count} joints are uncertain. Drag those that are wrong."),
    };
    if let Err(why) = motions::offered(scene, mesh) {
        fitting.advice = format!("It gets no walk. {why} {}", fitting.advice);
    }
    fitting
}

/// What the view shows where no skeleton was found: the joints that have to be placed, about where they would be, and those
/// that were.
pub fn ask(mesh: &str, surface: &HalfedgeMesh, missing: &[String], wishes: &Wishes) -> Fitting {
    let options = &wishes.options;
    let axes = [options.up.unwrap_or(Vec3::Y), options.front.unwrap_or(Vec3::Z)];
    let mut fitting = Fitting { mesh: mesh.to_owned(), axes, ..Fitting::default() };
    let name = wishes.template.as_deref().or_else(|| Template::names().next());
    let Some(template) = name.and_then(Template::named) else { return fitting };
    for (name, guess) in guesses(&template, surface.positions(), axes) {
        let pin = options.pins.iter().find(|(pinned, _)| *pinned == name);
        if pin.is_none() && !missing.contains(&name) {
            continue;
        }
        fitting.tails.push(pin.map_or(guess, |pin| pin.1));
        fitting.confidence.push(0.0);
        fitting.placed.push(pin.is_some());
        fitting.joints.push(name);
    }
    fitting.template = template.name;
    fitting.advice = format!("Drag the rings to where these joints are: {}.", missing.join(", "));
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

    fn place(wishes: &mut Wishes, shown: &Fitting, bone: usize, tail: Vec3) -> Vec<(String, Vec3)> {
        wishes.change(&FitRequest::Place { bone, tail }, shown);
        let mut pins = wishes.options.pins.clone();
        pins.sort_by(|a, b| a.0.cmp(&b.0));
        pins
    }

    /// A joint takes the other side along, until that is placed itself, and only where both sides are alike. The body faces
    /// x, so that its left is -z.
    #[test]
    fn a_placed_joint_takes_its_twin_along() {
        let names = ["head", "wrist.L", "wrist.R", "knee.L", "knee.R"];
        let tails = [[0.0, 2.0, 0.0], [0.0, 1.0, -1.0], [0.0, 1.02, 1.0], [0.0, 0.5, -0.2], [0.4, 0.5, 0.2]];
        let shown = Fitting {
            joints: names.map(String::from).to_vec(),
            tails: tails.map(Vec3::from).to_vec(),
            axes: [Vec3::Y, Vec3::X],
            ..Fitting::default()
        };
        let mut wishes = Wishes::default();
        let pin = |name: &str, point: [f32; 3]| (name.to_owned(), Vec3::from(point));
        let left = pin("wrist.L", [0.1, 1.2, -1.1]);
        let found = place(&mut wishes, &shown, 1, left.1);
        assert_eq!(found[0], left);
        assert!(
            found[1].0 == "wrist.R" && found[1].1.abs_diff_eq(Vec3::new(0.1, 1.22, 1.1), 1e-6),
            "{found:?}"
        );
        let right = pin("wrist.R", [0.0, 1.1, 0.9]);
        assert_eq!(place(&mut wishes, &shown, 2, right.1)[1], right);
        let left = pin("wrist.L", [0.0, 1.5, -1.0]);
        assert_eq!(place(&mut wishes, &shown, 1, left.1), [left.clone(), right.clone()]);
        let knee = pin("knee.L", [0.0, 0.6, -0.2]);
        assert_eq!(place(&mut wishes, &shown, 3, knee.1), [knee.clone(), left, right]);
        wishes.change(&FitRequest::Reset, &shown);
        assert_eq!(place(&mut wishes, &shown, 0, Vec3::Y), [pin("head", [0.0, 1.0, 0.0])]);
    }

    /// The joints that are missing are asked for, about where they are in a person who faces x; placed ones stay to be moved.
    #[test]
    fn missing_joints_are_asked_for() {
        let surface = crate::mesh::primitives::tube(0.4, 2.0, 8, 2).unwrap();
        let mut wishes = Wishes::default();
        wishes.options.front = Some(Vec3::X);
        let names = ["wrist.L", "wrist.R", "ankle.L", "ankle.R"].map(String::from);
        let shown = ask("Body", &surface, &names, &wishes);
        assert_eq!((shown.bones, &shown.placed, shown.joints.len()), (0, &vec![false; 4], 4));
        assert!(shown.advice.contains("wrist.L, wrist.R, ankle.L"), "{}", shown.advice);
        let tail = |shown: &Fitting, name: &str| {
            shown.tails[shown.joints.iter().position(|joint| joint == name).unwrap()]
        };
        let (left, ankle) = (tail(&shown, "wrist.L"), tail(&shown, "ankle.L"));
        // The left of whoever faces x is -z.
        assert!(left.z < -0.2 && tail(&shown, "wrist.R").z > 0.2 && left.y > ankle.y + 0.5, "{left} {ankle}");
        let wrist = shown.joints.iter().position(|joint| joint == "wrist.L").unwrap();
        wishes.change(&FitRequest::Place { bone: wrist, tail: Vec3::Y }, &shown);
        let shown = ask("Body", &surface, &names[2..], &wishes);
        assert_eq!((tail(&shown, "wrist.L"), shown.joints.len()), (Vec3::Y, 4), "its twin went along");
    }

    /// Another press turns on, although no skeleton was found after the first.
    #[test]
    fn four_turns_are_a_whole_one() {
        let shown = Fitting { axes: [Vec3::Y, Vec3::Z], ..Fitting::default() };
        let mut wishes = Wishes::default();
        let fronts = [Vec3::X, -Vec3::Z, -Vec3::X, Vec3::Z];
        for front in fronts {
            wishes.change(&FitRequest::Turn, &shown);
            assert_eq!(wishes.options.front, Some(front));
        }
        let ups = [Vec3::Z, -Vec3::Y, -Vec3::Z, Vec3::Y];
        for up in ups {
            wishes.change(&FitRequest::Tip, &shown);
            assert_eq!(wishes.options.up, Some(up));
        }
        assert_eq!(wishes.options.front, Some(Vec3::Z));
        assert_eq!(axis_names([Vec3::Y, -Vec3::Z]), ["y", "-z"]);
        assert_eq!(axis_names([Vec3::Y, Vec3::new(0.6, 0.0, -0.8)])[1], "-z 37° to x");
    }

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
