//! The sentences, by code.

/// Code and template; `fill` says what holes may be.
pub const SENTENCES: &[(&str, &str)] = &[
    // Every edit.
    ("RUN-N001", "changes nothing"),
    ("RUN-N002", "the first frame does not belong to the motion (a T-pose) and was left out"),
    ("RUN-N003", "the first frame does not belong to the motion (a T-pose) and was left as it is"),
    ("RUN-N004", "ground: inclined by {tilt_deg:.1}°, from {file}"),
    ("RUN-N005", "contacts: from {file}, carried through {verbs:join, then }"),
    ("RUN-N006", "since {verb}, flights fall at {g:.1} m/s²; those are left alone"),
    ("RUN-N007", "builtin:{name} is in metres and Y up: what the project says of units and axes is for files"),
    ("RUN-N008", "what is known of contacts goes with it, as {file}"),
    ("RUN-N009", "its unit and up axis go with it, as {file}"),
    ("RUN-N010", "its frame rate goes with it, as {file}"),
    ("RUN-W001", "{warning}"),
    (
        "RUN-W002",
        "{file} belongs to another motion than the clip beside it, which was changed since: contacts are looked for in \
         the motion instead (delete it, or make the clip again)",
    ),
    ("RUN-W003", "{why}; contacts are looked for in the motion instead"),
    (
        "RUN-W006",
        "contacts from before it was edited lie beside the clip, and edits use them; this looks at the motion alone, \
         --contacts {file} judges by them",
    ),
    // What became of the motion.
    ("EDT-N001", "done{better|=; nothing got worse|_=, at no cost: {better:join, }}"),
    ("EDT-N002", "done{better|=|_=: {better:join, }}; it cost: {cost:join, }"),
    ("EDT-W001", "worse than before: {worse:join, }{better|=|_=; better: {better:join, }}"),
    ("EDT-N003", "{part} {before:.0} → {after:.0} points"),
    ("EDT-N004", "{measure|balance=balance is off by|slide=feet slide by} {before_m:cm.1} → {after_m:cm.1} cm"),
    ("EDT-W002", "{part} falls from {before:.0} to {after:.0} points{cause|=|_= ({cause:join, })}"),
    ("EDT-W003", "physics falls from {before:.0} to {after:.0} points, which touch-up can repair"),
    ("EDT-W004", "the {part} is {size_m:cm.1} cm from where it was, at {secs:.2} s"),
    ("EDT-W005", "{joint} is turned by {size_deg:.0}° at {secs:.2} s"),
    ("EDT-W006", "joints are turned by {size_deg:.1}° on average"),
    ("EDT-W007", "{joint} bends backward by {after_deg:.0}° at {secs:.2} s ({before_deg:.0}° before)"),
    ("EDT-W008", "the {part} is {share:percent.0} % slower at its fastest"),
    ("EDT-W009", "the {part} is jerked {factor:.1} times as hard as before"),
    ("EDT-W010", "what was asked for was not reached"),
    (
        "EDT-W011",
        "what was asked for was not reached{better|=|_=; better: {better:join, }}{cost|=|_=; it cost: {cost:join, }}",
    ),
    ("EDT-W012", "{joint} is turned {size_deg:.0}° beyond all that the clip shows, at {secs:.2} s"),
    // Goals that no person can meet.
    (
        "HUM-W001",
        "{goal} is more than people can do: \
         {limit|takeoff_up=a take-off at {asked:.1} m/s straight up, where people reach {most:.1} m/s\
         |takeoff_speed=a take-off at {asked:.1} m/s, where people reach {most:.1} m/s\
         |turn_in_air=a turn of {asked:.0}° a second in the air, where people reach {most:.0}°\
         |lean=a lean of {asked:.0}°, where people lean by {most:.0}°\
         |friction=a friction of {asked:.1}, where feet slip beyond {most:.1}}",
    ),
    // Limbs that jerk or tear.
    (
        "LMB-W001",
        "the motion tears: at {start_secs:.2} s the way of {joint} bends by {after_m:mm.0} mm in one frame \
         ({before_m:mm.0} mm in the clip played as fast, at most {limit_m:mm.0} mm in edits that people can follow); \
         {cause|path=ask for less, or move handles apart|recording=look at it, the hips may jump in the recording}",
    ),
    (
        "LMB-W002",
        "{joint} jerks at {start_secs:.2} s: its way bends by {after_m:mm.0} mm in a frame there, {before_m:mm.0} mm \
         in the clip played as fast; \
         {cause|path=ask for less, or move handles apart|recording=look at it, the hips may jump in the recording}",
    ),
    ("LMB-W003", "{joints} more joints jerk, by less"),
    // Edits without physics.
    ("JON-N001", "the first frame of joined clip {clip} is no part of its motion and was left out"),
    ("TLT-N001", "the ground's normal is now {x:.4},{y:.4},{z:.4}"),
    ("TRN-N001", "entered at {into_secs:.3} s of the second motion, whose poses lie {apart_m:cm.1} cm apart there"),
    (
        "TRV-N001",
        "carried on at {speed:.2} m/s, heading {heading_deg:.0}° (0 is +Z, 90 is +X); half of the time feet that are \
         down still slide by up to {slide:.2} m/s",
    ),
    // Touch-up.
    (
        "TCH-N001",
        "left alone for {secs:.1} s, where something else carries the body (a seat, a partner, a hand that was not \
         seen): {spans:join; }",
    ),
    (
        "TCH-N002",
        "{start_secs:.2} to {end_secs:.2} s, {reason|doubtful_fall=in the air without falling\
         |far_support=carried far from its feet|pull=pulled to the ground}",
    ),
    ("TCH-N003", "changes nothing: there is no flight here that could be corrected"),
    ("TCH-N004", "changes nothing: no correction turns {joints:join, }"),
    ("TCH-W001", "the zero-moment point did not come nearer to the support: look at the contacts"),
    (
        "TCH-W002",
        "the flight from {start_secs:.2} to {end_secs:.2} s is not repaired: \
         {verdict|verified=it reaches into an eased end, or is too short\
         |short=it is too short to tell whether it falls at g\
         |doubtful=it does not fall at g, so something else carries it}",
    ),
    (
        "TCH-W003",
        "the flight from {start_secs:.2} to {end_secs:.2} s is not repaired: \
         {verdict|verified=it reaches into an eased end, or is too short\
         |short=it is too short to tell whether it falls at g\
         |doubtful=it does not fall at g, so something else carries it}; \
         with what is corrected around it, it falls at {after_g:.1} instead of {before_g:.1} m/s²",
    ),
    (
        "TCH-W004",
        "the zero-moment point lies {mean_m:cm.0} cm outside the support on average: something else carries the body, \
         the contacts or the frame rate are wrong, or the edit was large",
    ),
    (
        "TCH-W005",
        "the way is too tight for its speed: a lean of {lean_deg:.0}° would be needed at {speed:.1} m/s on \
         {radius_m:.1} m; go slower, or wider",
    ),
    (
        "TCH-W006",
        "the zero-moment point did not come nearer to the support within the stretch: it may be too short for a lean",
    ),
    (
        "TCH-W007",
        "with {joints:join, } alone, the zero-moment point comes no nearer to the support: {before_m:cm.1} cm before, \
         {after_m:cm.1} cm now",
    ),
    ("TCH-W008", "{warning}"),
    // Planting.
    ("PLN-N001", "changes nothing: standing feet do not need {joints:join, }"),
    (
        "TCH-W009",
        "the flight from {start_secs:.2} to {end_secs:.2} s is taken for one from {fall_start_secs:.2} to \
         {fall_end_secs:.2} s: beside that the body does not fall, so that take-off or landing are labelled wrongly",
    ),
    (
        "TCH-W010",
        "the flight from {start_secs:.2} to {end_secs:.2} s is not repaired: its heights are {off_m:cm.0} cm off those of \
         a fall, so that take-off or landing are labelled wrongly, or something else carries the body",
    ),
    (
        "PLN-W001",
        "{point} is not held from {start_secs:.2} to {end_secs:.2} s: that would turn a joint of the arm by \
         {turn_rad:deg.0}°",
    ),
    (
        "PLN-W004",
        "{point} is not held from {start_secs:.2} to {end_secs:.2} s: the contact was found there, but the point travels at \
         {speed:.1} m/s",
    ),
    (
        "PLN-W002",
        "the whole body jumps away by {distance_m:cm.0} cm for {frames} frame{frames|1=|_=s} at {start_secs:.3} s; \
         bridged, since no body does that",
    ),
    ("PLN-W003", "feet slide by up to {after_m:mm.1} mm, before by {before_m:mm.1} mm: look at the contacts"),
    // Paths.
    ("PTH-N001", "the other clip has another skeleton: its path over the ground was taken, not its heights"),
    (
        "PTH-N002",
        "{handles} handles with the same foot in front: {start_secs:.2} to {end_secs:.2} s of the motion, put on \
         handles {first} to {last} of the other",
    ),
    ("PTH-N003", "nothing to edit: no handle is moved, no flight changed"),
    (
        "PTH-W001",
        "handles {handle} and {next} cannot be joined by bending alone (scale {scale:.2}): they lie on each other or \
         very far apart",
    ),
    ("PTH-W002", "handles {handle} and {next} have changed places: the body goes back between them and on again"),
    ("PTH-W003", "legs are too short: in {frames} frames a standing foot stays up to {miss_m:cm.1} cm from its place"),
    ("PTH-W004", "legs are short for this path: the body is lowered by up to {drop_m:cm.1} cm"),
    (
        "PTH-W005",
        "the body is spun: at {start_secs:.2} s the path turns it by {turn_rad_per_sec:deg.0}° a second; move handles \
         less, or apart",
    ),
    // Blends.
    ("BLD-N001", "clip {clip}: {flights} short flight{flights|1=|_=s} left out of the phases"),
    (
        "BLD-N002",
        "the bodies sink and rise at different times: clips are blended from start to end as one phase; give --phases to \
         align more",
    ),
    ("BLD-N003", "{steps} steps match; more would match if a clip began with the other foot: try --mirror"),
    ("BLD-N004", "clip {clip}: {start_secs:.3} to {end_secs:.3} s hold the steps that all clips have"),
    // What proofs of blending ask of the clips.
    ("BLD-N005", "the clips fly in the same phases: each flight of the blend falls as theirs do"),
    (
        "BLD-N006",
        "the clips fly {flights:join, } times, and together {together} times: where one flies and another stands, the \
         step is blended as a step, and neither gravity nor balance is guaranteed",
    ),
    ("BLD-N007", "the clips fall at {least:.2} to {most:.2} m/s²: people do not notice that difference"),
    ("BLD-N008", "the clips fall at {least:.2} to {most:.2} m/s²: a blend falls no better than its clips"),
    ("BLD-N009", "the clips turn about one axis in the air, or hardly at all: angular momentum stays nearly constant"),
    (
        "BLD-N010",
        "turns in the air differ by {spread_deg:.0}°: angular momentum is not kept; its spread is in the report",
    ),
    ("BLD-N011", "the clips turn about axes {apart_deg:.0}° apart in the air: angular momentum is not kept"),
    (
        "BLD-N012",
        "turns in the air differ by {spread_deg:.0}°, and bodies land at up to {speed:.1} m/s over the ground: \
         velocity goes on",
    ),
    (
        "BLD-N013",
        "turns in the air differ by {spread_deg:.0}° at {speed:.1} m/s over the ground: velocity would jump by \
         {jump:.2} m/s at landing; {smooth_facing|on=which --smooth-facing takes up|off=--smooth-facing takes that up}",
    ),
    ("BLD-N014", "feet differ by {apart_m:mm.0} mm at most: where the clips are in balance, the blend is, too"),
    ("BLD-N015", "feet differ by {apart_m:mm.0} mm: balance was checked, not proved"),
    ("BLD-N016", "every foot is in reach"),
    ("BLD-N017", "a foot is out of reach by {miss_m:mm.1} mm"),
    ("BLD-W001", "balance is lost in {frames} frames that the clips have it in, by {worst_m:cm.1} cm"),
    (
        "BLD-W002",
        "{joint} is accelerated by {acceleration:.0} m/s² at {start_secs:.2} s, {ratio:.1} times what it is in any of \
         the clips: look there; a joint that spins in one clip pops in the blend",
    ),
    ("BLD-W003", "a joint is {depth_m:cm.1} cm lower than any joint of the clips: look at the ground"),
    ("BLD-W004", "{parameter} {asked} {unit} is asked for, the nearest blend has {achieved:.3} {unit}"),
    ("BLD-W005", "legs are too short for the feet by up to {miss_m:cm.1} cm: the clips stand too differently"),
    ("BLD-W006", "{joint} is inside {other} by {depth_m:cm.1} cm at {start_secs:.2} s, which no clip has"),
    // Adaptation.
    (
        "ADP-N001",
        "the report judges by the body as it was: it knows nothing of what is carried, of what is held, or of other lengths",
    ),
    ("ADP-W001", "the goals are not met: {left}"),
    // Driven bodies.
    ("TRK-N001", "{mass_kg:.1} kg, {stature_m:.2} m tall"),
    ("TRK-N002", "servos of {stiffness_per_s2:.0} s⁻²"),
    ("TRK-N003", "{part} stays within {worst_m:mm.0} mm of its place"),
    (
        "TRK-W001",
        "{motion|=the motion|_={motion}} pops from one frame to the next: {jumps:join, }\
         {more|0=|_= and {more} more joints}; servos make a swing of it: cut there, or look (aplomb inspect)",
    ),
    ("TRK-W002", "{joint} by {jump_mm:.0} mm at {start_secs:.2} s"),
    (
        "TRK-W003",
        "the hips travel by {away_m:.1} m, and legs that hold the pose they start with stay: the way is not played",
    ),
    ("TRK-W004", "{a} and {b} clap but are not a pair, so they go through each other: add a pair of them"),
    ("TRK-W005", "even the softest servos shake as much as playback: the input is smooth already"),
    ("TRK-W006", "the simulation needed shorter steps: {step_secs:ms.2} ms"),
    ("TRK-W007", "{body|=the body|_={body}} falls at {start_secs:.2} s: {sign}; driven bodies stand, they do not step"),
    ("TRK-W008", "{part} is up to {worst_m:cm.0} cm from where it is held: is that within its reach?"),
    ("TRK-W009", "segments of the sequence share no home pose: a joint turns by {turn_deg:.0}° at a seam"),
    (
        "RCH-W001",
        "the {hand} hand at {start_secs:.2} s lies at {reach_share:percent.0} % of the arm's reach: it misses by \
         {miss_m:mm.0} mm and turns by {turn_deg:.0}°",
    ),
    // What a clip is judged to be. Headlines stand alone; moments say what, when, where and how much, in this order, so
    // that a narrow table can show what and when.
    ("JDG-N001", "looks right: no fault found"),
    (
        "JDG-N002",
        "small faults add up: {part|support=balance costs most|drift=feet that slide cost most\
         |fall=flights that fall wrongly cost most|tremor=trembling joints cost most|pops=jumps of the body cost most\
         |friction=feet that would slip cost most|floor=a floor that is not at zero costs most\
         |hover=feet off the floor cost most|body=poses cost most|recording=the recording costs most\
         |_=no single one stands out}",
    ),
    (
        "JDG-N003",
        "something that is not recorded carries the body for {share:percent.0} % of the time (a seat, a partner): \
         physics is not judged",
    ),
    ("JDG-N004", "nothing is seen to touch the ground: physics is not judged"),
    (
        "JDG-N005",
        "physics can judge only {share:percent.0} % of the clip, and half of it is needed: physics is not \
         judged",
    ),
    ("JDG-N006", "poses and recording look right: no fault found"),
    (
        "JDG-N007",
        "no body could move like this by itself: for {share:percent.0} % of the time nothing that is recorded carries it",
    ),
    ("PHY-W001", "balance is lost at {secs:.2} s: the body needs support {size_m:cm.0} cm outside its feet"),
    ("PHY-W002", "a standing foot slides at {secs:.2} s: {joint|=|_={joint:place}, }{size_m:cm.1} cm"),
    ("PHY-W003", "a flight falls wrongly at {secs:.2} s: {size_g:percent.0} % off the pull of gravity"),
    ("PHY-W004", "the whole body trembles: {size_mm:.1} mm from frame to frame"),
    ("PHY-W005", "the whole body jumps: {size_mm_per_sec:.0} mm/s, summed a second"),
    ("PHY-W006", "feet would slip at {secs:.2} s: a friction of {size:.2} is needed, {allowance:.2} is usual"),
    ("PHY-W007", "the clip's floor is not the ground: {size_m:cm.0} cm between them"),
    ("PHY-W008", "feet stand over or under the floor: {size_m:cm.1} cm"),
    ("BDY-W001", "a knee bends backward at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W002", "a knee folds past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W003", "a knee bends sideways at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W004", "a foot turns past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W005", "a foot folds past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W006", "an elbow bends backward at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W007", "an elbow folds past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W008", "the spine bends past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W009", "the neck bends past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W010", "the chest turns past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W011", "the chest bends past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W012", "the head turns past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W013", "the head bends past its range at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W014", "a thigh goes too far back at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W015", "a thigh goes too far ahead at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W016", "a thigh goes too far out at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W017", "a thigh goes too far in at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    ("BDY-W018", "a standing foot is twisted at {secs:.2} s: {joint|=|_={joint:place}, }{beyond_deg:.0}° beyond"),
    (
        "BDY-W019",
        "a joint turns faster than people can at {secs:.2} s: {joint|=|_={joint:place}, }{size_deg_per_sec:.0}°/s",
    ),
    ("BDY-W020", "a joint turns by a jump at {secs:.2} s: {joint|=|_={joint:place}, }{size_deg:.0}° in one frame"),
    ("BDY-W021", "a joint jumps at {secs:.2} s: {joint|=|_={joint:place}, }{size_mm:.0} mm off its way"),
    ("BDY-W022", "a joint is the wrong way round at {secs:.2} s: {joint|=|_={joint:place}, }{size_deg:.0}°"),
    ("BDY-W023", "the motion freezes at {secs:.2} s: nothing moves for {size_secs:.2} s"),
    ("BDY-W024", "a foot sinks into the floor at {secs:.2} s: {joint|=|_={joint:place}, }{size_m:cm.0} cm"),
    ("BDY-W025", "standing feet drift: all one way, {size_m_per_sec:cm.1} cm/s"),
    (
        "BDY-W026",
        "limbs are inside each other at {secs:.2} s: {joint|=|_={joint:place}}{other|=|_= and {other:place}}, \
         {size_m:cm.0} cm",
    ),
    ("BDY-W027", "the body floats at {secs:.2} s: its feet stand {size_m:cm.1} cm over the floor"),
    ("REC-W001", "the frame rate is wrong: gravity asks for {factor:.2} times the file's"),
    ("REC-W002", "the unit is wrong: gravity asks for {factor:.2} times the file's lengths"),
    ("REC-W003", "the frame rate is doubtful: flights ask for {factor:.2} times the file's"),
    ("REC-W004", "frames are lost at {secs:.2} s: the body jumps by {size_m:cm.0} cm and stays there"),
    ("REC-W005", "stated contacts flicker: {size_per_sec:.1} changes a second"),
];
