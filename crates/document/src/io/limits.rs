//! Limits on the size of files, for readers and writers alike: writers refuse what could not be read again.

/// The maximum size of a file that is read, or written where it must be readable again: 1 GiB.
pub const FILE_BYTES: u64 = 1 << 30;

/// The maximum cost of the tree of a JSON document: a value costs [`VALUE_COST`], a text [`TEXT_COST`], an
/// array [`ARRAY_COST`], an object [`OBJECT_COST`]. Two million knots of three numbers fit; a document that
/// costs more would take gigabytes of memory.
pub const JSON_COST: usize = 1 << 24;
pub const VALUE_COST: usize = 1;
pub const TEXT_COST: usize = 4;
pub const ARRAY_COST: usize = 4;
pub const OBJECT_COST: usize = 16;

/// How much may be made of something, such as a file: a share for any, more for each of its units, such as bytes, and
/// a maximum. A small file can name the same numbers a thousand times.
pub struct Allowance {
    any: usize,
    each: usize,
    most: usize,
}

impl Allowance {
    /// Returns the limit for so many units.
    pub const fn limit(&self, units: usize) -> usize {
        let allowed = self.any.saturating_add(units.saturating_mul(self.each));
        if allowed < self.most { allowed } else { self.most }
    }
}

/// The maximum of numbers that are read from the accessors of a glTF file, by its bytes: half a GiB of floats.
pub const GLTF_NUMBERS: Allowance = Allowance { any: 1 << 23, each: 64, most: 1 << 27 };
/// The maximum of vertices and corners of faces in the surfaces of a glTF file, by its bytes. There is a copy of a mesh
/// for each node that carries it on a skeleton. A million take half a second.
pub const GLTF_CORNERS: Allowance = Allowance { any: 1 << 21, each: 8, most: 1 << 26 };
/// The maximum of copies of meshes in a glTF file, by its bytes: each becomes an instance.
pub const GLTF_COPIES: Allowance = Allowance { any: 1 << 12, each: 1, most: 1 << 16 };
/// The maximum product of frames and nodes, and of frames and animated values, in all animations of a glTF file that
/// is read, by its bytes. A million take half a second.
pub const GLTF_POSES: Allowance = Allowance { any: 1 << 22, each: 8, most: EXPORTED_VALUES };
/// The maximum product of frames and animated values in all takes of a glTF file that is written, and in each of
/// them: more of one would take gigabytes.
pub const EXPORTED_VALUES: usize = 1 << 25;
pub const TAKE_VALUES: usize = 1 << 23;
/// The maximum of joints and goals that inverse kinematics visits in a glTF export, by its poses: about ten times as
/// much per pose as a body with a dozen handles needs. A million take a fifth of a second.
pub const EXPORTED_IK: Allowance = Allowance { any: 1 << 23, each: 1 << 15, most: usize::MAX };
/// The maximum size of a coordinate, translation or length in a glTF file: squares and their sums are finite.
pub const COORDINATE: f32 = 1e18;

/// Why this program could not read a file again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    #[error(
        "the file would have {bytes} bytes, and {} (1 GiB) is the most that can be read again; nothing was \
         written. Split the scene, or use fewer vertices",
        FILE_BYTES
    )]
    Bytes { bytes: u64 },
    #[error(
        "the file would hold more values ({cost}) than can be read again ({}); nothing was written. Split \
         the scene, or use fewer keys: a key of three numbers counts 8",
        JSON_COST
    )]
    Values { cost: usize },
    #[error(
        "the file would hold {numbers} numbers, more than can be read again; nothing was written. Export fewer takes, \
         instances or vertices"
    )]
    Numbers { numbers: usize },
    #[error(
        "the skinned meshes of the file, one for each instance, would have {corners} vertices and corners, more than can \
         be read again; nothing was written. Export fewer instances"
    )]
    Corners { corners: usize },
}

/// Checks that a file of `bytes` bytes can be read again.
///
/// # Errors
/// [`LimitError::Bytes`].
pub fn check_bytes(bytes: usize) -> Result<(), LimitError> {
    match bytes as u64 {
        ..=FILE_BYTES => Ok(()),
        bytes => Err(LimitError::Bytes { bytes }),
    }
}

/// Checks that JSON text, which must be valid, can be read again.
///
/// # Errors
/// [`LimitError`].
pub fn check_json(text: &[u8]) -> Result<(), LimitError> {
    check_bytes(text.len())?;
    match json_cost(text) {
        ..=JSON_COST => Ok(()),
        cost => Err(LimitError::Values { cost }),
    }
}

/// Returns what valid JSON costs to read.
pub fn json_cost(text: &[u8]) -> usize {
    let (mut cost, mut index) = (0, 0);
    while let Some(&byte) = text.get(index) {
        index += 1;
        match byte {
            b'{' => cost += OBJECT_COST,
            b'[' => cost += ARRAY_COST,
            b'"' => {
                index = string_end(text, index);
                // Member names cost nothing.
                cost += TEXT_COST;
                index += text[index..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                if text.get(index) == Some(&b':') {
                    cost -= TEXT_COST;
                }
            }
            b'-' | b'0'..=b'9' | b'a'..=b'z' => {
                cost += VALUE_COST;
                let word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                index += text[index..].iter().take_while(word).count();
            }
            _ => {}
        }
    }
    cost
}

/// Returns the index after the closing quote of the string whose content begins at `index`.
fn string_end(text: &[u8], mut index: usize) -> usize {
    while let Some(offset) = text[index..].iter().position(|byte| matches!(byte, b'"' | b'\\')) {
        index += offset;
        match text[index] {
            b'"' => return index + 1,
            // An escaped character does not end the string.
            _ => index = (index + 2).min(text.len()),
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_as_readers_do() {
        let cases = [
            ("1", 1),
            (" -1.5e+3 ", 1),
            ("[]", 4),
            ("[1,[2,3],\"[1,2]\"]", 15),
            ("{\"a\" : null, \"b\":{\"\\\"c\\\\\":true}}", 34),
        ];
        for (text, cost) in cases {
            assert_eq!(json_cost(text.as_bytes()), cost, "{text}");
        }
    }

    #[test]
    fn what_is_too_large_is_refused_with_the_limit() {
        assert_eq!(check_bytes(1 << 30), Ok(()));
        let error = check_bytes((1 << 30) + 1).unwrap_err().to_string();
        assert!(error.contains("1073741825") && error.contains("1 GiB"), "{error}");
        let text = |count| format!("[{}1]", "1,".repeat(count - 1));
        assert_eq!(check_json(text(JSON_COST - 4).as_bytes()), Ok(()));
        let error = check_json(text(JSON_COST - 3).as_bytes()).unwrap_err().to_string();
        assert!(error.contains("16777217") && error.contains("16777216"), "{error}");
    }
}
