//! Onion skins: what they add to a frame that is played, and what one costs when the pose was changed.

use super::count::{Clock, Lap};
use super::frame::WARM;
use glam::Vec3;
use ossature::edit::command::Command;
use ossature::edit::onion::Onion;
use ossature::edit::selection::Selection;
use ossature::edit::session::Session;
use ossature::edit::view::{Tab, View, ViewSettings};
use ossature::rig::ik;
use ossature::scene::Scene;
use ossature::scene::evaluate::Evaluated;

/// To either side.
const GHOSTS: u32 = 3;

/// A session in the Animate tab whose onion skins are on, at a frame that has all of them.
pub struct Skins {
    session: Session,
    settings: ViewSettings,
    onion: Onion,
    mesh: String,
}

impl Skins {
    pub fn new(scene: Scene, mesh: &str) -> Self {
        let mut session = Session::new(scene, None);
        session.select(Selection::of_mesh(session.scene(), mesh));
        let mut settings = ViewSettings {
            tab: Tab::Animate,
            ..ViewSettings::default()
        };
        let onion = &mut settings.onion;
        (onion.on, onion.by_keys, onion.before, onion.after) = (true, false, GHOSTS, GHOSTS);
        let [first, last] = session.scene().animation.clip.played();
        session.set_frame(((first + last) / 2) as f32);
        Self {
            session,
            settings,
            onion: Onion::default(),
            mesh: mesh.to_owned(),
        }
    }

    /// As the window does in a frame: one ghost at most.
    fn frame(&mut self) -> usize {
        let evaluated = Evaluated::default();
        let view = View {
            session: &self.session,
            evaluated: &evaluated,
            settings: &self.settings,
        };
        let (_, ghosts) = self.onion.shown(&view, || Some(ik::Options::default()), || false);
        ghosts.len()
    }

    /// What they add to frames that are played.
    pub fn played(&mut self, frames: usize) -> Vec<Lap> {
        for _ in 0..=2 * GHOSTS {
            self.frame();
        }
        let clip = self.session.scene().animation.clip;
        self.settings.playback.play(&clip, self.session.frame());
        let mut laps = Vec::new();
        for step in 0..WARM + frames {
            self.session.set_frame((step as u32 % clip.length) as f32);
            let mut clock = Clock::default();
            self.frame();
            clock.lap();
            laps.extend(clock.laps);
        }
        self.settings.playback.pause();
        laps.split_off(WARM)
    }

    /// A ghost, after a bone without keys was turned.
    pub fn evaluated(&mut self, frames: usize) -> Vec<Lap> {
        let mut laps = Vec::new();
        for step in 0.. {
            let (mesh, bone) = (self.mesh.clone(), 0);
            let pose_deg = Vec3::X * (step as f32 + 1.0);
            // It has the keys that it has; the document is another one all the same.
            let turn = Command::SetPose { mesh, bone, pose_deg };
            let done = laps.len();
            if self.session.apply(&[turn]).is_err() || done >= WARM + frames {
                break;
            }
            loop {
                let worked = self.onion.worked;
                let mut clock = Clock::default();
                self.frame();
                clock.lap();
                if self.onion.worked == worked {
                    break;
                }
                laps.extend(clock.laps);
            }
            // A clip too short for any.
            if laps.len() == done {
                break;
            }
        }
        laps.truncate(WARM + frames);
        laps.split_off(WARM.min(laps.len()))
    }
}
