//! Measures the frames of the play range on a thread, which stops when its job is dropped.

use crate::edit::compare::{Curves, Measurer, Pair};
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

/// The interval at which the window shows the progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

pub struct CurveJob {
    scene: Scene,
    /// The settings, without a frame.
    settings: Settings,
    measured: usize,
    /// Whether the thread has ended.
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
                waker.wake();
            });
        }
        job
    }

    /// Whether this measures `scene`, evaluated with `settings`.
    pub fn measures(&self, scene: &Scene, settings: &Settings) -> bool {
        self.settings == *settings && self.scene.is_shared(scene)
    }

    /// Returns which sides are the same in `settings`.
    pub fn same_sides(&self, settings: &Settings) -> [bool; 2] {
        match (&self.settings.compare, &settings.compare) {
            (Some(ours), Some(other)) if (&ours.mesh, &ours.instance) == (&other.mesh, &other.instance) => {
                [0, 1].map(|i| ours.sides[i] == other.sides[i])
            }
            _ => [false; 2],
        }
    }

    /// Adds the results since the last call to `curves`. Returns whether there were any.
    pub fn take(&mut self, curves: &mut Curves) -> bool {
        let before = self.measured;
        if let Ok(found) = self.found.lock() {
            loop {
                match found.try_recv() {
                    Ok((frame, sides)) => {
                        curves.set(frame, sides);
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
    let Some(mut measurer) = Measurer::new(scene, settings) else {
        return;
    };
    for frame in frames {
        if cancelled.load(Ordering::Relaxed) {
            return;
        }
        let Some(found) = measurer.measure(frame) else {
            return;
        };
        if sender.send((frame, found)).is_err() {
            return;
        }
        waker.wake_after(PROGRESS_INTERVAL);
    }
}
