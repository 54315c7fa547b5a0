//! The look: every colour, size and distance of the window, as named tokens.
//!
//! Neutral greys and one accent, which means "selected" in the window and in the viewport alike. Colours of the
//! window are [`Token`]s, which have a value in each theme; those of the viewport do not depend on the theme. No
//! other file defines colours. The contrasts are tested below.

use crate::edit::settings::options::Theme;
use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, TextStyle, Visuals, vec2,
};
use std::cell::Cell;
use std::ops::Deref;

/// A colour of the window: dereferences to its value in the theme of this thread's window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token {
    dark: Color32,
    light: Color32,
}

thread_local! {
    /// The theme of the panels, which are drawn on one thread; several windows may be drawn on several.
    static CURRENT: Cell<Theme> = const { Cell::new(Theme::Dark) };
}

impl Deref for Token {
    type Target = Color32;

    fn deref(&self) -> &Color32 {
        match CURRENT.get() {
            Theme::Dark => &self.dark,
            Theme::Light => &self.light,
        }
    }
}

impl From<Token> for Color32 {
    fn from(token: Token) -> Self {
        *token
    }
}

/// Returns the token with these values, as 0xRRGGBB in sRGB.
const fn token(dark: u32, light: u32) -> Token {
    const fn color(rgb: u32) -> Color32 {
        let [_, r, g, b] = rgb.to_be_bytes();
        Color32::from_rgb(r, g, b)
    }
    Token { dark: color(dark), light: color(light) }
}

/// Surfaces, from the lowest to the highest.
pub const FIELD: Token = token(0x1b1c1e, 0xffffff);
pub const BAR: Token = token(0x202123, 0xe4e5e8);
pub const PANEL: Token = token(0x27282b, 0xf0f0f2);
pub const POPUP: Token = token(0x2d2e32, 0xfafafb);
pub const LINE: Token = token(0x3c3e42, 0xc8cacf);

/// Controls at rest, under the pointer, and pressed.
pub const CONTROL: Token = token(0x393b40, 0xdddfe3);
pub const CONTROL_HOVER: Token = token(0x42444a, 0xd0d3d9);
pub const CONTROL_PRESSED: Token = token(0x494c52, 0xc4c8cf);
/// The border of controls at rest.
pub const EDGE: Token = token(0x4e5158, 0xa9adb6);

pub const TEXT: Token = token(0xdcdddf, 0x26282c);
pub const TEXT_STRONG: Token = token(0xf5f5f6, 0x0c0d0f);
/// Captions and facts.
pub const TEXT_QUIET: Token = token(0xbbbdc2, 0x4d5158);
/// The alpha of a disabled control, which must stay readable.
pub const DISABLED_ALPHA: f32 = 0.7;

/// The one accent.
pub const ACCENT: Token = token(0xf2a33c, 0x9a5200);
/// The background of selected rows, under `TEXT_STRONG`.
pub const ACCENT_FILL: Token = token(0x64471a, 0xffd9a0);
/// The accent as an icon on `ACCENT_FILL`.
pub const ACCENT_LIGHT: Token = token(0xffc879, 0x7a3f00);
/// Text on `ACCENT` itself.
pub const ON_ACCENT: Token = token(0x1e160a, 0xffffff);

/// The letters of the axes x, y, z, readable in fields of every state.
pub const AXIS_LETTERS: [Token; 3] =
    [token(0xffaaa4, 0xa5171b), token(0xa5dd7a, 0x1c5f10), token(0x93c4ff, 0x0f4fa8)];
/// The axes as lines in the viewport.
pub const AXES: [Color32; 3] = [
    Color32::from_rgb(0xf0, 0x6a, 0x65),
    Color32::from_rgb(0x84, 0xc4, 0x52),
    Color32::from_rgb(0x62, 0xa6, 0xf2),
];
pub const AXIS_NAMES: [&str; 3] = ["x", "y", "z"];

/// The left and the right side of the Compare view: distinguishable with any colour vision.
pub const COMPARED: [Token; 2] = [token(0x56b4e9, 0x0b6aa8), token(0xf0e442, 0x8a5a00)];
/// The background of values with a key at the current frame, with keys elsewhere, with muted keys, and with
/// an unkeyed change; under `TEXT_STRONG` and `AXIS_LETTERS`.
pub const KEYED: Token = token(0x52460a, 0xffe98a);
pub const ANIMATED: Token = token(0x264c2b, 0xc4e8c0);
pub const MUTED: Token = token(0x42454a, 0xd3d6db);
pub const HELD: Token = token(0x673070, 0xecc8f2);
/// Text about unkeyed changes.
pub const HELD_TEXT: Token = token(0xd995e4, 0x7d2f8c);
/// The auto-key switch while it is on; under `TEXT_STRONG`.
pub const AUTO_KEY: Token = token(0xc62f2a, 0xf0736c);

pub const INFO: Token = token(0x8fc1d8, 0x1f5f78);
pub const WARNING: Token = token(0xe6c84e, 0x7a5200);
pub const ERROR: Token = token(0xf27d77, 0xb3201b);

/// The colours of the viewport, in sRGB, without alpha. Those of [`ViewColors`] are the defaults.
pub mod viewport {
    use super::Color32;
    use crate::edit::settings::view_colors::{Rgb, ViewColors};

    pub const fn rgb([r, g, b]: Rgb) -> Color32 {
        Color32::from_rgb(r, g, b)
    }

    /// Returns a colour that was chosen for a dark background as it is on that of the view.
    pub fn mark(ink: Color32, colors: &ViewColors) -> Color32 {
        match colors.is_light() {
            true => ink.lerp_to_gamma(Color32::BLACK, 0.5),
            false => ink,
        }
    }

    pub const BACKGROUND: Color32 = rgb(ViewColors::DEFAULT.background);
    pub const FLOOR: Color32 = rgb(ViewColors::DEFAULT.floor);
    pub const GRID: Color32 = rgb(ViewColors::DEFAULT.grid);
    pub const SURFACE: Color32 = Color32::from_rgb(0xb9, 0xbc, 0xc2);
    pub const CLAY: Color32 = Color32::from_rgb(0xb9, 0x8a, 0x74);
    pub const WIREFRAME: Color32 = Color32::from_rgb(0x1b, 0x1c, 0x1e);
    pub const BONE: Color32 = rgb(ViewColors::DEFAULT.bones);
    /// Bones on the left and on the right.
    pub const BONE_SIDES: [Color32; 2] =
        [rgb(ViewColors::DEFAULT.left_bones), rgb(ViewColors::DEFAULT.right_bones)];
    pub const SELECTED: Color32 = rgb(ViewColors::DEFAULT.selected);
    /// Selected parts other than the active one.
    pub const ALSO_SELECTED: Color32 = rgb(ViewColors::DEFAULT.also_selected);
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
    pub const TWO_BONES: [Color32; 2] =
        [Color32::from_rgb(0xe2, 0x62, 0x0a), Color32::from_rgb(0x14, 0x6f, 0xd0)];
    /// Motion paths before and after the current frame, and their keys.
    pub const PATH_BEFORE: Color32 = Color32::from_rgb(0x3d, 0x8f, 0x99);
    pub const PATH_AFTER: Color32 = Color32::from_rgb(0x74, 0xdc, 0xe4);
    pub const PATH_KEY: Color32 = Color32::from_rgb(0xff, 0xf3, 0xc4);
    /// Signs and names, and less important ones.
    pub const SIGN: Color32 = super::TEXT_STRONG.dark;
    pub const QUIET_SIGN: Color32 = super::TEXT_QUIET.dark;
    /// Limits of joints, and joints outside the surface.
    pub const WARNING: Color32 = super::WARNING.dark;
    /// Selected vertices.
    pub const VERTEX: Color32 = super::ACCENT.dark;
    /// Vertices that are not selected, during vertex selection.
    pub const ANY_VERTEX: Color32 = Color32::from_rgb(0xe8, 0xe4, 0xda);
    /// The rim that separates vertices from the skin.
    pub const VERTEX_RIM: Color32 = Color32::from_rgb(0x16, 0x12, 0x0a);
}

/// The dope sheet. Selected keys are in the accent.
pub mod sheet {
    use super::{Color32, Token, token};

    /// The background of frames in the play range, and of the others.
    pub const PLAYED: Token = token(0x202123, 0xfbfbfc);
    pub const UNPLAYED: Token = token(0x161718, 0xe4e5e8);
    pub const GRID: Token = token(0x2c2d30, 0xd8dadf);
    /// The highlight over the row of the selection.
    pub const CHOSEN: Color32 = Color32::from_rgba_premultiplied(0x22, 0x17, 0x08, 0x22);
    pub const KEY: Token = token(0xbfc1c6, 0x4a4d54);
    /// The keys of a muted row.
    pub const KEY_MUTED: Token = token(0x5c5f66, 0x9a9ea7);
    pub const KEY_HOVER: Token = super::TEXT_STRONG;
    pub const KEY_RIM: Token = token(0x121213, 0xffffff);
    /// The span from the first key of a row to its last.
    pub const SPAN: Token = super::CONTROL_HOVER;
    /// The mark of the current frame, and the text on it.
    pub const PLAYHEAD: Token = token(0x5fb3e6, 0x0b6aa8);
    pub const ON_PLAYHEAD: Token = token(0x08141b, 0xffffff);
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
    // A press that moves nothing is a click, however long it takes: between press and release, a slow machine may
    // draw for a second.
    ctx.options_mut(|options| options.input_options.max_click_duration = f64::INFINITY);
    for theme in [Theme::Dark, Theme::Light] {
        CURRENT.set(theme);
        ctx.style_mut_of(of_egui(theme), |style| {
            let blink = style.visuals.text_cursor.blink;
            style.visuals = visuals();
            style.visuals.text_cursor.blink = blink;
            style.visuals.handle_shape = egui::style::HandleShape::Circle;
        });
    }
    set_theme(ctx, Theme::Dark);
    ctx.all_styles_mut(|style| {
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
        spacing.slider_rail_height = 4.0;
        style.interaction.tooltip_delay = 0.6;
        // Each tooltip after a rest of the pointer, also beside one that was open.
        style.interaction.tooltip_grace_time = 0.0;
        // Labels with selectable text swallow clicks meant for the widgets around them.
        style.interaction.selectable_labels = false;
    });
    // On light panels, where a list is cut off would be grey.
    ctx.style_mut_of(egui::Theme::Light, |style| style.spacing.scroll.fade.strength = 0.0);
}

/// Chooses the theme of the panels that are drawn on this thread from now on.
pub fn set_theme(ctx: &Context, theme: Theme) {
    CURRENT.set(theme);
    ctx.set_theme(of_egui(theme));
}

fn of_egui(theme: Theme) -> egui::Theme {
    match theme {
        Theme::Dark => egui::Theme::Dark,
        Theme::Light => egui::Theme::Light,
    }
}

/// Returns the text colour and fill of a button that is a switch.
pub fn switch(checked: bool) -> (Color32, Color32) {
    if checked { (*TEXT_STRONG, *ACCENT_FILL) } else { (*TEXT, *CONTROL) }
}

/// Returns the fill of a button that may be disabled. On light panels a faded fill would be darker than that of an
/// enabled button, since colours are blended as light: there is none.
pub fn fill_if(enabled: bool, fill: Color32) -> Color32 {
    match CURRENT.get() {
        Theme::Light if !enabled => Color32::TRANSPARENT,
        _ => fill,
    }
}

/// Buttons whose frames show under the pointer only.
pub trait Quiet {
    /// Shows a frame under the pointer, and always if `chosen`. It has no border, for which egui makes room only
    /// while it shows: the neighbours would move.
    fn quiet(self, chosen: bool) -> Self;
}

impl Quiet for egui::Button<'_> {
    fn quiet(self, chosen: bool) -> Self {
        self.frame_when_inactive(chosen).stroke(Stroke::NONE)
    }
}

/// Returns the text colour of a widget that is dimmed unless the pointer is over it.
pub fn hover_ink(hovered: bool) -> Color32 {
    if hovered { *TEXT_STRONG } else { *TEXT_QUIET }
}

fn visuals() -> Visuals {
    let mut v = of_egui(CURRENT.get()).default_visuals();
    v.panel_fill = *PANEL;
    v.window_fill = *POPUP;
    v.window_stroke = Stroke::new(1.0, LINE);
    v.window_corner_radius = CornerRadius::same(RADIUS + 4);
    v.menu_corner_radius = CornerRadius::same(RADIUS + 2);
    v.window_shadow = shadow(16);
    v.popup_shadow = shadow(10);
    v.extreme_bg_color = *FIELD;
    v.text_edit_bg_color = Some(*FIELD);
    v.faint_bg_color = *BAR;
    v.code_bg_color = *FIELD;
    v.hyperlink_color = *ACCENT;
    v.warn_fg_color = *WARNING;
    v.error_fg_color = *ERROR;
    v.weak_text_color = Some(*TEXT_QUIET);
    v.disabled_alpha = DISABLED_ALPHA;
    v.selection.bg_fill = *ACCENT_FILL;
    v.selection.stroke = Stroke::new(1.0, TEXT_STRONG);
    v.slider_trailing_fill = true;
    v.indent_has_left_vline = false;
    let states = [
        (&mut v.widgets.noninteractive, PANEL, LINE, TEXT),
        (&mut v.widgets.inactive, CONTROL, EDGE, TEXT),
        (&mut v.widgets.hovered, CONTROL_HOVER, CONTROL_PRESSED, TEXT_STRONG),
        (&mut v.widgets.active, CONTROL_PRESSED, ACCENT, TEXT_STRONG),
        (&mut v.widgets.open, CONTROL_HOVER, CONTROL_HOVER, TEXT_STRONG),
    ];
    for (state, fill, border, text) in states {
        (state.bg_fill, state.weak_bg_fill) = (*fill, *fill);
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
    (widgets.inactive.weak_bg_fill, widgets.inactive.bg_fill) = (*FIELD, *FIELD);
    widgets.hovered.weak_bg_fill = *CONTROL;
}

fn shadow(blur: u8) -> Shadow {
    Shadow {
        offset: [0, (blur / 3) as i8],
        blur,
        spread: 0,
        color: Color32::from_black_alpha(match CURRENT.get() {
            Theme::Dark => 110,
            Theme::Light => 50,
        }),
    }
}

#[cfg(test)]
/// Relative luminance as in WCAG 2.2.
fn luminance(color: Color32) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

#[cfg(test)]
/// The contrast ratio as in WCAG 2.2.
pub(super) fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Runs a check in each theme.
#[cfg(test)]
pub(super) fn in_each_theme(check: impl Fn()) {
    for theme in [Theme::Light, Theme::Dark] {
        CURRENT.set(theme);
        check();
    }
}

#[cfg(test)]
mod tests;
