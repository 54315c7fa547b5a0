//! Small pictures of the main panels and looks, compared with those in `tests/app/golden`, so that what a person
//! sees does not change unnoticed. Tolerant, since drivers round and smooth differently: they are reduced to a
//! fifth, and only differences that a person would see fail.
//!
//! After a change that is meant, `OSSATURE_RENEW_GOLDEN=1 cargo test --release --test app golden::` writes them
//! again; look at them before they are committed.

use super::support::{LEFT_FOREARM, LEFT_UPPER_ARM, Person, RIGHT_UPPER_ARM, Shot};
use bevy_egui::egui::{Key, Rect, pos2};
use image::RgbImage;
use ossature::edit::action::Action;
use ossature::edit::compare::Layout;
use ossature::edit::request::Request;
use ossature::edit::select::selection::Part;
use ossature::edit::settings::options::Theme;
use ossature::edit::settings::view::{BoneLook, Shading};
use ossature::io::js3d;
use std::path::{Path, PathBuf};

const SIZE: [u32; 2] = [1280, 800];
/// The pixels along each side that become one.
const REDUCTION: u32 = 5;
/// Levels are stored in steps of this, which makes the files small.
const STEP: u8 = 8;
/// The pixels along each side of the blocks whose means are compared.
const BLOCK: u32 = 8;
/// The largest differences in levels, of 255: of the whole, and of a block.
const TOLERANCES: [f64; 2] = [2.5, 20.0];

fn reduced(shot: &Shot) -> RgbImage {
    let mean = |x: u32, y: u32| {
        let from = pos2((x * REDUCTION) as f32, (y * REDUCTION) as f32);
        let area = Rect::from_min_max(from, from + bevy_egui::egui::Vec2::splat(REDUCTION as f32));
        let mut sums = [0u32; 3];
        for (x, y) in shot.pixels(area) {
            let pixel = shot.at(x, y);
            (0..3).for_each(|c| sums[c] += u32::from(pixel[c]));
        }
        let level = |sum: u32| (sum / (REDUCTION * REDUCTION)) as u8 / STEP * STEP;
        image::Rgb(sums.map(level))
    };
    RgbImage::from_fn(SIZE[0] / REDUCTION, SIZE[1] / REDUCTION, mean)
}

/// Returns the mean difference of two pictures of the same size, and the largest of a block, with its place.
fn difference(a: &RgbImage, b: &RgbImage) -> (f64, f64, [u32; 2]) {
    let (width, height) = a.dimensions();
    let block = |left: u32, top: u32| {
        let pixels = (top..top + BLOCK).flat_map(|y| (left..left + BLOCK).map(move |x| (x, y)));
        let apart = pixels.flat_map(|(x, y)| {
            let (a, b) = (a.get_pixel(x, y).0, b.get_pixel(x, y).0);
            (0..3).map(move |c| f64::from(a[c].abs_diff(b[c])))
        });
        apart.sum::<f64>() / f64::from(3 * BLOCK * BLOCK)
    };
    let (columns, rows) = (width / BLOCK, height / BLOCK);
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| [column * BLOCK, row * BLOCK]));
    let blocks: Vec<_> = all.map(|[x, y]| (block(x, y), [x, y])).collect();
    let mean = blocks.iter().map(|(apart, _)| apart).sum::<f64>() / blocks.len() as f64;
    let worst = blocks.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (most, place) = worst.expect("there are blocks");
    (mean, most, place)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/app/golden")
}

/// Compares what the person sees with the picture `name`, or writes that.
fn compare(person: &mut Person, name: &str, failed: &mut Vec<String>) {
    let seen = reduced(&person.picture());
    let file = folder().join(format!("{name}.png"));
    if std::env::var_os("OSSATURE_RENEW_GOLDEN").is_some() {
        seen.save(&file).expect("the picture can be written");
        return;
    }
    let expected = match image::open(&file) {
        Ok(picture) => picture.into_rgb8(),
        Err(error) => return failed.push(format!("{name}: {error}")),
    };
    if expected.dimensions() != seen.dimensions() {
        return failed.push(format!("{name} has another size"));
    }
    let (mean, most, [x, y]) = difference(&seen, &expected);
    if mean > TOLERANCES[0] || most > TOLERANCES[1] {
        let written = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        seen.save(&written).expect("the picture can be written");
        failed.push(format!(
            "{name}: {mean:.1} levels apart, {most:.1} around {x}, {y} of {}; what was seen is in {}",
            file.display(),
            written.display()
        ));
    }
}

fn person(file: &str) -> Option<Person> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("media/js3d").join(file);
    let (scene, _) = js3d::read_file(&path).expect("the scene can be read");
    Person::with_scene(SIZE[0], SIZE[1], scene)
}

fn select(person: &mut Person, parts: &[Part]) {
    let selection = person.selection().with_parts(parts.iter().copied());
    person.editor().session.select(selection);
    person.app.frames(2);
}

#[test]
fn the_main_panels_and_looks_are_as_they_were() {
    let Some(mut person) = person("A4-human-walk.js3d") else {
        return;
    };
    let mut failed = Vec::new();
    compare(&mut person, "rig", &mut failed);
    select(&mut person, &[Part::Bone(LEFT_FOREARM)]);
    compare(&mut person, "bone", &mut failed);
    person.key(Key::H);
    compare(&mut person, "weights", &mut failed);
    select(&mut person, &[LEFT_UPPER_ARM, RIGHT_UPPER_ARM].map(Part::Bone));
    compare(&mut person, "two-bones", &mut failed);
    person.key(Key::H);
    select(&mut person, &[Part::Bone(LEFT_FOREARM)]);
    person.key(Key::B);
    compare(&mut person, "painting", &mut failed);
    person.key(Key::Escape);
    for (look, name) in [(BoneLook::Capsules, "capsules"), (BoneLook::Sticks, "sticks")] {
        person.editor().settings.display.bone_look = look;
        compare(&mut person, name, &mut failed);
    }
    person.editor().settings.display.bone_look = BoneLook::Octahedra;
    select(&mut person, &[]);
    for (shading, name) in [(Shading::Clay, "clay"), (Shading::Matcap, "matcap")] {
        person.editor().settings.display.shading = shading;
        compare(&mut person, name, &mut failed);
    }
    person.editor().settings.display.shading = Shading::Studio;
    person.click("Animate");
    person.editor().session.set_frame(12.0);
    compare(&mut person, "animate", &mut failed);
    person.editor().requests.push(Request::Act(Action::VIEW_RIGHT));
    let compared = &mut person.editor().settings.compare;
    (compared.on, compared.layout) = (true, Layout::Split);
    person.app.frames(4);
    compare(&mut person, "compare", &mut failed);
    person.editor().settings.compare.on = false;
    person.editor().requests.push(Request::Act(Action::PREFERENCES));
    person.app.frames(4);
    compare(&mut person, "preferences", &mut failed);
    person.key(Key::Escape);
    person.editor().settings.options.theme = Theme::Light;
    compare(&mut person, "light", &mut failed);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_difference_that_a_person_would_see_is_found() {
    let plain = RgbImage::from_pixel(256, 160, image::Rgb([40, 40, 48]));
    let mut other = plain.clone();
    for (x, y, pixel) in other.enumerate_pixels_mut() {
        // Rounding everywhere, and an icon that is missing.
        let missing = (104..112).contains(&x) && (64..72).contains(&y);
        pixel.0 = if missing { [120, 120, 120] } else { [40, 40, 56] };
    }
    let (mean, most, place) = difference(&plain, &other);
    assert!(mean > TOLERANCES[0] && most > TOLERANCES[1], "{mean} {most}");
    assert_eq!(place, [104, 64]);
    let (mean, most, _) = difference(&plain, &plain);
    assert_eq!((mean, most), (0.0, 0.0));
}
