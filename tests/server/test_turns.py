"""The moves of an agent's turn are asked for one by one, and one agent thinks about all of them."""

from itertools import pairwise

import ludoteca
from ludoteca.server.jobs import Think
from ludoteca.server.model.creation import new_row
from ludoteca.server.model.events import AGENT, Moved, Options, SeatMade
from ludoteca.server.model.fair import Draw
from ludoteca.server.model.room import Room
from ludoteca.server.model.table import Table
from ludoteca.server.settings import Settings
from ludoteca.server.thinking import worker


def jobs(table: Table, moves: int) -> list[tuple[bool, Think]]:
    """What the process is asked as the game goes on, and if it begins a turn."""
    asked = []
    room = Room(table, Settings(), 0.0)
    for _ in range(moves):
        turn = room.turn()
        assert turn
        asked.append((table.state.view(turn.seat).begins_turn(), room.job(turn.seat, "greedy")))
        action = worker.think(asked[-1][1], lambda _: None).action
        table.commit(table.prepare(Moved(turn.seat, table.state.action_to_string(action))))
    return asked


def table_of(name: str) -> Table:
    seats = [SeatMade(AGENT, agent="greedy")] * 2
    return Table(new_row(ludoteca.load(name), Options(seats, None), Draw(bytes(32), bytes(32))))


def test_all_moves_of_a_turn_are_chosen_by_one_agent() -> None:
    worker._thinking.clear()
    asked = jobs(table_of("qinto"), 12)
    assert {begins for begins, _ in asked} == {True, False}
    for (_, before), (begins, job) in pairwise(asked):
        assert (job.seed == before.seed) == (not begins)
    turns = list(dict.fromkeys(job.seed for _, job in asked))
    assert [seed for _, seed in worker._thinking] == turns[-worker.AGENTS :], "those of the last turns are kept"


def test_no_agent_is_kept_where_a_turn_is_one_move() -> None:
    worker._thinking.clear()
    asked = jobs(table_of("okupacio"), 6)
    assert len({job.seed for _, job in asked}) == 6
    assert not worker._thinking
