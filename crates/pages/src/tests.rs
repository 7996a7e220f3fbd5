//! Whole pages.

use crate::{Card, Comparison, index_html};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>\"'{{data}}";

#[test]
fn hostile_cards_stay_text() {
    let card = Card {
        verb: HOSTILE.into(),
        title: HOSTILE.into(),
        summary: HOSTILE.into(),
        score: Some(f64::NAN),
        figures: vec![(HOSTILE.into(), HOSTILE.into())],
        picture_svg: "<svg/>".into(),
        href: Some("javascript:alert(1)".into()),
        comparison: Some(Comparison {
            before_href: Some("https://example.org".into()),
            after_href: Some("after.html".into()),
            figures: vec![(HOSTILE.into(), HOSTILE.into(), HOSTILE.into())],
        }),
        ..Card::default()
    };
    let page = index_html(&[card]);
    assert!(!page.contains("<img src=x"), "markup from a name");
    assert!(!page.contains("javascript:") && !page.contains("example.org"), "links lead to neighbours only");
    assert!(page.contains("href=\"after.html\""));
    assert!(!page.contains("NaN"));
}
