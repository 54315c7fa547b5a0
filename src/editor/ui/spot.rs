//! The placement of an area over the viewport: at the top or at the bottom, where it covers nothing that can
//! be dragged.

use egui::{Align2, AreaState, Context, Id, Pos2, Rect, Vec2, vec2};

/// Something in the viewport that must not be covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// The center in points.
    pub center: Pos2,
    pub radius: f32,
}

/// The distance from the top of the viewport to the free space below its bars of buttons.
pub const BELOW_BARS: f32 = 52.0;

/// The margin around obstacles.
const GAP: f32 = 8.0;
/// The assumed size of an area before it is known.
const DEFAULT_SIZE: Vec2 = vec2(440.0, 36.0);

/// Returns anchor and position of the area `id`: in the middle, `down` below the top of `viewport`, or at the
/// bottom if that covers fewer obstacles. The area does not move unless it would cover fewer, nor while the
/// pointer is on it or a button is down.
pub fn free_spot(ctx: &Context, id: Id, viewport: Rect, down: f32, obstacles: &[Obstacle]) -> (Align2, Pos2) {
    let spots = [
        (Align2::CENTER_TOP, viewport.center_top() + vec2(0.0, down)),
        (Align2::CENTER_BOTTOM, viewport.center_bottom() - vec2(0.0, 12.0)),
    ];
    freer_spot(ctx, id, spots, obstacles)
}

/// Returns the first of two spots of the area `id`, or the other if that covers fewer obstacles; see
/// [`free_spot`].
pub fn freer_spot(
    ctx: &Context,
    id: Id,
    spots: [(Align2, Pos2); 2],
    obstacles: &[Obstacle],
) -> (Align2, Pos2) {
    let before = AreaState::load(ctx, id).map(|area| area.rect());
    let size = before.map_or(DEFAULT_SIZE, |rect| rect.size());
    let chosen = ctx.data(|data| data.get_temp::<usize>(id));
    let stays = ctx.input(|input| {
        let pointer = before.zip(input.pointer.latest_pos());
        input.pointer.any_down() || pointer.is_some_and(|(rect, pointer)| rect.contains(pointer))
    });
    let covered = |spot: &(Align2, Pos2)| {
        let rect = spot.0.anchor_size(spot.1, size).expand(GAP);
        let covers = |o: &&Obstacle| rect.distance_to_pos(o.center) <= o.radius;
        obstacles.iter().filter(covers).count()
    };
    // It moves only if it then covers fewer obstacles, so that it does not jump back and forth.
    let current = chosen.unwrap_or(0).min(1);
    let other = 1 - current;
    let index = if !stays && covered(&spots[other]) < covered(&spots[current]) {
        other
    } else {
        current
    };
    ctx.data_mut(|data| data.insert_temp(id, index));
    spots[index]
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn it_goes_where_it_covers_nothing() {
        let viewport = Rect::from_min_size(pos2(100.0, 50.0), vec2(800.0, 500.0));
        let obstacle = |x, y| Obstacle {
            center: pos2(x, y),
            radius: 10.0,
        };
        let spot = |obstacles: &[Obstacle]| {
            let (align, _) = free_spot(&Context::default(), Id::new("x"), viewport, 10.0, obstacles);
            align
        };
        assert_eq!(spot(&[]), Align2::CENTER_TOP);
        assert_eq!(spot(&[obstacle(500.0, 300.0)]), Align2::CENTER_TOP);
        assert_eq!(spot(&[obstacle(520.0, 75.0)]), Align2::CENTER_BOTTOM);
        // It does not move back until something is covered.
        let ctx = Context::default();
        let stays = |obstacles: &[Obstacle]| free_spot(&ctx, Id::new("x"), viewport, 10.0, obstacles).0;
        assert_eq!(stays(&[obstacle(520.0, 75.0)]), Align2::CENTER_BOTTOM);
        assert_eq!(stays(&[]), Align2::CENTER_BOTTOM);
        assert_eq!(stays(&[obstacle(500.0, 530.0)]), Align2::CENTER_TOP);
        // Obstacles to its left or right do not count; if both spots are covered, it stays at the first.
        assert_eq!(spot(&[obstacle(180.0, 75.0)]), Align2::CENTER_TOP);
        assert_eq!(
            spot(&[obstacle(520.0, 75.0), obstacle(500.0, 530.0)]),
            Align2::CENTER_TOP
        );
    }
}
