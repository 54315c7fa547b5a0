//! A person at the application: looks at the picture, finds widgets by name, clicks, drags, types.

use bevy_egui::egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect};
use glam::{DVec3, Vec2, Vec3};
use ossature::edit::journal::store::Store;
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::time::motion_paths::MotionPaths;
use ossature::edit::tool::Context;
use ossature::edit::tool::gizmo::GizmoShape;
use ossature::editor::app::editor::Editor;
use ossature::editor::app::memory::Memory;
use ossature::editor::panels::PanelsState;
use ossature::editor::state::{Panels, Shown};
use ossature::editor::viewport::motion_paths::Paths;
use ossature::editor::{Offscreen, Picture, Start, adapter_available, embedded_human};
use ossature::io::js3d;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::Scene;
use ossature::scene::evaluate::Posed;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The skinned mesh and the instance of the human.
pub const MESH: &str = "Human_skinned_mesh";
pub const INSTANCE: &str = "Human_instance";
/// Bones of the human, whose file has no names for them.
pub const LEFT_UPPER_ARM: usize = 7;
pub const LEFT_FOREARM: usize = 8;
pub const RIGHT_UPPER_ARM: usize = 21;

pub const CTRL: Modifiers = Modifiers { command: true, ..Modifiers::CTRL };
pub const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..CTRL };

/// Two applications at a time: each keeps a core busy, and a software driver sometimes another one.
static TURNS: [Mutex<()>; 2] = [const { Mutex::new(()) }; 2];
static TURNS_TAKEN: AtomicUsize = AtomicUsize::new(0);

/// A turn at the processor, for a test that draws.
pub struct Turn(MutexGuard<'static, ()>);

impl Turn {
    /// Waits for a turn; returns `None`, with a note on the error stream, where nothing can be drawn.
    pub fn take() -> Option<Self> {
        let turn = &TURNS[TURNS_TAKEN.fetch_add(1, Ordering::Relaxed) % TURNS.len()];
        let turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        if !adapter_available() {
            // Bypass the harness, which captures the output of passing tests.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: a test of the whole application, because there is no graphics adapter"
            );
            return None;
        }
        Some(Self(turn))
    }
}

pub struct Person {
    pub app: Offscreen,
    size: [u32; 2],
    _turn: Option<MutexGuard<'static, ()>>,
}

impl Person {
    /// Opens the application on the human; returns `None`, with a note, where nothing can be drawn.
    pub fn with_human() -> Option<Self> {
        let (scene, _) = embedded_human().expect("the human can be read");
        Self::with_scene(960, 640, scene)
    }

    pub fn with_scene(width: u32, height: u32, scene: Scene) -> Option<Self> {
        let Turn(turn) = Turn::take()?;
        let start = Start::with_scene(scene, None);
        Some(Self::at([width, height], start, Some(turn)))
    }

    /// Opens it on the human, with journals in the folder.
    pub fn with_journal(folder: &Path) -> Option<Self> {
        let Turn(turn) = Turn::take()?;
        Some(Self::journaled(folder, Some(turn)))
    }

    /// Opens it on the human, with a file of preferences.
    pub fn remembering(preferences: &Path) -> Option<Self> {
        let Turn(turn) = Turn::take()?;
        let (scene, _) = embedded_human().expect("the human can be read");
        let mut start = Start::with_scene(scene, None);
        start.memory = Some(Memory::read(preferences.to_owned()));
        Some(Self::at([960, 640], start, Some(turn)))
    }

    /// Opens another window next to this one, with journals in the folder.
    pub fn beside(&self, folder: &Path) -> Self {
        Self::journaled(folder, None)
    }

    fn journaled(folder: &Path, turn: Option<MutexGuard<'static, ()>>) -> Self {
        let (scene, _) = embedded_human().expect("the human can be read");
        let mut start = Start::with_scene(scene, None);
        start.journals = Some(Store::new(folder));
        Self::at([960, 640], start, turn)
    }

    fn at(size: [u32; 2], start: Start, turn: Option<MutexGuard<'static, ()>>) -> Self {
        let mut person = Self { app: Offscreen::new(size[0], size[1], 1.0, start), size, _turn: turn };
        person.app.frames(8);
        person
    }

    /// Opens another application with the same scene and view settings.
    pub fn opened_anew(&mut self) -> Self {
        let mut start = Start::with_scene(self.scene(), None);
        start.settings = self.editor().settings.0.clone();
        start.session.select(self.selection());
        start.session.set_frame(self.editor().session.frame());
        let mut anew = Self::at(self.size, start, None);
        anew.editor().viewport.camera = self.editor().viewport.camera;
        anew.app.frames(2);
        anew
    }

    // --- state

    pub fn editor(&mut self) -> Editor<'_> {
        self.app.editor()
    }

    pub fn shown(&mut self) -> &Shown {
        self.app.world().resource()
    }

    pub fn panels(&mut self) -> &PanelsState {
        self.app.world().resource::<Panels>()
    }

    pub fn paths(&mut self) -> &Paths {
        self.app.world().resource()
    }

    pub fn scene(&mut self) -> Scene {
        self.editor().session.scene().clone()
    }

    /// Returns the document as a file.
    pub fn bytes(&mut self) -> Vec<u8> {
        js3d::write(self.editor().session.scene()).expect("the scene can be written")
    }

    pub fn skeleton(&mut self) -> Arc<Skeleton> {
        self.editor().session.scene().skinned_meshes[MESH].skeleton.clone()
    }

    /// Returns the character as shown.
    pub fn posed(&mut self) -> Arc<Posed> {
        self.shown().evaluated.skinned[MESH].clone()
    }

    pub fn selection(&mut self) -> Selection {
        self.editor().session.selection().clone()
    }

    pub fn part(&mut self) -> Option<Part> {
        self.selection().part
    }

    /// Returns the names of the steps that can be undone, oldest first.
    pub fn steps(&mut self) -> Vec<String> {
        let mut steps: Vec<_> = self.editor().session.undo_list().map(String::from).collect();
        steps.reverse();
        steps
    }

    /// Returns the distance from the tip that a handle pulls to its target, as shown.
    pub fn tip_to_target(&mut self, handle: usize) -> f64 {
        self.tip_of(handle).distance(self.posed().skeleton.handles[handle].target.as_dvec3())
    }

    /// Returns the tip that a handle pulls, as shown.
    pub fn tip_of(&mut self, handle: usize) -> DVec3 {
        let posed = self.posed();
        let bone = posed.skeleton.handles[handle].bone as usize;
        posed.current[bone].transform_point3(posed.skeleton.bones[bone].extent.as_dvec3())
    }

    /// Returns the summaries of all messages so far.
    pub fn messages(&mut self) -> Vec<String> {
        let messages = self.panels().messages.all();
        messages.map(|message| message.summary.clone()).collect()
    }

    pub fn sees(&mut self, label: &str) -> bool {
        self.app.widget(label).is_some()
    }

    pub fn sees_text(&mut self, part: &str) -> bool {
        self.app.widgets().iter().any(|w| w.label.contains(part))
    }

    pub fn rect(&mut self, label: &str) -> Rect {
        let widgets = self.app.widgets();
        match widgets.iter().find(|w| w.label == label) {
            Some(widget) => widget.rect,
            None => {
                let there: Vec<_> = widgets.iter().map(|w| w.label.as_str()).collect();
                panic!("there is no “{label}” in {there:?}")
            }
        }
    }

    pub fn viewport(&mut self) -> Rect {
        self.rect("Viewport")
    }

    // --- positions in the window

    /// Returns the window position of a point of the world.
    pub fn shows(&mut self, world: Vec3) -> (f32, f32) {
        let corner = self.editor().viewport.origin();
        let shown = self.editor().viewport.view().project(world);
        let pixel = shown.expect("it is before the camera").pixel;
        (corner.x + pixel.x, corner.y + pixel.y)
    }

    pub fn middle_of_bone(&mut self, bone: usize) -> (f32, f32) {
        let editor = self.editor();
        let view = editor.view();
        let stage = ActiveRig::from_view(&view).expect("a skeleton is shown");
        let [start, tip] =
            [stage.bone_start(bone), stage.bone_tip(bone)].map(|p| p.expect("the bone is there"));
        self.shows(start.midpoint(tip))
    }

    pub fn tail_of_bone(&mut self, bone: usize) -> (f32, f32) {
        let editor = self.editor();
        let view = editor.view();
        let stage = ActiveRig::from_view(&view).expect("a skeleton is shown");
        let tail = stage.bone_tip(bone).expect("the bone is there");
        self.shows(tail)
    }

    pub fn ball_of_handle(&mut self, handle: usize) -> (f32, f32) {
        let target = self.skeleton().handles[handle].target;
        self.shows(target)
    }

    /// Returns the gizmo of the selection.
    pub fn gizmo_shape(&mut self) -> GizmoShape {
        let editor = self.editor();
        let (view, viewport) = (editor.view(), editor.viewport.view());
        let paths = MotionPaths::default();
        let context = Context { view: &view, viewport: &viewport, paths: &paths };
        let mut all = GizmoShape::default();
        for (shape, _) in editor.viewport.tool.shapes(&context) {
            all.lines.extend(shape.lines);
            all.faces.extend(shape.faces);
        }
        all
    }

    // --- actions

    pub fn click(&mut self, label: &str) {
        let at = self.rect(label).center();
        self.app.click(at.x, at.y);
    }

    pub fn click_at(&mut self, (x, y): (f32, f32)) {
        self.app.click(x, y);
    }

    /// Scrolls the lists until the row is in sight, and clicks it.
    pub fn click_row(&mut self, label: &str) {
        // The list with this row.
        let [first, last] = match label.starts_with("Bone ") || label.starts_with("Handle ") {
            true if self.sees("Poses section") => ["Filter bones", "Poses section"],
            true => ["Filter bones", "Resources section"],
            false => ["Skinned meshes section", "Bones section"],
        };
        for _ in 0..60 {
            let row = self.rect_at_rest(label);
            let (top, bottom) = (self.rect(first).bottom(), self.rect(last).top());
            let below = row.bottom() > bottom;
            if row.top() >= top - 0.5 && !below {
                // Near its right end: a place further left may be the fold button.
                return self.app.click(row.right() - 6.0, row.center().y);
            }
            self.app.point_at(row.center().x, (top + bottom) / 2.0);
            self.app.wheel(if below { -1.0 } else { 1.0 });
        }
        panic!("“{label}” cannot be scrolled to");
    }

    /// Returns its rectangle once it stops moving: lists scroll smoothly to where the wheel or a new
    /// selection sends them.
    fn rect_at_rest(&mut self, label: &str) -> Rect {
        let mut before = self.rect(label);
        for _ in 0..30 {
            self.app.frames(2);
            let now = self.rect(label);
            if std::mem::replace(&mut before, now) == now {
                break;
            }
        }
        before
    }

    /// Drags a slider or a number from its middle to the right (or left).
    pub fn drag_widget(&mut self, label: &str, points: f32) {
        let at = self.rect(label).center();
        self.app.drag((at.x, at.y), (at.x + points, at.y), 3);
    }

    pub fn key(&mut self, key: Key) {
        self.app.key(key, Modifiers::NONE);
    }

    /// Makes a step: rolls the left upper arm.
    pub fn turn_an_arm(&mut self) {
        self.click_row("Bone upper_arm.L");
        self.drag_widget("Roll slider", 10.0);
    }

    /// Saves: checks that cancelling the question changes nothing, and that overwriting saves.
    pub fn asks_before_it_saves(&mut self, question: &str, path: &Path) {
        let there = std::fs::read(path).expect("it is there");
        self.app.key(Key::S, CTRL);
        assert!(self.sees(question));
        self.click("Cancel");
        assert!(std::fs::read(path).expect("it is there") == there);
        self.app.key(Key::S, CTRL);
        self.click("Overwrite");
        self.app.frames(3);
        assert!(std::fs::read(path).expect("it is there") == self.bytes());
    }

    pub fn release(&mut self) {
        self.app.button(PointerButton::Primary, false);
        self.app.frames(2);
    }

    /// Moves the pointer and runs just one frame.
    pub fn move_in_one_frame(&mut self, (x, y): (f32, f32)) {
        self.app.event(Event::PointerMoved(Pos2::new(x, y)));
    }

    /// Selects a bone in the viewport and gives it a handle.
    pub fn add_ik(&mut self, bone: usize) {
        let at = self.middle_of_bone(bone);
        self.click_at(at);
        assert_eq!(self.part(), Some(Part::Bone(bone)));
        self.click("Add IK");
        if self.sees("Whole clip") {
            self.click("Whole clip");
            self.key(Key::Enter);
        }
        let handle = self.skeleton().handles.len() - 1;
        assert_eq!(self.part(), Some(Part::Handle(handle)));
    }

    /// Returns the picture at rest, with the pointer in a corner where there is nothing to highlight.
    pub fn picture(&mut self) -> Shot {
        let corner = self.viewport().max - bevy_egui::egui::vec2(4.0, 4.0);
        self.app.point_at(corner.x, corner.y);
        self.app.frames(6);
        self.picture_now()
    }

    pub fn picture_now(&mut self) -> Shot {
        Shot(self.app.picture().expect("the picture comes back"))
    }
}

/// A picture that was taken, with one pixel per point.
#[derive(Clone, PartialEq)]
pub struct Shot(Picture);

impl Shot {
    pub fn at(&self, x: u32, y: u32) -> [u8; 4] {
        let i = 4 * (y * self.0.width + x) as usize;
        [0, 1, 2, 3].map(|c| self.0.rgba[i + c])
    }

    /// Returns the pixels within `area`.
    pub fn pixels(&self, area: Rect) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (x0, y0) = (area.left().max(0.0).ceil() as u32, area.top().max(0.0).ceil() as u32);
        let x1 = (area.right().max(0.0) as u32).min(self.0.width);
        let y1 = (area.bottom().max(0.0) as u32).min(self.0.height);
        (y0..y1).flat_map(move |y| (x0..x1).map(move |x| (x, y)))
    }

    /// Returns the pixels within `area` that differ.
    pub fn changed(&self, other: &Shot, area: Rect) -> Vec<Vec2> {
        self.changed_by(0, other, area)
    }

    /// Returns the pixels within `area` with a channel that differs by more than `levels`.
    pub fn changed_by(&self, levels: u8, other: &Shot, area: Rect) -> Vec<Vec2> {
        let apart = |a: [u8; 4], b: [u8; 4]| (0..4).any(|c| a[c].abs_diff(b[c]) > levels);
        self.pixels(area)
            .filter(|&(x, y)| apart(self.at(x, y), other.at(x, y)))
            .map(|(x, y)| Vec2::new(x as f32, y as f32))
            .collect()
    }

    /// Saves the picture for debugging.
    #[allow(dead_code, reason = "used while a test is written")]
    pub fn save(&self, path: &str) {
        let image = image::RgbaImage::from_raw(self.0.width, self.0.height, self.0.rgba.clone());
        image.expect("a whole picture").save(path).expect("a place to save to");
    }
}

/// Returns the smallest rectangle around window points.
pub fn around(points: impl IntoIterator<Item = (f32, f32)>) -> Rect {
    let mut rect = Rect::NOTHING;
    for (x, y) in points {
        rect.extend_with(Pos2::new(x, y));
    }
    rect
}
