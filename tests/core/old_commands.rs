//! Scripts and journals that earlier versions wrote give the same bytes. The files in `tests/fixtures/old_commands`
//! hold every command as it was written before properties of bones, handles and skeletons had one command; they stay
//! as they are.

use crate::editing::scene;
use crate::replay::bytes;
use crate::running::Folder as Temporary;
use ossature::edit::journal::recovery::recover;
use ossature::edit::journal::replay;
use ossature::edit::session::Session;
use ossature::io::stamp::Stamp;
use std::fs;
use std::path::PathBuf;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/old_commands").join(name)
}

/// Each line is carried out on the same scene, and the comment above it is the stamp of the result.
#[test]
fn a_script_of_every_old_command_gives_the_same_bytes() {
    let script = fs::read_to_string(fixture("script.jsonl")).unwrap();
    let lines: Vec<&str> = script.lines().collect();
    assert!(lines.len() > 200);
    for pair in lines.chunks(2) {
        let [stamp, line] = pair else { panic!("{pair:?}") };
        let stamp: Stamp = serde_json::from_str(stamp.trim_start_matches("// ")).unwrap();
        let session =
            replay::run(line, Session::new(scene(), None)).unwrap_or_else(|why| panic!("{line}: {why:?}"));
        assert_eq!(Stamp::from_bytes(&bytes(session.scene())), stamp, "{line}");
    }
}

/// Commands that this version writes too are undone at once; the result is that of the others.
#[test]
fn a_journal_of_every_old_command_gives_the_same_bytes() {
    let folder = Temporary::new();
    for file in ["base.js3d", "journal"] {
        fs::copy(fixture("journal").join(file), folder.path(file)).unwrap();
    }
    let recovered = recover(&folder.path("")).unwrap();
    assert_eq!(recovered.note(), None);
    assert!(bytes(recovered.session.scene()) == fs::read(fixture("after.js3d")).unwrap());
}
