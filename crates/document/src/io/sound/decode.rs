//! Decodes WAV and Ogg Vorbis files. What is damaged or too long is cut, and said.

use super::DecodedSound;
use std::ffi::OsStr;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use symphonia::core::audio::GenericAudioBufferRef;
use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

/// The greatest number of samples that are kept, of all channels: 128 MiB, or 11 minutes in stereo at 48 kHz.
pub const MOST_SAMPLES: usize = 1 << 26;

/// The highest rate, in samples per second.
const HIGHEST_RATE: u32 = 768_000;

const CUT: &str = "It is too long: only the first 128 MiB of it are used.";
const DAMAGED: &str = "The file is damaged: parts of it are missing.";

/// The reason why a sound cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SoundError {
    #[error("there is no file {0}")]
    Missing(String),
    #[error("the file cannot be read: {0}")]
    File(String),
    #[error("the file is empty")]
    Empty,
    #[error(
        "this is neither a WAV nor an Ogg Vorbis file, or it is damaged ({0}); convert it to one of them"
    )]
    Format(String),
    #[error("there is no sound in the file, or it is damaged")]
    Silent,
    #[error("stopped")]
    Cancelled,
}

/// Decodes a file. `progress` receives the share that is done, as far as known, and returns whether to continue.
///
/// # Errors
/// [`SoundError`].
pub fn decode_file(path: &Path, progress: &dyn Fn(f32) -> bool) -> Result<DecodedSound, SoundError> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => SoundError::Missing(path.display().to_string()),
        _ => SoundError::File(error.to_string()),
    };
    // Checked before the file is opened: opening a pipe waits for a writer.
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(SoundError::File("it is a folder, a pipe or a device".into()));
    }
    if metadata.len() == 0 {
        return Err(SoundError::Empty);
    }
    let file = File::open(path).map_err(failed)?;
    // Damaged headers overflow numbers of the library.
    catch_unwind(AssertUnwindSafe(|| decode_opened(file, path.extension(), progress)))
        .unwrap_or_else(|_| Err(SoundError::Format("its header is damaged".into())))
}

fn decode_opened(
    file: File,
    extension: Option<&OsStr>,
    progress: &dyn Fn(f32) -> bool,
) -> Result<DecodedSound, SoundError> {
    let stream = MediaSourceStream::new(Box::new(file), Default::default());
    let mut hint = Hint::new();
    if let Some(extension) = extension {
        hint.with_extension(&extension.to_string_lossy().to_lowercase());
    }
    let unsupported = |error: Error| SoundError::Format(error.to_string());
    let mut format = symphonia::default::get_probe()
        .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
        .map_err(unsupported)?;
    let track = format.default_track(TrackType::Audio).ok_or(SoundError::Silent)?;
    let parameters = track.codec_params.as_ref().and_then(|parameters| parameters.audio());
    let parameters = parameters.ok_or(SoundError::Silent)?;
    let decoder = symphonia::default::get_codecs()
        .make_audio_decoder(parameters, &AudioDecoderOptions::default())
        .map_err(unsupported)?;
    let (track, frames) = (track.id, track.num_frames);
    decode_track(&mut *format, decoder, (track, frames), progress)
}

/// Decodes the track with an id; it has `frames` samples in each channel, if known.
fn decode_track(
    format: &mut dyn FormatReader,
    mut decoder: Box<dyn AudioDecoder>,
    (track, frames): (u32, Option<u64>),
    progress: &dyn Fn(f32) -> bool,
) -> Result<DecodedSound, SoundError> {
    let mut samples = Samples::default();
    let mut flaw = None;
    let mut packets = 0_u32;
    while samples.flat.len() < MOST_SAMPLES {
        let packet = match format.next_packet() {
            Ok(Some(packet)) if packet.track_id == track => packet,
            Ok(Some(_)) => continue,
            Ok(None) => break,
            Err(_) => {
                // A file that was written through a pipe does not know where it ends.
                flaw = flaw.or(frames.map(|_| DAMAGED));
                break;
            }
        };
        packets = packets.wrapping_add(1);
        if packets.is_multiple_of(256) && !progress(samples.share_of(frames)) {
            return Err(SoundError::Cancelled);
        }
        match decoder.decode(&packet) {
            Ok(decoded) if samples.push(&decoded) => {}
            Ok(_) => {
                flaw = Some(DAMAGED);
                break;
            }
            Err(_) => flaw = Some(DAMAGED),
        }
    }
    let Samples { flat, rate, channels, .. } = &mut samples;
    if flat.len() >= MOST_SAMPLES {
        flat.truncate(MOST_SAMPLES);
        flaw = Some(CUT);
    }
    if flat.is_empty() {
        return Err(SoundError::Silent);
    }
    Ok(DecodedSound::new(*rate, *channels, std::mem::take(flat), flaw))
}

/// The samples so far.
#[derive(Default)]
struct Samples {
    /// Those of all channels, interleaved.
    flat: Vec<i16>,
    /// 0 before the first samples, as the next two.
    rate: u32,
    /// The number of channels in the file.
    source_channels: usize,
    /// The number of channels that are kept.
    channels: usize,
    packet: Vec<i16>,
}

impl Samples {
    /// Appends the samples of a packet; returns false if it has another rate or other channels than those before it.
    fn push(&mut self, decoded: &GenericAudioBufferRef) -> bool {
        let (rate, channels) = (decoded.spec().rate(), decoded.spec().channels().count());
        if self.rate == 0 {
            (self.rate, self.source_channels) = (rate, channels);
            self.channels = if channels <= 2 { channels } else { 1 };
        }
        if (rate, channels) != (self.rate, self.source_channels)
            || channels == 0
            || !(1..=HIGHEST_RATE).contains(&rate)
        {
            return false;
        }
        decoded.copy_to_vec_interleaved(&mut self.packet);
        if channels <= 2 {
            self.flat.extend_from_slice(&self.packet);
        } else {
            let mixed = self.packet.chunks_exact(channels).map(|all| {
                let sum: i64 = all.iter().map(|sample| i64::from(*sample)).sum();
                (sum / channels as i64) as i16
            });
            self.flat.extend(mixed);
        }
        true
    }

    /// The share of `frames`, the number of samples in each channel, if known.
    fn share_of(&self, frames: Option<u64>) -> f32 {
        let all = frames.unwrap_or(u64::MAX).saturating_mul(self.channels.max(1) as u64).max(1);
        (self.flat.len() as f64 / all as f64).min(1.0) as f32
    }
}
