//! The README is true: its examples run and print what it shows, its list of keys is that of the table of
//! actions, the files and headings that it names exist. Nothing here opens a window.

use ossature::edit::action::Action;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    let path = root().join("README.md");
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A command as a user would type it, and the lines that the README shows as its output.
struct Example {
    command: String,
    printed: Vec<String>,
}

/// Collects the blocks of the language `console`: `$ ossature …` and the lines up to the next one.
fn examples(readme: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match (inside, line) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, line) => match (line.strip_prefix("$ "), found.last_mut()) {
                (Some(command), _) => {
                    found.push(Example { command: command.to_owned(), printed: Vec::new() })
                }
                (None, Some(last)) => last.printed.push(line.to_owned()),
                (None, None) => panic!("the block starts without a command: {line}"),
            },
            _ => {}
        }
    }
    assert!(!inside, "a block has no end");
    found
}

/// The arguments after `ossature`.
fn arguments(command: &str) -> Vec<&str> {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("ossature"), "{command}");
    words.collect()
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ossature"));
    program.args(arguments).current_dir(folder).output().unwrap()
}

/// Whether a command needs a graphics adapter or a display.
fn needs_graphics(arguments: &[&str]) -> bool {
    arguments.first().is_none_or(|first| ["screenshot", "render"].contains(first) || first.ends_with(".js3d"))
}

/// A folder that looks like the repository to the commands: the human has the same path.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in [
        "media/js3d/A4-human.js3d",
        "media/js3d/A4-human-walk.js3d",
        "media/js3d/cylinder.js3d",
        "media/obj/human.obj",
        "docs/strokes/armpit.json",
    ] {
        let copy = folder.path().join(file);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(root().join(file), copy).unwrap();
    }
    folder
}

/// Whether the words are the same; numbers may differ by rounding, to one part in 100,000.
fn same_line(said: &str, printed: &str) -> bool {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let (said, printed) = (words(said), words(printed));
    said.len() == printed.len()
        && said.iter().zip(&printed).all(|(a, b)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => (a - b).abs() <= 1e-5 * a.abs().max(1.0),
            _ => a == b,
        })
}

/// Whether `said` is what was printed; a line `…` stands for any number of lines.
fn matches(said: &[String], printed: &[&str]) -> bool {
    match said.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        Some((first, rest)) => printed
            .split_first()
            .is_some_and(|(line, others)| same_line(first, line) && matches(rest, others)),
    }
}

#[test]
fn every_example_makes_sense_to_the_program() {
    let folder = folder();
    let examples = examples(&readme());
    for example in &examples {
        // Help is only shown if everything before it was understood.
        let mut arguments = arguments(&example.command);
        arguments.push("--help");
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {error}", example.command);
    }
    for command in crate::running::COMMANDS {
        let shown = |e: &Example| arguments(&e.command).first() == Some(&command);
        assert!(examples.iter().any(shown), "no example of {command}");
    }
    // The check itself: nonsense before --help is noticed.
    let nonsense = ["screenshot", "a.js3d", "-o", "a.png", "--tab", "paint", "--help"];
    assert_eq!(run(folder.path(), &nonsense).status.code(), Some(1));
}

/// In order, in one folder: later examples use the files of earlier ones.
#[test]
fn headless_examples_print_what_the_readme_shows() {
    let folder = folder();
    let mut ran = 0;
    for example in examples(&readme()) {
        let arguments = arguments(&example.command);
        if needs_graphics(&arguments) {
            continue;
        }
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {error}", example.command);
        assert_eq!(error, "", "{}", example.command);
        let text = String::from_utf8(output.stdout).unwrap();
        let printed: Vec<&str> = text.lines().collect();
        assert!(
            matches(&example.printed, &printed),
            "{} prints:\n{text}\nbut the README says:\n{}",
            example.command,
            example.printed.join("\n")
        );
        ran += 1;
    }
    assert!(ran >= 7, "only {ran} examples were run");
}

/// Every task of the examples is met.
#[test]
fn commands_of_the_page_on_posing_do_what_they_say() {
    let folder = folder();
    let page = std::fs::read_to_string(root().join("docs/posing.md")).unwrap();
    let commands = page.lines().filter(|line| line.starts_with("ossature "));
    let mut ran = 0;
    for command in commands {
        let mut arguments = arguments(command);
        arguments.push("--json");
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command}: {error}");
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        if arguments[0] == "ik" {
            assert_eq!(said["end"], "reached", "{command}: {}", said["tasks"]);
        }
        // In a clip, the base is off its place anyway.
        if !arguments.contains(&"--frame") {
            let free = ["--free-root", "--whole-body"].iter().any(|flag| arguments.contains(flag));
            let moved =
                said["base_offset"].as_array().is_some_and(|v| v.iter().any(|v| v.as_f64() != Some(0.0)));
            assert_eq!(moved, free, "{command}");
        }
        ran += 1;
    }
    assert!(ran >= 4, "only {ran}");
}

/// Needs a graphics adapter.
#[test]
#[cfg(feature = "editor")]
fn examples_that_render_do_what_the_readme_shows() {
    if !ossature::editor::adapter_available() {
        return;
    }
    let folder = folder();
    let mut ran = 0;
    for example in examples(&readme()) {
        let arguments = arguments(&example.command);
        if arguments.first() != Some(&"render") {
            continue;
        }
        let output = run(folder.path(), &arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {error}", example.command);
        let text = String::from_utf8(output.stdout).unwrap();
        let printed: Vec<&str> = text.lines().collect();
        assert!(matches(&example.printed, &printed), "{}: {text}", example.command);
        ran += 1;
    }
    assert!(ran >= 2, "only {ran} examples were run");
    for file in ["frames/0010.png", "frames/0012.png", "walk.gif"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn the_keys_are_those_of_the_table_of_actions() {
    let readme = readme();
    let rows: Vec<&str> = readme
        .lines()
        .skip_while(|line| *line != "| action | keys |")
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    let expected = Action::all().filter_map(|action| {
        let keys: Vec<String> = action.shortcuts.iter().map(ToString::to_string).collect();
        // The keys on a machine that is not a Mac.
        let keys = keys.join(", ").replace("Cmd+", "Ctrl+").replace("Option+", "Alt+");
        (!keys.is_empty()).then(|| format!("| {} | {keys} |", action.name()))
    });
    let expected: Vec<String> = expected.collect();
    assert_eq!(rows, expected, "the table should be\n{}", expected.join("\n"));
}

/// Targets of links, and paths in backticks.
fn named(readme: &str) -> BTreeSet<String> {
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let quoted = readme.split('`').skip(1).step_by(2);
    let folders = ["src/", "crates/", "docs/", "tests/", "media/", "examples/", "benches/", "./"];
    let paths = quoted
        .filter_map(|text| text.split_whitespace().next())
        .filter(|text| folders.iter().any(|folder| text.starts_with(folder)));
    links.chain(paths).map(str::to_owned).collect()
}

#[test]
fn files_and_headings_that_are_named_exist() {
    for document in
        ["README.md", "docs/architecture.md", "docs/js3d.md", "docs/deformation.md", "docs/render.md"]
    {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        let anchors: Vec<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix('#'))
            .map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"))
            .collect();
        for name in named(&text) {
            if name.starts_with("https://") {
                continue;
            }
            let found = match name.strip_prefix('#') {
                Some(anchor) => anchors.iter().any(|a| a == anchor),
                None => {
                    let beside = root().join(document).parent().map(|folder| folder.join(&name));
                    root().join(&name).exists() || beside.is_some_and(|path| path.exists())
                }
            };
            assert!(found, "{document} names {name}");
        }
    }
    assert!(named(&readme()).contains("docs/pictures/animate.png"));
}

/// A comment that cites a section of the format's description cites one that is there.
#[test]
fn sections_that_the_code_cites_exist() {
    let text = std::fs::read_to_string(root().join("docs/js3d.md")).unwrap();
    let headings: BTreeSet<&str> = text
        .lines()
        .filter(|line| line.starts_with('#'))
        .filter_map(|line| line.trim_start_matches('#').split_whitespace().next())
        .map(|number| number.trim_end_matches('.'))
        .collect();
    let mut cited = 0;
    for path in ["src", "crates"].iter().flat_map(|folder| sources(&root().join(folder))) {
        let source = std::fs::read_to_string(&path).unwrap();
        for (at, start) in source.match_indices("docs/js3d.md, section") {
            let rest = source[at + start.len()..].lines().next().unwrap();
            // The list of `5.1, 5.2 and 5.6` ends at the first word that belongs to something else.
            let words = rest.trim_start_matches('s').split_whitespace();
            let words = words.map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
            let named = words.take_while(|word| ["and", "to"].contains(word) || word.parse::<f32>().is_ok());
            for number in named.filter(|word| word.parse::<f32>().is_ok()) {
                assert!(headings.contains(number), "{} cites {number}", path.display());
                cited += 1;
            }
        }
    }
    assert!(cited > 10, "{cited}");
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let mut files: Vec<PathBuf> =
        files.into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    files.extend(folders.iter().flat_map(|folder| sources(folder)));
    files
}
