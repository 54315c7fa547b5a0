//! The figure as one solid: all parts joined smoothly. Left half only, folded over x = 0.

use crate::shape::{Solid, join};
use crate::{arm::Arm, hand::Hand, head::Head, leg::Leg, torso::Torso};
use glam::Vec3;

/// The whole figure.
pub struct Body {
    pub torso: Torso,
    pub head: Head,
    pub arm: Arm,
    pub hand: Hand,
    pub leg: Leg,
}

impl Body {
    pub fn new() -> Self {
        Self { torso: Torso::new(), head: Head::new(), arm: Arm::new(), hand: Hand::new(), leg: Leg::new() }
    }

    /// Signed distance estimate, the same at p and at its mirror image.
    pub fn distance(&self, p: Vec3) -> f32 {
        let p = Vec3::new(p.x.abs(), p.y, p.z);
        let mut d = self.torso.distance(p);
        d = join(d, self.arm.distance(p), 0.15);
        d = join(d, self.leg.distance(p), 0.10);
        d = join(d, self.head.distance(p), 0.08);
        join(d, self.hand.distance(p), 0.03)
    }

    /// The first point of the surface from `from`, which must be inside, along `direction`.
    pub fn cast(&self, from: Vec3, direction: Vec3) -> Vec3 {
        let d = direction.normalize();
        let (mut a, step) = (0.0, 0.008);
        while a < 2.0 && self.distance(from + d * (a + step)) < 0.0 {
            a += step;
        }
        let mut b = a + step;
        for _ in 0..16 {
            let m = 0.5 * (a + b);
            if self.distance(from + d * m) < 0.0 { a = m } else { b = m }
        }
        from + d * a
    }
}

impl Solid for Body {
    fn distance(&self, p: Vec3) -> f32 {
        Body::distance(self, p)
    }
}
