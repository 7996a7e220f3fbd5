//! The side file that says what joints are: `[roles]`, joint name = role. It wins over everything that is detected.
//!
//! ```toml
//! schema = 1
//! [roles]
//! "Bip01 L Thigh" = "left_thigh"
//! "Camera" = "none"           # no role
//! "Bone#2" = "left_shank"     # the second joint called Bone
//! ```

use crate::diagnostic::{Diagnostic, shown};
use aplomb_motion::roles::{Role, Roles};
use aplomb_motion::{JointId, Skeleton};
use std::collections::HashMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads a roles file for a skeleton. The first thing that is wrong is an error with its place.
pub fn parse(bytes: &[u8], skeleton: &Skeleton) -> Result<Vec<(JointId, Option<Role>)>, Box<Diagnostic>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let byte = bytes.get(at..at + 1).unwrap_or_default();
        Box::new(Diagnostic::error("ROL-E001", "UTF-8 text", shown(byte)).at(bytes, at))
    })?;
    let table = DeTable::parse(text).map_err(|error| {
        let found = error.message().lines().next().unwrap_or_default().to_owned();
        let diagnostic = Diagnostic::error("ROL-E002", "a TOML file", found);
        Box::new(diagnostic.at(bytes, error.span().map_or(0, |span| span.start)))
    })?;
    let roles = roles_table(bytes, table.get_ref())?;
    let names = JointNames::of(skeleton);
    let mut given: Vec<(JointId, Option<Role>)> = Vec::new();
    let mut holders: HashMap<Role, String> = HashMap::new();
    let mut seen: HashMap<JointId, String> = HashMap::new();
    for (key, value) in roles.iter() {
        let joint = names.joint(key, bytes)?;
        if let Some(other) = seen.insert(joint, key.get_ref().to_string()) {
            let expected = "one line a joint";
            let found = format!("{} after {}", shown(key.get_ref().as_bytes()), shown(other.as_bytes()));
            return Err(Box::new(Diagnostic::error("ROL-E007", expected, found).at(bytes, key.span().start)));
        }
        let role = role(value, bytes)?;
        if let Some(role) = role.filter(|role| role.is_unique())
            && let Some(other) = holders.insert(role, key.get_ref().to_string())
        {
            let expected = format!("{role} for one joint only");
            let found = format!("it is also given to {}", shown(other.as_bytes()));
            return Err(Box::new(Diagnostic::error("ROL-E006", expected, found).at(bytes, value.span().start)));
        }
        given.push((joint, role));
    }
    Ok(given)
}

/// Writes the roles of a skeleton as a file to be edited: every joint, in order, with what decided as a comment.
pub fn write(skeleton: &Skeleton, roles: &Roles) -> String {
    let mut text = String::from(
        "# Joint roles. Change what is wrong, delete what is right; \"none\" takes a role away.\nschema = 1\n\n[roles]\n",
    );
    let names = JointNames::of(skeleton);
    for joint in skeleton.ids() {
        let assignment = roles.assignment(joint);
        let role = assignment.map_or_else(|| "none".to_owned(), |assignment| assignment.role.to_string());
        let key = toml::Value::String(names.key(skeleton, joint)).to_string();
        let why = assignment.map_or_else(String::new, |assignment| {
            let reason = crate::diagnostic::printable(&assignment.reason);
            format!(" # {:.2}: {reason}", assignment.confidence)
        });
        text.push_str(&format!("{} = \"{role}\"{why}\n", single_line(&key)));
    }
    text
}

/// The writer may choose a multi-line string for a name with a line end; keys must stay on one line.
fn single_line(key: &str) -> String {
    match key.starts_with("\"\"\"") || key.starts_with("'''") || key.contains('\n') {
        false => key.to_owned(),
        true => {
            let inner = toml::from_str::<toml::Table>(&format!("k = {key}"));
            let name = inner.ok().and_then(|table| Some(table.get("k")?.as_str()?.to_owned())).unwrap_or_default();
            format!("\"{}\"", name.chars().map(basic_escape).collect::<String>())
        }
    }
}

fn basic_escape(character: char) -> String {
    match character {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        control if control.is_control() => format!("\\u{:04X}", control as u32),
        other => other.to_string(),
    }
}

fn roles_table<'a, 'b>(bytes: &[u8], table: &'b DeTable<'a>) -> Result<&'b DeTable<'a>, Box<Diagnostic>> {
    let mut roles = None;
    for (key, value) in table.iter() {
        let fault = |expected: &str| {
            let found = shown(key.get_ref().as_bytes());
            Box::new(Diagnostic::error("ROL-E003", expected, found).at(bytes, key.span().start))
        };
        match (key.get_ref().as_ref(), value.get_ref()) {
            ("roles", DeValue::Table(table)) => roles = Some(table),
            ("roles", _) => return Err(fault("[roles] to be a table")),
            ("schema", DeValue::Integer(number)) if number.as_str() == "1" => {}
            ("schema", _) => return Err(fault("schema = 1")),
            _ => return Err(fault("only [roles] and schema")),
        }
    }
    roles.ok_or_else(|| Box::new(Diagnostic::error("ROL-E003", "a [roles] table", "none").at(bytes, 0)))
}

fn role(value: &Spanned<DeValue>, bytes: &[u8]) -> Result<Option<Role>, Box<Diagnostic>> {
    let at = value.span().start;
    let fault = |found: String| Diagnostic::error("ROL-E005", "a role", found).at(bytes, at);
    let DeValue::String(text) = value.get_ref() else {
        let found = bytes.get(value.span()).map_or_else(String::new, shown);
        return Err(Box::new(fault(found).hint("write it in quotes, like \"left_thigh\"")));
    };
    if text == "none" {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        let known = Role::common().into_iter().map(|role| role.to_string()).chain(["none".to_owned()]);
        let nearest = nearest(text, known).map_or_else(String::new, |role| format!("did you mean \"{role}\"? "));
        Box::new(fault(shown(text.as_bytes())).hint(format!("{nearest}Roles are {}", Role::VALID_NAMES)))
    })
}

/// Joints by the keys of the file: their names, with `#2`, `#3` … for joints that share one.
struct JointNames {
    keys: HashMap<String, JointId>,
    copies: HashMap<JointId, usize>,
    order: Vec<String>,
}

impl JointNames {
    fn of(skeleton: &Skeleton) -> Self {
        let mut names = Self { keys: HashMap::new(), copies: HashMap::new(), order: Vec::new() };
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (joint, made) in skeleton.ids().zip(skeleton.joints()) {
            let count = counts.entry(made.name.as_str()).or_default();
            *count += 1;
            if *count > 1 {
                names.copies.insert(joint, *count);
            } else {
                // A joint really called `Bone#2` answers before the second `Bone`.
                names.keys.insert(made.name.clone(), joint);
                names.order.push(made.name.clone());
            }
        }
        for (&joint, &copy) in &names.copies {
            names.keys.entry(format!("{}#{copy}", skeleton.joint(joint).name)).or_insert(joint);
        }
        names
    }

    fn key(&self, skeleton: &Skeleton, joint: JointId) -> String {
        let name = &skeleton.joint(joint).name;
        self.copies.get(&joint).map_or_else(|| name.clone(), |copy| format!("{name}#{copy}"))
    }

    fn joint(&self, key: &Spanned<std::borrow::Cow<'_, str>>, bytes: &[u8]) -> Result<JointId, Box<Diagnostic>> {
        const LISTED: usize = 40;
        let name = key.get_ref().as_ref();
        self.keys.get(name).copied().ok_or_else(|| {
            let nearest = nearest(name, self.order.iter().cloned());
            let nearest = nearest.map_or_else(String::new, |name| format!("did you mean {}? ", shown(name.as_bytes())));
            let mut listed: Vec<String> = self.order.iter().take(LISTED).map(|name| shown(name.as_bytes())).collect();
            if self.order.len() > LISTED {
                listed.push(format!("and {} more", self.order.len() - LISTED));
            }
            let diagnostic = Diagnostic::error("ROL-E004", "the name of a joint", shown(name.as_bytes()));
            let hint = format!("{nearest}Joints are {}", listed.join(", "));
            Box::new(diagnostic.at(bytes, key.span().start).hint(hint))
        })
    }
}

/// The most alike candidate, if it is alike at all.
fn nearest(text: &str, candidates: impl Iterator<Item = String>) -> Option<String> {
    // A megabyte key is no misspelling, and the comparison is quadratic.
    if text.len() > 200 {
        return None;
    }
    let lower = text.to_lowercase();
    let likeness = |candidate: &String| strsim::jaro_winkler(&lower, &candidate.to_lowercase());
    let alike =
        candidates.filter(|candidate| candidate.len() <= 200).map(|candidate| (likeness(&candidate), candidate));
    alike.filter(|(likeness, _)| *likeness > 0.75).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_motion::Channels;
    use aplomb_motion::roles::Side;
    use glam::DVec3;

    fn skeleton() -> Skeleton {
        let mut builder = Skeleton::builder();
        let hips = builder.add(None, "Hips", DVec3::Y, Channels::default());
        let a = builder.add(Some(hips), "Bone", DVec3::X, Channels::default());
        builder.add(Some(a), "Bone", DVec3::X, Channels::default());
        builder.add(Some(hips), "Bip01 L Thigh", DVec3::X, Channels::default());
        builder.add(Some(hips), "a \"quoted\"\nname", DVec3::X, Channels::default());
        builder.build().unwrap()
    }

    fn error(text: &str) -> (&'static str, usize, String) {
        let diagnostic = parse(text.as_bytes(), &skeleton()).unwrap_err();
        (diagnostic.code, diagnostic.place.unwrap().line, diagnostic.to_string())
    }

    #[test]
    fn names_with_spaces_and_repeated_names_are_found() {
        let text =
            "schema = 1\n[roles]\n\"Bip01 L Thigh\" = \"left_thigh\"\n\"Bone#2\" = \"tail_0\"\nBone = \"none\"\n";
        let mut given = parse(text.as_bytes(), &skeleton()).unwrap();
        given.sort_by_key(|&(joint, _)| joint);
        let expected = [(1, None), (2, Some(Role::Tail(0))), (3, Some(Role::Thigh(Side::Left)))];
        assert_eq!(given, expected.map(|(joint, role)| (JointId::new(joint), role)));
    }

    #[test]
    fn what_is_written_reads_back() {
        let skeleton = skeleton();
        let roles = Roles::detect_skeleton(&skeleton);
        let given = parse(write(&skeleton, &roles).as_bytes(), &skeleton).unwrap();
        assert_eq!(given.len(), skeleton.len());
        for (joint, role) in given {
            assert_eq!(role, roles.role(joint));
        }
    }

    #[test]
    fn every_fault_has_its_code_place_and_advice() {
        let (code, line, message) = error("[roles]\nHips = \"hips\"\n\"Bip01 L Tigh\" = \"left_thigh\"\n");
        assert_eq!((code, line), ("ROL-E004", 3));
        assert!(message.contains("did you mean `Bip01 L Thigh`?") && message.contains("`Hips`"), "{message}");
        let (code, line, message) = error("[roles]\nHips = \"hipps\"");
        assert_eq!((code, line), ("ROL-E005", 2));
        assert!(message.contains("did you mean \"hips\"?") && message.contains("spine_N"), "{message}");
        assert_eq!(error("[roles]\nHips = 3").0, "ROL-E005");
        assert_eq!(error("[roles]\nHips = \"hips\"\nBone = \"hips\"").0, "ROL-E006");
        assert_eq!(error("[roles\n").0, "ROL-E002");
        assert_eq!(error("[roles]\nHips = \"hips\"\nHips = \"hips\"").0, "ROL-E002");
        assert_eq!(error("[rolls]\n").0, "ROL-E003");
        assert_eq!(error("schema = 2\n[roles]\n").0, "ROL-E003");
        assert_eq!(error("").0, "ROL-E003");
        assert_eq!(parse(b"[roles]\n\xff", &skeleton()).unwrap_err().code, "ROL-E001");
    }

    proptest::proptest! {
        #[test]
        fn nothing_in_a_file_or_a_name_panics(bytes: Vec<u8>, key: String, name: String) {
            let mut builder = Skeleton::builder();
            let root = builder.add(None, name.clone(), DVec3::Y, Channels::default());
            builder.add(Some(root), name, DVec3::Y, Channels::default());
            let skeleton = builder.build().unwrap();
            let _ = parse(&bytes, &skeleton);
            let _ = parse(format!("[roles]\n{key} = \"{key}\"").as_bytes(), &skeleton);
            // Whatever joints are called, the file written for them reads back.
            let roles = Roles::detect_skeleton(&skeleton);
            let given = parse(write(&skeleton, &roles).as_bytes(), &skeleton).unwrap();
            proptest::prop_assert_eq!(given.len(), 2);
        }
    }
}
