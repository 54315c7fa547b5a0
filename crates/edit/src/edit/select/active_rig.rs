//! The active rig: the skeleton being edited, as the viewport shows it. Drawing, picking and tools all read
//! it here, so that they agree.

use crate::edit::select::selection::Part;
use crate::edit::settings::view::{Axes, GizmoMode, Tab, View};
use crate::math::bounds::Bounds;
use crate::rig::body::joint::bend_bones;
use crate::rig::handle_space::{skeleton_from_space, space_bone};
use crate::rig::ik::chain::span;
use crate::rig::kinematics::{parent_of, rotation_axes, rotation_part};
use crate::rig::skeleton::Skeleton;
use crate::scene::evaluate::Evaluated;
use crate::scene::instance::InstanceKind;
use glam::{DAffine3, DVec3, Mat4, Vec3};

/// The active rig. In the Rig tab: the bind pose, in mesh space. In the Animate tab: the current pose of the
/// selected instance, in world space.
#[derive(Clone, Copy, Debug)]
pub struct ActiveRig<'a> {
    pub tab: Tab,
    /// The name of the skinned mesh.
    pub mesh: &'a str,
    /// The skeleton as shown: driven by channels, solved by handles.
    pub skeleton: &'a Skeleton,
    /// Per bone: B_b in the Rig tab, P_b in the Animate tab.
    pub skeleton_from_bone: &'a [DAffine3],
    /// Per bone: B_b.
    pub bind: &'a [DAffine3],
    /// Affine; the identity in the Rig tab.
    pub world_from_skeleton: Mat4,
    /// The mode of the gizmo for bones in the Rig tab.
    pub gizmo: GizmoMode,
    pub pose_gizmo: GizmoMode,
    /// The axes that the gizmo moves and rotates along.
    pub axes: Axes,
    /// Whether the mesh's weight method depends on the radii of bones.
    pub radius_counts: bool,
    /// Whether hidden bones are shown.
    pub show_hidden: bool,
    /// The active bone in the Animate tab: its tail is grabbed as far around as the disc that shows it, however short the
    /// bone looks.
    pub posed_bone: Option<usize>,
    /// The scene that the skeleton is in; without it, no handle is in the space of an instance.
    pub evaluated: Option<&'a Evaluated>,
}

impl<'a> ActiveRig<'a> {
    /// Returns the active rig; `None` if no skinned mesh (in the Animate tab: no visible instance of one) is
    /// selected, or the selected one has not been evaluated yet.
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
                let selected = selection.instance.as_ref()?;
                let instances = &view.evaluated.scene.instances.skinned_meshes;
                let instance = instances.get(&selected.name)?;
                let shown = selected.kind == InstanceKind::SkinnedMesh
                    && instance.resource.as_deref() == Some(mesh)
                    && instance.settings.visible;
                if !shown {
                    return None;
                }
                (&posed.current, view.evaluated.world(instance.transform.as_deref()))
            }
        };
        Some(Self {
            tab,
            mesh,
            skeleton: &posed.skeleton,
            skeleton_from_bone,
            bind: &posed.bind,
            world_from_skeleton,
            gizmo: view.settings.tools.gizmo,
            pose_gizmo: view.settings.tools.pose_gizmo,
            axes: view.settings.tools.axes,
            radius_counts: radii,
            show_hidden: view.settings.display.show_hidden,
            posed_bone: selection.bone().filter(|_| tab == Tab::Animate),
            evaluated: Some(view.evaluated),
        })
    }

    /// Whether the bone is neither a link nor hidden: those are neither drawn nor picked.
    pub fn is_drawn(&self, bone: usize) -> bool {
        self.skeleton.bones.get(bone).is_some_and(|bone| !bone.link && (self.show_hidden || !bone.hidden))
    }

    /// The indices of the bones that are drawn.
    pub fn drawn_bones(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.skeleton.bones.len()).filter(|bone| self.is_drawn(*bone))
    }

    /// Returns the gizmo of a bone: in the Animate tab rings, unless it is unlocked and another one is chosen.
    pub fn gizmo_of(&self, bone: usize) -> GizmoMode {
        match self.skeleton.bones.get(bone) {
            _ if self.tab == Tab::Rig => self.gizmo,
            Some(bone) if !bone.lock_transform => self.pose_gizmo,
            _ => GizmoMode::Rotate,
        }
    }

    /// Returns the head of a bone, in world space.
    pub fn bone_start(&self, bone: usize) -> Option<Vec3> {
        Some(self.world(self.skeleton_from_bone.get(bone)?.translation))
    }

    /// Returns the tail of a bone, in world space.
    pub fn bone_tip(&self, bone: usize) -> Option<Vec3> {
        let extent = self.skeleton.bones.get(bone)?.extent.as_dvec3();
        Some(self.world(self.skeleton_from_bone.get(bone)?.transform_point3(extent)))
    }

    /// Returns the target of a handle, in world space.
    pub fn handle_target(&self, handle: usize) -> Option<Vec3> {
        Some(self.world(self.skeleton.handles.get(handle)?.target.as_dvec3()))
    }

    /// Returns the matrix that maps goals of a handle to the space in which they are stored, from skeleton space.
    pub fn space_from_skeleton(&self, handle: usize) -> DAffine3 {
        let Some(handle) = self.skeleton.handles.get(handle) else { return DAffine3::IDENTITY };
        let skeleton_from_space = match (&handle.space_instance, self.evaluated) {
            (Some(instance), Some(evaluated)) => {
                evaluated.skeleton_from_instance(self.mesh, instance, handle.space)
            }
            _ => skeleton_from_space(space_bone(self.skeleton, handle), self.bind, self.skeleton_from_bone),
        };
        skeleton_from_space.inverse()
    }

    /// Returns the position of a handle's pole, in world space; `None` if it has none.
    pub fn pole(&self, handle: usize) -> Option<Vec3> {
        let pole = self.skeleton.handles.get(handle)?.pole?;
        Some(self.world(pole.point.as_dvec3()))
    }

    /// Returns the joint that a handle's pole pulls (the elbow or knee), in world space.
    pub fn bend(&self, handle: usize) -> Option<Vec3> {
        let [_, lower] = bend_bones(self.skeleton, self.skeleton.handles.get(handle)?)?;
        self.bone_start(lower)
    }

    /// Returns the start of a handle's chain, in world space, and the distance that its tail can reach from
    /// there. `None` for a look-at handle.
    pub fn reach(&self, handle: usize) -> Option<(Vec3, f32)> {
        let handle = self.skeleton.handles.get(handle)?;
        let (first, length) = span(self.skeleton, handle).filter(|_| handle.look_at.is_none())?;
        Some((self.bone_start(first)?, length as f32 * self.scale()))
    }

    /// Returns the point where root bones start, in world space.
    pub fn base(&self) -> Vec3 {
        let offset = match self.tab {
            Tab::Rig => Vec3::ZERO,
            Tab::Animate => self.skeleton.base_offset,
        };
        self.world((self.skeleton.base + offset).as_dvec3())
    }

    /// Returns the axes that a part is moved along, as unit vectors in world space: those of the world, of
    /// its parent (for a bone its parent bone, otherwise the skeleton), or its own. A handle's own axes are
    /// those of the bone that it pulls.
    pub fn axes_of(&self, part: Part) -> [Vec3; 3] {
        let bone_axes = |bone: usize| {
            let matrix = rotation_part(self.skeleton_from_bone.get(bone)?.matrix3);
            Some(rotation_axes(self.skeleton.bones.get(bone)?).map(|axis| matrix * axis))
        };
        let bone = match part {
            Part::Bone(bone) => Some(bone),
            Part::Handle(handle) | Part::Pole(handle) => {
                self.skeleton.handles.get(handle).map(|h| h.bone as usize)
            }
            Part::Base | Part::Shape(_) => None,
        };
        let axes = match (self.axes, part) {
            (Axes::World, _) => return Vec3::AXES,
            (Axes::Parent, Part::Bone(bone)) => parent_of(self.skeleton, bone).and_then(bone_axes),
            (Axes::Parent, _) => None,
            (Axes::Local, _) => bone.and_then(bone_axes),
        };
        let to_world = |axis: DVec3| self.world_from_skeleton.transform_vector3(axis.as_vec3());
        axes.unwrap_or(DVec3::AXES).map(|axis| to_world(axis).normalize_or_zero())
    }

    /// Returns the factor from lengths in the skeleton to lengths in the world, averaged over directions.
    /// Zero if the instance is flat or its matrix is not finite.
    pub fn scale(&self) -> f32 {
        let volume = self.world_from_skeleton.determinant().abs();
        if volume.is_finite() { volume.cbrt() } else { 0.0 }
    }

    /// Returns the world-space bounds of vertices of the skin, whose positions in skeleton space are
    /// `positions`. They have a margin, so that even a single vertex has an extent.
    pub fn bounds_of_vertices(&self, positions: &[Vec3], vertices: &[u32]) -> Bounds {
        let margin = 0.01 * Bounds::from_points(positions.iter().copied()).diagonal();
        let points = vertices.iter().filter_map(|vertex| positions.get(*vertex as usize));
        let bounds = points.map(|point| Bounds::from_sphere(*point, margin));
        let bounds = bounds.fold(Bounds::EMPTY, Bounds::union);
        bounds.transformed(&self.world_from_skeleton)
    }

    /// Returns the world-space bounds of a part for "frame the selection".
    pub fn bounds_of(&self, part: Part) -> Bounds {
        let ball = |center: Option<Vec3>, radius: f32| match center {
            Some(center) => Bounds::from_sphere(center, radius * self.scale()),
            None => Bounds::EMPTY,
        };
        let radius_of = |bone: usize| self.skeleton.bones.get(bone).map_or(0.0, |b| b.radius);
        match part {
            Part::Bone(bone) => {
                let radius = radius_of(bone);
                ball(self.bone_start(bone), radius).union(ball(self.bone_tip(bone), radius))
            }
            Part::Handle(handle) => {
                let bone = self.skeleton.handles.get(handle).map_or(usize::MAX, |h| h.bone as usize);
                let radius = radius_of(bone);
                ball(self.handle_target(handle), radius).union(ball(self.bone_tip(bone), radius))
            }
            Part::Pole(handle) => ball(self.pole(handle), 0.0).union(ball(self.bend(handle), 0.0)),
            Part::Base => {
                let radius = radius_of(0);
                ball(Some(self.base()), radius)
            }
            Part::Shape(_) => Bounds::EMPTY,
        }
    }

    fn world(&self, point: DVec3) -> Vec3 {
        self.world_from_skeleton.transform_point3(point.as_vec3())
    }
}
