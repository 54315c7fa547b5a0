//! What surfaces look like on the graphics card: the material of each, with pictures and texture coordinates.
//!
//! A picture is there once, however many surfaces show it; coordinates are brought when a surface gets a texture or
//! other triangles, never for new positions.

use super::draw_list::{Item, Surface};
use super::mesh::sphere;
use super::studio::StudioMaterial;
use super::textured::{self, TexturedMaterial};
use crate::editor::state::Texture;
use crate::mesh::render::RenderMesh;
use crate::scene::instance::DrawStyle;
use bevy::ecs::system::SystemParam;
use bevy::mesh::VertexAttributeValues;
use bevy::prelude::*;
use bevy::render::storage::ShaderBuffer;
use std::borrow::Cow;
use std::sync::Arc;

/// The material that a surface wears.
pub enum Skin {
    Plain(Handle<StudioMaterial>),
    Textured(Handle<TexturedMaterial>),
}

/// Pictures that are on the graphics card; and whether they begin again beyond their edges.
#[derive(Resource, Default)]
pub struct Pictures(Vec<(Texture, bool, Handle<Image>)>);

/// Where materials, and what they show, are kept.
#[derive(SystemParam)]
pub struct Wardrobe<'w> {
    pub plain: ResMut<'w, Assets<StudioMaterial>>,
    textured: ResMut<'w, Assets<TexturedMaterial>>,
    images: ResMut<'w, Assets<Image>>,
    buffers: ResMut<'w, Assets<ShaderBuffer>>,
    pictures: ResMut<'w, Pictures>,
}

impl Wardrobe<'_> {
    /// A material for an item, which `entity` wears from now on.
    pub fn dress(&mut self, item: &Item, entity: &mut EntityCommands) -> Skin {
        entity.remove::<(MeshMaterial3d<StudioMaterial>, MeshMaterial3d<TexturedMaterial>)>();
        match worn(item) {
            None => {
                let material = self.plain.add(material_of_item(item));
                entity.insert(MeshMaterial3d(material.clone()));
                Skin::Plain(material)
            }
            Some((texture, render)) => {
                let mut uvs = coordinates(render);
                if let Some(part) = &item.part {
                    uvs = Cow::Owned(part.gather(&uvs));
                }
                let material = TexturedMaterial {
                    look: material_of_item(item),
                    picture: self.picture(texture, textured::repeats(&uvs)),
                    uvs: self.buffers.add(textured::uv_buffer(&uvs)),
                };
                let material = self.textured.add(material);
                entity.insert(MeshMaterial3d(material.clone()));
                Skin::Textured(material)
            }
        }
    }

    /// What an item wears that looked like `old` before.
    pub fn dress_anew(&mut self, skin: &mut Skin, [old, item]: [&Item; 2], entity: &mut EntityCommands) {
        let same_cloth = match (worn(old), worn(item)) {
            (None, None) => true,
            (Some((old_texture, at)), Some((texture, to))) => {
                old_texture == texture && at.map(Arc::as_ptr) == to.map(Arc::as_ptr) && old.same_part(item)
            }
            _ => false,
        };
        if !same_cloth {
            *skin = self.dress(item, entity);
            return;
        }
        let same_look = item.albedo == old.albedo
            && item.style == old.style
            && item.colors.is_some() == old.colors.is_some();
        if same_look {
            return;
        }
        match skin {
            Skin::Plain(handle) => {
                if let Some(mut material) = self.plain.get_mut(&*handle) {
                    *material = material_of_item(item);
                }
            }
            Skin::Textured(handle) => {
                if let Some(mut material) = self.textured.get_mut(&*handle) {
                    material.look = material_of_item(item);
                }
            }
        }
    }

    fn picture(&mut self, texture: &Texture, repeats: bool) -> Handle<Image> {
        let mut known = self.pictures.0.iter();
        if let Some((.., image)) = known.find(|(of, again, _)| of == texture && *again == repeats) {
            return image.clone();
        }
        let image = self.images.add(textured::image(texture, repeats));
        self.pictures.0.push((texture.clone(), repeats, image.clone()));
        image
    }

    /// Forgets pictures that none of the items shows.
    pub fn tidy<'a>(&mut self, items: impl Iterator<Item = &'a Item> + Clone) {
        let shown = |texture: &Texture| items.clone().any(|item| item.texture.as_ref() == Some(texture));
        if !self.pictures.0.iter().all(|(texture, ..)| shown(texture)) {
            self.pictures.0.retain(|(texture, ..)| shown(texture));
        }
    }
}

/// The texture that shows, and the surface whose coordinates it lies by; `None` for those of spheres. In the weights
/// view colours count.
fn worn(item: &Item) -> Option<(&Texture, Option<&Arc<RenderMesh>>)> {
    let texture = item.texture.as_ref().filter(|_| item.colors.is_none())?;
    let render = match &item.surface {
        Surface::Posed(posed) => Some(&posed.render),
        Surface::Rest { render, .. } | Surface::Copies { render, .. } => Some(render),
        Surface::Sphere(_) => None,
    };
    Some((texture, render))
}

/// Of spheres as in Scotty3D: u goes around from x over z, v from the lowest point to the highest.
fn coordinates(render: Option<&Arc<RenderMesh>>) -> Cow<'_, [Vec2]> {
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

/// In the weights view the skin has the colours of its vertices, and light that leaves them as they are.
fn material_of_item(item: &Item) -> StudioMaterial {
    let flat = item.style == DrawStyle::Flat;
    if item.colors.is_some() {
        return StudioMaterial {
            shine: 0.0,
            lit: 0.55,
            two_sided: true,
            flat,
            ..default()
        };
    }
    StudioMaterial {
        color: Color::linear_rgb(item.albedo.x, item.albedo.y, item.albedo.z),
        two_sided: true,
        flat,
        ..default()
    }
}
