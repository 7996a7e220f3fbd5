//! Force plates in a table: columns such as `ground_force_vx`, `1_ground_force_px`, `ground_force_r_vy`,
//! `R_ground_torque_y`.

use super::mot::Table;
use glam::DVec3;

/// What one plate (or one foot on plates) measured: the force on the body, where it acts, and the couple there. World
/// axes, Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct ForcePlate {
    /// What its columns have in common: `ground_force`, `1_ground_force`, `ground_force_r`.
    pub name: String,
    /// N, one a row. Cells without a value count as no force.
    pub force_n: Vec<DVec3>,
    /// Centre of pressure, m; `None` where the file has none.
    pub point_m: Vec<Option<DVec3>>,
    /// Free moment at that point, N m.
    pub torque_n_m: Vec<DVec3>,
}

/// All plates of a table, in the order of their columns. Names may repeat (older files call every plate
/// `ground_force`): the n-th `vx` belongs to the n-th `vy`.
pub fn force_plates(table: &Table) -> Vec<ForcePlate> {
    let mut plates: Vec<ForcePlate> = Vec::new();
    for (index, name) in table.columns.iter().enumerate() {
        let Some(stem) = strip_suffix(name, "_vx") else { continue };
        let repeat = table.columns[..index].iter().filter(|other| *other == name).count();
        let nth = |wanted: &str| {
            let same = |(_, other): &(usize, &String)| other.eq_ignore_ascii_case(wanted);
            table.columns.iter().enumerate().filter(same).nth(repeat).map(|(column, _)| column)
        };
        let triple = |names: [String; 3]| {
            let [x, y, z] = names.map(|name| nth(&name));
            Some([x?, y?, z?])
        };
        let ending = |stem: &str, letter: &str| ["x", "y", "z"].map(|axis| format!("{stem}_{letter}{axis}"));
        let Some(force) = triple(ending(stem, "v")) else { continue };
        let point = triple(ending(stem, "p"));
        let as_torque = |word: &str| stem.to_ascii_lowercase().replace("force", word);
        let torque = triple(ending(stem, "m"))
            .or_else(|| triple(ending(&as_torque("torque"), "")))
            .or_else(|| triple(ending(&as_torque("moment"), "")));
        let vector = |row: usize, columns: [usize; 3]| {
            let [x, y, z] = columns.map(|column| table.value(row, column));
            Some(DVec3::new(x?, y?, z?))
        };
        let rows = 0..table.rows();
        plates.push(ForcePlate {
            name: stem.to_owned(),
            force_n: rows.clone().map(|row| vector(row, force).unwrap_or(DVec3::ZERO)).collect(),
            point_m: rows.clone().map(|row| vector(row, point?)).collect(),
            torque_n_m: rows.map(|row| torque.and_then(|torque| vector(row, torque)).unwrap_or(DVec3::ZERO)).collect(),
        });
    }
    plates
}

fn strip_suffix<'a>(name: &'a str, ending: &str) -> Option<&'a str> {
    let at = name.len().checked_sub(ending.len())?;
    let (stem, tail) = name.split_at_checked(at)?;
    tail.eq_ignore_ascii_case(ending).then_some(stem)
}
