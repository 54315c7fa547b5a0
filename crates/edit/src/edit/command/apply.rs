//! Dispatch of commands to their implementations.

use super::effects::Edit;
use super::*;

impl Command {
    /// Runs the command. On error, the scene may be partially changed.
    pub(super) fn run(&self, edit: &mut Edit) -> Result {
        match self {
            Command::AddBone { mesh, parent, extent, radius } => {
                bones::add(edit, mesh, *parent, *extent, *radius)
            }
            Command::AddLinkedBone { mesh, parent, start, extent, radius } => {
                bones::add_linked(edit, mesh, *parent, *start, *extent, *radius)
            }
            Command::DeleteBone { mesh, bone } => bones::delete(edit, mesh, *bone),
            Command::MoveTip { mesh, bone, extent } => bones::move_tip(edit, mesh, *bone, *extent),
            Command::MoveBone { mesh, bone, start, tip } => {
                bones_tree::move_bone(edit, mesh, *bone, *start, *tip)
            }
            Command::SetPoses { mesh, poses_deg } => bones::set_poses(edit, mesh, poses_deg),
            Command::SetBoneName { mesh, bone, name } => bones::set_name(edit, mesh, *bone, name),
            Command::SetBoneNames { mesh, names } => bones::set_names(edit, mesh, names),
            Command::AddHandle { mesh, bone } => handles::add(edit, mesh, *bone),
            Command::DeleteHandle { mesh, handle } => handles::delete(edit, mesh, *handle),
            Command::PairBones { mesh, bone, other } => property::pair(edit, mesh, *bone, *other),
            Command::Poses { mesh, change } => poses::change(edit, mesh, change),
            Command::SetHandleName { mesh, handle, name } => handles::set_name(edit, mesh, *handle, name),
            Command::CalculateBoneWeights { mesh, bones, method } => {
                weights::calculate(edit, mesh, method, Some(bones), &|_| true).map(drop)
            }
            Command::SetCalculatedWeights { mesh, bones, method, weights } => {
                weights::set_calculated(edit, mesh, method, bones.as_deref(), weights)
            }
            Command::SetWeightMethod { mesh, method } => weights::set_method(edit, mesh, *method),
            Command::RefineWeights { mesh, vertices, refinement } => {
                weights::refine(edit, mesh, vertices.as_deref(), refinement)
            }
            Command::PaintWeights { mesh, painted } => weights::paint(edit, mesh, painted),
            Command::TakeWeights { mesh, vertices, from } => {
                weights::take_weights(edit, mesh, vertices.as_deref(), from)
            }
            Command::Reparent { mesh, bones, parent } => bones_tree::reparent(edit, mesh, bones, *parent),
            Command::SplitBones { mesh, bones, pieces } => bones_tree::split(edit, mesh, bones, *pieces),
            Command::MergeBones { mesh, bones } => bones_tree::merge(edit, mesh, bones),
            Command::DuplicateBones { mesh, bones } => bones_tree::duplicate(edit, mesh, bones),
            Command::MirrorBones { mesh, bones, axis } => bones_tree::mirror_across(edit, mesh, bones, *axis),
            Command::DeleteSubtrees { mesh, bones } => bones_tree::delete(edit, mesh, bones),
            Command::AlignRoll { mesh, bones, to } => bones_shape::align_roll(edit, mesh, bones, *to),
            Command::RotateBones { mesh, bones, rotation } => {
                bones_shape::rotate(edit, mesh, bones, *rotation)
            }
            Command::ScaleBones { mesh, bones, factor } => bones_shape::scale(edit, mesh, bones, *factor),
            Command::FitRadius { mesh, bones } => bones_shape::fit_radius(edit, mesh, bones),
            Command::ScaleRadius { mesh, bones, factor } => {
                bones_shape::scale_radius(edit, mesh, bones, *factor)
            }
            Command::CalculateWeights { mesh, method } => {
                weights::calculate(edit, mesh, method, None, &|_| true).map(drop)
            }
            Command::SetProperty { object, parts, property, value } => {
                property::set(edit, object, parts, property, value)
            }
            Command::Keys(command) => keys::apply(edit, command),
            Command::Takes(command) => takes::apply(edit, command),
            Command::Layers { mesh, change } => layers::apply(edit, mesh, change),
            Command::Sound(command) => sounds::apply(edit, command),
            Command::SetParent { transform, parent, keep_place } => {
                transforms::set_parent(edit, transform, parent.as_deref(), *keep_place)
            }
            Command::AddParent { transform } => transforms::add_parent(edit, transform),
            Command::AddTransform { instance } => objects::add_transform(edit, instance),
            Command::Rename { object, name } => objects::rename(edit, object, name),
            Command::Delete { object, with_data } => objects::delete(edit, object, *with_data),
            Command::Duplicate { instance, linked } => objects::duplicate(edit, instance, *linked),
            Command::AddInstance { resource } => objects::add_instance(edit, resource),
            Command::AddResource { kind, name, properties, translation, rotation } => {
                create::add(edit, *kind, name, properties, (*translation, *rotation))
            }
            Command::AddMesh { name, surface, skinned } => meshes::add(edit, name, surface, *skinned),
            Command::AppendScene { scene: added } => meshes::append(edit, added),
            Command::AddClips { mesh, scene } => meshes::add_clips(edit, mesh, scene),
            Command::ReplaceSurface { mesh, surface } => meshes::replace(edit, mesh, surface),
            Command::AddSkeleton { mesh, scene } => meshes::add_skeleton(edit, mesh, &scene.0),
            Command::MakeSkinned { mesh } => meshes::make_skinned(edit, mesh).map(drop),
            Command::OrientSurface { mesh, up, front, offset } => {
                meshes::orient(edit, mesh, [*up, *front], *offset)
            }
            Command::FlipOrientation { mesh } => meshes::flip(edit, mesh),
            Command::SmoothNormals { mesh, angle_deg } => meshes::smooth(edit, mesh, *angle_deg),
            Command::SetImages { images } => images::set(edit, images),
            Command::SetSkinning { mesh, method } => weights::set_skinning(edit, mesh, *method),
        }
    }
}
