//! Sessions that were lost: searched for at the start and on request, and recovered in the background, so
//! that the dialog shows what each contains. Until one is opened, nothing of it is changed on the disk.

use crate::edit::journal::recovery::{Recovered, recover};
use crate::edit::journal::store::{DeadSession, Store};
use crate::editor::app::recovery::journaling::Journaling;
use crate::editor::app::recovery::thumbnail::thumbnail;
use crate::editor::app::wake::Waker;
use crate::editor::panels::dialogs::recovery_dialog::{LostSession, LostState, RecoveryState};
use crate::editor::panels::messages::Level;
use crate::editor::state::{Panels, Redraw};
use crate::editor::threads;
use crate::editor::ui::text::capitalize;
use bevy::prelude::*;
use bevy_egui::egui::ColorImage;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::SystemTime;

/// The most sessions offered at a time; `ossature recover` lists all.
const MOST: usize = 12;

/// The sessions that were found.
#[derive(Resource, Default)]
pub struct Recovering {
    arriving: Option<Mutex<Receiver<Arrival>>>,
    /// The sessions that can be opened, by id.
    pub ready: BTreeMap<String, Ready>,
}

/// A session that can be opened.
pub struct Ready {
    pub found: DeadSession,
    pub recovered: Recovered,
}

enum Arrival {
    /// The lost sessions; `requested`: whether to report that there are none.
    List {
        lost: Vec<LostSession>,
        requested: bool,
    },
    Read(Box<Read>),
}

struct Read {
    found: DeadSession,
    content: Result<(Recovered, ColorImage), String>,
    /// Whether the document's file has changed since.
    file_changed: bool,
}

impl Recovering {
    /// Searches for sessions in the background. `requested`: on request, discarded sessions are included.
    pub fn search(&mut self, store: &Store, requested: bool, waker: &Waker) {
        let (sender, receiver) = channel();
        self.arriving = Some(Mutex::new(receiver));
        self.ready.clear();
        let (store, waker) = (store.clone(), waker.clone());
        threads::spawn_or_run(move || {
            // The window may be gone by now.
            let _ = search(&store, requested, &sender, &waker);
        });
    }
}

fn search(store: &Store, requested: bool, sender: &Sender<Arrival>, waker: &Waker) -> Result<(), ()> {
    let now = SystemTime::now();
    store.tidy(now);
    let mut found = store.dead(false);
    if requested {
        found.extend(store.dead(true));
    }
    found.truncate(MOST);
    let send = |arrival| {
        let sent = sender.send(arrival).map_err(drop);
        waker.wake();
        sent
    };
    let lost = found.iter().map(|found| LostSession {
        id: found.id.clone(),
        document: found.head.file.as_ref().map(|(path, _)| PathBuf::from(path)),
        ago: found.age_text(now),
        unsaved: found.unsaved,
        labels: found.labels.clone(),
        discarded: found.discarded,
        state: LostState::Reading,
    });
    let lost = lost.collect();
    send(Arrival::List { lost, requested })?;
    for found in found {
        let recovered = recover(&found.path);
        let file = recovered.as_ref().ok().and_then(Recovered::file);
        let file_changed = file.is_some_and(|(path, stamp)| stamp.is_outdated(&path));
        let content = recovered.map(|recovered| {
            let (picture, _) = thumbnail(&recovered.session);
            (recovered, picture)
        });
        send(Arrival::Read(Box::new(Read {
            found,
            content: content.map_err(|error| error.to_string()),
            file_changed,
        })))?;
    }
    Ok(())
}

/// Searches for sessions when the program starts.
pub fn start(mut recovering: ResMut<Recovering>, journaling: Res<Journaling>, waker: Res<Waker>) {
    if let Some(store) = journaling.store() {
        recovering.search(store, false, &waker);
    }
}

/// Shows what was found.
pub fn poll(mut recovering: ResMut<Recovering>, mut panels: ResMut<Panels>, mut redraw: ResMut<Redraw>) {
    if recovering.arriving.is_none() {
        return;
    }
    loop {
        let receiver = recovering.arriving.as_ref().and_then(|receiver| receiver.lock().ok());
        let Some(Ok(arrival)) = receiver.map(|receiver| receiver.try_recv()) else {
            return;
        };
        redraw.request();
        match arrival {
            Arrival::List { lost, .. } if !lost.is_empty() => {
                panels.recovery = Some(RecoveryState::new(lost));
            }
            Arrival::List { requested: true, .. } => {
                let text = "There is nothing to recover";
                let details = "No session was lost, and none was discarded in the last 14 days.";
                panels.messages.push(Level::Info, text, details);
            }
            Arrival::List { .. } => {}
            Arrival::Read(read) => {
                let Read { found, content, file_changed } = *read;
                let state = match content {
                    Ok((recovered, picture)) => {
                        let note = recovered.note().map(capitalize);
                        recovering.ready.insert(found.id.clone(), Ready { found: found.clone(), recovered });
                        LostState::ready(picture, note, file_changed)
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
