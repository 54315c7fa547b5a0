//! An MP4, made by the program ffmpeg: it gets the pictures through a pipe.

use super::sink::Sink;
use crate::editor::picture::Picture;
use crate::editor::threads;
use crate::io::durable::AtomicFile;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;

/// What is said where the program is not there.
const MISSING: &str = "MP4 needs the program ffmpeg, which was not found; install it (on Debian or Ubuntu: \
apt install ffmpeg), or render to PNG or GIF";

const PROGRAM: &str = "ffmpeg";

pub struct Mp4Sink {
    draft: Option<AtomicFile>,
    ffmpeg: Child,
    /// What it says of its troubles.
    said: Option<JoinHandle<String>>,
    rgb: Vec<u8>,
}

/// H.264 is what plays everywhere; some builds of ffmpeg leave it out.
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

/// A file that may grow no further ends a program by a signal, without a word. Our own handler does not reach
/// ffmpeg; what a shell ignores, the program in its place ignores too, and says what went wrong.
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
    // Without -xerror a full disk is no failure to it. Ctrl+C is for us: we tell it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Whether the program is in one of the folders that programs are looked for in.
pub fn ffmpeg_is_there() -> bool {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(&name).is_file())
}

impl Mp4Sink {
    pub fn new(path: &Path, size: [u32; 2], rate: f32, step: u32) -> Result<Self, String> {
        if !ffmpeg_is_there() {
            return Err(MISSING.to_owned());
        }
        let not_started = |error| format!("ffmpeg could not be started: {error}");
        let draft = AtomicFile::new(path).map_err(|error| error.to_string())?;
        let listed = ffmpeg().arg("-encoders").output().map_err(not_started)?;
        let [width, height] = size;
        let mut command = ffmpeg();
        command
            .args(["-f", "rawvideo", "-pix_fmt", "rgb24"])
            .args(["-video_size", &format!("{width}x{height}")])
            .args([
                "-framerate",
                &(f64::from(rate) / f64::from(step)).to_string(),
                "-i",
                "pipe:0",
            ])
            // The colours of screens, and those that players expect of video.
            .args([
                "-vf",
                "scale=in_range=full:out_range=tv:out_color_matrix=bt709,format=yuv420p",
            ])
            .args(["-color_range", "tv", "-colorspace", "bt709"])
            .args(["-color_primaries", "bt709", "-color_trc", "iec61966-2-1"])
            .args(encoder(&String::from_utf8_lossy(&listed.stdout)))
            .args(["-movflags", "+faststart", "-f", "mp4", "-y"])
            .arg(draft.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut ffmpeg = command.spawn().map_err(not_started)?;
        // Without a thread that reads along, what it says goes by.
        let said = ffmpeg.stderr.take().and_then(|mut stderr| {
            threads::spawn(move || {
                let mut said = Vec::new();
                // What was read before an error is all there is.
                let _ = stderr.read_to_end(&mut said);
                String::from_utf8_lossy(&said).into_owned()
            })
            .ok()
        });
        Ok(Self {
            draft: Some(draft),
            ffmpeg,
            said,
            rgb: Vec::new(),
        })
    }

    /// Ends the program. What it said, if it did not do its work.
    fn ended(&mut self) -> Result<(), String> {
        drop(self.ffmpeg.stdin.take());
        let status = self.ffmpeg.wait();
        let said = self.said.take().and_then(|said| said.join().ok());
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(complaint(&said.unwrap_or_default(), &status.to_string())),
            Err(error) => Err(format!("ffmpeg did not end: {error}")),
        }
    }
}

/// The last lines count: the first ones may be of no matter.
fn complaint(said: &str, status: &str) -> String {
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(6)..].join("\n  ");
    match last.is_empty() {
        true => format!("ffmpeg failed ({status})"),
        false => format!("ffmpeg failed ({status}):\n  {last}"),
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
            // It is gone: it says why.
            _ => Err(self.ended().err().unwrap_or("ffmpeg ended too early".into())),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<(), String> {
        self.ended()?;
        match self.draft.take() {
            Some(draft) => draft.keep().map(drop).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}

impl Drop for Mp4Sink {
    /// Cancelled: the program ends before the draft goes.
    fn drop(&mut self) {
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_encoder_that_there_is() {
        let line =
            " V....D libx264              libx264 H.264 / AVC (codec h264)\n V..... mpeg4 MPEG-4 part 2\n";
        assert_eq!(encoder(line)[1], "libx264");
        assert_eq!(encoder(" V....D libopenh264 OpenH264")[1], "libopenh264");
        assert_eq!(encoder("")[1], "mpeg4");
    }

    #[test]
    fn its_own_words_are_quoted() {
        let said = "\none\ntwo\nthree\nfour\nfive\nsix\nNo space left on device\n";
        let told = complaint(said, "exit status: 1");
        assert!(
            told.starts_with("ffmpeg failed (exit status: 1):\n  two"),
            "{told}"
        );
        assert!(told.ends_with("\n  No space left on device"), "{told}");
        assert_eq!(complaint(" \n", "signal: 9"), "ffmpeg failed (signal: 9)");
    }
}
