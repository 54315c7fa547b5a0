//! The section of weights: report, refinement, the note about moved bones, progress; and what is drawn over
//! the viewport in the weights view.

use super::mesh;
use super::support::*;
use egui::{Key, pos2};
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::settings::view::{RefineNumbers, Tab};
use ossature::editor::panels::progress::{JobKind, JobProgress};
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::bind_snapshot::BindSnapshot;
use ossature::rig::weights::refine::Refinement;
use ossature::scene::Scene;
use std::sync::Arc;

/// Sets weights of eight vertices: 0 and 5 have none, 3 a sum of 0.5, the rest are on bone 0; bone 1 moves
/// nothing.
fn faulty(scene: &mut Scene) {
    let mut weights = VertexWeights::none(0);
    for v in 0..8 {
        weights.push_row(match v {
            0 | 5 => None,
            3 => Some((0, 0.5)),
            _ => Some((0, 1.0)),
        });
    }
    let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
    body.weights = Arc::new(weights);
    body.bind_snapshot = BindSnapshot::capture(&body.skeleton, body.weight_method);
}

fn desk(part: Option<Part>) -> Desk {
    let mut desk = Desk::with_part(Tab::Rig, part);
    desk.edit_scene(faulty);
    desk
}

/// Returns the requested selection; for vertices, the view also frames them.
fn selected(requests: &[Request]) -> Selection {
    match requests {
        [Request::Select(selection)] => selection.clone(),
        [Request::Select(selection), Request::Act(action)] if *action == Action::FRAME_SELECTED => {
            selection.clone()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_report_selects_what_it_names() {
    let mut desk = desk(Some(Part::Bone(1)));
    let bones = desk.session().scene().skinned_meshes["Body"].skeleton.bones.len();
    let chosen = selected(&desk.click("2 vertices without weights"));
    assert_eq!((chosen.vertices.as_slice(), chosen.bone()), (&[0, 5][..], Some(1)));
    let chosen = selected(&desk.click("1 vertex with a sum other than 1"));
    assert_eq!(chosen.vertices.as_slice(), [3]);
    assert!(desk.has("Refine 1 selected vertex"));
    assert!(desk.has("No vertex has over 4 bones"));
    let idle = match bones {
        2 => "1 bone without influence".to_owned(),
        count => format!("{} bones without influence", count - 1),
    };
    let chosen = selected(&desk.click(&idle));
    assert_eq!(chosen.bones(), (1..bones).collect::<Vec<_>>());
    assert_eq!(chosen.vertices.as_slice(), [3], "vertices stay selected along with bones");
    desk.edit_scene(|scene| add_weights(scene, 8));
    assert!(desk.has("Every vertex has weights") && desk.has("All sums are 1"));
    assert_eq!(desk.click("Every vertex has weights"), []);
}

/// The body is the box from 0 to 1: bone 2 ends outside of it, and so does the arm.
#[test]
fn the_line_of_joints_selects_those_outside_of_the_body() {
    let mut desk = Desk::with_part(Tab::Rig, None);
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        let skeleton = Arc::make_mut(&mut body.skeleton);
        skeleton.base = Vec3::new(0.5, 0.1, 0.5);
        skeleton.bones[0].extent = Vec3::Y * 0.5;
        skeleton.bones[1].extent = Vec3::X * 0.3;
    });
    let asked = desk.click("1 joint outside the body");
    assert_eq!(selected(&asked).bones(), [2]);
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        Arc::make_mut(&mut body.skeleton).bones[1].extent = Vec3::X * 3.0;
    });
    assert_eq!(selected(&desk.click("2 joints outside the body")).bones(), [1, 2]);
    // Nothing is reported where the surface has no inside.
    desk.edit_scene(|scene| {
        let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
        body.surface = Arc::default();
    });
    assert!(!desk.has_containing("outside the body"));
}

#[test]
fn the_line_of_weights_leads_to_the_vertices_without() {
    let mut desk = desk(Some(Part::Bone(1)));
    let asked = desk.click("6 of 8 vertices have weights");
    assert_eq!(asked.last(), Some(&Request::Act(Action::FRAME_SELECTED)));
    assert_eq!(selected(&asked).vertices.as_slice(), [0, 5]);
    desk.click("Bone Spine");
    let selection = desk.session().selection().clone();
    assert_eq!((selection.bone(), selection.vertices.as_slice()), (Some(0), &[0, 5][..]));
    // Esc deselects the vertices, then the bone.
    desk.state_mut().act(Action::DESELECT);
    let selection = desk.session().selection().clone();
    assert_eq!((selection.bone(), selection.vertices.len()), (Some(0), 0));
    desk.state_mut().act(Action::DESELECT);
    assert_eq!(desk.session().selection().bone(), None);
}

#[test]
fn refining_takes_the_numbers_and_the_selected_vertices() {
    let refine = |vertices: Option<Vec<u32>>, refinement| Command::RefineWeights {
        mesh: mesh(),
        vertices,
        refinement,
    };
    let mut desk = desk(None);
    let asked = |desk: &Desk, action: Action| desk.prepared(action);
    let limit = asked(&desk, Action::LIMIT_WEIGHTS);
    assert_eq!(limit, [refine(None, Refinement::Limit { most: 4 })]);
    desk.click("Most bones");
    desk.type_text("2");
    let requests = desk.key(Key::Enter);
    let numbers = RefineNumbers { most: 2, ..RefineNumbers::default() };
    assert_eq!(requests.last(), Some(&Request::RefineNumbers(numbers)));
    desk.click("Prune below");
    desk.type_text("0.25");
    desk.key(Key::Enter);
    desk.click("Smooth factor");
    desk.type_text("0.75");
    desk.key(Key::Enter);
    desk.click("Smooth times");
    desk.type_text("3");
    desk.key(Key::Enter);
    desk.click("2 vertices without weights");
    let some = || Some(vec![0, 5]);
    let (factor, times) = (0.75, 3);
    for (action, how) in [
        (Action::LIMIT_WEIGHTS, Refinement::Limit { most: 2 }),
        (Action::PRUNE_WEIGHTS, Refinement::Prune { below: 0.25 }),
        (Action::SMOOTH_WEIGHTS, Refinement::Smooth { factor, times }),
        (Action::NORMALIZE_WEIGHTS, Refinement::Normalize),
        (Action::CLEAR_WEIGHTS, Refinement::Clear),
    ] {
        assert_eq!(asked(&desk, action), [refine(some(), how)]);
    }
    // Smoothing gives them the weights of their neighbours.
    assert_eq!(desk.click("Smooth weights"), [Request::Act(Action::SMOOTH_WEIGHTS)]);
    assert!(desk.has("All 8 vertices have weights"));
    let chosen = selected(&desk.click("Deselect vertices"));
    assert!(chosen.vertices.is_empty());
    assert!(desk.has("Refine all vertices"));
    for action in [Action::NORMALIZE_WEIGHTS, Action::CLEAR_WEIGHTS] {
        assert_eq!(desk.click(action.text), [Request::Act(action)]);
    }
    assert!(desk.is_disabled("Smooth weights"), "nothing is left");
}

#[test]
fn bones_that_moved_are_noted_until_weights_are_calculated() {
    let mut desk = desk(Some(Part::Bone(1)));
    assert!(desk.has("6 of 8 vertices have weights"));
    let extent = Vec3::new(2.0, 0.5, 0.0);
    let (mesh, bone) = (mesh(), 1);
    desk.session().apply(&[Command::set_bone(mesh, bone, "extent", extent)]).unwrap();
    desk.frame();
    assert!(desk.has_containing("changed since the weights were calculated"));
    desk.session().undo();
    desk.frame();
    assert!(!desk.has_containing("changed since"));
    desk.session().redo();
    assert_eq!(desk.click("Calculate selected bones"), [Request::Act(Action::CALCULATE_SELECTED_WEIGHTS)]);
    desk.click("Calculate bone weights");
    assert!(!desk.has_containing("changed since"));
}

#[test]
fn progress_is_shown_and_can_be_cancelled() {
    let mut desk = desk(None);
    let (kind, fraction) = (JobKind::Weights, 0.456);
    desk.state_mut().panels.job = Some(JobProgress { kind, fraction });
    desk.frame();
    assert!(desk.has("Calculating weights, 45 %"));
    assert!(!desk.has("Calculate bone weights"));
    assert_eq!(desk.click("Cancel"), [Request::CancelCalculation]);
    assert_eq!(desk.click("Cancel calculation"), [Request::CancelCalculation]);
    assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    assert_eq!(desk.outside(), Vec::<String>::new());
}

#[test]
fn the_weights_view_has_a_legend_and_names_what_is_under_the_pointer() {
    let mut desk = desk(Some(Part::Bone(1)));
    desk.pull(Vec3::ZERO);
    let scene = desk.session().scene().clone();
    desk.state_mut().evaluated.scene = scene;
    desk.frame();
    assert!(!desk.has_containing("Weight of"));
    assert_eq!(desk.click("Weights view"), [Request::Act(Action::TOGGLE_HEAT)]);
    desk.frame();
    assert!(desk.has("Weight of Arm"));
    assert!(desk.has("No weights: 2") && desk.has("Sum is not 1: 1"));
    desk.state_mut().panels.probe = Some((pos2(700.0, 400.0), 3));
    desk.frame();
    assert!(desk.has("Vertex 3") && desk.has("0.500") && desk.has("Sum 0.5000"));
    desk.state_mut().panels.probe = Some((pos2(1020.0, 890.0), 5));
    desk.frame();
    assert!(desk.has("Vertex 5") && desk.has_containing("stays where it is"));
    assert_eq!(desk.outside(), Vec::<String>::new());
    desk.state_mut().panels.probe = None;
    let mesh = Selection::from_mesh(desk.session().scene(), "Body");
    desk.session().select(mesh);
    desk.frame();
    assert!(desk.has("Strongest bone"));
    assert_eq!(desk.click("Rainbow colours"), [Request::Act(Action::TOGGLE_RAINBOW)]);
}

#[test]
fn the_view_says_what_comes_next() {
    for tab in [Tab::Rig, Tab::Animate] {
        let mut desk = Desk::with_part(tab, None);
        desk.pull(Vec3::ZERO);
        let scene = desk.session().scene().clone();
        desk.state_mut().evaluated.scene = scene;
        desk.frame();
        let weights = "The bones do not move the mesh yet";
        assert!(desk.has(weights), "{tab:?}");
        let viewport = desk.rect("Viewport");
        assert!(!viewport.intersects(desk.rect(weights)), "it covers nothing");
        desk.state_mut().panels.tool = Some((Action::NEW_BONE, "Click".into()));
        desk.frame();
        assert!(!desk.has(weights));
        desk.state_mut().panels.tool = None;
        desk.edit_scene(|scene| add_weights(scene, 8));
        assert!(!desk.has(weights));
        desk.edit_scene(|scene| {
            let body = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
            (body.skeleton, body.weights) = (Arc::default(), VertexWeights::none(8).into());
        });
        assert!(desk.has("This mesh has no bones yet"), "{tab:?}");
        assert_eq!(desk.doubled_labels(), Vec::<String>::new());
    }
}
