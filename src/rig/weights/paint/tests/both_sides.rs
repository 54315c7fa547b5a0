//! What is done on both sides at once: limits of bones, and skin that is pulled.

use super::*;
use crate::rig::weights::paint::mirror::Image;

/// From one place in front of the surface to the next.
fn drag(scene: &Scene, stroke: &mut Stroke, way: &[Vec2]) {
    let mut contacts = Vec::new();
    for at in way {
        let ray = Ray::new(at.extend(3.0), -Vec3::Z);
        scene.target().cast(&ray, false, &mut contacts);
        stroke.touch(&contacts, 1.0);
    }
}

/// The largest difference between a weight and that of the other bone on the other side.
fn lopsided(scene: &Scene, weights: &VertexWeights) -> f32 {
    let map = MirrorMap::new(&scene.canvas, &scene.surface, &scene.tree, &MirrorPlane::X);
    let of = |point: u32, bone: u16| {
        let vertex = scene.canvas.vertices(point)[0] as usize;
        let mut all = weights.influences(vertex);
        all.find(|(of, _)| *of == bone).map_or(0.0, |(_, weight)| weight)
    };
    let points = map.images.iter().enumerate();
    let apart = points.flat_map(|(point, image)| {
        let Image::Point(other) = *image else {
            panic!("no other side")
        };
        [(0, 0), (1, 2), (2, 1)].map(|(a, b)| (of(point as u32, a) - of(other, b)).abs())
    });
    apart.fold(0.0, f32::max)
}

#[test]
fn both_sides_keep_to_the_limit_of_bones() {
    let scene = Scene::ball();
    for most in [2, 3] {
        let brush = Brush {
            value: 0.6,
            radius: 0.2,
            most,
            ..Brush::default()
        };
        let mut stroke = scene.stroke(brush, 1, true);
        drag(&scene, &mut stroke, &[Vec2::new(-0.1, 0.0), Vec2::new(0.4, 0.3)]);
        stroke.update();
        let painted = stroke.painted();
        assert!(painted.vertices.len() > 40);
        assert!(
            painted.rows.rows().all(|(bones, _)| bones.len() <= most),
            "{most}"
        );
        assert!(
            lopsided(&scene, &painted.applied(&scene.weights)) < 1e-6,
            "{most}"
        );
    }
}

/// Only the left bone is bent: what the pull changes there comes to the right side, whose bone is not bent.
#[test]
fn what_is_pulled_on_one_side_is_pulled_on_the_other() {
    let scene = Scene::ball();
    let turn = glam::Affine3A::from_rotation_z(0.9);
    let skinning = [glam::Affine3A::IDENTITY, turn, glam::Affine3A::IDENTITY];
    let brush = Brush {
        mode: Mode::Pull,
        radius: 0.3,
        ..Brush::default()
    };
    let after = |mirrored: bool, x: f32| {
        let mut stroke = scene.stroke(brush, 0, mirrored);
        drag(&scene, &mut stroke, &[Vec2::new(x, 0.2)]);
        for by in [0.05, 0.2] {
            stroke.pull(&skinning, Vec3::Y * by);
        }
        stroke.painted().applied(&scene.weights)
    };
    for x in [0.6, 0.1] {
        let [alone, both] = [false, true].map(|mirrored| after(mirrored, x));
        assert!(alone != *scene.weights && lopsided(&scene, &alone) > 0.05, "{x}");
        assert!(lopsided(&scene, &both) < 1e-6, "{x}: {}", lopsided(&scene, &both));
        assert!(both.sums().all(|sum| (sum - 1.0).abs() < 1e-6));
    }
    // The other side does not change what is pulled where it is far from it.
    let [alone, both] = [false, true].map(|mirrored| after(mirrored, 0.8));
    let left = (0..both.vertex_count()).filter(|&v| scene.surface.positions()[v].x > 0.6);
    assert!(left.clone().all(|v| both.row(v) == alone.row(v)) && left.count() > 50);
}
