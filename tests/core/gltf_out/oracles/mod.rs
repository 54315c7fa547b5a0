//! Exports checked by other programs. The tests are ignored, since the programs have to be installed first:
//! `./dev oracles` does that, and `./dev test` runs those whose programs are present.

mod blender;
mod node;
mod public;
mod validator;

use std::path::PathBuf;

/// Returns the folder of `./dev oracles`.
fn folder() -> PathBuf {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache");
    cache.unwrap_or_else(home).join("ossature/oracles")
}

/// Returns the folder of the node modules.
fn modules() -> PathBuf {
    let modules = folder().join("node_modules");
    let is_there = modules.join("gltf-validator").is_dir() && modules.join("three").is_dir();
    assert!(is_there, "`./dev oracles` installs the validator and three.js");
    modules
}
