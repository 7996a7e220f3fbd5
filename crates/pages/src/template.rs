//! Filling the holes of a page.

use crate::escape::{html, relative_href, script_json};

/// What differs from page to page; the head, the bar at the top and the content security policy are the same.
#[derive(Default)]
pub(crate) struct Page<'a> {
    /// Of the window; text.
    pub title: &'a str,
    pub style: &'a str,
    pub script: &'a str,
    /// Link back to a page beside this one; anything that is no relative path is left out.
    pub back_href: Option<&'a str>,
    /// Inside `<main>`; markup.
    pub main: &'a str,
    /// Markup.
    pub footer: &'a str,
    /// What a page with a moving figure has more: its data as JSON, which brings the button of keys and their list.
    pub data_json: Option<&'a str>,
}

const PAGE: &str = include_str!("../assets/page.html");
const VIEWER_END: &str = include_str!("../assets/viewer_end.html");
const HELP: &str = r#"<button type="button" class="ghost" id="help-button" aria-haspopup="dialog" title="Keys and gestures (?)">Keys</button>"#;

impl Page<'_> {
    /// One file, no network.
    pub fn html(&self) -> String {
        let end = self.data_json.map(|json| fill(VIEWER_END, &[("data", &script_json(json))])).unwrap_or_default();
        let link = |href: String| format!("<a class=\"back\" href=\"{href}\">← All clips</a>");
        fill(
            PAGE,
            &[
                ("title", &html(self.title)),
                ("style", self.style),
                ("script", self.script),
                ("back", &self.back_href.and_then(relative_href).map(link).unwrap_or_default()),
                ("tools", if self.data_json.is_some() { HELP } else { "" }),
                ("main", self.main),
                ("footer", self.footer),
                ("end", &end),
            ],
        )
    }
}

/// Replaces each `{{name}}` of the template by its value in one pass, so that what a file says (`{{data}}` as a joint's
/// name) is never taken for a hole. Holes without a value stay empty.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len() + values.iter().map(|(_, value)| value.len()).sum::<usize>());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let Some((name, after)) = after.split_once("}}") else {
            rest = after;
            break;
        };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            out.push_str(value);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_read_again() {
        assert_eq!(fill("<{{a}}|{{b}}|{{c}}>", &[("a", "{{b}}"), ("b", "2")]), "<{{b}}|2|>");
    }
}
