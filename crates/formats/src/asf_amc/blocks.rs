//! The `:root` and `:bonedata` sections: fields in any order.

use super::angle_unit::AngleUnit;
use super::bone::{Bone, Dof, axis_order, fixed_axes_rotation};
use super::lex::{self, Lexer, Number, Token};
use crate::diagnostic::{Diagnostic, shown};
use crate::options::ReadOptions;
use aplomb_motion::Axis;
use arrayvec::ArrayVec;
use glam::DVec3;

/// `:root` before units are known.
pub(super) struct RawRoot {
    pub order: ArrayVec<Dof, 7>,
    pub axis: [Axis; 3],
    pub position: DVec3,
    pub orientation: [f64; 3],
}

/// A `begin … end` block before units are known.
#[derive(Default)]
pub(super) struct RawBone {
    begin: usize,
    name: Option<(Vec<u8>, usize)>,
    direction: Option<(DVec3, usize)>,
    length: Option<(f64, usize)>,
    axis: Option<([f64; 3], [Axis; 3])>,
    dof: ArrayVec<Dof, 7>,
    limits: Vec<(f64, f64)>,
    limits_at: usize,
}

impl RawBone {
    /// Applies the file's angle unit; `first_column` is where the bone's values start in a frame.
    pub fn into_bone(self, angle: AngleUnit, first_column: usize) -> Bone {
        let (raw_name, name_offset) = self.name.unwrap_or_default();
        let (axis_angles, order) = self.axis.unwrap_or(([0.0; 3], Axis::ALL));
        let dof = self.dof;
        let to_deg = |(slot, (low, high)): (usize, &(f64, f64))| match dof.get(slot) {
            Some(dof) if dof.is_rotation() => (angle.to_deg(*low), angle.to_deg(*high)),
            _ => (*low, *high),
        };
        Bone {
            name: String::from_utf8_lossy(&raw_name).into_owned(),
            raw_name,
            name_offset,
            direction: self.direction.map_or(DVec3::ZERO, |(direction, _)| direction),
            length: self.length.map_or(0.0, |(length, _)| length),
            axis_frame: fixed_axes_rotation(order, axis_angles.map(|value| angle.to_deg(value))),
            limits: self.limits.iter().enumerate().map(to_deg).collect(),
            parent: None,
            columns: first_column..first_column + dof.len(),
            dof,
        }
    }
}

/// Fields of `:root`; stops before the next section.
pub(super) fn root<'a>(
    lexer: &mut Lexer<'a>,
    bytes: &'a [u8],
    options: &ReadOptions,
) -> Result<RawRoot, Box<Diagnostic>> {
    let mut fields = Fields { lexer, bytes, options };
    let mut order = None;
    let mut root = RawRoot { order: ArrayVec::new(), axis: Axis::ALL, position: DVec3::ZERO, orientation: [0.0; 3] };
    while let Some(token) = fields.lexer.peek().filter(|token| !token.text.starts_with(b":")) {
        fields.lexer.next();
        if lex::is_keyword(token.text, "order") {
            let dofs = fields.dofs()?;
            if dofs.contains(&Dof::Length) {
                let found = Diagnostic::error("ASF-E013", "translations and rotations in the root's `order`", "`l`");
                return Err(Box::new(found.at(bytes, token.offset)));
            }
            order = Some(dofs);
        } else if lex::is_keyword(token.text, "axis") {
            root.axis = fields.axis_letters(token.offset)?;
        } else if lex::is_keyword(token.text, "position") {
            root.position = DVec3::from(fields.numbers::<3>(token.offset)?);
        } else if lex::is_keyword(token.text, "orientation") {
            root.orientation = fields.numbers::<3>(token.offset)?;
        } else {
            return Err(fields.unexpected("`order`, `axis`, `position`, `orientation` or a section", Some(token)));
        }
    }
    root.order = order.ok_or_else(|| fields.unexpected("`order` in the `:root` section", fields.lexer.peek()))?;
    Ok(root)
}

/// Blocks of `:bonedata`; stops before the next section.
pub(super) fn bones<'a>(
    lexer: &mut Lexer<'a>,
    bytes: &'a [u8],
    options: &ReadOptions,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<RawBone>, Box<Diagnostic>> {
    let mut bones = Vec::new();
    let mut fields = Fields { lexer, bytes, options };
    while let Some(token) = fields.lexer.peek().filter(|token| !token.text.starts_with(b":")) {
        fields.lexer.next();
        if !lex::is_keyword(token.text, "begin") {
            return Err(fields.unexpected("`begin` of a bone, or a section", Some(token)));
        }
        // The root is a joint too.
        if bones.len() + 1 >= options.limits.joints {
            let expected = format!("at most {} bones", options.limits.joints);
            return Err(Box::new(Diagnostic::error("ASF-E018", expected, "more").at(bytes, token.offset)));
        }
        let bone = fields.bone(token.offset, notes)?;
        fields.check(&bone, notes)?;
        bones.push(bone);
    }
    Ok(bones)
}

/// Words that end a list of degrees of freedom even on its own line.
const FIELDS: [&str; 12] = [
    "id",
    "name",
    "direction",
    "length",
    "axis",
    "limits",
    "bodymass",
    "cofmass",
    "end",
    "order",
    "position",
    "orientation",
];

/// Reads the values after a field's name.
struct Fields<'l, 'a> {
    lexer: &'l mut Lexer<'a>,
    bytes: &'a [u8],
    options: &'l ReadOptions,
}

impl<'a> Fields<'_, 'a> {
    fn bone(&mut self, begin: usize, notes: &mut Vec<Diagnostic>) -> Result<RawBone, Box<Diagnostic>> {
        let mut bone = RawBone { begin, ..RawBone::default() };
        loop {
            let Some(token) = self.lexer.next().filter(|token| !token.text.starts_with(b":")) else {
                let found = Diagnostic::error("ASF-E009", "`end` of this bone", "no `end`").at(self.bytes, begin);
                return Err(Box::new(found));
            };
            let keyword = |word| lex::is_keyword(token.text, word);
            if keyword("end") {
                return Ok(bone);
            } else if keyword("name") {
                bone.name = Some(self.name()?);
            } else if keyword("direction") {
                bone.direction = Some((DVec3::from(self.numbers::<3>(token.offset)?), token.offset));
            } else if keyword("length") {
                let [length] = self.numbers::<1>(token.offset)?;
                bone.length = Some((length, token.offset));
            } else if keyword("axis") {
                bone.axis = Some(self.axis(token.offset, notes)?);
            } else if keyword("dof") {
                bone.dof = self.dofs()?;
            } else if keyword("limits") {
                bone.limits_at = token.offset;
                bone.limits = self.limits()?;
            } else if keyword("id") || keyword("bodymass") || keyword("cofmass") {
                self.skip_numbers();
            } else {
                let found = Diagnostic::warning("ASF-W004", "a known field of a bone", shown(token.text));
                lex::tolerate(self.options.mode, found, self.bytes, token.offset, notes)?;
                self.lexer.skip_line();
            }
        }
    }

    fn name(&mut self) -> Result<(Vec<u8>, usize), Box<Diagnostic>> {
        let token = self.lexer.next().filter(|token| !token.starts_line);
        let token = token.ok_or_else(|| self.unexpected("a bone's name", self.lexer.peek()))?;
        if token.text.len() > self.options.limits.name_bytes {
            let expected = format!("a name of at most {} bytes", self.options.limits.name_bytes);
            return Err(Box::new(
                Diagnostic::error("ASF-E018", expected, shown(token.text)).at(self.bytes, token.offset),
            ));
        }
        Ok((token.text.to_vec(), token.offset))
    }

    /// `a b c XYZ`; a missing order is taken as XYZ, the only one seen in the wild.
    fn axis(&mut self, field: usize, notes: &mut Vec<Diagnostic>) -> Result<([f64; 3], [Axis; 3]), Box<Diagnostic>> {
        let angles = self.numbers::<3>(field)?;
        match self.lexer.peek().filter(|token| !token.starts_line) {
            Some(_) => Ok((angles, self.axis_letters(field)?)),
            None => {
                let found =
                    Diagnostic::warning("ASF-W006", "an order such as `XYZ` after `axis`", "none; XYZ is assumed");
                lex::tolerate(self.options.mode, found, self.bytes, field, notes)?;
                Ok((angles, Axis::ALL))
            }
        }
    }

    fn axis_letters(&mut self, field: usize) -> Result<[Axis; 3], Box<Diagnostic>> {
        let token = self.lexer.next();
        token.and_then(|token| axis_order(token.text)).ok_or_else(|| {
            let (found, offset) = token.map_or((String::from("nothing"), field), |t| (shown(t.text), t.offset));
            let expected = "an order with each of X, Y, Z once";
            Box::new(Diagnostic::error("ASF-E012", expected, found).at(self.bytes, offset))
        })
    }

    fn numbers<const N: usize>(&mut self, field: usize) -> Result<[f64; N], Box<Diagnostic>> {
        let mut values = [0.0; N];
        for value in &mut values {
            let token = self.lexer.next();
            let found = token.map_or(String::from("the end of the file"), |token| shown(token.text));
            let offset = token.map_or(field, |token| token.offset);
            let bad =
                |expected: String| Box::new(Diagnostic::error("ASF-E005", expected, found).at(self.bytes, offset));
            match token {
                Some(token) if token.text.len() > self.options.limits.token_bytes => {
                    let expected = format!("a number of at most {} bytes", self.options.limits.token_bytes);
                    return Err(bad(expected));
                }
                Some(token) => match lex::number(token.text, self.options.limits.token_bytes) {
                    Number::Finite(number) => *value = number,
                    _ => return Err(bad(format!("{N} finite numbers"))),
                },
                None => return Err(bad(format!("{N} finite numbers"))),
            }
        }
        Ok(values)
    }

    /// Degrees of freedom up to the first word that is none; at least one, none twice.
    fn dofs(&mut self) -> Result<ArrayVec<Dof, 7>, Box<Diagnostic>> {
        let mut list: ArrayVec<Dof, 7> = ArrayVec::new();
        while let Some(token) = self.lexer.peek() {
            let Some(dof) = Dof::from_token(token.text) else {
                let is_field = FIELDS.iter().any(|field| lex::is_keyword(token.text, field));
                if token.starts_line || is_field || token.text.starts_with(b":") {
                    break;
                }
                return Err(self.bad_dof(token));
            };
            if list.contains(&dof) || list.try_push(dof).is_err() {
                return Err(self.bad_dof(token));
            }
            self.lexer.next();
        }
        Ok(list)
    }

    fn skip_numbers(&mut self) {
        let longest = self.options.limits.token_bytes;
        while self.lexer.peek().is_some_and(|token| lex::number(token.text, longest) != Number::Junk) {
            self.lexer.next();
        }
    }

    fn bad_dof(&self, token: Token) -> Box<Diagnostic> {
        let expected = "each of rx, ry, rz, tx, ty, tz, l at most once";
        Box::new(Diagnostic::error("ASF-E013", expected, shown(token.text)).at(self.bytes, token.offset))
    }

    /// Pairs of numbers up to the first word that is none.
    fn limits(&mut self) -> Result<Vec<(f64, f64)>, Box<Diagnostic>> {
        let mut values = Vec::new();
        while let Some(token) = self.lexer.peek() {
            let Some(value) = lex::limit(token.text, self.options.limits.token_bytes) else { break };
            self.lexer.next();
            // One pair a degree of freedom; more pairs than there can be are still counted, not kept without end.
            if values.len() >= self.options.limits.channels_per_joint.saturating_mul(2) {
                let expected = format!("at most {} limits", self.options.limits.channels_per_joint);
                return Err(Box::new(
                    Diagnostic::error("ASF-E018", expected, shown(token.text)).at(self.bytes, token.offset),
                ));
            }
            values.push(value);
        }
        if values.len() % 2 == 1 {
            return Err(self.unexpected("limits in pairs", self.lexer.peek()));
        }
        Ok(values.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
    }

    fn check(&self, bone: &RawBone, notes: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        let missing = |field: &str| {
            let found = format!("a bone without `{field}`");
            Box::new(Diagnostic::error("ASF-E009", format!("`{field}`"), found).at(self.bytes, bone.begin))
        };
        let (name, _) = bone.name.as_ref().ok_or_else(|| missing("name"))?;
        let (direction, direction_at) = bone.direction.ok_or_else(|| missing("direction"))?;
        let (length, length_at) = bone.length.ok_or_else(|| missing("length"))?;
        let name = shown(name);
        if length < 0.0 || !(direction * length).is_finite() {
            let found = Diagnostic::error("ASF-E011", "a length of zero or more", format!("{length} for bone {name}"));
            return Err(Box::new(found.at(self.bytes, length_at)));
        }
        if length > 0.0 && direction == DVec3::ZERO {
            let found = format!("direction 0 0 0 with length {length} for bone {name}");
            let found = Diagnostic::error("ASF-E011", "a direction other than zero", found);
            return Err(Box::new(found.at(self.bytes, direction_at)));
        }
        let mode = self.options.mode;
        // Six printed digits leave a unit vector within 1e-6 of unit length; 1e-3 is another convention.
        if length > 0.0 && (direction.length() - 1.0).abs() > 1e-3 {
            let found = format!("length {:.6} for bone {name}; used as it stands", direction.length());
            let found = Diagnostic::warning("ASF-W005", "a direction of unit length", found);
            lex::tolerate(mode, found, self.bytes, direction_at, notes)?;
        }
        if bone.axis.is_none() {
            let found = format!("none for bone {name}; 0 0 0 is assumed");
            let found = Diagnostic::warning("ASF-W006", "`axis`", found);
            lex::tolerate(mode, found, self.bytes, bone.begin, notes)?;
        }
        if bone.limits_at > 0 && bone.limits.len() != bone.dof.len() {
            let expected = format!("{} limits, one a degree of freedom", bone.dof.len());
            let found = format!("{} for bone {name}", bone.limits.len());
            let found = Diagnostic::warning("ASF-W007", expected, found);
            lex::tolerate(mode, found, self.bytes, bone.limits_at, notes)?;
        }
        if let Some((low, high)) = bone.limits.iter().find(|(low, high)| low > high) {
            let found = format!("({low} {high}) for bone {name}");
            let found = Diagnostic::warning("ASF-W008", "limits with the lower one first", found);
            lex::tolerate(mode, found, self.bytes, bone.limits_at, notes)?;
        }
        Ok(())
    }

    fn unexpected(&self, expected: &str, token: Option<Token>) -> Box<Diagnostic> {
        let found = token.map_or(String::from("the end of the file"), |token| shown(token.text));
        let offset = token.map_or(self.lexer.offset(), |token| token.offset);
        Box::new(Diagnostic::error("ASF-E004", expected, found).at(self.bytes, offset))
    }
}
