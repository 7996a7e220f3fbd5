//! What a touch-up starts from: what has to be mended, where feet stand, and which steps that takes.

use super::dead_zones::{DeadZones, Needs};
use super::flight_labels;
use super::observed_motion::ObservedMotion;
use super::steps::{Compiled, compile};
use super::{StepList, TouchupOptions, frames_of};
use crate::EditingError;
use crate::body_root::BodyRoot;
use crate::finding::Finding;
use crate::footplant::{FootPlan, PlantOptions, planting_contacts};
use aplomb_analysis::Take;
use aplomb_motion::Clip;
use std::ops::Range;

pub(super) struct Start {
    pub motion: ObservedMotion,
    pub plan: FootPlan,
    pub needs: Needs,
    /// Flights that fall as they should.
    pub right: Vec<Range<usize>>,
    pub steps: Vec<Compiled>,
    /// As they were given; with the least margin where only a part is mended: that is there to be within the accuracy
    /// again.
    pub options: TouchupOptions,
    pub findings: Vec<Finding>,
}

impl Start {
    /// `clip`: the motion of the take, or a copy without its jumps.
    pub fn of(take: &Take, clip: &Clip, options: &TouchupOptions) -> Result<Self, EditingError> {
        let (roles, body, contacts) = (take.roles(), take.body()?, planting_contacts(take)?);
        let frames = frames_of(clip, contacts, options)?;
        let root = BodyRoot::of(clip, roles).ok_or(EditingError::NoContact { verb: "balance" })?;
        // Doubtful and short flights stay as they are, but any flight needs the longer list.
        let list = |has_flights: bool| StepList::usual(has_flights).for_body(roles);
        let usual = |has_flights: bool| options.steps.clone().unwrap_or_else(|| list(has_flights));
        let mut steps = compile(&usual(!contacts.flights.is_empty()), clip.skeleton(), roles, &root)?;
        let mut motion = ObservedMotion::new(clip, body, contacts, (frames, root.joint), &steps, options)?;
        motion.look(clip, options.margin, true);
        motion.accelerate()?;
        let findings = flight_labels::check(&mut motion);
        let plan_of = |plant: &PlantOptions| FootPlan::new(clip, roles, contacts, plant);
        let plant = options.plant.for_contacts_of(take);
        // Steps that are stated are for everything.
        let Some(zones) = options.dead_zones.as_ref().filter(|_| options.steps.is_none()) else {
            let mut plan = plan_of(&plant)?;
            plan.frames = motion.frames.clone();
            let (needs, right, options) = (Needs::everything(), Vec::new(), options.clone());
            return Ok(Self { motion, plan, needs, right, steps, options, findings });
        };
        let is_known = options.was_edited || take.inherited_contacts().is_some();
        let (mut needs, mut right) = needs_of(&motion, is_known, zones)?;
        let mut plan = plan_of(&match needs.everything {
            true => plant,
            false => PlantOptions { still_m: plant.still_m.max(zones.drift_m), ..plant },
        })?;
        if !needs.everything && is_known && Needs::slides(&plan, zones) {
            (needs, right) = (Needs::everything(), Vec::new());
            plan = plan_of(&plant)?;
        } else if !needs.everything && Needs::slides_one_way(&plan, zones) {
            plan = plan_of(&plant)?;
        }
        needs.add_stances(&plan);
        let mut options = options.clone();
        if !needs.everything {
            options.margin = 0.0;
            needs.confine(&mut motion.frames);
            motion.counts.clone_from(&needs.balance);
            motion.flights.clone_from(&needs.flights);
            steps = compile(&usual(!needs.flights.is_empty()), clip.skeleton(), roles, &root)?;
        }
        plan.frames = motion.frames.clone();
        Ok(Self { motion, plan, needs, right, steps, options, findings })
    }
}

/// What has to be mended, and the flights that fall as they should.
fn needs_of(
    motion: &ObservedMotion,
    is_known: bool,
    zones: &DeadZones,
) -> Result<(Needs, Vec<Range<usize>>), EditingError> {
    let is_right = |flight: &Range<usize>| flight_labels::off_m(motion, flight) <= zones.fall_m;
    let (right, wrong) = motion.flights.iter().cloned().partition(is_right);
    let needs = Needs::of(motion, zones, is_known, wrong)?;
    let right = if needs.everything { Vec::new() } else { right };
    Ok((needs, right))
}
