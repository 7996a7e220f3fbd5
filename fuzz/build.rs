//! The counters of C code, for builds that have it call them (`cargo xtask fuzz`).

fn main() {
    println!("cargo:rerun-if-changed=src/coverage.c");
    cc::Build::new().file("src/coverage.c").compile("coverage");
    println!("cargo:rustc-link-arg-bins=-Wl,--wrap=__sanitizer_cov_trace_pc");
}
