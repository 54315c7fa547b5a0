//! The preferences that the program remembers between runs: its window, panels, view switches and recent
//! files. `docs/preferences.md` describes the file.

mod members;

use self::members::Misfit;
use crate::edit::settings::options::Options;
use crate::edit::settings::view::ViewSettings;
use crate::io::durable;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The name of the file in the folder of [`file_in`].
pub const FILE: &str = "preferences.json";

/// The maximum number of recent files.
const MAX_RECENT: usize = 12;

/// The content of the file of preferences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The version of the file format.
    pub version: u32,
    pub window: WindowPlacement,
    /// Widths and heights that the user gave to panels, in points.
    pub panels: BTreeMap<String, f32>,
    pub view: ViewSettings,
    pub options: Options,
    /// The folder where files were last chosen, by the kind of file.
    pub folders: BTreeMap<String, PathBuf>,
    /// Files that were opened or saved, the latest first.
    pub recent: Vec<PathBuf>,
    /// The file as it was read: its members from other versions, and those that could not be read, are
    /// written back.
    #[serde(skip)]
    original: Value,
    #[serde(skip)]
    misfits: Vec<Misfit>,
}

/// The size of the window in points, and the position of its inner corner in physical pixels of the desktop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WindowPlacement {
    pub size: [f32; 2],
    /// `None` if the desktop does not report it.
    pub corner: Option<[i32; 2]>,
}

impl Default for WindowPlacement {
    fn default() -> Self {
        Self { size: [1280.0, 800.0], corner: None }
    }
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            version: 1,
            window: WindowPlacement::default(),
            panels: BTreeMap::new(),
            view: ViewSettings::default(),
            options: Options::default(),
            folders: BTreeMap::new(),
            recent: Vec::new(),
            original: Value::Null,
            misfits: Vec::new(),
        }
    }
}

/// Returns the path of the preferences according to environment variables: in the folder `OSSATURE_CONFIG` if
/// that is set, otherwise in `ossature` in the system's folder for settings. `None` if there is no such
/// folder or that variable is empty, in which case nothing is remembered.
pub fn file_in(environment: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(folder) = environment("OSSATURE_CONFIG") {
        return (!folder.is_empty()).then(|| PathBuf::from(folder).join(FILE));
    }
    // The XDG specification requires relative paths to be ignored.
    let folder = |name: &str| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    Some(settings?.join("ossature").join(FILE))
}

impl Preferences {
    /// Reads the file. Missing files and unreadable members give defaults. A file without any readable
    /// members is renamed, with `.broken` appended. Problems are reported as a sentence.
    pub fn read(path: &Path) -> (Self, Option<String>) {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Default::default(),
            Err(error) => return (Self::default(), Some(format!("{}: {error}", path.display()))),
        };
        match serde_json::from_str(&text).map(Value::Object) {
            Ok(original) => {
                let (fitting, misfits) =
                    members::split(&original, &|tried| Self::deserialize(tried).map(drop));
                let read = Self::deserialize(&fitting).unwrap_or_default();
                let read = Self { original, misfits, ..read.clamped() };
                let problems = read.problems();
                let message = problems.map(|problems| format!("{}: {problems}", path.display()));
                (read, message)
            }
            Err(error) => {
                let mut aside = path.as_os_str().to_owned();
                aside.push(".broken");
                let aside = PathBuf::from(aside);
                let outcome = match fs::rename(path, &aside) {
                    Ok(()) => format!("it is now {}", aside.display()),
                    Err(error) => format!("and it could not be set aside: {error}"),
                };
                let message = format!("{}: {error}; {outcome}", path.display());
                (Self::default(), Some(message))
            }
        }
    }

    /// Describes the members of the file that are ignored.
    fn problems(&self) -> Option<String> {
        let misfits = self.misfits.iter().map(|misfit| format!("{misfit} (its default counts)"));
        // A later version may have other actions.
        let unknown = self.options.keys.unknown();
        let unknown = unknown
            .filter(|_| self.version <= Self::default().version)
            .map(|name| format!("options.keys.changed.{name}: there is no such action"));
        let problems: Vec<String> = misfits.chain(unknown).collect();
        (!problems.is_empty())
            .then(|| problems.join("; ") + ". Everything else was read, and these stay as they are")
    }

    /// Clamps numbers that a manual edit or a defect may have put out of range.
    fn clamped(mut self) -> Self {
        for (size, least) in self.window.size.iter_mut().zip([720.0, 480.0]) {
            *size = if size.is_finite() { size.clamp(least, 20_000.0) } else { least };
        }
        self.options = self.options.clamped();
        self.panels.retain(|_, size| size.is_finite() && *size > 0.0);
        self.recent.truncate(MAX_RECENT);
        self
    }

    /// Writes the file atomically, and creates its folder if it is missing.
    ///
    /// # Errors
    /// The reason as a sentence.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let text = self.text().map_err(|error| error.to_string())?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        durable::save(path, text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn text(&self) -> serde_json::Result<String> {
        // Through text, in which numbers are as short as possible.
        let to_value = |preferences: &Self| -> serde_json::Result<Value> {
            serde_json::from_str(&serde_json::to_string(preferences)?)
        };
        let mut value = to_value(self)?;
        members::restore_unknown(&mut value, &self.original);
        members::restore_misfits(&mut value, &self.misfits, &to_value(&Self::default())?, &self.original);
        Ok(serde_json::to_string_pretty(&value)? + "\n")
    }

    /// Remembers a file that was opened or saved, unless its path is not valid Unicode.
    pub fn add_recent(&mut self, path: &Path) {
        let Ok(path) = std::path::absolute(path) else {
            return;
        };
        if path.to_str().is_none() {
            return;
        }
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(MAX_RECENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::action::{Action, Shortcut};
    use crate::edit::settings::preset::Preset;
    use crate::edit::settings::view::BoneLook;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("folder")
    }

    #[test]
    fn preferences_round_trip() {
        let folder = folder();
        let path = folder.path().join("not/there").join(FILE);
        assert_eq!(Preferences::read(&path), Default::default());
        let mut preferences = Preferences::default();
        preferences.window.size = [900.0, 700.0];
        preferences.panels.insert("Lists".into(), 321.0);
        preferences.view.display.wireframe = true;
        preferences.options.scale = 1.5;
        preferences.options.keys.preset = Preset::Blender;
        preferences.options.keys.add(Action::SAVE, Shortcut::plain("F5"));
        preferences.folders.insert("scenes".into(), "/a".into());
        preferences.add_recent(Path::new("/a/walk.js3d"));
        preferences.write(&path).expect("written");
        let (read, wrong) = Preferences::read(&path);
        let original = Value::Null;
        assert_eq!((Preferences { original, ..read }, wrong), (preferences, None));
        // A file with few members gives defaults for the rest.
        fs::write(&path, r#"{"view": {"wireframe": true}, "recent": ["/b.js3d"]}"#).expect("written");
        let (read, wrong) = Preferences::read(&path);
        assert!(wrong.is_none() && read.view.display.wireframe && read.view.display.show_grid);
        assert_eq!(read.recent, [Path::new("/b.js3d")]);
    }

    #[test]
    fn earlier_ways_to_draw_bones_are_read() {
        let folder = folder();
        let path = folder.path().join(FILE);
        for (name, look) in [
            ("automatic", BoneLook::Octahedra),
            ("capsules", BoneLook::Capsules),
            ("spheres", BoneLook::Sticks),
            ("frames", BoneLook::Sticks),
            ("octahedra", BoneLook::Octahedra),
        ] {
            let file = serde_json::json!({"view": {"bone_look": name}});
            fs::write(&path, file.to_string()).expect("written");
            let (read, wrong) = Preferences::read(&path);
            assert_eq!((read.view.display.bone_look, wrong), (look, None), "{name}");
        }
    }

    #[test]
    fn members_of_other_versions_stay() {
        let folder = folder();
        let path = folder.path().join(FILE);
        let file = serde_json::json!({
            "version": 2,
            "later": {"deep": [1, 2.5]},
            "window": {"size": [900.0, 700.0], "screen": "left"},
            "view": {"wireframe": true, "fog": 0.1},
            "options": {"keys": {"changed": {"fly": ["F7"], "save": ["F5"]}, "chords": true}},
            "folders": {"scenes": "/a", "gltf": "/b"},
        });
        fs::write(&path, file.to_string()).expect("written");
        let (mut read, wrong) = Preferences::read(&path);
        assert_eq!(wrong, None);
        read.view.display.wireframe = false;
        read.folders.remove("gltf");
        read.write(&path).expect("written");
        let written: Value = serde_json::from_slice(&fs::read(&path).expect("file")).expect("JSON");
        for pointer in [
            "/later",
            "/version",
            "/window/screen",
            "/view/fog",
            "/options/keys/chords",
            "/options/keys/changed",
        ] {
            assert_eq!(written.pointer(pointer), file.pointer(pointer), "{pointer}");
        }
        assert_eq!(written["view"]["wireframe"], false);
        assert_eq!(written["folders"], serde_json::json!({"scenes": "/a"}));
    }

    #[test]
    fn a_broken_file_is_reported_and_set_aside() {
        let folder = folder();
        let path = folder.path().join(FILE);
        for broken in ["", "{", "[]"] {
            fs::write(&path, broken).expect("written");
            let (read, wrong) = Preferences::read(&path);
            assert_eq!(read, Preferences::default());
            assert!(wrong.is_some_and(|text| text.contains("preferences.json.broken")), "{broken}");
            assert!(!path.exists());
            let aside = folder.path().join("preferences.json.broken");
            assert_eq!(fs::read_to_string(aside).expect("set aside"), broken);
        }
        fs::write(&path, r#"{"window": {"size": [1e30, -5]}, "panels": {"Lists": -1}}"#).expect("written");
        let (read, _) = Preferences::read(&path);
        assert_eq!((read.window.size, read.panels.len()), ([20_000.0, 480.0], 0));
    }

    #[test]
    fn members_that_cannot_be_read_leave_the_others_as_they_are() {
        let folder = folder();
        let path = folder.path().join(FILE);
        let file = serde_json::json!({
            "window": {"size": "large", "corner": [3, 4]},
            "panels": {"Lists": "wide", "Facts": 300.0},
            "view": {"wireframe": true, "bone_look": "fancy", "show_grid": 7},
            "options": {
                "scale": "big",
                "undo_megabytes": -5,
                "mouse": "maya",
                "keys": {
                    "preset": "cinema",
                    "changed": {"SAVE": ["Ctrl+Nothing"], "UNDO": ["F7"], "FLY": ["F8"]},
                },
            },
            "folders": 3,
            "recent": ["/a.js3d"],
        });
        fs::write(&path, file.to_string()).expect("written");
        let (mut read, wrong) = Preferences::read(&path);
        let wrong = wrong.expect("reported");
        let misfits = [
            "window.size",
            "panels.Lists",
            "view.bone_look",
            "view.show_grid",
            "options.scale",
            "options.undo_megabytes",
            "options.keys.preset",
            "options.keys.changed.SAVE",
            "folders",
        ];
        for name in misfits {
            assert!(wrong.contains(&format!("{name}: ")), "{name}: {wrong}");
        }
        assert_eq!(wrong.matches("its default counts").count(), misfits.len(), "{wrong}");
        assert!(wrong.starts_with(&path.display().to_string()), "{wrong}");
        assert!(wrong.contains("options.keys.changed.FLY: there is no such action"), "{wrong}");
        assert_eq!(
            (read.window.corner, read.panels["Facts"], read.view.display.wireframe),
            (Some([3, 4]), 300.0, true)
        );
        assert_eq!(read.options.mouse, Preset::Maya);
        assert_eq!(read.options.keys.shortcuts(Action::UNDO)[..], [Shortcut::plain("F7")]);
        assert_eq!(read.recent, [Path::new("/a.js3d")]);
        let default = Preferences::default();
        assert_eq!(read.options.scale, default.options.scale);
        assert_eq!(read.view.display.bone_look, default.view.display.bone_look);
        assert!(wrong.contains("panels.Lists: invalid type: string \"wide\", expected a number"), "{wrong}");
        // Later choices apply, and the rest stays as it is.
        read.options.scale = 2.0;
        read.write(&path).expect("written");
        let written: Value = serde_json::from_slice(&fs::read(&path).expect("file")).expect("JSON");
        assert_eq!(written["options"]["scale"], 2.0);
        for name in misfits.into_iter().filter(|name| *name != "options.scale") {
            let pointer = format!("/{}", name.replace('.', "/"));
            assert_eq!(written.pointer(&pointer), file.pointer(&pointer), "{name}");
        }
        assert_eq!(written["options"]["keys"]["changed"]["FLY"], serde_json::json!(["F8"]));
    }

    #[test]
    fn a_file_that_is_opened_again_comes_first_and_the_oldest_are_forgotten() {
        let mut preferences = Preferences::default();
        for i in 0..MAX_RECENT + 3 {
            preferences.add_recent(&PathBuf::from(format!("/scene {i}.js3d")));
        }
        preferences.add_recent(Path::new("/scene 5.js3d"));
        assert_eq!(preferences.recent.len(), MAX_RECENT);
        assert_eq!(preferences.recent[0], Path::new("/scene 5.js3d"));
        assert_eq!(preferences.recent[1], Path::new("/scene 14.js3d"));
        let fives = preferences.recent.iter().filter(|path| path.ends_with("scene 5.js3d"));
        assert_eq!(fives.count(), 1);
    }

    #[test]
    fn the_environment_determines_the_file() {
        let within = |set: &'static [(&str, &str)]| {
            file_in(|name| set.iter().find(|(variable, _)| *variable == name).map(|(_, value)| value.into()))
        };
        assert_eq!(within(&[("OSSATURE_CONFIG", "")]), None);
        assert_eq!(within(&[]), None);
        assert_eq!(within(&[("OSSATURE_CONFIG", "/c")]), Some("/c/preferences.json".into()));
        if cfg!(target_os = "linux") {
            let home = Some("/h/.config/ossature/preferences.json".into());
            assert_eq!(within(&[("HOME", "/h")]), home);
            assert_eq!(within(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "relative")]), home);
            let other = Some("/x/ossature/preferences.json".into());
            assert_eq!(within(&[("HOME", "/h"), ("XDG_CONFIG_HOME", "/x")]), other);
        }
    }
}
