//! The names of bones, beside them in the view.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::selection::Part;
use crate::edit::settings::view::View;
use crate::editor::ui::list::shorten;
use crate::editor::ui::theme;
use crate::math::camera::Viewport;
use egui::{Color32, FontId, Painter, Rect, vec2};

/// Bones that are shorter than this on the screen, in points, have names only if they are selected.
const SHORTEST: f32 = 14.0;
/// The distance of a name from the middle of its bone, in points.
const OFFSET: f32 = 8.0;

/// Draws the names of the active skeleton's bones in `pane`, which shows `viewport`. Names do not overlap: those
/// of selected bones come first, then those of longer bones.
pub fn bone_names_ui(painter: &Painter, view: &View, viewport: &Viewport, pane: Rect) {
    let settings = view.settings;
    let rig =
        ActiveRig::from_view(view).filter(|_| settings.display.show_names && settings.display.show_bones);
    let Some(rig) = rig else { return };
    let painter = painter.with_clip_rect(pane.intersect(painter.clip_rect()));
    let selection = view.session.selection();
    let rank = |bone: usize| match Part::Bone(bone) {
        part if selection.part == Some(part) => 2,
        part => u8::from(selection.is_selected(part)),
    };
    let shown = rig.drawn_bones().filter_map(|bone| {
        let project = |point| viewport.project(point).map(|shown| shown.pixel);
        let (head, tail) = (project(rig.bone_start(bone)?)?, project(rig.bone_tip(bone)?)?);
        let (rank, length) = (rank(bone), head.distance(tail));
        let middle = head.midpoint(tail);
        let middle = pane.min + vec2(middle.x, middle.y);
        (pane.contains(middle) && (rank > 0 || length >= SHORTEST)).then_some((bone, rank, length, middle))
    });
    let mut shown: Vec<_> = shown.collect();
    shown.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)));
    let mut taken: Vec<Rect> = Vec::new();
    for (bone, rank, _, middle) in shown {
        let ink = match rank {
            2 => theme::viewport::rgb(view.settings.options.view_colors().selected),
            _ => theme::viewport::SIGN,
        };
        let name = shorten(&rig.skeleton.bone_name(bone));
        let text = painter.layout_no_wrap(name, FontId::proportional(theme::SMALL), ink);
        let place = middle + vec2(OFFSET, -0.5 * text.size().y);
        let area = Rect::from_min_size(place, text.size()).expand2(vec2(3.0, 1.0));
        if taken.iter().any(|other| other.intersects(area)) {
            continue;
        }
        painter.rect_filled(area, theme::RADIUS, Color32::from_black_alpha(200));
        painter.galley(place, text, ink);
        taken.push(area);
    }
}
