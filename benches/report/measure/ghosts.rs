//! Measures onion skins: their cost in a frame of playback, and that of a single one after a change of the
//! pose.

use super::count::{Clock, Lap, WARMUP};
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, View, ViewSettings};
use ossature::edit::time::onion::Onion;
use ossature::rig::ik;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;

/// The number of ghosts before and after the frame.
const GHOSTS: u32 = 3;

/// A session in the Animate tab with onion skins on, at a frame that has all of them.
pub struct Skins {
    session: Session,
    settings: ViewSettings,
    onion: Onion,
    mesh: String,
}

impl Skins {
    pub fn new(scene: Scene, mesh: &str) -> Self {
        let mut session = Session::new(scene, None);
        session.select(Selection::from_mesh(session.scene(), mesh));
        let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
        let onion = &mut settings.display.onion;
        (onion.on, onion.by_keys, onion.before, onion.after) = (true, false, GHOSTS, GHOSTS);
        let [first, last] = session.scene().animation.clip.play_range();
        session.set_frame(((first + last) / 2) as f32);
        Self { session, settings, onion: Onion::default(), mesh: mesh.to_owned() }
    }

    /// Does the work of the window in a frame, which evaluates at most one ghost.
    fn frame(&mut self) -> usize {
        let evaluated = Evaluated::default();
        let view = View { session: &self.session, evaluated: &evaluated, settings: &self.settings };
        let (_, ghosts) = self.onion.refresh(&view, || Some(ik::Options::default()), || false);
        ghosts.len()
    }

    /// Measures the work on onion skins in frames of playback.
    pub fn played(&mut self, frames: usize) -> Vec<Lap> {
        for _ in 0..=2 * GHOSTS {
            self.frame();
        }
        let clip = self.session.scene().animation.clip;
        self.settings.playback.play(&clip, self.session.frame());
        let mut laps = Vec::new();
        for step in 0..WARMUP + frames {
            self.session.set_frame((step as u32 % clip.length) as f32);
            let mut clock = Clock::default();
            self.frame();
            clock.lap();
            laps.extend(clock.laps);
        }
        self.settings.playback.pause();
        laps.split_off(WARMUP)
    }

    /// Measures single ghosts, each after a bone without keys was rotated.
    pub fn evaluated(&mut self, frames: usize) -> Vec<Lap> {
        let mut laps = Vec::new();
        for step in 0.. {
            let (mesh, bone) = (self.mesh.clone(), 0);
            let pose_deg = Vec3::X * (step as f32 + 1.0);
            // The keys stay the same, but the document has changed.
            let rotate = Command::set_bone(mesh, bone, "pose", pose_deg);
            let done = laps.len();
            if self.session.apply(&[rotate]).is_err() || done >= WARMUP + frames {
                break;
            }
            loop {
                let evaluated = self.onion.evaluated;
                let mut clock = Clock::default();
                self.frame();
                clock.lap();
                if self.onion.evaluated == evaluated {
                    break;
                }
                laps.extend(clock.laps);
            }
            // The clip is too short for ghosts.
            if laps.len() == done {
                break;
            }
        }
        laps.truncate(WARMUP + frames);
        laps.split_off(WARMUP.min(laps.len()))
    }
}
