//! The sound of the animation: decodes it in the background, and keeps what is heard in step with the frame that is shown.
//! A machine without sound output plays on in silence.

use crate::anim::clip::Clip;
use crate::anim::sound::Sound;
use crate::edit::command::Command;
use crate::edit::command::sounds::SoundCommand;
use crate::edit::request::Request;
use crate::editor::app::editor::Editor;
use crate::editor::app::jobs::Jobs;
use crate::editor::app::jobs::worker::{Progress, Worker};
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::timeline::Wave;
use crate::editor::sound::{Output, SharedMixer, open};
use crate::editor::state::{Document, Panels, Redraw, Settings};
use crate::io::picture_files::find;
use crate::io::picture_paths::path_from;
use crate::io::sound::{DecodedSound, SoundError, decode_file};
use bevy::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// The number of frames that are heard when another one is shown.
const SCRUBBED_FRAMES: f64 = 1.5;
/// How far the sound may be behind and ahead of the picture, in seconds, before it is set right. What the output holds makes
/// it be ahead.
const TOLERANCE: [f64; 2] = [0.1, 0.25];
/// The time that an output has to begin before that counts: some need a second to wake up.
const SETTLING: Duration = Duration::from_secs(1);
/// The time after which the file is looked at again: it may have come, or have been written anew.
const RECHECK: Duration = Duration::from_secs(2);

/// The sound that is loaded, and the output.
#[derive(Resource, Default)]
pub struct SoundPlayer {
    loaded: Option<Loaded>,
    mixer: SharedMixer,
    output: OutputState,
    /// When something was started last; `None` while the output is stopped.
    started: Option<Instant>,
    /// When a sound that is scrubbed has been heard.
    scrubbed_until: Option<Instant>,
    /// The frame that was shown before.
    frame: Option<f32>,
    /// The time of playback, in frames, that was due before.
    due: Option<f64>,
    /// Whether nothing is ever heard: there is nobody at the window.
    is_silent: bool,
}

/// A sound file, and what it became.
struct Loaded {
    /// The path in the scene, and the folder of the scene.
    source: (String, Option<PathBuf>),
    /// What was found there last, and when.
    file: Option<FileState>,
    checked: Instant,
    worker: Option<Worker<Result<DecodedSound, SoundError>>>,
    wave: Wave,
}

/// A file, and what tells that it was written anew.
#[derive(Debug, PartialEq)]
struct FileState {
    path: PathBuf,
    modified: Option<SystemTime>,
    bytes: u64,
}

/// Finds the file at a path relative to `folder`; `None` if there is none.
fn file_state(path: &str, folder: Option<&Path>) -> Option<FileState> {
    let path = find(path, folder)?.canonicalize().ok()?;
    let metadata = path.metadata().ok()?;
    Some(FileState { path, modified: metadata.modified().ok(), bytes: metadata.len() })
}

#[derive(Default)]
enum OutputState {
    #[default]
    Unopened,
    Opening(Worker<Result<Box<dyn Output>, String>>),
    Open(Box<dyn Output>),
    /// This machine has none.
    Absent,
}

impl SoundPlayer {
    pub fn new(is_silent: bool) -> Self {
        Self { is_silent, ..Self::default() }
    }

    /// Starts to decode the sound if it is another one than before, or if its file has come or changed since.
    fn load(&mut self, sound: Option<&Sound>, folder: Option<&Path>, jobs: &Jobs, waker: &Waker) {
        let Some(sound) = sound else {
            self.loaded = None;
            return;
        };
        let is_same = |loaded: &Loaded| {
            let (path, from) = &loaded.source;
            *path == sound.path && from.as_deref() == folder
        };
        let is_recent = |loaded: &Loaded| is_same(loaded) && loaded.checked.elapsed() < RECHECK;
        if self.loaded.as_ref().is_some_and(is_recent) {
            return;
        }
        let source = (sound.path.clone(), folder.map(Path::to_owned));
        let (file, checked) = (file_state(&sound.path, folder), Instant::now());
        // Saved in another folder, the scene has another path to the same file.
        let is_unchanged = |loaded: &Loaded| match &file {
            Some(_) => loaded.file == file,
            None => is_same(loaded),
        };
        if let Some(loaded) = self.loaded.as_mut().filter(|loaded| is_unchanged(loaded)) {
            (loaded.source, loaded.checked) = (source, checked);
            return;
        }
        let (worker, wave) = match &file {
            Some(file) => {
                let path = file.path.clone();
                let work = move |progress: &Progress| decode_file(&path, progress);
                (Some(Worker::start(jobs.gate.clone(), waker.clone(), work)), Wave::Loading)
            }
            None => (None, Wave::Failed("the file is missing".into())),
        };
        self.loaded = Some(Loaded { source, file, checked, worker, wave });
    }

    /// Takes the decoded sound, after waiting for it no longer than `wait`. Returns whether it has come.
    fn poll(&mut self, wait: Duration, messages: &mut Messages) -> bool {
        let Some(loaded) = &mut self.loaded else { return false };
        let Some(result) = loaded.worker.as_ref().and_then(|worker| worker.result(wait)) else {
            return false;
        };
        loaded.worker = None;
        let name = Sound::new(loaded.source.0.clone(), 0.0).file_name().to_owned();
        loaded.wave = match result {
            Some(Ok(sound)) => {
                if let Some(flaw) = sound.flaw() {
                    messages.push(Level::Warning, name, flaw);
                }
                Wave::Ready(Arc::new(sound))
            }
            failed => {
                let why = failed.map_or_else(
                    || "an internal error occurred".into(),
                    |result| match result {
                        Ok(_) => String::new(),
                        Err(error) => error.to_string(),
                    },
                );
                messages.push(Level::Error, format!("{name} cannot be heard"), why.clone());
                Wave::Failed(why)
            }
        };
        true
    }

    /// Opens the output if it is needed for the first time. Returns it if it is open.
    fn output(&mut self, jobs: &Jobs, waker: &Waker, messages: &mut Messages) -> Option<&dyn Output> {
        if let OutputState::Unopened = self.output {
            let mixer = self.mixer.clone();
            let worker = Worker::start(jobs.gate.clone(), waker.clone(), move |_| open(mixer));
            self.output = OutputState::Opening(worker);
        }
        if let OutputState::Opening(worker) = &self.output
            && let Some(result) = worker.result(Duration::ZERO)
        {
            self.output = match result {
                Some(Ok(output)) => OutputState::Open(output),
                failed => {
                    let why = failed.and_then(Result::err).unwrap_or_default();
                    messages.push(Level::Info, "No sound output: the animation plays in silence", why);
                    OutputState::Absent
                }
            };
        }
        match &self.output {
            OutputState::Open(output) => Some(&**output),
            _ => None,
        }
    }

    /// Ends what is heard.
    fn stop(&mut self) {
        self.scrubbed_until = None;
        if self.started.take().is_none() {
            return;
        }
        if let Ok(mut mixer) = self.mixer.lock() {
            mixer.stop();
        }
        if let OutputState::Open(output) = &self.output {
            output.stop();
        }
    }

    /// Plays from a second on, for `left` seconds.
    fn start(&mut self, sound: Arc<DecodedSound>, second: f64, speed: f64, left: f64) {
        if let Ok(mut mixer) = self.mixer.lock() {
            mixer.play(sound, second, speed, left);
        }
        let OutputState::Open(output) = &self.output else { return };
        if !output.flush() {
            (self.output, self.started) = (OutputState::Unopened, None);
            return;
        }
        if self.started.replace(Instant::now()).is_none() {
            output.start();
        }
    }

    /// Returns the sound to be heard, if it is decoded and not muted.
    fn audible(&self, sound: Option<&Sound>) -> Option<Arc<DecodedSound>> {
        let is_heard = sound.is_some_and(|sound| !sound.muted && sound.volume > 0.0);
        match self.loaded.as_ref().filter(|_| is_heard && !self.is_silent).map(|loaded| &loaded.wave) {
            Some(Wave::Ready(decoded)) => Some(decoded.clone()),
            _ => None,
        }
    }
}

/// Whether the sound has to be set right. `heard`: the second that is taken next, and its speed. `has_settled`: whether the
/// output had the time to begin.
fn is_off(heard: Option<(f64, f64)>, due: f64, speed: f64, has_settled: bool) -> bool {
    heard.is_none_or(|(second, heard_speed)| {
        let ahead = (second - due) / speed;
        heard_speed != speed || has_settled && !(-TOLERANCE[0]..=TOLERANCE[1]).contains(&ahead)
    })
}

/// Whether playback has gone back to the start of its range, from one time that was due to the next, in frames. In a short
/// range the sound is not off by much then.
fn has_looped(before: Option<f64>, due: Option<f64>) -> bool {
    before.zip(due).is_some_and(|(before, due)| due < before)
}

/// The time that a step to another frame is heard, in seconds.
fn scrubbed_seconds(clip: &Clip) -> f64 {
    SCRUBBED_FRAMES / f64::from(clip.rate)
}

/// Loads the sound of the document, and plays what belongs to the frame that is shown.
pub fn follow(
    session: Res<Document>,
    settings: Res<Settings>,
    mut player: ResMut<SoundPlayer>,
    mut panels: ResMut<Panels>,
    mut redraw: ResMut<Redraw>,
    (jobs, waker): (Res<Jobs>, Res<Waker>),
) {
    let sound = session.scene().animation.sound.as_ref();
    if sound.is_none() && player.loaded.is_none() {
        return;
    }
    let player = &mut *player;
    let folder = session.path().and_then(Path::parent);
    player.load(sound, folder, &jobs, &waker);
    let wait = if player.is_silent { jobs.patience } else { Duration::ZERO };
    if player.poll(wait, &mut panels.messages) {
        redraw.request();
    }
    panels.timeline.set_wave(player.loaded.as_ref().map_or(Wave::Loading, |loaded| loaded.wave.clone()));
    let (clip, frame) = (session.scene().animation.clip, session.frame());
    let is_step = player.frame.replace(frame).is_some_and(|before| before != frame);
    let (Some(sound), Some(decoded)) = (sound, player.audible(sound)) else {
        return player.stop();
    };
    let speed = f64::from(settings.playback.speed());
    let playing = settings.playback.time().filter(|_| speed > 0.0);
    let before = std::mem::replace(&mut player.due, playing);
    let has_looped = has_looped(before, playing);
    if (playing.is_some() || is_step) && player.output(&jobs, &waker, &mut panels.messages).is_none() {
        return;
    }
    if let Ok(mut mixer) = player.mixer.lock() {
        mixer.set_volume(sound.volume);
    }
    if let Some(time) = playing {
        let was_scrubbed = player.scrubbed_until.take().is_some();
        let heard = player.mixer.lock().ok().and_then(|mixer| mixer.now());
        let due = sound.second_at(time, &clip);
        let has_settled = player.started.is_some_and(|time| time.elapsed() >= SETTLING);
        let is_new = player.started.is_none() || was_scrubbed || has_looped;
        if is_new || is_off(heard, due, speed, has_settled) {
            player.start(decoded, due, speed, f64::INFINITY);
        }
    } else if is_step && !settings.playback.is_playing() {
        let seconds = scrubbed_seconds(&clip);
        player.start(decoded, sound.second_at(f64::from(frame), &clip), 1.0, seconds);
        // Until the output has played what it holds.
        let rest = Duration::from_secs_f64(seconds + TOLERANCE[1]);
        player.scrubbed_until = Some(Instant::now() + rest);
        waker.wake_after(rest);
    } else if player.scrubbed_until.is_none_or(|time| Instant::now() >= time) {
        player.stop();
    }
}

/// Makes a file the sound of the animation, from the first frame on or, in place of another, from where that starts.
pub fn set_sound(editor: &mut Editor, path: &Path) {
    let path = path_from(editor.session.path().and_then(Path::parent), path);
    let start = editor.session.scene().animation.sound.as_ref().map_or(0.0, |sound| sound.start);
    let command = Command::Sound(SoundCommand::Set { path, start });
    editor.requests.push(Request::Apply(vec![command]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_is_set_right_where_it_is_off() {
        let off = |second: f64, due: f64| is_off(Some((second, 1.0)), due, 1.0, true);
        // The output takes samples ahead of time.
        assert!(!off(2.06, 2.0) && !off(2.0, 2.05));
        assert!(off(2.0, 2.2) && off(2.3, 2.0));
        // A loop has begun again.
        assert!(off(4.0, 0.0));
        assert!(is_off(None, 0.0, 1.0, false) && is_off(Some((2.0, 1.0)), 2.0, 2.0, false));
        // An output that is slow to begin is not begun again and again.
        assert!(!is_off(Some((2.0, 1.0)), 2.5, 1.0, false));
        // At twice the speed, a second of sound is half a second.
        let fast = |second: f64| is_off(Some((second, 2.0)), 2.0, 2.0, true);
        assert!(!fast(2.4) && fast(2.6));
    }

    #[test]
    fn a_loop_begins_again_however_short_it_is() {
        assert!(has_looped(Some(13.9), Some(10.1)));
        assert!(!has_looped(Some(10.1), Some(13.9)) && !has_looped(None, Some(10.0)));
        assert!(!has_looped(Some(10.0), None));
        // Without the step back, the sound would go on over the end of four frames.
        let seconds = |frame: f64| frame / 24.0;
        assert!(!is_off(Some((seconds(14.0), 1.0)), seconds(10.1), 1.0, true));
    }

    #[test]
    fn a_file_that_is_written_anew_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let state = || file_state("voice.wav", Some(folder.path()));
        assert_eq!(state(), None);
        std::fs::write(folder.path().join("voice.wav"), b"RIFF").unwrap();
        let before = state();
        assert!(before.is_some() && state() == before);
        std::fs::write(folder.path().join("voice.wav"), b"RIFF and more").unwrap();
        assert!(state().is_some() && state() != before);
    }

    #[test]
    fn a_step_is_heard_for_one_and_a_half_frames() {
        assert_eq!(scrubbed_seconds(&Clip::default()), 0.0625);
    }
}
