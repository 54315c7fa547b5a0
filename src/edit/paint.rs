//! A stroke of a brush on a character as it is shown: from the way of the pointer, or a way in space, to the command that
//! it comes to. The tool and `ossature paint` both paint through this.
//!
//! The surface is touched where it was when the stroke began; lengths are those of the bind pose.

mod easel;

use super::command::Command;
use crate::math::camera::Viewport;
use crate::rig::weights::VertexWeights;
use crate::rig::weights::paint::path::{Facing, STEP, STEP_PX, Sampler, ViewPoint};
use crate::rig::weights::paint::stroke::Mirrored;
use crate::rig::weights::paint::{Brush, Canvas, Contact, Mode, PaintedRows, Reach, Rules, Stroke};
use crate::scene::skinned::SkinnedMesh;
pub use easel::{Easel, Shown};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// The line of a gradient is cast at no more places.
const MOST_STEPS: f32 = 1000.0;

/// Which bone is painted, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    pub brush: Brush,
    /// May be missing for a brush that is of no bone.
    pub bone: Option<usize>,
    /// The other side too.
    pub symmetric: bool,
}

/// Where a brush that goes by the ends of its way has been: pixels with a viewport, else points of the mesh's space.
#[derive(Clone, Copy, Default)]
struct Span {
    ends: Option<[Vec3; 2]>,
    /// Where the first end touches the surface, mesh space.
    place: Option<Vec3>,
    stale: bool,
}

/// The skin that a brush pulls, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulled {
    /// Where it was taken hold of.
    pub from: Vec3,
    /// Where it is asked to go.
    pub to: Vec3,
    /// Where it went, and which part of the way that is; `None` where no bone moves it.
    pub went: Option<(Vec3, f64)>,
}

/// A stroke under way.
pub struct Painting {
    mesh: String,
    shown: Shown,
    /// Where it is painted from, on the screen.
    viewport: Option<Viewport>,
    sampler: Sampler,
    stroke: Stroke,
    contacts: Vec<Contact>,
    span: Span,
    canvas: Arc<Canvas>,
    before: Arc<VertexWeights>,
    /// Where the brush was last, and with which pressure.
    last: Option<(Vec3, f32)>,
    /// The brush met the surface.
    met: bool,
    /// A preview changed something.
    changed: bool,
    /// What was handed out, to be written again when nobody holds it any more.
    spare: Vec<Arc<Vec<Command>>>,
}

/// Previews of a stroke that are held at a time: by who shows it, and by who writes it down.
const PREVIEWS: usize = 3;

impl Painting {
    /// With a viewport the way is on the screen, else in the mesh's space.
    ///
    /// # Errors
    /// Why nothing can be painted, as a sentence.
    pub fn begin(
        mesh: &str,
        skinned: &SkinnedMesh,
        easel: &Easel,
        shown: Shown,
        paint: &Paint,
        viewport: Option<Viewport>,
    ) -> Result<Self, String> {
        let stroke = begin(skinned, easel, paint, |brush| {
            // A gradient goes around a limb, as far as its radius reaches.
            let is_all_around = brush.reach == Reach::Through || brush.mode == Mode::Gradient;
            let viewport = viewport.filter(|_| !is_all_around)?;
            let mesh_from_world = shown.world_from_mesh.inverse();
            let from = match viewport.camera.orthographic {
                true => {
                    let towards = mesh_from_world.transform_vector3(viewport.camera.axes()[2]);
                    ViewPoint::Direction(towards.normalize_or_zero())
                }
                false => ViewPoint::Eye(mesh_from_world.transform_point3(viewport.camera.eye())),
            };
            Some(Facing::new(
                &easel.canvas,
                &easel.surface,
                &shown.posed.positions,
                from,
            ))
        })?;
        let step = viewport.map_or(STEP * easel.canvas.size, |_| STEP_PX);
        Ok(Self {
            mesh: mesh.to_owned(),
            shown,
            viewport,
            sampler: Sampler::new(step),
            stroke,
            contacts: Vec::new(),
            span: Span::default(),
            canvas: easel.canvas.clone(),
            before: skinned.weights.clone(),
            last: None,
            met: false,
            changed: false,
            spare: Vec::with_capacity(PREVIEWS + 1),
        })
    }

    /// Only these vertices are painted.
    #[must_use]
    pub fn only(mut self, vertices: &[u32]) -> Self {
        self.stroke.only(vertices);
        self
    }

    /// The character goes on moving: the way goes on over it as it is now.
    pub fn show(&mut self, shown: Shown) {
        self.shown = shown;
    }

    /// The way goes on to a pixel.
    pub fn go(&mut self, at: Vec2, pressure: f32) {
        let Some(viewport) = self.viewport else { return };
        let through = self.stroke.brush().reach == Reach::Through;
        if self.stroke.brush().spans() {
            return self.span(at.extend(0.0), pressure);
        }
        self.last = Some((at.extend(0.0), pressure));
        let (target, stroke, contacts) = (self.shown.target(), &mut self.stroke, &mut self.contacts);
        let met = &mut self.met;
        self.sampler.go(at.extend(0.0), pressure, |at, pressure| {
            target.cast(&viewport.ray(at.truncate()), through, contacts);
            *met |= !contacts.is_empty();
            stroke.touch(contacts, pressure);
        });
    }

    /// The way goes on to a point of the mesh's space, as it is shown: the surface is touched where it is nearest.
    pub fn go_in_space(&mut self, at: Vec3, pressure: f32) {
        if self.stroke.brush().spans() {
            return self.span(at, pressure);
        }
        self.last = Some((at, pressure));
        let (target, stroke, met) = (self.shown.target(), &mut self.stroke, &mut self.met);
        self.sampler.go(at, pressure, |at, pressure| {
            if let Some(contact) = target.closest(at) {
                *met = true;
                stroke.touch(&[contact], pressure);
            }
        });
    }

    /// How far a point of the mesh's space is from the surface as it is shown.
    pub fn distance(&self, at: Vec3) -> Option<f32> {
        let contact = self.shown.target().closest(at)?;
        Some(contact.place(&self.shown.posed.positions).distance(at))
    }

    /// The brush rests where it is for so many ticks of the clock ([`crate::rig::weights::paint::brush::TICKS`] in a
    /// second): one that sprays goes on.
    pub fn rest(&mut self, ticks: u32) {
        let Some((at, pressure)) = self.last.filter(|_| self.stroke.brush().sprays()) else {
            return;
        };
        self.touched_at(at);
        for _ in 0..ticks {
            self.stroke.rest(&self.contacts, pressure);
        }
    }

    /// Finds what lies where the brush is.
    fn touched_at(&mut self, at: Vec3) {
        let through = self.stroke.brush().reach == Reach::Through;
        let target = self.shown.target();
        match self.viewport {
            Some(viewport) => target.cast(&viewport.ray(at.truncate()), through, &mut self.contacts),
            None => {
                self.contacts.clear();
                self.contacts.extend(target.closest(at));
            }
        }
    }

    /// The other end of the way, or the first.
    fn span(&mut self, at: Vec3, pressure: f32) {
        if !at.is_finite() || !pressure.is_finite() {
            return;
        }
        match &mut self.span.ends {
            Some([_, last]) => *last = at,
            None => {
                self.span.ends = Some([at, at]);
                self.touched_at(at);
                let first = self.contacts.first();
                self.span.place = first.map(|contact| contact.place(&self.shown.posed.positions));
                self.met |= first.is_some();
                if self.stroke.brush().mode == Mode::Pull {
                    self.stroke.touch(&self.contacts, pressure);
                }
            }
        }
        self.span.stale = true;
    }

    /// Works out what was touched since the last time.
    pub fn update(&mut self) {
        if !self.stroke.brush().spans() {
            return self.stroke.update();
        }
        let Some([first, last]) = self.span.ends.filter(|_| std::mem::take(&mut self.span.stale)) else {
            return;
        };
        match self.stroke.brush().mode {
            Mode::Pull => {
                let Some(place) = self.span.place else { return };
                let by = self.way_of(place, last - first);
                self.stroke.pull(&self.shown.posed.skinning, by);
            }
            _ => self.grade(first, last),
        }
    }

    /// A way of the pointer in the mesh's space, at the depth of `place`.
    fn way_of(&self, place: Vec3, way: Vec3) -> Vec3 {
        let Some(viewport) = self.viewport else { return way };
        let world = self.shown.world_from_mesh.transform_point3(place);
        let [right, up, _] = viewport.camera.axes();
        let way = (right * way.x - up * way.y) * viewport.world_per_pixel(world);
        self.shown.world_from_mesh.inverse().transform_vector3(way)
    }

    /// All of it at the first end, nothing at the last one, near the line between them.
    fn grade(&mut self, first: Vec3, last: Vec3) {
        let (way, squared) = (last - first, (last - first).length_squared());
        self.stroke.begin_grade();
        if squared <= f32::MIN_POSITIVE {
            return self.stroke.grade(|_| 0.0);
        }
        let step = self.viewport.map_or(STEP * self.canvas.size, |_| STEP_PX);
        let steps = (squared.sqrt() / step).ceil().min(MOST_STEPS);
        for i in 0..=steps as u32 {
            self.touched_at(first + way * (i as f32 / steps));
            self.met |= !self.contacts.is_empty();
            self.stroke.grade_at(&self.contacts);
        }
        let (shown, viewport, canvas) = (&self.shown, self.viewport, &self.canvas);
        let part = |point: u32| {
            let place = shown.posed.positions[canvas.vertices(point)[0] as usize];
            let at = match viewport {
                None => Some(place),
                Some(viewport) => viewport
                    .project(shown.world_from_mesh.transform_point3(place))
                    .map(|shown| shown.pixel.extend(0.0)),
            };
            at.map_or(0.0, |at| f64::from(1.0 - (at - first).dot(way) / squared))
        };
        self.stroke.grade(part);
    }

    /// The brush is lifted.
    pub fn finish(&mut self) {
        self.update();
        self.stroke.finish();
    }

    /// All that was painted so far; `None` where that is nothing.
    pub fn command(&self) -> Option<Command> {
        let painted = self.stroke.painted();
        (!painted.vertices.is_empty()).then(|| Command::PaintWeights {
            mesh: self.mesh.clone(),
            painted,
        })
    }

    /// As [`Self::command`], in memory that is written again when nobody holds it any more.
    pub fn preview(&mut self) -> Option<Arc<Vec<Command>>> {
        let is_free = |preview: &Arc<Vec<Command>>| Arc::strong_count(preview) == 1;
        let mut preview = match self.spare.iter().position(is_free) {
            Some(at) => self.spare.swap_remove(at),
            None => {
                let painted = PaintedRows::with_room(self.before.vertex_count());
                let mesh = self.mesh.clone();
                Arc::new(vec![Command::PaintWeights { mesh, painted }])
            }
        };
        let commands = Arc::get_mut(&mut preview)?;
        if let Some(Command::PaintWeights { painted, .. }) = commands.first_mut() {
            self.stroke.painted_into(painted);
            // What changed something may change nothing any more: that is shown too.
            let is_idle = !self.changed && !painted.changes(&self.before);
            if painted.vertices.is_empty() || is_idle {
                self.spare.push(preview);
                return None;
            }
            self.changed = true;
        }
        self.spare.push(preview.clone());
        if self.spare.len() > PREVIEWS {
            self.spare.remove(0);
        }
        Some(preview)
    }

    /// Why nothing was healed, as a sentence.
    pub fn overreach(&self) -> Option<&'static str> {
        self.stroke.overreach()
    }

    /// Why all of it changed nothing, as a sentence.
    pub fn objection(&self) -> Option<&'static str> {
        if let Some(overreach) = self.stroke.overreach() {
            return Some(overreach);
        }
        let (painted, mode) = (self.stroke.painted(), self.mode());
        if painted.changes(&self.before) {
            return None;
        }
        Some(match (self.met, painted.vertices.as_slice()) {
            (false, _) => "Nothing was painted: the brush did not touch the character.",
            (true, _) if self.stroke.all_locked() => {
                "Nothing was painted: the weights of all bones there are locked."
            }
            (true, []) if self.stroke.spares_all() => {
                "Nothing was painted: no selected vertex is there. Clear the selection of vertices, or paint on them."
            }
            (true, _) if mode == Mode::Pull => {
                "Nothing was pulled: no bone moves the skin there in this pose. Bend the joint first."
            }
            (true, []) => "Nothing was painted: the skin there faces away. Reach “Through” paints it too.",
            (true, _) => "Nothing was painted: the weights there already have that value.",
        })
    }

    /// Of a brush that pulls: how far the skin went. `None` where it took hold of nothing.
    pub fn pulled(&self) -> Option<Pulled> {
        let ([first, last], place) = (self.span.ends?, self.span.place?);
        let reached = self.stroke.reached()?;
        let way = self.way_of(place, last - first);
        let world = |at: Vec3| self.shown.world_from_mesh.transform_point3(at);
        Some(Pulled {
            from: world(place),
            to: world(place + way),
            went: reached
                .is_finite()
                .then(|| (world(place + way * reached as f32), reached)),
        })
    }

    /// Whether the brush does anything while it rests.
    pub fn sprays(&self) -> bool {
        self.stroke.brush().sprays()
    }

    /// Grows whenever rows are worked out.
    pub fn changes(&self) -> u64 {
        self.stroke.changes()
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

    /// What is painted on.
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// Where a pixel shows it.
    pub fn contact(&self, at: Vec2) -> Option<Contact> {
        self.shown.contact(&self.viewport?, at)
    }
}

/// The bone that is painted, if the brush is of one.
///
/// # Errors
/// Why nothing can be painted, as a sentence.
pub fn check(skinned: &SkinnedMesh, paint: &Paint) -> Result<Option<usize>, String> {
    let skeleton = &skinned.skeleton;
    if skeleton.bones.is_empty() {
        return Err("Add a bone first: this mesh has none.".into());
    }
    let (vertices, bones) = (skinned.surface.vertex_count(), skeleton.bones.len());
    if skinned.weights.validate(vertices, bones).is_err() {
        return Err("The weights of the mesh are damaged: calculate them first.".into());
    }
    if !paint.brush.mode.is_of_bone() {
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
            Err(format!(
                "The weights of {name} are locked: unlock them, or choose another bone."
            ))
        }
        Some(_) => Ok(Some(bone)),
    }
}

fn begin(
    skinned: &SkinnedMesh,
    easel: &Easel,
    paint: &Paint,
    facing: impl FnOnce(&Brush) -> Option<Facing>,
) -> Result<Stroke, String> {
    let (skeleton, brush) = (&skinned.skeleton, paint.brush);
    let bone = check(skinned, paint)?;
    let sides = paint.symmetric.then(|| easel.sides(skeleton));
    let mirrored = sides.and_then(|sides| {
        let bone = bone.map_or(Some(0), |bone| sides.others.get(bone).copied().flatten())?;
        Some(Mirrored {
            map: easel.mirror(sides.plane),
            bone: bone as u16,
            others: sides.others.clone(),
        })
    });
    Ok(Stroke::new(
        easel.canvas.clone(),
        skinned.weights.clone(),
        Rules::new(skeleton, brush.most),
        (brush, bone.unwrap_or(0) as u16),
        mirrored,
        facing(&brush),
    ))
}

/// Paints `vertices` alike, or all of them.
///
/// # Errors
/// Why nothing can be painted, as a sentence.
pub fn fill(
    mesh: &str,
    skinned: &SkinnedMesh,
    paint: &Paint,
    vertices: Option<&[u32]>,
) -> Result<Option<Command>, String> {
    let easel = Easel::new(&skinned.surface);
    let mut stroke = begin(skinned, &easel, paint, |_| None)?;
    match vertices {
        Some(vertices) => stroke.fill(vertices.iter().copied()),
        None => stroke.fill(0..skinned.surface.vertex_count() as u32),
    }
    if let Some(overreach) = stroke.overreach() {
        return Err(overreach.into());
    }
    let painted = stroke.painted();
    Ok((!painted.vertices.is_empty()).then(|| Command::PaintWeights {
        mesh: mesh.to_owned(),
        painted,
    }))
}
