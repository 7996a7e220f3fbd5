//! Every verb has an example, and every example runs.

use aplomb::Edit;

/// The examples as modules and tests, and the verbs that they show.
macro_rules! examples {
    ($($verb:ident $name:ident $file:literal,)*) => {
        $(
            #[path = $file]
            mod $name;
        )*

        /// Without a wildcard: a new verb does not compile here until it has an example.
        fn example_of(edit: &Edit) -> &'static str {
            match edit {
                $(Edit::$verb(_) => stringify!($name),)*
            }
        }

        mod runs {
            $(
                #[test]
                fn $name() {
                    super::$name::main().unwrap();
                }
            )*
        }
    };
}

examples! {
    Cut cut "../examples/cut.rs",
    Join join "../examples/join.rs",
    Speed speed "../examples/speed.rs",
    Arc arc "../examples/arc.rs",
    Tilt tilt "../examples/tilt.rs",
    Travel travel "../examples/travel.rs",
    Transition transition "../examples/transition.rs",
    Path path "../examples/path.rs",
    Touchup touchup "../examples/touchup.rs",
    Plant plant "../examples/plant.rs",
    Blend blend "../examples/blend.rs",
    Adapt adapt "../examples/adapt.rs",
    Track track "../examples/track.rs",
    Reach reach "../examples/reach.rs",
}

#[test]
fn examples_have_the_names_of_verbs() {
    let edit = Edit::Cut(aplomb::edits::CutEdit::default());
    assert_eq!(example_of(&edit), edit.verb());
}
