"""The screen that is the same for every game: standings, task, moves, help and rules, in five languages."""

import io
import re
from collections.abc import Sequence
from typing import Any

import pytest
from rich.console import Console

import duel
import ludoteca
from kuhn import GAME as KUHN
from ludoteca.cli.screen import Screen
from ludoteca.cli.settings import usual_language
from ludoteca.cli.terminal import TerminalGame
from ludoteca.core import registry
from ludoteca.core.contract import SPECTATOR
from ludoteca.core.errors import IllegalActionError
from ludoteca.core.game import Game, State
from ludoteca.core.messages import LANGUAGES, catalogue, places
from ludoteca.core.rng import new_rng
from ludoteca.core.spec import GameSpec
from tests.agents.test_agents import replace_module

GAMES = registry.registered_games()
ROOMS = ("ludoteca.cli", "ludoteca.agents")


def drawn(screen: Screen, state: State, seat: int, marked: Sequence[str] = (), width: int = 80) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(screen.draw(state, seat, marked))
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def english(spec: GameSpec) -> Screen:
    return Screen(spec, "en")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "ca_ES.UTF-8"}, "ca"),
        ({"LANG": "ro"}, "ro"),
        ({"LANG": "pt.UTF-8"}, "pt"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "est_EE"}, "en"),
        ({}, "en"),
        ({"LANG": "ca_ES", "LC_MESSAGES": "es_ES"}, "es"),
        ({"LANG": "ca_ES", "LC_MESSAGES": "es_ES", "LC_ALL": "pt_PT"}, "pt"),
        ({"LANG": "ca_ES", "LC_ALL": ""}, "ca"),
        ({"LANG": "ca_ES", "LC_ALL": "C"}, "en"),
    ],
)
def test_the_language_is_that_of_the_system(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert usual_language() == language


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS)
def test_all_catalogues_have_the_same_texts_with_the_same_arguments(room: str, language: str) -> None:
    ours, english = catalogue(room, language), catalogue(room, "en")
    assert ours.keys() == english.keys()
    for key, template in english.items():
        assert places(ours[key]) == places(template), key
        assert ours[key].strip(), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_how_moves_are_typed_is_told_in_every_language(spec: GameSpec, language: str) -> None:
    state = Game(spec).new_initial_state(3)
    notation, about, *_ = Screen(spec, language).help(state).splitlines()
    typed = [word.strip("(),;.") for word in notation.split()]
    same = [word.strip("(),;.") for word in english(spec).help(state).splitlines()[0].split()]
    legal = {state.action_to_string(action) for action in state.legal_actions()}
    examples = {word for word in same if word in legal or re.search(r"[0-9@>♠]|^(00|ab|keep|PASSO|end|decline)$", word)}
    assert examples
    assert examples <= set(typed), "the examples are the same in all languages"
    assert about.endswith(".")


@pytest.mark.parametrize("spec", [spec for spec in GAMES if not spec.perfect_information], ids=lambda spec: spec.name)
def test_what_is_hidden_changes_nothing_on_the_screen(spec: GameSpec) -> None:
    screen, rng = english(spec), new_rng(5)
    state = Game(spec).new_initial_state(4)
    for number in range(13):
        if state.is_terminal():
            break
        if number % 3 == 0:
            seat = state.current_player()
            known, other = drawn(screen, state, seat), state.resample_from_infostate(seat, rng)
            assert drawn(screen, other, seat) == known
            for text in ("nonsense", state.action_to_string(state.random_action(rng)), "PASSO", "end", "0:00", "+1b@9,9"):
                assert answer(screen, state, text) == answer(screen, other, text)
        state.apply_action(state.random_action(rng))


def answer(screen: Screen, state: State, text: str) -> str:
    try:
        return str(screen.read(state, text))
    except IllegalActionError as error:
        return str(error)


def test_the_standings_have_signs_names_and_headings_in_the_language() -> None:
    game = ludoteca.load("okupacio", players=3, board=".#../.#../##../..#.")
    state = game.state_from_string("A#A./A#B./##../..#. A 3 0:2,1:1,-")
    lines = drawn(Screen(game.spec, "ca"), state, 0).splitlines()
    assert [line[16:] for line in lines[:4]] == [
        "                  caselles  de tot  arrabassades",
        " >  A  jugador 1         3    27 %             0",
        "    B  jugador 2         1     9 %             1",
        "    C  jugador 3         –       –             –",
    ]
    assert lines[-1] == "Ocupa una casella lliure."


ENDINGS = {
    ("okupacio", "AAAA/ABAB/BABA/ABAB - 30 2:1,0:0"): (
        "Player 1 wins. Cells: 10; captured from others: 2. Apart from that, row a is held by player 1: "
        "an honour, which does not change the winner."
    ),
    ("okupacio", "ABAB/ABBA/BBAA/BAAB - 30 0:0,0:1"): (
        "Player 2 wins. Cells: 8; captured from others: 0. Others have as many of both, but player 2 has waited longest "
        "since the last move. Nobody controls a whole row or column."
    ),
    ("cartas", "-/A♠2♥/A♥/K♦ 5♠ 0 -"): "Player 1 has played all cards and wins. Points: 4.",
    ("cartas", "5♠/A♠2♥/A♥/K♦ - 4 -"): "All four have passed: the game is void, and nobody gets points.",
    ("conclave", "-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- -,-,-,-/-,-,-,- b1c,o3c/b2c,o2c - - -"): (
        "Player 1 wins with the least disappointment. Points: 1."
    ),
}


@pytest.mark.parametrize(("name", "position"), ENDINGS)
def test_the_ending_is_what_the_scene_says(name: str, position: str) -> None:
    chosen: dict[str, Any] = {"board": "4x4"} if name == "okupacio" else {}
    game = ludoteca.load(name, **chosen)
    text = drawn(english(game.spec), game.state_from_string(position), SPECTATOR, width=200)
    assert text.splitlines()[-1] == ENDINGS[name, position]


def test_the_board_stands_beside_the_standings_where_there_is_room() -> None:
    state = ludoteca.load("okupacio", board="25x25", players=10).new_initial_state(1)
    screen = english(state.game.spec)
    wide, narrow = (drawn(screen, state, 0, width=width).splitlines() for width in (120, 80))
    assert len(wide) == len(narrow) - 12
    assert wide[1].startswith("a . .")
    assert "> " in wide[1]
    assert "> " not in narrow[1]


def test_a_move_is_told_in_words_and_in_notation() -> None:
    state = ludoteca.load("conclave", deal="document:35152").new_initial_state()
    action = state.string_to_action("1:22")
    screen = Screen(state.game.spec, "pt")
    assert screen.describe(state, 0, action) == "Jogador 1 envia púrpura 3 (gazela) para a linha 2, coluna 2 (1:22)."
    assert screen.describe(state, 1, action) == screen.describe(state, 0, action), "the card lies open on the board"


def test_a_move_whose_words_hold_its_notation_is_told_once() -> None:
    state = ludoteca.load("okupacio", board="4x4").new_initial_state(1)
    assert (
        english(state.game.spec).describe(state, SPECTATOR, state.string_to_action("ab"))
        == "Player 1 takes ab (row 1, column 2)."
    )
    cards = ludoteca.load("cartas").state_from_string("5♠6♥7♠/A♠2♥/A♥/K♦ - 0 1")
    told = english(cards.game.spec).describe(cards, SPECTATOR, cards.string_to_action("5♠6♥7♠"))
    assert told == "Player 1 plays a sequence of 3: 5♠ 6♥ 7♠."


def test_what_cannot_be_played_is_refused_in_the_language() -> None:
    state = ludoteca.load("okupacio", board="4 4 2 1 1 1 3 2 5 1").new_initial_state(1)
    screen = Screen(state.game.spec, "es")
    assert answer(screen, state, "ac") == "No se ha jugado: ac es un muro."
    assert answer(screen, state, "hola") == (
        "No se ha jugado: 'hola' no es ninguna jugada: se esperaban dos letras, fila y columna, como ab, o 00 para "
        "abandonar."
    )
    assert answer(english(state.game.spec), state, "ea") == (
        "Not played: ea is outside the board, which has rows a to d and columns a to d."
    )


UNREAD = {
    "okupacio": ("zz", "zzz"),
    "conclave": ("hola", "9:00", "0:99", "x>1", "b>9"),
    "cartas": ("hola", "", "5e5e"),
    "qinto": ("hola", "+5b@0,0", "~5b@0,1", "+9b@0,0", "+5b@x"),
    "metro": ("hola", "1 1 R9", "1 1 R3", "9 9 R0", "4 4 R0"),
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in UNREAD.items() for text in texts])
def test_what_cannot_be_read_is_told_in_every_language(name: str, text: str) -> None:
    variants: dict[str, dict[str, Any]] = {"qinto": {"variant": "classic"}, "metro": {"players": 2}}
    chosen = variants.get(name, {})
    state = Game(registry.find(name), chosen).new_initial_state(3)
    answers = [answer(Screen(state.game.spec, language), state, text) for language in LANGUAGES]
    assert all(answer.endswith(".") for answer in answers)
    assert len(set(answers)) == 5, answers


def test_the_rules_are_those_of_the_page_with_boards() -> None:
    spec = registry.find("okupacio")
    paragraphs = list(Screen(spec, "ro").rules())
    guide, texts = spec.module("guide").GUIDE, catalogue(spec.package, "ro")
    said = "\n".join(text for text, _ in paragraphs)
    assert said.startswith(texts[guide.aim[0]])
    for part in guide.parts:
        assert all(texts[message[0]] in said for message in (part.told, *part.points) if message)
    boards = [text for text, board in paragraphs if board is not None]
    assert boards == [texts[part.picture.caption[0]] for part in guide.parts if part.picture]


IN_BROWSERS = (
    r"framed|crown|\(drop\)|symbol|outline|shape say|corner stands|sign of|[Ee]ach sign|chart|open at the bottom|\(below\)"
)


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_the_rules_describe_the_terminal_and_not_the_browser(spec: GameSpec) -> None:
    assert not [text for text, _ in english(spec).rules() if re.search(IN_BROWSERS, text)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.name)
def test_the_terminal_has_its_own_texts_in_every_language(spec: GameSpec, language: str) -> None:
    texts, suffix = catalogue(spec.package, language), ".terminal"
    own = {key.removesuffix(suffix): text for key, text in texts.items() if key.endswith(suffix)}
    said = "\n".join(text for text, _ in Screen(spec, language).rules())
    for key, text in own.items():
        assert text in said
        assert texts[key] not in said


# games without a drawing


class Typist(Console):
    """A terminal that answers prompts with prepared lines, and then with the first legal move."""

    def __init__(self, *lines: str) -> None:
        super().__init__(file=io.StringIO(), width=100, highlight=False)
        self.lines = list(lines)
        self.state: State | None = None

    def input(self, prompt: object = "", **_: object) -> str:
        self.print(prompt, markup=False)
        assert self.state
        return self.lines.pop(0) if self.lines else self.state.action_to_string(self.state.legal_actions()[0])

    def text(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def played(spec: GameSpec, *lines: str, language: str = "en") -> str:
    console = Typist(*lines)
    game = TerminalGame(Game(spec).new_initial_state(2), {0}, "random", 1, console, language=language)
    console.state = game.state
    assert game.play() == 0
    return console.text()


def test_a_game_with_a_scene_needs_no_drawing_of_its_own() -> None:
    text = played(duel.GAME, "help", "rules")
    assert "the table: cards are played open here; here cards are laid face down; card " in text
    assert "lead: play a card, open or face down" not in text, "a sentence begins with a capital"
    assert "Lead: play a card, open or face down." in text
    assert "Possible now, for example: " in text
    assert "The players play a card in turn. The higher card takes the trick, which is a point." in text
    assert re.search(r"Player 2 (plays the \d|lays a card face down|resigns)", text)
    assert re.search(r"(Player [12] wins|The points are equal)\.\n$", text)


def test_a_game_without_scenes_is_shown_in_notation() -> None:
    bare = replace_module(duel.GAME, scene=None)
    text = played(bare, "rules", "help", "9", language="es")
    first = Game(duel.GAME).new_initial_state(2)
    assert first.observation_string(0) in text
    assert "No hay ningún texto con las reglas de Duel." in text
    assert "No se ha jugado: '9' no es ninguna jugada: se esperaba una carta" in text
    assert "Le toca a: jugador 1." in text
    assert re.search(r"> jugador 1 +0", text)
    assert re.search(r"Jugador 2 juega \S+\.\n", text)
    assert re.search(
        r"La partida ha terminado\. (Gana: jugador [12]|Comparten la victoria: jugador 1 y jugador 2)\.\n$", text
    )


def test_a_void_game_is_won_by_nobody() -> None:
    state = Game(replace_module(duel.GAME, scene=None), {"ties": "void"}).new_initial_state(2)
    while not state.is_terminal():
        state.apply_action(next(action for action in state.legal_actions() if 8 <= action < 16))
    assert drawn(english(state.game.spec), state, SPECTATOR).endswith("The game is over. Nobody wins.")


@pytest.mark.parametrize(("language", "said"), [("ca", True), ("en", False)])
def test_a_game_in_english_alone_says_so_where_the_screen_speaks_another_language(language: str, said: bool) -> None:
    console = Console(file=io.StringIO(), width=80, color_system=None)
    TerminalGame(Game(KUHN).new_initial_state(1), set(), "random", 1, console, language=language).play()
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert ("Els textos de Kuhn poker només són en anglès." in text) is said
    assert "Kuhn poker" in text
