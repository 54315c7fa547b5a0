//! The Compare view: its sides show the mesh under each method, its numbers are those of `ossature measure`,
//! and the document is unaffected.

use crate::running::{Folder, json};
use ossature::anim::channel::ChannelRef;
use ossature::anim::channel_set::ChannelSet;
use ossature::edit::command::Command;
use ossature::edit::compare::{CompareSettings, Curves, Measurer, SideChoice, captions, compared_instance};
use ossature::edit::select::selection::Selection;
use ossature::edit::session::Session;
use ossature::io::js3d;
use ossature::rig::skinning::Method;
use ossature::rig::weights::{VertexWeights, method};
use ossature::scene::Scene;
use ossature::scene::append::append;
use ossature::scene::compare::{Compare, Side, Variant};
use ossature::scene::evaluate::{Evaluated, Evaluator, Settings};
use ossature::scene::instance::{InstanceKind, InstanceRef};
use ossature::scene::names::{Kind, ObjectRef};
use std::path::Path;
use std::sync::Arc;

/// The second of two tubes.
const MESH: &str = "Tube 1";
const INSTANCE: &str = "Tube instance 1";

/// The cylinder twice, each bending and twisting.
fn scene() -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/cylinder.js3d");
    let mut scene = js3d::read_file(&file).unwrap().0;
    Arc::make_mut(&mut scene.animation).muted.clear();
    let added = scene.clone();
    append(&mut scene, &added);
    scene
}

fn skinning(method: Method) -> Variant {
    Variant { skinning: Some(method), weights: None }
}

fn at(frame: f32, sides: [Variant; 2]) -> Settings {
    showing(frame, sides.map(Some))
}

fn showing(frame: f32, sides: [Option<Variant>; 2]) -> Settings {
    let compare = Compare { mesh: MESH.into(), instance: INSTANCE.into(), sides };
    Settings { frame: Some(frame), compare: Some(Arc::new(compare)), ..Settings::default() }
}

/// Returns both sides, which must exist.
fn sides_of(found: Evaluated) -> [Side; 2] {
    found.compare.unwrap().sides.map(Option::unwrap)
}

fn evaluate(scene: &Scene, settings: &Settings) -> Evaluated {
    Evaluator::default().evaluate(scene, settings)
}

/// Evaluates the scene after a command, without a comparison.
fn after(command: Command, frame: f32) -> Evaluated {
    let mut scene = scene();
    command.apply(&mut scene).unwrap();
    let settings = Settings { frame: Some(frame), ..Settings::default() };
    evaluate(&scene, &settings)
}

#[test]
fn each_side_is_what_its_method_makes_of_the_mesh() {
    let half = Method::try_from(0.5).unwrap();
    for method in [Method::LINEAR, Method::DUAL_QUATERNION, half] {
        let sides = [Variant::default(), skinning(method)];
        let found = evaluate(&scene(), &at(40.0, sides));
        let stored = found.skinned[MESH].clone();
        let [left, right] = sides_of(found);
        assert!(Arc::ptr_eq(&left.posed, &stored), "as stored it is the mesh itself");
        let set = Command::SetSkinning { mesh: MESH.into(), method };
        let expected = &after(set, 40.0).skinned[MESH];
        assert_eq!(right.posed.positions, expected.positions);
        assert_eq!(right.posed.render_vertices, expected.render_vertices);
        assert_eq!(right.mesh.skinning, method);
    }
}

#[test]
fn other_weights_are_used_as_if_they_were_stored() {
    let method = method::Method::power(1.5);
    let calculate = Command::CalculateWeights { mesh: MESH.into(), method };
    let expected = after(calculate, 40.0);
    let weights = expected.scene.skinned_meshes[MESH].weights.clone();
    let right = Variant { skinning: None, weights: Some(weights.clone()) };
    let found = evaluate(&scene(), &at(40.0, [Variant::default(), right]));
    let [left, right] = sides_of(found);
    assert_eq!(right.posed.positions, expected.skinned[MESH].positions);
    assert!(left.posed.positions != right.posed.positions);
    assert!(Arc::ptr_eq(&right.mesh.weights, &weights));
    // Weights of another mesh are not used.
    let wrong = Variant { skinning: None, weights: Some(Arc::new(VertexWeights::none(3))) };
    let found = evaluate(&scene(), &at(40.0, [wrong, Variant::default()]));
    let stored = found.skinned[MESH].clone();
    assert!(Arc::ptr_eq(&sides_of(found)[0].posed, &stored));
}

#[test]
fn nothing_else_is_evaluated_otherwise() {
    let scene = scene();
    let sides = [skinning(Method::DUAL_QUATERNION), skinning(Method::LINEAR)];
    let (with, without) = (at(40.0, sides.clone()), Settings { frame: Some(40.0), ..Settings::default() });
    let (with, without) = (evaluate(&scene, &with), evaluate(&scene, &without));
    assert!(with.scene == without.scene && with.world_from_transform == without.world_from_transform);
    assert!(with.skinned.keys().eq(without.skinned.keys()));
    for (name, posed) in &with.skinned {
        assert_eq!(posed.positions, without.skinned[name].positions, "{name}");
    }
    // The side under the pointer takes the document's place.
    let mut with = with;
    for pointed in [0, 1] {
        let compared = with.compare.as_mut().unwrap();
        compared.pointed = pointed;
        let side = compared.sides[pointed].clone().unwrap();
        assert!(Arc::ptr_eq(with.instance_skin(INSTANCE, MESH).unwrap(), &side.posed));
        assert!(Arc::ptr_eq(with.shown_skin(MESH).unwrap(), &side.posed));
        assert!(Arc::ptr_eq(with.shown_mesh(MESH).unwrap(), &side.mesh));
    }
    assert!(
        with.instance_skin("Tube instance", "Tube").is_none()
            && without.instance_skin("Tube instance", "Tube").is_some()
    );
    // A missing mesh is not compared.
    let mut gone = scene.clone();
    gone.skinned_meshes.remove(MESH);
    assert!(evaluate(&gone, &at(40.0, sides)).compare.is_none());
}

#[test]
fn an_evaluator_that_goes_on_finds_the_same() {
    let mut evaluator = Evaluator::default();
    let scene = scene();
    let (linear, dual) = (skinning(Method::LINEAR), skinning(Method::DUAL_QUATERNION));
    for (frame, sides) in [
        (3.0, [linear.clone(), dual.clone()]),
        (42.0, [linear.clone(), dual.clone()]),
        (42.0, [dual.clone(), linear.clone()]),
        (42.0, [dual.clone(), dual]),
        (3.0, [linear.clone(), linear]),
    ] {
        let settings = at(frame, sides);
        let kept = sides_of(evaluator.evaluate(&scene, &settings));
        let fresh = sides_of(evaluate(&scene, &settings));
        for side in 0..2 {
            assert_eq!(kept[side].posed.positions, fresh[side].posed.positions);
        }
    }
}

/// A side that cannot be shown does not affect the other; changing one side does not skin the other again.
#[test]
fn the_sides_do_not_depend_on_each_other() {
    let mut evaluator = Evaluator::default();
    let scene = scene();
    let dual = || Some(skinning(Method::DUAL_QUATERNION));
    let half = Some(skinning(Method::try_from(0.5).unwrap()));
    let mut sides = |settings: &Settings| evaluator.evaluate(&scene, settings).compare.unwrap().sides;
    let [none, alone] = sides(&showing(42.0, [None, dual()]));
    let [other, kept] = sides(&showing(42.0, [half, dual()]));
    assert!(none.is_none() && other.is_some());
    assert!(Arc::ptr_eq(&alone.unwrap().posed, &kept.unwrap().posed));

    let lone = showing(0.0, [None, dual()]);
    let both = at(0.0, [skinning(Method::LINEAR), skinning(Method::DUAL_QUATERNION)]);
    let [none, found] = Measurer::new(&scene, &lone).unwrap().measure(42).unwrap();
    let expected = Measurer::new(&scene, &both).unwrap().measure(42).unwrap();
    assert_eq!((none, found), (None, expected[1]));
    let mut curves = Curves::unmeasured(&scene);
    curves.set(42, expected);
    curves.keep([false, true]);
    assert_eq!(curves.frames[42], Some([None, expected[1]]));
}

/// The plot shows what `ossature measure` prints.
#[test]
fn the_curves_are_those_of_the_command() {
    let scene = scene();
    let mut curves = Curves::unmeasured(&scene);
    assert_eq!((curves.first, &curves.frames), (0, &vec![None; 96]));
    let sides = [skinning(Method::LINEAR), skinning(Method::DUAL_QUATERNION)];
    let mut measurer = Measurer::new(&scene, &at(0.0, sides)).unwrap();
    for frame in 0..96 {
        curves.set(frame, measurer.measure(frame).unwrap());
    }
    let folder = Folder::new();
    let file = folder.write("tubes.js3d", &scene);
    for (side, method) in ["linear", "dual-quaternion"].into_iter().enumerate() {
        let printed = json(&["measure", &file, "--mesh", MESH, "--method", method]);
        let rows = printed.as_array().unwrap();
        assert_eq!(rows.len(), curves.frames.len());
        for row in rows {
            let frame = row["frame"].as_u64().unwrap() as usize;
            let found = curves.frames[frame].unwrap()[side].unwrap();
            assert_eq!(row["volume"].as_f64(), found.volume, "{method} {frame}");
            assert_eq!(row["stretch"].as_f64(), Some(found.stretch), "{method} {frame}");
        }
    }
    // Without keys there is nothing to play.
    let mut still = scene;
    still.animation = Arc::default();
    assert!(Curves::unmeasured(&still).frames.is_empty());
}

#[test]
fn values_that_are_held_count_in_the_curves_too() {
    let scene = scene();
    let mut unkeyed = ChannelSet::default();
    for (name, channels) in &scene.animation.channels {
        for channel in channels.keys() {
            unkeyed.insert(ChannelRef::new(name, channel));
        }
    }
    let settings =
        Settings { unkeyed: Arc::new(unkeyed), ..at(0.0, [Variant::default(), skinning(Method::LINEAR)]) };
    let [left, _] = Measurer::new(&scene, &settings).unwrap().measure(42).unwrap();
    assert!((left.unwrap().volume.unwrap() - 1.0).abs() < 1e-5, "{left:?}");
}

#[test]
fn the_character_is_found_after_deleting_and_renaming() {
    let mut session = Session::new(scene(), None);
    let names = |session: &Session, last: Option<&str>| {
        compared_instance(session, last).map(|(instance, mesh)| (instance.to_owned(), mesh.to_owned()))
    };
    let pair = |instance: &str, mesh: &str| Some((instance.to_owned(), mesh.to_owned()));
    assert_eq!(names(&session, None), pair("Tube instance", "Tube"));
    assert_eq!(names(&session, Some(INSTANCE)), pair(INSTANCE, MESH));
    let instance = InstanceRef { kind: InstanceKind::SkinnedMesh, name: INSTANCE.into() };
    let selection = Selection::from_instance(session.scene(), &instance);
    session.select(selection);
    assert_eq!(names(&session, None), pair(INSTANCE, MESH));
    let thing = ObjectRef { kind: Kind::Instance(InstanceKind::SkinnedMesh), name: INSTANCE.into() };
    let rename = Command::Rename { object: thing.clone(), name: "Snake".into() };
    session.apply(&[rename]).unwrap();
    assert_eq!(names(&session, Some(INSTANCE)), pair("Snake", MESH));
    let delete = Command::Delete { object: ObjectRef { name: "Snake".into(), ..thing }, with_data: true };
    session.apply(&[delete]).unwrap();
    assert_eq!(names(&session, Some("Snake")), pair("Tube instance", "Tube"));
    let tube = InstanceRef { kind: InstanceKind::SkinnedMesh, name: "Tube instance".into() };
    session.apply(&[Command::show(&tube, false)]).unwrap();
    assert_eq!(names(&session, None), None);
}

#[test]
fn captions_say_in_what_the_sides_differ() {
    let scene = scene();
    let mesh = &scene.skinned_meshes[MESH];
    let side = |skinning, weights| SideChoice { skinning, weights };
    let heat = Some(method::Method::heat(Some(4)));
    let cases = [
        (CompareSettings::default().sides, ["Linear blend", "Dual quaternions"]),
        ([side(None, None), side(None, heat)], ["Stored weights", "Heat diffusion, 4 bones per vertex"]),
        ([side(None, None), side(None, None)], ["Linear blend", "Linear blend"]),
        (
            [side(None, None), side(Method::try_from(0.5).ok(), heat)],
            ["Linear blend, stored weights", "50 % dual quaternions, heat diffusion, 4 bones per vertex"],
        ),
    ];
    for (sides, expected) in cases {
        assert_eq!(captions(&sides, mesh), expected);
    }
}
