"""Records: written, read back, replayed. Errors for files that are cut off, edited, newer, or no records."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca.cli.commands import command
from ludoteca.core.errors import LudotecaError, RecordError, ReplayError
from ludoteca.core.game import State
from ludoteca.core.messages import LANGUAGES
from ludoteca.core.record import Record, read_record

EXAMPLE = ["ab", "bc", "db", "cc", "bd", "cd", "00", "dc", "bb", "ab"]
BOARD = "4 4 2 1 1 1 3 2 5 1"


def played(actions: list[str] = EXAMPLE) -> State:
    state = ludoteca.load("okupacio", players=3, board=BOARD).new_initial_state(7)
    for action in actions:
        state.apply_action(state.string_to_action(action))
    return state


def changed(**fields: Any) -> str:
    """Return the example's record with other fields and a valid digest."""
    content = json.loads(played().serialize()) | fields
    draft = Record.from_json(played().serialize())
    import msgspec

    record = msgspec.convert({**msgspec.to_builtins(draft), **content, "digest": ""}, Record)
    return record.sealed().to_json()


def test_a_record_holds_everything_and_replays() -> None:
    state = played()
    record = state.to_record()
    assert (record.game, record.rules, record.parameters) == ("okupacio", 1, {"players": 3, "board": BOARD})
    assert record.actions == EXAMPLE
    assert record.result is not None
    assert record.result.scores == [0, 8, 3]
    again = ludoteca.open_record(Record.from_json(record.to_json()))
    assert again == state
    assert again.history() == state.history()
    assert again.serialize() == state.serialize()


def test_a_record_may_start_from_a_position() -> None:
    game = ludoteca.load("okupacio", players=3, board=BOARD)
    state = game.state_from_string("AA#B/#.BB/##AC/CC.# A 6 0:2,0:1,0:0")
    state.apply_action(state.string_to_action("00"))
    again = game.deserialize_state(state.serialize())
    assert again == state
    assert json.loads(state.serialize())["start"] == {"from": "position", "position": "AA#B/#.BB/##AC/CC.# A 6 0:2,0:1,0:0"}


def test_a_resampled_state_keeps_what_the_seat_has_seen_and_is_kept_from_there() -> None:
    state = played(EXAMPLE[:4])
    again = state.resample_from_infostate(1, ludoteca.new_rng(1))
    again.apply_action(again.string_to_action("bd"))
    assert again.history() == played(EXAMPLE[:5]).history()
    assert json.loads(again.serialize())["actions"] == ["bd"]
    assert ludoteca.open_record(Record.from_json(again.serialize())) == again


@given(st.integers(0, 2**256 - 1), st.lists(st.integers(0, 10**6), max_size=30), st.integers(2, 10))
def test_any_game_is_read_back(seed: int, choices: list[int], players: int) -> None:
    state = ludoteca.load("okupacio", players=players, board="5x4").new_initial_state(seed)
    for choice in choices:
        legal = state.legal_actions()
        if legal:
            state.apply_action(legal[choice % len(legal)])
    assert ludoteca.open_record(Record.from_json(state.serialize())) == state


def edit(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def many_keys() -> str:
    """The file has a hundred thousand keys. The key in the middle comes again at the end."""
    return ",".join(f'"{number}": 0' for number in [*range(100_000), 50_000])


BAD: dict[str, tuple[Callable[[str], str], str]] = {
    "empty": (lambda text: "", "the record is cut off: it ends at line 1, column 1"),
    "cut off in a text": (lambda text: text[:200], "the record is cut off: it ends at line"),
    "cut off before the last bracket": (lambda text: text.rstrip()[:-1], "the record is cut off"),
    "no JSON": (lambda text: edit(text, '"game":', "game:"), "this is not a record: not JSON at line 4, column 3"),
    "another JSON": (lambda text: "[1, 2]", "this is not a record: expected a JSON object with"),
    "another format": (lambda text: edit(text, "ludoteca-record", "chess"), "this is not a record"),
    "deep brackets": (lambda text: "[" * 100_000, "this is not a record"),
    "a key twice": (lambda text: edit(text, "{", '{"game": "go",'), "the key 'game' appears twice"),
    "newer": (lambda text: edit(text, '"version": 1', '"version": 2'), "was written by a newer one"),
    "no version": (lambda text: edit(text, '"version": 1', '"version": "one"'), "the version is 'one', expected"),
    "many keys, one twice": (lambda text: f"{{{many_keys()}}}", "the key '50000' appears twice"),
    "a number of 10,000 digits": (
        lambda text: edit(text, '"rules": 1', f'"rules": {10**4 * "9"}'),
        "has more than 4300 digits",
    ),
    "half a character": (lambda text: edit(text, '"bc"', r'"\ud800"'), r"'\ud800' in one of its texts is half a character"),
    "half a character in a key": (lambda text: edit(text, '"game"', r'"\udc00"'), "is half a character"),
    "half a character as a kind of start": (lambda text: edit(text, '"from": "', r'"from": "\udc00'), "is half a character"),
    "no number": (lambda text: edit(text, '"rules": 1', '"rules": NaN'), "Expected `int`, got `float`"),
    "a key missing": (lambda text: edit(text, '"actions"', '"action"'), "the record is not well formed: Object"),
    "a key too many": (lambda text: edit(text, "{", '{"winner": "me",'), "unknown field `winner`"),
    "an action that is no text": (lambda text: edit(text, '"bc"', "7"), "Expected `str`, got `int` - at `$.actions[1]`"),
    "a key of control characters": (
        lambda text: edit(text, '"rules"', r'"\u001b[2J"'),
        r"contains unknown field `\x1b[2J`",
    ),
    "a key of a thousand characters": (lambda text: edit(text, '"rules"', f'"{1000 * "r"}"'), "rrr…"),
    "a digest of control characters": (
        lambda text: edit(text, '"digest": "', r'"digest": "\u001b[2J'),
        r"but is \x1b[2J",
    ),
    "a seed that is none": (lambda text: edit(text, "0000007", "00000g7"), "at `$.start.seed`"),
    "an action changed": (lambda text: edit(text, '"cc"', '"ca"'), "the record was edited after it was written"),
    "a result changed": (lambda text: edit(text, "[0, 8, 3]", "[9, 8, 3]"), "the record was edited"),
    "no digest": (lambda text: edit(text, json.loads(text)["digest"], ""), "but is nothing"),
}


@pytest.mark.parametrize(("spoil", "says"), BAD.values(), ids=BAD.keys())
def test_a_bad_record_says_what_is_wrong(spoil: Callable[[str], str], says: str) -> None:
    with pytest.raises(RecordError) as caught:
        Record.from_json(spoil(played().serialize()))
    assert says in str(caught.value)
    check_languages(caught.value)


def check_languages(error: LudotecaError) -> None:
    """Check that an error has a different text in each language."""
    assert len({error.text(language) for language in LANGUAGES}) == len(LANGUAGES)


SEALED_AND_WRONG: dict[str, tuple[dict[str, Any], type[LudotecaError], str]] = {
    "a wall": ({"actions": ["ab", "ac"]}, ReplayError, "action 2 of 2, 'ac': ac is a wall"),
    "a cell taken": ({"actions": ["ab", "ab"]}, ReplayError, "action 2 of 2, 'ab': ab already belongs to army A"),
    "a long action": ({"actions": [99 * "x"]}, ReplayError, f"action 1 of 1, '{40 * 'x'}': "),
    "a game of control characters": ({"game": "\x1b[2J"}, LudotecaError, r"no game '\x1b[2J': there are "),
    "after the end": ({"actions": [*EXAMPLE, "aa"]}, ReplayError, "action 11 of 11, 'aa': the game is over"),
    "another end": ({"actions": EXAMPLE[:-1]}, ReplayError, "its 9 actions lead to an unfinished game"),
    "no result": ({"result": None}, ReplayError, "the record has an unfinished game, but its 10 actions lead to"),
    "newer rules": ({"rules": 2}, RecordError, "follows version 2 of the rules of okupacio, and this Ludoteca knows"),
    "no such game": ({"game": "chess"}, LudotecaError, "no game 'chess': there are "),
    "a value out of range": (
        {"parameters": {"players": 11}},
        LudotecaError,
        "read 11, expected a whole number from 2 to 10",
    ),
    "a bad start": ({"start": {"from": "position", "position": "...."}}, ReplayError, "start: the position has 1 part:"),
}


@pytest.mark.parametrize(("fields", "error", "says"), SEALED_AND_WRONG.values(), ids=SEALED_AND_WRONG.keys())
def test_a_record_that_is_sealed_and_wrong_is_found_out(
    fields: dict[str, Any], error: type[LudotecaError], says: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    file.write_text(changed(**fields))
    with pytest.raises(error) as caught:
        ludoteca.open_record(read_record(file))
    assert says in str(caught.value)
    check_languages(caught.value)
    for word in ("show", "verify"):
        result = CliRunner().invoke(command, ["record", word, str(file)])
        assert isinstance(result.exception, LudotecaError)
        assert says in str(result.exception)
        assert "verified" not in result.output


def test_a_record_of_another_game_is_not_replayed() -> None:
    with pytest.raises(ReplayError, match=r"the record is of okupacio with .*'players': 3.*, not of okupacio with"):
        ludoteca.load("okupacio", players=2, board=BOARD).replay(played().to_record())


def test_a_file_that_is_no_text_is_no_record(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(b"\x89PNG\r\n")
    with pytest.raises(RecordError, match=r"game\.json: byte 0 is no UTF-8"):
        read_record(file)


def test_a_byte_order_mark_is_no_part_of_a_record(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(played().serialize(), encoding="utf-8-sig")
    assert read_record(file) == played().to_record()


def test_a_file_that_never_ends_is_no_record() -> None:
    with pytest.raises(RecordError, match="/dev/zero: this is not a record: it is longer than 4,194,304 bytes"):
        read_record(Path("/dev/zero"))


def test_verify_and_show_say_what_they_found(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(played().serialize())
    verified = CliRunner().invoke(command, ["record", "verify", str(file)])
    assert verified.output == f"{file}: a record of okupacio, 10 actions, all legal; its result holds\n"
    shown = CliRunner().invoke(command, ["record", "show", str(file)]).output
    for part in ("Okupació", BOARD, "ab bc db cc bd cd 00 dc bb ab", "BB#B/#BBB/##BC/CCB#", "0, 8, 3"):
        assert part in shown


def test_the_documented_record_is_what_is_written() -> None:
    page = (Path(__file__).parents[1] / "docs" / "records.md").read_text(encoding="utf-8")
    assert f"```json\n{played().serialize()}```" in page


def test_a_record_may_name_those_who_played() -> None:
    players = [{"name": "Mireia"}, {"agent": "3"}, {"name": "", "agent": ""}]
    text = changed(players=players)
    read = Record.from_json(text)
    assert [player.name or player.agent for player in read.players] == ["Mireia", "3", ""]
    assert read.to_json() == text
    assert played().game.replay(read).history() == played().history()
    assert '"players"' not in played().serialize().replace('{"players": 3', "")
    with pytest.raises(ReplayError, match="the record has names for 2 players, but 3 play"):
        played().game.replay(Record.from_json(changed(players=players[:2])))
    with pytest.raises(RecordError, match="was edited"):
        Record.from_json(text.replace("Mireia", "Miquel"))
    with pytest.raises(RecordError, match="length <= 40"):
        Record.from_json(text.replace("Mireia", "M" * 41))
