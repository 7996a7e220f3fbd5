//! Sums of products four at a time, by the vector instructions of the processor at hand. Products are added in one rounding, with the instruction
//! for it or (on processors made before 2013) a slow routine: results are the same on every machine.
//!
//! Left to itself the compiler makes single numbers of these sums. (`physics::dynamics` has the like for links of a body and stands on other
//! crates than this one.)

/// Whoever can calculate with four numbers at once.
pub(crate) trait Four: Copy {
    /// Four of them.
    type Numbers: Copy;
    fn zero(self) -> Self::Numbers;
    /// The first four of a slice.
    fn load(self, numbers: &[f64; 4]) -> Self::Numbers;
    /// a b + c.
    fn mul_add(self, a: Self::Numbers, b: Self::Numbers, c: Self::Numbers) -> Self::Numbers;
    fn store(self, numbers: Self::Numbers) -> [f64; 4];
}

/// Something to calculate with fours. What it calls must be `#[inline(always)]`, and no closure: otherwise it is compiled for no vectors.
pub(crate) trait FourWork {
    type Output;
    fn run<F: Four>(self, four: F) -> Self::Output;
}

/// Calculates with AVX2 and fused products where the processor has them.
pub(crate) fn with_fours<W: FourWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(v3) = pulp::x86::V3::try_new() {
        return pulp::Simd::vectorize(v3, Wide(v3, work));
    }
    work.run(Plain)
}

/// Any processor.
#[derive(Clone, Copy)]
struct Plain;

impl Four for Plain {
    type Numbers = [f64; 4];

    #[inline(always)]
    fn zero(self) -> [f64; 4] {
        [0.0; 4]
    }

    #[inline(always)]
    fn load(self, numbers: &[f64; 4]) -> [f64; 4] {
        *numbers
    }

    #[inline(always)]
    fn mul_add(self, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
        [a[0].mul_add(b[0], c[0]), a[1].mul_add(b[1], c[1]), a[2].mul_add(b[2], c[2]), a[3].mul_add(b[3], c[3])]
    }

    #[inline(always)]
    fn store(self, numbers: [f64; 4]) -> [f64; 4] {
        numbers
    }
}

#[cfg(target_arch = "x86_64")]
struct Wide<W>(pulp::x86::V3, W);

#[cfg(target_arch = "x86_64")]
impl<W: FourWork> pulp::NullaryFnOnce for Wide<W> {
    type Output = W::Output;

    #[inline(always)]
    fn call(self) -> W::Output {
        self.1.run(self.0)
    }
}

#[cfg(target_arch = "x86_64")]
impl Four for pulp::x86::V3 {
    type Numbers = pulp::f64x4;

    #[inline(always)]
    fn zero(self) -> pulp::f64x4 {
        pulp::Simd::splat_f64s(self, 0.0)
    }

    #[inline(always)]
    fn load(self, &[a, b, c, d]: &[f64; 4]) -> pulp::f64x4 {
        pulp::f64x4(a, b, c, d)
    }

    #[inline(always)]
    fn mul_add(self, a: pulp::f64x4, b: pulp::f64x4, c: pulp::f64x4) -> pulp::f64x4 {
        pulp::Simd::mul_add_f64s(self, a, b, c)
    }

    #[inline(always)]
    fn store(self, pulp::f64x4(a, b, c, d): pulp::f64x4) -> [f64; 4] {
        [a, b, c, d]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sums;

    impl FourWork for Sums {
        type Output = [f64; 4];

        fn run<F: Four>(self, four: F) -> [f64; 4] {
            let a = four.load(&[0.1, 0.2, 0.3, 0.7]);
            let b = four.load(&[1.0 / 3.0, 3.0, 0.7, 1e9]);
            four.store(four.mul_add(a, b, four.mul_add(b, b, four.zero())))
        }
    }

    #[test]
    fn every_machine_gives_the_same_bits() {
        assert_eq!(with_fours(Sums), Sums.run(Plain));
    }
}
