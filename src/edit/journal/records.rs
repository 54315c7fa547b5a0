//! The file `journal`: records one behind the other, each its length (four bytes, the lowest first), a CRC-32 of length
//! and content, and the content as JSON. What a damaged or half-written record leaves is a journal up to it.

use crate::edit::step::Step;
use crate::io::stamp::Stamp;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// Journals with another number are not carried out: their last snapshot counts.
pub const FORMAT: u32 = 1;

/// Longer contents lie in files of their own.
pub const LONGEST: usize = 64 << 10;

/// The content of a record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// The first.
    Head(Head),
    Steps(Steps),
    /// Steps that lie in a file of this name in the folder.
    Long(String),
    /// What the scene was after so many records of steps.
    Scene {
        after: usize,
        hash: String,
    },
    /// Of earlier versions: snapshots are found by their names now.
    Snapshot {
        after: usize,
        file: String,
    },
}

/// Where a session began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub format: u32,
    /// Of the program.
    pub version: String,
    /// Seconds since 1970.
    pub started: u64,
    /// The document's file, and what it held; `None` if it has none.
    pub file: Option<(String, Stamp)>,
}

impl Head {
    /// In the place of one that cannot be read.
    pub fn lost() -> Self {
        Self {
            format: FORMAT,
            version: String::new(),
            started: 0,
            file: None,
        }
    }
}

/// What was written at once: all that a step of the session takes, or a drag under way as far as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    pub steps: Vec<Step>,
    /// What Undo would say after them.
    pub label: Option<String>,
}

/// A record as it lies in the file.
pub fn frame(content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_le_bytes();
    let sum = crc32(length.iter().chain(content));
    [&length, &sum.to_le_bytes(), content].concat()
}

/// The contents of all records up to the first that is not whole, each with where it ends.
pub fn contents(bytes: &[u8]) -> impl Iterator<Item = (&[u8], usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (head, rest) = bytes[at..].split_first_chunk::<8>()?;
        let [length, sum] = [
            [head[0], head[1], head[2], head[3]],
            [head[4], head[5], head[6], head[7]],
        ];
        let content = rest.get(..u32::from_le_bytes(length) as usize)?;
        if crc32(length.iter().chain(content)) != u32::from_le_bytes(sum) {
            return None;
        }
        at += 8 + content.len();
        Some((content, at))
    })
}

/// Whether what lies behind the last whole record is the beginning of one, as a program leaves it that ends while it
/// writes: not one that was whole and is damaged, nor several.
pub fn is_unfinished(rest: &[u8]) -> bool {
    let Some((length, behind)) = rest.split_first_chunk::<4>() else {
        return !rest.is_empty();
    };
    let content = behind.get(4..).unwrap_or_default();
    let length = u32::from_le_bytes(*length) as usize;
    let mut values = serde_json::Deserializer::from_slice(content).into_iter::<IgnoredAny>();
    let is_whole = matches!(values.next(), Some(Ok(_)));
    content.len() < length && length <= LONGEST && !is_whole
}

/// CRC-32 as in PNG and zip (ISO 3309, polynomial 0xEDB88320).
fn crc32<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut at = 0;
        while at < 256 {
            let (mut sum, mut bit) = (at as u32, 0);
            while bit < 8 {
                sum = if sum & 1 == 1 {
                    0xEDB8_8320 ^ (sum >> 1)
                } else {
                    sum >> 1
                };
                bit += 1;
            }
            table[at] = sum;
            at += 1;
        }
        table
    };
    !bytes.fold(!0, |sum, byte| {
        TABLE[((sum ^ u32::from(*byte)) & 0xFF) as usize] ^ (sum >> 8)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789".iter()), 0xCBF4_3926);
    }

    #[test]
    fn every_cut_and_every_flipped_bit_leaves_the_records_before() {
        let all: Vec<Vec<u8>> = ["one", "", "a third record"]
            .map(|text| text.as_bytes().to_vec())
            .to_vec();
        let bytes: Vec<u8> = all.iter().flat_map(|content| frame(content)).collect();
        let read = |bytes: &[u8]| {
            contents(bytes)
                .map(|(content, _)| content.to_vec())
                .collect::<Vec<_>>()
        };
        let ends: Vec<usize> = contents(&bytes).map(|(_, end)| end).collect();
        assert_eq!((read(&bytes), ends.last()), (all.clone(), Some(&bytes.len())));
        let whole = |at: usize| ends.iter().filter(|end| **end <= at).count();
        for at in 0..bytes.len() {
            assert_eq!(read(&bytes[..at]), all[..whole(at)], "cut at {at}");
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << bit;
                assert_eq!(read(&flipped), all[..whole(at)], "bit {bit} of byte {at}");
            }
        }
    }
}
