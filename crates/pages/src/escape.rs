//! What comes from a file must stay text.

/// Text for HTML content and for attribute values in double quotes. Control characters are dropped: no browser shows
/// them.
pub(crate) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(' '),
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

/// JSON inside a `<script>` element. Outside strings JSON has no `<`, so this is the same JSON, and neither `</script`
/// nor `<!--` can end or bend the element.
pub(crate) fn script_json(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// A link to a page beside this one, or nothing: no scheme, no host, no way up.
pub(crate) fn relative_href(href: &str) -> Option<String> {
    let is_relative = !href.is_empty()
        && !href.starts_with(['/', '\\'])
        && !href.contains([':', '\\'])
        && !href.chars().any(char::is_control)
        && href.split('/').all(|part| part != "..");
    is_relative.then(|| html(href))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(html("a<b> & \"c\" 'd'\u{0}\n"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; ");
        assert_eq!(script_json(r#"{"a":"</script><!--"}"#), "{\"a\":\"\\u003c/script>\\u003c!--\"}");
    }

    #[test]
    fn links_stay_in_the_folder() {
        assert_eq!(relative_href("walk.html").as_deref(), Some("walk.html"));
        assert_eq!(relative_href("clips/a b.html#t=1").as_deref(), Some("clips/a b.html#t=1"));
        for bad in
            ["", "http://x", "//x", "javascript:alert(1)", "../x", "a/../../x", "/etc", "java\tscript:x", "\\\\x"]
        {
            assert_eq!(relative_href(bad), None, "{bad}");
        }
    }
}
