//! The process that tries one case after another. A case may end it, which `main` handles.

use crate::commands::Trial;
use crate::editing::Random;
use crate::seeds::Seeds;
use crate::{damage, gltf, memory, obj};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The kind of file that is damaged.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    /// Scenes and OBJ, through all commands.
    Scenes,
    /// glTF, through the commands that read and write it.
    Gltf,
}

/// The cases of a worker: `first`, `first + step`, ... below `end`.
#[derive(Clone, Copy)]
pub struct Cases {
    pub kind: Kind,
    pub seed: u64,
    pub first: usize,
    pub end: usize,
    pub step: usize,
}

/// The message and location of the last panic.
static PANIC: Mutex<String> = Mutex::new(String::new());

pub fn panic_message() -> String {
    PANIC.lock().map(|text| text.clone()).unwrap_or_default()
}

/// Reports an event to `main`, on a line.
pub fn tell(what: &str) {
    println!("fuzz: {}", what.replace('\n', "\\n"));
}

/// Tries the cases; with a time limit, those that begin within it, but at least one.
pub fn work(cases: Cases, time: Option<Duration>) {
    let begun = Instant::now();
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut text) = PANIC.lock() {
            *text = info.to_string();
        }
    }));
    let seeds = Seeds::new();
    // In memory if possible, because files are synced.
    let shared = Path::new("/dev/shm");
    let folder = match tempfile::tempdir_in(shared) {
        Ok(folder) => folder,
        Err(_) => tempfile::tempdir().expect("a folder"),
    };
    let whole = folder.path().join("whole.js3d");
    fs::write(&whole, text(&seeds.scenes[1])).expect("the seed can be written");
    let whole = whole.display().to_string();
    let (mut readable, mut most, mut longest) = (0, 0, Duration::ZERO);
    for case in (cases.first..cases.end).step_by(cases.step) {
        tell(&format!("case {case}"));
        let start = Instant::now();
        memory::take_most();
        let mut random = Random::new(cases.seed.wrapping_mul(1 << 32).wrapping_add(case as u64));
        for _ in 0..4 {
            random.next();
        }
        let (name, bytes) = match cases.kind {
            Kind::Scenes => file(&seeds, &mut random),
            Kind::Gltf => gltf::damaged(&seeds.gltf, &mut random),
        };
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("the case can be written");
        let trial = Trial::new(folder.path(), &file.display().to_string(), &whole, random);
        match catch_unwind(AssertUnwindSafe(|| match cases.kind {
            Kind::Scenes => trial.all(),
            Kind::Gltf => trial.gltf(),
        })) {
            Ok(Ok(good)) => readable += usize::from(good),
            Ok(Err(fault)) => tell(&format!("fault {fault}")),
            Err(_) => tell(&format!("fault the test panics: {}", panic_message())),
        }
        most = most.max(memory::take_most());
        longest = longest.max(start.elapsed());
        if time.is_some_and(|time| begun.elapsed() >= time) {
            break;
        }
    }
    if ["OSSATURE_FUZZ_CASE", "OSSATURE_GLTF_CASE"].iter().any(|name| std::env::var_os(name).is_some()) {
        tell(&format!("kept {}", folder.keep().display()));
    }
    tell(&format!("done {readable} {most} {}", longest.as_millis()));
}

/// Returns the name and the bytes of a damaged file.
pub fn file(seeds: &Seeds, random: &mut Random) -> (&'static str, Vec<u8>) {
    match random.below(10) {
        0 => ("case.obj", obj::damaged(random.pick(&seeds.meshes).clone().as_str(), random).into_bytes()),
        _ => ("case.js3d", text(&damage::damaged(&seeds.scenes, random)).into_bytes()),
    }
}

fn text(scene: &crate::tree::Node) -> String {
    let mut text = String::new();
    scene.write(&mut text);
    text
}
