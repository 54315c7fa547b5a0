//! Writes an MP4 by the program ffmpeg, which gets the pictures through a pipe.

use super::sink::Sink;
use crate::editor::picture::Picture;
use crate::editor::threads;
use crate::io::durable::AtomicFile;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// The error message if the program is missing.
const MISSING: &str = "MP4 needs the program ffmpeg, which was not found; install it (on Debian or Ubuntu: \
apt install ffmpeg), or render to PNG or GIF";

const PROGRAM: &str = "ffmpeg";

/// The sound of a film.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundTrack {
    pub path: PathBuf,
    /// The second of the sound at the first picture; negative if it starts later.
    pub second: f64,
    /// The length of the film, in seconds.
    pub duration: f64,
    /// The factor of its amplitude.
    pub volume: f32,
}

impl SoundTrack {
    /// Returns the arguments that read the file, and those that put it beside the pictures.
    fn arguments(&self) -> [Vec<OsString>; 2] {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let mut input =
            words(&["-protocol_whitelist", "file", "-ss", &format!("{:.6}", self.second.max(0.0)), "-i"]);
        let mut path = OsString::from("file:");
        path.push(&self.path);
        input.push(path);
        let mut filter = format!("volume={}", self.volume);
        if self.second < 0.0 {
            filter += &format!(",adelay={:.0}:all=1", -1000.0 * self.second);
        }
        // A film that goes on after its sound is silent.
        filter += ",apad";
        let duration = format!("{:.6}", self.duration);
        let output = [
            "-map", "0:v:0", "-map", "1:a:0", "-af", &filter, "-c:a", "aac", "-b:a", "192k", "-t", &duration,
        ];
        [input, words(&output)]
    }
}

pub struct Mp4Sink {
    draft: Option<AtomicFile>,
    ffmpeg: Child,
    /// The thread that reads its error messages.
    stderr: Option<JoinHandle<String>>,
    rgb: Vec<u8>,
}

/// Returns the arguments of the best available encoder: H.264 plays everywhere, but some builds of ffmpeg
/// lack it.
fn encoder(listed: &str) -> [&'static str; 4] {
    let has = |name: &str| listed.split_whitespace().any(|word| word == name);
    if has("libx264") {
        ["-c:v", "libx264", "-crf", "17"]
    } else if has("libopenh264") {
        ["-c:v", "libopenh264", "-b:v", "8M"]
    } else {
        ["-c:v", "mpeg4", "-q:v", "2"]
    }
}

/// Returns the command that starts ffmpeg so that it ignores SIGXFSZ: at the file size limit, this signal
/// would end it without a message. Our own handler is not inherited, but a signal that a shell ignores is
/// ignored by the program that it executes.
#[cfg(unix)]
fn program() -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", PROGRAM]);
    shell
}

#[cfg(not(unix))]
fn program() -> Command {
    Command::new(PROGRAM)
}

fn ffmpeg() -> Command {
    let mut command = program();
    command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-xerror"]);
    // Without -xerror, ffmpeg does not fail on a full disk. Its own process group keeps Ctrl+C from reaching
    // it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Whether the program is in one of the folders of PATH.
pub fn has_ffmpeg() -> bool {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(&name).is_file())
}

impl Mp4Sink {
    pub fn new(
        path: &Path,
        size: [u32; 2],
        rate: f32,
        step: u32,
        sound: Option<&SoundTrack>,
    ) -> Result<Self, String> {
        if !has_ffmpeg() {
            return Err(MISSING.to_owned());
        }
        let not_started = |error| format!("ffmpeg could not be started: {error}");
        let draft = AtomicFile::new(path).map_err(|error| error.to_string())?;
        let listed = ffmpeg().arg("-encoders").output().map_err(not_started)?;
        let [width, height] = size;
        let [sound_input, sound_output] = sound.map(SoundTrack::arguments).unwrap_or_default();
        let mut command = ffmpeg();
        command
            .args(["-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-video_size", &format!("{width}x{height}")])
            .args(["-framerate", &(f64::from(rate) / f64::from(step)).to_string(), "-i", "pipe:0"])
            .args(sound_input)
            // Converts the colours of screens to those that players expect in a video.
            .args(["-vf", "scale=in_range=full:out_range=tv:out_color_matrix=bt709,format=yuv420p"])
            .args(["-color_range", "tv", "-colorspace", "bt709"])
            .args(["-color_primaries", "bt709", "-color_trc", "iec61966-2-1"])
            .args(encoder(&String::from_utf8_lossy(&listed.stdout)))
            .args(sound_output)
            .args(["-movflags", "+faststart", "-f", "mp4", "-y"])
            .arg(draft.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut ffmpeg = command.spawn().map_err(not_started)?;
        // Without a thread to read them, error messages are lost.
        let stderr = ffmpeg.stderr.take().and_then(|mut stderr| {
            threads::spawn(move || {
                let mut output = Vec::new();
                // After an error, what was read before it is used.
                let _ = stderr.read_to_end(&mut output);
                String::from_utf8_lossy(&output).into_owned()
            })
            .ok()
        });
        Ok(Self { draft: Some(draft), ffmpeg, stderr, rgb: Vec::new() })
    }

    /// Ends the program. Returns its error messages if it failed.
    fn close(&mut self) -> Result<(), String> {
        drop(self.ffmpeg.stdin.take());
        let status = self.ffmpeg.wait();
        let output = self.stderr.take().and_then(|thread| thread.join().ok());
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(failure_message(&output.unwrap_or_default(), &status.to_string())),
            Err(error) => Err(format!("ffmpeg did not end: {error}")),
        }
    }
}

/// Returns a message with the last lines of the output; earlier ones may be irrelevant.
fn failure_message(output: &str, status: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(6)..].join("\n  ");
    if last.is_empty() {
        format!("ffmpeg failed ({status})")
    } else {
        format!("ffmpeg failed ({status}):\n  {last}")
    }
}

impl Sink for Mp4Sink {
    fn put(&mut self, _frame: u32, picture: &Picture) -> Result<(), String> {
        self.rgb.clear();
        for [r, g, b, _] in picture.rgba.as_chunks::<4>().0 {
            self.rgb.extend([r, g, b]);
        }
        let stdin = self.ffmpeg.stdin.as_mut();
        match stdin.map(|stdin| stdin.write_all(&self.rgb)) {
            Some(Ok(())) => Ok(()),
            // ffmpeg has ended: its error messages say why.
            _ => Err(self.close().err().unwrap_or("ffmpeg ended too early".into())),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<(), String> {
        self.close()?;
        match self.draft.take() {
            Some(draft) => draft.commit().map(drop).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}

impl Drop for Mp4Sink {
    /// Ends the program before the draft is removed, if the job was cancelled.
    fn drop(&mut self) {
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_available_encoder_is_chosen() {
        let line =
            " V....D libx264              libx264 H.264 / AVC (codec h264)\n V..... mpeg4 MPEG-4 part 2\n";
        assert_eq!(encoder(line)[1], "libx264");
        assert_eq!(encoder(" V....D libopenh264 OpenH264")[1], "libopenh264");
        assert_eq!(encoder("")[1], "mpeg4");
    }

    #[test]
    fn the_sound_begins_where_the_pictures_do() {
        let track = |second| SoundTrack { path: "a b.wav".into(), second, duration: 2.5, volume: 0.5 };
        let [input, output] = track(1.25).arguments();
        assert_eq!(input[2..], ["-ss", "1.250000", "-i", "file:a b.wav"]);
        assert!(
            output.contains(&"volume=0.5,apad".into()) && output.ends_with(&["-t".into(), "2.500000".into()])
        );
        let [input, output] = track(-0.5).arguments();
        assert_eq!(input[3], "0.000000");
        assert!(output.contains(&"volume=0.5,adelay=500:all=1,apad".into()), "{output:?}");
    }

    #[test]
    fn error_messages_are_quoted() {
        let output = "\none\ntwo\nthree\nfour\nfive\nsix\nNo space left on device\n";
        let message = failure_message(output, "exit status: 1");
        assert!(message.starts_with("ffmpeg failed (exit status: 1):\n  two"), "{message}");
        assert!(message.ends_with("\n  No space left on device"), "{message}");
        assert_eq!(failure_message(" \n", "signal: 9"), "ffmpeg failed (signal: 9)");
    }
}
