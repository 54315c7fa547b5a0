//! Measures loading a js3d file against merely reading its bytes and decoding its base64.

use super::table::{Line, seconds};
use super::time::in_turns;
use super::{Scale, subject};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use ossature::io::js3d;
use ossature::scene::Scene;

fn subject(halfedges: u32) -> Scene {
    let mut scene = Scene::default();
    if let Some(tube) = subject::tube(halfedges / 4) {
        scene.skinned_meshes.insert("Tube".into(), tube.into());
    }
    scene
}

/// Does the minimum work of any loader of such a file, decoding all blobs, and returns their total length.
fn decode_blobs(bytes: &[u8]) -> usize {
    let mut length = 0;
    for text in std::str::from_utf8(bytes).unwrap_or_default().split('"') {
        let text = text.as_bytes();
        let Some(colon) = text.iter().take(8).position(|byte| *byte == b':') else {
            continue;
        };
        // Member names have no base64 after a colon.
        if let Ok(items) = STANDARD_NO_PAD.decode(&text[colon + 1..]) {
            length += std::hint::black_box(items).len();
        }
    }
    length
}

pub fn lines(scale: &Scale) -> Vec<Line> {
    let halfedges = if scale.quick { 20_000 } else { 1_000_000 };
    let scene = subject(halfedges);
    let Ok(bytes) = js3d::write(&scene) else {
        return Vec::new();
    };
    drop(scene);
    let label = format!("js3d, loading a skinned mesh of {halfedges} half-edges");
    let unit = "times as long";
    let file = tempfile::NamedTempFile::new();
    let Some(file) = file.ok().filter(|file| std::fs::write(file.path(), &bytes).is_ok()) else {
        return vec![Line::new(label, f64::NAN, unit).note("no temporary file to be had")];
    };
    let mut read = true;
    let mut found = 0;
    let times = in_turns(
        scale.rounds.min(11),
        &mut [&mut || read &= js3d::read_file(file.path()).is_ok(), &mut || {
            found = std::fs::read(file.path()).map_or(0, |bytes| decode_blobs(&bytes))
        }],
    );
    if !read || found < bytes.len() / 2 {
        return vec![Line::new(label, f64::NAN, unit).note("the file could not be read back")];
    }
    let size = bytes.len() as f64 / f64::from(1 << 20);
    vec![
        Line::new(format!("{label}, against reading and decoding alone"), times.ratio(0, 1), unit)
            .at_most(4.0, 4.0)
            .note(format!("{} against {}; {size:.1} MiB", seconds(times.get(0)), seconds(times.get(1)))),
    ]
}
