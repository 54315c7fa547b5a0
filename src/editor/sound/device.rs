//! Output through the interface of the system: WASAPI or Core Audio.

use super::{Output, SharedMixer};
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{ErrorKind, Stream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

struct Device {
    stream: Stream,
    is_gone: Arc<AtomicBool>,
}

pub fn open(mixer: SharedMixer) -> Result<Box<dyn Output>, String> {
    let failed = |error: cpal::Error| format!("the sound output does not open ({error})");
    let device = cpal::default_host().default_output_device().ok_or("there is no sound output")?;
    let config = device.default_output_config().map_err(failed)?.config();
    let (rate, channels) = (config.sample_rate, usize::from(config.channels).max(1));
    let mut amplitudes = Vec::new();
    let source = move |out: &mut [f32], _: &cpal::OutputCallbackInfo| {
        amplitudes.resize(out.len() / channels, [0.0; 2]);
        match mixer.lock() {
            Ok(mut mixer) => mixer.fill(rate, &mut amplitudes),
            Err(_) => amplitudes.fill([0.0; 2]),
        }
        out.fill(0.0);
        for (out, [left, right]) in out.chunks_exact_mut(channels).zip(&amplitudes) {
            match out {
                [one] => *one = 0.5 * (left + right),
                [first, second, ..] => (*first, *second) = (*left, *right),
                [] => {}
            }
        }
    };
    let is_gone = Arc::new(AtomicBool::new(false));
    let flag = is_gone.clone();
    let on_error = move |error: cpal::Error| {
        if matches!(error.kind(), ErrorKind::DeviceNotAvailable | ErrorKind::StreamInvalidated) {
            flag.store(true, Ordering::Relaxed);
        }
    };
    let stream = device.build_output_stream(config, source, on_error, None).map_err(failed)?;
    Ok(Box::new(Device { stream, is_gone }))
}

impl Output for Device {
    fn start(&self) {
        let _ = self.stream.play();
    }

    fn stop(&self) {
        let _ = self.stream.pause();
    }

    /// These systems hold a few milliseconds only.
    fn flush(&self) -> bool {
        !self.is_gone.load(Ordering::Relaxed)
    }
}
