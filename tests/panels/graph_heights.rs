//! The curves: normalised, stacked, and as speeds.

use super::graph::{X0, X10, Y20, Z20, channel, chosen, desk, drag, value};
use super::sheet::{arm, steps};
use super::support::*;
use egui::{Key, pos2, vec2};
use glam::Vec3;
use std::sync::Arc;

#[test]
fn normalised_curves_fill_the_height() {
    let mut desk = desk();
    desk.click("Normalise");
    let area = desk.rect("Keys");
    let share = |label: &str| (desk.center(label).y - area.top()) / area.height();
    for (label, wanted) in [(X0, 0.92), (X10, 0.08), (Y20, 0.08), (Z20, 0.92), ("Arm z, frame 0, -20°", 0.08)]
    {
        assert!((share(label) - wanted).abs() < 0.02, "{label}: {}", share(label));
    }
}

/// x, y and z in a third of the height each, and dragged there as anywhere.
#[test]
fn stacked_curves_are_one_above_the_other() {
    let mut desk = desk();
    desk.click("Stack");
    let area = desk.rect("Keys");
    let share = |desk: &Desk, label: &str| (desk.center(label).y - area.top()) / area.height();
    for (label, band, within) in [(X10, 0.0, 0.08), (X0, 0.0, 0.92), (Y20, 1.0, 0.08), (Z20, 2.0, 0.92)] {
        // The range of the bands has a margin too.
        let wanted = 0.08 + 0.84 * ((band + within) - 0.08) / 2.84;
        let found = share(&desk, label);
        assert!((found - wanted).abs() < 0.02, "{label}: {found}, not {wanted}");
    }
    let before = value(&mut desk, "bone.1.pose", 20.0);
    let (low, high) = (desk.center(Z20), desk.center("Arm z, frame 0, -20°"));
    drag(&mut desk, low, pos2(low.x, (low.y + high.y) / 2.0));
    let after = value(&mut desk, "bone.1.pose", 20.0);
    assert!((after.z + 30.0).abs() < 0.5 && (after.x, after.y) == (before.x, before.y), "{after}");
    desk.click("Stack");
    assert_eq!(desk.toggled("Stack"), Some(false));
}

/// A key that is dragged up passes its frame faster, with the same value.
#[test]
fn speeds_are_shown_and_dragged() {
    let mut desk = desk();
    desk.click("Speeds");
    // The chords are 0.5° and 2° per frame, of which a clamped key takes the mean; y is level where x turns.
    let (y, x) = ("Arm y, frame 10, 1.25° per frame", "Arm x, frame 10, 0° per frame");
    assert!(desk.has(y) && desk.has(x) && desk.has("Arm y, frame 0, 0° per frame"), "{:?}", desk.controls());
    let per_speed = (desk.center(x).y - desk.center(y).y) / 1.25;
    desk.drag(y, vec2(0.0, -0.5 * per_speed));
    let slopes = channel(&mut desk, "bone.1.pose").slopes(10.0).expect("slopes");
    for slope in slopes {
        let component = |i: usize| slope.component(i).expect("a number");
        assert!((component(1) - 1.75).abs() < 0.05 && component(0) == 0.0, "{slope:?}");
    }
    assert_eq!(value(&mut desk, "bone.1.pose", 10.0), Vec3::new(30.0, 20.0, -25.0));
    assert_eq!(steps(&mut desk).len(), 1);
    desk.key(Key::ArrowUp);
    assert!(desk.has_containing("The graph of speeds does not change values"), "no step of the value");
    assert_eq!(steps(&mut desk).len(), 1);
    // To the side, in time, like everywhere.
    let label = chosen(&desk).into_iter().find(|label| label.starts_with("Arm y")).expect("the dragged key");
    desk.drag(
        &label,
        vec2(
            2.0 * (desk.center("Arm y, frame 20, 0° per frame").x
                - desk.center("Arm y, frame 0, 0° per frame").x)
                / 20.0,
            0.0,
        ),
    );
    assert_eq!(arm(&mut desk), [0.0, 12.0, 20.0]);
    // A straight line has the speed that it has.
    desk.key(Key::A);
    desk.key(Key::T);
    let corner = desk.controls().into_iter().find(|(label, _)| label.starts_with("Arm y, frame 12"));
    let (corner, _) = corner.expect("the key");
    let before = channel(&mut desk, "bone.1.pose");
    desk.drag(&corner, vec2(0.0, -20.0));
    assert!(desk.has_containing("have no speed of their own"));
    assert!(Arc::ptr_eq(&before, &channel(&mut desk, "bone.1.pose")));
}
