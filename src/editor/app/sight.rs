//! What the picture depends on. Run conditions for the systems that bring it about: a frame in which nothing of
//! it changed (the pointer went over a panel) leaves entities and meshes alone.

use crate::edit::pick::PickTarget;
use crate::edit::selection::Selection;
use crate::edit::view::ViewSettings;
use crate::editor::Editor;
use crate::editor::viewport::Panes;
use crate::math::camera::Viewport;
use bevy::prelude::*;

/// What surfaces are made of.
pub struct Content {
    /// How many there were: the latest one is shown.
    evaluations: u64,
    settings: ViewSettings,
    selection: Selection,
    panes: Option<Panes>,
}

impl Content {
    fn of(editor: &Editor) -> Self {
        Self {
            evaluations: editor.evaluations,
            settings: editor.settings.clone(),
            selection: editor.session.selection().clone(),
            panes: editor.viewport.panes,
        }
    }

    fn is_of(&self, editor: &Editor) -> bool {
        self.evaluations == editor.evaluations
            && self.settings == editor.settings
            && self.selection == *editor.session.selection()
            && self.panes == editor.viewport.panes
    }
}

/// What else bones and balls depend on: their size on the screen, and what the pointer is on.
pub struct Sight {
    content: Content,
    view: Viewport,
    over: Option<PickTarget>,
    draws_bones: bool,
}

impl Sight {
    fn of(editor: &Editor) -> Self {
        Self {
            content: Content::of(editor),
            view: editor.viewport.view(),
            over: editor.viewport.over.clone(),
            draws_bones: editor.viewport.tool.chosen().is_some(),
        }
    }

    fn is_of(&self, editor: &Editor) -> bool {
        self.view == editor.viewport.view()
            && self.over == editor.viewport.over
            && self.draws_bones == editor.viewport.tool.chosen().is_some()
            && self.content.is_of(editor)
    }
}

/// Whether surfaces may have to be drawn otherwise than when this was last asked.
pub fn content_changed(editor: Res<Editor>, mut last: Local<Option<Content>>) -> bool {
    let same = last.as_ref().is_some_and(|last| last.is_of(&editor));
    if !same {
        *last = Some(Content::of(&editor));
    }
    !same
}

/// Whether what is drawn over them may have to be, too.
pub fn sight_changed(editor: Res<Editor>, mut last: Local<Option<Sight>>) -> bool {
    let same = last.as_ref().is_some_and(|last| last.is_of(&editor));
    if !same {
        *last = Some(Sight::of(&editor));
    }
    !same
}
