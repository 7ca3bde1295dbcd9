"""Random frames that clients might send, and damaged or malicious versions of them."""

import json
from random import Random
from typing import Any

KINDS = [
    "hello", "play", "write", "why", "hint", "resign", "replace", "rematch", "look", "read", "preview", "plan", "undo",
    "agree",
]  # fmt: skip
STRANGE: list[Any] = [
    None, True, -1, 0, 1, 7, 2**31, 2**53, 2**63, 2**64, 10**400, 1e308, 0.5, "", " ", "\0", "\ud800", "\u202e", "0", "-1",
    "9" * 19, "9" * 5000, "aa", "a1", "?", "x" * 3000, [], [[]], ["aa", "aa"], ["x"] * 500, {}, {"t": "play"},
]  # fmt: skip


WANTED = {
    "hello": ["token"], "play": ["id", "n", "action"], "write": ["id", "n", "text"], "why": ["id", "n", "touched"],
    "hint": ["id", "n"], "resign": ["id", "n"], "replace": ["id", "seat"], "rematch": ["id"],
    "look": ["id", "ply", "player"], "read": ["id"],
    "preview": ["id", "n", "action"], "plan": ["id", "n"], "undo": ["id", "n"],
    "agree": ["id", "what"],
}  # fmt: skip


def some_frame(chance: Random, known: list[str], now: int) -> dict[str, Any]:
    """Return a random request. `known` are items and actions of the game, after `now` actions."""
    word = chance.choice([*known, "aa", "0"]) if known else "aa"
    fields: dict[str, Any] = {
        "id": chance.randrange(1 << 20),
        "n": chance.choice([now, now, now, chance.randrange(30)]),
        "action": word,
        "text": word,
        "touched": chance.sample(known, min(len(known), chance.randrange(4))),
        "seat": chance.randrange(-1, 4),
        "ply": chance.randrange(30),
        "player": chance.randrange(-1, 4),
        "token": None,
        "what": chance.choice(["rematch", f"replace {chance.randrange(4)}", f"undo {now} {chance.randrange(4)}", word]),
    }
    kind = chance.choices(KINDS, [1, 6, 6, 6, 1, 3, 3, 3, 6, 3, 3, 1, 1, 1])[0]
    return {"t": kind, **{name: fields[name] for name in WANTED[kind]}}


def spoilt(chance: Random, what: dict[str, Any]) -> dict[str, Any]:
    """Return the content with fields removed, replaced by strange values, or added."""
    content = dict(what)
    for _ in range(chance.randrange(1, 3)):
        match chance.randrange(3):
            case 0 if content:
                del content[chance.choice(list(content))]
            case 1 if content:
                content[chance.choice(list(content))] = chance.choice(STRANGE)
            case _:
                content[chance.choice([*content, "colour", "", "\0"])] = chance.choice(STRANGE)
    return content


def garbled(chance: Random, text: str) -> str:
    """Return the text with parts removed, doubled or changed."""
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randrange(1, 9))
        piece = chance.choice(
            ["", text[start:end] * 2, "\0", '"', "{", "[" * 400, "\u2028", "é", chance.choice("0123456789-.eE")]
        )
        text = text[:start] + piece + text[end:]
    return text


def written(chance: Random, frame: dict[str, Any]) -> str | bytes:
    """Return the text or the bytes to send for a frame, usually without a fault."""
    match chance.choices(["whole", "spoilt", "garbled", "bytes", "noise"], [5, 3, 2, 0.3, 0.3])[0]:
        case "whole":
            return json.dumps(frame)
        case "spoilt":
            return json.dumps(spoilt(chance, frame))
        case "garbled":
            return garbled(chance, json.dumps(frame))
        case "bytes":
            return chance.randbytes(chance.randrange(100))
    return "".join(chr(chance.randrange(1, 0x2FFF)) for _ in range(chance.randrange(60)))
