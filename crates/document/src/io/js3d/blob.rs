//! Blobs: arrays as text, `type:` followed by base64 without padding, little-endian. A blob never decodes to
//! more than its own text contains.

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use bytemuck::Pod;

/// Unused low bits of the last character are ignored, as in Scotty3D.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// An image without pixels, the substitute for a damaged image.
pub const EMPTY_IMAGE: &str = "hdr64:cmF3ZgAAAAAAAAAA";

/// The maximum number of damaged characters; a text with more is not a blob.
const MAX_DAMAGED: usize = 16;

/// The content of a blob.
pub struct DecodedBlob<T> {
    /// The items; damaged ones are zero.
    pub items: Vec<T>,
    pub damage: Option<Damage>,
}

/// Characters outside the alphabet, and the items that they damage.
#[derive(Clone, Debug, PartialEq)]
pub struct Damage {
    /// The position of the first such character in the text, prefix included, counted from 1.
    pub first: usize,
    /// The number of such characters.
    pub characters: usize,
    /// The indices of the lost items, ascending.
    pub items: Vec<usize>,
}

/// Decodes a blob. Returns its bytes, and the positions (from 0, without the prefix) of characters that are
/// not base64 and were read as zero.
fn bytes(text: &str, prefix: &str) -> Result<(Vec<u8>, Vec<usize>), String> {
    let code = text.strip_prefix(prefix).ok_or_else(|| format!("it does not start with \"{prefix}\""))?;
    let error = match BASE64.decode(code) {
        Ok(bytes) => return Ok((bytes, Vec::new())),
        Err(error) => format!("it is not base64 ({error})"),
    };
    let (repaired, damaged) = repair(code).ok_or_else(|| error.clone())?;
    let bytes = BASE64.decode(repaired).map_err(|_| error)?;
    Ok((bytes, damaged))
}

/// Replaces each character outside the alphabet by one that represents zero; returns their positions as well.
/// `None` if there are none, or too many.
fn repair(code: &str) -> Option<(String, Vec<usize>)> {
    let in_alphabet = |c: char| c.is_ascii_alphanumeric() || c == '+' || c == '/';
    let damaged = code.chars().enumerate().filter(|(_, c)| !in_alphabet(*c));
    let damaged: Vec<usize> = damaged.map(|(position, _)| position).take(MAX_DAMAGED + 1).collect();
    if damaged.is_empty() || damaged.len() > MAX_DAMAGED {
        return None;
    }
    let repaired = code.chars().map(|c| if in_alphabet(c) { c } else { 'A' });
    Some((repaired.collect(), damaged))
}

/// Decodes a blob whose items consist of 4-byte numbers. Only the items that a damaged character is part of
/// are lost.
pub fn items<T: Pod>(text: &str, prefix: &str) -> Result<DecodedBlob<T>, String> {
    let (bytes, damaged) = bytes(text, prefix)?;
    let size = size_of::<T>();
    if bytes.len() % size != 0 {
        return Err(if damaged.is_empty() {
            format!("its {} bytes are not a multiple of {size}", bytes.len())
        } else {
            "it is not base64".to_owned()
        });
    }
    let mut items = vec![T::zeroed(); bytes.len() / size];
    bytemuck::cast_slice_mut::<T, u8>(&mut items).copy_from_slice(&bytes);
    for number in bytemuck::cast_slice_mut::<T, u32>(&mut items) {
        *number = u32::from_le(*number);
    }
    let damage = Damage::new(prefix, &damaged, 8 * size, items.len());
    for &item in damage.iter().flat_map(|damage| &damage.items) {
        items[item] = T::zeroed();
    }
    Ok(DecodedBlob { items, damage })
}

impl Damage {
    /// Computes the damage from the positions of `damaged` characters, of 6 bits each; `bits` is the size of
    /// an item.
    fn new(prefix: &str, damaged: &[usize], bits: usize, count: usize) -> Option<Self> {
        let first = prefix.len() + damaged.first()? + 1;
        let touched = damaged.iter().flat_map(|c| [6 * c / bits, (6 * c + 5) / bits]);
        let mut items: Vec<usize> = touched.filter(|item| *item < count).collect();
        items.dedup();
        Some(Self { first, characters: damaged.len(), items })
    }
}

/// Appends a blob of items that consist of 4-byte numbers.
pub fn push_items<T: Pod>(out: &mut Vec<u8>, prefix: &str, items: &[T]) {
    out.extend_from_slice(prefix.as_bytes());
    let numbers: &[u32] = bytemuck::cast_slice(items);
    if cfg!(target_endian = "little") {
        push_base64(out, bytemuck::cast_slice(numbers));
    } else {
        let swapped: Vec<u32> = numbers.iter().map(|number| number.to_le()).collect();
        push_base64(out, bytemuck::cast_slice(&swapped));
    }
}

fn push_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    let start = out.len();
    // 3 bytes are 4 characters; the remaining 1 or 2 bytes are 2 or 3 characters.
    out.resize(start + bytes.len() / 3 * 4 + [0, 2, 3][bytes.len() % 3], 0);
    let written = BASE64.encode_slice(bytes, &mut out[start..]);
    debug_assert_eq!(written, Ok(out.len() - start));
}

/// Decodes flags, most significant bit first. A 1 after the last flag ends them.
pub fn flags(text: &str) -> Result<DecodedBlob<bool>, String> {
    let (bytes, damaged) = bytes(text, "bool:")?;
    let mut items: Vec<bool> =
        bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
    let end = items.iter().rposition(|flag| *flag);
    if end.is_none() && !items.is_empty() {
        return Err("its flags have no end".to_owned());
    }
    items.truncate(end.unwrap_or(0));
    let mut damage = Damage::new("bool:", &damaged, 6, items.len());
    if let Some(damage) = &mut damage {
        // Six flags per character.
        let flags = damaged.iter().flat_map(|c| 6 * c..6 * c + 6);
        damage.items = flags.filter(|flag| *flag < items.len()).collect();
    }
    Ok(DecodedBlob { items, damage })
}

pub fn push_flags(out: &mut Vec<u8>, flags: &[bool]) {
    out.extend_from_slice(b"bool:");
    if flags.is_empty() {
        return;
    }
    let mut bytes = vec![0_u8; flags.len() / 8 + 1];
    for (i, _) in flags.iter().chain([&true]).enumerate().filter(|(_, flag)| **flag) {
        bytes[i / 8] |= 0x80 >> (i % 8);
    }
    push_base64(out, &bytes);
}

/// Returns the width and height of an inline image, or the problem with it.
pub fn image_size(text: &str) -> Result<(u32, u32), String> {
    match bytes(text, "hdr64:")? {
        (bytes, damaged) if damaged.is_empty() => parse_image_size(&bytes),
        (_, damaged) => Err(format!("it is not base64 (character {})", damaged[0] + 7)),
    }
}

/// Replaces the damaged characters of an inline image by zeros; returns the image and their number. `None` if
/// the result is not an image either.
pub fn repaired_image(text: &str) -> Option<(String, usize)> {
    let (code, damaged) = repair(text.strip_prefix("hdr64:")?)?;
    let repaired = format!("hdr64:{code}");
    image_size(&repaired).ok()?;
    Some((repaired, damaged.len()))
}

fn parse_image_size(bytes: &[u8]) -> Result<(u32, u32), String> {
    let Some((header, pixels)) = bytes.split_at_checked(12) else {
        return Err("it is too short for an image".to_owned());
    };
    if !header.starts_with(b"rawf") {
        return Err("it is not an image of the kind \"rawf\"".to_owned());
    }
    let word =
        |offset: usize| header[offset..offset + 4].iter().rev().fold(0, |n, byte| n << 8 | u32::from(*byte));
    let (width, height) = (word(4), word(8));
    if u128::from(width) * u128::from(height) * 12 != pixels.len() as u128 {
        return Err(format!("it claims {width} x {height} pixels but holds {} bytes of them", pixels.len()));
    }
    Ok((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn numbers(text: &str) -> Result<Vec<u32>, String> {
        items::<u32>(text, "uint32:").map(|decoded| decoded.items)
    }

    /// The bytes are the example in docs/js3d.md, section 7.4.
    #[test]
    fn items_are_little_endian_without_padding() {
        let text = "uint32:AgAAAAUAAAAEAAAAAQAAAAAAAAADAAAA";
        assert_eq!(numbers(text), Ok(vec![2, 5, 4, 1, 0, 3]));
        let text = "vec3:AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
        assert_eq!(items::<Vec3>(text, "vec3:").unwrap().items, [Vec3::ZERO, Vec3::X, Vec3::Y]);
        let mut out = Vec::new();
        push_items(&mut out, "vec3:", &[Vec3::ZERO, Vec3::X, Vec3::Y]);
        assert_eq!(out, text.as_bytes());
        for length in 0..9_u32 {
            let values: Vec<u32> = (0..length).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let mut out = Vec::new();
            push_items(&mut out, "uint32:", &values);
            assert_eq!(numbers(std::str::from_utf8(&out).unwrap()), Ok(values));
        }
    }

    #[test]
    fn invalid_blobs_are_refused_with_the_reason() {
        let wrong = |text| numbers(text).unwrap_err();
        assert!(wrong("float:AAAAAA").contains("start"));
        assert!(wrong("uint32:AAAAAA==").contains("base64"));
        assert!(wrong("uint32:AAAA AA").contains("base64"));
        assert!(wrong("uint32:AAAAA").contains("base64"));
        assert!(wrong("uint32:AAAA").contains("multiple of 4"));
        assert_eq!(numbers("uint32:AAAAAB"), Ok(vec![0]), "unused bits are ignored");
    }

    /// A damaged character only affects the items that it is part of.
    #[test]
    fn damage_is_local() {
        let mut out = Vec::new();
        push_items(&mut out, "uint32:", &[u32::MAX; 6]);
        let text = String::from_utf8(out).unwrap();
        for (position, lost) in [(0, vec![0]), (5, vec![0, 1]), (6, vec![1]), (31, vec![5])] {
            for bad in ['*', '\u{e9}'] {
                let mut damaged: Vec<char> = text.chars().collect();
                damaged[7 + position] = bad;
                let damaged: String = damaged.into_iter().collect();
                let decoded = items::<u32>(&damaged, "uint32:").unwrap();
                let whole = (0..6).map(|i| if lost.contains(&i) { 0 } else { u32::MAX });
                assert_eq!(decoded.items, whole.collect::<Vec<_>>());
                let damage = decoded.damage.unwrap();
                assert_eq!((damage.first, damage.characters, damage.items), (8 + position, 1, lost.clone()));
            }
        }
        let too_many = text.replacen('/', "*", MAX_DAMAGED + 1);
        assert!(numbers(&too_many).is_err());
        let flags = flags("bool:*8A").unwrap();
        assert_eq!(flags.damage.unwrap().items, [0, 1, 2, 3, 4, 5]);
    }

    /// Examples of docs/js3d.md, section 6.2.
    #[test]
    fn flags_end_with_a_one() {
        let cases: [(&str, &[bool]); 4] = [
            ("bool:", &[]),
            ("bool:YA", &[false, true]),
            ("bool:EA", &[false; 3]),
            ("bool:AIA", &[false; 8]),
        ];
        for (text, expected) in cases {
            assert_eq!(flags(text).unwrap().items, expected);
            let mut out = Vec::new();
            push_flags(&mut out, expected);
            assert_eq!(out, text.as_bytes());
        }
        assert!(flags("bool:AAAA").is_err());
    }

    #[test]
    fn images_must_hold_what_they_claim() {
        assert_eq!(image_size(EMPTY_IMAGE), Ok((0, 0)));
        let mut pixel = b"rawf\x01\0\0\0\x01\0\0\0".to_vec();
        pixel.extend([0; 12]);
        assert_eq!(image_size(&format!("hdr64:{}", BASE64.encode(&pixel))), Ok((1, 1)));
        pixel[4..12].fill(0xff);
        assert!(image_size(&format!("hdr64:{}", BASE64.encode(&pixel))).unwrap_err().contains("claims"));
        assert!(image_size("hdr64:AAAA").is_err());
    }
}
