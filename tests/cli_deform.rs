//! `ossature measure` and the methods of `ossature weights`, run as a program on the scenes that come with it.

mod editing;
mod running;

use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::edit::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::view::ViewSettings;
use ossature::io::js3d;
use ossature::rig::weights::method::{Method, Methods};
use ossature::scene::evaluate::Evaluated;
use running::{Folder, bad, good, json};
use serde_json::Value;
use std::path::Path;

fn media(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("media/js3d")
        .join(name);
    path.display().to_string()
}

fn number(row: &Value, member: &str) -> f64 {
    row[member].as_f64().unwrap_or_else(|| panic!("{row}"))
}

/// Frame 42 twists by 180 degrees: blended matrices let the middle collapse, dual quaternions do not.
#[test]
fn measure_tells_the_methods_apart() {
    for (file, most) in [("cylinder.js3d", 0.66), ("bar.js3d", 0.70)] {
        let file = media(file);
        let at = |method| {
            let found = json(&[
                "measure", &file, "--mesh", "Twist", "--frames", "42", "--method", method,
            ]);
            assert_eq!(found.as_array().unwrap().len(), 1);
            assert_eq!(found[0]["frame"], 42);
            number(&found[0], "volume")
        };
        let (linear, dual, half) = (at("linear"), at("dual-quaternion"), at("0.5"));
        assert!(
            linear < most && dual > 0.99 && linear < half && half < dual,
            "{linear} {half} {dual}"
        );
    }
}

#[test]
fn measure_goes_through_the_animation() {
    let file = media("cylinder.js3d");
    let all = json(&["measure", &file]);
    let rows = all.as_array().unwrap();
    assert_eq!(rows.len(), 2 * 96, "two tubes, frames 0 to 95");
    let first = rows
        .iter()
        .find(|row| row["mesh"] == "Bend" && row["frame"] == 0)
        .unwrap();
    assert!((number(first, "volume") - 1.0).abs() < 1e-5 && (number(first, "stretch") - 1.0).abs() < 1e-3);
    let some = good(&["measure", &file, "--frames", "3..5", "--mesh", "Bend"]);
    assert_eq!(some.lines().count(), 3);
    assert!(some.starts_with("Bend: frame 3, volume 0.9"), "{some}");
    let human = good(&["measure", &media("A4-human.js3d")]);
    assert_eq!(
        human,
        "Human_skinned_mesh: stored pose, volume 1.0000, stretch 1.000\n"
    );
    for wrong in ["5..3", "x", "1..", "-1"] {
        bad(&["measure", &file, "--frames", wrong]);
    }
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
        assert_eq!(
            number(&found[0], "entries"),
            scene.skinned_meshes["Bend"].weights.bones.len() as f64
        );
    }
    bad(&[
        "weights",
        &tube,
        "--method",
        "power",
        "--exponent",
        "0.4",
        "-o",
        &out,
    ]);
    bad(&["weights", &tube, "--method", "bounded", "-o", &out]);
    let (error, _) = bad(&["weights", &media("A4-human.js3d"), "--method", "tube", "-o", &out]);
    assert!(error.contains("two bones in a row"), "{error}");
}

/// The button of the window, by each method that its menu has, and the command: the same bytes.
#[test]
fn the_button_and_the_command_make_the_same_weights() {
    let folder = Folder::new();
    let (mut scene, _) = js3d::read_file(Path::new(&media("bar.js3d"))).unwrap();
    // The button also stores the values of the frame that is seen; without keys there are none.
    scene.animation = Default::default();
    let (file, out) = (folder.write("bar.js3d", &scene), folder.out("out.js3d"));
    let evaluated = Evaluated::default();
    for method in Method::ALL {
        let method = match method {
            Method::Power { .. } => Method::Power { exponent: 1.5 },
            Method::Tube { .. } => Method::Tube { exponent: 1.5 },
            other => other,
        };
        let (scene, _) = js3d::read_file(Path::new(&file)).unwrap();
        let mut session = Session::new(scene, None);
        session.select(Selection::of_mesh(session.scene(), "Bend"));
        let mut settings = ViewSettings {
            weigh_by: Methods::default().with(method),
            ..ViewSettings::default()
        };
        let pressed = Request::Act(Action::CalculateWeights);
        assert!(
            pressed
                .carry_out(&mut session, &mut settings, &evaluated)
                .unwrap()
        );
        let arguments = ["--mesh", "Bend", "--method", method.name(), "--exponent", "1.5"];
        good(&[&["weights", &file, "-o", &out], &arguments[..]].concat());
        let written = js3d::write(session.scene()).unwrap();
        assert!(std::fs::read(&out).unwrap() == written, "{method:?}");
        assert!(
            written != std::fs::read(&file).unwrap() || method.name() == "tube",
            "{method:?}"
        );
    }
}
