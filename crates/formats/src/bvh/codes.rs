//! Every code the BVH reader and writer can give, in one table: scripts match on codes, documentation is made from
//! this.

macro_rules! codes {
    ($($name:ident = $code:literal: $meaning:literal;)*) => {
        $(#[doc = $meaning] pub const $name: &str = $code;)*
        /// Code and meaning of every diagnostic. In strict mode deviations (W) come with severity error and the same
        /// code.
        pub const TABLE: &[(&str, &str)] = &[$(($code, $meaning)),*];
    };
}

codes! {
    EMPTY = "BVH-E001": "the file is empty, or too short to be a BVH";
    NOT_BVH = "BVH-E002": "the file is not BVH: it does not begin with HIERARCHY";
    UTF16 = "BVH-E003": "the file is UTF-16 text; BVH is read as bytes of ASCII or UTF-8";
    FILE_TOO_LARGE = "BVH-E004": "the file is larger than the limit";
    UNEXPECTED = "BVH-E005": "something stands where a keyword or a brace of the hierarchy should";
    UNCLOSED = "BVH-E006": "MOTION begins, or the file ends, while a joint is still open";
    STRAY_BRACE = "BVH-E007": "a closing brace closes nothing";
    NO_ROOT = "BVH-E008": "the hierarchy has no ROOT";
    MISPLACED = "BVH-E009": "ROOT inside a joint, JOINT outside one, or anything inside an End Site but its OFFSET";
    NO_MOTION = "BVH-E010": "the file ends before MOTION";
    OFFSET = "BVH-E011": "a joint has no OFFSET, two of them, or one without exactly three numbers";
    CHANNELS = "BVH-E012": "a CHANNELS list is repeated, has no proper count, or names a channel twice";
    UNKNOWN_WORD_IN_CHANNELS = "BVH-E013": "a word in a CHANNELS list is neither a channel nor covered by its count";
    NUMBER = "BVH-E014": "a token is not a number";
    NOT_FINITE = "BVH-E015": "a value is nan or infinite, or too large for a double";
    TOKEN_TOO_LONG = "BVH-E016": "a number is longer than the limit";
    NUL = "BVH-E017": "a zero byte in text";
    NAME_TOO_LONG = "BVH-E018": "a name is longer than the limit";
    TOO_DEEP = "BVH-E019": "joints are nested deeper than the limit";
    TOO_MANY_JOINTS = "BVH-E020": "more joints than the limit";
    TOO_MANY_CHANNELS = "BVH-E021": "more channels in a joint than the limit";
    FRAME_COUNT = "BVH-E022": "the frame count is not a whole number of 0 or more that fits";
    FRAME_TIME = "BVH-E023": "the frame time is missing, zero, negative, not a number or absurd";
    ROW_LENGTH = "BVH-E024": "a row has more or fewer values than there are channels";
    COMMAS_MIXED = "BVH-E025": "commas are used as decimal marks and in another way in one file";
    NOT_A_CLIP = "BVH-E026": "the values cannot make a clip: lengths overflow in metres";
    POSITIONS_MOVE = "BVH-E027": "position channels of an inner joint cannot be dropped because they move";
    CANNOT_WRITE = "BVH-E028": "the clip cannot be written as BVH";

    COMMENT_BEFORE = "BVH-W001": "comment lines before HIERARCHY, which other programs refuse";
    KEYWORD_CASE = "BVH-W002": "keywords or channel names in unusual case";
    NBSP = "BVH-W003": "no-break spaces used as white space";
    CHANNEL_COUNT = "BVH-W004": "the count of a CHANNELS list differs from its names; the names are used";
    OPAQUE_CHANNEL = "BVH-W005": "an unknown channel; its values are carried through untouched";
    CHANNELS_LATE = "BVH-W006": "CHANNELS after a child: values are taken in the order of the CHANNELS lists";
    EMPTY_NAME = "BVH-W007": "a joint without a name";
    DUPLICATE_NAME = "BVH-W008": "a name is used by several joints; they are told apart by their order";
    NAME_ENCODING = "BVH-W009": "a name is not UTF-8; its bytes are kept";
    FRAMES_DIFFER = "BVH-W010": "the declared frame count differs from the rows present; the rows are used";
    NO_FRAME_COUNT = "BVH-W011": "the frame count is missing; the rows are counted";
    WRAPPED_ROWS = "BVH-W012": "rows do not match lines; values are read as one stream";
    EXTRA_COLUMNS = "BVH-W013": "every row has the same number of extra values; they are carried through untouched";
    COMMA_DECIMALS = "BVH-W014": "commas are used as decimal marks";
    COMMA_SEPARATORS = "BVH-W015": "commas are used between values";
    FORTRAN_EXPONENT = "BVH-W016": "exponents with the letter D";
    TRAILING_TEXT = "BVH-W017": "text after the last row; it is kept but not read";
    SALVAGED = "BVH-W018": "the file is damaged; only the part before the damage was kept";
    REPAIRED = "BVH-W019": "values that were not numbers were filled in, as asked";
    ADDITIVE = "BVH-W020": "position channels are added to the OFFSET in this file";
    ZERO_OFFSETS = "BVH-W021": "all offsets are zero: the size of the figure is unknown";
    HUGE_LENGTH = "BVH-W022": "a length is so large that positions lose their precision or overflow";
    HEADER_FORM = "BVH-W023": "the header of the motion is not written as usual";
    FRAME_TIME_OVERRIDDEN = "BVH-W024": "the frame time of the file was replaced, as asked";
    STATIC_FRAMES = "BVH-W025": "frames are declared but the joints have no channels; one frame is read";
    ROTATION_LOST = "BVH-W026": "a rotation cannot be expressed with the channels of its joint; the nearest one was written";
    CHANNELS_ADDED = "BVH-W027": "channels were added to a joint whose own do not hold its motion";
    TRAILING_DROPPED = "BVH-W028": "text after the last row was not written again";
    NAME_CHANGED = "BVH-W029": "a name had characters that BVH cannot hold; they were replaced";
    OPAQUE_DROPPED = "BVH-W030": "unknown channels were not written because they have no values for the new frames";

    BOM = "BVH-N001": "the file begins with a byte order mark, which some programs refuse";
    NO_FRAMES = "BVH-N002": "the file has no frames; it gives one frame of the rest pose";
    NO_ROOT_TRANSLATION = "BVH-N003": "no root has position channels: the figure is nailed in place";
    REWRITTEN = "BVH-N004": "the clip's structure changed, so the whole file was written anew in the style of its source";
    FRAMES_CORRECTED = "BVH-N005": "a frame count that differed from the rows present was corrected in the edited file";
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn codes_are_unique_and_well_formed() {
        for (index, (code, meaning)) in TABLE.iter().enumerate() {
            assert!(TABLE[..index].iter().all(|(other, _)| other != code), "{code} twice");
            let (letter, number) = code.strip_prefix("BVH-").unwrap().split_at(1);
            assert!(["E", "W", "N"].contains(&letter) && number.len() == 3 && number.parse::<u16>().is_ok(), "{code}");
            assert!(!meaning.is_empty());
        }
    }

    /// Numbers run without gaps in each class, so a code that is dropped by mistake shows.
    #[test]
    fn codes_run_without_gaps() {
        for letter in ["E", "W", "N"] {
            let numbers = TABLE.iter().filter_map(|(code, _)| code.strip_prefix(&format!("BVH-{letter}")));
            for (index, number) in numbers.enumerate() {
                assert_eq!(number.parse::<usize>(), Ok(index + 1));
            }
        }
    }

    /// Each code is given somewhere in this module's source, and nowhere spelled out as a literal outside the table.
    #[test]
    fn codes_are_all_in_use() {
        let sources = [
            include_str!("document.rs"),
            include_str!("scan.rs"),
            include_str!("hierarchy.rs"),
            include_str!("header.rs"),
            include_str!("rows.rs"),
            include_str!("survey.rs"),
            include_str!("translations.rs"),
            include_str!("to_clip.rs"),
            include_str!("plan.rs"),
            include_str!("encode.rs"),
            include_str!("patch.rs"),
            include_str!("canonical.rs"),
        ];
        let table = include_str!("codes.rs");
        for line in table.lines() {
            if let Some((name, _)) = line.trim().split_once(" = \"BVH-") {
                let used = format!("codes::{name}");
                assert!(sources.iter().any(|source| source.contains(&used)), "{used} is never given");
            }
        }
        assert!(sources.iter().all(|source| !source.contains("\"BVH-")));
    }
}
