//! A GIF, written frame by frame: of each only the rectangle that changed, and of that only what changed.

use super::palette::{MOST, Palette};
use super::sink::Sink;
use crate::editor::picture::Picture;
use crate::io::durable::AtomicFile;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The index of what shows the frame before it.
const KEPT: u8 = MOST as u8;

pub struct GifSink {
    draft: AtomicFile,
    size: [u16; 2],
    palette: Palette,
    encoder: Option<Encoder<BufWriter<File>>>,
    /// The frame before, as indices.
    before: Vec<u8>,
    written: u64,
    /// Hundredths of a second that a frame takes.
    hundredths: f64,
}

impl GifSink {
    pub fn new(path: &Path, size: [u32; 2], rate: f32, step: u32) -> Result<Self, String> {
        Ok(Self {
            draft: AtomicFile::new(path).map_err(|error| error.to_string())?,
            size: size.map(|side| side as u16),
            palette: Palette::default(),
            encoder: None,
            before: Vec::new(),
            written: 0,
            hundredths: 100.0 * f64::from(step) / f64::from(rate),
        })
    }

    fn failed(&self, error: EncodingError) -> String {
        match error {
            EncodingError::Io(error) => self.draft.not_written(error).to_string(),
            error => self.draft.not_written(io::Error::other(error)).to_string(),
        }
    }

    fn begin(&self) -> Result<Encoder<BufWriter<File>>, String> {
        let colors: Vec<u8> = self.palette.colors.iter().flatten().copied().collect();
        let file = self.draft.writer().map_err(|error| error.to_string())?;
        let [width, height] = self.size;
        // Room for the index of what is kept.
        let mut table = colors;
        table.resize(3 * (MOST + 1), 0);
        let encoder = Encoder::new(BufWriter::new(file), width, height, &table);
        let mut encoder = encoder.map_err(|error| self.failed(error))?;
        encoder
            .set_repeat(Repeat::Infinite)
            .map_err(|error| self.failed(error))?;
        Ok(encoder)
    }
}

/// Hundredths of a second that frame `i` is shown: rounded so that the whole takes as long as it should.
fn delay(i: u64, hundredths: f64) -> u16 {
    let until = |i: u64| (i as f64 * hundredths).round();
    (until(i + 1) - until(i)).clamp(1.0, f64::from(u16::MAX)) as u16
}

/// The rectangle where two pictures of `width` differ: left, top, width, height. A single pixel where
/// they do not.
fn changed(before: &[u8], now: &[u8], width: usize) -> [usize; 4] {
    let differs = |(_, (a, b)): &(usize, (&u8, &u8))| a != b;
    let pixels = before.iter().zip(now).enumerate().filter(differs);
    let corners = pixels.fold(None, |corners, (i, _)| {
        let (x, y) = (i % width, i / width);
        let [left, top, right, bottom] = corners.unwrap_or([x, y, x, y]);
        Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
    });
    let [left, top, right, bottom] = corners.unwrap_or([0; 4]);
    [left, top, right - left + 1, bottom - top + 1]
}

impl Sink for GifSink {
    fn colors(&mut self, palette: Palette) {
        self.palette = palette;
    }

    fn put(&mut self, _frame: u32, picture: &Picture) -> Result<(), String> {
        if self.encoder.is_none() {
            self.encoder = Some(self.begin()?);
        }
        let pixels = picture.rgba.as_chunks::<4>().0;
        let now: Vec<u8> = pixels
            .iter()
            .map(|[r, g, b, _]| self.palette.index([*r, *g, *b]))
            .collect();
        let [width, height] = self.size.map(usize::from);
        let first = self.before.is_empty();
        let [left, top, w, h] = match first {
            true => [0, 0, width, height],
            false => changed(&self.before, &now, width),
        };
        let rows = (top..top + h).map(|y| y * width + left..y * width + left + w);
        let shown = rows.flatten().map(|i| match !first && self.before[i] == now[i] {
            true => KEPT,
            false => now[i],
        });
        let frame = Frame {
            delay: delay(self.written, self.hundredths),
            dispose: DisposalMethod::Keep,
            transparent: (!first).then_some(KEPT),
            left: left as u16,
            top: top as u16,
            width: w as u16,
            height: h as u16,
            buffer: Cow::Owned(shown.collect()),
            ..Frame::default()
        };
        self.before = now;
        self.written += 1;
        if let Some(Err(error)) = self.encoder.as_mut().map(|encoder| encoder.write_frame(&frame)) {
            return Err(self.failed(error));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), String> {
        if let Some(encoder) = self.encoder.take() {
            let ended = encoder.into_inner();
            let mut writer = ended.map_err(|error| self.failed(error))?;
            writer
                .flush()
                .map_err(|error| self.draft.not_written(error).to_string())?;
        }
        self.draft.keep().map(drop).map_err(|error| error.to_string())
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
        // A square that goes right, rests, and is gone.
        let at = [Some(0), Some(2), Some(2), None];
        let picture = |at: Option<usize>| {
            let pixel = |i: usize| {
                let (x, y) = (i % 8, i / 8);
                let inside = at.is_some_and(|at| (at..at + 3).contains(&x) && (1..4).contains(&y));
                if inside {
                    [200, 30, 10, 255]
                } else {
                    [48, 50, 54, 255]
                }
            };
            Picture {
                width: 8,
                height: 6,
                rgba: (0..48).flat_map(pixel).collect(),
            }
        };
        at.map(picture).into()
    }

    /// What a decoder makes of it: frames as shown, delays in hundredths, the rectangles.
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
                let at = usize::from(y * 8 + x) * 4;
                if pixel[3] > 0 {
                    canvas[at..at + 4].copy_from_slice(pixel);
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
        sink.colors(samples.palette(crate::edit::render::Background::default()));
        for (i, picture) in pictures.iter().enumerate() {
            sink.put(i as u32, picture).unwrap();
        }
        assert!(!path.exists(), "it is there once it is whole");
        sink.finish().unwrap();
        let (shown, delays, rectangles) = read(&path);
        assert_eq!(shown, pictures.iter().map(|p| p.rgba.clone()).collect::<Vec<_>>());
        assert_eq!(delays, [4, 4, 5, 4]);
        assert_eq!(
            rectangles,
            [[0, 0, 8, 6], [0, 1, 5, 3], [0, 0, 1, 1], [2, 1, 3, 3]]
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("square.gif");
        std::fs::write(&path, b"old").unwrap();
        let mut sink = Box::new(GifSink::new(&path, [8, 6], 24.0, 1).unwrap());
        sink.colors(Palette::new(vec![[0; 3]]));
        sink.put(0, &pictures()[0]).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        drop(sink);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
