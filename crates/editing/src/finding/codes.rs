//! Codes of what this crate finds. `aplomb-project` has a table of its own; `aplomb-words` has the sentences.

crate::finding_codes! {
    BEYOND_PEOPLE "HUM-W001" "a goal is beyond what people can do, and was asked for all the same"
        [goal, limit, asked, most];
    NOT_NEARER "TCH-W001" "balance is no better than before" [];
    FLIGHT_LEFT "TCH-W002" "a flight is not repaired" [start_secs, end_secs, verdict];
    FLIGHT_LEFT_CHANGED "TCH-W003" "a flight is not repaired, and what is corrected around it changes its fall"
        [start_secs, end_secs, verdict, before_g, after_g];
    FAR_FROM_SUPPORT "TCH-W004" "balance is too far off for a correction" [mean_m];
    FLIGHT_SHORTENED "TCH-W009" "a flight is taken without its edges, where the body does not fall"
        [start_secs, end_secs, fall_start_secs, fall_end_secs];
    FLIGHT_UNBELIEVED "TCH-W010" "a flight is not repaired, since most of it is no fall" [start_secs, end_secs, off_m];
    HAND_NOT_HELD "PLN-W001" "a hand is not held, since its arm would turn too far"
        [point, start_secs, end_secs, turn_rad];
    JUMP_BRIDGED "PLN-W002" "the whole body jumps away for a frame or two, and that was bridged"
        [start_secs, end_secs, distance_m, frames];
    CONTACT_DROPPED "PLN-W004" "a contact that was found is left out, since its point travels"
        [point, start_secs, end_secs, speed];
    HANDLES_CLAMPED "PTH-W001" "two handles cannot be joined by bending alone" [handle, next, scale];
    HANDLES_CROSSED "PTH-W002" "two handles have changed places" [handle, next];
    LEGS_TOO_SHORT "PTH-W003" "standing feet stay away from their places" [frames, miss_m];
    BODY_LOWERED "PTH-W004" "the body is lowered, since legs are short for the path" [drop_m];
    BODY_SPUN "PTH-W005" "the path turns the body faster than bodies turn" [start_secs, end_secs, turn_rad_per_sec];
    SHORT_FLIGHTS_LEFT "BLD-N001" "short flights of a clip are left out of the phases" [clip, flights];
    HEIGHTS_DIFFER "BLD-N002" "bodies do not sink and rise alike, so there is one phase only" [];
    MIRROR_MATCHES_MORE "BLD-N003" "more steps would match if a clip were mirrored" [steps];
    COMMON_STEPS "BLD-N004" "the part of a clip with the steps that all clips have" [clip, start_secs, end_secs];
    FLIGHTS_TOGETHER "BLD-N005" "the clips fly in the same phases" [];
    FLIGHTS_APART "BLD-N006" "a clip flies where another stands" [flights, together];
    CLIPS_FALL "BLD-N007" "the clips fall as bodies do" [least, most];
    CLIPS_FALL_WRONGLY "BLD-N008" "a clip does not fall as bodies do" [least, most];
    ONE_AXIS "BLD-N009" "the clips turn about one axis in the air" [];
    TURNS_DIFFER "BLD-N010" "the clips turn by other angles in the air" [spread_deg];
    AXES_APART "BLD-N011" "the clips turn about other axes in the air" [apart_deg];
    VELOCITY_GOES_ON "BLD-N012" "velocity goes on at landing" [spread_deg, speed];
    VELOCITY_JUMPS "BLD-N013" "velocity would jump at landing" [spread_deg, speed, jump, smooth_facing];
    FEET_ALIKE "BLD-N014" "the clips stand alike" [apart_m];
    FEET_APART "BLD-N015" "the clips stand on other places" [apart_m];
    FEET_IN_REACH "BLD-N016" "every foot of a blend is in reach" [];
    FOOT_OUT_OF_REACH "BLD-N017" "a foot of a blend is out of reach" [miss_m];
}
