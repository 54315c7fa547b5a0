//! Sessions: transactions, selection, the modified mark, what survives what.

use crate::editing::{scene, skeleton};
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::Command;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::{Proposal, Session};
use ossature::edit::settings::view::ViewSettings;
use ossature::scene::evaluate::Evaluated;

fn session() -> Session {
    let mut session = Session::new(scene(), Some("/tmp/scene.js3d".into()));
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(Part::Bone(1))));
    session
}

fn turn(x: f32) -> [Command; 1] {
    let pose_deg = Vec3::new(x, 0.0, 0.0);
    [Command::set_bone("Body".into(), 1, "pose", pose_deg)]
}

fn pose(session: &Session) -> f32 {
    skeleton(session.scene(), "Body").bones[1].pose_deg.x
}

#[test]
fn a_drag_is_one_step() {
    let mut session = session();
    let (before, seen) = (session.scene().clone(), session.animated().clone());
    for x in [1.0, 5.0, 20.0] {
        session.preview(&turn(x)).unwrap();
        assert_eq!(pose(&session), x);
        assert!(session.animated_before().is_shared(&seen));
    }
    assert!(session.in_transaction());
    assert!(!session.is_modified(), "a preview does not count yet");
    assert!(session.commit());
    assert!(!session.in_transaction());
    assert_eq!(session.undo_list().collect::<Vec<_>>(), ["Rotate Mid"]);
    assert_eq!(pose(&session), 20.0);
    session.undo();
    assert!(session.scene().is_shared(&before));
}

/// A proposal stays while other frames are shown; what is done next accepts it, and cancelling rejects it.
#[test]
fn a_proposal_is_shown_at_every_frame_and_accepted_by_going_on() {
    let propose = || {
        let mut session = session();
        session.propose(Proposal::Offer, &turn(20.0)).unwrap();
        session.propose(Proposal::Offer, &turn(30.0)).unwrap();
        session.set_frame(7.0);
        assert!(session.in_proposal() && pose(&session) == 30.0 && !session.is_modified());
        session
    };
    let mut session = propose();
    let name = Command::SetBoneName { mesh: "Body".into(), bone: 1, name: "Waist".into() };
    session.apply(&[name]).unwrap();
    assert_eq!(session.undo_list().collect::<Vec<_>>(), ["Rename Mid to Waist", "Rotate Mid"]);
    let mut session = propose();
    session.preview(&turn(5.0)).unwrap();
    assert!(!session.in_proposal() && pose(&session) == 5.0);
    session.cancel();
    assert_eq!(pose(&session), 30.0, "the drag is cancelled, not what it began from");
    let mut session = propose();
    assert!(session.cancel() && session.undo_list().next().is_none() && pose(&session) != 30.0);
}

/// A motion that plays to be looked at is gone when something else is done.
#[test]
fn a_trial_is_rejected_by_going_on() {
    let trial = || {
        let mut session = session();
        session.propose(Proposal::Trial, &turn(30.0)).unwrap();
        session
    };
    let mut session = trial();
    let name = Command::SetBoneName { mesh: "Body".into(), bone: 1, name: "Waist".into() };
    session.apply(&[name]).unwrap();
    assert_eq!(session.undo_list().collect::<Vec<_>>(), ["Rename Mid to Waist"]);
    assert!(pose(&session) != 30.0);
    let mut session = trial();
    session.preview(&turn(5.0)).unwrap();
    session.cancel();
    assert!(pose(&session) != 30.0 && session.undo_list().next().is_none());
    let mut session = trial();
    assert!(session.commit() && pose(&session) == 30.0, "unless it is accepted");
}

/// What only plays to be looked at is not saved or rendered; a drag is, as far as it has gone.
#[test]
fn before_the_document_is_read_a_preview_becomes_what_it_is_worth() {
    for (proposal, is_kept) in [(Some(Proposal::Trial), false), (Some(Proposal::Offer), true), (None, true)] {
        let mut session = session();
        match proposal {
            Some(proposal) => session.propose(proposal, &turn(30.0)).unwrap(),
            None => session.preview(&turn(30.0)).unwrap(),
        }
        session.settle();
        assert!(!session.in_transaction());
        assert_eq!(pose(&session) == 30.0, is_kept, "{proposal:?}");
        assert_eq!(session.undo_list().count(), usize::from(is_kept), "{proposal:?}");
    }
}

/// Esc ends what plays first, goes back to where it began, and deselects only then; a drag that is cancelled later leaves
/// playback alone.
#[test]
fn deselect_ends_a_preview_first() {
    let (mut session, mut settings) = (session(), ViewSettings::default());
    let carry_out = |request: Request, session: &mut Session, settings: &mut ViewSettings| {
        request.carry_out(session, settings, &Evaluated::default()).unwrap();
    };
    session.set_frame(3.0);
    carry_out(Request::Propose(Proposal::Trial, turn(30.0).to_vec()), &mut session, &mut settings);
    session.set_frame(9.0);
    assert!(settings.playback.is_playing() && session.in_proposal());
    let bone = session.selection().clone();
    carry_out(Request::Act(Action::DESELECT), &mut session, &mut settings);
    assert!(!settings.playback.is_playing() && !session.in_transaction() && pose(&session) != 30.0);
    assert_eq!((session.frame(), session.selection()), (3.0, &bone));
    carry_out(Request::Act(Action::DESELECT), &mut session, &mut settings);
    assert_ne!(session.selection(), &bone);
    // Accepted, it plays on whatever is cancelled after that.
    carry_out(Request::Propose(Proposal::Trial, turn(30.0).to_vec()), &mut session, &mut settings);
    carry_out(Request::Commit, &mut session, &mut settings);
    session.preview(&turn(5.0)).unwrap();
    carry_out(Request::Cancel, &mut session, &mut settings);
    assert!(settings.playback.is_playing() && pose(&session) == 30.0);
}

/// A label may include how far the drag went.
#[test]
fn a_drag_is_called_by_where_it_ended() {
    use ossature::anim::channel::ChannelRef;
    use ossature::edit::command::keys::{ChannelKeys, KeyCommand};
    let mut session = session();
    for offset in [1.0, 4.0, 10.0] {
        let keys = vec![ChannelKeys { channel: ChannelRef::new("Body", "bone.3.pose"), frames: vec![0.0] }];
        session.preview(&[Command::Keys(KeyCommand::Move { keys, offset })]).unwrap();
    }
    assert!(session.commit());
    assert_eq!(session.undo_label(), Some("Move 1 key by 10, replacing 1"));
}

/// Moves add up wrongly if each starts from the last preview instead of from the beginning.
#[test]
fn every_preview_starts_from_the_beginning() {
    let mut session = session();
    let add = [Command::AddHandle { mesh: "Body".into(), bone: 0 }];
    for _ in 0..3 {
        session.preview(&add).unwrap();
        assert_eq!(skeleton(session.scene(), "Body").handles.len(), 3);
        assert_eq!(session.selection().handle(), Some(2));
    }
    session.preview(&turn(1.0)).unwrap();
    assert_eq!(skeleton(session.scene(), "Body").handles.len(), 2);
    assert_eq!(session.selection().bone(), Some(1));
    assert!(session.commit());
    assert_eq!(session.undo_label(), Some("Rotate Mid"), "the last preview is what the step does");
}

#[test]
fn a_drag_that_ends_where_it_began_is_no_step() {
    let mut session = session();
    let before = session.scene().clone();
    session.preview(&turn(1.0)).unwrap();
    session.preview(&turn(0.0)).unwrap();
    assert!(!session.commit());
    assert!(session.scene().is_shared(&before));
    assert!(session.history().entries().is_empty());
    // Two commands that cancel out: equal, though not shared in between.
    let there_and_back = [turn(1.0), turn(0.0)].concat();
    session.apply(&there_and_back).unwrap();
    assert!(session.history().entries().is_empty());
    assert!(session.scene().is_shared(&before));
    assert!(!session.commit(), "nothing to commit");
}

#[test]
fn cancel_restores_scene_and_selection() {
    let mut session = session();
    let (before, selection) = (session.scene().clone(), session.selection().clone());
    session.preview(&[Command::DeleteBone { mesh: "Body".into(), bone: 1 }]).unwrap();
    assert_eq!(session.selection().bone(), Some(0));
    assert!(session.cancel());
    assert!(session.scene().is_shared(&before));
    assert_eq!(*session.selection(), selection);
    assert!(!session.cancel());
}

#[test]
fn a_failed_preview_keeps_the_last_good_one() {
    let mut session = session();
    session.preview(&turn(7.0)).unwrap();
    let shown = session.scene().clone();
    assert!(session.preview(&turn(f32::NAN)).is_err());
    assert!(session.scene().is_shared(&shown));
    assert!(session.commit());
    assert_eq!(pose(&session), 7.0);
}

#[test]
fn undo_and_redo_during_a_drag_cancel_it() {
    for redo in [false, true] {
        let mut session = session();
        session.apply(&turn(3.0)).unwrap();
        session.apply(&turn(4.0)).unwrap();
        session.undo();
        session.preview(&turn(9.0)).unwrap();
        let label = if redo { session.redo() } else { session.undo() };
        assert_eq!(label.is_some(), !redo);
        assert!(!session.in_transaction());
        assert_eq!(pose(&session), 3.0);
        assert_eq!(session.history().cursor(), 1);
        assert_eq!(session.redo_label(), Some("Rotate Mid"), "what can be redone stays");
    }
}

#[test]
fn apply_is_all_or_nothing_and_ends_a_drag() {
    let mut session = session();
    let before = session.scene().clone();
    session.preview(&turn(9.0)).unwrap();
    let second_fails = [turn(5.0), turn(f32::INFINITY)].concat();
    assert!(session.apply(&second_fails).is_err());
    assert!(session.scene().is_shared(&before));
    assert!(session.history().entries().is_empty());
    session.apply(&[]).unwrap();
    assert!(session.history().entries().is_empty());
}

#[test]
fn a_step_can_take_the_place_of_the_last_one() {
    let mut session = session();
    session.apply(&turn(3.0)).unwrap();
    session.apply(&turn(4.0)).unwrap();
    let step = session.history().step();
    session.apply_instead(&turn(5.0)).unwrap();
    assert_eq!((pose(&session), session.history().cursor(), session.redo_label()), (5.0, 2, None));
    assert!(session.history().step() > step);
    session.undo();
    assert_eq!(pose(&session), 3.0);
    session.redo();
    session.preview(&turn(9.0)).unwrap();
    assert!(session.apply_instead(&turn(f32::NAN)).is_err());
    assert_eq!((pose(&session), session.redo_label()), (3.0, Some("Rotate Mid")));
    // Nothing is left of a step that changes nothing.
    session.redo();
    session.apply_instead(&turn(3.0)).unwrap();
    assert_eq!((pose(&session), session.history().cursor()), (3.0, 1));
}

#[test]
fn adding_selects_and_deleting_selects_the_parent() {
    let mut session = session();
    let mesh = || "Body".to_owned();
    let add = Command::AddBone { mesh: mesh(), parent: Some(1), extent: Vec3::Y, radius: 1.0 };
    session.apply(&[add]).unwrap();
    assert_eq!(session.selection().bone(), Some(4));
    session.apply(&[Command::AddHandle { mesh: mesh(), bone: 4 }]).unwrap();
    assert_eq!(session.selection().handle(), Some(2));
    session.apply(&[Command::DeleteHandle { mesh: mesh(), handle: 2 }]).unwrap();
    assert_eq!(session.selection().bone(), Some(4));
    session.apply(&[Command::DeleteBone { mesh: mesh(), bone: 4 }]).unwrap();
    assert_eq!(session.selection().bone(), Some(1));
    session.undo();
    assert_eq!(session.selection().bone(), Some(4), "undo restores the selection too");
    session.redo();
    assert_eq!(session.selection().bone(), Some(1));
    session.apply(&[Command::AddHandle { mesh: "Tail".into(), bone: 0 }]).unwrap();
    assert_eq!(session.selection().mesh.as_deref(), Some("Tail"));
}

/// The same as after actions that select something when they finish.
#[test]
fn redo_selects_what_was_selected_when_it_was_undone() {
    let mut session = session();
    session.apply(&turn(3.0)).unwrap();
    session.select(session.selection().with_part(Some(Part::Bone(0))));
    session.undo();
    assert_eq!(session.selection().bone(), Some(1));
    session.redo();
    assert_eq!(session.selection().bone(), Some(0));
}

#[test]
fn selecting_is_no_step_and_keeps_to_the_scene() {
    let mut session = session();
    session.select(Selection::from_mesh(session.scene(), "Body").with_part(Some(Part::Bone(99))));
    assert_eq!(session.selection().part, None);
    assert!(session.history().entries().is_empty());
    assert!(!session.is_modified());
}

#[test]
fn modified_means_different_from_the_file() {
    let mut session = session();
    assert!(!session.is_modified());
    session.apply(&turn(1.0)).unwrap();
    assert!(session.is_modified());
    session.saved_as("/tmp/other.js3d".into());
    assert!(!session.is_modified());
    assert_eq!(session.title(), "other.js3d");
    session.undo();
    assert!(session.is_modified());
    session.redo();
    assert!(!session.is_modified());
    session.undo();
    session.apply(&turn(2.0)).unwrap();
    session.undo();
    assert!(session.is_modified(), "what was saved cannot be reached by undo any more");
    assert_eq!(Session::default().title(), "Untitled");
    assert!(!Session::default().is_modified());
}

#[test]
fn saving_during_a_drag_commits_what_was_saved() {
    let mut session = session();
    session.preview(&turn(8.0)).unwrap();
    session.saved_as("/tmp/other.js3d".into());
    assert!(!session.in_transaction() && !session.is_modified());
    assert_eq!(session.undo_label(), Some("Rotate Mid"));
}
