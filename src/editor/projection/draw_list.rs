//! The parts of the scene that the viewport draws, as plain values: one item per visible surface. Knows
//! nothing of entities.

use crate::edit::settings::view::{Shading, Tab, View};
use crate::editor::state::{Caches, PartMesh, Texture, Textures};
use crate::extra::Extra;
use crate::math::bounds::Bounds;
use crate::mesh::halfedge::HalfedgeMesh;
use crate::mesh::render::RenderMesh;
use crate::scene::Scene;
use crate::scene::evaluate::Posed;
use crate::scene::instance::{DrawStyle, GeometryInstance, InstanceKind, InstanceRef};
use crate::scene::parts;
use crate::scene::resource::{MaterialKind, Mesh, Particle, Particles, TextureKind};
use crate::scene::skinned::SkinnedMesh;
use glam::{Mat4, Vec3};
use std::sync::Arc;

/// A surface with its geometry.
#[derive(Clone)]
pub enum Surface {
    Posed(Arc<Posed>),
    Rest {
        surface: Arc<HalfedgeMesh>,
        render: Arc<RenderMesh>,
    },
    /// Copies of a mesh, one for each transform.
    Copies {
        surface: Arc<HalfedgeMesh>,
        render: Arc<RenderMesh>,
        transforms: Arc<Vec<Mat4>>,
    },
    /// A sphere of this radius.
    Sphere(f32),
}

impl Surface {
    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        match self {
            Surface::Posed(posed) => posed.render.indices.is_empty(),
            Surface::Rest { render, .. } => render.indices.is_empty(),
            Surface::Copies { render, transforms, .. } => render.indices.is_empty() || transforms.is_empty(),
            Surface::Sphere(_) => false,
        }
    }

    /// Whether both draw the same triangles at the same positions.
    pub fn same_as(&self, other: &Surface) -> bool {
        match (self, other) {
            (Surface::Posed(a), Surface::Posed(b)) => Arc::ptr_eq(a, b),
            (Surface::Rest { surface: a, .. }, Surface::Rest { surface: b, .. }) => Arc::ptr_eq(a, b),
            (
                Surface::Copies { surface: a, transforms: transforms_a, .. },
                Surface::Copies { surface: b, transforms: transforms_b, .. },
            ) => Arc::ptr_eq(a, b) && transforms_a == transforms_b,
            (Surface::Sphere(a), Surface::Sphere(b)) => a == b,
            _ => false,
        }
    }

    /// Returns the triangles of a single surface that is given by half-edges.
    fn render(&self) -> Option<&Arc<RenderMesh>> {
        match self {
            Surface::Posed(posed) => Some(&posed.render),
            Surface::Rest { render, .. } => Some(render),
            Surface::Copies { .. } | Surface::Sphere(_) => None,
        }
    }

    /// Returns the bounds in local space.
    pub fn bounds(&self) -> Bounds {
        match self {
            Surface::Posed(posed) => Bounds::from_points(posed.positions.iter().copied()),
            Surface::Rest { surface, .. } => Bounds::from_points(surface.positions().iter().copied()),
            Surface::Copies { surface, transforms, .. } => {
                let one = Bounds::from_points(surface.positions().iter().copied());
                let copies = transforms.iter().map(|transform| one.transformed(transform));
                copies.fold(Bounds::EMPTY, Bounds::union)
            }
            Surface::Sphere(radius) => Bounds::from_sphere(Vec3::ZERO, *radius),
        }
    }

    /// Whether both have the same triangles, so that only positions and normals differ.
    pub fn same_triangles(&self, other: &Surface) -> bool {
        match (self, other) {
            (Surface::Posed(a), Surface::Posed(b)) => Arc::ptr_eq(&a.render, &b.render),
            _ => self.same_as(other),
        }
    }
}

/// Something to draw.
#[derive(Clone)]
pub struct Item {
    /// The instance, or in the Rig tab the mesh.
    pub id: ItemId,
    pub world_from_local: Mat4,
    pub surface: Surface,
    /// The only part of the surface that is drawn; `None` draws all of it. All parts have the same id.
    pub part: Option<Arc<PartMesh>>,
    /// Whether this is the first part, with which the edges of the whole surface are drawn.
    pub is_first: bool,
    /// The linear r, g, b by which the texture is multiplied.
    pub albedo: Vec3,
    pub texture: Option<Texture>,
    pub selected: bool,
    pub style: DrawStyle,
    pub shading: Shading,
    /// R: linear colours of the render vertices, which replace the material in the weights view.
    pub colors: Option<Arc<Vec<[f32; 4]>>>,
    /// The only side of the Compare view that shows it.
    pub side: Option<usize>,
}

impl Item {
    /// Returns an item in world space, not selected, in the colour of surfaces without a material.
    pub fn new(id: ItemId, surface: Surface) -> Self {
        Self {
            id,
            world_from_local: Mat4::IDENTITY,
            surface,
            part: None,
            is_first: true,
            albedo: DEFAULT_ALBEDO,
            texture: None,
            selected: false,
            style: DrawStyle::Correct,
            shading: Shading::Studio,
            colors: None,
            side: None,
        }
    }

    /// Returns a key that is unique among items and their parts.
    pub fn key(&self) -> (ItemId, usize) {
        (self.id.clone(), self.part.as_ref().map_or(0, |part| part.number))
    }

    /// Whether both draw the same triangles of their surfaces.
    pub fn same_part(&self, other: &Item) -> bool {
        self.part.as_ref().map(Arc::as_ptr) == other.part.as_ref().map(Arc::as_ptr)
    }

    /// Whether both draw the same triangles at the same positions.
    pub fn same_as(&self, other: &Item) -> bool {
        self.same_part(other) && self.surface.same_as(&other.surface)
    }

    /// Whether both have the same triangles, so that only positions and normals differ.
    pub fn same_triangles(&self, other: &Item) -> bool {
        self.same_part(other) && self.surface.same_triangles(&other.surface)
    }
}

/// The mesh or instance that an item draws.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemId {
    /// The Rig tab's mesh, by name.
    RigMesh(String),
    Instance(InstanceRef),
    /// The copy of an instance on the right side of the Compare view.
    Compared(InstanceRef),
}

impl ItemId {
    fn instance(kind: InstanceKind, name: &str) -> Self {
        let name = name.to_owned();
        Self::Instance(InstanceRef { kind, name })
    }
}

/// Returns the items of the open tab. In the Rig tab: the selected skinned mesh, in mesh space. In the
/// Animate tab: every visible instance with a surface.
pub fn items(view: &View, caches: &mut Caches) -> Vec<Item> {
    caches.textures.set_scene(&view.evaluated.scene, view.session.path());
    let mut list = List { view, caches, items: Vec::new() };
    if view.settings.tab == Tab::Rig {
        list.add_rig_mesh();
        return list.items;
    }
    list.add_skinned_meshes();
    // The Compare view shows nothing else.
    if view.evaluated.compare.is_none() {
        list.add_meshes();
        list.add_shapes();
        list.add_particles();
    }
    list.items
}

/// A list of items that is being made.
struct List<'a> {
    view: &'a View<'a>,
    caches: &'a mut Caches,
    items: Vec<Item>,
}

impl List<'_> {
    fn add_rig_mesh(&mut self) {
        let View { session, evaluated, .. } = *self.view;
        let (selection, scene) = (session.selection(), &evaluated.scene);
        let Some(mesh) = &selection.mesh else { return };
        let skinned = scene.skinned_meshes.get(mesh);
        let Some((skinned, posed)) = skinned.zip(evaluated.skinned.get(mesh)) else {
            return;
        };
        let mut instances = scene.instances.skinned_meshes.values();
        let placed = instances.find(|i| i.resource.as_ref() == Some(mesh));
        let material = placed.and_then(|i| i.material.as_deref());
        let item = Item {
            colors: self.weight_colors(&selection.mesh, skinned, posed, 0),
            ..Item::new(ItemId::RigMesh(mesh.clone()), Surface::Posed(posed.clone()))
        };
        self.add(item, material, Some((&skinned.surface, &skinned.mesh_extra)));
    }

    fn add_skinned_meshes(&mut self) {
        let evaluated = self.view.evaluated;
        let scene = &evaluated.scene;
        for (name, instance) in &scene.instances.skinned_meshes {
            let Some(mesh) = visible_resource(instance) else {
                continue;
            };
            let skinned = scene.skinned_meshes.get(mesh);
            let Some((skinned, posed)) = skinned.zip(evaluated.skinned.get(mesh)) else {
                continue;
            };
            match &evaluated.compare {
                None => self.add_skinned_mesh(name, instance, (skinned, posed), None),
                Some(compared) if compared.settings.instance == *name => {
                    for (i, side) in compared.sides.iter().enumerate() {
                        if let Some(side) = side {
                            self.add_skinned_mesh(name, instance, (&side.mesh, &side.posed), Some(i));
                        }
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn add_skinned_mesh(
        &mut self,
        name: &str,
        instance: &GeometryInstance,
        (skinned, posed): (&SkinnedMesh, &Arc<Posed>),
        side: Option<usize>,
    ) {
        let surface = Surface::Posed(posed.clone());
        let mut item = Item {
            colors: self.weight_colors(&instance.resource, skinned, posed, side.unwrap_or(0)),
            side,
            ..self.item(InstanceKind::SkinnedMesh, name, instance, surface)
        };
        if let (Some(1), ItemId::Instance(instance)) = (side, &item.id) {
            item.id = ItemId::Compared(instance.clone());
        }
        let whole = (&*skinned.surface, &skinned.mesh_extra);
        self.add(item, instance.material.as_deref(), Some(whole));
    }

    /// Returns the colours of weights on a side of the Compare view, if weights are shown.
    fn weight_colors(
        &mut self,
        mesh: &Option<String>,
        skinned: &SkinnedMesh,
        posed: &Posed,
        side: usize,
    ) -> Option<Arc<Vec<[f32; 4]>>> {
        let (selection, settings) = (self.view.session.selection(), self.view.settings);
        let shown = settings.display.weights_view && selection.mesh == *mesh;
        let mut bones = selection.bones();
        bones.retain(|&bone| bone < skinned.skeleton.bones.len());
        let colors = &mut self.caches.weight_colors[side];
        shown.then(|| colors.colors(&skinned.weights, &posed.render, bones, settings.display.rainbow))
    }

    fn add_meshes(&mut self) {
        let scene = &self.view.evaluated.scene;
        for (name, instance) in &scene.instances.meshes {
            let Some(mesh) = visible_resource(instance).and_then(|mesh| scene.meshes.get(mesh)) else {
                continue;
            };
            let surface = Surface::Rest {
                surface: mesh.surface.clone(),
                render: self.caches.evaluator.render_mesh(&mesh.surface),
            };
            let item = self.item(InstanceKind::Mesh, name, instance, surface);
            let whole = (&*mesh.surface, &mesh.extra);
            self.add(item, instance.material.as_deref(), Some(whole));
        }
    }

    fn add_shapes(&mut self) {
        let scene = &self.view.evaluated.scene;
        for (name, instance) in &scene.instances.shapes {
            if let Some(shape) = visible_resource(instance).and_then(|shape| scene.shapes.get(shape)) {
                let surface = Surface::Sphere(shape.radius);
                let item = self.item(InstanceKind::Shape, name, instance, surface);
                self.add(item, instance.material.as_deref(), None);
            }
        }
    }

    fn add_particles(&mut self) {
        let scene = &self.view.evaluated.scene;
        for (name, instance) in &scene.instances.particles {
            let mesh = instance.mesh.as_ref().and_then(|mesh| scene.meshes.get(mesh));
            let saved = instance.particles.as_ref().and_then(|name| scene.particles.get(name));
            let (Some(mesh), Some(saved), true) = (mesh, saved, instance.visible) else {
                continue;
            };
            if !is_drawn_by_mesh(mesh, saved) {
                continue;
            }
            let transform = |particle: &Particle| {
                let size = Mat4::from_scale(Vec3::splat(saved.radius));
                Mat4::from_translation(particle.position) * size
            };
            let surface = Surface::Copies {
                surface: mesh.surface.clone(),
                render: self.caches.evaluator.render_mesh(&mesh.surface),
                transforms: Arc::new(saved.particles.iter().map(transform).collect()),
            };
            // Particles are in world space already.
            let item = Item {
                selected: self.is_selected(InstanceKind::Particles, name),
                style: if instance.wireframe { DrawStyle::Wireframe } else { DrawStyle::Correct },
                ..Item::new(ItemId::instance(InstanceKind::Particles, name), surface)
            };
            self.add(item, instance.material.as_deref(), None);
        }
    }

    fn item(&self, kind: InstanceKind, name: &str, instance: &GeometryInstance, surface: Surface) -> Item {
        Item {
            world_from_local: self.view.evaluated.world(instance.transform.as_deref()),
            selected: self.is_selected(kind, name),
            style: instance.settings.style(),
            ..Item::new(ItemId::instance(kind, name), surface)
        }
    }

    fn is_selected(&self, kind: InstanceKind, name: &str) -> bool {
        let selection = self.view.session.selection();
        let mut instance = selection.instance.iter();
        selection.part.is_none() && instance.any(|i| i.kind == kind && i.name == name)
    }

    /// Adds an item with its material, or one for each part of `mesh`, given by its surface and its unknown
    /// members.
    fn add(&mut self, item: Item, material: Option<&str>, mesh: Option<(&HalfedgeMesh, &Extra)>) {
        let Self { view, caches, items } = self;
        let Caches { textures, parts, .. } = caches;
        let mut push = |item: Item, material: Option<&str>| {
            let (albedo, texture) = appearance(&view.evaluated.scene, material, textures);
            items.push(Item { albedo, texture, shading: view.settings.display.shading, ..item });
        };
        // The weights view shows colours instead.
        if let (Some((surface, extra)), Some(render), None) = (mesh, item.surface.render(), &item.colors) {
            let shown = parts::visible(extra, material);
            let meshes = parts.meshes(surface, render, &shown);
            for (index, part) in meshes.iter().enumerate() {
                let material = shown.get(part.number).and_then(|part| part.material.as_deref());
                let part = Item { part: Some(part.clone()), is_first: index == 0, ..item.clone() };
                push(part, material);
            }
            if !meshes.is_empty() {
                return;
            }
        }
        push(item, material);
    }
}

/// The most vertices of the particles of an instance that are drawn by its mesh; beyond that, particles are
/// crosses.
const MOST_PARTICLE_VERTICES: usize = 1_000_000;

/// Whether particles are drawn by a mesh; otherwise each is a cross.
pub fn is_drawn_by_mesh(mesh: &Mesh, particles: &Particles) -> bool {
    let vertices = mesh.surface.vertex_count().saturating_mul(particles.particles.len());
    vertices > 0 && vertices <= MOST_PARTICLE_VERTICES
}

fn visible_resource(instance: &GeometryInstance) -> Option<&str> {
    instance.settings.visible.then_some(instance.resource.as_deref()).flatten()
}

/// The colour of a surface without a material.
const DEFAULT_ALBEDO: Vec3 = Vec3::splat(0.75);

/// Returns the best approximation of a material by a colour, and its picture.
fn appearance(scene: &Scene, material: Option<&str>, textures: &mut Textures) -> (Vec3, Option<Texture>) {
    let texture = material.and_then(|name| scene.materials.get(name)).and_then(|m| match &m.kind {
        MaterialKind::Lambertian { albedo } => albedo.as_deref(),
        MaterialKind::Mirror { reflectance } => reflectance.as_deref(),
        MaterialKind::Refract { transmittance, .. } | MaterialKind::Glass { transmittance, .. } => {
            transmittance.as_deref()
        }
        MaterialKind::Emissive { emissive } => emissive.as_deref(),
    });
    let Some(texture) = texture.and_then(|name| scene.textures.get(name)) else {
        return (DEFAULT_ALBEDO, None);
    };
    match &texture.kind {
        TextureKind::Constant { color, scale } => ((*color * *scale).clamp(Vec3::ZERO, Vec3::ONE), None),
        TextureKind::Image { sampler, image } => match textures.get(image, sampler) {
            Some(picture) => (texture.factor().min(Vec3::ONE), Some(picture)),
            None => (DEFAULT_ALBEDO, None),
        },
    }
}
