"""A checker of the shape of the assignment's: its base file, a time limit for each test, games of tiles that it chooses."""

from pathlib import Path

import pytest

from ludoteca.games.metro.play import strategy
from tests.metro.test_prolog import AS_USUAL, QUICKLY, SWIPL, T3, base_file, swipl

pytestmark = pytest.mark.skipif(not SWIPL, reason="SWI-Prolog is missing: as root, apt-get install swi-prolog-nox")

CHECKER = """
:- dynamic longform/0, range/1, given/1.
longform.
seconds(60).  % five in the assignment, which a busy machine may not keep

next_tile(Time, Id) :-
    aggregate_all(count, given(_), Time),
    range(Ids), random_member(Id, Ids), assertz(given(Id)).

game(Ids, State) :-
    retractall(range(_)), retractall(given(_)), assertz(range(Ids)), play_game(State).

test(base) :-
    retract(longform), assertz(longform),
    aggregate_all(count, exit_point(_, _, _), 40), aggregate_all(count, entry_point(_, _, _), 32),
    findall(Id, tile(_, _, _, _, Id), Ids), length(Ids, 10), nth1(2, Ids, '#2'), tile(0, 0, 1, 3, '#2'), rotation(3, 'R3').
test(moves) :-
    initial_game_state(State), findall(Move, available_move(State, Move), Moves), length(Moves, 448),
    findall(Id-R, (tile(_, _, _, _, Id), rotation(_, R)), Turned), length(Turned, 40),
    forall(( member(Id-R, Turned), \\+ ( member(Move, Moves), get_move_tile_id(Move, Id), get_move_rotation_id(Move, R) ) ),
           \\+ available_move(State, move((1,1), Id, R))).
test(only(Id, Tiles, Open, Closed)) :-
    member(Id/Tiles/Open/Closed, ['#9'/60/0/32, '#8'/60/0/32, '#6'/56/4/20, '#10'/56/4/20, '#1'/0/0/0]),
    game([Id], State), parts(State, Tiles, Open, Closed).
test(any) :-
    findall(Id, (tile(_, _, _, _, Id), Id \\== '#1'), Ids), game(Ids, State),
    get_game_tiles(State, Tiles), length(Tiles, Number), Number > 30,
    get_closed_paths(State, Closed), forall(member(Path, Closed), arrives(Path, Tiles)).
test(five) :-
    findall(Id, tile(_, _, _, _, Id), Ids),
    forall(between(1, 5, _), ( game(Ids, State), get_game_tiles(State, Tiles), length(Tiles, N), ( N > 20 ; given('#1') ) )).

parts(State, Tiles, Open, Closed) :-
    get_game_tiles(State, T), get_open_paths(State, O), get_closed_paths(State, C),
    maplist(length, [T, O, C], [Tiles, Open, Closed]).

% Follows a closed path with the base facts alone: from its train to a station, over the tiles that lie there.
arrives(Path, Tiles) :-
    get_path_entry(Path, (X,Y)), get_path_tiles(Path, Turned), entry_point(X, Y, Way), follow((X,Y), Way, Turned, Tiles).
follow(Space, Way, [], _) :- ahead(Space, Way, X, Y), exit_point(X, Y, Way).
follow(Space, Way, [(Id,R)|Turned], Tiles) :-
    ahead(Space, Way, X, Y), memberchk(((X,Y),Id,R), Tiles), turned(Id, R, Tracks),
    nth0(In, [e, n, w, s], Way), nth0(In, Tracks, Further), Out is (In + Further) mod 4, nth0(Out, [w, s, e, n], Next),
    follow((X,Y), Next, Turned, Tiles).
turned(Id, R, Tracks) :-
    tile(A, B, C, D, Id), rotation(Times, R), length(Last, Times),
    append(First, Last, [A,B,C,D]), append(Last, First, Tracks).
ahead((X0,Y0), Way, X, Y) :-
    memberchk(Way/DX/DY, [e/1/0, w/(-1)/0, s/0/1, n/0/(-1)]), X is X0 + DX, Y is Y0 + DY.

check(Tests) :-
    seconds(Limit),
    forall(member(Test, Tests),
           ( catch(call_with_time_limit(Limit, once(test(Test))), Error, ( print(Error), nl, fail )) -> true
           ; print(failed(Test)), nl )),
    writeln(done).
"""
ONLY = [f"only('#{tile}',_,_,_)" for tile in (9, 8, 6, 10, 1)]


@pytest.mark.parametrize(
    ("files", "tests"),
    [
        (["T3t.pl"], ["any", "five"]),
        (["T3.pl", "T3t.pl"], ["base", "moves", *ONLY]),
        (["T3.pl", "T3base.pl", "T3t.pl"], ["base", "moves", ONLY[-1]]),
    ],
    ids=["it loads T3.pl", "without its base file", "with its base file"],
)
def test_the_checker_is_content(tmp_path: Path, files: list[str], tests: list[str]) -> None:
    strategy.prepare()
    (tmp_path / "T3.pl").symlink_to(T3)
    loads = ":- ensure_loaded('T3.pl').\n:- ensure_loaded('T3base.pl').\n" if len(files) == 1 else ""
    (tmp_path / "T3t.pl").write_text(loads + CHECKER, encoding="utf-8")
    (tmp_path / "T3base.pl").write_text("".join(f"{fact}.\n" for fact in base_file()), encoding="utf-8")
    chosen: dict[str, str | None] = AS_USUAL if "any" in tests else {**QUICKLY}
    done = swipl("-g", f"check([{','.join(tests)}])", "-t", "halt", *files, cwd=tmp_path, **chosen)
    assert (done.stdout, done.stderr) == ("done\n", "")
