//! The `:hierarchy` section: who hangs where, without recursion, whatever the file says.

use super::bone::Bone;
use super::lex::{self, Lexer};
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use std::collections::HashMap;
use std::ops::Range;

/// One child of one line: spans of both names.
pub(super) struct Link {
    parent: Range<usize>,
    child: Range<usize>,
}

/// The tree of bones by index.
pub(super) struct Tree {
    /// `None` for the root and for bones that hang nowhere.
    pub parents: Vec<Option<usize>>,
    /// Depth first, parents before children, children as listed; bones that hang nowhere are left out.
    pub order: Vec<usize>,
    pub has_child: Vec<bool>,
}

/// Lines `parent child child …` between `begin` and `end`.
pub(super) fn links(lexer: &mut Lexer, bytes: &[u8], options: &ReadOptions) -> Result<Vec<Link>, Box<Diagnostic>> {
    let error = |expected: &str, found: String, offset: usize| {
        Box::new(Diagnostic::error("ASF-E004", expected, found).at(bytes, offset))
    };
    match lexer.next() {
        Some(token) if lex::is_keyword(token.text, "begin") => {}
        Some(token) => return Err(error("`begin` of the hierarchy", shown(token.text), token.offset)),
        None => return Err(error("`begin` of the hierarchy", "the end of the file".into(), bytes.len())),
    }
    let mut links = Vec::new();
    let mut parent = 0..0;
    for token in lexer.by_ref() {
        if token.starts_line && lex::is_keyword(token.text, "end") {
            return Ok(links);
        }
        if token.text.starts_with(b":") {
            return Err(error("`end` of the hierarchy", shown(token.text), token.offset));
        }
        let span = token.offset..token.offset + token.text.len();
        if token.starts_line {
            parent = span;
            continue;
        }
        if parent.is_empty() {
            return Err(error("a line `parent child …`", shown(token.text), token.offset));
        }
        // A child is named once, so more lines than bones are an error anyway: stop before they cost memory.
        if links.len() >= options.limits.joints {
            let expected = format!("at most {} bones", options.limits.joints);
            return Err(Box::new(Diagnostic::error("ASF-E018", expected, "more").at(bytes, token.offset)));
        }
        links.push(Link { parent: parent.clone(), child: span });
    }
    Err(error("`end` of the hierarchy", "the end of the file".into(), bytes.len()))
}

/// Checks that the links make one tree below the root, and orders it.
pub(super) fn arrange(
    bytes: &[u8],
    bones: &[Bone],
    links: &[Link],
    by_name: &HashMap<Vec<u8>, usize>,
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Tree, Box<Diagnostic>> {
    let find = |span: &Range<usize>| {
        let name = &bytes[span.clone()];
        let root = lex::is_keyword(name, "root").then_some(0);
        by_name.get(name).copied().or(root).ok_or_else(|| {
            let found = Diagnostic::error("ASF-E014", "a bone of `:bonedata` in the hierarchy", shown(name));
            Box::new(found.at(bytes, span.start))
        })
    };
    let mut parents = vec![None; bones.len()];
    let mut children = vec![Vec::new(); bones.len()];
    let mut child_at = vec![0; bones.len()];
    for link in links {
        let (parent, child) = (find(&link.parent)?, find(&link.child)?);
        let name = shown(&bytes[link.child.clone()]);
        let error = |code, expected: &str, found| {
            Err(Box::new(Diagnostic::error(code, expected, found).at(bytes, link.child.start)))
        };
        if parent == child {
            return error("ASF-E015", "another bone as parent", format!("{name} as its own parent"));
        }
        if child == 0 {
            return error("ASF-E017", "the root at the top", "the root below a bone".to_owned());
        }
        if parents[child].is_some() {
            return error("ASF-E016", "one parent for each bone", format!("a second parent for {name}"));
        }
        parents[child] = Some(parent);
        child_at[child] = link.child.start;
        children[parent].push(child);
    }
    let mut reached = vec![false; bones.len()];
    let order = depth_first(vec![0], &children, &mut reached);
    refuse_depth(bytes, &order, &parents, &child_at, options)?;
    // What hangs below a bone without a parent is left out; what even those do not reach goes round in a circle.
    let strays: Vec<usize> = (1..bones.len()).filter(|&bone| parents[bone].is_none()).collect();
    let mut stray = vec![false; bones.len()];
    depth_first(strays, &children, &mut stray);
    for (index, bone) in bones.iter().enumerate().filter(|(index, _)| !reached[*index]) {
        if !stray[index] {
            return Err(cycle(bytes, bones, &parents, &child_at, index));
        }
        let found = format!("{} hangs nowhere and is left out", shown(&bone.raw_name));
        let found = Diagnostic::warning("ASF-W009", "every bone in the hierarchy", found);
        lex::tolerate(options.mode, found, bytes, bone.name_offset, notes)?;
    }
    for (index, parent) in parents.iter_mut().enumerate() {
        *parent = parent.filter(|_| reached[index]);
    }
    let has_child = children.iter().map(|children| !children.is_empty()).collect();
    Ok(Tree { parents, order, has_child })
}

/// Every bone has at most one parent, so each is pushed at most once and the walk ends.
fn depth_first(mut stack: Vec<usize>, children: &[Vec<usize>], reached: &mut [bool]) -> Vec<usize> {
    let mut order = Vec::new();
    while let Some(bone) = stack.pop() {
        reached[bone] = true;
        order.push(bone);
        stack.extend(children[bone].iter().rev());
    }
    order
}

fn refuse_depth(
    bytes: &[u8],
    order: &[usize],
    parents: &[Option<usize>],
    child_at: &[usize],
    options: &ReadOptions,
) -> Result<(), Box<Diagnostic>> {
    let mut depth = vec![0; parents.len()];
    for &bone in order {
        depth[bone] = parents[bone].map_or(0, |parent| depth[parent] + 1);
        if depth[bone] > options.limits.depth {
            let expected = format!("a tree at most {} bones deep", options.limits.depth);
            return Err(Box::new(Diagnostic::error("ASF-E018", expected, "more").at(bytes, child_at[bone])));
        }
    }
    Ok(())
}

/// Climbing from a bone that nothing without a parent reaches leads into the circle within as many steps as there are
/// bones.
fn cycle(bytes: &[u8], bones: &[Bone], parents: &[Option<usize>], child_at: &[usize], start: usize) -> Box<Diagnostic> {
    let bone = (0..bones.len()).fold(start, |bone, _| parents[bone].unwrap_or(bone));
    let found = format!("{} among its own ancestors", shown(&bones[bone].raw_name));
    Box::new(Diagnostic::error("ASF-E017", "a tree of bones", found).at(bytes, child_at[bone]))
}
