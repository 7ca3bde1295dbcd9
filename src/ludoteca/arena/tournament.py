"""A tournament as its file says it (`docs/arena.md`): all problems of a file are told at once, each with its place."""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec

from ludoteca.arena import places
from ludoteca.arena.entrants import problem_of, problem_of_name, read_limit, with_whole_paths
from ludoteca.arena.errors import ArenaError
from ludoteca.arena.faults import FaultError
from ludoteca.arena.formats import formats_of
from ludoteca.arena.limits import Limits
from ludoteca.arena.openings import MOST_MOVES, moves_of
from ludoteca.arena.player import LINES, Entrant
from ludoteca.arena.players import protocols_of
from ludoteca.core import registry
from ludoteca.core.errors import LudotecaError, ParameterError
from ludoteca.core.formats import Field, Format
from ludoteca.core.game import Game
from ludoteca.core.rng import SEED_BITS
from ludoteca.core.spec import resolve
from ludoteca.core.words import counted, quoted

MOST_BYTES: Final = 1 << 20
MOST_DEALS: Final = 1_000_000
KEYS: Final = ("game", "format", "deals", "opening", "seed", "parameters", "limits", "entrants")
ENTRANT_KEYS: Final = ("name", "agent", "command", "protocol", "limits")


class Tournament(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What a file says."""

    game: str
    parameters: dict[str, Any]
    format: str
    options: dict[str, Any]
    deals: int
    """0 where the format's own number holds."""
    opening: int = 0
    """The number of drawn moves with which a deal begins."""
    seed: int | None
    """None: it is drawn when the tournament begins."""
    entrants: tuple[Entrant, ...]

    def new_game(self) -> Game:
        """The game with its parameters, interpreted."""
        return Game(registry.find(self.game), self.parameters)

    def field(self, seed: int) -> Field:
        """What the format is given, once the seed is known."""
        names = tuple(entrant.name for entrant in self.entrants)
        return Field(names, self.new_game().num_players(), self.deals, seed.to_bytes(SEED_BITS // 8, "big"), self.options)

    def new_format(self) -> Format:
        """Its format."""
        return formats_of(registry.find(self.game))[self.format]


def read_tournament(path: Path) -> Tournament:
    """The tournament in a file. Raises ArenaError, with a line for each problem."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise ArenaError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ArenaError(f"{path}: byte {error.start} is no UTF-8") from None
    if len(content) > MOST_BYTES:
        raise ArenaError(f"{path}: longer than {MOST_BYTES:,} bytes")
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ArenaError(f"{path}: no TOML: {error}") from None
    reader = _Reader(values, path.absolute().parent)
    tournament = reader.read()
    if tournament is None:
        where = places.places(text.replace("\r\n", "\n"))
        problems = sorted((places.line_of(where, at), number, at, said) for number, (at, said) in enumerate(reader.problems))
        told = (f"\n{path}:{line}: {_told(at, said)}" for line, _, at, said in problems)
        raise ArenaError(f"{counted(len(problems), 'problem')} with the tournament{''.join(told)}")
    return tournament


def _told(path: places.Path, said: str) -> str:
    return f"{places.named(path)}: {said}" if path else said


class _Reader:
    """Reads what TOML holds, and notes all that is wrong with it."""

    def __init__(self, values: Mapping[str, Any], folder: Path) -> None:
        self.values = values
        self.folder = folder
        self.problems: list[tuple[places.Path, str]] = []

    def read(self) -> Tournament | None:
        """The tournament, or None when there are problems."""
        self._known(self.values, KEYS, ())
        game, form, options = self._game(), *self._format()
        limits = self._limits(self.values.get("limits", {}), Limits(), ("limits",))
        entrants = self._entrants(game, limits)
        deals = self._number("deals", 1, MOST_DEALS, None) or 0
        opening = self._number("opening", 0, MOST_MOVES, None)
        try:
            opening = moves_of(game, opening) if game else 0
        except ParameterError as error:
            self._note(error, "opening")
        seed = self._number("seed", 0, (1 << SEED_BITS) - 1, None)
        if form and (any_game := game or self._any_game()):
            self._check_format(any_game, form, Field(self._names(), any_game.num_players(), deals, b"", options))
        if self.problems or not game:
            return None
        return Tournament(
            game=game.name,
            parameters=game.parameters,
            format=form,
            options=options,
            deals=deals,
            opening=opening or 0,
            seed=seed,
            entrants=tuple(entrants.values()),
        )

    def _note(self, said: object, *path: str | int) -> None:
        self.problems.append((path, str(said)))

    def _known(self, table: Mapping[str, Any], keys: tuple[str, ...], path: places.Path) -> None:
        for key in table:
            if key not in keys:
                near = get_close_matches(key, keys, n=1)
                hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(keys)}"
                self._note(f"unknown{hint}", *path, key)

    def _game(self) -> Game | None:
        """The game, its parameters looked at one by one, so that each that is impossible is told."""
        name, chosen = self.values.get("game"), self.values.get("parameters", {})
        if not isinstance(name, str):
            self._note(f"missing: expected one of {', '.join(registry.names())}", "game")
            return None
        try:
            spec = registry.find(name)
        except LudotecaError as error:
            self._note(error, "game")
            return None
        if not isinstance(chosen, dict):
            self._note("expected a table", "parameters")
            return None
        before = len(self.problems)
        for key, value in chosen.items():
            try:
                resolve(spec.name, spec.parameters, {key: value})
            except LudotecaError as error:
                self._note(error, "parameters", key)
        if len(self.problems) > before:
            return None
        try:
            return Game(spec, chosen)
        except LudotecaError as error:
            self._note(error, "parameters")
            return None

    def _any_game(self) -> Game | None:
        """The game with its usual parameters, where those of the file are impossible."""
        name = self.values.get("game")
        return Game(registry.find(name)) if name in registry.names() else None

    def _format(self) -> tuple[str, dict[str, Any]]:
        """The format's name, and what the file says to it."""
        form = self.values.get("format", "round robin")
        if isinstance(form, str):
            return form, {}
        if not isinstance(form, dict) or not isinstance(form.get("name"), str):
            self._note('expected a name, or a table with a name: [format] name = "..."', "format")
            return "", {}
        return form["name"], {key: value for key, value in form.items() if key != "name"}

    def _check_format(self, game: Game, form: str, field: Field) -> None:
        known = formats_of(game.spec)
        if form not in known:
            self._note(f"read {quoted(form)}, expected one of {', '.join(known)}", "format")
            return
        for key, said in known[form].problems(field):
            self._note(said, *([key] if key in KEYS else ["format", key]))

    def _number(self, key: str, low: int, high: int, usual: int | None) -> int | None:
        value = self.values.get(key, usual)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and low <= value <= high):
            return value
        most = "2^256 - 1" if high >> 255 else str(high)
        self._note(f"read {quoted(str(value))}, expected a whole number from {low} to {most}", key)
        return usual

    def _limits(self, table: Any, usual: Limits, path: places.Path) -> Limits:
        if not isinstance(table, dict):
            self._note("expected a table", *path)
            return usual
        for key, value in table.items():
            try:
                usual = read_limit(usual, key, value)
            except LudotecaError as error:
                self._note(error, *path, key)
        return usual

    def _entrants(self, game: Game | None, limits: Limits) -> dict[str, Entrant]:
        """Those who take part, by name."""
        tables = self.values.get("entrants", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self._note("expected tables: [[entrants]]", "entrants")
            return {}
        entrants: dict[str, Entrant] = {}
        for number, table in enumerate(tables):
            entrant = self._entrant(table, ("entrants", number), limits)
            if entrant:
                if problem := problem_of_name(entrant.name, list(entrants)):
                    self._note(problem, "entrants", number, "name")
                if problem := problem_of(entrant, game, [LINES, *protocols_of(game.spec)]) if game else "":
                    self._note(problem, "entrants", number, "agent" if entrant.agent else "protocol")
                entrants.setdefault(entrant.name, entrant)
        return entrants

    def _names(self) -> tuple[str, ...]:
        """The names of all that the file calls entrants, whatever is wrong with them."""
        tables = self.values.get("entrants", [])
        found = tables if isinstance(tables, list) else []
        return tuple(str(table.get("name", table.get("agent", ""))) for table in found if isinstance(table, dict))

    def _entrant(self, table: Mapping[str, Any], path: places.Path, limits: Limits) -> Entrant | None:
        self._known(table, ENTRANT_KEYS, path)
        agent, command = table.get("agent", ""), table.get("command", [])
        limits = self._limits(table.get("limits", {}), limits, (*path, "limits"))
        name, protocol = table.get("name", agent), table.get("protocol", LINES)
        if not all(isinstance(text, str) for text in (agent, name, protocol)):
            self._note("name, agent and protocol: expected texts", *path)
            return None
        if not (isinstance(command, list) and all(isinstance(word, str) and "\0" not in word for word in command)):
            self._note('expected a list of words, such as ["python3", "bot.py"]', *path, "command")
            return None
        if bool(agent) == bool(command):
            self._note("expected either an agent or a command", *path)
            return None
        entrant = Entrant(name=name, agent=agent, command=tuple(command), protocol=protocol, limits=limits)
        try:
            return with_whole_paths(entrant, self.folder)
        except FaultError as fault:
            self._note(fault, *path, "command")
            return entrant
