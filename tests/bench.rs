//! `ossature bench`, at small sizes: that it runs and says what it measures. No time is asserted.

mod editing;
mod running;

use running::{bad, good};

#[test]
fn it_prints_a_table_and_json() {
    let table = good(&["bench", "--quick", "--only", "ik"]);
    assert!(table.contains("| what | measured | accept | aim |"), "{table}");
    let json: serde_json::Value = serde_json::from_str(&good(&["bench", "--quick", "--json"])).unwrap();
    let lines = json["lines"].as_array().unwrap();
    for part in ["LBS", "DQS", "IK", "capsule weights", "heat weights", "js3d"] {
        let one = lines
            .iter()
            .find(|line| line["what"].as_str().unwrap().contains(part));
        assert!(one.unwrap()["value"].as_f64().unwrap() >= 0.0, "{part}");
    }
    // What is counted, and what is calculated, is the same everywhere.
    let exact = |line: &&serde_json::Value| {
        let what = line["what"].as_str().unwrap();
        what.contains("steps") || what.contains("solved") || what.starts_with("error of")
    };
    let mut counted = 0;
    for line in lines
        .iter()
        .filter(exact)
        .filter(|line| !line["accept"].is_null())
    {
        let (value, accept) = (line["value"].as_f64().unwrap(), line["accept"].as_f64().unwrap());
        let good = match line["good"].as_str().unwrap() {
            "at_least" => value >= accept,
            _ => value <= accept,
        };
        assert!(good, "{line}");
        counted += 1;
    }
    assert!(counted >= 10, "{counted}");
    bad(&["bench", "--only", "everything"]);
}
