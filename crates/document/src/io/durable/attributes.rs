//! Attributes of files: permissions, owner, group, extended attributes, hard links. They are preserved when a
//! file is replaced, as far as the system allows; the rest is reported.

use std::fs::{File, Metadata};
use std::io;

/// The attributes of a file that will be replaced.
pub struct Attributes {
    metadata: Metadata,
    #[cfg(unix)]
    extended: Vec<(std::ffi::CString, Vec<u8>)>,
}

impl Attributes {
    /// Reads the extended attributes from `file`, which is open for reading if permitted.
    pub fn new(metadata: Metadata, file: Option<&File>) -> Self {
        #[cfg(not(unix))]
        let _ = file;
        Self {
            metadata,
            #[cfg(unix)]
            extended: file.map(unix::extended).unwrap_or_default(),
        }
    }

    /// Applies the attributes to the file that takes its place. Returns descriptions of those that could not
    /// be preserved.
    ///
    /// # Errors
    /// If the permissions cannot be set: others might read what they must not.
    pub fn apply_to(&self, file: &File) -> io::Result<Vec<String>> {
        #[cfg(unix)]
        return unix::apply_to(&self.metadata, &self.extended, file);
        #[cfg(not(unix))]
        file.set_permissions(self.metadata.permissions()).map(|()| Vec::new())
    }
}

#[cfg(unix)]
mod unix {
    use super::{File, Metadata, io};
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use std::ffi::{CStr, CString};
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    /// The maximum size of the list of names and of a value; file systems allow no more.
    const MAX_BYTES: usize = 1 << 16;

    pub fn extended(file: &File) -> Vec<(CString, Vec<u8>)> {
        let mut noun = vec![0_u8; MAX_BYTES];
        let Ok(length) = flistxattr(file, &mut noun[..]) else {
            return Vec::new();
        };
        let noun = noun[..length].split_inclusive(|byte| *byte == 0);
        let named = noun.filter_map(|name| {
            let name = CStr::from_bytes_with_nul(name).ok()?;
            let mut value = vec![0_u8; MAX_BYTES];
            let length = fgetxattr(file, name, &mut value[..]).ok()?;
            value.truncate(length);
            Some((name.to_owned(), value))
        });
        named.collect()
    }

    pub fn apply_to(old: &Metadata, extended: &[(CString, Vec<u8>)], file: &File) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        let new = file.metadata()?;
        let mut mode = old.permissions().mode();
        if (new.uid(), new.gid()) != (old.uid(), old.gid())
            && fchown(file, Some(old.uid()), Some(old.gid())).is_err()
        {
            if new.uid() != old.uid() {
                lost.push("its owner".to_owned());
            }
            if new.gid() != old.gid() && fchown(file, None, Some(old.gid())).is_err() {
                lost.push("its group".to_owned());
                // Permissions of the old group must not apply to another.
                mode = mode & !0o070 | (mode & 0o007) << 3;
            }
            // Set-user-ID and set-group-ID would lend the rights of another owner.
            mode &= !0o6000;
        }
        // After the change of owner, which clears some of them.
        file.set_permissions(Permissions::from_mode(mode))?;
        let refused = extended
            .iter()
            .filter(|(name, value)| fsetxattr(file, name.as_c_str(), value, XattrFlags::empty()).is_err());
        // Only the system may set the labels of security modules.
        let refused: Vec<_> = refused
            .filter(|(name, _)| !name.to_bytes().starts_with(b"security."))
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect();
        if !refused.is_empty() {
            lost.push(format!("its extended attributes ({})", refused.join(", ")));
        }
        if old.nlink() > 1 {
            let others = old.nlink() - 1;
            let noun = if others == 1 { "name" } else { "names" };
            lost.push(format!("{others} other {noun} of it (hard links), where the old content stays"));
        }
        Ok(lost)
    }
}
