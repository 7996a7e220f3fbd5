"""The tour runs as it stands."""

import tour


def test_the_tour_runs(capsys):
    tour.main()
    assert capsys.readouterr().out.rstrip().endswith("done")
