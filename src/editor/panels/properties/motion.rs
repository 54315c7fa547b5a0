//! Two checkboxes that mute the keys that bend the bones of a character, and those that twist them.

use super::Page;
use crate::anim::channel::ChannelRef;
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::request::Request;
use crate::edit::select::selection::Part;
use crate::edit::time::keying::part_channels;
use crate::editor::ui::number::name_ui;
use crate::editor::ui::tooltip::Tip;
use egui::{Checkbox, Ui};

/// The y axis of a bone runs along it: rotation about y twists, rotation about x and z bends.
const SWITCHES: [(&str, &str, [bool; 3]); 2] = [
    ("Bend", "Play the keys that bend bones. When off, they are muted but kept.", [true, false, true]),
    (
        "Twist",
        "Play the keys that twist bones about their own length. When off, they are muted but kept.",
        [false, true, false],
    ),
];

/// Draws the checkboxes; nothing if no bone has keys.
pub(super) fn motion_ui(ui: &mut Ui, page: &mut Page) {
    let animation = &page.view.session.scene().animation;
    let skeleton = page.skeleton();
    let bones = (0..skeleton.bones.len()).map(Part::Bone);
    let channels = bones.flat_map(|bone| part_channels(page.mesh, skeleton, bone));
    let is_keyed = |channel: &ChannelRef| animation.get(channel).is_some_and(|keys| keys.key_count() > 0);
    let channels: Vec<ChannelRef> = channels.filter(is_keyed).collect();
    if channels.is_empty() {
        return;
    }
    let plays = |components: [bool; 3]| {
        let components_play = |channel: &ChannelRef| {
            let mute = animation.mute(&channel.resource, &channel.channel).0;
            (0..3).filter(|i| components[*i]).map(|i| !mute[i]).collect::<Vec<_>>()
        };
        let all: Vec<bool> = channels.iter().flat_map(components_play).collect();
        (all.iter().any(|plays| *plays), all.iter().all(|plays| *plays))
    };
    ui.horizontal(|ui| {
        name_ui(ui, ui.id().with("Play"), "Play");
        for (name, tooltip, components) in SWITCHES {
            let (any, all) = plays(components);
            let mut checked = all;
            let tick = Checkbox::new(&mut checked, name).indeterminate(any && !all);
            if ui.add(tick).tip(tooltip).changed() {
                let mute = KeyCommand::Mute { channels: channels.clone(), components, muted: all };
                page.out.push(Request::Apply(vec![Command::Keys(mute)]));
            }
        }
    });
}
