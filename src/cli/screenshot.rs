//! The arguments of `ossature screenshot`. The screenshot is taken by the window's code.

pub use super::muting::Muting;
use super::output::Output;
pub use super::target::Force;
use super::{CliError, args};
use crate::edit::action::Action;
use crate::edit::compare::{CompareSettings, Layout, SideChoice};
use crate::edit::settings::view::{BoneLook, Tab};
use crate::math::camera::AxisView;
use crate::rig::skinning::Method;
use crate::rig::weights;
use clap::builder::TypedValueParser;
use std::path::PathBuf;

const EXAMPLES: &str = "\
--select takes the name of a skinned mesh, an instance or a handle, the name or index of a bone, or `base`.

Examples:
  ossature screenshot scene.js3d -o rig.png --tab rig --select Human_skinned_mesh --select 17
  ossature screenshot scene.js3d -o thigh.png --weights-view --select Human_skinned_mesh --select 8
  ossature screenshot scene.js3d -o animate.png --tab animate --size 1920x1080
  ossature screenshot scene.js3d -o frame12.png --tab animate --frame 12 --view right
  ossature screenshot scene.js3d -o twisted.png --tab animate --frame 42 --method dual-quaternion
  ossature screenshot scene.js3d -o unarmed.png --tab animate --frame 42 --mute Hand.L --mute Arm.L.y
  ossature screenshot scene.js3d -o both.png --tab animate --frame 42 --compare
  ossature screenshot scene.js3d -o split.png --tab animate --frame 42 --compare --split
  ossature screenshot scene.js3d -o curves.png --tab animate --select Human_skinned_mesh --select 8 --curves
  ossature screenshot scene.js3d -o weights.png --tab animate --frame 12 --compare capsule,heat";

/// Save a picture of the window, without opening one
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct ScreenshotArgs {
    /// Scene file (js3d or glTF) or mesh (OBJ)
    pub file: PathBuf,
    /// Picture to write (PNG)
    #[arg(short, long, value_name = "OUT.png")]
    pub output: PathBuf,
    #[command(flatten)]
    pub force: Force,
    /// Tab to show: rig or animate
    #[arg(long, value_name = "TAB", default_value = "rig", value_parser = tab)]
    pub tab: Tab,
    /// Select this; may be repeated: first the mesh or instance, then a part of it
    #[arg(long, value_name = "NAME")]
    pub select: Vec<String>,
    /// Side to look from
    #[arg(long, value_parser = axis_view())]
    pub view: Option<AxisView>,
    /// Colour the surface by the weights of the selected bone
    #[arg(long, alias = "heat")]
    pub weights_view: bool,
    /// Draw bones this way, where it does not hide colours
    #[arg(long, value_name = "LOOK", value_parser = bone_look(), default_value = "octahedra")]
    pub bones: BoneLook,
    /// Use rainbow colours
    #[arg(long, requires = "weights_view")]
    pub rainbow: bool,
    /// Evaluate the animation at this frame [default: 0]
    #[arg(long, value_name = "T")]
    pub frame: Option<f32>,
    /// linear, dual-quaternion, or a blend from 0 (linear) to 1 (dual quaternions) [default: as in the file]
    #[arg(long, value_name = "METHOD", value_parser = args::skinning)]
    pub method: Option<Method>,
    /// Show the character twice, with two skinning methods or two kinds of weights, separated by a comma
    /// (linear,dual-quaternion if none are named)
    #[arg(long, value_name = "LEFT,RIGHT", num_args = 0..=1, 
          default_missing_value = "linear,dual-quaternion", value_parser = sides)]
    pub compare: Option<CompareSettings>,
    /// Show it once, split by a line at this part of the width, from 0 to 1 (0.5 if none is given)
    #[arg(long, value_name = "LINE", requires = "compare", num_args = 0..=1, default_missing_value = "0.5",
          value_parser = line)]
    pub split: Option<f32>,
    /// Show keys as curves (tab animate)
    #[arg(long)]
    pub curves: bool,
    #[command(flatten)]
    pub muting: Muting,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = args::size)]
    pub size: (u32, u32),
}

/// The axis views with their names and actions.
const AXIS_VIEWS: [(AxisView, &str, Action); 6] = [
    (AxisView::Front, "front", Action::VIEW_FRONT),
    (AxisView::Back, "back", Action::VIEW_BACK),
    (AxisView::Right, "right", Action::VIEW_RIGHT),
    (AxisView::Left, "left", Action::VIEW_LEFT),
    (AxisView::Top, "top", Action::VIEW_TOP),
    (AxisView::Bottom, "bottom", Action::VIEW_BOTTOM),
];

/// Reads the name of an axis view.
pub fn axis_view() -> impl TypedValueParser<Value = AxisView> {
    args::one_of(AXIS_VIEWS.map(|(view, name, _)| (name, view)))
}

/// Reads how bones are drawn.
pub fn bone_look() -> impl TypedValueParser<Value = BoneLook> {
    use BoneLook::{Capsules, Octahedra, Sticks};
    args::one_of([("octahedra", Octahedra), ("capsules", Capsules), ("sticks", Sticks)])
}

/// Returns the action of an axis view.
#[cfg(feature = "editor")]
fn view_action(side: AxisView) -> Option<Action> {
    let (.., action) = AXIS_VIEWS.iter().find(|(view, ..)| *view == side)?;
    Some(*action)
}

/// Parses the two sides of the Compare view, each a skinning method or a weight method.
fn sides(text: &str) -> Result<CompareSettings, String> {
    let side = |text: &str| -> Result<SideChoice, String> {
        let weights = weights::method::Method::named(text);
        if text == "stored" || weights.is_some() {
            return Ok(SideChoice { skinning: None, weights });
        }
        let skinning = args::skinning(text).map_err(|_| {
            let methods = weights::METHODS.map(|method| method.id).join(", ");
            format!(
                "“{text}” is neither a method of skinning (linear, dual-quaternion, a number from 0 to 1) nor one of \
                 weights (stored, {methods})"
            )
        })?;
        let (skinning, weights) = (Some(skinning), None);
        Ok(SideChoice { skinning, weights })
    };
    let (left, right) = text
        .split_once(',')
        .ok_or_else(|| format!("“{text}” is not of the form LEFT,RIGHT, such as linear,dual-quaternion"))?;
    Ok(CompareSettings {
        on: true,
        sides: [side(left.trim())?, side(right.trim())?],
        ..CompareSettings::default()
    })
}

/// Parses the position of the line of a split view.
fn line(text: &str) -> Result<f32, String> {
    let line = text.parse().ok().filter(|line| (0.0..=1.0).contains(line));
    line.ok_or_else(|| "the line is at a number from 0, the left, to 1, the right".into())
}

impl ScreenshotArgs {
    /// Returns the settings of the Compare view.
    pub fn compare_settings(&self) -> CompareSettings {
        let settings = self.compare.unwrap_or_default();
        match self.split {
            Some(line) => CompareSettings { layout: Layout::Split, line, ..settings },
            None => settings,
        }
    }
}

fn tab(text: &str) -> Result<Tab, String> {
    match text {
        "rig" => Ok(Tab::Rig),
        "animate" => Ok(Tab::Animate),
        _ => Err("the tabs are rig and animate".into()),
    }
}

#[cfg(feature = "editor")]
pub(super) fn run(args: ScreenshotArgs, output: &mut Output) -> Result<(), CliError> {
    args.force.target(&args.output, &crate::io::kind::PNG)?;
    if args.curves && args.tab != Tab::Animate {
        return Err(CliError::Other(
            "--curves shows keys, which the tab animate has: add --tab animate".into(),
        ));
    }
    let mut scene = args::load(&args.file, output)?;
    args.muting.apply(&mut scene)?;
    args::set_skinning(&mut scene, args.method)?;
    let screenshot = crate::editor::screenshot::Screenshot {
        compare: args.compare_settings(),
        view: args.view.and_then(view_action),
        file: args.file,
        output: args.output,
        tab: args.tab,
        select: args.select,
        weights_view: args.weights_view,
        bone_look: args.bones,
        rainbow: args.rainbow,
        frame: args.frame,
        curves: args.curves,
        size: args.size,
    };
    crate::editor::screenshot::run(&screenshot, scene).map_err(CliError::Other)
}

#[cfg(not(feature = "editor"))]
pub(super) fn run(_args: ScreenshotArgs, _output: &mut Output) -> Result<(), CliError> {
    Err(CliError::NoWindow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_parse() {
        let weights = weights::method::Method::named;
        let found = sides("0.5, heat").unwrap();
        assert!(found.on);
        let [left, right] = found.sides;
        assert_eq!((left.skinning, left.weights), (Method::try_from(0.5).ok(), None));
        assert_eq!((right.skinning, right.weights), (None, weights("heat")));
        assert_eq!(sides("linear,dual-quaternion").unwrap().sides, CompareSettings::default().sides);
        assert_eq!(sides("stored,stored").unwrap().sides, [SideChoice::default(); 2]);
        for bad in ["linear", "", "linear,warm", "2,heat", "linear,heat,tube"] {
            assert!(sides(bad).is_err(), "{bad}");
        }
        assert_eq!(line("0.25"), Ok(0.25));
        for bad in ["", "-0.1", "1.5", "NaN", "middle"] {
            assert!(line(bad).is_err(), "{bad}");
        }
    }
}
