//! Files are read in the background: frames continue, Cancel leaves everything as it was, and the result is
//! the same as when reading at once.

use crate::support::*;
use ossature::edit::action::Action;
use ossature::edit::command::{Command, Surface};
use ossature::edit::request::{Navigation, Request};
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::Tab;
use ossature::io::js3d;
use ossature::mesh::primitives::Primitive;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluator;
use ossature::scene::instance::{InstanceKind, InstanceRef};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writes a file with a torus of `side` squared quads.
fn large_file(folder: &Path, side: u32) -> PathBuf {
    let mut session = Session::new(Scene::default(), None);
    let add = Command::AddMesh {
        name: "Ring".into(),
        surface: Surface::Primitive(Primitive::Torus {
            radius: 1.0,
            thickness: 0.4,
            around: side,
            across: side,
        }),
        skinned: true,
    };
    let mesh = "Ring".to_owned();
    let bone = Command::AddBone { mesh, parent: None, extent: glam::Vec3::Y, radius: 0.1 };
    session.apply(&[add, bone]).expect("it can be added");
    let bytes = js3d::write(session.scene()).expect("it can be written");
    let path = folder.join("large.js3d");
    std::fs::write(&path, bytes).expect("it can be saved");
    path
}

impl Person {
    /// Opens a file in a window that does not wait for it.
    fn asks_to_open(&mut self, path: &Path) {
        self.editor().jobs.patience = Duration::ZERO;
        self.editor().requests.push(Request::OpenPath(path.to_owned()));
        self.app.frames(2);
    }

    fn is_reading(&mut self) -> bool {
        self.sees_text("Reading the file") || self.sees_text("Building the scene")
    }

    /// Runs frames until the file has been read, however long that takes; returns the longest one.
    fn reads_to_the_end(&mut self) -> Duration {
        let mut longest = Duration::ZERO;
        while self.is_reading() {
            std::thread::sleep(Duration::from_millis(5));
            let begun = Instant::now();
            self.app.frames(1);
            longest = longest.max(begun.elapsed());
        }
        self.app.frames(4);
        longest
    }
}

#[test]
fn a_file_is_read_while_frames_go_on_and_comes_out_as_if_read_at_once() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = large_file(folder.path(), 200);
    let human = person.bytes();
    let gate = person.editor().jobs.gate.clone();

    // During the reading the document can be edited.
    let held = gate.lock().unwrap();
    person.asks_to_open(&path);
    assert!(person.is_reading() && person.sees("Cancel reading"));
    person.click_row("Bone upper_arm.L");
    assert!(person.selection().part.is_some());
    assert!(person.bytes() == human);
    drop(held);
    person.reads_to_the_end();

    assert_eq!(person.editor().session.path(), Some(path.as_path()));
    let bytes = std::fs::read(&path).expect("it is there");
    let (scene, report) = js3d::read(&bytes).expect("it can be read");
    assert!(report.is_empty());
    assert!(person.bytes() == bytes);
    assert_eq!(person.selection().mesh.as_deref(), Some("Ring"));
    let editor = person.editor();
    let settings = editor.shown.settings(&editor.session, &editor.settings);
    let at_once = Evaluator::default().evaluate(&scene, &settings);
    let (here, there) = (&editor.shown.evaluated.skinned["Ring"], &at_once.skinned["Ring"]);
    assert!(here.positions == there.positions && here.render_vertices == there.render_vertices);
}

#[test]
fn a_file_that_is_no_longer_wanted_leaves_all_as_it_was() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = large_file(folder.path(), 50);
    let human = person.bytes();
    let gate = person.editor().jobs.gate.clone();

    let held = gate.lock().unwrap();
    person.asks_to_open(&path);
    person.click("Cancel reading");
    assert!(!person.is_reading());
    drop(held);
    person.app.frames(10);
    assert!(person.bytes() == human && person.editor().session.path().is_none());
    assert!(person.messages().last().unwrap().contains("cancelled"));

    // The document changes meanwhile: it stays, and a message reports that.
    let held = gate.lock().unwrap();
    person.asks_to_open(&path);
    let (mesh, bone, radius) = (MESH.to_owned(), LEFT_FOREARM, 0.6);
    let change = Command::set_bone(mesh, bone, "radius", radius);
    person.editor().requests.push(Request::Apply(vec![change]));
    person.app.frames(1);
    let changed = person.bytes();
    drop(held);
    person.reads_to_the_end();
    assert!(person.bytes() == changed && changed != human);
    assert_eq!(person.messages().last().unwrap(), "large.js3d could not be opened");

    // A file that cannot be read also leaves it alone.
    std::fs::write(&path, "{\"scene\": 1").expect("it can be written");
    person.asks_to_open(&path);
    person.click("Don't save");
    person.reads_to_the_end();
    assert!(person.bytes() == changed);
    assert_eq!(person.messages().last().unwrap(), "large.js3d could not be opened");
}

/// Measures, with two million triangles, the longest frame while they are read, and how long the frames take after
/// a selection, a click, an edit, undoing it, and framing.
#[test]
#[ignore = "measures: cargo test --release --test app -- --ignored --nocapture reading::"]
fn two_million_triangles_do_not_freeze_the_window() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = large_file(folder.path(), 1000);
    let begun = Instant::now();
    person.asks_to_open(&path);
    let asked = begun.elapsed();
    let longest = person.reads_to_the_end();
    println!("asked in {asked:.1?}, read in {:.1?}, longest frame {longest:.1?}", begun.elapsed());
    assert_eq!(person.editor().session.path(), Some(path.as_path()));

    let mut timed = |what: &str, act: &dyn Fn(&mut Person)| {
        let begun = Instant::now();
        act(&mut person);
        let mut frames = vec![begun.elapsed()];
        for _ in 0..8 {
            let begun = Instant::now();
            person.app.frames(1);
            frames.push(begun.elapsed());
        }
        println!("{what}: {frames:.0?}");
    };
    let act = |action: Action| move |person: &mut Person| person.editor().requests.push(Request::Act(action));
    timed("nothing", &|_| ());
    timed("drawn", &|person| {
        person.app.draw_all(true);
        person.editor().requests.push(Request::Navigate(Navigation::Orbit(glam::Vec2::new(4.0, 0.0))));
    });
    let middle = |person: &mut Person| person.shows(glam::Vec3::new(0.0, 0.0, 1.0));
    timed("select nothing", &|person| person.editor().session.select(Selection::default()));
    timed("select", &|person| {
        person.editor().caches.joints = Default::default();
        let place = InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Ring".into() };
        let mut editor = person.editor();
        let selection = Selection::from_instance(editor.session.scene(), &place);
        editor.session.select(selection);
    });
    timed("frame", &act(Action::FRAME_SELECTED));
    timed("the first click", &|person| {
        let at = middle(person);
        person.click_at(at);
    });
    timed("another click", &|person| {
        let at = middle(person);
        person.click_at(at);
    });
    timed("edit", &|person| {
        let mesh = "Ring".to_owned();
        let add = Command::AddBone { mesh, parent: None, extent: glam::Vec3::Y, radius: 0.1 };
        person.editor().requests.push(Request::Apply(vec![add]));
    });
    timed("undo", &act(Action::UNDO));
    timed("redo", &act(Action::REDO));
    timed("Animate", &|person| person.editor().settings.tab = Tab::Animate);
}
