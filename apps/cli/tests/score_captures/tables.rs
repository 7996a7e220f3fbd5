//! What was measured, as tables for the documentation.

use crate::clips::Kind;
use crate::{Judged, RATES_HZ, Resampled, pairs_won};
use aplomb_analysis::report::Score;
use aplomb_analysis::score::damage::Damage;

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn quantile(mut values: Vec<f64>, quantile: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = quantile * values.len().saturating_sub(1) as f64;
    values.get(rank.round() as usize).copied().unwrap_or(f64::NAN)
}

pub fn print(all: &[Judged]) {
    if std::env::var_os("APLOMB_SCORE_CLIPS").is_some() {
        every_clip(all);
    }
    eprintln!("\n{} clips, first 8 s, true rates", all.len());
    measures(all);
    damages(all);
    kinds(all);
}

/// Clean p50 and p90 of the eight measures.
fn measures(all: &[Judged]) {
    eprintln!("\n| measure | clean p50 | p90 | unit |\n|---|---|---|---|");
    for part in 0..8 {
        let values: Vec<f64> = all.iter().filter_map(|it| it.clean.parts_all[part].value).collect();
        let (name, unit) = (all[0].clean.parts_all[part].name, all[0].clean.parts_all[part].unit);
        eprintln!("| {name} | {:.4} | {:.4} | {unit} |", quantile(values.clone(), 0.5), quantile(values, 0.9));
    }
}

/// Area under the curve of clean against spoiled, ties half: how well one number tells them apart without knowing
/// pairs.
fn auc(clean: &[f64], spoiled: &[f64]) -> f64 {
    let wins = clean.iter().flat_map(|a| spoiled.iter().map(move |b| (a > b, a == b)));
    let sum: f64 = wins.map(|(more, same)| f64::from(u8::from(more)) + 0.5 * f64::from(u8::from(same))).sum();
    sum / (clean.len() * spoiled.len()) as f64
}

fn damages(all: &[Judged]) {
    let names: Vec<&str> = all[0].clean.parts_all.iter().map(|part| part.name).collect();
    eprintln!(
        "\n| damage | clips | {} | AUC | pairs score_all / score | by > 5 | median | not judged |\n|---|---|{}---|---|---|---|---|",
        names.join(" | "),
        "---|".repeat(8)
    );
    let score_all: fn(&Score) -> Option<f64> = |score| score.score_all;
    for (index, damage) in Damage::ALL.iter().enumerate() {
        let with: Vec<&Judged> = all.iter().filter(|it| it.spoiled.contains_key(&index)).collect();
        let of_spoiled = |value: &dyn Fn(&Score) -> f64| -> Vec<f64> {
            with.iter().map(|it| value(&it.spoiled[&index].0)).collect()
        };
        let of_clean = |value: &dyn Fn(&Score) -> f64| -> Vec<f64> { with.iter().map(|it| value(&it.clean)).collect() };
        let parts: Vec<String> = (0..8)
            .map(|part| {
                let value = |score: &Score| -score.parts_all[part].value.unwrap_or(0.0);
                format!("{:.2}", auc(&of_clean(&value), &of_spoiled(&value)))
            })
            .collect();
        let total = |score: &Score| score.score_all.unwrap_or(0.0);
        let (by_all, _) = pairs_won(all, *damage, score_all);
        let (by_known, _) = pairs_won(all, *damage, |score| score.score);
        let clear = with.iter().filter(|it| total(&it.clean) - total(&it.spoiled[&index].0) > 5.0).count();
        let unjudged = with.iter().filter(|it| it.spoiled[&index].1 > 0.3).count();
        eprintln!(
            "| {} | {} | {} | {:.2} | {by_all:.0} / {by_known:.0} % | {:.0} % | {:.0} | {unjudged} |",
            damage.title(),
            with.len(),
            parts.join(" | "),
            auc(&of_clean(&total), &of_spoiled(&total)),
            100.0 * clear as f64 / with.len() as f64,
            median(of_spoiled(&total)),
        );
        for it in with.iter().filter(|it| total(&it.clean) <= total(&it.spoiled[&index].0)) {
            eprintln!("  lost: {} {:.1} → {:.1}", it.entry.name, total(&it.clean), total(&it.spoiled[&index].0));
        }
    }
}

fn kinds(all: &[Judged]) {
    eprintln!(
        "\n| kind | clips | score_all median (lowest) | score median (lowest) | other_share median (highest) |\n|---|---|---|---|---|"
    );
    for kind in Kind::ALL {
        let of_kind: Vec<&Judged> = all.iter().filter(|it| it.entry.kind == kind).collect();
        let by_all: Vec<f64> = of_kind.iter().filter_map(|it| it.clean.score_all).collect();
        let known: Vec<f64> = of_kind.iter().filter_map(|it| it.clean.score).collect();
        let other: Vec<f64> = of_kind.iter().map(|it| it.other_share).collect();
        eprintln!(
            "| {} | {} | {:.0} ({:.0}) | {:.0} ({:.0}) | {:.2} ({:.2}) |",
            kind.folder(),
            of_kind.len(),
            median(by_all.clone()),
            quantile(by_all, 0.0),
            median(known.clone()),
            quantile(known, 0.0),
            median(other.clone()),
            quantile(other, 1.0)
        );
    }
}

/// How far slower rates move the score, and for clips that move, by which measures.
pub fn rates(all: &[Resampled]) {
    for (index, hz) in RATES_HZ.into_iter().enumerate() {
        let moved: Vec<f64> = all.iter().filter_map(|it| it.moved(index)).collect();
        let near = moved.iter().filter(|points| **points <= 5.0).count();
        eprintln!(
            "\nat {hz} Hz the score moves by {:.1} (median), {:.1} (90 %), {:.1} (largest) points; {near} of {} clips by 5 or less",
            quantile(moved.clone(), 0.5),
            quantile(moved.clone(), 0.9),
            quantile(moved, 1.0),
            all.len()
        );
        for it in all.iter().filter(|it| it.moved(index).is_none_or(|points| points > 3.0)) {
            let slower = &it.slower[index];
            let parts = it.own.parts_all.iter().zip(&slower.parts_all);
            let moved = parts.filter(|(a, b)| (a.quality - b.quality).abs() > 0.01).map(|(a, b)| {
                let (from, to) = (a.value.unwrap_or(f64::NAN), b.value.unwrap_or(f64::NAN));
                format!("{} {from:.3} → {to:.3} (× {:.2})", a.name, b.quality / a.quality)
            });
            eprintln!(
                "  {:<13} {:<7} {:>5.1} → {:>5.1}: {}",
                it.entry.kind.folder(),
                it.entry.name,
                it.own.score_all.unwrap_or(f64::NAN),
                slower.score_all.unwrap_or(f64::NAN),
                moved.collect::<Vec<_>>().join(", ")
            );
        }
    }
}

fn every_clip(all: &[Judged]) {
    for it in all {
        let parts: Vec<String> = it
            .clean
            .parts_all
            .iter()
            .map(|part| format!("{} {:.3}→{:.2}", part.name, part.value.unwrap_or(f64::NAN), part.quality))
            .collect();
        eprintln!(
            "{:<14} {:<7} all {:>5.1} known {:>5.1} other {:.2} {}",
            it.entry.kind.folder(),
            it.entry.name,
            it.clean.score_all.unwrap_or(f64::NAN),
            it.clean.score.unwrap_or(f64::NAN),
            it.other_share,
            parts.join(" ")
        );
    }
}
