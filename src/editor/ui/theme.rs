//! The look: every colour, size and distance of the window, as named tokens.
//!
//! Dark neutral greys and one accent, which means "selected" in the window and in the viewport alike. No
//! other file defines colours. The contrasts are tested below.

use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Visuals, vec2,
};

/// Surfaces, from the lowest to the highest.
pub const FIELD: Color32 = Color32::from_rgb(0x1b, 0x1c, 0x1e);
pub const BAR: Color32 = Color32::from_rgb(0x20, 0x21, 0x23);
pub const PANEL: Color32 = Color32::from_rgb(0x27, 0x28, 0x2b);
pub const POPUP: Color32 = Color32::from_rgb(0x2d, 0x2e, 0x32);
pub const LINE: Color32 = Color32::from_rgb(0x3c, 0x3e, 0x42);

/// Controls at rest, under the pointer, and pressed.
pub const CONTROL: Color32 = Color32::from_rgb(0x39, 0x3b, 0x40);
pub const CONTROL_HOVER: Color32 = Color32::from_rgb(0x42, 0x44, 0x4a);
pub const CONTROL_PRESSED: Color32 = Color32::from_rgb(0x49, 0x4c, 0x52);
/// The border of controls at rest.
pub const EDGE: Color32 = Color32::from_rgb(0x4e, 0x51, 0x58);

pub const TEXT: Color32 = Color32::from_rgb(0xdc, 0xdd, 0xdf);
pub const TEXT_STRONG: Color32 = Color32::from_rgb(0xf5, 0xf5, 0xf6);
/// Captions and facts.
pub const TEXT_QUIET: Color32 = Color32::from_rgb(0xbb, 0xbd, 0xc2);
/// The alpha of a disabled control, which must stay readable.
pub const DISABLED_ALPHA: f32 = 0.7;

/// The one accent.
pub const ACCENT: Color32 = Color32::from_rgb(0xf2, 0xa3, 0x3c);
/// The background of selected rows, under `TEXT_STRONG`.
pub const ACCENT_FILL: Color32 = Color32::from_rgb(0x64, 0x47, 0x1a);
/// The accent as an icon on `ACCENT_FILL`.
pub const ACCENT_LIGHT: Color32 = Color32::from_rgb(0xff, 0xc8, 0x79);
/// Text on `ACCENT` itself.
pub const ON_ACCENT: Color32 = Color32::from_rgb(0x1e, 0x16, 0x0a);

/// The letters of the axes x, y, z, readable in fields of every state.
pub const AXIS_LETTERS: [Color32; 3] = [
    Color32::from_rgb(0xff, 0xaa, 0xa4),
    Color32::from_rgb(0xa5, 0xdd, 0x7a),
    Color32::from_rgb(0x93, 0xc4, 0xff),
];
/// The axes as lines in the viewport.
pub const AXES: [Color32; 3] = [
    Color32::from_rgb(0xf0, 0x6a, 0x65),
    Color32::from_rgb(0x84, 0xc4, 0x52),
    Color32::from_rgb(0x62, 0xa6, 0xf2),
];
pub const AXIS_NAMES: [&str; 3] = ["x", "y", "z"];

/// The left and the right side of the Compare view: distinguishable with any colour vision.
pub const COMPARED: [Color32; 2] = [
    Color32::from_rgb(0x56, 0xb4, 0xe9),
    Color32::from_rgb(0xf0, 0xe4, 0x42),
];
/// The background of values with a key at the current frame, with keys elsewhere, with muted keys, and with
/// an unkeyed change; under `TEXT_STRONG` and `AXIS_LETTERS`.
pub const KEYED: Color32 = Color32::from_rgb(0x52, 0x46, 0x0a);
pub const ANIMATED: Color32 = Color32::from_rgb(0x26, 0x4c, 0x2b);
pub const MUTED: Color32 = Color32::from_rgb(0x42, 0x45, 0x4a);
pub const HELD: Color32 = Color32::from_rgb(0x67, 0x30, 0x70);
/// Text about unkeyed changes.
pub const HELD_TEXT: Color32 = Color32::from_rgb(0xd9, 0x95, 0xe4);
/// The auto-key switch while it is on; under `TEXT_STRONG`.
pub const AUTO_KEY: Color32 = Color32::from_rgb(0xc6, 0x2f, 0x2a);

pub const INFO: Color32 = Color32::from_rgb(0x8f, 0xc1, 0xd8);
pub const WARNING: Color32 = Color32::from_rgb(0xe6, 0xc8, 0x4e);
pub const ERROR: Color32 = Color32::from_rgb(0xf2, 0x7d, 0x77);

/// The colours of the viewport, in sRGB, without alpha.
pub mod viewport {
    use super::Color32;

    pub const BACKGROUND: Color32 = Color32::from_rgb(0x2b, 0x2d, 0x31);
    pub const FLOOR: Color32 = Color32::from_rgb(0x3f, 0x42, 0x48);
    pub const GRID: Color32 = Color32::from_rgb(0x54, 0x58, 0x5f);
    pub const SURFACE: Color32 = Color32::from_rgb(0xb9, 0xbc, 0xc2);
    pub const CLAY: Color32 = Color32::from_rgb(0xb9, 0x8a, 0x74);
    pub const WIREFRAME: Color32 = Color32::from_rgb(0x1b, 0x1c, 0x1e);
    pub const BONE: Color32 = Color32::from_rgb(0x86, 0x9a, 0xd6);
    /// Bones on the left and on the right.
    pub const BONE_SIDES: [Color32; 2] = [
        Color32::from_rgb(0x62, 0xb4, 0xc8),
        Color32::from_rgb(0xcc, 0x8d, 0xa6),
    ];
    pub const SELECTED: Color32 = super::ACCENT;
    /// Selected parts other than the active one.
    pub const ALSO_SELECTED: Color32 = Color32::from_rgb(0xd2, 0x6e, 0x2a);
    pub const HOVER: Color32 = Color32::from_rgb(0xff, 0xd9, 0x9c);
    pub const HANDLE: Color32 = Color32::from_rgb(0x66, 0xcc, 0x8a);
    /// A disabled handle.
    pub const HANDLE_OFF: Color32 = Color32::from_rgb(0x86, 0x8c, 0x8a);
    /// The point that the elbow or knee of a handle points to.
    pub const POLE: Color32 = Color32::from_rgb(0xc9, 0x8f, 0xe8);
    pub const BASE: Color32 = Color32::from_rgb(0xe4, 0xe4, 0xe6);
    /// Vertices without weights, and vertices whose weights do not add up to 1, in the weights view.
    pub const UNWEIGHTED: Color32 = Color32::from_rgb(0xff, 0x5f, 0xb8);
    pub const OFF_SUM: Color32 = Color32::from_rgb(0x5d, 0x36, 0xb4);
    /// The two bones whose weights are shown at once: distinguishable with any colour vision.
    pub const TWO_BONES: [Color32; 2] = [
        Color32::from_rgb(0xe2, 0x62, 0x0a),
        Color32::from_rgb(0x14, 0x6f, 0xd0),
    ];
    /// Motion paths before and after the current frame, and their keys.
    pub const PATH_BEFORE: Color32 = Color32::from_rgb(0x3d, 0x8f, 0x99);
    pub const PATH_AFTER: Color32 = Color32::from_rgb(0x74, 0xdc, 0xe4);
    pub const PATH_KEY: Color32 = Color32::from_rgb(0xff, 0xf3, 0xc4);
    /// Selected vertices.
    pub const VERTEX: Color32 = super::ACCENT;
    /// Vertices that are not selected, during vertex selection.
    pub const ANY_VERTEX: Color32 = Color32::from_rgb(0xe8, 0xe4, 0xda);
    /// The rim that separates vertices from the skin.
    pub const VERTEX_RIM: Color32 = Color32::from_rgb(0x16, 0x12, 0x0a);
}

/// The dope sheet. Selected keys are in the accent.
pub mod sheet {
    use super::Color32;

    /// The background of frames in the play range, and of the others.
    pub const PLAYED: Color32 = super::BAR;
    pub const UNPLAYED: Color32 = Color32::from_rgb(0x16, 0x17, 0x18);
    pub const GRID: Color32 = Color32::from_rgb(0x2c, 0x2d, 0x30);
    /// The highlight over the row of the selection.
    pub const CHOSEN: Color32 = Color32::from_rgba_premultiplied(0x22, 0x17, 0x08, 0x22);
    pub const KEY: Color32 = Color32::from_rgb(0xbf, 0xc1, 0xc6);
    /// The keys of a muted row.
    pub const KEY_MUTED: Color32 = Color32::from_rgb(0x5c, 0x5f, 0x66);
    pub const KEY_HOVER: Color32 = super::TEXT_STRONG;
    pub const KEY_RIM: Color32 = Color32::from_rgb(0x12, 0x12, 0x13);
    /// The span from the first key of a row to its last.
    pub const SPAN: Color32 = super::CONTROL_HOVER;
    /// The mark of the current frame, and the text on it.
    pub const PLAYHEAD: Color32 = Color32::from_rgb(0x5f, 0xb3, 0xe6);
    pub const ON_PLAYHEAD: Color32 = Color32::from_rgb(0x08, 0x14, 0x1b);
}

/// Distances in points (logical pixels).
pub const GAP: f32 = 6.0;
pub const SMALL_GAP: f32 = 4.0;
/// The height of a row in lists and of a field.
pub const ROW: f32 = 22.0;
/// The height of the tabs and of important buttons.
pub const TALL: f32 = 28.0;
pub const RADIUS: u8 = 4;
/// The indentation per level of a tree.
pub const INDENT: f32 = 13.0;
/// The least widths of the panels on the left and on the right.
pub const LISTS_MIN: f32 = 150.0;
pub const PROPERTIES_MIN: f32 = 272.0;
/// The width of the column of names before fields and facts, the same in all properties.
pub const NAME_WIDTH: f32 = 84.0;

pub const BODY: f32 = 13.0;
pub const SMALL: f32 = 11.5;
pub const HEADING: f32 = 15.0;

/// Installs fonts, style and what counts as a click. Called once per context.
pub fn apply(ctx: &Context) {
    let mut fonts = egui::FontDefinitions::default();
    egui_phosphor::add_to_fonts(&mut fonts, egui_phosphor::Variant::Regular);
    ctx.set_fonts(fonts);
    ctx.set_theme(egui::Theme::Dark);
    // A press that moves nothing is a click, however long it takes: between press and release, a slow machine may
    // draw for a second.
    ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    ctx.all_styles_mut(|style| {
        let blink = style.visuals.text_cursor.blink;
        style.visuals = visuals();
        style.visuals.text_cursor.blink = blink;
        style.text_styles = [
            (TextStyle::Small, FontId::new(SMALL, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(BODY, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(BODY, FontFamily::Proportional)),
            (TextStyle::Heading, FontId::new(HEADING, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace)),
        ]
        .into();
        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(GAP, SMALL_GAP);
        spacing.button_padding = vec2(8.0, 2.0);
        spacing.interact_size = vec2(28.0, ROW);
        spacing.window_margin = Margin::same(14);
        spacing.menu_margin = Margin::same(5);
        spacing.indent = INDENT;
        spacing.tooltip_width = 320.0;
        spacing.scroll = egui::style::ScrollStyle::thin();
        style.interaction.tooltip_delay = 0.6;
        // Each tooltip after a rest of the pointer, also beside one that was open.
        style.interaction.tooltip_grace_time = 0.0;
        // Labels with selectable text swallow clicks meant for the widgets around them.
        style.interaction.selectable_labels = false;
    });
}

/// Returns the text colour and fill of a button that is a switch.
pub fn switch(checked: bool) -> (Color32, Color32) {
    match checked {
        true => (TEXT_STRONG, ACCENT_FILL),
        false => (TEXT, CONTROL),
    }
}

/// Returns the text colour of a widget that is dimmed unless the pointer is over it.
pub fn hover_ink(hovered: bool) -> Color32 {
    if hovered { TEXT_STRONG } else { TEXT_QUIET }
}

fn visuals() -> Visuals {
    let mut v = Visuals::dark();
    v.panel_fill = PANEL;
    v.window_fill = POPUP;
    v.window_stroke = Stroke::new(1.0, LINE);
    v.window_corner_radius = CornerRadius::same(RADIUS + 4);
    v.menu_corner_radius = CornerRadius::same(RADIUS + 2);
    v.window_shadow = shadow(16);
    v.popup_shadow = shadow(10);
    v.extreme_bg_color = FIELD;
    v.text_edit_bg_color = Some(FIELD);
    v.faint_bg_color = BAR;
    v.code_bg_color = FIELD;
    v.hyperlink_color = ACCENT;
    v.warn_fg_color = WARNING;
    v.error_fg_color = ERROR;
    v.weak_text_color = Some(TEXT_QUIET);
    v.disabled_alpha = DISABLED_ALPHA;
    v.selection.bg_fill = ACCENT_FILL;
    v.selection.stroke = Stroke::new(1.0, TEXT_STRONG);
    v.slider_trailing_fill = true;
    v.indent_has_left_vline = false;
    let states = [
        (&mut v.widgets.noninteractive, PANEL, LINE, TEXT),
        (&mut v.widgets.inactive, CONTROL, EDGE, TEXT),
        (
            &mut v.widgets.hovered,
            CONTROL_HOVER,
            CONTROL_PRESSED,
            TEXT_STRONG,
        ),
        (&mut v.widgets.active, CONTROL_PRESSED, ACCENT, TEXT_STRONG),
        (&mut v.widgets.open, CONTROL_HOVER, CONTROL_HOVER, TEXT_STRONG),
    ];
    for (state, fill, border, text) in states {
        state.bg_fill = fill;
        state.weak_bg_fill = fill;
        state.bg_stroke = Stroke::new(1.0, border);
        state.fg_stroke = Stroke::new(1.0, text);
        state.corner_radius = CornerRadius::same(RADIUS);
        state.expansion = 0.0;
    }
    v
}

/// Makes widgets as dark as number fields; buttons, in contrast, stand out.
pub fn look_like_field(visuals: &mut Visuals) {
    let widgets = &mut visuals.widgets;
    (widgets.inactive.weak_bg_fill, widgets.inactive.bg_fill) = (FIELD, FIELD);
    widgets.hovered.weak_bg_fill = CONTROL;
}

fn shadow(blur: u8) -> Shadow {
    Shadow {
        offset: [0, (blur / 3) as i8],
        blur,
        spread: 0,
        color: Color32::from_black_alpha(110),
    }
}

#[cfg(test)]
/// Relative luminance as in WCAG 2.2.
fn luminance(color: Color32) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

#[cfg(test)]
/// The contrast ratio as in WCAG 2.2.
pub(super) fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faded(color: Color32, behind: Color32) -> Color32 {
        let mix = |a: u8, b: u8| {
            (f32::from(a) * DISABLED_ALPHA + f32::from(b) * (1.0 - DISABLED_ALPHA)).round() as u8
        };
        Color32::from_rgb(
            mix(color.r(), behind.r()),
            mix(color.g(), behind.g()),
            mix(color.b(), behind.b()),
        )
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
    const TEXTS: &[(Color32, &[Color32])] = &[
        (TEXT, &[FIELD, BAR, PANEL, POPUP, CONTROL]),
        (
            TEXT_STRONG,
            &[CONTROL_HOVER, CONTROL_PRESSED, ACCENT_FILL, AUTO_KEY],
        ),
        (
            TEXT_QUIET,
            &[FIELD, BAR, PANEL, POPUP, CONTROL, CONTROL_HOVER, CONTROL_PRESSED],
        ),
        (ON_ACCENT, &[ACCENT]),
        (ACCENT, &[PANEL, POPUP]),
        (AXIS_LETTERS[0], &[PANEL, ACCENT_FILL]),
        (AXIS_LETTERS[1], &[PANEL, ACCENT_FILL]),
        (AXIS_LETTERS[2], &[PANEL, ACCENT_FILL]),
        (INFO, &[BAR, POPUP]),
        (WARNING, &[BAR, PANEL, POPUP]),
        (ERROR, &[FIELD, BAR, POPUP]),
        (HELD_TEXT, &[POPUP]),
        (sheet::ON_PLAYHEAD, &[sheet::PLAYHEAD]),
    ];

    #[test]
    fn text_is_readable_on_every_surface() {
        for (ink, surfaces) in TEXTS {
            for surface in *surfaces {
                let contrast = contrast(*ink, *surface);
                assert!(contrast >= 4.5, "{ink:?} on {surface:?}: {contrast:.2}");
            }
        }
        for surface in [FIELD, BAR, PANEL, POPUP, CONTROL] {
            let contrast = contrast(faded(TEXT, surface), surface);
            assert!(contrast >= 4.5, "disabled text on {surface:?}: {contrast:.2}");
        }
    }

    /// Buttons, checkboxes and menus in each of their states.
    #[test]
    fn controls_are_readable_in_every_state() {
        let visuals = visuals();
        let states = &visuals.widgets;
        let quiet = visuals.weak_text_color.expect("the theme has one");
        for state in [
            &states.noninteractive,
            &states.inactive,
            &states.hovered,
            &states.active,
            &states.open,
        ] {
            for ink in [state.fg_stroke.color, quiet] {
                let contrast = contrast(ink, state.weak_bg_fill);
                assert!(
                    contrast >= 4.5,
                    "{ink:?} on {:?}: {contrast:.2}",
                    state.weak_bg_fill
                );
            }
        }
        let selected = contrast(visuals.selection.stroke.color, visuals.selection.bg_fill);
        assert!(selected >= 4.5, "{selected:.2}");
    }

    #[test]
    fn colours_with_a_meaning_are_visible() {
        for axis in AXES {
            assert!(contrast(axis, viewport::BACKGROUND) >= 3.0);
        }
        for side in COMPARED {
            assert!(contrast(side, FIELD) >= 4.5 && contrast(side, PANEL) >= 4.5);
        }
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
        for ground in [sheet::PLAYED, sheet::UNPLAYED] {
            for mark in [sheet::KEY, sheet::PLAYHEAD, ACCENT] {
                assert!(contrast(mark, ground) >= 4.5, "{mark:?} on {ground:?}");
            }
        }
        assert!(contrast(ACCENT, sheet::KEY) >= 1.1 && sheet::KEY.r() < sheet::KEY_HOVER.r());
    }

    #[test]
    fn applies_to_a_context() {
        let ctx = Context::default();
        apply(&ctx);
        assert_eq!(ctx.global_style().visuals.panel_fill, PANEL);
    }
}
