//! Runs damaged scenes and meshes through every headless command: none may panic, take longer than 5 s or
//! more than 1 GiB, print a number that is not finite, or write a file that cannot be read.
//!
//! Cases are numbered, and the same in every run: 2,000 of scenes and meshes, 2,000 of glTF. With
//! `OSSATURE_FUZZ_SECONDS` there are as many as time permits instead (a minute in `.ci/run`);
//! `OSSATURE_FUZZ_CASES` sets their number, `OSSATURE_SEED` selects other ones. A single case, whose file is
//! kept and its path printed:
//!
//! `OSSATURE_FUZZ_CASE=1234 cargo test --release --no-default-features --test fuzz -- --nocapture`
//!
//! glTF files have their own cases: `OSSATURE_GLTF_CASES` sets their number, `OSSATURE_GLTF_CASE` selects
//! one.
//!
//! Each core has a worker process: this program again, whose allocator aborts it at 1 GiB. A case that ends
//! its worker, or times out, is a fault, and a new worker continues with the next case.

#![allow(clippy::print_stdout)]

mod commands;
mod damage;
#[path = "../editing/mod.rs"]
mod editing;
mod exports;
mod gltf;
mod memory;
mod obj;
mod program;
#[path = "../random/mod.rs"]
mod random;
mod seeds;
#[path = "../support/mod.rs"]
mod support;
mod tree;
mod values;
mod worker;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use worker::{Cases, Kind};

/// The limit for all commands on one file: in wall-clock time and, where known, in processor time, as the
/// machine may be busy.
const TIME: Duration = Duration::from_secs(5);
/// The limit in wall-clock time, whatever the processor time.
const MOST_TIME: Duration = Duration::from_secs(60);
/// Workers stop after this many faults in total: enough to fix.
const MOST_FAULTS: usize = 40;
/// The variable that limits the cases by time instead of by number.
const SECONDS: &str = "OSSATURE_FUZZ_SECONDS";
/// The variable that is set for workers: kind, seed, first case, end, step.
const WORKER: &str = "OSSATURE_FUZZ_WORKER";

fn from_env(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[derive(Default)]
struct Outcome {
    faults: Vec<String>,
    tried: usize,
    readable: usize,
    most_bytes: usize,
    longest_ms: usize,
}

#[test]
fn damaged_files_harm_no_command() {
    let (count, readable) = try_all(Kind::Scenes, "OSSATURE_FUZZ_CASES", "OSSATURE_FUZZ_CASE");
    assert!(readable * 3 > count && readable * 10 < count * 9, "some cases are readable, some are not");
}

#[test]
fn damaged_gltf_harms_no_command() {
    let (count, readable) = try_all(Kind::Gltf, "OSSATURE_GLTF_CASES", "OSSATURE_GLTF_CASE");
    assert!(
        readable * 10 > count && readable * 10 < count * 9,
        "some cases are readable, some are not: {readable} of {count}"
    );
}

/// Returns how many cases there were, and how many were readable; for a single case, as if half of them were.
fn try_all(kind: Kind, cases: &str, case: &str) -> (usize, usize) {
    let seed = from_env("OSSATURE_SEED").unwrap_or(1);
    let one = from_env(case).map(|case| case as usize);
    let end = from_env(SECONDS).map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let count = if end.is_some() { usize::MAX >> 1 } else { 2000 };
    let count = from_env(cases).map_or(count, |count| count as usize);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Cases> = match one {
        Some(case) => vec![Cases { kind, seed, first: case, end: case + 1, step: 1 }],
        None => (0..workers).map(|first| Cases { kind, seed, first, end: count, step: workers }).collect(),
    };
    let threads: Vec<_> = parts
        .into_iter()
        .map(|cases| std::thread::spawn(move || tried(cases, end, MOST_FAULTS / workers)))
        .collect();
    let mut all = Outcome::default();
    for thread in threads {
        let outcome = thread.join().expect("the thread only waits");
        all.faults.extend(outcome.faults);
        all.tried += outcome.tried;
        all.readable += outcome.readable;
        all.most_bytes = all.most_bytes.max(outcome.most_bytes);
        all.longest_ms = all.longest_ms.max(outcome.longest_ms);
    }
    println!(
        "seed {seed}: {} tried, {} of them readable; a case took at most {} ms and {} MB",
        all.tried,
        all.readable,
        all.longest_ms,
        all.most_bytes >> 20
    );
    assert!(all.faults.is_empty(), "{} faults:\n{}", all.faults.len(), all.faults.join("\n"));
    if one.is_some() {
        return (10, 5);
    }
    assert!(all.tried == count || end.is_some() && all.tried > 0, "{}", all.tried);
    (all.tried, all.readable)
}

/// Runs a worker; the other tests start it.
#[test]
#[ignore = "the other test runs it"]
fn worker() {
    let Ok(words) = std::env::var(WORKER) else { return };
    let words: Vec<u64> = words.split(' ').map(|word| word.parse().expect("a number")).collect();
    let [kind, seed, first, end, step] = words[..] else { panic!("{words:?}") };
    let kind = if kind == 0 { Kind::Scenes } else { Kind::Gltf };
    let [first, end, step] = [first, end, step].map(|number| number as usize);
    let cases = Cases { kind, seed, first, end, step };
    worker::work(cases, from_env(SECONDS).map(Duration::from_secs));
}

/// Tries all cases, or those that time permits, with a new worker after each case that ends one.
fn tried(mut cases: Cases, end: Option<Instant>, most_faults: usize) -> Outcome {
    let mut outcome = Outcome::default();
    while cases.first < cases.end && outcome.faults.len() < most_faults.max(1) {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        match watched(cases, left, most_faults, &mut outcome) {
            Some(last) => cases.first = last + cases.step,
            None => break,
        }
    }
    outcome
}

/// Returns the processor time that a process has used; `None` where the system does not report it.
fn processor_time(process: u32) -> Option<Duration> {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // In hundredths of a second, after the name, which is in parentheses.
    let mut words = told.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut hundredths = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (hundredths()? + hundredths()?)))
}

/// Watches one worker, which starts no case after `left`; returns the case at which it ended early, if any.
fn watched(cases: Cases, left: Option<Duration>, most_faults: usize, outcome: &mut Outcome) -> Option<usize> {
    let Cases { kind, seed, first, end, step } = cases;
    let kind = u8::from(kind == Kind::Gltf);
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    if let Some(left) = left {
        command.env(SECONDS, left.as_secs().to_string());
    }
    let mut worker = command
        .args(["worker", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(WORKER, format!("{kind} {seed} {first} {end} {step}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a worker starts");
    let (out, err) = (worker.stdout.take(), worker.stderr.take());
    let (to, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(out.expect("a pipe")).lines().map_while(Result::ok) {
            let _ = to.send(line);
        }
    });
    let errors = std::thread::spawn(move || {
        let lines = BufReader::new(err.expect("a pipe")).lines().map_while(Result::ok);
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ")
    });
    let (mut case, mut done, mut late) = (first, false, false);
    let (mut since, mut used) = (Instant::now(), Duration::ZERO);
    loop {
        let line = match lines.recv_timeout(TIME) {
            Ok(line) => line,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let waits = processor_time(worker.id()).is_some_and(|now| now - used < TIME);
                if waits && since.elapsed() < MOST_TIME {
                    continue;
                }
                late = true;
                let _ = worker.kill();
                break;
            }
        };
        // The first line follows the name of the test.
        let Some((_, what)) = line.split_once("fuzz: ") else {
            continue;
        };
        match what.split_once(' ') {
            Some(("case", number)) => {
                case = number.parse().unwrap_or(case);
                since = Instant::now();
                used = processor_time(worker.id()).unwrap_or_default();
                outcome.tried += 1;
            }
            Some(("kept", folder)) => println!("case {case} is kept in {folder}"),
            Some(("fault", what)) => {
                outcome.faults.push(format!("case {case}: {what}"));
                if outcome.faults.len() >= most_faults {
                    let _ = worker.kill();
                    done = true;
                    break;
                }
            }
            Some(("done", numbers)) => {
                done = true;
                let numbers: Vec<usize> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
                outcome.readable += numbers[0];
                outcome.most_bytes = outcome.most_bytes.max(numbers[1]);
                outcome.longest_ms = outcome.longest_ms.max(numbers[2]);
            }
            _ => {}
        }
    }
    let status = worker.wait();
    let _ = reader.join();
    let errors = errors.join().unwrap_or_default();
    match (done, late) {
        (true, _) => return None,
        (_, true) => outcome.faults.push(format!("case {case}: takes longer than {TIME:?}")),
        _ => outcome.faults.push(format!("case {case}: ends the program ({status:?}): {errors}")),
    }
    Some(case)
}
