//! Sound output: what is to be heard (`mixer`), and the ways to the loudspeakers, behind one trait. On Linux that is the
//! protocol of PulseAudio, which PipeWire speaks too; elsewhere the system's own interface. Knows no scenes.
//!
//! `open` opens the default output, stopped, or returns the reason, as a phrase, why this machine has no sound. It may wait
//! for a server: it is not to be called where the window would wait.

#[cfg(any(windows, target_vendor = "apple"))]
mod device;
pub mod mixer;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod pulse;

#[cfg(any(windows, target_vendor = "apple"))]
pub use device::open;
use mixer::Mixer;
#[cfg(all(unix, not(target_vendor = "apple")))]
pub use pulse::open;
use std::sync::{Arc, Mutex};

/// The mixer, shared with the thread that asks for samples.
pub type SharedMixer = Arc<Mutex<Mixer>>;

/// A way to the loudspeakers. It takes samples from the mixer that it was opened with, while it is started.
pub trait Output: Send + Sync {
    fn start(&self);
    fn stop(&self);
    /// Drops what was taken from the mixer and not heard yet, so that a change is heard at once. Returns false if the device
    /// or the server is gone: another output can be opened.
    fn flush(&self) -> bool;
}
