//! The materials of surfaces on the graphics card, with pictures and texture coordinates.
//!
//! A picture is uploaded once, however many surfaces show it; coordinates are uploaded when a surface gets a
//! texture or other triangles, never for new positions.

use super::draw_list::{Item, Surface};
use super::mesh::sphere;
use super::studio::StudioMaterial;
use super::textured::{self, TexturedMaterial};
use crate::edit::settings::view::Shading;
use crate::editor::projection::layers::color;
use crate::editor::state::Texture;
use crate::editor::ui::theme;
use crate::mesh::render::RenderMesh;
use crate::scene::instance::DrawStyle;
use bevy::ecs::system::SystemParam;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy::render::storage::ShaderBuffer;
use std::borrow::Cow;
use std::sync::Arc;

/// The material of a surface.
pub enum SurfaceMaterial {
    Plain(Handle<StudioMaterial>),
    Textured(Handle<TexturedMaterial>),
}

/// The pictures on the graphics card, and whether they repeat beyond their edges.
#[derive(Resource, Default)]
pub struct Pictures(Vec<(Texture, bool, Handle<Image>)>);

/// The assets of materials and their pictures.
#[derive(SystemParam)]
pub struct SurfaceMaterials<'w> {
    pub plain: ResMut<'w, Assets<StudioMaterial>>,
    textured: ResMut<'w, Assets<TexturedMaterial>>,
    images: ResMut<'w, Assets<Image>>,
    buffers: ResMut<'w, Assets<ShaderBuffer>>,
    pictures: ResMut<'w, Pictures>,
}

impl SurfaceMaterials<'_> {
    /// Creates a material for an item, and assigns it to `entity`.
    pub fn assign(&mut self, item: &Item, entity: &mut EntityCommands) -> SurfaceMaterial {
        entity.remove::<(MeshMaterial3d<StudioMaterial>, MeshMaterial3d<TexturedMaterial>)>();
        match shown_texture(item) {
            None => {
                let material = self.plain.add(material_of_item(item));
                entity.insert(MeshMaterial3d(material.clone()));
                SurfaceMaterial::Plain(material)
            }
            Some((texture, render)) => {
                let mut uvs = texture_coordinates(render);
                if let Some(part) = &item.part {
                    uvs = Cow::Owned(part.gather(&uvs));
                }
                let material = TexturedMaterial {
                    base: material_of_item(item),
                    picture: self.picture(texture, textured::repeats(&uvs)),
                    uvs: self.buffers.add(textured::uv_buffer(&uvs)),
                };
                let material = self.textured.add(material);
                entity.insert(MeshMaterial3d(material.clone()));
                SurfaceMaterial::Textured(material)
            }
        }
    }

    /// Updates the material of an item that looked like `old` before.
    pub fn update(
        &mut self,
        material: &mut SurfaceMaterial,
        [old, item]: [&Item; 2],
        entity: &mut EntityCommands,
    ) {
        let same_texture = match (shown_texture(old), shown_texture(item)) {
            (None, None) => true,
            (Some((old_texture, old_render)), Some((texture, render))) => {
                old_texture == texture
                    && old_render.map(Arc::as_ptr) == render.map(Arc::as_ptr)
                    && old.same_part(item)
            }
            _ => false,
        };
        if !same_texture {
            *material = self.assign(item, entity);
            return;
        }
        let same_look = item.albedo == old.albedo
            && item.style == old.style
            && item.shading == old.shading
            && item.colors.is_some() == old.colors.is_some();
        if same_look {
            return;
        }
        match material {
            SurfaceMaterial::Plain(handle) => {
                if let Some(mut material) = self.plain.get_mut(&*handle) {
                    *material = material_of_item(item);
                }
            }
            SurfaceMaterial::Textured(handle) => {
                if let Some(mut material) = self.textured.get_mut(&*handle) {
                    material.base = material_of_item(item);
                }
            }
        }
    }

    fn picture(&mut self, texture: &Texture, repeats: bool) -> Handle<Image> {
        let mut known = self.pictures.0.iter();
        if let Some((.., image)) = known.find(|(other, repeated, _)| other == texture && *repeated == repeats)
        {
            return image.clone();
        }
        let image = self.images.add(textured::image(texture, repeats));
        self.pictures.0.push((texture.clone(), repeats, image.clone()));
        image
    }

    /// Drops pictures that none of the items shows.
    pub fn drop_unused<'a>(&mut self, items: impl Iterator<Item = &'a Item> + Clone) {
        let shown = |texture: &Texture| items.clone().any(|item| item.texture.as_ref() == Some(texture));
        if !self.pictures.0.iter().all(|(texture, ..)| shown(texture)) {
            self.pictures.0.retain(|(texture, ..)| shown(texture));
        }
    }
}

/// Returns the visible texture, and the surface with its coordinates, or `None` for a sphere. The weights
/// view and some shadings show colours instead.
fn shown_texture(item: &Item) -> Option<(&Texture, Option<&Arc<RenderMesh>>)> {
    let texture = item.texture.as_ref()?;
    if item.colors.is_some() || item.shading != Shading::Studio {
        return None;
    }
    let render = match &item.surface {
        Surface::Posed(posed) => Some(&posed.render),
        Surface::Rest { render, .. } | Surface::Copies { render, .. } => Some(render),
        Surface::Sphere(_) => None,
    };
    Some((texture, render))
}

/// Returns texture coordinates; those of spheres as in Scotty3D: u goes around from x over z, v from the
/// lowest point to the highest.
fn texture_coordinates(render: Option<&Arc<RenderMesh>>) -> Cow<'_, [Vec2]> {
    let Some(render) = render else {
        let mesh = sphere(1.0);
        let uvs = match mesh.attribute(Mesh::ATTRIBUTE_UV_0) {
            Some(VertexAttributeValues::Float32x2(uvs)) => uvs.as_slice(),
            _ => &[],
        };
        return uvs.iter().map(|[u, v]| Vec2::new(*u, 1.0 - v)).collect();
    };
    Cow::Borrowed(&render.uv)
}

/// Returns the material of an item. In the weights view the skin has the colours of its vertices, without the
/// highlight, which would change them.
fn material_of_item(item: &Item) -> StudioMaterial {
    let flat = item.style == DrawStyle::Flat;
    if item.colors.is_some() {
        return StudioMaterial { shine: 0.0, two_sided: true, flat, ..default() };
    }
    let material = Color::linear_rgb(item.albedo.x, item.albedo.y, item.albedo.z);
    let (color, shine) = match item.shading {
        Shading::Studio | Shading::Matcap => (material, StudioMaterial::default().shine),
        Shading::Clay => (color(theme::viewport::CLAY), 0.0),
    };
    StudioMaterial {
        color,
        shine,
        matcap: item.shading == Shading::Matcap,
        two_sided: true,
        flat,
        ..default()
    }
}
