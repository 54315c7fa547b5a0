//! The sound of an animation: its commands, its member in js3d files, decoding, and its time during playback.

use crate::editing::scene;
use ossature::anim::channel::Animation;
use ossature::anim::clip::Clip;
use ossature::anim::sound::Sound;
use ossature::edit::command::Command;
use ossature::edit::command::sounds::SoundCommand;
use ossature::edit::session::Session;
use ossature::edit::time::playback::{Playback, Repeat};
use ossature::io::picture_paths::{PicturePaths, path_from, rebase};
use ossature::io::sound::{DecodedSound, SoundError, decode_file};
use ossature::io::{js3d, report::Report};
use ossature::scene::Scene;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn with_sound(sound: Sound) -> Scene {
    let animation = Animation { sound: Some(sound), ..Animation::default() };
    Scene { animation: Arc::new(animation), ..Scene::default() }
}

fn sound(session: &Session) -> Option<Sound> {
    session.scene().animation.sound.clone()
}

#[test]
fn every_command_is_one_step_with_its_label() {
    let mut session = Session::new(scene(), None);
    let set = |path: &str, start| SoundCommand::Set { path: path.into(), start };
    for (command, label) in [
        (set("sounds/voice.wav", 4.0), "Set sound voice.wav"),
        (SoundCommand::Move { start: -12.0 }, "Start voice.wav at frame -12"),
        (SoundCommand::SetVolume { volume: 0.5 }, "Set volume of voice.wav"),
        (SoundCommand::SetMuted { muted: true }, "Mute voice.wav"),
        (SoundCommand::SetMuted { muted: false }, "Unmute voice.wav"),
        (set("beat.ogg", 0.0), "Set sound beat.ogg"),
        (SoundCommand::Remove, "Remove sound beat.ogg"),
    ] {
        let before = session.scene().clone();
        session.apply(&[Command::Sound(command.clone())]).unwrap();
        let after = session.scene().clone();
        assert!(!after.is_shared(&before), "{command:?}");
        assert_eq!(session.undo_label(), Some(label));
        session.undo();
        assert!(session.scene().is_shared(&before), "{command:?}");
        session.redo();
        assert!(session.scene().is_shared(&after), "{command:?}");
    }
}

#[test]
fn another_file_keeps_the_volume() {
    let mut session = Session::new(scene(), None);
    let set = |path: &str| Command::Sound(SoundCommand::Set { path: path.into(), start: 8.0 });
    let quieter = Command::Sound(SoundCommand::SetVolume { volume: 0.25 });
    session.apply(&[set("a.wav"), quieter, set("b.wav")]).unwrap();
    assert_eq!(sound(&session), Some(Sound { volume: 0.25, ..Sound::new("b.wav", 8.0) }));
}

#[test]
fn wrong_values_are_refused() {
    let present = with_sound(Sound::new("a.wav", 0.0));
    let nan = f32::NAN;
    for command in [
        SoundCommand::Set { path: String::new(), start: 0.0 },
        SoundCommand::Set { path: "a.wav".into(), start: nan },
        SoundCommand::Move { start: 1_000_001.0 },
        SoundCommand::SetVolume { volume: 2.1 },
        SoundCommand::SetVolume { volume: -0.1 },
        SoundCommand::SetVolume { volume: nan },
    ] {
        let mut scene = present.clone();
        assert!(Command::Sound(command.clone()).apply(&mut scene).is_err(), "{command:?}");
        assert!(scene.is_shared(&present));
    }
    for command in [
        SoundCommand::Remove,
        SoundCommand::Move { start: 1.0 },
        SoundCommand::SetVolume { volume: 1.0 },
        SoundCommand::SetMuted { muted: true },
    ] {
        let mut silent = Scene::default();
        assert!(Command::Sound(command.clone()).apply(&mut silent).is_err(), "{command:?}");
    }
}

fn read(sound: &Value) -> (Option<Sound>, Vec<(&'static str, String, bool)>) {
    let animator = json!({"FORMAT": "js3d-v1", "splines": {}, "sound": sound});
    let text = json!({"scene": {}, "animator": animator}).to_string();
    let (scene, report) = js3d::read(text.as_bytes()).unwrap();
    let found = report.findings.iter().filter(|found| found.at.starts_with("/animator"));
    let found = found.map(|found| (found.code, found.at.clone(), found.loss)).collect();
    (scene.animation.sound.clone(), found)
}

#[test]
fn a_sound_comes_back_with_members_that_nobody_here_knows() {
    let member =
        json!({"path": "sounds/voice.wav", "start": -7.5, "volume": 0.5, "muted": true, "gain": [1]});
    let (sound, found) = read(&member);
    assert_eq!(found, []);
    let scene = with_sound(sound.unwrap());
    let written = js3d::write(&scene).unwrap();
    let document: Value = serde_json::from_slice(&written).unwrap();
    assert_eq!(document["animator"]["sound"], member);
    assert_eq!(js3d::read(&written).unwrap().0, scene);
    let plain = String::from_utf8(js3d::write(&with_sound(Sound::new("a.wav", 3.0))).unwrap()).unwrap();
    assert!(!plain.contains("volume") && !plain.contains("muted"), "{plain}");
    let silent = String::from_utf8(js3d::write(&Scene::default()).unwrap()).unwrap();
    assert!(!silent.contains("sound"), "{silent}");
}

#[test]
fn broken_sounds_are_told() {
    for bad in [json!(5), json!("a.wav"), json!({}), json!({"path": ""}), json!({"path": 3, "start": 0})] {
        assert_eq!(read(&bad), (None, vec![("bad-sound", "/animator/sound".to_owned(), true)]), "{bad}");
    }
    for (name, bad) in [
        ("start", json!(2e6)),
        ("start", json!("1")),
        ("volume", json!(-1)),
        ("volume", json!(3)),
        ("muted", json!(1)),
    ] {
        let mut member = json!({"path": "a.wav"});
        member[name] = bad;
        let at = format!("/animator/sound/{name}");
        assert_eq!(read(&member), (Some(Sound::new("a.wav", 0.0)), vec![("bad-sound", at, false)]));
    }
}

#[test]
fn a_missing_sound_is_a_finding_and_stays_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = js3d::write(&with_sound(Sound::new("voice.wav", 2.0))).unwrap();
    let missing = |report: &Report| report.findings.iter().any(|found| found.code == "missing-sound");
    let (scene, report) = js3d::read_in_folder(&bytes, Some(folder.path())).unwrap();
    assert!(missing(&report));
    assert_eq!(js3d::write(&scene).unwrap(), bytes);
    let file = folder.path().join("hero.js3d");
    assert_eq!(PicturePaths::new(&scene, Some(folder.path()), &file, None).sound, None);
    std::fs::write(folder.path().join("voice.wav"), b"RIFF").unwrap();
    assert!(!missing(&js3d::read_in_folder(&bytes, Some(folder.path())).unwrap().1));
}

#[test]
fn the_path_of_a_sound_leads_to_the_same_file_from_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    for name in ["a", "b"] {
        std::fs::create_dir(home.join(name)).unwrap();
    }
    let file = home.join("a/voice.wav");
    std::fs::write(&file, b"RIFF").unwrap();
    assert_eq!(path_from(Some(&home.join("a")), &file), "voice.wav");
    assert_eq!(path_from(Some(&home.join("b")), &file), "../a/voice.wav");
    assert_eq!(Path::new(&path_from(None, &file)), file);
    let mut scene = with_sound(Sound::new("voice.wav", 0.0));
    let from = home.join("a");
    let moved = PicturePaths::new(&scene, Some(&from), &home.join("b/hero.js3d"), None);
    assert_eq!(moved.sound.as_deref(), Some("../a/voice.wav"));
    rebase(&mut scene, Some(&from), Some(&home.join("b")));
    assert_eq!(scene.animation.sound.as_ref().unwrap().path, "../a/voice.wav");
}

/// Writes a WAV file of samples that are encoded already. `tag`: 1 for whole numbers, 3 for floating point.
fn wav(folder: &Path, tag: u16, channels: u16, bits: u16, data: &[u8]) -> PathBuf {
    let (rate, block) = (8000_u32, channels * bits / 8);
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + data.len() as u32).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0");
    for word in [tag, channels] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(rate.to_le_bytes());
    bytes.extend((rate * u32::from(block)).to_le_bytes());
    for word in [block, bits] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"data");
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    let path = folder.join(format!("{tag} {channels} {bits}.wav"));
    std::fs::write(&path, bytes).unwrap();
    path
}

fn decode(path: &Path) -> Result<DecodedSound, SoundError> {
    decode_file(path, &|_| true)
}

#[test]
fn wav_files_of_any_width_have_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    // Silence, a half, minus a half, the least, and two more.
    let expected = [0_i16, 16384, -16384, -32768, 256, -256];
    let bytes_of = |bits: u16, value: i16| match bits {
        8 => vec![((value >> 8) as u8).wrapping_add(128)],
        16 => value.to_le_bytes().to_vec(),
        24 => (i32::from(value) << 8).to_le_bytes()[..3].to_vec(),
        _ => (f32::from(value) / 32768.0).to_le_bytes().to_vec(),
    };
    for channels in [1, 2] {
        for bits in [8, 16, 24, 32] {
            let data: Vec<u8> = expected.iter().flat_map(|value| bytes_of(bits, *value)).collect();
            let tag = if bits == 32 { 3 } else { 1 };
            let sound = decode(&wav(home, tag, channels, bits, &data)).unwrap();
            assert_eq!((sound.rate(), sound.channels()), (8000, usize::from(channels)));
            assert_eq!((sound.samples(), sound.flaw()), (&expected[..], None), "{bits} bits");
            assert_eq!(sound.len(), 6 / usize::from(channels));
        }
    }
}

#[test]
fn more_than_two_channels_are_mixed_and_loud_ones_are_limited() {
    let folder = tempfile::tempdir().unwrap();
    let values: Vec<u8> = (0..16_i16).flat_map(|value| (value * 100).to_le_bytes()).collect();
    let sound = decode(&wav(folder.path(), 1, 8, 16, &values)).unwrap();
    assert_eq!((sound.channels(), sound.samples()), (1, &[350, 1150][..]));
    let loud: Vec<u8> = [4.0_f32, -4.0, f32::NAN].iter().flat_map(|value| value.to_le_bytes()).collect();
    let sound = decode(&wav(folder.path(), 3, 1, 32, &loud)).unwrap();
    assert_eq!(sound.samples()[..2], [32767, -32768]);
}

#[test]
fn an_ogg_file_has_its_values() {
    // One second at 8 kHz, made by libvorbis: silence, then 400 Hz at half the amplitude.
    let sound = decode(Path::new("tests/fixtures/half.ogg")).unwrap();
    assert_eq!((sound.rate(), sound.channels(), sound.flaw()), (8000, 1, None));
    assert!((sound.seconds() - 1.0).abs() < 0.02, "{}", sound.seconds());
    let [least, greatest] = sound.min_max(0.0..0.48).unwrap();
    assert!(least > -0.02 && greatest < 0.02, "{least} {greatest}");
    let [least, greatest] = sound.min_max(0.6..0.9).unwrap();
    assert!((-0.56..-0.44).contains(&least) && (0.44..0.56).contains(&greatest), "{least} {greatest}");
}

#[test]
fn damaged_files_are_errors_or_have_a_flaw() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    assert!(matches!(decode(&home.join("none.wav")), Err(SoundError::Missing(_))));
    assert!(matches!(decode(home), Err(SoundError::File(_))));
    let file = |name: &str, bytes: &[u8]| {
        let path = home.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    assert_eq!(decode(&file("empty.wav", b"")).unwrap_err(), SoundError::Empty);
    assert!(matches!(decode(&file("text.ogg", b"no sound at all")), Err(SoundError::Format(_))));
    let whole = std::fs::read(wav(home, 1, 1, 16, &[7; 64_000])).unwrap();
    let cut = decode(&file("cut.wav", &whole[..32_044])).unwrap();
    assert!(cut.flaw().is_some());
    assert!((1..=16_000).contains(&cut.len()), "{}", cut.len());
    let ogg = std::fs::read("tests/fixtures/half.ogg").unwrap();
    // Every length and every damaged byte ends with an error or a sound, not with a panic.
    for length in (0..ogg.len()).step_by(37) {
        drop(decode(&file("cut.ogg", &ogg[..length])));
        let mut damaged = ogg.clone();
        damaged[length] ^= 0x55;
        drop(decode(&file("damaged.ogg", &damaged)));
    }
    for length in 0..48 {
        drop(decode(&file("short.wav", &whole[..length])));
        let mut damaged = whole[..400].to_vec();
        damaged[length] = 0xff;
        drop(decode(&file("damaged.wav", &damaged)));
    }
}

#[test]
fn decoding_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = wav(folder.path(), 1, 2, 16, &vec![1; 8 << 20]);
    assert_eq!(decode_file(&path, &|_| false).unwrap_err(), SoundError::Cancelled);
}

#[test]
fn the_time_of_playback_has_fractions_and_loops() {
    let clip = Clip { range: Some([10, 33]), ..Clip::default() };
    let time_after = |repeat, speed: f32, seconds: f64| {
        let mut playback = Playback::default();
        playback.repeat = repeat;
        playback.set_speed(speed);
        playback.play(&clip, 10.0);
        playback.advance(&clip, 10.0, seconds);
        playback.time()
    };
    let near = |time: Option<f64>, expected: f64| (time.unwrap() - expected).abs() < 1e-6;
    assert!(near(time_after(Repeat::Loop, 1.0, 0.25), 16.0));
    assert!(near(time_after(Repeat::Loop, 1.0, 0.51), 22.24));
    assert!(near(time_after(Repeat::Loop, 2.0, 0.25), 22.0));
    // 24 frames take a second.
    assert!(near(time_after(Repeat::Loop, 1.0, 1.25), 16.0));
    assert!(near(time_after(Repeat::PingPong, 1.0, 0.25), 16.0));
    assert_eq!(time_after(Repeat::PingPong, 1.0, 1.25), None, "backwards is silent");
    assert_eq!(time_after(Repeat::Once, 1.0, 1.25), None);
    assert_eq!(Playback::default().time(), None);
    let sound = Sound::new("voice.wav", 4.0);
    let second = sound.second_at(time_after(Repeat::Loop, 1.0, 1.25).unwrap(), &clip);
    assert!((second - 0.5).abs() < 1e-6, "12 frames after the start of the sound: {second}");
}
