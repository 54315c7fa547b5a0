//! The validator on public scenes.

use super::validator::assert_valid;
use crate::support::corpus;
use ossature::io::js3d;

/// Row 1.
#[test]
#[ignore = "reads public files, with the validator of ./dev oracles: set OSSATURE_CORPUS to their folder"]
fn public_scenes_are_valid() {
    for path in corpus("js3d", "js3d") {
        assert_valid(&path, &js3d::read_file(&path).unwrap().0);
    }
}
