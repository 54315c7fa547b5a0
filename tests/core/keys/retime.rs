//! Scaling all keys: what is played goes along.

use ossature::anim::take::Take;
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::time::keying;
use ossature::io::js3d;
use ossature::scene::Scene;
use std::sync::Arc;

fn walk() -> Scene {
    js3d::read(&std::fs::read("media/js3d/A4-human-walk.js3d").unwrap()).unwrap().0
}

/// Scales all keys about a frame; returns the play range, the takes and the last key.
fn scaled(mut scene: Scene, about: f32, factor: f32) -> (Option<[u32; 2]>, Vec<[u32; 2]>, f32) {
    let keys = keying::all_keys(&scene);
    Command::Keys(KeyCommand::Scale { keys, about, factor, snap: true }).apply(&mut scene).unwrap();
    let animation = &scene.animation;
    let takes = animation.takes.list.iter().map(|take| take.range).collect();
    (animation.clip.range, takes, animation.last_key().unwrap())
}

/// The key that closes a loop is right after the last frame that is shown.
#[test]
fn a_loop_ends_right_before_its_closing_key_at_any_speed() {
    for (about, factor, range, closing) in [
        (0.0, 2.0, [0, 47], 48.0),
        (0.0, 4.0, [0, 95], 96.0),
        (0.0, 0.5, [0, 11], 12.0),
        (24.0, 0.5, [12, 23], 24.0),
        // Backwards.
        (12.0, -1.0, [0, 23], 24.0),
    ] {
        assert_eq!(scaled(walk(), about, factor), (Some(range), vec![range], closing), "× {factor}");
    }
}

/// The first key of a take does not close the one before it.
#[test]
fn takes_that_follow_one_another_stay_apart() {
    let mut scene = walk();
    let animation = Arc::make_mut(&mut scene.animation);
    animation.takes.list = vec![Take::new("Left", [0, 11]), Take::new("Right", [12, 23])];
    animation.choose_take(None);
    assert_eq!(scaled(scene, 0.0, 2.0), (None, vec![[0, 22], [24, 47]], 48.0));
}
