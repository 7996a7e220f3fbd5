//! Filling the holes of a page.

/// Replaces each `{{name}}` of the template by its value in one pass, so that what a file says (`{{data}}` as a joint's name) is never
/// taken for a hole. Holes without a value stay empty.
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
