//! The character of `docs/first-rig.md`: its skeleton, drawn by the tool that the window uses.

use glam::{DAffine3, DQuat, DVec3, Mat4, Vec2, Vec3};
use ossature::edit::command::Command;
use ossature::edit::select::active_rig::ActiveRig;
use ossature::edit::select::pick::{PickTarget, Surface};
use ossature::edit::select::selection::{Part, Selection};
use ossature::edit::session::Session;
use ossature::edit::settings::view::{Axes, GizmoMode, Tab};
use ossature::edit::tool::gizmo::Modifiers;
use ossature::edit::tool::new_bone::NewBone;
use ossature::io::formats;
use ossature::math::axis::Axis;
use ossature::math::camera::{ViewCamera, Viewport};
use ossature::mesh::bvh::Bvh;
use ossature::rig::edits::roll::RollTo;
use ossature::rig::kinematics::bind_pose;
use ossature::rig::skeleton::Skeleton;
use ossature::rig::weights::VertexWeights;
use ossature::rig::weights::method::Method;
use ossature::scene::Scene;
use ossature::scene::skinned::SkinnedMesh;
use std::path::Path;
use std::sync::Arc;

/// The points where the guide's figure is clicked, seen from the front.
pub const SPINE: [f32; 6] = [2.85, 3.25, 3.85, 4.5, 4.95, 5.5];
pub const HIP: [f32; 2] = [0.3, 2.8];
pub const KNEE: [f32; 2] = [0.325, 1.56];
pub const ANKLE: [f32; 2] = [0.38, 0.25];
pub const TOES: [f32; 2] = [0.45, 0.07];
pub const SHOULDER: [f32; 2] = [0.58, 4.41];
pub const ELBOW: [f32; 2] = [1.285, 3.655];
pub const WRIST: [f32; 2] = [1.83, 3.06];
pub const KNUCKLES: [f32; 2] = [2.02, 2.85];
pub const TIPS: [f32; 2] = [2.15, 2.63];
pub const THUMB_ROOT: [f32; 2] = [1.885, 2.93];
pub const THUMB: [f32; 2] = [1.937, 2.834];

const MESH: &str = "m";

/// The parent bone of the legs, and the one above it.
pub const PELVIS: usize = 0;
pub const SPINE_BONE: usize = 1;

/// Returns the character with heat weights, as the guide calculates them. `hips` is the bone whose row is
/// clicked before the leg is drawn.
pub fn character(hips: usize) -> SkinnedMesh {
    let mut drawing = Drawing::new();
    for y in SPINE {
        drawing.click([0.0, y]);
    }
    drawing.select(hips);
    drawing.drag(HIP, KNEE);
    drawing.click(ANKLE);
    drawing.click(TOES);
    drawing.select(2);
    for at in [SHOULDER, ELBOW, WRIST, KNUCKLES] {
        drawing.click(at);
    }
    let hand = drawing.skeleton().bones.len() - 1;
    drawing.click(TIPS);
    drawing.select(hand);
    drawing.drag(THUMB_ROOT, THUMB);
    drawing.finish()
}

/// Recalculates heat weights with at most `largest` bones per vertex.
pub fn reheated(mesh: &SkinnedMesh, largest: Option<u8>) -> SkinnedMesh {
    let method = Method::heat(largest);
    let calculated = method.calculate(&mesh.skeleton, &mesh.surface, &|_| true).unwrap();
    assert!(calculated.findings.is_empty(), "{:?}", calculated.findings);
    SkinnedMesh { weights: Arc::new(calculated.weights), ..mesh.clone() }
}

/// Returns the part of a vertex's weight that some bones have.
pub fn share(weights: &VertexWeights, v: usize, bones: impl Fn(u16) -> bool) -> f32 {
    let of_bones = weights.influences(v).filter(|(bone, _)| bones(*bone));
    of_bones.map(|(_, weight)| weight).sum()
}

/// Returns the largest growth of an edge when a bone and its descendants turn about its start.
pub fn longest_edge(mesh: &SkinnedMesh, bone: usize, axis: DVec3, degrees: f64) -> f64 {
    let start = bind_pose(&mesh.skeleton)[bone].translation;
    let turn = DQuat::from_axis_angle(axis, degrees.to_radians());
    let mut turns = vec![false; mesh.skeleton.bones.len()];
    for at in 0..turns.len() {
        let parent = mesh.skeleton.bones[at].parent;
        turns[at] = at == bone || parent.is_some_and(|parent| turns[parent as usize]);
    }
    let positions = mesh.surface.positions();
    let skinned = |(v, p): (usize, &Vec3)| {
        let (p, part) = (p.as_dvec3(), share(&mesh.weights, v, |bone| turns[usize::from(bone)]));
        p.lerp(start + turn * (p - start), part.into())
    };
    let skinned: Vec<DVec3> = positions.iter().enumerate().map(skinned).collect();
    let triangles = mesh.surface.triangles();
    let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let growth = edges.map(|edge| {
        let [a, b] = edge.map(|v| v as usize);
        skinned[a].distance(skinned[b]) / f64::from(positions[a].distance(positions[b]))
    });
    growth.fold(0.0, f64::max)
}

struct Drawing {
    session: Session,
    tool: NewBone,
    viewport: Viewport,
}

impl Drawing {
    fn new() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/obj/human.obj");
        let surface = formats::read_file(&path).unwrap().mesh().unwrap().surface;
        let mesh = SkinnedMesh {
            weights: Arc::new(VertexWeights::none(surface.vertex_count())),
            surface: Arc::new(surface),
            weight_method: Method::FOR_NEW_MESHES,
            ..SkinnedMesh::default()
        };
        let mut scene = Scene::default();
        scene.skinned_meshes.insert(MESH.into(), Arc::new(mesh));
        let mut session = Session::new(scene, None);
        let selection = Selection::from_mesh(session.scene(), MESH);
        session.select(selection);
        Self {
            session,
            tool: NewBone::new(MESH.into(), 0),
            viewport: Viewport {
                camera: ViewCamera {
                    target: Vec3::Y * 2.8,
                    yaw: 0.0,
                    pitch: 0.0,
                    distance: 9.0,
                    ..ViewCamera::default()
                },
                size: Vec2::new(800.0, 700.0),
                covered_top: 0.0,
            },
        }
    }

    fn skeleton(&self) -> Arc<Skeleton> {
        self.session.scene().skinned_meshes[MESH].skeleton.clone()
    }

    fn select(&mut self, bone: usize) {
        let selection = self.session.selection().with_part(Some(Part::Bone(bone)));
        self.session.select(selection);
    }

    fn aim(&mut self, at: [f32; 2]) -> Vec2 {
        let pixel = self.viewport.project(Vec3::new(at[0], at[1], 0.0)).unwrap().pixel;
        let (skeleton, scene) = (self.skeleton(), self.session.scene());
        let bind: Vec<DAffine3> = bind_pose(&skeleton);
        let stage = ActiveRig {
            tab: Tab::Rig,
            mesh: MESH,
            skeleton: &skeleton,
            skeleton_from_bone: &bind,
            bind: &bind,
            world_from_skeleton: Mat4::IDENTITY,
            gizmo: GizmoMode::Move,
            pose_gizmo: GizmoMode::Rotate,
            axes: Axes::World,
            radius_counts: false,
            show_hidden: false,
            posed_bone: None,
            evaluated: None,
        };
        let mesh = &scene.skinned_meshes[MESH].surface;
        let surface = Surface {
            target: PickTarget::Skin,
            world_from_mesh: Mat4::IDENTITY,
            mesh,
            positions: mesh.positions(),
            tree: Bvh::from_surface(mesh).into(),
        };
        let plain = Modifiers { snap: false, fine: false };
        let part = self.session.selection().part;
        self.tool.aim(&stage, part, Some(&surface), &self.viewport, pixel, plain);
        pixel
    }

    fn set(&mut self) {
        let (command, select) = self.tool.click_command().unwrap();
        self.session.apply(&[command]).unwrap();
        if select.is_some() {
            self.session.select(self.session.selection().with_part(select));
        }
    }

    fn click(&mut self, at: [f32; 2]) {
        self.aim(at);
        self.set();
    }

    fn drag(&mut self, from: [f32; 2], to: [f32; 2]) {
        let before = self.tool.clone();
        let pixel = self.aim(from);
        self.tool.begin_press(&self.viewport, pixel);
        self.aim(to);
        self.set();
        self.tool = before;
    }

    /// Mirrors and aligns the skeleton and calculates weights.
    fn finish(mut self) -> SkinnedMesh {
        let mesh = || MESH.to_owned();
        let all = |drawing: &Self| {
            let skeleton = drawing.skeleton();
            (0..skeleton.bones.len()).filter(|bone| !skeleton.bones[*bone].link).collect()
        };
        let bones = all(&self);
        let mirror = Command::MirrorBones { mesh: mesh(), bones, axis: Some(Axis::X) };
        self.session.apply(&[mirror]).unwrap();
        let (bones, to) = (all(&self), RollTo::BendPlane);
        let align = Command::AlignRoll { mesh: mesh(), bones, to };
        let method = Method::FOR_NEW_MESHES;
        let calculate = Command::CalculateWeights { mesh: mesh(), method };
        self.session.apply(&[align]).unwrap();
        self.session.apply(&[calculate]).unwrap();
        (*self.session.scene().skinned_meshes[MESH]).clone()
    }
}
