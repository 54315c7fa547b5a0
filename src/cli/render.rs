//! The arguments of `ossature render`. The images are drawn by the window's code.

use super::muting::Muting;
use super::output::Output;
use super::screenshot::{axis_view, bone_look};
pub use super::target::Force;
use super::{CliError, args};
use crate::edit::render::{Background, Format, Overlays};
#[cfg(feature = "editor")]
use crate::edit::render::{RenderSettings, Viewpoint};
use crate::edit::settings::view::BoneLook;
use crate::math::camera::AxisView;
use crate::rig::skinning::Method;
use crate::scene::Scene;
use std::path::PathBuf;
use std::sync::Arc;

const EXAMPLES: &str = "\
Without --camera the view frames everything that the play range shows, or the take that is named. A picture depends on
the scene, that take and the frame alone, so a range can be rendered in parts and in any order. Existing files are replaced.
MP4 needs the program ffmpeg.

Examples:
  ossature render scene.js3d -o frames
  ossature render scene.js3d --frames 12..40 -o frames/walk-%04d.png --size 1920x1080
  ossature render scene.js3d --take Walk -o walk.gif
  ossature render scene.js3d --frames 12 -o twelve.png --background transparent --view right
  ossature render scene.js3d -o walk.gif --size 480x480 --step 2 --overlays grid
  ossature render scene.js3d -o walk.mp4 --camera Camera_instance --overlays";

/// Render the animation to numbered PNGs, a GIF or an MP4, without a window
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d or glTF) or mesh (OBJ)
    pub file: PathBuf,
    /// A folder for pictures named by frame (0000.png, ...), or a name such as walk-%04d.png, walk.gif or walk.mp4
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// First and last frame, both rendered [default: the play range, if it has at most 10,000 of them]
    #[arg(long, value_name = "FIRST..LAST", value_parser = args::frames)]
    pub frames: Option<[u32; 2]>,
    /// The frames of this take
    #[arg(long, value_name = "NAME", conflicts_with = "frames")]
    pub take: Option<String>,
    /// Render every Nth frame, from the first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub step: u32,
    /// Size of the pictures in pixels [default: that of the camera, or 1280x720]
    #[arg(long, value_name = "WxH", value_parser = args::size)]
    pub size: Option<(u32, u32)>,
    /// Look through this camera instance
    #[arg(long, value_name = "NAME")]
    pub camera: Option<String>,
    /// Side to look from
    #[arg(long, value_parser = axis_view(), conflicts_with = "camera")]
    pub view: Option<AxisView>,
    /// A colour such as #303236, or transparent (PNG only) [default: as in the window]
    #[arg(long, value_name = "COLOUR", value_parser = background)]
    pub background: Option<Background>,
    /// Also draw grid, floor (with contact shadows), bones, handles or objects (cameras and lights), separated by commas; all if none are named
    #[arg(long, value_name = "LIST", num_args = 0..=1, default_missing_value = "all", value_parser = overlays)]
    pub overlays: Option<Overlays>,
    /// Draw bones this way, if overlays contain them
    #[arg(long, value_name = "LOOK", value_parser = bone_look(), default_value = "octahedra")]
    pub bones: BoneLook,
    /// png, gif or mp4 [default: by the extension of OUT]
    #[arg(long, value_parser = format)]
    pub format: Option<Format>,
    /// linear, dual-quaternion, or a blend from 0 (linear) to 1 (dual quaternions) [default: as in the file]
    #[arg(long, value_name = "METHOD", value_parser = args::skinning)]
    pub method: Option<Method>,
    /// Ignore handles, even enabled ones
    #[arg(long)]
    pub no_ik: bool,
    #[command(flatten)]
    pub muting: Muting,
    #[command(flatten)]
    pub force: Force,
}

fn background(text: &str) -> Result<Background, String> {
    if text == "transparent" {
        return Ok(Background::Transparent);
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let number = u32::from_str_radix(digits, 16).ok();
    let number = number.filter(|_| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
    let [_, r, g, b] = number.ok_or("it is a colour such as #303236, or transparent")?.to_be_bytes();
    Ok(Background::Color([r, g, b]))
}

fn overlays(text: &str) -> Result<Overlays, String> {
    let mut overlays = Overlays::default();
    for word in text.split(',').map(str::trim) {
        match word {
            "all" => overlays = Overlays::ALL,
            "none" => overlays = Overlays::default(),
            "grid" => overlays.grid = true,
            "floor" => overlays.floor = true,
            "bones" => overlays.bones = true,
            "handles" => overlays.handles = true,
            "objects" | "things" => overlays.objects = true,
            _ => return Err("there are grid, floor, bones, handles, objects, all, none".into()),
        }
    }
    Ok(overlays)
}

fn format(text: &str) -> Result<Format, String> {
    let mut all = Format::ALL.into_iter();
    all.find(|format| format.extension() == text).ok_or("there are png, gif and mp4".into())
}

impl Args {
    /// Returns the first and last frame to render. A take that is named becomes what is played, by which pictures are framed.
    ///
    /// # Errors
    /// Fails if no frames are given and the play range is too long to process at once: a stray key far out
    /// makes a clip of a million frames.
    pub fn frame_range(&self, scene: &mut Scene) -> Result<[u32; 2], CliError> {
        if let Some(frames) = self.frames {
            return Ok(frames);
        }
        let frames = args::played_at_once(scene, self.take.as_deref(), self.step)?;
        if self.take.is_some() {
            Arc::make_mut(&mut scene.animation).clip.range = Some(frames);
        }
        Ok(frames)
    }

    #[cfg(feature = "editor")]
    fn settings(&self, scene: &mut Scene) -> Result<RenderSettings, CliError> {
        let given = Format::from_path(&self.output);
        let [width, height] = match (self.size, &self.camera) {
            (Some((width, height)), _) => [width, height],
            (None, Some(name)) => RenderSettings::size_for_camera(scene, name),
            (None, None) => [1280, 720],
        };
        Ok(RenderSettings {
            frames: self.frame_range(scene)?,
            step: self.step,
            size: [width, height],
            eye: match (&self.camera, self.view) {
                (Some(name), _) => Viewpoint::Camera(name.clone()),
                (None, view) => Viewpoint::Framed(view),
            },
            background: self.background.unwrap_or_default(),
            overlays: self.overlays.unwrap_or_default(),
            format: self.format.or(given).unwrap_or_default(),
            output: self.output.clone(),
        })
    }
}

#[cfg(feature = "editor")]
pub(super) fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let mut scene = args::load(&args.file, output)?;
    args.muting.apply(&mut scene)?;
    args::set_skinning(&mut scene, args.method)?;
    let settings = args.settings(&mut scene)?;
    let pose_and_bones = (!args.no_ik, args.bones);
    let scene = (scene, args.file.as_path());
    let summary = crate::editor::render::headless(scene, settings, pose_and_bones, args.force.force);
    output.line(summary.map_err(CliError::Other)?)
}

#[cfg(not(feature = "editor"))]
pub(super) fn run(_args: &Args, _output: &mut Output) -> Result<(), CliError> {
    Err(CliError::NoWindow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anim::take::Take;

    #[test]
    fn backgrounds_parse() {
        assert_eq!(background("#30a2FF"), Ok(Background::Color([0x30, 0xa2, 0xff])));
        assert_eq!(background("000010"), Ok(Background::Color([0, 0, 16])));
        assert_eq!(background("transparent"), Ok(Background::Transparent));
        for bad in ["", "#", "red", "#12345", "#1234567", "+12345"] {
            assert!(background(bad).is_err(), "{bad}");
        }
    }

    #[derive(clap::Parser)]
    struct Alone {
        #[command(flatten)]
        args: Args,
    }

    /// Pictures of a take are framed by it, not by the one that the file plays.
    #[test]
    fn a_take_that_is_named_is_played() {
        let mut scene = Scene::default();
        let animation = Arc::make_mut(&mut scene.animation);
        animation.clip = animation.clip.with_length(50);
        animation.clip.range = Some([0, 9]);
        animation.takes.list.push(Take::new("Jump", [20, 40]));
        let words = ["render", "scene.js3d", "-o", "frames", "--take", "Jump", "--step", "7"];
        let Alone { args } = clap::Parser::try_parse_from(words).unwrap();
        assert_eq!(args.frame_range(&mut scene).ok(), Some([20, 40]));
        assert_eq!(scene.animation.clip.play_range(), [20, 40]);
    }

    /// A clip of a million frames, as in a file with one key at 1e9.
    #[test]
    fn a_million_frames_must_be_requested_explicitly() {
        let mut scene = Scene::default();
        let clip = &mut std::sync::Arc::make_mut(&mut scene.animation).clip;
        *clip = clip.extended_to(Some(1e9));
        let frames = |more: &[&str]| {
            let words = ["render", "scene.js3d", "-o", "frames"].iter().chain(more);
            let Alone { args } = clap::Parser::try_parse_from(words).unwrap();
            args.frame_range(&mut scene.clone()).map_err(|error| error.to_string())
        };
        let refused = frames(&[]).unwrap_err();
        assert!(refused.contains("frames 0 to 999999 are played"), "{refused}");
        assert!(refused.contains("at most 10000") && refused.contains("--frames"), "{refused}");
        assert!(frames(&["--step", "99"]).is_err());
        assert_eq!(frames(&["--step", "100"]), Ok([0, 999_999]));
        assert_eq!(frames(&["--frames", "0..20000"]), Ok([0, 20_000]));
    }

    #[test]
    fn overlays_parse() {
        let grid = Overlays { grid: true, ..Overlays::default() };
        assert_eq!(overlays("grid"), Ok(grid));
        assert_eq!(overlays("grid, floor,bones,handles,objects"), Ok(Overlays::ALL));
        assert_eq!(overlays("none"), Ok(Overlays::default()));
        assert!(overlays("grid,").is_err() && overlays("shadows").is_err());
    }
}
