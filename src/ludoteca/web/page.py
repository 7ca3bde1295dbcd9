"""The room of a page, in its worker: requests of the page and answers, as JSON texts (`static/worker.js`)."""

from pathlib import Path

import msgspec

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.svg import THEMES, paint
from ludoteca.server.refusals import RefusalError
from ludoteca.web.calling import use_library
from ludoteca.web.shell import Kept, Shell


class PictureWished(msgspec.Struct):
    """A picture of a position that the page asks for."""

    ply: int
    player: int = SPECTATOR
    theme: str = THEMES[0]


class Page:
    """The room of a page. If the room cannot be opened, each answer is the refusal."""

    def __init__(self, name: str, kept: str, origin: str, library: str) -> None:
        """Open or make the room for the JSON texts of `Kept`. `library` is the path of the game's library."""
        use_library(Path(library))
        self._refusal: RefusalError | None = None
        try:
            begun = msgspec.json.decode(origin, type=Kept) if origin else None
            self._shell = Shell(name, msgspec.json.decode(kept, type=Kept), begun)
        except RefusalError as refusal:
            self._refusal = refusal

    def act(self, what: str, text: str) -> str:
        """Do what the page asks. The answer has frames, rooms to keep, a result, and the seconds until `wake`."""
        if self._refusal:
            why = {"code": self._refusal.code, "message": self._refusal.message}
            return msgspec.json.encode({"refused": why, "due": None}).decode()
        shell, frames = self._shell, list[str]()
        result: object = None
        if what == "hear":
            frames = shell.hear(text)
        elif what == "wake":
            frames = shell.wake()
        elif what in ("analysis", "analyse"):
            result = shell.analysis(begins=what == "analyse")
        elif what == "record":
            result = shell.table.record()
        elif what == "picture":
            result = self._picture(msgspec.json.decode(text, type=PictureWished, strict=False))
        kept = {name: msgspec.json.encode(room).decode() for name, room in shell.changed.items()}
        shell.changed.clear()
        told = {"frames": frames, "kept": kept, "answer": result, "due": shell.next_due()}
        return msgspec.json.encode(told).decode()

    def _picture(self, wished: PictureWished) -> str:
        """Return a position as an SVG file, as a server draws it."""
        table = self._shell.table
        names = [each.name or each.agent for each in table.seats]
        return paint(table.game.spec, table.pictured(wished.ply, wished.player), wished.theme, names)
