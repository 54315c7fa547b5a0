//! Draws a small picture of a scene without the graphics card, on any thread: for sessions that can be
//! recovered. Surfaces are posed and flat-shaded, without textures or edges.

use crate::edit::session::Session;
use crate::edit::view::{Tab, ViewSettings};
use crate::editor::projection::draw_list::{Item, Surface, items};
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Shown, view};
use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use crate::mesh::render::RenderVertex;
use bevy_egui::egui::{Color32, ColorImage};
use glam::{Vec2, Vec3};

/// The width and height in pixels.
pub const SIZE: [usize; 2] = [192, 144];

const BACKGROUND: Color32 = Color32::from_gray(38);

/// Draws the document of a session at its frame; as in the Rig tab if the Animate tab shows nothing.
pub fn thumbnail(session: &Session) -> ColorImage {
    for tab in [Tab::Animate, Tab::Rig] {
        let settings = ViewSettings {
            tab,
            ..ViewSettings::default()
        };
        let (mut shown, mut caches) = (Shown::default(), Caches::default());
        refresh(&mut &mut shown, &mut caches, session, &settings);
        let items = items(&view(session, &settings, &shown), &mut caches);
        if !items.is_empty() {
            return draw_items(&items);
        }
    }
    ColorImage::filled(SIZE, BACKGROUND)
}

fn draw_items(items: &[Item]) -> ColorImage {
    let size = Vec2::new(SIZE[0] as f32, SIZE[1] as f32);
    let bounds = items
        .iter()
        .map(|item| item.surface.bounds().transformed(&item.world_from_local));
    let mut camera = ViewCamera::default();
    camera.frame(&bounds.fold(Bounds::EMPTY, Bounds::union), size);
    let mut image = ColorImage::filled(SIZE, BACKGROUND);
    let mut depths = vec![f32::INFINITY; SIZE[0] * SIZE[1]];
    for item in items {
        let world: Vec<Vec3> = vertices(&item.surface)
            .map(|vertex| item.world_from_local.transform_point3(vertex.position))
            .collect();
        let mut draw = |corners: [usize; 3]| {
            let corners = corners.map(|corner| world.get(corner).copied().unwrap_or(Vec3::NAN));
            draw_triangle(&camera, item.albedo, corners, &mut image, &mut depths);
        };
        let part = item.part.as_deref();
        let indices = match &item.surface {
            Surface::Posed(posed) => posed.render.indices.as_slice(),
            Surface::Rest { render, .. } => render.indices.as_slice(),
            Surface::Copies { .. } | Surface::Sphere(_) => &[],
        };
        for triangle in part.map_or(indices, |part| &part.indices).as_chunks::<3>().0 {
            draw(triangle.map(|corner| {
                match part {
                    Some(part) => part
                        .vertices
                        .get(corner as usize)
                        .map_or(usize::MAX, |vertex| *vertex as usize),
                    None => corner as usize,
                }
            }));
        }
    }
    image
}

fn vertices(surface: &Surface) -> Box<dyn Iterator<Item = RenderVertex> + '_> {
    match surface {
        Surface::Posed(posed) => Box::new(posed.render_vertices.iter().copied()),
        Surface::Rest { surface, render } => Box::new(render.vertices_at(surface.positions())),
        Surface::Copies { .. } | Surface::Sphere(_) => Box::new(std::iter::empty()),
    }
}

/// Fills a triangle of world points where nothing is nearer.
fn draw_triangle(
    camera: &ViewCamera,
    albedo: Vec3,
    corners: [Vec3; 3],
    image: &mut ColorImage,
    depths: &mut [f32],
) {
    let [width, height] = SIZE;
    let size = Vec2::new(width as f32, height as f32);
    let [Some(a), Some(b), Some(c)] = corners.map(|corner| camera.project(corner, size)) else {
        return;
    };
    let area = (b.pixel - a.pixel).perp_dot(c.pixel - a.pixel);
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let Some(normal) = normal.try_normalize().filter(|_| area != 0.0) else {
        return;
    };
    // The light comes from the camera, slightly from above and from the left, and lights both sides alike.
    let [right, up, back] = camera.axes();
    let light = (back + 0.5 * up - 0.4 * right).normalize();
    let shade = 0.25 + 0.75 * normal.dot(light).abs();
    let color = (albedo * shade).to_array().map(|linear| {
        let clamped = linear.clamp(0.0, 1.0);
        (clamped.powf(1.0 / 2.2) * 255.0) as u8
    });
    let (least, most) = (
        a.pixel.min(b.pixel).min(c.pixel).max(Vec2::ZERO),
        a.pixel.max(b.pixel).max(c.pixel).min(size - 1.0),
    );
    for y in least.y as usize..=most.y.max(0.0) as usize {
        for x in least.x as usize..=most.x.max(0.0) as usize {
            let point = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let weights = [
                (c.pixel - b.pixel).perp_dot(point - b.pixel) / area,
                (a.pixel - c.pixel).perp_dot(point - c.pixel) / area,
                (b.pixel - a.pixel).perp_dot(point - a.pixel) / area,
            ];
            let depth = weights[0] * a.depth + weights[1] * b.depth + weights[2] * c.depth;
            let index = y * width + x;
            if weights.iter().all(|weight| *weight >= 0.0) && depth < depths[index] {
                depths[index] = depth;
                image.pixels[index] = Color32::from_rgb(color[0], color[1], color[2]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn the_human_is_drawn_and_an_empty_scene_is_blank() {
        let (human, _) = crate::editor::embedded_human().expect("the human");
        let draw = |scene: Scene| {
            let image = thumbnail(&Session::new(scene, None));
            let drawn = image.pixels.iter().filter(|pixel| **pixel != BACKGROUND);
            (drawn.count(), image)
        };
        let (count, image) = draw(human);
        let all = SIZE[0] * SIZE[1];
        assert!(count > all / 20 && count < all / 2, "{count} of {all}");
        // It is in the middle, and whole: the upper and lower edges are empty.
        let is_drawn = |x: usize, y: usize| image.pixels[y * SIZE[0] + x] != BACKGROUND;
        assert!(is_drawn(SIZE[0] / 2, SIZE[1] / 2));
        assert!((0..SIZE[0]).all(|x| !is_drawn(x, 0) && !is_drawn(x, SIZE[1] - 1)));
        assert_eq!(draw(Scene::default()).0, 0);
    }
}
