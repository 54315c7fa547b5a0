//! Text as it is shown.

use egui::{Color32, FontId, Galley, Painter, Ui};
use std::sync::Arc;

/// Returns the text with a capital first letter.
pub fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Lays out a line of text. Where it is wider than `width` points, its middle is left out, so that endings which
/// tell names apart, such as `.L` and `.001`, stay readable. Returns also whether that was so.
pub fn elide_middle(
    painter: &Painter,
    text: &str,
    font: &FontId,
    color: Color32,
    width: f32,
) -> (Arc<Galley>, bool) {
    let layout = |text: String| painter.layout_no_wrap(text, font.clone(), color);
    let whole = layout(text.to_owned());
    if whole.size().x <= width {
        return (whole, false);
    }
    let letters: Vec<char> = text.chars().collect();
    let shortened = |count: usize| {
        let (head, tail) = (&letters[..count / 2], &letters[letters.len() - count.div_ceil(2)..]);
        layout(head.iter().chain(&['…']).chain(tail).collect())
    };
    let (mut fits, mut exceeds) = (0, letters.len());
    while exceeds - fits > 1 {
        let count = usize::midpoint(fits, exceeds);
        if shortened(count).size().x <= width { fits = count } else { exceeds = count }
    }
    (shortened(fits), true)
}

/// Returns a line of text of `size` points as it fits into `width` points, without its middle where it is wider.
pub fn fitting(ui: &Ui, text: &str, size: f32, width: f32) -> String {
    let font = FontId::proportional(size);
    let (galley, _) = elide_middle(ui.painter(), text, &font, Color32::PLACEHOLDER, width);
    galley.text().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_room_keeps_its_ends() {
        let ctx = egui::Context::default();
        let _ = ctx.run_ui(egui::RawInput::default(), |ui| {
            let font = FontId::proportional(13.0);
            let elide = |text: &str, width| {
                let (galley, elided) = elide_middle(ui.painter(), text, &font, Color32::WHITE, width);
                assert!(galley.size().x <= width || width < 20.0, "{text} in {width}");
                (galley.text().to_owned(), elided)
            };
            assert_eq!(elide("Hand.L", 200.0), ("Hand.L".into(), false));
            let (text, elided) = elide("LeftHandMiddleFinger.001.L", 110.0);
            assert!(elided && text.starts_with("Left") && text.ends_with("001.L"), "{text}");
            assert_eq!(elide("ÄäöüäöüäöüÄ", 0.0), ("…".into(), true));
        });
    }
}
