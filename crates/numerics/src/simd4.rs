//! Four numbers at once, by the widest vector instructions of the processor at hand.
//!
//! Left to itself the compiler makes vectors of some of these loops and shuffles of others, so they are written out.
//! Products are added in one rounding wherever numbers stand in fours, with the instruction for it or without: results
//! are the same on every machine, and one without (made before 2013) pays with a slow routine.

/// Numbers of a vector.
pub const WIDE: usize = 4;

/// A processor feature that calculates with four numbers at once.
pub trait Four: Copy {
    /// Or sixteen, as there were before AVX-512.
    const HAS_THIRTY_TWO_REGISTERS: bool;
    /// Four of them.
    type Numbers: Copy;
    /// From memory.
    fn load(self, numbers: [f64; 4]) -> Self::Numbers;
    /// To memory.
    fn store(self, numbers: Self::Numbers) -> [f64; 4];
    /// One number four times.
    fn splat(self, number: f64) -> Self::Numbers;
    /// a b.
    fn mul(self, a: Self::Numbers, b: Self::Numbers) -> Self::Numbers;
    /// a b + c.
    fn mul_add(self, a: Self::Numbers, b: Self::Numbers, c: Self::Numbers) -> Self::Numbers;
    /// c − a b.
    fn minus_mul(self, a: Self::Numbers, b: Self::Numbers, c: Self::Numbers) -> Self::Numbers;
}

/// Something to calculate with fours. Every function that it calls must be `#[inline(always)]` to be compiled for them,
/// and fours must not go through closures (`map`, `for_each`), which the compiler calls instead: plain loops.
pub trait FourWork {
    /// What comes of it.
    type Output;
    /// The work.
    fn run<F: Four>(self, four: F) -> Self::Output;
}

/// Calculates with the widest vectors there are (AVX2 with fused products where the processor has them).
#[inline(always)]
pub fn with_fours<W: FourWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(v4) = pulp::x86::V4::try_new() {
        return pulp::Simd::vectorize(v4, Wide(ManyRegisters(*v4), work));
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(v3) = pulp::x86::V3::try_new() {
        return pulp::Simd::vectorize(v3, Wide(v3, work));
    }
    work.run(Plain)
}

/// Any processor.
#[derive(Clone, Copy)]
struct Plain;

#[inline(always)]
fn each(value: impl Fn(usize) -> f64) -> [f64; 4] {
    [value(0), value(1), value(2), value(3)]
}

impl Four for Plain {
    const HAS_THIRTY_TWO_REGISTERS: bool = false;
    type Numbers = [f64; 4];

    #[inline(always)]
    fn load(self, numbers: [f64; 4]) -> [f64; 4] {
        numbers
    }

    #[inline(always)]
    fn store(self, numbers: [f64; 4]) -> [f64; 4] {
        numbers
    }

    #[inline(always)]
    fn splat(self, number: f64) -> [f64; 4] {
        [number; 4]
    }

    #[inline(always)]
    fn mul(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        each(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn mul_add(self, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
        each(|lane| a[lane].mul_add(b[lane], c[lane]))
    }

    #[inline(always)]
    fn minus_mul(self, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
        each(|lane| (-a[lane]).mul_add(b[lane], c[lane]))
    }
}

#[cfg(target_arch = "x86_64")]
struct Wide<F, W>(F, W);

#[cfg(target_arch = "x86_64")]
impl<F: Four, W: FourWork> pulp::NullaryFnOnce for Wide<F, W> {
    type Output = W::Output;

    #[inline(always)]
    fn call(self) -> W::Output {
        self.1.run(self.0)
    }
}

#[cfg(target_arch = "x86_64")]
impl Four for pulp::x86::V3 {
    const HAS_THIRTY_TWO_REGISTERS: bool = false;
    type Numbers = pulp::f64x4;

    #[inline(always)]
    fn load(self, [a, b, c, d]: [f64; 4]) -> pulp::f64x4 {
        pulp::f64x4(a, b, c, d)
    }

    #[inline(always)]
    fn store(self, numbers: pulp::f64x4) -> [f64; 4] {
        let pulp::f64x4(a, b, c, d) = numbers;
        [a, b, c, d]
    }

    #[inline(always)]
    fn splat(self, number: f64) -> pulp::f64x4 {
        pulp::Simd::splat_f64s(self, number)
    }

    #[inline(always)]
    fn mul(self, a: pulp::f64x4, b: pulp::f64x4) -> pulp::f64x4 {
        pulp::Simd::mul_f64s(self, a, b)
    }

    #[inline(always)]
    fn mul_add(self, a: pulp::f64x4, b: pulp::f64x4, c: pulp::f64x4) -> pulp::f64x4 {
        pulp::Simd::mul_add_f64s(self, a, b, c)
    }

    #[inline(always)]
    fn minus_mul(self, a: pulp::f64x4, b: pulp::f64x4, c: pulp::f64x4) -> pulp::f64x4 {
        pulp::Simd::negate_mul_add_f64s(self, a, b, c)
    }
}

/// The same instructions on the same four numbers where AVX-512 doubles the registers.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct ManyRegisters(pulp::x86::V3);

#[cfg(target_arch = "x86_64")]
impl Four for ManyRegisters {
    const HAS_THIRTY_TWO_REGISTERS: bool = true;
    type Numbers = pulp::f64x4;

    #[inline(always)]
    fn load(self, numbers: [f64; 4]) -> pulp::f64x4 {
        self.0.load(numbers)
    }

    #[inline(always)]
    fn store(self, numbers: pulp::f64x4) -> [f64; 4] {
        Four::store(self.0, numbers)
    }

    #[inline(always)]
    fn splat(self, number: f64) -> pulp::f64x4 {
        Four::splat(self.0, number)
    }

    #[inline(always)]
    fn mul(self, a: pulp::f64x4, b: pulp::f64x4) -> pulp::f64x4 {
        Four::mul(self.0, a, b)
    }

    #[inline(always)]
    fn mul_add(self, a: pulp::f64x4, b: pulp::f64x4, c: pulp::f64x4) -> pulp::f64x4 {
        Four::mul_add(self.0, a, b, c)
    }

    #[inline(always)]
    fn minus_mul(self, a: pulp::f64x4, b: pulp::f64x4, c: pulp::f64x4) -> pulp::f64x4 {
        Four::minus_mul(self.0, a, b, c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sums;

    impl FourWork for Sums {
        type Output = [[f64; 4]; 3];

        fn run<F: Four>(self, four: F) -> Self::Output {
            let (a, b) = (four.load([0.1, 0.2, 0.3, 0.7]), four.splat(1.0 / 3.0));
            let product = four.mul(a, b);
            [product, four.mul_add(a, product, b), four.minus_mul(product, a, b)].map(|numbers| four.store(numbers))
        }
    }

    #[test]
    fn every_machine_gives_the_same_bits() {
        assert_eq!(with_fours(Sums), Sums.run(Plain));
    }
}
