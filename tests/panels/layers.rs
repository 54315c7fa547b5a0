//! The list of animation layers: a hand is corrected in three actions; its rows and settings.

use super::support::*;
use super::{MESH, mesh};
use egui::{Key, vec2};
use glam::Vec3;
use ossature::anim::channel::ChannelRef;
use ossature::anim::layer::{Layer, LayerKind};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;

fn layers(desk: &mut Desk) -> Vec<Layer> {
    let animation = &desk.session().scene().animation;
    animation.layers.get(MESH).map_or(Vec::new(), |stack| stack.list.clone())
}

fn keys(desk: &mut Desk, name: &str) -> Vec<f32> {
    let found = desk.session().scene().animation.get(&ChannelRef::new(MESH, name)).cloned();
    found.map_or(Vec::new(), |keys| keys.times())
}

/// Returns a window with a motion of the arm, which is selected at frame 20.
fn desk() -> Desk {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.session().set_auto_key(true);
    for (frame, angle) in [(0.0, 10.0), (40.0, 50.0)] {
        desk.session().set_frame(frame);
        turn(&mut desk, Vec3::X * angle);
    }
    desk.session().set_auto_key(false);
    desk.session().set_frame(20.0);
    desk.frame();
    desk
}

fn turn(desk: &mut Desk, pose_deg: Vec3) {
    desk.session().apply(&[Command::set_bone(mesh(), 1, "pose", pose_deg)]).unwrap();
    desk.frame();
}

#[test]
fn a_clip_is_corrected_in_three_actions() {
    let mut desk = desk();
    let before = keys(&mut desk, "bone.1.pose");
    desk.state_mut().act(Action::NEW_LAYER);
    desk.frame();
    assert!(desk.has("Layer Base animation") && desk.has("Layer Layer"), "the list opens");
    turn(&mut desk, Vec3::new(5.0, 25.0, 0.0));
    desk.state_mut().act(Action::INSERT_KEYS);
    desk.frame();
    assert_eq!(keys(&mut desk, "bone.1.pose"), before);
    assert_eq!(keys(&mut desk, "layer.0.bone.1.pose"), [12.0, 20.0, 28.0]);
    // Choosing the base shows its keys again.
    desk.click("Layer Base animation");
    assert_eq!(desk.session().scene().animation.layers[MESH].active, None);
    desk.click("Layer Layer");
    assert_eq!(desk.session().scene().animation.layers[MESH].active, Some(0));
}

#[test]
fn rows_mute_play_alone_and_rename() {
    let mut desk = desk();
    desk.click("Layers section");
    assert_eq!(desk.click("New layer"), [Request::Act(Action::NEW_LAYER)]);
    desk.click("Mute layer Layer");
    desk.click("Solo layer Layer");
    let [layer] = &layers(&mut desk)[..] else { panic!("one layer") };
    assert!(layer.muted && layer.solo);
    desk.double_click("Layer Layer");
    desk.type_text("Hand");
    desk.key(Key::Enter);
    assert_eq!(layers(&mut desk)[0].name, "Hand");
    assert!(desk.is_disabled("Merge layer down"), "it is muted");
    desk.click("Mute layer Hand");
    desk.click("Layer kind Override");
    assert_eq!(layers(&mut desk)[0].kind, LayerKind::Override);
    assert!(desk.has("Layer fade"));
    desk.click("Only selected bones");
    assert_eq!(layers(&mut desk)[0].bones, Some([1].into()));
    desk.click("Only selected bones");
    assert_eq!(layers(&mut desk)[0].bones, None);
    desk.click("Delete layer");
    assert!(layers(&mut desk).is_empty());
}

#[test]
fn a_drag_moves_a_layer_above_others() {
    let mut desk = desk();
    desk.click("Layers section");
    for action in [Action::NEW_LAYER, Action::NEW_OVERRIDE_LAYER] {
        desk.state_mut().act(action);
        desk.frame();
    }
    let names = |desk: &mut Desk| layers(desk).into_iter().map(|layer| layer.name).collect::<Vec<_>>();
    assert_eq!(names(&mut desk), ["Layer", "Override"], "the lowest first");
    let steps = desk.session().history().cursor();
    desk.drag("Layer Layer", vec2(0.0, -40.0));
    assert_eq!(names(&mut desk), ["Override", "Layer"]);
    assert_eq!(desk.session().history().cursor(), steps + 1);
    desk.drag("Layer Layer", vec2(0.0, -40.0));
    assert_eq!(desk.session().history().cursor(), steps + 1, "it is the highest already");
    desk.drag("Layer Layer", vec2(0.0, 60.0));
    assert_eq!(names(&mut desk), ["Layer", "Override"]);
}

#[test]
fn the_weight_is_set_and_keyed() {
    let mut desk = desk();
    desk.state_mut().act(Action::NEW_LAYER);
    desk.frame();
    desk.click("Layer weight");
    desk.type_text("0.5");
    desk.key(Key::Enter);
    assert_eq!(layers(&mut desk)[0].weight, 0.5);
    desk.click("Key layer weight");
    assert_eq!(keys(&mut desk, "layer.0.weight"), [20.0]);
    desk.session().set_frame(30.0);
    desk.frame();
    desk.click("Layer weight");
    desk.type_text("1");
    desk.key(Key::Enter);
    assert_eq!(keys(&mut desk, "layer.0.weight"), [20.0, 30.0]);
    assert_eq!(layers(&mut desk)[0].weight, 0.5, "the keys count");
    desk.click("Key layer weight");
    assert_eq!(keys(&mut desk, "layer.0.weight"), [20.0]);
    assert!(desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
}

/// Whichever layer is chosen; in the sheet and as a curve.
#[test]
fn keys_of_a_weight_have_a_row_and_a_curve() {
    let mut desk = desk();
    desk.state_mut().act(Action::NEW_LAYER);
    desk.frame();
    assert!(!desk.has("Row Layer weight"));
    for (frame, weight) in [(20.0, "0.5"), (30.0, "1")] {
        desk.session().set_frame(frame);
        desk.frame();
        desk.click("Layer weight");
        desk.type_text(weight);
        desk.key(Key::Enter);
        if frame == 20.0 {
            desk.click("Key layer weight");
        }
    }
    // The sheet of a document with keys is as high as they need.
    desk.edit_scene(|_| {});
    for layer in ["Layer Base animation", "Layer Layer"] {
        desk.click(layer);
        assert!(desk.has("Row Layer weight") && desk.has("Key Layer weight 30"), "{layer}");
    }
    desk.click("Key Layer weight 20");
    desk.key(Key::T);
    assert_eq!(desk.description("Key Layer weight 20").as_deref(), Some("linear"));
    desk.drag("Key Layer weight 30", vec2(60.0, 0.0));
    let moved = keys(&mut desk, "layer.0.weight");
    assert!(moved[0] == 20.0 && moved[1] > 30.0, "{moved:?}");
    desk.click("Curves");
    assert!(desk.has("Layer weight, frame 20, 0.5"), "{:?}", desk.controls());
    // A weight is never more than the whole.
    desk.click("Layer weight, frame 20, 0.5");
    desk.click("Key value");
    desk.type_text("7");
    desk.key(Key::Enter);
    assert!(desk.has("Layer weight, frame 20, 1"));
    desk.hover(desk.center("Layer weight, frame 20, 1"));
    desk.key(Key::X);
    assert_eq!(keys(&mut desk, "layer.0.weight"), moved[1..]);
    assert!(desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
}
