//! The skeleton as a tree on a terminal.

use aplomb_formats::diagnostic::printable;
use serde::Serialize;
use std::fmt::Write;

/// Beyond this the drawing, not the skeleton, is cut: lines indented by hundreds cannot be read.
const DEEPEST: usize = 60;

/// One joint.
#[derive(Debug, Serialize)]
pub struct JointReport {
    pub name: String,
    pub parent: Option<usize>,
    pub offset_m: [f64; 3],
    pub channels: Vec<String>,
    pub end_sites: usize,
    pub moves: bool,
    pub role: Option<String>,
    pub confidence: Option<f64>,
    pub reason: Option<String>,
}

/// One line a joint: branches, name, role, channels. Without recursion: files nest as deep as they like.
pub fn text(joints: &[JointReport]) -> String {
    let last_child = last_children(joints);
    let mut prefixes: Vec<String> = Vec::with_capacity(joints.len());
    let mut rows = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let (branch, prefix) = match joint.parent {
            None => (String::new(), String::new()),
            Some(parent) => {
                let stem = &prefixes[parent];
                let is_last = last_child[parent] == Some(index);
                let deep = stem.chars().count() >= 3 * DEEPEST;
                let prefix =
                    if deep { stem.clone() } else { format!("{stem}{}", if is_last { "   " } else { "│  " }) };
                (format!("{stem}{}", if is_last { "└─ " } else { "├─ " }), prefix)
            }
        };
        rows.push(format!("{branch}{}", printable(&joint.name)));
        prefixes.push(prefix);
    }
    let width = rows.iter().map(|row| row.chars().count()).max().unwrap_or(0).min(64);
    let mut text = String::new();
    for (row, joint) in rows.iter().zip(joints) {
        let role = joint.role.as_deref().unwrap_or("–");
        let unsure = joint.confidence.filter(|&confidence| confidence < 0.6);
        let unsure = unsure.map_or(String::new(), |confidence| format!(" ({:.0} % sure)", 100.0 * confidence));
        let role = format!("{role}{unsure}");
        let _ = writeln!(text, "  {row:<width$}  {role:<18} {}", joint.channels.join(" "));
    }
    text
}

fn last_children(joints: &[JointReport]) -> Vec<Option<usize>> {
    let mut last = vec![None; joints.len()];
    for (index, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            last[parent] = Some(index);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>) -> JointReport {
        JointReport {
            name: name.to_owned(),
            parent,
            offset_m: [0.0; 3],
            channels: vec![],
            end_sites: 0,
            moves: false,
            role: None,
            confidence: None,
            reason: None,
        }
    }

    #[test]
    fn branches_are_drawn() {
        let joints = [joint("a", None), joint("b", Some(0)), joint("c", Some(1)), joint("d\u{1b}", Some(0))];
        let text = text(&joints);
        let lines: Vec<&str> = text.lines().map(|line| line.split("  –").next().unwrap().trim_end()).collect();
        assert_eq!(lines, ["  a", "  ├─ b", "  │  └─ c", "  └─ d\\u{1b}"]);
    }
}
