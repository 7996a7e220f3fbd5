//! What was measured, and which bars it keeps.

use crate::clips::Kind;
use crate::{Judged, titles};
use aplomb_analysis::report::{Aspect, Score};

/// Scores nearer than this are a tie.
const TIE: f64 = 0.05;

/// Which bars a table is held to.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Bars {
    Usual,
    Slow,
}

impl Bars {
    /// Ranked right at least, still ≥ 95 at most, %.
    fn of(self, title: &str) -> (f64, f64) {
        let is_abrupt = !title.contains("eased") && !title.contains("middle") && title != "drift 10 cm/s";
        match title {
            _ if self == Bars::Slow && is_abrupt => (95.0, 8.0),
            _ if is_abrupt => (97.0, 5.0),
            _ if title.contains("eased") => (94.0, 10.0),
            "float 6 cm, middle" | "sink 8 cm, middle" | "drift 10 cm/s, middle" | "drift 10 cm/s" => (95.0, 6.0),
            _ => (88.0, 35.0),
        }
    }
}

fn points(score: &Score) -> f64 {
    score.score_all.unwrap_or(0.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints one collection and says how many bars it misses.
pub(crate) fn print(title: &str, judged: &[Judged], bars: Bars, with_clips: bool) -> usize {
    println!("\n## {title}: {} clips\n", judged.len());
    println!("| damage | pairs | ranked, % | still ≥ 95, % | median | bars | |\n|---|---|---|---|---|---|---|");
    let mut missed = 0;
    for (index, title) in titles().iter().enumerate() {
        let pairs = judged.iter().flat_map(|it| it.spoiled[index].iter().map(move |score| (it, points(score))));
        let pairs: Vec<(&Judged, f64)> = pairs.collect();
        if pairs.is_empty() {
            continue;
        }
        let rank = |(clean, spoiled): &(&Judged, f64)| match points(&clean.clean) - spoiled {
            lost if lost > TIE => 1.0,
            lost if lost < -TIE => 0.0,
            _ => 0.5,
        };
        let count = pairs.len() as f64;
        let ranked = 100.0 * pairs.iter().map(rank).sum::<f64>() / count;
        let still = 100.0 * pairs.iter().filter(|pair| pair.1 >= 95.0).count() as f64 / count;
        let (least, most) = bars.of(title);
        let is_kept = ranked >= least && still <= most;
        missed += usize::from(!is_kept);
        let middle = median(pairs.iter().map(|pair| pair.1).collect());
        let word = if is_kept { "" } else { "missed" };
        println!("| {title} | {count} | {ranked:.1} | {still:.1} | {middle:.0} | {least:.0}, {most:.0} | {word} |");
        if with_clips && !is_kept {
            let wrong = pairs.iter().filter(|pair| rank(pair) < 1.0 || pair.1 >= 95.0);
            let shown =
                wrong.map(|(clean, spoiled)| format!("{} {:.1} → {spoiled:.1}", clean.name, points(&clean.clean)));
            println!("|   {} |", shown.collect::<Vec<_>>().join("; "));
        }
    }
    println!(
        "\n| clean | clips | score | physics | body | recording | with a fault of the body |\n|---|---|---|---|---|---|---|"
    );
    let kinds = Kind::ALL.into_iter().map(Some).chain([None]);
    for kind in kinds {
        let of_kind: Vec<&Judged> = judged.iter().filter(|it| it.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let of = |value: fn(&Score) -> Option<f64>| median(of_kind.iter().filter_map(|it| value(&it.clean)).collect());
        let faulty = of_kind.iter().filter(|it| it.clean.moments.iter().any(|it| it.fault.aspect() == Aspect::Body));
        let (score, bar) = (of(|it| it.score_all), if kind == Some(Kind::Run) { 87.0 } else { 90.0 });
        let is_held = !matches!(kind, Some(Kind::Hop | Kind::Transition));
        missed += usize::from(is_held && score < bar);
        println!(
            "| {kind:?} | {} | {score:.1} | {:.1} | {:.1} | {:.1} | {} |",
            of_kind.len(),
            of(|it| it.physics_all),
            of(|it| it.body),
            of(|it| it.recording),
            faulty.count()
        );
    }
    missed
}

/// Every fault that is found in clean clips.
pub(crate) fn faults(judged: &[Judged]) {
    for it in judged {
        let score = |points: Option<f64>| points.map_or("–".to_owned(), |points| format!("{points:.0}"));
        let Score { score: all, physics, body, recording, .. } = &it.clean;
        println!("{}: {} = {} {} {}", it.name, score(*all), score(*physics), score(*body), score(*recording));
        for moment in it.clean.moments.iter().filter(|it| it.fault.aspect() != Aspect::Physics) {
            println!(
                "    {:?} {} {:.2}–{:.2} s, worst {:.2} s: {:.3} {} (allowed {:.2}), cost {:.2}",
                moment.fault,
                moment.joint.as_deref().unwrap_or("–"),
                moment.start_secs,
                moment.end_secs,
                moment.secs,
                moment.size,
                moment.fault.unit(),
                moment.allowance,
                moment.cost
            );
        }
    }
    let with = judged.iter().filter(|it| it.clean.moments.iter().any(|it| it.fault.aspect() == Aspect::Body)).count();
    println!("{with} of {} clips have a fault of the body", judged.len());
}
