//! The error messages as a table: what happened and where, what is safe, what to do. A variant of an error
//! without a row here does not compile.
//!
//! Failed reads, commands and calculations change nothing, so their messages need not say what is safe; those
//! of saving, recovering and cancelled operations do.

use crate::editing::scene;
use crate::running::{Folder, bad};
use ossature::cli::CliError;
use ossature::edit::command::CommandError;
use ossature::edit::journal::recovery::RecoverError;
use ossature::edit::journal::replay::ReplayError;
use ossature::edit::time::bake::BakeError;
use ossature::io::durable::SaveError;
use ossature::io::file::{self, ReadError};
use ossature::io::gltf::glb::GlbError;
use ossature::io::gltf::write::error::ExportError;
use ossature::io::js3d;
use ossature::io::limits::LimitError;
use ossature::io::obj;
use ossature::io::picture_files::PictureError;
use ossature::io::report::Report;
use ossature::mesh::halfedge::MeshError;
use ossature::rig::skinning::Method;
use ossature::rig::weights::WeightsError;
use ossature::rig::weights::method::MethodError;
use ossature::scene::property::PropertyError;
use ossature::scene::spaces::SpaceError;
use std::io::{Error, ErrorKind};
use std::path::Path;

/// A message and its expected text: what happened, what to do; or what happened, what is safe, what to do.
struct Row {
    said: String,
    expected: &'static str,
    parts: usize,
}

/// Rows of an error type: pattern, value, and text with `|` between its `$parts` parts. `$told` makes the
/// text of an error that only appears as part of another.
macro_rules! rows {
    ($type:ty, $parts:literal: $($rows:tt)+) => {
        rows!($type, $parts, ToString::to_string => $($rows)+)
    };
    ($type:ty, $parts:literal, $told:expr => $($pattern:pat, $value:expr, $expected:literal;)+) => {{
        let covered = |error: &$type| match error { $($pattern => {}),+ };
        let mut rows = Vec::new();
        $(
            let error: $type = $value;
            covered(&error);
            assert!(matches!(error, $pattern), "a row of another variant: {error}");
            rows.push(Row { said: $told(&error), expected: $expected, parts: $parts });
        )+
        rows
    }};
}

fn name() -> String {
    "Body".to_owned()
}

fn commands() -> Vec<Row> {
    let mut rows = rows!(CommandError, 2:
        CommandError::Clips { .. }, CommandError::Clips { mesh: name(), why: "the timeline is full" },
            "no clip was added to “Body”: |the timeline is full";
        CommandError::NoSuch { .. }, CommandError::NoSuch { kind: "take", name: name() },
            "there is no take called “Body”|; check the name, including capitals and spaces";
        CommandError::NoIndex { .. }, CommandError::NoIndex { mesh: name(), part: "bone", index: 9 },
            "“Body” has no bone 9|; `ossature info` lists them, from 0 on";
        CommandError::Surface(_), MeshError::Invalid("face 3 has 2 corners".into()).into(),
            "this is not a valid surface: face 3 has 2 corners|; repair the mesh in the program that made it";
        CommandError::Value { .. }, CommandError::Value { subject: "the radius", rule: "a finite number" },
            "the radius |must be a finite number";
        CommandError::Weights(_), MethodError::NoTube.into(),
            "tube weights are for a skeleton of two bones in a row, the second a child of the first|; choose another method";
        CommandError::Space(_), SpaceError::NoInstance(name()).into(),
            "there is no instance called “Body”|; check the name, including capitals and spaces";
        CommandError::Property(_), PropertyError::NoSuch { kind: "camera", name: name() }.into(),
            "there is no camera called “Body”|; check the name, including capitals and spaces";
    );
    let instance = || "Hero".to_owned();
    rows.extend(rows!(SpaceError, 2:
        SpaceError::NoInstance(_), SpaceError::NoInstance(name()),
            "there is no instance called “Body”|; check the name, including capitals and spaces";
        SpaceError::Same { .. }, SpaceError::Same { instance: instance(), mesh: name() },
            "“Hero” shows “Body” itself|; choose another instance, or one of its own bones";
        SpaceError::Cycle { .. }, SpaceError::Cycle { instance: instance(), mesh: name() },
            "handles of “Hero” follow “Body”, so none of “Body” can follow it|; put those in another space first";
    ));
    let label = || "field of view".to_owned();
    rows.extend(rows!(PropertyError, 2:
        PropertyError::Unknown { .. },
            PropertyError::Unknown { name: name(), property: "zoom".into(), available: vec!["near_plane", "ratio"] },
            "“Body” has no property “zoom”|; it has near_plane, ratio";
        PropertyError::Fixed { .. }, PropertyError::Fixed { label: label() },
            "the field of view cannot be changed here|; change it in the program that made the file";
        PropertyError::Type { .. }, PropertyError::Type { label: label(), expected: "a number" },
            "the field of view |must be a number";
        PropertyError::Range { .. }, PropertyError::Range { label: label(), rule: "above 0".into() },
            "the field of view |must be above 0";
        PropertyError::Choice { .. }, PropertyError::Choice { label: label(), choices: &["Flat", "Smooth"] },
            "the field of view |must be one of Flat, Smooth";
        PropertyError::NoSuch { .. }, PropertyError::NoSuch { kind: "camera", name: name() },
            "there is no camera called “Body”|; check the name, including capitals and spaces";
    ));
    let json = |text| serde_json::from_str::<Vec<u8>>(text).unwrap_err();
    rows.extend(rows!(ReplayError, 2:
        ReplayError::Json(_), json("{}").into(),
            "invalid type: map, expected a sequence at column 0|; docs/script.md shows every step and command";
        ReplayError::Command(_), CommandError::Value { subject: "the name", rule: "at least one letter long" }.into(),
            "the name |must be at least one letter long";
        ReplayError::NoMesh { .. },
            ReplayError::NoMesh { name: "Bdy".into(), suggestion: "available: “Body”".into() },
            "there is no skinned mesh called “Bdy”, as the member mesh says|; available: “Body”";
        ReplayError::NoName { .. },
            ReplayError::NoName {
                mesh: name(), kind: "bone", member: "parent".into(), name: "Elbow".into(), suggestion: "available: “A”, “B”".into()
            },
            "“Body” has no bone called “Elbow”, as the member parent says|; available: “A”, “B”";
        ReplayError::Ambiguous { .. },
            ReplayError::Ambiguous { mesh: name(), name: "Elbow".into(), indices: "3, 7".into() },
            "several parts of “Body” are called “Elbow”: 3, 7|; give one of these numbers instead";
        ReplayError::Nothing(_), ReplayError::Nothing("undo"), "there is nothing to undo|; take this line out";
        ReplayError::Frame, ReplayError::Frame, "a frame |must be a finite number";
    ));
    rows
}

fn calculations() -> Vec<Row> {
    let mut rows = rows!(MethodError, 2:
        MethodError::Parameter { .. }, MethodError::Parameter { label: "Exponent", min: 1.0, max: 8.0 },
            "exponent |must be a number from 1 to 8";
        MethodError::Unknown, MethodError::Unknown,
            "no method of calculating weights that is known here|; choose capsule, inverse-distance, power, tube or heat";
        MethodError::NoTube, MethodError::NoTube,
            "tube weights are for a skeleton of two bones in a row, the second a child of the first|; choose another method";
        MethodError::Singular, MethodError::Singular,
            "the surface is too badly shaped for heat diffusion|; choose another method, or repair the mesh";
        MethodError::Cancelled, MethodError::Cancelled,
            "calculating weights was cancelled|; they are unchanged";
    );
    rows.extend(rows!(BakeError, 2:
        BakeError::NoMesh, BakeError::NoMesh, "the skinned mesh is not there any more|; choose another";
        BakeError::NoFrames, BakeError::NoFrames, "the first frame |must not come after the last";
        BakeError::TooManyFrames, BakeError::TooManyFrames,
            "these are more than 10,000 frames, the most that are baked at once|; choose fewer";
        BakeError::NoHandle, BakeError::NoHandle,
            "no handle is enabled in these frames|; enable one, or choose other frames";
        BakeError::Cancelled, BakeError::Cancelled, "baking was cancelled|; the keys are as they were";
        BakeError::TooMany { .. }, BakeError::TooMany { keys: 3_000_000 },
            "3000000 keys would be made, and a file that holds more than 2097152 could not be opened again|; bake fewer frames";
    ));
    rows.extend(rows!(WeightsError, 2:
        WeightsError::Rows { .. }, WeightsError::Rows { rows: 3, vertices: 4 },
            "there are weights for 3 vertices, but 4 vertices|; the numbers must match";
        WeightsError::Lengths { .. }, WeightsError::Lengths { bones: 3, weights: 4 },
            "there are 3 bone indices but 4 weights|; the numbers must match";
        WeightsError::Range { .. }, WeightsError::Range { vertex: 1, start: 5, end: 4, entries: 9 },
            "vertex 1 has weight entries 5 to 4 of 9|; ends must never decrease";
        WeightsError::LastEnd { .. }, WeightsError::LastEnd { end: 8, entries: 9 },
            "the vertices own 8 of 9 weight entries|; the last end must be their number";
        WeightsError::Bone { .. }, WeightsError::Bone { vertex: 1, bone: 7, bones: 4 },
            "vertex 1 is weighted to bone 7, but there are only 4 bones|; every index must be below that";
        WeightsError::Weight { .. }, WeightsError::Weight { vertex: 1, bone: 2, weight: -1.0 },
            "vertex 1 has weight -1 on bone 2|; weights must be finite and not negative";
    ));
    rows.push(Row {
        said: Method::try_from(2.0).unwrap_err().to_string(),
        expected: "the part of dual quaternions |is a number from 0 to 1, not 2",
        parts: 2,
    });
    rows
}

fn reading() -> Vec<Row> {
    let object = |text: &str| obj::read(text.as_bytes()).map(drop).unwrap_err();
    let js3d = |text: &str| js3d::read(text.as_bytes()).map(drop).unwrap_err();
    let gltf = |bytes: &[u8]| {
        ossature::io::gltf::read::read(bytes, None, &Default::default()).map(drop).unwrap_err()
    };
    let cancelled = || file::read_with_progress(Path::new("Cargo.toml"), "js3d", &|_| false).unwrap_err();
    let mut rows = rows!(ReadError, 2:
        ReadError::File { .. }, file::read(Path::new("not/there.js3d"), "js3d").unwrap_err(),
            "cannot read the file: there is no such file|. Check its name and folder; it may have been moved: not/there.js3d";
        ReadError::Syntax { .. }, js3d("{"),
            "the file ends in the middle of a value at byte 1 (line 1, column 2)|. It may have been cut short while it was copied or saved; get it again or open a backup";
        ReadError::Value { .. }, js3d("[]"),
            "expected a scene, found an array at the top of the file|. A js3d file is an object with the members scene and animator";
        ReadError::Line { .. }, object("v 1 2\n"),
            "line 1: “v 1 2” does not hold 3 numbers|. Export the mesh again, or correct the line in a text editor";
        ReadError::Cancelled, cancelled(), "reading was cancelled|; nothing was opened or changed";
        ReadError::Content { .. }, gltf(b"glTF\x03\0\0\0\x0c\0\0\0"),
            "the file is binary glTF of version 3; only version 2 can be read|. Export it again, or check it with the Khronos glTF validator";
    );
    let read = |error: &GlbError| format!("{error}. Export it again");
    rows.extend(rows!(GlbError, 2, read =>
        GlbError::Magic, GlbError::Magic, "the file does not begin as binary glTF does|. Export it again";
        GlbError::Version(_), GlbError::Version(3),
            "the file is binary glTF of version 3; only version 2 can be read|. Export it again";
        GlbError::Truncated { .. }, GlbError::Truncated { part: "a chunk", needed: 12, found: 8 },
            "the file ends after 8 bytes, where a chunk needs 12|. Export it again";
        GlbError::NoJson, GlbError::NoJson, "the first chunk is not JSON|. Export it again";
        GlbError::TooLarge(_), GlbError::TooLarge(1 << 33),
            "binary glTF cannot hold more than 4 GiB; there are 8589934592 bytes; export fewer takes, or smaller pictures|. Export it again";
    ));
    let applied = |error: &MeshError| CommandError::from(error.clone()).to_string();
    rows.extend(rows!(MeshError, 2, applied =>
        MeshError::Invalid(_), MeshError::Invalid("vertex 7 is on two borders".into()),
            "this is not a valid surface: vertex 7 is on two borders|; repair the mesh in the program that made it";
    ));
    let shown = |error: &PictureError| {
        let mut report = Report::default();
        js3d::add_picture_error(&mut report, "missing-picture", "Skin", error);
        report.findings[0].text.clone()
    };
    rows.extend(rows!(PictureError, 3, shown =>
        PictureError::Missing(_), PictureError::Missing("face.png".into()),
            "there is no file face.png|; fix it, or choose another picture: |a checker is shown in its place";
        PictureError::Format(_), PictureError::Format("face.webp".into()),
            "face.webp is neither a PNG nor a JPEG file|; fix it, or choose another picture: |a checker is shown in its place";
        PictureError::TooLarge(..), PictureError::TooLarge(90_000, 90_000),
            "it is 90000 by 90000 pixels; at most 64 million are read|; fix it, or choose another picture: |a checker is shown in its place";
        PictureError::Damaged(_), PictureError::Damaged("face.png: no end".into()),
            "face.png: no end|; fix it, or choose another picture: |a checker is shown in its place";
    ));
    rows
}

fn saving() -> Vec<Row> {
    let fails = |kind: ErrorKind, replaced| SaveError {
        action: "writing",
        source: Error::from(kind),
        path: "a/b.js3d".into(),
        replaced,
    };
    let mut rows = rows!(SaveError, 3:
        SaveError { replaced: false, .. }, fails(ErrorKind::StorageFull, false),
            "could not save (writing): no storage space|; the file that was there is unchanged|. Make room on the disk, or save to another: a/b.js3d";
        SaveError { replaced: true, .. }, fails(ErrorKind::StorageFull, true),
            "could not save (writing): no storage space|; the new file is there, but may be lost if the power fails now|. Save again: a/b.js3d";
    );
    for (kind, expected) in [
        (
            ErrorKind::PermissionDenied,
            "could not save (writing): permission denied|; the file that was there is unchanged|. Save to a folder that you may write to: a/b.js3d",
        ),
        (
            ErrorKind::NotFound,
            "could not save (writing): entity not found|; the file that was there is unchanged|. Check that its folder is there, or save to another: a/b.js3d",
        ),
        (
            ErrorKind::FileTooLarge,
            "could not save (writing): file too large|; the file that was there is unchanged|. Raise the limit on the size of files, or save to another disk: a/b.js3d",
        ),
        (
            ErrorKind::TimedOut,
            "could not save (writing): timed out|; the file that was there is unchanged|. Check that the disk is there, or save to another: a/b.js3d",
        ),
    ] {
        let said = fails(kind, false).to_string();
        rows.push(Row { said, expected, parts: 3 });
    }
    rows.extend(rows!(LimitError, 3:
        LimitError::Bytes { .. }, LimitError::Bytes { bytes: 1 << 31 },
            "the file would have 2147483648 bytes, and 1073741824 (1 GiB) is the most that can be read again|; nothing was written|. Split the scene, or use fewer vertices";
        LimitError::Values { .. }, LimitError::Values { cost: 1 << 25 },
            "the file would hold more values (33554432) than can be read again (16777216)|; nothing was written|. Split the scene, or use fewer keys: a key of three numbers counts 8";
        LimitError::Numbers { .. }, LimitError::Numbers { numbers: 1 << 28 },
            "the file would hold 268435456 numbers, more than can be read again|; nothing was written|. Export fewer takes, instances or vertices";
        LimitError::Corners { .. }, LimitError::Corners { corners: 1 << 27 },
            "the skinned meshes of the file, one for each instance, would have 134217728 vertices and corners, more than can be read again|; nothing was written|. Export fewer instances";
    ));
    rows.extend(rows!(js3d::WriteError, 3:
        js3d::WriteError::NotFinite { .. }, js3d::WriteError::NotFinite { pointer: "/scene/a".into() },
            "/scene/a is not a finite number|, so the scene cannot be written|; undo the change that made it so";
        js3d::WriteError::Limit(_), js3d::WriteError::Limit(LimitError::Bytes { bytes: 1 << 31 }),
            "the file would have 2147483648 bytes, and 1073741824 (1 GiB) is the most that can be read again|; nothing was written|. Split the scene, or use fewer vertices";
    ));
    let (object, comment) = (name, || "world space".to_owned());
    rows.extend(rows!(obj::WriteError, 2:
        obj::WriteError::Position { .. }, obj::WriteError::Position { object: object(), comment: comment(), vertex: 3 },
            "“Body” (world space): vertex 3 is too far from the origin to be written|; scale the mesh, its bones or its transforms down";
        obj::WriteError::Corner { .. },
            obj::WriteError::Corner { object: object(), comment: comment(), attribute: "normal", vertex: 3 },
            "“Body” (world space): the normal of a corner of vertex 3 is not a number|; undo the change that made it so";
        obj::WriteError::NoFaces { .. }, obj::WriteError::NoFaces { objects: "“Body” has".into() },
            "“Body” has no faces, and an OBJ file without faces could not be read again|; choose a mesh that has some";
    ));
    rows.extend(rows!(ExportError, 2:
        ExportError::NotFinite { .. }, ExportError::NotFinite { place: "the radius".into() },
            "the radius is not a finite number, so the scene cannot be exported|; undo the change that made it so";
        ExportError::Cancelled, ExportError::Cancelled, "the export was cancelled|; nothing was written";
        ExportError::NoTake(_), ExportError::NoTake("Run".into()),
            "there is no take “Run”|; `ossature takes` lists them";
        ExportError::TooManyFrames { .. }, ExportError::TooManyFrames { name: "Run".into(), frames: 20_000 },
            "take “Run” has 20000 frames, and 10000 are the most that are exported|; shorten it, or the play range";
        ExportError::TooManyValues { .. }, ExportError::TooManyValues { values: 40_000_000 },
            "the takes have 40000000 values of joints and frames, and 33554432 are the most that are exported at once|; choose fewer takes";
        ExportError::LongTake { .. }, ExportError::LongTake { name: "Run".into(), values: 9_000_000 },
            "take “Run” has 9000000 values of joints and frames, and 8388608 are the most of one|; divide it into several";
        ExportError::TooMuchIk, ExportError::TooMuchIk,
            "inverse kinematics takes too long for an export: too many handles pull at once|. Disable some, bake them first, or choose fewer takes";
        ExportError::Scene(_), ExportError::Scene(js3d::WriteError::NotFinite { pointer: "/scene/a".into() }.to_string()),
            "/scene/a is not a finite number, so the scene cannot be written|; undo the change that made it so";
        ExportError::Container(_), GlbError::TooLarge(1 << 33).into(),
            "binary glTF cannot hold more than 4 GiB; there are 8589934592 bytes|; export fewer takes, or smaller pictures";
        ExportError::Limit(_), LimitError::Numbers { numbers: 1 << 28 }.into(),
            "the file would hold 268435456 numbers, more than can be read again; nothing was written|. Export fewer takes, instances or vertices";
        ExportError::TooLarge(_), ExportError::TooLarge("a bone of “Body” becomes larger than 1e18".into()),
            "the file could not be read again: a bone of “Body” becomes larger than 1e18; nothing was written|. Make what is that large smaller, or leave it out";
        ExportError::Json(_), ExportError::Json("it is too deep".into()),
            "the scene cannot be written as JSON: it is too deep|; nothing was written, and leaving takes out may help";
    ));
    rows.extend(rows!(RecoverError, 3:
        RecoverError::Journal(_),
            RecoverError::Journal("there is no such file. Check its name and folder".into()),
            "the journal cannot be read|, and is as it was|: there is no such file. Check its name and folder";
        RecoverError::Head, RecoverError::Head,
            "the journal has no beginning that this program understands|; its folder is unchanged|; open it with a newer version of the program";
        RecoverError::Base(_), RecoverError::Base("it is empty".into()),
            "neither the document that the session began with nor a snapshot of it can be read (it is empty)|; the folder of the journal is unchanged|; open it with a newer version of the program";
    ));
    rows
}

fn command_line() -> Vec<Row> {
    let missing = || file::read(Path::new("a.js3d"), "js3d").unwrap_err();
    rows!(CliError, 2:
        CliError::Read { .. }, CliError::Read { path: "a.js3d".into(), error: missing() },
            "cannot read the file: there is no such file|. Check its name and folder; it may have been moved: a.js3d";
        CliError::Write(_),
            CliError::Write(Box::new(js3d::WriteError::NotFinite { pointer: "/scene/a".into() })),
            "/scene/a is not a finite number, so the scene cannot be written|; undo the change that made it so";
        CliError::Limit(_), LimitError::Bytes { bytes: 1 << 31 }.into(),
            "the file would have 2147483648 bytes, and 1073741824 (1 GiB) is the most that can be read again; nothing was written|. Split the scene, or use fewer vertices";
        CliError::Save(_),
            SaveError { action: "writing", source: ErrorKind::StorageFull.into(), path: "b.js3d".into(), replaced: false }.into(),
            "could not save (writing): no storage space; the file that was there is unchanged|. Make room on the disk, or save to another: b.js3d";
        CliError::Command(_), CommandError::Value { subject: "the radius", rule: "a finite number" }.into(),
            "the radius |must be a finite number";
        CliError::Output(_), Error::from(ErrorKind::StorageFull).into(),
            "cannot write the output: no storage space|; check where it goes to";
        CliError::Findings { .. }, CliError::Findings { path: "a.js3d".into(), count: "1 error".into() },
            "a.js3d: 1 error found|; each states where it is and how it was handled";
        CliError::NoWindow, CliError::NoWindow,
            "this build has no window: it was made without the feature `editor`|. Build with `cargo build --release`, or use a headless command (see `ossature --help`)";
        CliError::NoThreads, CliError::NoThreads,
            "the system cannot start another thread, which the window needs|; close other programs and try again";
        CliError::Other(_), CliError::Other("there is no bone 9; choose another".into()),
            "there is no bone 9|; choose another";
    )
}

/// The messages of rendering, which needs an editor build.
#[cfg(feature = "editor")]
fn rendering() -> Vec<Row> {
    use ossature::editor::render::RenderError;
    let no_room = "could not save (writing): no storage space; the file that was there is unchanged. Make room on the disk";
    rows!(RenderError, 2:
        RenderError::Stopped(_), RenderError::Stopped(12),
            "stopped after 12 frames|; the files written so far are complete";
        RenderError::Failed(_), RenderError::Failed(no_room.into()),
            "could not save (writing): no storage space|; the file that was there is unchanged. Make room on the disk";
    )
}

#[cfg(not(feature = "editor"))]
fn rendering() -> Vec<Row> {
    Vec::new()
}

/// Traces of Rust's debug formatting, which have no place in a sentence.
const DEBUGGED: [&str; 10] = ["Os {", "Some(", "None", "Ok(", "Err(", "Error", "::", "{", "}", "\\\""];

fn faults(said: &str) -> Vec<String> {
    let first = said.chars().next();
    let mut faults: Vec<String> = DEBUGGED
        .into_iter()
        .filter(|trace| said.contains(trace))
        .map(|trace| format!("holds {trace}"))
        .collect();
    // The message follows `error: ` or the name of a file; windows and dialogs capitalise it.
    if first.is_none_or(char::is_uppercase) {
        faults.push("begins with a capital".into());
    }
    if said.trim() != said || said.ends_with('.') || said.contains('\n') || said.contains("  ") {
        faults.push("is not one line without a full stop".into());
    }
    faults
}

#[test]
fn errors_say_what_happened_what_is_safe_and_what_to_do() {
    let tables = [commands(), calculations(), reading(), saving(), rendering(), command_line()];
    let mut wrong = Vec::new();
    for Row { said, expected, parts } in tables.into_iter().flatten() {
        let mut faults = faults(&said);
        if expected.replace('|', "") != said {
            faults.push(format!("is not {expected}"));
        }
        let words = expected.split('|').filter(|part| part.chars().any(char::is_alphabetic));
        if words.count() != parts {
            faults.push(format!("has not {parts} parts"));
        }
        wrong.extend(faults.into_iter().map(|fault| format!("“{said}” {fault}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn headless_commands_say_what_to_do() {
    let folder = Folder::new();
    let file = folder.write("in.js3d", &scene());
    let empty = folder.write("empty.js3d", &Default::default());
    let out = folder.out("out.js3d");
    std::fs::write(folder.path("steps.jsonl"), b"\xff").unwrap();
    let script = folder.out("steps.jsonl");
    let cases: [(&[&str], &str); 7] = [
        (
            &["pose", &empty],
            "the scene has no skinned mesh; `ossature convert` makes one of a mesh, and `ossature fit` gives",
        ),
        (&["pose", &file, "--mesh", "body"], "there is no skinned mesh called “body”; available: “Body”"),
        (
            &["pose", &file, "--mesh", "Body", "--set", "Elbow=1,2,3"],
            "there is no bone called “Elbow”; there are ",
        ),
        (&["run", &script, &file, "-o", &out], ", line 1: not valid UTF-8; save the file as UTF-8"),
        (&["run", &script, &file, "-o", "out.txt"], "cannot write out.txt: the name must end in .js3d"),
        (&["skin", &file, "-o", "no.js3d"], "the name must end in .obj"),
        (
            &["weights", &file, "--mesh", "Body", "--bones", "99", "-o", &out],
            "there is no bone 99; there are ",
        ),
    ];
    for (arguments, expected) in cases {
        let (error, _) = bad(arguments);
        let said = error.trim_end().strip_prefix("error: ").unwrap_or_default();
        assert!(said.contains(expected), "{arguments:?}: {error}");
        assert_eq!(
            faults(&said.replace(&file, "").replace(&script, "script")),
            [""; 0],
            "{arguments:?}: {error}"
        );
    }
    assert!(!Path::new(&out).exists());
}
