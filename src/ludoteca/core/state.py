"""A state: one game in progress, in the words of OpenSpiel. The same class for every game."""

from collections.abc import Iterator
from operator import index
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ludoteca.core.contract import SPECTATOR, Floats, Integers, Records, Words, copied, from_content
from ludoteca.core.errors import ContractError, IllegalActionError
from ludoteca.core.infostate import InformationState
from ludoteca.core.messages import Message
from ludoteca.core.record import Position, Record, Result, Seed, Start
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Scene
from ludoteca.core.svg import paint

if TYPE_CHECKING:
    from ludoteca.core.game import Game

_INT64: Final = range(-(2**63), 2**63)

Seen = tuple[int, ...]
"""An action of the history: itself, then as the spectator sees it, then as each player does."""


class State:
    """A position with the way that led to it. Equal states have equal positions, whatever way led there.

    `record` is the position in the rules' own layout, secrets included: nothing outside the engine may see it. What a seat
    may know is its `view` and the actions as it has seen them.
    """

    __slots__ = ("_before", "_history", "_records", "game", "start")

    def __init__(self, game: "Game", records: Records, start: Start, history: list[Seen], before: int = 0) -> None:
        self.game = game
        self._records = records
        self.start = start
        self._history = history
        self._before = before  # how much of the history lies before the start

    @classmethod
    def deal(cls, game: "Game", seed: int) -> "State":
        """A new game from a seed of up to 256 bits."""
        records = copied(game.prepared)
        game.steps.deal_state(records, new_rng(seed))
        return cls(game, records, Seed.of(seed), [])

    @classmethod
    def from_position(cls, game: "Game", position: str) -> "State":
        """The state that the game's notation writes so. Raises NotationError."""
        records = copied(game.prepared)
        game.notation.string_to_position(records[0], position)
        return cls(game, records, Position(position), [])

    # what may be played

    def current_player(self) -> int:
        """The player to move, from 0; -4 when the game is over."""
        return int(self.game.steps.player_to_move(self._records))

    def legal_actions(self) -> list[int]:
        """The legal actions, sorted; none when the game is over."""
        return sorted(self._legal().tolist())

    def legal_actions_mask(self) -> list[int]:
        """One number an action, 1 where it is legal. Not for games whose actions are sparse."""
        mask = np.zeros(self.game.num_distinct_actions(), np.int64)
        mask[self._legal()] = 1
        return mask.tolist()

    def is_terminal(self) -> bool:
        """True when the game is over."""
        return bool(self.game.steps.has_ended(self._records))

    def apply_action(self, action: int) -> None:
        """Play an action. Raises IllegalActionError, which says why, and leaves the state as it was."""
        action = index(action)
        legal = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        seen = np.empty(self.game.num_players() + 1, np.int64)
        if action not in _INT64 or not self.game.steps.try_to_play(self._records, action, legal, seen):
            raise IllegalActionError(self.refusal(action))
        self._history.append((action, *seen.tolist()))

    def refusal(self, action: int) -> str:
        """Why an action is not legal here, in a sentence."""
        return self.game.in_english(self.refused(action))

    def refused(self, action: int) -> Message:
        """The same in any language."""
        if self.is_terminal():
            return ("over",)
        message: Message = self.game.notation.refusal(self.record, index(action))
        return message

    def random_action(self, rng: Words) -> int:
        """A uniformly random legal action, but never the one that gives up."""
        if self.is_terminal():
            raise IllegalActionError(self.refusal(0))
        return int(self.game.steps.choose_random(self._records, rng))

    def _legal(self) -> Integers:
        out = np.empty(self.game.rules.MAX_LEGAL, np.int64)
        return out[: self.game.steps.list_legal(self._records, out)]

    # how it ends

    def scores(self) -> list[int]:
        """The document's own points, one number a player."""
        out = np.zeros(self.game.num_players(), np.int64)
        self.game.steps.count_scores(self._records, out)
        return [int(score) for score in out]

    def winners(self) -> list[int]:
        """The players who share the win; none while the game goes on, and when it is void."""
        won = int(self.game.steps.winning_set(self._records))
        return [player for player in range(self.game.num_players()) if won >> player & 1]

    def returns(self) -> list[float]:
        """1 shared by the winners, or the scores, as the game's utility says; zeros before the end and when it is void."""
        winners = self.winners()
        if not winners:
            return [0.0] * self.game.num_players()
        if self.game.utility() == "points":
            return [float(score) for score in self.scores()]
        return [(player in winners) / len(winners) for player in range(self.game.num_players())]

    # copies and ways on

    def clone(self) -> "State":
        """A copy that shares nothing that changes."""
        return State(self.game, copied(self._records), self.start, self._history.copy(), self._before)

    def child(self, action: int) -> "State":
        """A copy with the action played."""
        copy = self.clone()
        copy.apply_action(action)
        return copy

    def history(self) -> list[int]:
        """The actions played so far."""
        return [seen[0] for seen in self._history]

    # text

    def action_to_string(self, action: int) -> str:
        """An action in the game's notation; only legal ones are sure to have one."""
        return str(self.game.notation.action_to_string(self.record, index(action)))

    def string_to_action(self, text: str) -> int:
        """The action that a text writes. Raises NotationError when it writes none; says nothing of its legality."""
        return int(self.game.notation.string_to_action(self.record, text))

    def __str__(self) -> str:
        return str(self.game.notation.position_to_string(self.record))

    def __repr__(self) -> str:
        return f"{self.game!r}.state_from_string({str(self)!r})"

    # what a seat may know

    def view(self, player: int) -> Records:
        """One record with what the player may know, all else zero; -1 for somebody who watches."""
        if not SPECTATOR <= player < self.game.num_players():
            raise ValueError(f"player {player}: expected -1 (who watches) to {self.game.num_players() - 1}")
        views = self.game.new_records()
        self.game.steps.make_view(self._records, player, views)
        return views

    def scene(self, player: int = SPECTATOR, lit: int = 1) -> Scene:
        """What the player sees, as things with places; the last `lit` actions are marked.

        Raises ContractError when the game has no scenes.
        """
        seen = self.seen_actions(player)
        scene: Scene = self.game.spec.module("scene").draw(self.view(player)[0], player, seen[max(len(seen) - lit, 0) :])
        return scene

    def _repr_svg_(self) -> str | None:
        """In a notebook, the picture that one who watches sees."""
        return paint(self.game.spec, self.scene()) if self.game.spec.has("scene") else None

    def information_state(self, player: int) -> InformationState:
        """What the player knows, for an agent to choose from."""
        return InformationState(self.game, player, self.view(player), tuple(self.seen_actions(player)), real=True)

    def observation_string(self, player: int) -> str:
        """The view in the game's notation."""
        return str(self.game.notation.position_to_string(self.view(player)[0]))

    def information_state_string(self, player: int) -> str:
        """The view and every action as the player has seen it: the same in all states that the player cannot tell apart."""
        seen = ",".join(str(action) for action in self.seen_actions(player))
        return f"{player}|{self.observation_string(player)}|{seen}"

    def observation_tensor(self, player: int) -> Floats:
        """The view as numbers for a learner, shaped as the game's `features` module says."""
        if not self.game.spec.has("features"):
            raise ContractError(f"{self.game.name} has no features module, so it has no tensors")
        tensor: Floats = self.game.spec.module("features").observation(self.view(player)[0], player)
        return tensor

    def seen_action(self, action: int, player: int) -> int:
        """What the player would see if this action were played now; -1 for somebody who watches."""
        return int(self.game.steps.as_seen(self._records, action, player))

    def seen_actions(self, player: int) -> list[int]:
        """The history as the player has seen it; -1 for somebody who watches."""
        return [seen[player + 2] for seen in self._history]

    def resample_from_infostate(self, player: int, rng: Words) -> "State":
        """A state that the player cannot tell from this one, uniformly among the deals that fit its view.

        Its history is the one that the player has seen; it cannot be replayed from before this moment.
        """
        records = self.view(player)
        self.game.steps.deal_again(records, player, rng)
        start = Position(str(self.game.notation.position_to_string(records[0])))
        seats = self.game.num_players() + 2
        history = [(action,) * seats for action in self.seen_actions(player)]
        return State(self.game, records, start, history, len(history))

    # the record in memory and on disk

    @property
    def record(self) -> Any:
        """The position in the rules' layout (`rules.STATE`), secrets included; a view, not a copy."""
        return self._records[0]

    @property
    def records(self) -> Records:
        """The same as an array of one record, which is what bindings take (`Game.bind`)."""
        return self._records

    def content(self) -> bytes:
        """The position's bytes, with zeros for the fields that equal positions may differ in (DERIVED)."""
        records = copied(self._records)
        for name in self.game.rules.DERIVED:
            records[name] = 0
        return records.tobytes()

    def to_record(self) -> Record:
        """The game so far as a record, sealed."""
        result = Result(self.returns(), self.scores()) if self.is_terminal() else None
        return Record(
            game=self.game.name,
            rules=self.game.spec.rules_version,
            parameters=self.game.parameters,
            start=self.start,
            actions=list(self._notated()),
            result=result,
        ).sealed()

    def _notated(self) -> Iterator[str]:
        walk = self.game.state_at(self.start)
        for seen in self._history[self._before :]:
            yield walk.action_to_string(seen[0])
            walk.apply_action(seen[0])

    def serialize(self) -> str:
        """A text from which `Game.deserialize_state` makes an equal state with the same history."""
        return self.to_record().to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        parts = self.game, self._records.tobytes(), self.start, self._history, self._before
        return State._restore, parts

    @classmethod
    def _restore(cls, game: "Game", content: bytes, start: Start, history: list[Seen], before: int) -> "State":
        return cls(game, from_content(content, game.dtype), start, history, before)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game == other.game and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((self.game, self.content()))
