//! The `journal` file: a sequence of records, each consisting of its length (four bytes, little-endian), a
//! CRC-32 of length and content, and the content as JSON. A damaged or half-written record ends the readable
//! part of a journal.

use crate::edit::session::step::Step;
use crate::io::stamp::Stamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// The format version. Journals with another version are not replayed; their last snapshot is recovered
/// instead.
pub const FORMAT: u32 = 1;

/// The maximum size of a record's content, in bytes. Longer contents are written to separate files.
pub const MAX_CONTENT: usize = 64 << 10;

/// The content of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// The first record of a journal.
    Head(Head),
    Steps(Steps),
    /// Steps in a separate file with this name in the session's folder.
    Long(String),
    /// The hash of the scene after this number of step records.
    Scene {
        after: usize,
        hash: String,
    },
    /// Written by earlier versions; snapshots are now found by their file names.
    Snapshot {
        after: usize,
        file: String,
    },
}

/// The start of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// The start time, in seconds since 1970.
    pub started: u64,
    /// The document's file and a stamp of its content; `None` if the document has no file.
    pub file: Option<(String, Stamp)>,
}

impl Head {
    /// Returns a placeholder for a head that cannot be read.
    pub fn unreadable() -> Self {
        Self { format: FORMAT, version: String::new(), started: 0, file: None }
    }
}

/// Steps that are written together: everything that belongs to one step of the session, or the current state
/// of a drag.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    pub steps: Vec<Step>,
    /// The undo label after these steps.
    pub label: Option<String>,
}

/// Frames the content of a record for the journal: length, checksum, content.
pub fn frame(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_le_bytes();
    let sum = crc32(length.iter().chain(content));
    [&length, &sum.to_le_bytes(), content].concat()
}

/// Iterates over the contents of all intact records before the first damaged one, each with its end offset.
pub fn contents(bytes: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let (head, rest) = bytes[offset..].split_first_chunk::<8>()?;
        let [length, sum] = [[head[0], head[1], head[2], head[3]], [head[4], head[5], head[6], head[7]]];
        let content = rest.get(..u32::from_le_bytes(length) as usize)?;
        if crc32(length.iter().chain(content)) != u32::from_le_bytes(sum) {
            return None;
        }
        offset += 8 + content.len();
        Some((content, offset))
    })
}

/// Whether the bytes after the last intact record are the start of one record, as left by a program that
/// ended while writing it; false for a complete but damaged record and for several records.
pub fn is_unfinished(rest: &[u8]) -> bool {
    let Some((length, tail)) = rest.split_first_chunk::<4>() else {
        return !rest.is_empty();
    };
    let content = tail.get(4..).unwrap_or_default();
    let length = u32::from_le_bytes(*length) as usize;
    let mut values = serde_json::Deserializer::from_slice(content).into_iter::<IgnoredAny>();
    let is_whole = matches!(values.next(), Some(Ok(_)));
    content.len() < length && length <= MAX_CONTENT && !is_whole
}

/// CRC-32 as in PNG and zip (ISO 3309, polynomial 0xEDB88320).
fn crc32<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let (mut sum, mut bit) = (index as u32, 0);
            while bit < 8 {
                sum = if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 };
                bit += 1;
            }
            table[index] = sum;
            index += 1;
        }
        table
    };
    !bytes.fold(!0, |sum, byte| TABLE[((sum ^ u32::from(*byte)) & 0xFF) as usize] ^ (sum >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_matches_the_standard() {
        assert_eq!(crc32(b"123456789".iter()), 0xCBF4_3926);
    }

    #[test]
    fn every_cut_and_every_flipped_bit_leaves_the_records_before() {
        let all: Vec<Vec<u8>> = ["one", "", "a third record"].map(|text| text.as_bytes().to_vec()).to_vec();
        let bytes: Vec<u8> = all.iter().flat_map(|content| frame(content)).collect();
        let read = |bytes: &[u8]| contents(bytes).map(|(content, _)| content.to_vec()).collect::<Vec<_>>();
        let ends: Vec<usize> = contents(&bytes).map(|(_, end)| end).collect();
        assert_eq!((read(&bytes), ends.last()), (all.clone(), Some(&bytes.len())));
        let intact = |cut: usize| ends.iter().filter(|end| **end <= cut).count();
        for cut in 0..bytes.len() {
            assert_eq!(read(&bytes[..cut]), all[..intact(cut)], "cut at {cut}");
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[cut] ^= 1 << bit;
                assert_eq!(read(&flipped), all[..intact(cut)], "bit {bit} of byte {cut}");
            }
        }
    }
}
