//! What is under the pointer: handles, base, tips, bones, surfaces. Nothing is selected here.
//!
//! Small things are picked by their distance on the screen, so that they can be grabbed at any zoom.
//! Surfaces are met through a tree of boxes that is kept with them.

use super::active_rig::ActiveRig;
use super::selection::Part;
use super::view::{BoneLook, Tab, View, ViewSettings};
use crate::math::camera::Viewport;
use crate::math::ray::{Ray, distance_to_segment_2d};
use crate::mesh::bvh::{Bvh, RayHit};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::scene::evaluate::Evaluated;
use crate::scene::instance::{InstanceKind, InstanceRef};
use glam::{Mat4, Vec2, Vec3};
use std::sync::Arc;

/// Handles and the base can be grabbed within this many pixels.
const GRAB_PX: f32 = 10.0;
/// Cameras, lights and emitters can be clicked this near to their origin, in pixels.
const MARKER_PX: f32 = 12.0;
/// Tips too, but they never cover more than a part of their bone.
const TIP_PX: f32 = 7.0;
const TIP_PART_OF_BONE: f32 = 0.3;
/// Thin bones can be clicked this near to their axis, in pixels.
const BONE_PX: f32 = 4.0;
/// And where they are lines.
const LINE_PX: f32 = 7.0;
/// Radius of the balls that stand for handles, poles and the base, in pixels, at any zoom.
pub const HANDLE_BALL_PX: f32 = 8.0;
pub const POLE_BALL_PX: f32 = 6.0;
pub const BASE_BALL_PX: f32 = 6.5;

#[derive(Clone, Debug, PartialEq)]
pub enum PickTarget {
    Handle(usize),
    /// The pole of a handle.
    Pole(usize),
    Base,
    /// The tip of a bone (Rig tab): clicked, it selects the bone; dragged, it moves the tip.
    Tip(usize),
    Bone(usize),
    /// The skin of the mesh that is worked on (Rig tab).
    Skin,
    Instance(InstanceRef),
}

impl PickTarget {
    /// What selecting it selects of the skeleton, if it is of the skeleton.
    pub fn part(&self) -> Option<Part> {
        match self {
            Self::Handle(handle) => Some(Part::Handle(*handle)),
            Self::Pole(handle) => Some(Part::Pole(*handle)),
            Self::Base => Some(Part::Base),
            Self::Tip(bone) | Self::Bone(bone) => Some(Part::Bone(*bone)),
            Self::Skin | Self::Instance(_) => None,
        }
    }
}

/// Something under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub target: PickTarget,
    /// Distance along the line of sight from where [`Viewport::ray`] begins.
    pub depth: f32,
}

/// A surface that can be pointed at.
#[derive(Clone, Debug)]
pub struct Surface<'a> {
    pub target: PickTarget,
    pub world_from_mesh: Mat4,
    pub mesh: &'a HalfedgeMesh,
    /// V: where the vertices are shown, mesh space.
    pub positions: &'a [Vec3],
    /// Over the triangles of `mesh` at `positions`.
    pub tree: Arc<Bvh>,
}

impl Surface<'_> {
    /// Where the world ray first meets the surface, with the same `t`.
    pub fn first(&self, ray: &Ray) -> Option<RayHit> {
        let mesh_from_world = self.world_from_mesh.inverse();
        if !mesh_from_world.is_finite() {
            return None;
        }
        self.tree
            .first(self.positions, &ray.transformed(&mesh_from_world))
    }

    /// Where the world ray goes through the surface, nearest first, with the same `t`, and whether it sees
    /// the front of the triangle there.
    pub fn crossings(&self, ray: &Ray) -> Vec<(f32, bool)> {
        let mesh_from_world = self.world_from_mesh.inverse();
        if !mesh_from_world.is_finite() {
            return Vec::new();
        }
        let local = ray.transformed(&mesh_from_world);
        let front = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|vertex| self.positions[vertex as usize]);
            (b - a).cross(c - a).dot(local.direction) < 0.0
        };
        let hits = self.tree.all(self.positions, &local);
        hits.iter().map(|hit| (hit.t, front(&hit.triangle))).collect()
    }
}

/// A ball, or with radius zero a mark of constant size on the screen, that stands for an instance.
#[derive(Clone, Debug)]
pub struct Ball {
    pub target: PickTarget,
    /// World space.
    pub center: Vec3,
    /// World units.
    pub radius: f32,
}

/// Everything that can be pointed at.
#[derive(Clone, Debug)]
pub struct Pickable<'a> {
    pub settings: &'a ViewSettings,
    pub stage: Option<ActiveRig<'a>>,
    pub surfaces: Vec<Surface<'a>>,
    pub balls: Vec<Ball>,
}

impl<'a> Pickable<'a> {
    /// What the viewport shows: in the Rig tab the mesh that is worked on in its bind pose, in the Animate
    /// tab all visible instances.
    pub fn from_view(view: &View<'a>) -> Self {
        let evaluated = view.evaluated;
        let scene = &evaluated.scene;
        let mut surfaces = Vec::new();
        let mut balls = Vec::new();
        match view.settings.tab {
            Tab::Rig => {
                let name = view.session.selection().mesh.as_deref();
                let skinned = name.and_then(|name| scene.skinned_meshes.get(name));
                if let (Some(skinned), true) = (skinned, view.settings.show_skin) {
                    surfaces.push(Surface {
                        target: PickTarget::Skin,
                        world_from_mesh: Mat4::IDENTITY,
                        mesh: &skinned.surface,
                        positions: skinned.surface.positions(),
                        tree: evaluated.trees.get(&skinned.surface),
                    });
                }
            }
            Tab::Animate => {
                balls = self::balls(evaluated);
                let target = |kind, name: &String| {
                    PickTarget::Instance(InstanceRef {
                        kind,
                        name: name.clone(),
                    })
                };
                // While a character is compared it stands alone.
                let meshes = scene.instances.meshes.iter();
                for (name, instance) in meshes.filter(|_| evaluated.compare.is_none()) {
                    let mesh = instance.of.as_ref().and_then(|of| scene.meshes.get(of));
                    if let (Some(mesh), true) = (mesh, instance.settings.visible) {
                        surfaces.push(Surface {
                            target: target(InstanceKind::Mesh, name),
                            world_from_mesh: evaluated.world(instance.transform.as_deref()),
                            mesh: &mesh.surface,
                            positions: mesh.surface.positions(),
                            tree: evaluated.trees.get(&mesh.surface),
                        });
                    }
                }
                for (name, instance) in &scene.instances.skinned_meshes {
                    let of = instance.of.as_ref();
                    let mesh =
                        of.and_then(|of| Some((scene.skinned_meshes.get(of)?, evaluated.shown(name, of)?)));
                    let visible = instance.settings.visible && view.settings.show_skin;
                    if let (Some((mesh, posed)), true) = (mesh, visible) {
                        surfaces.push(Surface {
                            target: target(InstanceKind::SkinnedMesh, name),
                            world_from_mesh: evaluated.world(instance.transform.as_deref()),
                            mesh: &mesh.surface,
                            positions: &posed.positions,
                            tree: posed.tree(&evaluated.trees, &mesh.surface).clone(),
                        });
                    }
                }
            }
        }
        Self {
            settings: view.settings,
            stage: ActiveRig::from_view(view),
            surfaces,
            balls,
        }
    }
}

/// Spheres, and the marks of what has no surface.
fn balls(evaluated: &Evaluated) -> Vec<Ball> {
    let scene = &evaluated.scene;
    let instances = &scene.instances;
    let mut balls = Vec::new();
    let mut add = |kind, name: &String, transform: &Option<String>, radius: f32| {
        let world = evaluated.world(transform.as_deref());
        let scale = world.determinant().abs().cbrt();
        let target = PickTarget::Instance(InstanceRef {
            kind,
            name: name.clone(),
        });
        balls.push(Ball {
            target,
            center: world.transform_point3(Vec3::ZERO),
            radius: radius * scale,
        });
    };
    let alone = evaluated.compare.is_some();
    let shapes = instances.shapes.iter();
    for (name, instance) in shapes.filter(|(_, i)| i.settings.visible && !alone) {
        if let Some(shape) = instance.of.as_ref().and_then(|of| scene.shapes.get(of)) {
            add(InstanceKind::Shape, name, &instance.transform, shape.radius);
        }
    }
    for (name, instance) in &instances.cameras {
        add(InstanceKind::Camera, name, &instance.transform, 0.0);
    }
    for (name, instance) in instances.particles.iter().filter(|(_, i)| i.visible) {
        add(InstanceKind::Particles, name, &instance.transform, 0.0);
    }
    for (name, instance) in instances.delta_lights.iter().filter(|(_, i)| i.visible) {
        add(InstanceKind::DeltaLight, name, &instance.transform, 0.0);
    }
    for (name, instance) in instances.env_lights.iter().filter(|(_, i)| i.visible) {
        add(InstanceKind::EnvLight, name, &instance.transform, 0.0);
    }
    balls
}

/// How a hit ranks: class first, then the score; lower is better.
type Ranked = (u8, f32, Hit);

const SMALL: u8 = 0;
const TIP: u8 = 1;
const BONE: u8 = 2;
const MARK: u8 = 3;
const SURFACE: u8 = 4;
const HIDDEN_BONE: u8 = 5;

/// Everything under a pixel of the viewport, best first.
///
/// Handles and the base come first, then tips, then bones, the one whose axis passes nearest to the pointer
/// relative to its radius first (so that small bones inside of larger ones can be picked), then surfaces by
/// depth. Without x-ray, tips and bones behind the first surface come after it.
pub fn pick(pickable: &Pickable, viewport: &Viewport, pixel: Vec2) -> Vec<Hit> {
    if !pixel.is_finite() {
        return Vec::new();
    }
    let ray = viewport.ray(pixel);
    let mut found: Vec<Ranked> = Vec::new();
    for surface in &pickable.surfaces {
        if let Some(RayHit { t: depth, .. }) = surface.first(&ray) {
            let target = surface.target.clone();
            found.push((SURFACE, depth, Hit { target, depth }));
        }
    }
    let over_world = Pointer {
        viewport,
        pixel,
        ray,
        cover: f32::INFINITY,
    };
    for ball in &pickable.balls {
        if ball.radius > 0.0 {
            let depth = ray.sphere(ball.center, ball.radius);
            let target = ball.target.clone();
            found.extend(depth.map(|depth| (SURFACE, depth, Hit { target, depth })));
        } else {
            found.extend(over_world.ball(ball.center, MARKER_PX, MARK, ball.target.clone()));
        }
    }
    if let Some(stage) = &pickable.stage {
        let first_surface = found
            .iter()
            .filter(|hit| hit.0 == SURFACE)
            .map(|hit| hit.1)
            .fold(f32::INFINITY, f32::min);
        let cover = if pickable.settings.xray {
            f32::INFINITY
        } else {
            first_surface
        };
        let pointer = Pointer {
            viewport,
            pixel,
            ray,
            cover,
        };
        if pickable.settings.show_handles {
            pointer.handles(stage, &mut found);
        }
        if pickable.settings.show_bones {
            pointer.base(stage, &mut found);
            let solid = pickable.settings.shown_bone_look(stage.radius_counts) == BoneLook::Capsules;
            pointer.bones(stage, solid, &mut found);
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.into_iter().map(|(_, _, hit)| hit).collect()
}

struct Pointer<'a> {
    viewport: &'a Viewport,
    pixel: Vec2,
    ray: Ray,
    /// What lies deeper is covered by a surface.
    cover: f32,
}

impl Pointer<'_> {
    fn handles(&self, stage: &ActiveRig, found: &mut Vec<Ranked>) {
        for index in 0..stage.skeleton.handles.len() {
            if let Some(center) = stage.handle_target(index) {
                found.extend(self.ball(center, GRAB_PX, SMALL, PickTarget::Handle(index)));
            }
            if let Some(center) = stage.pole(index) {
                found.extend(self.ball(center, GRAB_PX, SMALL, PickTarget::Pole(index)));
            }
        }
    }

    fn base(&self, stage: &ActiveRig, found: &mut Vec<Ranked>) {
        found.extend(self.ball(stage.base(), GRAB_PX, SMALL, PickTarget::Base));
    }

    /// `solid`: they are seen at their radius, else as lines between joints.
    fn bones(&self, stage: &ActiveRig, solid: bool, found: &mut Vec<Ranked>) {
        let skeleton_from_world = stage.world_from_skeleton.inverse();
        if !skeleton_from_world.is_finite() {
            return;
        }
        // Tested in skeleton space, where the capsule is round under any instance; `t` is the same there.
        let local = self.ray.transformed(&skeleton_from_world);
        let bones = stage.skeleton.bones.iter().enumerate();
        for (index, bone) in bones.filter(|(_, bone)| !bone.link) {
            let Some(matrix) = stage.skeleton_from_bone.get(index) else {
                continue;
            };
            let (Some(start), Some(tip)) = (stage.bone_start(index), stage.bone_tip(index)) else {
                continue;
            };
            let on_screen = self.viewport.project(start).zip(self.viewport.project(tip));
            if let (Some((a, b)), Tab::Rig) = (on_screen, stage.tab) {
                let within = TIP_PX.min(TIP_PART_OF_BONE * a.pixel.distance(b.pixel)).max(3.0);
                let hit = self.ball(tip, within, TIP, PickTarget::Tip(index));
                found.extend(hit.map(|(class, score, hit)| (self.uncovered(class, hit.depth), score, hit)));
            }
            let a = matrix.translation.as_vec3();
            let b = matrix.transform_point3(bone.extent.as_dvec3()).as_vec3();
            let radius = if solid { bone.radius.max(0.0) } else { 0.0 };
            let near_axis = on_screen
                .map(|(a, b)| distance_to_segment_2d(self.pixel, a.pixel, b.pixel))
                .filter(|pixels| *pixels <= if solid { BONE_PX } else { LINE_PX });
            let capsule = local.capsule(a, b, radius);
            let depth = match (capsule, near_axis) {
                (Some(t), _) => t,
                (None, Some(_)) => self.depth_of(start.midpoint(tip)),
                (None, None) => continue,
            };
            // A thin bone counts as thick as it can be clicked.
            let click_radius = BONE_PX * self.viewport.world_per_pixel(start.midpoint(tip)) / stage.scale();
            let score = local.distance_to_segment(a, b) / radius.max(click_radius).max(f32::MIN_POSITIVE);
            let hit = Hit {
                target: PickTarget::Bone(index),
                depth,
            };
            if depth.is_finite() && score.is_finite() {
                found.push((self.uncovered(BONE, depth), score, hit));
            }
        }
    }

    /// A disc around a point, on the screen.
    fn ball(&self, center: Vec3, within_px: f32, class: u8, target: PickTarget) -> Option<Ranked> {
        let shown = self.viewport.project(center)?;
        let distance = shown.pixel.distance(self.pixel);
        let depth = self.depth_of(center);
        (distance <= within_px).then_some((class, distance, Hit { target, depth }))
    }

    fn depth_of(&self, point: Vec3) -> f32 {
        (point - self.ray.origin).dot(self.ray.direction)
    }

    fn uncovered(&self, class: u8, depth: f32) -> u8 {
        if depth <= self.cover { class } else { HIDDEN_BONE }
    }
}
