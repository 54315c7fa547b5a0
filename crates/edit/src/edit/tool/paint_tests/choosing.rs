//! S and V choose the bone and the weight under the pointer.

use super::*;

/// S and V use the vertex of the readout and the legend, not a mean over the triangle.
#[test]
fn s_and_v_use_the_vertex_whose_weights_are_shown() {
    let mut p = painter(Tab::Rig);
    let mut skinned = (*p.session.scene().skinned_meshes["m"]).clone();
    let mut random = crate::testing::Random::new(5);
    let mut rows = VertexWeights::none(0);
    for _ in 0..skinned.surface.vertex_count() {
        let lower = random.range(0.05, 0.95);
        rows.push_row([(0, lower), (1, 1.0 - lower)]);
    }
    skinned.weights = Arc::new(rows);
    p = painter_of(skinned, Tab::Rig);
    let (mut bones, mut torn, mut missed) = ([0; 2], 0, Vec::new());
    for i in 0..40 {
        let pixel = MIDDLE + Vec2::new(0.6 + 3.7 * (i % 9) as f32, -5.3 * (i / 9) as f32);
        p.move_to(pixel);
        let under =
            |_: &mut ToolController, context: &Context| vertex_under(context.view, context.viewport, pixel);
        let Some(vertex) = p.with_tools(under) else {
            missed.push(pixel);
            continue;
        };
        let row = influences(&weights(&p), vertex);
        p.frame(&[shortcut(Shortcut::plain("S"))]);
        assert_eq!(p.session.selection().bone(), Some(row[0].0), "{pixel}");
        p.frame(&[shortcut(Shortcut::plain("V"))]);
        assert_eq!(p.settings.tools.brush.value, row[0].1, "{pixel}");
        bones[row[0].0] += 1;
        torn += usize::from(row[0].1 < 0.8);
    }
    assert!(missed.is_empty(), "{missed:?}");
    assert!(bones[0] > 5 && bones[1] > 5 && torn > 5, "{bones:?} {torn}");
}

#[test]
fn s_and_v_explain_why_they_choose_nothing() {
    let mut p = painter(Tab::Rig);
    let (bone, brush) = (p.session.selection().bone(), p.settings.tools.brush);
    for key in ["S", "V"] {
        let beside = Vec2::new(5.0, 5.0);
        p.move_to(beside);
        p.frame(&[shortcut(Shortcut::plain(key))]);
        p.move_to(beside + Vec2::X);
        let message = p.tools.prompt().to_owned();
        assert!(message.contains("not on the character"), "{key}: {message}");
        p.move_to(MIDDLE);
        assert!(p.tools.prompt() != message);
    }
    assert!((bone, brush) == (p.session.selection().bone(), p.settings.tools.brush));
    p.select(None);
    p.move_to(MIDDLE);
    p.frame(&[shortcut(Shortcut::plain("V"))]);
    p.move_to(MIDDLE);
    assert!(p.tools.prompt().contains("Select a bone"), "{}", p.tools.prompt());
}
