// What C code does, told to the fuzzer: each branch calls here, and libFuzzer reads this section as counters beside its own.
// gcc and clang can both do this (-fsanitize-coverage=trace-pc); what libFuzzer counts by itself needs clang, and its own function of
// this name only says so and ends, hence the name that the linker puts in its place (build.rs).
#include <stdint.h>

#ifdef __clang__
#define NOT_ITSELF __attribute__((no_sanitize("coverage", "address", "undefined")))
#else
#define NOT_ITSELF __attribute__((no_sanitize_coverage, no_sanitize_address, no_sanitize_undefined))
#endif

#define COUNTERS 65536

__attribute__((used, section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

NOT_ITSELF void __wrap___sanitizer_cov_trace_pc(void) {
    // From here, not from zero: programs are loaded at another place each time. The code of ufbx is some 600 kB long; a product with
    // an odd number spreads it over the counters.
    uintptr_t place = (uintptr_t)__builtin_return_address(0) - (uintptr_t)&__wrap___sanitizer_cov_trace_pc;
    counters[(uint32_t)((uint32_t)place * 2654435761u) >> 16]++;
}

// Comparisons of whole numbers go to libFuzzer; gcc tells of these too, which it does not know.
NOT_ITSELF void __sanitizer_cov_trace_cmpf(float a, float b) { (void)a, (void)b; }
NOT_ITSELF void __sanitizer_cov_trace_cmpd(double a, double b) { (void)a, (void)b; }
