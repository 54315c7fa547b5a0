//! Poses that are saved with a character: saved, renamed, deleted and applied, whole or in part, mirrored,
//! each in one step; and written to the file.

use crate::editing::session::session_on;
use crate::editing::{bone, scene};
use crate::running::{self, Folder, bad, good, json};
use glam::Vec3;
use ossature::edit::action::Action;
use ossature::edit::command::{Command, PoseChange, PoseUse};
use ossature::edit::pose::figure::limbs;
use ossature::edit::select::selection::Part;
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Tab, ViewSettings};
use ossature::io::js3d;
use ossature::rig::poses::SavedPose;
use ossature::rig::skeleton::Skeleton;
use ossature::scene::evaluate::Evaluated;
use std::sync::Arc;

const MESH: &str = "M";
const SPINE: usize = 0;
const ARM_L: usize = 1;
const ARM_R: usize = 2;

fn session() -> Session {
    let mut skeleton = Skeleton {
        bones: vec![
            bone(Some("Spine"), None, [0.0, 1.0, 0.0], 7),
            bone(Some("Arm.L"), Some(0), [1.0, 0.0, 0.0], 8),
            bone(Some("Arm.R"), Some(0), [-1.0, 0.0, 0.0], 9),
        ],
        ..Skeleton::default()
    };
    for bone in &mut skeleton.bones {
        bone.roll_deg = 0.0;
    }
    session_on(MESH, skeleton)
}

fn poses(session: &Session) -> Vec<Vec3> {
    let skeleton = &session.animated().skinned_meshes[MESH].skeleton;
    skeleton.bones.iter().map(|bone| bone.pose_deg).collect()
}

fn names(session: &Session) -> Vec<String> {
    let poses = &session.scene().skinned_meshes[MESH].poses;
    poses.iter().map(|pose| pose.name.clone()).collect()
}

fn change(change: PoseChange) -> Command {
    let mesh = MESH.into();
    Command::Poses { mesh, change }
}

fn turn(bone: usize, pose_deg: Vec3) -> Command {
    let mesh = MESH.into();
    Command::set_bone(mesh, bone, "pose", pose_deg)
}

fn taken(pose: &str, amount: f32, flipped: bool) -> Command {
    change(PoseChange::Apply(PoseUse { pose: pose.into(), bones: Vec::new(), amount, flipped }))
}

/// Applies a command as one step, which undo reverts completely.
fn step(session: &mut Session, command: Command) {
    let (steps, before) = (session.history().cursor(), session.scene().clone());
    session.apply(std::slice::from_ref(&command)).unwrap();
    assert_eq!(session.history().cursor(), steps + 1, "{command:?}");
    session.undo();
    assert!(session.scene().is_shared(&before), "{command:?}");
    session.redo();
}

fn save(session: &mut Session) {
    let mut settings = ViewSettings { tab: Tab::Animate, ..ViewSettings::default() };
    let prepared = Action::SAVE_POSE.prepare_in(session, &settings, &Evaluated::default());
    prepared.unwrap().carry_out(session, &mut settings).unwrap();
}

const WAVE: Vec3 = Vec3::new(10.0, 20.0, 60.0);
/// The mirror image of [`WAVE`]: the axes of both arms are turned alike, by half a turn about z.
const WAVE_RIGHT: Vec3 = Vec3::new(-10.0, -20.0, 60.0);

/// A session with a pose of the left arm, `Pose`, and one of everything, `Pose 2`.
fn with_poses() -> Session {
    let mut session = session();
    session.apply(&[turn(ARM_L, WAVE)]).unwrap();
    let all = session.selection().clone();
    session.select(all.with_part(Some(Part::Bone(ARM_L))));
    save(&mut session);
    session.select(all);
    let (mesh, base_offset) = (MESH.into(), Vec3::new(1.0, 2.0, 3.0));
    session.apply(&[Command::set_skeleton(mesh, "base_offset", base_offset)]).unwrap();
    save(&mut session);
    assert_eq!(names(&session), ["Pose", "Pose 2"]);
    let (mesh, base_offset) = (MESH.into(), Vec3::ZERO);
    session
        .apply(&[turn(ARM_L, Vec3::ZERO), Command::set_skeleton(mesh, "base_offset", base_offset)])
        .unwrap();
    session
}

#[test]
fn a_pose_is_taken_whole_in_part_and_mirrored() {
    let mut session = with_poses();
    let before = session.scene().clone();
    step(&mut session, taken("Pose", 1.0, false));
    assert_eq!(poses(&session), [Vec3::ZERO, WAVE, Vec3::ZERO]);
    assert_eq!(session.history().undo_label(), Some("Apply pose Pose"));
    session.undo();
    step(&mut session, taken("Pose", 0.25, false));
    assert_eq!(poses(&session)[ARM_L], WAVE * 0.25);
    assert_eq!(session.history().undo_label(), Some("Blend pose Pose by 25 %"));
    session.undo();
    // A drag out and back, and one that ends elsewhere.
    for amount in [0.3, 0.9, 0.0] {
        session.preview(&[taken("Pose 2", amount, false)]).unwrap();
    }
    assert!(!session.commit(), "back at nothing is no step");
    assert!(session.scene().is_shared(&before));
    session.preview(&[taken("Pose 2", 0.5, false)]).unwrap();
    assert!(session.commit());
    let offset = |session: &Session| session.scene().skinned_meshes[MESH].skeleton.base_offset;
    assert_eq!(offset(&session), Vec3::new(0.5, 1.0, 1.5));
    session.undo();
    step(&mut session, taken("Pose 2", 1.0, true));
    assert_eq!(poses(&session)[ARM_R], WAVE_RIGHT);
    assert_eq!(poses(&session)[ARM_L], Vec3::ZERO);
    assert_eq!(offset(&session), Vec3::new(-1.0, 2.0, 3.0));
    // Only some bones.
    let mut session = with_poses();
    let how = PoseUse { pose: "Pose 2".into(), bones: vec![ARM_R], amount: 1.0, flipped: false };
    session.apply(&[turn(ARM_R, WAVE)]).unwrap();
    step(&mut session, change(PoseChange::Apply(how)));
    assert_eq!(poses(&session), [Vec3::ZERO; 3]);
    assert_eq!(offset(&session), Vec3::ZERO);
}

/// A bone that is moved and scaled has all of it in the pose: saved, blended, mirrored, keyed and in the file.
#[test]
fn a_pose_moves_and_scales_bones() {
    let mut session = session();
    let set = |id: &'static str, value: Vec3| Command::set_bone(MESH.into(), ARM_L, id, value);
    let (moved, scaled) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(2.0, 1.0, 0.5));
    session.apply(&[set("translation", moved), set("scale", scaled)]).unwrap();
    save(&mut session);
    session.apply(&[set("translation", Vec3::ZERO), set("scale", Vec3::ONE)]).unwrap();
    let placed = |session: &Session, bone: usize| {
        let bone = &session.animated().skinned_meshes[MESH].skeleton.bones[bone];
        (bone.translation, bone.scale)
    };
    step(&mut session, taken("Pose", 0.5, false));
    assert_eq!(placed(&session, ARM_L), (moved * 0.5, Vec3::new(1.5, 1.0, 0.75)));
    session.undo();
    step(&mut session, taken("Pose", 1.0, true));
    assert_eq!(placed(&session, ARM_R), (moved * Vec3::new(-1.0, 1.0, 1.0), scaled));
    assert_eq!(placed(&session, ARM_L), (Vec3::ZERO, Vec3::ONE));
    session.undo();
    session.set_auto_key(true);
    session.apply(&[taken("Pose", 1.0, false)]).unwrap();
    let keyed: Vec<&String> = session.scene().animation.channels[MESH].keys().collect();
    assert_eq!(keyed, ["bone.8.scale", "bone.8.translation"]);
    let written = js3d::write(session.scene()).unwrap();
    let (read, report) = js3d::read(&written).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(read.skinned_meshes[MESH].poses, session.scene().skinned_meshes[MESH].poses);
    assert_eq!(js3d::write(&read).unwrap(), written);
}

/// Angles go the shorter way: from 350 degrees to 10 through 360.
#[test]
fn a_blend_goes_the_short_way() {
    let mut session = with_poses();
    session.apply(&[turn(ARM_L, Vec3::new(350.0, 20.0, 60.0))]).unwrap();
    session.apply(&[taken("Pose", 0.5, false)]).unwrap();
    assert_eq!(poses(&session)[ARM_L], Vec3::new(360.0, 20.0, 60.0));
    session.apply(&[taken("Pose", 1.0, false)]).unwrap();
    assert_eq!(poses(&session)[ARM_L], Vec3::new(370.0, 20.0, 60.0));
}

/// A pose of both sides is applied unchanged, by a click and by a drag; a pose of one side poses both.
#[test]
fn poses_under_symmetry() {
    let mut session = with_poses();
    session.set_symmetric(true);
    let selection = session.selection().with_parts([Part::Bone(ARM_R), Part::Bone(ARM_L)]);
    session.select(selection);
    session.apply(&[taken("Pose 2", 1.0, false)]).unwrap();
    assert_eq!(poses(&session), [Vec3::ZERO, WAVE, Vec3::ZERO], "the right arm is as in the pose");
    session.undo();
    session.preview(&[taken("Pose 2", 1.0, false)]).unwrap();
    assert_eq!(poses(&session), [Vec3::ZERO, WAVE, Vec3::ZERO], "the same by a drag");
    session.cancel();
    session.apply(&[taken("Pose", 1.0, false)]).unwrap();
    assert_eq!(poses(&session)[ARM_R], WAVE_RIGHT);
}

#[test]
fn auto_key_keys_what_the_pose_changed() {
    let mut session = with_poses();
    session.set_auto_key(true);
    session.apply(&[taken("Pose 2", 1.0, false)]).unwrap();
    let keyed: Vec<&String> = session.scene().animation.channels[MESH].keys().collect();
    assert_eq!(keyed, ["base_offset", "bone.8.pose"]);
}

#[test]
fn poses_are_renamed_replaced_and_deleted() {
    let mut session = with_poses();
    let rename = |pose: &str, name: &str| {
        let (pose, name) = (pose.into(), name.into());
        change(PoseChange::Rename { pose, name })
    };
    step(&mut session, rename("Pose", " Wave "));
    assert_eq!(names(&session), ["Wave", "Pose 2"]);
    step(&mut session, rename("Pose 2", "Wave"));
    assert_eq!(names(&session), ["Wave", "Wave 2"]);
    let replaced = SavedPose {
        name: "Wave".into(),
        bones: vec![(7, Vec3::X.into())],
        handles: Vec::new(),
        base_offset: None,
    };
    step(&mut session, change(PoseChange::Save(replaced)));
    assert_eq!(names(&session), ["Wave", "Wave 2"]);
    step(&mut session, taken("Wave", 1.0, false));
    assert_eq!(poses(&session)[SPINE], Vec3::X);
    step(&mut session, change(PoseChange::Delete { pose: "Wave".into() }));
    assert_eq!(names(&session), ["Wave 2"]);
    for wrong in [
        taken("Wave", 1.0, false),
        taken("Wave 2", 1.5, false),
        taken("Wave 2", f32::NAN, false),
        rename("Wave 2", "  "),
        change(PoseChange::Delete { pose: "Wave".into() }),
    ] {
        let before = session.scene().clone();
        assert!(session.apply(std::slice::from_ref(&wrong)).is_err(), "{wrong:?}");
        assert!(session.scene().is_shared(&before));
    }
}

/// The angles of a deleted bone stay in the poses, and no other bone ever inherits them.
#[test]
fn new_bones_inherit_no_pose() {
    let mut session = with_poses();
    let (mesh, bone) = (MESH.into(), ARM_R);
    session.apply(&[Command::DeleteBone { mesh, bone }]).unwrap();
    let (mesh, parent, extent, radius) = (MESH.into(), Some(0), Vec3::Z, 0.1);
    let add = Command::AddBone { mesh, parent, extent, radius };
    session.apply(&[add]).unwrap();
    let ids = session.scene().skinned_meshes[MESH].skeleton.bones.iter();
    assert_eq!(ids.map(|bone| bone.channel_id).max(), Some(10));
    session.apply(&[taken("Pose 2", 1.0, false)]).unwrap();
}

#[test]
fn the_file_keeps_them() {
    let mut session = with_poses();
    let rename = PoseChange::Rename { pose: "Pose".into(), name: "Grüße \"quoted\"".into() };
    session.apply(&[change(rename)]).unwrap();
    let written = js3d::write(session.scene()).unwrap();
    let (read, report) = js3d::read(&written).unwrap();
    assert!(report.is_empty(), "{report:?}");
    let poses = &session.scene().skinned_meshes[MESH].poses;
    assert_eq!(read.skinned_meshes[MESH].poses, *poses);
    assert_eq!(js3d::write(&read).unwrap(), written);
    // Invalid poses are reported and preserved.
    let text = String::from_utf8(written).unwrap();
    for (from, to) in [
        ("\"8\":[10,20,60]", "\"8\":[10,20]"),
        ("\"8\":[10,20,60]", "\"08\":[10,20,60]"),
        ("\"Pose 2\"", "\"\""),
        ("\"Pose 2\"", "7"),
        ("\"base_offset\":[1,2,3]", "\"base\":[1,2,3]"),
    ] {
        let broken = text.replace(from, to);
        assert_ne!(broken, text, "{from}");
        let (read, report) = js3d::read(broken.as_bytes()).unwrap();
        assert!(format!("{report:?}").contains("bad-poses"), "{to}");
        assert!(read.skinned_meshes[MESH].poses.is_empty());
        let value = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap();
        assert_eq!(value(&js3d::write(&read).unwrap()), value(broken.as_bytes()));
    }
    // The last of equal names counts, even if the first is invalid, and this is reported.
    let twice = text.replace("\"8\":[10,20,60]", "\"8\":-0,\"8\":[10,20,60]");
    let (read, report) = js3d::read(twice.as_bytes()).unwrap();
    assert!(format!("{report:?}").contains("/poses/0/bones/8"), "{report:?}");
    assert_eq!(js3d::write(&read).unwrap(), text.as_bytes());
}

/// Bones may share a channel id; a file holds one value for each.
#[test]
fn bones_that_share_a_channel_id_have_one_value_in_a_pose() {
    let folder = Folder::new();
    let mut skeleton = (*session().scene().skinned_meshes[MESH].skeleton).clone();
    skeleton.bones[ARM_R].channel_id = skeleton.bones[ARM_L].channel_id;
    let twice = PoseChange::Save(SavedPose {
        name: "Twice".into(),
        bones: vec![(7, Vec3::X.into()), (8, Vec3::Y.into()), (7, Vec3::Z.into())],
        handles: Vec::new(),
        base_offset: None,
    });
    let mut session = session_on(MESH, skeleton);
    step(&mut session, change(twice));
    let (from, out) = (folder.write("from.js3d", session.scene()), folder.out("poses.js3d"));
    good(&["poses", &from, "--save", "Now", "--only", "-o", &out]);
    let written = std::fs::read(&out).unwrap();
    let (read, report) = js3d::read(&written).unwrap();
    let warned = report.findings.iter().any(|finding| finding.code == "duplicate-member");
    assert!(!warned, "{report:?}");
    assert_eq!(js3d::write(&read).unwrap(), written);
    let poses = &read.skinned_meshes[MESH].poses;
    assert_eq!(poses[0].bones, [(8, Vec3::Y.into()), (7, Vec3::Z.into())]);
    assert_eq!(poses[1].bones.len(), 2);
}

/// Poses are matched to bones by name, whatever their channel ids; existing poses are not added twice.
#[test]
fn poses_of_another_file() {
    let folder = Folder::new();
    let from = folder.write("from.js3d", with_poses().scene());
    let alone = folder.out("poses.js3d");
    let listed = "Pose: 1 bone\nPose 2: 3 bones and the base\n";
    assert_eq!(good(&["poses", &from]), listed);
    assert_eq!(good(&["poses", &from, "--only", "-o", &alone]), listed);
    let (read, report) = js3d::read(&std::fs::read(&alone).unwrap()).unwrap();
    assert!(report.is_empty(), "{report:?}");
    assert_eq!(read.names().len(), 1);
    let poses = Arc::clone(&with_poses().scene().skinned_meshes[MESH].poses);
    assert_eq!(read.skinned_meshes[MESH].poses, poses);

    // Another character, whose arms have other channel ids and whose spine has another name.
    let mut skeleton = (*session().scene().skinned_meshes[MESH].skeleton).clone();
    skeleton.bones[SPINE].name = Some("Back".into());
    for (bone, id) in skeleton.bones.iter_mut().zip([7, 31, 32]) {
        bone.channel_id = id;
    }
    let mut other = session_on(MESH, skeleton);
    let own = SavedPose {
        name: "Pose".into(),
        bones: vec![(7, Vec3::X.into())],
        handles: Vec::new(),
        base_offset: None,
    };
    step(&mut other, change(PoseChange::Save(own)));
    let (onto, both) = (folder.write("onto.js3d", other.scene()), folder.out("both.js3d"));
    let ran = running::run(&["poses", &onto, "--from", &alone, "-o", &both]);
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(told.contains("not in this skeleton: Spine"), "{told}");
    let (read, _) = js3d::read(&std::fs::read(&both).unwrap()).unwrap();
    let taken = &read.skinned_meshes[MESH].poses;
    let names: Vec<&str> = taken.iter().map(|pose| &*pose.name).collect();
    assert_eq!(names, ["Pose", "Pose 2", "Pose 3"]);
    let turns = |pose: &SavedPose| pose.bones.iter().map(|(_, turn)| *turn).collect::<Vec<_>>();
    assert_eq!(taken[1].bones, [(31, turns(&poses[0])[0])]);
    assert_eq!(turns(&taken[2]), turns(&poses[1])[1..]);
    assert_eq!(taken[2].base_offset, poses[1].base_offset);

    // A second run adds nothing.
    let again = folder.out("again.js3d");
    good(&["poses", &both, "--from", &both, "-o", &again]);
    assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&both).unwrap());
    // A file of which no bones match, and one without poses.
    let scene = folder.write("scene.js3d", &scene());
    let (told, _) = bad(&["poses", &scene, "--mesh", "Body", "--from", &alone, "-o", &again, "--force"]);
    assert!(told.contains("poses.js3d") && told.contains("None of the bones"), "{told}");
    let bare = folder.write("bare.js3d", session().scene());
    let (told, _) = bad(&["poses", &from, "--from", &bare, "-o", &again, "--force"]);
    assert!(told.contains("has no saved poses"), "{told}");
}

/// Limbs lie within their picture, bones that the pose does not turn are marked, and the mirror image is
/// another picture.
#[test]
fn a_figure_shows_the_pose() {
    let session = with_poses();
    let skinned = &session.scene().skinned_meshes[MESH];
    let [arm, all] = [0, 1].map(|at| limbs(&skinned.skeleton, &skinned.poses[at], false));
    assert_eq!(arm.len(), 3);
    assert_eq!(arm.iter().filter(|limb| limb.is_posed).count(), 1);
    assert!(all.iter().all(|limb| limb.is_posed));
    for limb in arm.iter().chain(&all) {
        for end in limb.ends {
            let room = limb.radius - 1e-6;
            assert!(end.min_element() >= room && end.max_element() <= 1.0 - room, "{limb:?}");
        }
    }
    assert_ne!(arm, limbs(&skinned.skeleton, &skinned.poses[0], true));
    assert!(limbs(&Skeleton::default(), &skinned.poses[0], false).is_empty());
}

#[test]
fn the_command_line_takes_them() {
    let mut scene = scene();
    let skinned = Arc::make_mut(scene.skinned_meshes.get_mut("Body").unwrap());
    let id = skinned.skeleton.bones[1].channel_id;
    let pose = SavedPose {
        name: "Bow".into(),
        bones: vec![(id, Vec3::new(40.0, 0.0, 0.0).into())],
        handles: Vec::new(),
        base_offset: None,
    };
    skinned.poses = Arc::new(vec![pose]);
    let folder = Folder::new();
    let file = &folder.write("poses.js3d", &scene);
    let before = json(&["pose", file, "--mesh", "Body"])["bones"][1]["pose_deg"][0].as_f64().unwrap();
    let half = ["pose", file, "--mesh", "Body", "--library", "Bow", "--blend", "50"];
    let half = json(&half);
    let turned = half["bones"][1]["pose_deg"][0].as_f64().unwrap();
    assert!((turned - (before + 40.0) / 2.0).abs() < 1e-4, "{turned}");
    let (failed, _) = bad(&["pose", file, "--mesh", "Body", "--library", "Jump"]);
    assert!(failed.contains("Jump") && failed.contains("Bow"), "{failed}");
}
