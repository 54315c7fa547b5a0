//! The dialog that renders the animation, and the window that shows its progress.

use super::support::*;
use egui::Key;
use ossature::edit::action::Action;
use ossature::edit::render::{Background, Format, Overlays, RenderSettings, Viewpoint};
use ossature::edit::request::Request;
use ossature::edit::settings::view::Tab;
use ossature::editor::panels::dialogs::render::RenderProgress;

fn opened(action: Action) -> Desk {
    let mut desk = Desk::new(Tab::Animate);
    desk.state_mut().act(action);
    desk.frame();
    desk.frame();
    desk
}

/// Returns the requested settings.
fn asked(requests: Vec<Request>) -> RenderSettings {
    match &requests[..] {
        [Request::Render { settings, replace: false }] => (**settings).clone(),
        other => panic!("{other:?}"),
    }
}

fn type_in(desk: &mut Desk, label: &str, text: &str) {
    desk.click(label);
    desk.type_text(text);
    desk.key(Key::Enter);
}

#[test]
fn at_first_it_is_the_play_range_as_the_viewport_sees_it() {
    let mut desk = opened(Action::RENDER_ANIMATION);
    assert!(desk.takes_keys());
    assert!(desk.has("Render animation"));
    let settings = asked(desk.click("Render"));
    let clip = desk.session().scene().animation.clip;
    assert_eq!(settings.frames, clip.play_range());
    assert_eq!((settings.step, settings.size), (1, [1280, 720]));
    assert_eq!((settings.eye, settings.format), (Viewpoint::Viewport, Format::Png));
    assert_eq!(settings.background, Background::default());
    assert_eq!(settings.output.display().to_string(), "untitled-%04d.png");
    // Enter has the same effect.
    let mut desk = opened(Action::RENDER_ANIMATION);
    asked(desk.key(Key::Enter));
    let mut desk = opened(Action::RENDER_ANIMATION);
    assert_eq!(desk.click("Cancel"), []);
    assert!(!desk.state().panels.render.open);
    let mut desk = opened(Action::RENDER_ANIMATION);
    assert_eq!(desk.key(Key::Escape), []);
    assert!(!desk.state().panels.render.open);
}

#[test]
fn everything_can_be_chosen() {
    let mut desk = opened(Action::RENDER_ANIMATION);
    type_in(&mut desk, "Start frame", "3");
    type_in(&mut desk, "End frame", "9");
    type_in(&mut desk, "Step", "2");
    type_in(&mut desk, "Width", "640");
    type_in(&mut desk, "Height", "360");
    desk.click("Transparent");
    desk.click("Overlay Grid");
    desk.click("Overlay Bones");
    desk.click("Overlay Handles");
    desk.click("Overlay Cameras, lights");
    let settings = asked(desk.click("Render"));
    assert_eq!((settings.frames, settings.step, settings.size), ([3, 9], 2, [640, 360]));
    assert_eq!(settings.background, Background::Transparent);
    let but_grid = Overlays { grid: false, ..Overlays::ALL };
    assert_eq!(settings.overlays, but_grid);
    // The first frame is never after the last.
    type_in(&mut desk, "Start frame", "20");
    assert_eq!(asked(desk.click("Render")).frames, [20, 20]);
    desk.click("All");
    let last = desk.session().scene().animation.clip.last_frame();
    assert_eq!(asked(desk.click("Render")).frames, [0, last]);
    desk.click("Size choice");
    desk.click("Size: Full HD, 1920 × 1080");
    assert_eq!(asked(desk.click("Render")).size, [1920, 1080]);
    desk.click("Camera choice");
    desk.click("Camera: Whole scene");
    assert_eq!(asked(desk.click("Render")).eye, Viewpoint::Framed(None));
}

#[test]
fn the_name_follows_the_format_and_what_is_wrong_is_said() {
    let mut desk = opened(Action::RENDER_ANIMATION);
    desk.click("Transparent");
    desk.click("GIF");
    let settings = asked(desk.click("Render"));
    assert_eq!(settings.output.display().to_string(), "untitled.gif");
    assert_eq!(settings.background, Background::default(), "only PNG is transparent");
    desk.click("MP4");
    for (there, said) in [(None, false), (Some(true), false), (Some(false), true)] {
        desk.state_mut().panels.render.ffmpeg = there;
        desk.frame();
        assert_eq!(desk.has_containing("ffmpeg, which was not found"), said, "{there:?}");
    }
    type_in(&mut desk, "Width", "641");
    assert!(desk.has_containing("must be even"));
    assert_eq!(desk.click("Render"), []);
    desk.click("PNG");
    let settings = asked(desk.click("Render"));
    assert_eq!(settings.output.display().to_string(), "untitled-%04d.png");
    assert_eq!(settings.background, Background::Transparent);
    let out = desk.click("Browse…");
    let start = "untitled-%04d.png".into();
    let format = Format::Png;
    assert_eq!(out, [Request::AskRenderOutput { format, start }]);
    desk.state_mut().panels.render.output = "walk.png".into();
    desk.frame();
    assert!(desk.has_containing("name a folder"));
}

#[test]
fn one_picture_is_named_by_its_frame() {
    let mut desk = opened(Action::SAVE_PICTURE);
    assert!(desk.has("Render a picture"));
    let settings = asked(desk.click("Render"));
    assert_eq!(settings.frames, [0, 0]);
    assert_eq!(settings.output.display().to_string(), "untitled-0000.png");
    // The animation has its own name again.
    desk.click("Cancel");
    desk.state_mut().act(Action::RENDER_ANIMATION);
    desk.frame();
    let settings = asked(desk.click("Render"));
    assert_eq!(settings.frames, desk.session().scene().animation.clip.play_range());
    assert_eq!(settings.output.display().to_string(), "untitled-%04d.png");
}

#[test]
fn files_are_replaced_only_if_one_says_so() {
    let mut desk = opened(Action::RENDER_ANIMATION);
    desk.state_mut().panels.render.replace = Some(7);
    desk.frame();
    desk.frame();
    assert!(desk.has("Replace the files?") && desk.has_containing("7 of the files"));
    desk.click("Back");
    assert!(desk.has("Render animation"));
    desk.state_mut().panels.render.replace = Some(1);
    desk.frame();
    desk.frame();
    assert_eq!(desk.key(Key::Escape), []);
    assert!(desk.state().panels.render.open, "Esc goes back");
    desk.state_mut().panels.render.replace = Some(1);
    desk.frame();
    desk.frame();
    let out = desk.click("Replace");
    assert!(matches!(&out[..], [Request::Render { replace: true, .. }]), "{out:?}");
}

#[test]
fn it_opens_the_tab_that_it_renders() {
    let mut desk = Desk::new(Tab::Rig);
    desk.state_mut().act(Action::RENDER_ANIMATION);
    desk.frame();
    assert_eq!(desk.state().settings.tab, Tab::Animate);
}

#[test]
fn progress_is_shown_and_can_be_stopped() {
    let mut desk = Desk::new(Tab::Animate);
    let mut progress = RenderProgress::new(48);
    progress.done = 12;
    desk.state_mut().panels.render.progress = Some(progress);
    desk.frame();
    assert!(desk.has("12 of 48 frames"));
    assert!(!desk.takes_keys(), "the keyboard stays free");
    assert_eq!(desk.click("Stop rendering"), [Request::CancelRender]);
    desk.frame();
    assert!(desk.has("Stopping"));
    assert_eq!(desk.click("Stop rendering"), []);
    // Only one job at a time.
    desk.state_mut().act(Action::RENDER_ANIMATION);
    desk.frame();
    desk.frame();
    assert_eq!(desk.click("Render"), []);
}
