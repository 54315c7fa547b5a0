//! The skeleton that is worked on, as the viewport shows it. Drawing, picking and tools all read it here,
//! so that what is seen, what is hit and what is dragged are in one place.

use super::selection::Part;
use super::view::{Axes, GizmoMode, Tab, View};
use crate::math::bounds::Bounds;
use crate::rig::ik::chain::{bend, span};
use crate::rig::kinematics::{parent_of, rotation_axes};
use crate::rig::skeleton::Skeleton;
use crate::scene::instance::InstanceKind;
use glam::{DAffine3, DVec3, Mat4, Vec3};

/// In the Rig tab: bind pose, in mesh space. In the Animate tab: current pose of the selected instance, in
/// world space.
#[derive(Clone, Copy, Debug)]
pub struct ActiveRig<'a> {
    pub tab: Tab,
    /// Name of the skinned mesh.
    pub mesh: &'a str,
    /// As shown: driven by channels, solved by handles.
    pub skeleton: &'a Skeleton,
    /// Per bone: B_b in the Rig tab, P_b in the Animate tab.
    pub skeleton_from_bone: &'a [DAffine3],
    /// Affine; the identity in the Rig tab.
    pub world_from_skeleton: Mat4,
    /// What the gizmo does to a bone in the Rig tab.
    pub gizmo: GizmoMode,
    /// What the gizmo moves and rotates along.
    pub axes: Axes,
    /// Whether weights depend on the radii of bones: in the Rig tab, by the method of the mesh.
    pub radius_counts: bool,
}

impl<'a> ActiveRig<'a> {
    /// `None` where no skinned mesh (Animate: no visible instance of one) is selected, or what is selected
    /// has not been evaluated yet.
    pub fn from_view(view: &View<'a>) -> Option<Self> {
        let selection = view.session.selection();
        let mesh = selection.mesh.as_deref()?;
        let posed = view.evaluated.skinned.get(mesh)?;
        let tab = view.settings.tab;
        let skinned = view.evaluated.scene.skinned_meshes.get(mesh);
        let radii = skinned.is_some_and(|skinned| skinned.weight_method.descriptor().depends_on_radius);
        let (skeleton_from_bone, world_from_skeleton) = match tab {
            Tab::Rig => (&posed.bind, Mat4::IDENTITY),
            Tab::Animate => {
                let chosen = selection.instance.as_ref()?;
                let instances = &view.evaluated.scene.instances.skinned_meshes;
                let instance = instances.get(&chosen.name)?;
                let shown = chosen.kind == InstanceKind::SkinnedMesh
                    && instance.of.as_deref() == Some(mesh)
                    && instance.settings.visible;
                if !shown {
                    return None;
                }
                (
                    &posed.current,
                    view.evaluated.world(instance.transform.as_deref()),
                )
            }
        };
        Some(Self {
            tab,
            mesh,
            skeleton: &posed.skeleton,
            skeleton_from_bone,
            world_from_skeleton,
            gizmo: view.settings.gizmo,
            axes: view.settings.axes,
            radius_counts: radii && tab == Tab::Rig,
        })
    }

    /// Start of a bone, world space.
    pub fn bone_start(&self, bone: usize) -> Option<Vec3> {
        Some(self.world(self.skeleton_from_bone.get(bone)?.translation))
    }

    /// Tip of a bone, world space.
    pub fn bone_tip(&self, bone: usize) -> Option<Vec3> {
        let extent = self.skeleton.bones.get(bone)?.extent.as_dvec3();
        Some(self.world(self.skeleton_from_bone.get(bone)?.transform_point3(extent)))
    }

    /// Target of a handle, world space.
    pub fn handle_target(&self, handle: usize) -> Option<Vec3> {
        Some(self.world(self.skeleton.handles.get(handle)?.target.as_dvec3()))
    }

    /// Where the pole of a handle is, world space; `None` where it has none.
    pub fn pole(&self, handle: usize) -> Option<Vec3> {
        let pole = self.skeleton.handles.get(handle)?.pole?;
        Some(self.world(pole.point.as_dvec3()))
    }

    /// The joint that a handle's pole pulls: the elbow or knee, world space.
    pub fn bend(&self, handle: usize) -> Option<Vec3> {
        let [_, lower] = bend(self.skeleton, self.skeleton.handles.get(handle)?)?;
        self.bone_start(lower)
    }

    /// Where the chain of a handle starts and how far its tip can get from there, world space. `None` for one that looks
    /// at its target instead.
    pub fn reach(&self, handle: usize) -> Option<(Vec3, f32)> {
        let handle = self.skeleton.handles.get(handle)?;
        let (first, length) = span(self.skeleton, handle).filter(|_| handle.look_at.is_none())?;
        Some((self.bone_start(first)?, length as f32 * self.scale()))
    }

    /// Where root bones start, world space.
    pub fn base(&self) -> Vec3 {
        let offset = match self.tab {
            Tab::Rig => Vec3::ZERO,
            Tab::Animate => self.skeleton.base_offset,
        };
        self.world((self.skeleton.base + offset).as_dvec3())
    }

    /// What a part is moved along, unit directions in world space: those of the world, of what it is attached to (a
    /// bone's parent; else the skeleton), or its own. A handle's own are those of the bone that it pulls.
    pub fn axes_of(&self, part: Part) -> [Vec3; 3] {
        let bone_axes = |bone: usize| {
            let matrix = self.skeleton_from_bone.get(bone)?.matrix3;
            Some(rotation_axes(self.skeleton.bones.get(bone)?).map(|axis| matrix * axis))
        };
        let bone = match part {
            Part::Bone(bone) => Some(bone),
            Part::Handle(handle) | Part::Pole(handle) => {
                self.skeleton.handles.get(handle).map(|h| h.bone as usize)
            }
            Part::Base => None,
        };
        let axes = match (self.axes, part) {
            (Axes::World, _) => return Vec3::AXES,
            (Axes::Parent, Part::Bone(bone)) => parent_of(self.skeleton, bone).and_then(bone_axes),
            (Axes::Parent, _) => None,
            (Axes::Local, _) => bone.and_then(bone_axes),
        };
        let to_world = |axis: DVec3| self.world_from_skeleton.transform_vector3(axis.as_vec3());
        axes.unwrap_or(DVec3::AXES)
            .map(|axis| to_world(axis).normalize_or_zero())
    }

    /// How much longer lengths are in the world than in the skeleton, averaged over directions. Zero where
    /// the instance is flat or its matrix is not finite.
    pub fn scale(&self) -> f32 {
        let volume = self.world_from_skeleton.determinant().abs();
        if volume.is_finite() { volume.cbrt() } else { 0.0 }
    }

    /// Around vertices of the skin, whose positions in skeleton space are `positions`; in the world. With some room
    /// around, so that one vertex alone has an extent.
    pub fn bounds_of_vertices(&self, positions: &[Vec3], vertices: &[u32]) -> Bounds {
        let room = 0.01 * Bounds::of_points(positions.iter().copied()).diagonal();
        let points = vertices
            .iter()
            .filter_map(|vertex| positions.get(*vertex as usize));
        let bounds = points.map(|point| Bounds::of_sphere(*point, room));
        let bounds = bounds.fold(Bounds::EMPTY, Bounds::union);
        bounds.transformed(&self.world_from_skeleton)
    }

    /// What "frame the selection" should show of a part, world space.
    pub fn bounds_of(&self, part: Part) -> Bounds {
        let ball = |center: Option<Vec3>, radius: f32| match center {
            Some(center) => Bounds::of_sphere(center, radius * self.scale()),
            None => Bounds::EMPTY,
        };
        let radius_of = |bone: usize| self.skeleton.bones.get(bone).map_or(0.0, |b| b.radius);
        match part {
            Part::Bone(bone) => {
                let radius = radius_of(bone);
                ball(self.bone_start(bone), radius).union(ball(self.bone_tip(bone), radius))
            }
            Part::Handle(handle) => {
                let bone = self
                    .skeleton
                    .handles
                    .get(handle)
                    .map_or(usize::MAX, |h| h.bone as usize);
                let radius = radius_of(bone);
                ball(self.handle_target(handle), radius).union(ball(self.bone_tip(bone), radius))
            }
            Part::Pole(handle) => ball(self.pole(handle), 0.0).union(ball(self.bend(handle), 0.0)),
            Part::Base => {
                let radius = radius_of(0);
                ball(Some(self.base()), radius)
            }
        }
    }

    fn world(&self, point: DVec3) -> Vec3 {
        self.world_from_skeleton.transform_point3(point.as_vec3())
    }
}
