//! What a verb found that people should know, as data: apps put it in words.

pub mod codes;

use crate::span::TimeSpan;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// What the verb decided by itself.
    Note,
    /// What people should look at before they use the result.
    Warning,
}

/// A kind of finding: one row of a crate's table of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, for programs: verb, severity letter (W, N), number.
    pub id: &'static str,
    /// What it means, in a line.
    pub meaning: &'static str,
    /// Names of its values. `joint`, `start_secs` and `end_secs` are the finding's own fields.
    pub values: &'static [&'static str],
}

/// Something that people should know of an edit. It holds no sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Which one.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// When in the motion, if it has a time; a moment starts and ends at once.
    pub span: Option<TimeSpan>,
    /// The joint it is about.
    pub joint: Option<String>,
    /// The rest, in the order it was added.
    pub values: Vec<(&'static str, Value)>,
}

/// A value of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// In SI units, or in the unit that its name ends with.
    Number(f64),
    /// How many, or which one.
    Count(usize),
    /// A name, or a choice by its name.
    Text(String),
    /// Names in order.
    Names(Vec<String>),
    /// Findings that are parts of this one.
    Parts(Vec<Finding>),
}

/// Puts findings in words.
pub type Wording = fn(&Finding) -> String;

impl Finding {
    /// A finding of this code, whose letter says how much it matters.
    pub fn of(code: Code) -> Self {
        let severity = if code.id.contains("-W") { Severity::Warning } else { Severity::Note };
        Self { code, severity, span: None, joint: None, values: Vec::new() }
    }

    /// The same with a value that its code has.
    #[must_use]
    pub fn value(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.declared(name);
        self.values.push((name, value.into()));
        self
    }

    /// The same with its time.
    #[must_use]
    pub fn at(self, start_secs: f64, end_secs: f64) -> Self {
        self.declared("start_secs");
        Self { span: Some(TimeSpan { start_secs, end_secs }), ..self }
    }

    /// The same with its joint.
    #[must_use]
    pub fn joint(self, joint: impl Into<String>) -> Self {
        self.declared("joint");
        Self { joint: Some(joint.into()), ..self }
    }

    /// A value by its name.
    pub fn get(&self, name: &str) -> Option<Value> {
        let own = self.values.iter().find(|(own, _)| *own == name).map(|(_, value)| value.clone());
        own.or_else(|| match name {
            "joint" => self.joint.clone().map(Value::Text),
            "start_secs" => self.span.map(|span| Value::Number(span.start_secs)),
            "end_secs" => self.span.map(|span| Value::Number(span.end_secs)),
            _ => None,
        })
    }

    fn declared(&self, name: &str) {
        debug_assert!(self.code.values.contains(&name), "{} has no value {name}", self.code.id);
    }
}

/// A finding by the meaning of its code, where nothing puts it in words.
pub fn by_meaning(finding: &Finding) -> String {
    format!("{}: {}", finding.code.id, finding.code.meaning)
}

/// Findings of one severity, in words.
pub fn in_words(findings: &[Finding], severity: Severity, words: Wording) -> Vec<String> {
    findings.iter().filter(|finding| finding.severity == severity).map(words).collect()
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&[String]> for Value {
    fn from(names: &[String]) -> Self {
        Self::Names(names.to_vec())
    }
}

impl From<Vec<Finding>> for Value {
    fn from(parts: Vec<Finding>) -> Self {
        Self::Parts(parts)
    }
}

/// A table of codes: `NAME "ID" "meaning" [values];` makes a constant of each row and `TABLE` of all.
#[macro_export]
macro_rules! finding_codes {
    ($($name:ident $id:literal $meaning:literal [$($value:ident),*];)*) => {
        $(
            #[doc = $meaning]
            pub const $name: $crate::finding::Code =
                $crate::finding::Code { id: $id, meaning: $meaning, values: &[$(stringify!($value)),*] };
        )*

        /// All codes, with the names of their constants.
        pub const TABLE: &[(&str, $crate::finding::Code)] = &[$((stringify!($name), $name)),*];
    };
}
