//! The owner of a session, named in its `lock` file. The operating system's lock on that file decides; but a
//! network file system may grant it to several processes, and then the file tells whether another process on
//! this machine still has the session open. Works on Linux only.

use std::fs;

/// The identity of this process: its id, its start time, and the boot id of the machine.
pub(super) fn current_process() -> String {
    let pid = std::process::id();
    identity(pid).unwrap_or_else(|| pid.to_string())
}

/// Whether the content of a `lock` file names another process that is still running.
pub(super) fn is_other_process(content: &str) -> bool {
    let pid = content.split(' ').next().and_then(|pid| pid.parse().ok());
    pid.is_some_and(|pid| pid != std::process::id() && identity(pid).as_deref() == Some(content))
}

/// Reads the identity of a running process. The text after the parenthesised name in `/proc/PID/stat` starts
/// with field 3; field 22 is the start time in clock ticks since boot (`proc(5)`).
fn identity(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    // Zombies and dead processes have ended.
    let state = fields.next().filter(|state| !["Z", "X"].contains(state));
    let start = state.and_then(|_| fields.nth(18))?;
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(format!("{pid} {start} {}", boot.trim()))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::edit::journal::store::{Folder, Store};
    use std::io::ErrorKind;
    use std::process::Command;

    #[test]
    fn a_session_of_a_running_program_is_refused_even_if_its_lock_is_free() {
        let root = tempfile::tempdir().expect("a folder");
        let store = Store::new(root.path());
        let folder = store.create().expect("a session");
        let path = folder.path().to_owned();
        let lock = path.join("lock");
        assert_eq!(fs::read_to_string(&lock).expect("lock"), current_process());
        drop(folder);
        assert_eq!(fs::read_to_string(&lock).expect("lock"), "", "dropping the folder clears its owner");
        let mut other = Command::new("sleep").arg("60").spawn().expect("a program");
        let owner = identity(other.id()).expect("it is running");
        fs::write(&lock, &owner).expect("written");
        let refused = Folder::lock(&path).expect_err("the folder was locked twice");
        assert_eq!(refused.kind(), ErrorKind::WouldBlock);
        assert_eq!(fs::read_to_string(&lock).expect("lock"), owner, "the lock file is unchanged");
        // Another process with the same id, or a process on another machine.
        for other in [owner.replacen(' ', " 1", 1), owner.clone() + "0", other.id().to_string()] {
            fs::write(&lock, other).expect("written");
            assert!(Folder::lock(&path).is_ok());
        }
        fs::write(&lock, &owner).expect("written");
        other.kill().and_then(|()| other.wait()).expect("ended");
        assert!(Folder::lock(&path).is_ok(), "it has ended");
    }
}
