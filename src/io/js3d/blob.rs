//! Blobs: arrays as text, `type:` and base64 without padding, little-endian. A blob never yields more
//! than its own text holds.

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

/// An image of no pixels: what a damaged image becomes.
pub const EMPTY_IMAGE: &str = "hdr64:cmF3ZgAAAAAAAAAA";

fn bytes(text: &str, prefix: &str) -> Result<Vec<u8>, String> {
    let code = text
        .strip_prefix(prefix)
        .ok_or_else(|| format!("it does not start with \"{prefix}\""))?;
    BASE64
        .decode(code)
        .map_err(|error| format!("it is not base64 ({error})"))
}

/// The items of a blob whose items consist of 4-byte numbers.
pub fn items<T: Pod>(text: &str, prefix: &str) -> Result<Vec<T>, String> {
    let bytes = bytes(text, prefix)?;
    let size = size_of::<T>();
    if bytes.len() % size != 0 {
        return Err(format!("its {} bytes are no multiple of {size}", bytes.len()));
    }
    let mut items = vec![T::zeroed(); bytes.len() / size];
    bytemuck::cast_slice_mut::<T, u8>(&mut items).copy_from_slice(&bytes);
    for number in bytemuck::cast_slice_mut::<T, u32>(&mut items) {
        *number = u32::from_le(*number);
    }
    Ok(items)
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
    // 3 bytes are 4 characters; a rest of 1 or 2 bytes is 2 or 3 of them.
    out.resize(start + bytes.len() / 3 * 4 + [0, 2, 3][bytes.len() % 3], 0);
    let written = BASE64.encode_slice(bytes, &mut out[start..]);
    debug_assert_eq!(written, Ok(out.len() - start));
}

/// Flags, most significant bit first. A 1 after the last flag ends them.
pub fn flags(text: &str) -> Result<Vec<bool>, String> {
    let bytes = bytes(text, "bool:")?;
    let mut flags: Vec<bool> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1))
        .collect();
    let end = flags.iter().rposition(|flag| *flag);
    if end.is_none() && !flags.is_empty() {
        return Err("its flags have no end".to_owned());
    }
    flags.truncate(end.unwrap_or(0));
    Ok(flags)
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

/// Width and height of an inline image; what is wrong with it otherwise.
pub fn image_size(text: &str) -> Result<(u32, u32), String> {
    let bytes = bytes(text, "hdr64:")?;
    let Some((header, pixels)) = bytes.split_at_checked(12) else {
        return Err("it is too short for an image".to_owned());
    };
    if !header.starts_with(b"rawf") {
        return Err("it is not an image of the kind \"rawf\"".to_owned());
    }
    let number = |at: usize| {
        header[at..at + 4]
            .iter()
            .rev()
            .fold(0, |n, byte| n << 8 | u32::from(*byte))
    };
    let (width, height) = (number(4), number(8));
    if u128::from(width) * u128::from(height) * 12 != pixels.len() as u128 {
        return Err(format!(
            "it claims {width} x {height} pixels but holds {} bytes of them",
            pixels.len()
        ));
    }
    Ok((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// The bytes are those of the format's section 7.4.
    #[test]
    fn items_are_little_endian_without_padding() {
        let text = "uint32:AgAAAAUAAAAEAAAAAQAAAAAAAAADAAAA";
        assert_eq!(items::<u32>(text, "uint32:"), Ok(vec![2, 5, 4, 1, 0, 3]));
        let text = "vec3:AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
        assert_eq!(
            items::<Vec3>(text, "vec3:"),
            Ok(vec![Vec3::ZERO, Vec3::X, Vec3::Y])
        );
        let mut out = Vec::new();
        push_items(&mut out, "vec3:", &[Vec3::ZERO, Vec3::X, Vec3::Y]);
        assert_eq!(out, text.as_bytes());
        for length in 0..9_u32 {
            let numbers: Vec<u32> = (0..length).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
            let mut out = Vec::new();
            push_items(&mut out, "uint32:", &numbers);
            assert_eq!(
                items::<u32>(std::str::from_utf8(&out).unwrap(), "uint32:"),
                Ok(numbers)
            );
        }
    }

    #[test]
    fn damaged_blobs_say_what_is_wrong() {
        let wrong = |text| items::<u32>(text, "uint32:").unwrap_err();
        assert!(wrong("float:AAAAAA").contains("start"));
        assert!(wrong("uint32:AAAAAA==").contains("base64"));
        assert!(wrong("uint32:AAAA AA").contains("base64"));
        assert!(wrong("uint32:AAAAA").contains("base64"));
        assert!(wrong("uint32:AAAA").contains("multiple of 4"));
        assert_eq!(
            items::<u32>("uint32:AAAAAB", "uint32:"),
            Ok(vec![0]),
            "unused bits are ignored"
        );
    }

    /// Examples of the format's section 6.2.
    #[test]
    fn flags_end_with_a_one() {
        let cases: [(&str, &[bool]); 4] = [
            ("bool:", &[]),
            ("bool:YA", &[false, true]),
            ("bool:EA", &[false; 3]),
            ("bool:AIA", &[false; 8]),
        ];
        for (text, expected) in cases {
            assert_eq!(flags(text).as_deref(), Ok(expected));
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
        assert_eq!(
            image_size(&format!("hdr64:{}", BASE64.encode(&pixel))),
            Ok((1, 1))
        );
        pixel[4..12].fill(0xff);
        assert!(
            image_size(&format!("hdr64:{}", BASE64.encode(&pixel)))
                .unwrap_err()
                .contains("claims")
        );
        assert!(image_size("hdr64:AAAA").is_err());
    }
}
