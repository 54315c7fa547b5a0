//! Commands on whole surfaces and scenes: what they create, what they preserve, what they refuse.

use crate::editing::surfaces::polygons;
use crate::editing::{column, faults, scene};
use glam::Vec3;
use ossature::anim::channel::{Animation, Channel};
use ossature::anim::spline::Spline;
use ossature::edit::command::{Command, CommandError, SceneData, Surface};
use ossature::edit::session::Session;
use ossature::extra::Extra;
use ossature::mesh::primitives::Primitive;
use ossature::mesh::soup::Polygons;
use ossature::scene::Scene;
use ossature::scene::instance::InstanceKind;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::resource::MaterialKind;
use std::collections::BTreeMap;
use std::sync::Arc;

const BOX: Surface = Surface::Primitive(Primitive::Box { size: Vec3::new(1.0, 2.0, 3.0) });

fn apply(scene: &mut Scene, command: Command) {
    command.apply(scene).unwrap();
    assert_eq!(faults(scene), Vec::<String>::new(), "{command:?}");
}

fn add(scene: &mut Scene, name: &str, surface: Surface, skinned: bool) {
    let name = name.to_owned();
    apply(scene, Command::AddMesh { name, surface, skinned });
}

/// Scotty3D complains about null references.
#[test]
fn new_instances_have_a_material_that_is_there_and_share_it() {
    let mut scene = Scene::default();
    add(&mut scene, "Crate", BOX, false);
    add(&mut scene, "Body", BOX, true);
    let placed = [&scene.instances.meshes, &scene.instances.skinned_meshes];
    let materials: Vec<&str> = placed
        .into_iter()
        .flat_map(|table| table.values())
        .map(|instance| instance.material.as_deref().expect("it has a material"))
        .collect();
    assert_eq!(materials, ["Default material"; 2]);
    assert_eq!((scene.materials.len(), scene.textures.len()), (1, 1));
    let MaterialKind::Lambertian { albedo: Some(texture) } = &scene.materials["Default material"].kind else {
        panic!("{:?}", scene.materials);
    };
    assert!(scene.textures.contains_key(texture));
}

#[test]
fn new_meshes_are_named_placed_and_selected() {
    let mut scene = Scene::default();
    add(&mut scene, " Crate\n", BOX, false);
    add(&mut scene, "Crate", BOX, false);
    add(&mut scene, "", BOX, true);
    let names: Vec<_> = scene.meshes.keys().collect();
    assert_eq!(names, ["Crate", "Crate 1"]);
    let placed = &scene.instances.meshes["Crate_instance"];
    assert_eq!(placed.resource.as_deref(), Some("Crate"));
    assert_eq!(placed.transform.as_deref(), Some("Crate_transform"));
    let skinned = &scene.skinned_meshes["Mesh"];
    assert!(skinned.skeleton.bones.is_empty() && skinned.skeleton.base == Vec3::ZERO);
    assert_eq!(skinned.weights.ends, [0; 8]);
    assert_eq!(scene.instances.skinned_meshes["Mesh_instance"].resource.as_deref(), Some("Mesh"));

    let mut session = Session::new(scene, None);
    for skinned in [true, false] {
        let command = Command::AddMesh { name: "Body".into(), surface: polygons(4), skinned };
        session.apply(&[command]).unwrap();
        let selection = session.selection();
        let kind = if skinned { InstanceKind::SkinnedMesh } else { InstanceKind::Mesh };
        assert_eq!(selection.instance.as_ref().map(|i| i.kind), Some(kind));
        assert_eq!(selection.mesh.as_deref(), skinned.then_some("Body"));
    }
    // A skeleton starts in the middle of an imported surface.
    let body = &session.scene().skinned_meshes["Body"];
    assert_eq!(body.skeleton.base, Vec3::new(0.0, 2.0, 0.0));
    assert_eq!(*body.surface, column(4).with_smooth_normals(180.0));
}

#[test]
fn appending_renames_what_is_taken_and_everything_follows() {
    let base = scene();
    let mut both = base.clone();
    apply(&mut both, Command::AppendScene { scene: SceneData(Arc::new(base.clone())) });
    for (kind, name) in base.names() {
        let other = ObjectRef::new(kind, format!("{name} 1"));
        assert!(both.contains(&ObjectRef::new(kind, name)) && both.contains(&other), "{other:?}");
    }
    assert_eq!(both.names().len(), 2 * base.names().len());
    let body = &both.instances.skinned_meshes["Body here 1"];
    assert_eq!(body.resource.as_deref(), Some("Body 1"));
    assert_eq!(body.transform.as_deref(), Some("Place 1"));
    assert_eq!(both.instances.cameras["Eye 1"].camera.as_deref(), Some("Lens 1"));
    let channels = &both.animation.channels;
    assert_eq!(channels["Body 1"], base.animation.channels["Body"]);
    assert_eq!(channels["Place 1"], base.animation.channels["Place"]);
    assert_eq!(channels.len(), 2 * base.animation.channels.len());
    // Existing objects are unchanged, and shared.
    assert!(Arc::ptr_eq(&both.skinned_meshes["Body"], &base.skinned_meshes["Body"]));
    assert!(Arc::ptr_eq(&both.skinned_meshes["Body 1"], &base.skinned_meshes["Body"]));
    // The third time, numbers continue, and skip those that the second took.
    apply(&mut both, Command::AppendScene { scene: SceneData(Arc::new(base)) });
    assert!(both.skinned_meshes.contains_key("Body 2"));
    assert_eq!(both.instances.skinned_meshes["Body here 2"].resource.as_deref(), Some("Body 2"));
}

/// Keys behind the end would be reported when the file is read.
#[test]
fn appended_keys_lie_within_the_clip() {
    let mut base = scene();
    let mut added = scene();
    let length = base.animation.clip.length;
    let key = (length as f32 + 7.0, Vec3::ONE);
    let channel = Channel::Vec3(Spline::from_knots(vec![key]));
    let animation = Arc::make_mut(&mut added.animation);
    let channels = animation.channels.get_mut("Place").unwrap();
    channels.insert("scale".into(), Arc::new(channel));
    let scene = SceneData(Arc::new(added));
    apply(&mut base, Command::AppendScene { scene });
    assert_eq!(base.animation.clip.length, length + 8);
}

/// Free names stay; a name that a rename would take is skipped; references to nothing become null rather than
/// name something of the other scene; channels of nothing stay channels of nothing.
#[test]
fn appending_mixes_up_no_names() {
    let mut base = Scene::default();
    add(&mut base, "A", BOX, false);
    let mut added = Scene::default();
    add(&mut added, "A", BOX, true);
    add(&mut added, "A 1", BOX, false);
    add(&mut added, "Free", BOX, false);
    let mut lost = (*added.instances.meshes["Free_instance"]).clone();
    lost.resource = Some("Nothing".into());
    lost.material = Some("A".into());
    added.instances.meshes.insert("Free_instance".into(), Arc::new(lost));
    let odd = BTreeMap::from([("x".to_owned(), Extra::default())]);
    added.animation = Arc::new(Animation {
        spline_extra: BTreeMap::from([("A_transform".to_owned(), odd)]),
        ..Animation::default()
    });
    let command = Command::AppendScene { scene: SceneData(Arc::new(added)) };
    command.apply(&mut base).unwrap();
    assert_eq!(base.meshes.keys().collect::<Vec<_>>(), ["A", "A 1", "Free"]);
    assert_eq!(base.skinned_meshes.keys().collect::<Vec<_>>(), ["A 2"]);
    assert_eq!(base.instances.skinned_meshes["A_instance 1"].resource.as_deref(), Some("A 2"));
    assert_eq!(base.instances.meshes["A_instance"].resource.as_deref(), Some("A"));
    let lost = &base.instances.meshes["Free_instance"];
    assert_eq!((lost.resource.as_deref(), lost.material.as_deref()), (None, None));
    assert_eq!(lost.transform.as_deref(), Some("Free_transform"));
    assert_eq!(base.animation.spline_extra.keys().collect::<Vec<_>>(), ["A_transform 1"]);
}

#[test]
fn another_surface_keeps_weights_where_vertices_stay() {
    let mut scene = scene();
    let body = ObjectRef::new(Kind::SkinnedMesh, "Body");
    let old = scene.skinned_meshes["Body"].clone();
    // One cell more, vertices in another order.
    let mut taller = Polygons::new(&column(5));
    let last = taller.positions.len() as u32 - 1;
    taller.positions.reverse();
    taller.faces.iter_mut().flatten().for_each(|v| *v = last - *v);
    let surface = Surface::Polygons(Arc::new(taller));
    apply(&mut scene, Command::ReplaceSurface { mesh: body, surface });
    let new = &scene.skinned_meshes["Body"];
    assert!(Arc::ptr_eq(&old.skeleton, &new.skeleton));
    assert_eq!(new.weights.validate(24, 4), Ok(()));
    for (v, p) in new.surface.positions().iter().enumerate() {
        let before = old.surface.positions().iter().position(|q| q == p);
        let expected = before.map(|v| old.weights.row(v));
        assert_eq!(new.weights.row(v), expected.unwrap_or((&[], &[])), "vertex {v} at {p}");
    }
    assert_eq!(new.weights.unweighted_count(), 10 + 4);
}

#[test]
fn plain_meshes_are_changed_like_skinned_ones() {
    let mut scene = Scene::default();
    add(&mut scene, "Crate", BOX, false);
    let mesh = ObjectRef::new(Kind::Mesh, "Crate");
    let before = scene.meshes["Crate"].clone();
    apply(&mut scene, Command::FlipOrientation { mesh: mesh.clone() });
    assert_eq!(*scene.meshes["Crate"].surface, before.surface.flipped());
    apply(&mut scene, Command::FlipOrientation { mesh: mesh.clone() });
    assert_eq!(scene.meshes["Crate"], before);
    let angle_deg = 180.0;
    apply(&mut scene, Command::SmoothNormals { mesh: mesh.clone(), angle_deg });
    for h in 0..24 {
        let surface = &scene.meshes["Crate"].surface;
        let p = surface.positions()[surface.vertex_of(h) as usize];
        let expected = p.signum() / 3.0_f32.sqrt();
        assert!(surface.corner_normals()[h as usize].distance(expected) < 1e-6);
    }
    let surface = Surface::Primitive(Primitive::DEFAULTS[1]);
    apply(&mut scene, Command::ReplaceSurface { mesh, surface });
    assert_eq!(scene.meshes["Crate"].weights.ends.len(), 32 * 15 + 2);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut scene = scene();
    let before = scene.clone();
    let body = || ObjectRef::new(Kind::SkinnedMesh, "Body");
    let smooth = |angle_deg| Command::SmoothNormals { mesh: body(), angle_deg };
    let bow_tie = Polygons {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y],
        faces: vec![vec![0, 1, 2], vec![0, 3, 4]],
        ..Polygons::default()
    };
    let bow_tie = Surface::Polygons(Arc::new(bow_tie));
    for (command, part) in [
        (smooth(-1.0), "between 0 and 180"),
        (smooth(180.5), "between 0 and 180"),
        (smooth(f32::NAN), "between 0 and 180"),
        (Command::FlipOrientation { mesh: ObjectRef::new(Kind::Mesh, "Body") }, "no mesh called “Body”"),
        (Command::FlipOrientation { mesh: ObjectRef::new(Kind::Camera, "Lens") }, "a mesh or a skinned mesh"),
        (Command::ReplaceSurface { mesh: body(), surface: bow_tie.clone() }, "bow-tie"),
        (Command::AddMesh { name: "x".into(), surface: bow_tie, skinned: true }, "bow-tie"),
        (
            Command::AppendScene { scene: SceneData(Arc::default()) },
            "the appended scene must be one that is not empty",
        ),
    ] {
        let error: CommandError = command.apply(&mut scene).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
        assert!(scene == before, "{command:?}");
    }
}
