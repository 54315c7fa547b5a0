//! The random numbers of all tests, including the library's: the same in every run.

#![allow(dead_code, reason = "each test program uses its part of this")]

use glam::Vec3;

/// A generator that returns given numbers first, then those of xorshift64*.
#[derive(Clone)]
pub struct Random {
    given: std::vec::IntoIter<u32>,
    state: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self { given: Vec::new().into_iter(), state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }

    /// Starts with these numbers. Each decides one thing; smaller numbers mean simpler cases.
    pub fn from_numbers(numbers: &[u32]) -> Self {
        Self { given: Vec::from(numbers).into_iter(), ..Self::new(0) }
    }

    pub fn next(&mut self) -> u64 {
        if let Some(number) = self.given.next() {
            return u64::from(number) << 32;
        }
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number in 0..count.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.next() >> 33) % count.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// Returns a number in -1..1.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    /// Returns a number in 0..1.
    pub fn fraction(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.fraction()
    }

    /// Returns a vector in the cube of half-size `size`.
    pub fn vec3(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit()) * size
    }

    /// Returns a roughly normal number with deviation 1.
    pub fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.unit()).sum::<f32>() * 0.5
    }

    pub fn normal3(&mut self) -> Vec3 {
        Vec3::new(self.normal(), self.normal(), self.normal())
    }

    /// Returns a unit vector, uniformly distributed.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vec3(1.0);
            if (0.1..1.0).contains(&v.length()) {
                return v.normalize();
            }
        }
    }
}
