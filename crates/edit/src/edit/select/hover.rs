//! The name of what is under the pointer, and the order of repeated clicks. [`crate::edit::select::pick`] finds the
//! targets.

use crate::edit::select::active_rig::ActiveRig;
use crate::edit::select::pick::PickTarget;
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::View;
use crate::scene::instance::InstanceRef;

/// Returns the name of a target: of a bone, a handle, the base, a mesh or an instance.
pub fn name(view: &View, target: &PickTarget) -> Option<String> {
    let rig = ActiveRig::from_view(view);
    let skeleton = rig.as_ref().map(|rig| rig.skeleton);
    match target {
        PickTarget::Bone(bone) | PickTarget::Tip(bone) => Some(skeleton?.bone_name(*bone)),
        PickTarget::Handle(handle) => Some(skeleton?.handle_name(*handle)),
        PickTarget::Pole(handle) => Some(skeleton?.pole_name(*handle)),
        PickTarget::Base => Some("Base".into()),
        PickTarget::Skin => view.session.selection().mesh.clone(),
        PickTarget::Instance(InstanceRef { name, .. }) => Some(name.clone()),
    }
}

/// Whether the target is the surface of the active object, which is under nearly everything: a click through
/// a gizmo does not select it, and its name is not shown next to the pointer.
pub fn is_active_surface(selection: &Selection, target: &PickTarget) -> bool {
    match target {
        PickTarget::Skin => true,
        PickTarget::Instance(instance) => selection.instance.as_ref() == Some(instance),
        _ => false,
    }
}

/// Returns the target that a repeated click at one place selects: the one after `last`, the target of the
/// previous click, among everything under the pointer, best match first.
pub fn next_target(under: Vec<PickTarget>, last: &PickTarget, selection: &Selection) -> Option<PickTarget> {
    let selects_same = |a: &PickTarget, b: &PickTarget| match (a.part(), b.part()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    };
    let mut candidates: Vec<PickTarget> = Vec::new();
    for target in under {
        let skipped = is_active_surface(selection, &target) && !selects_same(&target, last);
        if !skipped && !candidates.iter().any(|candidate| selects_same(candidate, &target)) {
            candidates.push(target);
        }
    }
    let index = candidates.iter().position(|candidate| selects_same(candidate, last));
    let next = index.map_or(0, |index| (index + 1) % candidates.len());
    candidates.into_iter().nth(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::settings::view::ViewSettings;
    use crate::edit::testing::session_with;
    use crate::rig::skeleton::{Bone, Handle, Skeleton};
    use crate::scene::evaluate::{Evaluator, Settings};
    use crate::scene::skinned::SkinnedMesh;
    use std::sync::Arc;

    #[test]
    fn everything_under_the_pointer_has_a_name() {
        let hand = Bone { name: Some("Hand.L".into()), ..Bone::default() };
        let handle =
            Handle { bone: 0, target: glam::Vec3::ZERO, enabled: true, channel_id: 0, ..Handle::default() };
        let session = session_with(SkinnedMesh {
            skeleton: Arc::new(Skeleton { bones: vec![hand], handles: vec![handle], ..Skeleton::default() }),
            ..SkinnedMesh::default()
        });
        let settings = ViewSettings::default();
        let rig = Settings { bind: true, ..Settings::default() };
        let evaluated = Evaluator::default().evaluate(session.scene(), &rig);
        let view = View { session: &session, evaluated: &evaluated, settings: &settings };
        for (target, expected) in [
            (PickTarget::Bone(0), "Hand.L"),
            (PickTarget::Tip(0), "Hand.L"),
            (PickTarget::Handle(0), "IK Hand.L"),
            (PickTarget::Base, "Base"),
            (PickTarget::Skin, "m"),
        ] {
            assert_eq!(name(&view, &target).as_deref(), Some(expected));
        }
    }

    #[test]
    fn repeated_clicks_cycle_through_the_targets() {
        let under = || {
            vec![
                PickTarget::Tip(3),
                PickTarget::Bone(3),
                PickTarget::Bone(1),
                PickTarget::Skin,
                PickTarget::Base,
            ]
        };
        let selection = Selection::default();
        let next = |last| next_target(under(), &last, &selection).unwrap();
        assert_eq!(next(PickTarget::Bone(3)), PickTarget::Bone(1));
        assert_eq!(next(PickTarget::Bone(1)), PickTarget::Base);
        assert_eq!(next(PickTarget::Base), PickTarget::Tip(3));
        let alone = vec![PickTarget::Bone(2), PickTarget::Skin];
        assert_eq!(next_target(alone, &PickTarget::Bone(2), &selection), Some(PickTarget::Bone(2)));
    }
}
