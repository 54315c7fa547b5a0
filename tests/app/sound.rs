//! A sound that is dropped on the window: it is decoded and shown, and found from the folder in which the scene is saved.

use crate::support::*;
use bevy_egui::egui::Key;
use ossature::edit::action::Action;
use ossature::edit::request::Request;
use ossature::io::js3d;
use std::path::Path;
use tempfile::TempDir;

const SOUND: &[u8] = include_bytes!("../fixtures/half.ogg");

/// Drops a file of this content on the Animate tab; returns its folder too.
fn dropped(name: &str, content: &[u8]) -> Option<(Person, TempDir)> {
    let mut person = Person::with_human()?;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(name);
    std::fs::write(&file, content).expect("written");
    person.click("Animate");
    person.drop_file(&file);
    Some((person, folder))
}

fn path(person: &mut Person) -> Option<String> {
    person.scene().animation.sound.as_ref().map(|sound| sound.path.clone())
}

#[test]
fn a_dropped_sound_lies_below_the_ruler_and_is_saved_by_its_path() {
    let Some((mut person, folder)) = dropped("voice.ogg", SOUND) else {
        return;
    };
    assert!(path(&mut person).is_some_and(|path| Path::new(&path).is_absolute()));
    assert_eq!(person.steps(), ["Set sound voice.ogg"]);
    // A second, of 4 that are shown.
    let (wave, ruler) = (person.rect("Wave of voice.ogg"), person.rect("Ruler of frames"));
    assert!((0.2..0.3).contains(&(wave.width() / ruler.width())), "{wave} {ruler}");
    let saved = folder.path().join("scene.js3d");
    person.editor().requests.push(Request::SavePath(saved.clone()));
    person.app.frames(4);
    assert_eq!(path(&mut person).as_deref(), Some("voice.ogg"));
    let (scene, report) = js3d::read_file(&saved).expect("it was saved");
    assert!(report.is_empty() && scene.animation.sound == person.scene().animation.sound, "{report:?}");
    person.key(Key::Space);
    person.app.frames(3);
    assert!(person.messages().iter().all(|message| !message.contains("sound output")), "nobody listens");
    // Another one is chosen from beside the scene.
    person.editor().requests.push(Request::Act(Action::SET_SOUND));
    person.app.frames(3);
    let dialog = person.panels().file_dialog.as_ref().expect("it is open");
    assert_eq!((dialog.folder.as_path(), &dialog.error), (folder.path(), &None));
    assert!(person.sees("File voice.ogg"));
}

#[test]
fn a_file_that_is_no_sound_says_so() {
    let Some((mut person, _folder)) = dropped("voice.wav", b"") else {
        return;
    };
    assert_eq!(person.messages(), ["voice.wav cannot be heard"]);
    assert!(person.sees("Wave of voice.wav"));
}
