//! `docs/diagnostics.md` lists every code that a reader or writer can give, with its meaning, and no other.

use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn every_code_is_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let page = std::fs::read_to_string(path).expect("docs/diagnostics.md");
    let documented: BTreeMap<&str, &str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | ")).collect();
    let tables: [&[(&str, &str)]; 9] = [
        aplomb_formats::bvh::codes::TABLE,
        aplomb_formats::asf_amc::codes::CODES,
        aplomb_formats::gltf::codes::TABLE,
        aplomb_formats::fbx::codes::TABLE,
        aplomb_formats::c3d::codes::TABLE,
        aplomb_formats::npz::codes::TABLE,
        aplomb_formats::usda::CODES,
        aplomb_formats::opensim::codes::TABLE,
        aplomb_formats::codes::TABLE,
    ];
    let known: BTreeMap<&str, &str> = tables.into_iter().flatten().copied().collect();
    assert_eq!(
        documented, known,
        "docs/diagnostics.md is out of date: `cargo run -p aplomb-formats --example list_codes`"
    );
}
