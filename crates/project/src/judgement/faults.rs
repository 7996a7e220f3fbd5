//! Which code a fault has, and the values that its sentence needs.

use crate::codes;
use aplomb_analysis::report::{Fault, Moment};
use aplomb_editing::finding::{Code, Finding};

/// The stable code of a fault: programs go by it, people by its sentence.
pub fn code_of(fault: Fault) -> Code {
    match fault {
        Fault::SupportMissing => codes::SUPPORT_MISSING,
        Fault::FootSlides => codes::FOOT_SLIDES,
        Fault::FallWrong => codes::FALL_WRONG,
        Fault::BodyTrembles => codes::BODY_TREMBLES,
        Fault::BodyJumps => codes::BODY_JUMPS,
        Fault::FrictionHigh => codes::FRICTION_HIGH,
        Fault::FloorOff => codes::FLOOR_OFF,
        Fault::FootHovers => codes::FOOT_HOVERS,
        Fault::KneeBackward => codes::KNEE_BACKWARD,
        Fault::KneeFolds => codes::KNEE_FOLDS,
        Fault::KneeSideways => codes::KNEE_SIDEWAYS,
        Fault::FootTurned => codes::FOOT_TURNED,
        Fault::FootFolded => codes::FOOT_FOLDED,
        Fault::ElbowBackward => codes::ELBOW_BACKWARD,
        Fault::ElbowFolds => codes::ELBOW_FOLDS,
        Fault::SpineBent => codes::SPINE_BENT,
        Fault::NeckBent => codes::NECK_BENT,
        Fault::TrunkTurned => codes::TRUNK_TURNED,
        Fault::TrunkBent => codes::TRUNK_BENT,
        Fault::HeadTurned => codes::HEAD_TURNED,
        Fault::HeadBent => codes::HEAD_BENT,
        Fault::HipBackward => codes::HIP_BACKWARD,
        Fault::HipForward => codes::HIP_FORWARD,
        Fault::HipOutward => codes::HIP_OUTWARD,
        Fault::HipInward => codes::HIP_INWARD,
        Fault::PlantedFootTurned => codes::PLANTED_FOOT_TURNED,
        Fault::TurnsTooFast => codes::TURNS_TOO_FAST,
        Fault::TurnPops => codes::TURN_POPS,
        Fault::PlacePops => codes::PLACE_POPS,
        Fault::Flipped => codes::FLIPPED,
        Fault::Frozen => codes::FROZEN_POSE,
        Fault::UnderFloor => codes::UNDER_FLOOR,
        Fault::FeetFloat => codes::FEET_FLOAT,
        Fault::CommonDrift => codes::COMMON_DRIFT,
        Fault::LimbInLimb => codes::LIMB_IN_LIMB,
        Fault::RateWrong => codes::RATE_WRONG,
        Fault::UnitWrong => codes::UNIT_WRONG,
        Fault::RateDisputed => codes::RATE_DISPUTED,
        Fault::Dropout => codes::DROPOUT,
        Fault::LabelsFlicker => codes::LABELS_FLICKER,
    }
}

/// Whether the fault is of the whole clip, so that no time says where it is.
pub fn is_of_whole_clip(fault: Fault) -> bool {
    !code_of(fault).values.contains(&"secs")
}

/// A moment as a finding, which the apps have a sentence for.
pub fn finding_of(moment: &Moment) -> Finding {
    let code = code_of(moment.fault);
    let mut finding = Finding::of(code);
    for &name in code.values {
        finding = match name {
            // A fault of the whole body names no joint, and its sentence goes without.
            "joint" => match &moment.joint {
                Some(joint) => finding.joint(joint.as_str()),
                None => finding,
            },
            "other" => finding.value(name, moment.other.as_deref().unwrap_or_default()),
            "secs" => finding.value(name, moment.secs),
            "allowance" => finding.value(name, moment.allowance),
            "beyond_deg" => finding.value(name, (moment.size - moment.allowance).max(0.0)),
            // The size in the unit that the name ends with, which is [`Fault::unit`].
            _ => finding.value(name, moment.size),
        };
    }
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use aplomb_analysis::report::Aspect;

    const ALL: [Fault; 40] = [
        Fault::SupportMissing,
        Fault::FootSlides,
        Fault::FallWrong,
        Fault::BodyTrembles,
        Fault::BodyJumps,
        Fault::FrictionHigh,
        Fault::FloorOff,
        Fault::FootHovers,
        Fault::KneeBackward,
        Fault::KneeFolds,
        Fault::KneeSideways,
        Fault::FootTurned,
        Fault::FootFolded,
        Fault::ElbowBackward,
        Fault::ElbowFolds,
        Fault::SpineBent,
        Fault::NeckBent,
        Fault::TrunkTurned,
        Fault::TrunkBent,
        Fault::HeadTurned,
        Fault::HeadBent,
        Fault::HipBackward,
        Fault::HipForward,
        Fault::HipOutward,
        Fault::HipInward,
        Fault::PlantedFootTurned,
        Fault::TurnsTooFast,
        Fault::TurnPops,
        Fault::PlacePops,
        Fault::Flipped,
        Fault::Frozen,
        Fault::UnderFloor,
        Fault::FeetFloat,
        Fault::CommonDrift,
        Fault::LimbInLimb,
        Fault::RateWrong,
        Fault::UnitWrong,
        Fault::RateDisputed,
        Fault::Dropout,
        Fault::LabelsFlicker,
    ];

    #[test]
    fn every_fault_has_a_code_of_its_aspect_and_a_size_in_its_unit() {
        let mut ids = std::collections::BTreeSet::new();
        for fault in ALL {
            let code = code_of(fault);
            assert!(ids.insert(code.id), "{} stands for two faults", code.id);
            let prefix = match fault.aspect() {
                Aspect::Physics => "PHY-W",
                Aspect::Body => "BDY-W",
                Aspect::Recording => "REC-W",
            };
            assert!(code.id.starts_with(prefix), "{fault:?} is {}", code.id);
            let named = match fault.unit() {
                "m" => "size_m",
                "mm" => "size_mm",
                "mm/s" => "size_mm_per_sec",
                "m/s" => "size_m_per_sec",
                "g" => "size_g",
                "s" => "size_secs",
                "°/s" => "size_deg_per_sec",
                "1/s" => "size_per_sec",
                "1" => {
                    if fault == Fault::FrictionHigh {
                        "size"
                    } else {
                        "factor"
                    }
                }
                "°" if code.values.contains(&"size_deg") => "size_deg",
                _ => "beyond_deg",
            };
            assert!(code.values.contains(&named), "{}: {:?} without {named}", code.id, code.values);
        }
    }
}
