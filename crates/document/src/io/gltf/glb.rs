//! The container of binary glTF (`.glb`): a header of 12 bytes, a chunk of JSON and a chunk of binary data,
//! each padded to four bytes.

/// The signature of a file.
pub const MAGIC: &[u8] = b"glTF";
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// The chunks of a container. Chunks of other kinds are omitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glb<'a> {
    pub json: &'a [u8],
    /// The binary data, up to three bytes longer than its buffer.
    pub bin: Option<&'a [u8]>,
    /// Violations of the format that do no harm.
    pub irregularities: Vec<&'static str>,
}

/// Why bytes are not a container of glTF 2, or cannot become one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlbError {
    #[error("the file does not begin as binary glTF does")]
    Magic,
    #[error("the file is binary glTF of version {0}; only version 2 can be read")]
    Version(u32),
    #[error("the file ends after {found} bytes, where {part} needs {needed}")]
    Truncated { part: &'static str, needed: usize, found: usize },
    #[error("the first chunk is not JSON")]
    NoJson,
    #[error(
        "binary glTF cannot hold more than 4 GiB; there are {0} bytes; export fewer takes, or \
             smaller pictures"
    )]
    TooLarge(usize),
}

/// Splits a container into its chunks. Bytes after its stated length are ignored.
///
/// # Errors
/// If it is not a container, or ends before its stated length.
pub fn parse(bytes: &[u8]) -> Result<Glb<'_>, GlbError> {
    if !bytes.starts_with(MAGIC) {
        return Err(GlbError::Magic);
    }
    let (header, rest) = split(bytes, HEADER_BYTES, "the head")?;
    match word(header, 4) {
        VERSION => {}
        version => return Err(GlbError::Version(version)),
    }
    let length = (word(header, 8) as usize).saturating_sub(HEADER_BYTES);
    let (mut chunks, _) = split(rest, length, "the container")?;
    let json = match chunk(&mut chunks)? {
        Some((JSON, json)) => json,
        _ => return Err(GlbError::NoJson),
    };
    let mut next = chunk(&mut chunks)?;
    let bin = next.take_if(|(kind, _)| *kind == BIN).map(|(_, bin)| bin);
    let mut irregularities = Vec::new();
    if !json.len().is_multiple_of(4) || bin.is_some_and(|bin| !bin.len().is_multiple_of(4)) {
        irregularities.push("a chunk is not padded to four bytes");
    }
    // Chunks of other kinds may follow.
    while let Some((kind, _)) = next.or_else(|| chunk(&mut chunks).ok().flatten()) {
        next = None;
        match kind {
            JSON => irregularities.push("there is a second chunk of JSON; the first counts"),
            BIN => irregularities
                .push("there is another chunk of bytes; the first counts, if it is the second of the file"),
            _ => {}
        }
    }
    Ok(Glb { json, bin, irregularities })
}

/// Returns the container of `json` and `bin`; without binary data there is no second chunk.
///
/// # Errors
/// [`GlbError::TooLarge`].
pub fn write(json: &[u8], bin: &[u8]) -> Result<Vec<u8>, GlbError> {
    let chunks = [(JSON, json, b' '), (BIN, bin, 0)];
    let mut glb = Vec::with_capacity(HEADER_BYTES + 2 * (CHUNK_HEADER_BYTES + 4) + json.len() + bin.len());
    glb.extend_from_slice(MAGIC);
    glb.extend_from_slice(&VERSION.to_le_bytes());
    glb.extend_from_slice(&[0; 4]);
    for (kind, content, padding) in chunks {
        if kind == BIN && content.is_empty() {
            continue;
        }
        let length = content.len().next_multiple_of(4);
        // A chunk that is too long for this number makes the whole file too long, too.
        glb.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes());
        glb.extend_from_slice(&kind.to_le_bytes());
        glb.extend_from_slice(content);
        glb.resize(glb.len() + length - content.len(), padding);
    }
    let length = u32::try_from(glb.len()).map_err(|_| GlbError::TooLarge(glb.len()))?;
    glb[8..HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
    Ok(glb)
}

/// Takes the next chunk and returns its kind and content; `None` at the end of the container.
fn chunk<'a>(chunks: &mut &'a [u8]) -> Result<Option<(u32, &'a [u8])>, GlbError> {
    if chunks.is_empty() {
        return Ok(None);
    }
    let (header, rest) = split(chunks, CHUNK_HEADER_BYTES, "the head of a chunk")?;
    let (content, rest) = split(rest, word(header, 0) as usize, "a chunk")?;
    *chunks = rest;
    Ok(Some((word(header, 4), content)))
}

fn split<'a>(bytes: &'a [u8], length: usize, part: &'static str) -> Result<(&'a [u8], &'a [u8]), GlbError> {
    bytes.split_at_checked(length).ok_or(GlbError::Truncated { part, needed: length, found: bytes.len() })
}

/// Returns the little-endian word at `offset` of a header that is long enough.
fn word(header: &[u8], offset: usize) -> u32 {
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&header[offset..offset + 4]);
    u32::from_le_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_padded() {
        let glb = write(b"{}", &[1, 2, 3, 4, 5]).unwrap();
        assert_eq!(glb.len(), 12 + 8 + 4 + 8 + 8);
        let parsed = parse(&glb).unwrap();
        assert_eq!(parsed.json, b"{}  ");
        assert_eq!(parsed.bin, Some(&[1, 2, 3, 4, 5, 0, 0, 0][..]));
        assert_eq!(parse(&write(b"{}", &[]).unwrap()).unwrap().bin, None);
    }

    #[test]
    fn what_is_no_container_is_refused() {
        let glb = write(b"{}", &[1]).unwrap();
        for end in 0..glb.len() {
            assert!(parse(&glb[..end]).is_err(), "{end}");
        }
        let mut old = glb.clone();
        old[4] = 1;
        assert_eq!(parse(&old), Err(GlbError::Version(1)));
        let mut longer = glb.clone();
        longer[12] = 255;
        assert!(matches!(parse(&longer), Err(GlbError::Truncated { .. })));
        let mut other = glb;
        other[16] = 0;
        assert_eq!(parse(&other), Err(GlbError::NoJson));
    }
}
