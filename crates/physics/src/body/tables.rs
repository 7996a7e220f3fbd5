//! Published segment parameters. `docs/physics/body.md` repeats them with their sources.

use super::solid::Radii;
use serde::{Deserialize, Serialize};

/// Which published table gives masses, centres and radii. Tables are never mixed: their cutting planes differ (a thigh
/// is 14 % of the body for de Leva and 10 % for Dempster).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MassTable {
    /// de Leva 1996, mean of both sexes.
    #[default]
    DeLeva,
    /// de Leva 1996, male.
    DeLevaMale,
    /// de Leva 1996, female.
    DeLevaFemale,
    /// Dempster 1955, as printed in Winter.
    Winter,
}

impl MassTable {
    /// For people.
    pub const fn title(self) -> &'static str {
        match self {
            MassTable::DeLeva => "de Leva 1996, mean of both sexes",
            MassTable::DeLevaMale => "de Leva 1996, male",
            MassTable::DeLevaFemale => "de Leva 1996, female",
            MassTable::Winter => "Dempster via Winter",
        }
    }
}

/// How a segment resists turning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spin {
    /// All three radii of gyration over the length.
    Tabled(Radii),
    /// Only that about axes across; along it the segment is a cylinder of water.
    Across(f64),
    /// Nothing: a cylinder of water.
    Cylinder,
}

/// One segment: share of the body's mass, where along the segment the centre lies, and its radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub mass: f64,
    /// From the first endpoint named in [`Segments`], over the length.
    pub com: f64,
    pub spin: Spin,
}

/// What the foot's length means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FootSpan {
    /// Back of the heel to the tip of the toes.
    HeelToTip,
    /// Ankle to the ball (second metatarsal head).
    AnkleToBall,
}

/// A whole body. Endpoints, first to second, are beside each segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segments {
    /// Vertex – C7.
    pub head: Segment,
    /// C7 – `chest_level`.
    pub upper_trunk: Segment,
    /// `chest_level` – `waist_level`.
    pub middle_trunk: Segment,
    /// `waist_level` – mid-hip.
    pub lower_trunk: Segment,
    /// Shoulder – elbow.
    pub upper_arm: Segment,
    /// Elbow – wrist.
    pub forearm: Segment,
    /// Wrist – fingertip.
    pub hand: Segment,
    /// Hip – knee.
    pub thigh: Segment,
    /// Knee – ankle.
    pub shank: Segment,
    /// See `foot_span`.
    pub foot: Segment,
    pub foot_span: FootSpan,
    /// Where the upper trunk ends (xiphion, T12/L1), over mid-hip – C7 from below.
    pub chest_level: f64,
    /// Where the middle trunk ends (omphalion, L4/L5), over mid-hip – C7 from below.
    pub waist_level: f64,
}

impl Segments {
    pub fn of(table: MassTable) -> Self {
        match table {
            MassTable::DeLeva => de_leva(|male, female| 0.5 * (male + female)),
            MassTable::DeLevaMale => de_leva(|male, _| male),
            MassTable::DeLevaFemale => de_leva(|_, female| female),
            MassTable::Winter => winter(),
        }
    }

    /// Sum over the body, both sides.
    pub fn total(&self) -> f64 {
        let paired = [self.upper_arm, self.forearm, self.hand, self.thigh, self.shank, self.foot];
        let single = [self.head, self.upper_trunk, self.middle_trunk, self.lower_trunk];
        single.iter().map(|segment| segment.mass).sum::<f64>() + 2.0 * paired.iter().map(|s| s.mass).sum::<f64>()
    }
}

/// de Leva 1996, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29(9), table 4.
/// Columns male, female: mass, centre from the first endpoint, radii about the sagittal, transverse and longitudinal
/// axes.
fn de_leva(pick: impl Fn(f64, f64) -> f64) -> Segments {
    let segment = |mass: [f64; 2], com: [f64; 2], sagittal: [f64; 2], transverse: [f64; 2], longitudinal: [f64; 2]| {
        let pick = |[male, female]: [f64; 2]| pick(male, female);
        let radii = Radii { sagittal: pick(sagittal), transverse: pick(transverse), longitudinal: pick(longitudinal) };
        Segment { mass: pick(mass), com: pick(com), spin: Spin::Tabled(radii) }
    };
    Segments {
        head: segment([0.0694, 0.0668], [0.5002, 0.4841], [0.303, 0.271], [0.315, 0.295], [0.261, 0.261]),
        upper_trunk: segment([0.1596, 0.1545], [0.5066, 0.5050], [0.505, 0.466], [0.320, 0.314], [0.465, 0.449]),
        middle_trunk: segment([0.1633, 0.1465], [0.4502, 0.4512], [0.482, 0.433], [0.383, 0.354], [0.468, 0.415]),
        lower_trunk: segment([0.1117, 0.1247], [0.6115, 0.4920], [0.615, 0.433], [0.551, 0.402], [0.587, 0.444]),
        upper_arm: segment([0.0271, 0.0255], [0.5772, 0.5754], [0.285, 0.278], [0.269, 0.260], [0.158, 0.148]),
        forearm: segment([0.0162, 0.0138], [0.4574, 0.4559], [0.276, 0.261], [0.265, 0.257], [0.121, 0.094]),
        hand: segment([0.0061, 0.0056], [0.3624, 0.3427], [0.288, 0.244], [0.235, 0.208], [0.184, 0.154]),
        thigh: segment([0.1416, 0.1478], [0.4095, 0.3612], [0.329, 0.369], [0.329, 0.364], [0.149, 0.162]),
        shank: segment([0.0433, 0.0481], [0.4395, 0.4352], [0.251, 0.267], [0.246, 0.263], [0.102, 0.092]),
        foot: segment([0.0137, 0.0129], [0.4415, 0.4014], [0.257, 0.299], [0.245, 0.279], [0.124, 0.139]),
        foot_span: FootSpan::HeelToTip,
        // Lengths in the paper, mm: xiphion–omphalion 215.5/205.3, omphalion–mid-hip 145.7/181.5, C7–mid-hip
        // 603.3/614.8.
        chest_level: pick((215.5 + 145.7) / 603.3, (205.3 + 181.5) / 614.8),
        waist_level: pick(145.7 / 603.3, 181.5 / 614.8),
    }
}

/// Dempster 1955 as printed in Winter, "Biomechanics and Motor Control of Human Movement", table 4.1.
fn winter() -> Segments {
    let segment = |mass, com, radius| Segment { mass, com, spin: Spin::Across(radius) };
    let trunk = |mass, com| Segment { mass, com, spin: Spin::Cylinder };
    // C7 to the ear is half of C7 to the vertex; the tabled centre is at the ear, its radius 0.495 of C7–ear.
    let head = segment(0.081, 0.5, 0.495 * 0.5);
    // The tabled hand ends at the knuckle of the middle finger, 86.2/187.9 of the way to its tip (de Leva's lengths).
    let knuckle = 86.2 / 187.9;
    Segments {
        head,
        upper_trunk: trunk(0.216, 0.82),
        middle_trunk: trunk(0.139, 0.44),
        lower_trunk: trunk(0.142, 0.105),
        upper_arm: segment(0.028, 0.436, 0.322),
        forearm: segment(0.016, 0.430, 0.303),
        hand: segment(0.006, 0.506 * knuckle, 0.297 * knuckle),
        thigh: segment(0.100, 0.433, 0.323),
        shank: segment(0.0465, 0.433, 0.302),
        foot: segment(0.0145, 0.5, 0.475),
        foot_span: FootSpan::AnkleToBall,
        // Not in the table. With these levels the three parts have their common centre where the table's own row for
        // the whole trunk has it, half way from hip to shoulder (test below).
        chest_level: 0.47,
        waist_level: 0.27,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_add_up_to_one_body() {
        for (table, total) in [
            (MassTable::DeLevaMale, 1.0),
            // As published: the female column sums to 0.9999.
            (MassTable::DeLevaFemale, 0.9999),
            (MassTable::DeLeva, 0.99995),
            (MassTable::Winter, 1.0),
        ] {
            assert!((Segments::of(table).total() - total).abs() < 1e-12, "{table:?}");
        }
    }

    /// The paper's rows for parts of the trunk against its row for the whole (C7 – mid-hip): mass, centre and radii.
    #[test]
    fn parts_of_the_trunk_make_the_whole_trunk() {
        for (table, mass, com, radii) in [
            (MassTable::DeLevaMale, 0.4346, 0.5138, [0.328, 0.306, 0.169]),
            (MassTable::DeLevaFemale, 0.4257, 0.4964, [0.307, 0.292, 0.147]),
        ] {
            let segments = Segments::of(table);
            let (chest, waist) = (segments.chest_level, segments.waist_level);
            let parts = [
                (segments.upper_trunk, 1.0, chest),
                (segments.middle_trunk, chest, waist),
                (segments.lower_trunk, waist, 0.0),
            ];
            let total: f64 = parts.iter().map(|(part, ..)| part.mass).sum();
            assert!((total - mass).abs() < 1e-9);
            let height = |(part, top, bottom): &(Segment, f64, f64)| top - part.com * (top - bottom);
            let centre: f64 = parts.iter().map(|part| part.0.mass * height(part)).sum::<f64>() / total;
            // Three digits in the table, and lengths of the three parts from another table of the same paper.
            assert!((1.0 - centre - com).abs() < 0.005, "{table:?}: {}", 1.0 - centre);
            let moment = |pick: fn(Radii) -> f64, apart: bool| {
                let one = |part: &(Segment, f64, f64)| {
                    let Spin::Tabled(radii) = part.0.spin else { unreachable!() };
                    let offset = if apart { height(part) - centre } else { 0.0 };
                    part.0.mass * ((pick(radii) * (part.1 - part.2)).powi(2) + offset * offset)
                };
                (parts.iter().map(one).sum::<f64>() / total).sqrt()
            };
            let found =
                [moment(|r| r.sagittal, true), moment(|r| r.transverse, true), moment(|r| r.longitudinal, false)];
            for (found, tabled) in found.iter().zip(radii) {
                assert!((found - tabled).abs() < 0.006, "{table:?}: {found} {tabled}");
            }
        }
    }

    #[test]
    fn winters_trunk_has_its_centre_half_way_from_hip_to_shoulder() {
        let segments = Segments::of(MassTable::Winter);
        let (chest, waist) = (segments.chest_level, segments.waist_level);
        let centre = 0.216 * (1.0 - 0.82 * (1.0 - chest))
            + 0.139 * (chest - 0.44 * (chest - waist))
            + 0.142 * (waist - 0.105 * waist);
        // The shoulder is 0.855 (male) of the way from mid-hip to C7.
        assert!((centre / 0.497 / 0.855 - 0.5).abs() < 0.01);
    }
}
