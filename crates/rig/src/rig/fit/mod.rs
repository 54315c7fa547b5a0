//! Fits a skeleton into a bare body: of any scale, facing and pose with limbs apart, of several shells.
//!
//! The body becomes voxels ([`voxels`]). Its extremities are the maxima of the distance from its middle ([`extremities`]); the
//! slices of a limb are the voxels at equal distances from its tip, and the limb ends where they grow ([`limb`]). A search
//! finds which limb is which chain of a template, and which way the body faces ([`assign`]). Joints lie along the lines
//! through the middles of the slices ([`place`]).
//!
//! The idea of embedding a given skeleton by penalties, and most of these, are from I. Baran and J. Popović, "Automatic
//! rigging and animation of 3D characters", ACM Transactions on Graphics 26(3), 2007. They embed it in a graph of packed
//! spheres; here the graph is replaced by limbs, which are few, so that large heads and short legs have no other place.
//!
//! Results depend on nothing but the input. Limbs that grow together, with each other or with the trunk, are not told apart:
//! the error says what to click.

mod adjust;
mod anatomy;
mod apart;
mod assign;
mod bones;
mod error;
mod extremities;
mod facing;
mod finger_pins;
mod fingers;
mod joints;
mod landmarks;
mod limb;
mod line;
mod pins;
mod place;
mod rigid;
mod rigid_shells;
mod shells;
mod side_by_side;
mod template;
mod tuning;
mod voxels;

use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::body::roles::{Role, role};
use crate::rig::kinematics::parent_of;
use crate::rig::skeleton::Skeleton;
use crate::rig::weights::VertexWeights;
use anatomy::Anatomy;
use apart::Apart;
use assign::{Assignment, Orientation};
pub use error::FitError;
use facing::Facing;
use glam::{Mat3, Vec3};
pub use joints::guesses;
use pins::{Pinned, Placed};
pub use shells::is_sheet;
use std::sync::{Arc, OnceLock};
use template::Chain;
pub use template::Template;

/// What is known about the body.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The direction of the head in mesh space, about a coordinate axis or its opposite, or the like of a body that is turned.
    /// `None`: the one that fits best.
    pub up: Option<Vec3>,
    /// The direction in which the body faces, likewise.
    pub front: Option<Vec3>,
    /// Where joints are, by their names (see [`Fit::joints`]), in mesh space.
    pub pins: Vec<(String, Vec3)>,
}

impl Options {
    /// The same in other axes.
    fn turned(&self, turn: Mat3) -> Self {
        let pins = self.pins.iter().map(|(name, point)| (name.clone(), turn * *point));
        let direction = |axis: Option<Vec3>| axis.map(|axis| turn * axis);
        Self { up: direction(self.up), front: direction(self.front), pins: pins.collect() }
    }
}

/// The confidence of joints below which somebody should look where they are.
pub const UNSURE: f32 = 0.5;

/// A joint of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The anatomical name of a joint that has one, as in `wrist.L`, or else that of the bone that ends there; `hips` for the
    /// start of the skeleton.
    pub name: String,
    /// In mesh space.
    pub position: Vec3,
    /// From 0 (a guess) to 1 (clear, or pinned); below [`UNSURE`], somebody should look.
    pub confidence: f32,
    /// The bone that ends there; `None` for the start of the skeleton.
    pub bone: Option<usize>,
}

/// A body that was analysed: the slow part of a fit, for any template.
#[derive(Debug)]
pub struct Body {
    /// In mesh space.
    bounds: Bounds,
    /// All else is in upright axes.
    facing: Facing,
    whole: Arc<Anatomy>,
    /// Without its outer layer, so that limbs that only touch are apart; made when needed.
    apart: [OnceLock<Option<Arc<Anatomy>>>; apart::WAYS.len()],
    /// The largest shell alone, without what is worn and carried; made when needed, and `None` if it is not most of the body.
    largest: OnceLock<Option<Arc<Anatomy>>>,
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Body {
    /// Analyses a surface given by its vertices and triangles, in mesh space.
    ///
    /// # Errors
    /// [`FitError::Empty`] and [`FitError::Several`].
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Self, FitError> {
        let triangles = shells::without_sheets(positions, triangles);
        let bounds =
            Bounds::from_points(triangles.iter().flatten().map(|vertex| positions[*vertex as usize]));
        let facing = Facing::new(positions, &triangles);
        let positions: Vec<Vec3> = positions.iter().map(|point| facing.upright_from_mesh * *point).collect();
        let whole = Anatomy::new(&positions, &triangles, Apart::Not).ok_or(FitError::Empty)?;
        if whole.bodies.len() > 1 {
            let back = facing.upright_from_mesh.transpose();
            return Err(FitError::Several(whole.bodies.iter().map(|body| back * body.center()).collect()));
        }
        Ok(Self {
            bounds,
            facing,
            whole: Arc::new(whole),
            apart: Default::default(),
            largest: OnceLock::new(),
            positions,
            triangles,
        })
    }

    /// Analyses a surface.
    ///
    /// # Errors
    /// See [`Body::new`].
    pub fn from_surface(surface: &HalfedgeMesh) -> Result<Self, FitError> {
        Self::new(surface.positions(), &surface.triangles())
    }

    /// Refuses pins that are far from the body, as those in another unit are.
    fn check_pins(&self, pins: &[(String, Vec3)]) -> Result<(), FitError> {
        let Bounds { min, max } = self.bounds;
        let most = tuning::FAR_PIN * (max - min).max_element();
        let is_far = |point: Vec3| point.distance(point.max(min).min(max)) > most;
        match pins.iter().find(|(_, point)| is_far(*point)) {
            Some((name, point)) => {
                Err(FitError::Far { name: name.clone(), point: *point, body: self.bounds })
            }
            None => Ok(()),
        }
    }

    /// The body with touching parts taken apart, in each way of [`apart::WAYS`].
    fn apart(&self) -> impl Iterator<Item = Arc<Anatomy>> {
        let analysis = |how| Anatomy::new(&self.positions, &self.triangles, how).map(Arc::new);
        let ways = self.apart.iter().zip(apart::WAYS);
        ways.filter_map(move |(apart, how)| apart.get_or_init(|| analysis(how)).clone())
    }

    fn largest(&self) -> Option<Arc<Anatomy>> {
        let analysis = || {
            let triangles = shells::largest(&self.positions, &self.triangles, tuning::MAIN_SHELL)?;
            Anatomy::new(&self.positions, &triangles, Apart::Not).map(Arc::new)
        };
        self.largest.get_or_init(analysis).clone()
    }
}

/// A skeleton fitted into a body.
#[derive(Clone, Debug)]
pub struct Fit {
    facing: Facing,
    body: Arc<Anatomy>,
    template: Arc<Template>,
    chains: Vec<Chain>,
    /// What is known, in upright axes.
    options: Options,
    assignment: Assignment,
    placed: Placed,
    confidences: Vec<f32>,
}

/// Fits `template` into a body.
///
/// # Errors
/// See [`FitError`].
pub fn fit(body: &Body, template: &Template, options: &Options) -> Result<Fit, FitError> {
    body.check_pins(&options.pins)?;
    fit_into(body, template, options, true)
}

/// `takes_apart`: whether touching parts are taken apart if limbs are missing, which takes as long as all before.
fn fit_into(body: &Body, template: &Template, options: &Options, takes_apart: bool) -> Result<Fit, FitError> {
    // Pins do not decide what the body is: with and without its outer layer, the other joints are elsewhere.
    if !options.pins.is_empty() {
        let unpinned = Options { pins: Vec::new(), ..options.clone() };
        let unpinned = fit_into(body, template, &unpinned, takes_apart);
        if let Ok(pinned) = unpinned.and_then(|unpinned| unpinned.refit(options.pins.clone())) {
            return Ok(pinned);
        }
    }
    let template = Arc::new(template.clone());
    let facing = body.facing;
    let options = options.turned(facing.upright_from_mesh);
    let into = |anatomy: Arc<Anatomy>| Fit::new(facing, anatomy, template.clone(), options.clone());
    let whole = into(body.whole.clone());
    // Skirts, robes and staffs make limbs one that are apart in the body itself.
    let without = match &whole {
        Ok(fit) if fit.penalty() < tuning::CLEAR_PENALTY => None,
        _ => body.largest().and_then(|largest| into(largest).ok()),
    };
    let mut best = match (whole, without) {
        (Ok(whole), Some(other)) if other.penalty() > whole.penalty() - tuning::MAIN_SHELL_GAIN => Ok(whole),
        (_, Some(other)) => Ok(other),
        (whole, None) => whole,
    };
    let is_in_question = |fitted: &Result<Fit, FitError>| {
        matches!(fitted, Err(FitError::Unclear(_) | FitError::Outside { .. }))
    };
    for apart in body.apart() {
        if !takes_apart || !is_in_question(&best) {
            break;
        }
        best = match (best, into(apart)) {
            (_, Ok(found)) => Ok(found),
            // It knows more: the limbs were found, or are pinned.
            (Err(FitError::Unclear(_)), Err(outside @ FitError::Outside { .. })) => Err(outside),
            (best, _) => best,
        };
    }
    best
}

/// Fits the template that comes with the program and fits best.
///
/// # Errors
/// [`FitError::Far`], or that of the first template that has the joints which are pinned, see [`FitError`].
pub fn fit_best(body: &Body, options: &Options) -> Result<Fit, FitError> {
    body.check_pins(&options.pins)?;
    let templates: Vec<Template> = Template::names().filter_map(Template::named).collect();
    let lacks_joint = |fit: &Result<Fit, FitError>| matches!(fit, Err(FitError::UnknownJoint { .. }));
    let best = |takes_apart: bool| {
        let fits = templates.iter().map(|template| fit_into(body, template, options, takes_apart));
        let best = fits.reduce(|best, other| match (&best, &other) {
            (Err(_), Ok(_)) => other,
            // Pins with names of the other template are no reason.
            (Err(_), Err(_)) if lacks_joint(&best) && !lacks_joint(&other) => other,
            (Ok(a), Ok(b)) if b.penalty() < a.penalty() => other,
            _ => best,
        });
        best.unwrap_or(Err(FitError::NoLimbs))
    };
    best(false).or_else(|_| best(true))
}

impl Fit {
    fn new(
        facing: Facing,
        body: Arc<Anatomy>,
        template: Arc<Template>,
        options: Options,
    ) -> Result<Self, FitError> {
        let chains = template.chains();
        if chains.is_empty() {
            return Err(FitError::NoLimbs);
        }
        let names = joints::names(&template, &chains);
        let mut pins = Vec::with_capacity(options.pins.len());
        for (name, point) in &options.pins {
            match joints::find(&template, &names, name) {
                Some(joint) => pins.push((joint, *point)),
                // The surface tells which fingers there are.
                None if template.has_named_limits && fingers::may_have(&template.skeleton, name) => {}
                None => return Err(FitError::UnknownJoint { name: name.clone(), available: names }),
            }
        }
        let orientations = Orientation::all(options.up, options.front);
        let is_complete = |assignment: &Assignment| {
            chains.iter().zip(&assignment.limbs).all(|(chain, limb)| limb.is_some() || chain.is_optional)
        };
        // Whoever says where the front is has seen the body.
        let is_clear =
            |assignment: &Assignment, most: f32| options.front.is_some() || assignment.penalty <= most;
        let unpinned = match pins.is_empty() {
            true => None,
            false => {
                let any = vec![(0..body.limbs.len()).collect(); chains.len()];
                let found = assign::assign(&chains, &body.limbs, &orientations, &any);
                found.filter(|found| is_complete(found) && is_clear(found, tuning::MOST_PENALTY))
            }
        };
        let unclear = |assignment: Option<&Assignment>| {
            FitError::Unclear(joints::to_click(&names, &chains, assignment, &pins))
        };
        let (body, allowed) = joints::with_pinned_limbs(body, &chains, &pins, unpinned.as_ref());
        let assignment = assign::assign(&chains, &body.limbs, &orientations, &allowed);
        let assignment = assignment.ok_or_else(|| unclear(None))?;
        if !is_complete(&assignment) {
            return Err(unclear(Some(&assignment)));
        }
        let pinned_limbs = assignment.limbs.iter().flatten().filter(|&&limb| body.limbs[limb].is_only_pin());
        let most = tuning::MOST_PENALTY + tuning::ONLY_PIN * pinned_limbs.count() as f32;
        if !is_clear(&assignment, most) {
            return Err(unclear(None));
        }
        let turn = assignment.orientation.body_from_mesh();
        let mut pinned = Pinned::none(template.skeleton.bones.len());
        for &(joint, point) in &pins {
            match joint {
                Some(bone) => pinned.tips[bone] = Some(turn * point),
                None => pinned.base = Some(turn * point),
            }
        }
        let left = turn.transpose() * Vec3::X;
        let is_symmetric = facing.asymmetry.dot(left.abs()) < tuning::SAME_SIDES;
        let place = |assignment: &Assignment, pinned: &Pinned| {
            place::place(&body, &template, &chains, assignment, pinned)
        };
        let adjust = |placed: &mut Placed, pinned: [&Pinned; 2]| {
            adjust::adjust(&body, &template, &chains, turn, pinned, is_symmetric, placed);
        };
        let mut placed = place(&assignment, &pinned);
        let mut stay = pinned.clone();
        if let Some(unpinned) = unpinned.filter(|unpinned| unpinned.orientation == assignment.orientation) {
            let none = &Pinned::none(placed.tips.len());
            let without = place(&unpinned, none);
            let mut adjusted = without.clone();
            adjust(&mut adjusted, [none; 2]);
            stay = pinned.and_unmoved(&placed, &without, &adjusted);
            stay.apply(&mut placed);
        }
        adjust(&mut placed, [&pinned, &stay]);
        let confidences = joints::confidences(&body, &template, &chains, &assignment, &pinned);
        let fit = Self { facing, body, template, chains, options, assignment, placed, confidences };
        let outside = fit.bones_outside().len();
        // The dog of dm_control has 6 of 35 and is right, a rat of open shells with five pins nearly all.
        if 2 * outside > fit.placed.tips.len() {
            let joints = joints::to_click(&names, &fit.chains, None, &pins);
            return Err(FitError::Outside { outside, bones: fit.placed.tips.len(), joints });
        }
        Ok(fit)
    }

    /// Fits again with other pins; the body is not analysed again.
    ///
    /// # Errors
    /// See [`FitError`].
    pub fn refit(&self, pins: Vec<(String, Vec3)>) -> Result<Self, FitError> {
        let pins = Options { pins, ..Options::default() }.turned(self.facing.upright_from_mesh).pins;
        let options = Options { pins, ..self.options.clone() };
        Self::new(self.facing, self.body.clone(), self.template.clone(), options)
    }

    /// The fit of the same body after a rotation about the origin.
    pub fn turned(&self, turn: Mat3) -> Self {
        let upright_from_mesh = self.facing.upright_from_mesh * turn.transpose();
        Self { facing: Facing { upright_from_mesh, ..self.facing }, ..self.clone() }
    }

    /// The template that was fitted.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// The joints: the start of the skeleton, and then the end of each bone.
    pub fn joints(&self) -> Vec<Joint> {
        let back = self.body_from_mesh().transpose();
        let names = joints::names(&self.template, &self.chains);
        let positions = std::iter::once(&self.placed.base).chain(&self.placed.tips);
        let joints = names.into_iter().zip(positions).zip(&self.confidences).enumerate();
        joints
            .map(|(index, ((name, position), confidence))| Joint {
                name,
                position: back * *position,
                confidence: *confidence,
                bone: index.checked_sub(1),
            })
            .collect()
    }

    /// How badly the body fits: 0 for the template itself, below 0.3 for most bodies of its kind.
    pub fn penalty(&self) -> f32 {
        self.assignment.penalty
    }

    /// The directions of the body in mesh space: up and front. Unless its left points between coordinate axes, these are two
    /// of them.
    pub fn axes(&self) -> [Vec3; 2] {
        let Orientation { up, front } = self.assignment.orientation;
        [up, front].map(|axis| self.facing.upright_from_mesh.transpose() * axis)
    }

    /// The rotation to the axes of templates: left +x, up +y, front +z.
    fn body_from_mesh(&self) -> Mat3 {
        self.assignment.orientation.body_from_mesh() * self.facing.upright_from_mesh
    }

    /// The share of the body that the skeleton was fitted into; the rest are separate pieces.
    pub fn share(&self) -> f32 {
        self.body.share
    }

    /// The skeleton, in mesh space, with names, rolls, radii and limits. `surface`: the body. The bones of the template come
    /// first; if hands have more fingers, those follow.
    pub fn skeleton(&self, surface: &HalfedgeMesh) -> Skeleton {
        let turn = self.body_from_mesh();
        let mut skeleton = bones::skeleton(&self.template, &self.chains, &self.placed, turn);
        if self.template.has_named_limits {
            fingers::replace(&mut skeleton, surface);
            self.put_pinned_tips(&mut skeleton);
        }
        bones::complete(&mut skeleton, surface, self.template.has_named_limits);
        skeleton
    }

    /// Weights in which the head follows the bone of the head alone, and so do separate pieces of the surface that do not bend with
    /// what they are on. `weights`: of `surface`, as a method calculated them for `skeleton`, that of this fit.
    pub fn with_rigid_parts(
        &self,
        weights: &VertexWeights,
        skeleton: &Skeleton,
        surface: &HalfedgeMesh,
    ) -> VertexWeights {
        let is_head = |&bone: &usize| role(&self.template.skeleton.bone_name(bone)) == Some(Role::Head);
        let upright = self.chains.iter().filter(|chain| chain.is_upright());
        let head = upright.flat_map(|chain| &chain.bones).copied().find(is_head);
        let weights = match head.and_then(|bone| u16::try_from(bone).ok()) {
            Some(head) => rigid::rigid(weights, head),
            None => weights.clone(),
        };
        rigid_shells::with_rigid_shells(&weights, skeleton, surface)
    }

    /// The bones that leave the body somewhere between their ends.
    pub fn bones_outside(&self) -> Vec<usize> {
        let back = self.assignment.orientation.body_from_mesh().transpose();
        let placed = &self.placed;
        let leaves = |&bone: &usize| {
            let parent = parent_of(&self.template.skeleton, bone);
            let start = parent.map_or(placed.base, |parent| placed.tips[parent]);
            (0..=tuning::INSIDE_SAMPLES).any(|sample| {
                let t = sample as f32 / tuning::INSIDE_SAMPLES as f32;
                !self.body.contains(back * start.lerp(placed.tips[bone], t))
            })
        };
        (0..placed.tips.len()).filter(leaves).collect()
    }
}
