//! Selecting vertices on the skin of the character that is worked on: a click, a rectangle or a lasso. Shift adds, Ctrl
//! takes away.

use super::gizmo::{GizmoPart, GizmoShape, GizmoStyle, Modifiers, Role};
use super::numeric::DragKey;
use super::paint_ring::shown;
use super::select::CLICK_PX;
use super::{
    Button, Change, Click, Context, Cursor, Drag, DragInput, Hold, Press, SkinDisplay, Tool, ToolDisplay,
};
use crate::edit::action::Shortcut;
use crate::edit::box_select::PixelBox;
use crate::edit::paint::Shown;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::math::camera::Viewport;
use glam::Vec2;
use std::collections::BTreeSet;

/// How far from the pointer a vertex may be that a click selects, in pixels.
const NEAR_PX: f32 = 12.0;
/// What is less nearer than this part of the camera's distance does not hide a vertex.
const SLACK: f32 = 2e-3;
/// Between two points of a lasso, in pixels.
const LASSO_STEP: f32 = 3.0;

const LASSO: Shortcut = Shortcut::plain("L");
const THROUGH: Shortcut = Shortcut::plain("T");

/// The tool while it is on.
pub struct SelectVertices {
    mesh: String,
    lasso: bool,
    through: bool,
    prompt: String,
}

/// Begins for the skinned mesh that is worked on.
pub(super) fn begin(view: &View) -> Option<Box<dyn Tool>> {
    let mesh = view.session.selection().mesh.clone()?;
    view.session.scene().skinned_meshes.get(&mesh)?;
    let mut tool = SelectVertices {
        mesh,
        lasso: false,
        through: false,
        prompt: String::new(),
    };
    tool.set_prompt();
    Some(Box::new(tool))
}

impl SelectVertices {
    fn set_prompt(&mut self) {
        let how = if self.lasso {
            "a lasso around"
        } else {
            "a box over"
        };
        let which = if self.through {
            "vertices, hidden ones too"
        } else {
            "visible vertices"
        };
        self.prompt = format!("Click or draw {how} {which}");
    }
}

impl Tool for SelectVertices {
    fn press(&mut self, context: &Context, press: &Press) -> Option<Hold> {
        if press.button != Button::Primary {
            return None;
        }
        let drag = VertexDrag {
            shown: shown(context.view, &self.mesh)?,
            way: vec![press.at],
            lasso: self.lasso,
            through: self.through,
            said: None,
        };
        Hold::new(drag, Click::Nothing)
    }

    fn key(&mut self, _: &Context, key: DragKey) -> Vec<Request> {
        match key {
            DragKey::Own(LASSO) => self.lasso = !self.lasso,
            DragKey::Own(THROUGH) => self.through = !self.through,
            _ => {}
        }
        self.set_prompt();
        Vec::new()
    }

    /// Stands until the next press.
    fn conclude(&mut self, outcome: Option<String>) {
        match outcome {
            Some(said) => self.prompt = said,
            None => self.set_prompt(),
        }
    }

    fn own_keys(&self) -> &'static [Shortcut] {
        &[LASSO, THROUGH]
    }

    fn hint(&self, _: Option<GizmoPart>) -> String {
        "Click or drag to select vertices · Shift adds · Ctrl removes · L box or lasso · T hidden ones too · Esc ends".into()
    }

    fn prompt(&self) -> &str {
        &self.prompt
    }

    fn display(&self) -> ToolDisplay {
        ToolDisplay {
            skin: SkinDisplay::Vertices,
            ..ToolDisplay::default()
        }
    }

    fn cursor(&self) -> Cursor {
        Cursor::Crosshair
    }

    fn is_usable(&self, view: &View) -> bool {
        view.session.selection().mesh.as_deref() == Some(self.mesh.as_str())
            && view.evaluated.compare.is_none()
    }
}

/// A click, or a way around what is to be selected.
struct VertexDrag {
    shown: Shown,
    /// Never empty.
    way: Vec<Vec2>,
    lasso: bool,
    through: bool,
    /// What is to be known of what it did.
    said: Option<String>,
}

impl VertexDrag {
    fn ends(&self) -> [Vec2; 2] {
        let first = self.way.first().copied().unwrap_or_default();
        [first, self.way.last().copied().unwrap_or(first)]
    }

    fn is_click(&self) -> bool {
        let first = self.ends()[0];
        self.way.iter().all(|at| at.distance(first) < CLICK_PX)
    }

    /// Whether a vertex is in sight.
    fn is_seen(&self, viewport: &Viewport, pixel: Vec2, vertex: usize) -> bool {
        let ray = viewport.ray(pixel);
        let mut contacts = Vec::new();
        let target = self.shown.target();
        target.cast(&ray, false, &mut contacts);
        let Some(contact) = contacts.first() else {
            return true;
        };
        let world = |place| self.shown.world_from_mesh.transform_point3(place);
        let depth = |place| (world(place) - ray.origin).dot(ray.direction);
        let (hit, own) = (
            depth(contact.place(target.positions)),
            depth(target.positions[vertex]),
        );
        hit >= own - SLACK * viewport.camera.distance
    }

    /// Vertices whose pixel is taken in, with that pixel.
    fn within<'a>(
        &'a self,
        viewport: &'a Viewport,
        holds: impl Fn(Vec2) -> bool + 'a,
    ) -> impl Iterator<Item = (u32, Vec2)> + 'a {
        let positions = self.shown.posed.positions.iter().enumerate();
        positions.filter_map(move |(vertex, place)| {
            let world = self.shown.world_from_mesh.transform_point3(*place);
            let pixel = viewport.project(world)?.pixel;
            let seen = || self.through || self.is_seen(viewport, pixel, vertex);
            (holds(pixel) && seen()).then_some((vertex as u32, pixel))
        })
    }

    fn found(&self, viewport: &Viewport) -> BTreeSet<u32> {
        let [first, last] = self.ends();
        if self.is_click() {
            let near = self.within(viewport, |pixel| pixel.distance(first) <= NEAR_PX);
            let nearest = near.min_by(|a, b| a.1.distance(first).total_cmp(&b.1.distance(first)));
            // Those at the same place too.
            let positions = &self.shown.posed.positions;
            let same = |(vertex, _): (u32, Vec2)| {
                let place = positions[vertex as usize];
                let all = positions.iter().enumerate();
                all.filter(move |(_, other)| **other == place)
                    .map(|(vertex, _)| vertex as u32)
            };
            return nearest.into_iter().flat_map(same).collect();
        }
        if self.lasso {
            return self
                .within(viewport, |pixel| is_inside(&self.way, pixel))
                .map(|(v, _)| v)
                .collect();
        }
        let area = PixelBox::of_corners(first, last);
        self.within(viewport, |pixel| area.holds(pixel))
            .map(|(v, _)| v)
            .collect()
    }
}

impl Drag for VertexDrag {
    fn drag(&mut self, _: &Context, input: &DragInput) -> Change {
        for sample in input.path {
            let [_, last] = self.ends();
            if !self.lasso {
                self.way.truncate(1);
                self.way.push(sample.at);
            } else if last.distance(sample.at) >= LASSO_STEP {
                self.way.push(sample.at);
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
            let there = match self.through {
                true => "vertex is there",
                false => "visible vertex is there",
            };
            let was = match (before, modifiers.fine || modifiers.snap) {
                (0, _) => "",
                (_, true) => ": the selection stays as it is",
                (_, false) => ": all vertices are deselected",
            };
            self.said = Some(format!("No {there}{was}"));
        }
        match (modifiers.fine, modifiers.snap, self.is_click()) {
            // A click that adds takes away what is selected already.
            (true, false, true) if !found.is_empty() && found.is_subset(&chosen) => {
                chosen.retain(|vertex| !found.contains(vertex));
            }
            (true, false, _) => chosen.extend(found),
            (_, true, _) => chosen.retain(|vertex| !found.contains(vertex)),
            _ => chosen = found,
        }
        vec![Request::Select(
            selection.with_vertices(chosen.into_iter().collect()),
        )]
    }

    fn outcome(&self) -> Option<String> {
        self.said.clone()
    }

    fn threshold(&self) -> f32 {
        0.0
    }

    fn area(&self) -> Option<PixelBox> {
        let [first, last] = self.ends();
        (!self.lasso && !self.is_click()).then(|| PixelBox::of_corners(first, last))
    }

    fn shape(&self, viewport: &Viewport) -> GizmoShape {
        const LINE: GizmoPart = GizmoPart::new(0, Role::View, 0.0);
        let mut shape = GizmoShape::default();
        if self.lasso && !self.is_click() {
            let closed = self.way.iter().chain(self.way.first());
            let before = 2.0 * viewport.camera.near();
            let points = closed.map(|at| viewport.ray(*at).at(before)).collect();
            shape.line(LINE, GizmoStyle::Mark, points);
        }
        shape
    }

    fn hint(&self) -> String {
        "Release to select · Shift adds · Ctrl removes · Esc or right click cancels".into()
    }
}

/// Whether a pixel lies inside of a closed way: a ray to the right crosses it an odd number of times.
fn is_inside(way: &[Vec2], pixel: Vec2) -> bool {
    let ends = way.iter().zip(way.iter().skip(1).chain(way.first()));
    let crosses = |(a, b): &(&Vec2, &Vec2)| {
        (a.y > pixel.y) != (b.y > pixel.y) && pixel.x < a.x + (pixel.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    ends.filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasso_holds_what_it_goes_around() {
        let u_shape = [
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 9.0],
            [6.0, 9.0],
            [6.0, 3.0],
            [3.0, 3.0],
            [3.0, 9.0],
            [0.0, 9.0],
        ]
        .map(Vec2::from);
        let inside = |x: f32, y: f32| is_inside(&u_shape, Vec2::new(x, y));
        assert!(inside(1.0, 8.0) && inside(8.0, 8.0) && inside(4.5, 1.0));
        assert!(!inside(4.5, 5.0) && !inside(-1.0, 1.0) && !inside(10.0, 1.0));
        assert!(!is_inside(&u_shape[..2], Vec2::new(4.0, 0.0)));
    }
}
