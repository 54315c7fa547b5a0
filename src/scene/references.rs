//! Which things name which: every reference of the document in one place, to find them and to turn them.

use super::instance::{CameraInstance, GeometryInstance, InstanceKind, LightInstance, ParticlesInstance};
use super::names::{Kind, Thing, with_table};
use super::resource::{
    Camera, DeltaLight, EnvLight, Material, MaterialKind, Mesh, Particles, Shape, Texture, Transform,
};
use super::skinned::SkinnedMesh;
use super::{Scene, Table};
use std::sync::Arc;

/// Members that hold the name of another thing, each with the kind that it names. `of` is the kind of the
/// thing itself: the three kinds of geometry share a type.
pub trait Refers: Clone {
    fn slots(&self, of: Kind) -> Vec<(Kind, &Option<String>)>;
    fn slots_mut(&mut self, of: Kind) -> Vec<(Kind, &mut Option<String>)>;
}

/// What `of` names: the kind that an instance of it places.
fn placed(of: Kind) -> Kind {
    match of {
        Kind::Instance(kind) => Kind::placed_by(kind),
        other => other,
    }
}

macro_rules! refers {
    ($type:ty: $of:ident, $($member:ident -> $kind:expr),*) => {
        impl Refers for $type {
            fn slots(&self, $of: Kind) -> Vec<(Kind, &Option<String>)> {
                vec![$(($kind, &self.$member)),*]
            }
            fn slots_mut(&mut self, $of: Kind) -> Vec<(Kind, &mut Option<String>)> {
                vec![$(($kind, &mut self.$member)),*]
            }
        }
    };
}

refers!(Transform: _of, parent -> Kind::Transform);
refers!(CameraInstance: _of, transform -> Kind::Transform, camera -> Kind::Camera);
refers!(GeometryInstance: of, transform -> Kind::Transform, of -> placed(of), material -> Kind::Material);
refers!(ParticlesInstance: _of, transform -> Kind::Transform, mesh -> Kind::Mesh, material -> Kind::Material,
    particles -> Kind::Particles);
refers!(LightInstance: of, transform -> Kind::Transform, light -> placed(of));
refers!(EnvLight: _of, radiance -> Kind::Texture);
refers!(Camera: _of,);
refers!(Mesh: _of,);
refers!(SkinnedMesh: _of,);
refers!(Shape: _of,);
refers!(Particles: _of,);
refers!(Texture: _of,);
refers!(DeltaLight: _of,);

/// The slots of a material for textures; `$kind` is a reference of either sort.
macro_rules! textures {
    ($kind:expr) => {
        match $kind {
            MaterialKind::Lambertian { albedo: one }
            | MaterialKind::Mirror { reflectance: one }
            | MaterialKind::Refract {
                transmittance: one, ..
            }
            | MaterialKind::Emissive { emissive: one } => vec![(Kind::Texture, one)],
            MaterialKind::Glass {
                transmittance,
                reflectance,
                ..
            } => vec![(Kind::Texture, transmittance), (Kind::Texture, reflectance)],
        }
    };
}

impl Refers for Material {
    fn slots(&self, _of: Kind) -> Vec<(Kind, &Option<String>)> {
        textures!(&self.kind)
    }
    fn slots_mut(&mut self, _of: Kind) -> Vec<(Kind, &mut Option<String>)> {
        textures!(&mut self.kind)
    }
}

/// Kinds of things that name others.
pub(super) const REFERRING: [Kind; 10] = [
    Kind::Transform,
    Kind::Material,
    Kind::EnvLight,
    Kind::Instance(InstanceKind::Camera),
    Kind::Instance(InstanceKind::Mesh),
    Kind::Instance(InstanceKind::SkinnedMesh),
    Kind::Instance(InstanceKind::Shape),
    Kind::Instance(InstanceKind::Particles),
    Kind::Instance(InstanceKind::DeltaLight),
    Kind::Instance(InstanceKind::EnvLight),
];

/// Who names whom, and where there is no such thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    pub from: Thing,
    pub to: Thing,
}

/// Every reference of the scene; null ones are left out.
pub fn all(scene: &Scene) -> Vec<Reference> {
    fn add<T: Refers>(all: &mut Vec<Reference>, kind: Kind, table: &Table<T>) {
        for (name, thing) in table {
            for (to, slot) in thing.slots(kind) {
                all.extend(slot.as_ref().map(|slot| Reference {
                    from: Thing::new(kind, name.clone()),
                    to: Thing::new(to, slot.clone()),
                }));
            }
        }
    }
    let mut found = Vec::new();
    for kind in REFERRING {
        with_table!(&scene, kind, table => add(&mut found, kind, table));
    }
    found
}

/// Things that name `thing`, each once.
pub fn users(scene: &Scene, thing: &Thing) -> Vec<Thing> {
    let references = all(scene).into_iter().filter(|reference| reference.to == *thing);
    let mut users: Vec<Thing> = references.map(|reference| reference.from).collect();
    users.dedup();
    users
}

/// Things that `thing` names and that are there.
pub fn named_by(scene: &Scene, thing: &Thing) -> Vec<Thing> {
    let mut named = all_of(scene, thing);
    named.retain(|named| scene.holds(named));
    named
}

/// Things that `thing` names, whether they are there or not.
pub fn all_of(scene: &Scene, thing: &Thing) -> Vec<Thing> {
    fn of<T: Refers>(table: &Table<T>, thing: &Thing) -> Vec<Thing> {
        let slots = table.get(&thing.name).map(|it| it.slots(thing.kind));
        let slots = slots.into_iter().flatten();
        slots
            .filter_map(|(kind, slot)| Some(Thing::new(kind, slot.clone()?)))
            .collect()
    }
    with_table!(&scene, thing.kind, table => of(table, thing))
}

/// Makes every reference to `thing` name `to` instead, or nothing. What does not name it stays shared.
pub fn retarget(scene: &mut Scene, thing: &Thing, to: Option<&str>) {
    fn turn<T: Refers>(kind: Kind, table: &mut Table<T>, thing: &Thing, to: Option<&str>) {
        let is_it = |kind: Kind, slot: &Option<String>| {
            kind == thing.kind && slot.as_deref() == Some(thing.name.as_str())
        };
        for shared in table.values_mut() {
            if !shared
                .slots(kind)
                .into_iter()
                .any(|(kind, slot)| is_it(kind, slot))
            {
                continue;
            }
            for (kind, slot) in Arc::make_mut(shared).slots_mut(kind) {
                if is_it(kind, slot) {
                    *slot = to.map(str::to_owned);
                }
            }
        }
    }
    for kind in REFERRING {
        with_table!(&mut scene, kind, table => turn(kind, table, thing, to));
    }
}

/// Sets the reference of `from` to things of `kind`. Whether there is such a reference. What has the value
/// already stays shared.
pub fn set(scene: &mut Scene, from: &Thing, kind: Kind, to: Option<&str>) -> bool {
    fn turn<T: Refers>(table: &mut Table<T>, from: &Thing, kind: Kind, to: Option<&str>) -> bool {
        let Some(shared) = table.get_mut(&from.name) else {
            return false;
        };
        let place = shared.slots(from.kind).iter().position(|(of, _)| *of == kind);
        let Some(place) = place else { return false };
        if shared.slots(from.kind)[place].1.as_deref() != to {
            *Arc::make_mut(shared).slots_mut(from.kind)[place].1 = to.map(str::to_owned);
        }
        true
    }
    with_table!(&mut scene, from.kind, table => turn(table, from, kind, to))
}
