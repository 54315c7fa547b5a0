//! Who has a session, as its file `lock` says. The system's lock on that file is what counts; on network file systems it
//! may be given to several, and then this tells whether a program of this machine is still at the session. Elsewhere than
//! on Linux nothing is known.

use std::fs;

/// This program: its number, when it was started, and when the system was, which no two machines have alike.
pub(super) fn this() -> String {
    let pid = std::process::id();
    identity(pid).unwrap_or_else(|| pid.to_string())
}

/// Whether a file `lock` names another program that is alive.
pub(super) fn is_another(content: &str) -> bool {
    let pid = content.split(' ').next().and_then(|pid| pid.parse().ok());
    pid.is_some_and(|pid| pid != std::process::id() && identity(pid).as_deref() == Some(content))
}

/// As `proc(5)` has it: what follows the name in brackets begins with field 3, and field 22 is the start in ticks since
/// the system was started.
fn identity(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(") ")?.1.split(' ');
    // A zombie has ended.
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
    fn a_session_of_a_program_that_is_alive_is_left_to_it_even_if_the_lock_lies() {
        let root = tempfile::tempdir().expect("a folder");
        let store = Store::new(root.path());
        let folder = store.create().expect("a session");
        let path = folder.path().to_owned();
        let lock = path.join("lock");
        assert_eq!(fs::read_to_string(&lock).expect("lock"), this());
        drop(folder);
        assert_eq!(fs::read_to_string(&lock).expect("lock"), "", "it was given back");
        let mut other = Command::new("sleep").arg("60").spawn().expect("a program");
        let told = identity(other.id()).expect("it is alive");
        fs::write(&lock, &told).expect("written");
        let refused = Folder::lock(&path).expect_err("its lock was given to us too");
        assert_eq!(refused.kind(), ErrorKind::WouldBlock);
        assert_eq!(
            fs::read_to_string(&lock).expect("lock"),
            told,
            "nothing of it is changed"
        );
        // Another program with its number, or on another machine.
        for other in [
            told.replacen(' ', " 1", 1),
            told.clone() + "0",
            other.id().to_string(),
        ] {
            fs::write(&lock, other).expect("written");
            assert!(Folder::lock(&path).is_ok());
        }
        fs::write(&lock, &told).expect("written");
        other.kill().and_then(|()| other.wait()).expect("ended");
        assert!(Folder::lock(&path).is_ok(), "it has ended");
    }
}
