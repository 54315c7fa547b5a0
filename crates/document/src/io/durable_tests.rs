//! Makes every step of a save fail in turn: the old file is intact and nothing is left behind.

use super::*;

const ALL: [Step; 7] =
    [Step::Inspect, Step::Create, Step::Permissions, Step::Write, Step::Sync, Step::Rename, Step::SyncFolder];

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_save_replaces_the_file_and_leaves_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.js3d");
    for bytes in [&b"first"[..], b"", &vec![7; 3 * CHUNK_BYTES + 1], b"last"] {
        save(&path, bytes).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(names(folder.path()), ["scene.js3d"]);
    }
}

#[test]
fn a_failure_at_any_step_leaves_the_old_file() {
    use io::ErrorKind::{
        Interrupted, Other, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    let new = vec![1; 2 * CHUNK_BYTES + 5];
    let mut failures = 0;
    for kind in [StorageFull, PermissionDenied, ReadOnlyFilesystem, QuotaExceeded, Interrupted, Other] {
        for old in [None, Some(&b"old"[..])] {
            // The call that fails: each in turn, until a save gets past all of them.
            for fail_at in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("scene.js3d");
                if let Some(old) = old {
                    fs::write(&path, old).unwrap();
                }
                let mut steps = Vec::new();
                let result = save_in_steps(&path, &new, &mut |step| {
                    steps.push(step);
                    if steps.len() > fail_at { Err(io::Error::new(kind, "made to fail")) } else { Ok(()) }
                });
                let Err(error) = result else {
                    assert_eq!(fs::read(&path).unwrap(), new);
                    assert!(ALL.iter().all(|step| steps.contains(step)), "{steps:?}");
                    assert_eq!(steps.len(), 9, "three chunks are written");
                    break;
                };
                failures += 1;
                let last = steps.pop();
                assert_eq!(error.source.kind(), kind);
                assert_eq!(error.action, last.unwrap().description());
                assert_eq!(error.replaced, last == Some(Step::SyncFolder));
                let left = if error.replaced { Some(&new[..]) } else { old };
                assert_eq!(fs::read(&path).ok().as_deref(), left, "{last:?}");
                assert_eq!(names(folder.path()).len(), usize::from(left.is_some()), "{last:?}");
                assert!(error.to_string().contains("scene.js3d"), "{error}");
                // Once the fault is gone, saving works.
                save(&path, &new).unwrap();
                assert_eq!(fs::read(&path).unwrap(), new);
            }
        }
    }
    assert_eq!(failures, 6 * 2 * 9);
}

#[test]
fn a_name_that_cannot_be_replaced_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("folder.js3d");
    fs::create_dir(&directory).unwrap();
    let error = save(&directory, b"x").unwrap_err();
    assert!(error.to_string().contains("folder with this name") && !error.replaced, "{error}");
    let error = save(&folder.path().join("no/such/folder.js3d"), b"x").unwrap_err();
    assert!(error.to_string().contains("there is no folder"), "{error}");
    let protected = folder.path().join("protected.js3d");
    fs::write(&protected, b"old").unwrap();
    let mut permissions = fs::metadata(&protected).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&protected, permissions).unwrap();
    assert_eq!(save(&protected, b"x").unwrap_err().source.kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(fs::read(&protected).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["folder.js3d", "protected.js3d"]);
}

#[test]
fn long_and_odd_names_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["n".repeat(255), "\u{1f9b4} é".to_owned(), "-rf".to_owned(), " ".to_owned()] {
        let path = folder.path().join(name);
        save(&path, b"x").unwrap();
        save(&path, b"y").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"y");
    }
}

/// The temporary file of a killed save is removed; that of a save in progress is locked and remains, as do
/// files that are not ours.
#[test]
fn what_killed_saves_left_behind_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path_of = |name: &str| folder.path().join(name);
    fs::write(path_of(".ossature-killed.tmp"), b"half").unwrap();
    fs::write(path_of(".ossature-notes.txt"), b"mine").unwrap();
    fs::write(path_of("ossature-x.tmp"), b"mine").unwrap();
    fs::create_dir(path_of(".ossature-folder.tmp")).unwrap();
    let underway = AtomicFile::new(&path_of("film.mp4")).unwrap();
    fs::write(underway.path(), b"frames").unwrap();
    save(&path_of("scene.js3d"), b"x").unwrap();
    let mut left = [".ossature-folder.tmp", ".ossature-notes.txt", "ossature-x.tmp", "scene.js3d"]
        .map(String::from)
        .to_vec();
    left.push(underway.path().file_name().unwrap().to_string_lossy().into_owned());
    left.sort();
    assert_eq!(names(folder.path()), left);
    underway.commit().unwrap();
    assert_eq!(fs::read(path_of("film.mp4")).unwrap(), b"frames");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

    /// Changing owner and group needs the right to give files away, extended attributes need a file system
    /// with support.
    #[test]
    fn owner_group_and_attributes_are_kept() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.js3d");
        fs::write(&path, b"old").unwrap();
        let given = chown(&path, Some(1234), Some(4321)).is_ok();
        let tagged = setxattr(&path, "user.tag", b"red", XattrFlags::empty()).is_ok();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let before = fs::metadata(&path).unwrap();
        assert_eq!(save(&path, b"new").unwrap(), SaveReport::default());
        let after = fs::metadata(&path).unwrap();
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        assert_eq!(after.uid() == 1234, given);
        assert_eq!(mode(&path), 0o640);
        let mut value = [0; 8];
        let length = getxattr(&path, "user.tag", &mut value[..]).unwrap_or(0);
        assert_eq!(&value[..length], if tagged { &b"red"[..] } else { b"" });
    }

    /// Writing through the other links could leave a file that is neither old nor new.
    #[test]
    fn hard_links_keep_the_old_content_and_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        fs::write(&one, b"old").unwrap();
        fs::hard_link(&one, &other).unwrap();
        let note = save(&one, b"new").unwrap().note().unwrap();
        assert!(note.contains("1 other name of it (hard links)"), "{note}");
        assert_eq!([&one, &other].map(|path| fs::read(path).unwrap()), [b"new", b"old"]);
        assert_eq!(save(&one, b"newer").unwrap().note(), None);
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn permissions_are_kept_and_new_files_get_the_usual_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, usual) = (folder.path().join("ours"), folder.path().join("usual"));
        save(&ours, b"x").unwrap();
        fs::write(&usual, b"x").unwrap();
        assert_eq!(mode(&ours), mode(&usual), "0666 less the umask");
        for bits in [0o600, 0o664, 0o755] {
            fs::set_permissions(&ours, fs::Permissions::from_mode(bits)).unwrap();
            save(&ours, b"y").unwrap();
            assert_eq!(mode(&ours), bits);
        }
    }

    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let path_of = |name: &str| folder.path().join(name);
        fs::create_dir(path_of("elsewhere")).unwrap();
        fs::write(path_of("elsewhere/file"), b"old").unwrap();
        symlink("elsewhere/file", path_of("link")).unwrap();
        symlink(path_of("link"), path_of("second")).unwrap();
        symlink("elsewhere/none", path_of("dangling")).unwrap();
        symlink("circle", path_of("circle")).unwrap();
        save(&path_of("second"), b"new").unwrap();
        assert_eq!(fs::read(path_of("elsewhere/file")).unwrap(), b"new");
        save(&path_of("dangling"), b"made").unwrap();
        assert_eq!(fs::read(path_of("elsewhere/none")).unwrap(), b"made");
        assert!(save(&path_of("circle"), b"x").is_err());
        for link in ["link", "second", "dangling", "circle"] {
            assert!(fs::symlink_metadata(path_of(link)).unwrap().is_symlink());
        }
        assert_eq!(names(&path_of("elsewhere")), ["file", "none"]);
    }

    #[test]
    fn devices_and_pipes_are_refused() {
        assert!(save(Path::new("/dev/null"), b"x").unwrap_err().to_string().contains("device"));
        assert!(save(Path::new("/dev/full"), b"x").is_err());
        assert!(fs::metadata("/dev/null").is_ok_and(|metadata| !metadata.is_file()));
    }
}
