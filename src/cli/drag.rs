//! `ossature drag`: drags the tail of a bone, as in the Animate tab.

use super::args::{self, BoneValue};
use super::input::MeshChoice;
use super::output::{Output, count, number, numbers};
use super::target::Force;
use super::{CliError, ik};
use crate::edit::pose::pull::Pull;
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::{Tab, View, ViewSettings};
use crate::edit::time::spread::MOST_SPREAD;
use crate::rig::kinematics::tips;
use crate::scene::apply_animation;
use crate::scene::evaluate::{Evaluator, Posed, Settings};
use glam::DVec3;
use serde::Serialize;
use std::path::PathBuf;

const EXAMPLES: &str = "\
The limb of the bone follows its tail, and the rotations that were found are stored in the pose: no handle
remains. With --whole-body, and for the hips, the body follows on the feet that it stands on.

Examples:
  ossature drag scene.js3d hand.L=1.5,3.4,0.9 -o raised.js3d
  ossature drag scene.js3d pelvis=0,2.2,0.1 -o crouched.js3d
  ossature drag scene.js3d hand.R=-0.8,0.6,1 --whole-body -o reached.js3d
  ossature drag clip.js3d foot.L=0.3,0.2,1.1 --frame 12 --spread 5 -o mended.js3d";

/// Drag the tail of a bone to a point, as in the window; print or store the pose
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scene file (js3d or glTF)
    file: PathBuf,
    /// The bone (index or name) and the point for its tail, in skeleton space
    #[arg(value_name = "BONE=X,Y,Z", value_parser = args::bone_value, allow_hyphen_values = true)]
    drag: BoneValue,
    #[command(flatten)]
    mesh: MeshChoice,
    /// The body follows on the feet that it stands on
    #[arg(long)]
    whole_body: bool,
    /// The other side is dragged too, mirrored
    #[arg(long)]
    symmetric: bool,
    /// Drag at this frame of the animation [default: the pose stored in the file]
    #[arg(long, value_name = "T")]
    frame: Option<f32>,
    /// Also change keys up to this many frames away, less with distance
    #[arg(long, value_name = "FRAMES", default_value_t = 0, requires = "frame",
        value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_SPREAD)))]
    spread: u32,
    /// Scene file to write (.js3d); with --frame, the bones that turned are keyed there
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct DragOut {
    mesh: String,
    /// The tail of the dragged bone, and how far it is from the point.
    tip: [f64; 3],
    missed_by: f64,
    base_offset: [f32; 3],
    /// The bones that turned.
    bones: Vec<ik::BoneOut>,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (stored, target) = args.force.load(&args.file, args.output.as_deref(), output)?;
    let mesh = args.mesh.name(&stored)?;
    let bone = args::find_bone(&args::skinned(&stored, &mesh)?.skeleton, &args.drag.bone)?;
    let mut session = Session::new(stored.clone(), None);
    session.select(Selection::from_mesh(session.scene(), &mesh));
    session.set_symmetric(args.symmetric);
    let mut shown = stored.clone();
    if let Some(frame) = args.frame {
        session.set_frame(args::finite("--frame", frame)?);
        shown = apply_animation::animate(&stored, frame);
    }
    let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    settings.tools.spread = args.spread;
    let evaluate = |scene: &_| {
        let settings = Settings { frame: None, ..Settings::default() };
        Evaluator::default().evaluate(scene, &settings)
    };
    let evaluated = evaluate(&shown);
    let tail = |posed: &Posed| -> DVec3 { tips(&posed.skeleton, &posed.current)[bone] };
    let before = args::posed(&evaluated, &mesh)?;
    let view = View { session: &session, evaluated: &evaluated, settings: &settings };
    let pull = Pull::new(&view, bone, args.whole_body);
    let mut pull = pull.ok_or_else(|| CliError::Other(format!("{} cannot be dragged", args.drag.bone)))?;
    let commands = pull.commands(args.drag.value - tail(before).as_vec3());
    let mut scene = shown.clone();
    let effects = args::apply_to_shown(&mut scene, &stored, &commands)?;
    let evaluated = evaluate(&scene);
    let after = args::posed(&evaluated, &mesh)?;
    let tip = tail(after);
    let poses = after.skeleton.bones.iter().zip(&before.skeleton.bones).enumerate();
    let turned = poses.filter(|(_, (bone, before))| bone.pose_deg != before.pose_deg);
    let dragged = DragOut {
        tip: tip.to_array(),
        missed_by: tip.distance(args.drag.value.as_dvec3()),
        base_offset: after.skeleton.base_offset.to_array(),
        bones: turned.map(|(index, _)| ik::BoneOut::new(&after.skeleton, index)).collect(),
        mesh,
    };
    if let Some(target) = &target {
        ik::save(args.frame, target, [&stored, &shown], scene, effects, output)?;
    }
    if args.json { output.json(&dragged) } else { print(&dragged, output) }
}

fn print(dragged: &DragOut, output: &mut Output) -> Result<(), CliError> {
    let turned = count(dragged.bones.len(), "bone turned", "bones turned");
    output.line(format_args!("{}: {turned}, missed by {}", dragged.mesh, number(dragged.missed_by)))?;
    if dragged.base_offset != [0.0; 3] {
        output.line(format_args!("base offset {}", numbers(dragged.base_offset)))?;
    }
    ik::print_bones(&dragged.bones, output)
}
