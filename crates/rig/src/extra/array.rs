//! Arrays of JSON values. Numbers, booleans and null are packed into bytes: as values of a tree they would
//! take twelve times the memory of their text.

use crate::math::reserve::reserve_frugally;
use std::borrow::Cow;

/// A value that is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Null,
    Bool(bool),
    Unsigned(u64),
    /// Below zero.
    Signed(i64),
    Float(f64),
}

/// An array whose items are `T`s; items that are [`Scalar`]s are stored as bytes only.
#[derive(Clone, Debug, PartialEq)]
pub enum Array<T> {
    /// Only scalars.
    Flat(Box<[u8]>),
    /// Each `OTHER` among the bytes stands for the next of the other items.
    Mixed(Box<Parts<T>>),
}

/// Packed bytes, and the items that they leave out.
type Parts<T> = (Box<[u8]>, Box<[T]>);

/// The first byte of an item; smaller numbers are stored as a single byte.
const NULL: u8 = 246;
const FALSE: u8 = 247;
const TRUE: u8 = 248;
const OTHER: u8 = 249;
const UNSIGNED_4: u8 = 250;
const UNSIGNED_8: u8 = 251;
const SIGNED_1: u8 = 252;
const SIGNED_8: u8 = 253;
const FLOAT_4: u8 = 254;
const FLOAT_8: u8 = 255;

impl<T> Default for Array<T> {
    fn default() -> Self {
        Array::Flat(Box::default())
    }
}

impl<T> Array<T> {
    fn parts(&self) -> (&[u8], &[T]) {
        match self {
            Array::Flat(bytes) => (bytes, &[]),
            Array::Mixed(parts) => (&parts.0, &parts.1),
        }
    }

    pub fn len(&self) -> usize {
        let (bytes, _) = self.parts();
        Packed { bytes }.count()
    }

    pub fn is_empty(&self) -> bool {
        self.parts().0.is_empty()
    }

    /// Returns an array of other values. `f` gets the index and the item for each item that is not a scalar.
    pub fn map<U>(self, mut f: impl FnMut(usize, T) -> U) -> Array<U> {
        let (bytes, others) = match self {
            Array::Flat(bytes) => return Array::Flat(bytes),
            Array::Mixed(parts) => *parts,
        };
        let items = Packed { bytes: &bytes }.enumerate();
        let indices = items.filter_map(|(index, item)| item.is_none().then_some(index));
        // The others have a known length; the indices do not.
        let mut mapped = Vec::with_capacity(others.len());
        mapped.extend(indices.zip(others).map(|(index, other)| f(index, other)));
        Array::Mixed(Box::new((bytes, mapped.into_boxed_slice())))
    }
}

impl<T: From<Scalar> + Clone> Array<T> {
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, T>> {
        let (bytes, others) = self.parts();
        let mut others = others.iter();
        // There are as many others as the bytes refer to.
        Packed { bytes }.filter_map(move |item| match item {
            Some(scalar) => Some(Cow::Owned(T::from(scalar))),
            None => others.next().map(Cow::Borrowed),
        })
    }
}

impl<T: From<Scalar>> Array<T> {
    pub fn into_items(self) -> impl Iterator<Item = T> {
        let (bytes, others) = match self {
            Array::Flat(bytes) => (bytes, Box::default()),
            Array::Mixed(parts) => *parts,
        };
        let (mut position, mut others) = (0, others.into_iter());
        std::iter::from_fn(move || {
            let mut rest = Packed { bytes: &bytes[position..] };
            let item = rest.next()?;
            position = bytes.len() - rest.bytes.len();
            item.map(T::from).or_else(|| others.next())
        })
    }
}

impl<T> FromIterator<Result<Scalar, T>> for Array<T> {
    fn from_iter<I: IntoIterator<Item = Result<Scalar, T>>>(items: I) -> Self {
        let mut builder = Builder::default();
        items.into_iter().for_each(|item| builder.push(item));
        builder.finish()
    }
}

/// The builder of an array.
pub struct Builder<T> {
    bytes: Vec<u8>,
    others: Vec<T>,
}

impl<T> Default for Builder<T> {
    fn default() -> Self {
        Self {
            // Room for three numbers of any kind.
            bytes: Vec::with_capacity(27),
            others: Vec::new(),
        }
    }
}

impl<T> Builder<T> {
    pub fn push(&mut self, item: Result<Scalar, T>) {
        reserve_frugally(&mut self.bytes, 9);
        let bytes = &mut self.bytes;
        let mut number = |kind: u8, number: &[u8]| {
            bytes.push(kind);
            bytes.extend_from_slice(number);
        };
        match item {
            Ok(Scalar::Null) => number(NULL, &[]),
            Ok(Scalar::Bool(false)) => number(FALSE, &[]),
            Ok(Scalar::Bool(true)) => number(TRUE, &[]),
            Ok(Scalar::Unsigned(n @ 0..246)) => number(n as u8, &[]),
            Ok(Scalar::Unsigned(n)) => match u32::try_from(n) {
                Ok(n) => number(UNSIGNED_4, &n.to_le_bytes()),
                Err(_) => number(UNSIGNED_8, &n.to_le_bytes()),
            },
            Ok(Scalar::Signed(n)) => match i8::try_from(n) {
                Ok(n) => number(SIGNED_1, &n.to_le_bytes()),
                Err(_) => number(SIGNED_8, &n.to_le_bytes()),
            },
            Ok(Scalar::Float(x)) => {
                let narrow = x as f32;
                if f64::from(narrow).to_bits() == x.to_bits() {
                    number(FLOAT_4, &narrow.to_le_bytes())
                } else {
                    number(FLOAT_8, &x.to_le_bytes())
                }
            }
            Err(other) => {
                number(OTHER, &[]);
                reserve_frugally(&mut self.others, 1);
                self.others.push(other);
            }
        }
    }

    pub fn finish(self) -> Array<T> {
        let bytes = self.bytes.into_boxed_slice();
        if self.others.is_empty() {
            Array::Flat(bytes)
        } else {
            Array::Mixed(Box::new((bytes, self.others.into_boxed_slice())))
        }
    }
}

/// The items of packed bytes; `None` for an item that is stored elsewhere.
struct Packed<'b> {
    bytes: &'b [u8],
}

impl Packed<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*taken)
    }
}

impl Iterator for Packed<'_> {
    type Item = Option<Scalar>;

    fn next(&mut self) -> Option<Self::Item> {
        let [kind] = self.take()?;
        Some(Some(match kind {
            NULL => Scalar::Null,
            FALSE => Scalar::Bool(false),
            TRUE => Scalar::Bool(true),
            OTHER => return Some(None),
            UNSIGNED_4 => Scalar::Unsigned(u32::from_le_bytes(self.take()?).into()),
            UNSIGNED_8 => Scalar::Unsigned(u64::from_le_bytes(self.take()?)),
            SIGNED_1 => Scalar::Signed(i8::from_le_bytes(self.take()?).into()),
            SIGNED_8 => Scalar::Signed(i64::from_le_bytes(self.take()?)),
            FLOAT_4 => Scalar::Float(f32::from_le_bytes(self.take()?).into()),
            FLOAT_8 => Scalar::Float(f64::from_le_bytes(self.take()?)),
            small => Scalar::Unsigned(small.into()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    enum Item {
        Scalar(Scalar),
        Other(&'static str),
    }

    impl From<Scalar> for Item {
        fn from(scalar: Scalar) -> Self {
            Item::Scalar(scalar)
        }
    }

    #[test]
    fn items_round_trip() {
        let unsigned = [0, 1, 245, 246, 255, 256, u64::from(u32::MAX), 1 << 32, u64::MAX];
        let signed = [-1, -128, -129, i64::MIN];
        let floats = [0.0, -0.0, 0.1, 1.5, 1e39, 5e-324, -3.4e38];
        let scalars = [Scalar::Null, Scalar::Bool(true), Scalar::Bool(false)].into_iter();
        let scalars = scalars.chain(unsigned.map(Scalar::Unsigned));
        let scalars = scalars.chain(signed.map(Scalar::Signed));
        let scalars: Vec<Scalar> = scalars.chain(floats.map(Scalar::Float)).collect();
        let flat: Array<Item> = scalars.iter().map(|scalar| Ok(*scalar)).collect();
        assert_eq!(flat.len(), scalars.len());
        for (item, scalar) in flat.iter().zip(&scalars) {
            match (item.into_owned(), scalar) {
                (Item::Scalar(Scalar::Float(a)), Scalar::Float(b)) => assert_eq!(a.to_bits(), b.to_bits()),
                (item, scalar) => assert_eq!(item, Item::Scalar(*scalar)),
            }
        }
        let mixed = [Err(Item::Other("a")), Ok(Scalar::Null), Err(Item::Other("b"))];
        let mixed: Array<Item> = mixed.into_iter().collect();
        let items = |array: &Array<Item>| array.iter().map(Cow::into_owned).collect::<Vec<_>>();
        let other = Item::Other;
        assert_eq!(items(&mixed), [other("a"), Item::Scalar(Scalar::Null), other("b")]);
        let mut indices = Vec::new();
        let mapped = mixed.map(|index, _| {
            indices.push(index);
            other("c")
        });
        assert_eq!((indices, mapped.len(), mapped.is_empty()), (vec![0, 2], 3, false));
        assert_eq!(items(&mapped), [other("c"), Item::Scalar(Scalar::Null), other("c")]);
        assert!(Array::<Item>::default().is_empty());
    }
}
