//! Actions on the sound that the animation plays to.

use super::selected::in_animate;
use super::{AppRequest, Prepared, Reason};
use crate::anim::sound::Sound;
use crate::edit::command::Command;
use crate::edit::command::sounds::SoundCommand;
use crate::edit::settings::view::View;

pub fn choose(view: &View) -> Result<Prepared, Reason> {
    in_animate(view, "The sound is shown in the Animate tab.")?;
    Ok(Prepared::App(AppRequest::SetSound))
}

pub fn toggle_mute(view: &View) -> Result<Prepared, Reason> {
    let muted = !sound(view)?.muted;
    Prepared::command(Command::Sound(SoundCommand::SetMuted { muted }))
}

pub fn is_muted(view: &View) -> bool {
    sound(view).is_ok_and(|sound| sound.muted)
}

pub fn remove(view: &View) -> Result<Prepared, Reason> {
    sound(view)?;
    Prepared::command(Command::Sound(SoundCommand::Remove))
}

/// The sound of the animation, if the Animate tab is open.
fn sound<'a>(view: &View<'a>) -> Result<&'a Sound, Reason> {
    in_animate(view, "The sound is shown in the Animate tab.")?;
    let sound = view.session.scene().animation.sound.as_ref();
    sound.ok_or(Reason::Borrowed("The animation has no sound."))
}
