//! The proofs of touch-up on captures, as a table: see docs/algorithms/touchup.md.
//!
//! `touchup_proof [walks|uphill|runs|jumps|unedited|model|turns|jog] [--margin M] [--only CLIP]`; without a word all of
//! them, without a margin at 0.5, 0 and 0.8. Bars are those of the margin they name: the share of the lean at all
//! three, the change of unedited captures at 0 and 0.5, bent runs and proof 7 at the default. Where a bar is not asked,
//! what misses it is reported. Ends with 1 if a bar that is asked is missed.

#[path = "../../tests/measures/mod.rs"]
mod measures;
mod oracles;

use aplomb_analysis::Ground;
use aplomb_analysis::Take;
use aplomb_analysis::contacts::Verdict;
use aplomb_editing::arc::Arc;
use aplomb_editing::footplant::contact_drift;
use aplomb_editing::tilt::Tilt;
use aplomb_editing::touchup::{StepList, TouchedUp, TouchupOptions, touch_up};
use aplomb_motion::{Clip, Side};
use measures::{
    Capture, Towards, captures, change_deg, lean_over_stance_rad, lean_rad, lowest_m, mean, median, peak_acceleration,
    peak_knee, square_speed, zmp,
};
use std::path::Path;

const WALKS: [&str; 9] = ["02_01", "02_02", "07_01", "08_01", "104_02", "10_04", "16_15", "16_21", "35_01"];
const UPHILL: [&str; 6] = ["08_01", "10_04", "16_15", "02_02", "35_01", "07_01"];
const RUNS: [&str; 11] =
    ["09_01", "16_55", "127_06", "35_17", "16_35", "02_03", "16_45", "127_09", "127_11", "16_37", "16_39"];
const JUMPS: [&str; 13] = [
    "16_06", "83_49", "118_25", "13_11", "16_05", "16_07", "16_09", "83_46", "83_48", "118_10", "118_15", "118_20",
    "13_13",
];
const UNEDITED: [&str; 48] = [
    "walk-straight/02_01",
    "walk-straight/07_01",
    "walk-straight/08_01",
    "walk-straight/10_04",
    "walk-straight/16_15",
    "walk-straight/35_01",
    "walk-straight/104_02",
    "walk-turn/16_11",
    "walk-turn/16_17",
    "walk-turn/83_36",
    "walk-turn/39_11",
    "jump-forward/16_06",
    "jump-forward/83_49",
    "jump-forward/13_11",
    "jump-vertical/118_01",
    "jump-turn/83_54",
    "run/02_03",
    "run/09_01",
    "run/127_06",
    "run/127_09",
    "run/127_11",
    "run/16_35",
    "run/16_37",
    "run/16_39",
    "run/16_41",
    "run/16_43",
    "run/16_45",
    "run/16_48",
    "run/16_51",
    "run/16_55",
    "run/35_17",
    "gesture-upper/02_05",
    "dance/05_02",
    "dance/60_01",
    "transition/16_08",
    "transition/127_04",
    "acrobatics/49_06",
    "acrobatics/49_08",
    "hop/49_03",
    "obstacle/127_25",
    "obstacle/113_22",
    "sit/113_15",
    "stairs-terrain/13_35",
    "stairs-terrain/36_01",
    "swing-carry/02_08",
    "swing-carry/80_19",
    "swing-carry/111_36",
    "swing-carry/124_07",
];

/// Margins that bars name.
const MARGINS: [f64; 3] = [DEFAULT_MARGIN, 0.0, 0.8];
const DEFAULT_MARGIN: f64 = 0.5;

type Section = fn(&Path, &Args, &mut Bars);

struct Bars {
    margin: f64,
    failed: Vec<String>,
    told: Vec<String>,
}

impl Bars {
    fn check(&mut self, holds: bool, what: impl FnOnce() -> String) {
        self.check_if(true, holds, what);
    }

    /// A bar that names other margins is not required, but reported.
    fn check_if(&mut self, is_asked: bool, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            let list = if is_asked { &mut self.failed } else { &mut self.told };
            list.push(format!("margin {}: {}", self.margin, what()));
        }
    }
}

struct Args {
    word: Option<String>,
    only: Option<String>,
    options: TouchupOptions,
}

fn main() {
    let Some(folder) = captures() else { return };
    let folder = folder.join("cmu-bvh");
    let mut args = Args { word: None, only: None, options: TouchupOptions::default() };
    let mut given_margin: Option<f64> = None;
    let mut given = std::env::args().skip(1);
    while let Some(arg) = given.next() {
        match arg.as_str() {
            "--margin" => given_margin = Some(given.next().unwrap().parse().unwrap()),
            "--smoothing" => args.options.smoothing_secs = given.next().unwrap().parse().unwrap(),
            "--steps" => {
                let text = std::fs::read_to_string(given.next().unwrap()).unwrap();
                args.options.steps = Some(StepList::from_toml(&text).unwrap());
            }
            "--only" => args.only = given.next(),
            _ => args.word = Some(arg),
        }
    }
    let mut bars = Bars { margin: 0.5, failed: Vec::new(), told: Vec::new() };
    let sections: [(&str, Section); 8] = [
        ("walks", walks),
        ("uphill", uphill),
        ("runs", runs),
        ("jumps", jumps),
        ("unedited", unedited),
        ("model", oracles::model),
        ("turns", oracles::turns),
        ("jog", oracles::speeding_up),
    ];
    for margin in given_margin.map_or(MARGINS.to_vec(), |margin| vec![margin]) {
        (args.options.margin, bars.margin) = (margin, margin);
        for (name, section) in sections {
            let is_wanted = args.word.as_deref().is_none_or(|word| word == name);
            // Proof 7 does not depend on the margin.
            if is_wanted && (margin == DEFAULT_MARGIN || !["model", "turns", "jog"].contains(&name)) {
                section(&folder, &args, &mut bars);
            }
        }
    }
    println!("\n{} bars missed", bars.failed.len());
    bars.failed.iter().for_each(|failure| println!("  {failure}"));
    if !bars.told.is_empty() {
        println!("{} more that no bar asks for (other margins, point masses in flight)", bars.told.len());
        bars.told.iter().for_each(|failure| println!("  {failure}"));
    }
    if !bars.failed.is_empty() {
        std::process::exit(1);
    }
}

fn wanted(args: &Args, clip: &str) -> bool {
    args.only.as_deref().is_none_or(|only| clip.ends_with(only))
}

/// What every case is judged by: feet, sinking and pops (proof 5).
struct Common {
    worst_mm: f64,
    mean_mm: f64,
    sunk_mm: f64,
    acceleration: f64,
    knee: f64,
}

fn common(title: &str, input: &Clip, capture: &Capture, done: &TouchedUp, ground: &Ground, bars: &mut Bars) -> Common {
    let drift = contact_drift(&done.clip, &capture.held_contacts());
    let found = Common {
        worst_mm: drift.worst_m * 1e3,
        mean_mm: drift.mean_m * 1e3,
        sunk_mm: (lowest_m(input, &capture.contacts, ground) - lowest_m(&done.clip, &capture.contacts, ground)) * 1e3,
        acceleration: peak_acceleration(&done.clip) / peak_acceleration(input),
        knee: peak_knee(&done.clip, &capture.roles) / peak_knee(input, &capture.roles),
    };
    bars.check(found.worst_mm <= 5.0 && found.mean_mm <= 1.0, || {
        format!("{title}: drift {:.1} / {:.2} mm", found.worst_mm, found.mean_mm)
    });
    bars.check(found.sunk_mm <= 2.0, || format!("{title}: sinks by {:.1} mm", found.sunk_mm));
    bars.check(found.acceleration <= 1.5, || format!("{title}: acceleration {:.2}x", found.acceleration));
    bars.check(found.knee <= 2.5, || format!("{title}: knee {:.2}x", found.knee));
    found
}

impl std::fmt::Display for Common {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "drift {:4.1}/{:4.2} sunk {:5.1} acc {:4.2} knee {:4.2}",
            self.worst_mm, self.mean_mm, self.sunk_mm, self.acceleration, self.knee
        )
    }
}

fn walks(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nbent walks, margin {}: mean ZMP distance cm (0.167 s; 0.1 s)", args.options.margin);
    let ground = Ground::default();
    let (mut ratios, mut quick_ratios, mut knees) = (Vec::new(), Vec::new(), Vec::new());
    for name in WALKS.into_iter().filter(|name| wanted(args, name)) {
        let capture = Capture::read(folder, &format!("walk-straight/{name}.bvh")).commanded();
        let Capture { clip, roles, body, contacts, .. } = &capture;
        let speed = square_speed(clip, body).sqrt();
        let own = [0.167, 0.1].map(|secs| zmp(clip, body, contacts, &ground, secs).mean_m);
        // A slightly crooked walk is straightened a little, bend or no bend.
        let straight = touch_up(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &capture.touchup(&args.options),
        )
        .unwrap();
        let own_leans = Side::BOTH.map(|side| {
            let lean = |clip: &Clip| lean_rad(clip, roles, body, Towards::Side(side)).to_degrees();
            lean(&straight.clip) - lean(&straight.planted)
        });
        let mut last_deg = f64::INFINITY;
        for radius_m in [1.5, 3.0, 6.0] {
            let needed_deg = (speed * speed / (9.81 * radius_m)).atan().to_degrees();
            let mut leans = Vec::new();
            let mut line = String::new();
            for side in Side::BOTH {
                let bent = Arc::new(radius_m, side).apply(clip).unwrap();
                let done = touch_up(
                    &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                    &capture.touchup(&args.options),
                )
                .unwrap();
                let title = format!("walk {name} r {radius_m} {side}");
                let [after, quick] = [0.167, 0.1].map(|secs| zmp(&done.clip, body, contacts, &ground, secs).mean_m);
                let input = zmp(&bent, body, contacts, &ground, 0.167).mean_m;
                let lean = |clip: &Clip| lean_rad(clip, roles, body, Towards::Side(side)).to_degrees();
                leans.push(lean(&done.clip) - lean(&done.planted));
                let ratio = after / own[0];
                ratios.push(ratio);
                quick_ratios.push(quick / own[1]);
                bars.check(ratio <= 0.75, || format!("{title}: ZMP {ratio:.2}x unedited"));
                let feet = common(&title, &bent, &capture, &done, &ground, bars);
                knees.push(feet.knee);
                line += &format!(
                    " | {side:5} {:4.1}->{:4.2} ({:4.2}x; {:4.2}x) {feet} chg {:3.1}",
                    input * 100.0,
                    after * 100.0,
                    ratio,
                    quick / own[1],
                    change_deg(&done.planted, &done.clip)
                );
            }
            let lean_deg = mean(&leans);
            let share = lean_deg / needed_deg * 100.0;
            println!(
                "{name:7} r {radius_m:3} v {speed:4.2} own {:4.2} lean {lean_deg:4.1} of {needed_deg:4.1} = {share:3.0} %{line}",
                own[0] * 100.0
            );
            let of_bend: Vec<f64> = leans.iter().zip(own_leans).map(|(lean, own)| lean - own).collect();
            bars.check(of_bend.iter().all(|lean| *lean > 0.0), || {
                format!("walk {name} r {radius_m}: leans {of_bend:.3?} more than unbent")
            });
            bars.check_if(false, leans.iter().all(|lean| *lean > 0.0), || {
                format!("walk {name} r {radius_m}: leans {leans:.3?}, unbent {own_leans:.3?}")
            });
            bars.check(lean_deg < last_deg, || format!("walk {name} r {radius_m}: lean does not fall with the radius"));
            last_deg = lean_deg;
            let (least, most) = lean_bar(args.options.margin, radius_m);
            bars.check((least..=most).contains(&share), || {
                format!("walk {name} r {radius_m}: lean {share:.0} % of {least}..{most}")
            });
        }
    }
    println!(
        "after / unedited: mean {:.2}, with 0.1 s {:.2}; median knee {:.2}",
        mean(&ratios),
        mean(&quick_ratios),
        median(knees.clone())
    );
    bars.check(mean(&ratios) <= 0.55, || format!("walks: mean ZMP {:.2}x", mean(&ratios)));
    bars.check(mean(&quick_ratios) <= 0.85, || format!("walks: mean ZMP at 0.1 s {:.2}x", mean(&quick_ratios)));
    bars.check(median(knees.clone()) <= 1.4, || format!("walks: median knee {:.2}x", median(knees)));
}

/// Proof 1.
fn lean_bar(margin: f64, radius_m: f64) -> (f64, f64) {
    let place = if radius_m < 2.0 {
        0
    } else if radius_m < 4.0 {
        1
    } else {
        2
    };
    match margin {
        m if m < 0.25 => [(35.0, 80.0), (25.0, 200.0), (15.0, 200.0)][place],
        m if m < 0.65 => [(65.0, 95.0), (60.0, 200.0), (50.0, 200.0)][place],
        _ => (75.0, 105.0),
    }
}

fn uphill(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nuphill 8°, margin {}", args.options.margin);
    let mut ratios = Vec::new();
    for name in UPHILL.into_iter().filter(|name| wanted(args, name)) {
        let capture = Capture::read(folder, &format!("walk-straight/{name}.bvh")).commanded();
        let Capture { clip, roles, body, contacts, .. } = &capture;
        let own = zmp(clip, body, contacts, &Ground::default(), 0.167).mean_m;
        let tilt = Tilt::uphill(8.0);
        let slope = tilt.slope(clip).unwrap();
        let tilted = tilt.apply(clip).unwrap();
        let ground = Ground::new(slope.point_m, slope.normal).unwrap();
        let mut options = capture.touchup(&args.options);
        options.plant.ground = ground;
        let done = touch_up(
            &Take::new(tilted.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &options,
        )
        .unwrap();
        let title = format!("uphill {name}");
        let [input, after] = [&tilted, &done.clip].map(|clip| zmp(clip, body, contacts, &ground, 0.167).mean_m);
        let lean = |clip: &Clip| lean_rad(clip, roles, body, Towards::Ahead).to_degrees();
        let lean_deg = lean(&done.clip) - lean(&done.planted);
        let ratio = after / own;
        ratios.push(ratio);
        bars.check(ratio <= 0.75, || format!("{title}: ZMP {ratio:.2}x unedited"));
        bars.check(lean_deg > 0.0, || format!("{title}: leans {lean_deg:.1}"));
        let feet = common(&title, &tilted, &capture, &done, &ground, bars);
        println!(
            "{name:7} own {:4.2} | {:4.1} -> {:4.2} ({ratio:4.2}x) lean ahead {lean_deg:4.1} {feet} chg {:3.1}",
            own * 100.0,
            input * 100.0,
            after * 100.0,
            change_deg(&done.planted, &done.clip)
        );
    }
    println!("after / unedited: mean {:.2}", mean(&ratios));
    bars.check(mean(&ratios) <= 0.55, || format!("uphill: mean ZMP {:.2}x", mean(&ratios)));
}

fn runs(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nbent runs, margin {}: force-weighted ZMP distance cm", args.options.margin);
    let ground = Ground::default();
    let is_asked = args.options.margin == DEFAULT_MARGIN;
    for lean_deg in [10.0f64, 15.0, 20.0] {
        let (mut ratios, mut quick_ratios, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        for name in RUNS.into_iter().filter(|name| wanted(args, name)) {
            let capture = Capture::read(folder, &format!("run/{name}.bvh")).commanded();
            let Capture { clip, roles, body, contacts, .. } = &capture;
            let speed = square_speed(clip, body).sqrt();
            let radius_m = Arc::radius_for_lean_m(speed, lean_deg.to_radians());
            let own = [0.167, 0.1].map(|secs| zmp(clip, body, contacts, &ground, secs));
            let (mut leans, mut stances) = (Vec::new(), Vec::new());
            let mut line = String::new();
            for side in Side::BOTH {
                let bent = Arc::new(radius_m, side).apply(clip).unwrap();
                let done = touch_up(
                    &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                    &capture.touchup(&args.options),
                )
                .unwrap();
                let over = |clip: &Clip| lean_over_stance_rad(clip, body, contacts, side).to_degrees();
                stances.push(over(&done.clip) - over(&done.planted));
                let title = format!("run {name} {lean_deg}° {side}");
                let [after, quick] = [0.167, 0.1].map(|secs| zmp(&done.clip, body, contacts, &ground, secs));
                let input = zmp(&bent, body, contacts, &ground, 0.167);
                let (ratio, quick_ratio) = (after.weighted_m / own[0].weighted_m, quick.weighted_m / own[1].weighted_m);
                ratios.push(ratio);
                quick_ratios.push(quick_ratio);
                plain.push(after.mean_m / own[0].mean_m);
                bars.check_if(is_asked, ratio <= 1.0 && quick_ratio <= 1.0, || {
                    format!("{title}: ZMP {ratio:.2}x, {quick_ratio:.2}x")
                });
                bars.check_if(is_asked, after.heavy_m <= 0.012 || after.heavy_m <= 1.4 * own[0].heavy_m, || {
                    format!("{title}: heavy frames {:.1} cm", after.heavy_m * 100.0)
                });
                let lean = |clip: &Clip| lean_rad(clip, roles, body, Towards::Side(side)).to_degrees();
                leans.push(lean(&done.clip) - lean(&done.planted));
                let flights = falls(&title, &done, 0.3, bars);
                let feet = common(&title, &bent, &capture, &done, &ground, bars);
                line += &format!(
                    " | {side:5} {:4.1}->{:4.2} ({ratio:4.2}x; {quick_ratio:4.2}x) {flights} {feet}",
                    input.weighted_m * 100.0,
                    after.weighted_m * 100.0
                );
            }
            let share = mean(&leans) / lean_deg * 100.0;
            bars.check_if(is_asked, (65.0..=105.0).contains(&share), || {
                format!("run {name} {lean_deg}°: lean {share:.0} %")
            });
            println!(
                "{name:7} {lean_deg}° v {speed:4.2} r {radius_m:4.1} own {:4.2} lean {share:3.0} % (over stance {:3.0} %){line}",
                own[0].weighted_m * 100.0,
                mean(&stances) / lean_deg * 100.0
            );
        }
        println!(
            "{lean_deg}°: after / unedited mean {:.2}, with 0.1 s {:.2}, plain mean {:.2}",
            mean(&ratios),
            mean(&quick_ratios),
            mean(&plain)
        );
        bars.check_if(is_asked, mean(&ratios) <= 0.7 && mean(&quick_ratios) <= 0.7, || {
            format!("runs {lean_deg}°: {:.2}, {:.2}", mean(&ratios), mean(&quick_ratios))
        });
    }
}

/// Proof 4 on verified flights.
fn falls(title: &str, done: &TouchedUp, most_spread: f64, bars: &mut Bars) -> String {
    let touched: Vec<_> = done.flights.iter().filter(|flight| flight.touched).collect();
    let left = done.flights.iter().filter(|flight| flight.verdict != Verdict::Verified).count();
    let (mut worst_g, mut worst_mm, mut worst_spread) = (0.0_f64, 0.0_f64, 0.0_f64);
    for flight in &touched {
        worst_g = worst_g.max((flight.after.g / 9.81 - 1.0).abs() * 100.0);
        worst_mm = worst_mm.max(flight.after.residual_m * 1e3);
        worst_spread = worst_spread.max(flight.after.momentum_spread / flight.before.momentum_spread);
    }
    bars.check(worst_g <= 0.5 && worst_mm <= 0.5, || {
        format!("{title}: g off by {worst_g:.2} %, residual {worst_mm:.2} mm")
    });
    bars.check(worst_spread <= most_spread, || format!("{title}: momentum spread {worst_spread:.2}"));
    format!("fl {}+{left} g {worst_g:3.1}% {worst_mm:3.1}mm h {worst_spread:4.2}", touched.len())
}

fn jumps(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nbent jumps 1.5 m, margin {}", args.options.margin);
    let ground = Ground::default();
    let mut spreads = Vec::new();
    for name in JUMPS.into_iter().filter(|name| wanted(args, name)) {
        let capture = Capture::read(folder, &format!("jump-forward/{name}.bvh")).commanded();
        let Capture { clip, roles, body, contacts, .. } = &capture;
        for side in Side::BOTH {
            let title = format!("jump {name} {side}");
            let bent = match Arc::new(1.5, side).apply(clip) {
                Ok(bent) => bent,
                Err(error) => {
                    println!("{name:7} {side}: {error}");
                    continue;
                }
            };
            let done = touch_up(
                &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
                &capture.touchup(&args.options),
            )
            .unwrap();
            let [own, input, after] =
                [clip, &bent, &done.clip].map(|clip| zmp(clip, body, contacts, &ground, 0.167).mean_m);
            let flights = falls(&title, &done, 0.3, bars);
            spreads.extend(
                done.flights
                    .iter()
                    .filter(|it| it.touched)
                    .map(|it| it.after.momentum_spread / it.before.momentum_spread),
            );
            let feet = common(&title, &bent, &capture, &done, &ground, bars);
            println!(
                "{name:7} {side:5} own {:4.2} | {:4.2} -> {:4.2} {flights} {feet} chg {:3.1}",
                own * 100.0,
                input * 100.0,
                after * 100.0,
                change_deg(&done.planted, &done.clip)
            );
        }
    }
    println!("momentum spread left: median {:.2}", median(spreads.clone()));
    bars.check(median(spreads.clone()) <= 0.1, || format!("jumps: median spread {:.2}", median(spreads)));
}

fn unedited(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nunedited, margin {}: change in degrees by touch-up (by planting)", args.options.margin);
    let ground = Ground::default();
    // At 0.8 no bar is named.
    let is_asked = args.options.margin <= DEFAULT_MARGIN;
    let (each, middle) = if args.options.margin < 0.25 { (1.6, 1.0) } else { (2.0, 1.2) };
    let (mut changes, mut run_changes) = (Vec::new(), Vec::new());
    for name in UNEDITED.into_iter().filter(|name| wanted(args, name)) {
        let capture = Capture::read(folder, &format!("{name}.bvh")).commanded();
        let Capture { clip, roles, body, contacts, .. } = &capture;
        let done = touch_up(
            &Take::new(clip.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &capture.touchup(&args.options),
        )
        .unwrap();
        let [before, after] = [clip, &done.clip].map(|clip| zmp(clip, body, contacts, &ground, 0.167));
        let change = change_deg(&done.planted, &done.clip);
        let is_run = name.starts_with("run/");
        if is_run {
            run_changes.push(change)
        } else {
            changes.push(change)
        }
        let feet = common(name, clip, &capture, &done, &ground, bars);
        println!(
            "{name:22} {change:4.2} ({:4.2}) ZMP {:4.2} -> {:4.2}, weighted {:4.2} -> {:4.2} {feet}",
            change_deg(clip, &done.planted),
            before.mean_m * 100.0,
            after.mean_m * 100.0,
            before.weighted_m * 100.0,
            after.weighted_m * 100.0
        );
        let limit = if is_run { 3.5 } else { each };
        bars.check_if(is_asked, change <= limit, || format!("{name}: changed by {change:.2}°"));
        bars.check(after.weighted_m <= before.weighted_m + 1e-4, || {
            format!("{name}: ZMP {:.2} -> {:.2} cm", before.weighted_m * 100.0, after.weighted_m * 100.0)
        });
    }
    println!("median change {:.2}°, runs' mean {:.2}°", median(changes.clone()), mean(&run_changes));
    bars.check_if(is_asked, median(changes.clone()) <= middle, || {
        format!("unedited: median change {:.2}°", median(changes))
    });
    bars.check_if(is_asked, mean(&run_changes) <= 2.5, || {
        format!("unedited runs: mean change {:.2}°", mean(&run_changes))
    });
}
