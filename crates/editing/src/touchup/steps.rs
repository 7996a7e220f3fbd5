//! The list of steps: which parts of the body correct what, how fast, and how much of it. It is data, not code.

use crate::EditingError;
use crate::body_root::BodyRoot;
use aplomb_motion::{JointId, Role, Roles, Side, Skeleton};
use serde::{Deserialize, Serialize};

/// What a step corrects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The zero-moment point of carried frames.
    Ground,
    /// Angular momentum and the parabola of flights.
    Flight,
}

/// One step, carried out `repeat` times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Ground or flight.
    pub stage: Stage,
    /// S2: what turns. `lower_body`, `upper_body`, `everything`, `arms`, `left_arm`, `right_arm`, a role
    /// (`left_upper_arm`, `spine_1`) or a joint's own name; roles and joints stand for everything below them.
    pub s2: Vec<String>,
    /// S3: what is carried along and keeps its direction in the world. Ground steps only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub s3: Vec<String>,
    /// Width of the filter over the corrections of ground steps, ±3σ, s: slow for a lean, fast for a sway. Flight steps
    /// need none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub width_secs: f64,
    /// Share of the correction that is made at once.
    #[serde(default = "one")]
    pub rho: f64,
    /// How often.
    #[serde(default = "once")]
    pub repeat: usize,
}

fn one() -> f64 {
    1.0
}

fn once() -> usize {
    1
}

// Serde asks for a reference here.
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

/// A step list as a file holds it: `[[step]]` tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepList {
    /// In the order in which they are carried out.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// More repetitions than this are a typing error.
const MOST_REPEATS: usize = 1000;

impl StepList {
    /// Reads TOML.
    pub fn from_toml(text: &str) -> Result<Self, EditingError> {
        toml::from_str(text).map_err(|error| EditingError::StepList { detail: error.to_string() })
    }

    /// As TOML.
    pub fn to_toml(&self) -> Result<String, EditingError> {
        toml::to_string(self).map_err(|error| EditingError::StepList { detail: error.to_string() })
    }

    /// The paper's three ground steps (section 4.1), and flights spread over the whole clip between them where there
    /// are any: S G S g S. Turns are made slow by what they do to the zero-moment point (`turn_over_time`), so their
    /// filters only take noise away, and almost all of a correction can be made at once; the paper's are 1.3, 0.7 and
    /// 0.3 s wide and take a half, 0.3 and 0.2.
    pub fn usual(has_flights: bool) -> Self {
        let ground = |s2: &str, s3: &[&str], repeat: usize| Step {
            stage: Stage::Ground,
            s2: vec![s2.to_owned()],
            s3: s3.iter().map(|name| (*name).to_owned()).collect(),
            width_secs: 0.05,
            rho: 0.9,
            repeat,
        };
        let grounds = |repeats: [usize; 3]| {
            [
                ground("lower_body", &["upper_body"], repeats[0]),
                ground("upper_body", &[], repeats[1]),
                ground("arms", &[], repeats[2]),
            ]
        };
        let flight = Step {
            stage: Stage::Flight,
            s2: vec!["everything".to_owned()],
            s3: Vec::new(),
            width_secs: 0.0,
            rho: 1.0,
            repeat: 3,
        };
        if !has_flights {
            return Self { steps: grounds([5, 5, 2]).to_vec() };
        }
        let mut steps = vec![flight.clone()];
        steps.extend(grounds([5, 5, 2]));
        steps.push(flight.clone());
        steps.extend(grounds([2, 2, 2]));
        steps.push(flight);
        Self { steps }
    }

    /// The steps that a body has the parts for: without arms, arms balance nothing.
    pub fn for_body(mut self, roles: &Roles) -> Self {
        let has_arms = Side::BOTH.into_iter().any(|side| roles.joint(Role::UpperArm(side)).is_some());
        self.steps.retain(|step| has_arms || step.s2 != ["arms"]);
        self
    }
}

/// A part of S2: a subtree, or the whole body but for some subtrees.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Region {
    /// Top of the subtree; the body's root for the whole body.
    pub joint: JointId,
    pub is_whole: bool,
}

/// A step that was understood.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Compiled {
    pub name: String,
    pub stage: Stage,
    pub regions: Vec<Region>,
    /// Tops of S3.
    pub carried: Vec<JointId>,
    /// Tops of subtrees of a whole body that stay where they are.
    pub fixed: Vec<JointId>,
    pub width_secs: f64,
    pub rho: f64,
    pub repeat: usize,
}

/// What becomes of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// S1.
    Fixed,
    /// S2, with the index of its region.
    Turned(usize),
    /// S3, with the index of its top.
    Carried(usize),
}

impl Compiled {
    /// Which set a joint belongs to.
    pub fn set_of(&self, skeleton: &Skeleton, joint: JointId) -> Set {
        let below = |top: JointId| skeleton.is_in_subtree(joint, top);
        if let Some(top) = self.carried.iter().position(|&top| below(top)) {
            return Set::Carried(top);
        }
        if self.fixed.iter().any(|&top| below(top)) {
            return Set::Fixed;
        }
        self.regions.iter().position(|region| below(region.joint)).map_or(Set::Fixed, Set::Turned)
    }
}

/// Understands and checks a list for a skeleton.
pub(super) fn compile(
    list: &StepList,
    skeleton: &Skeleton,
    roles: &Roles,
    root: &BodyRoot,
) -> Result<Vec<Compiled>, EditingError> {
    if list.steps.is_empty() {
        return Err(EditingError::StepList { detail: "it has no [[step]]".to_owned() });
    }
    let compiler = Compiler { skeleton, roles, root };
    list.steps.iter().enumerate().map(|(index, step)| compiler.step(index, step)).collect()
}

struct Compiler<'a> {
    skeleton: &'a Skeleton,
    roles: &'a Roles,
    root: &'a BodyRoot,
}

impl Compiler<'_> {
    fn step(&self, index: usize, step: &Step) -> Result<Compiled, EditingError> {
        let name = format!("{} {}", if step.stage == Stage::Ground { "ground" } else { "flight" }, step.s2.join(" + "));
        let wrong = |problem: String| EditingError::Step { step: index + 1, name: name.clone(), problem };
        if !(step.rho > 0.0 && step.rho <= 1.0) {
            return Err(wrong(format!("rho must be above 0 and at most 1, found {}", step.rho)));
        }
        if !(0.0..=60.0).contains(&step.width_secs) {
            return Err(wrong(format!("width_secs must be 0 to 60 s, found {}", step.width_secs)));
        }
        if step.repeat == 0 || step.repeat > MOST_REPEATS {
            return Err(wrong(format!("repeat must be 1 to {MOST_REPEATS}, found {}", step.repeat)));
        }
        if step.s2.is_empty() {
            return Err(wrong("s2 names nothing that could turn".to_owned()));
        }
        if step.stage == Stage::Flight && !step.s3.is_empty() {
            return Err(wrong("flight steps have no s3: what does not turn stays".to_owned()));
        }
        let mut regions: Vec<Region> = Vec::new();
        let mut fixed = Vec::new();
        for part in &step.s2 {
            match part.as_str() {
                "everything" => regions.push(Region { joint: self.root.joint, is_whole: true }),
                "lower_body" => {
                    regions.push(Region { joint: self.root.joint, is_whole: true });
                    fixed.push(self.upper_body().map_err(&wrong)?);
                }
                _ => regions.extend(
                    self.tops(part).map_err(&wrong)?.into_iter().map(|joint| Region { joint, is_whole: false }),
                ),
            }
        }
        let mut carried = Vec::new();
        for part in &step.s3 {
            carried.extend(self.tops(part).map_err(&wrong)?);
        }
        fixed.retain(|top| !carried.contains(top));
        let title = |joint: JointId| self.skeleton.joint(joint).name.clone();
        for (position, region) in regions.iter().enumerate() {
            let others =
                regions.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, other)| other.joint);
            if let Some(other) = others.into_iter().find(|&other| self.skeleton.is_in_subtree(region.joint, other)) {
                let problem = format!("{:?} and {:?} of s2 overlap", title(region.joint), title(other));
                return Err(wrong(problem));
            }
        }
        for (position, &top) in carried.iter().enumerate() {
            let inside =
                regions.iter().any(|region| region.joint != top && self.skeleton.is_in_subtree(top, region.joint));
            if !inside {
                return Err(wrong(format!("{:?} of s3 does not hang on s2, so nothing would carry it", title(top))));
            }
            let mut others = carried.iter().enumerate().filter(|(other, _)| *other != position);
            if let Some((_, &other)) = others.find(|(_, other)| self.skeleton.is_in_subtree(top, **other)) {
                return Err(wrong(format!("{:?} and {:?} of s3 overlap", title(top), title(other))));
            }
        }
        if step.stage == Stage::Ground && !fixed.is_empty() {
            return Err(wrong(
                "the lower body cannot tilt under an upper body that stays: add upper_body to s3".to_owned(),
            ));
        }
        let (stage, width_secs, rho, repeat) = (step.stage, step.width_secs, step.rho, step.repeat);
        Ok(Compiled { name: name.clone(), stage, regions, carried, fixed, width_secs, rho, repeat })
    }

    fn upper_body(&self) -> Result<JointId, String> {
        let spine = self.roles.joint(Role::Spine(0)).or_else(|| self.roles.spine_chain().get(1).copied());
        let below = |joint: &JointId| *joint != self.root.joint && self.skeleton.is_in_subtree(*joint, self.root.joint);
        spine.filter(below).ok_or_else(|| {
            "the skeleton has no spine that would part upper from lower body; name its joints in a roles file, or name joints here"
                .to_owned()
        })
    }

    fn arm(&self, side: Side) -> Result<JointId, String> {
        let role = Role::UpperArm(side);
        let missing = || format!("no joint is recognised as {role}; name it in a roles file, or name joints here");
        self.roles.joint(role).ok_or_else(missing)
    }

    /// Those that are there; at least one.
    fn arms(&self) -> Result<Vec<JointId>, String> {
        let arms: Vec<JointId> = Side::BOTH.into_iter().filter_map(|side| self.arm(side).ok()).collect();
        if arms.is_empty() { self.arm(Side::Left).map(|arm| vec![arm]) } else { Ok(arms) }
    }

    fn tops(&self, part: &str) -> Result<Vec<JointId>, String> {
        match part {
            "upper_body" => return Ok(vec![self.upper_body()?]),
            "arms" => return self.arms(),
            "left_arm" => return Ok(vec![self.arm(Side::Left)?]),
            "right_arm" => return Ok(vec![self.arm(Side::Right)?]),
            _ => {}
        }
        let by_role = part.parse::<Role>().ok().and_then(|role| self.roles.joint(role));
        match by_role.or_else(|| self.skeleton.find(part)) {
            Some(joint) => Ok(vec![joint]),
            None => Err(format!(
                "there is no joint, role or group {part:?}; groups are lower_body, upper_body, everything, arms, left_arm, right_arm"
            )),
        }
    }
}
