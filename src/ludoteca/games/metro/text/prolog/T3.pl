/*  Metro for Prolog programs: the predicates of the assignment, answered by Ludoteca.

    A state, a move and a path are ordinary ground terms:

        metro([((1,3),'#9','R0'), ...])      the tiles, sorted by space: equal positions are equal terms
        metro(6, [((1,3),'#9','R0'), ...])   the same on a board that is not 8 x 8
        move((3,2), '#2', 'R1')              space, tile, rotation
        path((2,0), [('#5','R0'), ...])      the train's place outside the board; the tiles in the order travelled

    This file has no rule of the game. Its predicates ask an engine, a process of Ludoteca's that starts when this file is
    loaded and ends with Prolog. A question is one line, and its answer is one term. Both have a number, so that an answer
    belongs to one question.
*/

:- module(metro, [
    initial_game_state/1, get_game_tiles/2, get_open_paths/2, get_closed_paths/2, get_path_entry/2, get_path_tiles/2,
    available_move/2, get_move_space/2, get_move_tile_id/2, get_move_rotation_id/2, apply_move/3, pick_move/3, play_game/1
]).

:- use_module(library(apply), [maplist/2]).
:- use_module(library(filesex), [directory_file_path/3]).
:- use_module(library(lists), [last/2, list_to_set/2, member/2, memberchk/2, nth1/3, reverse/2]).
:- use_module(library(process), [process_create/3, process_wait/3]).
:- use_module(library(random), [random_member/2]).
:- use_module(library(readutil), [read_line_to_string/2]).

:- dynamic engine/3, fact/2, home/1, owed/3.
:- volatile engine/3, owed/3.  % a saved state starts another engine
% engine(Process, In, Out): an engine that no question uses at the moment.
% owed(Out, Number, Time): an engine has been asked this question at this time and has not answered yet.
% fact(Board, Fact): a fact of the base file for a board, Width-Height.

:- prolog_load_context(source, File),
   (   read_link(File, _, Target) -> true ; Target = File ),
   file_directory_name(Target, Folder),
   retractall(home(_)),
   assertz(home(Folder)).


% The game

%!  initial_game_state(?State) is semidet.
%   The empty board, with the width/1 and height/1 that the caller sees: those of its base file, or 8.
:- module_transparent initial_game_state/1.
initial_game_state(State) :-
    context_module(Caller),
    metro:initial_game_state(Caller, State).

initial_game_state(Caller, State) :-
    board(Caller, Board),
    ask(initial_game_state/1, initial_state, [Board], State).

board(Caller, Width-Height) :-
    measured(Caller, width(W), W, Width),
    measured(Caller, height(H), H, Height).

%   A base file that gives no number, or more than one, has the list of them, which the engine refuses.
measured(Caller, Fact, Spaces, Measured) :-
    findall(Spaces, Caller:Fact, All),
    sort(All, Distinct),
    ( Distinct = [Only] -> Measured = Only ; Measured = Distinct ).

%!  get_game_tiles(+State, ?Tiles) is semidet.
%   Tiles is the list of ((X,Y), TileId, RotationId), sorted by space.
get_game_tiles(State, Tiles) :-
    ask(get_game_tiles/2, tiles, [State], Tiles).

%!  get_open_paths(+State, ?Paths) is semidet.
%   The list of the paths that have left their trains and not arrived, in the order of entry_point/3.
get_open_paths(State, Paths) :-
    ask(get_open_paths/2, open_paths, [State], Paths).

%!  get_closed_paths(+State, ?Paths) is semidet.
%   The list of the paths that have arrived, in the order of entry_point/3.
get_closed_paths(State, Paths) :-
    ask(get_closed_paths/2, closed_paths, [State], Paths).

%!  get_path_entry(+Path, ?Space) is semidet.
%   The (X,Y) outside the board where the path's train stands.
get_path_entry(Path, Entry) :-
    bound(Path, get_path_entry/2),
    shaped(Path, path(Entry0, _), path, get_path_entry/2),
    Entry = Entry0.

%!  get_path_tiles(+Path, ?Tiles) is semidet.
%   The list of (TileId, RotationId) in the order travelled.
get_path_tiles(Path, Tiles) :-
    bound(Path, get_path_tiles/2),
    shaped(Path, path(_, Tiles0), path, get_path_tiles/2),
    Tiles = Tiles0.

%!  available_move(+State, ?Move) is nondet.
%   Checks a move. For a move with unbound parts, gives every available move that fits, each once.
available_move(State, Move) :-
    ground(Move),
    !,
    shaped(Move, move(_, _, _), move, available_move/2),
    ask(available_move/2, is_available, [State, Move], true).
available_move(State, Move) :-
    shaped(Move, move(_, _, _), move, available_move/2),
    ask(available_move/2, available_moves, [State], Moves),
    member(Move, Moves).

%!  get_move_space(?Move, ?Space) is semidet.
%   Space (X,Y) of a move. An unbound move becomes a move with unbound other parts, so that the three get_move predicates, in
%   any order, build a move.
get_move_space(Move, Space) :-
    shaped(Move, move(Space0, _, _), move, get_move_space/2),
    Space = Space0.

%!  get_move_tile_id(?Move, ?TileId) is semidet.
get_move_tile_id(Move, TileId) :-
    shaped(Move, move(_, TileId0, _), move, get_move_tile_id/2),
    TileId = TileId0.

%!  get_move_rotation_id(?Move, ?RotationId) is semidet.
get_move_rotation_id(Move, RotationId) :-
    shaped(Move, move(_, _, RotationId0), move, get_move_rotation_id/2),
    RotationId = RotationId0.

%!  apply_move(+State, +Move, ?After) is semidet.
%   The state after an available move. The old state does not change.
apply_move(State, Move, After) :-
    ask(apply_move/3, apply_move, [State, Move], After).

%!  pick_move(+State, +TileId, ?Move) is semidet.
%   The place that the engine chooses for the tile. Fails if the tile has no place.
pick_move(State, TileId, Move) :-
    ask(pick_move/3, pick_move, [State, TileId], Move).

%!  play_game(?State) is semidet.
%   The last state of a whole game. If the caller defines next_tile(+Time, -TileId), the tiles come from there. Time is the
%   number of moves made, and the game ends when it fails. Otherwise tiles are drawn at random, the same after
%   set_random(seed(Seed)).
:- module_transparent play_game/1.
play_game(State) :-
    context_module(Caller),
    metro:play_game(Caller, State).

play_game(Caller, State) :-
    initial_game_state(Caller, Start),
    play_from(Start, 0, Caller, State).

play_from(State, Time, Caller, End) :-
    (   drawn(Caller, Time, TileId),
        pick_move(State, TileId, Move)
    ->  apply_move(State, Move, After),
        Later is Time + 1,
        play_from(After, Later, Caller, End)
    ;   End = State
    ).

drawn(Caller, Time, TileId) :-
    (   has_next_tile(Caller)
    ->  once(Caller:next_tile(Time, TileId))
    ;   findall(Id, metro_base:tile(_, _, _, _, Id), Ids),
        random_member(TileId, Ids)
    ).

has_next_tile(Caller) :-
    catch(predicate_property(Caller:next_tile(_, _), defined), error(existence_error(_, _), _), fail).


% The data of the base file

%   They are not exported. `user` inherits them, so that the program's own base file replaces them without a warning, whether
%   it is loaded before this file or after it.
:- set_module(metro_base:base(system)).
:- add_import_module(user, metro_base, end).

%   `user` may not define a predicate that it has called by inheritance. So it forgets these calls before each file is loaded.
:- multifile user:prolog_load_file/2.
:- dynamic user:prolog_load_file/2.
user:prolog_load_file(_, _) :-
    metro:base_predicate(Head),
    predicate_property(user:Head, imported_from(metro_base)),
    functor(Head, Name, Arity),
    abolish(user:Name/Arity),
    fail.

base_predicate(width(_)).
base_predicate(height(_)).
base_predicate(limits(_, _, _, _)).
base_predicate(exterior(_, _, _, _)).
base_predicate(center_space(_, _)).
base_predicate(entry_point(_, _, _)).
base_predicate(exit_point(_, _, _)).
base_predicate(tile(_, _, _, _, _)).
base_predicate(rotation(_, _)).

%!  width(?Spaces), height(?Spaces), limits(?X1, ?Y1, ?X2, ?Y2), exterior(?X1, ?Y1, ?X2, ?Y2)
%   The numbers of columns and rows, the first and last x and y of the board, and those just outside.
metro_base:width(8).
metro_base:height(8).
metro_base:limits(X1, Y1, X2, Y2) :- base(limits(X1, Y1, X2, Y2)).
metro_base:exterior(X1, Y1, X2, Y2) :- base(exterior(X1, Y1, X2, Y2)).

%!  center_space(?X, ?Y) is nondet.
%   The spaces on which no tile may be placed.
metro_base:center_space(X, Y) :- base(center_space(X, Y)).

%!  entry_point(?X, ?Y, ?Direction), exit_point(?X, ?Y, ?Direction) is nondet.
%   The places of trains and their directions (n, e, s, w), and the stations, outer and central, with the directions of arrival.
metro_base:entry_point(X, Y, Direction) :- base(entry_point(X, Y, Direction)).
metro_base:exit_point(X, Y, Direction) :- base(exit_point(X, Y, Direction)).

%!  tile(?Left, ?Bottom, ?Right, ?Top, ?TileId) is nondet.
%   For each side, the number of sides, counter-clockwise, to the side on which the track that enters there leaves.
metro_base:tile(Left, Bottom, Right, Top, TileId) :- base(tile(Left, Bottom, Right, Top, TileId)).

%!  rotation(?Turns, ?RotationId) is nondet.
%   The number of places by which a rotation shifts the list of a tile to the right.
metro_base:rotation(Turns, RotationId) :- base(rotation(Turns, RotationId)).

base(Fact) :-
    board(user, Board),
    base_facts(Board),
    fact(Board, Fact).

base_facts(Board) :-
    fact(Board, _),
    !.
base_facts(Board) :-
    ask(base/0, base, [Board], Facts),
    with_mutex(metro_base, ( fact(Board, _) -> true ; maplist(assertz_fact(Board), Facts) )).

assertz_fact(Board, Fact) :-
    assertz(fact(Board, Fact)).


% Checks of arguments

bound(Term, Predicate) :-
    (   var(Term)
    ->  throw(error(instantiation_error, context(metro:Predicate, _)))
    ;   true
    ).

%   An unbound term becomes one of that shape.
shaped(Term, Shape, Type, Predicate) :-
    (   Term = Shape
    ->  true
    ;   throw(error(type_error(Type, Term), context(metro:Predicate, _)))
    ).

%!  ask(+Predicate, +Question, +Arguments, ?Answer) is semidet.
%   Ask the engine. Its errors are thrown as errors of Predicate.
ask(Predicate, Question, Arguments, Answer) :-
    maplist(complete(Predicate), Arguments),
    with_mutex(metro_engine, exchange(Question, Arguments, Reply)),
    understand(Reply, Predicate, Arguments, Answer).

complete(Predicate, Term) :-
    (   \+ acyclic_term(Term)
    ->  throw(error(type_error(acyclic_term, Term), context(metro:Predicate, _)))
    ;   \+ ground(Term)
    ->  throw(error(instantiation_error, context(metro:Predicate, _)))
    ;   true
    ).

understand(yes(Answer), _, _, Answer).
understand(error(Kind, Expected, Number, Message), Predicate, Arguments, _) :-
    nth1(Number, Arguments, Found),
    Formal =.. [Kind, Expected, Found],
    throw(error(Formal, context(metro:Predicate, Message))).
understand(ended(How), Predicate, _, _) :-
    format(atom(Message), 'Ludoteca\'s process ended (~w); a new one answers the next call', [How]),
    throw(error(system_error('no answer'), context(metro:Predicate, Message))).

%   An engine that is asked belongs to that question until it has answered. An exchange that is broken off, by abort/0, a time
%   limit or any other error, leaves an engine that owes an answer: the next question waits for that answer and drops it. What
%   asks during an exchange, such as a signal's handler, gets another engine.
exchange(Question, Arguments, Reply) :-
    ( engine(_, _, _) -> true ; interpreter(Python) ),
    setup_call_cleanup(
        taken(Python, Engine),
        asked(Engine, Question, Arguments, Reply0),
        put_back(Engine)),
    (   Reply0 == late
    ->  exchange(Question, Arguments, Reply)
    ;   Reply0 = ended(_)
    ->  begin,
        Reply = Reply0
    ;   Reply = Reply0
    ).

taken(_, engine(Process, In, Out)) :-
    retract(engine(Process, In, Out)),
    !.
taken(Python, Engine) :-
    ( var(Python) -> interpreter(Python) ; true ),
    started(Python, Engine).

put_back(engine(Process, In, Out)) :-
    ( is_stream(In) -> assertz(engine(Process, In, Out)) ; true ).

%   Reply is ended(Status) if the engine has ended, and `late` if it does not answer a question that was broken off. Both
%   engines are dropped.
asked(Engine, Question, Arguments, Reply) :-
    Engine = engine(_, In, Out),
    flag(metro_question, Number, Number + 1),
    catch(
        (   settled(Out)
        ->  sig_atomic(sent(In, Out, Number, Question, Arguments)),
            answered(Out, infinite, Number, Reply0)
        ;   Reply0 = late
        ),
        error(io_error(_, _), _), Reply0 = end_of_file),
    (   Reply0 == end_of_file
    ->  dropped(Engine, Status),
        Reply = ended(Status)
    ;   Reply0 == late
    ->  dropped(Engine, _),
        Reply = late
    ;   Reply = Reply0
    ).

%   Seconds after which an engine that still owes an answer is replaced.
patience(10).

settled(Out) :-
    (   owed(Out, Number, Begin)
    ->  patience(Most),
        get_time(Now),
        Left is max(0.01, Begin + Most - Now),
        answered(Out, Left, Number, Reply),
        \+ memberchk(Reply, [late, end_of_file])
    ;   true
    ).

sent(In, Out, Number, Question, Arguments) :-
    get_time(Now),
    assertz(owed(Out, Number, Now)),
    write(In, Number),
    put_char(In, '\t'),
    write(In, Question),
    forall(member(Argument, Arguments), written(In, Argument)),
    nl(In),
    flush_output(In).

written(In, Term) :-
    put_char(In, '\t'),
    write_term(In, Term, [quoted(true), character_escapes(true), numbervars(false), portray(false), module(metro)]).

%   Signals are handled while it waits, never in the middle of an answer.
answered(Out, Seconds, Number, Reply) :-
    wait_for_input([Out], Ready, Seconds),
    (   Ready == []
    ->  Reply = late
    ;   sig_atomic(answer(Out, Answer)),
        (   Answer = Number:Reply0
        ->  Reply = Reply0
        ;   Answer = _:_
        ->  answered(Out, Seconds, Number, Reply)
        ;   Reply = end_of_file
        )
    ).

answer(Out, Answer) :-
    read_line_to_string(Out, Line),
    (   string(Line),
        catch(term_string(Answer, Line, [module(metro)]), error(syntax_error(_), _), fail)
    ->  ( Answer = Number:_ -> retractall(owed(Out, Number, _)) ; true )
    ;   Answer = end_of_file
    ).


% The engine

%   It has a session of its own, so that the terminal's Ctrl-C goes to Prolog alone.
started(Python, engine(Process, In, Out)) :-
    process_create(Python, ['-P', '-m', 'ludoteca.games.metro.text.engine'],
                   [stdin(pipe(In)), stdout(pipe(Out)), process(Process), detached(true)]),
    set_stream(In, encoding(utf8)),
    set_stream(Out, encoding(utf8)).

%   Prolog does not wait for an engine that starts here.
begin :-
    interpreter(Python),
    sig_atomic(( started(Python, Engine), assertz(Engine) )).

%   The engine ends with its input. An engine that compiles first finishes, so that the next one need not compile again.
dropped(engine(Process, In, Out), Status) :-
    retractall(owed(Out, _, _)),
    close(In, [force(true)]),
    close(Out, [force(true)]),
    (   between(1, 50, _),
        process_wait(Process, Ended, [timeout(0)]),  % SWI-Prolog knows no other time here
        ( Ended == timeout -> sleep(0.02), fail ; true )
    ->  Status = Ended
    ;   Status = timeout
    ).

:- at_halt(forall(retract(metro:engine(Process, In, Out)), ignore(metro:dropped(engine(Process, In, Out), _)))).

%   The engine starts here, with the modules and games that answers need, so that the first question takes no longer than the
%   others. Errors come again with that question.
:- initialization(catch(metro:ask(ready/0, ready, [], _), error(_, _), true)).

%!  interpreter(-Python) is det.
%   The Python in which Ludoteca is installed: LUDOTECA_PYTHON, or the Python of a folder around this file, or the active one.
interpreter(Python) :-
    findall(Candidate, candidate(Candidate), Found),
    list_to_set(Found, Candidates),
    first_that_runs(Candidates, [], Python).

candidate(Python) :-
    getenv('LUDOTECA_PYTHON', Python),
    !.
candidate(Python) :-
    near(Prefix),
    directory_file_path(Prefix, 'bin/python3', Python),
    exists_file(Python).
candidate(Python) :-
    absolute_file_name(path(python3), Python, [access(execute), file_errors(fail)]).

%   The environment in which this file is installed, those of its checkout, and the active one.
near(Prefix) :-
    home(Folder),
    sub_atom(Folder, Before, _, _, '/lib/python'),
    sub_atom(Folder, 0, Before, _, Prefix).
near(Prefix) :-
    home(Folder),
    above(Folder, Parent),
    directory_file_path(Parent, '.venv', Prefix).
near(Prefix) :-
    getenv('VIRTUAL_ENV', Prefix).

above(Folder, Parent) :-
    file_directory_name(Folder, Up),
    Up \== Folder,
    (   Parent = Up
    ;   above(Up, Parent)
    ).

first_that_runs([], Lines, _) :-
    reverse(Lines, Tried),
    atomic_list_concat(Tried, '; ', Text),
    format(atom(Message), 'no Python found that runs this Ludoteca; set LUDOTECA_PYTHON to one. Tried: ~w', [Text]),
    throw(error(existence_error(python, ludoteca), context(_, Message))).
first_that_runs([Candidate|Others], Lines, Python) :-
    catch(probed(Candidate, Said), error(Formal, _), Said = failed(Formal)),
    (   this_ludoteca(Said)
    ->  Python = Candidate
    ;   format(atom(Line), '~w: ~w', [Candidate, Said]),
        first_that_runs(Others, [Line|Lines], Python)
    ).

%   The answer of a Python to where the engine is: found(File), or the reason why it finds none.
probed(Python, Said) :-
    process_create(Python, ['-P', '-c', 'from importlib.util import find_spec as f; print(f("ludoteca.games.metro.text.engine").origin)'],
                   [stdin(null), stdout(pipe(Out)), stderr(pipe(Error)), process(Process)]),
    call_cleanup(read_string(Out, _, Printed), close(Out)),
    call_cleanup(read_string(Error, _, Complaint), close(Error)),
    process_wait(Process, Status),
    (   Status == exit(0)
    ->  normalize_space(atom(File), Printed),
        Said = found(File)
    ;   split_string(Complaint, "\n", " \n", Lines),
        last(Lines, Last),
        Said = Last
    ).

%   A copy of this file in another folder takes any engine. Next to its engine it takes no other one.
this_ludoteca(found(File)) :-
    home(Folder),
    file_directory_name(Folder, Package),
    directory_file_path(Package, 'engine.py', Own),
    (   exists_file(Own)
    ->  same_file(Own, File)
    ;   true
    ).
