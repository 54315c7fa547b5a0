//! Records a session in its journal. When [`Journal::follow`] returns, the new steps are in the journal,
//! except for long records, which a thread writes. That thread also syncs the disk, and regularly records the
//! hash of the scene and snapshots.

use super::records::{FORMAT, Head, MAX_CONTENT, Record, Steps, frame};
use super::snapshots::{self, Snapshot};
use super::store::{Folder, Store, unix_seconds};
use crate::edit::session::Session;
use crate::edit::session::step::Step;
use crate::io::stamp::Stamp;
use crate::io::{disk, durable, js3d};
use crate::scene::Scene;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

/// The maximum time until written data is synced to the disk, and thus safe from a power failure.
const SYNC: Duration = Duration::from_secs(1);

/// The number of step records, or of bytes in them, after which a snapshot is written. Smaller for the unit
/// tests, which recover from thousands of disks; `tests/core/journal` tests with the real value of 200.
const SNAPSHOT_STEPS: usize = if cfg!(test) { 50 } else { 200 };
const SNAPSHOT_BYTES: usize = 2 << 20;

/// The journal of a running session. Dropping it leaves the files in place, as if the program had been
/// killed.
#[derive(Debug)]
pub struct Journal {
    store: Store,
    folder: Folder,
    file: File,
    /// The path of `file`.
    path: PathBuf,
    /// The number of step records.
    count: usize,
    bytes: usize,
    shared: Arc<Shared>,
    /// `Some` until the journal is finished, like `worker`.
    sender: Option<Sender<Work>>,
    worker: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// The number of records queued for the worker; later records must be queued behind them.
    pending: AtomicUsize,
    /// The error after which nothing more is written.
    error: Mutex<Option<String>>,
}

enum Work {
    Base(Box<Scene>),
    Steps(Box<Record>),
    State(Box<State>),
    /// Syncs everything before to the disk, together with the state of the scene.
    Flush(Sender<()>),
}

/// The scene after the given number of step records with the given total size.
struct State {
    scene: Scene,
    after: usize,
    bytes: usize,
}

impl Journal {
    /// Begins the journal of a session that has been recorded since it was opened with `base`. `file` is the
    /// file that `base` was read from, with a stamp of its content.
    ///
    /// # Errors
    /// If its folder or files cannot be created.
    pub fn begin(store: &Store, base: &Scene, file: Option<(&Path, Stamp)>) -> io::Result<Self> {
        let folder = store.create()?;
        let head = Head {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: unix_seconds(SystemTime::now()),
            // Absolute, as the session may be recovered from another working directory.
            file: file.map(|(path, stamp)| {
                let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                (path.to_string_lossy().into_owned(), stamp)
            }),
        };
        let journal = Self::open(store, folder, 0)?;
        let head = frame(&serde_json::to_vec(&Record::Head(head))?);
        disk::append(&journal.file, &journal.path, &head)?;
        journal.send(Work::Base(Box::new(base.clone())));
        Ok(journal)
    }

    /// Continues the journal that `session` was recovered from, after its first `count` step records, which
    /// end at byte `end`.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn resume(
        store: &Store,
        folder: Folder,
        session: &mut Session,
        count: usize,
        end: usize,
    ) -> io::Result<Self> {
        // Later snapshots are unreadable, or they would have been recovered; their numbers will be used
        // again.
        for snapshot in snapshots::list(folder.path()) {
            if snapshot.after > count {
                disk::remove(&snapshot.path)?;
            }
        }
        let mut journal = Self::open(store, folder, count)?;
        // An incomplete record would hide everything after it.
        disk::truncate(&journal.file, &journal.path, end as u64)?;
        session.record();
        // A drag that was interrupted when the program ended becomes a step.
        journal.write(vec![Step::Commit], session.undo_label());
        Ok(journal)
    }

    fn open(store: &Store, folder: Folder, count: usize) -> io::Result<Self> {
        let path = folder.path().join("journal");
        let is_new = !path.exists();
        let file = File::options().append(true).create(true).open(&path)?;
        if is_new {
            disk::created(&path);
        }
        let shared = Arc::<Shared>::default();
        let (sender, receiver) = channel();
        let snapshots = snapshots::list(folder.path());
        let worker = Worker {
            folder: folder.path().to_owned(),
            file: file.try_clone()?,
            path: path.clone(),
            shared: Arc::clone(&shared),
            latest: None,
            last_snapshot: (snapshots.last().map_or(0, |last| last.after), 0),
            snapshots,
        };
        let worker = Builder::new().name("journal".into()).spawn(move || worker.run(&receiver))?;
        Ok(Self {
            store: store.clone(),
            folder,
            file,
            path,
            count,
            bytes: 0,
            shared,
            sender: Some(sender),
            worker: Some(worker),
        })
    }

    /// Writes the steps of the session since the last call; with `with_drag`, also the current state of a
    /// drag in progress.
    pub fn follow(&mut self, session: &mut Session, with_drag: bool) {
        let steps = session.take_steps(with_drag);
        if steps.is_empty() || self.shared.error().is_some() {
            return;
        }
        let saved = steps.iter().any(|step| matches!(step, Step::Saved(_)));
        self.write(steps, session.undo_label());
        if !session.in_transaction() {
            let (scene, after, bytes) = (session.scene().clone(), self.count, self.bytes);
            self.send(Work::State(Box::new(State { scene, after, bytes })));
        }
        if saved {
            let (sender, _) = channel();
            self.send(Work::Flush(sender));
        }
    }

    /// Marks the initial document as unsaved, so that the session is offered for recovery even without
    /// further edits.
    pub fn note_unsaved(&mut self, session: &Session) {
        self.write(vec![Step::Commit], session.undo_label());
    }

    /// Waits until everything is on the disk, including the state of the scene.
    pub fn flush(&self) {
        let (sender, receiver) = channel();
        self.send(Work::Flush(sender));
        let _ = receiver.recv();
    }

    fn write(&mut self, steps: Vec<Step>, label: Option<&str>) {
        self.count += 1;
        let label = label.map(str::to_owned);
        let record = Record::Steps(Steps { steps, label });
        if self.shared.pending.load(Ordering::Acquire) == 0
            && let Some(content) = short_content(&record)
        {
            self.bytes += content.len();
            if let Err(error) = disk::append(&self.file, &self.path, &frame(&content)) {
                self.shared.stop(&error);
            }
            return;
        }
        self.bytes += MAX_CONTENT;
        self.shared.pending.fetch_add(1, Ordering::AcqRel);
        self.send(Work::Steps(Box::new(record)));
    }

    fn send(&self, work: Work) {
        if self.sender.as_ref().is_some_and(|sender| sender.send(work).is_err()) {
            self.shared.stop(&"the thread that writes it has ended");
        }
    }

    /// The error that ended the journal before the session, if any.
    pub fn error(&self) -> Option<String> {
        self.shared.error()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Ends the session and deletes its folder: nothing in it is worth keeping.
    ///
    /// # Errors
    /// If the folder cannot be removed.
    pub fn remove(mut self) -> io::Result<()> {
        self.finish();
        disk::remove(&self.path)?;
        std::fs::remove_dir_all(self.folder.path())
    }

    /// Ends the session with unwanted changes: its folder is kept for [`super::store::RETENTION`].
    ///
    /// # Errors
    /// If the folder cannot be moved.
    pub fn discard(mut self) -> io::Result<()> {
        self.finish();
        self.store.discard(&self.folder)
    }

    fn finish(&mut self) {
        drop(self.sender.take());
        if let Some(worker) = self.worker.take() {
            let _ = worker.join();
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Shared {
    fn error(&self) -> Option<String> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stop(&self, error: &dyn std::fmt::Display) {
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| error.to_string());
    }
}

/// Serialises a record if its content fits in [`MAX_CONTENT`]; stops early if it does not.
fn short_content(record: &Record) -> Option<Vec<u8>> {
    struct Short(Vec<u8>);
    impl Write for Short {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() + bytes.len() > MAX_CONTENT {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut short = Short(Vec::new());
    serde_json::to_writer(&mut short, record).ok()?;
    Some(short.0)
}

/// The 64-bit FNV-1a hash as 16 hexadecimal digits; used for serialised scenes and for files named after
/// their content.
pub(super) fn hash(bytes: &[u8]) -> String {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    format!("{:016x}", bytes.iter().fold(0xCBF2_9CE4_8422_2325, step))
}

struct Worker {
    folder: PathBuf,
    file: File,
    /// The path of `file`.
    path: PathBuf,
    shared: Arc<Shared>,
    latest: Option<State>,
    /// Oldest first.
    snapshots: Vec<Snapshot>,
    /// The number of step records and bytes at the last snapshot.
    last_snapshot: (usize, usize),
}

impl Worker {
    fn run(mut self, receiver: &Receiver<Work>) {
        let mut since: Option<Instant> = None;
        loop {
            let work = match since {
                None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(since) => receiver.recv_timeout(SYNC.saturating_sub(since.elapsed())),
            };
            let ended = matches!(work, Err(RecvTimeoutError::Disconnected));
            let mut waiting = None;
            let done = match work {
                Ok(Work::Flush(sender)) => {
                    since = None;
                    waiting = Some(sender);
                    self.flush()
                }
                Err(_) => {
                    since = None;
                    self.flush()
                }
                Ok(work) => {
                    since.get_or_insert_with(Instant::now);
                    self.process(work)
                }
            };
            if let Err(error) = done {
                self.shared.stop(&error);
            }
            // Waiting callers are notified only after a failure has been recorded.
            if let Some(sender) = waiting {
                let _ = sender.send(());
            }
            if ended {
                return;
            }
        }
    }

    fn process(&mut self, work: Work) -> io::Result<()> {
        match work {
            Work::Base(scene) => {
                let bytes = js3d::write(&scene).map_err(io::Error::other)?;
                // The hash comes first, so that whatever exists of the base can be verified.
                let (after, hash) = (0, hash(&bytes));
                self.append(&Record::Scene { after, hash })?;
                disk::sync(&self.file, &self.path)?;
                durable::save(&self.folder.join("base.js3d"), &bytes).map_err(io::Error::other)?;
                // The folder and its parents may be new. Some parents may belong to other users, so errors
                // are ignored.
                for folder in self.folder.ancestors().skip(1).take(4) {
                    let _ = disk::sync_folder(folder);
                }
            }
            Work::Steps(record) => {
                let written = self.write_long(&record);
                self.shared.pending.fetch_sub(1, Ordering::AcqRel);
                written?;
            }
            Work::State(state) => self.latest = Some(*state),
            Work::Flush(_) => {}
        }
        Ok(())
    }

    fn append(&mut self, record: &Record) -> io::Result<()> {
        let record = frame(&serde_json::to_vec(record)?);
        disk::append(&self.file, &self.path, &record)
    }

    /// Writes a queued record; a long one goes into a separate file.
    fn write_long(&mut self, record: &Record) -> io::Result<()> {
        let content = serde_json::to_vec(record)?;
        if content.len() <= MAX_CONTENT {
            return disk::append(&self.file, &self.path, &frame(&content));
        }
        let name = hash(&content) + ".json";
        durable::save(&self.folder.join(&name), &content).map_err(io::Error::other)?;
        self.append(&Record::Long(name))
    }

    /// Syncs the disk, then records the hash of the scene, and a snapshot when one is due.
    fn flush(&mut self) -> io::Result<()> {
        disk::sync(&self.file, &self.path)?;
        // If the journal was deleted, nothing written could be found again.
        if !self.path.exists() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "its folder is gone"));
        }
        let Some(State { scene, after, bytes }) = self.latest.take() else {
            return Ok(());
        };
        // A scene that is too large to save can still be recovered from its steps.
        let Ok(content) = js3d::write(&scene) else {
            return Ok(());
        };
        let hash = hash(&content);
        let snapshot = Snapshot::new(&self.folder, after, &hash);
        self.append(&Record::Scene { after, hash })?;
        let (last_after, last_bytes) = self.last_snapshot;
        if after - last_after >= SNAPSHOT_STEPS || bytes - last_bytes >= SNAPSHOT_BYTES {
            durable::save(&snapshot.path, &content).map_err(io::Error::other)?;
            self.snapshots.push(snapshot);
            self.last_snapshot = (after, bytes);
            if self.snapshots.len() > 2 {
                let _ = disk::remove(&self.snapshots.remove(0).path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod power_tests;
