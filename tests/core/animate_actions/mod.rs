//! Actions on frames and keys: what they do to the session, or why they are disabled.

mod held;
mod layers;
mod sound;
mod takes;
mod time;

use crate::editing::keys::channel;
use crate::editing::scene;
use glam::Vec3;
use ossature::anim::channel::{ChannelRef, Value};
use ossature::edit::action::{Action, Menu, Prepared, Reason};
use ossature::edit::command::Command;
use ossature::edit::command::keys::KeyCommand;
use ossature::edit::command::takes::TakeCommand;
use ossature::edit::request::Request;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::key_state::{KeyState, state};
use ossature::edit::time::keying;
use ossature::edit::time::playback::Repeat;
use ossature::scene::evaluate::Evaluated;
use ossature::scene::{Scene, channels};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Bone 1, with keys at 0 and 10: 0 and 90 degrees about x.
const MID: &str = "bone.3.pose";

struct Desk {
    session: Session,
    settings: ViewSettings,
    evaluated: Evaluated,
}

impl Desk {
    fn new(part: Option<Part>, frame: f32) -> Self {
        Self::with(scene(), part, frame)
    }

    fn with(scene: Scene, part: Option<Part>, frame: f32) -> Self {
        let mut session = Session::new(scene, None);
        session.select(Selection::from_mesh(session.scene(), "Body").with_part(part));
        session.set_frame(frame);
        let settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
        Self { session, settings, evaluated: Evaluated::default() }
    }

    fn ask(&mut self, request: Request) {
        let done = request.carry_out(&mut self.session, &mut self.settings, &self.evaluated);
        assert_eq!(done, Ok(true), "{request:?}");
    }

    fn act(&mut self, action: Action) {
        self.ask(Request::Act(action));
    }

    fn view<T>(&self, look: impl FnOnce(&View) -> T) -> T {
        look(&View { session: &self.session, settings: &self.settings, evaluated: &self.evaluated })
    }

    fn why_not(&self, action: Action) -> Option<String> {
        self.view(|view| action.enabled(view).err().map(Reason::into_owned))
    }

    fn frame(&self) -> f32 {
        self.session.frame()
    }

    fn times(&self, name: &str) -> Vec<f32> {
        let found = self.session.scene().animation.get(&channel("Body", name));
        found.map_or(Vec::new(), |found| found.times())
    }

    fn mid_x(&self) -> f32 {
        match channels::value(self.session.animated(), &channel("Body", MID)) {
            Some(Value::Vec3(v)) => v.x,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the visible x angles of the bones at a frame.
    fn angles(&mut self, frame: f32) -> Vec<f32> {
        self.session.set_frame(frame);
        let skeleton = &self.session.animated().skinned_meshes["Body"].skeleton;
        skeleton.bones.iter().map(|bone| bone.pose_deg.x).collect()
    }

    fn turn(&mut self, x: f32) {
        self.ask(Request::Apply(vec![Command::set_bone("Body".into(), 1, "pose", Vec3::new(x, 0.0, 0.0))]));
    }

    fn range(&self) -> Option<[u32; 2]> {
        self.session.scene().animation.clip.range
    }
}

const MID_BONE: Option<Part> = Some(Part::Bone(1));

/// Actions on what has to be made first, two sides, a cycle, a layer or a sound: see `time`, `takes`, `layers` and `sound`.
pub const MADE_FIRST: [Action; 7] = [
    Action::COMPLETE_CYCLE,
    Action::REPEAT_CYCLE,
    Action::DELETE_LAYER,
    Action::MERGE_LAYER,
    Action::MASK_LAYER,
    Action::MUTE_SOUND,
    Action::REMOVE_SOUND,
];

/// An enabled action has applicable commands or a frame; a disabled one has a reason and neither.
#[test]
fn what_is_enabled_can_be_done() {
    let mut done = BTreeSet::new();
    for part in [None, MID_BONE, Some(Part::Handle(0)), Some(Part::Base)] {
        for (frame, held) in [(0.0, false), (10.0, false), (7.0, true), (95.0, false)] {
            for tab in [Tab::Rig, Tab::Animate] {
                let mut desk = Desk::new(part, frame);
                if held {
                    desk.turn(5.0);
                    let range = Some([2, 40]);
                    desk.ask(Request::Apply(vec![Command::Keys(KeyCommand::SetRange { range })]));
                    let (name, range) = ("Step".into(), [2, 40]);
                    desk.ask(Request::Apply(vec![Command::Takes(TakeCommand::Add { name, range })]));
                }
                desk.settings.tab = tab;
                for &action in Menu::ANIMATE.actions {
                    let prepared = desk.view(|view| action.prepare(view));
                    let frame = match &prepared {
                        Ok(Prepared::Commands { frame, .. }) => *frame,
                        Ok(Prepared::ShowFrame { frame, .. }) => Some(*frame),
                        _ => None,
                    };
                    match desk.why_not(action) {
                        // The window asks for a name first.
                        None if matches!(prepared, Ok(Prepared::App(_))) => drop(done.insert(action.id)),
                        None => {
                            let mut desk = Desk {
                                session: desk.session.clone(),
                                settings: desk.settings.clone(),
                                evaluated: Evaluated::default(),
                            };
                            desk.act(action);
                            assert_eq!(frame.unwrap_or(desk.frame()), desk.frame(), "{action:?}");
                            done.insert(action.id);
                        }
                        Some(why) => {
                            assert!(prepared.is_err(), "{action:?}");
                            assert!(why.ends_with('.') && why.len() > 10, "{action:?}: {why}");
                        }
                    }
                    assert!(tab == Tab::Animate || desk.why_not(action).is_some(), "{action:?}");
                }
            }
        }
    }
    done.extend(MADE_FIRST.map(|action| action.id));
    assert_eq!(done.len(), Menu::ANIMATE.actions.len(), "{done:?}");
}

#[test]
fn keys_of_the_selection_of_the_character_and_of_everything() {
    let mut desk = Desk::new(MID_BONE, 4.0);
    desk.act(Action::INSERT_KEYS);
    assert_eq!(desk.times(MID), [0.0, 4.0, 10.0]);
    assert_eq!(desk.times("base_offset"), Vec::<f32>::new());
    desk.act(Action::INSERT_CHARACTER_KEYS);
    let character = keying::character_channels(desk.session.scene(), "Body");
    // The base, four bones, and two handles with three channels each.
    assert_eq!(character.len(), 11);
    let at = |desk: &Desk, all: &[ChannelRef]| keying::keys_at(desk.session.scene(), all, 4.0).len();
    assert_eq!(at(&desk, &character), 11);
    let all = channels::all(desk.session.scene());
    assert!(at(&desk, &all) == 11 && all.len() > 11);
    desk.act(Action::INSERT_ALL_KEYS);
    assert_eq!(at(&desk, &all), all.len());
    desk.act(Action::DELETE_KEYS);
    assert_eq!((at(&desk, &all), desk.times(MID)), (all.len() - 1, vec![0.0, 10.0]));
    desk.act(Action::DELETE_ALL_KEYS);
    assert_eq!(at(&desk, &all), 0);
    assert_eq!(desk.times(MID), [0.0, 10.0]);
    assert_eq!(
        desk.why_not(Action::DELETE_KEYS).as_deref(),
        Some("Nothing selected has a key at this frame.")
    );
}

#[test]
fn keys_move_with_the_frame_and_undo_brings_both_back() {
    let mut desk = Desk::new(MID_BONE, 10.0);
    for (action, frame) in
        [(Action::MOVE_KEYS_RIGHT, 11.0), (Action::MOVE_KEYS_LEFT, 10.0), (Action::MOVE_KEYS_LEFT, 9.0)]
    {
        desk.act(action);
        assert_eq!((desk.times(MID), desk.frame()), (vec![0.0, frame], frame));
        assert_eq!(desk.mid_x(), 90.0);
    }
    desk.act(Action::FIRST_FRAME);
    desk.session.select(Selection::default());
    desk.act(Action::UNDO);
    assert_eq!((desk.times(MID), desk.frame()), (vec![0.0, 10.0], 10.0));
    assert_eq!(desk.session.selection().part, MID_BONE);
}

#[test]
fn frames_and_keys_are_gone_through() {
    let mut desk = Desk::new(MID_BONE, 5.0);
    for (action, frame) in [
        (Action::NEXT_KEY, 10.0),
        (Action::PREVIOUS_FRAME, 9.0),
        (Action::NEXT_FRAME, 10.0),
        (Action::PREVIOUS_KEY, 0.0),
        (Action::LAST_FRAME, 95.0),
        (Action::FIRST_FRAME, 0.0),
    ] {
        desk.act(action);
        assert_eq!(desk.frame(), frame, "{action:?}");
    }
    assert!(desk.session.undo_label().is_none());
    for action in [Action::PREVIOUS_FRAME, Action::PREVIOUS_KEY] {
        assert!(desk.why_not(action).is_some(), "{action:?}");
    }
    // Without keys on the selection, all keys count.
    let mut desk = Desk::new(Some(Part::Base), 5.0);
    desk.act(Action::NEXT_KEY);
    assert_eq!(desk.frame(), 10.0);
    // With keys on the selection, others do not count.
    desk.session.set_frame(20.0);
    desk.act(Action::INSERT_KEYS);
    desk.session.set_frame(5.0);
    desk.act(Action::NEXT_KEY);
    assert_eq!(desk.frame(), 20.0);
}

#[test]
fn length_and_play_range() {
    let mut desk = Desk::new(None, 30.0);
    let length = |desk: &Desk| desk.session.scene().animation.clip.length;
    desk.act(Action::ADD_FRAMES);
    assert_eq!(length(&desk), 96 + 24);
    desk.act(Action::START_RANGE);
    assert_eq!(desk.range(), Some([30, 119]));
    desk.session.set_frame(40.0);
    desk.act(Action::END_RANGE);
    assert_eq!(desk.range(), Some([30, 40]));
    // Beyond the other end, the range starts or stops at the frame and extends to the clip's end or start.
    desk.session.set_frame(60.0);
    desk.act(Action::START_RANGE);
    assert_eq!(desk.range(), Some([60, 119]));
    desk.session.set_frame(20.0);
    desk.act(Action::END_RANGE);
    assert_eq!(desk.range(), Some([0, 20]));
    desk.act(Action::LAST_FRAME);
    assert_eq!(desk.frame(), 20.0);
    desk.act(Action::CLEAR_RANGE);
    assert_eq!(desk.range(), None);
    desk.session.set_frame(5.0);
    desk.act(Action::TRIM_END);
    assert_eq!((length(&desk), desk.times(MID)), (6, vec![0.0]));
    assert!(desk.why_not(Action::TRIM_END).is_some());
}

#[test]
fn unkeyed_changes_are_keyed_or_dismissed() {
    for (action, times, x) in
        [(Action::KEY_UNKEYED, vec![0.0, 5.0, 10.0], 20.0), (Action::DISMISS_UNKEYED, vec![0.0, 10.0], 45.0)]
    {
        let mut desk = Desk::new(MID_BONE, 5.0);
        assert!(desk.why_not(action).is_some());
        desk.turn(20.0);
        assert_eq!(desk.session.unkeyed().len(), 1);
        desk.act(action);
        assert!(desk.session.unkeyed().is_empty());
        assert_eq!(desk.times(MID), times, "{action:?}");
        assert!((desk.mid_x() - x).abs() < 1e-3, "{action:?}: {}", desk.mid_x());
        desk.act(Action::UNDO);
        assert_eq!((desk.session.unkeyed().len(), desk.mid_x()), (1, 20.0));
    }
    let mut desk = Desk::new(MID_BONE, 5.0);
    desk.act(Action::TOGGLE_AUTO_KEY);
    desk.turn(20.0);
    assert_eq!(desk.times(MID), [0.0, 5.0, 10.0]);
    desk.act(Action::TOGGLE_AUTO_KEY);
    desk.turn(30.0);
    assert_eq!(desk.session.unkeyed().len(), 1);
}

/// A changed value stops playback, to be seen; keys, the selection and the start of the range do not.
#[test]
fn what_ends_playing() {
    let turn = || {
        let pose_deg = Vec3::X;
        vec![Command::set_bone("Body".into(), 1, "pose", pose_deg)]
    };
    let rate = KeyCommand::SetRange { range: Some([0, 50]) };
    let act = Request::Act;
    for (request, plays) in [
        (Request::Select(Selection::default()), true),
        (act(Action::INSERT_KEYS), true),
        (act(Action::FIRST_FRAME), true),
        (act(Action::ADD_FRAMES), true),
        (act(Action::TOGGLE_AUTO_KEY), true),
        (act(Action::TOGGLE_XRAY), true),
        (Request::Repeat(Repeat::PingPong), true),
        (Request::Speed(2.0), true),
        (Request::Apply(vec![Command::Keys(rate)]), true),
        (act(Action::PLAY), false),
        (act(Action::NEXT_FRAME), false),
        (act(Action::LAST_FRAME), false),
        (act(Action::MOVE_KEYS_RIGHT), false),
        (Request::SetFrame(3.0), false),
        (Request::Apply(turn()), false),
        (Request::Preview(turn()), false),
        (act(Action::UNDO), false),
        (act(Action::TAB_RIG), false),
    ] {
        let mut desk = Desk::new(MID_BONE, 10.0);
        desk.turn(90.5);
        desk.session.set_frame(10.0);
        desk.act(Action::PLAY);
        assert!(desk.settings.playback.is_playing());
        desk.ask(request.clone());
        assert_eq!(desk.settings.playback.is_playing(), plays, "{request:?}");
    }
}

/// First Frame continues playback from the first frame.
#[test]
fn first_frame_restarts_what_plays() {
    let mut desk = Desk::new(None, 50.0);
    desk.act(Action::PLAY);
    desk.act(Action::FIRST_FRAME);
    let clip = desk.session.scene().animation.clip;
    let frame = desk.settings.playback.advance(&clip, desk.frame(), 0.5);
    assert_eq!(frame, Some(12.0));
}

#[test]
fn fields_know_how_values_stand_to_their_keys() {
    let mid = [channel("Body", MID)];
    let both = [channel("Body", MID), channel("Body", "bone.0.pose")];
    let none = [channel("Body", "bone.0.pose")];
    let mut desk = Desk::new(MID_BONE, 10.0);
    let states = |desk: &Desk| [&mid[..], &both[..], &none[..]].map(|c| state(&desk.session, c));
    use KeyState::{Animated, Keyed, Static, Unkeyed};
    assert_eq!(states(&desk), [Keyed, Animated, Static]);
    desk.session.set_frame(5.0);
    assert_eq!(states(&desk), [Animated, Animated, Static]);
    desk.turn(1.0);
    assert_eq!(states(&desk), [Unkeyed, Unkeyed, Static]);
    // A channel without keys is static.
    let mut scene = scene();
    Arc::make_mut(&mut scene.animation).channels.clear();
    let desk = Desk::with(scene, MID_BONE, 0.0);
    assert_eq!(states(&desk), [Static; 3]);
    assert_eq!(state(&desk.session, &[]), Static);
}
