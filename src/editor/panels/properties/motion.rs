//! Whether the keys of a character bend its bones, and whether they twist them: two switches over its muted channels.

use super::Page;
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::keying::of_part;
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::editor::ui::theme;
use egui::{Checkbox, RichText, Ui};

/// A bone's own y axis lies along it: turning about it twists, turning about the others bends.
const SWITCHES: [(&str, &str, [bool; 3]); 2] = [
    (
        "Bend",
        "Play the keys that bend bones. When off, they are muted but kept.",
        [true, false, true],
    ),
    (
        "Twist",
        "Play the keys that twist bones about their own length. When off, they are muted but kept.",
        [false, true, false],
    ),
];

/// Nothing where no bone has keys.
pub(super) fn motion_ui(ui: &mut Ui, page: &mut Page) {
    let animation = &page.view.session.scene().animation;
    let skeleton = page.skeleton();
    let bones = (0..skeleton.bones.len()).map(Part::Bone);
    let channels = bones.flat_map(|bone| of_part(page.mesh, skeleton, bone));
    let is_keyed = |channel: &ChannelRef| animation.get(channel).is_some_and(|keys| keys.key_count() > 0);
    let channels: Vec<ChannelRef> = channels.filter(is_keyed).collect();
    if channels.is_empty() {
        return;
    }
    let plays = |components: [bool; 3]| {
        let of = |channel: &ChannelRef| {
            let mute = animation.mute(&channel.resource, &channel.channel).0;
            (0..3)
                .filter(|i| components[*i])
                .map(|i| !mute[i])
                .collect::<Vec<_>>()
        };
        let all: Vec<bool> = channels.iter().flat_map(of).collect();
        (all.iter().any(|plays| *plays), all.iter().all(|plays| *plays))
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new("Play").color(theme::TEXT_QUIET));
        for (name, tooltip, components) in SWITCHES {
            let (any, all) = plays(components);
            let mut on = all;
            let tick = Checkbox::new(&mut on, name).indeterminate(any && !all);
            if ui.add(tick).on_hover_text(tooltip).changed() {
                let mute = KeyCommand::Mute {
                    channels: channels.clone(),
                    components,
                    muted: all,
                };
                page.out.push(Request::Apply(vec![Command::Keys(mute)]));
            }
        }
    });
}
