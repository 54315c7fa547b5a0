//! Lines through many points, of which few are kept.

use egui::Pos2;

/// The distance from a straight line within which points of a curve are left out, in points.
const FLATNESS: f32 = 0.2;

/// Points of a line, of which those on a straight line are left out.
#[derive(Default)]
pub struct Polyline {
    points: Vec<Pos2>,
    last: Option<Pos2>,
    /// The slopes from the last point that was kept which pass all later ones closely enough.
    slopes: [f32; 2],
}

impl Polyline {
    pub fn add(&mut self, point: Pos2) {
        let (Some(&start), Some(last)) = (self.points.last(), self.last) else {
            self.points.push(point);
            self.last = Some(point);
            self.slopes = [f32::NEG_INFINITY, f32::INFINITY];
            return;
        };
        let slopes = |from: Pos2| {
            let width = (point.x - from.x).max(1e-3);
            [point.y - from.y - FLATNESS, point.y - from.y + FLATNESS].map(|rise| rise / width)
        };
        let [least, most] = slopes(start);
        let slope = (least + most) / 2.0;
        if (self.slopes[0]..=self.slopes[1]).contains(&slope) {
            self.slopes = [self.slopes[0].max(least), self.slopes[1].min(most)];
        } else {
            self.points.push(last);
            self.slopes = slopes(last);
        }
        self.last = Some(point);
    }

    pub fn finish(mut self) -> Vec<Pos2> {
        self.points.extend(self.last);
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn points_on_straight_lines_are_left_out() {
        let mut line = Polyline::default();
        for step in 0..100 {
            let x = step as f32;
            line.add(pos2(x, if x < 50.0 { 2.0 * x } else { 100.0 }));
        }
        let points = line.finish();
        assert_eq!(points, [pos2(0.0, 0.0), pos2(50.0, 100.0), pos2(99.0, 100.0)]);
    }

    #[test]
    fn a_curve_stays_where_it_is() {
        let curve = |x: f32| 40.0 * (x / 30.0).sin();
        let mut line = Polyline::default();
        (0..400).for_each(|x| line.add(pos2(x as f32, curve(x as f32))));
        let points = line.finish();
        assert!(points.len() < 150, "{}", points.len());
        for pair in points.windows(2) {
            for x in pair[0].x as usize..pair[1].x as usize {
                let share = (x as f32 - pair[0].x) / (pair[1].x - pair[0].x);
                let y = pair[0].y + share * (pair[1].y - pair[0].y);
                assert!((y - curve(x as f32)).abs() < 0.5, "{x}");
            }
        }
    }
}
