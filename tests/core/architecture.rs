//! The layers of `docs/architecture.md`, checked on the sources: what a folder may import, which names it
//! must not know, how long a file may be, that it says what it is.

use std::fs;
use std::path::{Path, PathBuf};

/// Folder under `src`, modules of this crate that it may name, words that it must not contain.
const LAYERS: &[(&str, &[&str], &[&str])] = &[
    ("math", &["math"], WINDOW),
    ("mesh", &["math", "mesh"], WINDOW),
    ("rig", &["math", "mesh", "rig", "extra"], WINDOW),
    ("anim", &["math", "rig", "anim", "extra"], WINDOW),
    (
        "scene",
        &["math", "mesh", "rig", "anim", "scene", "extra"],
        WINDOW,
    ),
    (
        "io",
        &["math", "mesh", "rig", "anim", "scene", "io", "extra"],
        WINDOW,
    ),
    (
        "edit",
        &["math", "mesh", "rig", "anim", "scene", "io", "edit", "extra"],
        WINDOW,
    ),
    (
        "cli",
        &[
            "math", "mesh", "rig", "anim", "scene", "io", "edit", "cli", "editor", "extra",
        ],
        WINDOW,
    ),
    (
        "editor/panels",
        &[
            "math", "mesh", "rig", "anim", "scene", "io", "edit", "editor", "extra",
        ],
        &["bevy", "bevy_egui", "std::fs"],
    ),
    (
        "editor/ui",
        &[
            "math", "mesh", "rig", "anim", "scene", "io", "edit", "editor", "extra",
        ],
        &["bevy", "bevy_egui", "std::fs"],
    ),
];

const WINDOW: &[&str] = &["bevy", "bevy_egui", "egui", "winit", "wgpu", "rfd"];

/// Longer files are not one thing any more.
const MOST_LINES: usize = 600;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Lines of code: without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Modules of this crate that a line names, as `crate::module` or in `use crate::{a, b}`.
fn named_modules(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let rest = &line[at + "crate::".len()..];
        let inside = rest.strip_prefix('{').map(|r| r.split('}').next().unwrap_or(r));
        for part in inside
            .unwrap_or(rest)
            .split(',')
            .take(if inside.is_some() { usize::MAX } else { 1 })
        {
            let name = part
                .trim()
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or("");
            if !name.is_empty() {
                names.push(name);
            }
        }
    }
    names
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"');
        // In code, a crate is named with a path behind it.
        !letter(before) && (after == Some(':') || after == Some(';'))
    })
}

#[test]
fn layers_import_only_what_is_below_them() {
    let mut broken = Vec::new();
    let mut looked_at = 0;
    for (folder, may, must_not) in LAYERS {
        for file in sources(&root().join(folder)) {
            let text = fs::read_to_string(&file).expect("source");
            looked_at += 1;
            for (n, line) in code(&text) {
                for module in named_modules(line) {
                    if !may.contains(&module) && !module.chars().next().is_some_and(char::is_uppercase) {
                        broken.push(format!("{}:{}: {folder} names {module}", file.display(), n + 1));
                    }
                }
                for word in *must_not {
                    if contains_word(line, word) {
                        broken.push(format!("{}:{}: {folder} names {word}", file.display(), n + 1));
                    }
                }
            }
        }
    }
    assert!(looked_at > 40, "only {looked_at} files were looked at");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn files_are_small_and_say_what_they_are() {
    let mut broken = Vec::new();
    for file in sources(&root()) {
        let text = fs::read_to_string(&file).expect("source");
        let lines = text.lines().count();
        if lines > MOST_LINES {
            broken.push(format!("{}: {lines} lines", file.display()));
        }
        if !text.starts_with("//!") {
            broken.push(format!("{}: does not open with //!", file.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_check_sees_what_it_is_meant_to_see() {
    assert_eq!(named_modules("use crate::{io, edit::view};"), ["io", "edit"]);
    assert_eq!(
        named_modules("let x = crate::scene::Scene::default();"),
        ["scene"]
    );
    assert!(contains_word("use bevy::prelude::*;", "bevy"));
    assert!(contains_word("fn f(ui: &mut egui::Ui) {", "egui"));
    assert!(!contains_word("use my_egui::Ui;", "egui"));
}
