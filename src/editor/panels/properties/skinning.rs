//! The skinning method of a mesh: linear blend, dual quaternion, or a blend of both.

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::ui::choice::{choice_row, line_ui};
use crate::editor::ui::fields::Fields;
use crate::editor::ui::number::Number;
use crate::editor::ui::row::scalar_row;
use crate::rig::skinning::Method;
use crate::scene::skinned::SkinnedMesh;
use egui::Ui;

const BLEND: &str = "Blend of both";

pub fn skinning_ui(
    ui: &mut Ui,
    mesh: &str,
    skinned: &SkinnedMesh,
    fields: &mut Fields,
    out: &mut Vec<Request>,
) {
    let current = skinned.skinning;
    let set = |method| {
        let mesh = mesh.to_owned();
        vec![Command::SetSkinning { mesh, method }]
    };
    let blended = current != Method::LINEAR && current != Method::DUAL_QUATERNION;
    let text = |method: Option<Method>| match method {
        Some(method) => method.description(),
        None => BLEND.into(),
    };
    let chosen = Some(current).filter(|_| !blended);
    let tooltip = "How the skin follows the bones in the Animate tab. Linear blend, by matrices: twisted limbs lose \
                   girth. Dual quaternions keep it and bulge a little at sharp bends.";
    choice_row(ui, "skinning", "Skinning", tooltip, &text(chosen), |ui| {
        for method in [Some(Method::LINEAR), Some(Method::DUAL_QUATERNION), None] {
            if line_ui(ui, "Skinning", &text(method), method == chosen) && method != chosen {
                let method = method.or(Method::try_from(0.5).ok());
                out.extend(method.map(|method| Request::Apply(set(method))));
            }
        }
    });
    if !blended {
        return;
    }
    let number = Number {
        unit: " %",
        decimals: 1,
        step: 1.0,
        // 0 and 100 are the pure methods.
        min: 1.0,
        max: 99.0,
        default: 50.0,
        ..Number::new(
            "DQS blend",
            "How much of dual quaternion skinning is in the blend; the rest is linear.",
        )
    };
    let percent = 100.0 * current.dual_part();
    scalar_row(ui, fields, &number, percent, Some([1.0, 99.0]), out, &|percent| {
        let method = Method::try_from(percent / 100.0).ok();
        method.map(set).unwrap_or_default()
    });
}
