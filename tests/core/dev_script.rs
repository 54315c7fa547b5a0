//! `./dev run` gives the window the keyboard where no window manager does; the programs that it calls are replaced by
//! scripts that write down what they are asked for.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs `./dev run` and returns what xdotool was asked for once the window was there. `xprop`: what xprop prints.
fn asked_of_xdotool(xprop: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("asked");
    let program = |name: &str, lines: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    program("xprop", &format!("echo '{xprop}'"));
    // The window is not there at first.
    program("xdotool", "cd \"${0%/*}\"; [ -e tried ] || { touch tried; exit 1; }\necho \"$@\" > asked");
    program("sleep", "exec /bin/sleep 0.01");
    // The program runs until something happened, or three seconds.
    program(
        "cargo",
        "case \" $* \" in *' run '*) for i in $(seq 300); do [ -s \"${0%/*}/asked\" ] || /bin/sleep 0.01; done;; esac",
    );
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("dev"))
        .args(["run", "human.js3d"])
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .env("DISPLAY", ":99")
        .env("VK_ICD_FILENAMES", "none")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(log).unwrap_or_default()
}

#[test]
fn the_window_gets_the_keyboard_where_no_window_manager_gives_it() {
    let asked = asked_of_xdotool("_NET_SUPPORTING_WM_CHECK:  not found.");
    assert!(asked.contains("windowfocus") && asked.contains("Ossature"), "{asked:?}");
    let managed = asked_of_xdotool("_NET_SUPPORTING_WM_CHECK(WINDOW): window id # 0x400001");
    assert_eq!(managed, "", "a window manager decides");
}
