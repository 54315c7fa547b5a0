//! Painting weights: a brush on the skin of the character that is worked on, in any pose, also while it plays. Shift
//! smooths, Ctrl does the opposite; F, Shift+F and Ctrl+F take radius, strength and value from the pointer until a click.

use super::gizmo::{GizmoPart, GizmoShape, Modifiers};
use super::numeric::DragKey;
use super::paint_drag::PaintDrag;
use super::paint_ring::{Over, Ring, shown};
use super::{
    Button, Change, Click, Context, Cursor, Drag, DragInput, Hold, NoDrag, Press, SkinDisplay, Tool,
    ToolDisplay, ToolOptions,
};
use crate::edit::action::Shortcut;
use crate::edit::paint::{Easel, Paint, Painting};
use crate::edit::probe::{influences, vertex_under};
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::edit::view::View;
use crate::io::count::grouped;
use crate::rig::weights::paint::brush::RADII;
use crate::rig::weights::paint::{Brush, Mode};
use glam::{Mat4, Vec2};

/// What a bracket does to the radius.
const STEP: f32 = 1.2;
/// A pixel of the pointer's way, in the strength or the value.
const PER_PIXEL: f32 = 0.004;

const RADIUS: Shortcut = Shortcut::plain("F");
const STRENGTH: Shortcut = Shortcut::shift("F");
const VALUE: Shortcut = Shortcut::ctrl("F");
const SMALLER: Shortcut = Shortcut::plain("OpenBracket");
const LARGER: Shortcut = Shortcut::plain("CloseBracket");
const PICK: Shortcut = Shortcut::plain("S");
const SAMPLE: Shortcut = Shortcut::plain("V");
const KEYS: &[Shortcut] = &[RADIUS, STRENGTH, VALUE, SMALLER, LARGER, PICK, SAMPLE];

/// A number that follows the pointer until a click.
#[derive(Clone)]
struct Adjusting {
    what: Shortcut,
    from: Vec2,
    /// World units in a pixel there, as part of the size of the surface.
    per_pixel: f32,
    before: Brush,
    now: Brush,
}

/// The tool while it is on.
pub struct PaintTool {
    mesh: String,
    easel: Easel,
    ring: Ring,
    over: Option<Over>,
    adjusting: Option<Adjusting>,
    brush: Brush,
    prompt: String,
    /// What was said of the last stroke, and where the pointer was then, as soon as that is known.
    told: Option<(String, Option<Vec2>)>,
}

/// What is said of a stroke stands until the pointer is so many pixels away.
const TOLD_PX: f32 = 40.0;

/// Begins for the skinned mesh that is worked on.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let mesh = view.session.selection().mesh.clone()?;
    let skinned = view.session.scene().skinned_meshes.get(&mesh)?;
    let easel = Easel::new(&skinned.surface);
    Some(Box::new(PaintTool {
        ring: Ring::new(&easel),
        easel,
        over: None,
        adjusting: None,
        brush: view.settings.brush,
        prompt: String::new(),
        told: None,
        mesh,
    }))
}

/// What keys make of the brush.
fn with_keys(brush: Brush, modifiers: Modifiers) -> Brush {
    match (modifiers.fine, modifiers.snap) {
        (true, _) => Brush {
            mode: Mode::Smooth,
            ..brush
        },
        (false, true) => brush.inverted(),
        (false, false) => brush,
    }
}

fn paint(view: &View, brush: Brush) -> Paint {
    Paint {
        brush,
        bone: view.session.selection().bone(),
        symmetric: view.session.symmetric(),
    }
}

impl PaintTool {
    /// What stands in the banner.
    fn prompt_of(&self, view: &View, brush: &Brush) -> String {
        let skinned = view.session.scene().skinned_meshes.get(&self.mesh);
        let bone = view
            .session
            .selection()
            .bone()
            .filter(|_| brush.mode.is_of_bone());
        match (skinned, bone) {
            _ if brush.mode == Mode::Pull => "Drag the skin to where it should be in this pose".into(),
            _ if !brush.mode.is_of_bone() => {
                format!("{} the weights of all unlocked bones", brush.mode.text())
            }
            (Some(skinned), Some(bone))
                if skinned.skeleton.bones.get(bone).is_some_and(|b| b.lock_weights) =>
            {
                let name = skinned.skeleton.bone_name(bone);
                format!("{name} is locked: unlock it in the list of bones, or point at another and press S")
            }
            (Some(skinned), Some(bone)) => {
                let name = skinned.skeleton.bone_name(bone);
                let what = match brush.mode {
                    Mode::Gradient => {
                        format!("Drag from where {name} gets the full value to where it keeps its weight")
                    }
                    mode => format!("{} the weight of {name}", mode.text()),
                };
                let other = || {
                    let sides = self.easel.sides(&skinned.skeleton);
                    sides.others.get(bone).copied().flatten()
                };
                let is_alone = view.session.symmetric() && other().is_none();
                match is_alone {
                    true => format!("{what}, on one side only: it has no counterpart"),
                    false => what,
                }
            }
            _ => "Point at the skin and press S to choose the bone there".into(),
        }
    }

    fn follow(&mut self, context: &Context, at: Option<Vec2>) {
        let over = |at: Vec2| {
            let shown = shown(context.view, &self.mesh)?;
            let contact = shown.contact(context.viewport, at)?;
            Some(Over { at, contact, shown })
        };
        self.over = at.and_then(over);
    }

    fn adjust(&mut self, context: &Context, what: Shortcut) {
        let Some(over) = &self.over else { return };
        let place = over
            .shown
            .world_from_mesh
            .transform_point3(over.contact.place(&over.shown.posed.positions));
        let size = self.easel.canvas.size * scale(&over.shown.world_from_mesh);
        self.adjusting = Some(Adjusting {
            what,
            from: over.at,
            per_pixel: context.viewport.world_per_pixel(place) / size.max(f32::MIN_POSITIVE),
            before: context.view.settings.brush,
            now: context.view.settings.brush,
        });
    }

    /// Why a key did nothing.
    fn tell(&mut self, said: &str) -> Vec<Request> {
        self.told = Some((said.to_owned(), None));
        Vec::new()
    }

    fn set(brush: Brush) -> Vec<Request> {
        vec![Request::Brush(brush.within_reason())]
    }

    /// Which points have another side, where that is painted too.
    fn note_on_sides(&self, view: &View) -> String {
        if !view.session.symmetric() {
            return String::new();
        }
        let Some(skinned) = view.session.scene().skinned_meshes.get(&self.mesh) else {
            return String::new();
        };
        let sides = self.easel.sides(&skinned.skeleton);
        if let Some(fault) = sides.fault(&skinned.skeleton) {
            return fault.sentence().into();
        }
        let map = self.easel.mirror(sides.plane);
        let bones = sides.said(&skinned.skeleton);
        let none = self.easel.canvas.points.len() - map.counts.iter().sum::<usize>();
        let [placed, by_faces, nearest] = map.counts;
        let ways = [
            (placed, "by place"),
            (by_faces, "by faces"),
            (nearest, "by nearness"),
            (none, "have none"),
        ];
        let ways = ways.into_iter().filter(|(count, _)| *count > 0);
        let ways: Vec<String> = ways
            .map(|(count, how)| format!("{} {how}", grouped(count)))
            .collect();
        format!("{bones}. Other side of points: {}", ways.join(", "))
    }
}

impl Adjusting {
    fn follow(&mut self, at: Vec2) {
        let way = at.x - self.from.x;
        let (before, now) = (&self.before, &mut self.now);
        match self.what {
            RADIUS => now.radius = before.radius + way * self.per_pixel,
            STRENGTH => now.strength = before.strength + way * PER_PIXEL,
            _ => now.value = before.value + way * PER_PIXEL,
        }
        *now = now.within_reason();
    }

    fn text(&self) -> String {
        match self.what {
            RADIUS => format!("Radius {:.1} %", self.now.radius * 100.0),
            STRENGTH => format!("Strength {:.2}", self.now.strength),
            _ => format!("Value {:.2}", self.now.value),
        }
    }
}

impl Tool for PaintTool {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold> {
        if press.button != Button::Primary {
            return None;
        }
        if let Some(mut adjusting) = self.adjusting.take() {
            adjusting.follow(press.at);
            return Hold::new(Confirmed(adjusting.now), Click::Nothing);
        }
        self.follow(context, Some(press.at));
        self.told = None;
        let view = context.view;
        let brush = with_keys(view.settings.brush, press.modifiers);
        let skinned = view.session.animated().skinned_meshes.get(&self.mesh)?;
        let begun = match self
            .over
            .as_ref()
            .map(|over| over.shown.clone())
            .or_else(|| shown(view, &self.mesh))
        {
            Some(shown) => Painting::begin(
                &self.mesh,
                skinned,
                &self.easel,
                shown,
                &paint(view, brush),
                Some(*context.viewport),
            ),
            None => Err("Show the character to paint it.".into()),
        };
        match begun {
            Ok(mut painting) => {
                let vertices = &view.session.selection().vertices;
                if !vertices.is_empty() {
                    painting = painting.only(vertices);
                }
                let ring = (self.ring.clone(), self.easel.canvas.size);
                // From now on the stroke draws the rings, or none.
                let over = self.over.take();
                let drag = PaintDrag::new(self.mesh.clone(), painting, view.session.frame(), ring, over);
                Hold::new(drag, Click::Nothing)
            }
            Err(why) => {
                self.prompt = why;
                Hold::new(NoDrag, Click::Nothing)
            }
        }
    }

    fn hover(&mut self, context: &Context, at: Option<Vec2>, modifiers: Modifiers) {
        self.brush = context.view.settings.brush;
        match (&mut self.adjusting, at) {
            (Some(adjusting), Some(at)) => {
                adjusting.follow(at);
                self.brush = adjusting.now;
                self.prompt = format!("{}: click to keep it", adjusting.text());
            }
            _ => {
                self.follow(context, at);
                self.prompt = self.prompt_of(context.view, &with_keys(self.brush, modifiers));
                if let Some((said, place)) = &mut self.told {
                    let place = *place.get_or_insert(at.unwrap_or_default());
                    if at.is_some_and(|at| at.distance(place) <= TOLD_PX) {
                        self.prompt.clone_from(said);
                        return;
                    }
                    self.told = None;
                }
                if !context.view.session.selection().vertices.is_empty() {
                    self.prompt += ", on the selected vertices only";
                }
            }
        }
    }

    fn conclude(&mut self, outcome: Option<String>) {
        self.told = outcome.map(|said| (said, None));
    }

    fn key(&mut self, context: &Context, key: DragKey) -> Vec<Request> {
        let DragKey::Own(key) = key else { return Vec::new() };
        let view = context.view;
        let brush = view.settings.brush;
        match key {
            RADIUS | STRENGTH | VALUE => {
                self.adjust(context, key);
                Vec::new()
            }
            SMALLER | LARGER => {
                let by = if key == LARGER { STEP } else { 1.0 / STEP };
                let radius = (brush.radius * by).clamp(RADII[0], RADII[1]);
                Self::set(Brush { radius, ..brush })
            }
            _ => {
                // The vertex whose weights are shown.
                let skinned = view.session.animated().skinned_meshes.get(&self.mesh);
                let over = self.over.as_ref();
                let vertex = over.and_then(|over| vertex_under(view, context.viewport, over.at));
                let (Some(vertex), Some(skinned)) = (vertex, skinned) else {
                    let what = if key == PICK { "the bone" } else { "the value" };
                    return self.tell(&format!(
                        "The pointer is not on the character: there is no skin to pick {what} from"
                    ));
                };
                let row = influences(&skinned.weights, vertex);
                let selection = view.session.selection();
                match (key, row.first(), selection.bone()) {
                    (PICK, Some(&(bone, _)), _) => {
                        vec![Request::Select(selection.with_part(Some(Part::Bone(bone))))]
                    }
                    (SAMPLE, _, Some(bone)) => {
                        let share = row.iter().find(|(of, _)| *of == bone);
                        let value = share.map_or(0.0, |(_, weight)| *weight);
                        Self::set(Brush { value, ..brush })
                    }
                    (SAMPLE, _, None) => self.tell("Select a bone first: V picks its weight from the skin"),
                    _ => self.tell("No bone moves the skin there"),
                }
            }
        }
    }

    fn own_keys(&self) -> &'static [Shortcut] {
        KEYS
    }

    /// A number that follows the pointer goes back to what it was.
    fn escape(&mut self) -> bool {
        self.adjusting.take().is_some()
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let mut shape = GizmoShape::default();
        if let Some(over) = &self.over {
            let size = (self.easel.canvas.size, 1.0);
            self.ring.follow(over, context.viewport, &self.brush, size);
            self.ring.shape_into(over, context.viewport, &mut shape);
        }
        shape
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        match &self.adjusting {
            Some(adjusting) => format!("{}   Move the pointer sideways · Click to keep · Esc cancels", adjusting.text()),
            None => "Drag to paint · Shift smooths · Ctrl does the opposite · F radius · Shift+F strength · Ctrl+F value · [ ] size · \
                     S bone under the pointer · V value under the pointer · Esc ends"
                .into(),
        }
    }

    fn prompt(&self) -> &str {
        &self.prompt
    }

    fn display(&self) -> ToolDisplay {
        ToolDisplay {
            skin: SkinDisplay::Weights,
            ..ToolDisplay::default()
        }
    }

    fn options(&self, view: &View) -> Option<ToolOptions> {
        Some(ToolOptions::Brush(self.note_on_sides(view)))
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn is_usable(&self, view: &View) -> bool {
        let mesh = view.session.selection().mesh.as_deref();
        let skinned = view.session.scene().skinned_meshes.get(&self.mesh);
        mesh == Some(self.mesh.as_str())
            && view.evaluated.compare.is_none()
            && skinned.is_some_and(|skinned| std::sync::Arc::ptr_eq(&skinned.surface, &self.easel.surface))
    }
}

/// How much longer lengths are in the world, averaged over directions.
fn scale(world_from_mesh: &Mat4) -> f32 {
    let volume = world_from_mesh.determinant().abs();
    if volume.is_finite() { volume.cbrt() } else { 0.0 }
}

/// A click that keeps what followed the pointer.
struct Confirmed(Brush);

impl Drag for Confirmed {
    fn drag(&mut self, _: &Context, _: &DragInput) -> Change {
        Change::NONE
    }

    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        PaintTool::set(self.0)
    }

    fn threshold(&self) -> f32 {
        0.0
    }
}
