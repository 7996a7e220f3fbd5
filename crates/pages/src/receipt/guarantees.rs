//! What a blend keeps of physics, as a table.

use super::parts::MOST_RECEIPT_ROWS;
use crate::escape::html;
use std::fmt::Write;

/// What a blend was made of, and what was measured of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guarantees {
    /// Clips by name, with how much of each there is.
    pub weights: Vec<(String, String)>,
    /// In the order in which they are read.
    pub rows: Vec<GuaranteeRow>,
    /// What proofs ask of the clips: whether they have it, and in words.
    pub conditions: Vec<(bool, String)>,
}

/// One guarantee.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuaranteeRow {
    /// What is measured.
    pub what: String,
    /// What was found, with its unit.
    pub found: String,
    /// What it may be; empty where it is for information.
    pub bar: String,
    /// Whether it is; nothing where there is no bar.
    pub holds: Option<bool>,
}

/// The card.
pub(super) fn section(it: &Guarantees) -> String {
    let mut out = String::from(
        "    <section class=\"card path-card\" aria-label=\"What the blend keeps\"><h2>What the blend keeps <small>measured on its frames</small></h2>",
    );
    let weights = it.weights.iter().take(MOST_RECEIPT_ROWS);
    let weights: Vec<String> = weights.map(|(clip, weight)| format!("{} × {}", html(weight), html(clip))).collect();
    let _ = write!(out, "<p class=\"facts-line\">{}</p>", weights.join(" + "));
    out.push_str(
        "<div class=\"scroll whole\" tabindex=\"0\" aria-label=\"Guarantees\"><table><thead><tr><th scope=\"col\">Guarantee</th>\
         <th scope=\"col\" class=\"num\">Found</th><th scope=\"col\" class=\"num\">Allowed</th><th scope=\"col\">Kept</th></tr></thead><tbody>",
    );
    for row in it.rows.iter().take(MOST_RECEIPT_ROWS) {
        let kept = match row.holds {
            Some(true) => "yes",
            Some(false) => "<strong>no</strong>",
            None => "",
        };
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td>{kept}</td></tr>",
            html(&row.what),
            html(&row.found),
            html(&row.bar),
        );
    }
    out.push_str("</tbody></table></div>");
    for (holds, words) in it.conditions.iter().take(MOST_RECEIPT_ROWS) {
        let mark = if *holds { "met" } else { "not met" };
        let _ = write!(out, "<p class=\"facts-line\">Condition {mark}: {}.</p>", html(words));
    }
    out.push_str("</section>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_what_is_not_kept_is_seen() {
        let row = |holds| GuaranteeRow { what: "g".into(), found: "9.81".into(), bar: String::new(), holds };
        let out = section(&Guarantees {
            weights: vec![("<a>.bvh".into(), "0.5".into())],
            rows: vec![row(Some(false)), row(None)],
            conditions: vec![(false, "turns differ".into())],
        });
        assert!(out.contains("&lt;a&gt;.bvh") && out.contains("<strong>no</strong>") && out.contains("not met"));
    }
}
