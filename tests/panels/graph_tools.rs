//! The curves: nudges, the lasso, the value cursor, contacts of feet, and the units of layers.

use super::graph::{X0, X10, X20, Y10, Y20, chosen, desk, drag, value};
use super::sheet::{arm, steps};
use super::support::*;
use super::{MESH, mesh};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use glam::Vec3;
use ossature::anim::channel::ChannelRef;
use ossature::anim::contacts::{CONTACTS, DOWN, FOOT, UP};
use ossature::anim::take::Take;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;
use ossature::extra::{Value, array};
use std::sync::Arc;

fn x(desk: &mut Desk, frame: f32) -> f32 {
    value(desk, "bone.1.pose", frame).x
}

#[test]
fn successive_nudges_are_one_step_until_something_else_happens() {
    let mut desk = desk();
    desk.click(X10);
    for _ in 0..3 {
        desk.key(Key::ArrowUp);
    }
    assert_eq!((x(&mut desk, 10.0), steps(&mut desk).len()), (33.0, 1));
    // Back to the start: nothing is left of them.
    for _ in 0..3 {
        desk.key(Key::ArrowDown);
    }
    assert_eq!((x(&mut desk, 10.0), steps(&mut desk).len()), (30.0, 0));
    desk.key(Key::ArrowUp);
    desk.key(Key::ArrowUp);
    assert_eq!((x(&mut desk, 10.0), steps(&mut desk).len()), (32.0, 1));
    desk.click(X20);
    desk.key(Key::ArrowUp);
    assert_eq!((x(&mut desk, 20.0), steps(&mut desk).len()), (11.0, 2), "other keys are another step");
    desk.session().undo();
    desk.frame();
    desk.key(Key::ArrowUp);
    assert_eq!((x(&mut desk, 20.0), x(&mut desk, 10.0), steps(&mut desk).len()), (11.0, 32.0, 2));
    for _ in 0..25 {
        desk.frame();
    }
    desk.key(Key::ArrowUp);
    assert_eq!((x(&mut desk, 20.0), steps(&mut desk).len()), (12.0, 3), "a pause ends them");
    desk.session().undo();
    desk.session().undo();
    assert_eq!((x(&mut desk, 20.0), x(&mut desk, 10.0)), (10.0, 32.0));
}

fn slopes(desk: &mut Desk, frame: f32) -> [f32; 2] {
    let scene = desk.session().scene();
    let channel = scene.animation.get(&ChannelRef::new(MESH, "bone.1.pose")).expect("keys");
    channel.slopes(frame).expect("slopes").map(|slope| slope.component(0).expect("a number"))
}

#[test]
fn slopes_of_the_active_key_can_be_typed() {
    let mut desk = desk();
    desk.click(X10);
    assert_eq!(
        (desk.value("Slope before").as_deref(), desk.value("Slope behind").as_deref()),
        (Some("0°"), Some("0°"))
    );
    desk.click("Slope behind");
    desk.type_text("-3");
    desk.key(Key::Enter);
    assert_eq!((slopes(&mut desk, 10.0), x(&mut desk, 10.0)), ([0.0, -3.0], 30.0));
    assert_eq!(steps(&mut desk).len(), 1);
    desk.click(X20);
    assert!(desk.has("Slope before") && !desk.has("Slope behind"), "nothing is behind the last key");
}

/// Without the key at the top, the curve still rises and falls; deleted alone, it would be a straight way.
#[test]
fn keys_are_deleted_without_the_shape() {
    for (modifiers, tops) in [(Modifiers::SHIFT, 15.0..30.0), (Modifiers::NONE, 4.0..6.0)] {
        let mut desk = desk();
        desk.click(X10);
        desk.key_with(modifiers, Key::X);
        assert_eq!(arm(&mut desk), [0.0, 20.0]);
        let top = x(&mut desk, 10.0);
        assert!(tops.contains(&top), "{top}");
        assert_eq!((x(&mut desk, 0.0), x(&mut desk, 20.0), steps(&mut desk).len()), (0.0, 10.0, 1));
    }
}

/// As far as the pointer goes, of the component that was clicked; Esc puts it back, a click is one step.
#[test]
fn keys_are_blended_by_the_pointer() {
    let mut desk = desk();
    for (ends, wanted) in [(Key::Escape, 30.0), (Key::Enter, 25.0)] {
        desk.right_click(X10);
        desk.click("Keys > Blend keys");
        desk.frame();
        let chosen = desk.center("Keys > Blend to neighbours");
        desk.click("Keys > Blend to neighbours");
        // A quarter of its reach.
        desk.hover(chosen + vec2(25.0, 0.0));
        assert_eq!(x(&mut desk, 10.0), 25.0, "while the pointer moves");
        assert!(desk.has("25 % to the key behind"));
        desk.key(ends);
        assert_eq!((x(&mut desk, 0.0), x(&mut desk, 10.0), x(&mut desk, 20.0)), (0.0, wanted, 10.0));
    }
    assert_eq!(steps(&mut desk), ["Blend 1 key to their neighbours"]);
    assert_eq!(value(&mut desk, "bone.1.pose", 10.0).with_x(0.0), Vec3::new(0.0, 20.0, -25.0));
    // A typed percentage, to the key before.
    desk.right_click("Arm x, frame 10, 25°");
    desk.click("Keys > Blend keys");
    desk.frame();
    desk.click("Keys > Blend to neighbours");
    desk.event(Event::Text("-40".into()));
    desk.frame();
    assert!(desk.has("40 % to the key before"));
    desk.key(Key::Enter);
    assert_eq!(x(&mut desk, 10.0), 15.0);
    // One key is its own mean.
    desk.right_click("Arm x, frame 10, 15°");
    desk.click("Keys > Blend keys");
    desk.frame();
    assert!(desk.is_disabled("Keys > Flatten or exaggerate"));
    desk.click("Keys > Scale from key before");
    desk.event(Event::Text("100".into()));
    desk.frame();
    assert!(desk.has("100 % away from the key before"));
    desk.key(Key::Enter);
    assert_eq!(x(&mut desk, 10.0), 30.0);
    desk.right_click(X10);
    desk.click("Keys > Blend keys");
    desk.frame();
    desk.click("Keys > Shift values in time");
    desk.event(Event::Text("100".into()));
    desk.frame();
    assert!(desk.has("100 % of the way to what comes later"));
    desk.key(Key::Enter);
    assert_eq!((x(&mut desk, 10.0), arm(&mut desk)), (10.0, vec![0.0, 10.0, 20.0]));
    assert_eq!(steps(&mut desk)[0], "Shift 1 key in time");
}

/// Without a click: the key nearest to where the box ended tells the component.
#[test]
fn keys_of_a_box_are_nudged() {
    let mut desk = desk();
    let [from, to] = [X10, X20].map(|label| desk.center(label));
    drag(&mut desk, pos2(from.x - 8.0, from.y - 12.0), to + vec2(4.0, 4.0));
    desk.key(Key::ArrowUp);
    assert_eq!([x(&mut desk, 10.0), x(&mut desk, 20.0)], [31.0, 11.0]);
    assert_eq!(value(&mut desk, "bone.1.pose", 20.0).with_x(0.0), Vec3::new(0.0, 40.0, -40.0));
    // Esc deselects keys, and never the bone whose curves these are.
    let parts = desk.session().selection().parts().count();
    desk.key(Key::Escape);
    assert!(chosen(&desk).is_empty());
    desk.key(Key::Escape);
    assert_eq!((parts, desk.session().selection().parts().count()), (1, 1));
}

/// What is searched comes into view.
#[test]
fn curves_that_are_searched_are_fitted() {
    let mut desk = desk();
    desk.click("Search rows");
    desk.frame();
    desk.click("Names of rows");
    desk.type_text("Spine");
    desk.frame();
    desk.frame();
    let area = desk.rect("Keys");
    assert!(desk.has("Spine x, frame 10, 100°"), "{:?}", desk.controls());
    let top = desk.center("Spine x, frame 10, 100°").y;
    assert!((area.top()..area.center().y).contains(&top), "{top} in {area}");
}

#[test]
fn locked_keys_are_not_selected_and_pinned_rows_stay() {
    let mut desk = desk();
    desk.right_click("Row Arm");
    desk.click("Row > Pin");
    desk.select(&[Part::Bone(0)]);
    assert!(desk.has("Row Arm") && desk.has("Row Spine"), "the pinned row, and that of the selection");
    desk.right_click("Row Arm");
    desk.click("Row > Lock");
    desk.click(X10);
    assert_eq!(chosen(&desk), Vec::<String>::new());
    desk.drag(X10, vec2(0.0, -30.0));
    assert_eq!((x(&mut desk, 10.0), steps(&mut desk).len()), (30.0, 0));
    desk.hover(desk.rect("Keys").center());
    desk.key(Key::A);
    assert!(!chosen(&desk).is_empty() && chosen(&desk).iter().all(|label| label.starts_with("Spine")));
    desk.right_click("Row Arm");
    desk.click("Row > Unlock");
    desk.click(X10);
    assert_eq!(chosen(&desk).len(), 3);
    desk.right_click("Row Arm");
    desk.click("Row > Unpin");
    assert!(!desk.has("Row Arm"));
}

#[test]
fn rows_are_searched_by_their_names() {
    let mut desk = desk();
    assert!(!desk.has("Row Spine"));
    desk.hover(desk.rect("Keys").center());
    desk.key_with(Modifiers::COMMAND, Key::F);
    desk.type_text("spi");
    assert!(desk.has("Row Spine") && !desk.has("Row Arm"), "selected or not");
    desk.type_text("x");
    assert!(desk.has_containing("No row with keys has a name with"));
    desk.key(Key::Escape);
    assert!(desk.has("Row Arm") && !desk.has("Row Spine") && !desk.has("Names of rows"));
}

/// S without keys says what is missing, and V is then no part of a scale.
#[test]
fn without_keys_s_and_v_scale_nothing() {
    for curves in [false, true] {
        let mut desk = match curves {
            true => desk(),
            false => super::sheet::desk(),
        };
        let keys = desk.center("Keys");
        desk.hover(keys);
        desk.key(Key::S);
        assert!(desk.has("Scale about playhead: Select keys first."), "{curves}");
        assert!(!desk.takes_keys());
        desk.key(Key::V);
        assert!(!desk.takes_keys() && steps(&mut desk).is_empty(), "{curves}");
    }
}

fn lasso(desk: &mut Desk, modifiers: Modifiers, path: &[Pos2]) {
    desk.hold(modifiers);
    desk.hover(path[0]);
    desk.press_button(path[0], PointerButton::Secondary);
    for point in path {
        desk.hover(*point);
        desk.frame();
    }
    desk.release_button(path[0], PointerButton::Secondary);
    desk.hold(Modifiers::NONE);
    desk.frame();
}

/// A square around a place, back to its first corner.
fn around(at: Pos2) -> [Pos2; 5] {
    [(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0), (-8.0, -8.0)].map(|(x, y)| at + vec2(x, y))
}

#[test]
fn a_lasso_selects_the_keys_inside() {
    let mut desk = desk();
    let [first, second] = [X10, Y20].map(|label| desk.center(label));
    lasso(&mut desk, Modifiers::COMMAND, &around(first));
    assert_eq!(chosen(&desk), [X10, Y10, "Arm z, frame 10, -25°"]);
    lasso(&mut desk, Modifiers::COMMAND | Modifiers::SHIFT, &around(second));
    assert_eq!(chosen(&desk).len(), 6);
    // From below to a place above on a bent way: a box would have them inside.
    let way = [first + vec2(-8.0, 12.0), second + vec2(20.0, 12.0), second + vec2(20.0, 20.0)];
    lasso(&mut desk, Modifiers::COMMAND, &way);
    assert!(chosen(&desk).is_empty(), "{:?}", chosen(&desk));
    assert!(!desk.has("Keys > Copy") && steps(&mut desk).is_empty(), "no menu opens");
}

#[test]
fn values_are_scaled_about_the_value_cursor() {
    let mut desk = desk();
    let [zero, top] = [X0, X10].map(|label| desk.center(label).y);
    let y = |value: f32| zero + (top - zero) * value / 30.0;
    let numbers = desk.rect("Keys").left() + 10.0;
    desk.click(X10);
    desk.click_at(pos2(numbers, y(20.0)));
    assert!(desk.has("Value cursor 20°"), "{:?}", desk.controls());
    assert_eq!(chosen(&desk).len(), 3, "the keys stay selected");
    let key = desk.center(X10);
    desk.hover(key);
    desk.key(Key::S);
    desk.key(Key::V);
    desk.event(Event::Text("2".into()));
    desk.frame();
    assert!((x(&mut desk, 10.0) - 40.0).abs() < 1e-3, "{}", x(&mut desk, 10.0));
    assert!(desk.has_containing("about 20°"));
    desk.key(Key::T);
    assert_eq!(x(&mut desk, 10.0), 30.0, "T scales times instead");
    desk.key(Key::V);
    desk.event(Event::Text("2".into()));
    desk.frame();
    desk.key(Key::Enter);
    assert!((x(&mut desk, 10.0) - 40.0).abs() < 1e-3 && x(&mut desk, 20.0) == 10.0);
    assert_eq!(value(&mut desk, "bone.1.pose", 10.0).y, 20.0);
    assert_eq!(steps(&mut desk), ["Change the value of 1 key"]);
    desk.click_at(pos2(numbers, y(20.0)));
    assert!(!desk.has_containing("Value cursor"), "another click removes it");
}

#[test]
fn bars_show_when_feet_stand() {
    let mut desk = desk();
    desk.edit_scene(|scene| {
        let animation = Arc::make_mut(&mut scene.animation);
        let rate = f64::from(animation.clip.rate);
        let mut take = Take::new("Walk", [2, 18]);
        let mut contacts = array::Builder::default();
        for (foot, down, up) in [("Left", 1.0, 6.0), ("Right", 5.0, 12.0)] {
            let members = [
                (FOOT, Value::Text(foot.into())),
                (DOWN, Value::Float(down / rate)),
                (UP, Value::Float(up / rate)),
            ];
            contacts.push(Err(Value::Object(members.map(|(name, value)| (name.into(), value)).into())));
        }
        take.extra.set(CONTACTS, Value::Array(contacts.finish()));
        animation.takes.list.push(take);
    });
    let [left, right] =
        ["Left stands, frames 3 to 8", "Right stands, frames 7 to 14"].map(|label| desk.rect(label));
    let [from, to] = [X0, X20].map(|label| desk.center(label).x);
    let frame = |x: f32| (x - from) / (to - from) * 20.0;
    assert!((frame(left.left()) - 3.0).abs() < 0.05 && (frame(left.right()) - 8.0).abs() < 0.05, "{left}");
    assert!(left.bottom() <= desk.rect("Keys").bottom() && !left.intersects(right), "{left} {right}");
    desk.click("Sheet");
    assert!(!desk.has_containing(" stands, frames "));
}

#[test]
fn keys_of_layers_have_units() {
    let mut desk = Desk::with_part(Tab::Animate, Some(Part::Bone(1)));
    desk.state_mut().act(Action::NEW_LAYER);
    desk.session().set_frame(20.0);
    desk.session().apply(&[Command::set_bone(mesh(), 1, "pose", Vec3::new(5.0, 25.0, 0.0))]).unwrap();
    desk.state_mut().act(Action::INSERT_KEYS);
    desk.frame();
    let layer = desk.session().scene().animation.layers[MESH].list[0].clone();
    let keys = layer.channel("bone.1.pose");
    assert!(desk.session().scene().animation.channels[MESH].contains_key(&keys));
    desk.click("Curves");
    let labels = desk.controls().into_iter().map(|(label, _)| label);
    let dots: Vec<String> = labels.filter(|label| label.contains(", frame ")).collect();
    assert!(dots.len() >= 3 && dots.iter().all(|label| label.ends_with('°')), "{dots:?}");
    let is_number = |text: &String| text.strip_suffix('°').is_some_and(|text| text.parse::<f32>().is_ok());
    assert!(desk.texts().iter().any(is_number), "{:?}", desk.texts());
}
