"""The interface of Python to the JavaScript of a room's page. Requests and answers are JSON texts. `static/worker.js` calls
it in the page's worker.
"""

from pathlib import Path

import msgspec

from ludoteca.core.contract import SPECTATOR
from ludoteca.core.svg import THEMES, paint
from ludoteca.server.refusals import RefusalError
from ludoteca.web.calling import use_library
from ludoteca.web.shell import Kept, Shell


class PictureWished(msgspec.Struct):
    """The page's request for a picture of a position: after `ply` actions, as `player` sees it, in a theme."""

    ply: int
    player: int = SPECTATOR
    theme: str = THEMES[0]


class Page:
    """The room that a page shows. If the room cannot be opened, each answer says why."""

    def __init__(self, name: str, kept: str, origin: str, library: str) -> None:
        """Open the room with the id `name`, or make it.

        `kept` is the room as the browser stores it, a JSON text of `Kept`. If the game begins from another room, `origin` is
        the JSON text of that room, else it is empty. `library` is the path of the game's compiled library.
        """
        use_library(Path(library))
        self._refusal: RefusalError | None = None
        try:
            begun = msgspec.json.decode(origin, type=Kept) if origin else None
            self._shell = Shell(name, msgspec.json.decode(kept, type=Kept), begun)
        except RefusalError as refusal:
            self._refusal = refusal

    def act(self, what: str, text: str) -> str:
        """Carry out a request of the page and return the answer, a JSON object.

        `what` is `hear`, `wake`, `analysis`, `analyse`, `record` or `picture`, and `text` is the content of the request, if
        it has any. The answer has messages to the page (`frames`), rooms that the browser must store (`kept`), the result
        (`answer`), and the seconds until the page should request `wake` (`due`).
        """
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
        """Return the requested position as the text of an SVG file, drawn as by a server."""
        table = self._shell.table
        names = [each.name or each.agent for each in table.seats]
        return paint(table.game.spec, table.pictured(wished.ply, wished.player), wished.theme, names)
