//! The actions on layers: a correction is made, kept to some bones, merged down and deleted.

use super::{Desk, MID_BONE};
use ossature::anim::channel::{ChannelRef, Value};
use ossature::edit::action::Action;

#[test]
fn a_correction_is_made_in_a_layer_and_merged_down() {
    let mut desk = Desk::new(MID_BONE, 7.0);
    for action in [Action::DELETE_LAYER, Action::MERGE_LAYER, Action::MASK_LAYER] {
        assert_eq!(desk.why_not(action).as_deref(), Some("Choose a layer first."));
    }
    let pose = ChannelRef::new("Body", "bone.3.pose");
    let keys = |desk: &Desk| desk.session.scene().animation.get(&pose).unwrap().clone();
    let before = keys(&desk);
    desk.act(Action::NEW_LAYER);
    let why_not = desk.why_not(Action::COMPLETE_CYCLE).unwrap();
    assert!(why_not.contains("choose Base in Layers"), "{why_not}");
    desk.act(Action::MASK_LAYER);
    desk.turn(5.0);
    desk.act(Action::INSERT_KEYS);
    assert_eq!(keys(&desk), before, "the clip's own keys stay");
    let layer = ChannelRef::new("Body", "layer.0.bone.3.pose");
    let times = desk.session.scene().animation.get(&layer).map(|keys| keys.times());
    assert_eq!(times.as_deref(), Some(&[0.0, 7.0, 15.0][..]));
    desk.act(Action::MERGE_LAYER);
    let animation = &desk.session.scene().animation;
    assert!(animation.get(&layer).is_none() && animation.active_layer("Body").is_none());
    let at = |frame: f32, keys: &ossature::anim::channel::Channel| match keys.at(frame) {
        Some(Value::Vec3(angles)) => angles,
        other => panic!("{other:?}"),
    };
    let merged = keys(&desk);
    assert!(at(7.0, &merged).distance(at(7.0, &before)) > 1.0);
    assert!(at(20.0, &merged).distance(at(20.0, &before)) < 0.1);
    desk.act(Action::NEW_LAYER);
    desk.act(Action::DELETE_LAYER);
    assert!(desk.session.scene().animation.layers.is_empty());
}
