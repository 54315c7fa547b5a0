//! The sound: our own member of `animator`, which Scotty3D ignores. Absent if there is none.

use super::json::Node;
use super::reader::{Members, Reader};
use crate::anim::sound::Sound;
use crate::io::report::Severity;

pub const SOUND: &str = "sound";
pub const PATH: &str = Sound::MEMBERS[0];
pub const START: &str = Sound::MEMBERS[1];
/// Absent at full volume.
pub const VOLUME: &str = Sound::MEMBERS[2];
/// Absent if the sound is heard.
pub const MUTED: &str = Sound::MEMBERS[3];

/// Takes the sound. One without a path is reported and dropped; other invalid members get their defaults.
pub fn read(r: &mut Reader<'_>, m: &mut Members<'_>) -> Option<Sound> {
    let node = m.take(SOUND)?;
    r.within(SOUND, |r| {
        let Node::Object(items) = node else {
            let text = format!("expected a sound, found {}; it is dropped", node.kind());
            r.report_loss(Severity::Warning, "bad-sound", text);
            return None;
        };
        let mut m = r.members(items);
        let path = match m.take(PATH) {
            Some(Node::Text(path)) if !path.is_empty() => path.to_string(),
            _ => {
                let text = "a sound needs the path of a file; it is dropped";
                r.report_loss(Severity::Warning, "bad-sound", text);
                return None;
            }
        };
        let mut sound = Sound::new(path, 0.0);
        let [quiet, loud] = Sound::VOLUMES;
        let is_volume = |volume: f32| (quiet..=loud).contains(&volume);
        sound.start = number(r, &mut m, START, 0.0, Sound::is_start, "a frame; it starts at frame 0");
        sound.volume = number(r, &mut m, VOLUME, 1.0, is_volume, "a number from 0 to 2; 1 is used");
        sound.muted = match m.take(MUTED) {
            None => false,
            Some(Node::Bool(muted)) => muted,
            Some(_) => {
                r.within(MUTED, |r| r.warn("bad-sound", "expected true or false; the sound is not muted"));
                false
            }
        };
        sound.extra = r.rest(m);
        Some(sound)
    })
}

/// Takes a number; `default` if it is absent or, with a finding, invalid.
fn number(
    r: &mut Reader<'_>,
    m: &mut Members<'_>,
    name: &str,
    default: f32,
    is_valid: impl Fn(f32) -> bool,
    rule: &str,
) -> f32 {
    let Some(node) = m.take(name) else { return default };
    match node.number().map(|wide| wide as f32) {
        Some(value) if is_valid(value) => value,
        _ => {
            r.within(name, |r| r.warn("bad-sound", format!("expected {rule}")));
            default
        }
    }
}
