//! Picking of surfaces, and of bones inside them.

use super::*;

/// A closed box from -half to half, as quads.
fn cube(half: f32) -> HalfedgeMesh {
    let corner = |i: usize| {
        let sign = |bit: usize| if i & bit == 0 { -half } else { half };
        Vec3::new(sign(1), sign(2), sign(4))
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let polygons: Vec<Vec<u32>> = quads.map(|q| q.to_vec()).into();
    HalfedgeMesh::from_polygons((0..8).map(corner).collect(), &polygons, None).expect("a cube")
}

#[test]
fn xray_decides_between_bones_and_skin() {
    let skeleton = Skeleton {
        bones: vec![bone(None, Vec3::new(0.0, 0.4, 0.0), 0.2), bone(None, Vec3::new(1.0, 0.0, 2.0), 0.2)],
        base: Vec3::new(0.0, -0.2, 0.0),
        ..Default::default()
    };
    let bind = bind_pose(&skeleton);
    let mesh = cube(1.0);
    let inside = pixel(Vec3::new(0.0, 0.05, 0.0));
    let outside = pixel(Vec3::new(0.95, -0.2, 1.9));
    for (xray, expected) in
        [(true, [PickTarget::Bone(0), PickTarget::Skin]), (false, [PickTarget::Skin, PickTarget::Bone(0)])]
    {
        let settings = ViewSettings { display: Display { xray, ..Default::default() }, ..Default::default() };
        let skin = Surface {
            target: PickTarget::Skin,
            world_from_mesh: Mat4::IDENTITY,
            mesh: &mesh,
            positions: mesh.positions(),
            tree: Bvh::from_surface(&mesh).into(),
        };
        let scene = Pickable {
            settings: &settings,
            rig: Some(active_rig(Tab::Rig, &skeleton, &bind, Mat4::IDENTITY)),
            surfaces: vec![skin],
            balls: Vec::new(),
        };
        let hits = pick(&scene, &front(), inside);
        assert_eq!(hits.iter().map(|h| h.target.clone()).collect::<Vec<_>>(), expected);
        let skin = hits.iter().find(|hit| hit.target == PickTarget::Skin).unwrap();
        assert!((skin.depth - 7.0).abs() < 0.01, "the near face: {}", skin.depth);
        // A bone in front of the skin is displayed, and picked, in both modes.
        assert_eq!(pick(&scene, &front(), outside)[0].target, PickTarget::Bone(1));
    }
}

#[test]
fn surfaces_agree_with_brute_force_under_any_instance() {
    let mut random = Random::new(51);
    let mesh = cube(0.7);
    let settings = ViewSettings { tab: Tab::Animate, ..Default::default() };
    let instance =
        |i: usize| PickTarget::Instance(InstanceRef { kind: InstanceKind::Mesh, name: i.to_string() });
    let mut hits = 0;
    for _ in 0..200 {
        let matrices: Vec<Mat4> = (0..3)
            .map(|_| {
                let scale =
                    Vec3::new(random.range(0.3, 2.0), random.range(-2.0, -0.3), random.range(0.3, 2.0));
                let rotation = Quat::from_axis_angle(random.direction(), random.range(-3.0, 3.0));
                Mat4::from_scale_rotation_translation(scale, rotation, random.vec3(1.0))
            })
            .collect();
        let surfaces = matrices.iter().enumerate().map(|(i, matrix)| Surface {
            target: instance(i),
            world_from_mesh: *matrix,
            mesh: &mesh,
            positions: mesh.positions(),
            tree: Bvh::from_surface(&mesh).into(),
        });
        let scene =
            Pickable { settings: &settings, rig: None, surfaces: surfaces.collect(), balls: Vec::new() };
        let mut view = random_viewport(&mut random);
        view.camera.target = random.vec3(1.0);
        view.camera.distance = 12.0;
        let pixel = view.size * Vec2::new(random.range(0.4, 0.6), random.range(0.4, 0.6));
        // A box is hit where the ray has entered all six slabs, before it leaves one.
        let ray = view.ray(pixel);
        let mut expected: Vec<(f32, usize)> = Vec::new();
        for (i, matrix) in matrices.iter().enumerate() {
            let local = ray.transformed(&matrix.inverse());
            let one = (Vec3::splat(-0.7) - local.origin) / local.direction;
            let two = (Vec3::splat(0.7) - local.origin) / local.direction;
            let (enter, leave) = (one.min(two).max_element(), one.max(two).min_element());
            if enter <= leave {
                expected.push((enter, i));
            }
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        let got = pick(&scene, &view, pixel);
        assert_eq!(got.len(), expected.len());
        for (hit, (t, i)) in got.iter().zip(&expected) {
            assert_eq!(hit.target, instance(*i));
            assert!((hit.depth - t).abs() < 1e-3 * (1.0 + t.abs()), "{} {t}", hit.depth);
            hits += 1;
        }
    }
    assert!(hits > 100, "{hits}");
}

/// A character `m` placed as `a` (moved to x = 5) and hidden as `b`; a plain mesh `p` placed as `q`.
fn placed_scene() -> (Scene, Evaluated) {
    let skeleton = Arc::new(Skeleton { bones: vec![bone(None, Vec3::Y, 0.2)], ..Default::default() });
    let surface = Arc::new(cube(0.5));
    let skinned = SkinnedMesh { surface: surface.clone(), skeleton: skeleton.clone(), ..Default::default() };
    let mut scene = Scene::default();
    scene.skinned_meshes.insert("m".into(), Arc::new(skinned));
    let mesh = Mesh { surface: surface.clone(), ..Default::default() };
    scene.meshes.insert("p".into(), Arc::new(mesh));
    let instance = |resource: &str, transform: Option<&str>, visible| {
        Arc::new(GeometryInstance {
            transform: transform.map(Into::into),
            resource: Some(resource.into()),
            settings: GeometrySettings { visible, ..Default::default() },
            ..Default::default()
        })
    };
    scene.instances.skinned_meshes.insert("a".into(), instance("m", Some("there"), true));
    scene.instances.skinned_meshes.insert("b".into(), instance("m", None, false));
    scene.instances.meshes.insert("q".into(), instance("p", None, true));
    let posed = Posed {
        bind: bind_pose(&skeleton),
        current: current_pose(&skeleton),
        skeleton,
        skinning: vec![],
        ik: None,
        render: Default::default(),
        positions: surface.positions().iter().map(|p| *p + Vec3::Z).collect(),
        render_vertices: vec![],
        tree: Default::default(),
    };
    let evaluated = Evaluated {
        world_from_transform: Arc::new([("there".into(), Mat4::from_translation(Vec3::X * 5.0))].into()),
        skinned: [("m".into(), Arc::new(posed))].into(),
        scene: scene.clone(),
        compare: None,
        trees: Default::default(),
    };
    (scene, evaluated)
}

#[test]
fn the_view_decides_what_can_be_pointed_at() {
    let (scene, evaluated) = placed_scene();
    let chosen = |kind, name: &str| InstanceRef { kind, name: name.into() };
    let cases = [
        (Tab::Rig, None, vec![PickTarget::Skin], Some(0.0)),
        (
            Tab::Animate,
            Some(chosen(InstanceKind::SkinnedMesh, "a")),
            vec![
                PickTarget::Instance(chosen(InstanceKind::Mesh, "q")),
                PickTarget::Instance(chosen(InstanceKind::SkinnedMesh, "a")),
            ],
            Some(5.0),
        ),
        // For a hidden instance, one of another kind, or none, no skeleton is shown.
        (Tab::Animate, Some(chosen(InstanceKind::SkinnedMesh, "b")), vec![], None),
        (Tab::Animate, Some(chosen(InstanceKind::Mesh, "q")), vec![], None),
        (Tab::Animate, None, vec![], None),
    ];
    for (tab, instance, expected, base_x) in cases {
        let mut session = Session::new(scene.clone(), None);
        session.select(Selection { instance, mesh: Some("m".into()), ..Selection::default() });
        let mut settings = ViewSettings { tab, ..Default::default() };
        let view = View { session: &session, evaluated: &evaluated, settings: &settings };
        let pickable = Pickable::from_view(&view);
        let found: Vec<_> = pickable.surfaces.iter().map(|surface| surface.target.clone()).collect();
        if !expected.is_empty() {
            assert_eq!(found, expected);
            let z = pickable.surfaces.last().unwrap().positions[0].z;
            assert_eq!(z, if tab == Tab::Rig { -0.5 } else { 0.5 }, "bind or current positions");
        }
        assert_eq!(pickable.rig.map(|rig| rig.base().x), base_x);
        if tab == Tab::Animate {
            settings.display.show_skin = false;
            let view = View { session: &session, evaluated: &evaluated, settings: &settings };
            assert_eq!(Pickable::from_view(&view).surfaces.len(), 1, "only the plain mesh is left");
        }
    }
}
