"""The referee plays one game between players, and returns the result of each seat.

A player receives only the information state of its seat. **After a fault, a bot takes no further part in the game**, and the
others finish it:

- If the game has a move that gives up, the seat gives up at its next turn. Otherwise the seat plays on uniformly at random.
  In a game in which only the win counts, the last seat without a fault wins at once. If no seat is left, the game ends.
- The bot with the fault gets the least points that the game can give. The rest of its points, and its share of the win, go
  to the other winners. If there are no other winners, they go to all seats without a fault.
"""

from collections.abc import Sequence
from time import perf_counter
from types import TracebackType
from typing import Final

from ludoteca.agents.openings import draw_opening
from ludoteca.arena.matches.players import Player, tell
from ludoteca.arena.matches.results import Played, Seat
from ludoteca.arena.programs.limits import FaultError
from ludoteca.core.formats import Fixture, digest_of
from ludoteca.core.game import Game, State
from ludoteca.core.record import Record
from ludoteca.core.rng import new_rng
from ludoteca.core.workers import processor

NO_CONCEDE: Final = -1


class _Chair:
    """A seat during its game. It is also the context manager for blocks that wait for the player: it measures their time,
    and stores a fault of the player, which ends the block. (A generator as context manager would be slower.)
    """

    def __init__(self, name: str, player: Player) -> None:
        self.name = name
        self.player = player
        self.seconds = 0.0
        self.fault: FaultError | None = None
        self._begin = 0.0

    def __enter__(self) -> None:
        self._begin = perf_counter()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> bool:
        self.seconds += perf_counter() - self._begin
        if isinstance(error, FaultError):
            self.fault = self.fault or error
            return True
        return False


def play(game: Game, fixture: Fixture, players: Sequence[Player], seed: bytes, opening: int = 0) -> Played:
    """Play one game between these players, in the order of the seats, and return its result. The first `opening` moves are
    chosen at random.

    The deal, the opening and the random numbers of agents follow from `seed`, the secret of the tournament, and the names in
    `fixture`.

    >>> from ludoteca import load
    >>> from ludoteca.arena.matches.players import Entrant, new_player
    >>> from ludoteca.core.formats import Fixture
    >>> game = load("okupacio", board="4x4")
    >>> bots = [Entrant(name="a", agent="greedy"), Entrant(name="b", agent="random")]
    >>> players = [new_player(bot, game, seat) for seat, bot in enumerate(bots)]
    >>> played = play(game, Fixture("deal 1", ("a", "b")), players, seed=b"1")
    >>> len(played.record.actions) > 0
    True
    """
    begin = perf_counter()
    state = game.new_initial_state(_seed(seed, "deal", fixture.deal))
    chairs = [_Chair(name, player) for name, player in zip(fixture.seats, players, strict=True)]
    for seat, chair in enumerate(chairs):
        known = state.information_state(seat)
        with chair:
            chair.player.begin(known, _seed(seed, "agent", fixture.key, seat) >> 128)
    first = draw_opening(game, opening, _seed(seed, "opening", fixture.deal))
    actions, times = _play_on(state, chairs, first, _seed(seed, "stand-in", fixture.key))
    result = state.result()
    for seat, chair in enumerate(chairs):
        known = state.information_state(seat)
        with chair:
            chair.player.end(known, result)
    return Played(
        key=fixture.key,
        deal=fixture.deal,
        record=Record(
            game=game.name,
            rules=game.spec.rules_version,
            parameters=game.parameters,
            start=state.start,
            actions=actions,
            result=result,
        ).sealed(),
        seats=_seats(state, chairs),
        opening=len(first),
        times=times,
        seconds=perf_counter() - begin,
        processor=processor(),
    )


def _seed(seed: bytes, *purpose: object) -> int:
    """Return an integer of 256 bits that follows from the seed and the purpose of the random numbers."""
    return int.from_bytes(digest_of(seed, *purpose), "big")


def _play_on(state: State, chairs: Sequence[_Chair], opening: Sequence[int], seed: int) -> tuple[list[str], list[float]]:
    """Play until the game is over or decided. `opening` has the first actions, and `seed` is for the random moves of seats
    with a fault. Return the actions in notation, and the seconds that each action took.
    """
    game, actions, times, rng = state.game, list[str](), list[float](), new_rng(seed)
    concede, players = game.rules.CONCEDE, [chair.player for chair in chairs]
    while (seat := state.current_player()) >= 0:
        chair = chairs[seat]
        before = chair.seconds
        if len(actions) < len(opening):
            action = opening[len(actions)]
        else:
            if not chair.fault:
                known, legal = state.information_state(seat), state.legal_actions()
                with chair:
                    action = chair.player.choose(known, legal)
            if chair.fault:
                if concede != NO_CONCEDE:
                    action = concede
                elif _is_decided(game, chairs):
                    break
                else:
                    action = state.random_action(rng)
        tell(players, state, action)
        actions.append(state.action_to_string(action))
        times.append(round(chair.seconds - before, 6))
        state.apply_action(action)
    return actions, times


def _is_decided(game: Game, chairs: Sequence[_Chair]) -> bool:
    """Return True if the game need not continue, because no seat without a fault is left, or only one in a game that is
    played for the win.
    """
    left = sum(not chair.fault for chair in chairs)
    return left == 0 or (left == 1 and game.utility() == "win")


def _seats(state: State, chairs: Sequence[_Chair]) -> list[Seat]:
    """Return the result of every seat."""
    seats = list[Seat]()
    shares = shared_out(state, [bool(chair.fault) for chair in chairs])
    for chair, score, points, won in zip(chairs, state.scores(), *shares, strict=True):
        faults = [*chair.player.faults, *([(str(chair.fault.fault), chair.fault.detail)] if chair.fault else [])]
        fault, detail = faults[0] if faults else ("", "")
        seat = Seat(
            bot=chair.name,
            points=points,
            score=score,
            won=won,
            seconds=chair.seconds,
            faults=len(faults),
            fault=fault,
            detail=detail,
            errors=chair.player.errors,
            isolation=chair.player.isolation,
        )
        seats.append(seat)
    return seats


def shared_out(state: State, fell: Sequence[bool]) -> tuple[list[float], list[float]]:
    """Return two lists with a number for each seat: the points, and the shares of the win. `fell` is true for the seats
    whose bots committed a fault that ended their part in the game.
    """
    game, winners = state.game, state.winners()
    seats = range(len(fell))
    points, won = state.returns(), [(seat in winners) / max(len(winners), 1) for seat in seats]
    left = [seat for seat in seats if not fell[seat]]
    if left and not state.is_terminal() and game.utility() == "win":
        return [float(seat in left) for seat in seats], [float(seat in left) for seat in seats]
    if any(fell):
        heirs = [seat for seat in left if seat in winners] or left
        for numbers, least in ((points, game.min_utility()), (won, 0.0)):
            lost = sum(numbers[seat] - least for seat in seats if fell[seat])
            for seat in seats:
                numbers[seat] = least if fell[seat] else numbers[seat] + lost / len(heirs) * (seat in heirs)
    return points, won
