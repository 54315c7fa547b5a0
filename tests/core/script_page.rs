//! docs/script.md is generated from the code: from the comments on each step and command, and from the
//! examples that the tests run. `OSSATURE_WRITE_PAGES=1 cargo test --test core script_page` rewrites it.

use crate::editing::{examples, kind, scene};
use ossature::edit::journal::replay;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::session::step::Step;
use ossature::edit::time::keying_set::KeyingSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// The number of characters at which examples are cut.
const SHOWN: usize = 400;

/// The variants of an enum in a source, in order: their names in files, and their comments.
fn variants(source: &str, name: &str) -> Vec<(String, String)> {
    let (_, body) = source.split_once(&format!("pub enum {name} {{")).expect(name);
    let (mut found, mut said) = (Vec::new(), String::new());
    for line in body.lines() {
        if line == "}" {
            break;
        }
        match (line.strip_prefix("    ///"), line.strip_prefix("    ")) {
            (Some(text), _) => said = format!("{said}{text}").trim_start().to_owned(),
            (None, Some(line)) if line.starts_with(char::is_uppercase) => {
                let end = line.find(|c: char| !c.is_alphanumeric()).unwrap_or(line.len());
                found.push((snake(&line[..end]), plain(&std::mem::take(&mut said))));
            }
            _ => {}
        }
    }
    found
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in name.char_indices() {
        if letter.is_uppercase() && at > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

/// Removes links to the code, and names commands as scripts do.
fn plain(said: &str) -> String {
    let mut plain = String::new();
    for (at, part) in said.split('`').enumerate() {
        match at % 2 {
            0 => plain += part,
            _ => match part.rsplit("::").next() {
                Some("None") => plain += "`null`",
                Some(name) if name.starts_with(char::is_uppercase) => {
                    write!(plain, "`{}`", snake(name)).unwrap()
                }
                Some(name) => write!(plain, "`{name}`").unwrap(),
                None => {}
            },
        }
    }
    plain.replace("[`", "`").replace("`]", "`")
}

fn example(step: &Step) -> String {
    let line = replay::line(step, &scene()).unwrap();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn steps() -> Vec<Step> {
    let command = || vec![examples().swap_remove(6).0];
    let selection = Selection::from_mesh(&scene(), "Body").with_parts([Part::Bone(1), Part::Base]);
    vec![
        Step::Do(command()),
        Step::Preview(command()),
        Step::Commit,
        Step::Cancel,
        Step::Undo(2),
        Step::Redo(1),
        Step::Select(selection),
        Step::SelectKeys(Arc::default()),
        Step::Frame(12.0),
        Step::AutoKey(true),
        Step::KeyingSet(KeyingSet::Character),
        Step::Symmetric(true),
        Step::DismissUnkeyed,
        Step::Saved("walk.js3d".into()),
    ]
}

fn page() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/edit/src/edit");
    let source = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let mut page = "\
# Scripts

`ossature run SCRIPT.jsonl IN.js3d -o OUT.js3d` runs a script. A script is text with one *step* a line,
as JSON. Lines that are empty, or begin with `//`, are ignored. The first line that cannot be carried out ends the run;
the message names it, and nothing is written. What is done in the window gives the same bytes as its steps in a
script.

```
// Raise the left hand, and keep that as a key of frame 12.
{\"frame\":12}
{\"auto_key\":true}
{\"do\":[{\"command\":\"set_pose\",\"mesh\":\"Human_skinned_mesh\",\"bone\":\"hand.L\",\"pose_deg\":[0,0,25]}]}
```

Bones and handles are given by index, from 0, or by name, as `ossature info` lists them: `\"bone\":3` or
`\"bone\":\"hand.L\"`; a name that several have is refused. The names of channels (`bone.3.pose`) hold the channel id
of a bone, which stays when bones are added and deleted. Lengths are in the units of the scene, angles in degrees, vectors
`[x,y,z]`, quaternions `[x,y,z,w]`; `null` means none. `set_property` sets what one row of the tables in
`crates/rig/src/rig/property/rows.rs` and `crates/document/src/scene/property` names, of an object or of its parts: bones, handles, or the base,
which stands for the skeleton. The shorter commands of earlier versions, one for each property of a bone or a handle, are
still read, such as `set_pose` above.

This page is made from the code.

## Steps
"
    .to_owned();
    let said = variants(&source("session/step.rs"), "Step");
    for ((name, said), step) in said.iter().zip(steps()) {
        writeln!(page, "\n### `{name}`\n\n{said}\n\n```json\n{}\n```", example(&step)).unwrap();
    }
    page += "\n## Commands\n\nThey go into the list of `do` or `preview`.\n";
    let examples = examples();
    for (name, said) in variants(&source("command/mod.rs"), "Command") {
        write!(page, "\n### `{name}`\n").unwrap();
        if !said.is_empty() {
            write!(page, "\n{said}\n").unwrap();
        }
        let of_kind = examples.iter().filter(|(command, _)| kind(command) == name);
        page += "\n```json\n";
        for (command, _) in of_kind {
            writeln!(page, "{}", example(&Step::Do(vec![command.clone()]))).unwrap();
        }
        page += "```\n";
    }
    page
}

#[test]
fn the_page_on_scripts_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/script.md");
    let made = page();
    if std::env::var_os("OSSATURE_WRITE_PAGES").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == made,
        "docs/script.md is stale: OSSATURE_WRITE_PAGES=1 cargo test --test core script_page"
    );
}

/// The script at the top of the page runs, and so does each example that is not cut.
#[test]
fn examples_of_the_page_can_be_carried_out() {
    let page = page();
    let (_, rest) = page.split_once("```\n").unwrap();
    let (script, rest) = rest.split_once("```").unwrap();
    let human =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human.js3d")).unwrap();
    let human = ossature::io::js3d::read(&human).unwrap().0;
    let done = replay::run(script, Session::new(human, None));
    assert!(done.is_ok_and(|done| done.history().entries().len() == 1));
    let (_, commands) = rest.split_once("## Commands").unwrap();
    let lines = commands.lines().filter(|line| line.starts_with("{\"do\"") && !line.ends_with('…'));
    let mut count = 0;
    for line in lines {
        let done = replay::run(line, Session::new(scene(), None)).map_err(|(_, error)| error.to_string());
        assert_eq!(done.map(|done| done.history().entries().len()), Ok(1), "{line}");
        count += 1;
    }
    assert!(count > 40, "{count}");
}
