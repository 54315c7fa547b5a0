//! Placing the joints of a skeleton that is being fitted.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Role};
use super::move_drag::{Joint, MoveDrag, Subject};
use super::translate::{Constraint, PARTS};
use super::{Button, Click, Context, Grab, Press, Tool};
use crate::edit::fitting::Fitting;
use crate::edit::select::active_rig::ActiveRig;
use crate::edit::settings::view::{Tab, View};
use crate::rig::fit::UNSURE;
use glam::{Mat4, Vec3};

/// The radius of the disc at a joint, in pixels.
const JOINT_PX: f32 = 6.0;

/// Drags the joints of a skeleton that is being fitted: the rest of it is fitted again. Where no skeleton was found, the joints
/// that have to be placed.
pub struct FitJoints;

/// The joints that can be placed.
struct Shown<'a> {
    fitting: &'a Fitting,
    /// The skeleton, if one was found.
    rig: Option<ActiveRig<'a>>,
    world_from_mesh: Mat4,
}

impl<'a> Shown<'a> {
    fn new(context: &'a Context<'a>) -> Option<Self> {
        let fitting = context.view.settings.fitting.as_deref()?;
        if fitting.bones == 0 {
            let world_from_mesh = world_from_mesh(context.view, &fitting.mesh)?;
            return Some(Self { fitting, rig: None, world_from_mesh });
        }
        let rig = context.rig().filter(|rig| rig.mesh == fitting.mesh)?;
        // Fingers come after the bones of the template, and are placed by the surface alone.
        let joints = 1..=rig.skeleton.bones.len();
        let world_from_mesh = rig.world_from_skeleton;
        joints.contains(&fitting.confidence.len()).then_some(Self {
            fitting,
            rig: Some(rig),
            world_from_mesh,
        })
    }

    /// Returns the start of a bone and its tail, in world space; without a skeleton only the tail.
    fn ends(&self, bone: usize) -> Option<(Option<Vec3>, Vec3)> {
        match &self.rig {
            Some(rig) if !rig.is_drawn(bone) => None,
            Some(rig) => Some((rig.bone_start(bone), rig.bone_tip(bone)?)),
            None => Some((None, self.world_from_mesh.transform_point3(*self.fitting.tails.get(bone)?))),
        }
    }
}

/// Returns where the mesh is that is being fitted: its first visible instance, in the Rig tab the origin.
fn world_from_mesh(view: &View, mesh: &str) -> Option<Mat4> {
    let scene = &view.evaluated.scene;
    if view.settings.tab == Tab::Rig && scene.skinned_meshes.contains_key(mesh) {
        return Some(Mat4::IDENTITY);
    }
    let instances = &scene.instances;
    let skinned =
        instances.skinned_meshes.values().map(|it| (&it.resource, &it.transform, it.settings.visible));
    let plain = instances.meshes.values().map(|it| (&it.resource, &it.transform, it.settings.visible));
    let mut shown =
        skinned.chain(plain).filter(|(resource, _, visible)| *visible && resource.as_deref() == Some(mesh));
    shown.next().map(|(_, transform, _)| view.evaluated.world(transform.as_deref()))
}

/// Returns the part for the tail of a bone; parts are numbered by bone, as far as a byte reaches.
fn part(bone: usize, role: Role) -> Option<GizmoPart> {
    let id = u8::try_from(usize::from(PARTS) + bone).ok()?;
    Some(GizmoPart::new(id, role, -1.0))
}

impl Tool for FitJoints {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        let shown = Shown::new(context)?;
        let bone = usize::from(press.part?.id.checked_sub(PARTS)?);
        if press.button != Button::Primary || bone >= shown.fitting.confidence.len() {
            return None;
        }
        let subject = Subject::Joint(Joint {
            bone,
            origin: shown.ends(bone)?.1,
            skeleton: shown.rig.as_ref().map(|rig| rig.skeleton.clone()),
            skeleton_from_world: Some(shown.world_from_mesh.inverse()).filter(|matrix| matrix.is_finite())?,
        });
        // A click pins the joint where it is.
        Grab::new(MoveDrag::new(context, subject, Constraint::View, press.pixel)?, Click::Release)
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let mut shape = GizmoShape::default();
        let Some(shown) = Shown::new(context) else { return shape };
        let fitting = shown.fitting;
        for bone in 0..fitting.confidence.len() {
            let role = match (fitting.placed.get(bone), fitting.confidence[bone] < UNSURE) {
                (Some(true), _) => Role::Snap,
                (_, true) => Role::Limit,
                (_, false) => Role::Y,
            };
            let (Some(part), Some((start, tail))) = (part(bone, role), shown.ends(bone)) else { continue };
            shape.disc(part, tail, JOINT_PX, context.viewport);
            if let Some(start) = start {
                shape.line(part, GizmoStyle::Guide, vec![start, tail]);
            }
        }
        shape
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        "Drag the joint to where it belongs, or click to keep it; the rest is fitted again · Enter accepts · Esc rejects".into()
    }
}
