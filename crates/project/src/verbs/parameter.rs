//! One parameter of a verb: what it means, which values it takes, and how it is typed.

use super::range::{Range, number};
use serde_json::Value;

/// One key of an edit.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// In project files, in receipts and in Python.
    pub key: &'static str,
    /// Which values it takes.
    pub kind: Kind,
    /// Of its number; empty where there is none.
    pub unit: &'static str,
    /// Which numbers make sense.
    pub range: Option<Range>,
    /// What holds where it is not given.
    pub default: Usual,
    /// One plain sentence.
    pub about: &'static str,
    /// Options of the command that set it.
    pub flags: [Option<Flag>; 2],
    /// Of a table: options of the command replace all that a file says of it.
    pub is_replaced: bool,
}

/// Which values a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A finite number.
    Number,
    /// A whole number from 0.
    Whole,
    /// Yes or no.
    Switch,
    /// One of these words; each with a sentence.
    Choice(&'static [(&'static str, &'static str)]),
    /// Any text.
    Text,
    /// A file that is no motion.
    File,
    /// A motion: a file, or `builtin:NAME`.
    Clip,
    /// Three numbers.
    Vector,
    /// Any number of these.
    List(&'static Kind),
    /// Keys of its own.
    Table(&'static [Parameter]),
    /// One of these.
    Either(&'static [Kind]),
}

/// What holds where a parameter is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Usual {
    /// It has to be given.
    Required,
    /// Nothing; the sentence says what that means.
    Absent,
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
    /// Yes or no.
    Switch(bool),
}

/// An option of the command.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Without dashes; empty for what is named without an option.
    pub name: &'static str,
    /// What help shows for the value.
    pub value: &'static str,
    /// Another sentence than the parameter's; empty for the same.
    pub about: &'static str,
    /// From text to data.
    pub reads: Reads,
    /// Which values may begin with a dash.
    pub dash: Dash,
    /// Options that it does not go with.
    pub conflicts: &'static [&'static str],
    /// An option that it needs; empty for none.
    pub requires: &'static str,
    /// It has to be given where this one is not; empty for no such rule.
    pub unless: &'static str,
}

/// From what is typed to data.
#[derive(Clone, Copy, Debug)]
pub enum Reads {
    /// As the kind and the range say.
    Kind,
    /// By a grammar of its own.
    Text(fn(&str) -> Result<Value, String>),
    /// The same, for several with commas between them.
    List(fn(&str) -> Result<Value, String>),
    /// Nothing is typed: the option stands for this value.
    Sets(Usual),
    /// A file whose content is the value, which the command reads itself.
    Content,
}

/// Which values may begin with a dash: else they look like options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// None.
    No,
    /// Negative numbers.
    Number,
    /// Any.
    Any,
}

impl Usual {
    /// As data; `None` where there is no value.
    pub fn value(self) -> Option<Value> {
        match self {
            Self::Required | Self::Absent => None,
            Self::Number(number) => Some(Value::from(number)),
            Self::Word(word) => Some(Value::from(word)),
            Self::Switch(is_on) => Some(Value::from(is_on)),
        }
    }
}

impl Parameter {
    const fn new(key: &'static str, kind: Kind, about: &'static str) -> Self {
        let default = Usual::Absent;
        let flags = [None; 2];
        Self { key, kind, unit: "", range: None, default, about, flags, is_replaced: false }
    }

    /// It has to be given.
    pub(super) const fn required(mut self) -> Self {
        self.default = Usual::Required;
        self
    }

    /// What holds where it is not given.
    pub(super) const fn usually(mut self, usual: Usual) -> Self {
        self.default = usual;
        self
    }

    /// Which numbers make sense.
    pub(super) const fn range(mut self, range: Range) -> Self {
        self.range = Some(range);
        self
    }

    /// Its unit.
    pub(super) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Options of the command replace all that a file says of it.
    pub(super) const fn replaced(mut self) -> Self {
        self.is_replaced = true;
        self
    }

    /// One more option of the command.
    pub(super) const fn flag(mut self, flag: Flag) -> Self {
        let slot = if self.flags[0].is_some() { 1 } else { 0 };
        self.flags[slot] = Some(flag);
        self
    }

    /// A short name for forms: the key without its unit.
    pub fn label(&self) -> String {
        let units = ["_m", "_secs", "_deg", "_kg", "_nm", "_bw"];
        let bare = units.iter().find_map(|unit| self.key.strip_suffix(unit)).unwrap_or(self.key);
        let mut letters = bare.replace('_', " ");
        if let Some(first) = letters.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        letters
    }

    /// Reads one value as it is typed.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        match self.kind {
            Kind::Number => self.range.map_or_else(|| number(text), |range| range.read(text)).map(Value::from),
            Kind::Whole => text.parse::<u64>().map(Value::from).map_err(|error| error.to_string()),
            _ => Ok(Value::from(text)),
        }
    }
}

impl Flag {
    /// As the parameter's kind and range say.
    pub(super) const fn new(name: &'static str, value: &'static str) -> Self {
        let (about, requires, unless) = ("", "", "");
        Self { name, value, about, reads: Reads::Kind, dash: Dash::Number, conflicts: &[], requires, unless }
    }

    /// By a grammar of its own.
    pub(super) const fn text(mut self, read: fn(&str) -> Result<Value, String>) -> Self {
        (self.reads, self.dash) = (Reads::Text(read), Dash::No);
        self
    }

    /// Several, with commas between them.
    pub(super) const fn list(mut self, read: fn(&str) -> Result<Value, String>) -> Self {
        (self.reads, self.dash) = (Reads::List(read), Dash::No);
        self
    }

    /// A file whose content is the value.
    pub(super) const fn content(mut self) -> Self {
        self.reads = Reads::Content;
        self
    }

    /// Which values may begin with a dash.
    pub(super) const fn dash(mut self, dash: Dash) -> Self {
        self.dash = dash;
        self
    }

    /// Options that it does not go with.
    pub(super) const fn conflicts(mut self, with: &'static [&'static str]) -> Self {
        self.conflicts = with;
        self
    }

    /// An option that it needs.
    pub(super) const fn requires(mut self, other: &'static str) -> Self {
        self.requires = other;
        self
    }

    /// It has to be given where this one is not.
    pub(super) const fn unless(mut self, other: &'static str) -> Self {
        self.unless = other;
        self
    }

    /// Another sentence than the parameter's.
    pub(super) const fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }
}

/// An option that stands for a value.
pub(super) const fn sets(name: &'static str, value: Usual) -> Flag {
    let mut flag = Flag::new(name, "");
    flag.reads = Reads::Sets(value);
    flag
}

/// An option with a value.
pub(super) const fn flag(name: &'static str, value: &'static str) -> Flag {
    Flag::new(name, value)
}

/// A number.
pub(super) const fn num(key: &'static str, unit: &'static str, about: &'static str) -> Parameter {
    Parameter::new(key, Kind::Number, about).unit(unit)
}

/// A time.
pub(super) const fn secs(key: &'static str, about: &'static str) -> Parameter {
    num(key, "s", about)
}

/// A length.
pub(super) const fn metres(key: &'static str, about: &'static str) -> Parameter {
    num(key, "m", about)
}

/// Yes or no; no if it is not given.
pub(super) const fn switch(key: &'static str, about: &'static str) -> Parameter {
    Parameter::new(key, Kind::Switch, about).usually(Usual::Switch(false))
}

/// One of some words.
pub(super) const fn choice(
    key: &'static str,
    words: &'static [(&'static str, &'static str)],
    about: &'static str,
) -> Parameter {
    Parameter::new(key, Kind::Choice(words), about)
}

/// Keys of its own.
pub(super) const fn table(key: &'static str, keys: &'static [Parameter], about: &'static str) -> Parameter {
    Parameter::new(key, Kind::Table(keys), about)
}

/// Any other kind.
pub(super) const fn of(key: &'static str, kind: Kind, about: &'static str) -> Parameter {
    Parameter::new(key, kind, about)
}
