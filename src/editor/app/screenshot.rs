//! `ossature screenshot`: draws the real window into an image.

use crate::edit::action::Action;
use crate::edit::compare::CompareSettings;
use crate::edit::request::Request;
use crate::edit::select::selection::{Part, Selection};
use crate::edit::settings::view::{BoneLook, Tab};
use crate::editor::app::jobs::comparing::Comparing;
use crate::editor::app::offscreen::Offscreen;
use crate::editor::app::start::Start;
use crate::editor::headless::{NO_ADAPTER, adapter_available};
use crate::io::durable;
use crate::scene::Scene;
use crate::scene::instance::InstanceRef;
use std::path::PathBuf;

/// The contents of the window in the picture.
pub struct Screenshot {
    /// The file of the scene, which the title names.
    pub file: PathBuf,
    pub output: PathBuf,
    pub tab: Tab,
    /// The names to select, in order: skinned meshes, instances, or parts of the selected mesh.
    pub select: Vec<String>,
    /// The action that turns the view to a side.
    pub view: Option<Action>,
    pub weights_view: bool,
    pub bone_look: BoneLook,
    pub rainbow: bool,
    pub frame: Option<f32>,
    /// Whether keys are shown as curves.
    pub curves: bool,
    pub compare: CompareSettings,
    /// The size in pixels.
    pub size: (u32, u32),
}

/// Shows the scene, selects, and writes the picture.
pub fn run(args: &Screenshot, scene: Scene) -> Result<(), String> {
    let mut start = Start::with_scene(scene, Some(args.file.clone()));
    start.settings.tab = args.tab;
    (start.settings.display.weights_view, start.settings.display.rainbow) = (args.weights_view, args.rainbow);
    start.settings.compare = args.compare;
    start.settings.display.bone_look = args.bone_look;
    if let Some(frame) = args.frame {
        start.session.set_frame(frame);
    }
    for name in &args.select {
        let selection = select(start.session.scene(), start.session.selection(), name)?;
        start.session.select(selection);
    }
    if !adapter_available() {
        return Err(NO_ADAPTER.into());
    }
    let (width, height) = args.size;
    let mut app = Offscreen::new(width, height, 1.0, start);
    if args.curves {
        app.editor().panels.timeline.show_curves();
    }
    while app.world().resource::<Comparing>().is_busy() {
        std::thread::sleep(std::time::Duration::from_millis(10));
        app.frames(1);
    }
    if let Some(view) = args.view {
        // The window must know its size before the view can be turned.
        app.frames(1);
        let request = Request::Act(view);
        app.editor().requests.push(request);
    }
    // Lets shaders and shadows settle.
    app.frames(3);
    let picture = app.picture().ok_or("the picture did not come back from the graphics card")?;
    let image = image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba)
        .ok_or("the picture has an unexpected format")?;
    let rgb = image::DynamicImage::ImageRgba8(image).into_rgb8();
    let mut bytes = std::io::Cursor::new(Vec::new());
    rgb.write_to(&mut bytes, image::ImageFormat::Png).map_err(|error| error.to_string())?;
    let saved = durable::save(&args.output, bytes.get_ref());
    saved.map(drop).map_err(|error| error.to_string())
}

/// Selects what `name` names: a skinned mesh, an instance, or a part of the skinned mesh selected so far.
fn select(scene: &Scene, current: &Selection, name: &str) -> Result<Selection, String> {
    if scene.skinned_meshes.contains_key(name) {
        return Ok(Selection::from_mesh(scene, name));
    }
    let mut placed = scene.instances.all().into_iter();
    if let Some(found) = placed.find(|instance| instance.name == name) {
        let (kind, name) = (found.kind, name.to_owned());
        return Ok(Selection::from_instance(scene, &InstanceRef { kind, name }));
    }
    let skinned = current.mesh.as_ref().and_then(|mesh| scene.skinned_meshes.get(mesh));
    let skeleton = skinned.map(|skinned| &skinned.skeleton).ok_or_else(|| {
        format!("“{name}” is not a skinned mesh or instance of this scene, and no skinned mesh is selected")
    })?;
    let bone = (0..skeleton.bones.len())
        .find(|&i| skeleton.bone_name(i) == name)
        .or_else(|| name.parse().ok().filter(|&i: &usize| i < skeleton.bones.len()));
    let handle = skeleton.handle_names().iter().position(|handle| handle == name);
    let part = bone.map(Part::Bone).or(handle.map(Part::Handle)).or((name == "base").then_some(Part::Base));
    let part = part.ok_or_else(|| format!("there is no bone, handle or instance called “{name}”"))?;
    Ok(current.with_part(Some(part)))
}
