//! Painting weights: a brush on the skin of the active character, in any pose, even during playback. Shift
//! smooths, Ctrl inverts the brush; F, Shift+F and Ctrl+F adjust radius, strength and value with the pointer
//! until a click.

use super::gizmo::{GizmoPart, GizmoShape, Modifiers};
use super::numeric::DragKey;
use super::paint_drag::PaintDrag;
use super::paint_ring::{Ring, SkinHit, displayed_skin};
use super::{
    Button, Change, Click, Context, Cursor, Drag, DragInput, Grab, NoDrag, Press, SkinDisplay, Tool,
    ToolDisplay, ToolOptions,
};
use crate::edit::action::Shortcut;
use crate::edit::paint::{Paint, PaintCache, Painting};
use crate::edit::request::Request;
use crate::edit::select::probe::{influences, vertex_under};
use crate::edit::select::selection::Part;
use crate::edit::settings::view::View;
use crate::io::count::grouped;
use crate::rig::weights::paint::brush::RADII;
use crate::rig::weights::paint::{Brush, Mode};
use glam::{Mat4, Vec2};

/// The factor by which a bracket key changes the radius.
const STEP: f32 = 1.2;
/// The change of strength or value per pixel of pointer movement.
const PER_PIXEL: f32 = 0.004;

const RADIUS: Shortcut = Shortcut::plain("F");
const STRENGTH: Shortcut = Shortcut::shift("F");
const VALUE: Shortcut = Shortcut::ctrl("F");
const SMALLER: Shortcut = Shortcut::plain("OpenBracket");
const LARGER: Shortcut = Shortcut::plain("CloseBracket");
const PICK: Shortcut = Shortcut::plain("S");
const SAMPLE: Shortcut = Shortcut::plain("V");
const KEYS: &[Shortcut] = &[RADIUS, STRENGTH, VALUE, SMALLER, LARGER, PICK, SAMPLE];

/// A brush setting that follows the pointer until a click.
#[derive(Clone)]
struct Adjustment {
    setting: Shortcut,
    start: Vec2,
    /// World units per pixel at the pointer, as a fraction of the size of the surface.
    per_pixel: f32,
    initial: Brush,
    brush: Brush,
}

/// The state of the tool while it is active.
pub struct PaintTool {
    mesh: String,
    cache: PaintCache,
    ring: Ring,
    hit: Option<SkinHit>,
    adjustment: Option<Adjustment>,
    brush: Brush,
    prompt: String,
    /// The message about the last stroke, and the position of the pointer at that time once it is known.
    message: Option<(String, Option<Vec2>)>,
}

/// The message is shown until the pointer is this many pixels away.
const MESSAGE_PX: f32 = 40.0;

/// Starts the tool for the active skinned mesh.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let mesh = view.session.selection().mesh.clone()?;
    let skinned = view.session.scene().skinned_meshes.get(&mesh)?;
    let cache = PaintCache::new(&skinned.surface);
    Some(Box::new(PaintTool {
        ring: Ring::new(&cache),
        cache,
        hit: None,
        adjustment: None,
        brush: view.settings.tools.brush,
        prompt: String::new(),
        message: None,
        mesh,
    }))
}

/// Returns the brush as modified by Shift and Ctrl.
fn with_modifiers(brush: Brush, modifiers: Modifiers) -> Brush {
    match (modifiers.fine, modifiers.snap) {
        (true, _) => Brush { mode: Mode::Smooth, ..brush },
        (false, true) => brush.inverted(),
        (false, false) => brush,
    }
}

fn paint_settings(view: &View, brush: Brush) -> Paint {
    Paint { brush, bone: view.session.selection().bone(), symmetric: view.session.symmetric() }
}

impl PaintTool {
    /// The text of the banner.
    fn banner_text(&self, view: &View, brush: &Brush) -> String {
        let skinned = view.session.scene().skinned_meshes.get(&self.mesh);
        let bone = view.session.selection().bone().filter(|_| brush.mode.paints_one_bone());
        match (skinned, bone) {
            _ if brush.mode == Mode::Pull => "Drag the skin to where it should be in this pose".into(),
            _ if !brush.mode.paints_one_bone() => {
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
                let text = match brush.mode {
                    Mode::Gradient => {
                        format!("Drag from where {name} gets the full value to where it keeps its weight")
                    }
                    mode => format!("{} the weight of {name}", mode.text()),
                };
                let other = || {
                    let sides = self.cache.sides(&skinned.skeleton);
                    sides.others.get(bone).copied().flatten()
                };
                let is_one_sided = view.session.symmetric() && other().is_none();
                if is_one_sided { format!("{text}, on one side only: it has no counterpart") } else { text }
            }
            _ => "Point at the skin and press S to choose the bone there".into(),
        }
    }

    fn follow(&mut self, context: &Context, pixel: Option<Vec2>) {
        let hit = |pixel: Vec2| {
            let skin = displayed_skin(context.view, &self.mesh)?;
            let contact = skin.contact(context.viewport, pixel)?;
            Some(SkinHit { pixel, contact, skin })
        };
        self.hit = pixel.and_then(hit);
    }

    fn adjust(&mut self, context: &Context, setting: Shortcut) {
        let Some(hit) = &self.hit else { return };
        let position =
            hit.skin.world_from_mesh.transform_point3(hit.contact.position(&hit.skin.posed.positions));
        let size = self.cache.canvas.size * scale(&hit.skin.world_from_mesh);
        self.adjustment = Some(Adjustment {
            setting,
            start: hit.pixel,
            per_pixel: context.viewport.world_per_pixel(position) / size.max(f32::MIN_POSITIVE),
            initial: context.view.settings.tools.brush,
            brush: context.view.settings.tools.brush,
        });
    }

    /// Shows why a key had no effect.
    fn show_message(&mut self, text: &str) -> Vec<Request> {
        self.message = Some((text.to_owned(), None));
        Vec::new()
    }

    fn set_brush(brush: Brush) -> Vec<Request> {
        vec![Request::Brush(brush.sanitized())]
    }

    /// Returns a note on how points are matched to the other side, if symmetry is on.
    fn symmetry_note(&self, view: &View) -> String {
        if !view.session.symmetric() {
            return String::new();
        }
        let Some(skinned) = view.session.scene().skinned_meshes.get(&self.mesh) else {
            return String::new();
        };
        let sides = self.cache.sides(&skinned.skeleton);
        if let Some(fault) = sides.fault(&skinned.skeleton) {
            return fault.sentence().into();
        }
        let map = self.cache.mirror(sides.plane);
        let bones = sides.summary(&skinned.skeleton);
        let none = self.cache.canvas.points.len() - map.counts.iter().sum::<usize>();
        let [placed, by_faces, nearest] = map.counts;
        let parts = [
            (placed, "by position"),
            (by_faces, "by faces"),
            (nearest, "by nearest point"),
            (none, "without"),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, label)| format!("{} {label}", grouped(count))).collect();
        format!("{bones}. Other side of points: {}", parts.join(", "))
    }
}

impl Adjustment {
    fn follow(&mut self, pixel: Vec2) {
        let distance = pixel.x - self.start.x;
        let (initial, brush) = (&self.initial, &mut self.brush);
        match self.setting {
            RADIUS => brush.radius = initial.radius + distance * self.per_pixel,
            STRENGTH => brush.strength = initial.strength + distance * PER_PIXEL,
            _ => brush.value = initial.value + distance * PER_PIXEL,
        }
        *brush = brush.sanitized();
    }

    fn text(&self) -> String {
        match self.setting {
            RADIUS => format!("Radius {:.1} %", self.brush.radius * 100.0),
            STRENGTH => format!("Strength {:.2}", self.brush.strength),
            _ => format!("Value {:.2}", self.brush.value),
        }
    }
}

impl Tool for PaintTool {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        if press.button != Button::Primary {
            return None;
        }
        if let Some(mut adjustment) = self.adjustment.take() {
            adjustment.follow(press.pixel);
            return Grab::new(ConfirmDrag(adjustment.brush), Click::Nothing);
        }
        self.follow(context, Some(press.pixel));
        self.message = None;
        let view = context.view;
        let brush = with_modifiers(view.settings.tools.brush, press.modifiers);
        let skinned = view.session.animated().skinned_meshes.get(&self.mesh)?;
        let begun = match self
            .hit
            .as_ref()
            .map(|hit| hit.skin.clone())
            .or_else(|| displayed_skin(view, &self.mesh))
        {
            Some(skin) => Painting::begin(
                &self.mesh,
                skinned,
                &self.cache,
                skin,
                &paint_settings(view, brush),
                Some(*context.viewport),
            ),
            None => Err("Show the character to paint it.".into()),
        };
        match begun {
            Ok(mut painting) => {
                let vertices = &view.session.selection().vertices;
                if !vertices.is_empty() {
                    painting = painting.restrict_to(vertices);
                }
                let ring = (self.ring.clone(), self.cache.canvas.size);
                // From now on the drag draws the rings, if any.
                let hit = self.hit.take();
                let drag = PaintDrag::new(self.mesh.clone(), painting, view.session.frame(), ring, hit);
                Grab::new(drag, Click::Nothing)
            }
            Err(reason) => {
                self.prompt = reason;
                Grab::new(NoDrag, Click::Nothing)
            }
        }
    }

    fn hover(&mut self, context: &Context, pixel: Option<Vec2>, modifiers: Modifiers) {
        self.brush = context.view.settings.tools.brush;
        match (&mut self.adjustment, pixel) {
            (Some(adjustment), Some(pixel)) => {
                adjustment.follow(pixel);
                self.brush = adjustment.brush;
                self.prompt = format!("{}: click to keep it", adjustment.text());
            }
            _ => {
                self.follow(context, pixel);
                self.prompt = self.banner_text(context.view, &with_modifiers(self.brush, modifiers));
                if let Some((text, position)) = &mut self.message {
                    let position = *position.get_or_insert(pixel.unwrap_or_default());
                    if pixel.is_some_and(|pixel| pixel.distance(position) <= MESSAGE_PX) {
                        self.prompt.clone_from(text);
                        return;
                    }
                    self.message = None;
                }
                if !context.view.session.selection().vertices.is_empty() {
                    self.prompt += ", on the selected vertices only";
                }
            }
        }
    }

    fn finish_drag(&mut self, outcome: Option<String>) {
        self.message = outcome.map(|text| (text, None));
    }

    fn key(&mut self, context: &Context, key: DragKey) -> Vec<Request> {
        let DragKey::Shortcut(key) = key else {
            return Vec::new();
        };
        let view = context.view;
        let brush = view.settings.tools.brush;
        match key {
            RADIUS | STRENGTH | VALUE => {
                self.adjust(context, key);
                Vec::new()
            }
            SMALLER | LARGER => {
                let factor = if key == LARGER { STEP } else { 1.0 / STEP };
                let radius = (brush.radius * factor).clamp(RADII[0], RADII[1]);
                Self::set_brush(Brush { radius, ..brush })
            }
            _ => {
                // The vertex whose weights the status bar shows.
                let skinned = view.session.animated().skinned_meshes.get(&self.mesh);
                let hit = self.hit.as_ref();
                let vertex = hit.and_then(|hit| vertex_under(view, context.viewport, hit.pixel));
                let (Some(vertex), Some(skinned)) = (vertex, skinned) else {
                    let source = if key == PICK { "the bone" } else { "the value" };
                    return self.show_message(&format!(
                        "The pointer is not on the character: there is no skin to pick {source} from"
                    ));
                };
                let row = influences(&skinned.weights, vertex);
                let selection = view.session.selection();
                match (key, row.first(), selection.bone()) {
                    (PICK, Some(&(bone, _)), _) => {
                        vec![Request::Select(selection.with_part(Some(Part::Bone(bone))))]
                    }
                    (SAMPLE, _, Some(bone)) => {
                        let share = row.iter().find(|(other, _)| *other == bone);
                        let value = share.map_or(0.0, |(_, weight)| *weight);
                        Self::set_brush(Brush { value, ..brush })
                    }
                    (SAMPLE, _, None) => {
                        self.show_message("Select a bone first: V picks its weight from the skin")
                    }
                    _ => self.show_message("No bone moves the skin there"),
                }
            }
        }
    }

    fn shortcuts(&self) -> &'static [Shortcut] {
        KEYS
    }

    /// Esc restores the setting that follows the pointer.
    fn escape(&mut self) -> bool {
        self.adjustment.take().is_some()
    }

    fn shape(&self, context: &Context) -> GizmoShape {
        let Some(hit) = &self.hit else {
            return GizmoShape::default();
        };
        self.ring.update(hit, context.viewport, &self.brush, (self.cache.canvas.size, 1.0));
        self.ring.shape(hit, context.viewport)
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        match &self.adjustment {
            Some(adjustment) => format!("{}   Move the pointer sideways · Click to keep · Esc cancels", adjustment.text()),
            None => "Drag to paint · Esc ends · Shift smooths · Ctrl does the opposite · F radius · Shift+F strength · Ctrl+F value · [ ] size · \
                     S bone under the pointer · V value under the pointer"
                .into(),
        }
    }

    fn prompt(&self) -> &str {
        &self.prompt
    }

    fn display(&self) -> ToolDisplay {
        ToolDisplay { skin: SkinDisplay::Weights, ..ToolDisplay::default() }
    }

    fn options(&self, view: &View) -> Option<ToolOptions> {
        Some(ToolOptions::Brush(self.symmetry_note(view)))
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn is_usable(&self, view: &View) -> bool {
        let mesh = view.session.selection().mesh.as_deref();
        let skinned = view.session.scene().skinned_meshes.get(&self.mesh);
        mesh == Some(self.mesh.as_str())
            && view.evaluated.compare.is_none()
            && skinned.is_some_and(|skinned| std::sync::Arc::ptr_eq(&skinned.surface, &self.cache.surface))
    }
}

/// The average scale from mesh space to world space.
fn scale(world_from_mesh: &Mat4) -> f32 {
    let volume = world_from_mesh.determinant().abs();
    if volume.is_finite() { volume.cbrt() } else { 0.0 }
}

/// A click that confirms an adjusted setting.
struct ConfirmDrag(Brush);

impl Drag for ConfirmDrag {
    fn drag(&mut self, _: &Context, _: &DragInput) -> Change {
        Change::NONE
    }

    fn release(&mut self, _: &Context, _: Modifiers) -> Vec<Request> {
        PaintTool::set_brush(self.0)
    }

    fn threshold(&self) -> f32 {
        0.0
    }
}
