//! Tests of mirrored strokes: limits of bones and pulled skin.

use super::*;
use crate::rig::weights::paint::mirror::Image;

/// Touches the surface behind each point of a path.
fn drag(scene: &Scene, stroke: &mut Stroke, path: &[Vec2]) {
    let mut contacts = Vec::new();
    for point in path {
        let ray = Ray::new(point.extend(3.0), -Vec3::Z);
        scene.target().cast(&ray, false, &mut contacts);
        stroke.touch(&contacts, 1.0);
    }
}

/// Returns the largest difference between a weight and its counterpart on the other side.
fn asymmetry(scene: &Scene, weights: &VertexWeights) -> f32 {
    let map = MirrorMap::new(&scene.canvas, &scene.surface, &scene.tree, &MirrorPlane::X);
    let weight = |point: u32, bone: u16| {
        let vertex = scene.canvas.vertices(point)[0] as usize;
        let mut all = weights.influences(vertex);
        all.find(|(b, _)| *b == bone).map_or(0.0, |(_, weight)| weight)
    };
    let points = map.images.iter().enumerate();
    let differences = points.flat_map(|(point, image)| {
        let Image::Point(other) = *image else { panic!("no mirror image") };
        [(0, 0), (1, 2), (2, 1)].map(|(a, b)| (weight(point as u32, a) - weight(other, b)).abs())
    });
    differences.fold(0.0, f32::max)
}

#[test]
fn both_sides_respect_the_limit_of_bones() {
    let scene = Scene::ball();
    for most in [2, 3] {
        let brush = Brush { value: 0.6, radius: 0.2, most, ..Brush::default() };
        let mut stroke = scene.stroke(brush, 1, true);
        drag(&scene, &mut stroke, &[Vec2::new(-0.1, 0.0), Vec2::new(0.4, 0.3)]);
        stroke.update();
        let painted = stroke.painted();
        assert!(painted.vertices.len() > 40);
        assert!(painted.rows.rows().all(|(bones, _)| bones.len() <= most), "{most}");
        assert!(asymmetry(&scene, &painted.applied(&scene.weights)) < 1e-6, "{most}");
    }
}

/// Only the left bone is bent, but the pull also changes the right side.
#[test]
fn pulls_are_mirrored() {
    let scene = Scene::ball();
    let rotation = glam::Affine3A::from_rotation_z(0.9);
    let skinning = [glam::Affine3A::IDENTITY, rotation, glam::Affine3A::IDENTITY];
    let brush = Brush { mode: Mode::Pull, radius: 0.3, ..Brush::default() };
    let after = |mirrored: bool, x: f32| {
        let mut stroke = scene.stroke(brush, 0, mirrored);
        drag(&scene, &mut stroke, &[Vec2::new(x, 0.2)]);
        for height in [0.05, 0.2] {
            stroke.pull(&skinning, Vec3::Y * height);
        }
        stroke.painted().applied(&scene.weights)
    };
    for x in [0.6, 0.1] {
        let [alone, both] = [false, true].map(|mirrored| after(mirrored, x));
        assert!(alone != *scene.weights && asymmetry(&scene, &alone) > 0.05, "{x}");
        assert!(asymmetry(&scene, &both) < 1e-6, "{x}: {}", asymmetry(&scene, &both));
        assert!(both.sums().all(|sum| (sum - 1.0).abs() < 1e-6));
    }
    // Mirroring does not change the pulled side far from the middle.
    let [alone, both] = [false, true].map(|mirrored| after(mirrored, 0.8));
    let left = (0..both.vertex_count()).filter(|&v| scene.surface.positions()[v].x > 0.6);
    assert!(left.clone().all(|v| both.row(v) == alone.row(v)) && left.count() > 50);
}
