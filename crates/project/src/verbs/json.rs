//! The table as JSON, for pages that make forms from it.

use super::parameter::{Kind, Parameter, Usual};
use super::{VERBS, Verb};
use serde_json::{Map, Value, json};

/// All verbs by name, each with its sentence and its parameters by key.
pub fn verbs_json() -> Value {
    let verb = |verb: &Verb| json!({ "about": verb.about, "parameters": by_key(verb.parameters) });
    VERBS.iter().map(|it| (it.name.to_owned(), verb(it))).collect::<Map<_, _>>().into()
}

fn by_key(parameters: &[Parameter]) -> Value {
    parameters.iter().map(|it| (it.key.to_owned(), it.to_json())).collect::<Map<_, _>>().into()
}

impl Parameter {
    /// Kind, label, sentence, unit, range and default.
    fn to_json(self) -> Value {
        let mut all = json!({
            "label": self.label(),
            "about": self.about,
            "unit": self.unit,
            "required": self.default == Usual::Required,
            "default": self.default.value(),
        });
        if let (Some(range), Some(all)) = (self.range, all.as_object_mut()) {
            all.extend([("min".to_owned(), json!(range.low)), ("max".to_owned(), json!(range.high))]);
        }
        if let (Value::Object(kind), Some(all)) = (self.kind.to_json(), all.as_object_mut()) {
            all.extend(kind);
        }
        all
    }
}

impl Kind {
    fn to_json(self) -> Value {
        match self {
            Self::Number => json!({ "kind": "number" }),
            Self::Whole => json!({ "kind": "whole" }),
            Self::Switch => json!({ "kind": "switch" }),
            Self::Text => json!({ "kind": "text" }),
            Self::File => json!({ "kind": "file" }),
            Self::Clip => json!({ "kind": "clip" }),
            Self::Vector => json!({ "kind": "vector" }),
            Self::Choice(words) => json!({ "kind": "choice", "words": words }),
            Self::List(of) => json!({ "kind": "list", "of": of.to_json() }),
            Self::Table(keys) => json!({ "kind": "table", "parameters": by_key(keys) }),
            Self::Either(kinds) => {
                json!({ "kind": "either", "of": kinds.iter().map(|kind| kind.to_json()).collect::<Vec<_>>() })
            }
        }
    }
}
