"""The laws (required properties) of a game's rules, notation and heuristics. Each law checks them in the positions of random
games with random parameters.
"""

import warnings
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any, Final

import numpy as np

from ludoteca.core import contract, hints
from ludoteca.core.contract import BY_RESULTS, SPECTATOR, TERMINAL, Integers
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import Game, State
from ludoteca.core.native import Binding
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from ludoteca.testing.trial import (
    MOST_DEVIATIONS,
    Effort,
    broken,
    choose,
    games,
    positions,
    require,
    sample_game,
    sparse,
    uniformity,
    walk,
)

SEEDS_TRIED: Final = 20
"""The number of seeds of which at least two must give different deals."""
FEW_REDEALS: Final = 5
"""If at most this many positions fit a view, `redeal` must give the actual position among them."""
REDEALS_TRIED: Final = 100
"""If 5 positions are equally likely, this many redeals miss the actual position with a chance of 2 in 10 billion."""
CLOSE_SHARE: Final = 0.15
"""The share of positions in which the results of all functions are compared."""


def complete_contract(spec: GameSpec, _: Effort) -> None:
    """Require that the rules have every function and constant of `core.contract`, with sensible values.

    The fields of a position must be packed without gaps. They must be signed integers, except that the words of a random
    number generator are uint64.
    """
    rules = spec.module("rules")
    lacking = contract.missing(rules)
    require(not lacking, spec, f"its rules lack {', '.join(lacking)}")
    kinds = [rules.STATE[name].base for name in rules.STATE.names]
    packed = sum(rules.STATE[name].itemsize for name in rules.STATE.names)
    require(rules.STATE.itemsize == packed, spec, "STATE is padded: expected a packed layout")
    wrong = [str(kind) for kind in kinds if kind.kind != "i" and kind != np.uint64]
    require(not wrong, spec, f"STATE has fields of {', '.join(wrong)}: expected signed integers, or uint64 for a generator")
    require(set(rules.DERIVED) <= set(rules.STATE.names), spec, "DERIVED names a field that STATE lacks")
    require(rules.UTILITY in ("win", "points"), spec, f"UTILITY is {rules.UTILITY!r}: expected win or points")
    low, high = contract.min_score(rules), rules.MAX_SCORE
    require(low <= 0 <= high, spec, f"scores are from {low} to {high}: expected a range with 0, the score of void games")
    require(
        rules.CONCEDE in range(-1, max(rules.ACTIONS, 0)), spec, f"CONCEDE is {rules.CONCEDE}: expected an action, or -1"
    )


def legal_actions_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that the legal actions of every position are sorted, different, in range, and at most MAX_LEGAL.

    There must be none if the game is over, and at least one before. No game may have more than MAX_MOVES actions.
    """
    for state in positions(spec, effort):
        legal, rules = state.legal_actions(), state.game.rules
        over = state.is_terminal()
        if not all(a < b for a, b in pairwise(legal)):
            raise broken(spec, f"legal actions are unsorted, or occur twice: {legal}", state)
        require(bool(legal) != over, spec, f"there are {len(legal)} legal actions, and is_terminal is {over}", state)
        require(
            len(legal) <= rules.MAX_LEGAL,
            spec,
            f"there are {len(legal)} legal actions, and MAX_LEGAL is {rules.MAX_LEGAL}",
            state,
        )
        in_range = not rules.ACTIONS or all(0 <= action < rules.ACTIONS for action in legal)
        require(in_range, spec, f"legal actions are out of range: {legal}, expected 0 to {rules.ACTIONS - 1}", state)
        require(len(state.history()) <= rules.MAX_MOVES, spec, "the game is longer than MAX_MOVES", state)
        player = state.current_player()
        expected = [TERMINAL] if over else range(state.game.num_players())
        require(player in expected, spec, f"the player to move is {player}, and is_terminal is {over}", state)


def turns_begin_once(spec: GameSpec, effort: Effort) -> None:
    """Require that `begins_turn` is True exactly when the player to move changes.

    If the rules have EXTRA_TURNS, it may also be True when a player has another turn. Games for one player are not checked,
    because the player never changes.
    """
    extra = getattr(spec.module("rules"), "EXTRA_TURNS", False)
    for game, seed in games(spec, effort):
        before = TERMINAL
        for state in walk(game, seed) if game.num_players() > 1 else ():
            player = state.current_player()
            begins = not state.is_terminal() and state.view(player).begins_turn()
            if player != before:
                require(begins or state.is_terminal(), spec, "the player to move changed, and begins_turn is False", state)
            elif begins and not extra:
                raise broken(
                    spec, f"player {player} moves again in the same turn, without begins_turn, or it is True", state
                )
            before = player


def checks_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that the function `allows`, if the rules have it, returns True exactly for legal actions.

    A game may have this function only if every seat and the spectator see every action as it is.
    """
    rules, random = spec.module("rules"), Random(effort.seed)
    if not hasattr(rules, "allows"):
        return
    for game, seed in games(spec, effort):
        known = set[int]()
        for state in walk(game, seed):
            if state.is_terminal():
                continue
            legal = set(state.legal_actions()) - {rules.CONCEDE}
            known |= set(random.sample(sorted(legal), min(len(legal), 4)))
            for action in random.sample(sorted(known), min(len(known), 12)):
                allowed = bool(rules.allows(state.raw, action))
                require(allowed == (action in legal), spec, f"allows gives {allowed} for action {action}", state)
                if allowed:
                    seen = {state.seen_action(action, seat) for seat in range(SPECTATOR, game.num_players())}
                    require(
                        seen == {action},
                        spec,
                        f"action {action} is seen as {seen}: allows requires that all see it as it is",
                        state,
                    )


def spoiling_can_be_avoided(spec: GameSpec, effort: Effort) -> None:
    """Require that the player to move always has an action that does not spoil the game, and that the player's knowledge
    determines which actions do. An action spoils the game if it leads to an end without a winner (`core.contract.Spoiling`).

    Games of perfect information must not have the function `spoils`, because their search does not call it.
    """
    rules, rng = spec.module("rules"), new_rng(effort.seed)
    if not hasattr(rules, "spoils"):
        return
    require(not spec.perfect_information, spec, "it has perfect information and a function spoils, which searches ignore")
    for state in positions(spec, effort):
        if not state.is_terminal():
            candidates = state.position.candidates().tolist()
            require(bool(candidates), spec, "every action spoils the game", state)
            other = state.resample_from_infostate(state.current_player(), rng)
            known = other.position.candidates().tolist() == candidates
            require(known, spec, "spoils depends on information that is hidden from the mover", state)


def other_actions_are_refused(spec: GameSpec, effort: Effort) -> None:
    """Require that `apply_action` refuses illegal actions with a reason, and that the state then stays as it was."""
    random = Random(effort.seed)
    for state in positions(spec, effort):
        legal = set(state.legal_actions())
        reach = spec.module("rules").ACTIONS or 1 << 40
        tried = {-1, -(2**63), reach, 2**63, *(random.randrange(reach) for _ in range(8))}
        before = state.content(), state.history()
        for action in tried - legal:
            try:
                state.apply_action(action)
            except IllegalActionError as error:
                require(bool(str(error)), spec, f"action {action} is refused without a reason", state)
            else:
                raise broken(spec, f"action {action} is not legal, but it was played", state)
        require((state.content(), state.history()) == before, spec, "a refused action changed the state", state)


def copies_are_equal(spec: GameSpec, effort: Effort) -> None:
    """Require that three kinds of copies of a state equal it: a clone, a deserialised state, and a state from the position's
    text.

    A move in a copy must not change the state.
    """
    for state in sparse(positions(spec, effort), 10):
        copies = {
            "clone": state.clone(),
            "deserialised state": state.game.deserialize_state(state.serialize()),
            "state from its position": state.game.state_from_string(str(state)),
        }
        for name, copy in copies.items():
            if copy != state or hash(copy) != hash(state):
                raise broken(spec, f"its {name} differs: {copy}", state)
            require(str(copy) == str(state), spec, f"the text of its {name} is {copy}", state)
            require(copy.legal_actions() == state.legal_actions(), spec, f"its {name} has other legal actions", state)
        history = copies["deserialised state"].history()
        require(history == state.history(), spec, "the deserialised state has another history", state)
        before = state.content()
        for action in state.legal_actions()[:1]:
            child = state.child(action)
            require(state.content() == before and child.history()[-1] == action, spec, "a child changed its parent", state)


def seeds_are_kept(spec: GameSpec, effort: Effort) -> None:
    """Require that the same seed and the same choices give the same game, byte for byte."""
    for game, seed in games(spec, effort):
        for one, two in zip(walk(game, seed), walk(game, seed), strict=True):
            require(one.position.tobytes() == two.position.tobytes(), spec, f"seed {seed} gave two different games", one)


def hidden_deals_are_drawn(spec: GameSpec, effort: Effort) -> None:
    """Require that different seeds give different deals, unless the spec says that a player can compute the deal from the
    parameters (`GameSpec.computable`).

    The default parameters must not be computable.
    """
    require(not spec.computable(Game(spec).parameters), spec, "its default parameters are computable")
    for game, seed in games(spec, effort):
        if spec.perfect_information or spec.computable(game.parameters):
            continue
        dealt = {game.new_initial_state(other).content() for other in range(seed, seed + SEEDS_TRIED)}
        require(len(dealt) > 1, spec, f"with {game.parameters} all seeds give the same deal: expected it to be computable")


def notation_is_kept(spec: GameSpec, effort: Effort) -> None:
    """Require that every legal action has a text in one line that no other legal action has, and that reading the text gives
    the action.

    If another seat sees a different action in its place, such as a hidden card, the text of that action must differ from
    those of all legal actions.
    """
    for state in positions(spec, effort):
        texts = {action: state.action_to_string(action) for action in state.legal_actions()}
        require(len(set(texts.values())) == len(texts), spec, "two legal actions have the same text", state)
        for action, text in texts.items():
            require(
                text.isprintable() and text.strip() == text != "",
                spec,
                f"the text of action {action} is {text!r}: expected one line",
                state,
            )
            back = state.string_to_action(text)
            require(back == action, spec, f"the text of action {action} is {text!r}, which reads as {back}", state)
            for seat in range(SPECTATOR, state.game.num_players()):
                seen = state.seen_action(action, seat)
                hidden = seen == action or state.action_to_string(seen) not in texts.values()
                require(hidden, spec, f"seat {seat} sees {text!r} as {seen}, which has the text of another action", state)


def views_tell_nothing(spec: GameSpec, effort: Effort) -> None:
    """Require that the view of a seat does not depend on information that is hidden from the seat, and that it determines
    the seat's legal actions.

    If the spec says that all players see the same, no seat may know more than a spectator. Concealing a view again must
    change nothing. Every random deal that fits a view must give the same view, byte for byte, the same information state,
    and on the seat's turn the same legal actions. If few deals fit a view, the results of `redeal` must include the actual
    position. No view may contain the words of a random number generator.
    """
    rng = new_rng(effort.seed)
    for state in sparse(positions(spec, effort)):
        for seat in range(SPECTATOR, state.game.num_players()):
            view = state.view(seat)
            if spec.all_see_the_same:
                alike = view.tobytes() == state.view(SPECTATOR).tobytes()
                alike = alike and state.seen_actions(seat) == state.seen_actions(SPECTATOR)
                require(alike, spec, f"seat {seat} knows more than a spectator", state)
            again = view.conceal(seat).tobytes()
            require(again == view.tobytes(), spec, f"seat {seat}: concealing its view changes it", state)
            other = state.resample_from_infostate(seat, rng)
            if other.view(seat).tobytes() != view.tobytes():
                raise broken(spec, f"seat {seat} can distinguish a redeal: {other}", state)
            known = state.information_state_string(seat) == other.information_state_string(seat)
            require(known, spec, f"seat {seat}: a redeal has another information state", state)
            redealt = set[bytes]()
            for _ in range(REDEALS_TRIED):
                redealt.add(view.redeal(seat, rng).content())
                if len(redealt) > FEW_REDEALS or state.content() in redealt:
                    break
            what = f"seat {seat}: redeal never gives this position. It gives {len(redealt)} others"
            require(len(redealt) > FEW_REDEALS or state.content() in redealt, spec, what, state)
            if seat == state.current_player():
                same = other.legal_actions() == state.legal_actions()
                require(same, spec, f"seat {seat}: its view does not determine its legal actions", state)
            fields = view.array.dtype
            words = [name for name in fields.names or () if fields[name].base == np.uint64]
            require(not any(view.array[name].any() for name in words), spec, f"seat {seat} sees a generator's words", state)


def random_actions_are_uniform(spec: GameSpec, effort: Effort) -> None:
    """Require that `random_action` gives all legal actions except CONCEDE with equal chances, by a chi-square test."""
    rng = new_rng(effort.seed)
    for state in sparse(positions(spec, effort), effort.games):
        choices = set(state.legal_actions()) - {state.game.rules.CONCEDE}
        if state.is_terminal() or len(choices) > effort.draws / 10:
            continue
        position = Position(Game(spec, state.game.parameters, compiled=effort.compiled), state.position.array)
        counts = Counter(position.random_action(rng) for _ in range(effort.draws))
        require(counts.keys() <= choices, spec, "random_action gave an action that is not legal, or gave up", state)
        deviations = uniformity(counts, len(choices))
        require(deviations < MOST_DEVIATIONS, spec, f"random_action is {deviations:.1f} deviations from uniform", state)


def results_are_bounded(spec: GameSpec, effort: Effort) -> None:
    """Require that no player wins before the end of the game, that no player who gave up wins, and that returns and scores
    are within the bounds that the rules state.
    """
    for state in positions(spec, effort):
        game, returns, winners = state.game, state.returns(), state.winners()
        require(state.is_terminal() or not (winners or any(returns)), spec, f"players {winners} win before the end", state)
        within = all(game.min_utility() <= value <= game.max_utility() for value in returns)
        require(within, spec, f"returns {returns} are out of bounds", state)
        scores = state.scores()
        bounds = range(contract.min_score(game.rules), game.rules.MAX_SCORE + 1)
        require(all(score in bounds for score in scores), spec, f"scores {scores} are out of bounds", state)
        if game.utility() == "win" and winners:
            require(abs(sum(returns) - 1) < 1e-9, spec, f"returns {returns} do not add up to 1", state)
        again = game.state_at(state.start)
        for action in state.history() if winners else ():
            gave_up = action == game.rules.CONCEDE and again.current_player() in winners
            require(not gave_up, spec, f"players {winners} win, and one of them gave up", state)
            again.apply_action(action)


def compiled_and_interpreted_agree(spec: GameSpec, effort: Effort) -> None:
    """Require that compiled and interpreted rules give the same results, bit for bit, in whole random games.

    The position and the legal actions are compared after every action. The results of all functions are compared in a share
    of the positions (CLOSE_SHARE) and at the end.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        for number in range(effort.compared):
            random = Random(f"{effort.seed} {number}")
            game, seed = sample_game(spec, random), random.getrandbits(64)
            slow = game.new_initial_state(seed)
            fast = Game(spec, game.parameters, compiled=True).new_initial_state(seed)
            while True:
                closely = slow.is_terminal() or random.random() < CLOSE_SHARE
                seat, chance = random.randrange(SPECTATOR, game.num_players()), random.getrandbits(64)
                one, two = (_results(state, seat, chance, closely=closely) for state in (slow, fast))
                for name, value in one.items():
                    if two[name] != value:
                        raise broken(spec, f"{name}: interpreted {value!r:.200}, compiled {two[name]!r:.200}", slow)
                if slow.is_terminal():
                    break
                action = choose(fast, random)
                slow.apply_action(action)
                fast.apply_action(action)


def _results(state: State, seat: int, seed: int, *, closely: bool) -> dict[str, Any]:
    """Return the position, the legal actions and the player to move, by name. With `closely`, also return the results of all
    functions of the contract. `seat` is the player whose view is made, and `seed` is for random functions.
    """
    legal = state.legal_actions()
    seen = {
        "the position": state.position.tobytes(),
        "is_terminal": state.is_terminal(),
        "current_player": state.current_player(),
        "legal_actions": legal,
    }
    if not closely:
        return seen
    rng = new_rng(seed)
    redealt = state.view(seat).redeal(seat, rng)
    return seen | {
        "random_action": state.random_action(rng) if legal else None,
        "scores": state.scores(),
        "winners": state.winners(),
        "conceal": state.view(seat).tobytes(),
        "redeal": redealt.tobytes(),
        "seen_action": state.seen_action(legal[0], seat) if legal else None,
        "the generator": rng.tolist(),
    }


def heuristics_are_sound(spec: GameSpec, effort: Effort) -> None:
    """Require that a game's heuristics choose legal actions and never give up. A game without heuristics passes.

    The values of actions must not depend on information that is hidden from the mover. Compiled and interpreted heuristics
    must give the same results.
    """
    if not spec.has("heuristics"):
        return
    random, heuristics = Random(effort.seed), spec.module("heuristics")
    for game, start in games(spec, effort):
        fast = Game(spec, game.parameters, compiled=True).bind(hints, heuristics)
        slow = game.bind(hints, heuristics)
        for state in sparse(walk(game, start)):
            if state.is_terminal():
                continue
            legal, seed = np.array(state.legal_actions(), np.int64), random.getrandbits(64)
            rng, same = new_rng(seed), new_rng(seed)
            chosen = int(slow.choose_by_policy(state.position.array, rng))
            allowed = chosen in legal and chosen != game.rules.CONCEDE
            require(allowed, spec, f"playout_action gave {chosen}, which is not legal, or gives up", state)
            twin = int(fast.choose_by_policy(state.position.array, same))
            require(
                (twin, same.tolist()) == (chosen, rng.tolist()), spec, "playout_action differs when it is compiled", state
            )
            if hasattr(heuristics, "opponent_action"):
                _opponent_is_sound(spec, slow, fast, state, legal, seed)
            values = _values(slow, state, legal)
            other = state.resample_from_infostate(state.current_player(), rng)
            if hasattr(heuristics, "is_obvious"):
                obvious = [[bool(heuristics.is_obvious(at.raw, action)) for action in legal] for at in (state, other)]
                require(
                    obvious[0] == obvious[1], spec, "is_obvious depends on information that is hidden from the mover", state
                )
            require(_values(fast, state, legal) == values, spec, "action_values differ when they are compiled", state)
            require(
                _values(slow, other, legal) == values,
                spec,
                "action_values depend on information that is hidden from the mover",
                state,
            )


def _opponent_is_sound(spec: GameSpec, slow: Binding, fast: Binding, state: State, legal: Integers, seed: int) -> None:
    """Require that `opponent_action` returns a legal action or BY_RESULTS, the same when it is compiled, and that it does
    not depend on information that is hidden from the mover.
    """
    rng, same, again = new_rng(seed), new_rng(seed), new_rng(seed)
    chosen = int(slow.choose_for_opponent(state.position.array, rng))
    allowed = chosen == BY_RESULTS or (chosen in legal and chosen != state.game.rules.CONCEDE)
    require(allowed, spec, f"opponent_action gave {chosen}, which is not legal, or gives up", state)
    twin = int(fast.choose_for_opponent(state.position.array, same))
    require((twin, same.tolist()) == (chosen, rng.tolist()), spec, "opponent_action differs when it is compiled", state)
    other = state.resample_from_infostate(state.current_player(), new_rng(seed + 1))
    told = int(slow.choose_for_opponent(other.position.array, again))
    require(told == chosen, spec, "opponent_action depends on information that is hidden from the mover", state)


def _values(binding: Binding, state: State, legal: Integers) -> list[int]:
    out = np.zeros(len(legal), np.int64)
    binding.value_actions(state.position.array, legal, len(legal), out)
    return out.tolist()


def check_deals(deals: Sequence[State], player: int, draws: int = 4000, seed: int = 0) -> None:
    """Check views and `redeal` for a small game in which the caller knows all deals that a player cannot distinguish.

    `deals` are these deals. They must be equally likely, and the caller must know them from another source than `redeal`.
    The views of `player` in them must be equal, byte for byte, and `redeal` must give each of them equally often in `draws`
    tries. Raises BrokenLawError if one of the two does not hold.
    """
    spec, first, rng = deals[0].game.spec, deals[0], new_rng(seed)
    for state in deals:
        same = state.view(player).tobytes() == first.view(player).tobytes()
        require(same, spec, f"player {player} can distinguish this deal from {first}", state)
        known = state.information_state_string(player) == first.information_state_string(player)
        require(known, spec, f"the information state of player {player} differs from that in {first}", state)
    view = first.view(player)
    counts = Counter(view.redeal(player, rng).content() for _ in range(draws))
    strangers = counts.keys() - {state.content() for state in deals}
    require(not strangers, spec, f"redeal gives {len(strangers)} deals that player {player} can rule out", first)
    deviations = uniformity(counts, len(deals))
    require(deviations < MOST_DEVIATIONS, spec, f"redeal is {deviations:.1f} deviations from uniform", first)
