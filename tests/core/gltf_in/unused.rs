//! Joints that move no vertices: controls, pole targets, ends.

use super::builder::Builder;
use super::characters::{arm, at, of};
use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::io::export::ExportOptions;
use ossature::io::gltf::read::read;
use ossature::io::gltf::write;
use ossature::io::import::ImportOptions;
use ossature::scene::skinned::unused_bones;
use serde_json::json;

const MESH: &str = "Arm";

/// Returns an arm with a control beside the root, a pole target below it, and an end of the lower bone.
fn with_controls() -> Builder {
    let mut b = arm(&[0.0, 30.0, 10.0]);
    b.push("nodes", json!({ "name": "control", "translation": [1, 0, 0], "children": [4] }));
    b.push("nodes", json!({ "name": "pole target", "translation": [0, 0, 1] }));
    b.push("nodes", json!({ "name": "tip", "translation": [0, 1, 0] }));
    b.json["nodes"][1]["children"] = json!([5]);
    b.json["scenes"][0]["nodes"] = json!([0, 2, 3]);
    b.json["skins"][0]["joints"] = json!([2, 1, 3, 4, 5]);
    b.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    b
}

#[test]
fn joints_that_move_nothing_are_hidden_and_deleted_at_once() {
    let import = of(&with_controls());
    let bones = &import.scene.skinned_meshes[MESH].skeleton.bones;
    let hidden: Vec<_> =
        bones.iter().filter(|bone| bone.hidden).filter_map(|bone| bone.name.as_deref()).collect();
    assert_eq!(
        (hidden, bones.iter().filter(|bone| !bone.link).count()),
        (vec!["tip", "control", "pole target"], 5)
    );
    let found = import.report.findings.iter().find(|finding| finding.code == "hidden-bones").unwrap();
    assert!(found.text.starts_with("3 bones move no vertices and are hidden"), "{}", found.text);

    let mut session = Session::new(import.scene, None);
    session.select(Selection::from_mesh(session.scene(), MESH));
    let mut settings = ViewSettings { tab: Tab::Rig, ..ViewSettings::default() };
    let before = at(session.scene(), 1.0).skinned[MESH].positions.clone();
    let evaluated = at(session.scene(), 1.0);
    let deleted = Request::Act(Action::DELETE_UNUSED).carry_out(&mut session, &mut settings, &evaluated);
    assert_eq!(deleted, Ok(true));
    let skinned = &session.scene().skinned_meshes[MESH];
    assert_eq!(skinned.skeleton.bones.len(), 2);
    assert!(unused_bones(&skinned.skeleton, &skinned.weights).iter().all(|is_unused| !is_unused));
    assert_eq!(at(session.scene(), 1.0).skinned[MESH].positions, before);
    let evaluated = at(session.scene(), 1.0);
    let view = View { session: &session, evaluated: &evaluated, settings: &settings };
    assert!(Action::DELETE_UNUSED.prepare(&view).is_err(), "there is nothing more to delete");
    session.undo();
    assert_eq!(session.scene().skinned_meshes[MESH].skeleton.shown_bones().count(), 5);
}

/// What a person shows again is shown when the exported file is opened.
#[test]
fn what_is_hidden_is_kept_by_our_own_files() {
    let mut scene = of(&with_controls()).scene;
    let skinned = std::sync::Arc::make_mut(scene.skinned_meshes.get_mut(MESH).unwrap());
    let bones = &mut std::sync::Arc::make_mut(&mut skinned.skeleton).bones;
    bones.iter_mut().for_each(|bone| bone.hidden = bone.name.as_deref() == Some("control"));
    let export = write::export(&scene, &ExportOptions::default(), &|_| Err(String::new())).unwrap();
    let again = read(&export.glb().unwrap(), None, &ImportOptions::default()).unwrap().scene;
    let bones = &again.skinned_meshes.values().next().unwrap().skeleton.bones;
    let hidden: Vec<_> =
        bones.iter().filter(|bone| bone.hidden).filter_map(|bone| bone.name.as_deref()).collect();
    assert_eq!(hidden, ["control"]);
}
