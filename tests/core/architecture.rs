//! The layers of `docs/architecture.md`, checked on the sources: what a folder may import, which names it
//! must not contain, how long a file may be, and that each file has a description.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder under `src`, the modules of this crate that it may name, and the words that it must not contain.
const LAYERS: &[(&str, &[&str], &[&str])] = &[
    ("math", &["math"], WINDOW),
    ("mesh", &["math", "mesh"], WINDOW),
    ("rig", &["math", "mesh", "rig", "extra"], WINDOW),
    ("motion", &["math", "rig", "motion"], WINDOW),
    ("anim", &["math", "rig", "anim", "extra"], WINDOW),
    ("scene", &["math", "mesh", "rig", "anim", "scene", "extra"], WINDOW),
    ("io", &["math", "mesh", "rig", "anim", "scene", "io", "extra"], WINDOW),
    ("edit", &["math", "mesh", "rig", "anim", "scene", "io", "edit", "motion", "extra"], WINDOW),
    (
        "cli",
        &["math", "mesh", "rig", "anim", "scene", "io", "edit", "motion", "cli", "editor", "extra"],
        WINDOW,
    ),
    ("editor", &["math", "mesh", "rig", "anim", "scene", "io", "edit", "motion", "editor", "extra"], &[]),
    (
        "editor/panels",
        &["math", "mesh", "rig", "anim", "scene", "io", "edit", "motion", "editor", "extra"],
        &["bevy", "bevy_egui", "std::fs"],
    ),
    (
        "editor/ui",
        &["math", "mesh", "rig", "anim", "scene", "io", "edit", "motion", "editor", "extra"],
        &["bevy", "bevy_egui", "std::fs"],
    ),
];

/// What each crate has at its root besides its layers: macros, and what unit tests share.
const ROOT_NAMES: &[&str] = &["member", "variant_member", "testing"];

const WINDOW: &[&str] = &["bevy", "bevy_egui", "egui", "winit", "wgpu", "rfd"];

/// The limit on the length of a file; longer ones do more than one job.
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

/// Returns the folders of all sources: of the program and of each crate.
fn roots() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(root.join("crates")).expect("the folder of the crates");
    let mut roots: Vec<PathBuf> = crates.map(|entry| entry.expect("a crate").path().join("src")).collect();
    roots.push(root.join("src"));
    roots
}

fn all_sources() -> Vec<PathBuf> {
    roots().iter().flat_map(|root| sources(root)).collect()
}

/// Returns the lines of code, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Returns the text with comments and string literals blanked out; line breaks stay.
fn without_words(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let blank = |part: &str| part.chars().filter(|c| *c == '\n').collect::<String>();
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            let mut escaped = false;
            let end = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'\"'") {
            3
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out += &blank(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// Returns the modules that a text declares with `mod name;` and that are files.
fn children(text: &str) -> BTreeSet<&str> {
    let names: Vec<&str> = tokens(text).map(|(_, token)| token).collect();
    let declared = names.windows(3).filter(|of| of[0] == "mod" && of[2] == ";");
    declared.map(|of| of[1]).collect()
}

/// Resolves `crate::`, `super::`, `self::` and the names of child modules in a file to paths from the crate,
/// with line numbers. Covers groups in braces, several lines, and modules within the file.
fn paths(module: &[String], text: &str) -> Vec<(usize, Vec<String>)> {
    let text = without_words(text);
    let children = children(&text);
    let mut found = Vec::new();
    // The brace depths of the modules within the file.
    let (mut depth, mut inner): (usize, Vec<usize>) = (0, Vec::new());
    let mut last = String::new();
    let mut before_last = String::new();
    for (at, token) in tokens(&text) {
        match token {
            "{" => {
                depth += 1;
                if before_last == "mod" {
                    inner.push(depth);
                }
            }
            "}" => {
                inner.retain(|open| *open < depth);
                depth = depth.saturating_sub(1);
            }
            _ if [".", "::"].contains(&last.as_str()) || !text[at + token.len()..].starts_with("::") => {}
            name if ["crate", "super", "self"].contains(&name)
                || inner.is_empty() && children.contains(name) =>
            {
                let mut from: Vec<String> = match token {
                    "crate" => Vec::new(),
                    _ => module.iter().cloned().chain(inner.iter().map(|_| "within".to_owned())).collect(),
                };
                let mut rest = &text[at..];
                if ["crate", "self"].contains(&token) {
                    rest = &rest[token.len() + 2..];
                }
                while let Some(behind) = rest.strip_prefix("super::") {
                    from.pop();
                    rest = behind;
                }
                let line = text[..at].lines().count().max(1);
                found.extend(leaves(rest).into_iter().map(|names| {
                    let names = names.into_iter().filter(|name| name != "self");
                    (line, from.iter().cloned().chain(names).collect())
                }));
            }
            _ => {}
        }
        before_last = std::mem::replace(&mut last, token.to_owned());
    }
    found
}

/// Returns the names of a path, or of each path in a group, as far as they are joined by `::`.
fn leaves(path: &str) -> Vec<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut joined = true;
    for (at, token) in tokens(path) {
        match token {
            "::" => joined = true,
            "{" if joined => {
                let parts = parts(&path[at + 1..]).into_iter();
                return parts
                    .flat_map(|part| leaves(&part))
                    .map(|part| names.iter().cloned().chain(part).collect())
                    .collect();
            }
            name if joined
                && (name == "*" || name.starts_with(|c: char| c.is_alphanumeric() || c == '_')) =>
            {
                names.push(name.to_owned());
                joined = false;
            }
            _ => break,
        }
    }
    vec![names]
}

/// Returns the parts of a group up to its closing brace; `group` starts after the opening one.
fn parts(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("at least one part").push(c);
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Returns names, `::`, and every other non-space character, with their byte offsets.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let first = rest.chars().next()?;
        let letter = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            c if letter(c) => rest.find(|c| !letter(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        at += length;
        Some((at - length, &rest[..length]))
    })
}

/// Returns a file's module path: `edit::command` for `edit/command/mod.rs`.
fn module_of(file: &Path) -> Vec<String> {
    let roots = roots();
    let inside = roots.iter().find_map(|root| file.strip_prefix(root).ok());
    let inside = inside.expect("a file below a source root").with_extension("");
    let mut names: Vec<String> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.pop_if(|last| last == "mod");
    names
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '"');
        // A crate in code is followed by a path.
        !letter(before) && (after == Some(':') || after == Some(';'))
    })
}

#[test]
fn layers_import_only_what_is_below_them() {
    let mut broken = Vec::new();
    let mut looked_at = 0;
    for (folder, may, must_not) in LAYERS {
        let folder_path = roots().iter().map(|root| root.join(folder)).find(|path| path.is_dir());
        for file in sources(&folder_path.expect("the folder of a layer")) {
            let text = fs::read_to_string(&file).expect("source");
            looked_at += 1;
            let here = module_of(&file);
            for (n, path) in paths(&here, &text) {
                let Some(module) = path.first() else { continue };
                let a_type = module.chars().next().is_some_and(char::is_uppercase);
                if !may.iter().chain(ROOT_NAMES).any(|name| name == module) && !a_type {
                    broken.push(format!("{}:{n}: {folder} names {}", file.display(), path.join("::")));
                }
            }
            for (n, line) in code(&text) {
                for word in *must_not {
                    if contains_word(line, word) {
                        broken.push(format!("{}:{}: {folder} names {word}", file.display(), n + 1));
                    }
                }
            }
        }
    }
    assert!(looked_at > 40, "only {looked_at} files were checked");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Returns each file with the files that it imports, without those of tests. A folder's `mod.rs` and its
/// files may import each other.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let all = all_sources();
    let modules: BTreeSet<String> = all.iter().map(|file| module_of(file).join("::")).collect();
    let mut imports = BTreeMap::new();
    for file in &all {
        let text = fs::read_to_string(file).expect("source");
        let text = text.split("\nmod tests {").next().unwrap_or_default();
        let here = module_of(file);
        let named = here.join("::");
        let of_folder = |other: &str| file.ends_with("mod.rs") && other.starts_with(&format!("{named}::"));
        let found = paths(&here, text).into_iter().filter_map(|(_, path)| {
            let mut ends = (1..=path.len()).rev().map(|end| path[..end].join("::"));
            ends.find(|name| modules.contains(name))
        });
        let found = found.filter(|other| *other != named && !of_folder(other)).collect();
        imports.insert(named, found);
    }
    imports
}

/// Returns the files on an import cycle, each with the first step of the cycle.
fn circles(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<[&str; 2]> {
    let mut found = Vec::new();
    for (file, first_steps) in imports {
        for step in first_steps {
            let mut seen = BTreeSet::from([step]);
            let mut next = vec![step];
            while let Some(other) = next.pop() {
                next.extend(imports[other].iter().filter(|other| seen.insert(other)));
            }
            if seen.contains(file) {
                found.push([file.as_str(), step.as_str()]);
            }
        }
    }
    found
}

#[test]
fn files_import_each_other_in_one_direction() {
    let imports = imports();
    assert!(imports["rig::weights::capsule"].contains("rig::weights::bone_capsule"));
    assert!(imports["rig::weights::paint::stroke"].contains("rig::weights::paint::stroke::state"));
    let found: Vec<String> = circles(&imports).iter().map(|circle| circle.join(" -> ")).collect();
    assert!(found.is_empty(), "import cycles of files:\n{}", found.join("\n"));
}

/// The folders of the window import only lower ones; files next to them count by their own names.
#[test]
fn folders_of_the_window_import_each_other_in_one_direction() {
    let folder = |file: &String| {
        let mut names = file.split("::").skip(1);
        names.next().filter(|_| file.starts_with("editor::")).map(str::to_owned)
    };
    let mut folders: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, imported) in imports() {
        let Some(from) = folder(&file) else { continue };
        let to = imported.iter().filter_map(folder).filter(|to| *to != from);
        folders.entry(from.clone()).or_default().extend(to);
    }
    assert!(folders["app"].contains("viewport") && folders["viewport"].contains("projection"));
    // Removes folders without remaining imports; cycles are left over.
    while let Some(free) = folders.iter().find(|(_, to)| to.is_empty()).map(|(name, _)| name.clone()) {
        folders.remove(&free);
        for to in folders.values_mut() {
            to.remove(&free);
        }
    }
    assert!(folders.is_empty(), "import cycles of folders: {folders:#?}");
}

#[test]
fn files_are_small_and_say_what_they_are() {
    let mut broken = Vec::new();
    for file in all_sources() {
        let text = fs::read_to_string(&file).expect("source");
        let lines = text.lines().count();
        if lines > MOST_LINES {
            broken.push(format!("{}: {lines} lines", file.display()));
        }
        if !text.starts_with("//!") {
            broken.push(format!("{}: does not start with //!", file.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Prepositions, pronouns and everyday verbs that mean nothing as names (docs/glossary.md has the terms).
/// Names that appear in files and scripts are exempt.
const EMPTY_NAMES: &[&str] = &[
    "also", "asked", "by", "hear", "held", "here", "hot", "how", "kept", "look", "news", "of", "own", "said",
    "say", "seen", "several", "sight", "tell", "there", "thing", "things", "told", "what",
];
/// Files with serialised members of such names, and those members.
const STORED_NAMES: &[(&str, &str)] = &[("cli/tasks.rs", "look")];

/// Returns the names that a text declares: functions, types, bindings, and whatever has a type after a colon.
fn declared(text: &str) -> impl Iterator<Item = (usize, String)> {
    let text = without_words(text);
    let found: Vec<(usize, String)> = tokens(&text).map(|(at, token)| (at, token.to_owned())).collect();
    let is_declared = |of: &[(usize, String)]| {
        let before = ["fn", "let", "mut", "struct", "enum", "trait", "mod", "type", "const", "static", "for"];
        before.contains(&&*of[0].1) || of[2].1 == ":"
    };
    let named: Vec<(usize, String)> = found
        .windows(3)
        .filter(|of| is_declared(of))
        .map(|of| (text[..of[1].0].lines().count(), of[1].1.clone()))
        .collect();
    named.into_iter()
}

#[test]
fn names_say_what_they_mean() {
    let mut broken = Vec::new();
    for file in all_sources() {
        let text = fs::read_to_string(&file).expect("source");
        let stored = |name: &str| STORED_NAMES.iter().any(|(path, of)| file.ends_with(path) && *of == name);
        let empty = declared(&text).filter(|(_, name)| EMPTY_NAMES.contains(&&**name) && !stored(name));
        broken.extend(empty.map(|(line, name)| format!("{}:{line}: `{name}`", file.display())));
    }
    assert!(broken.is_empty(), "names that say nothing:\n{}", broken.join("\n"));
    let names = |text: &str| declared(text).map(|(line, name)| format!("{line} {name}")).collect::<Vec<_>>();
    assert_eq!(
        names("fn of(by: f32) {}\nlet mut also = a::b; // let told\n\"of: \""),
        ["1 of", "1 by", "2 mut", "2 also"]
    );
}

/// Whether a path of modules, which may end in the name of an item, exists below one of the folders.
fn resolves(roots: &[PathBuf], path: &str) -> bool {
    let names: Vec<&str> = path.split("::").skip_while(|name| *name == "ossature").collect();
    roots.iter().any(|root| {
        let mut at = root.clone();
        for (index, name) in names.iter().enumerate() {
            let next = at.join(name);
            if next.is_dir() || next.with_extension("rs").is_file() {
                at = next;
                continue;
            }
            let texts = [at.with_extension("rs"), at.join("mod.rs")].map(fs::read_to_string);
            let mut texts = texts.into_iter().flatten();
            let declares = |text: String| declared(&text).any(|(_, found)| found == **name);
            return index > 0 && index + 1 == names.len() && texts.any(declares);
        }
        true
    })
}

/// The architecture page names modules where they are.
#[test]
fn the_page_names_modules_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let mut folders = roots();
    folders.push(root.join("src/editor"));
    let quoted = page.split('`').skip(1).step_by(2);
    let paths = quoted.map(|quoted| quoted.split(['(', ' ']).next().unwrap_or_default());
    let is_path = |path: &&str| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        path.contains("::") && path.starts_with(|c: char| c.is_lowercase()) && path.chars().all(is_name)
    };
    let wrong: Vec<&str> = paths.filter(is_path).filter(|path| !resolves(&folders, path)).collect();
    assert!(wrong.is_empty(), "docs/architecture.md names what is not there: {wrong:?}");
    assert!(!resolves(&folders, "edit::pick") && resolves(&folders, "edit::select::pick"));
}

#[test]
fn the_check_sees_what_it_is_meant_to_see() {
    let here = ["edit", "tool", "snap"].map(str::to_owned);
    let named = |text: &str| {
        let paths = paths(&here, text).into_iter();
        paths.map(|(line, path)| format!("{line} {}", path.join("::"))).collect::<Vec<_>>()
    };
    assert_eq!(named("use crate::{io, edit::view};"), ["1 io", "1 edit::view"]);
    assert_eq!(named("use crate::{\n    io::{a, b},\n    scene,\n};"), ["1 io::a", "1 io::b", "1 scene"]);
    assert_eq!(named("let x =\n crate::scene::Scene::default();"), ["2 scene::Scene::default"]);
    assert_eq!(named("use super::gizmo::Axis;"), ["1 edit::tool::gizmo::Axis"]);
    assert_eq!(named("use super::super::super::editor;"), ["1 editor"]);
    assert_eq!(
        named("mod tests {\n use super::*;\n use super::super::depth;\n}\nuse self::a;"),
        ["2 edit::tool::snap::*", "3 edit::tool::depth", "5 edit::tool::snap::a"]
    );
    // A child module, in the file that declares it.
    assert_eq!(
        named("mod child;\nuse child::{A, b::B};\nuse other::C;\nmod tests {\n use child::D;\n}"),
        ["2 edit::tool::snap::child::A", "2 edit::tool::snap::child::b::B"]
    );
    // Comments and string literals do not count.
    assert_eq!(named("// crate::editor\n\"crate::editor\" '\"' /* */"), Vec::<String>::new());
    assert!(contains_word("use bevy::prelude::*;", "bevy"));
    assert!(contains_word("fn f(ui: &mut egui::Ui) {", "egui"));
    assert!(!contains_word("use my_egui::Ui;", "egui"));
    // The way back to a file may be long; a file that only leads into a cycle is not part of it.
    let steps = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")];
    let imports = steps.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    assert_eq!(circles(&imports.into()), [["a", "b"], ["b", "c"], ["c", "a"]]);
}
