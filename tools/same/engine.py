"""The library: records, positions, what seats know, batches, and searches with a fixed number of simulations."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any, Final

from tools.same.faces import call, chance, empty_folder, played, public, variants, walk

SEARCHES: Final = ("60x", "greedy", "2", "4")
"""Agents whose choices depend on no clock."""
COMPILED: Final = "300x"
"""The agent that also searches with compiled rules."""


def game_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Whole games: the record, every position in notation, and the views of each seat for some positions."""
    for variant, game, parameters in variants():
        for seed in range(1 if short else 4):
            told = list[Any]()
            for ply, (state, action) in enumerate(walk(game, parameters, seed)):
                legal = [state.action_to_string(each) for each in state.legal_actions()]
                chosen = state.action_to_string(action) if action is not None else None
                one: dict[str, Any] = {
                    "position": str(state),
                    "legal": legal,
                    "action": chosen,
                    "mover": state.current_player(),
                }
                if ply % 7 == 3:
                    one |= {"seats": [_known(state, seat) for seat in range(-1, state.game.num_players())]}
                told.append(one)
            yield f"game/{variant}/{seed}", {"record": state.serialize(), "states": told, **_end(state)}


def _known(state: Any, seat: int) -> dict[str, Any]:
    some = public("ludoteca:new_rng")(seat + 1)
    known = {"observation": state.observation_string(seat), "seen": state.seen_actions(seat),
             "other deal": str(state.resample_from_infostate(seat, some))}  # fmt: skip
    if seat >= 0:
        planes, numbers = state.observation(seat)
        known |= {"information": state.information_state_string(seat), "planes": digest(planes), "numbers": numbers.tolist()}
    return known


def _end(state: Any) -> dict[str, Any]:
    refused = [state.refusal(action) for action in (-1, 0, 1, 5, 10**6)]
    return {"scores": state.scores(), "winners": state.winners(), "returns": state.returns(), "refused": refused}


def digest(array: Any) -> str:
    """The type and shape of an array, and a digest of its content."""
    return f"{array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()[:16]}"


def batch_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Steps of batches, interpreted, and compiled but in the short form: every array that learners see."""
    load, batch_of = public("ludoteca:load"), public("ludoteca.envs.batch:Batch")
    settings: tuple[dict[str, Any], ...] = ({"finals": True}, {"seat": "alternate", "opponents": "heuristics", "threads": 2})
    for variant, game, parameters in variants():
        for number, chosen in enumerate(settings):
            for compiled in (False,) if short or number else (False, True):
                batch = batch_of(load(game, compiled=compiled, **parameters), 6, **chosen)
                buffers, told = batch.reset(seeds=7), list[Any]()
                for step in range(120 if compiled else 30):
                    arrays = {name: digest(array) for name, array in buffers._asdict().items()}
                    told.append(arrays | {"rewards": buffers.rewards.tolist(), "movers": buffers.movers.tolist()})
                    buffers = batch.step(batch.sample("heuristics" if step % 3 == 0 else "random"))
                ends = {
                    "last": [str(batch.state(i)) for i in range(6)],
                    "seeds": [str(batch.deal_seed(i)) for i in range(6)],
                }
                yield f"batch/{variant}/{number}/{'compiled' if compiled else 'interpreted'}", {"steps": told, **ends}


def search_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """Choices of agents, and the visits and values by which searches made them."""
    load, new_agent = public("ludoteca:load"), public("ludoteca.agents.agent:new_agent")
    for variant, game, parameters in variants():
        for seed in range(1 if short else 4):
            state = played(game, parameters, seed, chance(variant, seed).randrange(4, 20))
            while state.is_terminal():
                state = played(game, parameters, seed, len(state.history()) - 3)
            known = state.information_state(state.current_player())
            for name in SEARCHES:
                agent = new_agent(name, load(game, **parameters), seed)
                yield f"search/{variant}/{seed}/{name}", {"position": str(state), **_decided(agent.choose(known))}
            if not short and seed < 2:
                agent = new_agent(COMPILED, load(game, compiled=True, **parameters), seed)
                yield f"search/{variant}/{seed}/{COMPILED} compiled", _decided(agent.choose(known))


def _decided(decision: Any) -> dict[str, Any]:
    found = decision.findings
    if found is None:
        return {"action": decision.action}
    choices = [[choice.action, choice.visits, list(choice.values), choice.solved] for choice in found.choices]
    return {"action": decision.action, "choices": choices, "simulations": found.simulations, "line": list(found.line)}


def analysis_cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """The output of `ludoteca analyse` for a game."""
    for variant, game, parameters in variants():
        if variant in ("okupacio-4x4", "conclave") and not short:
            with empty_folder() as folder:
                (folder / "game.json").write_text(played(game, parameters, 2, 8).serialize(), encoding="utf-8")
                done = call(["analyse", "game.json", "--simulations", "100", "--json"], folder)
            yield f"analysis/{variant}", {"status": done["status"], "found": json.loads(done["out"])}


def cases(*, short: bool) -> Iterator[tuple[str, Any]]:
    """All of them."""
    yield from game_cases(short=short)
    yield from batch_cases(short=short)
    yield from search_cases(short=short)
    yield from analysis_cases(short=short)
