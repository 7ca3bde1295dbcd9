"""The screen of a game in the terminal: its board, the standings of the players, and texts.

A game can do without its own modules for this. Without `screen.py`, the labels of the items in its scene replace the board.
Without `scene.py`, the screen shows the position in notation, and the scores.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from operator import itemgetter
from typing import Final, cast

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from ludoteca.core.contract import RawPosition
from ludoteca.core.errors import IllegalActionError, NotationError
from ludoteca.core.game import State
from ludoteca.core.guide import guide_of, state_of
from ludoteca.core.messages import LIST, SEAT, Message, catalogue, in_words
from ludoteca.core.position import Position
from ludoteca.core.rng import new_rng
from ludoteca.core.scene import Scene, Scenes, Screens, Standing, told
from ludoteca.core.spec import GameSpec

MOST_EXAMPLE_MOVES: Final = 8
"""The most legal moves that the help shows as examples."""
LINES_AROUND: Final = 2
"""The number of lines that are needed in addition to a board: a blank line and the prompt."""
WIDTHS: Final = (80, 100, 120, 160)
"""Widths in columns that a message suggests if the terminal is too small."""
ELLIPSIS: Final = "…"
"""The character at the end of a word that is cut off because a table has no room for it."""
GAP_COLUMNS: Final = 4
"""The distance between the board and the standings."""


class Screen:
    """The screen of a game in one language. It is drawn for a seat, with only the information that this seat has."""

    def __init__(self, spec: GameSpec, language: str) -> None:
        self.spec = spec
        self.language = language
        self.is_small = False
        """True if the board that was printed last was the game's small board."""
        self.reported_size: tuple[int, int] | None = None
        """The columns and lines of the terminal in the last message that it is too small."""
        self._texts = {**catalogue("ludoteca.cli", language), **catalogue(spec.package, language)}
        self._scenes = cast(Scenes, spec.module("scene")) if spec.has("scene") else None
        self._screens = cast(Screens, spec.module("screen")) if spec.has("screen") else None

    def words(self, message: Message) -> str:
        """Return the message in the language of the screen. Players are named by the numbers of their seats."""
        return in_words(message, self._texts)

    def say(self, key: str, *arguments: Message) -> str:
        """Return the text `play.KEY` of the command line's catalogue, with these arguments."""
        return self.words((f"play.{key}", *arguments))

    def name(self, player: int) -> str:
        """Return the player's name, beginning with a capital letter."""
        return _capital(self.words((SEAT, player)))

    def draw(self, state: State, seat: int, marked: Collection[str]) -> RenderableType:
        """Return the board with the standings next to it, or below it if there is no room, followed by the player's task.
        `marked` are the ids of the items to highlight.
        """
        view = state.view(seat)
        scene = self._scenes.draw(view.raw, seat) if self._scenes else _plain_scene(state)
        standings, tight = (self._standings(view, scene.standings, tight=tight) for tight in (False, True))
        if self._screens:
            board = self._screens.draw(view.raw, marked, self.words)
        else:  # the labels for screen readers, or else the notation
            labels = [self.words(item.label) for item in scene.items if item.label]
            board = Text("; ".join(labels) or str(state.game.notation.position_to_string(view.raw)))
        arrangements: list[RenderableType] = [_Beside(board, standings), _Columns(board, tight), Group(board, Text(), tight)]
        large = len(arrangements)
        if arranged := self._small(view.raw, marked):
            board, things = arranged
            arrangements += [
                _Columns(board, Group(tight, Text(), things)),
                Group(_Columns(board, tight), Text(), things),
                Group(board, Text(), things, Text(), tight),
            ]
        task = Text(_sentence(self.words(scene.task)))
        return _Fitted(self, [Group(each, Text(), task) for each in arrangements], large)

    def _small(self, view: RawPosition, marked: Collection[str]) -> tuple[RenderableType, RenderableType] | None:
        """Return the game's small board, and the items that are not on it. Return None if the game has only one board."""
        small = getattr(self._screens, "small", None)
        return small(view, marked, self.words) if small else None

    def _picture(self, view: RawPosition, marked: Collection[str]) -> RenderableType | None:
        """Return the board of a picture in the rules. Return None if the game draws no boards. It is the small board if the
        board on the screen is small.
        """
        if not self._screens:
            return None
        small = self._small(view, marked) if self.is_small else None
        return _Beside(*small) if small else self._screens.draw(view, marked, self.words)

    def _standings(self, view: Position, standings: Sequence[Standing], *, tight: bool) -> Table:
        """Return a table with a row for each player: the player's sign on the board, the name, and facts such as the score.
        With `tight`, the table has less space between columns.
        """
        names, facts = Column(no_wrap=tight), [Column(self.words(name), justify="right") for name, _ in standings[0].facts]
        table = Table(names, *facts, box=None, header_style="bold", pad_edge=not tight, collapse_padding=tight)
        sign_of: Callable[[RawPosition, int], Text] | None = getattr(self._screens, "sign", None)
        for standing in standings:
            sign = sign_of(view.raw, standing.player) if sign_of else Text()
            name = Text("> " if standing.player == view.current_player() else "  ")
            name.append_text(sign).append(f"{' ' if sign else ''}{self.words((SEAT, standing.player))}")
            values = (self.words(value) for _, value in standing.facts)
            table.add_row(name, *values, style="dim" if standing.out else "")
            if tight:
                names.min_width = max(names.min_width or 0, name.cell_len)
        return table

    def describe(self, state: State, seat: int, action: int) -> str:
        """Return a sentence about an action, for a seat. If the words do not contain the notation of the action, the
        notation follows in brackets.
        """
        view, seen = state.view(seat).raw, state.seen_action(action, seat)
        text = str(state.game.notation.action_to_string(view, seen))
        done = self.say("plays", text)
        if self._scenes:
            done = self.words(told(self._scenes, view, state.child(action).view(seat).raw, seat, seen))
        written = "" if text.replace(" ", "") in done.replace(" ", "") else f" ({text})"
        return _sentence(f"{self.name(state.current_player())} {done}{written}")

    def read(self, state: State, text: str) -> int:
        """Return the legal action that the player to move has typed. Small letters and capitals may be confused.

        Raises IllegalActionError with the reason if the text is no legal action. The reason comes from a random deal that
        fits the player's knowledge, so that it reveals nothing hidden.
        """
        seat = state.current_player()
        first: NotationError | None = None
        for typed in dict.fromkeys((text, text.lower(), text.upper())):
            try:
                action = int(state.game.notation.string_to_action(state.view(seat).raw, typed))
                break
            except NotationError as error:
                first = first or error
        else:
            raise IllegalActionError(self.say("refused", self.words(first.message if first else ""))) from None
        if action not in state.legal_actions():
            some = state.resample_from_infostate(seat, new_rng(0))
            raise IllegalActionError(self.say("refused", self.words(some.refused(action))))
        return action

    def help(self, state: State) -> str:
        """Return the texts about the notation and the board, some legal moves as examples, and the commands."""
        legal = state.legal_actions()
        some = legal[:: max(1, -(-len(legal) // MOST_EXAMPLE_MOVES))]
        moves = ", ".join(state.action_to_string(action) for action in some)
        signs = "screen.small" if self.is_small and "screen.small" in self._texts else "screen"
        about = [self._texts[key] for key in ("notation", signs) if key in self._texts]
        return "\n".join([*about, self.say("possible", moves), self.say("commands")])

    def moves(self, state: State) -> str:
        """Return all legal moves."""
        return self.say("all", ", ".join(state.action_to_string(action) for action in state.legal_actions()))

    def rules(self) -> Iterator[tuple[str, RenderableType | None]]:
        """Yield the parts of the game's rules: the aim, headings, paragraphs and points. Each is a pair of a text and a
        board that illustrates it, or None for a text without a board.
        """
        guide = guide_of(self.spec)
        if guide is None or self._scenes is None:  # a guide has positions of scenes
            return
        yield self.words(guide.aim), None
        if self.is_small and "screen.small" in self._texts:
            yield self._texts["screen.small"], None
        for section in guide.sections:
            parts = [part for part in section.parts if not part.on_page]
            if parts:
                yield self.words(section.title).upper(), None
            for part in parts:
                said = [self._in_terminal(part.told)] if part.told else []
                yield "\n".join([*said, *(f"• {self._in_terminal(point)}" for point in part.points)]), None
                if part.picture:
                    state, seat = state_of(self.spec, guide, part.picture)
                    board = self._picture(state.view(seat).raw, state.placed(seat).items)
                    yield self._in_terminal(part.picture.caption), board

    def _in_terminal(self, message: Message) -> str:
        """Return the words of a message. If the catalogue has a text `KEY.terminal` for its key, use that text."""
        if isinstance(message, tuple) and f"{message[0]}.terminal" in self._texts:
            message = f"{message[0]}.terminal", *message[1:]
        return self.words(message)


class _Columns:
    """Two drawings next to each other. If there is no room, the lines of the right drawing are wrapped."""

    def __init__(self, left: RenderableType, right: RenderableType) -> None:
        self.renderables = left, right

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        grid = Table.grid(padding=(0, GAP_COLUMNS))
        grid.add_column(no_wrap=True)
        grid.add_row(*self.renderables)
        yield grid


class _Beside(_Columns):
    """Two drawings next to each other, or one below the other if the terminal is narrow."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        left, right = self.renderables
        widths = [Measurement.get(console, options, part).maximum for part in self.renderables]
        yield _Columns(left, right) if sum(widths) + GAP_COLUMNS <= options.max_width else Group(left, Text(), right)


class _Fitted:
    """The first of several arrangements of a board and tables that fits the terminal. If the output is not a terminal, it is
    the first of all. If none fits, a line says how large the terminal must be.
    """

    def __init__(self, screen: Screen, arrangements: Sequence[RenderableType], large: int) -> None:
        """Take the arrangements in order of preference. The first `large` of them have the large board, and the others the
        small one.
        """
        self._screen, self._arrangements, self._large = screen, arrangements, large

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not console.is_terminal:
            yield self._arrangements[0]
            return
        columns, lines = console.size
        chosen, needed = self._lowest(console, options) or (len(self._arrangements) - 1, lines + 1)
        self._screen.is_small = chosen >= self._large
        yield self._arrangements[chosen]
        if needed > lines and self._screen.reported_size != console.size:
            self._screen.reported_size = console.size
            widths = (columns, *(width for width in WIDTHS if width > columns))
            lowest = ((width, self._lowest(console, options.update(width=width))) for width in widths)
            found = [(width, each[1]) for width, each in lowest if each]
            if found:
                size = next((size for size in found if size[1] <= lines), found[0])
                yield Text(self._screen.say("too_small", columns, lines, *size))

    def _lowest(self, console: Console, options: ConsoleOptions) -> tuple[int, int] | None:
        """Return the index of an arrangement and the number of its lines. It is the first that fits the terminal or, if none
        does, the lowest that fits the terminal's width.

        Return None if no arrangement fits the width.
        """
        found = []
        for number, arrangement in enumerate(self._arrangements):
            rendered = console.render_lines(arrangement, options)
            is_cut = any(ELLIPSIS in segment.text for line in rendered for segment in line)
            if is_cut or _narrowest(console, options, arrangement) > options.max_width:
                continue
            lines = len(rendered) + LINES_AROUND
            if lines <= console.height:
                return number, lines
            found.append((number, lines))
        return min(found, key=itemgetter(1), default=None)


def _narrowest(console: Console, options: ConsoleOptions, part: RenderableType) -> int:
    """Return the number of columns that a drawing needs at least. If this is more than the terminal has, the result may be
    too small, but it still exceeds the terminal's width.
    """
    if isinstance(part, Group | Columns | _Beside):
        return max(_narrowest(console, options, each) for each in part.renderables)
    if isinstance(part, _Columns):
        return sum(_narrowest(console, options, each) for each in part.renderables) + GAP_COLUMNS
    if isinstance(part, Text) and part.no_wrap:
        return max((cell_len(line) for line in part.plain.splitlines()), default=0)
    return Measurement.get(console, options.update(width=options.max_width + 1), part).minimum


def _plain_scene(state: State) -> Scene:
    """Return a scene for a game without `scene.py`: the scores, and the player to move or the winners."""
    standings = (Standing(player, ((("play.points",), score),)) for player, score in enumerate(state.scores()))
    seats = [(SEAT, player) for player in state.winners()]
    task: Message = ("play.turn", (SEAT, state.current_player()))
    if state.is_terminal():
        task = ("play.shared" if len(seats) > 1 else "play.won", (LIST, *seats)) if seats else ("play.void",)
    return Scene(0, 0, (), tuple(standings), task)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sentence(text: str) -> str:
    """Return the text with a capital at the beginning and a full stop at the end."""
    return _capital(text) if text.endswith((".", "!", "?")) else f"{_capital(text)}."
