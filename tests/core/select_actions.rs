//! Actions that select, and actions on several selected parts.

use crate::editing;

use crate::editing::scene;
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::ViewSettings;
use ossature::scene::evaluate::Evaluated;

/// A session with `parts` of the body selected, the first one active.
fn session(parts: &[Part]) -> Session {
    let mut session = Session::new(scene(), None);
    let body = Selection::from_mesh(session.scene(), "Body");
    session.select(body.with_parts(parts.iter().copied()));
    session
}

fn after(parts: &[Part], action: Action) -> Vec<Part> {
    let mut session = session(parts);
    let request = Request::Act(action);
    let done = request.carry_out(&mut session, &mut ViewSettings::default(), &Evaluated::default());
    assert_eq!(done, Ok(true), "{action:?}");
    session.selection().parts().collect()
}

fn bones<const N: usize>(bones: [usize; N]) -> Vec<Part> {
    bones.map(Part::Bone).to_vec()
}

#[test]
fn parents_and_children_are_found() {
    let scene = scene();
    let skeleton = editing::skeleton(&scene, "Body");
    let count = skeleton.bones.len();
    for bone in 0..count {
        let parent = skeleton.bones[bone].parent.map(|p| Part::Bone(p as usize));
        let expected = parent.unwrap_or(Part::Bone(bone));
        let one = [Part::Bone(bone)];
        assert_eq!(after(&one, Action::SELECT_PARENT), [expected], "of {bone}");
        let children: Vec<Part> = (0..count)
            .filter(|child| skeleton.bones[*child].parent == Some(bone as u32))
            .map(Part::Bone)
            .collect();
        let expected = if children.is_empty() { one.to_vec() } else { children.clone() };
        assert_eq!(after(&one, Action::SELECT_CHILDREN), expected, "of {bone}");
        let mut both = after(&one, Action::EXTEND_TO_CHILDREN);
        both.sort();
        let mut expected = children;
        expected.push(Part::Bone(bone));
        expected.sort();
        assert_eq!(both, expected, "with {bone}");
    }
    let roots: Vec<Part> =
        (0..count).filter(|b| skeleton.bones[*b].parent.is_none()).map(Part::Bone).collect();
    assert_eq!(after(&[Part::Base], Action::SELECT_CHILDREN), roots);
    let of_handle = Part::Bone(skeleton.handles[0].bone as usize);
    assert_eq!(after(&[Part::Handle(0)], Action::SELECT_PARENT), [of_handle]);
}

#[test]
fn a_chain_grows_to_its_root() {
    let scene = scene();
    let skeleton = editing::skeleton(&scene, "Body");
    let tip = skeleton.bones.len() - 1;
    let mut chain = vec![tip];
    while let Some(parent) = skeleton.bones[chain[chain.len() - 1]].parent {
        chain.push(parent as usize);
    }
    assert!(chain.len() > 1);
    let mut parts = bones([tip]);
    for _ in 1..chain.len() {
        parts = after(&parts, Action::EXTEND_TO_PARENT);
    }
    assert_eq!(parts[0], Part::Bone(chain[chain.len() - 1]), "the last found is active");
    parts.sort();
    chain.sort_unstable();
    assert_eq!(parts, chain.into_iter().map(Part::Bone).collect::<Vec<_>>());
}

#[test]
fn all_and_the_others() {
    let count = editing::skeleton(&scene(), "Body").bones.len();
    let all = after(&[Part::Bone(1), Part::Handle(0)], Action::SELECT_ALL);
    assert_eq!((all[0], all.len()), (Part::Bone(1), count));
    let others = after(&bones([1]), Action::INVERT_SELECTION);
    assert_eq!(others.len(), count - 1);
    assert!(!others.contains(&Part::Bone(1)));
    assert_eq!(after(&all, Action::INVERT_SELECTION), []);
}

#[test]
fn several_are_deleted_in_one_step() {
    let before = scene();
    let mut session = session(&[Part::Bone(0), Part::Handle(1), Part::Bone(1)]);
    let mut settings = ViewSettings::default();
    let delete = Request::Act(Action::DELETE);
    delete.carry_out(&mut session, &mut settings, &Evaluated::default()).unwrap();
    let left = editing::skeleton(session.scene(), "Body");
    let ids: Vec<u32> = left.bones.iter().map(|b| b.channel_id).collect();
    assert_eq!(ids, [7, 4]);
    let handles: Vec<u32> = left.handles.iter().map(|h| h.channel_id).collect();
    assert_eq!(handles, [2]);
    assert_eq!(session.undo_list().count(), 1);
    session.undo();
    assert!(*session.scene() == before);
}

#[test]
fn a_step_on_several_says_how_many() {
    let mut session = session(&[]);
    let turn = |bone| Command::set_bone("Body".into(), bone, "pose", Vec3::X);
    let commands: Vec<Command> = (0..3).map(turn).collect();
    session.apply(&commands[..1]).unwrap();
    let one = session.undo_label().unwrap().to_owned();
    session.undo();
    session.apply(&commands).unwrap();
    assert_eq!(session.undo_label(), Some(format!("{one} and 2 more").as_str()));
    session.undo();
    session.preview(&commands).unwrap();
    session.commit();
    assert_eq!(session.undo_label(), Some(format!("{one} and 2 more").as_str()));
}
