//! `score >= 70 && fps == 120 || status == "failed"`: which rows of an index are wanted.

use serde_json::{Map, Value};

/// Alternatives of conditions that all hold: `&&` binds more than `||`.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    alternatives: Vec<Vec<Condition>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Condition {
    name: String,
    test: Test,
    value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Equal,
    Unequal,
    Least,
    Most,
    Above,
    Below,
}

/// Two-letter ones first: `>=` begins with `>`.
const TESTS: [(&str, Test); 6] = [
    (">=", Test::Least),
    ("<=", Test::Most),
    ("==", Test::Equal),
    ("!=", Test::Unequal),
    (">", Test::Above),
    ("<", Test::Below),
];

impl Filter {
    /// Reads a filter as people type it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let alternative = |text: &str| text.split("&&").map(condition).collect::<Result<Vec<_>, _>>();
        let alternatives = text.split("||").map(alternative).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { alternatives })
    }

    /// Whether a row passes. What a row does not have, or has as `null`, passes only `== null` and `!=` something.
    pub fn passes(&self, row: &Map<String, Value>) -> bool {
        self.alternatives.iter().any(|all| all.iter().all(|condition| condition.holds(row)))
    }

    /// Names that it asks for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.alternatives.iter().flatten().map(|condition| condition.name.as_str())
    }
}

fn condition(text: &str) -> Result<Condition, String> {
    let found = TESTS.iter().filter_map(|&(sign, test)| Some((text.find(sign)?, sign, test)));
    // The first sign of the text; of `>=` and `>` at one place the longer, which comes first in the list.
    let Some((at, sign, test)) = found.min_by_key(|(at, ..)| *at) else {
        return Err(format!("expected NAME and one of >= <= == != > <, found {:?}", text.trim()));
    };
    let (name, value) = (text[..at].trim(), text[at + sign.len()..].trim());
    if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        return Err(format!("expected the name of a column, found {name:?}"));
    }
    let quoted = value.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
    let value = match (quoted, value) {
        (Some(text), _) => Value::from(text),
        (None, "true") => Value::from(true),
        (None, "false") => Value::from(false),
        (None, "null") => Value::Null,
        (None, "") => return Err(format!("expected a value after {name} {sign}, found nothing")),
        (None, number) => match number.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::from(number),
            // Words need no quotes: status == failed.
            _ => Value::from(number),
        },
    };
    Ok(Condition { name: name.to_owned(), test, value })
}

impl Condition {
    fn holds(&self, row: &Map<String, Value>) -> bool {
        let found = row.get(&self.name).unwrap_or(&Value::Null);
        let order = match (found, &self.value) {
            (Value::Number(a), Value::Number(b)) => a.as_f64().zip(b.as_f64()).and_then(|(a, b)| a.partial_cmp(&b)),
            (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
            _ => None,
        };
        let is_equal = order.map_or(found == &self.value, std::cmp::Ordering::is_eq);
        match self.test {
            Test::Equal => is_equal,
            Test::Unequal => !is_equal,
            Test::Least => order.is_some_and(std::cmp::Ordering::is_ge),
            Test::Most => order.is_some_and(std::cmp::Ordering::is_le),
            Test::Above => order.is_some_and(std::cmp::Ordering::is_gt),
            Test::Below => order.is_some_and(std::cmp::Ordering::is_lt),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn passes(filter: &str) -> bool {
        let Value::Object(row) = json!({ "score": 71.5, "fps": 120.0, "status": "done", "other_share": null }) else {
            panic!("an object");
        };
        Filter::parse(filter).unwrap().passes(&row)
    }

    #[test]
    fn rows_are_chosen_as_people_write_it() {
        assert!(passes("score>=70 && fps==120"));
        assert!(passes("score > 90 || status == done"));
        assert!(passes("status != 'failed' && other_share == null"));
        assert!(!passes("score < 70") && !passes("other_share >= 0") && !passes("missing == 1"));
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        for bad in ["score", "score >=", ">= 3", "a b == 3", "", "score >= 70 &&"] {
            assert!(Filter::parse(bad).is_err(), "{bad}");
        }
    }
}
