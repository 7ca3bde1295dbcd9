"""The benchmark that plays two versions against each other, here this version against itself."""

import sys
from pathlib import Path

import msgspec
import pytest
from benchmarks.against_version import Deal, Plan, play, read_saved, report

PLAN = Plan("okupacio-8x8", "greedy", "random", "ours", 4, 1)


def test_every_deal_is_played_from_every_seat_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "kept"
    assert read_saved(file, PLAN) == []
    before = Deal(0, 2, 1.0, 2.0, {"ours": 3, "theirs": 5}, {"ours": 0.006, "theirs": 0.01})
    file.write_bytes(file.read_bytes() + msgspec.json.encode(before) + b'\n{"deal":1,"ga')  # a line that was broken off
    kept, new = play(PLAN, sys.executable, 4, 1, file)
    assert kept == before
    assert (new.deal, new.games, new.everybody) == (1, 2, 2.0)
    assert 0 <= new.own <= 2
    assert min(new.moves.values()) > 20
    assert min(new.seconds.values()) > 0
    assert read_saved(file, PLAN) == [kept, new]
    text, figures = report(PLAN, [kept, new])
    assert figures["share"] == (1 + new.own) / 4
    assert figures["low"] <= figures["share"] <= figures["high"]
    assert text.startswith(f"ours {100 * figures['share']:.1f} % (")
    with pytest.raises(SystemExit, match="holds games of"):
        read_saved(file, msgspec.structs.replace(PLAN, seed=2))
