//! Prints what every built-in clip achieves: `cargo run --release -p aplomb-builtins --example figures [NAME …]`.

use aplomb_builtins::measure::{figures, knee_curve_deg};
use std::time::Instant;

fn main() -> Result<(), aplomb_builtins::BuiltError> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "| clip | secs | made ms | drift mm | ZMP outside mean / p95 / worst mm | force g | knee ° | lowest mm | rad/s² |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, _) in aplomb_builtins::NAMES {
        if !asked.is_empty() && !asked.iter().any(|asked| asked == name) {
            continue;
        }
        let start = Instant::now();
        let made = aplomb_builtins::make(name)?;
        let made_ms = start.elapsed().as_secs_f64() * 1e3;
        let found = figures(&made);
        let knee = found.knee_deg.map_or("–".to_owned(), |(low, high)| format!("{low:.0}–{high:.0}"));
        println!(
            "| {name} | {:.2} | {made_ms:.0} | {:.4} | {:.2} / {:.2} / {:.1} | {:.2}–{:.2} | {knee} | {:.2} | {:.0} ({}) |",
            made.clip.duration_secs(),
            found.drift_m * 1e3,
            found.pressure_mean_m * 1e3,
            found.pressure_p95_m * 1e3,
            found.pressure_max_m * 1e3,
            found.force.0,
            found.force.1,
            found.lowest_m * 1e3,
            found.angular_acceleration.0,
            found.angular_acceleration.1,
        );
        if asked.is_empty() {
            continue;
        }
        for flight in &found.flights {
            let residual_mm = flight.residual_m * 1e3;
            println!(
                "    flight {:.3}–{:.3} s: g {:.4}, off the parabola by {residual_mm:.5} mm",
                flight.start_secs, flight.end_secs, flight.gravity
            );
        }
        let knee = knee_curve_deg(&made, "LeftLeg");
        println!("    left knee, every fourth frame: {:.0?}", knee.iter().step_by(4).collect::<Vec<_>>());
    }
    Ok(())
}
