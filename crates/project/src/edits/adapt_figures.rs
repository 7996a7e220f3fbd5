//! Curves of an adaptation for its page: what the ground carries, what joints are asked, and what stays unexplained.

use super::curve_figure::CurveFigure;
use aplomb_editing::adapt::{AdaptReport, ForceTable};

/// Torques of this many joints are drawn: those that are asked most.
const MOST_JOINTS: usize = 3;

/// `fitted` are the forces of the clip as it was fitted to dynamics, `adapted` those of the result.
pub(super) fn figures(fitted: &ForceTable, adapted: &ForceTable, report: &AdaptReport) -> Vec<CurveFigure> {
    let mut figures = Vec::new();
    let both = |curve: &dyn Fn(&ForceTable) -> Vec<[f64; 2]>| {
        vec![("the clip, fitted".to_owned(), curve(fitted)), ("adapted".to_owned(), curve(adapted))]
    };
    figures.push(CurveFigure {
        title: "What carries the body".to_owned(),
        subtitle: "upward force of all contacts, body weights".to_owned(),
        curves: both(&|table| sum(table, |name| name.ends_with("_y_n"), 1.0 / table.weight_n)),
        marks: Vec::new(),
    });
    let of_side =
        |side: &str| sum(adapted, |name| name.starts_with(side) && name.ends_with("_y_n"), 1.0 / adapted.weight_n);
    figures.push(CurveFigure {
        title: "Left and right".to_owned(),
        subtitle: "upward force of each foot or hand in the result, body weights".to_owned(),
        curves: vec![("left".to_owned(), of_side("left")), ("right".to_owned(), of_side("right"))],
        marks: Vec::new(),
    });
    for (link, peak_nm) in most_asked(adapted) {
        let bound = report.torques_over.iter().find(|over| format!("{}_nm", over.link) == link);
        let name = link.trim_end_matches("_nm").to_owned();
        let over = bound.map_or_else(String::new, |over| format!(", allowed {:.0}", over.bound_nm));
        figures.push(CurveFigure {
            title: format!("Torque of {name}"),
            subtitle: format!("largest about any axis of the joint, N\u{b7}m; peak {peak_nm:.0}{over}"),
            curves: both(&|table| sum(table, |column| column == link, 1.0)),
            marks: Vec::new(),
        });
    }
    figures.push(CurveFigure {
        title: "What stays unexplained".to_owned(),
        subtitle: format!(
            "force at the root that nothing gives, % of body weight; {:.1} or less for 95 % of the time",
            100.0 * report.between.force_p95
        ),
        curves: both(&|table| sum(table, |name| name == "unexplained_n", 100.0 / table.weight_n)),
        marks: Vec::new(),
    });
    figures
}

/// Joints with the highest peaks.
fn most_asked(table: &ForceTable) -> Vec<(String, f64)> {
    let is_torque = |name: &str| name.ends_with("_nm") && name != "unexplained_nm";
    let mut peaks: Vec<(String, f64)> = table
        .columns
        .iter()
        .enumerate()
        .filter(|(_, name)| is_torque(name))
        .map(|(column, name)| (name.clone(), table.rows.iter().map(|row| row[column]).fold(0.0, f64::max)))
        .collect();
    peaks.sort_by(|a, b| b.1.total_cmp(&a.1));
    peaks.truncate(MOST_JOINTS);
    peaks
}

/// Columns that are meant, summed, over time.
fn sum(table: &ForceTable, is_meant: impl Fn(&str) -> bool, scale: f64) -> Vec<[f64; 2]> {
    let columns: Vec<usize> = (1..table.columns.len()).filter(|&column| is_meant(&table.columns[column])).collect();
    let value = |row: &Vec<f64>| [row[0], scale * columns.iter().map(|&column| row[column]).sum::<f64>()];
    table.rows.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: Vec<Vec<f64>>) -> ForceTable {
        let columns = [
            "time_secs",
            "left_ball_x_n",
            "left_ball_y_n",
            "right_ball_y_n",
            "Knee_nm",
            "Hip_nm",
            "unexplained_n",
            "unexplained_nm",
        ];
        ForceTable { columns: columns.map(str::to_owned).to_vec(), rows, weight_n: 400.0 }
    }

    #[test]
    fn forces_are_summed_in_body_weights_and_the_hardest_worked_joints_come_first() {
        let before = table(vec![vec![0.0, 9.0, 100.0, 300.0, 10.0, 20.0, 4.0, 900.0]]);
        let after = table(vec![vec![0.5, 9.0, 200.0, 400.0, 80.0, 30.0, 8.0, 900.0]]);
        let found = figures(&before, &after, &AdaptReport::default());
        assert_eq!(found[0].curves[0].1, vec![[0.0, 1.0]]);
        assert_eq!(found[0].curves[1].1, vec![[0.5, 1.5]]);
        assert_eq!(found[1].curves[1].1, vec![[0.5, 1.0]]);
        let titles: Vec<&str> = found.iter().map(|figure| figure.title.as_str()).collect();
        assert_eq!(
            titles,
            ["What carries the body", "Left and right", "Torque of Knee", "Torque of Hip", "What stays unexplained"]
        );
        assert_eq!(found[4].curves[1].1, vec![[0.5, 2.0]]);
    }
}
