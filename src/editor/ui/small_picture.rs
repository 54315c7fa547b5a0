//! A small picture of surfaces, drawn without the graphics card, on any thread: flat-shaded, lit from the
//! camera, without textures or edges.

use crate::math::bounds::Bounds;
use crate::math::camera::ViewCamera;
use egui::{Color32, ColorImage};
use glam::{Vec2, Vec3};

/// The width and height in pixels.
pub const SIZE: [usize; 2] = [192, 144];

pub const BACKGROUND: Color32 = Color32::from_gray(38);

/// A picture that is being drawn.
pub struct SmallPicture {
    pub image: ColorImage,
    depths: Vec<f32>,
    camera: ViewCamera,
}

impl SmallPicture {
    /// An empty picture that frames a box in world space.
    pub fn new(bounds: &Bounds) -> Self {
        let mut camera = ViewCamera::default();
        camera.frame(bounds, Vec2::new(SIZE[0] as f32, SIZE[1] as f32));
        Self {
            image: ColorImage::filled(SIZE, BACKGROUND),
            depths: vec![f32::INFINITY; SIZE[0] * SIZE[1]],
            camera,
        }
    }

    /// Fills a triangle of world points, of a linear colour, where nothing is nearer.
    pub fn draw_triangle(&mut self, albedo: Vec3, corners: [Vec3; 3]) {
        let Self { image, depths, camera } = self;
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
}
