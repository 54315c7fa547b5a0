//! Output through a PulseAudio server, or PipeWire in its place, by its protocol: no library of the system is needed. A
//! machine with neither has no sound.

use super::{Output, SharedMixer};
use bevy::tasks::block_on;
use bevy::tasks::futures::now_or_never;
use pulseaudio::protocol::stream::{BufferAttr, StreamFlags};
use pulseaudio::protocol::{
    ChannelMap, ChannelVolume, DEFAULT_SINK, PlaybackStreamParams, SampleFormat, SampleSpec,
};
use pulseaudio::{AsPlaybackSource, Client, PlaybackStream};

/// The server converts it to what the hardware needs.
const RATE: u32 = 48_000;
/// The bytes of a sample for left and right.
const FRAME: usize = 8;
/// The bytes that the server holds: 60 ms.
const BUFFER: u32 = RATE / 1000 * 60 * FRAME as u32;

struct Pulse {
    stream: PlaybackStream,
    /// The connection, as long as the stream lives.
    _client: Client,
}

pub fn open(mixer: SharedMixer) -> Result<Box<dyn Output>, String> {
    let failed = |error: pulseaudio::ClientError| format!("PulseAudio and PipeWire do not answer ({error})");
    let client = Client::from_env(c"Ossature").map_err(failed)?;
    let params = PlaybackStreamParams {
        sample_spec: SampleSpec { format: SampleFormat::Float32Le, channels: 2, sample_rate: RATE },
        channel_map: ChannelMap::stereo(),
        cvolume: Some(ChannelVolume::norm(2)),
        sink_name: Some(DEFAULT_SINK.to_owned()),
        // Without a reserve to wait for, a stream that was not fed in time goes on where it would be by now.
        buffer_attr: BufferAttr { target_length: BUFFER, pre_buffering: 0, ..Default::default() },
        flags: StreamFlags { start_corked: true, adjust_latency: true, ..Default::default() },
        ..Default::default()
    };
    let mut amplitudes = Vec::new();
    let source = move |bytes: &mut [u8]| {
        amplitudes.resize(bytes.len() / FRAME, [0.0; 2]);
        match mixer.lock() {
            Ok(mut mixer) => mixer.fill(RATE, &mut amplitudes),
            Err(_) => amplitudes.fill([0.0; 2]),
        }
        bytes.fill(0);
        for (bytes, [left, right]) in bytes.chunks_exact_mut(FRAME).zip(&amplitudes) {
            bytes[..4].copy_from_slice(&left.to_le_bytes());
            bytes[4..].copy_from_slice(&right.to_le_bytes());
        }
        bytes.len()
    };
    let stream =
        block_on(client.create_playback_stream(params, source.as_playback_source())).map_err(failed)?;
    Ok(Box::new(Pulse { stream, _client: client }))
}

// The requests are sent when their futures are polled first; the answers do not matter.
impl Output for Pulse {
    fn start(&self) {
        let _ = now_or_never(self.stream.uncork());
    }

    fn stop(&self) {
        let _ = now_or_never(self.stream.cork());
        let _ = now_or_never(self.stream.flush());
    }

    fn flush(&self) -> bool {
        !matches!(now_or_never(self.stream.flush()), Some(Err(_)))
    }
}
