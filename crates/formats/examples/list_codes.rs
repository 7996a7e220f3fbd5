//! Prints `docs/diagnostics.md`.

fn main() {
    println!("# Diagnostics\n");
    println!(
        "Codes are stable: match on them, never on the wording. E is an error, W a warning, N a note. In `--strict` mode warnings about"
    );
    println!(
        "the grammar come as errors under the same code. This page is printed by `cargo run -p aplomb-formats --example list_codes`."
    );
    let tables: [(&str, &[(&str, &str)]); 9] = [
        ("BVH", aplomb_formats::bvh::codes::TABLE),
        ("ASF and AMC", aplomb_formats::asf_amc::codes::CODES),
        ("GLB and glTF", aplomb_formats::gltf::codes::TABLE),
        ("FBX", aplomb_formats::fbx::codes::TABLE),
        ("C3D", aplomb_formats::c3d::codes::TABLE),
        ("npz", aplomb_formats::npz::codes::TABLE),
        ("USD", aplomb_formats::usda::CODES),
        ("Markers (TRC) and tables (MOT, STO)", aplomb_formats::opensim::codes::TABLE),
        ("Files, unit and up axis, roles", aplomb_formats::codes::TABLE),
    ];
    for (title, table) in tables {
        println!("\n## {title}\n\n| code | meaning |\n|---|---|");
        for (code, meaning) in table {
            println!("| `{code}` | {meaning} |");
        }
    }
}
