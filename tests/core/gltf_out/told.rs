//! Differences in other programs are reported, and what no program can show is refused.

use super::*;
use ossature::anim::channel::SkeletonChannel;
use ossature::rig::property::BASE_OFFSET;

/// Row 16.
#[test]
fn what_is_lost_is_told_with_numbers() {
    let (_, report) = exported(&media("A4-human-walk"), &ExportOptions::default());
    let text = find(&report, "influences").unwrap();
    assert!(
        text.contains("vertices have more than four bones; at most 16 %") && text.contains("of a size of"),
        "{text}"
    );
    let all = ExportOptions { influences: Influences::All, ..ExportOptions::default() };
    let (glb, report) = exported(&media("A4-human-walk"), &all);
    assert!(find(&report, "further-influences").is_some() && find(&report, "influences").is_none());
    let mesh =
        Player::new(&glb).document.meshes().next().unwrap().primitives().next().unwrap().attributes().count();
    assert_eq!(mesh, 7, "position, normal, uv and two sets");

    let mut scene = scene_of(tube());
    Arc::make_mut(scene.skinned_meshes.get_mut("Tube").unwrap()).skinning = Method::DUAL_QUATERNION;
    skeleton(&mut scene).bones[2].pose_deg.y = 150.0;
    let hidden = Arc::make_mut(scene.instances.skinned_meshes.get_mut("Tube instance").unwrap());
    hidden.settings.visible = false;
    add_instance(&mut scene, "Second", "Place");
    let (glb, report) = exported(&scene, &ExportOptions::default());
    assert_eq!(find(&report, "hidden"), Some("1 hidden instance left out; show them to export them"));
    let text = find(&report, "dual-quaternions").unwrap();
    assert!(text.contains("is skinned with dual quaternions") && text.contains("of a size of 10"), "{text}");
    assert!(!Player::new(&glb).names().contains(&"Tube instance".to_owned()));
}

#[test]
fn what_is_no_number_is_refused_by_its_name() {
    type Break = (&'static str, fn(&mut Scene));
    let broken: [Break; 4] = [
        ("bone “Bone 2” of “Tube”", |scene| skeleton(scene).bones[2].pose_deg.x = f32::NAN),
        ("the base of “Tube”", |scene| skeleton(scene).base.x = f32::INFINITY),
        ("transform “Place”", |scene| {
            Arc::make_mut(scene.transforms.get_mut("Place").unwrap()).scale.y = f32::NAN
        }),
        ("a pose at frame 0 of take “Take”", |scene| {
            key(scene, "Tube", SkeletonChannel::Base(BASE_OFFSET), vec3s(&[(0.0, [f32::NAN, 0.0, 0.0])]));
        }),
    ];
    for (name, break_it) in broken {
        let mut scene = scene_of(tube());
        break_it(&mut scene);
        let found = export(&scene, &ExportOptions::default(), &|_| Err(String::new()));
        match found.err() {
            Some(ExportError::NotFinite { place }) => assert!(place.contains(name), "{place}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn notes_are_no_warnings() {
    let (_, report) = exported(&media("quadruped"), &ExportOptions::default());
    let serious: Vec<_> =
        report.findings.iter().filter(|f| f.severity > Severity::Note && f.code != "influences").collect();
    assert!(serious.is_empty(), "{serious:?}");
}

/// Names that this program gives itself are no reason for a finding; colons are.
#[test]
fn default_names_are_exported_without_a_word() {
    let told = |names: [&str; 3]| {
        let mut mesh = tube();
        let skeleton = Arc::make_mut(&mut mesh.skeleton);
        for (bone, name) in skeleton.bones.iter_mut().zip(names) {
            bone.name = Some(name.into());
        }
        let (_, report) = exported(&scene_of(mesh), &ExportOptions::default());
        report.findings.iter().any(|finding| finding.code == "names")
    };
    assert!(!told(["Bone", "Bone.001", "Bone.002.L"]));
    assert!(told(["Bone", "Rig:Bone", "Rig:Bone.L"]));
}

#[test]
fn tangents_that_are_no_numbers_are_refused_with_their_take() {
    let mut scene = scene_of(tube());
    let knots = vec3s(&[(0.0, [3e38, 0.0, 0.0]), (1.0, [-3e38, 0.0, 0.0]), (2.0, [3e38, 0.0, 0.0])]);
    key(&mut scene, "Place", "translation", knots);
    let cubic = ExportOptions { interpolation: Interpolation::Cubic, ..ExportOptions::default() };
    match export(&scene, &cubic, &|_| Err(String::new())).err() {
        Some(ExportError::NotFinite { place }) => assert!(place.contains("take “Take”"), "{place}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn products_that_are_too_large_to_be_read_are_not_written() {
    let plain = ExportOptions { scene: false, ..ExportOptions::default() };
    for (scale, is_written) in [(1e6, true), (1e17, true), (1e19, false), (1e30, false)] {
        let mut scene = scene_of(tube());
        Arc::make_mut(scene.transforms.get_mut("Place").unwrap()).scale = Vec3::splat(scale);
        match export(&scene, &plain, &|_| Err(String::new())) {
            Ok(_) => assert!(is_written, "{scale}"),
            Err(ExportError::TooLarge(problem)) => {
                assert!(!is_written && problem.contains("larger than 1e18"), "{scale}: {problem}");
            }
            Err(error) => panic!("{scale}: {error}"),
        }
    }
}

/// What other programs get is what this one can read.
#[test]
fn what_could_not_be_read_again_is_not_written() {
    let mut mesh = tube();
    let (surface, _) = rig_support::tube_of_five(40, 100);
    let vertices = surface.positions().len();
    mesh.surface = surface.into();
    let rows = (0..vertices).map(|_| [(0u16, 1.0)]);
    let mut weights = VertexWeights::default();
    rows.for_each(|row| weights.push_row(row));
    mesh.weights = weights.into();
    let mut scene = scene_of(mesh);
    let plain = ExportOptions { scene: false, ..ExportOptions::default() };
    let limit = GLTF_CORNERS.limit(exported(&scene, &plain).0.len());
    // Six corners for two triangles at each vertex, and the vertex.
    let instances = limit / (6 * vertices);
    for instance in 0..instances {
        add_instance(&mut scene, &format!("Copy {instance}"), "Place");
    }
    match export(&scene, &plain, &|_| Err(String::new())).err() {
        Some(ExportError::Limit(LimitError::Corners { corners })) => assert!(corners > limit),
        other => panic!("{other:?}"),
    }
    let names: Vec<String> = scene.instances.skinned_meshes.keys().cloned().collect();
    for name in &names[..instances / 2] {
        scene.instances.skinned_meshes.remove(name);
    }
    exported(&scene, &plain);
}
