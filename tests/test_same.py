"""The comparison of results that `make same` does."""

import json
from pathlib import Path
from typing import Any

import pytest
from tools.same import names
from tools.same.compare import compare, differences, read, report
from tools.same.names import Renamed
from tools.same.wanted import Wanted

OLD: dict[str, Any] = {"help": {"out": "Usage\n  --port 1\n"}, "room": {"seat 0": [{"mover": 0}, {"mover": 1}]}}
HELP = Wanted("commands", "help", r"--port \d", "--port N", "the default has changed", "1a2b3c4")


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, ["a: 1 -> 2"]),
        ({"a": 1}, {}, ["a: 1 -> nothing"]),
        ({"a": [1, [2]]}, {"a": [1, [3]]}, ["a[1][0]: 2 -> 3"]),
        ([1], [1, 2], [": 1 -> 2 items"]),
        ({"a": 0}, {"a": False}, ["a: 0 -> false"]),
        ({"out": "a\nb\n"}, {"out": "a\nc\n"}, ["out:\n@@ -2 +2 @@\n-b\n+c"]),
        ({"out": "a\n"}, {"out": "a"}, ["out: line ends differ"]),
    ],
)
def test_a_difference_is_named_by_its_place(old: object, new: object, places: list[str]) -> None:
    assert list(differences(old, new)) == places


@pytest.mark.parametrize(
    ("changed", "different", "wanted"),
    [
        ({}, [], 0),
        ({"help": {"out": "Usage\n  --port 2\n"}}, [], 1),
        ({"help": {"out": "usage\n  --port 2\n"}}, ["help"], 0),
        ({"room": {"seat 0": [{"mover": 0}]}}, ["room"], 0),
        ({"new": {"out": "--port 1"}}, ["new"], 0),
    ],
)
def test_a_rule_hides_its_own_difference_and_no_other(changed: dict[str, Any], different: list[str], wanted: int) -> None:
    compared = compare(OLD, OLD | changed, [HELP])
    assert (list(compared.different), compared.wanted) == (different, wanted)


def test_a_case_of_one_version_alone_differs() -> None:
    assert list(compare(OLD, {"help": OLD["help"]}, []).different) == ["room"]


def test_a_rule_can_allow_that_a_case_is_missing() -> None:
    rule = Wanted("rooms", "room", r"(?s).+", '"removed"', "the room has gone", "1a2b3c4")
    assert compare(OLD, {"help": OLD["help"]}, [rule]).different == {}


def test_cases_with_the_same_first_difference_are_one_entry() -> None:
    old = {f"case {number}": {"frames": [[number], {"left": 7}]} for number in range(9)}
    new = {name: {"frames": [result["frames"][0], {"left": 6}]} for name, result in old.items()}
    assert list(report("rooms", compare(old, new, []))) == [
        "rooms: 9 cases, 9 differ",
        "  case 0 (and 8 more alike)",
        "    frames[1].left: 7 -> 6",
    ]


def test_results_with_one_name_are_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "results").write_text('["a", 1]\n["a", 2]\n', encoding="utf-8")
    with pytest.raises(AssertionError, match="the same name"):
        read(tmp_path / "results")


def test_names_are_translated_for_the_older_version(monkeypatch: pytest.MonkeyPatch) -> None:
    renamed = [Renamed("field", "turn", "mover", "1a2b3c4"), Renamed("argument", "--address", "--host", "1a2b3c4")]
    monkeypatch.setenv(names.ENVIRONMENT, json.dumps(renamed))
    assert names.sent({"turn": [{"turn": 1}]}) == {"mover": [{"mover": 1}]}
    assert names.received({"mover": 1}) == {"turn": 1}
    assert [names.spoken("argument", word) for word in ("--address", "--port")] == ["--host", "--port"]
