% A student's solution: a state is a list of tiles, paths are walked whenever they are asked for.

:- ensure_loaded('T3base.pl').

initial_game_state([]).

get_game_tiles(State, Tiles) :- findall((Space, Id, R), member(placed(Space, Id, R), State), Tiles).

get_open_paths(State, Paths) :- findall(path(E, T), walked(State, E, T, open), Paths).
get_closed_paths(State, Paths) :- findall(path(E, T), walked(State, E, T, closed), Paths).
get_path_entry(path(Entry, _), Entry).
get_path_tiles(path(_, Tiles), Tiles).

get_move_space(move(Space, _, _), Space).
get_move_tile_id(move(_, Id, _), Id).
get_move_rotation_id(move(_, _, R), R).

% trains and their ways

walked(State, (X,Y), [First|Rest], End) :-
    entry_point(X, Y, Way),
    go(State, (X,Y), Way, [First|Rest], End).

go(State, Space, Way, Tiles, End) :-
    ahead(Space, Way, Next),
    (   memberchk(placed(Next, Id, R), State)
    ->  Tiles = [(Id,R)|Others],
        through(Id, R, Way, Out),
        go(State, Next, Out, Others, End)
    ;   Tiles = [],
        Next = (X,Y),
        ( exit_point(X, Y, Way) -> End = closed ; End = open )
    ).

ahead((X,Y), n, (X,Y1)) :- Y1 is Y - 1.
ahead((X,Y), s, (X,Y1)) :- Y1 is Y + 1.
ahead((X,Y), e, (X1,Y)) :- X1 is X + 1.
ahead((X,Y), w, (X1,Y)) :- X1 is X - 1.

% who goes east enters at side 0, the left one; sides are counted counter-clockwise
through(Id, R, Way, Out) :-
    tracks(Id, R, Tracks),
    nth0(In, [e, n, w, s], Way), !,
    nth0(In, Tracks, Turn),
    Side is (In + Turn) mod 4,
    nth0(Side, [w, s, e, n], Out).

tracks(Id, R, Tracks) :-
    tile(A, B, C, D, Id),
    rotation(Times, R),
    length(Last, Times),
    append(First, Last, [A,B,C,D]),
    append(Last, First, Tracks), !.

% moves

available_move(State, move((X,Y), Id, R)) :-
    width(W), height(H),
    between(1, W, X), between(1, H, Y),
    \+ center_space(X, Y),
    \+ memberchk(placed((X,Y), _, _), State),
    once(( at_the_edge(X, Y) ; beside_a_tile(State, (X,Y)) )),
    tile(_, _, _, _, Id),
    different(Id, R),
    \+ short((X,Y), Id, R).

at_the_edge(X, Y) :- limits(X1, Y1, X2, Y2), ( X =:= X1 ; X =:= X2 ; Y =:= Y1 ; Y =:= Y2 ).

beside_a_tile(State, Space) :- ahead(Space, _, Next), memberchk(placed(Next, _, _), State).

different(Id, R) :-
    rotation(Times, R),
    tracks(Id, R, Tracks),
    \+ ( rotation(Fewer, Same), Fewer < Times, tracks(Id, Same, Tracks) ).

short(Space, Id, R) :- walked([placed(Space, Id, R)], _, [_], closed).

apply_move(State, move(Space, Id, R), [placed(Space, Id, R)|State]).

pick_move(State, Id, Move) :- get_move_tile_id(Move, Id), available_move(State, Move), !.

play_game(End) :- initial_game_state(State), play(State, 0, End).

play(State, Time, End) :-
    next_tile(Time, Id),
    (   pick_move(State, Id, Move)
    ->  apply_move(State, Move, After),
        Later is Time + 1,
        play(After, Later, End)
    ;   End = State
    ).
