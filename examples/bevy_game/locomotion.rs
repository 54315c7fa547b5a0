//! A character that stands, walks and runs, by how fast it goes: its takes `Idle`, `Walk` and `Run` are blended in step
//! with each other, and it moves just as far as its feet carry it.

use crate::character::{Character, Take, Takes};
use bevy::prelude::*;

/// The fractions of the speed of the walk from which on and up to which a character walks, and of that of the run from which on
/// it runs. In between, takes are blended.
const WALKS_FROM: f32 = 0.3;
const WALKS_UP_TO: f32 = 1.2;
const RUNS_FROM: f32 = 0.8;
/// How long it takes to reach the speed of the run, in seconds.
const ACCELERATION_SECONDS: f32 = 0.6;
const TURN_RADIANS_PER_SECOND: f32 = 2.5;

/// Moves the character by the arrow keys or W, A and D; with Shift, it runs.
pub struct LocomotionPlugin;

/// The gaits of a character that has them.
#[derive(Resource)]
pub struct Locomotion {
    pub idle: Take,
    pub walk: Take,
    pub run: Take,
    /// The speed of the character, in units per second.
    pub speed: f32,
    /// How far the step has come, and how far the take in which it stands: from 0 to 1.
    step: f32,
    breath: f32,
}

impl Plugin for LocomotionPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, find.run_if(resource_added::<Takes>))
            .add_systems(Update, (steer, advance).chain().run_if(resource_exists::<Locomotion>));
    }
}

/// Looks for the gaits in the takes.
pub fn find(mut commands: Commands, takes: Res<Takes>) {
    let take = |name: &str| takes.takes.iter().find(|take| take.name == name).cloned();
    if let (Some(idle), Some(walk), Some(run)) = (take("Idle"), take("Walk"), take("Run"))
        && walk.speed > 0.0
        && run.speed > walk.speed
    {
        commands.insert_resource(Locomotion { idle, walk, run, speed: 0.0, step: 0.0, breath: 0.0 });
    }
}

impl Locomotion {
    /// The weights of idle, walk and run, and the steps (both feet) per second.
    pub fn blend(&self) -> ([f32; 3], f32) {
        let Self { walk, run, speed, .. } = self;
        let stride = |take: &Take| take.speed * take.seconds;
        let slow = WALKS_FROM * walk.speed;
        if *speed < slow {
            let share = speed / slow;
            return ([1.0 - share, share, 0.0], WALKS_FROM / walk.seconds);
        }
        let [from, to] = [WALKS_UP_TO * walk.speed, RUNS_FROM * run.speed];
        let share = if to > from { ((speed - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
        // A step of the blend is as long as the blend of both steps: at this rate, feet that stand do not slide.
        let stride = (1.0 - share) * stride(walk) + share * stride(run);
        ([0.0, 1.0 - share, share], speed / stride)
    }
}

fn steer(
    time: Res<Time>,
    keys: Res<ButtonInput<KeyCode>>,
    mut gaits: ResMut<Locomotion>,
    mut character: Single<&mut Transform, With<Character>>,
) {
    let pressed = |codes: &[KeyCode]| f32::from(u8::from(keys.any_pressed(codes.iter().copied())));
    let runs = pressed(&[KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    let fastest = gaits.walk.speed.lerp(gaits.run.speed, runs);
    let wanted = fastest * pressed(&[KeyCode::KeyW, KeyCode::ArrowUp]);
    let most = gaits.run.speed / ACCELERATION_SECONDS * time.delta_secs();
    gaits.speed += (wanted - gaits.speed).clamp(-most, most);
    let turn = pressed(&[KeyCode::KeyA, KeyCode::ArrowLeft]) - pressed(&[KeyCode::KeyD, KeyCode::ArrowRight]);
    character.rotate_y(turn * TURN_RADIANS_PER_SECOND * time.delta_secs());
}

/// Moves the character, and shows its gaits at the same place of their steps.
pub fn advance(
    time: Res<Time>,
    mut gaits: ResMut<Locomotion>,
    mut character: Single<&mut Transform, With<Character>>,
    mut players: Query<&mut AnimationPlayer>,
) {
    let seconds = time.delta_secs();
    // Characters face +z.
    let way = character.rotation * Vec3::Z * gaits.speed * seconds;
    character.translation += way;
    let (weights, steps_per_second) = gaits.blend();
    gaits.step = (gaits.step + steps_per_second * seconds).fract();
    gaits.breath = (gaits.breath + seconds / gaits.idle.seconds).fract();
    let Locomotion { idle, walk, run, step, breath, .. } = &*gaits;
    for mut player in &mut players {
        let is_other = |node: AnimationNodeIndex| ![idle, walk, run].iter().any(|take| take.node == node);
        if player.playing_animations().any(|(node, playing)| is_other(*node) && !playing.is_finished()) {
            if gaits.speed == 0.0 {
                continue;
            }
            player.stop_all();
        }
        for ((take, weight), place) in [idle, walk, run].into_iter().zip(weights).zip([breath, step, step]) {
            player.play(take.node).set_speed(0.0).set_weight(weight).set_seek_time(place * take.seconds);
        }
    }
}
