//! The table of the selected vertices, and the actions that select and change them.

use super::support::*;
use egui::{Key, vec2};
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::view::Tab;

/// Returns a window with vertices 1 and 2 selected; all eight follow bone 0.
fn chosen(tab: Tab) -> Desk {
    let mut desk = Desk::with_part(tab, Some(Part::Bone(1)));
    desk.edit_scene(|scene| add_weights(scene, 8));
    let selection = desk.session().selection().with_vertices(vec![1, 2]);
    desk.session().select(selection);
    desk.frame();
    desk
}

fn weights_of(desk: &mut Desk, vertex: usize) -> Vec<(u16, f32)> {
    let mesh = desk.session().scene().skinned_meshes["Body"].clone();
    mesh.weights.influences(vertex).collect()
}

#[test]
fn a_typed_weight_is_put_on_all_selected_vertices_and_keeps_the_sum() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = chosen(tab);
        assert!(desk.has_containing("2 vertices"));
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
        assert_eq!(desk.outside(), Vec::<String>::new());
        let name = |desk: &mut Desk, bone| {
            let mesh = desk.session().scene().skinned_meshes["Body"].clone();
            format!("Weight of {}", mesh.skeleton.bone_name(bone))
        };
        let field = name(&mut desk, 0);
        desk.click(&field);
        desk.type_text("0.25");
        let asked = desk.key(Key::Enter);
        assert!(asked.iter().any(|request| matches!(request, Request::Apply(_))), "{tab:?}: {asked:?}");
        for vertex in [1, 2] {
            let row = weights_of(&mut desk, vertex);
            assert!((row[0].1 - 0.25).abs() < 1e-6, "{row:?}");
            assert!((row.iter().map(|(_, w)| w).sum::<f32>() - 1.0).abs() < 1e-6);
        }
        assert_eq!(weights_of(&mut desk, 3), vec![(0, 1.0)], "others stay");
        desk.session().undo();
        desk.frame();
        assert_eq!(weights_of(&mut desk, 1), vec![(0, 1.0)], "one step");
        // A drag: applied at the end, as one step.
        desk.drag(&field, vec2(-60.0, 0.0));
        desk.frame();
        let row = weights_of(&mut desk, 1);
        assert!(row[0].1 < 0.95, "{tab:?}: {row:?}");
        desk.session().undo();
        assert_eq!(weights_of(&mut desk, 1), vec![(0, 1.0)]);
    }
}

#[test]
fn where_weights_differ_the_least_and_the_most_are_shown() {
    let mut desk = chosen(Tab::Rig);
    assert!(
        desk.has("Mean weights, with the smallest and the largest. Setting one applies it to all vertices.")
    );
    assert!(!desk.has_containing("–1.00"), "all have the same");
    desk.edit_scene(|scene| {
        let mesh = std::sync::Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        let mut weights = (*mesh.weights).clone();
        // A quarter of the second vertex's weight goes to the other bone.
        weights = {
            let mut all = ossature::rig::weights::VertexWeights::none(0);
            for vertex in 0..weights.vertex_count() {
                match vertex {
                    2 => all.push_row([(0, 0.75), (1, 0.25)]),
                    _ => all.push_row(weights.influences(vertex)),
                }
            }
            all
        };
        mesh.weights = std::sync::Arc::new(weights);
    });
    desk.frame();
    assert!(desk.has("0.75–1.00") && desk.has("0.00–0.25"));
    assert_eq!(desk.outside(), Vec::<String>::new());
    let one = desk.session().selection().with_vertices(vec![2]);
    desk.session().select(one);
    desk.frame();
    assert!(!desk.has_containing("Means") && !desk.has_containing("0.75–"));
}

#[test]
fn locked_bones_have_no_field_to_change_them() {
    let mut desk = chosen(Tab::Rig);
    desk.edit_scene(|scene| {
        let mesh = std::sync::Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        std::sync::Arc::make_mut(&mut mesh.skeleton).bones[0].lock_weights = true;
    });
    let mesh = desk.session().scene().skinned_meshes["Body"].clone();
    let field = format!("Weight of {}", mesh.skeleton.bone_name(0));
    assert!(desk.is_disabled(&field));
}

#[test]
fn weights_are_copied_pasted_and_found_by_their_range() {
    let mut desk = chosen(Tab::Rig);
    assert!(desk.is_disabled("Paste weights on vertices"), "nothing is copied");
    desk.click("Copy weights of vertices");
    desk.click("Grow vertices");
    let grown = desk.session().selection().vertices.len();
    assert!(grown > 2);
    desk.click("Shrink vertices");
    assert!(desk.session().selection().vertices.len() < grown);
    let all = desk.session().selection().with_vertices((0..8).collect());
    desk.session().select(all);
    let bones = desk.session().selection().with_parts([Part::Bone(0)]);
    desk.session().select(bones);
    desk.frame();
    desk.click("Least weight");
    desk.type_text("0.9");
    desk.key(Key::Enter);
    desk.click("Vertices by weight");
    assert_eq!(desk.session().selection().vertices.len(), 8);
    desk.click("Most weight");
    desk.type_text("0.95");
    desk.key(Key::Enter);
    desk.click("Vertices by weight");
    assert!(desk.session().selection().vertices.is_empty(), "all have 1");
}

/// Rows keep their order until the edit in the table is finished; the buttons never move.
#[test]
fn rows_keep_their_places_while_one_is_edited_and_buttons_always() {
    let mut desk = chosen(Tab::Rig);
    let names: Vec<String> = [0, 1]
        .map(|bone| {
            let mesh = desk.session().scene().skinned_meshes["Body"].clone();
            format!("Weight of {}", mesh.skeleton.bone_name(bone))
        })
        .to_vec();
    // Relative to the heading, since the focused field is scrolled into sight.
    let below = |desk: &Desk, label: &str| desk.rect(label).top() - desk.rect("2 vertices section").top();
    // The selected bone has no weight, but its row comes first.
    let places = |desk: &Desk| [0, 1].map(|bone| below(desk, &names[bone]));
    let buttons =
        |desk: &Desk| ["Grow vertices", "Paste weights on vertices"].map(|label| below(desk, label));
    let (before, fixed) = (places(&desk), buttons(&desk));
    assert!(before[1] < before[0], "{before:?}");
    desk.click(&names[1]);
    desk.type_text("0.25");
    desk.key(Key::Tab);
    assert!((weights_of(&mut desk, 1)[1].1 - 0.25).abs() < 1e-6);
    assert_eq!(places(&desk), before, "the next field has the focus");
    desk.frame();
    assert_eq!((places(&desk), buttons(&desk)), (before, fixed));
    desk.key(Key::Escape);
    desk.frame();
    let after = places(&desk);
    assert!(after[0] < after[1], "{after:?}");
    assert_eq!(buttons(&desk), fixed);
}
