//! Codes of what only this crate finds. `aplomb-editing` has a table of its own; `aplomb-words` has the sentences.

aplomb_editing::finding_codes! {
    CHANGES_NOTHING "RUN-N001" "an edit changes nothing" [];
    FIRST_FRAME_LEFT_OUT "RUN-N002" "the first frame is no part of the motion and was left out" [];
    FIRST_FRAME_KEPT "RUN-N003" "the first frame is no part of the motion and was left as it is" [];
    GROUND_FROM_FILE "RUN-N004" "the ground is inclined, as the file beside the clip says" [tilt_deg, file];
    CONTACTS_FROM_FILE "RUN-N005" "contacts come from the file beside the clip" [file, verbs];
    FALL_EXCUSED "RUN-N006" "flights fall wrongly since an edit changed the pace" [verb, g];
    FRAME_IS_KNOWN "RUN-N007" "units and axes of the project do not count for a built-in clip" [name];
    CONTACTS_GO_ALONG "RUN-N008" "what is known of contacts is written beside the clip" [file];
    FRAME_GOES_ALONG "RUN-N009" "unit and up axis are written beside the clip" [file];
    RATE_GOES_ALONG "RUN-N010" "the frame rate is written beside the clip" [file];
    BODY_WARNING "RUN-W001" "the body file has something to say" [warning];
    FILE_BESIDE_OF_ANOTHER "RUN-W002" "the file beside the clip belongs to another motion" [file];
    FILE_BESIDE_BROKEN "RUN-W003" "the file beside the clip cannot be used" [why];
    FILE_BESIDE_LEFT "RUN-W006" "the file beside the clip is for edits, and is not used for judging" [file];
    SCORE_WORSE "RUN-W004" "the result has a lower score than what came in" [measure, before, after];
    LENGTH_WORSE "RUN-W005" "the result has a larger error than what came in" [measure, before_m, after_m];
    LIMB_TEARS "LMB-W001" "a joint bends its way farther in one frame than people can follow"
        [joint, start_secs, end_secs, before_m, after_m, limit_m, cause];
    LIMB_JERKS "LMB-W002" "a joint jerks where it did not" [joint, start_secs, end_secs, before_m, after_m, cause];
    MORE_LIMBS_JERK "LMB-W003" "more joints jerk than are named" [joints];
    JOINED_FIRST_FRAME "JON-N001" "the first frame of a joined clip was left out" [clip];
    GROUND_NORMAL "TLT-N001" "the ground after a tilt" [x, y, z];
    ENTERED "TRN-N001" "where a transition enters the second motion" [into_secs, apart_m];
    CARRIED_ON "TRV-N001" "how fast a motion is carried on, and where to" [speed, heading_deg, slide];
    LEFT_ALONE "TCH-N001" "parts of the motion are left alone, since something else carries the body" [secs, spans];
    LEFT_ALONE_SPAN "TCH-N002" "one of these parts" [start_secs, end_secs, reason];
    NO_FLIGHT "TCH-N003" "there is no flight that could be corrected" [];
    NOTHING_TO_TURN "TCH-N004" "no correction turns the chosen joints" [joints];
    LEAN_TOO_FAR "TCH-W005" "the way is too tight for its speed" [lean_deg, speed, radius_m];
    STRETCH_NOT_NEARER "TCH-W006" "balance within the stretch is no better than before" [];
    JOINTS_NOT_NEARER "TCH-W007" "balance is no better with the chosen joints alone" [joints, before_m, after_m];
    CLOCK_DISPUTED "TCH-W008" "flights dispute the frame rate" [warning];
    FEET_NEED_NO_JOINT "PLN-N001" "standing feet do not need the chosen joints" [joints];
    FEET_SLIDE "PLN-W003" "feet slide more than before" [before_m, after_m];
    WAY_WITHOUT_HEIGHTS "PTH-N001" "another skeleton's path was taken without its heights" [];
    ALIGNED "PTH-N002" "which part of the motion was put on which handles" [handles, start_secs, end_secs, first, last];
    NOTHING_TO_EDIT "PTH-N003" "no handle is moved and no flight changed" [];
    BALANCE_LOST "BLD-W001" "a blend loses balance that the clips have" [frames, worst_m];
    JOINT_ACCELERATED "BLD-W002" "a joint is accelerated far more than in the clips"
        [joint, start_secs, end_secs, acceleration, ratio];
    JOINT_TOO_LOW "BLD-W003" "a joint is lower than any joint of the clips" [depth_m];
    ASKED_NOT_REACHED "BLD-W004" "no blend has what is asked for" [parameter, unit, asked, achieved];
    CLIPS_STAND_APART "BLD-W005" "legs are too short for the blended feet" [miss_m];
    LIMBS_INTERSECT "BLD-W006" "limbs are inside each other, which no clip has"
        [joint, other, start_secs, end_secs, depth_m];
    OTHER_BODY_UNKNOWN "ADP-N001" "the report knows nothing of what is carried or of other lengths" [];
    GOALS_UNMET "ADP-W001" "the goals are not met" [left];
    CHARACTER "TRK-N001" "mass and height of the character" [mass_kg, stature_m];
    SERVOS_FOUND "TRK-N002" "the stiffness that was found" [stiffness_per_s2];
    PART_HELD "TRK-N003" "how well a held part stays" [part, worst_m];
    CLIP_POPS "TRK-W001" "joints of a motion pop from one frame to the next" [motion, jumps, more];
    JOINT_POP "TRK-W002" "one of these joints" [joint, start_secs, end_secs, jump_mm];
    WAY_NOT_PLAYED "TRK-W003" "the hips travel, and legs that hold their pose stay" [away_m];
    CLAP_GOES_THROUGH "TRK-W004" "hands clap and are no pair" [a, b];
    SERVOS_SHAKE "TRK-W005" "even the softest servos shake as much as playback" [];
    STEPS_HALVED "TRK-W006" "longer steps of the simulation diverged" [step_secs];
    BODY_FALLS "TRK-W007" "a driven body falls" [body, start_secs, end_secs, sign];
    PART_NOT_HELD "TRK-W008" "a held part is far from its place" [part, worst_m];
    SEAM "TRK-W009" "segments of a sequence share no home pose" [turn_deg];
    FAR_REACH "RCH-W001" "a hand lies near the end of the arm's reach, and misses or turns"
        [hand, start_secs, end_secs, reach_share, miss_m, turn_deg];
}
