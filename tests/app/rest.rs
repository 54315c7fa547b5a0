//! Nothing moves by itself.

use crate::support::*;
use bevy_egui::egui::Rect;
use ossature::edit::view::Tab;

#[test]
fn after_settling_nothing_is_evaluated_and_no_pixel_changes() {
    let Some(mut person) = Person::with_human() else {
        return;
    };
    person.add_ik(LEFT_FOREARM);
    person.click("Enable");
    let ball = person.ball_of_handle(0);
    // Out of reach: what the solver strives for is never there.
    person.app.drag(ball, (ball.0 + 60.0, ball.1 - 90.0), 3);
    for tab in ["Rig", "Animate"] {
        person.click(tab);
        person.app.draw_all(true);
        let before = person.picture();
        let (evaluations, bytes) = (person.editor().evaluations, person.bytes());
        assert!(evaluations > 0);
        let mut last = before.clone();
        for i in 0..14 {
            let now = person.picture_now();
            let c = now.changed(&last, Rect::EVERYTHING);
            eprintln!("{i}: {} {:?}", c.len(), c.first());
            last = now;
        }
        before.save("/tmp/r0.png");
        last.save("/tmp/r1.png");
        person.app.frames(12);
        let after = person.picture_now();
        assert_eq!(person.editor().evaluations, evaluations, "{tab}");
        let changed = after.changed(&before, Rect::EVERYTHING);
        assert_eq!(changed, [], "{tab}: pixels changed by themselves");
        assert!(person.bytes() == bytes);
        person.app.draw_all(false);
        // The counter is no dummy.
        person.click(if tab == "Rig" { "Animate" } else { "Rig" });
        assert_eq!(person.editor().evaluations, evaluations + 1);
    }
    assert_eq!(person.editor().settings.tab, Tab::Rig);
}
