//! Carries a journal out again. Where the scene does not come out as it was, what is sure is kept: the steps before, or a
//! snapshot that is later than they are.

use super::records::{FORMAT, Head, Record, Steps, contents, is_unfinished};
use super::snapshots;
use super::writer::hash;
use crate::edit::session::Session;
use crate::edit::step::Step;
use crate::io::count::counted;
use crate::io::stamp::Stamp;
use crate::io::{file, js3d};
use crate::scene::Scene;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A session as it was when its program ended.
#[derive(Debug)]
pub struct Recovered {
    /// With the path of its file, and with all that can be undone.
    pub session: Session,
    pub head: Head,
    /// The document as it was opened.
    pub base: Scene,
    /// Where it was saved last, if it was, and as what.
    saved: Option<(PathBuf, Scene)>,
    /// What was carried out on that.
    pub steps: Vec<Step>,
    /// Records of steps that were carried out, and where the last of them ends in the journal.
    pub count: usize,
    pub end: usize,
    /// What could not be recovered, for people; `None` where everything was. Then the journal can go on.
    pub loss: Option<String>,
    /// The program ended while it wrote a record: that of the step that was being done.
    pub unfinished: bool,
}

/// Why nothing can be recovered of a session.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    #[error("the journal cannot be read, and is as it was: {0}")]
    Journal(String),
    #[error(
        "the journal has no beginning that this program understands; its folder is as it was, for a newer version of \
         the program"
    )]
    Head,
    #[error(
        "neither the document that the session began with nor a snapshot of it can be read ({0}); the folder of the \
         journal is as it was, for a newer version of the program"
    )]
    Base(String),
}

impl Recovered {
    /// What people are to know of it: what could not be recovered, or where it ends.
    pub fn note(&self) -> Option<&str> {
        let unfinished =
            "the last step was being written when the program ended; everything before it is there";
        self.loss.as_deref().or(self.unfinished.then_some(unfinished))
    }

    /// The document's file, and what it held when it was opened or saved last. `None` if it has none.
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

/// Recovers the session of a folder, which is only read.
///
/// # Errors
/// If nothing of it is left.
pub fn recover(folder: &Path) -> Result<Recovered, RecoverError> {
    let path = folder.join("journal");
    let bytes = file::read(&path, "journal").map_err(|error| RecoverError::Journal(error.to_string()))?;
    let mut records = contents(&bytes).map_while(|(content, end)| {
        let record = serde_json::from_slice::<Record>(content).ok()?;
        Some((record, end))
    });
    let Some((Record::Head(head), start)) = records.next() else {
        let journal = Journal::new(folder, Head::lost(), 0, std::iter::empty());
        let found = journal.snapshot(0, Scene::default(), "the beginning of the journal is damaged");
        return found.ok_or(RecoverError::Head);
    };
    let journal = Journal::new(folder, head, start, records);
    let rest = &bytes[journal.end..];
    let base = match journal.base() {
        Ok(base) if journal.head.format == FORMAT => base,
        Ok(base) => {
            let why = format!(
                "version {} of the program wrote the journal in another way",
                journal.head.version
            );
            return journal.snapshot(0, base, &why).ok_or(RecoverError::Base(why));
        }
        Err(error) => {
            let found = journal.snapshot(0, Scene::default(), &error);
            return found.ok_or(RecoverError::Base(error));
        }
    };
    let (mut limit, mut every, mut why) = (usize::MAX, false, None);
    loop {
        let run = journal.run(&base, limit, every);
        match run.failure {
            Some((left, failure)) => {
                (limit, every) = (left, true);
                why.get_or_insert(failure);
            }
            None => {
                let mut recovered = run.recovered;
                let (count, lost) = (journal.count(), journal.count() - recovered.count);
                let why = why.or_else(|| {
                    let is_damaged = !rest.is_empty() && !is_unfinished(rest);
                    let bytes = rest.len();
                    is_damaged
                        .then(|| format!("behind step {count} the journal is damaged: {bytes} bytes of it"))
                });
                let end = format!("the journal ends behind step {count}");
                let later = journal.snapshot(recovered.count, base, why.as_deref().unwrap_or(&end));
                if let Some(later) = later {
                    return Ok(later);
                }
                recovered.unfinished = why.is_none() && !rest.is_empty();
                recovered.loss = why.map(|why| match lost {
                    0 => why,
                    _ => format!("the last {} are lost: {why}", counted(lost, "step", "steps")),
                });
                recovered.session.commit();
                return Ok(recovered);
            }
        }
    }
}

/// What a journal says.
struct Journal<'a> {
    folder: &'a Path,
    head: Head,
    /// Where the head ends.
    start: usize,
    /// Where the last whole record ends.
    end: usize,
    /// Records of steps, and where they end.
    records: Vec<(Record, usize)>,
    hashes: BTreeMap<usize, String>,
}

struct Run {
    recovered: Recovered,
    /// To how many records to go at most the next time, and why.
    failure: Option<(usize, String)>,
}

impl<'a> Journal<'a> {
    fn new(
        folder: &'a Path,
        head: Head,
        start: usize,
        records: impl Iterator<Item = (Record, usize)>,
    ) -> Self {
        let mut journal = Self {
            folder,
            head,
            start,
            end: start,
            records: Vec::new(),
            hashes: BTreeMap::new(),
        };
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
        let kept = self.folder.join("base.js3d");
        let why = match kept.exists() {
            true => match kept_scene(&kept, self.hashes.get(&0)) {
                Ok(scene) => return Ok(scene),
                Err(why) => why,
            },
            false => "it was not written yet when the program ended".into(),
        };
        // The file itself, if it is what it was.
        let own = self
            .head
            .file
            .as_ref()
            .map(|(path, stamp)| (Path::new(path), stamp));
        match own.filter(|(path, stamp)| path.is_file() && !stamp.is_outdated(path)) {
            Some((path, _)) => js3d::read_file(path)
                .map(|(scene, _)| scene)
                .map_err(|error| error.to_string()),
            None => Err(why),
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

    /// Carries out up to `limit` records. The scene is compared with what it was at the last place where that is
    /// known, or at `every` one.
    fn run(&self, base: &Scene, limit: usize, every: bool) -> Run {
        let mut run = Run {
            recovered: self.recovered(Session::new(base.clone(), self.path()), base.clone()),
            failure: None,
        };
        let limit = limit.min(self.count());
        let last = self.hashes.range(..=limit).next_back().map(|(after, _)| *after);
        for (record, end) in &self.records[..limit] {
            let Recovered {
                session,
                steps,
                count,
                saved,
                ..
            } = &mut run.recovered;
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
                return run;
            }
            *count += 1;
            let count = *count;
            run.recovered.end = *end;
            if let Some(expected) = self.hashes.get(&count).filter(|_| every || last == Some(count)) {
                let found = js3d::write(run.recovered.session.scene()).map(|bytes| hash(&bytes));
                if found.as_ref() != Ok(expected) {
                    // Where it was known last: the first place may be before that.
                    let left = if every { count - 1 } else { limit };
                    run.failure = Some((
                        left,
                        format!("the scene of step {count} came out otherwise than it was"),
                    ));
                    return run;
                }
            }
        }
        if limit == self.count() {
            run.recovered.end = self.end;
        }
        run
    }

    fn recovered(&self, mut session: Session, base: Scene) -> Recovered {
        // It held what could be undone then, whatever is allowed here.
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

    /// The last snapshot that is later than so many records and is what it was.
    fn snapshot(&self, later: usize, base: Scene, why: &str) -> Option<Recovered> {
        let mut snapshots = snapshots::list(self.folder).into_iter().rev();
        let (after, scene) = snapshots.find_map(|snapshot| {
            let is_later = snapshot.after > later;
            let scene = is_later.then(|| kept_scene(&snapshot.path, Some(&snapshot.hash)))?;
            Some((snapshot.after, scene.ok()?))
        })?;
        let mut session = Session::new(scene, self.path());
        session.set_unsaved();
        let mut recovered = Recovered {
            count: after,
            ..self.recovered(session, base)
        };
        if self.head.format == FORMAT {
            self.go_on(&mut recovered);
        }
        let what = match recovered.count - after {
            0 => "without undo".to_owned(),
            more => format!(
                "with the {} after it, but without undo before it",
                counted(more, "step", "steps")
            ),
        };
        let lost = match self.count().checked_sub(recovered.count) {
            // It lies behind what can be read.
            None => ", and what was done after it is lost".into(),
            Some(0) => String::new(),
            Some(lost) => format!(", and the last {} are lost", counted(lost, "step", "steps")),
        };
        recovered.loss = Some(format!("this is a snapshot of step {after}, {what}{lost}: {why}"));
        Some(recovered)
    }

    /// Carries out what comes after a snapshot, up to the last place at which the scene is known to be what it was.
    fn go_on(&self, recovered: &mut Recovered) {
        let after = recovered.count;
        let Some(later) = self.records.get(after..) else {
            return;
        };
        let mut session = recovered.session.clone();
        let mut carry_out = |record: &Record, all: bool| {
            let loaded = self.load(record).ok()?;
            let mut steps = loaded.steps.iter().filter(|step| all || step.is_setting());
            steps.try_for_each(|step| step.carry_out(&mut session)).ok()?;
            Some(session.clone())
        };
        // What later steps go by beside the scene.
        if !self.records[..after]
            .iter()
            .all(|(record, _)| carry_out(record, false).is_some())
        {
            return;
        }
        for (count, (record, _)) in (after + 1..).zip(later) {
            let Some(now) = carry_out(record, true) else {
                return;
            };
            let Some(expected) = self.hashes.get(&count) else {
                continue;
            };
            let found = js3d::write(now.scene()).map(|bytes| hash(&bytes));
            if found.as_ref() != Ok(expected) {
                return;
            }
            (recovered.session, recovered.count) = (now, count);
        }
    }
}

/// The scene in a file of the folder, of which the hash may be known.
fn kept_scene(path: &Path, known: Option<&String>) -> Result<Scene, String> {
    let content = file::read(path, "js3d").map_err(|error| error.to_string())?;
    if known.is_some_and(|known| *known != hash(&content)) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return Err(format!("the file {name} of the journal is damaged"));
    }
    let (scene, _) = js3d::read(&content).map_err(|error| error.to_string())?;
    Ok(scene)
}
