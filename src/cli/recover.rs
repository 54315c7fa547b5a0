//! `ossature recover`: lists, recovers and discards sessions that did not end properly.

use super::CliError;
use super::output::{Output, count};
use super::target::Force;
use crate::edit::journal::recovery::{self, Recovered};
use crate::edit::journal::store::{DeadSession, Folder, Store};
use crate::io::js3d;
use serde::Serialize;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

const EXAMPLES: &str = "\
The window keeps a journal of what is done: each document that is open has a folder in $XDG_STATE_HOME/ossature
(~/.local/state/ossature), or in $OSSATURE_STATE if that is set, with each step as it was done. A program that is
killed leaves it behind, and the window offers it at the next start. What was discarded is kept for 14 days.

Examples:
  ossature recover
  ossature recover 1700000000-Ab3dE6gH -o recovered.js3d
  ossature recover 1700000000-Ab3dE6gH --discard
  ossature recover --discarded";

/// List lost sessions, and recover or discard them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The session to recover, as the list names it
    session: Option<String>,
    /// Scene file to write (.js3d)
    #[arg(short, long, value_name = "OUT", requires = "session", conflicts_with = "discard")]
    output: Option<PathBuf>,
    /// Discard the session; it is kept for 14 days
    #[arg(long, requires = "session")]
    discard: bool,
    /// List what was discarded
    #[arg(long, conflicts_with = "session")]
    discarded: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: Force,
}

#[derive(Serialize)]
struct Listed {
    session: String,
    document: Option<String>,
    /// Seconds since 1970.
    started: u64,
    last: u64,
    unsaved_steps: usize,
    last_steps: Vec<String>,
}

pub fn run(args: &Args, output: &mut Output) -> Result<(), CliError> {
    let store = store()?;
    store.tidy(SystemTime::now());
    let Some(id) = &args.session else {
        return list(&store.dead(args.discarded), args.json, output);
    };
    let (found, folder) = find(&store, id)?;
    if args.discard {
        if found.discarded {
            return Err(CliError::Other(format!(
                "{id} was discarded already; `ossature recover --discarded` lists it"
            )));
        }
        return store.discard(&folder).map_err(|error| {
            CliError::Other(format!(
                "{id} could not be put aside: {error}. It is as it was; check that {} can be written to",
                found.path.display()
            ))
        });
    }
    let Some(path) = &args.output else {
        return list(&[found], args.json, output);
    };
    let target = args.force.target(path, &js3d::KIND)?;
    let recovered = recover(&found, output)?;
    target.save(recovered.session.scene(), output)
}

/// Returns the journals of the current user.
pub fn store() -> Result<Store, CliError> {
    let message = "there is no folder for the state of programs; set OSSATURE_STATE to one";
    Store::for_current_user().ok_or_else(|| CliError::Other(message.into()))
}

/// Finds a session that no program has open, and locks it.
pub fn find(store: &Store, id: &str) -> Result<(DeadSession, Folder), CliError> {
    let not_found = || {
        CliError::Other(format!(
            "no session is called “{id}”, or it is still open; `ossature recover` lists them"
        ))
    };
    let found = store.find(id).ok_or_else(not_found)?;
    let folder = Folder::lock(&found.path).map_err(|_| not_found())?;
    Ok((found, folder))
}

/// Recovers what is left of a session, and prints a note about losses.
pub fn recover(found: &DeadSession, output: &mut Output) -> Result<Recovered, CliError> {
    let recovered = recovery::recover(&found.path);
    let recovered = recovered.map_err(|error| CliError::Other(format!("{}: {error}", found.id)))?;
    if let Some(note) = recovered.note() {
        output.note(format_args!("{}: {note}", found.id));
    }
    Ok(recovered)
}

fn list(found: &[DeadSession], json: bool, output: &mut Output) -> Result<(), CliError> {
    let seconds = |time: SystemTime| time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    if json {
        let listed = found.iter().map(|found| Listed {
            session: found.id.clone(),
            document: found.head.file.as_ref().map(|(path, _)| path.clone()),
            started: found.head.started,
            last: seconds(found.last),
            unsaved_steps: found.unsaved,
            last_steps: found.labels.clone(),
        });
        return output.json(&listed.collect::<Vec<_>>());
    }
    if found.is_empty() {
        return output.line("no sessions");
    }
    for found in found {
        let document = found.head.file.as_ref().map_or("an untitled document", |(path, _)| path.as_str());
        output.line(format_args!("{}: {document}", found.id))?;
        output.line(format_args!(
            "  {} since it was opened or saved, the last {}{}",
            count(found.unsaved, "step", "steps"),
            found.age_text(SystemTime::now()),
            if found.is_complete { "" } else { "; damaged" }
        ))?;
        if !found.labels.is_empty() {
            output.line(format_args!("  {}", found.labels.join("; ")))?;
        }
    }
    Ok(())
}
