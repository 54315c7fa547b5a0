//! Whether the colours are readable and visible.

use super::*;

fn faded(color: Color32, behind: Color32) -> Color32 {
    let mix =
        |a: u8, b: u8| (f32::from(a) * DISABLED_ALPHA + f32::from(b) * (1.0 - DISABLED_ALPHA)).round() as u8;
    Color32::from_rgb(mix(color.r(), behind.r()), mix(color.g(), behind.g()), mix(color.b(), behind.b()))
}

#[test]
fn contrast_of_known_pairs() {
    assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 1e-9);
    // #767676 on white is the well-known grey at the limit of 4.5.
    assert!((contrast(Color32::from_gray(0x76), Color32::WHITE) - 4.54).abs() < 0.01);
}

/// The colours of text and the surfaces under them. The contrast of each pair is at least 4.5 (WCAG 2.2,
/// AA). Colours that depend on the state of a field or a row are in `keyed::field_style` and
/// `list::colors`.
const TEXTS: &[(Token, &[Token])] = &[
    (TEXT, &[FIELD, BAR, PANEL, POPUP, CONTROL]),
    (TEXT_STRONG, &[CONTROL_HOVER, CONTROL_PRESSED, ACCENT_FILL, AUTO_KEY]),
    (TEXT_QUIET, &[FIELD, BAR, PANEL, POPUP, CONTROL, CONTROL_HOVER, CONTROL_PRESSED]),
    (ON_ACCENT, &[ACCENT]),
    (ACCENT, &[PANEL, POPUP]),
    (AXIS_LETTERS[0], &[PANEL, ACCENT_FILL, sheet::PLAYED, sheet::UNPLAYED]),
    (AXIS_LETTERS[1], &[PANEL, ACCENT_FILL, sheet::PLAYED, sheet::UNPLAYED]),
    (AXIS_LETTERS[2], &[PANEL, ACCENT_FILL, sheet::PLAYED, sheet::UNPLAYED]),
    (INFO, &[BAR, POPUP]),
    (WARNING, &[BAR, PANEL, POPUP]),
    (ERROR, &[FIELD, BAR, POPUP]),
    (HELD_TEXT, &[POPUP]),
    (sheet::ON_PLAYHEAD, &[sheet::PLAYHEAD]),
];

#[test]
fn text_is_readable_on_every_surface() {
    in_each_theme(|| {
        for (ink, surfaces) in TEXTS {
            for surface in *surfaces {
                let contrast = contrast(**ink, **surface);
                let theme = CURRENT.get();
                assert!(contrast >= 4.5, "{theme:?}: {ink:?} on {surface:?}: {contrast:.2}");
            }
        }
        for surface in [FIELD, BAR, PANEL, POPUP, CONTROL] {
            let contrast = contrast(faded(*TEXT, *surface), *surface);
            assert!(contrast >= 4.5, "disabled text on {surface:?}: {contrast:.2}");
        }
    });
}

/// Buttons, checkboxes and menus in each of their states.
#[test]
fn controls_are_readable_in_every_state() {
    in_each_theme(|| {
        let visuals = visuals();
        let states = &visuals.widgets;
        let quiet = visuals.weak_text_color.expect("the theme has one");
        for state in [&states.noninteractive, &states.inactive, &states.hovered, &states.active, &states.open]
        {
            for ink in [state.fg_stroke.color, quiet] {
                let contrast = contrast(ink, state.weak_bg_fill);
                assert!(contrast >= 4.5, "{ink:?} on {:?}: {contrast:.2}", state.weak_bg_fill);
            }
        }
        let selected = contrast(visuals.selection.stroke.color, visuals.selection.bg_fill);
        assert!(selected >= 4.5, "{selected:.2}");
    });
}

#[test]
fn colours_with_a_meaning_are_visible() {
    for axis in AXES {
        assert!(contrast(axis, viewport::BACKGROUND) >= 3.0);
    }
    in_each_theme(|| {
        for side in COMPARED {
            assert!(contrast(*side, *FIELD) >= 4.5 && contrast(*side, *PANEL) >= 4.5);
        }
    });
    for mark in [
        viewport::BONE,
        viewport::BONE_SIDES[0],
        viewport::BONE_SIDES[1],
        viewport::SELECTED,
        viewport::ALSO_SELECTED,
        viewport::HANDLE,
        viewport::POLE,
        viewport::BASE,
        viewport::HOVER,
    ] {
        assert!(contrast(mark, viewport::BACKGROUND) >= 3.0, "{mark:?}");
    }
}

#[test]
fn keys_and_playhead_are_visible_on_the_sheet() {
    in_each_theme(|| {
        for ground in [sheet::PLAYED, sheet::UNPLAYED] {
            for mark in [sheet::KEY, sheet::PLAYHEAD, ACCENT] {
                assert!(contrast(*mark, *ground) >= 4.5, "{mark:?} on {ground:?}");
            }
        }
        let prominence = |mark: Token| contrast(*mark, *sheet::PLAYED);
        assert!(contrast(*ACCENT, *sheet::KEY) >= 1.1);
        assert!(prominence(sheet::KEY) < prominence(sheet::KEY_HOVER));
    });
}

#[test]
fn applies_to_a_context() {
    let ctx = Context::default();
    apply(&ctx);
    in_each_theme(|| {
        set_theme(&ctx, CURRENT.get());
        assert_eq!(ctx.global_style().visuals.panel_fill, *PANEL);
    });
}

/// The marks of the view are visible on its background in each theme.
#[test]
fn the_view_is_readable_in_each_theme() {
    for theme in [Theme::Dark, Theme::Light] {
        let colors = theme.view_colors();
        let ground = viewport::rgb(colors.background);
        let bones = [colors.bones, colors.left_bones, colors.right_bones];
        let chosen = bones.into_iter().chain([colors.selected, colors.also_selected]);
        for mark in chosen.map(viewport::rgb) {
            assert!(contrast(mark, ground) >= 3.0, "{theme:?} {mark:?}");
        }
        let inks = [viewport::SIGN, viewport::HOVER, viewport::WARNING].into_iter();
        for ink in inks.chain(AXES).map(|ink| viewport::mark(ink, &colors)) {
            assert!(contrast(ink, ground) >= 3.0, "{theme:?} {ink:?}");
        }
        // The grid is quiet, but there.
        let grid = contrast(viewport::rgb(colors.grid), ground);
        assert!((1.3..3.0).contains(&grid), "{theme:?}: {grid}");
        assert_eq!(colors.is_light(), theme == Theme::Light);
    }
}
