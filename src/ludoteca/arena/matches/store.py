"""The folder of a tournament: an SQLite file with all finished games, and a lock that only one process can hold."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Final

import msgspec
from filelock import FileLock, Timeout

from ludoteca.arena.matches.players import Entrant
from ludoteca.arena.matches.results import Played
from ludoteca.arena.matches.runner import ArenaError, outcome_of
from ludoteca.arena.matches.tournament import Tournament
from ludoteca.arena.programs.executables import fingerprint
from ludoteca.core.formats import GameOutcome
from ludoteca.core.words import ERROR_CHARACTERS, excerpt

FILE: Final = "tournament.sqlite"
VERSION: Final = 1
SETTINGS: Final = ("journal_mode = WAL", "synchronous = FULL", f"user_version = {VERSION}")
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS about (tournament TEXT NOT NULL, seed TEXT NOT NULL, fingerprints TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS games (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, played BLOB NOT NULL)",
)


class Store:
    """The finished games of one tournament. When `add` returns, the game is safe on the disk."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        """Lock a folder until `stack` is closed, and create the folder if necessary. Raises ArenaError if another process
        has locked the folder.
        """
        self.file = folder / FILE
        with self._explained():
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / "lock", thread_local=False)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise ArenaError(f"{folder}: another runner plays this tournament") from None
            stack.callback(lock.release)
            self._database = stack.enter_context(closing(sqlite3.connect(self.file, isolation_level=None)))
            self._check_version()
            for statement in (*(f"PRAGMA {setting}" for setting in SETTINGS), *_TABLES):
                self._database.execute(statement)

    @classmethod
    def reading(cls, folder: Path, stack: ExitStack) -> "Store":
        """Open the folder of a tournament only for reading, until `stack` is closed. This works even while the tournament is
        being played. Raises ArenaError if the folder contains no tournament.
        """
        store = cls.__new__(cls)
        store.file = folder / FILE
        with store._explained():
            connection = sqlite3.connect(f"{store.file.absolute().as_uri()}?mode=ro", uri=True)
            store._database = stack.enter_context(closing(connection))
            store._check_version()
        return store

    def _check_version(self) -> None:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise ArenaError(f"{self.file} was written by a newer Ludoteca")

    def begin(self, tournament: Tournament, seed: int) -> None:
        """Store the tournament's settings before the first game."""
        programs = msgspec.json.encode(_fingerprints(tournament.entrants)).decode()
        row = (msgspec.json.encode(tournament).decode(), f"{seed:x}", programs)
        with self._explained(), self._database:  # which commits, or rolls back after an error
            self._database.execute("BEGIN IMMEDIATE")
            self._database.execute("DELETE FROM about")
            self._database.execute("INSERT INTO about VALUES (?, ?, ?)", row)

    def about(self) -> tuple[Tournament, int, dict[str, str]] | None:
        """Return the tournament's settings, its seed, and the fingerprint of each entrant's program. Return None for a new
        folder.
        """
        with self._explained():
            row = self._database.execute("SELECT tournament, seed, fingerprints FROM about").fetchone()
            if row is None:
                return None
            decode = msgspec.json.decode
            return decode(row[0], type=Tournament), int(row[1], 16), decode(row[2], type=dict[str, str])

    def outcomes(self) -> dict[str, GameOutcome]:
        """Return the outcomes of all stored games, which formats use, by the keys of the games."""
        return {played.key: outcome_of(played) for played in self.games()}

    def games(self) -> Iterator[Played]:
        """Yield all games in the order in which they finished. Raises ArenaError if the file is damaged or unreadable."""
        with self._explained():
            for (text,) in self._database.execute("SELECT played FROM games ORDER BY number"):
                yield msgspec.json.decode(text, type=Played)

    def add(self, played: Played) -> None:
        """Store a game. Raises ArenaError if it cannot be written. Games stored before are not lost."""
        row = played.key, msgspec.json.encode(played)
        with self._explained():
            self._database.execute("INSERT INTO games (key, played) VALUES (?, ?)", row)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite and of the system inside the `with` block into ArenaErrors."""
        try:
            yield
        except sqlite3.Error as error:
            raise ArenaError(f"{self.file}: {error}; the stored games are not lost") from None
        except (ValueError, TypeError, RecursionError) as error:  # a damaged file may have any value in any column
            raise ArenaError(f"{self.file}: its games cannot be read: {excerpt(str(error), ERROR_CHARACTERS)}") from None
        except OSError as error:
            raise ArenaError(f"{self.file.parent}: {error.strerror}") from None


def changes(tournament: Tournament, before: Tournament, fingerprints: dict[str, str]) -> list[str]:
    """Return the differences of a tournament from the stored one (`before`), in one line each. `fingerprints` has the stored
    fingerprint of each entrant's program.
    """
    said = [
        f"the {name} of the file changed"
        for name in ("format", "options", "deals", "opening")
        if getattr(tournament, name) != getattr(before, name)
    ]
    now, then = ({entrant.name: entrant for entrant in one.entrants} for one in (tournament, before))
    said += [f"entrant {name} was added" for name in now if name not in then]
    said += [f"entrant {name} was removed" for name in then if name not in now]
    said += [f"the settings of entrant {name} changed" for name in now if name in then and now[name] != then[name]]
    current = _fingerprints(tournament.entrants)
    for name, entrant in now.items():
        if then.get(name) == entrant and current[name] != fingerprints.get(name):
            said.append(f"the program of entrant {name} changed")
    if list(now) != list(then) and set(now) == set(then):
        said.append("the order of the entrants changed")
    return said


def _fingerprints(entrants: Sequence[Entrant]) -> dict[str, str]:
    return {entrant.name: fingerprint(entrant.command) for entrant in entrants}
