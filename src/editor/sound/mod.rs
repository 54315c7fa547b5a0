//! Sound output: what is to be heard (`mixer`), and the ways to the loudspeakers, behind one trait. On Linux that is the
//! protocol of PulseAudio, which PipeWire speaks too; elsewhere the system's own interface. Knows no scenes.

#[cfg(any(windows, target_vendor = "apple"))]
mod device;
pub mod mixer;
#[cfg(all(unix, not(target_vendor = "apple")))]
mod pulse;

use mixer::Mixer;
use std::sync::{Arc, Mutex};

/// The mixer, shared with the thread that asks for samples.
pub type SharedMixer = Arc<Mutex<Mixer>>;

/// A way to the loudspeakers. It takes samples from the mixer that it was opened with, while it is started.
pub trait Output: Send + Sync {
    fn start(&self);
    fn stop(&self);
    /// Drops what was taken from the mixer and not heard yet, so that a change is heard at once.
    fn flush(&self);
}

/// Opens the default output, stopped. May wait for a server: not to be called where the window would wait.
///
/// # Errors
/// The reason why this machine has no sound, as a phrase.
pub fn open(mixer: SharedMixer) -> Result<Box<dyn Output>, String> {
    #[cfg(all(unix, not(target_vendor = "apple")))]
    return pulse::open(mixer);
    #[cfg(any(windows, target_vendor = "apple"))]
    return device::open(mixer);
    #[cfg(not(any(unix, windows)))]
    {
        drop(mixer);
        Err("this system has no sound output that is known here".into())
    }
}
