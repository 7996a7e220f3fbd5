"""One method a verb. Made from the table of verbs (crates/project/src/verbs); changes are made there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence, Union

if TYPE_CHECKING:
    from . import Clip

PathLike = Union[str, "os.PathLike[str]"]


class Verbs:
    """What can be done to a clip. Lengths in metres, times in seconds, Y up; every method returns a new clip."""

    __slots__ = ()

    def _verb(self, verb: str, parameters: Mapping[str, Any]) -> Clip:
        raise NotImplementedError

    def path_edit(
        self,
        *,
        change: Sequence[Mapping[str, Any]] | None = None,
        stairs: bool = False,
        level_handles: bool = True,
        align_to: Clip | PathLike | None = None,
        follow: Mapping[str, Any] | None = None,
        timing: Literal["auto", "paper", "keep"] | Mapping[str, Any] = "auto",
        keep_keys: bool = False,
        contacts: PathLike | None = None,
        from_secs: float | None = None,
        to_secs: float | None = None,
        ease_secs: float = 0.25,
        superhuman: bool = False,
    ) -> Clip:
        """Move, bend, align and retime the path of a motion: drag handles, follow a curve, change jumps, climb stairs.

        change: Handles that move, and flights whose height changes.
        stairs: Feet rise with the path: stairs, ledges, slopes.
        level_handles: The change of heights is level at handles, instead of running smoothly through them.
        align_to: Take the path of another motion, where the same feet step.
        follow: Bend all of the motion onto a curve of the ground.
        timing: Times of the result.
        keep_keys: Keep the keys at their uneven times instead of resampling (.glb only).
        contacts: Contact file; it wins over what is found, and over what lies beside the clip.
        from_secs: Change the motion from here, in seconds; from its start if not given (s).
        to_secs: Change it up to here; to its end if not given (s).
        ease_secs: The change grows over this long, inside each end that is given (s, 0 to 1000000).
        superhuman: Go on where no person could, and say so (docs/analysis/human-limits.md).
        """
        return self._verb(
            "path",
            {
                "change": change,
                "stairs": stairs,
                "level_handles": level_handles,
                "align_to": align_to,
                "follow": follow,
                "timing": timing,
                "keep_keys": keep_keys,
                "contacts": contacts,
                "from_secs": from_secs,
                "to_secs": to_secs,
                "ease_secs": ease_secs,
                "superhuman": superhuman,
            },
        )

    def touchup(
        self,
        *,
        only: Literal["ground", "flight"] | None = None,
        margin: float = 0.5,
        steps: Sequence[Mapping[str, Any]] | None = None,
        steps_file: PathLike | None = None,
        from_secs: float | None = None,
        to_secs: float | None = None,
        ease_secs: float = 0.6,
        joints: Sequence[str] | None = None,
        slope: float | Sequence[float] | None = None,
        contacts: PathLike | None = None,
    ) -> Clip:
        """Make an edited motion physically right: balance on the ground, parabolas and spin in the air, feet that
        stand.

        only: Correct only what stands, or only what flies.
        margin: Where in each foot to aim: 0 is the edge of the support, 1 the middle of the foot (0 to 1).
        steps: Steps instead of the usual ones: which parts correct what.
        steps_file: A file with the steps.
        from_secs: Change the motion from here, in seconds; from its start if not given (s).
        to_secs: Change it up to here; to its end if not given (s).
        ease_secs: The change grows over this long, inside each end that is given (s, 0 to 1000000).
        joints: Change only these parts: upper_body, legs, left_arm …, a role, or a joint's name, each with all below
            it; =NAME for one joint.
        slope: Ground that is not level: degrees uphill along the way, or its normal (°).
        contacts: Contact file; it wins over what is found, and over what lies beside the clip.
        """
        return self._verb(
            "touchup",
            {
                "only": only,
                "margin": margin,
                "steps": steps,
                "steps_file": steps_file,
                "from_secs": from_secs,
                "to_secs": to_secs,
                "ease_secs": ease_secs,
                "joints": joints,
                "slope": slope,
                "contacts": contacts,
            },
        )

    def plant(
        self,
        *,
        from_secs: float | None = None,
        to_secs: float | None = None,
        ease_secs: float = 0.25,
        joints: Sequence[str] | None = None,
        slope: float | Sequence[float] | None = None,
        contacts: PathLike | None = None,
    ) -> Clip:
        """Stop feet from sliding, and change nothing else.

        from_secs: Change the motion from here, in seconds; from its start if not given (s).
        to_secs: Change it up to here; to its end if not given (s).
        ease_secs: The change grows over this long, inside each end that is given (s, 0 to 1000000).
        joints: Change only these parts: upper_body, legs, left_arm …, a role, or a joint's name, each with all below
            it; =NAME for one joint.
        slope: Ground that is not level: degrees uphill along the way, or its normal (°).
        contacts: Contact file; it wins over what is found, and over what lies beside the clip.
        """
        return self._verb(
            "plant",
            {
                "from_secs": from_secs,
                "to_secs": to_secs,
                "ease_secs": ease_secs,
                "joints": joints,
                "slope": slope,
                "contacts": contacts,
            },
        )

    def blend(
        self,
        *clips: Clip | PathLike,
        weights: Sequence[float] | None = None,
        at: Mapping[str, Any] | None = None,
        phases: PathLike | None = None,
        scheme: Literal["com", "root", "foot"] = "com",
        timing: Literal["sqrt", "linear"] = "sqrt",
        smooth_timing: bool = False,
        smooth_facing: bool = False,
        contact_keys: bool = False,
        mirror: bool = False,
        first_skeleton: bool = False,
    ) -> Clip:
        """Make the motion between motions: a jump between two jumps that falls at g, lands on its feet and keeps its
        balance.

        clips: The other motions.
        weights: How much of each clip, the first one's first; together 1.
        at: What the result shall measure, instead of weights.
        phases: Phases by hand: which there are, and when they end in each clip.
        scheme: What is interpolated.
        timing: How long phases last.
        smooth_timing: Ease the change of pace inside contacts; costs a little friction.
        smooth_facing: Take up what turning does to the velocity at landings; costs some friction.
        contact_keys: Let crouches meet, too.
        mirror: Exchange left and right of all clips but the first.
        first_skeleton: Put the other motions on the first one's skeleton, and plant their feet.
        """
        return self._verb(
            "blend",
            {
                "clips": list(clips),
                "weights": weights,
                "at": at,
                "phases": phases,
                "scheme": scheme,
                "timing": timing,
                "smooth_timing": smooth_timing,
                "smooth_facing": smooth_facing,
                "contact_keys": contact_keys,
                "mirror": mirror,
                "first_skeleton": first_skeleton,
            },
        )

    def adapt(
        self,
        *,
        goals: Mapping[str, Any] | None = None,
        goals_file: PathLike | None = None,
        contacts: PathLike | None = None,
        best: bool = False,
        superhuman: bool = False,
    ) -> Clip:
        """Adapt a jump or a run to goals with full dynamics: farther, higher, turned, loaded, weak, on one leg, over a
        hurdle.

        goals: What should change; everything else stays as near to the clip as it can.
        goals_file: A file with the goals.
        contacts: Contact file; it wins over what is found.
        best: Write what comes nearest where goals cannot be met.
        superhuman: Go on where no person could, and say so (docs/analysis/human-limits.md).
        """
        return self._verb(
            "adapt",
            {
                "goals": goals,
                "goals_file": goals_file,
                "contacts": contacts,
                "best": best,
                "superhuman": superhuman,
            },
        )

    def track(
        self,
        *,
        stiffness: float | Literal["auto"] = 4000.0,
        damping: float | Literal["paper"] = 1.0,
        rate_error: bool = False,
        figure: Literal["upper", "upper-stiff-back", "full"] = "upper",
        stance: Literal["hold", "captured"] = "hold",
        legs: Mapping[str, Any] | None = None,
        lower: Literal["follow", "captured", "held"] = "follow",
        character: Literal["adult", "child", "alien"] | Mapping[str, Any] | None = None,
        orientations: PathLike | None = None,
        markers: PathLike | None = None,
        interpolation: Literal["cubic", "slerp"] = "cubic",
        scene: Mapping[str, Any] | None = None,
        hz: float = 480.0,
        explicit: bool = False,
    ) -> Clip:
        """Play a motion by a simulated body whose joints are driven: other bodies, drums, staffs, partners, balance.

        stiffness: Stiffness of the servos over the inertia they move, in s⁻², or auto (s⁻², 0.000001 to 1000000).
        damping: Damping: a share of critical damping, or the paper's tenth of the stiffness (0 to 1000000).
        rate_error: Damp towards the wanted rate instead of towards rest: less lag, more overshoot.
        figure: Which joints are driven.
        stance: Legs of the full figure: keep their first pose, or do what was captured.
        legs: Stiffness of the legs of the full figure; by the body's weight if not given.
        lower: Pelvis and legs under an upper body.
        character: Whose body: adult, child, alien, or a table of segments.
        orientations: World orientations of segments instead of the clip's motion: time, segment, x, y, z, w.
        markers: Markers of the same take, to see whose speed the hands have: C3D or TRC.
        interpolation: How the motion goes on between samples.
        scene: Who and what else is there, what may touch, which controllers help.
        hz: Steps a second (Hz, 0.000001 to 1000000).
        explicit: Explicit servos, which need short steps: to see that both come to the same.
        """
        return self._verb(
            "track",
            {
                "stiffness": stiffness,
                "damping": damping,
                "rate_error": rate_error,
                "figure": figure,
                "stance": stance,
                "legs": legs,
                "lower": lower,
                "character": character,
                "orientations": orientations,
                "markers": markers,
                "interpolation": interpolation,
                "scene": scene,
                "hz": hz,
                "explicit": explicit,
            },
        )

    def reach(
        self,
        *,
        hand: Literal["left", "right"],
        at_secs: float,
        to_m: Sequence[float],
        window_secs: float = 0.35,
        point: Literal["palm", "wrist"] = "palm",
    ) -> Clip:
        """Put a hand at a place at a moment, and ease the arm there and back.

        hand: Which hand.
        at_secs: When it is there, in seconds (s, 0 to 1000000).
        to_m: Where it is then (m).
        window_secs: Time that the arm takes to leave its motion, and to come back (s, 0.000001 to 1000000).
        point: What of the hand goes there.
        """
        return self._verb(
            "reach",
            {
                "hand": hand,
                "at_secs": at_secs,
                "to_m": to_m,
                "window_secs": window_secs,
                "point": point,
            },
        )

    def join(
        self,
        *clips: Clip | PathLike,
        place: Literal["continue", "as-is"] = "continue",
    ) -> Clip:
        """Put motions one after the other.

        clips: The motions that follow, in their order.
        place: Where the next motion begins.
        """
        return self._verb(
            "join",
            {
                "clips": list(clips),
                "place": place,
            },
        )

    def transition(
        self,
        *,
        into: Clip | PathLike,
        from_secs: float,
        to_secs: float,
        into_secs: float | None = None,
    ) -> Clip:
        """Blend from one motion into another.

        into: The motion that takes over.
        from_secs: Where the blend begins, in seconds of the first motion (s).
        to_secs: Where the second motion has taken over, in seconds of the first (s).
        into_secs: Second of the second motion that meets --from; where poses fit best if not given (s).
        """
        return self._verb(
            "transition",
            {
                "into": into,
                "from_secs": from_secs,
                "to_secs": to_secs,
                "into_secs": into_secs,
            },
        )

    def arc(
        self,
        *,
        radius_m: float,
        side: Literal["left", "right"],
        from_secs: float | None = None,
        to_secs: float | None = None,
        lead_in_m: float | None = None,
        length_m: float | None = None,
        ease_m: float = 0.0,
        superhuman: bool = False,
    ) -> Clip:
        """Bend the way of a motion onto a circle.

        radius_m: Radius of the circle that the way is bent onto (m, 0.000001 to 1000000).
        side: Which way it bends, seen along the way.
        from_secs: Bend from where the body is at this second (s).
        to_secs: Bend up to where the body is at this second (s).
        lead_in_m: Length that stays straight first, in metres; instead of a first second (m, 0 to 1000000).
        length_m: Length that is bent, in metres; instead of a last second (m, 0.000001 to 1000000).
        ease_m: Length over which the curvature rises and falls, in metres (m, 0 to 1000000).
        superhuman: Go on where no person could, and say so (docs/analysis/human-limits.md).
        """
        return self._verb(
            "arc",
            {
                "radius_m": radius_m,
                "side": side,
                "from_secs": from_secs,
                "to_secs": to_secs,
                "lead_in_m": lead_in_m,
                "length_m": length_m,
                "ease_m": ease_m,
                "superhuman": superhuman,
            },
        )

    def tilt(
        self,
        *,
        angle_deg: float,
        heading_deg: float | None = None,
        ground_height_m: float = 0.0,
    ) -> Clip:
        """Turn a motion against gravity, uphill or downhill.

        angle_deg: Uphill along the way; negative is downhill (°).
        heading_deg: Way up, instead of the way that the motion travels: 0 is +Z, 90 is +X (°).
        ground_height_m: Height of the ground that is tilted (m).
        """
        return self._verb(
            "tilt",
            {
                "angle_deg": angle_deg,
                "heading_deg": heading_deg,
                "ground_height_m": ground_height_m,
            },
        )

    def travel(
        self,
        *,
        cycles: int = 1,
        speed: float | None = None,
    ) -> Clip:
        """Make a motion on the spot move forward, as fast as its feet go back.

        cycles: How often the motion is repeated.
        speed: Speed over the ground in m/s; as fast as feet go back if not given (m/s, 0.000001 to 1000000).
        """
        return self._verb(
            "travel",
            {
                "cycles": cycles,
                "speed": speed,
            },
        )

    def speed(
        self,
        *,
        factor: float,
        from_secs: float | None = None,
        to_secs: float | None = None,
        ease_secs: float = 0.25,
    ) -> Clip:
        """Play a motion, or a stretch of it, faster or slower.

        factor: Speed, times what it is (0.000001 to 1000000).
        from_secs: Change the motion from here, in seconds; from its start if not given (s).
        to_secs: Change it up to here; to its end if not given (s).
        ease_secs: The change grows over this long, inside each end that is given (s, 0 to 1000000).
        """
        return self._verb(
            "speed",
            {
                "factor": factor,
                "from_secs": from_secs,
                "to_secs": to_secs,
                "ease_secs": ease_secs,
            },
        )
