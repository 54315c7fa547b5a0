//! `ossature measure` and the methods of `ossature weights`, run as a program on the scenes in `media`.

use crate::running::{Folder, bad, good, json, run};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::ViewSettings;
use ossature::io::js3d;
use ossature::rig::weights::method::Method;
use ossature::scene::evaluate::Evaluated;
use serde_json::Value;
use std::path::Path;

fn media(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d").join(name);
    path.display().to_string()
}

fn number(row: &Value, member: &str) -> f64 {
    row[member].as_f64().unwrap_or_else(|| panic!("{row}"))
}

/// At frame 24 the tube is straight but twisted by 180 degrees: blended matrices collapse its middle, dual
/// quaternions do not.
#[test]
fn measure_tells_the_methods_apart() {
    for (file, most) in [("cylinder.js3d", 0.66), ("bar.js3d", 0.70)] {
        let file = media(file);
        let at = |method| {
            let twisted = ["--frames", "24", "--unmute", "Middle joint.y"];
            let found = json(&[&["measure", &file, "--method", method], &twisted[..]].concat());
            assert_eq!(found.as_array().unwrap().len(), 1);
            assert_eq!(found[0]["frame"], 24);
            number(&found[0], "volume")
        };
        let (linear, dual, half) = (at("linear"), at("dual-quaternion"), at("0.5"));
        assert!(linear < most && dual > 0.99 && linear < half && half < dual, "{linear} {half} {dual}");
    }
}

#[test]
fn measure_goes_through_the_animation() {
    let file = media("cylinder.js3d");
    let all = json(&["measure", &file]);
    let rows = all.as_array().unwrap();
    assert_eq!(rows.len(), 96, "frames 0 to 95");
    let straight = &rows[24];
    assert_eq!((&straight["mesh"], &straight["frame"]), (&"Tube".into(), &24.into()));
    assert!(
        (number(straight, "volume") - 1.0).abs() < 1e-4 && (number(straight, "stretch") - 1.0).abs() < 1e-3
    );
    let some = good(&["measure", &file, "--frames", "3..5", "--mesh", "Tube"]);
    assert_eq!(some.lines().count(), 3);
    assert!(some.starts_with("Tube: frame 3, volume 0.9"), "{some}");
    let extremes = json(&["measure", &file, "--worst"]);
    let extremes = extremes.as_array().unwrap();
    assert!((1..=3).contains(&extremes.len()));
    for (value, is_less) in [("stretch", false), ("volume", true), ("volume", false)] {
        let less = |a: f64, b: f64| if is_less { a < b } else { a > b };
        let most = rows.iter().map(|row| number(row, value)).reduce(|a, b| if less(b, a) { b } else { a });
        assert!(extremes.iter().any(|row| Some(number(row, value)) == most), "{value} {most:?}");
    }
    let human = good(&["measure", &media("A4-human.js3d")]);
    assert_eq!(human, "Human_skinned_mesh: stored pose, volume 1.0000, stretch 1.000\n");
    for wrong in ["5..3", "x", "1..", "-1"] {
        bad(&["measure", &file, "--frames", wrong]);
    }
}

/// What the window opens.
#[test]
fn characters_of_other_formats_are_measured() {
    let folder = Folder::new();
    let [glb, obj] = ["bar.glb", "bar.obj"].map(|name| folder.out(name));
    run(&["convert", &media("bar.js3d"), &glb]);
    let measured = run(&["measure", &glb, "--frames", "0..2", "--json"]).stdout;
    let measured: Value = serde_json::from_slice(&measured).unwrap();
    assert_eq!(measured, json(&["measure", &media("bar.js3d"), "--frames", "0..2"]));
    run(&["convert", &media("bar.js3d"), &obj]);
    let (error, _) = bad(&["measure", &obj]);
    assert!(error.contains("no skinned mesh") && error.contains("`ossature fit`"), "{error}");
}

#[test]
fn weights_by_every_method() {
    let folder = Folder::new();
    let (tube, out) = (media("bar.js3d"), folder.out("out.js3d"));
    for (method, more) in [
        ("capsule", vec![]),
        ("inverse-distance", vec![]),
        ("power", vec!["--exponent", "0.5"]),
        ("tube", vec!["--exponent", "10"]),
        ("heat", vec!["--largest", "1"]),
        ("heat", vec!["--largest", "0"]),
    ] {
        let arguments = [&["weights", &tube, "--method", method, "-o", &out], &more[..]].concat();
        let found = json(&arguments);
        assert_eq!(number(&found[0], "vertices"), 1602.0, "{method}");
        let most = if more == ["--largest", "1"] { 1.0 } else { 2.0 };
        assert_eq!(number(&found[0], "most_bones_per_vertex"), most, "{arguments:?}");
        let (scene, report) = js3d::read_file(Path::new(&out)).unwrap();
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(number(&found[0], "entries"), scene.skinned_meshes["Tube"].weights.bones.len() as f64);
    }
    bad(&["weights", &tube, "--method", "power", "--exponent", "0.4", "-o", &out]);
    bad(&["weights", &tube, "--method", "bounded", "-o", &out]);
    let (error, _) = bad(&["weights", &media("A4-human.js3d"), "--method", "tube", "-o", &out]);
    assert!(error.contains("two bones in a row"), "{error}");
}

/// The window's button, with each method in its menu, and the command give the same bytes.
#[test]
fn the_button_and_the_command_make_the_same_weights() {
    let folder = Folder::new();
    let (file, out) = (media("bar.js3d"), folder.out("out.js3d"));
    let evaluated = Evaluated::default();
    for method in Method::all() {
        let method = method.with("exponent", 1.5);
        let (scene, _) = js3d::read_file(Path::new(&file)).unwrap();
        let mut session = Session::new(scene, None);
        session.select(Selection::from_mesh(session.scene(), "Tube"));
        let mesh = "Tube".to_owned();
        session.apply(&[Command::SetWeightMethod { mesh, method }]).unwrap();
        let mut settings = ViewSettings::default();
        let pressed = Request::Act(Action::CALCULATE_WEIGHTS);
        assert!(pressed.carry_out(&mut session, &mut settings, &evaluated).unwrap());
        let arguments = ["--mesh", "Tube", "--method", method.id(), "--exponent", "1.5"];
        good(&[&["weights", &file, "-o", &out], &arguments[..]].concat());
        let written = js3d::write(session.scene()).unwrap();
        assert!(std::fs::read(&out).unwrap() == written, "{method:?}");
        assert!(written != std::fs::read(&file).unwrap() || method.id() == "tube", "{method:?}");
    }
}

/// The method is stored in the file and is the default; without a stored one, capsule radius is.
#[test]
fn weights_are_calculated_by_the_method_of_the_file() {
    let folder = Folder::new();
    let (bar, first, second) = (media("bar.js3d"), folder.out("first.js3d"), folder.out("second.js3d"));
    let stored = |path: &str| {
        let (scene, _) = js3d::read_file(Path::new(path)).unwrap();
        (scene.skinned_meshes["Tube"].weight_method, scene.skinned_meshes["Tube"].weights.clone())
    };
    let method = |arguments: &[&str]| {
        let found = json(&[&["weights"], arguments].concat());
        found[0]["method"].as_str().unwrap().to_owned()
    };
    assert_eq!(method(&[&bar, "-o", &first]), "capsule", "the course's default");
    assert_eq!(method(&[&bar, "--method", "power", "--exponent", "1.5", "-o", &first]), "power");
    assert_eq!(stored(&first).0, Method::power(1.5));
    assert_eq!(method(&[&first, "-o", &second]), "power");
    assert!(stored(&first) == stored(&second));
    assert!(std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap());
    assert_eq!(method(&[&first, "--exponent", "2", "-o", &second]), "power");
    assert_eq!(stored(&second).0, Method::power(2.0));
    // A calculation for some bones does not change the mesh's method.
    let some = ["--bones", "0", "--method", "heat"];
    assert_eq!(method(&[&[first.as_str(), "-o", &second], &some[..]].concat()), "power");

    // Imported meshes start with heat diffusion.
    let obj = folder.out("bar.obj");
    good(&["convert", &bar, &obj]);
    good(&["convert", &obj, &first, "--name", "Tube"]);
    assert_eq!(stored(&first).0, Method::FOR_NEW_MESHES);
}
