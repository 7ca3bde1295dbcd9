"""The file of a recorded game: the game's parameters, its start, all actions in the game's notation, and the result. The
command line, the server and the judge save games in this form.

The file is JSON and contains a digest of its other lines, so that a changed file is noticed. This module reads and writes
the file. `Game.replay` plays its actions again and checks that the rules allow them.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from ludoteca.core.errors import RecordError
from ludoteca.core.messages import Message
from ludoteca.core.words import ERROR_CHARACTERS, excerpt, quoted

FORMAT: Final = "ludoteca-record"
RECORD_VERSION: Final = 1
MOST_FILE_BYTES: Final = 4 << 20
"""The largest size of a file that is read, in bytes. The record of a very long game is a hundred times smaller."""
BYTE_ORDER_MARK: Final = "\ufeff"


class Seed(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag="seed", tag_field="from"):
    """The start of a game that was dealt from a seed, which is written as 64 hexadecimal digits."""

    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

    @classmethod
    def of(cls, number: int) -> "Seed":
        return cls(f"{number:064x}")

    def __int__(self) -> int:
        return int(self.seed, 16)


class FromPosition(msgspec.Struct, forbid_unknown_fields=True, frozen=True, tag="position", tag_field="from"):
    """The start of a game from a complete position, hidden cards included, in the game's notation."""

    position: str


Start: TypeAlias = Seed | FromPosition


class Result(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The result of a finished game. Both lists have one number for each player: `returns` has the utilities (shares of the
    win, or points), and `scores` has the points of the game's own rules.
    """

    returns: list[float]
    scores: list[int]


MOST_NAME_CHARACTERS: Final = 40
Name: TypeAlias = Annotated[str, msgspec.Meta(max_length=MOST_NAME_CHARACTERS)]


class Player(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The player of one seat: `name` is a person's name, or `agent` is the name of an agent. Both are empty for a person
    without a name.
    """

    name: Name = ""
    agent: Name = ""


class Record(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The content of a record file.

    `rules` is the version of the game's rules, and `version` the version of the file's form. `result` is None for an
    unfinished game. `players` has one entry for each seat. If no player has a name, it is empty and the file leaves it out.

    >>> from ludoteca import load
    >>> state = load("okupacio", board="4x4").new_initial_state(seed=1)
    >>> state.apply_action(state.string_to_action("ab"))
    >>> record = state.to_record()
    >>> record.actions, int(record.start), record.result
    (['ab'], 1, None)
    >>> Record.from_json(record.to_json()) == record
    True
    """

    format: str = FORMAT
    version: int = RECORD_VERSION
    game: str
    rules: int
    parameters: dict[str, Any]
    start: Start
    actions: list[str]
    result: Result | None
    players: tuple[Player, ...] = ()
    digest: str = ""

    def sealed(self) -> "Record":
        """Return the same record with the digest of its content in the field `digest`."""
        return msgspec.structs.replace(self, digest=self.expected_digest())

    def _lines(self) -> dict[str, Any]:
        """Return the content of the file as a dictionary. Each key becomes one line of the file."""
        content: dict[str, Any] = msgspec.to_builtins(self)
        if not self.players:
            del content["players"]
        return content

    def expected_digest(self) -> str:
        """Return the digest that belongs to the content: the hexadecimal SHA-256 of all fields except `digest`, written as
        JSON in UTF-8 with sorted keys and without blanks.
        """
        content = {name: value for name, value in self._lines().items() if name != "digest"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> str:
        """Return the text of the file. It has one line for each key, so that a tool such as `diff` shows how two records
        differ.
        """
        lines = (f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in self._lines().items())
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> "Record":
        """Return the record that a text contains. This checks the form and the digest, but not the rules of the game: for
        these, use `Game.replay`.

        Raises RecordError if the text is not a record, was edited, or is of a newer version. The message says what is wrong
        and where.
        """
        content = _read_object(text)
        version = content.get("version")
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise RecordError(("record.malformed", ("record.version", excerpt(repr(version)), RECORD_VERSION)))
        if version > RECORD_VERSION:
            raise RecordError(("record.newer", version, RECORD_VERSION))
        try:
            record = msgspec.convert(content, cls)
        except msgspec.ValidationError as error:
            raise RecordError(("record.malformed", _misfit(excerpt(str(error), ERROR_CHARACTERS)))) from None
        expected = record.expected_digest()
        if record.digest != expected:
            raise RecordError(("record.edited", expected, excerpt(record.digest, len(expected)) or ("record.nothing",)))
        return record


def read_record(path: Path | str) -> Record:
    """Return the record in a file. The text may begin with a byte order mark.

    Raises OSError if the file cannot be opened. Raises RecordError if it is larger than MOST_FILE_BYTES, or if its text is
    not a valid record.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from ludoteca import load
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "game.json")
    ...     _ = path.write_text(load("okupacio").new_initial_state(seed=1).to_record().to_json(), encoding="utf-8")
    ...     read_record(path).parameters["players"]
    2
    """
    with Path(path).open("rb") as file:
        content = file.read(MOST_FILE_BYTES + 1)
    if len(content) > MOST_FILE_BYTES:
        raise RecordError(f"{path}: this is not a record: it is longer than {MOST_FILE_BYTES:,} bytes")
    try:
        return Record.from_json(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: byte {error.start} is no UTF-8: this is not a record") from None
    except RecordError as error:
        raise type(error)(f"{path}: {error}") from None


def _read_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a record. Raises RecordError if the text is not a JSON object, has a key twice, or has
    another value of `format` than FORMAT.
    """

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for name, value in pairs:
            if name in content:
                raise RecordError(("record.malformed", ("record.twice", quoted(name))))
            content[name] = value
        return content

    try:
        content = json.loads(text.removeprefix(BYTE_ORDER_MARK), object_pairs_hook=distinct)
        json.dumps(content, ensure_ascii=False).encode()  # JSON can contain half a surrogate pair, which no message can show
    except RecursionError:
        raise RecordError(("record.none", ("record.nested",))) from None
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            raise RecordError(("record.cut", error.lineno, error.colno)) from None
        wrong: Message = (_NO_JSON[error.msg],) if error.msg in _NO_JSON else error.msg
        raise RecordError(("record.none", ("record.json", error.lineno, error.colno, wrong))) from None
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise RecordError(("record.none", ("record.half", repr(half)))) from None
    except ValueError:
        raise RecordError(("record.none", ("record.digits", sys.get_int_max_str_digits()))) from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise RecordError(("record.none", ("record.other", FORMAT)))
    return content


_NO_JSON: Final = {
    "Expecting value": "json.value",
    "Expecting property name enclosed in double quotes": "json.name",
    "Expecting ':' delimiter": "json.colon",
    "Expecting ',' delimiter": "json.comma",
    "Extra data": "json.extra",
}
"""The keys of messages for errors of the module `json`. Errors that are not listed are shown in the words of `json`."""

_MISFITS: Final = {
    "Object missing required field `(.*)`": "field.missing",
    "Object contains unknown field `(.*)`": "field.unknown",
    "Expected `(.*)`, got `(.*)`": "field.type",
    "Expected `str` matching regex '(.*)'": "field.regex",
    "Expected `str` of length <= (.*)": "field.length",
}
"""Patterns of errors of `msgspec`, with the keys of messages. Other errors are shown in the words of `msgspec`."""


def _misfit(error: str) -> Message:
    """Return an error text of `msgspec` as a message that can be translated."""
    what, _, where = error.partition(" - at ")
    found = ((key, re.fullmatch(pattern, what)) for pattern, key in _MISFITS.items())
    told: Message = next(((key, *match.groups()) for key, match in found if match), what)
    return ("field.at", told, where) if where else told
