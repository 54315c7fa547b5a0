//! Measures the panel of the timeline with 100,000 keys, as curves and as rows, without drawing on a screen.

use super::Scale;
use super::table::Line;

/// Measures keys of many bones and of one, and scrolling through them.
pub fn lines(scale: &Scale) -> Vec<Line> {
    let keys = if scale.quick { 2_000 } else { 100_000 };
    let line = |(shown, bones, moves): (&str, usize, &str)| {
        let subject = if bones == 1 { "1 bone".to_owned() } else { format!("{bones} bones") };
        let label =
            format!("timeline, {keys} keys of {subject} as {shown}{moves}, time of the panel in a frame");
        match measure(scale, bones, keys / bones, shown == CURVES, !moves.is_empty()) {
            Ok((milliseconds, note)) => Line::new(label, milliseconds, "ms").at_most(4.0, 4.0).note(note),
            Err(reason) => Line::new(label, f64::NAN, "ms").note(reason),
        }
    };
    let moved = ", scrolled";
    let cases =
        [(CURVES, 100, ""), (CURVES, 100, moved), (CURVES, 1, ""), (CURVES, 1, moved), (ROWS, 100, "")];
    cases.map(line).into()
}

const CURVES: &str = "curves";
const ROWS: &str = "rows";

/// Returns the time of the panel in a frame, in milliseconds, and a note with that of what egui makes of it.
#[cfg(feature = "editor")]
fn measure(
    scale: &Scale,
    bones: usize,
    keys: usize,
    as_curves: bool,
    scrolled: bool,
) -> Result<(f64, String), String> {
    use super::table::seconds;
    use super::time::{p95, quiet};
    use egui::{Event, Key, Modifiers, MouseWheelUnit, TouchPhase, vec2};

    let mut panel = panel::Panel::new(bones, keys);
    panel.frame(Vec::new());
    if as_curves {
        let (key, modifiers) = (Key::E, Modifiers::SHIFT);
        panel.frame(vec![Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }]);
        panel.frame(vec![Event::Key { key, physical_key: None, pressed: false, repeat: false, modifiers }]);
    }
    let zoom = |lines: f32, modifiers: Modifiers| Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        modifiers,
        phase: TouchPhase::Move,
    };
    if scrolled {
        panel.frame(vec![zoom(2.0, Modifiers::COMMAND)]);
    }
    let mut times = [Vec::new(), Vec::new()];
    for round in 0..4 + 2 * scale.rounds {
        let lines = if round % 2 == 0 { 0.5 } else { -0.5 };
        let events = if scrolled { vec![zoom(lines, Modifiers::SHIFT)] } else { Vec::new() };
        let frame = panel.frame(events);
        if round >= 4 {
            times.iter_mut().zip(frame).for_each(|(times, time)| times.push(time));
        }
    }
    let [panel_times, drawn] = times;
    let note = format!(
        "95 % within {}; making triangles of it takes {} more",
        seconds(p95(panel_times.clone())),
        seconds(quiet(drawn))
    );
    Ok((1e3 * quiet(panel_times), note))
}

#[cfg(not(feature = "editor"))]
fn measure(_: &Scale, _: usize, _: usize, _: bool, _: bool) -> Result<(f64, String), String> {
    Err("built without the window".into())
}

#[cfg(feature = "editor")]
mod panel {
    use egui::{Context, Event, RawInput, Rect, pos2};
    use glam::Vec3;
    use ossature::anim::channel::{Animation, Channel};
    use ossature::anim::clip::Clip;
    use ossature::anim::mode::Mode;
    use ossature::anim::spline::Spline;
    use ossature::edit::session::Session;
    use ossature::edit::settings::view::{Tab, View, ViewSettings};
    use ossature::editor::panels::timeline::{TimelineState, timeline_ui};
    use ossature::editor::ui::theme;
    use ossature::rig::skeleton::{Bone, Skeleton};
    use ossature::scene::Scene;
    use ossature::scene::evaluate::Evaluated;
    use ossature::scene::skinned::SkinnedMesh;
    use std::sync::Arc;
    use std::time::Instant;

    const MESH: &str = "Body";
    const SIZE: [f32; 2] = [1280.0, 300.0];

    /// Returns a character with keys at whole frames.
    fn scene(bones: usize, keys: usize) -> Scene {
        let mut scene = Scene::default();
        let bone = |index: u32| Bone {
            parent: index.checked_sub(1),
            channel_id: index,
            extent: Vec3::Y,
            ..Bone::default()
        };
        let skeleton = Skeleton { bones: (0..bones as u32).map(bone).collect(), ..Skeleton::default() };
        let skinned = SkinnedMesh { skeleton: Arc::new(skeleton), ..SkinnedMesh::default() };
        scene.skinned_meshes.insert(MESH.into(), Arc::new(skinned));
        let mut animation =
            Animation { clip: Clip { length: keys as u32, ..Clip::default() }, ..Animation::default() };
        let channels = animation.channels.entry(MESH.into()).or_default();
        for bone in 0..bones {
            let value = |key: usize, component: usize| {
                let phase = key as f32 * 0.37 + bone as f32 + component as f32;
                40.0 * phase.sin() + 25.0 * (phase * 7.3).cos()
            };
            let knots = (0..keys).map(|key| (key as f32, Vec3::from([0, 1, 2].map(|i| value(key, i)))));
            let mut spline = Spline::from_knots(knots.collect());
            (0..keys).for_each(|key| spline.set_mode(key, Mode::Clamped));
            channels.insert(format!("bone.{bone}.pose"), Arc::new(Channel::Vec3(spline)));
        }
        scene.animation = Arc::new(animation);
        scene
    }

    /// The panel alone in a window.
    pub struct Panel {
        context: Context,
        session: Session,
        settings: ViewSettings,
        evaluated: Evaluated,
        state: TimelineState,
        frames: usize,
    }

    impl Panel {
        pub fn new(bones: usize, keys: usize) -> Self {
            let context = Context::default();
            theme::apply(&context);
            Self {
                context,
                session: Session::new(scene(bones, keys), None),
                settings: ViewSettings { tab: Tab::Animate, ..ViewSettings::default() },
                evaluated: Evaluated::default(),
                state: TimelineState::default(),
                frames: 0,
            }
        }

        /// Draws a frame. Returns the time of the panel, and of making triangles of it, in seconds.
        pub fn frame(&mut self, events: Vec<Event>) -> [f64; 2] {
            let Self { context, session, settings, evaluated, state, frames } = self;
            let pointer = Event::PointerMoved(pos2(0.6 * SIZE[0], 0.7 * SIZE[1]));
            let input = RawInput {
                screen_rect: Some(Rect::from_min_max(pos2(0.0, 0.0), SIZE.into())),
                time: Some(*frames as f64 / 60.0),
                events: [vec![pointer], events].concat(),
                ..RawInput::default()
            };
            *frames += 1;
            let mut requests = Vec::new();
            let mut panel = 0.0;
            let output = context.run_ui(input, |ui| {
                let view = View { session, evaluated, settings };
                let start = Instant::now();
                timeline_ui(ui, &view, state, &mut requests);
                panel = start.elapsed().as_secs_f64();
            });
            let start = Instant::now();
            drop(std::hint::black_box(context.tessellate(output.shapes, 1.0)));
            let drawn = start.elapsed().as_secs_f64();
            for request in &requests {
                drop(request.carry_out(session, settings, evaluated));
            }
            [panel, drawn]
        }
    }
}
