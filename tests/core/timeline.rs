//! The dope sheet: rows of everything with keys, and selecting keys.

use crate::editing::keys::channel;
use crate::editing::scene;
use ossature::anim::channel::ChannelRef;
use ossature::edit::command::Command;
use ossature::edit::command::keys::{ChannelKeys, KeyCommand};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::time::timeline::{KeySelection, Row, RowChoice, RowSubject, rows};
use ossature::scene::Scene;
use ossature::scene::names::{Kind, ObjectRef};
use std::collections::BTreeSet;
use std::sync::Arc;

fn all(scene: &Scene) -> Vec<Row> {
    rows(scene, &Selection::default(), &RowChoice::default())
}

fn outline(rows: &[Row]) -> Vec<(u8, &str, &[f32])> {
    rows.iter().map(|row| (row.depth, row.label.as_str(), &row.keys[..])).collect()
}

fn find<'r>(rows: &'r [Row], label: &str) -> &'r Row {
    rows.iter().find(|row| row.label == label).unwrap_or_else(|| panic!("no row {label}"))
}

#[test]
fn every_thing_with_keys_has_a_row() {
    let expected: [(u8, &str, &[f32]); 8] = [
        (0, "Summary", &[0.0, 5.0, 10.0]),
        (1, "Body", &[0.0, 5.0, 10.0]),
        (2, "Mid", &[0.0, 10.0]),
        (2, "IK bone 7", &[0.0, 10.0]),
        (2, "IK Branch", &[0.0, 5.0]),
        (1, "Place", &[0.0, 10.0]),
        (1, "bone.11.pose of Body (gone)", &[0.0, 10.0]),
        (1, "handle.9.enabled of Body (gone)", &[0.0, 5.0]),
    ];
    let scene = scene();
    let rows = all(&scene);
    assert_eq!(outline(&rows), expected);
    assert_eq!(rows[0].channels.len(), 6);
    assert_eq!(rows[2].subject, RowSubject::Part { mesh: "Body".into(), part: Part::Bone(1) });
    assert!(all(&Scene::default()).is_empty());
}

#[test]
fn folding_hides_the_parts_and_no_keys() {
    let scene = scene();
    let folded = rows(
        &scene,
        &Selection::default(),
        &RowChoice { folded: BTreeSet::from(["Body".to_owned()]), ..RowChoice::default() },
    );
    let labels: Vec<_> = folded.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels[..3], ["Summary", "Body", "Place"]);
    assert_eq!(folded[0], all(&scene)[0]);
    assert_eq!(folded[1], all(&scene)[1]);
}

#[test]
fn the_filter_leaves_what_is_selected_with_or_without_keys() {
    let scene = scene();
    let body = Selection::from_mesh(&scene, "Body");
    let only = |selection: &Selection| {
        rows(&scene, selection, &RowChoice { only_selected: true, ..RowChoice::default() })
    };
    let bones = only(&body.with_parts([Part::Bone(1), Part::Bone(0)]));
    let expected: [(u8, &str, &[f32]); 4] =
        [(0, "Summary", &[0.0, 10.0]), (1, "Body", &[0.0, 10.0]), (2, "Root", &[]), (2, "Mid", &[0.0, 10.0])];
    assert_eq!(outline(&bones), expected);
    // The instance: the character, its transform and its visibility.
    let whole = only(&body);
    let depth_one: Vec<_> = whole.iter().filter(|row| row.depth == 1).map(|row| row.label.as_str()).collect();
    assert_eq!(depth_one, ["Body", "Place", "Body here"]);
    assert_eq!(outline(&only(&Selection::default())), outline(&all(&scene)), "nothing selected: everything");
}

/// Of all rows whatever is selected, in capital letters or not; the character and the summary have the keys of what is found.
#[test]
fn rows_are_searched_and_pinned() {
    let scene = scene();
    let search = |text: &str| RowChoice { search: text.into(), ..RowChoice::default() };
    let found = rows(&scene, &Selection::default(), &search("mI"));
    let labels: Vec<_> = found.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels, ["Summary", "Body", "Mid"]);
    assert!(found.iter().all(|row| row.channels == found[2].channels), "{found:?}");
    assert_eq!(rows(&scene, &Selection::default(), &search("nothing")), []);
    let all_of_body = rows(&scene, &Selection::default(), &search("body"));
    assert!(all_of_body.iter().any(|row| row.label == "Mid"), "the parts of what is found");
    let body = Selection::from_mesh(&scene, "Body");
    let pinned = BTreeSet::from([found[2].channels[0].clone()]);
    let choice = RowChoice { only_selected: true, pinned, ..RowChoice::default() };
    let shown = rows(&scene, &body.with_parts([Part::Bone(0)]), &choice);
    let labels: Vec<_> = shown.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels, ["Summary", "Body", "Root", "Mid"]);
}

#[test]
fn the_nearest_key_is_hit_within_reach() {
    let scene = scene();
    let row = find(&all(&scene), "Body").clone();
    for (frame, hit) in [
        (0.4, Some(0.0)),
        (-0.4, Some(0.0)),
        (2.4, None),
        (2.6, None),
        (7.4, None),
        (9.7, Some(10.0)),
        (99.0, None),
    ] {
        assert_eq!(row.key_at(frame, 0.5), hit, "{frame}");
    }
    assert_eq!((row.key_at(2.4, 9.0), row.key_at(2.6, 9.0)), (Some(0.0), Some(5.0)));
}

fn count_at(selection: &KeySelection, frame: f32) -> usize {
    selection.keys().iter().filter(|of| of.frames.contains(&frame)).count()
}

#[test]
fn clicks_and_shift_clicks_select_what_a_row_shows() {
    let scene = scene();
    let rows = all(&scene);
    let (body, mid) = (find(&rows, "Body"), find(&rows, "Mid"));
    let none = KeySelection::default();
    let zero = none.clicked(&scene, body, 0.0, false);
    assert_eq!((zero.count(), count_at(&zero, 0.0)), (3, 3));
    assert_eq!(zero.row_state(&scene, body, 0.0), Some(true));
    assert_eq!(zero.row_state(&scene, &rows[0], 0.0), None, "some of the summary");
    assert_eq!(zero.row_state(&scene, body, 5.0), Some(false));
    let ten = zero.clicked(&scene, mid, 10.0, false);
    assert_eq!(ten.keys(), [ChannelKeys { channel: channel("Body", "bone.3.pose"), frames: vec![10.0] }]);
    let both = zero.clicked(&scene, mid, 10.0, true);
    assert_eq!(both.count(), 4);
    assert_eq!(both.clicked(&scene, mid, 10.0, true), zero);
    // Some are selected: a Shift click selects the rest first.
    let summary = zero.clicked(&scene, &rows[0], 0.0, true);
    assert_eq!(summary.count(), 6);
    assert!(summary.clicked(&scene, &rows[0], 0.0, true).is_empty());
}

#[test]
fn boxes_select_what_lies_inside() {
    let scene = scene();
    let rows = all(&scene);
    let none = KeySelection::default();
    let early = none.boxed(&scene, &rows[2..5], 0.0..=5.0, false);
    assert_eq!(early.count(), 4);
    let late = early.boxed(&scene, &rows[2..3], 9.9..=11.0, true);
    assert_eq!((late.count(), count_at(&late, 10.0)), (5, 1));
    assert!(late.boxed(&scene, &rows[..0], 0.0..=50.0, false).is_empty());
}

#[test]
fn the_selection_follows_its_keys() {
    let mut scene = scene();
    let rows = all(&scene);
    let selected = KeySelection::default().clicked(&scene, find(&rows, "Body"), 0.0, false);
    let keys = selected.keys();
    let later = selected.keys().into_iter().map(|ChannelKeys { channel, frames }| ChannelKeys {
        channel,
        frames: frames.iter().map(|frame| frame + 3.0).collect(),
    });
    let selected = Arc::new(selected);
    let done = Command::Keys(KeyCommand::Move { keys, offset: 3.0 }).apply(&mut scene).unwrap();
    let moved = KeySelection::after(&selected, &scene, &done);
    assert_eq!(*moved, KeySelection::new(later));
    assert!(Arc::ptr_eq(&KeySelection::existing_in(&moved, &scene), &moved));
    assert!(KeySelection::existing_in(&selected, &scene).is_empty());
    let mid: ChannelRef = channel("Body", "bone.3.pose");
    assert!(moved.contains(&mid, 3.0) && !moved.contains(&mid, 0.0));
}

#[test]
fn states_of_all_keys_are_those_of_each() {
    let scene = scene();
    let rows = all(&scene);
    let none = KeySelection::default();
    let some = none.clicked(&scene, find(&rows, "Mid"), 0.0, false);
    let more = some.clicked(&scene, find(&rows, "IK Branch"), 5.0, true);
    for selection in [&none, &some, &more] {
        for row in &rows {
            let each = row.keys.iter().map(|key| selection.row_state(&scene, row, *key));
            assert_eq!(selection.states(&scene, row), each.collect::<Vec<_>>(), "{}", row.label);
        }
    }
    assert_eq!(more.states(&scene, find(&rows, "Body")), [None, Some(true), Some(false)]);
}

#[test]
fn a_selection_spans_frames_and_grows_to_columns() {
    let scene = scene();
    let rows = all(&scene);
    let none = KeySelection::default();
    assert_eq!(none.span(), None);
    let zero = none.clicked(&scene, find(&rows, "Mid"), 0.0, false);
    assert_eq!(zero.span(), Some([0.0, 0.0]));
    let both = zero.clicked(&scene, find(&rows, "Place"), 10.0, true);
    assert_eq!(both.span(), Some([0.0, 10.0]));
    let column = zero.columns(&scene, &rows[0]);
    assert_eq!((column.count(), column.span()), (6, Some([0.0, 0.0])));
    assert_eq!(zero.columns(&scene, find(&rows, "Body")).count(), 3);
    assert!(none.columns(&scene, &rows[0]).is_empty());
}

#[test]
fn the_filter_shows_a_resource_that_is_chosen_itself() {
    let scene = scene();
    let place = ObjectRef::new(Kind::Transform, "Place");
    let only = RowChoice { only_selected: true, ..RowChoice::default() };
    let rows = rows(&scene, &Selection::from_object(&scene, &place), &only);
    let labels: Vec<_> = rows.iter().map(|row| row.label.as_str()).collect();
    assert_eq!(labels, ["Summary", "Place"]);
}
