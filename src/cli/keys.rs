//! `ossature keys`: lists the keys of a scene, and filters its curves.

use super::input::ListedScene;
use super::output::{Output, count};
use super::{CliError, args};
use crate::anim::channel::{ChannelRef, Value};
use crate::anim::filters::Filter;
use crate::anim::mode::Slopes;
use crate::edit::command::Command;
use crate::edit::command::keys::{ChannelKeys, KeyCommand, owner};
use crate::edit::time::filters::{STEEP_TEXT, euler_filter, steep};
use crate::scene::Scene;
use serde::Serialize;

const EXAMPLES: &str = "\
Angles of recorded motion may jump by a turn, or by half a turn of all three, from one key to the next, and what is between
them spins. The Euler filter takes the same rotations without the jumps. Recorded motion has a key at every frame;
--simplify leaves as few as are needed, with slopes. All filters are applied in the order --euler-filter, --smooth,
--simplify, --every; without -o what they would leave is listed, and nothing is written. JSON has all keys with their frames, values and modes.

Examples:
  ossature keys walk.js3d
  ossature keys walk.js3d --of shin.L --json
  ossature keys recorded.js3d --simplify 0.5
  ossature keys recorded.js3d --euler-filter -o smooth.js3d
  ossature keys recorded.js3d --simplify 0.5 -o few.js3d";

/// List the keys of a scene, or filter its curves and save the scene
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: ListedScene,
    /// Only the channels of this bone, handle or object; may be repeated
    #[arg(long = "of", value_name = "NAME")]
    names: Vec<String>,
    /// Set Euler angles to those of the same rotations that turn least from key to key
    #[arg(long)]
    euler_filter: bool,
    /// Move each key half the way to the straight line between its neighbours
    #[arg(long)]
    smooth: bool,
    /// Leave as few keys as possible for the same curves to within so many degrees at whole frames; of other values, a
    /// degree stands for a ninetieth of their range
    #[arg(long, value_name = "DEGREES")]
    simplify: Option<f32>,
    /// Replace the keys by one at every so many frames
    #[arg(long, value_name = "FRAMES", conflicts_with = "simplify")]
    every: Option<u32>,
}

/// A channel in JSON output.
#[derive(Serialize)]
struct Listed {
    /// The bone, handle or object.
    name: String,
    resource: String,
    channel: String,
    keys: Vec<ListedKey>,
}

#[derive(Serialize)]
struct ListedKey {
    frame: f32,
    value: Value,
    mode: &'static str,
    /// The slopes that were set, in value per frame.
    #[serde(flatten)]
    slopes: Slopes<Value>,
}

impl Args {
    /// The channels that are listed and filtered.
    fn channels(&self, scene: &Scene) -> Result<Vec<ChannelRef>, CliError> {
        let all = scene.animation.channels.iter().flat_map(|(resource, channels)| {
            channels.keys().map(move |channel| ChannelRef::new(resource, channel))
        });
        let all: Vec<ChannelRef> = all.collect();
        let is_of =
            |channel: &ChannelRef, name: &String| channel.resource == *name || owner(channel, scene) == *name;
        for name in &self.names {
            if !all.iter().any(|channel| is_of(channel, name)) {
                let text = format!(
                    "nothing of the name “{name}” has keys; ossature keys {} lists what has",
                    self.scene.file.display()
                );
                return Err(CliError::Other(text));
            }
        }
        let is_wanted = |channel: &ChannelRef| {
            self.names.is_empty() || self.names.iter().any(|name| is_of(channel, name))
        };
        Ok(all.into_iter().filter(is_wanted).collect())
    }
}

fn listed(scene: &Scene, channels: &[ChannelRef]) -> Vec<Listed> {
    let listed = channels.iter().filter_map(|channel| {
        let keys = scene.animation.get(channel)?;
        let times = keys.times();
        let listed = times.into_iter().zip(keys.key_modes()).filter_map(|(frame, mode)| {
            let (value, slopes) = (keys.key(frame)?, keys.key_shape(frame)?.slopes);
            Some(ListedKey { frame, value, mode: mode.name(), slopes })
        });
        Some(Listed {
            name: owner(channel, scene),
            resource: channel.resource.clone(),
            channel: channel.channel.clone(),
            keys: listed.collect(),
        })
    });
    listed.collect()
}

/// Tells how many keys the Euler filter changes.
fn jumps_text(command: &KeyCommand) -> String {
    let changed = match command {
        KeyCommand::Put { knots, .. } => knots.iter().map(|of| of.knots.len()).sum(),
        _ => 0,
    };
    format!("the Euler filter changes {}", count(changed, "key", "keys"))
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let (mut scene, target) = args.scene.load(output)?;
    let channels = args.channels(&scene)?;
    let key_count = |scene: &Scene| -> usize {
        channels.iter().filter_map(|channel| scene.animation.get(channel)).map(|keys| keys.key_count()).sum()
    };
    let count_before = key_count(&scene);
    if args.euler_filter {
        match euler_filter(&scene, &channels) {
            Some(command) => {
                output.note(jumps_text(&command));
                args::apply(&mut scene, &[Command::Keys(command)])?;
            }
            None => output.note("no angle jumps: the Euler filter changes nothing"),
        }
        for channel in steep(&scene, &channels) {
            output.note(format_args!("{}: {STEEP_TEXT}", owner(channel, &scene)));
        }
    }
    let smooth = args.smooth.then(|| ("--smooth".to_owned(), Filter::Smooth));
    let simplify = args.simplify.map(|degrees| (format!("--simplify {degrees}"), Filter::Simplify(degrees)));
    let every = args.every.map(|step| (format!("--every {step}"), Filter::Every(step)));
    let filters: Vec<(String, Filter)> = [smooth, simplify, every].into_iter().flatten().collect();
    let changes = args.euler_filter || !filters.is_empty();
    for (option, filter) in filters {
        let all = |channel: &ChannelRef| {
            let frames = scene.animation.get(channel).map(|keys| keys.times()).unwrap_or_default();
            ChannelKeys { channel: channel.clone(), frames }
        };
        let keys = channels.iter().map(all).collect();
        args::apply(&mut scene, &[Command::Keys(KeyCommand::Filter { keys, filter })])
            .map_err(|error| CliError::Other(format!("{option}: {error}")))?;
    }
    match &target {
        Some(target) => target.save(&scene, output)?,
        None if changes => output.note("nothing is written; add -o OUT to save these keys"),
        None => {}
    }
    let listed = listed(&scene, &channels);
    if args.scene.json {
        return output.json(&listed);
    }
    for Listed { name, channel, keys, .. } in &listed {
        let property = channel.rsplit('.').next().unwrap_or(channel).replace('_', " ");
        // "the base offset", not "the base base offset".
        let repeated = name.rsplit(' ').next().and_then(|word| property.strip_prefix(word));
        let property = repeated.map_or(property.as_str(), str::trim_start);
        let (Some(first), Some(last)) = (keys.first(), keys.last()) else { continue };
        let count = count(keys.len(), "key", "keys");
        output.line(format_args!("{name} {property}: {count}, frames {} to {}", first.frame, last.frame))?;
    }
    let before = if changes { format!(", {count_before} before") } else { String::new() };
    let channel_count = count(listed.len(), "channel", "channels");
    output.line(format_args!("{} in {channel_count}{before}", count(key_count(&scene), "key", "keys")))
}
