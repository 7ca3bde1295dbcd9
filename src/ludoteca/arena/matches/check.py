"""A check of a bot, a program that plays a game. The bot plays in each kind of situation that the game can have, and its
faults are collected. `ludoteca bot check` uses this.
"""

import time
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from ludoteca.arena.matches.players import Entrant, LinesPlayer, MovesPlayer, new_program, text_for
from ludoteca.arena.programs.limits import Fault, FaultError
from ludoteca.core.errors import ParameterError
from ludoteca.core.game import Game
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec, Integer, OneOf, Parameter, Text

SEATS: Final = "every seat"
PARAMETERS: Final = "every parameter"
FORCED: Final = "only one move to choose"
LAST: Final = "a move that can end the game"
LONG: Final = "the end of a long game"
RESIGNED: Final = "others give up"
QUICK: Final = "little time"

SAMPLES: Final = 3
"""The number of random values to try for a parameter that is a text, such as a board."""
TRIES: Final = 20
"""How often to choose the other parameters at random until they fit a given value."""
SEARCHED: Final = 4
"""The number of random games in which special positions are searched."""
HASTE: Final = 2
"""The time for a move is divided by this in a game with little time."""
MOMENT: Final = 0.05
"""Seconds to wait before the first question of a game, so that a line that the bot wrote too early has arrived."""
MOST_FAULTS: Final = 10
"""The number of faults after which the check ends. More games would show the same faults."""
MOST_WAITS: Final = 3
"""The number of faults by lack of time after which the check ends, because each of them took long."""
SLOW: Final = (Fault.START, Fault.TIME)


class Situation(NamedTuple):
    """A game with the bot in one seat and random players in the others."""

    name: str
    game: Game
    seat: int
    seed: int
    before: tuple[int, ...] = ()
    """Actions that are played before the bot takes its seat."""
    others_resign: bool = False
    """True if the others give up at their first turn."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of the bot, at its first occurrence."""

    fault: str
    detail: str
    situation: str
    parameters: dict[str, Any]
    seat: int
    """From 1."""
    exchange: list[str]
    """The last lines before the fault. Lines that the program read begin with `>`, and lines that it wrote with `<`."""
    errors: str
    """The bot's standard error, or the last mebibyte of it."""


class Report(msgspec.Struct, kw_only=True):
    """The result of a check."""

    game: str
    protocol: str
    isolation: str = ""
    situations: dict[str, int] = {}
    """The number of started games of each kind."""
    moves: int = 0
    """The number of moves of the bot."""
    findings: list[Finding] = []
    broken_off: bool = False
    """True if the check ended early because of many faults."""

    @property
    def passed(self) -> bool:
        """True if the check found no fault."""
        return not self.findings


Program: TypeAlias = LinesPlayer | MovesPlayer


def check(spec: GameSpec, entrant: Entrant, fixed: Mapping[str, Any], seed: int) -> Report:
    """Let a program play in all situations of the game that a bot may meet, and return the faults found. `fixed` are values
    of parameters that all games have.

    Raises ParameterError for unknown parameters or an unknown protocol, and FaultError for a program that is missing or
    cannot be run.
    """
    report = Report(game=spec.name, protocol=entrant.protocol)
    program = new_program(entrant, spec, forgets=False)
    try:
        for situation in situations(spec, fixed, Random(seed)):
            if situation.name == QUICK:
                program.close()
                limits = msgspec.structs.replace(entrant.limits, move=entrant.limits.move / HASTE)
                program = new_program(msgspec.structs.replace(entrant, limits=limits), spec, forgets=False)
            report.isolation = program.isolation
            _play(situation, program, report)
            if _is_enough(report):
                report.broken_off = True
                break
    finally:
        program.close()
    return report


def _is_enough(report: Report) -> bool:
    """Return True if further games would find no new faults, or only after long waits."""
    faults = [finding.fault for finding in report.findings]
    waits = sum(fault in SLOW for fault in faults)
    return len(faults) >= MOST_FAULTS or waits >= MOST_WAITS


def _play(situation: Situation, player: Program, report: Report) -> None:
    """Play one game and add its faults to the report."""
    game, seat, rng = situation.game, situation.seat, new_rng(situation.seed)
    state = game.new_initial_state(situation.seed)
    for action in situation.before:
        state.apply_action(action)
    report.situations[situation.name] = report.situations.get(situation.name, 0) + 1
    player.begin(state.information_state(seat), situation.seed)
    _note_late(situation, player, report)
    time.sleep(MOMENT)  # an unasked line needs time to arrive, even from a program that writes it at once
    given_up = set[int]()
    while (mover := state.current_player()) >= 0:
        legal = state.legal_actions()
        if mover == seat:
            report.moves += 1
            noted = len(player.faults)
            try:
                action = player.choose(state.information_state(seat), legal)
            except FaultError as error:
                report.findings.append(_finding(situation, player, error.fault, error.detail))
                return
            for fault, detail in player.faults[noted:]:
                report.findings.append(_finding(situation, player, fault, detail))
                if _is_enough(report):
                    return
        elif situation.others_resign and mover not in given_up:
            given_up.add(mover)
            action = game.rules.CONCEDE
        else:
            action = state.random_action(rng)
        if player.reads:
            player.see(mover, text_for(seat, state, action))
        state.apply_action(action)
    player.end(state.information_state(seat), state.result())
    _note_late(situation, player, report)


def _note_late(situation: Situation, player: Program, report: Report) -> None:
    if isinstance(player, LinesPlayer) and player.late:
        report.findings.append(_finding(situation, player, player.late.fault, player.late.detail))


def _finding(situation: Situation, player: Program, fault: str, detail: str) -> Finding:
    return Finding(
        fault=str(fault),
        detail=detail,
        situation=situation.name,
        parameters=situation.game.parameters,
        seat=situation.seat + 1,
        exchange=list(player.exchange),
        errors=player.errors,
    )


# The situations of a game


def situations(spec: GameSpec, fixed: Mapping[str, Any], random: Random) -> Iterator[Situation]:
    """Yield all situations to play: every seat, every parameter, positions with one legal move, last moves, long games,
    opponents that give up, and little time. `fixed` are values of parameters that all games have.
    """
    usual = Game(spec, fixed)

    def new(name: str, game: Game, seat: int | None = None, **more: Any) -> Situation:
        chosen = random.randrange(game.num_players()) if seat is None else seat
        return Situation(name, game, chosen, _seed(game, random), **more)

    for seat in range(usual.num_players()):
        yield new(SEATS, usual, seat)
    others = [game for game in _variations(spec, fixed, random) if game != usual]
    for game in others:
        yield new(PARAMETERS, game)
    for game in [usual, *random.sample(others, min(len(others), 2))]:
        yield from _positions(game, random)
    if usual.rules.CONCEDE >= 0:
        for game in [usual, *others]:
            if game.num_players() > 1:
                yield new(RESIGNED, game, game.num_players() - 1, others_resign=True)
    yield new(QUICK, usual)


def _seed(game: Game, random: Random) -> int:
    """Return the seed of a deal in which at least one move is possible. If TRIES deals in a row have none, return the last
    seed.
    """
    seed = 0
    for _ in range(TRIES):
        seed = random.getrandbits(64)
        if not game.new_initial_state(seed).is_terminal():
            break
    return seed


def _variations(spec: GameSpec, fixed: Mapping[str, Any], random: Random) -> Iterator[Game]:
    """Yield variations of the game: for each parameter that is not in `fixed`, games with sample values, and then the game's
    named variants.
    """
    for parameter in spec.parameters:
        if parameter.name not in fixed:
            for value in _values(parameter, random):
                yield from _with(spec, {**fixed, parameter.name: value}, random)
    for chosen in spec.variants.values():
        if all(chosen.get(name, value) == value for name, value in fixed.items()):
            yield from _with(spec, {**chosen, **fixed}, random)


def _values(parameter: Parameter, random: Random) -> list[Any]:
    """Return the smallest and the largest value of an integer, all values of a choice, or samples of a text."""
    if isinstance(parameter, Integer):
        return [parameter.low, parameter.high]
    if isinstance(parameter, OneOf):
        return list(parameter.options)
    presets = list(parameter.presets.values()) if isinstance(parameter, Text) else []
    return [*presets[:SAMPLES], *(parameter.sample(random) for _ in range(SAMPLES))]


def _with(spec: GameSpec, chosen: dict[str, Any], random: Random) -> Iterator[Game]:
    """Yield the game with the parameters `chosen`. The other parameters have their defaults, or random values if the
    defaults do not fit. Yield nothing if TRIES attempts fail.
    """
    free = [parameter for parameter in spec.parameters if parameter.name not in chosen]
    more: dict[str, Any] = {}
    for _ in range(TRIES):
        try:
            yield Game(spec, {**chosen, **more})
        except ParameterError:
            more = {parameter.name: parameter.sample(random) for parameter in free}
        else:
            return


def _positions(game: Game, random: Random) -> Iterator[Situation]:
    """Yield situations that begin in the middle of random games: with one legal move, before the last move, and late in a
    long game.
    """
    found: dict[str, Situation] = {}
    longest = 0
    for _ in range(SEARCHED):
        seed = random.getrandbits(64)
        state, rng = game.new_initial_state(seed), new_rng(seed)
        movers = list[int]()
        while (mover := state.current_player()) >= 0:
            if FORCED not in found and len(state.position.choices()) == 1:
                found[FORCED] = Situation(FORCED, game, mover, seed, tuple(state.history()))
            movers.append(mover)
            state.apply_action(state.random_action(rng))
        history = tuple(state.history())
        if history:
            found.setdefault(LAST, Situation(LAST, game, movers[-1], seed, history[:-1]))
        if len(history) > longest:
            longest = len(history)
            found[LONG] = Situation(LONG, game, movers[-1], seed, history[: -2 * game.num_players()])
    yield from found.values()
