"""Verbs from Python: the same results and refusals as the command's."""

import json
import os
import signal
import threading
import time

import numpy as np
import pytest

import aplomb


def test_touchup_repairs_a_bent_walk():
    walk = aplomb.load("builtin:walk")
    bent = aplomb.run({"edit": [{"verb": "arc", "radius_m": 2.0, "side": "left"}]}, walk)
    right = bent.touchup()
    assert right.receipt["program"] == "aplomb" and right.receipt["status"] in ("done", "goal_unmet")
    assert right.receipt["after"]["zmp"]["mean_m"] < bent.inspect()["zmp"]["mean_m"]
    # The original is never changed.
    np.testing.assert_array_equal(walk.rotations, aplomb.load("builtin:walk").rotations)


def test_a_receipt_is_a_page_of_its_own():
    walk = aplomb.load("builtin:walk")
    assert walk.receipt_html() is None
    page = walk.cut(end=1.0).receipt_html()
    assert page.startswith("<!doctype html>") and "builtin:walk" in page and "verb = &quot;cut&quot;" in page


def test_two_calls_are_as_good_as_one_project():
    run = aplomb.load("builtin:run")
    bend = {"verb": "arc", "radius_m": 6.0, "side": "left"}
    at_once = aplomb.run({"edit": [bend, {"verb": "touchup"}]}, run)
    one_by_one = aplomb.run({"edit": [bend]}, run).touchup()
    # What touched the ground before the bend slid the feet is known to the second call.
    np.testing.assert_allclose(one_by_one.root, at_once.root, atol=1e-6)


def test_blends_take_clips_in_memory_and_built_ins():
    short, long = aplomb.load("builtin:short-jump"), aplomb.load("builtin:long-jump")
    between = aplomb.blend([short, long], weights=[0.5, 0.5])
    lengths = [np.ptp(clip.root[:, [0, 2]], axis=0).max() for clip in (short, between, long)]
    assert lengths[0] < lengths[1] < lengths[2]
    again = short.blend("builtin:long-jump", weights=[0.5, 0.5])
    np.testing.assert_allclose(between.root, again.root, atol=1e-6)


def test_an_edited_array_is_what_a_verb_sees():
    walk = aplomb.load("builtin:walk")
    walk.root[:, 0] += 5.0
    planted = walk.plant()
    assert abs(planted.root[:, 0].mean() - walk.root[:, 0].mean()) < 0.2


def test_cut_keeps_a_part():
    walk = aplomb.load("builtin:walk")
    half = walk.cut(end=walk.duration / 2)
    assert abs(len(half) - len(walk) / 2) < 2


def test_a_path_is_dragged_by_its_handles():
    walk = aplomb.load("builtin:walk")
    editor = aplomb.PathEditor(walk)
    last = editor.handles[-1]
    dragged = editor.move(last["handle"], (0.5, 0.0, 0.0)).apply()
    moved = dragged.root[-1] - walk.root[-1]
    # The way leads to where the handle was put; the body is a little beside it, and lowered where legs are short.
    assert abs(moved[0] - 0.5) < 0.1, moved
    np.testing.assert_allclose(dragged.root[0, [0, 2]], walk.root[0, [0, 2]], atol=0.05)


@pytest.fixture(scope="module")
def wave():
    return aplomb.load("builtin:wave")


@pytest.fixture(scope="module")
def jump():
    return aplomb.load("builtin:long-jump")


def way(clip):
    """How far the root gets over the ground, m."""
    return float(np.linalg.norm((clip.root[-1] - clip.root[0])[[0, 2]]))


def test_a_longer_jump_lands_farther_after_a_deeper_crouch(jump):
    farther = jump.adapt(goals={"jump_length_m": 0.3})
    adapted = farther.receipt["steps"][0]["adapt"]["adapted"]
    assert adapted["is_converged"] and farther.receipt["status"] == "done"
    # The goal is on footprints; the hips end over them within some millimetres.
    assert abs(way(farther) - way(jump) - 0.3) < 0.01
    # Who goes farther crouches deeper: at the lowest by 26 mm.
    assert farther.root[:, 1].min() < jump.root[:, 1].min() - 0.01
    flights = farther.inspect()["flights"]
    # 1 % is what a flight of half a second tells (docs/analysis/contacts.md has 5 % for captures).
    assert len(flights) == 1 and abs(flights[0]["g"] - 9.81) < 0.1


def test_goals_that_cannot_be_met_are_an_exception_unless_the_best_will_do(jump):
    # No legs are three metres apart.
    apart, short = {"footprints": [{"side": "left", "forward_m": 3.0}]}, aplomb.load("builtin:short-jump")
    with pytest.raises(aplomb.AplombError, match="cannot be met.*mm"):
        short.adapt(goals=apart)
    nearest = short.adapt(goals=apart, best=True)
    # Feet three metres apart are no motion that a body could perform: what comes nearest is worse than the clip.
    assert nearest.receipt["status"] == "harmed" and np.isfinite(nearest.rotations).all()
    with pytest.raises(aplomb.AplombError, match="no goals are given: say what should change"):
        jump.adapt()
    with pytest.raises(aplomb.AplombError, match="jump_length_m must be within 5 m, found 900"):
        jump.adapt(goals={"jump_length_m": 900})
    with pytest.raises(aplomb.AplombError, match="jump_lenght_m.*jump_length_m"):
        jump.adapt(goals={"jump_lenght_m": 1})
    with pytest.raises(aplomb.AplombError, match="this clip has none"):
        aplomb.load("builtin:bow").adapt(goals={"jump_length_m": 0.2})


def test_a_driven_body_plays_a_smooth_wave(wave):
    played = wave.track()
    report = played.receipt["steps"][0]["track"]["report"]
    # As the command's own test has it.
    assert report["degrees_of_freedom"] == 27 and report["rms_error_deg"] < 5.5
    assert len(played) == len(wave) and played.fps == pytest.approx(wave.fps)

    def bends(clip):
        return np.linalg.norm(np.diff(clip.world_positions(), n=2, axis=0), axis=-1).max()

    # A body with mass follows later and no less smoothly: 1.53 against 1.50 mm a frame and frame.
    assert bends(played) < 1.2 * bends(wave)
    apart = np.linalg.norm(played.world_positions() - wave.world_positions(), axis=-1)
    # It was simulated, not copied, and it is still the wave: the hand lags by some 30 ms.
    assert 0.01 < apart.max() < 0.2
    # Legs are not driven: they play what was captured, interpolated between frames (6 µm).
    feet = [index for index, name in enumerate(wave.names) if wave.roles.get(name) in ("left_foot", "right_foot")]
    assert len(feet) == 2 and apart[:, feet].max() < 1e-4


def test_other_bodies_and_wrong_words_of_track(wave):
    child = wave.track(character="child")
    # 1.1 m tall (docs/algorithms/track.md).
    assert np.abs(child.world_positions()[..., 1]).max() < 0.8 * np.abs(wave.world_positions()[..., 1]).max()
    with pytest.raises(aplomb.AplombError, match="stiffness must be from 1 to 1000000.*found -3"):
        wave.track(stiffness=-3)
    with pytest.raises(aplomb.AplombError, match="child"):
        wave.track(character="dwarf")


@pytest.mark.parametrize("verb", ["adapt", "track", "touchup"])
def test_the_interpreter_goes_on_during_long_verbs(jump, verb):
    parameters = {"adapt": {"goals": {"jump_length_m": 0.2}}, "track": {"hz": 2000}, "touchup": {}}[verb]
    stop, ticks = threading.Event(), []

    def tick():
        while not stop.wait(0.002):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    started = time.perf_counter()
    getattr(jump, verb)(**parameters)
    ended = time.perf_counter()
    stop.set()
    thread.join()
    within = [at for at in ticks if started <= at <= ended]
    # Held for the whole call, the longest gap would be the call.
    assert np.diff([started, *within, ended]).max() < 0.8 * (ended - started)


@pytest.mark.skipif(os.name == "nt", reason="sends itself a signal")
@pytest.mark.parametrize("verb", ["adapt", "track"])
def test_ctrl_c_stops_long_verbs(jump, verb):
    # Without the signal they take seconds: several goals, tiny steps.
    parameters = {"adapt": {"goals": {"jump_length_m": 0.4}}, "track": {"hz": 2000}}[verb]
    alarm = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        getattr(jump, verb)(**parameters)
        # Should it be done before the signal: that comes here.
        time.sleep(5)
    # What was stopped left nothing behind that hurts the next.
    assert len(jump.cut(end=0.5)) > 10


def test_unknown_parameters_are_refused_by_name():
    walk = aplomb.load("builtin:walk")
    with pytest.raises(TypeError, match="wobble"):
        walk.touchup(wobble=3)
    with pytest.raises(aplomb.AplombError, match="wobble"):
        aplomb.run({"edit": [{"verb": "touchup", "wobble": 3}]}, walk)


def test_every_verb_is_a_method_that_does_what_the_project_does(wave):
    walk, run = aplomb.load("builtin:walk"), aplomb.load("builtin:run")
    made = {
        "arc": walk.arc(radius_m=3.0, side="left", ease_m=0.2),
        "tilt": walk.tilt(angle_deg=5.0),
        "speed": walk.speed(factor=1.5, from_secs=0.5),
        "join": walk.join(walk, "builtin:walk"),
        "transition": walk.transition(into=run, from_secs=1.2, to_secs=1.7),
        "reach": wave.reach(hand="right", at_secs=1.0, to_m=(-0.3, 1.3, 0.4)),
    }
    for verb, clip in made.items():
        (edit,) = clip.receipt["project"]["edit"]
        assert edit["verb"] == verb and np.isfinite(clip.rotations).all()
    bent = aplomb.run({"edit": [{"verb": "arc", "radius_m": 3.0, "side": "left", "ease_m": 0.2}]}, walk)
    np.testing.assert_array_equal(made["arc"].rotations, bent.rotations)
    assert made["speed"].duration < walk.duration < made["join"].duration
    with pytest.raises(aplomb.AplombError, match="already travels"):
        walk.travel(cycles=2)


def test_project_files_run(tmp_path):
    (tmp_path / "bend.toml").write_text(
        'schema = 1\nclip = "builtin:walk"\n[[edit]]\nverb = "arc"\nradius_m = 3.0\nside = "left"\n'
    )
    bent = aplomb.run(tmp_path / "bend.toml")
    bent.save(tmp_path / "bent.glb")
    assert json.dumps(bent.receipt) and len(aplomb.load(tmp_path / "bent.glb")) == len(bent)


def test_what_is_known_of_contacts_goes_with_a_clip_that_is_saved(tmp_path):
    walk = aplomb.load("builtin:walk")
    bent = aplomb.run({"edit": [{"verb": "arc", "radius_m": 2.0, "side": "left"}]}, walk)
    out = tmp_path / "bent.bvh"
    bent.save(out)
    beside = tmp_path / "bent.bvh.contacts.toml"
    assert beside.exists() and "arc" in beside.read_text()
    notes = aplomb.load(out).touchup().receipt["steps"][0]["notes"]
    assert any("carried through arc" in note for note in notes), notes
