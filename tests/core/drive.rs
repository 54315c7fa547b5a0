//! Every channel of the format sets its member and nothing else.

use glam::{Quat, Vec3};
use ossature::anim::channel::{Animation, Channel, ChannelRef, Value};
use ossature::anim::channel_set::ChannelSet;
use ossature::anim::spline::Spline;
use ossature::rig::skeleton::{Bone, Handle, Skeleton};
use ossature::scene::apply_animation::{Animator, animate as animated_scene};
use ossature::scene::channels;
use ossature::scene::instance::{GeometryInstance, LightInstance, ParticlesInstance};
use ossature::scene::resource::*;
use ossature::scene::skinned::SkinnedMesh;
use ossature::scene::{Scene, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn table<T>(entries: impl IntoIterator<Item = (&'static str, T)>) -> Table<T> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), Arc::new(value))).collect()
}

fn delta(kind: DeltaLightKind) -> DeltaLight {
    DeltaLight { kind, color: Vec3::ONE, intensity: 1.0, extra: Default::default() }
}

fn material(kind: MaterialKind) -> Material {
    Material { kind, extra: Default::default() }
}

fn texture(kind: TextureKind) -> Texture {
    Texture { kind, extra: Default::default() }
}

fn scene() -> Scene {
    let mut scene = Scene {
        transforms: table([(
            "transform",
            Transform {
                parent: None,
                translation: Vec3::ZERO,
                rotation: Quat::IDENTITY,
                scale: Vec3::ONE,
                extra: Default::default(),
            },
        )]),
        cameras: table([(
            "camera",
            Camera {
                vertical_fov: 60.0,
                aspect_ratio: 1.5,
                near_plane: 0.1,
                aperture_shape: 1,
                aperture_size: 0.0,
                focal_dist: 1.0,
                film: Film {
                    width: 1,
                    height: 1,
                    samples: 1,
                    max_ray_depth: 1,
                    sample_pattern: "Center".into(),
                },
                extra: Default::default(),
            },
        )]),
        skinned_meshes: table([("skinned", skinned())]),
        shapes: table([("shape", Shape { radius: 1.0, extra: Default::default() })]),
        particles: table([(
            "particles",
            Particles {
                gravity: Vec3::ZERO,
                radius: 0.1,
                initial_velocity: 5.0,
                spread_angle: 0.0,
                lifetime: 2.5,
                rate: 10.0,
                step_size: 0.01,
                seed: 1,
                particles: Vec::new(),
                extra: Default::default(),
            },
        )]),
        textures: table([
            ("constant", texture(TextureKind::Constant { color: Vec3::ONE, scale: 1.0 })),
            ("image", texture(TextureKind::Image { sampler: "nearest".into(), image: "x".into() })),
        ]),
        materials: table([
            ("refract", material(MaterialKind::Refract { transmittance: None, ior: 1.5 })),
            ("glass", material(MaterialKind::Glass { transmittance: None, reflectance: None, ior: 1.5 })),
            ("mirror", material(MaterialKind::Mirror { reflectance: None })),
        ]),
        delta_lights: table([
            ("point", delta(DeltaLightKind::Point)),
            ("spot", delta(DeltaLightKind::Spot { inner_angle: 30.0, outer_angle: 45.0 })),
        ]),
        ..Scene::default()
    };
    let light = || LightInstance { transform: None, light: None, visible: true, extra: Default::default() };
    scene.instances.meshes = table([("mesh instance", GeometryInstance::default())]);
    scene.instances.skinned_meshes = table([("skinned instance", GeometryInstance::default())]);
    scene.instances.shapes = table([("shape instance", GeometryInstance::default())]);
    scene.instances.delta_lights = table([("delta instance", light())]);
    scene.instances.env_lights = table([("env instance", light())]);
    scene.instances.particles = table([(
        "particles instance",
        ParticlesInstance {
            transform: None,
            mesh: None,
            material: None,
            particles: None,
            visible: true,
            wireframe: true,
            simulate_here: true,
            extra: Default::default(),
        },
    )]);
    scene
}

/// Returns a skinned mesh whose channel ids differ from its indices.
fn skinned() -> SkinnedMesh {
    let bone = |channel_id| Bone { channel_id, ..Bone::default() };
    let handle =
        |channel_id| Handle { bone: 0, target: Vec3::ZERO, enabled: true, channel_id, ..Handle::default() };
    SkinnedMesh {
        skeleton: Arc::new(Skeleton {
            bones: vec![bone(7), bone(0)],
            handles: vec![handle(5), handle(2)],
            ..Skeleton::default()
        }),
        ..SkinnedMesh::default()
    }
}

fn animate(scene: &Scene, channels: &[(&str, &str, Channel)]) -> Scene {
    let mut animation = Animation::default();
    for (resource, channel, spline) in channels {
        let of_resource: &mut BTreeMap<_, _> = animation.channels.entry((*resource).into()).or_default();
        of_resource.insert((*channel).into(), Arc::new(spline.clone()));
    }
    Scene { animation: Arc::new(animation), ..scene.clone() }
}

fn float(value: f32) -> Channel {
    Channel::Float(Spline::from_knots(vec![(0.0, value - 1.0), (10.0, value)]))
}

fn vec3() -> Channel {
    Channel::Vec3(Spline::from_knots(vec![(0.0, Vec3::ZERO), (10.0, V)]))
}

fn spectrum() -> Channel {
    Channel::Spectrum(Spline::from_knots(vec![(0.0, Vec3::ZERO), (10.0, V)]))
}

fn off() -> Channel {
    Channel::Bool(Spline::from_knots(vec![(0.0, true), (10.0, false)]))
}

const V: Vec3 = Vec3::new(0.25, -3.0, 8.0);

/// Each channel of the table in section 9, alone, with the member that it must set.
#[test]
fn every_channel_reaches_its_member_and_only_that() {
    type Expect = fn(&mut Scene);
    fn change<T: Clone>(table: &mut Table<T>, name: &str, set: impl FnOnce(&mut T)) {
        set(Arc::make_mut(table.get_mut(name).unwrap()));
    }
    fn skeleton(scene: &mut Scene, set: impl FnOnce(&mut Skeleton)) {
        change(&mut scene.skinned_meshes, "skinned", |m| set(Arc::make_mut(&mut m.skeleton)));
    }
    let turned = Quat::from_rotation_y(0.4);
    let quat = Channel::Quat(Spline::from_knots(vec![(0.0, Quat::IDENTITY), (10.0, turned)]));
    #[rustfmt::skip]
    let cases: Vec<(&str, &str, Channel, Expect)> = vec![
        ("transform", "translation", vec3(), |s| change(&mut s.transforms, "transform", |t| t.translation = V)),
        ("transform", "rotation", quat, |s| change(&mut s.transforms, "transform", |t| t.rotation = Quat::from_rotation_y(0.4))),
        ("transform", "scale", vec3(), |s| change(&mut s.transforms, "transform", |t| t.scale = V)),
        ("camera", "vertical_fov", float(33.0), |s| change(&mut s.cameras, "camera", |c| c.vertical_fov = 33.0)),
        ("camera", "aspect_ratio", float(33.0), |s| change(&mut s.cameras, "camera", |c| c.aspect_ratio = 33.0)),
        ("camera", "near_plane", float(33.0), |s| change(&mut s.cameras, "camera", |c| c.near_plane = 33.0)),
        ("skinned", "base_offset", vec3(), |s| skeleton(s, |k| k.base_offset = V)),
        ("skinned", "bone.0.pose", vec3(), |s| skeleton(s, |k| k.bones[1].pose_deg = V)),
        ("skinned", "bone.7.pose", vec3(), |s| skeleton(s, |k| k.bones[0].pose_deg = V)),
        ("skinned", "bone.7.translation", vec3(), |s| skeleton(s, |k| k.bones[0].translation = V)),
        ("skinned", "bone.7.scale", vec3(), |s| skeleton(s, |k| k.bones[0].scale = V)),
        ("skinned", "handle.5.target", vec3(), |s| skeleton(s, |k| k.handles[0].target = V)),
        ("skinned", "handle.2.enabled", off(), |s| skeleton(s, |k| k.handles[1].enabled = false)),
        ("skinned", "handle.5.weight", float(0.25), |s| skeleton(s, |k| k.handles[0].weight = 0.25)),
        ("shape", "radius", float(33.0), |s| change(&mut s.shapes, "shape", |r| r.radius = 33.0)),
        ("particles", "gravity", vec3(), |s| change(&mut s.particles, "particles", |p| p.gravity = V)),
        ("particles", "radius", float(33.0), |s| change(&mut s.particles, "particles", |p| p.radius = 33.0)),
        ("particles", "initial_velocity", float(33.0), |s| change(&mut s.particles, "particles", |p| p.initial_velocity = 33.0)),
        ("particles", "spread_angle", float(33.0), |s| change(&mut s.particles, "particles", |p| p.spread_angle = 33.0)),
        ("particles", "lifetime", float(33.0), |s| change(&mut s.particles, "particles", |p| p.lifetime = 33.0)),
        ("particles", "rate", float(33.0), |s| change(&mut s.particles, "particles", |p| p.rate = 33.0)),
        ("constant", "color", spectrum(), |s| change(&mut s.textures, "constant", |t| t.kind = TextureKind::Constant { color: V, scale: 1.0 })),
        ("constant", "scale", float(33.0), |s| change(&mut s.textures, "constant", |t| t.kind = TextureKind::Constant { color: Vec3::ONE, scale: 33.0 })),
        ("refract", "ior", float(33.0), |s| change(&mut s.materials, "refract", |m| m.kind = MaterialKind::Refract { transmittance: None, ior: 33.0 })),
        ("glass", "ior", float(33.0), |s| change(&mut s.materials, "glass", |m| m.kind = MaterialKind::Glass { transmittance: None, reflectance: None, ior: 33.0 })),
        ("point", "color", spectrum(), |s| change(&mut s.delta_lights, "point", |l| l.color = V)),
        ("spot", "intensity", float(33.0), |s| change(&mut s.delta_lights, "spot", |l| l.intensity = 33.0)),
        ("spot", "inner_angle", float(33.0), |s| change(&mut s.delta_lights, "spot", |l| l.kind = DeltaLightKind::Spot { inner_angle: 33.0, outer_angle: 45.0 })),
        ("spot", "outer_angle", float(33.0), |s| change(&mut s.delta_lights, "spot", |l| l.kind = DeltaLightKind::Spot { inner_angle: 30.0, outer_angle: 33.0 })),
        ("mesh instance", "visible", off(), |s| change(&mut s.instances.meshes, "mesh instance", |i| i.settings.visible = false)),
        ("skinned instance", "visible", off(), |s| change(&mut s.instances.skinned_meshes, "skinned instance", |i| i.settings.visible = false)),
        ("shape instance", "visible", off(), |s| change(&mut s.instances.shapes, "shape instance", |i| i.settings.visible = false)),
        ("delta instance", "visible", off(), |s| change(&mut s.instances.delta_lights, "delta instance", |i| i.visible = false)),
        ("env instance", "visible", off(), |s| change(&mut s.instances.env_lights, "env instance", |i| i.visible = false)),
        ("particles instance", "visible", off(), |s| change(&mut s.instances.particles, "particles instance", |i| i.visible = false)),
        ("particles instance", "wireframe", off(), |s| change(&mut s.instances.particles, "particles instance", |i| i.wireframe = false)),
        ("particles instance", "simulate_here", off(), |s| change(&mut s.instances.particles, "particles instance", |i| i.simulate_here = false)),
    ];
    let mut driven_ones = BTreeSet::new();
    for (resource, channel, spline, expect) in cases {
        let animated = animate(&scene(), &[(resource, channel, spline.clone())]);
        let mut expected = animated.clone();
        expect(&mut expected);
        assert_ne!(expected, animated, "{resource} {channel}");
        let out = animated_scene(&animated, 10.0);
        assert_eq!(out, expected, "{resource} {channel}");
        // Reading back finds the driven value and no other difference.
        let (name, value) = (ChannelRef::new(resource, channel), spline.at(10.0).unwrap());
        assert_eq!(channels::value(&out, &name), Some(value), "{name:?}");
        assert_eq!(channels::values(&out, resource)[channel], value, "{name:?}");
        let undriven = channels::all(&out).into_iter().filter(|channel| *channel != name);
        for other in undriven {
            assert_eq!(channels::value(&animated, &other), channels::value(&out, &other), "{other:?}");
        }
        driven_ones.insert(name);
    }
    // Members of the same kind without a case of their own.
    let others = [
        ("point", "intensity"),
        ("spot", "color"),
        ("skinned", "bone.0.translation"),
        ("skinned", "bone.0.scale"),
        ("skinned", "handle.2.target"),
        ("skinned", "handle.5.enabled"),
        ("skinned", "handle.2.weight"),
        ("skinned", "handle.2.stretch"),
        ("skinned", "handle.5.stretch"),
    ];
    driven_ones.extend(others.map(|(resource, channel)| ChannelRef::new(resource, channel)));
    assert_eq!(channels::all(&scene()), driven_ones.into_iter().collect::<Vec<_>>());
}

/// Unkeyed channels drive nothing; hints of other frames and scenes change nothing.
#[test]
fn held_channels_keep_the_stored_value_and_order_does_not_matter() {
    let animated = animate(
        &scene(),
        &[
            ("skinned", "bone.7.pose", vec3()),
            ("transform", "translation", vec3()),
            ("shape", "radius", float(4.0)),
        ],
    );
    let unkeyed: ChannelSet = [ChannelRef::new("transform", "translation")].into_iter().collect();
    let mut animator = Animator::default();
    for frame in [3.0, 10.0, 0.0, 7.5, 7.6, 99.0, -1.0, 2.0] {
        let out = animator.animate(&animated, frame, &unkeyed);
        let mut expected = animated_scene(&animated, frame);
        let transform = animated.transforms["transform"].clone();
        expected.transforms.insert("transform".into(), transform);
        assert_eq!(out, expected, "{frame}");
        animator.animate(&scene(), frame, &unkeyed);
        assert_eq!(
            animator.animate(&animated, frame, &ChannelSet::default()),
            animated_scene(&animated, frame)
        );
    }
}

/// If bones in a file share an id, all are driven and the first is read.
#[test]
fn bones_of_one_id_share_their_channel() {
    let mut scene = scene();
    let mut mesh = (*scene.skinned_meshes["skinned"]).clone();
    Arc::make_mut(&mut mesh.skeleton).bones[1].channel_id = 7;
    scene.skinned_meshes.insert("skinned".into(), Arc::new(mesh));
    let out = animated_scene(&animate(&scene, &[("skinned", "bone.7.pose", vec3())]), 10.0);
    let bones = &out.skinned_meshes["skinned"].skeleton.bones;
    assert_eq!((bones[0].pose_deg, bones[1].pose_deg), (V, V));
    assert_eq!(channels::value(&out, &ChannelRef::new("skinned", "bone.7.pose")), Some(Value::Vec3(V)));
}

#[test]
fn channels_without_target_or_of_another_type_do_nothing() {
    for (resource, channel, spline) in [
        ("nobody", "translation", vec3()),
        ("transform", "pose", vec3()),
        ("transform", "translation", spectrum()),
        ("transform", "translation", float(3.0)),
        ("transform", "rotation", vec3()),
        ("skinned", "bone.7.pose", float(3.0)),
        ("skinned", "bone.1.pose", vec3()),
        ("skinned", "handle.5.target", off()),
        ("skinned", "handle.5.enabled", vec3()),
        ("image", "scale", float(3.0)),
        ("image", "color", spectrum()),
        ("mirror", "ior", float(3.0)),
        ("point", "inner_angle", float(3.0)),
        ("point", "color", vec3()),
        ("camera", "visible", off()),
        ("transform", "translation", Channel::Vec3(Spline::default())),
    ] {
        let animated = animate(&scene(), &[(resource, channel, spline)]);
        let out = animated_scene(&animated, 10.0);
        assert_eq!(out, animated, "{resource} {channel}");
        // The data is not even copied.
        assert!(Arc::ptr_eq(&out.skinned_meshes["skinned"], &animated.skinned_meshes["skinned"]));
        assert!(Arc::ptr_eq(&out.transforms["transform"], &animated.transforms["transform"]));
    }
}

#[test]
fn only_what_changes_is_copied() {
    let animated = animate(&scene(), &[("skinned", "bone.7.pose", vec3()), ("shape", "radius", float(1.0))]);
    let out = animated_scene(&animated, 10.0);
    assert!(Arc::ptr_eq(&out.shapes["shape"], &animated.shapes["shape"]));
    let (new, old) = (&out.skinned_meshes["skinned"], &animated.skinned_meshes["skinned"]);
    assert!(Arc::ptr_eq(&new.surface, &old.surface) && Arc::ptr_eq(&new.weights, &old.weights));
    assert!(!Arc::ptr_eq(&new.skeleton, &old.skeleton));
    // The scene from before driving is unchanged.
    assert_eq!(old.skeleton.bones[0].pose_deg, Vec3::ZERO);
}

#[test]
fn a_name_in_several_maps_drives_each() {
    let mut scene = scene();
    let light = scene.delta_lights["point"].clone();
    scene.delta_lights.insert("shape".into(), light);
    let animated = animate(&scene, &[("shape", "radius", float(4.0)), ("shape", "intensity", float(6.0))]);
    let out = animated_scene(&animated, 10.0);
    assert_eq!(out.shapes["shape"].radius, 4.0);
    assert_eq!(out.delta_lights["shape"].intensity, 6.0);
}
