//! The skeleton file: sections, units, root and bones (Acclaim Skeleton File definition V1.10).

use super::angle_unit::AngleUnit;
use super::blocks::{self, RawBone, RawRoot};
use super::bone::{Bone, Dof, fixed_axes_rotation};
use super::hierarchy::{self, Link};
use super::lex::{self, Lexer, Number, TextCodes, Token};
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use arrayvec::ArrayVec;
use glam::{DQuat, DVec3};
use std::collections::HashMap;

/// A parsed ASF file. `bones()[0]` is the root; the others stand in the order of `:bonedata`.
#[derive(Clone, Debug)]
pub struct AsfDocument {
    bytes: Vec<u8>,
    name: String,
    length_unit: f64,
    angle: AngleUnit,
    root_position: DVec3,
    bones: Vec<Bone>,
    order: Vec<usize>,
    has_child: Vec<bool>,
    by_name: HashMap<Vec<u8>, usize>,
    /// `None` where two names differ only in case.
    by_lower_name: HashMap<Vec<u8>, Option<usize>>,
}

const TEXT_CODES: TextCodes =
    TextCodes { empty: "ASF-E001", too_large: "ASF-E002", not_text: "ASF-E003", byte_order_mark: "ASF-N001" };

/// Millimetres would do as well, but the multiplier is defined on inches (CMU FAQ).
const METRES_PER_INCH: f64 = 0.0254;

impl AsfDocument {
    /// Reads a skeleton; what was tolerated is added to `notes`.
    pub fn parse(
        bytes: Vec<u8>,
        options: &ReadOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<AsfDocument, Box<Diagnostic>> {
        let start = lex::text_start(&bytes, &options.limits, &TEXT_CODES, notes)?;
        let mut parser = Parser::new(&bytes, start, options, notes);
        parser.sections()?;
        let parts = parser.finish()?;
        let tree = hierarchy::arrange(&bytes, &parts.bones, &parts.links, &parts.by_name, options, notes)?;
        let mut bones = parts.bones;
        for (bone, parent) in bones.iter_mut().zip(&tree.parents) {
            bone.parent = *parent;
        }
        let by_lower_name = lower_names(&bones);
        Ok(Self {
            bytes,
            name: parts.name,
            length_unit: parts.length_unit,
            angle: parts.angle,
            root_position: parts.root_position,
            bones,
            order: tree.order,
            has_child: tree.has_child,
            by_name: parts.by_name,
            by_lower_name,
        })
    }

    /// The file as it was read.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `:name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The `length` value of `:units`; lengths and root translations are inches times it.
    pub fn length_unit(&self) -> f64 {
        self.length_unit
    }

    /// Length of a file unit: `value / length` inches, so 0.0254 / `length` metres.
    pub fn metres_per_unit(&self) -> f64 {
        METRES_PER_INCH / self.length_unit
    }

    /// What `axis`, `limits` and `orientation` are measured in.
    pub fn angle_unit(&self) -> AngleUnit {
        self.angle
    }

    /// `position` of the root, added to its translation; file units.
    pub fn root_position(&self) -> DVec3 {
        self.root_position
    }

    /// The root, then all bones in the order of `:bonedata`, those outside the hierarchy included.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Indices into [`Self::bones`], parents first, without bones outside the hierarchy: the joints of a clip.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether nothing hangs at the end of this bone.
    pub fn is_leaf(&self, bone: usize) -> bool {
        !self.has_child.get(bone).copied().unwrap_or(false)
    }

    /// Values a frame.
    pub fn channel_count(&self) -> usize {
        self.bones.last().map_or(0, |bone| bone.columns.end)
    }

    /// The bone of this name, exactly so spelled or the only one that differs in case alone; says which it was.
    pub(super) fn find(&self, name: &[u8]) -> Option<(usize, bool)> {
        if let Some(&bone) = self.by_name.get(name) {
            return Some((bone, true));
        }
        let lower = name.to_ascii_lowercase();
        self.by_lower_name.get(&lower).copied().flatten().map(|bone| (bone, false))
    }
}

fn lower_names(bones: &[Bone]) -> HashMap<Vec<u8>, Option<usize>> {
    let mut names = HashMap::new();
    for (index, bone) in bones.iter().enumerate() {
        let lower = bone.raw_name.to_ascii_lowercase();
        names.entry(lower).and_modify(|found| *found = None).or_insert(Some(index));
    }
    names
}

/// Everything but the tree.
struct Parts {
    name: String,
    length_unit: f64,
    angle: AngleUnit,
    root_position: DVec3,
    bones: Vec<Bone>,
    links: Vec<Link>,
    by_name: HashMap<Vec<u8>, usize>,
}

struct Parser<'a> {
    bytes: &'a [u8],
    lexer: Lexer<'a>,
    options: &'a ReadOptions,
    notes: &'a mut Vec<Diagnostic>,
    seen: Vec<&'static str>,
    name: String,
    length_unit: Option<f64>,
    angle: Option<AngleUnit>,
    root: Option<RawRoot>,
    bones: Vec<RawBone>,
    links: Vec<Link>,
}

/// Sections that may stand only once.
const SECTIONS: [&str; 7] = [":version", ":name", ":units", ":documentation", ":root", ":bonedata", ":hierarchy"];

impl<'a> Parser<'a> {
    fn new(bytes: &'a [u8], start: usize, options: &'a ReadOptions, notes: &'a mut Vec<Diagnostic>) -> Self {
        Self {
            bytes,
            lexer: Lexer::new(bytes, start),
            options,
            notes,
            seen: Vec::new(),
            name: String::new(),
            length_unit: None,
            angle: None,
            root: None,
            bones: Vec::new(),
            links: Vec::new(),
        }
    }

    fn sections(&mut self) -> Result<(), Box<Diagnostic>> {
        while let Some(token) = self.lexer.next() {
            let Some(section) = SECTIONS.into_iter().find(|section| lex::is_keyword(token.text, section)) else {
                self.unknown_section(token)?;
                continue;
            };
            if self.seen.contains(&section) {
                let found = Diagnostic::error("ASF-E007", "each section once", shown(token.text));
                return Err(Box::new(found.at(self.bytes, token.offset)));
            }
            if self.seen.is_empty() && section != ":version" {
                let missing = Diagnostic::warning("ASF-W001", "`:version` first", shown(token.text));
                lex::tolerate(self.options.mode, missing, self.bytes, token.offset, self.notes)?;
            }
            self.seen.push(section);
            match section {
                ":name" => self.section_name(),
                ":units" => self.units()?,
                ":root" => self.root = Some(blocks::root(&mut self.lexer, self.bytes, self.options)?),
                ":bonedata" => {
                    self.bones = blocks::bones(&mut self.lexer, self.bytes, self.options, self.notes)?;
                }
                ":hierarchy" => self.links = hierarchy::links(&mut self.lexer, self.bytes, self.options)?,
                _ => self.lexer.skip_to_section(),
            }
        }
        Ok(())
    }

    fn unknown_section(&mut self, token: Token<'a>) -> Result<(), Box<Diagnostic>> {
        if !token.text.starts_with(b":") {
            let expected = "a section such as `:version 1.10`";
            let found = Diagnostic::error("ASF-E004", expected, shown(token.text)).at(self.bytes, token.offset);
            return Err(Box::new(match self.seen.is_empty() {
                true => found.hint("is this an ASF file?"),
                false => found,
            }));
        }
        let note = Diagnostic::note("ASF-N003", "", format!("section {} is kept but not read", shown(token.text)));
        lex::remark(note, self.bytes, token.offset, self.notes);
        self.lexer.skip_to_section();
        Ok(())
    }

    fn section_name(&mut self) {
        if let Some(token) = self.lexer.peek().filter(|token| !token.starts_line) {
            self.name = String::from_utf8_lossy(token.text).into_owned();
        }
        self.lexer.skip_to_section();
    }

    /// `mass`, `length` and `angle`, each with one value.
    fn units(&mut self) -> Result<(), Box<Diagnostic>> {
        while let Some(key) = self.lexer.peek().filter(|token| !token.text.starts_with(b":")) {
            self.lexer.next();
            let value = self.lexer.peek().filter(|token| !token.starts_line);
            let bad = |expected: &str| {
                let (found, offset) = value.map_or((key.text, key.offset), |token| (token.text, token.offset));
                Box::new(Diagnostic::error("ASF-E008", expected, shown(found)).at(self.bytes, offset))
            };
            if lex::is_keyword(key.text, "length") {
                match value.map(|token| lex::number(token.text, self.options.limits.token_bytes)) {
                    Some(Number::Finite(length)) if length > 0.0 && (METRES_PER_INCH / length).is_normal() => {
                        self.length_unit = Some(length);
                    }
                    _ => return Err(bad("a positive `length`")),
                }
            } else if lex::is_keyword(key.text, "angle") {
                self.angle = match value {
                    Some(token) if is_one_of(token.text, &["deg", "degree", "degrees"]) => Some(AngleUnit::Degrees),
                    Some(token) if is_one_of(token.text, &["rad", "radian", "radians"]) => Some(AngleUnit::Radians),
                    _ => return Err(bad("`angle deg` or `angle rad`")),
                };
            }
            // `mass` and units of other vendors scale nothing that is read here.
            self.lexer.skip_line();
        }
        Ok(())
    }

    /// Applies the units, which may stand after what they govern.
    fn finish(self) -> Result<Parts, Box<Diagnostic>> {
        let end = self.bytes.len();
        let missing = |section: &str| {
            let found = Diagnostic::error("ASF-E006", section, "the end of the file").at(self.bytes, end);
            Box::new(found.hint("is the file cut, or is it not an ASF file?"))
        };
        let root = self.root.ok_or_else(|| missing("a `:root` section"))?;
        if !self.seen.contains(&":bonedata") {
            return Err(missing("a `:bonedata` section"));
        }
        if !self.seen.contains(&":hierarchy") {
            return Err(missing("a `:hierarchy` section"));
        }
        if self.length_unit.is_none() {
            let found = Diagnostic::warning("ASF-W002", "`length` in `:units`", "none; lengths are taken as inches");
            lex::tolerate(self.options.mode, found, self.bytes, end, self.notes)?;
        }
        if self.angle.is_none() {
            let found = Diagnostic::warning("ASF-W002", "`angle` in `:units`", "none; degrees are assumed");
            lex::tolerate(self.options.mode, found, self.bytes, end, self.notes)?;
        }
        let angle = self.angle.unwrap_or_default();
        let mut bones = Vec::with_capacity(self.bones.len() + 1);
        bones.push(root_bone(&root, angle));
        let mut by_name = HashMap::with_capacity(self.bones.len() + 1);
        by_name.insert(b"root".to_vec(), 0);
        for raw in self.bones {
            let bone = raw.into_bone(angle, bones.last().map_or(0, |bone| bone.columns.end));
            let taken = by_name.insert(bone.raw_name.clone(), bones.len()).is_some();
            if taken || lex::is_keyword(&bone.raw_name, "root") {
                let found = Diagnostic::error("ASF-E010", "a name of its own for each bone", shown(&bone.raw_name));
                return Err(Box::new(found.at(self.bytes, bone.name_offset)));
            }
            bones.push(bone);
        }
        let length_unit = self.length_unit.unwrap_or(1.0);
        let root_position = root.position;
        Ok(Parts { name: self.name, length_unit, angle, root_position, bones, links: self.links, by_name })
    }
}

fn is_one_of(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| lex::is_keyword(text, word))
}

fn root_bone(root: &RawRoot, angle: AngleUnit) -> Bone {
    let dof: ArrayVec<Dof, 7> = root.order.clone();
    Bone {
        name: "root".to_owned(),
        raw_name: b"root".to_vec(),
        name_offset: 0,
        direction: DVec3::ZERO,
        length: 0.0,
        axis_frame: match root.orientation {
            [0.0, 0.0, 0.0] => DQuat::IDENTITY,
            orientation => fixed_axes_rotation(root.axis, orientation.map(|value| angle.to_deg(value))),
        },
        columns: 0..dof.len(),
        dof,
        limits: Vec::new(),
        parent: None,
    }
}
