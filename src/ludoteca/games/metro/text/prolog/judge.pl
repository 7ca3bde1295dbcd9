/*  The driver of the judge: asks the predicates of a program that was written for the assignment, and prints what they answer.

        swipl -g judge:main -t halt judge.pl -- load T3.pl

    Questions come from standard input, one a line; each is repeated, and its answer follows in lines that begin with blanks.
    States, moves and paths are the program's own terms: they are only handed from one of its predicates to another. Lists are
    sorted, as the assignment leaves their order open. A predicate that is missing, throws, does not end or has a second,
    different answer is printed as that, and the next question is asked all the same. If a move or a path can be read in part
    only, `?` stands for the rest, and lines after it name the predicates that give no answer. What the program itself prints
    goes to standard error, and it reads nothing.
*/

:- module(judge, []).

:- use_module(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [foldl/4, maplist/2, maplist/3, maplist/4]).
:- use_module(library(lists), [append/2, append/3, member/2, nth0/3]).
:- use_module(library(pairs), [group_pairs_by_key/2]).
:- use_module(library(readutil), [read_line_to_string/2]).
:- use_module(library(solution_sequences), [limit/2]).

:- dynamic is_loaded/0, state/2, tile_to_come/2, endless/1.
% state(N, State): the state after N moves.
% endless(Predicate): it has not ended. It is not asked again in this case, so that no case takes long.

%   Steps of Prolog's for one answer: the assignment allows five seconds for a test, which is time for more than these.
steps(50_000_000).

%   Far more than there are: a program that gives moves without end is stopped here.
most_moves(2000).

%!  main is det.
main :-
    current_prolog_flag(argv, Words),
    append(_, [load|Rest], Words),
    (   append(Files, [engine, Python|_], Rest)
    ->  setenv('LUDOTECA_PYTHON', Python),  % for a T3.pl that is Ludoteca's; it need not play well
        setenv('LUDOTECA_TRIES', 0)
    ;   Files = Rest
    ),
    set_output(user_error),
    open('/dev/null', read, Nothing),
    set_input(Nothing),
    maplist(loaded, Files),
    assertz(is_loaded),
    next_tile_is_ours,
    questions.

loaded(File) :-
    catch(user:load_files(File, []), Error, print_message(error, Error)).

%   A program that ends Prolog while it is loaded answers nothing. Its exit status and its last line tell that.
:- redefine_system_predicate(user:halt).
:- redefine_system_predicate(user:halt(_)).
user:halt :- user:halt(0).
user:halt(Status) :-
    (   judge:is_loaded
    ->  system:halt(Status)
    ;   format(user_error, "~Nthe program ended Prolog while it was loaded (halt)~n", []),
        system:halt(1)
    ).

questions :-
    read_line_to_string(user_input, Line),
    (   Line == end_of_file
    ->  true
    ;   said("~s", [Line]),
        split_string(Line, " ", " ", Words),
        maplist(word, Words, Question),
        answered(Question),
        flush_output(user_output),
        questions
    ).

%   The words of a question are numbers, '#5', 'R0' and names.
word(Text, Word) :-
    (   number_string(Word, Text) -> true ; atom_string(Word, Text) ).

said(Format, Arguments) :-
    format(user_output, Format, Arguments),
    nl(user_output).

answer(Format, Arguments) :-
    write(user_output, '  '),
    said(Format, Arguments).


% The base file, which a program without its own base file inherits

:- set_module(judge_base:base(system)).
:- add_import_module(user, judge_base, end).
:- multifile user:prolog_load_file/2.
:- dynamic user:prolog_load_file/2.

%   A program's load of the assignment's base file is skipped if the file is not next to the program. A load of the
%   assignment's checker is always skipped.
user:prolog_load_file(_:File, _) :-
    atomic(File),
    source_location(Source, _),
    file_base_name(File, Base),
    downcase_atom(Base, Name),
    (   memberchk(Name, [t3t, 't3t.pl'])
    ->  true
    ;   memberchk(Name, [t3base, 't3base.pl']),
        \+ absolute_file_name(File, _, [relative_to(Source), file_type(prolog), access(read), file_errors(fail)])
    ).

judge_base:width(8).
judge_base:height(8).
judge_base:limits(1, 1, 8, 8).
judge_base:exterior(0, 0, 9, 9).
judge_base:center_space(X, Y) :- between(4, 5, X), between(4, 5, Y).
judge_base:entry_point(X, 0, s) :- between(1, 8, X).
judge_base:entry_point(X, 9, n) :- between(1, 8, X).
judge_base:entry_point(0, Y, e) :- between(1, 8, Y).
judge_base:entry_point(9, Y, w) :- between(1, 8, Y).
judge_base:exit_point(X, 0, n) :- between(1, 8, X).
judge_base:exit_point(X, 9, s) :- between(1, 8, X).
judge_base:exit_point(0, Y, w) :- between(1, 8, Y).
judge_base:exit_point(9, Y, e) :- between(1, 8, Y).
judge_base:exit_point(X, 4, s) :- between(4, 5, X).
judge_base:exit_point(X, 5, n) :- between(4, 5, X).
judge_base:exit_point(4, Y, e) :- between(4, 5, Y).
judge_base:exit_point(5, Y, w) :- between(4, 5, Y).
judge_base:tile(0, 0, 0, 0, '#1').
judge_base:tile(0, 0, 1, 3, '#2').
judge_base:tile(0, 1, 1, 2, '#3').
judge_base:tile(0, 2, 0, 2, '#4').
judge_base:tile(0, 2, 3, 3, '#5').
judge_base:tile(1, 1, 1, 1, '#6').
judge_base:tile(1, 2, 2, 3, '#7').
judge_base:tile(1, 3, 1, 3, '#8').
judge_base:tile(2, 2, 2, 2, '#9').
judge_base:tile(3, 3, 3, 3, '#10').
judge_base:rotation(0, 'R0').
judge_base:rotation(1, 'R1').
judge_base:rotation(2, 'R2').
judge_base:rotation(3, 'R3').

%   The tiles of a game that is played come from the question, again and again.
next_tile_is_ours :-
    (   predicate_property(user:next_tile(_, _), defined) -> abolish(user:next_tile/2) ; true ),
    assertz((user:next_tile(Time, Id) :- judge:given_tile(Time, Id))).

given_tile(Time, Id) :-
    aggregate_all(count, tile_to_come(_, _), Count),
    At is Time mod Count,
    tile_to_come(At, Id).


% The questions

answered([case, _]) :-  % nothing is left of the case before
    retractall(state(_, _)),
    retractall(endless(_)).
answered([start]) :-
    the(initial_game_state(State), State, Answer),
    (   Answer = yes(Start)
    ->  retractall(state(_, _)),
        assertz(state(0, Start)),
        answer("a state", [])
    ;   wrong(Answer)
    ).
answered([tiles]) :-
    current(State),
    tiles_of(State).
answered([open]) :-
    current(State),
    paths(get_open_paths(State, Paths), Paths).
answered([closed]) :-
    current(State),
    paths(get_closed_paths(State, Paths), Paths).
answered([available]) :-
    current(State),
    moves(available_move(State, Move), Move).
answered([with, Id]) :-
    current(State),
    moves(( available_move(State, Move), get_move_tile_id(Move, Id) ), Move).
answered([at, X, Y]) :-
    current(State),
    moves(( available_move(State, Move), get_move_space(Move, (X,Y)) ), Move).
answered([move, X, Y, Id, R]) :-
    Parts = [get_move_space-(X,Y), get_move_tile_id-Id, get_move_rotation_id-R],
    whole(X, Y, Id, R, Whole),
    (   Whole == endless
    ->  wrong(endless)
    ;   ( Whole = yes(Move) -> true ; foldl(built_in_part, Parts, _, Move) ),
        maplist(part_read(Move), Parts, Read),
        maplist(read_text, Read, Texts),
        atomic_list_concat(Texts, ' ', Text),
        answer("~w", [Text]),
        faults(Read)
    ).
answered([check, X, Y, Id, R]) :-
    current(State),
    (   built(X, Y, Id, R, Move)
    ->  the(available_move(State, Move), true, Answer),
        ( Answer = yes(_) -> answer("yes", []) ; Answer == no -> answer("no", []) ; wrong(Answer) )
    ;   true
    ).
answered([apply, X, Y, Id, R]) :-
    current(State),
    (   built(X, Y, Id, R, Move)
    ->  the(apply_move(State, Move, After), After, Answer),
        ( Answer = yes(Next) -> pushed(Next), answer("a state", []) ; wrong(Answer) )
    ;   true
    ).
answered([back, Number]) :-
    (   state(Number, State)
    ->  forall(( state(Later, _), Later > Number ), retract(state(Later, _))),
        tiles_of(State)
    ;   answer("there is no such state", [])
    ).
answered([pick, Id]) :-
    current(State),
    the(pick_move(State, Id, Move), Move, Answer),
    (   Answer = yes(Picked)
    ->  ( move_text(Picked, Text) -> answer("~w", [Text]) ; true )
    ;   Answer == no
    ->  answer("no", [])
    ;   wrong(Answer)
    ).
answered([only, Id]) :-
    game([Id], State),
    (   nonvar(State)
    ->  forall(member(Name-Goal, [tiles-get_game_tiles(State, L), open-get_open_paths(State, L), closed-get_closed_paths(State, L)]),
               number_of(Name, Goal, L))
    ;   true
    ).
answered([game|Ids]) :-
    game(Ids, State),
    ( nonvar(State) -> tiles_of(State) ; true ).

current(State) :-
    (   aggregate_all(max(N), state(N, _), Number)
    ->  state(Number, State)
    ;   State = none  % there was no initial state: what is asked of it is the program's to refuse
    ).

pushed(State) :-
    ( aggregate_all(max(N), state(N, _), Number) -> Next is Number + 1 ; Next = 1 ),
    assertz(state(Next, State)).

%   "satisfacerea conjuncției [...] să lege variabila M la o reprezentare corectă a mutării descrise"
built(X, Y, Id, R, Move) :-
    whole(X, Y, Id, R, Answer),
    ( Answer = yes(Move) -> true ; wrong(Answer), fail ).

whole(X, Y, Id, R, Answer) :-
    the(( get_move_space(M, (X,Y)), get_move_tile_id(M, Id), get_move_rotation_id(M, R) ), M, Answer).

%   A predicate that gives no answer leaves the move as it is.
built_in_part(Predicate-Value, Move, More) :-
    Goal =.. [Predicate, Move, Value],
    the(Goal, Move, Answer),
    ( Answer = yes(More) -> true ; More = Move ).

%   The answer of a predicate that reads a move.
part_read(Move, Predicate-_, Predicate-Answer) :-
    Goal =.. [Predicate, Move, Value],
    the(Goal, Value, Answer).

game(Ids, State) :-
    retractall(tile_to_come(_, _)),
    forall(nth0(At, Ids, Id), assertz(tile_to_come(At, Id))),
    the(play_game(End), End, Answer),
    ( Answer = yes(State) -> true ; wrong(Answer) ).

number_of(Name, Goal, List) :-
    the(Goal, List, Answer),
    (   Answer = yes(Found), is_list(Found)
    ->  length(Found, Number),
        answer("~w ~d", [Name, Number])
    ;   wrong(Answer)
    ).


% Lists

tiles_of(State) :-
    the(get_game_tiles(State, Tiles), Tiles, Answer),
    listed(Answer, tile_text).

tile_text(Tile, Text) :-
    (   Tile = ((X,Y),Id,R), ground(Tile)
    ->  format(string(Text), "~w ~w ~w ~w", [X, Y, Id, R])
    ;   unreadable(Tile, Text)
    ).

%   A list that a predicate gives, sorted, one element a line after their number.
listed(Answer, Writer) :-
    (   Answer = yes(List), is_list(List)
    ->  length(List, Number),
        answer("~d", [Number]),
        msort(List, Sorted),
        forall(member(Each, Sorted), ( call(Writer, Each, Text), answer("~s", [Text]) ))
    ;   wrong(Answer)
    ).

paths(Goal, Paths) :-
    the(Goal, Paths, Answer),
    (   Answer = yes(List), is_list(List)
    ->  maplist(path_read, List, Read),
        listed(yes(Read), path_text),
        append(Read, Parts),
        faults(Parts)
    ;   wrong(Answer)
    ).

path_read(Path, [get_path_entry-Entry, get_path_tiles-Tiles]) :-
    the(get_path_entry(Path, E), E, Entry),
    the(get_path_tiles(Path, T), T, Tiles).

path_text([Entry, Tiles], Text) :-
    read_text(Entry, Space),
    read_text(Tiles, All),
    format(string(Text), "~w: ~w", [Space, All]).

%   The form of a part of a move or a path.
form(get_path_entry, space_text).
form(get_path_tiles, tiles_text).
form(get_move_space, space_text).
form(get_move_tile_id, word_text).
form(get_move_rotation_id, word_text).

space_text((X,Y), Text) :-
    format(atom(Text), "~w ~w", [X, Y]).

word_text(Word, Word) :-
    atomic(Word).

tiles_text(Tiles, Text) :-
    is_list(Tiles),
    maplist(turned_text, Tiles, Turned),
    atomic_list_concat(Turned, ', ', Text).

turned_text((Id,R), Text) :-
    format(atom(Text), "~w ~w", [Id, R]).

%   The text of a part, or `?` if the predicate gives nothing of that form.
read_text(Predicate-Answer, Text) :-
    form(Predicate, Writer),
    (   Answer = yes(Term), ground(Term), call(Writer, Term, Text)
    ->  true
    ;   Text = ?
    ).

%   Names the predicates that give nothing.
faults(Read) :-
    findall(Predicate-Fault,
            ( member(Predicate-Answer, Read), read_text(Predicate-Answer, Text), Text == ?, fault_text(Answer, Fault) ),
            Faults),
    sort(Faults, Distinct),
    forall(member(Predicate-Fault, Distinct), answer("~w: ~s", [Predicate, Fault])).

%   All moves that a goal gives, by space.
moves(Goal, Move) :-
    most_moves(Most),
    attempted(findall(Move, limit(Most, user:Goal), Moves), Outcome),
    (   Outcome == yes
    ->  length(Moves, Number),
        answer("~d", [Number]),
        findall(Space-Turned, ( member(Each, Moves), move_read(Each, Space, Turned) ), Read),
        msort(Read, Sorted),
        group_pairs_by_key(Sorted, Groups),
        forall(member(Space-All, Groups), space_line(Space, All))
    ;   wrong(Outcome)
    ).

move_read(Move, Space, Turned) :-
    (   the(( get_move_space(Move, S), get_move_tile_id(Move, I), get_move_rotation_id(Move, R) ), f(S, I, R), yes(f((X,Y), Id, Rot))),
        ground(f(X, Y, Id, Rot))
    ->  Space = (X,Y),
        format(atom(Turned), "~w ~w", [Id, Rot])
    ;   Space = unreadable,
        unreadable(Move, Turned)
    ).

space_line(Space, All) :-
    atomic_list_concat(All, ', ', Text),
    ( Space = (X,Y) -> answer("~w ~w: ~w", [X, Y, Text]) ; answer("~w", [Text]) ).

move_text(Move, Text) :-
    move_read(Move, Space, Turned),
    ( Space = (X,Y) -> format(string(Text), "~w ~w ~w", [X, Y, Turned]) ; Text = Turned ).

unreadable(Term, Text) :-
    format(string(Text), "of no such form: ~W", [Term, [quoted(true), numbervars(true), max_depth(12)]]).


% Asking

%!  the(:Goal, +Template, -Answer) is det.
%   The one answer of a predicate of the program's: yes(Answer), no, two, missing(PI), error(Error) or endless. A second
%   answer counts only if it is another one, and what happens after the first one only if it is that.
the(Goal, Template, Answer) :-
    functor(Goal, Name, Arity),
    (   endless(Name/Arity)
    ->  Answer = endless
    ;   asked(Goal, Template, Answer),
        ( Answer == endless -> assertz(endless(Name/Arity)) ; true )
    ).

asked(Goal, Template, Answer) :-
    Found = found(none, none),
    attempted(( user:Goal, first_and_second(Found, Template) -> true ; true ), Outcome),
    Found = found(First, Second),
    (   First = one(Term)
    ->  ( Second = one(_) -> Answer = two ; Answer = yes(Term) )
    ;   Outcome == yes
    ->  Answer = no
    ;   Answer = Outcome
    ).

%   Fails after the first answer and after equal answers, for at most a hundred answers.
first_and_second(Found, Template) :-
    arg(1, Found, First),
    (   First == none
    ->  nb_setarg(1, Found, one(Template)),
        nb_setarg(2, Found, 0),
        fail
    ;   First = one(Before),
        Before =@= Template
    ->  arg(2, Found, Same),
        More is Same + 1,
        nb_setarg(2, Found, More),
        More >= 100
    ;   nb_setarg(2, Found, one(Template))
    ).

%   Outcome is yes when the goal has ended, as it always does by itself here.
attempted(Goal, Outcome) :-
    steps(Steps),
    catch(( call_with_inference_limit(Goal, Steps, Result), Result0 = Result ), Error, true),
    (   nonvar(Error)
    ->  ( missing(Error, Predicate) -> Outcome = missing(Predicate) ; Outcome = error(Error) )
    ;   Result0 == inference_limit_exceeded
    ->  Outcome = endless
    ;   Outcome = yes
    ).

missing(error(existence_error(procedure, Predicate), _), Plain) :-
    strip_module(Predicate, _, Plain).

wrong(Answer) :-
    fault_text(Answer, Text),
    answer("~s", [Text]).

fault_text(no, "no answer").
fault_text(two, "a second answer, which is another one").
fault_text(missing(Predicate), Text) :- format(string(Text), "there is no ~w", [Predicate]).
fault_text(endless, Text) :- steps(Steps), format(string(Text), "no answer within ~D steps", [Steps]).
fault_text(yes(Term), Text) :- unreadable(Term, Text).
fault_text(error(Error), Text) :-
    ( Error = error(Formal, _) -> true ; Formal = Error ),
    format(string(Text), "error: ~W", [Formal, [quoted(true), numbervars(true), max_depth(12)]]).
