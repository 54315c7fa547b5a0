//! Random numbers for tests: small, seeded, the same everywhere.

use glam::Vec3;

/// Marsaglia's xorshift, 64 bit.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * ((self.bits() >> 40) as f32 / (1u64 << 24) as f32)
    }

    /// In the cube of half-size `half`.
    pub fn vec3(&mut self, half: f32) -> Vec3 {
        Vec3::new(
            self.range(-half, half),
            self.range(-half, half),
            self.range(-half, half),
        )
    }

    pub fn unit(&mut self) -> Vec3 {
        loop {
            let v = self.vec3(1.0);
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }
}
