//! Whether two scenes are the same: by shared pointers where possible, by value only where they differ.

use crate::scene::skinned::SkinnedMesh;
use crate::scene::{Scene, Table};
use std::sync::Arc;

/// True if both scenes share everything: nothing was changed between them. Costs no look at contents.
pub fn is_shared(a: &Scene, b: &Scene) -> bool {
    compare(a, b, &Pointers)
}

/// True if both scenes are equal. Contents are looked at only where they are not shared.
pub fn is_equal(a: &Scene, b: &Scene) -> bool {
    compare(a, b, &Values)
}

trait Compare {
    fn arc<T: PartialEq>(&self, a: &Arc<T>, b: &Arc<T>) -> bool;
    fn skinned(&self, a: &Arc<SkinnedMesh>, b: &Arc<SkinnedMesh>) -> bool;
}

struct Pointers;

impl Compare for Pointers {
    fn arc<T: PartialEq>(&self, a: &Arc<T>, b: &Arc<T>) -> bool {
        Arc::ptr_eq(a, b)
    }
    fn skinned(&self, a: &Arc<SkinnedMesh>, b: &Arc<SkinnedMesh>) -> bool {
        Arc::ptr_eq(a, b)
    }
}

struct Values;

impl Compare for Values {
    fn arc<T: PartialEq>(&self, a: &Arc<T>, b: &Arc<T>) -> bool {
        Arc::ptr_eq(a, b) || a == b
    }
    fn skinned(&self, a: &Arc<SkinnedMesh>, b: &Arc<SkinnedMesh>) -> bool {
        Arc::ptr_eq(a, b)
            || self.arc(&a.surface, &b.surface)
                && self.arc(&a.weights, &b.weights)
                && self.arc(&a.skeleton, &b.skeleton)
                && a.weighed.same(&b.weighed)
                && a.skinning == b.skinning
                && a.weight_method == b.weight_method
                && a.mesh_extra == b.mesh_extra
                && a.extra == b.extra
    }
}

/// Tables of the same names whose entries are the same by `same`.
fn table<T>(a: &Table<T>, b: &Table<T>, same: impl Fn(&Arc<T>, &Arc<T>) -> bool) -> bool {
    let entries = || a.iter().zip(b);
    a.is_shared(b) || a.len() == b.len() && entries().all(|((na, ta), (nb, tb))| na == nb && same(ta, tb))
}

fn compare(a: &Scene, b: &Scene, by: &impl Compare) -> bool {
    let (ia, ib) = (&a.instances, &b.instances);
    by.arc(&a.animation, &b.animation)
        && by.arc(&a.extra, &b.extra)
        && table(&a.transforms, &b.transforms, |x, y| by.arc(x, y))
        && table(&a.cameras, &b.cameras, |x, y| by.arc(x, y))
        && table(&a.meshes, &b.meshes, |x, y| by.arc(x, y))
        && table(&a.skinned_meshes, &b.skinned_meshes, |x, y| by.skinned(x, y))
        && table(&a.shapes, &b.shapes, |x, y| by.arc(x, y))
        && table(&a.particles, &b.particles, |x, y| by.arc(x, y))
        && table(&a.textures, &b.textures, |x, y| by.arc(x, y))
        && table(&a.materials, &b.materials, |x, y| by.arc(x, y))
        && table(&a.delta_lights, &b.delta_lights, |x, y| by.arc(x, y))
        && table(&a.env_lights, &b.env_lights, |x, y| by.arc(x, y))
        && table(&ia.cameras, &ib.cameras, |x, y| by.arc(x, y))
        && table(&ia.meshes, &ib.meshes, |x, y| by.arc(x, y))
        && table(&ia.skinned_meshes, &ib.skinned_meshes, |x, y| by.arc(x, y))
        && table(&ia.shapes, &ib.shapes, |x, y| by.arc(x, y))
        && table(&ia.particles, &ib.particles, |x, y| by.arc(x, y))
        && table(&ia.delta_lights, &ib.delta_lights, |x, y| by.arc(x, y))
        && table(&ia.env_lights, &ib.env_lights, |x, y| by.arc(x, y))
}
