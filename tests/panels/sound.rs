//! The strip of the sound below the ruler.

use super::sheet::{animate, per_frame, steps};
use super::support::*;
use egui::vec2;
use ossature::anim::sound::Sound;
use ossature::edit::command::{Command, sounds::SoundCommand};
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::timeline::Wave;
use ossature::io::sound::DecodedSound;
use std::sync::Arc;

/// A desk with a sound of one second from frame 10 on: silence, then a loud half.
fn desk() -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.edit_scene(|scene| {
        animate(scene);
        Arc::make_mut(&mut scene.animation).sound = Some(Sound::new("sounds/voice.wav", 10.0));
    });
    let samples = (0..8000).map(|i| if i < 4000 { 0 } else { [30_000, -30_000][i % 2] }).collect();
    let sound = DecodedSound::new(8000, 1, samples, None);
    desk.state_mut().panels.timeline.set_wave(Wave::Ready(Arc::new(sound)));
    desk.frame();
    desk
}

fn start(desk: &mut Desk) -> f32 {
    desk.session().scene().animation.sound.as_ref().unwrap().start
}

#[test]
fn the_wave_lies_below_the_ruler_over_the_frames_in_which_it_is_heard() {
    let mut silent = Desk::new(Tab::Animate);
    silent.edit_scene(animate);
    assert!(!silent.has("Wave of voice.wav") && !silent.has("Mute sound"));
    let desk = desk();
    let (ruler, wave) = (desk.rect("Ruler of frames"), desk.rect("Wave of voice.wav"));
    assert!(wave.top() >= ruler.bottom() && wave.bottom() <= desk.rect("Key Summary 10").center().y);
    // A second has 24 frames.
    assert!((wave.width() - 24.0 * per_frame(&desk)).abs() < 1.0, "{wave}");
    assert!((wave.left() - desk.rect("Key Summary 10").center().x).abs() < 1.0);
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
}

#[test]
fn it_lies_under_the_ruler_of_the_curves_too() {
    let mut desk = desk();
    let (sheet, by) = (desk.rect("Wave of voice.wav"), per_frame(&desk));
    desk.click("Curves");
    assert_eq!(desk.rect("Wave of voice.wav"), sheet);
    assert!(desk.rect("Keys").top() >= sheet.bottom());
    desk.drag("Wave of voice.wav", vec2(3.0 * by, 0.0));
    assert_eq!(start(&mut desk), 13.0);
    desk.click("Mute sound");
    assert_eq!(steps(&mut desk), ["Mute voice.wav", "Start voice.wav at frame 13"]);
}

/// Otherwise nobody could get it back.
#[test]
fn a_sound_that_is_out_of_sight_says_where_it_is() {
    let mut desk = desk();
    desk.session().apply(&[Command::Sound(SoundCommand::Move { start: 5000.0 })]).unwrap();
    desk.frame();
    let text = "voice.wav plays from frame 5000 to 5024";
    assert!(desk.texts().iter().any(|painted| painted == text), "{:?}", desk.texts());
    desk.right_click("Wave of voice.wav");
    desk.click("Wave > Remove sound");
    assert!(!desk.has("Wave of voice.wav"));
}

#[test]
fn a_sheet_without_keys_has_room_for_the_wave() {
    let mut desk = Desk::sized(vec2(1280.0, 800.0), Tab::Animate, None);
    let height = |desk: &Desk| desk.rect(HINT).top() - desk.rect("Timeline divider").center().y;
    let before = height(&desk);
    desk.edit_scene(|scene| {
        Arc::make_mut(&mut scene.animation).sound = Some(Sound::new("voice.wav", 0.0));
    });
    desk.frame();
    let (more, wave) = (height(&desk) - before, desk.rect("Wave of voice.wav"));
    assert!((more - wave.height() - 2.0).abs() < 0.1 && more > 20.0, "{more} {wave}");
}

#[test]
fn a_drag_moves_the_start() {
    let mut desk = desk();
    let by = per_frame(&desk);
    desk.drag("Wave of voice.wav", vec2(5.2 * by, 0.0));
    assert_eq!(start(&mut desk), 15.0);
    desk.drag_and_give_up("Wave of voice.wav", vec2(5.0 * by, 0.0), GiveUp::Escape);
    assert_eq!(start(&mut desk), 15.0);
    desk.click("Wave of voice.wav");
    assert_eq!(steps(&mut desk), ["Start voice.wav at frame 15"]);
}

#[test]
fn it_is_muted_beside_the_strip_and_removed_in_its_menu() {
    let mut desk = desk();
    assert_eq!(desk.toggled("Mute sound"), Some(false));
    desk.click("Mute sound");
    assert_eq!(desk.toggled("Mute sound"), Some(true));
    assert!(desk.has("Sound volume"));
    desk.right_click("Wave of voice.wav");
    desk.click("Wave > Remove sound");
    assert!(!desk.has("Wave of voice.wav"));
    assert_eq!(steps(&mut desk), ["Remove sound voice.wav", "Mute voice.wav"]);
}

#[test]
fn a_sound_that_cannot_be_heard_says_why() {
    let mut desk = desk();
    desk.state_mut().panels.timeline.set_wave(Wave::Failed("the file is missing".into()));
    desk.frame();
    assert!(desk.has("Wave of voice.wav"));
    let text = "voice.wav: the file is missing";
    assert!(desk.texts().iter().any(|painted| painted == text), "{:?}", desk.texts());
}
