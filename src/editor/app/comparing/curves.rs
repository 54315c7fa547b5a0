//! Measures the frames that are played, on a thread of its own, and stops when nobody wants them any more.

use crate::edit::compare::{Curves, Measuring, Pair};
use crate::editor::app::wake::Waker;
use crate::editor::threads;
use crate::scene::Scene;
use crate::scene::evaluate::Settings;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Found = (u32, Pair);

/// How often the window shows how far it is.
const SHOW: Duration = Duration::from_millis(100);

pub struct CurveJob {
    scene: Scene,
    /// At no frame.
    settings: Settings,
    measured: usize,
    /// The thread has nothing more to say.
    ended: bool,
    found: Mutex<Receiver<Found>>,
    cancelled: Arc<AtomicBool>,
}

impl CurveJob {
    pub fn start(scene: Scene, settings: Settings, frames: Range<u32>, waker: Waker) -> Self {
        let (sender, found) = channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Self {
            scene: scene.clone(),
            settings: settings.clone(),
            measured: 0,
            ended: false,
            found: Mutex::new(found),
            cancelled: cancelled.clone(),
        };
        if !frames.is_empty() {
            threads::spawn_or_run(move || {
                run(&scene, &settings, frames, &sender, &cancelled, &waker);
                waker.now();
            });
        }
        job
    }

    /// Whether it measures `scene` evaluated by `settings`.
    pub fn is_of(&self, scene: &Scene, settings: &Settings) -> bool {
        self.settings == *settings && self.scene.is_shared(scene)
    }

    /// Which sides are the same.
    pub fn same_sides(&self, settings: &Settings) -> [bool; 2] {
        match (&self.settings.compare, &settings.compare) {
            (Some(ours), Some(other)) if (&ours.mesh, &ours.instance) == (&other.mesh, &other.instance) => {
                [0, 1].map(|i| ours.sides[i] == other.sides[i])
            }
            _ => [false; 2],
        }
    }

    /// Puts what has been found since the last time into `curves`. True if anything has.
    pub fn take(&mut self, curves: &mut Curves) -> bool {
        let before = self.measured;
        if let Ok(found) = self.found.lock() {
            loop {
                match found.try_recv() {
                    Ok((frame, sides)) => {
                        curves.put(frame, sides);
                        self.measured += 1;
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => {
                        self.ended = true;
                        break;
                    }
                }
            }
        }
        self.measured > before
    }

    pub fn measured(&self) -> usize {
        self.measured
    }

    pub fn is_done(&self) -> bool {
        self.ended
    }
}

impl Drop for CurveJob {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

fn run(
    scene: &Scene,
    settings: &Settings,
    frames: Range<u32>,
    sender: &Sender<Found>,
    cancelled: &AtomicBool,
    waker: &Waker,
) {
    let Some(mut measuring) = Measuring::new(scene, settings) else {
        return;
    };
    for frame in frames {
        if cancelled.load(Ordering::Relaxed) {
            return;
        }
        let Some(found) = measuring.at(frame) else { return };
        if sender.send((frame, found)).is_err() {
            return;
        }
        waker.after(SHOW);
    }
}
