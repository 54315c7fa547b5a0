//! Random walks over all commands, drags, undo and redo, a fifth of the arguments wrong.
//! `OSSATURE_WALKS` sets the number of walks, `OSSATURE_SEED` the first seed.

#![allow(clippy::print_stdout, reason = "a failed walk must say its seed")]

mod commands;

use crate::editing::{Random, effects, faults, kind, kinds, scene};
use crate::shrinking;
pub use commands::any_command;
use ossature::edit::command::Command;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::evaluate::{Evaluator, Settings};
use std::collections::BTreeMap;

const STEPS: usize = 200;

fn from_env(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_walks_can_be_undone_to_the_byte() {
    let (walks, first) = (from_env("OSSATURE_WALKS", 36), from_env("OSSATURE_SEED", 1));
    let mut tally = Tally::default();
    for seed in first..first + walks {
        println!("seed {seed}");
        Walk::new(seed).run(&mut tally);
    }
    println!("succeeded {:?}, failed {:?}", tally.succeeded, tally.failed);
    if walks >= 36 {
        for kind in kinds() {
            let times = |tally: &BTreeMap<String, usize>| tally.get(&kind).copied().unwrap_or(0);
            let (succeeded, failed) = (times(&tally.succeeded), times(&tally.failed));
            assert!(succeeded >= 25 && failed >= 25, "kind {kind}: {succeeded} succeeded, {failed} failed");
        }
    }
}

/// Short walks whose steps can be left out one by one, so that a failing one is reported as the shortest.
#[test]
fn short_walks_can_be_undone_to_the_byte() {
    let checked = shrinking::check(64, |steps| {
        let mut walk = Walk::new(0);
        for step in steps {
            walk.random = Random::from_numbers(step);
            walk.step(&mut Tally::default());
        }
        walk.finish();
    });
    assert_eq!(checked.err(), None);
}

/// The number of successes and failures of each kind of command.
#[derive(Default)]
struct Tally {
    succeeded: BTreeMap<String, usize>,
    failed: BTreeMap<String, usize>,
}

struct Walk {
    random: Random,
    session: Session,
    start: Vec<u8>,
    /// For every step of the history: frame, auto-key, and the commands; none for a dismissal.
    log: Vec<(f32, bool, Vec<Command>)>,
}

fn bytes(scene: &Scene) -> Vec<u8> {
    js3d::write(scene).unwrap()
}

impl Walk {
    fn new(seed: u64) -> Self {
        let scene = scene();
        Self {
            random: Random::new(seed),
            start: bytes(&scene),
            session: Session::new(scene, None),
            log: Vec::new(),
        }
    }

    fn run(mut self, tally: &mut Tally) {
        for _ in 0..STEPS {
            self.step(tally);
        }
        self.finish();
    }

    fn step(&mut self, tally: &mut Tally) {
        match self.random.below(10) {
            0..5 => self.apply(1, tally),
            5 => {
                let count = 2 + self.random.below(2);
                self.apply(count, tally);
            }
            6..8 => self.drag(tally),
            8 => self.undo_and_redo(),
            _ if self.random.chance(50) => self.select(),
            _ => self.move_in_time(),
        }
        self.check();
    }

    fn apply(&mut self, count: usize, tally: &mut Tally) {
        let mut ahead = self.session.animated().clone();
        let mut commands = Vec::new();
        let mut all_good = true;
        for _ in 0..count {
            let command = any_command(&mut self.random, &ahead);
            all_good &= tally.count(&command, &mut ahead);
            commands.push(command);
            // With layers, a session sets keys elsewhere than a command alone does.
            if !all_good || !ahead.animation.layers.is_empty() {
                break;
            }
        }
        let before = self.session.clone();
        let applied = self.session.apply(&commands);
        assert_eq!(applied.is_ok(), all_good, "{commands:?}: {applied:?}");
        if !all_good {
            assert!(before.scene().is_shared(self.session.scene()), "{commands:?}");
            assert_eq!(before.selection(), self.session.selection());
        }
        self.log_step(&before, commands);
    }

    /// Previews commands, then commits or cancels them.
    fn drag(&mut self, tally: &mut Tally) {
        let before = self.session.clone();
        let mut last_good = Vec::new();
        for _ in 0..1 + self.random.below(30) {
            let command = any_command(&mut self.random, before.animated());
            let good = tally.count(&command, &mut before.animated().clone());
            let shown = self.session.scene().clone();
            let previewed = self.session.preview(std::slice::from_ref(&command));
            assert_eq!(previewed.is_ok(), good, "{command:?}");
            if good {
                last_good = vec![command];
            } else {
                assert!(shown.is_shared(self.session.scene()), "{command:?}");
            }
            assert!(before.animated().is_shared(self.session.animated_before()));
            assert_eq!(faults(self.session.scene()), Vec::<String>::new());
        }
        if self.random.chance(50) {
            self.session.commit();
        } else {
            match self.random.below(3) {
                0 => self.session.undo().map_or((), drop),
                1 => self.session.redo().map_or((), drop),
                _ => assert!(self.session.cancel()),
            }
            assert!(before.scene().is_shared(self.session.scene()));
            assert_eq!(before.selection(), self.session.selection());
            assert_eq!(before.history().cursor(), self.session.history().cursor());
        }
        assert!(!self.session.in_transaction());
        self.log_step(&before, last_good);
    }

    /// Logs a new step; if there is none, checks that nothing has changed.
    fn log_step(&mut self, before: &Session, commands: Vec<Command>) {
        let (was, is) = (before.history().cursor(), self.session.history().cursor());
        if is == was {
            assert!(before.scene().is_shared(self.session.scene()));
            assert_eq!(before.history().entries().len(), self.session.history().entries().len());
        } else {
            assert_eq!((is, self.session.history().entries().len()), (was + 1, was + 1));
            self.log.truncate(was);
            self.log.push((before.frame(), before.auto_key(), commands));
        }
    }

    fn undo_and_redo(&mut self) {
        for _ in 0..1 + self.random.below(8) {
            let cursor = self.session.history().cursor();
            if self.random.chance(60) {
                assert_eq!(self.session.undo().is_some(), cursor > 0);
            } else {
                assert_eq!(self.session.redo().is_some(), cursor < self.log.len());
            }
        }
    }

    /// Moves to another frame; sometimes dismisses unkeyed changes.
    fn move_in_time(&mut self) {
        let before = self.session.clone();
        if self.random.chance(30) {
            let dismissed = self.session.dismiss_unkeyed();
            assert_eq!(dismissed, !before.unkeyed().is_empty());
            assert!(self.session.unkeyed().is_empty());
            // Only a dismissal changes the scene.
            assert!(dismissed || before.scene().is_shared(self.session.scene()));
            self.log_step(&before, Vec::new());
            return;
        }
        self.session.set_auto_key(self.random.chance(50));
        self.session.set_frame(self.random.below(30) as f32 * 0.5);
        assert!(before.scene().is_shared(self.session.scene()));
        assert!(before.unkeyed() == self.session.unkeyed());
    }

    fn select(&mut self) {
        let before = self.session.history().cursor();
        let mesh = ["Body", "Tail", "Nobody"][self.random.below(3)];
        let index = self.random.below(6);
        let part = [None, Some(Part::Bone(index)), Some(Part::Handle(index)), Some(Part::Base)];
        let selection = Selection::from_mesh(self.session.scene(), mesh);
        self.session.select(selection.with_part(part[self.random.below(4)]));
        assert_eq!(self.session.history().cursor(), before);
    }

    fn check(&self) {
        let session = &self.session;
        assert_eq!(faults(session.scene()), Vec::<String>::new());
        assert_eq!(session.selection().existing_in(session.scene()), *session.selection());
        assert_eq!(session.history().entries().len(), self.log.len());
        assert_eq!(session.is_modified(), session.history().cursor() != 0);
    }

    fn finish(mut self) {
        while self.session.redo().is_some() {}
        let end = bytes(self.session.scene());
        let seen = shown(self.session.scene());
        let mut steps = 0;
        while self.session.undo().is_some() {
            steps += 1;
        }
        assert_eq!(steps, self.log.len());
        assert!(bytes(self.session.scene()) == self.start, "undo all");
        assert!(*self.session.scene() == scene());
        while self.session.redo().is_some() {}
        assert!(bytes(self.session.scene()) == end, "redo all");
        assert!(shown(self.session.scene()) == seen, "it looks the same");
        let mut replayed = Session::new(scene(), None);
        let steps = self.session.history().entries().iter().zip(&self.log);
        for (entry, (frame, auto_key, commands)) in steps {
            assert!(bytes(&entry.before.restored().scene) == bytes(replayed.scene()), "before {commands:?}");
            replayed.set_frame(*frame);
            replayed.set_auto_key(*auto_key);
            if commands.is_empty() {
                assert!(replayed.dismiss_unkeyed());
            } else {
                replayed.apply(commands).unwrap();
            }
        }
        assert!(bytes(replayed.scene()) == end, "the commands again, from the start");
    }
}

/// The positions of all vertices at five frames.
fn shown(scene: &Scene) -> Vec<[u32; 3]> {
    let mut evaluator = Evaluator::default();
    let mut frames = Vec::new();
    for frame in [0.0, 3.5, 7.0, 11.0, 24.0] {
        let settings = Settings { frame: Some(frame), ..Settings::default() };
        let evaluated = evaluator.evaluate(scene, &settings);
        let positions = evaluated.skinned.values().flat_map(|posed| &posed.positions);
        frames.extend(positions.map(|at| at.to_array().map(f32::to_bits)));
    }
    frames
}

impl Tally {
    /// Applies a command and counts its outcome.
    fn count(&mut self, command: &Command, scene: &mut Scene) -> bool {
        let before = scene.clone();
        let done = command.apply(scene);
        if let Ok(done) = &done {
            effects::check(command, &before, scene, done);
        }
        let good = done.is_ok();
        let counts = if good { &mut self.succeeded } else { &mut self.failed };
        *counts.entry(kind(command)).or_default() += 1;
        good
    }
}
