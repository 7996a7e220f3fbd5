//! What is said of a moment at which something is wrong: what and when first, then where and how much.

use aplomb_analysis::report::{Fault, Moment};
use aplomb_project::judgement::finding_of;
use aplomb_words::sentence;

fn said(fault: Fault, joint: Option<&str>, size: f64, allowance: f64) -> String {
    let moment = Moment {
        fault,
        joint: joint.map(str::to_owned),
        other: (fault == Fault::LimbInLimb).then(|| "RightUpLeg".to_owned()),
        start_secs: 3.1,
        end_secs: 3.4,
        secs: 3.28,
        size,
        allowance,
        cost: 1.0,
    };
    sentence(&finding_of(&moment))
}

#[test]
fn moments_say_what_when_where_and_how_much() {
    let sentences = [
        (Fault::FootTurned, "LeftFoot", 146.0, 85.0, "a foot turns past its range at 3.28 s: LeftFoot, 61° beyond"),
        (
            Fault::FootSlides,
            "left_ball",
            0.061,
            0.02,
            "a standing foot slides at 3.28 s: left ball of the foot, 6.1 cm",
        ),
        (Fault::PlacePops, "RightHand", 192.4, 60.0, "a joint jumps at 3.28 s: RightHand, 192 mm off its way"),
        (
            Fault::LimbInLimb,
            "left_hand",
            0.13,
            0.1,
            "limbs are inside each other at 3.28 s: left hand and RightUpLeg, 13 cm",
        ),
        (Fault::FallWrong, "", 0.31, 0.05, "a flight falls wrongly at 3.28 s: 31 % off the pull of gravity"),
        (Fault::RateWrong, "", 4.0, 1.0, "the frame rate is wrong: gravity asks for 4.00 times the file's"),
    ];
    for (fault, joint, size, allowance, expected) in sentences {
        assert_eq!(said(fault, Some(joint).filter(|joint| !joint.is_empty()), size, allowance), expected);
    }
}

#[test]
fn a_moment_of_no_joint_leaves_no_hole() {
    let faults = [
        Fault::TrunkTurned,
        Fault::TurnPops,
        Fault::FootSlides,
        Fault::Dropout,
        Fault::LabelsFlicker,
        Fault::LimbInLimb,
    ];
    for fault in faults {
        let text = said(fault, None, 90.0, 55.0);
        assert!(!text.contains('{') && !text.contains(", ,") && !text.contains(": ,"), "{text}");
    }
    assert_eq!(said(Fault::TrunkTurned, None, 90.0, 55.0), "the chest turns past its range at 3.28 s: 35° beyond");
}
