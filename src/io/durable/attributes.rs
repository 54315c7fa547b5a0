//! What a file has beside its content: permissions, owner, group, extended attributes, other names. What the
//! system lets us keep when it is replaced is kept; the rest is told.

use std::fs::{File, Metadata};
use std::io;

/// What the file that is replaced has.
pub struct Attributes {
    metadata: Metadata,
    #[cfg(unix)]
    extended: Vec<(std::ffi::CString, Vec<u8>)>,
}

impl Attributes {
    /// `file`: open for reading, if it may be read.
    pub fn new(metadata: Metadata, file: Option<&File>) -> Self {
        #[cfg(not(unix))]
        let _ = file;
        Self {
            metadata,
            #[cfg(unix)]
            extended: file.map(unix::extended).unwrap_or_default(),
        }
    }

    /// Gives them to the file that takes its place. What could not be kept, in words.
    ///
    /// # Errors
    /// If it cannot get the permissions: others might read what they must not.
    pub fn give(&self, file: &File) -> io::Result<Vec<String>> {
        #[cfg(unix)]
        return unix::give(&self.metadata, &self.extended, file);
        #[cfg(not(unix))]
        file.set_permissions(self.metadata.permissions())
            .map(|()| Vec::new())
    }
}

#[cfg(unix)]
mod unix {
    use super::{File, Metadata, io};
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use std::ffi::{CStr, CString};
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    /// Names and values longer than this are not kept; file systems allow no more.
    const LONGEST: usize = 1 << 16;

    pub fn extended(file: &File) -> Vec<(CString, Vec<u8>)> {
        let mut names = vec![0_u8; LONGEST];
        let Ok(length) = flistxattr(file, &mut names[..]) else {
            return Vec::new();
        };
        let names = names[..length].split_inclusive(|byte| *byte == 0);
        let named = names.filter_map(|name| {
            let name = CStr::from_bytes_with_nul(name).ok()?;
            let mut value = vec![0_u8; LONGEST];
            let length = fgetxattr(file, name, &mut value[..]).ok()?;
            value.truncate(length);
            Some((name.to_owned(), value))
        });
        named.collect()
    }

    pub fn give(old: &Metadata, extended: &[(CString, Vec<u8>)], file: &File) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        let ours = file.metadata()?;
        let mut mode = old.permissions().mode();
        if (ours.uid(), ours.gid()) != (old.uid(), old.gid())
            && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
        {
            if ours.uid() != old.uid() {
                lost.push("its owner".to_owned());
            }
            if ours.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
                lost.push("its group".to_owned());
                // What the old group was allowed must not be allowed to another.
                mode = mode & !0o070 | (mode & 0o007) << 3;
            }
            // These would lend the rights of another owner.
            mode &= !0o6000;
        }
        // After the owner, whose change takes some of them away.
        file.set_permissions(Permissions::from_mode(mode))?;
        let refused = extended
            .iter()
            .filter(|(name, value)| fsetxattr(file, name.as_c_str(), value, XattrFlags::empty()).is_err());
        // The labels of security modules are the system's to give.
        let refused: Vec<_> = refused
            .filter(|(name, _)| !name.to_bytes().starts_with(b"security."))
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect();
        if !refused.is_empty() {
            lost.push(format!("its extended attributes ({})", refused.join(", ")));
        }
        if old.nlink() > 1 {
            let others = old.nlink() - 1;
            let names = if others == 1 { "name" } else { "names" };
            lost.push(format!(
                "{others} other {names} of it (hard links), where the old content stays"
            ));
        }
        Ok(lost)
    }
}
