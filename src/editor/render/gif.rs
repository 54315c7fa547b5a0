//! Writes a GIF frame by frame: of each frame only the rectangle that changed, and in it only the changed
//! pixels.

use super::palette::{MAX_COLORS, Palette};
use super::sink::Sink;
use crate::editor::picture::Picture;
use crate::io::durable::AtomicFile;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The index of transparent pixels, which show the previous frame.
const TRANSPARENT: u8 = MAX_COLORS as u8;

pub struct GifSink {
    draft: AtomicFile,
    size: [u16; 2],
    palette: Palette,
    encoder: Option<Encoder<BufWriter<File>>>,
    /// The previous frame, as indices.
    previous: Vec<u8>,
    written: u64,
    /// The duration of a frame in hundredths of a second.
    hundredths: f64,
}

impl GifSink {
    pub fn new(path: &Path, size: [u32; 2], rate: f32, step: u32) -> Result<Self, String> {
        Ok(Self {
            draft: AtomicFile::new(path).map_err(|error| error.to_string())?,
            size: size.map(|side| side as u16),
            palette: Palette::default(),
            encoder: None,
            previous: Vec::new(),
            written: 0,
            hundredths: 100.0 * f64::from(step) / f64::from(rate),
        })
    }

    fn write_error(&self, error: EncodingError) -> String {
        match error {
            EncodingError::Io(error) => self.draft.write_error(error).to_string(),
            error => self.draft.write_error(io::Error::other(error)).to_string(),
        }
    }

    fn begin(&self) -> Result<Encoder<BufWriter<File>>, String> {
        let colors: Vec<u8> = self.palette.colors.iter().flatten().copied().collect();
        let file = self.draft.writer().map_err(|error| error.to_string())?;
        let [width, height] = self.size;
        // Room for the transparent index.
        let mut table = colors;
        table.resize(3 * (MAX_COLORS + 1), 0);
        let encoder = Encoder::new(BufWriter::new(file), width, height, &table);
        let mut encoder = encoder.map_err(|error| self.write_error(error))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|error| self.write_error(error))?;
        Ok(encoder)
    }
}

/// Returns the hundredths of a second that frame `i` is shown, rounded so that the total duration is right.
fn delay(i: u64, hundredths: f64) -> u16 {
    let start = |i: u64| (i as f64 * hundredths).round();
    (start(i + 1) - start(i)).clamp(1.0, f64::from(u16::MAX)) as u16
}

/// Returns the rectangle in which two pictures of `width` differ: left, top, width, height. A single pixel if
/// they do not.
fn changed_rectangle(previous: &[u8], current: &[u8], width: usize) -> [usize; 4] {
    let differs = |(_, (a, b)): &(usize, (&u8, &u8))| a != b;
    let pixels = previous.iter().zip(current).enumerate().filter(differs);
    let corners = pixels.fold(None, |corners, (i, _)| {
        let (x, y) = (i % width, i / width);
        let [left, top, right, bottom] = corners.unwrap_or([x, y, x, y]);
        Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
    });
    let [left, top, right, bottom] = corners.unwrap_or([0; 4]);
    [left, top, right - left + 1, bottom - top + 1]
}

impl Sink for GifSink {
    fn set_palette(&mut self, palette: Palette) {
        self.palette = palette;
    }

    fn put(&mut self, _frame: u32, picture: &Picture) -> Result<(), String> {
        if self.encoder.is_none() {
            self.encoder = Some(self.begin()?);
        }
        let pixels = picture.rgba.as_chunks::<4>().0;
        let current: Vec<u8> = pixels.iter().map(|[r, g, b, _]| self.palette.index([*r, *g, *b])).collect();
        let [width, height] = self.size.map(usize::from);
        let first = self.previous.is_empty();
        let [left, top, w, h] =
            if first { [0, 0, width, height] } else { changed_rectangle(&self.previous, &current, width) };
        let rows = (top..top + h).map(|y| y * width + left..y * width + left + w);
        let shown = rows
            .flatten()
            .map(|i| if !first && self.previous[i] == current[i] { TRANSPARENT } else { current[i] });
        let frame = Frame {
            delay: delay(self.written, self.hundredths),
            dispose: DisposalMethod::Keep,
            transparent: (!first).then_some(TRANSPARENT),
            left: left as u16,
            top: top as u16,
            width: w as u16,
            height: h as u16,
            buffer: Cow::Owned(shown.collect()),
            ..Frame::default()
        };
        self.previous = current;
        self.written += 1;
        if let Some(Err(error)) = self.encoder.as_mut().map(|encoder| encoder.write_frame(&frame)) {
            return Err(self.write_error(error));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), String> {
        if let Some(encoder) = self.encoder.take() {
            let ended = encoder.into_inner();
            let mut writer = ended.map_err(|error| self.write_error(error))?;
            writer.flush().map_err(|error| self.draft.write_error(error).to_string())?;
        }
        self.draft.commit().map(drop).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up() {
        for rate in [1.0, 7.0, 12.5, 24.0, 25.0, 29.97, 30.0, 50.0] {
            let hundredths = 100.0 / rate;
            let mut sum = 0.0;
            for i in 0..1000 {
                let delay = f64::from(delay(i, hundredths));
                assert!((delay - hundredths).abs() < 1.0, "{rate}: {delay}");
                sum += delay;
                let exact = (i + 1) as f64 * hundredths;
                assert!((sum - exact).abs() <= 0.5 + 1e-6, "{rate}: {sum} and {exact}");
            }
        }
        assert_eq!(delay(0, 0.4), 1, "none is skipped");
    }

    fn pictures() -> Vec<Picture> {
        // A square that moves right, rests, and disappears.
        let lefts = [Some(0), Some(2), Some(2), None];
        let picture = |left: Option<usize>| {
            let pixel = |i: usize| {
                let (x, y) = (i % 8, i / 8);
                let inside = left.is_some_and(|left| (left..left + 3).contains(&x) && (1..4).contains(&y));
                if inside { [200, 30, 10, 255] } else { [43, 45, 49, 255] }
            };
            Picture { width: 8, height: 6, rgba: (0..48).flat_map(pixel).collect() }
        };
        lefts.map(picture).into()
    }

    /// Decodes a file: frames as shown, delays in hundredths, rectangles.
    fn read(path: &Path) -> (Vec<Vec<u8>>, Vec<u16>, Vec<[u16; 4]>) {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(File::open(path).unwrap()).unwrap();
        assert_eq!((decoder.width(), decoder.height()), (8, 6));
        assert_eq!(decoder.repeat(), Repeat::Infinite);
        let mut canvas = vec![0; 8 * 6 * 4];
        let (mut shown, mut delays, mut rectangles) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let [left, top, width, height] = [frame.left, frame.top, frame.width, frame.height];
            for (i, pixel) in frame.buffer.chunks(4).enumerate() {
                let (x, y) = (i as u16 % width + left, i as u16 / width + top);
                let start = usize::from(y * 8 + x) * 4;
                if pixel[3] > 0 {
                    canvas[start..start + 4].copy_from_slice(pixel);
                }
            }
            shown.push(canvas.clone());
            delays.push(frame.delay);
            rectangles.push([left, top, width, height]);
        }
        (shown, delays, rectangles)
    }

    #[test]
    fn it_reads_back_as_it_was_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("square.gif");
        let pictures = pictures();
        let mut samples = super::super::palette::Samples::default();
        pictures.iter().for_each(|picture| samples.add(picture));
        let mut sink = Box::new(GifSink::new(&path, [8, 6], 24.0, 1).unwrap());
        sink.set_palette(samples.palette(crate::edit::render::Background::default()));
        for (i, picture) in pictures.iter().enumerate() {
            sink.put(i as u32, picture).unwrap();
        }
        assert!(!path.exists(), "the file appears once it is complete");
        sink.finish().unwrap();
        let (shown, delays, rectangles) = read(&path);
        assert_eq!(shown, pictures.iter().map(|p| p.rgba.clone()).collect::<Vec<_>>());
        assert_eq!(delays, [4, 4, 5, 4]);
        assert_eq!(rectangles, [[0, 0, 8, 6], [0, 1, 5, 3], [0, 0, 1, 1], [2, 1, 3, 3]]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_cancelled_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("square.gif");
        std::fs::write(&path, b"old").unwrap();
        let mut sink = Box::new(GifSink::new(&path, [8, 6], 24.0, 1).unwrap());
        sink.set_palette(Palette::new(vec![[0; 3]]));
        sink.put(0, &pictures()[0]).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        drop(sink);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
