"""Verbs from Python: the same results and refusals as the command's."""

import json

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


def test_a_driven_body_and_an_adapted_jump():
    walk = aplomb.load("builtin:walk").cut(end=1.0)
    played = walk.track(figure="upper")
    assert np.isfinite(played.rotations).all() and played.receipt["steps"][0]["verb"] == "track"
    with pytest.raises(aplomb.AplombError, match="goal"):
        walk.adapt()


def test_unknown_parameters_are_refused_by_name():
    with pytest.raises(aplomb.AplombError, match="wobble"):
        aplomb.load("builtin:walk").touchup(wobble=3)


def test_project_files_run(tmp_path):
    (tmp_path / "bend.toml").write_text(
        'schema = 1\nclip = "builtin:walk"\n[[edit]]\nverb = "arc"\nradius_m = 3.0\nside = "left"\n'
    )
    bent = aplomb.run(tmp_path / "bend.toml")
    bent.save(tmp_path / "bent.glb")
    assert json.dumps(bent.receipt) and len(aplomb.load(tmp_path / "bent.glb")) == len(bent)
