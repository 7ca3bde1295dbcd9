/*  A bot out of a program for the Metro assignment: it speaks Ludoteca's line protocol (docs/bots.md).

        swipl -g ludoteca_bot -t halt bot.pl program.pl

    The program defines, in user, the predicates of the assignment: initial_game_state/1, available_move/2, get_move_space/2,
    get_move_tile_id/2, get_move_rotation_id/2, apply_move/3 and pick_move/3. What its states and moves are is its own
    affair: they are only handed on.
*/

:- module(ludoteca_bot, [ludoteca_bot/0]).

:- use_module(library(lists), [last/2, memberchk/2, nth1/3, select/3, subtract/3]).
:- use_module(library(readutil), [read_line_to_string/2]).

%!  ludoteca_bot is det.
%   Plays games until the input ends.
ludoteca_bot :-
    set_stream(user_input, encoding(utf8)),
    set_stream(user_output, encoding(utf8)),
    play(game{seat:1, players:1, position:"", legal:[], state:none, tiles:[]}).

play(Game) :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  true
    ;   cut(Line, Word, Rest),
        heard(Word, Rest, Game, Next),
        play(Next)
    ).

%   The first word of a line, as an atom, and the rest.
cut(Line, Word, Rest) :-
    (   sub_string(Line, Before, 1, After, " ")
    ->  sub_atom(Line, 0, Before, _, Word),
        sub_string(Line, _, After, 0, Rest)
    ;   atom_string(Word, Line),
        Rest = ""
    ).

heard(ludoteca, _, Game, Next) :-
    !,
    said("ludoteca 1"),
    Next = Game.put(_{state:none, tiles:[], legal:[]}).
heard(parameter, Rest, Game, Game) :-
    !,
    (   string_concat("side ", Side, Rest),
        Side \== "8"
    ->  format(user_error, "the board of this game has ~s spaces a side, and that of the assignment 8~n", [Side]),
        halt(1)
    ;   true
    ).
heard(seat, Rest, Game, Next) :-
    !,
    number_string(Seat, Rest),
    Next = Game.put(seat, Seat).
heard(players, Rest, Game, Next) :-
    !,
    number_string(Players, Rest),
    Next = Game.put(players, Players).
heard(position, Rest, Game, Next) :-
    !,
    Next = Game.put(_{position:Rest, legal:[]}).
heard(legal, Rest, Game, Next) :-
    !,
    Next = Game.put(legal, [Rest|Game.legal]).
heard(move, _, Game, Next) :-
    !,
    split_string(Game.position, " ", "", [Board, _, Hands|_]),
    laid(Board, Game, Next),
    tile_to_place(Hands, Game.seat, TileId),
    answer(Next.state, TileId, Game.players, Game.legal, Answer),
    said(Answer).
heard(_, _, Game, Game).

said(Line) :-
    format("~s~n", [Line]),
    flush_output.


% The position

%   The program's own state, with the tiles that were placed since it was asked last.
laid(Board, Game, Next) :-
    on_board(Board, Tiles),
    (   Game.state == none
    ->  user:initial_game_state(Start)
    ;   Start = Game.state
    ),
    subtract(Tiles, Game.tiles, New),
    placed(New, Start, State),
    Next = Game.put(_{state:State, tiles:Tiles}).

%   Tiles are placed in any order in which each has a place. A tile that has none is left out and reported.
placed([], State, State) :-
    !.
placed(Tiles, State, End) :-
    (   select(Tile, Tiles, Others),
        move(State, Tile, Move)
    ->  user:apply_move(State, Move, After),
        placed(Others, After, End)
    ;   format(user_error, "no available_move/2 places ~w~n", [Tiles]),
        End = State
    ).

move(State, tile(Space, TileId, RotationId), Move) :-
    user:available_move(State, Move),
    user:get_move_space(Move, Space),
    user:get_move_tile_id(Move, TileId),
    user:get_move_rotation_id(Move, RotationId),
    !.

%!  on_board(+Board, -Tiles) is det.
%   The tiles in the rows of a position, such as "8/2,7R0,5/...": tile((X,Y),TileId,RotationId).
on_board(Board, Tiles) :-
    split_string(Board, "/", "", Rows),
    findall(tile((X,Y), TileId, RotationId),
            ( nth1(Y, Rows, Row), in_row(Row, X, Text), tile_of(Text, TileId, RotationId) ),
            Tiles).

in_row(Row, X, Text) :-
    split_string(Row, ",", "", Parts),
    in_parts(Parts, 1, X, Text).

in_parts([Part|Parts], At, X, Text) :-
    (   number_string(Free, Part)
    ->  Next is At + Free
    ;   Next is At + 1
    ),
    (   X = At, Text = Part
    ;   in_parts(Parts, Next, X, Text)
    ).

%   "7R2" is '#7' and 'R2'. Fails for free spaces and the centre.
tile_of(Text, TileId, RotationId) :-
    sub_string(Text, Before, 1, _, "R"),
    !,
    sub_string(Text, 0, Before, _, Number),
    sub_string(Text, Before, _, 0, Rotation),
    atom_string(RotationId, Rotation),
    atom_concat('#', Number, TileId).

%   The last tile in the seat's hand is to be placed: "4R0+7R1", or "7" if tiles may be turned.
tile_to_place(Hands, Seat, TileId) :-
    split_string(Hands, "/", "", All),
    nth1(Seat, All, Hand),
    split_string(Hand, "+", "", Tiles),
    last(Tiles, Tile),
    (   tile_of(Tile, TileId, _)
    ->  true
    ;   atom_concat('#', Tile, TileId)
    ).


% The answer

%!  answer(+State, +TileId, +Players, +Legal, -Answer) is det.
%   The solution of pick_move/3, right or wrong. The assignment has no game for several players, in which tiles may not be
%   turned. There it is the first solution that can be played, or else the first legal move, which is reported.
answer(State, TileId, Players, Legal, Answer) :-
    (   user:pick_move(State, TileId, Move),
        written(Move, Text),
        ( Players == 1 -> true ; memberchk(Text, Legal) )
    ->  Answer = Text
    ;   Players == 1
    ->  format(string(Answer), "pick_move/3 fails for ~w", [TileId])
    ;   last(Legal, Answer),  % the first legal move: the list is reversed
        format(user_error, "no solution of pick_move/3 for ~w can be played: ~s is~n", [TileId, Answer])
    ).

written(Move, Text) :-
    user:get_move_space(Move, (X,Y)),
    user:get_move_rotation_id(Move, RotationId),
    format(string(Text), "~w ~w ~w", [X, Y, RotationId]).
