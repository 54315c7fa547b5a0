//! Playback follows elapsed time, however often the window is drawn.

use ossature::anim::clip::Clip;
use ossature::edit::time::playback::{Playback, Repeat, next_key, previous_key, step_frame};

fn clip(range: Option<[u32; 2]>) -> Clip {
    Clip { range, ..Clip::default() }
}

fn playing(repeat: Repeat, clip: &Clip, frame: f32) -> Playback {
    let mut playback = Playback::default();
    playback.repeat = repeat;
    playback.play(clip, frame);
    playback
}

/// The frames shown by redraws after the given times.
fn shown(
    playback: &mut Playback,
    clip: &Clip,
    mut frame: f32,
    times: impl IntoIterator<Item = f64>,
) -> Vec<f32> {
    let mut frames = Vec::new();
    for seconds in times {
        match playback.advance(clip, frame, seconds) {
            Some(now) => frame = now,
            None => break,
        }
        frames.push(frame);
    }
    frames
}

#[test]
fn two_seconds_reach_frame_48_whatever_the_redraw_rate() {
    let clip = clip(None);
    for redraws in [3u32, 24, 25, 30, 59, 60, 120, 144, 1000] {
        let mut playback = playing(Repeat::Loop, &clip, 0.0);
        let frames = shown(&mut playback, &clip, 0.0, (0..2 * redraws).map(|_| 1.0 / f64::from(redraws)));
        assert_eq!(frames.last(), Some(&48.0), "{redraws} redraws a second");
        assert!(frames.windows(2).all(|pair| pair[0] <= pair[1]));
        let steps = frames.windows(2).map(|pair| pair[1] - pair[0]).fold(frames[0], f32::max);
        if redraws >= 24 {
            assert!(steps <= if redraws < 48 { 2.0 } else { 1.0 });
        }
        // At 24 redraws a second all frames are shown, at 3 a second 7 of 8 are dropped.
        let expected = if redraws == 3 { 42 } else { 0 };
        assert_eq!(playback.dropped(), expected, "{redraws}");
    }
}

#[test]
fn a_clock_that_stutters_does_not_matter() {
    let clip = clip(None);
    let mut playback = playing(Repeat::Loop, &clip, 10.0);
    let frames = shown(&mut playback, &clip, 10.0, [0.01, 0.5, 0.001, 0.0, -1.0, f64::NAN, 0.489]);
    assert_eq!(frames, [10.0, 22.0, 22.0, 22.0, 22.0, 22.0, 34.0]);
    assert_eq!(playback.dropped(), 22);
}

/// The order of the frames itself: one second per redraw, at one frame a second.
fn order(repeat: Repeat, range: [u32; 2], from: f32, count: usize) -> Vec<f32> {
    let clip = Clip { rate: 1.0, range: Some(range), ..Clip::default() };
    let mut playback = playing(repeat, &clip, from);
    let frames = shown(&mut playback, &clip, from, std::iter::repeat_n(1.0, count));
    assert_eq!(playback.dropped(), 0);
    frames
}

#[test]
fn ranges_are_played_once_round_and_to_and_fro() {
    assert_eq!(order(Repeat::Once, [3, 5], 3.0, 9), [4.0, 5.0, 5.0]);
    assert_eq!(order(Repeat::Loop, [3, 5], 4.0, 6), [5.0, 3.0, 4.0, 5.0, 3.0, 4.0]);
    assert_eq!(order(Repeat::PingPong, [3, 5], 3.0, 7), [4.0, 5.0, 4.0, 3.0, 4.0, 5.0, 4.0]);
    for repeat in [Repeat::Loop, Repeat::PingPong] {
        assert_eq!(order(repeat, [7, 7], 7.0, 3), [7.0; 3]);
    }
    assert_eq!(order(Repeat::PingPong, [7, 8], 7.0, 4), [8.0, 7.0, 8.0, 7.0]);
}

#[test]
fn play_begins_where_there_is_something_to_play() {
    for (repeat, from, first) in [
        (Repeat::Loop, 0.0, 3.0),
        (Repeat::Loop, 90.0, 3.0),
        (Repeat::Loop, 5.0, 5.0),
        (Repeat::Once, 5.0, 3.0),
        (Repeat::Once, 4.0, 4.0),
        (Repeat::Once, -4.0, 3.0),
    ] {
        let clip = clip(Some([3, 5]));
        let mut playback = playing(repeat, &clip, from);
        assert_eq!(playback.advance(&clip, from, 0.0), Some(first), "{repeat:?} from {from}");
    }
}

#[test]
fn once_shows_its_last_frame_and_stops() {
    let clip = Clip { rate: 10.0, ..clip(Some([0, 2])) };
    let mut playback = playing(Repeat::Once, &clip, 0.0);
    assert_eq!(shown(&mut playback, &clip, 0.0, [0.25, 0.04]), [2.0, 2.0]);
    assert!(playback.is_playing());
    assert_eq!(playback.advance(&clip, 2.0, 5.0), Some(2.0));
    assert!(!playback.is_playing() && playback.dropped() == 1);
    assert_eq!(playback.advance(&clip, 2.0, 5.0), None);
    assert_eq!(playback.seconds_to_next(), None);
}

#[test]
fn speed_and_rate_may_change_while_it_plays() {
    let mut clip = clip(None);
    let mut playback = playing(Repeat::Loop, &clip, 0.0);
    assert_eq!(shown(&mut playback, &clip, 0.0, [0.5]), [12.0]);
    playback.set_speed(0.25);
    assert_eq!(shown(&mut playback, &clip, 12.0, [1.0]), [18.0]);
    playback.set_speed(99.0);
    assert_eq!(playback.speed(), 4.0);
    playback.set_speed(f32::NAN);
    assert_eq!(shown(&mut playback, &clip, 18.0, [0.25]), [42.0]);
    clip.rate = 10.0;
    assert_eq!(shown(&mut playback, &clip, 42.0, [0.05, 0.05]), [44.0, 46.0]);
    clip = clip.with_length(30);
    assert_eq!(shown(&mut playback, &clip, 29.0, [0.0]), [29.0]);
    playback.set_speed(-1.0);
    assert_eq!(playback.speed(), 0.0);
    assert_eq!(shown(&mut playback, &clip, 7.0, [1.0, 100.0]), [7.0, 7.0], "it does not advance");
    assert_eq!((playback.is_playing(), playback.seconds_to_next()), (true, None));
    playback.pause();
    assert_eq!(playback.advance(&clip, 5.0, 1.0), None);
}

#[test]
fn the_next_redraw_is_when_the_next_frame_is_due() {
    let clip = clip(None);
    let mut playback = playing(Repeat::Loop, &clip, 0.0);
    playback.advance(&clip, 0.0, 0.01);
    let wait = playback.seconds_to_next().unwrap();
    assert!((wait - (1.0 / 24.0 - 0.01)).abs() < 1e-12);
    assert_eq!(playback.advance(&clip, 0.0, wait), Some(1.0));
}

#[test]
fn steps_and_keys() {
    let clip = clip(None);
    for (frame, by, to) in
        [(5.0, 1, 6.0), (5.0, -1, 4.0), (5.5, 1, 6.0), (5.5, -1, 5.0), (0.0, -1, 0.0), (95.0, 1, 95.0)]
    {
        assert_eq!(step_frame(&clip, frame, by), to, "{frame} {by}");
    }
    let times = [0.0, 4.5, 10.0];
    let around = |frame| (previous_key(&times, frame), next_key(&times, frame));
    assert_eq!(around(4.5), (Some(0.0), Some(10.0)));
    assert_eq!(around(5.0), (Some(4.5), Some(10.0)));
    assert_eq!(around(0.0), (None, Some(4.5)));
    assert_eq!(around(99.0), (Some(10.0), None));
    assert_eq!((previous_key(&[], 3.0), next_key(&[], 3.0)), (None, None));
}
