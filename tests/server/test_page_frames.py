"""The page reads frames by names and positions that `frames.js` and `scenes.js` repeat: they are those of the structs."""

import re
from importlib import resources
from typing import Any, get_args

import msgspec
import pytest

from ludoteca.core.scene import Choice, Item, Scene, Standing
from ludoteca.server import frames

FRAMES = "".join(
    file.read_text(encoding="utf-8")
    for file in (
        resources.files("ludoteca.server") / "static" / "js" / "frames.js",
        resources.files("ludoteca.core") / "painter" / "scenes.js",
    )
)
ARRAYS = (Item, Choice, Standing, Scene)
OTHER_NAMES = {"Event": "RoomEvent"}
"""In the page, where a struct's own name means something else."""

BLOCK = r"@typedef \{object\} %s\n((?: \* @property .*\n)+)"
PROPERTY = re.compile(r"@property \{.*?\} (\[?)(\w+)\]?(?: .*)?\n")
LINE = r"@typedef \{\{(.*)\}\} %s\n"
FIELD = re.compile(r"(\w+)(\??): ")
PARTS = r"function read%s\((?:parts\) \{\n  const )?\[([^\]]*)\]"


def written(name: str, text: str) -> list[tuple[str, bool]]:
    """The fields that the page knows of a struct, and whether each may be missing."""
    if block := re.search(BLOCK % name, text):
        return [(field, bool(optional)) for optional, field in PROPERTY.findall(block[1])]
    line = re.search(LINE % name, text)
    assert line, f"the page does not know {name}"
    return [(field, bool(optional)) for field, optional in FIELD.findall(re.sub(r"\{[^{}]*\}|<[^<>]*>", "", line[1]))]


def declared(struct: type[msgspec.Struct]) -> list[tuple[str, bool]]:
    """The fields of a struct as they travel, and whether each may be missing."""
    config = struct.__struct_config__
    missing = config.omit_defaults or struct in get_args(frames.Request)
    return [(field.name, missing and not field.required) for field in msgspec.structs.fields(struct)]


def structs_in(kind: Any) -> set[type[msgspec.Struct]]:
    """The structs that a type is made of."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {kind}.union(*(structs_in(field.type) for field in msgspec.structs.fields(kind)))
    return set().union(*(structs_in(part) for part in get_args(kind)))


def differences(text: str) -> list[str]:
    """What the page knows otherwise than the server."""
    found = []
    for struct in structs_in(frames.Answer) | {Choice} | structs_in(frames.Request):
        name, expected = OTHER_NAMES.get(struct.__name__, struct.__name__), declared(struct)
        if struct in get_args(frames.Request):
            tag = f't: "{struct.__struct_config__.tag}"'
            if not re.search(rf"@typedef \{{\{{{tag}[,}}].* {name}\n", text):
                found.append(f"{name}: expected {tag}")
            expected = [("t", False), *((field, optional) for field, optional in expected if field != "id")]
        if written(name, text) != expected:
            found.append(f"{name}: read {written(name, text)}, expected {expected}")
    for struct in ARRAYS:
        parts = re.search(PARTS % struct.__name__, text)
        assert parts, f"the page does not read {struct.__name__}"
        read = [(part.split(" = ")[0], " = " in part) for part in parts[1].split(", ")]
        expected = [(field.name, not field.required) for field in msgspec.structs.fields(struct)]
        if read != expected:
            found.append(f"{struct.__name__}: read {read}, expected {expected}")
    return found


def test_the_page_knows_frames_as_they_are() -> None:
    assert differences(FRAMES) == []


def test_an_array_is_as_long_as_the_page_reads() -> None:
    """A choice travels as a tuple of its own, since its action is a text."""
    assert len(get_args(frames.ChoiceFrame)) == len(Choice.__struct_fields__)
    assert all(struct.__struct_config__.array_like for struct in ARRAYS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[id, sprite, x, y,", "[id, sprite, y, x,"),
        ("readChoice([action, touches, ", "readChoice([touches, action, "),
        (" * @property {number} mover\n", ""),
        ("@property {Over} [over]", "@property {Over} over"),
        ("id: number, code: string", "id: number, kode: string"),
        ('{t: "write", n: number, text: string}', '{t: "write", n: number}'),
        ('{t: "replace", seat: number}', '{t: "replaced", seat: number}'),
    ],
)
def test_the_test_bites(before: str, after: str) -> None:
    assert before in FRAMES
    assert len(differences(FRAMES.replace(before, after, 1))) == 1


def test_a_field_that_the_server_adds_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    longer = msgspec.defstruct("Done", [*((field, int) for field in frames.Done.__struct_fields__), ("more", int)])
    monkeypatch.setattr(frames, "Answer", frames.Answer | longer)
    assert [text.split(":")[0] for text in differences(FRAMES)] == ["Done"]
