//! Finds what is under the pointer: handles, base, tails, bones, surfaces. Does not change the selection.
//!
//! Small targets are picked by their distance on the screen, so that they can be grabbed at any zoom.
//! Surfaces are hit through a bounding volume hierarchy that is stored with them.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::bone_shape::{half_widths, taper};
use crate::edit::select::selection::Part;
use crate::edit::settings::view::{BoneLook, Tab, View, ViewSettings};
use crate::math::camera::Viewport;
use crate::math::ray::{Ray, distance_to_segment_2d};
use crate::mesh::bvh::{Bvh, RayHit};
use crate::mesh::halfedge::HalfedgeMesh;
use crate::scene::evaluate::Evaluated;
use crate::scene::instance::{InstanceKind, InstanceRef};
use glam::{Mat4, Vec2, Vec3};
use std::sync::Arc;

/// The distance within which handles and the base can be grabbed, in pixels.
const GRAB_PX: f32 = 10.0;
/// The distance from its origin within which a camera, light or emitter can be clicked, in pixels.
const MARKER_PX: f32 = 12.0;
/// The distance within which a tail can be grabbed, in pixels, which is the radius of the disc that shows it; limited to a
/// fraction of its bone, whose rest selects it, unless it is selected already.
pub const TIP_PX: f32 = 7.0;
const TIP_PART_OF_BONE: f32 = 0.3;
/// The distance within which the tail of a limb comes before tails of small bones, such as a wrist before the ball of a
/// thumb in the picture of a whole body; limited likewise. Nearer to the camera, those bones are long enough themselves.
const LIMB_TIP_PX: f32 = 12.0;
/// The distance from its axis within which a bone can be clicked, in pixels, however it is drawn.
const BONE_PX: f32 = 8.0;
/// The radii of the balls that represent handles, poles and the base, in pixels, at any zoom.
pub const HANDLE_BALL_PX: f32 = 8.0;
pub const POLE_BALL_PX: f32 = 6.0;
pub const BASE_BALL_PX: f32 = 6.5;

#[derive(Clone, Debug, PartialEq)]
pub enum PickTarget {
    Handle(usize),
    /// The pole of a handle.
    Pole(usize),
    Base,
    /// The tail of a bone: a click selects the bone, a drag moves the tail, in the Animate tab by posing the limb.
    Tip(usize),
    /// The rest of a bone: a click selects it, a drag in the Animate tab poses the limb.
    Bone(usize),
    /// The skin of the active mesh (Rig tab).
    Skin,
    Instance(InstanceRef),
}

impl PickTarget {
    /// The part of the skeleton that selecting this target selects, if any.
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

/// A target under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    pub target: PickTarget,
    /// The distance along the line of sight from the origin of [`Viewport::ray`].
    pub depth: f32,
}

/// A surface that can be picked.
#[derive(Clone, Debug)]
pub struct Surface<'a> {
    pub target: PickTarget,
    pub world_from_mesh: Mat4,
    pub mesh: &'a HalfedgeMesh,
    /// V: the displayed positions of the vertices, mesh space.
    pub positions: &'a [Vec3],
    /// Over the triangles of `mesh` at `positions`.
    pub tree: Arc<Bvh>,
}

impl Surface<'_> {
    /// Returns the first hit of a world-space ray, with the same `t`.
    pub fn first_hit(&self, ray: &Ray) -> Option<RayHit> {
        let mesh_from_world = self.world_from_mesh.inverse();
        if !mesh_from_world.is_finite() {
            return None;
        }
        self.tree.first_hit(self.positions, &ray.transformed(&mesh_from_world))
    }

    /// Returns the crossings of a world-space ray with the surface, nearest first: the same `t`, and whether
    /// the ray hits the front of the triangle.
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
        let hits = self.tree.all_hits(self.positions, &local);
        hits.iter().map(|hit| (hit.t, front(&hit.triangle))).collect()
    }
}

/// A ball that represents an instance, or with radius zero a mark of constant size on the screen.
#[derive(Clone, Debug)]
pub struct Ball {
    pub target: PickTarget,
    /// World space.
    pub center: Vec3,
    /// World units.
    pub radius: f32,
}

/// Everything that can be picked.
#[derive(Clone, Debug)]
pub struct Pickable<'a> {
    pub settings: &'a ViewSettings,
    pub rig: Option<ActiveRig<'a>>,
    pub surfaces: Vec<Surface<'a>>,
    pub balls: Vec<Ball>,
}

impl<'a> Pickable<'a> {
    /// Collects what the viewport displays: in the Rig tab the active mesh in its bind pose, in the Animate
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
                if let (Some(skinned), true) = (skinned, view.settings.display.show_skin) {
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
                let target =
                    |kind, name: &String| PickTarget::Instance(InstanceRef { kind, name: name.clone() });
                // During a comparison, only the compared character is displayed.
                let meshes = scene.instances.meshes.iter();
                for (name, instance) in meshes.filter(|_| evaluated.compare.is_none()) {
                    let mesh = instance.resource.as_ref().and_then(|resource| scene.meshes.get(resource));
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
                    let resource = instance.resource.as_ref();
                    let mesh = resource.and_then(|resource| {
                        Some((scene.skinned_meshes.get(resource)?, evaluated.instance_skin(name, resource)?))
                    });
                    let visible = instance.settings.visible && view.settings.display.show_skin;
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
        Self { settings: view.settings, rig: ActiveRig::from_view(view), surfaces, balls }
    }
}

/// Returns spheres, and marks for instances without a surface.
fn balls(evaluated: &Evaluated) -> Vec<Ball> {
    let scene = &evaluated.scene;
    let instances = &scene.instances;
    let mut balls = Vec::new();
    let mut add = |kind, name: &String, transform: &Option<String>, radius: f32| {
        let world = evaluated.world(transform.as_deref());
        let scale = world.determinant().abs().cbrt();
        let target = PickTarget::Instance(InstanceRef { kind, name: name.clone() });
        balls.push(Ball { target, center: world.transform_point3(Vec3::ZERO), radius: radius * scale });
    };
    let comparing = evaluated.compare.is_some();
    let shapes = instances.shapes.iter();
    for (name, instance) in shapes.filter(|(_, i)| i.settings.visible && !comparing) {
        if let Some(shape) = instance.resource.as_ref().and_then(|resource| scene.shapes.get(resource)) {
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

/// A hit with its rank: class first, then the score; lower is better.
type Ranked = (u8, f32, Hit);

const SMALL: u8 = 0;
const TIP: u8 = 1;
const BONE: u8 = 2;
const MARK: u8 = 3;
const SURFACE: u8 = 4;
const HIDDEN_BONE: u8 = 5;

/// Returns everything under a pixel of the viewport, best match first.
///
/// Handles and the base come first, then tails, then bones, then surfaces by depth. Bones are ranked by the
/// distance of their axis from the pointer relative to their radius, so that small bones inside larger ones
/// can be picked. Without X-ray, tails and bones behind the first surface come after it.
pub fn pick(pickable: &Pickable, viewport: &Viewport, pixel: Vec2) -> Vec<Hit> {
    if !pixel.is_finite() {
        return Vec::new();
    }
    let ray = viewport.ray(pixel);
    let mut found: Vec<Ranked> = Vec::new();
    for surface in &pickable.surfaces {
        if let Some(RayHit { t: depth, .. }) = surface.first_hit(&ray) {
            let target = surface.target.clone();
            found.push((SURFACE, depth, Hit { target, depth }));
        }
    }
    let over_world = Pointer { viewport, pixel, ray, cover: f32::INFINITY };
    for ball in &pickable.balls {
        if ball.radius > 0.0 {
            let depth = ray.intersect_sphere(ball.center, ball.radius);
            let target = ball.target.clone();
            found.extend(depth.map(|depth| (SURFACE, depth, Hit { target, depth })));
        } else {
            found.extend(over_world.ball(ball.center, MARKER_PX, MARK, ball.target.clone()));
        }
    }
    if let Some(rig) = &pickable.rig {
        let first_surface =
            found.iter().filter(|hit| hit.0 == SURFACE).map(|hit| hit.1).fold(f32::INFINITY, f32::min);
        let cover = if pickable.settings.display.xray { f32::INFINITY } else { first_surface };
        let pointer = Pointer { viewport, pixel, ray, cover };
        if pickable.settings.display.show_handles {
            pointer.handles(rig, &mut found);
        }
        if pickable.settings.display.show_bones {
            pointer.base(rig, &mut found);
            let style = pickable.settings.display.shown_bone_look(rig.radius_counts);
            pointer.bones(rig, style, &mut found);
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    found.into_iter().map(|(_, _, hit)| hit).collect()
}

struct Pointer<'a> {
    viewport: &'a Viewport,
    pixel: Vec2,
    ray: Ray,
    /// The depth of the first surface, which covers everything behind it.
    cover: f32,
}

impl Pointer<'_> {
    fn handles(&self, rig: &ActiveRig, found: &mut Vec<Ranked>) {
        for index in 0..rig.skeleton.handles.len() {
            if let Some(center) = rig.handle_target(index) {
                found.extend(self.ball(center, GRAB_PX, SMALL, PickTarget::Handle(index)));
            }
            if let Some(center) = rig.pole(index) {
                found.extend(self.ball(center, GRAB_PX, SMALL, PickTarget::Pole(index)));
            }
        }
    }

    fn base(&self, rig: &ActiveRig, found: &mut Vec<Ranked>) {
        found.extend(self.ball(rig.base(), GRAB_PX, SMALL, PickTarget::Base));
    }

    /// `style`: how bones are displayed.
    fn bones(&self, rig: &ActiveRig, style: BoneLook, found: &mut Vec<Ranked>) {
        let skeleton_from_world = rig.world_from_skeleton.inverse();
        if !skeleton_from_world.is_finite() {
            return;
        }
        // Tested in skeleton space, where the capsule is round under any instance; `t` is the same there.
        let local = self.ray.transformed(&skeleton_from_world);
        let solid = style == BoneLook::Capsules;
        let half_widths = match style {
            BoneLook::Octahedra => half_widths(rig),
            BoneLook::Capsules | BoneLook::Sticks => Vec::new(),
        };
        let mut around = Vec::new();
        for index in rig.drawn_bones() {
            let bone = &rig.skeleton.bones[index];
            let Some(matrix) = rig.skeleton_from_bone.get(index) else {
                continue;
            };
            let (Some(start), Some(tip)) = (rig.bone_start(index), rig.bone_tip(index)) else {
                continue;
            };
            let on_screen = self.viewport.project(start).zip(self.viewport.project(tip));
            if let Some((a, b)) = on_screen {
                let least = if rig.posed_bone == Some(index) { TIP_PX } else { 3.0 };
                let within = (TIP_PART_OF_BONE * a.pixel.distance(b.pixel)).clamp(least, LIMB_TIP_PX);
                let hit = self.ball(tip, within, TIP, PickTarget::Tip(index));
                let hit = hit.map(|(class, distance, hit)| {
                    let score = distance * distance - within * within;
                    (distance, (self.class_at(class, hit.depth), score, hit))
                });
                match hit {
                    Some((distance, hit)) if distance <= TIP_PX => found.push(hit),
                    hit => around.extend(hit.map(|(_, hit)| hit)),
                }
            }
            let a = matrix.translation.as_vec3();
            let b = matrix.transform_point3(bone.extent.as_dvec3()).as_vec3();
            let radius = if solid { bone.radius.max(0.0) } else { 0.0 };
            // Within an octahedron, or near its axis.
            let half_width = half_widths.get(index).copied().unwrap_or(0.0) * rig.scale();
            let is_near = |[near, far]: &[Vec3; 2]| {
                let shown = self.viewport.project(*near).zip(self.viewport.project(*far));
                let Some((a, b)) = shown.map(|(a, b)| (a.pixel, b.pixel)) else {
                    return false;
                };
                let along = (self.pixel - a).dot(b - a) / (b - a).length_squared().max(f32::MIN_POSITIVE);
                let center = near.lerp(*far, along.clamp(0.0, 1.0));
                let length = start.distance(tip).max(f32::MIN_POSITIVE);
                let drawn = half_width * taper(start.distance(center) / length)
                    / self.viewport.world_per_pixel(center);
                distance_to_segment_2d(self.pixel, a, b) <= drawn.max(BONE_PX)
            };
            let near_axis = self.visible_part(start, tip).filter(is_near);
            let capsule = local.intersect_capsule(a, b, radius);
            let depth = match (capsule, near_axis) {
                (Some(t), _) => t,
                (None, Some(_)) => self.depth_of(start.midpoint(tip)),
                (None, None) => continue,
            };
            // A thin bone counts as thick as its clickable area.
            let click_radius = BONE_PX * self.viewport.world_per_pixel(start.midpoint(tip)) / rig.scale();
            let score = local.distance_to_segment(a, b) / radius.max(click_radius).max(f32::MIN_POSITIVE);
            let hit = Hit { target: PickTarget::Bone(index), depth };
            if depth.is_finite() && score.is_finite() {
                found.push((self.class_at(BONE, depth), score, hit));
            }
        }
        if found.iter().any(|(class, ..)| *class == TIP) {
            found.append(&mut around);
        }
    }

    /// Returns the part of a segment that is in front of the camera.
    fn visible_part(&self, start: Vec3, end: Vec3) -> Option<[Vec3; 2]> {
        let is_visible = |point| self.viewport.project(point).is_some();
        let border = |mut visible: Vec3, mut hidden: Vec3| {
            for _ in 0..20 {
                let middle = visible.midpoint(hidden);
                if is_visible(middle) { visible = middle } else { hidden = middle }
            }
            visible
        };
        match (is_visible(start), is_visible(end)) {
            (true, true) => Some([start, end]),
            (true, false) => Some([start, border(start, end)]),
            (false, true) => Some([border(end, start), end]),
            (false, false) => None,
        }
    }

    /// Tests a disc around a point, on the screen.
    fn ball(&self, center: Vec3, within_px: f32, class: u8, target: PickTarget) -> Option<Ranked> {
        let shown = self.viewport.project(center)?;
        let distance = shown.pixel.distance(self.pixel);
        let depth = self.depth_of(center);
        (distance <= within_px).then_some((class, distance, Hit { target, depth }))
    }

    fn depth_of(&self, point: Vec3) -> f32 {
        (point - self.ray.origin).dot(self.ray.direction)
    }

    fn class_at(&self, class: u8, depth: f32) -> u8 {
        if depth <= self.cover { class } else { HIDDEN_BONE }
    }
}
