//! Runs a file through every headless command that takes one, and checks the results. `screenshot` and
//! `render` are left out because they need the window's renderer.

use crate::editing::Random;
use crate::program::{Ran, run};
use ossature::io::report::Severity;
use ossature::io::{js3d, obj};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Animations with more frames are measured and baked only at some of them, unless they are refused as too
/// long; the cost of a frame grows with every dozen handles.
pub const MOST_FRAMES: u64 = 200;
/// The documented limit, above which commands refuse to evaluate all frames.
const MOST_AT_ONCE: u64 = 10_000;

/// The warnings about values that are kept unchanged, and are therefore found again: invalid values of our
/// own members stay in the file (for poses see `tests/core/pose_library.rs`).
const KEPT: [&str; 3] = ["bad-skinning", "many-handles", "bad-poses"];

pub struct Trial<'a> {
    folder: &'a Path,
    pub file: String,
    /// A valid scene, to append the file to.
    whole: String,
    random: Random,
}

/// The output of `ossature info` for a file.
pub struct Facts {
    /// Names of skinned meshes with their numbers of bones.
    skinned: Vec<(String, u64)>,
    surfaces: Vec<String>,
    /// The number of frames in the play range.
    pub frames: u64,
    /// The number of keys.
    keys: u64,
    pub handles: u64,
}

impl Facts {
    fn new(info: &Value) -> Self {
        let list = |name: &str| info[name].as_array().cloned().unwrap_or_default();
        let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
        let bones = |mesh: &Value| mesh["bones"].as_array().map_or(0, |bones| bones.len() as u64);
        let handles = |mesh: &Value| mesh["handles"].as_array().map_or(0, |all| all.len() as u64);
        let range = &info["animation"]["play_range"];
        Self {
            skinned: list("skinned_meshes").iter().map(|mesh| (name(mesh), bones(mesh))).collect(),
            surfaces: list("surfaces").iter().map(name).collect(),
            frames: range[1].as_u64().unwrap_or(0) - range[0].as_u64().unwrap_or(0) + 1,
            keys: info["animation"]["keys"].as_u64().unwrap_or(0),
            handles: list("skinned_meshes").iter().map(handles).sum(),
        }
    }
}

impl<'a> Trial<'a> {
    pub fn new(folder: &'a Path, file: &str, whole: &str, random: Random) -> Self {
        Self { folder, file: file.to_owned(), whole: whole.to_owned(), random }
    }

    /// Runs all commands; returns whether the file could be read.
    ///
    /// # Errors
    /// What a command did wrong.
    pub fn all(mut self) -> Result<bool, String> {
        let file = self.file.clone();
        let info = run(&["info", &file, "--json"])?;
        let text = run(&["info", &file])?;
        let checked = run(&["check", &file, "--json"])?;
        let check = run(&["check", &file])?;
        same(&info, text.good)?;
        self.check(&checked, check.good, info.good)?;
        let facts = match info.good {
            true => Facts::new(&info.json()?),
            // There is nothing in it, so all commands must refuse.
            false => Facts::new(&Value::Null),
        };
        self.convert(info.good, &facts)?;
        let scene = info.good && !file.ends_with(".obj");
        same(&self.pose(&facts)?, scene && !facts.skinned.is_empty())
            .or_else(|fault| self.refusable(scene, fault))?;
        self.ik(&facts)?;
        self.drag(&facts)?;
        self.rig(&facts)?;
        self.weights(&facts)?;
        self.skin(&facts)?;
        self.measure(&facts)?;
        self.bake(&facts)?;
        if facts.skinned.len() == 1 {
            self.poses()?;
        }
        self.exports(&facts)?;
        Ok(info.good)
    }

    pub fn out(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// Accepts a refusal for a readable scene, and nothing else for an unreadable one.
    fn refusable(&self, readable: bool, fault: String) -> Result<(), String> {
        if readable { Ok(()) } else { Err(fault) }
    }

    pub fn check(&self, checked: &Ran, same_as_text: bool, readable: bool) -> Result<(), String> {
        let found = checked.json()?;
        same(checked, same_as_text)?;
        let errors = found["findings"]
            .as_array()
            .is_some_and(|findings| findings.iter().any(|finding| finding["severity"] == "error"));
        if found["readable"] != readable || checked.good != (readable && !errors) {
            return Err(checked.fault(&format!("does not agree with its status: {}", checked.out)));
        }
        Ok(())
    }

    /// Checks that the converted file can be read, and converts to itself.
    fn convert(&mut self, readable: bool, facts: &Facts) -> Result<(), String> {
        let (out, again) = (self.out("out.js3d"), self.out("again.js3d"));
        let file = self.file.clone();
        let first = self.saved(&["convert", &file, &out], &out)?;
        same(&first, readable)?;
        if first.good {
            same(&self.saved(&["convert", &out, &again], &again)?, true)?;
            if fs::read(&out).ok() != fs::read(&again).ok() {
                return Err(first.fault("writes what comes out differently when it is converted again"));
            }
        }
        let whole = self.whole.clone();
        let joined = self.saved(&["convert", &whole, &file, &again], &again)?;
        if joined.good != readable && !joined.err.contains("the appended scene must be one that is not empty")
        {
            return Err(joined.fault("does not agree with `info`"));
        }
        let out = self.out("out.obj");
        let mut arguments = vec!["convert", &file, &out];
        let mesh = match facts.surfaces.len() {
            0 | 1 => String::new(),
            count => format!("--mesh={}", facts.surfaces[self.random.below(count)]),
        };
        if !mesh.is_empty() {
            arguments.push(&mesh);
        }
        self.saved(&arguments, &out)?;
        let out = self.out("placed.js3d");
        let mut arguments = vec!["convert", &file, &out];
        let scale = self.random.pick(&["1e-6", "0.01", "1e6", "0", "-1", "nan", "1e30"]);
        let scale = format!("--scale={scale}");
        for (percent, option) in [(30, "--as=mesh"), (30, "--up=z"), (30, &scale), (20, "--name=Odd\nname")] {
            if self.random.chance(percent) {
                arguments.push(option);
            }
        }
        match file.ends_with(".obj") {
            true => self.saved(&arguments, &out).map(drop),
            false => Ok(()),
        }
    }

    /// Returns `--mute` and `--unmute` with names that may have keys.
    fn muting(&mut self, facts: &Facts) -> Vec<String> {
        let mut options = Vec::new();
        let (mesh, _) = self.mesh(facts);
        let mesh = mesh.trim_start_matches("--mesh=").to_owned();
        for option in ["--mute", "--unmute"] {
            if self.random.chance(20) {
                let last = self.random.pick(&["", ".x", ".translation", ".bone.0.pose", ".target", ".9"]);
                let names = ["Root", "Child", "Place", "Nobody", &mesh, &mesh];
                let name = self.random.pick(&names);
                options.push(format!("{option}={name}{last}"));
            }
        }
        options
    }

    fn pose(&mut self, facts: &Facts) -> Result<Ran, String> {
        let (mesh, bones) = self.mesh(facts);
        let file = self.file.clone();
        let mut arguments = vec!["pose", &file, &mesh];
        let set = format!("--set={}=40,0,-3e5", self.random.below(bones as usize));
        let frame = self.frame();
        if self.random.chance(30) {
            arguments.push(&frame);
        }
        if self.random.chance(30) && bones > 0 {
            arguments.push(&set);
        }
        if self.random.chance(50) {
            arguments.push("--json");
        }
        let shown = run(&arguments)?;
        let muting = self.muting(facts);
        if !muting.is_empty() {
            arguments.extend(muting.iter().map(String::as_str));
            run(&arguments)?;
        }
        Ok(shown)
    }

    fn ik(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, bones) = self.mesh(facts);
        let (file, out, frame) = (self.file.clone(), self.out("ik.js3d"), self.frame());
        let mut arguments = vec!["ik", &file, &mesh, "--steps=25", "-o", &out];
        let target = *self.random.pick(&["0.5,1,0.25", "0,0,0", "1e20,-3e38,0", "1e-30,0,0"]);
        let target = format!("--target={}={target}", self.random.below(bones as usize));
        let chain = self.random.pick(&["limb", "root", "1", "3", "4294967295"]);
        let chain = format!("--chain={chain}");
        if bones > 0 && self.random.chance(60) {
            arguments.push(&target);
            if self.random.chance(50) {
                arguments.push(&chain);
            }
        }
        if self.random.chance(10) {
            arguments.push(*self.random.pick(&["--step-size=1e30", "--step-size=1e-30", "--step-size=-1"]));
        }
        arguments.push(*self.random.pick(&["--solver=damped", "--solver=fixed", "--solver=lbfgs"]));
        if self.random.chance(30) {
            arguments.push(&frame);
        }
        if self.random.chance(50) {
            arguments.push("--json");
        }
        self.saved(&arguments, &out).map(drop)
    }

    fn drag(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, bones) = self.mesh(facts);
        let (file, out, frame) = (self.file.clone(), self.out("drag.js3d"), self.frame());
        let target = *self.random.pick(&["0.5,1,0.25", "0,0,0", "1e20,-3e38,0", "1e-30,0,0"]);
        let target = format!("{}={target}", self.random.below(bones as usize));
        let mut arguments = vec!["drag", &file, &target, &mesh, "-o", &out];
        for option in ["--whole-body", "--symmetric"] {
            if self.random.chance(50) {
                arguments.push(option);
            }
        }
        if self.random.chance(30) {
            arguments.push(&frame);
        }
        self.saved(&arguments, &out).map(drop)
    }

    fn rig(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, bones) = self.mesh(facts);
        let (file, out) = (self.file.clone(), self.out("rig.js3d"));
        let mut arguments = vec!["rig", &file, &mesh, "-o", &out, "--json"];
        let bone = self.random.below(bones as usize);
        let (mirror, align) = (format!("--mirror={bone}"), format!("--align-roll={bone}"));
        for option in [&mirror, &align, "--fit-radius", "--scale-radius=1e10"] {
            if self.random.chance(40) {
                arguments.push(option);
            }
        }
        let vector = self.random.pick(&["0.5,0.1,-2", "0,0,0", "3e38,-3e38,1", "1e-40,0,0", "90,-180,1e9"]);
        let turned = format!("--rotate={bone}={vector}");
        let moved = format!("--extent={bone}={vector}");
        let factor = self.random.pick(&["2", "0", "-1", "1e30", "1e-30", "inf"]);
        let longer = format!("--scale-bone={bone}={factor}");
        for option in [&turned, &longer] {
            if self.random.chance(30) {
                arguments.push(option);
            }
        }
        if self.random.chance(30) {
            arguments.push(&moved);
            arguments.push(*self.random.pick(&["--children=stay", "--children=along"]));
        }
        arguments.push(*self.random.pick(&["--across=x", "--across=y", "--across=z"]));
        self.saved(&arguments, &out).map(drop)
    }

    fn weights(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, bones) = self.mesh(facts);
        let (file, out) = (self.file.clone(), self.out("weights.js3d"));
        let method = self.random.pick(&["capsule", "heat", "inverse-distance", "power", "tube"]);
        let method = format!("--method={method}");
        let mut arguments = vec!["weights", &file, &mesh, "-o", &out];
        // The default is the file's own method.
        if self.random.chance(80) {
            arguments.push(&method);
        }
        let some = format!("--bones=0,{}", self.random.below(bones as usize));
        for (percent, option) in [(20, "--exponent=10"), (5, "--exponent=1e9"), (20, "--largest=1")] {
            if self.random.chance(percent) && !arguments.iter().any(|a| a.starts_with(&option[..6])) {
                arguments.push(option);
            }
        }
        if self.random.chance(20) {
            arguments.push(&some);
        }
        for option in ["--keep", "--smooth=2", "--prune=0.05", "--limit=2", "--normalize", "--json"] {
            let all = option == "--keep" && arguments.contains(&some.as_str());
            if self.random.chance(25) && !all {
                arguments.push(option);
            }
        }
        self.saved(&arguments, &out).map(drop)
    }

    fn skin(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, _) = self.mesh(facts);
        let (file, frame) = (self.file.clone(), self.frame());
        let numbered = self.random.chance(20);
        let out = self.out(if numbered { "skin-%02d.obj" } else { "skin.obj" });
        let mut arguments = vec!["skin", &file, "-o", &out];
        if self.random.chance(60) {
            arguments.push("--space=mesh");
        }
        if self.random.chance(30) {
            arguments.push(&mesh);
        }
        match numbered {
            true => arguments.push("--frames=2..4"),
            false if self.random.chance(40) => arguments.push(&frame),
            false => {}
        }
        for option in ["--no-ik", "--method=0.5", "--method=dual-quaternion"] {
            if self.random.chance(30) && !arguments.iter().any(|a| a.starts_with(&option[..4])) {
                arguments.push(option);
            }
        }
        let muting = self.muting(facts);
        arguments.extend(muting.iter().map(String::as_str));
        let first = self.out(if numbered { "skin-02.obj" } else { "skin.obj" });
        self.saved(&arguments, &first).map(drop)
    }

    fn measure(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, _) = self.mesh(facts);
        let file = self.file.clone();
        let mut arguments = vec!["measure", &file];
        if self.random.chance(30) {
            arguments.push(&mesh);
        }
        arguments.extend(self.frames(facts, "--frames=0..3"));
        for (percent, option) in [(50, "--json"), (20, "--no-ik"), (20, "--method=0.5")] {
            if self.random.chance(percent) {
                arguments.push(option);
            }
        }
        let muting = self.muting(facts);
        arguments.extend(muting.iter().map(String::as_str));
        self.bounded(facts, run(&arguments)?)
    }

    fn bake(&mut self, facts: &Facts) -> Result<(), String> {
        let (mesh, _) = self.mesh(facts);
        let (file, out) = (self.file.clone(), self.out("baked.js3d"));
        let mut arguments = vec!["bake", &file, "-o", &out];
        arguments.extend(self.frames(facts, "--frames=1..4"));
        if self.random.chance(30) {
            arguments.push("--keep-handles");
        }
        if self.random.chance(30) {
            arguments.push(&mesh);
        }
        let baked = self.saved(&arguments, &out)?;
        self.bounded(facts, baked)
    }

    /// Chooses the frames: `some`, or the default, the play range.
    fn frames<'o>(&mut self, facts: &Facts, some: &'o str) -> Option<&'o str> {
        let work = facts.frames * (1 + facts.handles / 12);
        let long = work > MOST_FRAMES && facts.frames <= MOST_AT_ONCE;
        (self.random.chance(60) || long).then_some(some)
    }

    /// Checks that too many frames at once are refused.
    fn bounded(&self, facts: &Facts, ran: Ran) -> Result<(), String> {
        let asked = ran.arguments.contains("--frames");
        match ran.good && !asked && facts.keys > 0 && facts.frames > MOST_AT_ONCE {
            true => Err(ran.fault(&format!("works out {} frames at once", facts.frames))),
            false => Ok(()),
        }
    }

    /// Runs a command that writes `out`: the file exists and is readable if and only if the command succeeds.
    pub fn saved(&self, arguments: &[&str], out: &str) -> Result<Ran, String> {
        let _ = fs::remove_file(out);
        let ran = run(arguments)?;
        let written = fs::read(out).ok();
        if written.is_some() != ran.good && !out.contains("skin-") {
            return Err(ran.fault(&format!("is good: {}, but the file is there: {}", ran.good, !ran.good)));
        }
        let Some(bytes) = written else {
            return Ok(ran);
        };
        let unreadable = |error: String| ran.fault(&format!("writes what cannot be read: {error}"));
        let report = match PathBuf::from(out).extension().is_some_and(|e| e == "obj") {
            // Faces that are valid in a half-edge mesh, but not on their own, may be repaired.
            true => obj::read(&bytes).map(|_| Default::default()).map_err(|e| unreadable(e.to_string()))?,
            false => js3d::read(&bytes).map_err(|e| unreadable(e.to_string()))?.1,
        };
        match report
            .findings
            .iter()
            .find(|finding| finding.severity == Severity::Warning && !KEPT.contains(&finding.code))
        {
            Some(finding) => Err(ran.fault(&format!("writes what must be repaired: {finding}"))),
            None => Ok(ran),
        }
    }

    /// Returns `--mesh` with one of the skinned meshes, and its number of bones.
    fn mesh(&mut self, facts: &Facts) -> (String, u64) {
        match facts.skinned.get(self.random.below(facts.skinned.len())) {
            Some((name, bones)) => (format!("--mesh={name}"), *bones),
            None => ("--mesh=Nobody".to_owned(), 0),
        }
    }

    fn frame(&mut self) -> String {
        let frame = self.random.pick(&["0", "4.5", "-3", "11", "1e9", "-1e38", "3.4e38", "1e-40"]);
        format!("--frame={frame}")
    }
}

pub fn same(ran: &Ran, good: bool) -> Result<(), String> {
    match ran.good == good {
        true => Ok(()),
        false => Err(ran.fault(&format!("is good: {}, and another command not", ran.good))),
    }
}
