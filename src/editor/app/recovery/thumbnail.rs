//! Draws a small picture of a scene without the graphics card, on any thread: for sessions that can be
//! recovered, and for what is imported. Surfaces are posed and flat-shaded, without textures or edges.

use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, ViewSettings};
use crate::editor::projection::draw_list::{Item, Surface, items};
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Shown, view};
use crate::editor::ui::small_picture::{BACKGROUND, SIZE, SmallPicture};
use crate::math::bounds::Bounds;
use crate::mesh::render::RenderVertex;
use bevy_egui::egui::ColorImage;
use glam::Vec3;

/// Draws the document of a session at its frame; as in the Rig tab if the Animate tab shows nothing. Returns the
/// bounds of what it shows, too.
pub fn thumbnail(session: &Session) -> (ColorImage, Bounds) {
    for tab in [Tab::Animate, Tab::Rig] {
        let settings = ViewSettings { tab, ..ViewSettings::default() };
        let (mut shown, mut caches) = (Shown::default(), Caches::default());
        refresh(&mut &mut shown, &mut caches, session, &settings);
        let items = items(&view(session, &settings, &shown), &mut caches);
        if !items.is_empty() {
            return draw_items(&items);
        }
    }
    (ColorImage::filled(SIZE, BACKGROUND), Bounds::EMPTY)
}

fn draw_items(items: &[Item]) -> (ColorImage, Bounds) {
    let bounds = items.iter().map(|item| item.surface.bounds().transformed(&item.world_from_local));
    let bounds = bounds.fold(Bounds::EMPTY, Bounds::union);
    let mut picture = SmallPicture::new(&bounds);
    for item in items {
        let world: Vec<Vec3> = vertices(&item.surface)
            .map(|vertex| item.world_from_local.transform_point3(vertex.position))
            .collect();
        let mut draw = |corners: [usize; 3]| {
            let corners = corners.map(|corner| world.get(corner).copied().unwrap_or(Vec3::NAN));
            picture.draw_triangle(item.albedo, corners);
        };
        let part = item.part.as_deref();
        let indices = match &item.surface {
            Surface::Posed(posed) => posed.render.indices.as_slice(),
            Surface::Rest { render, .. } => render.indices.as_slice(),
            Surface::Copies { .. } | Surface::Sphere(_) => &[],
        };
        for triangle in part.map_or(indices, |part| &part.indices).as_chunks::<3>().0 {
            draw(triangle.map(|corner| match part {
                Some(part) => {
                    part.vertices.get(corner as usize).map_or(usize::MAX, |vertex| *vertex as usize)
                }
                None => corner as usize,
            }));
        }
    }
    (picture.image, bounds)
}

fn vertices(surface: &Surface) -> Box<dyn Iterator<Item = RenderVertex> + '_> {
    match surface {
        Surface::Posed(posed) => Box::new(posed.render_vertices.iter().copied()),
        Surface::Rest { surface, render } => Box::new(render.vertices_at(surface.positions())),
        Surface::Copies { .. } | Surface::Sphere(_) => Box::new(std::iter::empty()),
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
            let (image, _) = thumbnail(&Session::new(scene, None));
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
