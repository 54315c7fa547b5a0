//! The actions on layers: a correction is made, kept to some bones, merged down and deleted.

use super::{Desk, MID_BONE};
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::time::keying_set::KeyingSet;
use ossature::scene::names::{Kind, ObjectRef};

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
    assert!(why_not.contains("choose Base animation in Layers"), "{why_not}");
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

/// The bones as they are shown; neither the character's place nor its bones outside the mask.
#[test]
fn keys_are_set_in_the_chosen_layer_alone() {
    let mut desk = Desk::new(None, 7.0);
    let keyed = |desk: &Desk| {
        let all = desk.session.scene().animation.channels.iter();
        let all = all.flat_map(|(resource, channels)| channels.iter().map(move |found| (resource, found)));
        let keyed = all.filter(|(_, (_, keys))| keys.key(7.0).is_some());
        keyed.map(|(resource, (name, _))| format!("{resource} {name}")).collect::<Vec<_>>()
    };
    desk.act(Action::NEW_LAYER);
    desk.act(Action::INSERT_KEYS);
    let names = keyed(&desk);
    assert!(names.contains(&"Body layer.0.bone.3.pose".to_owned()));
    assert!(names.iter().all(|name| name.starts_with("Body layer.0.")), "{names:?}");
    desk.session.undo();
    desk.session.select(desk.session.selection().with_part(MID_BONE));
    desk.act(Action::MASK_LAYER);
    desk.act(Action::INSERT_CHARACTER_KEYS);
    assert!(keyed(&desk).iter().all(|name| name.starts_with("Body layer.0.bone.3.")), "{:?}", keyed(&desk));
    // Nothing that was moved is of the layer.
    desk.session.set_keying_set(KeyingSet::Changed);
    desk.session.select(desk.session.selection().with_part(None));
    let place = ObjectRef::new(Kind::Transform, "Place");
    desk.session.apply(&[Command::set(place, "translation", Vec3::Y.into())]).unwrap();
    let why_not = desk.why_not(Action::INSERT_KEYS);
    assert_eq!(
        why_not.as_deref(),
        Some("The layer Layer cannot have what is selected: choose Base animation in Layers.")
    );
}
