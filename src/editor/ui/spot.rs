//! Where something that lies over the viewport has room: at the top or at the bottom, wherever it covers nothing that can
//! be taken hold of.

use egui::{Align2, AreaState, Context, Id, Pos2, Rect, Vec2, vec2};

/// Something in the viewport that must not be covered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Points.
    pub center: Pos2,
    pub radius: f32,
}

/// How far below the top of the viewport there is room under its bars of buttons.
pub const BELOW_BARS: f32 = 52.0;

/// Room around obstacles.
const GAP: f32 = 8.0;
/// Before its size is known.
const USUAL: Vec2 = vec2(440.0, 36.0);

/// Corner and position of the area called `id`, in the middle at the top of `viewport`, `down` below it, or at the bottom
/// where there are fewer obstacles. It stays where it is while that covers no more, the pointer is on it or a button is
/// down.
pub fn free_spot(ctx: &Context, id: Id, viewport: Rect, down: f32, obstacles: &[Obstacle]) -> (Align2, Pos2) {
    let spots = [
        (Align2::CENTER_TOP, viewport.center_top() + vec2(0.0, down)),
        (Align2::CENTER_BOTTOM, viewport.center_bottom() - vec2(0.0, 12.0)),
    ];
    free_of(ctx, id, spots, obstacles)
}

/// The first of two spots of the area called `id`, or the other where that covers fewer obstacles; see
/// [`free_spot`].
pub fn free_of(ctx: &Context, id: Id, spots: [(Align2, Pos2); 2], obstacles: &[Obstacle]) -> (Align2, Pos2) {
    let before = AreaState::load(ctx, id).map(|area| area.rect());
    let size = before.map_or(USUAL, |rect| rect.size());
    let chosen = ctx.data(|data| data.get_temp::<usize>(id));
    let holds = ctx.input(|input| {
        let on_it = before.zip(input.pointer.latest_pos());
        input.pointer.any_down() || on_it.is_some_and(|(rect, at)| rect.contains(at))
    });
    let covered = |spot: &(Align2, Pos2)| {
        let rect = spot.0.anchor_size(spot.1, size).expand(GAP);
        let covers = |o: &&Obstacle| rect.distance_to_pos(o.center) <= o.radius;
        obstacles.iter().filter(covers).count()
    };
    // It moves only where it covers less than here, so that it does not jump back and forth.
    let here = chosen.unwrap_or(0).min(1);
    let there = 1 - here;
    let index = if !holds && covered(&spots[there]) < covered(&spots[here]) {
        there
    } else {
        here
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
        // It does not go back before something covers it where it is.
        let ctx = Context::default();
        let stays = |obstacles: &[Obstacle]| free_spot(&ctx, Id::new("x"), viewport, 10.0, obstacles).0;
        assert_eq!(stays(&[obstacle(520.0, 75.0)]), Align2::CENTER_BOTTOM);
        assert_eq!(stays(&[]), Align2::CENTER_BOTTOM);
        assert_eq!(stays(&[obstacle(500.0, 530.0)]), Align2::CENTER_TOP);
        // Beside it on both sides, and where both are covered the usual place.
        assert_eq!(spot(&[obstacle(180.0, 75.0)]), Align2::CENTER_TOP);
        assert_eq!(
            spot(&[obstacle(520.0, 75.0), obstacle(500.0, 530.0)]),
            Align2::CENTER_TOP
        );
    }
}
