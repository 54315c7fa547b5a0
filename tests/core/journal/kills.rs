//! Programs that are killed while they write or recover a journal.

use super::*;

/// The child process of the tests below, which kill it.
#[test]
#[ignore = "a part of the tests that kill programs"]
fn child() {
    let variable = |name: &str| std::env::var(format!("OSSATURE_CHILD_{name}")).ok();
    let (Some(state), Some(file)) = (variable("STATE"), variable("FILE")) else {
        return;
    };
    let store = Store::new(state);
    let mut out = std::io::stdout();
    let mut tell = move || out.write_all(b"+").and_then(|()| out.flush()).unwrap();
    match variable("SEED") {
        Some(seed) => {
            let (journal, mut session) = begin(&store, Some(Path::new(&file)));
            let mut journal = Some(journal);
            live(seed.parse().unwrap(), ACTIONS, &mut journal, &mut session, &mut |_| tell());
            if journal.as_ref().is_some_and(|journal| journal.error().is_some()) {
                println!("\ntrouble");
            }
            std::mem::forget(journal);
        }
        None => {
            let found = store.dead(false).pop().unwrap();
            let folder = Folder::lock(&found.path).unwrap();
            let Recovered { mut session, count, end, .. } = recover(&found.path).unwrap();
            let journal = Journal::resume(&store, folder, &mut session, count, end).unwrap();
            journal.flush();
            tell();
            std::mem::forget(journal);
        }
    }
    // The parent sees that everything was done.
    std::thread::sleep(Duration::from_secs(60));
}

fn start(folder: &Temporary, seed: Option<u64>) -> Child {
    spawn(std::process::Command::new(std::env::current_exe().unwrap()), folder, seed)
}

fn spawn(mut program: std::process::Command, folder: &Temporary, seed: Option<u64>) -> Child {
    program
        .args(["--ignored", "--exact", "journal::kills::child", "--nocapture", "--test-threads=1"])
        .env("OSSATURE_CHILD_STATE", folder.path("state"))
        .env("OSSATURE_CHILD_FILE", folder.path("in.js3d"))
        .env_remove("OSSATURE_CHILD_SEED")
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(seed) = seed {
        program.env("OSSATURE_CHILD_SEED", seed.to_string());
    }
    program.spawn().unwrap()
}

/// Kills a child and returns how many steps it reported.
fn kill(mut child: Child) -> usize {
    child.kill().unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    said.matches('+').count()
}

/// Waits until a child has reported `count` times, and returns how long that took.
fn wait_for(child: &mut Child, count: usize) -> Duration {
    let start = Instant::now();
    let mut told = 0;
    let mut byte = [0];
    let out = child.stdout.as_mut().unwrap();
    while told < count {
        assert_eq!(out.read(&mut byte).unwrap(), 1, "the child ended");
        told += usize::from(byte[0] == b'+');
    }
    start.elapsed()
}

#[test]
fn a_killed_program_loses_at_most_the_step_it_was_at() {
    let kills: usize = std::env::var("OSSATURE_KILLS").map_or(200, |count| count.parse().unwrap());
    let seeds = [11, 12];
    let states = seeds.map(|seed| expected(seed, ACTIONS));
    let mut random = Random::new(5);
    let mut whole = [Duration::ZERO; 2];
    let mut middle = 0;
    for number in 0..kills {
        let which = number % 2;
        let states = &states[which];
        let folder = Temporary::new();
        folder.write("in.js3d", &scene());
        let store = Store::new(folder.path("state"));
        let mut child = start(&folder, Some(seeds[which]));
        let mut waited = 0;
        if number < 2 {
            // The first child of each seed runs to the end, to be timed.
            waited = states.len() - 1;
            whole[which] = wait_for(&mut child, waited);
            assert!(store.dead(false).is_empty(), "a session that is alive is not offered");
        } else if number % 8 < 2 {
            // At any time, even during startup.
            let longest = whole[which].as_micros() as usize;
            std::thread::sleep(Duration::from_micros(random.below(longest) as u64));
        } else {
            // Some time after any of its steps, whatever its speed.
            waited = 1 + random.below(states.len() - 2);
            wait_for(&mut child, waited);
            std::thread::sleep(Duration::from_micros(random.below(1000) as u64));
        }
        let told = waited + kill(child);
        let found = store.dead(false);
        if found.is_empty() {
            assert_eq!(told, 0, "kill {number}");
            continue;
        }
        let recovered = recover(&found[0].path).unwrap();
        let now = bytes(recovered.session.scene());
        // A half-written step is reported and does not count.
        assert_eq!(recovered.loss, None, "kill {number}");
        let next = match recovered.unfinished {
            false => (told + 1).min(states.len() - 1),
            true => told,
        };
        assert!(now == states[told] || now == states[next], "kill {number} after {told} reports");
        middle += usize::from(told > 0 && told < states.len() - 1);
        let mut session = recovered.session;
        while session.undo().is_some() {}
        assert!(bytes(session.scene()) == states[0], "kill {number}: undo does not end at the initial scene");
    }
    assert!(middle * 2 > kills, "only {middle} of {kills} were killed at work");
}

#[test]
fn a_program_that_is_killed_while_it_recovers_loses_nothing() {
    let folder = Temporary::new();
    folder.write("in.js3d", &scene());
    let states = expected(13, ACTIONS);
    let mut child = start(&folder, Some(13));
    wait_for(&mut child, 200);
    kill(child);
    let store = Store::new(folder.path("state"));
    let first = bytes(recover(&dead(&store, false, 1)[0].path).unwrap().session.scene());
    assert!(states.contains(&first));
    let mut random = Random::new(6);
    for _ in 0..6 {
        let child = start(&folder, None);
        std::thread::sleep(Duration::from_micros(random.below(100_000) as u64));
        kill(child);
        let found = dead(&store, false, 1);
        let recovered = recover(&found[0].path).unwrap();
        assert!(recovered.loss.is_none() && bytes(recovered.session.scene()) == first);
    }
}

/// No file may grow beyond 32 or 64 kB (shells differ), as on a full disk: every action still succeeds, the
/// journal reports its end, and its contents are recovered.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_the_journal_and_not_the_session() {
    let folder = Temporary::new();
    folder.write("in.js3d", &scene());
    let states = expected(14, ACTIONS);
    let mut program = std::process::Command::new("sh");
    program
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\""])
        .arg(std::env::current_exe().unwrap());
    let mut child = spawn(program, &folder, Some(14));
    wait_for(&mut child, states.len() - 1);
    let mut said = vec![0; 8];
    child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
    assert!(String::from_utf8(said).unwrap().contains("trouble"));
    kill(child);
    let found = Store::new(folder.path("state")).dead(false);
    let recovered = recover(&found[0].path).unwrap();
    assert!(recovered.unfinished && recovered.loss.is_none() && recovered.count > 20);
    assert!(states.contains(&bytes(recovered.session.scene())));
}
