//! Conversion between a weight method and its stored form in files.

use super::method::{Method, MethodError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// A method as stored in files. `values` holds the parameters, except for those at their `unwritten` value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredMethod {
    pub name: String,
    #[serde(flatten)]
    pub values: BTreeMap<String, f64>,
}

impl From<Method> for StoredMethod {
    fn from(method: Method) -> Self {
        // The shortest decimal text of the f32, not of the f64 that it widens to.
        let shortest = |wide: f32| -> f64 { wide.to_string().parse().unwrap_or(f64::from(wide)) };
        let values = method.params();
        let values = values.filter(|(param, value)| Some(*value) != param.unwritten);
        Self {
            name: method.id().to_owned(),
            values: values.map(|(param, value)| (param.id.to_owned(), shortest(value))).collect(),
        }
    }
}

impl TryFrom<StoredMethod> for Method {
    type Error = MethodError;

    fn try_from(mut stored: StoredMethod) -> Result<Self, MethodError> {
        let mut method = Self::named(&stored.name).ok_or(MethodError::Unknown)?;
        let descriptor = method.descriptor();
        for (value, param) in method.values.iter_mut().zip(descriptor.params) {
            let given = stored.values.remove(param.id).map(|given| given as f32);
            *value = given.or(param.unwritten).ok_or(MethodError::Unknown)?;
            param.check(*value)?;
            // An explicit `unwritten` value would be lost when written again.
            if given.is_some() && given == param.unwritten {
                return Err(MethodError::Unknown);
            }
        }
        if stored.values.is_empty() { Ok(method) } else { Err(MethodError::Unknown) }
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredMethod::from(*self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let stored = StoredMethod::deserialize(deserializer)?;
        Self::try_from(stored).map_err(serde::de::Error::custom)
    }
}
