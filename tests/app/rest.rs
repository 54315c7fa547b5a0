//! Nothing moves by itself.

use crate::support::*;
use ossature::edit::view::Tab;

#[test]
fn after_settling_nothing_is_evaluated() {
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
        person.app.frames(6);
        let (evaluations, bytes) = (person.editor().evaluations, person.bytes());
        assert!(evaluations > 0);
        person.app.frames(12);
        assert_eq!(person.editor().evaluations, evaluations, "{tab}");
        assert!(person.bytes() == bytes);
        person.app.draw_all(false);
        // The counter is no dummy.
        person.click(if tab == "Rig" { "Animate" } else { "Rig" });
        assert_eq!(person.editor().evaluations, evaluations + 1);
    }
    assert_eq!(person.editor().settings.tab, Tab::Rig);
}
