//! Damages OBJ files, statement by statement.

use crate::editing::Random;

const WORDS: [&str; 26] = [
    "0",
    "1",
    "-1",
    "2",
    "8",
    "9",
    "999999999",
    "-999999999",
    "9223372036854775808",
    "1e37",
    "-3.4e38",
    "3.5e38",
    "1e999",
    "1e-45",
    "nan",
    "INF",
    "-Infinity",
    "1/1/1",
    "1//1",
    "2/",
    "//",
    "x",
    "#",
    "\\",
    "\u{202e}\u{1b}[2J",
    "",
];
const KEYS: [&str; 14] =
    ["v", "vt", "vn", "f", "o", "g", "s", "l", "p", "vp", "usemtl", "mtllib", "call", "curv2"];

pub fn damaged(seed: &str, random: &mut Random) -> String {
    let mut lines: Vec<Vec<String>> =
        seed.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    for _ in 0..1 + random.below(6) {
        let at = random.below(lines.len());
        match random.below(9) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[random.below(lines.len())].clone()),
            2 => lines.truncate(at + 1),
            3 => {
                let mut line = vec![(*random.pick(&KEYS)).to_owned()];
                (0..random.below(7)).for_each(|_| line.push((*random.pick(&WORDS)).to_owned()));
                lines.insert(at, line);
            }
            4 => {
                let end = (at + random.below(30)).min(lines.len());
                drop(lines.drain(at..end));
            }
            5 => scale(&mut lines, *random.pick(&[1e38, 1e30, 1e-30, 1e-45, -1.0, 0.0])),
            6 => {
                // A face with very many corners.
                let corners = 1 + random.below(300);
                let face = (0..corners).map(|_| (1 + random.below(24)).to_string());
                lines.push(["f".to_owned()].into_iter().chain(face).collect());
            }
            _ => {
                let words = &mut lines[at];
                let word = random.below(words.len());
                match random.below(3) {
                    0 => drop(words.remove(word)),
                    1 => words.insert(word, (*random.pick(&WORDS)).to_owned()),
                    _ => words[word] = (*random.pick(&WORDS)).to_owned(),
                }
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
    lines.join(*random.pick(&["\n", "\n", "\r\n", "\r", "\\\n"]))
}

fn scale(lines: &mut [Vec<String>], by: f64) {
    for words in lines.iter_mut().filter(|words| words.first().is_some_and(|key| key == "v")) {
        for word in &mut words[1..] {
            if let Ok(number) = word.parse::<f64>() {
                *word = format!("{:e}", number * by);
            }
        }
    }
}
