//! Tests of weight transfer from the other side, from another surface and from a row.

use super::*;
use crate::mesh::primitives;
use crate::mesh::soup::Polygons;
use crate::rig::body::mirror_plane::MirrorPlane;
use crate::rig::skeleton::Bone;

fn skeleton(names: &[(&str, Vec3, Option<u32>)]) -> Skeleton {
    let bone = |(id, (name, extent, parent)): (usize, &(&str, Vec3, Option<u32>))| Bone {
        name: Some((*name).into()),
        extent: *extent,
        parent: *parent,
        channel_id: id as u32,
        ..Bone::default()
    };
    Skeleton { bones: names.iter().enumerate().map(bone).collect(), ..Skeleton::default() }
}

fn sides() -> Skeleton {
    skeleton(&[
        ("root", Vec3::Y * 0.5, None),
        ("arm.L", Vec3::new(0.5, 0.5, 0.0), Some(0)),
        ("arm.R", Vec3::new(-0.5, 0.5, 0.0), Some(0)),
    ])
}

fn weights(surface: &HalfedgeMesh, mut row: impl FnMut(Vec3) -> Vec<(u16, f32)>) -> Arc<VertexWeights> {
    let mut weights = VertexWeights::none(0);
    surface.positions().iter().for_each(|p| weights.push_row(row(*p)));
    Arc::new(weights)
}

/// The left side and the middle partly follow the left arm; the right side follows only the root.
fn lopsided(surface: &HalfedgeMesh) -> Arc<VertexWeights> {
    weights(surface, |p| {
        if p.x > -1e-3 { vec![(0, 1.0 - 0.5 * p.y.abs()), (1, 0.5 * p.y.abs())] } else { vec![(0, 1.0)] }
    })
}

fn weight_of(weights: &VertexWeights, vertex: usize, bone: u16) -> f32 {
    let mut all = weights.influences(vertex);
    all.find(|(b, _)| *b == bone).map_or(0.0, |(_, weight)| weight)
}

#[test]
fn the_other_side_becomes_the_mirror_image_and_the_middle_the_mean() {
    let surface = primitives::uv_sphere(1.0, 24, 12).unwrap();
    let (skeleton, weights) = (sides(), lopsided(&surface));
    let skinned = Skinned { surface: &surface, skeleton: &skeleton, weights: &weights };
    let after = from_other_side(skinned, (true, 0), None).applied(&weights);
    let canvas = Canvas::new(&surface);
    let map = MirrorMap::new(&canvas, &surface, &Bvh::from_surface(&surface), &MirrorPlane::X);
    let mut middles = 0;
    for (vertex, position) in surface.positions().iter().enumerate() {
        let Image::Point(image) = map.images[canvas.point_of_vertex[vertex] as usize] else {
            panic!("a sphere is symmetric");
        };
        let image = canvas.vertices(image)[0] as usize;
        assert!((weight_of(&after, vertex, 1) - weight_of(&after, image, 2)).abs() <= 1e-6);
        if position.x > 1e-3 {
            assert_eq!(after.row(vertex), weights.row(vertex), "the left side is unchanged");
        }
        middles += usize::from(position.x.abs() < 1e-4 && weight_of(&after, vertex, 2) > 0.01);
    }
    assert!(middles > 10, "{middles} vertices of the middle follow both arms");
    assert!(after.sums().all(|sum| (sum - 1.0).abs() < 1e-6));
    let back = from_other_side(skinned, (false, 0), None).applied(&weights);
    assert!(back.influences(surface.vertex_count() / 2).all(|(_, weight)| weight > 0.0));
    assert!(
        (0..surface.vertex_count()).all(|v| surface.positions()[v].x < 1e-3 || weight_of(&back, v, 1) == 0.0)
    );
}

/// Without a limit, vertices in the middle would have the bones of both sides.
#[test]
fn the_bone_limit_is_respected() {
    let surface = primitives::uv_sphere(1.0, 24, 12).unwrap();
    let skeleton = sides();
    let weights = weights(&surface, |p| {
        if p.x > -1e-3 {
            vec![(0, 0.25 + 0.5 * p.y.abs()), (1, 0.75 - 0.5 * p.y.abs())]
        } else {
            vec![(0, 1.0)]
        }
    });
    let skinned = Skinned { surface: &surface, skeleton: &skeleton, weights: &weights };
    let most = |limit: usize| {
        let after = from_other_side(skinned, (true, limit), None).applied(&weights);
        assert!(after.sums().all(|sum| (sum - 1.0).abs() < 1e-6));
        after.rows().map(|(bones, _)| bones.len()).max()
    };
    assert_eq!([0, 2, 3].map(most), [3, 2, 3].map(Some));
    // Vertices may have as many bones as their source.
    assert_eq!(most(1), Some(2));
}

#[test]
fn locked_bones_and_other_vertices_are_unchanged() {
    let surface = primitives::uv_sphere(1.0, 24, 12).unwrap();
    let (mut skeleton, weights) = (sides(), lopsided(&surface));
    skeleton.bones[0].lock_weights = true;
    let skinned = |skeleton| Skinned { surface: &surface, skeleton, weights: &weights };
    let after = from_other_side(skinned(&skeleton), (true, 0), None).applied(&weights);
    for vertex in 0..surface.vertex_count() {
        assert_eq!(weight_of(&after, vertex, 0), weight_of(&weights, vertex, 0));
    }
    let right: Vec<u32> = (0..surface.vertex_count() as u32)
        .filter(|v| surface.positions()[*v as usize].x < -0.5)
        .take(5)
        .collect();
    let free = sides();
    let painted = from_other_side(skinned(&free), (true, 0), Some(&right));
    assert_eq!(painted.vertices, right);
    // Without a right arm, the left one has no counterpart.
    let mut lone = sides();
    lone.bones.truncate(2);
    assert_eq!(from_other_side(skinned(&lone), (true, 0), None).vertices, [0_u32; 0]);
}

/// Cloth close to two sheets that face away from each other, like the two sides of a lip: the nearer sheet
/// faces the wrong way.
#[test]
fn surfaces_with_the_same_orientation_are_preferred() {
    let sheet = |z: f32, size: f32| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y)| Vec3::new(x, y, z / size) * size)
    };
    let build = |positions: Vec<Vec3>, faces: &[[u32; 4]]| {
        let faces = faces.iter().map(|face| face.to_vec()).collect();
        let polygons = Polygons { positions, faces, ..Polygons::default() };
        polygons.build().unwrap()
    };
    let body =
        build(sheet(0.0, 1.0).into_iter().chain(sheet(0.02, 1.0)).collect(), &[[0, 1, 2, 3], [7, 6, 5, 4]]);
    let body_weights = weights(&body, |p| vec![(if p.z > 0.01 { 2 } else { 1 }, 1.0)]);
    let body_skeleton = sides();
    let from = Skinned { surface: &body, skeleton: &body_skeleton, weights: &body_weights };
    let cloth = build(sheet(0.019, 0.9).to_vec(), &[[0, 1, 2, 3]]);
    let bare = Arc::new(VertexWeights::none(cloth.vertex_count()));
    // Different indices from the body, and the parent of the right arm but not the arm itself.
    let skeleton = skeleton(&[("arm.L", Vec3::X, None), ("root", Vec3::Y, None)]);
    let to = Skinned { surface: &cloth, skeleton: &skeleton, weights: &bare };
    let painted = from_surface(to, from, Mat4::IDENTITY, None).unwrap();
    assert_eq!(painted.vertices.len(), 4);
    (0..4).for_each(|i| assert_eq!(painted.rows.row(i), (&[0][..], &[1.0][..])));
    // Facing the other way, it takes from the nearer sheet, and so from the arm of which only the parent
    // exists here.
    let flipped = build(sheet(0.019, 0.9).to_vec(), &[[3, 2, 1, 0]]);
    let painted = from_surface(Skinned { surface: &flipped, ..to }, from, Mat4::IDENTITY, None).unwrap();
    (0..4).for_each(|i| assert_eq!(painted.rows.row(i), (&[1][..], &[1.0][..])));
    let strangers = self::skeleton(&[("hull", Vec3::Y, None)]);
    let alien = Skinned { skeleton: &strangers, ..to };
    assert_eq!(from_surface(alien, from, Mat4::IDENTITY, None), Err(NoBoneInCommon));
}

#[test]
fn the_mean_row_of_some_vertices_is_applied_to_others() {
    let surface = primitives::uv_sphere(1.0, 24, 12).unwrap();
    let (skeleton, weights) = (sides(), lopsided(&surface));
    let top = (0..surface.vertex_count())
        .max_by(|a, b| surface.positions()[*a].y.total_cmp(&surface.positions()[*b].y))
        .unwrap() as u32;
    let side =
        (0..surface.vertex_count() as u32).find(|v| surface.positions()[*v as usize].x < -0.9).unwrap();
    let mean = mean_row(&weights, &[top, side]);
    assert_eq!(mean, vec![(0, 0.75), (1, 0.25)]);
    let skinned = Skinned { surface: &surface, skeleton: &skeleton, weights: &weights };
    let painted = from_row(skinned, &mean, &[side]);
    assert_eq!(painted.vertices, vec![side]);
    assert_eq!(painted.rows.row(0), (&[0, 1][..], &[0.75, 0.25][..]));
    assert_eq!(mean_row(&weights, &[u32::MAX]), vec![]);
}
