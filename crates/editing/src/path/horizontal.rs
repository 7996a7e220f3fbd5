//! The path on the ground: as rigid as possible through the handles (Lockwood & Singh 2011, sections 3.2 and 4.2).
//!
//! Stage 1, free of scale: each point keeps its place in the frame of its two neighbours (eq. 1–3),
//!
//! ```text
//!   min Σ w̄ᵢ |p̄ᵢ − p̄ᵢ₋₁ − cᵢ (p̄ᵢ₊₁ − p̄ᵢ₋₁)|²,   cᵢ = (pᵢ − pᵢ₋₁)/(pᵢ₊₁ − pᵢ₋₁),   w̄ᵢ = 1/|pᵢ₊₁ − pᵢ₋₁|
//! ```
//!
//! with handles as hard constraints and flights eliminated as similar copies. In complex numbers it is one Hermitian
//! band of half-width 2 that depends on the original only: factored once, solved for every drag. Solved for is what is
//! left after the similarity that fits the handles best, which costs nothing (the energy is zero for it) and makes
//! identity and rigid motions exact.
//!
//! Stage 2, lengths: edges ēᵢ of stage 1 at their original lengths ℓᵢ, times the segment's scale factor s (eq. 4, 5;
//! the printed ē has lost that its denominator is the scale-free length). Between hard handles the minimum is closed:
//! êᵢ = s ēᵢ + (ℓᵢ/L)(Δh − s Σē). s is where the segment is only bent: Σ|êᵢ| = s L, by Newton's method on a convex
//! function.

use super::ground_plane::{length, turn};
use super::keys::SolvedKeys;
use super::{HandleIssue, ScaleFactors};
use crate::EditingError;
use aplomb_numerics::{HermitianBand, HermitianCholesky};
use num_complex::Complex64;

/// Chords shorter than this weigh as if they had this length (weights only: a similarity still costs nothing), m.
const LEAST_CHORD_M: f64 = 0.002;
/// Scale factors beyond these bounds are absurd.
const SCALE_BOUNDS: (f64, f64) = (0.05, 20.0);
/// Newton steps to a scale factor, at most.
const MOST_SCALE_STEPS: usize = 30;

/// What a coefficient of a residual belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Variable {
    /// A free point.
    Unknown(usize),
    /// A handle, known at each drag.
    Handle(usize),
    /// The offset of a flight on the spot, turned with a pair of handles.
    Turned { offset_m: Complex64, pair: Option<(usize, usize)> },
}

/// Of the right side: row −= coefficient · value.
#[derive(Clone, Copy, Debug)]
struct KnownTerm {
    row: usize,
    coefficient: Complex64,
    variable: Variable,
}

/// The factored problem of one clip.
#[derive(Clone, Debug)]
pub(super) struct Horizontal {
    pub solved: SolvedKeys,
    original_m: Vec<Complex64>,
    /// Per solved key: its unknown, or the handle it is.
    variables: Vec<Variable>,
    known: Vec<KnownTerm>,
    factor: HermitianCholesky,
}

/// Buffers and result of one drag.
#[derive(Clone, Debug, Default)]
pub(super) struct Deformed {
    unknowns: Vec<Complex64>,
    /// Solved keys after stage 1, then after stage 2.
    solved_m: Vec<Complex64>,
    /// Per segment.
    pub scales: Vec<f64>,
    /// All keys.
    pub points_m: Vec<Complex64>,
    /// How much the direction of the path turned at each key, counted on beyond half turns.
    pub turn_rad: Vec<f64>,
    pub issues: Vec<HandleIssue>,
}

impl Horizontal {
    pub fn new(solved: SolvedKeys, ground_m: &[Complex64]) -> Result<Self, EditingError> {
        let count = solved.keys.len();
        let mut unknowns = 0;
        let variables: Vec<Variable> = (0..count)
            .map(|index| match solved.handles.binary_search(&index) {
                Ok(handle) => Variable::Handle(handle),
                Err(_) => {
                    unknowns += 1;
                    Variable::Unknown(unknowns - 1)
                }
            })
            .collect();
        let mut band = HermitianBand::zero(unknowns, 2);
        let mut known = Vec::new();
        let at = |index: usize| ground_m[solved.keys[index]];
        for index in 1..count - 1 {
            let before = neighbour(&solved, &variables, ground_m, index, false);
            let after = neighbour(&solved, &variables, ground_m, index, true);
            let chord_m = after.at_m - before.at_m;
            let back_m = at(index) - before.at_m;
            // Times the chord: chord·p − back·p_after − (chord − back)·p_before, which is zero for every similar copy.
            let mut terms = vec![(variables[index], chord_m)];
            terms.extend(after.terms.iter().map(|&(variable, share)| (variable, -back_m * share)));
            terms.extend(before.terms.iter().map(|&(variable, share)| (variable, (back_m - chord_m) * share)));
            add(&mut band, &mut known, &terms, chord_m.norm().max(LEAST_CHORD_M).powi(-3));
        }
        // Points in one place stay in one place; without this a free one of three would be held by nothing.
        for (index, edge) in solved.edges.iter().enumerate().filter(|(_, edge)| edge.length_m < 1e-7) {
            debug_assert!(edge.length_m >= 0.0);
            let terms = [(variables[index], Complex64::ONE), (variables[index + 1], -Complex64::ONE)];
            add(&mut band, &mut known, &terms, LEAST_CHORD_M.recip());
        }
        let factor = HermitianCholesky::factor(band)?;
        Ok(Self { solved, original_m: ground_m.to_vec(), variables, known, factor })
    }

    /// The path through these handles. Allocates only for a clip the buffers have not seen.
    pub fn deform(
        &self,
        from_m: &[Complex64],
        to_m: &[Complex64],
        scale: ScaleFactors,
        still: &[f64],
        out: &mut Deformed,
    ) -> Result<(), EditingError> {
        out.issues.clear();
        self.scale_free(from_m, to_m, out)?;
        self.scale_adjusted(to_m, scale, out);
        self.fill(from_m, to_m, out);
        self.turns(still, out);
        Ok(())
    }

    fn scale_free(&self, from_m: &[Complex64], to_m: &[Complex64], out: &mut Deformed) -> Result<(), EditingError> {
        let (a, b) = similarity(from_m, to_m);
        let rows = self.variables.iter().filter(|variable| matches!(variable, Variable::Unknown(_))).count();
        out.unknowns.clear();
        out.unknowns.resize(rows, Complex64::ZERO);
        for known in &self.known {
            let beyond_m = match known.variable {
                Variable::Handle(handle) => to_m[handle] - (a * from_m[handle] + b),
                Variable::Turned { offset_m, pair } => offset_m * (pair_turn(pair, from_m, to_m) - a),
                Variable::Unknown(_) => Complex64::ZERO,
            };
            out.unknowns[known.row] -= known.coefficient * beyond_m;
        }
        self.factor.solve(&mut out.unknowns)?;
        out.solved_m.clear();
        out.solved_m.extend(self.variables.iter().zip(&self.solved.keys).map(|(variable, &key)| match *variable {
            Variable::Handle(handle) => to_m[handle],
            Variable::Unknown(row) => a * self.original_m[key] + b + out.unknowns[row],
            Variable::Turned { .. } => Complex64::ZERO,
        }));
        Ok(())
    }

    fn scale_adjusted(&self, to_m: &[Complex64], scale: ScaleFactors, out: &mut Deformed) {
        let segments = to_m.len() - 1;
        out.scales.clear();
        let edges = &self.solved.edges;
        // ē replaces the point at the start of each edge while segments are solved; the last point is a handle.
        for (index, edge) in edges.iter().enumerate() {
            let way_m = out.solved_m[index + 1] - out.solved_m[index];
            let length_m = length(way_m);
            out.solved_m[index] = if length_m > 0.0 { way_m * (edge.length_m / length_m) } else { Complex64::ZERO };
        }
        let parts = |index: usize| {
            let range = self.solved.segment(index);
            PathSegment { edges: &edges[range.clone()], chord_m: to_m[index + 1] - to_m[index], range }
        };
        let shared = match scale {
            ScaleFactors::One => 1.0,
            ScaleFactors::PerSegment => f64::NAN,
            ScaleFactors::Single => root(|s| {
                let sums = (0..segments).map(|index| parts(index).excess(&out.solved_m, s));
                sums.fold((0.0, 0.0), |sum, next| (sum.0 + next.0, sum.1 + next.1))
            }),
        };
        for (index, &start_m) in to_m.iter().enumerate().take(segments) {
            let segment = parts(index);
            let s = match scale {
                ScaleFactors::PerSegment => root(|s| segment.excess(&out.solved_m, s)),
                _ => shared,
            };
            if s <= SCALE_BOUNDS.0 || s >= SCALE_BOUNDS.1 {
                out.issues.push(HandleIssue::Clamped { segment: index, scale: s });
            }
            out.scales.push(s);
            segment.place(&mut out.solved_m, start_m, s);
        }
        out.solved_m[edges.len()] = to_m[segments];
    }

    /// Every key, from the solved ones; flights as similar copies. Riders need the turns, which need only the solved
    /// keys and the flights.
    fn fill(&self, from_m: &[Complex64], to_m: &[Complex64], out: &mut Deformed) {
        out.points_m.resize(self.original_m.len(), Complex64::ZERO);
        for (&key, &point_m) in self.solved.keys.iter().zip(&out.solved_m) {
            out.points_m[key] = point_m;
        }
        for (index, flight) in self.solved.edges.iter().enumerate().filter_map(|(i, it)| Some((i, it.flight.as_ref()?)))
        {
            let (a, b) = (out.solved_m[index], out.solved_m[index + 1]);
            let turned = pair_turn(flight.pair, from_m, to_m);
            for inner in &flight.inner {
                out.points_m[inner.key] = a + inner.share * (b - a) + inner.offset_m * turned;
            }
        }
    }

    /// arg of new over old direction, by central differences; between keys that have a direction it runs evenly. Where
    /// the body stands (`still` near 1) it is smoothed: a standing turn pulled straight would spin.
    fn turns(&self, still: &[f64], out: &mut Deformed) {
        out.turn_rad.resize(self.original_m.len(), 0.0);
        let directed = &self.solved.directed;
        let last = directed.len() - 1;
        let (mut turn_rad, mut turned_so_far) = (0.0, Complex64::ONE);
        for index in 0..=last {
            let (mut before, mut after) = (directed[index.saturating_sub(1)], directed[(index + 1).min(last)]);
            // A flight on the spot has no direction: at its ends it is that of the ground beside it.
            if self.is_on_the_spot(directed[index], after) && before < directed[index] {
                after = directed[index];
            } else if self.is_on_the_spot(before, directed[index]) && after > directed[index] {
                before = directed[index];
            }
            let old_m = self.original_m[after] - self.original_m[before];
            let new_m = out.points_m[after] - out.points_m[before];
            let turned = new_m * old_m.conj();
            let size = length(turned);
            if size > 1e-12 {
                turn_rad += (turned * turned_so_far.conj()).arg();
                turned_so_far = turned / size;
            }
            out.turn_rad[directed[index]] = turn_rad;
            if index > 0 {
                let (from, to) = (directed[index - 1], directed[index]);
                let (start_rad, end_rad) = (out.turn_rad[from], out.turn_rad[to]);
                for key in from + 1..to {
                    let share = (key - from) as f64 / (to - from) as f64;
                    out.turn_rad[key] = start_rad + share * (end_rad - start_rad);
                }
            }
        }
        smooth_where_still(still, &mut out.turn_rad);
        for rider in &self.solved.riders {
            let (a, b) = (out.solved_m[rider.edge], out.solved_m[rider.edge + 1]);
            let offset_m = rider.offset_m * turn(out.turn_rad[rider.key]);
            out.points_m[rider.key] = a + (b - a) * rider.share + offset_m;
        }
    }
}

impl Horizontal {
    /// Whether there is a flight between two keys that goes nowhere.
    fn is_on_the_spot(&self, start: usize, end: usize) -> bool {
        self.solved.on_the_spot.iter().any(|flight| (flight.start, flight.end) == (start, end))
    }
}

/// One segment's edges, with ē in the place of each edge's first point.
struct PathSegment<'a> {
    edges: &'a [super::keys::Edge],
    chord_m: Complex64,
    range: std::ops::Range<usize>,
}

impl PathSegment<'_> {
    fn share(&self, edge: usize, total_m: f64) -> f64 {
        if total_m > 0.0 { self.edges[edge].length_m / total_m } else { 1.0 / self.edges.len() as f64 }
    }

    fn totals(&self, slots: &[Complex64]) -> (f64, Complex64) {
        let total_m = self.edges.iter().map(|edge| edge.length_m).sum();
        (total_m, slots[self.range.clone()].iter().sum())
    }

    /// Σ|ê| − s L and its derivative by s.
    fn excess(&self, slots: &[Complex64], s: f64) -> (f64, f64) {
        let (total_m, sum_m) = self.totals(slots);
        let (mut excess_m, mut rate_m) = (-s * total_m, -total_m);
        for (edge, way_m) in slots[self.range.clone()].iter().enumerate() {
            let share = self.share(edge, total_m);
            let bend_m = way_m - sum_m * share;
            let edge_m = bend_m * s + self.chord_m * share;
            let length_m = length(edge_m);
            excess_m += length_m;
            if length_m > 0.0 {
                rate_m += (edge_m.conj() * bend_m).re / length_m;
            }
        }
        (excess_m, rate_m)
    }

    /// Puts the points in the place of ē.
    fn place(&self, slots: &mut [Complex64], start_m: Complex64, s: f64) {
        let (total_m, sum_m) = self.totals(slots);
        let mut point_m = start_m;
        for (edge, slot) in slots[self.range.clone()].iter_mut().enumerate() {
            let share = self.share(edge, total_m);
            let edge_m = *slot * s + (self.chord_m - sum_m * s) * share;
            *slot = point_m;
            point_m += edge_m;
        }
    }
}

/// The root of a convex function that starts positive: Newton's steps from its left never pass it. Without a root, its
/// lowest place.
fn root(excess: impl Fn(f64) -> (f64, f64)) -> f64 {
    let mut s: f64 = 1.0;
    let mut is_first = true;
    for _ in 0..MOST_SCALE_STEPS {
        let (value, rate) = excess(s);
        if rate >= 0.0 {
            if !is_first {
                return s;
            }
            // Beyond the lowest place: the root, if there is one, lies to the left of it.
            s = SCALE_BOUNDS.0;
            is_first = false;
            continue;
        }
        is_first = false;
        let next = (s - value / rate).clamp(SCALE_BOUNDS.0, SCALE_BOUNDS.1);
        if (next - s).abs() <= 1e-13 * s {
            return next;
        }
        s = next;
    }
    s
}

/// The point before or after a solved key, as a combination of variables. Beside a flight it is the flight's nearest
/// key.
struct Neighbour {
    at_m: Complex64,
    terms: Vec<(Variable, Complex64)>,
}

fn neighbour(
    solved: &SolvedKeys,
    variables: &[Variable],
    ground_m: &[Complex64],
    index: usize,
    is_after: bool,
) -> Neighbour {
    let (edge, other) = if is_after { (index, index + 1) } else { (index - 1, index - 1) };
    let flight = solved.edges[edge].flight.as_ref();
    let inner = flight.and_then(|flight| if is_after { flight.inner.first() } else { flight.inner.last() });
    let (Some(inner), Some(flight)) = (inner, flight) else {
        return Neighbour { at_m: ground_m[solved.keys[other]], terms: vec![(variables[other], Complex64::ONE)] };
    };
    let turned = Variable::Turned { offset_m: inner.offset_m, pair: flight.pair };
    let terms = vec![
        (variables[edge], Complex64::ONE - inner.share),
        (variables[edge + 1], inner.share),
        (turned, Complex64::ONE),
    ];
    Neighbour { at_m: ground_m[inner.key], terms }
}

/// Adds w |Σ c·x|² to the normal equations.
fn add(band: &mut HermitianBand, known: &mut Vec<KnownTerm>, terms: &[(Variable, Complex64)], weight: f64) {
    for &(variable, own) in terms {
        let Variable::Unknown(row) = variable else { continue };
        for &(other, value) in terms {
            let coefficient = own.conj() * value * weight;
            match other {
                Variable::Unknown(column) if column <= row => band.add(row, column, coefficient),
                Variable::Unknown(_) => {}
                _ => known.push(KnownTerm { row, coefficient, variable: other }),
            }
        }
    }
}

/// a and b of the least Σ|to − (a·from + b)|².
fn similarity(from_m: &[Complex64], to_m: &[Complex64]) -> (Complex64, Complex64) {
    let count = from_m.len() as f64;
    let (mean_from, mean_to) = (from_m.iter().sum::<Complex64>() / count, to_m.iter().sum::<Complex64>() / count);
    let mut product = Complex64::ZERO;
    let mut spread = 0.0;
    for (from, to) in from_m.iter().zip(to_m) {
        product += (from - mean_from).conj() * (to - mean_to);
        spread += (from - mean_from).norm_sqr();
    }
    // Handles in one place: only a shift can be found.
    let a = if spread > 1e-12 { product / spread } else { Complex64::ONE };
    // Unmoved handles: no turn, not even by rounding.
    let a = if from_m == to_m { Complex64::ONE } else { a };
    let b = if from_m == to_m { Complex64::ZERO } else { mean_to - a * mean_from };
    (a, b)
}

fn pair_turn(pair: Option<(usize, usize)>, from_m: &[Complex64], to_m: &[Complex64]) -> Complex64 {
    let Some((a, b)) = pair else { return Complex64::ONE };
    let turned = (to_m[b] - to_m[a]) * (from_m[b] - from_m[a]).conj();
    if turned.norm() > 1e-12 { turned / turned.norm() } else { Complex64::ONE }
}

/// A running mean over neighbours, by as much as the body stands: a few passes of ¼, ½, ¼.
fn smooth_where_still(still: &[f64], turn_rad: &mut [f64]) {
    const PASSES: usize = 8;
    if still.iter().all(|&share| share == 0.0) {
        return;
    }
    for _ in 0..PASSES {
        let mut before = turn_rad[0];
        for key in 1..turn_rad.len().saturating_sub(1) {
            let here = turn_rad[key];
            let mean = 0.25 * (before + turn_rad[key + 1]) + 0.5 * here;
            before = here;
            turn_rad[key] = here + still[key] * (mean - here);
        }
    }
}
