//! Tables of resources of one kind by name. A copy shares the whole table until one of the two changes, so
//! copying a scene allocates no memory.

use std::collections::{BTreeMap, btree_map};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A map of name -> resource that is read and changed like a [`BTreeMap`]. Mutable access unshares it, so
/// check first whether there is anything to change.
pub struct Table<T>(Arc<BTreeMap<String, Arc<T>>>);

impl<T> Table<T> {
    /// Whether both share their data, so that nothing changed between them.
    pub fn is_shared(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the address of the data, which is the same for tables that share it, as long as both exist.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl<T> Deref for Table<T> {
    type Target = BTreeMap<String, Arc<T>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T> DerefMut for Table<T> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: PartialEq> PartialEq for Table<T> {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = self.iter().zip(&**other);
        self.is_shared(other)
            || self.len() == other.len()
                && pairs.all(|((name, a), (other, b))| name == other && is_same(a, b))
    }
}

/// Whether two shared values are equal; immediate if they are the same allocation.
pub fn is_same<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

impl<T: std::fmt::Debug> std::fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> FromIterator<(String, Arc<T>)> for Table<T> {
    fn from_iter<I: IntoIterator<Item = (String, Arc<T>)>>(resources: I) -> Self {
        Self(Arc::new(resources.into_iter().collect()))
    }
}

impl<T, const N: usize> From<[(String, Arc<T>); N]> for Table<T> {
    fn from(resources: [(String, Arc<T>); N]) -> Self {
        resources.into_iter().collect()
    }
}

impl<T> IntoIterator for Table<T> {
    type Item = (String, Arc<T>);
    type IntoIter = btree_map::IntoIter<String, Arc<T>>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = (&'a String, &'a Arc<T>);
    type IntoIter = btree_map::Iter<'a, String, Arc<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Table<T> {
    type Item = (&'a String, &'a mut Arc<T>);
    type IntoIter = btree_map::IterMut<'a, String, Arc<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_shared_until_it_is_changed() {
        let table: Table<u32> = [("a".to_owned(), Arc::new(1))].into_iter().collect();
        let mut copy = table.clone();
        assert!(copy.is_shared(&table));
        copy.insert("b".into(), Arc::new(2));
        assert!(!copy.is_shared(&table) && copy != table);
        assert_eq!((table.len(), copy.len()), (1, 2));
        copy.remove("b");
        assert!(copy == table && Arc::ptr_eq(&copy["a"], &table["a"]));
    }
}
