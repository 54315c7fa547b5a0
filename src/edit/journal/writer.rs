//! Follows a session: what it did is in the journal when [`Journal::follow`] returns, except for long records, which a
//! thread writes. That thread also waits for the disk, and writes now and then what the scene is.

use super::records::{FORMAT, Head, LONGEST, Record, Steps, frame};
use super::snapshots::{self, Snapshot};
use super::store::{Folder, Store, seconds_of};
use crate::edit::session::Session;
use crate::edit::step::Step;
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

/// What was written is on the disk after that time, also where the power fails.
const SYNC: Duration = Duration::from_secs(1);

/// A snapshot is written after so many records of steps, or so many bytes of them. Fewer for the tests beside this
/// file: they recover from thousands of disks, and `tests/core/journal` sees to it that it is 200.
const SNAPSHOT_STEPS: usize = if cfg!(test) { 50 } else { 200 };
const SNAPSHOT_BYTES: usize = 2 << 20;

/// The journal of a session that goes on. Dropped, it stays, as if the program had been killed.
#[derive(Debug)]
pub struct Journal {
    store: Store,
    folder: Folder,
    file: File,
    /// Where that lies.
    path: PathBuf,
    /// Records of steps.
    count: usize,
    bytes: usize,
    shared: Arc<Shared>,
    /// Both are there until this is dropped.
    sender: Option<Sender<Work>>,
    worker: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Records that wait for the worker: those behind them must wait too.
    pending: AtomicUsize,
    /// Why nothing is written any more.
    trouble: Mutex<Option<String>>,
}

enum Work {
    Base(Box<Scene>),
    Steps(Box<Record>),
    State(Box<State>),
    /// Everything before is to be on the disk, with what the scene is.
    Settle(Sender<()>),
}

/// The scene after so many records of steps, which took so many bytes.
struct State {
    scene: Scene,
    after: usize,
    bytes: usize,
}

impl Journal {
    /// Begins a journal of a session that is recorded since it was opened on `base`. `file`: where that was read, and
    /// what it held.
    ///
    /// # Errors
    /// If there is no place for it.
    pub fn begin(store: &Store, base: &Scene, file: Option<(&Path, Stamp)>) -> io::Result<Self> {
        let folder = store.create()?;
        let head = Head {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started: seconds_of(SystemTime::now()),
            // It may be recovered from another folder.
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

    /// Goes on with the journal of a session that was recovered from it, from where that ends.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn resume(
        store: &Store,
        folder: Folder,
        session: &mut Session,
        count: usize,
        end: usize,
    ) -> io::Result<Self> {
        // Later ones cannot be read, or they would have been recovered; their numbers come again.
        for snapshot in snapshots::list(folder.path()) {
            if snapshot.after > count {
                disk::remove(&snapshot.path)?;
            }
        }
        let mut journal = Self::open(store, folder, count)?;
        // A record that is not whole would hide what comes behind it.
        disk::cut(&journal.file, &journal.path, end as u64)?;
        session.record();
        // A drag that was held when the program ended is a step now.
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
            snapshot_at: (snapshots.last().map_or(0, |last| last.after), 0),
            snapshots,
        };
        let worker = Builder::new()
            .name("journal".into())
            .spawn(move || worker.run(&receiver))?;
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

    /// Writes what the session did since the last call; `with_held`: also a drag under way, as far as it is.
    pub fn follow(&mut self, session: &mut Session, with_held: bool) {
        let steps = session.take_steps(with_held);
        if steps.is_empty() || self.shared.trouble().is_some() {
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
            self.send(Work::Settle(sender));
        }
    }

    /// The document that the journal begins with is in no file: it is to be offered although nothing more was done.
    pub fn note_unsaved(&mut self, session: &Session) {
        self.write(vec![Step::Commit], session.undo_label());
    }

    /// Waits until all is on the disk, and what the scene is after it.
    pub fn settle(&self) {
        let (sender, receiver) = channel();
        self.send(Work::Settle(sender));
        let _ = receiver.recv();
    }

    fn write(&mut self, steps: Vec<Step>, label: Option<&str>) {
        self.count += 1;
        let label = label.map(str::to_owned);
        let record = Record::Steps(Steps { steps, label });
        if self.shared.pending.load(Ordering::Acquire) == 0
            && let Some(content) = short(&record)
        {
            self.bytes += content.len();
            if let Err(error) = disk::append(&self.file, &self.path, &frame(&content)) {
                self.shared.stop(&error);
            }
            return;
        }
        self.bytes += LONGEST;
        self.shared.pending.fetch_add(1, Ordering::AcqRel);
        self.send(Work::Steps(Box::new(record)));
    }

    fn send(&self, work: Work) {
        if self
            .sender
            .as_ref()
            .is_some_and(|sender| sender.send(work).is_err())
        {
            self.shared.stop(&"the thread that writes it has ended");
        }
    }

    /// Why the journal has ended before the session; told once.
    pub fn trouble(&self) -> Option<String> {
        self.shared.trouble()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The session is over, and nothing of it would be missed.
    ///
    /// # Errors
    /// If the folder cannot be removed.
    pub fn remove(mut self) -> io::Result<()> {
        self.finish();
        disk::remove(&self.path)?;
        std::fs::remove_dir_all(self.folder.path())
    }

    /// The session is over with changes that nobody wanted to save: it is kept for a while, see [`super::store::KEPT`].
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
    fn trouble(&self) -> Option<String> {
        self.trouble
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn stop(&self, error: &dyn std::fmt::Display) {
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        trouble.get_or_insert_with(|| error.to_string());
    }
}

/// The content of a record, if it is not long. Little is spent on one that is.
fn short(record: &Record) -> Option<Vec<u8>> {
    struct Short(Vec<u8>);
    impl Write for Short {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() + bytes.len() > LONGEST {
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

/// FNV-1a, 64 bits, as 16 digits: of a scene as it is saved, and of files by which they are named.
pub(super) fn hash(bytes: &[u8]) -> String {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    format!("{:016x}", bytes.iter().fold(0xCBF2_9CE4_8422_2325, step))
}

struct Worker {
    folder: PathBuf,
    file: File,
    /// Where that lies.
    path: PathBuf,
    shared: Arc<Shared>,
    latest: Option<State>,
    /// The oldest first.
    snapshots: Vec<Snapshot>,
    /// Records and bytes at the last one.
    snapshot_at: (usize, usize),
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
                Ok(Work::Settle(sender)) => {
                    since = None;
                    waiting = Some(sender);
                    self.settle()
                }
                Err(_) => {
                    since = None;
                    self.settle()
                }
                Ok(work) => {
                    since.get_or_insert_with(Instant::now);
                    self.carry_out(work)
                }
            };
            if let Err(error) = done {
                self.shared.stop(&error);
            }
            // Who waits is told when it is known how it went.
            if let Some(sender) = waiting {
                let _ = sender.send(());
            }
            if ended {
                return;
            }
        }
    }

    fn carry_out(&mut self, work: Work) -> io::Result<()> {
        match work {
            Work::Base(scene) => {
                let bytes = js3d::write(&scene).map_err(io::Error::other)?;
                // Whatever there is of the base, this is known of it.
                let (after, hash) = (0, hash(&bytes));
                self.append(&Record::Scene { after, hash })?;
                disk::sync(&self.file, &self.path)?;
                durable::save(&self.folder.join("base.js3d"), &bytes).map_err(io::Error::other)?;
                // The folder may be new, and those above it; some of them may belong to others.
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
            Work::Settle(_) => {}
        }
        Ok(())
    }

    fn append(&mut self, record: &Record) -> io::Result<()> {
        let record = frame(&serde_json::to_vec(record)?);
        disk::append(&self.file, &self.path, &record)
    }

    /// A record that had to wait; where it is long, in a file of its own.
    fn write_long(&mut self, record: &Record) -> io::Result<()> {
        let content = serde_json::to_vec(record)?;
        if content.len() <= LONGEST {
            return disk::append(&self.file, &self.path, &frame(&content));
        }
        let name = hash(&content) + ".json";
        durable::save(&self.folder.join(&name), &content).map_err(io::Error::other)?;
        self.append(&Record::Long(name))
    }

    /// Waits for the disk, and writes what the scene is.
    fn settle(&mut self) -> io::Result<()> {
        disk::sync(&self.file, &self.path)?;
        // What is written would be found by nobody.
        if !self.path.exists() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "its folder is gone"));
        }
        let Some(State { scene, after, bytes }) = self.latest.take() else {
            return Ok(());
        };
        // A scene that is too large to be saved has its steps.
        let Ok(content) = js3d::write(&scene) else {
            return Ok(());
        };
        let hash = hash(&content);
        let snapshot = Snapshot::new(&self.folder, after, &hash);
        self.append(&Record::Scene { after, hash })?;
        let (steps_at, bytes_at) = self.snapshot_at;
        if after - steps_at >= SNAPSHOT_STEPS || bytes - bytes_at >= SNAPSHOT_BYTES {
            durable::save(&snapshot.path, &content).map_err(io::Error::other)?;
            self.snapshots.push(snapshot);
            self.snapshot_at = (after, bytes);
            if self.snapshots.len() > 2 {
                let _ = disk::remove(&self.snapshots.remove(0).path);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod power_tests;
