"""Every game as a registered game of OpenSpiel, for its algorithms: `pip install 'ludoteca[openspiel]'`.

    import pyspiel
    import ludoteca.envs.openspiel

    game = pyspiel.load_game("ludoteca_kuhn(cards=5)")

Importing this module registers `ludoteca_NAME` for all games that have features. Parameters are the game's own, `compiled`
(whether the rules run as machine code) and `chance_nodes`.

OpenSpiel needs chance as actions. The seed of a deal consists of `chance_nodes` numbers below 1,024. With two numbers, the
default, there are about a million deals. Games without a deal have no chance nodes. A deal includes all later chance events.
A game whose rules list all deals (`deals`, positions that are equally likely) has one chance node with these deals.

Actions are the learners' numbers (`core.contract.FeatureFunctions`). The utilities are the `rewards` at the end
(`envs.rewards`): by default `zero_sum` in games with winners, and `returns` in games for points.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR, TERMINAL, Floats
from ludoteca.core.errors import MissingExtraError, ParameterError
from ludoteca.core.game import Game, State
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.envs.rewards import check_kind, highest, lowest, rewards_so_far

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise MissingExtraError("OpenSpiel", "openspiel") from error

PREFIX: Final = "ludoteca_"
OUTCOMES: Final = 1024
"""The number of outcomes of a chance node, all equally likely."""
CHANCE_NODES: Final = range(1, 26)
"""The possible numbers of chance nodes. 25 give a seed of 250 bits."""
USUAL_CHANCE_NODES: Final = 2
REMEMBERED: Final = 16
"""The number of last actions in an information-state tensor. The string has all actions."""


class OpenSpielGame(pyspiel.Game):
    """A game with its parameters, for OpenSpiel. `register` makes a subclass for each game."""

    spec: GameSpec

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        spec, chosen = self.spec, dict(parameters or {})
        compiled = bool(chosen.pop("compiled", False))
        listed = getattr(spec.module("rules"), "deals", None)
        self.deals: list[str] = [*listed()] if listed else []
        usual = 1 if self.deals else USUAL_CHANCE_NODES
        self.outcomes = len(self.deals) or OUTCOMES
        self.chance_nodes = 0 if spec.perfect_information else int(chosen.pop("chance_nodes", usual))
        if not spec.perfect_information and self.chance_nodes not in CHANCE_NODES:
            raise ParameterError(
                f"chance_nodes: read {self.chance_nodes}, expected a number from {CHANCE_NODES[0]} to {CHANCE_NODES[-1]}"
            )
        rewards = chosen.pop("rewards", "")
        self.game = Game(spec, chosen, compiled=compiled)
        self.rewards = check_kind(rewards or usual_rewards(self.game))
        players, zero_sum, wins = self.game.num_players(), self.rewards == "zero_sum", self.game.utility() == "win"
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.features.layout.actions,
            max_chance_outcomes=self.outcomes if self.chance_nodes else 0,
            num_players=players,
            min_utility=-1 / (players - 1) if zero_sum and wins else lowest(self.game, self.rewards),
            max_utility=highest(self.game, self.rewards),
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.game.max_game_length(),
        )
        super().__init__(game_type(spec, self.game, self.rewards), info, dict(parameters or {}))

    def new_initial_state(self, position: str | None = None) -> "OpenSpielState":
        """Return a state before the deal, or one that begins with a position in the game's notation."""
        return OpenSpielState(self, None if position is None else self.game.state_from_string(position))

    def deal(self, drawn: list[int]) -> State:
        """Return the deal of the outcomes of all chance nodes."""
        if self.deals:
            return self.game.state_from_string(self.deals[drawn[0]])
        return self.game.new_initial_state(sum(outcome * OUTCOMES**place for place, outcome in enumerate(drawn)))

    def max_chance_nodes_in_history(self) -> int:
        return self.chance_nodes

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> "Observer":
        """Return an observer of observations, information states or public information."""
        if parameters:
            raise ValueError(f"observers of {self.game.name} take no parameters, not {parameters}")
        return Observer(self.game, kind or pyspiel.IIGObservationType(perfect_recall=False))


class OpenSpielState(pyspiel.State):
    """A state of OpenSpiel. Before the deal it is a series of chance nodes. OpenSpiel clones, pickles and compares it by its
    attributes.
    """

    def __init__(self, game: OpenSpielGame, state: State | None = None) -> None:
        super().__init__(game)
        self.chance_nodes = game.chance_nodes
        self.drawn: list[int] = []
        """The outcomes of the earlier chance nodes."""
        self.played: list[tuple[int, int]] = []
        """The earlier actions, each a player and a number."""
        self.retold: list[tuple[int, int]] = []
        """The moves that remain while `resample_from_infostate` repeats a history without playing it."""
        self.state = game.game.new_initial_state(0) if not game.chance_nodes else state
        """None before the last chance node."""
        if state is not None:
            self.state, self.chance_nodes = state, 0

    @property
    def dealt(self) -> State:
        """The state of the game. Raises RuntimeError if the chance nodes before it are not all played."""
        if self.state is None:
            raise RuntimeError(f"{len(self.drawn)} of {self.chance_nodes} chance nodes are drawn: nothing is dealt yet")
        return self.state

    def current_player(self) -> int:
        if self.retold:
            return self.retold[0][0]
        if self.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        player = self.state.current_player()
        return int(pyspiel.PlayerId.TERMINAL) if player == TERMINAL else player

    def _legal_actions(self, player: int) -> list[int]:
        mask = self.dealt.action_mask() if player == self.current_player() else np.zeros(0)
        numbers: list[int] = np.flatnonzero(mask).tolist()
        return numbers

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.get_game().outcomes
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        if self.retold:
            self.retold.pop(0)
        elif self.state is None:
            self.drawn.append(action)
            if len(self.drawn) == self.chance_nodes:
                self.state = self.get_game().deal(self.drawn)
        else:
            player = self.state.current_player()
            self.state.apply_action(self.state.decode_action(action))
            self.played.append((player, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.dealt.action_to_string(self.dealt.decode_action(action))

    def is_terminal(self) -> bool:
        return not self.retold and self.state is not None and self.state.is_terminal()

    def returns(self) -> list[float]:
        if self.state is None or not self.state.is_terminal():
            return [0.0] * self.get_game().num_players()
        return rewards_so_far(self.state, self.get_game().rewards)

    def resample_from_infostate(self, player: int, uniform: Callable[[], float]) -> "OpenSpielState":
        """Return a state that looks the same to the player, drawn uniformly from the possible deals.

        Its history in OpenSpiel is partly invented: the chance outcomes are random, and numbers that the player did not see
        are 0.
        """
        other: OpenSpielState = self.get_game().new_initial_state()
        other.drawn = [int(uniform() * self.get_game().outcomes) for _ in range(other.chance_nodes)]
        other.played = self.told(player)
        other.retold = [*((int(pyspiel.PlayerId.CHANCE), outcome) for outcome in other.drawn), *other.played]
        for _, action in other.retold.copy():
            other.apply_action(max(action, 0))
        other.state = self.dealt.resample_from_infostate(player, new_rng(int(uniform() * 2**53)))
        return other

    def told(self, seat: int) -> list[tuple[int, int]]:
        """Return the player and the number of each earlier action. The number is -1 if this seat did not see it."""
        seen = zip(self.played, self.dealt.history(), self.dealt.seen_actions(seat), strict=True)
        return [(mover, number if action == shown else -1) for (mover, number), action, shown in seen]

    def __str__(self) -> str:
        return str(self.state) if self.state is not None else " ".join(["to be dealt", *map(str, self.drawn)])


class Observer:
    """Observations of a player, or of a spectator, as named tensors and as a text.

    OpenSpiel can ask for private information alone. These games do not separate it, so in a game with hidden information the
    answer is the complete observation, and in other games it is empty.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        private = kind.private_info
        if private == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError(f"{game.name} shows what one player knows, or what everybody knows, not what all know together")
        self.layout = game.features.layout
        self.seat = SPECTATOR if private == pyspiel.PrivateInfoType.NONE else None
        """The spectator for public information, or None for the observing player."""
        self.empty = not kind.public_info and (self.seat == SPECTATOR or game.spec.perfect_information)
        self.recalls = bool(kind.perfect_recall)
        size = 0 if self.empty else self.layout.size
        self.tensor = np.zeros(size + 2 * REMEMBERED * (self.recalls and not self.empty), np.float32)
        self.dict: dict[str, Floats] = {}
        if not self.empty:
            planes, numbers = self.layout.split(self.tensor[:size])
            pieces = {"planes": planes, "numbers": numbers, "actions": self.tensor[size:].reshape(-1, 2)}
            self.dict = {name: piece for name, piece in pieces.items() if piece.size}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the tensors. The last action comes first, with its distance in seats from the player, and its number."""
        self.tensor.fill(0)
        if state.state is None or self.empty:
            return
        seat, seats = player if self.seat is None else self.seat, state.dealt.game.num_players()
        self.tensor[: self.layout.size] = state.dealt.observation_tensor(seat)
        if self.recalls:
            for line, (mover, number) in zip(self.dict["actions"], reversed(state.told(seat)), strict=False):
                line[:] = ((mover - max(seat, 0)) % seats + 1) / seats, (number + 1) / self.layout.actions

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the view in the game's notation. With perfect recall, it has every action as the player saw it, too."""
        if self.empty:
            return ""
        if state.state is None:
            return "to be dealt"
        seat = player if self.seat is None else self.seat
        if self.recalls:
            return state.state.information_state_string(seat)
        return f"{seat}|{state.state.observation_string(seat)}"


def usual_rewards(game: Game) -> str:
    """Return the rewards that OpenSpiel's algorithms expect: most of them need games whose utilities add up to zero."""
    return "zero_sum" if game.utility() == "win" else "returns"


def game_type(spec: GameSpec, game: Game, rewards: str) -> Any:
    """Return the description of a game for OpenSpiel, with the utility of the given parameters."""
    kinds = pyspiel.GameType
    players = next((kind for kind in spec.parameters if kind.name == "players"), None)
    defaults = {kind.name: kind.canonical(kind.default) for kind in spec.parameters} | {"compiled": False, "rewards": ""}
    if not spec.perfect_information:
        defaults["chance_nodes"] = 1 if hasattr(spec.module("rules"), "deals") else USUAL_CHANCE_NODES
    return kinds(
        short_name=PREFIX + spec.name,
        long_name=spec.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if spec.perfect_information else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.PERFECT_INFORMATION
        if spec.perfect_information
        else kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if rewards == "zero_sum" else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=getattr(players, "high", game.num_players()),
        min_num_players=getattr(players, "low", game.num_players()),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=defaults,
    )


def register() -> list[str]:
    """Register every game with features. Return their names in OpenSpiel."""
    names = []
    for spec in registry.registered_games():
        if spec.has("features"):
            # OpenSpiel releases this object after Python has ended, and only a class survives that
            kind = game_type(spec, game := Game(spec), usual_rewards(game))
            pyspiel.register_game(kind, type(spec.name, (OpenSpielGame,), {"spec": spec}))
            names.append(PREFIX + spec.name)
    return names


NAMES: Final = register()
"""The names of the registered games."""
