//! Proof 7: what the model leaves out, and what people do when they really turn and speed up.

use crate::measures::model::Agreement;
use crate::measures::turning::{SpeedingUp, Turning, ahead};
use crate::measures::{Capture, Towards, lean_rad, mean, square_speed};
use crate::{Args, Bars};
use aplomb_analysis::Take;
use aplomb_editing::arc::Arc;
use aplomb_editing::touchup::touch_up;
use aplomb_editing::transition::Transition;
use aplomb_motion::{Clip, Side};
use std::path::Path;

/// The zero-moment point of point masses, by which ground steps go, and the angular momentum of rigid links, by which
/// flight steps go, against links of 100 points. The momentum of point masses, the paper's, is reported.
pub fn model(folder: &Path, _: &Args, bars: &mut Bars) {
    println!("\nmodel against links of 100 points: angular momentum over its own size, ZMP of points over height");
    for name in ["walk-straight/16_15", "walk-straight/35_01", "run/16_35", "transition/127_04", "jump-forward/16_06"] {
        let Capture { clip, body, contacts, .. } = Capture::read(folder, &format!("{name}.bvh"));
        let Agreement { rigid, points, points_of_rest, zmp, worst_zmp } = Agreement::of(&clip, &body, &contacts);
        println!(
            "{name:22} momentum of rigid links {rigid:4.2} %, of points {points:4.2} % of its parts' ({points_of_rest:4.1} % of what is left of them), ZMP mean {zmp:4.2} %, worst {worst_zmp:4.2} %"
        );
        bars.check(rigid < 2.0, || format!("model {name}: momentum of rigid links differs by {rigid:.2} %"));
        bars.check_if(false, points < 2.0, || {
            format!("model {name}: momentum of point masses differs by {points:.2} %")
        });
        bars.check(zmp < 1.0, || format!("model {name}: ZMP differs by {zmp:.2} % of the height"));
    }
}

/// Figure 7: straight walks bent as tightly as the same subject was captured turning.
pub fn turns(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\ncaptured turns against bent walks: lean into the bend over v²κ/g, swing of the trunk in degrees");
    let straight = Capture::read(folder, "walk-straight/16_15.bvh");
    let (mut shares, mut own_shares, mut swings, mut own_swings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (turn, side) in [("16_11", Side::Left), ("16_13", Side::Right), ("16_17", Side::Left), ("16_19", Side::Right)] {
        let captured = Capture::read(folder, &format!("walk-turn/{turn}.bvh"));
        let bend = Turning::of(&captured.clip, &captured.roles, &captured.body, side);
        let within = bend.tightest();
        let at = |values: &[f64]| mean(&within.iter().map(|&frame| values[frame]).collect::<Vec<_>>());
        let own_needed = (at(&bend.needed)).atan().to_degrees();
        // Against the same person walking straight, not quite upright either.
        let upright_rad = lean_rad(&straight.clip, &straight.roles, &straight.body, Towards::Side(side));
        let own_share = (at(&bend.lean_rad) - upright_rad).to_degrees() / own_needed * 100.0;
        let Capture { clip, roles, body, contacts, .. } = &straight;
        let radius_m = Arc::radius_for_lean_m(square_speed(clip, body).sqrt(), own_needed.to_radians());
        let bent = Arc::new(radius_m, side).apply(clip).unwrap();
        let done = touch_up(
            &Take::new(bent.clone(), roles.clone(), body.clone()).with_known_contacts(contacts.clone(), None),
            &args.options,
        )
        .unwrap();
        let lean = |clip: &Clip| lean_rad(clip, roles, body, Towards::Side(side)).to_degrees();
        let share = (lean(&done.clip) - lean(&done.planted)) / own_needed * 100.0;
        let swing = |clip: &Clip| Turning::of(clip, roles, body, side).swing_deg();
        let (own_swing, upright_swing, after_swing) = (bend.swing_deg(), swing(&bent), swing(&done.clip));
        println!(
            "{turn} {side:5} needs {own_needed:4.1}°: captured {own_share:4.0} %, bent and touched up {share:4.0} % (r {radius_m:.1} m) | trunk swings {own_swing:.1}° captured, {upright_swing:.1}° bent, {after_swing:.1}° touched up"
        );
        bars.check(share > 0.0 && own_share > 0.0, || format!("turn {turn}: leans {own_share:.0} %, {share:.0} %"));
        shares.push(share);
        own_shares.push(own_share);
        swings.push(after_swing);
        own_swings.push(own_swing);
    }
    // A single turn is a step or two and carries their asymmetry; two to either side are compared.
    let (lean, swing) = (mean(&shares) / mean(&own_shares), mean(&swings) / mean(&own_swings));
    println!("mean of the four, touched up over captured: lean {lean:.2}, swing {swing:.2}");
    bars.check((0.5..=1.5).contains(&lean), || format!("turns: lean {lean:.2} of the captured one"));
    bars.check((0.5..=1.5).contains(&swing), || format!("turns: trunk swings {swing:.2} of the captured one"));
}

/// Figure 6: from walking to jogging by plain blending; people lean ahead while they speed up, and so does the result.
pub fn speeding_up(folder: &Path, args: &Args, bars: &mut Bars) {
    println!("\nwalk to jog: lean ahead while speeding up, of atan(a/g)");
    for name in ["104_06", "104_53", "127_04"] {
        let Capture { clip, roles, body, .. } = Capture::read(folder, &format!("transition/{name}.bvh"));
        let SpeedingUp { lean_deg, needed_deg, correlation } = ahead(&Turning::of(&clip, &roles, &body, Side::Left));
        println!(
            "captured {name:7} {lean_deg:5.1}° of {needed_deg:4.1}° more than at even speed (correlation {correlation:.2})"
        );
        bars.check(lean_deg > 0.0, || format!("captured {name}: leans {lean_deg:.1}°"));
    }
    for (walk, jog) in [("16_15", "16_35"), ("35_01", "35_17"), ("02_01", "02_03")] {
        let a = Capture::read(folder, &format!("walk-straight/{walk}.bvh"));
        let b = Capture::read(folder, &format!("run/{jog}.bvh"));
        let (until, window) = (0.5 * a.clip.duration_secs(), 0.6_f64.min(0.45 * b.clip.duration_secs()));
        let change = Transition { from_secs: until, to_secs: until + window, into_secs: None };
        let made = change.apply(&a.clip, &b.clip).unwrap().clip;
        let contacts = Take::new(made.clone(), a.roles.clone(), a.body.clone()).into_inspection().unwrap().contacts;
        let done = touch_up(
            &Take::new(made.clone(), a.roles.clone(), a.body.clone()).with_known_contacts(contacts.clone(), None),
            &args.options,
        )
        .unwrap();
        let [before, after] = [&made, &done.clip].map(|clip| ahead(&Turning::of(clip, &a.roles, &a.body, Side::Left)));
        let share = after.share();
        let SpeedingUp { lean_deg, needed_deg, correlation } = after;
        println!(
            "{walk} -> {jog}: {lean_deg:4.1}° of {needed_deg:4.1}° = {share:3.0} % (correlation {correlation:.2}; blended only {:.1}° of {:.1}°), ZMP {:.1} -> {:.1} cm",
            before.lean_deg,
            before.needed_deg,
            done.before.mean_m * 100.0,
            done.after.mean_m * 100.0
        );
        bars.check((50.0..=150.0).contains(&share), || format!("{walk} -> {jog}: leans {share:.0} % of atan(a/g)"));
    }
}
