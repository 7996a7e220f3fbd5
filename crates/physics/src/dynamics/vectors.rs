//! The widest vector instructions of the processor at hand.

/// Runs `work` compiled for them (AVX2 where there is one). Everything it calls must be `#[inline(always)]` to take part. Results do not
/// depend on the choice: sums keep their order, and nothing is fused.
#[inline(always)]
pub(super) fn with_wide_vectors<R>(work: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(work)
}
