//! A stroke of a brush on the displayed character: turns the path of the pointer, or a path in space, into a
//! command. Used by both the tool and `ossature paint`.
//!
//! The surface is touched at its position when the stroke began; lengths are measured in the bind pose.

mod cache;

use crate::edit::command::Command;
use crate::math::camera::Viewport;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::paint::path::{Facing, STEP, STEP_PX, Sampler, ViewPoint};
use crate::rig::weights::paint::stroke::Mirrored;
use crate::rig::weights::paint::{Brush, Canvas, Contact, Mode, Reach, Rules, Stroke};
use crate::scene::skinned::SkinnedMesh;
pub use cache::{PaintCache, PosedSkin};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// The maximum number of points at which the line of a gradient is cast.
const MOST_STEPS: f32 = 1000.0;

/// The brush, and the bone that it paints.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    pub brush: Brush,
    /// May be missing for a brush that does not paint a single bone.
    pub bone: Option<usize>,
    /// Whether the other side is painted too.
    pub symmetric: bool,
}

/// The path of a brush for which only its two ends count: in pixels with a viewport, else in mesh space.
#[derive(Clone, Copy, Default)]
struct Span {
    ends: Option<[Vec3; 2]>,
    /// The point where the first end touches the surface, mesh space.
    anchor: Option<Vec3>,
    stale: bool,
}

/// The result of a brush that pulls the skin, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PullResult {
    /// The grabbed point.
    pub from: Vec3,
    /// The requested position.
    pub to: Vec3,
    /// The position reached, and the fraction of the way to it; `None` if no bone moves the skin there.
    pub reached: Option<(Vec3, f64)>,
}

/// A stroke in progress.
pub struct Painting {
    mesh: String,
    skin: PosedSkin,
    /// The view that it is painted in, if it is painted on the screen.
    viewport: Option<Viewport>,
    sampler: Sampler,
    stroke: Stroke,
    contacts: Vec<Contact>,
    span: Span,
    canvas: Arc<Canvas>,
    before: Arc<VertexWeights>,
    /// The last position of the brush, and its pressure.
    last: Option<(Vec3, f32)>,
    /// Whether the brush has touched the surface.
    touched: bool,
    /// Whether a preview changed anything.
    changed: bool,
}

impl Painting {
    /// Starts a stroke. With a viewport the path is on the screen, else in mesh space.
    ///
    /// # Errors
    /// Returns a sentence that explains why nothing can be painted.
    pub fn begin(
        mesh: &str,
        skinned: &SkinnedMesh,
        cache: &PaintCache,
        skin: PosedSkin,
        paint: &Paint,
        viewport: Option<Viewport>,
    ) -> Result<Self, String> {
        let stroke = begin_stroke(skinned, cache, paint, |brush| {
            // A gradient goes around a limb, as far as its radius reaches.
            let is_all_around = brush.reach == Reach::Through || brush.mode == Mode::Gradient;
            let viewport = viewport.filter(|_| !is_all_around)?;
            let mesh_from_world = skin.world_from_mesh.inverse();
            let from = if viewport.camera.orthographic {
                let towards = mesh_from_world.transform_vector3(viewport.camera.axes()[2]);
                ViewPoint::Direction(towards.normalize_or_zero())
            } else {
                ViewPoint::Eye(mesh_from_world.transform_point3(viewport.camera.eye()))
            };
            Some(Facing::new(&cache.canvas, &cache.surface, &skin.posed.positions, from))
        })?;
        let step = viewport.map_or(STEP * cache.canvas.size, |_| STEP_PX);
        Ok(Self {
            mesh: mesh.to_owned(),
            skin,
            viewport,
            sampler: Sampler::new(step),
            stroke,
            contacts: Vec::new(),
            span: Span::default(),
            canvas: cache.canvas.clone(),
            before: skinned.weights.clone(),
            last: None,
            touched: false,
            changed: false,
        })
    }

    /// Restricts painting to these vertices.
    #[must_use]
    pub fn restrict_to(mut self, vertices: &[u32]) -> Self {
        self.stroke.restrict_to(vertices);
        self
    }

    /// Continues the stroke on the moving character in its current pose.
    pub fn set_skin(&mut self, skin: PosedSkin) {
        self.skin = skin;
    }

    /// Extends the path to a pixel.
    pub fn extend(&mut self, pixel: Vec2, pressure: f32) {
        let Some(viewport) = self.viewport else { return };
        let through = self.stroke.brush().reach == Reach::Through;
        if self.stroke.brush().uses_endpoints() {
            return self.set_end(pixel.extend(0.0), pressure);
        }
        self.last = Some((pixel.extend(0.0), pressure));
        let (target, stroke, contacts) = (self.skin.target(), &mut self.stroke, &mut self.contacts);
        let touched = &mut self.touched;
        self.sampler.advance(pixel.extend(0.0), pressure, |point, pressure| {
            target.cast(&viewport.ray(point.truncate()), through, contacts);
            *touched |= !contacts.is_empty();
            stroke.touch(contacts, pressure);
        });
    }

    /// Extends the path to a point in the space of the displayed mesh; the nearest point of the surface is
    /// touched.
    pub fn extend_in_space(&mut self, point: Vec3, pressure: f32) {
        if self.stroke.brush().uses_endpoints() {
            return self.set_end(point, pressure);
        }
        self.last = Some((point, pressure));
        let (target, stroke, touched) = (self.skin.target(), &mut self.stroke, &mut self.touched);
        self.sampler.advance(point, pressure, |point, pressure| {
            if let Some(contact) = target.closest(point) {
                *touched = true;
                stroke.touch(&[contact], pressure);
            }
        });
    }

    /// Returns the distance of a point in mesh space from the displayed surface.
    pub fn distance(&self, point: Vec3) -> Option<f32> {
        let contact = self.skin.target().closest(point)?;
        Some(contact.position(&self.skin.posed.positions).distance(point))
    }

    /// Handles a brush that rests for a number of clock ticks ([`crate::rig::weights::paint::brush::TICKS`]
    /// per second): a brush that sprays continues.
    pub fn rest(&mut self, ticks: u32) {
        let Some((point, pressure)) = self.last.filter(|_| self.stroke.brush().sprays()) else {
            return;
        };
        self.find_contacts(point);
        for _ in 0..ticks {
            self.stroke.rest(&self.contacts, pressure);
        }
    }

    /// Finds the contacts of the brush with the surface.
    fn find_contacts(&mut self, point: Vec3) {
        let through = self.stroke.brush().reach == Reach::Through;
        let target = self.skin.target();
        match self.viewport {
            Some(viewport) => target.cast(&viewport.ray(point.truncate()), through, &mut self.contacts),
            None => {
                self.contacts.clear();
                self.contacts.extend(target.closest(point));
            }
        }
    }

    /// Sets the last end of the path, or the first one.
    fn set_end(&mut self, point: Vec3, pressure: f32) {
        if !point.is_finite() || !pressure.is_finite() {
            return;
        }
        match &mut self.span.ends {
            Some([_, last]) => *last = point,
            None => {
                self.span.ends = Some([point, point]);
                self.find_contacts(point);
                let first = self.contacts.first();
                self.span.anchor = first.map(|contact| contact.position(&self.skin.posed.positions));
                self.touched |= first.is_some();
                if self.stroke.brush().mode == Mode::Pull {
                    self.stroke.touch(&self.contacts, pressure);
                }
            }
        }
        self.span.stale = true;
    }

    /// Processes what was touched since the last update.
    pub fn update(&mut self) {
        if !self.stroke.brush().uses_endpoints() {
            return self.stroke.update();
        }
        let Some([first, last]) = self.span.ends.filter(|_| std::mem::take(&mut self.span.stale)) else {
            return;
        };
        match self.stroke.brush().mode {
            Mode::Pull => {
                let Some(anchor) = self.span.anchor else { return };
                let offset = self.to_mesh_space(anchor, last - first);
                self.stroke.pull(&self.skin.posed.skinning, offset);
            }
            _ => self.apply_gradient(first, last),
        }
    }

    /// Converts a movement of the pointer to mesh space, at the depth of `anchor`.
    fn to_mesh_space(&self, anchor: Vec3, offset: Vec3) -> Vec3 {
        let Some(viewport) = self.viewport else {
            return offset;
        };
        let world = self.skin.world_from_mesh.transform_point3(anchor);
        let [right, up, _] = viewport.camera.axes();
        let offset = (right * offset.x - up * offset.y) * viewport.world_per_pixel(world);
        self.skin.world_from_mesh.inverse().transform_vector3(offset)
    }

    /// Applies a gradient along the line between two points, from everything at the first to nothing at the
    /// last.
    fn apply_gradient(&mut self, first: Vec3, last: Vec3) {
        let (offset, squared) = (last - first, (last - first).length_squared());
        self.stroke.begin_gradient();
        if squared <= f32::MIN_POSITIVE {
            return self.stroke.apply_gradient(|_| 0.0);
        }
        let step = self.viewport.map_or(STEP * self.canvas.size, |_| STEP_PX);
        let steps = (squared.sqrt() / step).ceil().min(MOST_STEPS);
        for i in 0..=steps as u32 {
            self.find_contacts(first + offset * (i as f32 / steps));
            self.touched |= !self.contacts.is_empty();
            self.stroke.add_gradient_contacts(&self.contacts);
        }
        let (skin, viewport, canvas) = (&self.skin, self.viewport, &self.canvas);
        let part = |point: u32| {
            let position = skin.posed.positions[canvas.vertices(point)[0] as usize];
            let point = match viewport {
                None => Some(position),
                Some(viewport) => viewport
                    .project(skin.world_from_mesh.transform_point3(position))
                    .map(|projected| projected.pixel.extend(0.0)),
            };
            point.map_or(0.0, |point| f64::from(1.0 - (point - first).dot(offset) / squared))
        };
        self.stroke.apply_gradient(part);
    }

    /// Ends the stroke.
    pub fn finish(&mut self) {
        self.update();
        self.stroke.finish();
    }

    /// The command for everything painted so far; `None` if that is nothing.
    pub fn command(&self) -> Option<Command> {
        let painted = self.stroke.painted();
        (!painted.vertices.is_empty()).then(|| Command::PaintWeights { mesh: self.mesh.clone(), painted })
    }

    /// Same as [`Self::command`], if there is anything new to show: `None` as long as nothing has changed.
    pub fn preview(&mut self) -> Option<Command> {
        let painted = self.stroke.painted();
        // If the effect of an earlier preview is gone, that must be displayed too.
        self.changed |= painted.differs_from(&self.before);
        let is_shown = self.changed && !painted.vertices.is_empty();
        is_shown.then(|| Command::PaintWeights { mesh: self.mesh.clone(), painted })
    }

    /// A sentence that explains why nothing was healed.
    pub fn overreach(&self) -> Option<&'static str> {
        self.stroke.overreach()
    }

    /// A sentence that explains why the whole stroke had no effect.
    pub fn no_effect_reason(&self) -> Option<&'static str> {
        if let Some(overreach) = self.stroke.overreach() {
            return Some(overreach);
        }
        let (painted, mode) = (self.stroke.painted(), self.mode());
        if painted.differs_from(&self.before) {
            return None;
        }
        Some(match (self.touched, painted.vertices.as_slice()) {
            (false, _) => "Nothing was painted: the brush did not touch the character.",
            (true, _) if self.stroke.all_locked() => {
                "Nothing was painted: the weights of all bones there are locked."
            }
            (true, []) if self.stroke.misses_chosen() => {
                "Nothing was painted: no selected vertex is there. Clear the selection of vertices, or paint on them."
            }
            (true, _) if mode == Mode::Pull => {
                "Nothing was pulled: no bone moves the skin there in this pose. Bend the joint first."
            }
            (true, []) => "Nothing was painted: the skin there faces away. Reach “Through” paints it too.",
            (true, _) => "Nothing was painted: the weights there already have that value.",
        })
    }

    /// The result of a brush that pulls; `None` if it did not grab the skin.
    pub fn pull_result(&self) -> Option<PullResult> {
        let ([first, last], anchor) = (self.span.ends?, self.span.anchor?);
        let part = self.stroke.pulled_fraction()?;
        let offset = self.to_mesh_space(anchor, last - first);
        let world = |point: Vec3| self.skin.world_from_mesh.transform_point3(point);
        Some(PullResult {
            from: world(anchor),
            to: world(anchor + offset),
            reached: part.is_finite().then(|| (world(anchor + offset * part as f32), part)),
        })
    }

    /// Whether the brush has an effect while it rests.
    pub fn sprays(&self) -> bool {
        self.stroke.brush().sprays()
    }

    /// A counter that grows whenever rows are computed.
    pub fn revision(&self) -> u64 {
        self.stroke.change_count()
    }

    pub fn mode(&self) -> Mode {
        self.stroke.brush().mode
    }

    pub fn brush(&self) -> &Brush {
        self.stroke.brush()
    }

    pub fn stroke(&self) -> &Stroke {
        &self.stroke
    }

    /// The skin that is painted on.
    pub fn skin(&self) -> &PosedSkin {
        &self.skin
    }

    /// Returns the point of the skin under a pixel.
    pub fn contact(&self, pixel: Vec2) -> Option<Contact> {
        self.skin.contact(&self.viewport?, pixel)
    }
}

/// Returns the bone to paint, if the brush paints a single bone.
///
/// # Errors
/// Returns a sentence that explains why nothing can be painted.
pub fn paintable_bone(skinned: &SkinnedMesh, paint: &Paint) -> Result<Option<usize>, String> {
    let skeleton = &skinned.skeleton;
    if skeleton.bones.is_empty() {
        return Err("Add a bone first: this mesh has none.".into());
    }
    let (vertices, bones) = (skinned.surface.vertex_count(), skeleton.bones.len());
    if skinned.weights.validate(vertices, bones).is_err() {
        return Err("The weights of the mesh are damaged: calculate them first.".into());
    }
    if !paint.brush.mode.paints_one_bone() {
        return Ok(None);
    }
    let Some(bone) = paint.bone else {
        return Err("Select the bone whose weights are painted.".into());
    };
    match skeleton.bones.get(bone) {
        None => Err(format!("There is no bone {bone}.")),
        Some(bone) if bone.link => Err("A link moves no vertex: choose another bone.".into()),
        Some(locked) if locked.lock_weights => {
            let name = skeleton.bone_name(bone);
            Err(format!("The weights of {name} are locked: unlock them, or choose another bone."))
        }
        Some(_) => Ok(Some(bone)),
    }
}

fn begin_stroke(
    skinned: &SkinnedMesh,
    cache: &PaintCache,
    paint: &Paint,
    facing: impl FnOnce(&Brush) -> Option<Facing>,
) -> Result<Stroke, String> {
    let (skeleton, brush) = (&skinned.skeleton, paint.brush);
    let bone = paintable_bone(skinned, paint)?;
    let sides = paint.symmetric.then(|| cache.sides(skeleton));
    let mirrored = sides.and_then(|sides| {
        let bone = bone.map_or(Some(0), |bone| sides.others.get(bone).copied().flatten())?;
        Some(Mirrored { map: cache.mirror(sides.plane), bone: bone as u16, others: sides.others.clone() })
    });
    Ok(Stroke::new(
        cache.canvas.clone(),
        skinned.weights.clone(),
        Rules::new(skeleton, skinned.weight_method.bone_limit(brush.most)),
        (brush, bone.unwrap_or(0) as u16),
        mirrored,
        facing(&brush),
    ))
}

/// Paints `vertices`, or all of them, uniformly.
///
/// # Errors
/// Returns a sentence that explains why nothing can be painted.
pub fn fill(
    mesh: &str,
    skinned: &SkinnedMesh,
    paint: &Paint,
    vertices: Option<&[u32]>,
) -> Result<Option<Command>, String> {
    let cache = PaintCache::new(&skinned.surface);
    let mut stroke = begin_stroke(skinned, &cache, paint, |_| None)?;
    match vertices {
        Some(vertices) => stroke.fill(vertices.iter().copied()),
        None => stroke.fill(0..skinned.surface.vertex_count() as u32),
    }
    if let Some(overreach) = stroke.overreach() {
        return Err(overreach.into());
    }
    let painted = stroke.painted();
    Ok((!painted.vertices.is_empty()).then(|| Command::PaintWeights { mesh: mesh.to_owned(), painted }))
}
