//! Parsers of arguments shared by several commands, and lookup of the objects they name.

use super::CliError;
use super::output::Output;
use super::surfaces;
use crate::anim::clip::Clip;
use crate::edit::command::Command;
use crate::edit::command::effects::Effects;
use crate::edit::time::layer_keys;
use crate::io::file::ReadError;
use crate::io::report::Report;
use crate::rig::skeleton::Skeleton;
use crate::rig::skinning::Method;
use crate::scene::Scene;
use crate::scene::evaluate::{Evaluated, Posed};
use crate::scene::skinned::SkinnedMesh;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use glam::Vec3;
use std::ffi::OsString;
use std::path::Path;

/// Reads one of some words, which help lists.
pub fn one_of<T, const N: usize>(words: [(&'static str, T); N]) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    let names = PossibleValuesParser::new(words.each_ref().map(|(name, _)| *name));
    names.try_map(move |name| {
        let found = words.iter().find(|(word, _)| *word == name);
        found.map(|(_, value)| value.clone()).ok_or("unknown")
    })
}

/// A vector for a bone, `BONE=X,Y,Z`. The bone is an index or a name.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneValue {
    pub bone: String,
    pub value: Vec3,
}

/// Joins numbers below zero to the options before them, `--frame -1` to `--frame=-1`: they are values, which the option
/// takes or refuses, and no options.
pub fn with_numbers_joined(arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    for argument in arguments {
        let argument = argument.into();
        let is_negative = match argument.as_encoded_bytes() {
            [b'-', b'.', digit, ..] | [b'-', digit, ..] => digit.is_ascii_digit(),
            _ => false,
        };
        let is_option = |before: &&mut OsString| {
            let text = before.to_string_lossy();
            text.len() > 2 && text.starts_with("--") && !text.contains('=')
        };
        match joined.last_mut().filter(|before| is_negative && is_option(before)) {
            Some(option) => {
                option.push("=");
                option.push(argument);
            }
            None => joined.push(argument),
        }
    }
    joined
}

/// Parses a whole number that is not negative.
pub fn whole(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "it must be a whole number from 0 on".to_owned())
}

/// Parses `BONE=X,Y,Z`; the name may contain `=`.
pub fn bone_value(text: &str) -> Result<BoneValue, String> {
    let wrong = || format!("“{text}” is not of the form BONE=X,Y,Z");
    let (bone, numbers) = text.rsplit_once('=').ok_or_else(wrong)?;
    let numbers: Result<Vec<f32>, _> = numbers.split(',').map(|n| n.trim().parse::<f32>()).collect();
    let [x, y, z] = numbers.map_err(|_| wrong())?[..] else {
        return Err(wrong());
    };
    Ok(BoneValue { bone: bone.trim().to_owned(), value: Vec3::new(x, y, z) })
}

/// Parses `NAME=NEW`.
pub fn rename(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or_else(|| format!("“{text}” is not of the form NAME=NEW"))?;
    Ok((old.to_owned(), new.to_owned()))
}

/// Parses `BONE=factor`; the name may contain `=`.
pub fn bone_factor(text: &str) -> Result<(String, f32), String> {
    let wrong = || format!("“{text}” is not of the form BONE=factor");
    let (bone, factor) = text.rsplit_once('=').ok_or_else(wrong)?;
    let factor = factor.trim().parse().map_err(|_| wrong())?;
    Ok((bone.trim().to_owned(), factor))
}

/// Parses a skinning method, given by name or as the fraction of dual quaternions.
pub fn skinning(text: &str) -> Result<Method, String> {
    match text {
        "linear" => Ok(Method::LINEAR),
        "dual-quaternion" => Ok(Method::DUAL_QUATERNION),
        _ => {
            let number = text.parse::<f32>();
            let number = number.map_err(|_| "it is linear, dual-quaternion or a number from 0 to 1");
            Method::try_from(number?).map_err(|error| error.to_string())
        }
    }
}

/// Parses an inclusive range of frames, `A..B`, or a single frame, `A`.
pub fn frames(text: &str) -> Result<[u32; 2], String> {
    let wrong = || format!("“{text}” is not of the form FIRST..LAST");
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let [first, last] = [number(first)?, number(last)?];
    if first > last || last >= Clip::MAX_LENGTH {
        return Err(format!(
            "“{text}”: the first frame must not come after the last, the last not after 999,999"
        ));
    }
    Ok([first, last])
}

/// Parses [`frames`] for commands that process all of them at once, and limits their number.
pub fn frames_at_once(text: &str) -> Result<[u32; 2], String> {
    let [first, last] = frames(text)?;
    if last - first < Clip::MAX_AT_ONCE {
        Ok([first, last])
    } else {
        Err(format!(
            "“{text}” names {} frames; at most {} can be processed at once",
            last - first + 1,
            Clip::MAX_AT_ONCE
        ))
    }
}

/// Returns the frames of the given take, or else the play range.
///
/// # Errors
/// Fails if there is no such take, or if every `step`th frame is too many to process at once.
pub fn played_at_once(scene: &Scene, take: Option<&str>, step: u32) -> Result<[u32; 2], CliError> {
    let [first, last] = match take {
        Some(name) => take_range(scene, name)?,
        None => scene.animation.clip.play_range(),
    };
    if (last - first) / step.max(1) < Clip::MAX_AT_ONCE {
        Ok([first, last])
    } else {
        Err(CliError::Other(format!(
            "frames {first} to {last} are played, and at most {} can be processed at once; choose some with \
             --frames FIRST..LAST",
            Clip::MAX_AT_ONCE
        )))
    }
}

fn take_range(scene: &Scene, name: &str) -> Result<[u32; 2], CliError> {
    let takes = &scene.animation.takes;
    let found = takes.get(name).map(|take| take.range);
    found.ok_or_else(|| {
        let names = takes.list.iter().take(100).map(|take| format!("“{}”", take.name));
        let available = match names.collect::<Vec<_>>().join(", ") {
            names if names.is_empty() => "the scene has no takes".to_owned(),
            names => format!("available: {names}"),
        };
        CliError::Other(format!("there is no take called “{name}”; {available}"))
    })
}

/// Parses `WxH`, with sides of 16 to 8192 pixels.
pub fn size(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("“{text}” is not of the form WxH, such as 1280x720");
    let (width, height) = text.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
    let pixels = |number: &str| number.trim().parse::<u32>().map_err(|_| wrong());
    let (width, height) = (pixels(width)?, pixels(height)?);
    if [width, height].iter().all(|side| (16..=8192).contains(side)) {
        return Ok((width, height));
    }
    Err("a side must be 16 to 8192 pixels long".into())
}

/// Reads a file like [`surfaces::read`] and prints its findings to standard error.
pub fn load(path: &Path, output: &mut Output) -> Result<Scene, CliError> {
    load_with_report(path, output).map(|(scene, _)| scene)
}

/// Reads a scene like [`load`] and returns its findings too.
pub fn load_with_report(path: &Path, output: &mut Output) -> Result<(Scene, Report), CliError> {
    let (scene, report) = surfaces::read(path).map_err(|error| unreadable(path, error))?;
    output.findings(path, &report);
    Ok((scene, report))
}

/// Returns the error for a file that could not be read.
pub fn unreadable(path: &Path, error: ReadError) -> CliError {
    let path = path.to_owned();
    CliError::Read { path, error }
}

/// Checks that the number of an option is finite.
pub fn finite(option: &str, value: f32) -> Result<f32, CliError> {
    if value.is_finite() {
        return Ok(value);
    }
    Err(CliError::Other(format!("{option} must be a finite number")))
}

/// Returns a skinned mesh of a scene.
pub fn skinned<'a>(scene: &'a Scene, mesh: &str) -> Result<&'a SkinnedMesh, CliError> {
    let found = scene.skinned_meshes.get(mesh);
    found.map(|skinned| &**skinned).ok_or_else(|| missing_mesh(mesh))
}

/// Returns a posed mesh of an evaluated scene.
pub fn posed<'a>(evaluated: &'a Evaluated, mesh: &str) -> Result<&'a Posed, CliError> {
    let found = evaluated.skinned.get(mesh);
    found.map(|posed| &**posed).ok_or_else(|| missing_mesh(mesh))
}

fn missing_mesh(mesh: &str) -> CliError {
    CliError::Other(format!("there is no skinned mesh called “{mesh}” any more; choose another with --mesh"))
}

/// Returns the name of the skinned mesh called `name`, or of the only one.
pub fn one_mesh(scene: &Scene, name: Option<&str>) -> Result<String, CliError> {
    one_mesh_or(scene, name, "choose one with --mesh")
}

/// Like [`one_mesh`], with `advice` on how to choose one of several.
pub fn one_mesh_or(scene: &Scene, name: Option<&str>, advice: &str) -> Result<String, CliError> {
    let mut names = scene.skinned_meshes.keys();
    match (name, names.next(), names.next()) {
        (Some(name), _, _) if scene.skinned_meshes.contains_key(name) => Ok(name.to_owned()),
        (None, Some(only), None) => Ok(only.clone()),
        (_, None, _) => Err(CliError::Other(
            "the scene has no skinned mesh; `ossature convert` makes one of a mesh, and `ossature fit` gives it \
             a skeleton"
                .into(),
        )),
        (Some(name), ..) => Err(CliError::Other(format!(
            "there is no skinned mesh called “{name}”; available: {}",
            all_names(scene)
        ))),
        (None, ..) => Err(CliError::Other(format!(
            "the scene has several skinned meshes; {advice}: {}",
            all_names(scene)
        ))),
    }
}

/// Returns the name of the skinned mesh called `name`, or of all of them (at least one).
pub fn meshes(scene: &Scene, name: Option<&str>) -> Result<Vec<String>, CliError> {
    if name.is_none() && !scene.skinned_meshes.is_empty() {
        return Ok(scene.skinned_meshes.keys().cloned().collect());
    }
    one_mesh(scene, name).map(|mesh| vec![mesh])
}

fn all_names(scene: &Scene) -> String {
    let names: Vec<_> = scene.skinned_meshes.keys().map(|name| format!("“{name}”")).collect();
    names.join(", ")
}

/// Finds a bone by index or name.
pub fn find_bone(skeleton: &Skeleton, text: &str) -> Result<usize, CliError> {
    let count = skeleton.bones.len();
    if let Ok(index) = text.parse::<usize>() {
        if index < count {
            return Ok(index);
        }
        let text = format!("there is no bone {index}; there are {}", all_bones(skeleton));
        return Err(CliError::Other(text));
    }
    let named: Vec<_> = (0..count).filter(|&bone| skeleton.bone_name(bone) == text).collect();
    match named[..] {
        [bone] => Ok(bone),
        [] => Err(CliError::Other(format!(
            "there is no bone called “{text}”; there are {}",
            all_bones(skeleton)
        ))),
        _ => Err(CliError::Other(format!("several bones are called “{text}” ({named:?}); give an index"))),
    }
}

/// Lists bones by index and name for errors, as in `0 (pelvis), 1 (spine)`, up to a limit.
fn all_bones(skeleton: &Skeleton) -> String {
    const SHOWN: usize = 100;
    let count = skeleton.bones.len();
    if count == 0 {
        return "none".into();
    }
    let shown: Vec<String> =
        (0..count.min(SHOWN)).map(|bone| format!("{bone} ({})", skeleton.bone_name(bone))).collect();
    let more = match count - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more, which `ossature info` lists"),
    };
    shown.join(", ") + &more
}

/// Applies commands as the window does, all or none.
pub fn apply(scene: &mut Scene, commands: &[Command]) -> Result<Effects, CliError> {
    let stored = scene.clone();
    apply_to_shown(scene, &stored, commands)
}

/// Does the same to a scene as it is shown at a frame: keys of what is shown are those with which its layers show it.
pub fn apply_to_shown(shown: &mut Scene, stored: &Scene, commands: &[Command]) -> Result<Effects, CliError> {
    let mut changed = shown.clone();
    let mut effects = Effects::default();
    for command in commands {
        for command in layer_keys::resolved(command, stored, &changed).iter() {
            effects.extend(command.apply(&mut changed)?);
        }
    }
    *shown = changed;
    Ok(effects)
}

/// Sets the skinning method of all skinned meshes, if one is given.
#[cfg(feature = "editor")]
pub fn set_skinning(scene: &mut Scene, method: Option<crate::rig::skinning::Method>) -> Result<(), CliError> {
    let Some(method) = method else { return Ok(()) };
    let meshes: Vec<String> = scene.skinned_meshes.keys().cloned().collect();
    let set = meshes.into_iter().map(|mesh| Command::SetSkinning { mesh, method });
    apply(scene, &set.collect::<Vec<_>>()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rig::skeleton::Bone;
    use std::ffi::OsStr;

    #[test]
    fn numbers_below_zero_belong_to_the_option_before() {
        let joined =
            |text: &str| with_numbers_joined(text.split(' ')).join(OsStr::new(" ")).into_string().unwrap();
        assert_eq!(joined("keys a.js3d --simplify -1"), "keys a.js3d --simplify=-1");
        assert_eq!(joined("skin --frames -1..2 --front -.5,0,0"), "skin --frames=-1..2 --front=-.5,0,0");
        for same in ["pose -1", "keys --frame=1 -1", "keys --json -o x", "keys -- -1", "fit --front -y"] {
            assert_eq!(joined(same), same);
        }
    }

    #[test]
    fn bone_values_parse() {
        let value = bone_value("Arm=L=1,-2.5, 3e1").unwrap();
        assert_eq!((value.bone.as_str(), value.value), ("Arm=L", Vec3::new(1.0, -2.5, 30.0)));
        for bad in ["Arm", "Arm=", "Arm=1,2", "Arm=1,2,3,4", "Arm=1,2,x", "1,2,3"] {
            assert!(bone_value(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn frames_parse() {
        assert_eq!((frames("3..12"), frames(" 0 .. 0"), frames("7")), (Ok([3, 12]), Ok([0, 0]), Ok([7, 7])));
        for bad in ["", "..", "3..", "4..3", "-1..2", "1..2..3", "1.5..2", "0..1000000"] {
            assert!(frames(bad).is_err(), "{bad}");
        }
        assert_eq!(frames_at_once("5..10004"), Ok([5, 10_004]));
        assert!(frames_at_once("5..10005").unwrap_err().contains("at most 10000"));
    }

    #[test]
    fn sizes_parse() {
        assert_eq!(size("1280x720"), Ok((1280, 720)));
        for bad in ["1280", "1280x", "x720", "0x720", "99999x10", "-1x20", "1280x720x3"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn bones_are_found_by_index_and_name() {
        let named = |channel_id, name: Option<&str>| Bone {
            name: name.map(Into::into),
            channel_id,
            ..Bone::default()
        };
        let skeleton = Skeleton {
            bones: vec![
                named(0, Some("Hip")),
                named(5, None),
                named(2, Some("Twin")),
                named(3, Some("Twin")),
            ],
            ..Skeleton::default()
        };
        assert_eq!(find_bone(&skeleton, "3").unwrap(), 3);
        assert_eq!(find_bone(&skeleton, "Hip").unwrap(), 0);
        assert_eq!(find_bone(&skeleton, "bone 5").unwrap(), 1);
        for bad in ["4", "Twin", "hip", "", "-1", "bone 1"] {
            assert!(find_bone(&skeleton, bad).is_err(), "{bad}");
        }
    }
}
