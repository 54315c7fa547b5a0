//! A body with two legs, which has keys in the first half of a walk.

use super::{bone, channels, column};
use glam::Vec3;
use ossature::anim::channel::{Animation, Channel};
use ossature::anim::mode::Mode;
use ossature::anim::spline::Spline;
use ossature::anim::take::Take;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Hips, and a thigh and a shin on each side; faces +z. The take Walk has 24 frames, the first twelve of which have keys.
pub fn walker() -> Scene {
    let bones = vec![
        bone(Some("Hips"), None, [0.0, 0.25, 0.0], 0),
        bone(Some("Thigh.L"), Some(0), [0.25, -1.25, 0.1], 1),
        bone(Some("Thigh.R"), Some(0), [-0.25, -1.25, 0.1], 2),
        bone(Some("Shin.L"), Some(1), [0.0, -1.0, -0.1], 3),
        bone(Some("Shin.R"), Some(2), [0.0, -1.0, -0.1], 4),
    ];
    let mut skeleton = Skeleton { bones, base: Vec3::Y * 2.0, ..Skeleton::default() };
    for (bone, roll) in skeleton.bones.iter_mut().zip([0.0, 20.0, -20.0, 5.0, -5.0]) {
        bone.roll_deg = roll;
    }
    let surface = column(1);
    let mesh = SkinnedMesh {
        weights: Arc::new(VertexWeights::none(surface.vertex_count())),
        surface: Arc::new(surface),
        skeleton: Arc::new(skeleton),
        ..SkinnedMesh::default()
    };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("Body".into(), Arc::new(mesh));
    let curve = |knots: &[(f32, [f32; 3])]| {
        let mut curve = Spline::from_knots(knots.iter().map(|(time, v)| (*time, Vec3::from(*v))).collect());
        (0..knots.len()).for_each(|key| curve.set_mode(key, Mode::Clamped));
        Channel::Vec3(curve)
    };
    let keys = [
        ("base_offset", curve(&[(0.0, [0.1, -0.1, 0.0]), (6.0, [0.0, 0.05, 0.0])])),
        ("bone.0.pose", curve(&[(0.0, [5.0, 8.0, -3.0]), (6.0, [2.0, 0.0, 4.0])])),
        ("bone.1.pose", curve(&[(0.0, [30.0, 3.0, 2.0]), (6.0, [-5.0, 1.0, 0.0])])),
        ("bone.2.pose", curve(&[(0.0, [-25.0, 0.0, 4.0]), (6.0, [10.0, 0.0, 2.0])])),
        ("bone.3.pose", curve(&[(0.0, [-4.0, 0.0, 0.0]), (6.0, [-50.0, 0.0, 0.0])])),
        ("bone.4.pose", curve(&[(0.0, [-9.0, 0.0, 0.0]), (6.0, [-2.0, 0.0, 0.0])])),
    ];
    let animation = Animation {
        channels: BTreeMap::from([("Body".to_owned(), channels(&keys))]),
        ..Animation::default()
    };
    scene.animation = Arc::new(animation);
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes.list = vec![Take::new("Walk", [0, 23])];
    animation.choose_take(Some(0));
    scene
}
