//! A stroke of a brush on a character as it is shown: from the way of the pointer, or a way in space, to the command that
//! it comes to. The tool and `ossature paint` both paint through this.
//!
//! The surface is touched where it was when the stroke began; lengths are those of the bind pose.

use super::command::Command;
use crate::math::camera::Viewport;
use crate::mesh::bvh::Bvh;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::rig::edits::sides::other_sides;
use crate::rig::edits::symmetry::AXIS;
use crate::rig::weights::paint::path::{Facing, STEP, STEP_PX, Sampler, Target, ViewPoint};
use crate::rig::weights::paint::stroke::Mirrored;
use crate::rig::weights::paint::{Brush, Canvas, Contact, MirrorMap, Mode, Reach, Rules, Stroke};
use crate::scene::evaluate::{Evaluated, Posed};
use crate::scene::skinned::SkinnedMesh;
use glam::{Mat4, Vec2, Vec3};
use std::sync::{Arc, OnceLock};

/// What is made once for a surface, and used by one stroke after the other.
pub struct Easel {
    pub surface: Arc<HalfedgeMesh>,
    pub canvas: Arc<Canvas>,
    mirror: OnceLock<Arc<MirrorMap>>,
}

impl Easel {
    pub fn new(surface: &Arc<HalfedgeMesh>) -> Self {
        Self {
            canvas: Arc::new(Canvas::new(surface)),
            surface: surface.clone(),
            mirror: OnceLock::new(),
        }
    }

    /// Made when it is first asked for.
    pub fn mirror(&self) -> &Arc<MirrorMap> {
        let make = || {
            Arc::new(MirrorMap::new(
                &self.canvas,
                &self.surface,
                &Bvh::from_surface(&self.surface),
            ))
        };
        self.mirror.get_or_init(make)
    }
}

/// A character at a moment.
#[derive(Clone)]
pub struct Shown {
    pub posed: Arc<Posed>,
    pub tree: Arc<Bvh>,
    pub world_from_mesh: Mat4,
}

impl Shown {
    /// The skinned mesh called `mesh`, if it was evaluated.
    pub fn new(evaluated: &Evaluated, mesh: &str, world_from_mesh: Mat4) -> Option<Self> {
        let posed = evaluated.skinned.get(mesh)?.clone();
        let skinned = evaluated.scene.skinned_meshes.get(mesh)?;
        let tree = posed.tree(&evaluated.trees, &skinned.surface).clone();
        Some(Self {
            posed,
            tree,
            world_from_mesh,
        })
    }

    pub fn target(&self) -> Target<'_> {
        Target {
            world_from_mesh: self.world_from_mesh,
            positions: &self.posed.positions,
            tree: &self.tree,
        }
    }

    /// Where a pixel shows the surface.
    pub fn contact(&self, viewport: &Viewport, at: Vec2) -> Option<Contact> {
        let mut contacts = Vec::new();
        self.target().cast(&viewport.ray(at), false, &mut contacts);
        contacts.first().copied()
    }
}

/// Which bone is painted, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    pub brush: Brush,
    /// May be missing for a brush that is of no bone.
    pub bone: Option<usize>,
    /// The other side too. A brush that pulls knows one side only.
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
}

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
            let viewport = viewport.filter(|_| brush.reach != Reach::Through)?;
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
            let shown = self.shown.clone();
            self.span(at.extend(0.0), pressure, |contacts| {
                shown.target().cast(&viewport.ray(at), through, contacts);
            });
            return;
        }
        let (target, stroke, contacts) = (self.shown.target(), &mut self.stroke, &mut self.contacts);
        self.sampler.go(at.extend(0.0), pressure, |at, pressure| {
            target.cast(&viewport.ray(at.truncate()), through, contacts);
            stroke.touch(contacts, pressure);
        });
    }

    /// The way goes on to a point of the mesh's space, as it is shown: the surface is touched where it is nearest.
    pub fn go_in_space(&mut self, at: Vec3, pressure: f32) {
        if self.stroke.brush().spans() {
            let shown = self.shown.clone();
            self.span(at, pressure, |contacts| {
                contacts.clear();
                contacts.extend(shown.target().closest(at));
            });
            return;
        }
        let (target, stroke) = (self.shown.target(), &mut self.stroke);
        self.sampler.go(at, pressure, |at, pressure| {
            if let Some(contact) = target.closest(at) {
                stroke.touch(&[contact], pressure);
            }
        });
    }

    /// The other end of the way, or the first; `cast`: what it touches there.
    fn span(&mut self, at: Vec3, pressure: f32, cast: impl FnOnce(&mut Vec<Contact>)) {
        if !at.is_finite() || !pressure.is_finite() {
            return;
        }
        match &mut self.span.ends {
            Some([_, last]) => *last = at,
            None => {
                self.span.ends = Some([at, at]);
                cast(&mut self.contacts);
                let first = self.contacts.first();
                self.span.place = first.map(|contact| contact.place(&self.shown.posed.positions));
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

    /// All of it at the first end, nothing at the last one.
    fn grade(&mut self, first: Vec3, last: Vec3) {
        let (way, squared) = (last - first, (last - first).length_squared());
        if squared <= f32::MIN_POSITIVE {
            return self.stroke.grade(|_| 0.0);
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

    /// Grows whenever rows are worked out.
    pub fn changes(&self) -> u64 {
        self.stroke.changes()
    }

    pub fn mode(&self) -> Mode {
        self.stroke.brush().mode
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
    let mirrored = match (paint.symmetric && brush.mode != Mode::Pull, bone) {
        (false, _) => None,
        (true, Some(bone)) => other_sides(skeleton, AXIS)[bone],
        (true, None) => Some(0),
    };
    let mirrored = mirrored.map(|bone| Mirrored {
        map: easel.mirror().clone(),
        bone: bone as u16,
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
    let painted = stroke.painted();
    Ok((!painted.vertices.is_empty()).then(|| Command::PaintWeights {
        mesh: mesh.to_owned(),
        painted,
    }))
}
