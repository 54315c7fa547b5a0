//! Sessions that ended before they did: looked for at the start and when somebody asks, recovered beside the window so
//! that the dialog shows what would come of them, and put in the place of the document. Until then nothing of them is
//! changed on the disk.

use crate::edit::journal::recovery::{Recovered, recover};
use crate::edit::journal::store::{Folder, Found, Store};
use crate::edit::journal::writer::Journal;
use crate::editor::app::documents::put_recovered;
use crate::editor::app::editor::Editor;
use crate::editor::app::journaling::Journaling;
use crate::editor::app::own_file::OwnFile;
use crate::editor::app::thumbnail::thumbnail;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::panels::recovery_dialog::{LostSession, LostState, RecoveryState};
use crate::editor::state::{Panels, Redraw};
use crate::editor::threads;
use crate::io::count::counted;
use bevy::prelude::*;
use bevy_egui::egui::ColorImage;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::SystemTime;

/// More are not offered at a time; `ossature recover` lists all.
const MOST: usize = 12;

/// What was found.
#[derive(Resource, Default)]
pub struct Recovering {
    arriving: Option<Mutex<Receiver<Arrival>>>,
    /// By their names.
    ready: BTreeMap<String, Ready>,
}

/// A session that can be taken.
struct Ready {
    found: Found,
    recovered: Recovered,
}

enum Arrival {
    /// What there is; `asked`: somebody wants to know if there is nothing.
    List {
        lost: Vec<LostSession>,
        asked: bool,
    },
    Read(Box<Read>),
}

struct Read {
    found: Found,
    content: Result<(Recovered, ColorImage), String>,
    /// Whether the document's file holds something else now.
    file_changed: bool,
}

impl Recovering {
    /// Looks for sessions beside the window. `asked`: those that were discarded count too.
    pub fn look(&mut self, store: &Store, asked: bool, waker: &Waker) {
        let (sender, receiver) = channel();
        self.arriving = Some(Mutex::new(receiver));
        self.ready.clear();
        let (store, waker) = (store.clone(), waker.clone());
        threads::spawn_or_run(move || {
            // The window may be gone by now.
            let _ = look(&store, asked, &sender, &waker);
        });
    }
}

fn look(store: &Store, asked: bool, sender: &Sender<Arrival>, waker: &Waker) -> Result<(), ()> {
    let now = SystemTime::now();
    store.tidy(now);
    let mut found = store.dead(false);
    if asked {
        found.extend(store.dead(true));
    }
    found.truncate(MOST);
    let tell = |arrival| {
        let told = sender.send(arrival).map_err(drop);
        waker.now();
        told
    };
    let lost = found.iter().map(|found| LostSession {
        id: found.id.clone(),
        document: found.head.file.as_ref().map(|(path, _)| PathBuf::from(path)),
        ago: found.ago(now),
        unsaved: found.unsaved,
        labels: found.labels.clone(),
        discarded: found.discarded,
        state: LostState::Reading,
    });
    let lost = lost.collect();
    tell(Arrival::List { lost, asked })?;
    for found in found {
        let recovered = recover(&found.path);
        let file = recovered.as_ref().ok().and_then(Recovered::file);
        let file_changed = file.is_some_and(|(path, stamp)| stamp.is_outdated(&path));
        let content = recovered.map(|recovered| {
            let picture = thumbnail(&recovered.session);
            (recovered, picture)
        });
        tell(Arrival::Read(Box::new(Read {
            found,
            content: content.map_err(|error| error.to_string()),
            file_changed,
        })))?;
    }
    Ok(())
}

/// When the program starts.
pub fn start(mut recovering: ResMut<Recovering>, journaling: Res<Journaling>, waker: Res<Waker>) {
    if let Some(store) = journaling.store() {
        recovering.look(store, false, &waker);
    }
}

/// Shows what was found.
pub fn poll(mut recovering: ResMut<Recovering>, mut panels: ResMut<Panels>, mut redraw: ResMut<Redraw>) {
    if recovering.arriving.is_none() {
        return;
    }
    loop {
        let receiver = recovering
            .arriving
            .as_ref()
            .and_then(|receiver| receiver.lock().ok());
        let Some(Ok(arrival)) = receiver.map(|receiver| receiver.try_recv()) else {
            return;
        };
        redraw.soon();
        match arrival {
            Arrival::List { lost, .. } if !lost.is_empty() => {
                panels.recovery = Some(RecoveryState::new(lost));
            }
            Arrival::List { asked: true, .. } => {
                let text = "There is nothing to recover";
                let details = "No session was lost, and none was discarded in the last 14 days.";
                panels.messages.push(Level::Info, text, details);
            }
            Arrival::List { .. } => {}
            Arrival::Read(read) => {
                let Read {
                    found,
                    content,
                    file_changed,
                } = *read;
                let state = match content {
                    Ok((recovered, picture)) => {
                        let loss = recovered.loss.clone();
                        recovering.ready.insert(
                            found.id.clone(),
                            Ready {
                                found: found.clone(),
                                recovered,
                            },
                        );
                        LostState::ready(picture, loss, file_changed)
                    }
                    Err(error) => LostState::Failed(error),
                };
                if let Some(panel) = &mut panels.recovery {
                    panel.set(&found.id, state);
                }
            }
        }
    }
}

/// Lists what can be recovered, because somebody asks.
pub fn ask(editor: &mut Editor) {
    match editor.journaling.store() {
        Some(store) => editor.recovering.look(store, true, &editor.waker),
        None => {
            let text = "There is no folder for journals";
            let details = "The variable OSSATURE_STATE names one.";
            editor.notify(Level::Warning, text, details);
        }
    }
}

/// The lock on a session that is still as it was found.
fn lock(found: &Found) -> Result<Folder, &'static str> {
    let folder = Folder::lock(&found.path).map_err(|_| "Another window has it, or it is gone.")?;
    let last = std::fs::metadata(found.path.join("journal")).and_then(|data| data.modified());
    match last {
        Ok(last) if last == found.last => Ok(folder),
        _ => Err("Another window has worked on it meanwhile. File > Recover lists it as it is now."),
    }
}

/// Puts a session in the place of the document, with all that can be undone in it.
pub fn take(editor: &mut Editor, id: &str) {
    let Some(Ready { found, recovered }) = editor.recovering.ready.remove(id) else {
        return;
    };
    editor.panels.recovery = None;
    let Some(store) = editor.journaling.store().cloned() else {
        return;
    };
    let folder = match lock(&found) {
        Ok(folder) => folder,
        Err(why) => return editor.notify(Level::Warning, "The session was not recovered", why),
    };
    let own = recovered
        .file()
        .map(|(path, stamp)| OwnFile::recovered(path, stamp));
    let Recovered {
        mut session,
        count,
        end,
        loss,
        ..
    } = recovered;
    let steps = found.unsaved;
    let journal = match &loss {
        None => store
            .take_back(folder)
            .and_then(|folder| Journal::resume(&store, folder, &mut session, count, end))
            .ok(),
        Some(_) => {
            // What is left of it begins a journal of its own; the old one is kept for a while as it is.
            session.set_unsaved();
            if !found.discarded {
                let _ = store.discard(&folder);
            }
            None
        }
    };
    let name = session.title();
    put_recovered(editor, session, own, journal);
    let text = format!("Recovered {} of {name}", counted(steps, "unsaved step", "unsaved steps"));
    match loss {
        None => editor.notify(Level::Info, text, ""),
        Some(loss) => editor.notify(Level::Warning, text, loss),
    }
}

/// Puts a session aside.
pub fn discard(editor: &mut Editor, id: &str) {
    let found = match editor.recovering.ready.remove(id) {
        Some(ready) => Some(ready.found),
        None => editor.journaling.store().and_then(|store| store.find(id)),
    };
    let Some((found, store)) = found.zip(editor.journaling.store().cloned()) else {
        return;
    };
    let done = Folder::lock(&found.path).and_then(|folder| store.discard(&folder));
    match done {
        Ok(()) => {
            let text = format!("Discarded {}", name_of(&found));
            let details = "It is kept for 14 days: File > Recover lists it.";
            editor.notify(Level::Info, text, details);
        }
        Err(error) => editor.notify(Level::Warning, "The session was not discarded", error.to_string()),
    }
}

fn name_of(found: &Found) -> String {
    let file = found.head.file.as_ref();
    let name = file.and_then(|(path, _)| Path::new(path).file_name());
    name.map_or_else(|| "Untitled".into(), |name| name.to_string_lossy().into_owned())
}
