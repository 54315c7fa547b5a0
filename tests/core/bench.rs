//! The report of `benches/report` at small sizes: it runs and names what it measures. No time is asserted.

use crate::measure::{self, Scale};
use crate::running::Folder;
use ossature::scene::Scene;
use std::path::Path;

fn value(report: &impl serde::Serialize) -> serde_json::Value {
    serde_json::to_value(report).unwrap()
}

#[test]
fn the_report_has_all_parts() {
    let report = measure::report(&Scale::new(true), None);
    let table = measure::table(&report.lines);
    assert!(table.contains("| what | measured | accept | aim |"), "{table}");
    let json = value(&report);
    let lines = json["lines"].as_array().unwrap();
    for part in ["LBS", "DQS", "IK", "capsule weights", "heat weights", "js3d"] {
        let one = lines.iter().find(|line| line["what"].as_str().unwrap().contains(part));
        assert!(one.unwrap()["value"].as_f64().unwrap() >= 0.0, "{part}");
    }
    // A value, or the reason why it is missing.
    let uploads = lines.iter().filter(|line| line["what"].as_str().unwrap().contains("get_mut"));
    for line in uploads.clone() {
        let why = line["note"].as_str().unwrap();
        let measured = line["value"].as_f64().is_some_and(|value| value > 0.0);
        assert!(
            measured || why.contains("no graphics adapter") || why.contains("without the window"),
            "{line}"
        );
    }
    assert_eq!(uploads.count(), 2);
    let panels: Vec<_> =
        lines.iter().filter(|line| line["what"].as_str().unwrap().starts_with("timeline")).collect();
    for line in &panels {
        let measured = line["value"].as_f64().is_some_and(|value| value > 0.0);
        assert!(measured || line["note"].as_str().unwrap().contains("without the window"), "{line}");
    }
    assert_eq!(panels.len(), 5);
    // Counted and calculated values are the same on every machine.
    let exact = |line: &&serde_json::Value| {
        let what = line["what"].as_str().unwrap();
        what.contains("steps") || what.contains("solved") || what.starts_with("error of")
    };
    let mut counted = 0;
    for line in lines.iter().filter(exact).filter(|line| !line["accept"].is_null()) {
        let (value, accept) = (line["value"].as_f64().unwrap(), line["accept"].as_f64().unwrap());
        let good = match line["good"].as_str().unwrap() {
            "at_least" => value >= accept,
            _ => value <= accept,
        };
        assert!(good, "{line}");
        counted += 1;
    }
    assert!(counted >= 10, "{counted}");
}

#[test]
fn a_frame_is_measured_stage_by_stage() {
    let frames = measure::frame::frames(None, None, true).unwrap();
    let table = frames.table();
    let columns = "| what | vertices | tool | session | IK | pose | skin | overlay | upload | all | aim |";
    assert!(table.contains(columns), "{table}");
    let json = value(&frames);
    let runs = json["runs"].as_array().unwrap();
    let whole = |run: &&serde_json::Value| !run["stages"].as_array().unwrap().is_empty();
    assert_eq!(runs.iter().filter(whole).count(), 7);
    assert!(
        runs.len() == 11
            || json["window"].as_str().unwrap().contains("graphics adapter")
            || json["window"].as_str().unwrap().contains("without the window")
    );
    for run in runs {
        let is_empty = run["what"].as_str().unwrap().contains("nothing to show");
        let vertices = if is_empty { 0 } else { 7938 };
        assert_eq!((&run["vertices"], &run["frames"]), (&vertices.into(), &20.into()));
        let names = ["tool", "session", "IK", "pose", "skin", "overlay", "upload"];
        let stages = run["stages"].as_array().unwrap();
        assert!(stages.is_empty() || stages.iter().map(|stage| &stage["name"]).eq(&names), "{run}");
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let frame = &run["frame"];
        for stage in stages.iter().chain([frame]) {
            let (median, p95) = (number(&stage["median_us"]), number(&stage["p95_us"]));
            assert!(number(&stage["quiet_us"]) <= median && median <= p95, "{run}");
            assert!(median <= number(&frame["median_us"]), "{run}");
        }
        assert_eq!(number(&run["frames_per_second"]), 1e6 / number(&frame["median_us"]));
        // The handle is not at its tip.
        assert!(stages.is_empty() || number(&run["ik_steps"]) >= 1.0, "{run}");
    }
}

#[test]
fn frames_of_a_file_are_measured_if_it_has_bones() {
    let walk = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human-walk.js3d");
    let json = value(&measure::frame::frames(Some(&walk), Some(3), false).unwrap());
    assert_eq!((&json["runs"][1]["bones"], &json["runs"][1]["frames"]), (&34.into(), &3.into()));
    let what = json["runs"][1]["what"].as_str().unwrap();
    assert!(what.starts_with("A4-human-walk.js3d, played"), "{what}");
    let folder = Folder::new();
    let bare = folder.write("bare.js3d", &Scene::default());
    let refused = measure::frame::frames(Some(bare.as_ref()), None, true);
    assert!(refused.err().unwrap().to_string().contains("no skinned mesh"));
}

#[test]
fn the_plot_has_a_chart_of_each_kind() {
    let svg = measure::svg(&Scale::new(true));
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for what in ["vertices", "bones", "influences", "handles"] {
        assert!(svg.contains(what), "{what}");
    }
    assert!(!svg.contains("NaN"));
}
