//! Rendering: the pictures, the files made from them, and the dialog in the window.

use super::support::*;
use ossature::anim::sound::Sound;
use ossature::edit::command::Command;
use ossature::edit::render::{Background, Files, Format, Overlays, RenderSettings, Viewpoint};
use ossature::edit::select::selection::Selection;
use ossature::editor::render::{Job, RenderError, Renderer, render};
use ossature::io::js3d;
use ossature::scene::Scene;
use ossature::scene::instance::CameraInstance;
use ossature::scene::names::{Kind, ObjectRef};
use ossature::scene::property::PropertyValue;
use ossature::scene::resource::{Camera, Film, Transform};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

fn walk() -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human-walk.js3d");
    js3d::read_file(&path).unwrap().0
}

fn job(scene: Scene, format: Format, output: &Path) -> Job {
    Job {
        selection: Selection::from_mesh(&scene, MESH),
        scene,
        path: None,
        settings: RenderSettings {
            frames: [4, 6],
            step: 1,
            size: [96, 80],
            eye: Viewpoint::Framed(None),
            background: Background::default(),
            overlays: Overlays::ALL,
            format,
            output: output.into(),
        },
        ik: Some(Default::default()),
        xray: true,
        bone_look: Default::default(),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn goes_on(job: &Job) -> ossature::editor::render::Rendered {
    render(job, false, &mut |_| true).unwrap()
}

#[test]
fn file_k_shows_frame_k_whatever_else_is_rendered() {
    let Some(_turn) = Turn::take() else { return };
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    let done = goes_on(&job(walk(), Format::Png, &whole));
    assert_eq!((done.frames, done.replaced), (3, 0));
    assert_eq!(names(&whole), ["0004.png", "0005.png", "0006.png"], "the last is there");
    let bytes = |folder: &Path, frame: u32| fs::read(folder.join(format!("{frame:04}.png"))).unwrap();
    assert_ne!(bytes(&whole, 4), bytes(&whole, 5));
    assert_ne!(bytes(&whole, 5), bytes(&whole, 6));

    // In two runs, the later part first.
    let parts = folder.path().join("parts");
    for frames in [[6, 6], [4, 5]] {
        let mut part = job(walk(), Format::Png, &parts);
        part.settings.frames = frames;
        goes_on(&part);
    }
    for frame in 4..=6 {
        assert!(bytes(&whole, frame) == bytes(&parts, frame), "frame {frame}");
    }

    // A scene that is static, in the pose of the frame.
    let mut start = ossature::editor::Start::with_scene(walk(), None);
    start.session.set_frame(5.0);
    let mut still = walk();
    still.skinned_meshes = start.session.animated().skinned_meshes.clone();
    Arc::make_mut(&mut still.animation).channels.clear();
    let mut five = job(walk(), Format::Png, &whole);
    // Framing depends on the motion, so use the same viewpoint for both.
    five.settings.eye = Viewpoint::At(Default::default());
    let mut of_still = job(still, Format::Png, &whole);
    of_still.settings.eye = five.settings.eye.clone();
    of_still.settings.overlays.grid = false;
    five.settings.overlays.grid = false;
    let moving = Renderer::new(&five, false).frame(5).unwrap();
    let standing = Renderer::new(&of_still, false).frame(0).unwrap();
    assert!(moving.rgba == standing.rgba);
}

/// The selection determines which bones overlays show; it has no outline in a picture.
#[test]
fn a_selection_leaves_no_mark_without_overlays() {
    let Some(_turn) = Turn::take() else { return };
    let folder = TempDir::new().unwrap();
    let [selected, nothing] = [true, false].map(|selected| {
        let folder = folder.path().join(selected.to_string());
        let mut job = job(walk(), Format::Png, &folder);
        job.settings.frames = [4, 4];
        job.settings.overlays = Overlays::default();
        if !selected {
            job.selection = Selection::default();
        }
        goes_on(&job);
        fs::read(folder.join("0004.png")).unwrap()
    });
    assert!(selected == nothing);
}

/// Everything that becomes visible, moves or changes its look at a frame is drawn in that very frame.
#[test]
fn frames_do_not_depend_on_those_before() {
    let Some(_turn) = Turn::take() else { return };
    let mut scene = walk();
    scene.instances.cameras.insert("Eye".into(), Arc::new(camera_instance()));
    scene.cameras.insert("Lens".into(), Arc::new(lens()));
    scene.transforms.insert(
        "Stand".into(),
        Arc::new(Transform { translation: glam::Vec3::new(0.0, 3.0, 16.0), ..Transform::default() }),
    );
    let mut session = ossature::edit::session::Session::new(scene, None);
    session.set_auto_key(true);
    // The character is visible only at frame 2, and the camera moves.
    for (frame, visible, x) in [(0.0, false, -1.0), (2.0, true, 1.0), (3.0, false, 2.0)] {
        session.set_frame(frame);
        let instance = ossature::scene::instance::InstanceRef {
            kind: ossature::scene::instance::InstanceKind::SkinnedMesh,
            name: INSTANCE.into(),
        };
        let at = PropertyValue::Vec3(glam::Vec3::new(x, 3.0, 16.0));
        let stand = ObjectRef::new(Kind::Transform, "Stand");
        let show = Command::show(&instance, visible);
        session.apply(&[show, Command::set(stand, "translation", at)]).unwrap();
    }
    let scene = session.scene().clone();
    let mut job = job(scene, Format::Png, Path::new("never"));
    job.settings.eye = Viewpoint::Camera("Eye".into());
    let mut one = Renderer::new(&job, false);
    let forth: Vec<_> = (0..5).map(|frame| one.frame(frame).unwrap()).collect();
    let back: Vec<_> = (0..5).rev().map(|frame| one.frame(frame).unwrap()).collect();
    for (frame, (a, b)) in forth.iter().zip(back.iter().rev()).enumerate() {
        assert!(a.rgba == b.rgba, "frame {frame} forth and back");
        let alone = Renderer::new(&job, false).frame(frame as u32).unwrap();
        assert!(a.rgba == alone.rgba, "frame {frame} alone");
    }
    assert!(forth[1].rgba != forth[2].rgba && forth[2].rgba != forth[3].rgba);
}

fn lens() -> Camera {
    Camera {
        vertical_fov: 30.0,
        aspect_ratio: 1.5,
        near_plane: 0.1,
        aperture_shape: 1,
        aperture_size: 0.0,
        focal_dist: 1.0,
        film: Film { width: 300, height: 200, samples: 1, max_ray_depth: 1, sample_pattern: "Center".into() },
        extra: Default::default(),
    }
}

fn camera_instance() -> CameraInstance {
    CameraInstance {
        transform: Some("Stand".into()),
        camera: Some("Lens".into()),
        ..CameraInstance::default()
    }
}

/// A ball at a known place, seen through a camera of the scene: its place in the picture follows from angle
/// and distance alone.
#[test]
fn a_camera_of_the_scene_has_its_own_angle() {
    let Some(_turn) = Turn::take() else { return };
    use ossature::scene::instance::GeometryInstance;
    use ossature::scene::resource::Shape;
    let mut scene = Scene::default();
    let place = |x, y, z, turn: f32| {
        Arc::new(Transform {
            translation: glam::Vec3::new(x, y, z),
            rotation: glam::Quat::from_rotation_y(turn),
            ..Transform::default()
        })
    };
    // The camera looks along -x after a quarter turn to the left: the ball is 10 ahead and 1 to its right
    // (-z).
    scene.transforms.insert("Stand".into(), place(10.0, 1.0, 0.0, 90f32.to_radians()));
    scene.transforms.insert("Ball".into(), place(0.0, 1.0, -1.0, 0.0));
    scene.cameras.insert("Lens".into(), Arc::new(lens()));
    scene.instances.cameras.insert("Eye".into(), Arc::new(camera_instance()));
    let shape = Shape { radius: 0.1, extra: Default::default() };
    scene.shapes.insert("Shape".into(), Arc::new(shape));
    let ball = GeometryInstance {
        transform: Some("Ball".into()),
        resource: Some("Shape".into()),
        ..GeometryInstance::default()
    };
    scene.instances.shapes.insert("Ball".into(), Arc::new(ball));
    let mut job = job(scene, Format::Png, Path::new("never"));
    job.settings.eye = Viewpoint::Camera("Eye".into());
    job.settings.overlays = Overlays::default();
    job.settings.background = Background::Transparent;
    // Aspect ratios equal to the camera's, wider, and narrower.
    for [width, height] in [[300, 200], [400, 200], [200, 200]] {
        job.settings.size = [width, height];
        let picture = Renderer::new(&job, false).frame(0).unwrap();
        let seen = (0..width * height).filter(|i| picture.rgba[*i as usize * 4 + 3] == 255);
        let (sum, count) = seen.fold(([0.0, 0.0], 0.0), |([x, y], n), i| {
            ([x + f64::from(i % width) + 0.5, y + f64::from(i / width) + 0.5], n + 1.0)
        });
        let middle = sum.map(|s| s / count);
        // Pixels per unit of the tangent: from the height, or from the width where that is the tighter bound.
        let half = 15f64.to_radians().tan();
        let scale = (f64::from(height) / (2.0 * half)).min(f64::from(width) / (2.0 * half * 1.5));
        let expected = [f64::from(width) / 2.0 + scale * 0.1, f64::from(height) / 2.0];
        for axis in 0..2 {
            let off = (middle[axis] - expected[axis]).abs();
            assert!(off < 0.6, "{width}x{height}: {middle:?}, expected {expected:?}");
        }
        let area = std::f64::consts::PI * (scale * 0.01).powi(2);
        assert!((count / area - 1.0).abs() < 0.35, "{count} pixels, expected {area}");
    }
}

#[test]
fn a_transparent_picture_keeps_its_colours() {
    let Some(_turn) = Turn::take() else { return };
    let mut job = job(walk(), Format::Png, Path::new("never"));
    job.settings.overlays = Overlays::default();
    let mut on = |background| {
        job.settings.background = background;
        Renderer::new(&job, false).frame(4).unwrap().rgba
    };
    let clear = on(Background::Transparent);
    let (black, green) = (on(Background::Color([0; 3])), on(Background::Color([0, 255, 0])));
    assert_eq!(clear[..4], [0; 4], "a corner");
    assert_eq!(black[..4], [0, 0, 0, 255]);
    assert_eq!(green[..4], [0, 255, 0, 255]);
    let mut edges = 0;
    for ((clear, black), green) in clear.chunks(4).zip(black.chunks(4)).zip(green.chunks(4)) {
        if clear[3] == 255 {
            assert!(clear == black && clear == green);
        } else if clear[3] > 100 {
            edges += 1;
            // Composites red over black in linear light, like the graphics card.
            let linear = |c: u8| ossature::math::colormap::linear_from_srgb(f32::from(c) / 255.0);
            let over = linear(clear[0]) * f32::from(clear[3]) / 255.0;
            let back = ossature::math::colormap::srgb_from_linear(over) * 255.0;
            assert!((back - f32::from(black[0])).abs() < 2.5, "{clear:?} {black:?}");
        }
    }
    assert!(edges > 20, "edges are smooth: {edges}");
}

#[test]
fn a_gif_has_all_frames_and_their_time() {
    let Some(_turn) = Turn::take() else { return };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("walk.gif");
    let mut job = job(walk(), Format::Gif, &path);
    job.settings.frames = [0, 9];
    let mut told = Vec::new();
    let done = render(&job, false, &mut |progress| {
        told.push((progress.done, progress.total, progress.picture.is_some()));
        assert!(!path.exists());
        true
    });
    assert_eq!(done.unwrap().files, Files::One(path.clone()));
    assert!(told.ends_with(&[(9, 10, true), (10, 10, true)]), "{told:?}");
    let mut decoder = gif::DecodeOptions::new().read_info(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (96, 80));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    // At 24 frames a second, ten frames take 41.7 hundredths of a second.
    assert_eq!((delays.len(), delays.iter().sum::<u16>()), (10, 42));
    assert_eq!(names(folder.path()), ["walk.gif"]);
}

#[test]
fn what_is_stopped_leaves_only_whole_files() {
    let Some(_turn) = Turn::take() else { return };
    for format in Format::ALL {
        if format == Format::Mp4 && !has_ffmpeg() {
            continue;
        }
        let folder = TempDir::new().unwrap();
        let output = match format {
            Format::Png => folder.path().to_owned(),
            format => folder.path().join(format!("walk.{}", format.extension())),
        };
        let stopped = render(&job(walk(), format, &output), false, &mut |progress| progress.done < 2);
        assert_eq!(stopped, Err(RenderError::Stopped(2)), "{format:?}");
        let left: &[&str] = match format {
            Format::Png => &["0004.png", "0005.png"],
            _ => &[],
        };
        assert_eq!(names(folder.path()), left, "{format:?}");
        for name in left {
            image::open(folder.path().join(name)).unwrap();
        }
    }
}

fn has_ffmpeg() -> bool {
    std::process::Command::new("ffmpeg").arg("-version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn an_mp4_has_all_frames() {
    let Some(_turn) = Turn::take() else { return };
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("walk.mp4");
    let job = job(walk(), Format::Mp4, &path);
    let done = render(&job, false, &mut |_| true);
    if !has_ffmpeg() {
        let Err(RenderError::Failed(error)) = done else { panic!("{done:?}") };
        assert!(error.contains("install it"), "{error}");
        assert_eq!(names(folder.path()), [""; 0]);
        return;
    }
    done.unwrap();
    assert_eq!(names(folder.path()), ["walk.mp4"]);
    let read = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&path)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .unwrap();
    assert_eq!(read.stdout.len(), 3 * 96 * 80 * 3, "three frames of 96x80");
    // A corner has the background's colour in all frames.
    for frame in read.stdout.chunks(96 * 80 * 3) {
        let near = frame[..3].iter().zip(Background::WINDOW).all(|(a, b)| a.abs_diff(b) <= 8);
        assert!(near, "{:?}", &frame[..3]);
    }
}

/// The fixture is silent for half a second, and then loud.
#[test]
fn an_mp4_has_the_sound_of_its_frames() {
    if !has_ffmpeg() {
        return;
    }
    let Some(_turn) = Turn::take() else { return };
    // Frame 4 is in the middle of the sound, at its beginning, before it; or it begins after the last frame, or is muted.
    for (start, muted, expected) in [
        (-8.0, false, Some(8000..=i16::MAX)),
        (4.0, false, Some(0..=3000)),
        (6.0, false, Some(0..=3000)),
        (9.0, false, None),
        (0.0, true, None),
    ] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("walk.mp4");
        let mut job = job(walk(), Format::Mp4, &path);
        job.path = Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scene.js3d"));
        let sound = Sound { muted, ..Sound::new("half.ogg", start) };
        Arc::make_mut(&mut job.scene.animation).sound = Some(sound);
        render(&job, false, &mut |_| true).unwrap();
        let read = std::process::Command::new("ffmpeg")
            .args(["-v", "error", "-i"])
            .arg(&path)
            .args(["-map", "0:a?", "-f", "s16le", "-ac", "1", "-"])
            .output()
            .unwrap();
        let samples = read.stdout.as_chunks::<2>().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
        let loudest = samples.map(i16::saturating_abs).max();
        match expected {
            Some(range) => {
                assert!(loudest.is_some_and(|loudest| range.contains(&loudest)), "{start}: {loudest:?}")
            }
            None => assert_eq!(loudest, None),
        }
    }
}

/// A limit on file size stands in for a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_and_leaves_nothing() {
    let Some(_turn) = Turn::take() else { return };
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d/A4-human-walk.js3d");
    for output in ["walk.gif", "walk.mp4", "frames/%04d.png"] {
        if output.ends_with("mp4") && !has_ffmpeg() {
            continue;
        }
        let folder = TempDir::new().unwrap();
        let script =
            "ulimit -f 16; exec \"$0\" render \"$1\" --size 480x400 --frames 0..4 -o \"$2\" --overlays";
        let run = std::process::Command::new("bash")
            .args(["-c", script, env!("CARGO_BIN_EXE_ossature")])
            .arg(&scene)
            .arg(output)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{output}: {error}");
        assert!(error.contains("File too large"), "{output}: {error}");
        assert!(!error.contains("SIGXFSZ"), "{output}: {error}");
        let inside = folder.path().join("frames");
        let left = if inside.is_dir() { names(&inside) } else { names(folder.path()) };
        assert_eq!(left, [""; 0], "{output}");
    }
}

#[test]
fn a_folder_that_cannot_be_is_said_before_anything_is_drawn() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), b"x").unwrap();
    let output = folder.path().join("file/frames");
    for format in [Format::Png, Format::Gif] {
        let done = render(&job(walk(), format, &output), false, &mut |_| panic!("it draws"));
        let Err(RenderError::Failed(error)) = done else { panic!("{done:?}") };
        assert!(error.contains("file"), "{error}");
    }
    let mut other = job(walk(), Format::Png, &folder.path().join("frames"));
    other.settings.eye = Viewpoint::Camera("Nobody".into());
    let done = render(&other, false, &mut |_| panic!("it draws"));
    assert!(done.is_err_and(|e| e.to_string().contains("“Nobody”")));
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn the_window_renders_while_the_document_is_edited() {
    let Some(mut person) = Person::with_scene(960, 640, walk()) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("w-%04d.png");
    person.app.key(bevy_egui::egui::Key::F12, CTRL);
    assert!(person.app.widget("Render animation").is_some());
    person.editor().panels.render.output = output.display().to_string();
    for size in ["Width", "Height"] {
        assert!(person.app.click_label(size), "{size}");
        person.app.key(bevy_egui::egui::Key::A, CTRL);
        person.app.text("64");
        person.app.key(bevy_egui::egui::Key::Enter, Default::default());
    }
    let before = person.bytes();
    assert!(person.app.click_label("Render"));
    assert!(!person.editor().panels.render.open);
    assert_eq!(person.bytes(), before);
    // An edit does not affect the pictures.
    let mesh = person.scene().skinned_meshes.keys().next().unwrap().clone();
    let other = ossature::edit::command::Command::SetSkinning {
        mesh,
        method: ossature::rig::skinning::Method::DUAL_QUATERNION,
    };
    person.editor().session.apply(&[other]).unwrap();
    for _ in 0..3000 {
        if person.editor().panels.render.progress.is_none() {
            break;
        }
        person.app.frames(1);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let messages = person.messages();
    assert!(messages.iter().any(|m| m.starts_with("Rendered 24 frames")), "{messages:?}");
    assert_eq!(names(folder.path()).len(), 24);
    let mut alone = job(walk(), Format::Png, &folder.path().join("alone"));
    alone.settings.frames = [23, 23];
    alone.settings.size = [64, 64];
    alone.settings.eye = Viewpoint::At(person.editor().viewport.camera);
    alone.settings.overlays = Overlays { grid: true, floor: true, ..Overlays::default() };
    goes_on(&alone);
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("w-0023.png") == bytes("alone/0023.png"));

    // The second time it asks first.
    person.app.key(bevy_egui::egui::Key::F12, CTRL);
    assert!(person.app.click_label("Render"));
    person.app.frames(2);
    assert!(person.app.widget("Replace the files?").is_some());
}
