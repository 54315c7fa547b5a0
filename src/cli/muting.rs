//! `--mute` and `--unmute`: mutes channels for this run only. The file is not changed.

use super::CliError;
use crate::anim::channel::{Animation, ChannelRef};
use crate::anim::mute::Mute;
use crate::edit::command::Command;
use crate::edit::command::keys::{KeyCommand, owner};
use crate::scene::Scene;

const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// Options of commands that show a scene at a frame.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Muting {
    /// Ignore the keyframes of this bone, handle, resource or instance, or of one channel (NAME.translation) or
    /// component (NAME.y); may be repeated
    #[arg(long, value_name = "NAME")]
    mute: Vec<String>,
    /// Use keyframes that are muted in the file; applied after --mute
    #[arg(long, value_name = "NAME")]
    unmute: Vec<String>,
}

impl Muting {
    /// Mutes and unmutes the named channels.
    ///
    /// # Errors
    /// Fails if no channel with keys has a given name.
    pub fn apply(&self, scene: &mut Scene) -> Result<(), CliError> {
        let mute = self.mute.iter().map(|name| (name, true));
        for (name, muted) in mute.chain(self.unmute.iter().map(|name| (name, false))) {
            let (channels, components) = find(scene, name)?;
            let command = KeyCommand::Mute { channels, components, muted };
            Command::Keys(command).apply(scene)?;
        }
        Ok(())
    }
}

/// Finds the channels that `name` refers to, and which of their components.
fn find(scene: &Scene, name: &str) -> Result<(Vec<ChannelRef>, [bool; 3]), CliError> {
    let animation = &scene.animation;
    let all = || channels(animation).filter(|channel| animation.get(channel).is_some());
    let named = |name: &str| -> Vec<ChannelRef> {
        all().filter(|channel| names(scene, channel).iter().any(|n| n == name)).collect()
    };
    let whole = named(name);
    if !whole.is_empty() {
        return Ok((whole, [true; 3]));
    }
    let component = name.rsplit_once('.').and_then(|(name, component)| {
        let index = COMPONENTS.iter().position(|c| *c == component)?;
        let mut channels = named(name);
        channels.retain(|channel| animation.get(channel).is_some_and(|spline| spline.has_components()));
        (!channels.is_empty()).then(|| (channels, std::array::from_fn(|i| i == index)))
    });
    component.ok_or_else(|| {
        CliError::Other(format!(
            "there are no keys of “{name}”; it is the name of a bone, handle, resource or instance with keys, or \
             NAME.translation for one channel, or NAME.y for one component"
        ))
    })
}

fn channels(animation: &Animation) -> impl Iterator<Item = ChannelRef> {
    let refs = |(resource, channels): (&String, &std::collections::BTreeMap<String, _>)| {
        let channels = channels.keys().map(|channel| ChannelRef::new(resource, channel));
        channels.collect::<Vec<_>>()
    };
    animation.channels.iter().flat_map(refs)
}

/// Returns the names of a channel: owner and channel, resource and channel, resource, owner.
fn names(scene: &Scene, channel: &ChannelRef) -> [String; 4] {
    let (owner, resource) = (owner(channel, scene), &channel.resource);
    let last = channel.channel.rsplit('.').next().unwrap_or_default();
    [format!("{owner}.{last}"), format!("{resource}.{}", channel.channel), resource.clone(), owner]
}

/// Returns the names of everything that is muted, as `--unmute` accepts them.
pub fn muted(scene: &Scene) -> Vec<String> {
    let muted_names = |channel: ChannelRef| {
        let Mute(muted) = scene.animation.mute(&channel.resource, &channel.channel);
        let [name, ..] = names(scene, &channel);
        let components = COMPONENTS.iter().zip(muted).filter(|(_, muted)| *muted);
        match muted {
            [true, true, true] => vec![name],
            _ => components.map(|(c, _)| format!("{name}.{c}")).collect(),
        }
    };
    channels(&scene.animation).flat_map(muted_names).collect()
}
