//! Selecting vertices on the skin of the active character by click, rectangle or lasso. Shift adds, Ctrl
//! removes.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role};
use super::numeric::DragKey;
use super::paint_ring::displayed_skin;
use super::select::CLICK_PX;
use super::{
    Button, Change, Click, Context, Cursor, Drag, DragInput, Grab, Press, SkinDisplay, Tool, ToolDisplay,
};
use crate::edit::action::Shortcut;
use crate::edit::paint::PosedSkin;
use crate::edit::request::Request;
use crate::edit::select::box_select::PixelBox;
use crate::edit::settings::view::View;
use crate::math::camera::Viewport;
use crate::math::outline::is_inside;
use glam::Vec2;
use std::collections::BTreeSet;

/// The distance from the pointer within which a click selects a vertex, in pixels.
const NEAR_PX: f32 = 12.0;
/// A surface hides a vertex only if it is closer by more than this fraction of the camera's distance.
const SLACK: f32 = 2e-3;
/// The distance between two points of a lasso, in pixels.
const LASSO_STEP: f32 = 3.0;

const LASSO: Shortcut = Shortcut::plain("L");
const THROUGH: Shortcut = Shortcut::plain("T");

/// The state of the tool while it is active.
pub struct SelectVertices {
    mesh: String,
    lasso: bool,
    through: bool,
    prompt: String,
}

/// Starts the tool for the active skinned mesh.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let mesh = view.session.selection().mesh.clone()?;
    view.session.scene().skinned_meshes.get(&mesh)?;
    let mut tool = SelectVertices { mesh, lasso: false, through: false, prompt: String::new() };
    tool.set_prompt();
    Some(Box::new(tool))
}

impl SelectVertices {
    fn set_prompt(&mut self) {
        let outline = if self.lasso { "a lasso around" } else { "a box over" };
        let which = if self.through { "visible and hidden vertices" } else { "visible vertices" };
        self.prompt = format!("Click or draw {outline} {which}");
    }
}

impl Tool for SelectVertices {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Grab> {
        if press.button != Button::Primary {
            return None;
        }
        let drag = VertexDrag {
            skin: displayed_skin(context.view, &self.mesh)?,
            path: vec![press.pixel],
            lasso: self.lasso,
            through: self.through,
            message: None,
        };
        Grab::new(drag, Click::Nothing)
    }

    fn key(&mut self, _: &Context, key: DragKey) -> Vec<Request> {
        match key {
            DragKey::Shortcut(LASSO) => self.lasso = !self.lasso,
            DragKey::Shortcut(THROUGH) => self.through = !self.through,
            _ => {}
        }
        self.set_prompt();
        Vec::new()
    }

    /// The message is shown until the next press.
    fn finish_drag(&mut self, outcome: Option<String>) {
        match outcome {
            Some(message) => self.prompt = message,
            None => self.set_prompt(),
        }
    }

    fn shortcuts(&self) -> &'static [Shortcut] {
        &[LASSO, THROUGH]
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        "Click or drag to select vertices · Esc ends · Shift adds · Ctrl removes · L box or lasso · T includes hidden ones".into()
    }

    fn prompt(&self) -> &str {
        &self.prompt
    }

    fn display(&self) -> ToolDisplay {
        ToolDisplay { skin: SkinDisplay::Vertices, ..ToolDisplay::default() }
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn is_usable(&self, view: &View) -> bool {
        view.session.selection().mesh.as_deref() == Some(self.mesh.as_str())
            && view.evaluated.compare.is_none()
    }
}

/// A click, or a path around the vertices to select.
struct VertexDrag {
    skin: PosedSkin,
    /// Never empty.
    path: Vec<Vec2>,
    lasso: bool,
    through: bool,
    /// A message about the result.
    message: Option<String>,
}

impl VertexDrag {
    fn ends(&self) -> [Vec2; 2] {
        let first = self.path.first().copied().unwrap_or_default();
        [first, self.path.last().copied().unwrap_or(first)]
    }

    fn is_click(&self) -> bool {
        let first = self.ends()[0];
        self.path.iter().all(|pixel| pixel.distance(first) < CLICK_PX)
    }

    /// Whether a vertex is visible.
    fn is_visible(&self, viewport: &Viewport, pixel: Vec2, vertex: usize) -> bool {
        let ray = viewport.ray(pixel);
        let mut contacts = Vec::new();
        let target = self.skin.target();
        target.cast(&ray, false, &mut contacts);
        let Some(contact) = contacts.first() else {
            return true;
        };
        let world = |position| self.skin.world_from_mesh.transform_point3(position);
        let depth = |position| (world(position) - ray.origin).dot(ray.direction);
        let (hit_depth, vertex_depth) =
            (depth(contact.position(target.positions)), depth(target.positions[vertex]));
        hit_depth >= vertex_depth - SLACK * viewport.camera.distance
    }

    /// Returns the vertices whose pixel `contains` accepts, with that pixel.
    fn vertices_in<'a>(
        &'a self,
        viewport: &'a Viewport,
        contains: impl Fn(Vec2) -> bool + 'a,
    ) -> impl Iterator<Item = (u32, Vec2)> + 'a {
        let positions = self.skin.posed.positions.iter().enumerate();
        positions.filter_map(move |(vertex, position)| {
            let world = self.skin.world_from_mesh.transform_point3(*position);
            let pixel = viewport.project(world)?.pixel;
            let visible = || self.through || self.is_visible(viewport, pixel, vertex);
            (contains(pixel) && visible()).then_some((vertex as u32, pixel))
        })
    }

    fn found(&self, viewport: &Viewport) -> BTreeSet<u32> {
        let [first, last] = self.ends();
        if self.is_click() {
            let near = self.vertices_in(viewport, |pixel| pixel.distance(first) <= NEAR_PX);
            let nearest = near.min_by(|a, b| a.1.distance(first).total_cmp(&b.1.distance(first)));
            // Includes vertices at the same position.
            let positions = &self.skin.posed.positions;
            let coincident = |(vertex, _): (u32, Vec2)| {
                let position = positions[vertex as usize];
                let all = positions.iter().enumerate();
                all.filter(move |(_, other)| **other == position).map(|(vertex, _)| vertex as u32)
            };
            return nearest.into_iter().flat_map(coincident).collect();
        }
        if self.lasso {
            return self
                .vertices_in(viewport, |pixel| is_inside(&self.path, pixel))
                .map(|(v, _)| v)
                .collect();
        }
        let area = PixelBox::from_corners(first, last);
        self.vertices_in(viewport, |pixel| area.contains(pixel)).map(|(v, _)| v).collect()
    }
}

impl Drag for VertexDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        for sample in input.path {
            let [_, last] = self.ends();
            if !self.lasso {
                self.path.truncate(1);
                self.path.push(sample.pixel);
            } else if last.distance(sample.pixel) >= LASSO_STEP {
                self.path.push(sample.pixel);
            }
        }
        Change::NONE
    }

    fn release(&mut self, context: &Context, modifiers: Modifiers) -> Vec<Request> {
        let found = self.found(context.viewport);
        let selection = context.view.session.selection();
        let mut chosen: BTreeSet<u32> = selection.vertices.iter().copied().collect();
        let before = chosen.len();
        if found.is_empty() {
            let missing = if self.through { "vertex is there" } else { "visible vertex is there" };
            let consequence = match (before, modifiers.fine || modifiers.snap) {
                (0, _) => "",
                (_, true) => ": the selection stays as it is",
                (_, false) => ": all vertices are deselected",
            };
            self.message = Some(format!("No {missing}{consequence}"));
        }
        match (modifiers.fine, modifiers.snap, self.is_click()) {
            // A click with Shift deselects what is selected already.
            (true, false, true) if !found.is_empty() && found.is_subset(&chosen) => {
                chosen.retain(|vertex| !found.contains(vertex));
            }
            (true, false, _) => chosen.extend(found),
            (_, true, _) => chosen.retain(|vertex| !found.contains(vertex)),
            _ => chosen = found,
        }
        vec![Request::Select(selection.with_vertices(chosen.into_iter().collect()))]
    }

    fn outcome(&self) -> Option<String> {
        self.message.clone()
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn area(&self) -> Option<PixelBox> {
        let [first, last] = self.ends();
        (!self.lasso && !self.is_click()).then(|| PixelBox::from_corners(first, last))
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        const LINE: GizmoPart = GizmoPart::new(0, Role::View, 0.0);
        let mut shape = GizmoShape::default();
        if self.lasso && !self.is_click() {
            let closed = self.path.iter().chain(self.path.first());
            let before = 2.0 * viewport.camera.near();
            let points = closed.map(|pixel| viewport.ray(*pixel).point_at(before)).collect();
            shape.line(LINE, GizmoStyle::Mark, points);
        }
        shape
    }

    fn hint(&self) -> String {
        "Release to select · Shift adds · Ctrl removes · Esc or right click cancels".into()
    }
}
