//! Measures how well skeletons are fitted into bodies whose joints are known: varied humans (see `tests/bodies`).

use super::table::Line;
use super::{Failure, Scale, character};
use crate::bodies::{Human, Kind, Varied};
use glam::Vec3;
use ossature::edit::command::{Command, Surface};
use ossature::edit::fitting::{FittedWeights, Weighing, Wishes, commands};
use ossature::rig::fit::{Body, Fit, FitError, Options, Template, fit};
use ossature::scene::Scene;
use std::sync::Arc;
use std::time::Instant;

/// The greatest error of a joint of a good fit, and the most joints that are clicked for it.
const GOOD: f32 = 0.08;
const MOST_CLICKS: usize = 3;

/// What became of some bodies.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Bodies in which every main joint is within 8 % of the height without a click, and with at most three.
    pub good: usize,
    pub good_with_clicks: usize,
    /// The errors of the main joints of bodies that needed no click, as fractions of the height, in ascending order.
    pub errors: Vec<f32>,
    /// Bones of those that leave the body.
    pub outside: usize,
    /// Seconds of the analysis and the first fit, in ascending order.
    pub seconds: Vec<f64>,
}

impl Figures {
    pub fn median_error(&self) -> f32 {
        self.errors.get(self.errors.len() / 2).copied().unwrap_or(f32::INFINITY)
    }

    pub fn worst_error(&self) -> f32 {
        self.errors.last().copied().unwrap_or(f32::INFINITY)
    }
}

/// Fits the humanoid into the first bodies of a kind. A body whose fit is not good, or refused, gets the true place of its
/// worst joint, or of the first one that was asked for, up to three times.
pub fn figures(human: &Human, kind: Kind, count: usize) -> Figures {
    let template = Template::named("humanoid").expect("the template is included");
    let mut figures = Figures::default();
    for number in 0..count {
        let varied = human.varied(kind, number as u64);
        let start = Instant::now();
        let body = Body::from_surface(&varied.surface).expect("the body has an inside");
        let mut fitted = fit(&body, &template, &Options::default());
        figures.seconds.push(start.elapsed().as_secs_f64());
        let mut pins = Vec::new();
        let names = joint_names(human);
        loop {
            let errors = fitted.as_ref().map(|fit| errors(human, &varied, fit));
            let wrong = match (&errors, &fitted) {
                (Ok(errors), _) if errors[errors.len() - 1].0 <= GOOD => {
                    figures.good_with_clicks += 1;
                    if pins.is_empty() {
                        figures.good += 1;
                        figures.errors.extend(errors.iter().map(|(error, _)| error));
                        figures.outside += fitted.as_ref().map_or(0, |fit| fit.bones_outside().len());
                    }
                    break;
                }
                (Ok(errors), _) => errors[errors.len() - 1].1.clone(),
                (_, Err(FitError::Unclear(joints))) => joints[0].clone(),
                _ => break,
            };
            let bone = names.iter().position(|name| *name == wrong);
            if pins.len() == MOST_CLICKS {
                break;
            }
            pins.push((wrong, varied.tips[bone.expect("a joint of the template")]));
            fitted = fit(&body, &template, &Options { pins: pins.clone(), ..Options::default() });
        }
    }
    figures.errors.sort_by(f32::total_cmp);
    figures.seconds.sort_by(f64::total_cmp);
    figures
}

/// The names of the joints at the ends of the human's bones, which are those of the template.
fn joint_names(human: &Human) -> Vec<String> {
    let body = Body::from_surface(&human.surface).expect("the human has an inside");
    let template = Template::named("humanoid").expect("the template is included");
    let fitted = fit(&body, &template, &Options::default()).expect("the human fits");
    fitted.joints().into_iter().filter(|joint| joint.bone.is_some()).map(|joint| joint.name).collect()
}

/// The errors of the main joints, without those of the hand, as fractions of the height, in ascending order, with their names.
pub fn errors(human: &Human, varied: &Varied, fit: &Fit) -> Vec<(f32, String)> {
    let mut errors = Vec::new();
    for joint in fit.joints() {
        let Some(bone) = joint.bone else { continue };
        let name = human.skeleton.bone_name(bone);
        if !["hand", "palm", "fingers", "thumb"].iter().any(|part| name.starts_with(part)) {
            errors.push((joint.position.distance(varied.tips[bone]) / varied.height, joint.name));
        }
    }
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    errors
}

/// The lines of the table.
pub fn lines(scale: &Scale) -> Vec<Line> {
    let human = Human::new();
    let mut lines = Vec::new();
    for (what, kind, count, accept) in [
        ("limbs × 0.7 to 1.35, girth × 0.75 to 1.5", Kind::Common, 60, 58),
        ("arms that hang", Kind::Hanging, 30, 26),
        ("chibi", Kind::Chibi, 30, 28),
    ] {
        let (count, accept) = if scale.quick { (2, 0) } else { (count, accept) };
        let figures = figures(&human, kind, count);
        let with_clicks = kind == Kind::Chibi;
        let good = if with_clicks { figures.good_with_clicks } else { figures.good };
        let clicks = if with_clicks { ", at most 3 clicks" } else { "" };
        let percent = |error: f32| 100.0 * f64::from(error);
        let note = format!(
            "of {count}; {} without a click, {} with at most 3; worst joint {:.1} %, {} bones outside, {:.2} s",
            figures.good,
            figures.good_with_clicks,
            percent(figures.worst_error()),
            figures.outside,
            figures.seconds[count / 2]
        );
        lines.push(
            Line::new(
                format!("fit: {what}: all main joints within 8 % of the height{clicks}"),
                good as f64,
                "bodies",
            )
            .at_least(f64::from(accept), count as f64)
            .note(note),
        );
        lines.push(
            Line::new(
                format!("fit: {what}: median error of a joint"),
                percent(figures.median_error()),
                "% of the height",
            )
            .at_most(2.0, 1.0),
        );
    }
    for (divisions, accept) in [(0, 3.0), (2, 10.0)].into_iter().take(if scale.quick { 1 } else { 2 }) {
        lines.extend(walk(divisions, accept).expect("the human is fitted"));
    }
    lines
}

/// Measures how long it takes from a body to a skeleton that walks, and to another one while a joint is dragged.
fn walk(divisions: usize, accept: f64) -> Result<[Line; 3], Failure> {
    let human = character::human(divisions)?;
    let surface = Arc::clone(&human.skinned_meshes.values().next().ok_or("the human")?.surface);
    let vertices = surface.vertex_count();
    let mut scene = Scene::default();
    let add =
        Command::AddMesh { name: "Body".into(), surface: Surface::Built(surface.clone()), skinned: false };
    add.apply(&mut scene)?;
    let start = Instant::now();
    let body = Body::from_surface(&surface)?;
    let wishes = Wishes::default();
    let fitted = wishes.fit(&body, &scene)?;
    commands(&scene, "Body", &fitted, Weighing::Rough, &|_| true)?;
    let first = start.elapsed().as_secs_f64();
    let proposed = commands(&scene, "Body", &fitted, Weighing::Calculated, &|_| true)?;
    let finished = start.elapsed().as_secs_f64();
    let weights = FittedWeights::proposed(&proposed);
    let (start, mut dragged) = (Instant::now(), wishes);
    let joint = fitted.joints().into_iter().find(|joint| joint.name == "elbow.L").ok_or("an elbow")?;
    dragged.options.pins.push((joint.name, joint.position + 0.02 * Vec3::X));
    let fitted = dragged.fit(&body, &scene)?;
    let last = weights.as_ref().map_or(Weighing::Calculated, Weighing::Last);
    commands(&scene, "Body", &fitted, last, &|_| true)?;
    let again = start.elapsed().as_secs_f64();
    Ok([
        Line::new(format!("from a body of {vertices} vertices to its walk, with rough weights"), first, "s")
            .at_most(accept, accept / 2.0),
        Line::new(format!("the same with its weights, {vertices} vertices"), finished, "s")
            .at_most(accept, accept / 2.0),
        Line::new(format!("the same while a joint is dragged, {vertices} vertices"), again, "s")
            .at_most(0.3, 0.1),
    ])
}
