//! The dope sheet's switches that mute channels.

use super::MESH;
use super::sheet::{desk, steps};
use super::support::*;
use ossature::anim::mute::Mute;

fn muted(desk: &mut Desk, channel: &str) -> Mute {
    desk.session().scene().animation.mute(MESH, channel)
}

#[test]
fn a_row_mutes_and_unmutes_what_it_shows() {
    let mut desk = desk();
    let before = desk.session().scene().clone();
    assert_eq!(desk.toggled("Mute Arm"), Some(false));
    desk.click("Mute Arm");
    assert_eq!(muted(&mut desk, "bone.1.pose"), Mute::WHOLE);
    assert_eq!(muted(&mut desk, "bone.0.pose"), Mute::NONE);
    assert_eq!((desk.toggled("Mute Arm"), desk.toggled("Mute Body")), (Some(true), Some(false)));
    // A row for several channels mutes the rest, then unmutes all.
    desk.click("Mute Body");
    assert_eq!(muted(&mut desk, "bone.0.pose"), Mute::WHOLE);
    assert_eq!(muted(&mut desk, "handle.0.target"), Mute::WHOLE);
    assert_eq!((desk.toggled("Mute IK Arm"), desk.toggled("Mute Summary")), (Some(true), Some(false)));
    desk.click("Mute Body");
    assert_eq!(muted(&mut desk, "bone.1.pose"), Mute::NONE);
    assert!(*desk.session().scene() == before);
    assert_eq!(steps(&mut desk), ["Unmute Body", "Mute Body", "Mute Arm"]);
    assert_eq!(desk.session().selection().part, None, "no row was selected");
    assert!(desk.doubled_labels().is_empty(), "{:?}", desk.doubled_labels());
}

#[test]
fn a_letter_mutes_one_component() {
    let mut desk = desk();
    desk.click("Mute Arm y");
    assert_eq!(muted(&mut desk, "bone.1.pose"), Mute([false, true, false]));
    assert_eq!((desk.toggled("Mute Arm y"), desk.toggled("Mute Arm")), (Some(true), Some(false)));
    desk.click("Mute Arm y");
    assert_eq!(muted(&mut desk, "bone.1.pose"), Mute::NONE);
    assert_eq!(steps(&mut desk), ["Unmute y of Arm", "Mute y of Arm"]);
    assert!(!desk.has("Mute Body y"), "it shows several channels");
}
