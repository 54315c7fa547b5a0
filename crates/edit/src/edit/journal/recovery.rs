//! Replays a journal. If the resulting scene differs from the recorded one, the verified part is recovered:
//! the steps before the difference, or a later snapshot.

use super::records::{FORMAT, Head, Record, Steps, contents, is_unfinished};
use super::snapshots;
use super::writer::hash;
use crate::edit::session::Session;
use crate::edit::session::step::Step;
use crate::io::count::counted;
use crate::io::stamp::Stamp;
use crate::io::{file, js3d};
use crate::scene::Scene;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A session in the state in which its program ended.
#[derive(Debug)]
pub struct Recovered {
    /// The session with the path of its file and its whole undo history.
    pub session: Session,
    pub head: Head,
    /// The document as opened.
    pub base: Scene,
    /// The file and scene of the last save, if any.
    saved: Option<(PathBuf, Scene)>,
    /// The steps that were replayed on `base`.
    pub steps: Vec<Step>,
    /// The number of step records that were replayed.
    pub count: usize,
    /// The byte offset in the journal at which the last of them ends.
    pub end: usize,
    /// A message about what could not be recovered; `None` if everything was, so that the journal can be
    /// continued.
    pub loss: Option<String>,
    /// Whether the program ended while writing the record of its last step.
    pub unfinished: bool,
}

/// The reason why a session cannot be recovered at all.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    #[error("the journal cannot be read, and is as it was: {0}")]
    Journal(String),
    #[error(
        "the journal has no beginning that this program understands; its folder is unchanged; open it with a newer version of \
         the program"
    )]
    Head,
    #[error(
        "neither the document that the session began with nor a snapshot of it can be read ({0}); the folder of the \
         journal is unchanged; open it with a newer version of the program"
    )]
    Base(String),
}

impl Recovered {
    /// A message for the user about what could not be recovered, or about an unfinished last step.
    pub fn note(&self) -> Option<&str> {
        let unfinished =
            "the last step was being written when the program ended; everything before it is there";
        self.loss.as_deref().or(self.unfinished.then_some(unfinished))
    }

    /// The document's file, with a stamp of its content when it was opened or last saved. `None` if it has no
    /// file.
    pub fn file(&self) -> Option<(PathBuf, Stamp)> {
        match &self.saved {
            Some((path, scene)) => {
                let bytes = js3d::write(scene).ok()?;
                Some((path.clone(), Stamp::from_bytes(&bytes)))
            }
            None => {
                let (path, stamp) = self.head.file.as_ref()?;
                Some((PathBuf::from(path), *stamp))
            }
        }
    }
}

/// Recovers the session in a folder without changing the folder.
///
/// # Errors
/// If nothing can be recovered.
pub fn recover(folder: &Path) -> Result<Recovered, RecoverError> {
    let path = folder.join("journal");
    let bytes = file::read(&path, "journal").map_err(|error| RecoverError::Journal(error.to_string()))?;
    let mut records = contents(&bytes).map_while(|(content, end)| {
        let record = serde_json::from_slice::<Record>(content).ok()?;
        Some((record, end))
    });
    let Some((Record::Head(head), start)) = records.next() else {
        let journal = Journal::new(folder, Head::unreadable(), 0, std::iter::empty());
        let found = journal.snapshot(0, Scene::default(), "the beginning of the journal is damaged");
        return found.ok_or(RecoverError::Head);
    };
    let journal = Journal::new(folder, head, start, records);
    let rest = &bytes[journal.end..];
    let base = match journal.base() {
        Ok(base) if journal.head.format == FORMAT => base,
        Ok(base) => {
            let reason =
                format!("version {} of the program wrote the journal in another way", journal.head.version);
            return journal.snapshot(0, base, &reason).ok_or(RecoverError::Base(reason));
        }
        Err(error) => {
            let found = journal.snapshot(0, Scene::default(), &error);
            return found.ok_or(RecoverError::Base(error));
        }
    };
    let (mut limit, mut reason) = (usize::MAX, None);
    loop {
        let run = journal.replay(&base, limit);
        match run.failure {
            Some((next_limit, failure)) => {
                limit = next_limit;
                reason.get_or_insert(failure);
            }
            None => {
                let mut recovered = run.recovered;
                let (count, lost) = (journal.count(), journal.count() - recovered.count);
                let reason = reason.or_else(|| {
                    let is_damaged = !rest.is_empty() && !is_unfinished(rest);
                    let bytes = rest.len();
                    is_damaged.then(|| format!("the journal is damaged after step {count}: {bytes} bytes"))
                });
                let end = format!("the journal ends after step {count}");
                let later = journal.snapshot(recovered.count, base, reason.as_deref().unwrap_or(&end));
                if let Some(later) = later {
                    return Ok(later);
                }
                recovered.unfinished = reason.is_none() && !rest.is_empty();
                recovered.loss = reason.map(|reason| match lost {
                    0 => reason,
                    _ => format!("{}: {reason}", lost_text(lost)),
                });
                recovered.session.commit();
                return Ok(recovered);
            }
        }
    }
}

/// The content of a journal.
struct Journal<'a> {
    folder: &'a Path,
    head: Head,
    /// The byte offset at which the head ends.
    start: usize,
    /// The byte offset at which the last intact record ends.
    end: usize,
    /// The step records and the offsets at which they end.
    records: Vec<(Record, usize)>,
    /// Scene hashes by the number of step records before them.
    hashes: BTreeMap<usize, String>,
}

struct Run {
    recovered: Recovered,
    /// The maximum number of records to replay the next time, and the reason.
    failure: Option<(usize, String)>,
}

impl<'a> Journal<'a> {
    fn new(
        folder: &'a Path,
        head: Head,
        start: usize,
        records: impl Iterator<Item = (Record, usize)>,
    ) -> Self {
        let mut journal =
            Self { folder, head, start, end: start, records: Vec::new(), hashes: BTreeMap::new() };
        for (record, end) in records {
            journal.end = end;
            match record {
                Record::Head(_) | Record::Snapshot { .. } => {}
                Record::Scene { after, hash } => drop(journal.hashes.insert(after, hash)),
                record => journal.records.push((record, end)),
            }
        }
        journal
    }

    fn count(&self) -> usize {
        self.records.len()
    }

    fn base(&self) -> Result<Scene, String> {
        let path = self.folder.join("base.js3d");
        let reason = if path.exists() {
            match read_scene(&path, self.hashes.get(&0)) {
                Ok(scene) => return Ok(scene),
                Err(reason) => reason,
            }
        } else {
            "it was not written yet when the program ended".into()
        };
        // The document's file instead, if it is unchanged.
        let original = self.head.file.as_ref().map(|(path, stamp)| (Path::new(path), stamp));
        match original.filter(|(path, stamp)| path.is_file() && !stamp.is_outdated(path)) {
            Some((path, _)) => {
                js3d::read_file(path).map(|(scene, _)| scene).map_err(|error| error.to_string())
            }
            None => Err(reason),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        self.head.file.as_ref().map(|(path, _)| PathBuf::from(path))
    }

    fn load(&self, record: &Record) -> Result<Steps, String> {
        match record {
            Record::Steps(steps) => Ok(steps.clone()),
            Record::Long(name) => {
                let content =
                    file::read(&self.folder.join(name), "journal").map_err(|error| error.to_string())?;
                let damaged = || format!("the file {name} of the journal is damaged");
                if hash(&content) + ".json" != *name {
                    return Err(damaged());
                }
                match serde_json::from_slice(&content) {
                    Ok(Record::Steps(steps)) => Ok(steps),
                    _ => Err(damaged()),
                }
            }
            _ => Ok(Steps::default()),
        }
    }

    /// Replays up to `limit` records, and compares the scene with the last hash that is recorded for them; if it
    /// differs, a hash at which it begins to differ is searched by bisection.
    fn replay(&self, base: &Scene, limit: usize) -> Run {
        let mut run = Run {
            recovered: self.recovered(Session::new(base.clone(), self.path()), base.clone()),
            failure: None,
        };
        let limit = limit.min(self.count());
        let mut known: Vec<(usize, &String, Scene)> = Vec::new();
        for (record, end) in &self.records[..limit] {
            let Recovered { session, steps, count, saved, .. } = &mut run.recovered;
            let done = self.load(record).and_then(|loaded| {
                for step in loaded.steps {
                    step.carry_out(session).map_err(|error| error.to_string())?;
                    if let Step::Saved(path) = &step {
                        *saved = Some((PathBuf::from(path), session.scene().clone()));
                    }
                    steps.push(step);
                }
                Ok(())
            });
            if let Err(error) = done {
                run.failure = Some((*count, error));
                break;
            }
            *count += 1;
            if let Some(expected) = self.hashes.get(count) {
                known.push((*count, expected, session.scene().clone()));
            }
            run.recovered.end = *end;
        }
        if known.last().is_some_and(is_different) {
            let first = known.partition_point(|known| !is_different(known));
            let count = known[first.min(known.len() - 1)].0;
            let text = format!("replaying step {count} gave a different scene");
            let text = run.failure.map_or(text, |(_, error)| error);
            run.failure = Some((count - 1, text));
            return run;
        }
        if run.failure.is_none() && limit == self.count() {
            run.recovered.end = self.end;
        }
        run
    }

    fn recovered(&self, mut session: Session, base: Scene) -> Recovered {
        // The undo history at that time, regardless of the current memory limit.
        session.set_undo_bytes(usize::MAX);
        Recovered {
            session,
            head: self.head.clone(),
            base,
            saved: None,
            steps: Vec::new(),
            count: 0,
            end: self.start,
            loss: None,
            unfinished: false,
        }
    }

    /// Recovers from the last intact snapshot after more than `count` step records.
    fn snapshot(&self, count: usize, base: Scene, reason: &str) -> Option<Recovered> {
        let mut snapshots = snapshots::list(self.folder).into_iter().rev();
        let (after, scene) = snapshots.find_map(|snapshot| {
            let is_later = snapshot.after > count;
            let scene = is_later.then(|| read_scene(&snapshot.path, Some(&snapshot.hash)))?;
            Some((snapshot.after, scene.ok()?))
        })?;
        let mut session = Session::new(scene, self.path());
        session.set_unsaved();
        let mut recovered = Recovered { count: after, ..self.recovered(session, base) };
        if self.head.format == FORMAT {
            self.replay_after_snapshot(&mut recovered);
        }
        let undo = match recovered.count - after {
            0 => "without undo".to_owned(),
            more => {
                format!("with the {} after it, but without undo before it", counted(more, "step", "steps"))
            }
        };
        let lost = match self.count().checked_sub(recovered.count) {
            // The snapshot is later than everything that can be read.
            None => ", and what was done after it is lost".into(),
            Some(0) => String::new(),
            Some(lost) => format!(", and {}", lost_text(lost)),
        };
        recovered.loss = Some(format!("this is a snapshot of step {after}, {undo}{lost}: {reason}"));
        Some(recovered)
    }

    /// Replays the records after a snapshot, up to the last one at which the hash of the scene is verified.
    fn replay_after_snapshot(&self, recovered: &mut Recovered) {
        let after = recovered.count;
        let Some(later) = self.records.get(after..) else {
            return;
        };
        let mut session = recovered.session.clone();
        let replay_record = |record: &Record, session: &mut Session, all: bool| {
            let loaded = self.load(record).ok()?;
            let mut steps = loaded.steps.iter().filter(|step| all || step.is_setting());
            steps.try_for_each(|step| step.carry_out(session)).ok()
        };
        // Settings, on which later steps depend besides the scene.
        let mut earlier = self.records[..after].iter();
        if !earlier.all(|(record, _)| replay_record(record, &mut session, false).is_some()) {
            return;
        }
        for (count, (record, _)) in (after + 1..).zip(later) {
            if replay_record(record, &mut session, true).is_none() {
                return;
            }
            let Some(expected) = self.hashes.get(&count) else {
                continue;
            };
            if is_different(&(count, expected, session.scene().clone())) {
                return;
            }
            (recovered.session, recovered.count) = (session.clone(), count);
        }
    }
}

/// Whether a scene after a number of records does not have the hash that is recorded for it.
fn is_different((_, expected, scene): &(usize, &String, Scene)) -> bool {
    js3d::write(scene).map(|bytes| hash(&bytes)).as_ref() != Ok(*expected)
}

/// Describes how many of the last steps are lost.
fn lost_text(steps: usize) -> String {
    match steps {
        1 => "the last step is lost".to_owned(),
        _ => format!("the last {} are lost", counted(steps, "step", "steps")),
    }
}

/// Reads a scene from a file of the folder and verifies its hash, if that is known.
fn read_scene(path: &Path, expected: Option<&String>) -> Result<Scene, String> {
    let content = file::read(path, "js3d").map_err(|error| error.to_string())?;
    if expected.is_some_and(|expected| *expected != hash(&content)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err(format!("the file {name} of the journal is damaged"));
    }
    let (scene, _) = js3d::read(&content).map_err(|error| error.to_string())?;
    Ok(scene)
}
